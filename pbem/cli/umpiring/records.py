"""`pbem umpire moves`, `anomalies`, `journal`, `check`, `backup`, `restore`: what was, and that it was so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pbem.cli.common import check_readable
from pbem.cli.out import note, say, say_json
from pbem.cli.run import REFUSED, refused
from pbem.cli.show import when
from pbem.cli.text import clean, plural
from pbem.cli.umpiring.asjson import anomaly_json, move_json
from pbem.cli.umpiring.entering import span
from pbem.cli.umpiring.group import umpire_command
from pbem.cli.umpiring.running import sentences
from pbem.cli.umpiring.shared import (
    csv_option,
    json_option,
    open_store,
    open_umpire,
    show_rows,
    tournament_argument,
)
from pbem.cli.umpiring.standing import names_of

_game_option = click.option("--game", "pairing", metavar="GAME", help="Only this game.")


@umpire_command.command(
    "moves",
    short_help="Show the ledger of response times.",
    examples=("pbem umpire moves cup", "pbem umpire moves cup --game 2.14", "pbem umpire moves cup --csv > moves.csv"),
)
@tournament_argument
@_game_option
@json_option
@csv_option
def moves_command(tournament: str, pairing: str | None, as_json: bool, as_csv: bool) -> None:
    """Show who was asked when and answered when, and what his clock was charged: time without days off.

    The times are those at which the records came to you; `signed` is what the player's program says.
    """
    desk = open_umpire()
    rows, labels, names = desk.moves(tournament, pairing), desk.names()[1], names_of(desk, tournament)
    times = (lambda at: at) if as_csv else when
    show_rows(
        ("game", "move", "name", "what", "asked", "answered", "signed", "charged"),
        [
            (
                labels[row.pairing][1], row.number, clean(names[row.entrant]), row.what, times(row.asked_at),
                times(row.answered_at), times(row.signed_at), row.charged if as_csv else span(row.charged),
            )
            for row in rows
        ],
        key="moves",
        values=lambda: [move_json(row, labels[row.pairing][1], names[row.entrant]) for row in rows],
        as_json=as_json,
        as_csv=as_csv,
        empty="Nobody has answered anything yet.",
    )  # fmt: skip


@umpire_command.command(
    "anomalies",
    short_help="List irregularities: withheld reveals, forks, odd timing.",
    examples=("pbem umpire anomalies cup", "pbem umpire anomalies cup --json"),
)
@tournament_argument
@_game_option
@json_option
@csv_option
def anomalies_command(tournament: str, pairing: str | None, as_json: bool, as_csv: bool) -> None:
    """List what you should look at. Each is a fact with a weight from 1 to 5; none is a verdict."""
    desk = open_umpire()
    rows, labels, names = desk.anomalies(tournament, pairing), desk.names()[1], names_of(desk, tournament)
    rows = sorted(rows, key=lambda row: (-row.weight, row.at))
    show_rows(
        ("weight", "kind", "game", "name", "what"),
        [
            (row.weight, row.kind, labels[row.pairing][1], clean(names.get(row.entrant, "")), clean(row.text))
            for row in rows
        ],
        key="anomalies",
        values=lambda: [anomaly_json(row, labels[row.pairing][1], names.get(row.entrant, "")) for row in rows],
        as_json=as_json,
        as_csv=as_csv,
        empty="Nothing odd.",
    )


@umpire_command.command(
    "journal",
    short_help="Show every change, and who made it.",
    examples=("pbem umpire journal", "pbem umpire journal --last 20", "pbem umpire journal --json"),
)
@click.option("--last", type=click.IntRange(1), help="Only the last so many.")
@json_option
@csv_option
def journal_command(last: int | None, as_json: bool, as_csv: bool) -> None:
    """Show the journal: one entry for every change, chained by hashes. It shows no addresses."""
    desk = open_umpire()
    entries = desk.journal(last)
    texts = sentences(desk, entries)
    rows: list[tuple[Any, ...]] = [
        (
            each.seq,
            each.at if as_csv else when(each.at),
            clean(each.actor),
            each.kind,
            clean(text),
            each.hash.hex()[:12],
        )
        for each, text in zip(entries, texts, strict=True)
    ]
    show_rows(
        ("entry", "at", "by", "kind", "what", "hash"),
        rows,
        key="entries",
        values=lambda: [
            {
                "actor": each.actor, "at": each.at, "hash": each.hash.hex(), "kind": each.kind,
                "previous": each.previous.hex(), "seq": each.seq, "text": text,
            }
            for each, text in zip(entries, texts, strict=True)
        ],
        as_json=as_json,
        as_csv=as_csv,
        empty="The journal is empty.",
    )  # fmt: skip


@umpire_command.command(
    "check",
    short_help="Check the journal, the tables and the archives.",
    examples=("pbem umpire check", "pbem umpire check --json"),
    exits="0 all of it holds, 1 something was changed or damaged, 2 wrong usage.",
)
@json_option
@click.pass_context
def check_command(ctx: click.Context, as_json: bool) -> None:
    """Check the chain of the journal, make all tables again from it and compare, and check the archives' digests.

    Write the head down somewhere else: who has it can tell whether anything before it was changed.
    """
    found = open_umpire().check()
    if as_json:
        say_json(
            {
                "archives": found.blobs, "entries": found.entries, "faults": list(found.faults),
                "head": found.head.hex(), "ok": found.ok, "rows": found.rows,
            }
        )  # fmt: skip
    else:
        for fault in found.faults:
            refused("E-UMPIRE-JOURNAL", fault)
        say(
            f"{plural(found.entries, 'entry', 'entries')}, {plural(found.rows, 'row')}, "
            f"{plural(found.blobs, 'archive')}: {'all of it holds' if found.ok else 'NOT as it should be'}.",
            style="good" if found.ok else "bad",
        )
        say(f"Head {found.head.hex()}")
    if not found.ok:
        ctx.exit(REFUSED)


@umpire_command.command(
    "backup",
    short_help="Write the whole desk into one file.",
    examples=("pbem umpire backup desk-2026-03-01.pbemdesk",),
)
@click.argument("file", metavar="FILE")
@json_option
def backup_command(file: str, as_json: bool) -> None:
    """Write the journal and the archives into one file, from which either kind of database can be made again.

    It holds the players' addresses. Your key and your games are in your home: pbem backup.
    """
    path = Path(file)
    if not path.parent.is_dir():
        raise click.UsageError(f"There is no folder {str(path.parent)!r}.")
    store = open_store()
    from pbem.umpire.deskbackup import backup

    count = backup(store, path)
    if as_json:
        say_json({"bytes": path.stat().st_size, "entries": count, "file": str(path)})
    else:
        say(f"{plural(count, 'entry', 'entries')} of the journal, and the archives: {clean(file)}")


@umpire_command.command(
    "restore",
    short_help="Make a database again from a backup.",
    examples=(
        "pbem umpire restore desk.pbemdesk",
        "pbem umpire --db postgresql://desk@db.example.org/cup restore desk.pbemdesk",
    ),
)
@click.argument("file", metavar="FILE")
@json_option
def restore_command(file: str, as_json: bool) -> None:
    """Make the tables again from a backup, in a new database of either kind. Every entry is held against its hash."""
    check_readable(file)
    store = open_store()
    from pbem.umpire.deskbackup import restore

    count = restore(store, Path(file), lambda done: note(f"{done:,} entries", style="dim"))
    if as_json:
        say_json({"entries": count})
    else:
        say(f"{plural(count, 'entry', 'entries')} brought back into {clean(store.name)}.")
