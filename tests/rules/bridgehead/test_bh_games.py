"""Whole games: the engine's contract at random positions, counts of order trees, a golden play-through, bots."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem.engine.bots import Bot, RandomBot
from pbem.engine.machine import Machine
from pbem.engine.need import Orders, Over
from pbem.engine.registry import find
from pbem.engine.testing import Chance, Driver, check_golden, check_perft, random_game
from pbem_rules.bridgehead import game
from pbem_rules.bridgehead.board import text_board
from pbem_rules.bridgehead.chart import BOX, SEATS, STACK
from pbem_rules.bridgehead.state import HAND, State, attach

HERE = Path(__file__).parent
SCENARIOS = ("crossing", "counterstroke")
CRASHES = HERE / "crashes"


def stacking(s: State) -> None:
    for place in s.ground.stacks:
        there = s.ground.stacks[place]
        assert place in BOX.values() or len(there) <= STACK
        assert len({s.chart.units[unit].side for unit in there}) == 1


def steps(s: State) -> None:
    for unit, piece in s.pieces.items():
        assert 0 <= piece.steps <= s.chart.units[unit].type.steps
        assert (piece.place == 0) == (piece.steps == 0)


def index_is_true(s: State) -> None:
    """What is kept beside the pieces is what would be made of them now."""
    kept = s.ground
    zones = [s.zone(side) for side in SEATS]
    attach(s, None)
    assert s.ground == kept
    assert [s.zone(side) for side in SEATS] == zones


def cards(s: State) -> None:
    """Every slot is in one place, and all sixteen cards are somewhere."""
    if not s.deck.epoch:
        return
    hands = [slot for side in SEATS for slot in s.hand(side)]
    slots = [*hands, *s.deck.thrown, *s.deck.top(s.deck.left)]
    assert len(set(slots)) == len(slots)
    assert len(slots) + len(s.deck.discards) == 16
    assert all(len(s.hand(side)) <= HAND for side in SEATS)


def towns(s: State) -> None:
    for town, holder in s.holders.items():
        assert s.side_at(town) in (None, holder)


INVARIANTS = (stacking, steps, index_is_true, cards, towns)


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_games(scenario, seed, some):
    for number in some(range(40), 20):
        driver = random_game(
            game, f"{seed}/{number}", scenario=scenario, sample=400, complete=True, invariants=INVARIANTS,
            crashes=CRASHES,
        )  # fmt: skip
        assert isinstance(driver.need, Over)
        assert driver.state.turn <= driver.state.plan.turns


def test_order_trees():
    check_perft(HERE / "perft.json", game)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_golden_play_through(scenario):
    """Bots play, so that cards, rallies and counterattacks come up."""
    bots = game.bots
    driver = random_game(game, "golden", scenario=scenario, every=10_000, bots=dict.fromkeys(SEATS, bots["sensible"]))
    check_golden(HERE / f"golden_{scenario}.txt", driver)


def play(scenario: str, seed: str, bots: Mapping[str, Bot[State]]) -> Driver[State]:
    driver = Driver(game, scenario, chance=Chance(seed))
    choices = Chance(f"{seed}/bots")
    while isinstance(driver.need, Orders):
        assert len(driver.orders) < 20_000
        seat = driver.asked[0]
        legal = driver.machine.legal(seat, driver.own(seat))
        driver.give(seat, bots[seat].choose(driver.view(seat), driver.need, seat, legal, choices))
    return driver


def wins(count: int) -> int:
    """Games that the sensible bot wins against the random one, changing sides and scenarios."""
    won = 0
    for number in range(count):
        mine = SEATS[number % 2]
        bots = {side: game.bots["sensible"] if side == mine else RandomBot() for side in SEATS}
        driver = play(SCENARIOS[number // 2 % 2], f"bots/{number}", bots)
        assert isinstance(driver.need, Over)
        won += driver.need.result.winner == mine
    return won


def test_the_sensible_bot_beats_the_random_one():
    assert wins(12) >= 11


@pytest.mark.long
def test_the_sensible_bot_beats_the_random_one_at_length():
    assert wins(60) >= 57


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_both_sides_can_win(scenario):
    """Between equals neither side is lost from the start."""
    bots = dict.fromkeys(SEATS, game.bots["sensible"])
    winners = [play(scenario, f"even/{number}", bots).need for number in range(12)]
    names = [need.result.winner for need in winners if isinstance(need, Over)]
    assert len(names) == 12
    assert min(names.count("blue"), names.count("red")) >= 2


_REPLAY = """
from pbem.engine.testing import random_game
from pbem_rules.bridgehead import game
for scenario in ("crossing", "counterstroke"):
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
        for seed in ("0", "1", "4242")
    }
    assert len(outs) == 1


def test_the_game_is_registered():
    assert find("bridgehead") is game
    assert {scenario.name for scenario in game.scenarios} == set(SCENARIOS)
    assert game.decks == {"events": tuple(range(16))}
    view = Machine.start(game, game.setup_of()).view()
    assert game.board(view) == text_board(view)
