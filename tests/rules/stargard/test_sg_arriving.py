"""SG-2.5, SG-7.0 to SG-7.2, SG-16.3, SG-19.1.5: who arrives, where, and how each moves on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from sg_plain import CHART, Dice, Table, game, number, position, rule_of, steps, where
from sg_positions import position as printed

from pbem.engine.event import Out
from pbem.engine.need import Orders
from pbem.engine.policy import Policy
from pbem.engine.testing import Driver, at_step
from pbem.game import DONE, Game
from pbem_rules.stargard import game as printed_game
from pbem_rules.stargard.arriving import (
    Crowding,
    FirstArrivals,
    GermanEvent,
    NewArms,
    SecondArrivals,
    Transfer,
    bring_in,
    due,
    entry_is_open,
    entry_of,
    gates,
    overfull,
    places_for,
)
from pbem_rules.stargard.chart import GERMAN, SOVIET
from pbem_rules.stargard.frames import Arriving, GameTurn, War
from pbem_rules.stargard.movement import may_go
from pbem_rules.stargard.orders import Done, Drive, Entrain, Move
from pbem_rules.stargard.state import (
    ASIDE_BOX,
    CAVALRY_BOX,
    OUT_OF_SUPPLY,
    PLACING,
    REFORMING,
    SUPPLIED,
    TETTAU_BOX,
    TRANSFER,
    VOLKSSTURM_BOX,
    WAITING,
    State,
)
from pbem_rules.stargard.supply import judged
from pbem_rules.stargard.terrain import edges
from pbem_rules.stargard.turns import BeginTurn, EventEffect, NextTurn

TETTAU = ("Tettau-HQ", "1/Baer", "2/Baer", "3/Baer", "1/Koes", "2/Koes", "Char/33SS")
CAVALRY = ("3GC/2GC", "4GC/2GC", "17GC/2GC")
QUIET = {f"t{turn}/event": 6 if turn < 8 else 5 for turn in range(1, 11)}
NOTHING: Mapping[str, Policy] = {}
SILENT = {kind: game.policy(kind, "then default") for kind in ("arrivals", "replacements")}
Units = tuple[str, int] | tuple[str, int, int]


def waiting(*units: Units, coming: tuple[str, ...] = (), turn: int = 2, box: int = WAITING, **kept: Any) -> State:
    state = position(*units, turn=turn, **kept)
    for code in coming:
        state.put(number(code), box)
    return state


def phase(
    state: State, *, event: str = "19.1.1", step: Any = FirstArrivals, of: Game[State] = game,
    standing: Mapping[str, Policy] = NOTHING,
) -> Table:  # fmt: skip
    """The Reinforcement phase, until somebody is asked or the next turn's first chit would be drawn.

    `standing`: the standing orders of both sides.
    """
    stack = (War(), NextTurn, True), (GameTurn(event=event), step)
    machine = at_step(of, state, *stack)
    for kind, policy in standing.items():
        for side in (GERMAN, SOVIET):
            machine.set_standing(side, kind, policy)
    return Table(of, chance=Dice(QUIET), machine=machine)


def asked(d: Table) -> tuple[str, str]:
    """The decision and the seat that are waited for; the drawing of a chit is nobody's."""
    need = d.need if d.machine.need is not None else None
    return (need.kind, need.seats[0]) if isinstance(need, Orders) else ("", "")


def refused(d: Table, text: str) -> tuple[str, str]:
    (order,) = game.notation.parse(text, d.context(d.asked[0]))
    violation = d.check(d.asked[0], order)
    assert violation is not None
    return violation.rule, violation.reason


# Who comes, and where


def test_sg_7_0a_an_arrival_stands_in_its_entry_and_may_move_on():
    d = phase(waiting(coming=("88GT", "132/129", "364/7"), turn=1))
    assert asked(d) == ("arrivals", SOVIET)
    assert (where(d, "88GT"), where(d, "132/129"), where(d, "364/7")) == (2101, 2101, 4806)
    d.order(SOVIET, "move 88GT 2104", "done")
    assert (where(d, "88GT"), where(d, "132/129")) == (2104, 2101)


def test_sg_2_5a_nobody_is_asked_where_nothing_arrives():
    d = phase(waiting(("22/10SS", 1714), ("61-HQ", 2101)))
    assert d.state.turn == 3
    assert [line.text for line in d.lines if line.what == "need"] == []


