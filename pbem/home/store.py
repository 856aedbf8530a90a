"""One game on disk, a folder of small files; records that arrived before their predecessors; and what a home remembers
besides records: one value for each game, and one for the home.

    records/0-000012    the record 12 of player 0, its bytes as they came; the file's time is when it arrived
    answers/<id>        joins and declines of others, until the start says which count
    rivals/<id>         records of the other branch of a fork
    messages/<id>       the message that travelled beside a record
    replaced/<digest>   data files of the players' own that the offer names
    vault/              what only the player may know: draft, notes, the values shown (so that no other is shown later)
    vault/state         everything else that this home knows of the game (`GameState`), written whole
    cache/              may be deleted at any time
    name                what the game is called here

    waiting/<game, hex>/<author>-<record id, hex>   beside the games
    state                                           everything of the home (`HomeState`), written whole; in no backup:
                                                    a restored home might otherwise join what it has answered before

Names are made of numbers and of hashes that pbem computed, never of text from a file. Nothing that waits has been
believed yet, so a stranger could fill this folder; therefore the number per author and game, and the number of games,
are limited.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, cast

from pbem.home.disk import Disk, HomeError, Paths, Tables, Taken, explained, names, read
from pbem.protocol.canonical import Plain, pack, unpack
from pbem.protocol.genesis import Board
from pbem.protocol.limits import MAX_ITEM, MAX_QUARANTINE, MAX_RECORD, MAX_SEQ
from pbem.protocol.plain import dump, load
from pbem.protocol.record import UMPIRE

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
                    "This value was shown before, for another record. It is not shown twice: ask what happened.",
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
        """Takes away a game that was refused while it was made; its name first, so that what stays is no game."""
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
        """The first record of whoever offered: the umpire, whose first record is nothing else, or player 0."""
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
        return GameState() if raw is None else load(GameState, unpack(raw, MAX_STATE))

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


_USED = "Record {} of this player was signed before, and differs. It is not signed again, nor overwritten."


def _name(by: int, seq: int) -> str:
    if not (0 <= by <= 9 and 0 <= seq <= MAX_SEQ):
        raise HomeError("E-UNKNOWN", "The game has more records than a chain can hold.")
    return f"{by}-{seq:06d}"


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


# State: what is known beside the records


MAX_STATE: Final = 1 << 20


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


MAX_BY_ITSELF: Final = 256
"""Offers of one tournament that are joined without asking; later ones wait for a person."""
LEFT: Final = -1
"""In place of the number of offers joined: the next one is declined, and its umpire told."""
_MAX_OFFERS: Final = 256


class Entered(NamedTuple):
    """Somebody of this home who has entered a tournament."""

    umpire: bytes
    key: bytes
    identity: bytes
    taken: int
    """How many offers were joined for them since; or LEFT."""


class Leaver(NamedTuple):
    """At the umpire's: somebody who has left a tournament, until the desk has written it down."""

    umpire: bytes
    key: bytes
    identity: bytes
    why: str


@dataclass(frozen=True, slots=True)
class HomeState:
    """Everything that a home remembers and that belongs to no game."""

    default: bytes = b""
    """The identity that is meant where none is named."""
    entered: tuple[Entered, ...] = ()
    left: tuple[Leaver, ...] = ()


def home_state(paths: Paths) -> HomeState:
    raw = read(paths.state, MAX_STATE)
    if raw is None:
        return HomeState()
    default, entered, left = cast("tuple[bytes, list[Any], list[Any]]", unpack(raw, MAX_STATE))
    return HomeState(default, tuple(Entered(*each) for each in entered), tuple(Leaver(*each) for each in left))


def change_home(paths: Paths, disk: Disk, **fields: Any) -> None:
    """Give these fields of the home's state other values; all of them at once, or none."""
    held = home_state(paths)
    changed = replace(held, **fields)
    if changed != held:
        rows: list[list[Plain]] = [[list(each) for each in some] for some in (changed.entered, changed.left)]
        disk.rewrite(paths.state, pack([changed.default, *rows]))


BOARDS: Final = "CREATE TABLE boards (umpire, key, round, board, offer, UNIQUE (umpire, key, round, board, offer))"


class Tournaments:
    """The tournaments in which players of a home take part, and the offers for each board: more than one if an umpire
    has made another."""

    def __init__(self, paths: Paths, tables: Tables, disk: Disk) -> None:
        self._paths = paths
        self._tables = tables
        self._disk = disk

    def entered(self, umpire: bytes, key: bytes) -> dict[bytes, int]:
        """Who of this home has said yes, and how many offers were joined for them since; or LEFT."""
        return {e.identity: e.taken for e in home_state(self._paths).entered if (e.umpire, e.key) == (umpire, key)}

    def enter(self, umpire: bytes, key: bytes, identity: bytes, taken: int | None) -> None:
        """None: from now on the person is asked."""
        others = (each for each in home_state(self._paths).entered if each[:3] != (umpire, key, identity))
        fresh = () if taken is None else (Entered(umpire, key, identity, taken),)
        change_home(self._paths, self._disk, entered=tuple(sorted((*others, *fresh))))

    def left(self, umpire: bytes, key: bytes) -> dict[bytes, str]:
        """At the umpire's: who has left the tournament, and why."""
        return {each.identity: each.why for each in home_state(self._paths).left if each[:2] == (umpire, key)}

    def set_left(self, umpire: bytes, key: bytes, identity: bytes, why: str | None) -> None:
        """None: it has been written down."""
        others = (each for each in home_state(self._paths).left if each[:3] != (umpire, key, identity))
        fresh = () if why is None else (Leaver(umpire, key, identity, why),)
        change_home(self._paths, self._disk, left=tuple(sorted((*others, *fresh))))

    def offers(self, umpire: bytes, place: Board) -> list[bytes]:
        """The offers for this board that were made or came here, oldest first."""
        where = "umpire = ? AND key = ? AND round = ? AND board = ? ORDER BY rowid DESC LIMIT ?"
        with self._tables.reading() as tables:
            found = tables.execute(f"SELECT offer FROM boards WHERE {where}", (*_row(umpire, place), _MAX_OFFERS))  # noqa: S608
            return [offer for (offer,) in found][::-1]

    def add(self, *offers: tuple[bytes, Board, bytes]) -> None:
        """Note the umpire, the board and the id of each offer, durably."""
        with self._tables.writing() as tables:
            for umpire, place, offer in offers:
                tables.execute("INSERT OR IGNORE INTO boards VALUES (?, ?, ?, ?, ?)", (*_row(umpire, place), offer))


def _row(umpire: bytes, place: Board) -> tuple[bytes, bytes, int, int]:
    return umpire, place.key, place.round, place.board
