"""Answers in words."""

from __future__ import annotations

from fractions import Fraction

from grounds import plain_board

from pbem.kit import Cut, Shift, describe_cut, describe_line, describe_odds, describe_places, describe_reach

BOARD = plain_board(9, 9)


def test_places():
    assert describe_places([405, 406]) == "0405, 0406"
    assert describe_places([405, 406], few=2) == "0405, 0406"
    assert describe_places([405, 406, 407], few=2) == "0405, 0406 and 1 more"
    assert describe_places([]) == "nowhere"


def test_reach():
    assert describe_reach({406: 2, 405: 1}, BOARD.bit, BOARD.bit[406]) == "0405 (1), 0406 (2, stops)"
    assert describe_reach({}, BOARD.bit) == "nothing"
    assert describe_reach({405: 1}, BOARD.bit, name=lambda p: f"<{p}>") == "<405> (1)"


def test_lines():
    assert describe_line((("land", (405, 406)), ("rail", (406, 506)))) == "0405 > 0406 (land), 0406 > 0506 (rail)"
    assert describe_line(()) == "no line"
    cut = Cut("NR-6.4", "an enemy zone bars the line", (405, 406, 407, 408), ())
    assert describe_cut(cut) == "an enemy zone bars the line at 0405, 0406, 0407 and 1 more (NR-6.4)"
    assert describe_cut(cut._replace(at=())) == "an enemy zone bars the line (NR-6.4)"
    assert describe_cut(None) == "no line leads there"


def test_odds():
    shifts = (Shift(1, "T-9.2", "tanks"), Shift(-2, "T-9.6", "town"))
    told = describe_odds(Fraction(15, 2), 2, "3:1", shifts, "2:1")
    assert told == "15/2 to 2 = 3:1, tanks +1 (T-9.2), town -2 (T-9.6): column 2:1"
