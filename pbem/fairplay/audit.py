"""The audit after a game: all secrets are made again from what their owners opened (docs/spec/hidden.md, HID-40..45).

Records come in the canonical order (MEA-1), only those that had an effect, after log and ledger found them good. The
first difference in that order names its author: E-AUDIT, with the step that they did not follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pbem.fairplay import items
from pbem.fairplay.begin import make_escrow
from pbem.fairplay.commitments import standing_slot, unpad
from pbem.fairplay.ledger import Ledger
from pbem.fairplay.secret import Opened, gs_commitment
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Genesis, Join
from pbem.protocol.kinds import is_sealed
from pbem.protocol.record import UMPIRE, Record


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The result of an audit: everything made again was found equal. `missing` are the authors who opened nothing by
    which to check them."""

    records: int
    values: int
    missing: tuple[int, ...]


class Auditor:
    """Streams over a game: `take` every record that had an effect, then `report`."""

    def __init__(self, genesis: Genesis, gs: Iterable[bytes]) -> None:
        self._genesis = genesis
        self._ledger = Ledger(genesis)
        self._secrets = {gs_commitment(secret): Opened(secret) for secret in gs}
        self._seals = {author: [genesis.card(author).seal] for author in genesis.authors}
        self._missing: set[int] = set()
        self._records = 0
        self._values = 0
        for author in genesis.authors:
            self._audit_join(genesis.join(author))

    def take(self, record: Record) -> None:
        """Audit one record, and take it in."""
        after = self._ledger.copy()
        after.apply(record)  # level 2 first: what is made again below is known to have its place
        if record.kind in ("orders", "release"):
            secrets = self._secrets_of(record.by)
            if secrets is None:
                self._missing.add(record.by)
            else:
                try:
                    self._audit(record, secrets)
                except _DifferenceError as found:
                    raise _fault(found, record.by, record.id) from None
        before, self._ledger = self._ledger, after
        self._records += 1
        if record.kind in ("rekey", "ruling"):
            self._follow(before)

    def report(self) -> AuditReport:
        return AuditReport(self._records, self._values, tuple(sorted(self._missing)))

    def _secrets_of(self, author: int) -> Opened | None:
        """The secrets of who holds this number now; without them their records pass unaudited."""
        return self._secrets.get(self._ledger.join(author).gs)

    def _follow(self, before: Ledger) -> None:
        """Substitutes, and the sealing keys a number has had: a card may be given before a new key was seen."""
        for author, keys in self._seals.items():
            if self._ledger.seal_key(author) not in keys:
                keys.append(self._ledger.seal_key(author))
            if self._ledger.join(author) is not before.join(author):
                self._audit_join(self._ledger.join(author))

    # What is compared

    def _same(self, made: object, found: object, step: str, what: str) -> None:
        if made != found:
            raise _DifferenceError(step, what)
        self._values += 1

    def _audit_join(self, join: Join) -> None:
        """HID-41: chains and escrow of an offer or join."""
        secrets = self._secrets.get(join.gs)
        if secrets is None:
            if join.chains:
                self._missing.add(join.by)
            return
        try:
            choosers = [chooser for chooser, _ in join.chains]
            anchors = tuple((chooser, secrets.chain(join.by, chooser).anchor) for chooser in choosers)
            self._same(anchors, join.chains, "CHA-3", "the chains of dice")
            if join.escrow is not None and self._genesis.umpire is not None:
                made = make_escrow(secrets, join.by, choosers, self._genesis.umpire.card)
                self._same(made, join.escrow, "CHA-9", "the escrow")
        except _DifferenceError as found:
            raise _fault(found, join.by, join.id) from None

    def _audit(self, record: Record, secrets: Opened) -> None:
        data: Any = record.data
        if record.kind == "orders":
            self._same(secrets.salt(record.seq), data["salt"], "CHA-5", "the salt of a record")
            for seat, slot, committed, box in _commitments(record):
                self._audit_choice(record.seq, secrets, seat, slot, committed, box)
        elif record.kind == "release":
            draft = self._ledger.copy()
            for item in data["items"]:
                self._audit_item(draft, record, secrets, item)
                draft.take_release(record.by, item)

    def _audit_choice(self, seq: int, secrets: Opened, seat: str, slot: str, committed: bytes, box: bytes) -> None:
        """HID-42: the box opens, and the commitment is to what is in it."""
        try:
            value = secrets.unbox(committed, box)
        except Refusal:
            raise _DifferenceError("HID-3", f"the box for {slot}") from None
        if unpad(value) is None:
            raise _DifferenceError("HID-1", f"the padding of {slot}")
        made = secrets.commit(self._genesis.game_id, seat, slot, seq, value)
        self._same(made, committed, "HID-1", f"the commitment in {slot}")

    def _audit_item(self, ledger: Ledger, record: Record, secrets: Opened, item: list[Any]) -> None:
        """HID-43, HID-44. Keys and openings of cards need no look: they fit commitments that are made again here."""
        decks = ledger.decks
        match item[0]:
            case "pass":
                _, deck, _, _, points, commitments, cards, back = item
                made = items.make_pass_item(ledger, secrets, record.by, deck, cards, back)
                step = "HID-17" if decks.wanted(deck, cards, back).back else "HID-12"
                self._same(made[4], points, step, f"a pass of {deck}")
                self._same(made[5], commitments, "HID-13", f"the keys promised for {deck}")
            case "deal":
                _, deck, _, commitments, cards, back = item
                made_bytes = items.deal_commitments(ledger, secrets, decks.plan(deck, cards, back))
                self._same(made_bytes, commitments, "HID-30", f"the deal of {deck}")
            case "give":
                _, slot, seat, box = item
                player = self._genesis.player_of(seat)
                boxes = {items.give_box(ledger, secrets, slot, public) for public in self._seals[player]}
                self._same(box in boxes, True, "HID-31", f"the card sealed for {seat} in {slot}")  # noqa: FBT003
            case _:
                pass  # "slot" and "show"


class _DifferenceError(Exception):
    """What was made again is not what was sent."""

    def __init__(self, step: str, what: str) -> None:
        super().__init__(what)
        self.step = step
        self.what = what


def _fault(found: _DifferenceError, author: int, record: bytes) -> Refusal:
    who = "the umpire" if author == UMPIRE else f"player {author}"
    return Refusal(
        "E-AUDIT",
        f"Cheating found in the audit: {found.what} of {who} is not what their secret makes. Their result is void.",
        step=found.step,
        author=author,
        record=record,
    )


def _commitments(record: Record) -> Iterator[tuple[str, str, bytes, bytes]]:
    """Seat, slot, commitment and box of every secret choice and sealed standing order in an orders record."""
    data: Any = record.data
    for slot, seat, committed, box in data.get("hide", ()):
        yield seat, slot, committed, box
    for seat, kind, policy in data.get("standing", ()):
        if is_sealed(policy):
            yield seat, standing_slot(seat, kind), policy[0], policy[1]
