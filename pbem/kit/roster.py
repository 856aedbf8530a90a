"""Positions of units: by unit, by place and as one mask per side; and answers that hold until a side changes.

```
 unit   0    1    2    3          place  405: 0 2     the mask of "axis":   405 | 612
 at   405  612  405  9903                612: 1       9903 is a box: it holds units, but nobody stands there
```

The units themselves (their steps, their supply, when they are due) are rows of the game's state, a `Deployed` each or
the game's own; a roster is an index beside them, made again whenever a game is loaded, and never hashed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, ItemsView, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeVar

from pbem.engine.rows import Rows
from pbem.kit.board import Board
from pbem.kit.counters import Face, Unit

NOWHERE = 0
_NOBODY: tuple[int, ...] = ()
_T = TypeVar("_T")


class Stacks:
    """Units by place. Units of one place are in ascending number, whatever the order in which they came."""

    __slots__ = ("_at",)

    def __init__(self, placed: Iterable[tuple[int, int]] = ()) -> None:
        self._at: dict[int, tuple[int, ...]] = {}
        for unit, place in placed:
            self.move(unit, NOWHERE, place)

    def __getitem__(self, place: int) -> tuple[int, ...]:
        return self._at.get(place, _NOBODY)

    def __iter__(self) -> Iterator[int]:
        """The occupied places, ascending."""
        return iter(sorted(self._at))

    def items(self) -> ItemsView[int, tuple[int, ...]]:
        """Each occupied place and who is there, in no order that counts."""
        return self._at.items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stacks) and self._at == other._at

    __hash__ = None  # type: ignore[assignment]

    def move(self, unit: int, start: int, goal: int) -> None:
        if start != NOWHERE:
            left = [u for u in self._at[start] if u != unit]
            if left:
                self._at[start] = tuple(left)
            else:
                del self._at[start]
        if goal != NOWHERE:
            there = self._at.get(goal)
            self._at[goal] = (unit,) if there is None else tuple(sorted((*there, unit)))


class Roster:
    """The positions of units, and answers that stay true until one side changes."""

    __slots__ = ("_answers", "_bit", "_for_all", "_last", "_sides", "_version", "at", "occupied", "stacks", "units")

    def __init__(self, board: Board, sides: Sequence[str], placed: Iterable[tuple[int, int]] = ()) -> None:
        """`sides`: of each unit, by its number. `placed`: (unit, place)."""
        self._sides = sides
        self._bit = board.ground
        names = sorted(set(sides))
        self.at = [NOWHERE] * len(sides)
        self.stacks = Stacks()
        self.units = {side: tuple(unit for unit, of in enumerate(sides) if of == side) for side in names}
        self.occupied = dict.fromkeys(names, 0)  # by side: where its units stand; boxes do not count
        self._answers: dict[str, dict[Hashable, Any]] = {side: {} for side in names}
        self._for_all: dict[Hashable, Any] = {}
        self._last: tuple[Hashable, Any] = (None, None)
        self._version = 0
        for unit, place in placed:
            self.move(unit, place)

    def __eq__(self, other: object) -> bool:
        """Does it say the same? Answers that it keeps do not count."""
        return isinstance(other, Roster) and (self.at, self.occupied) == (other.at, other.occupied)

    __hash__ = None  # type: ignore[assignment]

    def move(self, unit: int, goal: int) -> None:
        """The unit leaves the place where it is for another, for a box, or for NOWHERE."""
        side, start, bit = self._sides[unit], self.at[unit], self._bit
        self.at[unit] = goal
        self.stacks.move(unit, start, goal)
        if start in bit and side not in [self._sides[other] for other in self.stacks[start]]:
            self.occupied[side] &= ~bit[start]
        if goal in bit:
            self.occupied[side] |= bit[goal]
        self.changed(side)

    def changed(self, side: str) -> None:
        """Something about the side's units has changed: a face, their supply."""
        self._answers[side].clear()
        self._for_all.clear()
        self._version += 1

    def kept(self, side: str, question: Hashable, answer: Callable[[], _T]) -> _T:
        """An answer that depends on the units of that side (and on what the question names): worked out once."""
        known = self._answers[side]
        if question not in known:
            known[question] = answer()
        found: _T = known[question]
        return found

    def kept_for_all(self, question: Hashable, answer: Callable[[], _T]) -> _T:
        """An answer that depends on the units of all sides: worked out once until any of them changes."""
        if question not in self._for_all:
            self._for_all[question] = answer()
        found: _T = self._for_all[question]
        return found

    def again(self, question: Hashable, answer: Callable[[], _T]) -> _T:
        """The last answer, if the same question comes again and no unit has changed since: an order is checked, then
        carried out.
        """
        if self._last[0] != (self._version, question):
            self._last = (self._version, question), answer()
        found: _T = self._last[1]
        return found

    def stands(self, unit: int) -> bool:
        """Is the unit on the map: neither in a box nor nowhere?"""
        return self.at[unit] in self._bit

    def side_at(self, place: int) -> str | None:
        """Whose units are there; the side of the lowest number if both are."""
        there = self.stacks[place]
        return self._sides[there[0]] if there else None

    def of(self, side: str, place: int) -> tuple[int, ...]:
        """The side's units in a place or a box."""
        return tuple(unit for unit in self.stacks[place] if self._sides[unit] == side)

    def standing(self, side: str) -> Iterator[int]:
        """The side's units on the map, ascending."""
        return (unit for unit in self.units[side] if self.at[unit] in self._bit)

    def where(self, side: str, test: Callable[[int], bool]) -> int:
        """The mask of places in which a unit of the side passes the test."""
        mask, bit, at = 0, self._bit, self.at
        for unit in self.units[side]:
            place = at[unit]
            if place in bit and not mask & bit[place] and test(unit):
                mask |= bit[place]
        return mask

    def where_all(self, side: str, test: Callable[[Sequence[int]], bool]) -> int:
        """The mask of places where the side's whole stack passes: no unit without a zone, two that make a bond."""
        mask, bit, sides, mine, others = 0, self._bit, self._sides, self.occupied[side], 0
        for each, places in self.occupied.items():
            others |= places if each != side else 0
        for place, stack in self.stacks.items():
            its = bit.get(place, 0)
            if its & mine and test([unit for unit in stack if sides[unit] == side] if its & others else stack):
                mask |= its
        return mask


