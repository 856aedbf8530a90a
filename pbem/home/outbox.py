"""Outgoing files: the records that each must hold for its readers, and the one queue of everything on its way out.

A turn file is a function of the log up to one's own record that it is made for: everything in the past of that record
that some recipient has not acknowledged by citing it. So the same record always makes the same file, and what was lost
in the mail goes with the next one automatically.

    outbox/<name>.pbem   a file, for the player to mail by hand
    tables.db            one row, a `Letter`, for each time that a file leaves, and the mail that carries it

A file is durable before its row, and a mail before it is offered to any server; that a server has taken it is durable
before the mail is deleted. If the machine stops between a server's yes and our note, the same bytes go once more; the
Message-ID and the file are those of the first, so the receiver's pbem has nothing new to do and mail programs show one
mail.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from pbem.engine.counts import DAY
from pbem.home.disk import Disk, Tables, names, read
from pbem.home.gamefile import GameFile, Me, my_place
from pbem.protocol.canonical import Packable, pack
from pbem.protocol.container import Item, ItemType, write_stream
from pbem.protocol.log import Log, Vector
from pbem.protocol.record import parse_record

if TYPE_CHECKING:
    from sqlite3 import Connection

_FIRST_WAIT: Final = 60
_LONGEST_WAIT: Final = 6 * 3600
PATIENCE: Final = 5 * DAY
"""Seconds for which a mail is tried before the person is asked to see to it."""
_MOST_ROWS: Final = 1_000_000
"""Rows that are kept; of those that nothing waits for, the oldest go first."""
_LIMIT: Final = 64 << 20

State = Literal["waiting", "queued", "sent", "acknowledged"]


@dataclass(frozen=True, slots=True)
class Posted:
    """A file in the outbox, to be mailed."""

    path: Path
    raw: bytes
    to: tuple[str, ...]
    """The recipients, each as `Name <address>`."""
    automatic: bool
    """Made by the program without a person's choice."""
    again: bool = False
    """Whether the file existed already."""


class Delivery(NamedTuple):
    """A way out accepted a mail for one receiver, or a report says that it did not arrive."""

    to: str
    """Empty in a report that names nobody, which is then about all of them."""
    at: int
    said: str
    """The server's reply, `exit 0`, the file that was written, or the report's reason."""
    holds: tuple[int, ...] = ()
    """How many records of each author of the game the receiver has with this mail."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One thing that leaves: a file, whom it is for, and how far it is."""

    name: str
    """Of the file in the outbox, without its suffix; empty for a reminder."""
    game: str
    of: bytes
    """The id of the game's offer: the same at every player's, while names may differ."""
    identity: bytes
    """The identity of this home that sends it."""
    to: tuple[str, ...]
    """The recipients, each as `Name <address>`."""
    automatic: bool
    at: int
    """When the file was put into the outbox."""
    holds: tuple[int, ...] = ()
    """How many records of each author of the game its receivers have with it; empty before the start."""
    digest: bytes = b""
    """Of the file."""
    state: State = "waiting"
    """Waiting for the player, or for the next round of mail; queued, once a mail is made; sent, by mail or by hand;
    acknowledged, once all the others have shown that they hold it, and the file is gone."""
    again: bool = False
    """The program mails it once more: a reminder, or a file that seems to be lost."""
    account: bytes = b""
    """The identity whose account mails it, and that account's address."""
    sender: str = ""
    key: str = ""
    """By which its mail is known, here and in the Message-ID."""
    left: tuple[str, ...] = ()
    """Addresses for which no way out has accepted the mail yet."""
    made: int = 0
    """When the mail was made."""
    tries: int = 0
    next: int = 0
    why: str = ""
    given_up: bool = False
    handed: tuple[Delivery, ...] = ()
    returned: tuple[Delivery, ...] = ()
    sent: int = 0
    """When the last receiver was handed it, or when it counted as mailed by hand."""
    id: int = 0
    """Its place in the queue: what was put later has a higher one."""

    @property
    def arrived(self) -> list[Delivery]:
        """Accepted for these receivers, and no report says otherwise."""
        back = {each.to for each in self.returned}
        return [each for each in self.handed if "" not in back and each.to not in back]

    def accepted(self, by: Sequence[str], at: int, said: str) -> Letter:
        """After a way out has taken the mail for these receivers."""
        fresh = tuple(Delivery(each, at, said, self.holds) for each in by)
        left = tuple(each for each in self.left if each not in by)
        state: State = self.state if left else "sent"
        return replace(self, left=left, handed=(*self.handed, *fresh), state=state, sent=0 if left else at)

    def failed(self, now: int, why: str) -> Letter:
        """After another try that failed; the waits double."""
        wait = min(_FIRST_WAIT << min(self.tries, 12), _LONGEST_WAIT)
        return replace(self, tries=self.tries + 1, next=now + wait, why=why, given_up=now - self.made > PATIENCE)


