"""S42-5.1 to S42-7.2: how far units get by each way of moving on the ground, and what holds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbem.kit import NO_LINKS, Links, Terms, slowest
from pbem_rules.stalingrad42.chart import AXIS, HALVES, MAJOR_RIVER, MECH, SLOW, SUPPLY
from pbem_rules.stalingrad42.movement.terrain import fords, links, paces, pontoons
from pbem_rules.stalingrad42.state import DISRUPTED, GOOD, ROUTED, SUPPLIED, State, other

NORMAL, EXTENDED, TACTICAL = "normal", "extended", "tactical"
MODES = (NORMAL, EXTENDED, TACTICAL)
TACTICAL_HEXES = 2  # S42-5.4a


class March(NamedTuple):
    """What a search needs to know of one way of moving."""

    links: Links
    terms: Terms


def modes(s: State, unit: int) -> tuple[str, ...]:
    """The ways in which a unit may move on the ground, whatever it has done already; empty if it must stay."""
    piece = s.pieces[unit]
    if unit in s.frozen or not s.on_map(unit) or piece.train or (s.in_area(unit) and piece.order != GOOD):
        return ()  # S42-22.3.1b: only units in good order leave an Area
    if unit in s.fixed:  # S42-18.6.8
        return ()
    if s.has(unit, SUPPLY):  # S42-18.6.3
        return (TACTICAL,) if piece.ready else (NORMAL,)
    if piece.order == DISRUPTED:  # S42-13.2.1a
        return (TACTICAL,)
    fast = () if s.has(unit, SLOW) else (EXTENDED,)  # S42-2.3.2c
    if piece.order == ROUTED:  # S42-13.3.1a
        return (NORMAL, *fast)
    stuck = s.chart.pace(unit) == MECH and piece.supply != SUPPLIED  # S42-16.4a
    waits = s.side(unit) == AXIS and "tactical" in s.chart.track[s.turn].marks  # S42-S1.2b
    return (TACTICAL,) if stuck or waits else (NORMAL, *fast, TACTICAL)


def allowance(s: State, unit: int, mode: str) -> int:
    """In halves of a point; tactically in hexes."""
    if mode == TACTICAL:
        return TACTICAL_HEXES
    return HALVES * s.face(unit).move + (s.chart.extra["extended"] if mode == EXTENDED else 0)


def march(s: State, units: Sequence[int], mode: str, *, routed: bool = False) -> March:
    """What binds units of one hex that move together: the worst cost, the least allowance (S42-5.1b).

    `routed`: they go into Full Retreat as they start.
    """
    chart, start = s.chart, s.at(units[0])
    side, enemy = s.side(units[0]), other(s.side(units[0]))
    wall, zone = s.barrier(enemy, moving=True), s.zone(enemy)
    barred = s.fighters(enemy) | wall.hexes | owned_areas(s, enemy)
    if mode == EXTENDED:  # S42-5.3b
        barred |= zone
    orders = {ROUTED} if routed else {s.pieces[unit].order for unit in units}
    if ROUTED in orders:  # S42-13.3.2b
        barred |= zone & ~steady(s, side)
    if DISRUPTED in orders:  # S42-13.2.1a
        barred |= owned_areas(s, side)
    pace = [chart.pace(unit) for unit in units]
    tactical = mode == TACTICAL
    worst = max(set(pace), key=lambda each: chart.rivers[MAJOR_RIVER].costs[each])
    over = fords(chart, worst, rained=s.rained, tactical=tactical)
    question = "pontoons", worst, s.rained, tactical
    bridges = s.ground.kept(side, question, lambda: pontoons(over, s.fighters(side)))
    freed = routed and bool(zone & chart.board.bit[start])  # S42-13.3.1b: the first zone is left for nothing
    terms = Terms(
        min(allowance(s, unit, mode) for unit in units) + freed * chart.extra["leave_zone"],
        barred,
        stops=zone | owned_areas(s, side),
        zone=0 if tactical else zone,  # S42-5.4c: to leave a zone tactically costs nothing
        leave=chart.extra["leave_zone"],
        enter=chart.extra["enter_zone"],
        closed=wall.sides,
        extra=bridges or NO_LINKS,
        sally=over.get(start, ()),
    )
    ways = (
        paces(chart)
        if tactical
        else slowest(*(links(chart, each, wet=s.wet, rained=s.rained) for each in sorted(set(pace))))
    )
    return March(ways, terms)


def owned_areas(s: State, side: str) -> int:
    """S42-22.2: the mask of the Entry Areas of a side."""
    return s.chart.board.mask(s.chart.areas[key] for key in s.chart.friendly(side))


def steady(s: State, side: str) -> int:
    """The mask of the hexes with a combat unit that is not in Full Retreat."""
    return s.ground.kept(
        side,
        "steady",
        lambda: s.ground.where(side, lambda unit: s.fights(unit) and s.pieces[unit].order != ROUTED),
    )


__all__ = ["EXTENDED", "MODES", "NORMAL", "TACTICAL", "March", "allowance", "march", "modes", "owned_areas", "steady"]
