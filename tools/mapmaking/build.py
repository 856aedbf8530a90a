"""One game's map put together: ground, hexsides, places, railways, areas, regions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from tools.mapmaking.chains import chain
from tools.mapmaking.chart import Chart
from tools.mapmaking.gazetteer import find
from tools.mapmaking.ground import FRESH, SEA, Ground, survey
from tools.mapmaking.hexsides import Side, side
from tools.mapmaking.projection import Point
from tools.mapmaking.raster import Raster
from tools.mapmaking.rivers import Course, courses
from tools.mapmaking.spec import Area, Frontier, Place, Rail, Region, Spec, point

Flow = Mapping[Side, str]  # the kind of river that follows a side


@dataclass(frozen=True)
class Sides:
    feature: str
    name: str
    sides: set[Side]
    provenance: str = ""


@dataclass(frozen=True)
class Rails:
    rail: Rail
    cells: list[int]


@dataclass(frozen=True)
class Joined:
    """An area and the hexes and areas that it touches."""

    area: Area
    swallowed: set[int]
    near: list[tuple[int, list[str]]]  # with the features of the way there


@dataclass(frozen=True)
class Built:
    chart: Chart
    ground: Ground
    rivers: list[Course]
    terrain: Mapping[int, str]  # of the hexes that are on the map
    sides: list[Sides]
    places: list[tuple[int, Place]]
    rails: list[Rails]
    areas: list[Joined]
    regions: list[tuple[Region, list[int]]]
    faults: list[str]  # what must be mended in the specification; a picture can be drawn all the same


def build(spec: Spec) -> Built:
    chart = Chart(spec)
    ground = survey(chart, Raster(chart.lattice, spec.fineness))
    found = courses(chart)
    swallowed = {area.id: _swallowed(chart, ground, area) for area in spec.areas}
    off = set(chart.cells(spec.off))
    gone = off.union(*swallowed.values())
    terrain = {cell: kind for cell, kind in ground.terrain.items() if cell not in gone}
    dry = {cell for cell, kind in terrain.items() if kind not in (SEA, FRESH)}
    wet = set().union(*ground.wet.values())
    closed = {cell for cell in dry if terrain[cell] in {shape.kind for shape in spec.countries if shape.kind}}
    open_land = dry - closed
    sides = _sides(chart, ground, found, open_land)
    flow = {pair: course.river.kind for course in found for pair in course.sides}
    barred = {pair for group in sides if group.feature in (SEA, FRESH) for pair in group.sides} | wet
    places = sorted(((chart.home(place), place) for place in spec.places), key=lambda item: item[0])
    rails = [_rails(chart, rail) for rail in spec.rails]
    return Built(
        chart=chart,
        ground=ground,
        rivers=found,
        terrain=terrain,
        sides=sides,
        places=places,
        rails=rails,
        areas=_areas(chart, ground, swallowed, open_land, barred, flow),
        regions=_regions(chart, ground, dry, open_land),
        faults=[*_crowded(places), *_drowned(places, rails, (dry | gone) - off)],
    )


def _crowded(places: list[tuple[int, Place]]) -> Iterator[str]:
    for (one, first), (other, second) in pairwise(places):
        if one == other:
            yield f"{first.name} and {second.name} share the hex {one:04d}."


def _drowned(places: list[tuple[int, Place]], rails: list[Rails], land: set[int]) -> Iterator[str]:
    for cell, place in places:
        if cell not in land:
            yield f"{place.name} stands in water at {cell:04d}."
    for rail in rails:
        for cell in rail.cells:
            if cell not in land:
                yield f"The railway {rail.rail.name} runs through water at {cell:04d}."


def _swallowed(chart: Chart, ground: Ground, area: Area) -> set[int]:
    own = {
        cell
        for cell, country in ground.country.items()
        if country in area.takes and ground.terrain[cell] not in (SEA, FRESH)
    }
    return own | set(chart.cells(area.hexes))


def _sides(chart: Chart, ground: Ground, found: list[Course], land: set[int]) -> list[Sides]:
    """Everything on hexsides between two land hexes, overrides applied last."""
    wet = set().union(*ground.wet.values())
    groups = [Sides(kind, "", set(pairs)) for kind, pairs in ground.wet.items()]
    groups += [Sides(c.river.kind, c.river.name, c.sides - wet, c.river.provenance) for c in found]
    for frontier in chart.spec.frontiers:
        pairs = {
            side(cell, near)
            for cell in land
            for near in chart.lattice.grid.neighbours(cell)
            if ground.country.get(cell) in frontier.one and ground.country.get(near) in frontier.other
        }
        groups.append(Sides(frontier.feature, frontier.name, pairs))
    for override in chart.spec.overrides:
        pairs = {chart.side(text) for text in override.sides}
        if override.remove:
            groups = [replace(g, sides=g.sides - pairs) if g.feature == override.remove else g for g in groups]
        if override.add:
            groups.append(Sides(override.add, "", pairs))
    on_land = [replace(g, sides={pair for pair in g.sides if land.issuperset(pair)}) for g in groups]
    return [group for group in on_land if group.sides]


def _rails(chart: Chart, rail: Rail) -> Rails:
    if rail.hexes:
        return Rails(rail, [chart.cell(text) for text in rail.hexes.split("-")])
    known = {place.name: place for place in chart.spec.places}
    spots: list[Point] = []
    homes: list[int | None] = []
    for name in rail.stations.split("|"):
        place = known.get(name)
        at = chart.located(place) if place else point(name) if name[:1].isdigit() else _station(chart, name)
        spots.append(chart.spot(at))
        homes.append(chart.home(place) if place else None)
    return Rails(rail, chain(chart.lattice, spots, homes))


def _station(chart: Chart, name: str) -> Point:
    town, _, country = name.partition(", ")
    return find(town, chart.box, country)


def _areas(
    chart: Chart, ground: Ground, swallowed: Mapping[int, set[int]], open_land: set[int], shut: set[Side], flow: Flow
) -> list[Joined]:
    """The way into an area has what all the sides have that lead there from a hex."""
    joined = []
    for area in chart.spec.areas:
        cells = swallowed[area.id]
        across: dict[int, set[Side]] = {}
        for cell in cells:
            for near in chart.lattice.grid.neighbours(cell):
                if near not in cells and side(cell, near) not in shut:
                    across.setdefault(near, set()).add(side(cell, near))
        near_hexes: list[tuple[int, list[str]]] = []
        for near in sorted((across.keys() & open_land) - set(chart.cells(area.unlinked))):
            kinds = {flow.get(pair, "") for pair in across[near]}
            features = [kind for kind in kinds if kind and len(kinds) == 1]
            features += [f.feature for f in chart.spec.frontiers if _parts(f, ground.country.get(near, ""), area)]
            near_hexes.append((near, features))
        for item in area.linked:
            text, *features = item.split()
            near_hexes.append((chart.cell(text), features))
        others = [other for other, theirs in swallowed.items() if other > area.id and across.keys() & theirs]
        joined.append(Joined(area, cells, [*sorted(near_hexes), *((other, []) for other in others)]))
    return joined


def _parts(frontier: Frontier, country: str, area: Area) -> bool:
    one, other, takes = set(frontier.one), set(frontier.other), set(area.takes)
    return (country in one and bool(takes & other)) or (country in other and bool(takes & one))


def _regions(chart: Chart, ground: Ground, dry: set[int], open_land: set[int]) -> list[tuple[Region, list[int]]]:
    def of(keys: Iterable[str]) -> list[int]:
        wanted = set(keys)
        return sorted(cell for cell in dry if ground.country.get(cell) in wanted)

    found = [
        (Region(key=shape.key, name=shape.name, kind="country"), of([shape.key])) for shape in chart.spec.countries
    ]
    found += [
        (Region(key=shape.key, name=shape.name, kind="coast"), sorted(ground.coasts[shape.key] & open_land))
        for shape in chart.spec.seas
    ]
    homes = {place.name: chart.home(place) for place in chart.spec.places}
    for region in chart.spec.regions:
        cells = {*chart.cells(region.hexes), *of(region.countries), *(homes[name] for name in region.places)} & dry
        if region.countries_only:
            cells &= set(of(region.countries_only))
        found.append((region, sorted(cells)))
    return [(region, cells) for region, cells in found if cells]
