"""Records read some at a time before they are judged: work of one kind at a time is done sooner.

What is found stays the same, and so does its order: a refusal waits for its turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.protocol.container import Item, ItemType
from pbem.protocol.errors import Incomplete, Refusal
from pbem.protocol.log import Log
from pbem.protocol.record import Record, parse_record

_FIRST, _TOGETHER = 4, 64
"""Items that are read at first, when the log knows no keys yet, and at most."""
_BYTES = 1 << 18  # of all that is read and not yet judged, but for one item


def ahead(items: Iterable[Item], log: Log) -> Iterator[Item | Record | Refusal]:
    """The items of an archive; in place of one with a record that record, or why it is none.

    `log` is the one that takes them. It is shown the records beforehand, for their signatures.
    """
    held: list[Item | Record | Refusal] = []
    room, size = _FIRST, 0
    try:
        for item in items:
            held.append(_read(item) if item.type == ItemType.RECORD else item)
            size += len(item.raw)
            if len(held) >= room or size >= _BYTES:
                log.look_ahead(each for each in held if isinstance(each, Record))
                yield from held
                held.clear()
                room, size = min(2 * room, _TOGETHER), 0
    except (Refusal, Incomplete):  # by the source of the items: what came before it is judged first
        yield from held
        raise
    log.look_ahead(each for each in held if isinstance(each, Record))
    yield from held


def _read(item: Item) -> Record | Refusal:
    try:
        return parse_record(item.raw)
    except Refusal as refusal:
        return refusal
