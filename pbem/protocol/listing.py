"""The list by which an archive lets its draws be checked without the rules (docs/spec/files.md, FIL-6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pbem.protocol.canonical import Packable, pack, unpack
from pbem.protocol.chance import check_label, roll
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_DRAWS, MAX_OCCURRENCE, MAX_PAYLOAD, MAX_PLAYERS, MAX_RESULTS, MAX_SIDES

_STEP = "FIL-6"


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


def check_drawn(drawn: Drawn, key: bytes) -> None:
    """The results are those that the key gives (CHA-8)."""
    if roll(key, drawn.label, drawn.occurrence, drawn.sides, len(drawn.results)) != drawn.results:
        raise Refusal("E-DRAW", f"The draw {drawn.label} is not what its key gives.", step="CHA-8")


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
    return Refusal("E-DRAW", f"This list of draws makes no sense: {why}.", step=_STEP)
