"""A picture of a built map, to hold beside an atlas: hexes, and over them the true coasts and rivers as thin lines."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.mapmaking.build import Built
from tools.mapmaking.projection import Point

SCALE = 64  # pixels per unit of hex space
MARGIN = 0.4

FILL = {
    "clear": "#f3edd7",
    "forest": "#b3cf96",
    "swamp": "#a3d0c4",
    "mountain": "#c2a27c",
    "sea": "#a9c9e8",
    "lake": "#c2def2",
    "neutral": "#cfcac4",
    "light_woods": "#d3dfae",
    "heavy_woods": "#93bd78",
    "marsh": "#b5dccf",
    "marsh_woods": "#7fb79c",
    "island": "#d4d4d4",
    "transit": "#e3dcd0",
    "woods": "#b3cf96",
    "seasonal_marsh": "#b5dccf",
    "minor_city": "#c9c2bd",
    "major_city": "#9f9792",
    "rough": "#dfcf9f",
    "wooded_rough": "#9cab72",
    "desert": "#f6e3a1",
}
OTHER = "#e6d3e6"
AREA = "#ead9b8"
LINES: dict[str, tuple[str, int]] = {  # feature: colour, width
    "river": ("#1c4fc4", 7),
    "minor_river": ("#6f9be6", 4),
    "oder": ("#1c4fc4", 7),
    "major_river": ("#1c4fc4", 7),
    "volga": ("#0b1f70", 11),
    "ferry": ("#d06a00", 4),
    "alpine": ("#f8f8ff", 7),
    "sea": ("#0f7fb0", 11),
    "lake": ("#4fb3d6", 11),
    "impassable": ("#7a1f1f", 9),
    "border": ("#c03030", 3),
}
WAYS: dict[str, tuple[str, int]] = {
    "rail": ("#444444", 2),
    "volga_rail": ("#444444", 1),
    "caspian_rail": ("#444444", 1),
    "rail_ferry": ("#444444", 1),
    "green_rail": ("#1f8f3a", 2),
    "autobahn": ("#c04000", 6),
    "primary_road": ("#c04000", 6),
    "road": ("#d08030", 4),
    "secondary_road": ("#d08030", 4),
    "track": ("#b09870", 2),
}
MARKS = {"city": "#c02020", "oil": "#202020", "town": "#ffffff", "village": "#e0c060", "vp": "#c02020"}
STRANGE = ("#b000b0", 5)


class Canvas:
    def __init__(self, built: Built) -> None:
        try:
            from PIL import Image, ImageDraw, ImageFont
        except ImportError:
            raise SystemExit("Pillow is not installed: run `make maps`, or pip install -e '.[maps]'.") from None

        (left, top), (right, bottom) = built.chart.lattice.extent()
        self._left, self._top = left - MARGIN, top - MARGIN
        size = (round((right - left + 2 * MARGIN) * SCALE), round((bottom - top + 2 * MARGIN) * SCALE))
        self._image: Any = Image.new("RGB", size, "white")
        self._draw: Any = ImageDraw.Draw(self._image)
        self._fonts: dict[int, Any] = {size: ImageFont.load_default(size) for size in (11, 14, 20)}

    def _pixel(self, spot: Point) -> Point:
        return (spot[0] - self._left) * SCALE, (spot[1] - self._top) * SCALE

    def polygon(self, spots: Iterable[Point], fill: str | None, outline: str) -> None:
        self._draw.polygon([self._pixel(spot) for spot in spots], fill=fill, outline=outline)

    def line(self, spots: Iterable[Point], colour: str, width: int) -> None:
        self._draw.line([self._pixel(spot) for spot in spots], fill=colour, width=width, joint="curve")

    def square(self, spot: Point, half: int, colour: str) -> None:
        x, y = self._pixel(spot)
        self._draw.rectangle([x - half, y - half, x + half, y + half], fill=colour, outline="black")

    def text(self, spot: Point, words: str, size: int, colour: str = "black") -> None:
        self._draw.text(self._pixel(spot), words, font=self._fonts[size], fill=colour, anchor="mm")

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._image.quantize(64).save(path, optimize=True)


def draw(built: Built, path: Path) -> None:
    canvas, lattice = Canvas(built), built.chart.lattice
    swallowed = {cell: joined.area for joined in built.areas for cell in joined.swallowed}
    on_map = [cell for cell in lattice.grid if cell in built.terrain or cell in swallowed]
    for cell in on_map:
        fill = AREA if cell in swallowed else FILL.get(built.terrain[cell], OTHER)
        canvas.polygon(lattice.corners(cell), fill, "#a8a49a")
    for shore in built.ground.shores:
        canvas.line([*shore, shore[0]], "#5d7ea0", 1)
    for course in built.rivers:
        canvas.line(course.line, "#d04848", 1)
    for group in built.sides:
        colour, width = LINES.get(group.feature, STRANGE)
        for one, other in sorted(group.sides):
            canvas.line(lattice.side(one, other), colour, width)
    for rails in sorted(built.rails, key=lambda rails: list(WAYS).index(rails.rail.kind), reverse=True):
        canvas.line([lattice.centre(cell) for cell in rails.cells], *WAYS[rails.rail.kind])
    for cell in on_map:
        x, y = lattice.centre(cell)
        canvas.text((x, y - 0.42), f"{cell:04d}", 11, "#77736a")
    for cell, place in built.places:
        x, y = lattice.centre(cell)
        colour = next((MARKS[mark] for mark in place.marks if mark in MARKS), "#ffffff")
        canvas.square((x, y), 7 if place.marks else 4, colour)
        canvas.text((x, y + 0.24), place.name, 14)
        if place.at or place.geonames or not place.hex:
            canvas.square(built.chart.spot(built.chart.located(place)), 2, "#00a000")
    for joined in built.areas:
        spots = [lattice.centre(cell) for cell in sorted(joined.swallowed)]
        if spots:
            middle = (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))
            canvas.text(middle, joined.area.name, 20)
    canvas.save(path)
