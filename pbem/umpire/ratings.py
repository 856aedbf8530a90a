"""Glicko-2, Mark Glickman's ratings: strength, its uncertainty, and volatility.

Floats are in order here: ratings are shown and seeded by, never replayed. Sums do not depend on the order of games.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import exp, fsum, hypot, log, pi, sqrt
from typing import Final, TypeVar

from pbem.umpire.db.deskrows import EntrantRow, PairingRow
from pbem.umpire.pairing.pairs import WIN

SCALE: Final = 173.7178
MIDDLE: Final = 1500.0
MOST_DEVIATION: Final = 350.0
TAU: Final = 0.5
"""How quickly volatility changes; Glickman advises 0.3 to 1.2."""
_NEAR: Final = 1e-9

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Rating:
    rating: float = MIDDLE
    deviation: float = MOST_DEVIATION
    volatility: float = 0.06

    @property
    def low(self) -> float:
        """The rating lies between `low` and `high` in 95 of 100 cases."""
        return self.rating - 1.96 * self.deviation

    @property
    def high(self) -> float:
        return self.rating + 1.96 * self.deviation


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game against somebody: 1 won, 0.5 drawn, 0 lost."""

    opponent: Rating
    score: float


def expected(one: Rating, other: Rating) -> float:
    """What `one` may expect of a game against `other`, from 0 to 1, for how sure one is of both."""
    spread = _shrink(hypot(one.deviation, other.deviation) / SCALE)
    return 1 / (1 + exp(-spread * (one.rating - other.rating) / SCALE))


def rate(player: Rating, outcomes: Iterable[Outcome], tau: float = TAU) -> Rating:
    """The rating after a period with these games; without any, only less sure."""
    games = [
        (_shrink(outcome.opponent.deviation / SCALE), outcome.opponent.rating, outcome.score) for outcome in outcomes
    ]
    phi = player.deviation / SCALE
    if not games:
        return Rating(player.rating, min(MOST_DEVIATION, SCALE * hypot(phi, player.volatility)), player.volatility)
    chances = [1 / (1 + exp(-g * (player.rating - rating) / SCALE)) for g, rating, _ in games]
    variance = 1 / fsum(g * g * chance * (1 - chance) for (g, _, _), chance in zip(games, chances, strict=True))
    gain = fsum(g * (score - chance) for (g, _, score), chance in zip(games, chances, strict=True))
    volatility = _volatility(phi, player.volatility, variance, variance * gain, tau)
    before = hypot(phi, volatility)
    after = 1 / sqrt(1 / before**2 + 1 / variance)
    return Rating(player.rating + SCALE * after**2 * gain, min(MOST_DEVIATION, SCALE * after), volatility)


def rate_period(ratings: Mapping[K, Rating], games: Iterable[tuple[K, K, float]], tau: float = TAU) -> dict[K, Rating]:
    """Everybody's rating after a period. A game is (one, other, score of one); all count from the ratings before."""
    outcomes: dict[K, list[Outcome]] = {key: [] for key in ratings}
    for one, other, score in games:
        outcomes[one].append(Outcome(ratings[other], score))
        outcomes[other].append(Outcome(ratings[one], 1 - score))
    return {key: rate(rating, outcomes[key], tau) for key, rating in ratings.items()}


def ratings_after(number: int, entrants: Iterable[EntrantRow], pairings: Iterable[PairingRow]) -> dict[int, Rating]:
    """By entrant: one period, of all games with a result up to that round."""
    before = {each.number: Rating(float(each.rating), float(max(each.deviation, 1))) for each in entrants}
    games = [
        (each.first, each.second, (each.first_points or 0) / WIN)
        for each in pairings
        if each.second is not None
        and each.state in ("over", "decided")
        and each.how in ("played", "forfeit", "adjudged")
        and each.round <= number
    ]
    return rate_period(before, games)


def _shrink(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi * phi / pi**2)


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the root of f by the Illinois variant of regula falsi."""
    start = log(sigma * sigma)

    def f(x: float) -> float:
        spread = phi * phi + variance + exp(x)
        return exp(x) * (delta * delta - spread) / (2 * spread * spread) - (x - start) / (tau * tau)

    low = start
    if delta * delta > phi * phi + variance:
        high = log(delta * delta - phi * phi - variance)
    else:
        back = 1
        while f(start - back * tau) < 0:
            back += 1
        high = start - back * tau
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _NEAR:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = f(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return exp(low / 2)
