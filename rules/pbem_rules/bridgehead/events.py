"""What happened. `report.py` makes sentences of it, so events carry names as players know them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.game import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffled(Event):
    kind: ClassVar[str] = "shuffled"
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Drew(Event):
    kind: ClassVar[str] = "drew"
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
    kind: ClassVar[str] = "postures"
    blue: str
    red: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReserveShown(Event):
    kind: ClassVar[str] = "reserve"
    side: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived(Event):
    kind: ClassVar[str] = "arrived"
    unit: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits(Event):
    kind: ClassVar[str] = "waits"
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfSupply(Event):
    kind: ClassVar[str] = "supply"
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Event):
    kind: ClassVar[str] = "moved"
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
    kind: ClassVar[str] = "rallied"
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Played(Event):
    kind: ClassVar[str] = "played"
    side: str
    card: str
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled(Event):
    kind: ClassVar[str] = "cancelled"
    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stole(Event):
    kind: ClassVar[str] = "stole"
    side: str
    place: int  # of the card in the other's hand, from 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared(Event):
    kind: ClassVar[str] = "declared"
    side: str
    target: int
    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought(Event):
    kind: ClassVar[str] = "fought"
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
    kind: ClassVar[str] = "retreated"
    unit: str
    start: int
    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stood(Event):
    kind: ClassVar[str] = "stood"
    side: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced(Event):
    kind: ClassVar[str] = "advanced"
    unit: str
    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterAttack(Event):
    kind: ClassVar[str] = "counter"
    side: str
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Event):
    kind: ClassVar[str] = "finished"
    winner: str
    blue: int
    red: int
    how: str
