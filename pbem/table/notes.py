"""Messages: the one that waits for one's next record, and notes for oneself."""

from __future__ import annotations

from pbem.protocol.canonical import pack, unpack
from pbem.protocol.characters import check_lines, plain_signs
from pbem.protocol.limits import MAX_NOTE
from pbem.table.store import GameStore

_NAME = "note"
_PRIVATE = "private_note"
MAX_PRIVATE = 100_000


def note(store: GameStore) -> str:
    """The message that waits; one whose record is on the disk is spent."""
    raw = store.private(_NAME)
    value = unpack(raw) if raw is not None else None
    match value:
        case [str(text), None]:
            return text
        case [str(text), [int(by), int(seq)]] if store.record(by, seq) is None:
            return text
    return ""


def set_note(store: GameStore, text: str, sealing: tuple[int, int] | None = None) -> None:
    """`sealing`: the record that it is about to travel with."""
    text = plain_signs(text)
    check_lines(text, MAX_NOTE, "The message", "FIL-8")
    store.set_private(_NAME, pack([text, list(sealing) if sealing is not None else None]) if text else None)


def private(store: GameStore) -> str:
    """Notes for oneself, never mailed."""
    raw = store.private(_PRIVATE)
    return raw.decode() if raw else ""


def set_private(store: GameStore, text: str) -> None:
    check_lines(text, MAX_PRIVATE, "The note", "FIL-8")
    store.set_private(_PRIVATE, text.encode() if text else None)
