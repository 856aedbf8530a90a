"""How orders are written: `move 3Pz 1204-1305`, `attack 1507 with 2Pz 3Pz 4`, `event 22`, `discard 7 for rail 4Pz`.

The exact text of a card names the slot in which it lies (`7#1/12`), so that it is the same for everybody; players write
the number. Places are written by their four digits or by name.
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.game import Context, Group, Names, Notation, NotationError, Order, Verb, View, Words, slot_order
from pbem.kit import Strike, hex_name, odds_of, parse_hex
from pbem_rules.noretreat.cards.frames import Spying
from pbem_rules.noretreat.chart import AXIS, DATA, Chart, other, units_of
from pbem_rules.noretreat.hands import hand_numbers
from pbem_rules.noretreat.orders import (
    CARD,
    CHOICE,
    DECK,
    UNIT,
    Attack,
    Cadre,
    Choose,
    Clear,
    Counter,
    Detach,
    Discard,
    Drop,
    Event,
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
    held_number,
    held_of,
)  # fmt: skip
from pbem_rules.noretreat.state import State

_UNITS = units_of(DATA["units"])
ODDS = odds_of(next(each for each in DATA["tables"]["tables"] if each["name"] == AXIS))
CODES = {unit.code: unit.number for unit in _UNITS}
OF_UNIT: dict[str, Callable[[int], Order]] = {
    "upgrade": Upgrade, "flip": Flip, "rail": Load, "reserve": Reserve, "lose": Lose, "cadre": Cadre, "leave": Leave,
    "help": Help, "partisans": Infiltrate,
}  # fmt: skip
_FOLDED = {unit.code.casefold(): unit.number for unit in _UNITS}


class Units:
    thing = "u"

    def word(self, value: int) -> str:
        return _UNITS[value].code if 0 <= value < len(_UNITS) else f"?{value}"

    def value(self, word: str) -> int:
        if word not in CODES:
            raise ValueError(word)
        return CODES[word]


class Places:
    thing = "p"

    def word(self, value: int) -> str:
        return hex_name(value) if 0 <= value <= 9999 else f"?{value}"

    def value(self, word: str) -> int:
        found = parse_hex(word)
        if found is None:
            raise ValueError(word)
        return found

    def exists(self, value: int, context: Context[State]) -> bool:
        return value in context.state.chart.board


class HandCards:
    """`7#1/12`: card 7 in slot 12 of the first shuffle; `7#open`: one that everybody knows to be there."""

    def word(self, value: int) -> str:
        held = held_of(value)
        if isinstance(held, int):
            return f"{value}#open"
        epoch, place = slot_order(held)
        return f"{card_of(value)}#{epoch}/{place}"

    def value(self, word: str) -> int:
        card, _, slot = word.partition("#")
        epoch, _, place = slot.partition("/")
        parts = [card] if slot == "open" else [card, epoch, place]
        if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
            raise ValueError(word)
        number = int(card) if slot == "open" else held_number(f"{DECK}/{epoch}/{place}", int(card))
        if self.word(number) != word:
            raise ValueError(word)
        return number

    def key(self, value: int) -> str:
        """Wherever it lies, it is this card."""
        return f"c:{card_of(value)}"


class EventTargets:
    """What events are played on: `1507`, a unit's code, `=2` for the second possibility, `c14` for a card."""

    def word(self, value: int) -> str:
        if value >= CARD:
            return f"c{value - CARD}"
        if value >= CHOICE:
            return f"={value - CHOICE}"
        if value >= UNIT:
            return Units().word(value - UNIT)
        return Places().word(value)

    def value(self, word: str) -> int:
        if word in CODES:
            return UNIT + CODES[word]
        number = word[1:]
        if word[:1] in ("=", "c") and number.isascii() and number.isdigit() and len(number) < 4:
            found = (CHOICE if word[0] == "=" else CARD) + int(number)
            if self.word(found) == word:
                return found
            raise ValueError(word)
        return Places().value(word)

    def key(self, value: int) -> str:
        word = self.word(value)
        return f"p:{word}" if value < UNIT else f"u:{word}" if value < CHOICE else f"w:{word}"


class Markers:
    """`alone` is what an attack is that nobody puts a marker on."""

    def word(self, value: Marker) -> str:
        return value.value

    def value(self, word: str) -> Marker:
        return Marker(word)

    def key(self, value: Marker) -> str:
        return "" if value == Marker.NONE else f"w:{value}"


