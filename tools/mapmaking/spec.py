"""What the workshop is told about one game's map: a TOML page in `games/`, read strictly.

Points are written `lon,lat`, lines of points with blanks between them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from tools.mapmaking.projection import Point

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The projection, and hex space from kilometres east and north: x = a + b east + c north, y likewise."""

    lon: float
    lat: float
    parallels: list[float]
    x: list[float]
    y: list[float]


@dataclass(frozen=True, kw_only=True)
class Water:
    """A hex is water if at least that share of it is; a side between land hexes likewise."""

    sea_share: float
    lake_share: float
    side_share: float


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A named piece of ground, country, sea or lake. A country with a kind is all of that ground: neutral, say."""

    name: str
    key: str = ""
    kind: str = ""
    ring: str = ""  # a lake has a point in it instead
    share: float = 0.5  # of a hex, to count
    marks: list[str] = field(default_factory=list)
    land: bool = True  # a country's water is no part of it


@dataclass(frozen=True, kw_only=True)
class River:
    """Where it has sides of its own, its legs are only drawn, to compare."""

    name: str
    kind: str
    legs: list[str]  # "trace lon,lat lon,lat ..." or "hand lon,lat ..."
    into: str = ""  # the river whose lower course it joins
    sides: list[str] = field(default_factory=list)  # 0405-0505, where its course is set by hand
    provenance: str = ""


@dataclass(frozen=True, kw_only=True)
class Place:
    name: str
    at: str = ""  # lon,lat; or else
    geonames: str = ""  # its name in the gazetteer, "Name" or "Name, CC"
    bank: str = ""  # lon,lat of where it counts as standing, for rivers
    hex: str = ""  # if not the hex under it
    why: str = ""  # and why not
    marks: list[str] = field(default_factory=list)
    values: dict[str, int | str] = field(default_factory=dict)
    provenance: str = ""


@dataclass(frozen=True, kw_only=True)
class Rail:
    """A railway, or a road of any kind: by its stations, or hex by hex."""

    name: str
    stations: str = ""  # names of places or of the gazetteer, or lon,lat, with bars between
    hexes: str = ""  # 0405-0505-0606
    kind: str = "rail"
    provenance: str = ""


@dataclass(frozen=True, kw_only=True)
class Area:
    id: int
    name: str
    terrain: str
    takes: list[str] = field(default_factory=list)  # countries whose hexes it swallows
    hexes: list[str] = field(default_factory=list)  # and single hexes, runs down a column as 0405..0407
    marks: list[str] = field(default_factory=list)
    values: dict[str, int | str] = field(default_factory=dict)
    linked: list[str] = field(default_factory=list)  # hexes that it joins beside its neighbours: "1022" or "1022 river"
    unlinked: list[str] = field(default_factory=list)  # neighbours that it does not join
    provenance: str = ""


@dataclass(frozen=True, kw_only=True)
class Region:
    """Hexes with a key: given one by one, by the places in them, or all of the countries named."""

    key: str
    name: str
    kind: str
    hexes: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    countries: list[str] = field(default_factory=list)
    countries_only: list[str] = field(default_factory=list)  # of the hexes given, only those of these countries
    provenance: str = ""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Where units come onto the map."""

    key: str
    name: str
    side: str
    hexes: list[str]
    area: int | None = None  # the number of the area that they come from, if it is a place
    provenance: str = ""


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where one value of some hexes comes from, if not from where their name does."""

    what: str  # a value, terrain, name or marks
    hexes: list[str]
    provenance: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Override:
    """What the data get wrong at this scale, and why."""

    why: str
    hexes: list[str] = field(default_factory=list)
    terrain: str = ""
    country: str = ""
    coast: str = ""  # the key of a sea that these hexes lie on
    sides: list[str] = field(default_factory=list)  # 0405-0505
    add: str = ""  # a feature
    remove: str = ""
    provenance: str = ""  # of the terrain, if not the map's


@dataclass(frozen=True, kw_only=True)
class Frontier:
    """The sides between two groups of countries get a feature."""

    feature: str
    name: str
    one: list[str]
    other: list[str]


@dataclass(frozen=True, kw_only=True)
class Spec:
    name: str
    out: str  # the file made, from the top of the checkout
    detail: str  # of the open data: c l i h f
    box: list[float]  # west, south, east, north, of all that is read
    fineness: int
    provenance: str
    credits: list[str]
    clear: str  # the kind of ground where nothing else is said
    town_ground: dict[str, str]  # the kind of ground of a place with that mark
    grid: dict[str, Any]
    frame: Frame
    terrain: dict[str, str]  # kind: letter
    water: Water
    seas: list[Shape] = field(default_factory=list)
    lakes: list[Shape] = field(default_factory=list)  # all others are left out
    ground: list[Shape] = field(default_factory=list)
    countries: list[Shape] = field(default_factory=list)
    rivers: list[River] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    rails: list[Rail] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    frontiers: list[Frontier] = field(default_factory=list)
    overrides: list[Override] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)  # rows of letters from the north; a blank leaves it to the data
    off: list[str] = field(default_factory=list)  # hexes of the grid that are no part of the map
    joins: list[str] = field(default_factory=list)  # pages of single sheets that are part of this map


LISTS: Mapping[str, type[Any]] = {
    "seas": Shape,
    "lakes": Shape,
    "ground": Shape,
    "countries": Shape,
    "rivers": River,
    "places": Place,
    "rails": Rail,
    "areas": Area,
    "regions": Region,
    "frontiers": Frontier,
    "overrides": Override,
    "entries": Entry,
    "sources": Source,
}


def read(path: Path) -> Spec:
    with path.open("rb") as file:
        page = tomllib.load(file)
    page["frame"] = _made(Frame, page["frame"])
    page["water"] = _made(Water, page["water"])
    towns = [_town(name, where) for name, where in page.pop("towns", {}).items()]
    for key, kind in LISTS.items():
        page[key] = [_made(kind, item) for item in page.get(key, [])]
    page["places"] += towns
    spec = _made(Spec, page)
    for name in spec.joins:
        spec = _joined(read(path.with_name(f"{name}.toml")), spec)
    return spec


def _joined(sheet: Spec, whole: Spec) -> Spec:
    """The larger map with all that stands on the page of a sheet, save its Entry Areas: these belong to its scenario.

    A river that goes on keeps its name; a region of the larger map takes the place of one with its key.
    """
    own = {river.name: river for river in whole.rivers}
    rivers = [_longer(river, own.pop(river.name, None)) for river in sheet.rivers]
    keys = {region.key for region in whole.regions}
    return replace(
        whole,
        seas=[*sheet.seas, *whole.seas],
        lakes=[*sheet.lakes, *whole.lakes],
        rivers=[*rivers, *own.values()],
        places=[*sheet.places, *whole.places],
        rails=[*sheet.rails, *whole.rails],
        regions=[*(region for region in sheet.regions if region.key not in keys), *whole.regions],
        overrides=[*sheet.overrides, *whole.overrides],
        sources=[*sheet.sources, *whole.sources],
        drawn=_overlaid(sheet, whole),
        off=[*sheet.off, *whole.off],
    )


def _longer(river: River, more: River | None) -> River:
    if more is None:
        return river
    return replace(river, legs=[*river.legs, *more.legs], sides=[*river.sides, *more.sides])


def _overlaid(sheet: Spec, whole: Spec) -> list[str]:
    """What both pages draw; the sheet's letters may be others."""
    letters = {letter: whole.terrain[kind] for kind, letter in sheet.terrain.items()}
    rows = [list(row) for row in whole.drawn]
    down, right = (sheet.grid[key] - whole.grid[key] for key in ("first_row", "first"))
    for line, row in enumerate(sheet.drawn, down):
        for column, letter in enumerate(row, right):
            if letter != " ":
                rows[line][column] = letters[letter]
    return ["".join(row) for row in rows]


def _town(name: str, where: str) -> Place:
    """A place that has a name and nothing else: `towns` gives lon,lat or its name in the gazetteer."""
    pinned = where[:1].isdigit()
    return Place(name=name, marks=["town"], at=where if pinned else "", geonames="" if pinned else where)


def _made(kind: type[T], item: Mapping[str, Any]) -> T:
    known = {f.name: f for f in fields(kind)}  # type: ignore[arg-type]
    needed = {name for name, f in known.items() if f.default is MISSING and f.default_factory is MISSING}
    for name in [*sorted(item.keys() - known.keys()), *sorted(needed - item.keys())]:
        label = item.get("name", item.get("key", item.get("why", "")))
        raise SystemExit(f"{kind.__name__} {label!r}: {name} is {'unknown' if name in item else 'missing'}.")
    return kind(**item)


def point(text: str) -> Point:
    lon, lat = text.split(",")
    return float(lon), float(lat)


def points(text: str) -> list[Point]:
    return [point(part) for part in text.split()]
