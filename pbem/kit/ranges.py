"""Ranges: the hexes within a plain distance of a place, whatever lies between, and the nearest that will do.

```
  . 2 2 2        within(H, 2): a headquarters' range, its own hex included
  2 1 H 2        nearest(H, mask, least=2): where H goes when it must leave, at least two hexes away
```
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kit.board import Board


class Ranges:
    """Distances in hexes, on the grid of a board."""

    __slots__ = ("_found", "board")

    def __init__(self, board: Board) -> None:
        if board.grid is None:
            raise ValueError("ranges are counted on a grid of hexes")
        self.board = board
        self._found: dict[tuple[int, int], int] = {}

    def within(self, place: int, hexes: int) -> int:
        """The mask of hexes at most so many away."""
        found = self._found.get((place, hexes))
        if found is None:
            assert self.board.grid is not None
            cells = (cell for cell in self.board.grid.within(place, hexes) if cell in self.board)
            found = self._found[place, hexes] = self.board.mask(cells)
        return found

    def next_and_apart(self, place: int, held: int) -> tuple[int, int]:
        """How many of the places that are held are next to this one, and how many two hexes away."""
        near = self.within(place, 1)
        return (near & ~self.board.bit[place] & held).bit_count(), (self.within(place, 2) & ~near & held).bit_count()

    def of(self, posts: Iterable[tuple[int, int]]) -> int:
        """The mask of hexes within the range of any of these: (headquarters' place, its range)."""
        mask = 0
        for place, hexes in posts:
            mask |= self.within(place, hexes)
        return mask

    def nearest(self, place: int, among: int, least: int = 0) -> tuple[int, ...]:
        """Those of these hexes (a mask) that are nearest to a place, but at least so far away."""
        grid = self.board.grid
        assert grid is not None
        away = {cell: grid.distance(place, cell) for cell in self.board.in_mask(among) if cell in grid}
        closest = min((far for far in away.values() if far >= least), default=-1)
        return tuple(cell for cell, far in away.items() if far == closest)
