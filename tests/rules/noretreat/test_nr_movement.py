"""NR-8 Movement, zones of control, stacking, rail."""

from __future__ import annotations

import pytest
from noretreat_positions import CHART, CODES, asked, fight, place, position, reaches, rule_of, table, where

from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Moved
from pbem_rules.noretreat.frames import Manoeuvre, PlayerTurn
from pbem_rules.noretreat.movement import ManoeuvreMove, allowance
from pbem_rules.noretreat.odds import reckon
from pbem_rules.noretreat.rail import Unloading, UnloadReserve, unloadable
from pbem_rules.noretreat.stacking import ThinMoved, too_many
from pbem_rules.noretreat.state import Effect
from pbem_rules.noretreat.turns import Remove


def test_nr_8_1_each_unit_once_by_the_cheapest_way():
    d = table({"4": "2109"})
    d.order("axis", "move 4 2309")
    (moved,) = d.events(Moved)
    assert (moved.cost, moved.path[-1]) == (3, 2309)  # over the river, or round it by the mountain
    assert rule_of(d, "move 4 2209") == "NR-8.1"
    e = table({"4": "2109", "NW": "2208"})
    assert rule_of(e, "move 4 2208") == "NR-8.1"
    assert rule_of(e, "move 4 0109") == "NR-8.1"


def test_nr_8_1_by_way_of_places():
    d = table({"4": "2009"})
    d.order("axis", "move 4 2108-2208")
    (moved,) = d.events(Moved)
    assert (moved.path, moved.cost) == ((2009, 2108, 2208), 2)


@pytest.mark.parametrize(("turn", "weather", "points"), [(8, "clear", 6), (9, "mud", 3), (10, "snow", 4)])
def test_nr_8_2_weather_caps(turn, weather, points):
    s = position({"1Pz": "2109"}, turn=turn, weather=weather)
    assert allowance(s, CODES["1Pz"]) == points
    s.mark_cut(CODES["1Pz"], cut=True)
    assert allowance(s, CODES["1Pz"]) == 3


def test_nr_8_3_an_enemy_zone_ends_the_move():
    d = table({"1Pz": "2010", "NW": "2209"})
    assert rule_of(d, "move 1Pz 2110-2011") == ""
    assert rule_of(d, "move 1Pz 2109-2108") == "NR-8.3"
    d.order("axis", "move 1Pz 2109")
    assert d.events(Moved)[0].stopped


def test_nr_8_4_leaving_a_zone():
    mud = table({"1Pz": "2109", "NW": "2209"}, turn=9)
    assert rule_of(mud, "move 1Pz 2208") == "NR-8.4"
    d = table({"4": "2109", "NW": "2209"})
    d.order("axis", "move 4 2009")
    assert d.events(Moved)[0].cost == 2


def test_nr_8_5_who_has_a_zone_and_where():
    s = position({"NW": "2209", "Mos": ("2110", "+")})
    zone = s.zone(SOVIET)
    assert set(CHART.board.in_mask(zone)) == set(CHART.board.near[2209])
    area = position({"AGE": "Western Balkans", "Len": "Leningrad"})
    assert not area.zone(AXIS)
    assert not area.zone(SOVIET) & CHART.board.bit[CHART.finland]


def test_nr_8_6_one_hex_is_always_possible():
    d = table({"1Pz": "2208", "NW": "2410"}, turn=9, weather="mud", cut=("1Pz",))
    assert 2207 in reaches(d, "1Pz")
    e = table({"Kal": "2109", "4": "2110"}, side=SOVIET)
    assert 2108 in reaches(e, "Kal")


def test_nr_8_6_but_not_a_second_one():
    mud = table({"1Pz": "2010"}, turn=9)
    assert rule_of(mud, "move 1Pz 2009-2108") == ""
    assert rule_of(mud, "move 1Pz 2110-2109-2108") == "NR-8.1"  # two points and two more


def test_nr_8_7_bonuses_do_not_add_up():
    s = position({"4": "2109"})
    for amount in (2, 1):
        s.put_effect(Effect("points", AXIS, CODES["4"], amount))
    assert allowance(s, CODES["4"]) == 6


def test_nr_8_8_stacking():
    d = table({"4": "2109", "6": "2110", "9": "2110"})
    assert rule_of(d, "move 4 2110") == "NR-8.8"
    e = table({"Kal": "2410", "Bry": "2411"}, side=SOVIET)
    assert rule_of(e, "move Kal 2411") == "NR-8.8"
    assert 2412 in reaches(e, "Kal")  # through its friend


def test_nr_8_9_soviet_tanks_share_a_hex():
    tank, foot, fort = CODES["Cau"], CODES["Kal"], CODES["Mos"]
    s = position({"Cau": ("2209", "+"), "Kal": "2210", "Mos": ("2211", "+")}, turn=10)
    assert too_many(s, SOVIET, (tank, foot), 2209)
    s.turn = 11
    assert not too_many(s, SOVIET, (tank, foot), 2209)
    assert too_many(s, SOVIET, (tank, fort), 2209)


