"""Odds of a battle: whole percentages of every result, for a player at the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.game import Party, Reckoning, Taker, View
from pbem.kit import describe_odds, hex_name, parse_hex, percentages
from pbem_rules.bridgehead.attacks import attackers, odds
from pbem_rules.bridgehead.board import unit_text
from pbem_rules.bridgehead.chart import other
from pbem_rules.bridgehead.state import State

MEANING = {  # BH-7.3
    "A1": "the attacker loses a step",
    "A2": "the attacker loses 2 steps",
    "CA": "the defender may counterattack",
    "EX": "both sides lose a step",
    "DR": "the defender retreats, or stands and loses a step",
    "D1": "the defender loses a step and retreats, or stands and loses another",
    "D2": "the defender loses 2 steps and retreats, or stands and loses another",
}
USAGE = "Write a hex with an enemy in it, and the hexes of the attack if not all: 0506 from 0405 0406."


def reckon(view: View[State], text: str) -> Reckoning | str:
    """The odds of an attack on a hex, from the hexes named or from all around."""
    s = view.state
    words = text.replace(",", " ").split()
    cells = [parse_hex(word) for word in words if word not in ("attack", "from")]
    if not cells or any(cell is None or cell not in s.chart.grid for cell in cells):
        return USAGE
    target, *hexes = (cell for cell in cells if cell is not None)
    defender = s.side_at(target)
    if defender is None:
        return f"{hex_name(target)} is empty."
    side = other(defender)
    for cell in hexes:
        if not s.chart.board.touch(cell, target):
            return f"{hex_name(cell)} is not adjacent to {hex_name(target)} (BH-6.1)."
        if s.side_at(cell) != side:
            return f"{side.capitalize()} has no unit in {hex_name(cell)} (BH-6.1)."
    near = sorted(cell for cell in s.chart.board.near[target] if s.side_at(cell) == side)
    units = attackers(s, sorted({*hexes}) or near)
    if not units:
        return f"Nobody stands next to {hex_name(target)} to attack it."
    takers = (Taker(hex_name(cell), _who(s, cell), taken=not hexes or cell in hexes) for cell in near)
    party = Party(f"{hex_name(target)} from", tuple(takers))
    reckoned = odds(s, target, units, target in s.barrages)
    if reckoned.plain < 0:
        against = f"{reckoned.attack} to {reckoned.defence}"
        return Reckoning(f"{against} is below {s.chart.odds.name(0)} and cannot be declared (BH-6.5).", party=party)
    column = [row[reckoned.column] for row in s.chart.combat.cells]
    chances = "; ".join(f"{share}%: {MEANING[result]}" for result, share in percentages(column).items())
    plain, final = s.chart.odds.name_of(reckoned.attack, reckoned.defence), s.chart.odds.name(reckoned.column)
    told = describe_odds(reckoned.attack, reckoned.defence, plain, reckoned.shifts, final)
    return Reckoning(f"{told}.{_halved(s, units)} {chances}.", party=party)


def _halved(s: State, units: Sequence[int]) -> str:
    """BH-6.4: what an attack loses since units are out of supply."""
    cut = [s.chart.units[unit].code for unit in units if not s.supplied(unit)]
    return f" Out of supply and counted half: {', '.join(cut)} (BH-6.4)." if cut else ""


def _who(s: State, cell: int) -> str:
    """`0405: B3 4-4-3, B7 6-4-5`."""
    return f"{hex_name(cell)}: {', '.join(unit_text(s, unit) for unit in s.ground.stacks[cell])}"
