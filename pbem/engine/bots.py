"""Bots: players made of code. They see what their seat may see, and their choices are checked like anybody's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from pbem.engine.legal import Legal
from pbem.engine.need import Orders
from pbem.engine.order import Order
from pbem.engine.view import View

S = TypeVar("S")


class Randomness(Protocol):
    """The caller's source of randomness: `below(n)` is 0..n-1."""

    def below(self, n: int) -> int: ...


class Bot(Protocol[S]):
    def choose(self, view: View[S], need: Orders, seat: str, legal: Legal, rng: Randomness) -> Order: ...


@runtime_checkable
class Planner(Protocol[S]):
    """A bot that also plans orders for after chance (MEA-6): it is asked when its draft stops at dice or cards."""

    def plan(self, view: View[S], seat: str, rng: Randomness) -> Sequence[Order]: ...


StandingText = tuple[str, str, bool]
"""Standing orders as a player types them: the kind of decision, the policy, whether they are to be sealed."""


@runtime_checkable
class Provident(Protocol[S]):
    """A bot that answers questions in advance to save mails (MEA-13): it is asked when its draft is done."""

    def standing(self, view: View[S], seat: str) -> Sequence[StandingText]: ...


class RandomBot:
    """Any of the first steps, each with the same chance, then any of its orders."""

    def choose(self, view: View[Any], need: Orders, seat: str, legal: Legal, rng: Randomness) -> Order:
        first = legal.first
        if not first:
            raise ValueError(f"{need.kind} asks {seat}, who has no legal order")
        orders = tuple(legal.picked(first[rng.below(len(first))]))
        return orders[rng.below(len(orders))]
