"""Level 1: which records belong to a game's log (docs/spec/record.md, LOG-1..LOG-9).

`Log.judge` says whether a record may be added and what its past is; it changes nothing. The verdict depends on the
record and its past alone, save for forks: of two rivals the one held first stands until a ruling chooses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pbem.protocol.card import Card
from pbem.protocol.chains import Chain, Fork, Lineage, load_chain
from pbem.protocol.deciding import Deciding
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.genesis import Genesis, Offer
from pbem.protocol.keys import check_signature
from pbem.protocol.kinds import check_data
from pbem.protocol.limits import MAX_FORKS
from pbem.protocol.opening import Answer, ForkFound
from pbem.protocol.record import Record, check_record_signature, parse_record
from pbem.protocol.rows import Rows, Vector
from pbem.protocol.ruling import Ruling, check_newcomer, new_card, ruling_of

__all__ = ["ForkFound", "Log", "Vector"]

_OPENING_KINDS = frozenset(("offer", "join", "decline", "start"))


@dataclass(slots=True)
class _Judged:
    """A record that may be added, and all that adding it needs."""

    chain: Chain
    past: Vector
    side: dict[int, int]
    card: Card
    in_step: bool = False
    next_card: Card | None = None
    ruling: Ruling | None = None


class Log(Deciding):
    """The records of one game, from the offer on."""

    __slots__ = ("_judged", "_vouched")

    def __init__(self) -> None:
        super().__init__()
        self._judged: tuple[Record, _Judged] | None = None  # so that who judges first and adds then pays once
        self._vouched: dict[bytes, bytes] = {}

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

    def judge(self, record: Record) -> Vector:
        """The vector of the record's past, if it may be added or is held already. Raises Refusal or Incomplete."""
        genesis = self._opening.genesis
        if genesis is None or record.game != genesis.game_id:
            if not self._opening.holds(record.id):
                self._judge_opening(record)
            return self._opening_past(record)
        judged = self._judge_in_step(genesis, record)
        if judged is None:
            held = self._held(record)
            if held is not None:
                return held
            judged = self._judge(genesis, record)
        self._judged = (record, judged)
        return judged.past

    def is_in_step(self, record: Record) -> bool:
        """Whether the record, judged last, was made in sight of all that is held."""
        return self._judged is not None and self._judged[0] is record and self._judged[1].in_step

    def would_be_void(self, record: Record) -> bool:
        """Whether the record, judged last, would have no effect, being built on a side branch (LOG-9)."""
        return self._judged is not None and self._judged[0] is record and bool(self._judged[1].side)

    def add(self, record: Record) -> Vector:
        """Judge and take in. A record that is held already changes nothing."""
        known = self._judged
        if known is None or known[0] is not record:
            genesis = self._opening.genesis
            if genesis is None or record.game != genesis.game_id:
                if not self._opening.holds(record.id):
                    self._opening.add(record, self._judge_opening(record))
                    self._begin()
                return self._opening_past(record)
            past = self.add_next(record) or self._held(record)
            if past is not None:
                return past
            known = record, self._judge(genesis, record)
        self._append(record, known[1])
        return known[1].past

    def add_next(self, record: Record) -> Vector | None:
        """Judge and take in the usual record: its author's next one, made in sight of all that is held.

        None: it is another, and has not been judged.
        """
        genesis = self._opening.genesis
        if genesis is None or record.game != genesis.game_id:
            return None
        judged = self._judge_in_step(genesis, record)
        if judged is None:
            return None
        self._append(record, judged)
        return judged.past

    def add_rival(self, record: Record) -> None:
        """Keep the second record of a fork, so that what others built on it can be judged too. It has no effect."""
        genesis = self._opening.genesis
        if genesis is None or record.game != genesis.game_id or record.by not in self._main:
            raise Refusal("E-GAME", "This record belongs to another game.", step="LOG-6").of(record.by, record.id)
        main = self._main[record.by]
        if self.holds(record.id):
            return
        if not (1 if record.by else 2) <= record.seq < main.end or main.id(record.seq - 1) != record.prev:
            raise _bad(
                record, "E-PREV", "LOG-1", "This record does not follow the one before it in its author's chain."
            )
        if len(self.forks) >= MAX_FORKS:
            raise _bad(record, "E-LARGE", "LOG-9", f"{MAX_FORKS} forks of this game are held; no more are kept.")
        side = Chain(Rows(len(self.authors)), main.card_at(record.seq), record.seq)
        judged = self._judge_on(genesis, record, side)
        self.forks.append(Fork(record.by, record.seq, record.id, side))
        judged.side[len(self.forks) - 1] = record.seq + 1
        self._append(record, judged)

    def _judge_opening(self, record: Record) -> Offer | Answer | Genesis:
        genesis = self._opening.genesis
        if genesis is not None and record.game not in (None, genesis.offer.id):
            raise _bad(record, "E-GAME", "GEN-5", "This record belongs to another game.")
        return self._opening.judge(record)

    def _opening_past(self, record: Record) -> Vector:
        authors = self.authors or (0,)
        cited = {by for by, _ in record.heads} | ({record.by} if record.seq else set())
        return tuple(int(by in cited) for by in authors)

    def _begin(self) -> None:
        genesis = self._opening.genesis
        if genesis is None or self._main:
            return
        self._columns = {by: n for n, by in enumerate(genesis.authors)}
        self._main = {by: Chain(Rows(len(genesis.authors)), genesis.card(by)) for by in genesis.authors}
        for record in self._opening.records():
            self._main[record.by].append(record.id, 0, self._opening_past(record), genesis.card(record.by))

    def _held(self, record: Record) -> Vector | None:
        """The past of the record if it is held."""
        main = self._main.get(record.by)
        if main is None:
            raise _bad(record, "E-GAME", "REC-4", "Nobody with this number plays in this game.")
        if main.id(record.seq) == record.id:
            return main.row(record.seq)[1]
        sides = [fork.side for fork in self.forks if fork.by == record.by]
        return next((side.row(record.seq)[1] for side in sides if side.id(record.seq) == record.id), None)

    def _judge_in_step(self, genesis: Genesis, record: Record) -> _Judged | None:
        """The usual record, in short: its author's next one, made in sight of all that is held. None: it is another.

        Its past is everything (LOG-2), its heads are closed and monotone because each is the last of its chain.
        """
        chain = self._main.get(record.by)
        if chain is None or self.forks or self.ruled or record.kind in _OPENING_KINDS:
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
        judged = _Judged(chain, tuple(counts), {}, chain.card_at(record.seq), in_step=True)
        self._check_content(genesis, record, judged, newest)
        return judged

    def _judge(self, genesis: Genesis, record: Record) -> _Judged:
        if record.kind in _OPENING_KINDS:
            raise _bad(record, "E-FORM", "REC-5", "The game has started; no record of this kind can come any more.")
        return self._judge_on(genesis, record, self._chain_for(record))

    def _chain_for(self, record: Record) -> Chain:
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
        if seq > main.end and not self.holds(record.prev):
            raise Incomplete(f"Earlier records by the author of record {seq} have not arrived.", (record.prev,))
        check_record_signature(record, main.card_at(seq).sign)
        held = main.id(seq)
        if held is not None:
            raise ForkFound(record, held)
        raise _bad(record, "E-PREV", "LOG-1", "This record does not follow the one before it in its author's chain.")

    def _judge_on(self, genesis: Genesis, record: Record, chain: Chain) -> _Judged:
        """Heads, key and signature, payload, in this order (REC-4)."""
        lineage, before = self._lineage(record, chain)
        past = tuple(lineage.past)
        if past[0] < 2:
            raise _bad(record, "E-HEADS", "LOG-11", "This record was made in sight of no start of the game.")
        judged = _Judged(chain, past, lineage.side, self._card_for(record.by, chain, past, before))
        self._check_content(genesis, record, judged, lineage.pin)
        return judged

    def _check_content(self, genesis: Genesis, record: Record, judged: _Judged, pin: int) -> None:
        key = judged.card.sign
        vouched = self._vouched.get(record.raw) == key
        if not vouched:
            check_record_signature(record, key)
        if not pin <= record.pin <= pin + 1:
            raise _bad(record, "E-PINS", "LOG-8", "This record names a version of the rules that its past does not.")
        try:
            if not vouched:
                check_data(record.kind, record.data)
            if record.kind == "rekey":
                judged.next_card = new_card(record, record.by, record.seq)
                check_newcomer(genesis, record.by, judged.next_card, "LOG-7")
            elif record.kind == "ruling":
                judged.ruling = self._ruling(genesis, record, judged.past, judged.side)
        except Refusal as refusal:
            # Of a record inside this one, too, its own author answers for the fault.
            refusal.author, refusal.record = record.by, record.id
            raise

    def _lineage(self, record: Record, chain: Chain) -> tuple[Lineage, Vector]:
        """What the record's past is, and what that of its predecessor was (LOG-2..LOG-5)."""
        own = self._columns[record.by]
        parent = chain if record.seq > chain.base else self._main[record.by]
        pin, before = parent.row(record.seq - 1)
        lineage = Lineage(list(before), pin)
        lineage.past[own] = record.seq
        if self._sides:
            assert record.prev is not None
            lineage.take((), 0, self._sides.get(record.prev, {}))
        cited: dict[int, tuple[int | None, int]] = {}
        missing = []
        for by, head in record.heads:
            found = self._cited(record, by, head)
            if found is None:
                missing.append(head)
                continue
            fork, source, seq = found
            head_pin, head_past = source.row(seq)
            column = self._columns[by]
            upto = seq + 1 if fork is None else self.forks[fork].seq
            lineage.take((*head_past[:column], upto, *head_past[column + 1 :]), head_pin, {})
            if self._sides:
                lineage.take((), 0, self._sides.get(head, {}))
            cited[by] = (fork, seq + 1)
        if missing:
            raise Incomplete("Records that this one cites have not arrived.", tuple(missing))
        if lineage.past[own] != record.seq:
            # A record of the author's other branch, or of his future, was cited through somebody else.
            raise _bad(record, "E-BRANCH", "LOG-9", "This record is built on both branches of a fork.")
        if lineage.side or self.forks:
            self._settle(record, chain, lineage)
        self._check_heads(record, cited, lineage, before)
        return lineage, before

    def _cited(self, record: Record, by: int, head: bytes) -> tuple[int | None, Chain, int] | None:
        """Where a head stands: number of the fork whose side branch holds it, or None; chain; sequence number."""
        main = self._main.get(by)
        if main is None:
            raise _bad(record, "E-HEADS", "LOG-3", "This record cites somebody who does not play in this game.")
        seq = main.find(head)
        if seq is not None:
            return None, main, seq
        for number, fork in enumerate(self.forks):
            if fork.by == by:
                seq = fork.side.find(head)
                if seq is not None:
                    return number, fork.side, seq
        if self.holds(head):
            raise _bad(record, "E-HEADS", "LOG-3", "This record cites a record as somebody else's than its author's.")
        return None

    def _settle(self, record: Record, chain: Chain, lineage: Lineage) -> None:
        """Forks decided in the record's past no longer matter; of the others it may know one branch only (LOG-9)."""
        branches: set[int] = set()
        for number, fork in enumerate(self.forks):
            if chain is fork.side:
                lineage.side[number] = record.seq + 1
            if number not in lineage.side:
                continue
            if fork.rulers and self._contains(lineage.past, fork.rulers):
                if chain is fork.side:
                    raise _bad(record, "E-BRANCH", "LOG-9", "This record continues a branch that a ruling has closed.")
                del lineage.side[number]
                continue
            crossed = fork.by != record.by and lineage.past[self._columns[fork.by]] > fork.seq
            if crossed or fork.by in branches or (fork.by == record.by and chain is not fork.side):
                raise _bad(record, "E-BRANCH", "LOG-9", "This record is built on both branches of a fork.")
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
                raise _bad(record, "E-HEADS", "LOG-4", "This record forgets what its author had seen before.")
            raise _bad(record, "E-HEADS", "LOG-3", "This record does not cite the last record that its past holds.")

    # Taking in

    def _append(self, record: Record, judged: _Judged) -> None:
        self._judged = None
        chain = judged.chain
        chain.append(record.id, record.pin, judged.past, judged.card)
        if judged.side:
            self._sides[record.id] = judged.side
        if judged.next_card is not None:
            chain.change_key(judged.next_card)
        if judged.ruling is not None and chain is self._main[record.by]:
            if judged.ruling.card is not None or judged.ruling.branch is not None:
                self._ruling_records.append(record)
            ruled = self._vote(record, judged.ruling)
            if ruled is not None and ruled.ruling.branch is not None:
                self._decide(ruled)

    @classmethod
    def load(cls, plain: Any) -> Log:
        """From one's own dump: it is not judged again, except for the opening."""
        log = cls()
        for raw in plain["opening"]:
            log.add(parse_record(raw))
        for by, data, keys in plain["chains"]:
            log._main[by] = load_chain(len(log.authors), data, keys, 0)
        for by, seq, first, data, keys, rulers, keep in plain["forks"]:
            side = load_chain(len(log.authors), data, keys, seq)
            log.forks.append(Fork(by, seq, first, side, tuple((b, s) for b, s in rulers), keep))
        log._sides = {key: dict(side) for key, side in plain["sides"]}
        log.revision = plain["revision"]
        genesis = log.genesis
        for raw in plain["rulings"]:
            assert genesis is not None
            record = parse_record(raw)
            ruling = ruling_of(genesis, record, log._place_held, log._signer)
            log._ruling_records.append(record)
            log._vote(record, ruling)
        return log


def _bad(record: Record, code: str, step: str, sentence: str) -> Refusal:
    return Refusal(code, sentence, step=step, author=record.by, record=record.id)
