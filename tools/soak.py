"""Whole games of every installed game, with bad mail and restless people: does every one of them come to its end?

python -m tools.soak                                a game in every cell, by mail files between homes
python -m tools.soak --game bridgehead --mode strict --games 50
python -m tools.soak --memory --games 1000          the same play without homes and mail
python -m tools.soak --seconds 60 --jobs 2          as many games as fit
python -m tools.soak --bot quick                    that bot for all players, not any of the game's

A cell is a game, a mode, a number of players and a scenario. Mails come late, twice, in any order, or never; players
take back, offer ties, send half a turn or an old file, ask what the others hold, change presets and standing orders,
resign. After every record each program can make what it owes, and whoever is asked has a legal order that seals; at the
end the game is over in every home, all archives are the same bytes, everything has been audited, and nobody owes
anything.

A game of a failing run is played again by the line that is printed with it; its homes and log are kept beside.
"""

from __future__ import annotations

import argparse
import secrets
import shutil
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from pbem.engine.bots import Bot, RandomBot
from pbem.engine.compiled import program
from pbem.engine.definition import Game, OptionValue
from pbem.engine.registry import find, names
from pbem.engine.testing import Table, check_player, seating
from pbem.home import Home, HomeError, acts, archives, describe, intake, offers, orders, resync, sending, summary
from pbem.home.gamefile import player_of
from pbem.home.outbox import Posted
from pbem.home.summary import GameRow
from pbem.protocol.armour import wrap
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.errors import Refusal
from tools.bot_games import FULL, MODES, Post, audit

WHIMS = (
    ("takeback", 6), ("answer", 8), ("part", 6), ("again", 4), ("tie", 1), ("hello", 2), ("resend", 1), ("resign", 1),
    ("preset", 2), ("standing", 6),
)  # fmt: skip
BACKS = 10  # takebacks that a game's players propose
PATIENCE = 60  # attempts to find what was lost before a game counts as stuck
ORDERS = 40  # given for one move, on average, in a game that goes on
STEPS = 100_000
NOT_NOW = frozenset({"E-ACT", "E-OWES", "E-NO-NEED"})
"""A player wanted something that cannot be done at this moment: nothing is wrong."""


@dataclass(frozen=True, order=True)
class Cell:
    game: str
    mode: str
    players: int
    scenario: str

    def __str__(self) -> str:
        return f"{self.game} {self.mode} {self.players} {self.scenario}"


@dataclass(frozen=True)
class Task:
    """One game. `moves`: after so many records with orders at most somebody resigns."""

    cell: Cell
    seed: str
    moves: int
    memory: bool
    keep: Path
    bot: str = ""  # of all players; empty: any of the game's bots

    def folder(self) -> Path:
        return self.keep / f"{self.cell} {self.seed}".replace(" ", "-")

    def command(self) -> str:
        cell = self.cell
        return (
            f"python -m tools.soak --game {cell.game} --mode {cell.mode} --players {cell.players} "
            f"--scenario {cell.scenario} --games 1 --seed {self.seed} --moves {self.moves}"
            f"{' --memory' if self.memory else ''}{f' --bot {self.bot}' if self.bot else ''}"
        )


@dataclass
class Played:
    task: Task
    mails: int
    records: int = 0
    ended: str = ""
    fault: str = ""


def cells(game: str | None, mode: str | None, players: int | None, scenario: str | None) -> list[Cell]:
    """All that is installed, as far as it is asked for. Nobody plays for two sides in a game with others."""
    found = []
    for name in names():
        rules = find(name)
        sides = {seat.side for seat in rules.seats}
        for each in MODES:
            numbers = [*([1] if each == "open" else []), *range(max(2, len(sides)), len(rules.seats) + 1)]
            found += [Cell(name, each, number, plan.name) for number in numbers for plan in rules.scenarios]
    return [
        cell
        for cell in found
        if game in (None, cell.game)
        and mode in (None, cell.mode)
        and players in (None, cell.players)
        and scenario in (None, cell.scenario)
    ]


