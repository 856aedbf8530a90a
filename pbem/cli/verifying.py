"""`pbem verify` and `archive`: what a stranger can check, and what he is given for it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.archivefile import ArchiveFile, check_file, files_in
from pbem.cli.common import command, game_argument, json_option, open_desk, write_output
from pbem.cli.out import say, say_json
from pbem.cli.run import REFUSED
from pbem.cli.text import clean, size_of
from pbem.cli.verdict import described, say_verdict
from pbem.protocol.errors import PbemError

if TYPE_CHECKING:
    from pbem.fairplay.verify import Verdict


@command(
    "verify",
    short_help="Audit archives; needs no home and no network.",
    examples=(
        "pbem verify game.pbem",
        "pbem verify --json game.pbem",
        "pbem verify --jobs 4 championship/*.pbem",
        "pbem verify --level 2 game.pbem      (chain, signatures, dice and cards; no rules needed)",
    ),
    exits="0 all is verified, 1 something is not (first_bad or desync says what), 2 wrong usage.",
)
@click.argument("files", metavar="FILE...|-", nargs=-1, required=True)
@click.option(
    "--level",
    type=click.IntRange(1, 3),
    default=3,
    show_default=True,
    help="1 chain and signatures, 2 chance and hidden values, 3 rules.",
)
@click.option(
    "--jobs", type=click.IntRange(1, 256), metavar="N", help="Processes for many files (default: one a processor)."
)
@json_option
@click.pass_context
def verify_command(ctx: click.Context, files: tuple[str, ...], level: int, jobs: int | None, as_json: bool) -> None:
    """Check everything in archives and proofs of forks: every signature, order, die and card.

    A file may be binary, armoured, or a whole mail, as for `pbem open`. Of the case that an umpire has gathered it
    shows what he states, and holds that against the records with it. Of a card, an offer or a turn that comes alone
    it says what can be checked of it, and which command reads it.

    With --json a single file gives one object; several, also in one mail, give {"ok", "files": [...]}. A game that is
    still running is verified as far as it goes; `pending` says who owes what.
    """
    for name in files:
        check_file(name)  # wrong usage is told before any work
    good = True
    documents: list[dict[str, Any]] = []
    for document in judged(files, level, jobs):
        good = good and bool(document["ok"])
        if as_json:
            documents.append(document)
        else:
            say_verdict(document, named=document["file"] not in files[:1] or len(files) > 1)
    if as_json:
        say_json(documents[0] if len(documents) == len(files) == 1 else {"files": documents, "ok": good})
    if not good:
        ctx.exit(REFUSED)


def judged(files: Sequence[str], level: int, jobs: int | None) -> Iterator[dict[str, Any]]:
    """The verdicts, in the order of the files."""
    count = min(jobs or processors(), len(files))
    if count == 1 or "-" in files:
        for name in files:
            yield from judge(name, level)
        return
    import multiprocessing

    if level == 3:
        import pbem.engine.archive  # noqa: F401  before the fork, so that each process has it
    ways = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in ways else None)
    with context.Pool(count) as pool:
        for found in pool.imap(_judge_pair, [(name, level) for name in files]):
            yield from found


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _judge_pair(pair: tuple[str, int]) -> list[dict[str, Any]]:
    return judge(*pair)


def judge(name: str, level: int) -> list[dict[str, Any]]:
    """One file's verdict as `--json` prints it; several for a mail with several files. Only wrong usage is raised."""
    try:
        return [judge_items(items, level) for items in files_in(name)]
    except PbemError as error:
        return [_refused(name, level, error)]


def judge_items(items: ArchiveFile, level: int = 3) -> dict[str, Any]:
    """The verdict on one file."""
    try:
        if _is_case(items):
            return _judge_case(items, level)
        verdict = verdict_of(items, level)
        document = described(items.name, verdict)
    except PbemError as error:
        return _refused(items.name, level, error)
    if verdict.game is None:
        from pbem.cli.holding import held

        document["holds"] = held(items)
    return document


def _is_case(items: ArchiveFile) -> bool:
    from pbem.protocol.container import ItemType

    return next((item.type is ItemType.CASE for item in items), False)


def _judge_case(items: ArchiveFile, level: int) -> dict[str, Any]:
    """The umpire's statement held against what is with it, and that judged as an archive is."""
    from pbem.cli.casetext import ArchivePart, judged
    from pbem.fairplay.verify import Verdict

    case = judged(items)
    part = ArchivePart(items)
    verdict = verdict_of(part, level) if case["offer"] is not None else Verdict(ok=True, level=level)
    return {**described(items.name, verdict), "case": case}


def _refused(name: str, level: int, error: PbemError) -> dict[str, Any]:
    from pbem.fairplay.verify import Bad, Verdict

    step = getattr(error, "step", "")
    return described(name, Verdict(ok=False, level=level, first_bad=Bad(error.code, step, error.sentence)))


def verdict_of(items: Iterable[Any], level: int) -> Verdict:
    from pbem.fairplay.verify import verify

    if level < 3:
        return verify(items, level)
    if not begins_with_an_offer(items):  # then there is no game whose rules could be asked
        return verify(items, 2)._replace(level=level)
    from pbem.engine.archive import verify_archive

    return verify_archive(items)


def begins_with_an_offer(items: Iterable[Any]) -> bool:
    from pbem.protocol.container import ItemType
    from pbem.protocol.record import parse_record

    for item in items:
        if item.type == ItemType.RECORD:
            return parse_record(item.raw).kind == "offer"
    return False


@command(
    "archive",
    short_help="Write a whole game into one file that anyone can verify.",
    examples=("pbem archive bridgehead-7f3a", "pbem archive bridgehead-7f3a -o game.pbem --no-messages"),
)
@game_argument
@click.option("-o", "--output", metavar="FILE", help="Where to write (default: GAME.pbem here). - is standard output.")
@click.option("--no-messages", is_flag=True, help="Leave the messages between the players out.")
@json_option
def archive_command(game: str, output: str | None, no_messages: bool, as_json: bool) -> None:
    """Write an archive: every record, and the list of every draw. A running game can be archived too."""
    desk = open_desk()
    name = desk.find(game)
    parts = desk.archive(name, messages=not no_messages)
    target = output or f"{name}.pbem"
    size = write_output(target, parts)
    if as_json and target != "-":
        say_json({"bytes": size, "game": name, "path": target})
    elif target != "-":
        say(f"Archive of {name}: {clean(target)} ({size_of(size)}). Check it with: pbem verify {clean(target)}")
