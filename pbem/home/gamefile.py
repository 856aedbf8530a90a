"""One game of a home: its folder of small files (`GameStore`), the game that they make (`GameFile`), and the keys and
secrets with which its player acts.

    records/0-000012    the record 12 of player 0, its bytes as they came; the file's time is when it arrived
    answers/<id>        joins and declines of others, until the start says which count
    rivals/<id>         records of the other branch of a fork
    messages/<id>       the message that travelled beside a record
    replaced/<digest>   data files of the players' own that the offer names
    vault/              what only the player may know: draft, notes, the values shown (so that no other is shown later)
    vault/state         everything else that this home knows of the game (`GameState`), written whole
    cache/              may be deleted at any time
    name                what the game is called here

Names are made of numbers and of hashes that pbem computed, never of text from a file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgpack

from pbem.engine.counts import all_of
from pbem.engine.definition import DataSet, Game
from pbem.engine.event import Event, let_pass
from pbem.engine.match import Match
from pbem.engine.player import Player
from pbem.engine.replay import Checkpoint, Replay
from pbem.fairplay.begin import game_secrets
from pbem.fairplay.secret import GameSecrets
from pbem.home.disk import Disk, HomeError, Taken, explained, names, read
from pbem.protocol.canonical import pack, unpack
from pbem.protocol.card import Card, parse_card
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.genesis import Join, Offer
from pbem.protocol.keys import Keys
from pbem.protocol.limits import MAX_ITEM, MAX_RECORD, MAX_SEQ
from pbem.protocol.log import ForkFound, Log, in_any_order
from pbem.protocol.plain import dump, load
from pbem.protocol.record import UMPIRE, Record, parse_record

if TYPE_CHECKING:
    from pbem.home.root import Home

# On disk


_STATE_LIMIT: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class GameState:
    """Everything that this home knows of a game besides its records and the player's draft."""

    identity: bytes = b""
    by: int | None = None
    """The identity that plays the game, and its number, once for the whole game; None while it only looks."""
    bots: tuple[str, ...] = ()
    """Seats of the player's own that a bot plays."""
    preset: str = ""
    """The standing orders that were chosen before the start."""
    begun: bool = False
    """They wait for the first orders, or were given with them."""
    declined: bool = False
    automatic: bool = False
    """The program has answered the offer, because its player had entered the tournament, or left it, before."""
    substitute: bytes = b""
    """The join by which the player takes over somebody's place, once it is ruled."""
    answered: tuple[int, ...] | None = None
    """Set while nothing may be signed: the opponents who have sent what they hold since the game was restored."""
    posted: int = 0
    """So many of one's own records have been in the outbox."""
    kept: int = 0
    """The number of one's own records when the last of them was kept back to travel with orders."""
    stuck: tuple[str, ...] = ()
    """Why the program cannot do what it owes, as long as it cannot: the code and the sentence of a refusal."""
    audit: str | None = None
    """What the audit found: None before it, empty when it passed."""
    left: tuple[bytes, ...] = ()
    """At the umpire's: the declines that have been heard with which somebody left the tournament."""
    note: str = ""
    """The message that waits for one's next record."""
    note_with: tuple[int, ...] = ()
    """The record with which it is about to travel: once that is on the disk, the message is spent."""

    @property
    def is_restored(self) -> bool:
        """It was brought back from a backup: nothing is signed until a person says that it has caught up."""
        return self.answered is not None


_JOURNAL_LIMIT = 64 << 20


