"""Axis & Allies 1941: its rules alone against the `diplomacy` engine of PyPI and python-chess, and its mails.

A game of bots is cut into records as players would seal them: the orders up to the next dice or the next player. The
replay decodes each record, checks and applies every order, and runs the battles with the dice that were rolled.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from statistics import median
from typing import Any

import diplomacy
import msgpack

from bench.accept import Accept, nothing_open, parts, taken
from bench.rules import chess_moves, pushed
from bench.size import Size, turn_file, zip_of
from bench.timing import Ratio, compare_measured
from bench.whole import Whole, of_table
from pbem.engine.event import Out
from pbem.engine.machine import Batch, Machine
from pbem.engine.need import Orders
from pbem.engine.order import Order
from pbem.engine.registry import find
from pbem.engine.testing import Chance, Driver
from pbem.engine.testing.inmemory import Table
from pbem.protocol.canonical import Plain
from pbem.protocol.record import Record
from pbem_rules.axis1941.orders import Move

GAME = "axis1941"
ROUNDS = 10
LATE = 24
SEATS = {"ussr": 0, "uk": 0, "usa": 0, "germany": 1, "japan": 1}


@dataclass(slots=True)
class Played:
    """A game as its machine was fed: records of packed orders, and dice."""

    feeds: list[tuple[str, list[Plain]] | Mapping[str, tuple[int, ...]]] = field(default_factory=list)
    orders: int = 0
    turns: list[tuple[str, list[Order]]] = field(default_factory=list)  # the orders of whole turns


class _Told(Machine[Any]):
    """Notes the dice."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.feeds: list[Any] = []

    def feed(self, got: Mapping[str, Any], out: Out) -> None:
        self.feeds.append(dict(got))
        super().feed(got, out)


def played(seed: str, rounds: int = ROUNDS, *, by_hand: bool = False) -> Played:
    """`by_hand`: without standing orders, so that every decision of a battle is an order in a record."""
    game = find(GAME)
    machine = _Told.start(game, game.setup_of())
    assert isinstance(machine, _Told)
    if by_hand:
        _lift_standing(machine)
    driver, bot, choices = Driver(game, chance=Chance(seed), machine=machine), game.bots["sensible"], Chance(seed)
    found = Played()
    batch: list[Order] = []
    seat, turn, thrown = "", (0, ""), 0

    def seal() -> None:
        if batch:
            found.feeds.append((seat, game.orders.write_all(batch)))
            batch.clear()

    while isinstance(driver.need, Orders) and driver.state.round <= rounds:
        asked = driver.asked[0]
        if asked != seat or len(machine.feeds) > thrown:
            seal()
            found.feeds += machine.feeds[thrown:]
            thrown, seat = len(machine.feeds), asked
        if (driver.state.round, asked) != turn:
            turn = (driver.state.round, asked)
            found.turns.append((asked, []))
        order = bot.choose(driver.view(asked), driver.need, asked, machine.legal(asked), choices)
        batch.append(order)
        found.turns[-1][1].append(order)
        found.orders += 1
        driver.give(asked, order)
    seal()
    return found


def _lift_standing(machine: Machine[Any]) -> None:
    for seat in machine.game.seats:
        for kind in machine.standing(seat.name):
            machine.set_standing(seat.name, kind, None)


def replay(found: Played, *, by_hand: bool = False) -> None:
    game = find(GAME)
    machine, out = Machine.start(game, game.setup_of()), Out(wanted=False)
    if by_hand:
        _lift_standing(machine)
    machine.run(out)
    jointly: dict[str, Order] = {}  # what some of several defenders have answered
    for feed in found.feeds:
        if isinstance(feed, tuple):
            seat, packed = feed
            orders = game.orders.read_all(packed)
            batch = Batch(orders, (seat,), nothing_open)
            machine.run(out, batch)
            while batch.left:
                _join(machine, seat, orders[batch.at], jointly, out)
                batch.at += 1
                machine.run(out, batch)
        else:
            machine.feed(feed, out)
        machine.run(out)
        out.take()


