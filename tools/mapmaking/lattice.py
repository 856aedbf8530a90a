"""Where the hexes of a kit grid lie: centres, corners, sides, and the hex under a point.

Hex space has the distance between neighbouring centres as its unit; x grows to the east and y to the south, whichever
way the rows are numbered. The topology is the kit's; here it only gets a shape.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pbem.kit.hexes import Grid, column_row, hex_id
from tools.mapmaking.projection import Point

TALL = math.sqrt(3) / 2
REACH = 1 / math.sqrt(3)  # from centre to corner


@dataclass(frozen=True)
class Lattice:
    grid: Grid

    def _centre(self, column: int, row: int) -> Point:
        odd = self.grid.shifted == "odd"
        down = row if self.grid.rows_from == "north" else -row
        if self.grid.top == "flat":
            return column * TALL, down + (0.5 if (column % 2 == 1) == odd else 0.0)
        return column + (0.5 if (row % 2 == 1) == odd else 0.0), down * TALL

    def centre(self, cell: int) -> Point:
        return self._centre(*column_row(cell))

    def under(self, spot: Point) -> tuple[int, int]:
        """Column and row of the hex at that spot, also beyond the edges of the map."""
        x, y = spot
        flat = self.grid.top == "flat"
        column, row = (round(x / TALL), round(y)) if flat else (round(x), round(y / TALL))
        if self.grid.rows_from == "south":
            row = -row
        near = [(column + dc, row + dr) for dc in (-1, 0, 1) for dr in (-1, 0, 1)]
        return min(near, key=lambda at: (math.dist(self._centre(*at), spot), at))

    def cell(self, spot: Point) -> int | None:
        column, row = self.under(spot)
        inside = 0 <= column <= 99 and 0 <= row <= 99 and hex_id(column, row) in self.grid
        return hex_id(column, row) if inside else None

    def corners(self, cell: int) -> list[Point]:
        x, y = self.centre(cell)
        turn = 0 if self.grid.top == "flat" else 30
        angles = [math.radians(60 * k + turn) for k in range(6)]
        return [(x + REACH * math.cos(a), y + REACH * math.sin(a)) for a in angles]

    def side(self, one: int, other: int) -> tuple[Point, Point]:
        """The two ends of the side between neighbours."""
        (ax, ay), (bx, by) = self.centre(one), self.centre(other)
        mx, my, dx, dy = (ax + bx) / 2, (ay + by) / 2, bx - ax, by - ay
        half = REACH / 2
        return (mx - dy * half, my + dx * half), (mx + dy * half, my - dx * half)

    def extent(self) -> tuple[Point, Point]:
        """The corners of the rectangle that holds all hexes."""
        spots = [self.centre(cell) for cell in self.grid]
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        return (min(xs) - REACH, min(ys) - REACH), (max(xs) + REACH, max(ys) + REACH)