class Journal:
    def __init__(self, path: Path, disk: Disk) -> None:
        self._path = path
        self._disk = disk

    def entries(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for line in (read(self._path, _JOURNAL_LIMIT) or b"").split(b"\n"):
            fields = line.decode("ascii", "replace").split(" ")
            if len(fields) == 3 and fields[2] == _checksum(fields[0], fields[1]):
                found.setdefault(fields[0], fields[1])
        return found

    def claim(self, shown: Mapping[str, str]) -> None:
        """Notes key -> target for each, durably; refuses a key that was noted for another target."""
        known = self.entries()
        fresh = []
        for key, target in shown.items():
            if known.get(key, target) != target:
                raise HomeError(
                    "E-USED",
                    "This value has been revealed for another record before, and is never revealed twice.",
                )
            if key not in known:
                fresh.append(f"{key} {target} {_checksum(key, target)}\n")
        if fresh:
            # The leading newline ends a line that a crash may have left torn.
            self._disk.append(self._path, ("\n" + "".join(fresh)).encode("ascii"))


def _checksum(key: str, target: str) -> str:
    return sha256(f"{key} {target}".encode("ascii", "replace")).hexdigest()[:8]


_RECORD = re.compile(r"([0-47])-([0-9]{6})")
_HASH = re.compile(r"[0-9a-f]{64}")
_VAULT_LIMIT: Final = 16 << 20
_STATE: Final = "state"
_CACHE_LIMIT: Final = 256 << 20


Loose = Literal["answers", "rivals", "messages", "replaced"]


@dataclass(frozen=True, slots=True)
class Stored:
    by: int
    seq: int
    raw: bytes


class GameStore:
    def __init__(self, folder: Path, disk: Disk, clock: Callable[[], int]) -> None:
        self.folder = folder
        self._disk = disk
        self._clock = clock
        self._records = folder / "records"
        self._loose = {kind: folder / kind for kind in ("answers", "rivals", "messages", "replaced")}
        self._vault = folder / "vault"
        self._cache = folder / "cache"
        self.journal = Journal(self._vault / "shown", disk)

    def prepare(self) -> None:
        for folder in (self.folder, self._records, *self._loose.values(), self._vault, self._cache):
            self._disk.folder(folder)

    def discard(self) -> None:
        """Takes away a game that was refused while it was made; its name first, so that the rest is not a game."""
        self._disk.remove(self.folder / "name")
        for folder in (self._records, *self._loose.values(), self._vault, self._cache, self.folder):
            for name in os.listdir(folder) if folder.is_dir() else []:  # noqa: PTH208 (half-made files too)
                if not (folder / name).is_dir():
                    self._disk.remove(folder / name)
            self._disk.rmdir(folder)

    # Records

    def numbers(self) -> list[tuple[int, int]]:
        """(author, seq) of every record held, ascending."""
        found = (_RECORD.fullmatch(name) for name in names(self._records))
        return [(int(match[1]), int(match[2])) for match in found if match]

    def record(self, by: int, seq: int) -> bytes | None:
        return read(self._records / _name(by, seq), MAX_RECORD)

    def offer(self) -> bytes | None:
        """The first record of the author of the offer: the umpire, whose first record is nothing else, or player 0."""
        return self.record(UMPIRE, 0) or self.record(0, 0)

    def records(self) -> list[Stored]:
        found = []
        for by, seq in self.numbers():
            raw = self.record(by, seq)
            if raw is not None:
                found.append(Stored(by, seq, raw))
        return found

    def arrived(self, by: int, seq: int) -> int:
        """When the record came here, by this home's clock; 0 when it is not here."""
        try:
            return int((self._records / _name(by, seq)).stat().st_mtime)
        except OSError:
            return 0

    def add(self, batch: Iterable[Stored]) -> None:
        """Others' records, in an order in which each prefix stands by itself. Those held already are passed over."""
        fresh: dict[str, bytes] = {}
        for item in batch:
            held = self.record(item.by, item.seq)
            if held is None:
                fresh[_name(item.by, item.seq)] = item.raw
            elif held != item.raw:
                raise HomeError("E-USED", _USED.format(item.seq))
        if fresh:
            self._disk.write_all_new(self._records, fresh, self._clock())

    def add_own(self, item: Stored, shown: Mapping[str, str]) -> None:
        """This home's own record: once this returns, it may leave. Never a second one for one number.

        `shown` names what the record reveals; that is durable first.
        """
        if self.record(item.by, item.seq) is not None:
            raise HomeError("E-USED", _USED.format(item.seq))
        self.journal.claim(shown)
        try:
            self._disk.write_new(self._records / _name(item.by, item.seq), item.raw, self._clock())
        except Taken:
            raise HomeError("E-USED", _USED.format(item.seq)) from None

    # Things known by a hash

    def loose(self, kind: Loose, key: bytes) -> bytes | None:
        return read(self._loose[kind] / key.hex(), MAX_ITEM)

    def all_loose(self, kind: Loose) -> list[bytes]:
        folder = self._loose[kind]
        found = (read(folder / name, MAX_ITEM) for name in names(folder) if _HASH.fullmatch(name))
        return [raw for raw in found if raw is not None]

    def add_loose(self, kind: Loose, key: bytes, raw: bytes) -> None:
        path = self._loose[kind] / key.hex()
        if not path.exists():
            self._disk.write_new(path, raw, self._clock())

    # The name

    @property
    def name(self) -> str:
        raw = read(self.folder / "name", 100)
        return raw.decode("ascii", "replace") if raw else ""

    def set_name(self, name: str) -> None:
        self._disk.rewrite(self.folder / "name", name.encode("ascii"))

    # Vault and cache: `name` is a word of the program's own

    def private(self, name: str) -> bytes | None:
        return read(self._vault / name, _VAULT_LIMIT)

    def privates(self) -> list[str]:
        return names(self._vault)

    def set_private(self, name: str, data: bytes | None) -> None:
        if data is not None:
            self._disk.rewrite(self._vault / name, data)
        elif (self._vault / name).exists():
            self._disk.remove(self._vault / name)

    @property
    def state(self) -> GameState:
        raw = self.private(_STATE)
        return GameState() if raw is None else load(GameState, unpack(raw, _STATE_LIMIT))

    def change(self, **fields: Any) -> None:
        """Give these fields of the state other values; all of them at once, or none."""
        held = self.state
        changed = replace(held, **fields)
        if changed != held:
            self.set_private(_STATE, pack(dump(changed)))

    def cached(self, name: str) -> bytes | None:
        return read(self._cache / name, _CACHE_LIMIT)

    def set_cached(self, name: str, data: bytes) -> None:
        self._disk.rewrite(self._cache / name, data)

    @property
    def game_id(self) -> bytes | None:
        return read(self.folder / "game", 64)

    def set_game_id(self, game_id: bytes) -> None:
        if self.game_id != game_id:
            self._disk.rewrite(self.folder / "game", game_id)

    def stamp(self) -> bytes:
        """Changes whenever a record is added: what a cache is valid for."""
        with explained(self._records):
            held = names(self._records)
            last = {name[:1]: name for name in held}  # they are sorted: by author, then by number
            rest = sum(len(names(self._loose[kind])) for kind in ("answers", "rivals"))
            return f"{list(last.values())!a} {len(held)} {rest}".encode("ascii")


_USED = "A different record {} of this player has been signed before. It is neither overwritten nor signed again."


def _name(by: int, seq: int) -> str:
    if not (0 <= by <= 9 and 0 <= seq <= MAX_SEQ):
        raise HomeError("E-UNKNOWN", "The game has more records than a chain can hold.")
    return f"{by}-{seq:06d}"


# Loaded


GameFinder = Callable[[str], Game[Any]]
_OWN_TURN = "own-turn"
_SNAPSHOT = "snapshot"
_VERSION = 2
OPENING = frozenset({"join", "decline"})


@dataclass(frozen=True, slots=True)
class Me:
    """The player who plays this game from this home."""

    identity: bytes
    by: int


def me_of(store: GameStore) -> Me | None:
    state = store.state
    return Me(state.identity, state.by) if state.by is not None else None


class GameFile:
    """A loaded game. What is done to `replay` and not written is lost with the object; nothing is shared."""

    def __init__(self, store: GameStore, find: GameFinder) -> None:
        self.store = store
        self.replaced: dict[bytes, bytes] = {}
        """Data files of an offer that is not yet written."""
        self.heard: list[Event] = []
        """What the records brought about that were signed here since the game was loaded."""
        self._find = find
        self.replay = Replay(self._rules, source=self.raw_of)
        self.replay.rivals = self._rival

    # Opening

    @classmethod
    def load(cls, store: GameStore, find: GameFinder) -> GameFile:
        """The game in a folder: from the snapshot as far as that goes, and the records after it."""
        game = cls(store, find)
        snapshot = game._snapshot()
        if snapshot is not None:
            game.replay = snapshot
        game._catch_up()
        return game

    def _snapshot(self) -> Replay | None:
        """A cache that does not fit the records, or does not load for any reason, is not used."""
        raw = self.store.cached(_SNAPSHOT)
        if raw is None:
            return None
        try:
            version, plain = msgpack.unpackb(raw, strict_map_key=True)
            if version != _VERSION:
                return None
            replay = Replay.load(plain, self._rules, source=self.raw_of)
            log = replay.log
            for by in log.authors if log.genesis else ():
                held = self.store.record(by, log.count(by) - 1)
                if held is None or (parse_record(held).id != log.last(by) and not log.forks):
                    return None
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, PbemError, msgpack.UnpackException):
            return None
        replay.rivals = self._rival
        return replay

    def _catch_up(self) -> None:
        """Takes in every stored record that the replay lacks."""
        log = self.log
        held = {by: log.count(by) for by in log.authors} if log.genesis is not None and not log.forks else {}
        fresh = [
            parse_record(self.store.record(by, seq) or b"")
            for by, seq in self.store.numbers()
            if seq >= held.get(by, 0)
        ]
        fresh += [parse_record(raw) for kind in ("answers", "rivals") for raw in self.store.all_loose(kind)]
        left = self.take(record for record in fresh if not log.holds(record.id))
        me = self.me
        # A power cut may lose the first of several records that were being put in place. Others' then wait here for the
        # mail to be opened again; one's own are made only when all that they cite is safe.
        if me is not None and any(record.by == me.by and record.kind not in OPENING for record in left):
            raise HomeError("E-DAMAGED", f"The records of {self.name} do not fit together any more: some are missing.")

    def take(self, records: Iterable[Record]) -> list[Record]:
        """Takes records into the replay in any order; returns those whose ancestors are missing."""

        def take(record: Record) -> None:
            try:
                self.replay.accept(record)
            except ForkFound:
                self.replay.add_rival(record)
            except Refusal:
                if self.log.genesis is None or record.kind not in OPENING:
                    raise

        return in_any_order(records, take)

    def write(self, records: Iterable[Record], but: Record | None = None) -> None:
        """Others' records, accepted before, to where they belong: the chain, the answers to an offer, or the other
        branch of a fork. `but` is written by somebody else."""
        log, store, me = self.log, self.store, self.me
        chain: dict[tuple[int, int], Stored] = {}

        def place(record: Record) -> None:
            held = store.record(record.by, record.seq)
            if held is None:
                chain[record.by, record.seq] = Stored(record.by, record.seq, record.raw)
            elif held != record.raw:
                # The place is taken by what came first: one's own join that was not chosen, the branch that lost.
                store.add_loose("answers" if record.kind in OPENING else "rivals", record.id, record.raw)

        if log.genesis is not None:
            for record in log.opening:
                if record != but:
                    place(record)
        for record in records:
            if (
                log.genesis is None
                and record.kind in OPENING
                and not record.seq
                and (me is None or self.identity_of(record) != me.identity)
            ):
                store.add_loose("answers", record.id, record.raw)
            elif log.genesis is None or log.id_at(record.by, record.seq) == record.id:
                place(record)
            elif record.kind not in OPENING:
                store.add_loose("rivals", record.id, record.raw)
        store.add(chain.values())
        self.replay.stored()

    def save_snapshot(self) -> None:
        self.store.set_cached(_SNAPSHOT, msgpack.packb([_VERSION, self.replay.dump()]))

    def keep_own_turn(self) -> None:
        """The player is about to seal a turn: what comes from here on will be looked at soon."""
        point = self.replay.checkpoint(self.match, self.log.vector)
        self.store.set_cached(_OWN_TURN, msgpack.packb([point.at, point.past, point.raw]))

    def own_turn(self) -> Checkpoint | None:
        """The game as it was before the player's last turn, if it can be gone on from."""
        raw = self.store.cached(_OWN_TURN)
        if raw is None:
            return None
        at, past, match = msgpack.unpackb(raw)
        point = Checkpoint(at, tuple(past), match)
        return point if self.replay.goes_on(point) else None

    # Asking

    @property
    def name(self) -> str:
        return self.store.name

    @property
    def log(self) -> Log:
        return self.replay.log

    @property
    def match(self) -> Match[Any]:
        match = self.replay.match
        if match is None:
            raise HomeError("E-NOT-NOW", f"{self.name} has not started yet.")
        return match

    @property
    def offer(self) -> Offer:
        offer = self.log.offer
        if offer is None:
            raise HomeError("E-DAMAGED", f"The offer of {self.name} is missing.")
        return offer

    @property
    def game_id(self) -> bytes:
        """The game id; before the start, the offer's id."""
        return self.log.genesis.game_id if self.log.genesis else self.offer.id

    @property
    def me(self) -> Me | None:
        """None while this home only looks at an offer."""
        return me_of(self.store)

    def set_me(self, me: Me) -> None:
        """Once: an identity and a number for the whole game."""
        self.store.change(identity=me.identity, by=me.by)

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of this home's player."""
        me = self.me
        return self.offer.seats_of(me.by) if me is not None else ()

    @property
    def bots(self) -> tuple[str, ...]:
        """Seats of the player's own that a bot plays for them."""
        return self.store.state.bots

    @property
    def played(self) -> tuple[str, ...]:
        """The player's seats without those that a bot plays: what the bot knows is not shown."""
        bots = self.bots
        return tuple(seat for seat in self.seats if seat not in bots)

    def eyes(self, seat: str | None) -> tuple[str, ...]:
        """The seats that the player looks from while this one orders: of several sides, those of its side alone."""
        side = {each: self.match.game.seat(each).side for each in self.played}
        if len(set(side.values())) < 2:
            return self.played
        return tuple(each for each in side if seat is not None and side[each] == side.get(seat))

    def place_of(self, identities: Collection[bytes]) -> Me | None:
        """Where one of these identities has joined or offered."""
        for join in (self.offer.join, *self.log.candidates.values()):
            if join.identity in identities:
                return Me(join.identity, join.by)
        return None

    # Words

    @property
    def rules(self) -> Game[Any] | None:
        """The installed game; None when it is not installed."""
        try:
            return self._find(self.offer.rules.module)
        except PbemError:
            return None

    @property
    def title(self) -> str:
        rules = self.rules
        return rules.title if rules is not None else self.offer.rules.module

    def card_of(self, by: int) -> Card | None:
        """The card of a player now; before the start, as far as it is known."""
        if self.log.genesis is not None:
            return self.log.card_of(by)
        if by == self.offer.starter:
            return self.offer.join.card
        return next((join.card for join in self.log.candidates.values() if join.by == by), None)

    def player_name(self, by: int) -> str:
        card = self.card_of(by)
        if card is not None:
            return card.name
        return "The umpire" if by == UMPIRE else f"Player {by + 1}"

    def name_of(self, record: Record) -> str:
        """The name of a record's author; of answers to an offer each has its own card."""
        raw = record.data.get("card")
        return parse_card(raw).name if isinstance(raw, bytes) and record.seq == 0 else self.player_name(record.by)

    def identity_of(self, record: Record) -> bytes:
        """Whose answer to the offer this is."""
        return parse_card(record.data["card"]).identity

    def told(self, events: Iterable[Event]) -> tuple[str, ...]:
        """What the game says of events, as far as this player may know them; against bots, where many are given for the
        player, not that they let a chance to interrupt pass.
        """
        rules, quiet = self.rules, self.played if self.bots else ()
        if rules is None:
            return ()
        return rules.tell(each for each in events if each.seen_by(self.played) and not let_pass(each, quiet))

    # Records

    def raw_of(self, by: int, seq: int) -> bytes:
        """The bytes of the record that stands at this place of the main chain."""
        raw = self.store.record(by, seq)
        record_id = self.log.id_at(by, seq)
        if raw is not None and self.log.forks and record_id is not None and parse_record(raw).id != record_id:
            raw = self.store.loose("rivals", record_id)
        if raw is None:
            raise HomeError("E-DAMAGED", f"A record of {self.name} is missing: {by}-{seq}.")
        return raw

    def _rival(self, record_id: bytes) -> bytes | None:
        """A record of the other branch of a fork: by its id, or where the branch that lost came first."""
        found = self.store.loose("rivals", record_id)
        for fork in self.log.forks:
            seq = fork.seq
            while found is None and (raw := self.store.record(fork.by, seq)) is not None:
                found, seq = (raw if parse_record(raw).id == record_id else None), seq + 1
        return found

    def raw_by_id(self, record_id: bytes) -> bytes:
        """The bytes of a record that is held, wherever it stands."""
        for record in self.log.opening:
            if record.id == record_id:
                return record.raw
        place = self.log.find(record_id)
        raw = self.raw_of(*place) if place is not None else self._rival(record_id)
        if raw is None:
            raise HomeError("E-DAMAGED", f"A record of {self.name} is missing.")
        return raw

    def signer_of(self, record: Record) -> Card:
        """The card whose key signs in a record's place: what a proof of a fork shows."""
        if record.seq == 0 and record.kind in OPENING:
            return parse_card(record.data["card"])
        return self.log.card_of(record.by, record.seq) if self.log.genesis is not None else self.offer.join.card

    def newest(self) -> tuple[Game[Any], DataSet]:
        """The installed game, with the players' own data files where they have some: what a migration leads to."""
        return self._with_own(self._find(self.offer.rules.module), self.offer)

    def _rules(self, offer: Offer) -> tuple[Game[Any], DataSet]:
        """The installed game, with the data that the offer pins."""
        game = self._find(offer.rules.module)
        if not offer.replaced:
            return game, game.data_of(offer.rules.data) or game.data
        return self._with_own(game, offer)

    def _with_own(self, game: Game[Any], offer: Offer) -> tuple[Game[Any], DataSet]:
        if not offer.replaced:
            return game, game.data
        files = {}
        for name, digest in offer.replaced:
            raw = self.replaced.get(digest) or self.store.loose("replaced", digest)
            if raw is None:
                raise Refusal(
                    "E-FORM", f"The offer names a data file {name!r} that did not come with it.", step="STA-7"
                )
            files[name] = unpack(raw, MAX_ITEM)
        return game, game.data_with(files)


