"""One author's chain, held compactly: for every record its id, its pin and the vector of its past (LOG-2)."""

from __future__ import annotations

from struct import Struct

Vector = tuple[int, ...]
"""Numbers of records, one place for each author of the game: the players in order, then the umpire."""

_ID = 32


class Rows:
    """Fixed-width rows in one buffer: some 40 to 58 bytes a record, and a dump is a copy of the buffer."""

    __slots__ = ("_row", "_tip", "_width", "data")

    def __init__(self, places: int, data: bytes = b"") -> None:
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
        self._tip = len(self.data) // self._width, record_id, pin

    def extend(self, rows: bytes) -> None:
        """Rows as `since` gives them."""
        self.data += rows
        self._tip = None

    def id(self, n: int) -> bytes:
        at = self._at(n)
        return bytes(self.data[at : at + _ID])

    def pin(self, n: int) -> int:
        return int(self._row.unpack_from(self.data, self._at(n))[1])

    def past(self, n: int) -> Vector:
        return self._row.unpack_from(self.data, self._at(n))[2:]

    def tip(self) -> tuple[int, bytes, int]:
        """How many records there are, and id and pin of the last one. There must be one."""
        if self._tip is None:
            count = len(self.data) // self._width
            record_id, pin, *_ = self._row.unpack_from(self.data, (count - 1) * self._width)
            self._tip = count, record_id, pin
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
