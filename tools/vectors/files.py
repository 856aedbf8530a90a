"""Containers, armour and messages: FIL-1..FIL-3, FIL-7, FIL-8."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator
from hashlib import sha256
from quopri import encodestring

from pbem.protocol.armour import wrap
from pbem.protocol.canonical import Packable, pack
from pbem.protocol.card import make_card
from pbem.protocol.container import HEAD, MAGIC, Item, ItemType, write
from pbem.protocol.limits import MAX_PAYLOAD
from pbem.protocol.record import note_hash
from tools.vectors.deflate import deflate
from tools.vectors.people import ALICE, AT, record_fields, signed_record, some
from tools.vectors.vector import SUCCESS, Vector

_CARD = make_card(ALICE, "Alice Kern", "alice@example.org", AT).raw
_TURN = signed_record(data={**record_fields()["data"], "orders": [["move", n, 405] for n in range(20)]})


def _item(kind: int, raw: bytes) -> bytes:
    return bytes((kind,)) + len(raw).to_bytes(4, "big") + raw


def _file(
    payload: bytes,
    body: bytes | None = None,
    *,
    count: int = 1,
    packing: int | None = None,
    length: int | None = None,
    stored: int | None = None,
) -> bytes:
    """A container by hand, its lengths and checksum right unless said otherwise."""
    body = payload if body is None else body
    packing = int(body is not payload) if packing is None else packing
    return b"".join(
        (
            MAGIC,
            bytes((packing,)),
            count.to_bytes(2, "big"),
            (len(payload) if length is None else length).to_bytes(4, "big"),
            (len(body) if stored is None else stored).to_bytes(4, "big"),
            sha256(body).digest()[:4],
            body,
        )
    )


_ONE = _item(1, _TURN)
_ZEROS = _item(5, bytes(500))
_PACKED = _file(_ONE, deflate(_ONE))


def _containers() -> Iterator[Vector]:
    items = [Item(ItemType.CARD, _CARD), Item(ItemType.RECORD, _TURN), Item(ItemType.RECORD, _TURN)]
    two = _item(2, _CARD) + _ONE
    for name, comment, raw, kinds in (
        ("stored", "a card, as it is", _file(_item(2, _CARD)), "2"),
        ("deflated", "a turn, deflated", _PACKED, "1"),
        ("several", "a card and two records", write(items), "2 1 1"),
    ):
        yield Vector(f"container-{name}", "container", SUCCESS, "FIL-2", comment, raw, {"items": kinds})
    wrong_sum = bytearray(_file(two, count=2))
    wrong_sum[16] ^= 1
    torn = bytearray(_file(two, count=2))
    torn[-1] ^= 1
    garbage = b"\xff" * (len(deflate(_ONE)))
    for name, code, step, comment, raw in (
        ("magic", "E-NOTHING", "FIL-1", "a PNG picture", b"\x89PNG\r\n\x1a\n" + bytes(30)),
        ("version", "E-VERSION", "FIL-1", "of version 2", b"pbem\x02" + _PACKED[5:]),
        ("packing", "E-VERSION", "FIL-1", "packed in an unknown way", _file(_ONE, packing=2)),
        ("empty", "E-CUT", "FIL-1", "no bytes at all", b""),
        ("cut-magic", "E-CUT", "FIL-1", "three bytes", b"pbe"),
        ("cut-head", "E-CUT", "FIL-1", "ends inside the head", _PACKED[: HEAD - 1]),
        ("cut-body", "E-CUT", "FIL-1", "the last byte is missing", _PACKED[:-1]),
        ("trailing", "E-FILE", "FIL-1", "a byte follows the file", _PACKED + b"\n"),
        ("none", "E-FILE", "FIL-1", "no items", _file(b"", count=0)),
        ("count-more", "E-FILE", "FIL-2", "holds fewer items than it states", _file(two, count=3)),
        ("count-less", "E-FILE", "FIL-2", "holds more items than it states", _file(two, count=1)),
        ("count-8193", "E-FILE", "FIL-1", "states one item too many", _file(two, count=8_193)),
        ("lengths", "E-FILE", "FIL-1", "not packed, but of two lengths", _file(_ONE, length=len(_ONE) + 1)),
        (
            "not-smaller",
            "E-FILE",
            "FIL-1",
            "deflated to no gain",
            _file(_item(2, b"x"), deflate(_item(2, b"x")) + bytes(9)),
        ),
        (
            "payload-large",
            "E-LARGE",
            "FIL-1",
            "states a payload above the bound",
            _file(_ONE, deflate(_ONE), length=MAX_PAYLOAD + 1),
        ),
        ("checksum", "E-FILE", "FIL-1", "one bit of the checksum changed", bytes(wrong_sum)),
        ("torn", "E-FILE", "FIL-1", "one bit of the last item changed", bytes(torn)),
        (
            "bomb",
            "E-FILE",
            "FIL-3",
            "unpacks to 16,384 bytes and states 505 bytes",
            _file(_ZEROS, deflate(bytes(1 << 14)), length=505),
        ),
        (
            "inflates-less",
            "E-FILE",
            "FIL-3",
            "unpacks to less than it states",
            _file(_ZEROS, deflate(_ZEROS), length=506),
        ),
        (
            "inflates-rest",
            "E-FILE",
            "FIL-3",
            "a byte is left over after unpacking",
            _file(_ZEROS, deflate(_ZEROS) + b"\x00"),
        ),
        ("garbage", "E-FILE", "FIL-3", "what is packed is not deflate", _file(_ONE, garbage)),
        ("item-type", "E-FILE", "FIL-2", "an item of type 12", _file(_item(12, b"x"))),
        ("item-empty", "E-FILE", "FIL-2", "an empty item", _file(_item(2, b""))),
        ("item-long", "E-FILE", "FIL-2", "an item that runs past the end", _file(_item(5, b"xy")[:-1])),
        (
            "item-head",
            "E-FILE",
            "FIL-2",
            "an item cut inside its length",
            _file(_item(5, b"xy") + b"\x05\x00", count=2),
        ),
        ("card-2049", "E-LARGE", "FIL-2", "a card above its bound", _file(_item(2, bytes(2_049)))),
    ):
        yield Vector(f"container-{name}", "container", code, step, comment, raw)


def _found() -> Iterator[Vector]:
    text = wrap(_PACKED)
    lines, sha = text.split("\n"), {"sha256": sha256(_PACKED).hexdigest()}
    letters = "".join(lines[1:-2])
    quoted = "".join(f"> {line}\n" for line in lines[:-1])
    mail = f"Hello Bob,\n\nmy turn:\n\n{text}\nYours, Alice\n"
    other = wrap(_file(_item(2, _CARD)))
    both = {"sha256": f"{sha['sha256']} {sha256(_file(_item(2, _CARD))).hexdigest()}"}
    for name, comment, mangled, facts in (
        ("plain", "in the middle of a mail", mail, sha),
        ("quoted", "quoted in a reply", "Alice wrote:\n" + quoted, sha),
        ("quoted-twice", "quoted in a reply to a reply", "".join(f">> {line}\n" for line in lines), sha),
        ("crlf", "lines end with CR LF", mail.replace("\n", "\r\n"), sha),
        (
            "rewrapped",
            "broken anew at 40 letters and quoted",
            "\n> ".join(["> " + lines[0], *textwrap.wrap(letters, 40), lines[-2]]),
            sha,
        ),
        ("one-line", "all lines joined", " ".join(lines), sha),
        ("mark-broken", "a mark broken at its space", text.replace("BEGIN PBEM", "BEGIN\n> PBEM"), sha),
        ("indented", "indented, with spaces at the ends", "".join(f"    {line}  \n" for line in lines), sha),
        (
            "quoted-printable",
            "quoted-printable, not decoded",
            encodestring(("x" * 30 + " " + " ".join(lines)).encode()).decode(),
            sha,
        ),
        (
            "html",
            "as a web mail shows its source",
            f"<div>{'<br>'.join(html.escape('> ' + line) for line in lines)}</div>",
            sha,
        ),
        ("two", "two files", mail + other, both),
        ("twice", "one file, and again in the quoted part", mail + quoted, sha),
        ("one-whole", "a damaged file and a whole one", mail.replace("-----END", "END") + text, sha),
        ("none", "no file", "Shall we play tomorrow?\n", {"sha256": "none"}),
    ):
        yield Vector(f"find-{name}", "find", SUCCESS, "FIL-7", comment, mangled.encode(), facts)
    for name, code, comment, bad in (
        ("cut", "E-CUT", "cut off by the mail", mail[: mail.index("-----END")]),
        ("letter", "E-FILE", "a letter that base64 does not have", mail.replace(lines[1][5:8], lines[1][5:7] + "*")),
        ("last-letter", "E-FILE", "one letter alone at the end", wrap(b"\x01").replace("AQ==", "AQAAA")),
        ("unused-bits", "E-FILE", "the last letter carries a bit too many", wrap(b"\x01").replace("AQ==", "AR==")),
        ("begun-twice", "E-CUT", "a second beginning in place of the end", text.replace("-----END", "-----BEGIN")),
        ("many", "E-LARGE", "65 blocks", wrap(b"\x01") * 65),
    ):
        yield Vector(f"find-{name}", "find", code, "FIL-7", comment, bad.encode())


def _messages() -> Iterator[Vector]:
    record, salt, text = some("record"), some("salt")[:16], "Well played.\nYour turn!"
    note = {"note": note_hash(salt, text).hex()}
    yield Vector(
        "message-good", "message", SUCCESS, "FIL-8", "a message of two lines", pack([record, salt, text]), note
    )
    bad: tuple[tuple[str, str, str, Packable], ...] = (
        ("salt-15", "E-FORM", "a salt of 15 bytes", [record, salt[1:], text]),
        ("bin", "E-FORM", "a text that is bin", [record, salt, text.encode()]),
        ("map", "E-FORM", "not an array", {"text": text}),
        ("escape", "E-TEXT", "a text that would steer a terminal", [record, salt, "\x1b[2J"]),
        ("long", "E-TEXT", "a text of 10,001", [record, salt, "x" * 10_001]),
    )
    for name, code, comment, value in bad:
        yield Vector(f"message-{name}", "message", code, "FIL-8", comment, pack(value))


def vectors() -> Iterator[Vector]:
    yield from _containers()
    yield from _found()
    yield from _messages()