_COLUMNS: Final = tuple(each.name for each in fields(Letter) if each.name != "id")
_QUOTED: Final = ", ".join(f'"{each}"' for each in _COLUMNS)
_MAILED: Final = tuple(each for each in _COLUMNS[_COLUMNS.index("account") :])
"""Columns that change on the way; what a file is and whom it is for belongs to those before."""

SCHEMA: Final = (
    f"CREATE TABLE letters (id INTEGER PRIMARY KEY AUTOINCREMENT, {_QUOTED}, mail)",
    "CREATE INDEX by_name ON letters (name)",
    "CREATE INDEX by_state ON letters (state)",
    'CREATE INDEX by_game ON letters ("of")',
    "CREATE UNIQUE INDEX by_key ON letters (key) WHERE key != ''",
)


class Outbox:
    """Files for others, and the queue in which they leave."""

    def __init__(self, folder: Path, tables: Tables, disk: Disk, clock: Callable[[], int]) -> None:
        self._folder = folder
        self._tables = tables
        self._disk = disk
        self._clock = clock

    def path(self, name: str) -> Path:
        return self._folder / f"{name}.pbem"

    def file(self, name: str) -> bytes | None:
        return read(self.path(name), _LIMIT)

    # In

    def put(
        self,
        game: GameFile,
        name: str,
        raw: bytes,
        to: tuple[str, ...],
        *,
        automatic: bool,
        anew: bool = False,
        holds: Vector = (),
    ) -> Posted:
        """Writes a file once; the same file again is found, not written. `anew`: it is wanted again all the same.

        `holds`: how many records of each author its receivers have with it.
        """
        held = self.file(name)
        if held != raw:
            self._disk.rewrite(self.path(name), raw)
        digest, identity = sha256(raw).digest(), my_place(game).identity
        letter = Letter(name, game.name, game.offer.id, identity, to, automatic, self._clock(), holds, digest)
        with self._tables.writing() as tables:
            last = _first(tables, "name = ? AND NOT again ORDER BY id DESC", name)
            if last is not None and last.holds == letter.holds:
                letter = replace(letter, at=last.at)
            if last is None or anew or last.digest != digest:
                if last is not None and last.state == "waiting":
                    tables.execute("DELETE FROM letters WHERE id = ?", (last.id,))  # it goes as this one
                self._insert(tables, letter)
            else:
                facts = (json.dumps(to), automatic, letter.at, json.dumps(holds), last.id)
                tables.execute('UPDATE letters SET "to" = ?, automatic = ?, at = ?, holds = ? WHERE id = ?', facts)
        return Posted(self.path(name), raw, to, automatic, again=held == raw)

    def add(self, letter: Letter, mail: bytes) -> None:
        """A mail that the program makes of a letter: a reminder, or the file once more. The same key goes once."""
        with self._tables.writing() as tables:
            if _first(tables, "key = ?", letter.key) is None:
                self._insert(tables, replace(letter, again=True, state="queued"), mail)

    def _insert(self, tables: Connection, letter: Letter, mail: bytes | None = None) -> None:
        values = (*(_plain(getattr(letter, each)) for each in _COLUMNS), mail)
        marks = ", ".join("?" * len(values))
        tables.execute(f"INSERT INTO letters ({_QUOTED}, mail) VALUES ({marks})", values)  # noqa: S608 (our own words)
        tables.execute(
            "DELETE FROM letters WHERE id <= (SELECT max(id) FROM letters) - ? AND state IN ('sent', 'acknowledged')",
            (_MOST_ROWS,),
        )

    # On its way

    def queue(self, letter: Letter, mail: bytes) -> None:
        """Durable when this returns; before that nothing of the mail may leave."""
        self._save(replace(letter, state="queued"), mail)

    def change(self, letter: Letter) -> None:
        """Note how far it is; the mail of a letter that has been sent is deleted."""
        self._save(letter, None)

    def _save(self, letter: Letter, mail: bytes | None) -> None:
        sets = ", ".join(f'"{each}" = ?' for each in _MAILED)
        state = "state = CASE state WHEN 'acknowledged' THEN state ELSE ? END"
        kept = "mail = CASE WHEN ? = 'queued' AND state != 'acknowledged' THEN coalesce(?, mail) END"
        values = (*(_plain(getattr(letter, each)) for each in _MAILED), letter.state, letter.state, mail, letter.id)
        with self._tables.writing() as tables:
            tables.execute(f"UPDATE letters SET {sets}, {state}, {kept} WHERE id = ?", values)  # noqa: S608

    def pass_over_old(self, identity: bytes) -> int:
        """When mail is set up, the files in the outbox count as mailed by hand, except for the newest of each game:
        mailing that twice does no harm. How many there were."""
        newest, at = {letter.id for letter in self.newest(identity).values()}, self._clock()
        old = [each.id for each in self.waiting() if each.identity == identity and each.id not in newest]
        with self._tables.writing() as tables:
            tables.executemany("UPDATE letters SET state = 'sent', sent = ? WHERE id = ?", [(at, each) for each in old])
        return len(old)

    def came_back(self, letter: Letter, at: int, said: str, to: Sequence[str]) -> None:
        """A report says that a mail of ours did not arrive, at these receivers or at all of them."""
        known = {each.to for each in letter.returned}
        fresh = tuple(Delivery(each, at, said) for each in to or ("",) if each not in known)
        if fresh:
            self.change(replace(letter, returned=(*letter.returned, *fresh)))

    # Out

    def take_away(self, name: str) -> bool:
        """Delete a file that nobody needs any more; False if it was not there."""
        held = self.path(name).exists()
        if held:
            with self._tables.writing() as tables:
                tables.execute("UPDATE letters SET state = 'acknowledged', mail = NULL WHERE name = ?", (name,))
            self._disk.remove(self.path(name))
        return held

    def drop(self, game: str) -> None:
        """Takes away what is there of a game that was never made: its name is nobody else's."""
        for name in names(self._folder) if game else []:
            if name.startswith(f"{game}-"):
                self._disk.remove(self._folder / name)
        if game and self._one("game = ?", game) is not None:
            with self._tables.writing() as tables:
                tables.execute("DELETE FROM letters WHERE game = ?", (game,))

    # What there is

    def letters(self) -> dict[str, Letter]:
        """The last letter of each file, in the order in which they were put."""
        newest = "SELECT max(id) FROM letters WHERE NOT again AND state != 'acknowledged' GROUP BY name"
        return {letter.name: letter for letter in self._find(f"id IN ({newest}) ORDER BY id")}

    def newest(self, identity: bytes) -> dict[bytes, Letter]:
        """The last letter of each game: its file holds all that the others have not acknowledged."""
        found = (each for each in self.letters().values() if each.identity == identity and each.to)
        return {letter.of: letter for letter in found}

    def of(self, name: str) -> Letter | None:
        """The last letter of a file."""
        return self._one("name = ? AND NOT again AND state != 'acknowledged' ORDER BY id DESC", name)

    def waiting(self) -> list[Letter]:
        """Letters without a mail, oldest first, so that a game's mails leave in their order."""
        return self._find("state = 'waiting' ORDER BY id")

    def queued(self, account: bytes | None = None) -> list[Letter]:
        """Letters whose mail waits, oldest first; only those that this identity's account mails."""
        found = self._find("state = 'queued' ORDER BY made, id")
        return [letter for letter in found if account in (None, letter.account)]

    def mail(self, letter: Letter) -> bytes:
        with self._tables.reading() as tables:
            return bytes(tables.execute("SELECT mail FROM letters WHERE id = ?", (letter.id,)).fetchone()[0])

    def by_key(self, key: str) -> Letter | None:
        """The letter that this mail carried, or carries."""
        return self._one("key = ?", key) if key else None

    def stamp(self) -> int:
        """Rises whenever a file is put, or asked for anew."""
        with self._tables.reading() as tables:
            found = tables.execute("SELECT seq FROM sqlite_sequence WHERE name = 'letters'").fetchone()
        return int(found[0]) if found is not None else 0

    def last(self, name: str) -> int | None:
        """When this file was last handed over to anybody; None when it was not, or waits."""
        found = self._find("name = ?", name)
        waits = any(letter.state == "queued" for letter in found)
        return None if waits else max((letter.sent for letter in found if letter.sent), default=None)

    def mailed_at(self) -> dict[str, int]:
        """When a mail with each file was handed over."""
        return {letter.name: letter.sent for letter in self._find("name != '' AND handed != '[]' AND sent ORDER BY id")}

    def sent(self, account: bytes) -> int:
        """How many letters this identity's account has sent."""
        with self._tables.reading() as tables:
            found = tables.execute("SELECT count(*) FROM letters WHERE account = ? AND sent", (account,))
            return int(found.fetchone()[0])

    def answers_since(self, account: bytes, at: int) -> int:
        """Automatic mails that this identity's account has sent since then."""
        return sum(letter.automatic for letter in self._find("account = ? AND sent > ?", account, at))

    def of_game(self, of: bytes) -> list[Letter]:
        """All letters of a game, oldest first."""
        return self._find('"of" = ? ORDER BY id', of)

    def deliveries(self, of: bytes) -> list[Delivery]:
        """The mails of a game that a way out accepted and that did not come back, oldest first."""
        return sorted((each for letter in self.of_game(of) for each in letter.arrived), key=lambda each: each.at)

    def marks(self, of: bytes) -> tuple[int, ...]:
        """Changes whenever something about the letters of a game changes; cheap, for thousands of games."""
        marks = (  # each of them only rises
            "SELECT total(id), total(sent), total(tries), total(length(handed)), total(length(returned)) "
            'FROM letters WHERE "of" = ?'
        )
        with self._tables.reading() as tables:
            return tuple(map(int, tables.execute(marks, (of,)).fetchone()))

    def last_report(self, of: bytes, to: str) -> str:
        """The reason in the last report of a mail of a game that this receiver did not get."""
        found = [
            back
            for letter in self.of_game(of)
            if any(each.to == to for each in letter.handed)
            for back in letter.returned
            if back.to in ("", to)
        ]
        return max(found, key=lambda each: each.at).said or "it came back" if found else ""

    def waits_for(self, of: bytes, to: str) -> Letter | None:
        """The oldest mail of a game that this receiver has not been handed yet."""
        found = self._find("\"of\" = ? AND state = 'queued' ORDER BY made, id", of)
        return next((letter for letter in found if to in letter.left), None)

    def _find(self, where: str, *values: Any) -> list[Letter]:
        with self._tables.reading() as tables:
            return list(_rows(tables, where, *values))

    def _one(self, where: str, *values: Any) -> Letter | None:
        with self._tables.reading() as tables:
            return _first(tables, where, *values)


def _rows(tables: Connection, where: str, *values: Any) -> Iterator[Letter]:
    for row in tables.execute(f"SELECT {_QUOTED}, id FROM letters WHERE {where}", values):  # noqa: S608 (words of our own)
        found: dict[str, Any] = dict(zip((*_COLUMNS, "id"), row, strict=True))
        for name in ("to", "holds", "left"):
            found[name] = tuple(json.loads(found[name]))
        for name in ("handed", "returned"):
            found[name] = tuple(Delivery(to, at, said, tuple(held)) for to, at, said, held in json.loads(found[name]))
        for name in ("automatic", "again", "given_up"):
            found[name] = bool(found[name])
        yield Letter(**found)


def _first(tables: Connection, where: str, *values: Any) -> Letter | None:
    return next(_rows(tables, f"{where} LIMIT 1", *values), None)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()  # a path may hold bytes that are not text
    return json.dumps(value) if isinstance(value, tuple) else value


RESENT = 6
"""How many of one's own files carry a record again to somebody who acknowledges nothing."""


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
    """What a player has shown to hold, by their last record within `end`."""
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
            # A player who wanted an open place learns from the start who got it.
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
