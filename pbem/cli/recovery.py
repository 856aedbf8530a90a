"""`pbem backup` and `restore`: everything by one phrase and the public records."""

from __future__ import annotations

import os
import sys
from datetime import UTC, datetime

import click

from pbem.cli.common import command, json_option, mail_address, open_desk, read_input, write_output
from pbem.cli.out import note, say, say_json
from pbem.cli.show import row_json
from pbem.cli.text import clean, fold, plural, size_of
from pbem.protocol.limits import MIB

MAX_BACKUP = 256 * MIB


@command(
    "backup",
    short_help="Write a backup, and show the phrase that opens it.",
    examples=("pbem backup", "pbem backup -o /mnt/stick/pbem-backup.pbem", "pbem backup --phrase"),
)
@click.argument("who", required=False)
@click.option("-o", "--output", metavar="FILE", help="Where to write the backup (default: a dated file here).")
@click.option("--phrase", "only_phrase", is_flag=True, help="Only show the phrase, to standard output.")
@json_option
def backup_command(who: str | None, output: str | None, only_phrase: bool, as_json: bool) -> None:
    """Back up an identity with its games and contacts.

    The phrase is the key itself: anyone who has it can sign as you. Write it on paper. The file holds the records
    and, encrypted, what is private. Phrase and file together bring everything back; the phrase alone brings back the
    identity.
    """
    desk = open_desk()
    person = desk.people.me(who)
    phrase = desk.phrase(person)
    if only_phrase:
        say(phrase)
        return
    raw = desk.backup(person)
    name = output or f"pbem-backup-{datetime.now(tz=UTC):%Y%m%d}.pbem"
    write_output(name, raw)
    if as_json:
        say_json({"bytes": len(raw), "path": name, "phrase": phrase})
        return
    if name == "-":
        note(f"The phrase: {phrase}")
        return
    say(f"Backup of {clean(person.card.name)}: {clean(name)} ({size_of(len(raw))}).")
    say("The phrase that opens it. Write it on paper, keep it apart from the file, show it to nobody:")
    for line in fold(phrase, 72, indent="  "):
        say(line)


@command(
    "restore",
    short_help="Bring everything back from a phrase and a backup.",
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
@click.option("--confirm", metavar="GAME", help="This restored game has caught up: let it sign again.")
@click.option(
    "--anyway", is_flag=True, help="With --confirm: although not all opponents have answered. At your own risk."
)
@json_option
def restore_command(
    files: tuple[str, ...],
    name: str,
    email: str,
    no_passphrase: bool,
    confirm: str | None,
    anyway: bool,
    as_json: bool,
) -> None:
    """Bring back an identity from its phrase, and its games from backups or archives.

    The phrase is asked for, or taken from PBEM_PHRASE. A restored game is read-only until it has been resynced with
    an opponent's file, so that nothing is signed twice.
    """
    from pbem.cli.identity import new_passphrase, shown

    if confirm is not None:
        if files:
            raise click.UsageError("--confirm goes without files.")
        desk = open_desk()
        game = desk.find(confirm)
        desk.confirm_restored(game, anyway=anyway)
        say(f"{game} may sign again.")
        return
    phrase = os.environ.get("PBEM_PHRASE")
    if phrase is None:
        if not sys.stdin.isatty():
            raise click.UsageError("Nobody is at the terminal to type the phrase: give it in PBEM_PHRASE.")
        phrase = click.prompt("The phrase of your backup", hide_input=True, err=True)
    raws = [read_input(file, MAX_BACKUP) for file in files]
    desk = open_desk()
    restored = desk.restore(phrase, raws, new_passphrase(no_passphrase), name, email)
    if as_json:
        say_json(
            {
                "faults": list(restored.faults),
                "games": [row_json(row) for row in restored.rows],
                "identity": restored.person.identity.hex(),
            }
        )
        return
    count = plural(len(restored.rows), "game")
    say(f"Brought back {shown(restored.person)}, fingerprint {restored.person.fingerprint}, {count}.")
    for row in restored.rows:
        say(f"  {row.name}: signs nothing until it has caught up. Ask the others with: pbem send {row.name}")
    for fault in restored.faults:
        say(f"! {clean(fault)}", style="wait")
