"""What leaves: which records a file must hold for whom, the files of the outbox, and whom each of them is for.

A turn file is a function of the log up to one's own record that it is made for: everything in the past of that record
that some recipient has not acknowledged by citing it. So the same record always makes the same file, and what was lost
in the mail goes with the next one automatically.

Beside each file lies one small file of the same name, written before it, with its address. `asked` counts how often a
person or an opponent's question has asked for the file anew: the same file is mailed once for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pbem.home.disk import Disk, Taken, names, read
from pbem.home.gamefile import GameFile, Me, my_place
from pbem.protocol.canonical import Packable, pack, unpack
from pbem.protocol.container import Item, ItemType, write_stream
from pbem.protocol.errors import Refusal
from pbem.protocol.log import Log, Vector
from pbem.protocol.record import parse_record


def sender(game: GameFile) -> Sender:
    """On whose behalf a file of this game is mailed."""
    return Sender(game.name, game.offer.id, my_place(game).identity)


@dataclass(frozen=True, slots=True)
class Posted:
    """A file in the outbox, to be mailed."""

    path: Path
    raw: bytes
    to: tuple[str, ...]
    """Whom it is for, as `Name <address>`."""
    automatic: bool
    """Made by the program without a person's choice."""
    again: bool = False
    """The very file that was made before."""


_LETTER = 64 << 10


@dataclass(frozen=True, slots=True)
class Sender:
    """The game that a file belongs to, and the identity of this home that sends it."""

    game: str
    key: bytes
    """The id of the game's offer: the same at every player's, while names may differ."""
    identity: bytes


@dataclass(frozen=True, slots=True)
class Letter:
    """A file of the outbox with its address."""

    name: str
    """Of the file, without its suffix."""
    sender: Sender
    to: tuple[str, ...]
    automatic: bool
    asked: int
    at: int = 0
    """When it was first put into the outbox."""
    holds: tuple[int, ...] = ()
    """How many records of each author of the game its receivers have with it; empty before the start."""

    def pack(self) -> bytes:
        return pack(
            {
                "asked": self.asked,
                "at": self.at,
                "automatic": self.automatic,
                "game": self.sender.game,
                "holds": list(self.holds),
                "identity": self.sender.identity,
                "key": self.sender.key,
                "to": list(self.to),
                "v": 1,
            }
        )


class Addresses:
    def __init__(self, folder: Path, disk: Disk, clock: Callable[[], int]) -> None:
        self._folder = folder
        self._disk = disk
        self._clock = clock

    def note(
        self, name: str, sender: Sender, to: tuple[str, ...], *, automatic: bool, anew: bool, holds: tuple[int, ...]
    ) -> None:
        held = self.of(name)
        asked = held.asked if held else 0
        at = held.at if held and held.holds == holds else self._clock()
        letter = Letter(name, sender, to, automatic, asked + anew, at, holds)
        if letter != held:
            self._disk.folder(self._folder)  # a home made before this folder was thought of
            self._disk.rewrite(self._folder / name, letter.pack())

    def of(self, name: str) -> Letter | None:
        raw = read(self._folder / name, _LETTER)
        return None if raw is None else _read_letter(name, raw)

    def drop(self, name: str) -> None:
        self._disk.remove(self._folder / name)

    def names(self) -> list[str]:
        return names(self._folder)

    def stamp(self, name: str) -> int:
        """Changes whenever what is noted for this file changes; 0 when nothing is."""
        try:
            return (self._folder / name).stat().st_mtime_ns
        except OSError:
            return 0

    def stamp_of_all(self) -> int:
        """Changes whenever a file is addressed."""
        try:
            return self._folder.stat().st_mtime_ns
        except OSError:
            return 0


def _read_letter(name: str, raw: bytes) -> Letter | None:
    """None for one that cannot be read: its file is mailed by hand."""
    try:
        match unpack(raw, _LETTER):
            case {
                "asked": int(asked),
                "at": int(at),
                "automatic": bool(automatic),
                "game": str(game),
                "holds": list(holds),
                "identity": bytes(identity),
                "key": bytes(key),
                "to": list(to),
                "v": 1,
            }:
                return Letter(
                    name,
                    Sender(game, key, identity),
                    tuple(each for each in to if isinstance(each, str)),
                    automatic,
                    asked,
                    at,
                    tuple(each for each in holds if isinstance(each, int)),
                )
    except Refusal:
        return None
    return None


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


_FIRST = 2
"""The start, and the nonce that goes with it."""


def file_name(game: GameFile, me: Me, seq: int) -> str:
    """What the file for one's own record `seq` is called in the outbox."""
    raw = game.store.record(me.by, seq) if seq < _FIRST else None  # nobody signs more before the game has begun
    kind = parse_record(raw).kind if raw is not None else ""
    tag = kind if kind in ("offer", "join", "decline", "start") else str(seq)
    return f"{game.name}-{tag}"


def turn_file(game: GameFile, me: Me, seq: int) -> bytes:
    """The file for one's own record `seq`: a function of the log up to it."""
    log, store = game.log, game.store
    raws: list[tuple[bytes, bytes | None]] = []
    if log.genesis is None:
        mine = store.record(me.by, seq)
        own = parse_record(mine).id if mine is not None else b""
        everything = me.by == game.offer.starter
        raws += [(r.raw, None) for r in log.opening if everything or r.kind == "offer" or r.id == own]
        with_offer = True
    else:
        places = lacking(log, me.by, seq, [by for by in log.authors if by != me.by])
        if me.by == game.offer.starter and seq <= _FIRST and None in game.offer.players:
            # Whoever wanted an open place learns from the start who got it.
            raws += [(record.raw, None) for record in log.opening]
            places = [(by, max(first, 2 if by == me.by else 1), end) for by, first, end in places]
        raws += [
            (game.raw_of(by, n), store.loose("messages", log.id_at(by, n) or b""))
            for by, first, end in places
            for n in range(first, end)
        ]
        raws += [(raw, None) for raw in store.all_loose("rivals")]
        with_offer = any(raw == log.opening[0].raw for raw, _ in raws)
    data = replaced_items(game) if with_offer else []
    return file_of([*data, *record_items(raws)])


def replaced_items(game: GameFile) -> list[Item]:
    """The data files that came with the offer."""
    found: list[Item] = []
    for name, digest in game.offer.replaced:
        raw = game.store.loose("replaced", digest)
        if raw is not None:
            value: list[Packable] = [name, raw]
            found.append(Item(ItemType.REPLACED, pack(value)))
    return found