def _join(machine: Machine[Any], seat: str, order: Order, held: dict[str, Order], out: Out) -> None:
    """One of the answers to a decision that several seats are asked for."""
    need = machine.run(out)
    if not isinstance(need, Orders) or machine.check(seat, order) is not None:
        raise AssertionError("an order of the benchmark is not legal")
    held[seat] = order
    if len(held) == len(need.seats):
        machine.answer({each: held[each] for each in need.seats}, out)
        held.clear()


Phases = list[dict[str, list[str]]]


def diplomacy_game(seed: int, years: int = 10) -> Phases:
    """A random game: for each unit one of its possible orders."""
    rng, game = Random(seed), diplomacy.Game()
    phases: Phases = []
    while not game.is_game_done and len(phases) < 5 * years:
        possible = game.get_all_possible_orders()
        orders = {
            power: [rng.choice(possible[place]) for place in game.get_orderable_locations(power) if possible[place]]
            for power in game.powers
        }
        phases.append(orders)
        _process(game, orders)
    return phases


def _process(game: Any, orders: Mapping[str, Sequence[str]], *, read: bool = True) -> None:
    """`read` False: the texts are taken to be in the engine's own form, word for word, and are not read."""
    for power, texts in orders.items():
        game.set_orders(power, texts, expand=read)
    game.process()


@dataclass(frozen=True, slots=True)
class Speed:
    diplomacy: Ratio  # our orders a second over theirs
    unread: Ratio  # over theirs when they need not read the texts
    chess: Ratio
    by_hand: Ratio  # over theirs, without standing orders
    orders: float  # a second
    theirs: float
    theirs_unread: float
    moves: float


def rules(rounds: int = 9, games: int = 6) -> Speed:
    """Orders a second of the three, measured in turns (wanted: four times the diplomacy engine's).

    An order is what one record holds for one unit or one purchase. What standing orders and the rules answer in battles
    is worked out, checked and applied as well, and is not counted.
    """
    ours = [played(f"rules {number}") for number in range(games)]
    theirs = [diplomacy_game(number) for number in range(games)]
    moves = [chess_moves(number) for number in range(games)]
    told = [played(f"rules {number}", by_hand=True) for number in range(games)]
    orders = sum(len(texts) for phases in theirs for phase in phases for texts in phase.values())

    def axis(*, by_hand: bool = False) -> float:
        gc.collect()
        found = told if by_hand else ours
        begun = time.process_time()
        for each in found:
            replay(each, by_hand=by_hand)
        return sum(each.orders for each in found) / (time.process_time() - begun)

    def adjudicate(*, read: bool = True) -> float:
        gc.collect()
        begun = time.process_time()
        for phases in theirs:
            game = diplomacy.Game()
            for phase in phases:
                _process(game, phase, read=read)
        return orders / (time.process_time() - begun)

    one = compare_measured(axis, adjudicate, rounds)
    bare = compare_measured(axis, partial(adjudicate, read=False), rounds)
    two = compare_measured(axis, lambda: pushed(moves), rounds)
    hand = compare_measured(partial(axis, by_hand=True), adjudicate, rounds)
    return Speed(one, bare, two, hand, one.ours, one.theirs, bare.theirs, two.theirs)


def table_of(seed: str, rounds: int, mode: str = "strict") -> Table:
    """A game under the real protocol between two players made of code."""
    game = find(GAME)
    table = Table(game, 2, mode=mode, seed=seed, seats=SEATS)
    table.settle()
    while not table.peers[0].match.result and table.peers[0].match.machine.state.round <= rounds:
        step(table)
    return table


def step(table: Table) -> None:
    """One turn, with what the programs answer."""
    mover = next(number for number in (0, 1) if table.peers[number].match.asked(number))
    table.order(mover, table.choose(mover, table.game.bots["sensible"]))
    table.settle()


