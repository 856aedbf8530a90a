"""Whether anybody's dice were unusually high or low, and how much the figures say.

Many players and kinds of die are tested at once, so some always look odd. Each test gives its p-value, plain and after
Holm's correction for the number of tests; only the corrected one is a reason to look closer. High is not the same as
lucky: what a die is good for, the rules of the game say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Final

from pbem.home.archives import FEW_SIDES, Fairness, fairness
from pbem.umpire.site.archived import Shown
from pbem.umpire.site.gather import Picture

LEVEL: Final = 0.05
_NORMAL: Final = NormalDist()
_NUMBERED: Final = re.compile(r"\([0-9]+\)$")
"""A name that ends as ours do where several have the same."""


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that fell for a player: one draw of one game."""

    player: str
    game: str
    sides: int
    results: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Luck:
    """One player's dice of one kind.

    The test's `low` to `high`: where 95 of 100 fair samples of this size have their mean. `corrected` is the chance of
    so odd a sample with fair dice, corrected for how many were looked at.
    """

    player: str
    sides: int
    games: int
    test: Fairness
    mean_p: float
    corrected: float

    @property
    def difference(self) -> float:
        """Pips above what fair dice give on average."""
        return (self.test.mean - self.test.expected) * self.test.count


@dataclass(frozen=True, slots=True)
class Report:
    rows: tuple[Luck, ...]
    notes: tuple[str, ...]


def luck(throws: Iterable[Throw]) -> Report:
    """Of every player and kind of die, most telling first."""
    found: dict[tuple[str, int], list[Throw]] = {}
    for throw in throws:
        found.setdefault((throw.player, throw.sides), []).append(throw)
    tests = [
        (player, sides, len({throw.game for throw in rows}), fairness([n for row in rows for n in row.results], sides))
        for (player, sides), rows in sorted(found.items())
        if any(row.results for row in rows)
    ]
    telling = [at for at, (_, _, _, test) in enumerate(tests) if enough(test)]
    # Two tests each, of the faces and of the mean: the rarer of two is twice as often so rare.
    rare = [min(1.0, 2 * min(tests[at][3].p, mean_p(tests[at][3]))) for at in telling]
    corrected = dict(zip(telling, holm(rare), strict=True))
    rows = [
        Luck(player, sides, games, test, mean_p(test), corrected.get(at, 1.0))
        for at, (player, sides, games, test) in enumerate(tests)
    ]
    rows.sort(key=lambda row: (row.corrected, row.mean_p, row.player, row.sides))
    return Report(tuple(rows), notes(rows))


def enough(test: Fairness) -> bool:
    """Whether so many dice tell anything: below, they are counted and not tested."""
    return test.count >= 5 * test.sides


def spread(test: Fairness) -> float:
    """The standard deviation of the mean of so many fair dice."""
    return sqrt((test.sides * test.sides - 1) / 12 / test.count)


def mean_p(test: Fairness) -> float:
    """The chance that the mean of fair dice is at least so far off (normal approximation)."""
    off = abs(test.mean - test.expected) / spread(test)
    return 2 * (1 - _NORMAL.cdf(off))


def holm(chances: Sequence[float]) -> list[float]:
    """Chances corrected for how many there are, in the order given."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    corrected = [0.0] * len(chances)
    least = 0.0
    for rank, at in enumerate(order):
        least = max(least, min(1.0, chances[at] * (len(chances) - rank)))
        corrected[at] = least
    return corrected


def notes(rows: Sequence[Luck]) -> tuple[str, ...]:
    telling = [row for row in rows if enough(row.test)]
    few = len(rows) - len(telling)
    outside = sum(not row.test.low <= row.test.mean <= row.test.high for row in telling)
    odd = sorted({row.player for row in telling if row.corrected < LEVEL})
    said = []
    if telling:
        said.append(
            f"{len(telling)} means were looked at and {outside} lie outside their own interval; "
            f"with fair dice about {len(telling) * LEVEL:.1f} do."
        )
    if few:
        said.append(
            f"For {few} {'more ' if telling else ''}means, each of one player and one kind of die, there are too few "
            "dice to say anything."
        )
    if odd:
        who = ", ".join(odd)
        said.append(
            f"Even for so many tests these are rare with fair dice: {who}. The command pbem dice shows how each roll "
            "was made."
        )
    elif telling:
        said.append("Given the number of tests, nothing is unusual.")
    return tuple(said)


def report_of(picture: Picture, shown: Mapping[int, Shown]) -> tuple[Report, dict[str, int]]:
    """Of the whole tournament; and the entrant's number behind each name in it."""
    names = [each.name for each in picture.players.values()]
    called = {
        each.number: f"{each.name} ({each.number})"
        if names.count(each.name) > 1 or _NUMBERED.search(each.name)
        else each.name
        for each in picture.players.values()
    }
    return luck(throws(picture, shown, called)), {name: number for number, name in called.items()}


def throws(picture: Picture, shown: Mapping[int, Shown], called: Mapping[int, str]) -> Iterable[Throw]:
    """Draws that belong to one player, of dice."""
    for each in picture.games:
        for draw in shown[each.id].draws if each.id in shown else ():
            if draw.by is not None and draw.by < len(each.entrants) and 2 <= draw.sides <= FEW_SIDES:
                yield Throw(called[each.entrants[draw.by]], each.label, draw.sides, draw.results)


def in_order(rows: Iterable[Luck], numbers: Mapping[str, int]) -> list[Luck]:
    """Those that tell something first, most telling first; then by number. Fewer dice than a die has sides: not at
    all, only in the tables."""
    kept = [each for each in rows if each.test.count >= each.sides]
    few = sorted((each for each in kept if not enough(each.test)), key=lambda each: (numbers[each.player], -each.sides))
    return [each for each in kept if enough(each.test)] + few
