"""The orders that a seat may give now: all of them, or step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from pbem.engine.notation import Notation
from pbem.engine.order import Order
from pbem.engine.step import Pick
from pbem.engine.view import View


class Legal(Iterable[Order]):
    """The legal orders of a seat, good until the machine goes on. They are listed lazily, in a fixed order.

        for order in legal                                      all of them
        legal.first                                             their first keys: `u:3Pz`, `c:22`, `v:done`
        legal.picked("u:3Pz")                                   those that can begin with that unit

    Large decisions find the first steps, and the orders of one of them, without listing the others (`Listing`).
    """

    def __init__(
        self,
        notation: Notation[Any],
        view: Callable[[], View[Any]],
        orders: Callable[[], Iterable[Order]],
        first: Callable[[], Iterable[Pick | Order]] | None = None,
        picked: Callable[[Any], Iterable[Order]] = lambda _: (),
    ) -> None:
        self._notation = notation
        self._view = view
        self._orders = orders
        self._steps = first or orders
        self._picked = picked
        self.stepwise = first is not None
        """Are there too many to list them all at once?"""

    def __iter__(self) -> Iterator[Order]:
        return iter(self._orders())

    @cached_property
    def _found(self) -> dict[str, list[Pick | Order]]:
        found: dict[str, list[Pick | Order]] = {}
        view = self._view()
        for each in self._steps():
            for key in (each.key,) if isinstance(each, Pick) else self._notation.begins(each, view):
                found.setdefault(key, []).append(each)
        return found

    @property
    def first(self) -> tuple[str, ...]:
        """The keys with which legal orders begin; each begins at least one."""
        return tuple(self._found)

    @cached_property
    def kinds(self) -> frozenset[type[Order]]:
        """The kinds of order that can be given now."""
        found: set[type[Order]] = set()
        for each in chain.from_iterable(self._found.values()):
            if not isinstance(each, Pick):
                found.add(type(each))
            elif len(each.kinds) == 1:
                found.update(each.kinds)
            elif not found.issuperset(each.kinds) or not each.kinds:
                found.update(map(type, self._picked(each.value)))
        return frozenset(found)

    def keys(self, kind: type[Order]) -> tuple[str, ...]:
        """The keys with which legal orders of this kind begin."""
        return tuple(key for key, steps in self._found.items() if any(self._leads(each, kind) for each in steps))

    def _leads(self, step: Pick | Order, kind: type[Order]) -> bool:
        if not isinstance(step, Pick):
            return type(step) is kind
        if step.kinds and kind not in step.kinds:
            return False
        return len(step.kinds) == 1 or any(type(order) is kind for order in self._picked(step.value))

    def picked(self, key: str) -> Iterator[Order]:
        """The legal orders that can begin with this key."""
        for each in self._found.get(key, ()):
            yield from self._picked(each.value) if isinstance(each, Pick) else (each,)

    def named(self, word: str) -> tuple[str, ...]:
        """The first steps with that word in any case; if there is none, those whose word begins so (`3p`), or a part of
        it: `tank`, `Ukraine` for `u:germany-tank@Ukraine`.
        """
        start = word.casefold()
        words = {key: key.partition(":")[2].casefold() for key in self._found}
        tests: tuple[Callable[[str], bool], ...] = (
            lambda each: each == start,
            lambda each: each.startswith(start),
            lambda each: start in re.split("[-@]", each),
        )
        found = (tuple(key for key, each in words.items() if test(each)) for test in tests)
        return next(filter(None, found), ())

    def beginning(self, text: str, show: Callable[[Order], str]) -> Iterator[tuple[str, Order]]:
        """The orders whose texts begin so, in any case; of a first step, if its word is the second of the text."""
        start = text.casefold()

        def fit(orders: Iterable[Order]) -> Iterator[tuple[str, Order]]:
            return ((shown, order) for order in orders if (shown := show(order)).casefold().startswith(start))

        return iter(list(fit(self.like(start.split(" ")))) or fit(self))

    def like(self, words: Sequence[str]) -> Iterable[Order]:
        """The orders of the first steps whose words begin as the second of these: most likely those that are meant."""
        word = words[1].casefold() if len(words) > 1 else ""
        keys = [key for key in self._found if key.partition(":")[2].casefold().startswith(word)] if word else []
        return dict.fromkeys(chain.from_iterable(map(self.picked, keys)))
