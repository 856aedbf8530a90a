"""`pbem umpire moves`, `anomalies`, `journal`, `check`, `audit`, `case`, `backup`, `restore`: what happened, proved."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pbem.cli.common import check_readable, open_home, processors, shown, write_output
from pbem.cli.phrases import when
from pbem.cli.run import refused
from pbem.cli.terminal import clean, note, say, size_of
from pbem.cli.umpiring.directing import names_of
from pbem.cli.umpiring.entering import span
from pbem.cli.umpiring.running import sentences
from pbem.cli.umpiring.shared import (
    open_store,
    open_umpire,
    show_rows,
    tournament_argument,
    umpire_command,
)
from pbem.engine.counts import many
from pbem.schema import Count, Hash

if TYPE_CHECKING:
    from pbem.umpire.auditing import Judged
    from pbem.umpire.db.deskrows import AuditRow
    from pbem.umpire.umpiredesk import UmpireDesk


class MoveShown(NamedTuple):
    answered_at: Count
    asked_at: Count
    charged: Count
    """Seconds, without days off."""
    entrant: Count
    name: str
    number: Count
    pairing: str
    record: Hash
    signed_at: Count
    what: str


class MovesShown(NamedTuple):
    moves: tuple[MoveShown, ...]


class AnomalyShown(NamedTuple):
    """`entrant` 0: nobody in particular. `weight`: 1, worth knowing, to 5, proof of a fault."""

    at: Count
    entrant: Count
    kind: str
    name: str
    pairing: str
    text: str
    weight: Count


class AnomaliesShown(NamedTuple):
    anomalies: tuple[AnomalyShown, ...]


class EntryShown(NamedTuple):
    """An entry of the journal, in words."""

    actor: str
    at: Count
    hash: Hash
    kind: str
    previous: Hash
    seq: Count
    text: str


class JournalShown(NamedTuple):
    entries: tuple[EntryShown, ...]


class CheckShown(NamedTuple):
    """`head`: the hash of the journal's last entry; `rows`: those that follow from the journal."""

    archives: Count
    entries: Count
    faults: tuple[str, ...]
    head: Hash
    ok: bool
    rows: Count

    @property
    def failed(self) -> bool:
        return not self.ok


class DeskBackup(NamedTuple):
    bytes: Count
    entries: Count
    file: Path


class DeskRestored(NamedTuple):
    entries: Count


class AuditShown(NamedTuple):
    at: Count
    game: str
    ok: bool
    pbem: str
    """The version that verified it."""
    records: Count
    sha256: Hash
    tournament: str
    why: str


class AuditsShown(NamedTuple):
    archives: Count
    """Number of archives."""
    audits: tuple[AuditShown, ...]
    done: Count
    """How many were audited now."""
    failed: Count
    ok: bool

    @property
    def rows(self) -> tuple[AuditShown, ...]:
        return self.audits


class GatheredCase(NamedTuple):
    bytes: Count
    case: Hash
    game: Hash | None
    label: str
    path: str
    records: Count


_game_option = click.option("--game", "pairing", metavar="GAME", help="Only this game.")


@umpire_command.command(
    "moves",
    short_help="Show the ledger of response times.",
    examples=("pbem umpire moves cup", "pbem umpire moves cup --game 2.14", "pbem umpire moves cup --csv > moves.csv"),
    rows=True,
)
@tournament_argument
@_game_option
def moves_command(tournament: str, pairing: str | None) -> MovesShown:
    """Show when each player was asked and answered, and the time on the player's clock, without days off.

    The times are those at which the records came to you; `signed` is what the player's program says.
    """
    desk = open_umpire()
    rows, labels, names = desk.moves(tournament, pairing), desk.names()[1], names_of(desk, tournament)
    show_rows(
        ("game", "move", "name", "what", "asked", "answered", "signed", "charged"),
        [
            (
                labels[row.pairing][1], row.number, clean(names[row.entrant]), row.what, when(row.asked_at),
                when(row.answered_at), when(row.signed_at), span(row.charged),
            )
            for row in rows
        ],
        empty="Nobody has answered anything yet.",
    )  # fmt: skip
    return MovesShown(
        tuple(shown(MoveShown, row, name=names[row.entrant], pairing=labels[row.pairing][1]) for row in rows)
    )


