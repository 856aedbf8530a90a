"""Events. `report.py` makes sentences of them, so events carry names as players know them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import ClassVar

from pbem.game import Event


class Fact(Event):
    """Base of the game's events. They have one `repr` and no `eq` of their own: the classes load the faster."""

    __slots__ = ()

    def __repr__(self) -> str:
        shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self))
        return f"{type(self).__name__}({shown})"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class TurnBegan(Fact):
    kind: ClassVar[str] = "turn"
    turn: int
    date: str
    weather: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SideBegan(Fact):
    kind: ClassVar[str] = "side"
    turn: int
    side: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PhaseBegan(Fact):
    kind: ClassVar[str] = "phase"
    side: str
    phase: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Note(Fact):
    """What has no numbers: a rule of the turn, a trigger, weather."""

    kind: ClassVar[str] = "note"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Scored(Fact):
    """Victory points of an event, as the side with the initiative counts them."""

    kind: ClassVar[str] = "scored"
    points: int
    why: str
    total: int


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
class Dropped(Fact):
    kind: ClassVar[str] = "dropped"
    side: str
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Played(Fact):
    kind: ClassVar[str] = "played"
    side: str
    card: int
    title: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Paid(Fact):
    kind: ClassVar[str] = "paid"
    side: str
    cards: tuple[int, ...]
    purpose: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Cancelled(Fact):
    kind: ClassVar[str] = "cancelled"
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OutOfSupply(Fact):
    kind: ClassVar[str] = "supply"
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Upgraded(Fact):
    """`strong` False: turned to its weaker side by its owner."""

    kind: ClassVar[str] = "upgraded"
    unit: str
    strong: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Placed(Fact):
    kind: ClassVar[str] = "placed"
    unit: str
    hex: int
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Boxed(Fact):
    """A unit leaves the map, or changes its box."""

    kind: ClassVar[str] = "boxed"
    unit: str
    hex: int
    box: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Reorganised(Fact):
    kind: ClassVar[str] = "reorganised"
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Moved(Fact):
    kind: ClassVar[str] = "moved"
    unit: str
    path: tuple[int, ...]
    cost: int
    stopped: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Taken(Fact):
    """A place of the list has a new holder."""

    kind: ClassVar[str] = "taken_place"
    side: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Targeted(Fact):
    kind: ClassVar[str] = "targeted"
    side: str
    hex: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Counterblow(Fact):
    """`side` must attack these units, which stand in the hex."""

    kind: ClassVar[str] = "counterblow"
    side: str
    hex: int
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Fought(Fact):
    kind: ClassVar[str] = "fought"
    side: str
    hexes: tuple[int, ...]
    units: tuple[str, ...]
    forced: bool
    counter: bool
    attack: int
    defence: int
    shifts: tuple[str, ...]
    column: str
    table: str
    dice: tuple[int, ...]
    result: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Repeated(Fact):
    """A throw that does not count, since an event has the die rolled again."""

    kind: ClassVar[str] = "repeated"
    side: str
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Duelled(Fact):
    """Both roll, the lower loses a step."""

    kind: ClassVar[str] = "duelled"
    axis: int
    soviet: int


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
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Pursued(Fact):
    kind: ClassVar[str] = "pursued"
    unit: str
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CounterAttack(Fact):
    kind: ClassVar[str] = "counterattack"
    side: str
    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Finished(Fact):
    kind: ClassVar[str] = "finished"
    winner: str
    how: str
    points: int
