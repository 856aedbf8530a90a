"""SG-8.4: strengths, odds and shifts of an attack, each with its rule. Nothing here changes anything.

Strengths are summed in quarters, since the most that happens to a unit is two halves (SG-1.1.2a); the total of a side
is rounded down once (SG-1.1.2b, SG-1.1.3a).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from pbem.kit import HALF, Factor, Reckoned, Shift, chances, reckon
from pbem_rules.stargard.chart import RIVERS
from pbem_rules.stargard.state import ISOLATED, SUPPLIED, State, other

QUARTERS = 4
NO_ATTACK = -1000  # the column of an attack without strength
RIVER = Factor(HALF, "SG-8.4.1c", "across a river")
OUT = Factor(HALF, "SG-8.4.1a", "out of supply")
CUT_OFF = Factor(HALF, "SG-8.4.1b", "isolated")
MOST_PLANES = 2  # SG-13.1c
MOST_POINTS = 4  # SG-13.0b


class Share(NamedTuple):
    """What one unit adds to a side."""

    unit: int
    printed: int
    factors: tuple[Factor, ...]

    @property
    def quarters(self) -> int:
        return self.printed * QUARTERS >> len(self.factors)


def across_river(s: State, unit: int, target: int) -> bool:
    """A river of any kind between the unit and the target, with a bridge or without."""
    edge = s.chart.board.edges.get((s.at(unit), target), frozenset())
    return not edge.isdisjoint(RIVERS)


def _supply(s: State, unit: int) -> tuple[Factor, ...]:
    """SG-8.4.1a, SG-8.4.1b: one half, not two, however long it has been cut off."""
    supply = s.pieces[unit].supply
    return () if supply == SUPPLIED else (CUT_OFF,) if supply == ISOLATED else (OUT,)


def attack_shares(s: State, units: Iterable[int], target: int) -> tuple[Share, ...]:
    return tuple(
        Share(unit, s.face(unit).attack, (RIVER,) * across_river(s, unit, target) + _supply(s, unit)) for unit in units
    )


def defence_shares(s: State, target: int) -> tuple[Share, ...]:
    """SG-8.3.2: all of them; a headquarters has no strength (SG-3.2)."""
    return tuple(Share(unit, s.face(unit).defence, _supply(s, unit)) for unit in s.combat_units(target))


def total(shares: Iterable[Share]) -> int:
    return sum(share.quarters for share in shares) // QUARTERS


def points(s: State, planes: Iterable[str], power: Iterable[str]) -> int:
    """SG-13.0c: what air units are worth, as shifts and as points of the turn."""
    chart = s.chart
    return sum(chart.planes[code].normal for code in planes) + sum(chart.planes[code].power for code in power)


def ground_shifts(s: State, target: int) -> Iterator[Shift]:
    """SG-8.4.2: terrain and settlement of the defender's hex."""
    terrain = s.chart.board[target].terrain
    yield Shift(s.chart.ground[terrain].shift, "SG-8.4.2", terrain.replace("_", " "))
    kind = s.chart.settled.get(target)
    if kind is not None:
        yield Shift(s.chart.settlements[kind].shift, "SG-8.4.2", kind)


def shifts_of(s: State, target: int, air: int) -> Iterator[Shift]:
    """SG-8.4.2, SG-8.1.2a, SG-13.1b: every shift of an attack with its reason."""
    yield from ground_shifts(s, target)
    if any(s.pieces[unit].pinned for unit in s.combat_units(target)):
        yield Shift(1, "SG-8.1.2a", "pinned target")  # once, if any of them is
    yield Shift(air, "SG-13.1b", "air units")


def reckon_attack(s: State, units: Iterable[int], target: int, air: int = 0) -> Reckoned:
    """SG-8.2b, SG-1.1.3a: the column of an attack.

    Below 1:2 columns go on: 1:3, 1:4; above 7:1 they do not (SG-1.1.3b).
    """
    attack, defence = total(attack_shares(s, units, target)), total(defence_shares(s, target))
    last = len(s.chart.odds.columns) - 1
    if not attack:
        return Reckoned(Fraction(0), Fraction(defence), NO_ATTACK, (), NO_ATTACK)
    # A defence that comes to nothing counts as 7:1.
    found = reckon(s.chart.odds, attack, defence or Fraction(1, attack * 10), shifts_of(s, target, air), highest=last)
    return found._replace(defence=Fraction(defence), column=min(found.column, last))


def distribution(s: State, column: int) -> dict[str, Fraction]:
    """The exact chance of each result; none where the attack is cancelled (SG-1.1.3c)."""
    return chances(s.chart.crt, column) if column >= 0 else {}


def column_name(s: State, column: int) -> str:
    return s.chart.odds.label(column) if column > NO_ATTACK else "no attack at all"


def explain(s: State, reckoned: Reckoned) -> str:
    """`7 to 2 = 3:1, town -1 (SG-8.4.2): column 2:1`."""
    if reckoned.column == NO_ATTACK:
        return "The attackers have no strength, so that they cannot attack"
    what = "" if reckoned.column >= 0 else ", below 1:2, so that the attack is cancelled (SG-1.1.3c)"
    return reckoned.describe(s.chart.odds) + what


def mixed(value: Fraction) -> str:
    """`3 1/2`."""
    whole, part = divmod(value, 1)
    return f"{whole or ''} {part or ''}".strip() or "0"


def explain_shares(s: State, shares: Sequence[Share]) -> str:
    """`22/10SS 5, halved across a river (SG-8.4.1c), counts 2 1/2; Voigt 2: 4 1/2 in all, rounded down to 4`."""

    def halved(share: Share) -> str:
        if not share.factors:
            return ""
        why = "".join(f", halved {factor.why} ({factor.rule})" for factor in share.factors)
        return f"{why}, counts {mixed(Fraction(share.quarters, QUARTERS))}"

    told = "; ".join(f"{s.code(share.unit)} {share.printed}{halved(share)}" for share in shares)
    exact = Fraction(sum(share.quarters for share in shares), QUARTERS)
    rounded = f", rounded down to {exact // 1} (SG-1.1.3a)" if exact.denominator > 1 else ""
    return f"{told}: {mixed(exact)} in all{rounded}" if len(shares) > 1 else f"{told}{rounded}"


__all__ = [
    "MOST_PLANES",
    "MOST_POINTS",
    "NO_ATTACK",
    "Share",
    "attack_shares",
    "column_name",
    "defence_shares",
    "distribution",
    "explain",
    "explain_shares",
    "ground_shifts",
    "mixed",
    "other",
    "points",
    "reckon_attack",
    "shifts_of",
    "total",
]
