"""The locals of what events of cards set going."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.game import Frame


@dataclass(slots=True)
class ShuffleAll(Frame):
    """Deck and discards become one, but for the card that says so (NR-5.16)."""

    side: str
    card: int
    draw: int = 0


@dataclass(slots=True)
class DrawThen(Frame):
    """Cards are drawn, then some are thrown away, or units brought back."""

    side: str
    draw: int
    drop: int = 0
    bring: int = 0


@dataclass(slots=True)
class Spying(Frame):
    """NR-13.09S."""

    side: str


@dataclass(slots=True)
class RandomLoss(Frame):
    """NR-13.42A: a card of `side`'s hand, by lot."""

    side: str
    picked: int = -1


@dataclass(slots=True)
class Tribute(Frame):
    """Cards that `side` must throw away, or a unit or a step in their place (NR-13.37S, NR-13.44S)."""

    side: str
    cards: int = 0  # at most
    unit: bool = False  # one of its allies leaves instead (NR-13.44S)
    step: bool = False  # a step stands for the second card (NR-13.37S)


@dataclass(slots=True)
class Surprise(Frame):
    """NR-13.10S: units that go by rail at once."""

    side: str
    left: int
    gone: int = 0  # a bit for each that has


@dataclass(slots=True)
class Wave(Frame):
    """NR-13.29S: one more attack."""

    side: str
