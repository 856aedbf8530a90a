"""Who holds the first side of a game."""

from __future__ import annotations

from typing import Final

from pbem.umpire.pairing.tally import Record

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
        return f"{first} has the first side by lot and board."
    return f"{first} has the first side. Held so far: by {first} {_held(his)}, by {second} {_held(theirs)}."


def _held(record: Record) -> str:
    if not record.sides:
        return "neither"
    return ("…, " if len(record.sides) > _LAST else "") + _shown(record)


def _shown(record: Record) -> str:
    return ", ".join("first" if side > 0 else "second" for side in record.sides[-_LAST:])
