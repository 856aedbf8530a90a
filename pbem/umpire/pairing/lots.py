"""Lots drawn from a tournament's seed: anybody who knows it draws the same."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.protocol.digest import tagged
from pbem.protocol.value import value
from pbem.umpire.pairing.values import Entrant


@value
class Lots:
    """Those of one round."""

    seed: bytes
    round: int

    def number(self, purpose: str, *of: int) -> int:
        """64 bits."""
        fields = [number.to_bytes(8, "big", signed=True) for number in (self.round, *of)]
        return int.from_bytes(tagged("pbem1/lot", self.seed, purpose, *fields)[:8], "big")

    def coin(self, purpose: str, *of: int) -> bool:
        return bool(self.number(purpose, *of) & 1)


def seeded(entrants: Iterable[Entrant], seed: bytes | None = None) -> tuple[Entrant, ...]:
    """Entrants numbered from 1: by rating, best first, equals by name; with a seed, by lot."""
    listed = sorted(entrants, key=lambda entrant: (-entrant.rating, entrant.name, entrant.number))
    if seed is not None:
        drawn = {id(each): tagged("pbem1/seeding", seed, each.name) for each in listed}
        listed.sort(key=lambda entrant: (drawn[id(entrant)], entrant.number))
    return tuple(Entrant(place, each.name, each.rating, each.out) for place, each in enumerate(listed, 1))
