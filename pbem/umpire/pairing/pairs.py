"""The values that pairing starts from, and those that it gives. Points are counted in half points: 2 for a win, 1 for a
draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pbem.protocol.digest import tagged

WIN: Final = 2
DRAW: Final = 1
LOSS: Final = 0

FORMATS: Final = ("round_robin", "swiss", "knockout", "ladder")


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part. `number` is their place in the seeding, from 1; `out`: they have withdrawn."""

    number: int
    name: str
    rating: int = 1500
    out: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one game, or of a round without one.

    `first` held the first side. `second` None: a bye, worth `first_points`. `forfeit`: nobody's play decided it.
    """

    round: int
    first: int
    second: int | None
    first_points: int
    second_points: int = 0
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class Pair:
    """Two entrants whom a format pairs; once this is written, the game is a `PairingRow`. `second` None: a bye, worth
    `points`.

    `mirror` is 0 for a game by itself; of two games with the sides changed the first has 1 and the second 2.
    """

    first: int
    second: int | None
    why: tuple[str, ...] = ()
    mirror: int = 0
    points: int = 0

    @property
    def entrants(self) -> tuple[int, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)


@dataclass(frozen=True, slots=True)
class Pairing:
    """A round: who plays whom, best board first, and remarks on the round as a whole."""

    round: int
    pairs: tuple[Pair, ...]
    notes: tuple[str, ...] = ()


def half(points: int) -> str:
    """`3`, `2½`, `½`: half points as people write them."""
    whole, rest = divmod(points, 2)
    return f"{whole or ''}½" if rest else str(whole)


def points_text(points: int) -> str:
    return f"{half(points)} point" + ("" if points in (1, 2) else "s")


def mirrored(pairing: Pairing) -> Pairing:
    """Both games of a pair stand together. A bye is worth two games."""
    pairs: list[Pair] = []
    for each in pairing.pairs:
        if each.second is None:
            pairs.append(Pair(each.first, None, each.why, 0, 2 * each.points))
            continue
        pairs.append(Pair(each.first, each.second, each.why, 1))
        pairs.append(Pair(each.second, each.first, ("The same two with the sides changed.",), 2))
    return Pairing(pairing.round, tuple(pairs), pairing.notes)


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
