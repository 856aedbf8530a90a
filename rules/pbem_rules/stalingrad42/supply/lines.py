"""S42-16: sources and lines of supply, who is out of supply or isolated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from pbem.kit import AREA, ISOLATED, OUT_OF_SUPPLY, SUPPLIED, Features, Flow, Place, Stage, Trace, flows, trace
from pbem_rules.stalingrad42.chart import (
    ALPINE,
    AXIS,
    BAKU,
    BLACK_SEA,
    FERRY,
    ROADS,
    SEA,
    SOURCES,
    SOVIET,
    TAMAN,
    TEMRYUK,
    Chart,
)
from pbem_rules.stalingrad42.state import BY_LAND, State, other

ROAD, LAND = "road", "land"


@lru_cache(maxsize=4)
def _roads(chart: Chart) -> Mapping[int, Flow]:
    """S42-16.3.3a: along connected road hexes; a ferry joins roads."""
    ways = (*ROADS, FERRY)
    return flows(chart.board, lambda _a, _b, edge: 1 if any(way in edge for way in ways) else None)


@lru_cache(maxsize=8)
def _land(chart: Chart, *, rained: bool) -> Mapping[int, Flow]:
    """S42-16.3.2a: by the hexes that a line enters on its way to the source; seen from there, those it leaves."""

    def cost(a: Place, b: Place, edge: Features) -> int | None:
        if SEA in (a.terrain, b.terrain) or AREA in (a.kind, b.kind) or ALPINE in edge:
            return None
        return 1 if any(road in edge for road in ROADS) else chart.ground_of(b.id, rained).supply

    return flows(chart.board, cost, back=True)


def sources(s: State, side: str) -> int:
    """S42-16.2: the mask of the hexes from which a side is supplied: along its Areas, and its ports.

    S42-16.2.3 to S42-16.2.5: those of the Black Sea are the Soviets', Taman the Axis', those of the Sea of Azov
    belong to the side that controls it.
    """
    found = _sources(s, side)
    if side != _azov_side(s):
        return found
    return found | s.chart.board.mask(place for place in s.chart.azov if s.holders[place] == side)


def _sources(s: State, side: str) -> int:
    """All but the ports of the Sea of Azov."""
    chart, listed = s.chart, s.chart.listed(SOURCES) if side == AXIS else ()
    edge = chart.board.mask(listed) if listed else s.edge(side)  # S42-S2.2e
    ports = (place for place in chart.listed(BLACK_SEA if side == SOVIET else TAMAN) if s.holders[place] == side)
    return edge | chart.board.mask(ports)


def _azov_side(s: State) -> str:
    """S42-16.2.4: whoever controls Temryuk, and has a line there without ports of that sea.

    Where Temryuk lies beyond the map it is the Soviets in Fall Blau, and nobody in Uranus.
    """
    chart = s.chart
    for temryuk in chart.listed(TEMRYUK):
        side = s.holders[temryuk]
        begins = _sources(s, side) & chart.on_roads
        question = _question(s, side, "azov", begins)
        joined = s.ground.kept(side, question, lambda: trace(chart.board, begins, stages(s, side)).reached)  # noqa: B023
        return side if joined & chart.board.bit[temryuk] else ""
    return SOVIET if chart.figures["azov"] else ""


def clear_of_enemies(s: State, side: str) -> int:
    """The mask of the places without enemy combat units and zones; friends cancel a zone in their hex (S42-6.2c)."""
    enemy = other(side)
    return ~s.fighters(enemy) & ~(s.zone(enemy) & ~s.fighters(side))


def barred_towns(s: State, side: str) -> int:
    """S42-16.3.4b: the mask of the empty cities and victory hexes that the enemy controls; no line enters them."""
    chart = s.chart
    towns = (place for place, holder in s.holders.items() if holder != side)
    return chart.board.mask(p for p in towns if chart.is_city(p) or p in chart.prizes) & ~s.fighters(side)


def stages(
    s: State, side: str, *, any_length: bool = False, start: int | None = None, lost: int = 0
) -> tuple[Stage, Stage]:
    """S42-16.3: the road part of a line and its land part, as seen from the source.

    A line leads into a contested city to those who stand in it, and not on. `start`: one leads out of that hex.
    `lost`: supposed to be the enemy's.
    """
    chart, enemy = s.chart, other(side)
    wall = s.barrier(enemy, moving=False)
    ended = {(place, there) for place in s.contests if place != start for there in chart.board.near[place]}
    inside = s.shared if start is None else s.shared & chart.board.bit[start]  # S42-16.5.4a
    shut = (s.fighters(enemy) & ~inside) | barred_towns(s, side) | wall.hexes | lost
    closed = wall.sides | ended if ended else wall.sides
    length = -1 if any_length else chart.figures["land_wet" if s.wet else "land"]
    road = Stage(ROAD, _roads(chart), (clear_of_enemies(s, side) | inside) & ~shut, closed=closed)
    zones = s.zone(enemy) & ~s.fighters(side)  # S42-16.3.2b: two in a row bar the way
    return road, Stage(LAND, _land(chart, rained=s.rained), ~shut, length, zones, closed=closed)


def _question(s: State, side: str, what: str, begins: int) -> tuple[object, ...]:
    """What a line of a side depends on beside its own units."""
    enemy = other(side)
    weather = s.wet, s.rained
    return (what, weather, s.shared, s.fighters(enemy), s.zone(enemy), s.ties(enemy), barred_towns(s, side), begins)


def lines(s: State, side: str) -> Trace:
    """S42-16.3.1: all lines of supply of a side: over land as far as a road, and by road to the source."""

    def found() -> Trace:
        by_road = _begins(s, side)
        return trace(s.chart.board, by_road, stages(s, side))

    return s.ground.kept(side, _question(s, side, "lines", sources(s, side)), found)


def lines_from(s: State, side: str, areas: tuple[str, ...]) -> int:
    """S42-34.4.1: the mask of what is in supply through these Areas."""
    entries = s.chart.map.entries
    begins = s.chart.board.mask(place for key in areas for place in entries[key].places) & _begins(s, side)
    question = _question(s, side, "through", begins)
    return s.ground.kept(side, question, lambda: trace(s.chart.board, begins, stages(s, side)).reached)


def lines_without(s: State, side: str, lost: int) -> Trace:
    """The same, if the enemy had taken these hexes."""
    return trace(s.chart.board, _begins(s, side) & ~lost, stages(s, side, lost=lost))


def lines_in_peace(s: State, side: str) -> Trace:
    """The same, if there were no enemy."""
    chart, everywhere = s.chart, -1
    length = chart.figures["land_wet" if s.wet else "land"]
    land = Stage(LAND, _land(chart, rained=s.rained), everywhere, length)
    return trace(chart.board, _begins(s, side), (Stage(ROAD, _roads(chart), everywhere), land))


def _begins(s: State, side: str) -> int:
    """S42-16.3.1: the sources that a road leads to; by option all of them, so that a land part alone will do."""
    found = sources(s, side)
    return found if BY_LAND in s.options else found & s.chart.on_roads


def joined_by_land(s: State, side: str) -> int:
    """S42-16.5.1a: the mask of the places that a land part of any length joins to a road or a source."""

    def found() -> int:
        road, land = stages(s, side, any_length=True)
        by_road = trace(s.chart.board, _begins(s, side), [road]).reached
        return trace(s.chart.board, by_road | sources(s, side), [land]).reached

    return s.ground.kept(side, _question(s, side, "land", sources(s, side)), found)


def judged(s: State, side: str, units: Iterable[int] = ()) -> Iterator[tuple[int, int]]:
    """S42-16.1a, S42-16.5.1a: each combat unit of a side on the map (or of these), and what it would be marked with.

    What is no combat unit is never out of supply (S42-19.2b); units in their Areas are in supply, but in that of Baku
    (S42-24.1.2e).
    """
    bit, supplied, by_land = s.chart.board.bit, lines(s, side).reached, joined_by_land(s, side)
    for unit in units or s.ground.standing(side):
        if s.fights(unit):
            place = bit[s.at(unit)]
            if s.at(unit) == s.chart.baku and side == AXIS:
                yield unit, _of_baku(s, by_land)
            elif s.in_area(unit) or place & supplied:
                yield unit, SUPPLIED
            else:
                yield unit, OUT_OF_SUPPLY if place & by_land else ISOLATED


def baku_joined(s: State) -> bool:
    """S42-24.1.2c: does a road lead from the Area of Baku to a source of the Axis?"""
    road, _ = stages(s, AXIS)
    edge = s.chart.board.mask(s.chart.map.entries[BAKU].places) & s.chart.on_roads
    return bool(edge & trace(s.chart.board, _begins(s, AXIS), [road]).reached)


def _of_baku(s: State, by_land: int) -> int:
    """S42-24.1.2e: units in that Area can be out of supply, and isolated."""
    if baku_joined(s):
        return SUPPLIED
    return OUT_OF_SUPPLY if by_land & s.chart.board.mask(s.chart.map.entries[BAKU].places) else ISOLATED


def status(s: State, unit: int) -> int:
    """What one combat unit would be marked with now."""
    ((_, found),) = judged(s, s.side(unit), [unit])
    return found
