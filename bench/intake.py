"""Turn mails into a desk with many running games: how many in a second, and does memory stay flat?

The games are of the duel of the tests, in mode `strict`, each with records of its own; only what the umpire's program
does is measured: the mail is read, every record judged by signature and rules, kept, and the ledger brought up to date,
in passes of the keeper as `pbem umpire run` makes them, with the disk written through.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests" / "engine"
sys.path += [str(ROOT), str(TESTS)]

from bench.timing import high_water  # noqa: E402
from pbem import __version__  # noqa: E402
from pbem.engine.definition import Game  # noqa: E402
from pbem.engine.testing.inmemory import AT, Table, person  # noqa: E402
from pbem.home import Home, summary  # noqa: E402
from pbem.home.describe import full_name  # noqa: E402
from pbem.home.disk import (  # noqa: E402
    Disk,
)
from pbem.home.gamefile import (  # noqa: E402
    GameFile,
    GameStore,
    Stored,
)
from pbem.home.people import Cost  # noqa: E402
from pbem.mail.account import account_of  # noqa: E402
from pbem.mail.compose import Draft, compose, key_of, root_of  # noqa: E402
from pbem.mail.connect import Secrets  # noqa: E402
from pbem.mail.mailstate import MailState  # noqa: E402
from pbem.mail.settings import Local, Settings  # noqa: E402
from pbem.protocol.canonical import Packable  # noqa: E402
from pbem.protocol.container import Item, ItemType, write  # noqa: E402
from pbem.protocol.record import UMPIRE, Record  # noqa: E402
from pbem.umpire.db import queries  # noqa: E402
from pbem.umpire.db.database import Store  # noqa: E402
from pbem.umpire.db.deskrows import MoveRow, of_games  # noqa: E402
from pbem.umpire.keeper import Keeper  # noqa: E402
from pbem.umpire.mailing import Mailbox  # noqa: E402
from pbem.umpire.rehearsal import Unflushed  # noqa: E402
from pbem.umpire.umpiredesk import UmpireDesk  # noqa: E402
from tools.full_desk import UNHURRIED, card_of, paired  # noqa: E402

duel: Callable[[], Game[Any]] = import_module("games.duel").duel  # of the tests
BEGUN = AT + 86_400
_CHEAP = Cost(2, 1, 1)
_FORM = 4
"""Of what is prepared: raised when that changes."""


@dataclass(frozen=True, slots=True)
class Intake:
    games: int
    mails: int
    seconds: float
    cpu: float
    """Seconds of the process for all mails."""
    flat: float
    """Peak of memory after all mails, to that after the first part."""
    first: int
    peak: int
    """KiB."""
    empty_pass: float
    """CPU seconds of a pass that finds nothing new."""
    flushed: float
    """Seconds for each of the first mails when all is written through to the disk, as it is for an umpire."""

    @property
    def rate(self) -> float:
        return self.mails / self.seconds


def measure(games: int = 100, mails: int = 1_000, first: int = 0) -> Intake:
    """In a process of its own, on a copy of a desk that is made once and kept in the folder of temporary files."""
    made = prepared(games, mails)
    first = first or mails // 10
    found = _child(made, "all", first)
    flushed = _child(made, "flushed", min(first, 100))
    return Intake(games=games, mails=mails, first=first, flushed=flushed["each"], **found)


def _child(made: Path, what: str, first: int) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        work = Path(folder) / "desk"
        shutil.copytree(made, work)
        command = [sys.executable, "-m", "bench.intake", what, str(work), str(first)]
        done = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True)
        return dict(json.loads(done.stdout))


# Preparing


def prepared(games: int, mails: int) -> Path:
    """A home with so many games that have begun, the desk's database, and the mails that come."""
    mark = sha256((TESTS / "games" / "duel.py").read_bytes()).hexdigest()[:12]
    name = f"pbem-bench-intake-{_FORM}-{__version__}-{mark}-{games}-{mails}"
    folder = Path(gettempdir()) / name
    if folder.is_dir():
        return folder
    half = folder.with_name(f".{name}-{os.getpid()}")
    shutil.rmtree(half, ignore_errors=True)
    _prepare(half, games, mails)
    half.rename(folder)
    return folder


