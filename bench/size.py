"""Bytes of a mailed turn against the same orders as zipped JSON.

The orders are those of random Bridgehead games, in the order in which they were given; a turn of the wanted length is
cut out of them. The turn is a whole file: container, heads, state hash, salt and signature.

The JSON is what a program without pbem would mail: a list of objects, written without spaces, as `orders.json` in a
.zip file. Each object names the seat, the verb, and the words of the order's text (docs/spec/notation.md, NOT-5) by
what they are: nothing that our own orders do not say too.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from hashlib import sha256
from statistics import median
from typing import Any

from pbem.engine.bots import RandomBot
from pbem.engine.definition import Game
from pbem.engine.order import Order
from pbem.engine.registry import find
from pbem.engine.testing import Chance, Driver
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.keys import Keys
from pbem.protocol.record import make_record

WORDS = {
    "move": ("unit", "to"),
    "retreat": ("unit", "to"),
    "advance": ("unit", "to"),
    "attack": ("target", "", "from"),
    "play": ("card", "target", "slot"),
    "rally": ("unit", "card"),
    "counter": ("target",),
    "reserve": ("to",),
    "posture": ("posture",),
}


@dataclass(frozen=True, slots=True)
class Given:
    """One order, its seat and its text."""

    order: Order
    seat: str
    text: str


@dataclass(frozen=True, slots=True)
class Size:
    orders: float
    ours: float  # bytes an order
    zipped: float

    @property
    def ratio(self) -> float:
        return self.ours / self.zipped


@dataclass(frozen=True, slots=True)
class Deflated(Size):
    deflated: float  # the deflate stream alone, without a .zip file around it


def orders_of(game: Game[Any], seed: str) -> list[Given]:
    """A random game."""
    driver, bot, choices = Driver(game, chance=Chance(seed)), RandomBot(), Chance(f"{seed}/choices")
    given = []
    while driver.asked:
        seat, need = driver.asked[0], driver.need
        legal = driver.machine.legal(seat, driver.own(seat))
        order = bot.choose(driver.view(seat), need, seat, legal, choices)  # type: ignore[arg-type]
        given.append(Given(order, seat, game.notation.write(order)))
        driver.give(seat, order)
    return given


def measure(count: int, games: int = 12) -> Deflated:
    game = find("bridgehead")
    given: list[Given] = []
    for number in range(games):
        given += orders_of(game, f"size {number}")
    pieces = [given[at : at + count] for at in range(0, len(given) - count, count)]
    ours = median(len(turn_file(game, [each.order for each in piece])) for piece in pieces)
    texts = [json_of(piece) for piece in pieces]
    zipped = median(len(zip_of(text)) for text in texts)
    deflated = median(len(zlib.compress(text, 9)) for text in texts)
    return Deflated(count, ours / count, zipped / count, deflated / count)


def turn_file(game: Game[Any], orders: list[Order]) -> bytes:
    """A file with one record; hashes are random bytes, as real ones look."""

    def noise(what: str, size: int = 32) -> bytes:
        return sha256(what.encode() + game.orders.pack(orders[0])).digest()[:size]

    record = make_record(
        Keys(noise("seed")),
        at=1_795_000_000,
        by=0,
        data={"orders": game.orders.write_all(orders), "salt": noise("salt", 16), "state": noise("state")},
        game=noise("game"),
        heads=((1, noise("head")),),
        kind="orders",
        pin=0,
        prev=noise("prev"),
        seq=12,
        note=None,
    )
    return write([Item(ItemType.RECORD, record.raw)])


def json_of(piece: list[Given]) -> bytes:
    return json.dumps([as_json(each) for each in piece], separators=(",", ":")).encode()


def as_json(given: Given) -> dict[str, Any]:
    verb, *words = given.text.split()
    found: dict[str, Any] = {"seat": given.seat, "order": verb}
    for name, word in zip(WORDS.get(verb, ()), words, strict=True):
        if name:
            found[name] = word.split(",") if name == "from" else word
    return found


def zip_of(text: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("orders.json", text)
    return out.getvalue()
