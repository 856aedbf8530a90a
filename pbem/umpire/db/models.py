"""The tables. All but `journal`, `head` and the bytes of archives follow from the journal (journal.py), so every key is
given by an entry and none by the database."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Names of constraints are fixed here, so that both databases and every migration call them the same."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {int: Integer, bytes: LargeBinary, str: Text}  # noqa: RUF012 - as SQLAlchemy reads it


class Tournament(Base):
    __tablename__ = "tournament"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(String(40), unique=True)
    key: Mapped[bytes]
    """16 random bytes: what offers name it by."""
    umpire: Mapped[bytes]
    """The identity that signs."""
    terms: Mapped[bytes]
    """Packed, as `Terms.plain` gives them."""
    state: Mapped[str] = mapped_column(String(16))
    """open, playing, over."""
    created: Mapped[int] = mapped_column(BigInteger)


class Entrant(Base):
    __tablename__ = "entrant"
    __table_args__ = (UniqueConstraint("tournament", "identity"),)

    tournament: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    """The order of seeding, from 1."""
    identity: Mapped[bytes]
    name: Mapped[str]
    card: Mapped[bytes]
    """Holds the address."""
    rating: Mapped[int]
    deviation: Mapped[int]
    out: Mapped[int]
    """Withdrawn: 1. Such an entrant is paired no more."""
    why: Mapped[str]


class Round(Base):
    __tablename__ = "round"

    tournament: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    state: Mapped[str] = mapped_column(String(16))
    """paired, offered, complete."""
    notes: Mapped[str]
    """What the pairing has to say, one sentence a line."""
    paired_at: Mapped[int] = mapped_column(BigInteger)


class Pairing(Base):
    __tablename__ = "pairing"
    __table_args__ = (
        UniqueConstraint("tournament", "round", "board", "mirror"),
        ForeignKeyConstraint(["tournament", "round"], ["round.tournament", "round.number"]),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tournament: Mapped[int] = mapped_column(index=True)
    round: Mapped[int]
    board: Mapped[int]
    mirror: Mapped[int]
    """0: a single game; 1 and 2: the two games of a mirrored pair."""
    first: Mapped[int]
    second: Mapped[int | None]
    """None: a bye."""
    why: Mapped[str]
    state: Mapped[str] = mapped_column(String(16))
    """paired, offered, playing, over (a result that may still change), decided."""
    offered_at: Mapped[int] = mapped_column(BigInteger)
    expires: Mapped[int] = mapped_column(BigInteger)
    offer: Mapped[bytes | None] = mapped_column(unique=True)
    game: Mapped[str]
    """What the game is called in the umpire's home."""
    began_at: Mapped[int] = mapped_column(BigInteger)
    """When its start came to the umpire; 0 before."""
    first_points: Mapped[int | None]
    """Half points: 2 a win, 1 a draw."""
    second_points: Mapped[int | None]
    how: Mapped[str] = mapped_column(String(16))
    """played, forfeit, no-show, adjudged, bye."""
    text: Mapped[str]
    """The result in words."""
    decided_at: Mapped[int] = mapped_column(BigInteger)


class Answer(Base):
    """What a player said to the offer before the game began."""

    __tablename__ = "answer"

    pairing: Mapped[int] = mapped_column(ForeignKey("pairing.id"), primary_key=True)
    entrant: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    yes: Mapped[int]
    why: Mapped[str]
    at: Mapped[int] = mapped_column(BigInteger)


