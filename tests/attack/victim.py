"""A short real game to attack: its records, its archive, what each region of a record's bytes is, and every flip."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import msgpack

from pbem.engine.archive import verify_archive
from pbem.engine.registry import find
from pbem.engine.replay import Replay
from pbem.engine.testing.inmemory import Table
from pbem.fairplay.verify import Verdict
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import PbemError
from pbem.protocol.record import Record, parse_record

GAME = find("bridgehead")


@cache
def table(seed: str = "short") -> Table:
    """Bridgehead between two players, to the very end."""
    played = Table(GAME, 2, seed=seed)
    played.play()
    assert played.agree()
    return played


@cache
def archive(seed: str = "short") -> tuple[Item, ...]:
    return tuple(table(seed).archive())


@cache
def records(seed: str = "short") -> tuple[Record, ...]:
    """In the order of the archive."""
    return tuple(parse_record(item.raw) for item in archive(seed) if item.type is ItemType.RECORD)


def verdict(items: list[Item] | tuple[Item, ...]) -> Verdict:
    return verify_archive(tuple(items))


def said(items: list[Item] | tuple[Item, ...]) -> str:
    """`ok`, `E-INCOMPLETE`, or the code of the first bad item."""
    found = verdict(items)
    if found.ok:
        return "ok"
    bad = found.first_bad or found.desync
    if bad is None:
        assert found.incomplete
        return "E-INCOMPLETE"
    assert not found.incomplete
    assert bad.sentence
    assert bad.step
    return bad.code


def flips(raw: bytes, *, thorough: bool = False) -> Iterator[tuple[int, bytes]]:
    """Each byte with one bit changed, another bit from byte to byte; or each bit by itself."""
    for at in range(len(raw)):
        for bit in range(8) if thorough else (at % 8,):
            yield at, raw[:at] + bytes((raw[at] ^ 1 << bit,)) + raw[at + 1 :]


def regions(raw: bytes) -> list[str]:
    """For each byte of a record: `form` (lengths and keys), `signature`, or the field whose value it belongs to."""
    body, _ = msgpack.unpackb(raw, raw=True)
    names = ["form"] * len(raw)
    start = raw.index(body)
    unpacker = msgpack.Unpacker(raw=False, strict_map_key=False)
    unpacker.feed(body)
    for _ in range(unpacker.read_map_header()):
        key = unpacker.unpack()
        before = unpacker.tell()
        unpacker.skip()
        for at in range(before, unpacker.tell()):
            names[start + at] = key
    for at in range(len(raw) - 64, len(raw)):
        names[at] = "signature"
    return names


def offered(replay: Replay, raw: bytes) -> str:
    """What a copy of the game says to a record, which must be nothing but a refusal or a wait."""
    before = (replay.log.vector, replay.log.offer, replay.match and replay.match.state_hash())
    code = code_of(lambda: replay.accept(parse_record(raw)))
    assert code == "ok" or before == (replay.log.vector, replay.log.offer, replay.match and replay.match.state_hash())
    return code


def code_of(judge: Callable[..., object], *args: object) -> str:
    """What it says: a reason code, or `ok`. Anything but a refusal is a fault of the program."""
    try:
        judge(*args)
    except PbemError as refusal:
        return refusal.code
    return "ok"


def fresh() -> Replay:
    return Replay(lambda _: GAME)
