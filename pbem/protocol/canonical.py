"""Canonical msgpack: one value, one encoding (docs/spec/encoding.md, ENC-4..ENC-8).

The fast path lets the msgpack library decode, walks the value and compares a second encoding with the input. It only
says yes or no; `fault` parses the bytes independently to find out what is wrong, so that both of msgpack's
implementations refuse alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias, Union

import msgpack

from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_ALL_MEMBERS, MAX_ARRAYS, MAX_BODY, MAX_DEPTH, MAX_INT, MAX_MEMBERS, MIN_INT

Plain: TypeAlias = Union[bool, int, str, bytes, "list[Plain]", "dict[str, Plain]", None]
Packable: TypeAlias = Union[bool, int, str, bytes, "Sequence[Packable]", "Mapping[str, Packable]", None]

_KEY = re.compile(r"[a-z0-9_]{1,32}", re.ASCII)
_PACKER = msgpack.Packer(use_bin_type=True)  # kept: making one takes longer than packing a record
_FLAT = frozenset((bytes, str, bool, type(None)))


def pack(value: Packable) -> bytes:
    """The one encoding of a value. Keys are sorted here; a value that has no encoding is a TypeError or ValueError."""
    packed: bytes = _PACKER.pack(_ordered(value, MAX_DEPTH))
    return packed


def _ordered(value: Any, room: int) -> Any:
    kind = type(value)
    if kind is int:
        if not MIN_INT <= value <= MAX_INT:
            raise ValueError("integer beyond 64 bits")
        return value
    if kind in _FLAT:
        return value
    if not room:
        raise ValueError(f"nested deeper than {MAX_DEPTH}")
    if kind is list or kind is tuple:
        return [member if type(member) in _FLAT else _ordered(member, room - 1) for member in value]
    if kind is dict:
        keys = tuple(value)
        if keys not in _SHAPES and not _are_keys(value):
            keys = tuple(sorted(value))
            if not all(map(is_key, keys)):
                raise ValueError(f"not keys: {keys!r}")
        return {key: member if type(member := value[key]) in _FLAT else _ordered(member, room - 1) for key in keys}
    raise TypeError(f"{kind.__name__} has no canonical encoding")


def unpack(raw: bytes, limit: int = MAX_BODY, members: int = MAX_MEMBERS) -> Plain:
    """The value of which `raw` is the encoding, or a Refusal. `members` bounds every array and map; who raises it
    reads what was never mailed, where arrays and maps are not counted.
    """
    if len(raw) > limit:
        raise Refusal("E-LARGE", f"The data are {len(raw)} bytes long; at most {limit} are allowed.", step="ENC-7")
    try:
        # Fewer bytes cannot hold too many: an empty array is one byte, and an object of some sixty when it is read.
        count = _Count() if len(raw) > MAX_ARRAYS and members == MAX_MEMBERS else None
        value: Plain = msgpack.unpackb(
            raw, max_array_len=members, max_map_len=members, max_ext_len=0, list_hook=count, object_hook=count
        )
        good = _is_canonical(value, large=_LARGE.search(raw) is not None) and _PACKER.pack(value) == raw
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException):
        good = False
    if not good:
        raise fault(raw, members) or Refusal("E-CANON", "The data are not in canonical form.", step="ENC-5")
    return value


def pack_ordered(value: Packable) -> bytes:
    """The encoding of a value that `unpack` gave or a codec dumped: its types are known, its keys in order."""
    packed: bytes = _PACKER.pack(value)
    return packed


class _Count:
    """Is shown each array and map that has been read."""

    __slots__ = ("left", "members")

    def __init__(self) -> None:
        self.left = MAX_ARRAYS
        self.members = MAX_ALL_MEMBERS

    def __call__(self, read: Any) -> Any:
        self.left -= 1
        self.members -= len(read)
        if self.left < 0 or self.members < 0:
            raise ValueError("too many")  # `fault` says so, or what is wrong before
        return read


def _is_canonical(value: Any, *, large: bool) -> bool:
    """Types, integer range, depth and keys, a level at a time; encoding again shows shortest forms and doubled keys.

    `large`: there may be an integer above 2^63-1.
    """
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        kinds = set(map(type, level))
        if not kinds <= _KINDS or (large and max([each for each in level if type(each) is int], default=0) > MAX_INT):
            return False
        if dict in kinds:
            held: list[Any] = []
            for each in level:
                if type(each) is list:
                    held.append(each)
                elif type(each) is dict:
                    if tuple(each) not in _SHAPES and not _are_keys(each):
                        return False
                    held.append(each.values())
        elif list in kinds:
            held = level if len(kinds) == 1 else [each for each in level if type(each) is list]
        else:
            return True
        level = list(chain.from_iterable(held))
    return False


_LARGE = re.compile(rb"\xcf[\x80-\xff]")  # how an integer above 2^63-1 begins, or part of another value
_KINDS = frozenset((*_FLAT, int, list, dict))
_SHAPES: set[tuple[str, ...]] = set()
"""Keys of maps that were found good before: nearly all are those of the specification."""


def is_key(name: str) -> bool:
    """May a map have it as a key (ENC-5)?"""
    return _KEY.fullmatch(name) is not None


def _are_keys(value: dict[Any, Any]) -> bool:
    keys = tuple(value)
    last = ""
    for key in keys:
        if type(key) is not str or key <= last or not is_key(key):
            return False
        last = key
    if len(_SHAPES) < 512 and len(keys) <= 32:
        _SHAPES.add(keys)
    return True


# The reader below decides nothing: it names the first fault of bytes that were refused.

_HEADS: dict[int, tuple[str, int, int]] = {
    **{head: ("map", 0, head & 0x0F) for head in range(0x80, 0x90)},
    **{head: ("array", 0, head & 0x0F) for head in range(0x90, 0xA0)},
    **{head: ("text", 0, head & 0x1F) for head in range(0xA0, 0xC0)},
}
for _kind, _first, _leasts in (  # forms with a number or length of 1, 2, 4 and 8 bytes
    ("bin", 0xC4, (0, 0x100, 0x1_0000)),
    ("unsigned", 0xCC, (0x80, 0x100, 0x1_0000, 0x1_0000_0000)),
    ("signed", 0xD0, (-0x20, -0x80, -0x8000, -0x8000_0000)),
    ("text", 0xD9, (0x20, 0x100, 0x1_0000)),
):
    _HEADS |= {_first + n: (_kind, 1 << n, least) for n, least in enumerate(_leasts)}
_HEADS |= {0xDC: ("array", 2, 0x10), 0xDD: ("array", 4, 0x1_0000), 0xDE: ("map", 2, 0x10), 0xDF: ("map", 4, 0x1_0000)}
"""What a first byte begins, how many bytes its number or length has, and the least (below 0: the least not allowed)
that is written so; without bytes of its own, the length itself."""
_WHOLE = {0xC0, 0xC2, 0xC3, *range(0x80), *range(0xE0, 0x100)}  # one byte: nil, booleans, small integers


class _Scan:
    """Reads one value, and raises the first fault."""

    __slots__ = ("arrays", "at", "held", "members", "raw")

    def __init__(self, raw: bytes, members: int) -> None:
        self.raw = raw
        self.members = members
        self.at = self.arrays = self.held = 0

    def take(self, size: int) -> bytes:
        piece = self.raw[self.at : self.at + size]
        if len(piece) < size:
            raise _bad("E-CANON", "ENC-7", "The data end in the middle of a value")
        self.at += size
        return piece

    def number(self, width: int, least: int) -> int:
        if not width:
            return least
        n = int.from_bytes(self.take(width), "big", signed=least < 0)
        if n >= least if least < 0 else n < least:
            what = "a number or length that is not written in its shortest form"
            raise _bad("E-CANON", "ENC-5", f"The data hold {what} (byte {self.at})")
        return n

    def value(self, room: int) -> None:
        """`room`: so many arrays and maps may lie in each other from here on."""
        head = self.take(1)[0]
        if head in _WHOLE:
            return
        if head not in _HEADS:
            what = f"a value of a type that is not allowed (first byte {head:02x})"
            raise _bad("E-CANON", "ENC-4", f"The data hold {what}")
        kind, width, least = _HEADS[head]
        n = self.number(width, least)
        if kind == "unsigned" and n > MAX_INT:
            raise _bad("E-CANON", "ENC-4", "The data hold an integer above 2^63-1")
        if kind == "bin":
            self.take(n)
        elif kind == "text":
            self.text(n)
        elif kind in ("array", "map"):
            self.container(n, room, is_map=kind == "map")

    def container(self, count: int, room: int, *, is_map: bool) -> None:
        if count > self.members:
            what = f"has {count} members; at most {self.members} are allowed"
            raise _bad("E-LARGE", "ENC-8", f"An array or map in the data {what}")
        self.arrays += 1
        self.held += count
        if (self.arrays > MAX_ARRAYS or self.held > MAX_ALL_MEMBERS) and self.members == MAX_MEMBERS:
            what = f"{MAX_ARRAYS} arrays and maps, or more than {MAX_ALL_MEMBERS} members of them"
            raise _bad("E-LARGE", "ENC-8", f"The data hold more than {what}")
        if not room:
            raise _bad("E-CANON", "ENC-6", f"The data are nested deeper than {MAX_DEPTH}")
        last = b""
        for _ in range(count):
            if is_map:
                last = self.key(last)
            self.value(room - 1)

    def text(self, size: int) -> bytes:
        raw = self.take(size)
        try:
            raw.decode()
        except UnicodeDecodeError:
            raise _bad("E-CANON", "ENC-5", "The data hold text that is not valid UTF-8") from None
        return raw

    def key(self, last: bytes) -> bytes:
        kind, width, least = _HEADS.get(self.take(1)[0], ("", 0, 0))
        if kind != "text":
            raise _bad("E-CANON", "ENC-5", "The data hold a map with a key that is not text")
        key = self.text(self.number(width, least))
        if not is_key(key.decode()):
            raise _bad("E-CANON", "ENC-5", "The data hold a map with a key that is not 1 to 32 of a-z, 0-9 and _")
        if key <= last:
            how = "twice" if key == last else "out of order"
            raise _bad("E-CANON", "ENC-5", f"The data hold a map with the key {key.decode()} {how}")
        return key


def _bad(code: str, step: str, what: str) -> Refusal:
    return Refusal(code, f"{what}.", step=step)


def fault(raw: bytes, members: int = MAX_MEMBERS) -> Refusal | None:
    """The first fault of an encoding; None if it is canonical. Reads the bytes without the msgpack library."""
    scan = _Scan(raw, members)
    try:
        scan.value(MAX_DEPTH)
        if scan.at != len(raw):
            raise _bad("E-CANON", "ENC-7", f"{len(raw) - scan.at} bytes follow the end of the data")
    except Refusal as refusal:
        return refusal
    return None
