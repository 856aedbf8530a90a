"""The bots: legal orders only, the same game every time, better than chance, in time."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from s42_positions import AXIS, SOVIET, number, position

from pbem.engine.need import Orders, Over
from pbem.engine.testing import Chance, Driver, random_game
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.bot import QUICK, SENSIBLE, StalingradBot
from pbem_rules.stalingrad42.bot.fight import Eye, pursuit
from pbem_rules.stalingrad42.bot.line import joined, posts_of_line
from pbem_rules.stalingrad42.bot.mind import Memory, Mind
from pbem_rules.stalingrad42.chart import SIDES
from pbem_rules.stalingrad42.combat.odds import attack
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import State, other
from pbem_rules.stalingrad42.victory import total
from tools import bots

LEVELS = {"quick": QUICK, "sensible": SENSIBLE}
TURN = 6.0  # seconds for the slowest turn of a side: a bound for slow machines, far above what it takes


def mind_of(s: State, side: str) -> Mind:
    return Mind(s, side, Memory(), SENSIBLE)


def played(seed: str, level: str, turns: int = 9) -> Driver[State]:
    driver, choices = Driver(game, chance=Chance(seed)), Chance(f"{seed}/choices")
    sides = {side: StalingradBot(LEVELS[level]) for side in SIDES}
    while isinstance(driver.need, Orders) and driver.state.turn < turns:
        seat = driver.asked[0]
        legal = driver.machine.legal(seat, driver.own(seat))
        driver.give(seat, sides[seat].choose(driver.view(seat), driver.need, seat, legal, choices))
    return driver


def test_the_same_game_every_time() -> None:
    first, second = played("same", "sensible", 4), played("same", "sensible", 4)
    assert first.orders == second.orders
    assert first.machine.digest() == second.machine.digest()


@pytest.mark.parametrize("level", LEVELS)
def test_it_plays_in_time_and_does_what_a_player_does(level: str) -> None:
    began = time.process_time()
    driver = played("time", level)
    assert isinstance(driver.need, Over)
    assert time.process_time() - began < 2 * 8 * TURN
    for side in SIDES:
        kinds = {order.kind for seat, order in driver.orders if seat == side}
        assert {"move", "tactical", "extended", "attack", "renew", "bring", "done"} <= kinds
    entries = [order for seat, order in driver.orders if seat == AXIS and order.kind == "attack"]
    assert any(entry.breaks for entry in entries)
    assert any(entry.guns for entry in entries)
    assert any(entry.air is not None for entry in entries)


@pytest.mark.parametrize("level", LEVELS)
def test_whole_games_where_everybody_is_asked(level: str) -> None:
    """The engine checks every order, and `random_game` what a bot may see."""
    sides = dict.fromkeys(SIDES, StalingradBot(LEVELS[level]))
    driver = random_game(game, "asked", options={"asked": "combats"}, bots=sides, every=200)
    assert isinstance(driver.need, Over)


@pytest.mark.parametrize("side", SIDES)
def test_the_sensible_bot_beats_the_random_one(side: str) -> None:
    result = bots.play(bots.Task("stalingrad42", None, "beat/1", side))
    assert result.winner == side


def test_it_counts_odds_as_the_rules_do() -> None:
    """Every attack that either side could make at the start, from where its units stand."""
    s = at_start(game.chart(game.data))
    for side in SIDES:
        eye = Eye(mind_of(s, side))
        pairs = 0
        for target in s.chart.board.in_mask(s.afield(other(side))):
            units = [unit for near in s.chart.board.near[target] for unit in s.of(side, near) if s.face(unit).attack]
            for many in {1, len(units)} if units else ():
                column, _ = eye.column(target, [(unit, s.at(unit)) for unit in units[:many]])
                assert column == attack(s, units[:many], target, other(side)).column
                pairs += 1
        assert pairs > 20


def test_a_line_leaves_no_gap() -> None:
    s = at_start(game.chart(game.data))
    for side in SIDES:
        posts = list(posts_of_line(mind_of(s, side)))
        assert len(posts) > 15
        assert all(b in joined(s.chart)[a] for a, b in pairwise(posts))
        assert not any(s.of(other(side), post) for post in posts)


def test_it_drives_on_through_a_weak_enemy_and_not_into_a_strong_one() -> None:
    """The goal lies just beyond the hex that was emptied."""
    panzers = [(code, 2922) for code in ("24Pz", "9Pz", "11Pz")]
    for codes, through in ((("6RD",), True), (("121RD", "45RD"), False)):
        s = position(*panzers, ("62RD", 3022), *((code, 3122) for code in codes))
        mind = mind_of(s, AXIS)
        mind.sent = dict.fromkeys((number(code) for code, _ in panzers), (3122, 100))
        way = pursuit(Eye(mind), [number(code) for code, _ in panzers], 3022)
        assert way[0] == 3022
        assert (3122 in way) is through


def test_the_soviets_hold_their_prizes_against_nobody_who_wants_them() -> None:
    sides = {AXIS: game.bots["random"], SOVIET: StalingradBot(SENSIBLE)}
    driver = random_game(game, "guard", bots=sides, every=10_000)
    assert total(driver.state) <= 2
