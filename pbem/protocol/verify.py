"""From the items of an archive to a verdict, at levels 1 and 2 (docs/spec/files.md, FIL-4, FIL-6, FIL-10).

Whatever the bytes are there is exactly one verdict, and nothing is raised. An archive is read as a stream; what is held
grows by some sixty bytes a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from pbem.protocol.ahead import ahead
from pbem.protocol.canonical import Plain
from pbem.protocol.card import parse_card
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.genesis import OPEN, Genesis
from pbem.protocol.kinds import PLAY, count_orders
from pbem.protocol.listing import Listing, check_drawn, parse_listing
from pbem.protocol.log import ForkFound, Log, Vector
from pbem.protocol.order import CanonicalOrder, Entry, rank
from pbem.protocol.record import UMPIRE, Record, parse_record
from pbem.protocol.value import value

if TYPE_CHECKING:
    from pbem.protocol.audit import AuditReport
    from pbem.protocol.changes import Change, Changes
    from pbem.protocol.ledger import Ledger

# The ledger and the audit bring all of the cryptography of cards with them: a turn without its offer needs neither, and
# is answered before they would be loaded.

_MAX_MISSING = 64


@value
class Bad:
    """The first thing that is wrong: whose record, why, and the step of the specification that failed."""

    code: str
    step: str
    sentence: str
    author: int | None = None
    record: bytes | None = None


@value
class Counts:
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


@value
class Summary:
    """What was played, as the offer says it. Names come from cards: escape them when they are shown."""

    game_id: bytes
    title: str
    module: str
    version: str
    behaviour: int
    scenario: str
    mode: str
    players: tuple[tuple[int, str, bytes, tuple[str, ...]], ...]
    """Number, name, identity, seats."""
    umpire: tuple[str, bytes] | None


@value
class Verdict:
    ok: bool
    level: int
    counts: Counts = field(default_factory=Counts)
    game: Summary | None = None
    result: Plain = None
    """What the players agreed on in their `end` records, if all did."""
    state: bytes | None = None
    pending: tuple[tuple[int, str], ...] = ()
    """What is missing, as far as that shows without rules: author, and `join`, `start`, `nonce`, `end`, `open_all`."""
    first_bad: Bad | None = None
    incomplete: tuple[bytes, ...] = ()
    """Ids of records that are cited and not there."""
    changes: tuple[Change, ...] = ()
    """Rulings and changes of key, in the order of the archive."""
    audit: AuditReport | None = None
    """The audit of the secrets, once all are open (HID-40)."""


def bad(refusal: Refusal) -> Bad:
    return Bad(refusal.code, refusal.step, refusal.sentence, refusal.author, refusal.record)


class Reading:
    """One pass over the items of an archive at level 1: form, chains, signatures, and the order of the records."""

    def __init__(self) -> None:
        self.log = Log()
        self.tally: dict[str, int] = dict.fromkeys(Counts.__dataclass_fields__, 0)
        self.order: CanonicalOrder | None = None
        self.past: Vector = ()  # of the record taken last
        self._opening: list[bytes] = []
        self._notes: dict[bytes, bytes] = {}
        self._fork: ForkFound | None = None
        self._revision = 0
        self._changes: Changes | None = None

    @property
    def changes(self) -> tuple[Change, ...]:
        return tuple(self._changes.found) if self._changes is not None else ()

    @property
    def genesis(self) -> Genesis | None:
        return self.log.genesis

    def take(self, item: Item | Record | Refusal) -> Record | Listing | None:
        """The record that the item holds, if it is the next that has an effect, or the list of draws."""
        if isinstance(item, Record):
            return self._record(item)
        if isinstance(item, Refusal):
            raise item
        match item.type:
            case ItemType.RECORD:
                return self._record(parse_record(item.raw))
            case ItemType.DRAWS:
                return parse_listing(item.raw)
            case ItemType.MESSAGE:
                self._message(item.raw)
            case ItemType.CARD:
                parse_card(item.raw)
            case ItemType.FORK:
                from pbem.protocol.fork import parse_fork_proof

                parse_fork_proof(item.raw)
                self.tally["forks"] += 1
            case ItemType.REPLACED:
                pass  # its digest is over the value that the game reads from it: level 3
            case _:
                raise Refusal("E-ARCHIVE", "This file holds something that has no place in an archive.", step="FIL-4")
        return None

    def finish(self) -> None:
        """After the last item: whatever is still open."""
        if self._fork is not None and any(not fork.rulers for fork in self.log.forks):
            raise self._fork

    def _record(self, record: Record) -> Record | None:
        log = self.log
        past = log.add_next(record)
        if past is not None and self.order is not None and record.kind in PLAY:
            self.past = past
            self._count(record)
            self.order.follow(record.by, record.by)
            return record
        return self._any_record(record, past)

    def _any_record(self, record: Record, past: Vector | None) -> Record | None:
        """`past`: of a record that is in the log already."""
        log = self.log
        if past is None and log.has(record):
            raise _misplaced(record, "This record is in the archive twice.")
        before = log.genesis
        try:
            self.past = past = past or log.add(record)
        except ForkFound as fork:
            if before is None or record.game != before.game_id:
                raise
            log.add_rival(record)
            self._fork = self._fork or fork
            return None
        if log.revision != self._revision:
            raise _misplaced(record, "The archive lists the branch that a ruling has dropped before the one it keeps.")
        self._count(record)
        if log.genesis is None:
            self._opening.append(record.id)
            return record
        if self.order is None:
            self._begin(log.genesis, record)
            return record
        if log.forks and log.id_at(record.by, record.seq) != record.id:
            return None  # on a side branch
        if record.kind in ("ruling", "rekey"):
            self._note(log.genesis, record)
        if not self.order.append(Entry(record.by, rank(record.by, record.kind), past)):
            raise _misplaced(record, "This record does not stand in its place in the archive.")
        return None if log.is_void(record.id) else record

    def _begin(self, genesis: Genesis, start: Record) -> None:
        opening = [record.id for record in self.log.opening]
        if [*self._opening, start.id] != opening or opening[:-1] != [genesis.offer.id, *start.data["joins"]]:
            raise _misplaced(start, "The archive begins with other records than the offer, its joins and the start.")
        self.order = CanonicalOrder(genesis.authors)
        for record in self.log.opening:
            self.order.insert(Entry(record.by, rank(record.by, record.kind), self.log.past_at(record.by, record.seq)))

    def _note(self, genesis: Genesis, record: Record) -> None:
        if self._changes is None:
            from pbem.protocol.changes import Changes

            self._changes = Changes(genesis)
        self._changes.take(record)

    def _message(self, raw: bytes) -> None:
        from pbem.protocol.message import parse_message

        message = parse_message(raw)
        if not message.belongs_to(self._notes.get(message.record)):
            raise Refusal("E-MESSAGE", "A message in this file is not the one its author sent.", step="FIL-8")
        self.tally["messages"] += 1

    def _count(self, record: Record) -> None:
        self.tally["records"] += 1
        if record.kind == "orders":
            self.tally["turns"] += 1
            self.tally["orders"] += count_orders(record.data["orders"])
        if record.note is not None:
            self._notes[record.id] = record.note


class Level2:
    """What level 2 adds to a reading: every value shown is the one promised, every listed draw what its key gives."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._moot: set[bytes] = set()
        self.ledger: Ledger | None = None
        self.ends: dict[int, tuple[bytes, Plain]] = {}
        self._slots: set[str] = set()

    def take(self, found: Record | Listing | None) -> Record | None:
        """The record, if it has an effect (as far as the archive says)."""
        if isinstance(found, Listing):
            self._listing(found)
            return None
        genesis = self._reading.genesis
        if found is None or genesis is None:
            return None
        if self.ledger is None:
            from pbem.protocol.ledger import Ledger

            self.ledger = Ledger(genesis)
            return None  # the start itself
        if found.id in self._moot:
            self._moot.discard(found.id)
            return None
        self.ledger.apply(found)
        self._count(found)
        return found

    def agreed(self) -> tuple[bytes | None, Plain]:
        """State hash and result, if every player has ended the game and all say the same."""
        genesis = self._reading.genesis
        ends = list(self.ends.values())
        if genesis is None or len(ends) < len(genesis.players) or any(end != ends[0] for end in ends):
            return None, None
        return ends[0]

    def _listing(self, listing: Listing) -> None:
        if len(self._moot) + len(listing.moot) > 1 << 16:
            raise Refusal("E-DRAW", "Too many records are listed as moot.", step="FIL-6")
        self._moot.update(listing.moot)
        for drawn in listing.draws:
            key = self.ledger.key(drawn.group) if self.ledger is not None else None
            if key is None:
                sentence = f"The draw {drawn.label} is listed where its key is not known."
                raise Refusal("E-DRAW", sentence, step="FIL-6")
            check_drawn(drawn, key)
            self._reading.tally["draws"] += 1
            self._reading.tally["dice"] += len(drawn.results)

    def _count(self, record: Record) -> None:
        data = record.data
        if record.kind == "release":
            self._slots.update(item[1] for item in data["items"] if item[0] in ("slot", "give", "show"))
        elif record.kind == "orders" and self.ledger is not None:
            places = (slot for slot, _ in data.get("open", ()) if self.ledger.decks.place(slot) is not None)
            self._slots.update(places)
        elif record.kind == "end":
            self.ends[record.by] = (data["state"], data["result"])
        self._reading.tally["cards"] = len(self._slots)


