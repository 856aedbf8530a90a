"""What all lines to servers share: patience, certificates, and one sentence for each way in which a line fails."""

from __future__ import annotations

import imaplib
import poplib
import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pbem.mail.mailerror import MailError, quoted

_PORTS: Final = (
    "If it never has: do port and security belong together? Usual are tls at 993, 995 and 465, starttls at 143, 110 "
    "and 587."
)
PATIENCE: Final = 60.0
"""Seconds without a word after which a line counts as broken."""


def context(ca: str) -> ssl.SSLContext:
    """Certificates are always checked; `ca` names a file with one that the system does not know."""
    try:
        return ssl.create_default_context(cafile=ca or None)
    except (OSError, ssl.SSLError):
        raise MailError("E-MAIL-SETTINGS", f"The certificate file {ca} cannot be read.", lasting=True) from None


@contextmanager
def failed(name: str) -> Iterator[None]:
    """Turns what the library raises about a line into one sentence; nothing of it is lost mail."""
    try:
        yield
    except MailError:
        raise
    except ssl.SSLCertVerificationError as error:
        raise MailError(
            "E-MAIL-TLS",
            f"{name} shows a certificate that is not to be trusted ({quoted(error.verify_message)}). Nothing was sent.",
            lasting=True,
        ) from None
    except ssl.SSLError as error:
        raise MailError(
            "E-MAIL-TLS", f"{name} does not speak TLS as expected ({quoted(error.reason or error)}). {_PORTS}"
        ) from None
    except TimeoutError:
        raise MailError("E-MAIL-LINE", f"{name} does not answer. {_PORTS}") from None
    except (imaplib.IMAP4.abort, smtplib.SMTPServerDisconnected, EOFError):
        raise MailError("E-MAIL-LINE", f"The line to {name} was cut.") from None
    except OSError as error:
        if isinstance(error, smtplib.SMTPException):
            raise MailError("E-MAIL-SERVER", f"{name} answers: {quoted(error)}.") from None
        raise MailError("E-MAIL-LINE", f"{name} cannot be reached: {quoted(error.strerror or error)}.") from None
    except poplib.error_proto as error:
        if error.args and error.args[0] == "-ERR EOF":
            raise MailError("E-MAIL-LINE", f"The line to {name} was cut.") from None
        raise MailError("E-MAIL-SERVER", f"{name} answers: {quoted(error)}.") from None
    except imaplib.IMAP4.error as error:
        raise MailError("E-MAIL-SERVER", f"{name} answers: {quoted(error)}.") from None


def refused_login(name: str, said: str) -> MailError:
    return MailError(
        "E-MAIL-LOGIN",
        f"{name} does not accept the login: {said}. See the settings with: pbem mail status; big providers want an app "
        "password or a token (docs/mail.md).",
        lasting=True,
    )
