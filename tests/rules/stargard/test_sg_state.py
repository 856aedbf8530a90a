"""SG-4.2, SG-6, SG-8.6, SG-12.4: zones, stacks and steps of a position."""

from __future__ import annotations

from sg_positions import CHART, number, position

from pbem.kit import reach
from pbem_rules.stargard.chart import GERMAN, SOVIET
from pbem_rules.stargard.movement import normal
from pbem_rules.stargard.state import ISOLATED, OUT_OF_SUPPLY, SUPPLIED, VOLKSSTURM_BOX


def test_sg_4_2_4_2_1_attack_of_one_makes_a_zone() -> None:
    state = position(("F-Arnswalde", 2608), ("24/11SS", 2911))
    assert not state.in_zone(2609, GERMAN)
    assert state.in_zone(2910, GERMAN)
    state = position(("119UR/7GC", 2911), ("2GT-HQ", 2608))
    assert state.face(number("119UR/7GC")).attack == 1
    assert state.in_zone(2910, SOVIET)
    assert not state.in_zone(2609, SOVIET)


def test_sg_3_2_combat_units_of_a_side() -> None:
    state = position(("24/11SS", 2911), ("3SSPz-HQ", 2911))
    assert state.combat_units(2911) == state.combat_units(2911, GERMAN) == (number("24/11SS"),)
    assert state.combat_units(2911, SOVIET) == ()


def test_sg_12_2_6_a_headquarters_stands_alone_where_nobody_else_does() -> None:
    state = position(
        ("3SSPz-HQ", 2911),
        ("39Pz-HQ", 3719),
        ("24/11SS", 3719),
        ("23/11SS", 1003),
        ("StellII-HQ", 2608),
        ("Munzel-HQ", 2608),
    )
    found = [state.lone_hq(place) for place in (2911, 3719, 2608, 1003, 1004)]
    assert found == [number("3SSPz-HQ"), -1, -1, -1, -1]


def test_sg_6_3_1_a_unit_without_a_zone_takes_that_of_its_stack() -> None:
    """TEST-16."""
    state = position(("F-Arnswalde", 2608), ("Voigt", 2608))
    assert not state.zone(GERMAN)
    state = position(("Voigt", 2608), ("StellII-HQ", 2608))
    assert state.in_zone(2609, GERMAN)


def test_sg_4_6_5_no_zone_across_the_oder() -> None:
    state = position(("24/11SS", 617))
    assert not state.in_zone(517, GERMAN)
    assert state.in_zone(716, GERMAN)


def test_sg_4_0_zones_hamper_the_enemy_alone() -> None:
    state = position(("24/11SS", 1003), ("23/11SS", 1103))
    assert state.in_zone(1004, GERMAN)
    march = normal(state, number("24/11SS"), 120)
    assert march.terms.zone == 0


def test_sg_4_2_2_a_zone_covers_the_hexes_that_a_unit_could_reach() -> None:
    """AMB-09: neither movement points nor enemies matter; water is never in a zone (SG-4.6.5)."""
    board = CHART.board
    for place in (1003, 1411, 617):
        state = position(("24/11SS", place), ("212/80", board.near[place][0]))
        reachable = {near for near in board.near[place] if CHART.passable(place, near)}
        dry = {near for near in reachable if "oder" not in board.edges[place, near]}
        assert {near for near in board.near[place] if state.in_zone(near, GERMAN)} == dry
        assert not state.in_zone(place, GERMAN)
    lakes = [place for place in board.near[1411] if board[place].terrain == "lake"]
    assert lakes
    assert not any(position(("24/11SS", 1411)).in_zone(place, GERMAN) for place in lakes)


def test_sg_4_5_1_cut_off_and_pinned_units_keep_their_zones() -> None:
    for supply in (OUT_OF_SUPPLY, ISOLATED):
        state = position(("24/11SS", 1003, 1))
        state.mark_supply(number("24/11SS"), supply)
        state.pin(number("24/11SS"))
        assert state.in_zone(1004, GERMAN)


def test_sg_4_6_3_4_6_4_zones_do_not_add_up_and_do_not_cancel() -> None:
    """Two enemies beside a hex: it costs what one costs; a friend's zone there changes nothing."""
    state = position(("24/11SS", 1003), ("212/80", 1104), ("356/80", 1005), ("23/11SS", 903))
    assert state.in_zone(1004, SOVIET)
    assert state.in_zone(1004, GERMAN)
    march = normal(state, number("24/11SS"), 120)
    found = reach(march.links, CHART.board.bit, 1003, march.terms)
    assert found[1004][0] == 12 + 24 + 24 * state.in_zone(1003, SOVIET)


def test_sg_1_1_4b_a_headquarters_lies_below_combat_units() -> None:
    state = position(("39Pz-HQ", 1003), ("24/11SS", 1003), ("3SSPz-HQ", 1103))
    assert state.top_of(1003) == number("24/11SS")
    assert state.top_of(1103) == number("3SSPz-HQ")
    assert state.top_of(1203) == -1


def test_sg_6_1_1_markers_do_not_count() -> None:
    state = position(("24/11SS", 1003))
    state.pin(number("24/11SS"))
    state.mark_supply(number("24/11SS"), ISOLATED)
    assert state.has_room(number("23/11SS"), 1003)


def test_sg_6_0_6_3b_two_combat_units_and_a_headquarters() -> None:
    state = position(("24/11SS", 2911), ("23/11SS", 2911), ("HvS/11SS", 2910), ("3SSPz-HQ", 2910), ("39Pz-HQ", 2810))
    assert not state.has_room(number("HvS/11SS"), 2911)
    assert state.has_room(number("3SSPz-HQ"), 2911)
    assert state.has_room(number("24/11SS"), 2910)
    assert state.has_room(number("24/11SS"), 2911)  # where it stands
    assert not state.has_room(number("39Pz-HQ"), 2910)


def test_sg_8_6a_12_4a_steps_and_volkssturm() -> None:
    state = position(("24/11SS", 2911), ("Pommern", 106))
    unit, militia = number("24/11SS"), number("Pommern")
    full = state.face(unit).attack
    state.lose_step(unit)
    assert state.face(unit).attack < full
    state.lose_step(unit)
    assert not state.on_map(unit)
    state.pin(militia)
    state.mark_supply(militia, ISOLATED)
    state.lose_step(militia)
    piece = state.pieces[militia]
    assert (piece.steps, piece.supply, piece.pinned) == (1, SUPPLIED, False)
    assert state.at(militia) == VOLKSSTURM_BOX


def test_sg_1_5_5_settlements_are_taken_by_combat_units_alone() -> None:
    state = position(("2GT-HQ", 1306), ("79GT", 1308))
    state.put(number("2GT-HQ"), 1307)
    assert state.holders[1307] == GERMAN
    state.put(number("79GT"), 1307)
    assert state.holders[1307] == SOVIET
