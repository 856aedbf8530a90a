"""Files of pbem in ZIP archives, in winmail.dat, and in mails that were enclosed in base64."""

import base64
import io
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.home.unpacking import MAX_OPENED, blocks, enclosed
from pbem.protocol.armour import wrap
from pbem.protocol.container import Item, ItemType, is_container, write
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_FILE

ONE = write([Item(ItemType.HELLO, b"one")])
TWO = write([Item(ItemType.HELLO, bytes(range(200)))])
HEAD = b"From: a@example.org\r\nSubject: turn\r\nMIME-Version: 1.0\r\n"


def zipped(*members, how=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as archive:
        for number, raw in enumerate(members):
            archive.writestr(f"../../{number}.pbem", raw)
    return out.getvalue()


def winmail(*members):
    """As Outlook writes it: version, then for each attachment its title and its data."""

    def attribute(level, name, data):
        return struct.pack("<BII", level, name, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)

    raw = struct.pack("<IH", 0x223E9F78, 1) + attribute(1, 0x00089006, struct.pack("<I", 0x10000))
    for member in members:
        raw += attribute(2, 0x00069002, bytes(14)) + attribute(2, 0x00018010, b"turn.pbem\0")
        raw += attribute(2, 0x0006800F, member)
    return raw


def attached(kind, raw, text=b"Hello"):
    body = b"--b\r\nContent-Type: text/plain\r\n\r\n" + text + b"\r\n--b\r\nContent-Type: " + kind
    body += b"\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(raw) + b"--b--\r\n"
    return HEAD + b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n' + body


@pytest.mark.parametrize("how", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_in_a_zip(how):
    assert blocks(attached(b"application/zip", zipped(b"no", ONE, TWO, how=how))) == (ONE, TWO)


def test_in_winmail_dat():
    assert blocks(attached(b"application/ms-tnef", winmail(b"no", ONE, TWO))) == (ONE, TWO)


def test_an_archive_that_was_saved_is_opened_itself():
    assert blocks(zipped(b"no", ONE, TWO)) == (ONE, TWO)
    assert blocks(winmail(b"no", ONE)) == (ONE,)
    with pytest.raises(Refusal, match="ZIP"):
        blocks(zipped(b"no", b"files"))


def test_the_text_counts_where_nothing_is_found_within():
    text = wrap(TWO).encode()
    assert blocks(attached(b"application/ms-tnef", winmail(b"rtf"), text)) == (TWO,)
    assert blocks(attached(b"application/zip", zipped(ONE)[:-30], text)) == (TWO,)


def test_a_mail_enclosed_in_base64():
    inner = attached(b"application/octet-stream", ONE)
    assert blocks(attached(b"message/rfc822", inner)) == (ONE,)
    assert blocks(attached(b"message/rfc822", attached(b"message/rfc822", inner))) == (ONE,)


def test_a_file_said_to_be_text_in_a_character_set():
    assert blocks(attached(b"text/plain; charset=iso-8859-1", TWO)) == (TWO,)
    assert blocks(attached(b"text/html; charset=utf-16", TWO)) == (TWO,)


def test_what_is_too_large_or_too_much_is_left():
    assert enclosed(zipped(*[ONE] * 10)) == (ONE,) * MAX_OPENED
    assert enclosed(winmail(*[ONE] * 10)) == (ONE,) * MAX_OPENED
    bomb = zipped(ONE[:8] + bytes(MAX_FILE + 1), TWO)
    assert len(bomb) < 50_000
    assert enclosed(bomb) == (TWO,)
    assert enclosed(zipped(*[b""] * 1_100, ONE)) == ()
    assert enclosed(zipped(ONE, how=zipfile.ZIP_BZIP2)) == ()
    parts = attached(b"application/zip", zipped(ONE))
    part = parts.partition(b"\r\n\r\n")[2].rpartition(b"--b--")[0].partition(b"Hello\r\n")[2]
    many = parts.rpartition(b"--b--")[0] + part.replace(base64.b64encode(ONE), b"") * 20 + b"--b--\r\n"
    assert blocks(many) == (ONE,)


@given(st.sampled_from([zipped(ONE, TWO), winmail(ONE, TWO)]), st.integers(0, 600), st.integers(0, 255))
def test_any_byte_may_be_wrong(raw, at, byte):
    at %= len(raw)
    found = enclosed(raw[:at] + bytes([byte]) + raw[at + 1 :]) + enclosed(raw[:at])
    assert all(is_container(each) and len(each) <= len(raw) for each in found)


@given(st.binary(max_size=300))
def test_any_bytes_hold_something_or_nothing(raw):
    for head in (b"PK\x03\x04", struct.pack("<IH", 0x223E9F78, 1), b""):
        assert all(isinstance(each, bytes) for each in enclosed(head + raw))
    with pytest.raises(Refusal):
        blocks(attached(b"application/zip", b"PK\x03\x04" + raw))


@pytest.mark.parametrize("offset", [2**63, 2**64 - 1, 2**63 - 1, 2**62])
def test_a_member_that_begins_beyond_all_measure_holds_nothing(offset):
    raw = zipped(ONE)
    at, end = raw.index(b"PK\x01\x02"), raw.index(b"PK\x05\x06")
    entry, last = bytearray(raw[at:end]), bytearray(raw[end:])
    extra = struct.pack("<HHQ", 1, 8, offset)
    entry[42:46], entry[30:32] = b"\xff" * 4, struct.pack("<H", len(extra))
    last[12:16] = struct.pack("<I", len(entry) + len(extra))
    broken = raw[:at] + bytes(entry) + extra + bytes(last)
    assert zipfile.ZipFile(io.BytesIO(broken)).infolist()[0].header_offset == offset
    assert enclosed(broken) == ()
