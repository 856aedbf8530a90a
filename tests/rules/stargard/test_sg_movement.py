"""SG-3.3, SG-4.1, SG-5, SG-6.1, SG-14.2.1: what units may do in a movement segment."""

from __future__ import annotations

import random
from dataclasses import replace

from sg_positions import CHART, number, position

from pbem.game import STAY, Call, End, Order, Out, Violation
from pbem.kit import reach
from pbem_rules.stargard.chart import CAVALRY, FOOT, GERMAN, MECH, SOVIET
from pbem_rules.stargard.events import Captured, Moved, Note, PlaceTaken
from pbem_rules.stargard.frames import Activation, Reform
from pbem_rules.stargard.movement import Movement, allowance, find_way, may_use, normal, use
from pbem_rules.stargard.orders import Decline, Done, Drive, Entrain, Exit, Move, Top
from pbem_rules.stargard.state import EXITED, ISOLATED, LONG_GAME, OUT_OF_SUPPLY, REFORMING, State
from pbem_rules.stargard.terrain import links, roads

STEP = Movement()
BIT = CHART.board.bit
BEYOND = 30  # hexes out of reach that are tried


def activation(seat: str, *codes: str, formation: str = "", free: tuple[str, ...] = ()) -> Activation:
    able = tuple(sorted(map(number, codes)))
    return Activation(seat, "", formation, able=able, free=tuple(sorted(map(number, free))))


def refusal(s: State, f: Activation, order: Order) -> str:
    """The rule that forbids an order; empty: none does."""
    wrong = STEP.check(s, f, f.seat, order, {})
    return "" if wrong is None else wrong.rule


def order(s: State, f: Activation, given: Order) -> tuple[object, list[object]]:
    assert refusal(s, f, given) == ""
    out = Out()
    return STEP.apply(s, f, {f.seat: given}, out), list(out.events)


def move(code: str, *path: int) -> Move:
    return Move(number(code), path)


def cost(s: State, code: str, goal: int, points: int = 240) -> int:
    march = normal(s, number(code), points)
    return reach(march.links, BIT, s.at(number(code)), march.terms)[goal][0]


def step(pace: str, a: int, b: int, *, thaw: bool = False) -> int | None:
    return {there: cost for there, _, cost in links(CHART, pace, thaw=thaw)[a]}.get(b)


# What steps cost.


def test_sg_5_1_2_1_3_1_ground_costs_by_pace() -> None:
    grounds = {"clear": (12, 12, 12), "light_woods": (24, 36, 24), "heavy_woods": (36, 60, 36)}
    board = CHART.board
    for ground, costs in grounds.items():
        a, b = next(pair for pair, edge in board.edges.items() if not edge and board[pair[1]].terrain == ground)
        assert tuple(step(pace, a, b) for pace in (FOOT, MECH, CAVALRY)) == costs


def test_sg_5_2_2_5_2_4_case_11_a_minor_river_costs_a_point_unless_a_bridge_leads_over() -> None:
    assert step(FOOT, 309, 410) == 24
    assert step(MECH, 310, 411) == 24
    assert step(FOOT, 1911, 1912) == 12  # the bridge of a railway, SG-5.2.4: the ground alone


def test_sg_5_2_1_a_road_replaces_hex_and_hexside() -> None:
    assert step(FOOT, 1615, 1714) == 6  # over a river
    assert step(MECH, 714, 715) == 6  # the autobahn
    assert step(MECH, 715, 714) == 6
    assert step(FOOT, 716, 816) == 6  # a road, and a track beside it


def test_sg_5_2_1_entering_beside_the_road_pays_for_the_ground() -> None:
    board = CHART.board
    on_roads = {b for (a, b), edge in board.edges.items() if "road" in edge}
    pairs = [(a, b) for (a, b), edge in board.edges.items() if b in on_roads and not edge]
    assert all(step(FOOT, a, b) in (12, 24, 36, None) for a, b in pairs)


def test_sg_5_2_3_5_2_4_5_2_5a_the_oder_and_its_islands_are_crossed_along_lines_alone() -> None:
    board = CHART.board
    for (a, b), edge in board.edges.items():
        if "oder" in edge and not CHART.bridged(a, b):
            assert step(MECH, a, b) is None
        if board[a].terrain in ("transit", "island") and not edge - {"oder"}:
            assert step(FOOT, a, b) is None
            assert step(FOOT, b, a) is None
    assert step(FOOT, 416, 516) == 12  # along the railway
    assert step(FOOT, 516, 616) == 12