def _prepare(folder: Path, games: int, mails: int) -> None:
    keys, card, _ = person("umpire")
    home = _home(folder, Unflushed())
    with home.writing():
        home.people.adopt_identity(keys.seed, card, "")
        for number in range(2):
            home.people.meet(person(f"player {number}")[1])
    desk = _desk(folder)
    players = [card_of(number) for number in range(1, 2 * games + 1)]
    paired(desk, card, players, "Bench", game="duel", mode="strict", more=UNHURRIED)
    for sub in ("new", "cur", "tmp"):
        (folder / "Maildir" / sub).mkdir(parents=True)
    (folder / "held").mkdir()
    each = -(-mails // games)
    offers = [_game(folder, home, number, each, games) for number in range(games)]
    with desk.writing("bench") as (writing, tournament):
        writing.record("published", {"round": 1, "tournament": tournament.id})
        for row, (name, offer) in zip(queries.pairings(writing.db, tournament.id), offers, strict=True):
            said: dict[str, Packable] = {"at": BEGUN, "expires": BEGUN, "game": name, "offer": offer, "pairing": row.id}
            writing.record("offered", said)
    _keeper(home, _state(home), desk).round()
    desk.store.close()


def _game(folder: Path, home: Home, number: int, mails: int, games: int) -> tuple[str, bytes]:
    """A game up to its first turns in the home; the mails with the next ones beside it."""
    table = Table(duel(), umpire=True, mode="strict", seed=f"intake {number}", options={"turns": 50})
    letters: list[list[Record]] = []
    while len(letters) < mails:
        for _ in range(20):
            table.step()
        table.settle()
        begun = max(n for n, record in enumerate(table.records) if record.by == UMPIRE) + 1
        letters = _letters(table.records[begun:])[:-1]
    records, offer = table.records[:begun], table.records[0].id
    store = GameStore(home.paths.games / offer.hex(), home.disk, lambda: BEGUN)
    store.prepare()
    store.add(Stored(record.by, record.seq, record.raw) for record in records)
    store.change(identity=home.people.me().identity, by=UMPIRE)
    store.set_name(f"duel-{number:05}")
    summary.refresh(home, GameFile.load(store, lambda _: duel()))  # as after the last record that came
    for turn, letter in enumerate(letters[:mails]):
        # All games' first letters come first.
        (folder / "held" / f"{turn * games + number:07}.bench").write_bytes(_mail(store.name, offer, letter))
    return store.name, offer


def _letters(records: Sequence[Record]) -> list[list[Record]]:
    """What each player mails: their records until somebody else's."""
    found: list[list[Record]] = []
    for record in records:
        if not found or found[-1][-1].by != record.by:
            found.append([])
        found[-1].append(record)
    return found


def _mail(game: str, offer: bytes, letter: Sequence[Record]) -> bytes:
    card, umpire = person(f"player {letter[0].by}")[1], person("umpire")[1]
    raw = write([Item(ItemType.RECORD, record.raw) for record in letter])
    return compose(
        Draft(
            key=key_of(card.identity, game, raw, 0), sender_name=card.name, sender=f"player{letter[0].by}@example.org",
            to=(full_name(umpire),), game=game, root=root_of(offer), references=(), file_name=f"{game}.pbem", raw=raw,
            automatic=False, body="It is your move.", at=BEGUN,
        )
    )  # fmt: skip


# Running


def _home(folder: Path, disk: Disk) -> Home:
    return Home(
        folder / "home", ask=lambda _: "", clock=lambda: BEGUN + 3_600, find_game=lambda _: duel(), cost=_CHEAP,
        disk=disk,
    )  # fmt: skip


def _desk(folder: Path) -> UmpireDesk:
    store = Store.open(folder / "desk.db")
    return UmpireDesk(store, actor="bench", clock=lambda: BEGUN + 3_600, find_game=lambda _: duel())


def _keeper(home: Home, state: MailState, desk: UmpireDesk) -> Keeper:
    folder = home.root.parent
    settings = Settings(
        "umpire@example.org",
        (Local("maildir", str(folder / "Maildir")),),
        (Local("files", str(folder / "out")),),
    )
    account = account_of(home.people.me(), settings, Secrets(lambda _: None), home.disk, home.clock())
    return Keeper(desk, home, Mailbox(home, state, [account]))


def _state(home: Home) -> MailState:
    return MailState(home.paths.mail, home.disk)


def run(folder: Path, first: int) -> dict[str, float | int]:
    """The keeper of one process: the first mails, all others, and once more without any."""
    home, desk = _home(folder, Unflushed()), _desk(folder)
    state = _state(home)
    keeper = _keeper(home, state, desk)
    names = sorted(path.name for path in (folder / "held").iterdir())
    spent, cpu, peaks = [], [time.process_time()], []
    with state.handling():
        for some in (names[:first], names[first:], []):
            spent.append(_pass(folder, keeper, some))
            peaks.append(high_water())
            cpu.append(time.process_time())
    with desk.reading("bench") as (db, tournament):
        answered = len(of_games(db, MoveRow, tournament.id))
    if answered < len(names):
        raise RuntimeError(f"the ledger has {answered} rows for {len(names)} turns")
    return {
        "cpu": cpu[2] - cpu[0], "empty_pass": cpu[3] - cpu[2], "flat": peaks[1] / peaks[0], "peak": peaks[1],
        "seconds": spent[0] + spent[1],
    }  # fmt: skip


def run_flushed(folder: Path, first: int) -> dict[str, float | int]:
    home = _home(folder, Disk())
    names = sorted(path.name for path in (folder / "held").iterdir())[:first]
    state = _state(home)
    with state.handling():
        keeper = _keeper(home, state, _desk(folder))
        _pass(folder, keeper, [])
        return {"each": _pass(folder, keeper, names) / len(names)}


def _pass(folder: Path, keeper: Keeper, names: Sequence[str]) -> float:
    for name in names:
        (folder / "held" / name).rename(folder / "Maildir" / "new" / name)
    begun = time.perf_counter()
    report = keeper.round()
    spent = time.perf_counter() - begun
    keeper.told()
    if report.faults or report.mail.looked_at != len(names):
        raise RuntimeError(f"the benchmark does not take in: {report.faults[:1]}, {report.mail}")
    return spent


if __name__ == "__main__":
    what, place, count = sys.argv[1:]
    way = run_flushed if what == "flushed" else run
    sys.stdout.write(json.dumps(way(Path(place), int(count))))
