"""`pbem replay`: stepping through an archive in text, forwards and backwards, or writing it as pages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pbem.cli.common import command, open_home
from pbem.cli.drawing import theme_option, write_picture
from pbem.cli.terminal import clean, clean_lines, is_muted, say, say_table
from pbem.cli.verdict import MODES, Verified, change_line, replaced_players, result_text, say_verdict
from pbem.cli.verifying import ArchiveFile, first_in, judge_items
from pbem.engine.archive import keep_data, rules_of
from pbem.engine.counts import many
from pbem.engine.definition import Game
from pbem.engine.match import Match
from pbem.engine.obligation import OWES
from pbem.engine.registry import find
from pbem.engine.replay import Replay
from pbem.home import seen
from pbem.home.describe import act, stands_at
from pbem.protocol.container import ItemType
from pbem.protocol.errors import Refusal
from pbem.protocol.kinds import PLAY
from pbem.protocol.log import ForkFound
from pbem.protocol.record import Record, parse_message, parse_record

if TYPE_CHECKING:
    from pbem.pictures.replayhtml import Facts
    from pbem.pictures.replaysteps import Step
    from pbem.schema import Count, Hash

HELP = (
    ("n, Enter", "the next record; `n 10`: ten records on"),
    ("p", "the record before; `p 10`: ten records back"),
    ("N", "record number N; `first`, `last`"),
    ("o", "the next record with orders"),
    ("b", "the board"),
    ("q", "leave"),
)

_ACTS = {"open_all": "opening of all secrets"}


@dataclass(frozen=True, slots=True)
class Moment:
    """The game after one record. `past` counts each author's records."""

    record: Record
    who: str
    lines: tuple[str, ...]
    past: tuple[int, ...]


class Playback:
    """A whole archive, judged by the rules as it was read."""

    def __init__(self, archive: ArchiveFile) -> None:
        self._replaced: dict[str, bytes] = {}
        self.replay = Replay(lambda offer: rules_of(offer, find, self._replaced))
        for item in archive:
            if item.type is ItemType.REPLACED:
                keep_data(item, self._replaced)
            elif item.type is ItemType.RECORD:
                self._take(parse_record(item.raw))
        log = self.replay.log
        if log.genesis is None:
            raise Refusal("E-ARCHIVE", "There is no started game in this file.", step="FIL-4")
        self.genesis = log.genesis

    def _take(self, record: Record) -> None:
        try:
            self.replay.accept(record)
        except ForkFound:
            self.replay.add_rival(record)

    @cached_property
    def moments(self) -> list[Moment]:
        log, match = self.replay.log, self.replay.match
        assert match is not None
        counts = dict.fromkeys(log.authors, 0)
        found = []
        for record, accepted in self.replay.history():
            counts[record.by] += 1
            lines = [*match.game.tell(event for event in accepted.events if event.seen_by(()))]
            if accepted.moot:
                lines.append("without effect")
            found.append(Moment(record, self.name_of(record.by), tuple(lines), tuple(counts.values())))
        return found

    @property
    def rules(self) -> Game[Any]:
        match = self.replay.match
        assert match is not None
        return match.game

    def name_of(self, by: int) -> str:
        umpire = self.genesis.umpire
        if by not in self.genesis.players:
            return umpire.card.name if umpire is not None else str(by)
        return self.genesis.card(by).name

    def match(self, number: int) -> Match[Any] | None:
        """The game after moment `number` (from 1); None before the start."""
        moment = self.moments[number - 1]
        started = any(each.record.kind == "start" for each in self.moments[:number])
        return self.replay.fold(moment.past) if started else None

    def board(self, number: int) -> str:
        """As everybody may see it."""
        match = self.match(number)
        return match.game.board(match.machine.view(())) if match is not None else "The game has not started yet."

    def stands_at(self, number: int) -> str:
        match = self.match(number)
        if match is None:
            return "before the start"
        if match.result is not None:
            return "the game is over"
        return stands_at(match, self.name_of)


