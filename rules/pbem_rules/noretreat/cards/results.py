"""NR-13 Events that decide a battle, roll its die again, or change what comes of it."""

from __future__ import annotations

from pbem.game import Violation
from pbem_rules.noretreat.battle import present
from pbem_rules.noretreat.cards.base import At, Moment, Targets, event
from pbem_rules.noretreat.cards.kinds import BattleEvent, Reroll, decide
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.odds import reckon, result_now
from pbem_rules.noretreat.results import GROUND_WON
from pbem_rules.noretreat.state import Effect, Fight, State

BATTLE, ROLLED, AFTERMATH = Moment.BATTLE, Moment.ROLLED, Moment.AFTERMATH


class Forced(BattleEvent):
    """Becomes a result without a die."""

    result = ""
    must = False

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        decide(fight, self.result)
        fight.must_counter = self.must


@event(4, AXIS, BATTLE, whose="enemy")
class ElasticDefence(Forced):
    attacker = SOVIET
    result = "DR"


@event(32, AXIS, BATTLE, whose="enemy")
class CounterOffensive(Forced):
    attacker = SOVIET
    result, must = "CA", True


@event(42, SOVIET, BATTLE, whose="enemy")
class Timoshenko(Forced):
    attacker = AXIS
    result, must = "CA", True


@event(34, SOVIET, BATTLE, whose="enemy", symbol=AXIS)
class Tenacity(Forced):
    attacker = AXIS
    result = "EX"

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        return None if s.is_city(fight.target[0]) else self.wrong("The battle is not for a city")


class AtLeast(BattleEvent):
    """DR without a die, from a column on. Shifts count (NR-13.27S, NR-13.37A)."""

    ratio = (1, 1)
    in_supply = False

    def _least(self, s: State) -> int:
        return s.chart.odds.columns.index(self.ratio)

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        if self.in_supply and not all(s.supplied(unit) for unit in fight.units):
            return self.wrong("All attackers must be in supply")
        if reckon(s, fight).column < self._least(s):
            return self.wrong(f"The column must be {s.chart.odds.name(self._least(s))} or better")
        return None

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        decide(fight, at_least=self._least(s))


@event(27, SOVIET, BATTLE, whose="own", symbol=SOVIET)
class Konev(AtLeast):
    attacker = SOVIET
    ratio, in_supply = (2, 1), True


@event(37, AXIS, BATTLE, whose="own", symbol=AXIS)
class Guderian(AtLeast):
    attacker = AXIS
    ratio = (3, 2)


class Duel(BattleEvent):
    """Both roll in place of the battle (`battle.RollDie`)."""

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        decide(fight, duel=self.rule)


@event(16, SOVIET, BATTLE, whose="enemy", symbol=AXIS)
class Nkvd(Duel):
    attacker = AXIS


@event(38, AXIS, BATTLE, whose="enemy")
class Hedgehogs(Duel):
    attacker = SOVIET


@event(5, AXIS, BATTLE)
class VeteranCommanders(BattleEvent):
    counters = True

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        return None if result_now(s) == "?" else self.wrong("No die will be rolled in this battle")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        fight.dice, fight.chooser = 2, at.side


@event(11, SOVIET, BATTLE, symbol=AXIS)
class NoMercy(BattleEvent):
    counters = True

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        fight.steps_after += 1


@event(16, AXIS, ROLLED)
class KnightsCross(Reroll):
    pass


@event(43, SOVIET, ROLLED)
class Heroes(Reroll):
    pass


@event(44, AXIS, ROLLED, symbol=AXIS)
class Kleist(Reroll):
    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        return None if result_now(s) == "-" else self.wrong("Only a die without effect is rolled again")


@event(52, AXIS, ROLLED, whose="enemy")
class Heinrici(Forced):
    attacker = SOVIET
    result, must = "CA", True


# After the die


def won(fight: Fight, side: str) -> bool:
    """Has the side driven the enemy from the ground?"""
    return fight.side == side and fight.result in GROUND_WON


@event(19, AXIS, AFTERMATH, symbol=SOVIET)
class Breakout(BattleEvent):
    counters = True
    attacker = SOVIET

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        return None if won(fight, SOVIET) else self.wrong("None of your units has to retreat")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        fight.free_retreat = True


@event(35, SOVIET, AFTERMATH, symbol=AXIS)
class Rasputitsa(BattleEvent):
    counters = True
    attacker = AXIS

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        return None if won(fight, AXIS) else self.wrong("The Axis will not pursue")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        s.put_effect(Effect("no_multi_pursuit", AXIS, until="phase"))


@event(51, SOVIET, Moment.FOUGHT)
class LastEffort(BattleEvent):
    counters = True

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        if fight.result != "EX":
            return self.wrong("The result was no EX")
        if not present(s, fight.units) or not present(s, fight.defenders):
            return self.wrong("One side has no units left in the battle")
        return None

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        fight.again = at.side
