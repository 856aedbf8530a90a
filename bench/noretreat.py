"""No Retreat!: its rules alone against python-chess, and its mails: accepting, growth, size, the audit of a campaign.

Games are played by two sensible bots. The campaign under the protocol is the dearest that there is: nobody has standing
orders, so that every window is a record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
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

GAME = "noretreat"
SEED = "campaign"
MOST = 20_000


def played(seed: str, scenario: str = "barbarossa") -> tuple[Fed, list[tuple[str, list[Order]]]]:
    """A game as its machine was fed, and the orders of each seat in each player-turn."""
    game = find(GAME)
    machine = Recording.start(game, game.setup_of(scenario))
    assert isinstance(machine, Recording)
    driver, bot, choices = (
        Driver(game, scenario, chance=Chance(seed), machine=machine),
        game.bots["sensible"],
        Chance(seed),
    )
    turns: list[tuple[str, list[Order]]] = []
    last: tuple[int, str] = (0, "")
    while isinstance(driver.need, Orders):
        seat = driver.asked[0]
        order = bot.choose(driver.view(seat), driver.need, seat, machine.legal(seat, driver.own(seat)), choices)
        if seat == driver.state.active:
            if (driver.state.turn, seat) != last:
                last = (driver.state.turn, seat)
                turns.append((seat, []))
            turns[-1][1].append(order)
        driver.give(seat, order)
    return Fed(machine.feeds, machine.orders), turns


def rules(rounds: int = 9, games: int = 6) -> Speed:
    """Decode, check and apply every order."""
    game = find(GAME)
    ours = [played(f"rules {number}")[0] for number in range(games)]
    return against_chess(game, game.setup_of("barbarossa"), ours, rounds)


def step(table: Table) -> None:
    """One person orders; then everything that programs do."""
    mover = next(number for number in (0, 1) if table.peers[number].match.asked(number))
    table.order(mover, table.choose(mover, table.game.bots["sensible"]))
    table.settle()


def table_at(seed: str, turn: int) -> Table:
    """The campaign where the Axis organises in that turn."""
    table = Table(find(GAME), 2, seed=seed)
    table.settle()
    for _ in range(MOST):
        machine = table.peers[0].match.machine
        state = machine.state
        if state.turn == turn and state.active == "axis" and machine.decision.name == "organise":
            return table
        step(table)
    raise AssertionError(f"the game of the benchmark does not reach turn {turn}")


@lru_cache(maxsize=1)
def campaign() -> Table:
    """A campaign that goes to turn 28, secrets opened; without sudden death most do (NR-14.8)."""
    for number in range(20):
        table = Table(find(GAME), 2, seed=f"{SEED} {number}", options={"no_surrender": True})
        table.settle()
        while table.peers[0].match.result is None:
            step(table)
        if table.peers[0].match.machine.state.turn == 28:
            return table
    raise AssertionError("no game of the benchmark lasts for 28 turns")


def audit() -> Audit:
    """Verifying a campaign of 28 turns with all that was secret (wanted: 5 s and 1 MiB at most)."""
    return audited(campaign())


def verify() -> Whole:
    """Against signatures, rules and state hashes."""
    return of_table(campaign(), rounds=4)


def accept(rounds: int = 15) -> Accept:
    """For a turn up to its first attack, which opens no card and needs no die: what the protocol costs."""
    table = table_at("accept", 3)
    taker = table.peers[1].replay
    saved = msgpack.packb(taker.dump())
    orders = table.choose(0, table.game.bots["sensible"])
    attack = next(at for at, order in enumerate(orders) if order.kind == "attack")
    record = table.order(0, orders[:attack])
    return parts(table.game, saved, record, taker.log.card_of(0).sign, rounds, warmed=True)


def growth(rounds: int = 9) -> Ratio:
    """CPU time to accept a small record late in a campaign over the same early."""
    late, early = _at(20), _at(2)
    game = find(GAME)
    return compare_measured(lambda: taken(game, *late), lambda: taken(game, *early), rounds)


def _at(turn: int) -> tuple[Any, list[Record]]:
    for number in range(20):
        try:
            table = table_at(f"growth {number}", turn)
        except StopIteration:
            continue  # that game was over before
        saved = table.peers[1].replay.dump()
        return saved, [table.order(0, [table.game.notation.read("done")])]
    raise AssertionError(f"no game of the benchmark reaches turn {turn}")


def size(count: int, games: int = 8) -> Size:
    """Bytes of mailed turns of so many orders against the same as zipped JSON.

    Turns of the wanted length are cut out of games of the bots, every order of either side in the order it was given.
    """
    game = find(GAME)
    rows = []
    for number in range(games):
        turns = played(f"size {number}", "initiative" if number % 2 else "barbarossa")[1]
        given = [(seat, order) for seat, orders in turns for order in orders]
        for first in range(0, len(given) - count, count):
            piece = given[first : first + count]
            texts = [_as_json(seat, game.notation.write(order)) for seat, order in piece]
            zipped = zip_of(json.dumps(texts, separators=(",", ":")).encode())
            rows.append((len(turn_file(game, [order for _, order in piece])) / count, len(zipped) / count))
    ours, zips = zip(*rows, strict=True)
    return Size(count, median(ours), median(zips))


FIELDS: Mapping[str, tuple[str, ...]] = {
    "attack": ("target", "", "units", "marker"),
    "discard": ("cards", "", "purpose", "targets"),
    "event": ("card", "", "targets"),
    "move": ("unit", "path"),
    "place": ("unit", "to"),
    "pursue": ("unit", "path"),
    "rail": ("unit",),
    "target": ("hex",),
    "unload": ("unit", "to"),
    "upgrade": ("unit",),
}


def _as_json(seat: str, text: str) -> dict[str, Any]:
    verb, *words = text.split(" ")
    found: dict[str, Any] = {"seat": seat, "order": verb}
    for name, word in zip(FIELDS.get(verb, ()), words, strict=False):
        if name:
            found[name] = word.split(",") if name in ("cards", "targets", "units") else word
    return found
