"""Where the hexes of a grid lie on a picture: whole numbers, 60 from centre to corner."""

from __future__ import annotations

from pbem.kit.hexes import Grid, column_row
from pbem.pictures.svg import Point

REACH = 60
MARGIN = 36

_POINTY: tuple[Point, ...] = ((0, -60), (52, -30), (52, 30), (0, 60), (-52, 30), (-52, -30))
_FLAT: tuple[Point, ...] = ((-30, -52), (30, -52), (60, 0), (30, 52), (-30, 52), (-60, 0))


class Geometry:
    """Corner d and corner d + 1 are the ends of the side in direction d."""

    def __init__(self, grid: Grid, margin: int = MARGIN) -> None:
        self.grid = grid
        self.flat = grid.top == "flat"
        self.corners = _FLAT if self.flat else _POINTY
        low = 1 if grid.shifted == "odd" else 0
        last = grid.first_row + grid.rows - 1
        self._centres: dict[int, Point] = {}
        for cell in grid:
            column, row = column_row(cell)
            down = row - grid.first_row if grid.rows_from == "north" else last - row
            across = column - grid.first
            if self.flat:
                spot = (90 * across + 60, 104 * down + 52 + (52 if column & 1 == low else 0))
            else:
                spot = (104 * across + 52 + (52 if row & 1 == low else 0), 90 * down + 60)
            self._centres[cell] = (spot[0] + margin, spot[1] + margin)
        self.width = max(x for x, _ in self._centres.values()) + (60 if self.flat else 52) + margin
        self.height = max(y for _, y in self._centres.values()) + (52 if self.flat else 60) + margin

    def centre(self, cell: int) -> Point:
        return self._centres[cell]

    def hex(self, cell: int) -> list[Point]:
        x, y = self._centres[cell]
        return [(x + dx, y + dy) for dx, dy in self.corners]

    def inner(self, cell: int, share: int) -> list[Point]:
        """The hex drawn smaller, by hundredths."""
        x, y = self._centres[cell]
        return [(x + dx * share // 100, y + dy * share // 100) for dx, dy in self.corners]

    def side(self, cell: int, direction: int) -> tuple[Point, Point]:
        x, y = self._centres[cell]
        (ax, ay), (bx, by) = self.corners[direction], self.corners[(direction + 1) % 6]
        return (x + ax, y + ay), (x + bx, y + by)

    def between(self, a: int, b: int) -> tuple[Point, Point] | None:
        """The side that two hexes share."""
        direction = self.grid.direction(a, b)
        return None if direction is None else self.side(a, direction)


def chained(sides: list[tuple[Point, Point]]) -> list[list[Point]]:
    """Pieces of a line joined to as long ones as there can be."""
    ends: dict[Point, list[int]] = {}
    for number, (a, b) in enumerate(sides):
        ends.setdefault(a, []).append(number)
        ends.setdefault(b, []).append(number)
    used = [False] * len(sides)
    chains = []

    def follow(start: Point) -> list[Point]:
        chain, at = [start], start
        while True:
            onward = next((n for n in ends[at] if not used[n]), None)
            if onward is None:
                return chain
            used[onward] = True
            a, b = sides[onward]
            at = b if at == a else a
            chain.append(at)

    for start in [spot for spot, held in ends.items() if len(held) != 2] + list(ends):
        while any(not used[n] for n in ends[start]):
            chains.append(follow(start))
    return chains
