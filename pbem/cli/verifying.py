"""`pbem verify`, `dice`, `archive`: checking a finished game, and writing the archive to check."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from pbem.cli.common import (
    check_readable,
    command,
    game_argument,
    open_game,
    processors,
    shown,
    write_output,
)
from pbem.cli.terminal import Progress, clean, say, say_table, size_of
from pbem.cli.verdict import CaseShown, Verified, held, say_verdict
from pbem.engine.counts import many
from pbem.engine.workers import by_processes
from pbem.protocol.container import Item, ItemType, bounded, is_container, read_stream
from pbem.protocol.errors import PbemError, Refusal
from pbem.protocol.limits import MAX_MAIL, MIB

if TYPE_CHECKING:
    from pbem.fairplay.verify import Verdict
    from pbem.home.archives import Fairness, Thrown
    from pbem.schema import Count, Hash

_HEAD = 8
_SAMPLE = 1_000
MAX_PIPED = 256 * MIB
_NO_FILE = " To write a game of yours into a file: pbem archive GAME"


class ArchiveFile:
    """The items of a file. Each pass reads it anew; no more than one container is held in memory."""

    def __init__(self, name: str, path: str | None = None, held: bytes = b"") -> None:
        self.name = name
        self._path = path
        self._held = held

    def __iter__(self) -> Iterator[Item]:
        with (
            Progress("items read") as beat,
            BytesIO(self._held) if self._path is None else open(self._path, "rb") as file,  # noqa: PTH123 - without pathlib, see check_readable
        ):
            for item in bounded(read_stream(file)):
                beat()
                yield item


def first_in(name: str) -> ArchiveFile:
    return files_in(name)[0]


def files_in(name: str) -> list[ArchiveFile]:
    """The file itself, or those that a text or a mail carries, found as `pbem open` finds them."""
    check_readable(name, _NO_FILE)
    if name == "-":
        raw = sys.stdin.buffer.read(MAX_PIPED + 1)
        if len(raw) > MAX_PIPED:
            raise Refusal(
                "E-LARGE",
                f"More than {MAX_PIPED // MIB} MiB arrived on standard input: give a file instead.",
                step="FIL-4",
            )
    else:
        with open(name, "rb") as file:  # noqa: PTH123
            if is_container(file.read(_HEAD)):
                return [ArchiveFile(name, path=name)]
            file.seek(0)
            raw = file.read(MAX_MAIL + 1)
    blocks = _carried(raw)
    if len(blocks) == 1:
        return [ArchiveFile(name, held=blocks[0])]
    return [ArchiveFile(f"{name} ({n} of {len(blocks)})", held=raw) for n, raw in enumerate(blocks, 1)]


def _carried(raw: bytes) -> tuple[bytes, ...]:
    if is_container(raw[:_HEAD]) or not raw or b"\0" in raw[:_SAMPLE]:
        return (raw,)  # no text: the reader says what is wrong with it
    from pbem.home import unpacking

    return unpacking.blocks(raw)


class VerifiedFiles(NamedTuple):
    """The verdicts on several files."""

    files: tuple[Verified, ...]
    ok: bool

    @property
    def failed(self) -> bool:
        return not self.ok


@command(
    "verify",
    short_help="Check whole games completely, on any computer, offline.",
    examples=(
        "pbem verify game.pbem",
        "pbem verify --json game.pbem",
        "pbem verify --jobs 4 championship/*.pbem",
        "pbem verify --level 2 game.pbem      (chain, signatures, dice and cards; no rules needed)",
    ),
)
@click.argument("files", metavar="FILE...|-", nargs=-1, required=True)
@click.option(
    "--level",
    type=click.IntRange(1, 3),
    default=3,
    show_default=True,
    help="1: chain and signatures; 2: also dice and hidden values; 3: also the rules.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Use N processes for many files (default: one for each processor).",
)
def verify_command(files: tuple[str, ...], level: int, jobs: int | None) -> Verified | VerifiedFiles:
    """Check everything in archives and proofs of forks: every signature, order, die and card.

    A FILE may be binary, armoured text, or a whole mail, as for `pbem open`. If it is a case that an umpire has
    gathered, you are shown what the umpire states, and it is checked against the records in the file. If it is a card,
    an offer or a single turn, you are shown what can be checked, and which command reads it.

    With --json a single file gives one object; several files, even in one mail, give {"ok", "files": [...]}. A running
    game is verified as far as it has gone; `pending` says who owes what.
    """
    for name in files:
        check_readable(name, _NO_FILE)  # wrong usage is reported before any work
    found = []
    for verdict in judged(files, level, jobs):
        say_verdict(verdict, named=verdict.file not in files[:1] or len(files) > 1)
        found.append(verdict)
    if len(found) == len(files) == 1:
        return found[0]
    return VerifiedFiles(tuple(found), all(each.ok for each in found))


def judged(files: Sequence[str], level: int, jobs: int | None) -> Iterator[Verified]:
    """The verdicts, in the order of the files."""
    count = 1 if "-" in files else min(jobs or processors(), len(files))
    modules = (__name__, "pbem.engine.archive") if level == 3 else (__name__,)
    found: dict[int, list[Verified]] = {}
    following = 0
    for number, verdicts in by_processes(judge, range(len(files)), lambda n: (files[n], level), count, modules):
        found[number] = verdicts
        while following in found:
            yield from found.pop(following)
            following += 1


def judge(name: str, level: int) -> list[Verified]:
    """One file's verdict as `--json` prints it; several for a mail with several files. Only wrong usage is raised."""
    try:
        return [judge_items(items, level) for items in files_in(name)]
    except PbemError as error:
        return [_refused(name, level, error)]


