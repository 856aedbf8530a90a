"""Supply: which places are joined to a source, over one kind of line or over several, one after another.

A line of supply is followed from the source outward, a whole ring of places at a time. `Lines` is one kind of going,
all steps alike; `trace` joins stages (any length of rail, then three hexes of anything) and remembers each ring, so
that the line of any place can be shown; `cut` says what a place without one lacks, and where.

```
 S=======r=======r           S source, = stage "rail" of any length
         :                   : stage "land", up to 4 hexes, paid by terrain
         ::::U   :: z V      U is supplied; V is cut off: a zone bars the line, at z
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pbem.kit.board import Board, EdgeTest
from pbem.kit.flowing import Flow, flow


class Lines:
    """Lines of supply over the edges that pass the test."""

    __slots__ = ("_flow", "_near", "board", "steps")

    def __init__(self, board: Board, crosses: EdgeTest) -> None:
        self.board = board
        self._near: Mapping[int, int] = board.reaches(crosses)
        self._flow = flow(board, crosses)
        self.steps: Mapping[int, Flow] = {1: self._flow}  # for a `Stage` of them

    def near(self, place: int) -> int:
        """The mask of places one step away."""
        return self._near[place]

    def apart(self, a: int, b: int, open_to: int = -1) -> int:
        """How many steps lie between two places, areas too; -1 if no line joins them."""
        goal, steps = self.board.bit[b], 0
        reached = edge = self.board.bit[a]
        while edge and not edge & goal:
            edge = self._flow.spread(edge) & open_to & ~reached
            reached |= edge
            steps += 1
        return steps if edge else -1

    def reached(self, sources: int, open_to: int, length: int = -1, extra: Mapping[int, int] | None = None) -> int:
        """The mask of places joined to the sources by open places; `length` bounds the steps (-1: no bound).

        A source that is not itself open supplies nothing. `extra`: more neighbours for the place of a bit (ferries,
        bridges built in play).
        """
        reached = edge = sources & open_to
        while edge and length:
            length -= 1
            grown = self._flow.spread(edge)
            if extra:
                for bit, more in extra.items():
                    if edge & bit:
                        grown |= more
            edge = grown & open_to & ~reached
            reached |= edge
        return reached


class Stage(NamedTuple):
    """One part of a line, seen from the source. Masks are over the bits of the board."""

    name: str
    steps: Mapping[int, Flow]  # by cost: as `flows` makes them; each cost 1 or more
    open_to: int
    length: int = -1  # what its steps may cost together (-1: any)
    zones: int = 0  # two of these places may not follow each other
    joins: int = -1  # where the next stage may go on (-1: everywhere)
    closed: frozenset[tuple[int, int]] = frozenset()  # steps not taken, from and to as seen from the source


@dataclass(frozen=True, slots=True)
class Trace:
    """The result of a trace. `rings[stage][cost]` are the places first reached for that cost in that stage."""

    board: Board
    reached: int
    stages: tuple[Stage, ...]
    rings: tuple[tuple[int, ...], ...]

    def __contains__(self, place: object) -> bool:
        return isinstance(place, int) and bool(self.reached & self.board.bit.get(place, 0))

    def line(self, place: int) -> Line:
        """The way from a place to its source, stage by stage: `(("land", (0405, 0406)), ("rail", (0406, ...)))`.

        Empty if there is none. Of several ways the one with the fewest stages, the cheapest, then the first of the
        board.
        """
        bit = self.board.bit[place]
        found: list[tuple[str, tuple[int, ...]]] = []
        for number in range(len(self.stages)):
            if any(ring & bit for ring in self.rings[number]):
                here = place
                for stage in range(number, -1, -1):
                    way = self._back(stage, here)
                    if len(way) > 1 or not found:
                        found.append((self.stages[stage].name, way))
                    here = way[-1]
                break
        return tuple(found)

    def _back(self, number: int, place: int) -> tuple[int, ...]:
        stage, rings, bit = self.stages[number], self.rings[number], self.board.bit
        way = [place]
        cost = next(cost for cost, ring in enumerate(rings) if ring & bit[place])
        while cost:
            here = bit[way[-1]]
            for step, over in stage.steps.items():
                if step > cost:
                    continue
                # The rings hold few places; which of them has an edge to here is asked one by one.
                ring = rings[cost - step]
                if here & stage.zones:
                    ring &= ~stage.zones
                near = (p for p in self.board.in_mask(ring) if over.spread(bit[p]) & here)
                before = next((p for p in near if (p, way[-1]) not in stage.closed), None)
                if before is not None:
                    way.append(before)
                    cost -= step
                    break
            else:
                raise AssertionError("a ring has no ring before it")
        return tuple(way)


def trace(board: Board, sources: int, stages: Sequence[Stage]) -> Trace:
    """Follow a line of several stages outward from the sources; each begins where the one before it may be joined."""
    rings: list[tuple[int, ...]] = []
    reached = 0
    seeds = sources
    for part in stages:
        found, own = _rings(board, part, seeds)
        rings.append(own)
        reached |= found
        seeds = found if part.joins < 0 else found & part.joins
    return Trace(board, reached, tuple(stages), tuple(rings))


def _rings(board: Board, part: Stage, sources: int) -> tuple[int, tuple[int, ...]]:
    """Dial's algorithm with sets: ring k holds what is first reached for the cost k."""
    shut: dict[int, int] = {}
    for a, b in part.closed:
        shut[board.bit[a]] = shut.get(board.bit[a], 0) | board.bit[b]
    careful = sum(shut)
    waiting: dict[int, int] = {0: sources & part.open_to}
    rings: list[int] = []
    done = cost = 0
    while waiting and (part.length < 0 or cost <= part.length):
        ring = waiting.pop(cost, 0) & ~done
        rings.append(ring)
        done |= ring
        if ring:
            free, tense = part.open_to & ~done, part.open_to & ~done & ~part.zones
            # Those with a closed step, one by one; the others together, in a zone and out of it.
            groups = [(ring & ~careful & ~part.zones, free), (ring & ~careful & part.zones, tense)]
            rest = ring & careful
            while rest:
                low = rest & -rest
                groups.append((low, (tense if low & part.zones else free) & ~shut[low]))
                rest ^= low
            for step, over in part.steps.items():
                grown = 0
                for places, onto in groups:
                    if places:
                        grown |= over.spread(places) & onto
                if grown:
                    waiting[cost + step] = waiting.get(cost + step, 0) | grown
        cost += 1
    return done, tuple(rings)


