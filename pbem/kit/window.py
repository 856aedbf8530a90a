"""Windows: chances to interrupt. Seats are polled in turn until all in a row have passed.

A window is a step like any other; its frame holds a `Poll`. What an interruption does is a sequence that the window
calls and that may hold a window of its own: a card, its cancellation, and the cancellation of the cancellation nest
without further code.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass, field
from typing import ClassVar, Generic

from pbem.engine.event import Out
from pbem.engine.need import Known
from pbem.engine.order import Violation
from pbem.engine.step import STAY, Call, Decide, F, Frame, Next, O, S, listed


@dataclass
class Poll:
    """The seat that is asked next (`seats[at]`), and how many in a row have passed. `once`: an interruption closes the
    window."""

    seats: tuple[str, ...]
    at: int = 0
    passes: int = 0
    once: bool = False
    closed: bool = False
    done: list[str] = field(default_factory=list)  # seats that have interrupted

    @property
    def seat(self) -> str | None:
        return None if self.closed or self.passes >= len(self.seats) else self.seats[self.at]

    def passed(self) -> None:
        self.passes += 1
        self.at = (self.at + 1) % len(self.seats)

    def interrupted(self) -> None:
        self.done.append(self.seats[self.at])
        self.passes = 0
        self.at = (self.at + 1) % len(self.seats)
        self.closed = self.once


class Window(Decide[S, F, O], Generic[S, F, O]):
    """Polls seats. Rules authors write `poll`, `passing`, `actions`, `judge` and `act`; `can` saves asking in vain.

    It passes automatically for every seat that has not said otherwise, whatever cards it holds, so that the speed of an
    answer reveals nothing; a window that is to ask from the start says `preset = False`.
    """

    window = True
    default: ClassVar[str | None] = "then pass"
    preset: ClassVar[bool | str] = True

    @abstractmethod
    def poll(self, s: S, f: F) -> Poll:
        """The poll, which lives in the frame."""

    @abstractmethod
    def passing(self, s: S, f: F, seat: str) -> O: ...

    @abstractmethod
    def actions(self, s: S, f: F, seat: str, own: Known) -> Iterator[O]:
        """The legal orders besides passing."""

    @abstractmethod
    def judge(self, s: S, f: F, seat: str, order: O, proof: Known) -> Violation | None:
        """`check` for all orders except the passing one."""

    @abstractmethod
    def act(self, s: S, f: F, seat: str, order: O, out: Out) -> Frame | None:
        """Carries the interruption out; a frame that it returns is played, and then the polling goes on."""

    def can(self, s: S, f: F, seat: str) -> bool:
        """False: the seat passes without being asked. From public knowledge only."""
        return True

    def by(self, s: S, f: F) -> SequenceOf[str]:
        # Seats that cannot act are passed over here without a change: `apply` counts them.
        seat = self._next(s, f)
        return () if seat is None else (seat,)

    def legal(self, s: S, f: F, seat: str, own: Known) -> Iterator[O]:
        yield self.passing(s, f, seat)
        yield from listed(self, "actions", self.actions(s, f, seat, own))

    def check(self, s: S, f: F, seat: str, order: O, proof: Known) -> Violation | None:
        return None if order == self.passing(s, f, seat) else self.judge(s, f, seat, order, proof)

    def apply(self, s: S, f: F, answers: Mapping[str, O], out: Out) -> Next:
        ((seat, order),) = answers.items()
        poll = self.poll(s, f)
        while poll.seat != seat:
            poll.passed()
        if order == self.passing(s, f, seat):
            poll.passed()
            return STAY
        poll.interrupted()
        called = self.act(s, f, seat, order, out)
        return STAY if called is None else Call(called, again=True)

    def answers(self, s: S, f: F, seat: str, own: Known) -> Mapping[str, O]:
        return {"pass": self.passing(s, f, seat)}

    def _next(self, s: S, f: F) -> str | None:
        poll = self.poll(s, f)
        if poll.closed:
            return None
        count = len(poll.seats)
        for ahead in range(count - poll.passes):
            seat = poll.seats[(poll.at + ahead) % count]
            if self.can(s, f, seat):
                return seat
        return None
