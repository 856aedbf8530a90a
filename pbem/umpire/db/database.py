"""A database opened: SQLite in a file of the umpire's home, or PostgreSQL by URL. The same tables, the same promises.

A writer locks the journal's head (SQLite: the whole file) until the transaction ends, so what it reads stays true until
it writes: of two processes that pair the same round, the second finds it paired.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Final

import sqlalchemy as sql
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from pbem.protocol.canonical import Packable, pack
from pbem.protocol.errors import Refusal
from pbem.umpire import UmpireError
from pbem.umpire.db import applying, journal, queries
from pbem.umpire.db.applying import digests
from pbem.umpire.db.deskrows import (
    LAYOUT,
    MAX_ENTRY,
    TABLES,
    ActRow,
    ArchiveRow,
    BlobRow,
    Entry,
    Head,
    Layout,
    every,
    highest,
    insert,
    name_of,
    read,
)

PATIENCE: Final = 30
"""Seconds that a writer waits for another."""
_LOCK: Final = 0x7062656D  # of PostgreSQL's advisory locks


class Writing:
    """A transaction that holds the head: what is read in it stands, and every change goes through `record`."""

    def __init__(self, db: Connection, head: Head, actor: str, at: int) -> None:
        self.db = db
        self.at = at
        self.head = head
        self._actor = actor

    def record(self, kind: str, data: Mapping[str, Packable], *, actor: str | None = None) -> Entry:
        """One entry of the journal, and what the tables make of it."""
        entry = self._append(self.at, actor or self._actor, kind, data)
        applying.apply(self.db, entry)
        return entry

    def repeat(self, entry: Entry) -> None:
        """An entry of another journal, as it was: when a backup is brought back."""
        made = self._append(entry.at, entry.actor, entry.kind, entry.data)
        if made.hash != entry.hash:
            raise UmpireError("E-BACKUP", f"Entry {entry.seq} of the backup does not continue its journal.")
        applying.apply(self.db, made)

    def _append(self, at: int, actor: str, kind: str, data: Mapping[str, Packable]) -> Entry:
        entry = journal.append(self.db, self.head, at, actor, kind, data)
        self.head = Head(1, entry.seq, entry.hash)
        return entry

    def want(self, tournament: int, pairing: int, kind: str, data: Mapping[str, Packable], about: str = "") -> ActRow:
        """An act that the keeper is to carry out. Its mark says what it is about, so that nothing is wanted twice:
        refused while the same is wanted already or was done. After a failure it may be wanted again."""
        number = 0
        while (held := queries.act_by_mark(self.db, _mark(kind, pairing, about, number))) is not None:
            if held.state in ("wanted", "taken", "done"):
                said = f"There is already a task for this: {held.id} ({kind}, {held.state}). See: pbem umpire acts"
                raise UmpireError("E-NO-NEED", said)
            number += 1
        made = highest(self.db, ActRow, "id") + 1
        mark = _mark(kind, pairing, about, number)
        self.record(
            "wanted",
            {"data": data, "id": made, "kind": kind, "mark": mark, "pairing": pairing, "tournament": tournament},
        )
        return queries.act(self.db, made)

    def is_wanted(self, pairing: int, kind: str, about: str) -> bool:
        """It is wanted, or was done. What failed counts as wanted, too: a person looks at it first."""
        return queries.act_by_mark(self.db, _mark(kind, pairing, about, 0)) is not None


def _mark(kind: str, pairing: int, about: str, number: int) -> str:
    return "/".join(part for part in (kind, str(pairing), about) if part) + f"#{number}"


class Store:
    """`tell` hears of what opening did, such as bringing the tables up to date."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def open(cls, url: str | Path, *, tell: Callable[[str], None] = lambda _: None) -> Store:
        made = _url(url)
        if made.get_backend_name() == "sqlite":
            engine = _sqlite(made)
        else:
            with _explained(made):
                engine = create_engine(made, pool_pre_ping=True, pool_size=2, connect_args={"connect_timeout": 10})
        store = cls(engine)
        with _explained(made):
            done = _bring_up_to_date(engine)
        if done:
            tell(done)
        return store

    @property
    def name(self) -> str:
        """Where the database is, without a password."""
        return self._engine.url.render_as_string(hide_password=True)

    @property
    def kind(self) -> str:
        return self._engine.url.get_backend_name()

    @property
    def engine(self) -> Engine:
        return self._engine

    def close(self) -> None:
        self._engine.dispose()

    def check(self) -> applying.Checked:
        """Does the database say what its journal says?"""
        with self.reading() as db:
            return applying.check(db)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """One picture of the database, whatever others write meanwhile."""
        with _explained(self._engine.url), self._engine.connect() as db:
            yield db if self.kind == "sqlite" else db.execution_options(isolation_level="REPEATABLE READ")

    @contextmanager
    def writing(self, actor: str, at: int) -> Iterator[Writing]:
        """All of it is written when the block ends, or nothing."""
        with _explained(self._engine.url), _transaction(self._engine) as db:
            head = db.execute(sql.select(TABLES[Head]).where(TABLES[Head].c.id == 1).with_for_update()).one()
            yield Writing(db, Head(*head), actor, at)


