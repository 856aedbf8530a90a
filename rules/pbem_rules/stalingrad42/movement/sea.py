"""S42-5.7.1: Soviet movement by sea, from port to port. In Fall Blau all ports lie on the Sea of Azov."""

from __future__ import annotations

from pbem.game import Violation
from pbem_rules.stalingrad42.chart import MECH, PORT, SOVIET, SUPPLY
from pbem_rules.stalingrad42.state import GOOD, State


def no_sailing(s: State, unit: int) -> Violation | None:
    """S42-5.7.1a, S42-5.7.1b: why the unit cannot embark; supplies can, too."""
    place, piece, code = s.at(unit), s.pieces[unit], s.code(unit)
    if s.side(unit) != SOVIET:
        return Violation("S42-5.7.1a", "Soviet units alone move by sea")
    if unit in s.frozen:
        return Violation("S42-20.4", f"{code} may not move yet")
    if s.has(unit, MECH) and not s.has(unit, SUPPLY):
        return Violation("S42-5.7.1a", f"{code} has vehicles, and does not move by sea")
    if piece.order != GOOD or piece.train:
        return Violation("S42-5.7.1a", f"{code} is on a train or not in good order, and does not move by sea")
    if place not in s.chart.board.marked(PORT) or s.holders[place] != SOVIET:
        return Violation("S42-5.7.1b", f"{code} is not in a port of its side")
    if s.shares(unit):
        return Violation("S42-29.1.2a", f"{code} is in a contested city: it leaves tactically alone")
    return None


def landings(s: State, unit: int) -> tuple[int, ...]:
    """S42-5.7.1: the ports where a unit may land: those of its side, and for naval infantry those that lie empty."""
    if no_sailing(s, unit) is not None:
        return ()
    empty_too = s.has(unit, "naval")
    return tuple(
        port
        for port in s.chart.board.marked(PORT)
        if port not in (s.at(unit), *s.contests)
        and (s.holders[port] == SOVIET or (empty_too and not s.ground.stacks[port]))
    )


__all__ = ["landings", "no_sailing"]
