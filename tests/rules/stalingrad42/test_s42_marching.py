"""S42-5, S42-6.2, S42-7.2: what movement costs, how far units get, and what holds them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_positions import CHART, SOVIET, number, position

from pbem.kit import OUT_OF_SUPPLY, reach
from pbem_rules.stalingrad42.chart import DATA
from pbem_rules.stalingrad42.movement.marching import EXTENDED, NORMAL, TACTICAL, allowance, march, modes
from pbem_rules.stalingrad42.movement.terrain import bridged, fords, links, paces
from pbem_rules.stalingrad42.scenarios import CAMPAIGN, URANUS, chart_for
from pbem_rules.stalingrad42.state import DISRUPTED, ROUTED, State

BOARD = CHART.board
GRID = BOARD.grid


def cost(a: int, b: int, pace: str, *, wet: bool = False, rained: bool = False) -> int | None:
    return next((c for there, _, c in links(CHART, pace, wet=wet, rained=rained)[a] if there == b), None)


def reached(s: State, code: str, mode: str = NORMAL, *more: str) -> dict[int, tuple[int, int]]:
    units = [number(each) for each in (code, *more)]
    found = march(s, units, mode)
    return reach(found.links, BOARD.bit, s.at(units[0]), found.terms)


# What a step costs.


@pytest.mark.parametrize(
    ("a", "b", "mech", "foot"),
    [
        (3417, 3418, 2, 2),  # clear
        (2702, 2602, 4, 2),  # into woods
        (2003, 2002, 1, 2),  # by a secondary road
        (1402, 1303, 1, 2),  # by a primary one
        (2112, 2012, 1, 2),  # by road through woods
        (1411, 1412, 4, 2),  # over a minor river, into woods
        (2403, 2503, 1, 2),  # over the Don by a bridge
        (2809, 2909, None, None),  # without one
        (2634, 2635, None, None),  # the sea
    ],
)
def test_s42_5_1_2_2_3a_5_2a_5_5_4a_steps(a: int, b: int, mech: int | None, foot: int | None) -> None:
    assert (cost(a, b, "mech"), cost(a, b, "foot")) == (mech, foot)


def test_s42_5_2b_5_5_1_23_2_3c_rain_and_mud() -> None:
    assert cost(2003, 2002, "mech", wet=True) == 2  # a secondary road
    assert cost(1402, 1303, "mech", wet=True) == 1
    assert "minor_river" in BOARD.edges[2518, 2618]
    assert (cost(2518, 2618, "foot"), cost(2518, 2618, "foot", wet=True)) == (2, 4)
    assert bridged(BOARD.edges[2419, 2520])
    assert cost(2419, 2520, "foot", wet=True) == 2


def test_s42_2_2_2b_and_23_2_3b_seasonal_marsh_after_the_first_rain() -> None:
    assert BOARD[3532].terrain == "seasonal_marsh"
    assert cost(3531, 3532, "mech") == 2
    assert cost(3531, 3532, "mech", rained=True) == 6
    assert cost(3531, 3532, "foot", rained=True) == 4
    assert cost(3531, 3532, "foot", wet=True, rained=True) == 6  # as if over a river
    assert cost(3532, 3531, "foot", wet=True, rained=True) == 4
    assert cost(3532, 3531, "foot", wet=True) == 2  # no marsh yet
    assert cost(3417, 3418, "foot", wet=True, rained=True) == 2  # no marsh here


def test_s42_5_5_4b_a_railway_bridge_without_a_road_costs_more() -> None:
    """Roads accompany all railways of the map; without the road the bridge of 2708 and 2709 would be one."""
    edges = {
        pair: edge - {"secondary_road"} if set(pair) == {2708, 2709} else edge for pair, edge in BOARD.edges.items()
    }
    chart = replace(CHART, board=replace(BOARD, edges=edges))
    for pace, over in (("mech", 4), ("foot", 2)):
        (found,) = (c for there, _, c in links(chart, pace)[2708] if there == 2709)
        assert found == 2 + over


def test_s42_22_3_22_3_1_into_an_area_and_out_of_it() -> None:
    area = CHART.areas["m"]
    assert cost(4104, area, "foot") == cost(4104, area, "mech") == 2
    assert cost(area, 4104, "mech") == 2
    assert cost(area, 4105, "mech") == 1  # by the road through Povorino
    assert cost(area, 4105, "foot") == 2
    assert not any(BOARD.edges.get((area, other)) for other in CHART.areas.values())


def test_s42_5_4_any_hex_is_one_in_tactical_movement() -> None:
    steps = {(a, there): c for a in (3417, 2809, 2702) for there, _, c in paces(CHART)[a]}
    assert steps[3417, 3418] == steps[2702, 2602] == 1
    assert (2809, 2909) not in steps
    assert {there: c for there, _, c in fords(CHART, "mech", tactical=True)[2809]} == {2909: 1, 2910: 1}
    assert 2503 in {there for there, _, _ in paces(CHART)[2403]}  # over the bridge
    assert 2503 not in {there for there, _, _ in fords(CHART, "mech")[2403]}


# Costs.


def test_three_clear_hexes_on_foot() -> None:
    s = position(("45ID", 3417))
    found = reached(s, "45ID")
    assert found[3420][0] == 6
    assert 3421 not in found
    assert set(found) <= set(GRID.within(3417, 3))


def test_s42_5_3b_six_hexes_extended_but_never_into_a_zone() -> None:
    s = position(("45ID", 2004), ("45RD", 2010))
    found = reached(s, "45ID", EXTENDED)
    assert 2008 in found
    assert 2009 not in found
    assert max(GRID.distance(2004, place) for place in found) == 6
    assert allowance(s, number("45ID"), EXTENDED) == 12


def test_s42_5_2a_half_a_point_for_vehicles_on_roads() -> None:
    s = position(("9Pz", 1303))
    assert reached(s, "9Pz")[2002][0] == 7  # seven hexes of primary road


def test_s42_5_2d_out_of_a_zone_by_road_at_a_forced_pace() -> None:
    """Six and three points: two to leave the zone, the rest for fourteen hexes of road."""
    s = position(("9Pz", 1109), ("45RD", 1008))
    assert allowance(s, number("9Pz"), EXTENDED) == 18
    found = reached(s, "9Pz", EXTENDED)
    assert found[1209][0] == 4 + 1
    assert found[1519][0] == 4 + 14  # by Belgorod and Kharkov


def test_s42_5_4a_two_hexes_tactically() -> None:
    s = position(("45ID", 2702))
    found = reached(s, "45ID", TACTICAL)
    assert max(cost for cost, _ in found.values()) == 2
    assert set(found) <= set(GRID.within(2702, 2))
    assert 2602 in found


def test_s42_5_4b_5_5_2_no_way_over_a_major_river_from_afar() -> None:
    s = position(("45ID", 2709))
    assert 2909 not in reached(s, "45ID")
    assert 2909 not in reached(s, "45ID", TACTICAL)
    s = position(("45ID", 2809))
    found = reached(s, "45ID")
    assert found[2909][0] == 2 + 4  # S42-5.5.2b
    assert 2909 in reached(s, "45ID", TACTICAL)


def test_s42_5_1d_5_5_2b_major_rivers_cost_vehicles_three_points_more() -> None:
    s = position(("9Pz", 2809))
    assert reached(s, "9Pz")[2909][0] == 2 + 6


# Pontoons.


def test_s42_5_5_5_a_pontoon_lies_where_friends_hold_the_far_bank() -> None:
    """A has crossed to 3112; B crosses tactically from the second hex, and D with six points from 2811."""
    s = position(("45ID", 3112), ("95ID", 2912), ("9Pz", 2811))
    assert 3112 in reached(s, "95ID", TACTICAL)
    assert reached(s, "9Pz")[3112][0] == 12
    assert allowance(s, number("9Pz"), NORMAL) == 12


def test_s42_5_5_5_the_mover_is_no_friend_of_its_own() -> None:
    s = position(("9Pz", 2912), ("Sup-A1", 3112))
    assert 3112 not in reached(s, "9Pz")  # supplies hold no bank
    s = position(("9Pz", 2912), ("45ID", 3112))
    assert 3112 in reached(s, "9Pz")


# Zones and bonds.


def test_s42_6_2_5_4c_zones_stop_and_cost_two_points_to_leave() -> None:
    s = position(("45ID", 3416), ("45RD", 3418))
    found = reached(s, "45ID")
    assert found[3417] == (2, 3416)  # nothing to come in
    assert 3517 in found
    assert all(before != 3417 for place, (_, before) in found.items())
    s = position(("45ID", 3417), ("45RD", 3418))
    assert reached(s, "45ID")[3416][0] == 2 + 4
    assert reached(s, "45ID")[3517][0] == 2 + 4  # S42-6.2b: from zone to zone
    assert reached(s, "45ID", TACTICAL)[3416][0] == 1  # S42-5.4c


def test_s42_5_1d_enemy_units_bar_and_supplies_do_not() -> None:
    s = position(("45ID", 3416), ("45RD", 3418), ("Sup-S1", 3415))
    found = reached(s, "45ID")
    assert 3418 not in found
    assert 3415 in found


def test_s42_7_2a_5_4b_bonds_bar_hexes_and_sides() -> None:
    s = position(("45ID", 3318), ("45RD", 3417), ("62RD", 3419))
    assert 3418 not in reached(s, "45ID")
    assert 3418 not in reached(s, "45ID", TACTICAL)
    s = position(("45ID", 3418), ("45RD", 3417), ("62RD", 3519))
    assert 3518 not in reached(s, "45ID")
    s = position(("45ID", 3418), ("95ID", 3518), ("45RD", 3417), ("62RD", 3519))
    assert 3518 in reached(s, "45ID")  # S42-7.3a: on both sides of the bond


def test_s42_22_3_22_3_1a_22_4b_units_stop_in_an_area_and_stay_out_of_the_enemys() -> None:
    s = position(("45RD", 4105), ("9Pz", 4110))
    area = CHART.areas["m"]
    found = reached(s, "45RD")
    assert found[area][0] == 2
    assert all(before != area for place, (_, before) in found.items())
    assert area not in reached(s, "9Pz")


def test_s42_22_3_2_a_bond_of_the_enemy_bars_the_way_in() -> None:
    """Germans in 4104 and 4106 close 4105 to those who wait in the Area."""
    s = position(("45ID", 4104), ("95ID", 4106), ("45RD", 4008))
    s.put(number("45RD"), CHART.areas["m"])
    found = reached(s, "45RD")
    assert 4105 not in found
    assert 4103 in found


def test_s42_23_2_3_rain_makes_marches_shorter() -> None:
    s = position(("9Pz", 2004), ("45ID", 2517))
    far = reached(s, "9Pz")
    s.wet = True
    assert len(reached(s, "9Pz")) < len(far)  # a point for each hex of the road by Stary Oskol
    assert reached(s, "45ID")[2618][0] == 2 + 2 + 2  # over the Aidar
    s = position(("9Pz", 3531))
    assert reached(s, "9Pz")[3532][0] == 2
    s.rained = True
    assert reached(s, "9Pz")[3532][0] == 6


# Who moves how.


def test_s42_5_1a_13_2_1a_13_3_1a_16_4a_2_3_2c_5_3a_18_2_2_modes() -> None:
    s = position(("45ID", 2004), ("6A-HQ", 2004), ("Sup-A1", 2004), ("454Sec", 2004), ("9Pz", 2006), ("57ID", 2006))
    assert modes(s, number("45ID")) == (NORMAL, EXTENDED, TACTICAL)
    assert modes(s, number("6A-HQ")) == modes(s, number("454Sec")) == (NORMAL, TACTICAL)  # S42-2.3.2c
    assert modes(s, number("Sup-A1")) == (NORMAL,)
    for code, change, found in (
        ("45ID", {"order": DISRUPTED}, (TACTICAL,)),  # S42-13.2.1a
        ("9Pz", {"order": ROUTED}, (NORMAL, EXTENDED)),  # S42-13.3.1a
        ("9Pz", {"order": ROUTED, "supply": OUT_OF_SUPPLY}, (NORMAL, EXTENDED)),  # S42-13.3.1a
        ("9Pz", {"order": 0, "supply": OUT_OF_SUPPLY}, (TACTICAL,)),  # S42-16.4a
        ("57ID", {"supply": OUT_OF_SUPPLY}, (NORMAL, EXTENDED, TACTICAL)),
        ("57ID", {"train": True}, ()),
        ("Sup-A1", {"ready": True}, (TACTICAL,)),  # S42-18.6.3
    ):
        unit = number(code)
        s.alter(unit, replace(s.pieces[unit], **change))
        assert modes(s, unit) == found, (code, change)


def test_s42_13_2_1a_and_22_3_1b_disrupted_units_and_areas() -> None:
    """They do not enter one, and nobody leaves one but in good order."""
    s = position(("45RD", 4105), ("62RD", 4106))
    area = CHART.areas["m"]
    for code in ("45RD", "62RD"):
        s.alter(number(code), replace(s.pieces[number(code)], order=DISRUPTED))
    assert area not in reached(s, "45RD", TACTICAL)
    s.put(number("62RD"), area)
    assert modes(s, number("62RD")) == ()
    assert modes(s, number("45RD")) == (TACTICAL,)
    s.put(number("31RD"), area)
    assert modes(s, number("31RD")) == (NORMAL, EXTENDED, TACTICAL)
    assert modes(s, number("160RD")) == ()  # nowhere


def test_s42_s1_2b_on_the_first_turn_the_axis_moves_two_hexes() -> None:
    s = position(("45ID", 2004), ("45RD", 2008), ("Sup-A1", 2004), turn=1)
    assert modes(s, number("45ID")) == (TACTICAL,)
    assert modes(s, number("45RD")) == (NORMAL, EXTENDED, TACTICAL)
    assert modes(s, number("Sup-A1")) == (NORMAL,)


def test_s42_20_4_who_is_frozen_stays() -> None:
    s = position(("9NKVD", 3134))
    assert modes(s, number("9NKVD"))
    assert modes(s, number("8NKVD")) == ()  # nowhere
    s.frozen[number("9NKVD")] = "garrison"
    assert modes(s, number("9NKVD")) == ()


def test_s42_5_1b_a_stack_pays_the_worst_and_has_the_least() -> None:
    s = position(("9Pz", 1303), ("45ID", 1303))
    found = reached(s, "9Pz", NORMAL, "45ID")
    assert allowance(s, number("45ID"), NORMAL) == 6
    assert max(spent for spent, _ in found.values()) == 6
    assert found[1402][0] == 2  # the infantry's point on the road
    s = position(("9Pz", 2809), ("1Mtn", 2809))
    assert reached(s, "1Mtn", NORMAL, "9Pz")[2909][0] == 2 + 6  # over the Don as vehicles do


def test_s42_13_3_2b_units_in_full_retreat_enter_a_zone_only_where_others_stand() -> None:
    s = position(("45ID", 3415), ("45RD", 3418), ("95ID", 3518))
    unit = number("45ID")
    s.alter(unit, replace(s.pieces[unit], order=ROUTED))
    found = reached(s, "45ID")
    assert 3417 not in found
    assert 3518 in found
    assert s.zone(SOVIET) & BOARD.bit[3518]
    for code in ("95ID", "Sup-A1"):  # another one in Full Retreat is no help, nor are supplies
        s.put(number(code), 3518)
        s.alter(number("95ID"), replace(s.pieces[number("95ID")], order=ROUTED))
        assert 3518 not in reached(s, "45ID")


def test_s42_5_1e_no_hex_is_always_open() -> None:
    """Two points out of the zone and two into marsh are more than three."""
    s = position(("45ID", 3531), ("16TC", 3430))
    assert 3532 in reached(s, "45ID")
    s.rained = True
    assert 3532 not in reached(s, "45ID")
    assert 3532 in reached(s, "45ID", TACTICAL)


def test_s42_22_3_2_out_of_an_area_straight_into_a_zone() -> None:
    s = position(("45RD", CHART.areas["m"]), ("9Pz", 4006))
    assert s.zone(CHART.units[number("9Pz")].side) & BOARD.bit[4106]
    assert 4106 in reached(s, "45RD")


def test_s42_5_4a_2_2_3a_no_step_of_tactical_movement_leads_into_the_sea() -> None:
    steps = paces(CHART)
    assert not any(CHART.board[there].terrain == "sea" for each in steps.values() for there, _, _ in each)


def test_s42_5_2c_5_5_1_a_railway_is_a_bridge_over_a_minor_river_in_the_wet() -> None:
    chart = chart_for(DATA, URANUS)
    edges = chart.board.edges.items()
    over = [ends for ends, edge in edges if "minor_river" in edge and "rail" in edge and not chart.road(*ends)]
    assert over
    for a, b in over:
        dry, wet = ({there: cost for there, _, cost in links(chart, "foot", wet=rain)[a]} for rain in (False, True))
        assert dry[b] == wet[b]


def test_s42_5_4a_5_5_3a_9_6_2a_no_step_of_tactical_movement_crosses_the_volga_or_the_main_range() -> None:
    chart = chart_for(DATA, CAMPAIGN)
    steps = paces(chart)
    barred = [ends for ends, edge in chart.board.edges.items() if {"volga", "alpine"} & set(edge)]
    assert barred
    assert not any(there == b for a, b in barred for there, _, _ in steps[a])
