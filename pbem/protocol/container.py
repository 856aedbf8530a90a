"""The file that is mailed: items after a head that states their number and length (docs/spec/files.md, FIL-1..FIL-4).

Compression lies inside the file and never inside a hash: other builds of zlib may compress the same items to other
bytes, and every reader reads both.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from enum import IntEnum
from hashlib import sha256
from typing import BinaryIO, NamedTuple

from pbem.protocol.errors import Refusal
from pbem.protocol.limits import (
    MAX_ASIDE,
    MAX_ASIDE_SIZE,
    MAX_CARD,
    MAX_CASE,
    MAX_CONTAINERS,
    MAX_FILE,
    MAX_ITEM,
    MAX_ITEMS,
    MAX_ITEMS_IN_ALL,
    MAX_MESSAGE,
    MAX_PAYLOAD,
    MAX_RECORD,
    MAX_REPLACED,
    MAX_UNPACKED,
)

MAGIC = b"pbem\x01"
HEAD = 20
_STORED, _DEFLATED = 0, 1
_HASHES = 281  # bytes at the end of a turn: salt, hashes and signature, which look like noise, and what names them


class ItemType(IntEnum):
    RECORD = 1
    CARD = 2
    MESSAGE = 3
    DRAWS = 4
    REPLACED = 5
    FORK = 6
    HELLO = 7
    BACKUP = 8
    CASE = 9


_MOST = {
    ItemType.RECORD: MAX_RECORD,
    ItemType.CARD: MAX_CARD,
    ItemType.MESSAGE: MAX_MESSAGE,
    ItemType.CASE: MAX_CASE,
}


class Item(NamedTuple):
    """One thing in a file. What its bytes mean is judged by the module of its type."""

    type: ItemType
    raw: bytes


class _Head(NamedTuple):
    deflated: bool
    items: int
    length: int
    stored: int
    checksum: bytes


def is_container(raw: bytes) -> bool:
    """These bytes begin like a pbem file of this or of another version, not like a text."""
    return raw.startswith(MAGIC[:4]) and raw[4:5] < b" "


def write(items: Iterable[Item]) -> bytes:
    """One container. The same items give the same bytes."""
    listed = tuple(items)
    if not 1 <= len(listed) <= MAX_ITEMS:
        raise ValueError(f"a file holds 1 to {MAX_ITEMS} items")
    for item in listed:
        if not 1 <= len(item.raw) <= _MOST.get(item.type, MAX_ITEM):
            raise ValueError(f"{item.type.name} item of {len(item.raw)} bytes")
    payload = b"".join(bytes((item.type,)) + len(item.raw).to_bytes(4, "big") + item.raw for item in listed)
    if len(payload) > MAX_PAYLOAD:
        raise ValueError("more than one container holds")
    packed = _deflate(payload, 0)
    if len(payload) > _HASHES:
        packed = min(packed, _deflate(payload, len(payload) - _HASHES), key=len)
    deflated = len(packed) < len(payload)
    stored = packed if deflated else payload
    return b"".join(
        (
            MAGIC,
            bytes((_DEFLATED if deflated else _STORED,)),
            len(listed).to_bytes(2, "big"),
            len(payload).to_bytes(4, "big"),
            len(stored).to_bytes(4, "big"),
            sha256(stored).digest()[:4],
            stored,
        )
    )


def _deflate(payload: bytes, cut: int) -> bytes:
    """FIL-9; at the cut a block ends, and what follows has codes of its own."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    packed = packer.compress(payload[:cut])
    if cut:
        packed += packer.flush(zlib.Z_BLOCK)
    return packed + packer.compress(payload[cut:]) + packer.flush()


def write_stream(items: Iterable[Item]) -> Iterator[bytes]:
    """As many containers as the items need, one after another (FIL-3)."""
    group: list[Item] = []
    size = 0
    for item in items:
        if group and (len(group) == MAX_ITEMS or size + 5 + len(item.raw) > MAX_PAYLOAD):
            yield write(group)
            group, size = [], 0
        group.append(item)
        size += 5 + len(item.raw)
    if group:
        yield write(group)


def read(raw: bytes) -> tuple[Item, ...]:
    """The items of a file that is one container, or a Refusal."""
    if len(raw) > MAX_FILE:
        raise _large("FIL-1", f"This file is {len(raw)} bytes long; at most {MAX_FILE} are allowed.")
    head = _head(raw[:HEAD])
    have = len(raw) - HEAD
    if have < head.stored:
        raise _cut(f"{head.stored - have} of its {head.stored + HEAD} bytes are missing")
    if have > head.stored:
        raise _bad("FIL-1", f"{have - head.stored} bytes follow the end of this file.")
    return tuple(_items(head, raw[HEAD:]))


def read_stream(file: BinaryIO) -> Iterator[Item]:
    """The items of an archive, which may be several containers; no more than one is held in memory at a time."""
    for number in range(MAX_CONTAINERS + 1):
        raw = _take(file, HEAD)
        if not raw and number:
            return
        if number == MAX_CONTAINERS:
            raise _large("FIL-3", f"This archive is more than {MAX_CONTAINERS} files in one.")
        if number and not MAGIC.startswith(raw[:5]):
            raise _bad("FIL-3", "Something that is not a pbem file follows the end of this one.")
        head = _head(raw)
        stored = _take(file, head.stored)
        if len(stored) < head.stored:
            raise _cut(f"its last {head.stored - len(stored)} bytes are missing")
        yield from _items(head, stored)


