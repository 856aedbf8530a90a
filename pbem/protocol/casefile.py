"""The file of a case: what the umpire states, held against all that is with it (docs/spec/case.md, CAS-3..6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pbem.protocol.card import Card
from pbem.protocol.case import NOTHING, Case, Statement, evidence_with, parse_case
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import Refusal
from pbem.protocol.fork import parse_fork_proof
from pbem.protocol.genesis import Board, Offer, game_id_of, offer_of
from pbem.protocol.keys import check_signature
from pbem.protocol.limits import MAX_FORKS
from pbem.protocol.record import UMPIRE, Record, check_record_signature, parse_record
from pbem.protocol.ruling import new_card


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
    """The statement in a file, held against the rest of the file (CAS-3..6), or a Refusal.

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
                raise _file("it holds something that belongs to no case")

    def _record(self, record: Record) -> None:
        if self.offer is None:
            self.offer = offer_of(record)
            self.umpire = self.offer.umpire
        self.records += 1
        if record.kind == "start" and self.game is None and _are_ids(record.data.get("joins")):
            self.game = game_id_of(self.offer.id, record.data["joins"], record.id)
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
                "What is in this file is not what the umpire put with the statement: something was taken out, added or "
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
            raise _wrong("it is about another game or offer than are with it", "CAS-5")
        if offer.tournament != Board(said.tournament, said.title, *said.label[:2]):
            raise _wrong("its tournament, round or board are not those of the offer", "CAS-5")
        if self._fork_games - {offer.id, self.game}:
            raise _wrong("a proof of a fork with it is of another game", "CAS-5")
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
                raise _row(each.record, "answered before it was asked, or charged more time than went by")
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
        raise Refusal("E-FORM", "A change of key of the umpire's is not one.", step="REC-6")
    return new_card(record, record.by, record.seq)


def _are_ids(value: object) -> bool:
    return type(value) is list and all(type(each) is bytes and len(each) == 32 for each in value)


def _file(why: str) -> Refusal:
    return Refusal("E-CASE", f"This is not the file of a case: {why}.", step="CAS-3")


def _wrong(why: str, step: str) -> Refusal:
    return Refusal("E-CASE", f"The umpire's statement does not fit what is with it: {why}.", step=step)


def _row(record: bytes, why: str) -> Refusal:
    return Refusal(
        "E-CASE",
        f"The umpire states something of the record {record.hex()[:16]}, and it is {why}.",
        step="CAS-6",
        record=record,
    )
