"""Clocks of games by mail, and what follows when time runs out.

A clock has time for each move, a bank for when that runs out, and days that do not count. All times are whole
seconds since 1970-01-01 00:00 UTC, and days are those of UTC. A debt runs from the delivery of the request until the
answer arrives. Several debts at once each have their own time for a move; while at least one has exceeded it, the bank
runs down (at single speed).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.engine.counts import DAY, moment
from pbem.engine.obligation import JOIN
from pbem.protocol.canonical import Packable
from pbem.umpire.db.database import Writing
from pbem.umpire.db.deskrows import (
    AnswerRow,
    ExtensionRow,
    FlagRow,
    MoveRow,
    OwedRow,
    PairingRow,
    TournamentRow,
    find,
    of_games,
)
from pbem.umpire.terms import ClockTerms

if TYPE_CHECKING:
    from pbem.umpire.facts import Facts

_WEEK: Final = 7 * DAY
_MONDAY: Final = 4 * DAY  # 1970-01-05
_NEVER: Final = 1 << 60
_Span = tuple[int, int]


class Debt(NamedTuple):
    """Something owed. `answered_at` None: still owed."""

    asked_at: int
    answered_at: int | None = None


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A player's clock in a game at one moment.

    `flag_at`: when the flag falls, or fell; None: nothing is owed, or there is no clock. An answer that needs no second
    beyond it is in time, so `fallen` only becomes true with the first second after it that counts.
    """

    used_bank: int
    left_bank: int
    owing: bool
    """Something is owed at that moment."""
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


def charge(asked_at: int, answered_at: int, clock: ClockTerms) -> int:
    """What an answer took, in seconds that count."""
    return worked(asked_at, answered_at, clock.days_off)


def state(clock: ClockTerms, debts: Iterable[Debt], now: int, extensions: Sequence[int] = ()) -> Reckoned:
    """A player's clock as the facts of one game give it. Extensions add to the bank, also after the flag fell."""
    bank = clock.bank + sum(extensions)
    closed: list[_Span] = []
    still: list[int] = []
    for debt in debts:
        if debt.asked_at > now:
            continue
        begins = due(debt.asked_at, clock.move, clock.days_off)
        if debt.answered_at is None or debt.answered_at > now:
            still.append(begins)
        elif begins < debt.answered_at:
            closed.append((begins, debt.answered_at))
    running = [(begins, now) for begins in still if begins < now]
    used = sum(worked(*span, clock.days_off) for span in _joined([*closed, *running]))
    flag_at = _falls(clock, [*closed, *((begins, _NEVER) for begins in still)], bank)
    fallen = flag_at is not None and worked(flag_at, now, clock.days_off) > 0
    return Reckoned(min(used, bank), max(0, bank - used), bool(still), flag_at, fallen)


def _falls(clock: ClockTerms, spans: Iterable[_Span], bank: int) -> int | None:
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


_ADDRESS: Final = re.compile(r"[^\s<>(),;:]+@[^\s<>(),;:]+")


def reckoned(
    tournament: TournamentRow,
    entrant: int,
    moves: Sequence[MoveRow],
    owed: Sequence[OwedRow],
    extensions: Sequence[ExtensionRow],
    now: int,
) -> Reckoned:
    """One player's clock in one game, from the rows of that game."""
    debts = [Debt(each.asked_at, each.answered_at) for each in moves if each.entrant == entrant]
    debts += [Debt(each.since) for each in owed if each.entrant == entrant and each.since and each.what != JOIN]
    given = [each.seconds for each in extensions if each.entrant == entrant]
    return state(tournament.terms.clock, debts, now, given)


