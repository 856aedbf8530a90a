"""Each entrant's games so far: points, opponents, byes, and the side that is due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from pbem.umpire import UmpireError
from pbem.umpire.pairing.pairs import WIN, Entrant, Played


@dataclass(slots=True)
class Record:
    """One entrant's tournament so far."""

    points: int = 0
    met: dict[int, int] = field(default_factory=dict)  # opponent -> the last round in which they were paired
    sides: list[int] = field(default_factory=list)  # of games that were played, in order: 1 first side, -1 second
    byes: int = 0
    unplayed_wins: int = 0
    floats: dict[int, int] = field(default_factory=dict)  # round -> above 0: the opponent had less points (a bye too)

    @property
    def balance(self) -> int:
        """How many more games with the first side than with the second."""
        return sum(self.sides)

    @property
    def preference(self) -> tuple[int, int]:
        """The side that is due (1, -1; 0: either) and how urgently: 3 must, 2 should, 1 in turn."""
        balance, last = self.balance, self.sides[-2:]
        if abs(balance) > 1 or (len(last) == 2 and last[0] == last[1]):
            due = -1 if balance > 1 or (balance >= -1 and last[-1] > 0) else 1
            return due, 3
        if balance:
            return (-1 if balance > 0 else 1), 2
        return (-last[-1], 1) if last else (0, 0)


def records(entrants: Iterable[Entrant], played: Iterable[Played]) -> dict[int, Record]:
    """By number. The order of `played` does not matter."""
    found = {entrant.number: Record() for entrant in entrants}
    rounds: dict[int, list[Played]] = {}
    for game in played:
        rounds.setdefault(game.round, []).append(game)
    for number in sorted(rounds):
        before = {entrant: record.points for entrant, record in found.items()}
        for game in sorted(rounds[number], key=place):
            _count(found, before, game)
    return found


def place(game: Played) -> tuple[int, int, int]:
    """The one order in which games are looked at."""
    return game.round, game.first, -1 if game.second is None else game.second


def _count(found: dict[int, Record], before: dict[int, int], game: Played) -> None:
    for number in (game.first, game.second):
        if number is not None and number not in found:
            raise UmpireError(
                "E-UMPIRE-PAIRING", f"Round {game.round} has a game of entrant {number}, who is not on the list."
            )
    first = found[game.first]
    first.points += game.first_points
    if game.second is None:
        if game.first_points:
            first.byes += 1
            first.floats[game.round] = 1
        return
    second = found[game.second]
    second.points += game.second_points
    first.met[game.second] = second.met[game.first] = game.round
    difference = before[game.first] - before[game.second]
    first.floats[game.round], second.floats[game.round] = difference, -difference
    if game.forfeit:
        first.unplayed_wins += game.first_points >= WIN
        second.unplayed_wins += game.second_points >= WIN
    else:
        first.sides.append(1)
        second.sides.append(-1)


def check_entrants(entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """By number."""
    ordered = tuple(sorted(entrants, key=lambda entrant: entrant.number))
    for before, after in pairwise(ordered):
        if before.number == after.number:
            raise UmpireError(
                "E-UMPIRE-PAIRING", f"{before.name} and {after.name} have the same number, {after.number}."
            )
    if ordered and ordered[0].number < 1:
        raise UmpireError(
            "E-UMPIRE-PAIRING", f"{ordered[0].name} has the number {ordered[0].number}; numbers begin with 1."
        )
    return ordered


_LAST: Final = 6
"""So many sides are told, the last ones."""


def first_of(one: Record, other: Record, otherwise: bool) -> bool:
    """Whether `one`, who ranks higher, has the first side. `otherwise`: when nothing speaks for either."""
    one_due, one_urgency = one.preference
    other_due, other_urgency = other.preference
    if not one_due and not other_due:
        return otherwise
    if one_due != other_due:
        return one_due > 0 if one_urgency >= other_urgency else other_due < 0
    if one_urgency != other_urgency:
        return (one_due > 0) == (one_urgency > other_urgency)
    if one.balance != other.balance:
        return one.balance < other.balance
    for mine, theirs in zip(reversed(one.sides), reversed(other.sides), strict=False):
        if mine != theirs:
            return theirs > 0  # they change over from when they last held different sides
    return one_due > 0


def side_reason(first: str, his: Record, second: str, theirs: Record) -> str:
    """Why `first` has the first side."""
    if not his.sides and not theirs.sides:
        return f"{first} has the first side by lot."
    return f"{first} has the first side. So far {first} has played {_held(his)}, {second} {_held(theirs)}."


def _held(record: Record) -> str:
    if not record.sides:
        return "neither"
    return ("…, " if len(record.sides) > _LAST else "") + _shown(record)


def _shown(record: Record) -> str:
    return ", ".join("first" if side > 0 else "second" for side in record.sides[-_LAST:])
