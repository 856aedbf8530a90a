"""Mail from a POP3 server. It stays there; what was looked at is known by its UIDL."""

from __future__ import annotations

import poplib
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from pbem.mail.inbox import Found, Seen
from pbem.mail.lines import PATIENCE, context, failed, refused_login
from pbem.mail.mailerror import quoted
from pbem.mail.secrets import Secrets
from pbem.mail.settings import Server
from pbem.protocol.limits import MAX_MAIL

_UIDL: Final = re.compile(rb"(\d{1,9}) ([\x21-\x7e]{1,70})\s*")
_SIZE: Final = re.compile(rb"(\d{1,9}) (\d{1,12})")


class PopInbox:
    def __init__(self, server: Server, secrets: Secrets, *, patience: float = PATIENCE) -> None:
        self.name = server.name
        self._server = server
        self._secrets = secrets
        self._patience = patience
        self._link: poplib.POP3 | None = None

    def _connect(self) -> poplib.POP3:
        server = self._server
        link: poplib.POP3
        if server.security == "tls":
            link = poplib.POP3_SSL(server.host, server.port, context=context(server.ca), timeout=self._patience)
        else:
            link = poplib.POP3(server.host, server.port, timeout=self._patience)
        self._link = link
        if server.security == "starttls":
            link.stls(context(server.ca))
        secret = self._secrets.of(server)
        try:
            if server.auth == "xoauth2":
                _xoauth2(link, server.user, secret.show())
            else:
                link.user(server.user)
                link.pass_(secret.show())
        except poplib.error_proto as error:
            self._secrets.forget(server)
            raise refused_login(self.name, quoted(error, secret.show())) from None
        return link

    def fresh(self, seen: Seen) -> Iterator[Found]:
        """A new line each time: a POP3 server shows the mailbox as it was at the login."""
        try:
            with failed(self.name):
                link = self._connect()
                listed = [match for line in link.uidl()[1] if (match := _UIDL.fullmatch(line))]
                sizes = {int(m[1]): int(m[2]) for line in link.list()[1] if (m := _SIZE.match(line))}
            marks = {match[2].decode("ascii") for match in listed}
            seen.keep(marks)
            refused: poplib.error_proto | None = None
            for match in listed:
                number, mark = int(match[1]), match[2].decode("ascii")
                if mark in seen:
                    continue
                if sizes.get(number, 0) > MAX_MAIL:
                    yield Found(mark, None, "A mail is larger than pbem opens, and was passed over.")
                    continue
                with failed(self.name):
                    try:
                        raw = _mail(link, number)
                    except poplib.error_proto as error:
                        if "line too long" in str(error):
                            # No mail of pbem has such lines; the rest of it still runs on this line.
                            self.close()
                            yield Found(mark, None)
                            link = self._connect()
                            continue
                        said = error.args[0] if error.args else ""
                        if not isinstance(said, bytes) or not said.startswith(b"-ERR"):
                            raise
                        refused = error  # this one is asked for again the next time, and stops no other
                        continue
                yield Found(mark, raw)
            if refused is not None:
                with failed(self.name):
                    raise refused
        finally:
            self.close()

    def check(self) -> None:
        with failed(self.name):
            self._connect().uidl()

    def wait(self, seconds: float) -> bool:  # noqa: ARG002 - POP3 cannot tell
        return False

    def close(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            with suppress(OSError, poplib.error_proto):
                link.close()


def _mail(link: poplib.POP3, number: int) -> bytes:
    """As `retr`, which makes an object of every line: a mail may be nothing but ends of lines."""
    shortcmd, getline = getattr(link, "_shortcmd"), getattr(link, "_getline")  # noqa: B009 - poplib has no public way
    shortcmd(f"RETR {number}")
    held = bytearray()
    while (line := getline()[0]) != b".":
        if len(held) <= MAX_MAIL:
            held += (line[1:] if line.startswith(b"..") else line) + b"\r\n"
    return bytes(held)


def _xoauth2(link: poplib.POP3, user: str, token: str) -> None:
    from base64 import b64encode

    answer = b64encode(f"user={user}\x01auth=Bearer {token}\x01\x01".encode()).decode("ascii")
    shortcmd = getattr(link, "_shortcmd")  # noqa: B009 - poplib has no public way to say a command
    shortcmd(f"AUTH XOAUTH2 {answer}")
