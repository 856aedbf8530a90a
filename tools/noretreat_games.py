"""Whole games of No Retreat! between bots over real mail files, audited at the end, and how many mails they cost.

python -m tools.noretreat_games                           a campaign in each mode, as a table
python -m tools.noretreat_games --write                   the same, and the table goes into the game's README
python -m tools.noretreat_games --scenario barbarossa --modes strict --keep game.pbem
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from pbem.table.desk import Desk
from tools import bot_games
from tools.bot_games import MODES, MOST, Post, close, count, found, write_table

README = Path(__file__).parents[1] / "rules" / "pbem_rules" / "noretreat" / "README.md"
GAME = "noretreat"
PLAYERS = {"alice": "axis", "bob": "soviet"}


@dataclass(kw_only=True)
class Report(bot_games.Report):
    """`turns` of players that began; `why`: of which decisions the mails of persons were."""

    turns: set[str] = field(default_factory=set)
    why: dict[str, int] = field(default_factory=dict)


def moment(desk: Desk, name: str) -> str:
    """Whose turn it is, in the words of the board's first line."""
    return desk.board(name, public=True).split("\n", 1)[0]


def play(folder: Path, mode: str, scenario: str = "campaign", seed: str = "1", level: str = "sensible") -> Report:
    """To the end of the game, every secret opened."""
    report = Report(mode=mode)
    names = (*PLAYERS, *(("umpire",) if mode == "umpire" else ()))
    post = Post(folder, names, f"noretreat/{seed}")
    name = found(post, GAME, mode, {seat: who for who, seat in PLAYERS.items()}, scenario, "Between bots")
    for _ in range(MOST):
        mover = next((who for who in PLAYERS if post.desks[who].row(name).my_move), None)
        if mover is None:
            break
        desk = post.desks[mover]
        where = moment(desk, name)
        report.turns.add(where)
        mine = "own" if f"{PLAYERS[mover].capitalize()}" in where.replace("Soviets", "Soviet") else "enemy"
        asked = desk.row(name).moment.partition(",")[0][:60]
        report.why[f"{mine}: {asked}"] = report.why.get(f"{mine}: {asked}", 0) + 1
        report.orders += len(desk.bot(name, level))
        post.post(mover, desk.send(name))
    count(report, post)
    close(report, post, name)
    return report


def table_of(reports: list[Report]) -> str:
    rows = [
        "| mode | player-turns | mails by persons | a player-turn | automatic mails | a player-turn | archive |",
        "|---|---|---|---|---|---|---|",
    ]
    for each in reports:
        turns = len(each.turns)
        rows.append(
            f"| {each.mode} | {turns} | {each.human} | {each.human / turns:.2f} | {each.automatic} "
            f"| {each.automatic / turns:.2f} | {len(each.archive) // 1024} KiB |"
        )
    return "\n".join(rows)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--modes", nargs="*", default=list(MODES))
    parser.add_argument("--scenario", default="campaign")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--level", default="sensible")
    parser.add_argument("--keep", type=Path, help="write the last archive there")
    parser.add_argument("--why", action="store_true", help="tell what the persons' mails were for")
    parser.add_argument("--write", action="store_true", help="put the table into the README")
    given = parser.parse_args(arguments)
    reports, bad = [], 0
    for mode in given.modes:
        with tempfile.TemporaryDirectory() as folder:
            report = play(Path(folder), mode, given.scenario, given.seed, given.level)
        reports.append(report)
        bad += len(report.faults)
        sys.stdout.write(f"{mode}: {report.result}; {'; '.join(report.faults) or 'audited'}\n")
        if given.why:
            for what, count in sorted(report.why.items(), key=lambda item: -item[1]):
                sys.stdout.write(f"  {count:4} {what}\n")
        sys.stdout.flush()
    table = table_of(reports)
    sys.stdout.write(f"\n{table}\n")
    if given.keep:
        given.keep.write_bytes(reports[-1].archive)
    if given.write:
        write_table(README, table)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
