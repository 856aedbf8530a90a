"""Stargard Solstice: its rules against python-chess; its mails: accepting, size, and what lies behind a position.

Games of ten turns are played by two quick bots, so that the figures do not move with what the better bot thinks of.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import Any

import msgpack

from bench.accept import Accept, parts, taken
from bench.rules import Game as Fed
from bench.rules import Recording, Speed, against_chess
from bench.size import Size, turn_file, zip_of
from bench.timing import Ratio, compare_measured
from bench.whole import Audit, Whole, audited, of_table
from pbem.engine.need import Orders
from pbem.engine.order import Order
from pbem.engine.registry import find
from pbem.engine.testing import Chance, Driver
from pbem.engine.testing.inmemory import Table
from pbem.protocol.record import Record

GAME, BOT = "stargard", "quick"
OPTIONS = {"long_game": True}


def played(seed: str) -> tuple[Fed, list[tuple[str, Order]]]:
    """A game as its machine was fed, and all orders with their seats."""
    game = find(GAME)
    machine = Recording.start(game, game.setup_of(options=OPTIONS))
    assert isinstance(machine, Recording)
    driver, bot, choices = Driver(game, chance=Chance(seed), machine=machine), game.bots[BOT], Chance(seed)
    given: list[tuple[str, Order]] = []
    while isinstance(driver.need, Orders):
        seat = driver.asked[0]
        order = bot.choose(driver.view(seat), driver.need, seat, machine.legal(seat, driver.own(seat)), choices)
        given.append((seat, order))
        driver.give(seat, order)
    return Fed(machine.feeds, machine.orders), given


def rules(rounds: int = 5, games: int = 3) -> Speed:
    """Decode, check and apply every order."""
    game = find(GAME)
    ours = [played(f"rules {number}")[0] for number in range(games)]
    return against_chess(game, game.setup_of(options=OPTIONS), ours, rounds)


def table_of(seed: str) -> Table:
    table = Table(find(GAME), 2, seed=seed, options=OPTIONS)
    table.settle()
    return table


def asked(table: Table) -> int:
    return next(number for number in (0, 1) if table.peers[number].match.asked(number))


@lru_cache(maxsize=1)
def whole() -> Table:
    """A game of ten turns, secrets opened."""
    table = table_of("whole")
    while table.peers[0].match.result is None:
        mover = asked(table)
        table.order(mover, table.choose(mover, table.game.bots[BOT]))
        table.settle()
    return table


def audit() -> Audit:
    """Verifying that game with all that was secret (wanted: 3 s and 256 KiB at most)."""
    return audited(whole())


def verify() -> Whole:
    """Against signatures, rules and state hashes."""
    return of_table(whole(), rounds=3)


def accept(rounds: int = 15) -> Accept:
    """For an activation: its moves and its list of attacks, up to the dice."""
    table = table_of("accept")
    mover = asked(table)
    taker = table.peers[1 - mover].replay
    saved = msgpack.packb(taker.dump())
    record = table.order(mover, table.choose(mover, table.game.bots[BOT]))
    return parts(table.game, saved, record, taker.log.card_of(mover).sign, rounds, warmed=True)


@dataclass(frozen=True, slots=True)
class Behind:
    ratio: Ratio
    few: int
    many: int


def behind(few: int = 50, many: int = 1_000, rounds: int = 9) -> Behind:
    """CPU time to accept the first activation after so many records, over the same after fewer (wanted: 1.05)."""
    game = find(GAME)
    late, early = _after(many), _after(few)
    return Behind(
        compare_measured(lambda: taken(game, *late, hashed=True), lambda: taken(game, *early, hashed=True), rounds),
        few,
        many,
    )


def _after(records: int) -> tuple[Any, list[Record]]:
    """Ties are offered and declined, which changes nothing on the map, until there are so many records."""
    table = table_of("behind")
    mover = asked(table)
    while len(table.records) < records:
        table.send(mover, "tie", _chance(table, mover))
        table.deliver()
        ((key, _),) = table.peers[1 - mover].match.position.proposals.items()
        table.send(1 - mover, "answer", {"to": key, "yes": False, **_chance(table, 1 - mover)})
        table.deliver()
    saved = table.peers[1 - mover].replay.dump()
    return saved, [table.order(mover, table.choose(mover, table.game.bots[BOT]))]


def _chance(table: Table, number: int) -> dict[str, Any]:
    peer = table.peers[number]
    return dict(peer.player.chance(peer.match))


def size(count: int, games: int = 2) -> Size:
    """Bytes of mailed turns of so many orders, cut out of games, against the same as zipped JSON."""
    game = find(GAME)
    rows = []
    for number in range(games):
        given = played(f"size {number}")[1]
        for first in range(0, len(given) - count, count):
            piece = given[first : first + count]
            texts = [_as_json(seat, game.notation.write(order)) for seat, order in piece]
            zipped = zip_of(json.dumps(texts, separators=(",", ":")).encode())
            rows.append((len(turn_file(game, [order for _, order in piece])) / count, len(zipped) / count))
    ours, zips = zip(*rows, strict=True)
    return Size(count, median(ours), median(zips))


FIELDS = {"activate": ("formation",), "attack": ("hex", "", "units"), "enter": ("unit", "to"), "move": ("unit", "to")}


def _as_json(seat: str, text: str) -> dict[str, Any]:
    """Words that no field is named for stand as they are: `at 2:1 air 1JG`."""
    verb, *words = text.split(" ")
    found: dict[str, Any] = {"seat": seat, "order": verb}
    names = FIELDS.get(verb, ())
    for name, word in zip(names, words, strict=False):
        if name:
            found[name] = word.split(",") if name == "units" else word
    if rest := words[len(names) :]:
        found["more"] = rest
    return found
