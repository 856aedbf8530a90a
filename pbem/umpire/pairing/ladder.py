"""A ladder: neighbours play, and a lower one who wins swaps places with the upper."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.umpire.pairing.pairs import Entrant, Lots, Pair, Pairing, Played
from pbem.umpire.pairing.tally import first_of, place, records, side_reason


def rungs(entrants: Sequence[Entrant], played: Sequence[Played]) -> tuple[int, ...]:
    """Numbers from the top. At first by number; who wins from below takes the rung, and those between go one down."""
    order = [entrant.number for entrant in entrants]
    for round in sorted({game.round for game in played}):
        ahead: dict[tuple[int, int], int] = {}
        for game in sorted((game for game in played if game.round == round), key=place):
            if game.second is not None:
                pair = (min(game.first, game.second), max(game.first, game.second))
                lead = game.first_points - game.second_points
                ahead[pair] = ahead.get(pair, 0) + (lead if pair[0] == game.first else -lead)
        for (one, other), lead in sorted(ahead.items()):
            winner, loser = (one, other) if lead > 0 else (other, one)
            if lead and order.index(winner) > order.index(loser):
                order.remove(winner)
                order.insert(order.index(loser), winner)
    return tuple(order)


def pair(entrants: Sequence[Entrant], played: Sequence[Played], round: int, lots: Lots) -> Pairing:
    """In odd rounds rungs 1 and 2, 3 and 4 and so on; in even rounds 2 and 3, 4 and 5."""
    known = {entrant.number: entrant for entrant in entrants}
    found = records(entrants, played)
    order = [number for number in rungs(entrants, played) if not known[number].out]
    start = (round + 1) % 2 if len(order) > 2 else 0
    pairs: list[Pair] = []
    idle = list(order[:start])
    for at in range(start, len(order) - 1, 2):
        upper, lower = order[at], order[at + 1]
        has_first = first_of(found[upper], found[lower], lots.coin("first side", at))
        first, second = (upper, lower) if has_first else (lower, upper)
        why = f"{known[lower].name}, rung {at + 2}, challenges {known[upper].name}, rung {at + 1}."
        sides = side_reason(known[first].name, found[first], known[second].name, found[second])
        pairs.append(Pair(first, second, (why, sides)))
    if (len(order) - start) % 2:
        idle.append(order[-1])
    rests = [Pair(number, None, ("No game in this round: nobody stands beside them.",)) for number in idle]
    return Pairing(round, (*pairs, *rests))
