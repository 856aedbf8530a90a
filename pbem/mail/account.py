"""An identity's mail, ready for use: its settings, the ways in and out that they name, and what a round reports.

A way out is an SMTP server, a program like sendmail, or a folder that another program empties. It answers with the
words in which it accepted a mail, and the receivers it refused. One that fails as a whole raises MailError. Then it is
not known whether the mail was taken: the same bytes with the same Message-ID go again later.
"""

from __future__ import annotations

import os
import shutil
import smtplib
import subprocess
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

from pbem.home import Home, HomeError
from pbem.home.disk import Disk
from pbem.home.outbox import Letter
from pbem.home.people import Person
from pbem.mail.connect import PATIENCE, MailError, Secrets, context, failed, fed, quoted, refused_login
from pbem.mail.fetch import Inbox, open_inbox
from pbem.mail.mailstate import MailState
from pbem.mail.settings import Command, Local, Server, Settings, WayOut, other_address
from pbem.protocol.errors import PbemError

if TYPE_CHECKING:
    from pbem.schema import Code

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


class MailFault(NamedTuple):
    """Something that did not work, and where: a mailbox or server, a mail, a game, or at an umpire's desk a task."""

    where: str
    code: Code
    sentence: str
    lasting: bool = False
    """It stays so until a person changes something."""


@dataclass(slots=True)
class Round:
    """What one round did."""

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


class Way(NamedTuple):
    """A way in or out that was tried, and why it does not work, if it does not."""

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


# Ways out


_PERMANENT: Final = 500
_TEMPORARY_FAILURE: Final = 75  # EX_TEMPFAIL of sysexits.h
_LONG: Final = 300.0


@dataclass(frozen=True, slots=True)
class Rejected:
    """A receiver that the server refuses, now or for good."""

    address: str
    for_good: bool
    said: str


@dataclass(frozen=True, slots=True)
class Offered:
    """What happened to a mail that was offered."""

    said: str
    """The words in which the way accepted the mail for those who are not refused."""
    refused: tuple[Rejected, ...] = ()


class Outlet(Protocol):
    name: str

    def send(self, key: str, sender: str, to: Sequence[str], raw: bytes) -> Offered:
        """Hands the mail over for all who are not refused. Raises MailError when that is not certain."""

    def check(self) -> None:
        """Raises MailError when it does not work, as far as can be found out without sending."""

    def close(self) -> None: ...


def open_outlet(way: WayOut, secrets: Secrets, disk: Disk) -> Outlet:
    """Connects to nothing yet."""
    if isinstance(way, Server):
        return SmtpOut(way, secrets)
    return FilesOut(way, disk) if isinstance(way, Local) else CommandOut(way)


