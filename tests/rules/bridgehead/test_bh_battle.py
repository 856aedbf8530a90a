"""BH-7: the window, the die, losses, retreats, counterattacks, advances."""

from __future__ import annotations

import pytest
from bridgehead_positions import CHART, CODES, assert_exact, attack, rebuilt, rule_of, table, where

from pbem.engine.event import Taken
from pbem_rules.bridgehead import events as e
from pbem_rules.bridgehead.attacks import Declare
from pbem_rules.bridgehead.orders import GoBack
from pbem_rules.bridgehead.retreat import safest_of, ways_back


def test_bh_7_1_the_defender_is_asked_before_the_die():
    driver = attack({"B1": "0303", "R1": "0304"}, "attack 0304 from 0303", 6, red=["mud"])
    assert driver.asked == ("red",)
    assert driver.need.window
    assert not driver.events(e.Fought)
    driver.order("red", "pass")
    assert driver.events(e.Fought)
    # Who has no cards is not asked.
    driver = attack({"B1": "0303", "R1": "0304"}, "attack 0304 from 0303", 1)
    assert driver.events(e.Fought)


TABLE = {
    "1:2": "A2 A1 A1 CA EX DR",
    "1:1": "A1 A1 CA EX DR DR",
    "2:1": "A1 CA EX DR DR D1",
    "3:1": "CA EX EX DR D1 D1",
    "4:1": "EX DR DR D1 D1 D2",
    "5:1": "DR DR D1 D1 D2 D2",
}


@pytest.mark.parametrize("column", TABLE)
def test_bh_7_2_the_table(column):
    number = CHART.combat.columns.index(column)
    assert [CHART.combat.result(die, number) for die in range(1, 7)] == TABLE[column].split()
    assert all(CHART.combat.source(die, number) == "ours" for die in range(1, 7))


def test_bh_7_2_a_better_column_is_never_worse():
    order = ("A2", "A1", "CA", "EX", "DR", "D1", "D2")
    for row in CHART.combat.cells:
        assert list(row) == sorted(row, key=order.index)
    for number in range(len(CHART.combat.columns)):
        column = [row[number] for row in CHART.combat.cells]
        assert column == sorted(column, key=order.index)


# B1 and B2 (4 and 4) attack R1 and R2 by so many columns; steps left to each side in all.
@pytest.mark.parametrize(
    ("die", "result", "blue", "red", "asked"),
    [
        (1, "A1", 3, 4, "march"),
        (3, "CA", 4, 4, "counter"),
        (4, "EX", 3, 3, "march"),
        (5, "DR", 4, 4, "retreat"),
    ],
)
def test_bh_7_3_results_at_even_odds(die, result, blue, red, asked):
    units = {"B1": "0303", "B2": "0303", "R1": "0304", "R2": "0304"}
    driver = attack(units, "attack 0304 from 0303", die)
    (fought,) = driver.events(e.Fought)
    assert (fought.column, fought.result) == ("1:1", result)
    pieces = driver.state.pieces
    assert sum(pieces[CODES[code]].steps for code in ("B1", "B2")) == blue
    assert sum(pieces[CODES[code]].steps for code in ("R1", "R2")) == red
    assert driver.machine.decision.name == asked


@pytest.mark.parametrize(("die", "result", "blue", "red"), [(1, "A2", 2, 4), (6, "DR", 4, 4)])
def test_bh_7_3_results_at_bad_odds(die, result, blue, red):
    units = {"B1": "0303", "B2": "0303", "R1": "0403", "R2": "0403"}  # woods
    driver = attack(units, "attack 0403 from 0303", die)
    assert [event.result for event in driver.events(e.Fought)] == [result]
    assert sum(driver.state.pieces[CODES[code]].steps for code in ("B1", "B2")) == blue
    assert sum(driver.state.pieces[CODES[code]].steps for code in ("R1", "R2")) == red


@pytest.mark.parametrize(("die", "result", "red"), [(2, "DR", 4), (4, "D1", 3), (6, "D2", 2)])
def test_bh_7_3_results_at_good_odds(die, result, red):
    units = {"B6": "0303", "B7": "0303", "B8": "0203", "B12": "0203", "R1": "0304", "R12": "0304", "R3": "0404"}
    driver = attack(units, "attack 0304 from 0203 0303", die, postures={"blue": "attack"})
    assert [event.result for event in driver.events(e.Fought)] == [result]
    assert sum(driver.state.pieces[CODES[code]].steps for code in ("R1", "R12")) == red
    assert driver.machine.decision.name == "retreat"


