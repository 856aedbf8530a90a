"""The map of areas: outlines, names and worth, chips of units, arrows from place to place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from math import isqrt
from typing import Any

from pbem.kit.scene import AreaGround, Arrow, Piece, Scene, Side, Spot
from pbem.pictures import happened
from pbem.pictures.lettering import width, wrap
from pbem.pictures.pieces import CHIP_HIGH, chip, chip_wide
from pbem.pictures.placing import Box, Room, around
from pbem.pictures.svg import Canvas, Point, safe
from pbem.pictures.svg import line as path_of
from pbem.pictures.theme import ROUND

LETTER = 19
SMALL = 18
TINY = 13
GAP = 3
STRIP = 10  # of a place, in which it is measured


class Outlines:
    """The arcs of a file of outlines as path data, and the room of every place."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.width, self.height, self.closed = int(data["width"]), int(data["height"]), int(data["closed"])
        arcs = data["arcs"]
        self._steps = ["".join(f"l{a} {b}" for a, b in zip(arc[2::2], arc[3::2], strict=True)) for arc in arcs]
        self._back = ["".join(f"l{-a} {-b}" for a, b in zip(arc[-2:1:-2], arc[:1:-2], strict=True)) for arc in arcs]
        self._starts = [(arc[0], arc[1]) for arc in arcs]
        self._ends = [(sum(arc[0::2]), sum(arc[1::2])) for arc in arcs]
        self._points = [list(zip(accumulate(arc[::2]), accumulate(arc[1::2]), strict=True)) for arc in arcs]
        self._crossings: dict[tuple[int, int], list[int]] = {}
        self.homes: dict[int, Box] = {}
        self.room: dict[int, Box] = {}
        self.shape: dict[int, str] = {}
        self._rings: dict[int, Any] = {}
        self.links = [(tuple(each["line"]), str(each["why"])) for each in data["links"]]
        self.across = [tuple(each) for each in data["across"]]  # top, bottom, left place, right place
        for key, place in data["places"].items():
            x, y, w, h = place["room"]
            self.room[int(key)] = (x, y, w, h)
            self._rings[int(key)] = place["rings"]
            self.shape[int(key)] = "".join(self._ring(ring) for ring in place["rings"])

    def _ring(self, ring: Sequence[int]) -> str:
        first = ring[0]
        x, y = self._starts[first] if first >= 0 else self._ends[~first]
        body = "".join(self._steps[n] if n >= 0 else self._back[~n] for n in ring)
        return f"M{x} {y}{body}Z"

    def borders(self, places: set[int]) -> str:
        """All arcs of these places, each once."""
        numbers = sorted({n if n >= 0 else ~n for place in places for ring in self._rings.get(place, ()) for n in ring})
        return "".join(f"M{self._starts[n][0]} {self._starts[n][1]}{self._steps[n]}" for n in numbers)

    def beyond(self, place: int, box: Box) -> int:
        """How much of a box lies outside the place."""
        left, top, right, bottom = box
        inside = 0
        for y in range(top + STRIP // 2, bottom, STRIP):
            across = self._across(place, y)
            for start, end in zip(across[::2], across[1::2], strict=True):
                inside += max(0, min(right, end) - max(left, start))
        return (right - left) * (bottom - top) - inside * STRIP

    def _across(self, place: int, y: int) -> list[int]:
        """Where the outline crosses this height, from left to right."""
        known = self._crossings.get((place, y))
        if known is None:
            known = self._crossings[place, y] = sorted(
                ax + (bx - ax) * (y - ay) // (by - ay)
                for ring in self._rings[place]
                for n in ring
                for (ax, ay), (bx, by) in pairwise(self._points[n if n >= 0 else ~n])
                if (ay > y) != (by > y)
            )
        return known

    def middle(self, place: int) -> Point:
        x, y, w, h = self.room[place]
        return x + w // 2, y + h // 2


_kept: list[tuple[Mapping[str, Any], Outlines]] = []


def outlines_of(data: Mapping[str, Any]) -> Outlines:
    """Of a file that has been read; the last is kept."""
    if not _kept or _kept[0][0] is not data:
        _kept[:] = [(data, Outlines(data))]
    return _kept[0][1]


class Block:
    """What stands on one place: its name, its holder's flag with its worth, its chips in rows."""

    def __init__(self, spot: Spot, pieces: Sequence[Piece], box: Box, holder: Side | None = None) -> None:
        self.spot, self.pieces, self.holder = spot, pieces, holder
        room = max(box[2], 70)
        self.size = TINY if spot.neutral and box[2] < 70 else SMALL if spot.sea or spot.neutral else LETTER
        self.bold = not spot.sea and not spot.neutral
        lines = wrap(spot.name, self.size, room) if spot.name else []
        if len(lines) > 3:
            lines = wrap(spot.name, self.size, room * 3 // 2)
        self.lines = lines
        self.rows = self._rows(box)
        self.badge = 32 if spot.worth else 20 if holder else 0
        self.letters = max((width(line, self.size, bold=self.bold) for line in lines), default=0)
        self.wide = max([self.letters + self.badge, *(self._row_wide(row) for row in self.rows)])
        self.head = len(lines) * (self.size + 1) + 3
        self.high = self.head + len(self.rows) * (CHIP_HIGH + GAP)

    def _rows(self, box: Box) -> list[list[Piece]]:
        best: tuple[int, list[list[Piece]]] | None = None
        for limit in (70, 140, 200, 260, 330):
            rows: list[list[Piece]] = []
            wide = 0
            for piece in self.pieces:
                need = chip_wide(piece) + GAP
                if not rows or wide + need > limit:
                    rows.append([])
                    wide = 0
                rows[-1].append(piece)
                wide += need
            broad = max((self._row_wide(row) for row in rows), default=0)
            high = len(rows) * (CHIP_HIGH + GAP) + self.size * 2
            over = max(0, broad - box[2]) * high + max(0, high - box[3]) * broad
            if best is None or over < best[0]:
                best = (over, rows)
        return best[1] if best else []

    @staticmethod
    def _row_wide(row: Sequence[Piece]) -> int:
        return sum(chip_wide(piece) + GAP for piece in row) - GAP

    def paint(self, canvas: Canvas, sides: Mapping[str, Side], left: int, top: int) -> None:
        middle = left + self.wide // 2
        y = top
        name = "n-zone" if self.spot.sea else "faint mid" if self.spot.neutral else "title" if self.badge else "n-town"
        start = middle - (self.letters + self.badge) // 2
        for line in self.lines:
            y += self.size + 1
            canvas.text(start + self.badge if self.badge else middle, y - 3, line, f"{name} halo", self.size)
        if self.badge:
            flag(canvas, self.spot, self.holder, start + self.badge // 2 - 3, top + self.head // 2)
        y = top + self.head
        for row in self.rows:
            x = middle - self._row_wide(row) // 2
            for piece in row:
                chip(canvas, piece, sides[piece.side], x, y)
                x += chip_wide(piece) + GAP
            y += CHIP_HIGH + GAP


def flag(canvas: Canvas, spot: Spot, holder: Side | None, x: int, y: int) -> None:
    """Who holds a place and what it is worth: in the colour and shape of his counters, a works where units are made,
    with a star if it is a capital."""
    r = 13 if spot.worth else 7
    round_one = holder is not None and holder.colour in ROUND
    canvas.open(f"s-{holder.colour}" if holder else "worth", f"{holder.name}" if holder else "")
    if spot.works:
        roof = "".join(f"L{x - r + k * 2 * r // 3} {y - r + 1}V{y - 4}" for k in (1, 2))
        canvas.path(f"M{x - r - 2} {y + r}V{y - 4}{roof}L{x + r + 2} {y - r + 1}V{y + r}Z", "edge")
    elif round_one:
        canvas.circle(x, y, r, "edge")
    else:
        canvas.rect(x - r, y - r, 2 * r, 2 * r, "edge", 2)
    if spot.worth:
        canvas.text(
            x, y + (10 if spot.works else 6), spot.worth, "c-text" if holder else "worth-ink", 15 if spot.works else 17
        )
    if spot.capital:
        star = ((0, -10), (3, -3), (10, -3), (4, 2), (6, 9), (0, 5), (-6, 9), (-4, 2), (-10, -3), (-3, -3))
        canvas.path(path_of([(x - r + dx, y - r + dy) for dx, dy in star], closed=True), "capital")
    canvas.close()


def paint_ground(canvas: Canvas, scene: Scene) -> tuple[int, int]:
    """The places and who holds them, without names and units."""
    ground = scene.ground
    assert isinstance(ground, AreaGround)
    shapes = outlines_of(ground.outlines)
    _ground(canvas, scene, ground, shapes, {side.key: side for side in scene.sides}, apart=False)
    _edges(canvas, ground, shapes, Room((2, 2, shapes.width - 2, shapes.height - 2)))
    return shapes.width, shapes.height


def paint_areas(canvas: Canvas, scene: Scene, *, apart: bool = False, over: bool = False) -> tuple[int, int]:
    """`apart`: every place is an element by itself, and the page clips the picture. `over`: without the ground,
    which lies below."""
    ground = scene.ground
    assert isinstance(ground, AreaGround)
    shapes = outlines_of(ground.outlines)
    sides = {side.key: side for side in scene.sides}
    apart = apart or over
    if not apart:
        canvas.define("clip", f'<clipPath id="clip"><rect width="{shapes.width}" height="{shapes.height}"/></clipPath>')
        canvas.raw('<g clip-path="url(#clip)">')
    if not over:
        canvas.layer("ground")
        _ground(canvas, scene, ground, shapes, sides, apart=apart)
    room = Room((2, 2, shapes.width - 2, shapes.height - 2))
    _edges(Canvas() if over else canvas, ground, shapes, room)
    placed = settle(scene, ground, shapes, room)
    where = {place: _core(box, block) for place, (block, box) in placed.items()}
    solid = {place: box for place, (_, box) in placed.items()}
    canvas.layer("bursts")
    for mark in scene.marks:
        if mark.place in where:
            happened.burst(canvas, where[mark.place], 2)
    canvas.layer("arrows")
    for each in scene.arrows:
        if each.side in sides:
            _arrow(canvas, each, where, solid, sides[each.side], shapes.width)
    canvas.layer("stacks")
    for place, (block, box) in placed.items():
        if canvas.live:  # a click on it is meant for its place, even where it reaches over the border
            canvas.open(place=scene.keys.get(place, ""))
        block.paint(canvas, sides, box[0], box[1])
        if canvas.live:
            canvas.close()
    canvas.layer("battles")
    for key, fought in happened.battle_keys(scene.battles):
        if fought.place in placed:
            box = placed[fought.place][1]
            spot = ((box[0] + box[2]) // 2, (box[1] + box[3]) // 2)
            reach = (box[3] - box[1]) // 2 + 16
            happened.battle(canvas, fought, sides, spot, room, size=17, reach=reach, key=key)
    if not apart:
        canvas.close()
    return shapes.width, shapes.height


def _core(box: Box, block: Block) -> Point:
    """The middle of the chips."""
    return (box[0] + box[2]) // 2, (box[1] + block.head + box[3]) // 2


def _ground(
    canvas: Canvas, scene: Scene, ground: AreaGround, shapes: Outlines, sides: Mapping[str, Side], *, apart: bool
) -> None:
    hatch(canvas)
    fills: dict[str, list[str]] = {}
    for place, path in shapes.shape.items():
        spot = ground.spots.get(place)
        holder = sides.get(scene.control.get(place, ""))
        if place == shapes.closed:
            fill = "t-ice"
        elif spot is None or spot.sea:
            fill = "t-water"
        elif holder is not None:
            fill = f"a-{holder.colour}"
        else:
            fill = "a-neutral"
        fills.setdefault(fill, []).append(path)
        if apart:
            canvas.define(f"p{place}", f'<path id="p{place}" d="{path}"/>')
            canvas.use(f"p{place}", 0, 0, fill)
    for fill in () if apart else sorted(fills):
        canvas.path("".join(fills[fill]), fill)
    canvas.layer("lines")
    canvas.path(shapes.borders({place for place, spot in ground.spots.items() if spot.sea}), "z-line")
    canvas.path(shapes.borders({place for place, spot in ground.spots.items() if not spot.sea}), "a-line")
    for (ax, ay, bx, by), why in shapes.links:
        canvas.open("", why)
        link(canvas, (ax, ay), (bx, by))
        canvas.close()


def hatch(canvas: Canvas) -> None:
    """What `a-neutral` is filled with."""
    canvas.define(
        "hatch",
        '<pattern id="hatch" width="12" height="12" patternUnits="userSpaceOnUse">'
        '<rect width="12" height="12" class="hatch-ground"/>'
        '<path d="M-3 3L3-3M-3 15L15-3M9 15L15 9" class="hatch-line"/>'
        "</pattern>",
        "hatch-ground hatch-line",
    )


def link(canvas: Canvas, a: Point, b: Point) -> None:
    """Neighbours whose border is too short to be seen."""
    canvas.path(path_of([a, b]), "link-under")
    canvas.path(path_of([a, b]), "link")
    for x, y in (a, b):
        canvas.circle(x, y, 4, "link")


EDGE = 24  # how wide the margin is in which the places beyond the edge are named


def _edges(canvas: Canvas, ground: AreaGround, shapes: Outlines, room: Room) -> None:
    """The map goes once around the world: along its edges stands what lies beyond."""
    for top, bottom, left, right in shapes.across:
        middle = (top + bottom) // 2
        for x, place, turn in ((15, right, -90), (shapes.width - 15, left, 90)):
            spot = ground.spots[place]
            words = f"zone {spot.name}" if spot.sea else spot.name
            half = min(width(words, 15), bottom - top) // 2 + 16
            tip = 1 if turn > 0 else -1
            canvas.raw(
                f'<text x="0" y="5" transform="translate({x} {middle}) rotate({turn})" font-size="15" '
                f'class="n-edge halo">{safe(words)}</text>',
                "n-edge halo",
            )
            for y in (middle - half, middle + half):
                canvas.path(f"M{x - 5 * tip} {y - 6}L{x + 5 * tip} {y}L{x - 5 * tip} {y + 6}Z", "edge-tip")
            room.take((x - 14, middle - half - 8, x + 14, middle + half + 8))


def _homes(ground: AreaGround, shapes: Outlines) -> dict[int, Box]:
    """Room for each name with some rows of chips: where units are made first, then the tightest places. It depends on
    no units, so that nothing moves on the map when others do; it is found once for a map.
    """
    if shapes.homes:
        return shapes.homes
    room = Room((2, 2, shapes.width - 2, shapes.height - 2))
    _edges(Canvas(), ground, shapes, room)
    size = {place: box[2] * box[3] for place, box in shapes.room.items()}
    for place in sorted(ground.spots, key=lambda each: (not ground.spots[each].works, size[each], each)):
        spot, (x, y) = ground.spots[place], shapes.middle(place)
        block, rows = Block(spot, (), shapes.room[place]), _rows_kept(spot, shapes.room[place])
        flag_wide = 0 if block.badge or spot.sea or spot.neutral else FLAG
        wide, high = max(block.wide + flag_wide, ROW if rows else 0), block.head + rows * (CHIP_HIGH + GAP)
        shapes.homes[place] = _own(place, around(x, y, wide + 4, high + 4), shapes, [room])
        room.take(shapes.homes[place])
    return shapes.homes


def _rows_kept(spot: Spot, box: Box) -> int:
    """How many rows of chips always have room: on land as many as the place holds, and some where units are made."""
    if spot.neutral or spot.sea:
        return 0 if spot.neutral else 1
    head = Block(spot, (), box).head
    return ROWS if spot.works else max(1, min(ROWS, -((head - box[3]) // (CHIP_HIGH + GAP))))


def _own(place: int, box: Box, shapes: Outlines, rooms: Sequence[Room], home: Box | None = None) -> Box:
    """The box moved to where all these rooms are free: near, and as far as can be on its own place. Where none is
    free, what covers least in the first. `home`: what is taken for it already.
    """
    left, top, right, bottom = box
    best: tuple[int, Box] | None = None
    for dx, dy in _NEARBY:
        far = FAR * isqrt(dx * dx + dy * dy)
        if best is not None and best[0] <= far:
            break
        moved = (left + dx, top + dy, right + dx, bottom + dy)
        if all(room.free(moved, home) for room in rooms):
            score = far + shapes.beyond(place, moved)
            if best is None or score < best[0]:
                best = score, moved
    if best is None:
        offered = [(left + dx, top + dy, right + dx, bottom + dy) for dx, dy in _NEARBY]
        return min(offered, key=rooms[0].cost)
    return best[1]


def settle(scene: Scene, ground: AreaGround, shapes: Outlines, room: Room) -> dict[int, tuple[Block, Box]]:
    """Where each block goes: its name where it always is, unless there is more than has room below it."""
    sides = {side.key: side for side in scene.sides}
    blocks = {
        place: Block(spot, scene.stacks.get(place, ()), shapes.room[place], sides.get(scene.control.get(place, "")))
        for place, spot in ground.spots.items()
    }
    solid = room.twin()
    homes = _homes(ground, shapes)
    for home in homes.values():
        room.take(home)
    at = {place: _below(home, blocks[place]) for place, home in homes.items()}
    large = [place for place, home in homes.items() if not _inside(at[place], home)]
    for place in at.keys() - set(large):
        solid.take(at[place])
    for place in large:
        at[place] = _own(place, at[place], shapes, [solid, room], homes[place])
        solid.take(at[place])
        room.take(at[place])
    return {place: (blocks[place], at[place]) for place in sorted(at)}


def _below(home: Box, block: Block) -> Box:
    """Under the upper edge of its home, in the middle."""
    left = (home[0] + home[2]) // 2 - block.wide // 2 - 2
    return left, home[1], left + block.wide + 4, home[1] + block.high + 4


def _inside(box: Box, home: Box) -> bool:
    return box[0] >= home[0] and box[2] <= home[2] and box[3] <= home[3]


FLAG, ROW = 20, 68  # how wide a flag is, and a chip with its number
ROWS = 3  # of chips for which there is always room, at most
FAR = 16  # a step away from the middle weighs as much as so many that lie outside
_NEARBY = tuple(
    sorted(
        ((dx * 8, dy * 7) for dx in range(-18, 19) for dy in range(-18, 19)),
        key=lambda d: (d[0] * d[0] + d[1] * d[1], d),
    )
)


def _arrow(
    canvas: Canvas, each: Arrow, where: Mapping[int, Point], solid: Mapping[int, Box], side: Side, wide: int
) -> None:
    """Along the path; once around the world it is drawn at both edges."""
    path = [place for place in each.path if place in where]
    points = [where[place] for place in path]
    for way in _unrolled(points, wide):
        left, top, right, bottom = solid[path[-1]]
        shift = way[-1][0] - points[-1][0]
        short = happened.reach((left + shift, top, right + shift, bottom), way[-1], way[-2]) if len(way) > 1 else 0
        happened.arrow(canvas, way, each.kind, side, title=each.text, short=short, scale=90 + 12 * min(each.many, 6))


def _unrolled(points: Sequence[Point], wide: int) -> list[list[Point]]:
    """The way without jumps across the map, as often as parts of it are in sight."""
    if not points:
        return []
    way, shift = [points[0]], 0
    for (ax, _), (bx, by) in pairwise(points):
        if bx - ax > wide // 2:
            shift -= wide
        elif ax - bx > wide // 2:
            shift += wide
        way.append((bx + shift, by))
    shifts = sorted({(x // wide) * wide for x, _ in way})
    return [[(x - s, y) for x, y in way] for s in shifts]
