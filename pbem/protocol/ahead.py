"""Records read some at a time before they are judged: work of one kind at a time is done sooner.

What is found stays the same, and so does its order: a refusal waits for its turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.record import Record, parse_record

_TOGETHER = 16


def ahead(items: Iterable[Item]) -> Iterator[Item | Record | Refusal]:
    """The items of an archive; in place of one with a record that record, or why it is none."""
    held: list[Item | Record | Refusal] = []
    try:
        for item in items:
            held.append(_read(item) if item.type == ItemType.RECORD else item)
            if len(held) == _TOGETHER:
                yield from held
                held.clear()
    except (Refusal, Incomplete):  # by the source of the items: what came before it is judged first
        yield from held
        raise
    yield from held


def _read(item: Item) -> Record | Refusal:
    try:
        return parse_record(item.raw)
    except Refusal as refusal:
        return refusal
