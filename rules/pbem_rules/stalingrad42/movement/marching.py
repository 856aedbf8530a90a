"""S42-5.1 to S42-7.2: how far units get by each way of moving on the ground, and what holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbem.kit import NO_LINKS, SUPPLIED, Links, March, Terms, slowest
from pbem_rules.stalingrad42.chart import (
    ALPINE,
    AXIS,
    FERRY,
    FIRST_ENTRY,
    FOOT,
    HALVES,
    MAJOR_RIVER,
    MECH,
    RAIL,
    SLOW,
    SNOW,
    SOVIET,
    SUPPLY,
    Chart,
)
from pbem_rules.stalingrad42.movement.terrain import Link, fords, links, narrow, narrows, paces, pontoons
from pbem_rules.stalingrad42.state import DISRUPTED, GOOD, ROUTED, State, other

NORMAL, EXTENDED, TACTICAL = "normal", "extended", "tactical"
TACTICAL_TURNS = {AXIS: ("tactical", "S42-S1.2b"), SOVIET: ("soviet_tactical", "S42-S3.4c")}  # marks, and the rule
MODES = (NORMAL, EXTENDED, TACTICAL)
TACTICAL_HEXES = 2  # S42-5.4a


def modes(s: State, unit: int) -> tuple[str, ...]:
    """The ways in which a unit may move on the ground, whatever it has done already; empty if it must stay."""
    piece = s.pieces[unit]
    if unit in s.frozen or not s.on_map(unit) or piece.train or (s.in_area(unit) and piece.order != GOOD):
        return ()  # S42-20.4; S42-22.3.1b: only units in good order leave an Area
    if unit in s.fixed:  # S42-18.6.8
        return ()
    inside = s.shares(unit)
    if s.has(unit, SUPPLY):  # S42-18.6.3
        return (TACTICAL,) if piece.ready else () if inside else (NORMAL,)
    if piece.order == DISRUPTED or inside:  # S42-13.2.1a, S42-29.1.2a
        return (TACTICAL,)
    fast = () if s.has(unit, SLOW) else (EXTENDED,)  # S42-2.3.2c
    if piece.order == ROUTED:  # S42-13.3.1a
        return (NORMAL, *fast)
    stuck = s.chart.pace(unit) == MECH and piece.supply != SUPPLIED  # S42-16.4a
    return (TACTICAL,) if stuck or tactical_rule(s, s.side(unit)) else (NORMAL, *fast, TACTICAL)  # S42-S1.2b


def tactical_rule(s: State, side: str) -> str:
    """S42-S1.2b, S42-S3.4c, S42-33.2.3b: by which rule units in order move tactically in this turn; empty: by none."""
    mark, rule = TACTICAL_TURNS[side]
    return "S42-33.2.3b" if s.respite else rule if mark in s.chart.track[s.turn].marks else ""


def allowance(s: State, unit: int, mode: str) -> int:
    """In halves of a point, in snow one point less (S42-23.2.4b); tactically in hexes."""
    if mode == TACTICAL:
        return TACTICAL_HEXES
    move = max(0, s.face(unit).move - (s.weather == SNOW))
    return HALVES * move + (s.chart.extra["extended"] if mode == EXTENDED else 0)


def march(s: State, units: Sequence[int], mode: str, *, routed: bool = False) -> March:
    """What binds units of one hex that move together: the worst cost, the least allowance (S42-5.1b).

    `routed`: they go into Full Retreat as they start.
    """
    chart, start, side = s.chart, s.at(units[0]), s.side(units[0])
    orders = {ROUTED} if routed else {s.pieces[unit].order for unit in units}
    common = Common(
        side, mode, frozenset(orders), tuple(sorted({chart.pace(unit) for unit in units})),
        fighting=all(map(s.fights, units)), climbs=all(s.has(unit, "mountain") for unit in units),
    )  # fmt: skip
    around = s.turn, s.weather, s.wet, s.rained, s.shared, s.flotilla, veiled(s, side)
    ways, terms, over = s.ground.kept_for_all((common, around), lambda: _common(s, common))
    at, zone = chart.board.bit[start], s.zone(other(side))
    freed = routed and bool(zone & at)  # S42-13.3.1b: the first zone is left for nothing
    return March(
        ways,
        terms._replace(
            budget=min(allowance(s, unit, mode) for unit in units) + freed * chart.extra["leave_zone"],
            locked=(at | zone & ~s.fighters(side)) if at & s.shared else 0,  # S42-29.1.2b
            closed=terms.closed | not_yet(s, start),  # S42-S2.2c
            sally=over.get(start, ()),
        ),
    )


class Common(NamedTuple):
    """What units have in common for which a way of moving is the same, but for where they start and how far they go."""

    side: str
    mode: str
    orders: frozenset[int]
    paces: tuple[str, ...]
    fighting: bool
    climbs: bool


def _common(s: State, common: Common) -> tuple[Links, Terms, Mapping[int, tuple[Link, ...]]]:
    """S42-5.1b: the graph, what binds them anywhere, and the steps over major rivers without a bridge."""
    chart, side, enemy, tactical = s.chart, common.side, other(common.side), common.mode == TACTICAL
    wall, zone = s.barrier(enemy, moving=True), s.zone(enemy)
    shared, friends = s.shared, s.fighters(side)
    entered = shared if tactical else 0  # S42-29.1.2a
    barred = (s.fighters(enemy) & ~entered) | wall.hexes | closed_areas(s, side, moving=common.fighting)
    barred |= veiled(s, side)  # S42-34.6.2
    if common.mode == EXTENDED:  # S42-5.3b
        barred |= zone
    if ROUTED in common.orders:  # S42-13.3.2b
        barred |= zone & ~steady(s, side)
    if DISRUPTED in common.orders:  # S42-13.2.1a
        barred |= owned_areas(s, side)
    worst = max(common.paces, key=lambda each: chart.rivers[MAJOR_RIVER].costs[each])
    over = fords(chart, worst, rained=s.rained, tactical=tactical)
    question = "over water", worst, s.rained, tactical, common.climbs, s.flotilla
    extra = s.ground.kept(
        side,
        question,
        lambda: merged(pontoons(over, friends), crossings(s, side, worst, climbs=common.climbs, tactical=tactical)),
    )
    terms = Terms(
        0,
        barred,
        stops=zone | shared | chart.all_areas,
        zone=0 if tactical else zone,  # S42-5.4c: to leave a zone tactically costs nothing
        leave=chart.extra["leave_zone"],
        enter=chart.extra["enter_zone"],
        closed=wall.sides,
        extra=extra or NO_LINKS,
    )
    if tactical:
        return paces(chart), terms, over
    return slowest(*(links(chart, each, wet=s.wet, rained=s.rained) for each in common.paces)), terms, over


def not_yet(s: State, start: int) -> frozenset[tuple[int, int]]:
    """S42-S2.2c: on the first turn the Axis enters by a part of the northern edge."""
    first = s.chart.listed(FIRST_ENTRY)
    if not first or s.turn > s.chart.track.turns[0].number or start not in s.chart.areas.values():
        return frozenset()
    return frozenset((start, place) for place in s.chart.board.near[start] if place not in first)


def may_cross(s: State, unit: int, a: int, b: int) -> bool:
    """S42-5.5.3, S42-9.6.2a: can a unit cross a side, as far as the Volga and the main range are concerned?

    All cross the Volga by ferry, Soviets by the railway's bridge and where the flotilla lies, too. The range is for
    mountain troops.
    """
    if not narrow(s.chart.board.edges[a, b]):
        return True
    return _crosses(s.chart, s.side(unit), a, b, climbs=s.has(unit, "mountain"), flotilla=s.flotilla)


def _crosses(chart: Chart, side: str, a: int, b: int, *, climbs: bool, flotilla: tuple[int, ...]) -> bool:
    edge = chart.board.edges[a, b]
    if ALPINE in edge:
        return climbs
    return FERRY in edge or (side == SOVIET and (RAIL in edge or {a, b} == set(flotilla)))


def beside(s: State, unit: int, target: int) -> bool:
    """S42-8.2a, S42-29.1.3: does a unit stand where it could attack a hex from? Out of a contested city none other."""
    return s.at(unit) == target if s.shares(unit) else target in s.chart.board.near[s.at(unit)]


def borders(s: State, unit: int, target: int) -> bool:
    """S42-8.1f: does it stand there, and could it cross over?"""
    return beside(s, unit, target) and (s.at(unit) == target or may_cross(s, unit, s.at(unit), target))


def onward(s: State, units: Sequence[int], place: int) -> tuple[int, ...]:
    """The hexes that these units could enter from there by a step of tactical movement."""
    climbs = all(s.has(unit, "mountain") for unit in units)
    more = crossings(s, s.side(units[0]), FOOT, climbs=climbs).get(place, ())
    return tuple(there for there, _, _ in (*paces(s.chart)[place], *more))


def crossings(
    s: State, side: str, pace: str, *, climbs: bool, tactical: bool = False
) -> Mapping[int, tuple[Link, ...]]:
    """The steps over such sides that units of a side can take."""
    return _crossings(s.chart, side, pace, s.flotilla, climbs=climbs, rained=s.rained, tactical=tactical)


@lru_cache(maxsize=64)
def _crossings(
    chart: Chart, side: str, pace: str, flotilla: tuple[int, ...], *, climbs: bool, rained: bool, tactical: bool
) -> Mapping[int, tuple[Link, ...]]:
    passable = {
        a: there
        for a, near in chart.narrow.items()
        if (there := tuple(b for b in near if _crosses(chart, side, a, b, climbs=climbs, flotilla=flotilla)))
    }
    return narrows(chart, passable, pace, rained=rained, tactical=tactical)


def merged(*steps: Mapping[int, tuple[Link, ...]]) -> Mapping[int, tuple[Link, ...]]:
    """The steps of several kinds from each place."""
    found = [each for each in steps if each]
    if len(found) < 2:
        return found[0] if found else {}
    return {place: tuple(step for each in found for step in each.get(place, ())) for each in found for place in each}


def owned_areas(s: State, side: str) -> int:
    """S42-22.2: the mask of the Entry Areas that a side can use."""
    return _areas(s.chart, s.open_areas(side))


@lru_cache(maxsize=64)
def _areas(chart: Chart, keys: tuple[str, ...]) -> int:
    return chart.board.mask(chart.areas[key] for key in keys)


def closed_areas(s: State, side: str, *, moving: bool = False) -> int:
    """S42-22.4b, S42-24.1.2: the mask of the others. Combat units of the Axis may move into that of Baku."""
    mask = s.chart.all_areas & ~owned_areas(s, side)
    return mask & ~s.chart.board.bit.get(s.chart.baku, 0) if moving and side == AXIS else mask


def veiled(s: State, side: str) -> int:
    """S42-34.6.2: the mask of the hexes that a side may not enter for a reserve army in whose box units may be."""
    return s.veiled if side == AXIS else 0


def steady(s: State, side: str) -> int:
    """S42-13.3.2d: the mask of the hexes with a combat unit that is not in Full Retreat."""
    return s.ground.kept(
        side, "steady", lambda: s.ground.where(side, lambda unit: s.fights(unit) and s.pieces[unit].order != ROUTED)
    )