def test_bh_7_4_losses():
    units = {"B1": ("0303", 1), "B2": "0303", "B3": "0203", "R1": "0304", "R2": "0304"}
    driver = attack(units, "attack 0304 from 0203 0303", 1)  # A1
    assert [event.unit for event in driver.events(e.StepLost)] == ["B2"]  # the most steps, then the lowest number
    units = {"B6": "0303", "B7": "0303", "B8": "0203", "B12": "0203", "R1": "0304", "R2": ("0304", 1)}
    driver = attack(units, "attack 0304 from 0203 0303", 5)  # 24 to 6, 4:1, D1
    assert [event.unit for event in driver.events(e.StepLost)] == ["R1"]
    driver.order("red", "stand")
    assert [event.unit for event in driver.events(e.StepLost)] == ["R1"]
    assert (where(driver, "R1"), where(driver, "R2")) == ("0000/0", "0304/1")


def test_bh_7_4_no_more_steps_than_there_are():
    driver = attack({"B1": ("0303", 1), "R1": "0304"}, "attack 0304 from 0303", 1)  # 2 to 4, A2
    assert [(event.unit, event.left) for event in driver.events(e.StepLost)] == [("B1", 0)]
    assert where(driver, "B1") == "0000/0"


def test_bh_7_5_stand_or_retreat():
    units = {"B1": "0303", "B2": "0303", "R1": "0304", "R2": "0304"}
    driver = attack(units, "attack 0304 from 0303", 5)
    assert driver.asked == ("red",)
    driver.order("red", "stand")
    assert [(event.trapped, event.rule) for event in driver.events(e.Stood)] == [(False, "BH-7.5")]
    assert (where(driver, "R1"), where(driver, "R2")) == ("0304/1", "0304/2")
    assert driver.machine.decision.name != "advance"
    driver = attack(units, "attack 0304 from 0303", 5).order("red", "retreat R2 0305")
    assert rule_of(driver, "stand") == "BH-7.5"
    assert rule_of(driver, "retreat R2 0305") == "BH-7.5"
    driver.order("red", "retreat R1 0404")
    assert (where(driver, "R1"), where(driver, "R2")) == ("0404/2", "0305/2")
    assert driver.machine.decision.name == "advance"


def test_bh_7_5_a_unit_that_cannot_go():
    # Only one hex is open, and it has room for one.
    around = {"B1": "0203", "B2": "0303", "B3": "0403", "B4": "0404", "B5": "0204"}
    units = {**around, "R1": "0304", "R2": "0304", "R3": "0305"}
    driver = attack(units, "attack 0304 from 0203 0204", 5)
    assert "cannot go" not in driver.machine.prompt("red")
    driver.order("red", "retreat R1 0305")
    assert (where(driver, "R1"), where(driver, "R2")) == ("0305/2", "0304/1")
    assert driver.machine.decision.name == "march"  # R2 has paid, and the hex is held
    # Nobody can go: there is no choice but to stand.
    walled = {**around, "B6": "0305", "R1": "0304"}
    driver = attack(walled, "attack 0304 from 0203 0204", 4)
    assert where(driver, "R1") == "0304/1"
    told = driver.events()
    assert [event.how for event in told if isinstance(event, Taken)] == ["forced"]
    assert [(event.trapped, event.rule) for event in told if isinstance(event, e.Stood)] == [(True, "BH-7.6")]


# R1 is shut in, R10, sappers beside him, can go through the river.
BANK = {"B1": "0504", "B2": "0506", "B3": "0604", "B4": "0605", "R1": "0505", "R10": "0505"}
UPHILL = "attack 0505 from 0506 0605"  # 8 to 7


def test_bh_7_5_each_unit_goes_where_it_can():
    driver = attack(BANK, UPHILL, 5)
    assert assert_exact(driver) == ["retreat R10 0405", "stand"]
    reason = driver.check("red", GoBack(CODES["R1"], 405)).reason
    assert reason.endswith("It can go to nowhere")
    assert driver.check("red", GoBack(CODES["R10"], 406)).reason.endswith("It can go to 0405")
    driver.order("red", "retreat R10 0405")
    assert (where(driver, "R10"), where(driver, "R1")) == ("0405/2", "0505/1")
    assert driver.machine.decision.name == "march"


