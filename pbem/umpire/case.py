"""The evidence of a game, gathered by its umpire for a dispute (docs/spec/case.md).

A case is a file: first what the umpire says about the game, signed, which is here; then all of the game's records that
the umpire has. `check_case` compares the statement with the records; whether the records themselves are good is judged
as for any archive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pbem.protocol import canonical, envelope
from pbem.protocol.canonical import Packable
from pbem.protocol.card import Card
from pbem.protocol.container import Item, ItemType
from pbem.protocol.digest import be8, tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.fork import parse_fork_proof
from pbem.protocol.genesis import Board, Offer, offer_of
from pbem.protocol.keys import Keys, check_signature
from pbem.protocol.kinds import (
    CLOCK,
    ID,
    NAME,
    PLAYER,
    Shape,
    array,
    binary,
    boolean,
    fields,
    integer,
    judge,
    line,
    lines,
    or_nil,
    row,
    word,
)
from pbem.protocol.limits import (
    MAX_ACTOR,
    MAX_AT,
    MAX_CARD_NAME,
    MAX_CASE,
    MAX_FORKS,
    MAX_INT,
    MAX_MEMBERS,
    MAX_ROUND,
    MAX_SECONDS,
    MAX_TITLE,
    MAX_WHY,
    TOURNAMENT,
)
from pbem.protocol.record import UMPIRE, Record, check_record_signature, parse_record
from pbem.protocol.ruling import new_card

if TYPE_CHECKING:
    from pbem.schema import Count, Hash


class Party(NamedTuple):
    by: Count
    entrant: Count
    """Their number in the tournament."""
    identity: Hash
    name: str


class Answered(NamedTuple):
    """A row of the ledger. Asked and answered are times at the umpire's desk; signed is the record's own time."""

    by: Count
    what: str
    asked_at: Count
    answered_at: Count
    signed_at: Count
    charged: Count
    record: Hash


class Owes(NamedTuple):
    """Something that a player or the umpire owes, as the umpire signs it: by numbers in the game."""

    by: Count
    what: str
    since: Count
    automatic: bool


class Clock(NamedTuple):
    """A player's clock at the time of the statement."""

    by: Count
    used: Count
    left: Count
    flag_at: int | None
    """When it falls if nothing more is answered."""
    fell_at: int | None


class Extension(NamedTuple):
    by: Count
    seconds: Count
    at: Count
    record: Hash


class Flag(NamedTuple):
    by: Count
    fell_at: Count
    seen_at: Count


class Ruled(NamedTuple):
    """A ruling of the umpire's own; its reason stands in the record."""

    what: str
    at: Count
    record: Hash


class Odd(NamedTuple):
    by: int | None
    kind: str
    weight: Count
    at: Count
    text: str


class Noted(NamedTuple):
    """An entry of the desk's journal about this game."""

    seq: Count
    at: Count
    actor: str
    kind: str
    hash: Hash
    text: str


class Result(NamedTuple):
    """The result so far; points are half points of the first and the second player."""

    state: str
    how: str
    first: int | None
    second: int | None
    at: Count
    text: str


class Head(NamedTuple):
    """The last entry of the whole journal."""

    seq: Count
    hash: Hash


NO_ENTRY = Head(0, bytes(32))


@dataclass(frozen=True, slots=True)
class Statement:
    """An umpire's statement about a game. `evidence`, of all that is with it, is filled in when it is signed."""

    at: Count
    umpire: Hash
    tournament: bytes
    title: str
    label: tuple[int, int, int]
    """Round, board, and which of a mirrored pair."""
    players: tuple[Party, ...]
    clock: Mapping[str, int]
    result: Result
    offer: Hash
    game: Hash | None = None
    """Null: it has not started."""
    twins: tuple[Hash, ...] = ()
    """Other games for the same board that this umpire has started."""
    answered: tuple[Answered, ...] = ()
    owed: tuple[Owes, ...] = ()
    clocks: tuple[Clock, ...] = ()
    extensions: tuple[Extension, ...] = ()
    flags: tuple[Flag, ...] = ()
    rulings: tuple[Ruled, ...] = ()
    odd: tuple[Odd, ...] = ()
    journal: tuple[Noted, ...] = ()
    head: Head = NO_ENTRY


