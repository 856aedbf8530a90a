"""Orders: small frozen values, how they stand in a record, and the reasons why one is not allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, ClassVar, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from pbem.engine.policy import Comparison
from pbem.protocol import canonical
from pbem.protocol.canonical import Plain
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_ORDER, MAX_ORDER_DEPTH, MAX_ORDERS, MAX_ORDERS_SIZE

PlainOrder: TypeAlias = list[Any]
"""An order as it stands in a record: `[kind, field, ...]` (NOT-1)."""
PlainLine: TypeAlias = Any
"""The same, or a map: a line of a plan with conditions (NOT-3)."""

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def snake(name: str) -> str:
    """`JointLoss` -> `joint_loss`."""
    return _CAPITAL.sub("_", name).lower()


class Order:
    """Base of every order: a frozen, slotted dataclass.

    Its fields are int, bool, str, StrEnum, tuples and optionals of these. `kind` is the class's name in snake case if
    it is not said; so it is for frames, events and steps. `sampled`: there are so many that `legal` lists only some of
    them, and `check` alone says which are allowed. `text` is how it is written
    (`class Move(Order, text="move {unit} {to}")`); what is annotated to a field says how its values are called
    (`unit: Annotated[int, Words(UNITS)]`).
    """

    __slots__ = ()
    kind: ClassVar[str]
    sampled: ClassVar[bool] = False
    written: ClassVar[str] = ""  # the text, as a class says it

    def __init_subclass__(cls, text: str = "") -> None:
        if text:
            cls.written = text
        if "kind" not in cls.__dict__:
            cls.kind = snake(cls.__name__)


@dataclass(frozen=True, slots=True)
class Sealed(Order):
    """Stands for an answer that is committed and not yet opened; `slot` is where its commitment lies."""

    slot: str


@dataclass(frozen=True, slots=True)
class PlanLine(Order):
    """An order of a plan with conditions (NOT-3). No decision takes it as it is."""

    order: Order
    tests: tuple[Comparison, ...] = ()
    must: bool = False

    def __str__(self) -> str:
        """What stands before the order's text."""
        when = f"if {' and '.join(map(str, self.tests))} then " if self.tests else ""
        return f"{when}must " if self.must else when

    def unmet(self, facts: Mapping[str, int]) -> Violation | None:
        """The tests do not all hold."""
        false = [str(test) for test in self.tests if not test.holds(facts)]
        return Violation("", f"{' and '.join(false)} does not hold") if false else None


def bare(order: Order) -> Order:
    """Without conditions."""
    return order.order if isinstance(order, PlanLine) else order


@dataclass(frozen=True, slots=True)
class Violation:
    """Why an order is not allowed: the rule that forbids it, and a sentence for the player."""

    rule: str
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})" if self.rule else self.reason


def unreadable(sentence: str, step: str = "NOT-2") -> Refusal:
    return Refusal("E-ORDER-FORM", f"An order in the record cannot be read: {sentence}.", step=step)


class OrderKinds:
    """The kinds of order of one game, and the one form in which each stands in a record (NOT-1, NOT-2).

    `write` and `read` are each other's inverse. What is read comes from `canonical.unpack`, which has judged encoding,
    range and depth; here it is judged by the types of the fields, strictly.
    """

    def __init__(self, orders: Sequence[type[Order]]) -> None:
        if len({order.kind for order in orders}) != len(orders):
            raise TypeError("each kind of order has a name of its own")
        self.orders = tuple(orders)
        self.by_kind = {order.kind: order for order in orders}
        forms = [_Form(order) for order in orders]
        self._write = {form.order: form.write for form in forms}
        self._read = {form.order.kind: form.read for form in forms}

    def write(self, order: Order) -> PlainLine:
        """How an order of this game stands in a record; a line of a plan is a map."""
        if isinstance(order, PlanLine):
            line: dict[str, Any] = {"order": self.write(order.order)}
            if order.tests:
                line["if"] = [[test.fact, test.compare, test.number] for test in order.tests]
            return {**line, "must": True} if order.must else line
        return self._write[type(order)](order)

    def read(self, plain: Plain) -> Order:
        """The order that stands so; anything else is refused (E-ORDER-FORM)."""
        if type(plain) is not list or not plain or type(plain[0]) is not str:
            raise unreadable("it is not an array that begins with a kind", "NOT-1")
        read = self._read.get(plain[0])
        if read is None:
            raise unreadable(f"this game has no order {plain[0][:32]!r}", "NOT-1")
        return read(plain)

    def read_line(self, plain: Plain) -> Order:
        """An order, or a line of a plan; its conditions were judged with the record's form (REC-6)."""
        if type(plain) is not dict:
            return self.read(plain)
        tests: Any = plain.get("if", ())
        line = PlanLine(self.read(plain["order"]), tuple([Comparison(*test) for test in tests]), "must" in plain)
        if not (line.tests or line.must):
            raise unreadable("a line of a plan has no condition", "NOT-3")
        return line

    def read_all(self, plain: Sequence[Plain]) -> list[Order]:
        """The orders of a record."""
        if len(plain) > MAX_ORDERS_SIZE // MAX_ORDER and canonical.size(plain) > MAX_ORDERS_SIZE:
            raise unreadable(f"all together are longer than {MAX_ORDERS_SIZE} bytes", "NOT-4")
        return [self.read_line(each) if type(each) is dict else self.read(each) for each in plain]

    def write_all(self, orders: Iterable[Order]) -> list[Plain]:
        plain: list[Plain] = [self.write(order) for order in orders]
        if len(plain) > MAX_ORDERS or len(canonical.pack(plain)) > MAX_ORDERS_SIZE:
            sentence = f"A record holds at most {MAX_ORDERS} orders, and {MAX_ORDERS_SIZE} bytes of them."
            raise Refusal("E-LARGE", sentence, step="NOT-4")
        return plain

    def pack(self, order: Order) -> bytes:
        """As it lies in a box or in an opening."""
        return canonical.pack(self.write(order))

    def unpack(self, raw: bytes) -> Order:
        return self.read(canonical.unpack(raw))

    def fits(self, order: Order) -> bool:
        """Is this an order of the game that can stand in a record? For orders that did not come from one."""
        order = bare(order)
        try:
            return type(order) in self._write and self.unpack(self.pack(order)) == order
        except (Refusal, AttributeError, TypeError, ValueError):
            return False


