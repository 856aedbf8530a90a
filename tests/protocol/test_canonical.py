"""One value has one encoding, and any bytes are judged (docs/spec/encoding.md)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.protocol.canonical import fault, pack, unpack
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_BODY, MAX_DEPTH, MAX_INT, MAX_MEMBERS, MIN_INT

ROOT = Path(__file__).parents[2]
KEYS = st.from_regex(r"[a-z0-9_]{1,32}", fullmatch=True)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(MIN_INT, MAX_INT)
    | st.text(st.characters(codec="utf-8"), max_size=40)
    | st.binary(max_size=300)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=20) | st.dictionaries(KEYS, inner, max_size=20), max_leaves=30
)


def outcome(raw):
    try:
        return unpack(raw)
    except Refusal as refusal:
        return (refusal.code, refusal.step)


@given(VALUES)
def test_round_trip(value):
    raw = pack(value)
    assert unpack(raw) == value
    assert fault(raw) is None


def test_booleans_stay_booleans():
    assert [type(value) for value in unpack(pack([True, 1, False, 0]))] == [bool, int, bool, int]


def test_keys_are_sorted_when_packed():
    assert pack({"b": 1, "a": {"d": 1, "c": 2}}) == pack({"a": {"c": 2, "d": 1}, "b": 1})


@pytest.mark.parametrize("value", [1.0, float("nan"), {1, 2}, bytearray(b"x"), {"A": 1}, {"": 1}, {1: 2}, MAX_INT + 1])
def test_what_has_no_encoding_is_a_plain_error(value):
    with pytest.raises((TypeError, ValueError)):
        pack([value])


def test_depth_from_both_sides():
    value: list = []
    for _ in range(MAX_DEPTH - 1):
        value = [value]
    assert unpack(pack(value)) == value
    with pytest.raises(ValueError, match="deeper"):
        pack([value])
    assert outcome(b"\x91" + pack(value)) == ("E-CANON", "ENC-6")


@pytest.mark.parametrize("head", [b"\x91", b"\x81\xa1a", b"\xdc\x00\x01", b"\xdd\x00\x00\x10\x00"])
def test_hostile_nesting_is_refused_without_recursion(head):
    raw = (head * (MAX_BODY // len(head)))[:MAX_BODY]
    assert outcome(raw)[0] == "E-CANON"


def test_members_from_both_sides():
    assert unpack(pack([None] * MAX_MEMBERS)) == [None] * MAX_MEMBERS
    assert outcome(pack([None] * (MAX_MEMBERS + 1))) == ("E-LARGE", "ENC-8")
    full = {f"k{n:04}": None for n in range(MAX_MEMBERS)}
    assert unpack(pack(full)) == full
    assert outcome(pack({**full, "z": None})) == ("E-LARGE", "ENC-8")


def test_size_from_both_sides():
    raw = pack(bytes(MAX_BODY - 5))
    assert len(raw) == MAX_BODY
    assert unpack(raw) == bytes(MAX_BODY - 5)
    assert outcome(raw + b"x") == ("E-LARGE", "ENC-7")
    assert outcome(b"\xdd\xff\xff\xff\xff") == ("E-LARGE", "ENC-8")


_SAME = """
import hashlib, random, sys
import msgpack
from pbem.protocol.canonical import unpack, pack
from pbem.protocol.errors import Refusal
from tools.vectors import encoding
said = []
def say(raw):
    try:
        said.append(repr(unpack(raw)))
    except Refusal as refusal:
        said.append(str(refusal))
for vector in encoding.vectors():
    say(vector.payload)
rnd = random.Random(7)
good = [vector.payload for vector in encoding.vectors() if vector.expect == "success" and len(vector.payload) < 2000]
for n in range(3000):
    raw = bytearray(rnd.choice(good))
    for _ in range(rnd.randrange(3)):
        raw[rnd.randrange(len(raw))] = rnd.randrange(256)
    say(bytes(raw[: rnd.randrange(len(raw) + 1)] if n % 3 else raw))
for n in range(3000):
    say(rnd.randbytes(rnd.randrange(12)))
for head in (b"\\x91", b"\\x81\\xa1a"):
    say(head * 60000)
print(msgpack.Unpacker.__module__, hashlib.sha256(chr(10).join(said).encode()).hexdigest())
"""


def test_both_implementations_of_msgpack_say_the_same():
    """Every answer and every refusal, word for word, with the C extension and with pure Python."""
    said = {}
    for pure in ("", "1"):
        env = {**os.environ, "MSGPACK_PUREPYTHON": pure} if pure else dict(os.environ)
        result = subprocess.run(
            [sys.executable, "-c", _SAME], env=env, cwd=ROOT, capture_output=True, text=True, check=True
        )
        module, digest = result.stdout.split()
        said[module] = digest
    assert len(set(said.values())) == 1
    assert "msgpack.fallback" in said
    assert len(said) == 2 or msgpack.Unpacker.__module__ == "msgpack.fallback"


def test_members_of_all_arrays_are_bounded_together():
    """Short texts are three bytes each, and twenty times as much when they are read."""
    inner = b"\xdc\x10\x00" + b"\xa2ab" * 4_096
    good = b"\xdc\x00\x7f" + inner * 127
    assert len(unpack(good, 1 << 22)) == 127
    for raw in (b"\xdc\x00\x80" + inner * 128, b"\xdc\x00\xff" + inner * 255):
        with pytest.raises(Refusal) as caught:
            unpack(raw, 1 << 22)
        assert (caught.value.code, caught.value.step) == ("E-LARGE", "ENC-8")
        assert fault(raw) is not None


def test_of_several_faults_the_first_is_named_where_there_are_too_many_arrays_too():
    many, beyond = (b"\xdc\x10\x00" + b"\x90" * 4_096) * 5, b"\xcf" + b"\xff" * 8  # an integer above 2^63-1
    assert outcome(b"\x96" + beyond + many) == ("E-CANON", "ENC-4")
    assert outcome(b"\x96" + many + beyond) == ("E-LARGE", "ENC-8")
