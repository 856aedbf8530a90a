"""The first turn as it was once ordered, how many orders there are, and the turn that the README lets one follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.engine.registry import find
from pbem.engine.testing import Chance, Driver, check_golden, check_perft
from pbem.game import Reckoning
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.chart import AXIS, SOVIET
from pbem_rules.stalingrad42.scenarios import BLAU, URANUS
from pbem_rules.stalingrad42.state import State, other

HERE = Path(__file__).parent


def test_golden_play_through() -> None:
    """Turn 1, as bots once ordered it: what they think now does not matter."""
    path = HERE / "golden_standard.txt"
    driver: Driver[State] = Driver(game, chance=Chance("golden"))
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("order "):
            seat, _, text = line.removeprefix("order ").strip().partition(": ")
            driver.order(seat, text)
    assert driver.state.turn == 2
    check_golden(path, driver)


def test_order_trees() -> None:
    check_perft(HERE / "perft.json", game)


@pytest.mark.parametrize(
    ("scenario", "after", "side"), [(BLAU, "## A first turn", AXIS), (URANUS, "### The first turn of Uranus", SOVIET)]
)
def test_the_first_turns_of_the_readme_can_be_followed(scenario: str, after: str, side: str) -> None:
    page = (Path(__file__).resolve().parents[3] / "rules/pbem_rules/stalingrad42/README.md").read_text(encoding="utf-8")
    block = page.partition(after)[2].split("```")[1]
    driver: Driver[State] = Driver(game, scenario, chance=Chance("readme"))
    assert driver.asked == (side,)
    for line in block.strip().splitlines():
        text = line.partition("  ")[0]
        if text.startswith("odds "):
            found = game.odds(driver.view(side), text.removeprefix("odds "))  # type: ignore[misc]
            assert isinstance(found, Reckoning)
            assert "If they hold (they stand wherever the rules allow it): " in found.text
        else:
            driver.order(side, text)
    assert driver.asked == (other(side),)


def test_the_game_is_registered() -> None:
    assert find("stalingrad42") is game
    assert [seat.name for seat in game.seats] == [AXIS, SOVIET]
