"""Whole phases played at random: what is legal passes `check`, reads back from text, and leaves a sound position."""

from __future__ import annotations

import pytest
from s42_brawler import Brawler
from s42_game import GAME

from pbem.engine.need import Orders
from pbem.engine.testing import Driver, random_game
from pbem_rules.stalingrad42.chart import SIDES
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.movement.phase import crowded
from pbem_rules.stalingrad42.state import State, other


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


def remnants(s: State) -> None:
    """S42-10.4.3b: no more Remnants than there are counters."""
    assert all(s.remnants_left(kind) >= 0 for kind in s.chart.remnants)


class Ledger:
    """Every step that is lost or comes back is told, and stacking is right when attacks are listed (S42-4.4a)."""

    def __init__(self) -> None:
        self._steps: dict[int, int] = {}

    def __call__(self, d: Driver[State]) -> None:
        s = d.state
        told = {unit for event in d.events() for unit in (*getattr(event, "units", ()), getattr(event, "unit", ""))}
        for unit, piece in s.pieces.items():
            assert piece.steps == self._steps.get(unit, piece.steps) or s.code(unit) in told, s.code(unit)
            self._steps[unit] = piece.steps
        frame = d.view(*d.asked[:1]).frame
        if isinstance(d.need, Orders) and d.need.kind == "attacks" and isinstance(frame, PlayerTurn):
            assert frame.current or not crowded(s, frame.seat)


@pytest.mark.parametrize(("seed", "asked"), [("a", "no"), ("b", "combats")])
def test_random_combat(seed: str, asked: str) -> None:
    random_game(
        GAME,
        seed,
        options={"asked": asked},
        bots={side: Brawler() for side in SIDES},
        orders=150,
        every=25,
        sample=10,
        invariants=(apart, steps, remnants),
        probe=Ledger(),
    )
