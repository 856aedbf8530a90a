"""A whole tournament in one folder: an umpire's home, homes of bots, and somebody who carries their files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from pbem.engine import registry
from pbem.home import Home, intake, offers, orders, sending, summary
from pbem.home.disk import Disk
from pbem.home.gamefile import GameFinder
from pbem.home.people import Cost
from pbem.home.root import Stream, Ticks
from pbem.protocol.errors import with_code
from pbem.umpire.db.database import Store
from pbem.umpire.keeper import Keeper, Report
from pbem.umpire.mailing import ByHand
from pbem.umpire.umpiredesk import UmpireDesk

_CHEAP = Cost(log_n=4)
"""The keys of bots are worth nothing."""


class Unflushed(Disk):
    """Nothing of a rehearsal has to survive a power cut."""

    synchronous = "OFF"

    def fsync(self, fd: int) -> None:
        """Left to the system."""

    def fsync_folder(self, folder: Path) -> None:
        """Left to the system."""


class Rehearsal:
    def __init__(
        self,
        folder: Path,
        names: Sequence[str],
        *,
        seed: int = 1,
        store: Store | None = None,
        find_game: GameFinder = registry.find,
        disk: Callable[[], Disk] = Unflushed,
        bot: str | None = None,
        bots: Mapping[str, str] | None = None,
        umpire: str = "Una Umpire",
    ) -> None:
        self.folder = folder
        self.seed = seed
        self.clock = Ticks(67)
        self.silent: set[str] = set()
        """Who reads nothing and does nothing any more."""
        self._find_game = find_game
        self.make_disk = disk
        self._bot = bot
        self._bots = bots or {}
        self._carried: set[tuple[str, str, bytes]] = set()
        self._seen: dict[str, int] = {}
        self._finished: dict[str, set[str]] = {}
        self.umpire_name = umpire
        self.homes: dict[str, Home] = {}
        for name in (umpire, *names):
            home = self.home_of(name)
            home.new_identity(name, f"{_short(name)}@example.org", "")
            self.homes[name] = home
        self.umpire = self.homes[umpire]
        self.umpire.disk.folder(self.umpire.root / "umpire")
        self.store = store or Store.open(self.umpire.root / "umpire" / "desk.db")
        self.desk = UmpireDesk(
            self.store,
            actor=umpire,
            clock=self.clock,
            random=Stream(f"pbem rehearsal/{seed}/desk"),
            find_game=find_game,
        )
        self.keeper = Keeper(self.desk, self.umpire, ByHand(self.umpire))

    def home_of(self, name: str) -> Home:
        return Home(
            self.folder / _short(name),
            ask=lambda _: "",
            clock=self.clock,
            random=Stream(f"pbem rehearsal/{self.seed}/{name}"),
            disk=self.make_disk(),
            find_game=self._find_game,
            cost=_CHEAP,
        )

    @property
    def players(self) -> dict[str, Home]:
        return {name: home for name, home in self.homes.items() if name != self.umpire_name}

    def cards(self) -> Path:
        """Everybody's card in a folder, as players mail them to an umpire."""
        from pbem.protocol.container import Item, ItemType, write

        folder = self.folder / "cards"
        folder.mkdir(exist_ok=True)
        for name, home in self.players.items():
            (folder / f"{_short(name)}.pbem").write_bytes(write([Item(ItemType.CARD, home.people.me().card.raw)]))
        return folder

    # What happens between two passes of the keeper

    def carry(self) -> int:
        """Every file of an outbox goes to those it is for, until nobody's program answers; how many were carried."""
        count = 0
        while fresh := self._fresh():
            for to, raw in fresh:
                count += 1
                if to not in self.silent:
                    intake.open_bytes(self.homes[to], raw)
        return count

    def carry_again(self) -> int:
        """All files once more, as if none had been carried."""
        self._carried.clear()
        self._seen.clear()
        return self.carry()

    def _fresh(self) -> list[tuple[str, bytes]]:
        found = []
        for sender, home in self.homes.items():
            for letter in home.outbox.letters().values():
                raw = home.outbox.file(letter.name) if letter.id > self._seen.get(sender, 0) else None
                if raw is None:
                    continue
                self._seen[sender] = letter.id
                for to in self.homes:
                    mark = (f"{sender}/{to}", letter.name, hashlib.sha256(raw).digest())
                    if to != sender and mark not in self._carried and any(each.startswith(to) for each in letter.to):
                        self._carried.add(mark)
                        found.append((to, raw))
        return found

    def answer(self) -> None:
        """Everybody accepts what they are invited to."""
        for name, home in self.players.items():
            for row in summary.rows(home) if name not in self.silent else ():
                if row.stage == "invited":
                    offers.join(home, row.name)

    def move(self) -> int:
        """Everybody whose move it is orders what their bot says, once; how many did."""
        count = 0
        for name, home in self.players.items():
            done = self._finished.setdefault(name, set())
            for row in summary.rows(home) if name not in self.silent else ():
                if row.name in done:
                    continue
                if row.stage == "over":
                    done.add(row.name)
                if row.my_move:
                    self.order(name, home, row.name)
                    sending.send(home, row.name)
                    count += 1
        return count

    def order(self, name: str, home: Home, game: str) -> None:
        """Somebody's orders, as far as they are asked."""
        orders.bot(home, game, self._bots.get(name, self._bot))

    def settle(self) -> None:
        """Until nothing is under way and nobody is to move."""
        while True:
            count = self.carry()
            self.answer()
            if not count + self.move() + self.carry():
                return

    def keep(self) -> Report:
        return self.keeper.round()

    def play(self, name: str, *, most: int = 200) -> None:
        """The keeper and the players in turn, until the tournament is over."""
        for _ in range(most):
            report = self.keep()
            if report.faults:
                raise RuntimeError(with_code(report.faults[0].sentence, report.faults[0].code))
            if self.desk.tournament(name).state == "over":
                return
            self.settle()
        raise RuntimeError("the tournament does not end")


def _short(name: str) -> str:
    return name.casefold().split()[0]
