"""Tables of a rulebook (odds columns, and results by die and column, each cell with where it comes from), and what is
calculated with them: strengths, shifts, chances; every change with its rule and reason, every chance exact.

```
 7:2 = 3:1   tanks +1 (9.2)   town -1 (9.6)   river -1 (9.5)     column 2:1     D1 1/3, DR 1/2, EX 1/6
 plain       shifts, added together                              final          exact chances
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeVar

from pbem.kit.board import PROVENANCE

T = TypeVar("T")


class Odds(NamedTuple):
    """Columns in ascending order, each a ratio attack : defence; a ratio counts for the highest column it attains."""

    columns: tuple[tuple[int, int], ...]

    def column(self, attack: Fraction | int, defence: Fraction | int) -> int:
        """The number of the column, -1 if the odds are below the first."""
        found = -1
        for number, (a, d) in enumerate(self.columns):
            if attack * d >= defence * a:
                found = number
        return found

    def place(self, attack: Fraction | int, defence: Fraction | int) -> int:
        """As `column`, but going on beyond the table: 8:1 above 7:1, 9:1..., and 1:4 below 1:3, 1:5...

        Rounded in the defender's favour. The strengths are above 0, the first column is 1 to something and the last
        something to 1.
        """
        if attack <= 0 or defence <= 0:
            raise ValueError("odds are between strengths above 0")
        (one, most), (least, unit), last = self.columns[0], self.columns[-1], len(self.columns) - 1
        if one != 1 or unit != 1:
            raise ValueError("only odds from 1 to something up to something to 1 go on beyond the table")
        found = self.column(attack, defence)
        if found < 0:
            return most - int(-(-defence // attack))
        return last + int(attack // defence) - least if found == last else found

    def label(self, column: int) -> str:
        """The name of a column, also of those beyond the table."""
        if 0 <= column < len(self.columns):
            return self.name(column)
        (_, most), (least, _) = self.columns[0], self.columns[-1]
        return f"1:{most - column}" if column < 0 else f"{least + column - len(self.columns) + 1}:1"

    def shifted(self, column: int, shift: int) -> int:
        return max(0, min(len(self.columns) - 1, column + shift))

    def name(self, column: int) -> str:
        a, d = self.columns[column]
        return f"{a}:{d}"

    def name_of(self, attack: Fraction | int, defence: Fraction | int) -> str:
        """The name of the column of these odds; for odds beyond the table, the last column, which is named as such."""
        a, d = self.columns[-1]
        column = self.column(attack, defence)
        if attack * d > defence * a:
            return f"{self.name(-1)}, the last column"
        return self.name(column) if column >= 0 else f"below {self.name(0)}"


@dataclass(frozen=True, slots=True)
class Table:
    """Results by die and column. Rows count from 1, or from `first` where the die is modified."""

    name: str
    rule: str
    provenance: str
    columns: tuple[str, ...]
    sides: int
    cells: tuple[tuple[str, ...], ...]
    sources: Mapping[tuple[int, int], str] = field(default_factory=dict)  # where one cell differs from the table
    first: int = 1

    def result(self, die: int, column: int) -> str:
        return self.cells[die - self.first][column]

    def at(self, total: int, column: int) -> str:
        """The result of a modified die: beyond the table its first and last rows count."""
        return self.cells[max(0, min(len(self.cells) - 1, total - self.first))][column]

    def column(self, name: str) -> int:
        """The number of a column by its name: a kind of terrain, odds."""
        return self.columns.index(name)

    def source(self, die: int, column: int) -> str:
        return self.sources.get((die, column), self.provenance)

    def chances(self, column: int) -> dict[str, int]:
        """Whole percentages per result, best row first; they add up to 100 (largest remainder)."""
        return percentages([self.at(die, column) for die in range(1, self.sides + 1)])


def percentages(outcomes: Sequence[str]) -> dict[str, int]:
    """Whole percentages of equally likely outcomes that add up to 100; remainders go to the largest, then the first."""
    count = Counter(outcomes)
    total = len(outcomes)
    share = {name: 100 * n // total for name, n in count.items()}
    order = list(count)
    left = 100 - sum(share.values())
    for name in sorted(order, key=lambda n: (-(100 * count[n] % total), order.index(n)))[:left]:
        share[name] += 1
    return share


def rows_of(data: Mapping[str, Any]) -> list[dict[str, str]]:
    """The rows of one table, each by the names of its columns."""
    columns = [str(column) for column in data["columns"]]
    if any(len(row) != len(columns) for row in data["rows"]):
        raise ValueError(f"tables: every row of {data['name']} has {len(columns)} cells")
    return [dict(zip(columns, map(str, row), strict=True)) for row in data["rows"]]


def labelled(data: Mapping[str, Any], made: Callable[[Mapping[str, str]], T]) -> dict[str, T]:
    """The rows of one table by their labels, each converted by `made`."""
    rows, labels = rows_of(data), [str(label) for label in data.get("labels", ())]
    if len(set(labels)) != len(rows) or len(labels) != len(rows):
        raise ValueError(f"tables: every row of {data['name']} has a label of its own")
    try:
        return {label: made(row) for label, row in zip(labels, rows, strict=True)}
    except KeyError as column:
        raise ValueError(f"tables: {data['name']} lacks the column {column}") from None


def odds_of(data: Mapping[str, Any]) -> Odds:
    """The columns of a result table that are ratios (`2:1`)."""
    columns = []
    for text in data["columns"]:
        a, colon, d = str(text).partition(":")
        if not colon or not a.isdigit() or not d.isdigit() or int(a) < 1 or int(d) < 1:
            raise ValueError(f"tables: {text!r} is not a ratio")
        columns.append((int(a), int(d)))
    if any(a * e >= b * d for (a, d), (b, e) in pairwise(columns)):
        raise ValueError("tables: the odds columns must rise")
    return Odds(tuple(columns))


def table_of(data: Mapping[str, Any], results: Sequence[str] = ()) -> Table:
    """One table of a tables file (schemas/data/tables.json); `results` are those that the game knows (none: any)."""
    columns = tuple(str(c) for c in data["columns"])
    cells = tuple(tuple(str(cell) for cell in row) for row in data["rows"])
    name = str(data["name"])
    if any(len(row) != len(columns) for row in cells):
        raise ValueError(f"tables: every row of {name} has {len(columns)} cells")
    unknown = {cell for row in cells for cell in row} - set(results) if results else set()
    if unknown:
        raise ValueError(f"tables: {name} has the unknown result {min(unknown)}")
    sources = {(int(s["die"]), columns.index(str(s["column"]))): str(s["provenance"]) for s in data.get("cells", ())}
    for provenance in (str(data["provenance"]), *sources.values()):
        if provenance not in PROVENANCE:
            raise ValueError(f"tables: provenance is one of {', '.join(PROVENANCE)}")
    first, sides = int(data.get("first", 1)), int(data.get("die", len(cells)))
    return Table(name, str(data["rule"]), str(data["provenance"]), columns, sides, cells, sources, first)


Rounding = Literal["up", "down", "exact"]
HALF = Fraction(1, 2)


class Factor(NamedTuple):
    """A factor by which a strength is multiplied: `Factor(HALF, "9.5.2", "across a major river")`."""

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
