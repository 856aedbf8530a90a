"""A sentence for every event."""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from pbem.game import Event
from pbem.kit import hex_name, many
from pbem_rules.bridgehead import events as e
from pbem_rules.bridgehead.chart import NAMES


def _side(name: str) -> str:
    return NAMES[name]


def _hexes(cells: tuple[int, ...]) -> str:
    return ", ".join(hex_name(cell) for cell in cells)


def _steps(count: int) -> str:
    return many(count, "step")


@singledispatch
def sentence(event: Event) -> str:
    raise TypeError(f"no sentence for {type(event).__name__}")


@sentence.register
def _(event: e.Shuffled) -> str:
    return f"The deck is shuffled: {event.cards} cards."


@sentence.register
def _(event: e.Drew) -> str:
    return f"{_side(event.side)} draws {many(event.count, 'card')}."


@sentence.register
def _(event: e.TurnBegan) -> str:
    return f"Turn {event.turn} of {event.of}."


@sentence.register
def _(event: e.HalfBegan) -> str:
    return f"Turn {event.turn}: {_side(event.side)}'s half-turn."


@sentence.register
def _(event: e.Postures) -> str:
    return f"Dawn. Posture of Blue: {event.blue}; of Red: {event.red}."


@sentence.register
def _(event: e.ReserveShown) -> str:
    return f"{_side(event.side)}'s reserve enters at {hex_name(event.hex)}."


@sentence.register
def _(event: e.Arrived) -> str:
    return f"{event.unit} arrives at {hex_name(event.hex)}."


@sentence.register
def _(event: e.Waits) -> str:
    return f"{event.unit} finds no way in and waits."


@sentence.register
def _(event: e.OutOfSupply) -> str:
    return f"Out of supply, so moving and attacking with half: {', '.join(event.units)}."


@sentence.register
def _(event: e.Moved) -> str:
    way = " > ".join(hex_name(cell) for cell in event.path)
    stop = "; stops in an enemy zone" if event.stopped else ""
    return f"{event.unit} moves {way} ({event.cost}){stop}."


@sentence.register
def _(event: e.TownTaken) -> str:
    return f"{_side(event.side)} takes {event.town}."


@sentence.register
def _(event: e.Rallied) -> str:
    return f"{event.unit} rallies; a card is thrown away."


@sentence.register
def _(event: e.Played) -> str:
    return f"{_side(event.side)} plays {event.card}{' on ' if event.target else ''}{event.target}."


@sentence.register
def _(event: e.Cancelled) -> str:
    return f"{event.card} is countermanded."


@sentence.register
def _(event: e.Stole) -> str:
    return f"{_side(event.side)}'s patrol takes the enemy's card number {event.place}."


@sentence.register
def _(event: e.Declared) -> str:
    return f"{_side(event.side)} will attack {hex_name(event.target)} from {_hexes(event.hexes)}."


@sentence.register
def _(event: e.Fought) -> str:
    what = "counterattacks" if event.counter else "attacks"
    shifts = f", {', '.join(event.shifts)}" if event.shifts else ""
    odds = f"{event.attack} to {event.defence}{shifts}: column {event.column}"
    where = f"{hex_name(event.target)} from {_hexes(event.hexes)}"
    return f"{_side(event.side)} {what} {where}, {odds}, die {event.die}: {event.result}."


@sentence.register
def _(event: e.StepLost) -> str:
    if event.left:
        return f"{event.unit} at {hex_name(event.hex)} loses a step; {event.left} left."
    return f"{event.unit} at {hex_name(event.hex)} is removed."


@sentence.register
def _(event: e.Retreated) -> str:
    return f"{event.unit} retreats {hex_name(event.start)} > {hex_name(event.to)}."


@sentence.register
def _(event: e.Stood) -> str:
    why = ": every way back is taken, full, beside the enemy or over the river" if event.trapped else ""
    if event.fast:
        return f"{_side(event.side)} stands fast at {hex_name(event.hex)}: because of that card no unit retreats."
    return f"{_side(event.side)} stands at {hex_name(event.hex)}{why}."


@sentence.register
def _(event: e.Advanced) -> str:
    return f"{event.unit} advances into {hex_name(event.to)}."


@sentence.register
def _(event: e.NoCounterAttack) -> str:
    return f"{_side(event.side)} does not counterattack from {hex_name(event.hex)}."


@sentence.register
def _(event: e.CounterAttack) -> str:
    return f"{_side(event.side)} counterattacks {hex_name(event.target)}."


@sentence.register
def _(event: e.Finished) -> str:
    how = {"points": "on points", "annihilation": "by annihilation", "all towns": "with all three towns"}[event.how]
    who = f"{_side(event.winner)} wins {how}" if event.winner else "A draw"
    return f"The game is over. {who}: Blue {event.blue}, Red {event.red}."


report: Callable[[Event], str] = sentence
