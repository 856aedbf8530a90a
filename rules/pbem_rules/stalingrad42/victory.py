"""S42-24, S42-S1.3, S42-S3.5: victory points of the Axis, and who has won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pbem.game import Result
from pbem_rules.stalingrad42.chart import (
    AXIS,
    EDGES,
    GERMAN,
    MAJOR_CITY,
    MINOR_CITY,
    RECKONING,
    REMNANT,
    SIDES,
    SOVIET,
    STALINGRAD,
)
from pbem_rules.stalingrad42.state import State
from pbem_rules.stalingrad42.supply.lines import baku_joined, joined_by_land, lines

BAKU_POINTS, DIVISIONS = 3, 5  # S42-24.1.2a
WEST = ("x", "y", "z")  # S42-24.1.4a


class Points(NamedTuple):
    by: int
    rule: str
    why: str


def points(s: State, *, final: bool = False) -> Iterator[Points]:
    """S42-24.1.1, S42-S1.3: what the Axis has; for units that have left the map only at the end of the game."""
    yield from _towns(s)
    chart, board = s.chart, s.chart.board
    south = chart.map.regions["south_of_don"].mask
    if s.ground.where(AXIS, lambda unit: s.fights(unit) and chart.nation(unit) == "german") & south:
        yield Points(chart.victory["south_of_don"], "S42-S1.3e", "Germans south of the Don")
    if final:
        yield from _left(s)
    if s.baku and enough_for_baku(s, s.at_baku()) and baku_joined(s):  # S42-24.1.2c
        yield Points(BAKU_POINTS, "S42-24.1.2", "divisions on the way to Baku")
    soviets = s.fighters(SOVIET)
    for key in chart.friendly(AXIS):
        entry = chart.map.entries[key]
        if key in WEST and soviets & board.mask(entry.places):
            yield Points(chart.victory["area"], "S42-24.1.4a", f"Soviets at {entry.name}")
    for place in board.in_mask(soviets & chart.map.regions["west"].mask):
        if board[place].terrain in (MAJOR_CITY, MINOR_CITY):
            yield Points(chart.victory[board[place].terrain], "S42-24.1.4", f"Soviets in {board[place].name}")


def divisions(s: State, units: Iterable[int]) -> tuple[int, bool]:
    """S42-24.1.2b: of units of the Axis how many half divisions they are, and whether one has tanks.

    A whole German division counts two, one that is reduced and a whole one of an ally one; Remnants count nothing.
    """
    halves, panzer = 0, False
    for unit in units:
        whole = s.pieces[unit].steps == s.whole(unit)
        german = s.chart.nation(unit) == GERMAN
        if s.has(unit, "division") and REMNANT not in s.face(unit).traits and (whole or german):
            halves += whole + german
            panzer |= s.has(unit, "tank")
    return halves, panzer


def enough_for_baku(s: State, units: Iterable[int]) -> bool:
    """S42-24.1.2a: five divisions, one of them with tanks."""
    halves, panzer = divisions(s, units)
    return panzer and halves >= 2 * DIVISIONS


def _towns(s: State) -> Iterator[Points]:
    """S42-24.1.1b, S42-S1.3c: hexes held that a line reaches, and those of the Soviets that none of theirs reaches."""
    bit, ours, theirs = s.chart.board.bit, lines(s, AXIS).reached, joined_by_land(s, SOVIET)
    for place, worth in s.chart.prizes.items():
        name = str(s.chart.board[place])
        if s.holders[place] == AXIS:
            if bit[place] & ours:
                yield Points(worth, "S42-24.1.1", name)
        elif s.chart.victory["isolated"] and not bit[place] & theirs:
            yield Points(worth, "S42-S1.3c", f"{name}, isolated")


def _left(s: State) -> Iterator[Points]:
    """S42-S1.3d: vehicles enough have left by an edge, and a line leads to an Area that they have left by."""
    chart, reached = s.chart, lines(s, AXIS).reached
    for edge, keys in EDGES.items():
        used = [key for key in keys if s.exits.get(key)]
        joined = any(chart.board.mask(chart.map.entries[key].places) & reached for key in used)
        if joined and sum(s.exits[key] for key in used) >= chart.victory["edge_steps"]:
            yield Points(chart.victory["edge"], "S42-S1.3d", f"vehicles have left by the {edge} edge")


def total(s: State, *, final: bool = False) -> int:
    return sum(each.by for each in points(s, final=final))


def winner(s: State) -> str:
    """S42-24.2, S42-S1.3a, S42-S3.5: who has won at the end of a turn; empty: the game goes on.

    In Fall Blau the points that the Axis needs win at once, and so do six more than the benchmark, six fewer for the
    Soviets. Elsewhere the last turn decides, in the campaign so do six points more or fewer; there Mount Elbrus is a
    point more for that, but on the last turn (S42-24.3).
    """
    victory, last = s.chart.victory, s.turn == s.chart.track.last.number
    score = total(s, final=last)
    benchmark = s.chart.track.value(s.turn, "benchmark") - s.elbrus
    ahead = victory["automatic"] and score >= benchmark + victory["automatic"]
    if ahead or (score >= victory["win"] and (last or victory["at_once"])):
        return AXIS
    behind = victory["automatic"] and score <= benchmark - victory["automatic"]
    return SOVIET if last or behind else ""


def stalingrad_lost(s: State) -> bool:
    """S42-S3.5a: at the start of one of its turns the Axis must hold a hex of Stalingrad."""
    if STALINGRAD not in s.chart.track[s.turn].marks:
        return False
    return all(s.holders[place] == SOVIET for place in s.chart.map.regions[STALINGRAD].places)


def falls_short(s: State) -> bool:
    """S42-S4.4b: in one turn the Axis must have as many points as the benchmark when its own turn is over."""
    turn = s.chart.track[s.turn]
    return RECKONING in turn.marks and total(s) < turn.values["benchmark"]


def forfeit(s: State, seats: tuple[str, ...]) -> Result:
    left = set(SIDES) - set(seats)
    return Result(next(iter(left)) if len(left) == 1 else None, "forfeit", ((AXIS, total(s)),))
