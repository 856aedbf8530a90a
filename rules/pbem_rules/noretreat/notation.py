"""How orders are written: `move 3Pz 1204-1305`, `attack 1507 with 2Pz 3Pz 4`, `event 22`, `discard 7 for rail 4Pz`.

The exact text of a card names the slot in which it lies (`7#1/12`), so that it is the same for everybody; players write
the number. Places are written by their four digits or by name.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.game import Context, Group, Notation, NotationError, Numbers, Order, Verb, View, Words
from pbem.kit import PlaceFinder, Strike, Struck, UnitFinder, all_of, odds_of
from pbem_rules.noretreat.cards.base import EVENTS
from pbem_rules.noretreat.cards.frames import Spying
from pbem_rules.noretreat.chart import AXIS, DATA, Chart, other
from pbem_rules.noretreat.hands import hand_numbers
from pbem_rules.noretreat.orders import (
    CARDS,
    CHOICE,
    CODES,
    PAID,
    TARGETS,
    UNIT,
    Attack,
    Cadre,
    Choose,
    Clear,
    Counter,
    Discard,
    Drop,
    Event,
    EventTargets,
    Flip,
    GoBack,
    Help,
    Infiltrate,
    Leave,
    Load,
    Lose,
    Mark,
    Marker,
    Move,
    Place,
    Purpose,
    Pursue,
    Recall,
    Reserve,
    Target,
    Unload,
    Upgrade,
    card_of,
)  # fmt: skip
from pbem_rules.noretreat.state import State

ODDS = odds_of(next(each for each in DATA["tables"]["tables"] if each["name"] == AXIS))
OF_UNIT: dict[str, Callable[[int], Order]] = {
    "upgrade": Upgrade, "flip": Flip, "rail": Load, "reserve": Reserve, "lose": Lose, "cadre": Cadre, "leave": Leave,
    "help": Help, "partisans": Infiltrate,
}  # fmt: skip
_UNITS = UnitFinder(CODES, "3Pz, West")


def typed(text: str) -> str:
    """An order's text as a player would write it: cards by their number, lists with spaces, nothing for nothing."""
    verb, *words = (word for word in text.split(" ") if word != Marker.NONE)
    if words and words[-1] == "-":
        words.pop()
    if words and words[-1] == "on":
        words.pop()
    return " ".join([verb, *(word.partition("#")[0] for part in words for word in part.split(","))])


def paid(order: Discard, view: View[State]) -> str:
    """What the cards are, and what they pay for: a unit that comes back with its place."""
    cards = all_of(CARDS.said(card, view) for card in order.cards)
    targets = [TARGETS.said(target, view) for target in order.targets]
    goal = " to ".join(targets) if order.purpose == Purpose.RETURN else all_of(targets)
    return f"discard {cards}, to pay for {PAID[order.purpose]} {goal}"


class PlayedOn(EventTargets):
    """What an event is played on, in the words of its card: `two cards` for `=2`."""

    def said_of(self, order: Event, value: int, view: View[State]) -> str:
        held = EVENTS.get((view.seats[0], card_of(order.card))) if view.seats else None
        if held is None or value < CHOICE or value not in order.targets:
            return self.said(value, view)
        return held.told(view.state, order.targets)[order.targets.index(value)]


class Options(Numbers):
    """The number of a die, or of a card of the other hand."""

    def said(self, value: int, view: View[State]) -> str:
        frame = view.frame
        title = view.state.chart.card_title(other(frame.side), value) if isinstance(frame, Spying) else ""
        return f"{value}{title and f', {title}'}"


def place_of(chart: Chart, word: str) -> int | None:
    return _places(chart).find(word)


def unit_of(word: str) -> int | None:
    return _UNITS.find(word)


def _places(chart: Chart) -> PlaceFinder:
    return PlaceFinder(chart.board, "1408, Smolensk")


_PARTS = ("at", "pursue", "after", "unless", "ask")


