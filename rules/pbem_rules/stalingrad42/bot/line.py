"""The line that a side holds: posts two hexes apart, whose bonds leave no gap, from the northern edge to the sea.

```
  P . . . .      P: posts. The cheapest way of bonds from edge to edge: few posts, in good ground, where units
  . . P . .      can be in time. The Soviets keep out of the enemy's reach, and in front of what counts for victory;
  . . . . P      the Axis keeps near the enemy, with units on foot.
```
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from pbem.kit import AREA
from pbem_rules.stalingrad42.chart import FOOT, SEA, SOVIET, Chart
from pbem_rules.stalingrad42.combat.odds import fort_for

if TYPE_CHECKING:
    from pbem_rules.stalingrad42.bot.mind import Mind

POST = 14  # what each post costs
NOBODY = 45  # more, where nobody could come to it
ENOUGH = 6  # points of defence that a post can have at once
LOST = 18  # for each victory point that would lie before the line
NEAR_EDGE = 3  # rows from the edge of the map in which a line may begin or end
WEST_COAST, EASTERN = 36, 48  # columns of the Caucasus
BAND = 3  # rows beside a post that lie before it or behind it
FORWARD = 3  # what each hex from the enemy costs the Axis
CLOSE = 6  # hexes from the enemy, beyond which all is the same to the Axis
NEAREST_POST, STRONGEST_POST = 3, 9


@lru_cache(maxsize=2)
def joined(chart: Chart) -> Mapping[int, tuple[int, ...]]:
    """From each hex those with which a bond is possible, or that lie beside it."""
    board = chart.board
    found: dict[int, set[int]] = {}
    land = {place.id for place in board.places.values() if place.kind != AREA and place.terrain != SEA}
    for cell in sorted(land):
        near = {there for there in board.near[cell] if there in land}
        over = {bond.b for bond in chart.bonds.from_hex(cell) if bond.b in land}
        found.setdefault(cell, set()).update(near | over)
        for there in over:
            found.setdefault(there, set()).add(cell)
    return {cell: tuple(sorted(there)) for cell, there in found.items()}


@lru_cache(maxsize=2)
def ends(chart: Chart) -> tuple[frozenset[int], frozenset[int]]:
    """Where a line may begin, at the northern edge, and end, at the sea or the southern edge.

    In the Caucasus from the western seas to the north-eastern edge or the Caspian.
    """
    board, links = chart.board, joined(chart)
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for cell in links:
        first[cell // 100] = min(first.get(cell // 100, cell), cell)
        last[cell // 100] = max(last.get(cell // 100, cell), cell)
    sea = {cell for cell in links if any(board[there].terrain == SEA for there in board.near[cell])}
    grid = board.grid
    assert grid is not None
    if faces_south(chart):
        edge = {cell for cell in first.values() if cell % 100 < grid.first_row + NEAR_EDGE}
        west = frozenset(cell for cell in sea if cell // 100 <= WEST_COAST)
        return west, frozenset(cell for cell in (*sea, *edge) if cell // 100 >= EASTERN)
    top, bottom = grid.first_row + NEAR_EDGE, grid.first_row + grid.rows - NEAR_EDGE
    north = frozenset(cell for cell in first.values() if cell % 100 < top)
    return north, frozenset(sea) | {cell for cell in last.values() if cell % 100 > bottom}


def faces_south(chart: Chart) -> bool:
    """Is the enemy of the Soviets in the north, as in the Caucasus, and not in the west?"""
    grid = chart.board.grid
    return grid is not None and grid.first_row > 0


def posts_of_line(mind: Mind) -> Mapping[int, int]:
    """The posts, each with the strength that it needs; none: no line is possible.

    In the Caucasus the Axis has too few units for one.
    """
    if mind.posture.advances and faces_south(mind.chart):
        return {}
    links = joined(mind.chart)
    north, south = ends(mind.chart)
    cost = _costs(mind)
    far: dict[int, int] = {}
    back: dict[int, int] = {}
    todo = [(cost[cell], cell, -1) for cell in sorted(north) if cell in cost]
    todo.sort()
    while todo:
        spent, cell, before = heappop(todo)
        if cell in far:
            continue
        far[cell], back[cell] = spent, before
        if cell in south:
            return _strengths(mind, _way(back, cell))
        for there in links[cell]:
            if there in cost and there not in far:
                heappush(todo, (spent + cost[there], there, cell))
    return {}


def _way(back: Mapping[int, int], cell: int) -> list[int]:
    found = []
    while cell >= 0:
        found.append(cell)
        cell = back[cell]
    return found


def _strengths(mind: Mind, posts: list[int]) -> dict[int, int]:
    """As much as can be brought against it asks for, within reason."""
    return {
        post: max(NEAREST_POST, min(STRONGEST_POST, mind.memory.menace.get(post, 0) // 4)) + 2 * mind.danger(post) // 9
        for post in posts
    }


def can_come(mind: Mind) -> dict[int, int]:
    """The points of defence that could stand in each hex; of the Axis only those on foot."""
    s, found = mind.s, dict[int, int]()
    for unit in s.ground.standing(mind.side):
        if s.fights(unit) and (not mind.posture.advances or s.has(unit, FOOT)):
            for cell in (s.at(unit), *mind.reach(unit)):
                found[cell] = found.get(cell, 0) + s.face(unit).defence
    return found


def _costs(mind: Mind) -> dict[int, int]:
    """What it costs to have a post in each hex that the enemy does not hold."""
    s, chart, bit = mind.s, mind.chart, mind.board.bit
    enemy, wall = s.fighters(mind.foe), s.barrier(mind.foe, moving=True).hexes
    coming = can_come(mind)
    found: dict[int, int] = {}
    south = faces_south(chart)
    for cell in joined(chart):
        its = bit[cell]
        if its & enemy or (its & wall and not its & s.fighters(mind.side)):
            continue
        price = POST + (3 * max(0, ENOUGH - coming[cell]) if cell in coming else NOBODY)
        if mind.posture.advances:
            found[cell] = price + FORWARD * min(mind.memory.near[cell], CLOSE)
            continue
        price -= mind.shelter[cell] + 4 * fort_for(s, cell, mind.side)
        price += 6 * bool(its & mind.hostile) + min(mind.memory.menace.get(cell, 0) // 6, 10)
        for place, value in mind.prizes:
            (ahead, beside), (own, level) = _turned(place, south), _turned(cell, south)
            if (ahead < own) == (mind.side == SOVIET) and ahead != own and abs(beside - level) <= BAND:
                price += LOST * value // 2
        found[cell] = max(1, price)
    return found


def _turned(cell: int, south: bool) -> tuple[int, int]:
    """Column and row; row and column where the enemy comes from the north."""
    column, row = divmod(cell, 100)
    return (row, column) if south else (column, row)
