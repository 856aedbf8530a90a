"""Files that a dishonest or unlucky player might send: made with his real keys from a copy of his home."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pbem.engine.order import Order
from pbem.engine.player import Player as Program
from pbem.home import Home
from pbem.home.gamefile import my_place, player_of, signing_keys
from pbem.protocol import canonical
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.digest import tagged
from pbem.protocol.envelope import join, split
from pbem.protocol.record import Record, make_record, parse_record


def file_with(*raws: bytes) -> bytes:
    return write([Item(ItemType.RECORD, raw) for raw in raws])


class Forger:
    """Reads a home and signs what it likes; it writes nothing."""

    def __init__(self, home: Path, name: str) -> None:
        self.context = Home(home, ask=lambda _: "", random=os.urandom)
        self.game = self.context.load(name)
        self.me = my_place(self.game)
        self.keys = signing_keys(self.context, self.game)

    @property
    def program(self) -> Program:
        return player_of(self.context, self.game)

    def honest(self, *orders: Order) -> dict[str, Any]:
        """The payload that an honest program would sign for these orders."""
        return self.program.orders_data(self.game.match, orders, self.game.log.count(self.me.by))

    def sign(self, kind: str, data: dict[str, Any], **changes: Any) -> Record:
        """The next record, with any of its fields changed."""
        log = self.game.log
        fields: dict[str, Any] = {
            "at": 1_800_000_000,
            "by": self.me.by,
            "data": data,
            "game": self.game.game_id,
            "heads": log.heads(self.me.by),
            "kind": kind,
            "pin": 0,
            "prev": log.last(self.me.by),
            "seq": log.count(self.me.by),
            **changes,
        }
        return make_record(self.keys, **fields)

    def resign(self, raw: bytes, change) -> bytes:
        """A record with its body changed in any way and signed anew: form is not checked."""
        body, _ = split(raw, 1 << 18, "record", "REC-1")
        fields = canonical.unpack(body)
        change(fields)
        changed = canonical.pack(fields)
        return join(changed, self.keys.sign(tagged("pbem1/rec", changed)))

    def record(self, by: int, seq: int) -> Record:
        return parse_record(self.game.raw_of(by, seq))
