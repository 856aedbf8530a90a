"""Random games in which every choice of a battle is asked live: what must hold on the board of a battle."""

from __future__ import annotations

import pytest
from axis_battles import DECISIONS, board

from pbem.engine.bots import RandomBot
from pbem.engine.need import Orders
from pbem.engine.testing import Chance, Driver, check_position
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.battle_board import hits, payers, refuges
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.standing import FACTS
from pbem_rules.axis1941.units import AIR, LAND, POWERS, SIDE


def on_the_board(driver: Driver) -> None:
    s, f = driver.state, board(driver)
    ours, theirs = [s.units[n] for n in f.attackers], [s.units[n] for n in f.defenders]
    assert {unit.place for unit in (*ours, *theirs)} <= {f.place}
    assert {unit.power for unit in ours} <= {f.power}
    assert all(SIDE[unit.power] is not SIDE[f.power] for unit in theirs)
    kinds = {unit.kind for unit in (*ours, *theirs)}
    assert not kinds & LAND if is_zone(f.place) else kinds <= LAND | AIR
    assert all(unit.aboard == -1 for unit in ours)
    assert set(f.behind) <= {*f.attackers, *f.defenders}
    assert min(hits(f)) >= 0
    if driver.need.kind == "losses":
        assert any(hits(f))
        assert payers(f)
    if driver.need.kind == "retreat":
        assert not any(hits(f))
        assert refuges(s, f)
    for seat in driver.asked:
        step = driver.machine.decision
        assert set(step.facts(s, f, seat, {})) == set(FACTS)
        for order in step.answers(s, f, seat, {}).values():
            assert driver.check(seat, order) is None


def play(seed: str, orders: int) -> int:
    """Battle decisions that were seen."""
    choices, probes, bot = Chance(f"{seed}/choices"), Chance(f"{seed}/probes"), RandomBot()
    driver = Driver(game, chance=Chance(seed))
    for power in POWERS:
        for decision in DECISIONS:
            driver.stand(power, decision, "ask")
    seen = 0
    while isinstance(driver.need, Orders) and len(driver.orders) < orders:
        if driver.need.kind in DECISIONS:
            seen += 1
            on_the_board(driver)
            if seen % 7 == 0:
                check_position(driver, choices=probes, complete=True)
        seat = driver.asked[0]
        driver.give(seat, bot.choose(driver.view(seat), driver.need, seat, driver.machine.legal(seat, {}), choices))
    return seen


def test_live_battles_in_random_games() -> None:
    assert play("live", 1_500) > 50


@pytest.mark.slow
def test_many_live_battles(some) -> None:  # type: ignore[no-untyped-def]
    for number in some(range(10), 10):
        assert play(f"many/{number}", 5_000) > 50  # a game may end early
