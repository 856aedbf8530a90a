"""Fields of packed orders as bits, the lowest of a byte first: as few as the usual values need, in one way only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import repeat
from types import GenericAlias
from typing import Annotated, Any, TypeVar, get_args, get_origin

from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_FIELD_MEMBERS, MAX_FIELD_TEXT

T = TypeVar("T")

_SMALL = 15  # tuples of fewer members, and members before this place, are told in four bits
_CHUNK = 24  # bytes taken up at once: the time to read stays linear in the length
_FILLING = tuple(1 << held for held in range(8))  # what is left behind the last field: fewer than eight zeros


@dataclass(frozen=True, slots=True)
class Lead:
    """`unit: Annotated[int, Lead(24)]`, of the first field: 0..23 are packed in one number with the kind (NOT-1)."""

    count: int


@dataclass(frozen=True, slots=True)
class Common:
    """`to: Annotated[int, Common(HEXES)]`: these values are packed as their place here, others behind them (NOT-2)."""

    values: Sequence[int]


def unreadable(sentence: str, step: str = "NOT-3") -> Refusal:
    return Refusal("E-ORDER-FORM", f"A packed order cannot be read: {sentence}.", step=step)


class BitWriter:
    """Bits that become bytes."""

    __slots__ = ("_bits", "_held", "_out")

    def __init__(self) -> None:
        self._out = bytearray()
        self._bits = self._held = 0  # what is not yet written, and how many bits that is

    @property
    def place(self) -> int:
        """How many bits there are."""
        return 8 * len(self._out) + self._held

    def put(self, value: int, width: int) -> None:
        self._bits |= value << self._held
        self._held += width
        if self._held >= 8 * _CHUNK:
            whole = self._held // 8
            self._out += (self._bits & (1 << 8 * whole) - 1).to_bytes(whole, "little")
            self._bits >>= 8 * whole
            self._held -= 8 * whole

    def size(self, n: int) -> None:
        """A varint."""
        while n > 0x7F:
            self.put(n & 0x7F | 0x80, 8)
            n >>= 7
        self.put(n, 8)

    def one_of(self, place: int, count: int) -> None:
        """A place below `count`: the first ones take a bit less, so that no bits are without a meaning."""
        width = count.bit_length() - 1
        short = (2 << width) - count
        if place < short:
            self.put(place, width)
        else:
            place += short
            self.put(place >> 1 | (place & 1) << width, width + 1)

    def number(self, n: int, usual: int) -> None:
        """One of those below `usual`, or the place behind them and what it has above."""
        if n < usual:
            self.one_of(n, usual + 1)
        else:
            self.one_of(usual, usual + 1)
            self.size(n - usual)

    def close(self) -> bytes:
        """The bytes; the last one is filled up with zeros."""
        return bytes(self._out) + self._bits.to_bytes((self._held + 7) // 8, "little")


class BitReader:
    """Bits of bytes from outside."""

    __slots__ = ("_raw", "at", "left")

    def __init__(self, raw: bytes, at: int = 0) -> None:
        self._raw = raw
        self.at = at  # the first byte that is not taken up
        self.left = 1  # bits taken up and not yet given out, and above them a 1 that tells how many they are

    @property
    def place(self) -> int:
        """How many bits have been given out."""
        return 8 * self.at - self.left.bit_length() + 1

    def get(self, width: int) -> int:
        left = self.left
        while not left >> width:
            if self.at >= len(self._raw):
                raise unreadable("it ends too early")
            left = self.fill()
        self.left = left >> width
        return left & (1 << width) - 1

    def fill(self) -> int:
        """Take up some more bytes, if there are any; `left` as it is then."""
        chunk = self._raw[self.at : self.at + _CHUNK]
        held = self.left.bit_length() - 1
        self.left += (int.from_bytes(chunk, "little") + (1 << 8 * len(chunk)) - 1) << held
        self.at += len(chunk)
        return self.left

    def size(self) -> int:
        """A varint below 2^64."""
        byte = self.get(8)
        if byte < 0x80:
            return byte
        value, shift = byte & 0x7F, 7
        while byte > 0x7F:
            if shift > 63:
                raise unreadable("a number is too long")
            byte = self.get(8)
            value |= (byte & 0x7F) << shift
            shift += 7
        if byte == 0 or value >> 64:
            raise unreadable("a number is not in its shortest form")
        return value

    def one_of(self, count: int) -> int:
        width = count.bit_length() - 1
        short = (2 << width) - count
        place = self.get(width)
        return place if place < short else 2 * place + self.get(1) - short

    def close(self, step: str = "NOT-3") -> None:
        """Nothing follows but the zeros that fill the last byte."""
        if self.left not in _FILLING or self.at < len(self._raw):
            raise unreadable("something follows the last field", step)


Put = Callable[[Any, BitWriter], None]
Get = Callable[[BitReader], Any]


def one_among(
    values: Sequence[T], otherwise: Callable[[BitReader, int], T], usual: int | None = None
) -> Callable[[BitReader], T]:
    """Gets one of these by its place below `usual`; nearly all fields are read so.

    For places without a value, and for `usual` itself, which says that more follows, `otherwise` gets the place. It is
    `one_of(usual + 1)` with all that follows from the number worked out.
    """
    count = (len(values) if usual is None else usual) + 1
    width = count.bit_length() - 1
    short = (2 << width) - count
    mask, one_more = (1 << width) - 1, width + 1
    enough = 1 << one_more

    def get(bits: BitReader) -> T:
        left = bits.left
        if left < enough:
            left = bits.fill()
        if left < enough:  # near the end
            place = bits.one_of(count)
        else:
            place = left & mask
            if place < short:
                bits.left = left >> width
            else:
                place = 2 * place + (left >> width & 1) - short
                bits.left = left >> one_more
        try:
            return values[place]
        except IndexError:
            return otherwise(bits, place)

    return get


def number_with(usual: int) -> Callable[[BitReader], int]:
    """Gets what `BitWriter.number` puts."""
    return one_among(tuple(range(usual)), lambda bits, place: place + bits.size())


_small = number_with(_SMALL)


def _put_int(value: int, out: BitWriter) -> None:
    out.size(value << 1 if value >= 0 else (-value << 1) - 1)


def _get_int(bits: BitReader) -> int:
    value = bits.size()
    return -((value + 1) >> 1) if value & 1 else value >> 1


def _put_bool(value: bool, out: BitWriter) -> None:
    out.put(value, 1)


def _get_bool(bits: BitReader) -> bool:
    return bits.get(1) == 1


def _put_text(value: str, out: BitWriter) -> None:
    try:
        raw = value.encode()
    except UnicodeEncodeError:
        raise unreadable("a text holds something that is not a character") from None
    if len(raw) > MAX_FIELD_TEXT:
        raise unreadable("a text is too long")
    out.put(len(raw), 8)
    out.put(int.from_bytes(raw, "little"), 8 * len(raw))


def _get_text(bits: BitReader) -> str:
    size = bits.get(8)
    try:
        return bits.get(8 * size).to_bytes(size, "little").decode()
    except UnicodeDecodeError:
        raise unreadable("a text is not UTF-8") from None


def _enum_codec(hint: type[StrEnum]) -> tuple[Put, Get]:
    members = tuple(hint)
    places = {member: place for place, member in enumerate(members)}

    def put(value: StrEnum, out: BitWriter) -> None:
        out.number(places[value], _SMALL)

    def rare(bits: BitReader, place: int) -> StrEnum:
        if place == _SMALL:
            place += bits.size()
        if place >= len(members):
            raise unreadable(f"{hint.__name__} has no member {place}")
        return members[place]

    return put, one_among(members[:_SMALL], rare, _SMALL)


def _common_codec(values: tuple[int, ...]) -> tuple[Put, Get]:
    places = {value: place for place, value in enumerate(values)}
    count = len(values)
    if len(places) != count:
        raise TypeError("a common value is listed twice")

    def put(value: int, out: BitWriter) -> None:
        place = places.get(value, count)
        out.one_of(place, count + 1)
        if place == count:
            _put_int(value, out)

    def rare(bits: BitReader, _: int) -> int:
        value = _get_int(bits)
        if value in places:
            raise unreadable("a number is not in its shortest form")
        return value

    return put, one_among(values, rare)


def _row_codec(members: tuple[Any, ...]) -> tuple[Put, Get]:
    codecs = [codec(member) for member in members]

    def put(value: tuple[Any, ...], out: BitWriter) -> None:
        for (put_member, _), item in zip(codecs, value, strict=True):
            put_member(item, out)

    def get(bits: BitReader) -> tuple[Any, ...]:
        return tuple([get_member(bits) for _, get_member in codecs])

    return put, get


def _list_codec(member: Any) -> tuple[Put, Get]:
    put_member, get_member = codec(member)

    def put(value: tuple[Any, ...], out: BitWriter) -> None:
        if len(value) > MAX_FIELD_MEMBERS:
            raise unreadable("a list is too long")
        out.number(len(value), _SMALL)
        for item in value:
            put_member(item, out)

    def get(bits: BitReader) -> tuple[Any, ...]:
        count = _small(bits)
        if count == 2:  # as a path nearly always has
            return get_member(bits), get_member(bits)
        if count > MAX_FIELD_MEMBERS:
            raise unreadable("a list is too long")
        return tuple(map(get_member, repeat(bits, count)))

    return put, get


def codec(hint: Any) -> tuple[Put, Get]:
    """How a field of this type is put and got (NOT-2)."""
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        common = [note for note in notes if isinstance(note, Common)]
        if common and (inner is not int or len(common) > 1):
            raise TypeError("only an int has common values")
        return _common_codec(tuple(common[0].values)) if common else codec(inner)
    if hint is int:
        return _put_int, _get_int
    if hint is bool:
        return _put_bool, _get_bool
    if hint is str:
        return _put_text, _get_text
    if get_origin(hint) is tuple:
        args = get_args(hint)
        if len(args) == 2 and args[1] is Ellipsis:
            return _list_codec(args[0])
        if args:
            return _row_codec(args)
    elif isinstance(hint, type) and not isinstance(hint, GenericAlias) and issubclass(hint, StrEnum):
        return _enum_codec(hint)
    raise TypeError(f"an order's field cannot be a {hint}")
