"""A player's home: where its things are (docs/home.md), its lock, people, clock and games."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import shake_256
from pathlib import Path
from typing import Final

from pbem.engine import registry
from pbem.home.disk import Disk, HomeError, Lock, Paths, Tables, names
from pbem.home.gamefile import GameFile, GameFinder, GameStore
from pbem.home.outbox import SCHEMA, Outbox
from pbem.home.people import STANDARD, Ask, Cost, People, Person
from pbem.protocol.errors import PbemError
from pbem.protocol.genesis import Board, Offer, offer_of
from pbem.protocol.record import parse_record

_SHORTEST_TAG = 4
_MAX_OFFERS: Final = 256
_MOST_NAMED: Final = 9
_BOARDS: Final = "CREATE TABLE boards (umpire, key, round, board, offer, UNIQUE (umpire, key, round, board, offer))"


def now() -> int:
    return int(time.time())


class Ticks:
    """A clock for a demonstration, from 1 January 2026, 09:00 UTC: so many seconds pass at every look."""

    def __init__(self, step: int) -> None:
        self.now = 1_767_258_000
        self._step = step

    def __call__(self) -> int:
        self.now += self._step
        return self.now


class Stream:
    """Randomness that a name repeats, for a demonstration: SHAKE-256 of name and a counter."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0

    def __call__(self, size: int) -> bytes:
        self._count += 1
        return shake_256(f"{self._name}/{self._count}".encode()).digest(size)


def only(query: str, found: Sequence[GameStore]) -> GameStore:
    """The one game that a player means."""
    if len(found) > 1:
        which = ", ".join(store.name for store in found[: _MOST_NAMED - 1])
        raise HomeError("E-AMBIGUOUS", f"{query!r} may be {which}. Give more of the name.")
    return found[0]


