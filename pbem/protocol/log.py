"""Level 1: which records belong to a game's log (docs/spec/record.md, LOG-1..LOG-9).

`Log.judge` says whether a record may be added and what its past is; it changes nothing. The verdict depends on the
record and its past alone, except in forks: of two rivals the one stored first stands until a ruling chooses.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from pbem.protocol.authorchain import AuthorChain, Fork, Lineage, Place, Rows, Vector
from pbem.protocol.canonical import Plain
from pbem.protocol.card import Card
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
from pbem.protocol.keys import check_signature
from pbem.protocol.kinds import PLAY, check_data
from pbem.protocol.limits import MAX_FORKS, MAX_JOINS
from pbem.protocol.plain import MAKERS, TRANSIENT, Codec, codec, dump, load
from pbem.protocol.record import Heads, Record, check_record_signature
from pbem.protocol.ruling import Branch, Came, Ruled, Ruling, Vote, came_by, new_card, ruling_of

__all__ = ["ForkFound", "Judged", "Log", "Vector"]


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


class Answer(NamedTuple):
    """An answer to the offer: a join, or a decline (`join` None), which may be by the author of the offer."""

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
                raise record.refusal("E-GAME", "GEN-5", "This is the offer of another game.")
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
            raise record.refusal("E-LARGE", "GEN-2", f"{MAX_JOINS} answers to this offer are held; no more are taken.")
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
            self.answers = {cited: self.answers[cited] for cited in [*dict(record.heads).values()]}

    def _answer(self, offer: Offer, record: Record) -> Answer:
        if record.kind == "decline":
            return Answer(record, decline_of(offer, record).identity, None)
        if record.kind != "join":
            raise record.refusal("E-FORM", "GEN-5", "Before the start there are only joins and declines.")
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
        return record.refusal("E-START", "GEN-4", "The game has started without this record.")


def _load_opening(plain: Plain) -> Opening:
    opening = Opening()
    for record in codec(tuple[Record, ...]).load(plain):
        opening.add(record, opening.judge(record))
    return opening


MAKERS[Opening] = lambda _: Codec(lambda opening: [each.raw for each in opening.records()], _load_opening, fixed=False)

_OPENING_KINDS = frozenset(("offer", "join", "decline", "start"))


class Known(NamedTuple):
    """A past: how many records of each author's main chain, and of the side branch of fork n up to which number."""

    vector: Vector
    side: Mapping[int, int] = MappingProxyType({})


@dataclass(slots=True)
class Judged:
    """A record that may be added to the log that judged it, as that stands, and all that adding it needs.

    `past`: the vector of its past. `in_step`: it was made in sight of all that is held. Without `chain` and `opening`
    it is held already.
    """

    past: Vector
    chain: AuthorChain | None = None
    side: dict[int, int] = field(default_factory=dict)
    card: Card | None = None
    in_step: bool = False
    next_card: Card | None = None
    ruling: Ruling | None = None
    opening: Offer | Answer | Genesis | None = None

    @property
    def is_void(self) -> bool:
        """It would have no effect, being built on a side branch (LOG-9)."""
        return bool(self.side)


