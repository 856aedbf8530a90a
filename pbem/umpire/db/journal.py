"""The journal: every change of the desk, one entry each, chained by hashes.

An entry says what was decided, with every number and key that the tables then hold. `apply` (applying.py) makes the
tables follow, in the same transaction; so the tables can be rebuilt from the journal, and checked against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from pbem.protocol.canonical import Packable, Plain, pack
from pbem.protocol.digest import be64, tagged
from pbem.umpire import UmpireError
from pbem.umpire.db.deskrows import MAX_ENTRY, TABLES, Entry, Head, find, insert, read, update

GENESIS: Final = bytes(32)
_AT_ONCE: Final = 500
RawEntry = tuple[int, int, str, str, bytes, bytes, bytes]
"""The fields of an `Entry`, its data packed."""


def hash_of(seq: int, at: int, actor: str, kind: str, data: bytes, previous: bytes) -> bytes:
    return tagged("pbem1/umpire-journal", previous, be64(seq), be64(at), actor, kind, data)


def append(db: Connection, last: Head, at: int, actor: str, kind: str, data: Mapping[str, Packable]) -> Entry:
    """The next entry, in the caller's transaction, which holds the head."""
    raw, seq = pack(data), last.seq + 1
    if len(raw) > MAX_ENTRY:
        raise UmpireError("E-UMPIRE-JOURNAL", "This change is larger than the journal takes at once.")
    digest = hash_of(seq, at, actor, kind, raw, last.hash)
    made = Entry(seq, at, actor, kind, cast("dict[str, Plain]", read(raw)), last.hash, digest)
    insert(db, made)
    update(db, Head, {"id": 1}, seq=seq, hash=digest)
    return made


def entries(db: Connection, after: int = 0) -> Iterator[Entry]:
    """In their order, some at a time."""
    for found in _some(db, list(TABLES[Entry].c), after):
        yield Entry(*found)


def raw_entries(db: Connection) -> Iterator[RawEntry]:
    """As they are stored, whatever their data is."""
    c = TABLES[Entry].c
    data = sql.type_coerce(c.data, sql.LargeBinary)
    yield from _some(db, [c.seq, c.at, c.actor, c.kind, data, c.previous, c.hash], 0)


def _some(db: Connection, columns: list[Any], after: int) -> Iterator[Any]:
    seq = TABLES[Entry].c.seq
    while found := db.execute(sql.select(*columns).where(seq > after).order_by(seq).limit(_AT_ONCE)).all():
        yield from found
        after = found[-1][0]


def head(db: Connection) -> Head:
    """The end of the journal."""
    return find(db, Head, id=1) or Head(1, 0, GENESIS)


def broken(db: Connection) -> str:
    """Where the chain does not hold, as a sentence; empty when it holds to the head."""
    seq, previous = 0, GENESIS
    for number, at, actor, kind, data, before, digest in raw_entries(db):
        seq += 1
        if number != seq:
            return f"Entry {seq} of the journal is missing."
        if before != previous:
            return f"Entry {seq} of the journal does not continue the one before it."
        if hash_of(seq, at, actor, kind, data, before) != digest:
            return f"Entry {seq} of the journal was changed after it was written."
        previous = digest
    if find(db, Head, id=1) != Head(1, seq, previous):
        return f"The journal ends at entry {seq}, but its head says otherwise: entries were removed or added."
    return ""
