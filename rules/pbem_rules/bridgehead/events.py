"""What happened. `report.py` makes sentences of it, so events carry names as players know them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

from pbem.engine.event import Event


class Fact(Event):
    """Base of the game's events. They have one `repr` and no `eq` of their own: two dozen classes load the faster."""

    __slots__ = ()

    def __repr__(self) -> str:
        shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self))
        return f"{type(self).__name__}({shown})"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Shuffled(Fact):
    kind: ClassVar[str] = "shuffled"
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Drew(Fact):
    kind: ClassVar[str] = "drew"
    side: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TurnBegan(Fact):
    kind: ClassVar[str] = "turn"
    turn: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class HalfBegan(Fact):
    kind: ClassVar[str] = "half"
    turn: int
    side: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Postures(Fact):
    kind: ClassVar[str] = "postures"
    blue: str
    red: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ReserveShown(Fact):
    kind: ClassVar[str] = "reserve"
    side: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Arrived(Fact):
    kind: ClassVar[str] = "arrived"
    unit: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Waits(Fact):
    kind: ClassVar[str] = "waits"
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OutOfSupply(Fact):
    kind: ClassVar[str] = "supply"
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Moved(Fact):
    kind: ClassVar[str] = "moved"
    unit: str
    path: tuple[int, ...]
    cost: int
    stopped: bool  # by an enemy zone


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TownTaken(Fact):
    kind: ClassVar[str] = "town"
    side: str
    town: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Rallied(Fact):
    kind: ClassVar[str] = "rallied"
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Played(Fact):
    kind: ClassVar[str] = "played"
    side: str
    card: str
    target: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Cancelled(Fact):
    kind: ClassVar[str] = "cancelled"
    card: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Stole(Fact):
    kind: ClassVar[str] = "stole"
    side: str
    place: int  # of the card in the other's hand, from 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Declared(Fact):
    kind: ClassVar[str] = "declared"
    side: str
    target: int
    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Fought(Fact):
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class StepLost(Fact):
    kind: ClassVar[str] = "step"
    unit: str
    hex: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Retreated(Fact):
    kind: ClassVar[str] = "retreated"
    unit: str
    start: int
    to: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Stood(Fact):
    kind: ClassVar[str] = "stood"
    side: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Advanced(Fact):
    kind: ClassVar[str] = "advanced"
    unit: str
    to: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CounterAttack(Fact):
    kind: ClassVar[str] = "counter"
    side: str
    target: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Finished(Fact):
    kind: ClassVar[str] = "finished"
    winner: str
    blue: int
    red: int
    how: str


EVENTS: tuple[type[Event], ...] = (
    Shuffled, Drew, TurnBegan, HalfBegan, Postures, ReserveShown, Arrived, Waits, OutOfSupply, Moved, TownTaken,
    Rallied, Played, Cancelled, Stole, Declared, Fought, StepLost, Retreated, Stood, Advanced, CounterAttack,
    Finished,
)  # fmt: skip