_Get = Callable[[Any], Any]


class _Form:
    """How one kind stands in a record: its name, then all its fields in the order of their declaration."""

    __slots__ = ("_gets", "_named", "_names", "_plain", "_puts", "_short", "_types", "order")

    def __init__(self, order: type[Order]) -> None:
        if "__dataclass_fields__" not in order.__dict__:
            raise TypeError(f"{order.__name__} is not a dataclass")
        hints = get_type_hints(order)
        self.order = order
        self._names = tuple(field.name for field in fields(cast(Any, order)))
        known = [_field(hints[name]) for name in self._names]
        if any(each.depth >= MAX_ORDER_DEPTH for each in known):
            raise TypeError(f"{order.__name__} is nested deeper than {MAX_ORDER_DEPTH}")
        self._puts = tuple(each.put for each in known)
        self._gets = tuple(each.get for each in known)
        self._plain = all(each.put is _same for each in known)
        # What lies in a record as it lies in the order is judged by its types at once.
        self._types = (str, *(each.type for each in known)) if self._plain else None
        self._named = any(each.kw_only for each in fields(cast(Any, order)))
        self._short = sum(each.most for each in known) + len(order.kind) + 5 <= MAX_ORDER

    def write(self, order: Order) -> PlainOrder:
        values = [getattr(order, name) for name in self._names]
        if not self._plain:
            values = [put(value) for put, value in zip(self._puts, values, strict=True)]
        return [order.kind, *values]

    def read(self, plain: list[Any]) -> Order:
        if len(plain) != len(self._names) + 1:
            raise unreadable(f"{self.order.kind} has {len(self._names)} fields, not {len(plain) - 1}")
        if not self._short and canonical.size(plain) > MAX_ORDER:
            raise unreadable(f"it is longer than {MAX_ORDER} bytes", "NOT-4")
        if self._types is None:
            values = [get(value) for get, value in zip(self._gets, plain[1:], strict=True)]
        elif tuple(map(type, plain)) == self._types:
            values = plain[1:]
        else:
            raise unreadable(f"a field of {self.order.kind} is of another type than declared")
        make: Callable[..., Order] = self.order
        return make(**dict(zip(self._names, values, strict=True))) if self._named else make(*values)


@dataclass(frozen=True, slots=True)
class _Field:
    """How a field of one type is written and read; the most bytes that it takes, and how deep it is nested."""

    put: _Get
    get: _Get
    most: int
    depth: int = 0
    type: Any = None


_LONG = MAX_ORDER + 1  # of fields without a bound of their own


def _same(value: Any) -> Any:
    return value


def _field(hint: Any) -> _Field:
    if hint in (int, bool, str):
        return _Field(_same, _scalar(hint), _LONG if hint is str else 9, type=hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _enum(hint)
    args = get_args(hint)
    if get_origin(hint) in (Union, UnionType) and NoneType in args and len(args) == 2:
        return _optional(_field(next(arg for arg in args if arg is not NoneType)))
    if get_origin(hint) is tuple and args:
        return _tuple(_field(args[0])) if args[1:] == (Ellipsis,) else _row([_field(arg) for arg in args])
    raise TypeError(f"an order's field cannot be a {hint}")


def _scalar(kind: type) -> _Get:
    def get(plain: Any) -> Any:
        if type(plain) is not kind:
            raise unreadable(f"{kind.__name__} expected")
        return plain

    return get


def _enum(hint: type[StrEnum]) -> _Field:
    members = {member.value: member for member in hint}

    def get(plain: Any) -> StrEnum:
        member = members.get(plain) if type(plain) is str else None
        if member is None:
            raise unreadable(f"no such {hint.__name__}")
        return member

    return _Field(lambda member: member.value, get, max(5 + len(text.encode()) for text in members))


def _optional(inner: _Field) -> _Field:
    put, get = inner.put, inner.get
    return _Field(
        lambda value: None if value is None else put(value),
        lambda plain: None if plain is None else get(plain),
        inner.most,
        inner.depth,
    )


def _tuple(member: _Field) -> _Field:
    put, get, kind = member.put, member.get, member.type

    def get_all(plain: Any) -> tuple[Any, ...]:
        if type(plain) is not list:
            raise unreadable("an array expected")
        if kind is not None and {kind}.issuperset(map(type, plain)):
            return tuple(plain)
        return tuple([get(each) for each in plain])

    return _Field(lambda value: [put(each) for each in value], get_all, _LONG, member.depth + 1)


def _row(members: list[_Field]) -> _Field:
    def put_all(value: tuple[Any, ...]) -> list[Any]:
        return [member.put(each) for member, each in zip(members, value, strict=True)]

    def get_all(plain: Any) -> tuple[Any, ...]:
        if type(plain) is not list or len(plain) != len(members):
            raise unreadable(f"an array of {len(members)} expected")
        return tuple([member.get(each) for member, each in zip(members, plain, strict=True)])

    most = 5 + sum(member.most for member in members)
    return _Field(put_all, get_all, most, 1 + max(member.depth for member in members))
