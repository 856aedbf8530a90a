"""How many mails a game costs: whole games between bots over real mail files, audited at the end, as a table.

python -m tools.mails noretreat                                 strict, one game for each way to play
python -m tools.mails axis1941 --players 2 3 5 --modes strict open --turns 50
python -m tools.mails noretreat --ways stops --games 5 --jobs 2 --keep counted.jsonl      goes on where it stopped
python -m tools.mails noretreat --why                           says which decisions the mails sent by hand were for
python -m tools.mails stargard --per turn activations           counts also for each of what the state counts
python -m tools.mails noretreat --write                         puts the table into the game's README

Ways to play: `stops` seals wherever the draft stops and plans nothing, `plans` plans past the dice, `ahead` gives
standing orders as well, as far as the game's bot does.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from pbem.cli.offering import option_values, pairs
from pbem.engine.bots import Bot, Planner, Randomness
from pbem.engine.definition import Game
from pbem.engine.legal import Legal
from pbem.engine.need import Orders
from pbem.engine.order import Order
from pbem.engine.registry import find, module, names
from pbem.engine.testing import seating
from pbem.engine.view import View
from pbem.home import acts, archives, orders, sending, summary
from tools.bot_games import FULL, MODES, MOST, Post, audit, found, resumed, write_table

WAYS = ("stops", "plans", "ahead")


@dataclass(frozen=True)
class Task:
    """One game. `turns`: after so many turns of players one side resigns (0: to the end).

    `per`: fields of the state that count what mails are to be divided by as well, up to the end of the game.
    """

    game: str
    mode: str
    players: int
    scenario: str | None = None
    way: str = "ahead"
    preset: str = ""
    seed: str = "1"
    level: str = ""  # empty: the best that it has
    turns: int = 0
    per: tuple[str, ...] = ()
    options: tuple[str, ...] = ()  # `name=value`


@dataclass
class Count:
    """What a game cost, in mails by hand and by programs; `why`: which decisions those by hand were for."""

    task: Task
    turns: int = 0
    human: int = 0
    automatic: int = 0
    size: int = 0
    result: str = ""
    archive: int = 0
    why: dict[str, int] = field(default_factory=dict)
    per: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def a_turn(self, mails: int) -> float:
        return mails / max(self.turns, 1)


class Stopping:
    """A bot that plans nothing and gives no standing orders."""

    def __init__(self, bot: Bot[Any]) -> None:
        self.bot = bot

    def choose(self, view: View[Any], need: Orders, seat: str, legal: Legal, rng: Randomness) -> Order:
        return self.bot.choose(view, need, seat, legal, rng)


class Planning(Stopping):
    """A bot that plans, and gives no standing orders."""

    def plan(self, view: View[Any], seat: str, rng: Randomness) -> Sequence[Order]:
        return self.bot.plan(view, seat, rng) if isinstance(self.bot, Planner) else ()


def player_of(game: Game[Any], task: Task) -> Game[Any]:
    bot = game.bots[task.level or game.best_bot]
    return replace(game, bots={"way": {"stops": Stopping(bot), "plans": Planning(bot)}.get(task.way, bot)})


def play(folder: Path, task: Task, archive: Path | None = None) -> Count:
    """To the end of the game or of the turns, every secret opened; the archive goes into a file."""
    rules = find(task.game)
    mine = player_of(rules, task)
    counted = Count(task)
    seats = seating(rules, task.players)
    players = tuple(FULL)[: task.players]
    post = Post(
        folder, (*players, *(("umpire",) if task.mode == "umpire" else ())), task.seed,
        find_game=lambda name: mine if name == task.game else find(name),
    )  # fmt: skip
    options = option_values(rules, pairs(task.options, "An option"))
    held = {seat: players[n] for seat, n in seats.items()}
    name = found(post, task.game, task.mode, held, task.scenario, "By bots", options)
    first, turns, why = post.desks[players[0]], set[int](), Counter[str]()
    for who in players if task.preset else ():
        orders.set_preset(post.desks[who], name, None, task.preset)
    for _ in range(MOST):
        mover = next((who for who in players if summary.row(post.desks[who], name).my_move), None)
        if mover is None:
            break
        desk = post.desks[mover]
        match = desk.load(name).match
        turns.add(match.machine.turn)
        if task.turns and len(turns) > task.turns:
            turns.discard(match.machine.turn)
            break
        need = match.machine.need
        why[need.kind if isinstance(need, Orders) else str(need)] += 1
        orders.bot(desk, name, "way")
        post.post(mover, sending.send(desk, name).posted)
    counted.turns, counted.why = len(turns), dict(why)
    counted.human = sum(not each.automatic for each in post.posted)
    counted.automatic = sum(each.automatic for each in post.posted)
    counted.size = sum(len(each.raw) for each in post.posted)
    if not summary.row(first, name).result:
        post.post(players[0], acts.resign(first, name))
    state = first.load(name).match.machine.state
    counted.per = {each: getattr(state, each) for each in task.per}
    raw = b"".join(archives.archive(first, name))
    counted.result, counted.archive = summary.row(first, name).result, len(raw)
    counted.faults = list(audit(raw, post, name))
    if archive is not None:
        archive.write_bytes(raw)
    return counted


def counted(task: Task, archive: Path | None = None) -> Count:
    with tempfile.TemporaryDirectory() as folder:
        return play(Path(folder), task, archive)


def table_of(counts: Sequence[Count]) -> str:
    """A row for each way, preset, mode and number of players; games of other seeds are added up."""
    heads = "mode, players, way, preset, games, turns, mails by hand, a turn, automatic, a turn, bytes a mail"
    names = counts[0].task.per if counts else ()
    columns = [*heads.split(", "), *(f"{who}, per {each}" for each in names for who in ("by hand", "automatic"))]
    rows = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    groups: dict[tuple[str, int, str, str], list[Count]] = {}
    for each in counts:
        groups.setdefault((each.task.mode, each.task.players, each.task.way, each.task.preset), []).append(each)
    for (mode, players, way, preset), some in groups.items():
        whole = Count(some[0].task, *(sum(getattr(each, key) for each in some) for key in _SUMS))
        rows.append(
            f"| {mode} | {players} | {way} | {preset or '-'} | {len(some)} | {whole.turns} "
            f"| {whole.human} | {whole.a_turn(whole.human):.2f} | {whole.automatic} "
            f"| {whole.a_turn(whole.automatic):.2f} | {whole.size // max(whole.human + whole.automatic, 1)} |"
            + "".join(
                f" {mails / max(sum(one.per[each] for one in some), 1):.2f} |"
                for each in names
                for mails in (whole.human, whole.automatic)
            )
        )
    return "\n".join(rows)


_SUMS = ("turns", "human", "automatic", "size")


def tasks(given: argparse.Namespace) -> Iterator[Task]:
    rules = find(given.game)
    sides = len({seat.side for seat in rules.seats})
    for mode, players, way, preset in product(given.modes, given.players or [sides], given.ways, given.presets):
        for number in range(given.games):
            seed = given.seed if not number else f"{given.seed}.{number}"
            terms = (given.scenario, way, preset, seed, given.level, given.turns)
            yield Task(given.game, mode, players, *terms, tuple(given.per), tuple(given.option))


def read(plain: dict[str, Any]) -> Count:
    terms: dict[str, Any] = {
        key: tuple(each) if isinstance(each, list) else each for key, each in plain["task"].items()
    }
    task = Task(**terms)
    return Count(**{**plain, "task": task})


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=names())
    parser.add_argument("--modes", nargs="*", choices=MODES, default=["strict"])
    parser.add_argument("--players", nargs="*", type=int)
    parser.add_argument("--scenario")
    parser.add_argument("--ways", nargs="*", choices=WAYS, default=list(WAYS))
    parser.add_argument("--presets", nargs="*", default=[""])
    parser.add_argument("--turns", type=int, default=0, help="let one side resign after this many player turns")
    parser.add_argument("--option", nargs="*", default=[], metavar="NAME=VALUE", help="options of the game")
    parser.add_argument("--per", nargs="*", default=[], help="count by these fields of the state as well, such as turn")
    parser.add_argument("--games", type=int, default=1, help="games of each kind, each with its own seed")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--level", default="", help="the bot that plays (default: sensible, or the best)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file for the counts; games in it are not played again")
    parser.add_argument("--archive", type=Path, help="write the last game to this file (with one job)")
    parser.add_argument("--why", action="store_true", help="show which decisions caused the mails sent by hand")
    parser.add_argument("--write", action="store_true", help="put the table into the game's README")
    given = parser.parse_args(arguments)
    counts: list[Count] = []
    work = partial(counted, archive=given.archive)
    for each in resumed(work, list(tasks(given)), read, given.keep, given.jobs):
        counts.append(each)
        task = each.task
        sys.stdout.write(
            f"{task.mode}, {task.players} players, {task.way} {task.preset}, seed {task.seed}: {each.turns} turns, "
            f"{each.human} + {each.automatic} mails; {each.result}; {'; '.join(each.faults) or 'audited'}\n"
        )
        if given.why:
            for what, number in sorted(each.why.items(), key=lambda item: -item[1]):
                sys.stdout.write(f"  {number:4} {what}\n")
        sys.stdout.flush()
    table = table_of(counts)
    sys.stdout.write(f"\n{table}\n")
    if given.write:
        package = Path(str(sys.modules[module(given.game)].__file__)).parent
        write_table(package / "README.md", table)
    return int(any(each.faults for each in counts))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
