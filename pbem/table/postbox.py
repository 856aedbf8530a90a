"""What leaves: which records a file must hold for whom, and the outbox.

A turn file is a function of the log up to one's own record that it is made for: everything in the past of that record
that some recipient has not acknowledged by citing it. So the same record always makes the same file, and what was lost
in the mail goes with the next one by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pbem.protocol.container import Item, ItemType, write_stream
from pbem.protocol.log import Log, Vector
from pbem.table.addressed import Addresses, Sender
from pbem.table.disk import Disk, Taken, names, read
from pbem.table.values import Posted

RESENT = 6
"""How many of one's own files carry a record again to somebody who acknowledges nothing."""
_LIMIT = 64 << 20


class Outbox:
    def __init__(self, folder: Path, addresses: Addresses, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk
        self.addresses = addresses

    def put(
        self,
        name: str,
        raw: bytes,
        to: tuple[str, ...],
        sender: Sender,
        *,
        automatic: bool,
        anew: bool = False,
        holds: Vector = (),
    ) -> Posted:
        """Writes a file once; the same file again is found, not written. `anew`: it is wanted again all the same.

        `holds`: how many records of each author its receivers have with it.
        """
        path = self.path(name)
        self.addresses.note(name, sender, to, automatic=automatic, anew=anew, holds=holds)
        held = read(path, _LIMIT)
        if held is None:
            try:
                self._disk.write_new(path, raw)
            except Taken:
                held = read(path, _LIMIT)
        if held is not None and held != raw:
            self._disk.rewrite(path, raw)
        return Posted(path, raw, to, automatic, again=held == raw)

    def path(self, name: str) -> Path:
        return self._folder / f"{name}.pbem"

    def take_away(self, name: str) -> bool:
        """Delete a file that nobody needs any more; False if it was not there."""
        held = self.path(name).exists()
        if held:
            self._disk.remove(self.path(name))
            self.addresses.drop(name)
        return held

    def drop(self, game: str) -> None:
        """Takes away what is there of a game that was never made: its name is nobody else's."""
        for name in names(self._folder) if game else []:
            if name.startswith(f"{game}-"):
                self._disk.remove(self._folder / name)
        for name in self.addresses.names() if game else []:
            if name.startswith(f"{game}-"):
                self.addresses.drop(name)


def file_of(items: Iterable[Item]) -> bytes:
    return b"".join(write_stream(items))


def lacking(
    log: Log, me: int, seq: int, recipients: Iterable[int], again: int | None = RESENT
) -> list[tuple[int, int, int]]:
    """(author, from, to): the records in a file for one's own record `seq`. `again` None: all that are lacking."""
    end = with_own(log, me, seq, log.past_at(me, seq))
    # A player who never answers is not sent the whole game for ever.
    older = -1 if again is None else seq - again
    assumed = with_own(log, me, older, log.past_at(me, older)) if older >= 0 else (0,) * len(end)
    known = [_most(acknowledged(log, other, end), assumed) for other in recipients]
    found = []
    for column, by in enumerate(log.authors):
        first = min((vector[column] for vector in known), default=end[column])
        if first < end[column]:
            found.append((by, first, end[column]))
    return found


def acknowledged(log: Log, other: int, end: Vector) -> Vector:
    """What a player has shown to hold, by his last record within `end`."""
    count = end[log.column(other)]
    if count == 0:
        return (0,) * len(end)
    return with_own(log, other, count - 1, log.past_at(other, count - 1))


def with_own(log: Log, by: int, seq: int, past: Vector) -> Vector:
    column = log.column(by)
    return (*past[:column], max(past[column], seq + 1), *past[column + 1 :])


def _most(one: Vector, other: Vector) -> Vector:
    return tuple(map(max, one, other))


def record_items(raws: Iterable[tuple[bytes, bytes | None]]) -> Iterator[Item]:
    """Records, each followed by the message beside it."""
    for raw, message in raws:
        yield Item(ItemType.RECORD, raw)
        if message is not None:
            yield Item(ItemType.MESSAGE, message)
