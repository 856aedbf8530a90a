"""Whole phases played at random: what is legal passes `check`, reads back from text, and leaves a sound position."""

from __future__ import annotations

import pytest
from s42_game import GAME

from pbem.engine.testing import random_game
from pbem_rules.stalingrad42.state import SIDES, State, other


def apart(s: State) -> None:
    """S42-5.1d: no combat unit stands with enemies."""
    for side in SIDES:
        assert not s.fighters(side) & s.ground.occupied[other(side)]


def steps(s: State) -> None:
    """S42-10.3: a unit has from none to all of its steps, and none if it is not in play."""
    for unit, piece in s.pieces.items():
        assert 0 <= piece.steps <= s.counter(unit).steps
        assert piece.steps or not s.on_map(unit)


@pytest.mark.parametrize("seed", ["a", "b"])
def test_random_movement(seed: str) -> None:
    random_game(GAME, seed, orders=120, every=20, sample=10, invariants=(apart, steps))
