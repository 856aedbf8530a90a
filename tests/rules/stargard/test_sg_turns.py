"""SG-2.1, SG-2.6, SG-5.4.2, SG-13.2, SG-15, SG-16.4, SG-19: the set-up, the phases of a turn, events."""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import fields, replace
from itertools import pairwise

import pytest
from sg_positions import CHART, number

from pbem.browser.gameboard import in_words
from pbem.engine.definition import DataSet
from pbem.engine.event import Out
from pbem.engine.testing import Driver, random_game
from pbem_rules.stargard import game
from pbem_rules.stargard.arriving import Arrivals, FirstArrivals, NewArms, SecondArrivals, due
from pbem_rules.stargard.chart import DATA, EVENTS, GERMAN, LAST_TURN, SOVIET
from pbem_rules.stargard.command import DrawChit
from pbem_rules.stargard.frames import Arriving, Barrage, GameTurn, War
from pbem_rules.stargard.orders import Done, SetUp
from pbem_rules.stargard.replacements import Replacing
from pbem_rules.stargard.sequence import SEQUENCES
from pbem_rules.stargard.setup import PlaceFree, SovietPlaceFree, free_units, set_up
from pbem_rules.stargard.state import (
    GROUNDED,
    PLACING,
    READY,
    REFIT,
    REFORMING,
    TETTAU_BOX,
    TO_COME,
    WITHDRAWN,
)
from pbem_rules.stargard.supply import SupplyPhase, judged
from pbem_rules.stargard.turns import TEXTS, AirPhase, BeginTurn, EndOfTurn, EventEffect, RandomEvent
from pbem_rules.stargard.volkssturm import Deploy


def start(turn=1, **options):
    state = set_up(game.setup_of(options={name.strip("_"): on for name, on in options.items()}))
    state.turn = turn
    return state


def run(step, state, frame=None):
    out = Out()
    return step.run(state, frame or GameTurn(), out), [event.words() for event in out.events]


def asdict_of(state):
    return {field.name: getattr(state, field.name) for field in fields(state) if field.name not in ("chart", "ground")}


def happens(state, event):
    run(EventEffect(), state, GameTurn(event=event))


# The set-up


def test_sg_15_0a_15_2_a_settlement_belongs_to_those_who_stand_in_it():
    """Whatever the map says: its owners may write another one."""
    page = copy.deepcopy(dict(DATA["map"]))
    (arnswalde,) = (each for each in page["hexes"] if each["hex"] == "2608")
    arnswalde["values"]["control"] = SOVIET
    other = replace(game, data=DataSet({**DATA.files, "map": page}))
    assert other.chart(other.data).held[2608] == SOVIET
    state = set_up(other.setup_of())
    assert state.holders[2608] == GERMAN
    assert 2608 not in state.prizes
    assert set(start().prizes) == {3813}
    assert (start().options, start(long_game=True).options) == ((), ("long_game",))


def test_sg_15_0a_15_1_15_2_all_begin_at_full_strength():
    """SG-15.1, SG-15.2."""
    state = start()
    on_map = [unit for unit in state.pieces if state.on_map(unit)]
    assert all(piece.steps == CHART.units[unit].steps for unit, piece in state.pieces.items())
    assert Counter(state.side(unit) for unit in on_map) == {GERMAN: 93, SOVIET: 43}
    assert state.planes == {
        "1JG": READY,
        "Rudel": READY,
        "2JG": GROUNDED,
        "3JG": GROUNDED,
        "6GA": READY,
        "9GA": TO_COME,
    }
    assert state.at(number("Tettau-HQ")) == TETTAU_BOX
    assert set(state.idle) == {key for key, formation in CHART.formations.items() if formation.hq >= 0}


def test_sg_15_2_the_second_143_is_there_by_option_alone():
    assert not start().on_map(number("82/129"))
    assert start(second_143=True).at(number("82/129")) == 2301
    assert (start().options, start(second_143=True).options) == ((), ("second_143",))
    assert start().prizes == {3813: 1}
    assert start().air_ready(SOVIET) == ("6GA",)


