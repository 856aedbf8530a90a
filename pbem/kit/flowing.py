"""Steps of a whole set of places at once: sets are ints, and on a grid the neighbours of a set are a few shifts of it.

A board numbers its places column by column, so that "one hex to the north" is the same distance for all of them. The
edges of one kind of movement are sorted by that distance into lanes: which places have an edge there. One step of the
set is then `(set & lane) << distance` for each lane; what fits no lane (areas, boxes, sea links) is added singly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import copy

from pbem.kit.board import Board, EdgeCost, EdgeTest

LANES = 12


class Flow:
    """Edges, ready to be crossed by sets."""

    __slots__ = ("_lanes", "_mixed", "_singles", "board")

    def __init__(self, board: Board, pairs: Iterable[tuple[int, int]]) -> None:
        self.board = board
        bit, pairs = board.bit, tuple(pairs)
        spot = {place: its.bit_length() - 1 for place, its in bit.items()}
        offsets = Counter(spot[b] - spot[a] for a, b in pairs)
        # The commonest, then the smallest: the same lanes everywhere.
        chosen = sorted(offsets.items(), key=lambda item: (-item[1], item[0]))[:LANES]
        size = max(spot.values(), default=0) // 8 + 1
        flags = {offset: bytearray(size) for offset, _ in sorted(chosen)}
        singles: dict[int, int] = {}
        for a, b in pairs:
            offset = spot[b] - spot[a]
            if offset in flags:
                flags[offset][spot[a] >> 3] |= 1 << (spot[a] & 7)
            else:
                singles[bit[a]] = singles.get(bit[a], 0) | bit[b]
        self._lanes = tuple((offset, int.from_bytes(flag, "little")) for offset, flag in flags.items())
        self._singles = singles
        self._mixed = sum(singles)

    def joined(self, other: Flow, start: int) -> Flow:
        """These edges, and those of another flow that begin in these places."""
        made = copy(self)
        lanes, singles = dict(self._lanes), dict(self._singles)
        for offset, lane in other._lanes:
            lanes[offset] = lanes.get(offset, 0) | lane & start
        for its, goals in other._singles.items():
            singles[its] = singles.get(its, 0) | (goals if its & start else 0)
        made._lanes, made._singles, made._mixed = tuple(lanes.items()), singles, sum(singles)
        return made

    def spread(self, places: int) -> int:
        """The mask of all places one step away from these."""
        found = 0
        for offset, lane in self._lanes:
            found |= (places & lane) << offset if offset > 0 else (places & lane) >> -offset
        if self._mixed:
            rest = places & self._mixed
            while rest:
                low = rest & -rest
                found |= self._singles[low]
                rest ^= low
        return found


def flow(board: Board, crosses: EdgeTest, *, back: bool = False) -> Flow:
    """The edges that pass a test. `back`: to be crossed from where they lead to where they come from."""
    places = board.places
    pairs = ((a, b) for (a, b), features in board.edges.items() if crosses(places[a], places[b], features))
    return Flow(board, ((b, a) for a, b in pairs) if back else pairs)


def flows(board: Board, cost: EdgeCost, *, back: bool = False) -> Mapping[int, Flow]:
    """By what an edge costs (None: closed), cheapest first, the flow over all edges that cost so much."""
    sorted_by: dict[int, list[tuple[int, int]]] = {}
    for (a, b), features in board.edges.items():
        points = cost(board[a], board[b], features)
        if points is not None:
            sorted_by.setdefault(points, []).append((b, a) if back else (a, b))
    if any(points < 0 for points in sorted_by):
        raise ValueError("map: an edge costs less than nothing")
    return {points: Flow(board, sorted_by[points]) for points in sorted(sorted_by)}
