"""Everything a home stores besides records: one value for each game, and one for the home.

    games/<offer id>/vault/state   everything of one game, written whole
    state                          everything of the home, likewise

No backup holds the home's state: a restored home might otherwise join what it has answered before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, cast

from pbem.home.disk import Disk, Paths, Tables, read
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
    """What a home remembers that belongs to no game."""

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
    """Who of a home plays in which, and the offers for each board: more than one, if an umpire has made them anew."""

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