class Hindrance(NamedTuple):
    """Something that may bar a line: its rule, the end of a sentence, and the stages as they would be without it."""

    rule: str
    why: str  # "an enemy zone bars the line"
    without: Callable[[Stage], Stage]
    where: int = 0  # the mask of places that it bars, if it bars places


def bar(rule: str, why: str, where: int) -> Hindrance:
    """Places that lines do not enter: enemies, their zones, their cities."""
    return Hindrance(rule, why, lambda stage: stage._replace(open_to=stage.open_to | where), where)


def reach_of(rule: str, why: str) -> Hindrance:
    """How long a stage may be."""
    return Hindrance(rule, why, lambda stage: stage._replace(length=-1))


def zone_after_zone(rule: str, why: str, where: int) -> Hindrance:
    """Two places of a zone, one after the other."""
    return Hindrance(rule, why, lambda stage: stage._replace(zones=0), where)


def shut(rule: str, why: str) -> Hindrance:
    """Steps that are not taken: bonds, blown bridges."""
    return Hindrance(rule, why, lambda stage: stage._replace(closed=frozenset()))


# A line, stage by stage from the place to its source: `(("land", (405, 406)), ("rail", (406, 507)))`.
Line = tuple[tuple[str, tuple[int, ...]], ...]


class Cut(NamedTuple):
    """Why there is no line: what would have to go, and where the line would then run."""

    rule: str
    why: str
    at: tuple[int, ...]  # the places on that line that are barred now, the nearest first
    line: Line


def cut(board: Board, sources: int, stages: Sequence[Stage], hindrances: Iterable[Hindrance], place: int) -> Cut | None:
    """The first hindrance without which (and those before it) the place could trace a line; None: none would help."""
    eased = list(stages)
    for rule, why, without, where in hindrances:
        eased = [without(stage) for stage in eased]
        found = trace(board, sources, eased)
        if place in found:
            line = found.line(place)
            on_line = dict.fromkeys(p for _, part in line for p in part if board.bit[p] & where)
            return Cut(rule, why, tuple(on_line), line)
    return None


SUPPLIED, OUT_OF_SUPPLY, ISOLATED = range(3)


def worse(status: int, *, traced: bool, worst: int = 1) -> int:
    """The state after a check: supplied (0) if a line was found, otherwise one worse than before (out, isolated...)."""
    return SUPPLIED if traced else min(status + 1, worst)
