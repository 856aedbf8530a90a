"""Movement over a graph with integer costs: how far something gets, what stops it, why it may not go somewhere.

Ties between equally cheap ways are broken by the board's order of neighbours, so that everybody finds the same path.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from pbem.kit.board import Links


class Terms(NamedTuple):
    """What one march is bound by. Masks are over the bits of the board."""

    budget: int
    barred: int = 0  # never entered
    stops: int = 0  # entered, and no further
    locked: int = 0  # a step from one of these straight into another is not allowed
    first_free: bool = False  # one step is always possible, whatever it costs


class Why(Enum):
    """Why a place was not reached."""

    NO_WAY = "no way leads there"
    TOO_FAR = "it costs more than the unit has"
    BARRED = "the place may not be entered"
    LOCKED = "the only way leads from one zone straight into another"
    STOPPED = "every way is stopped before"


Trail = tuple[int, int]  # cost so far, place before


def reach(links: Links, bit: Mapping[int, int], start: int, terms: Terms, goal: int = -1) -> dict[int, Trail]:
    """Every place that can be reached, with its cost and the place before it; stops early when the goal is settled.

    The start itself is in the answer with cost 0. Costs are small, so that places wait in one list for each cost.
    """
    budget, barred, stops, locked = terms.budget, terms.barred, terms.stops, terms.locked
    found: dict[int, Trail] = {start: (0, start)}
    waiting: list[list[int]] = [[] for _ in range(budget + 1)]
    shut = barred | locked if bit[start] & locked else barred
    for there, its, cost in links[start]:
        if its & shut:
            continue
        if cost > budget:
            if not terms.first_free:
                continue
            cost = budget  # noqa: PLW2901 - it takes all there is
        found[there] = (cost, start)
        waiting[cost].append(there)
    both = barred | locked
    for spent, places in enumerate(waiting):
        for here in places:
            if found[here][0] != spent:
                continue
            if here == goal:
                return found
            at = bit[here]
            if at & stops:
                continue
            shut = both if at & locked else barred
            for there, its, cost in links[here]:
                if its & shut:
                    continue
                total = spent + cost
                if total > budget:
                    continue
                old = found.get(there)
                if old is None or total < old[0]:
                    found[there] = (total, here)
                    waiting[total].append(there)
    return found


def path(trails: Mapping[int, Trail], goal: int) -> tuple[int, ...]:
    """The places from the start to the goal, both included."""
    way = [goal]
    while trails[way[-1]][1] != way[-1]:
        way.append(trails[way[-1]][1])
    way.reverse()
    return tuple(way)


def why_not(links: Links, bit: Mapping[int, int], start: int, terms: Terms, goal: int) -> Why:
    """The first restriction without which the goal could be reached; asked only after `reach` has failed."""
    if bit[goal] & terms.barred:
        return Why.BARRED
    trials = (
        (Why.LOCKED, Terms(terms.budget, terms.barred, terms.stops, 0, terms.first_free)),
        (Why.STOPPED, Terms(terms.budget, terms.barred, 0, 0, terms.first_free)),
    )
    for why, eased in trials:
        if goal in reach(links, bit, start, eased, goal):
            return why
    return Why.TOO_FAR if goal in _joined(links, start, terms.barred) else Why.NO_WAY


def _joined(links: Links, start: int, barred: int) -> set[int]:
    """Everything that one could come to in any number of marches."""
    found, todo = {start}, [start]
    while todo:
        for there, its, _ in links[todo.pop()]:
            if not its & barred and there not in found:
                found.add(there)
                todo.append(there)
    return found
