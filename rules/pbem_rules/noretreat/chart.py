"""Everything printed: map, counters, tables, turn track, places and starts, made once from a data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from pbem.game import DataSet, charted
from pbem.kit import (
    AREA,
    Board,
    CardEvent,
    CardKind,
    CardList,
    Distances,
    Features,
    HexMap,
    Lines,
    Links,
    Odds,
    Place,
    Ranges,
    Table,
    TurnTrack,
    Zones,
    cards_of,
    folder,
    hex_name,
    hexmap_of,
    odds_of,
    table_of,
)
from pbem_rules.noretreat.printed import (
    AXIS,
    LAST_TURN,
    SIDES,
    SOVIET,
    Face,
    Plan,
    Point,
    Unit,
    place_named,
    plan_of,
    points_of,
    track_of,
    units_of,
)  # fmt: skip

NAMES = {AXIS: "Axis", SOVIET: "Soviet"}
RESULTS = ("-", "CA", "CB", "EX", "DR", "DS", "DD")
CLOSED = ("sea", "lake", "neutral")  # terrain that no unit enters
BARRIERS = ("impassable", "sea", "lake", "strait")  # hexsides that nobody crosses
YEAR_45 = 23  # the first turn of 1945
# The places that rules and events speak of. Others that count for victory may be taken away or added.
NEEDED = (
    "Berlin", "Koenigsberg", "Warsaw", "Budapest", "Belgrade", "Ploesti", "Finland", "Leningrad", "Moscow",
    "Sevastopol", "Caucasus",
)  # fmt: skip
SMALLEST_DECK = 20
COASTS = ("baltic", "black_sea", "caspian")


def other(side: str) -> str:
    return SOVIET if side == AXIS else AXIS


@dataclass(frozen=True)
class Chart:
    map: HexMap
    board: Board
    units: tuple[Unit, ...]
    by_code: Mapping[str, int]
    own: Mapping[str, tuple[int, ...]]
    zones: Zones
    lines: Lines
    roads: Lines  # where units could go: chains of neighbours (NR-6.5)
    ways: Mapping[tuple[bool, bool], Links]  # (armour, frozen) -> costs
    costs: Mapping[str, tuple[int, int]]  # terrain -> armour, other
    land: int  # the mask of places that units can be in
    edge: Mapping[str, int]  # side -> the mask of its own map edge
    coast: Mapping[str, int]  # sea -> the mask of its coast
    points: Mapping[int, Point]
    cities: frozenset[int]
    named: Mapping[str, int]  # of the places that count
    ussr: int
    border: int  # the places of the USSR beside the border
    reich: int
    objectives: Mapping[str, tuple[int, ...]]
    finland: int
    balkans: tuple[int, int]  # western, southern
    odds: Odds
    results: Mapping[str, Table]  # by side
    terrain: Mapping[str, tuple[int, bool, bool]]  # shift, may the armour bonus be had, does it end pursuit
    track: TurnTrack
    plans: Mapping[str, Plan]
    cards: CardList  # card n of the game is the one at n - 1
    decks: tuple[tuple[int, ...], tuple[int, ...]]  # numbers of the cards in play before 1945, and in 1945

    @cached_property
    def ranges(self) -> Ranges:
        return Ranges(self.board)

    @cached_property
    def distances(self) -> Distances:
        """Steps over sides that units cross: what bots go by."""
        land, bit = self.land, self.board.bit
        return Distances(self.board, lambda _, b, edge: bool(land & bit[b.id]) and open_side(edge))

    def passable(self, a: int, b: int) -> bool:
        """May a unit go from one to the other?"""
        edge = self.board.edges.get((a, b))
        return edge is not None and bool(self.land & self.board.bit[b]) and open_side(edge)

    @cached_property
    def slow(self) -> int:
        """NR-9.53: the mask of ground that ends a pursuit."""
        ends = {kind for kind, (_, _, stops) in self.terrain.items() if stops}
        return self.board.mask(p for p in self.board.places if p not in self.cities and self.kind(p) in ends)

    def kind(self, place: int) -> str:
        """The row of the terrain table."""
        if place == self.finland:
            return "finland"
        if place in self.balkans:
            return "balkans"
        return self.board[place].terrain

    def deck(self, turn: int) -> tuple[int, ...]:
        """NR-5.17: the numbers of the cards that are in play; some leave in 1945, and others come."""
        return self.decks[turn >= YEAR_45]

    def card_title(self, side: str, card: int) -> str:
        return self.card_event(side, card).name

    def is_card(self, text: str) -> bool:
        """Is it the number of a card, as it is typed?"""
        return text in map(str, range(1, len(self.cards) + 1))

    def card_event(self, side: str, card: int) -> CardEvent:
        found = self.cards[card - 1].event(side)
        assert found is not None
        return found

    def place_text(self, place: int) -> str:
        return str(self.board[place]) if place in self.board else hex_name(place)

    def swamped(self, scorched: tuple[int, ...], *, armour: bool, frozen: bool) -> Links:
        """The ways when some cities are burnt down and count as swamp (NR-13.07S)."""
        return _swamped(self, scorched, armour=armour, frozen=frozen) if scorched else self.ways[armour, frozen]

    __hash__ = object.__hash__


@lru_cache(maxsize=32)
def _swamped(chart: Chart, scorched: tuple[int, ...], *, armour: bool, frozen: bool) -> Links:
    more = chart.costs["swamp"][0 if armour else 1] - chart.costs["clear"][0 if armour else 1]
    return {
        a: tuple((b, bit, cost + more if b in scorched else cost) for b, bit, cost in near)
        for a, near in chart.ways[armour, frozen].items()
    }


DATA = folder(__file__)


def open_side(edge: Features) -> bool:
    return not any(each in edge for each in BARRIERS)


def _crosses(a: Place, b: Place, edge: Features) -> bool:
    """Supply lines: over lakes, but neither over the sea nor over impassable sides (NR-6.4)."""
    if {a.terrain, b.terrain} & {"sea", "neutral"}:
        return False
    return "lake" in edge or "lake" in (a.terrain, b.terrain) or open_side(edge)


def _walks(a: Place, b: Place, edge: Features) -> bool:
    """Sides that units cross."""
    return a.terrain not in CLOSED and b.terrain not in CLOSED and open_side(edge)


def _controls(a: Place, b: Place, edge: Features) -> bool:
    """Zones of control: not over water, not into or out of areas (NR-8.5)."""
    return AREA not in (a.kind, b.kind) and a.terrain not in CLOSED and b.terrain not in CLOSED and open_side(edge)


@charted
def chart_of(data: DataSet) -> Chart:
    chart = hexmap_of(data["map"])
    board = chart.board
    units = units_of(data["units"])
    by_code = {unit.code: unit.number for unit in units}
    if len(by_code) != len(units):
        raise ValueError("units: two units have the same code")
    tables = {str(table["name"]): table for table in data["tables"]["tables"]}
    costs = {str(k): (int(row[0]), int(row[1])) for k, row in _labelled(tables["movement"])}
    points = points_of(data["places"], board)
    named = {point.name: place for place, point in points.items()}
    areas = [place_named(board, name) for name in ("Finland", "Western Balkans", "Southern Balkans")]
    region = {key: found.mask for key, found in chart.regions.items()}
    ussr = region["ussr"]
    reich = region.get("greater_germany", 0) | board.mask(place for place, point in points.items() if point.reich)
    cards = cards_of(data["cards"])
    land = board.mask(
        place.id for place in board.places.values() if place.terrain not in CLOSED and place.kind != "box"
    )
    return Chart(
        map=chart,
        board=board,
        units=units,
        by_code=by_code,
        own={side: tuple(unit.number for unit in units if unit.side == side) for side in SIDES},
        zones=Zones(board, _controls),
        lines=Lines(board, _crosses),
        roads=Lines(board, _walks),
        ways={
            (armour, frozen): _links(board, costs, armour=armour, frozen=frozen)
            for armour in (True, False)
            for frozen in (True, False)
        },
        costs=costs,
        land=land,
        edge={side: region[f"{side}_edge"] & land for side in SIDES},
        coast={sea: region.get(sea, 0) & land for sea in COASTS},
        points=points,
        cities=frozenset(board.marked("city")) | {place for place, point in points.items() if point.kind == "city"},
        named=named,
        ussr=ussr,
        border=board.mask({a for a, b in chart.frontier("ussr") if board.bit[a] & land and board.bit[b] & land}),
        reich=reich,
        objectives={side: tuple(p for p, point in points.items() if point.objective == side) for side in SIDES},
        finland=areas[0],
        balkans=(areas[1], areas[2]),
        odds=odds_of(tables[AXIS]),
        results={side: table_of(tables[side], RESULTS) for side in SIDES},
        terrain={str(k): (int(row[0]), row[1] == "yes", row[2] == "yes") for k, row in _labelled(tables["terrain"])},
        track=track_of(data["turns"]),
        plans={plan.key: plan for plan in (plan_of(item, board, units, by_code) for item in data["starts"]["starts"])},
        cards=cards,
        decks=(_without(cards, "joins_1945"), _without(cards, "leaves_1945")),
    )


def _without(cards: CardList, mark: str) -> tuple[int, ...]:
    """NR-5.17: the numbers of the cards without that mark."""
    out = cards.marked(mark)
    return tuple(n + 1 for n in range(len(cards)) if n not in out)


def check_data(data: DataSet) -> None:
    """Raises for a data set with files of the players' own that the game cannot be played with."""
    _compare(chart_of(data), chart_of(DATA))


