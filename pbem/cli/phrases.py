"""Texts that several commands print, and writing the file to be mailed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pbem.cli.common import write_output
from pbem.cli.terminal import clean, fold, say, say_table, size_of, table, width
from pbem.engine.obligation import ANSWERS

if TYPE_CHECKING:
    from pbem.home import Home
    from pbem.home.intake import Opened
    from pbem.home.orders import Move, PresetRow, StandingRow
    from pbem.home.outbox import Posted
    from pbem.home.summary import GameRow, Owed
    from pbem.protocol.errors import PbemError
    from pbem.schema import Code, Count, Hash

LINE = 100  # columns


def when(at: int) -> str:
    """A moment in local time; nothing when it is unknown."""
    if at <= 0:
        return ""
    try:
        return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "an impossible time"


def owed_line(owed: Owed) -> str:
    """`Bob Silva's program has to reveal dice (since 2026-03-01 09:14)`."""
    since = ", which arrived on {}" if owed.by < 0 else " (since {})"  # an offer: nobody owes anything for it
    return f"{clean(owed.sentence)}{since.format(when(owed.since)) if owed.since else ''}"


class Refused(NamedTuple):
    """Why something was refused, and which record of which player it was about, if it was about one."""

    author: int | None
    code: Code
    record: Hash | None
    sentence: str
    step: str
    """The step of the specification."""

    @classmethod
    def of(cls, error: PbemError) -> Refused:
        record = getattr(error, "record", None) or None
        return cls(getattr(error, "author", None), error.code, record, error.sentence, error.step)


class File(NamedTuple):
    """A file to mail."""

    again: bool
    """Whether the file existed already."""
    automatic: bool
    """Made by the program without a person's choice."""
    bytes: Count
    path: str
    to: tuple[str, ...]
    """The people whom it is for, as `Name <address>`."""

    @classmethod
    def of(cls, posted: Posted) -> File:
        return cls(posted.again, posted.automatic, len(posted.raw), str(posted.path), posted.to)


class Acted(NamedTuple):
    """An act in a game, and the file that reports it to the others; none in a game against yourself."""

    game: str
    posted: File | None


def posted_line(posted: Posted) -> str:
    to = ", ".join(clean(name) for name in posted.to) or "everybody"
    what = "Mail (an automatic answer)" if posted.automatic else "The same file again" if posted.again else "Mail"
    return f"{what}, for {to}: {clean(str(posted.path))} ({size_of(len(posted.raw))})"


def say_happened(happened: Iterable[str], notes: Iterable[str]) -> None:
    """What a file or a mail brought about, and what a person should know of it."""
    for line in happened:
        say(f"  {clean(line)}")
    for line in notes:
        say(f"! {clean(line)}", style="wait")


def say_opened(opened: Opened) -> None:
    say(clean(opened.what))
    say_happened(opened.happened, opened.notes)
    for posted in opened.posted:
        say(posted_line(posted))
    say_owed(opened.game, opened.owed)


def say_owed(game: str | None, owed: Iterable[Owed]) -> None:
    """What is owed next; one's own move last, with the command."""
    todo = list(owed)
    for item in todo:
        if not item.mine:
            say(f"{owed_line(item)}.")
    for item in todo:
        if item.mine:
            say(f"{owed_line(item)}{next_step(game, item)}", style="good")


def say_stuck(rows: Iterable[GameRow]) -> bool:
    """What this home's program owes and cannot do, and what helps. If there is any, a command exits with 1."""
    stuck = [row for row in rows if row.stuck]
    for row in stuck:
        say(f"! {row.name}: {clean(row.stuck)}", style="bad")
    return bool(stuck)


ANSWERING = {text: name for name, text in ANSWERS.items()}
"""For each text of an answer that is owed to a proposal, the command that gives it."""


def next_step(game: str | None, owed: Owed) -> str:
    if owed.what == "answer" and game:
        return f": pbem {ANSWERING[owed.text]} {game} --accept, or --refuse"
    if owed.what == "join" and game:
        return f": pbem join {game}, or pbem decline {game}"
    return f": pbem play {game}" if owed.what == "orders" and game else "."


def say_ready(home: Home, name: str) -> bool:
    """Says so when all that can be ordered now is in the draft."""
    from pbem.home import orders

    ready = bool(orders.move(home, name).drafted().orders) and not orders.move(home, name).asked()
    if ready:
        say(f"That is all you can order now. To seal it and send it: pbem send {name}", style="good")
    return ready


