"""A scene as one picture: heading, map, what is beside it, legend."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kit.scene import HexGround, Scene
from pbem.pictures import happened
from pbem.pictures.areamap import paint_areas
from pbem.pictures.aside import heading, legend, panels
from pbem.pictures.counters import stack, stack_size
from pbem.pictures.hexmap import layer_of
from pbem.pictures.placing import Room, around
from pbem.pictures.svg import Canvas, line

LOOKS = ("auto", "light", "dark")


@dataclass(frozen=True, slots=True)
class Extent:
    width: int
    height: int


def hex_scene(canvas: Canvas, scene: Scene) -> Extent:
    """The map of a hex game with all that stands on it."""
    ground = scene.ground
    assert isinstance(ground, HexGround)
    layer = layer_of(ground)
    sides = {side.key: side for side in scene.sides}
    room = Room((4, 4, layer.width - 4, layer.height - 4))
    canvas.layer("ground")
    layer.paint(canvas)
    canvas.layer("fronts")
    layer.fronts(canvas, scene.control, sides)
    canvas.layer("goals")
    layer.goals(canvas, scene, sides, room)
    canvas.layer("marks")
    for mark in scene.marks:
        if mark.place in layer.spots:
            _mark(canvas, mark.kind, layer.spots[mark.place], mark.text)
    canvas.layer("arrows")
    spots = layer.spots
    for each in scene.arrows:
        if each.kind != "attack" and each.side in sides:
            way = [spots[place] for place in each.path if place in spots]
            happened.arrow(canvas, way, each.kind, sides[each.side], title=each.text)
    canvas.layer("bursts")
    for fought in scene.battles:
        if fought.place in spots and fought.place not in scene.stacks:
            happened.burst(canvas, spots[fought.place])
    canvas.layer("stacks")
    for place, pieces in scene.stacks.items():
        if place in spots:
            x, y = spots[place]
            stack(canvas, pieces, sides, x, y)
            wide, high = stack_size(pieces)
            room.take(around(x, y, wide + 4, high + 4))
    canvas.layer("stars")
    layer.stars(canvas)
    canvas.layer("attacks")
    for each in scene.arrows:
        if each.kind == "attack" and each.side in sides:
            way = [spots[place] for place in each.path if place in spots]
            happened.arrow(canvas, way, each.kind, sides[each.side], title=each.text)
    canvas.layer("battles")
    for fought in scene.battles:
        if fought.place in spots:
            happened.battle(canvas, fought, sides, spots[fought.place], room)
    canvas.layer("names")
    layer.names(canvas, room, scene.stacks)
    return Extent(layer.width, layer.height)


def _mark(canvas: Canvas, kind: str, spot: tuple[int, int], text: str) -> None:
    """Markers that lie on a hex whether or not somebody stands there."""
    x, y = spot
    canvas.open("", text)
    if kind == "target":
        canvas.circle(x, y, 46, "m-target")
    elif kind == "counterblow":
        canvas.path(line([(x, y - 50), (x + 50, y), (x, y + 50), (x - 50, y)], closed=True), "m-blow")
    elif kind == "works":
        canvas.path(f"M{x - 46} {y + 30}V{y - 30}H{x + 46}V{y + 30}", "m-works")
    else:
        canvas.path(f"M{x - 40} {y - 40}L{x + 40} {y + 40}M{x + 40} {y - 40}L{x - 40} {y + 40}", "m-other")
    canvas.close()


def ground(canvas: Canvas, scene: Scene, *, apart: bool = False) -> Extent:
    """The map. `apart`: what can change by itself is an element by itself."""
    if isinstance(scene.ground, HexGround):
        return hex_scene(canvas, scene)
    return Extent(*paint_areas(canvas, scene, apart=apart))


def map_svg(scene: Scene, look: str = "auto") -> str:
    """Only the map, for pages."""
    canvas = Canvas()
    extent = ground(canvas, scene)
    return canvas.finish(extent.width, extent.height, scene.title, look=look, label=_label(scene))


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
    return canvas.finish(extent.width, foot + size, scene.title, look=look, label=_label(scene), paper=True)


def _label(scene: Scene) -> str:
    return ". ".join([scene.title, *scene.lines])
