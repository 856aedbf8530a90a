"""Orders as things to click: which of them match the clicks so far, and what can be clicked next.

Nothing here knows a screen: keys come from the notation (`u:3Pz`, `p:1408`), and orders go back to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.engine.notation import Click, Notation, begins, coming
from pbem.engine.order import Order
from pbem.engine.view import View


class Way(NamedTuple):
    """An order with its clicks. Several orders may share them: `text` tells them apart."""

    order: Order
    verb: str
    text: str
    clicks: tuple[Click, ...]


class Begun(NamedTuple):
    """The orders that begin with the clicks so far.

    `next`: what may be clicked now, with how many orders that leaves. `ready`: orders that are said in full. `verbs`:
    how many orders of each verb are left.
    """

    next: Mapping[str, int]
    ready: tuple[Way, ...]
    verbs: Mapping[str, int]

    @property
    def more(self) -> bool:
        """Do longer orders begin so?"""
        return bool(self.next)


def index(orders: Iterable[Order], notation: Notation[Any], view: View[Any]) -> tuple[Way, ...]:
    """The orders with their clicks, for a player who may see the view."""
    return tuple(
        Way(each, notation.verb_of[type(each)].word, notation.show(each), notation.clicks(each, view))
        for each in orders
    )


def _left(way: Way, picks: Sequence[str], verb: str) -> set[tuple[Click, ...]]:
    """What may still be clicked after these clicks; nothing when the order does not begin so."""
    if verb and way.verb != verb:
        return set()
    left = {way.clicks}
    for pick in picks:
        left = {rest for each in left for rest in _after(each, pick)}
    return left


def match(ways: Iterable[Way], picks: Sequence[str], verb: str = "") -> Begun:
    """The orders that begin with these clicks, one after another. `verb`: only orders of this one.

    An order without any clicks is ready from the start.
    """
    coming: Counter[str] = Counter()
    verbs: Counter[str] = Counter()
    ready: list[Way] = []
    for way in ways:
        left = _left(way, picks, verb)
        if not left:
            continue
        verbs[way.verb] += 1
        coming.update({key for each in left for key in begins(each)})
        if any(all(step.optional for step in each) for each in left):
            ready.append(way)
    return Begun(dict(coming), tuple(ready), dict(verbs))


def needed(ways: Iterable[Way]) -> tuple[Way, ...]:
    """The same without the stops of a way, so that a click on a place is its goal; those with the fewest come first."""
    stops = sorted((sum(step.optional for step in way.clicks), n, way) for n, way in enumerate(ways))
    return tuple(
        way._replace(clicks=tuple(step for step in way.clicks if not step.optional)) if many else way
        for many, _, way in stops
    )


def endings(ways: Iterable[Way], picks: Sequence[str], verb: str = "") -> dict[str, tuple[Way, ...]]:
    """The next clicks that say an order in full, each with the orders that it says, if no longer one begins so."""
    found: dict[str, list[Way]] = {}
    longer: set[str] = set()
    for way in ways:
        left = _left(way, picks, verb)
        for rest in left:
            for key in begins(rest):
                if () in _after(rest, key):
                    found.setdefault(key, []).append(way)
                else:
                    longer.add(key)
    return {key: tuple(dict.fromkeys(ready)) for key, ready in found.items() if key not in longer}


def together(ways: Mapping[str, Sequence[Way]], verb: str = "") -> dict[str, dict[str, Way]]:
    """The next clicks that all of these units share, each with the first order of each unit; `ways` are by unit."""
    ends = {key: endings(held, (key,), verb) for key, held in ways.items()}
    shared = [goal for goal in next(iter(ends.values()), {}) if all(goal in each for each in ends.values())]
    return {goal: {key: each[goal][0] for key, each in ends.items()} for goal in shared}


def _after(clicks: tuple[Click, ...], key: str) -> Iterator[tuple[Click, ...]]:
    """The clicks that are left after this key; nothing if the key does not belong there."""
    for at, step in enumerate(coming(clicks)):
        if key in step.keys:
            rest = list(step.keys)
            rest.remove(key)
            yield ((Click(tuple(rest)),) if rest else ()) + clicks[at + 1 :]