def test_sg_5_2_6_nobody_enters_water() -> None:
    water = {place.id for place in CHART.board.places.values() if place.terrain == "lake"}
    assert not [b for a in CHART.board.places for b, _, _ in links(CHART, FOOT)[a] if b in water]


def test_sg_19_1_9_a_thaw_costs_mechanised_units_a_point_off_the_ways() -> None:
    assert step(MECH, 1003, 1103, thaw=True) == 24
    assert step(FOOT, 1003, 1103, thaw=True) == 12
    assert step(MECH, 714, 715, thaw=True) == 6


def test_sg_5_4_strategic_costs() -> None:
    on_roads = {there: cost for there, _, cost in roads(CHART)[714]}
    assert on_roads[715] == 3
    assert {there: cost for there, _, cost in roads(CHART)[1714]}[1615] == 4
    assert {"road", "autobahn"} <= CHART.board.edges[816, 916]
    assert {there: cost for there, _, cost in roads(CHART)[816]}[916] == 3  # the better of the two


def test_sg_5_4_1a_no_strategic_movement_along_tracks_or_rails() -> None:
    edges = CHART.board.edges
    pairs = {(a, b) for a in CHART.board.places for b, _, _ in roads(CHART)[a]}
    assert pairs == {pair for pair, edge in edges.items() if edge & {"road", "autobahn"}}


# Zones.


def test_sg_4_1a_case_09_from_zone_to_zone_costs_five_points() -> None:
    s = position(("Suelberg", 1003), ("212/80", 1103))
    f = activation(GERMAN, "Suelberg")
    assert cost(s, "Suelberg", 1004) == 60
    assert refusal(s, f, move("Suelberg", 1004)) == ""
    assert refusal(s, f, move("Suelberg", 1004, 1104)) == "SG-4.1a"
    assert cost(s, "Suelberg", 1002) == 36  # leaving alone


def test_sg_4_1b_with_the_points_through_any_number_of_zones() -> None:
    s = position(("24/11SS", 1003), ("212/80", 1103))
    f = activation(GERMAN, "24/11SS")
    assert refusal(s, f, move("24/11SS", 1004, 1104)) == ""  # all of its ten points
    assert refusal(s, f, move("24/11SS", 1004, 1104, 1105)) == "SG-5.2a"
    assert cost(s, "24/11SS", 1104) == 96  # around the enemy


def test_sg_4_2_1_units_without_a_zone_cost_nothing() -> None:
    s = position(("212/80", 1003), ("PyritzII", 1103))
    assert cost(s, "212/80", 1004) == 12


def test_sg_5_2_1_a_railway_is_no_road() -> None:
    assert CHART.board.edges[206, 205] == {"rail"}
    assert (step(FOOT, 206, 205), step(MECH, 206, 205)) == (24, 36)  # what light woods cost


def test_sg_5_2_1_zones_cost_on_roads_too() -> None:
    s = position(("503SS", 1615), ("212/80", 1713))
    assert s.in_zone(1714, SOVIET)
    assert cost(s, "503SS", 1714) == 6 + 24


# Who may move, and how far.


def test_sg_5_1_1_5_2a_full_cost_and_printed_allowance() -> None:
    s = position(("Suelberg", 1003))
    f = activation(GERMAN, "Suelberg")
    assert allowance(s, number("Suelberg")) == 72
    reached = {given.path[0] for given in STEP.legal(s, f, GERMAN, {}) if isinstance(given, Move)}
    assert all(cost(s, "Suelberg", place) <= 72 for place in reached)
    assert refusal(s, f, move("Suelberg", next(iter(BIT)))) in ("SG-5.2a", "SG-5.2.6")


def test_sg_5_3f_isolated_units_have_half_rounded_down() -> None:
    s = position(("Voigt", 1003), ("Suelberg", 1103))
    s.mark_supply(number("Voigt"), ISOLATED)
    s.mark_supply(number("Suelberg"), OUT_OF_SUPPLY)
    assert (allowance(s, number("Voigt")), allowance(s, number("Suelberg"))) == (24, 72)


