"""The scene of a position: map, counters, hands, and what happened in the last half-turn."""

from __future__ import annotations

from fractions import Fraction

from pbem.game import Event, Orders, View
from pbem.kit import (
    FIRST_AREA,
    Arrow,
    Battle,
    Course,
    Dice,
    Explained,
    HexGround,
    Luck,
    Panel,
    Pictures,
    Piece,
    Row,
    Scene,
    Side,
    place_key,
)
from pbem_rules.bridgehead.board import goal_lines, hand_lines, head_line
from pbem_rules.bridgehead.chart import BLUE, BOX, NAMES, RED, SEATS
from pbem_rules.bridgehead.events import (
    Advanced,
    CounterAttack,
    Declared,
    Fought,
    HalfBegan,
    Moved,
    NoCounterAttack,
    Retreated,
    StepLost,
    Stood,
)
from pbem_rules.bridgehead.frames import Half
from pbem_rules.bridgehead.reckon import MEANING
from pbem_rules.bridgehead.state import State

SIDES = (Side(BLUE, "Blue", "B", "blue"), Side(RED, "Red", "R", "red"))
SYMBOLS = {
    "infantry": "infantry",
    "garrison": "garrison",
    "armour": "armour",
    "sappers": "engineers",
    "militia": "militia",
}


def piece_of(s: State, unit: int, march: Half | None = None) -> Piece:
    """`march`: in the phase of movement, whose it is and who has moved."""
    held = s.chart.units[unit]
    steps = s.pieces[unit].steps
    face = held.face(steps)
    return Piece(
        side=held.side,
        symbol=SYMBOLS.get(held.type.key, "unknown"),
        code=held.code,
        values=f"{face.attack}-{face.defence}-{face.move}",
        name=f"{held.name} ({held.type.name})",
        steps=steps,
        full=held.steps,
        marks=() if s.supplied(unit) else ("no supply",),
        key=held.key,
        able=None if march is None else int(held.side == march.side and not march.moved >> unit & 1),
    )


def _hand(view: View[State], side: str) -> list[Row]:
    s = view.state
    rows = [
        Row("A card that is not yet dealt.")
        if card is None
        else Row(f"{s.chart.cards[card].name}: {s.chart.cards[card].text}", key=s.chart.card_key(card))
        for card in (view.card(slot) for slot in s.hand(side))
    ]
    return rows or [Row("No cards.")]


def _panels(view: View[State]) -> tuple[Panel, ...]:
    s = view.state
    found = []
    for side in SEATS:
        rows = _hand(view, side) if side in view.seats else [Row(line) for line in hand_lines(view, side)]
        waiting = tuple(piece_of(s, unit) for unit in s.ground.stacks[BOX[side]])
        if waiting:
            rows.append(Row("In reserve:", waiting))
        found.append(Panel(f"{NAMES[side]}'s hand" if side in view.seats else NAMES[side], tuple(rows), side))
    return tuple(found)


def scene(view: View[State], events: tuple[Event, ...]) -> Scene:
    s = view.state
    sides = {unit.code: unit.side for unit in s.chart.units}
    arrows: list[Arrow] = []
    battles: list[Battle] = []
    for event in events:
        if isinstance(event, Moved):
            arrows.append(Arrow("move", sides[event.unit], event.path, text=f"{event.unit} moved"))
        elif isinstance(event, Retreated):
            arrows.append(Arrow("retreat", sides[event.unit], (event.start, event.to), text=f"{event.unit} retreated"))
        elif isinstance(event, Declared):  # one's own are drawn from the draft
            if event.side not in view.seats:
                arrows += [Arrow("attack", event.side, (start, event.target)) for start in event.hexes]
        elif isinstance(event, Fought):
            fresh = (Arrow("attack", event.side, (start, event.target)) for start in event.hexes)
            arrows += [arrow for arrow in fresh if arrow not in arrows]
            shifts = f", {', '.join(event.shifts)}" if event.shifts else ""
            kind = "counterattack" if event.counter else "attack"
            told = (
                f"{s.chart.board[event.target]}: {NAMES[event.side]} {kind}s "
                f"{event.attack} to {event.defence}{shifts}: column {event.column}, die {event.die}: "
                f"{MEANING[event.result]}."
            )
            battles.append(Battle(event.target, event.side, event.column, (event.die,), event.result, told))
        elif isinstance(event, Advanced):
            fought = next((b.place for b in reversed(battles) if b.place == event.to), None)
            start = next((a.path[0] for a in reversed(arrows) if a.kind == "attack" and a.path[-1] == fought), None)
            if start is not None:
                arrows.append(Arrow("advance", sides[event.unit], (start, event.to), text=f"{event.unit} advanced"))
    goals = {town: str(value) for town, value in s.plan.values.items()}
    frame, marching = view.frame, isinstance(view.need, Orders) and view.need.kind == "march"
    march = frame if marching and isinstance(frame, Half) else None
    return Scene(
        title=f"Bridgehead: {s.plan.title}",
        ground=HexGround(s.chart.map, words={"town": "town"}, goals=goals),
        sides=SIDES,
        lines=(head_line(s).partition(". ")[2], *goal_lines(s)),
        stacks={
            place: tuple(piece_of(s, unit, march) for unit in s.ground.stacks[place])
            for place in s.ground.stacks
            if place < FIRST_AREA
        },
        control=dict(s.holders.items()),
        arrows=tuple(arrows),
        battles=tuple(battles),
        panels=_panels(view),
        keys={place: place_key(place) for place in s.chart.board.places},
        explained=(
            Explained("engineers", "sappers"),
            Explained("no supply", "out of supply"),
            Explained("values", "attack-defence-movement"),
            Explained("odds", "column of the odds; then die and result"),
            *(Explained(result, text) for result, text in MEANING.items()),
        ),
    )


def luck(event: Event) -> tuple[Luck, ...]:
    """High dice are good for who attacks."""
    if not isinstance(event, Fought):
        return ()
    return (Luck(event.side, event.die, Fraction(7, 2), Fraction(35, 12)),)


pictures = Pictures(
    scene,
    begins=(HalfBegan,),
    shown=(Moved, Declared, Fought, CounterAttack),
    fights=(Fought,),
    follows=lambda event: isinstance(event, StepLost | Stood | Retreated | Advanced | NoCounterAttack),
    dice=Dice(Course("pips when attacking", SIDES), luck),
)
