"""Units that an event brings onto the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.engine.event import Out
from pbem.engine.need import Known
from pbem.engine.order import Order, Violation
from pbem.engine.step import DONE, STAY, Decide, Next
from pbem_rules.noretreat.entries import bring, entries
from pbem_rules.noretreat.frames import Returning
from pbem_rules.noretreat.orders import Done, Place
from pbem_rules.noretreat.rail import unloadable
from pbem_rules.noretreat.state import BOX_NAMES, CAPTURED, DESTROYED, OUT, READY, SHATTERED, Piece, State


class BringBack(Decide[State, Returning, Order]):
    """Units that an event brings onto the map."""

    name = "bring_back"
    rule = "NR-7.12"
    takes = (Place, Done)

    def _places(self, s: State, f: Returning, unit: int) -> tuple[int, ...]:
        if f.rail:
            return unloadable(s, unit)
        origin = s.at(unit)
        return entries(
            s,
            unit,
            DESTROYED
            if origin in (OUT, CAPTURED) and not s.unit(unit).home
            else READY
            if s.unit(unit).home
            else origin,
        )

    def by(self, s: State, f: Returning) -> Sequence[str]:
        f_units = [unit for unit in f.units if not s.on_map(unit)]
        return (f.side,) if f.count and any(self._places(s, f, unit) for unit in f_units) else ()

    def prompt(self, s: State, f: Returning, seat: str) -> str:
        codes = ", ".join(s.name(unit) for unit in f.units if not s.on_map(unit))
        return f"Place up to {f.count} of {codes}: `place UNIT HEX`, then `done`."

    def legal(self, s: State, f: Returning, seat: str, own: Known) -> Iterator[Order]:
        yield Done()
        for unit in f.units:
            if not s.on_map(unit):
                for place in self._places(s, f, unit):
                    yield Place(unit, place)

    def check(self, s: State, f: Returning, seat: str, order: Order, proof: Known) -> Violation | None:
        if isinstance(order, Done):
            return None
        assert isinstance(order, Place)
        if order.unit not in f.units or s.on_map(order.unit):
            return Violation(self.rule, "That unit is not brought back by this event")
        if order.to not in self._places(s, f, order.unit):
            return Violation(self.rule, f"{s.name(order.unit)} cannot be placed in {s.chart.place_text(order.to)}")
        return None

    def apply(self, s: State, f: Returning, answers: Mapping[str, Order], out: Out) -> Next:
        order = answers[f.side]
        if not isinstance(order, Place):
            return DONE
        f.count -= 1
        origin = s.at(order.unit)
        s.pieces[order.unit] = Piece(origin, s.pieces[order.unit].strong if origin == SHATTERED else f.strong)
        if not s.unit(order.unit).two_faced:
            s.pieces[order.unit] = Piece(origin, strong=True)
        bring(s, order.unit, order.to, BOX_NAMES[origin], self.rule, out, tired=f.tired)
        return STAY
