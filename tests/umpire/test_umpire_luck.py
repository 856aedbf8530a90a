"""Fair dice of many players are not accused, loaded ones stand out."""

from __future__ import annotations

import random
from math import isclose
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from pbem.home.archives import fairness
from pbem.umpire.site.luck import Throw, holm, luck, mean_p, report_of


def throws(player, results, sides=6, game="g"):
    return [Throw(player, game, sides, tuple(results))]


def fair(source, count, sides=6):
    return [source.randint(1, sides) for _ in range(count)]


def test_sixty_players_with_fair_dice_are_not_accused():
    """Of sixty means some three lie outside their own interval; corrected, hardly ever one does."""
    accused, outside = 0, 0
    for number in range(20):
        source = random.Random(number)
        report = luck(each for n in range(60) for each in throws(f"P{n}", fair(source, 200)))
        accused += any(row.corrected < 0.05 for row in report.rows)
        outside += sum(not row.test.low <= row.test.mean <= row.test.high for row in report.rows)
        assert "with fair dice about 3.0 do" in report.notes[0]
    assert accused <= 3
    assert 30 <= outside <= 95  # 60 of 1,200 are expected


def test_loaded_dice_stand_out_among_many():
    source = random.Random(4)
    rows = [each for n in range(40) for each in throws(f"P{n}", fair(source, 300))]
    rows += throws("Loaded", [source.choice((1, 2, 3, 4, 5, 6, 6, 6)) for _ in range(300)])
    report = luck(rows)
    assert report.rows[0].player == "Loaded"
    assert report.rows[0].corrected < 0.001
    assert report.rows[0].difference > 0
    assert "Loaded" in report.notes[1]


def test_a_few_sixes_prove_nothing():
    report = luck([*throws("A", [6, 6, 6]), *throws("B", [1, 2])])
    assert all(row.corrected == 1 for row in report.rows)
    assert report.notes == (
        "For 2 means, each of one player and one kind of die, there are too few dice to say anything.",
    )
    enough = luck([*throws("A", [6, 6, 6]), *throws("B", [1, 2, 3, 4, 5, 6] * 5)])
    assert [row.corrected for row in enough.rows] == [1, 1]
    assert enough.notes[-1].endswith("nothing is unusual.")
    assert luck([]).rows == ()
    assert luck([]).notes == ()


def test_dice_of_several_games_and_kinds():
    rows = [*throws("A", [1, 2], game="g"), *throws("A", [3], game="h"), *throws("A", [9, 2], sides=10)]
    report = luck(rows)
    assert {(row.sides, row.games, row.test.count) for row in report.rows} == {(6, 2, 3), (10, 1, 2)}


def test_the_chance_of_a_mean():
    # 100 dice with a mean of 3.5 + 1.96 standard deviations.
    sixes = fairness([6] * 60 + [1] * 40, 6)
    off = (sixes.mean - 3.5) / (35 / 12 / 100) ** 0.5
    assert isclose(off, 2.9277, rel_tol=1e-4)
    assert isclose(mean_p(sixes), 0.003415, rel_tol=1e-3)
    assert mean_p(fairness([1, 2, 3, 4, 5, 6], 6)) == 1


def test_holm_by_hand():
    """0.01 x 4; 0.02 x 3; 0.03 x 2, and never below the one before; the last as it is."""
    corrected = holm([0.04, 0.01, 0.03, 0.02])
    assert [round(each, 6) for each in corrected] == [0.06, 0.04, 0.06, 0.06]


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_keeps_the_order_and_never_makes_surer(chances):
    corrected = holm(chances)
    assert all(0 <= before <= after <= 1 for before, after in zip(chances, corrected, strict=True))
    for one, other in zip(sorted(chances), sorted(chances)[1:], strict=False):
        assert corrected[chances.index(one)] <= corrected[chances.index(other)]


def test_dice_are_told_apart_whatever_players_call_themselves():
    names = ("Bob", "Bob", "Bob (2)", "Bob (1) (1)", "Ann")
    players = {number: SimpleNamespace(number=number, name=name) for number, name in enumerate(names, start=1)}
    _, numbers = report_of(SimpleNamespace(players=players, games=()), {})
    assert sorted(numbers.values()) == [1, 2, 3, 4, 5]
    assert numbers["Ann"] == 5
