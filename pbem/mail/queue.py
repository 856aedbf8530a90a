"""Mails on their way out, such that a crash at any point neither loses nor remakes one.

    queue/<key>    a mail that waits: its bytes, with the Message-ID, and who has not been handed it yet
    sent           a journal, one line for each mail that a way out has taken from us

A mail is written to the queue, durably, before it is offered to any server, and noted as sent, durably, before it
leaves the queue. If the machine stops between a server's yes and our note, the same bytes go once more; the Message-ID
and the file are those of the first, so the receiver's pbem has nothing new to do and mail programs show one mail.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from pbem.protocol.canonical import pack, unpack
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MIB
from pbem.table.disk import Disk, names, read

MAX_MAIL_OUT: Final = 96 * MIB
_JOURNAL: Final = 256 * MIB
_FIRST_WAIT: Final = 60
_LONGEST_WAIT: Final = 6 * 3600
PATIENCE: Final = 5 * 86_400
"""Seconds for which a mail is tried before a person is told that it does not go."""


@dataclass(frozen=True, slots=True)
class Entry:
    key: str
    game: str
    sender: str
    to: tuple[str, ...]
    """Addresses that have not been handed the mail yet."""
    raw: bytes
    automatic: bool
    at: int
    letter: str = ""
    """The file of the outbox that it carries, and the state of its address when it was made."""
    stamp: int = 0
    tries: int = 0
    next: int = 0
    why: str = ""
    given_up: bool = False

    def failed(self, now: int, why: str) -> Entry:
        """After another try that failed; the waits double."""
        wait = min(_FIRST_WAIT << min(self.tries, 12), _LONGEST_WAIT)
        return replace(self, tries=self.tries + 1, next=now + wait, why=why, given_up=now - self.at > PATIENCE)

    def dump(self) -> bytes:
        return pack(
            {
                "at": self.at,
                "automatic": self.automatic,
                "game": self.game,
                "given_up": self.given_up,
                "key": self.key,
                "letter": self.letter,
                "next": self.next,
                "raw": self.raw,
                "sender": self.sender,
                "stamp": self.stamp,
                "to": list(self.to),
                "tries": self.tries,
                "v": 1,
                "why": self.why,
            }
        )


@dataclass(frozen=True, slots=True)
class Sent:
    key: str
    at: int
    automatic: bool
    letter: str
    stamp: int

    def line(self) -> str:
        return f"{self.key} {self.at} {'a' if self.automatic else 'p'} {self.stamp} {self.letter or '-'}\n"


class Queue:
    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder / "queue"
        self._journal = folder / "sent"
        self._disk = disk
        raw = read(self._journal, _JOURNAL) or b""
        whole = raw[: raw.rfind(b"\n") + 1]
        self._torn = len(whole) != len(raw)
        self.sent: dict[str, Sent] = {}
        self._letters: dict[str, int] = {}
        self._last: dict[str, int] = {}
        for line in whole.decode("ascii", "replace").splitlines():
            self._know(_sent(line))
        self._waiting: dict[str, Entry] | None = None

    def _know(self, sent: Sent | None) -> None:
        if sent is not None:
            self.sent[sent.key] = sent
            if sent.letter:
                self._letters[sent.letter] = sent.stamp
                self._last[sent.letter] = sent.at

    # What waits

    def waiting(self) -> list[Entry]:
        """Oldest first. What is noted as sent goes out of the way: a crash left it here."""
        if self._waiting is None:
            self._waiting = {}
            for name in names(self._folder):
                raw = read(self._folder / name, MAX_MAIL_OUT)
                entry = _entry(raw) if raw is not None else None
                if entry is None or entry.key in self.sent:
                    self._disk.remove(self._folder / name)
                    continue
                self._waiting[entry.key] = entry
                self._letters[entry.letter] = entry.stamp
        return sorted(self._waiting.values(), key=lambda entry: (entry.at, entry.stamp, entry.key))

    def peek(self) -> list[Entry]:
        """What waits, changing nothing: for who only looks."""
        found = [_entry(read(self._folder / name, MAX_MAIL_OUT) or b"") for name in names(self._folder)]
        kept = [entry for entry in found if entry is not None and entry.key not in self.sent]
        return sorted(kept, key=lambda entry: (entry.at, entry.stamp, entry.key))

    def dealt_with(self, letter: str, stamp: int) -> bool:
        """The letter, as it is addressed now, waits here or has gone."""
        self.waiting()
        return self._letters.get(letter) == stamp

    def last(self, letter: str) -> int | None:
        """When this file was last handed over to anybody; None when it was not, or waits."""
        if any(entry.letter == letter for entry in self.waiting()):
            return None
        return self._last.get(letter)

    def holds(self, key: str) -> bool:
        self.waiting()
        return key in self.sent or key in (self._waiting or {})

    def passed_over(self, letter: str, stamp: int, at: int, key: str = "") -> Entry:
        """What is noted of a letter that no mail is made for: it went by other means, or has gone as it is."""
        key = key or sha256(f"{letter} {stamp}".encode()).hexdigest()[:32]
        return Entry(key, "", "", (), b"", automatic=False, at=at, letter=letter, stamp=stamp)

    def put(self, entry: Entry) -> None:
        """Durable when this returns; before that nothing of it may leave."""
        self.waiting()
        self._disk.folder(self._folder)
        self._disk.rewrite(self._folder / entry.key, entry.dump())
        assert self._waiting is not None
        self._waiting[entry.key] = entry
        self._letters[entry.letter] = entry.stamp

    def done(self, entries: Iterable[Entry], at: int) -> None:
        """Every receiver has been handed the mail; or nobody is to be, for a letter that was mailed by other means."""
        found = [Sent(entry.key, at, entry.automatic, entry.letter, entry.stamp) for entry in entries]
        text = "".join(sent.line() for sent in found).encode("ascii", "replace")
        if self._torn:
            kept = "".join(sent.line() for sent in self.sent.values()).encode("ascii", "replace")
            self._disk.rewrite(self._journal, kept + text)
            self._torn = False
        elif found:
            self._disk.folder(self._journal.parent)
            self._disk.append(self._journal, text)
        for sent in found:
            self._know(sent)
            if self._waiting is not None and self._waiting.pop(sent.key, None) is not None:
                self._disk.remove(self._folder / sent.key)

    def answers_since(self, at: int) -> int:
        """Automatic mails sent since then."""
        return sum(sent.automatic and sent.at > at for sent in self.sent.values())


def _sent(line: str) -> Sent | None:
    match line.split(" "):
        case [key, at, kind, stamp, letter] if at.isdigit() and stamp.isdigit():
            return Sent(key, int(at), kind == "a", "" if letter == "-" else letter, int(stamp))
    return None


def _entry(raw: bytes) -> Entry | None:
    """None for what is no entry: it was never written by this program."""
    try:
        value = unpack(raw, MAX_MAIL_OUT)
    except Refusal:
        return None
    match value:
        case {
            "at": int(at),
            "automatic": bool(automatic),
            "game": str(game),
            "given_up": bool(given_up),
            "key": str(key),
            "letter": str(letter),
            "next": int(after),
            "raw": bytes(mail),
            "sender": str(sender),
            "stamp": int(stamp),
            "to": list(to),
            "tries": int(tries),
            "v": 1,
            "why": str(why),
        }:
            people = tuple(each for each in to if isinstance(each, str))
            return Entry(key, game, sender, people, mail, automatic, at, letter, stamp, tries, after, why, given_up)
    return None