class Named(Group[State]):
    """The same orders with places by name, units in any case, cards by number, lists with spaces."""

    about = "places by name, cards by number: `move 3Pz Smolensk`, `attack Kiev with 1Pz 6 blitz`, `event 22`"

    def expand(self, words: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        readers: dict[str, Callable[[list[str], Context[State]], tuple[Order, ...] | None]] = {
            "move": self._move, "attack": self._attack, "event": self._event, "discard": self._discard,
            "drop": self._drop, "target": self._target_order, "place": self._place_order, "unload": self._unload,
            "retreat": self._retreat, "pursue": self._pursue, "mark": self._mark, "clear": self._clear,
            "recall": self._recall,
        }  # fmt: skip
        if [word.casefold() for word in words] == ["counter"]:
            return (Counter(),)
        of_unit = OF_UNIT.get(words[0].casefold())
        if of_unit is not None and len(words) == 2:
            return (of_unit(self._unit(words[1])),)
        reader = readers.get(words[0].casefold())
        return None if reader is None or len(words) < 2 else reader(words[1:], context)

    def _unit(self, word: str) -> int:
        return _UNITS.named(word)

    def _place(self, word: str, context: Context[State]) -> int:
        return _places(context.state.chart).named(word)

    def _path(self, words: list[str], context: Context[State]) -> tuple[int, ...]:
        return tuple(self._place(part, context) for part in "-".join(words).split("-") if part)

    def _card(self, word: str, context: Context[State]) -> int:
        if "#" in word:
            return CARDS.value(word)
        hand = hand_numbers(context.state, context.seat, context.own)
        for number in hand:
            if str(card_of(number)) == word:
                return number
        held = ", ".join(map(str, sorted(map(card_of, hand))))
        raise NotationError("unknown", f"You do not hold card {word} (NR-5.8); you hold {held or 'none'}.")

    def _cards(self, words: list[str], context: Context[State]) -> tuple[int, ...]:
        return tuple(self._card(word, context) for part in words for word in part.split(",") if word)

    def _target(self, word: str, context: Context[State]) -> int:
        unit = unit_of(word)
        if unit is not None:
            return UNIT + unit
        try:
            return TARGETS.value(word)
        except ValueError:
            return self._place(word, context)

    def _targets(self, words: list[str], context: Context[State]) -> tuple[int, ...]:
        return tuple(self._target(word, context) for part in words for word in part.split(",") if word and word != "-")

    def _move(self, rest: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        if len(rest) < 2:
            return None
        unit, path = self._unit(rest[0]), self._path(rest[1:], context)
        if len(path) > 1 and path[0] == context.state.at(unit):
            path = path[1:]  # written from where it stands
        return (Move(unit, path),)

    def _retreat(self, rest: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        return (GoBack(self._unit(rest[0]), self._path(rest[1:], context)),) if len(rest) > 1 else None

    def _pursue(self, rest: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        return (Pursue(self._unit(rest[0]), self._path(rest[1:], context)),) if len(rest) > 1 else None

    def _place_order(self, rest: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        return (Place(self._unit(rest[0]), self._place("_".join(rest[1:]), context)),) if len(rest) > 1 else None

    def _unload(self, rest: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        return (Unload(self._unit(rest[0]), self._place("_".join(rest[1:]), context)),) if len(rest) > 1 else None

    def _recall(self, rest: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        return (Recall(self._unit(rest[0]), self._place("_".join(rest[1:]), context)),) if len(rest) > 1 else None

    def _clear(self, rest: list[str], context: Context[State]) -> tuple[Order, ...]:
        return (Clear(self._place("_".join(rest), context)),)

    def _target_order(self, rest: list[str], context: Context[State]) -> tuple[Order, ...]:
        return tuple(Target(self._place(word, context)) for part in rest for word in part.split(",") if word)

    def _mark(self, rest: list[str], context: Context[State]) -> tuple[Order, ...]:
        """A unit, or the place of the only one there that has fought."""
        word = "_".join(rest)
        state, found = context.state, unit_of(word)
        if found is None:
            place = self._place(word, context)
            stack = state.ground.stacks[place]
            there = [unit for unit in stack if state.fight and unit in state.fight.units] or stack
            if len(there) != 1:
                units = ", ".join(state.name(unit) for unit in there)
                raise NotationError("ambiguous", f"Name a unit that attacked{': ' if units else ''}{units}.")
            (found,) = there
        return (Mark(found),)

    def _drop(self, rest: list[str], context: Context[State]) -> tuple[Order, ...]:
        return (Drop(self._cards(rest, context)),)

    def _event(self, rest: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        number = self._card(rest[0], context)
        targets = self._targets([word for word in rest[1:] if word != "on"], context)
        if not targets:
            # A card alone: the one way to play it, if there is only one.
            ways = [o for o in context.legal() if isinstance(o, Event) and card_of(o.card) == card_of(number)]
            if len(ways) == 1:
                return (ways[0],)
            if len(ways) > 1 and not any(not way.targets for way in ways):
                shown = ", ".join(",".join(map(TARGETS.word, way.targets)) for way in ways[:8])
                raise NotationError("ambiguous", f"Event {card_of(number)} needs a target: {shown}.")
        return (Event(number, targets),)

    def _discard(self, rest: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        if "for" not in rest or rest.index("for") + 1 >= len(rest):
            return None
        cut = rest.index("for")
        try:
            purpose = Purpose(rest[cut + 1].casefold().replace("ganize", "ganise"))
        except ValueError:
            raise NotationError("invalid", f"Discards pay for {', '.join(Purpose)}.") from None
        return (Discard(self._cards(rest[:cut], context), purpose, self._targets(rest[cut + 2 :], context)),)

    def _attack(self, rest: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        if "with" in rest and not rest.index("with"):
            raise NotationError("invalid", "Not understood: write it as: attack HEX with UNITS, or with UNITS blitz.")
        if "with" not in rest:
            return None
        cut = rest.index("with")
        end = next((at for at, word in enumerate(rest) if at > cut and word.casefold() in _PARTS), len(rest))
        marker = Marker.NONE
        names = [word for part in rest[cut + 1 : end] for word in part.split(",") if word]
        if names and names[-1].casefold() in (*Marker,):
            marker = Marker(names.pop().casefold())
        units = tuple(sorted({self._unit(word) for word in names}))
        if not units:
            return None
        # Names become codes and numbers, then the exact form is read: that says what is wrong with the rest.
        order = Attack(self._place("_".join(rest[:cut]), context), units, marker)
        more = [word.casefold() for word in rest[end:]]
        if "pursue" in more[:-1]:
            at = more.index("pursue") + 1
            way = [word for part in rest[end:][at].split("-") for word in part.split(",") if word]
            more[at] = "-".join(TARGETS.word(self._target(word, context)) for word in way)
        verb = NOTATION.verb_of[Attack]
        return (verb.read([*verb.write(order).split(" "), *more]),)


STRUCK = Struck(lambda view, entry: f"the attack on {view.state.chart.place_text(entry.target)}")


def _notation() -> Notation[State]:
    columns = Words(dict(enumerate(map(ODDS.name, range(len(ODDS.columns))))), "odds")
    return Notation(
        *(Verb(order, shown=typed) for order in (Drop, Counter)),
        Verb(Event, names={"targets": PlayedOn()}, shown=typed),
        Verb(Discard, shown=typed, says=paid),
        Verb(Attack, names={"least": columns}, shown=typed),
        Verb(Choose, names={"option": Options()}),
        Verb(Strike, names={"number": STRUCK}, about="strike a waiting battle off the list", says=STRUCK.says),
        groups=(Named(),),
    )


NOTATION = _notation()
