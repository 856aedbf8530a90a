"""The locals of each sequence of play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from pbem.game import Frame
from pbem.kit import Clash, Fights
from pbem.kit import Losses as Steps
from pbem_rules.stalingrad42.orders import Activate, Attack, Commit, Disengage, Storm

HOLD, FLEXIBLE, GIVE = "hold", "flexible", "give"  # S42-11.1: stances


@dataclass(slots=True)
class War(Frame):
    """The whole game, turn after turn."""


@dataclass(slots=True)
class GameTurn(Frame):
    """S42-3: the Axis, the Soviets, victory."""


@dataclass(slots=True)
class PlayerTurn(Fights):
    """S42-3.B: the phases of one side."""

    turn: ClassVar[bool] = True
    seat: str
    opening: bool = field(default=False, kw_only=True)  # it begins with movement (S42-S3.4a)
    entries: list[Attack | Commit | Activate | Disengage] = field(default_factory=list, kw_only=True)
    points: int = 0  # resource points left (S42-18.1)
    spare: dict[str, int] = field(default_factory=dict)  # replacements left, by kind (S42-21.1.3)
    rebuilt: tuple[int, ...] = ()  # hexes to which units have come back, one entry for each (S42-21.3.1e)
    moved: set[int] = field(default_factory=set)  # units that move no more
    hurried: set[int] = field(default_factory=set)  # by extended movement: they do not attack (S42-5.3c)
    halfway: dict[int, str] = field(default_factory=dict)  # naval unit -> how it may still go on (S42-5.7.1f)
    rides: int = 0  # by rail (S42-5.6.2)
    rides_on_map: int = 0  # of these, those that began on the map
    ferried: bool = False  # a unit has used the ferry of Vladimirovka by rail (S42-5.5.7)
    patrolled: bool = False  # the Volga Flotilla has moved (S42-5.5.3b)
    sailed: set[str] = field(default_factory=set)  # seas on which a unit has sailed (S42-5.7.1a, S42-5.7.2b)
    enlisted: bool = False  # volunteers have come (S42-20.8a)
    drafted: bool = False  # a unit of the Trans-Caucasus front has come (S42-30.0a)
    released: bool = False  # a reserve army has been let go (S42-31.0)
    recalled: tuple[int, ...] = ()  # units that have left for other fronts, as their owner chose (S42-32)
    vacated: int = -1  # where the last of them was
    gone: int = 0  # steps that have left with them, less those that others have got
    southbound: set[int] = field(default_factory=set)  # units that have gone into the Area of Baku (S42-24.1.2a)
    storms: list[Storm] = field(default_factory=list)  # each automatic DS
    pursued: int = 0  # of these, those whose units have advanced (S42-8.6.2)
    shattered: int | None = None  # who loses the step of the last one
    broken: tuple[int, ...] = ()  # of the last one, the units that are still to retreat
    starved: tuple[int, ...] = ()  # isolated units, for each step that they are to lose (S42-16.5)
    fought: set[int] = field(default_factory=set)  # units that have attacked (S42-8.1b)
    attacked: set[int] = field(default_factory=set)  # units that have been attacked
    advanced: set[int] = field(default_factory=set)  # units that have advanced after combat
    nudged: set[int] = field(default_factory=set)  # units that have moved one hex, into no enemy zone (S42-25.2.1)
    reserved: list[tuple[int, ...]] = field(default_factory=list)  # the units under each Reserve marker
    emptied: int | None = None  # the hex that the last combat has emptied (S42-25.2.3b)
    committed: dict[int, tuple[int, ...]] = field(
        default_factory=dict
    )  # hex -> headquarters whose Planned Offensives go into the attack on it (S42-26.2d)
    regrouped: dict[int, str] = field(default_factory=dict)  # reserve army that is paired anew -> its former slot
    mixed: set[int] = field(default_factory=set)  # places where armies have been paired anew
    filled: set[int] = field(default_factory=set)  # boxes into which units have gone (S42-34.3.1b)
    unboxed: bool = False  # a unit has left a box (S42-34.4.2a)
    boxed_by_rail: bool = False  # a unit has gone from a railway into a box (S42-34.4.1e)
    marshalled: bool = False  # reserve armies have moved
    attacking: int | None = None  # the hex of which a reserve army is shown
    sprung: set[int] = field(default_factory=set)  # hexes in which units have come out of a box to defend (S42-34.6.2)
    tried: set[int] = field(default_factory=set)  # units that have tried to disengage (S42-27.2.1)
    repairs: tuple[int, ...] = ()  # railheads that have moved (S42-17.2.1)
    placed: tuple[int, ...] = ()  # railheads placed in this turn, which wait for the next (S42-17.2.2)

    def attacks(self) -> list[Attack]:
        """Of the firm entries of the list the attacks."""
        return [entry for entry in self.firm() if isinstance(entry, Attack)]

    def leaving(self) -> set[int]:
        """The units that are listed to disengage."""
        return {unit for entry in self.firm() if isinstance(entry, Disengage) for unit in entry.units}


@dataclass(slots=True)
class Respite(PlayerTurn):
    """S42-33.2.3: the short turn of the Axis between two Soviet ones: movement, disengagement, recovery."""


@dataclass(slots=True)
class Prelude(PlayerTurn):
    """S42-S2.4.1: the Soviet moves before the first turn of the Axis."""


@dataclass(slots=True)
class Retreat(Frame):
    """S42-12: units of one hex that retreat so many hexes. `chooser` says where to, `attacker` has the turn."""

    seat: str
    start: int
    units: tuple[int, ...]  # still to go
    length: int
    attacker: str
    chooser: str
    ask: bool = False  # the attacker, if it chooses
    driven: bool = False  # S42-13.3.2d: units in Full Retreat that an enemy comes to
    willing: bool = False  # S42-27.2.3: they disengage, and stay where no way is open
    via: tuple[int, ...] = ()  # the way that was ordered


@dataclass(slots=True, kw_only=True)
class Battle(Clash):
    """S42-8.3: one attack. What is still to be done of its result stands in `losing`, `retreat`, `hexes`."""

    target: int
    units: tuple[int, ...]  # attackers
    mates: tuple[int, ...] = ()  # who stood with them, and may advance too (S42-14.1a)
    defenders: tuple[int, ...]  # all combat units there but the `guests`
    guests: tuple[int, ...] = ()  # that had retreated there before in this phase (S42-12.4)
    spared: tuple[int, ...] = ()  # defenders beyond the limit of stacking (S42-15.3b)
    guns: tuple[int, ...] = ()  # who gives the artillery's columns
    air: str | None = None  # the air unit that attacks with them
    cover: str | None = None  # the air unit that helps the defence (S42-9.3.4)
    asked: bool = False  # the defender about that
    breaks: tuple[int, ...] = ()  # who is to break through, as ordered, by which hexes, at which column (S42-15)
    via: tuple[int, ...] = ()
    odds: int | None = None
    advance: tuple[int, ...] = ()  # as the entry orders it
    number: int = 0  # of a breakthrough combat, which one of its group it is
    plans: tuple[int, ...] = ()  # headquarters whose Planned Offensives are used, each for a die more (S42-26.2f)
    dice: tuple[int, ...] = ()  # that have been rolled
    again: bool = False  # a leader has had them rolled again (S42-28.1)
    die: int = 0  # the one that counts; 0: none was needed
    cell: str = ""  # of the results table
    losing: tuple[str, ...] = ()  # sides that lose a step, in order
    retreat: int = 0  # hexes
    favoured: bool = False  # S42-11.1.2
    desperate: bool = False  # S42-11.5
    lead: int | None = None  # of determined defence
    rolls: int = 0
    stood: int = 0  # the die of the roll that is still to be read
    outcome: str = ""  # of the last one
    star: bool = False  # the defender picks the attacker's loss (S42-11.4.1)
    supported: bool = False  # determined defence has support (S42-11.3)
    delays: int = 0  # in desperate defence (S42-11.6.1d)
    delayed: bool = False  # S42-11.6.1
    besieged: bool = False  # a City Battle has begun: attackers enter the city (S42-29.1.1a)
    held: bool = False  # determined defence has succeeded
    hexes: int = 0  # of advance
    limited: bool = False  # S42-14.2.3
    group: tuple[int, ...] = ()  # who is breaking through
    left: dict[int, int] = field(default_factory=dict)  # hexes that each of them has left
    trail: tuple[int, ...] = ()  # hexes that the group has entered
    fought: int = 0  # breakthrough combats
    free: bool = False  # the next hex of the group has just been emptied, and costs nothing (S42-15.2.8)
    tried: tuple[int, ...] = ()  # units of the advance whose turn has come
    advanced: tuple[int, ...] = ()
    won: bool = False


@dataclass(slots=True, kw_only=True)
class Pursuing(Frame):
    """S42-25.2.3: a reserve that has been activated."""

    seat: str
    ask: bool = False
    advance: tuple[int, ...]
    emptied: int | None
    tried: tuple[int, ...] = ()
    advanced: tuple[int, ...] = ()


@dataclass(slots=True, kw_only=True)
class Leaving(Clash):
    """S42-27: an attempt to disengage."""

    start: int
    units: tuple[int, ...]
    hexes: int
    via: tuple[int, ...] = ()
    die: int = 0
    again: bool = False
    losing: bool = False  # a step is still to be lost
    goes: bool = False


@dataclass(slots=True)
class Losses(Steps):
    """S42-10.2: steps of some units, which one of the players chooses."""

    chooser: str = ""
    attacker: str = ""
    ask: bool = False
    desperate: bool = False
    retreat: int = 0  # hexes that those who are left retreat
    dying: int | None = None  # the unit of which a Remnant may be left (S42-10.4)
    rule: str = "S42-10.2"