@dataclass(slots=True, eq=False, repr=False)
class Log:
    """The records of one game, from the offer on: the main chains and side branches, who signs, what is void."""

    _opening: Opening = field(default_factory=Opening)
    _main: dict[int, AuthorChain] = field(default_factory=dict)
    _sides: dict[bytes, dict[int, int]] = field(default_factory=dict)
    _rulings: dict[bytes, Ruled] = field(default_factory=dict)
    """Those about keys and branches, by what they say."""
    _came: list[Came] = field(default_factory=list)
    forks: list[Fork] = field(default_factory=list)
    revision: int = 0
    """Rises when a ruling changes which records count; a reader that has folded the log begins again."""
    _columns: dict[int, int] = field(default_factory=dict, metadata=TRANSIENT)
    _vouched: dict[bytes, bytes] = field(default_factory=dict, metadata=TRANSIENT)

    # What is held

    @property
    def offer(self) -> Offer | None:
        return self._opening.offer

    @property
    def genesis(self) -> Genesis | None:
        return self._opening.genesis

    @property
    def withdrawn(self) -> Record | None:
        """The decline by which its author took the offer back."""
        return self._opening.withdrawn

    @property
    def opening(self) -> tuple[Record, ...]:
        """Offer, joins (before the start: every answer held) and start, or that the offer was taken back."""
        return self._opening.records()

    @property
    def candidates(self) -> dict[bytes, Join]:
        """The joins held, by record id."""
        return self._opening.joins()

    @property
    def authors(self) -> tuple[int, ...]:
        """The order of the places of a vector."""
        return self._opening.offer.authors if self._opening.offer else ()

    def column(self, by: int) -> int:
        return self._columns[by]

    @property
    def vector(self) -> Vector:
        """How many records of each author are held, once the game has started."""
        return tuple([len(chain.rows) for chain in self._main.values()])

    def count(self, by: int) -> int:
        return self._main[by].end if by in self._main else 0

    def id_at(self, by: int, seq: int) -> bytes | None:
        return self._main[by].id(seq) if by in self._main else None

    def last(self, by: int) -> bytes | None:
        return self.id_at(by, self.count(by) - 1)

    def past_at(self, by: int, seq: int) -> Vector:
        return self._main[by].row(seq)[1]

    def entry(self, record: Record) -> Entry:
        """A record of a main chain, as the canonical order needs it (MEA-1)."""
        forks = [self.forks[number] for number in self._sides.get(record.id, ())]
        rivals = [(fork.by, fork.seq, self.id_at(fork.by, fork.seq)) for fork in forks]
        behind = tuple((by, seq) for by, seq, rival in rivals if rival is not None and rival not in self._sides)
        return Entry(record.by, rank(record.by, record.kind), self.past_at(record.by, record.seq), behind)

    def find(self, record_id: bytes) -> Place | None:
        """Author and sequence number of a record that stands in a main chain."""
        found = self._stands(record_id)
        return found[1:] if found is not None and found[0] is None else None

    def _stands(self, record_id: bytes) -> tuple[int | None, int, int] | None:
        """Where a record stands: on the side branch of which fork (None: in a main chain), its author and number."""
        for by, chain in self._main.items():
            if (seq := chain.find(record_id)) is not None:
                return None, by, seq
        for number, fork in enumerate(self.forks):
            if (seq := fork.side.find(record_id)) is not None:
                return number, fork.by, seq
        return None

    def has(self, record: Record) -> bool:
        """Whether this very record is held. Takes no longer in a long game."""
        if self.id_at(record.by, record.seq) == record.id:
            return True
        genesis = self._opening.genesis
        if (genesis is None or record.game != genesis.game_id) and self._opening.holds(record.id):
            return True
        return bool(self.forks) and any(
            fork.by == record.by and fork.side.id(record.seq) == record.id for fork in self.forks
        )

    def holds(self, record_id: bytes) -> bool:
        """Whether a record with this id is held, wherever."""
        return self._stands(record_id) is not None or self._opening.holds(record_id)

    def is_void(self, record_id: bytes) -> bool:
        """It descends from the side branch of a fork: it stands in its chain and has no effect (MEA-10)."""
        return bool(self._sides) and record_id in self._sides

    def card_of(self, by: int, seq: int | None = None) -> Card:
        """The card whose keys an author uses: at their record `seq`, or now, rulings counted."""
        if not self._main:
            raise KeyError(by)
        chain = self._main[by]
        if seq is not None:
            return chain.card_at(seq)
        return self._card_for(by, chain, Known(self.vector), self._known_to(chain, chain.end - 1))

    def cards_of(self, by: int) -> tuple[Card, ...]:
        """All the cards that an author has signed with, the one in force last."""
        return tuple(dict.fromkeys([*(card for _, card in self._main[by].keys), self.card_of(by)]))

    def heads(self, by: int) -> Heads:
        """What the next record of this author cites: the last good record of everybody else."""
        out = []
        undecided = {number for number, fork in enumerate(self.forks) if not self.is_decided(fork)}
        for other in self.authors:
            if other == by or other not in self._main:
                continue
            chain = self._main[other]
            seq = chain.end - 1
            while seq > 0 and undecided & self._sides.get(chain.rows.id(seq), {}).keys():
                seq -= 1
            out.append((other, chain.rows.id(seq)))
        return tuple(out)

    def is_decided(self, fork: Fork) -> bool:
        """Whether a ruling on main chains drops its side branch."""
        return self._drops(fork.first, Known(self.vector))

    def ruled_on(self, by: int) -> tuple[Ruling, ...]:
        """The rulings that hold about a player's key or place, the newest last."""
        return tuple(ruled.ruling for ruled in self._new_keys(by, Known(self.vector)))

    def chosen(self, fork: Fork) -> dict[int, bytes]:
        """Which of the fork's two records each player has ruled to keep, whether the ruling holds or not (MEA-10)."""
        rivals = {self.id_at(fork.by, fork.seq), fork.first}
        said = [(branch, by) for branch, votes in self._branches() for by, _, record in votes if self.find(record)]
        return {by: branch.keep for branch, by in said if {branch.keep, branch.drop} == rivals}

    def knows_decision(self, record: Record) -> bool:
        """Whether a ruling `branch` holds in the past of this record, whose heads are held (MEA-8)."""
        cited = {by: self.find(head) for by, head in record.heads}
        counts = {by: place[1] + 1 for by, place in cited.items() if place is not None} | {record.by: record.seq}
        past = Known(tuple(counts.get(by, 0) for by in self.authors))
        return bool(self._chosen(past))

    def look_ahead(self, records: Iterable[Record], known: Log | None = None) -> None:
        """Check signature, by the keys now in force, and payload of records that come soon: many are sooner done.

        Judges nothing. One that fails, or is by a key that will have changed, is checked again in its turn. What stands
        in `known`, the log of an earlier pass over the same records, was found good there.
        """
        self._vouched = {}
        for record in records:
            if record.by not in self._main:
                continue
            key = self._main[record.by].keys[-1][1].sign
            try:
                if known is None or known.id_at(record.by, record.seq) != record.id:
                    check_signature(key, record.id, record.signature)
                    check_data(record.kind, record.data)
                self._vouched[record.raw] = key
            except Refusal:
                continue

    # Judging

    def judge(self, record: Record) -> Judged:
        """Whether the record may be added, or is held already. Raises Refusal or Incomplete, and changes nothing."""
        genesis = self._opening.genesis
        if genesis is None or record.game != genesis.game_id:
            found = None if self._opening.holds(record.id) else self._judge_opening(record)
            return Judged(self._opening_past(record), opening=found)
        judged = self._judge_in_step(genesis, record)
        if judged is None:
            held = self._held(record)
            judged = self._judge(genesis, record) if held is None else Judged(held)
        return judged

    def add(self, record: Record, judged: Judged | None = None) -> Vector:
        """Take in what has been judged, or is now. A record that is held already changes nothing."""
        judged = judged or self.judge(record)
        if judged.opening is not None:
            self._opening.add(record, judged.opening)
            self._begin()
            return self._opening_past(record)
        if judged.chain is not None:
            self._append(record, judged.chain, judged)
        return judged.past

    def add_next(self, record: Record) -> Vector | None:
        """Judge and take in the usual record: its author's next one, made in sight of all that is held.

        None: it is another, and has not been judged.
        """
        genesis = self._opening.genesis
        if genesis is None or record.game != genesis.game_id:
            return None
        judged = self._judge_in_step(genesis, record)
        return None if judged is None else self.add(record, judged)

    def add_rival(self, record: Record) -> None:
        """Keep the second record of a fork, so that what others built on it can be judged too. It has no effect."""
        genesis = self._opening.genesis
        if genesis is None or record.game != genesis.game_id or record.by not in self._main:
            raise record.refusal("E-GAME", "LOG-6", "This record belongs to another game.")
        main = self._main[record.by]
        if self.holds(record.id):
            return
        if not 1 <= record.seq < main.end or main.id(record.seq - 1) != record.prev:
            raise _astray(record)
        if len(self.forks) >= MAX_FORKS:
            raise record.refusal("E-LARGE", "LOG-9", f"{MAX_FORKS} forks of this game are held; no more are kept.")
        side = self._branch_off(record.by, record.seq)
        judged = self._judge_on(genesis, record, side)
        self.forks.append(Fork(record.by, record.seq, record.id, side))
        judged.side[len(self.forks) - 1] = record.seq + 1
        self._append(record, side, judged)

    def _branch_off(self, by: int, seq: int) -> AuthorChain:
        """A side branch that begins at this place, with the key in force behind the record before it (LOG-7)."""
        main = self._main[by]
        rekeyed = any(each.place == (by, seq - 1, main.id(seq - 1)) for each in self._came if each.number == by)
        cards = [card for first, card in main.keys if first < seq]
        card = next(card for first, card in main.keys if first == seq) if rekeyed else cards[-1]
        return AuthorChain(Rows(len(self.authors)), [(seq, card)], seq)

    def _judge_opening(self, record: Record) -> Offer | Answer | Genesis:
        genesis = self._opening.genesis
        if genesis is not None and record.game not in (None, genesis.offer.id):
            raise record.refusal("E-GAME", "GEN-5", "This record belongs to another game.")
        return self._opening.judge(record)

    def _opening_past(self, record: Record) -> Vector:
        authors = self.authors or (record.by,)
        cited = {by for by, _ in record.heads} | ({record.by} if record.seq else set())
        return tuple(int(by in cited) for by in authors)

    def _begin(self) -> None:
        genesis = self._opening.genesis
        if genesis is None or self._main:
            return
        self._columns = {by: n for n, by in enumerate(genesis.authors)}
        self._main = {by: AuthorChain(Rows(len(genesis.authors)), [(0, genesis.card(by))]) for by in genesis.authors}
        for record in self._opening.records():
            self._main[record.by].append(record.id, 0, self._opening_past(record), genesis.card(record.by))

    def _held(self, record: Record) -> Vector | None:
        """The past of the record if it is held."""
        main = self._main.get(record.by)
        if main is None:
            raise record.refusal("E-GAME", "REC-4", "Nobody with this number plays in this game.")
        if main.id(record.seq) == record.id:
            return main.row(record.seq)[1]
        sides = [fork.side for fork in self.forks if fork.by == record.by]
        return next((side.row(record.seq)[1] for side in sides if side.id(record.seq) == record.id), None)

    def _judge_in_step(self, genesis: Genesis, record: Record) -> Judged | None:
        """The usual record, in short: its author's next one, made in sight of all that is held. None: it is another.

        Its past is everything (LOG-2), its heads are closed and monotone because each is the last of its chain.
        """
        chain = self._main.get(record.by)
        if chain is None or self.forks or self._rulings or record.kind in _OPENING_KINDS:
            return None
        counts, due, newest = [], [], 0
        for by, other in self._main.items():
            count, last, pin = other.rows.tip()
            if other is not chain:
                due.append((by, last))
            elif record.seq != count or record.prev != last:
                return None
            counts.append(count)
            if pin > newest:
                newest = pin
        if record.heads != tuple(due):
            return None
        judged = Judged(tuple(counts), chain, card=chain.card_at(record.seq), in_step=True)
        self._check_content(genesis, record, judged, newest)
        return judged

    def _judge(self, genesis: Genesis, record: Record) -> Judged:
        if record.kind in _OPENING_KINDS:
            raise record.refusal("E-FORM", "REC-5", "The game has started; no record of this kind can come any more.")
        return self._judge_on(genesis, record, self._chain_for(record))

    def _chain_for(self, record: Record) -> AuthorChain:
        """The chain at whose end the record belongs (LOG-1)."""
        by, seq = record.by, record.seq
        main = self._main[by]
        forks = [fork for fork in self.forks if fork.by == by]
        if seq == 0:
            check_record_signature(record, main.card_at(0).sign)
            raise ForkFound(record, main.rows.id(0))
        if main.id(seq - 1) == record.prev:
            for fork in forks:
                if fork.seq == seq and fork.first == record.id and fork.side.end == seq:
                    return fork.side
            ruled = next((fork.keep for fork in forks if fork.seq == seq and fork.keep is not None), None)
            held = main.id(seq) or ruled
            if held is not None and held != record.id:
                check_record_signature(record, main.card_at(seq).sign)
                raise ForkFound(record, held)
            return main
        for fork in forks:
            if fork.side.id(seq - 1) == record.prev:
                held = fork.side.id(seq)
                if held is not None:
                    check_record_signature(record, fork.side.card_at(seq).sign)
                    raise ForkFound(record, held)
                return fork.side
        assert record.prev is not None
        if not self.holds(record.prev):  # which may be of a branch that has not come
            raise Incomplete(f"Earlier records by the author of record {seq} have not arrived.", (record.prev,))
        check_record_signature(record, main.card_at(seq).sign)
        held = main.id(seq)
        if held is not None:
            raise ForkFound(record, held)
        raise _astray(record)

    def _judge_on(self, genesis: Genesis, record: Record, chain: AuthorChain) -> Judged:
        """Heads, key and signature, payload, in this order (REC-4)."""
        lineage, before = self._lineage(record, chain)
        past = Known(tuple(lineage.past), lineage.side)
        if past.vector[self._columns[genesis.offer.starter]] < 2:
            raise record.refusal("E-HEADS", "LOG-11", "This record does not have the start of the game in its past.")
        judged = Judged(past.vector, chain, lineage.side, self._card_for(record.by, chain, past, before))
        self._check_content(genesis, record, judged, lineage.pin)
        return judged

    def _check_content(self, genesis: Genesis, record: Record, judged: Judged, pin: int) -> None:
        assert judged.card is not None
        key = judged.card.sign
        vouched = self._vouched.get(record.raw) == key
        if not vouched:
            check_record_signature(record, key)
        if not pin <= record.pin <= pin + 1:
            raise record.refusal("E-PINS", "LOG-8", "This record names a version of the rules that its past does not.")
        try:
            if not vouched:
                check_data(record.kind, record.data)
            if record.kind == "rekey":
                judged.next_card = new_card(record, record.by, record.seq)
            elif record.kind == "ruling":
                judged.ruling = self._ruling(genesis, record, Known(judged.past, judged.side))
            if record.kind in ("rekey", "ruling") or self._came:
                self._check_number(genesis, record, judged)
        except Refusal as refusal:
            # Of a record inside this one, too, its own author answers for the fault.
            refusal.author, refusal.record = record.by, record.id
            raise

    def _check_number(self, genesis: Genesis, record: Record, judged: Judged) -> None:
        """A person who signs a record or comes in by it has no other number in its past (LOG-7)."""
        assert judged.card is not None
        new = came_by(record, judged.next_card, judged.ruling)
        past = Known(judged.past, judged.side)
        came = [(genesis.join(by).identity, by) for by in genesis.authors]
        came += [(each.identity, each.number) for each in self._came if self._knows(past, *each.place)]
        entering = [(new.identity, new.number)] if new is not None else []
        for who in {judged.card.identity, *(who for who, _ in entering)}:
            if len({number for other, number in (*came, *entering) if other == who}) > 1:
                raise Refusal("E-IDENTITY", "One person would have two numbers in this game.", step="LOG-7")

    def _known_to(self, chain: AuthorChain, seq: int) -> Known:
        """The past of a record that stands in this chain."""
        return Known(chain.row(seq)[1], self._sides.get(chain.rows.id(seq - chain.base), {}))

    def _lineage(self, record: Record, chain: AuthorChain) -> tuple[Lineage, Known]:
        """What the record's past is, and what that of its predecessor was (LOG-2..LOG-5)."""
        own, on_main = self._columns[record.by], chain.base or record.seq
        parent = chain if record.seq > chain.base else self._main[record.by]
        before = self._known_to(parent, record.seq - 1)
        lineage = Lineage(list(before.vector), parent.row(record.seq - 1)[0], dict(before.side))
        lineage.past[own] = on_main
        cited: dict[int, tuple[int | None, int]] = {}
        for by, head, fork, source, seq in self._cited(record):
            head_pin, head_past = source.row(seq)
            column = self._columns[by]
            upto = seq + 1 if fork is None else self.forks[fork].seq
            lineage.take((*head_past[:column], upto, *head_past[column + 1 :]), head_pin, self._sides.get(head, {}))
            cited[by] = (fork, seq + 1)
        if lineage.past[own] != on_main:  # a record of the author's other branch was cited through somebody else
            raise record.refusal("E-BRANCH", "LOG-9", "This record is built on both branches of a fork.")
        if lineage.side or self.forks:
            self._settle(record, chain, lineage)
        self._check_heads(record, cited, lineage, before.vector)
        return lineage, before

    def _cited(self, record: Record) -> Iterator[tuple[int, bytes, int | None, AuthorChain, int]]:
        """Where each head stands: its author and id, the number of the fork whose side branch has it (None: a main
        chain has it), chain and sequence number. A missing head makes the record incomplete, whatever the others are.
        """
        if not self._main.keys() >= {by for by, _ in record.heads}:
            raise record.refusal("E-HEADS", "LOG-3", "This record cites somebody who does not play in this game.")
        places = [(by, head, self._stands(head)) for by, head in record.heads]
        missing = tuple(head for _, head, place in places if place is None)
        if missing:
            raise Incomplete("Records that this one cites have not arrived.", missing)
        for by, head, place in places:
            if place is None or place[1] != by:
                raise record.refusal("E-HEADS", "LOG-3", "This record cites a record under the wrong author.")
            fork, _, seq = place
            yield by, head, fork, self._main[by] if fork is None else self.forks[fork].side, seq

    def _settle(self, record: Record, chain: AuthorChain, lineage: Lineage) -> None:
        """Forks decided in the record's past no longer matter; of the others it may know one branch only (LOG-9)."""
        branches: set[int] = set()
        past = Known(tuple(lineage.past), dict(lineage.side))
        for number, fork in enumerate(self.forks):
            column, own, closed = self._columns[fork.by], fork.by == record.by, False
            if chain is fork.side:
                lineage.side[number] = record.seq + 1
            if lineage.past[column] > fork.seq and self._drops(self._main[fork.by].id(fork.seq), past):
                # By rulings of which not all stand on main chains: else it were no longer the main chain.
                lineage.past[column], closed = fork.seq, own
            if number in lineage.side and self._drops(fork.first, past):
                del lineage.side[number]
                closed = closed or chain is fork.side
            if closed:
                raise record.refusal("E-BRANCH", "LOG-9", "This record continues a branch that a ruling has closed.")
            if number not in lineage.side:
                continue
            crossed = not own and lineage.past[column] > fork.seq
            if crossed or fork.by in branches or (own and chain is not fork.side):
                raise record.refusal("E-BRANCH", "LOG-9", "This record is built on both branches of a fork.")
            branches.add(fork.by)

    def _check_heads(
        self, record: Record, cited: dict[int, tuple[int | None, int]], lineage: Lineage, before: Vector
    ) -> None:
        branch = {self.forks[number].by: (number, count) for number, count in lineage.side.items()}
        for by, column in self._columns.items():
            if by == record.by:
                continue
            known = lineage.past[column]
            due = branch.get(by, (None, known))
            head = cited.get(by, (None, 0))
            if head == due:
                continue
            if head[0] is None and due[0] is None and head[1] < before[column]:
                raise record.refusal("E-HEADS", "LOG-4", "This record forgets what its author had seen before.")
            raise record.refusal("E-HEADS", "LOG-3", "This record does not cite the last record that its past holds.")

    def _place_in(self, past: Known, record_id: bytes) -> Place | None:
        """Author and sequence number of a record of this past."""
        found = self._stands(record_id)
        if found is None:
            return None
        fork, by, seq = found
        known = past.vector[self._columns[by]] if fork is None else past.side.get(fork, 0)
        return (by, seq) if seq < known else None

    def _knows(self, past: Known, by: int, seq: int, record_id: bytes) -> bool:
        """Whether this past has that record, which stands at this place of one of its author's branches."""
        if self._main[by].id(seq) == record_id:
            return past.vector[self._columns[by]] > seq
        return any(self.forks[n].side.id(seq) == record_id and seq < count for n, count in past.side.items())

    def _branches(self) -> Iterator[tuple[Branch, list[Vote]]]:
        """The rulings that choose a branch, and who has made them."""
        return ((each.ruling.branch, each.votes) for each in self._rulings.values() if each.ruling.branch is not None)

    def _chosen(self, past: Known) -> list[Branch]:
        """What rulings that hold there choose."""
        held = [each.ruling.branch for each in self._rulings.values() if self._holds(each, past)]
        return [branch for branch in held if branch is not None]

    def _holds(self, ruled: Ruled, past: Known) -> bool:
        """Everybody whose say it needs has made this ruling there (MEA-10)."""
        made = {vote[0] for vote in ruled.votes if self._knows(past, *vote)}
        return made.issuperset(ruled.ruling.needed)

    def _drops(self, first: bytes | None, past: Known) -> bool:
        """Whether a ruling there drops the branch that begins with this record."""
        return any(branch.drop == first for branch in self._chosen(past))

    def _card_for(self, by: int, chain: AuthorChain, past: Known, before: Known) -> Card:
        """Whose key signs a record with this past (LOG-7): the chain's, unless the last ruling came since `before`."""
        ruled = self._new_keys(by, past)
        fresh = ruled[-1].ruling.card if ruled and not self._holds(ruled[-1], before) else None
        return fresh or chain.card_at(chain.end)

    def _new_keys(self, by: int, past: Known) -> list[Ruled]:
        """The rulings there about a player's key, in the order in which the lowest of their rulers made them."""

        def made(ruled: Ruled) -> int:
            first = min(ruled.ruling.needed)
            return min(vote[1] for vote in ruled.votes if vote[0] == first and self._knows(past, *vote))

        about = [each for each in self._rulings.values() if each.ruling.card is not None and each.ruling.player == by]
        return sorted((each for each in about if self._holds(each, past)), key=made)

    # Taking in

    def _append(self, record: Record, chain: AuthorChain, judged: Judged) -> None:
        assert judged.card is not None
        chain.append(record.id, record.pin, judged.past, judged.card)
        if judged.side:
            self._sides[record.id] = judged.side
        if chain.base == 0 and any(fork.by == record.by and fork.seq == record.seq for fork in self.forks):
            self.revision += 1  # the record that a ruling keeps has come: void ones stand behind it (MEA-1)
        if judged.next_card is not None:
            chain.change_key(judged.next_card)
        ruling = judged.ruling
        came = came_by(record, judged.next_card, ruling)
        if came is not None:
            self._came.append(came)
        if ruling is not None and (ruling.card is not None or ruling.branch is not None):
            self._rulings.setdefault(ruling.subject, Ruled(ruling, [])).votes.append((record.by, record.seq, record.id))
        if ruling is not None and ruling.branch is not None:
            self._decide()

    # What a ruling changes: whose key holds, which branch is the main chain (LOG-7, LOG-9, MEA-10)

    def _ruling(self, genesis: Genesis, record: Record, past: Known) -> Ruling:
        """What a ruling says that has this past."""
        place, signer = partial(self._place_in, past), lambda by, seq: self._main[by].card_at(seq).sign
        ruling = ruling_of(genesis, record, place, signer)
        if ruling.branch is None:
            return ruling
        keep, pair = ruling.branch.keep, {ruling.branch.keep, ruling.branch.drop}
        for said, votes in self._branches():
            # One author chooses once: two rulings that choose differently could never be told apart later.
            mine = any(vote[0] == record.by and self._knows(past, *vote) for vote in votes)
            if mine and said.keep != keep and pair & {said.keep, said.drop}:
                raise Refusal("E-RULING", "Its author has ruled on this fork before, differently.", step="MEA-10")
        return ruling

    def _decide(self) -> None:
        """Forks that are decided by what is on main chains: the branch that is kept becomes the main chain (MEA-10).

        What stands on that branch counts from then on, and may decide the next.
        """
        for _ in range(MAX_FORKS + 1):
            if not any(map(self._keep, self._chosen(Known(self.vector)))):
                return

    def _keep(self, branch: Branch) -> bool:
        """Make a branch the main chain; False: it is."""
        main = self._main[branch.by]
        held = main.id(branch.seq)
        if held is None:
            return False  # it is, and has not come yet
        rival = branch.drop if held == branch.keep else branch.keep
        number = next((n for n, fork in enumerate(self.forks) if fork.first == rival), len(self.forks))
        if number == len(self.forks):
            side = self._branch_off(branch.by, branch.seq)
            self.forks.append(Fork(branch.by, branch.seq, rival, side))
        fork = self.forks[number]
        fork.keep = branch.keep
        if held == branch.keep:
            return False
        main.exchange(fork.side)
        fork.first = held
        self._turn(number, fork)
        self.revision += 1
        return True

    def _turn(self, number: int, fork: Fork) -> None:
        """After main chain and side branch changed places: so do the records built on them."""
        column, main = self._columns[fork.by], self._main[fork.by]

        def count(chain: AuthorChain, n: int, known: int) -> None:
            past = chain.rows.row(n)[1]
            chain.rows.set_past(n, (*past[:column], known, *past[column + 1 :]))

        for n in range(len(fork.side.rows)):
            self._sides.setdefault(fork.side.rows.id(n), {})[number] = fork.seq + n + 1
            count(fork.side, n, fork.seq)
        for seq in range(fork.seq, main.end):
            self._leave(main.rows.id(seq), number)
            count(main, seq, seq)
        others = [chain for by, chain in self._main.items() if by != fork.by]
        others += [each.side for each in self.forks if each.by != fork.by]
        for chain in others:
            for n in range(len(chain.rows)):
                record_id, past = chain.rows.id(n), chain.rows.row(n)[1]
                known = self._sides.get(record_id, {}).get(number, 0)
                if known:
                    self._leave(record_id, number)
                    count(chain, n, known)
                elif past[column] > fork.seq:
                    self._sides.setdefault(record_id, {})[number] = past[column]
                    count(chain, n, fork.seq)

    def _leave(self, record_id: bytes, number: int) -> None:
        side = self._sides.get(record_id)
        if side is not None:
            side.pop(number, None)
            if not side:
                del self._sides[record_id]

    # Keeping

    def dump(self) -> Plain:
        return dump(self)

    @classmethod
    def load(cls, plain: Plain) -> Log:
        """From one's own dump: it is not judged again, except for the opening."""
        log = load(cls, plain)
        log._columns = {by: n for n, by in enumerate(log.authors)}
        return log