def test_bh_7_5_standing_orders():
    driver = table({"B1": "0303", "B2": "0303", "R1": "0304", "R2": ("0304", 1)}, "blue", Declare, dice=DR_EARLY)
    driver.stand("red", "retreat", "when steps = 3 and units = 2 and town = 0 and hex = 304 then stand; then retreat")
    driver.order("blue", "attack 0304 from 0303", "done")
    assert (where(driver, "R1"), where(driver, "R2")) == ("0304/1", "0304/1")
    # The first unit that can go does; to stand can no longer be answered then.
    driver = table(BANK, "blue", Declare, dice={"t2/blue/0505/crt": 5})
    driver.stand("red", "retreat", "then retreat")
    driver.order("blue", UPHILL, "done")
    assert (where(driver, "R10"), where(driver, "R1")) == ("0405/2", "0505/1")
    driver = table({"B1": "0303", "B2": "0303", "R1": "0304", "R2": "0304"}, "blue", Declare, dice=DR_EARLY)
    driver.stand("red", "retreat", "when units = 2 then retreat; then stand")
    driver.order("blue", "attack 0304 from 0303", "done")
    assert driver.asked == ("red",)
    assert "stand" not in assert_exact(driver)


DR_EARLY = {"t2/blue/0304/crt": 5}


@pytest.mark.parametrize(
    ("ways", "best"),
    [
        ((403, 604), 604),  # away from enemies, rather than into woods
        ((403, 503), 403),  # woods, rather than towards the own edge
        ((304, 603), 603),  # towards the own edge
        ((506, 603), 603),
        ((603, 604), 603),  # the lowest number
    ],
)
def test_bh_7_6_the_safest_hex_of_standing_orders(ways, best):
    enemy = "0303" if 403 in ways and 604 in ways else "0101"
    state = table({"B1": enemy, "R1": "0907"}).state
    assert safest_of(state, "red", ways) == best


def test_bh_7_6_across_the_river():
    for chart in (CHART, rebuilt()):
        assert chart.bridged(404, 504)
        assert not chart.bridged(403, 504)
        assert chart.lines.reached(chart.board.bit[405], chart.board.mask([405, 505])) == chart.board.bit[405]
        east = chart.board.mask([505, 605])
        assert chart.lines.reached(chart.board.bit[505], east) == east
        bridge = chart.board.mask([404, 504])
        assert chart.lines.reached(chart.board.bit[404], bridge) == bridge
    state = table({"R1": "0505", "R10": "0505", "R2": "0504", "B1": "0101"}).state
    assert ways_back(state, "red", CODES["R1"]) == [504, 506, 604, 605]
    assert ways_back(state, "red", CODES["R10"]) == [404, 405, 504, 506, 604, 605]
    assert ways_back(state, "red", CODES["R2"]) == [404, 503, 603, 604]  # by the bridge; 0505 is full


def test_bh_7_6_where_to():
    units = {"B1": "0404", "R2": "0504", "R1": "0505", "R10": "0502", "B2": "0603", "R3": "0604", "B3": "0601"}
    state = table(units).state
    # 0404 is the enemy's and 0403 lies across the river, 0503 is in an enemy zone, 0604 too but a friend is there.
    assert ways_back(state, "red", CODES["R2"]) == [505, 604]
    # 0503, 0601 and 0602 are the enemy's or in his zone.
    assert ways_back(state, "red", CODES["R10"]) == [401, 402, 501]
    full = table({**units, "R4": "0505"}).state
    assert ways_back(full, "red", CODES["R2"]) == [604]
    driver = attack({"B1": "0303", "B2": "0303", "R1": "0304", "R2": "0304"}, "attack 0304 from 0303", 5)
    assert rule_of(driver, "retreat R1 0203") == "BH-7.6"
    assert rule_of(driver, "retreat R1 0306") == "BH-7.6"


