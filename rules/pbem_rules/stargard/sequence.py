"""SG-2 The sequence of play."""

from __future__ import annotations

from typing import Any

from pbem.game import Sequence
from pbem_rules.stargard.advance import FollowAsListed, FollowUp, Recover
from pbem_rules.stargard.arriving import (
    Arrivals,
    ComeIn,
    Crowding,
    FirstArrivals,
    GermanEvent,
    NewArms,
    SecondArrivals,
    SovietEvent,
    Transfer,
)
from pbem_rules.stargard.aside import LookAtChits, MixChits, Reporting, TakeOut
from pbem_rules.stargard.barrage import Aim, MoreAttempts, RollAttempts, Shell
from pbem_rules.stargard.battle import Fire, Settle, Widowed, Work
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
    TurnUp,
)
from pbem_rules.stargard.fights import CarryOut, ListAttacks
from pbem_rules.stargard.frames import (
    Activation,
    Arriving,
    Barrage,
    Battle,
    Command,
    GameTurn,
    Losses,
    Reform,
    Retreat,
    War,
)
from pbem_rules.stargard.losses import TakeLoss
from pbem_rules.stargard.movement import Movement
from pbem_rules.stargard.reform import NoPlace, PlacePost, TakeOff
from pbem_rules.stargard.replacements import Replacing
from pbem_rules.stargard.retreat import ChooseWay, March, Onward
from pbem_rules.stargard.setup import PlaceFree, SovietPlaceFree
from pbem_rules.stargard.state import State
from pbem_rules.stargard.supply import SupplyPhase
from pbem_rules.stargard.turns import AirPhase, BeginTurn, EndOfTurn, EventEffect, NextTurn, RandomEvent
from pbem_rules.stargard.volkssturm import Deploy

# fmt: off
SEQUENCES: tuple[Sequence[State, Any], ...] = (
    Sequence(War,
        PlaceFree(), SovietPlaceFree(), NextTurn()),                    # SG-15
    Sequence(GameTurn,
        BeginTurn(), AirPhase(),                                        # SG-2.1
        RandomEvent(), EventEffect(), GermanEvent(), SovietEvent(),     # SG-2.2
        Reporting(), MixChits(), LookAtChits(), TakeOut(),              # SG-12.6, SG-16.1
        DrawChit(), TurnUp(), PickReaction(), React(), MoreChits(),     # SG-2.3
        SupplyPhase(),                                                  # SG-2.4
        NewArms(), FirstArrivals(), SecondArrivals(), Deploy(),        # SG-2.5
        EndOfTurn()),                                                   # SG-2.6
    Sequence(Command,
        ReadChit(), PickPost(), NextActivation()),
    Sequence(Activation,
        Begin(), Movement(), ListAttacks(), CarryOut(), Finish()),      # SG-2.3.2, SG-2.3.3
    Sequence(Battle,
        Fire(), Work(), Widowed(), Settle(),                            # SG-8, SG-9
        FollowAsListed(), FollowUp(), Recover()),                       # SG-10
    Sequence(Barrage,
        RollAttempts(), Aim(), Shell(), MoreAttempts()),                # SG-8.5
    Sequence(Arriving,
        ComeIn(), Arrivals(), Crowding(), Transfer(), Replacing()),     # SG-7
    Sequence(Losses, TakeLoss()),                                       # SG-8.6
    Sequence(Retreat, ChooseWay(), March(), Onward()),                  # SG-9
    Sequence(Reform, TakeOff(), PlacePost(), NoPlace()),                # SG-12.2.2
)
# fmt: on