def number_of(game: GameFile, who: str) -> int:
    """A player by number, seat, or beginning of their name."""
    wanted = who.strip().casefold()
    if wanted.isascii() and wanted.isdigit() and int(wanted) in game.log.authors:
        return int(wanted)
    by_seat = [seat.player for seat in game.offer.seats if seat.name == wanted]
    by_name = [by for by in game.log.authors if wanted and game.player_name(by).casefold().startswith(wanted)]
    found = list(dict.fromkeys(by_seat or by_name))
    if len(found) != 1:
        raise HomeError("E-UNKNOWN", f"{who!r} does not name exactly one player of {game.name}: give a seat or a name.")
    return found[0]


def my_place(game: GameFile) -> Me:
    me = game.me
    if me is None:
        raise HomeError("E-NOT-JOINED", f"You do not play in {game.name}. Accept its offer with: pbem join {game.name}")
    return me


def may_sign(game: GameFile) -> None:
    """A game that was restored signs nothing until a person says that it has caught up."""
    if game.store.state.is_restored:
        raise HomeError(
            "E-RESTORED",
            f"{game.name} was brought back from a backup and may lack records of yours that others hold. Ask "
            f"the others with: pbem send {game.name}. When they have answered: pbem restore --confirm {game.name}",
        )


def signing_keys(home: Home, game: GameFile) -> Keys:
    """The keys that speak for this player now: those they came with, or those of a later change of key."""
    me = my_place(game)
    if not speaks(home, game):
        said = replaced(game) or f"{game.player_name(me.by)} plays this place, not you"
        raise HomeError("E-NOT-YOURS", f"In {game.name}, {said}.")
    if game.log.genesis is None:
        return home.people.keys(me.identity)
    return home.people.keys(game.log.card_of(me.by).identity)


