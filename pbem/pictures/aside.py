"""The surroundings of the map: the heading, panels, the legend."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.kit.scene import AreaGround, HexGround, Panel, Piece, Scene, Side, Spot
from pbem.pictures import happened
from pbem.pictures.areamap import flag, hatch, link
from pbem.pictures.ground import GLYPHS, HexLayer, layer_of, strokes
from pbem.pictures.lettering import width, wrap
from pbem.pictures.marks import MARKS
from pbem.pictures.pieces import CHIP_HIGH, HIGH, WIDE, badge, chip, chip_wide, counter
from pbem.pictures.svg import Canvas, line, safe
from pbem.pictures.theme import ROUND

_LINE_TEXT = {
    "minor_river": "minor river", "river": "river", "strait": "water between", "border": "border",
    "impassable": "impassable", "bridge": "bridge", "track": "track", "road": "road",
    "motorway": "motorway", "rail": "railway",
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


def _columns(wide: int, size: int, shown: Sequence[Panel]) -> tuple[int, int]:
    """How many columns there are room for, and how wide each is."""
    many = max(1, min(len(shown), wide // (size * 20)))
    return many, (wide - size * 2 * (many + 1)) // many


def panels(canvas: Canvas, scene: Scene, size: int, wide: int, top: int) -> int:
    """The panels in columns; returns where they end. Of two sides each has its own column."""
    if not scene.panels:
        return top
    sides = {side.key: side for side in scene.sides}
    owners = list(dict.fromkeys(panel.side for panel in scene.panels))
    shown = scene.panels if len(owners) != 2 else scene.panels[:2]
    many, broad = _columns(wide, size, shown)
    ends = [top + size] * many
    for panel in scene.panels:
        own = owners.index(panel.side)
        column = own if many == len(owners) == 2 else min(range(many), key=lambda k: (ends[k], k))
        x = size * 2 + column * (broad + size * 2)
        areas = not isinstance(scene.ground, HexGround)
        ends[column] = _panel(canvas, panel, sides, size, x, ends[column], broad, areas=areas) + size
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
        # Words and counters side by side, as many rows on a line as there is room for; long words above them.
        words = width(row.text, size) + size // 2 if row.text else 0
        above = words > inner // 2
        if above or not row.pieces:
            across = words = 0
            for part in wrap(row.text, size, inner):
                at += size * 3 // 2
                body.text(x + size, at, part, "ink", size)
        if not row.pieces:
            continue
        need = words + sum((chip_wide(piece) if areas else WIDE) + 8 for piece in row.pieces)
        if not across or across + need > inner:
            at += high + size * 3 // 4
            across = 0
        if not above:
            body.text(x + size + across, at - high // 2 + size // 3, row.text, "ink", size)
        at = _pieces(body, row.pieces, sides, x + size + across + words, at - high, inner - across - words, areas=areas)
        across += need + size * 2
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


Sample = tuple[str, int, Callable[[Canvas, int, int], None]]  # words, height, how it is drawn around a spot


def _ground_samples(layer: HexLayer) -> list[Sample]:
    """Terrain and lines that this map has."""

    def patch(kind: str) -> Callable[[Canvas, int, int], None]:
        def draw(canvas: Canvas, x: int, y: int) -> None:
            shape = line([(dx, dy) for dx, dy in layer.geometry.corners], closed=True)
            canvas.open("", at=(x, y))
            canvas.raw('<g transform="scale(.5)">')
            canvas.path(shape, f"t-{kind}")
            if kind in GLYPHS:
                canvas.define(f"g-{kind}", f'<path id="g-{kind}" d="{GLYPHS[kind]}" class="g-{kind}"/>', f"g-{kind}")
                canvas.use(f"g-{kind}", 0, 0)
            canvas.path(shape, "grid")
            canvas.close()
            canvas.close()

        return draw

    def strip(word: str) -> Callable[[Canvas, int, int], None]:
        def draw(canvas: Canvas, x: int, y: int) -> None:
            data = line([(x - 32, y + 6), (x - 10, y - 8), (x + 10, y + 8), (x + 32, y - 6)])
            if word == "bridge":
                canvas.path(f"M{x - 34} {y - 7}H{x + 34}M{x - 34} {y + 7}H{x + 34}", "bridge")
            else:
                for name in strokes(word):
                    canvas.path(data, name)

        return draw

    kinds = sorted(set(layer.kinds.values()) - {"off"})
    names = {layer.kind(t): t for t in sorted({layer.board[c].terrain for c in layer.kinds})}
    found: list[Sample] = [(names[kind].replace("_", " "), 62, patch(kind)) for kind in kinds]
    words = {
        layer.ground.words.get(f, {"sea": "strait", "lake": "strait"}.get(f, f))
        for fs in layer.board.edges.values()
        for f in fs
    }
    found += [(_LINE_TEXT[word], 44, strip(word)) for word in _LINE_TEXT if word in words]
    if "off" in layer.kinds.values():
        found.append(("out of the game", 62, patch("off")))
    towns = {layer.large(place) for place in layer.kinds if layer.board[place].name}
    for large, text in ((True, "city or port"), (False, "town")):
        if large in towns:
            found.append((text, 44, lambda c, x, y, large=large: layer.town(c, x, y, large=large)))  # type: ignore[misc]
    return found


def groups_of(scene: Scene) -> list[tuple[str, list[Sample]]]:
    """The legend in parts with their titles."""
    sides = {side.key: side for side in scene.sides}
    known = {each.word: each.text for each in scene.explained}
    found = [
        ("Map", _map_samples(scene, known, sides)),
        ("Counters", _counter_samples(scene, known, sides)),
        ("What happened", _fight_samples(scene, known, sides)),
    ]
    return [(title, samples) for title, samples in found if samples]


def legend_lists(scene: Scene, kept: Canvas) -> str:
    """The legend for a page that holds style and definitions itself, in `kept`: each part as a list under its title."""
    groups = []
    for title, samples in groups_of(scene):
        items = []
        for text, high, draw in samples:
            canvas = Canvas()
            draw(canvas, 36, high // 2)
            kept.share(canvas)
            picture = canvas.inline(72, high, f'width="72" height="{high}" aria-hidden="true"')
            items.append(f"<li>{picture}{safe(text)}</li>")
        groups.append(f'<h3>{safe(title)}</h3><ul class="legend">{"".join(items)}</ul>')
    return "".join(groups)


def _map_samples(scene: Scene, known: Mapping[str, str], sides: Mapping[str, Side]) -> list[Sample]:
    if not isinstance(scene.ground, HexGround):
        return _area_samples(scene.ground, scene.sides[0])
    layer = layer_of(scene.ground)
    samples = _ground_samples(layer)
    rims = sorted(layer.rims(scene.control, sides))
    if rims:
        one, other = (f"h-{sides[key].colour}" for key in (rims[0], rims[-1]))

        def front(c: Canvas, x: int, y: int) -> None:
            c.path(f"M{x - 30} {y - 3}H{x + 30}", one)
            c.path(f"M{x - 30} {y + 3}H{x + 30}", other)

        samples.append(("front: the colour shows who holds that side", 44, front))
    if scene.ground.goals:
        samples.append(
            ("victory hex and its points, ringed by its holder", 44, lambda c, x, y: HexLayer.star(c, x, y, "2"))
        )
    for kind in sorted({each.kind for each in scene.marks} & MARKS.keys()):
        told = known.get(kind) or next(each.text for each in scene.marks if each.kind == kind)

        def lying(c: Canvas, x: int, y: int, kind: str = kind) -> None:
            c.open("", at=(x, y))
            c.raw('<g transform="scale(.5)">')
            MARKS[kind](c, 0, 0)
            c.close()
            c.close()

        samples.append((told, 62, lying))
    return samples


def _area_samples(ground: AreaGround, holder: Side) -> list[Sample]:
    shown = ground.spots.values()
    kinds = (
        ("owner (colour and shape) and income", Spot("", worth="1"), any(spot.worth for spot in shown)),
        ("held, no income", Spot(""), any(not spot.worth and not spot.sea and not spot.neutral for spot in shown)),
        ("industrial complex", Spot("", worth="1", works=True), any(spot.works for spot in shown)),
        ("capital", Spot("", worth="3", works=True, capital="x"), any(spot.capital for spot in shown)),
    )
    samples = [(text, 44, _flag_of(spot, holder)) for text, spot, there in kinds if there]
    if any(spot.neutral for spot in shown):
        samples.append(("neutral", 44, _hatched))
    samples.append(("number of a sea zone", 44, lambda c, x, y: c.text(x, y + 7, "12", "n-zone", 20)))
    samples.append(("water of no zone", 44, lambda c, x, y: c.rect(x - 24, y - 16, 48, 32, "t-ice", 3)))
    if ground.outlines["links"]:
        samples.append(
            ("neighbours, though they hardly touch", 44, lambda c, x, y: link(c, (x - 18, y + 8), (x + 18, y - 8)))
        )
    if ground.outlines["across"]:
        samples.append(
            (
                "goes on at the other edge",
                44,
                lambda c, x, y: c.path(f"M{x + 7} {y - 9}L{x - 9} {y}L{x + 7} {y + 9}Z", "edge-tip"),
            )
        )
    return samples


def _hatched(canvas: Canvas, x: int, y: int) -> None:
    hatch(canvas)
    canvas.rect(x - 24, y - 16, 48, 32, "a-neutral", 3)


def _flag_of(spot: Spot, holder: Side) -> Callable[[Canvas, int, int], None]:
    return lambda canvas, x, y: flag(canvas, spot, holder, x, y)


def _counter_samples(scene: Scene, known: Mapping[str, str], sides: Mapping[str, Side]) -> list[Sample]:
    areas = not isinstance(scene.ground, HexGround)

    def swatch(side: Side) -> Callable[[Canvas, int, int], None]:
        radius = 9 if side.colour in ROUND else 2
        return lambda c, x, y: c.rect(x - 24, y - 16, 48, 32, f"s-{side.colour} edge", radius)

    samples: list[Sample] = [(side.name, 44, swatch(side)) for side in scene.sides]
    standing = [piece for pieces in scene.stacks.values() for piece in pieces if piece.side in sides]

    def shown(piece: Piece) -> Callable[[Canvas, int, int], None]:
        if areas:
            return lambda c, x, y: chip(c, piece, sides[piece.side], x - chip_wide(piece) // 2, y - CHIP_HIGH // 2)
        return lambda c, x, y: counter(c, piece, sides[piece.side], x - WIDE // 2, y - HIGH // 2)

    high = CHIP_HIGH + 10 if areas else HIGH + 4
    several = next((piece for piece in standing if piece.many > 1), None)
    if several is not None:
        bare = Piece(several.side, several.symbol, many=several.many)
        samples.append((f"{several.many} alike", high, shown(bare)))
    whole = next((piece for piece in standing if piece.values and piece.steps == piece.full), None)
    if whole is not None:
        values = known.get("values", "strengths")
        dots = "; a dot for each step" if whole.full > 1 else ""
        samples.append((f"its name; {values}{dots}", high, shown(whole._replace(marks=()))))
    worn = next((piece for piece in standing if piece.steps < piece.full), None)
    if worn is not None:
        samples.append(("has lost a step", high, shown(worn._replace(marks=()))))
    first: dict[str, Piece] = {}
    for piece in standing:
        first.setdefault(piece.symbol, piece)
    for symbol in sorted(first):
        samples.append((known.get(symbol, symbol), high, shown(Piece(first[symbol].side, symbol))))
    for mark in sorted({mark for piece in standing for mark in piece.marks if not mark.isdigit()}):
        samples.append((known.get(mark, mark), 44, lambda c, x, y, mark=mark: badge(c, mark, x, y)))  # type: ignore[misc]
    number = next((mark for piece in standing for mark in piece.marks if mark.isdigit()), None)
    if number is not None:
        samples.append((known.get("number", "its number"), 44, lambda c, x, y: badge(c, number, x, y)))
    return samples


def _fight_samples(scene: Scene, known: Mapping[str, str], sides: Mapping[str, Side]) -> list[Sample]:
    samples: list[Sample] = []
    for kind in dict.fromkeys(each.kind for each in scene.arrows if each.side in sides):
        side = next(sides[each.side] for each in scene.arrows if each.kind == kind and each.side in sides)

        def way(c: Canvas, x: int, y: int, kind: str = kind, side: Side = side) -> None:
            happened.arrow(c, [(x - 36, y), (x + 36, y)], kind, side, short=0)

        samples.append((known.get(kind, kind), 44, way))
    fought = next(iter(scene.battles), None)
    if fought is not None:
        samples.append(("a battle was fought here", 52, lambda c, x, y: happened.burst(c, (x, y))))
        shown = next((each for each in scene.battles if each.throws), fought)
        if shown.throws:
            dice = [(6, False), (1, True)]
            side = sides.get(shown.throws[0].side, scene.sides[0])

            def row(c: Canvas, x: int, y: int) -> None:
                c.open(f"s-{side.colour}")
                happened.dice_row(c, dice, x - 19, y - 9, 18)
                c.close()

            samples.append(("a miss; a hit, in the thrower's colour", 44, row))
        for text in (shown.odds, *dict.fromkeys(each.result for each in scene.battles)):
            told = known.get("odds" if text == shown.odds else text, "")
            if told:
                samples.append((told, 44, _word(text)))
    return samples


def _word(text: str) -> Callable[[Canvas, int, int], None]:
    """What stands on a mark of a battle."""

    def draw(canvas: Canvas, x: int, y: int) -> None:
        wide = width(text, 18, bold=True) + 12
        canvas.rect(x - wide // 2, y - 14, wide, 28, "tag", 6)
        canvas.text(x, y + 7, text, "tag-ink mid", 18)

    return draw


def legend(canvas: Canvas, scene: Scene, size: int, wide: int, top: int) -> int:
    """Each part with its title to the left; then whom the map is owed to."""
    small = max(12, size * 9 // 10)
    left = size * 2 + width("What happened", small, bold=True) + size
    y = top + size
    canvas.path(f"M{size * 2} {top + size // 2}H{wide - size * 2}", "rule")
    for title, samples in groups_of(scene):
        rows: list[list[Sample]] = [[]]
        x = left
        for sample in samples:
            need = 84 + width(sample[0], small) + size * 3 // 2
            if rows[-1] and x + need > wide - size:
                rows.append([])
                x = left
            rows[-1].append(sample)
            x += need
        for number, row in enumerate(rows):
            tall = max(50, *(high for _, high, _ in row))
            middle, x = y + tall // 2, left
            if number == 0:
                canvas.text(size * 2, middle + small // 3, title, "title", small)
            for text, _, draw in row:
                draw(canvas, x + 36, middle)
                canvas.text(x + 80, middle + small // 3, text, "ink", small)
                x += 84 + width(text, small) + size * 3 // 2
            y += tall + 6
        y += size // 2
    for text in scene.credits:
        for part in wrap(text, small * 4 // 5, wide - size * 4):
            y += small * 5 // 4
            canvas.text(size * 2, y, part, "faint", small * 4 // 5)
    return y
