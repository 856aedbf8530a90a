"""The files that a text, a mail, a ZIP archive or Outlook's winmail.dat (MS-OXTNEF) carries, and the items of a file by
type: parsed and bounded, nothing judged."""

from __future__ import annotations

import codecs
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.errors import MessageDefect, MessageError
from email.message import EmailMessage
from email.message import Message as MailPart
from email.parser import BytesFeedParser
from email.policy import EmailPolicy, Policy
from io import BytesIO
from typing import Final, Literal

from pbem.protocol import armour, canonical
from pbem.protocol.canonical import Plain, unpack
from pbem.protocol.card import Card, parse_card
from pbem.protocol.container import MAGIC, Item, ItemType, bounded, is_container, read_stream
from pbem.protocol.errors import Refusal
from pbem.protocol.fork import ForkProof, parse_fork_proof
from pbem.protocol.kinds import check_data
from pbem.protocol.limits import (
    MAX_DATA_FILE,
    MAX_FILE,
    MAX_ITEM,
    MAX_MAIL,
    MAX_MAIL_FIELD,
    MAX_MAIL_FIELDS,
    MAX_MAIL_LINES,
    MAX_MIME_DEPTH,
    MAX_MIME_PARTS,
    MAX_SEQ,
    MAX_SLOT,
)
from pbem.protocol.listing import parse_listing
from pbem.protocol.record import AUTHORS, Message, Record, parse_message, parse_record

MAX_OPENED: Final = 4
"""Attachments of one mail that something is taken from, and files that are taken from each."""
_MOST_LISTED: Final = 1_000
_ZIP: Final = b"PK\x03\x04"
_TNEF: Final = 0x223E9F78
_ATTACHMENT: Final = 2
_ATTACHED_DATA: Final = 0x0006800F


def enclosed(raw: bytes) -> tuple[bytes, ...]:
    """The whole files within; none if it is neither or holds none."""
    if raw.startswith(_ZIP):
        return _in_zip(raw)
    return _in_tnef(raw) if raw.startswith(struct.pack("<I", _TNEF)) else ()


def _in_zip(raw: bytes) -> tuple[bytes, ...]:
    import zipfile

    found: list[bytes] = []
    if len(raw) > 2 * MAX_FILE or raw.count(b"PK\x01\x02") > _MOST_LISTED:
        return ()
    known = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    try:
        with zipfile.ZipFile(BytesIO(raw)) as archive:
            for info in archive.infolist():
                if len(found) == MAX_OPENED:
                    break
                if info.file_size > MAX_FILE or info.flag_bits & 1 or info.compress_type not in known:
                    continue
                with archive.open(info) as member:
                    data = member.read(64)
                    if is_container(data):
                        data += member.read(MAX_FILE)
                        found += [data] if len(data) <= MAX_FILE else []
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError, OverflowError, struct.error):
        return tuple(found)
    return tuple(found)


def _in_tnef(raw: bytes) -> tuple[bytes, ...]:
    """Level, attribute, length, data, checksum; one after another."""
    found: list[bytes] = []
    at = 6
    while at + 9 <= len(raw) and len(found) < MAX_OPENED:
        level, attribute, length = struct.unpack_from("<BII", raw, at)
        data = raw[at + 9 : at + 9 + length]
        if level == _ATTACHMENT and attribute == _ATTACHED_DATA and is_container(data):
            found.append(data)
        at += 9 + length + 2
    return tuple(found)


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
            raise Refusal("E-MAIL", "This mail has more header fields than pbem reads.")
        super().set_raw(name, value)


