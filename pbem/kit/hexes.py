"""Hexagonal grids as wargames print them: ids `xxyy` (column, row), either orientation, either offset.

A hex is a small int, 100 * column + row, so that `0405` is 405. Directions are 0..5 clockwise, beginning at the side
that is straight up (flat top) or up and to the right (pointy top). A hexside is 10 * hex + direction, written from the
end for which the direction is 0, 1 or 2, so that both neighbours give it the same number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

Top = Literal["flat", "pointy"]
Parity = Literal["odd", "even"]
From = Literal["north", "south"]

# One step in axial coordinates (q, r), r downwards, by direction.
_FLAT_AXIAL = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
_POINTY_AXIAL = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))

Axial = tuple[int, int]


def hex_id(column: int, row: int) -> int:
    """The number of a hex: 405 is column 4, row 5."""
    return 100 * column + row


def column_row(cell: int) -> tuple[int, int]:
    return divmod(cell, 100)


def hex_name(cell: int) -> str:
    """`0405` for 405."""
    return f"{cell:04d}"


def place_key(place: int) -> str:
    """The key of a place for clicks, in orders and on the board."""
    return f"p:{hex_name(place)}"


def parse_hex(text: str) -> int | None:
    """The id written as four digits, or None."""
    return int(text) if len(text) == 4 and text.isascii() and text.isdigit() else None


def axial_distance(a: Axial, b: Axial) -> int:
    """How many steps lie between two places in axial coordinates."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return (abs(dq) + abs(dr) + abs(dq + dr)) // 2


def _nearest(q: int, r: int, n: int) -> Axial:
    """The axial cell nearest to (q/n, r/n), by integers only. n > 0."""
    s = -q - r
    # Round each of the three to the nearest integer (halves up), then mend the one that moved most.
    rq, rr, rs = (2 * q + n) // (2 * n), (2 * r + n) // (2 * n), (2 * s + n) // (2 * n)
    eq, er, es = abs(rq * n - q), abs(rr * n - r), abs(rs * n - s)
    if eq > er and eq > es:
        return -rr - rs, rr
    if er > es:
        return rq, -rq - rs
    return rq, rr


@dataclass(frozen=True, slots=True)
class Grid:
    """A rectangle of hexes. `shifted`: which columns (flat) lie half a hex lower, or rows (pointy) further right.

    Columns count from `first`, rows from `first_row` (-1: from `first` too), from the north or from the south.
    """

    columns: int
    rows: int
    top: Top = "flat"
    shifted: Parity = "even"
    first: int = 1
    first_row: int = -1
    rows_from: From = "north"
    cells: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _near: dict[int, tuple[int, ...]] = field(init=False, repr=False, compare=False)
    _axial: dict[int, Axial] = field(init=False, repr=False, compare=False)
    _cell: dict[Axial, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.first_row < 0:
            object.__setattr__(self, "first_row", self.first)
        if not (0 < self.columns <= 100 - self.first and 0 < self.rows <= 100 - self.first_row and self.first >= 0):
            raise ValueError("a grid has columns and rows within 00..99")
        across = range(self.first, self.first + self.columns)
        span = across, range(self.first_row, self.first_row + self.rows)
        axial = {hex_id(c, r): self._to_axial(c, r) for c in span[0] for r in span[1]}
        cell = {a: h for h, a in axial.items()}
        steps = _FLAT_AXIAL if self.top == "flat" else _POINTY_AXIAL
        near = {h: tuple(cell.get((q + dq, r + dr), -1) for dq, dr in steps) for h, (q, r) in axial.items()}
        object.__setattr__(self, "cells", tuple(axial))
        object.__setattr__(self, "_axial", axial)
        object.__setattr__(self, "_cell", cell)
        object.__setattr__(self, "_near", near)

    def _to_axial(self, column: int, row: int) -> Axial:
        if self.rows_from == "south":
            row = -row
        odd_low = self.shifted == "odd"
        if self.top == "flat":
            # Half a hex lower in the shifted columns: count how many such half steps lie to the left.
            return column, row - (column - (column & 1)) // 2 if odd_low else row - (column + (column & 1)) // 2
        return (column - (row - (row & 1)) // 2 if odd_low else column - (row + (row & 1)) // 2), row

    def __contains__(self, cell: object) -> bool:
        return cell in self._near

    def __iter__(self) -> Iterator[int]:
        return iter(self.cells)

    def axial(self, cell: int) -> Axial:
        return self._axial[cell]

    def at(self, axial: Axial) -> int | None:
        return self._cell.get(axial)

    def toward(self, cell: int, direction: int) -> int | None:
        """The neighbour on that side, None beyond the edge of the map."""
        near = self._near[cell][direction]
        return None if near < 0 else near

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """The hexes that touch it, clockwise."""
        return tuple(n for n in self._near[cell] if n >= 0)

    def direction(self, a: int, b: int) -> int | None:
        """The side of a on which b lies, None if they do not touch."""
        return self._near[a].index(b) if b >= 0 and b in self._near[a] else None

    def distance(self, a: int, b: int) -> int:
        return axial_distance(self._axial[a], self._axial[b])

    def side(self, cell: int, direction: int) -> int:
        """The number of a hexside; at the edge of the map the hex that exists gives it."""
        if direction >= 3:
            near = self._near[cell][direction]
            if near >= 0:
                return 10 * near + direction - 3
        return 10 * cell + direction

    def ring(self, centre: int, radius: int) -> tuple[int, ...]:
        """The hexes of the map at exactly that distance, clockwise from the corner in direction 0."""
        if radius == 0:
            return (centre,)
        steps = _FLAT_AXIAL if self.top == "flat" else _POINTY_AXIAL
        q, r = self._axial[centre]
        q, r = q + radius * steps[0][0], r + radius * steps[0][1]
        found = []
        for direction in (2, 3, 4, 5, 0, 1):
            for _ in range(radius):
                cell = self._cell.get((q, r))
                if cell is not None:
                    found.append(cell)
                q, r = q + steps[direction][0], r + steps[direction][1]
        return tuple(found)

    def within(self, centre: int, radius: int) -> tuple[int, ...]:
        return tuple(cell for k in range(radius + 1) for cell in self.ring(centre, k))

    def line(self, a: int, b: int) -> tuple[int, ...]:
        """The hexes under a straight line from centre to centre, both ends included.

        A line that runs along a hexside takes the hexes of one side throughout; hexes off the map are left out.
        """
        n = self.distance(a, b)
        if n == 0:
            return (a,)
        (aq, ar), (bq, br) = self._axial[a], self._axial[b]
        # A nudge of both ends, smaller than any distance that matters, decides ties the same way everywhere.
        big = 1_000_000
        cells = []
        for k in range(n + 1):
            q = (aq * (n - k) + bq * k) * big + n
            r = (ar * (n - k) + br * k) * big + 2 * n
            cell = self._cell.get(_nearest(q, r, n * big))
            if cell is not None:
                cells.append(cell)
        return tuple(cells)
