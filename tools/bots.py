"""Tournaments between bots of any installed game, each game printed as it ends.

python -m tools.bots beat noretreat                    the sensible bot against the random one, from each side in turn
python -m tools.bots beat axis1941 --games 200 --least 0.9 --jobs 2
python -m tools.bots balance noretreat --keep equals.jsonl     two sensible bots; goes on where it stopped
python -m tools.bots balance bridgehead --scenario counterstroke --seed autumn
python -m tools.bots record bridgehead game.txt        one game, every order, die and event of it, as text
python -m tools.bots record noretreat game.pbem        the same between homes, as an archive that `pbem verify` reads
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pbem.engine.definition import Game
from pbem.engine.need import Over
from pbem.engine.registry import find, names
from pbem.engine.testing import Driver, random_game
from pbem.engine.testing.golden import transcript
from tools.bot_games import resumed
from tools.mails import Task as Mailed
from tools.mails import counted

Z = 1.96  # standard deviations: 95%


@dataclass(frozen=True)
class Task:
    """One game. `mine`: the side that the bot of this `level` has; empty: it has all of them."""

    game: str
    scenario: str | None
    seed: str
    mine: str = ""
    level: str = "sensible"
    against: str = "random"
    orders: int = 20_000


@dataclass(frozen=True)
class Played:
    """How it ended. `how` is empty if it did not within the orders allowed."""

    task: Task
    winner: str
    how: str
    scores: dict[str, int]
    turns: int  # of players
    orders: int
    seconds: float

    def __str__(self) -> str:
        mine = f", {self.task.level} is {self.task.mine}" if self.task.mine else ""
        end = f"{self.winner or 'nobody'} wins: {self.how}" if self.how else "not over"
        return (
            f"{self.task.seed}{mine}: {end}; {self.turns} turns, {self.orders} orders, {self.seconds:.1f} s"
            f"{''.join(f', {who} {score}' for who, score in self.scores.items())}"
        )


def sides(game: Game[Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(seat.side for seat in game.seats))


def drive(task: Task, probe: Callable[[Driver[Any]], None] | None = None) -> Driver[Any]:
    game = find(task.game)
    level = {side: task.level if task.mine in ("", side) else task.against for side in sides(game)}
    bots = {seat.name: game.bots[level[seat.side]] for seat in game.seats}
    return random_game(
        game, task.seed, scenario=task.scenario, bots=bots, orders=task.orders, every=task.orders + 1, probe=probe
    )


def play(task: Task) -> Played:
    began, turns = time.process_time(), set[int]()
    driver = drive(task, lambda driver: turns.add(driver.machine.turn))
    ended = driver.need.result if isinstance(driver.need, Over) else None
    winner, how, scores = (ended.winner or "", ended.how, dict(ended.scores)) if ended is not None else ("", "", {})
    seconds = round(time.process_time() - began, 1)
    return Played(task, winner, how, scores, len(turns - {0}), len(driver.orders), seconds)


def read(plain: dict[str, Any]) -> Played:
    return Played(**{**plain, "task": Task(**plain["task"])})


def lower_bound(won: int, games: int) -> float:
    """Of the share won, at 95% (Wilson)."""
    share = won / games
    middle = share + Z * Z / (2 * games)
    spread = Z * (share * (1 - share) / games + Z * Z / (4 * games * games)) ** 0.5
    return float((middle - spread) / (1 + Z * Z / games))


def beaten(results: Sequence[Played], least: float) -> tuple[str, bool]:
    """How often the one bot won from each side, and whether it is as much better as it should be."""
    rows, good = ["| side | games | won | at least (95%) | slowest game |", "|---|---|---|---|---|"], True
    for side in dict.fromkeys(each.task.mine for each in results):
        mine = [each for each in results if each.task.mine == side]
        won = sum(each.winner == side for each in mine)
        bound = lower_bound(won, len(mine))
        good = good and bound >= least
        slowest = max(each.seconds for each in mine)
        rows.append(f"| {side} | {len(mine)} | {won} | {100 * bound:.0f}% | {slowest:.1f} s |")
    return "\n".join(rows), good


def balanced(results: Sequence[Played], most: float, draws: float) -> tuple[str, bool]:
    """Who won how, and the spread of what each scored; whether no side won more than its share of the games that
    somebody won, and no more than the share allowed were draws.
    """
    rows = ["| winner | how | games | turns |", "|---|---|---|---|"]
    ways = Counter((each.winner, each.how) for each in results)
    for (winner, how), count in sorted(ways.items(), key=lambda item: (item[0][0], -item[1])):
        turns = sorted(each.turns for each in results if (each.winner, each.how) == (winner, how))
        rows.append(f"| {winner or '-'} | {how or 'not over'} | {count} | {turns[0]} to {turns[-1]} |")
    shares = Counter(each.winner for each in results if each.winner)
    decided, drawn = sum(shares.values()), sum(each.how != "" and not each.winner for each in results)
    for side, won in sorted(shares.items()):
        rows.append(f"| {side} | **all** | **{won}** ({100 * won / decided:.0f}% of those won) | |")
    rows.append(f"| - | **draws** | **{drawn}** ({100 * drawn / len(results):.0f}% of all) | |")
    rows += ["", "| score of | games | least, quarter, half, three quarters, most |", "|---|---|---|"]
    for who in dict.fromkeys(who for each in results for who in each.scores):
        found = sorted(each.scores[who] for each in results if who in each.scores)
        spread = [found[min(len(found) - 1, len(found) * part // 4)] for part in range(5)]
        rows.append(f"| {who} | {len(found)} | {', '.join(map(str, spread))} |")
    return "\n".join(rows), all(won <= most * decided for won in shares.values()) and drawn <= draws * len(results)


def level_of(given: argparse.Namespace) -> str:
    return given.level or find(given.game).best_bot


def tasks(given: argparse.Namespace) -> Iterator[Task]:
    found = sides(find(given.game))
    task = Task(given.game, given.scenario, "", "", level_of(given), given.against, given.orders)
    for number in range(given.games):
        mine = found[number % len(found)] if given.what == "beat" else ""
        yield replace(task, seed=f"{given.seed}/{number}", mine=mine)


def record(given: argparse.Namespace) -> None:
    """As text, or between homes by mail, as an archive."""
    if given.file.suffix != ".pbem":
        task = Task(given.game, given.scenario, given.seed, level=level_of(given), orders=given.orders)
        given.file.write_text(transcript(drive(task)), encoding="utf-8")
        return
    players = len(sides(find(given.game)))
    counted(Mailed(given.game, "strict", players, given.scenario, seed=given.seed, level=level_of(given)), given.file)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("beat", "balance", "record"))
    parser.add_argument("game", choices=names())
    parser.add_argument("file", nargs="?", type=Path, help="of `record`: .pbem for an archive, any other for a text")
    parser.add_argument("--scenario")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--level", help="the bot that is measured (default: sensible, or the best it has)")
    parser.add_argument("--against", default="random", help="of `beat`: the bot that it plays against")
    parser.add_argument(
        "--least", type=float, default=0.85, help="for `beat`: the smallest share of its games that each side must win"
    )
    parser.add_argument(
        "--most",
        type=float,
        default=0.65,
        help="for `balance`: the largest share of decided games that one side may win",
    )
    parser.add_argument(
        "--draws", type=float, default=0.3, help="for `balance`: the largest share of games that may be draws"
    )
    parser.add_argument("--orders", type=int, default=20_000, help="end a game after this many orders")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file for the results; games in it are not played again")
    given = parser.parse_args(arguments)
    if (given.what == "record") != (given.file is not None):
        parser.error("`record` needs a file, and nothing else takes one")
    if given.what == "record":
        record(given)
        return 0
    results: list[Played] = []
    for each in resumed(play, list(tasks(given)), read, given.keep, given.jobs):
        results.append(each)
        sys.stdout.write(f"{each}\n")
        sys.stdout.flush()
    beat = given.what == "beat"
    table, good = beaten(results, given.least) if beat else balanced(results, given.most, given.draws)
    sys.stdout.write(f"\n{table}\n")
    return int(not good)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