def test_sg_5_1a_5_3d_a_unit_moves_once_and_points_are_not_lent() -> None:
    s = position(("24/11SS", 1003), ("23/11SS", 1103))
    f = activation(GERMAN, "24/11SS", "23/11SS")
    order(s, f, move("24/11SS", 1004))
    assert refusal(s, f, move("24/11SS", 1003)) == "SG-5.1a"
    assert refusal(s, f, move("23/11SS", 1003)) == ""


def test_sg_3_3_5_5_3c_units_out_of_command_and_enemies_do_not_move() -> None:
    s = position(("24/11SS", 1003), ("23/11SS", 1103), ("212/80", 1120))
    f = activation(GERMAN, "24/11SS")
    assert refusal(s, f, move("23/11SS", 1104)) == "SG-3.3.5"
    assert refusal(s, f, move("212/80", 1121)) == "SG-5.0"
    assert refusal(s, f, Move(9999, (1121,))) == "SG-5.0"
    s = position(("24/11SS", 1003), ("Kausch", 1103), ("22/10SS", 1203), ("23/11SS", 1303))
    f = activation(GERMAN, "24/11SS", formation="sspz3")
    assert refusal(s, f, move("Kausch", 1104)) == "SG-3.3.5"  # independent: it was out of range
    assert refusal(s, f, move("22/10SS", 1204)) == "SG-3.3.1a"
    assert refusal(s, f, move("23/11SS", 1304)) == "SG-3.3.5"


def test_sg_5_0_the_active_headquarters_moves_as_a_mechanised_unit() -> None:
    s = position(("3SSPz-HQ", 1003))
    f = activation(GERMAN, formation="sspz3")
    assert refusal(s, f, move("3SSPz-HQ", 1004)) == ""
    assert refusal(s, activation(GERMAN, formation="pz39"), move("3SSPz-HQ", 1004)) == "SG-3.3.1b"


def test_sg_5_0_a_move_may_name_the_hex_in_which_it_begins() -> None:
    s = position(("24/11SS", 1003))
    f = activation(GERMAN, "24/11SS")
    assert refusal(s, f, move("24/11SS", 1003, 1004)) == ""
    assert refusal(s, f, move("24/11SS", 1003)) == "SG-5.0"


def test_sg_5_0_a_headquarters_that_no_unit_goes_with_is_listed() -> None:
    s = position(("StellII-HQ", 1003))
    f = activation(GERMAN, formation="stell_ii")
    assert move("StellII-HQ", 1004) in list(STEP.legal(s, f, GERMAN, {}))


def test_sg_5_3e_8_1_2b_pinned_units_do_not_move() -> None:
    s = position(("24/11SS", 1003))
    s.pin(number("24/11SS"))
    assert refusal(s, activation(GERMAN, "24/11SS"), move("24/11SS", 1004)) == "SG-8.1.2b"


def test_sg_12_3b_fortresses_never_move() -> None:
    s = position(("F-Bahn", 705))
    assert refusal(s, activation(GERMAN, "F-Bahn"), move("F-Bahn", 706)) == "SG-12.3b"


def test_sg_3_3_2b_two_independents_an_activation() -> None:
    codes = ("Suelberg", "Voigt", "503SS", "24/11SS")
    s = position(*zip(codes, (1003, 1103, 1203, 1001), strict=True))
    f = activation(GERMAN, *codes)
    order(s, f, move("Suelberg", 1004))
    order(s, f, move("Voigt", 1104))
    assert refusal(s, f, move("503SS", 1204)) == "SG-3.3.2b"
    assert may_use(s, f, number("Voigt")) is None  # it may still attack
    order(s, f, move("24/11SS", 1002))
    assert f.used == (number("Suelberg"), number("Voigt"))


def test_sg_3_3_2b_the_count_is_of_units_not_of_uses() -> None:
    s = position(("Suelberg", 1003))
    f = activation(GERMAN, "Suelberg")
    use(f, s, number("Suelberg"))
    use(f, s, number("Suelberg"))
    assert f.used == (number("Suelberg"),)


# Where units may go and end.


def test_sg_5_3a_no_entry_where_enemies_stand() -> None:
    s = position(("24/11SS", 1003), ("212/80", 1103), ("2GT-HQ", 1103))
    assert refusal(s, activation(GERMAN, "24/11SS"), move("24/11SS", 1103)) == "SG-5.3a"
    s = position(("24/11SS", 1003), ("212/80", 1103))
    assert refusal(s, activation(GERMAN, "24/11SS"), move("24/11SS", 1103)) == "SG-5.3a"


