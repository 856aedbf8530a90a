"""BH-9 Supply."""

from __future__ import annotations

from collections import defaultdict

from pbem.game import DONE, Auto, Next, Out
from pbem_rules.bridgehead.chart import other
from pbem_rules.bridgehead.events import OutOfSupply
from pbem_rules.bridgehead.frames import Half
from pbem_rules.bridgehead.state import State


def supplied_hexes(s: State, side: str) -> int:
    """BH-9.1, BH-9.2: the mask of hexes that the side's lines of supply reach."""
    chart, ground, enemy = s.chart, s.ground, other(side)
    own, bit = ground.occupied[side], chart.board.bit
    closed = (s.zone(enemy) & ~own) | ground.occupied[enemy]
    ferries: dict[int, int] = defaultdict(int)
    for unit in chart.own[side]:
        if "sappers" in chart.units[unit].type.traits and s.on_map(unit):
            place = s.at(unit)
            for near in chart.grid.neighbours(place):
                ferries[bit[near]] |= bit[place]
                ferries[bit[place]] |= bit[near]
    return chart.lines.reached(chart.edge[side], ~closed, extra=ferries)


def cut_off(s: State, side: str) -> tuple[int, ...]:
    """The side's units on the map that are out of supply."""
    reached, bit, at = supplied_hexes(s, side), s.chart.board.bit, s.ground.at
    return tuple([unit for unit in s.ground.standing(side) if not reached & bit[at[unit]]])


class CheckSupply(Auto[State, Half]):
    name = "supply"
    rule = "BH-9.1"

    def run(self, s: State, f: Half, out: Out) -> Next:
        units = cut_off(s, f.side)
        for unit in s.chart.own[f.side]:
            s.cut &= ~(1 << unit)
        for unit in units:
            s.cut |= 1 << unit
        if units:
            out.add(OutOfSupply(units=tuple(s.chart.units[unit].code for unit in units), rule=self.rule))
        return DONE