@umpire_command.command(
    "anomalies",
    short_help="List anomalies: withheld reveals, forks, odd timing.",
    examples=("pbem umpire anomalies cup", "pbem umpire anomalies cup --json"),
    rows=True,
)
@tournament_argument
@_game_option
def anomalies_command(tournament: str, pairing: str | None) -> AnomaliesShown:
    """List what you should look at. Each has a weight, from 1 (worth knowing) to 5 (proof of a fault)."""
    desk = open_umpire()
    rows, labels, names = desk.anomalies(tournament, pairing), desk.names()[1], names_of(desk, tournament)
    rows = sorted(rows, key=lambda row: (-row.weight, row.at))
    show_rows(
        ("weight", "kind", "game", "name", "what"),
        [
            (row.weight, row.kind, labels[row.pairing][1], clean(names.get(row.entrant, "")), clean(row.text))
            for row in rows
        ],
        empty="No anomalies.",
    )
    return AnomaliesShown(
        tuple(shown(AnomalyShown, row, name=names.get(row.entrant, ""), pairing=labels[row.pairing][1]) for row in rows)
    )


@umpire_command.command(
    "journal",
    short_help="Show every change, and who made it.",
    examples=("pbem umpire journal", "pbem umpire journal --last 20", "pbem umpire journal --json"),
    rows=True,
)
@click.option("--last", type=click.IntRange(1), help="Only the last N entries.")
def journal_command(last: int | None) -> JournalShown:
    """Show the journal: one entry for every change, chained by hashes. It shows no addresses."""
    desk = open_umpire()
    entries = desk.journal(last)
    texts = sentences(desk, entries)
    rows: list[tuple[Any, ...]] = [
        (
            each.seq,
            when(each.at),
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
        empty="The journal is empty.",
    )  # fmt: skip
    return JournalShown(tuple(shown(EntryShown, each, text=text) for each, text in zip(entries, texts, strict=True)))


@umpire_command.command(
    "check",
    short_help="Check the journal, the tables and the archives.",
    examples=("pbem umpire check", "pbem umpire check --json"),
)
def check_command() -> CheckShown:
    """Check the chain of the journal, make all tables again from it and compare, and check the archives' digests.

    Publish the head or write it down: anyone who knows it will notice if an earlier entry is changed.
    """
    found = shown(CheckShown, open_umpire().check())
    for fault in found.faults:
        refused("E-UMPIRE-JOURNAL", fault)
    say(
        f"{many(found.entries, 'entry', 'entries')}, {many(found.rows, 'row')}, "
        f"{many(found.archives, 'archive')}: {'everything is in order' if found.ok else 'NOT in order'}.",
        style="good" if found.ok else "bad",
    )
    say(f"Head {found.head.hex()}")
    return found


@umpire_command.command(
    "backup",
    short_help="Write the whole desk into one file.",
    examples=("pbem umpire backup desk-2026-03-01.pbemdesk",),
)
@click.argument("file", metavar="FILE")
def backup_command(file: str) -> DeskBackup:
    """Write the journal and the archives into one file, from which a database (SQLite or PostgreSQL) can be made again.

    It holds the players' addresses. Your key and your games are in your home: pbem backup.
    """
    path = Path(file)
    if not path.parent.is_dir():
        raise click.UsageError(f"There is no folder {str(path.parent)!r}.")
    store = open_store()
    from pbem.umpire.db.database import backup

    count = backup(store, path)
    say(f"{many(count, 'entry', 'entries')} of the journal, and the archives: {clean(file)}")
    return DeskBackup(path.stat().st_size, count, path)


@umpire_command.command(
    "restore",
    short_help="Make a database again from a backup.",
    examples=(
        "pbem umpire restore desk.pbemdesk",
        "pbem umpire --db postgresql://desk@db.example.org/cup restore desk.pbemdesk",
    ),
)
@click.argument("file", metavar="FILE")
def restore_command(file: str) -> DeskRestored:
    """Make the tables again from a backup, in a new database. Every entry is checked against its hash."""
    check_readable(file)
    store = open_store()
    from pbem.umpire.db.database import restore

    count = restore(store, Path(file), lambda done: note(f"{done:,} entries", style="dim"))
    say(f"{many(count, 'entry', 'entries')} brought back into {clean(store.name)}.")
    return DeskRestored(count)


_PARTS = 20
"""Lines of progress where standard error is not a terminal."""


@umpire_command.command(
    "audit",
    short_help="Verify all archives that the desk keeps, with many processes or a Dask cluster.",
    examples=(
        "pbem umpire audit",
        "pbem umpire audit cup --jobs 8",
        "pbem umpire audit --cluster tcp://10.0.0.5:8786",
        "pbem umpire audit cup --list --csv",
    ),
    rows=True,
)
@click.argument("tournament", metavar="[TOURNAMENT]", required=False)
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Processes (default: one for each processor).")
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers have pbem and the rules.")
@click.option("--again", is_flag=True, help="Also those that this version of pbem has verified before.")
@click.option("--list", "only_list", is_flag=True, help="Only show the verdicts that are kept.")
def audit_command(
    tournament: str | None,
    jobs: int | None,
    cluster: str | None,
    again: bool,
    only_list: bool,
) -> AuditsShown:
    """Replay every finished game from its archive: signatures, dice, cards, rules, and the audit of the secrets.

    You may stop it at any time; the next run continues with what is left. With --cluster, use a cluster that only you
    can reach, since Dask runs whatever it is sent.
    """
    if jobs is not None and cluster is not None:
        raise click.UsageError("Use --jobs or --cluster, not both: the cluster decides how many workers it has.")
    desk = open_umpire()
    from pbem.umpire import auditing

    todo, count = desk.archives_to_audit(tournament, again=again)
    done = 0
    if not only_list and todo:
        judged = (
            auditing.by_cluster(todo, desk.archive, cluster)
            if cluster
            else auditing.by_processes(todo, desk.archive, jobs or processors())
        )
        for _ in _progress(desk.keep_verdicts(judged), len(todo)):
            done += 1
    rows = desk.audits(tournament)
    good = all(row.ok for row in rows)
    found = AuditsShown(count, tuple(_shown(desk, rows)), done, sum(not row.ok for row in rows), good)
    if only_list:
        show_rows(
            ("tournament", "game", "verdict", "records", "pbem", "sha256", "why"),
            [
                (
                    each.tournament, each.game, "verified" if each.ok else "NOT VERIFIED", each.records, each.pbem,
                    each.sha256.hex()[:12], clean(each.why),
                )
                for each in found.audits
            ],
            empty="No archive has been audited yet.",
        )  # fmt: skip
        return found
    for each in found.audits:
        if not each.ok:
            say(f"{each.tournament} {each.game}: NOT VERIFIED. {clean(each.why)}", style="bad")
    before = f" ({many(count - done, 'archive')} before)" if done and count > done else ""
    say(
        f"{many(done, 'archive')} audited{before}; {len(rows) - found.failed} of {count} verified.",
        style="good" if good else "bad",
    )
    return found


def _shown(desk: UmpireDesk, rows: Sequence[AuditRow]) -> Iterator[AuditShown]:
    from pbem.protocol.plain import load
    from pbem.umpire.auditing import Audited

    labels = desk.names()[1]
    names = {row.id: row.name for row in desk.tournaments()}
    for row in rows:
        of, game = labels[row.pairing]
        found = load(Audited, dict(row.verdict))
        said = "" if row.ok else found.why
        yield AuditShown(row.at, game, row.ok, found.pbem, found.records, row.sha256, names[of], said)


def _progress(found: Iterator[Judged], count: int) -> Iterator[Judged]:
    if sys.stderr.isatty():
        with click.progressbar(found, length=count, label="Archives", file=sys.stderr, show_pos=True) as bar:
            yield from bar
        return
    step = max(1, count // _PARTS)
    for number, each in enumerate(found, 1):
        if number % step == 0:
            note(f"{number:,} of {count:,} archives", style="dim")
        yield each


@umpire_command.command(
    "case",
    short_help="Gather the evidence of a game in one file, signed.",
    examples=("pbem umpire case cup 2.14", "pbem umpire case cup 2.14 -o silva-kern.pbem"),
)
@tournament_argument
@click.argument("game", metavar="GAME")
@click.option(
    "-o", "--output", metavar="FILE", help="Where to write (default: case-GAME.pbem here); - for standard output."
)
def case_command(tournament: str, game: str, output: str | None) -> GatheredCase:
    """Write everything that you have about a game into one file: records, proofs of forks, and, signed with your key,
    who answered when, clocks, rulings, result, anomalies, and the entries of the journal about it.

    Anyone who has the file can check and read it with `pbem verify FILE`. The game may be running, or stuck. Messages
    between the players are not in it; their cards are, with their addresses, which are part of what they signed.
    """
    home = open_home()
    desk = open_umpire(home)
    from pbem.umpire.casemaking import gather

    found = gather(desk, home, tournament, game)
    said = found.case.said
    label = desk.pairing(tournament, game).label
    target = output or f"case-{label}.pbem"
    size = write_output(target, found.parts())
    records = sum(item.type.name == "RECORD" for item in found.items)
    say(
        f"Case of game {label}: {clean(target)} ({size_of(size)}, {many(records, 'record')}). "
        f"Send it to both players; they check it with: pbem verify {clean(target)}"
    )
    return GatheredCase(size, found.case.id, said.game, label, target, records)
