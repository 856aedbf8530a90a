"""Everything printed: map, counters, set-up, turn track and tables, made once from a data set.

Costs are in halves of a movement point.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from pbem.game import DataSet, charted
from pbem.kit import (
    AREA,
    Board,
    Bonds,
    Counters,
    Features,
    HexMap,
    Lines,
    Odds,
    Place,
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
from pbem_rules.stalingrad42.campaign.plan import Army, Course, course_of

T = TypeVar("T")

AXIS, SOVIET = "axis", "soviet"
SIDES = (AXIS, SOVIET)
HALVES = 2  # of a movement point
DIE = 6
CERTAIN = 10  # odds of so much to 1 need no roll (S42-8.4.1)
LONGEST = 4  # hexes of a retreat or an advance

# S42-10.1: the results, each better for the attacker than the one before; a star: the defender may hardly stand.
LADDER = ("A1", "EX", "A1/DR2", "DRX", "DR2", "A1/D1", "D1", "D1*", "DR4", "DS")
STAR = "*"
# S42-11.4: what determined defence brings, each better for the defender than the one before.
STANDS = ("F -/1", "F -/-", "P -/1", "P -/-", "S -/1", "S 1/1", "S -/-", "S 1/-", "S 1*/-")
OPEN, OTHER, CITY = "open", "other", "city"

SEA, SEASONAL_MARSH, CLEAR, MARSH = "sea", "seasonal_marsh", "clear", "marsh"
MAJOR_CITY, MINOR_CITY = "major_city", "minor_city"
ROUGH, MOUNTAIN, DESERT = "rough", "mountain", "desert"
GROUNDS = (CLEAR, "woods", ROUGH, "wooded_rough", MARSH, MOUNTAIN, DESERT, MINOR_CITY, MAJOR_CITY)
ROADS = ("primary_road", "secondary_road")
RAIL, GREEN_RAIL = "rail", "green_rail"
# Railways that do not carry units as others do (S42-17.5, S42-5.6.6, S42-5.5.7).
RAIL_FERRY = "rail_ferry"
SPECIAL_RAILS = ("volga_rail", "caspian_rail", RAIL_FERRY)
MINOR_RIVER, MAJOR_RIVER = "minor_river", "major_river"
RIVERS = (MINOR_RIVER, MAJOR_RIVER)
VOLGA, FERRY, ALPINE, CLOSED = "volga", "ferry", "alpine", "closed"
FROZEN_RIVER = "frozen"  # in winter, of a major river (S42-23.4f)
TOWN, LANDMARK, PORT, PRIZE = "town", "landmark", "port", "vp"
MARKS = {TOWN, LANDMARK, PORT, PRIZE}
FORTS = ("forts_north", "forts_south", "forts_rostov")
CONTESTED = "contested"  # a region of scenarios: cities that both sides are in (S42-29.1)
BLACK_SEA, TEMRYUK, TAMAN = "black_sea", "temryuk", "taman"  # regions of ports (S42-16.2.3 to S42-16.2.5)
SOURCES = "sources_axis"  # a region: the hexes at the edge that supply the Axis, if not all do (S42-S2.2e)
FIRST_ENTRY = "first_entry"  # a region: where the Axis enters on the first turn (S42-S2.2c)
LATER_HEADS = "later_railheads"  # a region: the first railhead, and where it comes to another (S42-S2.2g)
VOLUNTEER_TOWNS = "volunteer_towns"  # a region: where volunteers come (S42-20.8a)
REGIONS = ("west", *FORTS, "railheads", "junctions", "south_of_don")

MECH, FOOT = "mech", "foot"
PACES = (MECH, FOOT)
ASU, SUPPLY, FREE, SLOW, REMNANT = "asu", "supply", "free", "slow", "remnant"
ARMY, RESERVE, LEADER = "army", "reserve", "leader"
UNARMED = (SUPPLY, ARMY, RESERVE, LEADER)  # what cannot defend (S42-2.3.1a)
INFANTRY, TANK, CAVALRY, SPECIAL = "infantry", "tank", "cavalry", "special"
NKVD, NAVAL, GRENADIER, GERMAN = "nkvd", "naval", "grenadier", "german"
ALLIED = "allied"  # a replacement for units of any ally
REGIMENT = "regiment"  # a replacement for a unit that is upgraded (S42-32.4)
TRAITS = frozenset(
    f"{MECH} {FOOT} {ASU} {SUPPLY} {ARMY} {RESERVE} {LEADER} {FREE} {SLOW} elite low tank black red white "
    "infantry cavalry mountain naval nkvd panzer grenadier battalion regiment brigade division corps".split()
)
NATIONS = {
    AXIS: ("german", "hungarian", "italian", "romanian", "slovak", "croatian", "caucasian"),
    SOVIET: ("regular", "guards", "naval", "nkvd"),
}
REPLACEMENTS = {  # S42-21.1.4: of each side the kinds, those that serve fewer units first, and their values of a turn
    AXIS: {
        **{nation: nation for nation in ("hungarian", "romanian", "italian", ALLIED)},
        **{kind: f"german_{kind}" for kind in (TANK, INFANTRY, SPECIAL)},
        REGIMENT: "ss_regiment",
    },
    SOVIET: {kind: f"soviet_{kind}" for kind in (TANK, INFANTRY, CAVALRY, SPECIAL)},
}
GARRISON, CAUCASUS, ARMY6 = "garrison", "caucasus", "army6"
ARMIES = ("army5", ARMY6, "army7", "army8")  # reserve armies (S42-31.0)
FROZEN = ("", GARRISON, CAUCASUS, *ARMIES)
BAKU, TRANSIT, KERCH = (
    "g",
    "f",
    "w",
)  # Areas: of Baku (S42-24.1.2), the Caspian box (S42-22.6.4), beyond Kerch (S42-20.7)
BESIDE_BAKU = ("h", "j")  # S42-24.1.3a
SNOWED_IN, BESIDE_SNOW = "k", ("j", "l")  # S42-23.4e: the Area that winter closes, and where its units go
ELBRUS = "Elbrus"  # the mountain of S42-24.3
ARMY5 = "m"  # the Area of the 5th Reserve Army (S42-S1.2h)
CLEAR_SKY, RAIN, SNOW = "clear", "rain", "snow"  # kinds of weather (S42-23.2)
RASPUTITSA, WINTER = "rasputitsa", "winter"  # seasons
STALINGRAD = "stalingrad"  # the mark of the turn when the Axis must hold a hex of it (S42-S3.5a), and its region
PRELUDE = "prelude"  # the mark of the turn that the Soviets begin with moves (S42-S2.4.1)
GROUNDED = "grounded"  # the mark of turns without air units (S42-S2.2a)
RAILHEAD = "railhead"  # the mark of the turn when the first railhead is placed (S42-S2.2g)
FROST = "frost"  # the mark of the turn from which on it is winter (S42-23.4a)
WINGS = ("8FK", "4FK")  # the German air units (S42-9.3)
GAL = "GAL"  # the Romanian air unit (S42-9.3.8)
ROMANIAN_AIR, WING_LOST = "romanian_air", "wing_lost"  # marks of the turns when it comes, and when a German one goes
VASILEVSKY = "vasilevsky"  # the mark of the turn from which on the Winter Offensive may begin (S42-33.1)
RECKONING = "reckoning"  # the mark of the turn when the Axis must be ahead (S42-S4.4b)
POOL = "pool"  # supply points that resource points bring (S42-18.1d)
# Those of two others arrive one a turn (S42-30.0, S42-20.8); an upgrade takes the place of another unit (S42-32.5).
OUT = "out"  # of counters that a scenario does without
TRANSCAUCASUS, VOLUNTEERS = "transcaucasus", "volunteers"
BOXES = (POOL, TRANSCAUCASUS, VOLUNTEERS, "upgrade", OUT)
EDGES = {"east": ("m", "n", "o", "p"), "south": ("q", "r")}  # by which the Axis leaves the map (S42-S1.2e)
# S42-22.6.2, S42-22.6.3, S42-S1.2d: groups of Areas between which units move.
ROUNDS = (frozenset("abcdemnopqr"), frozenset("ghjkl"), frozenset("wxyz"))
GATES = {**EDGES, "a-c": tuple("abc"), "g-l": tuple("ghjkl"), "any": tuple("abcdeghjkl")}  # S42-22.1.1, S42-34.1.1


class Start(NamedTuple):
    unit: int
    place: int
    lost: int  # steps
    frozen: str  # what keeps it where it stands


class Ground(NamedTuple):
    """The terrain chart's line for a kind of hex."""

    costs: Mapping[str, int]
    shift: int
    doubled: str  # whose defence: all, infantry, no
    tanks: bool  # whether they shift the odds
    stand: str  # the column of determined defence
    fort: bool  # whether one may be built
    stops: bool  # an advance
    supply: int  # hexes of a line of supply that it counts for


