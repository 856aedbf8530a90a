"""Everything printed: the map, the counters, the cards, the tables, the scenarios, made once from a data set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pbem.game import DataSet, charted
from pbem.kit import (
    Board,
    CardList,
    Counters,
    Features,
    Grid,
    HexMap,
    Lines,
    Links,
    Odds,
    Place,
    Table,
    Unit,
    Zones,
    cards_of,
    counters_of,
    folder,
    hexmap_of,
    odds_of,
    table_of,
    text_of,
)

BLUE, RED = "blue", "red"
SEATS = (BLUE, RED)
NAMES = {BLUE: "Blue", RED: "Red"}
BOX = {BLUE: 9001, RED: 9002}  # where reserves wait
STACK = 2  # BH-1.3
RESULTS = ("A1", "A2", "CA", "D1", "D2", "DR", "EX")


def other(side: str) -> str:
    return RED if side == BLUE else BLUE


class Reserve(NamedTuple):
    arrives: int
    units: tuple[int, ...]
    entries: tuple[int, ...]


class Plan(NamedTuple):
    """One scenario."""

    key: str
    title: str
    text: str
    turns: int
    first: str
    par: int
    values: Mapping[int, int]  # town -> points
    holders: Mapping[int, str]
    reserves: Mapping[str, Reserve]
    setup: tuple[tuple[int, int], ...]  # unit, hex


@dataclass(frozen=True, slots=True)
class Chart:
    map: HexMap
    board: Board
    grid: Grid
    counters: Counters
    units: tuple[Unit, ...]
    own: Mapping[str, tuple[int, ...]]  # side -> its units
    links: tuple[Links, ...]  # by unit
    zones: Zones
    lines: Lines
    home: Mapping[str, int]  # side -> the column at its edge of the map
    edge: Mapping[str, int]  # side -> the mask of that column
    cards: CardList
    card_kinds: tuple[str, ...]
    odds: Odds
    combat: Table
    shift: Mapping[str, int]  # by terrain, and for the river
    plans: Mapping[str, Plan]

    def bridged(self, a: int, b: int) -> bool:
        """Is the way from hex to hex free of the river (BH-6.6, BH-7.6)?"""
        edge = self.board.edges[a, b]
        return "river" not in edge or "bridge" in edge

    def card_word(self, card: int) -> str:
        """`mud1`, `mud2`: a card by its kind and copy."""
        key = self.cards[card].key
        return f"{key}{1 + self.cards.numbers(key).index(card)}"

    def card_key(self, card: int) -> str:
        """Its key for clicks, in orders and on the board."""
        return f"c:{self.card_word(card)}"


DATA = folder(__file__)


def crosses(_from: Place, _to: Place, edge: Features) -> bool:
    """Not across the river, unless there is a bridge: zones, supply lines and retreats (BH-5.1, BH-7.6, BH-9.2)."""
    return "river" not in edge or "bridge" in edge


def controls(a: Place, b: Place, edge: Features) -> bool:
    """BH-5.1."""
    return b.terrain != "town" and crosses(a, b, edge)


@charted
def chart_of(data: DataSet) -> Chart:
    printed = hexmap_of(data["map"])
    board = printed.board
    counters = counters_of(data["counters"])
    tables = {str(table["name"]): table for table in data["tables"]["tables"]}
    grid = board.grid
    if grid is None or any(box not in board or board[box].kind != "box" for box in BOX.values()):
        raise ValueError("map: Bridgehead needs a grid of hexes and the boxes 9001 and 9002")
    cards = cards_of(data["cards"])
    last = grid.first + grid.columns - 1
    columns = {BLUE: grid.first, RED: last}
    ways = _movement(board, tables["movement"])
    return Chart(
        map=printed,
        board=board,
        grid=grid,
        counters=counters,
        units=counters.units,
        own={side: tuple(unit.number for unit in counters.of_side(side)) for side in SEATS},
        links=tuple(ways[_way(unit)] for unit in counters.units),
        zones=Zones(board, controls),
        lines=Lines(board, crosses),
        home=columns,
        edge={
            side: board.mask(c for c in grid if c // 100 == column and c in board) for side, column in columns.items()
        },
        cards=cards,
        card_kinds=tuple(cards.kinds),
        odds=odds_of(tables["combat"]),
        combat=table_of(tables["combat"], RESULTS),
        shift={label: int(row[0]) for label, row in _labelled(tables["terrain"])},
        plans={plan.key: plan for plan in (_plan(item, board, counters) for item in data["scenarios"]["scenarios"])},
    )


def check_data(data: DataSet) -> None:
    """Raises for a data set with files of the players' own that the game cannot be played with."""
    _check(chart_of(data), chart_of(DATA))


