"""What every action at the desk needs: home and lock, people, clock, randomness, the installed games."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pbem.engine import registry
from pbem.protocol.errors import PbemError
from pbem.protocol.genesis import Offer
from pbem.table import keyfile
from pbem.table.addressed import Addresses
from pbem.table.boards import Tournaments
from pbem.table.disk import Disk, names
from pbem.table.gamefile import GameFile, GameFinder
from pbem.table.home import Home
from pbem.table.lock import Lock
from pbem.table.people import People
from pbem.table.postbox import Outbox
from pbem.table.store import GameStore
from pbem.table.tableerror import TableError
from pbem.table.waiting import WaitingRoom

_SHORTEST_TAG = 4


def now() -> int:
    return int(time.time())


class Context:
    def __init__(
        self,
        home: Home,
        *,
        ask: keyfile.Ask,
        clock: Callable[[], int] = now,
        random: Callable[[int], bytes] = os.urandom,
        disk: Disk | None = None,
        find_game: GameFinder = registry.find,
        cost: keyfile.Cost = keyfile.STANDARD,
    ) -> None:
        self.home = home
        self.disk = disk or Disk()
        self.clock = clock
        self.random = random
        self.find_game = find_game
        self.people = People(home, self.disk, random, ask, cost)
        self.outbox = Outbox(home.outbox, Addresses(home.addressed, self.disk, clock), self.disk)
        self.tournaments = Tournaments(home.tournaments, self.disk)
        self.waiting = WaitingRoom(home.waiting, self.disk)
        self._lock = Lock(home.lock)
        self._started: dict[str, tuple[str, bytes | None]] = {}
        self.beat: Callable[[], None] = lambda: None
        """Called between the items and records of what is opened, before anything of its game is written: to show how
        far it has come, or to stop it by raising."""

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Everything that changes the home happens in here."""
        self.disk.folder(self.home.root)
        with self._lock:
            self.home.check_format()
            self.home.prepare(self.disk)
            yield

    # Games

    def store(self, offer_id: bytes) -> GameStore:
        return GameStore(self.home.games / offer_id.hex(), self.disk, self.clock)

    def games(self) -> dict[bytes, tuple[str, bytes | None]]:
        """Name and game id of every game here, by the id of its offer; one without a name was never finished being
        made. Neither changes once a game has started, so they are read once: homes of umpires hold thousands.
        """
        self.home.check_format()
        found: dict[bytes, tuple[str, bytes | None]] = {}
        for folder in names(self.home.games):
            held = self._started.get(folder)
            if held is None:
                store = GameStore(self.home.games / folder, self.disk, self.clock)
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
        found = [self.store(key) for key in near[:9]]
        if not found:
            raise TableError("E-UNKNOWN", f"There is no game here whose name begins with {query!r}. See: pbem list")
        if len(found) > 1:
            which = ", ".join(store.name for store in found[:8])
            raise TableError("E-AMBIGUOUS", f"{query!r} may be {which}. Give more of the name.")
        return found[0]

    def load(self, query: str) -> GameFile:
        return GameFile.load(self.find(query), self.find_game)

    def load_folder(self, offer_id: bytes) -> GameFile:
        return GameFile.load(self.store(offer_id), self.find_game)

    def rivals(self, offer: Offer) -> Iterator[GameFile]:
        """The other games here that an umpire has offered for the same board of a tournament."""
        if offer.tournament is not None:
            for key in self.tournaments.offers(offer.join.identity, offer.tournament):
                store = self.store(key)
                if key != offer.id and store.name:
                    yield GameFile.load(store, self.find_game)

    def name_game(self, store: GameStore, offer: Offer) -> None:
        """Names it after the installed module, never after a text of the offer. A folder without a name is no game."""
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
