"""Whole games: the engine's contract at random positions, invariants, the same game under other hash seeds."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from noretreat_ledger import play

from pbem.engine.compiled import program
from pbem.engine.need import Over
from pbem.engine.registry import find
from pbem.engine.testing import Driver, at_step, check_golden, check_perft, random_game
from pbem.engine.testing.contract import Invariant
from pbem_rules.noretreat import game
from pbem_rules.noretreat.cards.base import CARDS
from pbem_rules.noretreat.chart import AXIS, SIDES, SOVIET, other
from pbem_rules.noretreat.frames import Campaign
from pbem_rules.noretreat.scoring import places_of, points
from pbem_rules.noretreat.setup import attach
from pbem_rules.noretreat.state import FIRST_BOX, OUT, RAIL, RAIL_ROOM, State
from pbem_rules.noretreat.turns import NextTurn

HERE = Path(__file__).parent
CRASHES = HERE / "crashes"
SCENARIOS = ("campaign", "barbarossa", "initiative", "berlin")
ALL_OPTIONS = {
    "detachments": True, "fortified_fronts": True, "local_support": True, "plain_weather": "always",
    "fast_reorganisation": True, "no_surrender": True, "joker": True, "reserves": True, "partisans": True,
}  # fmt: skip


def steps(s: State) -> None:
    """No unit has more steps than it can have, and every unit is in one place."""
    assert len(s.pieces) == len(s.chart.units)
    for unit, piece in s.pieces.items():
        assert 1 <= s.steps(unit) <= 2
        assert piece.place == OUT or piece.place > FIRST_BOX or piece.place in s.chart.board
        assert s.unit(unit).two_faced or s.steps(unit) == 1


def no_enemies_together(s: State) -> None:
    for place in s.ground.stacks:
        if OUT < place < FIRST_BOX:
            assert len({s.unit(unit).side for unit in s.ground.stacks[place]}) == 1
            assert s.chart.land & s.chart.board.bit[place]


def index_is_true(s: State) -> None:
    """What is kept beside the pieces is what would be made of them now."""
    kept = s.ground
    zones = [s.zone(side) for side in SIDES]
    attach(s, None)
    assert s.ground == kept
    assert [s.zone(side) for side in SIDES] == zones


def points_are_what_they_are(s: State) -> None:
    assert -6 <= s.event_vp <= 6
    assert points(s) == places_of(s, s.initiative) + s.event_vp
    for place in s.chart.points:
        there = s.ground.stacks[place]
        assert not there or s.holders[place] == s.unit(there[0]).side


def cards(s: State) -> None:
    """Every card is in one place."""
    if not s.deck.epoch:
        return
    held = [card for side in SIDES for card in s.hand(side)]
    assert len(set(held)) == len(held)
    hidden = [card for card in held if isinstance(card, str)]
    public = [*s.deck.discards, *s.deck.removed, *(card for card in held if isinstance(card, int))]
    assert len(set(public)) == len(public)
    assert set(public) <= set(CARDS)
    assert len(hidden) + s.deck.left + len(s.deck.thrown) + len(public) in (41, 44, 54)


def markers(s: State) -> None:
    assert all(s.on_map(unit) for unit in s.cut)
    assert all(s.on_map(unit) or s.at(unit) == RAIL for unit in s.tired)
    for side in SIDES:
        assert len(s.of(side, RAIL)) <= RAIL_ROOM
        assert (s.support.get(side) or 0) >= 0
    assert s.holders[s.chart.finland] in SIDES
    assert other(AXIS) == SOVIET


INVARIANTS: tuple[Invariant, ...] = (
    steps, no_enemies_together, index_is_true, points_are_what_they_are, cards, markers,
)  # fmt: skip


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_games(scenario, seed):
    driver = random_game(game, seed, scenario=scenario, every=12, sample=120, invariants=INVARIANTS, crashes=CRASHES)
    assert isinstance(driver.need, Over)
    assert driver.state.turn <= driver.state.plan.last


def test_random_games_with_all_options(seed):
    driver = random_game(game, seed, options=ALL_OPTIONS, every=25, sample=120, invariants=INVARIANTS, crashes=CRASHES)
    assert isinstance(driver.need, Over)


def test_random_games_in_which_everything_is_asked(monkeypatch):
    """Without the standing orders that every seat begins with, and with defenders who are asked in the middle."""
    for step in program(game).decisions.values():
        monkeypatch.setattr(type(step), "preset", False)
    options, asked = {"asked": "combats"}, set()
    for seed in range(12):
        driver = random_game(
            replace(game), str(seed), options=options, every=20, sample=120, invariants=INVARIANTS, crashes=CRASHES
        )
        assert isinstance(driver.need, Over)
        asked |= {line.text.split()[0] for line in driver.lines if line.what == "need"}
        if seed and {"counterattack", "loss", "retreat"} <= asked:
            return
    raise AssertionError(f"never asked in the middle of a battle: {asked}")


def kept(seed, level="random"):
    options = ALL_OPTIONS if seed % 2 else None
    scenario = SCENARIOS[seed // 2 % 4]
    return play(str(seed), scenario=scenario, options=options, level=level, invariants=INVARIANTS, crashes=CRASHES)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["random", "sensible"])
def test_books_kept_from_the_reports_agree(level, some):
    """After every order: units, steps, places, points, cards; and nobody sees what the other holds."""
    for number in some(range(8), 4):
        driver, tried = kept(number, level)
        assert isinstance(driver.need, Over)
        assert tried > 1


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 400))
def test_many_random_games(seed):
    driver, _ = kept(seed)
    assert isinstance(driver.need, Over)


def test_order_trees():
    check_perft(HERE / "perft.json", game)


def test_golden_play_through():
    """Barbarossa between two bots, so that cards, counterattacks and pursuits come up."""
    bots = dict.fromkeys(SIDES, game.bots["sensible"])
    driver = random_game(game, "golden", scenario="barbarossa", every=10_000, bots=bots)
    check_golden(HERE / "golden_barbarossa.txt", driver)


_REPLAY = """
from pbem.engine.testing import random_game
from pbem_rules.noretreat import game
for scenario in ("barbarossa", "berlin"):
    print(random_game(game, "hash", scenario=scenario, every=10_000).machine.digest().hex())
"""


def test_the_same_game_under_other_hash_seeds():
    outs = {
        subprocess.run(
            [sys.executable, "-c", _REPLAY],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "4242")
    }
    assert len(outs) == 1


def test_the_game_is_registered():
    assert find("noretreat") is game
    assert tuple(scenario.name for scenario in game.scenarios) == SCENARIOS
    assert game.decks == {"events": tuple(range(1, 55))}
    machine = at_step(game, Driver(game).state, (Campaign(), NextTurn))
    assert machine.state.turn == 1
