"""S42-4, S42-6, S42-7, S42-10: stacks, zones of control, bonds and steps of a position."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import Out
from pbem.kit import NOWHERE, Barrier
from pbem_rules.stalingrad42.chart import GARRISON
from pbem_rules.stalingrad42.movement.passing import come_through
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import (
    DISRUPTED,
    ELIMINATED,
    GOOD,
    POOL,
    REMOVED,
    ROUTED,
    WAITING,
    Piece,
    State,
)

BOARD = CHART.board


def mask(*places: int) -> int:
    return BOARD.mask(places)


def order(s: State, code: str, state: int) -> None:
    unit = number(code)
    s.alter(unit, replace(s.pieces[unit], order=state))


def pairs(s: State, side: str) -> set[tuple[int, int]]:
    return {(bond.a, bond.b) for bond in s.bonds(side)}


# The start.


def test_s42_s1_1_the_position_at_the_start() -> None:
    s = at_start(CHART)
    places = [s.at(unit.number) for unit in CHART.units]
    assert (places.count(WAITING), places.count(POOL)) == (35, 16)
    assert s.at(number("23Pz")) == 1515
    assert s.pieces[number("23Pz")].steps == 2
    assert s.face(number("23Pz")).attack == 7
    assert s.pieces[number("28TC")].steps == 1
    assert s.pieces[number("6A-HQ")].ready
    assert not s.pieces[number("Sup-A1")].ready
    assert sum(waits == GARRISON for waits in s.frozen.values()) == 2
    assert len(s.frozen) == 11
    assert (s.code(0), s.code(-1), s.code(len(CHART.units))) == (CHART.units[0].code, "That", "That")
    assert s.holders[2503] == SOVIET


def test_s42_7_bonds_at_the_start_hold_the_front() -> None:
    """Both sides have bonds along the line, and none reaches over it into an enemy hex."""
    s = at_start(CHART)
    for side in (AXIS, SOVIET):
        bonds = s.bonds(side)
        assert len(bonds) > 20
        for bond in bonds:
            assert bond.b < 0 or BOARD.grid.distance(bond.a, bond.b) == 2
            held = s.fighters(SOVIET if side == AXIS else AXIS)
            assert not all(BOARD.bit[x] & held for x in bond.between)


# Stacking.


def test_s42_4_1_4_2_18_2_3a_19_2a_three_or_two_units_and_one_that_stacks_freely() -> None:
    s = position(("45ID", 2004), ("95ID", 2004), ("383ID", 2004), ("45RD", 2006), ("62RD", 2006))
    assert not s.overfull(2004, AXIS)
    assert s.overfull(2004, AXIS, [number("57ID")])
    assert not s.overfull(2004, AXIS, [number("177/243StuG")])
    assert s.overfull(2004, AXIS, [number("177/243StuG"), number("244/245StuG")])  # the second one counts
    assert not s.overfull(2006, SOVIET, [number("10TB"), number("SW-HQ"), number("Bryansk-HQ"), number("Sup-S1")])
    assert s.overfull(2006, SOVIET, [number("121RD")])


def test_s42_22_4a_4_4d_areas_hold_any_number() -> None:
    s = position(("45ID", 2004))
    area = CHART.areas["x"]
    s.put(number("45ID"), area)
    assert s.in_area(number("45ID"))
    assert not s.overfull(area, AXIS, [number(code) for code in ("95ID", "383ID", "57ID", "168ID")])
    assert not s.in_area(number("95ID"))  # nowhere


# Zones of control.


def test_s42_6_1_zones_cross_rivers_and_not_the_edge_of_areas() -> None:
    s = position(("45RD", 2909), ("62RD", 4105))
    assert s.zone(SOVIET) == BOARD.mask((*BOARD.grid.neighbours(2909), 4104, 4106, 4004, 4005))
    s = position(("45RD", 4105))
    s.put(number("45RD"), CHART.areas["m"])
    assert not s.zone(SOVIET)


def test_s42_6_1_5_6_4a_13_2_1b_19_2a_disrupted_units_and_support_have_zones_supplies_and_trains_have_none() -> None:
    s = position(("45RD", 2004), ("Bryansk-HQ", 2008), ("Sup-S1", 2012))
    order(s, "45RD", DISRUPTED)
    assert s.zone(SOVIET) == mask(*BOARD.grid.neighbours(2004), *BOARD.grid.neighbours(2008))
    unit = number("45RD")
    s.alter(unit, replace(s.pieces[unit], train=True))
    assert s.zone(SOVIET) == mask(*BOARD.grid.neighbours(2008))


# Bonds.


def test_s42_7_1_bonds_in_a_line_and_over_a_corner() -> None:
    s = position(("45RD", 3417), ("62RD", 3419))
    assert s.barrier(SOVIET, moving=True) == Barrier(mask(3418), frozenset())
    s = position(("45RD", 3417), ("62RD", 3519))
    assert s.barrier(SOVIET, moving=True) == Barrier(0, frozenset({(3418, 3518), (3518, 3418)}))


def test_s42_7_1a_18_2_3a_one_light_unit_makes_no_bond_and_two_do() -> None:
    assert not position(("10TB", 3417), ("62RD", 3419)).bonds(SOVIET)
    assert position(("10TB", 3417), ("14/170TB", 3417), ("62RD", 3419)).bonds(SOVIET)
    assert position(("10TB", 3417), ("SW-HQ", 3417), ("62RD", 3419)).bonds(SOVIET)
    assert not position(("SW-HQ", 3417), ("Sup-S1", 3417), ("62RD", 3419)).bonds(SOVIET)


@pytest.mark.parametrize("state", [DISRUPTED, ROUTED])
def test_s42_7_1d_13_2_1b_13_3_2a_only_units_in_good_order_make_bonds(state: int) -> None:
    s = position(("45RD", 3417), ("62RD", 3419))
    assert pairs(s, SOVIET) == {(3417, 3419)}
    order(s, "45RD", state)
    assert not s.bonds(SOVIET)
    order(s, "45RD", GOOD)
    assert s.bonds(SOVIET)
    s.alter(number("62RD"), replace(s.pieces[number("62RD")], train=True))
    assert not s.bonds(SOVIET)


def test_s42_7_3a_an_enemy_on_both_sides_cancels_a_bond_over_a_corner() -> None:
    s = position(("45RD", 3417), ("62RD", 3519), ("45ID", 3418), ("95ID", 3619))
    assert pairs(s, SOVIET) == {(3417, 3519)}
    s.put(number("95ID"), 3518)
    assert not s.bonds(SOVIET)
    s.put(number("95ID"), 3619)
    assert s.bonds(SOVIET)  # S42-7.3b: restored at once


def test_s42_7_3b_an_enemy_between_cancels_a_bond_in_a_line() -> None:
    s = position(("45RD", 3417), ("62RD", 3419), ("45ID", 3418))
    assert not s.bonds(SOVIET)


def test_s42_7_3_supply_points_cancel_nothing() -> None:
    s = position(("45RD", 3417), ("62RD", 3419), ("Sup-A1", 3418))
    assert s.bonds(SOVIET)


def test_s42_7_6_1c_a_bond_holds_across_two_minor_rivers() -> None:
    s = position(("45RD", 1411), ("62RD", 1413))
    assert "minor_river" in BOARD.edges[1411, 1412]
    assert "minor_river" in BOARD.edges[1412, 1413]
    assert pairs(s, SOVIET) == {(1411, 1413)}


def test_s42_7_4_bonds_that_cross_both_stay_in_force() -> None:
    """S42-7.4: 3417 to 3519 runs over the side of 3418 and 3518, where the enemy's bond runs along."""
    s = position(("45RD", 3417), ("62RD", 3519), ("45ID", 3418), ("95ID", 3617))
    assert pairs(s, SOVIET) == {(3417, 3519)}
    assert pairs(s, AXIS) == {(3418, 3617)}


