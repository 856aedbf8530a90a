"""Opening what came: every file is judged whole in memory; only then is anything written. Also finishes what a stop,
a full disk or a missing passphrase has held up.

Records that came before their predecessors wait in files

    waiting/<game, hex>/<author>-<record id, hex>

Nothing that waits has been believed yet, so a stranger could fill this folder; therefore the number per author and
game, and the number of games, are limited.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Final

from pbem.engine.counts import many, upper
from pbem.engine.event import Event
from pbem.engine.match import Accepted
from pbem.home import archives, describe, gamefile, offers, orders, resync, sending, summary, unpacking
from pbem.home.disk import Disk, HomeError, names, read
from pbem.home.gamefile import GameFile
from pbem.home.offers import place_for
from pbem.home.outbox import Posted, file_of
from pbem.home.people import Met
from pbem.home.resync import answer
from pbem.home.root import Home
from pbem.home.summary import GameRow, Owed
from pbem.home.unpacking import Hello, Kind, Parcel, unwrap
from pbem.protocol.container import Item, ItemType, read_stream
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.fork import make_fork_proof
from pbem.protocol.genesis import offer_of
from pbem.protocol.limits import MAX_QUARANTINE, MAX_RECORD
from pbem.protocol.log import ForkFound, in_any_order
from pbem.protocol.record import Record, parse_record


@dataclass(frozen=True, slots=True)
class Opened:
    """One file, or one block of a mail, and its effect."""

    kind: Kind
    game: str | None
    what: str
    """One sentence: what it was and from whom."""
    happened: tuple[str, ...] = ()
    """What it did: joins, orders, fights, as the game tells it to me."""
    owed: tuple[Owed, ...] = ()
    notes: tuple[str, ...] = ()
    """Warnings and messages: a changed key, records that wait for others, private remarks from the opponent."""
    posted: tuple[Posted, ...] = ()
    """Automatic answers that were written to the outbox."""
    new: int = 0
    """Records that were not here before."""
    refused: Refusal | None = None
    """Set when this block was refused while others of the same text were taken."""
    stuck: bool = False
    """The program owes something in the game and cannot give it; one of `notes` says why."""


def proof_path(home: Home, raw: bytes) -> Path:
    return home.paths.proofs / f"proof-{sha256(raw).hexdigest()[:16]}.pbem"


def _hello(home: Home, hello: Hello) -> Opened:
    """Answers a hello that asks, notes one that answers."""
    offer_id = summary.index(home).get(hello.game)
    if offer_id is None:
        return Opened("hello", None, "A request about a game that is not in this home.")
    game = home.load_folder(offer_id)
    who = game.player_name(hello.by)
    if game.me is None or hello.by == game.me.by or hello.by not in game.offer.authors:
        return Opened("hello", game.name, f"{game.name}: a request for somebody else.")
    state = game.store.state
    lacking = hello.have.get(game.me.by, 0) - game.log.count(game.me.by) if game.log.genesis is not None else 0
    if state.is_restored and not hello.want and lacking > 0:
        what = f"{game.name}: {who} holds {lacking} more of your own records than this home. Ask again: pbem send"
        return Opened("hello", game.name, f"{what} {game.name}")
    if state.is_restored and not hello.want:
        game.store.change(answered=tuple(sorted({*(state.answered or ()), hello.by})))
        return Opened("hello", game.name, f"{game.name}: {who} has answered with everything in their home.")
    if not hello.want:
        return Opened("hello", game.name, f"{game.name}: {who} reports which records they hold.")
    posted = answer(home, game, hello)
    what = f"{game.name}: {who} asks for the records that they lack. The answer is in the outbox."
    return Opened("hello", game.name, what, posted=(posted,))


_LOUD = frozenset({"E-NO-WRITE", "E-DISK", "E-LOCKED"})


def open_bytes(home: Home, raw: bytes, *, beat: Callable[[], None] = lambda: None) -> tuple[Opened, ...]:
    """Everything in a file, an armoured text or a whole mail, block by block; raises only if there is nothing of pbem
    in it. What is refused changes nothing and hinders no other block. `beat` is as in `open_parcel`.
    """
    found: list[Opened] = []
    for block in unpacking.blocks(raw):
        try:
            found += open_parcel(home, unwrap(block, beat), beat=beat)
        except Refusal as refusal:
            found.append(Opened("nothing", None, "", refused=refusal))
    return tuple(found)


def open_parcel(
    home: Home, parcel: Parcel, *, questions: bool = True, beat: Callable[[], None] = lambda: None
) -> list[Opened]:
    """Takes in what one file holds, or raises Refusal and has changed nothing.

    Without `questions`, hellos that ask are passed over: nobody signs them, and a machine's mail gets no answer to one.
    `beat` is called again and again before anything of a game is written, and may raise to stop that.
    """
    with home.writing():
        home.beat = beat
        try:
            return _open(home, parcel, questions=questions)
        finally:
            home.beat = lambda: None


def is_backup(raw: bytes) -> bool:
    """The file begins like a backup."""
    return next(read_stream(BytesIO(raw))).type is ItemType.BACKUP


def _open(home: Home, parcel: Parcel, *, questions: bool) -> list[Opened]:
    if parcel.is_backup:
        return [Opened("backup", None, "This is a backup. Bring it back with: pbem restore FILE")]
    found = [_proof(home, proof.raw, proof.sentence) for proof in parcel.proofs]
    found += [_card(home.people.meet(card)) for card in parcel.cards]
    found += _Sorter(home, parcel).run()
    found += [_hello(home, hello) for hello in parcel.hellos if questions or not hello.want]
    if not found and not parcel.hellos:
        raise Refusal(
            "E-NOTHING",
            "There is nothing in this file that can be opened: no card, record or request.",
            step="FIL-4",
        )
    return found


def _proof(home: Home, raw: bytes, sentence: str) -> Opened:
    path = proof_path(home, raw)
    if not path.exists():
        home.disk.write_new(path, file_of([Item(ItemType.FORK, raw)]))
    return Opened("proof", None, f"A proof of a fork, and it is valid. {sentence}", notes=(f"Kept as {path}.",))


def _place_lost(game: GameFile, row: GameRow, taken: list[Record]) -> list[str]:
    """What claims, takebacks and rulings that came mean for this home's player: nobody agrees or is put out blindly."""
    kinds = {record.kind for record in taken}
    if "claim" in kinds and row.notice:
        return [row.notice]
    if "takeback" in kinds and row.proposed:
        return [row.proposed]
    if "ruling" not in kinds:
        return []
    said = gamefile.replaced(game) if row.stage == "out" else describe.forfeited(game)
    return [f"{upper(said)}."] if said else []


