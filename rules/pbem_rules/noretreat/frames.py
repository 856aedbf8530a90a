"""The locals of each sequence of play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from pbem.game import Frame, Poll
from pbem.kit import Fights
from pbem.kit import Losses as Steps
from pbem_rules.noretreat.orders import Attack


@dataclass(slots=True)
class Campaign(Frame):
    kind: ClassVar[str] = "campaign"


@dataclass(slots=True)
class GameTurn(Frame):
    """Phases A to C, then both player-turns (NR-3.1)."""

    discards: int = 0  # that the Axis owes for events of the turn
    surrender: str = ""  # who owes a card by NR-14.8


@dataclass(slots=True)
class PlayerTurn(Fights):
    """Phases D to J of one side, with the list of its battles."""

    turn: ClassVar[bool] = True
    side: str
    entries: list[Attack] = field(default_factory=list, kw_only=True)
    moved: set[int] = field(default_factory=set)  # units that have moved or been loaded
    railed: int = 0  # loaded for nothing in this turn
    free: int = 0  # free upgrades used
    fought: set[int] = field(default_factory=set)  # units that have attacked in this Combat phase
    due: tuple[int, ...] = ()  # enemy units under counterblow markers that this side must still attack
    stage: int = 0  # of the Organisation phase: flip, place, reorganise (NR-3.7); of Movement: 1 after the reserve


@dataclass(slots=True)
class DrawCards(Frame):
    side: str
    count: int


@dataclass(slots=True)
class Action(Frame):
    """A card played or discarded for a purpose, which the enemy may cancel before it takes effect (NR-5.20)."""

    side: str
    moment: str
    cards: tuple[int, ...]
    targets: tuple[int, ...] = ()
    purpose: str = ""  # of a discard; empty: the event is played
    chain: tuple[int, ...] = ()  # cards that cancel, each the one before it


@dataclass(slots=True)
class Window(Frame):
    """A moment at which seats may play events until all pass (NR-5.19)."""

    moment: str
    poll: Poll = field(default_factory=lambda: Poll(()))


@dataclass(slots=True)
class Battle(Frame):
    """One battle; who and what is in the state's `fight`. A counterattack takes its place."""

    side: str  # the attacker
    work: tuple[str, ...] = ()  # losses and retreats still to be done, in order (`results.Work`)


@dataclass(slots=True)
class Losses(Steps):
    """NR-1.7."""

    kind: ClassVar[str] = "losses"
    cadre: bool = False  # a cadre may take the place of a unit eliminated (NR-1.26)
    vacancy: int = 0  # where


@dataclass(slots=True)
class Retreat(Frame):
    side: str
    start: int
    units: tuple[int, ...]  # still to go
    away: int = 2
    shattered: bool = False  # after DS


@dataclass(slots=True)
class Pursuit(Frame):
    side: str
    hexes: tuple[int, ...]  # vacated
    units: tuple[int, ...]  # that may still pursue
    gone: int = 0


@dataclass(slots=True)
class Returning(Frame):
    """Lost units that an event brings onto the map: up to `count` of them."""

    side: str
    units: tuple[int, ...]
    count: int


@dataclass(slots=True)
class Manoeuvre(Frame):
    """Moves outside the Movement phase: up to `most` of these units, each once, with so many points."""

    side: str
    units: tuple[int, ...]
    points: int
    most: int = 99
    single: bool = False  # one hex each, whatever it costs