@pytest.mark.parametrize(("step", "side", "many"), [(PlaceFree, GERMAN, 15), (SovietPlaceFree, SOVIET, 4)])
def test_sg_15_0c_free_groups_are_placed_by_their_owners(step, side, many):
    """SG-15.0c: within one hex, within stacking, apart from the enemy."""
    state, frame = start(), War()
    assert len(free_units(state, side)) == many
    orders = [*step().options(state, frame, side)]
    assert orders[0] == Done()
    for order in orders[1:]:
        near = CHART.starts[order.unit].near
        assert CHART.board.grid.distance(near, order.to) <= 1
        assert state.side_at(order.to) in (None, side)
        assert state.has_room(order.unit, order.to)
        assert order.to != state.at(order.unit)
    step().do(state, frame, side, orders[1], Out())
    assert state.at(orders[1].unit) == orders[1].to
    assert frame.placed == 1


def test_sg_15_0c_a_unit_is_placed_apart_from_the_enemy_and_twice_at_most():
    state, frame, step = start(), War(), PlaceFree()
    free = free_units(state, GERMAN)
    assert not step.stands(state, free[0], 417)  # a transit hex
    assert not step.stands(state, free[0], 9999)
    enemy = state.at(next(unit for unit in CHART.own[SOVIET] if state.on_map(unit)))
    assert not step.stands(state, free[0], enemy)
    frame.placed = 2 * len(free) - 1
    assert len([*step.options(state, frame, GERMAN)]) > 1
    frame.placed = 2 * len(free)
    assert [*step.options(state, frame, GERMAN)] == [Done()]
    step.do(state, frame, GERMAN, Done(), Out())
    assert frame.placed == 0  # the other side begins anew


def test_sg_15_0c_with_the_option_each_side_is_asked_before_the_first_die():
    driver = Driver(game, options={PLACING: True})
    assert driver.asked == (GERMAN,)
    said = in_words(driver.machine.prompt(GERMAN))
    assert said.startswith(
        "Set-up: your units stand as the scenario suggests. You may place these in a hex near there: "
    )
    driver.order(GERMAN, "place 9P/9FJ 0410", "done")
    assert driver.state.at(number("9P/9FJ")) == 410
    assert driver.asked == (SOVIET,)
    driver.order(SOVIET, "done")
    assert driver.machine.decision.name == "movement"


def test_sg_15_0c_standing_orders_for_a_set_up_are_its_owners_and_end_with_it():
    state = start()
    assert PlaceFree().may_change(state, GERMAN)
    assert not PlaceFree().may_change(state, SOVIET)
    assert SovietPlaceFree().may_change(state, SOVIET)
    assert not PlaceFree().may_change(Driver(game).state, GERMAN)


def test_sg_15_0c_by_standing_orders_they_stand_as_suggested():
    driver = Driver(game)
    lines = [line.text for line in driver.lines]
    assert any(line.startswith("german: done (default)") for line in lines)
    bound = number("Pommern")
    assert PlaceFree().check(start(), War(), GERMAN, SetUp(bound, 107), {}) is not None


# Air units


def test_sg_2_1_1_2_1_2_13_2_1_13_2_2_case_04_refit_first_then_grounded():
    """TEST-04: after a power attack Grounded, then Refit, then the box; nobody goes the whole way in one phase."""
    state = start()
    state.planes["1JG"] = REFIT
    run(AirPhase(), state)
    assert (state.planes["1JG"], state.planes["2JG"], state.planes["3JG"]) == (READY, REFIT, REFIT)
    run(AirPhase(), state)
    assert (state.planes["2JG"], state.planes["3JG"], state.planes["9GA"]) == (READY, READY, TO_COME)
    assert run(AirPhase(), state)[1] == []


# Events


def test_sg_19_0_2_2_1_the_die_and_the_part_of_the_game_give_the_event():
    state = start()
    for turn, die, event in (
        (1, 1, "19.1.3"),
        (4, 4, "19.1.11"),
        (7, 6, "19.1.8"),
        (8, 6, "19.1.13"),
        (3, 6, "19.1.1"),
    ):
        state.turn = turn
        frame = GameTurn()
        (drawn,) = RandomEvent().draws(state, frame)
        assert (drawn.label, drawn.sides) == (f"t{turn}/event", 6)
        RandomEvent().run(state, frame, {drawn.label: (die,)}, Out())
        assert frame.event == event