def test_sg_2_5a_germans_come_before_soviets_each_once_asked():
    d = phase(waiting(coming=("1/1Mar", "88GT"), turn=1))
    assert asked(d) == ("arrivals", GERMAN)
    assert not d.state.on_map(number("88GT"))
    d.order(GERMAN, "move 1/1Mar 0219")
    assert asked(d) == ("arrivals", SOVIET)
    d.order(SOVIET, "done")
    assert d.state.turn == 2


def test_sg_2_5_1_arrivals_and_replacements_of_a_side_are_one_turn_of_orders():
    """No die and no other seat lies between, so that they are one mail."""
    d = phase(waiting(("61-HQ", 2110), ("212/80", 2111, 1), coming=("48GT",), turn=7))
    turn, before = d.machine.turn, len(d.lines)
    assert asked(d) == ("arrivals", SOVIET)
    d.order(SOVIET, "done")
    assert asked(d) == ("replacements", SOVIET)
    assert d.machine.turn == turn
    assert {line.what for line in d.lines[before:]} <= {"order", "need", "event"}
    d.order(SOVIET, "restore 212/80")
    assert d.state.turn == 8


@pytest.mark.parametrize(("many", "kinds"), [(5, ["arrivals"] * 4 + ["replacements"]), (4, [])])
def test_sg_2_5a_as_the_game_begins_players_are_asked_when_five_units_arrive(many, kinds):
    """For as long as they move on, and for the replacements after it, which are in the same mail."""
    army = tuple(a.unit for a in CHART.track.arriving(7, SOVIET) if a.where == "d")[:many]
    start = Driver(game).machine.standing(SOVIET)
    state = waiting(("61-HQ", 2110), ("212/80", 2111, 1), coming=army, turn=7)
    d = phase(state, standing=start)
    if kinds:
        for unit in map(number, army[:3]):
            d.order(SOVIET, next(each for each in d.legal(SOVIET) if isinstance(each, Move) and each.unit == unit))
        d.order(SOVIET, "done", "restore 212/80")
    assert [line.text.split()[0] for line in d.lines if line.what == "need"] == kinds
    assert (d.state.turn, steps(d, "212/80")) == (8, 2)


def test_sg_2_5_2a_with_the_option_volkssturm_is_asked_about():
    start = Driver(game).machine.standing(GERMAN)
    for options, kind in (((), ""), ((PLACING,), "volkssturm")):
        state = waiting(coming=("Pommern",), box=VOLKSSTURM_BOX)
        state.options = options
        assert asked(phase(state, standing=start))[0] == kind


def test_sg_5_5_7_1_of_a_full_stack_of_arrivals_each_can_go_by_rail():
    """SG-6.2a, SG-7.1: the limit does not bind the hex in which they are placed."""
    codes = ("234P/163", "310/163", "307/163", "324/163", "234J/163")
    state = printed(("10SS-HQ", 3921), ("281P/281", 3621), ("368/281", 3621), turn=2)
    for code in codes:
        state.put(number(code), WAITING)
    d = phase(state, of=printed_game)
    assert {where(d, code) for code in codes} == {3721}
    for code in codes:
        assert any(isinstance(order, Entrain) and order.unit == number(code) for order in d.legal(GERMAN))


def test_sg_2_5a_by_standing_orders_all_enter_and_no_hex_is_too_full():
    """Whoever leaves it to them gets his arrivals all the same: fourteen units of the 1st Guards Tank Army."""
    army = tuple(a.unit for a in CHART.track.arriving(7, SOVIET) if a.where == "d")
    d = phase(waiting(("61-HQ", 2110), ("24/11SS", 2107), coming=army, turn=7), standing=SILENT)
    assert len(army) == 14
    assert d.state.turn == 8
    assert all(d.state.on_map(number(code)) for code in army)
    assert overfull(d.state, SOVIET) == ()
    assert not any(d.state.in_zone(where(d, code), GERMAN) for code in army)


def test_sg_5_4_2_by_standing_orders_germans_spare_the_fuel():
    state = printed(("10SS-HQ", 3921), turn=2)
    for code in ("310/163", "307/163", "324/163"):
        state.put(number(code), WAITING)
    d = phase(state, of=printed_game, standing=SILENT)
    assert not state.short
    assert overfull(state, GERMAN) == ()
    assert {where(d, code) for code in ("310/163", "307/163", "324/163")} != {3721}


