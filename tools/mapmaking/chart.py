"""The frame of one map: from degrees to hex space, and the hexes that lie there."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.kit.hexes import Grid, hex_id, parse_hex
from tools.mapmaking.gazetteer import find
from tools.mapmaking.hexsides import Side, side
from tools.mapmaking.lattice import Lattice
from tools.mapmaking.opendata import Box
from tools.mapmaking.projection import Conic, Point
from tools.mapmaking.spec import Place, Spec, point


@dataclass(frozen=True)
class Chart:
    spec: Spec
    lattice: Lattice = field(init=False)
    conic: Conic = field(init=False)
    box: Box = field(init=False)

    def __post_init__(self) -> None:
        frame = self.spec.frame
        west, south, east, north = self.spec.box
        low, high = frame.parallels
        object.__setattr__(self, "lattice", Lattice(Grid(**self.spec.grid)))
        object.__setattr__(self, "conic", Conic(frame.lon, frame.lat, (low, high)))
        object.__setattr__(self, "box", (west, south, east, north))

    def spot(self, place: Point) -> Point:
        """Hex space from longitude and latitude."""
        east, north = self.conic.forward(place)
        x, y = self.spec.frame.x, self.spec.frame.y
        return x[0] + x[1] * east + x[2] * north, y[0] + y[1] * east + y[2] * north

    def spots(self, line: list[Point]) -> list[Point]:
        return [self.spot(place) for place in line]

    def located(self, place: Place) -> Point:
        if place.at:
            return point(place.at)
        name, _, country = (place.geonames or place.name).partition(", ")
        return find(name, self.box, country)

    def home(self, place: Place) -> int:
        """The hex of a place."""
        cell = parse_hex(place.hex) if place.hex else self.lattice.cell(self.spot(self.located(place)))
        if cell is None or cell not in self.lattice.grid:
            raise SystemExit(f"{place.name} does not lie on this map.")
        if place.hex and not place.why:
            raise SystemExit(f"{place.name} is put in {place.hex} without a reason.")
        return cell

    def cell(self, text: str) -> int:
        cell = parse_hex(text)
        if cell is None or cell not in self.lattice.grid:
            raise SystemExit(f"{text} is no hex of this map.")
        return cell

    def cells(self, runs: list[str]) -> list[int]:
        """Hexes as `0405`, or down a column as `0405..0412`."""
        found: list[int] = []
        for run in runs:
            first, _, last = run.partition("..")
            low, high = self.cell(first), self.cell(last or first)
            column = low // 100
            found += [hex_id(column, row) for row in range(low % 100, high - 100 * column + 1)]
        return found

    def side(self, text: str) -> Side:
        one, _, other = text.partition("-")
        a, b = self.cell(one), self.cell(other)
        if self.lattice.grid.direction(a, b) is None:
            raise SystemExit(f"{text} is no hexside of this map.")
        return side(a, b)