def in_any_order(records: Iterable[Record], take: Callable[[Record], object]) -> list[Record]:
    """Gives each record to `take`, and once more when one has been taken that it lacked: so records in any order cost
    little more than in theirs. Those come back that lack others still."""
    waiting = list(records)
    while True:
        queue, lacking = deque(waiting), dict[bytes, list[Record]]()
        while queue:
            record = queue.popleft()
            try:
                take(record)
            except Incomplete as gap:
                lacking.setdefault(next(iter(gap.missing), b""), []).append(record)
            else:
                queue.extendleft(reversed(lacking.pop(record.id, [])))
        left = [record for records in lacking.values() for record in records]
        if len(left) == len(waiting):
            return left
        waiting = left


def _astray(record: Record) -> Refusal:
    sentence = "This record does not follow the one before it in its author's chain."
    return record.refusal("E-PREV", "LOG-1", sentence)


_ACT = 0x80


def rank(by: int, kind: str) -> int:
    """Of two records that could be taken next, the one of lower rank is."""
    return by if kind in PLAY else by | _ACT


class Entry(NamedTuple):
    """A record as the canonical order needs it: the numbers of records in its past, its author's own as well.

    `behind`: where else a void one stands behind, the places of the rivals of side branches that it knows.
    """

    by: int
    rank: int
    past: Vector
    behind: tuple[Place, ...] = ()


