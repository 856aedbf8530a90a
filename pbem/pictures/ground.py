"""The ground of a hex map: terrain, ways, what runs along hexsides, fronts and victory hexes. Names come last."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from functools import reduce
from itertools import pairwise
from math import isqrt
from operator import or_

from pbem.kit.hexes import Grid, column_row, hex_name
from pbem.kit.scene import HexGround, Scene, Side
from pbem.pictures.lettering import width
from pbem.pictures.levels import CLOSE, WHOLE, begin, end
from pbem.pictures.placing import Box, Room, around
from pbem.pictures.svg import Canvas, Point, line

REACH = 60
MARGIN = 36
Hit = tuple[str, int, int]
"""A place to hit, by its key, and its middle. Of hexes the nearest middle is the place."""

_POINTY: tuple[Point, ...] = ((0, -60), (52, -30), (52, 30), (0, 60), (-52, 30), (-52, -30))
_FLAT: tuple[Point, ...] = ((-30, -52), (30, -52), (60, 0), (30, 52), (-30, 52), (-60, 0))


class Geometry:
    """The positions of a grid's hexes on a picture, in whole numbers, 60 from centre to corner.

    Corner d and corner d + 1 are the ends of the side in direction d.
    """

    def __init__(self, grid: Grid, margin: int = MARGIN) -> None:
        self.grid = grid
        self.flat = grid.top == "flat"
        self.corners = _FLAT if self.flat else _POINTY
        low = 1 if grid.shifted == "odd" else 0
        last = grid.first_row + grid.rows - 1
        self._centres: dict[int, Point] = {}
        for cell in grid:
            column, row = column_row(cell)
            down = row - grid.first_row if grid.rows_from == "north" else last - row
            across = column - grid.first
            if self.flat:
                spot = (90 * across + 60, 104 * down + 52 + (52 if column & 1 == low else 0))
            else:
                spot = (104 * across + 52 + (52 if row & 1 == low else 0), 90 * down + 60)
            self._centres[cell] = (spot[0] + margin, spot[1] + margin)
        self.width = max(x for x, _ in self._centres.values()) + (60 if self.flat else 52) + margin
        self.height = max(y for _, y in self._centres.values()) + (52 if self.flat else 60) + margin

    def centre(self, cell: int) -> Point:
        return self._centres[cell]

    def hex(self, cell: int) -> list[Point]:
        x, y = self._centres[cell]
        return [(x + dx, y + dy) for dx, dy in self.corners]

    def inner(self, cell: int, share: int) -> list[Point]:
        """The hex drawn smaller, by hundredths."""
        x, y = self._centres[cell]
        return [(x + dx * share // 100, y + dy * share // 100) for dx, dy in self.corners]

    def side(self, cell: int, direction: int) -> tuple[Point, Point]:
        x, y = self._centres[cell]
        (ax, ay), (bx, by) = self.corners[direction], self.corners[(direction + 1) % 6]
        return (x + ax, y + ay), (x + bx, y + by)

    def between(self, a: int, b: int) -> tuple[Point, Point] | None:
        """The side that two hexes share."""
        direction = self.grid.direction(a, b)
        return None if direction is None else self.side(a, direction)


def chained(sides: list[tuple[Point, Point]]) -> list[list[Point]]:
    """Pieces of a line joined to as long ones as there can be."""
    ends: dict[Point, list[int]] = {}
    for number, (a, b) in enumerate(sides):
        ends.setdefault(a, []).append(number)
        ends.setdefault(b, []).append(number)
    used = [False] * len(sides)
    chains = []

    def follow(start: Point) -> list[Point]:
        chain, at = [start], start
        while True:
            onward = next((n for n in ends[at] if not used[n]), None)
            if onward is None:
                return chain
            used[onward] = True
            a, b = sides[onward]
            at = b if at == a else a
            chain.append(at)

    for start in [spot for spot, held in ends.items() if len(held) != 2] + list(ends):
        while any(not used[n] for n in ends[start]):
            chains.append(follow(start))
    return chains


WATER = ("water", "lake")
ID = -35  # where the number of a hex stands, from its middle
_TERRAIN = {  # the kit gives terrain no meaning, so the names that games use are known here
    "clear": "clear", "forest": "forest", "woods": "forest", "swamp": "swamp", "marsh": "swamp", "hill": "hill",
    "rough": "hill", "mountain": "mountain", "town": "town", "city": "town", "sea": "water", "water": "water",
    "lake": "lake", "neutral": "off", "off": "off", "light_woods": "forest", "heavy_woods": "dense",
    "marsh_woods": "bog", "islet": "islet", "passage": "passage",
}  # fmt: skip
RIM = 8  # of the way to the middle of the hex
_SIDES = ("minor_river", "river", "strait", "border", "impassable")  # in the order of painting
WAYS = ("track", "road", "motorway", "rail", "main_rail")  # likewise
_MINOR = ("track", "road")  # too small for a whole large map
_SIDE = {"sea": "strait", "lake": "strait", "major_river": "river"}

_UPON = {"rail": ("sleepers",), "main_rail": ("ties",), "motorway": ("median",)}
OUTSIDE = 230  # the margin of a map with places beyond its edge
BEYOND = 140  # how far beyond it they lie
BIG = 72  # letters on a whole large map

GLYPHS: dict[str, str] = {  # around the rim, since counters stand in the middle
    "forest": "".join(
        f"M{x} {y - 7}L{x + 5} {y + 3}H{x + 1}V{y + 6}H{x - 1}V{y + 3}H{x - 5}Z"
        for x, y in (
            (-30, -24),
            (-14, -36),
            (27, -27),
            (-33, 18),
            (-8, 36),
            (31, 20),
            (14, 33),
            (0, -8),
            (-14, 8),
            (13, 6),
        )
    ),
    "swamp": "".join(
        f"M{x - 7} {y}H{x + 7}M{x} {y}V{y - 6}M{x - 4} {y}L{x - 7} {y - 5}M{x + 4} {y}L{x + 7} {y - 5}"
        for x, y in ((-27, -25), (22, -32), (-30, 22), (26, 24), (0, 40), (-6, 2))
    ),
    "hill": "".join(
        f"M{x - 9} {y}Q{x} {y - 12} {x + 9} {y}"
        for x, y in ((-24, -26), (18, -34), (-28, 20), (26, 22), (2, 38), (0, 0))
    ),
    "mountain": "".join(
        f"M{x - 10} {y + 6}L{x} {y - 9}L{x + 10} {y + 6}Z"
        for x, y in ((-22, -26), (14, -33), (-28, 16), (26, 18), (0, 38), (-2, 0))
    ),
    "town": "".join(
        f"M{x - 5} {y + 4}V{y - 2}L{x} {y - 6}L{x + 5} {y - 2}V{y + 4}Z"
        for x, y in ((-26, -22), (-12, -34), (26, -25), (-30, 20), (28, 18), (-18, 34), (18, 34))
    ),
}
# Dense forest has twice the trees, a bog trees and reeds; a passage, which nobody may stop in, the way through.
GLYPHS["dense"] = GLYPHS["forest"] + "".join(
    f"M{x} {y - 7}L{x + 5} {y + 3}H{x + 1}V{y + 6}H{x - 1}V{y + 3}H{x - 5}Z"
    for x, y in ((-20, -16), (6, -38), (18, -18), (-40, -2), (40, -2), (-21, 28), (22, 30), (-2, 20), (14, -4), (28, 4))
)
GLYPHS["bog"] = GLYPHS["swamp"] + "".join(
    f"M{x} {y + 8}V{y}M{x} {y - 9}L{x + 6} {y}H{x - 6}Z"
    for x, y in ((-12, -34), (30, -6), (-38, -2), (14, 34), (-14, 16))
)
GLYPHS["passage"] = "".join(f"M{x - 4} {y - 6}L{x + 4} {y}L{x - 4} {y + 6}" for x, y in ((-24, 24), (-12, 24), (0, 24)))


def strokes(word: str) -> tuple[str, ...]:
    """The lines, one upon another, that draw what runs along hexsides or from hex to hex."""
    return (word, *_UPON.get(word, ()))


class HexLayer:
    """All of a hex map that does not change; made once per map and kept."""

    def __init__(self, ground: HexGround) -> None:
        board = ground.map.board
        if board.grid is None:
            raise ValueError("a map of hexes needs a grid")
        self.ground, self.board = ground, board
        self.geometry = Geometry(board.grid, OUTSIDE if ground.outside else MARGIN)
        self.width, self.height = self.geometry.width, self.geometry.height
        self.kinds = {cell: self.kind(board[cell].terrain) for cell in board.grid if cell in board}
        self.spots: dict[int, Point] = {cell: self.geometry.centre(cell) for cell in self.kinds}
        for area, cells in ground.areas.items():
            points = [self.geometry.centre(cell) for cell in cells]
            self.spots[area] = (sum(x for x, _ in points) // len(points), sum(y for _, y in points) // len(points))
        self.bit = {cell: 1 << n for n, cell in enumerate(board.grid)}
        self.around = {cell: sum(self.bit[near] for near in board.grid.neighbours(cell)) for cell in self.kinds}
        """The mask of the cells beside each."""
        self.beyond = {area: tuple(self._edge(cells)) for area, cells in ground.outside.items()}
        for area, sides in self.beyond.items():
            self.spots[area] = self._outward(sides)
        self._drawn: dict[str, Canvas] = {}
        self._hits: tuple[Mapping[int, str], tuple[Hit, ...]] = {}, ()

    def _edge(self, cells: Iterable[int]) -> Iterator[tuple[int, tuple[Point, Point]]]:
        """The sides of these hexes beyond which there is no hex of the map, each with its hex."""
        for cell in cells:
            for direction in range(6):
                if self.geometry.grid.toward(cell, direction) not in self.kinds:
                    yield cell, self.geometry.side(cell, direction)

    def _outward(self, sides: Iterable[tuple[int, tuple[Point, Point]]]) -> Point:
        """From the middle of an edge straight away from the map."""
        found = [(self.geometry.centre(cell), a, b) for cell, (a, b) in sides]
        x, y = sum(a[0] + b[0] for _, a, b in found), sum(a[1] + b[1] for _, a, b in found)
        dx = x - sum(2 * spot[0] for spot, _, _ in found)
        dy = y - sum(2 * spot[1] for spot, _, _ in found)
        length = max(1, isqrt(dx * dx + dy * dy))
        twice = 2 * len(found)
        return (x // twice + BEYOND * dx // length, y // twice + BEYOND * dy // length)

    def hits(self, keys: Mapping[int, str]) -> tuple[Hit, ...]:
        """The places to hit: hexes, areas that cover some, and those beyond the edge. They are the same as the last
        time, if the keys are.
        """
        if self._hits[0] != keys:
            covered = {cell: area for area, cells in self.ground.areas.items() for cell in cells}
            cells = ((covered.get(cell, cell), self.geometry.centre(cell)) for cell in self.geometry.grid)
            places = (*cells, *((area, self.spots[area]) for area in self.beyond))
            self._hits = dict(keys), tuple((keys[place], *spot) for place, spot in places if place in keys)
        return self._hits[1]

    def kind(self, terrain: str) -> str:
        return _TERRAIN.get(self.ground.words.get(terrain, terrain), "other")

    def paint(self, canvas: Canvas, level: str = CLOSE, cells: Collection[int] | None = None) -> None:
        """`cells`: only these."""
        if cells is not None:
            canvas.paste(self._paint(level, {cell: self.kinds[cell] for cell in cells if cell in self.kinds}))
            return
        if level not in self._drawn:
            self._drawn[level] = self._paint(level, self.kinds)
        canvas.paste(self._drawn[level])

    def _paint(self, level: str, kinds: Mapping[int, str]) -> Canvas:
        canvas = Canvas()
        by_kind: dict[str, list[int]] = {}
        for cell, kind in kinds.items():
            by_kind.setdefault(kind, []).append(cell)
        for kind, cells in sorted(by_kind.items()):
            if level == WHOLE:
                canvas.path("".join(line(chain) for chain in self._outline(cells)), f"t-{kind} even")
            else:
                canvas.path("".join(line(self.geometry.hex(cell), closed=True) for cell in cells), f"t-{kind}")
        for cover in self.ground.areas.values():
            canvas.path("".join(line(self.geometry.hex(cell), closed=True) for cell in cover), "t-area")
        if begin(canvas, level, "not-whole"):
            for kind, cells in sorted(by_kind.items()):
                if kind in GLYPHS:
                    canvas.define(
                        f"g-{kind}", f'<path id="g-{kind}" d="{GLYPHS[kind]}" class="g-{kind}"/>', f"g-{kind}"
                    )
                    for cell in cells:
                        canvas.use(f"g-{kind}", *self.geometry.centre(cell))
            edges = {
                self._key(cell, d): self.geometry.side(cell, d)
                for cell, k in kinds.items()
                if k != "off"
                for d in range(6)
            }
            canvas.path("".join(line(side) for side in edges.values()), "grid")
            end(canvas, level)
        shore = []
        for cell, kind in kinds.items():
            if kind in WATER:
                for near in self.geometry.grid.neighbours(cell):
                    if kinds.get(near, "off") not in (*WATER, "off"):
                        side = self.geometry.between(cell, near)
                        if side:
                            shore.append(side)
        if shore:
            canvas.path("".join(line(chain) for chain in chained(shore)), "shore")
        for cover in self.ground.areas.values():
            canvas.path("".join(line(chain) for chain in self._outline(cover)), "a-line")
        self._sides_and_ways(canvas, level, kinds)
        return canvas

    def _outline(self, cells: Collection[int]) -> list[list[Point]]:
        inside, grid = set(cells), self.geometry.grid
        rim = [self.geometry.side(c, d) for c in cells for d in range(6) if grid.toward(c, d) not in inside]
        return chained(rim)

    def _key(self, cell: int, direction: int) -> int:
        return self.geometry.grid.side(cell, direction)

    def _sides_and_ways(self, canvas: Canvas, level: str, kinds: Mapping[int, str]) -> None:
        lines: dict[str, list[tuple[Point, Point]]] = {}
        bridges: list[tuple[Point, Point]] = []
        for (a, b), features in self.board.edges.items():
            if a > b:
                continue
            side = self.geometry.between(a, b) if a in kinds and b in kinds else None
            if side is None:
                continue
            for feature in features:
                word = self.ground.words.get(feature, _SIDE.get(feature, feature))
                if word in _SIDES:
                    lines.setdefault(word, []).append(side)
                if word == "bridge":
                    bridges.append((self.geometry.centre(a), self.geometry.centre(b)))
        for way in WAYS:
            steps = self._steps(way, kinds)
            small = way in _MINOR
            if steps and (not small or begin(canvas, level, "not-whole")):
                data = "".join(line(chain) for chain in chained(steps))
                for name in strokes(way):
                    canvas.path(data, name)
                if small:
                    end(canvas, level)
        for word in _SIDES:
            if word in lines:
                canvas.path("".join(line(chain) for chain in chained(sorted(set(lines[word])))), word)
        for (ax, ay), (bx, by) in bridges:
            ends = [
                ((ax * 64 + bx * 36) // 100, (ay * 64 + by * 36) // 100),
                ((ax * 36 + bx * 64) // 100, (ay * 36 + by * 64) // 100),
            ]
            canvas.path(line(ends), "deck")
            along = (ends[1][0] - ends[0][0], ends[1][1] - ends[0][1])
            length = max(1, abs(along[0]) + abs(along[1]))
            dx, dy = -along[1] * 9 // length, along[0] * 9 // length
            canvas.path("".join(line([(x + s * dx, y + s * dy) for x, y in ends]) for s in (1, -1)), "bridge")

    def _steps(self, feature: str, kinds: Mapping[int, str]) -> list[tuple[Point, Point]]:
        found: dict[tuple[int, int], tuple[Point, Point]] = {}
        for way in self.ground.map.ways:
            if self.ground.words.get(way.feature, way.feature) == feature:
                for a, b in pairwise(way.places):
                    if a in self.spots and b in self.spots and (a in kinds or b in kinds):
                        found[min(a, b), max(a, b)] = (self.spots[a], self.spots[b])
        return list(found.values())

    # What changes

    def rims(
        self, control: Mapping[int, str], sides: Mapping[str, Side], cells: Container[int] | None = None
    ) -> Mapping[str, list[tuple[Point, Point]]]:
        """The sides of hexes beyond which somebody else holds the next one, so far within that a river shows."""
        found: dict[str, list[tuple[Point, Point]]] = {}
        grid, bit, around = self.geometry.grid, self.bit, self.around
        held: dict[str, int] = {}
        for cell, holder in control.items():
            held[holder] = held.get(holder, 0) | bit.get(cell, 0)
        known = reduce(or_, held.values(), 0)
        others = {holder: known & ~mask for holder, mask in held.items()}
        for cell, holder in control.items():
            if (
                not around.get(cell, 0) & others[holder]
                or holder not in sides
                or (cells is not None and cell not in cells)
            ):
                continue
            for direction in range(6):
                near = grid.toward(cell, direction)
                if near is not None and control.get(near, holder) != holder:
                    (ax, ay), (bx, by) = self.geometry.side(cell, direction)
                    x, y = self.geometry.centre(cell)
                    found.setdefault(holder, []).append(
                        ((ax + (x - ax) // RIM, ay + (y - ay) // RIM), (bx + (x - bx) // RIM, by + (y - by) // RIM))
                    )
        return found

    def gauges(
        self, canvas: Canvas, scene: Scene, sides: Mapping[str, Side], level: str, cells: Container[int] | None
    ) -> None:
        """Railway that a side has made its own: a line of its colour upon it."""
        for key, pieces in scene.gauges.items():
            shown = (piece for piece in pieces if cells is None or piece[0] in cells or piece[1] in cells)
            data = "".join(line((self.spots[a], self.spots[b])) for a, b in shown)
            if data and begin(canvas, level, "not-whole"):
                canvas.path(data, "gauge-under")
                canvas.path(data, f"gauge k-{sides[key].colour}")
                end(canvas, level)

    def outside(
        self, canvas: Canvas, scene: Scene, sides: Mapping[str, Side], level: str, cells: Container[int] | None
    ) -> None:
        """Places beyond the edge: a band along the hexes that they lie beside, in their holder's colour."""
        for area, edge in self.beyond.items():
            if cells is not None and not any(cell in cells for cell, _ in edge):
                continue
            holder = sides.get(scene.control.get(area, ""))
            x, y = self.spots[area]
            words = self.board[area].name
            canvas.open(f"k-{holder.colour}" if holder else "")
            canvas.path("".join(line(chain) for chain in chained([side for _, side in edge])), "outside")
            canvas.close()
            if begin(canvas, level, "not-whole"):
                canvas.text(x, y - 62, words, "n-town halo", 22)
                end(canvas, level)
            if begin(canvas, level, "only-whole"):
                canvas.text(x, y - 24, words.rpartition(" ")[2], "n-town halo", BIG)
                end(canvas, level)

    def fronts(
        self,
        canvas: Canvas,
        control: Mapping[int, str],
        sides: Mapping[str, Side],
        level: str = CLOSE,
        cells: Container[int] | None = None,
    ) -> None:
        """Between the hexes of one side and those of the other: a line of both colours."""
        for holder, rim in sorted(self.rims(control, sides, cells).items()):
            data, colour = "".join(line(side) for side in rim), sides[holder].colour
            for what, name in (("not-whole", f"h-{colour}"), ("only-whole", f"front k-{colour}")):
                if begin(canvas, level, what):
                    canvas.path(data, name)
                    end(canvas, level)

    def _goals(self, cells: Container[int] | None) -> list[int]:
        return [place for place in self.ground.goals if cells is None or place in cells]

    def goals(
        self, canvas: Canvas, scene: Scene, sides: Mapping[str, Side], room: Room, cells: Container[int] | None = None
    ) -> None:
        """Victory hexes: a ring in the holder's colour; `stars` tell what they count."""
        for place in self._goals(cells):
            holder = sides.get(scene.control.get(place, ""))
            if holder is not None and place in self.kinds:
                canvas.path(line(self.geometry.inner(place, 91), closed=True), f"h-{holder.colour}")
            x, y = self.spots[place]
            room.take(around(x - 26, y - 45, 28, 26))

    def stars(self, canvas: Canvas, level: str = CLOSE, cells: Container[int] | None = None) -> None:
        """Three times as large on a whole large map, where nothing else is to be read."""
        for what, scale, dx, dy in (("not-whole", 1, -26, -45), ("only-whole", 3, 0, -56)):
            if begin(canvas, level, what):
                for place in self._goals(cells):
                    x, y = self.spots[place]
                    worth = self.ground.goals[place]
                    if scale > 1:
                        canvas.raw(f'<g transform="translate({x + dx} {y + dy}) scale({scale})">')
                        self.star(canvas, 0, 0, worth)
                        canvas.close()
                    else:
                        self.star(canvas, x + dx, y + dy, worth)
                end(canvas, level)

    @staticmethod
    def star(canvas: Canvas, x: int, y: int, worth: str) -> None:
        canvas.path(line([(x + dx, y + dy) for dx, dy in _STAR], closed=True), "goal")
        if worth:
            canvas.text(x, y + 5, worth, "on-goal", 12)

    def large(self, place: int) -> bool:
        return bool(self.board[place].marks & {"city", "port", "fortress"}) or place in self.ground.goals

    @staticmethod
    def town(canvas: Canvas, x: int, y: int, *, large: bool) -> None:
        if large:
            canvas.rect(x - 9, y - 9, 18, 18, "city", 3)
        else:
            canvas.circle(x, y, 7, "town")

    def spotted(
        self, canvas: Canvas, room: Room, busy: Iterable[int], level: str = CLOSE, cells: Collection[int] | None = None
    ) -> None:
        """Towns where nobody stands, and the number of every hex: always below its upper edge, so that nobody takes it
        for the number of another."""
        standing = set(busy)
        for place, (x, y) in self.spots.items():
            held = self.board[place]
            if not held.name:
                continue
            if place in self.kinds and place not in standing and (cells is None or place in cells):
                self.town(canvas, x, y, large=self.large(place))
                room.take(around(x, y, 20, 20))
        if begin(canvas, level, "not-whole"):
            for cell, (x, y) in self._numbers():
                if cells is None or cell in cells:
                    canvas.text(x, y, hex_name(cell), "n-id", 13)
            end(canvas, level)

    def _numbers(self) -> Iterator[tuple[int, Point]]:
        for cell, kind in self.kinds.items():
            if kind != "off":
                x, y = self.spots[cell]
                yield cell, (x + 13 if cell in self.ground.goals else x, y + ID)

    def names(self, canvas: Canvas, room: Room, level: str = CLOSE, cells: Collection[int] | None = None) -> None:
        """Of towns and rivers, each where there is room, and beside the numbers; of a whole large map what counts."""
        if begin(canvas, level, "only-whole"):
            for place in self.ground.goals:
                x, y = self.spots[place]
                canvas.text(x, y + 64, self.board[place].name, "n-town halo", BIG)
            end(canvas, level)
        if begin(canvas, level, "not-whole"):
            self._names(canvas, room, cells)
            end(canvas, level)

    def _names(self, canvas: Canvas, room: Room, cells: Collection[int] | None) -> None:
        for _, (x, y) in self._numbers():
            room.take((x - 17, y - 8, x + 17, y))
        for place, (x, y) in self.spots.items():
            held = self.board[place]
            if held.name and place not in self.beyond and (cells is None or place in cells):
                big = place in self.ground.goals or place not in self.kinds or "city" in held.marks
                self._label(canvas, room, held.name, x, y, 18 if big else 16, "n-town" if big else "n-small")
        if cells is None:
            self._river_names(canvas, room)

    @staticmethod
    def _label(canvas: Canvas, room: Room, words: str, x: int, y: int, size: int, name: str) -> None:
        """Between the counter and the lower corner; the numbers of the next hexes begin below."""
        wide, high = width(words, size, bold=name == "n-town"), size * 3 // 4
        offered = []
        for base in (34 + high, 24, -14, 62, -48):
            for across in (0, 10, -10, 22, -22, 36, -36):
                offered.append((x + across - wide // 2, y + base - high, x + across + wide // 2, y + base))
        left, _, right, bottom = room.best(offered)
        canvas.text((left + right) // 2, bottom, words, f"{name} halo", size)

    def _wet(self, a: int, b: int) -> bool:
        words = {self.ground.words.get(f, _SIDE.get(f, f)) for f in self.board.edges.get((a, b), ())}
        return bool(words & _WET)

    def _river_names(self, canvas: Canvas, room: Room) -> None:
        spots: dict[str, list[Point]] = {}
        dry: dict[str, int] = {}
        for (a, b), name in self.ground.map.side_names.items():
            side = self.geometry.between(a, b) if a < b and a in self.kinds and b in self.kinds else None
            if side is not None and self._wet(a, b):
                spots.setdefault(name, []).append(((side[0][0] + side[1][0]) // 2, (side[0][1] + side[1][1]) // 2))
            elif side is not None:
                dry[name] = dry.get(name, 0) + 1
        for name, points in sorted(spots.items()):
            if len(points) < 4 or name in dry:
                continue
            wide = width(name, 15)
            middle = len(points) // 2
            ordered = sorted(range(len(points)), key=lambda k: (abs(k - middle), k))
            offered: list[Box] = [
                around(points[k][0], points[k][1] + d, wide + 6, 16) for k in ordered for d in (0, -14, 14)
            ]
            found = room.first(offered)
            if found is not None:
                canvas.text((found[0] + found[2]) // 2, found[3] - 4, name, "n-water halo", 15)


_WET = frozenset({"river", "minor_river"})
_STAR = ((0, -16), (4, -6), (15, -5), (7, 3), (10, 14), (0, 8), (-10, 14), (-7, 3), (-15, -5), (-4, -6))
_layers: dict[int, tuple[HexGround, HexLayer]] = {}


def layer_of(ground: HexGround) -> HexLayer:
    """The layer of a map; the last few are kept."""
    kept = _layers.get(id(ground.map))
    if (
        kept is not None
        and kept[0].map is ground.map
        and kept[0].areas == ground.areas
        and kept[0].words == ground.words
    ):
        kept[1].ground = ground
        return kept[1]
    made = HexLayer(ground)
    if len(_layers) >= 8:
        _layers.pop(next(iter(_layers)))
    _layers[id(ground.map)] = (ground, made)
    return made
