"""Clocks of a game by mail: time for each move, a bank for when that runs out, and days off that never count.

All times are whole seconds since 1970-01-01 00:00 UTC, and days are those of UTC. What somebody owes is a debt, from
when its request reached him until his answer came in; of several at once each has its own time for a move, and while
any of them is beyond it the bank runs, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pbem.protocol.value import value

DAY: Final = 86_400
_WEEK: Final = 7 * DAY
_MONDAY: Final = 4 * DAY  # 1970-01-05


@value
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


@value
class Debt:
    """Something owed. `answered_at` None: still owed."""

    key: str
    asked_at: int
    answered_at: int | None = None


@value
class Owing:
    """An open debt. `flag_at`: when the flag falls if nothing is answered before."""

    key: str
    asked_at: int
    left_move: int
    flag_at: int


@value
class Reckoned:
    """A player's clock in a game at one moment. `flagged_at`: when his flag fell; None: it has not."""

    used_bank: int
    left_bank: int
    owing: tuple[Owing, ...]
    flag_at: int | None
    flagged_at: int | None


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


def overtime(asked_at: int, answered_at: int, clock: Clock) -> int:
    """What of it the bank pays when nothing else is owed."""
    return max(0, charge(asked_at, answered_at, clock) - clock.move)


def state(clock: Clock, debts: Iterable[Debt], now: int, extensions: Sequence[int] = ()) -> Reckoned:
    """A player's clock as the facts of one game give it. Extensions add to the bank, also after the flag fell."""
    known = sorted((debt for debt in debts if debt.asked_at <= now), key=lambda debt: (debt.asked_at, debt.key))
    bank = clock.bank + sum(extensions)
    spans = []
    for debt in known:
        begins = due(debt.asked_at, clock.move, clock.days_off)
        ends = now if debt.answered_at is None else min(now, debt.answered_at)
        if begins < ends:
            spans.append((begins, ends))
    used = 0
    flagged_at: int | None = None
    for begins, ends in _joined(spans):
        more = worked(begins, ends, clock.days_off)
        if clock.runs and flagged_at is None and used + more > bank:
            flagged_at = due(begins, bank - used, clock.days_off)
        used += more
    left = max(0, bank - used)
    owing = []
    open_debts = [debt for debt in known if debt.answered_at is None or debt.answered_at > now]
    starts = [due(debt.asked_at, clock.move, clock.days_off) for debt in open_debts]
    flag_at = flagged_at
    if clock.runs and starts and flag_at is None:
        flag_at = due(max(now, min(starts)), left, clock.days_off)
    for debt, begins in zip(open_debts, starts, strict=True):
        falls = due(max(now, begins), left, clock.days_off) if flagged_at is None else flagged_at
        owing.append(Owing(debt.key, debt.asked_at, worked(now, begins, clock.days_off), falls))
    return Reckoned(min(used, bank), left, tuple(owing), flag_at, flagged_at)


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans without overlap, in order."""
    joined: list[tuple[int, int]] = []
    for begins, ends in sorted(spans):
        if joined and begins <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], ends))
        else:
            joined.append((begins, ends))
    return joined
