"""The orders of players. Units are their numbers, hexes and areas their ids, cards in hand `slot * 100 + card`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pbem.game import HeldCard, Order, OrderPart, View, Words, slot_order
from pbem.kit import Assault, HexWords, all_of, named_ways
from pbem_rules.noretreat.chart import DATA, units_of

DECK = "events"
UNIT, CHOICE, CARD = 20_000, 30_000, 40_000  # where units, choices and cards begin among an event's targets
_DEEP, _WIDE = 54, 55  # cards of a deck, and the numbers that a card can have


class Purpose(StrEnum):
    """What a discard pays for (NR-5.8)."""

    RAIL = "rail"
    RETURN = "return"
    UPGRADE = "upgrade"
    REORGANISE = "reorganise"
    COUNTERBLOW = "counterblow"


PAID = {
    Purpose.RAIL: "the rail transport of", Purpose.RETURN: "the return of", Purpose.UPGRADE: "the upgrade of",
    Purpose.REORGANISE: "the reorganisation of", Purpose.COUNTERBLOW: "a counterblow against",
}  # fmt: skip


class Marker(StrEnum):
    """NR-9.21."""

    NONE = "alone"
    BLITZ = "blitz"
    SHOCK = "shock"


def held_number(held: HeldCard, card: int) -> int:
    """A card of a hand as one number: where it lies, and which it is. One that lies open has no slot."""
    if isinstance(held, int):
        return card
    epoch, position = slot_order(held)
    return ((epoch - 1) * _DEEP + position + 1) * _WIDE + card


def card_of(number: int) -> int:
    return number % _WIDE


def held_of(number: int) -> HeldCard:
    slot = number // _WIDE
    return f"{DECK}/{(slot - 1) // _DEEP + 1}/{(slot - 1) % _DEEP}" if slot > 0 else number


# How the fields are written. Units by their codes, places by four digits.

CODES = {unit.code: unit.number for unit in units_of(DATA["units"])}
UNITS = Words({number: code for code, number in CODES.items()}, noun="unit", thing="u")


def _card_said(card: int, view: View[Any]) -> str:
    """With its title for the player: `card 22 (Katyushas)`."""
    title = view.state.chart.card_title(view.seats[0], card) if view.seats else ""
    return f"card {card}{title and f' ({title})'}"


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

    def said(self, value: int, view: View[Any]) -> str:
        return _card_said(card_of(value), view)


class EventTargets:
    """What events are played on: `1507`, a unit's code, `=2` for the second possibility, `c14` for a card."""

    def word(self, value: int) -> str:
        if value >= CARD:
            return f"c{value - CARD}"
        if value >= CHOICE:
            return f"={value - CHOICE}"
        if value >= UNIT:
            return UNITS.word(value - UNIT)
        return HexWords().word(value)

    def value(self, word: str) -> int:
        if word in CODES:
            return UNIT + CODES[word]
        number = word[1:]
        if word[:1] in ("=", "c") and number.isascii() and number.isdigit() and len(number) < 4:
            found = (CHOICE if word[0] == "=" else CARD) + int(number)
            if self.word(found) == word:
                return found
            raise ValueError(word)
        return HexWords().value(word)

    def key(self, value: int) -> str:
        word = self.word(value)
        return f"p:{word}" if value < UNIT else f"u:{word}" if value < CHOICE else f"w:{word}"

    def said(self, value: int, view: View[Any]) -> str:
        if value >= CARD:
            return _card_said(value - CARD, view)
        return self.word(value) if value >= UNIT else HexWords().said(value, view)


class Pursuers(EventTargets):
    """Units, each before the places that it enters."""

    def together(self, values: Iterable[int]) -> str:
        """`2Pz to 0910 > 1010 and 3Pz to 0910`."""
        ways = named_ways(values)
        return all_of(f"{UNITS.word(unit)} to {' > '.join(map(self.word, way))}" for unit, way in ways.items())


