"""Mail from an IMAP server: read-only, by UID, with IDLE where it is offered.

A mark is `UIDVALIDITY UID`; UIDs ascend, so the last one says how far the mailbox was looked through. When the server
numbers anew (another UIDVALIDITY), the last days are looked through once more: late copies do no harm.
"""

from __future__ import annotations

import imaplib
import re
import select
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from pbem.mail.inbox import MAX_HELD, Found, Seen
from pbem.mail.lines import PATIENCE, context, failed, refused_login
from pbem.mail.mailerror import MailError, quoted
from pbem.mail.secrets import Secrets
from pbem.mail.settings import Server
from pbem.protocol.limits import MAX_MAIL

_UID: Final = re.compile(rb"\bUID (\d{1,10})")
_SIZE: Final = re.compile(rb"\bRFC822\.SIZE (\d{1,12})")
_LARGE: Final = 256 << 10
"""A mail above this is fetched only if its structure may hold a file of pbem."""
_HINT: Final = re.compile(rb"pbem|octet-stream|zip|ms-tnef|message/rfc822", re.IGNORECASE)
_BATCH: Final = 200
_TAG: Final = b"PBEMIDLE"
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DAY: Final = 86_400


class ImapInbox:
    def __init__(self, server: Server, secrets: Secrets, *, since: int, patience: float = PATIENCE) -> None:
        self.name = server.name
        self._server = server
        self._secrets = secrets
        self._since = since
        self._patience = patience
        self._link: imaplib.IMAP4 | None = None
        self._idling = False

    # The line

    def _open(self) -> imaplib.IMAP4:
        """The line, with the folder chosen afresh so that new mail shows."""
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
                answers = iter((f"user={user}\x01auth=Bearer {secret.show()}\x01\x01".encode(),))
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
            self.close()  # in the middle of an answer nothing more can be said on this line
            raise

    def _fresh(self, seen: Seen) -> Iterator[Found]:
        link = self._open()
        validity = _number(link.response("UIDVALIDITY")[1])
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
                    large = "A mail is larger than pbem opens, and was passed over."
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
            return False, "The structure of a mail cannot be read, and it was passed over."
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
            yield uids[0], None, "The server does not hand out a mail, and it was passed over."
            return
        found: dict[int, bytes] = {}
        for each in answer:
            if isinstance(each, tuple) and (match := _UID.search(each[0])):
                found[int(match[1])] = each[1]
        for uid in uids:
            if uid in found:
                yield uid, found[uid], ""

    def _asked(self, uids: list[int], what: str) -> list[Any] | None:
        """None: the server, which is well, does not tell this of these mails. One of them would stop all others."""
        try:
            return self._fetch(uids, what)
        except MailError as error:
            if error.code != "E-MAIL-SERVER":
                raise
        self.close()  # in the middle of an answer nothing more can be said on this line
        self._fetch(uids[:1], "(UID)")
        return None

    def _fetch(self, uids: list[int], what: str) -> list[Any]:
        link = self._link if self._link is not None else self._open()
        with failed(self.name):
            kind, data = link.uid("FETCH", ",".join(map(str, uids)), what)
        if kind != "OK":
            raise MailError("E-MAIL-SERVER", f"{self.name} does not hand out mail: {quoted(data[0] if data else b'')}.")
        return [each for each in data if each is not None]

    # Waiting

    def wait(self, seconds: float) -> bool:
        """IDLE for so long, if the server knows it. The line stays in IDLE until something has come."""
        link = self._link
        if link is None or "IDLE" not in link.capabilities:
            return False
        try:
            came = not self._idling and self._idle(link)
            came = came or bool(select.select([link.sock], [], [], seconds)[0])
            return came and (self._wake(link) or came)
        except (imaplib.IMAP4.error, OSError, ValueError):
            self.close()  # the next look opens a new line, or says why it cannot
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
                raise OSError("the line was cut")
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
            from base64 import b64encode

            out += "&" + b64encode(wide.encode("utf-16-be")).decode().rstrip("=").replace("/", ",") + "-"
            wide = ""
        out += "&-" if sign == "&" else sign
    return '"' + out.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _drop(link: imaplib.IMAP4) -> None:
    with suppress(OSError, imaplib.IMAP4.error):
        link.shutdown()
