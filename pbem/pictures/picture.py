"""A scene as one picture: heading, map, what is beside it, legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.kit.scene import HexGround, Piece, Scene
from pbem.pictures import happened
from pbem.pictures.areamap import outlines_of, paint_areas
from pbem.pictures.aside import heading, legend, panels
from pbem.pictures.ground import layer_of
from pbem.pictures.marks import mark
from pbem.pictures.pieces import stack, stack_size
from pbem.pictures.placing import Box, Room, around
from pbem.pictures.svg import Canvas, Point

LOOKS = ("auto", "light", "dark")


@dataclass(frozen=True, slots=True)
class Extent:
    width: int
    height: int


def hex_scene(canvas: Canvas, scene: Scene, *, over: bool = False) -> Extent:
    """The map of a hex game with all that stands on it; `over`: what stands on it alone, for a map that lies below."""
    ground = scene.ground
    assert isinstance(ground, HexGround)
    layer = layer_of(ground)
    sides = {side.key: side for side in scene.sides}
    room = Room((4, 4, layer.width - 4, layer.height - 4))
    if not over:
        canvas.layer("ground")
        layer.paint(canvas)
    canvas.layer("fronts")
    layer.fronts(canvas, scene.control, sides)
    canvas.layer("goals")
    layer.goals(canvas, scene, sides, room)
    canvas.layer("marks")
    for lying in scene.marks:
        if lying.place in layer.spots:
            mark(canvas, lying.kind, layer.spots[lying.place], lying.text)
    if not over:
        canvas.layer("spots")
        layer.spotted(canvas, room, scene.stacks)
    canvas.layer("arrows")
    spots = layer.spots
    boxes = {place: _box(spots[place], pieces) for place, pieces in scene.stacks.items() if place in spots}
    for each in scene.arrows:
        if each.kind != "attack" and each.side in sides:
            way = [spots[place] for place in each.path if place in spots]
            box = boxes.get(each.path[-1])
            short = happened.reach(box, way[-1], way[-2]) if box and len(way) > 1 else 6
            happened.arrow(canvas, way, each.kind, sides[each.side], title=each.text, short=short)
    canvas.layer("bursts")
    for fought in scene.battles:
        if fought.place in spots:
            happened.burst(canvas, spots[fought.place], 2 if fought.place in boxes else 1)
    canvas.layer("stacks")
    for place, box in boxes.items():
        stack(canvas, scene.stacks[place], sides, *spots[place])
        room.take(box)
    canvas.layer("attacks")
    for each in scene.arrows:
        if each.kind == "attack" and each.side in sides:
            way = [spots[place] for place in each.path if place in spots]
            box = boxes.get(each.path[0])
            out = happened.reach(box, way[0], way[-1]) if box else 0
            happened.arrow(canvas, way, each.kind, sides[each.side], title=each.text, short=out)
    canvas.layer("stars")
    layer.stars(canvas)
    canvas.layer("battles")
    for key, fought in happened.battle_keys(scene.battles):
        if fought.place in spots:
            happened.battle(canvas, fought, sides, spots[fought.place], room, lead=True, key=key)
    if not over:
        canvas.layer("names")
        layer.names(canvas, room)
    return Extent(layer.width, layer.height)


def _box(spot: tuple[int, int], pieces: Sequence[Piece]) -> Box:
    """What the counters of a hex cover, and a little more."""
    wide, high = stack_size(pieces)
    return around(*spot, wide + 4, high + 2)


def ground(canvas: Canvas, scene: Scene, *, apart: bool = False) -> Extent:
    """The map. `apart`: what can change by itself is an element by itself."""
    if isinstance(scene.ground, HexGround):
        return hex_scene(canvas, scene)
    return Extent(*paint_areas(canvas, scene, apart=apart))


def middle_of(scene: Scene) -> Point | None:
    """Where something happened last: the last battle, or the end of the last arrow; None if nothing did."""
    places = [each.place for each in scene.battles] or [each.path[-1] for each in scene.arrows if each.path]
    if isinstance(scene.ground, HexGround):
        spots = layer_of(scene.ground).spots
        return next((spots[place] for place in reversed(places) if place in spots), None)
    shapes = outlines_of(scene.ground.outlines)
    return next((shapes.middle(place) for place in reversed(places) if place in shapes.room), None)


def map_svg(scene: Scene, look: str = "auto") -> str:
    """Only the map, for pages."""
    canvas = Canvas()
    extent = ground(canvas, scene)
    return canvas.finish(extent.width, extent.height, scene.title, look=look, label=described(scene))


def board_svg(scene: Scene, look: str = "auto") -> str:
    """The whole board as one SVG document."""
    inner = Canvas()
    extent = ground(inner, scene)
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