def test_nr_8_10_any_two_from_turn_23():
    s = position({"Bry": "2209", "Kal": "2210"}, turn=22)
    pair = (CODES["Bry"], CODES["Kal"])
    assert too_many(s, SOVIET, pair, 2209)
    s.turn = 23
    assert not too_many(s, SOVIET, pair, 2209)


def test_nr_8_11_who_is_too_many_leaves():
    d = table({"4": "2109", "6": "2109", "1Pz": "2109"}, ThinMoved, cut=("6",))
    assert asked(d) == "excess_moved axis"
    d.order("axis", "leave 4")
    assert where(d, "4") == "Shattered"
    e = table({"4": "2109", "6": "2109", "1Pz": "2109"}, ThinMoved, cut=("6",))
    e.order("axis", "leave 6")
    assert where(e, "6") == "Destroyed-"


def test_nr_8_12_an_event_makes_room():
    s = position({"Bry": "2209", "Kal": "2209"}, turn=14)
    s.put_effect(Effect("room", SOVIET, 2209, 1, "phase"))
    assert not too_many(s, SOVIET, (CODES["Bry"], CODES["Kal"]), 2209)
    assert too_many(s, SOVIET, (CODES["Bry"], CODES["Kal"]), 2208)


def test_nr_8_13_the_reserves_unit_does_not_count():
    s = position({"Bry": "2209", "Rsv": "2209"}, turn=8)
    assert not too_many(s, SOVIET, (CODES["Bry"], CODES["Rsv"]), 2209)


def test_nr_8_14_one_unit_free_the_others_for_a_card():
    d = table({"4": "0210", "6": "0410", "9": "0412"}, axis=(1, 2))
    assert rule_of(d, "discard 1 for rail 4") == "NR-8.14"
    d.order("axis", "rail 4")
    assert rule_of(d, "rail 6") == "NR-8.14"
    d.order("axis", "discard 1 for rail 6")
    assert (where(d, "4"), where(d, "6")) == ("Rail", "Rail")


def test_nr_8_15_three_at_most():
    d = table({"4": "Rail", "6": "Rail", "9": "Rail", "11": "0210"})
    assert rule_of(d, "rail 11") == "NR-8.15"


def test_nr_8_16_railways_in_the_first_turns():
    d = table({"4": "0210"}, turn=2)
    assert rule_of(d, "rail 4") == "NR-8.16"
    e = table({"Kal": "2410", "Bry": "2411"}, side=SOVIET, turn=2, soviet=(1,))
    e.order("soviet", "rail Kal")
    assert rule_of(e, "discard 1 for rail Bry") == "NR-8.16"


def test_nr_8_17_only_mobile_units_go_by_rail():
    d = table({"Mos": ("Moscow", "+"), "Kal": "2109", "4": "2110"}, side=SOVIET)
    assert rule_of(d, "rail Mos") == "NR-8.17"
    assert rule_of(d, "rail Kal") == ""  # from an enemy zone too


def test_nr_8_18_disorganised_units_too():
    assert rule_of(table({"4": "0210"}, tired=("4",)), "rail 4") == ""


def test_nr_8_19_events_do_not_burst_the_box():
    """The box holds three, whoever puts a unit into it: card 2, or the reserve."""
    units = {"Kal": "Rail", "Bry": "Rail", "NW": "2410", "Cen": "Destroyed", "Res": "Shattered"}
    d = table(units, side=SOVIET, turn=5, soviet=(2,))
    assert rule_of(d, "event 2 Cen Res") == "NR-13.02S"
    d.order("soviet", "event 2 Cen")
    assert where(d, "Cen") == "Rail"
    assert rule_of(d, "reserve NW") == rule_of(d, "rail NW") == "NR-8.15"


def unloading(units, side=AXIS, **kept):
    return table(units, Unloading, side=side, frame=PlayerTurn(side), **kept)


def test_nr_8_20_any_or_none_get_off():
    d = unloading({"4": "Rail", "6": "Rail"})
    d.order("axis", "unload 4 Berlin", "done")
    assert (where(d, "4"), where(d, "6")) == ("0210", "Rail")


def test_nr_8_21_cities_that_are_joined_and_free_of_zones():
    d = unloading(
        {"4": "Rail", "NW": "2011"}, held=dict.fromkeys(("Minsk", "Smolensk", "Kiev", "Kharkov", "Voronezh"), AXIS)
    )
    assert rule_of(d, "unload 4 Kharkov") == ""
    e = unloading(
        {"4": "Rail", "NW": "1911"}, held=dict.fromkeys(("Minsk", "Smolensk", "Kiev", "Kharkov", "Voronezh"), AXIS)
    )
    assert rule_of(e, "unload 4 Voronezh") == "NR-8.22"


