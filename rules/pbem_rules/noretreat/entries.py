"""NR-7.12 to NR-7.18, NR-11.30 to NR-11.36, NR-12 Where units come onto the map."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.game import Out, Violation
from pbem.kit import Gate, entrance, held_by, refuse_entry
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Placed
from pbem_rules.noretreat.stacking import room_for
from pbem_rules.noretreat.state import READY, SHATTERED, Piece, State
from pbem_rules.noretreat.supply import held_cities, land_supplied, supplied_area
from pbem_rules.noretreat.victory import enter


def germany(s: State) -> int:
    """NR-2.5: Greater Germany, and Warsaw while the Axis holds it."""
    chart = s.chart
    warsaw = chart.named["Warsaw"]
    return chart.reich | (chart.board.bit[warsaw] if s.holders[warsaw] == AXIS else 0)


def _country(s: State, unit: int) -> int:
    """NR-7.12, NR-1.22: where an Axis unit comes in."""
    chart, nation = s.chart, s.unit(unit).nation
    if nation == "finnish":
        return chart.board.bit[chart.finland]
    if nation == "hungarian":
        return chart.map.regions["hungary"].mask | chart.board.bit[chart.named["Budapest"]]
    if nation == "romanian":
        return chart.map.regions["romania"].mask | chart.board.bit[chart.named["Ploesti"]]
    return germany(s)


def _near(s: State, name: str, distance: int) -> int:
    """The land hexes within so many hexes of a place."""
    return s.chart.ranges.within(s.chart.named[name], distance) & s.chart.land


def _held(s: State, side: str) -> int:
    return s.chart.board.mask(held_by(s.holders, side))


def gates(s: State, unit: int, origin: int) -> Iterator[Gate]:
    """Where a unit from that box may be placed, but for stacking (NR-12.3): at home, or else where its kind goes."""
    kind, chart = s.unit(unit), s.chart
    if kind.home and origin == READY:
        home = chart.named[kind.home]
        yield Gate(chart.board.bit[home] if s.holders[home] == kind.side else 0, "NR-12.4")
        if kind.side == AXIS:
            return
    yield Gate(*_ground(s, unit, origin))


def _ground(s: State, unit: int, origin: int) -> tuple[int, str]:
    """Where its kind goes, and the rule that says so."""
    kind, chart = s.unit(unit), s.chart
    side, bit = kind.side, chart.board.bit
    enemy_zone = s.zone(AXIS if side == SOVIET else SOVIET)
    land = land_supplied(s, side)
    free = ~(s.ground.occupied[SOVIET] | s.ground.occupied[AXIS])
    if origin == READY and kind.by == "gg":
        if kind.nation == "hungarian":
            return _near(s, "Budapest", 4) & land & free, "NR-11.30"
        return held_cities(s, AXIS) & chart.reich, "NR-11.30"
    if origin == READY and kind.by == "ploesti":
        if side == AXIS:
            return (_near(s, "Budapest", 4) & land & _held(s, AXIS) & free) | bit[chart.balkans[0]], "NR-11.33"
        if kind.nation == "romanian":
            return _near(s, "Ploesti", 2) & land & _held(s, SOVIET) & free, "NR-11.34"
        return bit[chart.balkans[0]] | bit[chart.balkans[1]], "NR-11.35"
    if origin == READY and kind.by == "warsaw":
        return _near(s, "Warsaw", 2) & land & free, "NR-11.36"
    open_to = land & ~enemy_zone
    if side == SOVIET:
        return held_cities(s, SOVIET) & supplied_area(s, SOVIET) & ~enemy_zone, "NR-7.13"
    if kind.nation == "finnish":
        return _country(s, unit), "NR-1.22"
    if origin == SHATTERED:
        return held_cities(s, AXIS) & supplied_area(s, AXIS) & ~enemy_zone, "NR-7.12"
    return _country(s, unit) & open_to & _held(s, AXIS), "NR-7.12"


def entries(s: State, unit: int, origin: int) -> tuple[int, ...]:
    """The places where the unit can be placed now."""
    return s.chart.board.in_mask(entrance(gates(s, unit, origin), room_for(s, unit)).places)


def check_entry(s: State, unit: int, origin: int, place: int) -> Violation | None:
    """NR-7.12, NR-7.13."""
    if place not in s.chart.board:
        return Violation("NR-7.8", "There is no such place")
    room = room_for(s, unit)
    return refuse_entry(s.chart.board, gates(s, unit, origin), room, place, s.name(unit), "NR-8.8", s.chart.place_text)


def bring(s: State, unit: int, place: int, origin: str, rule: str, out: Out, *, tired: bool = False) -> None:
    """A unit comes onto the map; NR-7.11: who returns is Disorganised; NR-2.7: it takes the place."""
    piece = s.pieces[unit]
    s.pieces[unit] = Piece(place, piece.strong)
    s.ground.move(unit, place)
    if tired:
        s.tire(unit)
    out.add(Placed(unit=s.name(unit), hex=place, origin=origin, rule=rule))
    enter(s, s.unit(unit).side, (place,), out)


def waiting(s: State, side: str) -> tuple[int, ...]:
    """Units that can be placed without payment: arrivals, then the shattered (NR-7.8, NR-7.9)."""
    return (*s.of(side, READY), *s.of(side, SHATTERED))
