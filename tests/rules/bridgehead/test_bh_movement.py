"""BH-4 and BH-5: movement, rallying, zones of control."""

from __future__ import annotations

import pytest
from bridgehead_positions import (
    CHART,
    CODES,
    RESERVE,
    assert_exact,
    reaches,
    rebuilt,
    rule_of,
    table,
    where,
)

from pbem_rules.bridgehead import events as e
from pbem_rules.bridgehead.frames import Half
from pbem_rules.bridgehead.movement import Moves
from pbem_rules.bridgehead.orders import Move


def test_bh_4_1_once_and_by_the_cheapest_way():
    driver = table({"B6": "0303", "R1": "0907"})
    driver.order("blue", "move B6 0305")
    (moved,) = driver.events(e.Moved)
    assert (moved.path, moved.cost) == ((303, 304, 305), 1 + 3)
    assert rule_of(driver, "move B6 0304") == "BH-4.1"
    assert rule_of(driver, "move R1 0906") == "BH-4.1"


def test_bh_4_1_whose_units_and_where_to():
    driver = table({"B1": "0303", "B11": RESERVE, "B3": ("0101", 0), "R1": "0907"})
    for unit in (CODES["B2"], CODES["B3"], CODES["B11"], CODES["R1"], 99, -1):  # B2 takes no part
        assert driver.check("blue", Move(unit, 304)).rule == "BH-4.1"
    for cell in (303, 9001, 1010, 0):
        assert driver.check("blue", Move(CODES["B1"], cell)).rule == "BH-4.1"
    driver.order("blue", "move B1 0302")
    (moved,) = driver.events(e.Moved)
    assert not moved.stopped
    assert where(driver, "B1") == "0302/2"
    assert (driver.state.side_at(303), driver.state.side_at(302)) == (None, "blue")
    assert assert_exact(driver) == ["done"]


def test_bh_4_1_what_is_listed_is_what_passes():
    # B2 has moved; B1 could rally but has no card; B4 may go nowhere that is full.
    units = {"B1": ("0203", 1), "B2": "0204", "B3": "0204", "B7": "0303", "B8": "0302", "B9": "0302", "R1": "0404"}
    driver = table(units, frame=Half("blue", moved=1 << CODES["B2"]))
    texts = assert_exact(driver)
    assert {text.split()[1] for text in texts if text.startswith("move")} == {"B1", "B3", "B7", "B8", "B9"}
    assert not any(text.endswith((" 0204", " 0302")) for text in texts)
    assert "move B3 0203" in texts
    assert "done" in texts


def test_bh_4_3_a_refusal_says_what_can_be_reached():
    driver = table({"B1": "0203", "B2": "0204", "B3": "0204", "R1": "0907"})
    reason = driver.check("blue", Move(CODES["B1"], 907)).reason
    assert set(reason.rpartition("can reach ")[2].split(", ")) == reaches(driver, "B1")
    shut = table({"B1": "0101", "R1": "0102", "R2": "0201"})
    assert shut.check("blue", Move(CODES["B1"], 301)).reason.endswith("It can reach nowhere")


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
    start, goal = moved.path
    for chart in (CHART, rebuilt()):
        assert [price for there, _, price in chart.links[CODES[code]][start] if there == goal] == [cost]


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
    militia = table({"R7": "0804", "B1": "0101"}, "red", cut=["R7"])  # 2 halved: 1
    assert "0803" in reaches(militia, "R7")
    assert "0802" not in reaches(militia, "R7")
    assert "0802" in reaches(table({"R7": "0804", "B1": "0101"}, "red"), "R7")


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


def test_bh_4_6_what_is_listed_is_what_passes():
    units = {"B1": ("0203", 1), "B2": "0204", "B3": ("0303", 1), "B4": ("0102", 1), "B5": ("0101", 1), "R1": "0304"}
    driver = table(units, blue=["mud", "march"], red=["mud"], cut=["B5"], frame=Half("blue", moved=1 << CODES["B4"]))
    rallies = [text for text in assert_exact(driver) if text.startswith("rally")]
    assert rallies == []  # 0203 lies in the zone, too
    driver = table({**units, "R1": "0404"}, blue=["mud", "march"], red=["mud"], cut=["B5"],
                   frame=Half("blue", moved=1 << CODES["B4"]))  # fmt: skip
    rallies = [text for text in assert_exact(driver) if text.startswith("rally")]
    assert rallies == [f"rally {code} #{slot}" for code in ("B1", "B3") for slot in (100, 101)]


def zones(driver, side):
    return set(driver.state.chart.board.in_mask(driver.state.zone(side)))


