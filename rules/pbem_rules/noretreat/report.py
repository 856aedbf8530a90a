"""Events in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.game import Event
from pbem.kit import hex_name
from pbem_rules.noretreat import events as e
from pbem_rules.noretreat.chart import NAMES

RESULTS = {
    "-": "no effect", "CA": "counterattack", "CB": "counterblow", "EX": "exchange", "DR": "defender retreats",
    "DS": "defender shattered", "DD": "defender destroyed",
}  # fmt: skip


MEANINGS = {  # NR-9.27 to NR-9.37
    "-": "nothing happens",
    "CA": "the defender may counterattack at once",
    "CB": "the attacker marks a unit of their own in the battle, which the enemy must attack in their next turn",
    "EX": "each side loses a step; no unit retreats or pursues",
    "DR": "the defender must retreat, and attackers may follow into the hex",
    "DS": "the defender must retreat, is then shattered and leaves the map, and attackers may follow into the hex",
    "DD": "each defending unit loses a step and must retreat, and attackers may follow into the hex",
}

HELD = MEANINGS | {  # NR-9.36, NR-9.38, NR-9.41: where a fortified unit holds the hex for all in it
    "DR": "the fortified unit holds the hex: no unit retreats",
    "DS": MEANINGS["EX"],
    "DD": "each defending unit loses a step; no unit retreats",
}


def _places(path: tuple[int, ...]) -> str:
    return " > ".join(hex_name(place) for place in path)


def _cards(cards: tuple[int, ...]) -> str:
    return f"card{'' if len(cards) == 1 else 's'} {', '.join(map(str, cards))}"


def _fought(x: e.Fought) -> str:
    how = "counterattack on" if x.counter else "forced attack on" if x.forced else "attack on"
    shifts = f", {', '.join(x.shifts)}" if x.shifts else ""
    dice = f", die {' and '.join(map(str, x.dice))}" if x.dice else ""
    hexes = ", ".join(map(hex_name, x.hexes))
    return (
        f"{NAMES[x.side]} {how} {hexes} with {', '.join(x.units)}: {x.attack} to {x.defence}{shifts}, "
        f"column {x.column}{dice}: {RESULTS[x.result]}."
    )


_TEXTS: dict[type[Event], Callable[[Any], str]] = {
    e.TurnBegan: lambda x: f"Turn {x.turn}, {x.date}: {x.weather}.",
    e.SideBegan: lambda x: f"Turn {x.turn}: {NAMES[x.side]}.",
    e.PhaseBegan: lambda x: f"{NAMES[x.side]}: {x.phase}.",
    e.Note: lambda x: x.text,
    e.Scored: lambda x: f"Points {x.points:+d}: {x.why}. Now {x.total}.",
    e.Shuffled: lambda x: f"{x.cards} cards are shuffled.",
    e.Drew: lambda x: f"{NAMES[x.side]} draws {x.count}.",
    e.Dropped: lambda x: f"{NAMES[x.side]} discards {_cards(x.cards)}.",
    e.Played: lambda x: (
        f"{NAMES[x.side]} plays card {x.card}, {x.title}{': ' + ', '.join(x.targets) if x.targets else ''}."
    ),
    e.Paid: lambda x: f"{NAMES[x.side]} pays {_cards(x.cards)} for {x.purpose}: {', '.join(x.targets)}.",
    e.Cancelled: lambda x: f"{_cards(x.cards).capitalize() if x.cards else 'The upgrade'}: cancelled.",
    e.OutOfSupply: lambda x: f"Out of supply: {', '.join(x.units)}.",
    e.Upgraded: lambda x: f"{x.unit} is turned to its {'stronger' if x.strong else 'weaker'} side.",
    e.Placed: lambda x: f"{x.unit} comes from {x.origin} to {hex_name(x.hex)}.",
    e.Boxed: lambda x: f"{x.unit}: {x.box} ({x.why}).",
    e.Reorganised: lambda x: f"{x.unit} is reorganised.",
    e.Moved: lambda x: f"{x.unit} moves {_places(x.path)}{', stopped by an enemy zone' if x.stopped else ''}.",
    e.Taken: lambda x: f"{NAMES[x.side]} takes {x.place}.",
    e.Targeted: lambda x: f"{NAMES[x.side]} marks {hex_name(x.hex)} as a target.",
    e.Counterblow: lambda x: f"{NAMES[x.side]} will have to attack {', '.join(x.units)} in {hex_name(x.hex)}.",
    e.Fought: _fought,
    e.Repeated: lambda x: f"The die {' and '.join(map(str, x.dice))} does not count: it is rolled again.",
    e.Duelled: lambda x: f"Both roll: Axis {x.axis}, Soviets {x.soviet}.",
    e.StepLost: lambda x: f"{x.unit} loses a step{'' if x.left else ', its last'}.",
    e.Retreated: lambda x: f"{x.unit} retreats {_places(x.path)}.",
    e.Pursued: lambda x: f"{x.unit} pursues {_places(x.path)}.",
    e.CounterAttack: lambda x: f"{NAMES[x.side]} counterattacks {', '.join(map(hex_name, x.hexes))}.",
    e.Finished: lambda x: f"The game is over: {NAMES.get(x.winner, 'nobody')} wins by {x.how}.",
}


def report(event: Event) -> str:
    """One sentence; empty for what needs none."""
    text = _TEXTS.get(type(event))
    return text(event) if text is not None else ""
