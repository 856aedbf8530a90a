"""S42-12: retreats, and what eliminates a unit on its way."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from s42_combat import combat
from s42_positions import AXIS, CHART, SOVIET, number, position
from test_s42_combat import change, order_of, rule_of

from pbem.game import DONE, Out
from pbem.kit import StepLost
from pbem_rules.stalingrad42.combat.determined import leads
from pbem_rules.stalingrad42.combat.flight import ChooseWay, Onward
from pbem_rules.stalingrad42.combat.odds import attack, defence_of
from pbem_rules.stalingrad42.combat.retreat import routes, steadfast
from pbem_rules.stalingrad42.events import Advanced, Fought, Retreated, Trapped
from pbem_rules.stalingrad42.frames import Retreat
from pbem_rules.stalingrad42.orders import GoBack
from pbem_rules.stalingrad42.state import DISRUPTED, GOOD, POOL, ROUTED, Piece, State
from pbem_rules.stalingrad42.supply.lines import lines

BOARD = CHART.board
GRID = BOARD.grid


def ends(s: State, code: str, length: int, *fled: str) -> set[int]:
    s.fled.update(map(number, fled))
    return {way.end for way in routes(s, number(code), length).ways}


def test_s42_12_1_2_12_1_1a_a_way_that_is_ordered_is_the_only_one() -> None:
    s = position(("45RD", 3418), ("9Pz", 3417))
    f = Retreat(SOVIET, 3418, (number("45RD"),), 2, AXIS, chooser=SOVIET)
    first, second, *_ = [each.path for each in ChooseWay().options(s, f, SOVIET)]
    for via in (first, second):
        assert [each.path for each in ChooseWay().options(s, replace(f, via=via), SOVIET)] == [via]
    assert len(list(ChooseWay().options(s, replace(f, via=(3417,)), SOVIET))) > 1  # one that is no way
    assert [ChooseWay().facts(s, f, seat, {})["attacks"] for seat in (SOVIET, AXIS)] == [0, 1]


def test_s42_12_1_3b_the_full_length_away() -> None:
    s = position(("45RD", 3009), ("9Pz", 2909))
    found = routes(s, number("45RD"), 2)
    assert found.steps == 0
    assert {way.distance for way in found.ways} == {2}
    assert all(len(way.path) == 2 for way in found.ways)
    assert {way.distance for way in routes(s, number("45RD"), 4).ways} == {4}
    zone = s.zone(AXIS)
    assert not any(BOARD.bit[way.end] & zone for way in found.ways)


def test_s42_12_1_3e_into_supply_before_elsewhere() -> None:
    """Germans far from every open road, between a hex in supply and hexes out of it."""
    s = position(("45ID", 3417), ("16TC", 3517))
    reached = lines(s, AXIS).reached
    found = ends(s, "45ID", 2)
    assert found
    assert all(reached & BOARD.bit[place] for place in found)
    assert any(not reached & BOARD.bit[place] for place in GRID.ring(3417, 2))


def test_s42_12_2c_supplies_cancel_no_zone() -> None:
    s = position(("45RD", 3418), ("Sup-S1", 3519))
    assert not steadfast(s, SOVIET) & BOARD.bit[3519]


def test_s42_12_2c_12_1_3a_never_two_zones_in_a_row() -> None:
    s = position(("45RD", 3418), ("9Pz", 3417), ("57ID", 3520))
    zone = s.zone(AXIS)
    for length in (2, 3, 4):
        for way in routes(s, number("45RD"), length).ways:
            assert not any(zone & BOARD.bit[a] and zone & BOARD.bit[b] for a, b in pairwise(way.path))
            assert not zone & BOARD.bit[way.end]


def test_s42_12_2b_g2_6_a_retreat_over_a_bond_where_a_friend_stands_beyond() -> None:
    """Who steps from 3418 into 3518 stands in the first, and with a friend cancels the bond of 3417 and 3519."""
    s = position(("45RD", 3318), ("9Pz", 3417), ("57ID", 3519))
    assert all(way.path[:2] != (3418, 3518) for way in routes(s, number("45RD"), 2).ways)
    s.put(number("62RD"), 3518)
    assert any(way.path[:2] == (3418, 3518) for way in routes(s, number("45RD"), 2).ways)


def test_s42_12_2a_12_2b_7_2b_enemies_and_their_bonds() -> None:
    s = position(("45RD", 3418), ("9Pz", 3417), ("57ID", 3519), ("62ID", 3319))
    found = ends(s, "45RD", 2)
    assert found == set()  # a ring of zones, bonds between
    s.put(number("62ID"), 3806)
    assert ends(s, "45RD", 2)
    assert all(not s.zone(AXIS) & BOARD.bit[place] for place in ends(s, "45RD", 2))


def test_s42_12_2c_12_2d_two_zones_in_a_row_eliminate_and_a_friend_opens_the_way() -> None:
    """Enemies two hexes away all around; a friend in the first hex cancels the zone there, and a hex more saves it."""
    ring = GRID.ring(3418, 2)
    codes = ("9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz")
    s = position(("45RD", 3418, 1), *zip(codes, ring[::2], strict=True))
    assert routes(s, number("45RD"), 2) == (0, ())
    s = position(("45RD", 3418), *zip(codes[:4], ring[:8:2], strict=True), ("62RD", GRID.neighbours(3418)[4]))
    assert ends(s, "45RD", 2)


def test_s42_12_2i_12_1_3f_a_friend_cancels_the_zone_only_if_it_has_not_retreated() -> None:
    s = position(("45RD", 3418), ("62RD", 3519), ("9Pz", 3619))
    assert BOARD.bit[3519] & s.zone(AXIS)
    assert BOARD.bit[3519] & steadfast(s, SOVIET)
    straight = {way.path for way in routes(s, number("45RD"), 2).ways}
    s.fled.add(number("62RD"))
    assert not BOARD.bit[3519] & steadfast(s, SOVIET)
    fled = {way.path for way in routes(s, number("45RD"), 2).ways}
    assert fled <= straight


def test_s42_12_2e_5_5_5c_major_rivers_are_crossed_by_bridges_and_pontoons_alone() -> None:
    s = position(("45RD", 2909), ("9Pz", 3009))
    over = {2809, 2709, 2708, 2810, 2808}
    assert not any(place in over for way in routes(s, number("45RD"), 2).ways for place in way.path if place == 2809)
    s.put(number("62RD"), 2809)
    assert any(2809 in way.path for way in routes(s, number("45RD"), 2).ways)


def test_s42_12_2g_22_5_into_an_area_is_far_enough() -> None:
    s = position(("45RD", 4105), ("9Pz", 4004), ("11Pz", 4006))
    found = routes(s, number("45RD"), 4)
    assert CHART.areas["m"] in {way.end for way in found.ways}
    s = position(("45ID", 4105), ("16TC", 4004), ("17TC", 4006), ("4TC", 4103), ("22TC", 4107))
    assert CHART.areas["m"] not in ends(s, "45ID", 2)  # not theirs


def test_s42_12_1_3c_12_2d_shorter_for_steps_only_to_friends_and_only_if_nothing_else_is_left() -> None:
    """Enemies on five sides, a friend on the sixth, and behind it nothing but zones."""
    beside = [cell for cell in GRID.neighbours(3418) if cell != 3419]
    codes = ("9Pz", "11Pz", "24Pz", "3Pz", "23Pz")
    behind = (("14Pz", 3420), ("57ID", 3620), ("62ID", 3220))
    s = position(("45RD", 3418), *zip(codes, beside, strict=True), *behind, ("62RD", 3419))
    found = routes(s, number("45RD"), 2)
    assert (found.steps, {way.path for way in found.ways}) == (1, {(3419,)})
    assert routes(s, number("45RD"), 3).steps == 0 or ends(s, "45RD", 3) == {3419}
    s.fled.add(number("62RD"))
    assert routes(s, number("45RD"), 2) == (0, ())
    s.fled.clear()
    s.set_steps(number("45RD"), 1)
    assert routes(s, number("45RD"), 2) == (0, ())  # it has no step to give
    s.set_steps(number("45RD"), 2)
    assert routes(s, number("45RD"), 2).steps == 1
    # S42-12.2d: without a bond, and without a zone behind it, one hex more saves it.
    s.put(number("57ID"), 3806)
    s.alter(number("14Pz"), replace(s.pieces[number("14Pz")], order=DISRUPTED))
    found = routes(s, number("45RD"), 2)
    assert (found.steps, {way.path for way in found.ways}) == (0, {(3419, 3520, 3620)})


def test_s42_12_1_3b_ways_that_turn_back_count_as_long_enough() -> None:
    """Zones two hexes away on all sides: over another hex to the friend in 3419, at no price."""
    around = GRID.ring(3418, 2)
    codes = ("9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz")
    s = position(("45RD", 3418), *zip(codes, around[::2], strict=True), ("62RD", 3419))
    found = routes(s, number("45RD"), 2)
    assert (found.steps, {way.end for way in found.ways}) == (0, {3419})
    assert {len(way.path) for way in found.ways} == {2}


def test_s42_5_7_3_12_2h_2_2_3a_nobody_retreats_over_the_sea() -> None:
    land = [place for place in GRID.neighbours(2338) if BOARD[place].terrain != "sea"]
    codes = ("9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz")
    s = position(("45RD", 2338), *zip(codes, land, strict=False))
    assert len(land) < 6
    assert routes(s, number("45RD"), 2) == (0, ())


# In the middle of a combat


def test_s42_12_1_3f_zones_are_no_bar_where_they_do_not_destroy_and_any_number_may_stand_at_the_end() -> None:
    s = position(("45RD", 3418), ("9Pz", 3417), ("62ID", 3516), ("62RD", 3420), ("121RD", 3420))
    zone = s.zone(AXIS)
    found = routes(s, number("45RD"), 2).ways
    assert any(zone & BOARD.mask(way.path) for way in found)
    assert any(not zone & BOARD.mask(way.path) for way in found)
    assert 3420 in {way.end for way in found}
    assert s.overfull(3420, SOVIET, (number("45RD"),))


def test_s42_12_2d_it_does_not_end_in_a_zone_unless_friends_stand_there() -> None:
    s = position(("45RD", 3418), ("9Pz", 3417), ("62ID", 3421))
    assert s.zone(AXIS) & BOARD.bit[3420]
    assert 3420 not in ends(s, "45RD", 2)
    assert all(len(way.path) == 2 for way in routes(s, number("45RD"), 2).ways)  # no hex more where none is needed
    s.put(number("62RD"), 3420)
    assert 3420 in ends(s, "45RD", 2)


def test_s42_12_1_3d_a_shorter_way_changes_neither_its_state_nor_the_advance() -> None:
    beside = [cell for cell in GRID.neighbours(3418) if cell != 3419]
    codes = ("9Pz", "11Pz", "24Pz", "3Pz", "23Pz")
    behind = (("14Pz", 3420), ("57ID", 3620), ("62ID", 3220))
    units = ("45RD", 3418), *zip(codes, beside, strict=True), *behind, ("62RD", 3419)
    d = combat(*units, dice={3418: 5}, turn=1)
    d.type("attack 3418 with 9pz advance 9pz 3418")
    d.type("done")
    (fought,) = d.seen(Fought)
    assert fought.result == "DRX" or fought.result.startswith(("A1", "D"))
    assert (d.state.at(number("45RD")), order_of(d, "45RD")) == (3419, DISRUPTED)
    assert [each.unit for each in d.seen(StepLost)][-1] == "45RD"  # for the shorter way
    assert [each.path[-1] for each in d.seen(Advanced)] == [3418]


def test_s42_12_3_destroyed_defenders_leave_the_whole_advance() -> None:
    d = combat(("45ID", 3417), ("75ID", 3417), ("45RD", 3418, 1), dice={3418: 2}, turn=1)
    d.type("attack 3418 with 45id 75id advance 45id 3418 3419\ndone")
    assert d.seen(Fought)[0].result == "D1*"
    assert not d.seen(Retreated)
    assert d.state.at(number("45ID")) == 3419


def test_s42_12_2i_g4_who_has_retreated_covers_hexes_again_in_the_next_phase() -> None:
    d = combat(("45ID", 3417), ("75ID", 3417), ("45RD", 3418), dice={3418: 3}, turn=1)
    d.type("attack 3418 with 45id 75id ask\ndone")
    assert d.state.fled == {number("45RD")}
    d.type("done")
    assert not d.state.fled


def test_s42_13_2_1c_disrupted_units_do_not_attack_or_lead_and_defend_with_half() -> None:
    s = position(("9Pz", 3417), ("45RD", 3418), ("62RD", 3518), ("16TC", 3318), turn=8)
    change(s, "45RD", order=DISRUPTED)
    change(s, "62RD", order=DISRUPTED)
    d = combat(state=s)
    assert rule_of(d, "attack 3418 with 9pz") == ""
    assert defence_of(s, number("45RD"), 3418, over=False).value == 3
    d = combat(state=s, side=SOVIET)
    assert rule_of(d, "attack 3417 with 45rd") == "S42-8.1g"
    assert leads(s, s.of(SOVIET, 3418)) == ()


def test_s42_13_2_1b_they_keep_their_zone_and_make_no_bond() -> None:
    s = position(("45RD", 3417), ("62RD", 3419))
    assert s.bonds(SOVIET)
    for order in (DISRUPTED, ROUTED):
        change(s, "45RD", order=order)
        assert s.zone(SOVIET) & BOARD.bit[3416]
        assert not s.bonds(SOVIET)


def test_s42_13_2_2_others_retreat_through_them_and_stay_in_order() -> None:
    s = position(("45RD", 3418), ("9Pz", 3417), ("62RD", 3419))
    assert any(way.path[0] == 3419 for way in routes(s, number("45RD"), 2).ways)


def test_s42_13_3_2c_13_3_2a_in_full_retreat_they_defend_with_nothing() -> None:
    s = position(("16TC", 3418), ("45RD", 3418), ("9Pz", 3417))
    change(s, "16TC", order=ROUTED)
    found = attack(s, [number("9Pz")], 3418, SOVIET)
    assert found.reckoned.defence == 5
    assert [shift.by for shift in found.reckoned.shifts] == [1, 1]  # its tanks do not count
    assert leads(s, [number("16TC")]) == ()


def test_s42_13_3_3b_if_the_others_are_destroyed_who_attacks_says_where_they_go() -> None:
    s = position(("45ID", 3417), ("75ID", 3417), ("45RD", 3418, 1), ("62RD", 3418))
    change(s, "62RD", order=ROUTED)
    d = combat(state=s, dice={3418: 2}, turn=1)
    d.type("attack 3418 with 45id 75id ask\ndone")
    assert not d.state.on_map(number("45RD"))
    assert d.asked == (AXIS,)
    found = [order for order in d.legal(AXIS) if isinstance(order, GoBack)]
    assert found
    assert all(GRID.distance(3418, order.path[-1]) == 2 for order in found)


def test_s42_13_3_2g_an_advance_drives_them_off_too_as_often_as_it_comes_beside_them() -> None:
    s = position(("9Pz", 3417), ("11Pz", 3417), ("45RD", 3418), ("62RD", 3421))
    change(s, "62RD", order=ROUTED)
    d = combat(state=s, dice={3418: 2}, turn=1)  # 20:5 = 4:1, tanks: 6:1, DS
    d.type("attack 3418 with 9pz 11pz advance 9pz 3418 3419 3420\ndone")
    assert [each.units for each in d.seen(Retreated)].count(("62RD",)) >= 1
    assert d.state.at(number("62RD")) != 3421
    assert order_of(d, "62RD") == ROUTED or not d.state.on_map(number("62RD"))


def test_s42_13_1_1_18_6_6_supplies_neither_retreat_nor_lose_their_order() -> None:
    d = combat(("45ID", 3417), ("75ID", 3417), ("45RD", 3418), ("Sup-S1", 3418), dice={3418: 3}, turn=1)
    d.type("attack 3418 with 45id 75id advance 45id 3418 3419 75id 3418\ndone")
    assert order_of(d, "45RD") == DISRUPTED
    assert order_of(d, "Sup-S1") == GOOD
    assert d.state.at(number("Sup-S1")) == POOL  # S42-19.2c


def test_s42_10_4_3b_two_who_shorten_their_way_together_do_not_share_the_last_remnant() -> None:
    """One infantry Remnant is free: who goes first becomes it, and the other, with no step to spare now, is trapped."""
    beside = [cell for cell in GRID.neighbours(3418) if cell != 3419]
    codes, behind = ("16TC", "17TC", "4TC", "1TC", "24TC"), (("13TC", 3420), ("45RD", 3620), ("62RD", 3220))
    remnants = [unit.code for unit in CHART.units if unit.side == AXIS and CHART.has(unit.number, "infantry")]
    known = [code for code in remnants if CHART.unit(code).steps == 3 and code not in ("45ID", "75ID", "57ID")]
    for others, gone in ((6, ("45ID", "75ID")), (7, ("45ID",))):
        far = [(code, 2000 + n, 1) for n, code in enumerate(known[:others])]
        ring = zip(codes, beside, strict=True)
        s = position(("45ID", 3418, 2), ("75ID", 3418, 2), *ring, *behind, ("57ID", 3419), *far)
        assert s.remnants_left("infantry") == 8 - others
        f = Retreat(AXIS, 3418, (number("45ID"), number("75ID")), 2, SOVIET, AXIS)
        order = next(each for each in ChooseWay().options(s, f, AXIS) if len(each.units) == 2)
        out = Out()
        assert ChooseWay().do(s, f, AXIS, order, out) is DONE
        (event,) = [each for each in out.events if isinstance(each, Retreated)]
        assert (event.units, event.path) == (gone, (3418, 3419))
        assert all(s.pieces[number(code)] == Piece(3419, 1, DISRUPTED) for code in gone)
        assert f.units == tuple(number(code) for code in ("45ID", "75ID") if code not in gone)
        assert Onward().run(s, f, out) is DONE
        trapped = [unit for each in out.events if isinstance(each, Trapped) for unit in each.units]
        assert trapped == [code for code in ("45ID", "75ID") if code not in gone]
        assert all(not s.on_map(number(code)) for code in trapped)
