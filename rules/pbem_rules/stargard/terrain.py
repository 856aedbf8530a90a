"""SG-5.2, SG-5.4, SG-5.5: what a step costs by each way of moving, in twelfths of a point, and where nobody ends."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pbem.kit import Features, Links, Place
from pbem_rules.stargard.chart import MECH, RIVERS, STACK, TWELFTHS, WAYS, Chart
from pbem_rules.stargard.state import State, other


@lru_cache(maxsize=16)
def links(chart: Chart, pace: str, *, thaw: bool = False) -> Links:
    """SG-5.1.2: the steps of normal movement. Off the ways mechanised units pay a point more in a thaw (SG-19.1.9)."""
    more = TWELFTHS if thaw and pace == MECH else 0

    def cost(a: Place, b: Place, edge: Features) -> int | None:
        ways = [chart.ways[way][0] for way in WAYS if way in edge and way != "rail"]
        if ways:  # SG-5.2.1: instead of the costs of hex and hexside
            return min(ways)
        grounds = [chart.ground[place.terrain].costs[pace] for place in (a, b)]
        if None in grounds:  # SG-5.2.5a: restricted ground is entered and left along a line alone
            return chart.ways["rail"][0] if "rail" in edge else None
        rivers = [] if chart.bridged(a.id, b.id) else [chart.extra[river] for river in RIVERS if river in edge]
        total = more
        for each in (grounds[1], *rivers):
            if each is None:
                return None
            total += each
        return total

    return chart.board.links(cost)


@lru_cache(maxsize=4)
def roads(chart: Chart) -> Links:
    """SG-5.4: the steps of strategic movement, along autobahn and roads."""

    def cost(_a: Place, _b: Place, edge: Features) -> int | None:
        ways = [chart.ways[way][1] for way in WAYS if way in edge]
        return min((cost for cost in ways if cost is not None), default=None)

    return chart.board.links(cost)


@lru_cache(maxsize=4)
def rails(chart: Chart) -> Links:
    """SG-5.5.1, SG-19.1.9: the steps of rail movement. They cost no points; each counts one."""
    return chart.board.links(lambda _a, _b, edge: 1 if "rail" in edge else None)


@lru_cache(maxsize=4)
def restricted(chart: Chart) -> int:
    """SG-5.2.5: the mask of islands, transit hexes and water, where nobody may end."""
    board = chart.board
    return board.mask(p for p in board.places if None in chart.ground[board[p].terrain].costs.values())


@lru_cache(maxsize=4)
def edges(chart: Chart) -> tuple[int, int, int, int]:
    """SG-7.1.2b: the masks of the straight edges of the map: south, north, west, east."""
    board = chart.board
    assert board.grid is not None
    grid = board.grid
    rows = grid.first_row, grid.first_row + grid.rows - 1
    columns = grid.first, grid.first + grid.columns - 1
    south, north = (board.mask(p for p in board.places if p % 100 == row) for row in rows)
    west, east = (board.mask(p for p in board.places if p // 100 == column) for column in columns)
    return south, north, west, east


def full(s: State, unit: int) -> int:
    """The mask of hexes in which one more unit like this may not end: stacking (SG-6.0), restricted ground (SG-5.2.5).

    Its own hex counts with the others, though it makes room there by going.
    """
    side, post = s.side(unit), s.is_hq(unit)

    def crowded(stack: Sequence[int]) -> bool:
        if post:
            return any(map(s.is_hq, stack))
        return len(stack) >= STACK and len(stack) - sum(map(s.is_hq, stack)) >= STACK

    return s.ground.kept(side, ("full", post), lambda: s.ground.where_all(side, crowded)) | restricted(s.chart)


def lone_posts(s: State, side: str) -> int:
    """SG-5.6, SG-5.3a: the mask of hexes in which a headquarters of the side stands alone."""
    return s.ground.kept(
        side, "lone", lambda: s.ground.where_all(side, lambda stack: len(stack) == 1 and s.is_hq(stack[0]))
    )


def near(s: State, side: str) -> int:
    """The mask of the hexes beside units of the side."""
    chart = s.chart

    def found() -> int:
        return chart.board.mask(p for at in chart.board.in_mask(s.ground.occupied[side]) for p in chart.board.near[at])

    return s.ground.kept(side, "near", found)


def blocked(s: State, side: str) -> int:
    """SG-7.1.2a: the mask of the hexes with enemies, in their zones, or in which nobody may end."""
    enemy = other(side)
    return s.ground.occupied[enemy] | s.zone(enemy) | restricted(s.chart)
