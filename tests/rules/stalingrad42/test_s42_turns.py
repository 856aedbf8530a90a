"""S42-3.B: what a player turn begins with, the Recovery Phase and the Supply Phase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import DONE, STAY, Call, End, Order, Out, Result
from pbem.kit import ISOLATED, OUT_OF_SUPPLY, SUPPLIED, Told
from pbem_rules.stalingrad42.combat.losses import TakeLoss
from pbem_rules.stalingrad42.combat.recovery import Recovery, rallied, rallying
from pbem_rules.stalingrad42.events import Freed, RailheadBack, RailheadOn
from pbem_rules.stalingrad42.frames import GameTurn, Losses, PlayerTurn, War
from pbem_rules.stalingrad42.initial import Begin
from pbem_rules.stalingrad42.orders import Done, Ready, Repair
from pbem_rules.stalingrad42.sequence import SEQUENCES
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import DISRUPTED, ELIMINATED, GOOD, POOL, REMOVED, ROUTED, State
from pbem_rules.stalingrad42.supply.phase import (
    Attrition,
    Judge,
    Railheads,
    Repairs,
    Resupply,
    Wither,
    courses,
    heads,
    starving,
)
from pbem_rules.stalingrad42.turns import AxisTurn, GiveUpForts, NextTurn, SovietTurn, SovietTurnFirst, Victory

BOARD = CHART.board


def mark(s: State, code: str, **what: object) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], **what))  # type: ignore[arg-type]


def order_of(s: State, code: str) -> int:
    return s.pieces[number(code)].order


def roll(step: Recovery | Attrition, s: State, seat: str, *dice: int) -> list[Told]:
    f, out = PlayerTurn(seat), Out()
    draws = list(step.draws(s, f))
    assert [draw.count for draw in draws] == [len(dice)] * bool(dice)
    assert step.run(s, f, {draw.label: dice for draw in draws}, out) is DONE
    while isinstance(following := Wither().run(s, f, out), Call):
        assert isinstance(following.frame, Losses)
        (order,) = TakeLoss().options(s, following.frame, seat)
        TakeLoss().do(s, following.frame, seat, order, out)
    return [event for event in out.events if isinstance(event, Told)]


def refusal(step: Railheads | Resupply, s: State, f: PlayerTurn, order: Order) -> str:
    wrong = step.check(s, f, f.seat, order, {})
    return "" if wrong is None else wrong.rule


def give(step: Railheads | Resupply, s: State, f: PlayerTurn, order: Order) -> list[object]:
    assert refusal(step, s, f, order) == ""
    out = Out()
    assert step.apply(s, f, {f.seat: order}, out) is (DONE if isinstance(order, Done) else STAY)
    return list(out.events)


# The beginning.


def begin(s: State, seat: str) -> list[object]:
    out = Out()
    assert Begin().run(s, PlayerTurn(seat), out) is DONE
    return list(out.events)


def test_s42_5_6_5a_3_b1c_own_trains_unload() -> None:
    s = position(("45RD", 3417), ("45ID", 1404))
    for code in ("45RD", "45ID"):
        mark(s, code, train=True)
    begin(s, SOVIET)
    assert not s.pieces[number("45RD")].train
    assert s.pieces[number("45ID")].train


def test_s42_s1_2i_the_6th_reserve_army_is_free_from_turn_2() -> None:
    s = at_start(CHART)
    waiting = {unit for unit, why in s.frozen.items() if why == "army6"}
    assert not begin(s, SOVIET)
    s.turn = 2
    assert not begin(s, AXIS)
    assert waiting <= set(s.frozen)
    freed = begin(s, SOVIET)[-1]
    assert isinstance(freed, Freed)
    assert len(freed.units) == len(waiting) == 4
    assert not waiting & set(s.frozen)


def test_s42_17_3_1a_g1_30_railheads_in_a_soviet_zone_are_pushed_as_the_soviet_turn_begins() -> None:
    s = position(("45RD", 1402))
    s.tracks = ((1202, 1303),)
    assert not begin(s, AXIS)
    assert begin(s, SOVIET) == [RailheadBack(start=1303, to=1202, rule="S42-17.3.1")]


# Recovery.


def test_s42_13_4a_3_b4a_out_of_enemy_zones_one_level_without_a_roll() -> None:
    s = position(("45RD", 3417), ("62RD", 3417), ("9Pz", 2008))
    mark(s, "45RD", order=DISRUPTED)
    mark(s, "62RD", order=ROUTED)
    mark(s, "9Pz", order=DISRUPTED)
    roll(Recovery(), s, SOVIET)
    assert [order_of(s, code) for code in ("45RD", "62RD", "9Pz")] == [GOOD, DISRUPTED, DISRUPTED]


def test_s42_13_4a_3_b4a_in_them_by_a_roll_friends_or_not() -> None:
    s = position(("45RD", 3417), ("62RD", 3417), ("121RD", 3417), ("9Pz", 3418))
    mark(s, "45RD", order=DISRUPTED)
    mark(s, "62RD", order=ROUTED)
    assert rallying(s, SOVIET) == tuple(sorted((number("45RD"), number("62RD"))))
    events = roll(Recovery(), s, SOVIET, 4, 5)
    assert [order_of(s, code) for code in ("45RD", "62RD")] == [DISRUPTED, DISRUPTED]
    assert "die 4: disrupted" in events[0].words()


@pytest.mark.parametrize(("code", "least"), [("9Pz", 4), ("45RD", 5), ("6LHun", 6)])
def test_s42_13_5_2_3_2d_elite_from_four_low_on_six(code: str, least: int) -> None:
    s = position((code, 3417))
    assert [rallied(s, number(code), die) for die in range(1, 7)] == [int(die >= least) for die in range(1, 7)]


# Lines of supply, isolation.


def test_s42_16_1a_units_are_marked_in_their_own_supply_phase() -> None:
    s = position(("45ID", 3417), ("57ID", 1404), ("45RD", 3416), ("62RD", 3518), ("121RD", 3318))
    mark(s, "57ID", supply=OUT_OF_SUPPLY)
    out = Out()
    assert Judge().run(s, PlayerTurn(AXIS), out) is DONE
    assert s.pieces[number("57ID")].supply == SUPPLIED
    assert s.pieces[number("45ID")].supply != SUPPLIED
    (event,) = out.events
    assert "In supply again: 57ID" in event.words()  # type: ignore[attr-defined]
    assert "45ID." in event.words()  # type: ignore[attr-defined]
    assert s.pieces[number("45RD")].supply == SUPPLIED
    again = Out()
    Judge().run(s, PlayerTurn(AXIS), again)
    assert not again.events


def test_s42_16_5_3_16_5_1b_16_5_5_isolated_units_beside_the_enemy_roll_but_support_does_not() -> None:
    s = position(("45ID", 3417), ("57ID", 3417), ("6A-HQ", 3417), ("75ID", 3410), ("45RD", 3418))
    for code in ("45ID", "6A-HQ", "75ID"):
        mark(s, code, supply=ISOLATED)
    mark(s, "57ID", supply=OUT_OF_SUPPLY)
    assert starving(s, AXIS) == (number("45ID"),)


def test_s42_16_5_2_16_5_4_16_5_3b_a_low_roll_costs_a_step_unless_help_is_great() -> None:
    s = position(("45RD", 3417, 1), ("9Pz", 3418), ("45ID", 3316), ("57ID", 3516))
    mark(s, "45RD", supply=ISOLATED)
    (starved, lost) = roll(Attrition(), s, SOVIET, 1)
    assert s.at(number("45RD")) == ELIMINATED
    assert "it loses a step" in starved.words()
    assert "destroyed" in lost.words()
    s = position(("45RD", 3417, 1), ("9Pz", 3418))
    mark(s, "45RD", supply=ISOLATED)
    (held,) = roll(Attrition(), s, SOVIET, 6)
    assert "it holds out" in held.words()


# Railheads.


def fresh() -> State:
    s = at_start(CHART)
    for unit in list(s.ground.standing(SOVIET)):
        s.put(unit, REMOVED)
    return s


def test_s42_16_5_2_steps_are_lost_one_by_one() -> None:
    first, second = numbers = number("45RD"), number("62RD")
    s, f = position(("45RD", 3417), ("62RD", 3418)), PlayerTurn(SOVIET)
    f.starved = numbers
    for unit, left in ((first, (second,)), (second, ())):
        following = Wither().run(s, f, Out())
        assert isinstance(following, Call)
        assert isinstance(following.frame, Losses)
        assert (following.frame.units, following.frame.count, f.starved) == ((unit,), 1, left)
    assert Wither().run(s, f, Out()) is DONE


def test_s42_17_2_1_up_to_two_hexes_along_green_railway() -> None:
    s, f = fresh(), PlayerTurn(AXIS)
    start = s.tracks[0][-1]
    found = list(courses(s, 0))
    assert {len(course) for course in found} == {1, 2}
    assert all(CHART.green & BOARD.bit[place] for course in found for place in course)
    longest = max(found, key=len)
    assert refusal(Railheads(), s, f, Repair(start, (longest[1],))) == "S42-17.2.1"
    assert refusal(Railheads(), s, f, Repair(3417, longest)) == "S42-17.2.1"
    (event,) = give(Railheads(), s, f, Repair(start, longest))
    assert event == RailheadOn(start=start, path=longest, placed=(), rule="S42-17.2.1")
    assert s.tracks[0] == (start, *longest)
    assert f.repairs == (0,)
    assert refusal(Railheads(), s, f, Repair(longest[-1], (start,))) == "S42-17.2.1"
    nobody = Repairs().check(s, f, AXIS, Repair(3417, longest), {})
    again = Repairs().check(s, f, AXIS, Repair(longest[-1], longest), {})
    assert nobody is not None
    assert again is not None
    assert ("No railhead stands" in nobody.reason, "cannot move again" in again.reason) == (True, True)
    twice = fresh()
    twice.tracks = (*twice.tracks, twice.tracks[0])
    found = list(Repairs().legal(twice, PlayerTurn(AXIS), AXIS, {}))
    assert len(found) == len(set(found))  # two on one hex go alike


def test_s42_17_2_1a_four_of_them_by_standing_order_the_farthest_east() -> None:
    s, f, step = fresh(), PlayerTurn(AXIS), Railheads()
    before = [track[-1] for track in s.tracks]
    moved: list[int] = []
    while step.by(s, f):
        order = step.answers(s, f, AXIS, {})["farthest"]
        assert isinstance(order, Repair)
        moved.append(order.start)
        give(step, s, f, order)
    assert len(moved) == 4
    assert moved == sorted(moved, reverse=True)
    assert set(before) - set(moved) == {min(before)}
    assert not step.by(s, PlayerTurn(SOVIET))
    last = next(track for number, track in enumerate(s.tracks) if number not in f.repairs)
    full = Repairs().check(s, f, AXIS, Repair(last[-1], (last[-1],)), {})
    assert full is not None
    assert full.rule == "S42-17.2.1"  # four have moved
    assert give(step, s, f, Done()) == []


def test_s42_17_2_1b_not_to_enemies_nor_into_their_zone_but_to_friends() -> None:
    s = fresh()
    for unit in list(s.ground.standing(AXIS)):
        s.put(unit, REMOVED)
    course = max(courses(s, 0), key=len)
    s.put(number("45RD"), course[1])
    assert all(course[1] not in each for each in courses(s, 0))
    assert (course[0],) not in courses(s, 0)
    s.put(number("45ID"), course[0])
    assert (course[0],) in courses(s, 0)


def test_s42_17_3_2_not_while_it_is_cut_off() -> None:
    s, f = fresh(), PlayerTurn(AXIS)
    for unit in list(s.ground.standing(AXIS)):
        s.put(unit, REMOVED)
    course = next(courses(s, 0))
    start = s.tracks[0][-1]
    assert refusal(Railheads(), s, f, Repair(start, course)) == ""
    s.put(number("45RD"), start)
    assert 0 not in heads(s, f)
    assert refusal(Railheads(), s, f, Repair(start, course)) == "S42-17.3.2"


JUNCTIONS = CHART.map.regions["junctions"].places


def toward(s: State, head: int) -> Iterator[tuple[int, ...]]:
    """The ways of a railhead along green railway, however long."""
    todo: list[tuple[int, ...]] = [(s.tracks[head][-1],)]
    for way in todo:
        yield way[1:]
        near = CHART.rails.near(way[-1]) & CHART.green & ~BOARD.mask(way) & ~CHART.repaired
        todo += [(*way, there) for there in BOARD.in_mask(near)]


def test_s42_17_2_2_another_railhead_at_a_junction_waits_for_the_next_turn() -> None:
    s, f = fresh(), PlayerTurn(AXIS)
    ways = ((head, way) for head in range(len(s.tracks)) for way in toward(s, head))
    head, way = next((head, way) for head, way in ways if way and way[-1] in JUNCTIONS)
    *behind, before, junction = s.tracks[head][-1], *way
    s.tracks = (*s.tracks[:head], (*behind, before), *s.tracks[head + 1 :])
    number_of = len(s.tracks)
    give(Railheads(), s, f, Repair(before, (junction,)))
    assert s.tracks[-1] == (junction,)
    assert len(s.tracks) == number_of + 1
    assert number_of not in list(heads(s, f))
    assert f.placed == (number_of,)


# Supply points.


def test_s42_18_6_4_18_2_1b_a_supply_point_makes_support_ready() -> None:
    s, f, step = position(("6A-HQ", 3417), ("Sup-A1", 3417), ("Sup-A2", 3416)), PlayerTurn(AXIS), Resupply()
    unit, supply = number("6A-HQ"), number("Sup-A1")
    assert refusal(step, s, f, Ready(unit, number("Sup-A2"))) == "S42-18.6.4"
    assert refusal(step, s, f, Ready(supply, unit)) == "S42-18.2.1"
    mark(s, "6A-HQ", order=DISRUPTED)
    assert refusal(step, s, f, Ready(unit, supply)) == "S42-18.6.4"
    mark(s, "6A-HQ", order=GOOD)
    mark(s, "Sup-A1", train=True)
    assert refusal(step, s, f, Ready(unit, supply)) == "S42-18.6.4"
    mark(s, "Sup-A1", train=False)
    give(step, s, f, Ready(unit, supply))
    assert s.pieces[unit].ready
    assert s.at(supply) == POOL
    assert refusal(step, s, f, Ready(unit, number("Sup-A2"))) == "S42-18.2.1"
    assert not step.by(s, f)


@pytest.mark.parametrize(("enemy", "names"), [(3410, ["needed", "done"]), (3409, ["done"])])
def test_s42_18_6_4_by_standing_order_where_an_enemy_is_near(enemy: int, names: Sequence[str]) -> None:
    s, f = position(("6A-HQ", 3417), ("Sup-A1", 3417), ("45RD", enemy)), PlayerTurn(AXIS)
    assert list(Resupply().answers(s, f, AXIS, {})) == names


# The game turn.


def test_s42_9_7_7_printed_forts_are_given_up_by_group_and_for_good() -> None:
    s = position(("45RD", CHART.map.regions["forts_south"].places[0]))
    out = Out()
    assert GiveUpForts().run(s, GameTurn(), out) is DONE
    assert s.forts_off == ("forts_north",)
    s.put(number("45RD"), CHART.map.regions["forts_north"].places[0])
    GiveUpForts().run(s, GameTurn(), out)
    assert s.forts_off == ("forts_north", "forts_south")
    s.holders[3134] = AXIS
    GiveUpForts().run(s, GameTurn(), out)
    assert s.forts_off == ("forts_north", "forts_south", "forts_rostov")
    GiveUpForts().run(s, GameTurn(), out)
    assert len(out.events) == 3


def test_s42_9_7_7d_rostov_is_not_given_up_while_a_fort_is_held() -> None:
    s = position(("45RD", CHART.map.regions["forts_rostov"].places[0]))
    s.holders[3134] = AXIS
    GiveUpForts().run(s, GameTurn(), Out())
    assert "forts_rostov" not in s.forts_off


def test_s42_3_d_s1_1a_s1_2a_the_game_goes_on_until_somebody_has_won() -> None:
    s = at_start(CHART)
    assert Victory().run(s, GameTurn(), Out()) is DONE
    assert s.turn == 2
    s.turn = CHART.track.last.number
    out = Out()
    assert Victory().run(s, GameTurn(), out) == End(Result(SOVIET, "points", ((AXIS, 0),)))
    (event,) = out.events
    assert "The Soviets win." in event.words()  # type: ignore[attr-defined]
    out = Out()
    s = at_start(CHART)
    call = NextTurn().run(s, War(), out)
    assert call == Call(GameTurn(), again=True)
    assert "Turn 1, 28 Jun" in out.events[0].words()  # type: ignore[attr-defined]
    assert AxisTurn().run(s, GameTurn(), out) == Call(PlayerTurn(AXIS))
    assert SovietTurn().run(s, GameTurn(), out) == Call(PlayerTurn(SOVIET))


def test_s42_3_b4b_3_b5_3_c_3_db_the_phases_of_a_turn() -> None:
    steps = {each.frame: [step.name for step in each.steps] for each in SEQUENCES}
    turn = [
        "weather",
        "soviet_turn_first",
        "prelude",
        "axis_turn",
        "reckoning",
        "soviet_turn",
        "short_turn",
        "give_up_forts",
        "victory",
    ]
    assert steps[GameTurn] == turn  # S42-3.A to S42-3.D
    phases = ["begin", "initial", "movement", "attacks", "pursue", "recovery", "unmark", "railheads", "judge"]
    phases += ["attrition", "resupply"]
    assert [name for name in steps[PlayerTurn] if name in phases] == phases


def test_s42_3_c_33_2_2_the_soviets_follow_until_their_offensive_has_begun() -> None:
    s, f = position(turn=2), GameTurn()
    for s.offensive, first in ((0, False), (2, False), (1, True)):
        assert (SovietTurn().when(s, f), SovietTurnFirst().when(s, f)) == (not first, first)
