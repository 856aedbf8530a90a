"""NR-6 Supply: sources, lines, OOS markers, and the capture of those who still have theirs."""

from __future__ import annotations

from pbem.game import DONE, Auto, Next, Out
from pbem.kit import Cut, Hindrance, Line, Stage, bar, cut, held_by, reach_of, trace
from pbem_rules.noretreat.chart import AXIS, SIDES, SOVIET, other
from pbem_rules.noretreat.events import OutOfSupply
from pbem_rules.noretreat.frames import PlayerTurn
from pbem_rules.noretreat.losses import send
from pbem_rules.noretreat.state import CAPTURED, FIRST_BOX, OUT, State

LENGTH = 4  # NR-6.2


def bars(s: State, side: str) -> tuple[Hindrance, ...]:
    """What the side's lines do not pass (NR-6.4): enemies, their zones and cities; lakes are open to them."""
    chart, enemy, own = s.chart, other(side), s.ground.occupied[side]
    held = held_by(s.holders, enemy, (*chart.cities, chart.finland, *chart.balkans))
    theirs = chart.board.mask(held) & ~chart.board.mask(s.scorched)
    return (
        bar("NR-6.4", "an enemy zone bars the line", s.zone(enemy) & ~own),
        bar("NR-6.4", "an enemy city or area bars the line", theirs & ~own),
        bar("NR-6.4", "enemies bar the line", s.ground.occupied[enemy]),
    )


def open_places(s: State, side: str) -> int:
    """Where the side's lines may pass."""
    shut = 0
    for each in bars(s, side):
        shut |= each.where
    return ~shut


def line_of(s: State, unit: int) -> Line | Cut | None:
    """The line of a unit to its source, or what bars it; None: nothing that could go bars it."""
    side, board, place = s.unit(unit).side, s.chart.board, s.at(unit)
    stages = (Stage("line", s.chart.lines.steps, open_places(s, side), LENGTH),)
    found = trace(board, sources(s, side), stages)
    if place in found:
        return found.line(place)
    hindrances = (*bars(s, side), reach_of("NR-6.2", f"it is more than {LENGTH} hexes to a source"))
    return cut(board, sources(s, side), stages, hindrances, place)


def held_cities(s: State, side: str) -> int:
    """NR-6.2, NR-7.12, NR-13.07S: the mask of the side's cities, not of burnt ones."""
    return s.chart.board.mask(held_by(s.holders, side, filter(s.is_city, s.chart.cities)))


def edge_reached(s: State, side: str) -> int:
    """The mask of places joined to the side's own map edge by lines of any length (NR-6.3)."""
    chart = s.chart
    return chart.lines.reached(chart.edge[side], open_places(s, side))


supplied_places = edge_reached


def sources(s: State, side: str) -> int:
    """NR-6.2, NR-6.3, NR-6.5, NR-6.12: own edge, cities joined to it, open coasts."""
    chart = s.chart
    linked = edge_reached(s, side)
    found = chart.edge[side]
    found |= held_cities(s, side) & linked
    for sea, mask in chart.coast.items():
        if sea == "caspian" and side == AXIS:
            continue
        if sea == "baltic" and side == SOVIET and s.holders[chart.named["Leningrad"]] != SOVIET:
            continue  # NR-6.11
        found |= mask
    return found


def land_sources(s: State, side: str) -> int:
    """NR-6.3, NR-8.22: those from which lines over land begin: the edge and the cities joined to it."""
    chart = s.chart
    return chart.edge[side] | (held_cities(s, side) & edge_reached(s, side))


def supplied_area(s: State, side: str) -> int:
    """The mask of places in which a unit of the side is in supply by a line of its own."""
    return s.chart.lines.reached(sources(s, side), open_places(s, side), LENGTH)


def land_supplied(s: State, side: str, length: int = LENGTH) -> int:
    """The mask of places that a land supply path reaches (NR-7.12, NR-8.21, NR-8.22)."""
    return s.chart.lines.reached(land_sources(s, side), open_places(s, side), length)


def supplied_units(s: State, side: str) -> frozenset[int]:
    """The side's units on the map that can trace a line now."""
    chart, board = s.chart, s.chart.board
    area = supplied_area(s, side)
    own = s.ground.occupied[side]
    # NR-6.5: who stands beside a supplied unit is supplied, in chains of any length, over sides that can be crossed.
    start = area & own
    for unit in chart.own[side]:
        place = s.at(unit)
        if _at_home(s, unit, place):
            start |= board.bit[place]
    reached = chart.roads.reached(start, own)
    bit = board.bit
    return frozenset(u for u in chart.own[side] if OUT < (p := s.at(u)) < FIRST_BOX and reached & bit[p])


def _at_home(s: State, unit: int, place: int) -> bool:
    """NR-1.22, NR-1.23, NR-6.5."""
    nation = s.unit(unit).nation
    return (nation == "finnish" and place == s.chart.finland) or (nation == "yugoslav" and place in s.chart.balkans)


class SupplyPhase(Auto[State, PlayerTurn]):
    """Phase E, for both sides at once, by the zones as they are before."""

    name = "supply"
    rule = "NR-6.1"

    def run(self, s: State, f: PlayerTurn, out: Out) -> Next:
        before = set(s.cut)
        good = {side: supplied_units(s, side) for side in SIDES}
        for side in SIDES:
            for unit in s.chart.own[side]:
                s.mark_cut(unit, cut=s.on_map(unit) and unit not in good[side])
        if s.cut != before:
            for side in SIDES:
                lost = tuple(s.name(unit) for unit in s.chart.own[side] if unit in s.cut)
                if lost:
                    out.add(OutOfSupply(units=lost, rule=self.rule))
        return DONE


def surrender(s: State, side: str, out: Out) -> None:
    """NR-6.10: the side's units that carry OOS and still cannot trace are captured; markers of the others come off."""
    good = supplied_units(s, side)
    spared = {effect.at for effect in s.effect("spared", side)}
    for unit in s.chart.own[side]:
        if unit not in s.cut:
            continue
        if unit in good:
            s.mark_cut(unit, cut=False)
        elif s.at(unit) not in spared:
            send(s, unit, CAPTURED, "out of supply", "NR-6.10", out)