class RecordShown(NamedTuple):
    """A record of the game, and what it brought about."""

    by: Count
    happened: tuple[str, ...]
    id: Hash
    kind: str
    name: str
    number: Count
    seq: Count

    @classmethod
    def of(cls, playback: Playback, number: int) -> RecordShown:
        moment = playback.moments[number - 1]
        record = moment.record
        return cls(record.by, moment.lines, record.id, record.kind, moment.who, number, record.seq)


class Replayed(NamedTuple):
    """Records of a game; with --at one of them, and the board after it."""

    board: tuple[str, ...]
    moment: str
    records: tuple[RecordShown, ...]


class PageWritten(NamedTuple):
    """The page written; if none was, the verdict says why."""

    file: Path | None
    steps: Count
    verdict: Verified

    @property
    def failed(self) -> bool:
        return self.file is None


@command(
    "replay",
    short_help="Step through an archive, forwards and backwards, or as a page.",
    examples=(
        "pbem replay game.pbem --open",
        "pbem replay game.pbem --html -o game.html",
        "pbem replay game.pbem",
        "pbem replay game.pbem --at 40",
        "pbem replay game.pbem --all",
        "pbem replay game.pbem --at last --json",
    ),
)
@click.argument("file", metavar="FILE|-")
@click.option(
    "--at", "at", metavar="N", help="Show the game and the board after record N (or `first`, `last`), and exit."
)
@click.option("--all", "everything", is_flag=True, help="Print the whole game, record by record, and exit.")
@click.option("--html", is_flag=True, help="Write a page that replays the whole game, in a single file.")
@click.option("--open", "open_it", is_flag=True, help="Show the page in a browser.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The page.  [default: FILE.html in this folder]",
)
@click.option("--seat", "seats", multiple=True, metavar="SEAT", help="As this seat of yours sees it. Only for pages.")
@theme_option
def replay_command(
    file: str,
    at: str | None,
    everything: bool,
    html: bool,
    open_it: bool,
    output: Path | None,
    seats: tuple[str, ...],
    theme: str,
) -> Replayed | PageWritten:
    """Step through a game.

    At the prompt: Enter goes on, `p` goes back, a number goes to that record, `b` draws the board, `q` leaves.

    With --html or --open the archive is verified and written as one page, with boards, battles, and curves of strength
    and of luck with the dice. An archive that fails verification gives no page. The page shows what everybody may see,
    unless --seat names a seat of yours in one of your own games. Without -o it is written to this folder, with the
    archive's name, and never overwrites another file. A page that you name with -o replaces an older page. A long
    game has one page for each chapter: the page that you named lists the others, which are written beside it.
    """
    if at is not None and everything:
        raise click.UsageError("--at and --all exclude each other.")
    if html or open_it:
        if at is not None or everything:
            raise click.UsageError("A page always has the whole game: leave out --at and --all.")
        if output is None and file == "-" and not open_it:
            raise click.UsageError("Name the page with -o FILE.")
        folder = Path(mkdtemp(prefix="pbem-")) if open_it else Path()
        path = output or folder / (f"{Path(file).stem}.html" if file != "-" else "replay.html")
        written = write_page(first_in(file), path, seats, theme, new=output is None)
        if open_it and written.file is not None:
            click.launch(path.resolve().as_uri())
        return written
    if output is not None or seats:
        raise click.UsageError("-o and --seat are for pages: add --html or --open.")
    playback = Playback(first_in(file))
    if at is not None:
        number = place(at, playback)
        show(playback, number)
        board = playback.board(number)
        say(board)
        shown = RecordShown.of(playback, number)
        return Replayed(tuple(clean_lines(board).split("\n")), playback.stands_at(number), (shown,))
    numbers = range(1, len(playback.moments) + 1)
    if everything:
        for number in numbers:
            show(playback, number)
    elif not is_muted():
        if file == "-":
            raise click.UsageError("Standard input cannot be both the archive and the keyboard: use --at or --all.")
        step(playback)
    return Replayed((), "", tuple(RecordShown.of(playback, number) for number in numbers))


