"""What pairing starts from and what it gives. Points are counted in half points: 2 for a win, 1 for a draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WIN: Final = 2
DRAW: Final = 1
LOSS: Final = 0

FORMATS: Final = ("round_robin", "swiss", "knockout", "ladder")


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who takes part. `number` is his place in the seeding, from 1; `out`: he has withdrawn."""

    number: int
    name: str
    rating: int = 1500
    out: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """What one game gave, or a round without one.

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
    """A game to be played. `second` None: a bye, worth `points`.

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
    """A round: who plays whom, best board first, and what is to be said of it as a whole."""

    round: int
    pairs: tuple[Pair, ...]
    notes: tuple[str, ...] = ()
