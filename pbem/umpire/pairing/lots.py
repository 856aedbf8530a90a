"""Lots drawn from a tournament's seed: anybody who knows it draws the same."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.protocol.digest import tagged


@dataclass(frozen=True, slots=True)
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


def place_by_lot(seed: bytes, key: bytes) -> bytes:
    """Sorted by this, entrants stand in an order that only the seed decides."""
    return tagged("pbem1/seeding", seed, key)
