"""The locals of each sequence of play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from pbem.game import Frame
from pbem.kit import Clash, Fights
from pbem.kit import Losses as Steps
from pbem_rules.stargard.orders import Attack


@dataclass(slots=True)
class War(Frame):
    """The whole game: the set-up, then turn after turn."""

    placed: int = 0  # moves of the set-up


@dataclass(slots=True)
class GameTurn(Frame):
    """SG-2.0: the phases of a turn. `chit` is the one that was drawn last."""

    event: str = ""  # of the turn
    chit: str = ""
    reports: bool = False  # a Soviet chit is being laid aside (SG-12.6)
    place: str = ""  # of the Soviet chits that lie face down, the one that was drawn
    put_back: int = 0  # chits that were drawn and could not be played


@dataclass(slots=True)
class Activation(Fights):
    """SG-3: one headquarters and its units, or a cavalry corps; movement, then combat.

    `able` are the units that it activates, found before it moves (SG-3.3.3b); of the independent ones among them
    the first two that are used (SG-3.3.1a).
    """

    turn: ClassVar[bool] = True
    seat: str
    chit: str
    formation: str = ""
    able: tuple[int, ...] = ()
    free: tuple[int, ...] = ()  # independents anywhere that may only move (SG-3.1.5b)
    entries: list[Attack] = field(default_factory=list, kw_only=True)
    used: tuple[int, ...] = ()  # independents that have moved or been listed to attack
    freed: tuple[int, ...] = ()  # of `free`, those that have moved
    moved: set[int] = field(default_factory=set)
    fought: set[int] = field(default_factory=set)  # units that have attacked (SG-8.3.1c)
    attacked: set[int] = field(default_factory=set)  # units that have been attacked
    reaction: bool = False  # in turn 1 (SG-12.1b)
    declined: bool = False  # SG-2.3.1a: the chit is spent, nobody was activated


@dataclass(slots=True)
class Command(Frame):
    """A chit that was drawn: whom it activates, one after another (SG-3.1.4)."""

    seat: str
    chit: str
    formations: tuple[str, ...] = ()  # still to be activated


@dataclass(slots=True, kw_only=True)
class Battle(Clash):
    """One attack (SG-8). `result` is read from the table; what is still to be done of it stands in `work`."""

    target: int
    units: tuple[int, ...]  # attackers
    defenders: tuple[int, ...]
    posts: tuple[int, ...] = ()  # headquarters that stood with either side at the start (SG-9.3.1, SG-12.2.1b)
    mates: tuple[tuple[int, ...], ...] = ()  # the combat units that stood with each of them
    fled: tuple[tuple[int, int], ...] = ()  # headquarters that must reform, and the hexes that they left
    shift: int = 0  # of the air units
    advance: tuple[int, ...] = ()  # as the entry orders it
    die: int = 0
    result: str = ""
    work: tuple[str, ...] = ()
    retreated: tuple[int, ...] = ()  # attackers that had to retreat, defenders that have retreated
    advanced: tuple[int, ...] = ()
    won: bool = False


@dataclass(slots=True)
class Losses(Steps):
    """SG-8.6; by SG-4.4 and SG-9.4 while units retreat: `rule`."""

    attacker: str = ""
    ask: bool = False
    rule: str = "SG-8.6"


@dataclass(slots=True)
class Retreat(Frame):
    """SG-9: the units of one hex that retreat so many hexes."""

    seat: str
    start: int
    units: tuple[int, ...]  # still to go
    length: int
    attacker: str
    ask: bool = False
    group: tuple[int, ...] = ()  # on their way together
    path: tuple[int, ...] = ()  # that lies before them
    walked: int = 0  # hexes behind them
    gone: tuple[int, ...] = ()  # those that have left the hex
    fled: tuple[tuple[int, int], ...] = ()  # as of a battle


@dataclass(slots=True)
class Reform(Frame):
    """SG-12.2.2: headquarters that look for a new place, one after another. `origins`: the hexes that they left.

    `beside`: two came together, so that one goes to the nearest hex (SG-6.3c).
    """

    posts: tuple[int, ...]
    origins: tuple[int, ...]
    beside: bool = False
    taken: bool = False  # they have been taken off the map


@dataclass(slots=True)
class Barrage(Frame):
    """SG-8.5."""

    seat: str
    attempts: int = 0
    targets: tuple[int, ...] = ()  # units fired at, in order
    label: str = ""


@dataclass(slots=True)
class Arriving(Frame):
    """SG-2.5, SG-7: the units of one side that come onto the map, each with its entry; they move on at once."""

    turn: ClassVar[bool] = True
    seat: str
    units: tuple[int, ...]  # still to come
    placed: tuple[int, ...] = ()  # that have come and may still move
    came: int = 0  # units that arrive in this phase, whether they have moved on or not
    event: bool = False  # brought by an event: no strategic movement (SG-5.4.1d)
    points: int = 0  # replacement points left (SG-7.3)
    plain: bool = False  # they are for units that are not mechanised (SG-19.1.11)
    restored: tuple[int, ...] = ()  # units that have regained a step in this turn
