"""`pbem id`, `contact`, `backup`, `restore`: who plays here, and with whom, and how all of it is brought back."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import click

from pbem.cli.common import (
    Group,
    ask_secret,
    command,
    mail_address,
    new_passphrase,
    open_home,
    read_input,
    shown,
    write_output,
)
from pbem.cli.terminal import clean, fold, note, say, say_table, size_of
from pbem.engine.counts import many
from pbem.home import backup, resync, summary
from pbem.protocol.limits import MIB

if TYPE_CHECKING:
    from pbem.home.people import Person
    from pbem.home.summary import GameRow
    from pbem.schema import Count, Hash

MAX_BACKUP = 256 * MIB


class PersonShown(NamedTuple):
    """An identity of yours, or a contact."""

    confirmed: bool
    """You have compared the fingerprint with its owner."""
    default: bool
    """New games are played as this identity."""
    email: str
    fingerprint: str
    identity: Hash
    name: str
    own: bool
    protected: bool
    """The key on disk is encrypted with a passphrase."""

    @classmethod
    def of(cls, person: Person) -> PersonShown:
        return shown(cls, person, email=person.card.email, name=person.card.name)


def called(person: Person) -> str:
    """`Alice Kern <alice@example.org>`."""
    email = f" <{clean(person.card.email)}>" if person.card.email else ""
    return clean(person.card.name) + email


def card_name(person: Person) -> str:
    """A file name for a card: made of letters, digits and dashes only."""
    word = re.sub(r"[^a-z0-9]+", "-", person.card.name.casefold()).strip("-")[:40]
    return f"{word or 'card'}.pbem"


@click.group("id", cls=Group)
def id_command() -> None:
    """You: your name, your address and the key that signs everything you send."""


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
    "--email",
    default="",
    callback=mail_address,
    help="Your mail address, for your opponents; it is printed on your card.",
)
@click.option("--no-passphrase", is_flag=True, help="Store the key on disk without encryption.")
def new(name: str, email: str, no_passphrase: bool) -> PersonShown:
    """Make a new identity. You play as your first one, unless you choose another (pbem id use)."""
    home = open_home()
    person = home.new_identity(name, email, new_passphrase(no_passphrase))
    say_table(
        (
            ("Your identity:", called(person)),
            ("Fingerprint:", f"{person.fingerprint}   (read it to your opponent on the phone)"),
            ("To back it up:", "pbem backup"),
            ("To write your card:", "pbem id export"),
        )
    )
    return PersonShown.of(person)


@id_command.command("show", examples=("pbem id show", "pbem id show alice --json"))
@click.argument("who", required=False)
def show(who: str | None) -> PersonShown:
    """Show an identity with its fingerprint (the default one unless WHO names another)."""
    person = open_home().people.me(who)
    say_table(
        (
            ("Name:", called(person)),
            ("Fingerprint:", person.fingerprint),
            ("Identity:", person.identity.hex()),
            ("Key on disk:", "under your passphrase" if person.protected else "not encrypted (pbem id passphrase)"),
        )
    )
    return PersonShown.of(person)


class Identities(NamedTuple):
    """The identities of this home."""

    identities: tuple[PersonShown, ...]


@id_command.command("list", examples=("pbem id list --json",))
def list_identities() -> Identities:
    """List the identities of this home."""
    people = open_home().people.identities()
    say_table(("*" if person.default else " ", called(person), person.fingerprint) for person in people)
    if not people:
        say('No identity yet. Make one: pbem id new "Your Name"')
    return Identities(tuple(map(PersonShown.of, people)))


@id_command.command("use", examples=("pbem id use alice",))
@click.argument("who")
def use(who: str) -> None:
    """Play as WHO in new games from now on."""
    home = open_home()
    person = home.people.me(who)
    with home.writing():
        home.people.make_default(person.identity)
    say(f"New games are played as {called(person)}.")


@id_command.command(
    "export",
    short_help="Write your card, to mail to your opponents.",
    examples=("pbem id export", "pbem id export -o alice.pbem", "pbem id export --armor -o -"),
)
@click.argument("who", required=False)
@click.option("-o", "--output", metavar="FILE", help="Where to write; - is standard output.")
@click.option("--armor", is_flag=True, help="As text that can be pasted into a mail.")
def export(who: str | None, output: str | None, armor: bool) -> None:
    """Write your card, a small file with your name, address and public key, to mail to your opponents."""
    from pbem.protocol.armour import wrap
    from pbem.protocol.container import Item, ItemType, write

    person = open_home().people.me(who)
    raw = write([Item(ItemType.CARD, person.card.raw)])
    name = output or card_name(person)
    write_output(name, wrap(raw).encode("ascii") if armor else raw)
    if name != "-":
        say(f"Card of {called(person)}: {clean(name)}. Send it to your opponent, who opens it with: pbem open FILE")


@id_command.command("passphrase", examples=("pbem id passphrase", "pbem id passphrase --none"))
@click.argument("who", required=False)
@click.option("--none", "none", is_flag=True, help="Store the key on disk without encryption.")
def passphrase_(who: str | None, none: bool) -> None:
    """Change the passphrase of an identity. Scripts pass the new one in PBEM_NEW_PASSPHRASE."""
    home = open_home()
    person = home.people.me(who)
    home.people.keys(person.identity)  # the old one is asked for first
    new_one = new_passphrase(none, variable="PBEM_NEW_PASSPHRASE", prompt="New passphrase")
    with home.writing():
        home.people.change_passphrase(person.identity, new_one)
    say("The passphrase has been changed." if new_one else "The key is now stored on disk without encryption.")
    note("Backups are not affected: each is opened by its recovery phrase.")


@click.group("contact", cls=Group)
def contact_command() -> None:
    """The people you play with. To add one, open their card: pbem open CARD"""


class Contacts(NamedTuple):
    """The people you play with."""

    contacts: tuple[PersonShown, ...]


@contact_command.command("list", examples=("pbem contact list", "pbem contact list --json"))
def list_contacts() -> Contacts:
    """List your contacts."""
    people = open_home().people.contacts()
    say_table(
        (called(person), person.fingerprint, "compared" if person.confirmed else "not compared") for person in people
    )
    if not people:
        say("No contacts yet. Open your opponent's card: pbem open FILE")
    return Contacts(tuple(map(PersonShown.of, people)))


@contact_command.command("show", examples=("pbem contact show bob",))
@click.argument("who")
def show_contact(who: str) -> PersonShown:
    """Show one contact."""
    person = open_home().people.find(who)
    state = "compared with its owner" if person.confirmed else "not compared yet: read it to each other on the phone"
    say_table(
        (
            ("Name:", called(person)),
            ("Fingerprint:", f"{person.fingerprint}   ({state})"),
            ("Identity:", person.identity.hex()),
        )
    )
    return PersonShown.of(person)


@contact_command.command("confirm", examples=("pbem contact confirm bob",))
@click.argument("who")
def confirm(who: str) -> None:
    """Record that you and WHO have compared fingerprints."""
    home = open_home()
    with home.writing():
        person = home.people.confirm(who)
    say(f"{called(person)}, {person.fingerprint}: compared.")


@contact_command.command("remove", examples=("pbem contact remove bob",))
@click.argument("who")
def remove(who: str) -> None:
    """Remove a contact. Games with them go on, since the games hold their card."""
    home = open_home()
    with home.writing():
        person = home.people.forget(who)
    say(f"{called(person)} is no longer among your contacts.")


class Backup(NamedTuple):
    """The backup that was written, and the phrase that opens it."""

    bytes: Count
    path: str
    phrase: str


@command(
    "backup",
    short_help="Write a backup, and show its recovery phrase.",
    examples=("pbem backup", "pbem backup -o /mnt/stick/pbem-backup.pbem", "pbem backup --phrase"),
)
@click.argument("who", required=False)
@click.option("-o", "--output", metavar="FILE", help="Where to write the backup (default: a dated file here).")
@click.option("--phrase", "only_phrase", is_flag=True, help="Only print the recovery phrase.")
def backup_command(who: str | None, output: str | None, only_phrase: bool) -> Backup:
    """Back up an identity with its games and contacts.

    The recovery phrase is the key itself: anyone who has it can sign as you. Write it on paper. The file holds the
    records and, encrypted, everything that is private. Phrase and file together restore everything; the phrase alone
    restores the identity.
    """
    home = open_home()
    person = home.people.me(who)
    phrase = backup.phrase(home, person)
    if only_phrase:
        say(phrase)
        return Backup(0, "", phrase)
    raw = backup.backup(home, person)
    name = output or f"pbem-backup-{datetime.now(tz=UTC):%Y%m%d}.pbem"
    write_output(name, raw)
    say(f"Backup of {clean(person.card.name)}: {clean(name)} ({size_of(len(raw))}).")
    say("Its recovery phrase. Write it on paper, keep it apart from the file, and show it to nobody:")
    for line in fold(phrase, 72, indent="  "):
        say(line)
    return Backup(len(raw), name, phrase)


class RestoredShown(NamedTuple):
    """Everything that a phrase and backups brought back, and why anything is missing."""

    faults: tuple[str, ...]
    games: tuple[GameRow, ...]
    identity: Hash


@command(
    "restore",
    short_help="Restore everything from a recovery phrase and a backup.",
    examples=(
        "pbem restore pbem-backup-20260301.pbem",
        "PBEM_PHRASE='word word ...' pbem restore backup.pbem archive.pbem",
        "pbem restore --confirm bridgehead-7f3a",
    ),
)
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--name", default="", help="Your name for a new card, when there is no backup.")
@click.option(
    "--email", default="", callback=mail_address, help="Your address for a new card, when there is no backup."
)
@click.option("--no-passphrase", is_flag=True, help="Keep the restored key on disk unencrypted.")
@click.option("--confirm", metavar="GAME", help="Let this restored game sign again, once it has caught up.")
@click.option(
    "--anyway", is_flag=True, help="With --confirm: even if not all opponents have answered. At your own risk."
)
def restore_command(
    files: tuple[str, ...], name: str, email: str, no_passphrase: bool, confirm: str | None, anyway: bool
) -> RestoredShown:
    """Restore an identity from its recovery phrase, and its games from backups or archives.

    You are asked for the phrase, unless it is in PBEM_PHRASE. A restored game is read-only until it has caught up with
    an opponent's file, so that nothing is signed twice.
    """
    if confirm is not None:
        if files:
            raise click.UsageError("--confirm takes no files.")
        home = open_home()
        game = summary.find(home, confirm)
        resync.confirm(home, game, anyway=anyway)
        say(f"{game} may sign again.")
        return RestoredShown((), (summary.row(home, game),), home.people.me().identity)
    phrase = os.environ.get("PBEM_PHRASE")
    if phrase is None:
        phrase = ask_secret("The phrase of your backup")
    if phrase is None:
        raise click.UsageError("There is no terminal to type the recovery phrase at: give it in PBEM_PHRASE.")
    raws = [read_input(file, MAX_BACKUP) for file in files]
    restored = backup.restore(open_home(), phrase, raws, new_passphrase(no_passphrase), name, email)
    count = many(len(restored.rows), "game")
    say(f"Brought back {called(restored.person)}, fingerprint {restored.person.fingerprint}, {count}.")
    for row in restored.rows:
        say(f"  {row.name}: signs nothing until it has caught up. Ask the others with: pbem send {row.name}")
    for fault in restored.faults:
        say(f"! {clean(fault)}", style="wait")
    return RestoredShown(restored.faults, restored.rows, restored.person.identity)
