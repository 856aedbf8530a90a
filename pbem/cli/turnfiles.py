"""`pbem open`, `send`, `outbox`, `log`, `note`: the files that come in and go out, and what they brought."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from pbem.cli.common import (
    MAX_OPEN,
    check_readable,
    command,
    game_argument,
    make_sure,
    open_game,
    open_home,
    read_input,
    shown,
    yes_option,
)
from pbem.cli.drawing import covering_letter
from pbem.cli.move import say_preview
from pbem.cli.phrases import (
    Delivery,
    File,
    Refused,
    deliver,
    delivery,
    say_opened,
    say_owed,
    say_stuck,
    when,
)
from pbem.cli.run import refused
from pbem.cli.terminal import Progress, before_asking, clean, note, say
from pbem.home import describe, intake, orders, resync, sending, summary
from pbem.protocol.errors import PbemError

if TYPE_CHECKING:
    from pbem.home.describe import LogLine
    from pbem.home.intake import Opened
    from pbem.home.outbox import Posted
    from pbem.home.resync import Outgoing
    from pbem.home.summary import Owed
    from pbem.schema import Count

_MOST_LINES = 100
"""Of a message that the log shows."""


class OpenedFile(NamedTuple):
    """One file, or one block of a mail, and its effect."""

    file: str
    game: str | None = None
    happened: tuple[str, ...] = ()
    kind: Literal["card", "offer", "decline", "turn", "archive", "hello", "backup", "proof", "nothing"] = "nothing"
    new: Count = 0
    """Records that were not here before."""
    notes: tuple[str, ...] = ()
    owed: tuple[Owed, ...] = ()
    posted: tuple[File, ...] = ()
    """Answers of your program, in the outbox."""
    refused: Refused | None = None
    what: str = ""

    @classmethod
    def of(cls, name: str, opened: Opened) -> OpenedFile:
        refused = Refused.of(opened.refused) if opened.refused is not None else None
        return shown(cls, opened, file=name, posted=tuple(map(File.of, opened.posted)), refused=refused)


class OpenedFiles(NamedTuple):
    """The files that were opened. `ok`: all of them were accepted, and your program can give what it owes."""

    files: tuple[OpenedFile, ...]
    ok: bool

    @property
    def failed(self) -> bool:
        return not self.ok


@command(
    "open",
    short_help="Open anything you received: cards, offers, turns, archives, whole mails.",
    examples=(
        "pbem open bob-silva.pbem",
        "pbem open mail.eml turn-12.pbem",
        "pbem open - < mail.txt",
        "pbem open --json inbox/*.pbem",
    ),
)
@click.argument("files", metavar="FILE...|-", nargs=-1, required=True)
def open_command(files: tuple[str, ...]) -> OpenedFiles:
    """Open what arrived by mail: cards, offers, turns, answers, archives.

    A FILE may be binary, armoured text, or a whole mail. You are shown what it was, what your opponent did, and what is
    owed next. It does no harm to open a file twice, late or out of order. Answers that need no decision from you (dice,
    cards) are written to the outbox.
    """
    for name in files:
        check_readable(name)  # wrong usage is reported before any file is taken
    home = open_home()
    found: list[OpenedFile] = []
    stuck = False
    for name in files:
        try:
            with Progress("steps of opening") as beat:
                blocks = intake.open_bytes(home, read_input(name, MAX_OPEN), beat=beat)
        except PbemError as error:
            refused(error.code, (f"{name}: " if len(files) > 1 else "") + error.sentence, error.step)
            found.append(OpenedFile(file=name, refused=Refused.of(error)))
            continue
        for opened in blocks:
            stuck = stuck or opened.stuck
            found.append(OpenedFile.of(name, opened))
            if opened.refused is not None:
                refused(opened.refused.code, opened.refused.sentence, opened.refused.step)
                for line in opened.notes:
                    note(line)
            else:
                say_opened(opened)
    return OpenedFiles(tuple(found), ok=not stuck and all(each.refused is None for each in found))


class Sent(NamedTuple):
    """The file to mail, the effect of what was sealed, and what is owed next."""

    game: str
    happened: tuple[str, ...]
    owed: tuple[Owed, ...]
    posted: File | None
    stuck: str
    """Why your program cannot do what it owes; empty if it can."""

    @property
    def failed(self) -> bool:
        return bool(self.stuck)


@command(
    "send",
    short_help="End your turn: sign your orders for good, and write the file to mail.",
    examples=(
        "pbem send bridgehead-7f3a",
        "pbem send bridgehead-7f3a --yes --armor -o - | mail -s turn bob@example.org",
        "pbem send bridgehead-7f3a --eml -o turn.eml",
        "pbem send bridgehead-7f3a --all",
    ),
)
@game_argument
@click.option(
    "--all", "everything", is_flag=True, help="Seal nothing; write the whole game, for a player who has lost mail."
)
@yes_option
@delivery
def send_command(game: str, everything: bool, sure: bool, how: Delivery) -> Sent:
    """End your turn: seal your draft (sign it for good), and write the file to mail.

    Sealed orders are final. You are therefore shown them first, with anything left undone and who is next, and asked
    for confirmation. A script must say --yes: without it, and without a terminal, nothing is sealed.

    If there is nothing new to seal, the last file is written again, byte for byte, and you are not asked. In a game
    that was restored from a backup, a file is written instead that asks the other players for the records that you
    lack. With --eml, a page about the turn, as everybody may see it, is attached.
    """
    home, name = open_game(game)
    posted: Posted | None
    happened: tuple[str, ...] = ()
    covering = None
    if everything:
        posted = sending.resend(home, name)
    else:
        preview = sending.preview(home, name)
        if preview is not None:
            with before_asking():
                say_preview(preview)
            make_sure("Seal and send this?", sure)
        posted, happened, _ = sending.send(home, name)
        covering = partial(covering_letter, home, name)
    for line in happened:
        say(f"  {clean(line)}")
    file = deliver(name, posted, how, covering)
    row = summary.row(home, name)
    say_owed(name, row.owed)
    say_stuck((row,))
    return Sent(name, happened, row.owed, file, stuck=row.stuck)


class Outbox(NamedTuple):
    """The files of the outbox."""

    files: tuple[Outgoing, ...]


@command(
    "outbox",
    short_help="Show the files to mail, and which of them have arrived.",
    examples=("pbem outbox", "pbem outbox --json"),
)
def outbox_command() -> Outbox:
    """Show the files in the outbox: whom each is for, whether it has been mailed, and who has not answered yet.

    The newest file of a game contains everything that the others have not answered. Older files are deleted once every
    receiver has shown that their contents have arrived.
    """

    home = open_home()
    resync.clear(home, dict.fromkeys(each.game for each in resync.outgoing(home) if each.game))
    files = tuple(resync.outgoing(home))
    for each in files:
        how = f"mailed {when(each.mailed)}" if each.mailed else "to be mailed"
        state = f"{how}, not answered" if each.silent else "has arrived"
        say(f"{clean(each.path.name)}  {state}")
        say(f"  for {clean(', '.join(each.to)) or 'nobody'}")
    if not files:
        say("The outbox is empty.")
    return Outbox(files)


class Log(NamedTuple):
    """The records of a game, in the order in which they took effect."""

    records: tuple[LogLine, ...]


@command(
    "log",
    short_help="List the records of a game in plain words.",
    examples=("pbem log bridgehead-7f3a", "pbem log bridgehead-7f3a --last 5", "pbem log bridgehead-7f3a --json"),
)
@game_argument
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N records.")
def log_command(game: str, last: int | None) -> Log:
    """List the records of a game: who did what, in the order in which it took effect, with the messages beside them."""
    home = open_home()
    lines = describe.log(home, summary.find(home, game))
    if last:
        lines = lines[-last:]
    for line in lines:
        came = f" (here since {when(line.arrived)})" if line.kind in ("claim", "ruling") else ""
        say(f"{line.by}:{line.seq}  {when(line.at)}  {clean(line.name)}  {clean(line.text)}{came}")
        for part in paragraphs(line.message):
            say(f"      | {clean(part)}", style="dim")
    return Log(tuple(lines))


def paragraphs(message: str) -> list[str]:
    """A message in lines, empty ones never two together; of a very long one only the beginning."""
    parts = re.sub(r"\n\s*\n\s*", "\n\n", message).strip("\n").split("\n") if message else []
    if len(parts) <= _MOST_LINES:
        return parts
    return [*parts[:_MOST_LINES], f"({len(parts) - _MOST_LINES} more lines: pbem log GAME --json shows them all)"]


@command(
    "note",
    short_help="Write a message that goes out with your next record.",
    examples=(
        "pbem note bridgehead-7f3a 'Well fought!'",
        "pbem note bridgehead-7f3a",
        "pbem note bridgehead-7f3a --clear",
        "pbem note bridgehead-7f3a --private 'Red always attacks in the north'",
    ),
)
@game_argument
@click.argument("text", required=False)
@click.option("--private", is_flag=True, help="Write a note to yourself instead; it is never mailed.")
@click.option("--clear", is_flag=True, help="Delete it.")
def note_command(game: str, text: str | None, private: bool, clear: bool) -> None:
    """Write a message to the other players, or show the one that waits. It goes out with the next record that you seal.

    The record itself holds only the hash of the message, so an archive can leave messages out.
    """
    if text is not None and clear:
        raise click.UsageError("Give a text or --clear, not both.")
    home, name = open_game(game)
    if text is not None or clear:
        (orders.set_private_note if private else orders.set_note)(home, name, text or "")
        say("Noted." if private else "It goes with your next record." if text else "No message waits.")
        return
    held = orders.private_note(home, name) if private else orders.note(home, name)
    say(held or ("No note." if private else "No message waits."))