def verify() -> Whole:
    """A whole archived game, against signatures, rules and state hashes."""
    table = table_of("verify", ROUNDS)
    if not table.peers[0].match.result:
        table.send(0, "resign", {"seats": list(table.peers[0].match.genesis.seats_of(0))})
        table.settle()
    return of_table(table)


def accept(rounds: int = 15, *, late: bool = True) -> Accept:
    """For the orders record of one turn without dice.

    `late`: the turn of a large power, which moves everybody that it has; else an early one as a bot would order it.
    """
    table = _before(table_of("accept", LATE), "germany") if late else _before(table_of("accept", 3), "uk")
    mover = SEATS["germany" if late else "uk"]
    taker = table.peers[1 - mover].replay
    saved = msgpack.packb(taker.dump())
    record = table.order(mover, table.choose(mover, _Everybody() if late else _Quiet()))
    return parts(table.game, saved, record, taker.log.card_of(mover).sign, rounds)


class _Quiet:
    """Orders a turn of purchases and non-combat moves, that needs no dice."""

    def choose(self, view: Any, need: Orders, seat: str, legal: Any, rng: Any) -> Order:
        bot = find(GAME).bots["sensible"]
        if need.kind == "combat":
            first: Order = next(iter(legal))
            return first
        order: Order = bot.choose(view, need, seat, legal, rng)
        return order

    def plan(self, view: Any, seat: str, rng: Any) -> Sequence[Order]:
        return ()


class _Everybody(_Quiet):
    """The same, and everybody moves who can."""

    def choose(self, view: Any, need: Orders, seat: str, legal: Any, rng: Any) -> Order:
        if need.kind == "noncombat":
            move: Order | None = next((order for order in legal if isinstance(order, Move)), None)
            if move is not None:
                return move
        return super().choose(view, need, seat, legal, rng)


def _before(table: Table, seat: str) -> Table:
    """On to where this seat is asked."""
    player = SEATS[seat]
    while not (table.peers[player].match.asked(player) and table.peers[player].match.machine.state.active == seat):
        step(table)
    return table


def growth(rounds: int = 15) -> Ratio:
    """CPU time to accept a quiet turn late in a game over the same early."""
    late, early = _at(12), _at(2)
    game = find(GAME)
    return compare_measured(partial(taken, game, *late, hashed=True), partial(taken, game, *early, hashed=True), rounds)


def _at(rounds: int) -> tuple[Any, list[Record]]:
    table = _before(table_of("growth", rounds), "uk")
    saved = table.peers[1].replay.dump()
    return saved, [table.order(0, [table.game.notation.read("done")])]


def size(least: int, most: int, games: int = 6) -> Size:
    """Bytes of mailed turns of so many orders against the same as zipped JSON."""
    game = find(GAME)
    turns = [turn for number in range(games) for turn in played(f"size {number}").turns if least <= len(turn[1]) < most]
    rows = []
    for seat, orders in turns:
        text = json.dumps([_as_json(seat, game.notation.write(each)) for each in orders], separators=(",", ":"))
        count = len(orders)
        rows.append((count, len(turn_file(game, orders)) / count, len(zip_of(text.encode())) / count))
    counts, ours, zipped = zip(*rows, strict=True)
    return Size(median(counts), median(ours), median(zipped))


FIELDS = {
    "buy": ("unit",),
    "move": ("unit", "path"),
    "load": ("unit", "from", "ship"),
    "land": ("unit", "ship", "to"),
    "place": ("unit", "at", "by"),
    "attack": ("zone",),
}


def _as_json(seat: str, text: str) -> dict[str, Any]:
    verb, *words = text.replace(" > ", ">").split(" ")
    found: dict[str, Any] = {"seat": seat, "order": verb}
    for name, word in zip(FIELDS.get(verb, ()), words, strict=False):
        found[name] = word.split(">") if name == "path" else word
    return found
