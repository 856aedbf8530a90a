"""The records of a game, one line each."""

from __future__ import annotations

from pbem.protocol.record import Record, parse_message
from pbem.table.gamefile import GameFile
from pbem.table.naming import act
from pbem.table.values import LogLine


def lines(game: GameFile) -> list[LogLine]:
    """In the order in which they took effect."""
    return [_line(game, record) for record in game.replay.records()]


def _line(game: GameFile, record: Record) -> LogLine:
    raw = game.store.loose("messages", record.id) if record.note is not None else None
    return LogLine(
        by=record.by,
        name=game.name_of(record),
        seq=record.seq,
        kind=record.kind,
        id=record.id.hex(),
        at=record.at,
        arrived=game.store.arrived(record.by, record.seq),
        text=act(record),
        message=parse_message(raw).text if raw is not None else "",
    )
