"""BH-1 to BH-3: pieces, the turn, hidden choices."""

from __future__ import annotations

import pytest
from bridgehead_positions import CHART, CODES, RESERVE, attack, reaches, rule_of, table, where

from pbem.engine.need import Openings, Orders
from pbem.engine.testing import Chance, Driver, IllegalOrderError
from pbem_rules.bridgehead import events as e
from pbem_rules.bridgehead import game
from pbem_rules.bridgehead.attacks import Declare, odds
from pbem_rules.bridgehead.cards import Refill
from pbem_rules.bridgehead.hidden import ShowEntry
from pbem_rules.bridgehead.orders import Enter, Finish


def started(scenario: str = "crossing", seed: str = "1") -> Driver:
    driver = Driver(game, scenario, chance=Chance(seed))
    driver.order("blue", "reserve 0104")
    driver.order("red", "reserve 0904")
    return driver


def test_bh_1_1_map():
    assert len(CHART.grid.cells) == 63
    assert {"0101", "0907"} == {f"{min(CHART.grid.cells):04d}", f"{max(CHART.grid.cells):04d}"}
    bridges = [pair for pair, edge in CHART.board.edges.items() if "bridge" in edge]
    assert sorted(bridges) == [(404, 504), (504, 404)]
    # The river parts the map: no way from west to east but over the bridge or through the water.
    dry = CHART.lines.reached(CHART.edge["blue"], ~CHART.board.mask([504]))
    assert not dry & CHART.edge["red"]


def test_bh_1_2_steps():
    driver = attack({"B1": "0303", "B2": "0304", "R7": "0403"}, "attack 0403 from 0303 0304", 6)
    assert where(driver, "R7") == "0000/0"  # militia have one step
    driver = table({"B1": ("0303", 1)})
    assert CHART.units[CODES["B1"]].face(2).attack == 4
    assert driver.state.face(CODES["B1"]).attack == 2


def test_bh_1_3_stacking():
    state = table({"B1": "0203", "B2": "0204", "B3": "0204"}).state
    assert [state.room(cell) for cell in (202, 203, 204)] == [True, True, False]
    driver = table({"B1": "0203", "B2": "0204", "B3": "0204"})
    assert "0204" not in reaches(driver, "B1")
    assert rule_of(driver, "move B1 0204") == "BH-4.3"
    assert "0205" in reaches(driver, "B1")  # through friends


def test_bh_2_1_before_the_first_turn():
    driver = Driver(game, chance=Chance("1"))
    assert isinstance(driver.need, Orders)
    assert driver.need.secret
    assert driver.asked == ("blue", "red")
    driver = started()
    assert len(driver.state.hand("blue")) == len(driver.state.hand("red")) == 4
    assert driver.state.turn == 1
    for side, enemy in (("blue", "red"), ("red", "blue")):
        assert set(driver.state.hand(side)) <= set(driver.own(side))  # each knows the own cards, and no others
        assert not set(driver.state.hand(enemy)) & set(driver.own(side))


def test_bh_2_2_order_of_the_turn():
    driver = started()
    assert driver.machine.decision.name == "posture"
    driver.order("blue", "posture attack").order("red", "posture hold")
    assert driver.asked == ("blue",)
    driver.order("blue", "done")
    if driver.machine.decision.name == "declare":
        driver.order("blue", "done")
    assert driver.asked == ("red",)
    driver.order("red", "done")
    if driver.machine.decision.name == "declare":
        driver.order("red", "done")
    assert driver.state.turn == 2
    assert driver.machine.decision.name == "march"  # no dawn in turn 2
    assert started("counterstroke").order("blue", "posture rest").order("red", "posture rest").asked == ("red",)


def test_bh_2_3_order_of_the_half_turn():
    driver = table({"B1": "0303", "R1": "0403", "B11": RESERVE}, step=Refill, entries={"blue": 101})
    kinds = [event.kind for event in driver.events()]
    assert kinds == ["drew", "arrived"]  # and everybody is in supply
    assert driver.machine.decision.name == "march"
    driver.order("blue", "done")
    assert driver.machine.decision.name == "declare"
    assert rule_of(driver, "done") == ""
    with pytest.raises(IllegalOrderError):
        driver.order("blue", "move B1 0302")


