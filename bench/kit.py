"""The kit on a large map: 60 x 60 hexes with woods, rivers and roads, sixty units a side along a line.

Absolute bounds are asked for here, unlike elsewhere: what a player waits for at the prompt is made of these. Each
figure is the median of many runs in CPU time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from bench.timing import cpu, still
from pbem.kit.board import Features, Place
from pbem.kit.flowing import flows
from pbem.kit.hexmap import hexmap_of
from pbem.kit.retreat import Bounds, ways
from pbem.kit.search import Terms, reach
from pbem.kit.supply import Stage, Trace, trace
from pbem.kit.zones import Bonds, Zones

SIDE = 60
TERRAIN = ("clear", "clear", "clear", "woods", "marsh")
COST = {"clear": 2, "woods": 4, "marsh": 6}  # in halves, so that roads cost one


@dataclass(frozen=True, slots=True)
class Found:
    zones: float
    bonds: float
    supply: float
    march: float
    places: int
    far: float
    far_places: int
    retreat: float


def large(columns: int = SIDE, rows: int = SIDE) -> dict[str, Any]:
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


def measure() -> Found:
    board = hexmap_of(large()).board
    zones = Zones(board, lambda _a, _b, edge: "river" not in edge)
    own = board.mask(100 * (28 + r % 3) + r for r in range(1, SIDE + 1))
    enemy = board.mask(100 * (31 + r % 4) + r for r in range(1, SIDE + 1, 2))
    bonds = Bonds(board, lambda a, x, b: "river" not in board.edges[a, x] | board.edges[x, b])
    hot = zones.left(enemy, own)
    source = board.mask(100 + r for r in range(1, SIDE + 1))
    on_road, off_road = flows(board, road, back=True), flows(board, land, back=True)

    def supplied() -> Trace:
        """As a side does it: the zone of all enemies, their bonds, any length of road, five hexes of land."""
        hot = zones.left(enemy, own)
        wall = bonds.barrier(enemy, own)
        open_to = ~(enemy | wall.hexes)
        stages = (Stage("road", on_road, open_to & ~hot), Stage("land", off_road, open_to, 5, zones=hot))
        return trace(board, source, stages)

    if supplied().reached.bit_count() < SIDE * SIDE // 3:
        raise RuntimeError("the supply lines of the benchmark do not lead far")
    links = board.links(step)
    near, far = Terms(12, enemy, stops=hot, zone=hot, leave=4), Terms(24, enemy, hot, zone=hot, leave=4)
    start = 2530
    back = Bounds(4, enemy, zone=hot, zones=1, no_end=hot, more=1, away="step")
    distance = board.grid.distance if board.grid else None
    assert distance is not None
    return Found(
        zones=_seconds(lambda: zones.left(enemy, own)),
        bonds=_seconds(lambda: bonds.barrier(enemy, own)),
        supply=_seconds(supplied),
        march=_seconds(lambda: reach(links, board.bit, start, near)),
        places=len(reach(links, board.bit, start, near)),
        far=_seconds(lambda: reach(links, board.bit, start, far)),
        far_places=len(reach(links, board.bit, start, far)),
        retreat=_seconds(lambda: ways(links, board.bit, distance, 2930, back)),
    )


def opening() -> float:
    """Seconds to make the map from its file."""
    data = large()
    return _seconds(lambda: hexmap_of(data), 9)
