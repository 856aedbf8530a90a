"""Lines that move units: the way and the ship are found where they are left out."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.game import Context, NotationError, Order
from pbem_rules.axis1941.names import TYPED
from pbem_rules.axis1941.notation_base import Counted, Typing, arrows, cut, invalid, ship_at_end
from pbem_rules.axis1941.orders import NO_SHIP, Land, Load, Move, piece, power_of
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import AIR, LAND, NONE, NUMBERED, Kind, Power, ship_code, ship_of

ALL = ("all", "everybody", "everything")


class TypedMove(Typing):
    """`move 2 infantry 1 tank Ukraine > Caucasus`, `move transport 1 > sz7`, `sortie fighter sz14 > sz16`."""

    about = "move UNITS FROM > TO, or FROM > VIA > TO"
    verbs = ("move", "sortie", "fly", "sail")

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        units, rest = self.units(arrows(words))
        parts = cut(rest)
        pair = TYPED.two_places(rest) if len(parts) == 1 else None
        start: int | None = None
        if pair is not None:
            start, *goals = pair
        elif rest and all(number for _, _, number in units) and (len(parts) == 1 or not parts[0]):
            goals = [TYPED.need_place(part) for part in parts if part]  # a ship with a number is where it is
        elif len(parts) == 1:
            raise invalid(f"write it as: {self.about}", self.about)
        else:
            start, *goals = self._start(parts[0], context, units), *map(TYPED.need_place, parts[1:])
        orders: list[Order] = []
        for count, kind, number in units:
            stops = [_at(context, kind, number) if start is None else start, *goals]
            for code in self._pieces(context, count, kind, number, stops[0]):
                orders.append(Move(code, self._path(context, kind, code, stops)))
        return orders

    @staticmethod
    def _start(words: list[str], context: Context[State], units: Counted) -> int:
        """`east`: of the places that begin so the one in which such units of one's own are."""
        try:
            return TYPED.need_place(words)
        except NotationError as error:
            s, power = context.state, power_of(context)
            found = [
                place
                for place in map(s.chart.words.index, error.candidates if error.what == "ambiguous" else ())
                if all(next(s.here(place, power=power, kind=kind), NONE) != NONE for _, kind, _ in units)
            ]
            if len(found) != 1:
                raise
            return found[0]

    def _pieces(self, context: Context[State], count: int, kind: Kind, number: int, start: int) -> list[int]:
        if kind not in NUMBERED:
            return [piece(kind)] * count
        if number:
            return [piece(kind, number)]
        s, power = context.state, power_of(context)
        found = sorted(s.units[each].number for each in s.here(start, power=power, kind=kind))
        if len(found) != count:
            names = ", ".join(f"{kind} {each}" for each in found) or "none"
            raise invalid(f"say which {kind}, by its number; in {s.where(start)} there is {names}", self.about)
        return [piece(kind, each) for each in found]

    @staticmethod
    def _path(context: Context[State], kind: Kind, code: int, stops: list[int]) -> tuple[int, ...]:
        """The way as it was named, with the spaces between found where they were left out."""
        chart = context.state.chart
        if kind in AIR:
            return (stops[0], stops[-1])
        if len(stops) == 2 and stops[1] not in chart.near[stops[0]]:
            for order in context.legal():
                if isinstance(order, Move) and order.piece == code and _joins(order.path, stops):
                    return order.path
        path = [stops[0]]
        for goal in stops[1:]:
            if goal != path[-1] and goal not in chart.near[path[-1]]:
                near = chart.near_land if kind in LAND else chart.near_sea
                path.extend([each for each in near[path[-1]] if goal in near[each]][:1])
            path.append(goal)
        return tuple(path)


def _at(context: Context[State], kind: Kind, number: int) -> int:
    s, power = context.state, power_of(context)
    ship = s.ship(power, kind, number)
    if ship == NONE:
        raise invalid(f"you have no {kind} {number}")
    return s.units[ship].place


def _joins(path: tuple[int, ...], stops: list[int]) -> bool:
    return len(path) > 1 and path[0] == stops[0] and path[-1] == stops[-1]


class TypedLoad(Typing):
    """`load 2 infantry United Kingdom > transport 1`; the transport may be left out if only one can be meant."""

    about = "load UNITS FROM > transport N"
    verbs = ("load", "embark")

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        units, rest = self.units(arrows(words))
        power = power_of(context)
        parts = [part for part in cut(rest) if part]
        # With an arrow its sides are apart, so that `uk > transport 1` is not Britain's transport.
        flat = parts[1] if len(parts) == 2 else [word for part in parts for word in part]
        found = ship_at_end(flat, power)
        ship, names = found if found is not None else (NO_SHIP, flat)
        start = TYPED.need_place(parts[0] if len(parts) == 2 and not names else names)
        if ship == NO_SHIP:
            ship = self._only(context, power, start)
        return [Load(kind, start, ship) for count, kind, _ in units for _ in range(count)]

    def _only(self, context: Context[State], power: Power, start: int) -> int:
        s = context.state
        ships = [
            s.units[each].number
            for place in s.chart.near_sea[start]
            for each in s.here(place, power=power, kind=Kind.TRANSPORT)
        ]
        if len(ships) != 1:
            names = ", ".join(f"transport {number}" for number in sorted(ships)) or "none of yours"
            raise invalid(f"say which transport; next to {s.where(start)} there is {names}", self.about)
        return ship_code(power, Kind.TRANSPORT, ships[0])


class TypedLand(Typing):
    """`land 2 infantry transport 1 > Norway`, `land transport 1 > Norway` (all that is aboard)."""

    about = "land UNITS transport N > TERRITORY"
    verbs = ("land", "unload")

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        power = power_of(context)
        words = [word for word in arrows(words) if word.casefold() not in ("from", *ALL)]
        parts = cut(words)
        if len(parts) != 2:
            raise invalid(f"write it as: {self.about}", self.about)
        found = ship_at_end(parts[0], power)
        if found is None:
            raise invalid(f"name the transport by its number: {self.about}", self.about)
        ship, head = found
        goal = TYPED.need_place(parts[1])
        if head:
            units, rest = self.units(head)
            if rest:
                raise invalid(f"{rest[0]!r} is not a unit; there are {TYPED.list_kinds()}", self.about)
            return [Land(kind, ship, goal) for count, kind, _ in units for _ in range(count)]
        s = context.state
        number = s.ship(*ship_of(ship))
        aboard = [] if number == NONE else [s.units[each] for each in s.cargo(number)]
        kinds = [unit.kind for unit in aboard if unit.power is power]
        if not kinds:
            _, kind, each = ship_of(ship)
            raise invalid(f"nothing of yours is aboard {kind} {each}: name the units", self.about)
        return [Land(kind, ship, goal) for kind in kinds]
