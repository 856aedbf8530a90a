"""Reminders of what a player may have forgotten, before they seal their orders."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.game import Order, Orders, View
from pbem.kit import all_of
from pbem_rules.bridgehead.attacks import attacks
from pbem_rules.bridgehead.frames import Half
from pbem_rules.bridgehead.movement import check_unit
from pbem_rules.bridgehead.orders import Finish
from pbem_rules.bridgehead.state import State
from pbem_rules.bridgehead.supply import cut_off


def left_undone(view: View[State], seat: str, order: Order | None) -> Iterator[str]:
    """Units that have not moved, hexes that could still be attacked, and what the next check would find out of supply
    (BH-9.1).
    """
    s, f = view.state, view.frame
    if not isinstance(f, Half) or f.side != seat:
        return
    kind = view.need.kind if isinstance(order, Finish) and isinstance(view.need, Orders) else ""
    ends = kind == "march"
    units = s.chart.units
    if ends:
        idle = [units[unit].code for unit in s.chart.own[seat] if check_unit(s, f, unit) is None]
        if idle:
            yield f"Not moved: {', '.join(idle)}."
    if kind == "declare" and (left := dict.fromkeys(attack.target for attack in attacks(s, f))):
        held = (
            f"{all_of(units[unit].code for unit in s.ground.stacks[cell])} in {s.chart.board[cell]}" for cell in left
        )
        yield f"Could still be attacked: {', '.join(held)}."
    if ends or order is None:
        cut = [units[unit].code for unit in cut_off(s, seat)]
        if cut:
            yield f"Out of supply as things stand: {', '.join(cut)}."