def test_sg_2_5a_by_standing_orders_nobody_goes_into_a_zone_for_nothing():
    enemies = zip(("22/10SS", "21/10SS", "8/4SS", "7/4SS", "69/28SS"), (4605, 4606, 4607, 4804, 4808), strict=True)
    d = phase(waiting(*enemies, ("3Sh-HQ", 4006), coming=("115UR",), turn=1), standing=SILENT)
    assert where(d, "115UR") == 4806
    assert d.state.turn == 2


def test_sg_7_0b_an_arrival_is_in_supply_until_the_next_supply_phase():
    state = waiting(("10SS-HQ", 3621), coming=("310/163",))
    phase(state)
    assert state.at(number("310/163")) == 3721
    assert state.pieces[number("310/163")].supply == SUPPLIED
    for place in (4430, 4429, 4329, 4330, 4529, 4530):
        state.put(next(unit for unit in CHART.own[SOVIET] if not state.on_map(unit)), place)
    assert dict(judged(state, GERMAN))[number("310/163")] == OUT_OF_SUPPLY
    assert state.pieces[number("310/163")].supply == SUPPLIED


def test_sg_12_2_2c_a_headquarters_comes_back_at_a_source_of_its_own():
    state = waiting(("24/11SS", 3402), coming=("61-HQ", "1Pol-HQ"), box=REFORMING, turn=5)
    assert due(state, SOVIET) == ()
    state.turn = 6
    assert due(state, GERMAN) == ()
    assert set(map(state.code, due(state, SOVIET))) == {"61-HQ", "1Pol-HQ"}
    assert places_for(state, number("61-HQ")) == (601, 2101, 4806)
    assert places_for(state, number("1Pol-HQ")) == (4815,)


@pytest.mark.parametrize("enemy", [("88GT", 117), ("88GT", 217)])
def test_sg_7_1_2a_4_3_not_with_enemies_and_not_in_their_zone(enemy):
    """Friendly units do not help."""
    state = waiting(enemy, coming=("1/1Mar",), turn=1)
    assert 117 not in places_for(state, number("1/1Mar"))
    if enemy[1] != 117:
        held = waiting(enemy, ("22/10SS", 117), coming=("1/1Mar",), turn=1)
        assert 117 not in places_for(held, number("1/1Mar"))


def test_sg_7_1_2a_an_entry_is_open_or_barred():
    """Volkssturm has none and is called up anyway."""
    for units, is_open in (((), True), ((("22/10SS", 2101),), False)):
        assert entry_is_open(waiting(*units, coming=("88GT",), turn=1), number("88GT")) is is_open
    boxed = waiting(coming=("Pommern",), box=VOLKSSTURM_BOX)
    assert entry_is_open(boxed, number("Pommern"))