def test_s42_7_5_7_6_2_a_bond_with_a_friendly_area_and_none_with_the_coast_or_the_enemys() -> None:
    """S42-7.5, S42-7.6.2: 4005 lies one hex in from Area M."""
    s = position(("45RD", 4005), ("31RD", 2736))
    assert [(bond.a, bond.between) for bond in s.bonds(SOVIET)] == [(4005, (4105, 4106))]
    assert s.barrier(SOVIET, moving=True).sides == {(4105, 4106), (4106, 4105)}
    assert not position(("45ID", 4005)).bonds(AXIS)
    assert not position(("45RD", 1105)).bonds(SOVIET)  # Area Z is the Axis'
    assert position(("45ID", 1105)).bonds(AXIS)
    assert not position(("10TB", 4005)).bonds(SOVIET)


def test_s42_7_6_1a_two_major_rivers_break_a_bond_and_one_does_not() -> None:
    line = position(("45RD", 2504), ("62RD", 2506))  # both sides of 2505 are the Don
    assert not line.bonds(SOVIET)
    assert position(("45RD", 1820), ("62RD", 1822)).bonds(SOVIET)  # one side of 1821 is the Donets
    assert not position(("45RD", 3730), ("62RD", 3831)).bonds(SOVIET)  # the mouth of the Donets: two on either way
    assert position(("45RD", 1722), ("62RD", 1922)).bonds(SOVIET)  # one on either way


