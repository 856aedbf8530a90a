"""S42-5.7: Soviet movement by sea, from port to port on one sea; the Axis over the strait of Kerch."""

from __future__ import annotations

from pbem.game import Violation
from pbem_rules.stalingrad42.chart import AXIS, BLACK_SEA, KERCH, MECH, PORT, RESERVE, SOVIET, SUPPLY, TAMAN
from pbem_rules.stalingrad42.state import GOOD, State

AZOV = "azov"


def no_sailing(s: State, unit: int) -> Violation | None:
    """S42-5.7.1a, S42-5.7.1b: why the unit cannot embark; supplies can, too."""
    place, piece, code = s.at(unit), s.pieces[unit], s.code(unit)
    if s.side(unit) != SOVIET:
        return _no_crossing(s, unit)
    if unit in s.frozen:
        return Violation("S42-20.4", f"{code} may not move yet")
    if s.has(unit, RESERVE):
        return Violation("S42-34.3", f"{code} is a reserve army, and does not move by sea")
    if s.has(unit, MECH) and not s.has(unit, SUPPLY):
        return Violation("S42-5.7.1a", f"{code} has vehicles, and does not move by sea")
    if piece.order != GOOD or piece.train:
        return Violation("S42-5.7.1a", f"{code} is on a train or not in good order, and does not move by sea")
    if place not in s.chart.board.marked(PORT) or s.holders[place] != SOVIET:
        return Violation("S42-5.7.1b", f"{code} is not in a port of its side")
    if s.shares(unit):
        return Violation("S42-29.1.2a", f"{code} is in a contested city: it can only leave tactically")
    return None


def _no_crossing(s: State, unit: int) -> Violation | None:
    """S42-5.7.2a, S42-20.7: over the strait of Kerch the Axis comes to Taman, if no Soviet unit is there.

    The units of the Bluecher plan wait until Taman has been taken.
    """
    code = s.code(unit)
    if s.at(unit) != s.chart.areas.get(KERCH):
        return Violation("S42-5.7.1a", "Only Soviet units move by sea; the Axis can only cross the strait of Kerch")
    (taman,) = s.chart.listed(TAMAN)
    if s.chart.board.bit[taman] & s.ground.occupied[SOVIET]:
        return Violation("S42-5.7.2a", f"{code} crosses the strait of Kerch when no Soviet unit stands in Taman")
    if unit in s.chart.bluecher and s.holders[taman] != AXIS:
        return Violation("S42-20.7", f"{code} can cross when Taman has been taken")
    if s.pieces[unit].order != GOOD or unit in s.renewed:
        return Violation("S42-22.3.1b", f"{code} can leave its Area only in good order")
    return None


def sea_of(s: State, port: int) -> str:
    """S42-5.7.1a: on each sea one unit sails in a turn."""
    return next((sea for sea in (BLACK_SEA, TAMAN) if port in s.chart.listed(sea)), AZOV)


def landings(s: State, unit: int) -> tuple[int, ...]:
    """S42-5.7.1: the ports where a unit may land: those of its side, and for naval infantry those that lie empty."""
    if no_sailing(s, unit) is not None:
        return ()
    if s.side(unit) == AXIS:
        return s.chart.listed(TAMAN)
    empty_too = s.has(unit, "naval")
    return tuple(
        port
        for port in s.chart.board.marked(PORT)
        if port not in (s.at(unit), *s.contests)
        and sea_of(s, port) == sea_of(s, s.at(unit))
        and (s.holders[port] == SOVIET or (empty_too and not s.ground.stacks[port]))
    )
