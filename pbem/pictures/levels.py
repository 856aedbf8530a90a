"""Large maps in three levels, drawn from one scene, and the windows of it in which something happened.

`whole`: the front, victory hexes, a bar for each stack. `sheet`: symbols, steps, the strengths that matter most.
`close`: everything. `every`: all three at once, of which a page shows the one that its reader chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.kit.hexes import Grid, column_row
from pbem.kit.scene import HexGround, Piece, Scene, Side
from pbem.pictures.svg import Canvas

WHOLE, SHEET, CLOSE, EVERY = "whole", "sheet", "close", "every"
LEVELS = (WHOLE, SHEET, CLOSE)
BAR_HIGH, BAR_WIDE = 36, 84
BARE, A_STEP = 20, 9  # how long a bar is, and by how much more for each step
WINDOW = 9, 8  # columns and rows
MOST_WINDOWS = 8
A_FIGHT = 4  # what a battle weighs, as arrows
ROOM = 240_000  # characters of all windows of a page: a report goes with a mail
STYLE = (
    ".only-whole,.only-sheet,.only-close{display:none}"
    ".view .whole:checked~.map .not-whole{display:none}.view .whole:checked~.map .only-whole{display:inline}"
    ".view .plain:checked~.map .only-sheet{display:inline}.view .near:checked~.map .only-close{display:inline}"
    ".levels .whole:checked~.map svg{max-height:84vh}"
    ".windows{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,560px),1fr));gap:12px;margin:12px 0}"
    ".windows figure{margin:0;overflow:auto;border-radius:8px}.windows svg{display:block;width:100%;min-width:520px}"
    ".windows .all{max-width:520px}.windows .all svg{min-width:0;max-height:88vh}"
    "@media print{.windows figure{break-inside:avoid}.windows svg{min-width:0;max-height:120mm}}"
)


def begin(canvas: Canvas, level: str, what: str) -> bool:
    """Opens what is drawn in some levels: `only-whole`, `only-sheet`, `only-close`, `not-whole`. False: not in this."""
    if level == EVERY:
        canvas.raw(f'<g class="{what}">')
        return True
    kind, _, named = what.partition("-")
    return (level == named) is (kind == "only")


def end(canvas: Canvas, level: str) -> None:
    if level == EVERY:
        canvas.raw("</g>")


def bar(canvas: Canvas, pieces: Sequence[Piece], sides: Mapping[str, Side], x: int, y: int) -> None:
    """A stack where nothing could be read: the longer, the more steps."""
    wide = min(BAR_WIDE, BARE + A_STEP * sum(piece.steps * piece.many for piece in pieces))
    side = sides[pieces[0].side]
    canvas.rect(x - wide // 2, y - BAR_HIGH // 2, wide, BAR_HIGH, f"s-{side.colour} edge", 3)


# Windows


def windows(scene: Scene) -> list[frozenset[int]]:
    """The cells of windows onto what happened, the busiest first, in which each battle and arrow's end is seen."""
    board = scene.ground.map.board if isinstance(scene.ground, HexGround) else None
    grid = board.grid if board else None
    if board is None or grid is None:
        return []
    weights: dict[int, int] = {}
    for fought in scene.battles:
        weights[fought.place] = weights.get(fought.place, 0) + A_FIGHT
    for each in scene.arrows:
        for place in each.path[-1:]:
            if place in grid:
                weights[place] = weights.get(place, 0) + 1
    found: list[frozenset[int]] = []
    while weights and len(found) < MOST_WINDOWS:
        left = min(
            sorted(_corners(grid, weights)),
            key=lambda corner: (-sum(weight for place, weight in weights.items() if _inside(place, corner)), corner),
        )
        cells = frozenset(cell for cell in grid if cell in board and _inside(cell, left))
        weights = {place: weight for place, weight in weights.items() if place not in cells}
        found.append(cells)
    return found


def _inside(place: int, corner: tuple[int, int]) -> bool:
    column, row = column_row(place)
    return 0 <= column - corner[0] < WINDOW[0] and 0 <= row - corner[1] < WINDOW[1]


def _corners(grid: Grid, places: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Where a window may begin: so that a place lies in its middle, as far as the map allows."""
    for place in places:
        column, row = column_row(place)
        yield (
            max(grid.first, min(column - WINDOW[0] // 2, grid.first + grid.columns - WINDOW[0])),
            max(grid.first_row, min(row - WINDOW[1] // 2, grid.first_row + grid.rows - WINDOW[1])),
        )
