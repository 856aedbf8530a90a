"""BH-10 Victory."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.game import DONE, Auto, Call, End, Next, Out, Result
from pbem.kit import held_by, take
from pbem_rules.bridgehead.chart import BLUE, RED, SEATS, other
from pbem_rules.bridgehead.events import Finished, TownTaken, TurnBegan
from pbem_rules.bridgehead.frames import Turn, War
from pbem_rules.bridgehead.state import State


def enter(s: State, side: str, places: Iterable[int], out: Out) -> None:
    """BH-10.1: a unit of the side has come into hexes, be it only to pass through."""
    for town in take(s.holders, side, places):
        out.add(TownTaken(side=side, town=s.chart.board[town].name, rule="BH-10.1"))


def removed(s: State, side: str) -> int:
    return sum(1 for unit in s.chart.own[side] if (piece := s.pieces.get(unit)) is not None and not piece.steps)


def points(s: State) -> dict[str, int]:
    """BH-10.2, BH-11.1."""
    held = sum(s.plan.values[town] for town in held_by(s.holders, BLUE, s.plan.values))
    return {BLUE: held + removed(s, RED), RED: s.plan.par + s.handicap + removed(s, BLUE)}


def alive(s: State, side: str) -> bool:
    return any((piece := s.pieces.get(unit)) is not None and piece.steps for unit in s.chart.own[side])


def sudden(s: State) -> tuple[str, str] | None:
    """BH-10.3: the winner and how, if the game is decided at the end of a turn."""
    for side in SEATS:
        if not alive(s, other(side)):
            return side, "annihilation"
    if len(held_by(s.holders, BLUE, s.plan.values)) == len(s.plan.values):
        return BLUE, "all towns"
    return None


def finish(s: State, winner: str | None, how: str, rule: str, out: Out) -> Next:
    score = points(s)
    out.add(Finished(winner=winner or "", blue=score[BLUE], red=score[RED], how=how, rule=rule))
    return End(Result(winner, how, tuple(score.items())))


class NextTurn(Auto[State, War]):
    rule = "BH-2.2"

    def run(self, s: State, f: War, out: Out) -> Next:
        if s.turn == s.plan.turns:
            return DONE
        s.turn += 1
        out.add(TurnBegan(turn=s.turn, of=s.plan.turns, rule=self.rule))
        return Call(Turn(), again=True)


class EndTurn(Auto[State, Turn]):
    rule = "BH-10.3"

    def run(self, s: State, f: Turn, out: Out) -> Next:
        decided = sudden(s)
        if decided is not None:
            return finish(s, *decided, self.rule, out)
        return DONE


class Count(Auto[State, War]):
    rule = "BH-10.2"

    def run(self, s: State, f: War, out: Out) -> Next:
        score = points(s)
        winner = None if score[BLUE] == score[RED] else max(SEATS, key=lambda side: score[side])
        return finish(s, winner, "points", self.rule, out)


def forfeit(s: State, seats: tuple[str, ...]) -> Result:
    """BH-11.2."""
    left = [side for side in SEATS if side not in seats]
    return Result(left[0] if len(left) == 1 else None, "forfeit", tuple(points(s).items()))
