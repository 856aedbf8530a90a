"""Nothing that came from outside fools a terminal; columns line up by what is seen."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pbem.cli.terminal import clean, fold, pad, table, width
from pbem.engine.counts import many


def test_what_could_fool_a_terminal_is_shown_as_an_escape():
    assert clean("a\x1b[31mred\x07") == "a\\x1b[31mred\\x07"
    assert clean("evil\u202efdp.exe") == "evil\\u202efdp.exe"
    assert clean("two\nlines\r\t") == "two\\nlines\\r\\t"
    assert clean("\x9b2J \u2028 \ufeff \U000e0041") == "\\x9b2J \\u2028 \\ufeff \\U000e0041"
    assert clean("\ud800") == "\\ud800"


def test_ordinary_text_stays_as_it_is():
    assert clean("Größe, 北京, ¡olé!") == "Größe, 北京, ¡olé!"


@given(st.text(st.characters()))
def test_nothing_invisible_survives(text):
    shown = clean(text)
    assert "\n" not in shown
    assert all(unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in shown)


@given(st.text(), st.integers(1, 40))
def test_limit_bounds_the_text(text, limit):
    assert len(clean("".join(char for char in text if char.isalnum()), limit)) <= limit


def test_columns_line_up_by_what_is_seen():
    lines = table([("北京", "x"), ("abcd", "y"), ("é", "z")])
    assert [width(line) for line in lines] == [7, 7, 7]
    assert pad("北", 4) == "北  "
    assert table([]) == []
    assert table([("a", ""), ("bbb", "c")]) == ["a", "bbb  c"]


def test_small_words():
    assert many(1, "record") == "1 record"
    assert many(1204, "record") == "1,204 records"
    assert many(2, "die", "dice") == "2 dice"
    assert fold("") == [""]
