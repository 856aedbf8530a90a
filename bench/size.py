"""Bytes of a mailed turn against the same orders as zipped JSON.

The orders are those of random Bridgehead games, in the order in which they were given; a turn of the wanted length is cut
out of them. The turn is a whole file: container, heads, state hash, salt and signature. The JSON is what a program without
pbem would mail: a list of objects with kind, fields and values, written without spaces, in a .zip file.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import asdict, dataclass
from hashlib import sha256
from statistics import median
from typing import Any

from pbem.engine.game import Game
from pbem.engine.order import Order
from pbem.engine.registry import find
from pbem.engine.testing import random_game
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.keys import Keys
from pbem.protocol.record import make_record


@dataclass(frozen=True, slots=True)
class Size:
    orders: int
    ours: float  # bytes an order
    zipped: float
    deflated: float  # the bare deflate stream of the same JSON, without a .zip file around it

    @property
    def ratio(self) -> float:
        return self.ours / self.zipped


def orders_of(game: Game[Any], seed: str) -> list[Order]:
    return [order for _, order in random_game(game, seed, every=10_000).orders]


def measure(count: int, games: int = 12) -> Size:
    game = find("bridgehead")
    given: list[Order] = []
    for number in range(games):
        given += orders_of(game, f"size {number}")
    pieces = [given[at : at + count] for at in range(0, len(given) - count, count)]
    ours = median(len(turn_file(game, piece)) for piece in pieces)
    texts = [json_of(piece) for piece in pieces]
    zipped = median(len(zip_of(text)) for text in texts)
    deflated = median(len(zlib.compress(text, 9)) for text in texts)
    return Size(count, ours / count, zipped / count, deflated / count)


def turn_file(game: Game[Any], orders: list[Order]) -> bytes:
    """A file with one record; hashes are random bytes, as real ones look."""

    def noise(what: str, size: int = 32) -> bytes:
        return sha256(what.encode() + game.orders.pack(orders[0])).digest()[:size]

    record = make_record(
        Keys(noise("seed")),
        at=1_795_000_000,
        by=0,
        data={
            "orders": [game.orders.pack(order) for order in orders],
            "salt": noise("salt", 16),
            "state": noise("state"),
        },
        game=noise("game"),
        heads=((1, noise("head")),),
        kind="orders",
        pin=0,
        prev=noise("prev"),
        seq=12,
        note=None,
    )
    return write([Item(ItemType.RECORD, record.raw)])


def json_of(orders: list[Order]) -> bytes:
    return json.dumps([{"kind": order.kind, **asdict(order)} for order in orders], separators=(",", ":")).encode()  # type: ignore[call-overload]


def zip_of(text: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("orders.json", text)
    return out.getvalue()
