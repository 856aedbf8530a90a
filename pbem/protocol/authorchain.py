"""An author's chain, held compactly, with the keys that sign it; and what becomes of the chain in a fork (LOG-1..LOG-7,
LOG-9).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from struct import Struct

from pbem.protocol.card import Card
from pbem.protocol.plain import MAKERS, Codec

Place = tuple[int, int]
"""An author and a sequence number."""
Vector = tuple[int, ...]
"""Numbers of records, one place for each author of the game: the players in order, then the umpire."""

_ID = 32


class Rows:
    """For every record its id, its pin and the vector of its past (LOG-2), as fixed-width rows in one buffer.

    Some 40 to 58 bytes a record; a dump is a copy of the buffer.
    """

    __slots__ = ("_row", "_tip", "_width", "data", "places")

    def __init__(self, places: int, data: bytes = b"") -> None:
        self.places = places
        self._row = Struct(f">{_ID}sH{places}I")
        self._width = self._row.size
        if len(data) % self._width:
            raise ValueError("not a whole number of rows")
        self.data = bytearray(data)
        self._tip: tuple[int, bytes, int] | None = None

    def __len__(self) -> int:
        return len(self.data) // self._width

    def append(self, record_id: bytes, pin: int, past: Vector) -> None:
        self.data += self._row.pack(record_id, pin, *past)
        self._tip = len(self), record_id, pin

    def extend(self, rows: bytes) -> None:
        """Rows as `since` gives them."""
        self.data += rows
        self._tip = None

    def id(self, n: int) -> bytes:
        at = self._at(n)
        return bytes(self.data[at : at + _ID])

    def tip(self) -> tuple[int, bytes, int]:
        """How many records there are, and id and pin of the last one. There must be one."""
        if self._tip is None:
            record_id, pin, *_ = self._row.unpack_from(self.data, self._at(len(self) - 1))
            self._tip = len(self), record_id, pin
        return self._tip

    def row(self, n: int) -> tuple[int, Vector]:
        """Pin and past of record n."""
        values = self._row.unpack_from(self.data, self._at(n))
        return values[1], values[2:]

    def set_past(self, n: int, past: Vector) -> None:
        record_id, pin, *_ = self._row.unpack_from(self.data, self._at(n))
        self._row.pack_into(self.data, self._at(n), record_id, pin, *past)

    def cut(self, n: int) -> None:
        """Forget record n and all after it."""
        del self.data[n * self._width :]
        self._tip = None

    def since(self, n: int) -> bytes:
        """The rows from record n on, as they are stored."""
        return bytes(self.data[n * self._width :])

    def find(self, record_id: bytes) -> int | None:
        """The number of a record. What is looked for is nearly always among the last."""
        at = self.data.rfind(record_id)
        while at >= 0 and at % self._width:
            at = self.data.rfind(record_id, 0, at + _ID - 1)
        return at // self._width if at >= 0 else None

    def _at(self, n: int) -> int:
        if not 0 <= n < len(self):
            raise IndexError(n)
        return n * self._width


MAKERS[Rows] = lambda _: Codec(lambda rows: [rows.places, bytes(rows.data)], lambda dump: Rows(*dump), fixed=False)


@dataclass(slots=True, eq=False)
class AuthorChain:
    """Records `base`, `base` + 1, ... of one author. A main chain has base 0; a side branch starts where it leaves.

    `keys`: from which record on each card holds.
    """

    rows: Rows
    keys: list[tuple[int, Card]]
    base: int = 0

    @property
    def end(self) -> int:
        """The sequence number of the record that would come next."""
        return self.base + len(self.rows)

    def id(self, seq: int) -> bytes | None:
        return self.rows.id(seq - self.base) if self.base <= seq < self.end else None

    def row(self, seq: int) -> tuple[int, Vector]:
        return self.rows.row(seq - self.base)

    def find(self, record_id: bytes) -> int | None:
        at = self.rows.find(record_id)
        return None if at is None else at + self.base

    def card_at(self, seq: int) -> Card:
        """Whose key signs record `seq`, as far as this chain says."""
        first, card = self.keys[-1]
        if first <= seq:
            return card
        return next(card for first, card in reversed(self.keys) if first <= seq)

    def append(self, record_id: bytes, pin: int, past: Vector, card: Card) -> None:
        held = self.keys[-1][1]
        if card is not held and card.raw != held.raw:
            self.keys.append((self.end, card))
        self.rows.append(record_id, pin, past)

    def change_key(self, card: Card) -> None:
        """From the next record on."""
        self.keys.append((self.end, card))

    def exchange(self, side: AuthorChain) -> None:
        """Change places with a side branch: what stood here from its base on stands there afterwards, and back."""
        at = side.base
        mine, theirs = self.rows.since(at), side.rows.since(0)
        before = [key for key in self.keys if key[0] <= at]
        here = [(at, self.card_at(at)), *(key for key in self.keys if key[0] > at)]
        self.rows.cut(at)
        self.rows.extend(theirs)
        self.keys = before + [key for key in side.keys if key[0] > at]
        side.rows.cut(0)
        side.rows.extend(mine)
        side.keys = here


@dataclass(slots=True)
class Fork:
    """Record `seq` of `by` exists twice: one in the main chain, `first` at the head of the side branch.

    `keep`: the record that a ruling has kept, which is then in the main chain.
    """

    by: int
    seq: int
    first: bytes
    side: AuthorChain
    keep: bytes | None = None


@dataclass(slots=True)
class Lineage:
    """The knowledge that a record inherits from those that it cites: the vector of its past and, for each fork, how
    many records of the forker it knows by the side branch (`side`, by the fork's number)."""

    past: list[int]
    pin: int
    side: dict[int, int] = field(default_factory=dict)

    def take(self, past: Vector, pin: int, side: dict[int, int]) -> None:
        for column, count in enumerate(past):
            if count > self.past[column]:
                self.past[column] = count
        self.pin = max(self.pin, pin)
        for fork, count in side.items():
            if count > self.side.get(fork, 0):
                self.side[fork] = count
