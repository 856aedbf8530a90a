"""A whole game on one page that needs nothing but itself: its steps drawn, described and counted."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from math import isqrt
from pathlib import Path
from typing import Any, NamedTuple

from pbem.kit.scene import Arrow, Battle, Course, Explained, HexGround, Luck, Mark, Panel, Pictures, Piece, Scene, Side
from pbem.pictures.aside import legend_lists
from pbem.pictures.differences import place_name
from pbem.pictures.lettering import width
from pbem.pictures.page import AREA_PIXELS, HEX_PIXELS, panel_markup
from pbem.pictures.picture import Extent, ground
from pbem.pictures.replaysteps import Step
from pbem.pictures.svg import Canvas, Point, line, safe
from pbem.pictures.theme import sheet
from pbem.protocol.characters import printable

Change = list[int | list[int]]  # a layer, the positions that go, and pairs of position and element that come
PANELS, BOARD = "panels", "board"  # the layers that are not part of the map
LINED = ("fronts", "gauges")  # the layers of many lines in one path, a few of which change

# A counter or chip, wherever it stands. In the table it is a number and a spot between two signs that no text holds.
COUNTER = re.compile(r'<g class="(s-\w+)" transform="translate\((-?\d+ -?\d+)\)">((?:(?!</?g[ >]).)*)</g>', re.DOTALL)
OPENS, CLOSES = "\ue000", "\ue001"


def changed(layer: int, before: Sequence[int], after: Sequence[int]) -> Change | None:
    """How one list becomes the other; both hold nothing twice."""
    if before == after:
        return None
    old, new = set(before), set(after)
    stay = [each for each in before if each in new]
    if stay != [each for each in after if each in old]:
        stay = []
    kept = set(stay)
    gone = [place for place, each in enumerate(before) if each not in kept]
    come = [value for place, each in enumerate(after) if each not in kept for value in (place, each)]
    return [layer, gone, come]


def lines_of(markup: str) -> list[str]:
    """A path of several lines as a path for each."""
    head, _, rest = markup.partition(' d="M')
    data, _, tail = rest.partition('"')
    return [f'{head} d="M{line}"{tail}' for line in data.split("M")]


class Film:
    """Many pictures of one game as a table of elements and, for each step, what is taken away and what is put in.

    Takes scene after scene. Texts are kept once, too.
    """

    def __init__(self) -> None:
        self.kept = Canvas()
        self.elements: list[str] = []
        self.layers: list[str] = []
        self.counters: list[str] = []
        self.changes: list[list[Change]] = []
        self.extent = Extent(0, 0)
        self.shown: Scene | None = None  # one that has everything in it that the legend explains
        self._numbers: dict[tuple[int, str], int] = {}
        self._said: dict[str, int] = {}
        self._now: dict[int, list[int]] = {}
        self._panels: dict[Panel, str] = {}
        self._counters: dict[str, int] = {}
        self._pieces: dict[str | tuple[str, bool], Piece] = {}
        self._arrows: dict[str, Arrow] = {}
        self._marks: dict[str, Mark] = {}
        self._battles: dict[tuple[str, bool], Battle] = {}
        self._words: dict[Explained, None] = {}

    @property
    def texts(self) -> list[str]:
        return list(self._said)

    def text(self, words: str) -> int:
        """The number of a text."""
        return self._said.setdefault(printable(words), len(self._said))

    def scene(self, scene: Scene) -> None:
        canvas = Canvas()
        self.extent = ground(canvas, scene, apart=True)
        layers = dict(canvas.layers())
        self.kept.share(canvas)
        sides = {side.key: side for side in scene.sides}
        for name in LINED:
            if name in layers:
                layers[name] = [line for markup in layers[name] for line in lines_of(markup)]
        layers[PANELS] = [self._panel(each, sides, scene) for each in scene.panels]
        self._add(layers)
        self._explain(scene)

    def board(self, text: str) -> None:
        """A board of text, in a game without pictures."""
        self._add({BOARD: ["".join(f"{safe(line)}\n" for line in text.split("\n"))]})

    def _add(self, layers: Mapping[str, Sequence[str]]) -> None:
        made: list[Change] = []
        for name, markups in layers.items():
            if name not in self.layers:
                self.layers.append(name)
            layer = self.layers.index(name)
            after = [self._number(layer, markup) for markup in dict.fromkeys(markups)]
            change = changed(layer, self._now.get(layer, []), after)
            if change is not None:
                self._now[layer] = after
                made.append(change)
        self.changes.append(made)

    def _number(self, layer: int, markup: str) -> int:
        number = self._numbers.setdefault((layer, markup), len(self._numbers))
        if number == len(self.elements):
            self.elements.append(COUNTER.sub(self._counter, markup))
        return number

    def _counter(self, found: re.Match[str]) -> str:
        colour, spot, body = found.groups()
        markup = f'<g class="{colour}" transform="translate({OPENS})">{body}</g>'
        number = self._counters.setdefault(markup, len(self._counters))
        if number == len(self.counters):
            self.counters.append(markup)
        return f"{OPENS}{number} {spot}{CLOSES}"

    def _panel(self, panel: Panel, sides: dict[str, Side], scene: Scene) -> str:
        found = self._panels.get(panel)
        if found is None:
            found = panel_markup(self.kept, panel, sides, chips=not isinstance(scene.ground, HexGround))
            self._panels[panel] = found
        return found

    def _explain(self, scene: Scene) -> None:
        """Keeps one of everything for the legend."""
        for pieces in scene.stacks.values():
            for piece in pieces:
                for what in (piece.symbol, *piece.marks):
                    self._pieces.setdefault(what, piece)
                self._pieces.setdefault(("worn", piece.steps < piece.full), piece)
                self._pieces.setdefault(("several", piece.many > 1), piece)
        for arrow in scene.arrows:
            self._arrows.setdefault(arrow.kind, arrow)
        for each in scene.marks:
            self._marks.setdefault(each.kind, each)
        for battle in scene.battles:
            self._battles.setdefault((battle.result, bool(battle.throws)), battle)
        for word in scene.explained:
            self._words.setdefault(word)
        self.shown = replace(
            scene,
            stacks={0: tuple(self._pieces.values())},
            arrows=tuple(self._arrows.values()),
            marks=tuple(self._marks.values()),
            battles=tuple(self._battles.values()),
            explained=tuple(self._words),
        )


class Facts(NamedTuple):
    """Facts about the game as a whole: what was verified, who played, the final hash."""

    title: str
    badge: str
    sound: bool  # everything is verified, also what was hidden
    rows: tuple[tuple[str, str], ...]  # a word, and what there is to say
    pictures: Pictures | None = None
    links: tuple[tuple[str, str], ...] = ()  # where the page stands among others: an address beside it, and its words


class _Told(NamedTuple):
    """A step as the page's script wants it."""

    part: int
    side: int
    head: list[int]
    lines: list[int]
    fights: list[int]


