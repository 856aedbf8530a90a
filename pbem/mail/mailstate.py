"""What the mail of a home remembers on disk, apart from the queues.

mail/lock                       held by whoever handles the mail
mail/threads/<offer id>         ids of the last mails of a game
mail/opening                    mails that were begun and perhaps not finished, and how often
mail/news                       news that has not been shown yet
mail/notes                      when reminders were last given, and what strangers brought today
mail/<identity>/mail.toml       settings
mail/<identity>/seen/<way>      marks of the mails that were looked at
mail/<identity>/aside/          mails that took long (`.later`), or were begun twice and never finished (`.eml`)
mail/<identity>/last            the last round: when, and what was wrong
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from pbem.home import HomeError
from pbem.home.disk import Disk, Lock, read
from pbem.home.people import Person
from pbem.mail.compose import MAX_REFERENCES
from pbem.mail.connect import MailError
from pbem.mail.fetch import Seen
from pbem.mail.settings import MAX_SETTINGS, Settings, parse, write
from pbem.protocol.limits import MAX_MAIL

_SMALL: Final = 1 << 20
_MOST_BEGUN: Final = 64
MOST_NEWS: Final = 16 << 20
_NEWS: Final = MOST_NEWS + (64 << 10)


@dataclass(frozen=True, slots=True)
class News:
    """Something to be shown to the person, about one game or about the mail itself."""

    game: str
    """Empty when it is not about a game."""
    what: str
    lines: tuple[str, ...] = ()
    """What happened, in the words of the game."""
    notes: tuple[str, ...] = ()
    """Warnings, and messages from others."""
    todo: tuple[str, ...] = ()
    """What they have to do now."""
    code: str = ""
    """The reason of a refusal."""


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
        self._lock = Lock(folder / "lock", patience=0.2)
        self._finished: set[str] = set()

    @contextmanager
    def handling(self) -> Iterator[None]:
        """One process handles the mail of a home at a time: two would send everything twice."""
        self._disk.folder(self._folder)
        try:
            self._lock.__enter__()
        except HomeError as error:
            if error.code != "E-LOCKED":
                raise
            who = error.sentence.partition("(")[2].partition(")")[0] or "another process"
            raise MailError(
                "E-LOCKED", f"Another pbem is already handling the mail of this home ({who}). Nothing was lost."
            ) from None
        try:
            yield
        finally:
            self._lock.__exit__(None, None, None)

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
        folder = self.place(identity) / "seen"
        self._disk.folder(folder)
        return Seen(folder / sha256(way.encode("utf-8", "replace")).hexdigest()[:32], self._disk)

    def last(self, identity: bytes) -> dict[str, Any]:
        return _document(self.place(identity) / "last")

    def set_last(self, identity: bytes, value: dict[str, Any]) -> None:
        self._disk.rewrite(self.place(identity) / "last", _json(value))

    # Threads

    def thread(self, key: bytes) -> tuple[str, ...]:
        found = _document(self._folder / "threads" / key.hex()).get("ids", [])
        return tuple(each for each in found if isinstance(each, str))

    def add_to_thread(self, key: bytes, message_id: str) -> None:
        ids = self.thread(key)
        if message_id and message_id not in ids:
            self._disk.folder(self._folder / "threads")
            self._disk.rewrite(
                self._folder / "threads" / key.hex(), _json({"ids": [*ids, message_id][-MAX_REFERENCES:]})
            )

    # Mails that are being opened

    def begin(self, mark: str) -> int:
        """How often the opening of this mail has now begun, durably: its end may be that of the process."""
        begun = {key: n for key, n in self._begun().items() if key not in self._finished}
        times = begun.pop(mark, 0) + 1
        self._finished.discard(mark)
        begun[mark] = times
        self._disk.rewrite(self._folder / "opening", _json({"begun": dict(list(begun.items())[-_MOST_BEGUN:])}))
        return times

    def finish(self, mark: str) -> None:
        """Noted for good when the next mail is begun; by then this one is marked as looked at."""
        self._finished.add(mark)

    def stopped(self, mark: str) -> None:
        """It was not the mail's fault that its opening did not end."""
        begun = self._begun()
        if begun.pop(mark, 0):
            self._disk.rewrite(self._folder / "opening", _json({"begun": begun}))

    def _begun(self) -> dict[str, int]:
        held = _document(self._folder / "opening").get("begun", {})
        return {key: n for key, n in held.items() if isinstance(n, int)} if isinstance(held, dict) else {}

    def aside(self, identity: bytes) -> Aside:
        return Aside(self.place(identity) / "aside", self._disk)

    # News and reminders

    def add_news(self, news: Sequence[News]) -> None:
        """Durable before the mail that brought them counts as looked at: a crash repeats news, and loses none."""
        if news:
            text = _lines(news)
            path = self._folder / "news"
            held = read(path, _NEWS) or b""
            if len(held) + len(text) > MOST_NEWS:
                # Whoever writes much must not keep what others write from being taken.
                text = _lines([News("", "More arrived than is shown here. See pbem list, and your mailbox.")])
                if held.endswith(text.encode("ascii")):
                    return
            if held and not held.endswith(b"\n"):
                self._disk.rewrite(path, held[: held.rfind(b"\n") + 1] + text.encode("ascii"))
            else:
                self._disk.append(path, text.encode("ascii"))

    def news(self) -> tuple[News, ...]:
        raw = read(self._folder / "news", _NEWS) or b""
        return tuple(_news(line) for line in raw[: raw.rfind(b"\n") + 1].decode("ascii", "replace").splitlines())

    def clear_news(self) -> None:
        """All of it has been shown."""
        if (self._folder / "news").exists():
            self._disk.remove(self._folder / "news")

    def notes(self) -> dict[str, Any]:
        return _document(self._folder / "notes")

    def set_notes(self, value: dict[str, Any]) -> None:
        self._disk.rewrite(self._folder / "notes", _json(value))


def _lines(news: Sequence[News]) -> str:
    return "".join(json.dumps(asdict(each), sort_keys=True) + "\n" for each in news)


def _json(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True).encode("ascii")


def _document(path: Path) -> dict[str, Any]:
    """What is remembered there; nothing when it cannot be read, for all of it may be forgotten without harm."""
    raw = read(path, _SMALL)
    try:
        value = json.loads(raw) if raw else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _news(line: str) -> News:
    value = json.loads(line)
    lists = {name: tuple(value[name]) for name in ("lines", "notes", "todo")}
    return News(value["game"], value["what"], code=value["code"], **lists)
