"""The draws that an archive lists between its records, and the records that are moot (docs/spec/files.md, FIL-6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pbem.protocol.canonical import Packable, pack, unpack
from pbem.protocol.digest import be32
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import (
    MAX_DRAWS,
    MAX_LABEL,
    MAX_OCCURRENCE,
    MAX_PAYLOAD,
    MAX_PLAYERS,
    MAX_RESULTS,
    MAX_SIDES,
)

_LABEL = re.compile(rf"[a-z0-9/_.+-]{{1,{MAX_LABEL}}}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Drawn:
    """The ids of the key's orders records (none: K0), label, occurrence, sides, and what came."""

    group: tuple[bytes, ...]
    label: str
    occurrence: int
    sides: int
    results: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Draws made by the records before it, and those of the records after it that are moot (MEA-4)."""

    draws: tuple[Drawn, ...] = ()
    moot: tuple[bytes, ...] = ()


def pack_listing(draws: Iterable[Drawn], moot: Iterable[bytes] = ()) -> bytes:
    rows: list[Packable] = [[list(d.group), d.label, d.occurrence, d.sides, list(d.results)] for d in draws]
    return pack({"draws": rows, "moot": list(moot)})


def parse_listing(raw: bytes) -> Listing:
    value: Any = unpack(raw, MAX_PAYLOAD)
    if type(value) is not dict or list(value) != ["draws", "moot"] or {type(v) for v in value.values()} != {list}:
        raise _odd("it is not a list of draws and a list of records")
    if len(value["draws"]) > MAX_DRAWS or not all(map(_is_id, value["moot"])):
        raise _odd("it is too long, or names something that is not a record")
    return Listing(tuple(map(_drawn, value["draws"])), tuple(value["moot"]))


def _drawn(row: Any) -> Drawn:
    if type(row) is not list or list(map(type, row)) != [list, str, int, int, list]:
        raise _odd("a draw is a group, a label, two numbers and results")
    group, label, occurrence, sides, results = row
    if len(group) > MAX_PLAYERS or not all(map(_is_id, group)) or len(set(group)) != len(group):
        raise _odd("the group of a draw is not a few records")
    if not 0 <= occurrence <= MAX_OCCURRENCE or not 2 <= sides <= MAX_SIDES:
        raise _odd("a draw has an impossible number of sides or of draws before it")
    if not 1 <= len(results) <= MAX_RESULTS or {type(n) for n in results} != {int}:
        raise _odd("a draw has an impossible number of results")
    return Drawn(tuple(group), check_label(label), occurrence, sides, tuple(results))


def _is_id(value: object) -> bool:
    return type(value) is bytes and len(value) == 32


def _odd(why: str) -> Refusal:
    return Refusal("E-DRAW", f"This list of draws makes no sense: {why}.", step="FIL-6")


def check_label(label: str) -> str:
    """The label of a draw, as it came from outside."""
    try:
        label_field(label)
    except ValueError:
        raise Refusal("E-DRAW", "A draw has a label that no draw can have.", step="CHA-8") from None
    return label


@lru_cache(maxsize=1_024)
def label_field(label: str) -> bytes:
    """A label as a field of a hash; a game has a few, which come again and again. ValueError: it is none."""
    if not _LABEL.fullmatch(label):
        raise ValueError(f"no draw may be labelled {label!r}")
    return be32(len(label)) + label.encode("ascii")
