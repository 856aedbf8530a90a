"""A scene as one picture: heading, map, what is beside it, legend."""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass

from pbem.kit.scene import HexGround, Piece, Scene
from pbem.pictures import happened
from pbem.pictures.areamap import outlines_of, paint_areas
from pbem.pictures.aside import heading, legend, panels
from pbem.pictures.ground import layer_of
from pbem.pictures.levels import CLOSE, bar, begin, end
from pbem.pictures.marks import mark
from pbem.pictures.pieces import stack, stack_size
from pbem.pictures.placing import Box, Room, around
from pbem.pictures.svg import Canvas, Point, line

LOOKS = ("auto", "light", "dark")


@dataclass(frozen=True, slots=True)
class Extent:
    width: int
    height: int


def hex_scene(
    canvas: Canvas,
    scene: Scene,
    level: str = CLOSE,
    cells: Collection[int] | None = None,
    keys: Container[str] = (),
    *,
    over: bool = False,
) -> Extent:
    """The map of a hex game with all that stands on it. `cells`: only these; `keys`: of battles drawn elsewhere.

    `over`: what stands on it alone, for a map that lies below.
    """
    ground = scene.ground
    assert isinstance(ground, HexGround)
    layer = layer_of(ground)
    sides = {side.key: side for side in scene.sides}
    room = Room((4, 4, layer.width - 4, layer.height - 4))
    if not over:
        canvas.layer("ground")
        layer.paint(canvas, level, cells)
    spots = layer.spots if cells is None else {place: layer.spots[place] for place in cells}
    if scene.gauges:
        canvas.layer("gauges")
        layer.gauges(canvas, scene, sides, level, cells)
    canvas.layer("fronts")
    layer.fronts(canvas, scene.front or scene.control, sides, level, cells)
    if layer.beyond:
        layer.outside(canvas, scene, sides, level, cells)
    canvas.layer("goals")
    layer.goals(canvas, scene, sides, room, cells)
    canvas.layer("marks")
    if begin(canvas, level, "not-whole"):
        for lying in scene.marks:
            if lying.place in spots:
                mark(canvas, lying.kind, spots[lying.place], lying.text)
        end(canvas, level)
    if not over:
        canvas.layer("spots")
        layer.spotted(canvas, room, scene.stacks, level, cells)
    canvas.layer("arrows")
    boxes = {place: _box(spots[place], pieces) for place, pieces in scene.stacks.items() if place in spots}
    for each in scene.arrows:
        if each.kind != "attack" and each.side in sides and any(place in spots for place in each.path):
            way = [layer.spots[place] for place in each.path if place in layer.spots]
            box = boxes.get(each.path[-1])
            short = happened.reach(box, way[-1], way[-2]) if box and len(way) > 1 else 6
            if begin(canvas, level, "only-whole"):
                canvas.path(line((way[0], way[-1])), f"trail k-{sides[each.side].colour}")
                end(canvas, level)
            if begin(canvas, level, "not-whole"):
                happened.arrow(canvas, way, each.kind, sides[each.side], title=each.text, short=short)
                end(canvas, level)
    canvas.layer("bursts")
    for fought in scene.battles:
        if fought.place in spots:
            happened.burst(canvas, spots[fought.place], 2 if fought.place in boxes else 1)
    canvas.layer("stacks")
    if begin(canvas, level, "only-whole"):
        for place in boxes:
            bar(canvas, scene.stacks[place], sides, *spots[place])
        end(canvas, level)
    if begin(canvas, level, "not-whole"):
        for place, box in boxes.items():
            stack(canvas, scene.stacks[place], sides, *spots[place], level)
            room.take(box)
        end(canvas, level)
    canvas.layer("attacks")
    if begin(canvas, level, "not-whole"):
        for each in scene.arrows:
            if each.kind == "attack" and each.side in sides and any(place in spots for place in each.path):
                way = [layer.spots[place] for place in each.path if place in layer.spots]
                box = boxes.get(each.path[0])
                out = happened.reach(box, way[0], way[-1]) if box else 0
                happened.arrow(canvas, way, each.kind, sides[each.side], title=each.text, short=out)
        end(canvas, level)
    canvas.layer("stars")
    layer.stars(canvas, level, cells)
    canvas.layer("battles")
    if begin(canvas, level, "not-whole"):
        for key, fought in happened.battle_keys(scene.battles):
            if fought.place in spots:
                shown = "" if key in keys else key
                happened.battle(canvas, fought, sides, spots[fought.place], room, lead=True, key=shown)
        end(canvas, level)
    if not over:
        canvas.layer("names")
        layer.names(canvas, room, level, cells)
    return Extent(layer.width, layer.height)


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a map: the canvas of it, where it begins, how large it is."""

    canvas: Canvas
    at: Point
    extent: Extent


def window(scene: Scene, cells: Collection[int], level: str = CLOSE, keys: Container[str] = ()) -> Window:
    """These hexes, and a little more around them."""
    assert isinstance(scene.ground, HexGround)
    canvas, layer = Canvas(), layer_of(scene.ground)
    hex_scene(canvas, scene, level, cells, keys)
    corners = [corner for cell in cells for corner in layer.geometry.hex(cell)]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    right, foot = max(x for x, _ in corners), max(y for _, y in corners)
    return Window(canvas, (left - 8, top - 8), Extent(right - left + 16, foot - top + 16))


def _box(spot: tuple[int, int], pieces: Sequence[Piece]) -> Box:
    """What the counters of a hex cover, and a little more."""
    wide, high = stack_size(pieces)
    return around(*spot, wide + 4, high + 2)


def ground(canvas: Canvas, scene: Scene, *, apart: bool = False, level: str = CLOSE) -> Extent:
    """The map. `apart`: what can change by itself is an element by itself."""
    if isinstance(scene.ground, HexGround):
        return hex_scene(canvas, scene, level)
    return Extent(*paint_areas(canvas, scene, apart=apart))


def middle_of(scene: Scene) -> Point | None:
    """Where something happened last: the last battle, or the end of the last arrow; None if nothing did."""
    places = [each.place for each in scene.battles] or [each.path[-1] for each in scene.arrows if each.path]
    if isinstance(scene.ground, HexGround):
        spots = layer_of(scene.ground).spots
        return next((spots[place] for place in reversed(places) if place in spots), None)
    shapes = outlines_of(scene.ground.outlines)
    return next((shapes.middle(place) for place in reversed(places) if place in shapes.room), None)


def map_svg(scene: Scene, look: str = "auto", level: str = CLOSE) -> str:
    """Only the map, for pages."""
    canvas = Canvas()
    extent = ground(canvas, scene, level=level)
    return canvas.finish(extent.width, extent.height, scene.title, look=look, label=described(scene))


def window_svg(scene: Scene, cells: Collection[int], look: str = "auto", level: str = CLOSE) -> str:
    """A part of the map as one SVG document."""
    shown = window(scene, cells, level)
    canvas = Canvas()
    canvas.embed(shown.canvas, (-shown.at[0], -shown.at[1]))
    return canvas.finish(shown.extent.width, shown.extent.height, scene.title, look=look, label=described(scene))


def board_svg(scene: Scene, look: str = "auto", level: str = CLOSE) -> str:
    """The whole board as one SVG document."""
    inner = Canvas()
    extent = ground(inner, scene, level=level)
    size = max(14, extent.width // 120)
    canvas = Canvas()
    top = heading(canvas, scene, size, extent.width)
    canvas.embed(inner, (0, top))
    foot = top + extent.height
    foot = panels(canvas, scene, size, extent.width, foot)
    foot = legend(canvas, scene, size, extent.width, foot)
    return canvas.finish(extent.width, foot + size, scene.title, look=look, label=described(scene), paper=True)


def described(scene: Scene) -> str:
    """What the picture is called for those who do not see it."""
    return ". ".join(each.rstrip(".") for each in (scene.title, *scene.lines))
