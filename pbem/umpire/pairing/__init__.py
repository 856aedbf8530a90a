"""Pairs the players of a round: a function of entrants, games so far and the tournament's seed, and of nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.umpire import UmpireError
from pbem.umpire.pairing import knockout, ladder, round_robin, swiss
from pbem.umpire.pairing.adjust import HOW, Change, adjust
from pbem.umpire.pairing.pairs import DRAW, FORMATS, LOSS, WIN, Entrant, Lots, Pair, Pairing, Played, place_by_lot
from pbem.umpire.pairing.pairs import mirrored as mirror
from pbem.umpire.pairing.tally import check_entrants

__all__ = [
    "DRAW",
    "FORMATS",
    "HOW",
    "LOSS",
    "REPLAYS",
    "WIN",
    "Change",
    "Entrant",
    "Pair",
    "Pairing",
    "Played",
    "adjust",
    "is_finished",
    "lead",
    "pair",
    "place_by_lot",
    "rounds_needed",
]

REPLAYS = 2
"""How often a tie of a knockout is played again before the higher seed goes on."""


def pair(
    format: str,
    entrants: Sequence[Entrant],
    played: Sequence[Played],
    round: int,
    *,
    rounds: int,
    mirrored: bool = False,
    seed: bytes = b"",
    replays: int = REPLAYS,
) -> Pairing:
    """Round `round` of `rounds`, from all games of the rounds before it. Everybody who is not out has one place."""
    ordered = check_entrants(entrants)
    if any(game.round >= round for game in played):
        raise UmpireError("E-UMPIRE-PAIRING", f"Round {round} cannot be paired: it already has results.")
    lots = Lots(seed, round)
    if format == "round_robin":
        made = round_robin.pair(ordered, round, rounds)
    elif format == "swiss":
        made = swiss.pair(ordered, played, round, lots)
    elif format == "knockout":
        made = knockout.pair(ordered, played, round, replays, lots)
    elif format == "ladder":
        made = ladder.pair(ordered, played, round, lots)
    else:
        raise UmpireError("E-UMPIRE-PAIRING", f"There is no format {format!r}; there are {', '.join(FORMATS)}.")
    if not made.pairs:
        raise UmpireError("E-UMPIRE-PAIRING", "There is nobody to pair.")
    return mirror(made) if mirrored else made


def rounds_needed(format: str, entrants: int) -> int:
    """Rounds until everybody has met everybody, or until only one is without a loss if no game is drawn."""
    if format == "round_robin":
        return round_robin.cycle_rounds(entrants)
    if format in ("swiss", "knockout"):
        return max(0, entrants - 1).bit_length()
    return min(entrants - 1, 1) if entrants else 0


def is_finished(
    format: str,
    entrants: Sequence[Entrant],
    played: Sequence[Played],
    round: int,
    *,
    rounds: int,
    replays: int = REPLAYS,
) -> bool:
    """Whether nothing is left to be paired once every game of `round` has its result."""
    if format == "knockout":
        return round > 0 and knockout.finished(check_entrants(entrants), played, replays)
    return round >= rounds or sum(not entrant.out for entrant in entrants) < 2


def lead(
    format: str, entrants: Sequence[Entrant], played: Sequence[Played], *, replays: int = REPLAYS
) -> dict[int, int] | None:
    """What ranks entrants before their points: stages come through in a knockout, the rung of a ladder."""
    ordered = check_entrants(entrants)
    if format == "knockout":
        return knockout.reached(ordered, played, replays)
    if format == "ladder":
        rungs = ladder.rungs(ordered, played)
        return {number: len(rungs) - rung for rung, number in enumerate(rungs)}
    return None
