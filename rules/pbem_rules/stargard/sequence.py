"""SG-2 The sequence of play."""

from __future__ import annotations

from typing import Any

from pbem.game import Sequence
from pbem_rules.stargard.command import (
    Begin,
    DrawChit,
    Finish,
    MoreChits,
    NextActivation,
    PickPost,
    PickReaction,
    React,
    ReadChit,
)
from pbem_rules.stargard.frames import Activation, Command, GameTurn, War
from pbem_rules.stargard.setup import PlaceFree, SovietPlaceFree
from pbem_rules.stargard.state import State
from pbem_rules.stargard.supply import SupplyPhase
from pbem_rules.stargard.turns import AirPhase, BeginTurn, EndOfTurn, EventEffect, NextTurn, RandomEvent

# fmt: off
SEQUENCES: tuple[Sequence[State, Any], ...] = (
    Sequence(War,
        PlaceFree(), SovietPlaceFree(), NextTurn()),                    # SG-15
    Sequence(GameTurn,
        BeginTurn(), AirPhase(),                                        # SG-2.1
        RandomEvent(), EventEffect(),                                   # SG-2.2
        DrawChit(), PickReaction(), React(), MoreChits(),               # SG-2.3
        SupplyPhase(),                                                  # SG-2.4
        EndOfTurn()),                                                   # SG-2.6
    Sequence(Command,
        ReadChit(), PickPost(), NextActivation()),
    Sequence(Activation,
        Begin(), Finish()),
)
# fmt: on
