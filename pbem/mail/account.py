"""An identity's mail, ready for use: its settings, the ways in and out that they name, and what a round reports."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from pbem.engine.counts import DAY
from pbem.home import Home
from pbem.home.disk import Disk
from pbem.home.outbox import Letter
from pbem.home.people import Person
from pbem.mail.connect import MailError, Secrets
from pbem.mail.mailstate import MailState
from pbem.mail.settings import Settings, other_address
from pbem.mail.ways import Inbox, Outlet, open_inbox, open_outlet
from pbem.protocol.errors import PbemError

if TYPE_CHECKING:
    from pbem.schema import Code


@dataclass(frozen=True, slots=True)
class Account:
    person: Person
    settings: Settings
    inboxes: tuple[Inbox, ...]
    outs: tuple[Outlet, ...]

    @property
    def ways(self) -> tuple[Inbox | Outlet, ...]:
        return (*self.inboxes, *self.outs)

    def close(self) -> None:
        for way in self.ways:
            way.close()


class MailFault(NamedTuple):
    """Something that did not work, and where: a mailbox or server, a mail, a game, or at an umpire's desk a task."""

    where: str
    code: Code
    sentence: str
    lasting: bool = False
    """It stays so until a person changes something."""


@dataclass(slots=True)
class Round:
    """The outcome of one round."""

    looked_at: int = 0
    sent: list[Letter] = field(default_factory=list)
    waiting: int = 0
    faults: list[MailFault] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    """Mails that are set aside, until a person tries them again."""

    @contextmanager
    def noting(self) -> Iterator[None]:
        """What this home cannot do now is named, and hinders nothing else."""
        try:
            yield
        except PbemError as error:
            self.faults.append(MailFault("home", error.code, error.sentence))


def account_of(person: Person, settings: Settings, secrets: Secrets, disk: Disk, now: int) -> Account:
    """Connects to nothing yet."""
    since = now - settings.first_days * DAY
    return Account(
        person,
        settings,
        tuple(open_inbox(way, secrets, since) for way in settings.ways_in),
        tuple(open_outlet(way, secrets, disk) for way in settings.ways_out),
    )


def open_accounts(home: Home, state: MailState, who: str | None, secrets: Secrets) -> list[Account]:
    """Of all identities whose mail is set up, or of the one asked for."""
    people = [home.people.me(who)] if who is not None else home.people.identities()
    found = []
    for person in people:
        settings = state.settings(person.identity)
        if settings is not None:
            found.append(account_of(person, settings, secrets, home.disk, home.clock()))
    if not found:
        home.people.me(who)
        raise MailError("E-MAIL-NONE", "No mail is set up for you here yet. Set it up with: pbem mail setup")
    return found


def notices(account: Account) -> list[str]:
    """What a person should know about settings that are not wrong."""
    found = [other_address(account.person.card.email, account.settings.address)]
    if not account.inboxes:
        found.append("No way to receive mail is set up, so nothing is fetched. Add one with: pbem mail setup")
    if not account.outs:
        found.append("No way to send mail is set up, so nothing is sent. Add one with: pbem mail setup")
    return [each for each in found if each]


class Way(NamedTuple):
    """A mailbox or server that was tried, and why it does not work, if it does not."""

    way: str
    direction: Literal["in", "out"]
    code: Code | None = None
    sentence: str | None = None


def try_ways(account: Account) -> Iterator[Way]:
    """Logs in everywhere, reads nothing, sends nothing."""
    for number, way in enumerate(account.ways):
        tried = Way(way.name, "in" if number < len(account.inboxes) else "out")
        try:
            way.check()
        except PbemError as error:
            tried = tried._replace(code=error.code, sentence=error.sentence)
        finally:
            way.close()
        yield tried
