"""How orders are written: `move B3 0405`, `attack 0506 from 0405,0406`, `play mud1 - #103`.

The text of a card names the card with its copy's number and the slot in hand (`#103`: epoch 1, position 3), so that it
can be read by anybody. A player types less: `play mud`, `play barrage 0506`, `rally B3 mud`, hexes with spaces between.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.game import Click, Context, Group, Notation, NotationError, Order, Verb, View, Words, slot_order
from pbem.kit import HexWords, hex_name, parse_hex, place_key
from pbem_rules.bridgehead.chart import DATA, Chart, chart_of
from pbem_rules.bridgehead.orders import (
    NO_TARGET,
    POSTURES,
    Advance,
    Attack,
    Choose,
    Counter,
    Enter,
    GoBack,
    Halt,
    Move,
    Play,
    Rally,
    Stand,
    slot_text,
)
from pbem_rules.bridgehead.state import State


class Slots:
    """`#103`: position 3 of epoch 1."""

    def word(self, value: Any) -> str:
        return f"#{value}"

    def value(self, word: str) -> int:
        if not (word[:1] == "#" and word[1:].isascii() and word[1:].isdigit() and len(word) < 10):
            raise ValueError(word)
        return int(word[1:])

    def said(self, value: int, view: View[State]) -> str:
        """The name on the card that lies there, to its owner."""
        card = view.card(slot_text(view.state.deck.name, value))
        return "a card" if card is None else view.state.chart.cards[card].name


class Cards(Words):
    """`mud1`: a copy of a card."""

    def said(self, value: int, view: View[State]) -> str:
        """The name on the card."""
        return view.state.chart.cards[value].name


class Targets:
    """A hex, a unit, or nothing."""

    def __init__(self, units: Words) -> None:
        self._units = units

    def word(self, value: Any) -> str:
        if value == NO_TARGET:
            return "-"
        return self._units.word(value) if 0 <= value < 100 else hex_name(value)

    def value(self, word: str) -> int:
        if word == "-":
            return NO_TARGET
        cell = parse_hex(word)
        target = self._units.value(word) if cell is None else cell
        return int(target)


def card_words(chart: Chart) -> dict[int, str]:
    return {card: chart.card_word(card) for card in range(len(chart.cards))}


class TypedAttack(Group[State]):
    """`attack 0506 from 0406 0405`, in any order."""

    about = "attack HEX from HEX..."

    def expand(self, words: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        if words[0] != "attack" or len(words) < 4 or words[2] != "from":
            return None
        cells = [parse_hex(word) for word in (words[1], *" ".join(words[3:]).replace(",", " ").split())]
        if any(cell is None for cell in cells):
            raise NotationError("invalid", "Not understood: hexes have four digits, as in 0506.", (self.about,))
        target, *hexes = (cell for cell in cells if cell is not None)
        return (Attack(target, tuple(sorted(set(hexes)))),)


class TypedCard(Group[State]):
    """`play barrage 0506`, `play mud`, `rally B3 mud`: the first card of that kind in the hand."""

    about = "play CARD [TARGET], rally UNIT CARD"

    def __init__(self, units: Words) -> None:
        self._units = units
        self._targets = Targets(units)

    def expand(self, words: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        if words[0] == "play" and len(words) in (2, 3):
            found = self._held(words[1], context)
            if found is None:
                return None
            try:
                target = self._targets.value(words[2]) if len(words) == 3 else NO_TARGET
            except ValueError:
                raise NotationError("invalid", f"Not understood: {words[2]!r} is neither a hex nor a unit.") from None
            return (Play(found[0], found[1], target),)
        if words[0] == "rally" and len(words) == 3:
            found = self._held(words[2], context)
            if found is None:
                return None
            try:
                return (Rally(self._units.value(words[1]), found[1]),)
            except ValueError:
                raise NotationError("invalid", f"Not understood: {words[1]!r} is not a unit.") from None
        return None

    @staticmethod
    def _held(word: str, context: Context[State]) -> tuple[int, int] | None:
        """Card and slot number of the first card in hand whose kind's name begins so, or of the copy that is named
        (`mud2`); None: it is no kind's name."""
        s = context.state
        copies = {card for card, name in card_words(s.chart).items() if name == word.casefold()}
        kinds = {key for key in s.chart.card_kinds if key.startswith(word.casefold())}
        kinds |= {s.chart.cards[card].key for card in copies}
        if len(kinds) != 1:
            return None
        for card, held in s.deck.cards(context.seat, context.own):
            if isinstance(held, str) and s.chart.cards[card].key in kinds and card in (copies or {card}):
                epoch, position = slot_order(held)
                return card, 100 * epoch + position
        raise NotationError("unknown", f"You hold no {s.chart.cards.kinds[min(kinds)].name}.")


def said_posture(order: Choose, _: View[State]) -> str:
    return f"take the posture {order.posture} for three turns: {POSTURES[order.posture]}"


def clicked_play(order: Play, view: View[State]) -> Iterator[Click]:
    """The card, then what it is played on."""
    chart, target = view.state.chart, order.target
    yield Click((chart.card_key(order.card),))
    if target != NO_TARGET:
        yield Click((chart.units[target].key if target < 100 else place_key(target),))


def clicked_rally(order: Rally, view: View[State]) -> Iterator[Click]:
    """The unit, then the card that is thrown away for it."""
    chart, card = view.state.chart, view.card(slot_text(view.state.deck.name, order.slot))
    yield Click((chart.units[order.unit].key,))
    yield Click((f"w:#{order.slot}" if card is None else chart.card_key(card),))


def typed_card(text: str) -> str:
    """`play mud1`, `play barrage1 0506`: without the slot, and without a target where there is none."""
    return " ".join(word for word in text.split(" ")[:-1] if word != "-")


def _notation() -> Notation[State]:
    chart = chart_of(DATA)
    units = Words({unit.number: unit.code for unit in chart.units}, thing="u")
    cards = Cards(card_words(chart))
    hexes, slots = HexWords(), Slots()
    return Notation(
        Verb(Move, "move {unit} {to}", names={"unit": units, "to": hexes}, about="move a unit the cheapest way"),
        Verb(
            Rally,
            "rally {unit} {slot}",
            names={"unit": units, "slot": slots},
            about="throw a card away for a lost step",
            clicks=clicked_rally,
        ),
        Verb(
            Play,
            "play {card} {target} {slot}",
            names={"card": cards, "target": Targets(units), "slot": slots},
            about="play a card of your hand",
            shown=typed_card,
            clicks=clicked_play,
        ),
        Verb(
            Attack, "attack {target} from {hexes}", names={"target": hexes, "hexes": hexes}, about="declare an attack"
        ),
        Verb(GoBack, "retreat {unit} {to}", names={"unit": units, "to": hexes}, about="retreat one hex"),
        Verb(Stand, "stand", about="lose a step more and stay"),
        Verb(Advance, "advance {unit} {to}", names={"unit": units, "to": hexes}, about="advance after a battle"),
        Verb(Halt, "halt", about="advance no further"),
        Verb(Counter, "counter {target}", names={"target": hexes}, about="counterattack"),
        Verb(Enter, "reserve {hex}", names={"hex": hexes}, about="choose in secret where your reserve enters"),
        Verb(Choose, "posture {posture}", about="choose your posture for three turns", says=said_posture),
        groups=(TypedAttack(), TypedCard(units)),
    )


NOTATION = _notation()
