"""Strengths, odds beyond the table, shifts, exact chances."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.combat import (
    HALF,
    Factor,
    Odds,
    Shift,
    chances,
    describe_chances,
    odds_of,
    reckon,
    rounded,
    strength,
    table_of,
)

ODDS = odds_of({"columns": ["1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1"]})
ACROSS = Factor(HALF, "T-9.5", "across a river")
HUNGRY = Factor(HALF, "T-16.4", "out of supply")
DOUBLE = Factor(Fraction(2), "T-9.1", "in a city")
TABLE = table_of(
    {
        "name": "combat",
        "rule": "T-1",
        "provenance": "ours",
        "columns": ["low", "high"],
        "rows": [["AR", "EX"], ["EX", "DR"], ["DR", "DR"]],
        "first": 0,
        "die": 6,
    }
)


@pytest.mark.parametrize(
    ("attack", "defence", "label"),
    [(7, 2, "3:1"), (9, 4, "2:1"), (6, 4, "1:1"), (5, 6, "1:2"), (25, 3, "8:1"), (1, 4, "1:4"), (60, 6, "10:1")],
)
def test_rounded_in_the_defenders_favour(attack, defence, label):
    found = reckon(ODDS, attack, defence)
    assert ODDS.label(found.column) == label


def test_columns_beyond_the_table_carry_shifts_back():
    left, right = Shift(-1, "T-9", "town"), Shift(1, "T-9", "tanks")
    assert ODDS.label(reckon(ODDS, 8, 1, [left]).column) == "7:1"
    assert ODDS.label(reckon(ODDS, 1, 4, [right]).column) == "1:3"
    assert ODDS.label(reckon(ODDS, 8, 1, [left], highest=8).column) == "6:1"
    assert ODDS.label(reckon(ODDS, 1, 9, [right], lowest=-1).column) == "1:3"


def test_a_sentence_tells_all_of_it():
    found = reckon(ODDS, 7, 2, [Shift(1, "T-9.2", "tanks"), Shift(0, "T-9.3", "air"), Shift(-2, "T-9.6", "town")])
    assert found.describe(ODDS) == "7 to 2 = 3:1, tanks +1 (T-9.2), town -2 (T-9.6): column 2:1"
    assert [shift.rule for shift in found.shifts] == ["T-9.2", "T-9.6"]


positive = st.fractions(min_value=Fraction(1, 8), max_value=200)


@given(positive, positive)
def test_places_agree_with_columns(attack, defence):
    place = ODDS.place(attack, defence)
    if 0 <= place < len(ODDS.columns):
        assert ODDS.column(attack, defence) == place
    # The ratio of the place is reached, that of the next is not.
    for step, reached in ((0, True), (1, False)):
        a, _, d = ODDS.label(place + step).partition(":")
        assert (attack * int(d) >= defence * int(a)) is reached


@given(positive, positive, positive)
def test_more_attackers_are_never_worse(attack, more, defence):
    assert ODDS.place(attack + more, defence) >= ODDS.place(attack, defence)
    assert ODDS.place(attack, defence + more) <= ODDS.place(attack, defence)


@pytest.mark.parametrize(("attack", "defence"), [(0, 1), (1, 0)])
def test_odds_are_between_somebody_and_somebody(attack, defence):
    with pytest.raises(ValueError, match="above 0"):
        ODDS.place(attack, defence)


def test_a_table_that_ends_in_a_fraction_does_not_go_on():
    with pytest.raises(ValueError, match="beyond"):
        odds_of({"columns": ["1:2", "3:2"]}).place(1, 1)


def test_halved_twice_is_a_quarter():
    """Fractions stay until the end, or each step is rounded: as the game says."""
    assert strength(9, [ACROSS, HUNGRY]) == Fraction(9, 4)
    assert strength(9, [HUNGRY, ACROSS], "up") == 3
    assert strength(9, [HUNGRY, ACROSS], "down") == 2
    assert strength(5, [ACROSS], "up") + strength(5, [ACROSS], "up") == 6
    assert strength(5, [ACROSS, DOUBLE]) == 5
    # Added first, then halved, then rounded down.
    assert rounded((strength(5, []) + strength(5, [])) * HALF, "down") == 5


@given(st.fractions(min_value=0, max_value=50))
def test_rounding(value):
    assert value - 1 < rounded(value, "down") <= value <= rounded(value, "up") < value + 1
    assert rounded(value, "exact") == value


@given(st.integers(0, 1), st.integers(-4, 4))
def test_chances_count_the_dice(column, modifier):
    found = chances(TABLE, column, modifier)
    assert sum(found.values()) == 1
    for result in ("AR", "EX", "DR"):
        dice = [die for die in range(1, 7) if TABLE.cells[max(0, min(2, die + modifier))][column] == result]
        assert found.get(result, 0) == Fraction(len(dice), 6)


def test_chances_added_and_told():
    found = chances(TABLE, 0)
    assert found == {"EX": Fraction(1, 6), "DR": Fraction(5, 6)}
    assert TABLE.chances(0) == {"EX": 17, "DR": 83}
    assert describe_chances(found, ["DR", "AR"]) == "DR 5/6, EX 1/6"


def test_columns_have_names():
    assert TABLE.column("high") == 1
    assert TABLE.result(0, 1) == "EX"
    assert TABLE.at(-5, 1) == "EX"
    assert TABLE.at(99, 0) == "DR"


def test_labels_of_a_short_table():
    odds = Odds(((1, 2), (1, 1), (3, 2), (2, 1)))
    assert [odds.label(n) for n in range(-2, 6)] == ["1:4", "1:3", "1:2", "1:1", "3:2", "2:1", "3:1", "4:1"]
