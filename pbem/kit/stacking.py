"""Stacking: how many may stand together, by several counts at once, each with its rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

U = TypeVar("U")


class Cap(NamedTuple, Generic[U]):
    """One limit. `count` weighs a whole stack, so that "one artillery unit is free" can be expressed."""

    rule: str
    most: int
    what: str  # "units", "headquarters"
    count: Callable[[Sequence[U]], int]


def each(stack: Sequence[object]) -> int:
    """The plain count."""
    return len(stack)


def excess(stack: Sequence[U], caps: Iterable[Cap[U]]) -> tuple[tuple[Cap[U], int], ...]:
    """The limits that a stack breaks, and by how much."""
    found = ((cap, cap.count(stack) - cap.most) for cap in caps)
    return tuple((cap, over) for cap, over in found if over > 0)


def fits(stack: Sequence[U], more: Sequence[U], caps: Iterable[Cap[U]]) -> bool:
    """May these join those? A limit that is broken already, and not made worse, does not count against them."""
    return all(cap.count([*stack, *more]) <= max(cap.most, cap.count(stack)) for cap in caps)
