"""Five seats on areas."""

from __future__ import annotations

import pytest
from tests.engine.games.crowns import GAME, ISLES, SEATS, Battle, Crowns, Fight, Battles, March, Year

from pbem.engine.need import Orders
from pbem.engine.rows import Rows
from pbem.engine.testing import Driver, ScriptedChance, at_step, random_game


def test_a_random_game() -> None:
    for seed in range(5):
        driver = random_game(GAME, str(seed), complete=True)
        assert driver.machine.over is not None