_ASIDE = {
    ItemType.CARD: (MAX_ASIDE, MAX_ASIDE * MAX_CARD, "cards"),
    ItemType.FORK: (MAX_ASIDE, MAX_ASIDE_SIZE, "proofs of forks"),
    ItemType.REPLACED: (MAX_REPLACED, MAX_ASIDE_SIZE, "data files"),
}


def bounded(items: Iterable[Item]) -> Iterator[Item]:
    """The items, as long as they are not more than a file may hold in all (FIL-4)."""
    total = 0
    held = {kind: [0, 0] for kind in _ASIDE}
    for count, item in enumerate(items, 1):
        total += len(item.raw)
        if total > MAX_UNPACKED or count > MAX_ITEMS_IN_ALL:
            raise _large(
                "FIL-4",
                f"This file holds more than {MAX_ITEMS_IN_ALL:,} items, or unpacks to more than "
                f"{MAX_UNPACKED >> 20} MiB.",
            )
        if item.type in held:
            most, size, what = _ASIDE[item.type]
            mine = held[item.type]
            mine[0] += 1
            mine[1] += len(item.raw)
            if mine[0] > most or mine[1] > size:
                raise _large("FIL-4", f"This file holds more than {most} {what}, or more than {size} bytes of them.")
        yield item


def _take(file: BinaryIO, size: int) -> bytes:
    """Exactly `size` bytes, fewer only at the end of the file."""
    parts: list[bytes] = []
    while size:
        part = file.read(size)
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _large(step: str, sentence: str) -> Refusal:
    return Refusal("E-LARGE", sentence, step=step)


def _bad(step: str, sentence: str) -> Refusal:
    return Refusal("E-FILE", sentence, step=step)


def _cut(what: str) -> Refusal:
    return Refusal("E-CUT", f"This file is cut off: {what}. Ask for it again.", step="FIL-1")


def _head(raw: bytes) -> _Head:
    if raw[:4] != MAGIC[: min(4, len(raw))]:
        raise Refusal("E-NOTHING", "This is not a pbem file.", step="FIL-1")
    if len(raw) > 4 and raw[4] != MAGIC[4]:
        raise Refusal(
            "E-VERSION",
            f"This file is of version {raw[4]}; this pbem reads version {MAGIC[4]}. A newer pbem may open it.",
            step="FIL-1",
        )
    if len(raw) < HEAD:
        raise _cut("it ends within its first bytes" if raw else "it is empty")
    head = _Head(
        deflated=raw[5] == _DEFLATED,
        items=int.from_bytes(raw[6:8], "big"),
        length=int.from_bytes(raw[8:12], "big"),
        stored=int.from_bytes(raw[12:16], "big"),
        checksum=raw[16:20],
    )
    if raw[5] not in (_STORED, _DEFLATED):
        raise Refusal("E-VERSION", "This file is packed in a way that this pbem does not know.", step="FIL-1")
    if head.length > MAX_PAYLOAD:
        raise _large("FIL-1", f"This file says it unpacks to {head.length} bytes; at most {MAX_PAYLOAD} are allowed.")
    if not 1 <= head.items <= MAX_ITEMS:
        raise _bad("FIL-1", f"This file says it holds {head.items} items; 1 to {MAX_ITEMS} are allowed.")
    if head.stored >= head.length if head.deflated else head.stored != head.length:
        raise _bad("FIL-1", "The lengths that this file states do not fit each other.")
    return head


def _items(head: _Head, stored: bytes) -> Iterator[Item]:
    if sha256(stored).digest()[:4] != head.checksum:
        raise _bad("FIL-1", "This file was damaged on its way: its checksum is wrong. Ask for it again.")
    payload = _inflate(stored, head.length) if head.deflated else stored
    found: list[Item] = []
    at = 0
    while at < len(payload):
        if len(found) == head.items:
            raise _bad("FIL-2", f"This file holds more than the {head.items} items that it states.")
        kind, size = payload[at], int.from_bytes(payload[at + 1 : at + 5], "big")
        end = at + 5 + size
        if at + 5 > len(payload) or end > len(payload):
            raise _bad("FIL-2", "An item of this file is said to be longer than the file.")
        if kind not in _TYPES:
            raise _bad("FIL-2", f"This file holds an item of type {kind}, unknown to this pbem.")
        most = _MOST.get(_TYPES[kind], MAX_ITEM)
        if not size:
            raise _bad("FIL-2", "This file holds an empty item.")
        if size > most:
            raise _large("FIL-2", f"An item of this file has {size} bytes; at most {most} are allowed.")
        found.append(Item(_TYPES[kind], payload[at + 5 : end]))
        at = end
    if len(found) != head.items:
        raise _bad("FIL-2", f"This file states {head.items} items but holds {len(found)}.")
    return iter(found)


_TYPES = {int(kind): kind for kind in ItemType}


def _inflate(stored: bytes, length: int) -> bytes:
    """FIL-3: exactly `length` bytes, and never more than one beyond it."""
    opener = zlib.decompressobj(-15)
    try:
        payload = opener.decompress(stored, length + 1)
    except zlib.error:
        raise _bad("FIL-3", "This file cannot be unpacked: it is damaged. Ask for it again.") from None
    if len(payload) > length:
        raise _bad("FIL-3", f"This file unpacks to more than the {length} bytes that it states.")
    if len(payload) < length or not opener.eof or opener.unused_data:
        raise _bad(
            "FIL-3",
            f"This file is damaged: it does not unpack to the {length} bytes that it states.",
        )
    return payload
