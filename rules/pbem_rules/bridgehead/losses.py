"""BH-7.4 Losses."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.game import Out
from pbem_rules.bridgehead.events import StepLost
from pbem_rules.bridgehead.state import State


def lose_steps(s: State, units: Iterable[int], count: int, out: Out) -> None:
    """Each step from the unit with the most steps left; among equals from the lowest number."""
    group = list(units)
    for _ in range(count):
        left = [unit for unit in group if s.pieces[unit].steps]
        if not left:
            return
        unit = max(left, key=lambda u: (s.pieces[u].steps, -u))
        place = s.at(unit)
        s.set_steps(unit, s.pieces[unit].steps - 1)
        code = s.chart.units[unit].code
        out.add(StepLost(unit=code, hex=place, left=s.pieces[unit].steps, rule="BH-7.4"))
