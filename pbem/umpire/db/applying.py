"""Applies the journal to the tables: a function for each kind of entry, and nothing else writes to the tables. So
they can be rebuilt, and checked against the journal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from pbem.protocol.card import parse_card
from pbem.umpire import UmpireError
from pbem.umpire.db import deskrows, journal
from pbem.umpire.db.deskrows import (
    DERIVED,
    LAYOUT,
    MILLION,
    ActRow,
    AnomalyRow,
    AnswerRow,
    ArchiveRow,
    AuditRow,
    BlobRow,
    EntrantRow,
    Entry,
    ExtensionRow,
    FlagRow,
    Head,
    HeldRow,
    Layout,
    MoveRow,
    OwedRow,
    PairingRow,
    RatingRow,
    RoundRow,
    TournamentRow,
    delete,
    get,
    insert,
    put,
    update,
)
from pbem.umpire.terms import parse_plain

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
Data = Mapping[str, Any]
Change = Callable[[Connection, Entry, Data], None]


def apply(db: Connection, entry: Entry) -> None:
    """The tables after this entry."""
    change = CHANGES.get(entry.kind)
    if change is None:
        raise UmpireError(
            "E-UMPIRE-JOURNAL", f"Entry {entry.seq} of the journal is of a kind that this pbem does not know."
        )
    try:
        change(db, entry, entry.data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UmpireError(
            "E-UMPIRE-JOURNAL", f"Entry {entry.seq} of the journal cannot be carried out: {type(error).__name__}."
        ) from error


def rebuild(db: Connection) -> None:
    """All tables made again, in a transaction that writes."""
    deskrows.drop_derived(db)
    deskrows.create(db)
    if deskrows.find(db, Head, id=1) is None:
        insert(db, journal.head(db))
    for entry in journal.entries(db):
        apply(db, entry)
    delete(db, Layout)
    insert(db, Layout(LAYOUT))


def _created(db: Connection, entry: Entry, data: Data) -> None:
    if not _NAME.fullmatch(data["name"]):
        raise ValueError("name")
    terms = parse_plain(data["terms"])
    insert(db, TournamentRow(data["id"], data["name"], data["key"], data["umpire"], terms, "open", entry.at))


def _entered(db: Connection, _: Entry, data: Data) -> None:
    for number, raw, rating, deviation in data["entrants"]:
        card = parse_card(raw)
        insert(
            db,
            EntrantRow(data["tournament"], number, card.identity, card.name, raw, rating, deviation, out=False, why=""),
        )


def _entrant(db: Connection, data: Data, **values: Any) -> None:
    update(db, EntrantRow, {"number": data["entrant"], "tournament": data["tournament"]}, **values)


def _replaced(db: Connection, _: Entry, data: Data) -> None:
    """Somebody else goes on in an entrant's place, or the same person with another key."""
    card = parse_card(data["card"])
    _entrant(db, data, identity=card.identity, name=card.name, card=data["card"])


def _round(db: Connection, data: Data, **values: Any) -> None:
    update(db, RoundRow, {"number": data["round"], "tournament": data["tournament"]}, **values)


def _tournament(db: Connection, data: Data, state: str) -> None:
    update(db, TournamentRow, {"id": data["tournament"]}, state=state)


def _paired(db: Connection, entry: Entry, data: Data) -> None:
    insert(db, RoundRow(data["tournament"], data["round"], "paired", _lines(data["notes"]), entry.at))
    _pairs(db, entry, data)
    _tournament(db, data, "playing")


def _adjusted(db: Connection, entry: Entry, data: Data) -> None:
    """By hand, before the round is offered."""
    delete(db, PairingRow, tournament=data["tournament"], round=data["round"])
    _round(db, data, notes=_lines(data["notes"]))
    _pairs(db, entry, data)


def _pairs(db: Connection, entry: Entry, data: Data) -> None:
    insert(db, *pairing_rows(data, entry.at))


