"""Odds, result tables, percentages, card lists."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.cards import cards_of
from pbem.kit.combat import odds_of, percentages, table_of
from pbem.kit.datafile import problems

ODDS = odds_of({"columns": ["1:3", "1:2", "1:1", "3:2", "2:1", "7:1"]})


@given(st.integers(1, 200), st.integers(1, 200))
def test_a_ratio_counts_for_the_highest_column_it_attains(attack, defence):
    ratio = Fraction(attack, defence)
    columns = [Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(7)]
    assert ODDS.column(attack, defence) == sum(column <= ratio for column in columns) - 1


def test_shifts_stay_on_the_table():
    assert ODDS.shifted(2, -5) == 0
    assert ODDS.shifted(2, 9) == 5
    assert ODDS.shifted(2, 1) == 3
    assert ODDS.name(3) == "3:2"
    assert ODDS.column(5, 0) == 5


@pytest.mark.parametrize("columns", [["2:1", "1:1"], ["1:1", "2:2"], ["x"], ["1:0"], ["0:1"], ["1-1"], ["1:-1"]])
def test_odds_columns_must_be_rising_ratios(columns):
    with pytest.raises(ValueError, match="tables"):
        odds_of({"columns": columns})


TABLE = {
    "name": "crt",
    "rule": "X-1",
    "provenance": "rulebook",
    "columns": ["1:1", "2:1"],
    "rows": [["AE", "EX"], ["EX", "DE"]],
    "cells": [{"die": 2, "column": "2:1", "provenance": "inferred"}],
}


def test_cells_and_where_they_come_from():
    table = table_of(TABLE, ("AE", "EX", "DE"))
    assert table.result(1, 0) == "AE"
    assert table.result(2, 1) == "DE"
    assert table.sides == 2
    assert table.source(2, 1) == "inferred"
    assert table.source(1, 1) == "rulebook"
    assert table.chances(0) == {"AE": 50, "EX": 50}


@pytest.mark.parametrize(
    "change",
    [
        {"rows": [["AE"], ["EX", "DE"]]},
        {"rows": [["AE", "??"], ["EX", "DE"]]},
        {"provenance": "dreamt"},
        {"cells": [{"die": 2, "column": "2:1", "provenance": "dreamt"}]},
        {"cells": [{"die": 2, "column": "9:1", "provenance": "ours"}]},
    ],
)
def test_tables_that_contradict_themselves(change):
    with pytest.raises(ValueError):
        table_of({**TABLE, **change}, ("AE", "EX", "DE"))


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=40))
def test_percentages_add_up_and_are_near(outcomes):
    shares = percentages(outcomes)
    assert sum(shares.values()) == 100
    for name, share in shares.items():
        assert abs(Fraction(share) - Fraction(100 * outcomes.count(name), len(outcomes))) < 1
    # More often is never a smaller share.
    for name in shares:
        for other in shares:
            if outcomes.count(name) > outcomes.count(other):
                assert shares[name] >= shares[other]


CARDS = {
    "deck": "events",
    "provenance": "ours",
    "cards": [
        {"key": "mud", "name": "Mud", "copies": 2, "play": "reaction", "rule": "X-2", "text": "It rains."},
        {"key": "sun", "name": "Sun", "copies": 1, "play": "orders", "rule": "X-3", "text": "It does not."},
    ],
}


def test_card_lists():
    cards = cards_of(CARDS)
    assert len(cards) == 3
    assert [kind.key for kind in cards.cards] == ["mud", "mud", "sun"]
    assert cards[2].name == "Sun"
    assert cards.numbers("mud") == (0, 1)


def test_cards_that_are_not_the_same_to_both():
    event = {"name": "Manstein", "text": "Doubles a unit.", "rule": "X-4", "play": "battle", "marks": ["first"]}
    both = {"key": "c01", "name": "1", "copies": 1, "marks": ["out45"], "events": {"axis": event}}
    data = {**CARDS, "format": 1, "cards": [*CARDS["cards"], both]}
    assert problems("cards", data) == []
    cards = cards_of(data)
    assert cards[3].event("axis").text == "Doubles a unit."
    assert cards[3].event("axis").marks == {"first"}
    assert cards[3].event("soviet") is None
    assert cards[0].event("axis") == cards[0].event("soviet")
    assert cards[0].event("axis").rule == "X-2"
    assert cards.marked("out45") == (3,)
    for change in ({"text": "and more"}, {"events": {}}):
        assert problems("cards", {**data, "cards": [{**both, **change}]}) != []


@pytest.mark.parametrize("change", [{"provenance": "x"}, {"cards": CARDS["cards"] * 2}])
def test_card_lists_that_contradict_themselves(change):
    with pytest.raises(ValueError, match="cards"):
        cards_of({**CARDS, **change})
