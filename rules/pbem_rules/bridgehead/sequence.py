"""The sequence of play (BH-2)."""

from __future__ import annotations

from typing import Any

from pbem.game import Auto, Call, Next, Out, Sequence
from pbem_rules.bridgehead.attacks import Declare
from pbem_rules.bridgehead.battle import CounterBlow, FallBack, Fight, FollowUp, Gather, GiveWay, NextBattle
from pbem_rules.bridgehead.cards import (
    DawnShuffle,
    DealHands,
    DrawCards,
    FirstShuffle,
    PickCard,
    Refill,
    TakeCard,
)
from pbem_rules.bridgehead.chart import other
from pbem_rules.bridgehead.events import HalfBegan
from pbem_rules.bridgehead.frames import Battle, Half, Retreat, Steal, Turn, War, Window
from pbem_rules.bridgehead.hidden import ArriveReserve, Dawn, SecretEntry, ShowEntry
from pbem_rules.bridgehead.movement import March
from pbem_rules.bridgehead.retreat import GiveGround, Trapped
from pbem_rules.bridgehead.state import State
from pbem_rules.bridgehead.supply import CheckSupply
from pbem_rules.bridgehead.victory import Count, EndTurn, NextTurn
from pbem_rules.bridgehead.window import Answer, React, Settle


class FirstHalf(Auto[State, Turn]):
    rule = "BH-2.2"

    def side(self, s: State) -> str:
        return s.plan.first

    def run(self, s: State, f: Turn, out: Out) -> Next:
        side = self.side(s)
        s.barrages = ()  # BH-8.6
        out.add(HalfBegan(turn=s.turn, side=side, rule=self.rule))
        return Call(Half(side))


class SecondHalf(FirstHalf):
    name = "second_half"

    def side(self, s: State) -> str:
        return other(s.plan.first)


# fmt: off
SEQUENCES: tuple[Sequence[State, Any], ...] = (
    Sequence(War,                                                       # BH-2.1
        SecretEntry(), FirstShuffle(), DealHands(), NextTurn(), Count()),
    Sequence(Turn,                                                      # BH-2.2
        DawnShuffle(), Dawn(), FirstHalf(), SecondHalf(), EndTurn()),
    Sequence(Half,                                                      # BH-2.3
        Refill(), DrawCards(), ShowEntry(), ArriveReserve(), CheckSupply(), March(), Declare(), NextBattle()),
    Sequence(Steal,                                                     # BH-8.8
        PickCard(), TakeCard()),
    Sequence(Battle,                                                    # BH-7
        Gather(), FallBack(), Fight(), CounterBlow(), GiveWay(), FollowUp()),
    Sequence(Window,                                                    # BH-8.5
        React(), Answer(), Settle()),
    Sequence(Retreat,                                                   # BH-7.5
        Trapped(), GiveGround()),
)
# fmt: on