class Road(NamedTuple):
    dry: Mapping[str, int]
    wet: Mapping[str, int]


class River(NamedTuple):
    """What it costs to cross beside the hex: without a bridge, over a railway's, in rain or mud besides, frozen."""

    costs: Mapping[str, int]
    by_rail: Mapping[str, int]
    wet: int
    frozen: Mapping[str, int] | None  # None: winter changes nothing


class Result(NamedTuple):
    """What a result of the table means for either side (S42-10.1)."""

    attacker: int  # steps
    defender: int
    opponent_picks: bool
    retreat: int
    after: str  # the state after the retreat: disrupted, routed, no
    advance: int
    stand: bool  # whether determined defence is possible


class Repair(NamedTuple):
    """S42-17.1b: a stretch of railway that is in order as soon as both hexes at its ends are."""

    ends: tuple[int, int]
    hexes: tuple[int, ...]


@dataclass(frozen=True)
class Chart:
    map: HexMap
    board: Board
    counters: Counters
    units: tuple[Unit, ...]
    own: Mapping[str, tuple[int, ...]]
    starts: Mapping[int, Start]
    boxes: Mapping[str, tuple[int, ...]]
    track: TurnTrack
    odds: Odds
    crt: Table
    results: Mapping[str, Result]
    stand: Table
    stand_drm: Mapping[str, int]
    ground: Mapping[str, Ground]
    roads: Mapping[str, Road]
    rivers: Mapping[str, River]
    extra: Mapping[str, int]
    limits: Mapping[str, Mapping[str, int]]  # by what, then by side
    figures: Mapping[str, int]
    isolation: tuple[int, ...]  # by modified die: steps lost
    rally: tuple[int, ...]  # by modified die: levels gained
    weather: Table
    air: Mapping[str, int]
    remnants: Mapping[str, int]
    victory: Mapping[str, int]
    prizes: Mapping[int, int]  # S42-24.1.1: hex -> victory points
    held: Mapping[int, str]  # cities, ports and victory hexes: who holds them at the start
    areas: Mapping[str, int]  # entry -> its place
    rails: Lines
    green: int  # the railway that railheads repair
    repaired: int  # at the start
    repairs: tuple[Repair, ...]
    course: Course

    @cached_property
    def ranges(self) -> Ranges:
        return Ranges(self.board)

    @cached_property
    def hexes(self) -> int:
        """The mask of all hexes, without the Entry Areas."""
        return self.board.mask(place.id for place in self.board.places.values() if place.kind != AREA)

    @cached_property
    def on_roads(self) -> int:
        """The mask of all road hexes."""
        return self.map.along(ROADS[0]) | self.map.along(ROADS[1])

    @cached_property
    def narrow(self) -> Mapping[int, tuple[int, ...]]:
        """Neighbours across a side of the Volga or of the main range, which not everybody crosses."""
        found: dict[int, tuple[int, ...]] = {}
        for (a, b), edge in self.board.edges.items():
            if VOLGA in edge or ALPINE in edge:
                found[a] = (*found.get(a, ()), b)
        return found

    @cached_property
    def zones(self) -> Zones:
        """S42-6.1b: zones of control cross all sides but those of the Volga, and not the edge of an Entry Area."""
        return Zones(self.board, lambda a, b, edge: VOLGA not in edge and _on_land(a, b, edge))

    @cached_property
    def banks(self) -> tuple[tuple[int, int], ...]:
        """The sides of the Volga, each by the hexes on either bank."""
        pairs = ((a, b) for a, near in self.narrow.items() for b in near if a < b)
        return tuple(sorted(pair for pair in pairs if VOLGA in self.board.edges[pair]))

    def beside(self, places: int) -> int:
        """The mask of all neighbours of these hexes, beyond the Volga too."""
        found = self.zones.of_mask(places)
        for a, near in self.narrow.items():
            if self.board.bit[a] & places:
                found |= self.board.mask(near)
        return found

    @cached_property
    def bonds(self) -> Bonds:
        """S42-7.6: no bond runs over the sea, the Volga or alpine sides, nor over two major rivers."""
        return Bonds(self.board, self.spans)

    @cached_property
    def by_ferry(self) -> Mapping[int, int]:
        """S42-5.5.7: the ferry that carries trains over the Volga: by the bit of each of its hexes the one across."""
        bit = self.board.bit
        pairs = (pair for way in self.map.ways if way.feature == RAIL_FERRY for pair in pairwise(way.places))
        return {bit[x]: bit[y] for a, b in pairs for x, y in ((a, b), (b, a))}

    @cached_property
    def azov(self) -> tuple[int, ...]:
        """S42-16.2.3: the ports of the Sea of Azov."""
        others = {*self.listed(BLACK_SEA), *self.listed(TAMAN)}
        return tuple(place for place in self.board.marked(PORT) if place not in others)

    @cached_property
    def baku(self) -> int:
        """S42-24.1.2: the place of the Area that leads to Baku; -1: it is not in the scenario."""
        return self.areas.get(BAKU, -1)

    @cached_property
    def elbrus(self) -> int | None:
        """S42-24.3: the hex of the mountain."""
        return self.board.place_named(ELBRUS)

    @cached_property
    def reserve_armies(self) -> tuple[int, ...]:
        """S42-34: the pieces of Maskirovka."""
        return tuple(unit.number for unit in self.units if self.has(unit.number, RESERVE))

    @cached_property
    def bluecher(self) -> frozenset[int]:
        """S42-20.7: the units that come over the strait of Kerch."""
        return frozenset(self.unit(arrival.unit).number for arrival in self.track.arrivals if arrival.where == KERCH)

    @cached_property
    def army5(self) -> frozenset[int]:
        """S42-S1.2h: the 5th Reserve Army: who arrives in Area M."""
        return frozenset(self.unit(arrival.unit).number for arrival in self.track.arrivals if arrival.where == ARMY5)

    @cached_property
    def beyond_don(self) -> int:
        """S42-20.6: the mask of the land beyond the Don from Kalach to the sea, wherever those who wait could walk."""
        north = self.figures["don"]
        seen = {start.place for start in self.starts.values() if start.frozen == CAUCASUS}
        todo = [*seen]
        for place in todo:
            new = [
                there
                for there in self.board.near[place]
                if there not in seen
                and there % 100 >= north
                and _on_land(self.board[place], self.board[there], frozenset())
                and MAJOR_RIVER not in self.board.edges[place, there]
            ]
            seen.update(new)
            todo += new
        return self.board.mask(seen)

    def spans(self, a: int, over: int, b: int) -> bool:
        edges, near = self.board.edges, self.board.near[over]
        if self.board[over].terrain == SEA or a not in near or (b in self.board and b not in near):
            return False  # S42-2.2.3b: an impassable side parts hexes
        sides = edges[a, over], edges.get((over, b), frozenset())
        if any(VOLGA in edge or ALPINE in edge for edge in sides):
            return False
        return not all(MAJOR_RIVER in edge and FROZEN_RIVER not in edge for edge in sides)  # S42-23.4h

    def unit(self, code: str) -> Unit:
        return self.counters.by_code[code]

    def has(self, unit: int, trait: str) -> bool:
        return trait in self.units[unit].type.traits

    def pace(self, unit: int) -> str:
        return MECH if self.has(unit, MECH) else FOOT

    def nation(self, unit: int) -> str:
        marks = self.units[unit].marks
        return next(nation for nation in NATIONS[self.units[unit].side] if nation in marks)

    def replacements(self, unit: int) -> tuple[str, ...]:
        """S42-21.1.4, S42-21.5: the kinds of replacement that the unit can use, those first that serve fewer others."""
        if self.units[unit].face(1).value("city"):  # S42-20.9: Linden's engineers
            return ()
        nation = self.nation(unit)
        if nation in NATIONS[AXIS] and nation != GERMAN:
            return tuple(kind for kind in (nation, ALLIED) if kind in REPLACEMENTS[AXIS])
        infantry = self.has(unit, INFANTRY) and not self.has(unit, CAVALRY)
        own = self.has(unit, NKVD) or self.has(unit, NAVAL)
        walks = infantry and self.has(unit, FOOT) and not own
        rides = infantry and self.has(unit, MECH)
        special = walks or rides or own or any(self.has(unit, trait) for trait in (GRENADIER, FREE, ASU))
        fits = {
            TANK: self.has(unit, TANK),
            INFANTRY: walks,
            CAVALRY: walks or self.has(unit, CAVALRY),
            SPECIAL: special,
        }
        found = tuple(kind for kind in REPLACEMENTS[self.units[unit].side] if fits.get(kind))
        return (REGIMENT, *found) if unit in self.course.raised else found

    def stacks_free(self, unit: int) -> bool:
        """S42-4.1b, S42-4.2b: support, and what cannot fight, never count for stacking."""
        return self.has(unit, ASU) or not self.units[unit].type.traits.isdisjoint(UNARMED)

    def is_headquarters(self, unit: int) -> bool:
        """S42-18.2.1a: of an army or a front; the other support are artillery divisions."""
        return self.has(unit, ASU) and not self.has(unit, "division")

    def is_tank_corps(self, unit: int) -> bool:
        return self.has(unit, TANK) and self.has(unit, "corps")

    def most(self, side: str, stack: Iterable[int], more: int = 0) -> int:
        """S42-4.1a, S42-4.3: how many units of a stack may count; with the headquarters of a Soviet army one more.

        Three corps of tanks need that of the tank army, whose counter says corps. `more`: corps that come.
        """
        limit, heads = self.limits["stack"][side], [unit for unit in stack if self.has(unit, ARMY)]
        if not heads:
            return limit
        corps = more + sum(self.is_tank_corps(unit) for unit in stack)
        return limit + (corps <= limit or any(self.has(unit, "corps") for unit in heads))

    def ground_of(self, place: int, rained: bool = False) -> Ground:
        """S42-23.2.3b: seasonal marsh is clear until the first rain of the game, and marsh from then on."""
        kind = self.board[place].terrain
        if kind == SEASONAL_MARSH:
            kind = MARSH if rained else CLEAR
        return self.ground[kind]

    @cached_property
    def land_beside(self) -> Mapping[int, tuple[int, ...]]:
        """The hexes of land beside each place."""
        land = {place.id for place in self.board.places.values() if place.kind != AREA and place.terrain != SEA}
        return {place: tuple(there for there in near if there in land) for place, near in self.board.near.items()}

    @cached_property
    def land_around(self) -> Mapping[int, int]:
        """The masks of the hexes of land beside each place."""
        return {place: self.board.mask(near) for place, near in self.land_beside.items()}

    @cached_property
    def around(self) -> Mapping[int, int]:
        """The masks of all places beside each place."""
        return {place: self.board.mask(near) for place, near in self.board.near.items()}

    @cached_property
    def stops(self) -> tuple[int, ...]:
        """S42-9.3.5: cities, towns and landmarks, from which air units fly where a railway joins them to a source."""
        places = self.board.places.values()
        return tuple(place.id for place in places if place.marks & {TOWN, LANDMARK} or self.is_city(place.id))

    def is_city(self, place: int) -> bool:
        return self.board[place].terrain in (MAJOR_CITY, MINOR_CITY)

    def road(self, a: int, b: int) -> str:
        """The best road from one hex to the next; empty if there is none."""
        edge = self.board.edges[a, b]
        return next((road for road in ROADS if road in edge), "")

    def stand_column(self, place: int, fort: bool = False, rained: bool = False) -> str:
        """S42-11.2.1b: a town or a completed fort makes a clear hex one of the others."""
        column = self.ground_of(place, rained).stand
        return OTHER if column == OPEN and (fort or TOWN in self.board[place].marks) else column

    def friendly(self, side: str) -> tuple[str, ...]:
        """S42-22.2: the Entry Areas of a side."""
        return self._friendly[side]

    @cached_property
    def _friendly(self) -> Mapping[str, tuple[str, ...]]:
        entries = self.map.entries.values()
        return {side: tuple(entry.key for entry in entries if entry.side == side) for side in SIDES}

    @cached_property
    def winter(self) -> int:
        """S42-23.4: the turn with which the rivers freeze; without frost, one after the last."""
        return min(self.track.marked(FROST), default=self.track.last.number + 1)

    def edge(self, side: str) -> int:
        """The mask of the hexes along the Entry Areas of a side."""
        return self._edges[side]

    @cached_property
    def _edges(self) -> Mapping[str, int]:
        entries = self.map.entries
        mask = self.board.mask
        return {side: mask(p for key in self.friendly(side) for p in entries[key].places) for side in SIDES}

    @cached_property
    def all_areas(self) -> int:
        """The mask of the Entry Areas."""
        return self.board.mask(self.areas.values())

    @cached_property
    def exits(self) -> tuple[str, ...]:
        """S42-S1.2e: the Areas by which the Axis leaves the map; Fall Blau alone has them."""
        friendly = self.friendly(SOVIET)
        return tuple(key for keys in EDGES.values() for key in keys if key in friendly)

    def round_from(self, area: int, side: str) -> tuple[int, ...]:
        """S42-22.6: the Areas of a side to which its units go from one of them."""
        start = next((key for key in self.friendly(side) if self.areas[key] == area), "")
        keys = [key for key in self.friendly(side) if start and key != start]
        by_sea = [key for key in keys if TRANSIT in (start, key)]  # S42-22.6.3, S42-22.6.4a
        near = [key for key in keys if key in by_sea or any({start, key} <= group for group in ROUNDS)]
        return tuple(self.areas[key] for key in near)

    def listed(self, region: str) -> tuple[int, ...]:
        """The hexes of a region that only some scenarios have."""
        return self.map.regions[region].places if region in self.map.regions else ()

    def gates(self, where: str) -> tuple[str, ...]:
        """The Areas in which something may arrive."""
        return GATES.get(where, (where,))

    __hash__ = object.__hash__