def verify(items: Iterable[Item], level: int = 2) -> Verdict:
    """Judge an archive. The audit of the secrets needs `items` to be something that can be gone through twice."""
    if level not in (1, 2):
        raise ValueError("the protocol knows levels 1 and 2")
    reading = Reading()
    second = Level2(reading)
    fault: Bad | None = None
    missing: tuple[bytes, ...] = ()
    report: AuditReport | None = None
    try:
        for item in ahead(items, reading.log):
            found = reading.take(item)
            if level == 2:
                second.take(found)
        reading.finish()
        if level == 2 and second.ledger is not None and iter(items) is not items:
            report = _audit(items, second.ledger)
    except Incomplete as incomplete:
        missing = incomplete.missing[:_MAX_MISSING] or (bytes(32),)
    except Refusal as refusal:
        fault = bad(refusal)
    return verdict(reading, second, level, fault, missing, report)


def verdict(
    reading: Reading,
    second: Level2,
    level: int,
    fault: Bad | None,
    missing: tuple[bytes, ...],
    report: AuditReport | None,
) -> Verdict:
    genesis = reading.genesis
    state, result = second.agreed()
    return Verdict(
        ok=fault is None and not missing and (reading.log.offer is not None or reading.tally["forks"] > 0),
        level=level,
        counts=Counts(**reading.tally),
        game=None if genesis is None else summary(genesis),
        result=result,
        state=state,
        pending=tuple(_pending(reading, second)),
        first_bad=fault,
        incomplete=missing,
        changes=reading.changes,
        audit=report,
    )


