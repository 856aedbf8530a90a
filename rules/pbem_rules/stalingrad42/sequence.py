"""S42-3: the sequence of play."""

from __future__ import annotations

from typing import Any

from pbem.game import Sequence
from pbem_rules.stalingrad42.campaign.armies import Armies, ChooseDefenders, Fallen, Pairing, Unmask
from pbem_rules.stalingrad42.combat.battle import BackOff, ChooseCover, ChooseDie, Fire, NameSpare, Score, Suffer
from pbem_rules.stalingrad42.combat.defence import (
    ChooseDelay,
    ChooseHelp,
    ChooseLead,
    GoIn,
    Outcome,
    Stance,
    Stand,
    Weigh,
)
from pbem_rules.stalingrad42.combat.disengaging import Attempt, ChooseHexes, GetAway, Go, RerollAttempt
from pbem_rules.stalingrad42.combat.fights import (
    CarryOut,
    CarryOutDisengagements,
    ListAttacks,
    ListDisengagements,
    Pursue,
)
from pbem_rules.stalingrad42.combat.flight import ChooseWay, DriveOff, Onward
from pbem_rules.stalingrad42.combat.leaders import RerollAttack, RerollStand
from pbem_rules.stalingrad42.combat.losses import Remains, TakeLoss
from pbem_rules.stalingrad42.combat.pursuit import BreakThrough, FollowAsListed, FollowUp
from pbem_rules.stalingrad42.combat.recovery import Recovery
from pbem_rules.stalingrad42.combat.reserves import AdvanceReserve
from pbem_rules.stalingrad42.frames import (
    Battle,
    GameTurn,
    Leaving,
    Losses,
    PlayerTurn,
    Prelude,
    Pursuing,
    Respite,
    Retreat,
    War,
)
from pbem_rules.stalingrad42.initial import Begin, Initial
from pbem_rules.stalingrad42.movement.phase import FirstMoves, LeaveBaku, LeaveSnow, Movement, ShortMovement
from pbem_rules.stalingrad42.replacements import Unmark
from pbem_rules.stalingrad42.state import State
from pbem_rules.stalingrad42.supply.phase import Attrition, Judge, Railheads, Resupply, Wither
from pbem_rules.stalingrad42.turns import (
    AxisTurn,
    GiveUpForts,
    NextTurn,
    PreludeTurn,
    Reckoning,
    ShortTurn,
    SovietTurn,
    SovietTurnFirst,
    Victory,
)
from pbem_rules.stalingrad42.weather import Weather

# fmt: off
SEQUENCES: tuple[Sequence[State, Any], ...] = (
    Sequence(War,
        NextTurn()),
    Sequence(GameTurn,
        Weather(), SovietTurnFirst(), PreludeTurn(),        # S42-3.A, S42-33.2.2, S42-S2.4.1
        AxisTurn(), Reckoning(),                            # S42-3.B, S42-S4.4b
        SovietTurn(), ShortTurn(),                          # S42-3.C, S42-33.2.3
        GiveUpForts(), Victory()),                          # S42-3.D
    Sequence(PlayerTurn,
        LeaveSnow(), Begin(), Initial(),                    # S42-23.4e, S42-3.B1
        Pairing(), Armies(),                                # S42-34
        DriveOff(), Movement(), LeaveBaku(),                # S42-3.B2
        ListAttacks(), Unmask(), ChooseDefenders(),         # S42-3.B3, S42-34.6
        CarryOut(), Pursue(), Fallen(),
        Recovery(), Unmark(),                               # S42-3.B4
        Railheads(), Judge(), Attrition(), Wither(),        # S42-3.B5
        Resupply()),
    Sequence(Prelude,
        DriveOff(), FirstMoves()),                          # S42-S2.4.1
    Sequence(Respite,
        DriveOff(), ShortMovement(),                        # S42-33.2.3
        ListDisengagements(), CarryOutDisengagements(),
        Pursue(), Fallen(), Recovery(), Unmark()),
    Sequence(Battle,
        NameSpare(), Stance(), ChooseCover(), Fire(),       # S42-8.3
        RerollAttack(), ChooseDie(), Score(),               # S42-28, S42-26.2
        Suffer(),                                           # S42-10
        ChooseLead(), ChooseHelp(), Stand(), RerollStand(), # S42-11, S42-28
        Weigh(), Outcome(),
        GoIn(),                                             # S42-29.1.1
        ChooseDelay(), BackOff(),                           # S42-11.6.1, S42-12
        BreakThrough(), FollowAsListed(), FollowUp()),      # S42-14, S42-15
    Sequence(Pursuing,
        AdvanceReserve()),                                  # S42-25
    Sequence(Leaving,
        Attempt(), RerollAttempt(), GetAway(),              # S42-27, S42-28
        ChooseHexes(), Go()),
    Sequence(Losses,
        TakeLoss(), Remains()),                             # S42-10.2, S42-10.4
    Sequence(Retreat,
        ChooseWay(), Onward()),                             # S42-12
)
# fmt: on
