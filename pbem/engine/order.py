"""Orders: small frozen values, how they stand in a record, and the reasons why one is not allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, ClassVar, NamedTuple, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from pbem.engine.policy import Comparison
from pbem.protocol import canonical
from pbem.protocol.canonical import Plain
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_ORDER, MAX_ORDER_DEPTH, MAX_ORDERS, MAX_ORDERS_SIZE
from pbem.protocol.plain import codec

PlainOrder: TypeAlias = list[Any]
"""An order as it stands in a record: `[kind, field, ...]` (NOT-1)."""
PlainLine: TypeAlias = Any
"""The same, or a map: a line of a plan with conditions (NOT-3)."""

_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def snake(name: str) -> str:
    """`JointLoss` -> `joint_loss`."""
    return _CAPITAL.sub("_", name).lower()


class OrderPart(NamedTuple):
    """Explains an optional part of an order, in the annotation of its field: a label, a line of help, and the words
    that follow the order's sentence, in which `{}` stands for the value.

    For example: `OrderPart("least odds", "...", "at {} or better")`.

    `weighs`: the part counts in the chances of a fight, and `odds` takes it as it is in the order.
    """

    label: str
    help: str
    words: str
    weighs: bool = False


class Order:
    """Base of every order: a frozen, slotted dataclass.

    Its fields are int, bool, str, StrEnum, tuples and optionals of these. `kind` is by default the class's name in
    snake case, as for frames, events and steps. `sampled`: there are so many orders of this kind that `legal` lists
    only some of them, and only `check` says which are allowed. `text` is how the order is written (`class Move(Order,
    text="move {unit} {to}")`); the annotation of a field names its values (`unit: Annotated[int, Words(UNITS)]`).
    `says` is the sentence for a player, without a full stop (`says="Move {unit} to {to}"`); without it, the first line
    of the docstring is used.
    """

    __slots__ = ()
    kind: ClassVar[str]
    sampled: ClassVar[bool] = False
    written: ClassVar[str] = ""  # the text, as a class says it
    sentence: ClassVar[str] = ""  # the sentence, as a class says it

    def __init_subclass__(cls, text: str = "", says: str = "") -> None:
        if text:
            cls.written = text
        if says:
            cls.sentence = says
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
        """The words before the order's text."""
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
        if len(plain) > MAX_ORDERS_SIZE // MAX_ORDER and len(canonical.pack_ordered(plain)) > MAX_ORDERS_SIZE:
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


class _Form:
    """How one kind stands in a record: its name, then all its fields in the order of their declaration."""

    __slots__ = ("_codecs", "_named", "_names", "_short", "_types", "order")

    def __init__(self, order: type[Order]) -> None:
        if "__dataclass_fields__" not in order.__dict__:
            raise TypeError(f"{order.__name__} is not a dataclass")
        declared, hints = fields(cast(Any, order)), get_type_hints(order)
        known = [hints[each.name] for each in declared]
        bounds = [_bound(hint) for hint in known]
        if any(depth >= MAX_ORDER_DEPTH for _, depth in bounds):
            raise TypeError(f"{order.__name__} is nested deeper than {MAX_ORDER_DEPTH}")
        self.order = order
        self._names = tuple(each.name for each in declared)
        self._codecs = tuple(map(codec, known))
        # What lies in a record as it lies in the order is judged by its types at once.
        self._types = (str, *known) if {int, bool, str}.issuperset(known) else None
        self._named = any(each.kw_only for each in declared)
        self._short = sum(most for most, _ in bounds) + len(order.kind) + 5 <= MAX_ORDER

    def write(self, order: Order) -> PlainOrder:
        values = [getattr(order, name) for name in self._names]
        if self._types is None:
            values = [each.dump(value) for each, value in zip(self._codecs, values, strict=True)]
        return [order.kind, *values]

    def read(self, plain: list[Any]) -> Order:
        if len(plain) != len(self._names) + 1:
            raise unreadable(f"{self.order.kind} has {len(self._names)} fields, not {len(plain) - 1}")
        if not self._short and len(canonical.pack_ordered(plain)) > MAX_ORDER:
            raise unreadable(f"it is longer than {MAX_ORDER} bytes", "NOT-4")
        values = plain[1:]
        if self._types is None:
            try:
                values = [each.load(value) for each, value in zip(self._codecs, values, strict=True)]
            except Refusal as refusal:
                raise unreadable(f"a field of {self.order.kind}: {refusal.sentence}") from None
        elif tuple(map(type, plain)) != self._types:
            raise unreadable(f"a field of {self.order.kind} is of another type than declared")
        make: Callable[..., Order] = self.order
        return make(**dict(zip(self._names, values, strict=True))) if self._named else make(*values)


def _bound(hint: Any) -> tuple[int, int]:
    """The most bytes that a field of this type takes, as far as they are bounded, and how deep it is nested."""
    if hint in (int, bool):
        return 9, 0
    if hint is str:
        return MAX_ORDER + 1, 0
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return max(5 + len(member.value.encode()) for member in hint), 0
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType) and NoneType in args and len(args) == 2:
        return _bound(next(arg for arg in args if arg is not NoneType))
    if origin is not tuple or not args:
        raise TypeError(f"an order's field cannot be a {hint}")
    members = [_bound(arg) for arg in args if arg is not Ellipsis]
    most = MAX_ORDER + 1 if Ellipsis in args else 5 + sum(most for most, _ in members)
    return most, 1 + max(depth for _, depth in members)
