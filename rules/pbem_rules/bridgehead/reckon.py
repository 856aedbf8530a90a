"""Odds of a battle: whole percentages of every result, for a player at the prompt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import Orders, Party, Reckoning, Taker, View
from pbem.kit import describe_odds, hex_name, parse_hex, percentages
from pbem_rules.bridgehead.attacks import Odds, attackers, odds
from pbem_rules.bridgehead.battle import counter_targets
from pbem_rules.bridgehead.board import unit_text
from pbem_rules.bridgehead.cards import playable
from pbem_rules.bridgehead.chart import other
from pbem_rules.bridgehead.frames import Battle, Window
from pbem_rules.bridgehead.state import State
from pbem_rules.bridgehead.window import React, useless

MEANING = {  # BH-7.3
    "A1": "the attacker loses a step",
    "A2": "the attacker loses 2 steps",
    "CA": "the defender may counterattack",
    "EX": "both sides lose a step",
    "DR": "the defender retreats, or stands and loses a step",
    "D1": "the defender loses a step and retreats, or stands and loses another",
    "D2": "the defender loses 2 steps and retreats, or stands and loses another",
}
STOOD_FAST = {  # BH-8.12
    "DR": "nothing happens",
    "D1": "the defender loses a step",
    "D2": "the defender loses 2 steps",
}
USAGE = "Write a hex with an enemy in it, and the hexes of the attack if not all: 0506 from 0405 0406."


def reckon(view: View[State], text: str) -> Reckoning | str:
    """The odds of an attack on a hex, from the hexes named or from all around."""
    s = view.state
    if not text and isinstance(view.frame, Window):
        return in_window(view, view.frame)
    if not text and isinstance(view.frame, Battle) and isinstance(view.need, Orders) and view.need.kind == "counter":
        return of_counterblow(s, view.frame)
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
    return Reckoning(f"{_column(s, reckoned)}.{_halved(s, units)} {_chances(s, reckoned)}.", party=party)


def _column(s: State, reckoned: Odds) -> str:
    plain, final = s.chart.odds.name_of(reckoned.attack, reckoned.defence), s.chart.odds.name(reckoned.column)
    return describe_odds(reckoned.attack, reckoned.defence, plain, reckoned.shifts, final)


def _chances(s: State, reckoned: Odds, meaning: Mapping[str, str] = MEANING) -> str:
    column = [row[reckoned.column] for row in s.chart.combat.cells]
    return "; ".join(f"{share}%: {meaning[result]}" for result, share in percentages(column).items())


def in_window(view: View[State], window: Window) -> Reckoning:
    """BH-8.5: the battle before which cards are played, as it stands and with each card that the player can play."""
    s = view.state
    battle = next(frame for frame in view.around if isinstance(frame, Battle))
    if not window.card:
        cases = [("As it stands", ""), *_with_cards(view, window)]
    else:
        name = s.chart.cards.kinds[window.card].name
        cases = [(f"With {name}", window.card), (f"If {name} is countermanded", "")]
        cases = cases[::-1] if window.answers % 2 else cases  # BH-8.13: first what holds if the player passes
    sides = (battle.units, s.ground.stacks[battle.target])
    attackers, defenders = (", ".join(unit_text(s, unit) for unit in units) for units in sides)
    who = f"{attackers} against {defenders} in {s.chart.board[battle.target]}."
    return Reckoning("\n".join((who, *(f"{case}: {_case(s, battle, card)}." for case, card in cases))))


def of_counterblow(s: State, battle: Battle) -> Reckoning:
    """BH-7.7: against each hex that the defender may counterattack."""
    blows = ((cell, odds(s, cell, s.ground.stacks[battle.target])) for cell in counter_targets(s, battle))
    return Reckoning(
        "\n".join(f"On {s.chart.board[cell]}: {_column(s, each)}. {_chances(s, each)}." for cell, each in blows)
    )


def _with_cards(view: View[State], window: Window) -> Iterator[tuple[str, str]]:
    """The reaction cards that the player holds and can play here, each kind once."""
    s, side = view.state, other(window.side)
    kinds = dict.fromkeys(s.chart.cards[card] for card, _ in playable(s, side, view.known, React.play))
    return ((f"With {kind.name}", kind.key) for kind in kinds if useless(s, window, kind.key) is None)


def _case(s: State, battle: Battle, card: str) -> str:
    """What a battle would be with this reaction card in force; empty: with none."""
    if card == "fallback":
        return "no die is rolled; the defender retreats, and a unit that cannot go loses a step (BH-8.11)"
    reckoned = odds(s, battle.target, battle.units, battle.barrage, card)
    if card == "standfast":
        chances = f"{_chances(s, reckoned, MEANING | STOOD_FAST)}; whatever the result, no unit retreats (BH-8.12)"
    else:
        chances = _chances(s, reckoned)
    return f"{_column(s, reckoned)}. {chances}"


def _halved(s: State, units: Sequence[int]) -> str:
    """BH-6.4: what an attack loses since units are out of supply."""
    cut = [s.chart.units[unit].code for unit in units if not s.supplied(unit)]
    return f" Out of supply and counted half: {', '.join(cut)} (BH-6.4)." if cut else ""


def _who(s: State, cell: int) -> str:
    """`0405: B3 4-4-3, B7 6-4-5`."""
    return f"{hex_name(cell)}: {', '.join(unit_text(s, unit) for unit in s.ground.stacks[cell])}"
