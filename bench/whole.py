"""A whole verification of an archive against what it cannot do without, measured apart in the same process.

The parts: every signature; the rules alone, with the state hash of every record that carries one. What comes on top is
reading the file, the log, level 2 (dice and cards) and the bookkeeping between them. Level 2 is measured apart as well.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from bench.timing import Ratio, cpu, of_pairs, still
from pbem.engine.archive import verify_archive
from pbem.engine.definition import Game
from pbem.engine.event import Out
from pbem.engine.machine import Batch, Machine
from pbem.engine.match import Match, setup_of
from pbem.engine.need import NOTHING_KNOWN, Known, Need
from pbem.engine.order import Order
from pbem.engine.testing.inmemory import Table
from pbem.fairplay.ledger import Ledger
from pbem.protocol.card import Card
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.digest import be32, tagged
from pbem.protocol.genesis import Genesis, offer_of
from pbem.protocol.keys import check_signature
from pbem.protocol.log import Log
from pbem.protocol.record import Record, parse_record

Feed = Callable[[Machine[Any], Out], object]


@dataclass(frozen=True, slots=True)
class Whole:
    ratio: Ratio  # over signatures, rules and state hashes
    with_level2: Ratio  # over these and level 2
    whole: float
    signatures: float
    rules: float  # state hashes included
    level2: float
    records: int
    orders: int


@dataclass(slots=True)
class Told:
    """What a machine was fed while an archive was verified, and where its state hash was wanted."""

    feeds: list[Feed] = field(default_factory=list)
    known: dict[str, int | Order] = field(default_factory=dict)

    def play(self, machine: Machine[Any]) -> None:
        out = Out(wanted=False)  # as in the verification
        for feed in self.feeds:
            machine.run(out)
            feed(machine, out)
            out.take()


@contextmanager
def listening(told: Told) -> Iterator[None]:
    """Notes everything that goes from a match into its machine, and which orders it has it check."""
    kept = {name: getattr(Machine, name) for name in ("run", "answer", "answer_own", "check", "feed")}
    hashed = Match.state_hash

    def noted(name: str) -> Callable[..., object]:
        def method(machine: Machine[Any], given: Any, out: Out) -> object:
            told.feeds.append(lambda other, into: kept[name](other, given, into))
            return kept[name](machine, given, out)

        return method

    def answer_own(machine: Machine[Any], out: Out, *, left: bool) -> object:
        noted_before = len(told.feeds)
        found = kept["answer_own"](machine, out, left=left)
        # What it answers is worked out again by the machine that plays it.
        told.feeds[noted_before:] = [lambda other, into: kept["answer_own"](other, into, left=left)]
        return found

    def check(machine: Machine[Any], seat: str, order: Order, proof: Known = NOTHING_KNOWN) -> object:
        told.feeds.append(lambda other, _: kept["check"](other, seat, order, proof))
        return kept["check"](machine, seat, order, proof)

    def run(machine: Machine[Any], out: Out, batch: Batch | None = None) -> Need:
        if batch is None:
            return kept["run"](machine, out)  # type: ignore[no-any-return]
        first, known = batch.at, batch.known

        def seen(slots: tuple[str, ...]) -> Any:
            found = known(slots)
            told.known.update(found)
            return found

        batch.known = seen
        packed = machine.game.orders.write_all(batch.left)
        need: Need = kept["run"](machine, out, batch)
        taken = batch.at - first

        def again(other: Machine[Any], into: Out) -> None:
            read = other.game.orders.read_all(packed)[:taken]
            same = Batch(read, batch.seats, lambda slots: {slot: told.known[slot] for slot in slots})
            kept["run"](other, into, same)
            if same.left:
                raise AssertionError("the rules alone go another way")

        if taken:
            told.feeds.append(again)
        return need

    def state_hash(match: Match[Any]) -> bytes:
        if match.position.barrier.state is None:
            told.feeds.append(lambda other, _: tagged("pbem1/state", be32(0), other.digest()))
        return hashed(match)

    for name in ("answer", "feed"):
        setattr(Machine, name, noted(name))
    for method in (run, answer_own, check):
        setattr(Machine, method.__name__, method)
    setattr(Match, "state_hash", state_hash)  # noqa: B010
    try:
        yield
    finally:
        for name, method in kept.items():
            setattr(Machine, name, method)
        setattr(Match, "state_hash", hashed)  # noqa: B010


def measure(game: Game[Any], items: list[Item], keys: dict[int, bytes], rounds: int = 12) -> Whole:
    """`items` are an archive. They are gone through once, so that nothing is audited, which takes a second pass."""
    records = [parse_record(item.raw) for item in items if item.type == ItemType.RECORD]
    told = Told()
    with listening(told):
        verdict = verify_archive(iter(items), {game.name: game})
    if not verdict.ok:
        raise AssertionError(f"the archive of the benchmark is not good: {verdict.first_bad}")
    log = Log()
    for record in records:
        if log.genesis is None:
            log.add(record)
    genesis = log.genesis
    assert genesis is not None
    cards = [genesis.card(by) for by in genesis.authors]
    setup = setup_of(offer_of(records[0]), game)
    jobs: list[Callable[[], object]] = [
        lambda: verify_archive(iter(items), {game.name: game}),
        lambda: sign(records, cards, keys),
        lambda: told.play(Machine.start(game, setup)),
        lambda: reveal(genesis, records),
    ]
    spent: list[list[float]] = []
    for number in range(-1, rounds):  # the first round warms up
        with still():  # which leaves the caches cold for whoever comes first: each job does in its turn
            order = [(number + place) % len(jobs) for place in range(len(jobs))]
            took = {place: cpu(jobs[place]) for place in order}
        if number >= 0:
            spent.append([took[place] for place in range(len(jobs))])
    whole, signatures, rules, level2 = (median(column) for column in zip(*spent, strict=True))
    return Whole(
        of_pairs([(one, two + three) for one, two, three, _ in spent]),
        of_pairs([(one, sum(parts)) for one, *parts in spent]),
        whole,
        signatures,
        rules,
        level2,
        len(records),
        verdict.counts.orders,
    )


def of_table(table: Table, rounds: int = 12) -> Whole:
    """A game that has been played in memory, against signatures, rules and state hashes."""
    keys = {number: peer.player.keys.sign_public for number, peer in table.peers.items()}
    return measure(table.game, table.archive(), keys, rounds)


@dataclass(frozen=True, slots=True)
class Audit:
    seconds: float
    size: int
    records: int
    orders: int


def audited(table: Table, rounds: int = 3) -> Audit:
    """Verifying a game that has been played in memory, with all that was secret."""
    items = tuple(table.archive())
    spent = []
    for _ in range(rounds):
        gc.collect()
        begun = time.process_time()
        verdict = verify_archive(items)
        spent.append(time.process_time() - begun)
        if not verdict.ok or verdict.audit is None:
            raise AssertionError(f"the archive of the benchmark is not good: {verdict.first_bad}")
    counts = verdict.counts
    return Audit(median(spent), len(write(items)), counts.records, counts.orders)


def sign(records: list[Record], cards: list[Card], keys: dict[int, bytes]) -> None:
    for record in records:
        check_signature(keys[record.by], record.id, record.signature)
    for card in cards:
        check_signature(card.sign, card.id, card.raw[-64:])


def reveal(genesis: Genesis, records: list[Record]) -> None:
    """Level 2 alone: every value shown against what was promised."""
    ledger = Ledger(genesis)
    for record in records:
        ledger.apply(record)
