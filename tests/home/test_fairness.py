"""Tests of dice agree with printed tables, and few dice claim nothing."""

from __future__ import annotations

import random
from itertools import product
from math import isclose

import pytest

from pbem.home.archives import chi2_p, exact_p, fairness


# Critical values as printed in every table of the distribution.
@pytest.mark.parametrize(
    ("freedom", "value", "p"),
    [(1, 3.841, 0.05), (2, 5.991, 0.05), (5, 11.070, 0.05), (5, 20.515, 0.001), (10, 2.558, 0.99), (19, 30.144, 0.05)],
)
def test_chi_square_agrees_with_the_printed_tables(freedom, value, p):
    assert isclose(chi2_p(value, freedom), p, rel_tol=2e-3)


def test_exact_test_counts_every_throw():
    def uneven(throw):
        return sum(throw.count(face) ** 2 for face in (1, 2, 3))

    throws = list(product((1, 2, 3), repeat=6))
    for faces in ((2, 2, 2), (3, 2, 1), (5, 1, 0), (6, 0, 0)):
        limit = sum(n * n for n in faces)
        assert isclose(exact_p(faces), sum(uneven(t) >= limit for t in throws) / len(throws))


def test_exact_and_approximate_agree_on_larger_samples():
    faces = (14, 9, 12, 5)
    approximate = chi2_p(sum((n - 10) ** 2 for n in faces) / 10, 3)
    assert isclose(exact_p(faces), approximate, abs_tol=0.02)


def test_fair_dice_pass_and_loaded_dice_do_not():
    source = random.Random(11)
    fair = fairness([source.randint(1, 6) for _ in range(3000)], 6)
    assert fair.p > 0.001
    assert fair.low < fair.mean < fair.high
    loaded = fairness([source.choice((1, 2, 3, 4, 5, 6, 6)) for _ in range(3000)], 6)
    assert loaded.p < 0.001
    assert loaded.mean > loaded.high


def test_few_dice_claim_nothing():
    few = fairness([6, 6, 6], 6)
    assert few.exact
    assert isclose(few.p, 6 / 216)
    assert "few" in few.verdict
    assert fairness([], 6).p == 1.0
