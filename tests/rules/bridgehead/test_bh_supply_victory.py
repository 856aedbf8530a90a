"""BH-9 to BH-11: supply, towns, points, the end, options."""

from __future__ import annotations

import pytest
from bridgehead_positions import CHART, CODES, reaches, rule_of, table, where

from pbem.engine.need import Over
from pbem.engine.testing import Chance, Driver
from pbem_rules.bridgehead import events as e
from pbem_rules.bridgehead import game
from pbem_rules.bridgehead.attacks import Declare, odds
from pbem_rules.bridgehead.cards import Refill
from pbem_rules.bridgehead.orders import Finish, Move
from pbem_rules.bridgehead.supply import cut_off, supplied_hexes


def cut(units, side="blue"):
    return [CHART.units[unit].code for unit in cut_off(table(units).state, side)]


def test_bh_9_1_a_line_to_the_own_edge():
    driver = table({"B1": "0303", "B2": "0604", "R1": "0504"}, step=Refill)
    assert [event.units for event in driver.events(e.OutOfSupply)] == [("B2",)]
    assert driver.state.cut == 1 << CODES["B2"]
    # A unit that has come into supply is found so; what was found of the enemy holds until his own half-turn.
    codes = {code: f"0{1 + n // 2}0{1 + n % 2}" for n, code in enumerate(sorted(CODES, key=CODES.get)[:12])}
    driver = table({**codes, "R1": "0907", "R2": "0906"}, step=Refill, cut=[*codes, "R1"])
    assert driver.state.cut == 1 << CODES["R1"]
    assert not driver.events(e.OutOfSupply)
    # It is checked when the half-turn begins, for the side that moves only.
    driver = table({"B1": "0101", "R1": "0102"}, step=Refill)
    assert driver.state.cut == 0
    assert cut({"R1": "0102", "B1": "0504"}, "red") == ["R1"]
    assert cut({"R1": "0902"}, "red") == []


def test_bh_9_2_enemy_units_and_zones():
    # 0101 is walled in by zones; a friend in the zone lets the line through.
    assert cut({"B1": "0301", "R1": "0202", "R2": "0303"}) == ["B1"]
    assert cut({"B1": "0301", "B2": "0201", "R1": "0202", "R2": "0303"}) == []
    assert cut({"B1": "0301", "R1": "0204"}) == []


def test_bh_9_2_the_river():
    assert cut({"B1": "0505"}) == []  # by the bridge at Kell
    assert cut({"B1": "0505", "R1": "0504"}) == ["B1"]
    assert cut({"B1": "0506", "B9": "0405", "R1": "0504"}) == []  # sappers beside the river
    assert cut({"B1": "0506", "B9": "0506", "R1": "0504"}) == []  # and in the bridgehead
    assert cut({"B1": "0506", "B9": "0304", "R1": "0504"}) == ["B1"]
    # Sappers away from the river help nobody across.
    assert cut({"B1": "0504", "R10": "0606", "R1": "0101"}, "red") == ["R1"]


def test_bh_9_3_what_it_costs():
    units = {"B6": "0303", "R1": "0304", "B1": ("0101", 1)}
    driver = table(units, blue=["mud"], cut=["B6", "B1"])
    assert rule_of(driver, "rally B1 mud") == "BH-4.6"
    assert "0103" in reaches(driver, "B1")
    assert "0104" not in reaches(driver, "B1")
    assert odds(driver.state, 304, [CODES["B6"]]).attack == 3
    whole = table(units)
    assert odds(whole.state, 304, [CODES["B6"]]).attack == 6


def test_supplied_hexes_is_a_mask_of_the_board():
    mask = supplied_hexes(table({"B1": "0303"}).state, "blue")
    assert mask & CHART.board.bit[101]
    assert not mask & CHART.board.bit[9001]


def test_bh_10_1_towns():
    driver = table({"B6": "0403", "R7": "0907"})
    assert driver.state.holders[504] == "red"
    driver.order("blue", "move B6 0604")  # passes through Kell
    assert where(driver, "B6") == "0604/2"
    assert driver.state.holders[504] == "blue"
    assert [(event.side, event.town) for event in driver.events(e.TownTaken)] == [("blue", "Kell")]
    driver.order("blue", "done")
    # One's own town is not taken again; one hex is enough.
    driver = table({"B6": "0504", "B1": "0404", "R7": "0907"}, holders={504: "blue"})
    driver.order("blue", "move B1 0504")
    assert not driver.events(e.TownTaken)
    driver = table({"B1": "0404", "R7": "0907"}).order("blue", "move B1 0504")
    assert driver.state.holders[504] == "blue"
    # An arrival takes a town, if an entry is one.
    driver = table(
        {"B1": "0303", "B11": "reserve", "R7": "0907"}, step=Refill, entries={"blue": 104}, holders={104: "red"}
    )
    assert [(event.side, event.town) for event in driver.events(e.TownTaken)] == [("blue", "Marl")]
    # A retreat and an advance take towns as well.
    units = {"B1": "0605", "B2": "0605", "R1": "0505"}
    driver = table(units, "blue", Declare, dice={"t2/blue/0505/crt": 4}, holders={504: "blue"})
    driver.order("blue", "attack 0505 from 0605", "done").order("red", "retreat R1 0504")
    assert driver.state.holders[504] == "red"
    driver = table(
        {"B6": "0404", "B7": "0404", "B1": "0403", "R7": "0504"}, "blue", Declare, dice={"t2/blue/0504/crt": 6}
    )
    driver.order("blue", "attack 0504 from 0403 0404", "done")
    driver.order("blue", "advance B6 0504")
    assert driver.state.holders[504] == "blue"


