"""SG-7.3 Replacements: points that give units of two steps back what they have lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.game import DONE, STAY, Choice, Decide, Known, Next, Order, Out, Violation
from pbem.kit import describe_places, hex_name, many
from pbem_rules.stargard.chart import MECH, SOVIET
from pbem_rules.stargard.events import Note, Regained
from pbem_rules.stargard.frames import Arriving
from pbem_rules.stargard.orders import Done, Rebuild, Restore
from pbem_rules.stargard.state import SUPPLIED, State, other
from pbem_rules.stargard.terrain import blocked, full
from pbem_rules.stargard.turns import WITHDRAWAL, leaves

BY_EVENT = {"19.1.11": (2, True), "19.1.13": (2, False)}  # points; only for units that are not mechanised?
MANY = 5  # arrivals about which players are asked as the game begins
MANY_COME = f"when units > {MANY - 1} then ask; then best"
"""Until a player says otherwise: they come after the last dice of a turn, so that asking costs a mail of its own."""
REBUILT = "rebuilt_"  # the mark of a unit that one headquarters alone rebuilds (SG-7.3.2c), before its formation


class Points(NamedTuple):
    points: int
    plain: bool


def points_of(s: State, side: str, event: str) -> Points:
    """SG-7.3a, SG-7.3.4: Soviet points stand on the turn track, German ones come by the event of the turn."""
    if side == SOVIET:
        return Points(s.chart.track.value(s.turn, "replacements"), plain=False)
    return Points(*BY_EVENT.get(event, (0, False)))


def price(s: State, unit: int) -> int:
    """SG-7.3.1a: points for a step."""
    return 2 if s.has(unit, MECH) else 1


def is_lost(s: State, unit: int) -> bool:
    """Destroyed, and not of those that have been withdrawn (SG-12.2.5)."""
    return not s.pieces[unit].steps and not (WITHDRAWAL in s.happened and leaves(s, unit))


def home(s: State, unit: int) -> str:
    """SG-7.3.2: the formation whose headquarters rebuilds the unit."""
    marks = (mark.removeprefix(REBUILT) for mark in s.chart.units[unit].marks if mark.startswith(REBUILT))
    return next(marks, s.formation(unit))


def spots(s: State, unit: int) -> tuple[int, ...]:
    """SG-7.3.2, SG-7.3.3: where a rebuilt unit can stand: with its headquarters or beside it, else by a source."""
    chart, board = s.chart, s.chart.board
    key = home(s, unit)
    hq = s.hq_of(key)
    if hq >= 0:
        near = chart.ranges.within(s.at(hq), 1)
    elif key != s.formation(unit):  # SG-7.3.2c
        near = 0
    else:
        near = chart.ranges.of((place, 1) for place in chart.map.regions[chart.formations[key].source].places)
    return board.in_mask(near & ~blocked(s, s.side(unit)) & ~full(s, unit))


def _too_dear(s: State, f: Arriving, unit: int, steps: int) -> Violation | None:
    if f.plain and s.has(unit, MECH):
        return Violation("SG-19.1.11", f"{s.code(unit)} is mechanised: these points are for other units")
    cost = price(s, unit) * steps
    if cost > f.points:
        return Violation("SG-7.3.1a", f"{s.code(unit)} would cost {many(cost, 'point')}, and there are {f.points}")
    return None


class Restores(Choice[State, Arriving, Restore]):
    """SG-7.3.1: a unit on the map regains a step."""

    rule = "SG-7.3.1"

    def legal(self, s: State, f: Arriving, seat: str, own: Known) -> Iterator[Restore]:
        standing = map(Restore, s.ground.standing(seat))
        return (order for order in standing if self.check(s, f, seat, order, own) is None)

    def check(self, s: State, f: Arriving, seat: str, order: Restore, proof: Known) -> Violation | None:
        unit, code = order.unit, s.code(order.unit)
        if not s.has_on_map(seat, unit):
            return Violation("SG-7.3.1d", f"{s.absence(seat, unit)}; `rebuild` brings back lost units of yours")
        if s.pieces[unit].steps == s.counter(unit).steps:
            return Violation("SG-7.3b", f"{code} has all its steps")
        if unit in f.restored and s.has(unit, MECH):
            return Violation("SG-7.3.1c", f"{code} is mechanised and has regained its step of this turn")
        if s.pieces[unit].supply != SUPPLIED:
            return Violation("SG-7.3.1d", f"{code} is out of supply")
        if s.in_zone(s.at(unit), other(seat)):
            return Violation("SG-7.3.1d", f"{code} stands in an enemy zone")
        return _too_dear(s, f, unit, 1)

    def apply(self, s: State, f: Arriving, seat: str, order: Restore, out: Out) -> Next:
        return _regain(s, f, order.unit, 1, s.at(order.unit), out)


def _regain(s: State, f: Arriving, unit: int, steps: int, place: int, out: Out) -> Next:
    f.points -= price(s, unit) * steps
    f.restored = (*f.restored, unit)
    back = not s.pieces[unit].steps
    s.set_steps(unit, s.pieces[unit].steps + steps)
    if back:
        s.put(unit, place)
    out.add(Regained(unit=s.code(unit), hex=place, steps=steps, back=back, left=f.points, rule="SG-7.3"))
    return STAY


class Rebuilds(Choice[State, Arriving, Rebuild]):
    """SG-7.3.1b, SG-7.3.1c, SG-7.3.2: a destroyed unit comes back."""

    rule = "SG-7.3.2"

    def legal(self, s: State, f: Arriving, seat: str, own: Known) -> Iterator[Rebuild]:
        for unit in s.chart.own[seat]:
            for steps in range(1, s.counter(unit).steps + 1):
                if self._wrong(s, f, seat, unit, steps) is None:
                    yield from (Rebuild(unit, place, steps) for place in spots(s, unit))

    @staticmethod
    def _wrong(s: State, f: Arriving, seat: str, unit: int, steps: int) -> Violation | None:
        """Why it cannot come back with so many steps, wherever it is placed."""
        code = s.code(unit)
        if unit not in s.chart.own[seat] or s.pieces[unit].steps:
            return Violation("SG-7.3.2", f"{code} is not a destroyed unit of yours; `restore` is for units on the map")
        if s.counter(unit).steps == 1:
            return Violation("SG-7.3b", f"{code} has one step: such units do not come back")
        if not is_lost(s, unit):
            return Violation("SG-12.2.5", f"{code} belongs to what has been withdrawn")
        if not 1 <= steps <= s.counter(unit).steps:
            return Violation("SG-7.3.1b", f"{code} comes back with 1 step or {s.counter(unit).steps}")
        if steps > 1 and s.has(unit, MECH):
            return Violation("SG-7.3.1c", f"{code} is mechanised: it comes back with 1 step")
        return _too_dear(s, f, unit, steps)

    def check(self, s: State, f: Arriving, seat: str, order: Rebuild, proof: Known) -> Violation | None:
        unit = order.unit
        wrong = self._wrong(s, f, seat, unit, order.steps)
        if wrong is not None:
            return wrong
        found = spots(s, unit)
        if order.to in found:
            return None
        if not found:
            sentence = "there is no hex at its headquarters, or without one at its source, with room and no enemy zone"
            return Violation("SG-7.3.2", f"{s.code(unit)} cannot come back: {sentence}")
        return Violation("SG-7.3.2", f"{s.code(unit)} can come back in {describe_places(found, hex_name)}")

    def apply(self, s: State, f: Arriving, seat: str, order: Rebuild, out: Out) -> Next:
        return _regain(s, f, order.unit, order.steps, order.to, out)


class Leaves(Choice[State, Arriving, Done]):
    """SG-7.3a: points that are left are lost."""

    rule = "SG-7.3"

    def legal(self, s: State, f: Arriving, seat: str, own: Known) -> Iterator[Done]:
        yield Done()

    def apply(self, s: State, f: Arriving, seat: str, order: Done, out: Out) -> Next:
        out.add(Note(text=f"Replacement points not used: {f.points}.", rule=self.rule))
        return DONE


class Replacing(Decide[State, Arriving, Order]):
    """SG-2.5.1: while there are points, and units that they can be spent on."""

    name = "replacements"
    rule = "SG-2.5.1"
    choices = (Restores, Rebuilds, Leaves)
    default, preset = "then best", MANY_COME
    fact_names = ("units",)
    answer_names = ("best",)
    ends = "Spend no more replacement points: what is left of them is lost"

    def _bought(self, s: State, f: Arriving) -> Iterator[Restore | Rebuild]:
        yield from Restores().legal(s, f, f.seat, {})
        yield from Rebuilds().legal(s, f, f.seat, {})

    def by(self, s: State, f: Arriving) -> Sequence[str]:
        return (f.seat,) if next(self._bought(s, f), None) is not None else ()

    def prompt(self, s: State, f: Arriving, seat: str) -> str:
        kind = " for units that are not mechanised" if f.plain else ""
        return (
            f"Turn {s.turn}, {many(f.points, 'replacement point')}{kind}, to restore units on the map, "
            "or rebuild destroyed ones; then `done`."
        )

    def facts(self, s: State, f: Arriving, seat: str, own: Known) -> Mapping[str, int]:
        return {"units": f.came}

    def answers(self, s: State, f: Arriving, seat: str, own: Known) -> Mapping[str, Order]:
        """DP-18, DP-19: mechanised units first, those on the map before those that are lost, the strongest first."""

        def worth(order: Restore | Rebuild) -> tuple[int, ...]:
            unit = order.unit
            back = isinstance(order, Rebuild)
            face = s.counter(unit).face(s.pieces[unit].steps + (order.steps if isinstance(order, Rebuild) else 1))
            away = self._from_post(s, order) if isinstance(order, Rebuild) else 0
            return back, not s.has(unit, MECH), -(face.attack + face.defence), away, unit

        return {"best": min(self._bought(s, f), key=worth, default=Done())}

    @staticmethod
    def _from_post(s: State, order: Rebuild) -> int:
        """SG-7.3.2a: with the headquarters before beside it. SG-7.3.2b: it may be off the map."""
        hq = s.hq_of(home(s, order.unit))
        return int(hq >= 0 and s.at(hq) != order.to)


__all__ = ["MANY", "MANY_COME", "Points", "Rebuilds", "Replacing", "Restores", "points_of", "spots"]
