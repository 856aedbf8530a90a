"""The parts that every way in or out needs before a mail moves: passwords, certificates, time-outs, sentences for
failures.

A `MailError` is about an account or a connection as a whole: nothing was lost, and the next try does it again. What a
server says is quoted short, and no secret is ever part of it. Secrets are kept in memory only and shown nowhere.
"""

from __future__ import annotations

import imaplib
import os
import smtplib
import ssl
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

from pbem.home import HomeError

if TYPE_CHECKING:
    from pbem.mail.settings import Server

PATIENCE: Final = 60.0
"""Seconds of silence after which a connection counts as broken."""
MOST_QUOTED: Final = 200
_PORTS: Final = (
    "If it has never worked, check port and security: tls usually goes with 993 and 465, starttls with 143 and 587."
)
_SERVICE: Final = "pbem mail"
_LONGEST: Final = 16 << 10

Ask = Callable[[str], str | None]
"""Asks a person; None when nobody is there."""


class MailError(HomeError):
    """A way in or out does not work. `lasting`: it will not until a person changes something."""

    def __init__(self, code: str, sentence: str, *, lasting: bool = False) -> None:
        super().__init__(code, sentence)
        self.lasting = lasting


def quoted(said: object, *secrets: str) -> str:
    """What a server or a command said: one short printable line, without the secrets that it may have echoed."""
    if isinstance(said, Exception) and any(isinstance(each, bytes) for each in said.args):
        said = b" ".join(each for each in said.args if isinstance(each, bytes))
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    for secret in secrets:
        if secret:
            text = text.replace(secret, "****")
    text = "".join(sign if sign.isprintable() else " " for sign in text[: 4 * MOST_QUOTED])
    text = " ".join(text.split()).rstrip(".")
    return text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 1] + "…"


def context(ca: str) -> ssl.SSLContext:
    """Certificates are always checked; `ca` names a file with one that the system does not know."""
    try:
        return ssl.create_default_context(cafile=ca or None)
    except (OSError, ssl.SSLError):
        raise MailError("E-MAIL-SETTINGS", f"The certificate file {ca} cannot be read.", lasting=True) from None


@contextmanager
def failed(name: str) -> Iterator[None]:
    """Turns whatever the library raises about a connection into one sentence. No mail is lost by any of it."""
    try:
        yield
    except MailError:
        raise
    except ssl.SSLCertVerificationError as error:
        raise MailError(
            "E-MAIL-TLS",
            f"The certificate of {name} is not trusted ({quoted(error.verify_message)}). Nothing was sent.",
            lasting=True,
        ) from None
    except ssl.SSLError as error:
        why = f"TLS with {name} failed ({quoted(error.reason or error)}). {_PORTS}"
        raise MailError("E-MAIL-TLS", why) from None
    except TimeoutError:
        raise MailError("E-MAIL-LINE", f"{name} does not answer. {_PORTS}") from None
    except (imaplib.IMAP4.abort, smtplib.SMTPServerDisconnected, EOFError):
        raise MailError("E-MAIL-LINE", f"The connection to {name} broke.") from None
    except OSError as error:
        if isinstance(error, smtplib.SMTPException):
            raise MailError("E-MAIL-SERVER", f"{name} answers: {quoted(error)}.") from None
        raise MailError("E-MAIL-LINE", f"{name} cannot be reached: {quoted(error.strerror or error)}.") from None
    except imaplib.IMAP4.error as error:
        raise MailError("E-MAIL-SERVER", f"{name} answers: {quoted(error)}.") from None


def refused_login(name: str, said: str) -> MailError:
    return MailError(
        "E-MAIL-LOGIN",
        f"{name} rejects the login: {said}. Check the settings with: pbem mail status. The big providers want an app "
        "password or a token (docs/mail.md).",
        lasting=True,
    )