def secrets(home: Home, game: GameFile) -> GameSecrets:
    """What follows from the seed this player joined with and their nonce."""
    me = my_place(game)
    join = my_join(game, me)
    return game_secrets(home.people.keys(join.identity).seed, game.offer.mode, join)


def my_join(game: GameFile, me: Me) -> Join:
    if game.replay.match is not None:
        return game.match.ledger.join(me.by)
    if me.by == game.offer.starter:
        return game.offer.join
    return next(join for join in game.log.candidates.values() if join.identity == me.identity)


def speaks(home: Home, game: GameFile) -> bool:
    """A key of this home signs for the player's number: not before a ruling puts it in, nor after one puts it out."""
    me = game.me
    if me is None or game.log.genesis is None:
        return me is not None
    return game.log.card_of(me.by).identity in {person.identity for person in home.people.identities()}


def player_of(home: Home, game: GameFile) -> Player:
    """What this player's program needs: the keys they sign with now, and their secrets of this game."""
    return Player(signing_keys(home, game), secrets(home, game), my_place(game).by, former_keys(home, game))


def former_keys(home: Home, game: GameFile) -> list[Keys]:
    """Keys of this home that the player signed with earlier in the game."""
    me, log = my_place(game), game.log
    if log.genesis is None:
        return []
    held = {person.identity for person in home.people.identities()}
    *former, current = (card.identity for card in log.cards_of(me.by))
    return [home.people.keys(identity) for identity in former if identity in held and identity != current]


def replaced(game: GameFile) -> str:
    """The name of the player in place of this home's player, and whose ruling that was; empty if no ruling did that."""
    genesis, me = game.log.genesis, game.me
    if genesis is None or me is None:
        return ""
    taken = game.log.ruled_on(me.by)
    held = {genesis.card(me.by).identity, *(each.card.identity for each in taken if each.card is not None)}
    if not taken or me.identity not in held:
        return ""
    who = names_of(game, taken[-1].needed)
    return f"{who} ruled that {game.player_name(me.by)} plays in your place"


def names_of(game: GameFile, numbers: Iterable[int]) -> str:
    me = game.me.by if game.me is not None else -1
    return all_of("you" if by == me else game.player_name(by) for by in sorted(numbers))


def own_count(game: GameFile, me: Me) -> int:
    """How many records of one's own there are."""
    if game.log.genesis is not None:
        return game.log.count(me.by)
    return next(seq for seq in range(3) if game.store.record(me.by, seq) is None)