def _on_land(a: Place, b: Place, _: Features) -> bool:
    return SEA not in (a.terrain, b.terrain) and AREA not in (a.kind, b.kind)


DATA = folder(__file__)


@charted
def chart_of(data: DataSet) -> Chart:
    ground = _parted(hexmap_of(data["map"]))
    board = ground.board
    counters = counters_of(data["counters"])
    tables = {str(table["name"]): table for table in data["tables"]["tables"]}
    _complete("tables", tables, TABLES)
    if not ground.regions.keys() >= set(REGIONS):
        raise ValueError(f"map: regions are {', '.join(REGIONS)}, and more")
    green = ground.along(GREEN_RAIL)
    rails = Lines(board, lambda _, __, edge: RAIL in edge or GREEN_RAIL in edge)
    repaired = _repaired(ground, rails)
    chart = Chart(
        map=ground,
        board=board,
        counters=counters,
        units=counters.units,
        own={side: tuple(unit.number for unit in counters.of_side(side)) for side in SIDES},
        starts=_starts(data["setup"], board, counters),
        boxes=_boxes(data["setup"], counters),
        track=turns_of(data["turns"]),
        odds=odds_of(tables["crt"]),
        crt=table_of(tables["crt"], LADDER),
        results=labelled(tables["results"], _result),
        stand=table_of(tables["stand"], STANDS),
        stand_drm=_numbers(tables["stand_drm"]),
        ground=labelled(tables["ground"], _ground),
        roads=labelled(tables["roads"], lambda row: Road(_costs(row), _costs(row, "{}_wet"))),
        rivers=labelled(tables["rivers"], _river),
        extra=_numbers(tables["extra"]),
        limits=labelled(tables["limits"], lambda row: {side: _whole(row[side]) for side in SIDES}),
        figures=_numbers(tables["figures"]),
        isolation=tuple(_whole(*row.values()) for row in rows_of(tables["isolation"])),
        rally=tuple(_whole(*row.values()) for row in rows_of(tables["rally"])),
        weather=table_of(tables["weather"], [str(label) for label in tables["air"]["labels"]]),
        air=_numbers(tables["air"]),
        remnants=_numbers(tables["remnants"]),
        victory=_numbers(tables["victory"]),
        prizes={place: ground.value(place, PRIZE) for place in ground.valued(PRIZE)},
        held=_held(ground),
        areas={entry.key: entry.area for entry in ground.entries.values()},
        rails=rails,
        green=green,
        repaired=repaired,
        repairs=tuple(_repairs(ground, green | repaired)),
        course=_course(data, counters),
    )
    _check(chart)
    return chart


