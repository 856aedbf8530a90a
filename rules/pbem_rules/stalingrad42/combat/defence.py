"""S42-11: determined defence as it is carried out: stances, who leads, what helps, and what a roll brings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from pbem.game import DONE, Ask, Auto, Call, Draw, Goto, Known, Next, Out, Roll, Violation
from pbem.kit import Defence, InFight, all_of, named_ways
from pbem_rules.stalingrad42.chart import AXIS, DIE, MAJOR_CITY, STAR, SUPPLY
from pbem_rules.stalingrad42.combat.advance import may_advance
from pbem_rules.stalingrad42.combat.air import fit
from pbem_rules.stalingrad42.combat.battle import die_of, fly_for_defence, helping, next_loss, ways_out
from pbem_rules.stalingrad42.combat.determined import FAILURE, PARTIAL, SUCCESS, leads, modifiers, refuse_stand, stand
from pbem_rules.stalingrad42.combat.flight import NEAR
from pbem_rules.stalingrad42.combat.guns import covered, of_nation, posts, use_guns
from pbem_rules.stalingrad42.combat.losses import drop
from pbem_rules.stalingrad42.combat.odds import fort_for
from pbem_rules.stalingrad42.events import CityBattle, CityEntered, CityLeft, Stood
from pbem_rules.stalingrad42.frames import FLEXIBLE, GIVE, HOLD, Battle
from pbem_rules.stalingrad42.movement.passing import come_through
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.orders import Enter, FallBack, Help, Lead, place_name
from pbem_rules.stalingrad42.state import SHARING, State, other
from pbem_rules.stalingrad42.supply.lines import lines

EVEN, THIRD = Fraction(1, 2), Fraction(1, 3)  # chances at which a flexible defender stands


class Stance(Defence[State, Battle]):
    """S42-11.1.1a: hold as long as it is allowed, flexible by the chances, give ground; opened before the die."""

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
    units = leads(s, [unit for unit in helping(f) if s.on_map(unit)])
    found = (u for u in units if refuse_stand(s, f.favoured, f.cell, f.target, u, desperate=f.desperate) is None)
    return tuple(found)


def more(s: State, f: Battle, lead: int, *, support: bool = False) -> int:
    return sum(shift.by for shift in modifiers(s, lead, f.target, support=support, star=STAR in f.cell))


def best_lead(s: State, f: Battle) -> int:
    """S42-11.2.1a: by standing order the best quality, most steps, whom a loss costs least."""

    def rank(unit: int) -> tuple[int, int, int, int]:
        return more(s, f, unit), s.pieces[unit].steps, -drop(s, unit), -unit

    return max(able_leads(s, f), key=rank)


def chance(s: State, f: Battle, lead: int, *, support: bool = False) -> Fraction:
    """Of the faces of the die those that do not fail."""
    entries = (stand(s, lead, f.target, die, support=support, star=STAR in f.cell) for die in range(1, DIE + 1))
    return Fraction(sum(entry.outcome != FAILURE for entry in entries), DIE)


def cover(s: State, f: Battle, lead: int) -> tuple[str, ...]:
    """S42-9.3.4: the air units that can support, if none has taken a column."""
    return fit(s, f.target, defends=True, units=(lead,)) if f.seat != AXIS and f.cover is None else ()


def helpers(s: State, f: Battle, lead: int) -> list[tuple[int, int]]:
    """S42-11.3, S42-18.4, S42-18.3.3b: who can support the defence, each with the support that it fires by."""
    at = s.chart.board.bit[f.target]
    near = [(unit, by) for unit, by in posts(s, other(f.seat)) if covered(s, by) & at]
    return [(unit, by) for unit, by in near if of_nation(s, by, [lead])]


def helper(s: State, f: Battle, lead: int) -> Help:
    """S42-11.3: a supply point, support that can be refitted by rail, other support, an air unit.

    A flexible defence uses only support that can be refitted by rail, and only if it raises the chance.
    """
    near, bit = helpers(s, f, lead), s.chart.board.bit
    rail = connected(s, other(f.seat))
    if f.stance != HOLD and not f.desperate:
        pays = chance(s, f, lead, support=True) > chance(s, f, lead)
        near = [(unit, by) for unit, by in near if pays and unit == by and bit[s.at(by)] & rail]
    return first_of(s, f, near, cover(s, f, lead) if f.stance == HOLD or f.desperate else ())


def first_of(s: State, f: Battle, near: Iterable[tuple[int, int]], wings: Sequence[str]) -> Help:
    """Of support that costs the same nothing more, the first; air units after it."""
    found = ranked(s, f, near)
    return Help(found[0][0]) if found else Help(air=wings[0]) if wings else Help()


def ranked(s: State, f: Battle, near: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """S42-11.3: those who can support, the ones first whom it costs least."""
    rail, bit = connected(s, other(f.seat)), s.chart.board.bit
    return sorted(near, key=lambda pair: (not s.has(pair[0], SUPPLY), not bit[s.at(pair[1])] & rail, pair))


def wants(s: State, f: Battle) -> bool:
    """S42-11.1.1a, S42-11.1.3: does the defender stand?"""
    f_able = able_leads(s, f)
    if not f_able:
        return False
    if f.desperate or f.stance == HOLD or must_stand(s, f):
        return True
    if f.stance == GIVE:
        return False
    if all(s.pieces[unit].steps == 1 for unit in f_able) and f.target not in s.chart.prizes:
        return False
    lead = best_lead(s, f)
    likely = chance(s, f, lead, support=helper(s, f, lead) != Help())
    side = other(f.seat)
    home = lines(s, side).reached
    supplied = any(home & s.chart.board.bit[way.end] for each in ways_out(s, f, f.retreat) for way in each.ways)
    firm = f.favoured or fort_for(s, f.target, side) or not supplied
    return likely >= EVEN or (likely >= THIRD and firm)


def must_stand(s: State, f: Battle) -> bool:
    """S42-11.1.3: from turn 18 on the Axis does not give a city or a victory hex up of its own will."""
    bound = f.seat != AXIS and s.turn >= s.chart.figures["bound"]
    return bound and (f.target in s.chart.prizes or s.chart.is_city(f.target))


class ChooseLead(Ask[State, Battle, Lead], InFight[State, Battle, Lead]):
    """S42-11.2.1a, S42-11.5.2a: who leads, anew for each roll, if the stance wants one and the rules allow it."""

    name = "lead"
    rule = "S42-11.2"
    attacks = False
    forced = True
    default = "then best"
    fact_names = ("hex", "roll", "desperate")
    answer_names = ("best", "least")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        """S42-11.1.1: against a retreat that allows it."""
        stands = f.retreat and not f.delayed and wants(s, f)
        return (other(f.seat),) if stands else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        return f"{f.cell} in {place_name(f.target)}: {all_of(map(s.code, able_leads(s, f)))}: who leads? `lead UNIT`."

    def options(self, s: State, f: Battle, seat: str) -> Iterator[Lead]:
        return map(Lead, able_leads(s, f))

    def why(self, s: State, f: Battle, seat: str, order: Lead) -> Violation:
        return Violation(
            self.rule, f"{s.code(order.unit)} cannot lead; it can be {all_of(map(s.code, able_leads(s, f)))}"
        )

    def do(self, s: State, f: Battle, seat: str, order: Lead, out: Out) -> None:
        f.lead = order.unit

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        return {"hex": f.target, "roll": f.rolls + 1, "desperate": int(f.desperate)}

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Lead]:
        """`least`: whom a loss costs least."""
        weak = min(able_leads(s, f), key=lambda unit: (drop(s, unit), unit))
        return {"best": Lead(best_lead(s, f)), "least": Lead(weak)}


class ChooseHelp(Ask[State, Battle, Help], InFight[State, Battle, Help]):
    """S42-11.3: support before the first roll, for all of them."""

    name = "support"
    rule = "S42-11.3"
    attacks = False
    forced = True
    default = "then needed"
    fact_names = ("hex", "desperate")
    answer_names = ("needed", "none", "any")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return (other(f.seat),) if f.lead is not None and not f.rolls and any(self._who(s, f)) else ()

    @staticmethod
    def _who(s: State, f: Battle) -> tuple[list[tuple[int, int]], tuple[str, ...]]:
        """The units and the air units that can."""
        assert f.lead is not None
        return helpers(s, f, f.lead), cover(s, f, f.lead)

    def _codes(self, s: State, f: Battle) -> str:
        near, wings = self._who(s, f)
        return " or ".join((*(s.code(unit) for unit, _ in near), *wings))

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        codes = self._codes(s, f)
        how = "`support by UNIT`, `support air NAME`, or `support` for none"
        return f"{place_name(f.target)}: does {codes} support the defence? {how}."

    def options(self, s: State, f: Battle, seat: str) -> Iterator[Help]:
        near, wings = self._who(s, f)
        yield Help()
        yield from map(Help, dict(near))
        yield from (Help(air=wing) for wing in wings)

    def why(self, s: State, f: Battle, seat: str, order: Help) -> Violation:
        return Violation(self.rule, f"Support can come from one of these: {self._codes(s, f)}")

    def do(self, s: State, f: Battle, seat: str, order: Help, out: Out) -> None:
        f.supported = order != Help()
        if order.unit is not None:
            use_guns(s, order.unit, out)
        if order.air is not None:
            fly_for_defence(s, f, order.air, out)

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        return {"hex": f.target, "desperate": int(f.desperate)}

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Help]:
        """`needed`, as the stance has it."""
        assert f.lead is not None
        anybody = first_of(s, f, *self._who(s, f))
        return {"needed": helper(s, f, f.lead), "none": Help(), "any": anybody}


class Stand(Roll[State, Battle]):
    """S42-11.2: a roll of determined defence."""

    name = "stand"
    rule = "S42-11.2"

    def when(self, s: State, f: Battle) -> bool:
        return f.lead is not None

    def draws(self, s: State, f: Battle) -> Iterable[Draw]:
        yield Draw(f"{die_of(s, f)}/stand{f.rolls}", DIE)

    def rolled(self, s: State, f: Battle) -> str:
        assert f.lead is not None
        return f"A die is rolled for the determined defence of {s.chart.board[f.target]}, which {s.code(f.lead)} leads."

    def run(self, s: State, f: Battle, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        ((f.stood,),) = got.values()
        return DONE


class Weigh(Auto[State, Battle]):
    """S42-11.4: what the roll says."""

    name = "weigh"
    rule = "S42-11.4"

    def when(self, s: State, f: Battle) -> bool:
        return f.stood > 0

    def run(self, s: State, f: Battle, out: Out) -> Next:
        """S42-11.5.2: in desperate defence a failure costs the lead a step instead; so does the first delay."""
        die, f.stood, lead, helped = f.stood, 0, f.lead, f.supported
        assert lead is not None
        f.rolls += 1
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
        f.star, f.losing = entry.defender_picks, (f.seat,) * attacker + (other(f.seat),) * steps
        return DONE


def level_up(s: State, f: Battle) -> int:
    """S42-11.6.2: the level that a City Battle would reach by partial success; 0: no further, it is a delay.

    S42-29.1.3c: against the first defender of a contested city those who have come into it lower the level; at 0 they
    must leave.
    """
    if not s.chart.is_city(f.target):
        return 0
    level = s.sieges[f.target][0] if f.target in s.sieges else 0
    if strikes_back(s, f):
        return level - 1
    most = 2 if s.chart.board[f.target].terrain == MAJOR_CITY else 1
    return level + 1 if level < most else 0


def strikes_back(s: State, f: Battle) -> bool:
    """S42-29.1.3c: does the first defender of a contested city attack those who have come into it?"""
    return s.contests.get(f.target) == f.seat


class Outcome(Auto[State, Battle]):
    """S42-11.4 to S42-11.6: what the roll has brought, the attacker's losses first."""

    name = "outcome"
    rule = "S42-11.4"
    goes_back = (ChooseLead,)

    def when(self, s: State, f: Battle) -> bool:
        return bool(f.outcome)

    def run(self, s: State, f: Battle, out: Out) -> Next:
        called = next_loss(s, f)
        if called is not None:
            return Call(called, again=True)
        outcome, f.outcome, f.lead = f.outcome, "", None
        if outcome == FAILURE:
            return Goto(ChooseLead) if f.desperate and able_leads(s, f) else DONE
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
                f.besieged = SHARING in s.options and f.target not in s.contests  # S42-29.1.1a
            return DONE
        if strikes_back(s, f):
            f.retreat, f.held = 1, True
            out.add(CityLeft(hex=f.target, rule="S42-29.1.3c"))
        else:
            f.delayed = True
        return DONE


