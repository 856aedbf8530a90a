"""Orders: small frozen values, one compact packed form each, and the reasons why one is not allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from types import GenericAlias
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_FIELD_MEMBERS, MAX_FIELD_TEXT, MAX_INT, MAX_ORDER, MIN_INT

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def snake(name: str) -> str:
    """`JointLoss` -> `joint_loss`."""
    return _CAPITAL.sub("_", name).lower()


class Order:
    """Base of every order: a frozen, slotted dataclass whose fields are int, str, bool, StrEnum or tuples of these.

    `kind` is the class's name in snake case if it is not said; so it is for frames, events and steps.
    """

    __slots__ = ()
    kind: ClassVar[str]

    def __init_subclass__(cls) -> None:
        if "kind" not in cls.__dict__:
            cls.kind = snake(cls.__name__)


@dataclass(frozen=True, slots=True)
class Sealed(Order):
    """Stands for an answer that is committed and not yet opened; `slot` is where its commitment lies."""

    slot: str


@dataclass(frozen=True, slots=True)
class Violation:
    """Why an order is not allowed: the rule that forbids it, and a sentence for the player."""

    rule: str
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})" if self.rule else self.reason


def unreadable(sentence: str) -> Refusal:
    return Refusal("E-ORDER-FORM", f"A packed order cannot be read: {sentence}.", step="NOT-3")


Write = Callable[[Any, bytearray], None]
Read = Callable[[bytes, int], tuple[Any, int]]


def _write_size(n: int, out: bytearray) -> None:
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)


def _read_size(raw: bytes, at: int) -> tuple[int, int]:
    try:
        byte = raw[at]
        if byte < 0x80:
            return byte, at + 1
        value, shift = byte & 0x7F, 7
        while True:
            at += 1
            byte = raw[at]
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 63:
                raise unreadable("a number is too long")
    except IndexError:
        raise unreadable("it ends too early") from None
    if byte == 0 or value >> 64:
        raise unreadable("a number is not in its shortest form")
    return value, at + 1


def _write_int(value: int, out: bytearray) -> None:
    _write_size(value << 1 if value >= 0 else (-value << 1) - 1, out)


def _read_int(raw: bytes, at: int) -> tuple[int, int]:
    value, at = _read_size(raw, at)
    return (-((value + 1) >> 1) if value & 1 else value >> 1), at


def _write_bool(value: bool, out: bytearray) -> None:
    out.append(1 if value else 0)


def _read_bool(raw: bytes, at: int) -> tuple[bool, int]:
    value, at = _read_size(raw, at)
    if value > 1:
        raise unreadable("a yes or no is neither")
    return value == 1, at


def _write_text(value: str, out: bytearray) -> None:
    try:
        raw = value.encode()
    except UnicodeEncodeError:
        raise unreadable("a text holds what is no character") from None
    if len(raw) > MAX_FIELD_TEXT:
        raise unreadable("a text is too long")
    _write_size(len(raw), out)
    out += raw


def _read_text(raw: bytes, at: int) -> tuple[str, int]:
    size, at = _read_size(raw, at)
    end = at + size
    if size > MAX_FIELD_TEXT or end > len(raw):
        raise unreadable("a text is too long")
    try:
        return raw[at:end].decode(), end
    except UnicodeDecodeError:
        raise unreadable("a text is not UTF-8") from None


def _enum_codec(hint: type[StrEnum]) -> tuple[Write, Read]:
    def read(raw: bytes, at: int) -> tuple[StrEnum, int]:
        text, at = _read_text(raw, at)
        try:
            return hint(text), at
        except ValueError:
            raise unreadable(f"{text!r} is no {hint.__name__}") from None

    return _write_text, read


def _row_codec(members: tuple[Any, ...]) -> tuple[Write, Read]:
    codecs = [_codec(member) for member in members]

    def write(value: tuple[Any, ...], out: bytearray) -> None:
        for (put, _), item in zip(codecs, value, strict=True):
            put(item, out)

    def read(raw: bytes, at: int) -> tuple[tuple[Any, ...], int]:
        items = []
        for _, get in codecs:
            item, at = get(raw, at)
            items.append(item)
        return tuple(items), at

    return write, read


def _list_codec(member: Any) -> tuple[Write, Read]:
    put, get = _codec(member)

    def write(value: tuple[Any, ...], out: bytearray) -> None:
        if len(value) > MAX_FIELD_MEMBERS:
            raise unreadable("a list is too long")
        _write_size(len(value), out)
        for item in value:
            put(item, out)

    def read(raw: bytes, at: int) -> tuple[tuple[Any, ...], int]:
        count, at = _read_size(raw, at)
        if count > MAX_FIELD_MEMBERS or count > len(raw) - at:  # every member takes a byte at least
            raise unreadable("a list is too long")
        items = []
        for _ in range(count):
            item, at = get(raw, at)
            items.append(item)
        return tuple(items), at

    return write, read


def _codec(hint: Any) -> tuple[Write, Read]:
    if hint is int:
        return _write_int, _read_int
    if hint is bool:
        return _write_bool, _read_bool
    if hint is str:
        return _write_text, _read_text
    if get_origin(hint) is tuple:
        args = get_args(hint)
        if len(args) == 2 and args[1] is Ellipsis:
            return _list_codec(args[0])
        if args:
            return _row_codec(args)
    elif isinstance(hint, type) and not isinstance(hint, GenericAlias) and issubclass(hint, StrEnum):
        return _enum_codec(hint)
    raise TypeError(f"an order's field cannot be a {hint}")


def _fits(hint: Any, value: Any) -> bool:
    if get_origin(hint) is tuple:
        args = get_args(hint)
        if type(value) is not tuple:
            return False
        if args[1:] == (Ellipsis,):
            return len(value) <= MAX_FIELD_MEMBERS and all(_fits(args[0], item) for item in value)
        return len(value) == len(args) and all(map(_fits, args, value))
    if hint is int:
        return type(value) is int and MIN_INT <= value <= MAX_INT
    return type(value) is hint


@dataclass(frozen=True, slots=True)
class _Form:
    number: int
    order: type[Order]
    members: tuple[tuple[str, Write, Read], ...]
    hints: tuple[tuple[str, Any], ...]


class OrderCodes:
    """Packs the orders of one game: kind number (one byte, its place in the list), then the fields one after another.

    New kinds are added at the end of the list, so that old records keep their meaning (NOT-1..4).
    """

    def __init__(self, orders: Sequence[type[Order]]) -> None:
        if len(orders) > 256 or len({order.kind for order in orders}) != len(orders):
            raise TypeError("a game has at most 256 kinds of order, each with a name of its own")
        self.orders = tuple(orders)
        self.by_kind = {order.kind: order for order in orders}
        self._forms = [self._form(number, order) for number, order in enumerate(orders)]
        self._form_of = {form.order: form for form in self._forms}

    @staticmethod
    def _form(number: int, order: type[Order]) -> _Form:
        if not is_dataclass(order):
            raise TypeError(f"{order.__name__} is not a dataclass")
        hints = get_type_hints(order)
        names = [field.name for field in fields(order)]
        members = tuple((name, *_codec(hints[name])) for name in names)
        return _Form(number, order, members, tuple((name, hints[name]) for name in names))

    def pack(self, order: Order) -> bytes:
        """The packed form of an order of this game that `fits`; others are refused."""
        form = self._form_of[type(order)]
        out = bytearray((form.number,))
        for name, put, _ in form.members:
            put(getattr(order, name), out)
        if len(out) > MAX_ORDER:
            raise unreadable("it is too long")
        return bytes(out)

    def unpack(self, raw: bytes) -> Order:
        """The one order whose packed form this is; anything else is refused (E-ORDER-FORM)."""
        if not raw or len(raw) > MAX_ORDER:
            raise unreadable("it is empty or too long")
        if raw[0] >= len(self._forms):
            raise unreadable("this game knows no such order")
        form = self._forms[raw[0]]
        values, at = [], 1
        for _, _, get in form.members:
            value, at = get(raw, at)
            values.append(value)
        if at != len(raw):
            raise unreadable("something follows it")
        return form.order(*values)

    def fits(self, order: Order) -> bool:
        """Is this an order of the game that has a packed form? For orders that did not come packed."""
        form = self._form_of.get(type(order))
        if form is None or not all(_fits(hint, getattr(order, name)) for name, hint in form.hints):
            return False
        try:
            self.pack(order)
        except Refusal:
            return False
        return True
