"""Whom the files of the outbox are for, kept beside them: a program that mails them needs no more than this.

One small file per file of the outbox, with the same name, written before it. `asked` counts how often a person or an
opponent's question has asked for the file anew: the same file is mailed once for each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pbem.protocol.canonical import pack, unpack
from pbem.protocol.errors import Refusal
from pbem.table.disk import Disk, names, read

_LIMIT = 64 << 10


@dataclass(frozen=True, slots=True)
class Sender:
    """The game that a file belongs to, and the identity of this home that sends it."""

    game: str
    key: bytes
    """The id of the game's offer: the same at every player's, while names may differ."""
    identity: bytes


@dataclass(frozen=True, slots=True)
class Letter:
    """A file of the outbox with its address."""

    name: str
    """Of the file, without its suffix."""
    sender: Sender
    to: tuple[str, ...]
    automatic: bool
    asked: int
    at: int = 0
    """When it was first put into the outbox."""
    holds: tuple[int, ...] = ()
    """How many records of each author of the game its receivers have with it; empty before the start."""

    def pack(self) -> bytes:
        return pack(
            {
                "asked": self.asked,
                "at": self.at,
                "automatic": self.automatic,
                "game": self.sender.game,
                "holds": list(self.holds),
                "identity": self.sender.identity,
                "key": self.sender.key,
                "to": list(self.to),
                "v": 1,
            }
        )


class Addresses:
    def __init__(self, folder: Path, disk: Disk, clock: Callable[[], int]) -> None:
        self._folder = folder
        self._disk = disk
        self._clock = clock

    def note(
        self, name: str, sender: Sender, to: tuple[str, ...], *, automatic: bool, anew: bool, holds: tuple[int, ...]
    ) -> None:
        held = self.of(name)
        asked = held.asked if held else 0
        at = held.at if held and held.holds == holds else self._clock()
        letter = Letter(name, sender, to, automatic, asked + anew, at, holds)
        if letter != held:
            self._disk.folder(self._folder)  # a home made before this folder was thought of
            self._disk.rewrite(self._folder / name, letter.pack())

    def of(self, name: str) -> Letter | None:
        raw = read(self._folder / name, _LIMIT)
        return None if raw is None else _letter(name, raw)

    def drop(self, name: str) -> None:
        self._disk.remove(self._folder / name)

    def names(self) -> list[str]:
        return names(self._folder)

    def stamp(self, name: str) -> int:
        """Changes whenever what is noted for this file changes; 0 when nothing is."""
        try:
            return (self._folder / name).stat().st_mtime_ns
        except OSError:
            return 0

    def stamp_of_all(self) -> int:
        """Changes whenever a file is addressed."""
        try:
            return self._folder.stat().st_mtime_ns
        except OSError:
            return 0


def _letter(name: str, raw: bytes) -> Letter | None:
    """None for one that cannot be read: its file is mailed by hand."""
    try:
        match unpack(raw, _LIMIT):
            case {
                "asked": int(asked),
                "at": int(at),
                "automatic": bool(automatic),
                "game": str(game),
                "holds": list(holds),
                "identity": bytes(identity),
                "key": bytes(key),
                "to": list(to),
                "v": 1,
            }:
                return Letter(
                    name,
                    Sender(game, key, identity),
                    tuple(each for each in to if isinstance(each, str)),
                    automatic,
                    asked,
                    at,
                    tuple(each for each in holds if isinstance(each, int)),
                )
    except Refusal:
        return None
    return None
