"""Mails on their way out, such that a crash at any point neither loses nor remakes one.

    queue/<key>    a mail that waits: a line that says how far it is, then its bytes with the Message-ID
    sent           a journal of mails that left the queue: the same line; a later one about the same mail replaces it

A mail is written to the queue, durably, before it is offered to any server, and noted as sent, durably, before it
leaves the queue. If the machine stops between a server's yes and our note, the same bytes go once more; the Message-ID
and the file are those of the first, so the receiver's pbem has nothing new to do and mail programs show one mail.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final

from pbem.home.disk import Disk, names, read
from pbem.protocol.limits import MIB

MAX_MAIL_OUT: Final = 96 * MIB
_JOURNAL: Final = 256 * MIB
_FIRST_WAIT: Final = 60
_LONGEST_WAIT: Final = 6 * 3600
PATIENCE: Final = 5 * 86_400
"""Seconds for which a mail is tried before the person is asked to see to it."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A way out accepted a mail for one receiver, or a report says that it did not arrive."""

    to: str
    """In a report that names nobody empty: it is about all of them."""
    at: int
    said: str
    """The server's reply, `exit 0`, the file that was written, or the report's reason."""
    holds: tuple[int, ...] = ()
    """How many records of each author of the game the receiver has with this mail."""


@dataclass(frozen=True, slots=True)
class QueuedMail:
    """One mail, and how far it is."""

    key: str
    game: str
    of: bytes
    """The id of the game's offer."""
    sender: str
    to: tuple[str, ...]
    """Addresses for which no way out has accepted the mail yet."""
    automatic: bool
    at: int
    letter: str = ""
    """The file of the outbox that it carries, and the state of its address when the mail was made."""
    stamp: int = 0
    holds: tuple[int, ...] = ()
    tries: int = 0
    next: int = 0
    why: str = ""
    given_up: bool = False
    handed: tuple[Delivery, ...] = ()
    returned: tuple[Delivery, ...] = ()
    raw: bytes = b""
    """Not in the journal."""

    @property
    def sent_at(self) -> int:
        return max((each.at for each in self.handed), default=self.at)

    @property
    def arrived(self) -> list[Delivery]:
        """Accepted for these receivers, and no report says otherwise."""
        back = {each.to for each in self.returned}
        return [each for each in self.handed if "" not in back and each.to not in back]

    def accepted(self, by: Sequence[str], at: int, said: str) -> QueuedMail:
        """After a way out has taken it for these receivers."""
        fresh = tuple(Delivery(each, at, said, self.holds) for each in by)
        return replace(self, to=tuple(each for each in self.to if each not in by), handed=(*self.handed, *fresh))

    def failed(self, now: int, why: str) -> QueuedMail:
        """After another try that failed; the waits double."""
        wait = min(_FIRST_WAIT << min(self.tries, 12), _LONGEST_WAIT)
        return replace(self, tries=self.tries + 1, next=now + wait, why=why, given_up=now - self.at > PATIENCE)

    def line(self) -> bytes:
        handed, returned = ([[each.to, each.at, each.said] for each in some] for some in (self.handed, self.returned))
        fields = [self.key, self.game, self.of.hex(), self.sender, self.to, self.automatic, self.at, self.letter]
        fields += [self.stamp, self.holds, self.tries, self.next, self.why, self.given_up, handed, returned]
        return json.dumps(fields, separators=(",", ":")).encode("ascii") + b"\n"


