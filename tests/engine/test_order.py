"""Orders as they stand in a record: round trips, one form only, hostile forms."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.order import Order, OrderKinds, Violation
from pbem.protocol.canonical import pack
from pbem.protocol.errors import Refusal


class Arm(StrEnum):
    FOOT = "foot"
    HORSE = "horse"


@dataclass(frozen=True, slots=True)
class Move(Order):
    unit: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Everything(Order):
    number: int
    text: str
    flag: bool
    arm: Arm
    pairs: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Done(Order):
    pass


@dataclass(frozen=True, slots=True)
class March(Order):
    unit: int
    to: int | None = None
    via: tuple[int, Arm] = (0, Arm.FOOT)


KINDS = OrderKinds((Move, Everything, Done, March))
INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(st.characters(codec="utf-8"), max_size=40)
ORDERS = st.one_of(
    st.builds(Move, INT64, st.lists(INT64, max_size=50).map(tuple)),
    st.builds(
        Everything,
        INT64,
        TEXT,
        st.booleans(),
        st.sampled_from(Arm),
        st.lists(st.tuples(INT64, st.text("abcß", max_size=5)), max_size=4).map(tuple),
    ),
    st.just(Done()),
    st.builds(March, INT64, st.none() | INT64, st.tuples(INT64, st.sampled_from(Arm))),
)
SCALARS = st.none() | st.booleans() | INT64 | st.sampled_from(["move", "march", "done", "foot", "arm", ""])
PLAIN = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=6), max_leaves=12)


def form_of(plain: Any) -> str:
    with pytest.raises(Refusal) as caught:
        KINDS.read(plain)
    assert caught.value.code == "E-ORDER-FORM"
    return caught.value.step


@given(ORDERS)
def test_an_order_reads_back(order: Order) -> None:
    assert KINDS.fits(order)
    assert KINDS.read(KINDS.write(order)) == order
    assert KINDS.unpack(KINDS.pack(order)) == order


def test_any_reader_of_msgpack_shows_an_order() -> None:
    assert KINDS.write(Done()) == ["done"]
    assert KINDS.write(March(7)) == ["march", 7, None, [0, "foot"]]
    assert KINDS.write(Everything(1, "x", True, Arm.HORSE, ((2, "y"),))) == [  # noqa: FBT003
        "everything", 1, "x", True, "horse", [[2, "y"]],
    ]  # fmt: skip


def near_an_order(order: Order) -> st.SearchStrategy[Any]:
    """What an order looks like, with one member changed, left out or added."""
    plain = KINDS.write(order)
    at = st.integers(0, len(plain) - 1)
    return st.one_of(
        st.tuples(at, PLAIN).map(lambda found: [*plain[: found[0]], found[1], *plain[found[0] + 1 :]]),
        at.map(lambda n: plain[:n] + plain[n + 1 :]),
        PLAIN.map(lambda more: [*plain, more]),
    )


@given(PLAIN | ORDERS.flatmap(near_an_order))
def test_what_is_read_is_written_back_exactly_or_refused(plain: Any) -> None:
    try:
        order = KINDS.read(plain)
    except Refusal as refusal:
        if refusal.code != "E-ORDER-FORM":
            raise
    else:
        assert pack(KINDS.write(order)) == pack(plain)  # bytes: True and 1 are two


@pytest.mark.parametrize(
    ("plain", "step"),
    [
        ([], "NOT-1"),
        (None, "NOT-1"),
        ({"order": ["done"]}, "NOT-1"),
        ([7], "NOT-1"),
        ([["done"]], "NOT-1"),
        (["fly"], "NOT-1"),
        (["Done"], "NOT-1"),
        (["done", 1], "NOT-2"),
        (["move", 1], "NOT-2"),
        (["move", 1, [], None], "NOT-2"),
        (["move", True, []], "NOT-2"),
        (["move", "1", []], "NOT-2"),
        (["move", None, []], "NOT-2"),
        (["move", 1, 2], "NOT-2"),
        (["move", 1, [False]], "NOT-2"),
        (["move", 1, [[1]]], "NOT-2"),
        (["move", 1, "12"], "NOT-2"),
        (["march", 1, None, [0]], "NOT-2"),
        (["march", 1, None, [0, "foot", 1]], "NOT-2"),
        (["march", 1, None, [0, "FOOT"]], "NOT-2"),
        (["march", 1, None, [0, 0]], "NOT-2"),
        (["march", 1, "", [0, "foot"]], "NOT-2"),
        (["march", 1, None, [0, ["foot"]]], "NOT-2"),
        (["everything", 1, b"x", True, "foot", []], "NOT-2"),
        (["everything", 1, "x", 1, "foot", []], "NOT-2"),
        (["move", 1, [2**62] * 56], "NOT-4"),
        (["everything", 1, "x" * 500, True, "foot", []], "NOT-4"),
    ],
)
def test_other_forms_are_refused(plain: Any, step: str) -> None:
    assert form_of(plain) == step


@pytest.mark.parametrize(("kind", "plain"), [("move", ["move", 1, [2**62] * 55]), ("everything", None)])
def test_an_order_of_512_bytes_is_not_too_long(kind: str, plain: Any) -> None:
    if plain is None:
        plain = ["everything", 1, "", True, "foot", []]
        plain[2] = "x" * (512 - len(pack(plain)) - 2)
        assert len(pack(plain)) == 512
    assert KINDS.write(KINDS.read(plain)) == plain


def test_a_record_does_not_take_more_orders_than_allowed() -> None:
    assert KINDS.read_all(KINDS.write_all([Done()] * 2_048)) == [Done()] * 2_048
    with pytest.raises(Refusal) as caught:
        KINDS.write_all([Done()] * 2_049)
    assert caught.value.code == "E-LARGE"
    many = [Move(1, (2**62,) * 50)] * 600
    with pytest.raises(Refusal) as caught:
        KINDS.write_all(many)
    assert caught.value.code == "E-LARGE"
    with pytest.raises(Refusal) as caught:
        KINDS.read_all([KINDS.write(each) for each in many])
    assert (caught.value.code, caught.value.step) == ("E-ORDER-FORM", "NOT-4")


def test_fields_are_of_few_types() -> None:
    @dataclass(frozen=True, slots=True)
    class Raw(Order):
        name: bytes

    @dataclass(frozen=True, slots=True)
    class Listed(Order):
        to: list[int]

    @dataclass(frozen=True, slots=True)
    class Either(Order):
        to: int | str

    @dataclass(frozen=True, slots=True)
    class Deep(Order):
        to: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]

    class Undeclared(Order):
        to: int

    for kind in (Raw, Listed, Either, Deep, Undeclared):
        with pytest.raises(TypeError):
            OrderKinds((kind,))


def test_fits_sees_wrong_types() -> None:
    assert not KINDS.fits(Move("7", ()))  # type: ignore[arg-type]
    assert not KINDS.fits(Move(unit=True, path=()))
    assert not KINDS.fits(Move(1, [1]))  # type: ignore[arg-type]
    assert not KINDS.fits(Move(2**63, ()))
    assert not KINDS.fits(Move(1, (2**60,) * 100))  # longer than an order may be
    assert not KINDS.fits(Everything(1, "ß" * 256, True, Arm.FOOT, ()))  # noqa: FBT003
    assert not KINDS.fits(Everything(1, "\udc80", True, Arm.FOOT, ()))  # noqa: FBT003
    assert not KINDS.fits(Everything(1, "x", True, "foot", ()))  # type: ignore[arg-type]  # noqa: FBT003
    assert not KINDS.fits(Order())
    assert not KINDS.fits(March(2**63, 405))


def test_kinds_are_named_after_classes() -> None:
    assert (Move.kind, Everything.kind) == ("move", "everything")
    with pytest.raises(TypeError):
        OrderKinds((Move, Move))


def test_a_violation_shows_its_rule() -> None:
    assert str(Violation("8.4", "Too far")) == "Too far (8.4)"
