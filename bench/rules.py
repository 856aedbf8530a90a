"""Bridgehead's rules alone against python-chess."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import chess

from bench.timing import Ratio, compare_measured
from pbem.engine.bots import RandomBot
from pbem.engine.definition import Game as Module
from pbem.engine.definition import Setup
from pbem.engine.event import Out
from pbem.engine.machine import Machine
from pbem.engine.need import NOTHING_KNOWN, Known, Orders
from pbem.engine.order import Order, Sealed, Violation
from pbem.engine.registry import find
from pbem.engine.testing import Chance, Driver

Feed = Callable[[Machine[Any], Out], None]


class Recording(Machine[Any]):
    """A machine that notes what it is fed, so that another can be fed the same."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.feeds: list[Feed] = []
        self.orders = 0
        self.proofs: dict[str, Known] = {}

    def check(self, seat: str, order: Order, proof: Known = NOTHING_KNOWN) -> Violation | None:
        self.proofs[seat] = {slot: proof[slot] for slot in self.opens(seat, order) if slot in proof}
        return super().check(seat, order, proof)

    def answer(self, answers: Mapping[str, Order], out: Out) -> None:
        pack = self.game.orders.pack
        rows = [
            (seat, order if isinstance(order, Sealed) else pack(order), self.proofs.get(seat, NOTHING_KNOWN))
            for seat, order in answers.items()
        ]
        self.proofs = {}
        self.feeds.append(lambda machine, out: _answer(machine, rows, out))
        self.orders += len(rows)
        super().answer(answers, out)

    def feed(self, got: Mapping[str, Any], out: Out) -> None:
        self.feeds.append(lambda machine, out: machine.feed(got, out))
        super().feed(got, out)


def _answer(machine: Machine[Any], rows: list[tuple[str, Any, Known]], out: Out) -> None:
    answers: dict[str, Order] = {}
    for seat, raw, proof in rows:
        order = machine.game.orders.unpack(raw) if isinstance(raw, bytes) else raw
        if machine.check(seat, order, proof) is not None:
            raise AssertionError(f"{order} was legal when the game was played")
        answers[seat] = order
    machine.answer(answers, out)


@dataclass(frozen=True, slots=True)
class Game:
    feeds: list[Feed]
    orders: int


def played(seed: str) -> Game:
    game = find("bridgehead")
    machine = Recording.start(game, game.setup_of())
    assert isinstance(machine, Recording)
    driver = Driver(game, chance=Chance(seed), machine=machine)
    choices, bot = Chance(f"{seed}/choices"), RandomBot()
    while isinstance(driver.need, Orders):
        seat = driver.asked[0]
        legal = machine.legal(seat, driver.own(seat))
        driver.give(seat, bot.choose(driver.view(seat), driver.need, seat, legal, choices))
    return Game(machine.feeds, machine.orders)


def chess_moves(seed: int) -> list[str]:
    """A random game as UCI texts."""
    board, rng = chess.Board(), Random(seed)
    moves: list[str] = []
    while not board.is_game_over() and len(moves) < 200:
        move = rng.choice(list(board.legal_moves))
        moves.append(move.uci())
        board.push(move)
    return moves


@dataclass(frozen=True, slots=True)
class Speed:
    ratio: Ratio  # orders a second over chess moves a second
    orders: float  # a second
    moves: float


def rules(rounds: int = 15, games: int = 20) -> Speed:
    """Decode, check and apply every order (wanted: 0.3 of python-chess at least)."""
    game = find("bridgehead")
    return against_chess(game, game.setup_of(), [played(f"rules {number}") for number in range(games)], rounds)


def against_chess(game: Module[Any], setup: Setup, ours: Sequence[Game], rounds: int) -> Speed:
    """As many games of chess beside them."""
    theirs = [chess_moves(number) for number in range(len(ours))]
    ratio = compare_measured(lambda: replayed(game, setup, ours), lambda: pushed(theirs), rounds)
    return Speed(ratio, ratio.ours, ratio.theirs)


def replayed(game: Module[Any], setup: Setup, games: Sequence[Game]) -> float:
    """Orders a second; nobody listens to events."""
    gc.collect()
    begun = time.process_time()
    for each in games:
        machine, out = Machine.start(game, setup), Out(wanted=False)  # as in the verification
        for feed in each.feeds:
            machine.run(out)
            feed(machine, out)
    return sum(each.orders for each in games) / (time.process_time() - begun)


def pushed(games: Sequence[Sequence[str]]) -> float:
    """Moves of chess a second."""
    gc.collect()
    begun = time.process_time()
    for moves in games:
        board = chess.Board()
        for move in moves:
            board.push_uci(move)
    return sum(map(len, games)) / (time.process_time() - begun)
