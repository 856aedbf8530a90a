"""Needs: the things that a machine can wait for. The match turns them into obligations; a test driver meets them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.engine.order import Order
from pbem.protocol.canonical import Plain

Known = Mapping[str, int | Order]
"""The hidden values that somebody knows: slot -> card number, or the order of a secret choice."""

NOTHING_KNOWN: Known = {}


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the winning side (None: a draw), in what way, and the scores by seat or side."""

    winner: str | None
    how: str
    scores: tuple[tuple[str, int], ...] = ()

    def plain(self) -> dict[str, Plain]:
        return {"how": self.how, "scores": dict(self.scores), "winner": self.winner}


@dataclass(frozen=True, slots=True)
class Draw:
    """`count` results 1..sides of the draw called `label` (CHA-8)."""

    label: str
    sides: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Make the next epoch of a deck of open cards and of slots that were never opened (HID-12, HID-17)."""

    deck: str
    cards: tuple[int, ...]
    back: tuple[str, ...] = ()


def slot_order(slot: str) -> tuple[int, int]:
    """Epoch and position of a slot: the order in which slots are returned to a deck (HID-17)."""
    _, epoch, position = slot.rsplit("/", 2)
    return int(epoch), int(position)


@dataclass(frozen=True, slots=True)
class Give:
    """The seat's player learns the card of the slot; nobody else does."""

    slot: str
    seat: str


@dataclass(frozen=True, slots=True)
class Show:
    """Everybody learns the card of the slot."""

    slot: str


Request = Shuffle | Give | Show


@dataclass(frozen=True, slots=True)
class Orders:
    """These seats must answer one decision.

    `label` is unique in the game (`kind/serial`). `sealed`: all answers are committed before any is opened. `secret`:
    the answers stay committed, and the machine is given `Sealed(need.slot(seat))` for them. `window`: a chance to
    interrupt, which can be passed; `own`: orders of the seat whose turn it is go before its standing orders (MEA-17).
    `committed`: those of `seats` whose sealed standing orders must be asked first.
    """

    kind: str
    label: str
    seats: tuple[str, ...]
    sealed: bool = False
    secret: bool = False
    window: bool = False
    committed: tuple[str, ...] = ()
    own: bool = False

    def slot(self, seat: str) -> str:
        """Where this seat's commitment goes if the decision is sealed or secret."""
        return f"{self.kind}/{seat}/{self.label.rpartition('/')[2]}"


@dataclass(frozen=True, slots=True)
class Dice:
    draws: tuple[Draw, ...]


@dataclass(frozen=True, slots=True)
class Cards:
    requests: tuple[Request, ...]


@dataclass(frozen=True, slots=True)
class Openings:
    """Secret choices that are due: slots of `Sealed` answers."""

    slots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Over:
    result: Result


Need = Orders | Dice | Cards | Openings | Over