class Move(Base):
    """The ledger of response times: what an entrant was asked, and when he answered."""

    __tablename__ = "move"

    pairing: Mapped[int] = mapped_column(ForeignKey("pairing.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    entrant: Mapped[int]
    what: Mapped[str] = mapped_column(String(32))
    asked_at: Mapped[int] = mapped_column(BigInteger)
    """When the umpire's mail that asks was accepted by the way out, or the entrant's own record cited the position."""
    answered_at: Mapped[int] = mapped_column(BigInteger)
    """When his answer came to the umpire."""
    signed_at: Mapped[int] = mapped_column(BigInteger)
    """What his answer says of itself."""
    charged: Mapped[int] = mapped_column(BigInteger)
    """Seconds, without days off."""
    record: Mapped[bytes]
    said: Mapped[str]
    """What the way out said."""


class Owed(Base):
    """What an entrant or the umpire owes now."""

    __tablename__ = "owed"

    pairing: Mapped[int] = mapped_column(ForeignKey("pairing.id"), primary_key=True)
    entrant: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    what: Mapped[str] = mapped_column(String(32), primary_key=True)
    arose: Mapped[int] = mapped_column(BigInteger)
    since: Mapped[int] = mapped_column(BigInteger)
    """When the question was delivered; 0: it has not been."""
    automatic: Mapped[int]
    said: Mapped[str]


class Held(Base):
    """One row: the desk's mails that wait to leave."""

    __tablename__ = "held"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    count: Mapped[int]
    since: Mapped[int] = mapped_column(BigInteger)
    why: Mapped[str]


class Extension(Base):
    """Time that was given, by a ruling in the game."""

    __tablename__ = "extension"

    pairing: Mapped[int] = mapped_column(ForeignKey("pairing.id"), primary_key=True)
    record: Mapped[bytes] = mapped_column(primary_key=True)
    entrant: Mapped[int]
    seconds: Mapped[int] = mapped_column(BigInteger)
    at: Mapped[int] = mapped_column(BigInteger)


class Flag(Base):
    """An entrant's time that ran out."""

    __tablename__ = "flag"

    pairing: Mapped[int] = mapped_column(ForeignKey("pairing.id"), primary_key=True)
    entrant: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    fell_at: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    seen_at: Mapped[int] = mapped_column(BigInteger)


class Act(Base):
    """What the keeper is to do with the umpire's home: offers, rulings, reminders. `mark` says what it is about, so
    that nothing is wanted twice."""

    __tablename__ = "act"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tournament: Mapped[int] = mapped_column(ForeignKey("tournament.id"), index=True)
    pairing: Mapped[int | None] = mapped_column(ForeignKey("pairing.id"))
    kind: Mapped[str] = mapped_column(String(16))
    mark: Mapped[str] = mapped_column(String(120), unique=True)
    data: Mapped[bytes]
    wanted_at: Mapped[int] = mapped_column(BigInteger)
    wanted_by: Mapped[str]
    state: Mapped[str] = mapped_column(String(16), index=True)
    """wanted, taken (by the keeper that `outcome` names), done, failed, dropped."""
    done_at: Mapped[int] = mapped_column(BigInteger)
    outcome: Mapped[str]


class Archive(Base):
    """A finished game, whole, as it was verified."""

    __tablename__ = "archive"

    pairing: Mapped[int] = mapped_column(ForeignKey("pairing.id"), primary_key=True)
    sha256: Mapped[bytes]
    size: Mapped[int] = mapped_column(BigInteger)
    whole: Mapped[int]
    """Everything secret is opened in it."""
    kept_at: Mapped[int] = mapped_column(BigInteger)


class Blob(Base):
    """The bytes of archives, by digest: the journal holds the digest alone."""

    __tablename__ = "blob"

    sha256: Mapped[bytes] = mapped_column(primary_key=True)
    raw: Mapped[bytes]


class Audit(Base):
    """What checking an archive found."""

    __tablename__ = "audit"

    pairing: Mapped[int] = mapped_column(ForeignKey("pairing.id"), primary_key=True)
    sha256: Mapped[bytes]
    ok: Mapped[int]
    verdict: Mapped[bytes]
    """Packed plain data."""
    at: Mapped[int] = mapped_column(BigInteger)


class Anomaly(Base):
    """Something odd in a game, for a person to look at."""

    __tablename__ = "anomaly"

    pairing: Mapped[int] = mapped_column(ForeignKey("pairing.id"), primary_key=True)
    mark: Mapped[str] = mapped_column(String(120), primary_key=True)
    entrant: Mapped[int]
    kind: Mapped[str] = mapped_column(String(32))
    text: Mapped[str]
    weight: Mapped[int]
    at: Mapped[int] = mapped_column(BigInteger)


class Rating(Base):
    """Ratings after a round, in millionths."""

    __tablename__ = "rating"

    tournament: Mapped[int] = mapped_column(ForeignKey("tournament.id"), primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    entrant: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    rating: Mapped[int] = mapped_column(BigInteger)
    deviation: Mapped[int] = mapped_column(BigInteger)
    volatility: Mapped[int] = mapped_column(BigInteger)


class Journal(Base):
    __tablename__ = "journal"

    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[int] = mapped_column(BigInteger)
    actor: Mapped[str]
    kind: Mapped[str] = mapped_column(String(32))
    data: Mapped[bytes]
    previous: Mapped[bytes]
    hash: Mapped[bytes] = mapped_column(unique=True)


class Head(Base):
    """One row: the end of the journal. Whoever writes holds it."""

    __tablename__ = "head"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seq: Mapped[int]
    hash: Mapped[bytes]


DERIVED: tuple[type[Base], ...] = (
    Tournament, Entrant, Round, Pairing, Answer, Move, Owed, Extension, Flag, Act, Archive, Audit, Anomaly, Rating,
    Held,
)  # fmt: skip
"""The tables that follow from the journal, parents first."""