def test_bh_7_7_counterattack():
    units = {"B1": "0303", "B2": "0303", "B9": ("0203", 1), "R1": "0304", "R2": "0304"}
    driver = attack(units, "attack 0304 from 0203 0303", 3)
    assert driver.machine.decision.name == "counter"
    first, second = driver.game.odds(driver.view("red"), "").text.splitlines()
    assert first.startswith("On 0203: 6 to 1 = 5:1, the last column: column 5:1. 34%: the defender retreats")
    assert second.startswith("On 0303: ")
    assert rule_of(driver, "counter 0305") == "BH-7.7"
    driver = attack(units, "attack 0304 from 0203 0303", 3, dice={"t2/blue/0304/counter/crt": 2})
    driver.order("red", "counter 0203")
    first, second = driver.events(e.Fought)
    assert (first.result, second.counter, second.side, second.attack, second.defence) == ("CA", True, "red", 6, 1)
    assert second.result == "DR"


def test_bh_7_7_declined_or_too_weak():
    units = {"B1": "0303", "B2": "0303", "R1": "0304", "R2": "0304"}
    driver = attack(units, "attack 0304 from 0303", 3).order("red", "decline")
    assert "Red does not counterattack from 0304." in driver.game.tell(driver.happened)
    assert len(driver.events(e.Fought)) == 1
    # Militia, 1 to 8, cannot reach 1:2: nobody is asked.
    units = {"B6": "0303", "B7": "0303", "R7": "0304"}
    driver = attack(units, "attack 0304 from 0303", 1, postures={"blue": "hold", "red": "hold"})
    assert [(event.column, event.result) for event in driver.events(e.Fought)] == [("3:1", "CA")]
    assert driver.machine.decision.name != "counter"


def test_bh_7_7_whom_to_counterattack():
    units = {"B1": "0303", "B2": "0303", "B9": ("0203", 1), "R1": "0304", "R2": "0304"}
    driver = attack(units, "attack 0304 from 0203 0303", 3)
    assert assert_exact(driver) == ["counter 0203", "counter 0303", "decline"]
    # Militia reach 1:2 against one of the two hexes alone.
    units = {"B6": "0303", "B7": "0303", "B9": ("0203", 1), "R7": "0304"}
    driver = attack(units, "attack 0304 from 0203 0303", 1, postures=dict.fromkeys(("blue", "red"), "hold"))
    assert assert_exact(driver) == ["counter 0203", "decline"]


def test_bh_7_7_standing_orders():
    units = {"B1": "0303", "B2": "0303", "B9": ("0203", 1), "R1": "0304", "R2": "0304"}
    driver = table(units, "blue", Declare, dice={"t2/blue/0304/crt": 3, "t2/blue/0304/counter/crt": 2})
    driver.stand("red", "counter", "when column = 5 and hex = 304 and steps = 4 then counter; then decline")
    driver.order("blue", "attack 0304 from 0203 0303", "done")
    assert [event.target for event in driver.events(e.Fought)] == [304, 203]  # the best odds


def test_bh_7_7_no_counterattack_upon_a_counterattack():
    units = {"B1": "0303", "B2": "0303", "R1": "0304", "R2": "0304"}
    driver = attack(units, "attack 0304 from 0303", 3, dice={"t2/blue/0304/counter/crt": 4})
    driver.order("red", "counter 0303")
    fought = driver.events(e.Fought)
    assert [(event.column, event.result) for event in fought] == [("1:1", "CA"), ("1:2", "CA")]
    assert driver.machine.decision.name != "counter"


def test_bh_7_7_cards_in_a_counterattack():
    units = {"B1": "0303", "B2": "0303", "R1": "0304", "R2": "0304"}
    driver = attack(units, "attack 0304 from 0303", 3, blue=["mud"], dice={"t2/blue/0304/counter/crt": 4})
    driver.order("red", "counter 0303")
    assert driver.asked == ("blue",)
    driver.order("blue", "play mud")
    assert ("mud -1") in driver.events(e.Fought)[-1].shifts