def _course(data: DataSet, counters: Counters) -> Course:
    """In Fall Blau a reserve army is free from a turn on (S42-S1.2i); more is of the campaign."""
    if "course" in data.files:
        return course_of(data["course"], counters)
    free, *_ = turns_of(data["turns"]).marked(ARMY6) or (0,)
    return Course(armies={ARMY6: Army(free, chosen=False)})


def _parted(ground: HexMap) -> HexMap:
    """S42-2.2.3b: hexes that only an impassable side joins are no neighbours, for any purpose."""
    board = ground.board
    edges = {pair: edge for pair, edge in board.edges.items() if CLOSED not in edge}
    return ground if len(edges) == len(board.edges) else replace(ground, board=replace(board, edges=edges))


def _starts(setup: Mapping[str, Any], board: Board, counters: Counters) -> dict[int, Start]:
    found: dict[int, Start] = {}
    for item in setup["units"]:
        unit, place = counters.number_written(item["unit"], "setup"), board.place_written(item["hex"], "setup")
        if unit in found:
            raise ValueError(f"setup: {item['unit']} is placed twice")
        found[unit] = Start(unit, place, int(item.get("steps", 0)), str(item.get("frozen", "")))
    return found


def _boxes(setup: Mapping[str, Any], counters: Counters) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = dict.fromkeys(BOXES, ())
    for item in setup["boxes"]:
        if item["box"] not in BOXES:
            raise ValueError(f"setup: the boxes are {', '.join(BOXES)}")
        found[item["box"]] += (counters.number_written(item["unit"], "setup"),)
    return found


