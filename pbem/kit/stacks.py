"""Who stands where: an index from places to units, kept beside the units themselves and never hashed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

NOWHERE = 0
_EMPTY: tuple[int, ...] = ()


class Stacks:
    """Units by place. Units of one place are in ascending number, whatever the order in which they came."""

    __slots__ = ("_at",)

    def __init__(self, placed: Iterable[tuple[int, int]] = ()) -> None:
        self._at: dict[int, tuple[int, ...]] = {}
        for unit, place in placed:
            if place != NOWHERE:
                self.put(unit, place)

    def __getitem__(self, place: int) -> tuple[int, ...]:
        return self._at.get(place, _EMPTY)

    def __iter__(self) -> Iterator[int]:
        """The occupied places, ascending."""
        return iter(sorted(self._at))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stacks) and self._at == other._at

    __hash__ = None  # type: ignore[assignment]

    def put(self, unit: int, place: int) -> None:
        there = self._at.get(place)
        self._at[place] = (unit,) if there is None else tuple(sorted((*there, unit)))

    def take(self, unit: int, place: int) -> None:
        left = tuple(u for u in self._at[place] if u != unit)
        if left:
            self._at[place] = left
        else:
            del self._at[place]

    def move(self, unit: int, start: int, goal: int) -> None:
        if start != NOWHERE:
            self.take(unit, start)
        if goal != NOWHERE:
            self.put(unit, goal)
