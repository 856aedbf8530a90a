"""Does the database say what its journal says? All is made again from the journal and held against the tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

from pbem.umpire.db import applying, journal, models
from pbem.umpire.db.database import Store
from pbem.umpire.umpireerror import UmpireError

_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Checked:
    entries: int
    head: bytes
    """Of the journal: write it down somewhere else, and nobody can change what came before it."""
    rows: int
    blobs: int
    faults: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.faults


def check(store: Store) -> Checked:
    with store.reading() as session:
        faults: list[str] = []
        chain = journal.broken(session)
        if chain:
            faults.append(chain)
        rows = 0
        if not chain:
            try:
                rows, differing = _compare(session)
                faults += differing
            except UmpireError as error:
                faults.append(error.sentence)
        blobs = 0
        for blob in _blobs(session, faults):
            blobs += blob
        head = session.get(models.Head, 1)
        assert head is not None
        return Checked(head.seq, head.hash, rows, blobs, tuple(faults))


def _compare(session: Session) -> tuple[int, list[str]]:
    """How many rows follow from the journal, and in what the tables differ from them."""
    engine = create_engine("sqlite://")
    models.Base.metadata.create_all(engine)
    with Session(engine, autoflush=False) as again:
        for entry in journal.entries(session):
            applying.apply(again, entry)
            if entry.seq % _AT_ONCE == 0:
                again.flush()
                again.expunge_all()
        again.flush()
        again.expunge_all()
        count, faults = 0, []
        for model in models.DERIVED:
            wanted, there = _rows(again, model), _rows(session, model)
            count += len(wanted)
            name = model.__tablename__
            for key in sorted(wanted.keys() | there.keys(), key=str):
                if key not in there:
                    faults.append(f"The table {name} lacks the row {_key(key)}, which the journal gives.")
                elif key not in wanted:
                    faults.append(f"The table {name} has a row {_key(key)} that no entry of the journal made.")
                elif wanted[key] != there[key]:
                    fields = ", ".join(sorted(name for name in wanted[key] if wanted[key][name] != there[key][name]))
                    faults.append(
                        f"The table {name} says something else than the journal in row {_key(key)}: {fields}."
                    )
    engine.dispose()
    return count, faults


def _rows(session: Session, model: type[models.Base]) -> dict[tuple[Any, ...], dict[str, Any]]:
    table = model.__table__
    keys = [column.name for column in table.primary_key]
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in session.execute(select(table)).mappings():
        value = dict(row)
        found[tuple(value[name] for name in keys)] = value
    return found


def _key(key: tuple[Any, ...]) -> str:
    return "/".join(each.hex()[:12] if isinstance(each, bytes) else str(each) for each in key)


def _blobs(session: Session, faults: list[str]) -> Iterator[int]:
    """Every archive that is kept has its bytes, and they have its digest."""
    wanted = {row.sha256: row.pairing for row in session.scalars(select(models.Archive))}
    for digest in session.scalars(select(models.Blob.sha256)):
        raw = session.scalar(select(models.Blob.raw).where(models.Blob.sha256 == digest))
        if raw is None or sha256(raw).digest() != digest:
            faults.append(f"The bytes of the archive {digest.hex()[:12]} are damaged.")
        wanted.pop(digest, None)
        yield 1
    faults += [f"The bytes of the archive of pairing {pairing} are missing." for pairing in wanted.values()]
