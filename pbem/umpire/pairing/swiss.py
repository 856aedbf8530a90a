"""Swiss rounds as a weighted matching: of all ways to pair everybody, the one that costs least.

A pair's cost is a tuple compared lexicographically: one unit of an earlier member outweighs any total of the later ones
over the whole round. The matching is found by the blossom algorithm of networkx.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbem.umpire import UmpireError
from pbem.umpire.pairing.pairs import WIN, Entrant, Lots, Pair, Pairing, Played, points_text
from pbem.umpire.pairing.tally import Record, first_of, records, side_reason

NOBODY: Final = 0
_LOT_BITS: Final = 40
Edge = tuple[int, int]
Cost = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant as the pairing of a round sees them: `place` (from 0) in a group of equal points, which has `size`."""

    entrant: Entrant
    record: Record
    rank: int
    place: int
    size: int
    due: int
    urgency: int


def pair(entrants: Sequence[Entrant], played: Sequence[Played], round: int, lots: Lots) -> Pairing:
    found = records(entrants, played)
    present = ranked([entrant for entrant in entrants if not entrant.out], found)
    by_number = {each.entrant.number: each for each in present}
    lowest = min((each.record.points for each in present), default=0)
    costs: dict[tuple[int, int], Cost] = {}
    for at, one in enumerate(present):
        for other in present[at + 1 :]:
            costs[one.entrant.number, other.entrant.number] = pair_cost(one, other, round)
        if len(present) % 2:
            costs[one.entrant.number, NOBODY] = bye_cost(one, lowest, round)
    matched = match(costs, lambda one, other: lots.number("pair", one, other))
    games, byes, notes = [], [], []
    for one_number, other_number in matched:
        one = by_number[one_number]
        if other_number == NOBODY:
            byes.append(Pair(one_number, None, bye_reasons(one, lowest), 0, WIN))
            if one.record.byes:
                notes.append(f"{one.entrant.name} has a bye again: everybody has had one.")
            continue
        other = by_number[other_number]
        games.append((one, other))
        if other_number in one.record.met:
            before = one.record.met[other_number]
            unless = " or a second bye" if len(present) % 2 else ""
            notes.append(
                f"{one.entrant.name} and {other.entrant.name} have met in round {before}: "
                f"every other way to pair this round has as many second meetings{unless}."
            )
    games.sort(key=lambda game: (-game[0].record.points, -game[1].record.points, game[0].rank))
    pairs = [_seated(one, other, board, lots) for board, (one, other) in enumerate(games)]
    return Pairing(round, (*pairs, *byes), tuple(notes))


def ranked(entrants: Sequence[Entrant], found: Mapping[int, Record]) -> tuple[Standing, ...]:
    """By points, then by number."""
    ordered = sorted(entrants, key=lambda entrant: (-found[entrant.number].points, entrant.number))
    groups: dict[int, list[Entrant]] = {}
    for entrant in ordered:
        groups.setdefault(found[entrant.number].points, []).append(entrant)
    return tuple(
        Standing(entrant, found[entrant.number], rank, place, len(group), *found[entrant.number].preference)
        for rank, (place, group, entrant) in enumerate(
            (place, group, entrant) for group in groups.values() for place, entrant in enumerate(group)
        )
    )


def pair_cost(one: Standing, other: Standing, round: int) -> Cost:
    """`one` ranks above `other`."""
    met = one.record.met.get(other.entrant.number, 0)
    clash = min(one.urgency, other.urgency) if one.due == other.due else 0
    difference = one.record.points - other.record.points
    if difference:
        fold = (one.size - 1 - one.place) ** 2 + other.place**2
    else:
        half = one.size // 2
        across = one.place < half <= other.place
        fold = (other.place - one.place - half) ** 2 + (0 if across else one.size**2)
    return (
        0,  # a second bye
        int(met > 0),
        met,  # rather those whose first meeting is long ago
        0,  # a bye above the lowest points
        int(clash == 3),  # one of them would hold a side three times on end, or three times more than the other
        difference**2,
        _again(one.record, round, 1) + _again(other.record, round, -1) if difference else 0,
        clash**2,
        fold,
    )


