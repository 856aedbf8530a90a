"""S42-11: determined defence as it is carried out: stances, who leads, what helps, and what a roll brings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from pbem.game import DONE, Auto, Call, Draw, Goto, Known, Next, Out, Roll
from pbem.kit import Defence, hex_name
from pbem_rules.stalingrad42.chart import DIE, MAJOR_CITY, STAR, SUPPLY
from pbem_rules.stalingrad42.combat.battle import next_loss, ways_out
from pbem_rules.stalingrad42.combat.determined import (
    FAILURE,
    PARTIAL,
    SUCCESS,
    leads,
    modifiers,
    refuse_stand,
    result_of,
    stand,
)
from pbem_rules.stalingrad42.combat.flight import NEAR
from pbem_rules.stalingrad42.combat.guns import covered, posts, use_guns
from pbem_rules.stalingrad42.combat.losses import drop, lose_step
from pbem_rules.stalingrad42.combat.odds import fort_for
from pbem_rules.stalingrad42.combat.retreat import steadfast
from pbem_rules.stalingrad42.events import CityBattle, Stood
from pbem_rules.stalingrad42.frames import FLEXIBLE, GIVE, HOLD, Battle
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.state import State, other
from pbem_rules.stalingrad42.supply.lines import lines

EVEN, THIRD = Fraction(1, 2), Fraction(1, 3)  # DP-27


class Stance(Defence[State, Battle]):
    """Appendix A: hold as long as it is allowed, flexible by the chances, give ground; opened before the die."""

    rule = "S42-11.1"
    stances = (HOLD, FLEXIBLE, GIVE)
    default = "when key = 1 then hold; then flexible"
    fact_names = ("hex", "key")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return () if f.cell else (other(f.seat),)

    def may_change(self, s: State, seat: str) -> bool:
        return s.fighting != other(seat)

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        """`key`: a victory hex or a city."""
        return {"hex": f.target, "key": int(f.target in s.chart.prizes or s.chart.is_city(f.target))}


# What the engine reckons for a stance


def able_leads(s: State, f: Battle) -> tuple[int, ...]:
    """S42-11.1.2, S42-11.2.2, S42-11.2.3: who may lead against the result."""
    units = leads(s, [unit for unit in f.defenders if s.on_map(unit)])
    found = (u for u in units if refuse_stand(s, f.favoured, f.cell, f.target, u, desperate=f.desperate) is None)
    return tuple(found)


def more(s: State, f: Battle, lead: int, *, support: bool) -> int:
    return sum(shift.by for shift in modifiers(s, lead, f.target, support=support, star=STAR in f.cell))


def best_lead(s: State, f: Battle) -> int:
    """DP-28: the best quality, no last step, most steps, whom a loss costs least."""

    def rank(unit: int) -> tuple[int, bool, int, int, int]:
        steps = s.pieces[unit].steps
        return more(s, f, unit, support=False), steps > 1, steps, -drop(s, unit), -unit

    return max(able_leads(s, f), key=rank)


def chance(s: State, f: Battle, lead: int, *, support: bool = False) -> Fraction:
    """Of the faces of the die those that do not fail."""
    entries = (stand(s, lead, f.target, die, support=support, star=STAR in f.cell) for die in range(1, DIE + 1))
    return Fraction(sum(entry.outcome != FAILURE for entry in entries), DIE)


def helper(s: State, f: Battle, lead: int) -> int | None:
    """DP-29: a supply point before support that can be refitted by rail, before others; flexible: only such."""
    side, bit = other(f.seat), s.chart.board.bit
    rail = connected(s, side)
    near = [(unit, by) for unit, by in posts(s, side) if covered(s, by) & bit[f.target]]
    if f.stance != HOLD and not f.desperate:
        pays = chance(s, f, lead, support=True) > chance(s, f, lead)
        near = [(unit, by) for unit, by in near if pays and unit == by and bit[s.at(by)] & rail]
    ranked = sorted(near, key=lambda pair: (not s.has(pair[0], SUPPLY), not bit[s.at(pair[1])] & rail, pair))
    return ranked[0][0] if ranked else None


def wants(s: State, f: Battle) -> bool:
    """DP-27: does the defender stand?"""
    f_able = able_leads(s, f)
    if not f_able:
        return False
    if f.desperate or f.stance == HOLD:
        return True
    if f.stance == GIVE:
        return False
    if all(s.pieces[unit].steps == 1 for unit in f_able) and f.target not in s.chart.prizes:
        return False
    lead = best_lead(s, f)
    likely = chance(s, f, lead, support=helper(s, f, lead) is not None)
    side = other(f.seat)
    home = lines(s, side).reached
    supplied = any(home & s.chart.board.bit[way.end] for each in ways_out(s, f, f.retreat) for way in each.ways)
    firm = f.favoured or fort_for(s, f.target, side) or not supplied
    return likely >= EVEN or (likely >= THIRD and firm)


class Stand(Roll[State, Battle]):
    """S42-11.2: a roll of determined defence, if the stance wants it and the rules allow it."""

    name = "stand"
    rule = "S42-11.2"

    def when(self, s: State, f: Battle) -> bool:
        """S42-11.1.1, G7: against a retreat that allows it."""
        return bool(f.retreat) and not f.delayed and result_of(s, f.cell).stand and wants(s, f)

    def draws(self, s: State, f: Battle) -> Iterable[Draw]:
        yield Draw(f"t{s.turn}/{f.seat}/{hex_name(f.target)}/stand{f.rolls}", DIE)

    def run(self, s: State, f: Battle, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        """S42-11.5.2: in desperate defence a failure costs the lead a step instead; so does the first delay."""
        ((die,),) = got.values()
        lead = best_lead(s, f)
        if not f.rolls:
            f.support = helper(s, f, lead)
            if f.support is not None:
                use_guns(s, f.support, out)
        f.rolls += 1
        helped = f.support is not None
        entry = stand(s, lead, f.target, die, support=helped, star=STAR in f.cell)
        f.outcome, steps, attacker = entry.outcome, entry.defender, entry.attacker
        out.add(
            Stood(
                unit=s.code(lead),
                hex=f.target,
                die=die,
                more=more(s, f, lead, support=helped),
                outcome=f.outcome,
                desperate=f.desperate,
                rule=self.rule,
            )
        )
        if f.desperate and f.outcome == PARTIAL and not level_up(s, f):
            f.delays += 1
            f.outcome = SUCCESS if f.delays > 1 else FAILURE  # S42-11.6.1d
            steps, attacker = 1, 0
        if f.desperate and f.outcome == FAILURE:
            steps = 1
        f.star, f.losing = entry.defender_picks, (f.seat,) * attacker
        for _ in range(min(steps, s.pieces[lead].steps)):
            lose_step(s, lead, "S42-11.2.3", out)
        return DONE


def level_up(s: State, f: Battle) -> int:
    """S42-11.6.2: the level that a City Battle would reach by partial success; 0: no further, it is a delay."""
    if not s.chart.is_city(f.target):
        return 0
    most = 2 if s.chart.board[f.target].terrain == MAJOR_CITY else 1
    level = s.sieges[f.target][0] + 1 if f.target in s.sieges else 1
    return level if level <= most else 0


class Outcome(Auto[State, Battle]):
    """S42-11.4 to S42-11.6: what the roll has brought, the attacker's losses first."""

    name = "outcome"
    rule = "S42-11.4"
    goes_back = (Stand,)

    def when(self, s: State, f: Battle) -> bool:
        return bool(f.outcome)

    def run(self, s: State, f: Battle, out: Out) -> Next:
        called = next_loss(s, f)
        if called is not None:
            return Call(called, again=True)
        outcome, f.outcome = f.outcome, ""
        if outcome == FAILURE:
            return Goto(Stand) if f.desperate and able_leads(s, f) else DONE
        if outcome == SUCCESS:
            f.retreat, f.held = 0, True
            return DONE
        level = level_up(s, f)
        if level:
            attackers = s.sieges[f.target][1:] if f.target in s.sieges else f.units
            f.retreat, f.held = 0, True
            if s.chart.board.bit[f.target] & s.fighters(other(f.seat)):
                s.sieges[f.target] = (level, *attackers)
                out.add(CityBattle(hex=f.target, level=level, rule="S42-11.6.2"))
            return DONE
        f.retreat, f.delayed = self._delay(s, f), True
        return DONE

    @staticmethod
    def _delay(s: State, f: Battle) -> int:
        """S42-11.6.1, DP-31: one hex if that ends in supply, and in no zone but with friends; else two."""
        side = other(f.seat)
        hot = s.zone(f.seat) & ~steadfast(s, side, frozenset(s.fled) | frozenset(f.defenders))
        good, bit = lines(s, side).reached & ~hot, s.chart.board.bit
        found = list(ways_out(s, f, 1))
        return 1 if found and all(any(good & bit[way.end] for way in each.ways) for each in found) else NEAR


__all__ = ["Outcome", "Stance", "Stand", "able_leads", "best_lead", "chance", "helper", "wants"]
