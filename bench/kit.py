"""The kit on a large map: 64 x 63 hexes with woods, rivers and roads, two hundred units a side along a front.

Absolute bounds are asked for here, unlike elsewhere: what a player waits for at the prompt is made of these. Each
figure is the median of many runs in CPU time. Nothing that follows from where units stand is kept between the runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from bench.timing import cpu, still
from pbem.kit import (
    Barrier,
    Bonds,
    Bounds,
    Distances,
    Features,
    Place,
    Roster,
    Stage,
    Terms,
    Zones,
    bar,
    best,
    cut,
    ends_in,
    farthest,
    fewest_zones,
    flows,
    gather,
    hexmap_of,
    menace,
    pulls,
    reach,
    trace,
    ways,
    zone_after_zone,
)
from pbem.kit import shut as shut_steps

COLUMNS, ROWS = 64, 63
UNITS = 200  # a side
TERRAIN = ("clear", "clear", "clear", "woods", "marsh")
COST = {"clear": 2, "woods": 4, "marsh": 6}  # in halves, so that roads cost one


@dataclass(frozen=True, slots=True)
class Found:
    zones: float  # who has a zone, the zone, where friends cancel it
    bonds: float  # who makes bonds, the bonds
    supply: float
    why: float  # what cuts a line
    march: float
    places: int
    far: float
    far_places: int
    retreat: float  # all ways of four hexes, ranked
    threat: float  # what a bot makes of two hundred armies
    attack: float  # and of a dozen that could attack one hex


def large(columns: int = COLUMNS, rows: int = ROWS) -> dict[str, Any]:
    """A map made by arithmetic: every third row is a road, every seventh column has a river to its east."""
    lines = ["".join(".w,"[_kind(c, r)] for c in range(columns)) for r in range(rows)]
    cells = [[f"{c + 1:02d}{r + 1:02d}" for r in range(rows)] for c in range(columns)]
    roads = ["-".join(cells[c][r] for c in range(columns)) for r in range(1, rows, 3)]
    rivers = [f"{cells[c][r]}-{cells[c + 1][r]}" for c in range(6, columns - 1, 7) for r in range(rows)]
    return {
        "name": "Large",
        "provenance": "ours",
        "grid": {"columns": columns, "rows": rows},
        "terrain": {"clear": ".", "woods": "w", "marsh": ","},
        "rows": lines,
        "sides": [{"feature": "river", "between": rivers}],
        "ways": [{"feature": "road", "chains": roads}],
    }


def _kind(column: int, row: int) -> int:
    return {"clear": 0, "woods": 1, "marsh": 2}[TERRAIN[(column * 7 + row * 13 + column * row) % len(TERRAIN)]]


def step(_from: Place, to: Place, edge: Features) -> int:
    return 1 if "road" in edge else COST[to.terrain] + 2 * ("river" in edge)


def road(_from: Place, _to: Place, edge: Features) -> int | None:
    return 1 if "road" in edge else None


def land(_from: Place, to: Place, _edge: Features) -> int:
    return 2 if to.terrain == "marsh" else 1


def _seconds(job: Callable[[], object], rounds: int = 60) -> float:
    job()
    with still():
        return median(cpu(job) for _ in range(rounds))


def front() -> tuple[list[str], list[tuple[int, int]]]:
    """The sides of the units, and where they stand: some hexes deep, the enemy's lines a hex or two to the east."""
    sides, placed = list[str](), list[tuple[int, int]]()
    for side, first, back in (("own", 28, -2), ("enemy", 32, 2)):
        for number in range(UNITS):
            deep, row = divmod(number, ROWS)
            bend = row % 3 if side == "own" else row % 4
            placed.append((len(sides), 100 * (first + bend + back * (deep % 2)) + row + 1))
            sides.append(side)
    return sides, placed


def measure() -> Found:
    board = hexmap_of(large()).board
    zones = Zones(board, lambda _a, _b, edge: "river" not in edge)
    bonds = Bonds(board, lambda a, x, b: "river" not in board.edges[a, x] | board.edges[x, b])
    roster = Roster(board, *front())
    own, enemy = roster.occupied["own"], roster.occupied["enemy"]

    def zone() -> int:
        """Nine of ten units have one; friends cancel it where they stand."""
        return zones.left(roster.where("enemy", lambda unit: unit % 10 > 0), own)

    def wall() -> Barrier:
        """Every eighth unit makes no bond; a stack does if one of it does."""
        able = roster.where_all("enemy", lambda units: any(unit % 8 for unit in units))
        return bonds.barrier(able, own, moving=True)

    hot, shut = zone(), wall()
    source = board.mask(100 + r for r in range(1, ROWS + 1))
    on_road, off_road = flows(board, road, back=True), flows(board, land, back=True)
    open_to = ~(enemy | shut.hexes)
    stages = (
        Stage("road", on_road, open_to & ~hot, closed=shut.sides),
        Stage("land", off_road, open_to, 5, zones=hot, closed=shut.sides),
    )
    hindrances = (
        bar("B-1", "a zone bars the road", hot),
        zone_after_zone("B-2", "two zones in a row bar it", hot),
        shut_steps("B-3", "a bond bars it"),
        bar("B-4", "enemies bar it", enemy | shut.hexes),
    )
    if trace(board, source, stages).reached.bit_count() < COLUMNS * ROWS // 3:
        raise RuntimeError("the supply lines of the benchmark do not lead far")
    if cut(board, source, stages, hindrances, 5030) is None:
        raise RuntimeError("nothing mends the line that the benchmark cuts")
    links = board.links(step)
    near = Terms(12, enemy | shut.hexes, stops=hot, zone=hot, leave=4, closed=shut.sides)
    far = near._replace(budget=24)
    start = 2530
    back = Bounds(4, enemy | shut.hexes, zone=hot, zones=1, no_end=hot, more=1, away="step", closed=shut.sides)
    distance = board.grid.distance if board.grid else None
    assert distance is not None
    ranks = (fewest_zones("B-5"), farthest("B-6"), ends_in("B-7", "ends in supply", board.bit, own))
    armies = [(roster.at[unit], 4, 6) for unit in roster.units["enemy"]]
    posts = [(unit, cell) for unit, cell in enumerate(board.near[3430] * 2)]

    def threat() -> object:
        distances = Distances(board, lambda _a, b, _e: b.terrain != "sea")
        return menace(distances, armies), pulls(distances, [(place, 60) for place, _, _ in armies[:20]], 4)

    def attack() -> object:
        return gather(3430, posts, lambda chosen: 5 * len(chosen) - 12, lambda chosen, post: post not in chosen)

    return Found(
        zones=_seconds(zone),
        bonds=_seconds(wall),
        supply=_seconds(lambda: (zone(), wall(), trace(board, source, stages))),
        why=_seconds(lambda: cut(board, source, stages, hindrances, 5030)),
        march=_seconds(lambda: reach(links, board.bit, start, near)),
        places=len(reach(links, board.bit, start, near)),
        far=_seconds(lambda: reach(links, board.bit, start, far)),
        far_places=len(reach(links, board.bit, start, far)),
        retreat=_seconds(lambda: best(ways(links, board.bit, distance, 2930, back), ranks)),
        threat=_seconds(threat, 5),
        attack=_seconds(attack),
    )


def opening() -> float:
    """Seconds to make the map from its file."""
    data = large()
    return _seconds(lambda: hexmap_of(data), 9)
