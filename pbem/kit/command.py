"""Command: who stands within a headquarters' range, by plain distance or along ways that can be barred."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kit.board import Board
from pbem.kit.supply import Lines


class Ranges:
    """Distances in hexes, whatever lies between. The headquarters' own hex is in range."""

    __slots__ = ("_found", "board")

    def __init__(self, board: Board) -> None:
        if board.grid is None:
            raise ValueError("ranges are counted on a grid of hexes")
        self.board = board
        self._found: dict[tuple[int, int], int] = {}

    def within(self, place: int, hexes: int) -> int:
        """The mask of places at most so many hexes away."""
        found = self._found.get((place, hexes))
        if found is None:
            assert self.board.grid is not None
            cells = (cell for cell in self.board.grid.within(place, hexes) if cell in self.board)
            found = self._found[place, hexes] = self.board.mask(cells)
        return found

    def of(self, posts: Iterable[tuple[int, int]]) -> int:
        """The mask of places within the range of any of these: (headquarters' place, its range)."""
        mask = 0
        for place, hexes in posts:
            mask |= self.within(place, hexes)
        return mask


def traced(lines: Lines, place: int, hexes: int, open_to: int) -> int:
    """The mask of places that a line of so many steps over open places joins to a headquarters."""
    here = lines.board.bit[place]
    return lines.reached(here, open_to | here, hexes)
