"""From the items of an archive to a verdict, at levels 1 and 2 (docs/spec/files.md, FIL-4, FIL-6, FIL-10).

Whatever the bytes are there is exactly one verdict, and nothing is raised. An archive is read as a stream; memory use
grows by about 60 bytes per record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from pbem.protocol.canonical import Plain
from pbem.protocol.container import Item
from pbem.protocol.errors import Incomplete, Refusal, with_code
from pbem.protocol.genesis import OPEN, Genesis
from pbem.protocol.reading import Counts, Reading
from pbem.protocol.record import UMPIRE, Record

if TYPE_CHECKING:
    from pbem.fairplay.audit import AuditReport
    from pbem.fairplay.ledger import Ledger
    from pbem.protocol.changes import Change
    from pbem.protocol.listing import Listing

# The ledger and the audit bring all of the cryptography of cards with them: a turn without its offer needs neither, and
# is answered before they would be loaded.

_MAX_MISSING = 64


class Bad(NamedTuple):
    """The first thing that is wrong: whose record, why, and the step of the specification that failed."""

    code: str
    step: str
    sentence: str
    author: int | None = None
    record: bytes | None = None

    def __str__(self) -> str:
        return with_code(self.sentence, self.code, self.step)


class Verdict(NamedTuple):
    ok: bool
    level: int
    counts: Counts = Counts()
    game: Genesis | None = None
    """Names come from cards: escape them when they are shown."""
    result: Plain = None
    """What the players agreed on in their `end` records, if all did."""
    state: bytes | None = None
    pending: tuple[tuple[int, str], ...] = ()
    """What is missing, as far as that shows without rules: author, and `join`, `start`, `nonce`, `end`, `open_all`."""
    first_bad: Bad | None = None
    desync: Bad | None = None
    """In its place: where another program's position first differs, from other code or data, not a cheat (MEA-7)."""
    incomplete: tuple[bytes, ...] = ()
    """Ids of records that are cited and not there."""
    changes: tuple[Change, ...] = ()
    """Rulings and changes of key, in the order of the archive."""
    audit: AuditReport | None = None
    """The audit of the secrets, once all are open (HID-40)."""
    forks: tuple[str, ...] = ()
    """What the proofs of forks say that hold, each once. Names come from cards."""