def replay_page(steps: Iterable[Step], facts: Facts, look: str = "auto") -> str:
    film, told = Film(), []
    lucks: list[tuple[Luck, ...]] = []
    strong: list[Mapping[str, int]] = []
    sides: dict[str, Side] = {}
    parts: list[str] = []
    starts: list[int] = []
    turns: list[int] = []
    before: tuple[Battle, ...] = ()
    for number, step in enumerate(steps):
        scene = step.scene
        if scene is not None:
            film.scene(scene)
            sides.update({side.key: side for side in scene.sides})
        else:
            film.board(step.board)
        if not parts or step.part != parts[-1]:
            parts.append(step.part)
            starts.append(number)
        told.append(_told(film, step, len(parts) - 1, list(sides), before))
        before = scene.battles if scene is not None else ()
        turns.append(step.turn)
        lucks.append(step.luck)
        strong.append(step.strength if step.strength is not None else _steps_of(scene))
    data = {
        "changes": film.changes,
        "counters": film.counters,
        "elements": film.elements,
        "layers": film.layers,
        "least": _least(film),
        "parts": [[printable(name) or "Opening", start] for name, start in zip(parts, starts, strict=True)],
        "sides": [printable(side.name) for side in sides.values()],
        "size": [film.extent.width, film.extent.height],
        "steps": told,
        "texts": film.texts,
    }
    charts = _charts(film, facts.pictures, lucks, strong, list(sides.values()), turns)
    return _document(film, facts, data, charts, list(sides.values()), look)


