"""S42-3: the game turn: both sides in order, printed forts that are given up, victory."""

from __future__ import annotations

from dataclasses import replace

from pbem.game import DONE, Auto, Call, End, Frame, Next, Out, Result
from pbem_rules.stalingrad42.chart import AXIS, FORTS, PRELUDE, SOVIET
from pbem_rules.stalingrad42.combat.air import refresh
from pbem_rules.stalingrad42.events import Finished, FortsGivenUp, SideBegan, TurnBegan
from pbem_rules.stalingrad42.frames import GameTurn, PlayerTurn, Prelude, Respite, War
from pbem_rules.stalingrad42.initial import place_arrivals
from pbem_rules.stalingrad42.state import State
from pbem_rules.stalingrad42.victory import falls_short, stalingrad_lost, total, winner

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

    def when(self, s: State, f: GameTurn) -> bool:
        """S42-S3.4a: Uranus begins in the middle of a turn."""
        return not opens(s)

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        if stalingrad_lost(s):
            points = total(s)
            out.add(Finished(side=SOVIET, points=points, rule="S42-S3.5a"))
            return End(Result(SOVIET, "stalingrad", ((AXIS, points),)))
        out.add(SideBegan(turn=s.turn, side=self.side, rule=self.rule))
        if has_prelude(s):  # S42-S2.4.2: no Initial Phase, but arrivals
            refresh(s)
            place_arrivals(s, AXIS, out)
        return Call(PlayerTurn(self.side, opening=has_prelude(s)))


class PreludeTurn(Auto[State, GameTurn]):
    """S42-S2.4.1: on the first turn in the Caucasus the Soviets move before the Axis."""

    name = "prelude"
    rule = "S42-S2.4.1"

    def when(self, s: State, f: GameTurn) -> bool:
        return has_prelude(s)

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        out.add(SideBegan(turn=s.turn, side=SOVIET, rule=self.rule))
        return Call(Prelude(SOVIET))


def has_prelude(s: State) -> bool:
    return PRELUDE in s.chart.track[s.turn].marks


class SovietTurn(AxisTurn):
    """S42-3.C."""

    name = "soviet_turn"
    rule = "S42-3.C"
    side = SOVIET

    def when(self, s: State, f: GameTurn) -> bool:
        return not soviets_first(s)

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        out.add(SideBegan(turn=s.turn, side=self.side, rule=self.rule))
        return Call(PlayerTurn(self.side, opening=opens(s)))


class SovietTurnFirst(SovietTurn):
    """S42-33.2.2, S42-S3.3: from the turn after their Winter Offensive has begun the Soviets play first."""

    name = "soviet_turn_first"
    rule = "S42-33.2.2"

    def when(self, s: State, f: GameTurn) -> bool:
        return soviets_first(s)


class ShortTurn(Auto[State, GameTurn]):
    """S42-33.2.3, S42-S3.4d: between the two Soviet turns that follow each other the Axis may do a little."""

    name = "short_turn"
    rule = "S42-33.2.3"

    def when(self, s: State, f: GameTurn) -> bool:
        return s.turn == s.offensive

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        s.respite = True
        for unit in list(s.ground.standing(AXIS)):  # S42-33.2.3b
            if s.pieces[unit].train:
                s.alter(unit, replace(s.pieces[unit], train=False))
        out.add(SideBegan(turn=s.turn, side=AXIS, rule=self.rule))
        return Call(Respite(AXIS))

    def back(self, s: State, f: GameTurn, done: Frame, out: Out) -> None:
        s.respite = False


def opens(s: State) -> bool:
    """S42-S3.4a: is it the turn in the middle of which the scenario begins?"""
    return s.turn == s.offensive == s.chart.track.turns[0].number


def soviets_first(s: State) -> bool:
    return bool(s.offensive) and s.offensive < s.turn


class Reckoning(Auto[State, GameTurn]):
    """S42-S4.4b: in the campaign the Soviets win in turn 28 if the Axis has fewer than 24 points after its own turn."""

    name = "reckoning"
    rule = "S42-S4.4b"

    def when(self, s: State, f: GameTurn) -> bool:
        return falls_short(s)

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        points = total(s)
        out.add(Finished(side=SOVIET, points=points, rule=self.rule))
        return End(Result(SOVIET, "points", ((AXIS, points),)))


class GiveUpForts(Auto[State, GameTurn]):
    """S42-9.7.7: a group of printed forts that no Soviet unit holds is given up for good; Rostov's with the city."""

    name = "give_up_forts"
    rule = "S42-9.7.7"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        regions, soviets = s.chart.map.regions, s.fighters(SOVIET)
        for key in FORTS:
            city = s.chart.board.place_named("Rostov") if key == ROSTOV else None
            held = regions[key].mask & soviets or (city is not None and s.holders[city] == SOVIET)
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
        s.begin_turn(s.turn + 1)
        return DONE
