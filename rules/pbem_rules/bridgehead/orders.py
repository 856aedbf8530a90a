"""The orders of players. Units are their numbers, hexes their ids, cards in hand their slots as epoch * 100 +
position."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from pbem.game import Order, slot_order

NO_TARGET = -1


class Posture(StrEnum):
    ATTACK = "attack"
    HOLD = "hold"
    REST = "rest"


POSTURES = {  # BH-3.5 to BH-3.7
    Posture.ATTACK: "every battle moves one column to the right",
    Posture.HOLD: "every battle moves one column to the left",
    Posture.REST: "two cards a turn instead of one",
}


def slot_number(slot: str) -> int:
    epoch, position = slot_order(slot)
    return 100 * epoch + position


def slot_text(deck: str, number: int) -> str:
    return f"{deck}/{number // 100}/{number % 100}"


@dataclass(frozen=True, slots=True)
class Move(Order, says="Move {unit} to {to}"):
    unit: int
    to: int


@dataclass(frozen=True, slots=True)
class Attack(Order, says="Attack {target} from {hexes}"):
    target: int
    hexes: tuple[int, ...]  # ascending


@dataclass(frozen=True, slots=True)
class Finish(Order, text="done"):
    """End moving, or declaring attacks."""

    kind: ClassVar[str] = "done"


@dataclass(frozen=True, slots=True)
class Play(Order, says="Play {card}[ on {target}]"):
    """A card from the hand; `target` is a hex, a unit's number, or NO_TARGET."""

    card: int
    slot: int
    target: int = NO_TARGET


@dataclass(frozen=True, slots=True)
class Pass(Order, text="pass"):
    """Play no card."""

    kind: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class Rally(Order, says="Throw {slot} away, and {unit} regains a step"):
    unit: int
    slot: int


@dataclass(frozen=True, slots=True)
class GoBack(Order, says="Retreat {unit} to {to}"):
    kind: ClassVar[str] = "retreat"
    unit: int
    to: int


@dataclass(frozen=True, slots=True)
class Stand(Order, says="Stand, and lose a step more instead of retreating"):
    kind: ClassVar[str] = "stand"


@dataclass(frozen=True, slots=True)
class Advance(Order, says="Advance with {unit} to {to}"):
    unit: int
    to: int


@dataclass(frozen=True, slots=True)
class Halt(Order, says="Advance no further"):
    kind: ClassVar[str] = "halt"


@dataclass(frozen=True, slots=True)
class Counter(Order, says="Counterattack {target}"):
    target: int


@dataclass(frozen=True, slots=True)
class Decline(Order, text="decline"):
    """Do not counterattack."""

    kind: ClassVar[str] = "decline"


@dataclass(frozen=True, slots=True)
class Enter(Order, says="Bring the reserve in at {hex}"):
    """The secret entry of the reserve."""

    kind: ClassVar[str] = "reserve"
    hex: int


@dataclass(frozen=True, slots=True)
class Choose(Order):
    kind: ClassVar[str] = "posture"
    posture: Posture
