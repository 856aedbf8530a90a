"""Units that an event brings onto the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Decide, Known, Next, Order, Out, Violation
from pbem_rules.noretreat.entries import bring, check_entry, entries
from pbem_rules.noretreat.frames import Returning
from pbem_rules.noretreat.orders import Done, Place
from pbem_rules.noretreat.state import BOX_NAMES, Piece, State


class BringBack(Decide[State, Returning, Order]):
    """Units that an event brings onto the map, as paid returns are (NR-7.10 to NR-7.13, NR-13.30A, NR-13.33S)."""

    rule = "NR-7.12"
    takes = (Place, Done)
    ends = "Bring back no other unit"

    def _units(self, s: State, f: Returning) -> list[int]:
        return [unit for unit in f.units if not s.on_map(unit)]

    def by(self, s: State, f: Returning) -> Sequence[str]:
        return (f.side,) if f.count and any(entries(s, unit, s.at(unit)) for unit in self._units(s, f)) else ()

    def prompt(self, s: State, f: Returning, seat: str) -> str:
        codes = ", ".join(s.name(unit) for unit in self._units(s, f))
        return f"Place up to {f.count} of {codes}: `place UNIT HEX`, then `done`."

    def legal(self, s: State, f: Returning, seat: str, own: Known) -> Iterator[Order]:
        yield Done()
        for unit in self._units(s, f):
            for place in entries(s, unit, s.at(unit)):
                yield Place(unit, place)

    def check(self, s: State, f: Returning, seat: str, order: Order, proof: Known) -> Violation | None:
        if isinstance(order, Done):
            return None
        assert isinstance(order, Place)
        if order.unit not in self._units(s, f):
            return Violation(self.rule, "That unit is not brought back by this event")
        return check_entry(s, order.unit, s.at(order.unit), order.to)

    def apply(self, s: State, f: Returning, answers: Mapping[str, Order], out: Out) -> Next:
        order = answers[f.side]
        if not isinstance(order, Place):
            return DONE
        f.count -= 1
        origin = s.at(order.unit)
        s.pieces[order.unit] = Piece(origin, strong=not s.unit(order.unit).two_faced)
        bring(s, order.unit, order.to, BOX_NAMES[origin], self.rule, out, tired=True)
        return STAY
