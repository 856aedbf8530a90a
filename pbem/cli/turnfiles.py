"""`pbem open`, `send`, `log` and `note`: what comes in, what goes out, what was said."""

from __future__ import annotations

import re
import sys
from contextlib import nullcontext, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import click

from pbem.cli.common import (
    MAX_OPEN,
    check_readable,
    command,
    game_argument,
    json_option,
    make_sure,
    open_desk,
    read_input,
    yes_option,
)
from pbem.cli.deliver import Delivery, deliver, delivery
from pbem.cli.move import say_preview
from pbem.cli.out import Progress, note, say, say_json
from pbem.cli.run import DONE, REFUSED, refused
from pbem.cli.show import opened_json, posted_json, refusal_json, say_opened, say_owed, say_stuck, went_on, when
from pbem.cli.text import clean
from pbem.cli.turnpage import covering_letter
from pbem.protocol.errors import PbemError, Refusal

_MOST_LINES = 100
"""Of a message that the log shows."""


@command(
    "open",
    short_help="Open whatever you received: cards, offers, turns, archives, whole mails.",
    examples=(
        "pbem open bob-silva.pbem",
        "pbem open mail.eml turn-12.pbem",
        "pbem open - < mail.txt",
        "pbem open --json inbox/*.pbem",
    ),
    exits="0 all of it was taken, 1 something was refused (the rest was taken), or your program cannot give what it "
    "owes then, 2 wrong usage.",
)
@click.argument("files", metavar="FILE...|-", nargs=-1, required=True)
@json_option
@click.pass_context
def open_command(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Open what came by mail: cards, offers, turns, reveals, archives.

    Binary, armoured, or a whole mail. Says in plain words what it was, what your opponent did and what is owed next.
    Opening twice, late or out of order is harmless. Answers that your program owes (reveals, releases) are written to
    the outbox.
    """
    for name in files:
        if name != "-":
            check_readable(name)  # wrong usage is told before any file is taken
    desk = open_desk()
    documents: list[dict[str, Any]] = []
    bad = False
    for name in files:
        try:
            with Progress("steps of opening") as beat:
                found = desk.open(read_input(name, MAX_OPEN), beat=beat)
        except PbemError as error:
            bad = True
            if as_json:
                documents.append(_failed(name, error))
            else:
                refused(error.code, (f"{name}: " if len(files) > 1 else "") + sentence(error))
            continue
        for opened in found:
            bad = bad or opened.refused is not None or opened.stuck
            if as_json:
                documents.append(opened_json(name, opened))
            elif opened.refused is not None:
                refused(opened.refused.code, sentence(opened.refused))
                for line in opened.notes:
                    note(line)
            else:
                say_opened(opened)
    if as_json:
        say_json({"files": documents, "ok": not bad})
    if bad:
        ctx.exit(REFUSED)


def sentence(error: PbemError) -> str:
    step = getattr(error, "step", "")
    return f"{error.sentence} [{step}]" if step else error.sentence


def _failed(name: str, error: PbemError) -> dict[str, Any]:
    refusal = error if isinstance(error, Refusal) else Refusal(error.code, error.sentence)
    return {
        "file": name,
        "game": None,
        "happened": [],
        "kind": "nothing",
        "new": 0,
        "notes": [],
        "ok": False,
        "owed": [],
        "posted": [],
        "refused": refusal_json(refusal),
        "what": "",
    }


@command(
    "send",
    short_help="Seal your draft and write the file to mail.",
    examples=(
        "pbem send bridgehead-7f3a",
        "pbem send bridgehead-7f3a --yes --armor -o - | mail -s turn bob@example.org",
        "pbem send bridgehead-7f3a --eml -o turn.eml",
        "pbem send bridgehead-7f3a --all",
    ),
    exits="0 done; 1 refused, or your program cannot do what it owes next (`pbem status` says why); 2 wrong usage.",
)
@game_argument
@click.option(
    "--all", "everything", is_flag=True, help="Seal nothing; write the whole game for somebody who lost mail."
)
@yes_option
@delivery
@json_option
@click.pass_context
def send_command(
    ctx: click.Context,
    game: str,
    everything: bool,
    sure: bool,
    how: Delivery,
    as_json: bool,
) -> None:
    """Seal your draft once and write the turn file.

    What is sealed is final, so you are shown it first, with what you have left undone and who is next, and asked. A
    script says --yes: without a terminal and without --yes, orders are not sealed.

    With nothing new to seal, the last file is written again, byte for byte, and nothing is asked. In a game that was
    restored from a backup, a question to the others is written instead: what do they hold? With --eml, a page about
    the turn, as everybody may see it, goes with the file.
    """
    desk = open_desk()
    name = desk.find(game)
    preview = None if everything else desk.preview(name)
    if preview is not None:
        # Standard output is for the document or the file.
        with redirect_stdout(sys.stderr) if as_json or how.output == "-" else nullcontext():
            say_preview(preview)
        make_sure("Seal and send this?", sure)
    posted = desk.resend(name) if everything else desk.send(name)
    covering = None if everything else partial(covering_letter, desk, name)
    if as_json:
        if posted is not None:
            how.write(posted, name, covering)
        happened = () if everything else desk.happened
        say_json({**went_on(desk, name, happened), "posted": posted_json(posted) if posted else None})
        ctx.exit(REFUSED if desk.row(name).stuck else DONE)
    if how.output != "-":
        for line in () if everything else desk.happened:
            say(f"  {clean(line)}")
    if posted is not None:
        deliver(posted, name, how, covering)
    row = desk.row(name)
    if how.output != "-":
        say_owed(name, row.owed)
        say_stuck((row,))
    if row.stuck:
        ctx.exit(REFUSED)


@command(
    "outbox",
    short_help="Show the files to mail, and those that have arrived.",
    examples=("pbem outbox", "pbem outbox --json"),
)
@json_option
def outbox_command(as_json: bool) -> None:
    """Show the files of the outbox: whom each is for, whether it has been mailed, and who has not answered yet.

    The newest file of a game holds all that the others have not answered. Other files are deleted once
    everybody has shown that they hold them.
    """
    from pbem.cli.mailbox import mailed_at

    desk = open_desk()
    desk.clear_outbox(dict.fromkeys(each.game for each in desk.outgoing() if each.game))
    mailed = mailed_at(desk)
    rows: list[dict[str, Any]] = [
        {
            "at": each.at,
            "automatic": each.automatic,
            "game": each.game,
            "mailed": mailed.get(each.path.stem, 0),
            "path": str(each.path),
            "silent": list(each.silent),
            "to": list(each.to),
        }
        for each in desk.outgoing()
    ]
    if as_json:
        say_json({"files": rows})
        return
    for each in rows:
        how = f"mailed {when(each['mailed'])}" if each["mailed"] else "to be mailed"
        state = f"{how}, not answered" if each["silent"] else "has arrived"
        say(f"{clean(Path(each['path']).name)}  {state}")
        say(f"  for {clean(', '.join(each['to'])) or 'nobody'}")
    if not rows:
        say("The outbox is empty.")


@command(
    "log",
    short_help="List the records of a game in plain words.",
    examples=("pbem log bridgehead-7f3a", "pbem log bridgehead-7f3a --last 5", "pbem log bridgehead-7f3a --json"),
)
@game_argument
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the last N records.")
@json_option
def log_command(game: str, last: int | None, as_json: bool) -> None:
    """List the records of a game: who did what, in the order in which it took effect, with the messages beside them."""
    desk = open_desk()
    lines = desk.log(desk.find(game))
    if last:
        lines = lines[-last:]
    if as_json:
        say_json(
            {
                "records": [
                    {
                        "arrived": line.arrived,
                        "at": line.at,
                        "by": line.by,
                        "id": line.id,
                        "kind": line.kind,
                        "message": line.message,
                        "name": line.name,
                        "seq": line.seq,
                        "text": line.text,
                    }
                    for line in lines
                ]
            }
        )
        return
    for line in lines:
        came = f" (here since {when(line.arrived)})" if line.kind in ("claim", "ruling") else ""
        say(f"{line.by}:{line.seq}  {when(line.at)}  {clean(line.name)}  {clean(line.text)}{came}")
        for part in paragraphs(line.message):
            say(f"      | {clean(part)}", style="dim")


def paragraphs(message: str) -> list[str]:
    """A message in lines, empty ones never two together; of a very long one only the beginning."""
    parts = re.sub(r"\n\s*\n\s*", "\n\n", message).strip("\n").split("\n") if message else []
    if len(parts) <= _MOST_LINES:
        return parts
    return [*parts[:_MOST_LINES], f"({len(parts) - _MOST_LINES} more lines: pbem log GAME --json shows them all)"]


@command(
    "note",
    short_help="Write a message that travels with your next record.",
    examples=(
        "pbem note bridgehead-7f3a 'Well fought!'",
        "pbem note bridgehead-7f3a",
        "pbem note bridgehead-7f3a --clear",
        "pbem note bridgehead-7f3a --private 'He always attacks in the north'",
    ),
)
@game_argument
@click.argument("text", required=False)
@click.option("--private", is_flag=True, help="A note for yourself instead; it is never mailed.")
@click.option("--clear", is_flag=True, help="Take it back.")
def note_command(game: str, text: str | None, private: bool, clear: bool) -> None:
    """Write a message to your opponents, or show the one that waits. It travels beside the next record that you seal.

    The record names its hash only, so an archive can leave the chat out.
    """
    if text is not None and clear:
        raise click.UsageError("Give a text or --clear, not both.")
    desk = open_desk()
    name = desk.find(game)
    if text is not None or clear:
        write = desk.set_private_note if private else desk.set_note
        write(name, text or "")
        say("Noted." if private else "It goes with your next record." if text else "No message waits.")
        return
    held = desk.private_note(name) if private else desk.note(name)
    say(held or ("No note." if private else "No message waits."))
