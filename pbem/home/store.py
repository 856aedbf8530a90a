"""One game on disk, a folder of small files; and records that arrived before their predecessors.

    records/0-000012    the record 12 of player 0, its bytes as they came; the file's time is when it arrived
    answers/<id>        joins and declines of others, until the start says which count
    rivals/<id>         records of the other branch of a fork
    messages/<id>       the message that travelled beside a record
    replaced/<digest>   data files of the players' own that the offer names
    vault/              what only the player may know: draft, notes, the values shown (so that no other is shown later)
    cache/              may be deleted at any time
    name                what the game is called here

    waiting/<game, hex>/<author>-<record id, hex>   beside the games

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
from typing import Any, Final, Literal

from pbem.home.disk import Disk, HomeError, Taken, explained, names, read
from pbem.home.state import GameState, parse_state
from pbem.protocol.limits import MAX_ITEM, MAX_QUARANTINE, MAX_RECORD, MAX_SEQ
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
        return parse_state(self.private(_STATE))

    def change(self, **fields: Any) -> None:
        """Give these fields of the state other values; all of them at once, or none."""
        held = self.state
        changed = replace(held, **fields)
        if changed != held:
            self.set_private(_STATE, changed.pack())

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
