"""The bots: legal orders only, the same game every time, better than chance, in time."""

from __future__ import annotations

import time
from functools import lru_cache

import pytest
from sg_positions import number, position

from pbem.engine.need import Orders, Over
from pbem.engine.testing import Chance, Driver, random_game
from pbem_rules.stargard import game
from pbem_rules.stargard.bot_fight import Eye
from pbem_rules.stargard.bot_mind import Memory, Mind
from pbem_rules.stargard.bots import QUICK, SENSIBLE, StargardBot, listed
from pbem_rules.stargard.chart import GERMAN, SIDES, SOVIET
from pbem_rules.stargard.orders import Enter
from pbem_rules.stargard.state import VOLKSSTURM_BOX, State
from pbem_rules.stargard.victory import score
from pbem_rules.stargard.volkssturm import towns
from tools import bots
from tools.mails import Task as Mailed
from tools.mails import play

LEVELS = {"quick": QUICK, "sensible": SENSIBLE}
ALL_OPTIONS = {
    "asked": "combats", "stavka_orders": True, "long_game": True, "transfer": True, "held_corps": True,
    "second_143": True,
}  # fmt: skip


@lru_cache
def played(level: str, again: int = 0) -> tuple[Driver[State], float]:
    """The game and the seconds that it took, the same `again`."""
    began = time.process_time()
    driver, choices = Driver(game, chance=Chance("bots")), Chance("bots/choices")
    sides = {side: StargardBot(LEVELS[level]) for side in SIDES}
    while isinstance(driver.need, Orders):
        assert len(driver.orders) < 20_000
        seat = driver.asked[0]
        legal = driver.machine.legal(seat, driver.own(seat))
        driver.give(seat, sides[seat].choose(driver.view(seat), driver.need, seat, legal, choices))
    return driver, time.process_time() - began


def test_the_same_game_every_time():
    (first, _), (second, _) = played("sensible"), played("sensible", 1)
    assert first.orders == second.orders
    assert isinstance(first.need, Over)
    assert first.machine.digest() == second.machine.digest()


@pytest.mark.parametrize("level", LEVELS)
def test_in_time(level):
    """A bound on the whole game: some twenty turns of a side, each far below what a turn may cost."""
    driver, seconds = played(level)
    assert isinstance(driver.need, Over)
    assert seconds < 10


def test_a_last_volkssturm_comes_out_of_its_box():
    s = position(("3SSPz-HQ", 1512), ("61-HQ", 2906))
    s.put(number("Pommern"), VOLKSSTURM_BOX)
    orders = [Enter(number("Pommern"), place) for place in towns(s)]
    assert listed(Mind(s, GERMAN, Memory(), SENSIBLE), orders) in orders


def test_it_moves_fights_and_leads():
    driver, _ = played("sensible")
    for side in SIDES:
        orders = [order for seat, order in driver.orders if seat == side]
        assert {"move", "attack", "done"} <= {order.kind for order in orders}
        moved = {order.unit for order in orders if order.kind == "move"}
        assert any(map(driver.state.is_hq, moved))
        assert any(order.air or order.power for order in orders if order.kind == "attack")


@pytest.mark.parametrize("level", LEVELS)
def test_whole_games_with_all_options(level, seed):
    """The engine checks every order, and `random_game` what a bot may see."""
    driver = random_game(
        game, seed, options=ALL_OPTIONS, bots=dict.fromkeys(SIDES, StargardBot(LEVELS[level])), every=200
    )
    assert isinstance(driver.need, Over)


@pytest.mark.parametrize("number", range(4))
def test_the_sensible_bot_beats_the_random_one(number):
    result = bots.play(bots.Task("stargard", None, f"beat/{number}", SIDES[number % 2]))
    if result.task.mine == GERMAN:
        assert result.winner == GERMAN
    else:
        assert result.winner == SOVIET or result.scores[SOVIET] > 25  # that may be a draw


@pytest.mark.long
@pytest.mark.parametrize("side", SIDES)
def test_the_sensible_bot_beats_the_random_one_at_length(side):
    results = [bots.play(bots.Task("stargard", None, f"length/{number}", side)) for number in range(30)]
    assert bots.beaten(results, 0.75)[1]


def test_a_chit_costs_one_mail(tmp_path):
    """Moves and attacks of an activation go in one mail, and nobody answers for the defence."""
    found = play(tmp_path, Mailed("stargard", "strict", 2, turns=12, level="quick"))
    assert not found.faults
    assert found.human <= found.turns + 3


def test_it_raids_through_an_empty_town():
    """Through Nörenberg and on from there in one move, since both pay."""
    s = position(("95T/9T", 2913), ("3Sh-HQ", 2811), ("44Pz/233", 1730), turn=5)
    mind = Mind(s, SOVIET, Memory(), SENSIBLE)
    way = mind.raid(number("95T/9T"))
    assert len(way) == 2
    assert s.holders[way[0]] == GERMAN


def test_it_uses_air_units_against_what_counts_if_they_are_needed():
    """SG-13: without them the attack on the city would be worth nothing, with them it is made."""
    units = [("95T/9T", 816), ("23T/9T", 816), ("108T/9T", 715), ("8MR/9T", 715)]
    mind = Mind(position(("23/11SS", 716), *units, turn=7), SOVIET, Memory(), SENSIBLE)
    ready = [number(code) for code, _ in units]
    assert Eye(mind).best_on(716, (), ready, 2) is None
    assert Eye(mind, 4).best_on(716, (), ready, 2) is not None


def test_it_guards_what_counts():
    """Against nobody who wants anything, the Germans lose few of their markers, of 56 points."""
    driver = random_game(game, "guard", bots={GERMAN: StargardBot(SENSIBLE), SOVIET: game.bots["random"]}, every=10_000)
    assert score(driver.state) < 10
