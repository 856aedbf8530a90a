"""Input of players: several units in one line, names in many forms."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.game import Context, NotationError, Order
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.mobilise import complexes, room
from pbem_rules.axis1941.names import TYPED
from pbem_rules.axis1941.notation_base import MOST, Typing, arrows, invalid, ship_at_end
from pbem_rules.axis1941.notation_moves import TypedLand, TypedLoad, TypedMove
from pbem_rules.axis1941.orders import (
    NO_SHIP,
    SHIP_WORDS,
    Attack,
    Buy,
    Divert,
    First,
    Ignore,
    Lose,
    Promise,
    Put,
    Retreat,
    Return,
    Share,
    Shared,
    Strike,
    Submerge,
    power_of,
)
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.tolls import Tolls
from pbem_rules.axis1941.units import NONE, ship_of

TOLL_WORDS = Tolls()


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
                raise invalid(f"{word!r} is not a loss; there are {TYPED.list_kinds()}, damage", self.about) from None
            orders += [Lose(toll)] * count
            count = 1
        if not orders:
            raise invalid(f"write it as: {self.about}", self.about)
        return orders


class TypedReturn(Typing):
    about = "return 1 tank"
    verbs = ("return",)

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        return map(Return, self.only_units(words))


class TypedShare(Typing):
    """`share deck usa no`, `allow usa deck`, `forbid usa hold`."""

    about = "allow POWER deck|hold, forbid POWER deck|hold, or share deck|hold POWER yes|no"
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
            raise invalid(f"write it as: {self.about}", self.about)
        return (Share(what[0], ally[0], yes[0]),)


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
        words = [word for word in arrows(words) if word != ">"]
        if words and words[0].casefold() == "new":
            return (Promise(NO_SHIP, TYPED.need_place(words[2:] if len(words) > 2 else words[1:])),)
        power = power_of(context)
        for size in range(1, len(words)):
            ship = TYPED.ship(words[:size], power)
            place = None if ship is None else TYPED.place(words[size:])
            if ship is not None and place is not None:
                return (Promise(ship, place),)
        raise invalid(f"write it as: {self.about}", self.about)


class TypedTimes(Typing):
    """`strike 2`, `submerge 3`."""

    about = "strike N, submerge N"
    verbs = ("strike", "submerge")

    def expand(self, words: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        make = {"strike": Strike, "submerge": Submerge}.get(words[0].casefold())
        if make is None or len(words) != 2:
            return None
        if not (words[1].isascii() and words[1].isdigit()) or not 0 < int(words[1][:4]) <= MOST:
            raise invalid(f"write it as: {self.about}", self.about)
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
        if not found:
            return (
                Retreat(context.state.chart.capital[power_of(context)]),
            )  # the rules say that nobody asks for it now
        if len(found) != 1:
            names = tuple(f"retreat {context.state.chart.words[order.to]}" for order in found)
            raise NotationError("ambiguous", f"Say where to: {'; '.join(names)}.", names)
        return found


class TypedDivert(Typing):
    """`divert gibraltar`, `divert carrier 1`, `divert sz14 uk carrier 1`."""

    about = "divert TERRITORY, divert POWER carrier N"
    verbs = ("divert",)

    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]:
        s, power = context.state, power_of(context)
        found = ship_at_end(words, power)
        if found is None:
            return (Divert(TYPED.need_place(words), NO_SHIP),)
        ship, rest = found
        number = s.ship(*ship_of(ship))
        if not rest and number == NONE:
            raise invalid(f"there is no {SHIP_WORDS.word(ship)}", self.about)
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
        left = {each: room(s, each) for each in complexes(s, power_of(context)) if at in s.chart.near_sea[each]}
        orders = []
        for kind in kinds:
            if not left:  # whose is wrong, the rules say
                near = [each for each in s.chart.complexes if at in s.chart.near_sea[each]]
                orders.append(Put(kind, at, (near or [s.chart.capital[power_of(context)]])[0]))
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