def _card(met: Met) -> Opened:
    card = met.person.card
    who = describe.full_name(card)
    what = {
        "new": f"Card of {who}, fingerprint {met.person.fingerprint}. Added to your contacts.",
        "known": f"Card of {who}, whom you know already.",
        "newer": f"A newer card of {who}, with the same key. Your contact is up to date.",
        "own": f"This is your own card, {who}.",
    }[met.news]
    return Opened("card", None, what, notes=tuple(describe.clash(card, other) for other in met.clashes))


MAX_BYTES_PER_AUTHOR: Final = 8 << 20
MAX_GAMES: Final = 64
_WAITING = re.compile(r"([0-47])-([0-9a-f]{64})")
_GAME = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Waiting:
    by: int
    id: bytes
    raw: bytes


class WaitingRoom:
    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk

    def games(self) -> list[bytes]:
        return [bytes.fromhex(name) for name in names(self._folder) if _GAME.fullmatch(name)]

    def of(self, game: bytes) -> list[Waiting]:
        folder = self._folder / game.hex()
        found = []
        for name in names(folder):
            match = _WAITING.fullmatch(name)
            raw = read(folder / name, MAX_RECORD) if match else None
            if match and raw is not None:
                found.append(Waiting(int(match[1]), bytes.fromhex(match[2]), raw))
        return found

    def add(self, game: bytes, item: Waiting) -> bool:
        """Keeps the record; False when its author has no place left."""
        here = self.of(game)
        if any(other.id == item.id for other in here):
            return True
        if not here and len(self.games()) >= MAX_GAMES:
            return False
        same = [other for other in here if other.by == item.by]
        if len(same) >= MAX_QUARANTINE or sum(len(other.raw) for other in same) + len(item.raw) > MAX_BYTES_PER_AUTHOR:
            return False
        folder = self._folder / game.hex()
        self._disk.folder(folder)
        self._disk.write_new(folder / f"{item.by}-{item.id.hex()}", item.raw)
        return True

    def remove(self, game: bytes, items: list[Waiting]) -> None:
        folder = self._folder / game.hex()
        for item in items:
            self._disk.remove(folder / f"{item.by}-{item.id.hex()}")
        if not names(folder):
            self._disk.rmdir(folder)