def judge_items(items: ArchiveFile, level: int = 3) -> Verified:
    """The verdict on one file."""
    try:
        if next((item.type is ItemType.CASE for item in items), False):
            return _judge_case(items, level)
        verdict = verdict_of(items, level)
        holds = held(items) if verdict.game is None else ""
        if holds and all(each.type is ItemType.CARD for each in items):
            verdict = verdict._replace(ok=True, first_bad=None)  # a card has no game, and its signature is correct
        return Verified.of(items.name, verdict, holds=holds)
    except PbemError as error:
        return _refused(items.name, level, error)


def _judge_case(items: ArchiveFile, level: int) -> Verified:
    """The umpire's statement held against what is with it, and that judged as an archive is."""
    from pbem.fairplay.verify import Verdict
    from pbem.umpire.case import check_case

    case = check_case(items)
    verdict = Verdict(ok=True, level=level)
    if case.case.said.offer is not None:
        verdict = verdict_of(_ArchivePart(items), level)
    return Verified.of(items.name, verdict, CaseShown.of(case))


def _refused(name: str, level: int, error: PbemError) -> Verified:
    from pbem.fairplay.verify import Bad, Verdict

    bad = Bad(error.code, error.step, error.sentence)
    return Verified.of(name, Verdict(ok=False, level=level, first_bad=bad))


class _ArchivePart:
    """The items of a case that are judged as an archive; each pass reads them anew."""

    def __init__(self, items: ArchiveFile) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Item]:
        from pbem.umpire.case import archive_part

        return archive_part(self._items)


def verdict_of(items: Iterable[Any], level: int) -> Verdict:
    from pbem.fairplay.verify import verify

    if level < 3:
        return verify(items, level)
    if not begins_with_an_offer(items):  # then there is no game whose rules could be asked
        return verify(items, 2)._replace(level=level)
    from pbem.engine.archive import verify_archive

    return verify_archive(items)


def begins_with_an_offer(items: Iterable[Any]) -> bool:
    from pbem.protocol.record import parse_record

    for item in items:
        if item.type == ItemType.RECORD:
            return parse_record(item.raw).kind == "offer"
    return False


CHECKED: Literal[True] = True
KEYS = {
    "open": "In mode open the keys prove nothing either: anyone could have computed each die before ordering.",
    "strict": "The keys do: the players make each key together, and none of them can see it beforehand.",
    "umpire": "The keys do: nobody alone could bias a die, and only the umpire could have seen it beforehand.",
}


class DrawShown(NamedTuple):
    """A draw, made again from its key."""

    by: tuple[Count, ...]
    """The players whose choice it follows."""
    checked: Literal[True]
    key: Hash
    label: str
    occurrence: Count
    orders: tuple[Hash, ...]
    """The records whose choices it follows."""
    results: tuple[int, ...]
    sides: Count

    @classmethod
    def of(cls, thrown: Thrown) -> DrawShown:
        drawn = thrown.drawn
        return shown(cls, drawn, by=thrown.by, checked=CHECKED, key=thrown.key, orders=drawn.group)