def pairing_rows(data: Data, at: int) -> Iterator[PairingRow]:
    """The games of a round that was paired, as an entry has them. A bye is decided."""
    for pair in data["pairs"]:
        place = (pair["id"], data["tournament"], data["round"], pair["board"], pair["mirror"], pair["first"])
        row = PairingRow(*place, pair["second"], _lines(pair["why"]), "paired")
        if row.second is None:
            points = pair["points"]
            row = replace(row, state="decided", first_points=points, how="bye", text="a bye", decided_at=at)
        yield row


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.splitlines())


def _wanted(db: Connection, entry: Entry, data: Data) -> None:
    insert(
        db,
        ActRow(
            data["id"], data["tournament"], data["pairing"], data["kind"], data["mark"], data["data"], entry.at,
            entry.actor, "wanted", 0, "",
        ),
    )  # fmt: skip


def _act(state: str) -> Change:
    def change(db: Connection, entry: Entry, data: Data) -> None:
        update(db, ActRow, {"id": data["act"]}, state=state, done_at=entry.at, outcome=data["outcome"])

    return change


def _pairing(db: Connection, data: Data, **values: Any) -> None:
    update(db, PairingRow, {"id": data["pairing"]}, **values)


def _offered(db: Connection, _: Entry, data: Data) -> None:
    _pairing(
        db, data, offer=data["offer"], game=data["game"], offered_at=data["at"], expires=data["expires"],
        state="offered",
    )  # fmt: skip
    if "instead" in data:  # of what was said to the offer before, nothing stands
        delete(db, AnswerRow, pairing=data["pairing"])
        delete(db, OwedRow, pairing=data["pairing"])


def _answered(db: Connection, entry: Entry, data: Data) -> None:
    put(db, AnswerRow(data["pairing"], data["entrant"], data["yes"], data["why"], entry.at))


def _read(db: Connection, _: Entry, data: Data) -> None:
    """What a game's records showed: its beginning, answers from a number on, and what is owed now."""
    of, since = data["pairing"], data["since"]
    begins = data["began_at"] and get(db, PairingRow, id=of).state == "offered"
    _pairing(db, data, began_at=data["began_at"], **({"state": "playing"} if begins else {}))
    insert(db, *(MoveRow(of, number, *move) for number, move in enumerate(data["moves"], start=since)))
    delete(db, OwedRow, pairing=of)
    insert(db, *(OwedRow(of, *owed) for owed in data["owed"]))
    for record, entrant, seconds, at in data["extensions"]:
        put(db, ExtensionRow(of, record, entrant, seconds, at))


def _flagged(db: Connection, entry: Entry, data: Data) -> None:
    insert(db, FlagRow(data["pairing"], data["entrant"], data["fell_at"], entry.at))


def _result(db: Connection, entry: Entry, data: Data) -> None:
    _pairing(
        db, data, first_points=data["first_points"], second_points=data["second_points"], how=data["how"],
        text=data["text"], state="decided" if data["decided"] else "over", decided_at=entry.at,
    )  # fmt: skip
    if data["decided"]:
        delete(db, OwedRow, pairing=data["pairing"])


def _reopened(db: Connection, _: Entry, data: Data) -> None:
    """A result that was taken back."""
    of = get(db, PairingRow, id=data["pairing"])
    state = "playing" if of.began_at else "offered" if of.offer is not None else "paired"
    _pairing(db, data, first_points=None, second_points=None, how="", text="", decided_at=0, state=state)
    if get(db, RoundRow, tournament=of.tournament, number=of.round).state == "complete":
        _round(db, {"tournament": of.tournament, "round": of.round}, state="offered")


def _archived(db: Connection, entry: Entry, data: Data) -> None:
    put(db, ArchiveRow(data["pairing"], data["sha256"], data["size"], data["whole"], entry.at))


def _audited(db: Connection, entry: Entry, data: Data) -> None:
    put(db, AuditRow(data["pairing"], data["sha256"], data["ok"], data["verdict"], entry.at))


def _anomaly(db: Connection, entry: Entry, data: Data) -> None:
    named = (data["pairing"], data["mark"], data["entrant"], data["kind"])
    insert(db, AnomalyRow(*named, data["text"], data["weight"], entry.at))


def _rated(db: Connection, _: Entry, data: Data) -> None:
    delete(db, RatingRow, tournament=data["tournament"], round=data["round"])
    for entrant, *figures in data["ratings"]:
        insert(db, RatingRow(data["tournament"], data["round"], entrant, *(each / MILLION for each in figures)))


