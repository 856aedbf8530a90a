"""Events, in names that players know, each with its sentence in a report."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kit import Assailed, DrivenBack, Told, Went, all_of, hex_name, many
from pbem_rules.stargard.chart import GERMAN, SOVIET

SIDE_NAMES = {GERMAN: "The Germans", SOVIET: "The Soviets"}


def way(path: tuple[int, ...]) -> str:
    return " > ".join(map(hex_name, path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Note(Told):
    """A fact without figures."""

    text: str

    def words(self) -> str:
        return self.text


# Turns, chits, supply, victory


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Told, says="Turn {turn}, {date}. Chits: {german} German, {soviet} Soviet."):
    turn: int
    date: str
    german: int
    soviet: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AirMoved(Told, says="{units}: {to}."):
    """Air units come to a box, or to a part of the Grounded box."""

    units: tuple[str, ...]
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventHappened(Told, says="Random event: the die shows {die}. {text}"):
    die: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChitPlayed(Told):
    """A chit was drawn; `out_of` so many that could have been, 1 if it needed no draw."""

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
class Activated(Told):
    turn: int
    side: str
    formation: str
    name: str
    units: int
    reaction: bool = False

    def words(self) -> str:
        return f"{self.name} {'reacts' if self.reaction else 'is activated'}: {many(self.units, 'unit')} in command."


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitsLeft(Told):
    """Units leave the game for a reason that is no loss."""

    units: tuple[str, ...]
    why: str

    def words(self) -> str:
        return f"{all_of(self.units)} {'leave' if len(self.units) > 1 else 'leaves'} the game: {self.why}."


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerFlipped(Told, says="Markers of victory points are flipped: {places}."):
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Told, says="{text} The Soviets have {score} victory points."):
    how: str
    score: int
    text: str


# Reinforcements


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered(Told):
    """SG-7, SG-12.4: units that come onto the map. `how`: they "arrive", or "are called up"."""

    units: tuple[str, ...]
    place: str
    how: str

    def words(self) -> str:
        how = self.how if len(self.units) > 1 else {"arrive": "arrives", "are called up": "is called up"}[self.how]
        return f"{all_of(self.units)} {how} in {self.place}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Regained(Told):
    """SG-7.3: steps for replacement points, of which `left` are left. `back`: the unit was destroyed before."""

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
class Fought(Assailed):
    """SG-8.2b: the die of an attack and its result."""

    defenders: tuple[str, ...]
    odds: str
    column: str
    die: int
    result: str

    def words(self) -> str:
        attackers, place = all_of(self.units), hex_name(self.hex)
        return f"{attackers} attack{'s' * (len(self.units) == 1)} {place}: {self.odds}. Die {self.die}: {self.result}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Spared(Told, says="The {by} spares the defender {what}."):
    """SG-8.7, SG-9.5: what of a result a settlement lets the defender ignore."""

    by: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled(Told, says="The attack of {units} on {hex} is cancelled: {odds}."):
    """SG-1.1.3c: an attack below 1:2."""

    side: str
    hex: int
    units: tuple[str, ...]
    odds: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Retreated(DrivenBack):
    """SG-9: from the first hex of the path on."""

    def words(self) -> str:
        return f"{all_of(self.units)} retreat{'s' * (len(self.units) == 1)}: {way(self.path)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Advanced(Went):
    """SG-10."""

    def words(self) -> str:
        return f"{self.unit} advances: {way(self.path)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class PostLeft(Told, says="{unit} leaves {hex}: {why}."):
    """SG-12.2.1b, SG-12.2.6, SG-6.3c: a headquarters must leave its hex. `why` ends the sentence."""

    unit: str
    hex: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reformed(Told):
    """SG-12.2.2: in this hex; 0: it comes back as a reinforcement."""

    unit: str
    hex: int

    def words(self) -> str:
        if self.hex:
            return f"{self.unit} reforms in {hex_name(self.hex)}."
        return f"{self.unit} finds no hex to reform in and returns as a reinforcement in the next turn."


@dataclass(frozen=True, slots=True, kw_only=True)
class Barraged(Told):
    """SG-8.5: the number of attempts (`unit` empty), or what an attempt has brought."""

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
class Moved(Went):
    """`how`: a key of `GOES`."""

    how: str

    def words(self) -> str:
        return f"{self.unit} {GOES[self.how]}, {way(self.path)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceTaken(Told):
    """SG-1.5.5, SG-14.3.1: a settlement changes hands. `points`: what that adds to the Soviet score."""

    side: str
    place: str
    points: int

    def words(self) -> str:
        whose = "the Soviets lose " if self.points < 0 else ""
        worth = f": {whose}{many(abs(self.points), 'point')}" if self.points else ""
        return f"{SIDE_NAMES[self.side]} take {self.place}{worth}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured(Told):
    """SG-12.2.6."""

    unit: str
    by: str
    place: int

    def words(self) -> str:
        return f"{self.by} captures {self.unit} in {hex_name(self.place)}: it reforms."
