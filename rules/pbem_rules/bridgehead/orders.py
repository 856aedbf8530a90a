"""What players order. Units are their numbers, hexes their ids, cards in hand their slots as epoch * 100 + position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from pbem.engine.decks import slot_order
from pbem.engine.order import Common, Lead, Order

NO_TARGET = -1

# The usual values of fields, so that a packed order takes one or two bytes (NOT-1, NOT-2). Never changed.
_UNITS = 24
SHORT_CODES = 38
_HEXES = tuple(100 * column + row for column in range(1, 10) for row in range(1, 8))
Unit = Annotated[int, Lead(_UNITS)]
Other = Annotated[int, Common(range(_UNITS))]
Hex = Annotated[int, Common(_HEXES)]
Target = Annotated[int, Common((NO_TARGET, *_HEXES, *range(_UNITS)))]
Card = Annotated[int, Common(range(16))]
HandSlot = Annotated[int, Common(tuple(100 * epoch + position for epoch in range(1, 5) for position in range(16)))]


class Posture(StrEnum):
    ATTACK = "attack"
    HOLD = "hold"
    REST = "rest"


def slot_number(slot: str) -> int:
    epoch, position = slot_order(slot)
    return 100 * epoch + position


def slot_text(deck: str, number: int) -> str:
    return f"{deck}/{number // 100}/{number % 100}"


@dataclass(frozen=True, slots=True)
class Move(Order):
    kind: ClassVar[str] = "move"
    unit: Unit
    to: Hex


@dataclass(frozen=True, slots=True)
class Attack(Order):
    kind: ClassVar[str] = "attack"
    target: Hex
    hexes: tuple[Hex, ...]  # ascending


@dataclass(frozen=True, slots=True)
class Finish(Order):
    """The end of moving, or of declaring attacks."""

    kind: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class Play(Order):
    """A card from the hand; `target` is a hex, a unit's number, or NO_TARGET."""

    kind: ClassVar[str] = "play"
    card: Card
    slot: HandSlot
    target: Target = NO_TARGET


@dataclass(frozen=True, slots=True)
class Pass(Order):
    kind: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Rally(Order):
    kind: ClassVar[str] = "rally"
    unit: Other
    slot: HandSlot


@dataclass(frozen=True, slots=True)
class GoBack(Order):
    kind: ClassVar[str] = "retreat"
    unit: Other
    to: Hex


@dataclass(frozen=True, slots=True)
class Stand(Order):
    kind: ClassVar[str] = "stand"


@dataclass(frozen=True, slots=True)
class Advance(Order):
    kind: ClassVar[str] = "advance"
    unit: Other
    to: Hex


@dataclass(frozen=True, slots=True)
class Halt(Order):
    kind: ClassVar[str] = "halt"


@dataclass(frozen=True, slots=True)
class Counter(Order):
    kind: ClassVar[str] = "counter"
    target: Hex


@dataclass(frozen=True, slots=True)
class Decline(Order):
    kind: ClassVar[str] = "decline"


@dataclass(frozen=True, slots=True)
class Enter(Order):
    """The secret entry of the reserve."""

    kind: ClassVar[str] = "reserve"
    hex: Hex


@dataclass(frozen=True, slots=True)
class Choose(Order):
    kind: ClassVar[str] = "posture"
    posture: Posture


# New kinds are added at the end: the code that a packed order begins with follows from the place in this list. The
# most usual ones stand in front, where codes are shortest.
ORDERS: tuple[type[Order], ...] = (
    Finish, Move, Play, Pass, Attack, Rally, GoBack, Stand, Advance, Halt, Counter, Decline, Enter, Choose,
)  # fmt: skip
