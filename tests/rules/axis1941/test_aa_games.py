"""Whole games by random legal orders: what must hold at every order and at the beginning of every turn."""

from __future__ import annotations

from pathlib import Path

import pytest
from axis_invariants import Books, always, at_rest

from pbem.engine.bots import RandomBot
from pbem.engine.need import Orders, Over
from pbem.engine.testing import Chance, Driver, check_golden, check_perft, random_game
from pbem_rules.axis1941 import game

HERE = Path(__file__).parent
ROUNDS = 20


def play(seed: str, rounds: int = ROUNDS, scenario: str = "printed", **options: str) -> Driver:
    choices, bot = Chance(f"{seed}/choices"), RandomBot()
    driver = Driver(game, scenario, options, chance=Chance(seed))
    books, turn = Books(driver.state), (0, "")
    while isinstance(driver.need, Orders) and driver.state.round <= rounds:
        assert len(driver.orders) < 100_000
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


ROUND = (
    (
        "ussr",
        (
            "buy 2 infantry",
            "done",
            "move 3 infantry Archangel > West Russia",
            "move 3 infantry Russia > West Russia",
            "move tank Caucasus > West Russia",
            "move tank Russia > West Russia",
            "move fighter Russia > West Russia",
            "done",
            "home",
            "move submarine SZ4 > SZ3",
            "done",
            "place 2 infantry Russia",
        ),
    ),
    (
        "germany",
        (
            "buy submarine 2 infantry",
            "done",
            "move 4 infantry 2 tanks Eastern Europe > Karelia",
            "move fighter Southern Europe > Karelia",
            "load 2 infantry Southern Europe > transport 1",
            "move transport 1 SZ16 > SZ17",
            "land 2 infantry transport 1 > Egypt",
            "move tank North Africa > Egypt",
            "move fighter Western Europe > SZ8",
            "move fighter Germany > SZ8",
            "move bomber Germany > SZ8",
            "move submarine SZ9 > SZ8",
            "first Karelia",
            "done",
            "home",
            "done",
            "place submarine SZ5",
            "place 2 infantry Germany",
        ),
    ),
    (
        "uk",
        (
            "buy tank infantry",
            "done",
            "move destroyer SZ29 > SZ31",
            "move fighter India > SZ31",
            "done",
            "home",
            "load infantry Australia > transport 2",
            "move transport 2 SZ33 > SZ37",
            "land transport 2 > New Guinea",
            "done",
            "place infantry London",
            "place tank India",
        ),
    ),
    (
        "japan",
        (
            "buy transport",
            "done",
            "load infantry tank Japan > transport 1",
            "move transport 1 SZ45 > SZ38",
            "land tank infantry transport 1 > philippines",
            "move 2 infantry Manchuria > Northwestern China",
            "move fighter SZ45 > Philippines",
            "move bomber Japan > Philippines",
            "move fighter SZ46 > szechwan",
            "move 2 infantry Coastal China > Szechwan",
            "done",
            "home",
            "done",
            "place transport SZ45",
        ),
    ),
    (
        "usa",
        (
            "buy fighter tank",
            "done",
            "done",
            "load 2 infantry wus > transport 2",
            "done",
            "place fighter wus",
            "place tank eus",
        ),
    ),
)


def test_a_round_stays_the_same():
    """A whole round as text: whoever changes what happens sees it as a difference."""
    driver = Driver(game, chance=Chance("golden"))
    for power, lines in ROUND:
        assert driver.asked == (power,)
        driver.order(power, *lines)
    assert driver.state.round == 2
    check_golden(HERE / "golden_axis1941.txt", driver)


def test_the_number_of_ways_stays_the_same():
    check_perft(HERE / "perft.json", game)


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


@pytest.mark.long
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
