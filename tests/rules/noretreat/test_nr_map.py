"""NR-2 Map, terrain, cities, areas, control; NR-3 Sequence of play."""

from __future__ import annotations

from noretreat_positions import CHART, CODES, asked, declaring, position, rule_of, shifts, table, where

from pbem.engine.event import Out
from pbem.engine.testing import Driver
from pbem.kit.datafile import problems
from pbem_rules.noretreat import game
from pbem_rules.noretreat.chart import AXIS, DATA, SOVIET, chart_of
from pbem_rules.noretreat.entries import germany
from pbem_rules.noretreat.frames import GameTurn, PlayerTurn
from pbem_rules.noretreat.hands import draw_count
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.rail import Unloading
from pbem_rules.noretreat.sequence import SEQUENCES
from pbem_rules.noretreat.supply import SupplyPhase, open_places, sources
from pbem_rules.noretreat.turns import Remove, TurnEvents
from pbem_rules.noretreat.victory import enter

PRINTED = chart_of(DATA)


def test_nr_2_1_a_map_with_two_edges():
    assert problems("map", DATA["map"]) == []
    columns = {side: {place // 100 for place in PRINTED.board.in_mask(PRINTED.edge[side])} for side in (AXIS, SOVIET)}
    assert columns == {AXIS: {1}, SOVIET: {26}}


def test_nr_2_2_terrain_kinds():
    kinds = {place.terrain for place in PRINTED.board.places.values()}
    assert {"clear", "forest", "swamp", "mountain", "sea", "lake"} <= kinds
    assert set(CHART.terrain) >= {"clear", "forest", "swamp", "mountain", "city", "objective", "oil", "river"}
    features = {feature for edge in PRINTED.board.edges.values() for feature in edge}
    assert {"river", "sea", "lake"} <= features


def test_nr_2_3_thirty_places_count():
    assert len(PRINTED.points) == 30
    held = [point.held for point in PRINTED.points.values()]
    assert (held.count(AXIS), held.count(SOVIET)) == (11, 19)
    assert problems("places", DATA["places"]) == []


def test_nr_2_4_areas_act_as_one_hex():
    assert PRINTED.board.touch(PRINTED.finland, PRINTED.named["Leningrad"])
    assert PRINTED.board.touch(*PRINTED.balkans)
    d = table({"AGE": "Belgrade"})
    d.order("axis", "move AGE Western_Balkans")
    assert where(d, "AGE") == "9002"


def test_nr_2_5_greater_germany_and_where_units_arrive():
    names = {CHART.board[place].name for place in CHART.board.in_mask(CHART.reich)}
    assert names == {"Berlin", "Koenigsberg", "Breslau", "Posen", "Vienna", "Prague"}
    s = position({})
    warsaw = CHART.board.bit[CHART.named["Warsaw"]]
    assert germany(s) & warsaw
    assert germany(position({}, held={"Warsaw": SOVIET})) == CHART.reich


def test_nr_2_6_crossing_the_border_is_noticed():
    s = position({}, turn=18, active=SOVIET)
    enter(s, SOVIET, (810,), Out())  # Bialystok lies in the USSR
    assert "gg" not in s.triggers
    enter(s, SOVIET, (1017,), Out())  # Romania
    assert s.triggers["gg"] == 18


def test_nr_2_7_control_by_entering():
    d = table({"1Pz": "2109"}, held={"2208": SOVIET, "2307": SOVIET})
    d.order("axis", "move 1Pz 2208-2308")
    assert d.state.holders[2208] == AXIS
    assert d.state.holders[2210] == SOVIET  # a zone does not count


def test_nr_2_8_a_city_taken_in_this_turn_is_known():
    d = table({"1Pz": "2310", "4": "Rail"})
    d.order("axis", "move 1Pz Saratov")
    assert 2311 in d.state.taken


def test_nr_2_9_enemy_cities_block_lines():
    s = position({}, held={"Kiev": SOVIET})
    assert not open_places(s, AXIS) & CHART.board.bit[CHART.named["Kiev"]]
    assert not open_places(s, SOVIET) & CHART.board.bit[CHART.finland]
    assert open_places(s, SOVIET) & CHART.board.bit[CHART.named["Kiev"]]


def test_nr_2_10_objectives():
    names = {side: {PRINTED.points[place].name for place in PRINTED.objectives[side]} for side in (AXIS, SOVIET)}
    assert names[AXIS] == {"Moscow", "Leningrad", "Sevastopol", "Stalingrad", "Caucasus"}
    assert names[SOVIET] == {"Koenigsberg", "Breslau", "Posen", "Vienna"}


def test_nr_2_11_objectives_shift_once_more():
    s = position({"Mos": "Stalingrad", "4": "2314"})
    found = shifts(s, "4", "Stalingrad")
    assert (found["city"], found["objective"]) == (-1, -1)


def test_nr_2_12_seas_have_their_own_coasts():
    s = position({})
    assert set(CHART.coast) == {"baltic", "black_sea", "caspian"}
    assert not sources(s, AXIS) & CHART.coast["caspian"] & ~CHART.edge[AXIS] & ~CHART.coast["black_sea"]


# NR-3


def test_nr_3_1_the_axis_moves_first():
    d = Driver(game)
    assert (d.state.turn, d.state.active, d.asked) == (1, AXIS, ("axis",))
    names = [step.name for step in SEQUENCES[1].steps]
    assert names.index("turn_events") < names.index("victory") < names.index("axis_turn") < names.index("soviet_turn")


def test_nr_3_2_the_last_turn():
    d = table({"4": "2109"}, Unloading, side=SOVIET, turn=28, frame=PlayerTurn(SOVIET))
    assert asked(d) == "over"
    assert d.need.result.how == "the Reich holds out"


def test_nr_3_3_events_of_the_turn_come_first():
    names = [step.name for step in SEQUENCES[1].steps]
    assert names[0] == "turn_events"
    d = table({"2Pz": "2109"}, TurnEvents, turn=16, frame=GameTurn())
    assert where(d, "2Pz") == "out of the game"


def test_nr_3_4_victory_phase_after_the_events():
    names = [step.name for step in SEQUENCES[1].steps]
    assert names.index("turn_events") < names.index("victory") < names.index("axis_turn")


ORDER = {step.name: number for number, step in enumerate(SEQUENCES[2].steps)}


def test_nr_3_5_card_phase():
    assert ORDER["cards"] < ORDER["card_phase"] < ORDER["supply"]


def test_nr_3_6_supply_phase_marks_both_sides():
    assert ORDER["supply"] < ORDER["organise"]
    d = table({"1Pz": "2109", "NW": "0315"}, SupplyPhase, axis=())
    assert d.state.cut == {CODES["1Pz"], CODES["NW"]}


def test_nr_3_7_organisation_in_three_steps():
    units = {"Len": ("Leningrad", "+"), "NW": "Shattered"}
    d = table(units, Organise, side=SOVIET, turn=8)
    d.order("soviet", "place NW Moscow")
    assert rule_of(d, "flip Len") == "NR-3.7"


def test_nr_3_8_movement_then_the_reserve():
    assert ORDER["organise"] < ORDER["march"] < ORDER["open_moved"] < ORDER["targets"]
    d = table({"Kal": "2410", "Bry": "2411"}, side=SOVIET)
    d.order("soviet", "reserve Kal")
    assert rule_of(d, "move Bry 2410") == "NR-8.25"


def test_nr_3_9_combat_phase():
    assert ORDER["targets"] < ORDER["counterblows"] < ORDER["battles"] < ORDER["end_combat"] < ORDER["removal"]


def test_nr_3_10_removal_phase():
    d = table({"1Pz": "2109", "4": "2110"}, Remove, cut=("1Pz",), tired=("4",))
    assert where(d, "1Pz") == "Captured-"
    assert not d.state.tired


def test_nr_3_11_unloading_comes_last():
    assert ORDER["removal"] < ORDER["unload"] < ORDER["open_turn_end"]


def test_nr_3_12_the_removal_phase_checks_supply_again():
    d = table({"1Pz": "0210"}, Remove, cut=("1Pz",))
    assert where(d, "1Pz") == "0210"
    assert not d.state.cut


def test_nr_3_13_the_first_turn():
    d = Driver(game)
    assert len(d.state.hand(AXIS)) == 6
    assert draw_count(d.state, SOVIET) == 4
    assert len(d.state.hand(SOVIET)) == 0
    t = declaring({"West": "2209", "SW": "0810", "1Pz": "2109", "4": "0711"}, turn=1)
    assert rule_of(t, "target 2209") == "NR-3.13"
    assert rule_of(t, "target 0810") == ""
