"""S42-17: which railway is repaired, and which rail hexes are joined to a source of supply."""

from __future__ import annotations

from functools import lru_cache

from pbem_rules.stalingrad42.chart import AXIS, RAIL, RAIL_FERRY, SOVIET, SUPPLY, Chart
from pbem_rules.stalingrad42.state import GOOD, State, other
from pbem_rules.stalingrad42.supply.lines import clear_of_enemies, sources


@lru_cache(maxsize=8)
def all_rail(chart: Chart) -> int:
    """The mask of all rail hexes."""
    return chart.green | chart.map.along(RAIL) | chart.map.along(RAIL_FERRY)


def repaired(s: State) -> int:
    """S42-17.1: what the Axis may use: the railway west of the first line, and what railheads have repaired.

    A stretch that is not green is in order while both its ends are.
    """
    chart = s.chart
    done = chart.repaired | chart.board.mask(place for track in s.tracks for place in track)
    bit = chart.board.bit
    late = [repair for repair in chart.repairs if all(bit[end] & done for end in repair.ends)]
    return done | chart.board.mask(place for repair in late for place in repair.hexes)


def usable(s: State, side: str) -> int:
    """The mask of the rail hexes that a side may use: the Axis only those that are repaired."""
    return repaired(s) if side == AXIS else all_rail(s.chart)


def connected(s: State, side: str) -> int:
    """S42-17.4: the mask of the rail hexes that an open railway of any length joins to a source."""
    enemy = other(side)
    question = "connected", s.fighters(enemy), s.zone(enemy), s.tracks, sources(s, side)

    def found() -> int:
        rail = usable(s, side)
        return s.chart.rails.reached(sources(s, side) & rail, rail & clear_of_enemies(s, side))

    return s.ground.kept(side, question, found)


def rides(s: State, unit: int, *, ferry: bool = True) -> int:
    """S42-5.6: the mask of where a unit may go by rail: rail hexes, and Areas that a railway leads to.

    Nobody rides into or out of an enemy zone, friends or not (S42-5.6.3b), nor to another who rides (S42-5.6.3d).
    `ferry`: whether that of Vladimirovka is still free; it carries one Soviet combat unit or supply point (S42-5.5.7).
    """
    chart, board, side, place = s.chart, s.chart.board, s.side(unit), s.at(unit)
    piece = s.pieces[unit]
    if piece.order != GOOD or piece.train or unit in s.frozen or not s.on_map(unit):
        return 0
    if not (s.in_area(unit) or board.bit[place] & all_rail(chart)):
        return 0
    entries = [chart.map.entries[key] for key in s.open_areas(side)]
    track = usable(s, side) & ~s.fighters(other(side)) & ~s.zone(other(side))
    ends = {entry.area: board.mask(entry.places) & track for entry in entries}
    begin = ends.get(place, board.bit[place] & track)
    ferried = ferry and side == SOVIET and (s.fights(unit) or s.has(unit, SUPPLY))
    reached = chart.rails.reached(begin, track, extra=chart.by_ferry if ferried else None)
    reached |= board.mask(area for area, along in ends.items() if along & reached)
    taken = s.ground.where(side, lambda each: s.pieces[each].train) if s.fights(unit) else 0
    return reached & ~taken & ~board.bit[place]


def working(s: State, track: tuple[int, ...]) -> bool:
    """S42-17.3.2: does the railhead at the end of a track stand on a connected hex? Otherwise it cannot move."""
    return bool(s.chart.board.bit[track[-1]] & connected(s, AXIS))
