"""A fine grid of points laid over the hexes, to measure which share of each hex something covers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tools.mapmaking.lattice import Lattice
from tools.mapmaking.projection import Point

Bitmap = bytearray  # one byte a point, 0 or 1, row by row


@dataclass(frozen=True)
class Raster:
    lattice: Lattice
    fineness: int  # points per unit of hex space
    width: int = field(init=False)
    height: int = field(init=False)
    owner: list[int] = field(init=False, repr=False)  # the hex under each point, -1 off the map
    total: Mapping[int, int] = field(init=False, repr=False)
    _origin: Point = field(init=False, repr=False)

    def __post_init__(self) -> None:
        (left, top), (right, bottom) = self.lattice.extent()
        width, height = (math.ceil((b - a) * self.fineness) for a, b in ((left, right), (top, bottom)))
        # Off the round numbers, so that no point lies on a side.
        object.__setattr__(self, "_origin", (left + 0.00131, top + 0.00171))
        object.__setattr__(self, "width", width)
        object.__setattr__(self, "height", height)
        cells = (self.lattice.cell(self._spot(i, j)) for j in range(height) for i in range(width))
        owner = [-1 if cell is None else cell for cell in cells]
        object.__setattr__(self, "owner", owner)
        object.__setattr__(self, "total", Counter(cell for cell in owner if cell >= 0))

    def _spot(self, i: int, j: int) -> Point:
        return self._origin[0] + i / self.fineness, self._origin[1] + j / self.fineness

    def fill(self, rings: Iterable[list[Point]]) -> Bitmap:
        """The points inside any of the rings, which are given in hex space."""
        found = Bitmap(self.width * self.height)
        for ring in rings:
            for j, crossings in self._crossings(ring).items():
                crossings.sort()
                for left, right in zip(crossings[::2], crossings[1::2], strict=True):
                    start = max(0, math.ceil((left - self._origin[0]) * self.fineness))
                    stop = min(self.width, math.ceil((right - self._origin[0]) * self.fineness))
                    if start < stop:
                        found[j * self.width + start : j * self.width + stop] = b"\1" * (stop - start)
        return found

    def _crossings(self, ring: list[Point]) -> dict[int, list[float]]:
        """Where each row of points is crossed by the ring."""
        rows: dict[int, list[float]] = {}
        for ends in zip(ring, ring[1:] + ring[:1], strict=True):
            (ax, ay), (bx, by) = sorted(ends, key=lambda end: end[1])
            start = max(0, math.ceil((ay - self._origin[1]) * self.fineness))
            stop = min(self.height, math.ceil((by - self._origin[1]) * self.fineness))
            for j in range(start, stop):
                y = self._origin[1] + j / self.fineness
                rows.setdefault(j, []).append(ax + (bx - ax) * (y - ay) / (by - ay))
        return rows

    def shares(self, bitmap: Bitmap) -> dict[int, float]:
        """Of each hex the part that is covered, 0 to 1."""
        covered = Counter(cell for cell, bit in zip(self.owner, bitmap, strict=True) if bit)
        return {cell: covered[cell] / total for cell, total in self.total.items()}

    def along(self, ends: tuple[Point, Point], bitmap: Bitmap) -> float:
        """Of a line the part that is covered; its ends, where three hexes meet, do not count."""
        (ax, ay), (bx, by) = ends
        steps = 2 * self.fineness
        hits = 0
        for k in range(1, steps):
            share = 0.1 + 0.8 * k / steps
            i = round((ax + (bx - ax) * share - self._origin[0]) * self.fineness)
            j = round((ay + (by - ay) * share - self._origin[1]) * self.fineness)
            hits += bitmap[min(max(j, 0), self.height - 1) * self.width + min(max(i, 0), self.width - 1)]
        return hits / (steps - 1)


def union(one: Bitmap, other: Bitmap) -> Bitmap:
    return Bitmap(a | b for a, b in zip(one, other, strict=True))


def without(one: Bitmap, other: Bitmap) -> Bitmap:
    return Bitmap(a & ~b & 1 for a, b in zip(one, other, strict=True))


def inverse(one: Bitmap) -> Bitmap:
    return Bitmap(1 - a for a in one)
