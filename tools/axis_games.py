"""Whole games of Axis & Allies 1941 between bots over real mail files, audited at the end; how many mails they take.

python -m tools.axis_games                  ten rounds in each mode with two, three and five players, as a table
python -m tools.axis_games --write          the same, and the table goes into the game's README
python -m tools.axis_games --rounds 2 --modes strict --players 2
python -m tools.axis_games --rounds 40 --modes strict --players 2 --archive game.pbem
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pbem.table.desk import Desk
from tools import bot_games
from tools.bot_games import MODES, MOST, Post, close, count, found, write_table

README = Path(__file__).parents[1] / "rules" / "pbem_rules" / "axis1941" / "README.md"
PLAYERS = (2, 3, 5)
NAMES = ("alice", "bob", "carla", "dora", "emil")
SEATS = {
    2: {"ussr": "alice", "uk": "alice", "usa": "alice", "germany": "bob", "japan": "bob"},
    3: {"ussr": "alice", "uk": "carla", "usa": "carla", "germany": "bob", "japan": "bob"},
    5: {"ussr": "alice", "uk": "carla", "usa": "emil", "germany": "bob", "japan": "dora"},
}
GAME = "axis1941"
TITLES = ("USSR", "Germany", "United Kingdom", "Japan", "USA")


@dataclass(kw_only=True)
class Report(bot_games.Report):
    """`turns` of powers."""

    players: int
    turns: int = 0


def play(folder: Path, mode: str, players: int, rounds: int = 10, seed: str = "1", level: str = "sensible") -> Report:
    """To the end of the round or of the game; then one side resigns, so that the game can be audited."""
    report = Report(mode=mode, players=players)
    names = (*NAMES[:players], *(("umpire",) if mode == "umpire" else ()))
    post = Post(folder, names, seed)
    name = found(post, GAME, mode, SEATS[players], None, "A game between bots")
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
    count(report, post)
    if not first.row(name).result:
        post.post(names[0], first.resign(name))
    close(report, post, name)
    return report


def turns_of(desk: Desk, name: str) -> int:
    """How many turns have been finished, by the first line of the board."""
    words = desk.board(name, public=True).split("\n", 1)[0].removeprefix("Round ").split(", ")
    return (int(words[0]) - 1) * len(TITLES) + TITLES.index(words[1].removesuffix("'s turn.").partition("'")[0])


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
        write_table(README, table)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