def place(text: str, playback: Playback) -> int:
    """A record's number in the archive, from 1."""
    count = len(playback.moments)
    if text in ("first", "last"):
        return 1 if text == "first" else count
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= count:
        return int(text)
    raise click.UsageError(f"There is no record {clean(text, 20)!r}; this archive has records 1 to {count}.")


def show(playback: Playback, number: int) -> None:
    moment = playback.moments[number - 1]
    position = f"{number}/{len(playback.moments)}  {moment.record.by}:{moment.record.seq}"
    say(f"{position}  {clean(moment.who)}  {_ACTS.get(moment.record.kind, moment.record.kind)}", style="bold")
    for line in moment.lines:
        say(f"  {clean(line)}")


def step(playback: Playback) -> None:
    """The prompt. It reads standard input, so that a script can step too."""
    at, count = 1, len(playback.moments)
    show(playback, at)
    while True:
        if sys.stdin.isatty():
            sys.stdout.write("replay> ")
            sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return
        word, _, rest = line.strip().partition(" ")
        jump = int(rest[:9]) if rest.isascii() and rest.isdigit() else 1
        if word in ("q", "quit"):
            return
        if word in ("", "n", "next"):
            at = min(count, at + jump)
        elif word in ("p", "prev", "back"):
            at = max(1, at - jump)
        elif word in ("first", "last") or (word.isascii() and word.isdigit()):
            try:
                at = place(word, playback)
            except click.UsageError as error:
                say(error.message)
                continue
        elif word in ("o", "orders"):
            later = range(at + 1, count + 1)
            at = next((n for n in later if playback.moments[n - 1].record.kind == "orders"), count)
        elif word in ("b", "board"):
            say(playback.stands_at(at))
            say(playback.board(at))
            continue
        else:
            say_table(HELP, indent="  ")
            continue
        show(playback, at)


_SHOWN_OTHERWISE = PLAY | {"offer", "join", "decline", "start"}


def write_page(archive: ArchiveFile, path: Path, seats: Sequence[str], look: str, *, new: bool) -> PageWritten:
    """The page, or the verdict that says why there is none. `new`: nobody named it, so nothing is written over."""
    verdict = judge_items(archive)
    say_verdict(verdict, named=False)
    if not verdict.is_game:
        say("No page was written: a game is only shown once it has been verified.", style="bad")
        return PageWritten(None, 0, verdict)
    playback = Playback(archive)
    made = chapters_of(playback, archive, verdict, seats, look, path)
    pages = {page.path: page.text for page in made}
    if path not in pages:
        from pbem.pictures.replayhtml import contents_page

        listed = [(page.path.name, f"{page.name}: {many(page.steps, 'step')}") for page in made]
        pages[path] = contents_page(facts_of(playback, verdict, seats), listed, look)
    for each, text in pages.items():
        if new and each.exists() and not (each.is_file() and each.read_bytes() == text.encode()):
            raise Refusal("E-EXISTS", f"{each} exists and holds something else. Name the page: -o FILE")
    steps = sum(page.steps for page in made)
    for each, text in pages.items():
        count = sum(page.steps for page in made if page.path == each) or steps
        write_picture(each, text, f" ({many(count, 'step')}, {len(text.encode()):,} bytes)")
    return PageWritten(path, steps, verdict)


class Chapter(NamedTuple):
    """A page of a replay. `name`: empty if the game has no others."""

    name: str
    path: Path
    text: str
    steps: int


def chapters_of(
    playback: Playback, archive: ArchiveFile, verdict: Verified, seats: Sequence[str], look: str, path: Path
) -> list[Chapter]:
    """The pages of a game, one unless the game says that it is long. `path`: of the only one, or of their list."""
    facts, made = facts_of(playback, verdict, seats), list[Chapter]()
    for number, (name, group) in enumerate(groupby(told_of(playback, archive, seats), lambda step: step.chapter), 1):
        own, links = path, list[tuple[str, str]]()
        if name:
            own = path.with_name(f"{path.stem}-{number}{path.suffix}")
            links = [(path.name, "All pages"), *((page.path.name, page.name) for page in made[-1:])]
        made.append(Chapter(name, own, *_page(group, facts._replace(links=tuple(links)), look)))
    return made


