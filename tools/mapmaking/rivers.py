"""The rivers of a map as lines and as hexsides."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tools.mapmaking.chart import Chart
from tools.mapmaking.hexsides import Side, crossed
from tools.mapmaking.opendata import lines
from tools.mapmaking.projection import Point
from tools.mapmaking.spec import River, points
from tools.mapmaking.waterways import Network


@dataclass(frozen=True)
class Course:
    river: River
    line: list[Point]  # in hex space, its own
    sides: set[Side]


def courses(chart: Chart) -> list[Course]:
    """All rivers, each after the one it flows into; a side belongs to the first that has it."""
    net = Network.of(chart.conic, (piece.points for piece in lines("rivers", chart.spec.detail, chart.box)))
    rivers = {river.name: river for river in chart.spec.rivers}
    own = {river.name: chart.spots(_drawn(net, river)) for river in chart.spec.rivers}
    stands = {chart.home(p): chart.spot(points(p.bank)[0]) for p in chart.spec.places if p.bank}
    taken: set[Side] = set()
    found = []
    for river in sorted(chart.spec.rivers, key=lambda river: len(_downstream(rivers, river))):
        if river.sides:
            sides = {chart.side(text) for text in river.sides} - taken
        else:
            sides = crossed(chart.lattice, _to_the_sea(rivers, own, river), stands) - taken
        taken |= sides
        found.append(Course(river, own[river.name], sides))
    return found


def _drawn(net: Network, river: River) -> list[Point]:
    line: list[Point] = []
    for leg in river.legs:
        how, _, way = leg.partition(" ")
        if how not in ("trace", "hand"):
            raise SystemExit(f"{river.name}: a leg begins with trace or hand, not {how!r}.")
        line += net.trace(points(way), river.name) if how == "trace" else points(way)
    return line


def _downstream(rivers: Mapping[str, River], river: River) -> list[River]:
    found: list[River] = []
    while river.into:
        if river.into not in rivers or len(found) > len(rivers):
            raise SystemExit(f"{river.name} flows into {river.into!r}, which leads nowhere.")
        river = rivers[river.into]
        found.append(river)
    return found


def _to_the_sea(rivers: Mapping[str, River], own: Mapping[str, list[Point]], river: River) -> list[Point]:
    """Its line and what it flows into from there, so that its sides end on the sides of the larger river.

    Two chains with one mouth have the same sides from where they meet: nothing need be trimmed or joined.
    """
    line = list(own[river.name])
    for larger in _downstream(rivers, river):
        course = own[larger.name]
        meeting = min(range(len(course)), key=lambda k: (math.dist(course[k], line[-1]), k))
        line += course[meeting:]
    return line
