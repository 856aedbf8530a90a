"""The ways in and out of one mailbox: IMAP, SMTP, folders, a command; and which mails were looked at (`Seen`).

In: an IMAP server, or what another program has fetched: a Maildir, an mbox, a folder of files. Each gives the mails not
seen yet, each with an id by which it is recognised later. Nothing is ever changed in a mailbox: no mail is deleted,
moved or marked as read. What was looked at is remembered here, so any mail program may use the same mailbox.

Out: an SMTP server, a program like sendmail, or a folder that another program empties. It answers with the words in
which it accepted a mail, and the receivers it refused. One that fails as a whole raises MailError. Then it is not known
whether the mail was taken: the same bytes with the same Message-ID go again later.
"""

from __future__ import annotations

import errno
import imaplib
import os
import re
import select
import shutil
import smtplib
import ssl
import subprocess
import time
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Protocol

from pbem.home import HomeError
from pbem.home.disk import Disk, Tables, open_plain
from pbem.mail.connect import PATIENCE, MailError, Secrets, context, failed, fed, quoted, refused_login
from pbem.mail.settings import Command, Local, Server, WayIn, WayOut
from pbem.protocol.limits import MAX_MAIL

# In


MAX_HELD: Final = 16 << 20
"""Bytes of mails held at once; one mail is never larger than what is opened at all (MAX_MAIL)."""
_SPARE: Final = 1_000
_MAX_MBOX: Final = 2 << 30
_TOO_LARGE: Final = "{} is larger than pbem opens, and was skipped."
_UID: Final = re.compile(rb"\bUID (\d{1,10})")
_SIZE: Final = re.compile(rb"\bRFC822\.SIZE (\d{1,12})")
_LARGE: Final = 256 << 10
"""A mail above this is fetched only if its structure may hold a file of pbem."""
_HINT: Final = re.compile(rb"pbem|octet-stream|zip|ms-tnef|message/rfc822", re.IGNORECASE)
_BATCH: Final = 200
_TAG: Final = b"PBEMIDLE"
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class Found:
    """A mail in a mailbox. `raw` is None for one that cannot be a turn, or is too large: it is only marked."""

    mark: str
    raw: bytes | None
    why: str = ""
    """Why it was skipped, where a person may want to know."""


class Inbox(Protocol):
    name: str

    def fresh(self, seen: Seen) -> Iterator[Found]:
        """The mails that `seen` does not know, oldest first. Raises MailError when the way does not work."""

    def check(self) -> None:
        """Whether the way works, without looking at any mail. Raises MailError when it does not."""

    def wait(self, seconds: float) -> bool:
        """Up to so long until mail has probably come. False at once where the way cannot tell."""

    def close(self) -> None: ...


SEEN: Final = "CREATE TABLE seen (id INTEGER PRIMARY KEY, way, mark, UNIQUE (way, mark))"


class Seen:
    """The marks of the mails of one mailbox that were looked at.

    A mailbox whose marks ascend needs only the last one; the others keep those of what is still there.
    """

    def __init__(self, tables: Tables, way: str) -> None:
        self._tables = tables
        self._way = way
        with tables.reading() as held:
            found = held.execute("SELECT mark FROM seen WHERE way = ? ORDER BY id", (way,))
            self._marks: dict[str, None] = dict.fromkeys(mark for (mark,) in found)
        self._new: list[str] = []

    @property
    def last(self) -> str:
        return next(reversed(self._marks), "")

    def __contains__(self, mark: str) -> bool:
        return mark in self._marks

    def add(self, mark: str) -> None:
        """Noted for good with the next `flush`."""
        self._marks.pop(mark, None)
        self._marks[mark] = None
        self._new.append(mark)

    def flush(self) -> None:
        if self._new:
            with self._tables.writing() as held:
                rows = [(self._way, mark) for mark in self._new]
                held.executemany("INSERT OR REPLACE INTO seen (way, mark) VALUES (?, ?)", rows)
            self._new = []

    def keep(self, marks: set[str]) -> None:
        """Forgets the marks of what is no longer in the mailbox, when they have become many."""
        gone = [mark for mark in self._marks if mark not in marks]
        if len(gone) > _SPARE:
            with self._tables.writing() as held:
                rows = [(self._way, mark) for mark in gone]
                held.executemany("DELETE FROM seen WHERE way = ? AND mark = ?", rows)
            self._marks = {mark: None for mark in self._marks if mark in marks}


