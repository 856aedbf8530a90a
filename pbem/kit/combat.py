"""Strengths, odds and results: every change with its rule and reason, every chance exact.

```
 7:2 = 3:1   tanks +1 (9.2)   town -1 (9.6)   river -1 (9.5)     column 2:1     D1 1/3, DR 1/2, EX 1/6
 plain       shifts, added together                              final          exact chances
```
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from pbem.kit.tables import Odds, Table

Rounding = Literal["up", "down", "exact"]
HALF = Fraction(1, 2)


class Factor(NamedTuple):
    """What a strength is multiplied by: `Factor(HALF, "9.5.2", "across a major river")`."""

    by: Fraction
    rule: str
    why: str


def rounded(value: Fraction | int, way: Rounding) -> Fraction:
    """A whole number, up or down, or the value as it is."""
    if way == "exact":
        return Fraction(value)
    return Fraction(-(-value // 1) if way == "up" else value // 1)


def strength(base: int, factors: Iterable[Factor], each: Rounding = "exact") -> Fraction:
    """A strength after its factors, one after another; `each`: how it is rounded after every one of them."""
    value = Fraction(base)
    for factor in factors:
        value = rounded(value * factor.by, each)
    return value


class Shift(NamedTuple):
    """Columns to the right (attacker's favour) or to the left."""

    by: int
    rule: str
    why: str


class Reckoned(NamedTuple):
    """One battle before the die. Columns beyond the table have numbers too: -1 is one below the first."""

    attack: Fraction
    defence: Fraction
    plain: int
    shifts: tuple[Shift, ...]
    column: int

    def describe(self, odds: Odds) -> str:
        """`7 to 2 = 3:1, tanks +1 (9.2): column 4:1`."""
        plain, column = odds.label(self.plain), odds.label(self.column)
        return describe_odds(self.attack, self.defence, plain, self.shifts, column)


def describe_odds(
    attack: Fraction | int, defence: Fraction | int, plain: str, shifts: Iterable[Shift], column: str
) -> str:
    """How the column of a battle comes about, each shift with its rule; `plain` and `column` are names of columns."""
    changes = "".join(f", {shift.why} {shift.by:+d} ({shift.rule})" for shift in shifts)
    return f"{attack} to {defence} = {plain}{changes}: column {column}"


def reckon(
    odds: Odds,
    attack: Fraction | int,
    defence: Fraction | int,
    shifts: Iterable[Shift] = (),
    *,
    lowest: int | None = None,
    highest: int | None = None,
) -> Reckoned:
    """The column of a battle. `lowest` and `highest` bound the plain odds before the shifts, if the game does so.

    What the final column means beyond the table (no attack, the last column, a result without a die) is the game's.
    """
    plain = odds.place(attack, defence)
    if lowest is not None:
        plain = max(plain, lowest)
    if highest is not None:
        plain = min(plain, highest)
    kept = tuple(shift for shift in shifts if shift.by)
    return Reckoned(Fraction(attack), Fraction(defence), plain, kept, plain + sum(shift.by for shift in kept))


def chances(table: Table, column: int, modifier: int = 0) -> dict[str, Fraction]:
    """The exact chance of each result with one die.

    `modifier` is added to it; beyond the table its first and last rows count.
    """
    found: dict[str, Fraction] = {}
    for die in range(1, table.sides + 1):
        result = table.at(die + modifier, column)
        found[result] = found.get(result, Fraction(0)) + Fraction(1, table.sides)
    return found


def describe_chances(results: Mapping[str, Fraction], order: Sequence[str] = ()) -> str:
    """`D1 1/3, DR 1/2, EX 1/6`, in the order given, then as found."""
    first = [result for result in order if result in results]
    rest = [result for result in results if result not in first]
    return ", ".join(f"{result} {results[result]}" for result in (*first, *rest))