@dataclass(frozen=True, slots=True)
class Case:
    """A statement whose form is good; `check_case` holds it against what is with it."""

    raw: bytes = field(repr=False)
    id: bytes = field(compare=False)
    said: Statement = field(compare=False)
    evidence: bytes = field(compare=False, repr=False)
    signature: bytes = field(compare=False, repr=False)


NOTHING = bytes(32)
_AT = integer(0, MAX_AT)
_AUTHOR = integer(0, UMPIRE)
_COUNT = integer(0, MAX_INT)
_POINTS = or_nil(integer(0, 2))
_LONG = MAX_MEMBERS
_SHORT = 256
_STATE = word("offered|playing|over|decided", "one of: offered, playing, over, decided")
_ROWS: dict[str, tuple[type[Any], Shape]] = {
    "answered": (Answered, array(row(PLAYER, NAME, _AT, _AT, _AT, _COUNT, ID), 0, _LONG)),
    "clocks": (Clock, array(row(PLAYER, _COUNT, _COUNT, or_nil(_COUNT), or_nil(_AT)), 0, _SHORT)),
    "extensions": (Extension, array(row(PLAYER, integer(0, MAX_SECONDS), _AT, ID), 0, _SHORT)),
    "flags": (Flag, array(row(PLAYER, _AT, _AT), 0, _SHORT)),
    "journal": (Noted, array(row(_COUNT, _AT, line(0, MAX_ACTOR), NAME, ID, lines(MAX_WHY)), 0, _LONG)),
    "odd": (Odd, array(row(or_nil(PLAYER), NAME, integer(0, 9), _AT, lines(MAX_WHY)), 0, _SHORT)),
    "owed": (Owes, array(row(_AUTHOR, NAME, _AT, boolean), 0, _SHORT)),
    "players": (Party, array(row(PLAYER, integer(1, MAX_ROUND), ID, line(1, MAX_CARD_NAME)), 1, 5)),
    "rulings": (Ruled, array(row(NAME, _AT, ID), 0, _SHORT)),
}
_CASE = fields(
    {
        "at": _AT,
        "clock": CLOCK,
        "evidence": ID,
        "game": or_nil(ID),
        "head": row(_COUNT, ID),
        "kind": word("case", "`case`"),
        "label": row(integer(1, MAX_ROUND), integer(1, MAX_ROUND), integer(0, 2)),
        "offer": ID,
        "result": row(_STATE, line(0, 16), _POINTS, _POINTS, _AT, lines(MAX_WHY)),
        "tournament": fields({"key": binary(TOURNAMENT), "title": line(1, MAX_TITLE)}),
        "twins": array(ID, 0, _SHORT),
        "umpire": ID,
        "v": integer(1, 1),
        **{name: shape for name, (_, shape) in _ROWS.items()},
    }
)


# Making


def make_case(keys: Keys, said: Statement, with_it: Iterable[Item]) -> Case:
    """CAS-1..3: signed over the statement and, by their digest, all items that go with it."""
    body: dict[str, Packable] = {
        "at": said.at,
        "clock": dict(said.clock),
        "evidence": evidence_of(with_it),
        "game": said.game,
        "head": list(said.head),
        "kind": "case",
        "label": list(said.label),
        "offer": said.offer,
        "result": list(said.result),
        "tournament": {"key": said.tournament, "title": said.title},
        "twins": list(said.twins),
        "umpire": said.umpire,
        "v": 1,
        **{name: [list(each) for each in getattr(said, name)] for name in _ROWS},
    }
    packed = canonical.pack(body)
    return parse_case(envelope.join(packed, keys.sign(tagged("pbem1/case", packed))))


def evidence_of(items: Iterable[Item]) -> bytes:
    """CAS-3: one digest of all items, in their order."""
    found = NOTHING
    for item in items:
        found = evidence_with(found, item)
    return found