@contextmanager
def _transaction(engine: Engine) -> Iterator[Connection]:
    with engine.connect() as plain:
        db = plain.execution_options(pbem_writing=True)
        with db.begin():
            yield db


def _bring_up_to_date(engine: Engine) -> str:
    """What was done, as a sentence; empty when the tables are those of this pbem. One process at a time does it."""
    with engine.connect() as db:
        if _layout(db) == LAYOUT:
            return ""
    with _transaction(engine) as db:
        if engine.url.get_backend_name() == "postgresql":
            db.execute(sql.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        before, is_new = _layout(db), not sql.inspect(db).has_table(name_of(Entry))
        if before == LAYOUT:
            return ""
        if before > LAYOUT:
            raise UmpireError("E-UMPIRE-DB", "This database was written by a newer pbem. Update pbem on this machine.")
        applying.rebuild(db)
    return "A new database was created." if is_new else "The database was brought up to date."


def _layout(db: Connection) -> int:
    """0: none."""
    return highest(db, Layout, "number") if sql.inspect(db).has_table(name_of(Layout)) else 0


def _url(url: str | Path) -> URL:
    if isinstance(url, Path) or "://" not in url:
        return URL.create("sqlite", database=str(Path(url).absolute()))
    try:
        made = make_url(url)
        kind = made.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise UmpireError(
            "E-UMPIRE-DB", "This is not the address of a database. Write a file, or postgresql://..."
        ) from None
    if kind not in ("sqlite", "postgresql"):
        raise UmpireError("E-UMPIRE-DB", f"The desk is kept in SQLite or PostgreSQL, not in {kind[:40]}.")
    return made.set(drivername="postgresql+psycopg") if kind == "postgresql" else made


def _sqlite(url: URL) -> Engine:
    if url.database and url.database != ":memory:":
        path = Path(url.database)
        if not path.parent.is_dir():
            raise UmpireError("E-UMPIRE-DB", f"There is no folder {str(path.parent)!r} for the database.")
        if not path.exists():
            path.touch(mode=0o600)  # it holds addresses
    # One connection a transaction: SQLite opens a file in no time, and forked workers share nothing.
    options: dict[str, Any] = {} if url.database in (None, "", ":memory:") else {"poolclass": NullPool}
    engine = create_engine(url, connect_args={"timeout": PATIENCE}, **options)

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say so
        cursor = connection.cursor()
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get("pbem_writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


@contextmanager
def _explained(url: URL) -> Iterator[None]:
    """Turns the database's errors into sentences for the umpire, without any value of a row."""
    try:
        yield
    except DBAPIError as error:
        place = url.render_as_string(hide_password=True)
        said = " ".join(str(error.orig).split())[:200]
        raise UmpireError("E-UMPIRE-DB", f"The database {place} reports an error: {said}.") from error
    except ImportError:
        raise UmpireError(
            "E-EXTRA", "PostgreSQL needs a part of pbem that is not installed: pip install 'pbem[postgres]'"
        ) from None
    except SQLAlchemyError as error:
        place = url.render_as_string(hide_password=True)
        raise UmpireError(
            "E-UMPIRE-DB", f"The database {place} is not what the desk expects ({type(error).__name__})."
        ) from error


# A backup: the journal and the archives in one file, for either kind of database.
#
#     "PBEMDESK" 0x01, then zlib of: entries, each with its length before it (4 bytes, big endian); a length of 0;
#     archives the same way; a length of 0; SHA-256 of all before it
#
# The tables are in none of it: they follow from the journal when it is brought back, entry by entry, each held against
# its hash. It holds the players' cards, so their addresses: keep it as you keep the database.

MAGIC: Final = b"PBEMDESK\x01"
_MAX_BLOB: Final = 1 << 30
_CHUNK: Final = 1 << 16
_END: Final = bytes(4)


def backup(store: Store, path: Path) -> int:
    """Writes a new file, whole or not at all; how many entries."""
    if path.exists():
        raise UmpireError("E-EXISTS", f"{path} exists. Choose another name.")
    tmp = path.with_name(f".tmp-{path.name}")
    try:
        with tmp.open("xb") as file:
            tmp.chmod(0o600)
            count = _write(store, file)
        tmp.rename(path)
    except FileExistsError:
        raise UmpireError("E-EXISTS", f"{tmp} is left from a backup that was stopped. Remove it first.") from None
    except BaseException:
        tmp.unlink(missing_ok=True)
        raise
    return count


def _write(store: Store, file: BinaryIO) -> int:
    packer, digest, count = zlib.compressobj(6), sha256(), 0

    def put(raw: bytes) -> None:
        digest.update(raw)
        file.write(packer.compress(raw))

    file.write(MAGIC)
    with store.reading() as db:
        for entry in journal.raw_entries(db):
            raw = pack(list(entry))
            put(len(raw).to_bytes(4, "big") + raw)
            count += 1
        put(_END)
        for key in digests(db):
            blob = queries.blob(db, key)
            if blob:
                put(len(blob).to_bytes(4, "big") + blob)
        put(_END)
    file.write(packer.compress(digest.digest()) + packer.flush())
    return count


def restore(store: Store, path: Path, tell: Callable[[int], None] = lambda _: None) -> int:
    """Into an empty database, all of it or nothing; how many entries. `tell` hears of every thousand."""
    with path.open("rb") as file, store.writing("restore", 0) as writing:
        db = writing.db
        if queries.size(db):
            raise UmpireError("E-BACKUP", "This database is not empty: a backup can only be restored into a new one.")
        reader, count = _Reader(file), 0
        known: dict[bytes, int] = {}
        while raw := reader.piece(2 * MAX_ENTRY):
            entry = _entry(raw)
            writing.repeat(entry)
            count += 1
            match entry.kind, entry.data:
                case "archived", {"sha256": bytes(key), "size": int(size)}:
                    known[key] = size
            if count % 1_000 == 0:
                tell(count)
        wanted = {row.sha256 for row in every(db, ArchiveRow)}
        while raw := reader.piece(min(_MAX_BLOB, max(known.values(), default=0))):
            key = sha256(raw).digest()
            if known.pop(key, None) is None:
                raise _damaged("it holds an archive twice, or one that its journal does not know")
            insert(db, BlobRow(key, raw))
            wanted.discard(key)
        reader.end()
        if wanted:
            raise _damaged("archives are missing in it")
        return count


def _entry(raw: bytes) -> Entry:
    try:
        value = read(raw)
        match value:
            case [int(seq), int(at), str(actor), str(kind), bytes(data), bytes(previous), bytes(digest)] if at >= 0:
                fields = read(data)
                if isinstance(fields, dict):
                    return Entry(seq, at, actor, kind, fields, previous, digest)
    except Refusal as refusal:
        raise _damaged(refusal.sentence) from None
    raise _damaged("an entry of the journal is malformed")


class _Reader:
    """Unpacks as much as is asked for, so that no file makes it hold more."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        if file.read(len(MAGIC)) != MAGIC:
            raise UmpireError("E-BACKUP", "This is not a backup of an umpire's desk.")
        self._packed = zlib.decompressobj()
        self._digest = sha256()

    def piece(self, limit: int) -> bytes:
        """The next piece; empty at the end of a row of them."""
        head = self._take(4)
        size = int.from_bytes(head, "big")
        if size > limit:
            raise _damaged("a piece of it is too large")
        body = self._take(size)
        self._digest.update(head + body)
        return body

    def end(self) -> None:
        wanted = self._digest.digest()
        if self._take(32) != wanted or b"".join(self._more(1)):
            raise _damaged("its check sum is wrong")
        if not self._packed.eof or self._packed.unused_data or self._file.read(1):
            raise _damaged("it does not end where it should")

    def _take(self, size: int) -> bytes:
        found = b"".join(self._more(size))
        if len(found) != size:
            raise _damaged("it is cut off")
        return found

    def _more(self, size: int) -> Iterator[bytes]:
        packed = self._packed
        try:
            while size > 0 and not packed.eof:
                raw = packed.unconsumed_tail or self._file.read(_CHUNK)
                part = packed.decompress(raw, size)
                if not part and not raw:
                    return
                size -= len(part)
                yield part
        except zlib.error:
            raise _damaged("it does not unpack") from None


def _damaged(why: str) -> UmpireError:
    return UmpireError("E-BACKUP", f"This backup is damaged: {why}. Nothing was changed.")
