"""S42-11: determined defence in the middle of an attack."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_combat import Table, combat
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem_rules.stalingrad42.combat.battle import is_desperate, ways_out
from pbem_rules.stalingrad42.combat.defence import Stance, best_lead, chance, helper, wants
from pbem_rules.stalingrad42.events import Advanced, CityBattle, Fought, Stood
from pbem_rules.stalingrad42.frames import FLEXIBLE, GIVE, HOLD, Battle
from pbem_rules.stalingrad42.state import DISRUPTED, GOOD, TO_THE_LAST, State

WEST, HEX = 3417, 3418
CITY = CHART.board.place_named("Voronezh") or 0


def fight(s: State, *codes: str, place: int = HEX, cell: str = "DR2", stance: str = FLEXIBLE) -> Battle:
    """A battle after its die, of the attackers named."""
    enemy = tuple(unit for unit in s.of(SOVIET, place))
    return Battle(
        seat=AXIS, target=place, units=tuple(map(number, codes)), defenders=enemy, cell=cell, retreat=2, stance=stance
    )


def city(*stand: int) -> Table:
    """Voronezh, a major city, held by default."""
    west = CHART.board.near[CITY][0]
    units = (("9Pz", west), ("11Pz", west), ("23Pz", west), ("45RD", CITY), ("62RD", CITY))
    d = combat(*units, turn=8, dice={CITY: 1}, stand=stand)
    d.type(f"attack {CITY:04d} with 9pz 11pz 23pz advance 9pz {CITY:04d}\ndone")
    return d


def test_s42_11_1_2_before_turn_8_the_soviets_do_not_stand_in_the_open() -> None:
    s = position(("45RD", HEX), ("45ID", WEST), turn=7)
    assert not wants(s, fight(s, "45ID", stance=HOLD))
    s.turn = 8
    assert wants(s, fight(s, "45ID", stance=HOLD))
    assert not wants(s, fight(s, "45ID", stance=HOLD, cell="DR4"))  # S42-10.1c


def test_dp_27_stances() -> None:
    s = position(("13GRD", 2602), ("45ID", 2502), turn=8)
    weak = position(("45RD", HEX), ("45ID", WEST), turn=8)
    assert wants(s, fight(s, "45ID", place=2602))  # elite, in the woods: one half
    assert not wants(s, fight(s, "45ID", place=2602, stance=GIVE))
    assert not wants(weak, fight(weak, "45ID"))  # one sixth
    s.set_steps(number("13GRD"), 1)
    assert not wants(s, fight(s, "45ID", place=2602))  # the only lead has one step


def test_dp_28_the_best_leads() -> None:
    s = position(("13GRD", HEX), ("45RD", HEX), ("45ID", WEST), turn=8)
    f = fight(s, "45ID")
    assert best_lead(s, f) == number("13GRD")
    s.alter(number("13GRD"), replace(s.pieces[number("13GRD")], order=DISRUPTED))
    assert best_lead(s, f) == number("45RD")


def test_dp_29_support_by_stance() -> None:
    s = position(("13GRD", HEX), ("SW-HQ", 3518), ("45ID", WEST), turn=8)
    s.alter(number("SW-HQ"), replace(s.pieces[number("SW-HQ")], ready=True))
    f = fight(s, "45ID", stance=HOLD)
    lead = number("13GRD")
    assert helper(s, f, lead) == number("SW-HQ")
    assert chance(s, f, lead, support=True) > chance(s, f, lead)
    assert helper(s, fight(s, "45ID"), lead) is None  # not on a connected railway


def test_s42_11_5_1_desperate_where_no_way_is_left() -> None:
    ring = [("9Pz", 3417), ("11Pz", 3419), ("23Pz", 3518), ("45ID", 3319), ("75ID", 3318), ("3Pz", 3519)]
    s = position(("45RD", HEX), *ring)
    f = fight(s, "9Pz", stance=GIVE)
    assert is_desperate(s, f)
    f.desperate = True
    assert wants(s, f)  # before turn 8, too
    s.put(number("3Pz"), 3617)
    s.put(number("11Pz"), 3320)
    assert not is_desperate(s, fight(s, "9Pz"))


@pytest.mark.parametrize("option", [False, True])
def test_s42_11_5_1b_amb_23_who_can_only_go_a_shorter_way_may_by_option_hold_to_the_last(option: bool) -> None:
    beside = [("9Pz", 3417), ("11Pz", 3318), ("24Pz", 3319), ("3Pz", 3518), ("23Pz", 3519)]
    behind = [("14Pz", 3420), ("57ID", 3620), ("62ID", 3220)]
    s = position(("45RD", HEX), *beside, *behind, ("62RD", 3419))
    s.options = (TO_THE_LAST,) * option
    f = fight(s, "9Pz", stance=HOLD)
    assert [each.steps for each in ways_out(s, f, f.retreat)] == [1]
    assert is_desperate(s, f) is option
    assert not is_desperate(s, fight(s, "9Pz", stance=GIVE))  # who gives ground goes the shorter way
    s.put(number("57ID"), 3806)
    s.put(number("14Pz"), 3806)
    assert not is_desperate(s, f)  # a way of the full length


def test_ex_16_s42_11_5_2_desperate_defence_goes_on_until_it_holds_or_dies() -> None:
    ring = [("9Pz", 3417), ("11Pz", 3419), ("23Pz", 3518), ("45ID", 3319), ("75ID", 3318), ("3Pz", 3519)]
    d = combat(("13GRD", HEX), ("45RD", HEX), *ring, dice={HEX: 5}, stand=[1, 5])
    d.type(f"attack {HEX} with 9pz 11pz\ndone")
    stood = d.seen(Stood)
    assert d.seen(Fought)[0].result == "DR2"
    assert [each.outcome for each in stood] == ["F", "S"]
    assert all(each.desperate for each in stood)
    assert not d.state.on_map(number("13GRD"))  # a step by F, the other by S -/1
    assert d.state.at(number("45RD")) == HEX
    assert d.state.pieces[number("45RD")].order == GOOD


def test_s42_11_1_1b_success_cancels_retreat_disruption_and_advance() -> None:
    d = city(6)
    assert [each.outcome for each in d.seen(Stood)] == ["S"]
    assert not d.seen(Advanced)
    assert d.state.at(number("45RD")) == d.state.at(number("62RD")) == CITY
    assert d.state.pieces[number("45RD")].order == GOOD


def test_ex_17_s42_11_6_2_partial_success_in_a_city_makes_a_city_battle_until_the_attackers_leave() -> None:
    d = city(3)
    assert [each.level for each in d.seen(CityBattle)] == [1]
    s = d.state
    assert s.sieges[CITY] == (1, *sorted(map(number, ("9Pz", "11Pz", "23Pz"))))
    for code in ("9Pz", "11Pz"):
        s.put(number(code), WEST)
    assert CITY in s.sieges
    s.put(number("23Pz"), WEST)
    assert CITY not in s.sieges


def test_s42_11_4_3_failure_and_the_retreat_is_carried_out() -> None:
    d = city(1)
    assert [each.outcome for each in d.seen(Stood)] == ["F"]
    assert CITY not in (d.state.at(number("45RD")), d.state.at(number("62RD")))
    assert [each.path[-1] for each in d.seen(Advanced)] == [CITY]


def test_appendix_a_stances_are_fixed_while_the_enemys_list_is_carried_out() -> None:
    s = position(("45RD", HEX))
    assert Stance().may_change(s, SOVIET)
    s.fighting = AXIS
    assert not Stance().may_change(s, SOVIET)
    assert Stance().may_change(s, AXIS)
    facts = Stance().facts(s, fight(s, place=CITY), SOVIET, {})
    assert facts == {"hex": CITY, "key": 1}
    assert Stance().facts(s, fight(s), SOVIET, {})["key"] == 0


def test_ex_17_s42_11_6_1_a_delay_is_a_short_retreat_and_one_hex_of_advance() -> None:
    d = combat(("45ID", 2502), ("75ID", 2502), ("13GRD", 2602), turn=8, dice={2602: 3}, stand=[3])
    d.type("attack 2602 with 45id 75id advance 45id 2602 2702\ndone")
    (stood,) = d.seen(Stood)
    assert (stood.outcome, stood.more) == ("P", 1)
    unit, grid = number("13GRD"), CHART.board.grid
    assert grid is not None
    assert 1 <= grid.distance(2602, d.state.at(unit)) <= 2
    assert d.state.pieces[unit].order == DISRUPTED
    assert [each.path for each in d.seen(Advanced)] == [(2502, 2602)]


def test_s42_11_6_1d_in_desperate_defence_the_second_delay_holds() -> None:
    ring = [("9Pz", 2502), ("11Pz", 2601), ("23Pz", 2603), ("45ID", 2503), ("75ID", 2703), ("3Pz", 2702)]
    s = position(("13GRD", 2602), ("45RD", 2602), *ring)
    d = combat(state=s, dice={2602: 4}, stand=[3, 3])
    d.type("attack 2602 with 9pz 11pz\ndone")
    assert [each.outcome for each in d.seen(Stood)] == ["P", "P"]
    assert not d.state.on_map(number("13GRD"))
    assert d.state.at(number("45RD")) == 2602
