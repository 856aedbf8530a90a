"""Supply: which places are joined to a source by a line that the enemy does not cut."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kit.board import Board, EdgeTest


class Lines:
    """Lines of supply over the edges that pass the test."""

    __slots__ = ("_near", "board")

    def __init__(self, board: Board, crosses: EdgeTest) -> None:
        self.board = board
        reach = board.reaches(crosses)
        self._near: Mapping[int, int] = {board.bit[place]: mask for place, mask in reach.items()}

    def near(self, place: int) -> int:
        """The mask of places one step away."""
        return self._near[self.board.bit[place]]

    def reached(self, sources: int, open_to: int, length: int = -1, extra: Mapping[int, int] | None = None) -> int:
        """The mask of places joined to the sources by open places; `length` bounds the steps (-1: no bound).

        A source that is not itself open supplies nothing. `extra`: more neighbours for the place of a bit (ferries,
        bridges built in play).
        """
        near = self._near if not extra else {**self._near, **{b: self._near[b] | more for b, more in extra.items()}}
        reached = edge = sources & open_to
        while edge and length:
            length -= 1
            grown = 0
            while edge:
                low = edge & -edge
                grown |= near[low]
                edge ^= low
            edge = grown & open_to & ~reached
            reached |= edge
        return reached
