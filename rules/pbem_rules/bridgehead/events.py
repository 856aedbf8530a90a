"""Events. `report.py` makes sentences of them, so events carry names as players know them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.game import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffled(Event):
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drew(Event):
    side: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Event):
    kind: ClassVar[str] = "turn"
    turn: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfBegan(Event):
    kind: ClassVar[str] = "half"
    turn: int
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Postures(Event):
    blue: str
    red: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReserveShown(Event):
    kind: ClassVar[str] = "reserve"
    side: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived(Event):
    unit: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits(Event):
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfSupply(Event):
    kind: ClassVar[str] = "supply"
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Event):
    unit: str
    path: tuple[int, ...]
    cost: int
    stopped: bool  # by an enemy zone


@dataclass(frozen=True, slots=True, kw_only=True)
class TownTaken(Event):
    kind: ClassVar[str] = "town"
    side: str
    town: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rallied(Event):
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Played(Event):
    side: str
    card: str
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled(Event):
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stole(Event):
    side: str
    place: int  # of the card in the other's hand, from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared(Event):
    side: str
    target: int
    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought(Event):
    side: str
    target: int
    hexes: tuple[int, ...]
    counter: bool
    attack: int
    defence: int
    shifts: tuple[str, ...]
    column: str
    die: int
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLost(Event):
    kind: ClassVar[str] = "step"
    unit: str
    hex: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Retreated(Event):
    unit: str
    start: int
    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood(Event):
    """`trapped`: no unit could retreat; `fast`: by the card, at no cost."""

    side: str
    hex: int
    trapped: bool = False
    fast: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced(Event):
    unit: str
    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterAttack(Event):
    kind: ClassVar[str] = "counter"
    side: str
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NoCounterAttack(Event):
    """The defenders of a hex could have counterattacked."""

    side: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Event):
    winner: str
    blue: int
    red: int
    how: str
