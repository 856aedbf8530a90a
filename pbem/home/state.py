"""The tournaments of this home: who of it has entered them, and the offers for each board that were made or came here.

    tournaments/<umpire>-<key>/entered          who of this home joins by themselves, or has left
    tournaments/<umpire>-<key>/left             at the umpire's: who has left, until the desk has written it down
    tournaments/<umpire>-<key>/<round>-<board>  the ids of the offers for this board, oldest first

No backup holds any of this: a home that was brought back might else join by itself what it has answered before.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pbem.home.disk import Disk, read
from pbem.protocol.canonical import Plain, pack, unpack
from pbem.protocol.genesis import Board

MAX_BY_ITSELF: Final = 256
"""Offers of one tournament that are joined without asking; later ones wait for a person."""
LEFT: Final = -1
"""In place of the number of offers joined: the next one is declined, and its umpire told."""
_MAX_OFFERS: Final = 256
_SMALL: Final = 64 << 10


class Tournaments:
    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk

    def _read(self, umpire: bytes, key: bytes, name: str) -> list[Plain]:
        raw = read(self._folder / f"{umpire.hex()}-{key.hex()}" / name, _SMALL)
        value = unpack(raw) if raw is not None else []
        return value if isinstance(value, list) else []

    def _write(self, umpire: bytes, key: bytes, name: str, value: list[Plain]) -> None:
        folder = self._folder / f"{umpire.hex()}-{key.hex()}"
        self._disk.folder(self._folder)
        self._disk.folder(folder)
        self._disk.rewrite(folder / name, pack(value))

    def entered(self, umpire: bytes, key: bytes) -> dict[bytes, int]:
        """Who of this home has said yes, and how many offers were joined for them since; or LEFT."""
        found: dict[bytes, int] = {}
        for each in self._read(umpire, key, "entered"):
            match each:
                case [bytes(identity), int(taken)]:
                    found[identity] = taken
        return found

    def enter(self, umpire: bytes, key: bytes, identity: bytes, taken: int | None) -> None:
        """None: from now on the person is asked."""
        held = self.entered(umpire, key)
        if taken == held.get(identity):
            return
        held[identity] = taken or 0
        rows: list[Plain] = [[each, n] for each, n in sorted(held.items()) if each != identity or taken is not None]
        self._write(umpire, key, "entered", rows)

    def left(self, umpire: bytes, key: bytes) -> dict[bytes, str]:
        """At the umpire's: who has left the tournament, and why."""
        found: dict[bytes, str] = {}
        for each in self._read(umpire, key, "left"):
            match each:
                case [bytes(identity), str(why)]:
                    found[identity] = why
        return found

    def set_left(self, umpire: bytes, key: bytes, identity: bytes, why: str | None) -> None:
        """None: it has been written down."""
        held = self.left(umpire, key)
        if why is not None:
            held[identity] = why
        elif held.pop(identity, None) is None:
            return
        self._write(umpire, key, "left", [[each, text] for each, text in sorted(held.items())])

    def offers(self, umpire: bytes, place: Board) -> list[bytes]:
        """The offers for this board that were made or came here."""
        found = self._read(umpire, place.key, f"{place.round}-{place.board}")
        return [each for each in found if isinstance(each, bytes)]

    def add(self, umpire: bytes, place: Board, offer: bytes) -> None:
        held = self.offers(umpire, place)
        if offer not in held:
            rows: list[Plain] = [*held, offer]
            self._write(umpire, place.key, f"{place.round}-{place.board}", rows[-_MAX_OFFERS:])
