"""What players order. Units are their numbers, hexes and areas their ids, cards in hand `slot * 100 + card`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from pbem.game import HeldCard, Order, slot_order
from pbem.kit import Assault

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


@dataclass(frozen=True, slots=True)
class Move(Order):
    """By the cheapest way to each of the places named, one after another."""

    unit: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Done(Order, text="done"):
    """End what is being done."""


@dataclass(frozen=True, slots=True)
class Pass(Order, text="pass"):
    """Play nothing."""


@dataclass(frozen=True, slots=True)
class Event(Order):
    """Play a card as its event. `targets`: hexes, UNIT + number, CHOICE + n, CARD + n, as the event wants them.

    Some events take their targets in any order, or any hexes at all; `legal` lists those that somebody may want.
    """

    sampled: ClassVar[bool] = True
    card: int
    targets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Discard(Order):
    """Pay with cards: for units (UNIT + number, with the hex for a return), or for a counterblow hex."""

    cards: tuple[int, ...]
    purpose: Purpose
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drop(Order):
    """Throw cards away: in the Card phase, or because something demands it."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Upgrade(Order):
    """A free Soviet upgrade."""

    unit: int


@dataclass(frozen=True, slots=True)
class Flip(Order):
    """To and from the fortified side where that is free."""

    unit: int


@dataclass(frozen=True, slots=True)
class Place(Order):
    unit: int
    to: int


@dataclass(frozen=True, slots=True)
class Load(Order):
    """The free unit of the turn goes into the Rail box."""

    kind: ClassVar[str] = "rail"
    unit: int


@dataclass(frozen=True, slots=True)
class Reserve(Order):
    """The Strategic Reserve marker."""

    unit: int


@dataclass(frozen=True, slots=True)
class Target(Order):
    hex: int


@dataclass(frozen=True, slots=True)
class Attack(Assault):
    """An entry of the list of battles. `pursue`: UNIT + number of each that follows, before the places of its way."""

    target: int
    units: tuple[int, ...]  # ascending
    marker: Marker = Marker.NONE
    pursue: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Counter(Order):
    marker: Marker = Marker.NONE


@dataclass(frozen=True, slots=True)
class Decline(Order, text="decline"):
    """Do not."""

    kind: ClassVar[str] = "decline"


@dataclass(frozen=True, slots=True)
class Mark(Order):
    """The unit that takes the marker of a CB result."""

    unit: int


@dataclass(frozen=True, slots=True)
class Lose(Order):
    """The unit that loses a step."""

    unit: int


@dataclass(frozen=True, slots=True)
class Cadre(Order):
    """A cadre takes the place of a unit that was eliminated."""

    unit: int


@dataclass(frozen=True, slots=True)
class GoBack(Order):
    kind: ClassVar[str] = "retreat"
    unit: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pursue(Order):
    unit: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unload(Order):
    unit: int
    to: int


@dataclass(frozen=True, slots=True)
class Leave(Order):
    """The unit that leaves a stack which is too large."""

    unit: int


@dataclass(frozen=True, slots=True)
class Clear(Order):
    """Take the own Scorched Earth marker off."""

    hex: int


@dataclass(frozen=True, slots=True)
class Choose(Order):
    """One of the numbered possibilities that an event offers."""

    option: int


@dataclass(frozen=True, slots=True)
class Recall(Order):
    """The SS Panzer Army comes back for a victory point (NR-7.18)."""

    unit: int
    to: int


@dataclass(frozen=True, slots=True)
class Detach(Order):
    """NR-14.1 to NR-14.3: units in exchange for one."""

    unit: int
    units: tuple[int, ...]
    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Help(Order):
    """NR-14.5: the marker for local combat support."""

    unit: int


@dataclass(frozen=True, slots=True)
class Infiltrate(Order):
    """NR-14.11: the partisan marker."""

    kind: ClassVar[str] = "partisans"
    unit: int


@dataclass(frozen=True, slots=True)
class Joker(Order, text="joker"):  # NR-14.9
    """Use the Joker (optional rule)."""