class Secret:
    """Text that does not show itself in a message or a traceback."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def show(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "Secret(****)"


class Secrets:
    """The secrets of one run: each is asked for once, and forgotten when a server has refused it."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._held: dict[str, Secret] = {}

    def of(self, server: Server) -> Secret:
        key = f"{server.user}@{server.host}"
        if key not in self._held or (server.auth == "xoauth2" and server.secret.kind == "command"):
            # A token is short-lived: its command knows whether it still holds.
            self._held[key] = Secret(self._get(server, key))
        return self._held[key]

    def bearer(self, server: Server) -> str:
        """The answer to XOAUTH2."""
        return f"user={server.user}\x01auth=Bearer {self.of(server).show()}\x01\x01"

    def forget(self, server: Server) -> None:
        self._held.pop(f"{server.user}@{server.host}", None)

    def _get(self, server: Server, key: str) -> str:
        match server.secret.kind:
            case "command":
                return _from_command(server.secret.command)
            case "keyring":
                found = _keyring().get_password(_SERVICE, key)
                if found is None:
                    raise MailError(
                        "E-MAIL-LOGIN",
                        f"The keyring has no password for {key}. Store it with: pbem mail setup",
                        lasting=True,
                    )
                return str(found)
            case "prompt":
                answer = self._ask(f"{'Token' if server.auth == 'xoauth2' else 'Password'} for {key}")
                if not answer:
                    raise MailError(
                        "E-MAIL-LOGIN",
                        f"The password for {key} is needed, and nobody is at the terminal. For unattended "
                        "use, choose a keyring or a password command: pbem mail setup",
                        lasting=True,
                    )
                return answer


def keep(server: Server, secret: str) -> None:
    """Puts a secret into the system's keyring."""
    _keyring().set_password(_SERVICE, f"{server.user}@{server.host}", secret)


def _keyring() -> Any:
    try:
        import keyring
    except ImportError:
        raise MailError(
            "E-MAIL-LOGIN", "The keyring needs an extra package: pip install 'pbem[keyring]'", lasting=True
        ) from None
    return keyring


def _from_command(command: tuple[str, ...]) -> str:
    """The first line that the command prints. Its errors go to the terminal: they are the person's, not the log's."""
    try:
        ended, said = output(command, PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        why = "took too long" if isinstance(error, subprocess.TimeoutExpired) else "cannot be started"
        raise MailError("E-MAIL-LOGIN", f"The password command {command[0]} {why}.", lasting=True) from None
    line = said.decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    if ended != 0 or not line:
        raise MailError(
            "E-MAIL-LOGIN",
            f"The password command {command[0]} gave no password (exit code {ended}). Try it in a terminal.",
        )
    return line


def output(command: Sequence[str], patience: float) -> tuple[int, bytes]:
    """How it ended, and the beginning of what it printed, kept in memory only. Its errors go to the terminal.

    Raises OSError when it cannot be started, subprocess.TimeoutExpired when it takes too long.
    """
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as program:  # noqa: S603
        assert program.stdout is not None
        said: list[bytes] = []
        # `communicate` would wait for every child of the program. This reader may be left behind, with an end of its
        # own of the pipe.
        reader = Thread(target=_read, args=(os.dup(program.stdout.fileno()), said), daemon=True)
        reader.start()
        try:
            ended = program.wait(patience)
        except BaseException:
            program.kill()
            raise
        reader.join(1)
        return ended, b"".join(said)


def _read(fd: int, said: list[bytes]) -> None:
    with suppress(OSError), os.fdopen(fd, "rb", buffering=0) as pipe:
        while sum(map(len, said)) < _LONGEST and (part := pipe.read(_LONGEST)):
            said.append(part)


def fed(command: Sequence[str], text: bytes, patience: float) -> tuple[int, bytes]:
    """How a program ended that was given this text, and the beginning of its errors. Raises as `output` does."""
    with TemporaryFile() as given, TemporaryFile() as errors:
        given.write(text)
        given.seek(0)
        done = subprocess.run(  # noqa: S603
            command, stdin=given, stdout=subprocess.DEVNULL, stderr=errors, timeout=patience, check=False
        )
        errors.seek(0)
        return done.returncode, errors.read(_LONGEST)
