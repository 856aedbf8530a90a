"""Records that came before what they build on: kept apart, bounded, and tried again when more arrives.

    waiting/<game, hex>/<author>-<record id, hex>

Nothing of them has been believed yet, so a stranger may fill these places: each author of each game has a few, and
the home has few games waiting for their start.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pbem.protocol.limits import MAX_QUARANTINE, MAX_RECORD
from pbem.table.disk import Disk, names, read

MAX_BYTES_PER_AUTHOR: Final = 8 << 20
MAX_GAMES: Final = 64
_NAME = re.compile(r"([0-47])-([0-9a-f]{64})")
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
            match = _NAME.fullmatch(name)
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
