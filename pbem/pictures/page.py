"""A scene as a page, and a turn as one: a file without scripts, fonts or anything else loaded from outside; the map
scrolls where it must.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.counts import many, upper
from pbem.kit.hexes import hex_name
from pbem.kit.scene import HexGround, Panel, Piece, Scene, Side, Throw, TurnSeen
from pbem.pictures import happened
from pbem.pictures.aside import legend_lists
from pbem.pictures.differences import changes
from pbem.pictures.levels import CLOSE, EVERY, ROOM, WHOLE, windows
from pbem.pictures.levels import STYLE as LEVELS_STYLE
from pbem.pictures.picture import described, ground, middle_of, window
from pbem.pictures.pieces import CHIP_HIGH, HIGH, WIDE, chip, chip_wide, counter
from pbem.pictures.placing import Room
from pbem.pictures.svg import Canvas, safe
from pbem.pictures.theme import sheet

_STYLE = (
    "*{box-sizing:border-box}body{margin:0;font:16px/1.45 Liberation Sans,Arial,Helvetica,sans-serif}"
    "main{max-width:2000px;margin:0 auto;padding:12px 16px}"
    "h1{font-size:1.5rem;line-height:1.2;margin:.2em 0}h2{font-size:1.1rem;margin:1.2em 0 .4em}"
    "h3{font-size:.95rem;margin:.9em 0 .3em}"
    ".where{margin:.1em 0}a{color:inherit}ul{margin:.3em 0;padding-left:1.2em}li{margin:.15em 0}"
    # The map, in the size that the reader has chosen.
    ".view{margin:12px 0}.view input{position:absolute;opacity:0}.view label{display:inline-block;padding:6px 14px;"
    "margin:0 6px 8px 0;border:1px solid;border-radius:16px;font-size:.9rem;cursor:pointer}"
    ".view input:focus-visible+label{outline:3px solid #c98f1b;outline-offset:2px}"
    ".view input:checked+label{font-weight:700;box-shadow:inset 0 0 0 1px}"
    ".map{overflow:auto;max-height:88vh;border-radius:8px;-webkit-overflow-scrolling:touch}"
    ".map svg{display:block;width:100%;height:auto}.sheet{position:relative;min-width:var(--least)}"
    ".view .whole:checked~.map .sheet{min-width:0}.view .near:checked~.map .sheet{min-width:calc(var(--least)*1.8)}"
    ".here{position:absolute;scroll-initial-target:nearest;margin:-30vh 0 0 -40vw}"
    ":target{scroll-margin:90px;outline:6px solid #c98f1b;outline-offset:6px}"
    # What is beside it.
    ".panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(230px,1fr));gap:12px;margin:16px 0}"
    ".panels section{padding:10px 14px;border-radius:8px;border-left:8px solid;margin-bottom:12px}"
    ".panels h2{margin:0 0 .4em}.row{margin:.25em 0}.units{display:inline-block;margin-right:16px}"
    ".row svg{vertical-align:middle;margin:2px 3px 2px 0;overflow:visible}"
    ".columns{columns:2 340px;column-gap:32px}.columns h2,.columns h3{break-after:avoid}"
    ".columns h2{margin:.2em 0}.columns section{margin-bottom:1em}"
    ".part li,.fights li{break-inside:avoid}.fights{list-style:none;padding:0}.fights>li{margin:.6em 0}"
    ".fights svg{vertical-align:middle;margin:2px 6px 2px 0}.throws svg{margin:1px 0}.fights summary{cursor:pointer}"
    ".throws{display:grid;grid-template-columns:repeat(auto-fit,minmax(280px,1fr));gap:8px 20px;"
    "margin:.3em 0 .3em 1em;font-size:.9rem}"
    ".owed{padding:10px 14px;border-radius:8px;border-left:8px solid #c98f1b;margin:12px 0}.owed h2{margin:0 0 .2em}"
    ".legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:0;font-size:.9rem;list-style:none;padding:0}"
    ".legend li{display:flex;align-items:center;gap:8px;margin:0}.credits{font-size:.75rem;margin-top:20px}"
    "@media(max-width:600px){main{padding:8px 10px}.map{max-height:78vh}.columns{columns:1}}"
    "@media print{@page{size:A4 landscape;margin:8mm}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}"
    "html{font-size:9.5pt}body{font-size:1rem;background:#fff!important}main{max-width:none;padding:0}"
    "h1{margin:0}.where{display:inline;margin-right:1em}.view{margin:2mm 0}.view input,.view label{display:none}"
    ".map{overflow:visible;max-height:none;break-inside:avoid}"
    ".sheet,.view .near:checked~.map .sheet{min-width:0}.map svg{max-height:174mm}"
    ".panels{grid-template-columns:repeat(auto-fit,minmax(48mm,1fr))}"
    ".panels section,li,.throws div{break-inside:avoid}h2,h3{break-after:avoid}:target{outline:0}}"
)
_DAY = (
    "body{background:#fbfaf6;color:#1d2023}.panels section,.owed{background:#fff}.panels section{border-color:#bbb}"
    ".credits{color:#62635f}"
)
_NIGHT = (
    "body{background:#15181c;color:#e8e6e0}.panels section,.owed{background:#1d2126}.panels section{border-color:#555}"
    ".credits{color:#a3a4a1}"
)
HEX_PIXELS = 74  # the least width of a hex on a screen: a narrower one scrolls the map
ROW = 10  # dice that stay together
AREA_PIXELS = 1700  # the least width of an area map


class Page:
    """A document in the making: what its pictures use is defined once."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.kept = Canvas()
        self.parts: list[str] = []
        self._sides = {side.key: side for side in scene.sides}
        self._chips = not isinstance(scene.ground, HexGround)
        self.drawn: set[str] = set()  # keys of battles on the map

    def text(self, tag: str, words: str, name: str = "") -> None:
        self.parts.append(f"<{tag}{f' class={name}' if name else ''}>{safe(words)}</{tag}>")

    def listing(self, lines: Sequence[str]) -> None:
        self.parts.append(f"<ul>{''.join(f'<li>{safe(each)}</li>' for each in lines)}</ul>")

    def heading(self, title: str) -> None:
        self.text("h1", title)
        for each in self.scene.lines:
            self.text("p", each, "where")

    def windows(self) -> None:
        """A large map as a whole, small, and the windows of it in which something happened."""
        board = Canvas()
        extent = ground(board, self.scene, level=WHOLE)
        told = f'role="img" aria-label="{safe(described(self.scene))}"'
        figures = [f'<figure class="all">{board.inline(extent.width, extent.height, told)}</figure>']
        self.kept.share(board)
        left = ROOM - len(figures[0])
        for cells in windows(self.scene):
            shown = window(self.scene, cells, keys=self.drawn)
            names = f'role="img" aria-label="Hexes {hex_name(min(cells))} to {hex_name(max(cells))}"'
            markup = shown.canvas.inline(shown.extent.width, shown.extent.height, names, shown.at)
            left -= len(markup)
            if left < 0:
                break
            self.drawn |= {key for key, each in happened.battle_keys(self.scene.battles) if each.place in cells}
            figures.append(f"<figure>{markup}</figure>")
            self.kept.share(shown.canvas)
        self.parts.append(f'<div class="windows">{"".join(figures)}</div>')
        self.text("p", "The busiest parts of the map. `pbem board GAME --open` draws all of it.")

    def map(self) -> None:
        """The map, and three sizes to choose from; three levels of a large one."""
        large = isinstance(self.scene.ground, HexGround) and self.scene.ground.levels
        board = Canvas()
        extent = ground(board, self.scene, level=EVERY if large else CLOSE)
        self.drawn |= {key for key, _ in happened.battle_keys(self.scene.battles)}
        least = AREA_PIXELS if self._chips else extent.width * HEX_PIXELS // 104
        told = f'role="img" aria-label="{safe(described(self.scene))}"'
        picture = board.inline(extent.width, extent.height, told)
        here = ""
        middle = middle_of(self.scene)
        if middle is not None:  # where the map is scrolled to at first
            across, down = 100 * middle[0] // extent.width, 100 * middle[1] // extent.height
            here = f'<span class="here" style="left:{across}%;top:{down}%"></span>'
        self.kept.share(board)
        sizes = "".join(
            f'<input type="radio" name="size" id="size-{name}" class="{name}"{more}>'
            f'<label for="size-{name}">{words}</label>'
            for name, words, more in (
                ("whole", "Whole map", ""),
                ("plain", "Sheet" if large else "Legible", " checked"),
                ("near", "Close", ""),
            )
        )
        self.parts.append(
            f'<div class="view{" levels" * large}" role="group" aria-label="Size of the map">{sizes}'
            f'<div class="map" role="region" aria-label="Map" tabindex="0">'
            f'<div class="sheet" style="--least:{least}px">{picture}{here}</div></div></div>'
        )

    def panels(self) -> None:
        """Those of a side together."""
        owned: dict[str, list[str]] = {}
        for each in self.scene.panels:
            markup = panel_markup(self.kept, each, self._sides, chips=self._chips)
            owned.setdefault(each.side, []).append(markup)
        columns = "".join(f"<div>{''.join(sections)}</div>" for sections in owned.values())
        self.parts.append(f'<div class="panels">{columns}</div>')

    def battles(self) -> None:
        """The fights with their dice, each with the way to its place on the map."""
        rows = []
        for key, fought in happened.battle_keys(self.scene.battles):
            canvas = Canvas()
            short = fought._replace(throws=())
            wide, high = happened.battle_size(short, 18)
            happened.battle(canvas, short, self._sides, (wide // 2 + 1, high // 2 + 1), Room(), reach=0)
            self.kept.share(canvas)
            more = f'width="{wide + 2}" height="{high + 2}" aria-hidden="true"'
            mark = canvas.inline(wide + 2, high + 2, more)
            if key in self.drawn:
                mark = f'<a href="#{key}" aria-label="Show on the map">{mark}</a>'
            told = f"{mark} {safe(fought.text)}"
            if fought.throws:
                told += f'<div class="throws">{"".join(map(self._throw, fought.throws))}</div>'
            rows.append(f"<li>{told}</li>")
        self.parts.append(f'<ul class="fights">{"".join(rows)}</ul>')

    def _throw(self, throw: Throw) -> str:
        side = self._sides.get(throw.side)
        rolled = list(zip(throw.dice, throw.hits, strict=True))
        pictures = []
        for first in range(0, len(rolled), ROW):
            canvas = Canvas()
            canvas.open(f"s-{side.colour}" if side else "")
            for number, (die, hit) in enumerate(rolled[first : first + ROW]):
                happened.die(canvas, die, 1 + 19 * number, 1, 16, "hit" if hit else "miss")
            canvas.close()
            self.kept.share(canvas)
            wide = 19 * len(rolled[first : first + ROW])
            pictures.append(canvas.inline(wide, 18, f'width="{wide}" height="18" aria-hidden="true"'))
        hits = sum(throw.hits)
        told = f"{', '.join(map(str, throw.dice))}: {many(hits, 'hit')}"
        return f'<div>{safe(throw.text)}<br><span role="img" aria-label="{told}">{"".join(pictures)}</span></div>'

    def foot(self) -> None:
        """Legend and credits."""
        self.parts.append(f"<section><h2>Legend</h2>{legend_lists(self.scene, self.kept)}</section>")
        if self.scene.credits:
            self.parts.append(f'<p class="credits">{"<br>".join(map(safe, self.scene.credits))}</p>')

    def _levels(self) -> str:
        return LEVELS_STYLE if isinstance(self.scene.ground, HexGround) and self.scene.ground.levels else ""

    def finish(self, title: str, look: str) -> str:
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width,initial-scale=1">'
            f"<title>{safe(title)}</title>"
            f"<style>{_STYLE}{self._levels()}{_look(look)}{sheet(self.kept.used, look)}</style></head>"
            '<body><svg width="0" height="0" style="position:absolute" aria-hidden="true">'
            f"<defs>{self.kept.definitions}</defs></svg><main>{''.join(self.parts)}</main></body></html>\n"
        )


def page(scene: Scene, look: str = "auto") -> str:
    """The whole board as one HTML document."""
    made = Page(scene)
    made.heading(scene.title)
    made.map()
    if scene.battles:
        made.text("h2", "Battles")
        made.battles()
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
        pieces = "".join(piece_markup(kept, piece, sides[piece.side], chips=chips) for piece in row.pieces)
        rows.append(f'<div class="row{" units" if pieces else ""}">{safe(row.text)} {pieces}</div>')
    side = sides.get(panel.side)
    ink = f' class="e-{side.colour}"' if side else ""
    if side:
        kept.note(f"e-{side.colour}")
    return f"<section{ink}><h2>{safe(panel.title)}</h2>{''.join(rows)}</section>"


def piece_markup(kept: Canvas, piece: Piece, side: Side, *, chips: bool) -> str:
    canvas = Canvas()
    if chips:
        chip(canvas, piece, side, 1, 1)
        wide, high = chip_wide(piece) + 2, CHIP_HIGH + 2
    else:
        counter(canvas, piece, side, 1, 1)
        wide, high = WIDE + 4, HIGH + 4
    kept.share(canvas)
    return canvas.inline(wide, high, f'width="{wide}" height="{high}"')


def report_page(turn: TurnSeen, owed: Sequence[str] = (), look: str = "auto") -> str:
    """What happened, in prose and on the map, battles with their dice, what changed, what is owed."""
    made = Page(turn.after)
    made.heading(turn.title)
    if owed:
        made.parts.append('<section class="owed">')
        made.text("h2", "What is owed")
        made.listing(owed)
        made.parts.append("</section>")
    if isinstance(turn.after.ground, HexGround) and turn.after.ground.levels:
        made.windows()
    else:
        made.map()
    made.parts.append('<div class="columns">')
    told = [lines for lines in turn.parts if lines]
    _section(made, "What happened")
    if not told:
        made.text("p", "Nothing to report.")
    for first, *rest in told:
        if len(told) > 1 or not rest:  # a single part is called so in the title
            made.text("h3", first.rstrip("."))
        made.listing(rest)
    made.parts.append("</section>")
    if turn.after.battles:
        _section(made, "Battles")
        made.battles()
        made.parts.append("</section>")
    different = changes(turn.before, turn.after) if turn.before is not None else ()
    if different:
        _section(made, "What changed")
        for side in dict.fromkeys(each.side for each in different):
            made.text("h3", side)
            made.listing([upper(each.what) for each in different if each.side == side])
        made.parts.append("</section>")
    made.parts.append("</div>")
    made.panels()
    made.foot()
    return made.finish(turn.title, look)


def _section(made: Page, title: str) -> None:
    made.parts.append("<section>")
    made.text("h2", title)
