"""NR-3 The sequence of play."""

from __future__ import annotations

from typing import Any

from pbem.game import Sequence
from pbem_rules.noretreat.actions import Answer, TakeEffect
from pbem_rules.noretreat.battle import EndBattle, Fighting, ListBattles, OpenRolled, PickDie, RollDie, Settle
from pbem_rules.noretreat.cards.book import SEQUENCES as CARD_SEQUENCES
from pbem_rules.noretreat.cards.moves import Disperse, EndOfRoom
from pbem_rules.noretreat.counterattack import CounterAttackStep, MarkBlow
from pbem_rules.noretreat.frames import (
    Action,
    Battle,
    Campaign,
    DrawCards,
    GameTurn,
    Losses,
    Manoeuvre,
    PlayerTurn,
    Pursuit,
    Retreat,
    Returning,
    Window,
)  # fmt: skip
from pbem_rules.noretreat.hands import (
    CardPhase,
    FirstShuffle,
    NewDeck,
    RedDiscard,
    Refill,
    Reveal,
    ShowAll,
    Shown,
    SurrenderDiscard,
    TakeCards,
)  # fmt: skip
from pbem_rules.noretreat.losses import MoreLosses, PlaceCadre, TakeLoss
from pbem_rules.noretreat.movement import ManoeuvreMove, March
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.pursuit import FollowAsListed, FollowUp, OpenPursuit
from pbem_rules.noretreat.rail import Unloading, UnloadReserve
from pbem_rules.noretreat.results import After, AfterWork, Resolve, Work
from pbem_rules.noretreat.retreat import GiveGround, Trapped
from pbem_rules.noretreat.returning import BringBack
from pbem_rules.noretreat.stacking import ThinEnd, ThinFought, ThinMoved, ThinPlaced, ThinUnloaded
from pbem_rules.noretreat.state import State
from pbem_rules.noretreat.supply import SupplyPhase
from pbem_rules.noretreat.targets import Counterblows, Declare, Due
from pbem_rules.noretreat.turns import (
    BeginCombat,
    BeginMovement,
    BerlinAtEnd,
    BerlinMoved,
    BerlinPlaced,
    BerlinTargeted,
    ClearMarkers,
    CrowdedOut,
    EndCombat,
    EndMovement,
    NextTurn,
    Remove,
    SideTurn,
    SovietTurn,
    ThrowAway,
    TurnEvents,
)  # fmt: skip
from pbem_rules.noretreat.victory import LastCount, VictoryPhase
from pbem_rules.noretreat.windows import (
    WINDOWS,
    OpenAfterBattle,
    OpenAfterCombat,
    OpenAftermath,
    OpenBattle,
    OpenDealt,
    OpenMoved,
    OpenOpening,
    OpenPrelude,
    OpenRemoval,
    OpenTargeted,
    OpenTurnEnd,
)  # fmt: skip

# fmt: off
SEQUENCES: tuple[Sequence[State, Any], ...] = (
    Sequence(Campaign,
        FirstShuffle(), NextTurn(), LastCount()),
    Sequence(GameTurn,
        TurnEvents(), RedDiscard(),                                     # B
        VictoryPhase(), SurrenderDiscard(), ShowAll(), NewDeck(),       # C
        SideTurn(), SovietTurn()),
    Sequence(PlayerTurn,
        OpenOpening(), ThrowAway(), CardPhase(),                        # D
        SupplyPhase(), OpenDealt(), OpenPrelude(),                      # E
        CrowdedOut(), Organise(), ThinPlaced(), BerlinPlaced(),         # F
        BeginMovement(), March(), EndMovement(), ThinMoved(), OpenMoved(), BerlinMoved(),  # G
        BeginCombat(), Declare(), Counterblows(), OpenTargeted(), BerlinTargeted(), Due(),  # H
        ListBattles(), Fighting(), OpenAfterCombat(), EndOfRoom(), Disperse(), EndCombat(), ThinEnd(),
        OpenRemoval(), ClearMarkers(), Remove(),                        # I
        UnloadReserve(), Unloading(), ThinUnloaded(), OpenTurnEnd(), BerlinAtEnd()),  # J
    Sequence(DrawCards,
        Refill(), TakeCards(), Reveal(), Shown()),
    Sequence(Action,
        Answer(), TakeEffect()),
    Sequence(Window, *WINDOWS),
    Sequence(Battle,
        OpenBattle(), RollDie(), PickDie(), OpenRolled(), Settle(),
        CounterAttackStep(), MarkBlow(), OpenAftermath(), Resolve(), Work(), OpenPursuit(),
        After(), AfterWork(), ThinFought(), OpenAfterBattle(), EndBattle()),
    Sequence(Losses,
        TakeLoss(), PlaceCadre(), MoreLosses()),
    Sequence(Retreat,
        Trapped(), GiveGround()),
    Sequence(Pursuit,
        FollowAsListed(), FollowUp()),
    Sequence(Returning,
        BringBack()),
    Sequence(Manoeuvre,
        ManoeuvreMove()),
    *CARD_SEQUENCES,
)
# fmt: on
