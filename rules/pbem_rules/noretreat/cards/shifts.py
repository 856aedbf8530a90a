"""NR-13 Events that change the strengths and columns of a battle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.game import Violation
from pbem.kit import FIRST_AREA
from pbem_rules.noretreat.cards.base import At, Moment, Targets, event, unit_in
from pbem_rules.noretreat.cards.kinds import FROM_44, BattleEvent, options, units_of
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.odds import across_rivers, armour_shift, fight_of, result_now, table_of_fight
from pbem_rules.noretreat.orders import UNIT
from pbem_rules.noretreat.state import Effect, Fight, State

BATTLE, ROLLED = Moment.BATTLE, Moment.ROLLED
NEAR = 2  # hexes, NR-13.01A, NR-13.22S


def near(s: State, a: int, b: int) -> bool:
    """At most two hexes apart; areas count by what they touch."""
    board = s.chart.board
    grid = board.grid
    if max(a, b) < FIRST_AREA and grid is not None:
        return grid.distance(a, b) <= NEAR
    return board.touch(a, b) or bool(set(board.near[a]) & set(board.near[b]))


@event(3, SOVIET, BATTLE)
class BlackSeaFleet(BattleEvent):
    counters = True

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        coast, bit = s.chart.coast["black_sea"], s.chart.board.bit
        if any(coast & bit[place] for place in fight.target):
            return None
        return self.wrong("The battle is not on the coast of the Black Sea")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        self.shift(s, at, fight, 1 if fight.side == at.side else -1)


@event(8, AXIS, BATTLE)
class NewTanks(BattleEvent):
    counters = True

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        now = armour_shift(s, fight)
        if fight.side == SOVIET:
            return None if now is not None else self.wrong("The Soviets have no armour bonus here")
        if fight.counter:
            return self.wrong("This event helps an attack, not a counterattack")
        if now is None and armour_shift(s, replace(fight, armour=1)) is not None:
            return None
        return self.wrong("It gives no armour bonus here: the attack has it, or ground, weather or supply forbid it")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        fight.armour = 1 if fight.side == AXIS else -1


@event(22, SOVIET, BATTLE)
class Zhukov(BattleEvent):
    """In an attack of ours another target may be named that will use the Axis table too."""

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        if table_of_fight(s, fight) != at.side:
            return None if fight.side == AXIS else self.wrong("The attack already uses the Axis table")
        return None if fight.side == SOVIET else self.wrong("The attack already uses the Soviet table")

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        yield ()
        fight = fight_of(s)
        if fight.side == SOVIET:
            due = (*s.targets, *(place for place, side in s.blows.items() if side == SOVIET))
            for place in sorted(due):
                if near(s, place, fight.target[0]):
                    yield (place,)

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("The other attack must still be due, on a hex at most two hexes away")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        fight.table = SOVIET if fight.side == AXIS else AXIS
        for place in targets:
            s.put_effect(Effect("crt", SOVIET, place, until="phase"))


@event(23, SOVIET, BATTLE, whose="own", symbol=SOVIET)
class Sturmoviks(BattleEvent):
    attacker = SOVIET

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return units_of([unit for unit in fight_of(s).units if s.supplied(unit)])

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        return None if targets in self.choices(s, at) else self.wrong("Name an attacking unit that is in supply")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        fight.attack_bonus += 6 if s.turn >= FROM_44 else 4


@event(28, AXIS, BATTLE, whose="enemy")
class Confusion(BattleEvent):
    attacker = SOVIET

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        self.shift(s, at, fight, -1)


@event(28, SOVIET, BATTLE, whose="own", symbol=SOVIET)
class Katyushas(BattleEvent):
    attacker = SOVIET

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        self.shift(s, at, fight, 2 if s.turn >= FROM_44 else 1)


@event(30, SOVIET, ROLLED, whose="enemy")
class Yeremenko(BattleEvent):
    attacker = AXIS

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        self.shift(s, at, fight, -1)


@event(29, AXIS, ROLLED, whose="enemy")
class Model(BattleEvent):
    attacker = SOVIET

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return units_of([unit for unit in fight_of(s).defenders if s.unit(unit).german and s.supplied(unit)])

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        return None if targets in self.choices(s, at) else self.wrong("Name a German defender that is in supply")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        fight.doubled = (*fight.doubled, unit_in(targets[0]))


@event(46, SOVIET, BATTLE, whose="own")
class Rokossovsky(BattleEvent):
    attacker = SOVIET

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        units = [unit for unit in fight.units if s.supplied(unit)]
        tanks = any(s.has(unit, "armour") for unit in units)
        infantry = any(not s.has(unit, "armour") and not s.has(unit, "mech") for unit in units)
        return None if tanks and infantry else self.wrong("Armour and infantry must attack together, both in supply")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        self.shift(s, at, fight, 1)


@event(50, SOVIET, BATTLE, whose="own")
class Urra(BattleEvent):
    attacker = SOVIET

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        chart, (place,) = s.chart, fight.target
        if chart.reich & chart.board.bit[place]:  # there are only cities
            return None
        return self.wrong("The target is not a city in Greater Germany")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        self.shift(s, at, fight, 1)


@event(54, SOVIET, BATTLE, whose="own")
class HeavyTanks(BattleEvent):
    """The armour bonus is two columns instead of one."""

    attacker = SOVIET

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        return None if armour_shift(s, fight) is not None else self.wrong("The attack has no armour bonus")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        self.shift(s, at, fight, 1)


@event(27, AXIS, BATTLE, ROLLED)
class AssaultCrossing(BattleEvent):
    """Before the die `=1`: roll again if it has no effect; `=2`: do not. After the die: roll again."""

    counters = True

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        if at.moment == ROLLED:
            return None if result_now(s) == "-" else self.wrong("Only a die without effect is rolled again")
        if not fight.counter and not fight.forced and across_rivers(s, fight):
            return None
        return self.wrong("No river helps the defenders here")

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return options(2) if at.moment == BATTLE else iter([()])

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        if at.moment == ROLLED:
            fight.die, fight.dice = 0, 1
            return
        fight.no_river = True
        fight.reroll_none = targets in options(1)


@event(39, SOVIET, BATTLE, symbol=SOVIET)
class Bridgehead(BattleEvent):
    counters = True

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        fight.no_river = fight.none_is_exchange = True


@event(17, SOVIET, BATTLE, whose="own", symbol=SOVIET)
class Infiltration(BattleEvent):
    """The target can be attacked again, by others: then only the rest of the hex defends (`battle.begin`)."""

    attacker = SOVIET

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        return None if len(fight.defenders) > 1 else self.wrong("There is no stack to attack")

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        return units_of(fight_of(s).defenders)

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        unit = unit_in(targets[0])
        fight.defenders = (unit,)
        s.put_effect(Effect("alone", SOVIET, UNIT + unit, until="phase"))
        if not fight.forced:
            s.targets = (*s.targets, fight.target[0])


@event(47, SOVIET, BATTLE, whose="own")
class HeavyArtillery(BattleEvent):
    attacker = SOVIET

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        if any(s.has(unit, "fortified") for unit in fight.defenders) or any(place in s.works for place in fight.target):
            return None
        return self.wrong("Neither fortified units nor Volkssturm defend here, and no works help")

    def do(self, s: State, at: At, fight: Fight, targets: Targets) -> None:
        fight.unfortified = True