def _held(ground: HexMap) -> dict[int, str]:
    """S42-16.3.4: the Axis holds what lies west of the line of 28 June, or what a scenario says."""
    west = ground.regions["held" if "held" in ground.regions else "west"].mask
    named = (
        place.id
        for place in ground.board.places.values()
        if place.terrain in (MAJOR_CITY, MINOR_CITY) or place.marks & {PORT, PRIZE}
    )
    return {place: AXIS if ground.board.bit[place] & west else SOVIET for place in named}


def _repaired(ground: HexMap, rails: Lines) -> int:
    """S42-17.1a, S42-S4.1b: all railway west of the line that is joined to the Axis, as far as the railheads.

    Or what a scenario says.
    """
    if "repaired" in ground.regions:
        return ground.regions["repaired"].mask
    heads = ground.regions["railheads"].mask
    behind = (ground.along(RAIL) | ground.along(GREEN_RAIL)) & ground.regions["west"].mask & ~heads
    edge = ground.board.mask(p for entry in ground.entries.values() if entry.side == AXIS for p in entry.places)
    return rails.reached(edge & behind, behind) | heads


def _repairs(ground: HexMap, done: int) -> Iterator[Repair]:
    """S42-17.1b: the runs of railway that is not green, from one hex that is green or repaired to another."""
    bit = ground.board.bit
    near: dict[int, set[int]] = {}
    for way in ground.ways:
        for a, b in pairwise(way.places) if way.feature == RAIL else ():
            near.setdefault(a, set()).add(b)
            near.setdefault(b, set()).add(a)
    for start in sorted(place for place in near if bit[place] & done):
        todo: list[tuple[int, ...]] = [(start,)]
        while todo:
            run = todo.pop()
            for there in sorted(near[run[-1]] - set(run)):
                if not bit[there] & done:
                    todo.append((*run, there))
                elif len(run) > 1 and start < there:
                    yield Repair((start, there), run[1:])


