"""Random games by players who hardly ever end a phase of their own accord: every corner of movement is reached."""

from __future__ import annotations

from dataclasses import fields

import pytest
from axis_invariants import always
from axis_positions import conceivable

from pbem.engine.testing import Chance, Driver, random_game
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.chart import ZONES
from pbem_rules.axis1941.combat_move import MOST_RECALLS
from pbem_rules.axis1941.orders import (
    Finish,
    Recall,
)


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


class Staller:
    """Ends a phase when nothing else is left to say, and would rather begin it anew."""

    def choose(self, view, need, seat, legal, choices):
        orders = list(legal)
        if Recall() in orders and choices.below(3):
            return Recall()
        if need.kind in ("combat", "noncombat"):
            orders = [order for order in orders if order not in (Finish(), Recall())] or orders
        return orders[choices.below(len(orders))]


@pytest.mark.parametrize(("seed", "scenario"), [("stall-1", "printed"), ("stall-2", "errata")])
def test_no_phase_goes_on_for_ever(seed, scenario):
    """Whatever is ordered uses something up: units, zones, battles, promises, or one of three recalls."""
    bot, choices = Staller(), Chance(f"{seed}/choices")
    driver = Driver(game, scenario, chance=Chance(seed))
    phase, count, recalls = None, 0, 0
    for _ in range(1_200):
        s, seat = driver.state, driver.asked[0]
        now = (s.round, s.active, driver.need.kind)
        if now != phase:
            phase, count = now, 0
        count += 1
        units = sum(1 for _ in s.of_power(s.active))
        most = (MOST_RECALLS + 1) * (3 * units + 2 * ZONES) if now[2] in ("combat", "noncombat") else 200
        assert count <= most, f"{now}: {count} orders"
        order = bot.choose(driver.view(seat), driver.need, seat, driver.machine.legal(seat, {}), choices)
        recalls += order == Recall()
        driver.give(seat, order)
    assert recalls > 5


@pytest.mark.parametrize(
    ("power", "phase", "turns"),
    [("japan", "combat", 1), ("usa", "noncombat", 1), ("germany", "noncombat", 2), ("usa", "combat", 3)],
)
def test_legal_lists_exactly_what_check_lets_pass(power, phase, turns):
    bots = {seat.name: Dawdler(40) for seat in game.seats}
    driver = Driver(game, chance=Chance("exactly"))
    choices = Chance("exactly/choices")
    for _ in range(4000):
        at = (driver.state.active, getattr(driver.need, "kind", "over"))
        seat = driver.asked[0]
        legal = driver.legal(seat)
        if at == (power, phase) and driver.state.round >= turns and len(legal) > 20 and probed(choices):
            break
        driver.give(seat, bots[seat].choose(driver.view(seat), driver.need, seat, legal, choices))
    else:
        pytest.fail("the position was never reached")
    listed = driver.legal(power)
    takes = driver.machine.decision.takes
    bare = [kind() for kind in takes if not fields(kind)]
    passed = {
        order
        for order in (*bare, *conceivable(driver.state))
        if isinstance(order, takes) and driver.check(power, order) is None
    }
    assert len(set(listed)) == len(listed)
    assert set(listed) == passed


def probed(choices):
    """Somewhere within the phase."""
    return not choices.below(6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(n, marks=pytest.mark.long) for n in range(2, 6))])
def test_dawdlers_at_length(seed):
    bots = {seat.name: Dawdler(10 + 40 * seed) for seat in game.seats}
    options = {"straits": "open" if seed % 2 else "closed"}
    random_game(
        game, f"long-{seed}", options=options, bots=bots, orders=2500, every=40, sample=500, complete=True,
        invariants=(always,),
    )  # fmt: skip
