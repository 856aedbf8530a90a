"""The files that a text or a whole mail carries."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from email.errors import MessageDefect, MessageError
from email.message import EmailMessage, Message
from email.parser import BytesFeedParser
from email.policy import EmailPolicy, Policy

from pbem.protocol import armour
from pbem.protocol.container import MAGIC, is_container
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import (
    MAX_FILE,
    MAX_MAIL,
    MAX_MAIL_FIELD,
    MAX_MAIL_FIELDS,
    MAX_MAIL_LINES,
    MAX_MIME_DEPTH,
    MAX_MIME_PARTS,
)
from pbem.table.enclosed import MAX_OPENED, enclosed

_HEADER = re.compile(rb"\A(?:From [^\n]*\n|>?)[A-Za-z][A-Za-z0-9-]*:[ \t\S]")
# Character sets that are read in a time that grows with the text; punycode is not one of them.
_SETS = re.compile(r"utf|iso|cp|koi|mac|gb|big5|euc|shift|johab|hz|tis|kz|ptcp")


_CHUNK = 1 << 16
_LARGE = 2 * MAX_FILE
"""Above this a mail with a file of pbem in it holds it at least once in base64."""
_BARE = bytes(range(128)) + b"?" * 128


class _Fields(EmailPolicy):
    """Only the beginning of a field is looked at: what the email package needs for one grows with its square."""

    def header_source_parse(self, sourcelines: Sequence[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(list(sourcelines))
        return name, value[:MAX_MAIL_FIELD]


class _Unkept(list[MessageDefect]):
    """What the email package finds odd: a mail may have it in every line."""

    def append(self, odd: MessageDefect) -> None:
        pass


class _Part(EmailMessage):
    def __init__(self, policy: Policy) -> None:
        super().__init__(policy)
        self.defects = _Unkept()

    def set_raw(self, name: str, value: str) -> None:
        if len(self) == MAX_MAIL_FIELDS:
            raise Refusal("E-MAIL", "This mail has more fields in its head than pbem looks through.")
        super().set_raw(name, value)


def blocks(raw: bytes) -> tuple[bytes, ...]:
    """The files that these bytes carry, each one once: a file itself, what a saved ZIP archive or winmail.dat holds,
    armour in a text, or the parts of a mail.
    """
    if is_container(raw) or (raw and MAGIC.startswith(raw)):
        return (raw,)
    if len(raw) > MAX_MAIL:
        raise Refusal("E-LARGE", f"This text is larger than {MAX_MAIL >> 20} MiB, the most that is looked through.")
    found = list(enclosed(raw))
    if not found and _HEADER.match(raw.lstrip(b"\r\n")):
        found = list(_in_mail(raw.lstrip(b"\r\n")))
    if not found:
        found = list(armour.find_all(armour.plain(raw)))
    if not found:
        raise Refusal(
            "E-NOTHING",
            "There is no pbem file in this: neither a file itself, nor one in a ZIP archive, nor a block that "
            "begins with BEGIN PBEM FILE.",
            step="FIL-5",
        )
    return tuple(dict.fromkeys(found))


def _in_mail(raw: bytes) -> Iterator[bytes]:
    whole: list[bytes] = []
    texts = _texts(raw, whole)
    yield from whole
    found: list[bytes] = []
    damage: Refusal | None = None
    while texts:
        try:
            found += armour.find_all(armour.plain(texts.pop(0)))
        except Refusal as refusal:
            damage = damage or refusal
    if damage is not None and not found:
        raise damage
    yield from found


def _texts(raw: bytes, whole: list[bytes]) -> list[bytes]:
    """The parts in which armour may stand; files that are parts themselves are added to `whole`."""
    texts, pages, opened = [], [], 0
    try:
        parts = list(_parts(_parsed(raw), 0, [0]))
        while parts:  # each is let go when it has been looked at: all of them together are as large as the mail
            part = parts.pop(0)
            data = _payload(part)
            if is_container(data):
                whole.append(data)
            elif opened < MAX_OPENED and (packed := enclosed(data)):
                opened += 1
                whole += packed
            elif part.get_content_type() == "text/html":
                pages.append(data)
            else:
                texts.append(data)
    except (RecursionError, MessageError, LookupError, ValueError, AttributeError, TypeError, IndexError) as error:
        # The email package raises many things for malformed mails; to the player they are one.
        raise Refusal("E-MAIL", "This mail cannot be read: its parts are damaged.") from error
    return texts + pages  # a page usually repeats the text, mangled


def _parsed(raw: bytes) -> Message:
    if raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n") > MAX_MAIL_LINES:
        raise Refusal("E-MAIL", "This mail has more lines than pbem looks through.")
    parser = BytesFeedParser(policy=_Fields(message_factory=_counted()))
    for at in range(0, len(raw), _CHUNK):
        piece = raw[at : at + _CHUNK]
        if len(raw) > _LARGE:
            # The email package takes twice the memory for all of a text that goes beyond ASCII, and four times for a
            # line that does not end.
            piece = piece.translate(_BARE) + (b"" if b"\n" in piece else b"\n")
        parser.feed(piece)
    return parser.close()


def _counted() -> Callable[..., EmailMessage]:
    """Makes the parts of one mail, and no more of them than are looked through."""
    left = MAX_MIME_PARTS

    def part(policy: Policy) -> EmailMessage:
        nonlocal left
        left -= 1
        if left < 0:
            raise _many_parts()
        return _Part(policy)

    return part


def _many_parts() -> Refusal:
    return Refusal("E-MAIL", "This mail has more parts within parts than pbem looks through.")


def _parts(mail: Message, depth: int, count: list[int]) -> Iterator[Message]:
    count[0] += 1
    if depth > MAX_MIME_DEPTH or count[0] > MAX_MIME_PARTS:
        raise _many_parts()
    inner = mail.get_payload()
    if isinstance(inner, list) and mail.get_content_type() == "message/rfc822" and (whole := _encoded(mail, inner)):
        yield from _parts(whole, depth + 1, count)
    elif isinstance(inner, list):
        for part in inner:
            assert isinstance(part, Message)
            yield from _parts(part, depth + 1, count)
    else:
        yield mail


def _encoded(mail: Message, inner: Sequence[Message | str]) -> Message | None:
    """A mail that was enclosed in base64, against RFC 2046, as some programs do."""
    first = inner[0] if len(inner) == 1 else None
    if not isinstance(first, Message) or not _is_base64(mail):
        return None
    text = first.get_payload()
    if first.keys() or not isinstance(text, str):
        return None
    first["Content-Transfer-Encoding"] = "base64"
    raw = first.get_payload(decode=True)
    return _parsed(raw) if isinstance(raw, bytes) else None


def _payload(part: Message) -> bytes:
    _in_one_line(part)
    data = part.get_payload(decode=True)
    part.set_payload("")  # it may be as large as what has been made of it
    if not isinstance(data, bytes):
        return b""
    if is_container(data):
        return data  # whatever character set it is said to have
    charset = part.get_content_charset("utf-8")
    if part.get_content_maintype() == "text" and charset not in ("utf-8", "us-ascii") and _is_set(charset):
        return data.decode(charset, "replace").encode()
    return data


def _in_one_line(part: Message) -> None:
    """Base64 without its line ends, which mean nothing: the email package takes thrice the memory for many lines."""
    text = part.get_payload()
    if isinstance(text, str) and text.isascii() and _is_base64(part):
        part.set_payload(text.replace("\n", "").replace("\r", ""))


def _is_base64(part: Message) -> bool:
    return str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64"


def _is_set(name: str) -> bool:
    try:
        return _SETS.match(codecs.lookup(name).name) is not None
    except LookupError:
        return False
