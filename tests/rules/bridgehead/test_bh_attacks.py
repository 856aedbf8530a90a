"""BH-6: declaring attacks, odds and shifts."""

from __future__ import annotations

import pytest
from bridgehead_positions import CHART, CODES, RESERVE, assert_exact, attack, rule_of, table, where

from pbem_rules.bridgehead import events as e
from pbem_rules.bridgehead.attacks import Declare, odds
from pbem_rules.bridgehead.orders import Attack


def declaring(units, **kept):
    return table(units, "blue", Declare, **kept)


def test_bh_6_1_target_and_hexes():
    driver = declaring({"B1": "0303", "B2": "0303", "B3": "0202", "R1": "0304", "B4": "0301"})
    assert rule_of(driver, "attack 0304 from 0303") == ""
    assert rule_of(driver, "attack 0305 from 0303") == "BH-6.1"  # nobody there
    assert rule_of(driver, "attack 0303 from 0304") == "BH-6.1"  # not an enemy
    assert rule_of(driver, "attack 0304 from 0202") == "BH-6.1"  # not adjacent
    assert rule_of(driver, "attack 0304 from 0203") == "BH-6.1"  # nobody there
    # All units of the hex take part: 8 to 4.
    assert odds(driver.state, 304, [CODES["B1"], CODES["B2"]]).plain == 2
    driver = attack({"B1": "0303", "B2": "0303", "R1": "0304"}, "attack 0304 from 0303", 1)
    (fought,) = driver.events(e.Fought)
    assert fought.attack == 8


def test_bh_6_1_how_an_attack_is_written():
    driver = declaring({"B1": "0303", "B2": "0302", "B3": "0203", "B4": "0204", "R1": "0304", "R11": RESERVE})
    for target, hexes in (
        (304, ()),
        (304, (303, 203)),
        (304, (303, 303)),
        (304, (203, 204, 204)),
        (302, (303,)),  # a friend
        (403, (303,)),  # nobody
        (9002, (303,)),  # the reserve
        (9002, ()),
    ):
        violation = driver.check("blue", Attack(target, hexes))
        assert violation is not None, hexes
        assert violation.rule == "BH-6.1"
    assert driver.check("blue", Attack(304, (203, 204, 303))) is None


# B1 (2), B2 and B3 (4 each) against militia (2) in 0304 and two garrisons (8) in 0402.
SPREAD = {"B1": ("0303", 1), "B2": "0302", "B3": "0203", "R7": "0304", "R1": "0402", "R2": "0402"}


def test_bh_6_2_what_is_left_to_attack():
    driver = declaring(SPREAD)
    first = ["attack 0304 from 0203", "attack 0304 from 0203,0303", "attack 0304 from 0303"]
    second = ["attack 0402 from 0302", "attack 0402 from 0302,0303"]  # 0303 alone is below 1:2
    assert assert_exact(driver) == [*first, *second, "done"]
    driver.order("blue", "attack 0304 from 0203")
    assert assert_exact(driver) == [*second, "done"]
    driver.order("blue", "attack 0402 from 0302")
    assert assert_exact(driver) == ["done"]
    driver = declaring(SPREAD).order("blue", "attack 0402 from 0302 0303")
    assert assert_exact(driver) == ["attack 0304 from 0203", "done"]


def test_bh_6_3_a_side_that_cannot_attack_is_not_asked():
    for units in ({"B1": "0303", "R1": "0907"}, {"B1": ("0303", 1), "R1": "0304", "R2": "0304"}):
        assert table(units).order("blue", "done").asked == ("red",)
    assert table({"B1": "0303", "R1": "0304"}).order("blue", "done").machine.decision.name == "declare"


def test_bh_6_2_once_each():
    driver = declaring({"B1": "0303", "B2": "0302", "R1": "0304", "R2": "0402"})
    driver.order("blue", "attack 0402 from 0303")
    assert rule_of(driver, "attack 0402 from 0302") == "BH-6.2"
    assert rule_of(driver, "attack 0304 from 0303") == "BH-6.2"


def test_bh_6_3_all_declared_first_and_fought_in_order():
    units = {"B1": "0203", "B2": "0401", "R1": "0304", "R2": "0402"}
    dice = {"t2/blue/0402/crt": 4, "t2/blue/0304/crt": 4}
    driver = declaring(units, dice=dice)
    driver.order("blue", "attack 0402 from 0401")
    assert not driver.events(e.Fought)
    driver.order("blue", "attack 0304 from 0203", "done")
    while driver.asked and driver.machine.decision.name != "march":
        driver.order(driver.asked[0], "stand" if driver.machine.decision.name == "retreat" else "halt")
    assert [event.target for event in driver.events(e.Fought)] == [402, 304]