def say_standing(rows: Sequence[StandingRow]) -> None:
    """Each clause on a line of its own, in the order in which they are tried; what is longer goes on, indented."""
    heads = [(seat, kind, state) for seat, kind, _, state in rows]
    room = LINE - max((width(line) + 2 for line in table([(*head, "") for head in heads])), default=0)
    # Names and states fit in half a line; were they ever longer, the clauses still need room to be read.
    room = max(room, LINE // 2 - 4)
    lines: list[tuple[str, ...]] = []
    for head, (_, _, policy, _) in zip(heads, rows, strict=True):
        clauses = [f"{clause};" for clause in policy.split("; ")] if policy else ["ask me;"]
        clauses[-1] = clauses[-1].removesuffix(";")
        broken = [
            line if n == 0 else f"  {line}" for clause in clauses for n, line in enumerate(fold(clause, room - 2))
        ]
        lines += [(*(head if n == 0 else ("", "", "")), line) for n, line in enumerate(broken)]
    say_table(lines)


def say_questions(move: Move, rows: Sequence[StandingRow]) -> None:
    """What each kind of decision asks; of a single one also what its answers and facts mean."""
    kinds = dict.fromkeys(row.kind for row in rows)
    told = {kind: move.explained(kind) for kind in kinds}
    if any(each.asks for each in told.values()):
        say()
        _say_meanings({kind: each.asks for kind, each in told.items()})
    if len(kinds) != 1:
        return
    ((kind, only),) = told.items()
    now = {seat: " ".join(move.sentences(kind, policy)) for seat, _, policy, _ in rows}
    for title, words in (
        ("Now:", now),
        ("The usual answer:", {"": " ".join(only.usual)} if only.usual else {}),
        ("Answers:", only.answers),
        ("Facts for conditions:", only.facts),
    ):
        if words:
            say(title)
            _say_meanings(words, "  ")


def _say_meanings(words: Mapping[str, str], indent: str = "") -> None:
    room = LINE - len(indent) - max(map(width, words)) - 2
    lines = ((word, n, line) for word, meaning in words.items() for n, line in enumerate(fold(meaning, room)))
    say_table([(word if n == 0 else "", line) for word, n, line in lines], indent=indent)


def say_presets(rows: Sequence[PresetRow]) -> None:
    """What each preset is for; below, a line for each kind of decision, a column for each preset."""
    for row in rows:
        say(f"{'*' if row.seats else ' '} {row.name}: {clean(row.text)}")
    if any(row.seats for row in rows):
        say("* is chosen now.")
    kinds = dict.fromkeys(kind for row in rows for kind, _ in row.standing)
    columns = [dict(row.standing) for row in rows]
    lines = [(kind, *(clean(column.get(kind) or "ask me") for column in columns)) for kind in kinds]
    say()
    say_table([("", *(row.name for row in rows)), *lines])


class Covering(NamedTuple):
    """The text for people in the mail that carries a file."""

    subject: str
    text: str
    page: str | None
    """About the turn, as everybody may see it."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """The forms in which a player wants a sealed file: as text, as a whole mail, under a name of its own."""

    armor: bool
    eml: bool
    output: str | None

    def write(self, posted: Posted, game: str, covering: Callable[[Posted], Covering] | None = None) -> str:
        """Write the file in the forms asked for and return where; without an option, return its place in the outbox."""
        raw, suffix = posted.raw, posted.path.suffix
        if self.armor:
            from pbem.protocol.armour import wrap

            raw, suffix = wrap(posted.raw).encode("ascii"), ".txt"
        elif self.eml:
            raw, suffix = letter(posted, game, covering(posted) if covering is not None else None), ".eml"
        elif self.output is None:
            return str(posted.path)
        target = self.output or str(posted.path.with_suffix(suffix))
        write_output(target, raw)
        return target


AS_IT_IS = Delivery(armor=False, eml=False, output=None)


def delivery(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options --armor, --eml and --output, which the command gets as one `how`."""

    @wraps(function)
    def command(*given: Any, armor: bool, eml: bool, output: str | None, **named: Any) -> Any:
        if armor and eml:
            raise click.UsageError("--armor and --eml exclude each other: a mail already holds the file.")
        return function(*given, how=Delivery(armor, eml, output), **named)

    for option in (
        click.option("-o", "--output", metavar="FILE", help="Write the file here too; - is standard output."),
        click.option("--eml", is_flag=True, help="As a whole mail that a mail program can open and send."),
        click.option("--armor", is_flag=True, help="As text that can be pasted into a mail."),
    ):
        command = option(command)
    return command


def letter(posted: Posted, game: str, covering: Covering | None = None) -> bytes:
    """A mail with the file attached, and a page about the turn if there is one. The same file makes the same mail."""
    from email.message import EmailMessage  # slow to import
    from email.utils import parseaddr

    plain = f"A pbem file of the game {game}. Open this mail, or the file, with: pbem open FILE"
    subject, text, page = covering or Covering(f"{game}: {posted.path.stem}", plain, None)
    message = EmailMessage()
    people = [parseaddr(person) for person in posted.to]
    addresses = [address for _, address in people if address.isascii() and "@" in address]
    if addresses:
        message["To"] = ", ".join(addresses)
    message["Subject"] = f"[pbem] {subject}"
    message.set_content(f"{text}\n")
    message.add_attachment(posted.raw, maintype="application", subtype="octet-stream", filename=posted.path.name)
    if page is not None:
        message.add_attachment(page, subtype="html", filename=f"{posted.path.stem}-report.html")
    message.set_boundary(f"=_pbem_{posted.path.stem}")
    return message.as_bytes()


def deliver(
    game: str, posted: Posted | None, how: Delivery, covering: Callable[[Posted], Covering] | None = None
) -> File | None:
    """Write what an act has sealed, and say where it is and whom it is for. A game against oneself has no file."""
    if posted is None:
        return None
    target = how.write(posted, game, covering)
    say(posted_line(posted))
    if target not in ("-", str(posted.path)):
        say(f"Written to {clean(target)}.")
    return File.of(posted)


def acted(game: str, posted: Posted | None, how: Delivery) -> Acted:
    """The answer of a command that acts in a game."""
    say(f"Game {game}.")
    return Acted(game, deliver(game, posted, how))