def evidence_with(before: bytes, item: Item) -> bytes:
    """The digest with one item more."""
    return tagged("pbem1/evidence", before, be8(item.type), item.raw)


# Reading


def parse_case(raw: bytes) -> Case:
    """The statement in these bytes, or a Refusal (CAS-1, CAS-2). Its signature is judged beside its game."""
    if len(raw) > MAX_CASE:
        raise Refusal("E-LARGE", f"This case is {len(raw)} bytes long; at most {MAX_CASE} are allowed.", step="CAS-1")
    body, signature = envelope.split(raw, MAX_CASE, "case", "CAS-1")
    data: Any = canonical.unpack(body, MAX_CASE)
    version = data.get("v") if type(data) is dict else None
    if type(version) is int and version != 1:
        raise Refusal(
            "E-VERSION", "This case is of a version that this pbem does not know; a newer one may.", step="CAS-2"
        )
    judge(_CASE, data, "case", "CAS-2", "E-CASE")
    return Case(raw, tagged("pbem1/case", body), _statement(data), data["evidence"], signature)


def _statement(data: Mapping[str, Any]) -> Statement:
    return Statement(
        at=data["at"],
        umpire=data["umpire"],
        tournament=data["tournament"]["key"],
        title=data["tournament"]["title"],
        label=cast("tuple[int, int, int]", tuple(data["label"])),
        clock=dict(data["clock"]),
        result=Result(*data["result"]),
        offer=data["offer"],
        game=data["game"],
        twins=tuple(data["twins"]),
        head=Head(*data["head"]),
        **{name: tuple(kind(*each) for each in data[name]) for name, (kind, _) in _ROWS.items()},
    )


def archive_part(items: Iterable[Item]) -> Iterator[Item]:
    """What is judged as an archive is: all but the statement."""
    return (item for item in items if item.type is not ItemType.CASE)


_PART = frozenset((ItemType.RECORD, ItemType.DRAWS, ItemType.REPLACED))


@dataclass(frozen=True, slots=True)
class Judged:
    """A case that holds, and what is with it."""

    case: Case
    offer: Offer
    reasons: Mapping[bytes, str]
    """Of the umpire's rulings, by record."""
    records: int
    forks: tuple[str, ...]


def check_case(items: Iterable[Item]) -> Judged:
    """The statement in a file, checked against the rest of the file (CAS-3..6), or a Refusal.

    Of the records only what is stated about them is looked at here; no more is held of them than that.
    """
    reading = _Reading()
    for item in items:
        reading.take(item)
    return reading.finish()


