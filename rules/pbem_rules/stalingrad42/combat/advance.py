"""S42-14: how far the victors of a combat may go on, and where."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import pairwise

from pbem.kit import AREA, SUPPLIED, Terms, pursuits
from pbem_rules.stalingrad42.chart import FOOT as FOOT_PACE
from pbem_rules.stalingrad42.chart import MECH, MOUNTAIN, SNOW
from pbem_rules.stalingrad42.movement.marching import closed_areas, crossings, merged, owned_areas, veiled
from pbem_rules.stalingrad42.movement.terrain import fords, paces, pontoons
from pbem_rules.stalingrad42.state import ROUTED, State, other

VEHICLES, CAVALRY, FOOT = 4, 3, 2  # S42-14.2.2
CUT_OFF = 2  # S42-16.4c
WALKS = 3  # S42-14.2.2: the movement of the headquarters that advance as infantry does
Way = tuple[int, ...]  # without its start


def may_advance(s: State, unit: int) -> bool:
    """S42-14.1c, S42-21.4b: nobody on a train, in Full Retreat, renewed or frozen; Disrupted units may."""
    piece = s.pieces[unit]
    return s.on_map(unit) and not piece.train and piece.order != ROUTED and not (unit in s.frozen or unit in s.renewed)


def hexes(s: State, unit: int, printed: int) -> int:
    """S42-14.2: of the hexes that a result gives those for this unit.

    In the wet it gives half, rounded up, in snow one less, but one at least (S42-23.2.3d, S42-23.2.4c).
    """
    slow = s.face(unit).move <= WALKS  # S42-20.1.3b
    rate = VEHICLES if s.has(unit, MECH) and not slow else CAVALRY if s.has(unit, "cavalry") else FOOT
    if s.pieces[unit].supply != SUPPLIED:
        rate = min(rate, CUT_OFF)
    if s.weather == SNOW and printed > 1:
        printed -= 1
    return min(rate, (printed + 1) // 2 if s.wet else printed)


def ways(
    s: State, unit: int, emptied: int | None, budget: int, *, limited: bool = False, attacked: bool = True
) -> Iterator[Way]:
    """S42-14.3 to S42-14.5: every way of so many hexes at most, in any direction.

    A zone ends it, friends there or not, but not in the emptied hex: that alone may be entered across a bond, and over
    a major river without a bridge. `limited`: into the emptied hex, and no further (S42-14.2.3).
    `attacked`: else the unit crosses no major river (S42-14.5b). `emptied`: None for reserves without a combat.
    """
    chart, board, side, start = s.chart, s.chart.board, s.side(unit), s.at(unit)
    enemy = other(side)
    hole = () if emptied is None else (emptied,)
    its = board.mask(hole) & ~s.fighters(enemy)  # after an automatic DS others may have come there
    wall = s.barrier(enemy, moving=True)
    over = fords(chart, FOOT_PACE)
    terms = Terms(
        min(budget, 1) if limited else budget,
        (s.fighters(enemy) | veiled(s, side) | wall.hexes | closed_areas(s, side)) & ~its,
        stops=(s.zone(enemy) | owned_areas(s, side)) & ~its,
        closed=frozenset(step for step in wall.sides if step[1] != emptied),
        extra=merged(pontoons(over, s.fighters(side)), crossings(s, side, FOOT_PACE, climbs=s.has(unit, "mountain"))),
        sally=tuple(step for step in over.get(start, ()) if attacked and step[0] == emptied),
    )
    straight = limited or board[start].kind == AREA  # S42-22.7c: out of an Area into the emptied hex
    first = hole if straight else dict.fromkeys((*hole, *board.near[start]))
    for way in pursuits(paces(chart), board.bit, start, first, terms):
        steps = tuple(pairwise((start, *way)))
        steep = (step for step in steps if board[step[1]].terrain == MOUNTAIN and not s.chart.road(*step))
        if not any(bogs_down(s, a, b) for a, b in steps[:-1]) and not (s.has(unit, MECH) and any(steep)):  # S42-14.5d
            yield way


def bogs_down(s: State, a: int, b: int) -> bool:
    """S42-14.5c: marsh ends an advance, unless a road leads in."""
    return s.chart.ground_of(b, s.rained).stops and not s.chart.road(a, b)


def open_ways(
    s: State, unit: int, emptied: int | None, budget: int, *, limited: bool = False, attacked: bool = True
) -> Iterator[Way]:
    """As `ways`, where there is room (S42-4.4a); those of supply points lead to no enemy supplies (S42-18.6.3)."""
    side, fights = s.side(unit), s.fights(unit)
    enemies = s.ground.occupied[other(side)]
    for way in ways(s, unit, emptied, budget, limited=limited, attacked=attacked):
        if not s.overfull(way[-1], side, (unit,)) and (fights or not enemies & s.chart.board.mask(way)):
            yield way


def as_far(way: Way, good: Container[Way]) -> Way:
    """As much of a way as is open."""
    return next((way[:far] for far in range(len(way), 0, -1) if way[:far] in good), ())
