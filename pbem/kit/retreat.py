"""Retreats: every lawful way of so many hexes, and which of them the priorities of a game leave.

A game says what may never be entered, what a way must keep to, and then ranks what is left: "fewest enemy zones",
"nearest to supply". Each rank has its rule, so that a way that is not among the best is refused with the rule that
another obeys better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pbem.engine.order import Violation
from pbem.kit.board import Links
from pbem.kit.hexes import hex_name

Distance = Callable[[int, int], int]
MAX_LENGTH = 6


class Bounds(NamedTuple):
    """What every way is bound by. Masks are over the bits of the board."""

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


def ends(found: Iterable[WayBack]) -> tuple[int, ...]:
    """Where the ways end, each place once, in their order."""
    return tuple(dict.fromkeys(way.end for way in found))
