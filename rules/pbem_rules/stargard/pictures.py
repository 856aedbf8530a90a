"""The scene of a position: the map with its counters and markers, and beside it score, turn track, chits, air and
boxes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pbem.game import Event, Taken, View
from pbem.kit import (
    Assailed,
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
    StepLost,
    Went,
    happened,
    place_key,
)
from pbem_rules.stargard.board import (
    AIR_NAMES,
    NAMES,
    boxed,
    late_chits,
    level_texts,
    picture_lines,
    planes_at,
    prizes_of,
    turn_text,
)
from pbem_rules.stargard.chart import DIE, GERMAN, SIDES, SOVIET, Plane
from pbem_rules.stargard.events import (
    Activated,
    Advanced,
    Captured,
    Entered,
    EventHappened,
    Fought,
    MarkerFlipped,
    Moved,
    Note,
    PlaceTaken,
    PostLeft,
    Reformed,
    Regained,
    Retreated,
    Spared,
    TurnBegan,
    UnitsLeft,
)
from pbem_rules.stargard.movement import INDEPENDENTS
from pbem_rules.stargard.orders import Drive, Entrain, Move
from pbem_rules.stargard.reckon import MEANING
from pbem_rules.stargard.retreat import ChooseWay
from pbem_rules.stargard.state import ISOLATED, OUT_OF_SUPPLY, State
from pbem_rules.stargard.turns import NOTHING

BOTH = (Side(GERMAN, "Germans", "G", "grey"), Side(SOVIET, "Soviets", "S", "red"))
SYMBOLS = {
    "H": "hq", "V": "militia", "I": "infantry", "J": "antitank", "E": "engineers", "F": "fortified", "U": "garrison",
    "T": "armour", "M": "mechanised", "R": "cavalry", "C": "cavalry",
}  # fmt: skip
SUPPLY = {OUT_OF_SUPPLY: "no supply", ISOLATED: "isolated"}
SIEGE_NEWS = ("SG-14.2.1", "SG-16.2")  # notes on the siege of Arnswalde: what it opens, and what that brings
WORDS = {"autobahn": "motorway", "oder": "river", "island": "islet", "transit": "passage"}


SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})  # as in the codes that players type


def piece_of(s: State, unit: int) -> Piece:
    kind, face, piece = s.counter(unit), s.face(unit), s.pieces[unit]
    name = kind.name.translate(SPELT)
    marks = [SUPPLY[piece.supply]] if piece.supply in SUPPLY else []
    home = s.chart.formations[s.formation(unit)]
    post = s.code(home.hq).removesuffix("-HQ") if home.hq >= 0 else ""
    hq = s.is_hq(unit)
    independent = f"; independent: an activation uses {INDEPENDENTS} of these" if s.chart.independent(unit) else ""
    return Piece(
        side=kind.side,
        symbol=SYMBOLS[kind.type.letter],
        code=kind.code.removesuffix("-HQ"),
        values=f"range {face.value('range')}" if hq else f"{face.attack}-{face.defence}-{face.move}",
        size="HQ" if hq else "" if s.chart.independent(unit) else post,
        name=name if hq else f"{name} ({kind.type.name}; {home.name}{independent})",
        steps=piece.steps,
        full=kind.steps,
        marks=(*marks, *["pinned"] * piece.pinned),
        key=kind.key,
    )


def stack_of(s: State, place: int) -> tuple[Piece, ...]:
    """SG-1.1.4b: the unit on top first."""
    top = s.top_of(place)
    return tuple(piece_of(s, unit) for unit in sorted(s.ground.stacks[place], key=lambda unit: (unit != top, unit)))


def _chits(s: State, codes: tuple[str, ...], side: str) -> tuple[Piece, ...]:
    chits = (s.chart.chits[code] for code in codes)
    return tuple(Piece(chit.side, "hq", chit.code, name=chit.name) for chit in chits if chit.side == side)


def _plane(plane: Plane) -> Piece:
    return Piece(plane.side, "fighter", plane.code, f"{plane.normal} {plane.power}", name=plane.name)


def _track(s: State) -> Iterator[Row]:
    """SG-1.2.2: the numbers of chits and replacement points, and who comes when."""
    for turn in s.chart.track:
        points = turn.values.get("replacements", 0)
        more = f"; {points}" if points else ""
        now = " (now)" if turn.number == s.turn else ""
        yield Row(f"{turn.number}: {turn.name}{now}: {turn.values[GERMAN]} and {turn.values[SOVIET]}{more}")


def _side_panels(s: State, side: str) -> Iterator[Panel]:
    drawn = _chits(s, s.drawn, side)
    played = f"Played {s.played.get(side, 0)} of {s.number(side)}"
    inside = "In the cup, or aside" if side == SOVIET and s.chits.thrown else "In the cup"
    rows = [Row(f"{inside}:", _chits(s, s.cup, side)), Row(f"{played}:", drawn) if drawn else Row(f"{played}.")]
    coming = _chits(s, late_chits(s), side)
    yield Panel(f"{NAMES[side]} chits", (*rows, *([Row("For the next turn:", coming)] if coming else [])), side)
    air = [
        Row(f"{words}:", tuple(_plane(s.chart.planes[code]) for code in codes))
        for at, words in AIR_NAMES.items()
        if (codes := planes_at(s, side, at))
    ]
    spent = Row(f"Points spent in this turn: {s.air_spent.get(side, 0)}.")
    yield Panel(f"{NAMES[side]} air", (*air, spent), side)
    rows = [
        Row(f"{label.removeprefix('reinforcements of ')}:", tuple(piece_of(s, unit) for unit in units))
        for label, units in boxed(s, side)
    ]
    if rows:
        yield Panel(f"{NAMES[side]} units off the map", tuple(rows), side)
    yield Panel(f"Points in {NAMES[side]} hands", tuple(_prizes(s, side)) or (Row("None."),), side)


def _prizes(s: State, side: str) -> Iterator[Row]:
    """SG-1.5.5: markers of the same worth in one row, the best first."""
    groups: dict[tuple[int, int, int], list[str]] = {}
    for place in prizes_of(s, side):
        prize = s.chart.prizes[place]
        turns = prize.flips if prize.flips and s.turn <= prize.flips and place not in s.prizes else 0
        worth = s.prizes.get(place, prize.worth(s.turn))
        groups.setdefault((worth, turns, prize.later if turns else 0), []).append(s.chart.board[place].name)
    for (worth, turns, later), names in sorted(groups.items(), key=lambda item: (-item[0][0], item[0][1])):
        yield Row(f"{worth}{f', {later} after turn {turns}' if turns else ''}: {', '.join(names)}")


def _panels(s: State) -> tuple[Panel, ...]:
    own = (panel for side in SIDES for panel in _side_panels(s, side))
    levels = Panel("Levels of the Soviet score", tuple(map(Row, level_texts(s))))
    return (Panel("Turns", (Row("German and Soviet chits; replacements:"), *_track(s))), *own, levels)


def _marks(s: State) -> Iterator[Mark]:
    """SG-1.2.7: where supply comes from."""
    for formation in {held.source: held for held in s.chart.formations.values()}.values():
        region = s.chart.map.regions[formation.source]
        for place in region.places:
            yield Mark(place, "source", f"{region.name} ({NAMES[formation.side]})", formation.side)


def _battle(event: Assailed, text: str) -> Battle:
    assert isinstance(event, Fought)
    return Battle(event.hex, event.side, event.column, (event.die,), event.result, text)


def _arrow(event: Went) -> str:
    return "advance" if isinstance(event, Advanced) else "move"


def part_name(event: Event) -> str:
    if isinstance(event, Activated):
        return f"{event.turn}: {event.name}"
    return f"Turn {event.turn}" if isinstance(event, TurnBegan) else ""


def luck(event: Event) -> tuple[Luck, ...]:
    """Higher is better for who attacks (SG-8.2b)."""
    if not isinstance(event, Fought):
        return ()
    return (Luck(event.side, event.die, Fraction(DIE + 1, 2), Fraction(DIE * DIE - 1, 12)),)


def follows(event: Event) -> bool:
    """Apart from the losses of a barrage, of arrivals and of full hexes, and headquarters that lose their supply."""
    if isinstance(event, StepLost):
        return event.rule in ("SG-8.6", "SG-4.4", "SG-9.4", "SG-6.2")
    if isinstance(event, PostLeft):
        return event.rule != "SG-12.2.2"
    return isinstance(event, Spared | Retreated | Advanced | PlaceTaken | Reformed)


def news(event: Event) -> bool:
    """Among it what becomes of arrivals of a player who was not asked."""
    if isinstance(event, Taken):
        return event.how == "default" and isinstance(event.order, Move | Drive | Entrain)
    if isinstance(event, PlaceTaken):
        return event.points != 0
    if isinstance(event, Note):
        return event.rule in SIEGE_NEWS
    if isinstance(event, EventHappened):
        return event.rule != f"SG-{NOTHING}"
    return isinstance(event, StepLost | PostLeft | Captured | Entered | Regained | UnitsLeft | MarkerFlipped)


def scene(view: View[State], events: tuple[Event, ...]) -> Scene:
    s = view.state
    arrows, battles = happened(events, s.chart.board, s.chart.unit, s.at, _arrow, _battle)
    goals = {place: str(s.prizes.get(place, prize.worth(s.turn))) for place, prize in s.chart.prizes.items()}
    return Scene(
        title=f"Stargard Solstice. {turn_text(s)}",
        ground=HexGround(s.chart.map, words=WORDS, goals=goals),
        sides=BOTH,
        lines=tuple(picture_lines(view)),
        stacks={place: stack_of(s, place) for place in s.ground.stacks if place in s.chart.board},
        control=dict(s.holders.items()),
        marks=tuple(_marks(s)),
        arrows=arrows,
        battles=battles,
        panels=_panels(s),
        keys={place: place_key(place) for place in s.chart.board.places},
        explained=(
            Explained("hq", "headquarters, or its chit"),
            Explained("militia", "Volkssturm"),
            Explained("antitank", "anti-tank"),
            Explained("garrison", "fortified region"),
            Explained("cavalry", "cavalry or reconnaissance"),
            Explained("fortified", "fortress"),
            Explained("no supply", "out of supply"),
            Explained("values", "attack-defence-movement"),
            Explained("source", "source of supply"),
            *(Explained(result, text) for result, text in MEANING.items()),
        ),
        credits=s.chart.map.credits,
    )


pictures = Pictures(
    scene,
    begins=(TurnBegan, Activated),
    name=part_name,
    shown=(Moved, Fought),
    fights=(Fought,),
    follows=follows,
    news=news,
    spends=(ChooseWay.name,),
    dice=Dice(Course("pips when attacking", BOTH), luck),
    covering=True,
)
