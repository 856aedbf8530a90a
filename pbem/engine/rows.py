"""Tables of frozen rows (units, places) whose digest after a small change costs a few row digests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Generic, TypeVar

from pbem.protocol.canonical import Plain, pack
from pbem.protocol.digest import tagged

K = TypeVar("K", int, str)
R = TypeVar("R")


class Rows(Generic[K, R]):
    """Like a dict from int or str to frozen rows, but iterated in ascending order of keys, however it was filled."""

    __slots__ = ("_digests", "_dirty", "_order", "_rows", "_whole")

    def __init__(self, rows: Mapping[K, R] | Iterable[tuple[K, R]] = ()) -> None:
        self._rows: dict[K, R] = dict(rows)
        self._order: list[K] | None = None
        self._digests: dict[K, bytes] = {}
        self._dirty: set[K] = set(self._rows)
        self._whole: bytes | None = None

    def __getitem__(self, key: K) -> R:
        return self._rows[key]

    def __setitem__(self, key: K, row: R) -> None:
        if key not in self._rows:
            self._order = None
        self._rows[key] = row
        self._dirty.add(key)
        self._whole = None

    def __delitem__(self, key: K) -> None:
        del self._rows[key]
        self._order = None
        self._digests.pop(key, None)
        self._dirty.discard(key)
        self._whole = None

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[K]:
        return iter(self._keys())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and self._rows == other._rows

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Rows({dict(self.items())!r})"

    def get(self, key: K) -> R | None:
        return self._rows.get(key)

    def keys(self) -> Iterator[K]:
        return iter(self._keys())

    def values(self) -> Iterator[R]:
        rows = self._rows
        return (rows[key] for key in self._keys())

    def items(self) -> Iterator[tuple[K, R]]:
        rows = self._rows
        return ((key, rows[key]) for key in self._keys())

    def change(self, key: K, **fields: Any) -> R:
        """Put in place of a row the same with other values in these fields; the new row."""
        row: R = replace(self._rows[key], **fields)  # type: ignore[type-var]
        self._rows[key] = row
        self._dirty.add(key)
        self._whole = None
        return row

    def digest(self, plain_key: Callable[[K], Plain], plain_row: Callable[[R], Plain]) -> bytes:
        """STA-4. Only rows that were set since the last call are dumped and hashed."""
        if self._whole is None:
            digests = self._digests
            for key in self._dirty:  # in any order: each digest stands by itself
                digests[key] = tagged("pbem1/row", pack([plain_key(key), plain_row(self._rows[key])]))
            self._dirty.clear()
            self._whole = tagged("pbem1/rows", b"".join([digests[key] for key in self._keys()]))
        return self._whole

    def _keys(self) -> list[K]:
        # A list that was handed out is never changed: setting a new key drops it, so iteration is safe meanwhile.
        if self._order is None:
            self._order = sorted(self._rows)
        return self._order
