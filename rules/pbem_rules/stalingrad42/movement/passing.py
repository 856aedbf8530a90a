"""The effects of a unit's way: towns change hands, what cannot fight is removed, frozen units are let go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.game import Out
from pbem.kit import thrown_back
from pbem_rules.stalingrad42.chart import AXIS, CAUCASUS, GARRISON, SOVIET, STALINGRAD, SUPPLY, TRANSCAUCASUS, Chart
from pbem_rules.stalingrad42.combat.offensives import lose_plans, too_far
from pbem_rules.stalingrad42.events import Freed, Overrun, RailheadBack
from pbem_rules.stalingrad42.state import ROW_FORTY, State, other


def come_through(s: State, unit: int, way: Sequence[int], out: Out) -> tuple[int, ...]:
    """The unit goes over these hexes to the last one; those that it takes from the enemy on the way."""
    taken: tuple[int, ...] = ()
    if s.fights(unit):
        side = s.side(unit)
        taken = tuple(place for place in way if s.holders.get(place, side) != side and place not in s.contests)
        for place in taken:
            s.holders[place] = side
        for place in way:
            _overrun(s, other(side), place, out)
        if side == AXIS:
            _let_go(s, unit, way, out)
    if s.side(unit) == AXIS:
        _note_south(s, way)
    start = s.at(unit)
    if unit in s.plans and too_far(s, start, way):
        lose_plans(s, unit, out)
    s.put(unit, way[-1])
    abandon(s, s.side(unit), start, out)
    return taken


def _overrun(s: State, enemy: str, place: int, out: Out) -> None:
    """S42-19.2c, S42-18.6.6, S42-9.7.5b: forts, and what cannot fight, unless it stands with those who can."""
    units, fort = s.of(enemy, place), enemy in (s.forts.get(place), s.digging.get(place))
    if s.chart.board.bit[place] & s.fighters(enemy):
        return
    for unit in units:
        s.dispel(unit)
    if fort:
        for forts in (s.forts, s.digging):
            if place in forts:
                del forts[place]
    if units or fort:
        out.add(Overrun(hex=place, units=tuple(map(s.code, units)), fort=fort, rule="S42-19.2"))


def abandon(s: State, side: str, place: int, out: Out, *, fought: bool = False) -> None:
    """S42-19.2c, S42-19.3b: what cannot fight is removed where the last combat unit has left it alone with the enemy.

    `fought`: in combat; then a headquarters that has lost all who stood with it is removed at once, supplies stay.
    """
    bit = s.chart.board.bit.get(place, 0)
    if bit & s.fighters(side):
        return
    met = bool(bit & s.fighters(other(side)))
    units = tuple(unit for unit in s.of(side, place) if met or (fought and not s.has(unit, SUPPLY)))
    for unit in units:
        s.dispel(unit)
    if units:
        out.add(Overrun(hex=place, units=tuple(map(s.code, units)), fort=False, rule="S42-19.3"))


def _let_go(s: State, unit: int, way: Iterable[int], out: Out) -> None:
    """S42-20.4a: garrisons as soon as the Axis is within five hexes; S42-20.6: the North Caucasus, beyond the Don.

    Or as soon as the Axis is within five hexes of Stalingrad, where that is on the map.
    """
    chart = s.chart
    grid = chart.board.grid
    assert grid is not None
    hexes = [place for place in way if place in grid]
    s.elbrus |= s.has(unit, "mountain") and chart.elbrus in hexes  # S42-24.3
    over = bool(chart.beyond_don & chart.board.mask(hexes)) or _near_stalingrad(chart, hexes)
    far = chart.figures["garrison"]
    freed = tuple(
        unit
        for unit, why in s.frozen.items()
        if (why == CAUCASUS and over)
        or (why == GARRISON and any(grid.distance(s.at(unit), place) <= far for place in hexes))
    )
    for unit in freed:
        del s.frozen[unit]
    if freed:
        out.add(Freed(units=tuple(map(s.code, freed)), rule="S42-20.4"))


def _note_south(s: State, way: Iterable[int]) -> None:
    """S42-30.0a: any unit of the Axis, one that cannot fight, too."""
    row = s.chart.figures["row"] - (ROW_FORTY in s.options)
    grid = s.chart.board.grid
    assert grid is not None
    s.southward |= bool(s.chart.boxes[TRANSCAUCASUS]) and any(place % 100 >= row for place in way if place in grid)


def _near_stalingrad(chart: Chart, hexes: Iterable[int]) -> bool:
    city = chart.map.regions[STALINGRAD].places if STALINGRAD in chart.map.regions else ()
    near = chart.ranges.of((place, chart.figures["stalingrad"]) for place in city)
    return bool(near & chart.board.mask(hexes))


def push_railheads(s: State, out: Out) -> None:
    """S42-17.3.1: back along the line, out of hexes with Soviet units or in their zone without an Axis unit."""
    enemies = s.fighters(SOVIET)
    closed = enemies | (s.zone(SOVIET) & ~s.fighters(AXIS))
    tracks = tuple(thrown_back(s.chart.rails, track, closed) for track in s.tracks)
    for before, after in zip(s.tracks, tracks, strict=True):
        if before != after:
            out.add(RailheadBack(start=before[-1], to=after[-1], rule="S42-17.3.1"))
    s.tracks = tracks
