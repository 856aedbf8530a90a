"""Random games by players who hardly ever end a phase of their own accord: every corner of movement is reached."""

from __future__ import annotations

import pytest
from axis_invariants import always

from pbem.engine.testing import random_game
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.orders import Finish


class Dawdler:
    """Says `done` one time in so many that it could."""

    def __init__(self, times):
        self.times = times

    def choose(self, view, need, seat, legal, choices):
        orders = list(legal)
        if len(orders) > 1 and Finish() in orders and choices.below(self.times):
            orders.remove(Finish())
        return orders[choices.below(len(orders))]


@pytest.mark.parametrize(("seed", "orders"), [("dawdle-1", 900), ("dawdle-2", 900)])
def test_every_phase_can_be_ended_and_legal_lists_what_check_lets_pass(seed, orders):
    bots = {seat.name: Dawdler(60) for seat in game.seats}
    driver = random_game(
        game, seed, bots=bots, orders=orders, every=30, sample=500, complete=True, invariants=(always,)
    )
    assert driver.state.round >= 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_dawdlers_at_length(seed):
    bots = {seat.name: Dawdler(10 + 40 * seed) for seat in game.seats}
    options = {"straits": "open" if seed % 2 else "closed"}
    random_game(
        game, f"long-{seed}", options=options, bots=bots, orders=2500, every=40, sample=500, complete=True,
        invariants=(always,),
    )  # fmt: skip
