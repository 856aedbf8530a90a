"""`pbem list` and `status`: your games and how they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from pbem.cli.common import command, games_here, open_home
from pbem.cli.phrases import owed_line, say_owed, say_stuck, when
from pbem.cli.terminal import clean, say, say_table
from pbem.engine.counts import many
from pbem.home import orders, summary

if TYPE_CHECKING:
    from pbem.home import Home
    from pbem.home.summary import GameRow


class Listed(NamedTuple):
    """Your games and how they stand."""

    games: tuple[GameRow, ...]

    @property
    def failed(self) -> bool:
        return any(row.stuck for row in self.games)


NO_GAMES = "You have no games yet. To offer one: pbem games, then pbem new"


@command("list", short_help="List your games.", examples=("pbem list", "pbem list --json"))
def list_command() -> Listed:
    """List your games, one line each. The exit code is 1 if your program cannot continue one of them."""
    rows = summary.rows(open_home())
    say_table((row.name, row.game, row.scenario, stage_of(row), row.moment or place_of(row)) for row in rows)
    if not rows:
        say(NO_GAMES)
    say_stuck(rows)
    return Listed(tuple(rows))


def place_of(row: GameRow) -> str:
    """`Spring Cup, round 2, board 7`, of a game that has not begun."""
    place = row.tournament
    waits = place is not None and row.stage in ("offered", "invited", "waiting")
    return f"{place.title}, round {place.round}, board {place.board}" if place is not None and waits else ""


def stage_of(row: GameRow) -> str:
    if row.fault:
        return row.fault
    if row.stuck:
        return "STUCK: your program cannot continue"
    if row.restored and row.stage in ("offered", "invited", "waiting", "playing", "ending"):
        return "restored; it signs nothing until it has caught up"
    until = f", until {when(row.expires)}" if row.expires else ""
    return {
        "offered": "offered; waiting for answers",
        "invited": f"offered to you{until}: pbem join {row.name}",
        "expired": "expired",
        "waiting": "joined; waiting for the start",
        "playing": "YOUR MOVE" if row.my_move else "playing",
        "ending": f"over, not audited yet: {row.result}",
        "over": f"over: {row.result}",
        "out": f"replaced: {row.result}",
        "standin": row.result,
        "declined": "declined",
        "cancelled": "withdrawn",
    }[row.stage]


@command(
    "status",
    short_help="Show whose move it is, and what the games are waiting for.",
    examples=("pbem status", "pbem status bridgehead-7f3a", "pbem status --json"),
)
@click.argument("game", metavar="[GAME]", required=False, shell_complete=games_here)
def status_command(game: str | None) -> Listed:
    """Show how your games stand: whose move it is, for what and whom they are waiting, and since when.

    The exit code is 1 if your program cannot continue one of them.
    """
    home = open_home()
    rows = (summary.row(home, summary.find(home, game)),) if game else tuple(summary.rows(home))
    if game:
        _say_row(home, rows[0])
    else:
        _say_rows(rows)
    say_stuck(rows)
    return Listed(rows)


def _say_rows(rows: tuple[GameRow, ...]) -> None:
    """Each on a line; one's own move is in its state already."""
    others = ["; ".join(owed_line(owed) for owed in row.owed if not owed.mine) for row in rows]
    say_table(
        (row.name, row.moment or place_of(row), stage_of(row), owes) for row, owes in zip(rows, others, strict=True)
    )
    for row in rows:
        for text in filter(None, (row.proposed, row.notice if row.stage != "over" else "")):
            say(f"! {row.name}: {clean(text)}", style="wait")
    if not rows:
        say(NO_GAMES)


def _say_row(home: Home, row: GameRow) -> None:
    say_table(
        [
            (f"{row.name}:", f"{row.game}, {row.scenario}" + (f', "{row.title}"' if row.title else "")),
            *([("Part of:", place_of(row))] if place_of(row) else []),
            *([("Now:", row.moment)] if row.moment else []),
            ("State:", stage_of(row)),
            *_draft_line(home, row),
        ]
    )
    if row.restored:
        say("Brought back from a backup: nothing is signed here until the game has caught up.", style="wait")
    for text in filter(None, (row.proposed, row.notice)):
        say(f"! {clean(text)}", style="wait")
    say_owed(row.name, row.owed)


def _draft_line(home: Home, row: GameRow) -> list[tuple[str, str]]:
    """What is ordered and not sealed, and what is asked after it."""
    drafted = orders.move(home, row.name).drafted() if row.my_move else None
    if drafted is None or not drafted.lines:
        return []
    then = f"Then: {drafted.asks}" if drafted.asks else f"Seal it: pbem send {row.name}"
    return [("Draft:", f"{many(len(drafted.lines), 'line')}, not sealed. {then}")]