def _told(film: Film, step: Step, part: int, sides: list[str], before: tuple[Battle, ...]) -> _Told:
    head: list[int] = []
    fights: list[int] = []
    if step.scene is not None:
        head = [film.text(words) for words in (step.scene.title, *step.scene.lines)]
        fought = step.scene.battles
        decided = ([each for each in fought if each not in before] or fought[-1:]) if step.fights else ()
        fights = [film.text(_named(step.scene, each)) for each in decided]
    side = sides.index(step.side) if step.side in sides else -1
    return _Told(part, side, head, [film.text(words) for words in step.lines], fights)


def _named(scene: Scene, fought: Battle) -> str:
    """A battle in a list of many."""
    side = next((f"{side.name} " for side in scene.sides if side.key == fought.side), "")
    told = " ".join(filter(None, (fought.odds, fought.result)))
    return f"{place_name(scene, fought.place)}: {side}{told}"


def _steps_of(scene: Scene | None) -> Mapping[str, int]:
    found: dict[str, int] = {}
    if scene is not None:
        for pieces in scene.stacks.values():
            for piece in pieces:
                found[piece.side] = found.get(piece.side, 0) + piece.many * piece.steps
    return found


def _least(film: Film) -> int:
    if film.shown is None:
        return 0
    return film.extent.width * HEX_PIXELS // 104 if isinstance(film.shown.ground, HexGround) else AREA_PIXELS


def _charts(
    film: Film,
    pictures: Pictures | None,
    lucks: Sequence[tuple[Luck, ...]],
    strong: Sequence[Mapping[str, int]],
    sides: list[Side],
    turns: Sequence[int],
) -> str:
    found = []
    if sides:
        course = (
            pictures.strength.course if pictures and pictures.strength else Course("steps on the map", tuple(sides))
        )
        canvas, svg, text = strength_chart(strong, course.sides, course.what, turns)
        film.kept.share(canvas)
        found.append(_figure(f"Strength: {course.what}", svg, text))
    if pictures and pictures.dice:
        course = pictures.dice.course
        drawn = luck_chart(lucks, course.sides, course.what, turns)
        if drawn is not None:
            film.kept.share(drawn[0])
            note = "Shaded: the range in which 95 of 100 games with fair dice lie."
            found.append(
                _figure(f"Luck: {course.what}, compared with the average of fair dice", drawn[1], f"{drawn[2]} {note}")
            )
    return "".join(found)


def _figure(title: str, svg: str, text: str) -> str:
    return (
        f'<figure class="leaf chart"><figcaption><h2>{safe(title)}</h2></figcaption>{svg}<p>{safe(text)}</p></figure>'
    )


