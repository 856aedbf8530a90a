"""Canonical msgpack: one value, one encoding (docs/spec/encoding.md, ENC-4..ENC-8).

The fast path lets the msgpack library decode, walks the value and compares a second encoding with the input. It only
says yes or no; `fault` reads the bytes by itself to say what is wrong, so that both of msgpack's implementations refuse
alike.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, TypeAlias, Union, cast

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
    return cast(bytes, _PACKER.pack(_ordered(value, MAX_DEPTH)))


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
        for key in value:
            if type(key) is not str or not _KEY.fullmatch(key):
                raise ValueError(f"not a key: {key!r}")
        return {key: _ordered(value[key], room - 1) for key in sorted(value)}
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
        value = msgpack.unpackb(
            raw, max_array_len=members, max_map_len=members, max_ext_len=0, list_hook=count, object_hook=count
        )
        good = _is_canonical(value, MAX_DEPTH, _LARGE.search(raw) is not None) and _PACKER.pack(value) == raw
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException):
        good = False
    if not good:
        raise fault(raw, members) or Refusal("E-CANON", "The data are not in canonical form.", step="ENC-5")
    return cast(Plain, value)


def size(value: Packable) -> int:
    """How many bytes encode a value that `unpack` gave; its keys stand in order already."""
    return len(_PACKER.pack(value))


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
            raise _many()
        return read


def _many() -> Refusal:
    sentence = f"The data hold more than {MAX_ARRAYS} arrays and maps, or more than {MAX_ALL_MEMBERS} members of them."
    return Refusal("E-LARGE", sentence, step="ENC-8")


def _is_canonical(value: Any, room: int, large: bool) -> bool:
    """Types, integer range, depth and keys; shortest forms and duplicate keys are seen by encoding again.

    `large`: there may be an integer above 2^63-1.
    """
    kind = type(value)
    if kind is dict:
        if not room or (tuple(value) not in _SHAPES and not _are_keys(value)):
            return False
        members = value.values()
    elif kind is list:
        kinds = set(map(type, value))
        if room and kinds == _LISTS:  # such as orders: together they are what each of them is
            return _is_canonical(list(chain.from_iterable(value)), room - 1, large)
        if not room:
            return False
        if kinds == _TEXTS_AND_INTS:
            return not large or max([each for each in value if type(each) is int]) <= MAX_INT
        members = value
    else:
        return kind in _FLAT or (kind is int and bool(value <= MAX_INT))
    if _FLAT.issuperset(map(type, members)):
        return True
    for member in members:
        kind = type(member)
        if kind is int:
            if member > MAX_INT:
                return False
        elif kind not in _FLAT and not _is_canonical(member, room - 1, large):
            return False
    return True


_LARGE = re.compile(rb"\xcf[\x80-\xff]")  # how an integer above 2^63-1 begins, or part of another value
_LISTS = {list}
_TEXTS_AND_INTS = {str, int}
_SHAPES: set[tuple[str, ...]] = set()
"""Keys of maps that were found good before: nearly all are those of the specification."""


def _are_keys(value: dict[Any, Any]) -> bool:
    keys = tuple(value)
    last = ""
    for key in keys:
        if type(key) is not str or key <= last or not _KEY.fullmatch(key):
            return False
        last = key
    if len(_SHAPES) < 512 and len(keys) <= 32:
        _SHAPES.add(keys)
    return True


# The reader below decides nothing: it names the first fault of bytes that were refused.

_FIXED = {0xC0: 0, 0xC2: 0, 0xC3: 0}
_UINT = {0xCC: (1, 0x80), 0xCD: (2, 0x100), 0xCE: (4, 0x1_0000), 0xCF: (8, 0x1_0000_0000)}
_SINT = {0xD0: (1, -0x20), 0xD1: (2, -0x80), 0xD2: (4, -0x8000), 0xD3: (8, -0x8000_0000)}
_STR = {0xD9: (1, 32), 0xDA: (2, 0x100), 0xDB: (4, 0x1_0000)}
_BIN = {0xC4: (1, 0), 0xC5: (2, 0x100), 0xC6: (4, 0x1_0000)}
_ARRAY = {0xDC: (2, 16), 0xDD: (4, 0x1_0000)}
_MAP = {0xDE: (2, 16), 0xDF: (4, 0x1_0000)}


class _Open:
    """A container that is being read: how many members are left, and the last key of a map."""

    __slots__ = ("is_map", "key", "left", "wants_key")

    def __init__(self, left: int, is_map: bool) -> None:
        self.left = left
        self.is_map = is_map
        self.wants_key = is_map
        self.key = b""


class _Scan:
    __slots__ = ("at", "members", "raw")

    def __init__(self, raw: bytes, members: int) -> None:
        self.raw = raw
        self.members = members
        self.at = 0

    def take(self, size: int) -> bytes:
        piece = self.raw[self.at : self.at + size]
        if len(piece) < size:
            raise _bad("E-CANON", "ENC-7", "The data end in the middle of a value")
        self.at += size
        return piece

    def number(self, width: int, least: int) -> int:
        n = int.from_bytes(self.take(width), "big")
        if n < least:
            raise _bad(
                "E-CANON",
                "ENC-5",
                f"The data hold a number or length that is not written in its shortest form (byte {self.at})",
            )
        return n

    def read(self) -> None:
        stack: list[_Open] = []
        arrays = members = 0
        while True:
            opened = self.value(stack)
            if opened is not None:
                arrays += 1
                members += opened.left
                if (arrays > MAX_ARRAYS or members > MAX_ALL_MEMBERS) and self.members == MAX_MEMBERS:
                    raise _many()
                if len(stack) == MAX_DEPTH:
                    raise _bad("E-CANON", "ENC-6", f"The data are nested deeper than {MAX_DEPTH}")
                stack.append(opened)
            while stack and not stack[-1].left:
                stack.pop()
            if not stack:
                break
        if self.at != len(self.raw):
            raise _bad("E-CANON", "ENC-7", f"{len(self.raw) - self.at} bytes follow the end of the data")

    def value(self, stack: list[_Open]) -> _Open | None:
        """Read one key or value; the container that it opens, if it does."""
        top = stack[-1] if stack else None
        head = self.take(1)[0]
        if top is not None and top.is_map and top.wants_key:
            self.key(head, top)
            return None
        if top is not None:
            top.left -= 1
            top.wants_key = top.is_map
        if head < 0x80 or head >= 0xE0 or head in _FIXED:
            return None
        if head in _UINT:
            if self.number(*_UINT[head]) > MAX_INT:
                raise _bad("E-CANON", "ENC-4", "The data hold an integer above 2^63-1")
        elif head in _SINT:
            width, above = _SINT[head]
            if int.from_bytes(self.take(width), "big", signed=True) >= above:
                raise _bad(
                    "E-CANON",
                    "ENC-5",
                    f"The data hold a number that is not written in its shortest form (byte {self.at})",
                )
        elif head in _BIN:
            self.take(self.number(*_BIN[head]))
        elif 0xA0 <= head < 0xC0 or head in _STR:
            self.text(head)
        elif head < 0xA0 or head in _ARRAY or head in _MAP:
            return self.container(head)
        else:
            raise _bad(
                "E-CANON", "ENC-4", f"The data hold a value of a type that is not allowed (first byte {head:02x})"
            )
        return None

    def container(self, head: int) -> _Open:
        is_map = head < 0x90 or head in _MAP
        count = head & 0x0F if head < 0xA0 else self.number(*(_MAP if is_map else _ARRAY)[head])
        if count > self.members:
            raise _bad(
                "E-LARGE",
                "ENC-8",
                f"An array or map in the data has {count} members; at most {self.members} are allowed",
            )
        return _Open(count, is_map)

    def text(self, head: int) -> bytes:
        size = self.number(*_STR[head]) if head in _STR else head & 0x1F
        raw = self.take(size)
        try:
            raw.decode()
        except UnicodeDecodeError:
            raise _bad("E-CANON", "ENC-5", "The data hold text that is not valid UTF-8") from None
        return raw

    def key(self, head: int, top: _Open) -> None:
        if not (0xA0 <= head < 0xC0 or head in _STR):
            raise _bad("E-CANON", "ENC-5", "The data hold a map with a key that is not text")
        key = self.text(head)
        if not _KEY.fullmatch(key.decode()):
            raise _bad("E-CANON", "ENC-5", "The data hold a map with a key that is not 1 to 32 of a-z, 0-9 and _")
        if key == top.key:
            raise _bad("E-CANON", "ENC-5", f"The data hold a map with the key {key.decode()} twice")
        if key < top.key:
            raise _bad("E-CANON", "ENC-5", f"The data hold a map whose key {key.decode()} is out of order")
        top.key = key
        top.wants_key = False


def _bad(code: str, step: str, what: str) -> Refusal:
    return Refusal(code, f"{what}.", step=step)


def fault(raw: bytes, members: int = MAX_MEMBERS) -> Refusal | None:
    """The first fault of an encoding; None if it is canonical. Reads the bytes without the msgpack library."""
    try:
        _Scan(raw, members).read()
    except Refusal as refusal:
        return refusal
    return None
