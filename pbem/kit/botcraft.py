"""Estimates for bots of hex games: distances, threats, attractions, and which units to combine for an attack.

```
 steps to 0505     pull of 0505, 20 less 4 a step     menace: strength that can come beside each hex
   2 2 2               12 12 12                          . 4 4      an army of 4 that goes one hex
  2 1 1 2             12 16 16 12                         4 A 4
   1 0 1               16 20 16                          . 4 4
```

Nothing here is a rule: these are estimates, by whole numbers, in an order that is the same everywhere. The game's own
bot says what an attack or a place is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pbem.engine.order import Order
from pbem.engine.policy import parse as parse_policy
from pbem.engine.step import Decide
from pbem.engine.view import View
from pbem.kit.board import Board, EdgeTest
from pbem.kit.flowing import Flow, flow

FAR = 255  # steps between places that nothing joins, or that lie farther apart than that
_P = TypeVar("_P", bound=tuple[int, ...])


class Steps:
    """How many steps every place lies from a goal, or from the nearest of several."""

    __slots__ = ("_ends", "_near", "_spot", "_table")

    def __init__(self, board: Board, spot: dict[int, int], over: Flow, ring: int) -> None:
        table, near, ends, done = bytearray([FAR]) * (max(spot.values(), default=0) + 1), list[int](), list[int](), 0
        while ring and len(ends) < FAR:
            done |= ring
            for place in board.in_mask(ring):
                table[spot[place]] = len(ends)
                near.append(place)
            ends.append(len(near))
            ring = over.spread(ring) & ~done
        self._spot, self._table, self._near, self._ends = spot, bytes(table), near, ends

    def __getitem__(self, place: int) -> int:
        spot = self._spot.get(place)
        return FAR if spot is None else self._table[spot]

    def within(self, most: int) -> list[int]:
        """The places at most so many steps away, the nearest first."""
        if most < 0 or not self._ends:
            return []
        return self._near[: self._ends[min(most, len(self._ends) - 1)]]


class Distances:
    """Steps over the edges that pass a test, all alike; how far it is to a goal is kept."""

    __slots__ = ("_back", "_forth", "_spot", "_to", "board")

    def __init__(self, board: Board, crosses: EdgeTest) -> None:
        self.board = board
        self._forth, self._back = flow(board, crosses), flow(board, crosses, back=True)
        self._spot = {place: bit.bit_length() - 1 for place, bit in board.bit.items()}
        self._to: dict[int, Steps] = {}

    def to(self, goal: int) -> Steps:
        """The distance from each place to the goal."""
        found = self._to.get(goal)
        if found is None:
            found = self._to[goal] = Steps(self.board, self._spot, self._back, self.board.bit[goal])
        return found

    def nearest(self, places: int) -> Steps:
        """How far it is to each place from the nearest of these (a mask)."""
        return Steps(self.board, self._spot, self._forth, places)

    def around(self, start: int, most: int) -> int:
        """The mask of places to which it is at most so many steps from the start."""
        found = ring = self.board.bit[start]
        for _ in range(most):
            ring = self._forth.spread(ring) & ~found
            found |= ring
        return found


def pulls(distances: Distances, goals: Iterable[tuple[int, int]], fall: int, reach: int = FAR - 1) -> dict[int, int]:
    """How strongly the goals (place, pull) draw to each place within reach: `fall` less with each step, never below 1.

    Of several goals the one that pulls most counts; a place that nothing draws to is left out.
    """
    found: dict[int, int] = {}
    for goal, most in goals:
        steps = distances.to(goal)
        for place in steps.within(min(reach, (most - 1) // fall)):
            pull = most - fall * steps[place]
            if pull > found.get(place, 0):
                found[place] = pull
    return found


def send(
    distances: Distances,
    units: Iterable[tuple[int, int, int]],
    goals: Sequence[tuple[int, int]],
    room: Mapping[int, int],
    fall: int,
) -> dict[int, tuple[int, int]]:
    """The goal of each unit, with its pull: one that pulls much, is near, and is not yet that of too many.

    Units are (unit, place, strength), goals (place, pull); each step away costs `fall`, and so does each point of
    strength beyond the `room` of a goal.
    """
    found: dict[int, tuple[int, int]] = {}
    left = dict(room)
    ways = [(pull, goal, distances.to(goal)) for goal, pull in goals]
    for unit, here, strength in units:
        if ways:
            _, goal, pull = max(
                (pull + fall * (min(0, left[goal]) - way[here]), goal, pull) for pull, goal, way in ways
            )
            found[unit] = goal, pull
            left[goal] -= strength
    return found


def menace(distances: Distances, armies: Iterable[tuple[int, int, int]]) -> dict[int, int]:
    """The strength that could come to each place: armies are (place, strength, steps that it goes)."""
    found: dict[int, int] = {}
    for place, strength, reach in armies:
        for near in distances.board.in_mask(distances.around(place, reach)):
            found[near] = found.get(near, 0) + strength
    return found


@dataclass(frozen=True, slots=True)
class Foray(Generic[_P]):
    """An attack that could be made: on whom, by which posts (a unit, the place to attack from), what it is worth."""

    target: int
    posts: tuple[_P, ...]
    worth: int

    @property
    def units(self) -> tuple[int, ...]:
        return tuple(sorted(post[0] for post in self.posts))


def gather(
    target: int,
    pool: Sequence[_P],
    worth: Callable[[Sequence[_P]], int],
    joins: Callable[[Sequence[_P], _P], bool],
    most: int = 7,
) -> Foray[_P] | None:
    """The best attack on a target that can be brought together, one post after another; None: none is worth it.

    The search is bounded: `most` rounds, each through the pool once. `joins`: may a post join those chosen? Until the
    attack is worth something at all, a second and a third post are added though each alone is worth nothing.
    """
    chosen: list[_P] = []
    best = 0
    for _ in range(most):
        better: tuple[int, _P] | None = None
        for post in pool:
            if joins(chosen, post):
                found = worth((*chosen, post))
                if better is None or found > better[0]:
                    better = found, post
        if better is None or (chosen and better[0] <= best and best > 0):
            break
        best = better[0]
        chosen.append(better[1])
    return Foray(target, tuple(chosen), best) if chosen and best > 0 else None


def forays(
    targets: Iterable[int],
    best_on: Callable[[int, Collection[int]], Foray[_P] | None],
    used: Iterable[int],
    most: int,
) -> list[Foray[_P]]:
    """Attacks that need neither the same units nor the same places, the best first, `most` of them.

    `best_on(target, used)`: the best attack on a target without the units that are used already; asked again only
    where a better attack has taken something away.
    """
    taken, left = set(used), list(targets)
    found: list[Foray[_P]] = []
    known: dict[int, Foray[_P] | None] = {}
    while left and len(found) < most:
        for target in left:
            if target not in known:
                known[target] = best_on(target, taken)
        better = [foray for target in left if (foray := known[target]) is not None]
        if not better:
            break
        best = max(better, key=lambda foray: foray.worth)  # of equals the first
        found.append(best)
        taken.update(best.units)
        left.remove(best.target)
        held = {post[1:] for post in best.posts}
        for target, foray in list(known.items()):
            if foray is not None and (taken & set(foray.units) or held & {post[1:] for post in foray.posts}):
                del known[target]
    return found


def default_answer(step: Decide[Any, Any, Any], view: View[Any], seat: str) -> Order | None:
    """The answer of a seat without standing orders to a decision; None: it has no default that answers here."""
    if step.default is None:
        return None
    at = (view.state, view.frame, seat, view.known)
    answers = step.answers(*at)
    return answers.get(parse_policy(step.default).choose(step.facts(*at), answers))


class Memory:
    """Results that a bot has worked out for one position. They hold until the position changes, so they change no
    choice."""

    def __init__(self) -> None:
        self._key: Hashable = None

    def at(self, key: Hashable) -> bool:
        """Does what is kept still hold? If not, `forget` is called."""
        if key == self._key:
            return True
        self._key = key
        self.forget()
        return False

    def forget(self) -> None:
        """Drop everything that was kept; a game's memory says what that is."""