def _numbers(table: Mapping[str, Any]) -> dict[str, int]:
    """A table of one column."""
    return labelled(table, lambda row: _whole(*row.values()))


def _whole(cell: str, *more: str) -> int:
    if more:
        raise ValueError(f"tables: {cell!r} stands alone in its row")
    number = cell.removeprefix("-")
    if not number.isascii() or not number.isdigit() or len(number) > 2:
        raise ValueError(f"tables: {cell!r} is not a number")
    return int(cell)


def _costs(row: Mapping[str, str], column: str = "{}") -> dict[str, int]:
    found = {pace: _whole(row[column.format(pace)]) for pace in PACES}
    if min(found.values()) < 0:
        raise ValueError("tables: movement costs nothing or more")
    return found


def _word(row: Mapping[str, str], column: str, known: Iterable[str]) -> str:
    if row[column] not in known:
        raise ValueError(f"tables: {column} is one of {', '.join(known)}, not {row[column]!r}")
    return row[column]


def _yes(row: Mapping[str, str], column: str) -> bool:
    return _word(row, column, ("yes", "no")) == "yes"


def _ground(row: Mapping[str, str]) -> Ground:
    return Ground(
        _costs(row),
        _whole(row["shift"]),
        _word(row, "doubled", ("no", "infantry", "all")),
        _yes(row, "tanks"),
        _word(row, "stand", (OPEN, OTHER, CITY)),
        _yes(row, "fort"),
        _yes(row, "stops"),
        _whole(row["supply"]),
    )


def _river(row: Mapping[str, str]) -> River:
    frozen = None if row["frozen_mech"] == row["frozen_foot"] == "no" else _costs(row, "frozen_{}")
    return River(_costs(row), _costs(row, "rail_{}"), _whole(row["wet"]), frozen)


def _result(row: Mapping[str, str]) -> Result:
    return Result(
        _whole(row["attacker"]),
        _whole(row["defender"]),
        _word(row, "picks", ("owner", "opponent")) == "opponent",
        _whole(row["retreat"]),
        _word(row, "after", ("no", "disrupted", "routed")),
        _whole(row["advance"]),
        _yes(row, "stand"),
    )


def _check(chart: Chart) -> None:
    """Raises where the files contradict each other or the rules."""
    _check_tables(chart)
    _check_map(chart)
    _check_counters(chart)
    _check_setup(chart)


