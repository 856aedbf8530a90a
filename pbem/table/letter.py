"""The files that a text or a whole mail carries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import policy
from email.errors import MessageError
from email.message import Message
from email.parser import BytesParser

from pbem.protocol import armour
from pbem.protocol.container import MAGIC, is_container
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_MAIL, MAX_MIME_DEPTH, MAX_MIME_PARTS

_HEADER = re.compile(rb"\A(?:From [^\n]*\n|>?)[A-Za-z][A-Za-z0-9-]*:[ \t\S]")


def blocks(raw: bytes) -> tuple[bytes, ...]:
    """The files that these bytes carry: a file itself, armour in a text, or the parts of a mail. Each one once."""
    if is_container(raw) or (raw and MAGIC.startswith(raw)):
        return (raw,)
    if len(raw) > MAX_MAIL:
        raise Refusal("E-LARGE", f"This text is larger than {MAX_MAIL >> 20} MiB, the most that is looked through.")
    found: list[bytes] = []
    if _HEADER.match(raw.lstrip(b"\r\n")):
        found = list(_in_mail(raw.lstrip(b"\r\n")))
    if not found:
        found = list(armour.find_all(raw.decode("utf-8", "replace")))
    if not found:
        raise Refusal(
            "E-NOTHING",
            "There is no pbem file in this: neither a file itself nor a block that begins with BEGIN PBEM FILE.",
            step="FIL-5",
        )
    return tuple(dict.fromkeys(found))


def _in_mail(raw: bytes) -> Iterator[bytes]:
    try:
        mail = BytesParser(policy=policy.default).parsebytes(raw)
        parts = list(_parts(mail, 0, [0]))
        texts, pages = [], []
        for part in parts:
            data = _payload(part)
            if is_container(data):
                yield data
            elif part.get_content_type() == "text/html":
                pages.append(data)
            else:
                texts.append(data)
    except (RecursionError, MessageError, LookupError, ValueError, AttributeError, TypeError, IndexError) as error:
        # The email package raises many things for malformed mails; to the player they are one.
        raise Refusal("E-MAIL", "This mail cannot be read: its parts are damaged.") from error
    found: list[bytes] = []
    damage: Refusal | None = None
    for data in (*texts, *pages):  # a page usually repeats the text, mangled
        try:
            found += armour.find_all(data.decode("utf-8", "replace"))
        except Refusal as refusal:
            damage = damage or refusal
    if damage is not None and not found:
        raise damage
    yield from found


def _parts(mail: Message, depth: int, count: list[int]) -> Iterator[Message]:
    count[0] += 1
    if depth > MAX_MIME_DEPTH or count[0] > MAX_MIME_PARTS:
        raise Refusal("E-MAIL", "This mail has more parts within parts than pbem looks through.")
    inner = mail.get_payload()
    if isinstance(inner, list):
        for part in inner:
            assert isinstance(part, Message)
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
