"""S42-12: retreats, and what eliminates a unit on its way."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem_rules.stalingrad42.combat.retreat import routes, steadfast
from pbem_rules.stalingrad42.state import DISRUPTED, State
from pbem_rules.stalingrad42.supply.lines import lines

BOARD = CHART.board
GRID = BOARD.grid


def ends(s: State, code: str, length: int, *fled: str) -> set[int]:
    return {way.end for way in routes(s, number(code), length, frozenset(map(number, fled))).ways}


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
    assert not steadfast(s, SOVIET, frozenset()) & BOARD.bit[3519]


def test_s42_12_2c_never_two_zones_in_a_row() -> None:
    s = position(("45RD", 3418), ("9Pz", 3417), ("57ID", 3520))
    zone = s.zone(AXIS)
    for length in (2, 3, 4):
        for way in routes(s, number("45RD"), length).ways:
            assert not any(zone & BOARD.bit[a] and zone & BOARD.bit[b] for a, b in pairwise(way.path))
            assert not zone & BOARD.bit[way.end]


def test_g2_6_a_retreat_over_a_bond_where_a_friend_stands_beyond() -> None:
    """Who steps from 3418 into 3518 stands in the first, and with a friend cancels the bond of 3417 and 3519."""
    s = position(("45RD", 3318), ("9Pz", 3417), ("57ID", 3519))
    assert all(way.path[:2] != (3418, 3518) for way in routes(s, number("45RD"), 2).ways)
    s.put(number("62RD"), 3518)
    assert any(way.path[:2] == (3418, 3518) for way in routes(s, number("45RD"), 2).ways)


def test_s42_12_2a_and_b_enemies_and_their_bonds() -> None:
    s = position(("45RD", 3418), ("9Pz", 3417), ("57ID", 3519), ("62ID", 3319))
    found = ends(s, "45RD", 2)
    assert found == set()  # a ring of zones, bonds between
    s.put(number("62ID"), 3806)
    assert ends(s, "45RD", 2)
    assert all(not s.zone(AXIS) & BOARD.bit[place] for place in ends(s, "45RD", 2))


def test_ex_19_two_zones_in_a_row_eliminate_and_a_friend_opens_the_way() -> None:
    """Enemies two hexes away all around; a friend in the first hex cancels the zone there, and a hex more saves it."""
    ring = GRID.ring(3418, 2)
    codes = ("9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz")
    s = position(("45RD", 3418, 1), *zip(codes, ring[::2], strict=True))
    assert routes(s, number("45RD"), 2) == (0, ())
    s = position(("45RD", 3418), *zip(codes[:4], ring[:8:2], strict=True), ("62RD", GRID.neighbours(3418)[4]))
    assert ends(s, "45RD", 2)


def test_ex_18_a_friend_cancels_the_zone_only_if_it_has_not_retreated() -> None:
    s = position(("45RD", 3418), ("62RD", 3519), ("9Pz", 3619))
    assert BOARD.bit[3519] & s.zone(AXIS)
    assert BOARD.bit[3519] & steadfast(s, SOVIET, frozenset())
    assert not BOARD.bit[3519] & steadfast(s, SOVIET, frozenset({number("62RD")}))
    straight = {way.path for way in routes(s, number("45RD"), 2).ways}
    fled = {way.path for way in routes(s, number("45RD"), 2, frozenset({number("62RD")})).ways}
    assert fled <= straight


def test_s42_12_2e_major_rivers_are_crossed_by_bridges_and_pontoons_alone() -> None:
    s = position(("45RD", 2909), ("9Pz", 3009))
    over = {2809, 2709, 2708, 2810, 2808}
    assert not any(place in over for way in routes(s, number("45RD"), 2).ways for place in way.path if place == 2809)
    s.put(number("62RD"), 2809)
    assert any(2809 in way.path for way in routes(s, number("45RD"), 2).ways)


def test_s42_12_2g_into_an_area_is_far_enough() -> None:
    s = position(("45RD", 4105), ("9Pz", 4004), ("11Pz", 4006))
    found = routes(s, number("45RD"), 4)
    assert CHART.areas["m"] in {way.end for way in found.ways}
    s = position(("45ID", 4105), ("16TC", 4004), ("17TC", 4006), ("4TC", 4103), ("22TC", 4107))
    assert CHART.areas["m"] not in ends(s, "45ID", 2)  # not theirs


def test_s42_12_1_3c_shorter_for_steps_only_to_friends_and_only_if_nothing_else_is_left() -> None:
    """Enemies on five sides, a friend on the sixth, and behind it nothing but zones."""
    beside = [cell for cell in GRID.neighbours(3418) if cell != 3419]
    codes = ("9Pz", "11Pz", "24Pz", "3Pz", "23Pz")
    behind = (("14Pz", 3420), ("57ID", 3620), ("62ID", 3220))
    s = position(("45RD", 3418), *zip(codes, beside, strict=True), *behind, ("62RD", 3419))
    found = routes(s, number("45RD"), 2)
    assert (found.steps, {way.path for way in found.ways}) == (1, {(3419,)})
    assert routes(s, number("45RD"), 3).steps == 0 or ends(s, "45RD", 3) == {3419}
    assert routes(s, number("45RD"), 2, frozenset({number("62RD")})) == (0, ())
    s.set_steps(number("45RD"), 1)
    assert routes(s, number("45RD"), 2) == (0, ())  # AMB-26: it has no step to give
    s.set_steps(number("45RD"), 2)
    assert routes(s, number("45RD"), 2).steps == 1
    # S42-12.2d: without a bond, and without a zone behind it, one hex more saves it.
    s.put(number("57ID"), 3806)
    s.alter(number("14Pz"), replace(s.pieces[number("14Pz")], order=DISRUPTED))
    found = routes(s, number("45RD"), 2)
    assert (found.steps, {way.path for way in found.ways}) == (0, {(3419, 3520, 3620)})


def test_amb_25_ways_that_turn_back_count_as_long_enough() -> None:
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
