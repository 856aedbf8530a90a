"""What taking a turn costs beyond its rules, and whether that grows with the game."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from math import log
from pathlib import Path
from statistics import linear_regression, median
from typing import Any

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bench.endless import FIELDS, MARKERS, Shift, game
from bench.timing import Ratio, compare_measured, cpu, high_water, of_pairs, still
from pbem.engine.definition import Game
from pbem.engine.event import Out
from pbem.engine.machine import Batch, Machine
from pbem.engine.need import Known, Orders
from pbem.engine.replay import Replay
from pbem.engine.testing.inmemory import Table
from pbem.protocol.record import Record, parse_record

BATCH = 20


def turn(table: Table, number: int, shift: int) -> Record:
    """The player shifts markers by as many orders as a turn has."""
    peer = table.peers[number]
    markers = {key: row.at for key, row in peer.match.machine.state.markers.items()}
    orders = []
    for count in range(peer.match.machine.state.size):
        marker = count * 7 % MARKERS
        to = (markers[marker] + 1 + (count * 13 + shift) % (FIELDS - 1)) % FIELDS
        markers[marker] = to
        orders.append(Shift(marker, to))
    return table.order(number, orders)


def table_of(orders: int) -> Table:
    table = Table(game, options={"orders": orders})
    table.settle()
    return table


def play(table: Table, turns: int) -> None:
    for number in range(turns):
        mover = next(peer.player.number for peer in table.peers.values() if peer.match.asked(peer.player.number))
        turn(table, mover, number)
        table.settle()


@dataclass(frozen=True, slots=True)
class Accept:
    orders: int
    ratio: Ratio
    accept: float
    rules: float
    state_hash: float
    floor: float


def accept(orders: int, rounds: int = 25) -> Accept:
    """For one orders record of so many orders."""
    table = table_of(orders)
    play(table, 10)
    taker = table.peers[1].replay
    saved = msgpack.packb(taker.dump())
    return parts(game, saved, turn(table, 0, 99), taker.log.card_of(0).sign, rounds)


def parts(game: Game[Any], saved: bytes, record: Record, key: bytes, rounds: int, *, warmed: bool = False) -> Accept:
    """(accept - rules - state hash) / floor for an orders record; the parts in seconds.

    A batch is one record taken by fresh replays. The jobs take turns call by call and in going first, so that none of
    them has the processor's caches to itself, or always finds there what the other left. The state hash is asked for
    before the record is taken, which then finds it made: so it is subtracted exactly.

    `warmed`: another replay has taken the record first, for rules that take ten times as long as all the rest: whoever
    runs them first pays for cold caches.
    """
    packed = record.data["orders"]

    def fresh() -> Replay:
        return Replay.load(msgpack.unpackb(saved, strict_map_key=False), lambda _: game)

    batches = []
    for _ in range(rounds + 1):
        held = [(fresh(), fresh(), fresh() if warmed else None) for _ in range(BATCH)]
        spent = [0.0] * 4
        with still():
            for number, (taker, bare, first) in enumerate(held):
                assert taker.match is not None
                assert bare.match is not None
                bare.match.state_hash()
                spent[0] += cpu(taker.match.state_hash)
                if first is not None:
                    _take(first, record.raw)
                jobs: list[tuple[int, Callable[[], object]]] = [
                    (1, partial(_take, taker, record.raw)),
                    (2, partial(_floor, record.raw, key)),
                    (3, partial(_rules, bare.match.machine, packed)),
                ]
                for place, job in jobs if number % 2 else reversed(jobs):  # neither is always the one that warms up
                    spent[place] += cpu(job)
        batches.append([each / BATCH for each in spent])
    state_hash, whole, floor, rules = zip(*batches[1:], strict=True)
    ratio = of_pairs([(one - two, three) for one, two, three in zip(whole, rules, floor, strict=True)])
    count = len(game.orders.read_all(packed))
    return Accept(count, ratio, median(whole) + median(state_hash), median(rules), median(state_hash), median(floor))


def _take(replay: Replay, raw: bytes) -> None:
    replay.accept(parse_record(raw))


def _rules(machine: Machine[Any], packed: bytes) -> None:
    """The orders decoded, checked and applied on a bare machine, by the loop that a match uses."""
    out = Out()
    orders = machine.game.orders.read_all(packed)
    need = machine.run(out)
    assert isinstance(need, Orders)
    batch = Batch(orders, need.seats, nothing_open)
    machine.run(out, batch)
    if batch.left:
        raise AssertionError("an order of the benchmark was not taken")


def nothing_open(slots: tuple[str, ...]) -> Known:
    raise AssertionError(f"{slots} are asked for")


def _floor(raw: bytes, key: bytes) -> None:
    body, signature = msgpack.unpackb(raw)
    msgpack.unpackb(body)
    record_id = sha256(body).digest()
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, record_id)
    except InvalidSignature:  # the message is not the tagged one: the cost is the same
        return


def growth(turns: int = 1_000, rounds: int = 15) -> Ratio:
    """CPU time to accept a turn and its reveal after `turns` turns, against after ten (wanted: 1.10 at most)."""
    late, early = _at(turns), _at(10)
    return compare_measured(lambda: taken(game, *late), lambda: taken(game, *early), rounds)


def _at(turns: int) -> tuple[Any, list[Record]]:
    table = table_of(10)
    play(table, turns)
    before = table.peers[1].replay.dump()
    count = len(table.records)
    turn(table, 0, 5)
    table.settle()
    return before, table.records[count:]


def taken(game: Game[Any], before: Any, records: Sequence[Record], *, hashed: bool = False) -> float:
    """Seconds to take records. `hashed`: by replays that know their state hash, as they do where a game goes on."""
    held = [Replay.load(before, lambda _: game, source=_never) for _ in range(BATCH)]
    for replay in held if hashed else ():
        assert replay.match is not None
        replay.match.state_hash()
    gc.collect()
    begun = time.process_time()
    for replay in held:
        for record in records:
            replay.accept(parse_record(record.raw))
    return (time.process_time() - begun) / BATCH


def _never(by: int, seq: int) -> bytes:
    raise AssertionError(f"record {by}-{seq} was read again")


@dataclass(frozen=True, slots=True)
class Audit:
    slope: float
    seconds: tuple[tuple[int, float], ...]


def audit(sizes: tuple[int, ...] = (125, 250, 500, 1_000, 2_000), rounds: int = 5) -> Audit:
    """Log-log slope of the time that a whole replay takes over its length (wanted: 1.00 +- 0.03)."""
    table = table_of(10)
    raws: dict[int, list[bytes]] = {}
    done = 0
    for size in sizes:
        play(table, size - done)
        done = size
        raws[size] = [record.raw for record in table.records]
    best: dict[int, list[float]] = {size: [] for size in sizes}
    for _ in range(rounds):
        for size in sizes:
            gc.collect()
            begun = time.process_time()
            _replay(raws[size])
            best[size].append(time.process_time() - begun)
    points = [(size, median(best[size])) for size in sizes]
    slope = linear_regression([log(n) for n, _ in points], [log(t) for _, t in points]).slope
    return Audit(slope, tuple(points))


def _replay(raws: list[bytes]) -> Replay:
    replay = Replay(lambda _: game, source=_never)
    for raw in raws:
        replay.accept(parse_record(raw))
        replay.stored()
    return replay


def memory(turns: int) -> int:
    """Peak KiB of a process of its own that replays an archive of so many turns, reading record by record."""
    command = [sys.executable, "-c", f"from bench.accept import peak; peak({turns})"]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def peak(turns: int) -> None:
    """In a child: a first child plays and writes a file, so that only the replay is measured."""
    with tempfile.NamedTemporaryFile() as file:
        pid = os.fork()
        if not pid:
            table = table_of(10)
            play(table, turns)
            raws = [record.raw for record in table.records]
            Path(file.name).write_bytes(b"".join(len(raw).to_bytes(4, "big") + raw for raw in raws))
            os._exit(0)
        os.waitpid(pid, 0)
        replay = Replay(lambda _: game, source=_never)
        with Path(file.name).open("rb") as source:
            while head := source.read(4):
                replay.accept(parse_record(source.read(int.from_bytes(head, "big"))))
                replay.stored()
    sys.stdout.write(str(high_water()))
