"""From a line on the ground to a chain of hexsides.

Every hex has a stand: its centre, or the point that the specification gives because a town lies on that bank. A
hexside belongs to the line if the way from stand to stand crosses the line an odd number of times. Such sides always
form one unbroken chain, bends smaller than a hex vanish, and a town lies on its own bank of every river.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

from tools.mapmaking.lattice import Lattice
from tools.mapmaking.projection import Point

Side = tuple[int, int]  # the smaller hex first

STEP = 0.25
REACH = 2
NUDGE = (0.0013, 0.0007)  # so that no line goes exactly through a centre


def side(one: int, other: int) -> Side:
    return (one, other) if one < other else (other, one)


def crossed(lattice: Lattice, line: list[Point], stands: Mapping[int, Point]) -> set[Side]:
    """The hexsides of a line in hex space."""
    buckets: dict[tuple[int, int], list[Side]] = defaultdict(list)
    ways: dict[Side, tuple[Point, Point]] = {}
    for cell in lattice.grid:
        for near in lattice.grid.neighbours(cell):
            if cell < near:
                (ax, ay), (bx, by) = (stands.get(end) or _nudged(lattice.centre(end)) for end in (cell, near))
                ways[cell, near] = (ax, ay), (bx, by)
                buckets[math.floor((ax + bx) / 2), math.floor((ay + by) / 2)].append((cell, near))
    odd: set[Side] = set()
    for a, b in pairwise(line):
        pieces = max(1, math.ceil(math.dist(a, b) / STEP))
        for k in range(pieces):
            one, other = _between(a, b, k / pieces), _between(a, b, (k + 1) / pieces)
            x, y = math.floor(one[0]), math.floor(one[1])
            for i in range(x - REACH, x + REACH + 1):
                for j in range(y - REACH, y + REACH + 1):
                    odd ^= {way for way in buckets.get((i, j), ()) if _crosses(*ways[way], one, other)}
    return odd


def _nudged(spot: Point) -> Point:
    return spot[0] + NUDGE[0], spot[1] + NUDGE[1]


def _between(a: Point, b: Point, share: float) -> Point:
    if share == 1:  # exactly the end, where the next piece begins
        return b
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _left(a: Point, b: Point, c: Point) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0


def _crosses(a: Point, b: Point, c: Point, d: Point) -> bool:
    return _left(a, b, c) != _left(a, b, d) and _left(c, d, a) != _left(c, d, b)
