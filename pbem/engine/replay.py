"""Keeps log and match in step, for records that come in any order (docs/spec/meaning.md, MEA-1..MEA-4).

A record is judged in its own past; what it does depends on all records held, in the canonical order (MEA-1). The
common case, a record that has seen everything, is taken as it comes. All others cost a fold from the last checkpoint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

import msgpack

from pbem.engine.definition import DataSet, Game
from pbem.engine.match import Accepted, Around, Look, Match, check_pins, setup_of
from pbem.engine.position import OVER
from pbem.protocol.canonical import Plain
from pbem.protocol.digest import be32, tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Genesis, Offer
from pbem.protocol.kinds import PLAY
from pbem.protocol.log import CanonicalOrder, Judged, Log, Vector, rank
from pbem.protocol.plain import unfit
from pbem.protocol.record import Record, parse_record

Rules: TypeAlias = "Callable[[Offer], Game[Any] | tuple[Game[Any], DataSet]]"
"""The game of an offer, and the data it is played with."""
Source = Callable[[int, int], bytes]
"""The bytes of the record that stands at a place of its author's main chain."""
Upgrade = Callable[[str, int, bytes], "tuple[Game[Any], DataSet] | None"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The match after the first `at` records of the canonical order, of which `past` counts each author's."""

    at: int
    past: Vector
    raw: bytes


EVERY = 256
"""Records between checkpoints: a checkpoint costs about as much as a few records."""
FAR = 8
"""A position that took more records than this to fold is kept: takebacks ask for it again, or for one close by."""
KEPT = 4


class Replay:
    """A log, its records in the order in which they take effect, and the match that they make (None before the start).

    `source` gives back records accepted earlier; without one all are kept. `upgrade` finds the rules to which a
    migration leads, by module, behaviour and data digest; without one they are those of `rules`. `rivals` gives back
    records of side branches by id.
    """

    def __init__(self, rules: Rules, *, source: Source | None = None, upgrade: Upgrade | None = None) -> None:
        self.log = Log()
        self.match: Match[Any] | None = None
        self.source = source
        self.rivals: Callable[[bytes], bytes | None] | None = None
        self._rules = rules
        self._upgrade = upgrade
        self._around = Around(self._rules_to, self._history, self._is_decided)
        self._held: dict[bytes, bytes] = {}
        self._order: CanonicalOrder | None = None
        self._points: list[Checkpoint] = []
        self._bygone: list[Checkpoint] = []  # those that folds have reached, the last one last
        self._revision = 0

    def attend(self, **changed: Any) -> None:
        """Who watches, and whether anybody wants the events: see `Around`."""
        self._around = replace(self._around, **changed)
        if self.match is not None:
            self.match.around = self._around

    # Taking records

    def accept(self, record: Record) -> Accepted:
        """Judge a record and take it in. Raises Refusal or Incomplete; then nothing has changed."""
        if self.match is None or record.game != self.match.genesis.game_id:
            return self._accept_opening(record)
        judged = self.log.judge(record)
        past, in_step = judged.past, judged.in_step
        if judged.chain is None:  # held already, on whatever branch
            return Accepted()
        if judged.is_void:
            self.log.add(record, judged)
            self._held[record.id] = record.raw
            if self.log.revision != self._revision:
                return self._refolded(record)
            if self.log.id_at(record.by, record.seq) == record.id:
                # Built on the side branch, it is void: it has its place in the order and no effect (MEA-1).
                assert self._order is not None
                self._forget(self._order.insert(self.log.entry(record)))
            return Accepted(moot=True)
        missing = 0 if in_step else self._missing(self.match, record, past, self.log.vector)
        if missing is None:
            return self._accept_late(record, judged)
        accepted = None
        try:
            accepted = self.match.accept(record, partial=missing > 0)
        finally:
            if accepted is None and self.match.broken:
                self._restore()
        self._add(record, judged)
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
        self._order = order or CanonicalOrder.of(self.log.authors, map(self.log.entry, self.log.opening))
        self._revision = self.log.revision

    def _accept_opening(self, record: Record) -> Accepted:
        if record.game is not None and self.log.id_at(record.by, record.seq) == record.id:
            return Accepted()
        judged = self.log.judge(record)
        if isinstance(judged.opening, Offer):
            setup_of(judged.opening, *self._game(judged.opening))
        self.log.add(record, judged)
        if self.log.genesis is not None and self.match is None:
            self.begin()
        return Accepted()

    def _add(self, record: Record, judged: Judged) -> None:
        """Into log and order."""
        assert self._order is not None
        self.log.add(record, judged)
        self._held[record.id] = record.raw
        if self.log.revision != self._revision:
            return
        if judged.in_step:
            self._order.follow(record.by, rank(record.by, record.kind))
            return
        self._forget(self._order.insert(self.log.entry(record)))

    def _accept_late(self, record: Record, judged: Judged) -> Accepted:
        """A record that has not seen everything: good if it is good in its past, and then put where it belongs."""
        self.fold(judged.past).accept(record)
        self._add(record, judged)
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
        self._points, self._bygone = [], []
        authors = self.log.authors
        places = [(by, seq) for by in authors for seq in range(self.log.count(by))]
        entries = (self.log.entry(self._record(*place)) for place in places)
        self._order = CanonicalOrder.of(authors, entries)
        self.match, accepted = self._fold(self.log.vector, record)
        self._mark(now=True)
        return accepted

    def _restore(self) -> None:
        """After a refusal half-way: the match again as it was."""
        self.match = self.fold(self.log.vector)
        self._mark(now=True)

    # Folding: any past can be made into a match

    def fold(self, past: Vector) -> Match[Any]:
        """The match as the records of this past make it."""
        assert self._order is not None
        match, at = self._fold(past, None)[0], sum(past)
        if at - self._base(past).at > FAR and self._order.counts(at) == past:
            self._bygone = [*self._bygone[1 - KEPT :], self.checkpoint(match, past)]
        return match

    def history(self) -> Iterator[tuple[Record, Accepted]]:
        """The game again from its offer: every record in the canonical order, and what it did.

        Records of side branches come before those that cite them; like all void ones they did nothing.
        """
        return ((record, accepted) for record, accepted, _ in self.retold())

    def retold(
        self, look: Look | None = None, *, since: Checkpoint | None = None
    ) -> Iterator[tuple[Record, Accepted, Match[Any] | None]]:
        """The history, and after each record the match, to be looked at before the next; None before the start.

        `look` sees the match inside the records, too; of a record that comes out as moot, in vain. `since`: only what
        comes after this checkpoint, which `goes_on` has found to be one of this history.
        """
        opening = self.log.opening if since is None else ()
        match = None
        if self._order is not None:
            match = self._fresh() if since is None else self._load_match(since.raw)
            match.around = replace(match.around, look=look)
        for record in opening:
            started = match if record is opening[-1] else None
            yield record, Accepted(started.begun) if started is not None else Accepted(), started
        if match is not None:
            yield from self._onwards(match, (0,) * len(self.log.authors) if since is None else since.past)

    def _onwards(
        self, match: Match[Any], taken: Vector, upto: Vector | None = None
    ) -> Iterator[tuple[Record, Accepted, Match[Any]]]:
        """The records behind those taken, those of the past `upto` alone, and after each the match.

        Without `upto` also those that do nothing: void ones, and those of side branches before the first that cites
        them.
        """
        assert self._order is not None
        rivals: set[bytes] = set()
        for by, seq in self._order.since(sum(taken)):
            column = self.log.column(by)
            if upto is not None and seq >= upto[column]:
                continue
            whole, taken = taken, (*taken[:column], taken[column] + 1, *taken[column + 1 :])
            if self._is_opening(by, seq) or (upto is not None and self.log.is_void(self.log.id_at(by, seq) or b"")):
                continue
            record, accepted = self._record(by, seq), Accepted(moot=True)
            for rival in self._rivals_below(record, rivals) if upto is None and self.log.forks else ():
                yield rival, accepted, match
            if not self.log.is_void(record.id):
                match, accepted = self._take(match, record, self.log.past_at(by, seq), whole)
            yield record, accepted, match

    def checkpoint(self, match: Match[Any], past: Vector) -> Checkpoint:
        """Of a match that `retold` gave after the records of this past."""
        return Checkpoint(sum(past), past, msgpack.packb(match.dump(), use_bin_type=True))

    def goes_on(self, since: Checkpoint) -> bool:
        """The history begins with the records of this checkpoint, and none of them can turn out to be void."""
        order = self._order
        if order is None or self.log.forks or len(since.past) != len(self.log.authors):
            return False
        return since.at == sum(since.past) <= len(order) and since.past == order.counts(since.at)

    def records(self) -> Iterator[Record]:
        """All records held that count, opening ones first, in the canonical order: what an archive holds."""
        yield from self.log.opening
        for by, seq in self._order or ():
            if not self._is_opening(by, seq):
                yield self._record(by, seq)

    def _rivals_below(self, record: Record, told: set[bytes]) -> Iterator[Record]:
        """The records of side branches that this one cites, and those that they cite, as far as they were not told."""
        for cited in (record.prev, *(head for _, head in record.heads)):
            if cited is None or cited in told or self.log.find(cited) is not None:
                continue
            raw = self._held.get(cited) or (self.rivals(cited) if self.rivals is not None else None)
            if raw is not None:
                told.add(cited)
                rival = parse_record(raw)
                yield from self._rivals_below(rival, told)
                yield rival

    def _fold(self, past: Vector, watched: Record | None) -> tuple[Match[Any], Accepted]:
        """From the last checkpoint that this past contains. Also what the watched record did."""
        base = self._base(past)
        match = self._load_match(base.raw) if base.raw else self._fresh()
        seen = Accepted(moot=True)
        for record, accepted, later in self._onwards(match, base.past, past):
            match = later
            if watched is not None and record.id == watched.id:
                seen = accepted
        return match, seen

    def _base(self, past: Vector) -> Checkpoint:
        """The last checkpoint that this past contains; without bytes: the start."""
        held = (
            point
            for point in (*self._points, *self._bygone)
            if all(low <= high for low, high in zip(point.past, past, strict=True))
        )
        return max(held, key=lambda point: point.at, default=Checkpoint(0, (0,) * len(past), b""))

    def _take(self, match: Match[Any], record: Record, past: Vector, whole: Vector) -> tuple[Match[Any], Accepted]:
        """One record in the fold: it was good in its own past, and is moot if it is not good here (MEA-4)."""
        missing = self._missing(match, record, past, whole)
        if missing is not None:
            return match, match.accept(record, partial=missing > 0)
        trial = match.copy()
        try:
            accepted = trial.accept(record, judged=False)
        except Refusal as refusal:
            if refusal.code == "E-RULES":
                raise
            return match, Accepted(moot=True)
        return trial, accepted

    def _missing(self, match: Match[Any], record: Record, past: Vector, whole: Vector) -> int | None:
        """How many records are not in the record's past, if it can be judged here all the same; else None.

        It can if it is of class play and so are those, all taken at the barrier that stands: what one author gives
        there does not depend on what the others give. So it is after the end, when all sign the result, and then when
        all open everything.
        """
        if past == whole:
            return 0
        barrier = match.position.barrier
        alike = ("open_all" if match.position.opened else "end",) if barrier.phase == OVER else PLAY
        if record.kind not in alike:
            return None
        count = sum(whole) - sum(past)
        taken = {(by, seq) for by, _, seq in barrier.records}
        if count > len(taken):
            return None
        for by, low, high in zip(self.log.authors, past, whole, strict=True):
            if any((by, seq) not in taken for seq in range(low, high)):
                return None
        return count

    @property
    def _genesis(self) -> Genesis:
        assert self.log.genesis is not None
        return self.log.genesis

    def _fresh(self) -> Match[Any]:
        return self._linked(Match.start(self._genesis, *self._game(self._genesis.offer)))

    def _linked(self, match: Match[Any]) -> Match[Any]:
        match.around = self._around
        return match

    def _is_decided(self, record: Record) -> bool:
        return self.log.knows_decision(record)

    def _rules_to(self, behaviour: int, data: bytes) -> tuple[Game[Any], DataSet] | None:
        """Those to which a migration leads, if they are here."""
        offer = self._genesis.offer
        if self._upgrade is not None:
            return self._upgrade(offer.rules.module, behaviour, data)
        game, held = self._found(offer)
        found = held if held.digest == data else game.data_of(data)
        return (game, found) if found is not None and game.behaviour >= behaviour else None

    def _game(self, offer: Offer) -> tuple[Game[Any], DataSet]:
        """What the offer pins, and nothing else: not even a snapshot is opened with other data (E-PINS)."""
        game, data = self._found(offer)
        check_pins(offer, game, data)
        return game, data

    def _found(self, offer: Offer) -> tuple[Game[Any], DataSet]:
        found = self._rules(offer)
        return found if isinstance(found, tuple) else (found, found.data_of(offer.rules.data) or found.data)

    def _is_opening(self, by: int, seq: int) -> bool:
        return seq == 0 or (seq == 1 and by == self._genesis.offer.starter)

    def _record(self, by: int, seq: int) -> Record:
        wanted = self.log.id_at(by, seq)
        assert wanted is not None
        raw = self._held.get(wanted)
        if raw is not None:
            return parse_record(raw)
        opening = next((each for each in self.log.opening if each.id == wanted), None)
        if opening is not None:
            return opening
        if self.source is None:
            raise RuntimeError(f"record {by}-{seq} is not at hand")
        record = parse_record(self.source(by, seq))
        if record.id != wanted:
            raise RuntimeError(f"another record was kept for {by}-{seq}")
        return record

    def _history(self, to: tuple[tuple[int, int], ...]) -> Match[Any]:
        """The match at a vector named by a takeback; refused unless there was such a past (MEA-9)."""
        wanted = dict(to)
        authors = self.log.authors
        past = tuple(wanted.get(by, 0) for by in authors)
        fault = Refusal("E-ACT", "The takeback leads to a point that never was.", step="MEA-9")
        if len(wanted) != len(to) or tuple(wanted) != authors:
            raise fault
        for by, count in to:
            if not (2 if by == self._genesis.offer.starter else 1) <= count <= self.log.count(by):
                raise fault
            inside = self.log.past_at(by, count - 1)
            if any(low > high for low, high in zip(inside, past, strict=True)):
                raise fault
        return self.fold(past)

    def _load_match(self, raw: bytes) -> Match[Any]:
        plain = msgpack.unpackb(raw, raw=False, strict_map_key=False)
        game, data = self._rules_at(plain["position"])
        return self._linked(Match.load(self._genesis, game, plain, data))

    def _rules_at(self, position: dict[str, Any]) -> tuple[Game[Any], DataSet]:
        if not position.get("pin"):
            return self._game(self._genesis.offer)
        found = self._rules_to(position.get("behaviour", 0), position["data"])
        if found is None:
            raise unfit("rules to which the game has migrated are not here")
        return found

    # Keeping

    def _mark(self, *, now: bool = False) -> None:
        assert self._order is not None
        if self._is_due(len(self._order), now=now):
            self._point(self.log.vector)

    def _is_due(self, at: int, *, now: bool = False) -> bool:
        last = self._points[-1].at if self._points else 0
        return at - last >= EVERY or (now and at > last)

    def _forget(self, at: int) -> None:
        """A record stands at this place now, and not in the checkpoints behind it."""
        self._points = [point for point in self._points if point.at <= at]
        self._bygone = [point for point in self._bygone if point.at <= at]

    def _point(self, past: Vector) -> None:
        assert self.match is not None
        self._points = [*self._points[-2:], self.checkpoint(self.match, past)]

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
