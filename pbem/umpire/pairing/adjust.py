"""Changes of a pairing by hand. Each has a reason, and the round stays one in which everybody has one place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pbem.protocol.limits import MAX_WHY
from pbem.umpire import UmpireError
from pbem.umpire.pairing.pairs import Entrant, Pair, Pairing, Played, mirrored

How = Literal["swap", "sides", "pair", "leave"]
HOW: Final[tuple[How, ...]] = ("swap", "sides", "pair", "leave")


@dataclass(frozen=True, slots=True)
class Change:
    """`swap`: `one` and `other` exchange places. `sides`: the game of `one` changes sides. `pair`: `one` plays
    `other`, and those whom they would have played play each other. `leave`: `one` has no game, their opponent a bye.
    """

    how: How
    one: int
    other: int | None
    reason: str


def adjust(
    pairing: Pairing, change: Change, entrants: Iterable[Entrant], played: Sequence[Played] = (), bye: int = 0
) -> Pairing:
    """The round with the change made, said in its notes. `bye`: what a bye that comes of it is worth in half points."""
    names = {entrant.number: entrant.name for entrant in entrants}
    reason = " ".join(change.reason.split())
    if not 1 <= len(reason) <= MAX_WHY:
        raise UmpireError("E-UMPIRE-RULING", f"A change by hand needs a reason of at most {MAX_WHY} characters.")
    if change.how not in HOW:
        raise UmpireError("E-UMPIRE-RULING", f"A change is one of {', '.join(HOW)}.")
    both = any(pair.mirror for pair in pairing.pairs)
    pairs = [pair for pair in pairing.pairs if pair.mirror < 2]
    if both:
        pairs = [
            Pair(each.first, each.second, each.why, 0, each.points // 2 if each.second is None else 0) for each in pairs
        ]
    one = _at(pairs, change.one, names)
    hand = f"By hand: {reason}"
    if change.how == "sides":
        _alone(change)
        pair = pairs[one]
        if pair.second is None:
            raise UmpireError(
                "E-UMPIRE-RULING", f"{names[change.one]} has no game in round {pairing.round} to change sides in."
            )
        pairs[one] = Pair(pair.second, pair.first, (*pair.why, hand))
        said = f"{names[pair.second]} has the first side against {names[pair.first]}"
    elif change.how == "leave":
        _alone(change)
        pair = pairs.pop(one)
        left = [number for number in pair.entrants if number != change.one]
        pairs += [Pair(number, None, (hand,), 0, bye) for number in left]
        said = f"{names[change.one]} has no game" + "".join(f", {names[number]} a bye" for number in left)
    else:
        if change.other is None or change.other == change.one:
            raise UmpireError("E-UMPIRE-RULING", "Two different entrants are needed for this change.")
        other = _at(pairs, change.other, names)
        if one == other:
            raise UmpireError(
                "E-UMPIRE-RULING", f"{names[change.one]} and {names[change.other]} are already paired with each other."
            )
        if change.how == "pair":
            said = f"{names[change.one]} plays {names[change.other]}"
            _pair(pairs, one, other, change.one, change.other, hand, bye)
        else:
            said = f"{names[change.one]} and {names[change.other]} exchange places"
            _swap(pairs, one, other, change.one, change.other, hand)
    notes = [*pairing.notes, f"By hand: {said}. {reason}"]
    before = {pair.entrants for pair in pairing.pairs}
    for pair in pairs:
        if pair.second is not None and pair.entrants not in before and pair.entrants[::-1] not in before:
            met = [game.round for game in played if {game.first, game.second} == set(pair.entrants)]
            if met:
                notes.append(f"{names[pair.first]} and {names[pair.second]} have met in round {max(met)}.")
    changed = Pairing(pairing.round, tuple(pairs), tuple(notes))
    return mirrored(changed) if both else changed


def _at(pairs: Sequence[Pair], number: int, names: dict[int, str]) -> int:
    for at, pair in enumerate(pairs):
        if number in pair.entrants:
            return at
    who = names.get(number)
    raise UmpireError(
        "E-UMPIRE-RULING", f"There is no entrant {number}." if who is None else f"{who} has no place in this round."
    )


def _alone(change: Change) -> None:
    if change.other is not None:
        raise UmpireError("E-UMPIRE-RULING", f"A change `{change.how}` is about one entrant, and two are named.")


def _swap(pairs: list[Pair], at_one: int, at_other: int, one: int, other: int, hand: str) -> None:
    change = {one: other, other: one}
    for at in (at_one, at_other):
        pair = pairs[at]
        second = None if pair.second is None else change.get(pair.second, pair.second)
        pairs[at] = Pair(change.get(pair.first, pair.first), second, (hand,), 0, pair.points)


def _pair(pairs: list[Pair], at_one: int, at_other: int, one: int, other: int, hand: str, bye: int) -> None:
    left = [number for at in (at_one, at_other) for number in pairs[at].entrants if number not in (one, other)]
    points = max(pairs[at_one].points, pairs[at_other].points, bye)
    first = one if pairs[at_one].first == one else other
    pairs[at_one] = Pair(first, other if first == one else one, (hand,))
    if len(left) == 2:
        pairs[at_other] = Pair(left[0], left[1], (hand,))
    elif left:
        pairs[at_other] = Pair(left[0], None, (hand,), 0, points)
    else:
        pairs.pop(at_other)
