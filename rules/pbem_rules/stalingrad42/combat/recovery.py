"""S42-13.4, S42-13.5: the Recovery Phase: units regain their order, beside the enemy by a roll."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from pbem.game import DONE, Draw, Next, Out, Roll
from pbem_rules.stalingrad42.chart import DIE
from pbem_rules.stalingrad42.events import Recovered
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.state import GOOD, State, other


def shaken_units(s: State, side: str) -> Iterator[int]:
    """Those that can recover: the units of a side that are Disrupted or in Full Retreat, on the map or in an Area."""
    return (unit for unit in s.ground.standing(side) if s.pieces[unit].order != GOOD)


def rallying(s: State, side: str) -> tuple[int, ...]:
    """S42-13.4: of these the units in enemy zones, friends there or not."""
    zone, bit = s.zone(other(side)), s.chart.board.bit
    return tuple(unit for unit in shaken_units(s, side) if zone & bit[s.at(unit)])


def rallied(s: State, unit: int, die: int) -> int:
    """S42-13.5: the levels that a roll brings; beyond the table its last rows count."""
    table = s.chart.rally
    total = die + s.has(unit, "elite") - s.has(unit, "low")
    return table[max(1, min(len(table), total)) - 1]


class Recovery(Roll[State, PlayerTurn]):
    """S42-13.4: one level without a roll out of enemy zones, by a roll in them."""

    name = "recovery"
    rule = "S42-13.4"

    def draws(self, s: State, f: PlayerTurn) -> Iterable[Draw]:
        units = rallying(s, f.seat)
        if units:
            yield Draw(f"t{s.turn}/{f.seat}/rally", DIE, len(units))

    def run(self, s: State, f: PlayerTurn, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        dice = dict(zip(rallying(s, f.seat), *got.values(), strict=True)) if got else {}
        for unit in list(shaken_units(s, f.seat)):
            die = dice.get(unit, 0)
            order = s.pieces[unit].order - (rallied(s, unit, die) if die else 1)
            s.alter(unit, replace(s.pieces[unit], order=order))
            out.add(Recovered(unit=s.code(unit), hex=s.at(unit), die=die, order=order, rule=self.rule))
        return DONE