def blocks(raw: bytes) -> tuple[bytes, ...]:
    """The files that these bytes carry, each one once: a file itself, what a saved ZIP archive or winmail.dat holds,
    armour in a text, or the parts of a mail.
    """
    if is_container(raw) or (raw and MAGIC.startswith(raw)):
        return (raw,)
    if len(raw) > MAX_MAIL:
        raise Refusal("E-LARGE", f"This text is larger than {MAX_MAIL >> 20} MiB, the most that pbem searches.")
    found = list(enclosed(raw))
    if not found and _HEADER.match(raw.lstrip(b"\r\n")):
        found = list(_in_mail(raw.lstrip(b"\r\n")))
    if not found:
        found = list(armour.find_all(armour.plain(raw)))
    if not found:
        raise Refusal(
            "E-NOTHING",
            "This is not a pbem file, and contains none: neither as an attachment or in a ZIP archive, nor as a block "
            "of text that begins with BEGIN PBEM FILE.",
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


def _parsed(raw: bytes) -> MailPart:
    if raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n") > MAX_MAIL_LINES:
        raise Refusal("E-MAIL", "This mail has more lines than pbem reads.")
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
    return Refusal("E-MAIL", "This mail has more parts, or more parts within parts, than pbem reads.")


def _parts(mail: MailPart, depth: int, count: list[int]) -> Iterator[MailPart]:
    count[0] += 1
    if depth > MAX_MIME_DEPTH or count[0] > MAX_MIME_PARTS:
        raise _many_parts()
    inner = mail.get_payload()
    if isinstance(inner, list) and mail.get_content_type() == "message/rfc822" and (whole := _encoded(mail, inner)):
        yield from _parts(whole, depth + 1, count)
    elif isinstance(inner, list):
        for part in inner:
            assert isinstance(part, MailPart)
            yield from _parts(part, depth + 1, count)
    else:
        yield mail


def _encoded(mail: MailPart, inner: Sequence[MailPart | str]) -> MailPart | None:
    """A mail that was enclosed in base64, against RFC 2046, as some programs do."""
    first = inner[0] if len(inner) == 1 else None
    if not isinstance(first, MailPart) or not _is_base64(mail):
        return None
    text = first.get_payload()
    if first.keys() or not isinstance(text, str):
        return None
    first["Content-Transfer-Encoding"] = "base64"
    raw = first.get_payload(decode=True)
    return _parsed(raw) if isinstance(raw, bytes) else None


def _payload(part: MailPart) -> bytes:
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


def _in_one_line(part: MailPart) -> None:
    """Base64 without its line ends, which mean nothing: the email package takes thrice the memory for many lines."""
    text = part.get_payload()
    if isinstance(text, str) and text.isascii() and _is_base64(part):
        part.set_payload(text.replace("\n", "").replace("\r", ""))


def _is_base64(part: MailPart) -> bool:
    return str(part.get("Content-Transfer-Encoding", "")).strip().lower() == "base64"


def _is_set(name: str) -> bool:
    try:
        return _SETS.match(codecs.lookup(name).name) is not None
    except LookupError:
        return False


_STEP = "FIL-2"
MAX_HELLO = 256


@dataclass(frozen=True, slots=True)
class Hello:
    by: int
    game: bytes
    """The game id, or before the start the offer's."""
    have: Mapping[int, int]
    want: bool

    def pack(self) -> bytes:
        have: list[Plain] = [[by, self.have[by]] for by in sorted(self.have)]
        return canonical.pack({"by": self.by, "game": self.game, "have": have, "want": self.want})


def parse_hello(raw: bytes) -> Hello:
    value = canonical.unpack(raw, MAX_HELLO)
    if not isinstance(value, dict) or list(value) != ["by", "game", "have", "want"]:
        raise _odd()
    by, game, have, want = value.values()
    if type(by) is not int or by not in AUTHORS or not isinstance(game, bytes) or len(game) != 32:
        raise _odd()
    if not isinstance(have, list) or type(want) is not bool:
        raise _odd()
    counts: dict[int, int] = {}
    for pair in have:
        if not isinstance(pair, list) or len(pair) != 2 or not all(type(n) is int for n in pair):
            raise _odd()
        author, count = pair
        assert isinstance(author, int)
        assert isinstance(count, int)
        if author not in AUTHORS or author in counts or not 0 <= count <= MAX_SEQ + 1:
            raise _odd()
        counts[author] = count
    return Hello(by, game, counts, want)


def _odd() -> Refusal:
    return Refusal("E-FORM", "This is not a request for missing records (a hello) that pbem understands.", step=_STEP)


MAX_OF_A_KIND = 256
"""Offers and hellos of one file, which cost a signature or a look at a game each."""
MAX_HELD = 1 << 17
"""Records of one file, with what reveals and releases hold: a row of fifteen bytes is some objects when it is read."""

Kind = Literal["card", "offer", "decline", "turn", "archive", "hello", "backup", "proof", "nothing"]


@dataclass(slots=True)
class Parcel:
    records: list[Record] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    messages: dict[bytes, Message] = field(default_factory=dict)
    replaced: list[tuple[str, bytes]] = field(default_factory=list)
    proofs: list[ForkProof] = field(default_factory=list)
    hellos: list[Hello] = field(default_factory=list)
    raw: bytes = b""
    is_archive: bool = False
    is_backup: bool = False

    @property
    def kind(self) -> Kind:
        if self.is_backup:
            return "backup"
        if self.is_archive:
            return "archive"
        kinds = {record.kind for record in self.records}
        if kinds == {"offer"}:
            return "offer"
        if "decline" in kinds:
            return "decline"
        if self.records:
            return "turn"
        return "card" if self.cards else "hello" if self.hellos else "proof" if self.proofs else "nothing"

    def check_messages(self) -> None:
        """Each belongs to a record in this file (FIL-8)."""
        notes = {record.id: record.note for record in self.records}
        for message in self.messages.values():
            if not message.belongs_to(notes.get(message.record)):
                raise Refusal("E-FORM", "A message in this file is not the one its author sent.", step="FIL-8")


def unwrap(raw: bytes, beat: Callable[[], None] = lambda: None) -> Parcel:
    """Everything in the file, or a Refusal: a file is taken whole or not at all.

    What is held is bounded as it grows: a small file may unpack to many records, and a record be read into much more
    than its bytes. A copy says nothing new and is not read, but counts like the first.
    """
    parcel = Parcel(raw=raw)
    sizes: dict[Item, int] = {}  # of what was taken: how much it holds
    costly = held = 0
    for item in bounded(read_stream(BytesIO(raw))):
        beat()
        costly += item.type is ItemType.HELLO
        parcel.is_archive = parcel.is_archive or item.type is ItemType.DRAWS
        if item.type is ItemType.DRAWS:
            parse_listing(item.raw)
        elif item not in sizes:
            _take(parcel, item)
            sizes[item] = 0
        if item.type is ItemType.RECORD:
            if not sizes[item]:
                record = parcel.records[-1]
                costly += record.kind == "offer"
                sizes[item] = 1 + len(record.data.get("items", ()))
            held += sizes[item]
            if held > MAX_HELD:
                raise Refusal(
                    "E-LARGE", f"This file holds more than {MAX_HELD:,} records and revealed values.",
                    step="FIL-4",
                )  # fmt: skip
        elif item.type is ItemType.CASE:
            raise Refusal(
                "E-CASE",
                "This is a case: the evidence of a disputed game, gathered by its umpire. Nothing in it was taken in; "
                "to check and read it: pbem verify FILE",
                step="CAS-3",
            )
        if costly > MAX_OF_A_KIND:
            raise Refusal(
                "E-LARGE",
                f"This file holds more than {MAX_OF_A_KIND} offers and requests.",
                step="FIL-4",
            )
    return parcel


def _take(parcel: Parcel, item: Item) -> None:
    match item.type:
        case ItemType.RECORD:
            record = parse_record(item.raw)
            check_data(record.kind, record.data)
            parcel.records.append(record)
        case ItemType.CARD:
            parcel.cards.append(parse_card(item.raw))
        case ItemType.MESSAGE:
            message = parse_message(item.raw)
            parcel.messages[message.record] = message
        case ItemType.REPLACED:
            parcel.replaced.append(_replaced(item.raw))
        case ItemType.FORK:
            parcel.proofs.append(parse_fork_proof(item.raw))
        case ItemType.HELLO:
            parcel.hellos.append(parse_hello(item.raw))
        case ItemType.BACKUP:
            parcel.is_backup = True


def _replaced(raw: bytes) -> tuple[str, bytes]:
    value = unpack(raw, MAX_ITEM)
    if isinstance(value, list) and len(value) == 2:
        name, data = value
        if isinstance(name, str) and isinstance(data, bytes) and 1 <= len(name) <= MAX_SLOT:
            if len(data) > MAX_DATA_FILE:
                raise Refusal("E-LARGE", "A data file in this file is larger than pbem accepts.", step="FIL-2")
            return name, data
    raise Refusal("E-FORM", "A data file in this file is not in the form that pbem understands.", step="FIL-2")
