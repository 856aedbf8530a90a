"""Each scenario can be looked at from its first moment on: as text, as a picture, by questions."""

from __future__ import annotations

import pytest

from pbem.engine.registry import find
from pbem.engine.testing import Chance, Driver
from pbem.pictures.picture import board_svg
from pbem_rules.stalingrad42.board import text_board
from pbem_rules.stalingrad42.looking import looking

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