def test_sg_5_2_5b_case_12_transit_hexes_are_passed_and_never_an_end() -> None:
    s = position(("212/80", 617))
    f = activation(SOVIET, "212/80")
    assert refusal(s, f, move("212/80", 418)) == ""
    assert refusal(s, f, move("212/80", 517)) == "SG-5.2.5b"
    assert refusal(s, f, move("212/80", 417)) == "SG-5.2.5b"
    assert not {517, 417} & {given.path[-1] for given in STEP.legal(s, f, SOVIET, {}) if isinstance(given, Move)}


def test_sg_6_0_6_1_6_3b_no_end_over_stacking_but_passing_is_free() -> None:
    s = position(("24/11SS", 1003), ("23/11SS", 1004), ("HvS/11SS", 1004), ("3SSPz-HQ", 1001))
    f = activation(GERMAN, "24/11SS", formation="sspz3")
    assert refusal(s, f, move("24/11SS", 1004)) == "SG-6.1"
    assert refusal(s, f, move("24/11SS", 1004, 1005)) == ""
    assert find_way(s, number("24/11SS"), (1003, 1002)) == (1003, 1002)
    assert refusal(s, f, move("3SSPz-HQ", 1004)) == ""
    s.put(number("22/10SS"), 1003)
    assert refusal(s, f, move("24/11SS", 1002, 1003)) == ""  # back to where it has stood with another
    s.put(number("39Pz-HQ"), 1004)
    assert refusal(s, f, move("3SSPz-HQ", 1004)) == "SG-6.1"
    s.put(number("HvS/11SS"), 1101)
    assert refusal(s, f, move("24/11SS", 1004)) == ""  # beside a combat unit and a headquarters


def test_sg_5_7_5_3_1_nowhere_off_the_map() -> None:
    s = position(("24/11SS", 1001))
    f = activation(GERMAN, "24/11SS")
    assert refusal(s, f, Move(number("24/11SS"), (1000,))) == "SG-5.2.6"
    assert refusal(s, f, Move(number("24/11SS"), ())) == "SG-5.0"


# Lone headquarters.


def test_sg_5_3b_5_6_12_2_6_a_lone_headquarters_is_captured() -> None:
    s = position(("24/11SS", 1003), ("2GT-HQ", 1104))
    f = activation(GERMAN, "24/11SS")
    then, events = order(s, f, move("24/11SS", 1104))
    assert then == Call(Reform((number("2GT-HQ"),), (1104,), taken=True), again=True)
    assert s.at(number("24/11SS")) == 1104
    assert s.at(number("2GT-HQ")) == REFORMING
    assert s.back[number("2GT-HQ")] == s.turn + 1
    assert any(isinstance(event, Captured) for event in events)


def test_sg_5_6_the_captor_goes_on_if_the_hex_is_named() -> None:
    s = position(("24/11SS", 1003), ("2GT-HQ", 1104))
    f = activation(GERMAN, "24/11SS")
    order(s, f, move("24/11SS", 1104, 1105))
    assert (s.at(number("24/11SS")), s.at(number("2GT-HQ"))) == (1105, REFORMING)


def test_sg_5_6_no_headquarters_is_captured_that_was_not_named() -> None:
    s = position(("24/11SS", 1003), ("2GT-HQ", 1104))
    f = activation(GERMAN, "24/11SS")
    order(s, f, move("24/11SS", 1105))
    assert s.at(number("2GT-HQ")) == 1104


def test_sg_5_3b_attack_0_and_headquarters_capture_nobody() -> None:
    s = position(("Pommern", 1003), ("3SSPz-HQ", 1004), ("2GT-HQ", 1104))
    f = activation(GERMAN, "Pommern", formation="sspz3")
    assert refusal(s, f, move("Pommern", 1104)) == "SG-5.3a"
    assert refusal(s, f, move("3SSPz-HQ", 1104)) == "SG-5.3a"


def test_sg_12_2_6_case_27_one_point_short_is_no_capture() -> None:
    s = position(("Voigt", 1003), ("2GT-HQ", 1104))
    f = activation(GERMAN, "Voigt")
    s.mark_supply(number("Voigt"), ISOLATED)  # two points
    assert refusal(s, f, move("Voigt", 1104)) == ""
    s.put(number("2GT-HQ"), 1106)
    assert refusal(s, f, move("Voigt", 1106)) == "SG-5.2a"


# Settlements that a unit passes.