def bye_cost(one: Standing, lowest: int, round: int) -> Cost:
    before = 2 * one.record.byes + min(one.record.unplayed_wins, 1)
    above = one.record.points - lowest
    return (before, 0, 0, above, 0, 0, _again(one.record, round, 1), 0, (one.size - 1 - one.place) ** 2)


def _again(record: Record, round: int, way: int) -> int:
    """2: they were paired out of their group in this direction a round ago, 1: two rounds ago."""
    return next((2 - back for back in range(2) if record.floats.get(round - 1 - back, 0) * way > 0), 0)


def _seated(one: Standing, other: Standing, board: int, lots: Lots) -> Pair:
    upper_first = lots.coin("first side") ^ bool(board % 2)
    has_first = first_of(one.record, other.record, upper_first)
    first, second = (one, other) if has_first else (other, one)
    return Pair(
        first.entrant.number,
        second.entrant.number,
        (
            _because(one, other),
            side_reason(first.entrant.name, first.record, second.entrant.name, second.record),
        ),
    )


def _because(one: Standing, other: Standing) -> str:
    mine, theirs = one.record.points, other.record.points
    if mine == theirs:
        return (
            f"Both have {points_text(mine)}; in this group of {one.size}, number {one.place + 1} "
            f"meets number {other.place + 1}."
        )
    if one.size == 1:
        why = f"nobody else has {points_text(mine)}"
    elif one.size % 2:
        why = f"the group of {one.size} with {points_text(mine)} is odd"
    else:
        why = f"not all {one.size} with {points_text(mine)} could be paired with each other"
    return f"{one.entrant.name} with {points_text(mine)} meets {other.entrant.name} with {points_text(theirs)}: {why}."


def bye_reasons(one: Standing, lowest: int) -> tuple[str, ...]:
    which = "lowest group" if one.record.points == lowest else "lowest group in which somebody can be spared"
    again = "has not had one" if not one.record.byes else "has had one, as everybody has"
    return (
        f"The number of entrants is odd. {one.entrant.name}, {points_text(one.record.points)}, is in the {which} "
        f"and {again}.",
    )


def match(costs: Mapping[Edge, Cost], lot: Callable[[int, int], int]) -> tuple[Edge, ...]:
    """Edges that cover every vertex once and together cost least.

    Every edge has the same number of costs, and earlier ones outweigh all later ones together. Where two ways cost the
    same, the sum of lots of 64 bits decides; so the answer depends neither on the order of edges nor on how the
    algorithm goes about it.
    """
    networkx = _networkx()
    weights = _reduced(_weights(costs, lot))
    graph = networkx.Graph()
    for edge in sorted(weights):
        graph.add_edge(*edge, weight=-weights[edge])
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(found) != len(graph):
        raise UmpireError("E-UMPIRE-PAIRING", "There is no way to pair everybody.")
    return tuple(sorted(edge if edge in costs else edge[::-1] for edge in found))


def _weights(costs: Mapping[Edge, Cost], lot: Callable[[int, int], int]) -> dict[Edge, int]:
    """Each list of costs as one even integer, in digits too large for any sum of lower ones to carry."""
    pairs = len({vertex for edge in costs for vertex in edge}) // 2
    radices = [1 + pairs * max(column) for column in zip(*costs.values(), strict=True)]
    weights = {}
    for edge, cost in costs.items():
        weight = 0
        for radix, part in zip(radices, cost, strict=True):
            weight = weight * radix + part
        weights[edge] = 2 * (weight * (pairs << _LOT_BITS) + (lot(*edge) >> 64 - _LOT_BITS))
    return weights


def _reduced(weights: Mapping[Edge, int]) -> dict[Edge, int]:
    """Less half of what each end pays at least: which way is cheapest stays the same, and is found in a quarter of the
    time, since networkx begins at the dearest edge and works its way down."""
    least: dict[int, int] = {}
    for edge, weight in weights.items():
        for vertex in edge:
            least[vertex] = min(weight, least.get(vertex, weight))
    return {(one, other): weight - least[one] // 2 - least[other] // 2 for (one, other), weight in weights.items()}


def _networkx() -> Any:
    try:
        import networkx
    except ImportError as error:
        raise UmpireError("E-EXTRA", "Pairing needs networkx: pip install 'pbem[umpire]'.") from error
    return networkx
