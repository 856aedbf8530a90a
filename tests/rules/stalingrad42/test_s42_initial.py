"""S42-3.B1, S42-9.7.2, S42-18.1, S42-18.6, S42-22.1: the Initial Phase, and supply points before they move."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import DONE, STAY, Order, Out
from pbem_rules.stalingrad42.combat.odds import fort_for
from pbem_rules.stalingrad42.events import Arrived, FortBuilt, FortRazed, MovementBegan
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.initial import Begin, Brings, Initial, due
from pbem_rules.stalingrad42.movement.phase import Movement
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.orders import Arrive, Bring, Dig, Done, Move, Raze, Refit, Renew, Storm, Tactical, Turn
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import DISRUPTED, POOL, REMOVED, State
from pbem_rules.stalingrad42.supply.lines import lines

BOARD, AREAS = CHART.board, CHART.areas
STEP, MOVE = Initial(), Movement()


def begin(s: State, seat: str) -> tuple[PlayerTurn, list[object]]:
    f, out = PlayerTurn(seat), Out()
    assert Begin().run(s, f, out) is DONE
    return f, list(out.events)


def refusal(s: State, f: PlayerTurn, order: Order, step: Initial | Movement = STEP) -> str:
    wrong = step.check(s, f, f.seat, order, {})
    return "" if wrong is None else wrong.rule


def give(s: State, f: PlayerTurn, order: Order, step: Initial | Movement = STEP) -> list[object]:
    assert refusal(s, f, order, step) == ""
    out = Out()
    assert step.apply(s, f, {f.seat: order}, out) is (DONE if isinstance(order, Done) else STAY)
    return list(out.events)


def test_s42_3_b1_3_b1a_who_has_done_all_is_told_that_movement_begins() -> None:
    """So that nobody ends the Movement Phase by a `done` that was meant for the Initial Phase."""
    s = position(("9Pz", 1003))
    f = PlayerTurn(AXIS, points=2)
    assert not any(isinstance(event, MovementBegan) for event in give(s, f, Dig(1104)))
    (*_, last) = give(s, f, Dig(1204))
    assert isinstance(last, MovementBegan)
    assert last.words().endswith("movement begins.")
    f.points = 1
    assert not any(isinstance(event, MovementBegan) for event in give(s, f, Done()))
    assert STEP.by(s, PlayerTurn(AXIS, points=1)) == (AXIS,)
    assert STEP.by(s, PlayerTurn(AXIS)) == ()  # nobody is asked who can only give forts up
    assert Begin().when(s, PlayerTurn(AXIS))
    assert not Begin().when(s, PlayerTurn(AXIS, opening=True))  # S42-S3.4a


# Arrivals.


def test_s42_22_1_2_who_has_one_area_stands_there_at_once() -> None:
    s = at_start(CHART)
    s.turn = 3
    arriving = [each.unit for each in CHART.track.arriving(2, SOVIET)]
    f, events = begin(s, SOVIET)
    assert {s.at(number(code)) for code in arriving} == {AREAS["a"]}
    assert any(isinstance(event, Arrived) and event.area == AREAS["m"] and len(event.units) == 5 for event in events)
    assert not due(s, SOVIET)
    assert due(s, AXIS)
    assert not any(CHART.units[unit].side == SOVIET for unit in due(at_start(CHART), AXIS))
    assert refusal(s, f, Done()) == ""


def test_s42_22_1_1_18_1a_22_1_2_others_are_placed_by_their_owner_before_the_phase_ends() -> None:
    s = at_start(CHART)
    s.turn = 5
    f, _ = begin(s, SOVIET)
    waiting = due(s, SOVIET)
    assert len(waiting) == 3
    first, *others = waiting
    assert set(waiting[first]) == {AREAS[key] for key in "mnop"}
    assert refusal(s, f, Done()) == "S42-22.1.2"
    assert refusal(s, f, Arrive(first, AREAS["a"])) == "S42-22.1"
    assert refusal(s, f, Arrive(number("45RD"), AREAS["m"])) == "S42-22.1"
    give(s, f, Arrive(first, AREAS["o"]))
    assert s.at(first) == AREAS["o"]
    assert refusal(s, f, Arrive(first, AREAS["o"])) == "S42-22.1"
    for unit in others:
        give(s, f, Arrive(unit, AREAS["p"]))
    give(s, f, Done())
    assert f.points == 0  # S42-18.1a


# Forts.


def test_s42_9_7_2_3_b1d_18_1b_a_fort_costs_a_point_and_is_complete_a_turn_later() -> None:
    s = position(("45RD", 3417))
    f, _ = begin(s, SOVIET)
    assert f.points == 2
    assert give(s, f, Dig(3417)) == [FortBuilt(side=SOVIET, hex=3417, complete=False, rule="S42-9.7.2")]
    assert f.points == 1
    assert refusal(s, f, Dig(3417)) == "S42-9.7.3a"
    assert 3417 not in s.forts
    assert not begin(s, AXIS)[1]
    _, events = begin(s, SOVIET)
    assert events == [FortBuilt(side=SOVIET, hex=3417, complete=True, rule="S42-9.7.2")]
    assert s.forts[3417] == SOVIET
    assert 3417 not in s.digging


@pytest.mark.parametrize(
    ("place", "rule"),
    [
        (9999, "S42-9.7.2"),
        (AREAS["m"], "S42-9.7.2"),
        (2503, "S42-9.7.3a"),  # a city
        (CHART.map.regions["forts_north"].places[0], "S42-9.7.3a"),  # printed there
        (3419, "S42-9.7.2b"),  # the enemy stands there
        (3418, "S42-9.7.2c"),  # beside the enemy, without a unit
        (3420, "S42-9.7.2c"),
    ],
)
def test_s42_9_7_2_and_9_7_3a_where_none_is_built(place: int, rule: str) -> None:
    s = position(("45RD", 3417), ("9Pz", 3419))
    f, _ = begin(s, SOVIET)
    assert refusal(s, f, Dig(place)) == rule


def test_s42_9_7_2c_beside_the_enemy_with_a_unit_there() -> None:
    s = position(("45RD", 3418), ("9Pz", 3419))
    f, _ = begin(s, SOVIET)
    assert refusal(s, f, Dig(3418)) == ""


def test_s42_9_7_2b_not_out_of_supply() -> None:
    s = position(("45ID", 3417), ("45RD", 3416), ("62RD", 3518), ("121RD", 3318))
    f, _ = begin(s, AXIS)
    assert refusal(s, f, Dig(3417)) == "S42-9.7.2b"
    held = STEP.check(s, f, AXIS, Dig(2013), {})
    assert held is not None
    assert "controlled by the enemy" in held.reason  # a town where nobody stands


def test_s42_9_7_3b_so_many_and_no_more() -> None:
    s = position(("45RD", 3417))
    f, _ = begin(s, SOVIET)
    places = [p for p in BOARD.places if p != 3417 and BOARD[p].terrain == "clear"]
    for place in places[: CHART.limits["forts"][SOVIET]]:
        s.forts[place] = SOVIET
    assert refusal(s, f, Dig(3417)) == "S42-9.7.3b"


def test_s42_9_7_2f_no_attack_out_of_a_fort_under_construction() -> None:
    s = position(("9Pz", 3418), ("45RD", 3417, 1))
    s.digging[3418] = AXIS
    order = Storm(3417, (number("9Pz"),))
    assert refusal(s, PlayerTurn(AXIS), order, MOVE) == "S42-9.7.2f"
    s.digging[3418] = SOVIET
    assert refusal(s, PlayerTurn(AXIS), order, MOVE) != "S42-9.7.2f"


def test_s42_9_7_5b_an_enemy_removes_a_fort_under_construction_too() -> None:
    s = position(("9Pz", 3418))
    s.digging[3417] = SOVIET
    give(s, PlayerTurn(AXIS), Move(number("9Pz"), (3417,)), MOVE)
    assert 3417 not in s.digging


@pytest.mark.parametrize("step", [STEP, MOVE])
def test_s42_9_7_5a_9_7_6a_forts_are_removed_by_their_owner_printed_ones_never(step: Initial | Movement) -> None:
    s = position(("45RD", 3417))
    s.forts[3416], s.digging[3415], s.forts[3414] = SOVIET, SOVIET, AXIS
    f = PlayerTurn(SOVIET, points=1)
    assert [order for order in step.legal(s, f, SOVIET, {}) if isinstance(order, Raze)] == [Raze(3415), Raze(3416)]
    for place in (3417, 3414, CHART.map.regions["forts_north"].places[0]):
        assert refusal(s, f, Raze(place), step) == "S42-9.7.5"
    assert give(s, f, Raze(3416), step) == [FortRazed(side=SOVIET, hex=3416, rule="S42-9.7.5")]
    give(s, f, Raze(3415), step)
    assert (dict(s.forts), dict(s.digging)) == ({3414: AXIS}, {})


def test_s42_18_1a_two_points_a_turn() -> None:
    s = position(("45RD", 3417))
    f, _ = begin(s, SOVIET)
    give(s, f, Dig(3417))
    give(s, f, Dig(3416))
    assert refusal(s, f, Dig(3415)) == "S42-18.1"


# Support and supply points.


def test_s42_18_1c_18_2_1b_support_on_a_connected_railway() -> None:
    s = position(("6A-HQ", 1003), ("2A-HQ", 3417))
    place = next(p for p in BOARD.in_mask(connected(s, AXIS)) if not s.ground.stacks[p])
    s.put(number("6A-HQ"), place)
    f, _ = begin(s, AXIS)
    assert refusal(s, f, Refit(number("2A-HQ"))) == "S42-18.1c"
    assert refusal(s, f, Refit(number("45RD"))) == "S42-18.1c"
    s.alter(number("6A-HQ"), replace(s.pieces[number("6A-HQ")], order=DISRUPTED))
    assert refusal(s, f, Refit(number("6A-HQ"))) == "S42-18.1c"
    s.alter(number("6A-HQ"), replace(s.pieces[number("6A-HQ")], order=0))
    give(s, f, Refit(number("6A-HQ")))
    assert s.pieces[number("6A-HQ")].ready
    assert f.points == 1
    assert refusal(s, f, Refit(number("6A-HQ"))) == "S42-18.1c"


def test_s42_18_1d_18_6_8_18_6_1_19_4_supply_points_come_from_the_pool_and_too_many_are_fixed() -> None:
    s = position()
    codes = [unit.code for unit in CHART.units if unit.side == AXIS and CHART.has(unit.number, "supply")]
    for code in codes:
        s.put(number(code), POOL)
    most = CHART.limits["mobile"][AXIS]
    f, _ = begin(s, AXIS)
    assert refusal(s, f, Bring(AREAS["a"])) == "S42-18.1d"
    f.points = most + 1
    for _ in range(most + 1):
        give(s, f, Bring(AREAS["y"]))
    assert refusal(s, f, Bring(AREAS["y"])) == "S42-18.1"
    f.points = 1
    for unit in s.of(AXIS, POOL):
        s.put(unit, REMOVED)
    assert not list(Brings().legal(s, f, AXIS, {}))  # none is left
    f.points = 0
    assert s.mobile(AXIS) == most
    (fixed,) = s.fixed
    assert s.pieces[fixed].ready
    assert refusal(s, f, Turn(fixed, "packed"), MOVE) == "S42-18.6.8"
    other = number(codes[0])
    give(s, f, Turn(other, "fixed"), MOVE)
    give(s, f, Turn(fixed, "packed"), MOVE)
    assert s.fixed == {other}
    s.put(other, POOL)
    assert not s.fixed


def test_s42_18_6_2_18_6_3_supply_points_are_turned_before_they_move() -> None:
    s, f = position(("Sup-A1", 3417), ("9Pz", 3417)), PlayerTurn(AXIS)
    unit = number("Sup-A1")
    assert refusal(s, f, Turn(number("9Pz"), "ready"), MOVE) == "S42-18.6.2"
    assert refusal(s, f, Turn(unit, "packed"), MOVE) == "S42-18.6.2"
    assert refusal(s, f, Tactical(unit, (3418,)), MOVE) == "S42-18.6.3"
    give(s, f, Turn(unit, "ready"), MOVE)
    assert refusal(s, f, Move(unit, (3418,)), MOVE) == "S42-18.6.3"
    assert refusal(s, f, Tactical(unit, (3418,)), MOVE) == ""
    give(s, f, Turn(unit, "fixed"), MOVE)
    assert refusal(s, f, Tactical(unit, (3418,)), MOVE) == "S42-18.6.8"
    give(s, f, Turn(unit, "packed"), MOVE)
    give(s, f, Move(unit, (3414,)), MOVE)
    assert refusal(s, f, Turn(unit, "ready"), MOVE) == "S42-5.1c"


# The phase.


def test_s42_3_b1a_3_b1e_3_b1f_in_any_order() -> None:
    s = at_start(CHART)
    s.turn = 5
    f, _ = begin(s, SOVIET)
    s.set_steps(number("45RD"), 1)
    (first, areas), *others = due(s, SOVIET).items()
    give(s, f, Bring(AREAS["a"]))
    give(s, f, Arrive(first, areas[0]))
    give(s, f, Renew(number("45RD")))
    give(s, f, Dig(3417))
    for unit, (area, *_) in others:
        give(s, f, Arrive(unit, area))
    give(s, f, Done())


def test_s42_9_7_2d_9_7_2e_it_gives_nothing_before_and_supply_is_asked_for_once() -> None:
    assert BOARD.grid is not None
    around = BOARD.grid.ring(3417, 2)[::2]
    codes = ("9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz")
    s = position(("45RD", 3417), *zip(codes, around, strict=True))
    s.digging[3417] = SOVIET
    assert not fort_for(s, 3417, SOVIET)
    assert not lines(s, SOVIET).reached & BOARD.bit[3417]
    begin(s, SOVIET)
    assert fort_for(s, 3417, SOVIET)
