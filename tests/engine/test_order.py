"""Packed orders: round trips, one form only, hostile bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from time import process_time
from typing import Annotated, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine.order import Common, Lead, Order, OrderCodes, Violation
from pbem.protocol.errors import Refusal

T = TypeVar("T")


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


def bits(*parts: tuple[int, int]) -> bytes:
    """Values and their widths, written by a plain means."""
    text = "".join(f"{value:0{width}b}"[::-1] for value, width in parts if width)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[at : at + 8][::-1], 2) for at in range(0, len(text), 8))


def code(number: int) -> tuple[tuple[int, int], ...]:
    """One of 29: the 28 codes of these kinds, or more."""
    return ((number, 4),) if number < 3 else (((number + 3) // 2, 4), ((number + 3) % 2, 1))


def read_or_none(raw: bytes) -> Order | None:
    """The order; None: the bytes were refused, for the right reason."""
    return unless_refused(lambda: CODES.unpack(raw))


def all_or_none(raw: bytes) -> list[Order] | None:
    return unless_refused(lambda: CODES.unpack_all(raw))


def unless_refused(read: Callable[[], T]) -> T | None:
    try:
        return read()
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
    assert len(CODES.pack(Move(7, (1208, 1309)))) == 6
    assert CODES.pack(Done()) == b"\x02"
    assert CODES.pack(March(7, 406)) == bits(*code(10), (1, 2), (0, 4))


@given(st.lists(ORDERS, max_size=8))
def test_the_orders_of_a_record_read_back(orders: list[Order]) -> None:
    packed = CODES.pack_all(orders)
    assert CODES.unpack_all(packed) == orders
    assert len(packed) <= 2 + sum(len(CODES.pack(order)) for order in orders)


@given(st.integers(0, 4), st.binary(max_size=60))
def test_any_bytes_are_orders_in_their_one_form_or_refused(count: int, raw: bytes) -> None:
    packed = count.to_bytes(2, "big") + raw
    orders = all_or_none(packed)
    assert orders is None or (len(orders) == count and CODES.pack_all(orders) == packed)


@given(st.lists(ORDERS, min_size=1, max_size=8), st.integers(0, 5_000))
def test_a_changed_bit_of_a_record_never_yields_the_same_orders(orders: list[Order], place: int) -> None:
    raw = bytearray(CODES.pack_all(orders))
    place %= 8 * len(raw)
    raw[place // 8] ^= 1 << place % 8
    assert all_or_none(bytes(raw)) != orders


def test_orders_stand_without_a_gap() -> None:
    packed = CODES.pack_all([Done(), March(7, 406), Done()])
    assert packed == b"\0\3" + bits(*code(2), *code(10), (1, 2), (0, 4), *code(2))


def test_a_code_keeps_its_width_when_kinds_are_added() -> None:
    """What outgrows the width is packed longer, in one form."""
    narrow = OrderCodes((Move, Everything, Done, March), short=7)
    assert narrow.pack(Done()) == b"\2"
    assert narrow.pack(March(4, 405)) == bits((7, 3), (0, 8), (0, 2), (0, 4))
    for order in (Done(), March(3, 405), March(4, 405), March(23, 407, (405,)), March(24, 1)):
        assert narrow.unpack(narrow.pack(order)) == order
    with pytest.raises(Refusal):
        narrow.unpack(bits((7, 3), (21, 8), (0, 8)))
    for short in (0, 29):
        with pytest.raises(TypeError):
            OrderCodes((Move, Everything, Done, March), short)


def test_a_long_record_is_read_in_time_linear_in_its_length() -> None:
    """Longest orders, as many as fit: some seconds if the bits were shifted as one number."""
    orders = [Move(0, (2**62,) * 50)] * 475
    packed = CODES.pack_all(orders)
    assert len(packed) > 235_000
    begun = process_time()
    assert CODES.unpack_all(packed) == orders
    assert process_time() - begun < 2


@pytest.mark.parametrize(
    "raw", [b"", b"\0", b"\0\0\0", b"\0\1", b"\0\1\2\2", b"\0\3\x42", b"\0\1\x42", b"\0\1\2\0", b"\0\1" + b"\2" * 600]
)
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
        bits(*code(27)),
        bits(*code(28), (0, 8)),  # a code beyond all
        b"\x22",  # the last byte filled up with a one
        b"\x02\x00",
        b"\x02\x02",
        bits(*code(27), (14, 8), (0, 2), (0, 4)),  # unit 7 has a code of its own
        bits(*code(3), (3, 2), (0x06AA, 16), (0, 4)),  # 405 has a place of its own
        bits(*code(4), (1, 2), (1, 4), (3, 2), (0x06AA, 16)),  # the same in a tuple
        bits(*code(4), (1, 2), (15, 4), (0xF2, 8), (1, 8), *((0, 2),) * 257),  # 257 members
        bits(*code(0), (0x0080, 16), (0, 4)),  # 0 in two groups
        bits(*code(0), (0x80, 8)),
        bits(*code(0), (2, 8), (5, 4)),  # five members promised
        bits(*code(0), (2**96 - 1, 96)),
        bits(*code(1), (0, 8), (0, 8), (1, 1), (2, 4), (0, 4)),  # a third member of two
        bits(*code(1), (0, 8), (0, 8), (1, 1), (15, 4), (0, 8), (0, 4)),
        bits(*code(1), (0, 8), (1, 8), (0xFF, 8), (1, 1), (0, 4), (0, 4)),
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