def _room(home: Home) -> WaitingRoom:
    return WaitingRoom(home.paths.waiting, home.disk)


class _Sorter:
    """The records of one file, given to the games that they belong to."""

    def __init__(self, home: Home, parcel: Parcel) -> None:
        self._home = home
        self._parcel = parcel
        self._left: dict[bytes, list[Record]] = {}
        for record in parcel.records:
            self._left.setdefault(record.game or record.id, []).append(record)

    def run(self) -> list[Opened]:
        if not self._left:
            return []
        index = summary.index(self._home)
        ours = list(dict.fromkeys(index[key] for key in self._left if key in index))
        arrivals = [Arrival(self._home, self._home.load_folder(folder), self._parcel) for folder in ours]
        for record in self._parcel.records:
            self._home.beat()
            if record.kind == "offer" and record.id not in index:
                arrivals.append(Arrival.of_offer(self._home, record, self._parcel))
        # Judge everything before anything is written.
        for arrival in arrivals:
            arrival.judge(self._left)
            arrival.check_start()
        self._parcel.check_messages()
        strangers = [record for records in self._left.values() for record in records]
        found = [arrival.keep() if arrival.mine() else arrival.tell() for arrival in arrivals]
        if strangers:
            found.append(self._wait(strangers))
        return found

    def _wait(self, records: list[Record]) -> Opened:
        room = _room(self._home)
        kept = 0
        full: set[tuple[bytes, int]] = set()  # asking costs a look at all that waits there
        for record in records:
            self._home.beat()
            assert record.game is not None
            place = record.game, record.by
            if place in full or len(full) > MAX_GAMES:
                continue
            if room.add(record.game, Waiting(record.by, record.id, record.raw)):
                kept += 1
            else:
                full.add(place)
        notes: tuple[str, ...] = ("If nothing more arrives, ask its players for the whole game.",)
        if kept < len(records):
            notes = (f"{len(records) - kept} of them could not be kept: too many are waiting already.", *notes)
        return Opened(
            self._parcel.kind,
            None,
            f"{many(len(records), 'record')} of a game whose beginning has not arrived; kept until it does.",
            notes=notes,
        )


