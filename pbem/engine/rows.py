"""Tables of frozen rows (units, places) whose digest after a small change costs a few row digests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Generic, NoReturn, TypeVar

from pbem.protocol.canonical import Plain, pack_ordered
from pbem.protocol.digest import tagged
from pbem.protocol.plain import MAKERS, Codec, array, ascending, codec, pair

K = TypeVar("K", int, str)
R = TypeVar("R")
_set = dict.__setitem__


class Rows(dict[K, R], Generic[K, R]):
    """A dict from int or str to frozen rows, iterated in ascending order of keys, however it was filled.

    It changes by `rows[key] = row` (or `put`, which is faster), `del rows[key]` and `change` only: no other way marks
    what has to be hashed anew.
    """

    __slots__ = ("_digests", "_dirty", "_order", "_whole")

    def __init__(self, rows: Mapping[K, R] | Iterable[tuple[K, R]] = ()) -> None:
        if rows:
            dict.__init__(self, rows)
        self._order: list[K] | None = None
        self._digests: dict[K, bytes] = {}
        self._dirty: set[K] = set(dict.keys(self))
        self._whole: bytes | None = None

    def put(self, key: K, row: R) -> None:
        if key not in self:
            self._order = None
        _set(self, key, row)
        self._dirty.add(key)
        self._whole = None

    __setitem__ = put

    def __delitem__(self, key: K) -> None:
        dict.__delitem__(self, key)
        self._order = None
        self._digests.pop(key, None)
        self._dirty.discard(key)
        self._whole = None

    def __iter__(self) -> Iterator[K]:
        return iter(self._keys())

    def __repr__(self) -> str:
        return f"Rows({dict(self.items())!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Rows, (dict(self.items()),)

    def keys(self) -> Iterator[K]:  # type: ignore[override]
        return iter(self._keys())

    def values(self) -> Iterator[R]:  # type: ignore[override]
        return map(self.__getitem__, self._keys())

    def items(self) -> Iterator[tuple[K, R]]:  # type: ignore[override]
        keys = self._keys()
        return zip(keys, map(self.__getitem__, keys), strict=True)

    def change(self, key: K, **fields: Any) -> R:
        """Put in place of a row the same with other values in these fields; the new row."""
        row: R = replace(self[key], **fields)  # type: ignore[type-var]
        self[key] = row
        return row

    def _closed(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("rows are set and deleted one by one")

    clear = pop = popitem = setdefault = update = __ior__ = _closed

    def digest(self, plain_key: Callable[[K], Plain], plain_row: Callable[[R], Plain]) -> bytes:
        """STA-4. Only rows that were set since the last call are dumped and hashed."""
        if self._whole is None:
            digests = self._digests
            for key in self._dirty:  # in any order: each digest stands by itself
                digests[key] = tagged("pbem1/row", pack_ordered([plain_key(key), plain_row(self[key])]))
            self._dirty.clear()
            self._whole = tagged("pbem1/rows", b"".join([digests[key] for key in self._keys()]))
        return self._whole

    def _keys(self) -> list[K]:
        # A list that was handed out is never changed: setting a new key drops it, so iteration is safe meanwhile.
        if self._order is None:
            self._order = sorted(dict.keys(self))
        return self._order


def _rows(args: tuple[Any, ...]) -> Codec[Any]:
    keys, rows = codec(args[0]), codec(args[1])
    if not (keys.fixed and rows.fixed):
        raise TypeError("the keys and rows of a table are frozen")

    def load(plain: Plain) -> Rows[Any, Any]:
        pairs = [pair(item) for item in array(plain)]
        loaded = [(keys.load(key), rows.load(row)) for key, row in pairs]
        ascending([key for key, _ in loaded])
        return Rows(loaded)

    return Codec(
        lambda table: [[keys.dump(key), rows.dump(row)] for key, row in table.items()],
        load,
        fixed=False,
        rows=(keys, rows),
    )


MAKERS[Rows] = _rows
