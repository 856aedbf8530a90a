"""Knockout by a seeded bracket: the best meet latest, and get the byes if the number is not a power of two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.umpire import UmpireError
from pbem.umpire.pairing.pairs import Entrant, Lots, Pair, Pairing, Played, half
from pbem.umpire.pairing.tally import Record, first_of, place, records, side_reason

Slot = int | None


@dataclass(frozen=True, slots=True)
class Tie:
    """Two neighbours of a bracket: who goes on, and why. `games` are the rounds of games they have had."""

    one: Slot
    other: Slot
    games: int
    winner: Slot
    why: str

    @property
    def decided(self) -> bool:
        return bool(self.why)


def bracket(entrants: int) -> tuple[int, ...]:
    """The seeds from top to bottom: 1 against the last, and 1 and 2 meet in the final."""
    order = [1]
    while len(order) < entrants:
        double = 2 * len(order) + 1
        order = [seed for upper in order for seed in (upper, double - upper)]
    return tuple(order)


def stages(entrants: Sequence[Entrant], played: Sequence[Played], replays: int) -> tuple[tuple[Tie, ...], ...]:
    """From the first stage to the one that is not yet decided, or the final."""
    if not entrants:
        return ()
    slots: list[Slot] = [
        entrants[seed - 1].number if seed <= len(entrants) else None for seed in bracket(len(entrants))
    ]
    known = {entrant.number: entrant for entrant in entrants}
    seeds = {entrant.number: seed for seed, entrant in enumerate(entrants, 1)}
    found: list[tuple[Tie, ...]] = []
    while len(slots) > 1:
        stage = tuple(_tie(slots[at], slots[at + 1], known, seeds, played, replays) for at in range(0, len(slots), 2))
        found.append(stage)
        if not all(tie.decided for tie in stage):
            break
        slots = [tie.winner for tie in stage]
    return tuple(found)


def _tie(
    one: Slot,
    other: Slot,
    known: Mapping[int, Entrant],
    seeds: Mapping[int, int],
    played: Sequence[Played],
    replays: int,
) -> Tie:
    if one is None or other is None:
        alone = one if other is None else other
        return Tie(one, other, 0, alone, "The place beside them in the bracket is empty.")
    games = [game for game in played if {game.first, game.second} == {one, other}]
    mine = sum(game.first_points if game.first == one else game.second_points for game in games)
    theirs = sum(game.second_points if game.first == one else game.first_points for game in games)
    rounds = len({game.round for game in games})
    score = f"{half(max(mine, theirs))}:{half(min(mine, theirs))}"
    if mine != theirs:
        winner = one if mine > theirs else other
        return Tie(one, other, rounds, winner, f"{known[winner].name} went on by {score}.")
    if games and mine == 0 and all(game.forfeit for game in games):
        return Tie(one, other, rounds, None, "Both forfeited.")
    gone = [number for number in (one, other) if known[number].out]
    if len(gone) == 2:
        return Tie(one, other, rounds, None, "Both have withdrawn.")
    if gone:
        winner = other if gone[0] == one else one
        return Tie(one, other, rounds, winner, f"{known[gone[0]].name} has withdrawn.")
    if rounds > replays:
        winner = min(one, other, key=seeds.__getitem__)
        return Tie(one, other, rounds, winner, f"{known[winner].name} went on at {score} by the higher seed.")
    return Tie(one, other, rounds, None, "")


def pair(entrants: Sequence[Entrant], played: Sequence[Played], round: int, replays: int, lots: Lots) -> Pairing:
    known = {entrant.number: entrant for entrant in entrants}
    found = records(entrants, played)
    rows = stages(entrants, played, replays)
    if not rows or all(tie.decided for tie in rows[-1]):
        raise UmpireError("E-UMPIRE-PAIRING", "The knockout is decided: there is nobody left to pair.")
    stage = rows[-1]
    begun = any(tie.games for tie in stage)
    pairs: list[Pair] = []
    byes: list[Pair] = []
    for board, tie in enumerate(stage):
        if tie.decided:
            if not begun and tie.winner is not None:
                byes.append(Pair(tie.winner, None, (f"Goes on without a game. {tie.why}",)))
            continue
        assert tie.one is not None
        assert tie.other is not None
        one, other = sorted((tie.one, tie.other))
        last = [game for game in played if {game.first, game.second} == {one, other}]
        stands = f"{name(len(stage))}: {known[one].name}, seed {one}, meets {known[other].name}, seed {other}."
        if last:
            first = max(last, key=place).second
            stands = f"{name(len(stage))}, replayed after a tie with the sides changed."
        else:
            upper = first_of(found[one], found[other], lots.coin("first side", board))
            first = one if upper else other
        second = other if first == one else one
        assert first is not None
        why = () if last else (_side(known, found, first, second),)
        pairs.append(Pair(first, second, (stands, *why)))
    return Pairing(round, (*pairs, *byes))


def _side(known: Mapping[int, Entrant], found: Mapping[int, Record], first: int, second: int) -> str:
    return side_reason(known[first].name, found[first], known[second].name, found[second])


def name(ties: int) -> str:
    """What a stage of so many ties is called."""
    return {1: "Final", 2: "Semi-final", 4: "Quarter-final"}.get(ties, f"Last {2 * ties}")


def winner(entrants: Sequence[Entrant], played: Sequence[Played], replays: int) -> Slot:
    """Who has won it. None: not yet decided, or nobody is left."""
    if len(entrants) == 1:
        return entrants[0].number
    rows = stages(entrants, played, replays)
    return rows[-1][0].winner if rows and len(rows[-1]) == 1 else None


def finished(entrants: Sequence[Entrant], played: Sequence[Played], replays: int) -> bool:
    rows = stages(entrants, played, replays)
    return not rows or all(tie.decided for tie in rows[-1])


def reached(entrants: Sequence[Entrant], played: Sequence[Played], replays: int) -> dict[int, int]:
    """How many stages each has come through."""
    through = {entrant.number: 0 for entrant in entrants}
    for stage in stages(entrants, played, replays):
        for tie in stage:
            if tie.decided and tie.winner is not None:
                through[tie.winner] += 1
    return through