def test_sg_19_0_what_happens_once_gives_way_to_another_event():
    state = start(turn=5)
    state.happened = ("19.1.6",)
    found = []
    for die in (1, 2, 3):
        frame = GameTurn()
        RandomEvent().run(state, frame, {"": (die,)}, Out())
        found.append(frame.event)
    assert found == ["19.1.10", "19.1.4", "19.1.1"]
    state.happened, frame = (), GameTurn()
    RandomEvent().run(state, frame, {"": (1,)}, Out())
    assert frame.event == "19.1.6"
    assert set(TEXTS) == set(EVENTS)


def test_sg_19_1_1_nothing_happens():
    state = start()
    before = copy.deepcopy(asdict_of(state))
    assert run(EventEffect(), state, GameTurn(event="19.1.1"))[1] == []
    assert state.happened == ("19.1.1",)
    assert {**asdict_of(state), "happened": ()} == before


def test_sg_2_0b_the_order_inside_a_turn():
    """Air, event, chits, supply, arrivals with replacements and Volkssturm, markers."""
    (steps,) = (sequence.steps for sequence in SEQUENCES if sequence.frame is GameTurn)
    kinds = [type(step) for step in steps]
    wanted = (
        AirPhase, RandomEvent, EventEffect, DrawChit, SupplyPhase, FirstArrivals, SecondArrivals, Deploy, EndOfTurn,
    )  # fmt: skip
    assert [kind for kind in kinds if kind in wanted] == list(wanted)
    (inside,) = (sequence.steps for sequence in SEQUENCES if sequence.frame is Arriving)
    names = [type(step) for step in inside]
    assert names.index(Arrivals) < names.index(Replacing)


def test_sg_2_4_every_unit_of_both_sides_is_judged_once():
    state = start()
    for side in (GERMAN, SOVIET):
        found = [unit for unit, _ in judged(state, side)]
        assert sorted(found) == sorted(state.ground.standing(side))
        assert len(found) == len(set(found))


def test_sg_19_1_4_13_2_19_b_low_cloud_grounds_both_sides():
    """SG-13.2."""
    state = start()
    state.planes["2JG"] = REFIT
    happens(state, "19.1.4")
    assert state.planes == {
        "1JG": GROUNDED,
        "Rudel": GROUNDED,
        "2JG": REFIT,
        "3JG": GROUNDED,
        "6GA": GROUNDED,
        "9GA": TO_COME,
    }


def test_sg_19_1_6_19_a_12_2_5_the_39th_panzer_corps_leaves():
    """SG-12.2.5: headquarters, chit, units, and the divisions FG and FB; independent units stay, the dead stay dead."""
    state = start(turn=4)
    run(BeginTurn(), state)
    dead = number("44Pz/233")
    assert not any(CHART.independent(unit) for unit in CHART.formations["pz39"].units)
    for _ in range(2):
        state.lose_step(dead)
    happens(state, "19.1.6")
    gone = {state.code(unit) for unit, piece in state.pieces.items() if piece.place == WITHDRAWN}
    assert {"39Pz-HQ", "22/10SS", "102Pz/FB", "99/FG", "69/28SS"} <= gone
    corps = {state.code(unit) for unit in state.pieces if state.formation(unit) == "pz39"}
    divisions = {unit.code for unit in CHART.units if unit.code.endswith(("/FG", "/FB"))}
    assert gone == (corps | divisions) - {"44Pz/233"}
    assert "39Pz" not in state.cup
    state.turn = 5
    run(BeginTurn(), state)
    assert "39Pz" not in state.cup
    assert state.happened == ("19.1.6",)


def test_sg_19_1_7_a_german_air_unit_comes_back():
    state = start()
    state.planes["2JG"] = REFIT
    happens(state, "19.1.7")
    assert (state.planes["3JG"], state.planes["2JG"]) == (READY, REFIT)
    happens(state, "19.1.7")
    assert state.planes["2JG"] == READY
    before = dict(state.planes)
    happens(state, "19.1.7")
    assert state.planes == before
    state.planes["6GA"] = GROUNDED
    happens(state, "19.1.7")
    assert state.planes["6GA"] == GROUNDED


