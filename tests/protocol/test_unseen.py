"""ENC-9: what a text from outside may hold, as the page lists it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.protocol.characters import check_line, check_lines, fit_line, fit_lines, plain_signs, printable
from pbem.protocol.errors import Refusal

PAGE = (Path(__file__).parents[2] / "docs/spec/encoding.md").read_text(encoding="utf-8")


def listed(title: str) -> set[int]:
    """The code points that the page lists there."""
    text = re.search(rf"- \*{title}\*: ([^.]*)\.", PAGE[PAGE.index("**ENC-9**") :])[1].replace("...", "")
    pairs = re.findall(r"([0-9A-F]{4,6})(?:-([0-9A-F]{4,6}))?", text)
    return {point for low, high in pairs for point in range(int(low, 16), int(high or low, 16) + 1)}


INVISIBLE = listed("Invisible") | {0x10000 * plane + end for plane in range(1, 17) for end in (0xFFFE, 0xFFFF)}
BLANK = listed("Blank")


def is_refused(check, text, *bounds) -> bool:
    try:
        check(text, *bounds, "The text", "ENC-9")
    except Refusal as refusal:
        return refusal.code == "E-TEXT"
    return False


def test_the_table_is_the_one_of_the_page():
    points = [point for point in range(0x110000) if not 0xD800 <= point < 0xE000]
    assert {point for point in points if is_refused(check_line, f"a{chr(point)}b", 1, 9)} == INVISIBLE
    assert {point for point in points if is_refused(check_line, chr(point), 1, 9)} == INVISIBLE | BLANK
    assert {point for point in points if is_refused(check_lines, chr(point), 9)} == INVISIBLE - {0x0A}


@pytest.mark.parametrize(
    "sign", "\u3164\u115f\u1160\u2800\u034f\ufe0f\u17b4\u17b5\u180b\u180f\uffa0\U000e0041\u200d\u00a0"
)
def test_nothing_unseen_makes_another_name(sign):
    assert is_refused(check_line, f"Alice Kern{sign}", 1, 64)
    assert is_refused(check_line, f"{sign}Alice Kern", 1, 64)


def test_ordinary_names_and_texts_are_good():
    for name in ("Größe", "北京", "می‌خواهم", "O'Brien", "José", "क्‍ष", "A 1"):
        check_line(name, 1, 64, "The name", "KEY-4")
    check_lines("Bien joué\u00a0!\n\n  3000: \u3000", 99, "The text", "FIL-8")
    assert plain_signs("\u2764\ufe0f!") == "\u2764!"


SIGNS = st.text(
    st.one_of(st.sampled_from("ab \n\u00a0\u200d\u3164\u3000\u2028\U000e0041"), st.characters(codec="utf-8"))
)


@given(text=SIGNS, most=st.integers(1, 12))
def test_what_is_made_to_fit_is_good(text, most):
    check_line(fit_line(text, most), 0, most, "The line", "ENC-9")
    check_lines(fit_lines(text, most), most, "The text", "ENC-9")


def test_what_fits_stays_as_it_is():
    assert fit_line("O'Brien of 北京", 64) == "O'Brien of 北京"
    assert fit_line("\u3000Una\u3164 K.\u00a0", 64) == "Una  K."
    assert fit_lines("one\n\u3164two", 99) == "one\n two"
    assert printable("a\x1b[2Jb\n") == "a?[2Jb?"