class GoIn(Ask[State, Battle, Enter], InFight[State, Battle, Enter]):
    """S42-29.1.1a: where a City Battle begins, one attacker at least goes into the city and shares it."""

    name = "enter"
    rule = "S42-29.1.1a"
    forced = True
    default = "then one"
    fact_names = ("hex", "units")
    answer_names = ("one", "listed", "most")

    @staticmethod
    def _able(s: State, f: Battle) -> tuple[int, ...]:
        return tuple(unit for unit in f.units if f.besieged and s.on_map(unit) and may_advance(s, unit))

    def by(self, s: State, f: Battle) -> Sequence[str]:
        return (f.seat,) if self._able(s, f) else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        codes = all_of(map(s.code, self._able(s, f)))
        return f"City Battle in {place_name(f.target)}: {codes}: who goes in? `enter UNITS`."

    def options(self, s: State, f: Battle, seat: str) -> Iterator[Enter]:
        able = self._able(s, f)
        most = s.chart.limits["stack"][seat] + s.chart.limits["free"][seat]
        for size in range(most):
            groups = (group for group in combinations(able, size + 1) if not s.overfull(f.target, seat, group))
            yield from map(Enter, groups)

    def why(self, s: State, f: Battle, seat: str, order: Enter) -> Violation:
        codes = all_of(map(s.code, self._able(s, f)))
        return Violation(self.rule, f"One of these goes in, or as many of them as may stand there: {codes}")

    def do(self, s: State, f: Battle, seat: str, order: Enter, out: Out) -> None:
        f.besieged = False
        s.contests[f.target] = other(f.seat)
        out.add(CityEntered(units=tuple(map(s.code, order.units)), hex=f.target, rule=self.rule))
        for unit in order.units:
            come_through(s, unit, (f.target,), out)

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        return {"hex": f.target, "units": len(self._able(s, f))}

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, Enter]:
        """`one` of the infantry, with most steps; `listed`: whose advance leads in; `most`: as many as fit."""

        def fit(unit: int) -> tuple[bool, int, int]:
            return s.has(unit, "infantry"), s.pieces[unit].steps, -unit

        options = list(self.options(s, f, seat))
        goes_in = {unit for unit, way in named_ways(f.advance).items() if way[:1] == (f.target,)}
        one = Enter((max(self._able(s, f), key=fit),))
        listed = max(
            (each for each in options if goes_in.issuperset(each.units)), key=lambda e: len(e.units), default=one
        )
        return {
            "one": one,
            "listed": listed,
            "most": max(options, key=lambda e: (len(e.units), sum(fit(u)[0] for u in e.units))),
        }


