"""A scene as a page: one file without scripts, fonts or anything else from elsewhere; the map scrolls where it must."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kit.scene import HexGround, Panel, Piece, Scene, Side
from pbem.pictures import happened
from pbem.pictures.aside import samples_of
from pbem.pictures.board import described, ground
from pbem.pictures.counters import CHIP_HIGH, HIGH, WIDE, chip, chip_wide, counter
from pbem.pictures.placing import Room
from pbem.pictures.svg import Canvas, safe
from pbem.pictures.theme import sheet

_STYLE = (
    "*{box-sizing:border-box}body{margin:0;font:16px/1.45 sans-serif}"
    "main{max-width:2000px;margin:0 auto;padding:12px 16px}"
    "h1{font-size:1.5rem;margin:.2em 0}h2{font-size:1.05rem;margin:0 0 .4em}"
    ".where{margin:.1em 0}.map{overflow:auto;margin:12px 0;border-radius:8px;-webkit-overflow-scrolling:touch}"
    ".map svg{display:block;width:100%;height:auto}.panels{display:flex;flex-wrap:wrap;gap:12px}"
    ".panels section{flex:1 1 260px;padding:10px 14px;border-radius:8px;border-left:8px solid}"
    ".row{margin:.25em 0}.units{display:inline-block;margin-right:16px}"
    ".row svg{vertical-align:middle;margin:2px 3px 2px 0;overflow:visible}"
    "h2{margin-top:1.2em}.panels h2{margin-top:0}.columns{columns:2 340px;column-gap:32px}"
    "ul{margin:.3em 0;padding-left:1.2em}"
    ".columns h2{margin:.2em 0}.panels{margin-top:16px}"
    ".columns section{break-inside:avoid}.fights{list-style:none;padding:0}"
    ".fights svg{vertical-align:middle;margin:2px 6px 2px 0}"
    ".owed{padding:10px 14px;border-radius:8px;border-left:8px solid #c98f1b}"
    ".legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:16px 0;font-size:.9rem;list-style:none;padding:0}"
    ".legend li{display:flex;align-items:center;gap:8px}.credits{font-size:.75rem}"
)
_DAY = "body{background:#fbfaf6;color:#1d2023}.panels section{background:#fff;border-color:#bbb}.credits{color:#6b6c69}"
_NIGHT = (
    "body{background:#15181c;color:#e8e6e0}.panels section{background:#1d2126;border-color:#555}.credits{color:#9b9c99}"
)
HEX_PIXELS = 62  # the least width of a hex on a screen: a narrower one scrolls the map
AREA_PIXELS = 1500  # the least width of an area map


class Page:
    """A document in the making: what its pictures use is defined once."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.kept = Canvas()
        self.parts: list[str] = []
        self._sides = {side.key: side for side in scene.sides}
        self._chips = not isinstance(scene.ground, HexGround)

    def text(self, tag: str, words: str, name: str = "") -> None:
        self.parts.append(f"<{tag}{f' class={name}' if name else ''}>{safe(words)}</{tag}>")

    def listing(self, lines: Sequence[str]) -> None:
        self.parts.append(f"<ul>{''.join(f'<li>{safe(each)}</li>' for each in lines)}</ul>")

    def heading(self, title: str) -> None:
        self.text("h1", title)
        for each in self.scene.lines:
            self.text("p", each, "where")

    def map(self) -> None:
        board = Canvas()
        extent = ground(board, self.scene)
        least = AREA_PIXELS if self._chips else extent.width * HEX_PIXELS // 104
        told = f'role="img" aria-label="{safe(described(self.scene))}"'
        picture = board.inline(extent.width, extent.height, f'{told} style="min-width:{least}px"')
        self.kept.share(board)
        self.parts.append(f'<div class="map" tabindex="0">{picture}</div>')

    def panels(self) -> None:
        told = (panel_markup(self.kept, each, self._sides, chips=self._chips) for each in self.scene.panels)
        self.parts.append(f'<div class="panels">{"".join(told)}</div>')

    def battles(self) -> None:
        """The fights with their dice."""
        rows = []
        for fought in self.scene.battles:
            canvas = Canvas()
            wide, high = happened.battle_size(fought, 18)
            happened.battle(canvas, fought, self._sides, (wide // 2 + 1, high // 2 + 1), Room(), reach=0)
            self.kept.share(canvas)
            more = f'width="{wide + 2}" height="{high + 2}" aria-hidden="true"'
            rows.append(f"<li>{canvas.inline(wide + 2, high + 2, more)} {safe(fought.text)}</li>")
        self.parts.append(f'<ul class="fights">{"".join(rows)}</ul>')

    def foot(self) -> None:
        """Legend and credits."""
        items = []
        for text, high, draw in samples_of(self.scene):
            canvas = Canvas()
            draw(canvas, 36, high // 2)
            self.kept.share(canvas)
            items.append(f"<li>{canvas.inline(72, high, f'width=72 height={high} aria-hidden=true')}{safe(text)}</li>")
        self.parts.append(f'<ul class="legend">{"".join(items)}</ul>')
        if self.scene.credits:
            self.parts.append(f'<p class="credits">{"<br>".join(map(safe, self.scene.credits))}</p>')

    def finish(self, title: str, look: str) -> str:
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{safe(title)}</title><style>{_STYLE}{_look(look)}{sheet(self.kept.used, look)}</style></head>"
            '<body><svg width="0" height="0" style="position:absolute" aria-hidden="true">'
            f"<defs>{self.kept.definitions}</defs></svg><main>{''.join(self.parts)}</main></body></html>\n"
        )


def page(scene: Scene, look: str = "auto") -> str:
    """The whole board as one HTML document."""
    made = Page(scene)
    made.heading(scene.title)
    made.map()
    made.panels()
    made.foot()
    return made.finish(scene.title, look)


def _look(look: str) -> str:
    if look == "auto":
        return f"{_DAY}@media screen and (prefers-color-scheme:dark){{{_NIGHT}}}"
    return _NIGHT if look == "dark" else _DAY


def panel_markup(kept: Canvas, panel: Panel, sides: dict[str, Side], *, chips: bool) -> str:
    rows = []
    for row in panel.rows:
        pieces = "".join(_piece(kept, piece, sides[piece.side], chips=chips) for piece in row.pieces)
        rows.append(f'<div class="row{" units" if pieces else ""}">{safe(row.text)} {pieces}</div>')
    side = sides.get(panel.side)
    ink = f' class="e-{side.colour}"' if side else ""
    if side:
        kept.note(f"e-{side.colour}")
    return f"<section{ink}><h2>{safe(panel.title)}</h2>{''.join(rows)}</section>"


def _piece(kept: Canvas, piece: Piece, side: Side, *, chips: bool) -> str:
    canvas = Canvas()
    if chips:
        chip(canvas, piece, side, 1, 1)
        wide, high = chip_wide(piece) + 2, CHIP_HIGH + 2
    else:
        counter(canvas, piece, side, 1, 1)
        wide, high = WIDE + 4, HIGH + 4
    kept.share(canvas)
    return canvas.inline(wide, high, f'width="{wide}" height="{high}"')