@lru_cache(maxsize=4)
def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _json(value: Any) -> str:
    """Inside a script element: nothing in it can end that element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _legend(film: Film) -> str:
    if film.shown is None:
        return ""
    groups = legend_lists(film.shown, film.kept)
    credits = "<br>".join(map(safe, film.shown.credits))
    return f'<details class="leaf"><summary>Legend</summary>{groups}</details>' + (
        f'<p class="credits">{credits}</p>' if credits else ""
    )


def _links(links: Sequence[tuple[str, str]]) -> str:
    if not links:
        return ""
    found = "".join(f'<a href="{safe(to)}">{safe(words)}</a>' for to, words in links)
    return f'<nav class="up" aria-label="Site">{found}</nav>'


def _styles(used: Any, look: str) -> str:
    styles = _file("replay.css") + sheet(used, look)
    if look != "auto":
        night = "all" if look == "dark" else "not all"
        styles = styles.replace("light dark", look).replace("(prefers-color-scheme: dark)", night)
    return styles


def _rows(facts: Facts) -> str:
    return "".join(f"<div><dt>{safe(word)}</dt><dd>{safe(text)}</dd></div>" for word, text in facts.rows)


def contents_page(facts: Facts, pages: Sequence[tuple[str, str]], look: str = "auto") -> str:
    """The list of the pages of a long game: each by its address beside this one, and its words."""
    styles, sound = _styles(Film().kept.used, look), "sound" if facts.sound else "unsure"
    listed = "".join(f'<li><a href="{safe(to)}">{safe(words)}</a></li>' for to, words in pages)
    body = (
        f'<header class="top"><h1 id="title">{safe(facts.title)}</h1><details class="facts {sound}" open><summary>'
        f"{safe(facts.badge)}</summary><dl>{_rows(facts)}</dl></details></header>"
        f'<main><section class="leaf"><h2>Pages</h2><ol>{listed}</ol></section></main>'
    )
    return _wrapped(facts, styles, f"style-src {_hash(styles)}", body)


def _wrapped(facts: Facts, styles: str, may: str, body: str) -> str:
    """`may`: what the page may use; nothing else."""
    policy = f"default-src 'none';{may};base-uri 'none';form-action 'none'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{safe(facts.title)}</title><style>{styles}</style></head><body>{body}</body></html>\n"
    )


def _document(film: Film, facts: Facts, data: Mapping[str, Any], charts: str, sides: list[Side], look: str) -> str:
    legend = _legend(film)
    groups = "".join(f'<g data-layer="{n}"></g>' for n, name in enumerate(film.layers) if name not in (PANELS, BOARD))
    width, height = film.extent.width, film.extent.height
    board = (
        f'<svg id="board" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title part where" '
        f' font-family="Liberation Sans,Arial,Helvetica,sans-serif">{groups}</svg>'
        if film.shown is not None
        else f'<pre id="board" data-layer="{film.layers.index(BOARD)}" aria-labelledby="title part where"></pre>'
    )
    panels = f'<div class="panels" data-layer="{film.layers.index(PANELS)}"></div>' if PANELS in film.layers else ""
    choices = "".join(f'<option value="{n}">{safe(side.name)}</option>' for n, side in enumerate(sides))
    styles = _styles(film.kept.used, look)
    script = _file("replay.js")
    values = {
        "links": _links(facts.links),
        "title": safe(facts.title),
        "badge": safe(facts.badge),
        "sound": "sound" if facts.sound else "unsure",
        "facts": _rows(facts),
        "board": board,
        "panels": panels,
        "charts": charts,
        "legend": legend,
        "sides": choices,
        "last": str(len(data["steps"]) - 1),
    }
    body = re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], _file("replay.html"))
    return _wrapped(
        facts,
        styles,
        f"style-src {_hash(styles)};script-src {_hash(script)}",
        f'<svg width="0" height="0" class="defs" aria-hidden="true"><defs>{film.kept.definitions}</defs></svg>'
        f'{body}<script type="application/json" id="game">{_json(data)}</script><script>{script}</script>',
    )


# Curves over the steps of a game, as SVG of whole numbers: strength, and the luck of dice with its confidence band.

WIDE, HIGH = 560, 250
LEFT, TOP, BOTTOM = 58, 12, 30
LETTER = 16
DASHES = ("", "9 5", "2 5", "14 4 3 4", "5 3")
SPREAD = Fraction(196, 100)  # standard deviations to either side that hold 95 of 100 fair games
UNIT = 100  # curves of luck are kept in hundredths


class Plot:
    """One frame with a scale. The page moves its line of the present step."""

    def __init__(self, steps: int, low: int, high: int, sides: Sequence[Side]) -> None:
        self.canvas = Canvas()
        self.right = WIDE - max(width(side.name, LETTER) for side in sides) - 18
        self.steps = max(1, steps - 1)
        self.mark = _mark(max(1, high - low))
        self.low = low // self.mark * self.mark
        self.high = max(-(-high // self.mark) * self.mark, self.low + self.mark)

    def x(self, step: int) -> int:
        return LEFT + (self.right - LEFT) * step // self.steps

    def y(self, number: int) -> int:
        return TOP + (HIGH - TOP - BOTTOM) * (self.high - number) // (self.high - self.low)

    def frame(self, per: int = 1) -> None:
        """Lines across with their numbers; `per`: how many of our units are one of the reader's."""
        for number in range(self.low, self.high + 1, self.mark):
            self.canvas.path(f"M{LEFT} {self.y(number)}H{self.right}", "axis" if number == 0 else "rule")
            shown = f"{number // per}" if number % per == 0 else f"{number * 10 // per // 10}.{number * 10 // per % 10}"
            self.canvas.text(LEFT - 8, self.y(number) + 6, shown.replace("-", "−"), "faint end", LETTER)

    def turns(self, turns: Sequence[int]) -> None:
        """Ticks where the game's turns begin, as many with their numbers as there is room for."""
        free = 0
        for step, turn in enumerate(turns):
            if turn > 0 and (step == 0 or turn != turns[step - 1]):
                x = self.x(step)
                self.canvas.path(f"M{x} {HIGH - BOTTOM}v5", "axis")
                if x >= free:
                    self.canvas.text(x, HIGH - BOTTOM + 22, str(turn), "faint mid", LETTER)
                    free = x + width(str(turn), LETTER) + 14

    def curve(self, numbers: Sequence[int], side: Side, dash: str) -> None:
        """Only where it turns, so that a long game stays small."""
        points = [(self.x(step), self.y(number)) for step, number in enumerate(numbers)]
        self.canvas.open(f"k-{side.colour}")
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.canvas.raw(f'<path d="{line(_thin(points))}" class="curve"{dashed}/>', "curve")
        self.canvas.close()

    def band(self, low: Sequence[int], high: Sequence[int], side: Side) -> None:
        above = _thin([(self.x(step), self.y(number)) for step, number in enumerate(high)])
        below = _thin([(self.x(step), self.y(number)) for step, number in enumerate(low)])
        self.canvas.open(f"k-{side.colour}")
        self.canvas.path(line([*above, *reversed(below)], closed=True), "band")
        self.canvas.close()

    def names(self, ends: Sequence[tuple[int, Side]]) -> None:
        """At the end of each curve, apart from each other."""
        taken: list[int] = []
        for number, _ in sorted(ends, key=lambda each: -each[0]):
            y = max(self.y(number) + 6, taken[-1] + LETTER + 2 if taken else TOP + 8)
            taken.append(y)
        over = max(0, taken[-1] - HIGH + 4) if taken else 0
        for (_, side), y in zip(sorted(ends, key=lambda each: -each[0]), taken, strict=True):
            self.canvas.open(f"k-{side.colour}")
            self.canvas.text(self.right + 8, y - over, side.name, "curve-name", LETTER)
            self.canvas.close()

    def svg(self, label: str) -> str:
        now = f'<path class="now" d="M0 {TOP}V{HIGH - BOTTOM}"/>'
        more = f'role="img" aria-label="{safe(label)}" data-left="{LEFT}" data-right="{self.right}"'
        self.canvas.raw(now, "now")
        return self.canvas.inline(WIDE, HIGH, more)


