"""Chains, keys and draws (chance.md)."""

import math
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.fairplay.chance import (
    CHAIN_LENGTH,
    Chain,
    chain_top,
    chain_value,
    check_value,
    group_key,
    permutation,
    roll,
    step_down,
)
from pbem.protocol.digest import be32, be64, tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import chain_id

GS = bytes(range(32))
KEY = tagged("pbem1/test", b"key")


def chain() -> Chain:
    cid = chain_id(tagged("pbem1/gs", GS), 0, 1)
    return Chain(cid, chain_top(GS, cid))


def quantile(dof: int, z: float = 5.0) -> float:
    """A bound that chi-square with so many degrees of freedom passes about once in three million runs."""
    return dof * (1 - 2 / (9 * dof) + z * math.sqrt(2 / (9 * dof))) ** 3


def chi_square(counts: Counter, cells: int) -> float:
    expected = sum(counts.values()) / cells
    return sum((counts.get(k, 0) - expected) ** 2 / expected for k in range(1, cells + 1))


def test_the_whole_chain_agrees_with_its_marks():
    c = chain()
    for i in (0, 1, 511, 512, 513, 40_000, CHAIN_LENGTH - 1, CHAIN_LENGTH):
        assert c.value(i) == chain_value(c.top, c.cid, i)
    assert c.anchor == chain_value(c.top, c.cid, 0)
    assert step_down(c.cid, 700, c.value(700), 3) == c.value(3)
    assert c.top.hex() not in repr(c)


def test_cids_differ_by_every_part():
    ids = {chain_id(g, w, c, n) for g in (bytes(32), GS) for w in (0, 1) for c in (0, 1) for n in (0, 1)}
    assert len(ids) == 16


@pytest.mark.parametrize("known", [0, 4, 9, 12])
def test_a_value_is_checked_against_any_known_one(known):
    c = chain()
    check_value(c.cid, 9, c.value(9), known, c.value(known))
    for wrong in (c.value(8), c.value(10), bytes(32), b""):
        with pytest.raises(Refusal) as caught:
            check_value(c.cid, 9, wrong, known, c.value(known))
        assert caught.value.code == "E-PROMISE"


def slow_roll(key: bytes, label: str, occurrence: int, sides: int, count: int) -> tuple[int, ...]:
    """CHA-8 word for word."""
    stream = b"".join(tagged("pbem1/roll", key, label, be32(occurrence), be64(j)) for j in range(60))
    width, top = (1, 256) if sides <= 256 else (4, 1 << 32)
    out: list[int] = []
    for at in range(0, len(stream), width):
        word = int.from_bytes(stream[at : at + width], "big")
        if word < top - top % sides:
            out.append(1 + word % sides)
        if len(out) == count:
            break
    return tuple(out)


@given(
    key=st.binary(min_size=32, max_size=32),
    label=st.from_regex(r"[a-z0-9/_.+-]{1,64}", fullmatch=True),
    occurrence=st.integers(0, 2**32 - 1),
    sides=st.one_of(st.integers(2, 300), st.integers(2, 2**31)),
    count=st.integers(1, 100),
)
def test_a_draw_is_as_the_page_says(key, label, occurrence, sides, count):
    got = roll(key, label, occurrence, sides, count)
    assert got == slow_roll(key, label, occurrence, sides, count)
    assert all(1 <= n <= sides for n in got)
    assert roll(key, label, occurrence, sides, 1) == got[:1]


@pytest.mark.parametrize(
    ("label", "occurrence", "sides", "count"),
    [
        ("", 0, 6, 1),
        ("A", 0, 6, 1),
        ("a" * 65, 0, 6, 1),
        ("a\n", 0, 6, 1),
        ("a", -1, 6, 1),
        ("a", 2**32, 6, 1),
        ("a", 0, 1, 1),
        ("a", 0, 2**31 + 1, 1),
        ("a", 0, 6, 0),
        ("a", 0, 6, 1_025),
    ],
)
def test_impossible_draws_are_errors(label, occurrence, sides, count):
    with pytest.raises(ValueError):
        roll(KEY, label, occurrence, sides, count)


def test_a_million_dice():
    """Each die is a draw of its own, labelled as a game labels it, under keys made from a chain."""
    c = chain()
    counts: Counter = Counter()
    pairs: Counter = Counter()
    last = 1
    for i in range(1, 2_001):
        key = group_key(bytes(32), [(be32(i) * 8, 0, i, c.value(i))])
        for n in range(500):
            (die,) = roll(key, f"t{n}/red/crt", 0, 6)
            counts[die] += 1
            pairs[6 * (last - 1) + die] += 1
            last = die
    assert sum(counts.values()) == 1_000_000
    assert chi_square(counts, 6) < quantile(5)
    assert chi_square(pairs, 36) < quantile(35)


@pytest.mark.parametrize("sides", [2, 10, 100, 255, 256, 257, 1_000])
def test_other_dice_are_even_too(sides):
    counts: Counter = Counter()
    for n in range(200):
        counts.update(roll(KEY, f"s{sides}", n, sides, 1_000))
    assert chi_square(counts, sides) < quantile(sides - 1)


def test_permutations_are_even():
    counts: Counter = Counter()
    index = {p: n for n, p in enumerate(permutations(range(4)), 1)}
    for n in range(48_000):
        counts[index[permutation(KEY, 4, "perm", n)]] += 1
    assert chi_square(counts, 24) < quantile(23)


@given(st.binary(min_size=32, max_size=32), st.integers(0, 512))
def test_a_permutation_keeps_every_thing(key, m):
    assert sorted(permutation(key, m)) == list(range(m))