def _holds(places: array[int], count: int) -> bool:
    return len(places) >= count


class CanonicalOrder:
    """The order of a growing set. One byte a record, and four for its place."""

    __slots__ = ("_authors", "_columns", "_places", "_ranks")

    def __init__(self, authors: Iterable[int]) -> None:
        self._authors = tuple(authors)
        self._columns = {by: n for n, by in enumerate(self._authors)}
        self._ranks = bytearray()
        self._places = [array("I") for _ in self._authors]

    @classmethod
    def of(cls, authors: Iterable[int], entries: Iterable[Entry]) -> CanonicalOrder:
        """Of records that hold their own past, whatever order they are given in."""
        order = cls(authors)
        chains: list[list[Entry]] = [[] for _ in order._authors]
        for entry in entries:
            chains[order._columns[entry.by]].append(entry)
        for column, chain in enumerate(chains):
            chain.sort(key=lambda each: -each.past[column])
        while any(chains):
            tips = [chain[-1] for chain in chains if chain]
            ready = [entry for entry in tips if all(map(_holds, order._places, entry.past))]
            if not ready:
                raise ValueError("a record without its past")
            # Where forkers lie so that void records would stand behind each other, their pasts alone count.
            first = min([entry for entry in ready if order._is_free(entry)] or ready, key=lambda each: each.rank)
            order._put(chains[order._columns[first.by]].pop(), len(order))
        return order

    def _is_free(self, entry: Entry) -> bool:
        return all(len(self._places[self._columns[by]]) > seq for by, seq in entry.behind)

    def __len__(self) -> int:
        return len(self._ranks)

    def __iter__(self) -> Iterator[Place]:
        return self.since(0)

    def since(self, at: int) -> Iterator[Place]:
        """The records from place `at` on."""
        counts = dict(zip(self._authors, self.counts(at), strict=True))
        for entry in self._ranks[at:]:
            by = entry & ~_ACT
            yield by, counts[by]
            counts[by] += 1

    def counts(self, at: int) -> tuple[int, ...]:
        """How many of each author's records stand before place `at`."""
        ranks = self._ranks
        return tuple([ranks.count(by, 0, at) + ranks.count(by | _ACT, 0, at) for by in self._authors])

    def at(self, by: int, seq: int) -> int:
        """Where a record stands."""
        return self._places[self._columns[by]][seq]

    def place(self, entry: Entry) -> int:
        """Where a record goes that ends its author's chain: `len(self)` if it simply comes after all others.

        It is taken as soon as its past is, except that of the records taken from there on those of lower rank go first.
        No other record depends on it, so the others keep their order.
        """
        if sum(entry.past) == len(self._ranks):
            return len(self._ranks)  # its past is everything
        at = 0
        for places, count in zip(self._places, entry.past, strict=True):
            if count:
                at = max(at, places[count - 1] + 1)
        for by, seq in entry.behind:
            at = max(at, self.at(by, seq) + 1)
        ranks = self._ranks
        while at < len(ranks) and ranks[at] < entry.rank:
            at += 1
        return at

    def append(self, entry: Entry) -> bool:
        """Put a record at the end, if that is where it goes."""
        if self.place(entry) != len(self):
            return False
        self._put(entry, len(self._ranks))
        return True

    def follow(self, by: int, rank: int) -> None:
        """Put a record at the end whose past is everything."""
        self._places[self._columns[by]].append(len(self._ranks))
        self._ranks.append(rank)

    def insert(self, entry: Entry) -> int:
        """Put a record where it goes."""
        at = self.place(entry)
        self._put(entry, at)
        return at

    def _put(self, entry: Entry, at: int) -> None:
        column = self._columns[entry.by]
        if entry.past[column] != len(self._places[column]):
            raise ValueError("not the next record of its author")
        if at < len(self._ranks):
            self._places = [array("I", (n + (n >= at) for n in places)) for places in self._places]
        self._ranks.insert(at, entry.rank)
        self._places[column].append(at)

    def dump(self) -> Plain:
        """One byte a record."""
        return bytes(self._ranks)

    @classmethod
    def load(cls, authors: Iterable[int], plain: bytes) -> CanonicalOrder:
        order = cls(authors)
        order._ranks = bytearray(plain)
        for at, entry in enumerate(plain):
            order._places[order._columns[entry & ~_ACT]].append(at)
        return order
