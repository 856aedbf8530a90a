"""The desk's answers in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem.cli.out import say, say_table
from pbem.cli.text import clean, fold, size_of, table, width

if TYPE_CHECKING:
    from pbem.protocol.errors import Refusal
    from pbem.table.desk import Desk
    from pbem.table.values import GameRow, Opened, Owed, Posted, PresetRow

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
    """`Bob Silva owes a reveal (automatic) since 2026-03-01 09:14`."""
    automatic = " (automatic)" if owed.automatic else ""
    begun = ", which arrived on" if owed.by < 0 else " since"  # an offer: nobody owes anything for it
    since = f"{begun} {when(owed.since)}" if owed.since else ""
    return f"{clean(owed.sentence)}{automatic}{since}"


def owed_json(owed: Owed) -> dict[str, Any]:
    return {
        "automatic": owed.automatic,
        "by": owed.by,
        "mine": owed.mine,
        "name": owed.name,
        "since": owed.since,
        "text": owed.text,
        "what": owed.what,
    }


def posted_json(posted: Posted) -> dict[str, Any]:
    return {
        "again": posted.again,
        "automatic": posted.automatic,
        "bytes": len(posted.raw),
        "path": str(posted.path),
        "to": list(posted.to),
    }


def posted_line(posted: Posted) -> str:
    to = ", ".join(clean(name) for name in posted.to) or "everybody"
    what = "Answer by your program" if posted.automatic else "The same file again" if posted.again else "Mail"
    return f"{what}, for {to}: {clean(str(posted.path))} ({size_of(len(posted.raw))})"


def refusal_json(refusal: Refusal) -> dict[str, Any]:
    return {
        "author": refusal.author,
        "code": refusal.code,
        "record": refusal.record.hex() if refusal.record else None,
        "sentence": refusal.sentence,
        "step": refusal.step,
    }


def opened_json(name: str, opened: Opened) -> dict[str, Any]:
    return {
        "file": name,
        "game": opened.game,
        "happened": list(opened.happened),
        "kind": opened.kind,
        "new": opened.new,
        "notes": list(opened.notes),
        "ok": opened.refused is None,
        "owed": [owed_json(owed) for owed in opened.owed],
        "posted": [posted_json(posted) for posted in opened.posted],
        "refused": refusal_json(opened.refused) if opened.refused else None,
        "what": opened.what,
    }


def went_on(desk: Desk, name: str, happened: Iterable[str]) -> dict[str, Any]:
    """What came of one's own act, in the words of `open --json`: events as lines, and what is owed next."""
    owed = desk.row(name).owed
    return {"game": name, "happened": list(happened), "owed": [owed_json(each) for each in owed]}


def say_opened(opened: Opened) -> None:
    say(clean(opened.what))
    for line in opened.happened:
        say(f"  {clean(line)}")
    for line in opened.notes:
        say(f"! {clean(line)}", style="wait")
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


def next_step(game: str | None, owed: Owed) -> str:
    if owed.what == "answer" and game:
        return f": pbem {owed.text.rpartition(' ')[2]} {game} --accept, or --refuse"
    command = {"orders": "play", "join": "join"}.get(owed.what)
    return f": pbem {command} {game}" if command and game else "."


def say_ready(desk: Desk, name: str) -> bool:
    """Says so when all that can be ordered now is in the draft."""
    ready = bool(desk.draft(name)) and not desk.asked(name)
    if ready:
        say(f"That is all that can be ordered now. Not sealed yet: pbem send {name}", style="good")
    return ready


def say_standing(rows: Sequence[tuple[str, str, str, str]]) -> None:
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


def preset_json(row: PresetRow) -> dict[str, Any]:
    standing = [{"kind": kind, "policy": policy} for kind, policy in row.standing]
    return {"name": row.name, "seats": list(row.seats), "standing": standing, "text": row.text}


def row_json(row: GameRow) -> dict[str, Any]:
    place = row.tournament
    return {
        "expires": row.expires,
        "fault": row.fault,
        "game": row.game,
        "moment": row.moment,
        "my_move": row.my_move,
        "name": row.name,
        "notice": row.notice,
        "proposed": row.proposed,
        "owed": [owed_json(owed) for owed in row.owed],
        "restored": row.restored,
        "result": row.result,
        "scenario": row.scenario,
        "stage": row.stage,
        "stuck": row.stuck,
        "title": row.title,
        "tournament": None
        if place is None
        else {"board": place.board, "key": place.key.hex(), "round": place.round, "title": place.title},
        "umpire": row.umpire,
    }