def test_nr_8_22_or_within_three_hexes_of_one():
    s = position({"4": "Rail"}, held={"Minsk": AXIS})
    found = unloadable(s, CODES["4"])
    grid = CHART.board.grid
    assert any(grid.distance(p, place("Minsk")) == 3 for p in found)
    assert place("Kiev") not in found


def test_nr_8_23_not_where_one_has_come_only_now():
    d = unloading({"4": "Rail"}, held={"Minsk": AXIS}, taken=(place("Minsk"),))
    assert rule_of(d, "unload 4 Minsk") == "NR-8.23"


def test_nr_8_24_stacking_holds():
    d = unloading({"4": "Rail", "6": "Berlin", "9": "Berlin"})
    assert rule_of(d, "unload 4 Berlin") == "NR-8.24"


def test_nr_5_20_a_rail_payment_that_was_cancelled_is_paid_again():
    d = table({"Kal": "2410", "Bry": "2411"}, side=SOVIET, soviet=(18, 19), axis=(31,))
    d.order("soviet", "rail Kal", "discard 18 for rail Bry").order("axis", "event 31").order("soviet", "pass")
    assert where(d, "Bry") == "2411"
    d.order("soviet", "discard 19 for rail Bry")
    if asked(d) == "answer axis":
        d.order("axis", "pass")
    assert where(d, "Bry") == "Rail"


def test_nr_8_25_the_strategic_reserve():
    d = table({"Kal": "2410", "Bry": "2109"}, side=SOVIET, turn=4, cut=("Bry",))
    assert rule_of(d, "reserve Bry") == "NR-8.25"
    d.order("soviet", "reserve Kal")
    assert where(d, "Kal") == "Rail"
    assert rule_of(table({"Kal": "2410", "Cen": "2411"}, side=SOVIET, turn=4).order("soviet", "reserve Kal"),
                   "reserve Cen") == "NR-8.25"  # one unit a turn  # fmt: skip
    early = table({"Kal": "2410"}, side=SOVIET, turn=3)
    assert rule_of(early, "reserve Kal") == "NR-11.5"


def test_nr_8_26_it_gets_off_in_the_axis_phase_too():
    d = table({"Kal": "Rail"}, UnloadReserve, turn=5, reserve=CODES["Kal"])
    assert asked(d) == "unload_reserve soviet"
    d.order("soviet", "unload Kal Moscow")
    assert (where(d, "Kal"), d.state.reserve) == ("1707", -1)


def test_nr_8_27_the_marker_changes_within_the_box():
    d = table({"Kal": "Rail", "Bry": "Rail", "4": "0210"}, side=SOVIET, turn=5, reserve=CODES["Kal"])
    d.order("soviet", "reserve Bry")
    assert d.state.reserve == CODES["Bry"]


def test_moves_of_events_begin_outside_zones():
    units = {"4": "2109", "6": "2010", "NW": "2209", "9": "1910"}
    frame = Manoeuvre(AXIS, tuple(CODES[code] for code in ("4", "6", "9")), 1, 2)
    d = table(units, ManoeuvreMove, frame=frame, blows={"1910": SOVIET})
    assert rule_of(d, "move 4 2009") == "NR-5.21"
    assert rule_of(d, "move 9 1911") == "NR-5.21"  # under a counterblow marker
    d.order("axis", "move 6 2011")
    assert where(d, "6") == "2011"


def test_the_river_costs_a_point_and_not_in_snow():
    assert 2309 in reaches(table({"4": "2209"}, turn=8), "4")
    d = table({"4": "2209"}, turn=10, weather="snow")
    d.order("axis", "move 4 2309")
    assert d.events(Moved)[0].cost == 1
    s = position({"4": "2209", "NW": "2309"}, turn=10, weather="snow")
    assert reckon(s, fight(s, "4", "2309")).column >= -1


def test_nr_8_26_it_gets_off_before_the_axis_units_do():
    d = table({"Kal": "Rail", "4": "Rail"}, Remove, turn=5, reserve=CODES["Kal"])
    seen = []
    while asked(d) in ("unload_reserve soviet", "unload axis"):
        seen.append(asked(d))
        d.order(d.asked[0], "done")
    assert seen == ["unload_reserve soviet", "unload axis"]
    own = table({"Kal": "Rail", "Bry": "Rail", "4": "0210"}, Remove, side=SOVIET, turn=5, reserve=CODES["Kal"])
    assert asked(own) == "unload soviet"  # in their own phase they are asked once, of both units
    assert {order.unit for order in own.legal("soviet") if order.kind == "unload"} == {CODES["Kal"], CODES["Bry"]}
    theirs = table({"Kal": "Rail", "Bry": "Rail", "4": "0210"}, UnloadReserve, turn=5, reserve=CODES["Kal"])
    assert {order.unit for order in theirs.legal("soviet") if order.kind == "unload"} == {CODES["Kal"]}
