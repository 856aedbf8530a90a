"""S42-16.5: what helps isolated units to hold out, and what a roll costs them."""

from __future__ import annotations

from pbem.kit import Shift, trace
from pbem_rules.stalingrad42.chart import AXIS, CLEAR, DESERT, SNOW, TOWN
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.state import State, other
from pbem_rules.stalingrad42.supply.lines import stages

MOST_HELP = 4  # S42-16.5.4g


def pocket(s: State, side: str, place: int) -> int:
    """The mask of the hexes that a land path of any length joins to a place (S42-16.5.4)."""
    _, land = stages(s, side, any_length=True, start=place)
    return trace(s.chart.board, s.chart.board.bit[place], [land]).reached


def airfield(s: State, side: str, inside: int) -> bool | None:
    """S42-16.5.4a, S42-16.5.4c: has a pocket an airfield near a connected rail hex? None: it has none at all.

    It is a town, city or clear hex with no enemy beside it.
    """
    chart, board = s.chart, s.chart.board
    beside = chart.beside(s.fighters(other(side)) & ~s.shared) | s.shared  # S42-29.1.1e
    fit = board.mask(
        place
        for place in board.in_mask(inside & ~beside)
        if chart.is_city(place) or TOWN in board[place].marks or board[place].terrain == CLEAR
    )
    near = chart.ranges.of((hub, chart.figures["airfield"]) for hub in board.in_mask(connected(s, side)))
    return bool(fit & near) if fit else None


def help_for(s: State, unit: int) -> tuple[Shift, ...]:
    """S42-16.5.4: what changes the roll of an isolated unit, each with its reason; together no more than four."""
    side, chart = s.side(unit), s.chart
    lift = 2 if side == AXIS and s.weather != SNOW else 1
    if s.at(unit) == chart.baku:
        return (Shift(lift, "S42-24.1.2e", "an airfield"),)
    inside = pocket(s, side, s.at(unit))
    found = []
    near_rail = airfield(s, side, inside)
    if near_rail is not None:
        found.append(Shift(lift - (not near_rail), "S42-16.5.4a", "an airfield"))
    places = chart.board.in_mask(inside)
    if any(chart.is_city(place) and s.holders[place] == side for place in places):
        found.append(Shift(1, "S42-16.5.4d", "a city"))
    if any(chart.is_headquarters(each) for place in places for each in s.of(side, place)):
        found.append(Shift(1, "S42-16.5.4e", "a headquarters"))
    if chart.board[s.at(unit)].terrain == DESERT:
        found.append(Shift(-1, "S42-16.5.4f", "in the desert"))
    return tuple(shift for shift in found if shift.by)


def relief(s: State, unit: int) -> int:
    """The sum of what helps an isolated unit."""
    return min(MOST_HELP, sum(shift.by for shift in help_for(s, unit)))


def starves(s: State, die: int, modifier: int) -> int:
    """S42-16.5.2: the steps that a roll costs; beyond the table its last rows count."""
    table = s.chart.isolation
    return table[max(1, min(len(table), die + modifier)) - 1]
