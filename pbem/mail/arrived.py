"""What the head of a mail says about it: which mail it is, whether a machine wrote it, whether it has come back.

Nothing here is believed. The head decides only how much is said about a mail and whether an unsigned question in it is
answered; what a mail does to a game depends on the signatures in its file, whoever it says it is from.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from email.errors import MessageError
from email.header import decode_header, make_header
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Final

MAX_HEAD: Final = 64 << 10
_MOST_LOOKED: Final = 256 << 10
_MOST_SHOWN: Final = 120
_ID: Final = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,200}@[\x21-\x3b\x3d\x3f-\x7e]{1,200}>")
_OURS: Final = re.compile(rb"<pbem\.([0-9a-f]{32})@")
_MACHINES: Final = re.compile(r"(mailer-daemon|postmaster|mail-daemon|mdaemon)@?", re.IGNORECASE)
_BULK: Final = frozenset({"bulk", "junk", "list", "auto_reply"})
_END: Final = re.compile(rb"\r?\n\r?\n")
_STATUS: Final = re.compile(rb"^Status: *([245]\.\d{1,3}\.\d{1,3})", re.MULTILINE | re.IGNORECASE)
_ACTION: Final = re.compile(rb"^Action: *(delayed|delivered|relayed|expanded)", re.MULTILINE | re.IGNORECASE)
_RECEIVER: Final = re.compile(rb"^(?:Final|Original)-Recipient: *[^;\r\n]*; *<?([^>\s]{1,200})", re.MULTILINE | re.I)
_DIAGNOSIS: Final = re.compile(rb"^Diagnostic-Code: *(?:smtp; *)?([^\r\n]{1,160})", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Head:
    message_id: str = ""
    """With its angle brackets; empty when there is none that may stand in a header of ours."""
    automatic: bool = False
    """A program wrote it (RFC 3834), or a list spread it."""
    returned: bool = False
    """A report about a mail that could not be delivered."""
    subject: str = ""
    sender: str = ""
    """As the mail says itself, which proves nothing; short and printable."""

    @property
    def called(self) -> str:
        """How a person finds the mail in his mail program."""
        who = f" that says it is from {self.sender}" if self.sender else ""
        return f"the mail{f' “{self.subject}”' if self.subject else ''}{who}"

    def should_hold_a_file(self, raw: bytes) -> bool:
        """pbem made it, or a person who attached something to a mail of pbem's."""
        if self.message_id.startswith("<pbem."):
            return True
        attached = b"content-disposition: attachment" in raw[:_MOST_LOOKED].lower()
        return attached and "[pbem]" in self.subject


def head_of(raw: bytes) -> Head:
    """Never fails: a head that makes no sense is an empty one."""
    end = _END.search(raw, 0, MAX_HEAD)
    try:
        fields = BytesHeaderParser(policy=compat32).parsebytes(raw[: end.start() if end else MAX_HEAD] + b"\n\n")
        submitted = str(fields.get("Auto-Submitted", "no")).partition(";")[0].strip().casefold()
        precedence = str(fields.get("Precedence", "")).strip().casefold()
        path = fields.get("Return-Path")
        kind = str(fields.get("Content-Type", "")).partition(";")[0].strip().casefold()
        sender = str(fields.get("From", ""))
        found = _ID.search(str(fields.get("Message-ID", "")))
        failed = fields.get("X-Failed-Recipients") is not None
    except (MessageError, LookupError, ValueError, TypeError, AttributeError, RecursionError):
        return Head()
    returned = (
        kind == "multipart/report"
        or failed
        or (path is not None and str(path).strip() == "<>")
        or _MACHINES.search(sender) is not None
    )
    automatic = returned or submitted not in ("no", "") or precedence in _BULK
    return Head(found[0] if found else "", automatic, returned, _shown(fields.get("Subject", "")), _shown(sender))


def _shown(field: object) -> str:
    text = str(field)[:_MOST_SHOWN]
    with suppress(MessageError, LookupError, ValueError, TypeError):
        text = str(make_header(decode_header(text)))
    text = "".join(sign if sign.isprintable() else " " for sign in text)
    return " ".join(text.split())[:_MOST_SHOWN]


def returned_key(raw: bytes) -> str:
    """The key of the mail of ours that a report names, if it names one."""
    found = _OURS.search(raw, 0, _MOST_LOOKED)
    return found[1].decode("ascii") if found else ""


def is_failure(raw: bytes) -> bool:
    """The report does not say that the mail is only late, or was delivered after all."""
    return _ACTION.search(raw, 0, _MOST_LOOKED) is None


def undelivered(raw: bytes) -> tuple[str, ...]:
    """The receivers whom a report names; empty when it names none."""
    found = (each.decode("ascii", "replace") for each in _RECEIVER.findall(raw, 0, _MOST_LOOKED))
    return tuple(sorted(set(found)))


def diagnosis(raw: bytes) -> str:
    """What the report says was wrong, in its own words."""
    status, said = _STATUS.search(raw, 0, _MOST_LOOKED), _DIAGNOSIS.search(raw, 0, _MOST_LOOKED)
    parts = [match[1].decode("utf-8", "replace").strip() for match in (status, said) if match]
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in " ".join(parts)).split())
    return text[:200]


def domain_of(address: str) -> str:
    domain = address.rpartition("@")[2].casefold()
    return domain if re.fullmatch(r"[a-z0-9.-]{1,190}", domain) else "pbem.invalid"
