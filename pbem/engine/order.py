"""Orders: small frozen values, one compact packed form each, and the reasons why one is not allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

from pbem.engine.bits import BitReader, BitWriter, Common, Get, Lead, Put, codec, one_among, unreadable
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_FIELD_MEMBERS, MAX_INT, MAX_ORDER, MAX_ORDERS, MAX_PACKED, MIN_INT

__all__ = ["Common", "Lead", "Order", "OrderCodes", "Sealed", "Violation", "snake", "unreadable"]

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def snake(name: str) -> str:
    """`JointLoss` -> `joint_loss`."""
    return _CAPITAL.sub("_", name).lower()


class Order:
    """Base of every order: a frozen, slotted dataclass whose fields are int, str, bool, StrEnum or tuples of these.

    `kind` is the class's name in snake case if it is not said; so it is for frames, events and steps. `sampled`: there
    are so many that `legal` lists only some of them, and `check` alone says which are allowed.
    """

    __slots__ = ()
    kind: ClassVar[str]
    sampled: ClassVar[bool] = False

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
    puts: tuple[Put, ...]
    gets: tuple[Get, ...]


_Read = Callable[[BitReader], Order]
"""Reads what follows one code."""


def _form(number: int, order: type[Order]) -> _Form:
    if not is_dataclass(order):
        raise TypeError(f"{order.__name__} is not a dataclass")
    known = get_type_hints(order, include_extras=True)
    names = tuple(field.name for field in fields(order))
    hints = tuple(known[name] for name in names)
    codecs = [codec(hint) for hint in hints]
    lead = next((note.count for hint in hints[:1] for note in get_args(hint)[1:] if isinstance(note, Lead)), 0)
    if lead and get_args(hints[0]) != (int, Lead(lead)):
        raise TypeError("only a plain int can lead")
    return _Form(number, lead, order, names, hints, tuple(put for put, _ in codecs), tuple(get for _, get in codecs))


def _reader(order: Callable[..., Order], gets: tuple[Get, ...]) -> _Read:
    """Of an order all fields of which follow. Most have three at most, which need no list."""
    if not gets:
        return lambda _: order()
    if len(gets) == 1:
        (only,) = gets
        return lambda bits: order(only(bits))
    if len(gets) == 2:
        first, second = gets
        return lambda bits: order(first(bits), second(bits))
    if len(gets) == 3:
        first, second, third = gets
        return lambda bits: order(first(bits), second(bits), third(bits))
    return lambda bits: order(*[get(bits) for get in gets])


def _led(order: Callable[..., Order], first: int, gets: tuple[Get, ...]) -> _Read:
    """Of an order whose first field comes with the code."""
    return lambda bits: order(first, *[get(bits) for get in gets])


def _not_led(order: Callable[..., Order], lead: int, gets: tuple[Get, ...]) -> _Read:
    """Of an order whose first field has a code of its own as long as it is below `lead`."""

    def read(bits: BitReader) -> Order:
        got = [get(bits) for get in gets]
        if 0 <= got[0] < lead:
            raise unreadable("a number is not in its shortest form")
        return order(*got)

    return read


def _check_length(bits: BitReader, at: int, left: int) -> None:
    """Of an order that was read from there. Only who had to take up more bytes can have read a long one."""
    if bits.place - (8 * at - left.bit_length() + 1) > 8 * MAX_ORDER:
        raise unreadable("it is too long")


class OrderCodes:
    """Packs the orders of one game: a code that tells the kind, then the fields one after another, in bits.

    New kinds are added at the end of the list, so that old records keep their meaning. How many codes are short follows
    from the list as it is; once the game has been played, `short` writes it down, and new kinds leave it alone
    (NOT-1..4, NOT-9).
    """

    def __init__(self, orders: Sequence[type[Order]], short: int | None = None) -> None:
        if len({order.kind for order in orders}) != len(orders):
            raise TypeError("each kind of order has a name of its own")
        self.orders = tuple(orders)
        self.by_kind = {order.kind: order for order in orders}
        self._form_of: dict[type[Order], _Form] = {}
        self._codes: list[_Read] = []
        for order in orders:
            form = self._form_of[order] = _form(len(self._codes), order)
            self._codes += [_led(order, value, form.gets[1:]) for value in range(form.lead)]
            self._codes.append(_not_led(order, form.lead, form.gets) if form.lead else _reader(order, form.gets))
        self.short = len(self._codes) if short is None else short
        if not 1 <= self.short <= len(self._codes):
            raise TypeError("at least one code is short, and no more than there are")
        self._code = one_among(tuple(self._codes[: self.short]), self._rare_code)

    def pack(self, order: Order) -> bytes:
        """The packed form of an order of this game that `fits`; others are refused."""
        out = BitWriter()
        self._write(order, out)
        return out.close()

    def pack_all(self, orders: Sequence[Order]) -> bytes:
        """As a record holds them: their number, then one after another without a gap (NOT-9)."""
        out = BitWriter()
        for order in orders:
            self._write(order, out)
        packed = out.close()
        if len(orders) > MAX_ORDERS or len(packed) > MAX_PACKED - 2:
            raise Refusal("E-LARGE", f"A record holds at most {MAX_ORDERS} orders.", step="NOT-9")
        return len(orders).to_bytes(2, "big") + packed

    def unpack(self, raw: bytes) -> Order:
        """The one order whose packed form this is; anything else is refused (E-ORDER-FORM)."""
        bits = BitReader(raw)
        at, left = bits.at, bits.left
        order = self._code(bits)(bits)
        _check_length(bits, at, left)
        bits.close()
        return order

    def unpack_all(self, raw: bytes) -> list[Order]:
        """The orders of a record (NOT-9)."""
        count = int.from_bytes(raw[:2], "big")
        if len(raw) < 2 or count > MAX_ORDERS:
            raise unreadable("the record does not say how many orders there are", "NOT-9")
        bits, code, orders = BitReader(raw, 2), self._code, []
        for _ in range(count):
            at, left = bits.at, bits.left
            orders.append(code(bits)(bits))
            if bits.at != at:
                _check_length(bits, at, left)
        bits.close("NOT-9")
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

    def _write(self, order: Order, out: BitWriter) -> None:
        form = self._form_of[type(order)]
        begun = out.place
        values = [getattr(order, name) for name in form.names]
        puts = form.puts
        if form.lead and 0 <= values[0] < form.lead:
            out.number(form.number + values[0], self.short)
            del values[0]
            puts = puts[1:]
        else:
            out.number(form.number + form.lead, self.short)
        for put, each in zip(puts, values, strict=True):
            put(each, out)
        if out.place - begun > 8 * MAX_ORDER:
            raise unreadable("it is too long")

    def _rare_code(self, bits: BitReader, short: int) -> _Read:
        code = short + bits.size()
        if code >= len(self._codes):
            raise unreadable("this game knows no such order")
        return self._codes[code]
