"""What stands around the map: the heading, panels, the legend."""

from __future__ import annotations

from collections.abc import Callable

from pbem.kit.scene import AreaGround, HexGround, Panel, Piece, Scene, Side, Spot
from pbem.pictures import happened
from pbem.pictures.areamap import flag
from pbem.pictures.counters import CHIP_HIGH, HIGH, WIDE, chip, chip_wide, counter
from pbem.pictures.hexmap import GLYPHS, HexLayer, layer_of
from pbem.pictures.lettering import width, wrap
from pbem.pictures.svg import Canvas, line

_TERRAIN_TEXT = {
    "clear": "clear", "forest": "woods", "swamp": "marsh", "hill": "hills", "mountain": "mountains", "town": "town",
    "water": "sea", "lake": "lake", "off": "out of bounds",
}  # fmt: skip
_LINE_TEXT = {
    "minor_river": "minor river", "river": "river", "strait": "water between", "border": "border",
    "impassable": "impassable", "bridge": "bridge", "road": "road", "rail": "railway",
}  # fmt: skip


def heading(canvas: Canvas, scene: Scene, size: int, wide: int) -> int:
    """Title and the lines below it; returns where the map begins."""
    y = size * 3
    canvas.text(size * 2, y, scene.title, "title", size * 2)
    for text in scene.lines:
        for part in wrap(text, size, wide - size * 4):
            y += size * 3 // 2
            canvas.text(size * 2, y, part, "ink", size)
    return y + size


