"""What happened. `report.py` makes sentences of it, so events carry names as players know them."""

from __future__ import annotations

from typing import ClassVar

from pbem.engine.event import Event
from pbem.protocol.value import value


@value(kw_only=True)
class Shuffled(Event):
    kind: ClassVar[str] = "shuffled"
    cards: int


@value(kw_only=True)
class Drew(Event):
    kind: ClassVar[str] = "drew"
    side: str
    count: int


@value(kw_only=True)
class TurnBegan(Event):
    kind: ClassVar[str] = "turn"
    turn: int
    of: int


@value(kw_only=True)
class HalfBegan(Event):
    kind: ClassVar[str] = "half"
    turn: int
    side: str


@value(kw_only=True)
class Postures(Event):
    kind: ClassVar[str] = "postures"
    blue: str
    red: str


@value(kw_only=True)
class ReserveShown(Event):
    kind: ClassVar[str] = "reserve"
    side: str
    hex: int


@value(kw_only=True)
class Arrived(Event):
    kind: ClassVar[str] = "arrived"
    unit: str
    hex: int


@value(kw_only=True)
class Waits(Event):
    kind: ClassVar[str] = "waits"
    unit: str


@value(kw_only=True)
class OutOfSupply(Event):
    kind: ClassVar[str] = "supply"
    units: tuple[str, ...]


@value(kw_only=True)
class Moved(Event):
    kind: ClassVar[str] = "moved"
    unit: str
    path: tuple[int, ...]
    cost: int
    stopped: bool  # by an enemy zone


@value(kw_only=True)
class TownTaken(Event):
    kind: ClassVar[str] = "town"
    side: str
    town: str


@value(kw_only=True)
class Rallied(Event):
    kind: ClassVar[str] = "rallied"
    unit: str


@value(kw_only=True)
class Played(Event):
    kind: ClassVar[str] = "played"
    side: str
    card: str
    target: str = ""


@value(kw_only=True)
class Cancelled(Event):
    kind: ClassVar[str] = "cancelled"
    card: str


@value(kw_only=True)
class Stole(Event):
    kind: ClassVar[str] = "stole"
    side: str
    place: int  # of the card in the other's hand, from 1


@value(kw_only=True)
class Declared(Event):
    kind: ClassVar[str] = "declared"
    side: str
    target: int
    hexes: tuple[int, ...]


@value(kw_only=True)
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


@value(kw_only=True)
class StepLost(Event):
    kind: ClassVar[str] = "step"
    unit: str
    hex: int
    left: int


@value(kw_only=True)
class Retreated(Event):
    kind: ClassVar[str] = "retreated"
    unit: str
    start: int
    to: int


@value(kw_only=True)
class Stood(Event):
    kind: ClassVar[str] = "stood"
    side: str
    hex: int


@value(kw_only=True)
class Advanced(Event):
    kind: ClassVar[str] = "advanced"
    unit: str
    to: int


@value(kw_only=True)
class CounterAttack(Event):
    kind: ClassVar[str] = "counter"
    side: str
    target: int


@value(kw_only=True)
class Finished(Event):
    kind: ClassVar[str] = "finished"
    winner: str
    blue: int
    red: int
    how: str
