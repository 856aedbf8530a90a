"""Writing archives, and judging them at level 3: by the rules (docs/spec/files.md, FIL-4, FIL-6, FIL-10)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from pbem.engine.definition import DataSet, Game
from pbem.engine.match import Accepted, Match
from pbem.engine.registry import find
from pbem.engine.replay import Replay
from pbem.fairplay.verify import Bad, Level2, Verdict, judge
from pbem.protocol.canonical import Plain, unpack
from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import Offer
from pbem.protocol.limits import MAX_ALL_MEMBERS, MAX_DRAWS, MAX_ITEM
from pbem.protocol.listing import Drawn, Listing, pack_listing
from pbem.protocol.reading import Reading
from pbem.protocol.record import Record

if TYPE_CHECKING:
    from pbem.fairplay.audit import AuditReport

Games: TypeAlias = "Callable[[str], Game[Any]] | Mapping[str, Game[Any]]"
"""Finds a game by the name in the offer."""

_ORDERS_TOGETHER = 16  # records of kind orders between lists: their keys must still be remembered (FIL-6)


# Writing


def archive_items(
    replay: Replay, messages: Mapping[bytes, bytes] | None = None, replaced: Iterable[bytes] = ()
) -> Iterator[Item]:
    """The items of an archive of all that counts: records in canonical order, draws and moot records listed.

    `messages` by record id and `replaced` data files are packed items.
    """
    for raw in replaced:
        yield Item(ItemType.REPLACED, raw)
    draws: list[Drawn] = []
    turns = results = 0
    for record, accepted in replay.history() if replay.match is not None else _unstarted(replay):
        if accepted.moot and not replay.log.is_void(record.id):
            yield Item(ItemType.DRAWS, pack_listing((), (record.id,)))
        yield Item(ItemType.RECORD, record.raw)
        if messages and record.id in messages:
            yield Item(ItemType.MESSAGE, messages[record.id])
        draws += accepted.draws
        turns += record.kind == "orders"
        results += sum(len(drawn.results) for drawn in accepted.draws)
        if draws and (turns >= _ORDERS_TOGETHER or len(draws) > MAX_DRAWS // 4 or results > MAX_ALL_MEMBERS // 4):
            yield from _listed(draws)
            draws, turns, results = [], 0, 0
    yield from _listed(draws)


def _unstarted(replay: Replay) -> Iterator[tuple[Record, Accepted]]:
    """The offer, and the first join of each number that came."""
    joins: dict[int, Record] = {}
    for record in replay.log.opening:
        if record.kind == "join":
            joins.setdefault(record.by, record)
    return ((record, Accepted()) for record in (*replay.log.opening[:1], *(joins[by] for by in sorted(joins))))


def _listed(draws: list[Drawn]) -> Iterator[Item]:
    for at in range(0, len(draws), MAX_DRAWS):
        yield Item(ItemType.DRAWS, pack_listing(draws[at : at + MAX_DRAWS]))


# Judging


class _Level3(Level2):
    """Level 2 by way of a match: its ledger checks what is shown, its rules what is asked for and drawn."""

    level = 3

    def __init__(self, reading: Reading, games: Games) -> None:
        super().__init__(reading)
        self._games = games
        self._listed_moot: set[bytes] = set()
        self._lists = False
        self._unlisted: Refusal | None = None
        self._produced: deque[Drawn] = deque()
        self._last: bytes | None = None
        self._unmade: Refusal | None = None
        """The refusal of a list that differs from what the rules did; a missing record is named before it."""
        self.replaced: dict[str, bytes] = {}
        self.replay = Replay(self._rules)
        self.replay.attend(heard=False)
        self.replay.log = reading.log

    @property
    def match(self) -> Match[Any] | None:
        return self.replay.match

    def take(self, found: Record | Listing | Item) -> Record | None:
        if self._unmade is not None:
            return None
        if isinstance(found, Listing):
            self._compare(found)
            return None
        if isinstance(found, Item):
            keep_data(found, self.replaced)
            return None
        reading, self._last = self.reading, found.id
        if self.replay.match is None:
            if reading.genesis is not None:
                self.replay.begin(reading.order)
            return None
        accepted = self.replay.take_added(found, reading.past, in_step=reading.in_step)
        if accepted.moot != (found.id in self._listed_moot):
            self._unlisted = self._unlisted or Refusal(
                "E-DRAW", "The archive and the rules disagree about which records have no effect.", step="FIL-6",
                author=found.by, record=found.id,
            )  # fmt: skip
            self._complete()
        if accepted.moot:
            self._listed_moot.discard(found.id)
            return None
        if accepted.draws:
            self._produced += accepted.draws
        self.ledger = self.replay.match.ledger  # of a match that may have become another
        self._count(found)
        return found

    def finish(self) -> None:
        if self._unmade is not None:
            raise self._unmade
        if self._produced and self._lists:
            raise Refusal("E-DRAW", f"The archive does not list the draw {self._produced[0].label}.", step="FIL-6",
                          record=self._last)  # fmt: skip
        for drawn in self._produced:
            self._tally(drawn)
        if self._listed_moot:
            raise Refusal("E-DRAW", "The archive lists a record as without effect, but does not hold it.", step="FIL-6")

    def fault(self, refusal: Refusal) -> Bad:
        return super().fault(self._unmade or refusal)

    def agreed(self) -> tuple[bytes | None, Plain]:
        """As the rules give them."""
        if self.match is None:
            return super().agreed()
        result = self.match.result
        return self.match.state_hash(), None if result is None else cast(Plain, result.plain())

    def pending(self) -> Iterator[tuple[int, str]]:
        return super().pending() if self.match is None else ((each.by, each.what) for each in self.match.pending())

    def audit(self, items: Iterable[Item]) -> AuditReport | None:
        """HID-40 and MEA-12: claims and duties are checked against the secrets, too.

        A player who has left and not opened their secret stops nothing: the secrets of the others are audited.
        """
        match = self.match
        if match is None or not match.ledger.gs:
            return None
        from pbem.engine.rulesaudit import RulesAudit
        from pbem.fairplay.audit import Auditor

        reading = Reading(self.reading.log)
        again = _Level3(reading, self._games)
        auditor = Auditor(match.genesis, match.ledger.gs.values())
        rules = RulesAudit(match.genesis, match.ledger.gs)
        for found in reading.read(items):
            record = again.take(found)
            if again.match is not None:
                again.replay.attend(watch=rules)
            if record is not None:
                auditor.take(record)
        stopped = match.position.stopped
        if stopped is not None and not auditor.report().missing:
            sentence = "A player stopped a shuffle as fraudulent, but nothing in it was."
            raise Refusal("E-AUDIT", sentence, step="HID-14", author=stopped[0], record=stopped[1])
        return auditor.report()

    def _complete(self) -> None:
        """Files that list nothing, such as a whole game in a mail, are judged by the rules alone."""
        if self._lists and self._unlisted is not None:
            raise self._unlisted

    def _tally(self, drawn: Drawn) -> None:
        self.reading.tally["draws"] += 1
        self.reading.tally["dice"] += len(drawn.results)

    def _compare(self, listing: Listing) -> None:
        self._lists = True
        self._complete()
        self._listed_moot.update(listing.moot)
        for drawn in listing.draws:
            made = self._produced.popleft() if self._produced else None
            if made != drawn:
                sentence = f"The rules did not make the draw {drawn.label} as it is listed."
                self._unmade = Refusal("E-DRAW", sentence, step="FIL-6", record=self._last)
                return
            self._tally(drawn)

    def _rules(self, offer: Offer) -> tuple[Game[Any], DataSet]:
        return rules_of(offer, self._games, self.replaced)


def rules_of(offer: Offer, games: Games, replaced: Mapping[str, bytes]) -> tuple[Game[Any], DataSet]:
    """The game of an offer, with the data files that its players brought (E-FORM if one is missing or another)."""
    name = offer.rules.module
    if callable(games):
        game = games(name)
    elif name in games:
        game = games[name]
    else:
        raise Refusal("E-GAME", f"The game {name!r} is not installed here.", step="STA-5")
    if not offer.replaced:
        return game, game.data_of(offer.rules.data) or game.data
    files: dict[str, Plain] = {}
    for file, _ in offer.replaced:
        if file not in replaced:
            raise Refusal(
                "E-FORM", f"The data file {file!r} of this game's players is not in the archive.", step="STA-7"
            )
        files[file] = unpack(replaced[file], MAX_ITEM)
    data = game.data_with(files)
    for file, digest in offer.replaced:
        if data.file_digest(file) != digest:
            raise Refusal("E-FORM", f"The data file {file!r} is not the one in the offer.", step="STA-7")
    return game, data


def verify_archive(items: Iterable[Item], games: Games = find) -> Verdict:
    """Judge an archive by everything. The audit needs `items` to be something that can be gone through twice."""
    return judge(items, _Level3(Reading(), games))


def keep_data(item: Item, replaced: dict[str, bytes]) -> None:
    """A data file, by its name; what its bytes hold is read when an offer asks for it."""
    match unpack(item.raw, MAX_ITEM):
        case [str(name), bytes(raw)]:
            replaced[name] = raw
        case _:
            raise Refusal("E-FORM", "A data file in this archive is not a name and its bytes.", step="FIL-2")
