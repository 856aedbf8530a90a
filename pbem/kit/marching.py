"""Moves over the ground as orders: which units can go, where each of them may end, and why one cannot go there.

The game says who may start, and what binds the unit on its way, a `March`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from pbem.engine.need import Known
from pbem.engine.order import Order, Violation
from pbem.engine.step import Choice, Frame, Pick
from pbem.kit.board import Board, Links
from pbem.kit.hexes import hex_name
from pbem.kit.looking import Name, describe_places
from pbem.kit.roster import Force
from pbem.kit.search import Terms, goals, goes_anywhere, reach

S = TypeVar("S", bound=Force[Any])
F = TypeVar("F", bound=Frame)
M = TypeVar("M", bound=Order)
NEAREST = 6  # places that a refusal names


class March(NamedTuple):
    """One way of moving, as a search needs it."""

    links: Links
    terms: Terms

    def ends(self, board: Board, start: int) -> list[int]:
        """Where a unit may end that starts there, ascending."""
        return sorted(goals(reach(self.links, board.bit, start, self.terms), board.bit, start, self.terms))

    def instead(self, board: Board, start: int, goal: int, wrong: Violation, name: Name = hex_name) -> Violation:
        """Why the goal is out of reach, and what can be reached nearest to it."""
        grid, ends = board.grid, self.ends(board, start)
        if grid is None or goal not in grid or not ends:
            return wrong
        near = sorted((end for end in ends if end in grid), key=lambda end: (grid.distance(end, goal), end))
        reached = describe_places(near, name, NEAREST)
        return Violation(wrong.rule, f"{wrong.reason}. Nearest to it, it can reach {reached}")


class Marches(Choice[S, F, M], Generic[S, F, M]):
    """A way of moving: from where a unit stands to any place in which it may end."""

    numbers: ClassVar[Mapping[str, int]]
    """The units by code."""

    @abstractmethod
    def units(self, s: S, f: F) -> Iterable[int]:
        """Those that might move, ascending."""

    @abstractmethod
    def may_start(self, s: S, f: F, unit: int) -> Violation | None:
        """Why the unit cannot move so now, wherever it goes."""

    @abstractmethod
    def march(self, s: S, f: F, unit: int) -> March: ...

    @abstractmethod
    def to(self, unit: int, place: int) -> M:
        """The order to go there."""

    @abstractmethod
    def stuck(self, s: S, unit: int) -> Violation:
        """Why a unit that may start can go nowhere."""

    def can_go(self, s: S, f: F, unit: int) -> bool:
        """Is there any place that the unit can move to so?"""
        if self.may_start(s, f, unit) is not None:
            return False
        march = self.march(s, f, unit)
        return goes_anywhere(march.links, s.chart.board.bit, s.at(unit), march.terms)

    def first(self, s: S, f: F, seat: str, own: Known) -> Iterator[Pick]:
        return (Pick(s.counter(unit).key, unit) for unit in self.units(s, f) if self.can_go(s, f, unit))

    def barred(self, s: S, f: F, seat: str, thing: str) -> Violation | None:
        if thing not in self.numbers:
            return None
        unit = self.numbers[thing]
        return self.may_start(s, f, unit) or (None if self.can_go(s, f, unit) else self.stuck(s, unit))

    def picked(self, s: S, f: F, seat: str, own: Known, pick: int) -> Iterator[M]:
        return (self.to(pick, place) for place in self.march(s, f, pick).ends(s.chart.board, s.at(pick)))


__all__ = ["March", "Marches"]
