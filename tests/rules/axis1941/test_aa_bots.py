"""Players made of code: what they order is legal, in time, the same again, and better than chance."""

from __future__ import annotations

import time

import pytest

from pbem.engine.bots import Planner
from pbem.engine.need import Orders
from pbem.engine.testing import Chance, Driver
from pbem.engine.testing.inmemory import Table
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.bot_mind import chance, force_of
from pbem_rules.axis1941.hits import guns_of
from pbem_rules.axis1941.odds import Fight, odds
from pbem_rules.axis1941.units import SIDE, Kind, Power, Side, Unit
from tools import bots

SENSIBLE, RANDOM = game.bots["sensible"], game.bots["random"]
ROUNDS = 80  # by then it has won or it has not
SIDES = {"ussr": 0, "uk": 0, "usa": 0, "germany": 1, "japan": 1}


def play(seed: str, level, rounds: int = ROUNDS) -> Driver:
    driver, choices = Driver(game, chance=Chance(seed)), Chance(f"{seed}/bots")
    while isinstance(driver.need, Orders) and driver.state.round <= rounds:
        assert len(driver.orders) < 100_000
        seat = driver.asked[0]
        bot = level[SIDE[Power(seat)]]
        legal = driver.machine.legal(seat, {})
        driver.give(seat, bot.choose(driver.view(seat), driver.need, seat, legal, choices))
    return driver


@pytest.mark.parametrize("mine", Side)
def test_the_sensible_bot_beats_the_random_one(mine):
    results = [bots.play(bots.Task("axis1941", None, f"short/{number}", mine)) for number in range(5)]
    assert sum(each.winner == mine for each in results) >= 4


def test_the_same_dice_and_choices_make_the_same_game():
    bots = {Side.AXIS: SENSIBLE, Side.ALLIES: RANDOM}
    one, two = play("same", bots, 3), play("same", bots, 3)
    assert one.machine.digest() == two.machine.digest()
    assert one.orders == two.orders


def test_a_turn_takes_less_than_a_second():
    driver, choices = Driver(game, chance=Chance("time")), Chance("time/bots")
    spent: dict[tuple[int, str], float] = {}
    while isinstance(driver.need, Orders) and driver.state.round <= 12:
        seat = driver.asked[0]
        begun = time.process_time()
        order = SENSIBLE.choose(driver.view(seat), driver.need, seat, driver.machine.legal(seat, {}), choices)
        turn = (driver.state.round, seat)
        spent[turn] = spent.get(turn, 0.0) + time.process_time() - begun
        driver.give(seat, order)
    assert max(spent.values()) < 1.0


def test_the_bot_can_stop_in_the_middle_and_begin_anew():
    """What it has thought out is no memory that it needs."""
    driver, choices = Driver(game, chance=Chance("anew")), Chance("anew/bots")
    while driver.state.round <= 2:
        seat = driver.asked[0]
        fresh = type(SENSIBLE)()
        driver.give(seat, fresh.choose(driver.view(seat), driver.need, seat, driver.machine.legal(seat, {}), choices))


@pytest.mark.parametrize(("mode", "players", "seats"), [("strict", 2, SIDES), ("umpire", 5, None)])
def test_every_turn_is_one_record_of_a_person_and_one_of_a_program_at_most(mode, players, seats):
    table = Table(game, players, mode=mode, umpire=mode == "umpire", seed="few", seats=seats)
    table.settle()
    table.records.clear()
    while (match := table.peers[0].match).machine.state.round <= 4:
        mover = next(number for number in range(players) if table.peers[number].match.asked(number))
        before, power = len(table.records), match.machine.state.active
        table.order(mover, table.choose(mover, SENSIBLE))
        table.settle()
        kinds = [record.kind for record in table.records[before:]]
        assert kinds in (["orders"], ["orders", "reveal"])
        assert table.peers[0].match.machine.state.active is not power
    assert table.agree()


def test_the_plan_reaches_the_end_of_the_turn_whatever_the_dice_say():
    assert isinstance(SENSIBLE, Planner)
    fought = 0
    for seed in range(12):
        table = Table(game, 2, seed=f"plan {seed}", seats=SIDES)
        table.settle()
        for number in (0, 1):
            orders = table.choose(number, SENSIBLE)
            table.order(number, orders)
            table.settle()
        match = table.peers[0].match
        assert match.asked(0) == ("uk",)
        fought += any(record.kind == "reveal" for record in table.records[-2:])
    assert fought >= 10


@pytest.mark.parametrize("kind", ["losses", "submarines", "retreat", "settle"])
def test_asked_in_a_battle_the_bot_does_what_the_standing_orders_would(kind):
    bots = dict.fromkeys(Side, SENSIBLE)
    driver, choices = Driver(game, chance=Chance("asked")), Chance("asked/bots")
    for power in Power:
        driver.stand(power, kind, "ask")
    while driver.state.round <= 2:
        seat = driver.asked[0]
        bot = bots[SIDE[Power(seat)]]
        driver.give(seat, bot.choose(driver.view(seat), driver.need, seat, driver.machine.legal(seat, {}), choices))
    assert driver.machine.digest() != play("asked", bots, 0).machine.digest()


def test_the_estimate_is_near_the_odds():
    guns = guns_of(tuple(Driver(game).state.chart.stats.values()))

    def units(text: str) -> list[Unit]:
        return [Unit(Power.UK, Kind(word), 0) for word in text.split()]

    for ours, theirs in (
        ("infantry", "infantry"),
        ("infantry infantry tank", "infantry infantry"),
        ("tank tank tank", "infantry infantry fighter"),
        ("infantry infantry infantry fighter bomber", "infantry infantry tank"),
        ("infantry infantry infantry infantry", "tank tank tank"),
    ):
        attackers, defenders = force_of(units(ours)), force_of(units(theirs))
        exact = odds(Fight(attackers, defenders, guns, sea=False, place=0, turn=1))
        assert abs(chance(attackers, defenders, guns) - exact.win) < 0.12, (ours, theirs, exact.win)
