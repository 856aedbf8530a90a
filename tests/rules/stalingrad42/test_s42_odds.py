"""S42-8, S42-9: strengths, shifts and the column of an attack."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.kit import OUT_OF_SUPPLY, Shift
from pbem_rules.stalingrad42.combat.odds import (
    AUTOMATIC,
    NO_ATTACK,
    Attack,
    attack,
    column_name,
    column_of,
    defending,
    describe,
    fort_for,
    may_join,
    over_river,
    tanks_unused,
)
from pbem_rules.stalingrad42.combat.outcomes import DELAYS, GONE, HOLDS, RETREATS, outcomes
from pbem_rules.stalingrad42.combat.retreat import routes
from pbem_rules.stalingrad42.frames import GIVE, HOLD, Battle
from pbem_rules.stalingrad42.state import DISRUPTED, ROUTED, State

BOARD = CHART.board
AIR = Shift(1, "S42-9.3.3", "air")


def change(s: State, code: str, **values: int | bool) -> None:
    unit = number(code)
    s.alter(unit, replace(s.pieces[unit], **values))  # type: ignore[arg-type]


def fought(s: State, target: int, *codes: str, more: tuple[Shift, ...] = (), side: str = SOVIET) -> Attack:
    return attack(s, [number(code) for code in codes], target, side, more)


def values(found: Attack) -> tuple[int, int]:
    return int(found.reckoned.attack), int(found.reckoned.defence)


def column(found: Attack) -> str:
    return CHART.odds.label(found.reckoned.column)


def net(found: Attack) -> int:
    return sum(shift.by for shift in found.reckoned.shifts)


# Tanks.


def test_s42_9_2_2_a_panzer_division_against_infantry_and_against_tanks() -> None:
    s = position(("9Pz", 3417), ("45RD", 3418))
    found = fought(s, 3418, "9Pz")
    assert (values(found), column(found)) == ((10, 5), "4:1")
    s = position(("9Pz", 3417), ("16TC", 3418))
    found = fought(s, 3418, "9Pz")
    assert [(shift.by, shift.rule) for shift in found.reckoned.shifts] == [(1, "S42-9.2.2")]
    assert column(found) == "3:1"


def test_s42_9_2_3b_over_a_river_tanks_earn_nothing_and_deny_the_shift() -> None:
    s = position(("22Pz", 1411), ("16TC", 1410))
    assert net(fought(s, 1410, "22Pz")) == 0
    s = position(("22Pz", 2518), ("16TC", 2618))
    assert "minor_river" in BOARD.edges[2518, 2618]
    assert net(fought(s, 2618, "22Pz")) == 0
    s = position(("45ID", 2518), ("16TC", 2618))
    assert net(fought(s, 2618, "45ID")) == -1  # infantry denies nothing
    s = position(("22Pz", 2518), ("45RD", 2618))
    assert net(fought(s, 2618, "22Pz")) == 0


def test_s42_9_2_1_one_shift_however_many_tanks() -> None:
    s = position(("9Pz", 3417), ("11Pz", 3417), ("22Pz", 3417), ("45RD", 3418))
    assert net(fought(s, 3418, "9Pz", "11Pz", "22Pz")) == 2
    assert net(fought(s, 3418, "22Pz")) == 1
    s = position(("45ID", 3417), ("45RD", 3418))
    assert net(fought(s, 3418, "45ID")) == 0  # no tanks on either side


def test_s42_9_2_2_elite_tanks_of_the_defender() -> None:
    """Soviet tanks over a river against a red dot: one column to the left."""
    s = position(("9Pz", 3418), ("16TC", 3417))
    assert net(fought(s, 3418, "16TC", side=AXIS)) == -1
    s = position(("9Pz", 2618), ("16TC", 2518))
    assert net(fought(s, 2618, "16TC", side=AXIS)) == -1
    s = position(("9Pz", 3418), ("45RD", 3417))
    assert net(fought(s, 3418, "45RD", side=AXIS)) == -2


@pytest.mark.parametrize(("target", "start"), [(2602, 2702), (2503, 2403), (2708, 2707)])
def test_s42_9_2_3a_ground_that_bars_tanks(target: int, start: int) -> None:
    """Woods, a major city, a minor city: for neither side."""
    s = position(("9Pz", start), ("45RD", target))
    assert net(fought(s, target, "9Pz")) == 0
    s = position(("45ID", start), ("16TC", target))
    assert net(fought(s, target, "45ID")) == 0


def test_s42_9_2_3a_9_7_9_7_1a_9_7_6b_forts_bar_tanks_and_give_a_column() -> None:
    assert 2528 in CHART.map.regions["forts_south"].places
    s = position(("9Pz", 2527), ("16TC", 2528))
    assert fort_for(s, 2528, SOVIET)
    assert [(shift.by, shift.rule) for shift in fought(s, 2528, "9Pz").reckoned.shifts] == [(-1, "S42-9.7.1")]
    s.forts_off = ("forts_south",)
    assert net(fought(s, 2528, "9Pz")) == 1
    assert not fort_for(position(), 2528, AXIS)  # S42-9.7.6b
    s = position(("45ID", 3418), ("45RD", 3417))
    s.forts[3418] = AXIS
    assert net(fought(s, 3418, "45RD", side=AXIS)) == -1
    s.forts[3418] = SOVIET
    assert net(fought(s, 3418, "45RD", side=AXIS)) == 0


def test_s42_9_2_4_anti_tank_units_cancel_the_plain_shift_only_in_defence() -> None:
    s = position(("9Pz", 3417), ("1TD", 3418), ("45RD", 3418))
    assert [shift.rule for shift in fought(s, 3418, "9Pz").reckoned.shifts] == ["S42-9.2.2"]
    s = position(("22Pz", 3418), ("1TD", 3417), ("45RD", 3417))
    assert net(fought(s, 3418, "1TD", "45RD", side=AXIS)) == -1
    s = position(("22Pz", 3417), ("1TD", 3418), ("45RD", 3418))
    change(s, "1TD", order=ROUTED)
    assert net(fought(s, 3418, "22Pz")) == 1


def test_s42_13_2_1d_5_6_4b_13_3_2c_disrupted_tanks_still_count_and_those_on_trains_or_in_full_retreat_do_not() -> None:
    s = position(("45ID", 3417), ("16TC", 3418), ("45RD", 3418))
    change(s, "16TC", order=DISRUPTED)
    assert net(fought(s, 3418, "45ID")) == -1
    change(s, "16TC", order=ROUTED)
    assert net(fought(s, 3418, "45ID")) == 0
    change(s, "16TC", order=0, train=True)
    assert net(fought(s, 3418, "45ID")) == 0


# Rivers, marsh, towns.


def test_s42_9_1_9_5_1_9_5_2_9_9d_over_a_major_river_attackers_are_halved_and_the_defender_doubled() -> None:
    s = position(("45RD", 3112), ("9Pz", 3012), ("57ID", 3011))
    found = fought(s, 3112, "9Pz", "57ID")
    assert values(found) == (5 + 3, 10)
    assert {factor.rule for part in found.defenders for factor in part.factors} == {"S42-9.5.1"}
    s.put(number("57ID"), 3212)  # one that does not cross
    found = fought(s, 3112, "9Pz", "57ID")
    assert values(found) == (5 + 6, 5)
    assert column(found) == "2:1"


def test_s42_9_1d_9_2_3b_9_5_4_out_of_marsh_nobody_is_halved_and_no_tank_counts() -> None:
    s = position(("45RD", 3531), ("22Pz", 3532))
    assert net(fought(s, 3531, "22Pz")) == 1
    s.rained = True
    found = fought(s, 3531, "22Pz")
    assert (values(found), net(found)) == ((7, 10), 0)
    s = position(("16TC", 3532), ("22Pz", 3531))
    s.rained = True
    found = fought(s, 3532, "22Pz")
    assert (values(found), net(found)) == ((7, 10), 0)  # every type in marsh


def test_s42_9_6_3_9_1d_infantry_is_doubled_in_cities_of_both_kinds() -> None:
    for town, start in ((2503, 2502), (2708, 2707)):
        s = position(("45RD", town), ("16TC", town), ("57ID", start))
        found = fought(s, town, "57ID")
        assert values(found) == (6, 5 * 2 + 5)
    s = position(("45RD", 2013), ("57ID", 2014))
    assert values(fought(s, 2013, "57ID")) == (6, 5)  # Valuyki is a town


def test_s42_9_1_9_9_16_4b_no_unit_is_doubled_twice_and_some_are_halved_twice() -> None:
    """A city behind a river; an attacker of nine out of supply over a major river counts three."""
    s = position(("45RD", 2503), ("57ID", 2403))
    assert values(fought(s, 2503, "57ID")) == (3, 10)
    change(s, "57ID", supply=OUT_OF_SUPPLY)
    assert values(fought(s, 2503, "57ID")) == (2, 10)
    s = position(("45RD", 3418), ("44ID", 3417), ("383ID", 3417))
    for code in ("44ID", "383ID"):
        change(s, code, supply=OUT_OF_SUPPLY)
    assert values(fought(s, 3418, "44ID", "383ID")) == (3 + 3, 5)


def test_s42_9_9b_5_6_4a_9_1c_13_2_1c_13_3_2c_disrupted_trains_and_full_retreat() -> None:
    s = position(("45RD", 3418), ("62RD", 3418), ("9Pz", 3417))
    change(s, "45RD", order=DISRUPTED)
    assert values(fought(s, 3418, "9Pz"))[1] == 3 + 5
    change(s, "45RD", order=ROUTED)
    assert values(fought(s, 3418, "9Pz"))[1] == 5
    change(s, "45RD", order=0, train=True)
    assert values(fought(s, 3418, "9Pz"))[1] == 1 + 5
    s = position(("45RD", 2503), ("9Pz", 2502))
    change(s, "45RD", train=True)
    assert values(fought(s, 2503, "9Pz"))[1] == 1  # never doubled


def test_s42_9_8_8_4_1b_20_10_support_defends_only_where_nobody_else_does() -> None:
    s = position(("Bryansk-HQ", 3418), ("SW-HQ", 3418), ("45RD", 3418), ("9Pz", 3417))
    assert values(fought(s, 3418, "9Pz"))[1] == 5
    change(s, "45RD", order=ROUTED)
    assert values(fought(s, 3418, "9Pz"))[1] == 1  # units in Full Retreat do not count as others
    s.put(number("45RD"), 3806)
    assert values(fought(s, 3418, "9Pz"))[1] == 1
    change(s, "Bryansk-HQ", order=ROUTED)
    found = fought(s, 3418, "9Pz")
    assert [part.unit for part in found.defenders] == [number("SW-HQ")]
    change(s, "SW-HQ", order=ROUTED)
    s.put(number("Sup-S1"), 3418)
    assert fought(s, 3418, "9Pz").column == AUTOMATIC  # S42-8.4.1b: nothing defends


# The column.


def test_s42_8_6_1b_twenty_two_to_three_and_ten_to_three_with_tanks() -> None:
    s = position(("9Pz", 3417), ("3PzG", 3417), ("75ID", 3417), ("3Pz", 3417), ("45RD", 3418, 1))
    for codes, plain, column in ((("9Pz", "3PzG", "75ID"), "7:1", "9:1"), (("9Pz",), "3:1", "5:1")):
        found = fought(s, 3418, *codes).reckoned
        odds = s.chart.odds
        assert (odds.label(found.plain), odds.label(found.column)) == (plain, column)
    assert fought(s, 3418, "9Pz", "3Pz", "75ID").column == AUTOMATIC  # 26:3 = 8:1
    assert describe(s, fought(s, 3418, "9Pz", "3PzG", "75ID")).endswith("column 7:1")  # the last one of the table
    assert describe(s, fought(s, 3418, "9Pz", "3Pz", "75ID")).endswith("column 10:1")


def test_s42_9_9d_8_5_1_8_5_2_most_that_counts() -> None:
    pz = ("9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz")
    s = position(*((code, 3417) for code in pz), ("45ID", 1015), ("95ID", 1015), ("45RD", 1016))
    s.put(number("62RD"), 3418)
    assert values(fought(s, 3418, *pz))[0] == 40
    assert values(fought(s, 1015, "45RD", side=AXIS))[1] == 20  # two of seven, doubled


def test_s42_8_5_1_8_5_2_what_does_not_count_is_said() -> None:
    pz = ("9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz")
    s = position(*((code, 3417) for code in pz), ("45ID", 1015), ("95ID", 1015), ("45RD", 1016), ("62RD", 3418))
    found = fought(s, 3418, *pz)
    total = sum(part.value for part in found.attackers)
    text = describe(s, found)
    assert f", of {total} attack points 40 count (S42-8.5.1)" in text
    assert text.rsplit(" ", 1)[-1] == column_name(s, found.column)  # the flag at the battle shows the last word
    assert "S42-8.5" not in describe(s, fought(s, 3418, *pz[:4]))  # 40, and no more
    found = fought(s, 1015, "45RD", side=AXIS)
    assert ", of 28 defence points 20 count (S42-8.5.2)" in describe(s, found)


def test_s42_9_2_3a_9_2_3b_why_tanks_give_no_shift() -> None:
    s = position(("9Pz", 3417), ("75ID", 3417), ("45RD", 3418))
    tanks = [number("9Pz"), number("75ID")]
    assert tanks_unused(s, tanks, 3418, SOVIET) == ""
    s.forts[3418] = SOVIET
    assert tanks_unused(s, tanks, 3418, SOVIET) == "Tanks give no shift against a completed fort (S42-9.2.3a)."
    assert tanks_unused(s, tanks[1:], 3418, SOVIET) == ""  # without tanks
    assert "cities (S42-9.2.3a)" in tanks_unused(s, tanks, 1015, SOVIET)
    s.put(number("9Pz"), 3012)
    assert over_river(s, 3012, 3112)
    assert "across a river or out of marsh" in tanks_unused(s, tanks, 3112, SOVIET)


def test_s42_8_4_2_8_4_1a_columns_beyond_the_table() -> None:
    """8:1 with one to the left is 7:1; 7:1 with one to the right stays; 10:1 is certain; below 1:3 there is none."""
    last = len(CHART.odds.columns) - 1
    assert [column_of(CHART, k) for k in (-1, 0, last, last + 1, last + 2, last + 3)] == [
        NO_ATTACK,
        0,
        last,
        last,
        last,
        AUTOMATIC,
    ]
    s = position(("9Pz", 3417), ("11Pz", 3417), ("16PzG", 3417), ("106RB", 3418))
    found = fought(s, 3418, "9Pz", "11Pz", "16PzG")  # 26 to 2, and two columns
    assert found.column == AUTOMATIC


def test_s42_8_6_1b_eight_to_one_and_two_columns_are_certain() -> None:
    s = position(("9Pz", 3417), ("11Pz", 3417), ("383ID", 3417), ("62RD", 3418, 1))
    found = fought(s, 3418, "9Pz", "11Pz", "383ID")
    assert values(found) == (25, 3)
    assert (column(found), found.column) == ("10:1", AUTOMATIC)


def test_s42_8_4_2_g2_2_a_fort_can_forbid_an_attack() -> None:
    s = position(("106RB", 2528), ("45RD", 2528), ("62RD", 2528), ("369Cro", 2527), ("385ID", 2527))
    assert column(fought(s, 2528, "385ID")) == "1:5"
    assert fought(s, 2528, "385ID").column == NO_ATTACK
    assert fought(s, 2528, "385ID", more=(AIR, AIR)).column == 0
    assert fought(s, 2528).column == NO_ATTACK  # nobody attacks


def test_s42_9_9a_rough_ground_gives_a_column() -> None:
    """No hex of this map is rough; with a table in which clear hexes are, it counts."""
    s = position(("45ID", 3417), ("45RD", 3418))
    s.chart = replace(CHART, ground={**CHART.ground, "clear": CHART.ground["clear"]._replace(shift=-1)})
    assert [(shift.by, shift.rule) for shift in fought(s, 3418, "45ID").reckoned.shifts] == [(-1, "S42-9.9")]


def test_s42_22_7_units_attack_out_of_an_area() -> None:
    s = position(("45ID", 4105), ("16TC", 4008))
    s.put(number("16TC"), CHART.areas["m"])
    found = fought(s, 4105, "16TC", side=AXIS)
    assert (values(found), net(found)) == ((7, 7), 1)


def test_s42_20_5_1_allies_of_two_nations_do_not_attack_together() -> None:
    s = position()
    units = {code: number(code) for code in ("45ID", "6LHun", "7LHun", "1Rom", "Wiking", "45RD", "9NKVD")}
    assert may_join(s, [units["45ID"], units["6LHun"], units["7LHun"], units["Wiking"]])
    assert not may_join(s, [units["6LHun"], units["1Rom"], units["45ID"]])
    assert may_join(s, [units["45RD"], units["9NKVD"]])


def test_s42_9_2_3c_one_tank_unit_that_is_not_hindered_earns_the_shift_for_all() -> None:
    s = position(("22Pz", 2518), ("3PzG", 2617), ("45RD", 2618))
    assert "minor_river" not in BOARD.edges[2617, 2618]
    assert net(fought(s, 2618, "22Pz")) == 0
    assert net(fought(s, 2618, "22Pz", "3PzG")) == 1


def test_s42_16_4b_16_4e_8_1d_out_of_supply_attacks_are_halved_and_the_defence_of_all_is_whole() -> None:
    s = position(("45ID", 3417), ("45RD", 3418), ("16TC", 3418))
    for code in ("45ID", "45RD", "16TC"):
        change(s, code, supply=OUT_OF_SUPPLY)
    found = fought(s, 3418, "45ID")
    assert values(found) == (3, 10)
    assert net(found) == -1  # their tanks count, too
    assert s.zone(SOVIET)


def test_s42_15_3b_the_weakest_beyond_the_limit_are_not_reckoned_with() -> None:
    s = position(("9Pz", 3417), ("45RD", 3418), ("62RD", 3418), ("121RD", 3418))
    change(s, "62RD", order=DISRUPTED)
    assert set(defending(s, 3418, SOVIET)) == {number("45RD"), number("121RD")}
    assert values(fought(s, 3418, "9Pz"))[1] == 10


def test_s42_12_1_3a_who_has_no_way_back_is_gone_in_the_odds_too() -> None:
    """Disrupted, so that nobody stands, with enemies on all sides and with a way out."""
    ring = dict(zip(BOARD.near[3418], ("9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz"), strict=True))
    for beside, ends in ((6, {GONE, HOLDS}), (1, {GONE, HOLDS, RETREATS})):
        s = position(("45RD", 3418), *((code, place) for place, code in list(ring.items())[:beside]))
        change(s, "45RD", order=DISRUPTED)
        f = Battle(seat=AXIS, target=3418, units=(number("9Pz"),), defenders=(number("45RD"),), stance=GIVE)
        found = outcomes(s, f)
        assert sum(found.values()) == 1
        assert {end.what for end in found} <= ends
        assert (RETREATS in {end.what for end in found}) is (beside == 1)
        assert any(end.what == GONE and end.defender < 2 for end in found) is (beside == 6)


def test_s42_12_1_1a_11_6_1a_every_end_is_in_the_odds_a_delay_too() -> None:
    units = ("45ID", 3417), ("75ID", 3417)
    s = position(*units, ("45RD", 3418), turn=8)
    both = tuple(number(code) for code, _ in units)
    f = Battle(seat=AXIS, target=3418, units=both, defenders=(number("45RD"),), stance=HOLD)
    found = outcomes(s, f)
    assert sum(found.values()) == 1
    assert DELAYS in {end.what for end in found}


def test_s42_12_1_3c_in_the_odds_a_hex_is_given_up_as_long_as_one_of_its_units_has_a_way() -> None:
    """One has a step to spare for a shorter way, the other has not."""
    beside = [("9Pz", 3417), ("11Pz", 3318), ("24Pz", 3319), ("3Pz", 3518), ("23Pz", 3519)]
    behind = [("14Pz", 3420), ("57ID", 3620), ("62ID", 3220)]
    s = position(("45RD", 3418), ("121RD", 3418, 1), *beside, *behind, ("62RD", 3419))
    defenders = number("45RD"), number("121RD")
    assert [len(routes(s, unit, 2).ways) for unit in defenders] == [1, 0]
    f = Battle(seat=AXIS, target=3418, units=(number("9Pz"),), defenders=defenders, stance=GIVE)
    found = outcomes(s, f)
    assert RETREATS in {end.what for end in found}
    assert not any(end.what == GONE and not end.defender for end in found)


def test_s42_9_5_1_9_5_4_22_7_nobody_attacks_out_of_an_area_as_out_of_marsh() -> None:
    area = CHART.areas["a"]
    for target in CHART.map.entries["a"].places:
        assert not over_river(position(("45RD", area)), area, target)


def test_s42_8_3b_8_4_1b_whoever_is_in_full_retreat_defends_with_nothing() -> None:
    s = position(("9Pz", 3417), ("45RD", 3418))
    change(s, "45RD", order=ROUTED)
    found = attack(s, [number("9Pz")], 3418, SOVIET)
    assert (found.column, found.reckoned.attack, found.reckoned.defence) == (AUTOMATIC, 10, 0)
