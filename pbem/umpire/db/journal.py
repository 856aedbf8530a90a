"""The journal: every change of the desk, one entry each, chained by hashes.

An entry says what was decided, with every number and key that the tables then hold. `apply` (changes.py) makes the
tables follow, in the same transaction; so the tables can be made again from the journal, and held against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.protocol.canonical import Packable, Plain, pack, unpack
from pbem.protocol.digest import be64, tagged
from pbem.umpire.db.models import Head, Journal
from pbem.umpire.umpireerror import UmpireError

GENESIS: Final = bytes(32)
MAX_ENTRY: Final = 32 << 20
_MEMBERS: Final = 1 << 20
_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Entry:
    seq: int
    at: int
    actor: str
    kind: str
    data: Mapping[str, Plain]
    previous: bytes
    hash: bytes


def hash_of(seq: int, at: int, actor: str, kind: str, data: bytes, previous: bytes) -> bytes:
    return tagged("pbem1/umpire-journal", previous, be64(seq), be64(at), actor, kind, data)


def append(session: Session, head: Head, at: int, actor: str, kind: str, data: Mapping[str, Packable]) -> Entry:
    """The next entry, in the caller's transaction, which holds the head."""
    raw, seq, previous = pack(data), head.seq + 1, head.hash
    if len(raw) > MAX_ENTRY:
        raise UmpireError("E-UMPIRE-JOURNAL", "This change is larger than the journal takes at once.")
    digest = hash_of(seq, at, actor, kind, raw, previous)
    session.add(Journal(seq=seq, at=at, actor=actor, kind=kind, data=raw, previous=previous, hash=digest))
    head.seq, head.hash = seq, digest
    return Entry(seq, at, actor, kind, cast("dict[str, Plain]", read(raw)), previous, digest)


def read(raw: bytes) -> Plain:
    return unpack(raw, MAX_ENTRY, _MEMBERS)


def entry_of(row: Journal) -> Entry:
    data = read(row.data)
    assert isinstance(data, dict)
    return Entry(row.seq, row.at, row.actor, row.kind, data, row.previous, row.hash)


def entries(session: Session, after: int = 0, until: int | None = None) -> Iterator[Entry]:
    """In their order, some at a time."""
    for row in rows(session, after, until):
        yield entry_of(row)


def rows(session: Session, after: int = 0, until: int | None = None) -> Iterator[Journal]:
    while True:
        query = select(Journal).where(Journal.seq > after).order_by(Journal.seq).limit(_AT_ONCE)
        if until is not None:
            query = query.where(Journal.seq <= until)
        found = list(session.scalars(query))
        yield from found
        if len(found) < _AT_ONCE:
            return
        after = found[-1].seq
        session.expunge_all()


def head(session: Session) -> tuple[int, bytes]:
    """Number and hash of the last entry."""
    row = session.get(Head, 1)
    return (0, GENESIS) if row is None else (row.seq, row.hash)


def broken(session: Session) -> str:
    """Where the chain does not hold, as a sentence; empty when it holds to the head."""
    seq, previous = 0, GENESIS
    for row in rows(session):
        seq += 1
        if row.seq != seq:
            return f"Entry {seq} of the journal is missing."
        if row.previous != previous:
            return f"Entry {seq} of the journal does not continue the one before it."
        if hash_of(row.seq, row.at, row.actor, row.kind, row.data, row.previous) != row.hash:
            return f"Entry {seq} of the journal was changed after it was written."
        previous = row.hash
    head = session.get(Head, 1)
    if head is None or (head.seq, head.hash) != (seq, previous):
        return f"The journal ends at entry {seq}, and its head says otherwise: entries were taken away or added."
    return ""
