"""What rulebooks ask of the kit, in the words of their own examples: each situation small, each number theirs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from grounds import board_from, plain_board

from pbem.kit import (
    HALF,
    Bonds,
    Bounds,
    Factor,
    Gate,
    Grid,
    Ranges,
    Rank,
    Roster,
    Shift,
    Stage,
    Terms,
    Why,
    Zones,
    advance,
    best,
    entrance,
    first_possible,
    flows,
    foremost,
    goals,
    odds_of,
    paces,
    reach,
    reckon,
    refuse_retreat,
    rounded,
    strength,
    together,
    trace,
    ways,
    why_not,
)

OPEN = plain_board(12, 12)
CLEAR = OPEN.links(lambda *_: 1)
ZONES = Zones(OPEN, lambda *_: True)


def mask(*places):
    return OPEN.mask(places)


# A map numbered from the south, odd columns half a hex further north.


@pytest.mark.parametrize(("a", "b", "hexes"), [(1013, 2012, 10), (3921, 3214, 11), (1615, 4118, 25)])
def test_distances_on_a_map_numbered_from_the_south(a, b, hexes):
    grid = Grid(48, 30, "flat", "even", rows_from="south")
    assert grid.distance(a, b) == hexes
    assert grid.neighbours(705) == (706, 806, 805, 704, 605, 606)


# Movement.


def test_zones_that_cost_two_to_enter_and_two_to_leave():
    """Clear ground, zone to zone: 1 + 2 + 2 a step; six points make one such step."""
    zone = ZONES.of_mask(mask(606))
    found = reach(CLEAR, OPEN.bit, 605, Terms(6, mask(606), zone=zone, enter=2, leave=2))
    assert found[506][0] == found[706][0] == 5
    # Not one more, and out of the zone at once for less: 507 is beyond the first of them.
    assert 507 not in found
    assert found[604][0] == 3


def test_zones_that_stop_and_cost_one_to_leave():
    """No step straight from one zone hex into another; one point more to get out."""
    zone = ZONES.of_mask(mask(606))
    terms = Terms(4, mask(606), stops=zone, locked=zone, zone=zone, leave=1)
    found = reach(CLEAR, OPEN.bit, 605, terms)
    assert found[604][0] == 2
    # 0506 lies beside both 0605 and the enemy: only around, by 0505, and there it stops.
    assert found[505][0] == 2
    assert found[506] == (3, 505)
    assert 507 not in found
    assert why_not(CLEAR, OPEN.bit, 605, Terms(1, *terms[1:]), 604) is Why.TOLL


def test_extended_moves_keep_out_of_zones_but_may_begin_in_one():
    """Out of a zone for two points more, and never into one again."""
    zone = ZONES.of_mask(mask(606))
    found = reach(CLEAR, OPEN.bit, 605, Terms(9, mask(606) | zone, zone=zone, leave=2))
    assert found[604][0] == 3
    assert not any(OPEN.bit[place] & zone for place in found if place != 605)


def test_tactical_moves_are_counted_in_hexes():
    """Two hexes whatever they cost, from zone to zone once, stopping there."""
    zone = ZONES.of_mask(mask(606))
    steps = paces(OPEN.links(lambda *_: 9))
    free = Terms(2, mask(606), stops=zone, locked=zone & ~OPEN.bit[605])
    found = reach(steps, OPEN.bit, 605, free)
    assert set(found) <= set(OPEN.grid.within(605, 2))
    assert found[603][0] == 2
    assert found[506][0] == 1


def test_roads_cost_half_a_point_and_are_left_at_will():
    """Counted in halves: twelve hexes of road, or six of clear ground."""
    road = "-".join(f"{column:02d}05" if column % 2 else f"{column:02d}04" for column in range(1, 13))
    board = board_from(["." * 12] * 12, ways=[{"feature": "road", "chains": [road]}])
    links = board.links(lambda _a, _b, edge: 1 if "road" in edge else 2)
    found = reach(links, board.bit, 105, Terms(12))
    assert found[1204][0] == 11
    assert found[111][0] == 12
    assert 112 not in found


def test_a_major_river_is_crossed_from_its_bank_or_by_a_bridge_of_boats():
    """First who stands beside it; then, over the hex he has taken, whoever comes by."""
    board = board_from(["........"], sides=[{"feature": "major", "between": ["0401-0501"]}])
    links = board.links(lambda _a, _b, edge: None if "major" in edge else 1)
    over = ((501, board.bit[501], 1 + 2),)
    assert 501 not in reach(links, board.bit, 301, Terms(6))
    assert reach(links, board.bit, 401, Terms(3, sally=over))[501] == (3, 401)
    # Six points: two to the river, three and one over it by the bridge of those who hold both banks.
    held = {401: ((501, board.bit[501], 1 + 3),)}
    assert reach(links, board.bit, 201, Terms(6, extra=held))[501] == (6, 401)
    assert 601 not in reach(links, board.bit, 201, Terms(6, extra=held))


def test_hexes_to_pass_and_not_to_stay_in():
    """Three transit hexes in a row: the far bank must be reached."""
    transit = mask(502, 602, 702)
    start, far = 402, 802
    links = {p: tuple(step for step in CLEAR[p] if step[0] in (402, 502, 602, 702, 802)) for p in CLEAR}
    found = reach(links, OPEN.bit, start, Terms(4, full=transit))
    assert goals(found, OPEN.bit, start, Terms(4, full=transit)) == {far: 4}


def test_bonds_shut_in_whoever_cannot_step_around():
    """A hex between two enemies in a line, a side between two over a corner."""
    bonds = Bonds(OPEN, lambda *_: True)
    wall = bonds.barrier(mask(504, 506), 0)
    assert 505 not in reach(CLEAR, OPEN.bit, 405, Terms(1, mask(504, 506) | wall.hexes, closed=wall.sides))
    corner = bonds.barrier(mask(504, 605), 0)
    found = reach(CLEAR, OPEN.bit, 505, Terms(1, mask(504, 605), closed=corner.sides))
    assert 604 not in found
    # Once friends stand on both sides of it, the side is open.
    assert bonds.barrier(mask(504, 605), mask(505, 604)).sides == frozenset()


def test_a_unit_counts_as_standing_in_the_hex_that_it_leaves():
    """From X to Y, where a friend stands, the bond is cancelled for this step; from Y to X it still bars."""
    bonds = Bonds(OPEN, lambda *_: True)
    wall = bonds.barrier(mask(504, 605), mask(604), moving=True)
    assert wall.sides == {(604, 505)}
    assert 604 in reach(CLEAR, OPEN.bit, 505, Terms(1, mask(504, 605), closed=wall.sides))
    # A line of supply has nobody who steps: the side is shut both ways.
    assert bonds.barrier(mask(504, 605), mask(604)).sides == {(505, 604), (604, 505)}
    # Where the bond runs over X only, because two rivers lie by Y, whoever stands in X breaks it.
    by_x = Bonds(OPEN, lambda _a, x, _b: x == 505)
    assert by_x.barrier(mask(504, 605), 0, moving=True).sides == {(604, 505)}


# Who counts in a stack.

SIDES = ["red", "red", "red", "blue"]


def test_one_who_has_no_zone_takes_it_from_the_stack():
    roster = Roster(OPEN, SIDES, [(0, 405), (1, 405), (2, 606), (3, 801)])
    without = {1}
    assert roster.where("red", lambda unit: unit not in without) == mask(405, 606)
    assert roster.where_all("red", lambda units: not without & set(units)) == mask(606)


def test_a_bond_needs_one_ordinary_unit_or_two_others():
    roster = Roster(OPEN, SIDES, [(0, 405), (1, 405), (2, 606), (3, 801)])

    def able(free):
        return roster.where_all("red", lambda units: len(units) > 1 or not free & set(units))

    assert able({0, 1, 2}) == mask(405)
    assert able({0, 1}) == mask(405, 606)


def test_the_strongest_takes_the_first_step_and_guns_the_last():
    strength_of = {1: 5, 2: 5, 3: 2}
    most = max(strength_of.values())
    assert foremost((1, 2, 3), lambda unit: strength_of[unit] == most) == (1, 2)
    guns = {1, 2}
    assert foremost((1, 2, 3), lambda unit: unit not in guns, lambda _: True) == (3,)
    assert foremost((1, 2), lambda unit: unit not in guns, lambda _: True) == (1, 2)


# Coming in, and going elsewhere.


def test_blocked_at_the_edge_it_comes_in_along_it():
    """At its hex, or within ten hexes along the same edge; never into a zone, and else not at all."""
    edge = mask(*(100 * column + 1 for column in range(1, 10)))
    ranges = Ranges(OPEN)

    def gates(hot, most=10):
        along = ranges.within(501, most) & edge
        return Gate(mask(501) & ~hot, "SG-7.1"), Gate(along & ~hot, "SG-7.1.2")

    assert entrance(gates(0)) == Gate(mask(501), "SG-7.1")
    blocked = entrance(gates(ZONES.of_mask(mask(502)) | mask(502)))
    assert blocked.rule == "SG-7.1.2"
    assert set(OPEN.in_mask(blocked.places)) == {101, 201, 301, 701, 801, 901}
    assert not entrance(gates(-1)).places


def test_a_headquarters_is_put_up_again_as_near_as_may_be():
    """Five hexes off at least, not in a zone: of those the nearest."""
    hot = OPEN.mask(p for p in OPEN.places if p // 100 > 5)
    found = Ranges(OPEN).nearest(705, ~hot & OPEN.mask(OPEN.places), least=5)
    assert {OPEN.grid.distance(705, place) for place in found} == {5}
    assert all(place // 100 <= 5 for place in found)
    assert Ranges(OPEN).nearest(705, 0) == ()


def test_a_range_goes_around_enemies_and_not_by_two_zones_in_a_row():
    """From the headquarters to the nearest attacker: five hexes by such a way."""
    board = board_from(["......"])
    steps = flows(board, lambda *_: 1)

    def in_range(place, hexes, hot):
        return place in trace(board, board.bit[101], [Stage("range", steps, -1, hexes, zones=hot)])

    assert in_range(601, 5, 0)
    assert not in_range(601, 4, 0)
    assert in_range(601, 5, board.mask([301]))
    assert not in_range(601, 5, board.mask([301, 401]))


# Strength and odds.

ODDS = odds_of({"columns": ["1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1"]})
HALVED = Factor(HALF, "S42-9.1", "halved")
DOUBLED = Factor(Fraction(2), "S42-9.1", "doubled")


def label(attack, defence, shift=0):
    return ODDS.label(reckon(ODDS, attack, defence, [Shift(shift, "S42-9", "shifts")]).column)


def test_each_halved_by_itself_and_rounded_up():
    half = strength(5, [HALVED], "up")
    assert (half + half, strength(9, [HALVED, HALVED], "up"), strength(1, [HALVED], "up")) == (6, 3, 1)
    assert label(half + half + 5, strength(5, [DOUBLED])) == "1:1"
    assert label(half + half + 5, 5) == "2:1"


def test_added_first_then_reduced_then_rounded_down():
    assert rounded((strength(5, []) + 5) * HALF, "down") == 5
    assert rounded((strength(5, []) + 5) * HALF * HALF, "down") == 2
    assert rounded(strength(5, [HALVED, HALVED]), "down") == 1
    assert rounded(strength(5, [HALVED]) + 4, "down") == 6


@pytest.mark.parametrize(
    ("attack", "defence", "shift", "column"),
    [
        (25, 3, 2, "10:1"),
        (10, 3, 2, "5:1"),
        (10, 5, 2, "4:1"),
        (10, 5, 1, "3:1"),
        (26, 5, 2, "7:1"),
        (11, 4, 0, "2:1"),
        (7, 4, 0, "1:1"),
        (3, 5, 0, "1:2"),
        (3, 8, 0, "1:3"),
        (1, 3, 2, "1:1"),
    ],
)
def test_odds_of_the_books(attack, defence, shift, column):
    assert label(attack, defence, shift) == column


# Retreats.


def no_farther(way):
    return -way.distance


def test_two_hexes_end_two_hexes_away():
    found = ways(CLEAR, OPEN.bit, OPEN.grid.distance, 606, Bounds(2, away="step"))
    assert {way.distance for way in found} == {2}
    ranks = [Rank("T-1", "ends farther away", no_farther)]
    loose = ways(CLEAR, OPEN.bit, OPEN.grid.distance, 606, Bounds(2))
    assert {way.distance for way in best(loose, ranks)} == {2}
    near = next(way for way in loose if way.distance == 1)
    assert refuse_retreat(loose, ranks, near.path, ("T-0", "")).rule == "T-1"


def test_a_friend_on_the_way_cancels_the_zone():
    """The only way leads by two zone hexes: eliminated, unless a friend stands in the first."""
    enemy = mask(505, 705)
    zone = ZONES.of_mask(enemy)
    only = mask(605, 604)
    terms = Bounds(2, ~only, zone=zone, zones=1, no_end=zone)
    assert ways(CLEAR, OPEN.bit, OPEN.grid.distance, 606, terms) == ()
    held = zone & ~mask(604, 605)
    found = ways(CLEAR, OPEN.bit, OPEN.grid.distance, 606, terms._replace(zone=held, no_end=held))
    assert [way.path for way in found] == [(605, 604)]


def test_one_hex_more_saves():
    """It would end in a zone; one more hex lies outside."""
    zone = mask(604)
    only = mask(605, 604, 603)
    terms = Bounds(2, ~only, zone=zone, zones=1, no_end=zone)
    assert ways(CLEAR, OPEN.bit, OPEN.grid.distance, 606, terms) == ()
    found = ways(CLEAR, OPEN.bit, OPEN.grid.distance, 606, terms._replace(more=1))
    assert [way.path for way in found] == [(605, 604, 603)]


def test_a_shorter_retreat_for_a_step_a_hex():
    """Four hexes, or three for a step, two for two: but only to friends who have not retreated."""
    field = CLEAR, OPEN.bit, OPEN.grid.distance, 606
    alley = mask(605, 604, 603)

    def tries(friends):
        yield Bounds(4, ~alley, away="step")
        for hexes in (3, 2, 1):
            yield Bounds(hexes, ~alley, away="step", no_end=~friends)

    assert first_possible(*field, tries(mask(604)))[0] == 2
    extra, found = first_possible(*field, tries(mask(603, 604)))
    assert (extra, [way.path for way in found]) == (1, [(605, 604, 603)])
    assert first_possible(*field, tries(0)) == (3, ())


def test_together_a_stack_pays_once():
    """Two units by two zone hexes: together two steps, apart two each."""
    field = CLEAR, OPEN.bit, OPEN.grid.distance, 606
    zone = mask(605, 604)
    one = ways(*field, Bounds(2, ~zone, zone=zone, away="step"))
    (way,) = together([one, one])
    assert (way.path, way.entered) == ((605, 604), 2)


def test_supply_before_zones_and_zones_before_the_rest():
    """A way through a zone is taken if it alone leads to supply; the losses are counted."""
    zone = mask(605)
    to_source = Rank("SG-9.2.1", "leads nearer to supply", lambda way: OPEN.grid.distance(601, way.end))
    fewest = Rank("SG-9.2.2", "enters fewer enemy zones", lambda way: way.entered)
    found = ways(CLEAR, OPEN.bit, OPEN.grid.distance, 606, Bounds(1, zone=zone, away="step"))
    (first,) = best(found, [to_source, fewest])
    assert (first.path, first.entered) == ((605,), 1)
    assert all(way.entered == 0 for way in best(found, [fewest, to_source]))


def test_off_the_map_into_a_friendly_area():
    board = board_from(
        ["...."],
        areas=[{"id": 9001, "name": "A", "terrain": "box"}],
        entries=[{"key": "a", "name": "A", "area": 9001, "hexes": ["0101"]}],
    )
    links = board.links(lambda *_: 1)

    def far(a, b):
        return 3 if 9001 in (a, b) else board.grid.distance(a, b)

    terms = Bounds(4, board.bit[301], havens=board.bit[9001])
    assert [way.path for way in ways(links, board.bit, far, 201, terms)] == [(101, 9001)]
    assert ways(links, board.bit, far, 201, terms._replace(barred=board.bit[301] | board.bit[9001])) == ()


# Advance.


@pytest.mark.parametrize(("hexes", "most"), [(4, 4), (3, 3), (2, 2)])
def test_up_to_four_hexes_but_stopped_by_a_zone(hexes, most):
    steps = paces(CLEAR)
    zone = ZONES.of_mask(mask(602))
    found = advance(steps, OPEN.bit, 606, 605, Terms(hexes, mask(602), stops=zone))
    assert max(cost for cost, _ in found.values()) == most
    # In the zone, and no further.
    beyond = [place for place, (cost, before) in found.items() if cost > 1 and OPEN.bit[before] & zone]
    assert beyond == []


# Supply.


def test_land_then_road_around_bonds_and_zones():
    """Five hexes over land, then any length of road: not across a bond, never two zone hexes in a row."""
    road = "-".join(f"{column:02d}01" for column in range(1, 7))
    rows = ["." * 9] * 9
    board = board_from(rows, ways=[{"feature": "road", "chains": [road]}])
    on_road = flows(board, lambda _a, _b, edge: 1 if "road" in edge else None)
    on_land = flows(board, lambda *_: 1, back=True)

    def supplied(place, enemy=0, zone=0, length=5):
        wall = Bonds(board, lambda *_: True).barrier(enemy, board.bit[place])
        stages = [
            Stage("road", on_road, ~(enemy | zone | wall.hexes), closed=wall.sides),
            Stage("land", on_land, ~(enemy | wall.hexes), length, zone & ~board.bit[place], closed=wall.sides),
        ]
        return place in trace(board, board.bit[101], stages)

    assert supplied(606)
    assert not supplied(607)
    # Isolated is who has no line of any length over land.
    assert supplied(609, length=-1)
    across = board.mask(range(104, 1004, 100))
    assert not supplied(606, across)
    gaps = board.mask([104, 304, 504, 704, 904])
    assert not supplied(606, gaps, length=-1)
    one, two = board.mask(range(104, 1004, 100)), board.mask(range(105, 1005, 100))
    assert supplied(606, zone=one, length=-1)
    assert not supplied(606, zone=one | two, length=-1)
