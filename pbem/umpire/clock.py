"""Clocks of a game by mail: time for each move, a bank for when that runs out, and days off that never count.

All times are whole seconds since 1970-01-01 00:00 UTC, and days are those of UTC. What somebody owes is a debt, from
when its request reached him until his answer came in; of several at once each has its own time for a move, and while
any of them is beyond it the bank runs, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

DAY: Final = 86_400
_WEEK: Final = 7 * DAY
_MONDAY: Final = 4 * DAY  # 1970-01-05
_NEVER: Final = 1 << 60
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Clock:
    """`days_off`: bit 0 is Monday. A `move` and `bank` of 0 together: there is no clock."""

    move: int
    bank: int = 0
    days_off: int = 0

    def __post_init__(self) -> None:
        if self.move < 0 or self.bank < 0 or not 0 <= self.days_off < 127:
            raise ValueError("a clock has times of at least 0 and at least one day that counts")

    @property
    def runs(self) -> bool:
        return self.move + self.bank > 0


@dataclass(frozen=True, slots=True)
class Debt:
    """Something owed. `answered_at` None: still owed."""

    key: str
    asked_at: int
    answered_at: int | None = None


@dataclass(frozen=True, slots=True)
class Owing:
    """An open debt. `flag_at`: when the flag falls if this is the last to be answered."""

    key: str
    asked_at: int
    left_move: int
    flag_at: int | None


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A player's clock in a game at one moment.

    `flag_at`: when the flag falls, or fell; None: nothing is owed, or there is no clock. An answer that needs no second
    beyond it is in time, so `fallen` only becomes true with the first second after it that counts.
    """

    used_bank: int
    left_bank: int
    owing: tuple[Owing, ...]
    flag_at: int | None
    fallen: bool

    @property
    def flagged_at(self) -> int | None:
        """When it fell, if it has."""
        return self.flag_at if self.fallen else None


def worked(start: int, end: int, days_off: int = 0) -> int:
    """The seconds from start to end that do not lie in days off."""
    return max(0, _worked_before(end, days_off) - _worked_before(start, days_off))


def _worked_before(at: int, days_off: int) -> int:
    """Since the Monday 1970-01-05; below 0 before it."""
    weeks, rest = divmod(at - _MONDAY, _WEEK)
    day, seconds = divmod(rest, DAY)
    whole = DAY * sum(not days_off >> each & 1 for each in range(day))
    return weeks * DAY * (7 - days_off.bit_count()) + whole + (0 if days_off >> day & 1 else seconds)


def due(start: int, seconds: int, days_off: int = 0) -> int:
    """The first moment at which so many seconds that count have gone by."""
    if seconds <= 0:
        return start
    aim = _worked_before(start, days_off) + seconds
    week, rest = divmod(aim - 1, DAY * (7 - days_off.bit_count()))
    number, second = divmod(rest, DAY)
    day = [each for each in range(7) if not days_off >> each & 1][number]
    return _MONDAY + week * _WEEK + day * DAY + second + 1


def charge(asked_at: int, answered_at: int, clock: Clock) -> int:
    """What an answer took, in seconds that count."""
    return worked(asked_at, answered_at, clock.days_off)


def state(clock: Clock, debts: Iterable[Debt], now: int, extensions: Sequence[int] = ()) -> Reckoned:
    """A player's clock as the facts of one game give it. Extensions add to the bank, also after the flag fell."""
    known = sorted((debt for debt in debts if debt.asked_at <= now), key=lambda debt: (debt.asked_at, debt.key))
    bank = clock.bank + sum(extensions)
    closed: list[_Span] = []
    still: list[tuple[Debt, int]] = []
    for debt in known:
        begins = due(debt.asked_at, clock.move, clock.days_off)
        if debt.answered_at is None or debt.answered_at > now:
            still.append((debt, begins))
        elif begins < debt.answered_at:
            closed.append((begins, debt.answered_at))
    running = [(begins, now) for _, begins in still if begins < now]
    used = sum(worked(*span, clock.days_off) for span in _joined([*closed, *running]))
    owing = [
        Owing(
            debt.key,
            debt.asked_at,
            worked(now, begins, clock.days_off),
            _falls(clock, [*closed, *running, (begins, _NEVER)], bank),
        )
        for debt, begins in still
    ]
    flag_at = _falls(clock, [*closed, *((begins, _NEVER) for _, begins in still)], bank)
    fallen = flag_at is not None and worked(flag_at, now, clock.days_off) > 0
    return Reckoned(min(used, bank), max(0, bank - used), tuple(owing), flag_at, fallen)


def _falls(clock: Clock, spans: Iterable[_Span], bank: int) -> int | None:
    """When spans beyond the time for a move have used up the bank."""
    if not clock.runs:
        return None
    used = 0
    for begins, ends in _joined(spans):
        more = worked(begins, ends, clock.days_off)
        if used + more > bank:
            return due(begins, bank - used, clock.days_off)
        used += more
    return None


def _joined(spans: Iterable[_Span]) -> list[_Span]:
    """Spans without overlap, in order."""
    joined: list[_Span] = []
    for begins, ends in sorted(spans):
        if joined and begins <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], ends))
        else:
            joined.append((begins, ends))
    return joined
