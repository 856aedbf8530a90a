"""Events. `report.py` makes sentences of them, so events carry places as numbers and units by kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.game import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Event):
    kind: ClassVar[str] = "turn"
    round: int
    power: str
    ipc: int
    capital: bool  # False: it is in enemy hands


@dataclass(frozen=True, slots=True, kw_only=True)
class Bought(Event):
    power: str
    units: tuple[str, ...]  # kinds, in the order of the table
    cost: int
    left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedSet(Event):
    kind: ClassVar[str] = "shared"
    power: str
    ally: str
    what: str
    yes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Event):
    """In a phase of movement. `number`: of a transport or carrier, else 0."""

    power: str
    unit: str
    number: int = 0
    path: tuple[int, ...]
    combat: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded(Event):
    power: str
    unit: str
    start: int
    ship: int  # ship_code
    zone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed(Event):
    """`assault`: an amphibious assault is declared; else the unit is ashore."""

    power: str
    unit: str
    ship: int
    to: int
    assault: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared(Event):
    """What to do about the submarines and transports in a zone."""

    power: str
    zone: int
    attack: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Promised(Event):
    power: str
    ship: int  # ship_code, or NO_SHIP for a carrier that was bought
    zone: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled(Event):
    power: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured(Event):
    """A territory changes hands. `liberated`: it went to its original owner, not to `by`."""

    place: int
    by: str
    before: str
    owner: str
    liberated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedBack(Event):
    """AA-6.69: with its capital a power gets back what friends kept for it."""

    place: int
    before: str
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Looted(Event):
    by: str
    loser: str
    ipc: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Destroyed(Event):
    """A unit is lost outside the rounds of a battle: stranded aircraft, cargo with its ship, defenceless transports."""

    power: str
    unit: str
    place: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mobilised(Event):
    power: str
    unit: str
    place: int
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned(Event):
    power: str
    unit: str
    ipc: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected(Event):
    power: str
    income: int
    ipc: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Event):
    winner: str
    capitals: tuple[str, ...]
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleBegan(Event):
    """Who is on the board; `powers` and `units` of the defenders go together, one entry for each unit."""

    kind: ClassVar[str] = "battle"
    place: int
    power: str
    attackers: tuple[str, ...]
    powers: tuple[str, ...]
    defenders: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Volley(Event):
    """One side's dice of one step: unit, the number that hits, and how many dice, in the order of the dice."""

    place: int
    power: str  # the attacker
    round: int
    attack: bool  # the attacker fires
    strike: bool  # surprise strikes of submarines
    units: tuple[str, ...]
    values: tuple[int, ...]
    counts: tuple[int, ...]
    dice: tuple[int, ...]
    hits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost(Event):
    """A hit is taken. `damaged`: the first hit of a battleship, which sails on."""

    place: int
    power: str
    unit: str
    number: int = 0
    damaged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed(Event):
    """Hits that nobody could be chosen for (AA-6.36)."""

    place: int
    power: str  # that would have had to take them
    hits: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Submerged(Event):
    place: int
    power: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FellBack(Event):
    """The attacker retreats; `to` is the place of the battle for aircraft alone."""

    place: int
    power: str
    to: int
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleEnded(Event):
    """`result`: won, lost, gone (nobody is left), defenceless, alone, bare, stuck, retreat."""

    place: int
    power: str
    rounds: int
    result: str
    attackers: tuple[str, ...]  # that are left on the board
    defenders: tuple[str, ...]


ENDINGS = {  # how battles end; for {}: the attack
    "won": "{} has won",
    "lost": "{} is beaten",
    "gone": "{} ends with no unit left on either side",
    "retreat": "{} is broken off",
    "defenceless": "{} has won, since the transports were defenceless",
    "alone": "{} is beaten, since only transports were left of it",
    "bare": "{} ends, since transports cannot fight",
    "stuck": "{} ends, since neither side can hit the other any more",
}