def test_sg_1_5_5_settlements_passed_through_are_taken() -> None:
    s = position(("212/80", 1616), ("23/11SS", 1712))
    s.holders[1714] = GERMAN
    f = activation(SOVIET, "212/80")
    _, events = order(s, f, move("212/80", 1615, 1714, 1814))
    assert s.holders[1714] == SOVIET
    told = [event.words() for event in events if isinstance(event, PlaceTaken)]
    assert told == ["The Soviets take Stargard (1714): 4 points."]
    _, events = order(s, activation(GERMAN, "23/11SS"), move("23/11SS", 1714))
    told = [event.words() for event in events if isinstance(event, PlaceTaken)]
    assert told == ["The Germans take Stargard (1714): the Soviets lose 4 points."]


def test_sg_1_5_5_headquarters_take_nothing() -> None:
    s = position(("2GT-HQ", 1615))
    order(s, activation(SOVIET, formation="gt2"), move("2GT-HQ", 1714, 1814))
    assert s.holders[1714] == GERMAN


# Strategic movement.


def drive(code: str, to: int) -> Drive:
    return Drive(number(code), to)


def test_sg_5_4_5_4_1a_5_4_2_strategic_movement_along_roads_and_its_fuel() -> None:
    s = position(("503SS", 717), ("212/80", 4806))
    s.put(number("503SS"), 816)
    f = activation(GERMAN, "503SS")
    assert refusal(s, f, drive("503SS", 1018)) == ""
    assert refusal(s, f, drive("503SS", 809)) == "SG-5.4.1a"
    _, told = order(s, f, drive("503SS", 2911))
    assert s.fuel
    chits = s.chart.track.value(s.turn + 1, GERMAN)
    costs = f"That strategic move costs one of the {chits} German chits of the next turn."
    assert [(event.text, event.rule) for event in told if isinstance(event, Note)] == [(costs, "SG-5.4.2")]
    assert refusal(s, f, drive("503SS", 816)) == "SG-5.1a"


def test_sg_5_4_2_normal_movement_and_soviets_burn_no_german_fuel() -> None:
    s = position(("503SS", 816), ("212/80", 4806))
    order(s, activation(GERMAN, "503SS"), move("503SS", 916))
    s.put(number("Kausch"), 1915)
    order(s, activation(GERMAN, free=("Kausch",)), rail("Kausch", 3530))
    order(
        s,
        activation(SOVIET, "212/80"),
        next(d for d in STEP.legal(s, activation(SOVIET, "212/80"), SOVIET, {}) if isinstance(d, Drive)),
    )
    assert not s.fuel


def test_sg_5_4_1b_case_13_not_through_a_hex_with_two_units() -> None:
    s = position(("503SS", 4514), ("24/11SS", 4615), ("3SSPz-HQ", 4615))
    f = activation(GERMAN, "503SS")
    assert refusal(s, f, drive("503SS", 4615)) == ""  # AMB-11: the end is within stacking
    assert refusal(s, f, drive("503SS", 4714)) == "SG-5.4.1b"
    s.put(number("3SSPz-HQ"), 1001)
    assert refusal(s, f, drive("503SS", 4714)) == ""


def test_sg_6_0_strategic_movement_ends_within_stacking() -> None:
    s = position(("503SS", 916), ("24/11SS", 1115), ("23/11SS", 1115))
    assert refusal(s, activation(GERMAN, "503SS"), drive("503SS", 1115)) == "SG-6.1"


def test_sg_5_4_1c_strategic_movement_keeps_out_of_zones() -> None:
    s = position(("503SS", 4514), ("212/80", 4617))
    f = activation(GERMAN, "503SS")
    assert refusal(s, f, drive("503SS", 4714)) == ""
    s.put(number("212/80"), 4616)
    assert s.in_zone(4615, SOVIET)
    assert not s.in_zone(4514, SOVIET)
    assert refusal(s, f, drive("503SS", 4615)) == "SG-5.4.1c"
    assert refusal(s, f, drive("503SS", 4714)) == "SG-5.4.1a"


def test_sg_5_4_1c_it_does_not_start_in_a_zone() -> None:
    s = position(("503SS", 916), ("212/80", 915))
    assert refusal(s, activation(GERMAN, "503SS"), drive("503SS", 816)) == "SG-5.4.1c"


