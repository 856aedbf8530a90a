"""S42-S2 and the rules that it brings: entry, seas, Kerch, volunteers, the Trans-Caucasus front, Baku."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from s42_brawler import Brawler
from s42_positions import AXIS, SOVIET, position

from pbem.engine.testing import Driver, random_game
from pbem.game import Out, Reckoning, View
from pbem.kit import COMBATS, ISOLATED, OUT_OF_SUPPLY, SUPPLIED
from pbem_rules.stalingrad42 import game as GAME
from pbem_rules.stalingrad42.board import POOLS, boxed
from pbem_rules.stalingrad42.chart import DATA, SIDES, SOURCES, chart_of
from pbem_rules.stalingrad42.combat.advance import ways
from pbem_rules.stalingrad42.combat.air import refresh
from pbem_rules.stalingrad42.combat.odds import defence_of
from pbem_rules.stalingrad42.events import Arrived, Evacuated, Moved, SideBegan
from pbem_rules.stalingrad42.frames import GameTurn, PlayerTurn, Prelude
from pbem_rules.stalingrad42.initial import Arrivals, Begin, Ends, Enlists, drafts, due, havens, open_of, place_arrivals
from pbem_rules.stalingrad42.left_undone import left_undone
from pbem_rules.stalingrad42.looking import looking
from pbem_rules.stalingrad42.movement.marching import NORMAL, closed_areas
from pbem_rules.stalingrad42.movement.passing import come_through
from pbem_rules.stalingrad42.movement.phase import Ends as EndMovement
from pbem_rules.stalingrad42.movement.phase import (
    FirstMoves,
    LeaveBaku,
    Movement,
    Moves,
    Sails,
    Transfers,
    ground,
    may_attack,
    still_able,
)
from pbem_rules.stalingrad42.movement.sea import landings, no_sailing
from pbem_rules.stalingrad42.orders import Arrive, Done, Enlist, Evacuate, Move, Sail, Transfer, place_name
from pbem_rules.stalingrad42.scenarios import CAUCASUS, chart_for
from pbem_rules.stalingrad42.setup import set_up
from pbem_rules.stalingrad42.state import DISRUPTED, FIRST_IN_G, GOOD, ROW_FORTY, WAITING, WHILE_HELD, State, other
from pbem_rules.stalingrad42.supply.isolation import help_for, relief
from pbem_rules.stalingrad42.supply.lines import judged, lines, lines_without, sources, stages
from pbem_rules.stalingrad42.supply.phase import Repairs, heads, starving
from pbem_rules.stalingrad42.turns import AxisTurn
from pbem_rules.stalingrad42.victory import divisions, enough_for_baku, points, total, winner

CHART = chart_for(DATA, CAUCASUS)
BOARD = CHART.board
TAMAN, TEMRYUK, NOVOROSSIYSK, TUAPSE, SOCHI = 1549, 1949, 2152, 2956, 3360
KRASNODAR, VOROSHILOVSK = 2849, 4549
F, G, H, J, W, NORTH = (CHART.areas[key] for key in ("f", "g", "h", "j", "w", "north"))


def unit(code: str) -> int:
    return CHART.unit(code).number


def place(*units: tuple[str, int] | tuple[str, int, int], turn: int = 12) -> State:
    return position(*units, turn=turn, chart=CHART)


def rule_of(wrong: object) -> str:
    return getattr(wrong, "rule", "")


def test_s42_2_1b_the_maps_of_the_caucasus() -> None:
    names = {each.name for each in BOARD.places.values()}
    assert {"Krasnodar", "Tuapse", "Mozdok", "Grozny", "Ordzhonikidze"} <= names
    assert not {"Rostov", "Millerovo", "Voronezh", "Stalingrad"} & names


# The first turn.


def test_s42_s2_1_s2_4_1_the_soviets_move_then_the_axis() -> None:
    d = Driver(GAME, CAUCASUS)
    assert (d.state.turn, d.asked, d.need.kind) == (10, (SOVIET,), "first_moves")  # type: ignore[union-attr]
    names = {choice.__name__ for choice in FirstMoves.choices}
    assert not names & {"ExtendedMoves", "Rails", "Sails", "Storms", "Withdrawals", "Transfers"}
    assert isinstance(d.machine.frame, Prelude)
    assert not any(order.unit in d.state.frozen for order in d.legal(SOVIET) if isinstance(order, Move))
    d.order(SOVIET, Done())
    assert (d.asked, d.need.kind) == ((AXIS,), "movement")  # type: ignore[union-attr]
    assert [event.side for event in d.events() if isinstance(event, SideBegan)] == [SOVIET, AXIS]
    s = d.state
    assert not d.view(AXIS).frame.points  # type: ignore[attr-defined]  # S42-S2.4.2
    assert s.at(unit("3Pz")) == NORTH
    assert s.at(unit("46ID")) == W
    assert unit("9GRB") in due(s, SOVIET)  # arrives in the Soviet turn
    assert len(s.wings) == 1


def test_s42_s2_2c_the_axis_enters_by_a_part_of_the_edge_on_the_first_turn() -> None:
    s = place(("3Pz", NORTH), turn=10)
    first = set(CHART.listed("first_entry"))
    march = ground(s, unit("3Pz"), NORMAL)
    barred = {b for a, b in march.terms.closed if a == NORTH}
    assert barred == set(BOARD.near[NORTH]) - first
    s.turn = 11
    assert not {b for a, b in ground(s, unit("3Pz"), NORMAL).terms.closed if a == NORTH}
    blau = position(("45ID", chart_of(DATA).areas["x"]), turn=1)  # where no such edge is named
    assert not ground(blau, blau.chart.unit("45ID").number, NORMAL).terms.closed
    inside = place(("3Pz", 3142), turn=10)
    assert not ground(inside, unit("3Pz"), NORMAL).terms.closed  # whoever has entered goes on as always


def test_s42_s2_2a_one_air_unit_and_none_from_turn_15_to_22() -> None:
    s = place(turn=14)
    flown = {(14, "clear"): 1, (15, "clear"): 0, (22, "clear"): 0, (23, "overcast"): 1, (23, "rain"): 0}
    for (turn, weather), number in flown.items():
        s.turn, s.weather = turn, weather
        refresh(s)
        assert len(s.wings) == number, (turn, weather)


def test_s42_s2_2b_s2_3a_one_resource_point_a_turn() -> None:
    assert CHART.limits["resources"] == {AXIS: 1, SOVIET: 1}


def test_s42_s2_2g_the_first_railhead_comes_on_turn_13_and_places_the_second() -> None:
    s, f, out = place(("3Pz", 3141), turn=13), PlayerTurn(AXIS), Out()
    assert s.tracks == ()
    Begin().run(s, f, out)
    assert s.tracks == ((3140,),)
    assert CHART.limits["railheads"][AXIS] == 2
    assert list(heads(s, f)) == [0]
    assert any(order.path for order in Repairs().legal(s, f, AXIS, {}))
    assert BOARD.in_mask(CHART.map.regions["junctions"].mask) == (3443,)


def test_s42_s2_5_twelve_points_at_the_end_of_turn_27() -> None:
    s = place(("3Pz", 3141), turn=27)
    assert total(s) == 0
    assert winner(s) == SOVIET
    for prize in CHART.prizes:
        s.holders[prize] = AXIS
        s.put(unit("3Pz"), 3141)
    s.turn = 26
    assert winner(s) == ""


# Supply and seas.


def test_s42_s2_2e_16_2_5_the_axis_is_supplied_by_roads_west_of_4440_and_by_taman() -> None:
    s = place()
    assert {p // 100 for p in BOARD.in_mask(sources(s, AXIS))} <= set(range(21, 44))
    assert not sources(s, AXIS) & BOARD.bit[TAMAN]
    come_through(s, unit("46ID"), (TAMAN,), Out())
    assert sources(s, AXIS) & BOARD.bit[TAMAN]  # S42-16.2.5
    assert not sources(s, SOVIET) & BOARD.bit[TAMAN]


def test_s42_16_2_3_ports_of_the_black_sea_are_the_soviets() -> None:
    s = place()
    assert all(sources(s, SOVIET) & BOARD.bit[port] for port in (NOVOROSSIYSK, TUAPSE, SOCHI))
    come_through(s, unit("97Jg"), (TUAPSE,), Out())
    assert not any(sources(s, side) & BOARD.bit[TUAPSE] for side in SIDES)


def test_s42_16_2_4_the_sea_of_azov_goes_with_temryuk_and_a_line_to_it() -> None:
    s = place(("103RB", TEMRYUK))
    azov = [port for port in CHART.azov if port != TEMRYUK]
    assert azov
    assert all(sources(s, SOVIET) & BOARD.bit[port] for port in (*azov, TEMRYUK))
    for port in CHART.azov:
        s.holders[port] = AXIS
    assert not any(sources(s, side) & BOARD.bit[port] for side in SIDES for port in azov) or lines(s, AXIS).reached
    cut = place(("103RB", TEMRYUK), ("97Jg", 2048), ("101Jg", 2149), ("1Mtn", 1950))
    for port in (NOVOROSSIYSK, TUAPSE, SOCHI):
        cut.holders[port] = AXIS
    for key in ("g", "h", "j", "k", "l"):
        assert CHART.map.entries[key].places
    alone = place(
        *(
            (code, p)
            for code, p in zip(("97Jg", "101Jg", "1Mtn", "4Mtn", "73ID", "46ID"), BOARD.near[TEMRYUK], strict=False)
        )
    )
    assert TEMRYUK not in lines_without(alone, SOVIET, BOARD.bit[TEMRYUK])
    assert not sources(alone, SOVIET) & BOARD.bit[azov[0]]  # no line leads to Temryuk
    reached = bool(sources(cut, SOVIET) & BOARD.bit[azov[0]])
    assert reached == (TEMRYUK in lines(cut, SOVIET))


def test_s42_5_7_1a_one_unit_on_each_sea() -> None:
    s = place(("83NB", NOVOROSSIYSK), ("103RB", TEMRYUK), ("318RD", NOVOROSSIYSK))
    f = PlayerTurn(SOVIET)
    assert set(landings(s, unit("318RD"))) == {TUAPSE, SOCHI}
    assert set(landings(s, unit("103RB"))) == set(CHART.azov) - {TEMRYUK}
    Sails().apply(s, f, SOVIET, Sail(unit("318RD"), SOCHI), Out())
    assert rule_of(Sails().check(s, f, SOVIET, Sail(unit("83NB"), TUAPSE), {})) == "S42-5.7.1a"
    assert Sails().check(s, f, SOVIET, Sail(unit("103RB"), max(CHART.azov)), {}) is None


def test_s42_5_7_2a_5_7_2b_20_7_over_the_strait_of_kerch() -> None:
    s = place(("46ID", W), ("10Rom", W), ("77RD", TAMAN))
    f = PlayerTurn(AXIS)
    assert rule_of(no_sailing(s, unit("46ID"))) == "S42-5.7.2a"
    s.put(unit("77RD"), 1749)
    assert rule_of(no_sailing(s, unit("46ID"))) == "S42-20.7"  # it has not been taken
    s.put(unit("3Pz"), W)
    assert no_sailing(s, unit("3Pz")) is None  # who is not of the Bluecher plan need not wait for that
    s.put(unit("3Pz"), NORTH)
    s.holders[TAMAN] = AXIS
    s.alter(unit("46ID"), replace(s.pieces[unit("46ID")], order=DISRUPTED))
    assert rule_of(no_sailing(s, unit("46ID"))) == "S42-22.3.1b"
    s.alter(unit("46ID"), replace(s.pieces[unit("46ID")], order=GOOD))
    s.renewed.add(unit("46ID"))
    assert rule_of(no_sailing(s, unit("46ID"))) == "S42-22.3.1b"
    s.renewed.clear()
    order = Sail(unit("46ID"), TAMAN)
    assert Sails().check(s, f, AXIS, order, {}) is None
    assert order in set(Sails().legal(s, f, AXIS, {}))
    Sails().apply(s, f, AXIS, order, Out())
    assert (s.at(unit("46ID")), s.pieces[unit("46ID")].order) == (TAMAN, DISRUPTED)
    assert rule_of(Sails().check(s, f, AXIS, Sail(unit("10Rom"), TAMAN), {})) == "S42-5.7.1a"
    assert rule_of(no_sailing(s, unit("3Pz"))) == "S42-5.7.1a"
    assert not BOARD.near[W]  # no other way leads out
    assert CHART.round_from(W, AXIS) == ()


def test_s42_22_6_3_22_6_4a_22_6_4b_s2_3b_the_caspian_box() -> None:
    s = place(("8GRB", F), ("4/5GRB", F), ("9GRB", G))
    f = PlayerTurn(SOVIET)
    south = {CHART.areas[key] for key in "ghjkl"}
    assert set(Transfers.ends(s, unit("8GRB"))) == south
    assert F not in Transfers.ends(s, unit("9GRB"))  # full
    assert rule_of(Transfers().check(s, f, SOVIET, Transfer(unit("9GRB"), F), {})) == "S42-22.6"
    s.put(unit("Sup-S1"), G)
    assert F in Transfers.ends(s, unit("Sup-S1"))  # supplies need no room
    Transfers().apply(s, f, SOVIET, Transfer(unit("8GRB"), H), Out())
    assert F in Transfers.ends(s, unit("9GRB"))


def test_s42_22_6_4b_arrivals_wait_for_room_in_the_box() -> None:
    s = place(("9GRB", F), ("10GRB", F), turn=12)
    for code in ("8GRB", "4/5GRB"):
        s.put(unit(code), WAITING)
    assert not {unit("8GRB"), unit("4/5GRB")} & due(s, SOVIET).keys()
    s.put(unit("9GRB"), H)
    place_arrivals(s, SOVIET, Out())
    assert [s.at(unit(code)) == F for code in ("8GRB", "4/5GRB")].count(True) == 1


# Volunteers, the Trans-Caucasus front.


def volunteers_in(s: State) -> PlayerTurn:
    f = PlayerTurn(AXIS)
    Begin().run(s, f, Out())
    return f


def waiting(*units: tuple[str, int], turn: int = 20) -> State:
    s = place(*units, turn=turn)
    for codes in (CHART.boxes["volunteers"], CHART.boxes["transcaucasus"]):
        for number in codes:
            s.put(number, WAITING)
    return s


def test_s42_20_8a_20_8b_one_unit_of_volunteers_a_turn_in_a_town_held_now() -> None:
    s = waiting(("3Pz", 3141))
    s.holders[KRASNODAR] = AXIS
    assert not list(Enlists().legal(s, volunteers_in(s), AXIS, {}))
    s.holders[VOROSHILOVSK] = AXIS
    f = volunteers_in(s)
    orders = set(Enlists().legal(s, f, AXIS, {}))
    assert {order.place for order in orders} == {KRASNODAR, VOROSHILOVSK}
    assert len({order.unit for order in orders}) == 6
    s.put(unit("Sup-S1"), KRASNODAR)
    assert {order.place for order in Enlists().legal(s, f, AXIS, {})} == {VOROSHILOVSK}  # not beside anything Soviet
    s.put(unit("Sup-S1"), WAITING)
    order = Enlist(unit("Platov"), KRASNODAR)
    assert Enlists().check(s, f, AXIS, order, {}) is None
    Enlists().apply(s, f, AXIS, order, Out())
    assert s.at(unit("Platov")) == KRASNODAR
    assert unit("Platov") in s.renewed
    assert not list(Enlists().legal(s, f, AXIS, {}))
    assert unit("Platov") not in {order.unit for order in Enlists().legal(s, volunteers_in(s), AXIS, {})}


def test_s42_20_8a_they_go_on_coming_or_by_option_do_not() -> None:
    s = waiting(("3Pz", 3141))
    s.holders[KRASNODAR] = s.holders[VOROSHILOVSK] = AXIS
    volunteers_in(s)
    s.holders[KRASNODAR] = SOVIET
    f = volunteers_in(s)
    assert {order.place for order in Enlists().legal(s, f, AXIS, {})} == {VOROSHILOVSK}
    s.options = (WHILE_HELD,)
    assert not list(Enlists().legal(s, f, AXIS, {}))
    s.holders[KRASNODAR] = AXIS
    assert list(Enlists().legal(s, f, AXIS, {}))


@pytest.mark.parametrize(("option", "row", "comes"), [((), 40, False), ((), 41, True), ((ROW_FORTY,), 40, True)])
def test_s42_30_0a_the_trans_caucasus_front_comes_when_the_axis_is_far_enough_south(
    option: tuple[str, ...], row: int, *, comes: bool
) -> None:
    s = waiting(("3Pz", NORTH))
    s.options = option
    come_through(s, unit("3Pz"), (3100 + row,), Out())
    assert bool(drafts(s, PlayerTurn(SOVIET))) == comes


def test_s42_30_0a_any_unit_of_the_axis_calls_the_trans_caucasus_front() -> None:
    s = waiting(("Sup-A1", NORTH))
    come_through(s, unit("Sup-A1"), (3141,), Out())
    assert drafts(s, PlayerTurn(SOVIET))
    s = waiting(("3Pz", 3142))
    s.southward = False
    come_through(s, unit("3Pz"), (3141, 3140), Out())
    assert s.southward  # wherever it is in the end
    s = waiting(("32GRD", 3042))
    come_through(s, unit("32GRD"), (3043,), Out())
    assert not drafts(s, PlayerTurn(SOVIET))
    blau = position(("9Pz", 3041))  # where there is no such front
    come_through(blau, blau.chart.unit("9Pz").number, (3042,), Out())
    assert not blau.southward


def test_s42_s2_4_1_one_of_its_units_is_among_the_two_reinforcements_of_the_first_turn() -> None:
    d = Driver(GAME, CAUCASUS)
    while not (d.asked == (SOVIET,) and d.need.kind == "initial"):  # type: ignore[union-attr]
        d.order(d.asked[0], Done())
    assert d.state.turn == 10
    assert set(due(d.state, SOVIET)) == {unit("9GRB")}
    assert len(drafts(d.state, PlayerTurn(SOVIET))) == 12
    d.order(SOVIET, Arrive(unit("9GRB"), H))
    assert rule_of(Ends().check(d.state, PlayerTurn(SOVIET), SOVIET, Done(), {})) == "S42-30.0a"
    d.state.turn = 11
    assert not drafts(d.state, PlayerTurn(SOVIET))


def test_s42_30_0a_30_0b_22_1_2_one_of_its_units_arrives_each_turn_in_the_south() -> None:
    s = waiting(("3Pz", 3141), turn=12)
    s.southward = True
    f = PlayerTurn(SOVIET)
    assert len(drafts(s, f)) == 12
    assert not list(Ends().legal(s, f, SOVIET, {}))
    assert rule_of(Ends().check(s, f, SOVIET, Done(), {})) == "S42-30.0a"
    order = Arrive(unit("89RD"), H)
    assert order in set(Arrivals().legal(s, f, SOVIET, {}))
    assert set(havens(s)) == {CHART.areas[key] for key in "ghjkl"}
    Arrivals().apply(s, f, SOVIET, order, Out())
    assert s.at(unit("89RD")) == H
    assert not drafts(s, f)
    assert Ends().check(s, f, SOVIET, Done(), {}) is None
    assert len(drafts(s, PlayerTurn(SOVIET))) == 11
    assert not drafts(s, PlayerTurn(AXIS))
    s.put(unit("3Pz"), G)
    assert G not in havens(s)  # S42-24.1.3b


# Baku.

EAST = 7553
SOVIETS = ("77RD", "68NB", "76NB", "103RB", "318RD", "83NB", "32GRD")
FIVE = ("3Pz", "13Pz", "111ID", "370ID", "198ID")


def south(*codes: str, turn: int = 20) -> State:
    return place(*((code, G) for code in codes), turn=turn)


def test_s42_24_1_2b_what_counts_as_a_division() -> None:
    s = south("3Pz", "111ID", "Celere", "4Bic", "10Rom")

    def halves(*codes: str) -> int:
        return divisions(s, map(unit, codes))[0]

    assert [halves(code) for code in ("3Pz", "111ID", "10Rom", "4Bic")] == [2, 2, 1, 0]
    for code in ("3Pz", "10Rom"):
        s.set_steps(unit(code), s.pieces[unit(code)].steps - 1)
    assert [halves(code) for code in ("3Pz", "10Rom")] == [1, 0]
    s.set_steps(unit("3Pz"), 1)  # a Remnant
    assert halves("3Pz") == 0
    assert divisions(s, ()) == (0, False)
    s.set_steps(unit("3Pz"), 2)
    assert divisions(s, [unit("3Pz")]) == (1, True)
    assert divisions(s, [unit("Celere")]) == (1, True)
    s.set_steps(unit("Celere"), 1)
    assert divisions(s, [unit("Celere")]) == (0, False)  # nor are the tanks of one that counts for nothing


def test_s42_24_1_2a_five_divisions_in_one_phase_one_of_them_with_tanks() -> None:
    s = south(*FIVE)
    assert enough_for_baku(s, map(unit, FIVE))
    assert not enough_for_baku(s, map(unit, FIVE[:4]))
    assert not enough_for_baku(s, map(unit, ("111ID", "370ID", "198ID", "125ID", "73ID")))
    f = PlayerTurn(AXIS)
    f.southbound = set(map(unit, FIVE[:4]))
    EndMovement().apply(s, f, AXIS, Done(), Out())
    assert not s.baku
    f.southbound = set(map(unit, FIVE))
    EndMovement().apply(s, f, AXIS, Done(), Out())
    assert s.baku
    EndMovement().apply(s, PlayerTurn(AXIS), AXIS, Done(), Out())
    assert s.baku  # as long as enough of them remain
    s.put(unit("111ID"), EAST)  # S42-24.1.2c: too few are left
    EndMovement().apply(s, PlayerTurn(SOVIET), SOVIET, Done(), Out())
    assert s.baku  # until the Axis has moved
    EndMovement().apply(s, PlayerTurn(AXIS), AXIS, Done(), Out())
    assert not s.baku


def test_s42_24_1_2a_22_4b_combat_units_of_the_axis_go_into_area_g_by_movement_alone() -> None:
    s = place(("3Pz", EAST), ("9GRB", 7555))
    f = PlayerTurn(AXIS)
    assert Moves().check(s, f, AXIS, Move(unit("3Pz"), (G,)), {}) is None
    Moves().apply(s, f, AXIS, Move(unit("3Pz"), (G,)), Out())
    assert s.at(unit("3Pz")) == G
    assert f.southbound == {unit("3Pz")}
    s.put(unit("111ID"), EAST)
    elsewhere = next(order for order in Moves().picked(s, f, AXIS, {}, unit("111ID")) if order.path != (G,))
    Moves().apply(s, f, AXIS, elsewhere, Out())
    assert f.southbound == {unit("3Pz")}
    assert closed_areas(s, AXIS) & BOARD.bit[G]
    assert not closed_areas(s, AXIS, moving=True) & BOARD.bit[G]
    assert closed_areas(s, SOVIET, moving=True) & BOARD.bit[G]  # S42-24.1.3b
    assert closed_areas(s, AXIS, moving=True) & BOARD.bit[H]


def test_s42_24_1_2c_three_points_while_a_road_joins_them_to_a_source() -> None:
    s = south(*FIVE)
    s.baku = True
    assert not [each for each in points(s) if each.rule == "S42-24.1.2"]  # Soviet towns bar every road
    for held in s.holders:
        s.holders[held] = AXIS
    assert [each.by for each in points(s) if each.rule == "S42-24.1.2"] == [3]
    assert dict(judged(s, AXIS))[unit("3Pz")] == SUPPLIED
    s.put(unit("3Pz"), EAST)
    assert not [each for each in points(s) if each.rule == "S42-24.1.2"]  # not enough remain there
    s.put(unit("3Pz"), G)
    s.baku = False
    assert not [each for each in points(s) if each.rule == "S42-24.1.2"]


def test_s42_24_1_2d_they_come_back_by_that_area_and_do_not_attack_out_of_it() -> None:
    s = south("3Pz")
    f = PlayerTurn(AXIS)
    assert Moves().check(s, f, AXIS, Move(unit("3Pz"), (EAST,)), {}) is None
    assert not list(Transfers().legal(s, f, AXIS, {}))
    assert rule_of(Transfers().check(s, f, AXIS, Transfer(unit("3Pz"), NORTH), {})) == "S42-22.6"
    assert rule_of(may_attack(s, f, unit("3Pz"))) == "S42-24.1.2d"


def test_s42_24_1_2e_there_they_may_starve_beside_an_airfield() -> None:
    s = south("9GRB")
    assert dict(judged(s, SOVIET))[unit("9GRB")] == SUPPLIED  # whose Area it is
    s = south("3Pz")
    assert dict(judged(s, AXIS))[unit("3Pz")] == OUT_OF_SUPPLY
    for code, edge in zip(SOVIETS, CHART.map.entries["g"].places[::2], strict=True):
        s.put(unit(code), edge)
    assert dict(judged(s, AXIS))[unit("3Pz")] == ISOLATED
    s.alter(unit("3Pz"), replace(s.pieces[unit("3Pz")], supply=ISOLATED))
    assert starving(s, AXIS) == (unit("3Pz"),)
    assert [shift.rule for shift in help_for(s, unit("3Pz"))] == ["S42-24.1.2e"]
    assert relief(s, unit("3Pz")) == 2


@pytest.mark.parametrize(
    ("codes", "options", "leave"), [(FIVE[:4], (), False), (FIVE, (), True), (FIVE[:1], (FIRST_IN_G,), True)]
)
def test_s42_24_1_3a_the_soviets_leave_when_five_have_come_or_by_option_the_first(
    codes: Iterable[str], options: tuple[str, ...], *, leave: bool
) -> None:
    s = south(*codes)
    s.put(unit("9GRB"), G)
    s.options = options
    step, f = LeaveBaku(), PlayerTurn(AXIS)
    assert bool(step.by(s, f)) == leave
    assert not step.by(s, PlayerTurn(SOVIET))
    s.put(unit("9GRB"), H)
    assert not step.by(s, f)  # nobody is there to leave
    s.put(unit("9GRB"), G)
    for s.asked, asks, answers in (("no", False, "default"), (COMBATS, True, "")):
        assert (step.asks(s, f, SOVIET), step.unasked(s)) == (asks, answers)
    out = Out()
    assert step.answers(s, f, SOVIET, {})["j"] == Evacuate(J)
    step.do(s, f, SOVIET, Evacuate(H), out)
    assert (s.at(unit("9GRB")), s.pieces[unit("9GRB")].order) == (H, DISRUPTED)
    assert [event.units for event in out.events if isinstance(event, Evacuated)] == [("9GRB",)]


def test_s42_24_1_3b_the_soviets_do_not_use_area_g_while_the_axis_is_there() -> None:
    s = place(("3Pz", G), ("9GRB", H))
    assert "g" not in s.open_areas(SOVIET)
    assert not sources(s, SOVIET) & ~sources(place(), SOVIET)
    assert sources(s, SOVIET) != sources(place(), SOVIET)
    assert G not in havens(s)
    assert G not in Transfers.ends(s, unit("9GRB"))
    assert "g" not in s.open_areas(AXIS)
    assert open_of(s, SOVIET, (G, H)) == (H,)
    s.put(unit("3Pz"), EAST)
    assert "g" in s.open_areas(SOVIET)


# Mountains.


def peak(*, road: bool) -> tuple[int, int]:
    """A mountain, and a hex beside it that is none, joined by road or not."""
    return next(
        (near, p.id)
        for p in BOARD.places.values()
        if p.terrain == "mountain"
        for near in BOARD.near[p.id]
        if bool(CHART.road(near, p.id)) == road and not {"alpine", "major_river"} & BOARD.edges[near, p.id]
    )


def test_s42_9_6_1a_infantry_is_doubled_in_mountain() -> None:
    _, top = peak(road=False)
    s = place(("1Mtn", top), ("3Pz", top))
    assert [factor.rule for factor in defence_of(s, unit("1Mtn"), top, over=False).factors] == ["S42-9.6.1"]
    assert not defence_of(s, unit("3Pz"), top, over=False).factors


@pytest.mark.parametrize("road", [False, True])
def test_s42_14_5c_14_5d_vehicles_advance_into_mountain_by_road_alone(*, road: bool) -> None:
    low, top = peak(road=road)
    s = place(("3Pz", low), ("1Mtn", low))
    assert any(way[0] == top for way in ways(s, unit("3Pz"), top, 4)) == road
    assert any(way[0] == top for way in ways(s, unit("1Mtn"), top, 2))
    s, clear = place(("3Pz", EAST)), next(p for p in BOARD.near[EAST] if BOARD[p].terrain == "clear")
    assert any(way[0] == clear for way in ways(s, unit("3Pz"), clear, 2))
    foot, edge, steep = 4556, 4557, 4558  # the mountain comes second, and no road leads into it
    s = place(("3Pz", foot), ("1Mtn", foot))
    assert not any(way[:2] == (edge, steep) for way in ways(s, unit("3Pz"), edge, 4))
    assert any(way[:2] == (edge, steep) for way in ways(s, unit("1Mtn"), edge, 2))


# Whole games.


def apart(s: State) -> None:
    both = s.fighters(AXIS) & s.fighters(SOVIET) & s.chart.hexes
    assert both == s.chart.board.mask(s.contests)
    for side in SIDES:
        assert not s.fighters(side) & s.ground.occupied[other(side)] & ~both & s.chart.hexes
    assert sum(map(s.fights, s.of(SOVIET, F))) <= 2
    assert all(0 <= piece.steps <= s.counter(number).steps for number, piece in s.pieces.items())
    assert all(s.pieces[number].order == GOOD for number in s.at_baku() if not s.fights(number))


@pytest.mark.parametrize(("seed", "contested"), [("a", False), ("b", True)])
def test_brawls_in_the_caucasus(seed: str, *, contested: bool) -> None:
    random_game(
        GAME,
        seed,
        scenario=CAUCASUS,
        options={"contested": contested, "row_forty": contested},
        bots={side: Brawler() for side in SIDES},
        orders=150,
        every=25,
        sample=10,
        invariants=(apart,),
    )


def test_s42_s2_4_2_s2_4_3_the_reinforcements_of_the_first_turn_stand_at_the_edge() -> None:
    s = set_up(GAME.setup_of(CAUCASUS))
    later = place(turn=11)
    AxisTurn().run(later, GameTurn(), Out())
    assert not later.wings  # only on the first turn is there no Initial Phase
    AxisTurn().run(s, GameTurn(), Out())
    assert s.wings
    assert sum(s.at(number) == NORTH for number in CHART.own[AXIS]) == 17
    assert sum(s.at(number) == W for number in CHART.own[AXIS]) == 5
    assert all(not what for _, what in judged(s, SOVIET))


def test_s42_s2_2f_s2_3c_replacements_are_those_of_the_scenario() -> None:
    given = {turn.number: dict(turn.values) for turn in CHART.track}
    assert not any("german" in key for key in given[10])
    assert given[15] == {"german_infantry": 2, "german_tank": 1, "german_special": 1, "soviet_cavalry": 1}
    assert [turn for turn in range(11, 28) if "soviet_infantry" in given[turn]] == [14]


def test_the_board_tells_who_is_to_come_one_a_turn() -> None:
    s = waiting()
    assert (POOLS["transcaucasus"], tuple(CHART.boxes["transcaucasus"])) in list(boxed(s, SOVIET))
    assert POOLS["volunteers"] in dict(boxed(s, AXIS))
    for number in CHART.boxes["volunteers"]:
        s.put(number, KRASNODAR)
    assert POOLS["volunteers"] not in dict(boxed(s, AXIS))


def test_s42_5_7_2_who_waits_beyond_the_strait_of_kerch_is_not_said_to_be_able_to_move() -> None:
    s = waiting()
    waits, goes = unit("46ID"), unit("3Pz")
    s.put(waits, W)
    s.put(goes, NORTH)
    s.put(next(iter(CHART.own[SOVIET])), TAMAN)
    f, step = PlayerTurn(AXIS), Movement()
    assert waits not in still_able(s, f)
    assert goes in still_able(s, f)
    said = "46ID crosses the strait of Kerch when no Soviet unit stands in Taman (S42-5.7.2a)"
    assert str(step.barred(s, f, AXIS, "46ID")) == said
    s.put(next(iter(CHART.own[SOVIET])), WAITING)
    s.holders[TAMAN] = AXIS
    assert waits in still_able(s, f)
    f.sailed.add("taman")
    assert "a unit has crossed the strait of Kerch in this turn" in str(step.barred(s, f, AXIS, "46ID"))
    assert waits not in still_able(s, f)


def test_a_place_has_one_name() -> None:
    assert [place_name(place) for place in (NORTH, G, TAMAN)] == [str(BOARD[NORTH]), "Area G", "1549"]
    s = waiting()
    s.put(unit("3Pz"), NORTH)
    view = View(s, (AXIS,), frame=PlayerTurn(AXIS))
    assert GAME.notation.sentence(Arrive(unit("3Pz"), NORTH), view) == "Place 3Pz in North edge."
    assert Arrived(units=("3Pz",), area=NORTH, rule="").words() == "3Pz arrives at the North edge."
    assert (
        Moved(unit="3Pz", path=(NORTH, 3440), how="move", order=GOOD, rule="")
        .words()
        .startswith("3Pz moves, North edge > 3440")
    )


def test_s42_13_1_2b_what_a_long_move_costs_a_headquarters_is_said_before() -> None:
    s = waiting()
    post = unit("1PzA-HQ")
    s.put(post, NORTH)
    f, step = PlayerTurn(AXIS), Movement()
    reached = looking(View(s, (AXIS,), frame=f), "reach 1PzA-HQ")
    assert isinstance(reached, Reckoning)
    told = reached.places
    far = next(int(word) for word, said in told.items() if "disrupts it" in said)
    near = next(int(word) for word, said in told.items() if "normal" in said and "disrupts it" not in said)
    assert "disrupts it (S42-13.1.2b): it gives no help" in step.says(s, f, AXIS, Move(post, (far,)))
    assert step.says(s, f, AXIS, Move(post, (near,))) == ""
    for goal, order in ((far, DISRUPTED), (near, GOOD)):
        s = waiting()
        s.put(post, NORTH)
        step.apply(s, PlayerTurn(AXIS), {AXIS: Move(post, (goal,))}, Out())
        assert s.pieces[post].order == order


def test_left_undone_speaks_of_units_that_have_not_moved_in_the_moves_before_the_first_turn() -> None:
    d = Driver(GAME, CAUCASUS)
    (line,) = left_undone(d.view(SOVIET), SOVIET, Done())
    assert line.startswith("Not moved: ")


def test_s42_22_6_1a_out_of_an_area_from_which_no_way_leads_round() -> None:
    s = place(("3Pz", NORTH))
    wrong = Transfers().check(s, PlayerTurn(AXIS), AXIS, Transfer(unit("3Pz"), W), {})
    assert wrong is not None
    assert wrong.reason == "3Pz can go round to nowhere"


def test_s42_24_1_2a_5_1a_the_axis_alone_is_counted_on_its_way_to_baku() -> None:
    s, f = place(("9GRB", H)), PlayerTurn(SOVIET)
    Transfers().apply(s, f, SOVIET, Transfer(unit("9GRB"), G), Out())
    assert s.at(unit("9GRB")) == G
    assert not f.southbound


def test_s42_16_2_4_temryuk_alone_with_no_road_to_a_source_opens_no_port() -> None:
    s = place(("73ID", TEMRYUK))
    s.holders[TEMRYUK] = AXIS
    assert sources(s, AXIS) & BOARD.bit[TEMRYUK]
    enemies = (each for each in CHART.own[SOVIET] if s.fights(each))
    for each, source in zip(enemies, CHART.listed(SOURCES), strict=False):
        s.put(each, source)
    assert not sources(s, AXIS) & BOARD.bit[TEMRYUK]


def test_s42_16_3_2a_no_land_part_crosses_the_main_range() -> None:
    _, land = stages(place(), AXIS)
    alpine = [(a, b) for (a, b), edge in BOARD.edges.items() if "alpine" in edge]
    assert alpine
    assert not any(steps.spread(BOARD.bit[a]) & BOARD.bit[b] for a, b in alpine for steps in land.steps.values())


def test_s42_24_1_2d_8_1g_the_soviets_attack_out_of_the_area_of_baku() -> None:
    s = place(("9GRB", G), ("3Pz", EAST))
    assert may_attack(s, PlayerTurn(SOVIET), unit("9GRB")) is None
