"""Mails on their way out, such that a crash at any point neither loses nor remakes one.

    queue/<key>    a mail that waits: its bytes, with the Message-ID, and who has not been handed it yet
    sent           a journal, one line for each mail that a way out has taken from us, and for each that came back

A mail is written to the queue, durably, before it is offered to any server, and noted as sent, durably, before it
leaves the queue. If the machine stops between a server's yes and our note, the same bytes go once more; the Message-ID
and the file are those of the first, so the receiver's pbem has nothing new to do and mail programs show one mail.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
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
class Delivery:
    """A mail that a way out accepted for one receiver."""

    to: str
    at: int
    said: str
    """What the way said: the server's reply, `exit 0`, or the file that was written."""
    holds: tuple[int, ...] = ()
    """How many records of each author of the game the receiver has with this mail."""


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
    of: bytes = b""
    """The id of the game's offer."""
    holds: tuple[int, ...] = ()
    handed: tuple[Delivery, ...] = ()
    """Those who have been handed it already."""

    def accepted(self, by: Sequence[str], at: int, said: str) -> Entry:
        """After a way out has taken it for these receivers."""
        fresh = tuple(Delivery(each, at, said, self.holds) for each in by)
        return replace(self, to=tuple(each for each in self.to if each not in by), handed=(*self.handed, *fresh))

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
                "handed": [[each.to, each.at, each.said] for each in self.handed],
                "holds": list(self.holds),
                "key": self.key,
                "letter": self.letter,
                "next": self.next,
                "of": self.of,
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
    of: bytes = b""
    handed: tuple[Delivery, ...] = ()

    def line(self) -> str:
        holds = list(self.handed[0].holds) if self.handed else []
        handed = [[each.to, each.at, each.said] for each in self.handed]
        fields = [self.key, self.at, self.automatic, self.letter, self.stamp, self.of.hex(), holds, handed]
        return json.dumps(fields, separators=(",", ":")) + "\n"


@dataclass(frozen=True, slots=True)
class Returned:
    """A mail that came back. `to` are the receivers whom the report names; empty: all of them."""

    key: str
    at: int
    said: str
    to: tuple[str, ...]

    def line(self) -> str:
        fields = ["returned", self.key, self.at, self.said, list(self.to)]
        return json.dumps(fields, separators=(",", ":")) + "\n"


class Queue:
    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder / "queue"
        self._journal = folder / "sent"
        self._disk = disk
        raw = read(self._journal, _JOURNAL) or b""
        whole = raw[: raw.rfind(b"\n") + 1]
        self._torn = len(whole) != len(raw)
        self.sent: dict[str, Sent] = {}
        self.returned: dict[str, list[Returned]] = {}
        self._letters: dict[str, int] = {}
        self._last: dict[str, int] = {}
        self._of: dict[bytes, list[str]] = {}
        for line in whole.decode("ascii", "replace").splitlines():
            self._know(_journalled(line))
        self._waiting: dict[str, Entry] | None = None

    def _know(self, sent: Sent | Returned | None) -> None:
        if isinstance(sent, Returned):
            self.returned.setdefault(sent.key, []).append(sent)
        elif sent is not None:
            if sent.handed and sent.key not in self.sent:
                self._of.setdefault(sent.of, []).append(sent.key)
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
        found = [
            Sent(entry.key, at, entry.automatic, entry.letter, entry.stamp, entry.of, entry.handed) for entry in entries
        ]
        self._note(found)
        for sent in found:
            if self._waiting is not None and self._waiting.pop(sent.key, None) is not None:
                self._disk.remove(self._folder / sent.key)

    def came_back(self, key: str, at: int, said: str, to: Sequence[str]) -> bool:
        """A report says that a mail of ours was not delivered after all; False when this is noted already."""
        fresh = Returned(key, at, said, tuple(to))
        if any(each.to == fresh.to for each in self.returned.get(key, ())):
            return False
        self._note([fresh])
        return True

    def _note(self, lines: Sequence[Sent | Returned]) -> None:
        text = "".join(each.line() for each in lines).encode("ascii")
        if self._torn:
            held: list[Sent | Returned] = [*self.sent.values()]
            held += [each for some in self.returned.values() for each in some]
            self._disk.rewrite(self._journal, "".join(each.line() for each in held).encode("ascii") + text)
            self._torn = False
        elif lines:
            self._disk.folder(self._journal.parent)
            self._disk.append(self._journal, text)
        for each in lines:
            self._know(each)

    # Who has been handed what

    def deliveries(self, of: bytes) -> list[Delivery]:
        """The mails of a game that a way out accepted and that did not come back, oldest first."""
        found = [
            each
            for key in self._of.get(of, ())
            for each in self.sent[key].handed
            if not any(not back.to or each.to in back.to for back in self.returned.get(key, ()))
        ]
        found += [each for entry in self.waiting() if entry.of == of for each in entry.handed]
        return sorted(found, key=lambda each: each.at)

    def last_report(self, of: bytes, to: str) -> str:
        """What the last report says of a mail of a game that this receiver did not get."""
        found = [
            back
            for key in self._of.get(of, ())
            for back in self.returned.get(key, ())
            if to in back.to or (not back.to and any(each.to == to for each in self.sent[key].handed))
        ]
        return max(found, key=lambda each: each.at).said or "it came back" if found else ""

    def waits_for(self, of: bytes, to: str) -> Entry | None:
        """The oldest mail of a game that this receiver has not been handed yet."""
        return next((entry for entry in self.waiting() if entry.of == of and to in entry.to), None)

    def answers_since(self, at: int) -> int:
        """Automatic mails sent since then."""
        return sum(sent.automatic and sent.at > at for sent in self.sent.values())


def _journalled(line: str) -> Sent | Returned | None:
    try:
        value = json.loads(line)
        match value:
            case ["returned", str(key), int(at), str(said), list(to)]:
                return Returned(key, at, said, tuple(map(str, to)))
            case [str(key), int(at), bool(automatic), str(letter), int(stamp), str(of), list(holds), list(handed)]:
                taken = tuple(Delivery(str(to), int(when), str(said), tuple(holds)) for to, when, said in handed)
                return Sent(key, at, automatic, letter, stamp, bytes.fromhex(of), taken)
    except ValueError:
        return None
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
            "handed": list(handed),
            "holds": list(holds),
            "key": str(key),
            "letter": str(letter),
            "next": int(after),
            "of": bytes(of),
            "raw": bytes(mail),
            "sender": str(sender),
            "stamp": int(stamp),
            "to": list(to),
            "tries": int(tries),
            "v": 1,
            "why": str(why),
        }:
            people = tuple(each for each in to if isinstance(each, str))
            past = tuple(each for each in holds if isinstance(each, int))
            taken = tuple(
                Delivery(who, when, said, past)
                for each in handed
                if isinstance(each, list)
                for who, when, said in [each]
                if isinstance(who, str) and isinstance(when, int) and isinstance(said, str)
            )
            return Entry(
                key, game, sender, people, mail, automatic, at, letter, stamp, tries, after, why, given_up, of, past,
                taken,
            )  # fmt: skip
    return None