def _check_map(chart: Chart) -> None:
    board, ground = chart.board, chart.map
    if board.grid is None:
        raise ValueError("map: the game is played on hexes")
    for place in board.places.values():
        if place.kind != AREA and place.terrain not in (*chart.ground, SEASONAL_MARSH, SEA):
            raise ValueError(f"map: {place} has the terrain {place.terrain}, which the tables do not know")
        if place.marks - MARKS or (PRIZE in place.marks) != (place.id in chart.prizes):
            raise ValueError(f"map: {place} has marks that the rules do not know, or points without the mark")
        if place.terrain == SEA and place.marks:
            raise ValueError(f"map: {place} lies in the sea")
    for (a, b), edge in board.edges.items():
        if edge - {
            *ROADS,
            *RIVERS,
            FROZEN_RIVER,
            VOLGA,
            FERRY,
            ALPINE,
            RAIL,
            GREEN_RAIL,
            *SPECIAL_RAILS,
            "entry",
        } or all(river in edge for river in RIVERS):
            raise ValueError(f"map: between {board[a]} and {board[b]} there is what the rules do not know")
        if edge and SEA in (board[a].terrain, board[b].terrain):
            raise ValueError(f"map: between {board[a]} and {board[b]} there is sea")
    for entry in ground.entries.values():
        if entry.area < 0 or entry.side not in SIDES:
            raise ValueError(f"map: {entry.name} is the Area of a side")
    for key in ("railheads", "junctions"):
        if ground.regions[key].mask & ~chart.green:
            raise ValueError(f"map: {ground.regions[key].name} lie on green railway")
    for head in ground.regions["railheads"].places:
        near = chart.rails.near(head)
        if not near & chart.repaired & ~ground.regions["railheads"].mask or not near & chart.green & ~chart.repaired:
            raise ValueError(f"map: the railhead in {board[head]} stands where repaired railway ends and green goes on")


def _check_counters(chart: Chart) -> None:
    codes = [unit.code.casefold() for unit in chart.units]
    if len(set(codes)) < len(codes):
        raise ValueError("counters: no two units have the same code")
    for unit in chart.units:
        traits, faces = unit.type.traits, unit.faces
        if unit.side not in SIDES or len(unit.marks) != 1 or not unit.marks & {*NATIONS[unit.side]}:
            raise ValueError(f"counters: {unit.code} is of one nation or service of its side")
        if traits - TRAITS or (MECH in traits) == (FOOT in traits):
            raise ValueError(f"counters: {unit.code} has the trait {MECH} or {FOOT}, and none that is not known")
        if any(after.attack > before.attack or after.defence > before.defence for before, after in pairwise(faces)):
            raise ValueError(f"counters: {unit.code} does not gain by losing a step")
        if any((REMNANT in face.traits) != (1 < lost == len(faces) - 1) for lost, face in enumerate(faces)):
            raise ValueError(f"counters: the third or fourth step of {unit.code}, the last one, is a remnant")
        if len(faces) > 2 and not any(kind in traits for kind in chart.remnants):
            raise ValueError(f"counters: there is no remnant of the type of {unit.code}")
        if ASU in traits and (len(faces) > 1 or faces[0].attack or faces[0].value("range") < 1):
            raise ValueError(f"counters: {unit.code} supports within a range, does not attack and has one step")
        if "red" in traits and unit.side != AXIS:
            raise ValueError(f"counters: the tanks of {unit.code} are not elite: the Axis alone has such (S42-9.2.2)")
        if (not traits.isdisjoint(UNARMED)) != (faces[0].defence == 0):
            raise ValueError(f"counters: {', '.join(UNARMED)}, and only they, cannot defend: {unit.code}")


def _check_setup(chart: Chart) -> None:
    arriving = Counter(arrival.unit for arrival in chart.track.arrivals)
    sides = {unit.code: unit.side for unit in chart.units}
    entries = chart.map.entries
    for arrival in chart.track.arrivals:
        if sides.get(arrival.unit) != arrival.side or arrival.steps >= chart.unit(arrival.unit).steps:
            raise ValueError(f"turns: {arrival.unit} arrives on its own side, with a step at least")
        if any(key not in entries or entries[key].side != arrival.side for key in chart.gates(arrival.where)):
            raise ValueError(f"turns: {arrival.unit} cannot arrive at {arrival.where}")
    boxed = Counter(unit for units in chart.boxes.values() for unit in units)
    for unit in chart.units:
        if (unit.number in chart.starts) + boxed[unit.number] + arriving[unit.code] != 1:
            raise ValueError(f"setup: {unit.code} is on the map, in a box, or arrives: one of the three, once")
        if unit.number in chart.boxes[POOL] and not chart.has(unit.number, SUPPLY):
            raise ValueError(f"setup: {unit.code} is not a supply point, so it cannot be in the pool")
    for start in chart.starts.values():
        if start.lost not in range(chart.units[start.unit].steps) or start.frozen not in FROZEN:
            raise ValueError(f"setup: {chart.units[start.unit].code} has a step left, and waits for a known reason")
    _check_stacks(chart)


def _check_stacks(chart: Chart) -> None:
    """S42-4.1, S42-31.0: all units stand within stacking, on land, and apart from the enemy."""
    stacks: dict[int, list[Start]] = {}
    contested = chart.listed(CONTESTED)
    for start in chart.starts.values():
        stacks.setdefault(start.place, []).append(start)
    for place, starts in stacks.items():
        sides = {chart.units[start.unit].side for start in starts}
        if chart.board[place].terrain == SEA:
            raise ValueError(f"setup: {chart.board[place]} is sea")
        if len(sides) > 1 and place not in contested:
            raise ValueError(f"setup: both sides stand in {chart.board[place]}")
        for side in sides:
            units = [s.unit for s in starts if chart.units[s.unit].side == side and s.frozen not in ARMIES]
            counted = [unit for unit in units if not chart.stacks_free(unit)]
            free = min(sum(chart.has(unit, FREE) for unit in counted), chart.limits["free"][side])
            if len(counted) - free > chart.most(side, units):
                raise ValueError(f"setup: too many units stand in {chart.board[place]}")