def open_inbox(way: WayIn, secrets: Secrets, since: int) -> Inbox:
    """Connects to nothing yet. The first look at an IMAP folder goes back to `since`."""
    if isinstance(way, Server):
        return ImapInbox(way, secrets, since=since)
    return MboxInbox(way) if way.kind == "mbox" else FolderInbox(way)


class ImapInbox:
    def __init__(self, server: Server, secrets: Secrets, *, since: int, patience: float = PATIENCE) -> None:
        self.name = server.name
        self._server = server
        self._secrets = secrets
        self._since = since
        self._patience = patience
        self._link: imaplib.IMAP4 | None = None
        self._idling = False

    # The connection

    def _open(self) -> imaplib.IMAP4:
        """The connection, with the folder selected afresh so that new mail shows."""
        server = self._server
        with failed(self.name):
            if self._link is not None and self._idling:
                self._wake(self._link)
            if self._link is None:
                self._link = self._connect()
            link = self._link
            kind, said = link.select(_astring(server.folder), readonly=True)
        if kind != "OK":
            raise MailError(
                "E-MAIL-FOLDER",
                f"{self.name} has no folder {server.folder!r} to read: {quoted(said[0] if said else b'')}.",
                lasting=True,
            )
        return link

    def _connect(self) -> imaplib.IMAP4:
        server = self._server
        link: imaplib.IMAP4
        if server.security == "tls":
            link = imaplib.IMAP4_SSL(server.host, server.port, ssl_context=context(server.ca), timeout=self._patience)
        else:
            link = imaplib.IMAP4(server.host, server.port, timeout=self._patience)
        try:
            if server.security == "starttls":
                link.starttls(context(server.ca))
            self._login(link)
        except BaseException:
            _drop(link)
            raise
        return link

    def _login(self, link: imaplib.IMAP4) -> None:
        secret = self._secrets.of(self._server)
        user = self._server.user
        try:
            if self._server.auth == "xoauth2":
                answers = iter((self._secrets.bearer(self._server).encode(),))
                # When the token is refused the server explains and wants an empty line before it says no.
                link.authenticate("XOAUTH2", lambda _: next(answers, b""))
            elif "AUTH=PLAIN" in link.capabilities:
                link.authenticate("PLAIN", lambda _: f"\0{user}\0{secret.show()}".encode())
            else:
                link.login(user, secret.show())
        except (imaplib.IMAP4.abort, OSError):
            raise
        except (imaplib.IMAP4.error, UnicodeError) as error:
            self._secrets.forget(self._server)
            raise refused_login(self.name, quoted(error, secret.show())) from None

    def close(self) -> None:
        link, self._link, self._idling = self._link, None, False
        if link is not None:
            _drop(link)

    def check(self) -> None:
        self._open()

    # Mails

    def fresh(self, seen: Seen) -> Iterator[Found]:
        try:
            yield from self._fresh(seen)
        except BaseException:
            self.close()  # in the middle of an answer the connection is of no more use
            raise

    def _fresh(self, seen: Seen) -> Iterator[Found]:
        link = self._open()
        validity = _number(link.response("UIDVALIDITY")[1])
        seen.keep({seen.last})
        held, _, last = seen.last.partition(" ")
        if held == str(validity) and last.isdigit():
            first = int(last) + 1
            uids = [
                uid for uid in self._search(link, f"UID {first}:*") if uid >= first
            ]  # `n:*` names the last in any case
        else:
            at = time.gmtime(self._since)
            uids = self._search(link, f"SINCE {at.tm_mday}-{_MONTHS[at.tm_mon - 1]}-{at.tm_year}")
        for start in range(0, len(uids), _BATCH):
            for uid, raw, why in self._batch(uids[start : start + _BATCH]):
                yield Found(f"{validity} {uid}", raw, why)

    def _search(self, link: imaplib.IMAP4, what: str) -> list[int]:
        with failed(self.name):
            kind, data = link.uid("SEARCH", what)
        if kind != "OK":
            raise MailError("E-MAIL-SERVER", f"{self.name} does not search: {quoted(data[0] if data else b'')}.")
        words = b" ".join(each for each in data if isinstance(each, bytes)).split()
        return sorted({int(word) for word in words if word.isdigit()})

    def _batch(self, uids: list[int]) -> Iterator[tuple[int, bytes | None, str]]:
        """These mails, as many at once as may be held."""
        sizes = self._sizes(uids)
        group: list[int] = []
        held = 0
        for uid in uids:
            size = sizes.get(uid)
            if size is None:  # gone since
                continue
            if size > _LARGE:
                promising, why = self._promising(uid)
                if size > MAX_MAIL or not promising:
                    yield from self._bodies(group)
                    group, held = [], 0
                    large = _TOO_LARGE.format("A mail")
                    yield uid, None, why or (large if promising else "")
                    continue
            if held + size > MAX_HELD:
                yield from self._bodies(group)
                group, held = [], 0
            group.append(uid)
            held += size
        yield from self._bodies(group)

    def _sizes(self, uids: list[int]) -> dict[int, int]:
        found = {}
        for each in self._fetch(uids, "(UID RFC822.SIZE)"):
            line = each[0] if isinstance(each, tuple) else each
            uid, size = _UID.search(line or b""), _SIZE.search(line or b"")
            if uid and size:
                found[int(uid[1])] = int(size[1])
        return found

    def _promising(self, uid: int) -> tuple[bool, str]:
        """Whether the mail's structure names anything that may be a file of pbem; why that cannot be told."""
        answer = self._asked([uid], "(UID BODYSTRUCTURE)")
        if answer is None:
            return False, "The server cannot describe a mail, which was skipped."
        parts = [part for each in answer for part in (each if isinstance(each, tuple) else (each,))]
        return any(_HINT.search(part) for part in parts), ""

    def _bodies(self, uids: list[int]) -> Iterator[tuple[int, bytes | None, str]]:
        if not uids:
            return
        answer = self._asked(uids, f"(UID BODY.PEEK[]<0.{MAX_MAIL}>)")
        if answer is None and len(uids) > 1:
            for uid in uids:
                yield from self._bodies([uid])
            return
        if answer is None:
            yield uids[0], None, "The server did not hand over a mail, which was skipped."
            return
        found: dict[int, bytes] = {}
        for each in answer:
            if isinstance(each, tuple) and (match := _UID.search(each[0])):
                found[int(match[1])] = each[1]
        for uid in uids:
            if uid in found:
                yield uid, found[uid], ""

    def _asked(self, uids: list[int], what: str) -> list[Any] | None:
        """None: the server works, but does not answer this for these mails; one of them must not stop the others."""
        try:
            return self._fetch(uids, what)
        except MailError as error:
            if error.code != "E-MAIL-SERVER":
                raise
        self.close()  # in the middle of an answer the connection is of no more use
        self._fetch(uids[:1], "(UID)")
        return None

    def _fetch(self, uids: list[int], what: str) -> list[Any]:
        link = self._link if self._link is not None else self._open()
        with failed(self.name):
            kind, data = link.uid("FETCH", ",".join(map(str, uids)), what)
        if kind != "OK":
            raise MailError(
                "E-MAIL-SERVER", f"{self.name} does not hand over mail: {quoted(data[0] if data else b'')}."
            )
        return [each for each in data if each is not None]

    # Waiting

    def wait(self, seconds: float) -> bool:
        """IDLE for so long, if the server supports it. The connection stays in IDLE until something has come."""
        link = self._link
        if link is None or "IDLE" not in link.capabilities:
            return False
        try:
            came = not self._idling and self._idle(link)
            came = came or bool(select.select([link.sock], [], [], seconds)[0])
            return came and (self._wake(link) or came)
        except (imaplib.IMAP4.error, OSError, ValueError):
            self.close()  # the next look connects again, or says why it cannot
            return True

    def _idle(self, link: imaplib.IMAP4) -> bool:
        """Begins to idle; whether mail was announced meanwhile."""
        came = False
        link.send(_TAG + b" IDLE\r\n")
        while not (line := link.readline()).startswith(b"+"):
            if not line or line.startswith(_TAG):
                raise OSError("IDLE was refused")
            came = came or b"EXISTS" in line
        self._idling = True
        return came or (isinstance(link.sock, ssl.SSLSocket) and link.sock.pending() > 0)

    def _wake(self, link: imaplib.IMAP4) -> bool:
        """Ends to idle; whether mail was announced."""
        self._idling = False
        came = False
        link.send(b"DONE\r\n")
        while not (line := link.readline()).startswith(_TAG):
            if not line:
                raise OSError("the connection broke")
            came = came or b"EXISTS" in line
        return came


