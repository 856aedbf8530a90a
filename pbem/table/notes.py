"""The message that waits for one's next record."""

from __future__ import annotations

from pbem.protocol.limits import MAX_NOTE
from pbem.protocol.text import check_lines
from pbem.table.store import GameStore

_NAME = "note"
_PRIVATE = "private_note"
MAX_PRIVATE = 100_000


def note(store: GameStore) -> str:
    raw = store.private(_NAME)
    return raw.decode() if raw else ""


def set_note(store: GameStore, text: str) -> None:
    check_lines(text, MAX_NOTE, "The message", "FIL-7")
    store.set_private(_NAME, text.encode() if text else None)


def private(store: GameStore) -> str:
    """Notes for oneself, never mailed."""
    raw = store.private(_PRIVATE)
    return raw.decode() if raw else ""


def set_private(store: GameStore, text: str) -> None:
    check_lines(text, MAX_PRIVATE, "The note", "FIL-7")
    store.set_private(_PRIVATE, text.encode() if text else None)
