"""Events: what happened, by which rule, and who may know. Reports, arrows and charts are made from these."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from pbem.engine.order import Order, snake


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Base of a game's events: frozen dataclasses with plain fields.

    `rule` is the rule that made it happen, `seats` who may see it (None: everybody).
    """

    kind: ClassVar[str]
    rule: str = ""
    seats: tuple[str, ...] | None = None

    def __init_subclass__(cls) -> None:
        if "kind" not in cls.__dict__:
            cls.kind = snake(cls.__name__)

    def seen_by(self, seats: Iterable[str]) -> bool:
        return self.seats is None or any(seat in self.seats for seat in seats)


@dataclass(frozen=True, slots=True)
class Taken(Event):
    """An answer that no other event shows: nobody typed it, or it does nothing.

    `how`: `forced` (the only legal order), `standing` (the seat's standing orders), `default` (the usual answer, for
    a seat that has given none) or `passed` (a player let a chance to interrupt pass). `said`: the order in words.
    """

    seat: str
    decision: str
    order: Order
    how: str
    said: str


def let_pass(event: Event, seats: Collection[str]) -> bool:
    """Did one of these seats let a chance to interrupt pass?"""
    return isinstance(event, Taken) and event.how == "passed" and event.seat in seats


@dataclass(frozen=True, slots=True)
class PlanEnded(Event):
    """A plan that was not carried out completely (MEA-6).

    `done` was carried out; `skipped` was not legal when it came up, each with the reason; `left` was not reached,
    because of `stopped`.
    """

    seat: str
    done: tuple[Order, ...]
    skipped: tuple[tuple[Order, str], ...]
    left: tuple[Order, ...]
    stopped: str


@dataclass(frozen=True, slots=True)
class Skipped(Event):
    """An entry of a list was passed over: its number, what it ordered, and why (by `rule`)."""

    seat: str
    number: int
    order: Order
    why: str


@dataclass(frozen=True, slots=True)
class GivenBack(Event):
    """A list goes back to its owner, who may change it: the entries that wait, by number."""

    seat: str
    waiting: tuple[tuple[int, Order], ...]


class Out:
    """Collects the events of one call.

    `wanted` False: nobody will look at them, as when an archive is audited. They are dropped then, and rules need not
    make an event that is frequent or expensive: `if out.wanted:`. Nothing else may depend on it.
    """

    __slots__ = ("events", "wanted")

    def __init__(self, *, wanted: bool = True) -> None:
        self.events: list[Event] = []
        self.wanted = wanted

    def add(self, event: Event) -> None:
        if self.wanted:
            self.events.append(event)

    def seen_by(self, *seats: str) -> Iterator[Event]:
        return (event for event in self.events if event.seen_by(seats))

    def take(self) -> tuple[Event, ...]:
        """The events so far, leaving none."""
        events = tuple(self.events)
        self.events.clear()
        return events
