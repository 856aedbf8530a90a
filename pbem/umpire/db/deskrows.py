"""The rows of the tables. Each is one frozen value: queries return it, and the desk, JSON and pages read it.

All but `journal`, `head`, `layout` and the bytes of archives follow from the journal (applying.py), so every key is
given by an entry and none by the database. If you change a row of `DERIVED`, raise `LAYOUT`: when a database has
tables of another layout, they are made again from its journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import sqlalchemy as sql
from sqlalchemy.engine import Connection
from sqlalchemy.types import TypeDecorator, TypeEngine

from pbem.protocol.canonical import Plain, pack, unpack
from pbem.umpire.terms import Terms, terms_of

LAYOUT: Final = 2
MAX_ENTRY: Final = 32 << 20
_MEMBERS: Final = 1 << 20
MILLION: Final = 1_000_000
R = TypeVar("R")


def read(raw: bytes) -> Plain:
    return unpack(raw, MAX_ENTRY, _MEMBERS)


class Mark(NamedTuple):
    """Properties of a column besides its type. `ref`: the column of another table that it names a row of."""

    key: bool = False
    unique: bool = False
    ref: str | None = None
    indexed: bool = False


Key = Annotated[int, Mark(key=True)]
PairingKey = Annotated[int, Mark(key=True, ref="pairing.id")]
TournamentKey = Annotated[int, Mark(key=True, ref="tournament.id")]
How = Literal["", "played", "forfeit", "no-show", "adjudged", "bye"]
"""forfeit: lost on time or by a ruling once there were orders, and counted as played; no-show: nobody played."""
PairingState = Literal["paired", "offered", "playing", "over", "decided"]
"""offered: it has not begun; over: a result that the game may still take back; decided: it stands."""
ActState = Literal["wanted", "taken", "done", "failed", "dropped"]


@dataclass(frozen=True, slots=True)
class TournamentRow:
    id: Key
    name: Annotated[str, Mark(unique=True)]
    key: bytes
    """16 random bytes: what offers name it by."""
    umpire: bytes
    """The identity that signs."""
    terms: Terms
    state: Literal["open", "playing", "over"]
    created: int


@dataclass(frozen=True, slots=True)
class EntrantRow:
    tournament: TournamentKey
    number: Key
    """The order of seeding, from 1."""
    identity: bytes
    name: str
    card: bytes = field(repr=False)
    """Holds the address: for mails, and for the umpire's own list."""
    rating: int
    deviation: int
    out: bool
    """Withdrawn: paired no more."""
    why: str
    """Why they have withdrawn, or play again."""


