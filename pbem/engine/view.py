"""Views: the part of a game that a set of seats may see. Boards, pictures and bots get views, never machines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from pbem.engine.need import Known, Need, Orders
from pbem.engine.order import Order
from pbem.engine.step import Frame

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class View(Generic[S]):
    """The public state, and the hidden values that these seats know. To be read only.

    Nobody's hidden value is in the state, so a view without `known` is what a spectator sees.
    """

    state: S
    seats: tuple[str, ...] = ()
    need: Need | None = None
    known: Known = field(default_factory=dict, repr=False)
    frame: Frame | None = None  # of the sequence that is being played: which battle, whose turn
    around: tuple[Frame, ...] = ()  # the frames that wait until it ends, the nearest first: of which battle it is part
    usual: Callable[..., bool] = field(default=lambda *_: False, repr=False, compare=False)
    """Will the usual answers, given in advance, decide this kind of decision for these seats? With facts: where these
    hold."""
    standing: Callable[..., tuple[str, ...]] = field(default=lambda *_: (), repr=False, compare=False)
    """The standing orders of their own that these seats have for this kind of decision, in sentences. Empty: they have
    none, or are surely asked, with facts: where these hold."""

    def card(self, slot: str) -> int | None:
        """The card in a slot, if these seats know it."""
        value = self.known.get(slot)
        return value if isinstance(value, int) else None

    def secret(self, slot: str) -> Order | None:
        """The order of a secret choice of these seats."""
        value = self.known.get(slot)
        return value if isinstance(value, Order) else None

    def asked(self) -> tuple[str, ...]:
        """Those of these seats that must answer now."""
        if not isinstance(self.need, Orders):
            return ()
        return tuple(seat for seat in self.need.seats if seat in self.seats)