class Queue:
    def __init__(self, folder: Path, disk: Disk) -> None:
        self._folder = folder / "queue"
        self._journal = folder / "sent"
        self._disk = disk
        raw = read(self._journal, _JOURNAL) or b""
        whole = raw[: raw.rfind(b"\n") + 1]
        self._torn = len(whole) != len(raw)
        self.sent: dict[str, QueuedMail] = {}
        self._letters: dict[str, int] = {}
        self._last: dict[str, int] = {}
        self._of: dict[bytes, list[str]] = {}
        for line in whole.splitlines():
            self._know(_mail(line))
        self._waiting: dict[str, QueuedMail] | None = None

    def _know(self, mail: QueuedMail | None) -> None:
        if mail is None:
            return
        if mail.handed and mail.key not in self.sent:
            self._of.setdefault(mail.of, []).append(mail.key)
        self.sent[mail.key] = mail
        if mail.letter:
            self._letters[mail.letter] = mail.stamp
            self._last[mail.letter] = mail.sent_at

    # What waits

    def _held(self) -> dict[str, QueuedMail]:
        if self._waiting is None:
            found = (self._read(name) for name in names(self._folder))
            self._waiting = {mail.key: mail for mail in found if mail is not None and mail.key not in self.sent}
            self._letters |= {mail.letter: mail.stamp for mail in self._waiting.values()}
        return self._waiting

    def _read(self, name: str) -> QueuedMail | None:
        line, _, raw = (read(self._folder / name, MAX_MAIL_OUT) or b"").partition(b"\n")
        mail = _mail(line)
        return None if mail is None else replace(mail, raw=raw)

    def waiting(self) -> list[QueuedMail]:
        """Oldest first."""
        return sorted(self._held().values(), key=lambda mail: (mail.at, mail.stamp, mail.key))

    def tidy(self) -> None:
        """Takes away what a crash left here after it had been noted as sent."""
        for name in names(self._folder):
            if name not in self._held():
                self._disk.remove(self._folder / name)

    def dealt_with(self, letter: str, stamp: int) -> bool:
        """The letter, as it is addressed now, waits here or has gone."""
        self._held()
        return self._letters.get(letter) == stamp

    def last(self, letter: str) -> int | None:
        """When this file was last handed over to anybody; None when it was not, or waits."""
        if any(mail.letter == letter for mail in self._held().values()):
            return None
        return self._last.get(letter)

    def holds(self, key: str) -> bool:
        return key in self.sent or key in self._held()

    def put(self, mail: QueuedMail) -> None:
        """Durable when this returns; before that nothing of it may leave."""
        held = self._held()
        self._disk.folder(self._folder)
        self._disk.rewrite(self._folder / mail.key, mail.line() + mail.raw)
        held[mail.key] = mail
        self._letters[mail.letter] = mail.stamp

    def pass_over(self, letters: Iterable[tuple[str, int]], at: int) -> None:
        """No mail is made for these letters: they went by other means."""
        blank = QueuedMail("", "", b"", "", (), automatic=False, at=at)
        keys = ((sha256(f"{name} {stamp}".encode()).hexdigest()[:32], name, stamp) for name, stamp in letters)
        self._note([replace(blank, key=key, letter=name, stamp=stamp) for key, name, stamp in keys])

    def done(self, mail: QueuedMail) -> None:
        """Every receiver has been handed the mail."""
        self._note([replace(mail, raw=b"")])
        if self._held().pop(mail.key, None) is not None:
            self._disk.remove(self._folder / mail.key)

    def came_back(self, key: str, at: int, said: str, to: Sequence[str]) -> None:
        """A report says that a mail of ours did not arrive, at these receivers or at all of them."""
        mail = self.sent[key]
        known = {each.to for each in mail.returned}
        fresh = tuple(Delivery(each, at, said) for each in to or ("",) if each not in known)
        if fresh:
            self._note([replace(mail, returned=(*mail.returned, *fresh))])

    def _note(self, mails: Sequence[QueuedMail]) -> None:
        text = b"".join(each.line() for each in mails)
        if self._torn:
            self._disk.rewrite(self._journal, b"".join(each.line() for each in self.sent.values()) + text)
            self._torn = False
        elif mails:
            self._disk.folder(self._journal.parent)
            self._disk.append(self._journal, text)
        for each in mails:
            self._know(each)

    # Who has been handed what

    def _mails(self, of: bytes) -> Iterator[QueuedMail]:
        yield from (self.sent[key] for key in self._of.get(of, ()))
        yield from (mail for mail in self.waiting() if mail.of == of)

    def deliveries(self, of: bytes) -> list[Delivery]:
        """The mails of a game that a way out accepted and that did not come back, oldest first."""
        return sorted((each for mail in self._mails(of) for each in mail.arrived), key=lambda each: each.at)

    def last_report(self, of: bytes, to: str) -> str:
        """The reason in the last report of a mail of a game that this receiver did not get."""
        found = [
            back
            for mail in self._mails(of)
            if any(each.to == to for each in mail.handed)
            for back in mail.returned
            if back.to in ("", to)
        ]
        return max(found, key=lambda each: each.at).said or "it came back" if found else ""

    def waits_for(self, of: bytes, to: str) -> QueuedMail | None:
        """The oldest mail of a game that this receiver has not been handed yet."""
        return next((mail for mail in self.waiting() if mail.of == of and to in mail.to), None)

    def answers_since(self, at: int) -> int:
        """Automatic mails sent since then."""
        return sum(mail.automatic and mail.sent_at > at for mail in self.sent.values())


def _mail(line: bytes) -> QueuedMail | None:
    """None for a line that this program never wrote."""
    try:
        key, game, of, sender, to, automatic, at, letter, stamp, holds, *progress = json.loads(line)
        tries, after, why, given_up, handed, returned = progress
        past = tuple(holds)
        return QueuedMail(
            key,
            game,
            bytes.fromhex(of),
            sender,
            tuple(to),
            automatic,
            at,
            letter,
            stamp,
            past,
            tries,
            after,
            why,
            given_up,
            tuple(Delivery(who, when, said, past) for who, when, said in handed),
            tuple(Delivery(who, when, said) for who, when, said in returned),
        )
    except (ValueError, TypeError):
        return None