def _mark(span: int) -> int:
    """A round distance of about a fifth of the span."""
    size = 1
    while True:
        for step in (1, 2, 5):
            if size * step * 5 >= span:
                return size * step
        size *= 10


def _thin(points: Sequence[Point]) -> list[Point]:
    """Without what repeats itself, and without the middle of what is level."""
    found: list[Point] = []
    for point in points:
        if found and found[-1] == point:
            continue
        if len(found) > 1 and found[-1][1] == found[-2][1] == point[1]:
            found[-1] = point
        else:
            found.append(point)
    return found


def strength_chart(
    numbers: Sequence[Mapping[str, int]], sides: Sequence[Side], what: str, turns: Sequence[int]
) -> tuple[Canvas, str, str]:
    """The picture, and its end in words."""
    high = max((max(each.values(), default=0) for each in numbers), default=1)
    plot = Plot(len(numbers), 0, max(high, 1), sides)
    plot.frame()
    plot.turns(turns)
    ends = []
    for number, side in enumerate(sides):
        course = [each.get(side.key, 0) for each in numbers]
        plot.curve(course, side, DASHES[number % len(DASHES)])
        ends.append((course[-1], side))
    plot.names(ends)
    told = "; ".join(f"{side.name} from {numbers[0].get(side.key, 0)} to {end}" for end, side in ends)
    return plot.canvas, plot.svg(f"Strength over the game, {what}: {told}."), f"{told}."