def test_sg_19_1_8_19_b_soviet_airfields():
    state = start()
    happens(state, "19.1.8")
    assert (state.planes["6GA"], state.planes["9GA"], state.planes["1JG"]) == (GROUNDED, TO_COME, READY)
    assert run(EventEffect(), state, GameTurn(event="19.1.8"))[1] == []
    assert len(run(EventEffect(), start(), GameTurn(event="19.1.8"))[1]) == 1


def test_sg_19_1_9_a_thaw_lasts_for_a_turn():
    state = start()
    happens(state, "19.1.9")
    assert state.thaw
    run(EndOfTurn(), state)
    assert not state.thaw


def test_sg_19_1_10_19_1_12_they_change_the_number_of_chits_for_a_turn():
    state = start(turn=4)
    happens(state, "19.1.10")
    happens(state, "19.1.12")
    german, soviet = (CHART.track.value(4, side) for side in (GERMAN, SOVIET))
    assert (state.number(GERMAN), state.number(SOVIET)) == (german - 1, soviet + 1)
    state.more[GERMAN] = -9
    assert state.number(GERMAN) == 1
    run(EndOfTurn(), state)
    german, soviet = (CHART.track.value(5, side) for side in (GERMAN, SOVIET))
    assert (state.number(GERMAN), state.number(SOVIET)) == (german, soviet)


# Fuel


def test_sg_5_4_2_case_14_strategic_movement_costs_a_chit_of_the_next_turn():
    """TEST-14; in turn 10 one of this turn, but with that of turn 9 not two."""
    state = start(turn=4)
    state.fuel = True
    assert state.number(GERMAN) == 3
    run(EndOfTurn(), state)
    assert (state.turn, state.number(GERMAN), state.fuel) == (5, 2, False)
    assert state.number(SOVIET) == CHART.track.value(5, SOVIET)
    run(EndOfTurn(), state)
    assert state.number(GERMAN) == 3
    state.turn, state.fuel = 9, True
    run(EndOfTurn(), state)
    assert state.number(GERMAN) == 2
    state.fuel = True
    assert state.number(GERMAN) == 2
    state.short = False
    assert state.number(GERMAN) == 2
    state.fuel = False
    assert state.number(GERMAN) == 3


# The end of a turn


def test_sg_2_6_2_1_5_1_3_1_1b_the_next_turn_begins():
    """SG-2.6.2: nobody is pinned any more; chits go back; what counts for a turn begins anew."""
    state = start(turn=2)
    run(BeginTurn(), state)
    unit = number("24/11SS")
    state.pin(unit)
    state.drawn, state.played[GERMAN], state.air_spent[GERMAN] = ("3SSPz",), 1, 3
    state.cup = tuple(code for code in state.cup if code != "3SSPz")
    state.chits.hands = {SOVIET: ["chits/1/0"]}
    state.chits.throw(SOVIET, "chits/1/0")
    following, _ = run(EndOfTurn(), state)
    assert state.turn == 3
    assert not state.chits.thrown
    assert not state.pieces[unit].pinned
    assert (state.drawn, state.played[GERMAN], state.air_spent[GERMAN]) == ((), 0, 0)
    run(BeginTurn(), state)
    assert "3SSPz" in state.cup
    assert "End" not in type(following).__name__


def test_sg_2_6_2_a_special_chit_whose_time_is_over_leaves_the_cup():
    state = start(turn=3)
    run(BeginTurn(), state)
    assert "11Pz-AOK" in state.cup
    state.turn = 4
    run(BeginTurn(), state)
    assert "11Pz-AOK" not in state.cup
    state.coming = ("Tettau",)
    run(BeginTurn(), state)
    assert "Tettau" in state.cup
    state.coming = ("3Sh", "Tettau")
    run(BeginTurn(), state)
    sides = [CHART.chits[code].side for code in state.cup]
    assert sides == sorted(sides)  # one side after the other