def played_out(units, turn, scenario="crossing", **kept):
    """Everybody does nothing until the game is over."""
    driver = table(units, "red" if scenario == "crossing" else "blue", turn=turn, scenario=scenario, **kept)
    while driver.asked:
        for seat in driver.asked:
            driver.order(seat, "posture hold" if driver.machine.decision.name == "posture" else "done")
    return driver


def result(driver):
    assert isinstance(driver.need, Over)
    return driver.need.result.winner, driver.need.result.how, dict(driver.need.result.scores)


HELD = {"B1": "0303", "R1": "0803"}


def test_bh_10_2_points():
    assert result(played_out(HELD, 6)) == ("red", "points", {"blue": 0, "red": 4})
    lost = {**HELD, "B2": ("0101", 0), "R2": ("0101", 0), "R3": ("0101", 0)}
    assert result(played_out(lost, 6)) == ("red", "points", {"blue": 2, "red": 5})
    even = {**HELD, "R2": ("0101", 0), "R3": ("0101", 0), "R4": ("0101", 0), "R5": ("0101", 0)}
    assert result(played_out(even, 6)) == (None, "points", {"blue": 4, "red": 4})


def test_bh_10_3_all_towns_or_nobody_left():
    driver = table({"B6": "0706", "B7": "0903", "B1": "0404", "R1": "0701"}, turn=2)
    driver.order("blue", "move B6 0806", "move B7 0902", "move B1 0504", "done")
    while driver.asked:
        driver.order(driver.asked[0], "done")
    assert result(driver)[:2] == ("blue", "all towns")
    assert driver.state.turn == 2
    gone = played_out({"B1": "0303", "R1": ("0101", 0)}, 3)
    assert result(gone)[:2] == ("blue", "annihilation")
    assert gone.state.turn == 3
    # Two towns of three are not enough.
    two = played_out({"B1": "0303", "R1": "0803"}, 2, holders={504: "blue", 806: "blue"})
    assert (result(two)[1], two.state.turn) == ("points", 6)
    # A reserve that waits keeps its side in the game.
    waits = played_out({"B1": "0303", "R1": ("0101", 0), "R11": "reserve"}, 1)
    assert result(waits)[1] == "points"


def test_bh_10_4_the_crossing():
    plan = CHART.plans["crossing"]
    assert (plan.turns, plan.first, plan.par) == (6, "blue", 4)
    assert plan.values == {504: 2, 806: 3, 902: 3}
    assert (plan.reserves["blue"].arrives, plan.reserves["red"].arrives) == (2, 3)
    _set_up_is_sound("crossing")


def test_bh_10_5_counterstroke():
    plan = CHART.plans["counterstroke"]
    assert (plan.turns, plan.first, plan.par) == (8, "red", 6)
    assert plan.values == {504: 4, 806: 3, 902: 3}
    assert (plan.reserves["blue"].arrives, plan.reserves["red"].arrives) == (4, 2)
    assert CODES["B8"] not in Driver(game, "counterstroke", chance=Chance("1")).state.pieces
    _set_up_is_sound("counterstroke")


def _set_up_is_sound(scenario):
    state = Driver(game, scenario, chance=Chance("1")).state
    assert len(state.pieces) >= 23
    for place in state.ground.stacks:
        there = state.ground.stacks[place]
        assert len(there) <= 2
        assert len({CHART.units[unit].side for unit in there}) == 1
    for side in ("blue", "red"):
        assert cut_off(state, side) == ()
    for town, holder in state.holders.items():
        assert state.side_at(town) in (None, holder)


@pytest.mark.parametrize("handicap", [-3, 0, 2])
def test_bh_11_1_handicap(handicap):
    driver = played_out(HELD, 6, options={"handicap": handicap})
    assert result(driver)[2] == {"blue": 0, "red": 4 + handicap}


def test_bh_11_2_forfeit():
    state = table(HELD).state
    assert game.forfeit(state, ("blue",)).winner == "red"
    assert game.forfeit(state, ("red",)).winner == "blue"
    assert game.forfeit(state, ("blue", "red")).winner is None


def test_what_is_left_undone_is_said_before_a_turn_is_sealed():
    driver = table({"B1": "0101", "B2": "0604", "R1": "0504"})
    done, move = Finish(), Move(CODES["B1"], 102)
    cut = "Out of supply as things stand: B2."
    assert [*game.left_undone(driver.view("blue"), "blue", done)] == ["Not moved: B1, B2.", cut]
    assert [*game.left_undone(driver.view("blue"), "blue", None)] == [cut]
    assert [*game.left_undone(driver.view("blue"), "blue", move)] == []
    assert [*game.left_undone(driver.view("red"), "red", None)] == []


def test_what_could_still_be_attacked_is_said_before_the_declaring_ends():
    driver = table({"B1": "0504", "B2": "0503", "R1": "0604"})
    driver.order("blue", "done")
    assert [*game.left_undone(driver.view("blue"), "blue", Finish())] == ["Could still be attacked: R1 in 0604."]
