"""Each scenario can be looked at from its first moment on: as text, as a picture, by questions."""

from __future__ import annotations

import pytest

from pbem.engine.registry import find
from pbem.engine.testing import Chance, Driver
from pbem.engine.testing.inmemory import Table
from pbem.pictures.picture import board_svg
from pbem.pictures.replayhtml import Facts, replay_page
from pbem.pictures.replaysteps import Step, steps
from pbem_rules.stalingrad42.board import text_board
from pbem_rules.stalingrad42.chart import DATA, SIDES
from pbem_rules.stalingrad42.events import Stood, TurnBegan
from pbem_rules.stalingrad42.looking import looking
from pbem_rules.stalingrad42.scenarios import CAMPAIGN, all_units
from tests.bounded import attempts

GAME = find("stalingrad42")


@pytest.mark.parametrize("scenario", [each.name for each in GAME.scenarios])
def test_the_first_position_of_a_scenario_is_shown(scenario: str) -> None:
    driver = Driver(GAME, scenario, chance=Chance(scenario))
    view = driver.view(driver.asked[0])
    assert "victory points" in text_board(view)
    assert GAME.pictures is not None
    assert "<svg" in board_svg(GAME.pictures().scene(view, ()))
    assert "wins" in looking(view, "points").text
    assert looking(view, "rails").text


@pytest.mark.parametrize("scenario", [each.name for each in GAME.scenarios])
def test_the_replay_page_of_a_scenario_is_made(scenario: str) -> None:
    """As far as both sides have fought."""
    table = Table(GAME, 2, scenario=scenario, seed="page")
    bots = dict.fromkeys(range(2), GAME.bots["quick"])
    told: list[Step] = []
    for doubled in attempts(12, "one side has not fought"):
        if {luck.side for step in told for luck in step.luck} == set(SIDES):
            break
        for _ in range(20 << doubled):  # farther each time, since all of it is told anew
            table.step(bots)
        table.deliver()
        told = list(steps(table.peers[0].replay))
    assert "<svg" in replay_page(told, Facts(scenario, "Verified", sound=True, rows=()))


def test_whose_luck_a_defence_was_is_known_of_the_counters_of_all_scenarios() -> None:
    assert GAME.pictures is not None
    luck = GAME.pictures().dice.luck
    for unit in all_units(DATA):
        stood = Stood(unit=unit["code"], hex=2503, die=5, more=0, outcome="S", rule="S42-11")
        assert [each.side for each in luck(stood)] == [unit["side"]]


@pytest.mark.parametrize(
    ("turn", "month"), [(1, "July 1942"), (9, "August 1942"), (24, "October 1942"), (36, "December 1942")]
)
def test_the_replay_of_the_campaign_has_a_page_for_each_month(turn: int, month: str) -> None:
    assert GAME.pictures is not None
    chapter = GAME.pictures().chapter
    for scenario in GAME.scenarios:
        driver = Driver(GAME, scenario.name)
        view = driver.view(driver.asked[0])
        if scenario.name == CAMPAIGN:
            view.state.turn = turn
        assert chapter(view) == (month if scenario.name == CAMPAIGN else "")  # type: ignore[misc]
    told = list(steps(Table(GAME, 2, scenario=CAMPAIGN, seed="month").peers[0].replay))
    assert {step.chapter for step in told} == {"July 1942"}


@pytest.mark.parametrize(
    ("points", "said"), [(0, "0 victory points."), (1, "1 victory point."), (-1, "-1 victory points.")]
)
def test_points_are_counted_in_words(points: int, said: str) -> None:
    began = TurnBegan(turn=3, date="6 Jul-9 Jul", points=points, rule="S42-3.0")
    assert began.words().endswith(f"The Axis has {said}")