def test_sg_2_6_1_markers_are_flipped_in_their_turn():
    state = start(turn=5)
    _, said = run(EndOfTurn(), state)
    assert said == ["Markers of victory points are flipped: 2608."]
    state.turn = 5
    state.take(SOVIET, 2608)
    assert run(EndOfTurn(), state)[1] == []


def test_sg_16_4_case_32_half_a_point_while_the_corps_stays():
    """TEST-32: it leaves in turn 7, after the awards of turns 5, 6 and 7."""
    state = start(held_corps=True)
    for turn in range(1, LAST_TURN + 1):
        state.turn = turn
        run(BeginTurn(), state)
        if turn == 7:
            assert state.halves == 3
            happens(state, "19.1.6")
    assert state.halves == 3
    plain = start()
    plain.turn = 6
    run(BeginTurn(), plain)
    assert plain.halves == 0


def test_sg_2_0a_the_phases_of_a_turn_follow_each_other():
    """Turn after turn: the event, then chits up to both numbers."""
    random = random_game(game, "phases", every=10_000)
    lines = [line.text for line in random.lines if line.what == "event"]
    turns = [place for place, line in enumerate(lines) if line.startswith("Turn ") and ". Chits: " in line]
    assert len(turns) == random.state.turn
    for first, last in pairwise((*turns, len(lines))):
        part = lines[first:last]
        event = next(place for place, line in enumerate(part) if line.startswith("Random event"))
        played = [place for place, line in enumerate(part) if "(chit " in line]
        assert event < min(played)


# Reinforcements


def codes(state, side):
    return {state.code(unit) for unit in due(state, side)}


def test_sg_15_3_who_arrives_in_which_turn():
    state = start()
    assert codes(state, GERMAN) == {"1/1Mar"}
    assert codes(state, SOVIET) == {"88GT", "132/129", "364/7", "265/7", "207/79", "115UR", "1Pol-HQ", "1/Pol"}
    state.turn = 8
    assert codes(state, GERMAN) == {"2/1Mar", "1P/1Mar", "4/1Mar", "210"}
    assert codes(state, SOVIET) == set()


def test_sg_12_1f_a_headquarters_comes_early_with_its_chit():
    """SG-12.1f: its army was attacked in turn 1."""
    state = start()
    state.early = ("shock3",)
    assert "3Sh-HQ" in codes(state, SOVIET)
    assert "3Sh-HQ" not in codes(state, GERMAN)
    run(NewArms(), state)
    run(EndOfTurn(), state)
    run(BeginTurn(), state)
    assert "3Sh" in state.cup
    assert Counter(state.cup)["3Sh"] == 1
    plain = start(turn=2)
    run(BeginTurn(), plain)
    assert "3Sh" not in plain.cup


@pytest.mark.parametrize(("coming", "early", "named"), [((), (), 2), ((), ("pol1",), 2), (("1Pol",), ("pol1",), 1)])
def test_sg_7_2_12_1f_the_report_names_each_chit_once(coming, early, named):
    """In turn 2, when that of the Poles and that of the 3rd Shock Army would come anyway."""
    state = start(turn=2)
    state.coming, state.early = coming, early
    (said,) = run(NewArms(), state)[1]
    assert said.count("Army") == named


def test_sg_12_2_2c_a_headquarters_without_a_place_comes_back_in_the_next_turn():
    state = start(turn=5)
    post = number("61-HQ")
    state.put(post, REFORMING)
    assert codes(state, SOVIET) == set()
    state.turn = 6
    assert "61-HQ" in codes(state, SOVIET)
    state.put(post, 2101)  # once: it is there
    assert "61-HQ" not in codes(state, SOVIET)


def test_sg_13_0a_the_second_soviet_air_unit_comes_in_turn_4():
    state = start(turn=3)
    run(NewArms(), state)
    assert state.planes["9GA"] == TO_COME
    state.turn = 4
    run(NewArms(), state)
    assert state.planes["9GA"] == READY


def test_sg_19_1_2_19_1_3_19_c_8_5_they_are_barrages():
    state = start()
    for event, side in (("19.1.2", SOVIET), ("19.1.3", GERMAN)):
        following, _ = run(EventEffect(), state, GameTurn(event=event))
        assert following.frame == Barrage(side, label="t1/barrage")
