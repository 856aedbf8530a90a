"""The common parts of all lines in which a player orders several units at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from pbem.game import Context, Group, NotationError, Order
from pbem_rules.axis1941.names import TYPED
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import Kind, Power

MOST = 200  # units in one line
Counted = list[tuple[int, Kind, int]]


def invalid(sentence: str, *candidates: str) -> NotationError:
    return NotationError("invalid", f"Not understood: {sentence}.", candidates)


def arrows(words: list[str]) -> list[str]:
    """`a->b`, `a>b`, `a to b` as `a > b`."""
    text = " ".join(words).replace("->", ">").replace(">", " > ")
    return [">" if word.casefold() == "to" else word for word in text.split()]


def cut(words: list[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word == ">":
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


class Typing(Group[State]):
    """A group that begins with one of its verbs."""

    verbs: tuple[str, ...] = ()

    def expand(self, words: list[str], context: Context[State]) -> tuple[Order, ...] | None:
        if words[0].casefold() not in self.verbs:
            return None
        orders = tuple(self.orders(words[1:], context))
        if len(orders) > MOST:
            raise invalid(f"that would be {len(orders)} orders; {MOST} are enough for a line")
        return orders

    @abstractmethod
    def orders(self, words: list[str], context: Context[State]) -> Iterable[Order]: ...

    def units(self, words: list[str]) -> tuple[Counted, list[str]]:
        """Counts and kinds at the beginning, and the words behind; there must be some."""
        found, rest = TYPED.counted(words)
        if not found:
            word = next((word for word in words if not word.strip(",").isdigit()), "")
            if not word:
                raise invalid(f"write it as: {self.about}", self.about)
            raise invalid(f"{word!r} is not a unit; there are {TYPED.list_kinds()}", self.about)
        if not all(count for count, _, _ in found):
            raise invalid("give at least one unit", self.about)
        if sum(count for count, _, _ in found) > MOST:
            raise invalid(f"more than {MOST} units in a line", self.about)
        return found, rest

    def only_units(self, words: list[str]) -> Iterable[Kind]:
        found, rest = self.units(words)
        if rest:
            word = next((word for word in rest if not word.strip(",").isdigit()), "")
            if not word:
                raise invalid(f"no unit follows {rest[-1]}: {self.about}", self.about)
            raise invalid(f"{word!r} is not a unit; there are {TYPED.list_kinds()}", self.about)
        return [kind for count, kind, _ in found for _ in range(count)]


def ship_at_end(words: list[str], own: Power) -> tuple[int, list[str]] | None:
    """A ship named by the last words, and the words before."""
    for size in (4, 3, 2, 1):
        if size <= len(words):
            ship = TYPED.ship(words[-size:], own)
            if ship is not None:
                return ship, words[:-size]
    return None