def test_bh_5_1_zones():
    driver = table({"B1": "0203", "R1": "0505", "R2": "0504", "R3": "0903"})
    assert zones(driver, "blue") == {202, 303, 304, 204, 103}  # not the town 0104
    # 0405 and 0404 lie across the river; R2 reaches 0404 by the bridge.
    assert zones(driver, "red") == {506, 605, 604, 503, 603, 404, 505, 904, 803, 802}
    driver.order("blue", "move B1 0201")
    assert zones(driver, "blue") == {101, 102, 202, 301, 302}
    pair = table({"B1": "0203", "B2": "0203", "R1": "0907"}).order("blue", "move B1 0201")
    assert zones(pair, "blue") == {101, 102, 202, 301, 302, 303, 304, 204, 103}  # B2 is still there
    for chart in (CHART, rebuilt()):
        assert set(chart.board.in_mask(chart.zones.of([203]))) == {202, 303, 304, 204, 103}
        assert set(chart.board.in_mask(chart.zones.of([504]))) == {503, 603, 604, 505, 404}


def test_bh_5_2_stop():
    driver = table({"B1": "0202", "R1": "0304"})
    driver.order("blue", "move B1 0203")
    (moved,) = driver.events(e.Moved)
    assert moved.stopped
    # 0205 lies behind the zone, four points away: stopped before.
    assert rule_of(table({"B6": "0302", "R1": "0304"}), "move B6 0205") == "BH-5.2"
    assert "0205" in reaches(table({"B6": "0302", "R1": "0404"}), "B6")


def test_bh_5_2_whatever_has_moved_since():
    """Ways that were looked for in one half-turn are looked for again after the other side's."""
    driver = table({"B6": "0302", "B1": "0101", "B2": "0205", "R1": "0505", "R2": "0304"})
    assert "0205" not in reaches(driver, "B6")
    driver.order("blue", "move B1 0102", "done")
    driver.order("red", "move R2 0404", "done")
    before = reaches(driver, "B6")
    assert {"0205", "0304"} <= before
    assert not {"0404", "0302"} & before
    # Of the own units the one that moves has other ways, the others the same ones but for full hexes.
    driver.order("blue", "move B2 0204")
    assert reaches(driver, "B6") == before
    assert rule_of(driver, "move B6 0205") == ""
    assert zones(driver, "blue") == {101, 103, 105, 201, 202, 203, 205, 301, 303, 304, 305, 401, 402}


def test_bh_5_2_whoever_has_come_since():
    """What was looked for stays true only as long as nothing moves."""
    driver = table({"B1": "0204", "B6": "0803", "R1": "0505", "R11": RESERVE}, scenario="counterstroke", turn=1)
    assert rule_of(driver, "move B6 0901") == ""
    driver.order("blue", "done")
    assert where(driver, "R11") == "0901/2"  # the reserve, that had not come before
    driver.order("red", "done")
    assert rule_of(driver, "move B6 0901") == "BH-4.3"
    assert {"0102", "0305"} <= reaches(driver, "B1")
    driver.order("blue", "move B1 0305", "done")
    driver.order("red", "done")  # nothing has moved since B1
    assert "0204" in reaches(driver, "B1")
    assert not {"0102", "0305"} & reaches(driver, "B1")


def test_bh_5_2_the_other_sides_ways():
    driver = table({"R1": "0304", "B6": "0102", "B1": "0907"}, "red")
    assert "0104" in reaches(driver, "R1")
    driver.order("red", "done").order("blue", "move B6 0203")
    driver.order("blue", "done", "done")  # nothing is attacked
    assert driver.asked == ("red",)
    assert "0104" not in reaches(driver, "R1")


def test_bh_5_3_not_from_zone_to_zone():
    driver = table({"B1": "0303", "R1": "0304"}, cut=["B1"])
    assert rule_of(driver, "move B1 0203") == "BH-5.3"
    assert rule_of(driver, "move B1 0302") == ""  # out
    driver = table({"B1": "0303", "R1": "0304"})
    driver.order("blue", "move B1 0203")  # out into the woods, and in again
    (moved,) = driver.events(e.Moved)
    assert (moved.path, moved.cost) == ((303, 202, 203), 3)
    ring = {f"R{n}": f"{cell:04d}" for n, cell in enumerate(CHART.board.near[303], start=1)}
    for units, moves in (({"B1": "0303", **ring}, False), ({"B1": "0303", "R1": "0304"}, True)):
        driver = table(units)
        firsts = [pick.value for pick in Moves().first(driver.state, driver.machine.frame, "blue", {})]
        assert firsts == [CODES["B1"]] * moves
