"""Determined defence step by step: who leads, who supports, whether one stands, what a roll leaves to be done."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import DONE, Call, Goto, Out
from pbem_rules.stalingrad42.chart import WINGS
from pbem_rules.stalingrad42.combat.air import refresh
from pbem_rules.stalingrad42.combat.defence import (
    ChooseDelay,
    ChooseHelp,
    ChooseLead,
    Outcome,
    Stance,
    Stand,
    Weigh,
    able_leads,
    best_lead,
    chance,
    cover,
    helper,
    helpers,
    more,
    wants,
)
from pbem_rules.stalingrad42.combat.losses import drop
from pbem_rules.stalingrad42.events import CityBattle, Flew, GunsUsed, Stood
from pbem_rules.stalingrad42.frames import FLEXIBLE, GIVE, HOLD, Battle, Losses
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.orders import FallBack, Help, Lead
from pbem_rules.stalingrad42.state import DISRUPTED, READY, USED, State
from pbem_rules.stalingrad42.supply.lines import lines

BOARD = CHART.board
WEST, HEX = 3417, 3418
NEAR, THERE = 1116, 1117
CITY = BOARD.place_named("Voronezh") or 0
FIRST, SECOND = WINGS


def change(s: State, code: str, **values: Any) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], **values))


def numbers(*codes: str) -> tuple[int, ...]:
    return tuple(map(number, codes))


def battle(
    defenders: str, *, seat: str = AXIS, target: int = HEX, cell: str = "DR2", retreat: int = 2, **rest: Any
) -> Battle:
    units = numbers("45ID") if seat == AXIS else numbers("16TC")
    there = numbers(*defenders.split())
    return Battle(seat=seat, target=target, units=units, defenders=there, cell=cell, retreat=retreat, **rest)


# The lead


def test_s42_11_2_1a_11_2_3_11_2_2_who_is_able_to_lead() -> None:
    s = position(("45RD", HEX), ("62RD", HEX), ("SW-HQ", HEX), ("13GRD", HEX), ("45ID", WEST), turn=8)
    change(s, "62RD", order=DISRUPTED)
    change(s, "13GRD", train=True)
    f = battle("45RD 62RD SW-HQ 13GRD")
    assert able_leads(s, f) == numbers("45RD")
    f.spared = numbers("45RD")
    assert able_leads(s, f) == ()
    f.spared = ()
    f.cell = "DR4"
    assert able_leads(s, f) == ()
    f.cell = "D1*"
    assert able_leads(s, f) == ()  # a star, and no victory hex
    f.desperate = True
    assert able_leads(s, f) == numbers("45RD")
    s.put(number("45RD"), 3806)
    s.pieces[number("45RD")] = replace(s.pieces[number("45RD")], steps=0)


def test_s42_11_2_1a_quality_then_no_last_step_then_most_steps_then_the_cheapest_then_the_first() -> None:
    s = position(("13GRD", HEX, 1), ("45RD", HEX), ("62RD", HEX, 1), ("45ID", WEST), turn=8)
    assert best_lead(s, battle("45RD 13GRD")) == number("13GRD")
    assert best_lead(s, battle("62RD 45RD")) == number("45RD")
    s = position(("45ID", HEX, 2), ("57ID", HEX), ("75ID", HEX), ("16TC", WEST), turn=8)
    assert best_lead(s, battle("45ID 57ID", seat=SOVIET)) == number("57ID")
    assert best_lead(s, battle("75ID 57ID", seat=SOVIET)) == min(numbers("57ID", "75ID"))
    codes = [unit.code for unit in CHART.units if unit.side == SOVIET and unit.steps == 2 and unit.faces[0].attack]
    s = position(*((code, HEX) for code in codes), turn=8)
    f = battle("45RD")

    def rank(unit: int) -> tuple[int, int]:
        return more(s, f, unit, support=False), drop(s, unit)

    alike = [
        (a, b)
        for a, b in combinations(numbers(*codes), 2)
        if rank(a)[0] == rank(b)[0] and rank(a)[1] != rank(b)[1] and not (s.has(a, "tank") or s.has(b, "tank"))
    ]
    for pair in alike:
        f.defenders = pair
        assert best_lead(s, f) == min(pair, key=lambda unit: drop(s, unit))
    assert alike


def test_s42_11_2_1c_11_2_2b_11_3a_the_chance_to_stand() -> None:
    """In the open a plain division stands with five and six; support adds one, a star takes one off."""
    s = position(("45RD", HEX), ("45ID", WEST), turn=8)
    f = battle("45RD")
    assert chance(s, f, number("45RD")) == Fraction(1, 3)
    assert chance(s, f, number("45RD"), support=True) == Fraction(1, 2)
    f.cell = "D1*"
    assert chance(s, f, number("45RD")) == Fraction(1, 6)
    assert more(s, f, number("45RD"), support=True) == 0
    s = position(("45ID", CITY), ("16TC", BOARD.near[CITY][0]), turn=8)
    assert chance(s, battle("45ID", seat=SOVIET, target=CITY), number("45ID")) == 1  # each face holds


def test_s42_11_2_1a_11_5_2a_g7_when_a_lead_is_asked_for() -> None:
    s = position(("45RD", HEX), ("62RD", HEX, 1), ("45ID", WEST), turn=8)
    step = ChooseLead()
    f = battle("45RD 62RD", stance=HOLD, rolls=1, desperate=True)
    assert step.by(s, f) == (SOVIET,)
    assert list(step.options(s, f, SOVIET)) == [Lead(unit) for unit in numbers("45RD", "62RD")]
    assert step.facts(s, f, SOVIET, {}) == {"hex": HEX, "roll": 2, "desperate": 1}
    assert step.answers(s, f, SOVIET, {}) == {"best": Lead(number("45RD")), "least": Lead(number("62RD"))}
    for other in (
        battle("45RD", stance=HOLD, retreat=0),
        battle("45RD", stance=HOLD, delayed=True),
        battle("45RD", stance=HOLD, cell="DS", retreat=4),
        battle("45RD", stance=GIVE),
    ):
        assert step.by(s, other) == ()
    step.do(s, f, SOVIET, Lead(number("62RD")), Out())
    assert f.lead == number("62RD")
    assert f.desperate


# Whether one stands


def test_s42_11_1_1a_who_wants_to_stand() -> None:
    s = position(("45RD", HEX), ("45ID", WEST), turn=8)
    assert wants(s, battle("45RD", stance=HOLD))
    assert not wants(s, battle("45RD", stance=GIVE))
    assert wants(s, battle("45RD", stance=GIVE, desperate=True))
    assert not wants(s, battle("45RD", stance=FLEXIBLE))  # one third, and the hex is not firm
    assert wants(s, battle("45RD", stance=FLEXIBLE, favoured=True))
    guards = position(("13GRD", HEX), ("45ID", WEST), turn=8)
    assert chance(guards, battle("13GRD"), number("13GRD")) == Fraction(1, 2)
    assert wants(guards, battle("13GRD", stance=FLEXIBLE))  # one half is enough
    s.forts[HEX] = SOVIET
    assert wants(s, battle("45RD", stance=FLEXIBLE))
    s.forts[HEX] = AXIS
    assert not wants(s, battle("45RD", stance=FLEXIBLE))
    del s.forts[HEX]
    s.set_steps(number("45RD"), 1)
    s.forts[HEX] = SOVIET
    assert not wants(s, battle("45RD", stance=FLEXIBLE))  # the only lead has one step
    assert wants(s, battle("45RD", stance=HOLD))
    change(s, "45RD", order=DISRUPTED)
    assert not wants(s, battle("45RD", stance=HOLD))  # nobody can lead
    prize = 2013
    s = position(("13GRD", prize, 1), ("45ID", BOARD.near[prize][0]), turn=8)
    f = battle("13GRD", target=prize, stance=FLEXIBLE)
    assert prize in CHART.prizes
    assert chance(s, f, number("13GRD")) >= Fraction(1, 2)
    assert wants(s, f)  # in a victory hex the last step stands
    weak = next(unit for unit in CHART.units if unit.side == AXIS and unit.steps == 2 and CHART.has(unit.number, "low"))
    s = position((weak.code, HEX), ("16TC", WEST), turn=8)
    f = battle(weak.code, seat=SOVIET, stance=FLEXIBLE, favoured=True)
    assert chance(s, f, weak.number) < Fraction(1, 3)
    assert not wants(s, f)  # a firm hex does not help who hardly ever stands


def test_s42_11_1_1a_without_supply_behind_it_a_third_is_enough() -> None:
    s = position(("45ID", HEX), ("16TC", WEST), turn=8)
    s.set_steps(number("45ID"), 2)
    f = battle("45ID", seat=SOVIET, stance=FLEXIBLE)
    likely, home = chance(s, f, number("45ID")), lines(s, AXIS).reached
    near = [place for place in BOARD.in_mask(home) if place in BOARD.grid and BOARD.grid.distance(place, HEX) <= 2]  # type: ignore[operator,union-attr]
    assert likely == Fraction(1, 3)
    assert wants(s, f) is (not near)
    s = position(("45ID", 4012), ("16TC", 3912), turn=8)
    s.set_steps(number("45ID"), 2)
    f = battle("45ID", seat=SOVIET, stance=FLEXIBLE, target=4012)
    assert not any(home & BOARD.bit[place] for place in BOARD.grid.within(4012, 3) if place in BOARD.bit)  # type: ignore[union-attr]
    assert chance(s, f, number("45ID")) == Fraction(1, 3)
    assert wants(s, f)


@pytest.mark.parametrize(("place", "key"), [(CITY, 1), (2013, 1), (1015, 1), (HEX, 0)])  # 1015: a city without points
def test_s42_11_1_1a_the_stance_is_the_defenders_before_the_die(place: int, key: int) -> None:
    s = position(("45RD", place))
    f = battle("45RD", target=place, cell="")
    assert Stance().by(s, f) == (SOVIET,)
    assert Stance().facts(s, f, SOVIET, {}) == {"hex": place, "key": key}
    f.cell = "DR2"
    assert Stance().by(s, f) == ()


# Support


def test_s42_11_3a_11_3b_18_3_2_who_supports_by_stance() -> None:
    rail = connected(position(("45RD", 3806)), SOVIET)
    joined = next(
        place for place in BOARD.in_mask(rail) if place in BOARD.grid and place % 100 < 30 and place // 100 > 24
    )  # type: ignore[operator]
    off = next(place for place in BOARD.near[joined] if not rail & BOARD.bit[place] and place in BOARD.grid)  # type: ignore[operator]
    lead = number("45RD")
    s = position(("45RD", off), ("SW-HQ", off), ("Bryansk-HQ", joined), turn=8)
    for code in ("SW-HQ", "Bryansk-HQ"):
        change(s, code, ready=True)
    f = battle("45RD", target=off, stance=HOLD)
    assert {unit for unit, _ in helpers(s, f, lead)} == set(numbers("SW-HQ", "Bryansk-HQ"))
    assert helper(s, f, lead) == Help(number("Bryansk-HQ"))  # it can be refitted by rail
    f.stance = FLEXIBLE
    assert helper(s, f, lead) == Help(number("Bryansk-HQ"))
    s.put(number("SW-HQ"), joined)
    s.put(number("Bryansk-HQ"), off)
    f.stance = HOLD
    assert helper(s, f, lead) == Help(number("SW-HQ"))  # whichever of them it is
    f.stance = FLEXIBLE
    s.put(number("SW-HQ"), off)
    s.put(number("Bryansk-HQ"), joined)
    s.put(number("Sup-S1"), joined)
    change(s, "Sup-S1", ready=True)
    assert helper(s, f, lead) == Help(number("Bryansk-HQ"))  # no supply point for that
    f.stance = HOLD
    assert helper(s, f, lead) == Help(number("Sup-S1"))
    f.stance, f.desperate = GIVE, True
    assert helper(s, f, lead) == Help(number("Sup-S1"))
    f.desperate = False
    s.put(number("Bryansk-HQ"), off)
    s.put(number("Sup-S1"), off)
    assert helper(s, f, lead) == Help()  # not by rail
    f.stance = HOLD
    change(s, "Sup-S1", ready=False)
    assert helper(s, f, lead) == Help(min(numbers("SW-HQ", "Bryansk-HQ")))


def test_s42_11_3a_flexible_only_if_it_changes_the_chance() -> None:
    rail = connected(position(("45RD", 3806)), SOVIET)
    joined = next(place for place in BOARD.in_mask(rail) if BOARD[place].terrain == "clear" and place // 100 > 24)
    s = position(("13GRD", joined), ("SW-HQ", joined), turn=8)
    change(s, "SW-HQ", ready=True)
    f = battle("13GRD", target=joined, stance=FLEXIBLE)
    plain, helped = (chance(s, f, number("13GRD"), support=support) for support in (False, True))
    assert (helper(s, f, number("13GRD")) == Help(number("SW-HQ"))) is (helped > plain)
    city = next(place for place in BOARD.in_mask(connected(s, AXIS)) if CHART.is_city(place))
    s = position(("45ID", city), ("6A-HQ", city), ("16TC", BOARD.near[city][0]), turn=8)
    change(s, "6A-HQ", ready=True)
    f = battle("45ID", seat=SOVIET, target=city, stance=HOLD)
    assert chance(s, f, number("45ID")) == 1
    assert helper(s, f, number("45ID")) == Help(number("6A-HQ"))
    f.stance = FLEXIBLE
    assert helper(s, f, number("45ID")) == Help()  # each face holds without it


def flying(*units: tuple[str, int]) -> State:
    s = position(*units, turn=8)
    refresh(s)
    return s


def test_s42_9_3_4_11_3a_air_units_support_the_axis_if_none_covers() -> None:
    s = flying(("45ID", THERE), ("16TC", NEAR))
    f = battle("45ID", seat=SOVIET, target=THERE, stance=HOLD, lead=number("45ID"))
    assert cover(s, f, number("45ID")) == (FIRST, SECOND)
    assert helper(s, f, number("45ID")) == Help(air=FIRST)
    f.stance = FLEXIBLE
    assert helper(s, f, number("45ID")) == Help()
    f.desperate = True
    assert helper(s, f, number("45ID")) == Help(air=FIRST)
    s.wings[FIRST] = number("45ID")  # it has stayed with them
    assert cover(s, f, number("45ID")) == (FIRST, SECOND)
    f.cover = FIRST
    assert cover(s, f, number("45ID")) == ()
    f.cover = None
    f.seat = AXIS
    assert cover(s, f, number("45ID")) == ()


def test_s42_11_3a_18_3_2_support_is_asked_for_once_before_the_first_roll() -> None:
    s = flying(("45ID", THERE), ("16TC", NEAR), ("6A-HQ", THERE))
    change(s, "6A-HQ", ready=True)
    f = battle("45ID", seat=SOVIET, target=THERE, stance=HOLD, lead=number("45ID"), desperate=True)
    step, guns = ChooseHelp(), number("6A-HQ")
    assert step.by(s, f) == (AXIS,)
    assert list(step.options(s, f, AXIS)) == [Help(), Help(guns), Help(air=FIRST), Help(air=SECOND)]
    assert step.facts(s, f, AXIS, {}) == {"hex": THERE, "desperate": 1}
    assert step.answers(s, f, AXIS, {}) == {"needed": Help(guns), "none": Help(), "any": Help(guns)}
    f.rolls = 1
    assert step.by(s, f) == ()
    f.rolls, f.lead = 0, None
    assert step.by(s, f) == ()
    f.lead = number("45ID")
    out = Out()
    step.do(s, f, AXIS, Help(), out)
    assert (f.supported, list(out.events)) == (False, [])
    step.do(s, f, AXIS, Help(air=SECOND), out)
    assert (f.supported, s.wings[SECOND], s.wings[FIRST]) == (True, USED, READY)
    step.do(s, f, AXIS, Help(guns), out)
    assert not s.pieces[guns].ready
    assert [type(event) for event in out.events] == [Flew, GunsUsed]
    s.wings[FIRST] = USED
    assert step.by(s, f) == ()  # nobody is left


# The roll


def rolled(s: State, f: Battle, die: int) -> Stood:
    out = Out()
    (draw,) = Stand().draws(s, f)
    assert draw.label.endswith(f"/{f.target:04d}/stand{f.rolls}")
    assert Stand().run(s, f, {draw.label: (die,)}, out) is DONE
    assert Weigh().when(s, f)
    assert Weigh().run(s, f, out) is DONE
    assert not Weigh().when(s, f)
    (event,) = out.events
    assert isinstance(event, Stood)
    return event


def test_s42_11_2_1c_11_4_1_a_roll_and_what_it_costs() -> None:
    """In the open: F until 4, 5 is P -/1, 6 is S -/1; support counts one."""
    s = position(("45RD", HEX), ("45ID", WEST), turn=8)
    for die, supported_, outcome, steps in (
        (4, False, "F", 0),
        (5, False, "P", 1),
        (6, False, "S", 1),
        (5, True, "S", 1),
    ):
        f = battle("45RD", lead=number("45RD"), supported=supported_)
        event = rolled(s, f, die)
        assert (f.outcome, event.outcome, f.losing, f.rolls) == (outcome, outcome, (SOVIET,) * steps, 1)
        assert (event.die, event.more, event.desperate, event.unit) == (die, int(supported_), False, "45RD")
    assert Stand().when(s, f)
    f.lead = None
    assert not Stand().when(s, f)


def test_s42_11_5_2a_11_6_1d_in_desperate_defence_a_failure_costs_a_step_and_the_second_delay_holds() -> None:
    s = position(("45RD", HEX), ("45ID", WEST), turn=8)
    f = battle("45RD", lead=number("45RD"), desperate=True)
    rolled(s, f, 4)  # F -/-
    assert (f.outcome, f.losing, f.delays) == ("F", (SOVIET,), 0)
    rolled(s, f, 5)
    assert (f.outcome, f.losing, f.delays) == ("F", (SOVIET,), 1)
    rolled(s, f, 5)
    assert (f.outcome, f.losing, f.delays, f.rolls) == ("S", (SOVIET,), 2, 3)
    s = position(("13GRD", 2602), ("45ID", 2502), turn=8)
    f = battle("13GRD", target=2602, lead=number("13GRD"), desperate=True)
    rolled(s, f, 6)  # S -/-
    assert (f.outcome, f.losing) == ("S", ())


def test_s42_11_5_2a_11_6_2a_in_a_city_desperate_defence_fights_a_city_battle() -> None:
    s = position(("45RD", CITY), ("45ID", BOARD.near[CITY][0]), turn=8)
    partial = next(die for die in range(1, 7) if CHART.stand.at(die, CHART.stand.column("city")).startswith("P"))
    f = battle("45RD", target=CITY, lead=number("45RD"), desperate=True)
    rolled(s, f, partial)
    assert (f.outcome, f.delays) == ("P", 0)
    s.sieges[CITY] = (2, number("45ID"))
    f = battle("45RD", target=CITY, lead=number("45RD"), desperate=True)
    rolled(s, f, partial)
    assert (f.outcome, f.delays) == ("F", 1)  # the highest level: a delay


# What it brings


def test_s42_11_4_1_11_4_3_11_5_2a_losses_first_then_the_end_or_another_roll() -> None:
    s, step = position(("45RD", HEX), ("62RD", HEX), ("45ID", WEST), turn=8), Outcome()
    f = battle("45RD 62RD", lead=number("45RD"), outcome="F", losing=(SOVIET,))
    following = step.run(s, f, Out())
    assert isinstance(following, Call)
    assert isinstance(following.frame, Losses)
    assert following.again
    assert step.when(s, f)
    assert step.run(s, f, Out()) is DONE  # S42-11.4.3: the retreat is carried out
    assert (f.outcome, f.lead, f.retreat, f.held, f.delayed) == ("", None, 2, False, False)
    assert not step.when(s, f)
    f = battle("45RD 62RD", outcome="F", desperate=True)
    assert step.run(s, f, Out()) == Goto(ChooseLead)
    for code in ("45RD", "62RD"):
        change(s, code, order=DISRUPTED)
    nobody = battle("45RD 62RD", outcome="F", desperate=True)
    assert step.run(s, nobody, Out()) is DONE  # S42-11.5.2a: none of them can lead
    f = battle("45RD 62RD", outcome="S")
    assert step.run(s, f, Out()) is DONE
    assert (f.retreat, f.held, f.delayed) == (0, True, False)
    f = battle("45RD 62RD", outcome="P")
    assert step.run(s, f, Out()) is DONE
    assert (f.retreat, f.held, f.delayed) == (2, False, True)


def test_s42_11_6_2a_11_6_2b_11_6_2e_a_city_battle_keeps_its_first_attackers() -> None:
    s = position(("45RD", CITY), ("45ID", BOARD.near[CITY][0]), ("9Pz", BOARD.near[CITY][1]), turn=8)
    f, out, step = battle("45RD", target=CITY, outcome="P"), Out(), Outcome()
    assert step.run(s, f, out) is DONE
    assert (f.retreat, f.held, f.delayed, s.sieges[CITY]) == (0, True, False, (1, number("45ID")))
    assert [each.level for each in out.events if isinstance(each, CityBattle)] == [1]
    f = battle("45RD", target=CITY, outcome="P")
    f.units = numbers("9Pz")
    assert step.run(s, f, Out()) is DONE
    assert s.sieges[CITY] == (2, number("45ID"))
    s = position(("45ID", BOARD.near[CITY][0]), turn=8)
    assert step.run(s, battle("45RD", target=CITY, outcome="P"), Out()) is DONE
    assert CITY not in s.sieges  # nobody is left to hold it


# A delay


def test_s42_11_6_1a_one_hex_or_two() -> None:
    s, step = position(("13GRD", 2602), ("45ID", 2502), turn=8), ChooseDelay()
    f = battle("13GRD", target=2602, delayed=True)
    assert step.by(s, f) == (SOVIET,)
    assert list(step.options(s, f, SOVIET)) == [FallBack(1), FallBack(2)]
    assert step.facts(s, f, SOVIET, {}) == {"hex": 2602}
    assert step.answers(s, f, SOVIET, {}) == {"needed": FallBack(1), "one": FallBack(1), "two": FallBack(2)}
    far = position(("45RD", 1831), ("9Pz", 1830), turn=8)  # supply begins two hexes away
    assert step.answers(far, battle("45RD", target=1831, delayed=True), SOVIET, {})["needed"] == FallBack(2)
    step.do(s, f, SOVIET, FallBack(1), Out())
    assert f.retreat == 1
    assert step.by(s, battle("13GRD", target=2602)) == ()
    assert step.by(s, battle("13GRD", target=2602, delayed=True, retreat=0)) == ()
    s.put(number("45RD"), 2602)
    both = battle("13GRD 45RD", target=2602, delayed=True)
    s.put(number("13GRD"), 9903)
    assert step.by(s, both) == (SOVIET,)  # as long as one of them is left
    assert step.by(s, f) == ()


def test_s42_11_1_1a_one_way_of_several_into_supply_is_enough() -> None:
    """At the edge another leads into an Area."""
    s = position(("45RD", 1800), ("9Pz", 1900), turn=8)
    f = battle("45RD", target=1800, stance=FLEXIBLE)
    assert chance(s, f, number("45RD")) == Fraction(1, 3)
    assert not wants(s, f)


def test_s42_11_6_1a_two_where_each_hex_beside_it_is_in_a_zone_or_cut_off() -> None:
    step = ChooseDelay()
    around = BOARD.grid.ring(HEX, 2)  # type: ignore[union-attr]
    codes = "9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz"
    s = position(("45RD", HEX), *zip(codes[:5], around[:10:2], strict=True), turn=8)
    f = battle("45RD", delayed=True)
    zone, home = s.zone(AXIS), lines(s, SOVIET).reached
    free = [place for place in BOARD.near[HEX] if home & ~zone & BOARD.bit[place]]
    wanted = FallBack(1 if free else 2)
    assert step.answers(s, f, SOVIET, {})["needed"] == wanted
    s = position(("45RD", HEX), *zip(codes, around[::2], strict=True), ("62RD", 3419), turn=8)
    assert step.answers(s, f, SOVIET, {})["needed"] == FallBack(1 if lines(s, SOVIET).reached & BOARD.bit[3419] else 2)
    s.fled.add(number("62RD"))
    assert step.answers(s, f, SOVIET, {})["needed"] == FallBack(2)
