"""NR-13 Events with one half for a battle and another for another moment."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.game import Frame, Out, Violation
from pbem_rules.noretreat.cards.base import At, Moment, Targets, event, unit_in
from pbem_rules.noretreat.cards.combat import blow_sets, mark_blows
from pbem_rules.noretreat.cards.kinds import BattleEvent, units_of
from pbem_rules.noretreat.cards.results import won
from pbem_rules.noretreat.cards.shifts import near
from pbem_rules.noretreat.chart import AXIS
from pbem_rules.noretreat.state import Effect, Fight, State

BATTLE, AFTERMATH = Moment.BATTLE, Moment.AFTERMATH


@event(1, AXIS, BATTLE, Moment.BLOWS)
class Manstein(BattleEvent):
    counters = True

    def unfit(self, s: State, at: At) -> Violation | None:
        if at.moment == Moment.BLOWS:
            return None if s.active != at.side else self.wrong("Counterblows are named in the enemy's turn")
        if s.active != at.side:
            return self.wrong("A unit counts double in your own Combat phase only")
        return super().unfit(s, at)

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        if at.moment == Moment.BLOWS:
            return (hexes for hexes in blow_sets(s) if near(s, hexes[0], hexes[-1]))
        fight = s.fight
        if fight is None:
            return iter(())
        units = fight.units if fight.side == at.side else fight.defenders
        return units_of([unit for unit in units if s.unit(unit).german and s.supplied(unit)])

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if tuple(sorted(targets)) in self.choices(s, at):
            return None
        if at.moment == Moment.BLOWS:
            return self.wrong("Name one or two of your hexes that may be marked, at most two hexes apart")
        return self.wrong("Name a German unit of the battle that is in supply")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        if at.moment == Moment.BLOWS:
            mark_blows(s, targets, self.rule, out)
        elif s.fight is not None:
            s.fight.doubled = (*s.fight.doubled, unit_in(targets[0]))
        return None


@event(6, AXIS, BATTLE, Moment.REMOVAL, whose="own", symbol=AXIS)
class AirSupport(BattleEvent):
    attacker = AXIS

    def unfit(self, s: State, at: At) -> Violation | None:
        return None if at.moment == Moment.REMOVAL else super().unfit(s, at)

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        if at.moment == BATTLE:
            return iter([()])
        hexes = {s.at(unit) for unit in s.chart.own[at.side] if not s.supplied(unit)}
        return ((place,) for place in sorted(hexes))

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("Name a hex with Axis units out of supply" if at.moment != BATTLE else "It needs no target")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        if at.moment == Moment.REMOVAL:
            s.put_effect(Effect("spared", at.side, targets[0], until="turn"))
        elif s.fight is not None:
            self.shift(s, at, s.fight, 1)
        return None


@event(17, AXIS, Moment.MOVE, AFTERMATH, symbol=AXIS)
class GeneralStaff(BattleEvent):
    counters = True
    attacker = AXIS

    def unfit(self, s: State, at: At) -> Violation | None:
        if at.moment == Moment.MOVE:
            return None if s.active == at.side else self.wrong("Your units march in your own Movement phase")
        return super().unfit(s, at)

    def unfit_battle(self, s: State, at: At, fight: Fight) -> Violation | None:
        if not won(fight, at.side):
            return self.wrong("None of your units will pursue")
        # NR-13.17A: in Mud and Long Winter only the vacated hex can be entered, in Snow two hexes at most (NR-9.51).
        return None if s.weather == "clear" else self.wrong(f"The weather limits the pursuit: {s.weather}")

    def choices(self, s: State, at: At) -> Iterator[Targets]:
        if at.moment == AFTERMATH:
            return iter([()])
        own = {s.at(u) for u in s.chart.own[at.side] if s.on_map(u) and s.supplied(u) and s.face(u).move}
        return ((place,) for place in sorted(own))

    def check(self, s: State, at: At, targets: Targets) -> Violation | None:
        if targets in self.choices(s, at):
            return None
        return self.wrong("Name a place with units of yours in supply" if at.moment == Moment.MOVE else "No target")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        if at.moment == AFTERMATH:
            assert s.fight is not None
            s.fight.further += 1
            return None
        for unit in s.of(at.side, targets[0]):
            if s.supplied(unit):
                s.put_effect(Effect("points", at.side, unit, 2, "turn"))
        return None