def test_s42_7_6_1b_a_bond_over_a_corner_takes_the_way_without_rivers_unless_the_enemy_is_there() -> None:
    """2324 and 2524: over 2423 two major rivers, over 2424 none."""
    s = position(("45RD", 2324), ("62RD", 2524))
    assert pairs(s, SOVIET) == {(2324, 2524)}
    s = position(("45RD", 2324), ("62RD", 2524), ("45ID", 2424))
    assert not s.bonds(SOVIET)
    s = position(("45RD", 2324), ("62RD", 2524), ("45ID", 2423))
    assert s.bonds(SOVIET)


def test_s42_7_6_1_no_bond_over_the_sea() -> None:
    """2634 and 2536 by Taganrog have only water between them."""
    around = set(BOARD.grid.neighbours(2735)) & set(BOARD.grid.neighbours(2535))
    assert {BOARD[place].terrain for place in around} <= {"sea", "minor_city", "clear"}
    s = position(("45RD", 2634), ("62RD", 2636))
    assert BOARD[2635].terrain == "sea"
    assert not s.bonds(SOVIET)


def test_s42_7_3_whoever_moves_counts_as_standing_in_the_hex_that_they_leave() -> None:
    """From 3418 into 3518, where a friend stands, the bond is cancelled for that step; for supply it is not."""
    s = position(("45RD", 3417), ("62RD", 3519), ("45ID", 3518))
    assert s.barrier(SOVIET, moving=True).sides == {(3518, 3418)}
    assert s.barrier(SOVIET, moving=False).sides == {(3518, 3418), (3418, 3518)}


# Steps.


def test_s42_10_3b_10_4_1_10_4_2_steps_of_a_panzer_division() -> None:
    s = position(("9Pz", 2004))
    unit = number("9Pz")
    assert not s.may_be_remnant(unit)  # it has three steps
    s.lose_step(unit)
    assert s.face(unit).attack == 7
    assert s.may_be_remnant(unit)
    s.lose_step(unit)
    assert (s.face(unit).attack, s.face(unit).defence) == (3, 3)
    s.lose_step(unit)
    assert s.at(unit) == REMOVED  # S42-10.4.2: out of the game for good


