"""BH-7: the window, the die, losses, retreats, counterattacks, advances."""

from __future__ import annotations

import pytest
from bridgehead_positions import CHART, CODES, attack, rule_of, table, where

from pbem.engine.event import Taken
from pbem_rules.bridgehead import events as e
from pbem_rules.bridgehead.attacks import Declare
from pbem_rules.bridgehead.retreat import ways_back


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


def test_bh_7_5_stand_or_retreat():
    units = {"B1": "0303", "B2": "0303", "R1": "0304", "R2": "0304"}
    driver = attack(units, "attack 0304 from 0303", 5)
    assert driver.asked == ("red",)
    driver.order("red", "stand")
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
    driver.order("red", "retreat R1 0305")
    assert (where(driver, "R1"), where(driver, "R2")) == ("0305/2", "0304/1")
    # Nobody can go: there is no choice but to stand.
    walled = {**around, "B6": "0305", "R1": "0304"}
    driver = attack(walled, "attack 0304 from 0203 0204", 4)
    assert [event.how for event in driver.events(Taken)] == ["forced"]
    assert where(driver, "R1") == "0304/1"


def test_bh_7_6_where_to():
    units = {"B1": "0404", "R2": "0504", "R1": "0505", "R10": "0502", "B2": "0603", "R3": "0604", "B3": "0601"}
    state = table(units).state
    # 0405 and 0404 lie across the river, 0503 is in an enemy zone, 0604 too but a friend is there.
    assert ways_back(state, "red", CODES["R2"]) == [505, 604]
    # Sappers may cross; 0501, 0601 and 0602 are the enemy's or in his zone.
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
    assert rule_of(driver, "counter 0305") == "BH-7.7"
    driver = attack(units, "attack 0304 from 0203 0303", 3, dice={"t2/blue/0304/counter/crt": 2})
    driver.order("red", "counter 0203")
    first, second = driver.events(e.Fought)
    assert (first.result, second.counter, second.side, second.attack, second.defence) == ("CA", True, "red", 6, 1)
    assert second.result == "DR"


def test_bh_7_7_declined_or_too_weak():
    units = {"B1": "0303", "B2": "0303", "R1": "0304", "R2": "0304"}
    driver = attack(units, "attack 0304 from 0303", 3).order("red", "decline")
    assert len(driver.events(e.Fought)) == 1
    # Militia, 1 to 8, cannot reach 1:2: nobody is asked.
    units = {"B6": "0303", "B7": "0303", "R7": "0304"}
    driver = attack(units, "attack 0304 from 0303", 1, postures={"blue": "hold", "red": "hold"})
    assert [(event.column, event.result) for event in driver.events(e.Fought)] == [("3:1", "CA")]
    assert driver.machine.decision.name != "counter"


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
    driver.order("blue", "advance B1 0304", "advance B3 0304")
    assert {where(driver, code) for code in ("B1", "B3")} == {"0304/2"}
    assert driver.asked != ("blue",)  # two at most
    driver = attack(units, "attack 0304 from 0203 0303", 6).order("blue", "halt")
    assert driver.state.side_at(304) is None


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