def look(
    writing: Writing,
    tournament: TournamentRow,
    pairing: PairingRow,
    owed: Sequence[OwedRow],
    waits: Collection[int],
) -> None:
    """A game that runs: its flags, and what follows from them. `waits`: entrants for whom a mail of the desk waits."""
    db, keeper, now = writing.db, tournament.terms.keeper, writing.at
    moves = of_games(db, MoveRow, tournament.id, pairing.id)
    extensions = of_games(db, ExtensionRow, tournament.id, pairing.id)
    for entrant in pairing.entrants:
        clock = reckoned(tournament, entrant, moves, owed, extensions, now)
        fell = clock.flagged_at
        if fell is None:
            continue
        if find(db, FlagRow, pairing=pairing.id, entrant=entrant, fell_at=fell) is None:
            writing.record("flagged", {"entrant": entrant, "fell_at": fell, "pairing": pairing.id})
        late = clock.owing and now >= fell + keeper.grace
        about = f"{entrant}.{fell}"
        if late and keeper.on_flag == "forfeit" and not writing.is_wanted(pairing.id, "rule", about):
            why = _time_ran_out([each for each in owed if each.entrant == entrant and each.since], fell)
            data: dict[str, Packable] = {"entrant": entrant, "what": "forfeit", "why": why}
            writing.want(tournament.id, pairing.id, "rule", data, about)
    remind(writing, tournament, pairing, owed, waits)


def _time_ran_out(owed: Sequence[OwedRow], fell: int) -> str:
    """The reason of a forfeit: when the question was delivered, and how, is the umpire's statement."""
    asked = min(owed, key=lambda each: each.since)
    said = f" ({_ADDRESS.sub('(address)', asked.said)})" if asked.said else ""
    return f"Time ran out at {moment(fell)}. Asked for {asked.what} at {moment(asked.since)}{said}."


def remind(
    writing: Writing,
    tournament: TournamentRow,
    pairing: PairingRow,
    owed: Sequence[OwedRow],
    waits: Collection[int],
) -> None:
    """Wants a reminder to everybody who has owed something for one more of the intervals since they were asked. Nobody
    is reminded for whom a mail of the desk still waits."""
    every = tournament.terms.keeper.remind
    for entrant in [each for each in pairing.entrants if each not in waits] if every else ():
        since = min((each.since for each in owed if each.entrant == entrant and each.since), default=0)
        count = max(0, writing.at - since) // every if since else 0
        about = f"{entrant}.{since}.{count}"
        if count and not writing.is_wanted(pairing.id, "remind", about):
            data: dict[str, Packable] = {"count": count, "entrants": [entrant], "since": since}
            writing.want(tournament.id, pairing.id, "remind", data, about)


def absent(pairing: PairingRow, answers: Sequence[AnswerRow], facts: Facts | None) -> list[int]:
    """The players who have not joined."""
    said = {each.entrant: each.yes for each in answers}
    if facts is not None:
        said |= {pairing.entrants[each.by]: each.yes for each in facts.answers}
    return [entrant for entrant in pairing.entrants if not said.get(entrant)]


def at_fault(answers: Sequence[AnswerRow], missing: Sequence[int]) -> list[int]:
    """Who loses a game that never began: after a refusal nobody else could begin it."""
    return [each.entrant for each in answers if not each.yes] or list(missing)


def deadline(
    tournament: TournamentRow, pairing: PairingRow, answers: Sequence[AnswerRow], owed: Sequence[OwedRow]
) -> int | None:
    """When an offer that no game has come of is decided: some time after somebody declined it, or after it expired.
    A missing player has had all of the time since the offer was delivered to them; None: to somebody it was not."""
    declined = [each.at for each in answers if not each.yes]
    if not declined and not all(each.since for each in owed if each.entrant):
        return None
    accept = tournament.terms.clock.accept
    expires = max([pairing.expires, *(each.since + accept for each in owed if each.entrant and each.since)])
    return min([expires, *declined]) + tournament.terms.keeper.grace


def left_late(
    tournament: TournamentRow, pairing: PairingRow, answers: Sequence[AnswerRow], delivered: Sequence[int], now: int
) -> bool:
    """The offer expired, and its mail left so late that somebody who is missing had less than half of the time to
    accept: the players' programs refuse it now."""
    late = any(at - pairing.offered_at > tournament.terms.clock.accept // 2 for at in delivered)
    return late and now > pairing.expires and all(each.yes for each in answers)