def _nothing(db: Connection, entry: Entry, data: Data) -> None:
    """A remark, or what the umpire's home has done; no table follows from it."""


CHANGES: Final[Mapping[str, Change]] = {
    "created": _created,
    "entered": _entered,
    "withdrawn": lambda db, _, data: _entrant(db, data, out=True, why=data["why"]),
    "returned": lambda db, _, data: _entrant(db, data, out=False, why=data["why"]),
    "replaced": _replaced,
    "paired": _paired,
    "adjusted": _adjusted,
    "published": lambda db, _, data: _round(db, data, state="offered"),
    "completed": lambda db, _, data: _round(db, data, state="complete"),
    "ended": lambda db, _, data: _tournament(db, data, "over"),
    "wanted": _wanted,
    "taken": _act("taken"),
    "released": _act("wanted"),
    "done": _act("done"),
    "failed": _act("failed"),
    "dropped": _act("dropped"),
    "answered": _answered,
    "offered": _offered,
    "read": _read,
    "flagged": _flagged,
    "result": _result,
    "reopened": _reopened,
    "archived": _archived,
    "audited": _audited,
    "anomaly": _anomaly,
    "rated": _rated,
    "held": lambda db, _, data: put(db, HeldRow(1, data["count"], data["since"], data["why"])),
    "noted": _nothing,
    "closed": _nothing,
}


# Does the database say what its journal says?


@dataclass(frozen=True, slots=True)
class Checked:
    """`head`, of the journal: write it down somewhere else, and nobody can change what came before it."""

    entries: int
    head: bytes
    rows: int
    archives: int
    faults: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.faults


def check(db: Connection) -> Checked:
    """The journal's chain, the tables against the journal, the archives against their digests."""
    count, faults = 0, [journal.broken(db)]
    if faults == [""]:
        try:
            count, faults = _compare(db)
        except UmpireError as error:
            faults = [error.sentence]
    faults += _blobs(db)
    head = journal.head(db)
    return Checked(head.seq, head.hash, count, sum(1 for _ in digests(db)), tuple(faults))


def _compare(db: Connection) -> tuple[int, list[str]]:
    """How many rows follow from the journal, and in what the tables differ from them."""
    engine = sql.create_engine("sqlite://")
    with engine.connect() as again:
        deskrows.create(again)
        for entry in journal.entries(db):
            apply(again, entry)
        count, faults = 0, []
        for row in DERIVED:
            wanted, there = (
                {deskrows.key_of(row, each): each for each in deskrows.stored(at, row)} for at in (again, db)
            )
            count += len(wanted)
            name = deskrows.name_of(row)
            for key in sorted(wanted.keys() | there.keys(), key=str):
                at = "/".join(each.hex()[:12] if isinstance(each, bytes) else str(each) for each in key)
                if key not in there:
                    faults.append(f"The table {name} lacks the row {at}, which the journal gives.")
                elif key not in wanted:
                    faults.append(f"The table {name} has a row {at} that no entry of the journal made.")
                elif wanted[key] != there[key]:
                    fields = ", ".join(sorted(name for name in wanted[key] if wanted[key][name] != there[key][name]))
                    faults.append(f"The table {name} differs from the journal in row {at}: {fields}.")
    engine.dispose()
    return count, faults


def digests(db: Connection) -> Iterator[bytes]:
    column = deskrows.TABLES[BlobRow].c.sha256
    yield from db.execute(sql.select(column).order_by(column)).scalars()


def _blobs(db: Connection) -> Iterator[str]:
    """Every archive that is kept has its bytes, and they have its digest."""
    wanted = {row.sha256: row.pairing for row in deskrows.every(db, ArchiveRow)}
    for digest in digests(db):
        if sha256(get(db, BlobRow, sha256=digest).raw).digest() != digest:
            yield f"The bytes of the archive {digest.hex()[:12]} are damaged."
        wanted.pop(digest, None)
    yield from (f"The bytes of the archive of pairing {pairing} are missing." for pairing in wanted.values())
