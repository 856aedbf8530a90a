"""What is fuzzed: each target takes bytes and may raise PbemError only. A failed assertion is a finding too."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from itertools import chain, count
from pathlib import Path

import msgpack

from pbem.cli.verifying import judge
from pbem.engine import policy
from pbem.engine.archive import verify_archive
from pbem.engine.registry import find
from pbem.engine.replay import Replay
from pbem.engine.testing.driver import Driver
from pbem.engine.testing.inmemory import Table, person
from pbem.fairplay.verify import verify
from pbem.home import Home, intake, summary
from pbem.home.people import Cost
from pbem.home.unpacking import Hello, parse_hello
from pbem.kit.datafile import kinds, read_data_file
from pbem.protocol import armour, canonical, container, envelope, words
from pbem.protocol.card import parse_card
from pbem.protocol.container import Item, ItemType
from pbem.protocol.digest import be64, tagged
from pbem.protocol.errors import PbemError
from pbem.protocol.fork import parse_fork_proof
from pbem.protocol.keys import Keys
from pbem.protocol.kinds import check_data
from pbem.protocol.listing import pack_listing, parse_listing
from pbem.protocol.record import parse_message, parse_record
from pbem.schema import plain
from pbem.umpire.case import check_case, parse_case
from tests.fuzz import keeping
from tests.fuzz.seeds import data_files, vectors
from tools.vectors.play import DORA

GAME = find("bridgehead")


@dataclass(frozen=True, slots=True)
class Target:
    """`seeds` are good inputs to begin from; `short` is how many changed ones the ordinary test run tries."""

    run: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]
    short: int


# Forms


def run_canonical(raw: bytes) -> None:
    fault = canonical.fault(raw)
    try:
        value = canonical.unpack(raw)
    except PbemError as refusal:
        assert fault is not None
        assert (fault.code, fault.step) == (refusal.code, refusal.step)  # noqa: PT017
        raise
    assert fault is None
    assert canonical.pack(value) == raw


def run_armour(raw: bytes) -> None:
    text = raw.decode("utf-8", "replace")
    for found in armour.find_all(text):
        assert armour.find_all(armour.wrap(found)) == (found,)


def run_container(raw: bytes) -> None:
    try:
        items = container.read(raw)
    except PbemError:
        list(container.read_stream(BytesIO(raw)))
        raise
    assert tuple(container.read_stream(BytesIO(raw))) == items
    assert container.read(container.write(items)) == items


def run_record(raw: bytes) -> None:
    record = parse_record(raw)
    assert record.raw == raw
    check_data(record.kind, record.data)


def run_listing(raw: bytes) -> None:
    listing = parse_listing(raw)
    assert pack_listing(listing.draws, listing.moot) == raw


def run_message(raw: bytes) -> None:
    assert parse_message(raw).pack() == raw


def run_hello(raw: bytes) -> None:
    hello = parse_hello(raw)
    assert parse_hello(hello.pack()) == hello


def run_card(raw: bytes) -> None:
    assert parse_card(raw).raw == raw


def run_case(raw: bytes) -> None:
    """A statement; its body signed anew; and the whole file of a case."""
    with suppress(PbemError):
        body = envelope.split(raw, 1 << 20, "case", "CAS-1")[0]
        signed = envelope.join(body, DORA.sign(tagged("pbem1/case", body)))
        assert parse_case(signed).raw == signed
    if container.is_container(raw):
        check_case(container.read(raw))
    assert parse_case(raw).raw == raw


def run_fork(raw: bytes) -> None:
    assert parse_fork_proof(raw).raw == raw


def run_phrase(raw: bytes) -> None:
    seed = words.seed_of(raw.decode("utf-8", "replace"))
    assert words.seed_of(words.phrase(seed)) == seed


def run_data_file(raw: bytes) -> None:
    kind = kinds()[raw[0] % len(kinds())] if raw else "map"
    read_data_file(kind, raw[1:])


# Orders


def run_orders(raw: bytes) -> None:
    assert GAME.orders.pack(GAME.orders.unpack(raw)) == raw


def run_policy(raw: bytes) -> None:
    try:
        assert policy.unpack(raw).pack() == raw
    except PbemError:
        read = policy.parse(raw.decode("utf-8", "replace"))
        assert policy.parse(str(read)) == read
        assert policy.unpack(read.pack()) == read


@cache
def at_the_first_move() -> Driver:
    """The first decision with many orders to choose from."""
    driver = Driver(GAME)
    while len(driver.legal(driver.asked[0])) < 20:
        driver.give(driver.asked[0], driver.legal(driver.asked[0])[-1])
    return driver


def run_notation(raw: bytes) -> None:
    driver = at_the_first_move()
    seat = driver.asked[0]
    for order in GAME.notation.parse(raw.decode("utf-8", "replace"), driver.context(seat)):
        assert GAME.notation.read(GAME.notation.write(order)) == order
        GAME.orders.pack(order)
        driver.check(seat, order)


def packed_orders() -> list[bytes]:
    driver = at_the_first_move()
    legal = driver.legal(driver.asked[0])
    return [*map(GAME.orders.pack, legal)]


def texts() -> list[bytes]:
    driver = at_the_first_move()
    orders = list(driver.legal(driver.asked[0]))[:40]
    return [GAME.notation.write(order).encode() for order in orders] + [b"done", b"move", b"3 3; done"]


# Whole games


@cache
def game() -> Table:
    table = Table(GAME, 2, seed="fuzz")
    table.play()
    return table


@cache
def points() -> list[tuple[bytes, Keys, bytes]]:
    """Moments of a game: a copy as it stood, who signed the next record, and its body."""
    table = game()
    replay = Replay(lambda _: GAME)
    found = []
    seen: set[tuple[str, ...]] = set()
    for record in (parse_record(item.raw) for item in table.archive() if item.type is ItemType.RECORD):
        body, _ = envelope.split(record.raw, 1 << 18, "record", "REC-1")
        what = (record.kind, *sorted(record.data), *sorted({str(row[0]) for row in record.data.get("items", ())}))
        if replay.match is not None and what not in seen:
            seen.add(what)
            found.append((msgpack.packb(replay.dump()), table.peers[record.by].player.keys, body))
        replay.accept(record)
    return found


_standing: dict[int, Replay] = {}


def raw_at(by: int, seq: int) -> bytes:
    return next(record.raw for record in game().records if (record.by, record.seq) == (by, seq))


def run_next_record(raw: bytes) -> None:
    """A record that its author has really signed, whatever it says: the first byte says at which moment it comes."""
    place = (raw[0] if raw else 0) % len(points())
    saved, keys, _ = points()[place]
    body = raw[1:]
    replay = _standing.get(place)
    if replay is None:
        replay = _standing[place] = Replay.load(msgpack.unpackb(saved), lambda _: GAME, source=raw_at)
    assert replay.match is not None
    before = replay.match.state_hash(), replay.log.vector
    record = parse_record(envelope.join(body, keys.sign(tagged("pbem1/rec", body))))
    try:
        replay.accept(record)
    except PbemError:
        assert replay.match is not None
        assert (replay.match.state_hash(), replay.log.vector) == before
        raise
    del _standing[place]
    replay.match.pending()
    replay.dump()


def bodies() -> list[bytes]:
    return [bytes((place,)) + body for place, (_, _, body) in enumerate(points())]


def items_of(raw: bytes) -> tuple[Item, ...]:
    """Items written as a msgpack array of `[type, bytes]`, so that no checksum stands before what is fuzzed."""
    try:
        rows = msgpack.unpackb(raw, strict_map_key=False)
    except (ValueError, TypeError, msgpack.UnpackException):
        return ()
    found = []
    for row in rows if isinstance(rows, list) else ():
        match row:
            case [int(kind), bytes(each)] if kind in set(ItemType) and 0 < len(each) <= 2_000:
                found.append(Item(ItemType(kind), each))
    return tuple(found[:200])


def rows_of(items: Iterable[Item]) -> bytes:
    return bytes(msgpack.packb([[int(item.type), item.raw] for item in items]))


def run_verify(raw: bytes) -> None:
    """An archive: there is always exactly one verdict, and it names what it refuses."""
    items = items_of(raw)
    assert verify(items, 1).ok or not verify(items).ok
    verdict = verify_archive(items)
    faults = (verdict.first_bad, verdict.desync, verdict.incomplete or None)
    if verdict.counts.records or verdict.counts.forks:
        assert verdict.ok == (faults == (None, None, None))
    else:
        assert not verdict.ok
    assert sum(fault is not None for fault in faults) <= 1
    if verdict.first_bad is not None:
        assert verdict.first_bad.code.startswith("E-")
        assert verdict.first_bad.sentence


def run_verify_file(raw: bytes) -> None:
    """As `pbem verify --json` does it: nothing is raised, and what is found can be printed."""
    _, folder = desk()
    path = Path(folder.name) / "judged.pbem"
    items = items_of(raw)
    path.write_bytes(container.write(items) if items else raw)
    for level in (1, 2, 3):
        json.dumps(plain(judge(str(path), level)))


def archive_files() -> list[bytes]:
    items = game().archive()
    files = [container.write(items[:count]) for count in (1, 6, 24)]
    return archives() + files + [armour.wrap(raw).encode() for raw in files]


def archives() -> list[bytes]:
    items = game().archive()
    return [rows_of(items[:count]) for count in (1, 3, 5, 12, 24, len(items))]


@cache
def desk() -> tuple[Home, tempfile.TemporaryDirectory[str]]:
    """The desk of a player in the midst of a game, which came back to him from its records."""
    folder = tempfile.TemporaryDirectory(prefix="pbem-fuzz-")
    randoms = chain((person("player 1")[0].seed,), (tagged("fuzz", be64(n)) for n in count()))
    made = Home(
        Path(folder.name) / "home",
        ask=lambda _: "",
        clock=lambda: 1_800_000_000,
        random=lambda size: next(randoms)[:size].ljust(size, b"\x00"),
        cost=Cost(log_n=4),
    )
    made.new_identity("player 1", "bob@example.org", "")
    intake.open_bytes(made, container.write(game().archive()[:14]))
    assert len(summary.rows(made)) == 1
    return made, folder


def run_desk(raw: bytes) -> None:
    made, _ = desk()
    for opened in intake.open_bytes(made, raw):
        str(opened)
    summary.rows(made)


def run_desk_items(raw: bytes) -> None:
    items = items_of(raw)
    if items:
        run_desk(container.write(items))


def mixed_items() -> list[bytes]:
    items = game().archive()
    others = [Item(kind, raw) for kind, raw in singles()]
    return [
        rows_of(items[:4]),
        rows_of([*others, *items[:2]]),
        rows_of(items[4:8]),
        rows_of(items[14:30]),
        *(rows_of([o]) for o in others),
    ]


def mails() -> list[bytes]:
    """Files, armour and whole mails."""
    items = game().archive()
    files = [container.write(items[:count]) for count in (1, 2, 4)]
    files += [container.write([Item(kind, raw)]) for kind, raw in singles()]
    found = []
    for raw in files:
        text = armour.wrap(raw)
        found += [
            raw,
            text.encode(),
            b"> " + text.replace("\n", "\n> ").encode(),
            f"From: a@b.c\nTo: c@d.e\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=XX\n\n--XX\n"
            f"Content-Type: text/plain\n\nYour move!\n--XX\nContent-Type: application/octet-stream\n\n{text}"
            "--XX--\n".encode(),
        ]
    return found


def singles() -> Iterator[tuple[ItemType, bytes]]:
    yield ItemType.CARD, vectors("card")[0]
    yield ItemType.FORK, vectors("fork")[0]
    yield ItemType.HELLO, Hello(1, bytes(32), {0: 3, 1: 4}, want=True).pack()
    yield ItemType.CASE, container.read(vectors("case")[0])[0].raw
    yield ItemType.REPLACED, canonical.pack(["map", b"\x80"])
    yield ItemType.MESSAGE, vectors("message")[0]


TARGETS = {
    "armour": Target(run_armour, lambda: vectors("find"), 4_000),
    "canonical": Target(run_canonical, lambda: vectors("canonical") + vectors("record"), 12_000),
    "card": Target(run_card, lambda: vectors("card"), 4_000),
    "case": Target(
        run_case, lambda: [raw for file in vectors("case") for raw in (file, container.read(file)[0].raw)], 600
    ),
    "container": Target(run_container, lambda: vectors("container"), 6_000),
    "data-file": Target(run_data_file, lambda: [bytes((n,)) + raw for n, raw in enumerate(data_files())], 120),
    "desk": Target(run_desk, mails, 1_000),
    "desk-backup": Target(keeping.run_backup, keeping.journals, 60),
    "desk-items": Target(run_desk_items, mixed_items, 500),
    "enclosed": Target(keeping.run_enclosed, keeping.attachments, 4_000),
    "entrants": Target(keeping.run_entrants, lambda: [b"card,rating,deviation\nann.pbem,1700,\n", b"card\n"], 300),
    "fork": Target(run_fork, lambda: vectors("fork"), 2_400),
    "hello": Target(run_hello, lambda: [raw for kind, raw in singles() if kind is ItemType.HELLO], 4_000),
    "listing": Target(run_listing, lambda: [i.raw for i in game().archive() if i.type is ItemType.DRAWS], 4_000),
    "mail": Target(lambda raw: keeping.open_mail(desk()[0], raw), lambda: [*mails(), *keeping.HEADS], 150),
    "mail-settings": Target(keeping.run_mail_settings, lambda: [keeping.MAIL], 400),
    "message": Target(run_message, lambda: vectors("message"), 4_000),
    "next-record": Target(run_next_record, bodies, 6_000),
    "notation": Target(run_notation, texts, 1_600),
    "orders": Target(run_orders, lambda: packed_orders() + vectors("packed") + vectors("orders"), 12_000),
    "phrase": Target(run_phrase, lambda: vectors("phrase"), 2_000),
    "policy": Target(run_policy, lambda: [*vectors("policy"), b"when odds <= 1 then stand; then retreat"], 6_000),
    "record": Target(run_record, lambda: vectors("record"), 12_000),
    "tournament": Target(keeping.run_tournament, lambda: [keeping.CUP], 400),
    "verify": Target(run_verify, archives, 600),
    "verify-file": Target(run_verify_file, archive_files, 300),
}
