"""Whole games of No Retreat! between bots over real mail files, audited at the end, and how many mails they cost.

python -m tools.noretreat_games                           a campaign in each mode, as a table
python -m tools.noretreat_games --write                   the same, and the table goes into the game's README
python -m tools.noretreat_games --scenario barbarossa --modes strict --keep game.pbem
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pbem.engine.archive import verify_archive
from pbem.protocol.container import read_stream
from pbem.table.desk import Desk
from tools.axis_games import Post

README = Path(__file__).parents[1] / "rules" / "pbem_rules" / "noretreat" / "README.md"
BEGIN, END = "<!-- mails -->", "<!-- end of mails -->"
MODES = ("strict", "umpire", "open")
GAME = "noretreat"
PLAYERS = {"alice": "axis", "bob": "soviet"}
MOST = 5_000  # moves


@dataclass
class Report:
    """What a game cost: player-turns begun, mails by persons and by programs, and of which decisions the former."""

    mode: str
    turns: set[str] = field(default_factory=set)
    human: int = 0
    automatic: int = 0
    size: int = 0
    orders: int = 0
    result: str = ""
    why: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    archive: bytes = b""


def found(post: Post, mode: str, scenario: str) -> str:
    """Offer, join, and what the programs do to begin."""
    umpire = "umpire" if mode == "umpire" else None
    name, posted = post.desks["alice"].offer(
        GAME, seats={"axis": "me", "soviet": "bob"}, mode=mode, umpire=umpire, scenario=scenario, title="Between bots"
    )
    post.post("alice", posted)
    for other in ("bob", *filter(None, [umpire])):
        post.post(other, post.desks[other].join(name))
    return name


def moment(desk: Desk, name: str) -> str:
    """Whose turn it is, in the words of the board's first line."""
    return desk.board(name, public=True).split("\n", 1)[0]


def play(folder: Path, mode: str, scenario: str = "campaign", seed: str = "1", level: str = "sensible") -> Report:
    """To the end of the game, every secret opened."""
    report = Report(mode)
    names = (*PLAYERS, *(("umpire",) if mode == "umpire" else ()))
    post = Post(folder, names, f"noretreat/{seed}")
    name = found(post, mode, scenario)
    post.posted.clear()
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
    report.human = sum(not each.automatic for each in post.posted)
    report.automatic = sum(each.automatic for each in post.posted)
    report.size = sum(len(each.raw) for each in post.posted)
    report.result = post.desks["alice"].row(name).result
    report.archive = b"".join(post.desks["alice"].archive(name))
    report.faults = list(audit(report, post, name, names))
    return report


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
        page = README.read_text(encoding="utf-8")
        head, _, rest = page.partition(BEGIN)
        README.write_text(f"{head}{BEGIN}\n{table}\n{END}{rest.partition(END)[2]}", encoding="utf-8")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