def _check_tables(chart: Chart) -> None:
    rank = {result: k for k, result in enumerate(LADDER)}
    ranks = [[rank[cell] for cell in row] for row in chart.crt.cells]
    if any(row != sorted(row) for row in ranks) or any(
        list(column) != sorted(column, reverse=True) for column in zip(*ranks, strict=True)
    ):
        raise ValueError("tables: results do not get worse for the attacker with better odds or a lower die")
    _complete("tables: results", chart.results, (result for result in LADDER if STAR not in result))
    if chart.stand.columns != (OPEN, OTHER, CITY):
        raise ValueError(f"tables: stand has the columns {OPEN}, {OTHER}, {CITY}")
    rank = {result: k for k, result in enumerate(STANDS)}
    ranks = [[rank[cell] for cell in row] for row in chart.stand.cells]
    if any(list(line) != sorted(line) for line in (*ranks, *zip(*ranks, strict=True))):
        raise ValueError("tables: to stand does not get harder in better ground or with a higher die")
    for name, rows, first in (
        ("crt", len(chart.crt.cells), chart.crt.first),
        ("weather", len(chart.weather.cells), chart.weather.first),
        ("isolation", len(chart.isolation), 1),
        ("rally", len(chart.rally), 1),
    ):
        if (rows, first) != (DIE, 1):
            raise ValueError(f"tables: {name} has a row for each face of a die")
    _complete("tables: ground", chart.ground, GROUNDS)
    _complete("tables: roads", chart.roads, ROADS)
    _complete("tables: rivers", chart.rivers, RIVERS)
    _complete("tables: extra", chart.extra, ("leave_zone", "enter_zone", "area", "extended"))
    _complete("tables: stand_drm", chart.stand_drm, ("elite", "low", "support", "star"))
    _complete("tables: limits", chart.limits, LIMITS)
    _complete("tables: figures", chart.figures, FIGURES)
    _complete("tables: remnants", chart.remnants, ("panzer", "grenadier", "infantry"))
    _complete("tables: victory", chart.victory, VICTORY)
    _check_numbers(chart)
    for turn in chart.track:
        if turn.season not in chart.weather.columns or set(turn.weather) - chart.air.keys():
            raise ValueError(f"turns: turn {turn.number} has a season and weather that the tables know")
        if turn.values.keys() - {"benchmark", *(key for side in SIDES for key in REPLACEMENTS[side].values())}:
            raise ValueError(f"turns: turn {turn.number} has a benchmark and replacements, and nothing else")


TABLES = (
    *("crt", "results", "stand", "stand_drm", "ground", "roads", "rivers", "extra", "limits", "figures"),
    *("isolation", "rally", "weather", "air", "remnants", "victory"),
)


def _check_numbers(chart: Chart) -> None:
    first, last = chart.odds.columns[0], chart.odds.columns[-1]
    if first[0] != 1 or last[1] != 1 or not 1 < last[0] < CERTAIN:
        raise ValueError(f"tables: the odds go from 1 to something to less than {CERTAIN} to 1")
    for name, result in chart.results.items():
        numbers = (result.attacker, result.defender, result.retreat, result.advance)
        if not all(0 <= number <= LONGEST for number in numbers):
            raise ValueError(f"tables: losses, retreat and advance of {name} are 0 to {LONGEST}")
    if any(not 1 <= ground.supply <= LONGEST for ground in chart.ground.values()):
        raise ValueError(f"tables: a hex counts 1 to {LONGEST} for lines of supply")
    if max(chart.air.values()) > len(WINGS):
        raise ValueError(f"tables: there are {len(WINGS)} air units")
    small = [*chart.extra.values(), *chart.figures.values(), *chart.remnants.values(), *chart.air.values()]
    small += [number for limit in chart.limits.values() for number in limit.values()]
    if min(small) < 0 or min(chart.isolation) < 0 or min(chart.rally) < 0:
        raise ValueError("tables: costs, limits and figures are not below nothing")
    for mark, least in (("tactical", 0), ("army6", 1), ("stand", 1)):
        if not least <= len(chart.track.marked(mark)) <= 1:
            raise ValueError(f"turns: one turn is marked {mark}")


LIMITS = ("stack", "free", "resources", "mobile", "forts", "rail", "rail_on_map", "railheads", "railhead_hexes")
FIGURES = (
    "land",
    "land_wet",
    "air",
    "airfield",
    "support_move",
    "garrison",
    "frost",
    "bound",
    "azov",
    "row",
    "don",
    "stalingrad",
)
VICTORY = (
    *("win", "edge", "edge_steps", "south_of_don", "area", "major_city", "minor_city", "automatic"),
    *("at_once", "isolated"),
)


def _complete(what: str, found: Iterable[str], wanted: Iterable[str]) -> None:
    wanted = list(wanted)
    if sorted(found) != sorted(wanted):
        raise ValueError(f"{what} are {', '.join(wanted)}")


def check_data(data: DataSet) -> None:
    """Raises for a data set with files of the players' own that the game cannot be played with."""
    made, printed = chart_of(data), chart_of(DATA)
    if [(unit.code, unit.side) for unit in made.units] != [(unit.code, unit.side) for unit in printed.units]:
        raise ValueError("counters: they keep their codes, sides and order, since orders are written with them")
    if list(made.areas.items()) != list(printed.areas.items()):
        raise ValueError("map: the Entry Areas keep their keys and numbers, since rules speak of them")
    if [turn.number for turn in made.track] != [turn.number for turn in printed.track]:
        raise ValueError("turns: their number is fixed")