class FairnessShown(NamedTuple):
    """A test of a player's dice of one kind. `p`: the chance that fair dice are at least as uneven as these."""

    by: Count
    chi2: float
    count_: Count
    exact: bool
    expected_mean: float
    faces: tuple[Count, ...]
    mean: float
    mean_high: float
    mean_low: float
    name: str
    p: float
    sides: Count
    verdict: str

    @classmethod
    def of(cls, by: int, name: str, test: Fairness) -> FairnessShown:
        chi2, mean, high, low, p = (round(each, 6) for each in (test.chi2, test.mean, test.high, test.low, test.p))
        return cls(
            by, chi2, test.count, test.exact, test.expected, test.faces, mean, high, low, name, p, test.sides,
            test.verdict,
        )  # fmt: skip


class DiceShown(NamedTuple):
    """Every draw of an archive, and whether the dice were fair."""

    draws: tuple[DrawShown, ...]
    fairness: tuple[FairnessShown, ...]
    file: str
    ok: Literal[True]


@command(
    "dice",
    short_help="List every die roll in an archive, and test whether the dice were fair.",
    examples=("pbem dice game.pbem", "pbem dice --json game.pbem", "pbem dice --summary game.pbem"),
)
@click.argument("file", metavar="FILE|-")
@click.option("--summary", is_flag=True, help="Only the tests of fairness.")
def dice_command(file: str, summary: bool) -> DiceShown:
    """List every die roll: what it was for, the result, the orders that it follows, and the key from which it can be
    calculated again.

    Then the dice of each player are tested: the probability that fair dice are at least this uneven (chi-square), and
    the mean, with the range in which 95 of 100 fair samples lie. The game decides whose a roll is (those of a defence
    are the defender's). A roll that is not clearly one player's counts for nobody.
    """
    from pbem.home.archives import read_throws, tested

    genesis, draws = read_throws(first_in(file))
    tests = [(by, genesis.card(by).name, test) for by, test in tested(genesis, draws)]
    if not summary:
        say_table([("roll", "dice", "result", "after", "key"), *map(_draw_row, draws)])
    say(f"{many(len(draws), 'roll')}: all correct, calculated again from their keys (CHA-8).", style="good")
    for _, name, test in tests:
        say_fairness(name, test)
    if tests:
        say(f"No test proves fairness. {KEYS[genesis.offer.mode]}")
    made_again = () if summary else tuple(map(DrawShown.of, draws))
    return DiceShown(made_again, tuple(FairnessShown.of(*each) for each in tests), file, ok=True)


def _draw_row(thrown: Thrown) -> tuple[str, ...]:
    drawn = thrown.drawn
    return (
        drawn.label + (f" #{drawn.occurrence + 1}" if drawn.occurrence else ""),
        f"{len(drawn.results)}d{drawn.sides}",
        " ".join(map(str, drawn.results)),
        " ".join(thrown.records) or "start",
        thrown.key.hex()[:16],
    )


def say_fairness(name: str, test: Fairness) -> None:
    say()
    say(f"{clean(name)}: {test.count} d{test.sides}", style="bold")
    say_table([("  face", *map(str, range(1, test.sides + 1))), ("  times", *map(str, test.faces))])
    say(f"  mean {test.mean:.2f}; 95 of 100 fair samples of this size lie in {test.low:.2f} to {test.high:.2f}")
    how = "exact" if test.exact else "chi-square"
    say(f"  fair dice would be at least this uneven with probability {test.p:.3f} ({how})")
    say(f"  {test.verdict}")


class Archived(NamedTuple):
    """The file that was written, with the whole game in it."""

    bytes: Count
    game: str
    path: str


@command(
    "archive",
    short_help="Write a whole game into one file that anyone can verify.",
    examples=("pbem archive bridgehead-7f3a", "pbem archive bridgehead-7f3a -o game.pbem --no-messages"),
)
@game_argument
@click.option("-o", "--output", metavar="FILE", help="Where to write (default: GAME.pbem here). - is standard output.")
@click.option("--no-messages", is_flag=True, help="Leave out the messages between the players.")
def archive_command(game: str, output: str | None, no_messages: bool) -> Archived:
    """Write an archive: every record, and a list of every die roll and card. You can archive a running game, too."""
    from pbem.home import archives

    home, name = open_game(game)
    target = output or f"{name}.pbem"
    size = write_output(target, archives.archive(home, name, messages=not no_messages))
    if target != "-":
        say(f"Archive of {name}: {clean(target)} ({size_of(size)}). Check it with: pbem verify {clean(target)}")
    return Archived(size, name, target)