def _columns(wide: int, size: int, count: int) -> tuple[int, int]:
    """How many columns there are room for, and how wide each is."""
    many = max(1, min(count, 4, wide // (size * 22)))
    return many, (wide - size * 2 * (many + 1)) // many


def panels(canvas: Canvas, scene: Scene, size: int, wide: int, top: int) -> int:
    """The panels in columns, each beneath the shortest so far; returns where they end."""
    if not scene.panels:
        return top
    sides = {side.key: side for side in scene.sides}
    many, broad = _columns(wide, size, len(scene.panels))
    ends = [top + size] * many
    for panel in scene.panels:
        column = min(range(many), key=lambda k: (ends[k], k))
        x = size * 2 + column * (broad + size * 2)
        ends[column] = (
            _panel(canvas, panel, sides, size, x, ends[column], broad, areas=not isinstance(scene.ground, HexGround))
            + size
        )
    return max(ends)


def _panel(
    canvas: Canvas, panel: Panel, sides: dict[str, Side], size: int, x: int, y: int, broad: int, *, areas: bool
) -> int:
    """Title in the side's colour, then rows of words and counters."""
    body = Canvas()
    at = y + size * 5 // 2
    inner = broad - size * 2
    across, high = 0, CHIP_HIGH if areas else HIGH
    for row in panel.rows:
        if not row.pieces:
            across = 0
            for part in wrap(row.text, size, inner):
                at += size * 3 // 2
                body.text(x + size, at, part, "ink", size)
            continue
        # Words and counters side by side, as many rows on a line as there is room for.
        words = width(row.text, size) + size // 2 if row.text else 0
        need = words + sum((chip_wide(piece) if areas else WIDE) + 8 for piece in row.pieces)
        if not across or across + need > inner:
            at += high + size // 2
            across = 0
        body.text(x + size + across, at - high // 2 + size // 3, row.text, "ink", size)
        at = _pieces(body, row.pieces, sides, x + size + across + words, at - high, inner - across - words, areas=areas)
        across += need + size
    foot = at + size
    canvas.rect(x, y, broad, foot - y, "card", 8)
    side = sides.get(panel.side)
    if side:
        canvas.rect(x, y, size // 2, foot - y, f"s-{side.colour}", 3)
    canvas.text(x + size, y + size * 2, panel.title, "title", size * 11 // 10)
    canvas.embed(body, (0, 0))
    return foot


def _pieces(
    canvas: Canvas, pieces: tuple[Piece, ...], sides: dict[str, Side], x: int, y: int, broad: int, *, areas: bool
) -> int:
    across, high = 0, CHIP_HIGH if areas else HIGH
    for piece in pieces:
        need = (chip_wide(piece) if areas else WIDE) + 8
        if across and across + need > broad:
            across, y = 0, y + high + 8
        (chip if areas else counter)(canvas, piece, sides[piece.side], x + across, y)
        across += need
    return y + high


def _worth_samples(ground: AreaGround, holder: Side) -> list[Sample]:
    shown = ground.spots.values()
    kinds = (
        ("income, in the holder's colour", Spot("", worth="1"), any(spot.worth for spot in shown)),
        ("no income", Spot(""), any(not spot.worth and not spot.sea for spot in shown)),
        ("industrial complex", Spot("", worth="1", works=True), any(spot.works for spot in shown)),
        ("capital", Spot("", worth="3", works=True, capital="x"), any(spot.capital for spot in shown)),
    )
    return [(text, 44, _badge_of(spot, holder)) for text, spot, there in kinds if there]


def _badge_of(spot: Spot, holder: Side) -> Callable[[Canvas, int, int], None]:
    return lambda canvas, x, y: flag(canvas, spot, holder, x, y)


Sample = tuple[str, int, Callable[[Canvas, int, int], None]]  # words, height, how it is drawn around a spot


def _ground_samples(layer: HexLayer) -> list[Sample]:
    """Terrain and lines that this map has."""

    def patch(kind: str) -> Callable[[Canvas, int, int], None]:
        def draw(canvas: Canvas, x: int, y: int) -> None:
            canvas.rect(x - 34, y - 19, 68, 38, f"t-{kind}", 4)
            if kind in GLYPHS:
                canvas.raw(
                    f'<svg x="{x - 34}" y="{y - 19}" width="68" height="38" viewBox="-42 -19 68 38">'
                    f'<use href="#g-{kind}"/></svg>'
                )

        return draw

    def strip(word: str) -> Callable[[Canvas, int, int], None]:
        def draw(canvas: Canvas, x: int, y: int) -> None:
            data = line([(x - 32, y + 6), (x - 10, y - 8), (x + 10, y + 8), (x + 32, y - 6)])
            if word == "bridge":
                canvas.path(f"M{x - 34} {y - 7}H{x + 34}M{x - 34} {y + 7}H{x + 34}", "bridge")
            else:
                canvas.path(data, word)
                if word == "rail":
                    canvas.path(data, "sleepers")

        return draw

    kinds = sorted({kind for kind in layer.kinds.values() if kind in _TERRAIN_TEXT and kind != "off"})
    names = {layer.kind(t): t for t in sorted({layer.board[c].terrain for c in layer.kinds})}
    found: list[Sample] = [(names[kind].replace("_", " "), 44, patch(kind)) for kind in kinds]
    words = {
        layer.ground.words.get(f, {"sea": "strait", "lake": "strait"}.get(f, f))
        for fs in layer.board.edges.values()
        for f in fs
    }
    found += [(_LINE_TEXT[word], 44, strip(word)) for word in _LINE_TEXT if word in words]
    return found


def legend(canvas: Canvas, scene: Scene, size: int, wide: int, top: int) -> int:
    return _laid(canvas, samples_of(scene), scene, size, wide, top)


def samples_of(scene: Scene) -> list[Sample]:
    """The legend: only what this picture shows is explained."""
    samples: list[Sample] = []
    areas = not isinstance(scene.ground, HexGround)
    if isinstance(scene.ground, HexGround):
        samples += _ground_samples(layer_of(scene.ground))
        if scene.ground.goals:
            samples.append(("victory hex, ringed by its holder", 44, lambda c, x, y: HexLayer.star(c, x, y, "2")))
    else:
        samples += _worth_samples(scene.ground, scene.sides[0])
    first: dict[str, Side] = {}
    for side in scene.sides:
        first[side.key] = side

    def swatch(side: Side) -> Callable[[Canvas, int, int], None]:
        radius = 9 if side.colour in ("blue", "grey", "green") else 2
        return lambda c, x, y: c.rect(x - 24, y - 16, 48, 32, f"s-{side.colour} edge", radius)

    samples += [(side.name, 44, swatch(side)) for side in scene.sides]
    shown = {piece.symbol: piece for pieces in scene.stacks.values() for piece in pieces}
    known = dict(scene.explained)
    for symbol in sorted(shown):
        example = shown[symbol]

        def sample(c: Canvas, x: int, y: int, piece: Piece = example) -> None:
            if areas:
                bare = Piece(piece.side, piece.symbol)
                chip(c, bare, first[piece.side], x - chip_wide(bare) // 2, y - CHIP_HIGH // 2)
            else:
                counter(c, Piece(piece.side, piece.symbol), first[piece.side], x - WIDE // 2, y - HIGH // 2)

        samples.append((known.get(symbol, symbol), CHIP_HIGH + 10 if areas else HIGH + 4, sample))
    badges = {mark for pieces in scene.stacks.values() for piece in pieces for mark in piece.marks}
    for mark in sorted(badges):
        samples.append((known.get(mark, mark), 44, lambda c, x, y, mark=mark: _badge(c, mark, x, y)))  # type: ignore[misc]
    for kind in dict.fromkeys(each.kind for each in scene.arrows):
        one = next(each for each in scene.arrows if each.kind == kind and each.side in first)

        def way(c: Canvas, x: int, y: int, kind: str = kind, side: Side = first[one.side]) -> None:
            ends = [(x - 90, y), (x + 90, y)] if kind == "attack" else [(x - 36, y), (x + 36, y)]
            happened.arrow(c, ends, kind, side, short=0)

        samples.append((known.get(kind, kind), 44, way))
    return samples


def _badge(canvas: Canvas, mark: str, x: int, y: int) -> None:
    from pbem.pictures.counters import badge

    badge(canvas, mark, x, y)


def _laid(canvas: Canvas, samples: list[Sample], scene: Scene, size: int, wide: int, top: int) -> int:
    x, y = size * 2, top + size * 3 // 2
    canvas.path(f"M{x} {top + size // 2}H{wide - x}", "rule")
    small = max(12, size * 9 // 10)
    tall = 0
    for text, high, draw in samples:
        need = 84 + width(text, small) + size
        if x > size * 2 and (x + need > wide - size or (high > 60) != (tall > 60)):
            x, y = size * 2, y + tall + 6
            tall = 0
        tall = max(tall, high)
        draw(canvas, x + 36, y + high // 2)
        canvas.text(x + 80, y + high // 2 + small // 3, text, "ink", small)
        x += need
    y += tall + size // 2
    for text in scene.credits:
        for part in wrap(text, small * 4 // 5, wide - size * 4):
            y += small * 5 // 4
            canvas.text(size * 2, y, part, "faint", small * 4 // 5)
    return y
