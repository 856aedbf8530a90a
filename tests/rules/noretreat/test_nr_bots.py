"""The bots: legal, the same every time, the sensible one better than chance; whole games by mail, in few letters."""

from __future__ import annotations

import pytest
from noretreat_positions import table

from pbem.engine.compiled import program
from pbem.engine.need import Orders, Over
from pbem.engine.testing import Chance, Driver
from pbem.game import Out
from pbem_rules.noretreat import game
from pbem_rules.noretreat.bots import SensibleBot
from pbem_rules.noretreat.chart import AXIS, SIDES, SOVIET, other
from pbem_rules.noretreat.movement import March
from pbem_rules.noretreat.orders import Done
from pbem_rules.noretreat.state import State
from tools import bots
from tools.mails import Task, play


def played(seed: str, scenario: str) -> Driver[State]:
    driver, choices = Driver(game, scenario, chance=Chance(seed)), Chance(f"{seed}/choices")
    bots = {side: SensibleBot() for side in SIDES}
    while isinstance(driver.need, Orders):
        assert len(driver.orders) < 20_000
        seat = driver.asked[0]
        legal = driver.machine.legal(seat, driver.own(seat))
        driver.give(seat, bots[seat].choose(driver.view(seat), driver.need, seat, legal, choices))
    return driver


@pytest.mark.parametrize("scenario", ["barbarossa", "initiative"])
def test_the_same_game_every_time(scenario):
    first, second = played("same", scenario), played("same", scenario)
    assert first.orders == second.orders
    assert isinstance(first.need, Over)
    assert first.machine.digest() == second.machine.digest()


def test_it_fights_pays_plays_and_moves():
    driver = played("all", "campaign")
    kinds = {(seat, order.kind) for seat, order in driver.orders}
    answers = {tuple(line.text.split()[:2]) for line in driver.lines if line.what == "event"}
    for side in SIDES:
        assert {(side, kind) for kind in ("move", "target", "attack", "discard", "event", "place")} <= kinds
        assert (f"{side}:", "pursue") in answers  # by its default: nobody asks in the middle of a list


@pytest.mark.parametrize("number", range(4))
def test_the_sensible_bot_beats_the_random_one(number):
    result = bots.play(bots.Task("noretreat", None, f"beat/{number}", SIDES[number % 2]))
    assert result.winner == result.task.mine
    assert result.seconds < 60


@pytest.mark.long
@pytest.mark.parametrize("side", SIDES)
def test_the_sensible_bot_beats_the_random_one_at_length(side):
    results = [bots.play(bots.Task("noretreat", None, f"length/{number}", side)) for number in range(30)]
    assert bots.beaten(results, 0.85)[1]


def test_a_bot_knows_its_own_hand_only():
    """The same view, whatever the other side holds: the same order."""
    driver, choices = Driver(game, chance=Chance("views")), Chance("views/choices")
    bots = {side: SensibleBot() for side in SIDES}
    while isinstance(driver.need, Orders) and driver.state.turn < 3:
        seat = driver.asked[0]
        view = driver.view(seat)
        assert not any(slot in view.known for slot in driver.state.deck.hand(other(seat)))
        legal = driver.machine.legal(seat, driver.own(seat))
        driver.give(seat, bots[seat].choose(view, driver.need, seat, legal, choices))
    assert driver.state.turn == 3


@pytest.mark.slow
def test_a_whole_game_by_mail_in_few_letters(tmp_path, some):
    for mode in some(["strict", "umpire", "open"], 3):
        found = play(tmp_path / mode, Task("noretreat", mode, 2, "barbarossa"))
        assert not found.faults
        assert found.result
        assert found.turns == 10
        assert found.human <= 2 * found.turns


def test_standing_orders_of_the_bot_are_accepted():
    """Whatever it would answer in advance can be given for this game."""
    driver = played("standing", "barbarossa")
    for seat in SIDES:
        for kind, text, _ in SensibleBot().standing(driver.view(seat), seat):
            driver.machine.check_standing(seat, kind, game.policy(kind, text))


def test_the_bot_stops_nobody_at_the_end_of_a_phase():
    """Its sealed answers wait where the dice or cards stop the player anyhow; one for `phase_window` would not."""
    for more, kind in ((), "targets"), ((("phase_window", "then pass", True),), "phase_window"):
        d = table({"4": "2109", "NW": "2209"}, March, soviet=(4, 30))
        for each, policy in program(game).preset.items():
            d.stand(SOVIET, each, str(policy))
        for each, text, sealed in (*SensibleBot().standing(d.view(SOVIET), SOVIET), *more):
            d.stand(SOVIET, each, text, sealed=sealed)
        d.machine.answer({AXIS: Done()}, Out())
        assert d.machine.run(Out()).kind == kind
