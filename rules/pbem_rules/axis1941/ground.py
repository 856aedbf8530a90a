"""The index of units by place, and what follows from it: kept beside the state while units move, and never saved.

`State` alone changes it. Whenever a game is loaded it is made again from the units.
"""

from __future__ import annotations

from bisect import insort
from typing import Any

from pbem.game import Rows
from pbem_rules.axis1941.chart import PLACES
from pbem_rules.axis1941.routes import mask_of
from pbem_rules.axis1941.units import DESTROYER, KINDS, NONE, POWERS, SIDE, SURFACE, Kind, Power, Side, Unit


class Ground:
    """The index of one state's units. Other modules keep in it what they have worked out, as long as it holds."""

    __slots__ = (
        "at",
        "cargo",
        "destroyers",
        "marked",
        "masks",
        "of",
        "realms",
        "sea",
        "surface",
        "units",
        "view",
        "worth",
        "yards",
    )

    def __init__(self, rows: Rows[int, Unit]) -> None:
        self.at: list[list[int]] = [[] for _ in range(PLACES)]
        self.cargo: dict[int, list[int]] = {}
        self.units = {side: [0] * PLACES for side in Side}  # how many of a side are in a place, cargo included
        self.surface = {side: [0] * PLACES for side in Side}
        self.destroyers = {side: [0] * PLACES for side in Side}
        self.of: dict[tuple[Power, Kind], list[int]] = {(power, kind): [] for power in POWERS for kind in KINDS}
        # The same as masks of places, by side: where anybody is, where surface warships are, where destroyers are.
        self.masks = {side: [0, 0, 0] for side in Side}
        self.marked: set[int] = set()  # units that bear a mark of this turn: `did`, `used`, `origin` or `target`
        # Of who controls what, None where it has not been counted yet: territories as masks, and what they yield.
        self.realms: dict[Side, int] | None = None
        self.worth: dict[Power, int] | None = None
        self.sea: tuple[tuple[int, Power], tuple[int, ...]] | None = None  # of a turn: where ships can go (`sight`)
        self.view: Any = None  # what `sight.look` saw last, dropped when it or the turn is over
        self.yards: tuple[tuple[int, Power, int], list[int]] | None = None  # `mobilise.complexes`, and of when
        self._index(rows)

    def _index(self, rows: Rows[int, Unit]) -> None:
        """`add` of all units at once, in ascending order."""
        for number, unit in rows.items():
            place, kind, side = unit.place, unit.kind, SIDE[unit.power]
            self.at[place].append(number)
            self.of[unit.power, kind].append(number)
            if unit.aboard != NONE:
                self.cargo.setdefault(unit.aboard, []).append(number)
            self.units[side][place] += 1
            if kind in SURFACE:
                self.surface[side][place] += 1
                if kind is Kind.DESTROYER:
                    self.destroyers[side][place] += 1
            if unit.did or unit.used or unit.origin != NONE or unit.target != NONE:
                self.marked.add(number)
        for side in Side:
            for row, counted in enumerate((self.units[side], self.surface[side], self.destroyers[side])):
                self.masks[side][row] = mask_of([place for place, count in enumerate(counted) if count])

    def add(self, number: int, unit: Unit) -> None:
        insort(self.at[unit.place], number)
        insort(self.of[unit.power, unit.kind], number)
        if unit.aboard != NONE:
            self._board(number, unit.aboard)
        self._count(unit, NONE, unit.place)
        if unit.did or unit.used or unit.origin != NONE or unit.target != NONE:
            self.marked.add(number)

    def drop(self, number: int, unit: Unit) -> None:
        self.at[unit.place].remove(number)
        self.of[unit.power, unit.kind].remove(number)
        if unit.aboard != NONE:
            self._leave(number, unit.aboard)
        self._count(unit, unit.place, NONE)
        self.marked.discard(number)

    def alter(self, number: int, old: Unit, new: Unit) -> None:
        """A unit has other values; its power and its kind never change."""
        if old.place != new.place:
            self.at[old.place].remove(number)
            insort(self.at[new.place], number)
            self._count(new, old.place, new.place)
        if old.aboard != new.aboard:
            if old.aboard != NONE:
                self._leave(number, old.aboard)
            if new.aboard != NONE:
                self._board(number, new.aboard)
        if new.did or new.used or new.origin != NONE or new.target != NONE:
            self.marked.add(number)
        else:
            self.marked.discard(number)

    def _board(self, number: int, ship: int) -> None:
        insort(self.cargo.setdefault(ship, []), number)

    def _leave(self, number: int, ship: int) -> None:
        held = self.cargo[ship]
        held.remove(number)
        if not held:
            del self.cargo[ship]

    def _count(self, unit: Unit, start: int, goal: int) -> None:
        """One less and one more; NONE: nowhere."""
        side, kind = SIDE[unit.power], unit.kind
        self._tally(self.units[side], side, 0, start, goal)
        if kind in SURFACE:
            self._tally(self.surface[side], side, 1, start, goal)
            if kind is DESTROYER:
                self._tally(self.destroyers[side], side, 2, start, goal)

    def _tally(self, counted: list[int], side: Side, row: int, start: int, goal: int) -> None:
        """The last one that goes and the first one that comes change the mask, and with it what the enemy sees."""
        changed = 0
        if start != NONE:
            counted[start] = count = counted[start] - 1
            if not count:
                changed = 1 << start
        if goal != NONE:
            counted[goal] = count = counted[goal] + 1
            if count == 1:
                changed |= 1 << goal
        if changed:
            self.masks[side][row] ^= changed
            if self.view is not None and self.view.side is not side:
                self.view = None

    def give(self, territory: int, value: int, before: Power, power: Power) -> None:
        """A territory has changed hands."""
        self.view = self.yards = None
        if self.realms is not None and SIDE[before] is not SIDE[power]:
            self.realms[SIDE[before]] ^= 1 << territory
            self.realms[SIDE[power]] ^= 1 << territory
        if self.worth is not None:
            self.worth[before] -= value
            self.worth[power] += value
