"""An identity's mail, ready for use: its settings, the ways in and out that they name, and what a round reports."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.mail.imap import ImapInbox
from pbem.mail.inbox import Inbox
from pbem.mail.local import open_local
from pbem.mail.outway import CommandOut, FilesOut, SmtpOut, WayOutLink
from pbem.mail.pop import PopInbox
from pbem.mail.queue import Entry
from pbem.mail.secrets import Secrets
from pbem.mail.settings import Local, Server, Settings, WayIn, WayOut
from pbem.table.disk import Disk
from pbem.table.people import Person

_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Account:
    person: Person
    settings: Settings
    inboxes: tuple[Inbox, ...]
    outs: tuple[WayOutLink, ...]

    def close(self) -> None:
        for inbox in self.inboxes:
            inbox.close()
        for out in self.outs:
            out.close()

    @property
    def ways(self) -> set[str]:
        return {way.name for way in self.inboxes} | {way.name for way in self.outs}


@dataclass(frozen=True, slots=True)
class Fault:
    """A way that did not work, or a mail that does not go."""

    where: str
    code: str
    sentence: str
    lasting: bool = False
    """Not before a person has changed something."""


@dataclass(slots=True)
class Round:
    """What one round did."""

    looked_at: int = 0
    sent: list[Entry] = field(default_factory=list)
    waiting: int = 0
    faults: list[Fault] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    """Mails that are set aside, until a person tries them again."""


def account_of(person: Person, settings: Settings, secrets: Secrets, disk: Disk, now: int) -> Account:
    """Opens no line yet."""
    since = now - settings.first_days * _DAY
    return Account(
        person,
        settings,
        tuple(inbox_of(way, secrets, since) for way in settings.ways_in),
        tuple(out_of(way, secrets, disk) for way in settings.ways_out),
    )


def inbox_of(way: WayIn, secrets: Secrets, since: int) -> Inbox:
    if isinstance(way, Local):
        return open_local(way)
    return PopInbox(way, secrets) if way.kind == "pop3" else ImapInbox(way, secrets, since=since)


def out_of(way: WayOut, secrets: Secrets, disk: Disk) -> WayOutLink:
    if isinstance(way, Server):
        return SmtpOut(way, secrets)
    return FilesOut(way, disk) if isinstance(way, Local) else CommandOut(way)