def luck_chart(
    lucks: Sequence[Sequence[Luck]], sides: Sequence[Side], what: str, turns: Sequence[int]
) -> tuple[Canvas, str, str] | None:
    """How far each side is from what fair dice give it; shaded: where 95 of 100 fair games are at that time."""
    known = {side.key for side in sides}
    got = dict.fromkeys(known, 0)
    mean = dict.fromkeys(known, Fraction(0))
    variance = dict.fromkeys(known, Fraction(0))
    courses: dict[str, list[int]] = {key: [] for key in known}
    widths: dict[str, list[int]] = {key: [] for key in known}
    for each in lucks:
        for one in each:
            if one.side in known:
                got[one.side] += one.got
                mean[one.side] += one.mean
                variance[one.side] += one.variance
        for key in known:
            courses[key].append(_whole((got[key] - mean[key]) * UNIT))
            widths[key].append(_root(variance[key] * SPREAD * SPREAD * UNIT * UNIT))
    rolled = [side for side in sides if variance[side.key]]
    if not rolled:
        return None
    every = [n for side in rolled for n in (*courses[side.key], *widths[side.key], *(-w for w in widths[side.key]))]
    plot = Plot(len(lucks), min(every), max(every), rolled)
    for side in rolled:
        plot.band([-w for w in widths[side.key]], widths[side.key], side)
    plot.frame(UNIT)
    plot.turns(turns)
    told = []
    for number, side in enumerate(rolled):
        course, wide = courses[side.key], widths[side.key]
        plot.curve(course, side, DASHES[number % len(DASHES)])
        low, high = (_tenths(_whole(mean[side.key] * UNIT) + sign * wide[-1]) for sign in (-1, 1))
        fair = "among" if abs(course[-1]) <= wide[-1] else "outside"
        told.append(
            f"{side.name}: {got[side.key]} {what}. Fair dice give {_tenths(_whole(mean[side.key] * UNIT))} on average, "
            f"and {low} to {high} in 95 of 100 games; this is {fair} them"
        )
    plot.names([(courses[side.key][-1], side) for side in rolled])
    text = ". ".join(told)
    return plot.canvas, plot.svg(f"Luck of the dice over the game: {text}."), f"{text}."


def _whole(number: Fraction) -> int:
    """To the nearest, halves upwards."""
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)


def _root(number: Fraction) -> int:
    return isqrt(number.numerator // number.denominator)


def _tenths(hundredths: int) -> str:
    sign, size = "−" if hundredths < -4 else "", (abs(hundredths) + 5) // 10
    return f"{sign}{size // 10}.{size % 10}"
