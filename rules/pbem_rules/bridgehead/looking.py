"""Answers to players' questions about the position.

look reach B6          where a unit of either side can go, what it costs, and where an enemy zone stops it
look reach 0504        which units of both sides can go there, or beside it if an enemy holds it
look supply            which units are out of supply, and which would be if it were checked now
look points            who holds which town, the points, and what wins
look                   the last two
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.game import Reckoning, View
from pbem.kit import all_of, describe_reach, goals_at, hex_name, many, parse_hex, reach_notes
from pbem_rules.bridgehead.board import goal_lines, town_line, unit_text
from pbem_rules.bridgehead.chart import NAMES, SEATS, other
from pbem_rules.bridgehead.frames import Half
from pbem_rules.bridgehead.movement import allowance, trails
from pbem_rules.bridgehead.state import State
from pbem_rules.bridgehead.supply import cut_off
from pbem_rules.bridgehead.victory import points

USAGE = "Ask `reach UNIT`, `reach HEX`, `supply`, `points`; `look` alone answers the last two."
Told = tuple[list[str], Mapping[str, object]]


def looking(view: View[State], text: str) -> Reckoning | str:
    """The answer, or how to ask."""
    s, words = view.state, text.split()
    if len(words) == 2 and words[0] == "reach":
        unit = next((unit for unit in s.chart.units if unit.code == words[1].upper()), None)
        if unit is not None:
            return _reach(view, unit.number)
        cell = parse_hex(words[1])
        return USAGE if cell is None or cell not in s.chart.grid else _goers(view, cell)
    questions = {"supply": _supply, "points": _points}
    if len(words) > 1 or any(word not in questions for word in words):
        return USAGE
    told = {word: questions[word](s) for word in words or questions}
    lines = [line for found, _ in told.values() for line in found]
    return Reckoning("\n".join(lines), {word: figures for word, (_, figures) in told.items()})


def _half(view: View[State], side: str) -> Half:
    """The half-turn that is played, or the next one of that side."""
    f = view.frame
    return f if isinstance(f, Half) and f.side == side else Half(side)


def _costs(view: View[State], unit: int) -> dict[int, int]:
    """Where a unit could go, and for how many points."""
    s = view.state
    found = trails(s, _half(view, s.chart.units[unit].side), unit)
    return {cell: cost for cell, (cost, _) in sorted(found.items()) if cell != s.at(unit) and s.room(cell)}


def _reach(view: View[State], unit: int) -> Reckoning:
    s = view.state
    held = s.chart.units[unit]
    if unit not in s.pieces or not s.on_map(unit):
        return Reckoning(f"{held.code} is not on the map.")
    costs, stops, bit = _costs(view, unit), s.zone(other(held.side)), s.chart.board.bit
    supply = "in supply" if s.supplied(unit) else "out of supply"
    far = allowance(s, _half(view, held.side), unit)
    head = f"{unit_text(s, unit)} in {hex_name(s.at(unit))}, {supply}, {many(far, 'point')}"
    figures = {hex_name(cell): {"cost": cost, "stops": bool(bit[cell] & stops)} for cell, cost in costs.items()}
    return Reckoning(f"{head}: reaches {describe_reach(costs, bit, stops)}.", figures, reach_notes(costs, bit, stops))


def _goers(view: View[State], cell: int) -> Reckoning:
    s = view.state
    lines, places = [], dict[str, str]()
    for side in SEATS:
        held = s.side_at(cell) == other(side)
        ends = goals_at(s.chart.board, cell, held=held)
        going = [(unit, _costs(view, unit)) for unit in s.ground.standing(side)]
        there = sorted(
            (min(costs[end] for end in ends if end in costs), unit) for unit, costs in going if costs.keys() & ends
        )
        named = [f"{s.chart.units[unit].code} ({cost})" for cost, unit in there]
        what = "come beside" if held else "reach"
        lines.append(f"{NAMES[side]} units that can {what} {s.chart.board[cell]}: {all_of(named) or 'none'}.")
        places |= {hex_name(s.at(unit)): "can come" for _, unit in there}
    return Reckoning("\n".join(lines), places=places)


def _supply(s: State) -> Told:
    """BH-9: the markers that lie, and what the next check would find."""
    lines, figures = [], {}
    for side in SEATS:
        marked, now = (
            [s.chart.units[unit].code for unit in units]
            for units in ([unit for unit in s.ground.standing(side) if not s.supplied(unit)], cut_off(s, side))
        )
        lines.append(
            f"{NAMES[side]} out of supply: {all_of(marked) or 'none'}; if it were checked now: {all_of(now) or 'none'}."
        )
        figures[side] = {"marked": marked, "now": now}
    return lines, figures


def _points(s: State) -> Told:
    """BH-10."""
    return [town_line(s), *goal_lines(s)], {
        **points(s),
        "holders": {hex_name(t): side for t, side in s.holders.items()},
    }
