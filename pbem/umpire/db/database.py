"""A database opened: SQLite in a file of the umpire's home, or PostgreSQL by URL. The same tables, the same promises.

Whoever writes holds the head of the journal until the transaction ends (SQLite: the whole file), so that what he read
after that still holds when he writes: of two processes that pair the same round the second finds it paired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Engine, create_engine, event, select
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import NullPool

from pbem.protocol.canonical import Packable
from pbem.umpire.db import applying, journal, migrate, queries
from pbem.umpire.db.journal import Entry
from pbem.umpire.db.models import Act, Head
from pbem.umpire.deskrows import ActRow
from pbem.umpire.umpireerror import UmpireError

PATIENCE: Final = 30
"""Seconds that a writer waits for another."""
T = TypeVar("T")


class Writing:
    """A transaction that holds the head: what is read in it stands, and every change goes through `record`."""

    def __init__(self, session: Session, head: Head, actor: str, at: int) -> None:
        self.session = session
        self.at = at
        self._head = head
        self._actor = actor

    def record(self, kind: str, data: Mapping[str, Packable], *, actor: str | None = None) -> Entry:
        """One entry of the journal, and what the tables make of it."""
        entry = journal.append(self.session, self._head, self.at, actor or self._actor, kind, data)
        applying.apply(self.session, entry)
        return entry

    def want(self, tournament: int, pairing: int, kind: str, data: Mapping[str, Packable], about: str = "") -> ActRow:
        """An act that the keeper is to carry out. Its mark says what it is about, so that nothing is wanted twice:
        refused while the same is wanted already or was done. After a failure it may be wanted again."""
        number = 0
        while (held := queries.act_by_mark(self.session, _mark(kind, pairing, about, number))) is not None:
            if held.state in ("wanted", "taken", "done"):
                raise UmpireError(
                    "E-NO-NEED", f"This is {held.state} already: {kind}, act {held.id}. See: pbem umpire acts"
                )
            number += 1
        made = applying.next_id(self.session, Act)
        mark = _mark(kind, pairing, about, number)
        self.record(
            "wanted",
            {"data": data, "id": made, "kind": kind, "mark": mark, "pairing": pairing, "tournament": tournament},
        )
        return queries.act(self.session, made)

    def is_wanted(self, pairing: int, kind: str, about: str) -> bool:
        """It is wanted, or was done. What failed counts as wanted, too: a person looks at it first."""
        return queries.act_by_mark(self.session, _mark(kind, pairing, about, 0)) is not None

    def repeat(self, entry: Entry) -> None:
        """An entry of another journal, as it was: when a backup is brought back."""
        made = journal.append(self.session, self._head, entry.at, entry.actor, entry.kind, entry.data)
        if made.hash != entry.hash:
            raise UmpireError("E-BACKUP", f"Entry {entry.seq} of the backup does not continue its journal.")
        applying.apply(self.session, made)


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
            done = migrate.upgrade(engine)
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

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """One picture of the database, whatever others write meanwhile."""
        with _explained(self._engine.url), self._engine.connect() as plain:
            connection = plain if self.kind == "sqlite" else plain.execution_options(isolation_level="REPEATABLE READ")
            with Session(connection) as session:
                yield session

    @contextmanager
    def writing(self, actor: str, at: int) -> Iterator[Writing]:
        """All of it is written when the block ends, or nothing."""
        with _explained(self._engine.url), self._engine.connect() as plain:
            connection = plain.execution_options(pbem_writing=True)
            with Session(connection, autoflush=False) as session, session.begin():
                head = session.scalars(select(Head).where(Head.id == 1).with_for_update()).one()
                yield Writing(session, head, actor, at)


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
        raise UmpireError("E-UMPIRE-DB", f"The database {place} does not do what is asked: {said}.") from error
    except ImportError:
        raise UmpireError(
            "E-EXTRA", "PostgreSQL needs a part of pbem that is not here: pip install 'pbem[postgres]'"
        ) from None
    except SQLAlchemyError as error:
        place = url.render_as_string(hide_password=True)
        raise UmpireError(
            "E-UMPIRE-DB", f"The database {place} is not what the desk expects ({type(error).__name__})."
        ) from error