def test_bh_3_1_secret_entry():
    driver = Driver(game, chance=Chance("1"))
    assert rule_of(driver, "reserve 0102", "blue") == "BH-3.1"
    assert where(driver, "B11") == where(driver, "B12") == "9001/2"  # there the reserve waits
    assert where(driver, "R11") == where(driver, "R12") == "9002/2"
    driver.order("blue", "reserve 0107")
    driver.order("red", "reserve 0901")
    assert dict(driver.state.reserves.items()) == {"blue": "reserve/blue/1", "red": "reserve/red/1"}
    assert "0107" not in str(driver.machine.dump())
    assert not driver.state.entries


def test_bh_3_2_arrival():
    driver = table({"B1": "0303", "R1": "0503", "B11": RESERVE, "B12": RESERVE}, step=Refill, turn=1)
    assert where(driver, "B11") == "9001/2"  # too early
    driver = table({"B1": "0303", "R1": "0503", "B11": RESERVE, "B12": RESERVE}, step=Refill)
    assert where(driver, "B11") == "0101/2"
    driver = table({"B1": "0303", "R1": "0503", "B11": RESERVE, "B12": RESERVE}, step=Refill, entries={"blue": 104})
    assert where(driver, "B11") == where(driver, "B12") == "0104/2"
    assert "0204" in reaches(driver, "B11")  # they may move at once


def test_bh_3_2_a_sealed_entry_must_be_one_of_the_three():
    driver = Driver(game, chance=Chance("1"))
    step = ShowEntry()
    state = driver.state
    frame = type("F", (), {"side": "blue"})()
    assert step.check(state, frame, "reserve/blue/1", Enter(102)) is not None
    assert step.check(state, frame, "reserve/blue/1", Enter(104)) is None
    assert step.check(state, frame, "reserve/blue/1", Finish()).rule == "BH-3.1"


def test_bh_3_2_the_turn_of_the_scenario():
    driver = started()
    driver.order("blue", "posture rest").order("red", "posture rest")
    shown = {}
    while driver.state.turn < 4:
        driver.order(driver.asked[0], "done")
        for event in driver.events(e.ReserveShown):
            shown[event.side] = (driver.state.turn, event.hex)
    assert shown == {"blue": (2, 104), "red": (3, 904)}
    assert not isinstance(driver.need, Openings)


def test_bh_3_3_blocked_entry():
    units = {"B11": RESERVE, "B12": RESERVE, "R1": "0107", "B1": "0101"}
    driver = table(units, step=Refill, entries={"blue": 107})
    # 0107 is the enemy's: from the top of the list, 0101 has room for one, 0104 takes the other.
    assert where(driver, "B11") == "0101/2"
    assert where(driver, "B12") == "0104/2"
    barred = {"B11": RESERVE, "R1": "0101", "R2": "0104", "R3": "0107", "B1": "0303"}
    driver = table(barred, step=Refill, entries={"blue": 101})
    assert where(driver, "B11") == "9001/2"
    assert [event.unit for event in driver.events(e.Waits)] == ["B11"]


def test_bh_3_4_dawn():
    driver = started()
    assert driver.need.sealed
    driver.order("blue", "posture rest")
    assert driver.asked == ("red",)
    assert not driver.state.postures
    driver.order("red", "posture hold")
    assert dict(driver.state.postures.items()) == {"blue": "rest", "red": "hold"}
    assert [(event.blue, event.red) for event in driver.events(e.Postures)] == [("rest", "hold")]


@pytest.mark.parametrize(("posture", "shift"), [("attack", 1), ("hold", -1), ("rest", 0)])
def test_bh_3_5_3_6_postures(posture, shift):
    for side in ("blue", "red"):
        units = {"B6": "0303", "B7": "0303", "R1": "0403"}
        driver = table(units, "blue", Declare, postures={side: posture})
        # 12 to 4 on woods: one column left of 3:1.
        assert odds(driver.state, 403, [CODES["B6"], CODES["B7"]]).column == 3 - 1 + shift


def test_bh_3_7_rest():
    units = {"B1": "0303", "R1": "0503"}
    assert len(table(units, step=Refill, postures={"blue": "rest"}).state.hand("blue")) == 2
    assert len(table(units, step=Refill, postures={"red": "rest"}).state.hand("blue")) == 1
