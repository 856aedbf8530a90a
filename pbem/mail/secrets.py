"""Passwords and tokens: from the terminal, the system's keyring, or a command. Kept in memory only, shown nowhere."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import Any, Final

from pbem.mail.mailerror import MailError
from pbem.mail.programs import output
from pbem.mail.settings import Server

Ask = Callable[[str], str | None]
"""Asks a person; None when nobody is there."""

_SERVICE: Final = "pbem mail"
_PATIENCE: Final = 60


class Secret:
    """Text that does not show itself."""

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
                        f"The keyring holds nothing for {key}. Store it with: pbem mail setup",
                        lasting=True,
                    )
                return str(found)
            case "prompt":
                answer = self._ask(f"{'Token' if server.auth == 'xoauth2' else 'Password'} of {key}")
                if not answer:
                    raise MailError(
                        "E-MAIL-LOGIN",
                        f"The password of {key} is wanted, and nobody is at the terminal. For unattended use take a "
                        "keyring or a password command: pbem mail setup",
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
        ended, said = output(command, _PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        why = "took too long" if isinstance(error, subprocess.TimeoutExpired) else "cannot be started"
        raise MailError("E-MAIL-LOGIN", f"The command for the password, {command[0]}, {why}.", lasting=True) from None
    line = said.decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    if ended != 0 or not line:
        raise MailError(
            "E-MAIL-LOGIN",
            f"The command for the password, {command[0]}, gave none (it ended with {ended}). Try it in a terminal.",
        )
    return line
