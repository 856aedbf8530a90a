"""Games of two bots: their rules against python-chess; their mails: accepting, size, what lies behind a position.

Quick bots play, so that the figures do not move with what the better ones think of; but the campaign of Stalingrad '42
is lost by a quick Axis within a few turns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median
from typing import Any

import msgpack

from bench.accept import Accept, parts, taken
from bench.march import Legality, legality
from bench.rules import Game as Fed
from bench.rules import Recording, Speed, against_chess
from bench.size import Size, turn_file, zip_of
from bench.timing import Ratio, compare_measured
from bench.whole import Audit, Whole, audited, of_table
from pbem.engine.definition import Game, Setup
from pbem.engine.machine import Machine
from pbem.engine.need import Orders
from pbem.engine.order import Order
from pbem.engine.registry import find
from pbem.engine.step import Frame
from pbem.engine.testing import Chance, Driver
from pbem.engine.testing.inmemory import Table
from pbem.protocol.canonical import pack
from pbem.protocol.record import Record


@dataclass(frozen=True, slots=True)
class Behind:
    ratio: Ratio
    few: int
    many: int


@dataclass(frozen=True)
class BotGame:
    """`fields`: how the words of an order are named in JSON, by its verb; words without a name stand as they are.

    `begins`: the turn in which it begins with the units of its set-up, if that is not the first one of its scenario.
    """

    name: str
    fields: Mapping[str, tuple[str, ...]]
    options: Mapping[str, Any] = field(default_factory=dict)
    scenario: str | None = None
    begins: int = 0
    bot: str = "quick"

    @cached_property
    def game(self) -> Game[Any]:
        found = find(self.name)
        return replace(found, setup=self._later) if self.begins else found

    def _later(self, setup: Setup) -> tuple[Any, Frame]:
        state, frame = find(self.name).setup(setup)
        state.begin_turn(self.begins)
        return state, frame

    @cached_property
    def setup(self) -> Setup:
        return self.game.setup_of(self.scenario, self.options)

    def played(self, seed: str) -> tuple[Fed, list[tuple[str, Order]]]:
        """A game as its machine was fed, and all orders with their seats."""
        machine = Recording.start(self.game, self.setup)
        assert isinstance(machine, Recording)
        driver, given = Driver(self.game, chance=Chance(seed), machine=machine), list[tuple[str, Order]]()
        self._play(driver, seed, given)
        return Fed(machine.feeds, machine.orders), given

    def _play(
        self,
        driver: Driver[Any],
        seed: str,
        given: list[tuple[str, Order]],
        until: Callable[[Driver[Any]], bool] = lambda _: False,
    ) -> None:
        bot, choices, machine = self.game.bots[self.bot], Chance(seed), driver.machine
        while isinstance(driver.need, Orders) and not until(driver):
            seat = driver.asked[0]
            order = bot.choose(driver.view(seat), driver.need, seat, machine.legal(seat, driver.own(seat)), choices)
            given.append((seat, order))
            driver.give(seat, order)

    def rules(self, rounds: int = 5, games: int = 3) -> Speed:
        """Decode, check and apply every order."""
        ours = [self.played(f"rules {number}")[0] for number in range(games)]
        return against_chess(self.game, self.setup, ours, rounds)

    def at(self, turn: int, decision: str) -> Machine[Any]:
        """Where this is first asked for in that turn."""
        machine = Machine.start(self.game, self.setup)
        driver = Driver(self.game, chance=Chance("at"), machine=machine)
        self._play(driver, "at", [], lambda d: d.state.turn == turn and machine.decision.name == decision)
        return machine

    def legal(self, turn: int, decision: str) -> Legality:
        machine = self.at(turn, decision)
        need = machine.need
        assert isinstance(need, Orders)
        return legality(machine, need.seats[0])

    def table_of(self, seed: str) -> Table:
        table = Table(self.game, 2, seed=seed, scenario=self.scenario, options=dict(self.options))
        table.settle()
        return table

    def order(self, table: Table, mover: int) -> Record:
        return table.order(mover, table.choose(mover, self.game.bots[self.bot]))

    @cached_property
    def whole(self) -> Table:
        """A whole game, secrets opened."""
        table = self.table_of("whole")
        while table.peers[0].match.result is None:
            self.order(table, asked(table))
            table.settle()
        return table

    @property
    def turns(self) -> int:
        """How many that game has, as its state counts them."""
        return int(self.whole.peers[0].match.machine.state.turn)

    def audit(self, rounds: int = 3) -> Audit:
        """Verifying that game with all that was secret."""
        return audited(self.whole, rounds)

    def longest(self) -> int:
        """The bytes of its longest record."""
        return max(len(record.raw) for record in self.whole.records)

    def saved(self) -> int:
        """The bytes of the position in which it ends."""
        return len(pack(self.whole.peers[0].match.machine.dump()))

    def verify(self) -> Whole:
        """Against signatures, rules and state hashes."""
        return of_table(self.whole, rounds=3)

    def accept(self, rounds: int = 15) -> Accept:
        """For a person's first record: moves and a list of attacks, up to the dice."""
        table = self.table_of("accept")
        mover = asked(table)
        taker = table.peers[1 - mover].replay
        saved = msgpack.packb(taker.dump())
        record = self.order(table, mover)
        return parts(table.game, saved, record, taker.log.card_of(mover).sign, rounds, warmed=True)

    def behind(self, few: int = 50, many: int = 1_000, rounds: int = 9) -> Behind:
        """CPU time to accept that record after so many others, over the same after fewer (wanted: 1.05)."""
        late, early = self._after(many), self._after(few)
        return Behind(
            compare_measured(
                lambda: taken(self.game, *late, hashed=True), lambda: taken(self.game, *early, hashed=True), rounds
            ),
            few,
            many,
        )

    def _after(self, records: int) -> tuple[Any, list[Record]]:
        """Ties are offered and declined, which changes nothing on the map, until there are so many records."""
        table = self.table_of("behind")
        mover = asked(table)
        while len(table.records) < records:
            table.send(mover, "tie", _chance(table, mover))
            table.deliver()
            ((key, _),) = table.peers[1 - mover].match.position.proposals.items()
            table.send(1 - mover, "answer", {"to": key, "yes": False, **_chance(table, 1 - mover)})
            table.deliver()
        saved = table.peers[1 - mover].replay.dump()
        return saved, [self.order(table, mover)]

    def size(self, count: int, games: int = 2) -> Size:
        """Bytes of mailed turns of so many orders, cut out of games, against the same as zipped JSON."""
        rows = []
        for number in range(games):
            given = self.played(f"size {number}")[1]
            for first in range(0, len(given) - count, count):
                piece = given[first : first + count]
                texts = [self._as_json(seat, self.game.notation.write(order)) for seat, order in piece]
                zipped = zip_of(json.dumps(texts, separators=(",", ":")).encode())
                rows.append((len(turn_file(self.game, [order for _, order in piece])) / count, len(zipped) / count))
        ours, zips = zip(*rows, strict=True)
        return Size(count, median(ours), median(zips))

    def _as_json(self, seat: str, text: str) -> dict[str, Any]:
        """Words that no field is named for stand as they are: `at 2:1 air 1JG`."""
        verb, *words = text.split(" ")
        found: dict[str, Any] = {"seat": seat, "order": verb}
        names = self.fields.get(verb, ())
        for name, word in zip(names, words, strict=False):
            if name:
                found[name] = word.split(",") if name == "units" else word
        if rest := words[len(names) :]:
            found["more"] = rest
        return found


def asked(table: Table) -> int:
    return next(number for number in (0, 1) if table.peers[number].match.asked(number))


def _chance(table: Table, number: int) -> dict[str, Any]:
    peer = table.peers[number]
    return dict(peer.player.chance(peer.match))


STARGARD = BotGame(
    "stargard",
    {"activate": ("formation",), "attack": ("hex", "", "units"), "enter": ("unit", "to"), "move": ("unit", "to")},
    {"long_game": True},
)
STALINGRAD = BotGame(
    "stalingrad42",
    {
        "attack": ("hex", "", "units"),
        "extended": ("unit", "to"),
        "move": ("unit", "to"),
        "rail": ("unit", "to"),
        "tactical": ("unit", "to"),
    },
)
CAMPAIGN = BotGame(STALINGRAD.name, STALINGRAD.fields, scenario="campaign", bot="sensible")
WINTER = replace(CAMPAIGN, begins=30)
