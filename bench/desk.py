"""What a mail costs an umpire's desk, early and late in a game: real games in mode `umpire`, with mail going out.

Two bots and the umpire have homes with mailboxes. Every pass of the keeper takes in one mail, answers it (dice, cards)
and sends what it has to send. The CPU time of the passes in which a mail went out counts, since those in which none did
have less to do, and are not spread evenly over a game. The keeper stays, as under `pbem umpire run`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT), str(ROOT / "tests" / "mail")]

from pbem.engine.registry import find  # noqa: E402
from pbem.home import describe, offers, orders, sending, summary  # noqa: E402
from pbem.umpire.db.database import Store  # noqa: E402
from pbem.umpire.keeper import Keeper  # noqa: E402
from pbem.umpire.mailing import Mailbox  # noqa: E402
from pbem.umpire.umpiredesk import UmpireDesk  # noqa: E402
from tools.full_desk import UNHURRIED, paired  # noqa: E402

at_home: Callable[..., Any] = import_module("mailhomes").at_home  # of the tests


@dataclass(frozen=True, slots=True)
class Growth:
    records: int
    mails: int
    sent: int
    early: float
    """CPU seconds of the median mail in the first quarter of a game."""
    late: float

    @property
    def ratio(self) -> float:
        return self.late / self.early


def growth(game: str = "bridgehead", scenario: str = "counterstroke", games: int = 4, most: int = 10_000) -> Growth:
    """Over so many games, one after another, or until so many mails of a game have come."""
    early: list[float] = []
    late: list[float] = []
    records = mails = sent = 0
    for number in range(games):
        with TemporaryDirectory() as folder:
            spent, count, out = _played(Path(folder), game, scenario, number, most)
        quarter = max(1, len(spent) // 4)
        early += spent[:quarter]
        late += spent[-quarter:]
        records, mails, sent = records + count, mails + len(spent), sent + out
    return Growth(records, mails, sent, median(early), median(late))


def _played(folder: Path, game: str, scenario: str, number: int, most: int) -> tuple[list[float], int, int]:
    """CPU seconds of each pass with one mail while the game is played; its records; the mails that went out."""
    now = [1_800_000_000 + number]

    def clock() -> int:
        now[0] += 1
        return now[0]

    una, *players = (at_home(folder, name) for name in ("Una Umpire", "Alice Kern", "Bob Silva"))
    for home in (una, *players):
        home.desk.clock = clock
    desk = UmpireDesk(Store.open(folder / "desk.db"), actor="Una", clock=clock, find_game=find)
    more = f'scenario = "{scenario}"\n{UNHURRIED}'
    paired(desk, una.person.card, [each.person.card for each in players], "Bench", game=game, more=more)
    desk.offer("bench")
    state = una.state()
    with state.handling():
        keeper = Keeper(desk, una.desk, Mailbox(una.desk, state, [una.account()]))
        post = _Post(una, players, keeper)
        post.run()
        for player in players:
            for row in summary.rows(player.desk):
                offers.join(player.desk, row.name)
        post.run()
        post.spent.clear()
        while len(post.spent) < most and any(map(_moved, players)):
            post.run()
    desk.store.close()
    (row,) = summary.rows(una.desk)
    return post.spent, len(describe.log(una.desk, row.name)), len(una.out())


def _moved(player: Any) -> bool:
    mine = [row.name for row in summary.rows(player.desk) if row.my_move]
    for name in mine:
        orders.bot(player.desk, name)
        sending.send(player.desk, name)
    return bool(mine)


class _Post:
    """Carries each mail once; the umpire gets one at a time, and the passes that take it in are timed."""

    def __init__(self, una: Any, players: list[Any], keeper: Keeper) -> None:
        self.una, self.players, self.keeper = una, players, keeper
        self.spent: list[float] = []
        self._carried: set[tuple[str, str]] = set()
        self._count = 0

    def run(self) -> None:
        while self._carry():
            continue

    def _carry(self) -> int:
        for player in self.players:
            player.round()
        self.keeper.round()
        fresh = [
            (home, name, raw)
            for home in (self.una, *self.players)
            for name, raw in home.out().items()
            if (home.name, name) not in self._carried
        ]
        for home, name, raw in fresh:
            self._carried.add((home.name, name))
            head = raw[: raw.index(b"Subject:")].decode("ascii")
            for other in (*self.players, self.una):
                if other is not home and other.address in head:
                    self._count += 1
                    other.receive(f"{self._count:06d}.bench", raw)
                    if other is self.una:
                        self._timed(self.keeper.round)
        return len(fresh)

    def _timed(self, round_: Callable[[], Any]) -> None:
        begun = time.process_time()
        report = round_()
        spent = time.process_time() - begun
        if report.mail.sent and any(row.stage == "playing" for row in summary.rows(self.una.desk)):
            self.spent.append(spent)  # what a game costs once, at its end, is no cost of a mail
        self.keeper.told()
        if report.faults:
            raise RuntimeError(f"the benchmark does not take in: {report.faults[0]}")


if __name__ == "__main__":
    game, scenario, count = sys.argv[1:]
    sys.stdout.write(f"{growth(game, scenario, int(count))}\n")
