"""Whole games of Axis & Allies 1941 between bots over real mail files, audited at the end; how many mails they take.

python -m tools.axis_games                  ten rounds in each mode with two, three and five players, as a table
python -m tools.axis_games --write          the same, and the table goes into the game's README
python -m tools.axis_games --rounds 2 --modes strict --players 2
python -m tools.axis_games --rounds 40 --modes strict --players 2 --seed e3 --archive examples/axis1941/game.pbem
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pbem.engine.archive import verify_archive
from pbem.protocol.container import Item, ItemType, read_stream, write
from pbem.table.desk import Desk
from pbem.table.home import Home
from pbem.table.values import Posted

README = Path(__file__).parents[1] / "rules" / "pbem_rules" / "axis1941" / "README.md"
BEGIN, END = "<!-- mails -->", "<!-- end of mails -->"
MODES = ("strict", "umpire", "open")
PLAYERS = (2, 3, 5)
NAMES = ("alice", "bob", "carla", "dora", "emil")
FULL = {"alice": "Alice Kern", "bob": "Bob Silva", "carla": "Carla Umm", "dora": "Dora Lind", "emil": "Emil Falk"}
SEATS = {
    2: {"ussr": "alice", "uk": "alice", "usa": "alice", "germany": "bob", "japan": "bob"},
    3: {"ussr": "alice", "uk": "carla", "usa": "carla", "germany": "bob", "japan": "bob"},
    5: {"ussr": "alice", "uk": "carla", "usa": "emil", "germany": "bob", "japan": "dora"},
}
GAME = "axis1941"
TITLES = ("USSR", "Germany", "United Kingdom", "Japan", "USA")
BEGUN = 1_767_258_000
MOST = 5_000  # moves


@dataclass
class Report:
    """What a game cost and came to: `turns` of powers were played by so many mails of persons and of programs."""

    mode: str
    players: int
    turns: int = 0
    human: int = 0
    automatic: int = 0
    size: int = 0
    orders: int = 0
    result: str = ""
    faults: list[str] = field(default_factory=list)
    archive: bytes = b""


class Post:
    """Homes side by side, and the mail between them: each file to everybody else, in order."""

    def __init__(self, folder: Path, names: tuple[str, ...], seed: str) -> None:
        self.now = BEGUN
        self.desks = {name: self._desk(folder / name, f"{seed}/{name}") for name in names}
        self.mails: deque[tuple[str, bytes]] = deque()
        self.posted: list[Posted] = []
        for name, desk in self.desks.items():
            desk.new_identity(FULL.get(name, name.capitalize()), f"{name}@example.org", "")
        cards = {name: write([Item(ItemType.CARD, desk.people.me().card.raw)]) for name, desk in self.desks.items()}
        for name, desk in self.desks.items():
            for other, card in cards.items():
                if other != name:
                    desk.open(card)

    def _desk(self, home: Path, seed: str) -> Desk:
        count = 0

        def stream(size: int) -> bytes:
            nonlocal count
            count += 1
            return hashlib.shake_256(f"axis games/{seed}/{count}".encode()).digest(size)

        return Desk(Home(home), ask=lambda _: "", clock=self._clock, random=stream)

    def _clock(self) -> int:
        self.now += 60
        return self.now

    def post(self, sender: str, posted: Posted | None) -> None:
        if posted is not None:
            self.posted.append(posted)
            self.mails += [(name, posted.raw) for name in self.desks if name != sender]
        while self.mails:
            receiver, raw = self.mails.popleft()
            for opened in self.desks[receiver].open(raw):
                if opened.refused is not None:
                    raise opened.refused
                for answer in opened.posted:
                    self.posted.append(answer)
                    self.mails += [(name, answer.raw) for name in self.desks if name != receiver]


def found(post: Post, mode: str, players: int) -> str:
    """Offer, joins, and what the programs do to begin."""
    first, *others = NAMES[:players]
    umpire = "umpire" if mode == "umpire" else None
    seats = {seat: "me" if who == first else who for seat, who in SEATS[players].items()}
    name, posted = post.desks[first].offer(GAME, seats=seats, mode=mode, umpire=umpire, title="A game between bots")
    post.post(first, posted)
    for other in (*others, *filter(None, [umpire])):
        post.post(other, post.desks[other].join(name))
    return name


def play(folder: Path, mode: str, players: int, rounds: int = 10, seed: str = "1", level: str = "sensible") -> Report:
    """To the end of the round or of the game; then one side resigns, so that the game can be audited."""
    report = Report(mode, players)
    names = (*NAMES[:players], *(("umpire",) if mode == "umpire" else ()))
    post = Post(folder, names, seed)
    name = found(post, mode, players)
    post.posted.clear()
    first = post.desks[names[0]]
    for _ in range(MOST):
        mover = next((who for who in names[:players] if post.desks[who].row(name).my_move), None)
        if mover is None:
            break
        desk = post.desks[mover]
        report.turns = turns_of(desk, name)
        if report.turns >= rounds * len(TITLES):
            break
        report.orders += len(desk.bot(name, level))
        post.post(mover, desk.send(name))
    report.human = sum(not each.automatic for each in post.posted)
    report.automatic = sum(each.automatic for each in post.posted)
    report.size = sum(len(each.raw) for each in post.posted)
    if not first.row(name).result:
        post.post(names[0], first.resign(name))
    report.archive = b"".join(first.archive(name))
    report.faults = list(audit(report, post, name, names))
    report.result = first.row(name).result
    return report


def turns_of(desk: Desk, name: str) -> int:
    """How many turns have been finished, by the first line of the board."""
    words = desk.board(name, public=True).split("\n", 1)[0].removeprefix("Round ").split(", ")
    return (int(words[0]) - 1) * len(TITLES) + TITLES.index(words[1].removesuffix("'s turn.").partition("'")[0])


def audit(report: Report, post: Post, name: str, names: tuple[str, ...]) -> Iterator[str]:
    """What is wrong with the end of the game."""
    for who in names:
        if b"".join(post.desks[who].archive(name)) != report.archive:
            yield f"the archive of {who} differs"
    with tempfile.TemporaryFile() as file:
        file.write(report.archive)
        file.seek(0)
        items = tuple(read_stream(file))
    verdict = verify_archive(items)
    if not verdict.ok or verdict.audit is None or verdict.result is None:
        yield f"not verified: {verdict.first_bad or verdict.pending or 'no audit'}"


def table_of(reports: list[Report], rounds: int) -> str:
    rows = [
        f"Bots play {rounds} rounds; a mail goes to all the others at once. A turn without dice needs no reply, "
        "and the USA's and the USSR's turn can be one mail, if one player has both. At the end programs sign the "
        "result and open secrets.",
        "",
        "| mode | players | turns | mails by persons | automatic mails | bytes a mail |",
        "|---|---|---|---|---|---|",
    ]
    for each in reports:
        mails = each.human + each.automatic
        rows.append(
            f"| {each.mode} | {each.players} | {each.turns} | {each.human} | {each.automatic} | {each.size // mails} |"
        )
    return "\n".join(rows)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--modes", nargs="*", default=list(MODES))
    parser.add_argument("--players", nargs="*", type=int, default=list(PLAYERS))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--level", default="sensible")
    parser.add_argument("--archive", type=Path, help="keep the last game's archive here")
    parser.add_argument("--write", action="store_true", help="put the table into the README")
    given = parser.parse_args(arguments)
    reports, bad = [], 0
    for mode in given.modes:
        for players in given.players:
            with tempfile.TemporaryDirectory() as folder:
                report = play(Path(folder), mode, players, given.rounds, given.seed, given.level)
            reports.append(report)
            bad += len(report.faults)
            sys.stdout.write(
                f"{mode}, {players} players: {report.turns} turns, {report.human} + {report.automatic} mails; "
                f"{report.result}; {'; '.join(report.faults) or 'audited'}\n"
            )
            sys.stdout.flush()
    if given.archive is not None:
        given.archive.write_bytes(reports[-1].archive)
    table = table_of(reports, given.rounds)
    sys.stdout.write(f"\n{table}\n")
    if given.write:
        page = README.read_text(encoding="utf-8")
        head, _, rest = page.partition(BEGIN)
        README.write_text(f"{head}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