class Home:
    """An open home. Clock, randomness and installed games can be given, so that a demonstration can be repeated."""

    def __init__(
        self,
        root: Path,
        *,
        ask: Ask,
        clock: Callable[[], int] = now,
        random: Callable[[int], bytes] = os.urandom,
        disk: Disk | None = None,
        find_game: GameFinder = registry.find,
        cost: Cost = STANDARD,
    ) -> None:
        self.paths = Paths(root)
        self.disk = disk or Disk()
        self.clock = clock
        self.random = random
        self.find_game = find_game
        self.people = People(self.paths, self.disk, random, ask, cost)
        self.tables = Tables(self.paths.tables, self.disk, (*SCHEMA, _BOARDS))
        self.outbox = Outbox(self.paths.outbox, self.tables, self.disk, clock)
        self._lock = Lock(self.paths.lock)
        self._placed = False
        self._started: dict[str, tuple[str, bytes | None]] = {}
        self.beat: Callable[[], None] = lambda: None
        """Called between the items and records of what is opened: to show how far it has come, or to stop it."""

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Everything that changes the home happens in here."""
        if not self._placed:
            self.paths.check_place()
            self._placed = True
        self.disk.folder(self.paths.root)
        with self._lock:
            self.paths.check_format()
            self.paths.prepare(self.disk)
            if not self.tables.here:
                offers = [offer_of(parse_record(raw)) for store in self.stores() if (raw := store.offer()) is not None]
                boards = ((each.join.identity, each.tournament, each.id) for each in offers if each.tournament)
                self.add_boards(*boards)
            yield

    @property
    def root(self) -> Path:
        return self.paths.root

    def new_identity(self, name: str, email: str, passphrase: str) -> Person:
        with self.writing():
            return self.people.new_identity(name, email, passphrase, self.clock())

    # Games

    def holds(self, offer_id: bytes) -> bool:
        """The game of this offer is here."""
        return bool(self.store(offer_id).name)

    def key(self, name: str) -> bytes:
        """What a game is called by everybody: the id of its offer."""
        return bytes.fromhex(self.find(name).folder.name)

    def store(self, offer_id: bytes) -> GameStore:
        return GameStore(self.paths.games / offer_id.hex(), self.disk, self.clock)

    def games(self) -> dict[bytes, tuple[str, bytes | None]]:
        """Name and game id of every game here, by the id of its offer; one without a name was never finished being
        made. Neither changes once a game has started, so they are read once: homes of umpires hold thousands.
        """
        self.paths.check_format()
        found: dict[bytes, tuple[str, bytes | None]] = {}
        for folder in names(self.paths.games):
            held = self._started.get(folder)
            if held is None:
                store = GameStore(self.paths.games / folder, self.disk, self.clock)
                held = store.name, store.game_id
                if all(held):
                    self._started[folder] = held
            if held[0]:
                found[bytes.fromhex(folder)] = held
        return found

    def forget(self) -> None:
        """What is in the home may be another one's from here on."""
        self._started.clear()

    def stores(self) -> list[GameStore]:
        """Every game, by name."""
        return [self.store(offer_id) for _, offer_id in sorted((name, key) for key, (name, _) in self.games().items())]

    def find(self, query: str) -> GameStore:
        """A game by the beginning of its name, or of its last part, if that is unambiguous."""
        wanted = query.strip().casefold()
        named = sorted((name, key) for key, (name, _) in self.games().items())
        exact = [key for name, key in named if name == wanted]
        near = exact or [
            key
            for name, key in named
            if wanted and (name.startswith(wanted) or name.rpartition("-")[2].startswith(wanted))
        ]
        if not near:
            raise HomeError("E-UNKNOWN", f"There is no game here whose name begins with {query!r}. See: pbem list")
        return only(query, [self.store(key) for key in near[:_MOST_NAMED]])

    def load(self, query: str) -> GameFile:
        return GameFile.load(self.find(query), self.find_game)

    def load_folder(self, offer_id: bytes) -> GameFile:
        return GameFile.load(self.store(offer_id), self.find_game)

    # Boards of tournaments: more than one offer for each, if an umpire has made them anew

    def offers_for(self, umpire: bytes, place: Board) -> list[bytes]:
        """The offers for this board that were made or came here, oldest first."""
        where = "umpire = ? AND key = ? AND round = ? AND board = ? ORDER BY rowid DESC LIMIT ?"
        with self.tables.reading() as tables:
            found = tables.execute(f"SELECT offer FROM boards WHERE {where}", (umpire, *_row(place), _MAX_OFFERS))  # noqa: S608
            return [offer for (offer,) in found][::-1]

    def add_boards(self, *offers: tuple[bytes, Board, bytes]) -> None:
        """Note the umpire, the board and the id of each offer, durably."""
        with self.tables.writing() as tables:
            for umpire, place, offer in offers:
                tables.execute("INSERT OR IGNORE INTO boards VALUES (?, ?, ?, ?, ?)", (umpire, *_row(place), offer))

    def rivals(self, offer: Offer) -> Iterator[GameFile]:
        """The other games here that an umpire has offered for the same board of a tournament."""
        if offer.tournament is not None:
            for key in self.offers_for(offer.join.identity, offer.tournament):
                store = self.store(key)
                if key != offer.id and store.name:
                    yield GameFile.load(store, self.find_game)

    def twins(self, offer: Offer) -> list[GameFile]:
        """Those of them that the umpire has started."""
        return [each for each in self.rivals(offer) if each.log.genesis is not None]

    def name_game(self, store: GameStore, offer: Offer) -> None:
        """Names it after the installed module, never after a text of the offer. A game's folder has a name."""
        if store.name:
            return
        try:
            module = self.find_game(offer.rules.module).name
        except PbemError:
            module = "game"
        taken = {name for name, _ in self.games().values()}
        tag = offer.id.hex()
        length = _SHORTEST_TAG
        while f"{module}-{tag[:length]}" in taken:
            length += 1
        store.set_name(f"{module}-{tag[:length]}")


def _row(place: Board) -> tuple[bytes, int, int]:
    return place.key, place.round, place.board
