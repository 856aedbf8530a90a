"""What happened, in names that players know, and how a report says it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from pbem.game import Event
from pbem.kit import hex_name
from pbem_rules.stargard.chart import GERMAN, SOVIET

SIDE_NAMES = {GERMAN: "The Germans", SOVIET: "The Soviets"}


def names(words: tuple[str, ...]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def way(path: tuple[int, ...]) -> str:
    return " > ".join(map(hex_name, path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Event):
    """Base of the game's events."""

    @abstractmethod
    def words(self) -> str:
        """A sentence of the report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Fact):
    """What has no figures."""

    kind: ClassVar[str] = "note"
    text: str

    def words(self) -> str:
        return self.text


# Turns, chits, supply, victory


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Fact):
    kind: ClassVar[str] = "turn_began"
    turn: int
    date: str
    german: int
    soviet: int

    def words(self) -> str:
        return f"Turn {self.turn}, {self.date}. Chits: {self.german} German, {self.soviet} Soviet."


@dataclass(frozen=True, slots=True, kw_only=True)
class AirMoved(Fact):
    """Air units come to a box, or to a part of the Grounded box."""

    kind: ClassVar[str] = "air_moved"
    units: tuple[str, ...]
    to: str

    def words(self) -> str:
        return f"{names(self.units)}: {self.to}."


@dataclass(frozen=True, slots=True, kw_only=True)
class EventHappened(Fact):
    kind: ClassVar[str] = "event_happened"
    die: int
    text: str

    def words(self) -> str:
        return f"Random event: the die shows {self.die}. {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChitPlayed(Fact):
    """A chit was drawn; `out_of` so many that could have been, 1 if it needed no draw."""

    kind: ClassVar[str] = "chit_played"
    side: str
    chit: str
    name: str
    number: int
    of: int
    out_of: int

    def words(self) -> str:
        drawn = "draw" if self.out_of > 1 else "play"
        return f"{SIDE_NAMES[self.side]} {drawn} {self.chit}, {self.name} (chit {self.number} of {self.of})."


@dataclass(frozen=True, slots=True, kw_only=True)
class Activated(Fact):
    kind: ClassVar[str] = "activated"
    side: str
    formation: str
    name: str
    units: int
    reaction: bool = False

    def words(self) -> str:
        return f"{self.name} {'reacts' if self.reaction else 'is activated'}: {self.units} units in command."


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyJudged(Fact):
    """Units whose status has changed."""

    kind: ClassVar[str] = "supply_judged"
    supplied: tuple[str, ...]
    cut: tuple[str, ...]
    isolated: tuple[str, ...]

    def words(self) -> str:
        lists = ((self.supplied, "In supply again"), (self.cut, "Out of supply"), (self.isolated, "Isolated"))
        return " ".join(f"{title}: {names(units)}." for units, title in lists if units)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitsLeft(Fact):
    """Units leave the game for a reason that is no loss."""

    kind: ClassVar[str] = "units_left"
    units: tuple[str, ...]
    why: str

    def words(self) -> str:
        return f"{names(self.units)} {'leave' if len(self.units) > 1 else 'leaves'} the game: {self.why}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerFlipped(Fact):
    kind: ClassVar[str] = "marker_flipped"
    places: tuple[str, ...]

    def words(self) -> str:
        return f"Markers of victory points are flipped: {names(self.places)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Fact):
    kind: ClassVar[str] = "finished"
    how: str
    score: int
    text: str

    def words(self) -> str:
        return f"{self.text} The Soviets have {self.score} victory points."