class Level2:
    """The checks that level 2 adds to a reading: every value shown is the one promised, every listed draw follows from
    its key."""

    level = 2

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._moot: set[bytes] = set()
        self.ledger: Ledger | None = None
        self.ends: dict[int, tuple[bytes, Plain]] = {}
        self.slots: set[str] = set()  # of decks, for which something was given

    def take(self, found: Record | Listing | Item) -> Record | None:
        """One find of the reading: the record, if it has an effect (as far as the archive says)."""
        if not isinstance(found, (Record, Item)):
            self._listing(found)
            return None
        genesis = self.reading.genesis
        if isinstance(found, Item) or genesis is None:
            return None
        if self.ledger is None:
            from pbem.fairplay.ledger import Ledger

            self.ledger = Ledger(genesis)
            return None  # the start itself
        if found.id in self._moot:
            self._moot.discard(found.id)
            return None
        self.ledger.apply(found)
        self._count(found)
        return found

    def finish(self) -> None:
        """After the last item."""

    def fault(self, refusal: Refusal) -> Bad:
        return Bad(refusal.code, refusal.step, refusal.sentence, refusal.author, refusal.record)

    def audit(self, items: Iterable[Item]) -> AuditReport | None:
        """HID-40 for those who have opened everything: a second pass, now that their secrets are known."""
        if self.ledger is None or not self.ledger.gs:
            return None
        from pbem.fairplay.audit import Auditor

        auditor, reading = Auditor(self.ledger.genesis, self.ledger.gs.values()), Reading(self.reading.log)
        effective = Level2(reading)
        for found in reading.read(items):
            record = effective.take(found)
            if record is not None:
                auditor.take(record)
        return auditor.report()

    def agreed(self) -> tuple[bytes | None, Plain]:
        """State hash and result, if every player has ended the game and all say the same."""
        genesis = self.reading.genesis
        ends = list(self.ends.values())
        if genesis is None or len(ends) < len(genesis.players) or any(end != ends[0] for end in ends):
            return None, None
        return ends[0]

    def pending(self) -> Iterator[tuple[int, str]]:
        """What is missing, as far as it shows here."""
        offer, genesis, ledger = self.reading.log.offer, self.reading.genesis, self.ledger
        if offer is None:
            return
        if genesis is None:
            joined = {join.by for join in self.reading.log.candidates.values()}
            waiting = [by for by in offer.joiners if by not in joined]
            yield from ((by, "join") for by in waiting)
            if not waiting:
                yield offer.starter, "start"
            return
        if ledger is None:
            return
        if genesis.mode != OPEN:
            yield from ((by, "nonce") for by in genesis.authors if by not in ledger.shown)
        if self.ends:
            yield from ((by, "end") for by in genesis.players if by not in self.ends)
            if len(self.ends) == len(genesis.players):
                yield from ((by, "open_all") for by in genesis.authors if by not in ledger.gs and by != UMPIRE)

    def _listing(self, listing: Listing) -> None:
        if len(self._moot) + len(listing.moot) > 1 << 16:
            raise Refusal("E-DRAW", "Too many records are listed as moot.", step="FIL-6")
        self._moot.update(listing.moot)
        from pbem.fairplay.chance import check_drawn

        for drawn in listing.draws:
            key = self._key(drawn.group)
            if key is None:
                sentence = f"The draw {drawn.label} is listed where its key is not known."
                raise Refusal("E-DRAW", sentence, step="FIL-6")
            check_drawn(drawn, key)
            self.reading.tally["draws"] += 1
            self.reading.tally["dice"] += len(drawn.results)

    def _key(self, group: tuple[bytes, ...]) -> bytes | None:
        """The key of a listed draw. None: it is not known, or no key's group is written so (FIL-6)."""
        ledger = self.ledger
        if ledger is None or (group and ledger.genesis.mode == OPEN):
            return None
        authors = [mark.by for mark in map(ledger.marks.get, group) if mark is not None]
        return ledger.key(group) if authors == sorted(set(authors)) else None

    def _count(self, record: Record) -> None:
        data = record.data
        if record.kind == "orders":
            if "open" in data and self.ledger is not None:
                decks = self.ledger.decks
                self.slots.update(slot for slot, _ in data["open"] if decks.place(slot) is not None)
        elif record.kind == "release":
            self.slots.update(item[1] for item in data["items"] if item[0] in ("slot", "give", "show"))
        elif record.kind == "end":
            self.ends[record.by] = (data["state"], data["result"])


class Level1(Level2):
    """The reading alone."""

    level = 1

    def take(self, _: Record | Listing | Item) -> Record | None:
        return None


def verify(items: Iterable[Item], level: int = 2) -> Verdict:
    """Judge an archive at level 1 or 2."""
    if level not in (1, 2):
        raise ValueError("the protocol knows levels 1 and 2")
    return judge(items, Level1(Reading()) if level == 1 else Level2(Reading()))


def judge(items: Iterable[Item], level: Level2) -> Verdict:
    """The verdict on an archive. The audit of the secrets needs `items` that can be gone through twice."""
    reading = level.reading
    fault: Bad | None = None
    missing: tuple[bytes, ...] = ()
    report: AuditReport | None = None
    try:
        for found in reading.read(items):
            level.take(found)
        reading.finish()
        level.finish()
        if iter(items) is not items:
            report = level.audit(items)
    except Incomplete as incomplete:
        missing = incomplete.missing[:_MAX_MISSING] or (bytes(32),)
    except Refusal as refusal:
        fault = level.fault(refusal)
    desync = fault is not None and fault.code == "E-DESYNC"
    state, result = level.agreed()
    return Verdict(
        ok=fault is None and not missing and (reading.log.offer is not None or reading.tally["forks"] > 0),
        level=level.level,
        counts=Counts(**{**reading.tally, "cards": len(level.slots)}),
        game=reading.genesis,
        result=result,
        state=state,
        pending=tuple(level.pending()),
        first_bad=None if desync else fault,
        desync=fault if desync else None,
        incomplete=missing,
        changes=reading.changes,
        audit=report,
        forks=tuple(reading.proofs),
    )
