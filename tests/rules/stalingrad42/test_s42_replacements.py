"""S42-21: replacements, who can use which, where units come back, and what the marker forbids."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_game import GAME
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.engine.testing import Driver, at_step
from pbem.game import DONE, STAY, Order, Out
from pbem_rules.stalingrad42.chart import DATA
from pbem_rules.stalingrad42.combat.advance import may_advance
from pbem_rules.stalingrad42.combat.fights import ListAttacks
from pbem_rules.stalingrad42.combat.guns import posts
from pbem_rules.stalingrad42.events import Renewed
from pbem_rules.stalingrad42.frames import GameTurn, PlayerTurn, War
from pbem_rules.stalingrad42.initial import Begin, Initial
from pbem_rules.stalingrad42.left_undone import left_undone
from pbem_rules.stalingrad42.movement.phase import Movement
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.orders import Attack, Done, Entrain, Extended, Move, Renew, Sail, Storm, Transfer, Withdraw
from pbem_rules.stalingrad42.replacements import Renewals, Unmark, capacity, spots
from pbem_rules.stalingrad42.scenarios import CAUCASUS, chart_for
from pbem_rules.stalingrad42.state import DISRUPTED, ELIMINATED, GOOD, REMOVED, ROUTED, State
from pbem_rules.stalingrad42.supply.lines import lines
from pbem_rules.stalingrad42.turns import AxisTurn, NextTurn

AREAS = CHART.areas
STEP, MOVE = Initial(), Movement()
PLENTY = {"tank": 2, "infantry": 2, "cavalry": 2, "special": 2, "romanian": 1}
VORONEZH, KHARKOV = 2503, 1015


def refusal(s: State, f: PlayerTurn, order: Order, step: Initial | Movement = STEP) -> str:
    wrong = step.check(s, f, f.seat, order, {})
    return "" if wrong is None else wrong.rule


def give(s: State, f: PlayerTurn, order: Order) -> list[object]:
    assert refusal(s, f, order) == ""
    out = Out()
    assert STEP.apply(s, f, {f.seat: order}, out) is STAY
    return list(out.events)


def test_s42_21_4a_21_4b_21_4d_19_4_what_a_replacement_costs_is_said_with_it() -> None:
    s = boxed("57ID", "6A-HQ")
    says = STEP.says(s, plenty(AXIS), AXIS, Renew(number("57ID"), place=KHARKOV))
    assert says.startswith("Spend a replacement on 57ID in 1015: ")
    assert "it moves one hex at most and cannot disengage, and no unit attacks out of its hex (S42-21.4)" in says
    s.returns[number("6A-HQ")] = 2
    assert STEP.says(s, plenty(AXIS), AXIS, Renew(number("6A-HQ"), place=KHARKOV)) == ""  # it comes back for nothing


def test_s42_21_1_1_21_2b_the_reason_that_will_not_pass_comes_before_the_kinds_that_are_used_up() -> None:
    s, f = position(("9Pz", 1003, 2), ("57ID", 1003)), PlayerTurn(AXIS)
    assert (refusal(s, f, Renew(number("57ID"))), refusal(s, f, Renew(number("9Pz")))) == ("S42-21.1.1", "S42-21.1.3")
    s.renewed.add(number("9Pz"))
    assert refusal(s, f, Renew(number("9Pz"))) == "S42-21.2b"


def begin(s: State, side: str) -> PlayerTurn:
    f = PlayerTurn(side)
    assert Begin().run(s, f, Out()) is DONE
    return f


def boxed(*codes: str, turn: int = 2) -> State:
    """These units have been in the Eliminated Box for long."""
    s = position(turn=turn)
    for code in codes:
        s.set_steps(number(code), 0, ELIMINATED)
    return s


def plenty(side: str) -> PlayerTurn:
    return PlayerTurn(side, spare=dict(PLENTY))


# Who can use which.


@pytest.mark.parametrize(
    ("rule", "code", "kinds"),
    [
        ("a", "9Pz", ("tank",)),
        ("a", "16TC", ("tank",)),
        ("b", "45ID", ("infantry", "special")),
        ("b", "1Mtn", ("infantry", "special")),
        ("b", "45RD", ("infantry", "cavalry", "special")),
        ("c", "5CC", ("cavalry",)),
        ("d", "6A-HQ", ("special",)),
        ("d", "8NKVD", ("special",)),
        ("d", "76NB", ("special",)),
        ("d", "1MB", ("special",)),
        ("d", "1TD", ("special",)),
        ("d", "111RB", ("infantry", "cavalry", "special")),
        ("e", "1Rom", ("romanian", "allied")),
        ("e", "5CavRom", ("romanian", "allied")),
        ("e", "Barbo", ("italian", "allied")),
        ("e", "9LHun", ("hungarian", "allied")),
        ("e", "Slovak", ("allied",)),
        ("e", "369Cro", ("allied",)),
        ("21.5.1", "3PzG", ("tank", "special")),
        ("21.5.2", "129TB", ("tank", "special")),
        ("21.5.2", "177/243StuG", ("tank", "special")),
        ("19.4", "Sup-S1", ()),
    ],
)
def test_s42_21_1_4a_21_1_4b_21_1_4c_21_1_4d_21_1_4e_21_5_1_21_5_2_18_2_3c_19_4_the_kinds_of_a_unit(
    rule: str, code: str, kinds: tuple[str, ...]
) -> None:
    assert CHART.replacements(number(code)) == kinds


def test_s42_21_1_2_21_1_3_they_come_by_the_track_and_are_lost_with_the_phase() -> None:
    s = position(("9Pz", 1003, 2), ("45RD", 3417, 1), turn=6)
    for code, turns in (("45ID", 1), ("62RD", 1), ("121RD", 0)):
        s.missing[number(code)] = turns
    assert begin(s, AXIS).spare == {"infantry": 1, "tank": 1, "romanian": 1}
    waiting = {number("45ID"): 0, number("62RD"): 1, number("121RD"): 0}
    assert dict(s.missing) == waiting  # a turn of one's own side counts
    f = begin(s, SOVIET)
    assert dict(s.missing) == {number("45ID"): 0, number("62RD"): 0}
    assert f.spare == {"infantry": 2, "tank": 1, "cavalry": 1}
    assert STEP.apply(s, f, {SOVIET: Done()}, Out()) is DONE
    assert f.spare == {}


def test_s42_21_1_1_21_2b_a_step_for_each_once_a_turn() -> None:
    s, f = position(("24Pz", 1003, 2), ("3Pz", 1003), ("9Pz", 1004, 1)), plenty(AXIS)
    events = give(s, f, Renew(number("24Pz")))
    assert events == [Renewed(unit="24Pz", place=1003, by="tank", back=False, rule="S42-21")]
    assert s.pieces[number("24Pz")].steps == 3
    assert f.spare["tank"] == 1
    assert refusal(s, f, Renew(number("24Pz"))) == "S42-21.2b"
    assert refusal(s, f, Renew(number("3Pz"))) == "S42-21.1.1"
    assert refusal(s, f, Renew(number("9Pz"), place=1004)) == "S42-21.1.1"
    assert refusal(s, f, Renew(number("45RD"))) == "S42-21.1"
    assert refusal(s, f, Renew(number("45ID"))) == "S42-21.1.1"
    give(s, f, Renew(number("9Pz")))
    assert "tank" not in f.spare


def test_s42_21_3_4_a_remnant_becomes_its_unit_again_reduced() -> None:
    s, f = position(("9Pz", 1003, 1)), plenty(AXIS)
    before = s.remnants_left("panzer")
    give(s, f, Renew(number("9Pz")))
    assert s.pieces[number("9Pz")].steps == 2
    assert s.remnants_left("panzer") == before + 1


def test_s42_21_1_3_only_of_a_kind_that_is_left() -> None:
    s, f = position(("9Pz", 1003, 2)), PlayerTurn(AXIS, spare={"infantry": 2})
    assert refusal(s, f, Renew(number("9Pz"))) == "S42-21.1.3"
    assert not [order for order in STEP.legal(s, f, AXIS, {}) if isinstance(order, Renew)]
    s.set_steps(number("95ID"), 1)
    s.put(number("95ID"), 1004)
    wrong = STEP.check(s, f, AXIS, Renew(number("95ID"), by="special"), {})
    assert wrong is not None
    assert (wrong.rule, wrong.reason) == ("S42-21.1.4", "95ID can use infantry, not special")


def test_s42_21_1_4_the_kind_that_serves_the_fewest_or_the_one_that_is_named() -> None:
    s, f = position(("45ID", 1003, 2), ("95ID", 1003, 2), ("3PzG", 1004, 2)), plenty(AXIS)
    give(s, f, Renew(number("45ID")))
    assert f.spare == {**PLENTY, "infantry": 1}
    assert refusal(s, f, Renew(number("95ID"), by="tank")) == "S42-21.1.4"
    give(s, f, Renew(number("95ID"), by="special"))
    assert f.spare["special"] == 1
    give(s, f, Renew(number("3PzG"), by="special"))
    assert "special" not in f.spare
    assert refusal(s, f, Renew(number("1Rom"), by="special")) == "S42-21.1.1"
    s, f = position(("95ID", 1004, 1)), plenty(AXIS)
    del f.spare["infantry"]
    event, *_ = give(s, f, Renew(number("95ID")))
    assert getattr(event, "by", "") == "special"  # of a kind that is left
    assert f.spare["special"] == 1


@pytest.mark.parametrize("order", [DISRUPTED, ROUTED])
def test_s42_21_2a_13_2_1e_13_3_2a_in_good_order(order: int) -> None:
    s, f = position(("9Pz", 1003, 2)), plenty(AXIS)
    s.alter(number("9Pz"), replace(s.pieces[number("9Pz")], order=order))
    assert refusal(s, f, Renew(number("9Pz"))) == "S42-21.2a"


def test_s42_21_2a_16_4d_in_supply_now_whatever_it_is_marked_with_and_beside_the_enemy() -> None:
    s = position(("9Pz", 3417, 2), ("45RD", 3416), ("62RD", 3518), ("121RD", 3318))
    assert refusal(s, plenty(AXIS), Renew(number("9Pz"))) == "S42-21.2a"
    s = position(("9Pz", 1003, 2), ("45RD", 1103))
    s.alter(number("9Pz"), replace(s.pieces[number("9Pz")], supply=1))
    assert refusal(s, plenty(AXIS), Renew(number("9Pz"))) == ""
    s = position(("9Pz", AREAS["y"], 2))
    assert refusal(s, plenty(AXIS), Renew(number("9Pz"))) == ""


# Out of the Eliminated Box.


def test_s42_21_3_1g_after_a_full_turn_in_the_box() -> None:
    s = position(("45RD", 3417, 1), ("95ID", 1003, 2))
    s.lose_step(number("45RD"))
    assert s.at(number("45RD")) == ELIMINATED
    f = begin(s, SOVIET)
    assert refusal(s, f, Renew(number("45RD"), place=AREAS["a"])) == "S42-21.3.1g"
    begin(s, AXIS)  # which is no turn of its owner
    f = begin(s, SOVIET)
    assert refusal(s, f, Renew(number("45RD"), place=AREAS["a"])) == ""
    give(s, f, Renew(number("45RD"), place=AREAS["a"]))
    assert (s.at(number("45RD")), s.pieces[number("45RD")].steps) == (AREAS["a"], 1)


def test_s42_21_1_1_10_4_3a_one_with_three_steps_comes_back_with_two() -> None:
    s, f = boxed("9Pz", "22Pz"), plenty(AXIS)
    give(s, f, Renew(number("9Pz"), place=AREAS["y"]))
    give(s, f, Renew(number("22Pz"), place=AREAS["y"]))
    assert [s.pieces[number(code)].steps for code in ("9Pz", "22Pz")] == [2, 1]


def test_s42_21_3_3_18_2_3c_support_comes_back_used() -> None:
    s, f = boxed("6A-HQ"), plenty(AXIS)
    give(s, f, Renew(number("6A-HQ"), place=AREAS["y"]))
    assert not s.pieces[number("6A-HQ")].ready


@pytest.mark.parametrize("gone", [REMOVED, 9901])
def test_s42_10_4_2_20_4b_who_is_gone_for_good_does_not_come_back(gone: int) -> None:
    s, f = boxed("45RD"), plenty(SOVIET)
    s.put(number("45RD"), gone)
    assert refusal(s, f, Renew(number("45RD"), place=AREAS["a"])) == "S42-21.1.1"


def test_s42_21_3_1a_into_any_friendly_area_and_nowhere_else() -> None:
    s, f = boxed("45RD"), plenty(SOVIET)
    assert {p for p in spots(s, f, number("45RD")) if p in AREAS.values()} == {AREAS[k] for k in CHART.friendly(SOVIET)}
    for place in (None, 3417, 9999, AREAS["y"]):
        assert refusal(s, f, Renew(number("45RD"), place=place)) == "S42-21.3.1"


def test_s42_21_3_1f_soviet_tank_corps_in_the_north_alone() -> None:
    s = boxed("16TC", "129TB")
    assert set(capacity(s, SOVIET, number("16TC"))) == {AREAS["a"], AREAS["b"]}
    assert VORONEZH in capacity(s, SOVIET, number("129TB"))
    assert KHARKOV in capacity(boxed("9Pz"), AXIS, number("9Pz"))


def test_s42_21_3_1b_21_3_1d_in_a_major_city_on_a_railway_with_no_enemy_beside() -> None:
    s, f = boxed("45RD"), plenty(SOVIET)
    assert VORONEZH in spots(s, f, number("45RD"))
    assert 2708 not in spots(s, f, number("45RD"))  # a minor city
    s.put(number("9Pz"), CHART.board.near[VORONEZH][0])
    s.put(number("62RD"), VORONEZH)
    assert VORONEZH not in spots(s, f, number("45RD"))
    s.put(number("9Pz"), 0)
    s.holders[VORONEZH] = AXIS
    assert VORONEZH not in spots(s, f, number("45RD"))


def test_s42_21_3_1b_not_in_a_city_whose_railway_is_cut() -> None:
    s = boxed("45RD")
    assert CHART.board.grid is not None
    away = CHART.board.mask(CHART.board.grid.ring(VORONEZH, 2))
    for place in CHART.board.in_mask(away & (CHART.map.along("rail") | CHART.map.along("green_rail"))):
        s.put(next(u for u in CHART.own[AXIS] if not s.on_map(u) and CHART.units[u].steps == 3), place)
    assert not s.zone(AXIS) & CHART.board.bit[VORONEZH]
    assert VORONEZH not in capacity(s, SOVIET, number("45RD"))


def test_s42_21_3_1b_not_where_enemy_supplies_lie() -> None:
    s = boxed("45RD")
    assert VORONEZH in capacity(s, SOVIET, number("45RD"))
    s.put(number("Sup-A1"), VORONEZH)
    assert VORONEZH not in capacity(s, SOVIET, number("45RD"))


def test_s42_21_3_1c_with_a_headquarters_of_its_nation_in_supply_near_a_railway() -> None:
    s, f = boxed("45ID", "1Rom"), plenty(AXIS)
    hq = number("6A-HQ")
    s.set_steps(hq, 1)
    s.put(hq, 1003)
    assert 1003 in spots(s, f, number("45ID"))
    assert 1003 not in spots(s, f, number("1Rom"))
    s.put(hq, 3417)  # far from any railway that is repaired
    assert 3417 not in spots(s, f, number("45ID"))


def test_s42_21_3_1c_any_front_headquarters_within_two_hexes() -> None:
    s, f = boxed("45RD"), plenty(SOVIET)
    s.put(number("SW-HQ"), 3417)
    near = CHART.ranges
    rail = [p for p in CHART.board.places if p in spots(s, f, number("45RD")) and p not in AREAS.values()]
    assert rail  # the headquarters' hex among them, if a railway is near
    joined = connected(s, SOVIET)
    for place in (3417, *CHART.board.in_mask(near.within(3417, 6))):
        if CHART.board[place].terrain == "clear":
            s.put(number("SW-HQ"), place)
            assert (place in spots(s, f, number("45RD"))) == bool(near.within(place, 2) & joined)


def test_s42_21_3_1e_one_for_each_headquarters_and_city_two_where_both_are() -> None:
    s, f = boxed("45RD", "62RD", "121RD"), plenty(SOVIET)
    give(s, f, Renew(number("45RD"), place=VORONEZH))
    assert refusal(s, f, Renew(number("62RD"), place=VORONEZH)) == "S42-21.3.1"
    s.put(number("SW-HQ"), VORONEZH)
    give(s, f, Renew(number("62RD"), place=VORONEZH))
    assert refusal(s, f, Renew(number("121RD"), place=VORONEZH)) == "S42-21.3.1"
    give(s, f, Renew(number("121RD"), place=AREAS["a"]))


def test_s42_21_3_2_4_4c_too_many_may_stand_there_until_movement_ends() -> None:
    s, f = boxed("45RD"), plenty(SOVIET)
    for code in ("62RD", "121RD"):
        s.set_steps(number(code), 2)
        s.put(number(code), VORONEZH)
    give(s, f, Renew(number("45RD"), place=VORONEZH))
    assert refusal(s, f, Done(), MOVE) == "S42-4.4"


# The marker.


def marked() -> State:
    s = position(("9Pz", 3418), ("3Pz", 3418), ("45RD", 3417, 1))
    s.renewed.add(number("9Pz"))
    return s


def test_s42_21_4a_5_6_3c_one_hex_and_no_other_way() -> None:
    s, f, unit = marked(), PlayerTurn(AXIS), number("9Pz")
    s.put(number("45RD"), 0)
    assert refusal(s, f, Move(unit, (3417,)), MOVE) == ""
    assert refusal(s, f, Move(number("3Pz"), (3416,)), MOVE) == ""
    for order in (
        Move(unit, (3416,)),
        Move(unit, (3417, 3416)),
        Extended(unit, (3416,)),
        Withdraw(unit, (3416,)),
        Entrain(unit, 3417),
        Sail(unit, 2634),
    ):
        assert refusal(s, f, order, MOVE) == "S42-21.4a"
    ends = {order.path for order in MOVE.legal(s, f, AXIS, {}) if isinstance(order, Move) and order.unit == unit}
    assert ends == {(place,) for place in CHART.board.near[3418]}


def test_s42_21_4a_not_from_area_to_area() -> None:
    s, f = position(("9Pz", AREAS["y"])), PlayerTurn(AXIS)
    order = Transfer(number("9Pz"), AREAS["x"])
    assert refusal(s, f, order, MOVE) == ""
    s.renewed.add(number("9Pz"))
    assert refusal(s, f, order, MOVE) == "S42-21.4a"
    assert order not in list(MOVE.legal(s, f, AXIS, {}))


def test_s42_21_4d_nobody_attacks_out_of_its_hex() -> None:
    s, f = marked(), PlayerTurn(AXIS)
    assert refusal(s, f, Storm(3417, (number("3Pz"),)), MOVE) == "S42-21.4d"
    s.put(number("9Pz"), 3519)
    assert refusal(s, f, Storm(3417, (number("3Pz"),)), MOVE) != "S42-21.4d"


def test_s42_21_4b_21_4c_3_b4b_14_1c_no_advance_until_the_marker_comes_off() -> None:
    s, f, unit = marked(), PlayerTurn(AXIS), number("9Pz")
    assert not may_advance(s, unit)
    assert Unmark().run(s, f, Out()) is DONE
    assert not s.renewed
    assert may_advance(s, unit)


def test_s42_3_b1_nobody_is_asked_when_nothing_can_be_done() -> None:
    s, f = position(("9Pz", 3417)), PlayerTurn(AXIS)
    assert STEP.by(s, f) == ()
    f.spare = {"tank": 1}
    s.forts[3417] = AXIS
    assert STEP.by(s, f) == ()  # nor to remove a fort
    s.set_steps(number("9Pz"), 2)
    s.put(number("9Pz"), 1003)
    assert STEP.by(s, f) == (AXIS,)


def test_s42_18_2_3b_13_2_1e_18_6_7_support_that_does_not_help() -> None:
    s = position(("6A-HQ", 3417), ("Sup-A1", 3417))
    hq, supply = number("6A-HQ"), number("Sup-A1")
    for unit in (hq, supply):
        s.alter(unit, replace(s.pieces[unit], ready=True))
    assert list(posts(s, AXIS)) == [(hq, hq), (supply, hq)]
    for change in ({"order": DISRUPTED}, {"order": ROUTED}, {"train": True}):
        s.alter(hq, replace(s.pieces[hq], **{"order": GOOD, "train": False, **change}))  # type: ignore[arg-type]
        assert list(posts(s, AXIS)) == []
    s.alter(hq, replace(s.pieces[hq], train=False))
    s.renewed.add(hq)
    assert list(posts(s, AXIS)) == []
    s.renewed.clear()
    s.alter(supply, replace(s.pieces[supply], train=True))
    assert list(posts(s, AXIS)) == [(hq, hq)]


# What may have been forgotten.


def test_s42_18_1a_21_1_3_18_6_4_what_is_left_is_said_before_the_phase_ends() -> None:
    s = position(("9Pz", 1003, 2), ("6A-HQ", 1003), ("Sup-A1", 1003))
    f = plenty(AXIS)
    f.points = 1
    machine = at_step(GAME, s, (War(), NextTurn, True), (GameTurn(), AxisTurn), (f, Initial))
    view = Driver(GAME, machine=machine).view(AXIS)
    assert list(left_undone(view, AXIS, None)) == list(left_undone(view, SOVIET, Done())) == []
    points, spare, ready = left_undone(view, AXIS, Done())
    assert points.startswith("Resource points left: 1")
    assert points.endswith("make ready: 6A-HQ.")
    assert "They fit 9Pz" in spare
    assert ready.endswith("6A-HQ.")


def test_s42_5_1a_units_that_could_move_are_named_before_the_phase_ends() -> None:
    s, f = position(("9Pz", 1003), ("3Pz", 1003)), PlayerTurn(AXIS)
    f.moved.add(number("9Pz"))
    machine = at_step(GAME, s, (War(), NextTurn, True), (GameTurn(), AxisTurn), (f, Movement))
    view = Driver(GAME, machine=machine).view(AXIS)
    assert list(left_undone(view, AXIS, Done())) == ["Not moved: 1 unit, 3Pz."]


def test_s42_8_4_1a_an_entry_that_waits_is_named_if_its_odds_are_none_now() -> None:
    s = position(("45ID", 3417, 1), ("9Pz", 3417), ("62RD", 3518), ("45RD", 3418))
    machine = at_step(GAME, s, (War(), NextTurn, True), (GameTurn(), AxisTurn), (PlayerTurn(AXIS), ListAttacks))
    view = Driver(GAME, machine=machine).view(AXIS)
    weak, strong = (number("45ID"),), (number("9Pz"),)
    (line,) = left_undone(view, AXIS, Attack(3418, weak, after=1))
    assert line == "As things stand, the attack of 45ID on 3418 is not allowed: its odds are below 1:3."
    assert list(left_undone(view, AXIS, Attack(3418, strong, after=1))) == []
    assert list(left_undone(view, SOVIET, Attack(3418, weak, after=1))) == []


def test_s42_21_3_1c_16_1a_a_headquarters_near_a_railway_helps_nobody_while_it_is_out_of_supply() -> None:
    """1008 lies by a railway that leads to a Soviet Area, but more than five hexes from any road that does."""
    s = position(("SW-HQ", 1008), ("45RD", 3806))
    place = s.at(number("SW-HQ"))
    rail, bit = connected(s, SOVIET), CHART.board.bit
    assert rail & CHART.ranges.within(place, 2)
    assert not lines(s, SOVIET).reached & bit[place]
    assert place not in capacity(s, SOVIET, number("62RD"))
    s.put(
        number("SW-HQ"), next(p for p in CHART.board.in_mask(rail & lines(s, SOVIET).reached) if p in CHART.board.grid)
    )
    assert s.at(number("SW-HQ")) in capacity(s, SOVIET, number("62RD"))
    assert CHART.nation(number("2GRD")) != CHART.nation(number("SW-HQ"))
    assert s.at(number("SW-HQ")) in capacity(s, SOVIET, number("2GRD"))  # front headquarters serve all


def test_s42_21_3_1f_21_3_1a_tank_corps_come_back_nowhere_without_their_areas() -> None:
    chart = chart_for(DATA, CAUCASUS)
    assert not {"a", "b", "c"} & set(chart.areas)
    s, f = position(turn=12, chart=chart), plenty(SOVIET)
    unit = chart.unit("16TC").number
    s.set_steps(unit, 0, ELIMINATED)
    wrong = Renewals().check(s, f, SOVIET, Renew(unit), {})
    assert wrong is not None
    assert wrong.reason == "16TC cannot come back anywhere in this turn"
    s = boxed("16TC")
    wrong = Renewals().check(s, f, SOVIET, Renew(number("16TC")), {})
    assert wrong is not None
    assert "16TC can come back in Area A" in wrong.reason
