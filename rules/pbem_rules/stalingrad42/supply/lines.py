"""S42-16: lines of supply, who is out of supply or isolated, and what helps the isolated to hold out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from pbem.kit import AREA, Features, Flow, Place, Shift, Stage, Trace, flows, trace
from pbem_rules.stalingrad42.chart import AXIS, CLEAR, DESERT, FERRY, ROADS, SEA, SNOW, TOWN, Chart
from pbem_rules.stalingrad42.movement.rail import clear_of_enemies, connected, sources
from pbem_rules.stalingrad42.state import BY_LAND, ISOLATED, OUT_OF_SUPPLY, SUPPLIED, State, other

ROAD, LAND = "road", "land"
MOST_HELP = 4  # S42-16.5.4g


@lru_cache(maxsize=4)
def _roads(chart: Chart) -> Mapping[int, Flow]:
    """S42-16.3.3a: along connected road hexes; a ferry joins roads."""
    ways = (*ROADS, FERRY)
    return flows(chart.board, lambda _a, _b, edge: 1 if any(way in edge for way in ways) else None)


@lru_cache(maxsize=8)
def _land(chart: Chart, *, rained: bool) -> Mapping[int, Flow]:
    """S42-16.3.2a: by the hexes that a line enters on its way to the source; seen from there, those it leaves."""

    def cost(a: Place, b: Place, edge: Features) -> int | None:
        if SEA in (a.terrain, b.terrain) or AREA in (a.kind, b.kind):
            return None
        return 1 if any(road in edge for road in ROADS) else chart.ground_of(b.id, rained).supply

    return flows(chart.board, cost, back=True)


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
    inside = s.shared & s.fighters(side) if start is None else s.shared & chart.board.bit[start]
    shut = (s.fighters(enemy) & ~inside) | barred_towns(s, side) | wall.hexes | lost
    closed = wall.sides | ended if ended else wall.sides
    length = -1 if any_length else chart.figures["land_wet" if s.wet else "land"]
    road = Stage(ROAD, _roads(chart), (clear_of_enemies(s, side) | inside) & ~shut, closed=closed)
    zones = s.zone(enemy) & ~s.fighters(side)  # S42-16.3.2b: two in a row bar the way
    return road, Stage(LAND, _land(chart, rained=s.rained), ~shut, length, zones, closed=closed)


def _question(s: State, side: str, what: str) -> tuple[object, ...]:
    """What a line of a side depends on beside its own units."""
    enemy = other(side)
    weather = s.wet, s.rained
    return (
        what,
        weather,
        s.shared,
        s.fighters(enemy),
        s.zone(enemy),
        s.ties(enemy),
        barred_towns(s, side),
        sources(s, side),
    )


def lines(s: State, side: str) -> Trace:
    """S42-16.3.1: all lines of supply of a side: over land as far as a road, and by road to the source."""

    def found() -> Trace:
        by_road = _begins(s, side)
        return trace(s.chart.board, by_road, stages(s, side))

    return s.ground.kept(side, _question(s, side, "lines"), found)


def lines_without(s: State, side: str, lost: int) -> Trace:
    """The same, if the enemy had taken these hexes."""
    return trace(s.chart.board, _begins(s, side) & ~lost, stages(s, side, lost=lost))


def _begins(s: State, side: str) -> int:
    """S42-16.3.1: the sources that a road leads to; by option all of them, so that a land part alone will do."""
    found = sources(s, side)
    return found if BY_LAND in s.options else found & s.chart.on_roads


def joined_by_land(s: State, side: str) -> int:
    """S42-16.5.1a, AMB-53: the mask of the places that a land part of any length joins to a road or a source."""

    def found() -> int:
        road, land = stages(s, side, any_length=True)
        by_road = trace(s.chart.board, _begins(s, side), [road]).reached
        return trace(s.chart.board, by_road | sources(s, side), [land]).reached

    return s.ground.kept(side, _question(s, side, "land"), found)


def judged(s: State, side: str, units: Iterable[int] = ()) -> Iterator[tuple[int, int]]:
    """S42-16.1a, S42-16.5.1a: each combat unit of a side on the map (or of these), and what it would be marked with.

    What is no combat unit is never out of supply (S42-19.2b); units in their Areas are in supply.
    """
    bit, supplied, by_land = s.chart.board.bit, lines(s, side).reached, joined_by_land(s, side)
    for unit in units or s.ground.standing(side):
        if s.fights(unit):
            place = bit[s.at(unit)]
            if s.in_area(unit) or place & supplied:
                yield unit, SUPPLIED
            else:
                yield unit, OUT_OF_SUPPLY if place & by_land else ISOLATED


def status(s: State, unit: int) -> int:
    """What one combat unit would be marked with now."""
    ((_, found),) = judged(s, s.side(unit), [unit])
    return found


# Isolation


class Airfield(NamedTuple):
    place: int
    near_rail: bool  # within reach of a connected rail hex


def pocket(s: State, side: str, place: int) -> int:
    """The mask of the hexes that a land path of any length joins to a place (S42-16.5.4)."""
    _, land = stages(s, side, any_length=True, start=place)
    return trace(s.chart.board, s.chart.board.bit[place], [land]).reached


def airfield(s: State, side: str, inside: int) -> Airfield | None:
    """S42-16.5.4a, S42-16.5.4c: the best airfield of a pocket: a town, city or clear hex with no enemy beside it."""
    chart, board = s.chart, s.chart.board
    beside = chart.beside(s.fighters(other(side)) & ~s.shared) | s.shared  # S42-29.1.1e
    fit = board.mask(
        place
        for place in board.in_mask(inside & ~beside)
        if chart.is_city(place) or TOWN in board[place].marks or board[place].terrain == CLEAR
    )
    near = chart.ranges.of((hub, chart.figures["airfield"]) for hub in board.in_mask(connected(s, side)))
    best = fit & near or fit
    return Airfield(board.in_mask(best)[0], bool(fit & near)) if best else None


def help_for(s: State, unit: int) -> tuple[Shift, ...]:
    """S42-16.5.4: what changes the roll of an isolated unit, each with its reason; together no more than four."""
    side, chart = s.side(unit), s.chart
    inside = pocket(s, side, s.at(unit))
    found = []
    field = airfield(s, side, inside)
    if field is not None:
        lift = (2 if side == AXIS and s.weather != SNOW else 1) - (not field.near_rail)  # AMB-35
        found.append(Shift(lift, "S42-16.5.4a", "an airfield"))
    places = chart.board.in_mask(inside)
    if any(chart.is_city(place) and s.holders[place] == side for place in places):
        found.append(Shift(1, "S42-16.5.4d", "a city"))
    if any(chart.is_headquarters(each) for place in places for each in s.of(side, place)):
        found.append(Shift(1, "S42-16.5.4e", "a headquarters"))
    if chart.board[s.at(unit)].terrain == DESERT:
        found.append(Shift(-1, "S42-16.5.4f", "in the desert"))
    return tuple(shift for shift in found if shift.by)


def relief(s: State, unit: int) -> int:
    """The sum of what helps an isolated unit."""
    return min(MOST_HELP, sum(shift.by for shift in help_for(s, unit)))


def starves(s: State, die: int, modifier: int) -> int:
    """S42-16.5.2: the steps that a roll costs; beyond the table its last rows count."""
    table = s.chart.isolation
    return table[max(1, min(len(table), die + modifier)) - 1]


__all__ = [
    "airfield",
    "help_for",
    "joined_by_land",
    "judged",
    "lines",
    "lines_without",
    "pocket",
    "relief",
    "stages",
    "starves",
    "status",
]