def _check(chart: Chart, printed: Chart) -> None:
    if [unit.code for unit in chart.units] != [unit.code for unit in printed.units]:
        raise ValueError("counters: the units keep their codes and their order, since orders are written with them")
    if [unit.side for unit in chart.units] != [unit.side for unit in printed.units]:
        raise ValueError("counters: the units keep their sides")
    if [(kind.key, kind.play) for kind in chart.cards.cards] != [(kind.key, kind.play) for kind in printed.cards.cards]:
        raise ValueError("cards: only their names and texts may differ")
    if set(chart.plans) != set(printed.plans):
        raise ValueError(f"scenarios: there must be {', '.join(sorted(printed.plans))}")
    for terrain in ("river", *(chart.board[cell].terrain for cell in chart.grid if cell in chart.board)):
        if terrain not in chart.shift:
            raise ValueError(f"tables: {terrain} has no shift")
    if not 2 <= chart.combat.sides <= 100:
        raise ValueError("tables: combat has a row for each face of the die, 2 to 100")
    for plan in chart.plans.values():
        _check_plan(plan, chart)


def _check_plan(plan: Plan, chart: Chart) -> None:
    cells = [cell for _, cell in plan.setup]
    units = [unit for unit, _ in plan.setup] + [unit for held in plan.reserves.values() for unit in held.units]
    if set(plan.reserves) != set(SEATS) or plan.first not in SEATS or not set(plan.holders.values()) <= set(SEATS):
        raise ValueError(f"scenarios: the sides of {plan.key} are blue and red")
    if len(set(units)) != len(units):
        raise ValueError(f"scenarios: a unit stands twice in {plan.key}")
    for cell in cells:
        there = [unit for unit, place in plan.setup if place == cell]
        if len(there) > STACK or len({chart.units[each].side for each in there}) > 1:
            raise ValueError(f"scenarios: too many units, or units of both sides, stand in {cell:04d} of {plan.key}")
    for side, held in plan.reserves.items():
        if not held.entries or len(set(held.entries)) != len(held.entries):
            raise ValueError(f"scenarios: the reserve of {side} in {plan.key} needs entries, each of them once")
        if any(chart.units[unit].side != side for unit in held.units):
            raise ValueError(f"scenarios: the reserve of {side} in {plan.key} has foreign units")
    numbers = [plan.par, *plan.values.values(), *(held.arrives for held in plan.reserves.values())]
    if not 1 <= plan.turns <= 99 or any(abs(number) > 99 for number in numbers):
        raise ValueError(f"scenarios: a number of {plan.key} is out of bounds")
    if not plan.values or not cells:
        raise ValueError(f"scenarios: {plan.key} needs towns and units")


def _way(unit: Unit) -> str:
    return next((trait for trait in ("sappers", "armour") if trait in unit.type.traits), "foot")


def _labelled(table: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    return list(zip((str(label) for label in table["labels"]), table["rows"], strict=True))


def _movement(board: Board, table: Mapping[str, Any]) -> dict[str, Links]:
    """One graph for each column of the movement table (BH-4.2)."""
    ways = {}
    for number, column in enumerate(table["columns"]):
        costs = {label: int(row[number]) for label, row in _labelled(table)}

        def cost(_from: Place, to: Place, edge: Features, costs: Mapping[str, int] = costs) -> int:
            return costs[to.terrain] + (0 if crosses(_from, to, edge) else costs["river"])

        ways[str(column)] = board.links(cost)
    return ways


def _plan(item: Mapping[str, Any], board: Board, counters: Counters) -> Plan:
    try:
        number = {code: unit.number for code, unit in counters.by_code.items()}
        reserves = {
            side: Reserve(
                int(held["arrives"]),
                tuple(number[code] for code in held["units"]),
                tuple(board.place_written(text, "scenarios") for text in held["entries"]),
            )
            for side, held in item["reserves"].items()
        }
        at = {board.place_written(text, "scenarios"): codes for text, codes in item["setup"].items()}
        setup = tuple((number[code], place) for place, codes in at.items() for code in codes)
    except KeyError as missing:
        raise ValueError(f"scenarios: there is no unit {missing}") from None
    goals = [(board.place_written(goal["hex"], "scenarios"), goal) for goal in item["objectives"]]
    return Plan(
        key=str(item["key"]),
        title=text_of(item["title"]),
        text=text_of(item["text"]),
        turns=int(item["turns"]),
        first=str(item["first"]),
        par=int(item["par"]),
        values={cell: int(goal["value"]) for cell, goal in goals},
        holders={cell: str(goal["holder"]) for cell, goal in goals},
        reserves=reserves,
        setup=setup,
    )
