"""Log and match in step, for records that come in any order (docs/spec/meaning.md).

A record is judged in its own causal past; what it does depends on all records held, in the canonical order (MEA-1). The
common case, a record that has seen everything, is taken as it comes. All others cost a fold from the last checkpoint.
"""

from __future__ import annotations

from typing import Any, cast

import msgpack

from pbem.engine.fold import Checkpoint, Fold, Rules, Source, Upgrade
from pbem.engine.match import Accepted, Match, setup_of
from pbem.engine.plain import unfit
from pbem.protocol.canonical import Plain
from pbem.protocol.digest import be32, tagged
from pbem.protocol.genesis import offer_of
from pbem.protocol.log import Log, Vector
from pbem.protocol.order import CanonicalOrder, canonical_order, rank
from pbem.protocol.record import Record

EVERY = 256
"""Records between checkpoints: a checkpoint costs about as much as a few records."""


class Replay(Fold):
    """The game as its records tell it. `match` is None before the start."""

    def __init__(self, rules: Rules, *, source: Source | None = None, upgrade: Upgrade | None = None) -> None:
        super().__init__(rules, source=source, upgrade=upgrade)
        self.match: Match[Any] | None = None
        self._revision = 0

    # Taking records

    def accept(self, record: Record) -> Accepted:
        """Judge a record and take it in. Raises Refusal or Incomplete; then nothing has changed."""
        if self.match is None or record.game != self.match.genesis.game_id:
            return self._accept_opening(record)
        past = self.log.judge(record)
        in_step = self.log.is_in_step(record)
        if not in_step and self.log.id_at(record.by, record.seq) == record.id:
            return Accepted()
        if not in_step and self.log.would_be_void(record):
            self.log.add(record)
            self._held[record.id] = record.raw
            if self.log.revision != self._revision:
                return self._refolded(record)
            if self.log.id_at(record.by, record.seq) == record.id:
                # Built on the side branch, it is void: it has its place in the order and no effect (MEA-1).
                assert self._order is not None
                at = self._order.insert(self._entry(record, self.log.past_at(record.by, record.seq)))
                self._points = [point for point in self._points if point.at <= at]
            return Accepted(moot=True)
        missing = 0 if in_step else self._missing(self.match, record, past, self.log.vector)
        if missing is None:
            return self._accept_late(record, past)
        accepted = None
        try:
            accepted = self.match.accept(record, partial=missing > 0)
        finally:
            if accepted is None and self.match.spoiled:
                self._restore()
        self._add(record, past, last=in_step)
        if self.log.revision != self._revision:
            return self._refolded(record)
        self._mark()
        return accepted

    def add_rival(self, record: Record) -> None:
        """Keep the second record of a fork. It has no effect unless a ruling chooses it."""
        self.log.add_rival(record)
        self._held[record.id] = record.raw

    def stored(self) -> None:
        """Everything accepted so far can be had from `source`."""
        if self.source is not None:
            self._held = {key: raw for key, raw in self._held.items() if self.log.forks and self.log.find(key) is None}

    def take_added(self, record: Record, past: Vector, *, in_step: bool) -> Accepted:
        """Judge a record that log and order hold already, with its past (for archives).

        `in_step`: its past is everything before it; log and order may hold more that comes after. Otherwise it is the
        last of the order.
        """
        assert self.match is not None
        accepted = self.match.accept(record) if in_step else self._take_apart(record, past)
        self._held[record.id] = record.raw
        if not in_step:
            self._mark()
        elif self._is_due(sum(past) + 1):
            column = self.log.column(record.by)
            self._point((*past[:column], past[column] + 1, *past[column + 1 :]))
        return accepted

    def _take_apart(self, record: Record, past: Vector) -> Accepted:
        """A record that is in the log, and was made without sight of some that come before it."""
        assert self.match is not None
        whole = list(self.log.vector)
        whole[self.log.column(record.by)] -= 1
        missing = self._missing(self.match, record, past, tuple(whole))
        if missing is not None:
            return self.match.accept(record, partial=missing > 0)
        self.fold(past).accept(record)
        self.match, accepted = self._take(self.match, record, past, tuple(whole))
        return accepted

    def begin(self, order: CanonicalOrder | None = None) -> None:
        """The start is in the log. `order`: of the log, where somebody else keeps it."""
        self.match = self._fresh()
        self._order = order or CanonicalOrder(self.log.authors)
        if order is None:
            for record in self.log.opening:
                self._order.insert(self._entry(record, self.log.past_at(record.by, record.seq)))
        self._revision = self.log.revision

    def _accept_opening(self, record: Record) -> Accepted:
        if record.game is not None and self.log.id_at(record.by, record.seq) == record.id:
            return Accepted()
        if record.kind == "offer" and self.log.offer is None:
            self.log.judge(record)
            setup_of(offer_of(record), *self._game(offer_of(record)))
        self.log.add(record)
        if self.log.genesis is not None and self.match is None:
            self.begin()
        return Accepted()

    def _add(self, record: Record, past: Vector, *, last: bool = False) -> None:
        """Into log and order; `last`: its past is everything."""
        assert self._order is not None
        self.log.add(record)
        self._held[record.id] = record.raw
        if self.log.revision != self._revision:
            return
        if last:
            self._order.follow(record.by, rank(record.by, record.kind))
            return
        at = self._order.insert(self._entry(record, past))
        if self._points and self._points[-1].at > at:
            self._points = [point for point in self._points if point.at <= at]

    def _accept_late(self, record: Record, past: Vector) -> Accepted:
        """A record that has not seen everything: good if it is good in its past, and then put where it belongs."""
        self.fold(past).accept(record)
        self._add(record, past)
        if self.log.revision != self._revision:
            return self._refolded(record)
        self.match, accepted = self._fold(self.log.vector, record)
        self._mark(now=True)
        return accepted

    def _refolded(self, record: Record) -> Accepted:
        """A ruling has changed which records count: everything is folded again."""
        assert self._order is not None
        self._revision = self.log.revision
        self._held[record.id] = record.raw
        self._points = []
        self._order = CanonicalOrder(self.log.authors)
        entries = {
            by: [self._entry(self._record(by, seq), self.log.past_at(by, seq)) for seq in range(self.log.count(by))]
            for by in self.log.authors
        }
        for by, seq in canonical_order(self.log.authors, entries):
            self._order.insert(entries[by][seq])
        self.match, accepted = self._fold(self.log.vector, record)
        self._mark(now=True)
        return accepted

    def _restore(self) -> None:
        """After a refusal half-way: the match again as it was."""
        self.match = self.fold(self.log.vector)
        self._mark(now=True)

    # Keeping

    def _mark(self, *, now: bool = False) -> None:
        assert self._order is not None
        if self._is_due(len(self._order), now=now):
            self._point(self.log.vector)

    def _is_due(self, at: int, *, now: bool = False) -> bool:
        last = self._points[-1].at if self._points else 0
        return at - last >= EVERY or (now and at > last)

    def _point(self, past: Vector) -> None:
        assert self.match is not None
        raw = msgpack.packb(self.match.dump(), use_bin_type=True)
        self._points = [*self._points[-2:], Checkpoint(sum(past), past, raw)]

    def bound(self) -> bytes:
        """What binds a snapshot to its records: the last record of every author, which by its chain binds all."""
        fields = [tagged("pbem1/bound", be32(self.log.count(by)), self.log.last(by)) for by in self.log.authors]
        return tagged("pbem1/snapshot", *fields)

    def dump(self) -> dict[str, Plain]:
        """Everything but the records themselves. One row a record, and the match, which does not grow."""
        return {
            "bound": self.bound(),
            "log": self.log.dump(),
            "match": None if self.match is None else self.match.dump(),
            "order": None if self._order is None else self._order.dump(),
        }

    @classmethod
    def load(cls, plain: Any, rules: Rules, *, source: Source | None = None, upgrade: Upgrade | None = None) -> Replay:
        """From one's own dump; without a source of records only records that have seen all before can follow."""
        replay = cls(rules, source=source, upgrade=upgrade)
        replay.log = Log.load(plain["log"])
        replay._revision = replay.log.revision
        if plain["bound"] != replay.bound():
            raise unfit("a snapshot of other records")
        if plain["match"] is not None:
            replay._order = CanonicalOrder.load(replay.log.authors, cast(bytes, plain["order"]))
            raw = msgpack.packb(plain["match"], use_bin_type=True)
            replay.match = replay._load_match(raw)
            replay._points = [Checkpoint(len(replay._order), replay.log.vector, raw)]
        return replay
