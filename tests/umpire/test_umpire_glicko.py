"""Glicko-2, held against its author's worked example."""

from __future__ import annotations

from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from pbem.umpire.ratings import Outcome, Rating, expected, rate, rate_period

RATINGS = st.builds(Rating, st.floats(800, 2600), st.floats(30, 350), st.floats(0.03, 0.1))
SCORES = st.sampled_from([0.0, 0.5, 1.0])
OUTCOMES = st.lists(st.builds(Outcome, RATINGS, SCORES), min_size=1, max_size=8)


def test_the_worked_example():
    """Glickman, Example of the Glicko-2 system: 1464.06, 151.52, 0.05999, with intermediate values rounded."""
    player = Rating(1500, 200, 0.06)
    games = [Outcome(Rating(1400, 30), 1), Outcome(Rating(1550, 100), 0), Outcome(Rating(1700, 300), 0)]
    after = rate(player, games, tau=0.5)
    assert abs(after.rating - 1464.06) < 0.01
    assert abs(after.deviation - 151.52) < 0.01
    assert abs(after.volatility - 0.05999) < 0.00001


def test_an_idle_player_is_less_sure():
    """Step 6 alone: the new deviation is sqrt(200² + (173.7178 x 0.06)²)."""
    after = rate(Rating(1500, 200, 0.06), [])
    assert isclose(after.deviation, (200**2 + (173.7178 * 0.06) ** 2) ** 0.5)
    assert (after.rating, after.volatility) == (1500, 0.06)


@given(player=RATINGS, periods=st.integers(1, 400))
def test_idleness_never_ends_above_that_of_a_newcomer(player, periods):
    before = player
    for _ in range(periods):
        after = rate(before, [])
        assert before.deviation <= after.deviation <= 350
        before = after


@given(player=RATINGS, outcomes=OUTCOMES, order=st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(player, outcomes, order):
    first = rate(player, outcomes)
    order.shuffle(outcomes)
    second = rate(player, outcomes)
    assert isclose(first.rating, second.rating, abs_tol=1e-6)
    assert isclose(first.deviation, second.deviation, abs_tol=1e-6)


@given(player=RATINGS, outcomes=OUTCOMES)
def test_play_makes_sure_and_moves_as_it_went(player, outcomes):
    after = rate(player, outcomes)
    assert after.deviation < rate(player, []).deviation + 1e-6 or after.volatility > player.volatility
    assert 0 < after.volatility < 1
    weights = [(outcome, expected(Rating(player.rating, 1e-9), outcome.opponent)) for outcome in outcomes]
    if all(outcome.score > chance for outcome, chance in weights):
        assert after.rating >= player.rating  # a chance just below 0.5 moves nothing that a float could hold
    if all(outcome.score < chance for outcome, chance in weights):
        assert after.rating <= player.rating


@given(one=RATINGS, other=RATINGS, score=SCORES)
def test_what_one_gains_the_other_loses(one, other, score):
    after = rate_period({"a": one, "b": other}, [("a", "b", score)])
    gained, lost = after["a"].rating - one.rating, after["b"].rating - other.rating
    if score != 0.5:
        assert (gained > 0) == (score > 0.5)
        assert (lost < 0) == (score > 0.5)
    level = rate_period({"a": one, "b": Rating(one.rating, one.deviation, one.volatility)}, [("a", "b", score)])
    assert isclose(level["a"].rating - one.rating, one.rating - level["b"].rating, abs_tol=1e-6)


@given(one=RATINGS, other=RATINGS)
def test_two_chances_add_up_to_one(one, other):
    assert isclose(expected(one, other) + expected(other, one), 1)
    assert (expected(one, other) > 0.5) == (one.rating > other.rating) or isclose(expected(one, other), 0.5)


def test_a_period_counts_from_what_was_before():
    ratings = {name: Rating() for name in "abcd"}
    after = rate_period(ratings, [("a", "b", 1), ("b", "c", 1), ("a", "c", 0.5)])
    assert after["a"] == rate(ratings["a"], [Outcome(Rating(), 1), Outcome(Rating(), 0.5)])
    assert after["a"].rating > after["b"].rating > after["c"].rating
    assert after["d"].deviation == 350
    assert (round(after["a"].low), round(after["a"].high)) == (
        round(after["a"].rating - 1.96 * after["a"].deviation),
        round(after["a"].rating + 1.96 * after["a"].deviation),
    )


def test_surprises_make_volatile():
    strong = Rating(2200, 50, 0.06)
    weak = Outcome(Rating(1200, 50), 0)
    assert rate(strong, [weak] * 6).volatility > 0.0604
    assert rate(strong, [Outcome(Rating(2200, 50), 0.5)] * 6).volatility < 0.06
