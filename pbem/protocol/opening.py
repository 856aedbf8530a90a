"""The log before its game has started: one offer, the joins and declines that came for it, and the start (GEN-1..5)."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.genesis import (
    Genesis,
    Join,
    Offer,
    decline_of,
    join_of,
    offer_of,
    start_of,
)
from pbem.protocol.limits import MAX_JOINS
from pbem.protocol.record import Record, check_record_signature


class ForkFound(Refusal):
    """A second record where one is held already, both of them good (LOG-6). `held` is the id of the first."""

    def __init__(self, record: Record, held: bytes, sentence: str = "") -> None:
        super().__init__(
            "E-FORK",
            sentence or f"This is a second, different record {record.seq} by the same author as one that is held.",
            step="LOG-6",
            author=record.by,
            record=record.id,
        )
        self.held = held


@dataclass(frozen=True, slots=True)
class Answer:
    """What came for the offer: a join, or a decline (`join` None), which may be by whoever offered."""

    record: Record
    identity: bytes
    join: Join | None


class Opening:
    """Offer and candidates. More than one person may claim an open place: the start says who got it."""

    __slots__ = ("answers", "genesis", "offer", "offer_record", "start_record", "withdrawn")

    def __init__(self) -> None:
        self.offer: Offer | None = None
        self.offer_record: Record | None = None
        self.answers: dict[bytes, Answer] = {}
        self.genesis: Genesis | None = None
        self.start_record: Record | None = None
        self.withdrawn: Record | None = None
        """The decline by which its author took the offer back, in the start's place."""

    def joins(self) -> dict[bytes, Join]:
        return {key: answer.join for key, answer in self.answers.items() if answer.join is not None}

    def records(self) -> tuple[Record, ...]:
        """What is held, in an order in which it can be judged again."""
        first = [record for record in (self.offer_record,) if record is not None]
        last = [record for record in (self.start_record, self.withdrawn) if record is not None]
        return (*first, *(answer.record for answer in self.answers.values()), *last)

    def holds(self, record_id: bytes) -> bool:
        return any(record.id == record_id for record in self.records())

    def judge(self, record: Record) -> Offer | Answer | Genesis:
        """What a record adds. It is not one that is held."""
        offer = self.offer
        if record.kind == "offer":
            if offer is not None:
                raise Refusal("E-GAME", "This is the offer of another game.", step="GEN-5").of(record.by, record.id)
            return offer_of(record)
        if offer is None or record.game != offer.id:
            cited = [cited for _, cited in record.heads]
            if record.prev is not None:
                cited.append(record.prev)
            if offer is None and record.kind in ("join", "decline", "start") and record.game is not None:
                cited.append(record.game)
            raise Incomplete("The game that this record belongs to has not started here.", tuple(dict.fromkeys(cited)))
        second = self.start_record or self.withdrawn
        if second is not None and record.by == offer.starter and record.seq == 1:
            check_record_signature(record, offer.join.card.sign)
            raise ForkFound(record, second.id)
        if self.genesis is not None:
            raise self._late(offer, self.genesis, record)
        if record.kind == "start":
            return start_of(offer, self.joins(), record)
        answer = self._answer(offer, record)
        if record.by == offer.starter:
            return answer
        for other in self.answers.values():
            if other.identity == answer.identity:
                raise ForkFound(record, other.record.id, "The same person has answered this offer before, differently.")
        if len(self.answers) >= MAX_JOINS:
            raise Refusal(
                "E-LARGE", f"{MAX_JOINS} answers to this offer are held; no more are taken.", step="GEN-2"
            ).of(record.by, record.id)
        return answer

    def add(self, record: Record, judged: Offer | Answer | Genesis) -> None:
        if isinstance(judged, Offer):
            self.offer, self.offer_record = judged, record
        elif isinstance(judged, Answer):
            if record.seq:
                self.withdrawn = record
            else:
                self.answers[record.id] = judged
        else:
            self.genesis, self.start_record = judged, record
            self.answers = {cited: self.answers[cited] for cited in record.data["joins"]}

    def _answer(self, offer: Offer, record: Record) -> Answer:
        if record.kind == "decline":
            return Answer(record, decline_of(offer, record).identity, None)
        if record.kind != "join":
            raise Refusal("E-FORM", "Before the start there are only joins and declines.", step="GEN-5").of(
                record.by, record.id
            )
        join = join_of(offer, record)
        return Answer(record, join.identity, join)

    def _late(self, offer: Offer, genesis: Genesis, record: Record) -> Refusal:
        """Why a record that cites the offer is refused once the game runs."""
        if record.kind in ("join", "decline"):
            try:
                answer = self._answer(offer, record)
            except Refusal as refusal:
                return refusal.of(record.by, record.id)
            for join in genesis.joins:
                if join.identity == answer.identity:
                    return ForkFound(record, join.id, "The same person has answered this offer before, differently.")
        return Refusal("E-START", "The game has started without this record.", step="GEN-4").of(record.by, record.id)
