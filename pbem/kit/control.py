"""Control of places: a place belongs to the side whose units were the last to stand in it or pass through.

```
 before   0405 axis  0505 soviet  0605 soviet        a unit of the axis goes 0405 > 0505 > 0605
 after    0405 axis  0505 axis    0605 axis          taken: 0505, 0605
```
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.engine.rows import Rows


def take(holders: Rows[int, str], side: str, places: Iterable[int]) -> tuple[int, ...]:
    """Those of these places, in their order, that change hands; they belong to the side from now on.

    Places that are not in `holders` cannot be held.
    """
    taken = []
    for place in places:
        if holders.get(place, side) != side:
            holders[place] = side
            taken.append(place)
    return tuple(taken)


def held_by(holders: Mapping[int, str], side: str, among: Iterable[int] | None = None) -> tuple[int, ...]:
    """The places that the side holds: of all, ascending, or of some, in their order."""
    return tuple(place for place in (sorted(holders) if among is None else among) if holders.get(place) == side)
