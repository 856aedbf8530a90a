"""The locals of each sequence of play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.game import Frame


@dataclass(slots=True)
class War(Frame):
    kind: ClassVar[str] = "war"


@dataclass(slots=True)
class Turn(Frame):
    kind: ClassVar[str] = "turn"


@dataclass(slots=True)
class Half(Frame):
    """One side's half-turn."""

    turn: ClassVar[bool] = True
    side: str
    moved: int = 0  # units that have moved or rallied, a bit for each
    marched: int = 0  # units under Forced march
    attacks: tuple[tuple[int, tuple[int, ...]], ...] = ()  # declared: target, from
    fought: int = 0


@dataclass(slots=True)
class Steal(Frame):
    side: str
    taken: str = ""  # the slot


@dataclass(slots=True)
class Battle(Frame):
    label: str
    side: str  # the attacker
    target: int
    hexes: tuple[int, ...]
    barrage: bool = False
    counter: bool = False
    units: tuple[int, ...] = ()  # attackers that take part
    card: str = ""  # the reaction card in force
    result: str = ""
    advanced: int = 0


@dataclass(slots=True)
class Window(Frame):
    """Before a battle: a reaction card, and the Countermands that follow it."""

    side: str  # the attacker
    target: int
    card: str = ""  # the reaction card played
    answers: int = 0  # Countermands so far


@dataclass(slots=True)
class Retreat(Frame):
    side: str
    hex: int
    waiting: tuple[int, ...]
    may_stand: bool