@dataclass(frozen=True, slots=True)
class RoundRow:
    """With its pairings, which are rows of their own."""

    tournament: TournamentKey
    number: Key
    state: Literal["paired", "offered", "complete"]
    notes: tuple[str, ...]
    """What the pairing has to say."""
    paired_at: int
    pairings: Annotated[tuple[PairingRow, ...], None] = ()


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A game of a round, from its pairing to its result."""

    id: Key
    tournament: Annotated[int, Mark(ref="tournament.id", indexed=True)]
    round: int
    board: int
    mirror: int
    """0: a single game; 1 and 2: the two games of a mirrored pair."""
    first: int
    second: int | None
    """None: a bye."""
    why: tuple[str, ...]
    state: PairingState
    offered_at: int = 0
    expires: int = 0
    offer: Annotated[bytes | None, Mark(unique=True)] = None
    game: str = ""
    """What the game is called in the umpire's home."""
    began_at: int = 0
    """When its start came to the umpire; 0 before."""
    first_points: int | None = None
    """Half points: 2 a win, 1 a draw."""
    second_points: int | None = None
    how: How = ""
    text: str = ""
    """The result in words."""
    decided_at: int = 0

    @property
    def entrants(self) -> tuple[int, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def place(self) -> int:
        """Its board as the offer has it: the two games of a mirrored pair have a number each."""
        return 2 * self.board - 2 + self.mirror if self.mirror else self.board

    @property
    def label(self) -> str:
        """`2.14`, or `2.14b` for the second game of a mirrored pair: how the umpire names it."""
        return f"{self.round}.{self.board}{('', 'a', 'b')[self.mirror]}"


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A player's answer to the offer before the game began."""

    pairing: PairingKey
    entrant: Key
    yes: bool
    why: str
    at: int


@dataclass(frozen=True, slots=True)
class MoveRow:
    """The ledger of response times: what an entrant was asked, and when they answered."""

    pairing: PairingKey
    number: Key
    entrant: int
    what: str
    asked_at: int
    """When the umpire's mail that asks was accepted by the way out, or the entrant's own record cited the position."""
    answered_at: int
    """When the answer came to the umpire."""
    signed_at: int
    """What the answer says of itself."""
    charged: int
    """Seconds, without days off."""
    record: bytes
    said: str
    """How the question was delivered, as the umpire's mail server put it."""


@dataclass(frozen=True, slots=True)
class OwedRow:
    """Something that an entrant or the umpire owes now: a `Question` of the game, and how it was delivered."""

    pairing: PairingKey
    entrant: Key
    """0: the umpire."""
    what: Annotated[str, Mark(key=True)]
    arose: int
    """When it came about, as far as the umpire's home knows."""
    since: int
    """When the question was delivered; 0: it has not been."""
    automatic: bool
    said: str
    """How it was delivered, or why it has not been."""


@dataclass(frozen=True, slots=True)
class HeldRow:
    """One row: the desk's mails that wait to leave. Until they do, no clock of those they are for starts."""

    id: Key
    count: int
    since: int
    why: str


@dataclass(frozen=True, slots=True)
class ExtensionRow:
    """Time that the umpire has given."""

    pairing: PairingKey
    record: Annotated[bytes, Mark(key=True)]
    entrant: int
    seconds: int
    at: int


@dataclass(frozen=True, slots=True)
class FlagRow:
    """An entrant's time that ran out."""

    pairing: PairingKey
    entrant: Key
    fell_at: Key
    seen_at: int


@dataclass(frozen=True, slots=True)
class ActRow:
    """A task that the keeper is to do with the umpire's home: offers, rulings, reminders."""

    id: Key
    tournament: Annotated[int, Mark(ref="tournament.id", indexed=True)]
    pairing: Annotated[int | None, Mark(ref="pairing.id")]
    kind: str
    mark: Annotated[str, Mark(unique=True)]
    """What it is about, so that nothing is wanted twice."""
    data: Mapping[str, Plain]
    wanted_at: int
    wanted_by: str
    state: ActState
    done_at: int
    outcome: str
    """Of an act that is taken: the keeper that took it."""


@dataclass(frozen=True, slots=True)
class ArchiveRow:
    """A finished game, whole, as it was verified."""

    pairing: PairingKey
    sha256: bytes
    size: int
    whole: bool
    """Everything secret is opened in it."""
    kept_at: int


@dataclass(frozen=True, slots=True)
class AuditRow:
    """The result of checking an archive."""

    pairing: PairingKey
    sha256: bytes
    ok: bool
    verdict: Mapping[str, Plain]
    at: int


@dataclass(frozen=True, slots=True)
class AnomalyRow:
    """Something odd in a game, for a person to look at."""

    pairing: PairingKey
    mark: Annotated[str, Mark(key=True)]
    entrant: int
    """0: nobody in particular."""
    kind: str
    text: str
    weight: int
    at: int


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A rating after a round."""

    tournament: TournamentKey
    round: Key
    entrant: Key
    rating: float
    deviation: float
    volatility: float


@dataclass(frozen=True, slots=True)
class BlobRow:
    """The bytes of an archive, by digest: the journal holds the digest alone."""

    sha256: Annotated[bytes, Mark(key=True)]
    raw: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the journal."""

    seq: Key
    at: int
    actor: str
    kind: str
    data: Mapping[str, Plain]
    previous: bytes
    hash: Annotated[bytes, Mark(unique=True)]


@dataclass(frozen=True, slots=True)
class Head:
    """One row: the end of the journal. A writer holds it."""

    id: Key
    seq: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Layout:
    """One row: which layout the derived tables have."""

    number: Key


# Columns


def _held_as(
    impl: type[TypeEngine[Any]], to: Callable[[Any], Any], back: Callable[[Any], Any]
) -> type[TypeDecorator[Any]]:
    """The type of a column for values that a database holds in another form."""

    class Held(TypeDecorator[Any]):
        cache_ok = True

        def process_bind_param(self, value: Any, _: Any) -> Any:
            return to(value)

        def process_result_value(self, value: Any, _: Any) -> Any:
            return back(value)

    Held.impl = impl
    return Held


def millionths(value: float) -> int:
    return round(value * MILLION)


@lru_cache(maxsize=64)
def _terms(raw: bytes) -> Terms:
    return terms_of(read(raw))


_PACKED: Final = _held_as(sql.LargeBinary, pack, read)
_TERMS: Final = _held_as(sql.LargeBinary, lambda terms: pack(terms.plain()), _terms)
_LINES: Final = _held_as(sql.Text, "\n".join, lambda text: tuple(text.splitlines()))
"""Sentences, one a line."""
_MILLIONTHS: Final = _held_as(sql.BigInteger, millionths, lambda value: float(value / MILLION))
"""A float that two databases and a journal agree on."""
_TYPES: Final[dict[Any, type[TypeEngine[Any]]]] = {
    int: sql.BigInteger, bool: sql.Boolean, bytes: sql.LargeBinary, str: sql.Text, float: _MILLIONTHS, dict: _PACKED,
    tuple: _LINES, Terms: _TERMS,
}  # fmt: skip
_ORIGINS: Final[dict[Any, Any]] = {Mapping: dict, tuple: tuple}


class Column(NamedTuple):
    """A field of a row: its type as Python has it, whether it may be None, and the only values that it may have."""

    name: str
    kind: Any
    optional: bool
    only: tuple[str, ...]
    mark: Mark

    def fits(self, value: Any) -> bool:
        if self.optional and value is None:
            return True
        if self.kind is tuple:
            return type(value) is tuple and all(type(each) is str for each in value)
        return type(value) is self.kind and (not self.only or value in self.only)


def _column(name: str, hint: Any) -> Column:
    mark = Mark()
    if get_origin(hint) is Annotated:
        hint, mark = get_args(hint)
    if optional := isinstance(hint, UnionType):
        (hint,) = (each for each in get_args(hint) if each is not NoneType)
    if get_origin(hint) is Literal:
        return Column(name, str, optional, get_args(hint), mark)
    return Column(name, _ORIGINS.get(get_origin(hint), hint), optional, (), mark)


_METADATA: Final = sql.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _table(name: str, row: type[Any], *constraints: sql.Constraint) -> sql.Table:
    columns = [
        sql.Column(
            each.name,
            _TYPES[each.kind](),
            *((sql.ForeignKey(each.mark.ref),) if each.mark.ref is not None else ()),
            primary_key=each.mark.key,
            autoincrement=False,
            nullable=each.optional,
            unique=each.mark.unique or None,
            index=each.mark.indexed or None,
        )
        for each in COLUMNS[row]
    ]
    return sql.Table(name, _METADATA, *columns, *constraints)


_NAMES: Final[dict[type[Any], str]] = {
    TournamentRow: "tournament", EntrantRow: "entrant", RoundRow: "round", PairingRow: "pairing", AnswerRow: "answer",
    MoveRow: "move", OwedRow: "owed", ExtensionRow: "extension", FlagRow: "flag", ActRow: "act",
    ArchiveRow: "archive", AuditRow: "audit", AnomalyRow: "anomaly", RatingRow: "rating", HeldRow: "held",
    Entry: "journal", Head: "head", BlobRow: "blob", Layout: "layout",
}  # fmt: skip
KEPT: Final = (Entry, Head, BlobRow, Layout)
DERIVED: Final = tuple(row for row in _NAMES if row not in KEPT)
"""The rows that follow from the journal, parents first."""
COLUMNS: Final = {
    row: tuple(
        _column(name, hint)
        for name, hint in get_type_hints(row, include_extras=True).items()
        if getattr(hint, "__metadata__", ()) != (None,)
    )
    for row in _NAMES
}
_CONSTRAINTS: Final[dict[type[Any], list[sql.Constraint]]] = {
    EntrantRow: [sql.UniqueConstraint("tournament", "identity")],
    PairingRow: [
        sql.UniqueConstraint("tournament", "round", "board", "mirror"),
        sql.ForeignKeyConstraint(["tournament", "round"], ["round.tournament", "round.number"]),
    ],
}
TABLES: Final = {row: _table(name, row, *_CONSTRAINTS.get(row, ())) for row, name in _NAMES.items()}


def create(db: Connection) -> None:
    """All tables that are not there."""
    _METADATA.create_all(db)


def drop_derived(db: Connection) -> None:
    _METADATA.drop_all(db, tables=[TABLES[row] for row in DERIVED])


# Reading and writing rows


def _where(row: type[Any], wanted: Mapping[str, Any]) -> list[sql.ColumnElement[bool]]:
    columns = TABLES[row].c
    return [
        columns[name].in_(value) if isinstance(value, tuple) else columns[name] == value
        for name, value in wanted.items()
    ]


def every(db: Connection, row: type[R], *order: str, limit: int | None = None, **wanted: Any) -> list[R]:
    """The rows with these values, in this order. A tuple: any of its values."""
    columns = TABLES[row].c
    query = sql.select(TABLES[row]).where(*_where(row, wanted)).order_by(*(columns[name] for name in order))
    return [row(*found) for found in db.execute(query.limit(limit))]


def find(db: Connection, row: type[R], **wanted: Any) -> R | None:
    return next(iter(every(db, row, limit=1, **wanted)), None)


def get(db: Connection, row: type[R], **wanted: Any) -> R:
    """Raises KeyError where there is none."""
    found = find(db, row, **wanted)
    if found is None:
        raise KeyError(_NAMES[row])
    return found


def highest(db: Connection, row: type[Any], column: str) -> int:
    """0 without any row."""
    return db.execute(sql.select(sql.func.max(TABLES[row].c[column]))).scalar() or 0


def insert(db: Connection, *rows: Any) -> None:
    """Of one kind. Raises TypeError for a value that is not of its column's type, which SQLite would take."""
    if rows:
        db.execute(sql.insert(TABLES[type(rows[0])]), [_checked(type(row), _values(row)) for row in rows])


def put(db: Connection, row: Any) -> None:
    """In place of the row with its key, if there is one."""
    values = _values(row)
    delete(db, type(row), **{each.name: values[each.name] for each in COLUMNS[type(row)] if each.mark.key})
    insert(db, row)


def update(db: Connection, row: type[Any], key: Mapping[str, Any], **values: Any) -> None:
    """Raises KeyError where there is no such row."""
    done = db.execute(sql.update(TABLES[row]).where(*_where(row, key)).values(**_checked(row, values)))
    if not done.rowcount:
        raise KeyError(_NAMES[row])


def delete(db: Connection, row: type[Any], **wanted: Any) -> None:
    db.execute(sql.delete(TABLES[row]).where(*_where(row, wanted)))


def _values(row: Any) -> dict[str, Any]:
    return {each.name: getattr(row, each.name) for each in COLUMNS[type(row)]}


def _checked(row: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    for column in COLUMNS[row]:
        if column.name in values and not column.fits(values[column.name]):
            raise TypeError(column.name)
    return values


def stored(db: Connection, row: type[Any]) -> Iterator[dict[str, Any]]:
    """The rows of a table as the database holds them, whatever they are."""
    quoted = db.dialect.identifier_preparer.quote
    names = [each.name for each in COLUMNS[row]]
    chosen = ", ".join(quoted(name) for name in names)
    for found in db.exec_driver_sql(f"SELECT {chosen} FROM {quoted(_NAMES[row])}"):  # noqa: S608 - names of our own
        yield dict(zip(names, found, strict=True))


def key_of(row: type[Any], values: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(values[each.name] for each in COLUMNS[row] if each.mark.key)


def name_of(row: type[Any]) -> str:
    return _NAMES[row]


_ORDERS: Final[dict[type[Any], tuple[str, ...]]] = {
    AnswerRow: ("entrant",), MoveRow: ("number",), OwedRow: ("entrant", "what"), ExtensionRow: ("at", "record"),
    FlagRow: ("fell_at",), AnomalyRow: ("at", "mark"), ArchiveRow: (), AuditRow: (),
}  # fmt: skip


def of_games(db: Connection, row: type[R], of: int, pairing: int | None = None) -> list[R]:
    """Rows about the games of a tournament, or about one game, game by game."""
    table, pairings = TABLES[row], TABLES[PairingRow]
    query = sql.select(table).order_by(table.c.pairing, *(table.c[name] for name in _ORDERS[row]))
    if pairing is not None:
        query = query.where(table.c.pairing == pairing)
    else:
        query = query.join(pairings, pairings.c.id == table.c.pairing).where(pairings.c.tournament == of)
    return [row(*found) for found in db.execute(query)]