class Purposes:
    """What is paid for is told by the unit or the hex."""

    def word(self, value: Purpose) -> str:
        return value.value

    def value(self, word: str) -> Purpose:
        return Purpose(word)

    def key(self, value: Purpose) -> str:
        return ""


def typed(text: str) -> str:
    """An order's text as a player would write it: cards by their number, lists with spaces, nothing for nothing."""
    verb, *words = (word for word in text.split(" ") if word != Marker.NONE)
    if words and words[-1] == "-":
        words.pop()
    if words and words[-1] == "on":
        words.pop()
    return " ".join([verb, *(word.partition("#")[0] for part in words for word in part.split(","))])


def title(order: Event, view: View[State]) -> str:
    """`Katyushas`: what stands on the card for who plays it."""
    return view.state.chart.card_title(view.seats[0], card_of(order.card))


def titles(order: Discard | Drop, view: View[State]) -> str:
    """The titles of the cards that the player throws away."""
    return ", ".join(view.state.chart.card_title(view.seats[0], card_of(number)) for number in order.cards)


def option(order: Choose, view: View[State]) -> str:
    """What the number of a choice stands for: a card of the other hand."""
    frame = view.frame
    return view.state.chart.card_title(other(frame.side), order.option) if isinstance(frame, Spying) else ""


def goal(order: Order, view: View[State]) -> str:
    """The name of the place that the order leads to, if it has one."""
    place = next(getattr(order, name) for name in ("to", "hex", "target", "path") if hasattr(order, name))
    last = place[-1] if isinstance(place, tuple) else place
    board = view.state.chart.board
    return board[last].name if last in board else ""


def place_of(chart: Chart, word: str) -> int | None:
    """A place by its number or its name, with underscores for spaces; the beginning is enough if it is the only one."""
    found = chart.board.place_named(word.replace("_", " "))
    if found is not None:
        return found
    near = _begun(chart, word)
    return near[0] if len(near) == 1 else None


def _begun(chart: Chart, word: str) -> list[int]:
    """The places whose names begin so."""
    if word.isdigit() or len(word) < 3:
        return []
    start = word.replace("_", " ").casefold()
    return [place.id for place in chart.board.places.values() if place.name and place.name.casefold().startswith(start)]


def no_place(chart: Chart, word: str) -> NotationError:
    """Which place may have been meant."""
    from difflib import get_close_matches

    if word.isdigit():
        return NotationError("invalid", f"Not understood: {word!r} is no place on the map. Hexes have four digits.")
    names = [place.name for place in chart.board.places.values() if place.name]
    several = [chart.place_text(place) for place in _begun(chart, word)]
    if several:
        return NotationError("ambiguous", f"{word!r} may be {', '.join(several)}.", tuple(several))
    near = get_close_matches(word.replace("_", " ").title(), names, 3)
    hint = f" Did you mean {' or '.join(near)}?" if near else " Places are written by number or name: 1408, Smolensk."
    return NotationError("invalid", f"Not understood: {word!r} is no place on the map.{hint}", tuple(near))


def no_unit(word: str) -> NotationError:
    from difflib import get_close_matches

    near = get_close_matches(word.casefold(), list(_FOLDED), 3)
    texts = tuple(_UNITS[_FOLDED[name]].code for name in near)
    hint = (
        f" Did you mean {' or '.join(texts)}?" if texts else " Units are written by the codes on the board: 3Pz, West."
    )
    return NotationError("invalid", f"Not understood: {word!r} is no unit.{hint}", texts)


def unit_of(word: str) -> int | None:
    return CODES[word] if word in CODES else _FOLDED.get(word.casefold())


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
        found = unit_of(word)
        if found is None:
            raise no_unit(word)
        return found

    def _place(self, word: str, context: Context[State]) -> int:
        found = place_of(context.state.chart, word)
        if found is None:
            raise no_place(context.state.chart, word)
        return found

    def _path(self, words: list[str], context: Context[State]) -> tuple[int, ...]:
        return tuple(self._place(part, context) for part in "-".join(words).split("-") if part)

    def _card(self, word: str, context: Context[State]) -> int:
        if "#" in word:
            return HandCards().value(word)
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
            return EventTargets().value(word)
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
                shown = ", ".join(",".join(map(EventTargets().word, way.targets)) for way in ways[:8])
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
            more[at] = "-".join(EventTargets().word(self._target(word, context)) for word in way)
        verb = NOTATION.verb_of[Attack]
        return (verb.read([*verb.write(order).split(" "), *more]),)