def options_of(game: Game[Any], rng: Random) -> dict[str, OptionValue]:
    """In half of the games the players have changed some of the options."""
    if rng.random() < 0.5:
        return {}
    return {option.name: rng.choice(option.values) for option in game.options if rng.random() < 0.3}


class People:
    """What those who play do by chance. The seed of a game decides all of it."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.rng = Random(f"soak {task.seed}")
        self.game = find(task.cell.game)
        self.options = options_of(self.game, self.rng)
        self.seats = seating(self.game, task.cell.players)
        self.moves = self.rng.choice((task.moves // 6, task.moves // 2, task.moves, task.moves))
        self.restless = self.rng.choice((0.0, 0.05, 0.2))
        self.whims = Counter(dict(WHIMS))
        if self.rng.random() < 0.9:
            del self.whims["resign"]
        bots = [task.bot] if task.bot else sorted(self.game.bots) or [""]
        self.levels = [self.rng.choice(bots) for _ in range(task.cell.players)]
        self.done: Counter[str] = Counter()
        self.log: list[str] = []

    def whim(self) -> str:
        """What somebody fancies now, nothing mostly."""
        if self.rng.random() >= self.restless:
            return ""
        (what,) = self.rng.choices(list(self.whims), list(self.whims.values()))
        self.done[what] += 1
        return "" if what == "takeback" and self.done[what] > BACKS else what

    def consents(self, what: str) -> bool:
        return self.rng.random() < (0.1 if what == "tie" else 0.8)

    def note(self, line: str) -> None:
        self.log.append(line)


# Without homes


class InMemory(People):
    def __init__(self, task: Task) -> None:
        super().__init__(task)
        cell = task.cell
        self.table = Table(
            self.game, cell.players, mode=cell.mode, umpire=cell.mode == "umpire", seed=task.seed,
            scenario=cell.scenario, options=self.options, seats=self.seats, careful=True,
        )  # fmt: skip
        self.bots: dict[int, Bot[Any]] = {
            number: self.game.bots.get(level) or RandomBot() for number, level in enumerate(self.levels)
        }
        self.mails = 0

    def play(self) -> None:
        table = self.table
        for _ in range(STEPS):
            sealed = [record for record in table.records if record.kind == "orders"]
            given = sum(len(record.data["orders"]) for record in sealed)
            # One player may seal many turns at once, and two sides that only watch each other would never end.
            enough = len(sealed) >= self.moves or given >= ORDERS * self.moves
            if enough and table.peers[0].match.result is None:
                self.act("resign")
                table.deliver()
                self.moves *= 2
            elif what := self.whim():
                self.act(what)
            elif not table.step(self.bots):
                break
        else:
            raise AssertionError(f"not over: {table.waiting()}")
        table.check_end()

    def act(self, what: str) -> None:
        table, rng = self.table, self.rng
        by = rng.randrange(self.task.cell.players)
        peer = table.peers[by]
        match = peer.match
        chance = peer.player.chance(match)
        try:
            if what == "answer":
                for key, proposal in list(match.position.proposals.items()):
                    if by in proposal.waiting:
                        table.send(by, "answer", {"to": key, "yes": self.consents(proposal.what), **chance})
                        return
            elif match.result is not None:
                return
            elif what == "takeback":
                turns = [each for each in table.records if each.kind == "orders" and peer.replay.log.holds(each.id)]
                if turns:
                    log, record = peer.replay.log, rng.choice(turns[-6:])
                    past = zip(log.authors, log.past_at(record.by, record.seq), strict=True)
                    table.send(by, "takeback", {"to": [list(each) for each in past], **chance})
            elif what == "tie":
                table.send(by, "tie", chance)
            elif what == "resign":
                table.send(by, "resign", {"seats": list(match.genesis.seats_of(by))})
            elif what == "part" and match.asked(by) and not peer.player.owed(match):
                table.order(by, table.choose(by, RandomBot(), rng.randint(1, 3)))
            elif what == "again":
                table.peers[rng.choice(list(table.peers))].take(rng.choice(table.records))
        except Refusal as refusal:
            if refusal.code not in NOT_NOW:
                raise

    @property
    def records(self) -> int:
        return len(self.table.records)

    @property
    def result(self) -> str:
        result = self.table.peers[0].match.result
        return result.how if result is not None else ""

    def leave(self, folder: Path) -> None:
        raws = [Item(ItemType.RECORD, record.raw) for record in self.table.records]
        (folder / "records.pbem").write_bytes(write(raws))
        self.log += [f"{record.by}:{record.seq} {record.kind}" for record in self.table.records]


# Between homes


class LateMail(Post):
    """Mail of which some is lost and some comes twice; what comes next is anything that is on its way."""

    def __init__(self, folder: Path, who: tuple[str, ...], seed: str, rng: Random) -> None:
        super().__init__(folder, who, seed)
        self.rng = rng
        self.loss, self.double = rng.choice((0.0, 0.05, 0.2)), rng.choice((0.0, 0.1, 0.3))
        self.way: list[tuple[str, bytes]] = []
        self.old: list[tuple[str, bytes]] = []

    def post(self, sender: str, posted: Posted | None) -> None:
        if posted is None or not posted.to:
            return
        self.posted.append(posted)
        for who in self.desks:
            if who != sender and any(f"<{who}@" in address for address in posted.to):
                mail = (who, wrap(posted.raw).encode() if self.rng.random() < 0.2 else posted.raw)
                self.old.append(mail)
                if self.rng.random() >= self.loss:
                    self.way += [mail, mail] if self.rng.random() < self.double else [mail]

    def next(self) -> tuple[str, bytes]:
        return self.way.pop(self.rng.randrange(len(self.way)))


class BetweenHomes(People):
    def __init__(self, task: Task, folder: Path) -> None:
        super().__init__(task)
        cell = task.cell
        self.players = tuple(FULL)[: cell.players]
        self.who = (*self.players, *(("umpire",) if cell.mode == "umpire" else ()))
        self.post = LateMail(folder, self.who, f"soak/{task.seed}", self.rng)
        self.desks = self.post.desks
        self.rows: dict[str, GameRow | None] = dict.fromkeys(self.who)
        self.joined: set[str] = set()
        self.orders = self.quiet = 0
        umpire = cell.mode == "umpire"
        first = "umpire" if umpire else self.players[0]
        named = {seat: self.players[number] for seat, number in self.seats.items()}
        seats = {seat: "me" if who == first else who for seat, who in named.items()}
        self.name, posted = offers.offer(
            self.desks[first],
            cell.game,
            seats=seats,
            mode=cell.mode,
            umpire=umpire,
            scenario=cell.scenario,
            options=self.options,
        )
        self.joined.add(first)
        self.post.post(first, posted)
        self.look(first)

    def play(self) -> None:
        for _ in range(STEPS):
            what = self.whim()
            movers = [who for who in self.who if self.can_move(who)]
            choices = len(self.post.way) + len(movers)
            if self.orders >= self.moves and (who := self.someone()):
                self.moves *= 2
                self.act(who, "resign")
            elif what and (who := self.someone()):
                self.act(who, what)
            elif choices:
                pick = self.rng.randrange(choices)
                if pick < len(movers):
                    self.move(movers[pick])
                else:
                    self.take(*self.post.next())
            elif all(row is not None and row.stage == "over" for row in self.rows.values()):
                break
            else:
                self.search()
        else:
            raise AssertionError("this never ends")
        owed = {who: row.owed for who, row in self.rows.items() if row is not None and row.owed}
        if owed:
            raise AssertionError(f"over, and yet: {owed}")
        archive = b"".join(archives.archive(self.desks[self.who[0]], self.name))
        faults = list(audit(archive, self.post, self.name))
        if faults:
            raise AssertionError("; ".join(faults))

    def someone(self) -> str:
        """A player whose game has begun."""
        found = [who for who in self.players if (row := self.rows[who]) is not None and row.stage == "playing"]
        return self.rng.choice(found) if found else ""

    def can_move(self, who: str) -> bool:
        row = self.rows[who]
        return row is not None and ((row.stage == "invited" and who not in self.joined) or row.my_move)

    def move(self, who: str) -> None:
        desk, row = self.desks[who], self.rows[who]
        assert row is not None
        if row.stage == "invited":
            self.note(f"{who} joins")
            self.joined.add(who)
            self.post.post(who, offers.join(desk, self.name))
        elif level := self.levels[self.players.index(who)]:
            alone = orders.move(desk, self.name).asked() if len(self.players) == 1 else ()
            self.send(who, orders.bot(desk, self.name, level, alone))
        else:
            self.part(who)
        self.look(who)

    def send(self, who: str, texts: list[str]) -> None:
        self.note(f"{who} sends {'; '.join(texts)}")
        self.orders += 1
        desk = self.desks[who]
        try:
            self.post.post(who, sending.send(desk, self.name).posted)
        except HomeError as error:
            if error.code == "E-DRAFT-CHANGED":  # a plan that came back, and no longer fits
                orders.undo(desk, self.name, None)
            elif error.code == "E-UNFINISHED":
                self.post.post(who, sending.send(desk, self.name).posted if orders.bot(desk, self.name, None) else None)
            else:
                raise
        except Refusal as refusal:
            if refusal.step != "MEA-13":  # half a turn takes no new standing orders along: they wait
                raise
            orders.undo(desk, self.name, None)

    def act(self, who: str, what: str) -> None:
        desk, name = self.desks[who], self.name
        self.note(f"{who}: {what}")
        try:
            if what == "takeback":
                turns = [line for line in describe.log(desk, name) if line.kind == "orders"]
                line = self.rng.choice(turns[-6:]) if turns else None
                self.post.post(who, acts.takeback(desk, name, f"{line.by}:{line.seq}") if line is not None else None)
            elif what == "answer":
                asked = next((each for each in ("takeback", "tie") if self.is_asked(who, each)), None)
                self.post.post(who, acts.answer(desk, name, asked, self.consents(asked)) if asked is not None else None)
            elif what == "part":
                self.part(who)
            elif what == "again" and self.post.old:
                self.take(*self.rng.choice(self.post.old))
            elif what == "hello":
                self.post.post(who, resync.hello(desk, name))
            elif what == "resend":
                self.post.post(who, sending.resend(desk, name))
            elif what == "tie":
                self.post.post(who, acts.tie(desk, name))
            elif what == "resign":
                self.post.post(who, acts.resign(desk, name))
            elif what == "preset":
                orders.set_preset(desk, name, None, self.rng.choice(orders.move(desk, name).presets()).name)
            elif what == "standing":
                self.standing(who)
        except (Refusal, HomeError) as refusal:
            if refusal.code not in NOT_NOW:
                raise
            self.note(f"  not now: {refusal.code}")
        self.look(who)

    def standing(self, who: str) -> None:
        """Standing orders of one kind, stances among them, as the player or the decision would have them shown."""
        desk, name = self.desks[who], self.name
        rows = orders.move(desk, name).standing_rows()
        if not rows:
            return
        seat, kind, *_ = self.rng.choice(rows)
        made = program(self.game)
        answers = [each for each in made.decisions[kind].answer_names if each.islower()]
        answers += ["ask", *(["default"] if kind in made.defaults else [])]
        text = f"then {self.rng.choice(answers)}"
        self.note(f"  {seat} {kind}: {text}")
        orders.set_standing(desk, name, seat, kind, text, sealed=self.rng.choice((None, None, True, False)))

    def is_asked(self, who: str, what: str) -> bool:
        game = self.desks[who].load(self.name)
        me = self.who.index(who)
        return any(each.what == what and me in each.waiting for each in game.match.position.proposals.values())

    def part(self, who: str) -> None:
        """Some orders by hand, and off they go."""
        desk, name = self.desks[who], self.name
        row = self.rows[who]
        if row is None or not row.my_move:
            return
        orders.undo(desk, name, None)
        given = []
        for _ in range(self.rng.randint(1, 3)):
            if orders.move(desk, name).asked():
                text = self.rng.choice(
                    list(orders.move(desk, name).picked(self.rng.choice(orders.move(desk, name).first())))
                )
                orders.order(desk, name, [text])
                given.append(text)
        if given:
            self.send(who, given)

    def take(self, who: str, raw: bytes) -> None:
        for opened in intake.open_bytes(self.desks[who], raw):
            self.note(f"{who} opens: {opened.what} {' '.join(opened.notes)}")
            if opened.refused is not None:
                raise opened.refused
            if opened.new:
                self.quiet = 0
            for answer in opened.posted:
                self.post.post(who, answer)
        self.look(who)

    def look(self, who: str) -> None:
        """How the game stands at this home, and that it can go on."""
        desk: Home = self.desks[who]
        faults = intake.settle_all(desk)
        if faults:
            raise AssertionError(f"{who}'s program cannot give what it owes: {faults}")
        row = next((row for row in summary.rows(desk)), None)
        self.rows[who] = row
        if row is None:
            return
        if row.fault or row.notice:
            raise AssertionError(f"{who}: {row.fault} {row.notice}")
        if row.stage == "playing":
            game = desk.load(row.name)
            check_player(player_of(desk, game), game.match, game.log)

    def search(self) -> None:
        """Nothing is under way and nobody is to move: something was lost, and people begin to ask."""
        self.quiet += 1
        if self.quiet > PATIENCE:
            raise AssertionError(f"everybody waits: { {who: row and row.owed for who, row in self.rows.items()} }")
        if self.quiet > PATIENCE // 2:
            self.post.loss = 0.0
        who = self.rng.choice([each for each in self.who if self.rows[each] is not None])
        begun = all(
            row is not None and row.stage not in ("offered", "invited", "waiting") for row in self.rows.values()
        )
        way = self.rng.choice(("hello", "hello", "resend", "send")) if begun else "resend"
        self.note(f"{who} waits: {way}")
        desk = self.desks[who]
        try:
            if way == "send":
                orders.undo(desk, self.name, None)
                self.post.post(who, sending.send(desk, self.name).posted)
            else:
                self.post.post(
                    who, resync.hello(desk, self.name) if way == "hello" else sending.resend(desk, self.name)
                )
        except HomeError as error:
            if error.code not in NOT_NOW:
                raise
        self.look(who)

    @property
    def mails(self) -> int:
        return len(self.post.posted)

    @property
    def records(self) -> int:
        return len(describe.log(self.desks[self.who[0]], self.name))

    @property
    def result(self) -> str:
        row = self.rows[self.who[0]]
        return row.result if row is not None else ""

    def leave(self, folder: Path) -> None:
        """The homes lie there already."""


# Many of them


def play(task: Task) -> Played:
    """One game. If it fails, what is left of it stays in its folder."""
    folder = task.folder()
    folder.mkdir(parents=True)
    people: InMemory | BetweenHomes | None = None
    try:
        people = InMemory(task) if task.memory else BetweenHomes(task, folder)
        people.play()
        done = Played(task, people.mails, people.records, people.result)
    except Exception as error:  # noqa: BLE001 - whatever it is, the game has failed
        trace = "".join(traceback.format_exception(error))
        log = [] if people is None else people.log
        if people is not None:
            people.leave(folder)
        (folder / "log.txt").write_text("\n".join([task.command(), *log, trace]) + "\n", encoding="utf-8")
        return Played(task, 0 if people is None else people.mails, fault=f"{type(error).__name__}: {error}")
    shutil.rmtree(folder)
    return done


def tasks(given: argparse.Namespace, keep: Path) -> Iterator[Task]:
    """Game after game of the run: each installed game in turn, each with its cells in an order that the seed gives."""
    found = cells(given.game, given.mode, given.players, given.scenario)
    found = [cell for cell in found if not given.bot or given.bot in find(cell.game).bots]
    if not found:
        raise SystemExit("There is no such cell. Installed: " + ", ".join(names()))
    order = Random(f"cells {given.seed}")
    shuffled = {
        game: order.sample(mine, len(mine)) for game in names() if (mine := [c for c in found if c.game == game])
    }
    games = list(shuffled)
    number = given.games if given.games is not None or given.seconds else len(found)
    for n in count() if number is None else range(number):
        if given.games is None and not given.seconds:
            cell = found[n]
        else:
            mine = shuffled[games[n % len(games)]]
            cell = mine[n // len(games) % len(mine)]
        yield Task(cell, f"{given.seed}.{n}" if n else given.seed, given.moves, given.memory, keep, given.bot)


def run(given: argparse.Namespace, keep: Path) -> Iterator[Played]:
    """The games in order of their ends; none begins when the time is up."""
    end = time.monotonic() + given.seconds if given.seconds else float("inf")
    todo = tasks(given, keep)
    if given.jobs < 2:
        for task in todo:
            if time.monotonic() > end:
                return
            yield play(task)
        return
    with ProcessPoolExecutor(given.jobs, get_context("spawn")) as pool:
        under_way: set[Future[Played]] = set()
        while True:
            fresh = list(islice(todo, given.jobs - len(under_way))) if time.monotonic() < end else []
            under_way |= {pool.submit(play, task) for task in fresh}
            if not under_way:
                return
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            yield from (each.result() for each in done)


@dataclass
class Tally:
    games: int = 0
    mails: int = 0
    records: int = 0
    failures: int = 0
    told: float = field(default_factory=time.monotonic)

    def add(self, played: Played) -> None:
        self.games += 1
        self.mails += played.mails
        self.records += played.records
        self.failures += bool(played.fault)

    def __str__(self) -> str:
        return f"{self.games} games, {self.mails} mails, {self.records} records, {self.failures} failures"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", choices=names())
    parser.add_argument("--mode", choices=MODES)
    parser.add_argument("--players", type=int)
    parser.add_argument("--scenario")
    parser.add_argument("--bot", default="", help="the bot that plays for all (default: any of the game's bots)")
    parser.add_argument("--games", type=int, help="number of games (default: one of each kind)")
    parser.add_argument("--seconds", type=float, help="start no new game after this many seconds")
    parser.add_argument("--seed", help="repeat a run (default: a fresh seed, printed)")
    parser.add_argument(
        "--moves", type=int, default=240, help="let a player resign after this many records with orders"
    )
    parser.add_argument("--memory", action="store_true", help="play in memory, without homes and mail")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    parser.add_argument("--keep", type=Path, help="the folder for homes and logs of games that failed")
    given = parser.parse_args(arguments)
    given.seed = given.seed or str(secrets.randbelow(1_000_000))
    keep = given.keep or Path(tempfile.mkdtemp(prefix="pbem-soak-"))
    keep.mkdir(parents=True, exist_ok=True)

    def say(line: str) -> None:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()

    say(f"seed {given.seed}")
    whole = Tally()
    by_cell: dict[Cell, Tally] = {}
    for played in run(given, keep):
        whole.add(played)
        by_cell.setdefault(played.task.cell, Tally()).add(played)
        if played.fault:
            say(f"FAILED {played.task.cell}: {played.fault}")
            say(f"  again: {played.task.command()}\n  left: {played.task.folder()}")
        if time.monotonic() - whole.told > 30:
            whole.told = time.monotonic()
            say(f"  {whole}; of these {played.task.cell}: {by_cell[played.task.cell]}; the last: {played.ended}")
    for cell, tally in sorted(by_cell.items()):
        say(f"  {cell}: {tally}")
    if not whole.failures and given.keep is None:
        keep.rmdir()
    say(f"{whole.games} games, {whole.failures} failures")
    return int(bool(whole.failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
