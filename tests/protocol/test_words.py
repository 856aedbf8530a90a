"""Fingerprints and phrases: words that can be read aloud, typed carelessly and still be checked."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.protocol.errors import Refusal
from pbem.protocol.words import WORDS, fingerprint, phrase, seed_of

SEEDS = st.binary(min_size=32, max_size=32)
LIST = Path(__file__).parents[2] / "docs" / "spec" / "words.txt"


def refused(text):
    with pytest.raises(Refusal) as caught:
        seed_of(text)
    assert caught.value.code == "E-PHRASE"
    assert caught.value.step == "KEY-6"
    return caught.value.sentence


def test_the_list():
    assert len(WORDS) == 1_024
    assert list(WORDS) == sorted(WORDS)
    assert all(word.isascii() and word.isalpha() and word.islower() and 4 <= len(word) <= 7 for word in WORDS)
    assert len({word[:4] for word in WORDS}) == 1_024
    assert LIST.read_text().split("\n") == [*WORDS, ""]


def test_golden_values():
    assert fingerprint(bytes(range(32))) == "abacus-agile-15 agile-blaze-43 apron-cavern-71"
    assert fingerprint(b"\xff" * 32) == "zodiac-zodiac-95 zodiac-zodiac-95 zodiac-zodiac-95"
    assert phrase(bytes(32)).split()[:25] == ["abacus"] * 25
    assert phrase(bytes(range(32))) == (
        "abacus agile canal saucer album bracket kettle adobe atlas coffee satin epoxy barn echo beetle "
        "memory blaze gentle herald shark brass igloo quest antler cabin lyre denim"
    )


@given(SEEDS)
def test_round_trip(seed):
    assert seed_of(phrase(seed)) == seed


@given(SEEDS, st.data())
def test_typed_carelessly(seed, data):
    typed = ""
    for word in phrase(seed).split():
        cut = word[: data.draw(st.integers(4, len(word)))]
        typed += data.draw(st.sampled_from((cut, cut.upper(), cut.title()))) + data.draw(
            st.sampled_from((" ", "\n", "  \t "))
        )
    assert seed_of("  " + typed) == seed


def test_the_refusal_names_the_word():
    words = phrase(bytes(range(32))).split()
    assert "word 3, 'xyzzy'" in refused(" ".join([*words[:2], "Xyzzy", *words[3:]]))
    assert "word 1" in refused(" ".join([words[0][:3], *words[1:]]))
    assert "word 1" in refused(" ".join([words[0] + "s", *words[1:]]))
    assert "26 words" in refused(" ".join(words[:-1]))
    assert "28 words" in refused(" ".join([*words, words[0]]))
    assert "0 words" in refused("")
    assert "1001 characters" in refused("a" * 1_001)
    assert refused("\x1b[2J " * 27).isprintable()


@given(st.binary(min_size=32, max_size=32), st.integers(0, 95))
def test_a_fingerprint_depends_on_96_bits(identity, bit):
    other = bytearray(identity)
    other[bit // 8] ^= 1 << (7 - bit % 8)
    if bit % 32 < 20:
        assert fingerprint(identity) != fingerprint(bytes(other))
    assert fingerprint(identity) == fingerprint(identity[:12] + bytes(20))
