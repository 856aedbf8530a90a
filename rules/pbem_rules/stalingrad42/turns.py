"""S42-3: the game turn: both sides in order, printed forts that are given up, victory."""

from __future__ import annotations

from pbem.game import DONE, Auto, Call, End, Next, Out, Result
from pbem_rules.stalingrad42.chart import AXIS, FORTS, SOVIET
from pbem_rules.stalingrad42.events import Finished, FortsGivenUp, SideBegan, TurnBegan
from pbem_rules.stalingrad42.frames import GameTurn, PlayerTurn, War
from pbem_rules.stalingrad42.state import State
from pbem_rules.stalingrad42.victory import total, winner

ROSTOV = "forts_rostov"


class NextTurn(Auto[State, War]):
    """S42-S1.1a: turn after turn; the Victory Phase of the last one ends the game at the latest."""

    name = "next_turn"
    rule = "S42-3"

    def run(self, s: State, f: War, out: Out) -> Next:
        out.add(TurnBegan(turn=s.turn, date=s.chart.track[s.turn].name, points=total(s), rule=self.rule))
        return Call(GameTurn(), again=True)


class AxisTurn(Auto[State, GameTurn]):
    """S42-3.B."""

    name = "axis_turn"
    rule = "S42-3.B"
    side = AXIS

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        out.add(SideBegan(turn=s.turn, side=self.side, rule=self.rule))
        return Call(PlayerTurn(self.side))


class SovietTurn(AxisTurn):
    """S42-3.C."""

    name = "soviet_turn"
    rule = "S42-3.C"
    side = SOVIET


class GiveUpForts(Auto[State, GameTurn]):
    """S42-9.7.7: a group of printed forts that no Soviet unit holds is given up for good; Rostov's with the city."""

    name = "give_up_forts"
    rule = "S42-9.7.7"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        regions, soviets = s.chart.map.regions, s.fighters(SOVIET)
        city = s.chart.board.place_named("Rostov")
        assert city is not None
        for key in FORTS:
            held = regions[key].mask & soviets or (key == ROSTOV and s.holders[city] == SOVIET)
            if not held and key not in s.forts_off:
                s.forts_off = (*s.forts_off, key)
                out.add(FortsGivenUp(group=regions[key].name, rule=self.rule))
        return DONE


class Victory(Auto[State, GameTurn]):
    """S42-3.D, S42-24, S42-S1.3: has one side won? Else the next turn follows."""

    name = "victory"
    rule = "S42-24"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        side = winner(s)
        if side:
            last = s.turn == s.chart.track.last.number
            points = total(s, final=last)
            out.add(Finished(side=side, points=points, rule=self.rule))
            return End(Result(side, "points", ((AXIS, points),)))
        s.turn += 1
        return DONE


__all__ = ["AxisTurn", "GiveUpForts", "NextTurn", "SovietTurn", "Victory"]