class _Reading:
    def __init__(self) -> None:
        self.case: Case | None = None
        self.offer: Offer | None = None
        self.umpire: Card | None = None
        self.game: bytes | None = None
        self.forks: list[str] = []
        self.records = 0
        self._evidence = NOTHING
        self._fork_games: set[bytes | None] = set()
        self._cited: dict[bytes, tuple[int, str, int, str]] = {}  # author, kind, at, reason
        self._wanted: frozenset[bytes] = frozenset()

    def take(self, item: Item) -> None:
        if self.case is None:
            if item.type is not ItemType.CASE:
                raise _file("it does not begin with the umpire's statement")
            self.case = parse_case(item.raw)
            said = self.case.said
            self._wanted = frozenset(
                [row.record for row in said.answered]
                + [row.record for row in said.extensions]
                + [row.record for row in said.rulings]
            )
            return
        self._evidence = evidence_with(self._evidence, item)
        match item.type:
            case ItemType.FORK:
                if len(self.forks) >= MAX_FORKS:
                    raise _file(f"it holds more than {MAX_FORKS} proofs of forks")
                proof = parse_fork_proof(item.raw)
                self.forks.append(proof.sentence)
                self._fork_games.add(proof.first.game)
            case ItemType.RECORD:
                self._record(parse_record(item.raw))
            case kind if kind not in _PART:
                raise _file("it holds something that does not belong in a case")

    def _record(self, record: Record) -> None:
        if self.offer is None:
            self.offer = offer_of(record)
            self.umpire = self.offer.umpire
        self.records += 1
        if record.kind == "start" and self.game is None:
            self.game = record.id
        if record.kind == "rekey" and record.by == UMPIRE and record.game is not None and self.umpire is not None:
            check_record_signature(record, self.umpire.sign)
            self.umpire = _changed(record)
        if record.id in self._wanted:
            what, why = record.data.get("what"), record.data.get("why")
            kind = str(what) if record.kind == "ruling" else record.kind
            self._cited[record.id] = (record.by, kind, record.at, why if type(why) is str else "")

    def finish(self) -> Judged:
        case = self.case
        if case is None:
            raise _file("there is nothing in it")
        if self._evidence != case.evidence:
            raise Refusal(
                "E-CASE",
                "The contents of this file are not those that the umpire signed: something was removed, added or "
                "changed. Ask the umpire for the file again.",
                step="CAS-3",
            )
        offer = self._parties(case)
        self._rows(case.said)
        reasons = {each.record: self._cited[each.record][3] for each in case.said.rulings}
        return Judged(case, offer, reasons, self.records, tuple(self.forks))

    def _parties(self, case: Case) -> Offer:
        """CAS-4, CAS-5: whose statement it is, and about which game."""
        said, offer, umpire = case.said, self.offer, self.umpire
        if offer is None or umpire is None:
            raise _wrong("there is no offer by an umpire in it", "CAS-4")
        if umpire.identity != said.umpire:
            raise _wrong("it is not by the umpire of this game", "CAS-4")
        check_signature(umpire.sign, case.id, case.signature)
        if (offer.id, self.game) != (said.offer, said.game):
            raise _wrong("it is about another game or offer than the one in the file", "CAS-5")
        if offer.tournament != Board(said.tournament, said.title, *said.label[:2]):
            raise _wrong("its tournament, round or board are not those of the offer", "CAS-5")
        if self._fork_games - {offer.id, self.game}:
            raise _wrong("a proof of a fork in the file is about another game", "CAS-5")
        for each in said.players:
            if each.by >= len(offer.players) or offer.players[each.by] not in (None, each.identity):
                raise _wrong("it names other players", "CAS-5")
        return offer

    def _rows(self, said: Statement) -> None:
        """CAS-6: every row names a record of this file, by the author and with the time that it states."""
        for each in said.answered:
            by, _, at, _ = self._record_of(each.record)
            if (by, at) != (each.by, each.signed_at):
                raise _row(each.record, "by another author or of another time")
            if each.answered_at < each.asked_at or each.charged > each.answered_at - each.asked_at:
                raise _row(each.record, "answered before it was asked, or charged more time than passed")
        for what, record in (
            *(("extension", given.record) for given in said.extensions),
            *((ruled.what, ruled.record) for ruled in said.rulings),
        ):
            by, kind, _, _ = self._record_of(record)
            if (by, kind) != (UMPIRE, what):
                raise _row(record, f"no ruling `{what}` by the umpire")

    def _record_of(self, record: bytes) -> tuple[int, str, int, str]:
        found = self._cited.get(record)
        if found is None:
            raise _row(record, "not in this file")
        return found


def _changed(record: Record) -> Card:
    if type(record.data.get("card")) is not bytes or type(record.data.get("proof")) is not bytes:
        raise Refusal("E-FORM", "A record that should change the umpire's key does not.", step="REC-6")
    return new_card(record, record.by, record.seq)


def _file(why: str) -> Refusal:
    return Refusal("E-CASE", f"This is not the file of a case: {why}.", step="CAS-3")


def _wrong(why: str, step: str) -> Refusal:
    return Refusal("E-CASE", f"The umpire's statement does not fit the rest of the file: {why}.", step=step)


def _row(record: bytes, why: str) -> Refusal:
    return Refusal(
        "E-CASE",
        f"The umpire's statement names the record {record.hex()[:16]}, which is {why}.",
        step="CAS-6",
        record=record,
    )
