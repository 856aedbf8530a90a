"""S42-5: what a step costs by each way of moving, in halves of a point, and how rivers are crossed.

A major river without a bridge is no link: a unit crosses it from its bank, or over a pontoon, and both are added to a
march where they apply (`fords`, `pontoons`). Nor are the Volga and the main range of the Caucasus (`narrows`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from pbem.kit import AREA, Features, Links, Place
from pbem_rules.stalingrad42.chart import (
    ALPINE,
    FROZEN_RIVER,
    GREEN_RAIL,
    MAJOR_RIVER,
    MINOR_RIVER,
    RAIL,
    ROADS,
    SEA,
    SEASONAL_MARSH,
    VOLGA,
    Chart,
)

Link = tuple[int, int, int]  # place entered, its bit, cost


def bridged(edge: Features) -> bool:
    """S42-5.2c: a road or railway over a river is a bridge."""
    return any(way in edge for way in (*ROADS, RAIL, GREEN_RAIL))


@lru_cache(maxsize=16)
def links(chart: Chart, pace: str, *, wet: bool = False, rained: bool = False) -> Links:
    """S42-5.1: the steps of normal and extended movement. `wet`: in rain or mud; `rained`: it has rained before."""

    def cost(a: Place, b: Place, edge: Features) -> int | None:
        if SEA in (a.terrain, b.terrain):
            return None
        if AREA in (a.kind, b.kind):
            return _area_cost(chart, pace, b, wet=wet, rained=rained)
        if narrow(edge):
            return None
        road = next((kind for kind in ROADS if kind in edge), "")
        plain = chart.ground_of(b.id, rained).costs[pace]
        if road:  # S42-5.2a: never dearer than the hex
            return min(_road_cost(chart, road, pace, wet=wet), plain)
        if MAJOR_RIVER in edge:  # S42-5.5.4b: over a railway's bridge
            return _over_river(chart, pace, edge, plain)
        # S42-2.2.2b, S42-5.5.1: in the wet a minor river costs more, and so do the banks of marsh.
        marsh = rained and SEASONAL_MARSH in (a.terrain, b.terrain)
        stream = wet and not bridged(edge) and (marsh or MINOR_RIVER in edge)
        return plain + (chart.rivers[MINOR_RIVER].wet if stream else 0)

    return chart.board.links(cost)


def narrow(edge: Features) -> bool:
    """S42-5.5.3a, S42-9.6.2a: a side that is crossed by some units alone, or at some places alone."""
    return VOLGA in edge or ALPINE in edge


def is_ford(edge: Features) -> bool:
    """S42-5.5.2a, S42-23.4f: a major river without a bridge that is not frozen; the Volga is none."""
    return MAJOR_RIVER in edge and not (bridged(edge) or FROZEN_RIVER in edge or narrow(edge))


def _over_river(chart: Chart, pace: str, edge: Features, plain: int) -> int | None:
    """S42-5.5.4b, S42-23.4f: by a railway's bridge, or over the ice."""
    river = chart.rivers[MAJOR_RIVER]
    ways = [river.by_rail[pace]] if bridged(edge) else []
    if FROZEN_RIVER in edge:
        assert river.frozen is not None
        ways.append(river.frozen[pace])
    return plain + min(ways) if ways else None


def _road_cost(chart: Chart, road: str, pace: str, *, wet: bool) -> int:
    kind = chart.roads[road]
    return (kind.wet if wet else kind.dry)[pace]


def _area_cost(chart: Chart, pace: str, b: Place, *, wet: bool, rained: bool) -> int | None:
    """S42-22.3: into an Entry Area, or out of one by the first hex, to which a road may lead."""
    if b.kind == AREA:
        return chart.extra["area"]
    plain = chart.ground_of(b.id, rained).costs[pace]
    roads = {road for near in chart.board.near[b.id] for road in ROADS if road in chart.board.edges[b.id, near]}
    return min((plain, *(_road_cost(chart, road, pace, wet=wet) for road in roads)))


@lru_cache(maxsize=4)
def paces(chart: Chart) -> Links:
    """S42-5.4: the steps of tactical movement: any hex is one, whatever it costs."""

    def cost(a: Place, b: Place, edge: Features) -> int | None:
        return None if SEA in (a.terrain, b.terrain) or is_ford(edge) or narrow(edge) else 1

    return chart.board.links(cost)


@lru_cache(maxsize=16)
def fords(chart: Chart, pace: str, *, rained: bool = False, tactical: bool = False) -> Mapping[int, tuple[Link, ...]]:
    """S42-5.5.2, S42-5.5.5c: from each place the steps over a major river without a bridge, which cost more.

    A unit takes one as its first step; later it needs a pontoon. In tactical movement they count as any other.
    """
    board, found = chart.board, {}
    for a, near in board.near.items():
        steps = []
        for b in near:
            edge = board.edges[a, b]
            if is_ford(edge):
                over = chart.ground_of(b, rained).costs[pace] + chart.rivers[MAJOR_RIVER].costs[pace]
                steps.append((b, board.bit[b], 1 if tactical else over))
        if steps:
            found[a] = tuple(steps)
    return MappingProxyType(found)


def narrows(
    chart: Chart, passable: Mapping[int, tuple[int, ...]], pace: str, *, rained: bool = False, tactical: bool = False
) -> dict[int, tuple[Link, ...]]:
    """S42-5.5.6, S42-5.5.4b, S42-9.6.2a: from each place the steps over such sides, as far as they are passable.

    A ferry is like a pontoon; a railway's bridge costs less, and the mountains cost nothing more.
    """
    board, river, found = chart.board, chart.rivers[MAJOR_RIVER], {}
    for a, near in passable.items():
        steps = []
        for b in near:
            edge = board.edges[a, b]
            toll = 0 if ALPINE in edge else river.by_rail[pace] if bridged(edge) else river.costs[pace]
            steps.append((b, board.bit[b], 1 if tactical else chart.ground_of(b, rained).costs[pace] + toll))
        found[a] = tuple(steps)
    return found


def pontoons(fords: Mapping[int, tuple[Link, ...]], friends: int) -> dict[int, tuple[Link, ...]]:
    """S42-5.5.5: the steps over a pontoon, which lies where friends hold the far bank; the mover holds the near one.

    `friends`: the mask of the hexes with combat units of the side; the one that the mover comes from does no harm.
    """
    found = {}
    for place, steps in fords.items():
        held = tuple(step for step in steps if step[1] & friends)
        if held:
            found[place] = held
    return found
