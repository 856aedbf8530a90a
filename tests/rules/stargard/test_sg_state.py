"""SG-4.2, SG-6, SG-8.6, SG-12.4: zones, stacks and steps of a position."""

from __future__ import annotations

from sg_positions import number, position

from pbem_rules.stargard.chart import GERMAN, SOVIET
from pbem_rules.stargard.state import VOLKSSTURM_BOX


def test_sg_4_2_4_2_1_attack_of_one_makes_a_zone() -> None:
    state = position(("F-Arnswalde", 2608), ("24/11SS", 2911))
    assert not state.in_zone(2609, GERMAN)
    assert state.in_zone(2910, GERMAN)


def test_sg_6_3_1_a_unit_without_a_zone_takes_that_of_its_stack() -> None:
    state = position(("F-Arnswalde", 2608), ("Voigt", 2608))
    assert not state.zone(GERMAN)
    state = position(("Voigt", 2608), ("StellII-HQ", 2608))
    assert state.in_zone(2609, GERMAN)


def test_sg_4_6_5_no_zone_across_the_oder() -> None:
    state = position(("24/11SS", 617))
    assert not state.in_zone(517, GERMAN)
    assert state.in_zone(716, GERMAN)


def test_sg_6_0_6_3b_two_combat_units_and_a_headquarters() -> None:
    state = position(("24/11SS", 2911), ("23/11SS", 2911), ("HvS/11SS", 2910), ("3SSPz-HQ", 2910), ("39Pz-HQ", 2810))
    assert not state.has_room(number("HvS/11SS"), 2911)
    assert state.has_room(number("3SSPz-HQ"), 2911)
    assert state.has_room(number("24/11SS"), 2910)
    assert not state.has_room(number("39Pz-HQ"), 2910)


def test_sg_8_6a_12_4a_steps_and_volkssturm() -> None:
    state = position(("24/11SS", 2911), ("Pommern", 106))
    unit, militia = number("24/11SS"), number("Pommern")
    full = state.face(unit).attack
    state.lose_step(unit)
    assert state.face(unit).attack < full
    state.lose_step(unit)
    assert not state.on_map(unit)
    state.lose_step(militia)
    assert state.at(militia) == VOLKSSTURM_BOX


def test_sg_1_5_5_settlements_are_taken_by_combat_units_alone() -> None:
    state = position(("2GT-HQ", 1306), ("79GT", 1308))
    state.put(number("2GT-HQ"), 1307)
    assert state.holders[1307] == GERMAN
    state.put(number("79GT"), 1307)
    assert state.holders[1307] == SOVIET
