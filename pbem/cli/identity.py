"""`pbem id` and `pbem contact`: who plays here, and with whom."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import Group, json_option, mail_address, open_desk, write_output
from pbem.cli.out import note, say, say_json, say_table
from pbem.cli.text import clean

if TYPE_CHECKING:
    from pbem.table.people import Person


def described(person: Person) -> dict[str, Any]:
    """A person as `--json` prints one."""
    return {
        "confirmed": person.confirmed,
        "default": person.default,
        "email": person.card.email,
        "fingerprint": person.fingerprint,
        "identity": person.identity.hex(),
        "name": person.card.name,
        "own": person.own,
        "protected": person.protected,
    }


def shown(person: Person) -> str:
    """`Alice Kern <alice@example.org>`."""
    email = f" <{clean(person.card.email)}>" if person.card.email else ""
    return clean(person.card.name) + email


def card_name(person: Person) -> str:
    """A file name for a card: made of letters, digits and dashes only."""
    word = re.sub(r"[^a-z0-9]+", "-", person.card.name.casefold()).strip("-")[:40]
    return f"{word or 'card'}.pbem"


@click.group("id", cls=Group)
def id_command() -> None:
    """Your identities: the keys that sign what you send."""


def new_passphrase(none: bool) -> str:
    """A passphrase by PBEM_PASSPHRASE or twice at the terminal; the empty one is the explicit none."""
    if none:
        return ""
    given = os.environ.get("PBEM_PASSPHRASE")
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise click.UsageError(
            "Nobody is at the terminal to type a passphrase: give it in PBEM_PASSPHRASE, or say --no-passphrase."
        )
    answer: str = click.prompt(
        "Passphrase (empty for none)",
        hide_input=True,
        default="",
        show_default=False,
        confirmation_prompt=True,
        err=True,
    )
    return answer


@id_command.command(
    "new",
    examples=(
        'pbem id new "Alice Kern" --email alice@example.org',
        "PBEM_PASSPHRASE=secret pbem id new Alice --json",
        "pbem id new Tester --no-passphrase",
    ),
)
@click.argument("name")
@click.option(
    "--email", default="", callback=mail_address, help="Your address, for your opponents; it is part of your card."
)
@click.option("--no-passphrase", is_flag=True, help="Keep the key on disk unencrypted.")
@json_option
def new(name: str, email: str, no_passphrase: bool, as_json: bool) -> None:
    """Make a new identity. The first one is the one you play as, unless you say otherwise."""
    desk = open_desk()
    person = desk.new_identity(name, email, new_passphrase(no_passphrase))
    if as_json:
        say_json(described(person))
        return
    say_table(
        (
            ("Your identity:", shown(person)),
            ("Fingerprint:", f"{person.fingerprint}   (read it to your opponent on the phone)"),
            ("Back it up:", "pbem backup"),
            ("Your card to send:", "pbem id export"),
        )
    )


@id_command.command("show", examples=("pbem id show", "pbem id show alice --json"))
@click.argument("who", required=False)
@json_option
def show(who: str | None, as_json: bool) -> None:
    """Show an identity (the default one unless WHO names another)."""
    person = open_desk().people.me(who)
    if as_json:
        say_json(described(person))
        return
    say_table(
        (
            ("Name:", shown(person)),
            ("Fingerprint:", person.fingerprint),
            ("Identity:", person.identity.hex()),
            ("Key on disk:", "under your passphrase" if person.protected else "not encrypted (pbem id passphrase)"),
        )
    )


@id_command.command("list", examples=("pbem id list --json",))
@json_option
def list_identities(as_json: bool) -> None:
    """List the identities of this home."""
    people = open_desk().people.identities()
    if as_json:
        say_json({"identities": [described(person) for person in people]})
    elif not people:
        say('No identity yet. Make one: pbem id new "Your Name"')
    else:
        say_table([("*" if person.default else " ", shown(person), person.fingerprint) for person in people])


@id_command.command("use", examples=("pbem id use alice",))
@click.argument("who")
def use(who: str) -> None:
    """Play as WHO from now on, in new games."""
    desk = open_desk()
    person = desk.people.me(who)
    with desk.lock:
        desk.people.make_default(person.identity)
    say(f"New games are played as {shown(person)}.")


@id_command.command(
    "export", examples=("pbem id export", "pbem id export -o alice.pbem", "pbem id export --armor -o -")
)
@click.argument("who", required=False)
@click.option("-o", "--output", metavar="FILE", help="Where to write; - is standard output.")
@click.option("--armor", is_flag=True, help="As text that can be pasted into a mail.")
def export(who: str | None, output: str | None, armor: bool) -> None:
    """Write your card: what your opponent opens to know your key."""
    from pbem.protocol.armour import wrap
    from pbem.protocol.container import Item, ItemType, write

    person = open_desk().people.me(who)
    raw = write([Item(ItemType.CARD, person.card.raw)])
    name = output or card_name(person)
    write_output(name, wrap(raw).encode("ascii") if armor else raw)
    if name != "-":
        say(f"Card of {shown(person)}: {clean(name)}. Send it to your opponent, who opens it with: pbem open FILE")


@id_command.command("passphrase", examples=("pbem id passphrase", "pbem id passphrase --none"))
@click.argument("who", required=False)
@click.option("--none", "none", is_flag=True, help="Keep the key on disk unencrypted.")
def passphrase_(who: str | None, none: bool) -> None:
    """Change the passphrase of an identity. For automation, PBEM_NEW_PASSPHRASE gives the new one."""
    desk = open_desk()
    person = desk.people.me(who)
    desk.people.keys(person.identity)  # the old one is asked for first
    given = os.environ.get("PBEM_NEW_PASSPHRASE")
    if none:
        new_one = ""
    elif given is not None:
        new_one = given
    elif sys.stdin.isatty():
        new_one = click.prompt(
            "New passphrase", hide_input=True, default="", show_default=False, confirmation_prompt=True, err=True
        )
    else:
        raise click.UsageError("Give the new passphrase in PBEM_NEW_PASSPHRASE, or say --none.")
    with desk.lock:
        desk.people.change_passphrase(person.identity, new_one)
    say("The passphrase is changed." if new_one else "The key is now unencrypted on disk.")
    note("Backups made before keep the phrase that they were made with.")


@click.group("contact", cls=Group)
def contact_command() -> None:
    """The people you play with, known by their cards. `pbem open CARD` adds one."""


@contact_command.command("list", examples=("pbem contact list", "pbem contact list --json"))
@json_option
def list_contacts(as_json: bool) -> None:
    """List your contacts."""
    people = open_desk().people.contacts()
    if as_json:
        say_json({"contacts": [described(person) for person in people]})
    elif not people:
        say("No contacts yet. Open your opponent's card: pbem open FILE")
    else:
        say_table(
            [
                (shown(person), person.fingerprint, "compared" if person.confirmed else "not compared")
                for person in people
            ]
        )


@contact_command.command("show", examples=("pbem contact show bob",))
@click.argument("who")
@json_option
def show_contact(who: str, as_json: bool) -> None:
    """Show one contact."""
    person = open_desk().people.find(who)
    if as_json:
        say_json(described(person))
        return
    state = "compared with its owner" if person.confirmed else "not compared yet: read it to each other on the phone"
    say_table(
        (
            ("Name:", shown(person)),
            ("Fingerprint:", f"{person.fingerprint}   ({state})"),
            ("Identity:", person.identity.hex()),
        )
    )


@contact_command.command("confirm", examples=("pbem contact confirm bob",))
@click.argument("who")
def confirm(who: str) -> None:
    """Note that you have compared the fingerprint of WHO with its owner."""
    desk = open_desk()
    with desk.lock:
        person = desk.people.confirm(who)
    say(f"{shown(person)}, {person.fingerprint}: compared.")


@contact_command.command("remove", examples=("pbem contact remove bob",))
@click.argument("who")
def remove(who: str) -> None:
    """Forget a contact. Games with him go on: their records carry his card."""
    desk = open_desk()
    with desk.lock:
        person = desk.people.forget(who)
    say(f"{shown(person)} is no longer among your contacts.")
