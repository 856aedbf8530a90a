"""What each hex is made of: sea, lake or land, its kind of ground, its country, the coasts it lies on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pbem.kit.hexes import hex_id
from tools.mapmaking.chart import Chart
from tools.mapmaking.hexsides import Side
from tools.mapmaking.opendata import ISLAND, LAKE, LAND, Line, clip, lines
from tools.mapmaking.projection import Point
from tools.mapmaking.raster import Bitmap, Raster, inverse, union, without
from tools.mapmaking.spec import Shape, point, points

SEA, FRESH = "sea", "lake"  # kinds of ground, and features of the sides between land hexes
COAST_SHARE = 0.12  # of a land hex that is sea, to make it a coast without a sea hex beside it


@dataclass(frozen=True)
class Ground:
    terrain: Mapping[int, str]
    country: Mapping[int, str]
    coasts: Mapping[str, set[int]]
    wet: Mapping[str, set[Side]]  # sides between land hexes that are mostly water, by feature
    shores: list[list[Point]]  # in hex space, for the picture
    sea_share: Mapping[int, float]


def _holds(ring: list[Point], spot: Point) -> bool:
    x, y = spot
    inside = False
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            inside = not inside
    return inside


def survey(chart: Chart, raster: Raster) -> Ground:
    spec = chart.spec
    pieces = [Line(p.kind, p.area, clip(p.points, chart.box)) for p in lines("gshhs", spec.detail, chart.box)]
    seeds = [point(lake.ring) for lake in spec.lakes]
    kept = [p for p in pieces if p.kind == LAKE and any(_holds(p.points, seed) for seed in seeds)]
    by_kind = {
        kind: [chart.spots(p.points) for p in group if len(p.points) > 2]
        for kind, group in (
            (LAND, [p for p in pieces if p.kind == LAND]),
            (LAKE, kept),
            (ISLAND, [p for p in pieces if p.kind == ISLAND]),
        )
    }
    dry = raster.fill(by_kind[LAND])
    inland = [chart.spots(points(sea.ring)) for sea in spec.seas if sea.kind == "lake"]
    lakes = without(raster.fill(by_kind[LAKE]), raster.fill(by_kind[ISLAND]))
    # A sea without an outlet is a lake to the data.
    seas = union(inverse(dry), _both(lakes, raster.fill(inland)))
    lakes = without(lakes, seas)
    land = without(without(dry, lakes), seas)
    country = _countries(chart, raster, land)
    terrain = _terrain(chart, raster, seas, lakes, land)
    closed = {shape.key: shape.kind for shape in spec.countries if shape.kind}
    for cell, kind in terrain.items():
        if kind not in (SEA, FRESH) and country.get(cell) in closed:
            terrain[cell] = closed[country[cell]]
    sea_share = raster.shares(seas)
    return Ground(
        terrain=terrain,
        country=country,
        coasts=_coasts(chart, raster, terrain, sea_share),
        wet=_wet(chart, raster, terrain, {SEA: seas, FRESH: lakes}),
        shores=by_kind[LAND] + by_kind[LAKE],
        sea_share=sea_share,
    )


def _both(one: Bitmap, other: Bitmap) -> Bitmap:
    return Bitmap(a & b for a, b in zip(one, other, strict=True))


def _filled(chart: Chart, raster: Raster, shape: Shape) -> Bitmap:
    return raster.fill([chart.spots(points(shape.ring))])


def _terrain(chart: Chart, raster: Raster, seas: Bitmap, lakes: Bitmap, land: Bitmap) -> dict[int, str]:
    spec, water = chart.spec, chart.spec.water
    sea, lake, dry = raster.shares(seas), raster.shares(lakes), raster.shares(land)
    terrain = {
        cell: SEA if sea[cell] >= water.sea_share else FRESH if lake[cell] >= water.lake_share else spec.clear
        for cell in chart.lattice.grid
    }
    settled = {cell for cell, kind in terrain.items() if kind != spec.clear}
    for place in spec.places:
        kinds = [spec.town_ground[mark] for mark in place.marks if mark in spec.town_ground]
        if kinds:
            terrain[chart.home(place)] = kinds[0]
            settled.add(chart.home(place))
    for shape in spec.ground:
        covered = raster.shares(_both(_filled(chart, raster, shape), land))
        for cell in chart.lattice.grid:
            if cell not in settled and covered[cell] >= shape.share * dry[cell]:
                terrain[cell] = shape.kind
                settled.add(cell)
    terrain.update(drawn(chart))
    for override in spec.overrides:
        if override.terrain:
            terrain.update(dict.fromkeys(chart.cells(override.hexes), override.terrain))
    return terrain


def drawn(chart: Chart) -> dict[int, str]:
    """The ground that the page draws letter by letter."""
    spec, grid = chart.spec, chart.lattice.grid
    if spec.drawn and [len(row) for row in spec.drawn] != [grid.columns] * grid.rows:
        raise SystemExit(f"drawn: there must be {grid.rows} rows of {grid.columns} letters.")
    kinds = {letter: kind for kind, letter in spec.terrain.items()}
    lines = spec.drawn if grid.rows_from == "north" else spec.drawn[::-1]
    found: dict[int, str] = {}
    for row, line in enumerate(lines, grid.first_row):
        for column, letter in enumerate(line, grid.first):
            if letter != " ":
                if letter not in kinds:
                    raise SystemExit(f"drawn: {letter!r} in row {row:02d} is no letter of a kind of ground.")
                found[hex_id(column, row)] = kinds[letter]
    return found


def _countries(chart: Chart, raster: Raster, land: Bitmap) -> dict[int, str]:
    best: dict[int, tuple[float, str]] = {}
    for shape in chart.spec.countries:
        filled = _filled(chart, raster, shape)
        for cell, share in raster.shares(_both(filled, land) if shape.land else filled).items():
            if share > best.get(cell, (0.0, ""))[0]:
                best[cell] = share, shape.key
    found = {cell: key for cell, (_, key) in best.items()}
    for override in chart.spec.overrides:
        if override.country:
            found.update(dict.fromkeys(chart.cells(override.hexes), override.country))
    return found


def _coasts(
    chart: Chart, raster: Raster, terrain: Mapping[int, str], sea_share: Mapping[int, float]
) -> dict[str, set[int]]:
    grid = chart.lattice.grid
    found: dict[str, set[int]] = {}
    for shape in chart.spec.seas:
        inside = raster.shares(_filled(chart, raster, shape))
        here = {cell for cell in grid if inside[cell] > 0}
        open_sea = {cell for cell in here if terrain[cell] == SEA}
        coast = found.setdefault(shape.key, set())
        for cell in grid:
            if terrain[cell] in (SEA, FRESH):
                continue
            washed = cell in here and sea_share[cell] >= COAST_SHARE
            if washed or any(near in open_sea for near in grid.neighbours(cell)):
                coast.add(cell)
    for override in chart.spec.overrides:
        if override.coast:
            found[override.coast] |= set(chart.cells(override.hexes))
    return found


def _wet(
    chart: Chart, raster: Raster, terrain: Mapping[int, str], waters: Mapping[str, Bitmap]
) -> dict[str, set[Side]]:
    grid, lattice = chart.lattice.grid, chart.lattice
    found: dict[str, set[Side]] = {kind: set() for kind in waters}
    for cell in grid:
        for near in grid.neighbours(cell):
            if cell > near or terrain[cell] in (SEA, FRESH) or terrain[near] in (SEA, FRESH):
                continue
            shares = {kind: raster.along(lattice.side(cell, near), bitmap) for kind, bitmap in waters.items()}
            if sum(shares.values()) >= chart.spec.water.side_share:
                found[max(shares, key=lambda kind: shares[kind])].add((cell, near))
    return found
