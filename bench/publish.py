"""Publishing tournaments of more and more games: does each game cost the same?

The games are of a hundred entrants and differ in nothing that matters here: each has the same short archive of
Bridgehead, an audit and a replay page of its own, and a ledger of forty answers.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from hashlib import sha256
from math import log
from pathlib import Path
from statistics import linear_regression, median
from tempfile import TemporaryDirectory

from bench.timing import cpu, still
from pbem.cli.umpiring.website import show
from pbem.engine.registry import find
from pbem.engine.testing.inmemory import Table
from pbem.protocol.canonical import Packable
from pbem.protocol.card import make_card
from pbem.protocol.container import write
from pbem.protocol.keys import Keys
from pbem.umpire.addresses import Hide
from pbem.umpire.db import queries
from pbem.umpire.db.database import Store, Writing
from pbem.umpire.db.deskrows import BlobRow, insert
from pbem.umpire.entrants import NewEntrant
from pbem.umpire.site.publish import Published, publish
from pbem.umpire.terms import parse
from pbem.umpire.umpiredesk import UmpireDesk

ENTRANTS = 100
BOARDS = ENTRANTS // 2
ANSWERS = 40
STEPS = 15
BEGIN = 1_800_000_000
TERMS = b"""v = 1
title = "Bench"
name = "bench"
game = "bridgehead"
mode = "umpire"
format = "swiss"
seeding = "given"
rounds = 30
[clock]
move = "2d"
bank = "5d"
"""


@dataclass(frozen=True, slots=True)
class Publishing:
    slope: float
    seconds: tuple[tuple[int, float], ...]
    again: float
    """Seconds of the largest once more, when nothing has changed."""
    written: int
    """Files that this wrote."""
    files: int
    bytes: int
    whole: float
    """Seconds to check and draw one whole game."""


def measure(sizes: tuple[int, ...] = (250, 500, 1_000)) -> Publishing:
    """CPU seconds (wanted: a slope of 1.05 at most over games)."""
    short = _archive(STEPS)
    spent: list[tuple[int, float]] = []
    with TemporaryDirectory() as held:
        folder = Path(held)
        publish(tournament(folder / "warm.db", BOARDS, short), folder / "warm", ["bench"], at=BEGIN, show=show)
        for count in sizes:
            desk = tournament(folder / f"{count}.db", count, short)
            seconds, done = _publish(desk, folder / f"site{count}")
            if done.faults or done.checked != count:
                raise RuntimeError(f"the benchmark does not publish: {done.faults[:1]}")
            spent.append((count, seconds))
        again, once_more = _publish(desk, folder / f"site{count}")
    raw = _archive(0)
    whole = median(cpu(lambda: show(raw, Hide([]))) for _ in range(7))
    slope = linear_regression([log(n) for n, _ in spent], [log(t) for _, t in spent]).slope
    wrote = done.written
    return Publishing(slope, tuple(spent), again, once_more.written.written, wrote.files, wrote.bytes, whole)


def _publish(desk: UmpireDesk, folder: Path) -> tuple[float, Published]:
    with still():
        begun = time.process_time()
        done = publish(desk, folder, ["bench"], at=BEGIN, show=show)
        return time.process_time() - begun, done


def _archive(steps: int) -> bytes:
    """Of a game so far; 0: to its end."""
    table = Table(find("bridgehead"), seed="publish")
    if steps:
        for _ in range(steps):
            table.step()
        table.settle()
    else:
        table.play()
    return write(table.archive())


def tournament(path: Path, games: int, archive: bytes) -> UmpireDesk:
    """All rounds paired and decided, written straight into the journal."""
    desk = UmpireDesk(Store.open(path), actor="bench", clock=lambda: BEGIN)
    cards = [
        make_card(Keys(sha256(f"bench {n}".encode()).digest()), f"Entrant {n:03}", f"e{n}@example.org", BEGIN)
        for n in range(ENTRANTS + 1)
    ]
    made = desk.create(parse(TERMS), cards[0], [NewEntrant(card, 1_500, 200) for card in cards[1:]])
    for number in range(games // BOARDS):
        with desk.store.writing("bench", BEGIN + number) as writing:
            _round(writing, made.id, number + 1, archive)
    return desk


def _round(writing: Writing, of: int, number: int, archive: bytes) -> None:
    digest = sha256(archive).digest()
    if queries.blob(writing.db, digest) is None:
        insert(writing.db, BlobRow(digest, archive))
    places = list(range(1, ENTRANTS + 1))
    turned = places[number:] + places[:number]
    pairs: list[dict[str, Packable]] = [
        {
            "board": board + 1, "first": turned[board], "id": (number - 1) * BOARDS + board + 1, "mirror": 0,
            "points": 0, "second": turned[-board - 1], "why": "Both have as many points.",
        }
        for board in range(BOARDS)
    ]  # fmt: skip
    writing.record("paired", {"notes": "", "pairs": list(pairs), "round": number, "tournament": of})
    writing.record("published", {"round": number, "tournament": of})
    for pair in pairs:
        _game(writing, int(str(pair["id"])), int(str(pair["first"])), int(str(pair["second"])), digest, len(archive))
    writing.record("completed", {"round": number, "tournament": of})


def _game(writing: Writing, pairing: int, first: int, second: int, digest: bytes, size: int) -> None:
    mark = sha256(pairing.to_bytes(4, "big")).digest()
    at = BEGIN
    moves: list[Packable] = []
    for count in range(ANSWERS):
        asked, at = at, at + 3_600 * (1 + count % 5)
        moves.append([(first, second)[count % 2], "orders", asked, at, at, at - asked, mark, "250 taken"])
    offered: dict[str, Packable] = {"at": BEGIN, "expires": BEGIN, "game": f"g{pairing}", "offer": mark}
    writing.record("offered", {**offered, "pairing": pairing})
    read: dict[str, Packable] = {"began_at": BEGIN, "extensions": [], "moves": moves, "owed": [], "since": 1}
    writing.record("read", {"pairing": pairing, **read})
    writing.record("archived", {"pairing": pairing, "sha256": digest, "size": size, "whole": True})
    points = {"first_points": 2 * (pairing % 2), "second_points": 2 - 2 * (pairing % 2)}
    writing.record("result", {"decided": True, "how": "played", "pairing": pairing, "text": "points", **points})