def test_bh_6_4_strengths():
    driver = declaring({"B1": "0303", "B9": "0303", "R1": "0304", "R2": ("0304", 1)}, cut=["B1"])
    reckoned = odds(driver.state, 304, [CODES["B1"], CODES["B9"]])
    assert (reckoned.attack, reckoned.defence) == (2 + 3, 4 + 2)
    driver = declaring({"B1": "0303", "B9": "0303", "R1": "0304"}, cut=["B1", "B9"])
    assert odds(driver.state, 304, [CODES["B1"], CODES["B9"]]).attack == 3  # 3.5 rounded down
    driver = declaring({"B1": "0303", "R1": "0304"}, cut=["R1"])
    assert odds(driver.state, 304, [CODES["B1"]]).defence == 4  # defends as usual


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [(3, 7, -1), (4, 8, 0), (7, 8, 0), (8, 8, 1), (11, 6, 1), (12, 6, 2), (8, 2, 4), (9, 2, 4), (10, 2, 5), (40, 2, 5)],
)
def test_bh_6_5_columns(attack, defence, column):
    assert CHART.odds.column(attack, defence) == column


def test_bh_6_5_below_the_table():
    driver = declaring({"B1": ("0303", 1), "B2": "0203", "R1": "0304", "R2": ("0304", 1)})
    assert rule_of(driver, "attack 0304 from 0303") == "BH-6.5"
    assert rule_of(driver, "attack 0304 from 0203") == ""
    texts = [str(order) for order in driver.legal("blue")]
    assert not any("hexes=(303,)" in text for text in texts)


def shifts(units, target, codes):
    return {shift.why: shift.by for shift in odds(declaring(units).state, target, [CODES[c] for c in codes]).shifts}


def test_bh_6_6_terrain_and_river():
    assert shifts({"B1": "0303", "R1": "0304"}, 304, ["B1"]) == {}
    assert shifts({"B1": "0303", "R1": "0403"}, 403, ["B1"]) == {"woods": -1}
    assert shifts({"B1": "0602", "R1": "0703"}, 703, ["B1"]) == {"hill": -1}
    assert shifts({"B1": "0404", "R1": "0504"}, 504, ["B1"]) == {"town": -1}  # over the bridge
    assert shifts({"B1": "0403", "R1": "0504"}, 504, ["B1"]) == {"town": -1, "river": -1}
    assert shifts({"B1": "0403", "B2": "0503", "R1": "0504"}, 504, ["B1", "B2"]) == {"town": -1}
    assert shifts({"B1": "0405", "R1": "0505"}, 505, ["B1"]) == {"river": -1}
    assert shifts({"B1": "0405", "B9": "0405", "R1": "0505"}, 505, ["B1", "B9"]) == {}


def test_bh_6_7_at_most_three_and_within_the_table():
    units = {"B1": "0403", "B2": "0403", "R1": "0504"}
    left = declaring(units, postures={"blue": "hold", "red": "hold"})
    reckoned = odds(left.state, 504, [CODES["B1"], CODES["B2"]], card="ambush")
    assert sum(shift.by for shift in reckoned.shifts) == -6
    assert (reckoned.plain, reckoned.column) == (2, 0)
    strong = {"B6": "0404", "B7": "0404", "R8": "0504"}
    reckoned = odds(
        declaring(strong, postures=dict.fromkeys(("blue", "red"), "hold")).state, 504, [5, 6], card="ambush"
    )
    assert (reckoned.plain, reckoned.column) == (5, 2)  # three of five columns
    right = declaring({"B6": "0303", "R7": "0304"}, postures={"blue": "attack"})
    assert odds(right.state, 304, [CODES["B6"]], barrage=True).column == 5


def test_bh_6_7_cards_shift():
    state = declaring({"B1": "0303", "R1": "0304"}).state
    for card, barrage, shifted in (
        ("", False, ()),
        ("", True, ((1, "BH-8.6", "barrage"),)),
        ("mud", False, ((-1, "BH-8.9", "mud"),)),
        ("ambush", True, ((1, "BH-8.6", "barrage"), (-2, "BH-8.10", "ambush"))),
        ("standfast", False, ()),
    ):
        assert odds(state, 304, [CODES["B1"]], barrage, card).shifts == shifted


def test_bh_6_8_who_stands_there_by_then():
    # R7 retreats from 0303 into 0304, which is attacked next: 4 to 6 instead of 4 to 4.
    units = {"B1": "0204", "B2": "0302", "B3": "0302", "R7": "0303", "R1": "0304"}
    dice = {"t2/blue/0303/crt": 2, "t2/blue/0304/crt": 2}
    driver = declaring(units, dice=dice).order("blue", "attack 0303 from 0302", "attack 0304 from 0204", "done")
    driver.order("red", "retreat R7 0304")
    driver.order("blue", "halt")
    first, second = driver.events(e.Fought)
    assert (first.column, first.result) == ("4:1", "DR")
    assert (second.attack, second.defence, second.column) == (4, 6, "1:2")


def test_bh_6_8_below_the_table_by_then():
    units = {"B1": ("0204", 1), "B2": "0302", "B3": "0302", "R7": "0303", "R1": "0304"}
    dice = {"t2/blue/0303/crt": 2, "t2/blue/0304/crt": 1}
    driver = declaring(units, dice=dice).order("blue", "attack 0303 from 0302", "attack 0304 from 0204", "done")
    driver.order("red", "retreat R7 0304").order("blue", "halt")
    (_, second) = driver.events(e.Fought)
    assert (second.attack, second.defence, second.column) == (2, 6, "1:2")
    assert where(driver, "B1") == "0000/0"
