"""`pbem replay --html`: a whole game on one page, once it has been verified."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.archivefile import ArchiveFile
from pbem.cli.common import open_desk
from pbem.cli.drawing import write_picture
from pbem.cli.out import say, say_json
from pbem.cli.run import REFUSED
from pbem.cli.stepping import Playback
from pbem.cli.text import clean, plural
from pbem.cli.verdict import MODES, OWES, change_line, replaced_players, result_text, say_verdict
from pbem.cli.verifying import judge_items
from pbem.protocol.container import ItemType
from pbem.protocol.errors import Refusal
from pbem.protocol.kinds import PLAY
from pbem.protocol.record import parse_message

if TYPE_CHECKING:
    from pbem.pictures.replayhtml import Facts
    from pbem.pictures.replaysteps import Step
    from pbem.protocol.record import Record

_SHOWN_OTHERWISE = PLAY | {"offer", "join", "decline", "start"}


def write_page(
    ctx: click.Context, archive: ArchiveFile, path: Path, seats: Sequence[str], look: str, *, as_json: bool, new: bool
) -> None:
    """The page, or the verdict that says why there is none. `new`: nobody named it, so nothing is written over."""
    document = judge_items(archive)
    if not document["ok"] or document["game"] is None:
        if as_json:
            say_json({"file": None, "steps": 0, "verdict": document})
        else:
            say_verdict(document, named=False)
            say("No page was written: a game is only shown once it has been verified.", style="bad")
        ctx.exit(REFUSED)
    playback = Playback(archive)
    text, steps = page_of(playback, archive, document, seats, look)
    if new and path.exists() and not (path.is_file() and path.read_bytes() == text.encode()):
        raise Refusal("E-EXISTS", f"{path} exists and holds something else. Name the page: -o FILE")
    write_picture(path, text)
    if as_json:
        say_json({"file": str(path), "steps": steps, "verdict": document})
    else:
        say_verdict(document, named=False)
        say(f"Written: {clean(str(path))} ({plural(steps, 'step')}, {len(text.encode()):,} bytes)")


def page_of(
    playback: Playback, archive: ArchiveFile, document: dict[str, Any], seats: Sequence[str], look: str
) -> tuple[str, int]:
    """The page, and how many steps it has."""
    from pbem.pictures.replayhtml import replay_page
    from pbem.pictures.replaysteps import nothing_known, steps

    known = open_desk().known_of(playback.genesis.offer.id, seats) if seats else nothing_known
    count = 0

    def counted() -> Iterator[Step]:
        nonlocal count
        for step in steps(playback.replay, eyes=tuple(seats), known=known, told=telling(playback, archive)):
            count += 1
            yield step

    return replay_page(counted(), facts_of(playback, document, seats), look), count


def telling(playback: Playback, archive: ArchiveFile) -> Callable[[Record], list[str]]:
    """What is said about records beside what they bring about: acts, and messages that are in the archive."""
    from pbem.table.naming import act

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


def facts_of(playback: Playback, document: dict[str, Any], seats: Sequence[str]) -> Facts:
    """What the page says about the game as a whole."""
    from pbem.pictures.replayhtml import Facts

    game = document["game"]
    rules = playback.rules
    titles = {seat.name: seat.title for seat in rules.seats}
    sound = bool(document["audited"])
    badge = "Verified" if sound else "Verified as far as it is open"
    checked = [
        plural(document["records"], "record"),
        plural(document["orders"], "order"),
        plural(document["dice"], "die", "dice"),
        plural(document["cards"], "card"),
    ]
    rows = [("Checked", f"{', '.join(checked)}: all signatures, orders, dice and cards check.")]
    if sound:
        rows.append(("Secrets", "All have been opened, and the audit of all is complete."))
    else:
        rows.append(
            ("Not verified", "What is still sealed: hidden cards and choices, and duties that nobody else can see.")
        )
    rows += [
        ("Pending", f"{each['name'] or 'the umpire'} owes {OWES.get(each['what'], each['what'])}.")
        for each in document["pending"]
    ]
    if document["result"] is not None:
        gone = replaced_players(document)
        rows.append(("Result" if sound or gone else "Result, provisional", f"{result_text(document['result'])}."))
    rows += [(_seats(each["seats"], titles), each["name"]) for each in game["players"]]
    if game["umpire"]:
        rows.append(("Umpire", game["umpire"]["name"]))
    rows += [("Changed", change_line(each, document["game"]["silence"])) for each in document["changes"]]
    rows.append(("Rules", f"{rules.title}, {game['scenario']}, behaviour {game['behaviour']}, {MODES[game['mode']]}"))
    if seats:
        rows.append(("Seen by", f"{_seats(seats, titles)}: the page shows what only this seat may know."))
    rows.append(("Final hash", document["state"] or "none: the game has not begun"))
    rows.append(("Game", game["id"]))
    rows.append(("Check it", "This page proves nothing by itself. Whoever has the archive can: pbem verify FILE"))
    return Facts(
        title=rules.title,
        badge=f"{badge}: state {document['state'][:8]}…{document['state'][-8:]}" if document["state"] else badge,
        sound=sound,
        rows=tuple(rows),
        pictures=rules.pictures() if rules.pictures is not None else None,
    )


def _seats(seats: Sequence[str], titles: dict[str, str]) -> str:
    return ", ".join(titles.get(seat, seat) for seat in seats)
