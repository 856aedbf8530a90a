"""Orders: small frozen values, one compact packed form each, and the reasons why one is not allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from types import GenericAlias
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_FIELD_MEMBERS, MAX_FIELD_TEXT, MAX_INT, MAX_ORDER, MAX_ORDERS, MAX_PACKED, MIN_INT

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
class Lead:
    """`unit: Annotated[int, Lead(24)]`, of the first field: 0..23 are packed in one number with the kind (NOT-1)."""

    count: int


@dataclass(frozen=True, slots=True)
class Common:
    """`to: Annotated[int, Common(HEXES)]`: these values are packed as their place here, others behind them (NOT-2)."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """Why an order is not allowed: the rule that forbids it, and a sentence for the player."""

    rule: str
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})" if self.rule else self.reason


def unreadable(sentence: str, step: str = "NOT-3") -> Refusal:
    return Refusal("E-ORDER-FORM", f"A packed order cannot be read: {sentence}.", step=step)


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
    members = tuple(hint)
    places = {member: place for place, member in enumerate(members)}

    def write(value: StrEnum, out: bytearray) -> None:
        _write_size(places[value], out)

    def read(raw: bytes, at: int) -> tuple[StrEnum, int]:
        place, at = _read_size(raw, at)
        if place >= len(members):
            raise unreadable(f"{hint.__name__} has no member {place}")
        return members[place], at

    return write, read


def _common_codec(values: tuple[int, ...]) -> tuple[Write, Read]:
    places = {value: place for place, value in enumerate(values)}
    count = len(values)
    if len(places) != count:
        raise TypeError("a common value is listed twice")

    def write(value: int, out: bytearray) -> None:
        place = places.get(value, count)
        _write_size(place, out)
        if place == count:
            _write_int(value, out)

    def read(raw: bytes, at: int) -> tuple[int, int]:
        place, at = _read_size(raw, at)
        if place < count:
            return values[place], at
        value, at = _read_int(raw, at)
        if place > count or value in places:
            raise unreadable("a number is not in its shortest form")
        return value, at

    return write, read


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
    if get_origin(hint) is Annotated:
        inner, *notes = get_args(hint)
        common = [note for note in notes if isinstance(note, Common)]
        if common and (inner is not int or len(common) > 1):
            raise TypeError("only an int has common values")
        return _common_codec(common[0].values) if common else _codec(inner)
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
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
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
    """How one kind is packed: `number` is its first code, `lead` how many values of its first field have their own."""

    number: int
    lead: int
    order: type[Order]
    names: tuple[str, ...]
    hints: tuple[Any, ...]
    writes: tuple[Write, ...]
    reads: tuple[Read, ...]


def _form(number: int, order: type[Order]) -> _Form:
    if not is_dataclass(order):
        raise TypeError(f"{order.__name__} is not a dataclass")
    known = get_type_hints(order, include_extras=True)
    names = tuple(field.name for field in fields(order))
    hints = tuple(known[name] for name in names)
    codecs = [_codec(hint) for hint in hints]
    reads = tuple(read for _, read in codecs)
    lead = next((note.count for hint in hints[:1] for note in get_args(hint)[1:] if isinstance(note, Lead)), 0)
    if lead and reads[0] is not _read_int:
        raise TypeError("only a plain int can lead")
    return _Form(number, lead, order, names, hints, tuple(write for write, _ in codecs), reads)


class OrderCodes:
    """Packs the orders of one game: a code that tells the kind, then the fields one after another.

    New kinds are added at the end of the list, so that old records keep their meaning (NOT-1..4, NOT-9).
    """

    def __init__(self, orders: Sequence[type[Order]]) -> None:
        if len({order.kind for order in orders}) != len(orders):
            raise TypeError("each kind of order has a name of its own")
        self.orders = tuple(orders)
        self.by_kind = {order.kind: order for order in orders}
        self._form_of: dict[type[Order], _Form] = {}
        self._codes: list[tuple[type[Order], tuple[int, ...], tuple[Read, ...], int]] = []
        for order in orders:
            form = self._form_of[order] = _form(len(self._codes), order)
            self._codes += [(order, (value,), form.reads[1:], 0) for value in range(form.lead)]
            self._codes.append((order, (), form.reads, form.lead))

    def pack(self, order: Order) -> bytes:
        """The packed form of an order of this game that `fits`; others are refused."""
        out = bytearray()
        self._write(order, out)
        return bytes(out)

    def pack_all(self, orders: Iterable[Order]) -> bytes:
        """As a record holds them: their number, then one after another (NOT-9)."""
        out, count = bytearray(2), 0
        for order in orders:
            self._write(order, out)
            count += 1
        if count > MAX_ORDERS or len(out) > MAX_PACKED:
            raise Refusal("E-LARGE", f"A record holds at most {MAX_ORDERS} orders.", step="NOT-9")
        out[:2] = count.to_bytes(2, "big")
        return bytes(out)

    def unpack(self, raw: bytes) -> Order:
        """The one order whose packed form this is; anything else is refused (E-ORDER-FORM)."""
        orders = self._read(raw, 0)
        if len(orders) != 1:
            raise unreadable("it is empty, or something follows it")
        return orders[0]

    def unpack_all(self, raw: bytes) -> list[Order]:
        """The orders of a record (NOT-9)."""
        orders = self._read(raw, 2)
        if len(raw) < 2 or len(orders) != int.from_bytes(raw[:2], "big"):
            raise unreadable("there are not as many as the record says", "NOT-9")
        return orders

    def fits(self, order: Order) -> bool:
        """Is this an order of the game that has a packed form? For orders that did not come packed."""
        form = self._form_of.get(type(order))
        if form is None or not all(
            _fits(hint, getattr(order, name)) for name, hint in zip(form.names, form.hints, strict=True)
        ):
            return False
        try:
            self.pack(order)
        except Refusal:
            return False
        return True

    def _write(self, order: Order, out: bytearray) -> None:
        form = self._form_of[type(order)]
        begun = len(out)
        values = [getattr(order, name) for name in form.names]
        writes = form.writes
        if form.lead and 0 <= values[0] < form.lead:
            _write_size(form.number + values[0], out)
            del values[0]
            writes = writes[1:]
        else:
            _write_size(form.number + form.lead, out)
        for write, value in zip(writes, values, strict=True):
            write(value, out)
        if len(out) - begun > MAX_ORDER:
            raise unreadable("it is too long")

    def _read(self, raw: bytes, at: int) -> list[Order]:
        codes, end = self._codes, len(raw)
        orders: list[Order] = []
        while at < end:
            begun = at
            code = raw[at]
            at += 1
            if code > 0x7F:
                code, at = _read_size(raw, begun)
            if code >= len(codes):
                raise unreadable("this game knows no such order")
            order, values, reads, lead = codes[code]
            if reads:
                got = [*values]
                for read in reads:
                    value, at = read(raw, at)
                    got.append(value)
                if lead and 0 <= got[0] < lead:
                    raise unreadable("a number is not in its shortest form")
                orders.append(order(*got))
            else:
                orders.append(order(*values))
            if at - begun > MAX_ORDER:
                raise unreadable("it is too long")
        return orders
