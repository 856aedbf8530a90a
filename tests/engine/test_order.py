"""Packed orders: round trips, one form only, hostile bytes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.order import Common, Lead, Order, OrderCodes, Violation
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
    unit: Annotated[int, Lead(24)]
    to: Annotated[int, Common((405, 406, -1))]
    via: tuple[Annotated[int, Common((405, 406))], ...] = ()


CODES = OrderCodes((Move, Everything, Done, March))
INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(max_size=60).filter(lambda text: len(text.encode("utf-8", "replace")) <= 255 and text.isprintable())
ORDERS = st.one_of(
    st.builds(Move, INT64, st.lists(INT64, max_size=10).map(tuple)),
    st.builds(
        Everything,
        INT64,
        TEXT,
        st.booleans(),
        st.sampled_from(Arm),
        st.lists(st.tuples(INT64, st.text("abcß", max_size=5)), max_size=4).map(tuple),
    ),
    st.just(Done()),
    st.builds(
        March,
        st.integers(-3, 30) | INT64,
        st.sampled_from((405, 406, -1, 0, 1, 407)) | INT64,
        st.lists(st.integers(404, 407), max_size=3).map(tuple),
    ),
)


def read_or_none(raw: bytes) -> Order | None:
    """The order; None: the bytes were refused, for the right reason."""
    try:
        return CODES.unpack(raw)
    except Refusal as refusal:
        if refusal.code != "E-ORDER-FORM":
            raise
        return None


@given(ORDERS)
def test_an_order_reads_back(order: Order) -> None:
    assert CODES.fits(order)
    assert CODES.unpack(CODES.pack(order)) == order


@given(st.binary(max_size=40))
def test_any_bytes_are_an_order_in_its_one_form_or_refused(raw: bytes) -> None:
    order = read_or_none(raw)
    assert order is None or CODES.pack(order) == raw


@given(ORDERS, st.integers(0, 200), st.integers(0, 255))
def test_a_changed_byte_never_yields_the_same_order(order: Order, place: int, byte: int) -> None:
    raw = bytearray(CODES.pack(order))
    place %= len(raw)
    if raw[place] == byte:
        return
    raw[place] = byte
    assert read_or_none(bytes(raw)) != order


def test_a_usual_order_is_short() -> None:
    assert len(CODES.pack(Move(7, (1208, 1309)))) == 7
    assert CODES.pack(Done()) == b"\x02"
    assert CODES.pack(March(7, 406)) == b"\x0a\x01\x00"


@given(st.lists(ORDERS, max_size=8))
def test_the_orders_of_a_record_read_back(orders: list[Order]) -> None:
    packed = CODES.pack_all(orders)
    assert CODES.unpack_all(packed) == orders
    assert len(packed) == 2 + sum(len(CODES.pack(order)) for order in orders)


@pytest.mark.parametrize("raw", [b"\0\1", b"\0\1\2\2", b"\0\3\2\2", b"\0\2\2\0", b"\0\1" + b"\2" * 600])
def test_other_orders_than_the_record_says(raw: bytes) -> None:
    with pytest.raises(Refusal) as caught:
        CODES.unpack_all(raw)
    assert caught.value.code == "E-ORDER-FORM"


def test_a_record_does_not_take_more_orders_than_allowed() -> None:
    assert CODES.unpack_all(CODES.pack_all([Done()] * 2_048)) == [Done()] * 2_048
    with pytest.raises(Refusal) as caught:
        CODES.pack_all([Done()] * 2_049)
    assert caught.value.code == "E-LARGE"


def test_what_leads_and_what_is_common_is_checked_when_the_game_is_made() -> None:
    @dataclass(frozen=True, slots=True)
    class Wrong(Order):
        name: Annotated[str, Lead(3)]

    @dataclass(frozen=True, slots=True)
    class Twice(Order):
        to: Annotated[int, Common((1, 1))]

    for kind in (Wrong, Twice):
        with pytest.raises(TypeError):
            OrderCodes((kind,))


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x1c",
        b"\x02\x00",
        b"\x02\x02",
        b"\x1b\x0e\x00\x00",  # unit 7 has a code of its own
        b"\x03\x03\xaa\x06\x00",  # 405 has a place of its own
        b"\x03\x04\x02\x00",  # and the list only three
        b"\x1b\x80\x01\x02\x80\x80",
        b"\x00\x80\x00\x00",  # 0 in two bytes
        b"\x00\x02",
        b"\x00\x02\x05",  # five members promised
        b"\x00" + b"\xff" * 12,
        b"\x01\x00\x00\x02\x00\x00",  # a flag of 2
        b"\x01\x00\x00\x01\x02\x00",  # a third member of two
        b"\x01\x00\x01\xff\x01\x00\x00",
        b"\x02" * 600,
    ],
)
def test_other_forms_are_refused(raw: bytes) -> None:
    with pytest.raises(Refusal) as caught:
        CODES.unpack(raw)
    assert caught.value.code == "E-ORDER-FORM"


def test_fits_sees_wrong_types() -> None:
    assert not CODES.fits(Move("7", ()))  # type: ignore[arg-type]
    assert not CODES.fits(Move(unit=True, path=()))
    assert not CODES.fits(Move(1, [1]))  # type: ignore[arg-type]
    assert not CODES.fits(Move(2**63, ()))
    assert not CODES.fits(Move(1, (1,) * 257))
    assert not CODES.fits(Move(1, (2**60,) * 100))  # longer than a packed order may be
    assert not CODES.fits(Everything(1, "ß" * 128, True, Arm.FOOT, ()))  # noqa: FBT003
    assert not CODES.fits(Everything(1, "\udc80", True, Arm.FOOT, ()))  # noqa: FBT003
    assert not CODES.fits(Order())
    assert not CODES.fits(March(2**63, 405))


def test_kinds_are_named_after_classes() -> None:
    assert (Move.kind, Everything.kind) == ("move", "everything")
    with pytest.raises(TypeError):
        OrderCodes((Move, Move))


def test_a_violation_shows_its_rule() -> None:
    assert str(Violation("8.4", "Too far")) == "Too far (8.4)"