def _notation() -> Notation[State]:
    units, places, cards, targets = Units(), Places(), HandCards(), EventTargets()
    unit: dict[str, Names] = {"unit": units}
    to: dict[str, Names] = {"unit": units, "to": places}
    path: dict[str, Names] = {"unit": units, "path": places}
    event: dict[str, Names] = {"card": cards, "targets": targets}
    paid: dict[str, Names] = {"cards": cards, "targets": targets, "purpose": Purposes()}
    columns = Words(dict(enumerate(map(ODDS.name, range(len(ODDS.columns))))), "odds")
    battle: dict[str, Names] = {
        "target": places, "units": units, "marker": Markers(), "least": columns, "pursue": targets,
    }  # fmt: skip
    detach: dict[str, Names] = {"unit": units, "units": units, "hexes": places}
    dash = {"path": "-"}
    return Notation(
        Verb(
            Move, "move {unit} {path}", names=path, joined=dash, about="move a unit, by way of the places named",
            gloss=goal,
        ),
        Verb(Event, "event {card} on {targets}", names=event, about="play a card", shown=typed, gloss=title),
        Verb(
            Discard, "discard {cards} for {purpose} {targets}", names=paid,
            about="pay with cards: rail, return, upgrade, reorganise, counterblow", shown=typed, gloss=titles,
        ),
        Verb(Drop, "drop {cards}", names={"cards": cards}, about="throw cards away", shown=typed, gloss=titles),
        Verb(Upgrade, "upgrade {unit}", names=unit, about="a free upgrade"),
        Verb(Flip, "flip {unit}", names=unit, about="to or from the fortified side"),
        Verb(Place, "place {unit} {to}", names=to, about="bring a unit onto the map", gloss=goal),
        Verb(Load, "rail {unit}", names=unit, about="the free unit of the turn goes by rail"),
        Verb(Reserve, "reserve {unit}", names=unit, about="the Strategic Reserve"),
        Verb(Target, "target {hex}", names={"hex": places}, about="mark a hex that you will attack", gloss=goal),
        Verb(
            Attack,
            "attack {target} with {units} {marker} "
            "[at {least}] [pursue {pursue}] [after {after}] [unless {unless}] [ask]",
            names=battle, joined={"pursue": "-"}, shown=typed, gloss=goal,
            about="list a battle: `blitz` or `shock` with a marker, `at 2:1` or better, `pursue 3Pz-1608`, `after 1`",
        ),
        Verb(Counter, "counter {marker}", names={"marker": Markers()}, about="counterattack", shown=typed),
        Verb(Mark, "mark {unit}", names=unit, about="the unit that the enemy must attack"),
        Verb(Lose, "lose {unit}", names=unit, about="the unit that loses a step"),
        Verb(Cadre, "cadre {unit}", names=unit, about="a cadre takes the place of a unit lost"),
        Verb(GoBack, "retreat {unit} {path}", names=path, joined=dash, about="retreat", gloss=goal),
        Verb(Pursue, "pursue {unit} {path}", names=path, joined=dash, about="follow the enemy", gloss=goal),
        Verb(Unload, "unload {unit} {to}", names=to, about="get off the railway", gloss=goal),
        Verb(Leave, "leave {unit}", names=unit, about="the unit that leaves a stack which is too large"),
        Verb(Clear, "clear {hex}", names={"hex": places}, about="take a Scorched Earth marker off", gloss=goal),
        Verb(Choose, "choose {option}", about="one of the numbered possibilities", gloss=option),
        Verb(Recall, "recall {unit} {to}", names=to, about="the SS Panzer Army comes back for a point", gloss=goal),
        Verb(
            Detach, "detach {unit} {units} {hexes}", names=detach,
            about="exchange a unit for others (optional rule)",
        ),
        Verb(Help, "help {unit}", names=unit, about="local combat support (optional rule)"),
        Verb(Infiltrate, "partisans {unit}", names=unit, about="the partisan marker (optional rule)"),
        Verb(Strike, "strike {number}", about="strike a battle that waits off the list"),
        groups=(Named(),),
    )  # fmt: skip


NOTATION = _notation()
