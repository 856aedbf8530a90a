"""The scene of a position: the map with its counters and markers, and beside it score, turn track, boxes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from pbem.game import Event, View
from pbem.kit import (
    ISOLATED,
    OUT_OF_SUPPLY,
    Assailed,
    Battle,
    Board,
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
    many,
)
from pbem_rules.stalingrad42.board import (
    NAMES,
    army_lines,
    boxed,
    phase_lines,
    place_text,
    railheads_text,
    score_lines,
    status_text,
    turn_text,
    values_text,
    weather_text,
    wings_text,
)
from pbem_rules.stalingrad42.chart import (
    ASU,
    AXIS,
    DATA,
    DIE,
    FORTS,
    GREEN_RAIL,
    LADDER,
    LEADER,
    RAIL,
    SIDES,
    SOVIET,
    SUPPLY,
    Chart,
)
from pbem_rules.stalingrad42.combat.defence import ChooseHelp
from pbem_rules.stalingrad42.events import (
    Advanced,
    Arrived,
    BrokeThrough,
    CityBattle,
    Fought,
    Moved,
    Retreated,
    SideBegan,
    Stood,
    Stormed,
    Trapped,
    TurnBegan,
)
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.movement.rail import repaired
from pbem_rules.stalingrad42.orders import PlaceWords
from pbem_rules.stalingrad42.reckon import meaning
from pbem_rules.stalingrad42.scenarios import CAMPAIGN, TITLES, all_units
from pbem_rules.stalingrad42.state import BOX_NAMES, DISRUPTED, ROUTED, State
from pbem_rules.stalingrad42.state import Piece as UnitState

spot = PlaceWords().word
BOTH = (Side(AXIS, "Axis", "A", "grey"), Side(SOVIET, "Soviets", "S", "red"))
SIDE_OF = {unit["code"]: unit["side"] for unit in all_units(DATA)}
SYMBOLS = {
    "P": "armour", "T": "armour", "G": "mechanised", "m": "mechanised", "A": "armour", "D": "antitank",
    "I": "infantry", "J": "infantry", "M": "mountain", "S": "garrison", "K": "guards", "N": "naval", "B": "bicycle",
    "C": "cavalry", "H": "hq", "Q": "hq", "F": "artillery", "E": "engineers", "s": "supplies", "L": "leader",
    "R": "unknown",
}  # fmt: skip
ORDERS = {DISRUPTED: "disrupted", ROUTED: "full retreat"}
SUPPLIES = {OUT_OF_SUPPLY: "no supply", ISOLATED: "isolated"}
NATIONS = {"hungarian": "Hun", "italian": "It", "romanian": "Rom", "slovak": "Slk", "croatian": "Cro"}
SERVICES = {"guards": "Guards", "nkvd": "NKVD", "naval": "naval"}
WORDS = {
    "seasonal_marsh": "swamp", "minor_city": "town", "major_city": "city", "primary_road": "road",
    "secondary_road": "track", "green_rail": "main_rail", "major_river": "river",
}  # fmt: skip


def piece_of(s: State, unit: int, reserved: Collection[int] = ()) -> Piece:
    """From one position to the next nearly all stay as they are."""
    marks = unit in s.fixed, unit in s.frozen, unit in s.renewed, unit in reserved
    return _piece(s.chart, unit, s.pieces[unit], marks, s.plans.get(unit, (0, 0)))


@lru_cache(maxsize=2_048)
def _piece(
    chart: Chart, unit: int, piece: UnitState, flags: tuple[bool, bool, bool, bool], plans: tuple[int, int]
) -> Piece:
    kind = chart.units[unit]
    face, traits = kind.face(piece.steps or 1), kind.type.traits
    fixed, frozen, renewed, reserved = flags
    reach, (waiting, able) = face.value("range"), plans
    marks = [*filter(None, (ORDERS.get(piece.order), SUPPLIES.get(piece.supply)))]
    if not traits.isdisjoint((ASU, SUPPLY, LEADER)):
        marks += ["ready"] * piece.ready + ["fixed"] * fixed
    marks += ["train"] * piece.train + ["waits"] * frozen + ["replaced"] * renewed
    marks += ["planned offensive"] * able + ["plan, not ready"] * waiting + ["reserve"] * reserved
    nation = chart.nation(unit)
    return Piece(
        side=kind.side,
        symbol=SYMBOLS[kind.type.letter],
        code=kind.code,
        values=values_text(face, traits),
        size=NATIONS.get(nation) or SERVICES.get(nation, ""),
        name=f"{kind.name} ({kind.type.name})",
        steps=piece.steps,
        full=kind.steps,
        marks=tuple(marks),
        key=kind.key,
        brief=f"r{reach}" if reach else "" if SUPPLY in traits else f"{face.attack}-{face.defence}",
    )


def stack_of(s: State, place: int, reserved: Collection[int] = ()) -> tuple[Piece, ...]:
    """The strongest first, support and supplies last."""

    def rank(unit: int) -> tuple[bool, int, int]:
        return s.chart.stacks_free(unit), -s.face(unit).attack - s.face(unit).defence, unit

    return tuple(piece_of(s, unit, reserved) for unit in sorted(s.ground.stacks[place], key=rank))


# The ground


APART = {"w": (1447,), "f": (7547,)}  # where Areas that touch no hex are drawn: at Kerch, and in the Caspian Sea


def ground_of(chart: Chart) -> HexGround:
    return HexGround(
        chart.map,
        words=WORDS,
        goals={place: str(worth) for place, worth in chart.prizes.items()},
        areas={entry.area: APART[key] for key, entry in chart.map.entries.items() if not entry.places},
        outside={entry.area: entry.places for entry in chart.map.entries.values() if entry.places},
        levels=True,
    )


def front(s: State) -> Mapping[int, str]:
    """Whose each land hex is for the front line: of those who stand nearest; of two as near, of those with more."""
    first, second = SIDES
    ones, twos = s.fighters(first), s.fighters(second)
    one = (ones | s.chart.edge(first)) & ~twos
    return _front(s.chart, one, twos | s.chart.edge(second) & ~ones & ~one)


@lru_cache(maxsize=2)
def _front(chart: Chart, one: int, two: int) -> Mapping[int, str]:
    """`one`, `two`: the masks of the hexes from which each side spreads, step by step."""
    board, land, around = chart.board, chart.land_around, chart.around
    firsts, seconds = one, two
    while one or two:
        known = firsts | seconds
        near, far = (_spread(board, land, mask) & ~known for mask in (one, two))
        both = near & far
        more = board.mask(
            place
            for place in board.in_mask(both)
            if (around[place] & one).bit_count() < (around[place] & two).bit_count()
        )
        one, two = near & ~more, far & ~both | more
        firsts |= one
        seconds |= two
    held = dict.fromkeys(board.in_mask(firsts), SIDES[0]) | dict.fromkeys(board.in_mask(seconds), SIDES[1])
    return dict(sorted(held.items()))


def _spread(board: Board, land: Mapping[int, int], mask: int) -> int:
    found = 0
    for place in board.in_mask(mask):
        found |= land[place]
    return found


@lru_cache(maxsize=4)
def _keys(chart: Chart) -> Mapping[int, str]:
    return {place: f"p:{spot(place)}" for place in chart.board.places}


def gauges(s: State) -> Iterator[tuple[int, int]]:
    """S42-17.1: the pieces of railway that the Axis has repaired."""
    done, bit = repaired(s), s.chart.board.bit
    for way in s.chart.map.ways:
        if way.feature in (RAIL, GREEN_RAIL):
            yield from ((a, b) for a, b in pairwise(way.places) if bit[a] & done and bit[b] & done)


def _marks(s: State) -> Iterator[Mark]:
    """Forts, railheads, City Battles."""
    regions = s.chart.map.regions
    for key in FORTS:
        if key not in s.forts_off:
            for place in regions[key].places:
                yield Mark(place, "works", f"printed fort ({regions[key].name})", SOVIET)
    for place, side in s.forts.items():
        yield Mark(place, "works", f"{NAMES[side]} fort", side)
    for place, side in s.digging.items():
        yield Mark(place, "digging", f"{NAMES[side]} fort under construction", side)
    for track in s.tracks:
        yield Mark(track[-1], "railhead", "Axis railhead", AXIS)
    for place, (level, *_) in s.sieges.items():
        first = s.contests.get(place)
        whose = f"; both sides are in it, the {NAMES[first]} side first" if first else ""
        yield Mark(place, "target", f"City Battle {level}{whose}")


# What happened


def _arrow(event: Went) -> str:
    if isinstance(event, Moved):
        return "flight" if event.how in ("rail", "sail", "transfer") else "move"
    return "advance"


def _battle(event: Assailed, text: str) -> Battle:
    if not isinstance(event, Fought):
        return Battle(event.hex, event.side, "10:1", (), "DS", text)
    dice, odds = event.dice or ((event.die,) if event.die else ()), event.odds.rsplit(" ", 1)[-1]
    return Battle(event.hex, event.side, odds, dice, event.result, text)


def part_name(event: Event) -> str:
    if isinstance(event, SideBegan):
        return f"{event.turn}: {NAMES[event.side]}"
    return f"Turn {event.turn}" if isinstance(event, TurnBegan) else ""


def luck(event: Event) -> tuple[Luck, ...]:
    """A low die is good for the attacker (S42-10.1), a high one for determined defence (S42-11.4)."""
    mean, variance = Fraction(DIE + 1, 2), Fraction(DIE * DIE - 1, 12)
    if isinstance(event, Fought) and event.die:
        return tuple(Luck(event.side, DIE + 1 - die, mean, variance) for die in event.dice or (event.die,))
    if isinstance(event, Stood):
        return (Luck(SIDE_OF[event.unit], event.die, mean, variance),)
    return ()


# Beside the map

SOON = 8  # groups of units to come, and turns before and after this one, that a board shows


def _track(s: State) -> Iterator[Row]:
    last = s.chart.track.last.number
    for turn in s.chart.track:
        if not s.turn - SOON < turn.number <= s.turn + SOON and turn.number < last:
            continue
        now = " (now)" if turn.number == s.turn else ""
        benchmark = f": benchmark {turn.values['benchmark']}" if s.chart.victory["automatic"] else ""
        yield Row(f"{turn.number}: {turn.name}{now}{benchmark}")


def _side_panels(s: State, side: str) -> Iterator[Panel]:
    held = [place for place in s.chart.prizes if s.holders[place] == side]
    rows = tuple(Row(f"{place_text(s, place)}: {s.chart.prizes[place]}") for place in held)
    yield Panel(f"Victory hexes in {NAMES[side]} hands", rows or (Row("None."),), side)
    if side == AXIS:
        yield Panel("Axis air units, railheads", (Row(wings_text(s)), Row(railheads_text(s))), side)
    boxes = [(label, Row(f"{label}:", tuple(piece_of(s, unit) for unit in units))) for label, units in boxed(s, side)]
    coming = tuple(row for label, row in boxes if label not in BOX_NAMES.values())
    if len(coming) > SOON:
        later = sum(len(row.pieces) for row in coming[SOON:])
        coming = (*coming[:SOON], Row(f"Later: {many(later, 'unit')}."))
    gone = tuple(row for label, row in boxes if label in BOX_NAMES.values())
    for title, rows in ((f"{NAMES[side]} units to come", coming), (f"{NAMES[side]} units off the map", gone)):
        if rows:
            yield Panel(title, rows, side)


def scene(view: View[State], events: tuple[Event, ...]) -> Scene:
    s = view.state
    arrows, battles = happened(events, s.chart.board, s.chart.unit, s.at, _arrow, _battle)
    areas = {entry.area: entry.side for entry in s.chart.map.entries.values()}
    markers = view.frame.reserved if isinstance(view.frame, PlayerTurn) else []
    reserved = {unit for units in markers for unit in units}
    return Scene(
        title=f"Stalingrad '42: {TITLES[s.scenario]}. {turn_text(s)}",
        ground=ground_of(s.chart),
        sides=BOTH,
        lines=(status_text(view), weather_text(s), score_lines(s)[1], *phase_lines(view), *army_lines(view)),
        stacks={place: stack_of(s, place, reserved) for place in s.ground.stacks if place in s.chart.board},
        control={**dict(s.holders.items()), **areas},
        front=front(s),
        gauges={AXIS: tuple(gauges(s))},
        marks=tuple(_marks(s)),
        arrows=arrows,
        battles=battles,
        panels=(Panel("Turns", tuple(_track(s))), *(panel for side in SIDES for panel in _side_panels(s, side))),
        keys=_keys(s.chart),
        explained=(*EXPLAINED, *(Explained(cell, meaning(s, cell)) for cell in LADDER)),
        credits=s.chart.map.credits,
    )


EXPLAINED = (
    Explained("hq", "headquarters: artillery support; of Soviet armies: a unit more in the hex"),
    Explained("artillery", "artillery division: support"),
    Explained("supplies", "supply point"),
    Explained("guards", "NKVD"),
    Explained("garrison", "security"),
    Explained("antitank", "tank destroyers"),
    Explained("naval", "naval infantry"),
    Explained("bicycle", "bicycle troops"),
    Explained("full retreat", "in Full Retreat"),
    Explained("no supply", "out of supply"),
    Explained("ready", "support or supplies ready for use"),
    Explained("fixed", "supply point that cannot move"),
    Explained("train", "on a train"),
    Explained("unknown", "reserve army: its box is hidden"),
    Explained("leader", "leader: has dice rolled again"),
    Explained("planned offensive", "Planned Offensive that is ready"),
    Explained("plan, not ready", "Planned Offensive that is ready in its owner's next turn"),
    Explained("reserve", "in reserve"),
    Explained("waits", "may not move yet"),
    Explained("replaced", "has a Replacement marker"),
    Explained("values", "attack-defence-movement"),
    Explained("works", "fort"),
    Explained("digging", "fort under construction"),
    Explained("railhead", "Axis railhead"),
    Explained("target", "City Battle"),
    Explained("flight", "by rail, by sea, or round by Areas"),
)
MONTHS = {"Jul": "July", "Aug": "August", "Sep": "September", "Oct": "October", "Nov": "November", "Dec": "December"}


def month(view: View[State]) -> str:
    """The replay of the campaign has a page for each month: that in which a turn ends."""
    s = view.state
    ends = next(word for word in reversed(s.chart.track[s.turn].name.split()) if word in MONTHS)
    return f"{MONTHS[ends]} 1942" if s.scenario == CAMPAIGN else ""


AFTER_COMBAT = StepLost | Stood | CityBattle | Retreated | Trapped | Advanced | BrokeThrough
pictures = Pictures(
    scene,
    begins=(TurnBegan, SideBegan),
    name=part_name,
    shown=(Moved, Fought, Stormed, Arrived),
    fights=(Fought, Stormed),
    follows=lambda event: isinstance(event, AFTER_COMBAT),
    spends=(ChooseHelp.name,),
    chapter=month,
    dice=Dice(Course("pips in combat, better ones counted higher", BOTH), luck),
)
