"""Five seats on areas: sealed answers, a joint decision, parallel answers, an off-map box."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.event import Out
from pbem.engine.machine import Machine
from pbem.engine.need import Orders
from pbem.engine.rows import Rows
from pbem.engine.testing import (
    Driver,
    IllegalOrderError,
    ScriptedChance,
    at_step,
    check_golden,
    check_perft,
    check_position,
    random_game,
)
from tests.engine.games.crowns import (
    GAME,
    ISLES,
    SEATS,
    Battle,
    Battles,
    Crowns,
    Fight,
    JointLoss,
    March,
    Moved,
    Year,
    owner,
)

HERE = Path(__file__).parent
HOME = {n: owner(n) for n in range(10)}


def in_battle(places: dict[int, str], army: int, die: int) -> Driver[Crowns]:
    state = Crowns(Rows(HOME | places))
    machine = at_step(GAME, state, (Year(), Battles, True), (Battle(army), Fight))
    return Driver(GAME, machine=machine, chance=ScriptedChance({f"y1/{state.armies[army]}/{army}": die}))


def test_all_plans_are_sealed_and_take_effect_together() -> None:
    machine = Machine.start(GAME, GAME.setup_of())
    assert machine.run(Out()) == Orders("plan", "plan/1", SEATS, sealed=True)
    driver = Driver(GAME)
    driver.order("fir", "march 8 hub").order("ash", "march 0 hub").order("cedar", "march 4 cedar").order(
        "elm", "march 6 elm"
    )
    assert driver.asked == ("birch",)
    assert driver.state.armies[8] == "fir"  # nothing happens before all are in
    driver.order("birch", "march 2 birch")
    moved = [event.army for event in driver.events(Moved) if isinstance(event, Moved)]
    assert moved[:5] == [0, 2, 4, 6, 8]  # in the order of seats, not of arrival


def test_defenders_who_agree_choose_the_loss() -> None:
    driver = in_battle({0: "hub", 2: "hub", 4: "hub"}, army=0, die=4)
    assert driver.asked == ("birch", "cedar")
    driver.order("cedar", "march 4 isles").order("birch", "march 4 isles")
    assert driver.state.armies[4] == ISLES
    assert driver.state.armies[2] == "hub"


def test_defenders_who_disagree_leave_it_to_the_attacker() -> None:
    driver = in_battle({0: "hub", 2: "hub", 4: "hub"}, army=0, die=6)
    driver.order("birch", "march 4 isles").order("cedar", "march 2 isles")
    assert driver.asked == ("ash",)
    assert str(driver.why_not("ash", "march 0 isles")) == "Name a defender, and the isles (3.2)"
    driver.order("ash", "march 2 isles")
    assert driver.state.armies[2] == ISLES


def test_an_only_defender_is_taken_without_asking() -> None:
    driver = in_battle({0: "hub", 2: "hub"}, army=0, die=4)
    assert driver.state.armies[2] == ISLES
    assert "event" in {line.what for line in driver.lines if line.text == "birch: march 2 isles (forced)"}


def test_a_beaten_attacker_goes_to_the_isles_and_lands_again() -> None:
    driver = in_battle({0: "hub", 2: "hub", 9: ISLES}, army=0, die=3)
    assert driver.state.armies[0] == ISLES
    need = driver.need
    assert isinstance(need, Orders)
    assert (need.kind, need.seats, need.sealed) == ("land", ("ash", "fir"), False)
    with pytest.raises(IllegalOrderError, match="Army 9 cannot go to hub"):
        driver.order("fir", "march 9 hub")
    driver.order("fir", "march 9 fir").order("ash", "march 0 isles")
    assert driver.state.armies[9] == "fir"
    assert driver.state.armies[0] == ISLES
    assert driver.asked == SEATS


def test_standing_orders_of_some_leave_the_others_to_be_asked() -> None:
    driver = Driver(GAME)
    for seat, text in (("ash", "then stay"), ("cedar", "then 4/hub, stay"), ("elm", "then default")):
        driver.stand(seat, "land", "then stay")
        driver.stand(seat, "plan", text)
    driver.stand("fir", "plan", "then 9/hub", sealed=True)
    for seat, army in zip(SEATS, range(0, 10, 2), strict=True):  # the first plans were asked for before
        driver.order(seat, March(army, owner(army)))
    assert driver.asked == ("birch", "fir")  # whose standing orders are sealed answers such a decision live (MEA-15)
    driver.order("fir", "march 9 hub")
    assert driver.asked == ("birch",)
    need = driver.need
    assert isinstance(need, Orders)
    assert need.seats == ("birch", "fir")
    check_position(driver)
    driver.order("birch", "march 2 birch")
    assert driver.state.armies[4] == "hub"
    assert driver.state.armies[9] == "hub" or driver.state.armies[9] == ISLES


@pytest.mark.parametrize("seed", range(6))
def test_random_games_keep_the_contract(seed: int, tmp_path: Path) -> None:
    def ten_armies(s: Crowns) -> None:
        assert len(s.armies) == 10

    driver = random_game(GAME, f"crowns-{seed}", complete=True, invariants=(ten_armies,), crashes=tmp_path)
    assert driver.machine.over is not None
    assert sum(score for _, score in driver.machine.over.scores) <= 10


def test_golden_play_through() -> None:
    check_golden(HERE / "golden" / "crowns.txt", random_game(GAME, "golden"))


def test_order_trees() -> None:
    check_perft(HERE / "golden" / "crowns-perft.json", GAME)


def test_positions_can_be_built() -> None:
    machine = at_step(GAME, Crowns(Rows({0: "hub", 2: "hub"})), (Year(), Battles, True), (Battle(0), JointLoss))
    assert machine.run(Out()) == Orders("land", "land/2", ("birch",))  # the only defender was taken
