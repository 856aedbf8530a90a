"""`pbem umpire publish` and `export`: publishes a tournament as web pages, with every archive verified and shown as a
replay.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pbem.cli.common import shown
from pbem.cli.run import refused
from pbem.cli.terminal import clean, note, say
from pbem.cli.umpiring.shared import open_umpire, tournament_argument, umpire_command
from pbem.engine.counts import many
from pbem.protocol.errors import with_code
from pbem.schema import Count

if TYPE_CHECKING:
    from pbem.cli.verdict import Verified
    from pbem.umpire.addresses import Hide
    from pbem.umpire.site.archived import Links, Shown
    from pbem.umpire.site.publish import Published
    from pbem.umpire.umpiredesk import UmpireDesk


_EVERY = 50


class Moment(click.ParamType[int]):
    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Seconds since 1970, or `2026-11-18T17:30`, of UTC."""
        if isinstance(value, int):
            return value
        if value.isascii() and value.isdigit() and len(value) <= 11:
            return int(value)
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a time. Write 2026-11-18T17:30, or seconds since 1970.", param, ctx)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
        return max(0, int(moment.timestamp()))


at_option = click.option(
    "--at",
    type=Moment(),
    metavar="TIME",
    help="Evaluate clocks at this time, such as 2026-11-18T17:30 in UTC (default: now).",
)


@umpire_command.command(
    "publish",
    short_help="Write a web site for everybody: standings, rounds, players, games, replays.",
    examples=(
        "pbem umpire publish site",
        "pbem umpire publish site --tournament cup",
        "pbem umpire publish site --at 2026-11-18T17:30 --json",
    ),
)
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--tournament", "-t", "names", multiple=True, metavar="NAME",
    help="Only this tournament, at the top of DIR (default: all, each in a folder with its name).",
)  # fmt: skip
@at_option
def publish_command(folder: Path, names: tuple[str, ...], at: int | None) -> PublishedShown:
    """Write a static site: pages without scripts, replay pages, and every table as CSV and JSON.

    It contains no addresses, and nothing that is still secret. Archives contain addresses: they are offered only if
    the tournament's terms say so (site.archives). Only changes are written; files in DIR that pbem did not write are
    never touched. Every archive is verified before anything from it is shown.
    """
    return report(run(open_umpire(), folder, names, at), folder)


@umpire_command.command(
    "export",
    short_help="Write all tables of a tournament as CSV and JSON.",
    examples=("pbem umpire export cup tables", "pbem umpire export cup tables --json"),
)
@tournament_argument
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@at_option
def export_command(tournament: str, folder: Path, at: int | None) -> PublishedShown:
    """Write standings, pairings, games, players, the ledger, ratings and dice into DIR/data, each with its schema.

    These are the tables of `pbem umpire publish`, without its pages.
    """
    return report(run(open_umpire(), folder, (tournament,), at, tables_only=True), folder)


def run(
    desk: UmpireDesk, folder: Path, names: tuple[str, ...], at: int | None, *, tables_only: bool = False
) -> Published:
    from pbem.umpire.site.publish import publish

    def tell(what: str, done: int, of: int) -> None:
        if done and done % _EVERY == 0:
            note(f"{done:,} of {of:,} {what}", style="dim")

    when = desk.clock() if at is None else at
    return publish(desk, folder, names, at=when, show=show, tables_only=tables_only, tell=tell)


class PublishedShown(NamedTuple):
    archives: Count
    """How many were published."""
    bytes: Count
    checked: Count
    """Archives that were verified now, and not earlier."""
    faults: tuple[str, ...]
    files: Count
    folder: Path
    games: Count
    kept: tuple[str, ...]
    """Files that are no longer part of the site and were changed by somebody: they were left alone."""
    removed: Count
    tournaments: tuple[str, ...]
    written: Count

    @property
    def failed(self) -> bool:
        return bool(self.faults)


def report(done: Published, folder: Path) -> PublishedShown:
    """Says what was written."""
    for fault in done.faults:
        refused("E-UMPIRE-SITE", fault)
    for path in done.written.kept:
        note(f"{clean(path)} is no longer part of the site, but somebody changed it: it was left there.")
    if done.archives:
        note(f"{many(done.archives, 'archive')} published: they hold the players' cards with their addresses.")
    wrote = done.written
    say(
        f"{many(wrote.files, 'file')}, {wrote.bytes:,} bytes; {wrote.written} written, {wrote.removed} removed, "
        f"{many(done.checked, 'archive')} verified."
    )
    index = folder / "index.html"
    say(f"Look at it: {clean(str(index if index.is_file() else folder / 'data'))}")
    return shown(PublishedShown, done, folder=folder, **{name: getattr(wrote, name) for name in wrote.__slots__})


def show(raw: bytes, hide: Hide, links: Links = ()) -> Shown:
    """As everybody may know it. Nothing is drawn of what does not check."""
    from pbem.cli.replaying import Playback, facts_of, telling
    from pbem.cli.verifying import ArchiveFile, judge_items
    from pbem.home.archives import owners, read_throws
    from pbem.pictures.replayhtml import replay_page
    from pbem.pictures.replaysteps import steps
    from pbem.protocol.record import UMPIRE
    from pbem.umpire.site.archived import Dice, Ruling, Told

    archive = ArchiveFile("archive", held=raw)
    verdict: Verified = hide.all(judge_items(archive))
    if not verdict.is_game:
        return _counted(verdict)
    playback = Playback(archive)
    tell = telling(playback, archive)
    made = list(steps(playback.replay, told=lambda record: [hide(line) for line in tell(record)]))
    genesis, draws = read_throws(archive)
    return _counted(
        verdict,
        rulings=tuple(
            Ruling(each.what, tuple(who.by for who in each.players), each.why, each.holds) for each in verdict.changes
        ),
        draws=tuple(
            Dice(
                each.drawn.label,
                each.drawn.sides,
                each.drawn.results,
                of[0] if len(of) == 1 and of[0] < UMPIRE else None,
            )
            for each in draws
            for of in (owners(genesis, each),)
        ),
        steps=len(made),
        page=replay_page(made, facts_of(playback, verdict, ())._replace(links=tuple(links)), "auto"),
        told=tuple(Told(each.part, each.lines) for each in made if each.lines),
    )


def _counted(verdict: Verified, **more: Any) -> Shown:
    from pbem.umpire.site.archived import Shown

    fault = verdict.fault
    return Shown(
        ok=verdict.is_game,
        whole=verdict.audited,
        fault="" if fault is None else with_code(fault.sentence, fault.code, fault.step),
        state=(verdict.state or b"").hex(),
        records=verdict.records,
        orders=verdict.orders,
        dice=verdict.dice,
        cards=verdict.cards,
        **more,
    )