def _number(data: list[Any]) -> int:
    text = data[0] if data and isinstance(data[0], bytes) else b""
    return int(text) if text.isdigit() else 0


def _astring(folder: str) -> str:
    """A folder's name as IMAP wants it: quoted, beyond ASCII in its modified UTF-7."""
    out, wide = "", ""
    for sign in (*folder, ""):
        if sign and not " " <= sign <= "~":
            wide += sign
            continue
        if wide:
            out += "&" + b64encode(wide.encode("utf-16-be")).decode().rstrip("=").replace("/", ",") + "-"
            wide = ""
        out += "&-" if sign == "&" else sign
    return '"' + out.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _drop(link: imaplib.IMAP4) -> None:
    with suppress(OSError, imaplib.IMAP4.error):
        link.shutdown()


class _LocalInbox:
    """Mail on this machine's disk."""

    def __init__(self, way: Local) -> None:
        self.name = way.name
        self._path = way.place
        self._is_maildir = way.kind == "maildir"

    def wait(self, seconds: float) -> bool:  # noqa: ARG002 - a folder cannot tell
        return False

    def close(self) -> None:
        pass

    def _unreadable(self, error: OSError) -> MailError:
        hint = " A Maildir is a folder that holds the folders new, cur and tmp." if self._is_maildir else ""
        why = f"{self.name} cannot be read: {quoted(error.strerror or error)}.{hint}"
        return MailError("E-MAIL-FOLDER", why, lasting=True)