def page_of(
    playback: Playback, archive: ArchiveFile, verdict: Verified, seats: Sequence[str], look: str
) -> tuple[str, int]:
    """All of a game on one page, and how many steps it has."""
    return _page(told_of(playback, archive, seats), facts_of(playback, verdict, seats), look)


def _page(steps: Iterable[Step], facts: Facts, look: str) -> tuple[str, int]:
    from pbem.pictures.replayhtml import replay_page

    count = 0

    def counted() -> Iterator[Step]:
        nonlocal count
        for step in steps:
            count += 1
            yield step

    return replay_page(counted(), facts, look), count


def told_of(playback: Playback, archive: ArchiveFile, seats: Sequence[str]) -> Iterator[Step]:
    """The game in steps, as these seats may know it."""
    from pbem.pictures.replaysteps import nothing_known, steps

    known = seen.known_of(open_home(), playback.genesis.offer.id, seats) if seats else nothing_known
    return steps(playback.replay, eyes=tuple(seats), known=known, told=telling(playback, archive))


def telling(playback: Playback, archive: ArchiveFile) -> Callable[[Record], list[str]]:
    """What is said about records beside what they bring about: acts, and messages that are in the archive."""
    messages = {each.record: each.text for each in map(parse_message, _raw(archive, ItemType.MESSAGE))}

    def told(record: Record) -> list[str]:
        who = playback.name_of(record.by)
        lines = [] if record.kind in _SHOWN_OTHERWISE else [f"{who} {act(record)}."]
        if record.id in messages:
            lines += [f"{who} writes: {line}" for line in messages[record.id].splitlines() if line.strip()]
        return lines

    return told


def _raw(archive: ArchiveFile, kind: ItemType) -> list[bytes]:
    return [item.raw for item in archive if item.type is kind]


def facts_of(playback: Playback, verdict: Verified, seats: Sequence[str]) -> Facts:
    """What the page says about the game as a whole."""
    from pbem.pictures.replayhtml import Facts

    game, result, state = verdict.game, verdict.result, (verdict.state or b"").hex()
    assert game is not None
    rules = playback.rules
    titles = {seat.name: seat.title for seat in rules.seats}
    sound = verdict.audited
    badge = "Verified" if sound else "Verified as far as it is open"
    rows = [("Checked", f"{verdict.checked}: all signatures, orders, dice and cards are correct.")]
    if sound:
        rows.append(("Secrets", "Everything hidden has been revealed and checked."))
    else:
        rows.append(
            ("Not verified", "What is still sealed: hidden cards and choices, and duties that nobody else can see.")
        )
    rows += [
        ("Waiting for", f"{each.name or 'the umpire'}: {OWES.get(each.what, each.what)}.") for each in verdict.pending
    ]
    if result is not None:
        gone = replaced_players(verdict)
        rows.append(("Result" if sound or gone else "Result, provisional", f"{result_text(result)}."))
    rows += [(_seats(each.seats, titles), each.name) for each in game.players]
    if game.umpire:
        rows.append(("Umpire", game.umpire.name))
    rows += [("Changed", change_line(each, game.silence)) for each in verdict.changes]
    rows.append(("Rules", f"{rules.title}, {game.scenario}, version {game.behaviour}, {MODES[game.mode]}"))
    if seats:
        rows.append(("Seen by", f"{_seats(seats, titles)}: the page shows what only this seat may know."))
    rows.append(("Final hash", state or "none: the game has not begun"))
    rows.append(("Game", game.id.hex()))
    rows.append(
        ("Check it", "This page proves nothing by itself. Anyone who has the archive can check it: pbem verify FILE")
    )
    return Facts(
        title=rules.title,
        badge=f"{badge}: state {state[:8]}…{state[-8:]}" if state else badge,
        sound=sound,
        rows=tuple(rows),
        pictures=rules.pictures() if rules.pictures is not None else None,
    )


def _seats(seats: Sequence[str], titles: dict[str, str]) -> str:
    return ", ".join(titles.get(seat, seat) for seat in seats)
