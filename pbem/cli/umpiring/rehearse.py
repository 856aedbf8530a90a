"""`pbem umpire demo`: from an empty folder to the end of a small tournament of bots."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pbem.cli.common import new_folder, shown
from pbem.cli.terminal import clean, say, say_table
from pbem.cli.umpiring.directing import pairing_cells
from pbem.cli.umpiring.records import CheckShown
from pbem.cli.umpiring.shared import StandingShown, figure, standing_shown, umpire_command, want_extra
from pbem.cli.umpiring.website import run as publish
from pbem.engine.counts import many
from pbem.protocol.errors import with_code
from pbem.schema import Count

if TYPE_CHECKING:
    from pbem.umpire.rehearsal import Rehearsal

NAMES = ("Alice Kern", "Bob Silva", "Carla Diaz", "Dan Ek", "Eve Fox", "Finn Gray", "Gina Holm", "Hugo Ilic")
TERMS = """v = 1
title = "A demonstration"
name = "demo"
game = "bridgehead"
mode = "umpire"
format = "swiss"
rounds = {rounds}

[clock]
move = "3d"
bank = "10d"
days_off = ["sun"]
"""
MOST_PASSES = 50


class TournamentDemo(NamedTuple):
    """`ok`: it was played to the end, and everything verifies."""

    archives: Count
    check: CheckShown
    folder: Path
    games: Count
    ok: bool
    players: Count
    rounds: Count
    seed: Count
    site: Path
    standings: tuple[StandingShown, ...]

    @property
    def failed(self) -> bool:
        return not self.ok


def run(place: Path, seed: int, players: int, rounds: int, tell: Callable[..., None]) -> TournamentDemo:
    """The whole demonstration; what it showed, as `--json` prints it."""
    from pbem.umpire.entrants import read_entrants
    from pbem.umpire.rehearsal import Rehearsal
    from pbem.umpire.terms import parse

    tell("1. An umpire and some bots, each with a home; their cards in a folder", style="bold")
    hall = Rehearsal(place, NAMES[:players], seed=seed)
    cards = hall.cards()
    tell("2. The terms of a tournament, and the tournament", style="bold")
    terms = TERMS.format(rounds=rounds)
    (place / "demo.toml").write_text(terms, encoding="utf-8")
    desk = hall.desk
    name = desk.create(parse(terms.encode()), hall.umpire.people.me().card, read_entrants(cards)).name
    tell(f"  pbem umpire new demo.toml --cards cards: {many(players, 'entrant')}")
    for number in range(1, rounds + 1):
        tell(f"{number + 2}. Round {number}: paired, offered, played, decided", style="bold")
        desk.pair(name)
        desk.offer(name)
        _round(hall, name)
        names = {each.number: each.name for each in desk.entrants(name)}
        for each in desk.rounds(name)[-1].pairings:
            tell("  " + "  ".join(clean(cell) for cell in pairing_cells(each, names)))
    hall.keep()
    tell(f"{rounds + 3}. All of it as a site", style="bold")
    published = publish(desk, place / "site", (name,), hall.clock.now)
    tell(f"  pbem umpire publish site --tournament demo: {many(published.written.files, 'file')}")
    found = desk.check()
    row = desk.tournament(name)
    standings = tuple(standing_shown(each, row.terms.standings) for each in desk.standings(name))
    with hall.store.reading() as db:
        from pbem.umpire.db.deskrows import ArchiveRow, of_games

        archives = of_games(db, ArchiveRow, row.id)
    games = sum(each.second is not None for each_round in desk.rounds(name) for each in each_round.pairings)
    whole = len(archives) == games and all(each.whole for each in archives)
    ok = found.ok and row.state == "over" and whole and not published.faults
    return TournamentDemo(
        len(archives), shown(CheckShown, found), place, games, ok, players, rounds,
        seed, place / "site" / "index.html", standings,
    )  # fmt: skip


def _round(hall: Rehearsal, name: str) -> None:
    """The keeper and the players in turn, until all games of the round are decided."""
    for _ in range(MOST_PASSES):
        report = hall.keep()
        if report.faults:
            raise RuntimeError(with_code(report.faults[0].sentence, report.faults[0].code))
        if all(each.state == "decided" for each in hall.desk.rounds(name)[-1].pairings):
            return
        hall.settle()
    raise RuntimeError("the round does not end")


@umpire_command.command(
    "demo",
    short_help="Watch a small tournament of bots, from an empty folder to its end.",
    examples=("pbem umpire demo", "pbem umpire demo --players 6 --rounds 3 --seed 7", "pbem umpire demo --dir ./cup"),
)
@click.option("--players", type=click.IntRange(2, len(NAMES)), default=4, show_default=True, help="How many bots.")
@click.option("--rounds", type=click.IntRange(1, 7), default=2, show_default=True, help="How many rounds.")
@click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="The same seed, the same tournament."
)
@click.option("--dir", "folder", metavar="D", help="The folder for all of it, new or empty (default: a temporary one).")
def demo_command(players: int, rounds: int, seed: int, folder: str | None) -> TournamentDemo:
    """Watch bots play a Swiss tournament of Bridgehead. Each bot, and the umpire, has a home of its own; files are
    carried by hand. At the end the tournament is published as a site.

    Afterwards look around with PBEM_HOME set to the umpire's home: pbem umpire standings demo, rounds, moves, journal.
    """
    want_extra()
    place = new_folder(folder, "pbem-umpire-")
    started = time.monotonic()
    report = run(place, seed, players, rounds, say)
    _finish(report, place, time.monotonic() - started)
    return report


def _finish(report: TournamentDemo, place: Path, seconds: float) -> None:
    order = list(report.standings[0].figures)
    say("The end", style="bold")
    say_table(
        [
            ("place", "name", *order),
            *((str(row.place), row.name, *(figure(row.figures[key]) for key in order)) for row in report.standings),
        ],
        indent="  ",
    )
    checked = report.check
    say(
        f"{many(report.games, 'game')}, {many(report.archives, 'verified archive')}; "
        f"{checked.entries} entries of the journal, {'all of which are correct' if checked.ok else 'NOT in order'}. "
        f"{seconds:.0f} seconds.",
        style="good" if report.ok else "bad",
    )
    say(f"The site: {clean(str(report.site))}")
    say(f"Look around: PBEM_HOME={clean(str(place / 'una'))} pbem umpire standings demo")