class FolderInbox(_LocalInbox):
    """A Maildir, or a folder with one mail or file of pbem each.

    In a Maildir a mail is known by the unique part of its name, which stays when a mail program moves or flags it; in a
    plain folder by name, size and time: a file that is put there anew is looked at again, which does no harm.
    """

    def check(self) -> None:
        try:
            with os.scandir(self._path / "new" if self._is_maildir else self._path):
                pass
        except OSError as error:
            raise self._unreadable(error) from None

    def fresh(self, seen: Seen) -> Iterator[Found]:
        """One that cannot be read now hinders no other; it is not marked, so it is tried again."""
        try:
            marks = self._mails() if self._is_maildir else self._files()
        except OSError as error:
            raise self._unreadable(error) from None
        seen.keep(set(marks))
        left: list[str] = []
        trouble = OSError()
        for mark, path in sorted(marks.items(), key=lambda each: each[1].name):
            if mark in seen:
                continue
            try:
                raw, why = _read(path)
            except OSError as error:
                left, trouble = [*left, path.name], error
                continue
            if raw is not None or why:
                yield Found(mark, raw, why)
        if left:
            what = left[0] if len(left) == 1 else f"{left[0]} and {len(left) - 1} more"
            why = f"{quoted(what)} in {self.name} cannot be read now: {quoted(trouble.strerror or trouble)}."
            raise MailError("E-MAIL-FOLDER", why, lasting=True)

    def _mails(self) -> dict[str, Path]:
        paths = [path for sub in ("cur", "new") for path in (self._path / sub).iterdir()]
        marks = {path.name.partition(":")[0]: path for path in paths}
        return {mark: path for mark, path in marks.items() if mark.isprintable() and not mark.startswith(".")}

    def _files(self) -> dict[str, Path]:
        found = {}
        for path in self._path.iterdir():
            text = path.name
            with suppress(OSError):  # one that cannot be looked at is named when it is read
                state = path.stat()
                text = f"{path.name}/{state.st_size}/{state.st_mtime_ns}"
            if not path.name.startswith("."):
                found[sha256(text.encode("utf-8", "replace")).hexdigest()[:32]] = path
        return found


