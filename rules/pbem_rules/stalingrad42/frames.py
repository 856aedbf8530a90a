"""The locals of each sequence of play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from pbem.game import Frame


@dataclass(slots=True)
class War(Frame):
    """The whole game, turn after turn."""


@dataclass(slots=True)
class GameTurn(Frame):
    """S42-3: the Axis, the Soviets, victory."""


@dataclass(slots=True)
class PlayerTurn(Frame):
    """S42-3.B: the phases of one side."""

    turn: ClassVar[bool] = True
    seat: str
    points: int = 0  # resource points left (S42-18.1)
    moved: set[int] = field(default_factory=set)  # units that move no more
    hurried: set[int] = field(default_factory=set)  # by extended movement: they do not attack (S42-5.3c)
    halfway: dict[int, str] = field(default_factory=dict)  # naval unit -> how it may still go on (S42-5.7.1f)
    rides: int = 0  # by rail (S42-5.6.2)
    rides_on_map: int = 0  # of these, those that began on the map
    sailed: bool = False  # S42-5.7.1a
    storms: tuple[tuple[int, ...], ...] = ()  # of each automatic DS its hex, then its units (S42-8.6.1d)
    broken: tuple[int, ...] = ()  # of the last one, the units that are still to retreat
    repairs: tuple[int, ...] = ()  # railheads that have moved (S42-17.2.1)
    placed: tuple[int, ...] = ()  # railheads placed in this turn, which wait for the next (S42-17.2.2)


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
