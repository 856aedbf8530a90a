"""A backup: the journal and the archives in one file, for either kind of database.

    "PBEMDESK" 0x01, then zlib of: entries, each with its length before it (4 bytes, big endian); a length of 0;
    archives the same way; a length of 0; SHA-256 of all before it

The tables are in none of it: they follow from the journal when it is brought back, entry by entry, each held against
its hash. It holds the players' cards, so their addresses: keep it as you keep the database.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final

from pbem.protocol.canonical import pack
from pbem.protocol.errors import Refusal
from pbem.umpire.db import journal, queries
from pbem.umpire.db.applying import digests
from pbem.umpire.db.database import Store
from pbem.umpire.db.deskrows import MAX_ENTRY, ArchiveRow, BlobRow, Entry, every, insert, read
from pbem.umpire.umpireerror import UmpireError

MAGIC: Final = b"PBEMDESK\x01"
_MAX_BLOB: Final = 1 << 30
_CHUNK: Final = 1 << 16
_END: Final = bytes(4)


def backup(store: Store, path: Path) -> int:
    """Writes a new file, whole or not at all; how many entries."""
    if path.exists():
        raise UmpireError("E-EXISTS", f"{path} exists. Choose another name.")
    tmp = path.with_name(f".tmp-{path.name}")
    try:
        with tmp.open("xb") as file:
            tmp.chmod(0o600)
            count = _write(store, file)
        tmp.rename(path)
    except FileExistsError:
        raise UmpireError("E-EXISTS", f"{tmp} is left from a backup that was stopped. Remove it first.") from None
    except BaseException:
        tmp.unlink(missing_ok=True)
        raise
    return count


def _write(store: Store, file: BinaryIO) -> int:
    packer, digest, count = zlib.compressobj(6), sha256(), 0

    def put(raw: bytes) -> None:
        digest.update(raw)
        file.write(packer.compress(raw))

    file.write(MAGIC)
    with store.reading() as db:
        for entry in journal.raw_entries(db):
            raw = pack(list(entry))
            put(len(raw).to_bytes(4, "big") + raw)
            count += 1
        put(_END)
        for key in digests(db):
            blob = queries.blob(db, key)
            if blob:
                put(len(blob).to_bytes(4, "big") + blob)
        put(_END)
    file.write(packer.compress(digest.digest()) + packer.flush())
    return count


def restore(store: Store, path: Path, tell: Callable[[int], None] = lambda _: None) -> int:
    """Into an empty database, all of it or nothing; how many entries. `tell` hears of every thousand."""
    with path.open("rb") as file, store.writing("restore", 0) as writing:
        db = writing.db
        if queries.size(db):
            raise UmpireError("E-BACKUP", "This database is not empty: a backup is brought back into a new one.")
        reader, count = _Reader(file), 0
        known: dict[bytes, int] = {}
        while raw := reader.piece(2 * MAX_ENTRY):
            entry = _entry(raw)
            writing.repeat(entry)
            count += 1
            match entry.kind, entry.data:
                case "archived", {"sha256": bytes(key), "size": int(size)}:
                    known[key] = size
            if count % 1_000 == 0:
                tell(count)
        wanted = {row.sha256 for row in every(db, ArchiveRow)}
        while raw := reader.piece(min(_MAX_BLOB, max(known.values(), default=0))):
            key = sha256(raw).digest()
            if known.pop(key, None) is None:
                raise _damaged("it holds bytes twice, or of no archive that its journal knows")
            insert(db, BlobRow(key, raw))
            wanted.discard(key)
        reader.end()
        if wanted:
            raise _damaged("archives are missing in it")
        return count


def _entry(raw: bytes) -> Entry:
    try:
        value = read(raw)
        match value:
            case [int(seq), int(at), str(actor), str(kind), bytes(data), bytes(previous), bytes(digest)] if at >= 0:
                fields = read(data)
                if isinstance(fields, dict):
                    return Entry(seq, at, actor, kind, fields, previous, digest)
    except Refusal as refusal:
        raise _damaged(refusal.sentence) from None
    raise _damaged("an entry of the journal is malformed")


class _Reader:
    """Unpacks as much as is asked for, so that no file makes it hold more."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        if file.read(len(MAGIC)) != MAGIC:
            raise UmpireError("E-BACKUP", "This is not a backup of an umpire's desk.")
        self._packed = zlib.decompressobj()
        self._digest = sha256()

    def piece(self, limit: int) -> bytes:
        """The next piece; empty at the end of a row of them."""
        head = self._take(4)
        size = int.from_bytes(head, "big")
        if size > limit:
            raise _damaged("a piece of it is too large")
        body = self._take(size)
        self._digest.update(head + body)
        return body

    def end(self) -> None:
        wanted = self._digest.digest()
        if self._take(32) != wanted or b"".join(self._more(1)):
            raise _damaged("its check sum is wrong")
        if not self._packed.eof or self._packed.unused_data or self._file.read(1):
            raise _damaged("it does not end where it should")

    def _take(self, size: int) -> bytes:
        found = b"".join(self._more(size))
        if len(found) != size:
            raise _damaged("it is cut off")
        return found

    def _more(self, size: int) -> Iterator[bytes]:
        packed = self._packed
        try:
            while size > 0 and not packed.eof:
                raw = packed.unconsumed_tail or self._file.read(_CHUNK)
                part = packed.decompress(raw, size)
                if not part and not raw:
                    return
                size -= len(part)
                yield part
        except zlib.error:
            raise _damaged("it does not unpack") from None


def _damaged(why: str) -> UmpireError:
    return UmpireError("E-BACKUP", f"This backup is damaged: {why}. Nothing was changed.")
