"""The ground of a map of areas."""

from __future__ import annotations

from pbem.kit.scene import AreaGround, Scene
from pbem.pictures.svg import Canvas


def paint_areas(canvas: Canvas, scene: Scene) -> tuple[int, int]:
    assert isinstance(scene.ground, AreaGround)
    return 100, 100
