"""Zones of control: who projects where, and the union for a side.

The rule of a game is two tests: which edges a zone crosses (not rivers, not into towns), and which units project. The
first is fixed by the map and becomes a mask per place; the second the game answers by the places that it passes in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.kit.board import Board, EdgeTest


class Zones:
    __slots__ = ("board", "reach")

    def __init__(self, board: Board, crosses: EdgeTest) -> None:
        self.board = board
        self.reach: Mapping[int, int] = board.reaches(crosses)

    def of(self, places: Iterable[int]) -> int:
        """The mask of every place controlled from these places (not the places themselves)."""
        reach = self.reach
        mask = 0
        for place in places:
            mask |= reach[place]
        return mask

    def controls(self, holder: int, place: int) -> bool:
        return bool(self.reach[holder] & self.board.bit[place])