def test_bh_7_8_advance():
    units = {"B1": "0303", "B2": "0303", "B3": "0203", "B4": "0204", "R7": "0304"}
    driver = attack(units, "attack 0304 from 0203 0303", 6)
    assert driver.machine.decision.name == "advance"
    assert rule_of(driver, "advance B4 0304") == "BH-7.8"  # took no part
    assert rule_of(driver, "advance B1 0404") == "BH-7.8"
    assert "0304 is empty" in driver.machine.prompt("blue")
    assert "at most two, one after the other: " in driver.machine.prompt("blue")
    driver.order("blue", "advance B1 0304")
    assert "room for another unit in 0304" in driver.machine.prompt("blue")
    driver.order("blue", "advance B3 0304")
    assert {where(driver, code) for code in ("B1", "B3")} == {"0304/2"}
    assert driver.asked != ("blue",)  # two at most
    driver = attack(units, "attack 0304 from 0203 0303", 6).order("blue", "halt")
    assert driver.state.side_at(304) is None


def test_bh_7_8_one_after_the_other():
    units = {"B1": "0303", "B2": "0303", "B3": "0203", "B4": "0204", "R7": "0304"}
    driver = attack(units, "attack 0304 from 0203 0303", 6)
    assert assert_exact(driver) == ["advance B1 0304", "advance B2 0304", "advance B3 0304", "halt"]
    driver.order("blue", "advance B1 0304")
    assert assert_exact(driver) == ["advance B2 0304", "advance B3 0304", "halt"]
    # Nobody advances on a single unit that stands.
    driver = attack({"B1": "0303", "B2": "0303", "R1": "0304"}, "attack 0304 from 0303", 4).order("red", "stand")
    assert (where(driver, "R1"), driver.asked) == ("0304/1", ("red",))


def test_bh_7_8_after_a_counterattack():
    # R1 throws B1 back and follows: the hex that was attacked first is empty, and B2 alone still stands beside it.
    units = {"B1": "0303", "B2": "0203", "R1": "0304"}
    driver = attack(units, "attack 0304 from 0203 0303", 2, dice={"t2/blue/0304/counter/crt": 6})
    driver.order("red", "counter 0303").order("blue", "retreat B1 0302").order("red", "advance R1 0303")
    assert assert_exact(driver) == ["advance B2 0304", "halt"]


def test_bh_7_8_standing_orders():
    units = {"B1": "0404", "B6": "0404", "R7": "0504"}
    driver = table(units, "blue", Declare, dice={"t2/blue/0504/crt": 5})
    driver.stand("blue", "advance", "when advanced = 1 then halt; when hex = 504 and town = 1 then strongest; then ask")
    driver.order("blue", "attack 0504 from 0404", "done")
    assert (where(driver, "B6"), where(driver, "B1")) == ("0504/2", "0404/2")
    assert driver.asked == ("red",)


def test_bh_7_8_survivors_only_and_not_into_a_held_hex():
    units = {"B1": ("0303", 1), "B2": ("0203", 1), "R7": "0304"}
    driver = attack(units, "attack 0304 from 0203 0303", 3)  # 4 to 2, 2:1, EX
    assert where(driver, "B1") == where(driver, "R7") == "0000/0"
    assert rule_of(driver, "advance B1 0304") == "BH-7.8"
    driver.order("blue", "advance B2 0304")
    assert where(driver, "B2") == "0304/1"


def test_standing_orders_spare_the_questions():
    units = {"B1": "0303", "B2": "0303", "R1": "0304", "R2": "0304"}
    driver = table(units, "blue", Declare, dice={"t2/blue/0304/crt": 5})
    driver.stand("red", "retreat", "when steps > 4 then stand; then retreat")
    driver.stand("blue", "advance", "when advanced < 1 then strongest; then halt")
    driver.order("blue", "attack 0304 from 0303", "done")
    taken = [(event.seat, event.decision) for event in driver.events(Taken)]
    assert taken == [("red", "retreat"), ("red", "retreat"), ("blue", "advance"), ("blue", "advance")]
    assert driver.state.side_at(304) == "blue"
    sealed = table(units, "blue", Declare, dice={"t2/blue/0304/crt": 3, "t2/blue/0304/counter/crt": 4}, red=["mud"])
    sealed.stand("red", "react", "when hex = 304 then mud; then pass", sealed=True)
    sealed.stand("red", "counter", "when column >= 1 then counter; then decline")
    sealed.order("blue", "attack 0304 from 0303", "done")
    assert [event.card for event in sealed.events(e.Played)] == ["Mud"]
    assert sealed.state.hand("red") == ("events/1/1",)  # the card drawn since
    assert CHART.cards[sealed.state.deck.discards[0]].key == "mud"