class ChooseDelay(Ask[State, Battle, FallBack], InFight[State, Battle, FallBack]):
    """S42-11.6.1a: in a delay one hex or two, whatever the result has said."""

    name = "delay"
    rule = "S42-11.6.1"
    attacks = False
    default = "then needed"
    fact_names = ("hex",)
    answer_names = ("needed", "one", "two")

    def by(self, s: State, f: Battle) -> Sequence[str]:
        there = any(s.on_map(unit) for unit in f.defenders)
        return (other(f.seat),) if f.delayed and f.retreat and there else ()

    def prompt(self, s: State, f: Battle, seat: str) -> str:
        return f"Delay in {place_name(f.target)}: one hex back, or two? `fall back 1`, or `fall back 2`."

    def options(self, s: State, f: Battle, seat: str) -> Iterator[FallBack]:
        return map(FallBack, range(1, NEAR + 1))

    def do(self, s: State, f: Battle, seat: str, order: FallBack, out: Out) -> None:
        f.retreat = order.hexes

    def facts(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, int]:
        return {"hex": f.target}

    def answers(self, s: State, f: Battle, seat: str, own: Known) -> Mapping[str, FallBack]:
        """`needed`: one hex if that ends in supply; else two. No way back ends in a zone but with friends."""
        home, bit = lines(s, seat).reached, s.chart.board.bit
        near = any(home & bit[way.end] for each in ways_out(s, f, 1) for way in each.ways)  # the same for all
        return {"needed": FallBack(1 if near else NEAR), "one": FallBack(1), "two": FallBack(NEAR)}
