"""What a player types: several units in one line, names in many forms, the way and the ship left to be found."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from pbem.engine.notation import Context, Group, NotationError
from pbem.engine.order import Order
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.mobilise import complexes, room
from pbem_rules.axis1941.names import CHART, SHIP_WORDS, TYPED
from pbem_rules.axis1941.orders import (
    NO_SHIP,
    Attack,
    Buy,
    Divert,
    First,
    Ignore,
    Land,
    Load,
    Lose,
    Move,
    Promise,
    Put,
    Retreat,
    Return,
    Share,
    Shared,
    Strike,
    Submerge,
    piece,
)
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.tolls import Tolls
from pbem_rules.axis1941.units import AIR, LAND, NONE, NUMBERED, POWERS, Kind, Power, ship_code, ship_of

MOST = 200  # units in one line
TOLL_WORDS = Tolls()
ALL = ("all", "everybody", "everything")
Counted = list[tuple[int, Kind, int]]


def _invalid(sentence: str, *candidates: str) -> NotationError:
    return NotationError("invalid", f"Not understood: {sentence}.", candidates)


def _power(context: Context[State]) -> Power:
    return Power(context.seat) if context.seat in list(POWERS) else context.state.active


def _arrows(words: list[str]) -> list[str]:
    """`a->b`, `a>b`, `a to b` as `a > b`."""
    text = " ".join(words).replace("->", ">").replace(">", " > ")
    return [">" if word.casefold() == "to" else word for word in text.split()]


def _cut(words: list[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == ">":
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


class Typing(Group[State]):
    """A group that begins with one of its verbs."""

    verbs: tuple[str, ...] = ()

    def expand(self, words: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        if words[0].casefold() not in self.verbs:
            return None
        orders = tuple(self.orders(words[1:], context))
        if len(orders) > MOST:
            raise _invalid(f"that would be {len(orders)} orders; {MOST} are enough for a line")
        return orders

    @abstractmethod
    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]: ...

    def units(self, words: list[str]) -> tuple[Counted, list[str]]:
        """Counts and kinds at the beginning, and the words behind; there must be some."""
        found, rest = TYPED.counted(words)
        if not found:
            word = words[0] if words else ""
            raise _invalid(f"{word!r} is no unit; there are {TYPED.list_kinds()}", self.about)
        if sum(count for count, _, _ in found) > MOST:
            raise _invalid(f"more than {MOST} units in a line", self.about)
        return found, rest

    def only_units(self, words: list[str]) -> Iterable[Kind]:
        found, rest = self.units(words)
        if rest:
            raise _invalid(f"{rest[0]!r} is no unit; there are {TYPED.list_kinds()}", self.about)
        return [kind for count, kind, _ in found for _ in range(count)]


class TypedBuy(Typing):
    about = "buy 3 infantry 1 tank"
    verbs = ("buy", "purchase")

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        return map(Buy, self.only_units(words))


class TypedLose(Typing):
    """`lose 2 infantry 1 tank`, `lose damage`, `lose infantry-uk`."""

    about = "lose 2 infantry 1 tank, lose damage"
    verbs = ("lose", "losses")

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        orders: list[Order] = []
        count = 1
        for word in words:
            text = word.casefold().strip(",")
            if text.isascii() and text.isdigit() and len(text) < 4 and 0 < int(text) <= MOST:
                count = int(text)
                continue
            try:
                toll = TOLL_WORDS.value(str(TYPED.kind(text) or text))
            except ValueError:
                raise _invalid(f"{word!r} is no loss; there are {TYPED.list_kinds()}, damage", self.about) from None
            orders += [Lose(toll)] * count
            count = 1
        if not orders:
            raise _invalid(f"write it as: {self.about}", self.about)
        return orders


class TypedReturn(Typing):
    about = "return 1 tank"
    verbs = ("return",)

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        return map(Return, self.only_units(words))


class TypedShare(Typing):
    """`share deck usa no`, `allow usa deck`, `forbid usa hold`."""

    about = "share deck|hold POWER yes|no"
    verbs = ("share", "allow", "forbid")

    def expand(self, words: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        verb = words[0].casefold()
        if verb in ("allow", "forbid"):
            words = ["share", *words[1:], "yes" if verb == "allow" else "no"]
        return super().expand(words, context)

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        whats = {"deck": Shared.DECK, "decks": Shared.DECK, "hold": Shared.HOLD, "holds": Shared.HOLD}
        what = [whats[word.casefold()] for word in words if word.casefold() in whats]
        ally = [power for word in words if (power := TYPED.power(word)) is not None]
        yes = [word.casefold() == "yes" for word in words if word.casefold() in ("yes", "no")]
        if len(words) != 3 or not (len(what) == len(ally) == len(yes) == 1):
            raise _invalid(f"write it as: {self.about}", self.about)
        return (Share(what[0], ally[0], yes[0]),)


class TypedMove(Typing):
    """`move 2 infantry 1 tank Ukraine > Caucasus`, `move transport 1 sz8 > sz7`, `sortie fighter sz14 > sz16`."""

    about = "move UNITS FROM > TO, or FROM > VIA > TO"
    verbs = ("move", "sortie", "fly", "sail")

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        units, rest = self.units(_arrows(words))
        parts = _cut(rest)
        if len(parts) == 1:
            pair = TYPED.two_places(rest)
            if pair is None:
                raise _invalid(f"write it as: {self.about}", self.about)
            stops = list(pair)
        else:
            stops = [TYPED.need_place(part) for part in parts]
        orders: list[Order] = []
        for count, kind, number in units:
            for code in self._pieces(context, count, kind, number, stops[0]):
                orders.append(Move(code, self._path(context, kind, code, stops)))
        return orders

    def _pieces(self, context: Context[State], count: int, kind: Kind, number: int, start: int) -> list[int]:
        if kind not in NUMBERED:
            return [piece(kind)] * count
        if number:
            return [piece(kind, number)]
        s, power = context.state, _power(context)
        found = sorted(s.units[each].number for each in s.here(start, power=power, kind=kind))
        if len(found) != count:
            names = ", ".join(f"{kind} {each}" for each in found) or "none"
            raise _invalid(f"say which {kind}, by its number; in {s.where(start)} there is {names}", self.about)
        return [piece(kind, each) for each in found]

    @staticmethod
    def _path(context: Context[State], kind: Kind, code: int, stops: list[int]) -> tuple[int, ...]:
        """The way as it was named, with the spaces between found where they were left out."""
        if kind in AIR:
            return (stops[0], stops[-1])
        if len(stops) == 2 and stops[1] not in CHART.near[stops[0]]:
            for order in context.legal():
                if isinstance(order, Move) and order.piece == code and _joins(order.path, stops):
                    return order.path
        path = [stops[0]]
        for goal in stops[1:]:
            if goal not in CHART.near[path[-1]]:
                near = CHART.near_land if kind in LAND else CHART.near_sea
                path.extend([each for each in near[path[-1]] if goal in near[each]][:1])
            path.append(goal)
        return tuple(path)


def _joins(path: tuple[int, ...], stops: list[int]) -> bool:
    return len(path) > 1 and path[0] == stops[0] and path[-1] == stops[-1]


def _ship_at_end(words: list[str], own: Power) -> tuple[int, list[str]] | None:
    """A ship named by the last words, and the words before."""
    for size in (4, 3, 2, 1):
        if size <= len(words):
            ship = TYPED.ship(words[-size:], own)
            if ship is not None:
                return ship, words[:-size]
    return None


class TypedLoad(Typing):
    """`load 2 infantry United Kingdom > transport 1`; the transport may be left out if only one can be meant."""

    about = "load UNITS FROM > transport N"
    verbs = ("load", "embark")

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        units, rest = self.units(_arrows(words))
        power = _power(context)
        parts = [part for part in _cut(rest) if part]
        # With an arrow its sides are apart, so that `uk > transport 1` is not Britain's transport.
        flat = parts[1] if len(parts) == 2 else [word for part in parts for word in part]
        found = _ship_at_end(flat, power)
        ship, names = found if found is not None else (NO_SHIP, flat)
        start = TYPED.need_place(parts[0] if len(parts) == 2 and not names else names)
        if ship == NO_SHIP:
            ship = self._only(context, power, start)
        return [Load(kind, start, ship) for count, kind, _ in units for _ in range(count)]

    def _only(self, context: Context[State], power: Power, start: int) -> int:
        s = context.state
        ships = [
            s.units[each].number
            for place in CHART.near_sea[start]
            for each in s.here(place, power=power, kind=Kind.TRANSPORT)
        ]
        if len(ships) != 1:
            names = ", ".join(f"transport {number}" for number in sorted(ships)) or "none of yours"
            raise _invalid(f"say which transport; next to {s.where(start)} there is {names}", self.about)
        return ship_code(power, Kind.TRANSPORT, ships[0])


class TypedLand(Typing):
    """`land 2 infantry transport 1 > Norway`, `land transport 1 > Norway` (all that is aboard)."""

    about = "land UNITS transport N > TERRITORY"
    verbs = ("land", "unload")

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        power = _power(context)
        words = [word for word in _arrows(words) if word.casefold() not in ("from", *ALL)]
        parts = _cut(words)
        if len(parts) != 2:
            raise _invalid(f"write it as: {self.about}", self.about)
        found = _ship_at_end(parts[0], power)
        if found is None:
            raise _invalid(f"name the transport by its number: {self.about}", self.about)
        ship, head = found
        goal = TYPED.need_place(parts[1])
        if head:
            units, rest = self.units(head)
            if rest:
                raise _invalid(f"{rest[0]!r} is no unit; there are {TYPED.list_kinds()}", self.about)
            return [Land(kind, ship, goal) for count, kind, _ in units for _ in range(count)]
        s = context.state
        number = s.ship(*ship_of(ship))
        aboard = [] if number == NONE else [s.units[each] for each in s.cargo(number)]
        kinds = [unit.kind for unit in aboard if unit.power is power]
        if not kinds:
            raise _invalid(f"nothing of yours is aboard {SHIP_WORDS.word(ship)}: name the units", self.about)
        return [Land(kind, ship, goal) for kind in kinds]


class TypedZone(Typing):
    """`attack sz5 sz6`, `ignore sz5`, `first ukraine, sz5`."""

    about = "attack ZONE, ignore ZONE, first PLACE"
    verbs = ("attack", "ignore", "first", "order")

    def expand(self, words: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        make = {"attack": Attack, "ignore": Ignore, "first": First, "order": First}.get(words[0].casefold())
        if make is None:
            return None
        return tuple(make(place) for place in self._places(words[1:]))

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        return ()

    @staticmethod
    def _places(words: list[str]) -> list[int]:
        names = [part.split() for part in " ".join(words).replace(" then ", ",").split(",")]
        if len(names) == 1 and len(words) > 1 and TYPED.place(words) is None:
            names = [[word] for word in words]
        return [TYPED.need_place(name) for name in names]


class TypedPromise(Typing):
    """`promise carrier 1 sz40`, `promise new carrier sz11`."""

    about = "promise carrier N ZONE, promise new carrier ZONE"
    verbs = ("promise",)

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        words = [word for word in _arrows(words) if word != ">"]
        if words and words[0].casefold() == "new":
            return (Promise(NO_SHIP, TYPED.need_place(words[2:] if len(words) > 2 else words[1:])),)
        power = _power(context)
        for size in range(1, len(words)):
            ship = TYPED.ship(words[:size], power)
            place = None if ship is None else TYPED.place(words[size:])
            if ship is not None and place is not None:
                return (Promise(ship, place),)
        raise _invalid(f"write it as: {self.about}", self.about)


class TypedTimes(Typing):
    """`strike 2`, `submerge 3`."""

    about = "strike N, submerge N"
    verbs = ("strike", "submerge")

    def expand(self, words: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        make = {"strike": Strike, "submerge": Submerge}.get(words[0].casefold())
        if make is None or len(words) != 2:
            return None
        if not (words[1].isascii() and words[1].isdigit()) or not 0 < int(words[1][:4]) <= MOST:
            raise _invalid(f"write it as: {self.about}", self.about)
        return (make(),) * int(words[1])

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        return ()


class TypedRetreat(Typing):
    about = "retreat PLACE"
    verbs = ("retreat", "withdraw")

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        words = [word for word in words if word.casefold() not in ("to", ">")]
        if words:
            return (Retreat(TYPED.need_place(words)),)
        found = [order for order in context.legal() if isinstance(order, Retreat)]
        if len(found) != 1:
            names = tuple(f"retreat {CHART.words[order.to]}" for order in found)
            raise NotationError("ambiguous", f"Say where to: {'; '.join(names) or 'there is no way'}.", names)
        return found


class TypedDivert(Typing):
    """`divert gibraltar`, `divert carrier 1`, `divert sz14 uk carrier 1`."""

    about = "divert TERRITORY, divert POWER carrier N"
    verbs = ("divert",)

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        s, power = context.state, _power(context)
        found = _ship_at_end(words, power)
        if found is None:
            return (Divert(TYPED.need_place(words), NO_SHIP),)
        ship, rest = found
        number = s.ship(*ship_of(ship))
        if not rest and number == NONE:
            raise _invalid(f"there is no {SHIP_WORDS.word(ship)}", self.about)
        return (Divert(TYPED.need_place(rest) if rest else s.units[number].place, ship),)


class TypedPlace(Typing):
    """`place 3 infantry 1 tank Germany`, `place transport sz7`, `place transport sz7 by United Kingdom`."""

    about = "place UNITS PLACE [by COMPLEX]"
    verbs = ("place", "mobilise", "mobilize")

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        units, rest = self.units([word for word in words if word != ">"])
        lower = [word.casefold() for word in rest]
        cut = lower.index("by") if "by" in lower else len(rest)
        at = TYPED.need_place([word for word in rest[:cut] if word.casefold() not in ("in", "at")])
        kinds = [kind for count, kind, _ in units for _ in range(count)]
        if cut < len(rest):
            by = TYPED.need_place(rest[cut + 1 :])
            return [Put(kind, at, by) for kind in kinds]
        if not is_zone(at):
            return [Put(kind, at, at) for kind in kinds]
        s = context.state
        left = {each: room(s, each) for each in complexes(s, _power(context)) if at in CHART.near_sea[each]}
        orders = []
        for kind in kinds:
            if not left:  # whose is wrong, the rules say
                near = [each for each in CHART.complexes if at in CHART.near_sea[each]]
                orders.append(Put(kind, at, (near or [CHART.capital[_power(context)]])[0]))
                continue
            by = max(left, key=lambda each: (left[each], -each))
            left[by] -= 1
            orders.append(Put(kind, at, by))
        return orders


GROUPS = (
    TypedBuy(),
    TypedShare(),
    TypedMove(),
    TypedLoad(),
    TypedLand(),
    TypedZone(),
    TypedPromise(),
    TypedLose(),
    TypedTimes(),
    TypedRetreat(),
    TypedDivert(),
    TypedPlace(),
    TypedReturn(),
)