def test_sg_5_4_1e_12_1g_no_soviet_strategic_movement_in_turn_1() -> None:
    s = position(("79GT", 1115), turn=1)
    f = activation(SOVIET, "79GT")
    assert refusal(s, f, drive("79GT", 1216)) == "SG-5.4.1e"
    s.turn = 2
    assert refusal(s, f, drive("79GT", 1216)) == ""


# The independents of the 3rd Panzer Army.


def rail(code: str, to: int) -> Entrain:
    return Entrain(number(code), to)


def test_sg_3_1_5b_two_independents_move_anywhere_normally_or_by_rail() -> None:
    s = position(("Kausch", 1915), ("503SS", 1003), ("Suelberg", 1103), ("24/11SS", 1203))
    f = activation(GERMAN, "24/11SS", free=("Kausch", "503SS", "Suelberg"))
    order(s, f, rail("Kausch", 3530))
    assert refusal(s, f, drive("503SS", 1004)) == "SG-3.3.5"  # neither by road, nor an attack
    assert may_use(s, f, number("503SS")) is not None
    order(s, f, move("503SS", 1004))
    assert refusal(s, f, move("Suelberg", 1104)) == "SG-3.3.5"
    assert refusal(s, f, rail("Suelberg", 1104)) == "SG-3.1.5b"
    assert f.used == ()
    order(s, f, move("24/11SS", 1204))
    s = position(("Kausch", 1915))
    f = activation(GERMAN, "Kausch", free=("Kausch",))  # in command, too: by rail it moves by the chit all the same
    order(s, f, rail("Kausch", 3530))
    assert (f.used, f.freed) == ((), (number("Kausch"),))


def test_sg_3_1_5b_they_come_beside_those_of_the_headquarters() -> None:
    s = position(("Kausch", 1001), ("503SS", 1003), ("Suelberg", 1103), ("Voigt", 1203), ("951P", 1201))
    codes = ("Kausch", "503SS", "Suelberg", "Voigt", "951P")
    f = activation(GERMAN, *codes, free=codes)
    for code, place in (("Kausch", 1002), ("503SS", 1004), ("Suelberg", 1104), ("Voigt", 1204)):
        order(s, f, move(code, place))
    assert refusal(s, f, move("951P", 1202)) == "SG-3.3.2b"
    assert (len(f.used), len(f.freed)) == (2, 2)


def test_sg_5_5_others_do_not_go_by_rail() -> None:
    s = position(("Kausch", 1915))
    assert refusal(s, activation(GERMAN, "Kausch"), rail("Kausch", 3530)) == "SG-5.5"


def test_sg_5_5_3a_rail_movement_is_by_rail_alone() -> None:
    s = position(("Kausch", 1914))
    f = activation(GERMAN, free=("Kausch",))
    assert refusal(s, f, rail("Kausch", 1915)) == "SG-5.5.1"


def test_sg_5_5_3b_rail_movement_never_exceeds_stacking() -> None:
    s = position(("Kausch", 4222), ("24/11SS", 4422), ("23/11SS", 4422), ("3SSPz-HQ", 4321))
    f = activation(GERMAN, free=("Kausch",))
    assert refusal(s, f, rail("Kausch", 4321)) == ""
    assert refusal(s, f, rail("Kausch", 4422)) == "SG-5.5.1"
    assert refusal(s, f, rail("Kausch", 4522)) == "SG-5.5.1"
    s.put(number("23/11SS"), 1001)
    assert refusal(s, f, rail("Kausch", 4522)) == ""


def test_sg_5_5_2a_rail_movement_enters_a_zone_and_stops() -> None:
    s = position(("Kausch", 4222), ("212/80", 4420))
    f = activation(GERMAN, free=("Kausch",))
    assert refusal(s, f, rail("Kausch", 4522)) == ""
    s.put(number("212/80"), 4421)
    assert s.in_zone(4321, SOVIET)
    assert refusal(s, f, rail("Kausch", 4321)) == ""
    assert refusal(s, f, rail("Kausch", 4522)) == "SG-5.5.2a"


