"""BH-4 and BH-5: movement, rallying, zones of control."""

from __future__ import annotations

import pytest
from bridgehead_positions import reaches, rule_of, table, where

from pbem_rules.bridgehead import events as e


def test_bh_4_1_once_and_by_the_cheapest_way():
    driver = table({"B6": "0303", "R1": "0907"})
    driver.order("blue", "move B6 0305")
    (moved,) = driver.events(e.Moved)
    assert (moved.path, moved.cost) == ((303, 304, 305), 1 + 3)
    assert rule_of(driver, "move B6 0304") == "BH-4.1"
    assert rule_of(driver, "move R1 0906") == "BH-4.1"


@pytest.mark.parametrize(
    ("units", "code", "to", "cost"),
    [
        ({"B1": "0203"}, "B1", "0204", 1),  # clear
        ({"B1": "0203"}, "B1", "0104", 1),  # town
        ({"B1": "0203"}, "B1", "0202", 2),  # woods
        ({"B6": "0203"}, "B6", "0202", 3),  # woods for armour
        ({"R9": "0603"}, "R9", "0703", 2),  # hill
        ({"B1": "0404"}, "B1", "0504", 1),  # the bridge, into a town
        ({"B1": "0405"}, "B1", "0505", 3),  # through the river
        ({"B9": "0405"}, "B9", "0505", 1),  # sappers through the river
    ],
)
def test_bh_4_2_costs(units, code, to, cost):
    driver = table(units, "blue" if code[0] == "B" else "red")
    driver.order(driver.asked[0], f"move {code} {to}")
    (moved,) = driver.events(e.Moved)
    assert (moved.path[-1], moved.cost, len(moved.path)) == (int(to), cost, 2)


def test_bh_4_2_too_far():
    driver = table({"B1": "0201"})
    assert rule_of(driver, "move B1 0205") == "BH-4.2"
    assert "0203" in reaches(driver, "B1")


def test_bh_4_3_enemies_and_full_hexes():
    driver = table({"B1": "0201", "R1": "0202", "B2": "0302", "B3": "0302"})
    assert rule_of(driver, "move B1 0202") == "BH-4.3"
    assert rule_of(driver, "move B1 0302") == "BH-4.3"
    walled = {"B1": "0101", "R1": "0102", "R2": "0201"}
    assert rule_of(table(walled), "move B1 0401") == "BH-4.3"


def test_bh_4_4_one_hex_is_always_possible():
    driver = table({"R7": "0603"}, "red")  # militia have two points
    driver.order("red", "move R7 0503")
    driver = table({"R7": "0503"}, "red")
    assert rule_of(driver, "move R7 0403") == ""  # woods across the river: 4 points
    assert "0303" not in reaches(driver, "R7")
    assert rule_of(table({"R7": "0503", "B1": "0403"}, "red"), "move R7 0403") == "BH-4.3"


def test_bh_4_5_out_of_supply():
    driver = table({"B1": "0203"}, cut=["B1"])  # 3 halved and rounded up: 2
    assert "0205" in reaches(driver, "B1")
    assert "0306" not in reaches(driver, "B1")
    assert "0306" in reaches(table({"B1": "0203"}), "B1")


def test_bh_4_6_rally():
    units = {"B1": ("0203", 1), "B2": "0204", "B3": ("0404", 1), "R1": "0504"}
    driver = table(units, blue=["mud", "march"])
    before = driver.state.hand("blue")
    driver.order("blue", "rally B1 march")
    assert where(driver, "B1") == "0203/2"
    assert driver.state.hand("blue") == before[:1]
    assert driver.state.deck.thrown == [before[1]]
    assert driver.state.deck.discards == []  # face down
    assert rule_of(driver, "move B1 0204") == "BH-4.1"  # instead of moving
    assert rule_of(driver, "rally B2 mud") == "BH-4.6"  # no step lost
    assert rule_of(driver, "rally B3 mud") == "BH-4.6"  # in a zone, over the bridge
    cut = table({"B1": ("0203", 1)}, blue=["mud"], cut=["B1"])
    assert rule_of(cut, "rally B1 mud") == "BH-4.6"
    assert rule_of(table({"B1": ("0203", 1)}, red=["mud"]), "rally B1 #100") == "BH-8.4"


def zones(driver, side):
    return set(driver.state.chart.board.in_mask(driver.state.ground.zone(side)))


def test_bh_5_1_zones():
    driver = table({"B1": "0203", "R1": "0505", "R2": "0504", "R3": "0903"})
    assert zones(driver, "blue") == {202, 303, 304, 204, 103}  # not the town 0104
    # 0405 and 0404 lie across the river; R2 reaches 0404 by the bridge.
    assert zones(driver, "red") == {506, 605, 604, 503, 603, 404, 505, 904, 803, 802}


def test_bh_5_2_stop():
    driver = table({"B1": "0202", "R1": "0304"})
    driver.order("blue", "move B1 0203")
    (moved,) = driver.events(e.Moved)
    assert moved.stopped
    # 0205 lies behind the zone, four points away: stopped before.
    assert rule_of(table({"B6": "0302", "R1": "0304"}), "move B6 0205") == "BH-5.2"
    assert "0205" in reaches(table({"B6": "0302", "R1": "0404"}), "B6")


def test_bh_5_3_not_from_zone_to_zone():
    driver = table({"B1": "0303", "R1": "0304"}, cut=["B1"])
    assert rule_of(driver, "move B1 0203") == "BH-5.3"
    assert rule_of(driver, "move B1 0302") == ""  # out
    driver = table({"B1": "0303", "R1": "0304"})
    driver.order("blue", "move B1 0203")  # out into the woods, and in again
    (moved,) = driver.events(e.Moved)
    assert (moved.path, moved.cost) == ((303, 202, 203), 3)
