"""`pbem replay`: stepping through an archive in text, forwards and backwards, or writing it as a page."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import click

from pbem.cli.archivefile import ArchiveFile, first_in
from pbem.cli.common import command, json_option
from pbem.cli.out import say, say_json, say_table
from pbem.cli.text import clean, clean_lines
from pbem.engine.archive import keep_data, rules_of
from pbem.engine.definition import Game
from pbem.engine.match import Match
from pbem.engine.registry import find
from pbem.engine.replay import Replay
from pbem.protocol.container import ItemType
from pbem.protocol.errors import Refusal
from pbem.protocol.log import ForkFound
from pbem.protocol.record import Record, parse_record
from pbem.table.naming import stands_at

HELP = (
    ("n, Enter", "the next record; `n 10` ten on"),
    ("p", "the one before; `p 10` ten back"),
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

    @cached_property
    def moments(self) -> list[Moment]:
        return self._moments()

    def _take(self, record: Record) -> None:
        try:
            self.replay.accept(record)
        except ForkFound:
            self.replay.add_rival(record)

    def _moments(self) -> list[Moment]:
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
    exits="0 done, 1 the file is refused, 2 wrong usage.",
)
@click.argument("file", metavar="FILE|-")
@click.option(
    "--at", "at", metavar="N", help="Show the game after record N (or `first`, `last`), with the board, and end."
)
@click.option("--all", "everything", is_flag=True, help="Tell the whole game, record by record, and end.")
@click.option("--html", is_flag=True, help="Write a page that plays the whole game and needs nothing but itself.")
@click.option("--open", "open_it", is_flag=True, help="Show the page in a browser.")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The page.  [default: FILE.html in this folder]",
)
@click.option("--seat", "seats", multiple=True, metavar="SEAT", help="As this seat of yours sees it. Only for pages.")
@click.option(
    "--theme",
    type=click.Choice(("auto", "light", "dark")),
    default="auto",
    show_default=True,
    help="Colours of the page; auto follows the device.",
)
@json_option
@click.pass_context
def replay_command(
    ctx: click.Context,
    file: str,
    at: str | None,
    everything: bool,
    html: bool,
    open_it: bool,
    output: Path | None,
    seats: tuple[str, ...],
    theme: str,
    as_json: bool,
) -> None:
    """Step through a game.

    At the prompt: Enter goes on, `p` goes back, a number goes to that record, `b` draws the board, `q` leaves.

    With --html or --open the archive is verified and written as one page, with boards, battles, curves of strength and
    of the luck of the dice; a file that is refused gives no page. It shows what everybody may see, unless --seat names
    a seat of yours in a game that is here. Without -o the page is named after the archive and lies in the folder where
    you are; nothing there is written over. A page that -o names takes the place of an older one.
    """
    if at is not None and everything:
        raise click.UsageError("--at and --all exclude each other.")
    if html or open_it:
        if at is not None or everything:
            raise click.UsageError("A page has the whole game: it goes without --at and --all.")
        if output is None and file == "-" and not open_it:
            raise click.UsageError("Name the page with -o FILE.")
        from pbem.cli.replaypage import write_page

        folder = Path(mkdtemp(prefix="pbem-")) if open_it else Path()
        path = output or folder / (f"{Path(file).stem}.html" if file != "-" else "replay.html")
        write_page(ctx, first_in(file), path, seats, theme, as_json=as_json, new=output is None)
        if open_it:
            click.launch(path.resolve().as_uri())
        return
    if output is not None or seats:
        raise click.UsageError("-o and --seat are for pages: add --html or --open.")
    playback = Playback(first_in(file))
    if at is not None:
        number = place(at, playback)
        if as_json:
            say_json(
                {
                    "board": clean_lines(playback.board(number)).split("\n"),
                    "moment": playback.stands_at(number),
                    "records": [moment_json(playback, number)],
                }
            )
        else:
            show(playback, number)
            say(playback.board(number))
        return
    if as_json:
        records = [moment_json(playback, number) for number in range(1, len(playback.moments) + 1)]
        say_json({"board": [], "moment": "", "records": records})
    elif everything:
        for number in range(1, len(playback.moments) + 1):
            show(playback, number)
    else:
        if file == "-":
            raise click.UsageError("Standard input cannot be both the archive and the keyboard: use --at or --all.")
        step(playback)


def place(text: str, playback: Playback) -> int:
    """A record's number in the archive, from 1."""
    count = len(playback.moments)
    if text in ("first", "last"):
        return 1 if text == "first" else count
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= count:
        return int(text)
    raise click.UsageError(f"There is no record {clean(text, 20)!r}; this archive has records 1 to {count}.")


def moment_json(playback: Playback, number: int) -> dict[str, Any]:
    moment = playback.moments[number - 1]
    return {
        "by": moment.record.by,
        "happened": list(moment.lines),
        "id": moment.record.id.hex(),
        "kind": moment.record.kind,
        "name": moment.who,
        "number": number,
        "seq": moment.record.seq,
    }


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
