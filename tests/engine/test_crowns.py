"""Five seats on areas."""

from __future__ import annotations

from pbem.engine.testing import random_game
from tests.engine.games.crowns import GAME


def test_a_random_game() -> None:
    for seed in range(5):
        driver = random_game(GAME, str(seed), complete=True)
        assert driver.machine.over is not None
