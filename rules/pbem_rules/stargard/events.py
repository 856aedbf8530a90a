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
    """A fact without figures."""

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
    turn: int
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


# Reinforcements


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered(Fact):
    """SG-7, SG-12.4: units that come onto the map. `how`: they "arrive", or "are called up"."""

    kind: ClassVar[str] = "entered"
    units: tuple[str, ...]
    hex: int
    how: str

    def words(self) -> str:
        how = self.how if len(self.units) > 1 else {"arrive": "arrives", "are called up": "is called up"}[self.how]
        return f"{names(self.units)} {how} in {hex_name(self.hex)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Regained(Fact):
    """SG-7.3: steps for replacement points, of which `left` are left. `back`: the unit was destroyed before."""

    kind: ClassVar[str] = "regained"
    unit: str
    hex: int
    steps: int
    back: bool
    left: int

    def words(self) -> str:
        many = "a step" if self.steps == 1 else f"{self.steps} steps"
        what = f"comes back with {many}" if self.back else f"regains {many}"
        return f"{self.unit} {what} in {hex_name(self.hex)}; replacement points left: {self.left}."


# Combat, retreats, advances, headquarters that reform


@dataclass(frozen=True, slots=True, kw_only=True)
class Fought(Fact):
    """SG-8.2b: the die of an attack and its result."""

    kind: ClassVar[str] = "fought"
    side: str
    hex: int
    units: tuple[str, ...]
    defenders: tuple[str, ...]
    odds: str
    column: str
    die: int
    result: str

    def words(self) -> str:
        attackers, place = names(self.units), hex_name(self.hex)
        return f"{attackers} attack{'s' * (len(self.units) == 1)} {place}: {self.odds}. Die {self.die}: {self.result}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled(Fact):
    """SG-1.1.3c: an attack below 1:2."""

    kind: ClassVar[str] = "cancelled"
    side: str
    hex: int
    units: tuple[str, ...]
    odds: str

    def words(self) -> str:
        return f"The attack of {names(self.units)} on {hex_name(self.hex)} is cancelled: {self.odds}."


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLost(Fact):
    """SG-8.6: `left` steps are left."""

    kind: ClassVar[str] = "step_lost"
    unit: str
    hex: int
    left: int

    def words(self) -> str:
        return f"{self.unit} in {hex_name(self.hex)} {'loses a step' if self.left else 'is destroyed'} ({self.rule})."


@dataclass(frozen=True, slots=True, kw_only=True)
class Retreated(Fact):
    """SG-9: from the first hex of the path on."""

    kind: ClassVar[str] = "retreated"
    units: tuple[str, ...]
    path: tuple[int, ...]

    def words(self) -> str:
        return f"{names(self.units)} retreat{'s' * (len(self.units) == 1)}: {way(self.path)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced(Fact):
    """SG-10."""

    kind: ClassVar[str] = "advanced"
    unit: str
    path: tuple[int, ...]

    def words(self) -> str:
        return f"{self.unit} advances: {way(self.path)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class PostLeft(Fact):
    """SG-12.2.1b, SG-12.2.6, SG-6.3c: a headquarters must leave its hex. `why` ends the sentence."""

    kind: ClassVar[str] = "post_left"
    unit: str
    hex: int
    why: str

    def words(self) -> str:
        return f"{self.unit} leaves {hex_name(self.hex)}: {self.why}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Reformed(Fact):
    """SG-12.2.2: in this hex; 0: it comes back as a reinforcement."""

    kind: ClassVar[str] = "reformed"
    unit: str
    hex: int

    def words(self) -> str:
        if self.hex:
            return f"{self.unit} reforms in {hex_name(self.hex)}."
        return f"{self.unit} finds no hex to reform in and returns as a reinforcement in the next turn."


@dataclass(frozen=True, slots=True, kw_only=True)
class Barraged(Fact):
    """SG-8.5: the number of attempts (`unit` empty), or what an attempt has brought."""

    kind: ClassVar[str] = "barraged"
    side: str
    unit: str = ""
    hex: int = 0
    die: int
    result: str

    def words(self) -> str:
        if not self.unit:
            many = "s" * (self.result != "1")
            return f"{SIDE_NAMES[self.side]} roll {self.die} for a barrage: {self.result} attempt{many}."
        what = {"-": "no effect", "P": "it is pinned"}.get(self.result, "it loses a step")
        return f"The barrage fires at {self.unit} in {hex_name(self.hex)}, die {self.die}: {what}."


# How units move, SG-5.

GOES = {"move": "moves", "drive": "goes by road", "rail": "goes by rail", "exit": "leaves the map"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Fact):
    """`how`: a key of `GOES`. `taken`: settlements that changed hands on the way."""

    unit: str
    path: tuple[int, ...]
    how: str
    taken: tuple[int, ...] = ()

    def words(self) -> str:
        took = f", and takes {names(tuple(map(hex_name, self.taken)))}" if self.taken else ""
        return f"{self.unit} {GOES[self.how]}, {way(self.path)}{took}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured(Fact):
    """SG-12.2.6."""

    unit: str
    by: str
    place: int

    def words(self) -> str:
        return f"{self.by} captures {self.unit} in {hex_name(self.place)}: it reforms."
