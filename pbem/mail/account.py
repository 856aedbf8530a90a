"""An identity's mail, ready for use: its settings, the ways in and out that they name, and what a round reports."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pbem.home import Home
from pbem.home.disk import Disk
from pbem.home.outbox import Letter
from pbem.home.people import Person
from pbem.mail.connect import MailError, Secrets
from pbem.mail.fetch import Inbox, open_inbox
from pbem.mail.mailstate import MailState
from pbem.mail.settings import Settings, other_address
from pbem.mail.submit import Outlet, open_outlet
from pbem.protocol.errors import PbemError

_DAY = 86_400


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


@dataclass(frozen=True, slots=True)
class Fault:
    """A way that did not work, or a mail that could not be sent."""

    where: str
    code: str
    sentence: str
    lasting: bool = False
    """It stays so until a person changes something."""


@dataclass(slots=True)
class Round:
    """What one round did."""

    looked_at: int = 0
    sent: list[Letter] = field(default_factory=list)
    waiting: int = 0
    faults: list[Fault] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    """Mails that are set aside, until a person tries them again."""

    @contextmanager
    def noting(self) -> Iterator[None]:
        """What this home cannot do now is named, and hinders nothing else."""
        try:
            yield
        except PbemError as error:
            self.faults.append(Fault("home", error.code, error.sentence))


def account_of(person: Person, settings: Settings, secrets: Secrets, disk: Disk, now: int) -> Account:
    """Connects to nothing yet."""
    since = now - settings.first_days * _DAY
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
        found.append("No way in is set up, so nothing is fetched. Add one with: pbem mail setup")
    if not account.outs:
        found.append("No way out is set up, so nothing is sent. Add one with: pbem mail setup")
    return [each for each in found if each]


@dataclass(frozen=True, slots=True)
class Tried:
    """One way, tried."""

    way: str
    out: bool
    fault: PbemError | None


def try_ways(account: Account) -> Iterator[Tried]:
    """Logs in everywhere, reads nothing, sends nothing."""
    for number, way in enumerate(account.ways):
        fault = None
        try:
            way.check()
        except PbemError as error:
            fault = error
        finally:
            way.close()
        yield Tried(way.name, number >= len(account.inboxes), fault)
