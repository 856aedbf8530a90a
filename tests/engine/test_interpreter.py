"""One interpreter: orders taken as a batch do what the same orders do one by one, in games nobody has played before."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import pytest
from games.crowns import GAME as CROWNS
from games.duel import duel
from games.magpie import GAME as MAGPIE

from pbem.engine.bots import RandomBot
from pbem.engine.definition import Game
from pbem.engine.event import Out
from pbem.engine.machine import Batch, Machine
from pbem.engine.need import NOTHING_KNOWN, Known, Need, Orders
from pbem.engine.order import Order, Violation
from pbem.engine.registry import find, names
from pbem.engine.testing import Chance, Driver

ORDERS = 250
GAMES = [CROWNS, duel(3), MAGPIE, *map(find, names())]


class Noting(Machine[Any]):
    """Notes what it is fed: the name of the method and what was given; of answers the hidden values that they open."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.fed: list[tuple[str, Any]] = []
        self.known: dict[str, int | bytes] = {}

    def check(self, seat: str, order: Order, proof: Known = NOTHING_KNOWN) -> Violation | None:
        self.known.update({slot: proof[slot] for slot in self.opens(seat, order) if slot in proof})
        return super().check(seat, order, proof)

    def answer(self, answers: Mapping[str, Order], out: Out) -> None:
        self.fed.append(("answer", dict(answers)))
        super().answer(answers, out)

    def feed(self, got: Mapping[str, Any], out: Out) -> None:
        self.fed.append(("feed", got))
        super().feed(got, out)


def played(game: Game[Any], seed: str) -> Noting:
    """A machine with a random game behind it."""
    machine = Noting.start(game, game.setup_of())
    driver = Driver(game, chance=Chance(seed), machine=machine)
    choices, bot = Chance(f"{seed}/choices"), RandomBot()
    while isinstance(driver.need, Orders) and len(driver.orders) < ORDERS:
        seat = driver.asked[0]
        legal = machine.legal(seat, driver.own(seat))
        driver.give(seat, bot.choose(driver.view(seat), driver.need, seat, legal, choices))
    return machine


class Pair:
    """The same game on two machines; after each batch they must agree in all that can be seen of them."""

    def __init__(self, noted: Noting) -> None:
        self.fed, self.known = noted.fed, noted.known
        self.slow, self.fast = (Machine.start(noted.game, noted.game.setup_of()) for _ in range(2))
        self.outs = Out(), Out()
        self.at = self.batched = 0

    def run(self) -> Need:
        needs = self.slow.run(self.outs[0]), self.fast.run(self.outs[1])
        assert needs[0] == needs[1]
        assert self.outs[0].take() == self.outs[1].take()
        assert self.slow.digest() == self.fast.digest()
        assert self.slow.dump() == self.fast.dump()
        return needs[0]

    def orders(self) -> list[tuple[str, Order]]:
        """The answers of single seats that come next."""
        found = []
        for name, given in self.fed[self.at :]:
            if name != "answer" or len(given) != 1:
                break
            found += given.items()
        return found

    def go_on(self, chance: Chance) -> None:
        self.run()
        given = self.orders()[: 1 + chance.below(30)]
        batch = Batch([order for _, order in given], tuple({seat for seat, _ in given}), self.open)
        self.fast.run(self.outs[1], batch)
        for seat, order in given[: batch.at]:
            need = self.slow.run(self.outs[0])
            assert isinstance(need, Orders)
            assert self.slow.check(seat, order, self.known) is None
            self.slow.answer({seat: order}, self.outs[0])
        self.at += batch.at
        self.batched += batch.at
        self.run()
        if not batch.at:
            name, values = self.fed[self.at]
            for machine, out in zip((self.slow, self.fast), self.outs, strict=True):
                getattr(machine, name)(values, out)
            self.at += 1

    def open(self, slots: tuple[str, ...]) -> Known:
        return {slot: self.known[slot] for slot in slots}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_batch_does_what_single_answers_do(game: Game[Any]) -> None:
    seed = secrets.token_hex(8)
    pair = Pair(played(game, seed))
    chance = Chance(f"{seed}/batches")
    try:
        while pair.at < len(pair.fed):
            pair.go_on(chance)
        pair.run()
    except AssertionError as error:
        raise AssertionError(f"seed {seed}, after {pair.at} of what the machines are fed") from error
    assert pair.batched or game is CROWNS  # which asks several seats at once, and sealed
