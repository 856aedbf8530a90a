"""A scene as a board to click on: the map as one picture that lies below, layers over it, and the places to hit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from pbem.kit.scene import AreaGround, HexGround, Piece, Scene
from pbem.pictures.areamap import outlines_of, paint_areas, paint_ground
from pbem.pictures.ground import HexLayer, Hit, layer_of
from pbem.pictures.levels import CLOSE
from pbem.pictures.page import piece_markup
from pbem.pictures.picture import hex_scene
from pbem.pictures.placing import Room
from pbem.pictures.svg import Canvas, line
from pbem.pictures.theme import SIDES, sheet


class LiveRow(NamedTuple):
    text: str
    key: str
    about: str
    pieces: tuple[tuple[Piece, str], ...]  # each with its picture


class LivePanel(NamedTuple):
    title: str
    colour: str
    rows: tuple[LiveRow, ...]


class Live(NamedTuple):
    """`ground`: a document of its own; `layers`: markup to be put one upon another over it, with `defs` and `css`.

    `shapes`: the outline of each place, where places are not hexes; else `cell` is that of all, around its middle.
    """

    width: int
    height: int
    ground: str
    layers: dict[str, str]
    defs: str
    css: str
    spots: tuple[Hit, ...]
    shapes: dict[str, str]
    cell: str
    panels: tuple[LivePanel, ...]
    levels: bool


def live(scene: Scene, level: str = CLOSE) -> Live:
    """`level`: how closely a large map is looked at (pictures/levels.py); of others, all is drawn."""
    over = Canvas(live=True)
    levels = isinstance(scene.ground, HexGround) and scene.ground.levels
    if isinstance(scene.ground, HexGround):
        extent = hex_scene(over, scene, level if levels else CLOSE, over=True)
        layer = layer_of(scene.ground)
        width, height, (ground, names) = extent.width, extent.height, _hexes(layer)
        over.layer("names")
        over.embed(names, (0, 0))
        spots = layer.hits(scene.keys)
        shapes: dict[str, str] = {}
        cell = line(layer.geometry.corners, closed=True)
    else:
        assert isinstance(scene.ground, AreaGround)
        below = Canvas()
        width, height = paint_ground(below, scene)
        paint_areas(over, scene, over=True)
        ground = below.finish(width, height, scene.title)
        outlines = outlines_of(scene.ground.outlines)
        places = {place: key for place, key in scene.keys.items() if place in outlines.shape}
        spots = tuple((key, *outlines.middle(place)) for place, key in places.items())
        shapes = {key: outlines.shape[place] for place, key in places.items()}
        cell = ""
    layers = over.markup()
    panels = tuple(_panels(scene, over))
    over.note(" ".join(f"e-{colour}" for colour in SIDES))
    css = sheet(over.used)
    return Live(width, height, ground, layers, over.definitions, css, spots, shapes, cell, panels, levels)


def _panels(scene: Scene, kept: Canvas) -> Iterator[LivePanel]:
    sides = {side.key: side for side in scene.sides}
    chips = not isinstance(scene.ground, HexGround)
    for panel in scene.panels:
        rows = tuple(
            LiveRow(
                row.text,
                row.key,
                row.about,
                tuple((each, piece_markup(kept, each, sides[each.side], chips=chips)) for each in row.pieces),
            )
            for row in panel.rows
        )
        yield LivePanel(panel.title, sides[panel.side].colour if panel.side in sides else "", rows)


@lru_cache(maxsize=4)
def _hexes(layer: HexLayer) -> tuple[str, Canvas]:
    """The map with its numbers, and names to lie above all; kept, since they do not change."""
    canvas, names = Canvas(), Canvas()
    room = Room((4, 4, layer.width - 4, layer.height - 4))
    layer.paint(canvas)
    layer.spotted(canvas, room, ())
    layer.names(names, room)
    return canvas.finish(layer.width, layer.height, "Map"), names
