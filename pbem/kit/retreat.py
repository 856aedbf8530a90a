"""Retreats: every lawful way of so many hexes, which of them the priorities of a game leave, who goes together.

A game says what may never be entered and what a way must keep to, in the order in which shorter or worse ways are
tried (`first_possible`); then it ranks what is left: "fewest enemy zones", "ends in supply". Each rank has its rule: a
path that is not among the best is refused, citing the first rank by which another path is better. A rank about the
place in which a path ends is a mask, prepared once for all paths.

```
      2 2            every way of two hexes, each hex farther than the one before
    2 1 1 2          z: a zone hex, entered at a loss
    2 1 X z 2        s: hexes in supply, a mask
      1 1 s
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pbem.engine.order import Violation
from pbem.kit.board import Board, Links
from pbem.kit.hexes import hex_name

Distance = Callable[[int, int], int]
MAX_LENGTH = 6


class Bounds(NamedTuple):
    """The limits of every way. Masks are over the bits of the board."""

    length: int
    barred: int = 0  # never entered
    closed: frozenset[tuple[int, int]] = frozenset()  # steps never taken
    zone: int = 0  # enemy zones as they count here: where a friend cancels them they are left out
    zones: int = -1  # how many zone hexes may follow each other (-1: any number)
    no_end: int = 0  # entered, but no way ends there
    havens: int = 0  # a way ends there, however short (entry areas)
    more: int = 0  # how many hexes it may go on to end lawfully
    away: Literal["any", "step"] = "any"  # step: each hex is farther from the start than the one before


class WayBack(NamedTuple):
    path: tuple[int, ...]  # without the start
    entered: int  # how many zone hexes, each for the losses it costs
    distance: int  # of the last hex from the start

    @property
    def end(self) -> int:
        return self.path[-1]


def ways(links: Links, bit: Mapping[int, int], distance: Distance, start: int, bounds: Bounds) -> tuple[WayBack, ...]:
    """All lawful ways, in the board's order. None: the unit cannot retreat."""
    if not 1 <= bounds.length + bounds.more <= MAX_LENGTH:
        raise ValueError(f"a retreat is 1 to {MAX_LENGTH} hexes long")
    return tuple(_ways(links, bit, distance, start, bounds, (), 0, 0))


def first_possible(
    links: Links, bit: Mapping[int, int], distance: Distance, start: int, tries: Iterable[Bounds]
) -> tuple[int, tuple[WayBack, ...]]:
    """The ways within the first of these bounds that allows any, and its number; if none does, none and the last
    number.

    This expresses shorter ways at a price: all hexes, one fewer for a step, two fewer for two.
    """
    number = -1
    for number, bounds in enumerate(tries):
        found = ways(links, bit, distance, start, bounds)
        if found:
            return number, found
    return number, ()


def longer(
    links: Links, bit: Mapping[int, int], distance: Distance, start: int, bounds: Bounds, found: Iterable[WayBack]
) -> tuple[WayBack, ...]:
    """These ways with one hex more each, within the same bounds: for when there is no room where the best way ends."""
    further: list[WayBack] = []
    for path, entered, _ in found:
        cold = (number for number, place in enumerate(reversed(path)) if not bit[place] & bounds.zone)
        running, one_more = next(cold, len(path)), bounds._replace(length=len(path) + 1, more=0)
        on = _ways(links, bit, distance, start, one_more, path, entered, running)
        further += [way for way in on if way.path != path]
    return tuple(further)


def _ways(
    links: Links,
    bit: Mapping[int, int],
    distance: Distance,
    start: int,
    bounds: Bounds,
    path: tuple[int, ...],
    entered: int,
    running: int,
) -> Iterator[WayBack]:
    here = path[-1] if path else start
    far = distance(start, here)
    if path and bit[here] & bounds.havens:
        yield WayBack(path, entered, far)
        return
    if len(path) >= bounds.length:
        if not bit[here] & bounds.no_end:
            yield WayBack(path, entered, far)
            return
        if len(path) == bounds.length + bounds.more:
            return
    for there, its, _ in links[here]:
        if its & bounds.barred or there == start or there in path or (here, there) in bounds.closed:
            continue
        if bounds.away == "step" and distance(start, there) <= far:
            continue
        hot = bool(its & bounds.zone)
        if hot and running == bounds.zones:
            continue
        further = (*path, there)
        yield from _ways(links, bit, distance, start, bounds, further, entered + hot, running + 1 if hot else 0)


class Rank(NamedTuple):
    """One priority: of the ways that are left, those with the least score stay."""

    rule: str
    reason: str  # ends "another way ...": "enters fewer enemy zones"
    score: Callable[[WayBack], int]


def fewest_zones(rule: str) -> Rank:
    """Prefers the ways that enter the fewest hexes in enemy zones."""
    return Rank(rule, "enters fewer enemy zones", lambda way: way.entered)


def farthest(rule: str) -> Rank:
    """Prefers the ways that end the farthest from where they begin."""
    return Rank(rule, "leads farther away", lambda way: -way.distance)


def ends_in(rule: str, reason: str, bit: Mapping[int, int], mask: int) -> Rank:
    """Prefers the ways that end in the mask: in supply, where there is room, beside a headquarters."""
    return Rank(rule, reason, lambda way: int(not bit[way.end] & mask))


def safest(board: Board, paths: Iterable[tuple[int, ...]], enemy: int, cover: int, home: int) -> tuple[int, ...]:
    """A good way where nobody names another: fewest enemies beside its end, in cover, nearest to the home column.

    `enemy` and `cover` are masks; of equals the lowest numbers.
    """

    def badness(path: tuple[int, ...]) -> tuple[int, bool, int, tuple[int, ...]]:
        end = path[-1]
        enemies = (enemy & board.mask(board.near[end])).bit_count()
        return enemies, not cover & board.bit[end], abs(end // 100 - home), path

    return min(paths, key=badness)


def best(found: Iterable[WayBack], ranks: Sequence[Rank]) -> tuple[WayBack, ...]:
    """The ways that the priorities leave, one after another."""
    left = tuple(found)
    for rank in ranks:
        if len(left) < 2:
            break
        scores = [rank.score(way) for way in left]
        least = min(scores)
        left = tuple(way for way, score in zip(left, scores, strict=True) if score == least)
    return left


def refuse_retreat(
    found: Sequence[WayBack],
    ranks: Sequence[Rank],
    path: Sequence[int],
    otherwise: tuple[str, str],
    name: Callable[[int], str] = hex_name,
) -> Violation | None:
    """Why that way may not be taken: by the first priority that others obey better, or as none of the lawful ways."""
    chosen = next((way for way in found if way.path == tuple(path)), None)
    shown = "-".join(map(name, path))
    if chosen is None:
        return Violation(otherwise[0], f"The retreat {shown} is not possible: {otherwise[1]}")
    left = tuple(found)
    for rank in ranks:
        kept = best(left, (rank,))
        if chosen not in kept:
            other = "-".join(map(name, kept[0].path))
            return Violation(rank.rule, f"The retreat {shown} is not possible: another way, {other}, {rank.reason}")
        left = kept
    return None


def together(found: Iterable[Iterable[WayBack]]) -> tuple[WayBack, ...]:
    """The ways that several units can all take: so a stack goes as one, and pays for zones once."""
    each = [tuple(ways_of_one) for ways_of_one in found]
    paths = [{way.path for way in ways_of_one} for ways_of_one in each]
    return tuple(way for way in (each[0] if each else ()) if all(way.path in of for of in paths))
