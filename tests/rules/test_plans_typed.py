"""What nobody can mean is refused when a plan is typed, in every game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.engine.notation import NotationError
from pbem.engine.registry import find
from pbem.engine.testing import Driver


@pytest.mark.parametrize(
    ("game", "seat", "wrong", "right"),
    [
        ("axis1941", "germany", "move carrier 9 sz5 > sz6", "home"),
        ("axis1941", "germany", "load infantry Germany > uk transport 44", "load infantry Germany > transport 1"),
        ("axis1941", "germany", "move tank Atlantis > Germany", "home"),
        ("bridgehead", "blue", "advance B3 9999", "advance B3 0504"),
        ("bridgehead", "blue", "attack 0506 from 0405 9999", "attack 0506 from 0405"),
        ("bridgehead", "blue", "advance B99 0504", "halt"),
        ("noretreat", "axis", "pursue 3Pz 9999", "pursue 3Pz 1408"),
        ("noretreat", "axis", "move 3Pz 1408-9999", "move 3Pz 1408"),
        ("noretreat", "axis", "pursue 77Pz 1408", "pass"),
    ],
)
def test_names_that_do_not_exist_are_not_planned(game, seat, wrong, right):
    driver = Driver(find(game))
    context = replace(driver.context(driver.asked[0]), seat=seat, planning=True)
    with pytest.raises(NotationError):
        driver.game.notation.parse(wrong, context)
    assert driver.game.notation.parse(right, context)
