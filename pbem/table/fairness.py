"""Tests of fairness over the dice of a game: exact where that is cheap, and honest about how little a few dice tell.

Shown to people, never replayed: floats are in order here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, erfc, exp, factorial, lgamma, log, prod, sqrt

_EXACT_CELLS = 20_000  # compositions that the exact test may walk
_TINY = 1e-300


@dataclass(frozen=True, slots=True)
class Fairness:
    """What `count` results of a die with `sides` sides tell."""

    sides: int
    count: int
    faces: tuple[int, ...]
    mean: float
    expected: float
    low: float
    high: float
    chi2: float
    p: float
    exact: bool

    @property
    def verdict(self) -> str:
        """One sentence that does not claim more than the sample bears."""
        if self.count < 5 * self.sides:
            return f"Too few dice to tell much: below {5 * self.sides} even a loaded die would often look fair."
        if self.p < 0.001:
            return "So uneven a sample is rare with fair dice (less than one in a thousand)."
        if self.p < 0.05:
            return "A little uneven; one fair sample in twenty looks so."
        return "Nothing unusual."


def fairness(results: Sequence[int], sides: int) -> Fairness:
    """Chi-square against the even die, and the mean with the interval in which it lies for 95 of 100 fair samples."""
    count = len(results)
    tally = Counter(results)
    faces = tuple(tally.get(face, 0) for face in range(1, sides + 1))
    expected = (sides + 1) / 2
    spread = sqrt((sides * sides - 1) / 12 / count) if count else 0.0
    chi2 = sum((n - count / sides) ** 2 for n in faces) * sides / count if count else 0.0
    exact = count > 0 and comb(count + sides - 1, sides - 1) <= _EXACT_CELLS
    return Fairness(
        sides=sides,
        count=count,
        faces=faces,
        mean=sum(results) / count if count else expected,
        expected=expected,
        low=max(1.0, expected - 1.96 * spread),
        high=min(float(sides), expected + 1.96 * spread),
        chi2=chi2,
        p=(exact_p(faces) if exact else chi2_p(chi2, sides - 1)) if count else 1.0,
        exact=exact,
    )


def exact_p(faces: Sequence[int]) -> float:
    """The chance that fair dice come out at least as uneven as this: a sum over all tallies."""
    count, sides = sum(faces), len(faces)
    limit = sum(n * n for n in faces)
    total = Fraction(0)
    for tally in _partitions(count, sides, count):
        if sum(n * n for n in tally) >= limit:
            ways = factorial(count) // prod(factorial(n) for n in tally)
            orders = factorial(sides) // prod(factorial(n) for n in Counter(tally).values())
            total += ways * orders
    return float(total / sides**count)


def _partitions(count: int, cells: int, largest: int) -> Sequence[tuple[int, ...]]:
    """The ways to put `count` into `cells` cells, descending."""
    if cells == 1:
        return [(count,)] if count <= largest else []
    return [
        (first, *rest)
        for first in range(min(count, largest), -1, -1)
        if first * cells >= count
        for rest in _partitions(count - first, cells - 1, first)
    ]


def chi2_p(value: float, freedom: int) -> float:
    """P(chi-square with `freedom` degrees >= value): the regularised upper incomplete gamma function."""
    if value <= 0:
        return 1.0
    if freedom == 1:
        return erfc(sqrt(value / 2))
    a, x = freedom / 2, value / 2
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-15:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * scale)
    b = x + 1 - a
    c = 1 / _TINY
    d = 1 / b
    h = d
    for i in range(1, 10_000):  # Lentz's continued fraction
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b or _TINY)
        c = b + an / c or _TINY
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return min(1.0, scale * h)
