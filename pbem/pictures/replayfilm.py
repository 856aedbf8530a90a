"""Many pictures of one game as a table of elements and, for each step, what is taken away and what is put in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.kit.scene import Arrow, Battle, Explained, HexGround, Mark, Panel, Piece, Scene, Side
from pbem.pictures.page import panel_markup
from pbem.pictures.picture import Extent, ground
from pbem.pictures.svg import Canvas, plain, safe

Change = list[int | list[int]]  # a layer, the positions that go, and pairs of position and element that come
PANELS, BOARD = "panels", "board"  # the layers that are no part of the map
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
    """Takes scene after scene. Texts are kept once, too."""

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
        return self._said.setdefault(plain(words), len(self._said))

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
