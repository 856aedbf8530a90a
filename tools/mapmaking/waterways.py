"""Rivers as polylines: traced through the nameless pieces of the river data, or drawn by hand where those have none.

The data know neither the names of rivers nor which is the larger, and miss what a reservoir has drowned. So a river is
a list of legs: `trace` goes from way point to way point along the data, `hand` in straight lines.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from tools.mapmaking.projection import Conic, Point

SNAP_KM = 25.0  # how far a way point may lie from the data
BRIDGE_KM = 6.0  # how wide a gap in the data is bridged
BUCKET_KM = 25.0
GAP_PRICE = 4.0  # a kilometre of gap against one of river


@dataclass
class Network:
    """The pieces of river, joined where they meet or nearly meet. Distances in kilometres of the projection."""

    conic: Conic
    nodes: list[Point] = field(default_factory=list)  # lon, lat
    spots: list[Point] = field(default_factory=list)  # km
    _number: dict[Point, int] = field(default_factory=dict)
    _near: list[dict[int, float]] = field(default_factory=list)
    _buckets: dict[tuple[int, int], list[int]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, conic: Conic, pieces: Iterable[list[Point]]) -> Network:
        net = cls(conic)
        ends: list[int] = []
        for piece in pieces:
            numbers = [net._node(point) for point in piece]
            for a, b in pairwise(numbers):
                net._join(a, b, 1.0)
            ends += [numbers[0], numbers[-1]]
        for end in ends:
            for other in net._around(net.spots[end], BRIDGE_KM):
                if other != end and other not in net._near[end]:
                    net._join(end, other, GAP_PRICE)
        return net

    def _node(self, point: Point) -> int:
        point = (round(point[0], 4), round(point[1], 4))
        if point not in self._number:
            self._number[point] = len(self.nodes)
            spot = self.conic.forward(point)
            self._buckets[_bucket(spot)].append(len(self.nodes))
            self.nodes.append(point)
            self.spots.append(spot)
            self._near.append({})
        return self._number[point]

    def _join(self, a: int, b: int, price: float) -> None:
        if a != b:
            self._near[a][b] = self._near[b][a] = price * math.dist(self.spots[a], self.spots[b])

    def _around(self, spot: Point, reach: float) -> list[int]:
        x, y = _bucket(spot)
        near = [n for dx in (-1, 0, 1) for dy in (-1, 0, 1) for n in self._buckets.get((x + dx, y + dy), ())]
        return [n for n in near if math.dist(self.spots[n], spot) <= reach]

    def _nearest(self, point: Point, river: str) -> int:
        spot = self.conic.forward(point)
        near = self._around(spot, SNAP_KM)
        if not near:
            raise SystemExit(f"{river}: no river within {SNAP_KM:.0f} km of {point}.")
        return min(near, key=lambda n: (math.dist(self.spots[n], spot), n))

    def trace(self, way: list[Point], river: str) -> list[Point]:
        """The shortest way along the data through the way points."""
        stops = [self._nearest(point, river) for point in way]
        found = [stops[0]]
        for a, b in pairwise(stops):
            found += self._path(a, b, river)[1:]
        return [self.nodes[n] for n in found]

    def _path(self, start: int, goal: int, river: str) -> list[int]:
        best, came, queue = {start: 0.0}, {start: start}, [(0.0, start)]
        while queue:
            cost, here = heapq.heappop(queue)
            if here == goal:
                path = [goal]
                while path[-1] != start:
                    path.append(came[path[-1]])
                return path[::-1]
            if cost > best[here]:
                continue
            for there, length in self._near[here].items():
                if cost + length < best.get(there, math.inf):
                    best[there], came[there] = cost + length, here
                    heapq.heappush(queue, (cost + length, there))
        raise SystemExit(f"{river}: the data do not lead from {self.nodes[start]} to {self.nodes[goal]}.")


def _bucket(spot: Point) -> tuple[int, int]:
    return math.floor(spot[0] / BUCKET_KM), math.floor(spot[1] / BUCKET_KM)