class Arrival:
    """Records that came for one game."""

    def __init__(self, home: Home, game: GameFile, parcel: Parcel) -> None:
        self._home = home
        self._game = game
        self._parcel = parcel
        self._events: list[Event] = []
        self._taken: list[Record] = []
        self._waiting: list[Record] = []
        self._stale: list[Record] = []
        self._fork: Refusal | None = None
        self._lapsed: list[Accepted] = []
        self._notes: list[str] = []
        self._fresh = not game.name

    @classmethod
    def of_offer(cls, home: Home, record: Record, parcel: Parcel) -> Arrival:
        """The first that is heard of a game."""
        offer = offer_of(record)
        game = GameFile(home.store(offer.id), home.find_game)
        game.replaced = offers.replaced_files(parcel.replaced, offer)
        arrival = cls(home, game, parcel)
        game.replay.accept(record)
        arrival._taken.append(record)
        return arrival

    # In memory

    def judge(self, left: dict[bytes, list[Record]]) -> None:
        """Take from `left` what belongs to this game, and what waited for it, and judge it."""
        game, done = self._game, set()
        while True:
            # The start, once taken, gives the game its id: then there is a second key to look under.
            key = next((key for key in (game.offer.id, game.game_id) if key not in done), None)
            if key is None:
                break
            done.add(key)
            waited = [parse_record(item.raw) for item in _room(self._home).of(key)]
            self._take(left.pop(key, []), waited)

    def _take(self, came: list[Record], waited: list[Record]) -> None:
        old = {record.id for record in waited}
        pending = [*self._waiting, *came, *waited]
        self._waiting = in_any_order(pending, lambda record: self._accept(record, waited=record.id in old))

    def _accept(self, record: Record, *, waited: bool) -> None:
        """What waited was never believed: if it is refused, it goes, and hinders nothing."""
        self._home.beat()
        if self._game.log.holds(record.id):
            self._stale += [record] if waited else []
            return
        try:
            accepted = self._game.replay.accept(record)
        except ForkFound as fork:
            if not waited:
                self._forked(record, fork)
            return
        except Refusal:
            if not waited:
                raise
            self._stale.append(record)
            return
        self._events += accepted.events
        self._lapsed += [accepted] if accepted.lapsed is not None else []
        self._taken.append(record)
        self._stale += [record] if waited else []

    def _forked(self, record: Record, fork: ForkFound) -> None:
        """Both records become a proof. Between two players that is all; among more, the game may go on (MEA-10)."""
        game, home = self._game, self._home
        held = parse_record(game.raw_by_id(fork.held))
        proof = make_fork_proof(record, held, game.signer_of(record))
        path = home.paths.proofs / f"{game.name}-fork-{record.by}-{record.seq}.pbem"
        own = game.me is not None and game.me.by == record.by
        who = "You have" if own else f"{game.player_name(record.by)} has"
        refusal = Refusal(
            "E-FORK",
            f"{who} signed two different records {record.seq}; you hold the other one. "
            f"Both are kept as proof: {path}. Anyone can check it: pbem verify FILE",
            step="LOG-6",
            author=record.by,
            record=record.id,
        )
        if not path.exists():
            home.disk.write_new(path, file_of([Item(ItemType.FORK, proof.raw)]))
        if len(game.log.authors) < 3 or record.game != game.game_id or game.log.genesis is None:
            raise refusal
        game.replay.add_rival(record)
        self._taken.append(record)
        self._fork = refusal

    def check_start(self) -> None:
        """A start that waits for a join of another offer, which differs from its own: the offer was edited."""
        start = next((record for record in self._waiting if record.kind == "start"), None)
        if start is None:
            return
        joins = {join for _, join in start.heads}
        came = {record.game for record in self._parcel.records if record.kind == "join" and record.id in joins}
        home = self._home
        for store in home.stores():
            game = GameFile.load(store, home.find_game)
            other = game.offer.id != self._game.offer.id and game.log.genesis is None
            if other and (game.offer.id in came or joins & set(game.log.candidates)):
                this, that = (each.log.opening[0].data for each in (self._game, game))
                differs = ", ".join(sorted(key for key in this.keys() | that.keys() if this.get(key) != that.get(key)))
                raise Refusal(
                    "E-START",
                    f"This start does not belong to the offer that was answered ({game.name}): its offer differs in "
                    f"{differs}. Nothing was taken in. Ask {game.offer.join.card.name} which of the two counts.",
                    step="GEN-4",
                    author=start.by,
                    record=start.id,
                )

    def mine(self) -> bool:
        """This home plays the game, or may still join it."""
        game, own = self._game, self._home.people.identities()
        if not self._fresh or not own or game.place_of({person.identity for person in own}) is not None:
            return True
        return game.log.genesis is None and any(place_for(game, person.card) is not None for person in own)

    def tell(self) -> Opened:
        """Somebody else's game: it is looked at, and not kept."""
        game, parcel = self._game, self._parcel
        what = describe.what_came(game, parcel.kind, self._taken, self._waiting, fresh=True)
        if not parcel.is_archive:
            return Opened(parcel.kind, None, what, notes=("It has no place for you. Nothing was kept.",))
        verdict = archives.check_archive(parcel.raw, self._home.find_game)
        bad = verdict.desync or verdict.first_bad
        refusal = Refusal(bad.code, bad.sentence, step=bad.step, author=bad.author, record=bad.record) if bad else None
        notes = (
            archives.verdict_sentence(verdict),
            "It is not your game. Nothing was kept; look at it with: pbem replay FILE",
        )
        return Opened("archive", None, what, notes=notes, refused=refusal)

    # On the disk

    def keep(self) -> Opened:
        """Write what was judged, settle what is owed by the program, and say what it was."""
        home, game = self._home, self._game
        if self._fresh:
            game.store.prepare()
        self._own_records()
        self._write()
        for accepted in self._lapsed:
            orders.bring_back(game, accepted)
        posted = []
        try:
            self._notes += offers.arrived(home, game)
            posted = sending.pay(home, game)
        except (HomeError, Refusal) as error:
            if error.code in _LOUD:
                raise
            # The file itself is taken; its answer waits: for the passphrase, say.
            self._notes.append(str(error))
        self._notes += orders.mind_left(game)
        row = summary.refresh(home, game)
        self._notes += _place_lost(game, row, self._taken)
        new = sum(record.kind != "offer" or self._fresh for record in self._taken)
        return Opened(
            self._parcel.kind,
            game.name,
            describe.what_came(game, self._parcel.kind, self._taken, self._waiting, fresh=self._fresh),
            happened=describe.happened(game, self._taken, (*self._events, *game.heard)),
            owed=row.owed,
            notes=(*self._notes, *((row.stuck,) if row.stuck else ()), *describe.messages(game, self._taken)),
            posted=tuple(posted),
            new=new,
            refused=self._fork,
            stuck=bool(row.stuck),
        )

    def _write(self) -> None:
        home, game = self._home, self._game
        store = game.store
        if self._fresh:
            for digest, raw in game.replaced.items():
                store.add_loose("replaced", digest, raw)
        for record in self._taken:
            message = self._parcel.messages.get(record.id)
            if message is not None:
                store.add_loose("messages", record.id, message.pack())
        game.write(self._taken)
        if self._fresh:
            home.name_game(store, game.offer)
        for key in (game.offer.id, game.game_id):
            gone = [Waiting(r.by, r.id, r.raw) for r in self._stale if r.game == key]
            if gone:
                _room(home).remove(key, gone)
        for record in self._waiting:
            assert record.game is not None
            message = self._parcel.messages.get(record.id)
            if message is not None:
                store.add_loose("messages", record.id, message.pack())
            if not _room(home).add(record.game, Waiting(record.by, record.id, record.raw)):
                self._notes.append("Too many records are waiting; one was not kept. Ask for all that is missing.")

    def _own_records(self) -> None:
        """Records that this player signed elsewhere: another home uses their identity, or this one was restored."""
        game, store = self._game, self._game.store
        mine = {person.identity for person in self._home.people.identities()}
        me = game.me
        if me is None:
            place = game.place_of(mine)
            if place is not None:
                game.set_me(place)
                store.change(answered=store.state.answered or ())
                self._notes.append("You play in this game; it was restored from its records.")
        elif any(game.signer_of(record).identity in mine for record in self._taken) and not store.state.is_restored:
            store.change(answered=())
            self._notes.append(
                "Here are records signed with your key that were not made in this home. Nothing more is signed here "
                "until you say that this is the only home that plays this game: see docs/home.md."
            )


def keeps(home: Home, proof: bytes) -> bool:
    """A proof of a fork that came is kept here."""
    return proof_path(home, proof).exists()


def settle_all(home: Home) -> dict[str, PbemError]:
    """Makes what the program owes in any game and has not made: a passphrase or room on the disk was missing.

    The games in which it still cannot, and why.
    """
    if not home.tables.whole:
        _put_again(home)
    return {**offers.answer_all(home), **sending.pay_all(home)}


def _put_again(home: Home) -> None:
    """The queue is new, or was deleted: the last file of each game goes into it, unless all have shown to hold it."""
    with home.writing():
        for store in home.stores():
            with suppress(PbemError):  # what cannot be loaded is put again by `pbem send` once it can
                if store.state.posted and resync.unheard(home, store.name):
                    sending.post(home, home.load(store.name), again=True)
        home.tables.set_whole()
