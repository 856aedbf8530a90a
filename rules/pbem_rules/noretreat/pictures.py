"""The scene of a position: map, counters, boxes, hands, and what happened in the last player-turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from pbem.game import Event, Orders, View
from pbem.kit import (
    Arrow,
    Battle,
    Course,
    Dice,
    Explained,
    HexGround,
    Luck,
    Mark,
    Panel,
    Pictures,
    Piece,
    Row,
    Scene,
    Side,
    Strength,
    many,
    place_key,
)
from pbem_rules.noretreat.board import goal_lines, head_lines
from pbem_rules.noretreat.cards.base import title
from pbem_rules.noretreat.chart import AXIS, NAMES, SIDES, SOVIET, Chart
from pbem_rules.noretreat.events import (
    Boxed,
    Fought,
    Moved,
    Placed,
    Pursued,
    Repeated,
    Retreated,
    SideBegan,
    StepLost,
)
from pbem_rules.noretreat.frames import PlayerTurn
from pbem_rules.noretreat.looking import ASKED, DISCARD, not_now
from pbem_rules.noretreat.report import MEANINGS, RESULTS
from pbem_rules.noretreat.state import BOX_NAMES, FIRST_BOX, OUT, TRACK, State

BOTH = (Side(AXIS, "Axis", "A", "grey"), Side(SOVIET, "Soviets", "S", "red"))
# Where the areas are drawn: free cells beside the map.
AREAS = {
    "Finland": (801, 901, 1001, 1101, 1201),
    "Western Balkans": (118, 218, 119, 219),
    "Southern Balkans": (422, 522, 622),
}


def symbol_of(traits: frozenset[str]) -> str:
    for trait, symbol in (
        ("volkssturm", "militia"),
        ("fortified", "fortified"),
        ("luftwaffe", "air"),
        ("shock", "shock"),
        ("armour", "armour"),
        ("mech", "mechanised"),
        ("cadre", "garrison"),
    ):
        if trait in traits:
            return symbol
    return "infantry"


def piece_of(s: State, unit: int, march: PlayerTurn | None = None) -> Piece:
    """`march`: in the phase of movement, whose it is and who has moved."""
    kind, face = s.unit(unit), s.face(unit)
    strength = str(face.strength) if face.zone else f"({face.strength})"
    strong = s.pieces[unit].strong
    marks = []
    if not s.supplied(unit):
        marks.append("no supply")
    if s.is_tired(unit):
        marks.append("disorganised")
    if s.reserve == unit:
        marks.append("reserve")
    return Piece(
        side=kind.side,
        symbol=symbol_of(face.traits),
        code=kind.code,
        values=f"{strength}-{face.move}",
        size="XXXX" if kind.side == AXIS else "XXXXX",
        name=face.name
        if kind.nation in ("german", "soviet", *face.name.lower().split())
        else f"{face.name} ({kind.nation})",
        steps=2 if strong else 1,
        full=2 if kind.two_faced else 1,
        marks=tuple(marks),
        key=kind.key,
        able=None if march is None else int(kind.side == march.side and unit not in march.moved),
    )


def _areas(chart: Chart) -> dict[int, tuple[int, ...]]:
    grid = chart.board.grid
    assert grid is not None
    found = {}
    for place in chart.board.places.values():
        cells = tuple(cell for cell in AREAS.get(place.name, ()) if cell in grid and cell not in chart.board)
        if cells:
            found[place.id] = cells
    return found


def _boxes(s: State, side: str) -> Iterator[Row]:
    for box, label in BOX_NAMES.items():
        units = s.of(side, box) if box != OUT else ()
        if units and box == TRACK:
            for due in sorted({s.pieces[unit].due for unit in units}):
                yield Row(
                    f"Due in turn {due}:", tuple(piece_of(s, unit) for unit in units if s.pieces[unit].due == due)
                )
        elif units:
            yield Row(f"{label}:", tuple(piece_of(s, unit) for unit in units))


def _hand(view: View[State], side: str) -> Iterator[Row]:
    s = view.state
    hand = s.hand(side)
    known = sorted(card for held in hand if (card := held if isinstance(held, int) else view.card(held)) is not None)
    if side in view.seats:
        for card in known:
            why = not_now(s, side, card)
            now = f" {'Only' if why in (DISCARD, ASKED) else 'Not now:'} {why}." if why else ""
            about = f"{s.chart.card_event(side, card).text.rstrip('.')}.{now}"
            yield Row(f"{card} {title(s, side, card)}", key=f"c:{card}", about=about)
        return
    seen = f", among them {'; '.join(f'{card} {title(s, side, card)}' for card in known)}" if known else ""
    yield Row(f"{many(len(hand), 'card')}{seen}.")


def _panels(view: View[State]) -> tuple[Panel, ...]:
    found = []
    for side in SIDES:
        hand = tuple(_hand(view, side))
        if hand:
            found.append(Panel(f"{NAMES[side]}: hand", hand, side))
        boxes = tuple(_boxes(view.state, side))
        if boxes:
            found.append(Panel(f"{NAMES[side]}: off the map", boxes, side))
    return tuple(found)


def _marks(s: State) -> Iterator[Mark]:
    for place in s.targets:
        yield Mark(place, "target", "A target of the Axis")
    for place, side in s.blows.items():
        yield Mark(place, "counterblow", f"Counterblow: {NAMES[side]} must attack here")
    for place in s.works:
        yield Mark(place, "works", "Field works")
    for place in s.scorched:
        yield Mark(place, "burnt", "Burnt down")


def _happened(s: State, events: tuple[Event, ...]) -> tuple[tuple[Arrow, ...], tuple[Battle, ...]]:
    arrows: list[Arrow] = []
    battles: list[Battle] = []
    where = dict.fromkeys(s.chart.by_code, 0)  # of a unit, as far as events tell
    for event in events:
        if isinstance(event, Moved):
            arrows.append(Arrow("move", _side(s, event.unit), event.path, text=f"{event.unit} moved"))
            where[event.unit] = event.path[-1]
        elif isinstance(event, Placed):
            where[event.unit] = event.hex
        elif isinstance(event, Retreated):
            arrows.append(Arrow("retreat", _side(s, event.unit), event.path, text=f"{event.unit} retreated"))
            where[event.unit] = event.path[-1]
        elif isinstance(event, Pursued):
            arrows.append(Arrow("advance", _side(s, event.unit), event.path, text=f"{event.unit} pursued"))
            where[event.unit] = event.path[-1]
        elif isinstance(event, Fought):
            target = event.hexes[0]
            starts = dict.fromkeys(where.get(code, 0) or s.at(s.chart.by_code[code]) for code in event.units)
            arrows += [Arrow("attack", event.side, (a, target)) for a in starts if s.chart.board.touch(a, target)]
            shifts = f", {', '.join(event.shifts)}" if event.shifts else ""
            dice = (
                f", {'die' if len(event.dice) == 1 else 'dice'} {' and '.join(map(str, event.dice))}"
                if event.dice
                else ""
            )
            kind = "counterattack" if event.counter else "attack"
            told = (
                f"{s.chart.board[target]}: {NAMES[event.side]} {kind}, "
                f"{event.attack} to {event.defence}{shifts}: column {event.column}{dice}: {RESULTS[event.result]}."
            )
            battles.append(Battle(target, event.side, event.column, event.dice, event.result, told))
    return tuple(arrows), tuple(battles)


def _side(s: State, code: str) -> str:
    return s.chart.units[s.chart.by_code[code]].side


def scene(view: View[State], events: tuple[Event, ...]) -> Scene:
    s = view.state
    arrows, battles = _happened(s, events)
    head = head_lines(s)
    frame, marching = view.frame, isinstance(view.need, Orders) and view.need.kind == "march"
    march = frame if marching and isinstance(frame, PlayerTurn) else None
    first, _, rest = head[0].partition(". ")
    return Scene(
        title=f"No Retreat! {first}",
        ground=HexGround(s.chart.map, areas=_areas(s.chart), goals=dict.fromkeys(s.chart.points, "1")),
        sides=BOTH,
        lines=(" ".join(filter(None, (rest, *head[1:2]))), *head[2:], *goal_lines(s, later=False)),
        stacks={
            place: tuple(piece_of(s, unit, march) for unit in s.ground.stacks[place])
            for place in s.ground.stacks
            if OUT < place < FIRST_BOX
        },
        control=dict(s.holders.items()),
        marks=tuple(_marks(s)),
        arrows=arrows,
        battles=battles,
        panels=_panels(view),
        explained=(
            Explained("militia", "Volkssturm"),
            Explained("garrison", "cadre"),
            Explained("air", "Luftwaffe field army"),
            Explained("no supply", "out of supply"),
            Explained("target", "target of the Axis"),
            Explained("counterblow", "counterblow: must be attacked"),
            Explained("values", "strength-movement, in brackets without a zone"),
            Explained("odds", "column of the odds; then die and result"),
            *(Explained(result, f"{text}: {MEANINGS[result]}") for result, text in RESULTS.items()),
        ),
        credits=s.chart.map.credits,
        keys={place: place_key(place) for place in s.chart.board.places},
    )


def luck(event: Event) -> tuple[Luck, ...]:
    """High dice are good for who attacks. Every die that was rolled counts, also one that was not chosen then, or that
    a card had rolled again (NR-13.27A)."""
    if not isinstance(event, Fought | Repeated) or not event.dice:
        return ()
    many = len(event.dice)
    return (Luck(event.side, sum(event.dice), Fraction(7 * many, 2), Fraction(35 * many, 12)),)


def strength(view: View[State]) -> Mapping[str, int]:
    """The strengths of all units on the map."""
    s = view.state
    found = dict.fromkeys(SIDES, 0)
    for place in s.ground.stacks:
        if OUT < place < FIRST_BOX:
            for unit in s.ground.stacks[place]:
                found[s.unit(unit).side] += s.face(unit).strength
    return found


def _follows(event: Event) -> bool:
    if isinstance(event, Boxed):
        return event.hex != TRACK  # else a reinforcement
    return isinstance(event, StepLost | Retreated | Pursued)


pictures = Pictures(
    scene,
    begins=(SideBegan,),
    shown=(Moved, Fought, Placed),
    fights=(Fought,),
    follows=_follows,
    dice=Dice(Course("pips when attacking", BOTH), luck),
    strength=Strength(Course("points of the units on the map", BOTH), strength),
)
