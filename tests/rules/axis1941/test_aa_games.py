"""Whole games by random legal orders: what must hold at every order and at the beginning of every turn."""

from __future__ import annotations

import pytest
from axis_invariants import Books, always, at_rest

from pbem.engine.bots import RandomBot
from pbem.engine.need import Orders, Over
from pbem.engine.testing import Chance, Driver, random_game
from pbem_rules.axis1941 import game

ROUNDS = 20


def play(seed: str, rounds: int = ROUNDS, scenario: str = "printed", **options: str) -> Driver:
    choices, bot = Chance(f"{seed}/choices"), RandomBot()
    driver = Driver(game, scenario, options, chance=Chance(seed))
    books, turn = Books(driver.state), (0, "")
    while isinstance(driver.need, Orders) and driver.state.round <= rounds:
        state = driver.state
        always(state)
        books.take(driver.events())
        if (state.round, state.active) != turn:
            turn = (state.round, state.active)
            at_rest(state)
            books.check(state)
        seat = driver.asked[0]
        driver.give(seat, bot.choose(driver.view(seat), driver.need, seat, driver.machine.legal(seat, {}), choices))
    always(driver.state)
    return driver


def ends_well(driver: Driver) -> None:
    if isinstance(driver.need, Over):
        assert driver.need.result.winner in ("axis", "allies")
    else:
        assert driver.state.round > ROUNDS


@pytest.mark.parametrize("seed", ["0", "2"])
def test_random_games(seed):
    ends_well(play(seed))


def test_a_random_game_of_the_other_options():
    ends_well(play("e", scenario="errata", straits="open", victory="short"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [str(number) for number in range(500)])
def test_many_random_games(seed):
    odd = int(seed) % 2
    ends_well(
        play(
            f"many/{seed}",
            scenario="errata" if odd else "printed",
            straits="open" if int(seed) % 3 == 0 else "closed",
            victory="short" if int(seed) % 5 == 0 else "standard",
        )
    )


@pytest.mark.parametrize("seed", ["x", "y"])
def test_the_contract_of_the_engine(seed):
    random_game(game, seed, orders=150, every=3, sample=40, complete=True, invariants=(always,))
