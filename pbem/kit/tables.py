"""Tables of a rulebook: odds columns with shifts, and results by die and column, each cell with where it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

from pbem.kit.board import PROVENANCE


class Odds(NamedTuple):
    """Columns in ascending order, each a ratio attack : defence; a ratio counts for the highest column it attains."""

    columns: tuple[tuple[int, int], ...]

    def column(self, attack: int, defence: int) -> int:
        """The number of the column, -1 if the odds are below the first."""
        found = -1
        for number, (a, d) in enumerate(self.columns):
            if attack * d >= defence * a:
                found = number
        return found

    def shifted(self, column: int, shift: int) -> int:
        return max(0, min(len(self.columns) - 1, column + shift))

    def name(self, column: int) -> str:
        a, d = self.columns[column]
        return f"{a}:{d}"


@dataclass(frozen=True)
class Table:
    """Results by die (rows from 1) and column."""

    name: str
    rule: str
    provenance: str
    columns: tuple[str, ...]
    sides: int
    cells: tuple[tuple[str, ...], ...]
    sources: Mapping[tuple[int, int], str] = field(default_factory=dict)  # where one cell differs from the table

    def result(self, die: int, column: int) -> str:
        return self.cells[die - 1][column]

    def source(self, die: int, column: int) -> str:
        return self.sources.get((die, column), self.provenance)

    def chances(self, column: int) -> dict[str, int]:
        """Whole percentages per result, best row first; they add up to 100 (largest remainder)."""
        return percentages([row[column] for row in self.cells])


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
    """One table of a tables file (schemas/tables.json); `results` are the results that the game knows (none: any)."""
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
    return Table(name, str(data["rule"]), str(data["provenance"]), columns, len(cells), cells, sources)
