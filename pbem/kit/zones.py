"""Zones of control: who projects, across what, who cancels, and the bonds between two units two hexes apart.

The rule of a game is a test of edges (zones do not cross rivers, do not reach into towns), and the places in which
units project. The first is fixed by the map; the second is the mask that the game passes in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from pbem.kit.board import Board, EdgeTest
from pbem.kit.flowing import flow
from pbem.kit.hexes import Axial, Grid


class Zones:
    """The hexes that a unit in a place would control, for one kind of unit."""

    __slots__ = ("_flow", "board", "reach")

    def __init__(self, board: Board, crosses: EdgeTest) -> None:
        self.board = board
        self.reach: Mapping[int, int] = board.reaches(crosses)
        self._flow = flow(board, crosses)

    def of(self, places: Iterable[int]) -> int:
        """The mask of every place controlled from these places (not the places themselves)."""
        reach = self.reach
        mask = 0
        for place in places:
            mask |= reach[place]
        return mask

    def of_mask(self, places: int) -> int:
        """The same for a mask of places."""
        return self._flow.spread(places)

    def left(self, places: int, cancelled: int) -> int:
        """The zone from these places without the places in which somebody's presence cancels it."""
        return self._flow.spread(places) & ~cancelled

    def controls(self, holder: int, place: int) -> bool:
        return bool(self.reach[holder] & self.board.bit[place])

    def holders(self, place: int, places: int) -> tuple[int, ...]:
        """Which of these places control that one, for a sentence that says who stops the unit."""
        bit, reach = self.board.bit[place], self.reach
        return tuple(holder for holder in self.board.in_mask(places) if reach[holder] & bit)


STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))

TWO_AWAY = ((0, -2), (1, -2), (2, -2), (2, -1), (2, 0), (1, 1), (0, 2), (-1, 2), (-2, 2), (-2, 1), (-2, 0), (-1, -1))
OFF_MAP = -1

# May a bond between the first and the last hex (or OFF_MAP) run over the hex between them?
Spans = Callable[[int, int, int], bool]


class Barrier(NamedTuple):
    """The hexes that an enemy may not enter, and the pairs of hexes between which they may not pass."""

    hexes: int = 0
    sides: frozenset[tuple[int, int]] = frozenset()


class Bond(NamedTuple):
    a: int
    b: int  # OFF_MAP: a friendly edge of the map
    between: tuple[int, ...]  # one hex: it is barred; two: the side between them is


class Bonds:
    """Bonds between units of one side two hexes apart.

    In a straight line they bar the hex between them; over a corner, the hexside that the line runs along. With an edge
    of the map they bar the side of two hexes at that edge, as if a unit stood beyond.
    """

    __slots__ = ("_possible", "_spans", "board", "grid")

    def __init__(self, board: Board, spans: Spans) -> None:
        if board.grid is None:
            raise ValueError("bonds are made on a grid of hexes")
        self.board = board
        self.grid: Grid = board.grid
        self._spans = spans
        self._possible: dict[int, tuple[Bond, ...]] = {}

    def from_hex(self, cell: int) -> tuple[Bond, ...]:
        """All that could be made from a hex, wherever units stand; each pair only from its lower number."""
        found = self._possible.get(cell)
        if found is None:
            found = self._possible[cell] = tuple(self._around(cell)) if cell in self.grid else ()
        return found

    def _around(self, cell: int) -> Iterator[Bond]:
        q, r = self.grid.axial(cell)
        for dq, dr in TWO_AWAY:
            other = self._at((q + dq, r + dr))
            around = [self._at((q + x, r + y)) for x, y in STEPS if (dq - x, dr - y) in STEPS]
            between = tuple(sorted(x for x in around if x is not None))
            if len(between) < len(around):
                continue
            if other is None and len(between) == 2:
                yield Bond(cell, OFF_MAP, between)
            elif other is not None and other > cell:
                yield Bond(cell, other, between)

    def _at(self, axial: Axial) -> int | None:
        cell = self.grid.at(axial)
        return cell if cell in self.board else None

    def made(self, ends: int, enemy: int, edge: int = 0) -> tuple[Bond, ...]:
        """The bonds in force: `ends` are the places of units that can make one, `enemy` those of units that cancel.

        An enemy in the hex between, or in both hexes beside the side, cancels; a bond over a corner holds if it can run
        over either hex, but not over one that the enemy is in. `edge`: the hexes along friendly edges of the map.
        """
        bit, spans = self.board.bit, self._spans
        found = []
        for cell in self.board.in_mask(ends):
            for bond in self.from_hex(cell):
                if bond.b == OFF_MAP:
                    if any(not edge & bit[x] for x in bond.between):
                        continue
                elif not ends & bit[bond.b]:
                    continue
                if any(not enemy & bit[x] and spans(bond.a, x, bond.b) for x in bond.between):
                    found.append(bond)
        return tuple(found)

    def barrier(self, ends: int, enemy: int, edge: int = 0, *, moving: bool = False) -> Barrier:
        """What these bonds keep the enemy from.

        `moving`: for their march, retreat or advance, not for a line of supply. A unit that goes from X to Y counts
        as standing in X: with a friend in Y it cancels the bond, and the bond cannot run over X.
        """
        bit, spans = self.board.bit, self._spans
        hexes, sides = 0, set()
        for bond in self.made(ends, enemy, edge):
            if len(bond.between) == 1:
                hexes |= bit[bond.between[0]]
                continue
            for x, y in (bond.between, bond.between[::-1]):
                if not moving or (not enemy & bit[y] and spans(bond.a, y, bond.b)):
                    sides.add((x, y))
        return Barrier(hexes, frozenset(sides))