def test_sg_5_5_2b_rail_movement_out_of_a_zone_ends_clear_of_enemies() -> None:
    s = position(("Kausch", 4222), ("212/80", 4322), ("2GT-HQ", 4723))
    f = activation(GERMAN, free=("Kausch",))
    assert s.in_zone(4222, SOVIET)
    assert s.in_zone(4422, SOVIET)
    assert refusal(s, f, rail("Kausch", 4422)) == "SG-5.5.1"
    assert refusal(s, f, rail("Kausch", 4522)) == "SG-5.5.1"
    s.put(number("212/80"), 4223)
    assert s.in_zone(4222, SOVIET)
    assert not s.in_zone(4321, SOVIET)
    assert refusal(s, f, rail("Kausch", 4321)) == ""
    assert refusal(s, f, rail("Kausch", 4522)) == ""
    assert refusal(s, f, rail("Kausch", 4722)) == "SG-5.5.2b"  # beside a headquarters
    s.put(number("24/11SS"), 4722)
    assert refusal(s, f, rail("Kausch", 4722)) == "SG-5.5.2b"  # there would be room


def test_sg_19_1_9_ten_hexes_by_rail_in_a_thaw() -> None:
    s = position(("Kausch", 1815))
    s.thaw = True
    f = activation(GERMAN, free=("Kausch",))
    assert refusal(s, f, rail("Kausch", 3530)) == "SG-19.1.9"
    assert refusal(s, f, rail("Kausch", 2519)) == ""


# Leaving the map.


def relieved(*units: tuple[str, int], turn: int = 3) -> State:
    s = position(*units, turn=turn)
    s.lifted = True
    return s


def test_sg_14_2_1_14_2_units_leave_by_a_source_on_the_southern_edge() -> None:
    s = relieved(("Suelberg", 2106), ("3SSPz-HQ", 2101))
    f = activation(GERMAN, "Suelberg", formation="sspz3")
    _, events = order(s, f, Exit(number("Suelberg")))  # five steps and a point over the edge
    assert s.at(number("Suelberg")) == EXITED
    assert any(isinstance(event, Moved) and event.path[-1] % 100 == 1 for event in events)
    assert refusal(s, f, Exit(number("3SSPz-HQ"))) == "SG-14.2.1"
    for start, end in ((2604, 2101), (2904, 3401)):  # both can be reached: by the cheaper way
        _, events = order(relieved(("503SS", start)), activation(GERMAN, "503SS"), Exit(number("503SS")))
        assert [event.path[-1] for event in events if isinstance(event, Moved)] == [end]
    elsewhere = relieved(("Suelberg", 601))
    assert refusal(elsewhere, activation(GERMAN, "Suelberg"), Exit(number("Suelberg"))) == "SG-14.2.1"


def test_sg_14_2_1_a_point_is_needed_to_leave_and_two_out_of_a_zone() -> None:
    f = activation(GERMAN, "Pommern")  # three points
    assert refusal(relieved(("Pommern", 2103)), f, Exit(number("Pommern"))) == ""
    assert refusal(relieved(("Pommern", 2104)), f, Exit(number("Pommern"))) == "SG-14.2.1"
    s = relieved(("Suelberg", 2101), ("212/80", 2201))
    s.mark_supply(number("Suelberg"), ISOLATED)  # three points: one to leave the map, two to leave the zone
    assert refusal(s, activation(GERMAN, "Suelberg"), Exit(number("Suelberg"))) == ""
    s = relieved(("Voigt", 2101), ("212/80", 2201))
    s.mark_supply(number("Voigt"), ISOLATED)
    assert refusal(s, activation(GERMAN, "Voigt"), Exit(number("Voigt"))) == "SG-14.2.1"


def test_sg_14_2_1_14_0_16_2_the_third_exit_ends_the_game() -> None:
    """While Arnswalde is German; with the option of SG-16.2 it costs the Soviets three points, once."""
    gone = ("24/11SS", "23/11SS")
    for options, ends in (((), True), ((LONG_GAME,), False)):
        s = relieved(("Suelberg", 2101), *((code, EXITED) for code in gone))
        s.options = options
        then, _ = order(s, activation(GERMAN, "Suelberg"), Exit(number("Suelberg")))
        assert isinstance(then, End) is ends
        assert s.relieved is not ends
    s = relieved(("Suelberg", 2101))
    assert order(s, activation(GERMAN, "Suelberg"), Exit(number("Suelberg")))[0] is STAY
    s = relieved(("Suelberg", 2101))
    s.take(SOVIET, 2608)
    assert refusal(s, activation(GERMAN, "Suelberg"), Exit(number("Suelberg"))) == "SG-14.2.1"


