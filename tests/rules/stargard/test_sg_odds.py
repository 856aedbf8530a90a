"""SG-1.1.2, SG-1.1.3, SG-8.4, SG-13: strengths, columns, shifts."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sg_plain import number, position

from pbem_rules.stargard.odds import (
    NO_ATTACK,
    attack_shares,
    column_name,
    defence_shares,
    distribution,
    explain,
    explain_shares,
    reckon_attack,
    total,
)

HEX, SOUTH, NORTH = 3620, 3619, 3621


def numbers(*codes):
    return tuple(sorted(map(number, codes)))


def column(state, target, *codes, air=0):
    reckoned = reckon_attack(state, numbers(*codes), target, air)
    return column_name(state, reckoned.column)


def test_sg_1_1_2a_1_1_2b_case_01_factors_multiply_and_the_total_is_rounded_down():
    state = position(("212/80", 2010), ("22/10SS", 2011), cut=["212/80"])
    shares = attack_shares(state, numbers("212/80"), 2011)
    assert shares[0].quarters == 5  # 1.25
    assert total(shares) == 1


def test_sg_1_1_3a_case_02_units_are_added_before_they_are_halved():
    units = ("212/80", SOUTH), ("356/80", SOUTH)
    assert total(attack_shares(position(*units, cut=["212/80", "356/80"]), numbers("212/80", "356/80"), HEX)) == 5
    state = position(("212/80", 2010), ("356/80", 2010), cut=["212/80", "356/80"])
    assert total(attack_shares(state, numbers("212/80", "356/80"), 2011)) == 2


def test_sg_1_1_3a_1_1_2b_case_38_mixed_factors():
    state = position(("212/80", SOUTH), ("6GT", SOUTH), ("Schaefer", HEX), cut=["212/80"])
    reckoned = reckon_attack(state, numbers("212/80", "6GT"), HEX)
    assert (reckoned.attack, reckoned.defence) == (6, 3)
    assert column_name(state, reckoned.column) == "2:1"


@pytest.mark.parametrize(
    ("attackers", "defender", "steps", "name"),
    [
        (("95T/9T", "6GT"), "22/10SS", 2, "2:1"),  # 11:5
        (("95T/9T",), "22/10SS", 2, "1:1"),  # 7:5
        (("85T",), "22/10SS", 2, "1:2"),  # 3:5
        (("1C/Pol",), "22/10SS", 2, "1:3"),  # 2:5
        (("95T/9T", "6GT", "85T"), "22/10SS", 1, "7:1"),  # 14:2
    ],
)
def test_sg_8_4_case_20_the_ratio_counts_for_the_defender(attackers, defender, steps, name):
    state = position(*((code, SOUTH) for code in attackers), (defender, HEX, steps))
    assert column(state, HEX, *attackers) == name


def test_sg_1_1_3b_above_7_to_1_counts_as_7_to_1_before_the_shifts():
    """AMB-04: 20 to 1 in a city is 5:1, and right shifts stop at 7:1."""
    units = [("150/79", 2414), ("171/79", 2414), ("33/12G", 2514)]
    state = position(*units, ("Pommern", 2415))
    assert column(state, 2415, "150/79", "171/79", "33/12G") == "5:1"
    state = position(("150/79", SOUTH), ("Pommern", HEX))
    assert column(state, HEX, "150/79", air=4) == "7:1"


def test_sg_1_1_3d_case_35_air_lifts_a_ratio_below_the_table():
    state = position(("1C/Pol", SOUTH), ("23/11SS", HEX))  # 2:6
    assert column(state, HEX, "1C/Pol") == "1:3"
    assert column(state, HEX, "1C/Pol", air=2) == "1:1"
    state = position(("119UR/7GC", SOUTH), ("23/11SS", HEX))  # 1:6
    assert column(state, HEX, "119UR/7GC", air=4) == "1:2"
    assert column(state, HEX, "119UR/7GC", air=3) == "1:3"


def test_sg_8_4_1a_8_4_1b_11_3_1a_11_3_2a_supply_halves_attack_and_defence_once():
    """SG-8.4.1a, SG-8.4.1b; isolation does not halve twice (AMB-06)."""
    for mark in ("cut", "isolated"):
        state = position(("75G/9G", SOUTH), ("23/11SS", HEX), **{mark: ["75G/9G", "23/11SS"]})
        reckoned = reckon_attack(state, numbers("75G/9G"), HEX)
        assert (reckoned.attack, reckoned.defence) == (3, 3)


@pytest.mark.parametrize(
    ("start", "target", "strength"), [(2010, 2011, 3), (2210, 2211, 3), (2610, 2611, 3), (SOUTH, HEX, 6)]
)
def test_sg_8_4_1c_rivers_halve_attackers_with_a_bridge_or_without(start, target, strength):
    state = position(("75G/9G", start), ("23/11SS", target))
    assert total(attack_shares(state, numbers("75G/9G"), target)) == strength
    assert total(defence_shares(state, target)) == 6


@pytest.mark.parametrize(
    ("target", "shift"), [(2015, 0), (2215, -1), (2415, -2), (2615, -1), (2815, -1), (3015, -2), (3215, 0), (HEX, 0)]
)
def test_sg_8_4_2_terrain_and_settlements_shift_to_the_left(target, shift):
    state = position(("150/79", target - 1), ("171/79", target - 1), ("22/10SS", target, 1))
    reckoned = reckon_attack(state, numbers("150/79", "171/79"), target)
    assert reckoned.plain == state.chart.odds.column(14, 2)
    assert reckoned.column - reckoned.plain == shift
    assert all(shift.rule == "SG-8.4.2" for shift in reckoned.shifts)


def test_sg_8_1_2a_8_4_1d_a_pinned_unit_in_the_target_shifts_once():
    """AMB-54."""
    units = ("75G/9G", SOUTH), ("Schaefer", HEX), ("Suelberg", HEX)
    assert column(position(*units), HEX, "75G/9G") == "1:1"
    assert column(position(*units, pinned=["Schaefer"]), HEX, "75G/9G") == "2:1"
    assert column(position(*units, pinned=["Schaefer", "Suelberg"]), HEX, "75G/9G") == "2:1"


def test_sg_8_3_2_3_2_all_units_of_the_hex_defend_and_headquarters_add_nothing():
    state = position(("22/10SS", HEX), ("21/10SS", HEX), ("39Pz-HQ", HEX))
    assert total(defence_shares(state, HEX)) == 10


def test_sg_1_1_3a_a_side_without_strength():
    """AMB-03: an attack that comes to nothing is impossible; a defence that comes to nothing counts as 7:1."""
    state = position(("119UR/7GC", SOUTH), ("Pommern", HEX), cut=["119UR/7GC"])
    reckoned = reckon_attack(state, numbers("119UR/7GC"), HEX)
    assert (reckoned.attack, reckoned.column) == (0, NO_ATTACK)
    state = position(("119UR/7GC", SOUTH), ("Pommern", HEX), cut=["Pommern"])
    reckoned = reckon_attack(state, numbers("119UR/7GC"), HEX)
    assert (reckoned.defence, column_name(state, reckoned.column)) == (0, "7:1")


def test_sg_8_2b_8_4_1e_each_shift_has_its_rule_and_chances_are_exact():
    state = position(("75G/9G", 2214), ("12G/9G", 2214), ("Schaefer", 2215), pinned=["Schaefer"])
    reckoned = reckon_attack(state, numbers("75G/9G", "12G/9G"), 2215, 1)
    said = "12 to 3 = 4:1, town -1 (SG-8.4.2), pinned target +1 (SG-8.1.2a), air units +1 (SG-13.1b): column 5:1"
    assert explain(state, reckoned) == said
    chances = distribution(state, reckoned.column)
    assert chances == dict.fromkeys(("Ar/D1", "A1/Dr", "Dr1", "D1", "D1r1", "D1r2"), Fraction(1, 6))
    low = reckon_attack(position(("1C/Pol", SOUTH), ("23/11SS", HEX)), numbers("1C/Pol"), HEX)
    assert explain(state, low).endswith("column 1:3, below 1:2, so that the attack is cancelled (SG-1.1.3c)")
    assert not distribution(state, low.column)


def test_sg_8_4_1a_8_4_1b_8_4_1c_strengths_say_what_halves_them():
    state = position(("212/80", 2010), ("22/10SS", 2011), isolated=["212/80"])
    shares = attack_shares(state, numbers("212/80"), 2011)
    assert explain_shares(state, shares) == (
        "212/80 5, halved across a river (SG-8.4.1c), halved isolated (SG-8.4.1b), counts 1 1/4, rounded down to 1 "
        "(SG-1.1.3a)"
    )
    state = position(("212/80", SOUTH), cut=["212/80"])
    shares = attack_shares(state, numbers("212/80"), HEX)
    assert explain_shares(state, shares) == (
        "212/80 5, halved out of supply (SG-8.4.1a), counts 2 1/2, rounded down to 2 (SG-1.1.3a)"
    )
    state = position(("212/80", SOUTH), ("75G/9G", SOUTH), ("150/79", SOUTH), cut=["212/80"])
    both = explain_shares(state, attack_shares(state, numbers("212/80", "75G/9G", "150/79"), HEX))
    assert both.endswith("counts 2 1/2; 75G/9G 6; 150/79 7: 15 1/2 in all, rounded down to 15 (SG-1.1.3a)"), both


def test_sg_1_1_3a_8_4_an_attack_without_strength_has_no_column():
    state = position(("119UR/7GC", SOUTH), ("Pommern", HEX), cut=["119UR/7GC"])
    assert column(state, HEX, "119UR/7GC") == "no attack at all"
    assert column_name(state, -1) == "1:3"
