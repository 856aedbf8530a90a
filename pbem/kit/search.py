"""Movement over a graph with integer costs: how far something gets, what stops it, why it may not go somewhere.

Ties between equally cheap ways are broken by the board's order of neighbours, so that everybody finds the same path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from pbem.engine.order import Violation
from pbem.kit.board import Links
from pbem.kit.hexes import hex_name

Link = tuple[int, int, int]  # place entered, its bit, cost
NO_LINKS: Mapping[int, tuple[Link, ...]] = MappingProxyType({})


class Terms(NamedTuple):
    """The limits of one march. Masks are over the bits of the board; a limit that is left out binds nothing."""

    budget: int
    barred: int = 0  # never entered
    stops: int = 0  # entered, and no further
    locked: int = 0  # a step from one of these straight into another is not allowed
    first_free: bool = False  # one step is always possible, whatever it costs
    zone: int = 0  # where these tolls are paid, on top of the step
    enter: int = 0  # to come into the zone
    leave: int = 0  # to go out of a place in the zone, into another too
    closed: frozenset[tuple[int, int]] = frozenset()  # steps not allowed: enemy bonds, blown bridges
    extra: Mapping[int, tuple[Link, ...]] = NO_LINKS  # more steps from a place: ferries, bridges of boats
    sally: tuple[Link, ...] = ()  # more steps from the start only: a river crossed from its bank
    full: int = 0  # entered, but nobody may stay there


class Why(Enum):
    """Why a place was not reached."""

    NO_WAY = "no way leads there"
    TOO_FAR = "it costs more than the unit has"
    BARRED = "the place may not be entered"
    LOCKED = "the only way leads from one zone straight into another"
    STOPPED = "every way is stopped before"
    CLOSED = "the only way crosses what is closed"
    TOLL = "it costs too much to come into or out of a zone"
    FULL = "there is no room to stay there"


Trail = tuple[int, int]  # cost so far, place before


class _Adjusted:
    """The links of a march with what its terms add to them, take from them, or charge."""

    __slots__ = ("bit", "links", "start", "terms")

    def __init__(self, links: Links, bit: Mapping[int, int], start: int, terms: Terms) -> None:
        self.links, self.bit, self.start, self.terms = links, bit, start, terms

    def __getitem__(self, here: int) -> Sequence[Link]:
        terms = self.terms
        steps: Sequence[Link] = self.links[here]
        if terms.extra:
            steps = (*steps, *terms.extra.get(here, ()))
        if here == self.start:
            steps = (*steps, *terms.sally)
        if terms.closed:
            steps = [step for step in steps if (here, step[0]) not in terms.closed]
        zone, enter = terms.zone, terms.enter
        leave = terms.leave if self.bit[here] & zone else 0
        if leave or enter:
            steps = [(there, its, cost + leave + enter if its & zone else cost + leave) for there, its, cost in steps]
        return steps


def adjusted(links: Links, bit: Mapping[int, int], start: int, terms: Terms) -> Links | _Adjusted:
    """The links as these terms leave them."""
    if terms.closed or terms.extra or terms.sally or (terms.zone and (terms.enter or terms.leave)):
        return _Adjusted(links, bit, start, terms)
    return links


def reach(links: Links, bit: Mapping[int, int], start: int, terms: Terms, goal: int = -1) -> dict[int, Trail]:
    """Every place that can be reached, with its cost and the place before it; stops early when the goal is settled.

    The start itself is in the answer with cost 0. A step costs at least 1, so that no other way comes to the goal for
    less than one more than is spent. Costs are small, so that places wait in one list for each cost.
    """
    budget, barred, stops, locked, first_free, zone, enter, leave, *_ = terms
    steps = adjusted(links, bit, start, terms._replace(zone=0))  # the tolls are paid here, which is quicker
    found: dict[int, Trail] = {start: (0, start)}
    waiting: list[list[int]] = [[] for _ in range(budget + 1)]
    both = barred | locked
    shut = both if bit[start] & locked else barred
    out = leave if bit[start] & zone else 0
    for there, its, cost in steps[start]:
        if its & shut:
            continue
        cost += out + enter if its & zone else out  # noqa: PLW2901
        if cost > budget:
            if not first_free:
                continue
            cost = budget  # noqa: PLW2901 - it takes all there is
        old = found.get(there)
        if old is None or cost < old[0]:
            found[there] = (cost, start)
            waiting[cost].append(there)
    settled = bit[start]
    for spent, places in enumerate(waiting):
        for here in places:
            at = bit[here]
            if at & settled:
                continue
            if here == goal:
                return found
            settled |= at
            if at & stops:
                continue
            shut = settled | (both if at & locked else barred)
            left = spent + leave if at & zone else spent
            for there, its, cost in steps[here]:
                if its & shut:
                    continue
                total = left + cost + enter if its & zone else left + cost
                if total > budget:
                    continue
                old = found.get(there)
                if old is None or total < old[0]:
                    found[there] = (total, here)
                    if there == goal and total <= spent + 1:
                        return found
                    waiting[total].append(there)
    return found


def goals(trails: Mapping[int, Trail], bit: Mapping[int, int], start: int, terms: Terms) -> dict[int, int]:
    """Where the march may end, with the cost: every place reached but the start and those that are full."""
    return {place: cost for place, (cost, _) in trails.items() if place != start and not bit[place] & terms.full}


def goes_anywhere(
    links: Links, bit: Mapping[int, int], start: int, terms: Terms, room: Callable[[int], bool] = lambda _: True
) -> bool:
    """Can the march end anywhere but where it starts? Usually a place beside the start settles it without a search.

    `room`: may it stay in a place? What is full by the terms is asked besides.
    """
    near = reach(links, bit, start, terms._replace(stops=-1))  # every place stops: one step
    if any(room(place) for place in goals(near, bit, start, terms)):
        return True
    return any(room(place) for place in goals(reach(links, bit, start, terms), bit, start, terms))


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
    eased = terms
    for why, less in (
        (Why.LOCKED, {"locked": 0}),
        (Why.STOPPED, {"stops": 0}),
        (Why.CLOSED, {"closed": frozenset[tuple[int, int]]()}),
        (Why.TOLL, {"enter": 0, "leave": 0}),
    ):
        eased = eased._replace(**less)
        if goal in reach(links, bit, start, eased, goal):
            return why
    return Why.TOO_FAR if goal in _joined(links, start, terms) else Why.NO_WAY


def _joined(links: Links, start: int, terms: Terms) -> set[int]:
    """Everything that one could come to in any number of marches."""
    found, todo = {start}, [start]
    while todo:
        here = todo.pop()
        for there, its, _ in links[here] + terms.extra.get(here, ()) + terms.sally * (here == start):
            if not its & terms.barred and there not in found:
                found.add(there)
                todo.append(there)
    return found


# What each restriction is called in a game: its rule and the end of a sentence, "an enemy stands there".
Reasons = Mapping[Why, tuple[str, str]]


def refuse(
    links: Links,
    bit: Mapping[int, int],
    start: int,
    terms: Terms,
    goal: int,
    reasons: Reasons,
    who: str,
    name: Callable[[int], str] = hex_name,
) -> Violation | None:
    """Why `who` cannot march from the start to the goal, in the game's words; None if it can."""
    trails = reach(links, bit, start, terms, goal)
    if goal not in trails:
        rule, reason = reasons[why_not(links, bit, start, terms, goal)]
    elif bit[goal] & terms.full:
        rule, reason = reasons[Why.FULL]
    else:
        return None
    return Violation(rule, f"{who} cannot move to {name(goal)}: {reason}")
