"""AA-6.13..6.28: the rounds of a battle, step by step; AA-6.41: its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.game import DONE, Auto, Draw, Goto, Next, Out, Roll
from pbem_rules.axis1941.battle_board import (
    FIRE,
    FIRE_BACK,
    PHASES,
    STRIKE,
    STRIKE_BACK,
    at_sea,
    attack_turn,
    clear_line,
    counted,
    destroy,
    kinds,
    refuges,
    unpaid,
)
from pbem_rules.axis1941.battle_losses import Pay
from pbem_rules.axis1941.battle_subs import to_decide
from pbem_rules.axis1941.capture import capture
from pbem_rules.axis1941.events import BattleBegan, BattleEnded, Destroyed, Volley
from pbem_rules.axis1941.frames import Battle
from pbem_rules.axis1941.hits import (
    ALONE,
    BOTH_GONE,
    DEFENCELESS,
    KIND_OF,
    LOST,
    WON,
    Shot,
    hits_of,
    verdict,
    volley,
)
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import DAMAGED, LAND, NONE


def judge(s: State, f: Battle) -> str:
    """How the battle is decided as the board stands (AA-6.37..6.44); empty: it is not."""
    return verdict(counted(s, f, f.attackers), counted(s, f, f.defenders), s.chart.guns)


class Place(Auto[State, Battle]):
    """Step 1, once: the board; what needs no dice is settled (AA-6.39)."""

    name = "place_units"
    rule = "AA-6.13"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        if out.wanted:
            out.add(
                BattleBegan(
                    place=f.place,
                    power=f.power,
                    attackers=kinds(s, f.attackers),
                    powers=tuple(str(s.units[each].power) for each in f.defenders),
                    defenders=tuple(str(s.units[each].kind) for each in f.defenders),
                    rule="AA-6.14",
                )
            )
        f.result = judge(s, f)
        return Goto(AloneOrNot) if f.result else DONE


class NewRound(Auto[State, Battle]):
    """Step 2 comes first where submarines may strike (AA-6.17, AA-6.19)."""

    rule = "AA-6.13"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        f.round += 1
        f.struck = ()
        f.phase = FIRE
        if at_sea(f):
            attackers, defenders = to_decide(s, f)
            f.undecided = attackers or defenders
            if f.undecided:
                f.phase = STRIKE
        return DONE


def shots(s: State, f: Battle) -> tuple[Shot, ...]:
    """Who fires in this phase (AA-6.21, AA-6.24, AA-6.25): those that struck in step 2 do not fire again (AA-6.19,
    AA-6.26). Nobody fires at an empty board, as it is when all enemies have submerged (AA-6.20).

    Kept in the frame: dice are asked for before they are counted, and nothing happens in between.
    """
    key = (f.round, f.phase, f.attackers, f.defenders, f.struck)
    if f.volley is not None:
        kept: tuple[Shot, ...]
        kept_for, kept = f.volley
        if kept_for == key:
            return kept
    attack = attack_turn(f)
    if not (f.defenders if attack else f.attackers):
        firing: tuple[int, ...] = ()
    elif f.phase in (STRIKE, STRIKE_BACK):
        firing = tuple([each for each in f.struck if (s.units[each].power is f.power) is attack])
    else:
        firing = f.attackers if attack else f.defenders
        if f.struck:
            firing = tuple([each for each in firing if each not in f.struck])
    table = s.chart.guns
    found = volley(counted(s, f, firing), table.attack if attack else table.defence)
    f.volley = key, found
    return found


class Fire(Roll[State, Battle]):
    """Steps 2, 3 and 4: all dice of one side at once, by class of hit and by value (AA-6.21, AA-6.25, AA-6.28)."""

    rule = "AA-6.24"

    def draws(self, s: State, f: Battle) -> Iterable[Draw]:
        dice = sum([shot.dice for shot in shots(s, f)])
        if not dice:
            return ()
        place = s.chart.words[f.place].lower()
        return (Draw(f"r{s.round}/{f.power}/{place}/{f.round}/{PHASES[f.phase]}", 6, dice),)

    def rolled(self, s: State, f: Battle) -> str:
        return f"The battle in {s.where(f.place)} is fought, round {f.round}."

    def run(self, s: State, f: Battle, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        if not got:
            return MISSED
        (dice,) = got.values()
        fired = shots(s, f)
        f.hits_sub, f.hits_air, f.hits_other = hits_of(fired, dice)
        strike = f.phase in (STRIKE, STRIKE_BACK)
        if out.wanted:
            out.add(
                Volley(
                    place=f.place,
                    power=f.power,
                    round=f.round,
                    attack=attack_turn(f),
                    strike=strike,
                    units=tuple(str(KIND_OF[shot.place]) for shot in fired),
                    values=tuple(shot.value for shot in fired),
                    counts=tuple(shot.dice for shot in fired),
                    dice=dice,
                    hits=unpaid(f),
                    rule="AA-6.21" if strike else "AA-6.24" if attack_turn(f) else "AA-6.25",
                )
            )
        return DONE


class NextPhase(Auto[State, Battle]):
    """Who fires next. Between steps 2 and 3 its losses are removed and the board is looked at (AA-6.22, AA-6.39)."""

    rule = "AA-6.13"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        if unpaid(f):
            return PAY
        if f.phase == FIRE_BACK:
            return DONE
        f.phase += 1
        if f.phase == FIRE:
            clear_line(s, f, out)
            result = judge(s, f)
            if result in (DEFENCELESS, WON, LOST, BOTH_GONE):
                f.result = result
                return CONCLUDE
        return FIRES


class Assess(Auto[State, Battle]):
    """Step 5, and condition A of step 6."""

    rule = "AA-6.41"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        clear_line(s, f, out)
        f.result = judge(s, f)
        return DONE


class AloneOrNot(Auto[State, Battle]):
    """AA-6.40: transports that are left alone against units that fire are lost if they cannot retreat."""

    rule = "AA-6.40"

    def when(self, s: State, f: Battle) -> bool:
        return f.result == ALONE and not refuges(s, f)

    def run(self, s: State, f: Battle, out: Out) -> Next:
        for each in f.attackers:
            out.add(Destroyed(power=f.power, unit=s.units[each].kind, place=f.place, rule=self.rule))
            destroy(s, each, out)
        f.attackers = ()
        return DONE


class AnotherRound(Auto[State, Battle]):
    rule = "AA-6.13"

    def when(self, s: State, f: Battle) -> bool:
        return not f.result

    def run(self, s: State, f: Battle, out: Out) -> Next:
        return AGAIN


class Conclude(Auto[State, Battle]):
    """Step 7: defenceless transports go down, battleships are repaired, a territory is taken or not."""

    rule = "AA-6.41"

    def run(self, s: State, f: Battle, out: Out) -> Next:
        if f.result == DEFENCELESS:
            for each in f.defenders:
                unit = s.units[each]
                out.add(Destroyed(power=unit.power, unit=unit.kind, place=f.place, rule="AA-6.37"))
                destroy(s, each, out)
            f.defenders = ()
        if out.wanted:
            out.add(
                BattleEnded(
                    place=f.place,
                    power=f.power,
                    rounds=f.round,
                    result=f.result,
                    attackers=kinds(s, f.attackers),
                    defenders=kinds(s, f.defenders),
                    rule=self.rule,
                )
            )
        if at_sea(f):
            for each in (*f.attackers, *f.defenders, *s.here(f.place, power=f.power)):
                s.change(each, did=s.units[each].did & ~DAMAGED)  # AA-6.34
            if f.defenders:
                _no_landing(s, f)  # AA-6.5, AA-7.8
        elif not f.defenders and any(s.units[each].kind in LAND for each in f.attackers):
            capture(s, f.place, f.power, out)  # AA-6.53
        return DONE


def _no_landing(s: State, f: Battle) -> None:
    """AA-6.5, AA-7.8: the sea battle was not won, so nobody lands from this zone, from allied ships either."""
    for each in s.at(f.place):
        s.change(each, target=NONE)


# Where a battle goes on, but for the next step.
AGAIN, FIRES, PAY, MISSED, CONCLUDE = Goto(NewRound), Goto(Fire), Goto(Pay), Goto(NextPhase), Goto(Conclude)
