"""The memory of a home's mail on disk, apart from the queue.

mail/lock                  held by the process that handles the mail
mail/mail.db               marks of the mails that were looked at (see `ways.Seen`), unshown news, and notes
mail/<identity>/mail.toml  settings
mail/<identity>/aside/     mails that took long (`.later`), or were begun twice and never finished (`.eml`)
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pbem.home.disk import Disk, Lock, Tables, read
from pbem.home.people import Person
from pbem.mail.compose import MAX_REFERENCES
from pbem.mail.settings import MAX_SETTINGS, Settings, parse, write
from pbem.mail.ways import SEEN, Seen
from pbem.protocol.limits import MAX_MAIL

if TYPE_CHECKING:
    from pbem.schema import Code

_MOST_BEGUN: Final = 64
MOST_NEWS: Final = 16 << 20


class News(NamedTuple):
    """Something to be shown, about one game or about the mail itself."""

    game: str | None
    what: str
    happened: tuple[str, ...] = ()
    """In the words of the game."""
    notes: tuple[str, ...] = ()
    """Warnings, and messages from others."""
    todo: tuple[str, ...] = ()
    """What the player has to do now."""
    code: Code | None = None
    """The reason of a refusal."""
    step: str = ""
    """The step of the specification that failed."""


SCHEMA: Final = (
    SEEN,
    "CREATE TABLE news (id INTEGER PRIMARY KEY, value)",
    "CREATE TABLE notes (name PRIMARY KEY, value)",
)


class Aside:
    """Mails of an identity, kept here whole, since their mailbox is not searched for them again."""

    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk

    def put(self, raw: bytes, kind: str) -> Path:
        """`.later`: to be finished when all others have been opened. `.eml`: only when a person says so."""
        self._disk.folder(self._folder)
        path = self._folder / f"{sha256(raw).hexdigest()[:16]}{kind}"
        self._disk.rewrite(path, raw)
        return path

    def held(self, kind: str) -> list[Path]:
        return sorted(self._folder.glob(f"*{kind}"))

    def read(self, path: Path) -> bytes:
        return read(path, MAX_MAIL) or b""

    def remove(self, path: Path) -> None:
        self._disk.remove(path)


class MailState:
    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder
        self._disk = disk
        busy = "Another pbem is already handling the mail of this home ({}). Nothing was lost."
        self._lock = Lock(folder / "lock", patience=0.2, busy=busy)
        self._tables = Tables(folder / "mail.db", disk, SCHEMA)
        self._finished: set[str] = set()

    @contextmanager
    def handling(self) -> Iterator[None]:
        """One process handles the mail of a home at a time: two would send everything twice."""
        self._disk.folder(self._folder)
        with self._lock, self._tables.kept():
            yield

    # Accounts

    def place(self, identity: bytes) -> Path:
        return self._folder / identity.hex()

    def settings(self, identity: bytes) -> Settings | None:
        raw = read(self.place(identity) / "mail.toml", MAX_SETTINGS)
        return None if raw is None else parse(raw)

    def has_settings(self, identity: bytes) -> bool:
        return (self.place(identity) / "mail.toml").exists()

    def set_settings(self, person: Person, settings: Settings) -> Path:
        path = self.place(person.identity) / "mail.toml"
        self._disk.folder(path.parent)
        self._disk.rewrite(path, write(settings, person.card.name).encode())
        return path

    def seen(self, identity: bytes, way: str) -> Seen:
        return Seen(self._tables, f"{identity.hex()} {way.encode('utf-8', 'replace').decode()}")

    def last(self, identity: bytes) -> dict[str, Any]:
        """The last round: when, and what was wrong."""
        return self._note(f"last {identity.hex()}")

    def set_last(self, identity: bytes, value: dict[str, Any]) -> None:
        self._set_note(f"last {identity.hex()}", value)

    # Threads

    def thread(self, key: bytes) -> tuple[str, ...]:
        """Ids of the last mails of a game."""
        return tuple(self._note(f"thread {key.hex()}").get("ids", ()))

    def add_to_thread(self, key: bytes, message_id: str) -> None:
        ids = self.thread(key)
        if message_id and message_id not in ids:
            self._set_note(f"thread {key.hex()}", {"ids": [*ids, message_id][-MAX_REFERENCES:]})

    # Mails that are being opened

    def begin(self, mark: str) -> int:
        """How often the opening of this mail has now begun, durably: its end may be that of the process."""
        begun = {key: n for key, n in self._note("opening").items() if key not in self._finished}
        times: int = begun.pop(mark, 0) + 1
        self._finished.discard(mark)
        begun[mark] = times
        self._set_note("opening", dict(list(begun.items())[-_MOST_BEGUN:]))
        return times

    def finish(self, mark: str) -> None:
        """Noted for good when the next mail is begun; by then this one is marked as looked at."""
        self._finished.add(mark)

    def stopped(self, mark: str) -> None:
        """It was not the mail's fault that its opening did not end."""
        begun = self._note("opening")
        if begun.pop(mark, 0):
            self._set_note("opening", begun)

    def aside(self, identity: bytes) -> Aside:
        return Aside(self.place(identity) / "aside", self._disk)

    # News and reminders

    def add_news(self, news: Sequence[News]) -> None:
        """Durable before the mail that brought them counts as looked at: a crash repeats news, and loses none."""
        if not news:
            return
        lines = [json.dumps(each) for each in news]
        with self._tables.writing() as held:
            (size,) = held.execute("SELECT coalesce(sum(length(value)), 0) FROM news").fetchone()
            if size + sum(map(len, lines)) > MOST_NEWS:
                # One sender of many mails must not keep the mails of others from being taken.
                more = json.dumps(_MORE)
                lines = [] if held.execute("SELECT 1 FROM news WHERE value = ?", (more,)).fetchone() else [more]
            held.executemany("INSERT INTO news (value) VALUES (?)", [(line,) for line in lines])

    def news(self) -> tuple[News, ...]:
        with self._tables.reading() as held:
            return tuple(_news(line) for (line,) in held.execute("SELECT value FROM news ORDER BY id"))

    def clear_news(self) -> None:
        """All of it has been shown."""
        if self.news():
            with self._tables.writing() as held:
                held.execute("DELETE FROM news")

    def notes(self) -> dict[str, Any]:
        """When reminders were last given, and what strangers brought today."""
        return self._note("notes")

    def set_notes(self, value: dict[str, Any]) -> None:
        self._set_note("notes", value)

    def _note(self, name: str) -> dict[str, Any]:
        with self._tables.reading() as held:
            found = held.execute("SELECT value FROM notes WHERE name = ?", (name,)).fetchone()
        value: dict[str, Any] = json.loads(found[0]) if found is not None else {}
        return value

    def _set_note(self, name: str, value: dict[str, Any]) -> None:
        with self._tables.writing() as held:
            held.execute("INSERT OR REPLACE INTO notes VALUES (?, ?)", (name, json.dumps(value)))


_MORE: Final = News(None, "More arrived than is shown here. See pbem list, and your mailbox.")


def _news(line: str) -> News:
    fields: list[Any] = [tuple(each) if isinstance(each, list) else each for each in json.loads(line)]
    return News(*fields)
