"""What a home remembers that is no record: a value for each game, and the tournaments of the home.

    games/<offer id>/vault/state                everything of one game, written whole
    tournaments/<umpire>-<key>/entered          who of this home joins automatically, or has left
    tournaments/<umpire>-<key>/left             at the umpire's: who has left, until the desk has written it down
    tournaments/<umpire>-<key>/<round>-<board>  the ids of the offers for this board, oldest first

No backup holds the tournaments: a home that was brought back might else join what it has answered before.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pbem.home.disk import Disk, read
from pbem.protocol.canonical import Plain, pack, unpack
from pbem.protocol.genesis import Board

MAX_STATE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class GameState:
    """What this home knows of a game beside its records and the player's draft."""

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
    stuck: str = ""
    """Why the program cannot do what it owes, as long as it cannot."""
    audit: str | None = None
    """What the audit found: None before it, empty when it passed."""
    left: tuple[bytes, ...] = ()
    """At the umpire's: the declines that have been heard with which somebody left the tournament."""
    note: str = ""
    """The message that waits for one's next record."""
    note_with: tuple[int, ...] = ()
    """The record with which it is about to travel: once that is on the disk, the message is spent."""

    def pack(self) -> bytes:
        plain: dict[str, Plain] = {}
        for name in GameState.__slots__:
            value = getattr(self, name)
            plain[name] = list(value) if isinstance(value, tuple) else value
        return pack(plain)


def parse_state(raw: bytes | None) -> GameState:
    """The state as it was packed; the first one of a game that has none."""
    if raw is None:
        return GameState()
    plain = unpack(raw, MAX_STATE)
    assert isinstance(plain, dict)
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
    return GameState(**fields)


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