def test_sg_14_2_1_only_while_the_siege_is_lifted_and_by_turn_3() -> None:
    f = activation(GERMAN, "Suelberg")
    assert refusal(position(("Suelberg", 2101)), f, Exit(number("Suelberg"))) == "SG-14.2.1"
    assert refusal(relieved(("Suelberg", 2101), turn=4), f, Exit(number("Suelberg"))) == "SG-14.2.1"
    s = relieved(("212/80", 2101))
    assert refusal(s, activation(SOVIET, "212/80"), Exit(number("212/80"))) == "SG-14.2.1"
    for state, listed in ((relieved(("Suelberg", 2101)), True), (position(("Suelberg", 2101)), False)):
        assert (Exit(number("Suelberg")) in [*STEP.legal(state, f, GERMAN, {})]) is listed


# The rest of the segment.


def test_sg_1_1_4b_the_owner_says_who_lies_on_top() -> None:
    enemies = ("212/80", 1120), ("356/80", 1120)
    s = position(("F-Arnswalde", 2608), ("Voigt", 2608), ("24/11SS", 1003), ("23/11SS", 1003), *enemies)
    f = activation(GERMAN, "24/11SS")
    assert s.top_of(2608) == number("F-Arnswalde")
    order(s, f, Top(number("Voigt")))
    assert s.top_of(2608) == number("Voigt")
    s.put(number("23/11SS"), 1103)
    s.tops[1003] = number("23/11SS")  # that has gone
    assert refusal(s, f, Top(number("24/11SS"))) == "SG-1.1.4b"
    assert s.top_of(1003) == number("24/11SS")
    assert [each for each in STEP.legal(s, f, GERMAN, {}) if isinstance(each, Top)] == [Top(number("F-Arnswalde"))]
    assert refusal(s, f, Top(number("Voigt"))) == "SG-1.1.4b"  # already
    assert refusal(s, f, Top(number("3SSPz-HQ"))) == "SG-1.1.4b"
    assert {refusal(s, f, Top(number(code))) for code in ("212/80", "356/80")} == {"SG-1.1.4b"}


def test_sg_2_3_1a_an_activation_is_declined_before_anything_moves() -> None:
    s = position(("24/11SS", 1003))
    f = activation(GERMAN, "24/11SS")
    assert refusal(s, f, Decline()) == ""
    order(s, f, move("24/11SS", 1004))
    assert refusal(s, f, Decline()) == "SG-2.3.1a"
    other = activation(GERMAN, "24/11SS")
    s.last = "sspz3"
    order(s, other, Decline())
    assert other.declined
    assert s.last == ""
    assert not STEP.by(s, other)


def test_sg_2_3_2_1_1_5_what_is_listed_is_allowed_and_no_other_single_hex() -> None:
    s = position(("24/11SS", 1003), ("503SS", 816), ("212/80", 1105), ("2GT-HQ", 1203))
    f = activation(GERMAN, "24/11SS", "503SS", free=("503SS",))
    found = set(STEP.legal(s, f, GERMAN, {}))
    assert Done() in found
    assert all(refusal(s, f, each) == "" for each in found)
    places, grid = CHART.board.places, CHART.board.grid
    assert grid is not None
    for code in ("24/11SS", "503SS"):
        for place in places:
            for each in (drive(code, place), rail(code, place)):
                assert (refusal(s, f, each) == "") == (each in found), each
        # To say why a move is refused takes long, so that those beyond the limit of its reach are a sample.
        reached = {place for place in places if move(code, place) in found}
        beside = {there for place in reached for there in grid.neighbours(place) if there in places} - reached
        beyond = random.sample([place for place in places if place not in reached | beside], BEYOND)
        assert len(beside) > BEYOND
        for place in (*beside, *beyond):
            assert refusal(s, f, move(code, place)), (code, place)


def test_refusals_say_why() -> None:
    s = position(("24/11SS", 1003), ("212/80", 1103))
    wrong = STEP.check(s, activation(GERMAN, "24/11SS"), GERMAN, move("24/11SS", 1103), {})
    assert isinstance(wrong, Violation)
    assert wrong.reason.startswith("24/11SS cannot move to 1103: enemy units stand there. Nearest to it, it can reach")
    s.pieces[number("24/11SS")] = replace(s.pieces[number("24/11SS")], pinned=True)
    wrong = STEP.check(s, activation(GERMAN, "24/11SS"), GERMAN, move("24/11SS", 1104), {})
    assert wrong is not None
    assert wrong.reason == "24/11SS is pinned"