def summary(genesis: Genesis) -> Summary:
    offer = genesis.offer
    return Summary(
        game_id=genesis.game_id,
        title=offer.title,
        module=offer.rules.module,
        version=offer.rules.version,
        behaviour=offer.rules.behaviour,
        scenario=offer.scenario,
        mode=offer.mode,
        players=tuple(
            (n, genesis.card(n).name, genesis.card(n).identity, genesis.seats_of(n)) for n in genesis.players
        ),
        umpire=None if genesis.umpire is None else (genesis.umpire.card.name, genesis.umpire.identity),
    )


def _pending(reading: Reading, second: Level2) -> Iterator[tuple[int, str]]:
    offer, genesis, ledger = reading.log.offer, reading.genesis, second.ledger
    if offer is None:
        return
    if genesis is None:
        joined = {join.by for join in reading.log.candidates.values()}
        waiting = [by for by in offer.authors[1:] if by not in joined]
        yield from ((by, "join") for by in waiting)
        if not waiting:
            yield 0, "start"
        return
    if ledger is None:
        return
    if genesis.mode != OPEN:
        yield from ((by, "nonce") for by in genesis.authors if ledger.nonce(by) is None)
    if second.ends:
        yield from ((by, "end") for by in genesis.players if by not in second.ends)
        if len(second.ends) == len(genesis.players):
            yield from ((by, "open_all") for by in genesis.authors if by not in ledger.gs and by != UMPIRE)


def _audit(items: Iterable[Item], ledger: Ledger) -> AuditReport | None:
    """HID-40 for those who have opened everything: a second pass, now that their secrets are known."""
    genesis = ledger.genesis
    if not ledger.gs:
        return None
    reading = Reading()
    effective = Level2(reading)
    from pbem.protocol.audit import Auditor

    auditor = Auditor(genesis, ledger.gs.values())
    for item in ahead(items, reading.log):
        record = effective.take(reading.take(item))
        if record is not None:
            auditor.take(record)
    return auditor.report()


def _misplaced(record: Record, sentence: str) -> Refusal:
    return Refusal("E-ARCHIVE", sentence, step="FIL-4", author=record.by, record=record.id)