def _read(path: Path) -> tuple[bytes | None, str]:
    """A whole plain file of acceptable size. None when it has gone, is not a file, is too large, or leads elsewhere.

    Anyone who may write into the folder may put a link there to a file that only its owner can read.
    """
    real = Path(os.path.realpath(path))
    if path.is_symlink() and Path(os.path.realpath(path.parent)) not in real.parents:
        return None, f"{path.name} is a link that leads elsewhere, and was skipped."
    try:
        fd = open_plain(real)
    except FileNotFoundError:
        return None, ""
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None, ""  # no plain file
        raise
    with os.fdopen(fd, "rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_MAIL:
            return None, _TOO_LARGE.format(path.name)
        return file.read(MAX_MAIL + 1), ""


class MboxInbox(_LocalInbox):
    """Known by a hash of the mail. The file is read as a stream, and only when it has changed."""

    def __init__(self, way: Local) -> None:
        super().__init__(way)
        self._state: tuple[int, int] | None = None

    def check(self) -> None:
        try:
            os.close(open_plain(self._path))
        except OSError as error:
            raise self._unreadable(error) from None

    def fresh(self, seen: Seen) -> Iterator[Found]:
        try:
            state = self._path.stat()
            if (state.st_size, state.st_mtime_ns) == self._state:
                return
            if state.st_size > _MAX_MBOX:
                raise MailError(
                    "E-MAIL-FOLDER", f"{self.name} is larger than pbem reads. Start a new file.", lasting=True
                )
            marks = set()
            for raw in self._mails():
                mark = sha256(raw).hexdigest()[:32]
                marks.add(mark)
                if mark in seen:
                    continue
                large = len(raw) > MAX_MAIL
                yield Found(mark, None if large else raw, _TOO_LARGE.format("A mail") if large else "")
        except OSError as error:
            raise self._unreadable(error) from None
        seen.keep(marks)
        self._state = (state.st_size, state.st_mtime_ns)

    def _mails(self) -> Iterator[bytes]:
        """Cut at each `From ` after an empty line; only the beginning of one that is too large is kept."""
        with os.fdopen(open_plain(self._path), "rb") as file:
            held = bytearray()
            empty = True
            for line in iter(lambda: file.readline(1 << 20), b""):
                if empty and line.startswith(b"From "):
                    if held:
                        yield bytes(held)
                    held.clear()
                elif len(held) <= MAX_MAIL:
                    held += line[1:] if line.startswith(b">From ") else line
                empty = line in (b"\n", b"\r\n")
            if held:
                yield bytes(held)


# Out


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
    """The outcome of offering a mail to a way out."""

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
