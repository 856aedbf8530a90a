"""Everything printed: map, counters, formations, chits, set-up, turn track and tables, made once from a data set.

Costs are in twelfths of a movement point, so that halves, thirds and quarters are whole numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from pbem.game import DataSet, charted
from pbem.kit import (
    Board,
    Counters,
    Distances,
    HexMap,
    Odds,
    Ranges,
    Table,
    TurnTrack,
    Unit,
    Zones,
    counters_of,
    folder,
    hexmap_of,
    labelled,
    odds_of,
    rows_of,
    table_of,
    turns_of,
)

T = TypeVar("T")

GERMAN, SOVIET = "german", "soviet"
SIDES = (GERMAN, SOVIET)
LAST_TURN = 10
TWELFTHS = 12  # of a movement point

# SG-8.1: the results, each worse for the defender or better for the attacker than the one before.
LADDER = ("A2", "A1r1", "A1", "Ar", "A1/D1", "Ar/D1", "A1/Dr", "Dr1", "D1", "D1r1", "D1r2", "D2r2", "D2r3")
BARRAGE = ("-", "P", "D1")
DIE = 6
EVENTS = tuple(f"19.1.{n}" for n in range(1, 14))
LEVELS = ("german_decisive", "german_marginal", "draw", "soviet_marginal", "soviet_decisive")

WAYS = ("autobahn", "road", "track", "rail")
RIVERS = ("minor_river", "oder")
SETTLEMENTS = ("village", "town", "city")
FOOT, MECH, CAVALRY = "foot", "mech", "cavalry"
PACES = (FOOT, MECH, CAVALRY)

HQ, FORTRESS, VOLKSSTURM = "hq", "fortress", "volkssturm"
INDEPENDENT, POLISH = "independent", "polish"
STACK = 2  # SG-6.0: combat units in a hex, and one headquarters beside them
CHIT_DECK = "soviet_chits"  # of which one is laid aside (SG-12.6)
CUP, TRAIN = "cup", "train"
BOXES = ("tettau", "cavalry", "aside")  # SG-1.2.9; the last for what an option exchanges (SG-16.3)
AIR_BOXES = {"luftflotte_6": GERMAN, "air_army_16": SOVIET, "grounded": ""}


class Formation(NamedTuple):
    """A corps or an army: a headquarters with its units, and where their supply comes from (SG-11.2)."""

    key: str
    name: str
    side: str
    hq: int  # the number of the unit; -1: none
    source: str  # a region of the map
    units: tuple[int, ...]  # without the headquarters


class Chit(NamedTuple):
    """A command chit: of a formation, or special (SG-1.4)."""

    code: str
    name: str
    side: str
    formation: str  # empty: special
    first: int  # the first turn in which it is in the cup; 0: an event brings it
    last: int


class Plane(NamedTuple):
    code: str
    name: str
    side: str
    box: str
    turn: int  # in which it comes; 0: at the start
    normal: int
    power: int


class Start(NamedTuple):
    """Where a unit begins. Its owner may move it to any hex within reach of `near` (SG-15.0c)."""

    unit: int
    place: int
    near: int  # -1: it is bound to its place
    reach: int
    option: str  # with which alone it is there


class Prize(NamedTuple):
    """SG-1.5.5: a hex with a marker of victory points."""

    place: int
    points: int
    later: int  # from the turn after `flips`
    flips: int  # the turn at whose end the marker is flipped; 0: never

    def worth(self, turn: int) -> int:
        return self.later if self.flips and turn > self.flips else self.points


class Settled(NamedTuple):
    """What a settlement does for those who defend it (SG-2.5.2, SG-8.7, SG-9.5)."""

    shift: int
    first_loss: bool  # ignored
    first_retreat: bool


class Ground(NamedTuple):
    """A kind of ground: what it costs to enter it, None where only ways lead in, and how the odds shift."""

    costs: Mapping[str, int | None]
    shift: int


class Event(NamedTuple):
    key: str
    otherwise: str  # what happens if it has happened before; empty: it again


@dataclass(frozen=True)
class Chart:
    map: HexMap
    board: Board
    counters: Counters
    units: tuple[Unit, ...]
    own: Mapping[str, tuple[int, ...]]
    formations: Mapping[str, Formation]
    formation_of: tuple[str, ...]  # by unit
    chits: Mapping[str, Chit]
    planes: Mapping[str, Plane]
    starts: Mapping[int, Start]
    boxes: Mapping[int, str]  # unit -> the box that it begins in
    track: TurnTrack
    odds: Odds
    crt: Table
    barrage: Table
    ground: Mapping[str, Ground]
    ways: Mapping[str, tuple[int, int | None]]  # normal, strategic (SG-5.2.1, SG-5.4)
    extra: Mapping[str, int | None]  # rivers without a bridge, zones of control
    settlements: Mapping[str, Settled]
    settled: Mapping[int, str]  # place -> the kind of settlement
    held: Mapping[int, str]  # settlement -> who holds it at the start
    prizes: Mapping[int, Prize]
    events: tuple[tuple[Event, ...], ...]  # by die, then by part of the game
    parts: tuple[tuple[int, int], ...]  # first and last turn
    levels: tuple[tuple[str, int], ...]  # the least Soviet score for each

    @cached_property
    def ranges(self) -> Ranges:
        return Ranges(self.board)

    @cached_property
    def zones(self) -> Zones:
        """SG-4.2.2, SG-4.6.5: zones reach where a unit could go, but not across the Oder, not even over a bridge."""
        return Zones(self.board, lambda a, b, edge: "oder" not in edge and self.passable(a.id, b.id))

    @cached_property
    def distances(self) -> Distances:
        """For bots: hexes from everywhere, wherever a unit could go."""
        return Distances(self.board, lambda a, b, _: self.passable(a.id, b.id))

    @cached_property
    def tolls(self) -> tuple[int, int]:
        """SG-4.1a: what it costs to enter an enemy zone, and to leave one."""
        return self.extra["enter_zone"] or 0, self.extra["leave_zone"] or 0

    def passable(self, a: int, b: int) -> bool:
        """SG-4.6.1, SG-9.1, SG-10.5: could a unit go from one hex to the next by normal movement, given the points?"""
        edge = self.board.edges[a, b]
        if any(way in edge for way in WAYS):
            return True
        closed = any(river in edge and self.extra[river] is None for river in RIVERS)
        return not closed and None not in self.ground[self.board[b].terrain].costs.values()

    def unit(self, code: str) -> Unit:
        return self.counters.by_code[code]

    def is_hq(self, unit: int) -> bool:
        return HQ in self.units[unit].type.traits

    def pace(self, unit: int) -> str:
        """The column of the terrain table: headquarters go like mechanised units (SG-5.0)."""
        traits = self.units[unit].type.traits
        return MECH if MECH in traits or HQ in traits else CAVALRY if CAVALRY in traits else FOOT

    def independent(self, unit: int) -> bool:
        return INDEPENDENT in self.units[unit].marks

    def source(self, unit: int) -> int:
        """The mask of the hexes that supply a unit (SG-1.2.7, SG-11.2): those of its formation."""
        return self.map.regions[self.formations[self.formation_of[unit]].source].mask

    def short(self, formation: str) -> str:
        """The code of its chit, with which a player types it; the cavalry corps has none (SG-3.1.5)."""
        codes = (chit.code for chit in self.chits.values() if chit.formation == formation)
        return next(codes, formation.upper())

    def cup(self, turn: int, side: str) -> tuple[str, ...]:
        """SG-7.2: the chits of a side in the cup at the start of a turn, apart from what events bring and take."""
        return tuple(c.code for c in self.chits.values() if c.side == side and c.first and c.first <= turn <= c.last)

    def bridged(self, a: int, b: int) -> bool:
        """SG-5.2.4: does a way of any kind lead over the river between two hexes?"""
        edge = self.board.edges[a, b]
        return any(river in edge for river in RIVERS) and any(way in edge for way in WAYS)

    def event(self, die: int, turn: int) -> Event:
        """SG-19.0: by die and part of the game."""
        part = next(k for k, (first, last) in enumerate(self.parts) if first <= turn <= last)
        return self.events[die - 1][part]

    def level(self, score: int) -> str:
        """SG-14.1: the level of victory for a Soviet score."""
        return next((name for name, least in reversed(self.levels) if score >= least), self.levels[0][0])

    __hash__ = object.__hash__


DATA = folder(__file__)


@charted
def chart_of(data: DataSet) -> Chart:
    ground = hexmap_of(data["map"])
    board = ground.board
    counters = counters_of(data["counters"])
    track = turns_of(data["turns"])
    tables = {str(table["name"]): table for table in data["tables"]["tables"]}
    formation_of = _formation_of(counters, data["forces"])
    chart = Chart(
        map=ground,
        board=board,
        counters=counters,
        units=counters.units,
        own={side: tuple(unit.number for unit in counters.of_side(side)) for side in SIDES},
        formations=_formations(data["forces"], counters, formation_of),
        formation_of=formation_of,
        chits=_chits(data["forces"], track),
        planes=_planes(data["forces"], track),
        starts=_starts(data["setup"], board, counters),
        boxes={counters.number_written(item["unit"], "setup"): str(item["box"]) for item in data["setup"]["boxes"]},
        track=track,
        odds=odds_of(tables["crt"]),
        crt=table_of(tables["crt"], LADDER),
        barrage=table_of(tables["barrage"]),
        ground=labelled(tables["ground"], _ground),
        ways=labelled(tables["ways"], _way),
        extra=labelled(tables["extra"], lambda row: _cost(row["twelfths"])),
        settlements=labelled(tables["settlements"], _settled),
        settled={place: kind for kind in SETTLEMENTS for place in board.marked(kind)},
        held={place: ground.word(place, "control") for place in ground.valued("control")},
        prizes={place: _prize(ground, place) for place in ground.valued("points")},
        events=tuple(tuple(map(_event, row.values())) for row in rows_of(tables["events"])),
        parts=tuple(_part(str(column)) for column in tables["events"]["columns"]),
        levels=tuple(labelled(tables["victory"], lambda row: int(row["from"])).items()),
    )
    _check(chart)
    return chart


def _formation_of(counters: Counters, forces: Mapping[str, Any]) -> tuple[str, ...]:
    sides = {str(item["key"]): str(item["side"]) for item in forces["formations"]}
    found = []
    for unit in counters.units:
        own = [mark for mark in unit.marks if mark in sides]
        if len(own) != 1 or sides[own[0]] != unit.side:
            raise ValueError(f"counters: {unit.code} belongs to one formation of its side")
        found.append(own[0])
    return tuple(found)


def _formations(forces: Mapping[str, Any], counters: Counters, formation_of: tuple[str, ...]) -> dict[str, Formation]:
    found: dict[str, Formation] = {}
    for item in forces["formations"]:
        key, code = str(item["key"]), str(item.get("hq", ""))
        own = [unit for unit in counters.units if formation_of[unit.number] == key]
        posts = [unit.code for unit in own if HQ in unit.type.traits]
        if key in found or posts != ([code] if code else []):
            raise ValueError(f"forces: formation {key} stands there once, with its headquarters")
        found[key] = Formation(
            key,
            str(item["name"]),
            str(item["side"]),
            counters.by_code[code].number if code else -1,
            str(item["source"]),
            tuple(unit.number for unit in own if unit.code != code),
        )
    return found


def _arrives(track: TurnTrack, code: str) -> int:
    """The turn of an arrival, 0 if there is none."""
    return next((arrival.turn for arrival in track.arrivals if arrival.unit == code), 0)


def _chits(forces: Mapping[str, Any], track: TurnTrack) -> dict[str, Chit]:
    found: dict[str, Chit] = {}
    for item in forces["chits"]:
        code, by = str(item["code"]), str(item["by"])
        turn = _arrives(track, code)
        if code in found or bool(turn) != (by == "arrival"):
            raise ValueError(f"forces: chit {code} stands there once, and arrives if it comes by arrival")
        first = turn + 1 if by == "arrival" else 1 if by == "start" else 0
        last, formation = int(item.get("until", LAST_TURN)), str(item.get("formation", ""))
        found[code] = Chit(code, str(item["name"]), str(item["side"]), formation, first, last)
    return found


def _planes(forces: Mapping[str, Any], track: TurnTrack) -> dict[str, Plane]:
    found: dict[str, Plane] = {}
    for item in forces["air"]:
        code, side, box = str(item["code"]), str(item["side"]), str(item["box"])
        if code in found or AIR_BOXES.get(box) not in ("", side):
            raise ValueError(f"forces: air unit {code} stands there once, in a box of its side")
        turn = _arrives(track, code)
        found[code] = Plane(code, str(item["name"]), side, box, turn, int(item["normal"]), int(item["power"]))
    return found


def _starts(setup: Mapping[str, Any], board: Board, counters: Counters) -> dict[int, Start]:
    found: dict[int, Start] = {}
    for item in setup["units"]:
        unit, place = counters.number_written(item["unit"], "setup"), board.place_written(item["hex"], "setup")
        if unit in found:
            raise ValueError(f"setup: {item['unit']} is placed twice")
        if ("near" in item) != ("reach" in item):
            raise ValueError(f"setup: {item['unit']} has a reach and the hex from which it counts, or neither")
        near, reach = board.place_written(item["near"], "setup") if "near" in item else -1, int(item.get("reach", 0))
        if near >= 0 and board.grid is not None and board.grid.distance(near, place) > reach:
            raise ValueError(f"setup: {item['unit']} is out of its reach")
        found[unit] = Start(unit, place, near, reach, str(item.get("option", "")))
    return found


def _prize(ground: HexMap, place: int) -> Prize:
    points, later, flips = (ground.value(place, key) for key in ("points", "later", "flips"))
    if points < 1 or later < 0 or flips not in range(LAST_TURN) or (later > 0) != (flips > 0):
        raise ValueError(f"map: the marker of {ground.board[place]} has points, and a turn if there are later ones")
    return Prize(place, points, later, flips)


def _cost(cell: str) -> int | None:
    """Twelfths of a movement point; None: closed."""
    if cell == "no":
        return None
    if not cell.isdigit() or not 0 < int(cell) <= 20 * TWELFTHS:
        raise ValueError(f"tables: {cell!r} is not a cost in twelfths")
    return int(cell)


def _way(row: Mapping[str, str]) -> tuple[int, int | None]:
    normal = _cost(row["normal"])
    if normal is None:
        raise ValueError("tables: a way is open to normal movement")
    return normal, _cost(row["strategic"])


def _ground(row: Mapping[str, str]) -> Ground:
    return Ground({pace: _cost(row[pace]) for pace in PACES}, _shift(row["shift"]))


def _settled(row: Mapping[str, str]) -> Settled:
    return Settled(_shift(row["shift"]), row["first_loss"] == "yes", row["first_retreat"] == "yes")


def _shift(cell: str) -> int:
    """Columns for the defender: none, or so many to the left."""
    if not -8 <= int(cell) <= 0:
        raise ValueError("tables: ground shifts the odds to the left, by eight columns at most")
    return int(cell)


def _event(cell: str) -> Event:
    key, _, otherwise = cell.partition(" else ")
    if key not in EVENTS or otherwise not in ("", *EVENTS):
        raise ValueError(f"tables: {cell!r} is not an event")
    return Event(key, otherwise)


def _part(column: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,2})", column)
    if match is None:
        raise ValueError(f"tables: {column!r} are not turns")
    return int(match[1]), int(match[2])


def _check(chart: Chart) -> None:
    """Raises where the files contradict each other or the rules."""
    _check_map(chart)
    _check_forces(chart)
    _check_setup(chart)
    _check_tables(chart)


def _check_map(chart: Chart) -> None:
    board = chart.board
    if board.grid is None:
        raise ValueError("map: the game is played on hexes")
    for place in board.places.values():
        kinds = [kind for kind in SETTLEMENTS if kind in place.marks]
        if len(kinds) > 1 or bool(kinds) != (chart.held.get(place.id) in SIDES):
            raise ValueError(f"map: {place} is one kind of settlement, and one side holds it")
        if place.id in chart.prizes and not kinds:
            raise ValueError(f"map: {place} counts for victory and is not a settlement")
        if place.terrain not in chart.ground:
            raise ValueError(f"map: {place} has the terrain {place.terrain}, which the tables do not know")
    for (a, b), edge in board.edges.items():
        if edge - {*WAYS, *RIVERS} or all(river in edge for river in RIVERS):
            raise ValueError(f"map: between {board[a]} and {board[b]} there is what the rules do not know")
    for way in chart.map.ways:
        if any(board[place].terrain == "lake" for place in way.places):
            raise ValueError(f"map: the {way.feature} {way.name} leads through water")
    for formation in chart.formations.values():
        if formation.source not in chart.map.regions:
            raise ValueError(f"map: the source {formation.source} of {formation.name} is not there")


def _check_forces(chart: Chart) -> None:
    codes = [*(unit.code for unit in chart.units), *chart.chits, *chart.planes]
    if len({code.casefold() for code in codes}) < len(codes):
        raise ValueError("forces: no two units, chits or air units have the same code")
    for chit in chart.chits.values():
        formation = chart.formations.get(chit.formation)
        if chit.formation and (formation is None or formation.side != chit.side or formation.hq < 0):
            raise ValueError(f"forces: chit {chit.code} activates a formation of its side with a headquarters")
    for unit in chart.units:
        faces = unit.faces
        if any(after.attack > before.attack or after.defence > before.defence for before, after in pairwise(faces)):
            raise ValueError(f"counters: {unit.code} does not gain by losing a step")
        if HQ in unit.type.traits and (unit.steps > 1 or faces[0].value("range") < 1 or faces[0].attack):
            raise ValueError(f"counters: {unit.code} has the range of a headquarters, one side and no attack")


def _check_setup(chart: Chart) -> None:
    arriving = Counter(arrival.unit for arrival in chart.track.arrivals)
    sides = {unit.code: unit.side for unit in chart.units} | {c.code: c.side for c in chart.chits.values()}
    sides |= {plane.code: plane.side for plane in chart.planes.values()}
    for arrival in chart.track.arrivals:
        if arriving[arrival.unit] > 1 or sides.get(arrival.unit) != arrival.side:
            raise ValueError(f"turns: {arrival.unit} arrives once, on its own side")
        if arrival.unit in chart.chits:
            fits = arrival.where == CUP
        elif arrival.unit in chart.planes:
            fits = arrival.where == chart.planes[arrival.unit].box
        else:
            entry = chart.map.entries.get(arrival.where)
            fits = entry is not None and entry.side == arrival.side
        if not fits:
            raise ValueError(f"turns: {arrival.unit} cannot arrive at {arrival.where}")
    for unit in chart.units:
        ways = (unit.number in chart.starts) + (unit.number in chart.boxes) + arriving[unit.code]
        if ways != 1:
            raise ValueError(f"setup: {unit.code} is on the map, in a box, or arrives: one of the three")
    if set(chart.boxes.values()) - set(BOXES):
        raise ValueError(f"setup: the boxes are {', '.join(BOXES)}")
    _check_stacks(chart)


def _check_stacks(chart: Chart) -> None:
    """SG-15.0a: all units stand within stacking (SG-6), on ground that they can be in, and apart from the enemy."""
    stacks: dict[int, list[int]] = {}
    for start in chart.starts.values():
        stacks.setdefault(start.place, []).append(start.unit)
    for place, units in stacks.items():
        posts = sum(chart.is_hq(unit) for unit in units)
        if posts > 1 or len(units) - posts > STACK:
            raise ValueError(f"setup: too many units stand in {chart.board[place]}")
        if len({chart.units[unit].side for unit in units}) > 1:
            raise ValueError(f"setup: both sides stand in {chart.board[place]}")
        if None in chart.ground[chart.board[place].terrain].costs.values():
            raise ValueError(f"setup: no unit can stand in {chart.board[place]}")


def _check_tables(chart: Chart) -> None:
    if {len(chart.crt.cells), len(chart.barrage.cells), len(chart.events)} != {DIE}:
        raise ValueError("tables: results, barrage and events have a row for each face of a die")
    rank = {result: k for k, result in enumerate(LADDER)}
    ranks = [[rank[cell] for cell in row] for row in chart.crt.cells]
    for line in (*ranks, *map(list, zip(*ranks, strict=True))):
        if line != sorted(line):
            raise ValueError("tables: results do not get worse with better odds or a higher die")
    if any(row[1] not in BARRAGE or not row[0].isdigit() for row in chart.barrage.cells):
        raise ValueError(f"tables: a barrage has a number of attempts, and one of {', '.join(BARRAGE)}")
    _complete("ways", chart.ways, WAYS)
    _complete("extra", chart.extra, (*RIVERS, "enter_zone", "leave_zone"))
    _complete("settlements", chart.settlements, SETTLEMENTS)
    _complete("victory", [name for name, _ in chart.levels], LEVELS)
    least = [score for _, score in chart.levels]
    if least != sorted(set(least)):
        raise ValueError("tables: the levels of victory rise")
    turns = [turn for first, last in chart.parts for turn in range(first, last + 1)]
    if turns != list(range(1, LAST_TURN + 1)) or turns != [turn.number for turn in chart.track]:
        raise ValueError(f"tables: the turns are 1 to {LAST_TURN}, on the track and in the parts of the events")
    if any(turn.values.get(side, 0) < 1 for turn in chart.track for side in SIDES):
        raise ValueError("turns: each side may play a chit in each turn")


def _complete(table: str, found: Iterable[str], wanted: Iterable[str]) -> None:
    if list(found) != list(wanted):
        raise ValueError(f"tables: {table} has the rows {', '.join(wanted)}, in this order")


def check_data(data: DataSet) -> None:
    """Raises for a data set with files of the players' own that the game cannot be played with."""
    made, printed = chart_of(data), chart_of(DATA)
    if [(unit.code, unit.side) for unit in made.units] != [(unit.code, unit.side) for unit in printed.units]:
        raise ValueError("counters: they keep their codes, sides and order, since orders are written with them")
    if list(made.chits) != list(printed.chits) or list(made.planes) != list(printed.planes):
        raise ValueError("forces: chits and air units keep their codes and order")
    if list(made.formations) != list(printed.formations):
        raise ValueError("forces: formations keep their keys and order, since rules speak of them")
    missing = (printed.map.entries.keys() - made.map.entries.keys()) | (
        printed.map.regions.keys() - made.map.regions.keys()
    )
    if missing:
        raise ValueError(f"map: {', '.join(sorted(missing))} cannot be left out: rules speak of them")


__all__ = ["DATA", "GERMAN", "SIDES", "SOVIET", "Chart", "chart_of", "check_data"]
