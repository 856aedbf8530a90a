"""Containers: every cut and every changed bit is seen, within the bounds (FIL-1..4)."""

from __future__ import annotations

import io
import tracemalloc
import zlib
from contextlib import suppress
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol import limits
from pbem.protocol.container import (
    HEAD,
    MAGIC,
    Item,
    ItemType,
    is_container,
    read,
    read_stream,
    write,
    write_stream,
)
from pbem.protocol.errors import Refusal
from tools.vectors.people import record_fields, signed_record

ITEMS = st.lists(
    st.builds(Item, st.sampled_from(ItemType), st.binary(min_size=1, max_size=200)), min_size=1, max_size=12
)
TURN = Item(ItemType.RECORD, signed_record(data={**record_fields()["data"], "orders": [["move", 7, 405]] * 20}))


def head(*, packing=0, count=1, length=0, stored=None, body=b""):
    stored = length if stored is None else stored
    numbers = count.to_bytes(2, "big") + length.to_bytes(4, "big") + stored.to_bytes(4, "big")
    return MAGIC + bytes((packing,)) + numbers + sha256(body).digest()[:4]


def refused(raw):
    with pytest.raises(Refusal) as caught:
        read(raw)
    with pytest.raises(Refusal):
        list(read_stream(io.BytesIO(raw)))
    return caught.value.code, caught.value.step


@given(ITEMS)
def test_round_trip(items):
    raw = write(items)
    assert read(raw) == tuple(items)
    assert tuple(read_stream(io.BytesIO(raw))) == tuple(items)
    assert write(read(raw)) == raw
    assert is_container(raw)


@given(st.binary(max_size=60), st.integers(0, 1), st.integers(0, 4), st.integers(0, 100))
def test_arbitrary_bodies_are_judged(body, packing, count, length):
    raw = head(packing=packing, count=count, length=length, stored=len(body), body=body) + body
    with suppress(Refusal):
        read(raw)


def test_deflate_is_used_when_it_helps_and_only_then():
    assert write([TURN])[5] == 1
    assert len(write([TURN])) < HEAD + 5 + len(TURN.raw)
    noise = Item(ItemType.REPLACED, sha256(b"noise").digest() * 1)
    assert write([noise])[5] == 0
    assert len(write([noise])) == HEAD + 5 + 32


def test_other_compressors_are_read_alike():
    payload = b"\x01" + len(TURN.raw).to_bytes(4, "big") + TURN.raw
    packer = zlib.compressobj(1, zlib.DEFLATED, -15, 1, zlib.Z_FIXED)
    packed = packer.compress(payload[:200]) + packer.flush(zlib.Z_FULL_FLUSH) + packer.compress(payload[200:])
    packed += packer.flush()
    assert packed != write([TURN])[HEAD:]
    assert read(head(packing=1, length=len(payload), stored=len(packed), body=packed) + packed) == (TURN,)


def test_a_bomb_costs_no_memory():
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(200)) + packer.flush()
    raw = head(packing=1, length=limits.MAX_PAYLOAD, stored=len(packed), body=packed) + packed
    tracemalloc.start()
    assert refused(raw) == ("E-FILE", "FIL-3")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * limits.MAX_PAYLOAD


def test_stated_sizes_are_judged_before_anything_is_read():
    assert refused(head(length=limits.MAX_PAYLOAD + 1)) == ("E-LARGE", "FIL-1")
    assert refused(head(packing=1, length=2**32 - 1, stored=2**32 - 2)) == ("E-LARGE", "FIL-1")
    assert refused(head(count=limits.MAX_ITEMS + 1)) == ("E-FILE", "FIL-1")
    with pytest.raises(Refusal) as caught:
        read(bytes(limits.MAX_FILE + 1))
    assert caught.value.code == "E-LARGE"


def test_bounds_from_both_sides():
    largest = Item(ItemType.REPLACED, bytes(limits.MAX_ITEM))
    assert read(write([largest])) == (largest,)
    many = [Item(ItemType.REPLACED, b"x")] * limits.MAX_ITEMS
    assert len(read(write(many))) == limits.MAX_ITEMS
    for wrong in (
        [],
        [*many, many[0]],
        [Item(ItemType.REPLACED, bytes(limits.MAX_ITEM + 1))],
        [Item(ItemType.REPLACED, b"")],
        [Item(ItemType.CARD, bytes(limits.MAX_CARD + 1))],
        [Item(ItemType.RECORD, bytes(limits.MAX_RECORD + 1))],
        [Item(ItemType.MESSAGE, bytes(limits.MAX_MESSAGE + 1))],
    ):
        with pytest.raises(ValueError, match=r"item|holds"):
            write(wrong)


def test_the_largest_file_that_does_not_pack_fits():
    noise = b"".join(sha256(n.to_bytes(4, "big")).digest() for n in range(limits.MAX_ITEM // 32 + 1))
    raw = write([Item(ItemType.REPLACED, noise[: limits.MAX_ITEM])])
    assert raw[5] == 0
    assert len(raw) <= limits.MAX_FILE
    assert len(read(raw)) == 1


@given(st.lists(st.integers(1, 2_000_000), min_size=1, max_size=6))
@settings(max_examples=10, deadline=None)
def test_archives_are_split_and_read_as_one(sizes):
    items = [Item(ItemType.REPLACED, bytes(size)) for size in sizes]
    parts = list(write_stream(items))
    assert list(read_stream(io.BytesIO(b"".join(parts)))) == items
    assert all(len(part) <= limits.MAX_FILE for part in parts)
    assert (len(parts) > 1) == (sum(sizes) + 5 * len(sizes) > limits.MAX_PAYLOAD)


def test_many_items_are_split():
    items = [Item(ItemType.REPLACED, b"x")] * (limits.MAX_ITEMS + 1)
    assert len(list(write_stream(items))) == 2
    assert not list(write_stream([]))


class Dripping(io.RawIOBase):
    """A file that gives few bytes at a time, as pipes do."""

    def __init__(self, raw):
        self.rest = raw

    def read(self, size=-1):
        piece, self.rest = self.rest[: min(size, 7)], self.rest[min(size, 7) :]
        return piece


def test_a_stream_may_come_in_pieces():
    raw = write([TURN]) * 3
    assert list(read_stream(Dripping(raw))) == [TURN] * 3


@pytest.mark.parametrize(
    ("rest", "code", "step"),
    [
        (b"\n", "E-FILE", "FIL-3"),
        (b"another text", "E-FILE", "FIL-3"),
        (b"pbe", "E-CUT", "FIL-1"),
        (write([TURN])[:-1], "E-CUT", "FIL-1"),
    ],
)
def test_what_follows_a_container_in_an_archive(rest, code, step):
    with pytest.raises(Refusal) as caught:
        list(read_stream(io.BytesIO(write([TURN]) + rest)))
    assert (caught.value.code, caught.value.step) == (code, step)


def test_an_archive_has_a_bound(monkeypatch):
    monkeypatch.setattr("pbem.protocol.container.MAX_CONTAINERS", 3)
    assert len(list(read_stream(io.BytesIO(write([TURN]) * 3)))) == 3
    with pytest.raises(Refusal) as caught:
        list(read_stream(io.BytesIO(write([TURN]) * 4)))
    assert (caught.value.code, caught.value.step) == ("E-LARGE", "FIL-3")


def test_a_text_is_no_container():
    assert not is_container(b"pbem is a program")
    assert is_container(b"pbem\x02")
    assert not is_container(b"")
