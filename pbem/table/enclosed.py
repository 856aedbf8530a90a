"""Files of pbem that a mail program has put into something else: a ZIP archive, or Outlook's winmail.dat (MS-OXTNEF).

Whatever cannot be read holds nothing: the mail may still have its armour.
"""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from typing import Final

from pbem.protocol.container import is_container
from pbem.protocol.limits import MAX_FILE

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
