"""S42-5.7.1: Soviet movement by sea, from port to port. In Fall Blau all ports lie on the Sea of Azov."""

from __future__ import annotations

from pbem_rules.stalingrad42.chart import MECH, PORT, SOVIET, SUPPLY
from pbem_rules.stalingrad42.state import GOOD, State


def sails(s: State, unit: int) -> bool:
    """S42-5.7.1a, S42-5.7.1b: may the unit embark: without vehicles and in good order, or supplies, in a port held?"""
    place, piece = s.at(unit), s.pieces[unit]
    if s.side(unit) != SOVIET or unit in s.frozen or piece.order != GOOD or piece.train:
        return False
    carried = s.has(unit, SUPPLY) or not s.has(unit, MECH)
    return carried and place in s.chart.board.marked(PORT) and s.holders[place] == SOVIET


def landings(s: State, unit: int) -> tuple[int, ...]:
    """S42-5.7.1: the ports where a unit may land: those of its side, and for naval infantry those that lie empty."""
    if not sails(s, unit):
        return ()
    empty_too = s.has(unit, "naval")
    return tuple(
        port
        for port in s.chart.board.marked(PORT)
        if port != s.at(unit) and (s.holders[port] == SOVIET or (empty_too and not s.ground.stacks[port]))
    )


__all__ = ["landings", "sails"]