def test_sg_7_1_2b_within_ten_hexes_along_the_same_edge():
    state = waiting(("22/10SS", 2101), coming=("88GT",), turn=1)
    found = places_for(state, number("88GT"))
    assert min(found) == 1101
    assert max(found) == 3101
    assert all(place % 100 == 1 for place in found)
    assert not {2001, 2201} & set(found)  # in the zone
    west = phase(waiting(("22/10SS", 601), coming=("234/77",), turn=4))
    assert rule_of(west, SOVIET, "enter 234/77 0101") == ""
    east = places_for(waiting(("22/10SS", 4806), coming=("364/7",), turn=1), number("364/7"))
    assert all(place // 100 == 48 for place in east)
    assert (min(east), max(east)) == (4801, 4816)


def test_sg_7_1_2c_within_five_hexes_of_a_blocked_hex_inland():
    state = waiting(("88GT", 3721), coming=("310/163",))
    found = places_for(state, number("310/163"))
    grid = CHART.board.grid
    assert grid is not None
    assert max(grid.distance(3721, place) for place in found) == 5
    assert 3726 in found
    assert min(grid.distance(3721, place) for place in found) == 2
    assert [gate.rule for gate in gates(state, number("310/163"))] == ["SG-7.1.2", "SG-7.1.2"]


def test_sg_7_1_2b_the_owner_chooses_among_the_hexes_along_the_edge():
    d = phase(waiting(("22/10SS", 2101), coming=("88GT",), turn=1))
    assert asked(d) == ("arrivals", SOVIET)
    assert rule_of(d, SOVIET, "enter 88GT 2101") == "SG-7.1.2"
    assert rule_of(d, SOVIET, "enter 364/7 1901") == "SG-7.0"
    assert rule_of(d, SOVIET, "move 88GT 1803") == "SG-7.0"
    assert rule_of(d, SOVIET, "move 364/7 1803") == "SG-5.0"
    rule, said = refused(d, "done")
    assert (rule, said[:46]) == ("SG-7.0", "88GT must enter: `enter 88GT HEX`, in 1901, 23")
    d.order(SOVIET, "enter 88GT 1901", "move 88GT 1803")
    assert where(d, "88GT") == 1803


def test_sg_7_1_3_who_cannot_enter_is_destroyed_and_a_headquarters_is_not():
    codes = ("22/10SS", "21/10SS", "8/4SS", "7/4SS", "69/28SS", "70/28SS", "23/11SS", "24/11SS", "99/FG", "100/FB")
    holders = zip(codes, (1101, 1301, 1601, 1901, 2101, 2401, 2701, 3001, 3101, 2201), strict=True)
    state = waiting(*holders, ("101Pz/FG", 1401), coming=("64GT", "48GT", "1GT-HQ"), turn=7)
    assert places_for(state, number("64GT")) == ()
    d = phase(state)
    assert (steps(d, "64GT"), steps(d, "48GT")) == (0, 0)
    said = "48GT in 2101 loses its last step and is destroyed: it cannot enter the map (SG-7.1.3)."
    assert said in [line.text for line in d.lines]
    assert where(d, "1GT-HQ") == REFORMING
    assert state.back[number("1GT-HQ")] == 8


def test_sg_7_1_2b_5_2_5a_not_on_islands():
    state = printed(("88GT", 114), turn=8)
    for code in ("210", "4/1Mar"):
        state.put(number(code), WAITING)
    found = places_for(state, number("210"))
    assert not {108, 109, 110} & set(found)
    assert 107 in found


# Stacking and movement


def test_sg_7_1_6_2a_arrivals_may_stand_too_close_together_until_they_have_moved():
    state = waiting(("212/80", 2101), ("356/80", 2101), coming=("88GT",), turn=1)
    d = phase(state)
    assert where(d, "88GT") == 2101
    rule, said = refused(d, "done")
    assert rule == "SG-6.2"
    leave = "1 more must leave 2101 before you can end (stacking, SG-6.2)"
    held = "it holds 3 combat units and 0 headquarters, and there is room for 2 and 1"
    assert said == f"{leave}: {held}. Move on 88GT"
    assert d.machine.prompt(SOVIET) == (f"Turn 1, arrivals. {leave}. Each of these may move on once from 2101: 88GT.")
    d.order(SOVIET, "move 88GT 2102")
    assert overfull(state, SOVIET) == ()
    assert state.turn == 2


def test_sg_7_1_6_2a_who_cannot_leave_a_hex_that_is_too_full_holds_up_nobody():
    state = waiting(("212/80", 2101), ("356/80", 2101), coming=("88GT", "364/7"), turn=1)
    d = phase(state)
    assert (where(d, "88GT"), where(d, "364/7")) == (2101, 4806)
    assert rule_of(d, SOVIET, "done") == "SG-6.2"
    ring = "22/10SS", "21/10SS", "8/4SS", "7/4SS", "24/11SS", "23/11SS"
    for code, place in zip(ring, CHART.board.near[2101], strict=False):
        state.put(number(code), place)
    assert overfull(state, SOVIET) == (2101,)
    assert rule_of(d, SOVIET, "done") == ""


def test_sg_6_2a_units_that_stood_there_before_do_not_go():
    d = phase(waiting(("212/80", 2101), ("356/80", 2101), coming=("88GT",), turn=1))
    assert rule_of(d, SOVIET, "move 212/80 2102") == "SG-7.1.1"


def test_sg_6_2_1_the_strongest_loses_a_step_where_nobody_could_make_room():
    """Three units that are pinned in by full hexes and enemies."""
    state = waiting(("415/9G", 2101), ("115UR", 2101), ("75G/9G", 2101), turn=5)
    for place in CHART.board.near[2101]:
        assert place in CHART.board
    d = phase(state)
    assert steps(d, "75G/9G") == 1
    assert (steps(d, "415/9G"), steps(d, "115UR")) == (2, 2)
    assert where(d, "75G/9G") != 2101
    assert overfull(state, SOVIET) == ()


def test_sg_6_2_1_it_is_destroyed_if_it_cannot_retreat():
    ring = zip(("22/10SS", "21/10SS", "8/4SS", "7/4SS"), (2001, 2102, 2201, 2202), strict=True)
    d = phase(waiting(*ring, ("415/9G", 2101), ("115UR", 2101), ("75G/9G", 2101), turn=5))
    assert steps(d, "75G/9G") == 0
    assert (where(d, "415/9G"), where(d, "115UR")) == (2101, 2101)


def test_sg_6_3b_two_headquarters_are_too_many_and_two_combat_units_are_not():
    d = phase(waiting(("2GT-HQ", 2101), coming=("1GT-HQ", "64GT", "40GT/11GT"), turn=7))
    rule, said = refused(d, "done")
    assert (rule, said.split(". ")[1]) == ("SG-6.2", "Move on 1GT-HQ")
    d.order(SOVIET, "move 1GT-HQ 2102")
    assert rule_of(d, SOVIET, "done") == ""


def test_sg_6_3b_6_0_a_headquarters_beside_two_combat_units_is_not_too_many():
    assert overfull(waiting(("24/11SS", 2110), ("23/11SS", 2110), ("3SSPz-HQ", 2110)), GERMAN) == ()


def test_sg_7_0a_who_has_entered_is_no_longer_to_come():
    state = waiting(coming=("88GT", "132/129"))
    units = tuple(map(number, ("88GT", "132/129")))
    frame = Arriving(SOVIET, units)
    bring_in(state, frame, units[:1], 2101, Out())
    assert (frame.units, frame.placed) == (units[1:], units[:1])
    state.put(number("364/7"), WAITING)
    wrong = [may_go(state, frame, number(code), Move) for code in ("132/129", "364/7")]
    assert [each and each.rule for each in wrong] == ["SG-7.0", "SG-5.0"]
    assert 4430 in entry_of(waiting(coming=("Tettau-HQ",), box=TETTAU_BOX), number("Tettau-HQ"))


def test_sg_6_3c_of_two_headquarters_one_goes_to_the_nearest_hex():
    d = phase(waiting(("61-HQ", 2101), ("47-HQ", 2101), turn=5))
    assert asked(d) == ("reform", SOVIET)
    places = {order.to for order in d.legal(SOVIET)}
    assert places == set(CHART.board.near[2101])
    assert REFORMING in (where(d, "61-HQ"), where(d, "47-HQ"))


@pytest.mark.parametrize(("placed", "goes"), [(("61-HQ",), "61-HQ"), (("47-HQ",), "47-HQ")])
def test_sg_6_3c_6_2_1_the_headquarters_that_has_arrived_goes(placed, goes):
    state = waiting(("61-HQ", 2101), ("47-HQ", 2101), turn=5)
    called = Crowding().run(state, Arriving(SOVIET, (), placed=tuple(map(number, placed))), Out())
    assert (called.frame.posts, called.frame.origins, called.frame.beside) == ((number(goes),), (2101,), True)
    assert called.again


def test_sg_6_2_1_a_fortress_is_not_the_strongest_and_nobody_is_lost_in_combat():
    state = waiting(("F-Arnswalde", 2110), ("Pommern", 2110), ("PyritzII", 2110))
    assert Crowding().run(state, Arriving(GERMAN, ()), Out()) is DONE  # nothing is left that could retreat
    assert state.pieces[number("F-Arnswalde")].steps == 1
    assert len(state.combat_units(2110)) == 2
    assert not state.ground.of(GERMAN, VOLKSSTURM_BOX)
    state = waiting(("24/11SS", 2110), ("23/11SS", 2110), ("22/10SS", 2110), ("39Pz-HQ", 2110))
    called = Crowding().run(state, Arriving(GERMAN, ()), Out())
    assert (called.frame.length, called.again) == (1, True)


def test_sg_6_2_1_of_units_as_strong_as_each_other_the_one_that_has_arrived_goes():
    state = waiting(("212/80", 2110), ("356/80", 2110), ("23/89", 2110))
    assert len({state.face(number(code)).attack for code in ("212/80", "356/80", "23/89")}) == 1
    called = Crowding().run(state, Arriving(SOVIET, (), placed=(number("356/80"),)), Out())
    assert called.frame.units == (number("356/80"),)


def test_sg_7_1_3_6_2_1_who_is_shut_out_is_shut_out_once():
    state = waiting(("22/10SS", 1714), turn=5)
    frame = Arriving(SOVIET, (number("88GT"),))
    state.put(number("88GT"), WAITING)
    Crowding().run(state, frame, Out())
    assert (frame.units, state.pieces[number("88GT")].steps) == ((), 0)


def test_sg_7_1_1_each_moves_once_with_all_its_points_and_nobody_attacks():
    d = phase(waiting(("Voigt", 2108), coming=("88GT", "132/129"), turn=1))
    d.order(SOVIET, "move 88GT 2106")
    assert rule_of(d, SOVIET, "move 88GT 2104") == "SG-7.1.1"
    assert rule_of(d, SOVIET, "enter 132/129 2101") == "SG-7.1.1"
    assert rule_of(d, SOVIET, "move 132/129 1508") == "SG-5.2a"
    d.order(SOVIET, "move 132/129 1504")
    assert d.state.turn == 2  # no attack


def test_sg_7_1_1_5_5_normal_strategic_and_rail_movement():
    """SG-5.5: on the printed map; the trains stand on a railway and a road."""
    state = printed(turn=2)
    state.put(number("310/163"), WAITING)
    kinds = {type(order) for order in phase(state, of=printed_game).legal(GERMAN)}
    assert kinds == {Move, Drive, Entrain, Done}


def test_sg_5_4_1e_no_soviet_strategic_movement_in_turn_1_for_arrivals_too():
    """AMB-57."""
    for turn, code, may in ((1, "88GT", False), (3, "328/77", True)):
        state = printed(turn=turn)
        state.put(number(code), WAITING)
        d = phase(state, of=printed_game)
        assert any(isinstance(order, Drive) for order in d.legal(SOVIET)) is may


def test_sg_5_4_2_a_strategic_move_of_an_arrival_costs_a_chit():
    state = printed(turn=2)
    state.put(number("310/163"), WAITING)
    d = phase(state, of=printed_game)
    drive = next(order for order in d.legal(GERMAN) if isinstance(order, Drive))
    d.order(GERMAN, drive)
    assert state.short
    assert state.number(GERMAN) == CHART.track.value(3, GERMAN) - 1


def test_sg_5_5_1_arrivals_by_rail_stay_out_of_zones():
    state = printed(("95T/9T", 4121), turn=2)
    state.put(number("310/163"), WAITING)
    ends = {order.to for order in phase(state, of=printed_game).legal(GERMAN) if isinstance(order, Entrain)}
    assert ends
    assert not any(state.in_zone(place, SOVIET) for place in ends)
    assert not {4221, 4321} & ends


def test_sg_12_2_6_an_arrival_captures_a_lone_headquarters():
    d = phase(waiting(("Munzel-HQ", 2103), coming=("88GT",), turn=1))
    d.order(SOVIET, "move 88GT 2103")
    assert where(d, "88GT") == 2103
    assert where(d, "Munzel-HQ") != 2103


# Chits


def test_sg_7_2_7_2_1_case_17_chits_that_arrive_are_in_the_cup_a_turn_later():
    """TEST-17, SG-7.2.1."""
    sizes = [(len(CHART.cup(turn, GERMAN)), len(CHART.cup(turn, SOVIET))) for turn in range(1, 11)]
    assert sizes == [(5, 3), (6, 4), (6, 6), (5, 7), (6, 7), (6, 7), (6, 7), (6, 8), (6, 8), (6, 8)]


def test_sg_7_2_the_report_names_the_chits_that_arrive():
    d = phase(waiting(turn=3), step=NewArms)
    assert any("In the cup from the next turn on: 1st Belorussian Front." in line.text for line in d.lines)


# Entries by event


def test_sg_19_1_5_12_5c_5_4_1d_corps_tettau_and_then_the_cavalry_enter_in_the_event_phase():
    """SG-12.5c, SG-5.4.1d."""
    state = waiting(("10SS-HQ", 4026), coming=TETTAU, box=TETTAU_BOX, turn=8)
    for code in CAVALRY:
        state.put(number(code), CAVALRY_BOX)
    d = phase(state, event="19.1.5", step=GermanEvent)
    assert asked(d) == ("arrivals", GERMAN)
    assert rule_of(d, GERMAN, "enter 1/Baer 3830") == "SG-7.1.2"
    assert all(state.at(number(code)) == CAVALRY_BOX for code in CAVALRY)
    for code in TETTAU:
        d.order(GERMAN, f"enter {code} 4430")
    assert rule_of(d, GERMAN, "drive 1/Baer 4428") == "SG-5.4.1d"
    assert rule_of(d, GERMAN, "rail 1/Baer 4428") == "SG-5.4.1d"
    assert rule_of(d, GERMAN, "done") == "SG-6.2"
    for code, to in zip(TETTAU[1:5], (4429, 4328, 4329, 4330), strict=True):
        d.order(GERMAN, f"move {code} {to}")
    d.order(GERMAN, "done")
    assert asked(d) == ("arrivals", SOVIET)
    assert rule_of(d, SOVIET, "enter 3GC/2GC 4815") == "SG-7.1.2"
    for code, to in zip(CAVALRY, (4816, 4820, 4824), strict=True):
        d.order(SOVIET, f"enter {code} {to}")
    d.order(SOVIET, "done")
    assert where(d, "17GC/2GC") == 4824


def test_sg_19_1_5_the_corps_has_its_chit_from_the_next_turn_on():
    state = waiting(turn=8)
    EventEffect().run(state, GameTurn(event="19.1.5"), Out())
    BeginTurn().run(state, GameTurn(), Out())
    assert "Tettau" in state.cup


# The transfer


def test_sg_16_3_another_counter_takes_its_place_its_steps_and_its_marks():
    state = waiting(("234/77", 2105, 1), ("61-HQ", 2110), turn=7, cut=("234/77",), pinned=("234/77",))
    state.options = (TRANSFER,)
    d = phase(state)
    assert (where(d, "234/80"), steps(d, "234/80"), where(d, "234/77")) == (2105, 1, ASIDE_BOX)
    assert state.pieces[number("234/80")].supply == OUT_OF_SUPPLY
    assert state.pieces[number("234/77")].supply == SUPPLIED
    assert not state.pieces[number("234/77")].pinned
    assert "234/80 takes the place of 234/77 in 2105." in [line.text for line in d.lines]


def test_sg_16_3_not_without_the_option_not_in_other_turns_and_not_if_it_is_destroyed():
    for turn, options in ((7, ()), (6, (TRANSFER,))):
        state = waiting(("234/77", 2105), turn=turn)
        state.options = options
        assert where(phase(state), "234/77") == 2105
    state = waiting(turn=7)
    state.options = (TRANSFER,)
    state.set_steps(number("234/77"), 0)
    d = phase(state)
    assert (where(d, "234/80"), steps(d, "234/80")) == (0, 2)
    assert where(d, "234/77") == 0
    assert not any("takes the place" in line.text for line in d.lines)


def test_sg_16_3_the_division_changes_armies_with_the_soviet_arrivals():
    state = position(("234/77", 2105), turn=7, pinned=("234/77",))
    state.options = (TRANSFER,)
    assert [Transfer().when(state, Arriving(seat, ())) for seat in (GERMAN, SOVIET)] == [False, True]
    Transfer().run(state, Arriving(SOVIET, ()), Out())
    assert [state.pieces[number(code)].pinned for code in ("234/77", "234/80")] == [False, True]


def test_sg_16_3_it_lies_on_top_if_the_other_did():
    for top in ("234/77", "212/80"):
        state = waiting(("234/77", 2105), ("212/80", 2105), turn=7)
        state.options, state.tops[2105] = (TRANSFER,), number(top)
        phase(state)
        assert state.top_of(2105) == number("234/80" if top == "234/77" else top)


@pytest.mark.parametrize(("last", "first"), [("39Pz", GERMAN), ("61", SOVIET)])
def test_sg_2_5a_the_side_that_played_the_last_chit_brings_its_arrivals_first(last, first):
    state = position()
    state.drawn = ("3SSPz", "2GT", last)
    sides = [step().run(state, GameTurn(), Out()).frame.seat for step in (FirstArrivals, SecondArrivals)]
    assert sides == [first, SOVIET if first == GERMAN else GERMAN]


def test_sg_7_1_2b_the_straight_edges_of_the_map():
    """South row 01, north row 30, west column 01, east column 48 (AMB-45)."""
    board = CHART.board
    found = [set(board.in_mask(edge)) for edge in edges(CHART)]
    places = set(board.places)
    assert found == [
        {place for place in places if place % 100 == 1},
        {place for place in places if place % 100 == 30},
        {place for place in places if place // 100 == 1},
        {place for place in places if place // 100 == 48},
    ]
