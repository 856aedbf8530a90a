"""The locals of each sequence of play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from pbem.game import Frame, Rows, transient
from pbem_rules.axis1941.units import NONE, Power, Unit


@dataclass(slots=True)
class War(Frame):
    """Rounds of five turns (AA-3.1)."""

    next: int = 0  # which power's turn comes next, in the order of play


@dataclass(slots=True)
class Turn(Frame):
    """One power's turn (AA-3.2). What its phases leave for each other stands in the state."""

    turn: ClassVar[bool] = True
    power: Power
    before: Rows[int, Unit] = field(default_factory=Rows)  # units as they were when this phase of movement began
    held: Rows[int, Power] = field(default_factory=Rows)  # territories taken in this phase -> who held them before
    homed: bool = False  # aircraft were told to land as they can
    recalls: int = 0  # how often this phase of movement was begun anew

    def forget(self) -> None:
        """A phase of movement is over."""
        if len(self.before):
            self.before = Rows()
        if len(self.held):
            self.held = Rows()
        self.homed, self.recalls = False, 0


@dataclass(slots=True)
class Battle(Frame):
    """One battle, of the active power against all enemies in a place (AA-6)."""

    place: int
    power: Power  # the attacker
    round: int = 0
    attackers: tuple[int, ...] = ()  # on the board, by number
    defenders: tuple[int, ...] = ()
    landed: tuple[int, ...] = ()  # attackers that came by sea: they cannot retreat (AA-6.9)
    behind: tuple[int, ...] = ()  # defenders behind the casualty line: they still fire (AA-6.24)
    struck: tuple[int, ...] = ()  # submarines that fired in step 2 of this round
    hits_sub: int = 0  # hits that still have to be taken, by class (AA-6.28)
    hits_air: int = 0
    hits_other: int = 0
    phase: int = 0  # of the round: `battle_board.PHASES`
    origins: tuple[int, ...] = ()  # spaces from which land and sea units entered: where a retreat may go (AA-6.47)
    undecided: tuple[int, ...] = ()  # submarines that have not been told to strike or to submerge (AA-6.18)
    disputed: bool = False  # the joint defenders do not agree on a loss (AA-7.6)
    result: str = ""  # how it ended: a word of `hits`, or `retreat`
    forces: Any = transient()  # forces that were counted, by their units (`battle_board.counted`)
    volley: Any = transient()  # who fires, and in which phase of which round (`battle.shots`)
    offer: Any = transient()  # what a hit may be paid with, and when that was worked out (`battle_losses.offer`)


@dataclass(slots=True)
class Displaced(Frame):
    """Defending fighters without a carrier look for a place (AA-8.4)."""

    waiting: tuple[int, ...] = ()
    fighter: int = NONE
