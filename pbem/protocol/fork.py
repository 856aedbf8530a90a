"""A proof of a fork that convinces a stranger from one file (docs/spec/record.md, LOG-6, LOG-10).

Two records that one key has signed for one place in one chain. The card says whose key that is; where the author has
changed keys since he joined, the `rekey` records lead from the key of his card to the key in force.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.protocol import canonical
from pbem.protocol.card import Card, parse_card
from pbem.protocol.errors import Refusal
from pbem.protocol.kinds import check_data
from pbem.protocol.limits import MAX_FORK, MAX_REKEYS
from pbem.protocol.record import Record, check_record_signature, parse_record
from pbem.protocol.ruling import new_card

_STEP = "LOG-10"
_ENTRIES = frozenset(("join", "decline"))


@dataclass(frozen=True, slots=True)
class ForkProof:
    """A proof that holds. `first` and `second` in ascending order of their ids, `card` the forker's as he joined."""

    raw: bytes
    card: Card = field(compare=False)
    first: Record = field(compare=False)
    second: Record = field(compare=False)
    rekeys: tuple[Record, ...] = field(compare=False)

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


def make_fork_proof(one: Record, other: Record, card: Card, rekeys: Sequence[Record] = ()) -> ForkProof:
    """The proof, checked as a stranger will check it."""
    first, second = sorted((one, other), key=lambda record: record.id)
    return parse_fork_proof(canonical.pack([card.raw, first.raw, second.raw, [record.raw for record in rekeys]]))


def parse_fork_proof(raw: bytes) -> ForkProof:
    """The proof in these bytes, if it proves what it says; else a Refusal."""
    value: Any = canonical.unpack(raw, MAX_FORK)
    if type(value) is not list or list(map(type, value)) != [bytes, bytes, bytes, list]:
        raise _unproven("it is not a card, two records and a list of changes of key")
    card_raw, first_raw, second_raw, changes = value
    if len(changes) > MAX_REKEYS or set(map(type, changes)) - {bytes}:
        raise _unproven(f"it lists something else than at most {MAX_REKEYS} changes of key")
    card = parse_card(card_raw)
    first, second = parse_record(first_raw), parse_record(second_raw)
    if first.id >= second.id:
        raise _unproven("its two records are the same, or not in the order of their ids")
    if not same_place(first, second):
        raise _unproven("its two records are not for the same place of the same chain")
    rekeys = tuple(map(parse_record, changes))
    key = _key_in_force(card.sign, first, rekeys)
    check_record_signature(first, key)
    check_record_signature(second, key)
    return ForkProof(raw, card, first, second, rekeys)


def _key_in_force(key: bytes, forked: Record, rekeys: tuple[Record, ...]) -> bytes:
    """Follow the changes of key (LOG-7) of the author from his card to the place of the fork."""
    seq = 0
    for record in rekeys:
        if record.kind != "rekey" or record.by != forked.by or record.game is None or record.game != forked.game:
            raise _unproven("a change of key in it is of another author or game")
        if not seq < record.seq < forked.seq:
            raise _unproven("the changes of key in it are out of order, or later than the fork")
        check_record_signature(record, key)
        check_data(record.kind, record.data)
        key = new_card(record, record.by, record.seq).sign
        seq = record.seq
    return key


def _unproven(why: str) -> Refusal:
    return Refusal("E-PROOF", f"This file proves no fork: {why}.", step=_STEP)