class Fielded:
    """Base of a state that keeps its roster as `ground`, with the questions that are asked most."""

    __slots__ = ()
    ground: Roster

    def at(self, unit: int) -> int:
        """Where the unit is: a place, a box, or NOWHERE."""
        return self.ground.at[unit]

    def on_map(self, unit: int) -> bool:
        return self.ground.stands(unit)

    def has_on_map(self, side: str, unit: int) -> bool:
        """Is this number, from an order, a unit of the side on the map?"""
        return unit in self.ground.units.get(side, ()) and self.ground.stands(unit)

    def side_at(self, place: int) -> str | None:
        return self.ground.side_at(place)

    def of(self, side: str, place: int) -> tuple[int, ...]:
        """The side's units in a place or a box."""
        return self.ground.of(side, place)


@dataclass(frozen=True, slots=True)
class Deployed:
    """A unit in play: its place, a box, or NOWHERE; the steps that it has left. A game derives what else a unit has."""

    place: int
    steps: int


_D = TypeVar("_D", bound=Deployed)


class Printed(Protocol):
    """A chart with the printed units, by number, and the map."""

    @property
    def units(self) -> Sequence[Unit]: ...

    @property
    def board(self) -> Board: ...


class Force(Fielded, Generic[_D]):
    """Base of a state whose units have steps and a face for each of them, and whose chart has the printed units."""

    __slots__ = ()
    chart: Printed
    pieces: Rows[int, _D]

    def counter(self, unit: int) -> Unit:
        """The printed unit."""
        return self.chart.units[unit]

    def roster(self) -> Roster:
        """The index that is not saved, made anew."""
        sides = [unit.side for unit in self.chart.units]
        return Roster(self.chart.board, sides, ((unit, piece.place) for unit, piece in self.pieces.items()))

    def code(self, unit: int) -> str:
        """The unit's code; `That` for a number, from an order, that is not a unit's."""
        return self.chart.units[unit].code if 0 <= unit < len(self.chart.units) else "That"

    def side(self, unit: int) -> str:
        return self.chart.units[unit].side

    def has(self, unit: int, trait: str) -> bool:
        """Does its type have the trait?"""
        return trait in self.chart.units[unit].type.traits

    def face(self, unit: int) -> Face:
        """The side of the counter that shows."""
        return self.counter(unit).face(self.pieces[unit].steps)

    def put(self, unit: int, place: int) -> None:
        """To a place, a box, or NOWHERE."""
        self.pieces[unit] = replace(self.pieces[unit], place=place)
        self.ground.move(unit, place)

    def set_steps(self, unit: int, steps: int, gone: int = NOWHERE) -> None:
        """Another face shows; without a step the unit goes to a box, or NOWHERE."""
        self.pieces[unit] = replace(self.pieces[unit], steps=steps)
        if steps:
            self.ground.changed(self.counter(unit).side)
        else:
            self.put(unit, gone)