def _compare(made: Chart, printed: Chart) -> None:
    kept = [[(unit.code, unit.side, unit.two_faced) for unit in chart.units] for chart in (made, printed)]
    if kept[0] != kept[1]:
        raise ValueError("units: they keep their codes, sides and order, since orders are written with them")
    needed = {*NEEDED, *(unit.home for unit in made.units if unit.home)}
    missing = needed - set(made.named)
    if missing:
        raise ValueError(f"places: {', '.join(sorted(missing))} cannot be left out: rules speak of them")
    if set(made.plans) != set(printed.plans):
        raise ValueError(f"starts: there must be {', '.join(sorted(printed.plans))}")
    for key in ("clear", "forest", "swamp", "mountain", "area", "river"):
        if min(made.costs[key]) < 0 or max(made.costs[key]) > 9:
            raise ValueError(f"tables: {key} costs 0 to 9")
    if [(kind.key, len(kind.events)) for kind in made.cards.cards] != [(k.key, 2) for k in printed.cards.cards]:
        raise ValueError("cards: they keep their keys and order, each with an event for either side")
    if [_coded(kind) for kind in made.cards.cards] != [_coded(kind) for kind in printed.cards.cards]:
        raise ValueError(
            "cards: `play`, `rule` and the marks of events are fixed: when and how events work is not data"
        )
    if min(len(made.deck(1)), len(made.deck(YEAR_45))) < SMALLEST_DECK:
        raise ValueError(f"cards: {SMALLEST_DECK} cards at least are in the deck before 1945, and in 1945")
    if any(table.sides != 6 for table in made.results.values()):
        raise ValueError("tables: the result tables have a row for each face of a die")


def _coded(kind: CardKind) -> list[tuple[str, str, str, Features]]:
    """What of a card is written in the code of its events."""
    return [(side, event.play, event.rule, event.marks) for side, event in kind.events]


def _labelled(table: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    return list(zip((str(label) for label in table["labels"]), table["rows"], strict=True))


def _links(board: Board, costs: Mapping[str, tuple[int, int]], *, armour: bool, frozen: bool) -> Links:
    """The graph of one way of moving (NR-8.1). Cities and oil fields cost what clear ground costs."""
    column = 0 if armour else 1
    river = 0 if frozen else costs["river"][column]

    def cost(a: Place, b: Place, edge: Features) -> int | None:
        if b.terrain in CLOSED or a.terrain in CLOSED or not open_side(edge):
            return None
        kind = "area" if b.kind == AREA else "clear" if "city" in b.marks or "oil" in b.marks else b.terrain
        return costs[kind][column] + (river if "river" in edge else 0)

    return board.links(cost)


__all__ = [
    "AXIS",
    "DATA",
    "LAST_TURN",
    "NAMES",
    "SIDES",
    "SOVIET",
    "Chart",
    "Face",
    "Plan",
    "Unit",
    "chart_of",
    "check_data",
    "other",
    "units_of",
]
