"""Files in mails: what a mail carries, and a mail that carries a file."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage, Message
from email.parser import BytesParser
from typing import Final

from pbem.protocol import armour
from pbem.protocol.container import MAGIC
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_BLOCKS, MAX_MAIL, MAX_MIME_DEPTH, MAX_MIME_PARTS

_BEGIN: Final = "-----BEGIN PBEM FILE-----"
_HEADER = re.compile(rb"\A(?:From [^\n]*\n|>?)[A-Za-z][A-Za-z0-9-]*:[ \t\S]")
_TAG = re.compile(r"<[^<>]{0,2000}>")


def blocks(raw: bytes) -> tuple[bytes, ...]:
    """The files that these bytes carry: a file itself, armour in a text, or the parts of a mail. Each one once."""
    if raw.startswith(MAGIC):
        return (raw,)
    if len(raw) > MAX_MAIL:
        raise Refusal("E-SIZE", f"This text is larger than {MAX_MAIL >> 20} MiB, the most that is looked through.")
    found: list[bytes] = []
    if _HEADER.match(raw.lstrip(b"\r\n")):
        found = list(_in_mail(raw.lstrip(b"\r\n")))
    if not found:
        found = list(_in_text(raw.decode("utf-8", "replace")))
    if not found:
        raise Refusal(
            "E-NOTHING",
            "There is no pbem file in this: neither a file itself nor a block that begins with BEGIN PBEM FILE.",
            step="FIL-5",
        )
    return tuple(dict.fromkeys(found))


def _in_text(text: str) -> Iterator[bytes]:
    starts = [match.start() for match in re.finditer(re.escape(_BEGIN), text)]
    if len(starts) > MAX_BLOCKS:
        raise Refusal("E-BLOCKS", f"This text holds more than {MAX_BLOCKS} files. Open them one by one.", step="FIL-5")
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        # The quoting before the mark belongs to its line.
        line = text.rfind("\n", 0, start) + 1
        block = armour.find(text[line:end])
        if block is not None:
            yield block


def _in_mail(raw: bytes) -> Iterator[bytes]:
    try:
        mail = BytesParser(policy=policy.default).parsebytes(raw)
        parts = list(_parts(mail, 0, [0]))
        texts, pages = [], []
        for part in parts:
            data = _payload(part)
            if data.startswith(MAGIC):
                yield data
            elif part.get_content_type() == "text/html":
                pages.append(data)
            else:
                texts.append(data)
    except (RecursionError, MessageError, LookupError, ValueError, AttributeError, TypeError, IndexError) as error:
        # The email package raises many things for malformed mails; to the player they are one.
        raise Refusal("E-MAIL", "This mail cannot be read: its parts are damaged.") from error
    found = [block for data in texts for block in _in_text(data.decode("utf-8", "replace"))]
    if not found:
        for data in pages:
            found += _in_text(html.unescape(_TAG.sub("", data.decode("utf-8", "replace").replace("<br", "\n<br"))))
    yield from found


def _parts(mail: Message, depth: int, count: list[int]) -> Iterator[Message]:
    count[0] += 1
    if depth > MAX_MIME_DEPTH or count[0] > MAX_MIME_PARTS:
        raise Refusal("E-MAIL", "This mail has more parts within parts than pbem looks through.")
    inner = mail.get_payload()
    if isinstance(inner, list):
        for part in inner:
            yield from _parts(part, depth + 1, count)
    else:
        yield mail


def _payload(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return b""
    charset = part.get_content_charset("utf-8")
    if part.get_content_maintype() == "text" and charset not in ("utf-8", "us-ascii"):
        return data.decode(charset, "replace").encode()
    return data


def eml(
    raw: bytes, *, file_name: str, sender: tuple[str, str], to: list[tuple[str, str]], subject: str, text: str
) -> bytes:
    """A mail with the file attached, ready for any mail program. `sender` and `to` are (name, address)."""
    mail = EmailMessage(policy=policy.SMTP)
    if sender[1]:
        mail["From"] = _address(*sender)
    recipients = [_address(name, address) for name, address in to if address]
    if recipients:
        mail["To"] = recipients
    mail["Subject"] = " ".join(subject.split())
    mail.set_content(text)
    mail.add_attachment(raw, maintype="application", subtype="octet-stream", filename=file_name)
    # A fixed boundary: the same file makes the same mail. Base64 never contains it.
    mail.set_boundary("=_pbem_" + file_name.encode("ascii", "replace").hex()[:40])
    return mail.as_bytes()


def _address(name: str, address: str) -> Address:
    try:
        return Address(display_name=name, addr_spec=address)
    except (MessageError, ValueError, IndexError):
        raise Refusal("E-ADDRESS", f"{address!r} is not a mail address. Send the file itself instead.") from None
