"""Finding room: rectangles that are taken, and the first of several places where something fits."""

from __future__ import annotations

from collections.abc import Iterable

Box = tuple[int, int, int, int]  # left, top, right, bottom
_CELL = 128


def around(x: int, y: int, w: int, h: int) -> Box:
    """A box with its middle there."""
    return (x - w // 2, y - h // 2, x + w - w // 2, y + h - h // 2)


class Room:
    """Taken boxes, in a coarse grid so that asking is quick."""

    def __init__(self, bounds: Box | None = None) -> None:
        self._cells: dict[tuple[int, int], list[Box]] = {}
        self._bounds = bounds

    def _over(self, box: Box) -> Iterable[tuple[int, int]]:
        for column in range(box[0] // _CELL, box[2] // _CELL + 1):
            for row in range(box[1] // _CELL, box[3] // _CELL + 1):
                yield column, row

    def twin(self) -> Room:
        """Another one in which the same is taken."""
        made = Room(self._bounds)
        made._cells = {cell: list(boxes) for cell, boxes in self._cells.items()}
        return made

    def take(self, box: Box) -> None:
        for cell in self._over(box):
            self._cells.setdefault(cell, []).append(box)

    def free(self, box: Box, own: Box | None = None) -> bool:
        """`own`: what is taken for it already."""
        left, top, right, bottom = box
        bounds = self._bounds
        if bounds and (left < bounds[0] or top < bounds[1] or right > bounds[2] or bottom > bounds[3]):
            return False
        return not any(
            other != own and left < other[2] and right > other[0] and top < other[3] and bottom > other[1]
            for cell in self._over(box)
            for other in self._cells.get(cell, ())
        )

    def cost(self, box: Box) -> int:
        """How much of the box is taken."""
        left, top, right, bottom = box
        seen = {other for cell in self._over(box) for other in self._cells.get(cell, ())}
        return sum(
            max(0, min(right, other[2]) - max(left, other[0])) * max(0, min(bottom, other[3]) - max(top, other[1]))
            for other in seen
        )

    def first(self, boxes: Iterable[Box]) -> Box | None:
        """Takes the first that is free; None if none is."""
        for box in boxes:
            if self.free(box):
                self.take(box)
                return box
        return None

    def best(self, boxes: Iterable[Box]) -> Box:
        """Takes the first that is free, or the one that covers least."""
        offered = list(boxes)
        found = self.first(offered)
        if found is None:
            found = min(offered, key=self.cost)
            self.take(found)
        return found