def test_s42_10_4_3a_10_4_3b_10_3b_10_4_1_a_remnant_declined_or_not_to_be_had() -> None:
    s = position(("9Pz", 2004, 2), *((f"{n}Pz", 2100 + n, 1) for n in (3, 11, 13, 14)))
    assert s.remnants_left("panzer") == 0
    assert not s.may_be_remnant(number("9Pz"))
    s.lose_step(number("9Pz"))
    assert s.at(number("9Pz")) == ELIMINATED
    s = position(("9Pz", 2004, 2), ("3PzG", 2004, 2))
    s.lose_step(number("9Pz"), remnant=False)
    assert s.at(number("9Pz")) == ELIMINATED
    assert s.remnants_left("grenadier") == 4
    s.lose_step(number("3PzG"))
    assert (s.remnants_left("grenadier"), s.remnants_left("panzer")) == (3, 4)
    s.put(number("3PzG"), ELIMINATED)
    assert s.remnants_left("grenadier") == 4


def test_s42_10_3a_2_3_5a_20_4b_units_of_one_and_two_steps() -> None:
    s = position(("45RD", 2004), ("106RB", 2004), ("9NKVD", 3134), ("98RD", 2006))
    order(s, "98RD", DISRUPTED)
    s.lose_step(number("45RD"))
    assert not s.may_be_remnant(number("45RD"))
    assert s.at(number("45RD")) == 2004
    for code in ("45RD", "106RB", "9NKVD", "9NKVD"):
        s.lose_step(number(code))
    assert s.at(number("45RD")) == s.at(number("106RB")) == ELIMINATED
    assert s.at(number("9NKVD")) == REMOVED  # S42-20.4b: a garrison is not replaced
    assert s.ground.of(SOVIET, 2004) == ()
    for _ in range(2):  # one that arrives later
        s.lose_step(number("98RD"))
    assert s.pieces[number("98RD")] == Piece(ELIMINATED, 0)
    s.put(number("9Pz"), 2004)
    s.destroy(number("9Pz"))
    assert s.at(number("9Pz")) == ELIMINATED  # without a Remnant


# Control.


def test_s42_16_3_4_combat_units_take_towns_and_supplies_do_not() -> None:
    s = position(("Sup-A1", 2502), ("9Pz", 2502))
    s.put(number("Sup-A1"), 2503)
    assert s.holders[2503] == SOVIET
    s.put(number("9Pz"), 2503)
    assert s.holders[2503] == AXIS
    s.put(number("9Pz"), 2502)
    s.put(number("9Pz"), NOWHERE)
    assert s.holders[2503] == AXIS
    assert set(s.holders) == set(CHART.held)


# What the pieces are.


def test_s42_2_3_1a_2_3_1b_19_1_19_3a_supplies_cannot_fight_and_the_face_that_shows_counts() -> None:
    s = position(("Sup-A1", 2004), ("6A-HQ", 2004), ("9Pz", 2004, 2))
    assert [s.fights(number(code)) for code in ("Sup-A1", "6A-HQ", "9Pz")] == [False, True, True]
    assert {CHART.units[u].code[:3] for u in s.pieces if not s.fights(u)} == {"Sup"}
    assert (s.face(number("9Pz")).attack, s.face(number("9Pz")).defence) == (7, 6)


def test_s42_6_1d_units_in_full_retreat_keep_their_zones() -> None:
    s = position(("45RD", 2004))
    order(s, "45RD", ROUTED)
    assert s.zone(SOVIET) == mask(*BOARD.grid.neighbours(2004))


def test_s42_20_4a_a_garrison_that_is_destroyed_waits_for_nobody() -> None:
    """Else the next Axis unit that passes is measured against a place off the map."""
    s = position(("9NKVD", 3134, 1), ("45ID", 3033))
    s.frozen[number("9NKVD")] = "garrison"
    s.lose_step(number("9NKVD"))
    assert not s.frozen
    come_through(s, number("45ID"), (3133, 3134), Out())
    assert s.at(number("45ID")) == 3134
