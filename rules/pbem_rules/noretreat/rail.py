"""NR-8.14 to NR-8.27 The Rail box, the Strategic Reserve and unloading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Decide, Frame, Known, Next, Order, Out, Violation
from pbem_rules.noretreat.cards.base import unit_in
from pbem_rules.noretreat.chart import AXIS, NAMES, SOVIET, other
from pbem_rules.noretreat.events import Boxed, Placed
from pbem_rules.noretreat.frames import Action, PlayerTurn
from pbem_rules.noretreat.options import check_partisans, infiltrate, partisan_targets
from pbem_rules.noretreat.orders import Done, Infiltrate, Unload
from pbem_rules.noretreat.stacking import fits
from pbem_rules.noretreat.state import BOX_NAMES, RAIL, RAIL_ROOM, State
from pbem_rules.noretreat.supply import land_supplied, supplied_area
from pbem_rules.noretreat.victory import enter

FREE = 1  # NR-8.14


def check_load(s: State, f: PlayerTurn, unit: int, *, free: bool) -> Violation | None:
    """NR-8.14 to NR-8.18."""
    if not s.has_on_map(f.side, unit):
        return Violation("NR-8.14", f"{s.code(unit)} is not a unit of yours on the map")
    code = s.name(unit)
    if s.turn <= 2 and f.side == AXIS:
        return Violation("NR-8.16", "The Axis cannot use railways before turn 3")
    if s.turn <= 2 and not free:
        return Violation("NR-8.16", "Only the one free unit goes by rail before turn 3")
    if unit in f.moved:
        return Violation("NR-8.14", f"{code} has already moved")
    if len(s.of(f.side, RAIL)) >= RAIL_ROOM:
        return Violation("NR-8.15", "The Rail box is full")
    if not s.supplied(unit):
        return Violation("NR-6.6", f"{code} is out of supply")
    if s.has(unit, "fortified"):
        return Violation("NR-8.17", f"{code} is not mobile")
    if free and f.railed >= FREE:
        return Violation(
            "NR-8.14", "Only one unit a turn goes by rail free of charge: pay with `discard CARD for rail UNIT`"
        )
    if not free and f.railed < FREE:
        return Violation("NR-8.14", f"The first unit goes free of charge: `rail {code}`")
    return None


def check_reserve(s: State, f: PlayerTurn, unit: int) -> Violation | None:
    """NR-8.25, NR-8.27: a unit of the map, or one that is in the box already."""
    if f.side != SOVIET or unit not in s.chart.own[SOVIET]:
        return Violation("NR-8.25", "The Strategic Reserve is a Soviet unit")
    if s.turn < 4:
        return Violation("NR-11.5", "The Strategic Reserve can be formed from turn 4 on")
    if f.stage:
        return Violation("NR-8.25", "The Strategic Reserve has been chosen in this turn")
    if s.at(unit) == RAIL:
        return None if s.reserve != unit else Violation("NR-8.27", "The marker already lies there")
    if not s.on_map(unit) or not s.supplied(unit) or not s.face(unit).move:
        return Violation("NR-8.25", "The Strategic Reserve is a mobile unit in supply")
    if len(s.of(SOVIET, RAIL)) >= RAIL_ROOM:
        return Violation("NR-8.15", "The Rail box is full")
    return None


def load(s: State, unit: int, rule: str, out: Out) -> None:
    """NR-8.14, NR-8.25: into the Rail box; the counterblow marker comes off."""
    place = s.at(unit)
    s.put(unit, RAIL)
    s.blown.discard(unit)  # NR-9.12
    out.add(Boxed(unit=s.name(unit), hex=place, box=BOX_NAMES[RAIL], why="by rail", rule=rule))


def take_rail(s: State, f: Action, out: Out) -> Frame | None:
    load(s, unit_in(f.targets[0]), "NR-8.14", out)
    return None


def unloadable(s: State, unit: int) -> tuple[int, ...]:
    """NR-8.21 to NR-8.24: where the unit may get off."""
    side, chart, bit = s.unit(unit).side, s.chart, s.chart.board.bit
    free = ~s.zone(other(side)) & ~s.ground.occupied[other(side)] & chart.land
    land = land_supplied(s, side)
    cities = chart.board.mask(p for p in chart.cities if s.is_city(p))  # no line enters an enemy one (NR-6.4)
    mask = (cities & land & free) | (land_supplied(s, side, 3) & free)
    mask &= ~chart.board.mask(s.taken) & ~bit[chart.finland]
    return tuple(place for place in chart.board.in_mask(mask) if fits(s, unit, place))


class Unloading(Decide[State, PlayerTurn, Order]):
    """Phase J."""

    name = "unload"
    rule = "NR-3.11"
    takes = (Unload, Infiltrate, Done)
    default = "then done"
    phase = True
    answer_names = ("done",)
    ends = "Unload no other unit"

    def _side(self, s: State, f: PlayerTurn) -> str:
        return f.side

    def _units(self, s: State, f: PlayerTurn) -> tuple[int, ...]:
        return s.of(f.side, RAIL)

    def by(self, s: State, f: PlayerTurn) -> Sequence[str]:
        some = any(unloadable(s, unit) for unit in self._units(s, f)) or self._partisans(s, f)
        return (self._side(s, f),) if some else ()

    def _partisans(self, s: State, f: PlayerTurn) -> tuple[int, ...]:
        return partisan_targets(s) if f.side == SOVIET else ()

    def prompt(self, s: State, f: PlayerTurn, seat: str) -> str:
        codes = ", ".join(s.name(unit) for unit in self._units(s, f))
        some = any(unloadable(s, unit) for unit in self._units(s, f))
        unload = f" {codes} can get off the railway: `unload UNIT HEX`." if some else ""
        partisans = " `partisans UNIT` puts the partisans down." if self._partisans(s, f) else ""
        return f"Turn {s.turn}, end of the {NAMES[f.side]} turn.{unload}{partisans} End with `done`."

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Order]:
        yield Done()
        for unit in self._units(s, f):
            for place in unloadable(s, unit):
                yield Unload(unit, place)
        yield from map(Infiltrate, self._partisans(s, f))

    def check(self, s: State, f: PlayerTurn, seat: str, order: Order, proof: Known) -> Violation | None:
        if isinstance(order, Done):
            return None
        if isinstance(order, Infiltrate):
            return check_partisans(s, order) if f.side == SOVIET else Violation("NR-14.11", "That is a Soviet marker")
        assert isinstance(order, Unload)
        if order.unit not in self._units(s, f):
            return Violation("NR-8.20", "That unit is not in your Rail box")
        if order.to not in s.chart.board:
            return Violation("NR-8.21", "There is no such place")
        if order.to in unloadable(s, order.unit):
            return None
        if order.to in s.taken:
            return Violation("NR-8.23", f"{s.chart.place_text(order.to)} has been taken only in this turn")
        if not fits(s, order.unit, order.to):
            return Violation("NR-8.24", f"There is no room in {s.chart.place_text(order.to)}")
        near = s.chart.place_text(order.to)
        return Violation("NR-8.22", f"{near} is in an enemy zone, or too far from a supplied city or the map edge")

    def apply(self, s: State, f: PlayerTurn, answers: Mapping[str, Order], out: Out) -> Next:
        order = answers[self._side(s, f)]
        if isinstance(order, Infiltrate):
            infiltrate(s, order, out)
            return STAY
        if not isinstance(order, Unload):
            return DONE
        unload(s, order.unit, order.to, "NR-8.20", out)
        return STAY

    def answers(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Mapping[str, Order]:
        return {"done": Done()}


def unload(s: State, unit: int, place: int, rule: str, out: Out) -> None:
    """NR-8.20, NR-8.26: off the railway; NR-2.7: it takes the place."""
    s.put(unit, place)
    if s.reserve == unit:
        s.reserve = -1
    out.add(Placed(unit=s.name(unit), hex=place, origin=BOX_NAMES[RAIL], rule=rule))
    enter(s, s.unit(unit).side, (place,), out)


class UnloadReserve(Unloading):
    """NR-8.26: the marked unit may get off at the start of the Axis phase too."""

    name = "unload_reserve"
    rule = "NR-8.26"
    seats = (SOVIET,)
    phase = False

    def when(self, s: State, f: PlayerTurn) -> bool:
        return f.side == AXIS

    def _side(self, s: State, f: PlayerTurn) -> str:
        return SOVIET

    def _units(self, s: State, f: PlayerTurn) -> tuple[int, ...]:
        return tuple(unit for unit in s.of(SOVIET, RAIL) if unit == s.reserve)


__all__ = [
    "UnloadReserve",
    "Unloading",
    "check_load",
    "check_reserve",
    "load",
    "supplied_area",
    "take_rail",
    "unload",
    "unloadable",
]
