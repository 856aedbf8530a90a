"""The draws that an archive lists between its records, and the records that are moot (docs/spec/files.md, FIL-6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from pbem.protocol.canonical import Packable, pack, unpack
from pbem.protocol.digest import be32
from pbem.protocol.errors import Refusal
from pbem.protocol.kinds import ID, array, fields, integer, judge, row, word
from pbem.protocol.limits import (
    MAX_DRAWS,
    MAX_INT,
    MAX_LABEL,
    MAX_MEMBERS,
    MAX_OCCURRENCE,
    MAX_PAYLOAD,
    MAX_PLAYERS,
    MAX_RESULTS,
    MAX_SIDES,
    MIN_INT,
)

_LABEL = re.compile(rf"[a-z0-9/_.+-]{{1,{MAX_LABEL}}}", re.ASCII)
_DRAW = row(
    array(ID, 0, MAX_PLAYERS),
    word(_LABEL.pattern, "the label of a draw"),
    integer(0, MAX_OCCURRENCE),
    integer(2, MAX_SIDES),
    array(integer(MIN_INT, MAX_INT), 1, MAX_RESULTS),
)
_LISTING = fields({"draws": array(_DRAW, 0, MAX_DRAWS), "moot": array(ID, 0, MAX_MEMBERS)})


class Drawn(NamedTuple):
    """The ids of the key's orders records (none: K0), label, occurrence, sides, and what came."""

    group: tuple[bytes, ...]
    label: str
    occurrence: int
    sides: int
    results: tuple[int, ...]


class Listing(NamedTuple):
    """Draws made by the records before it, and those of the records after it that are moot (MEA-4)."""

    draws: tuple[Drawn, ...] = ()
    moot: tuple[bytes, ...] = ()


def pack_listing(draws: Iterable[Drawn], moot: Iterable[bytes] = ()) -> bytes:
    rows: list[Packable] = [[list(d.group), d.label, d.occurrence, d.sides, list(d.results)] for d in draws]
    return pack({"draws": rows, "moot": list(moot)})


def parse_listing(raw: bytes) -> Listing:
    value: Any = unpack(raw, MAX_PAYLOAD)
    judge(_LISTING, value, "draws", "FIL-6", "E-DRAW")
    draws = [
        Drawn(tuple(group), label, occurrence, sides, tuple(results))
        for group, label, occurrence, sides, results in value["draws"]
    ]
    if any(len(set(drawn.group)) < len(drawn.group) for drawn in draws):
        raise Refusal("E-DRAW", "The group of a listed draw names a record twice.", step="FIL-6")
    return Listing(tuple(draws), tuple(value["moot"]))


@lru_cache(maxsize=1_024)
def label_field(label: str) -> bytes:
    """A label as a field of a hash; a game has a few, which come again and again. ValueError: it is none."""
    if not _LABEL.fullmatch(label):
        raise ValueError(f"no draw may be labelled {label!r}")
    return be32(len(label)) + label.encode("ascii")
