"""A proof of a fork that convinces a stranger from one file (docs/spec/record.md, LOG-6, LOG-10).

Two records that one key has signed for one place in one chain. The card says whose key that is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pbem.protocol import canonical
from pbem.protocol.card import Card, parse_card
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_FORK
from pbem.protocol.record import Record, check_record_signature, parse_record

_STEP = "LOG-10"
_ENTRIES = frozenset(("join", "decline"))


@dataclass(frozen=True, slots=True)
class ForkProof:
    """A proof that holds. `first` and `second` in ascending order of their ids, `card` that of the key that signed."""

    raw: bytes
    card: Card = field(compare=False)
    first: Record = field(compare=False)
    second: Record = field(compare=False)

    @property
    def identity(self) -> bytes:
        return self.card.identity

    @property
    def sentence(self) -> str:
        """What a stranger may conclude. The name is as the forker's card gives it: escape it when shown."""
        game = (self.first.game or b"").hex()[:12]
        return f"{self.card.name} has signed two different records {self.first.seq} in the game {game}."


def same_place(a: Record, b: Record) -> bool:
    """Two records of which an author may sign only one (LOG-6), if one key has signed both."""
    if a.id == b.id or a.game is None or a.game != b.game or a.seq != b.seq:
        return False
    return a.by == b.by or (a.seq == 0 and a.kind in _ENTRIES and b.kind in _ENTRIES)


def make_fork_proof(one: Record, other: Record, card: Card) -> ForkProof:
    """The proof, checked as a stranger will check it."""
    first, second = sorted((one, other), key=lambda record: record.id)
    return parse_fork_proof(canonical.pack([card.raw, first.raw, second.raw]))


def parse_fork_proof(raw: bytes) -> ForkProof:
    """The proof in these bytes, if it proves what it says; else a Refusal."""
    value: Any = canonical.unpack(raw, MAX_FORK)
    if type(value) is not list or list(map(type, value)) != [bytes, bytes, bytes]:
        raise _unproven("it is not a card and two records")
    card = parse_card(value[0])
    first, second = parse_record(value[1]), parse_record(value[2])
    if first.id >= second.id:
        raise _unproven("its two records are the same, or not in the order of their ids")
    if not same_place(first, second):
        raise _unproven("its two records are not for the same place of the same chain")
    check_record_signature(first, card.sign)
    check_record_signature(second, card.sign)
    return ForkProof(raw, card, first, second)


def _unproven(why: str) -> Refusal:
    return Refusal("E-PROOF", f"This file proves no fork: {why}.", step=_STEP)