class Markers:
    """`alone` is an attack without a marker."""

    def word(self, value: Marker) -> str:
        return value.value

    def value(self, word: str) -> Marker:
        return Marker(word)

    def key(self, value: Marker) -> str:
        return "" if value == Marker.NONE else f"w:{value}"

    def said(self, value: Marker, view: View[Any]) -> str:
        return "" if value == Marker.NONE else f", with a {value.capitalize()} marker"


class Purposes:
    """The unit or the hex says what is paid for."""

    def word(self, value: Purpose) -> str:
        return value.value

    def value(self, word: str) -> Purpose:
        return Purpose(word)

    def key(self, value: Purpose) -> str:
        return ""


Unit = Annotated[int, UNITS]
Hex = Annotated[int, HexWords()]
Way = Annotated[tuple[Hex, ...], "-"]
CARDS, TARGETS = HandCards(), EventTargets()
HandCard = Annotated[int, CARDS]
EventTarget = Annotated[int, TARGETS]


PURSUE = OrderPart(
    "who follows",
    "Units that follow if the hex is emptied, each before the places that it enters. Empty: your standing order for "
    "`pursuit` says who follows; at first that is the strongest unit alone, into the hex and no further.",
    "pursue with {}",
    weighs=True,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Move(Order, text="move {unit} {path}", says="Move {unit} to {path}"):
    """Move a unit, by way of the places named.

    By the cheapest way to each of the places named, one after another.
    """

    unit: Unit
    path: Way


@dataclass(frozen=True, slots=True)
class Done(Order, text="done"):
    """End what is being done."""


@dataclass(frozen=True, slots=True)
class Pass(Order, text="pass"):
    """Play nothing."""


@dataclass(frozen=True, slots=True)
class Event(Order, text="event {card} on {targets}", says="Play {card}[ on {targets}]"):
    """Play a card.

    Play a card as its event. `targets`: hexes, UNIT + number, CHOICE + n, CARD + n, as the event wants them.

    Some events take their targets in any order, or any hexes at all; `legal` lists those that somebody may want.
    """

    sampled: ClassVar[bool] = True
    card: HandCard
    targets: tuple[EventTarget, ...] = ()


@dataclass(frozen=True, slots=True)
class Discard(Order, text="discard {cards} for {purpose} {targets}"):
    """Pay with cards: rail, return, upgrade, reorganise, counterblow.

    Pay with cards: for units (UNIT + number, with the hex for a return), or for a counterblow hex.
    """

    cards: tuple[HandCard, ...]
    purpose: Annotated[Purpose, Purposes()]
    targets: tuple[EventTarget, ...]


@dataclass(frozen=True, slots=True)
class Drop(Order, text="drop {cards}", says="Throw away {cards}"):
    """Throw cards away."""

    cards: tuple[HandCard, ...]


@dataclass(frozen=True, slots=True)
class Upgrade(Order, text="upgrade {unit}", says="Upgrade {unit}, free of charge"):
    """A free upgrade."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Flip(Order, text="flip {unit}", says="Turn {unit} to or from its fortified side"):
    """To or from the fortified side."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Place(Order, text="place {unit} {to}", says="Place {unit} in {to}"):
    """Bring a unit onto the map."""

    unit: Unit
    to: Hex


@dataclass(frozen=True, slots=True)
class Load(Order, text="rail {unit}", says="Put {unit} on the railway, free of charge"):
    """The free unit of the turn goes by rail."""

    kind: ClassVar[str] = "rail"
    unit: Unit


@dataclass(frozen=True, slots=True)
class Reserve(Order, text="reserve {unit}", says="Put {unit} into the Strategic Reserve"):
    """The Strategic Reserve."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Target(Order, text="target {hex}", says="Mark {hex}, to be attacked in this turn"):
    """Mark a hex that you will attack."""

    hex: Hex


@dataclass(frozen=True, slots=True)
class Attack(
    Assault,
    text="attack {target} with {units} {marker} [at {least}] [pursue {pursue}] [after {after}] [unless {unless}] [ask]",
    says="Attack {target} with {units}{marker}",
):
    """List an attack: a hex, the armies that attack it, and a marker if you use one.

    `blitz` or `shock` uses a marker, for a column in your favour. `at 2:1`: at these odds or better. `pursue
    3Pz-0914-1014`: that unit goes that way if the hex is emptied. `after 1`: only if attack 1 of the list was won,
    which leaves no enemy in its hex; `unless 1`: only if it was not.
    """

    target: Hex
    units: tuple[Unit, ...]  # ascending
    marker: Annotated[Marker, Markers()] = Marker.NONE
    pursue: Annotated[tuple[Annotated[int, Pursuers()], ...], "-", PURSUE] = ()


@dataclass(frozen=True, slots=True)
class Counter(Order, text="counter {marker}", says="Counterattack{marker}"):
    """Counterattack."""

    marker: Annotated[Marker, Markers()] = Marker.NONE


@dataclass(frozen=True, slots=True)
class Decline(Order, text="decline"):
    """Do not counterattack, or bring no cadre."""


@dataclass(frozen=True, slots=True)
class Mark(Order, text="mark {unit}", says="Make the enemy attack {unit}"):
    """The unit that the enemy must attack."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Lose(Order, text="lose {unit}", says="Lose a step of {unit}"):
    """The unit that loses a step."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Cadre(Order, text="cadre {unit}", says="Let {unit} take the place of the unit lost"):
    """A cadre takes the place of a unit lost."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class GoBack(Order, text="retreat {unit} {path}", says="Retreat {unit} to {path}"):
    """Retreat."""

    kind: ClassVar[str] = "retreat"
    unit: Unit
    path: Way


@dataclass(frozen=True, slots=True)
class Pursue(Order, text="pursue {unit} {path}", says="Follow the enemy with {unit} to {path}"):
    """Follow the enemy."""

    unit: Unit
    path: Way


@dataclass(frozen=True, slots=True)
class Unload(Order, text="unload {unit} {to}", says="Unload {unit} in {to}"):
    """Get off the railway."""

    unit: Unit
    to: Hex


@dataclass(frozen=True, slots=True)
class Leave(Order, text="leave {unit}", says="{unit} leaves the stack"):
    """The unit that leaves a stack which is too large."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Clear(Order, text="clear {hex}", says="Take the Scorched Earth marker off {hex}"):
    """Take a Scorched Earth marker off."""

    hex: Hex


@dataclass(frozen=True, slots=True)
class Choose(Order, text="choose {option}", says="Choose {option}"):
    """One of the numbered possibilities."""

    option: int


@dataclass(frozen=True, slots=True)
class Recall(Order, text="recall {unit} {to}", says="Bring {unit} back to {to}, for a point"):  # NR-7.18
    """The SS Panzer Army comes back for a point."""

    unit: Unit
    to: Hex


@dataclass(frozen=True, slots=True)
class Detach(
    Order, text="detach {unit} {units} {hexes}", says="Exchange {unit} for {units} in {hexes}"
):  # NR-14.1 to NR-14.3
    """Exchange a unit for others (optional rule)."""

    unit: Unit
    units: tuple[Unit, ...]
    hexes: tuple[Hex, ...]


@dataclass(frozen=True, slots=True)
class Help(Order, text="help {unit}", says="Help the battle with {unit}"):  # NR-14.5
    """Local combat support (optional rule)."""

    unit: Unit


@dataclass(frozen=True, slots=True)
class Infiltrate(Order, text="partisans {unit}", says="Put the partisans beside {unit}"):  # NR-14.11
    """The partisan marker (optional rule)."""

    kind: ClassVar[str] = "partisans"
    unit: Unit


@dataclass(frozen=True, slots=True)
class Joker(Order, text="joker", says="Use the Joker"):  # NR-14.9
    """Use the Joker (optional rule)."""
