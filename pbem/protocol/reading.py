"""The items of an archive gone through once, at level 1 (docs/spec/files.md, FIL-4, FIL-10).

For speed, work is batched: records are parsed and their signatures checked a batch ahead of judging, and ordinary
records are added to the log ahead of the checks of levels 2 and 3. Results and their order do not change: a refusal is
reported when its turn comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from pbem.protocol.card import parse_card
from pbem.protocol.container import Item, ItemType, bounded
from pbem.protocol.envelope import split
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.genesis import Genesis
from pbem.protocol.keys import check_signature
from pbem.protocol.kinds import PLAY
from pbem.protocol.limits import MAX_BODY
from pbem.protocol.log import CanonicalOrder, ForkFound, Log, Vector
from pbem.protocol.record import Record, parse_message, parse_record, record_id

if TYPE_CHECKING:
    from pbem.protocol.changes import Change, Changes
    from pbem.protocol.listing import Listing

_FIRST, _TOGETHER = 4, 64
"""Items that are read at first, when the log knows no keys yet, and at most."""
_BYTES = 1 << 18  # of all that is read and not yet judged, but for one item


class Counts(NamedTuple):
    records: int = 0
    turns: int = 0
    """Records of kind `orders`."""
    orders: int = 0
    draws: int = 0
    dice: int = 0
    """Results of draws."""
    cards: int = 0
    """Slots of decks for which a key, a card or an opening was given."""
    messages: int = 0
    forks: int = 0
    """Proofs of a fork that hold."""


class Reading:
    """One pass over the items of an archive at level 1: form, chains, signatures, and the order of the records."""

    def __init__(self, known: Log | None = None) -> None:
        """`known`: the log of an earlier pass over the same items."""
        self.log = Log()
        self._known = known
        self.tally: dict[str, int] = dict.fromkeys(Counts._fields, 0)
        self.order: CanonicalOrder | None = None
        self.past: Vector = ()
        """Of the record given out last; `in_step`: its past is everything before it."""
        self.in_step = False
        self._notes: dict[bytes, bytes] = {}
        self.proofs: list[str] = []
        """What the proofs of forks say, each once."""
        self._judged: set[bytes] = set()  # cards and proofs: copies say nothing new, and each costs signatures
        self._rivals: dict[bytes, ForkFound] = {}
        self._revision = 0
        self._changes: Changes | None = None

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(self._changes.found) if self._changes is not None else ()

    @property
    def genesis(self) -> Genesis | None:
        return self.log.genesis

    def read(self, items: Iterable[Item]) -> Iterator[Record | Listing | Item]:
        """What the items hold for those who judge by more: records that have an effect, lists of draws, replaced data.

        Of the usual records, play in sight of everything, some are in the log before they are given out.
        """
        waiting: list[tuple[Record | Listing, Vector]] = []
        try:
            for item in ahead(bounded(items), self.log, self._known):
                usual = self._usual(item)
                if usual is not None:
                    waiting.append(usual)
                    if len(waiting) < _TOGETHER:
                        continue
                yield from self._told(waiting)
                found = self._take(item) if usual is None else None
                if found is not None:
                    yield found
        except (Refusal, Incomplete):
            yield from self._told(waiting)
            raise
        yield from self._told(waiting)

    def _usual(self, item: Item | Record | Refusal) -> tuple[Record | Listing, Vector] | None:
        """The usual record, taken in, with its past; or a list of draws. None: it is something else."""
        if isinstance(item, Record):
            if self.order is not None and item.kind in PLAY:
                past = self.log.add_next(item)
                if past is not None:
                    self.order.follow(item.by, item.by)
                    return item, past
        elif isinstance(item, Item) and item.type == ItemType.DRAWS:
            from pbem.protocol.listing import parse_listing

            return parse_listing(item.raw), ()
        return None

    def _told(self, waiting: list[tuple[Record | Listing, Vector]]) -> Iterator[Record | Listing]:
        self.in_step = True
        for found, past in waiting:
            if isinstance(found, Record):
                self.past = past
                self._count(found)
            yield found
        self.in_step = False
        waiting.clear()

    def _take(self, item: Item | Record | Refusal) -> Record | Item | None:
        if isinstance(item, Record):
            return self._record(item)
        if isinstance(item, Refusal):
            raise item
        match item.type:
            case ItemType.MESSAGE:
                self._message(item.raw)
            case ItemType.CARD | ItemType.FORK if self._known is not None or item.raw in self._judged:
                self.tally["forks"] += item.type == ItemType.FORK
            case ItemType.CARD:
                parse_card(item.raw)
                self._judged.add(item.raw)
            case ItemType.FORK:
                from pbem.protocol.fork import parse_fork_proof

                self.proofs.append(parse_fork_proof(item.raw).sentence)
                self._judged.add(item.raw)
                self.tally["forks"] += 1
            case ItemType.REPLACED:
                return item  # its digest is over the value that the game reads from it: level 3
            case _:
                raise Refusal("E-ARCHIVE", "This file holds something that has no place in an archive.", step="FIL-4")
        return None

    def finish(self) -> None:
        """After the last item: whatever is still open."""
        if self.log.offer is None and not self.tally["forks"]:
            raise Incomplete("There is no game in this file, and no proof of a fork.", ())
        for fork in self.log.forks:
            if fork.first in self._rivals and not self.log.is_decided(fork):
                raise self._rivals[fork.first]

    def _record(self, record: Record) -> Record | None:
        log = self.log
        if log.has(record):
            raise _misplaced(record, "This record is in the archive twice.")
        self._check_game(record)
        try:
            self.past = past = log.add(record)
        except ForkFound as fork:
            if self.order is None:
                raise
            log.add_rival(record)
            self._rivals[record.id] = fork
            self._see_note(record)
            return None
        if log.revision != self._revision:
            raise _misplaced(record, "The archive lists the branch that a ruling has dropped before the one it keeps.")
        self._count(record)
        if log.genesis is None:
            return record
        if self.order is None:
            self._begin(log.genesis)
            return record
        if log.forks and log.id_at(record.by, record.seq) != record.id:
            return None  # on a side branch
        if record.kind in ("ruling", "rekey"):
            self._note(log.genesis).take(record, past)
        if not self.order.append(log.entry(record)):
            raise _misplaced(record, "This record does not stand in its place in the archive.")
        self.in_step = sum(past) == len(self.order) - 1
        return None if log.is_void(record.id) else record

    def _check_game(self, record: Record) -> None:
        """One game: offer, joins by number, start, and what names that start (FIL-4)."""
        genesis = self.log.genesis
        if genesis is not None and record.game != genesis.game_id:
            raise record.refusal("E-GAME", "GEN-5", "This record belongs to another game.")
        offer = self.log.offer
        if genesis is None and offer is not None and (record.kind == "offer" or record.game == offer.id):
            last = max((join.by for join in self.log.candidates.values()), default=-1)
            if record.kind != "start" and (record.kind != "join" or record.by <= last):
                raise _misplaced(record, "An archive begins with the offer, one join of each number, and the start.")

    def _begin(self, genesis: Genesis) -> None:
        self.order = CanonicalOrder.of(genesis.authors, map(self.log.entry, self.log.opening))

    def _note(self, genesis: Genesis) -> Changes:
        if self._changes is None:
            from pbem.protocol.changes import Changes

            self._changes = Changes(genesis)
        return self._changes

    def _message(self, raw: bytes) -> None:
        message = parse_message(raw)
        if not message.belongs_to(self._notes.get(message.record)):
            sentence = "A message in this file is not the one its author sent."
            raise Refusal("E-FORM", sentence, step="FIL-8", record=message.record)
        self.tally["messages"] += 1

    def _count(self, record: Record) -> None:
        genesis = self.log.genesis
        if genesis is not None and genesis.offer.silence:
            self._note(genesis).see(record, self.past)
        self.tally["records"] += 1
        if record.kind == "orders":
            self.tally["turns"] += 1
            self.tally["orders"] += len(record.data["orders"])
        self._see_note(record)

    def _see_note(self, record: Record) -> None:
        if record.note is not None:
            self._notes[record.id] = record.note


def _misplaced(record: Record, sentence: str) -> Refusal:
    return record.refusal("E-ARCHIVE", "FIL-4", sentence)


def ahead(items: Iterable[Item], log: Log, known: Log | None = None) -> Iterator[Item | Record | Refusal]:
    """The items of an archive; in place of one with a record that record, or why it is none.

    `log` is the one that takes them. It is shown the records beforehand, for their signatures.
    """
    held: list[Item | Record | Refusal] = []
    room, size = _FIRST, 0
    try:
        for item in items:
            held.append(_read(item, log) if item.type == ItemType.RECORD else item)
            size += len(item.raw)
            if len(held) >= room or size >= _BYTES:
                log.look_ahead((each for each in held if isinstance(each, Record)), known)
                yield from held
                held.clear()
                room, size = min(2 * room, _TOGETHER), 0
    except (Refusal, Incomplete):  # by the source of the items: what came before it is judged first
        yield from held
        raise
    log.look_ahead((each for each in held if isinstance(each, Record)), known)
    yield from held


def _read(item: Item, log: Log) -> Record | Refusal:
    try:
        return parse_record(item.raw)
    except Refusal as refusal:
        return _signed(refusal, item.raw, log)


def _signed(refusal: Refusal, raw: bytes, log: Log) -> Refusal:
    """Whose record it is that is bad in form: what it says itself is not read, but its signature shows it (FIL-10)."""
    try:
        body, signature = split(raw, MAX_BODY, "record", "REC-1")
    except Refusal:
        return refusal
    refusal.record = record_id(body)
    for by in log.authors if log.genesis is not None else ():
        with suppress(Refusal):
            check_signature(log.card_of(by).sign, refusal.record, signature)
            refusal.author = by
    return refusal