class SmtpOut:
    def __init__(self, server: Server, secrets: Secrets, *, patience: float = PATIENCE) -> None:
        self.name = server.name
        self._server = server
        self._secrets = secrets
        self._patience = patience
        self._link: smtplib.SMTP | None = None

    def send(self, key: str, sender: str, to: Sequence[str], raw: bytes) -> Offered:  # noqa: ARG002 - in the mail
        try:
            with failed(self.name):
                return self._send(self._ready(), sender, to, raw)
        except BaseException:
            self._drop()
            raise

    def check(self) -> None:
        with failed(self.name):
            self._ready()

    def close(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            with suppress(OSError, smtplib.SMTPException):
                link.quit()

    def _drop(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            link.close()

    def _ready(self) -> smtplib.SMTP:
        """A connection that still answers."""
        if self._link is not None:
            with suppress(smtplib.SMTPException, OSError):
                if self._link.noop()[0] == 250:
                    return self._link
            self._drop()
        self._link = self._connect()
        return self._link

    def _connect(self) -> smtplib.SMTP:
        server = self._server
        # This machine's own name is nobody's business.
        said = "localhost"
        link: smtplib.SMTP
        if server.security == "tls":
            link = smtplib.SMTP_SSL(server.host, server.port, said, timeout=self._patience, context=context(server.ca))
        else:
            link = smtplib.SMTP(server.host, server.port, said, timeout=self._patience)
        try:
            if server.security == "starttls":
                link.starttls(context=context(server.ca))
            link.ehlo_or_helo_if_needed()
            if server.user:
                self._login(link)
        except BaseException:
            link.close()
            raise
        return link

    def _login(self, link: smtplib.SMTP) -> None:
        secret, user = self._secrets.of(self._server), self._server.user
        try:
            if self._server.auth == "xoauth2":
                token = self._secrets.bearer(self._server)
                # A challenge is the explanation of a refusal; it wants an empty answer.
                link.auth("XOAUTH2", lambda challenge=None: token if challenge is None else "")
            elif not (user + secret.show()).isascii() and "PLAIN" in link.esmtp_features.get("auth", "").split():
                _plain(link, user, secret.show())
            else:
                link.login(user, secret.show())
        except (smtplib.SMTPAuthenticationError, smtplib.SMTPNotSupportedError, UnicodeError) as error:
            self._secrets.forget(self._server)
            said = error.smtp_error if isinstance(error, smtplib.SMTPAuthenticationError) else error
            raise refused_login(self.name, quoted(said, secret.show())) from None

    def _send(self, link: smtplib.SMTP, sender: str, to: Sequence[str], raw: bytes) -> Offered:
        size = [f"SIZE={len(raw)}"] if link.has_extn("size") else []
        code, said = link.mail(sender, size)
        if code != 250:
            link.rset()
            if code >= _PERMANENT:
                return Offered("", tuple(Rejected(each, for_good=True, said=f"{code} {quoted(said)}") for each in to))
            raise MailError("E-MAIL-REFUSED", f"{self.name} does not accept mail from {sender}: {code} {quoted(said)}.")
        refused = []
        for each in to:
            code, said = link.rcpt(each)
            if code not in (250, 251):
                refused.append(Rejected(each, code >= _PERMANENT, f"{code} {quoted(said)}"))
        if len(refused) == len(to):
            link.rset()
            return Offered("", tuple(refused))
        try:
            code, said = link.data(raw)
        except smtplib.SMTPDataError as error:
            code, said = error.smtp_code, error.smtp_error if isinstance(error.smtp_error, bytes) else b""
            link.rset()
        if code != 250:
            taken = {each.address for each in refused}
            refused += [
                Rejected(each, code >= _PERMANENT, f"{code} {quoted(said)}") for each in to if each not in taken
            ]
        return Offered(f"{self.name}: {code} {quoted(said)}", tuple(refused))


def _plain(link: smtplib.SMTP, user: str, secret: str) -> None:
    """A login beyond ASCII, which smtplib cannot write: UTF-8, by RFC 4616."""
    code, said = link.docmd("AUTH", "PLAIN " + b64encode(f"\0{user}\0{secret}".encode()).decode("ascii"))
    if code not in (235, 503):
        raise smtplib.SMTPAuthenticationError(code, said)


class CommandOut:
    """The mail on standard input, the receivers as arguments, without a shell."""

    def __init__(self, way: Command) -> None:
        self.name = way.name
        self._command = way.command

    def send(self, key: str, sender: str, to: Sequence[str], raw: bytes) -> Offered:  # noqa: ARG002
        # A mail on a pipe has the line ends of the system, as sendmail wants it.
        text = raw.replace(b"\r\n", b"\n")
        try:
            ended, said = fed([*self._command, *to], text, _LONG)
        except subprocess.TimeoutExpired:
            raise MailError("E-MAIL-COMMAND", f"The command {self._command[0]} took too long.") from None
        except OSError as error:
            raise MailError(
                "E-MAIL-COMMAND",
                f"The command {self._command[0]} cannot be started: {quoted(error.strerror)}.",
                lasting=True,
            ) from None
        if ended != 0:
            lasting, words = ended != _TEMPORARY_FAILURE, quoted(said[:2000])
            raise MailError(
                "E-MAIL-COMMAND",
                f"The command {self._command[0]} failed with exit code {ended}{f': {words}' if words else ''}.",
                lasting=lasting,
            )
        return Offered(f"{Path(self._command[0]).name}: exit 0")

    def check(self) -> None:
        if shutil.which(self._command[0]) is None:
            raise MailError("E-MAIL-COMMAND", f"There is no command {self._command[0]}.", lasting=True)

    def close(self) -> None:
        pass


class FilesOut:
    """A folder of whole mails for another program to send: one file for each mail, named by its key, written once."""

    def __init__(self, way: Local, disk: Disk) -> None:
        self.name = way.name
        self._folder = way.place
        self._disk = disk

    def send(self, key: str, sender: str, to: Sequence[str], raw: bytes) -> Offered:  # noqa: ARG002
        path = self._folder / f"{key}.eml"
        try:
            if not path.exists():
                self._disk.folder(self._folder)
                self._disk.write_new(path, raw)
        except (OSError, HomeError) as error:
            raise self._unwritable(error) from None
        return Offered(f"written to the file {path.name}")

    def check(self) -> None:
        try:
            there = next(place for place in (self._folder, *self._folder.absolute().parents) if place.exists())
            writable = there.is_dir() and os.access(there, os.W_OK | os.X_OK)
        except OSError:
            writable = False
        if not writable:
            raise self._unwritable()

    def _unwritable(self, error: OSError | HomeError | None = None) -> MailError:
        said = error.sentence if isinstance(error, HomeError) else getattr(error, "strerror", None)
        why = f": {quoted(said).rstrip('.')}" if said else ""
        return MailError("E-MAIL-FOLDER", f"{self.name} cannot be written to{why}.", lasting=True)

    def close(self) -> None:
        pass
