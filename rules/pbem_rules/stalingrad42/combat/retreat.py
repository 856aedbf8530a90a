"""S42-12: where a unit may retreat to, and what that costs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pbem.kit import Bounds, Rank, WayBack, best, ends_in, first_possible
from pbem_rules.stalingrad42.movement.marching import closed_areas, owned_areas, veiled
from pbem_rules.stalingrad42.movement.terrain import Link, fords, paces, pontoons
from pbem_rules.stalingrad42.state import State, other
from pbem_rules.stalingrad42.supply.lines import lines

MOST_SHORTENED = 3  # S42-12.1.3c
FAR = 99  # how far away an Entry Area is: a retreat into it is long enough (S42-12.2g)


class Routes(NamedTuple):
    """Where a unit may go. Without ways it is eliminated."""

    steps: int  # that it loses to go a shorter way (S42-12.1.3c)
    ways: tuple[WayBack, ...]  # those that the priorities leave


def steadfast(s: State, side: str) -> int:
    """S42-12.2i: the mask of the hexes with combat units of the side that have not retreated in this phase."""
    return s.ground.where(side, lambda unit: s.fights(unit) and unit not in s.fled)


def routes(s: State, unit: int, length: int) -> Routes:
    """S42-12.1.3: the best ways of a unit: of its full length, as far away as they lead, into supply.

    Units in its own hex, which may retreat with it, cover no way: none leads back.
    """
    chart, side, start = s.chart, s.side(unit), s.at(unit)
    friends = steadfast(s, side)
    tries = list(_tries(s, side, length, friends, s.spare(unit)))

    def apart(a: int, b: int) -> int:
        grid = chart.board.grid
        assert grid is not None
        return grid.distance(a, b) if b in grid else FAR

    number, found = first_possible(_links(s, side), chart.board.bit, apart, start, [bounds for _, bounds in tries])
    if not found:
        return Routes(0, ())
    goal = tries[number][1].length
    ranks = (
        Rank("S42-12.1.3b", "leads farther away", lambda way: goal - min(way.distance, goal)),
        ends_in("S42-12.1.3e", "ends in supply", chart.board.bit, lines(s, side).reached | owned_areas(s, side)),
    )
    return Routes(tries[number][0], best(found, ranks))


def _tries(s: State, side: str, length: int, friends: int, spare: int) -> Iterator[tuple[int, Bounds]]:
    """S42-12.2: the whole length; a hex more to end out of a zone; shorter ways to friends, each hex for a step."""
    enemy = other(side)
    wall = s.barrier(enemy, moving=True)
    zone = s.zone(enemy) & ~friends
    bounds = Bounds(
        length,
        s.fighters(enemy) | veiled(s, side) | wall.hexes | closed_areas(s, side),
        closed=wall.sides,
        zone=zone,
        zones=1,
        no_end=zone,
        havens=owned_areas(s, side),
    )
    yield 0, bounds
    yield 0, bounds._replace(more=1)  # S42-12.2d
    for lost in range(1, min(MOST_SHORTENED, length - 1, spare) + 1):
        yield lost, bounds._replace(length=length - lost, no_end=~friends, havens=0)


def _links(s: State, side: str) -> Mapping[int, tuple[Link, ...]]:
    """S42-12.2e, S42-12.2h: wherever a unit could go, over rivers by bridges and pontoons alone."""
    chart = s.chart
    links = paces(chart)
    over = pontoons(fords(chart, "foot"), s.fighters(side))
    return {**links, **{place: links[place] + steps for place, steps in over.items()}} if over else links
