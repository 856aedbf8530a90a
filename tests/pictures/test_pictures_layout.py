"""Nothing hides anything, and all that is shown is explained."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.engine.registry import find
from pbem.engine.testing.play import random_game
from pbem.kit.scene import Battle, HexGround, Scene, Throw
from pbem.pictures.aside import groups_of
from pbem.pictures.ground import layer_of
from pbem.pictures.happened import SHOWN
from pbem.pictures.lettering import width
from pbem.pictures.page import page
from pbem.pictures.picture import board_svg, map_svg, middle_of
from pbem.pictures.pieces import HIGH, WIDE, stack, stack_size
from pbem.pictures.placing import Box, around
from pbem.pictures.svg import Canvas
from pbem_rules.axis1941.events import BattleBegan, Volley
from tests.pictures.scenes import LENGTHS, scene

HEXES = ("bridgehead", "noretreat")
WORDS = {
    "n-town": 75,
    "n-small": 75,
    "n-water": 75,
    "n-id": 61,
}  # classes, and how high their capitals are, in hundredths


def over(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def written(drawn: str) -> list[tuple[str, str, Box]]:
    """Class, words and box of what is written on a map."""
    found = []
    for each in ElementTree.fromstring(drawn).iter():
        name = next((word for word in (each.get("class") or "").split() if word in WORDS), None)
        if each.tag.endswith("}text") and name and each.get("x"):
            size, x, y = (int(each.get(key, "0")) for key in ("font-size", "x", "y"))
            half = width(each.text or "", size, bold=name == "n-town") // 2
            found.append((name, each.text or "", (x - half, y - size * WORDS[name] // 100, x + half, y)))
    return found


def counters(made: Scene) -> list[tuple[str, str, Box]]:
    assert isinstance(made.ground, HexGround)
    spots = layer_of(made.ground).spots
    return [
        ("counters", str(place), around(*spots[place], *stack_size(pieces)))
        for place, pieces in made.stacks.items()
        if place in spots
    ]


@pytest.mark.parametrize("name", HEXES)
@pytest.mark.parametrize("orders", LENGTHS)
def test_names_hide_nothing(name: str, orders: int) -> None:
    made = scene(name, orders)
    boxes = [*written(map_svg(made)), *counters(made)]
    assert len(boxes) > 50
    names = {"n-town", "n-small", "n-water"}
    for (kind, one, a), (other_kind, other, b) in combinations(boxes, 2):
        assert not ({kind, other_kind} & names and over(a, b)), (one, other)


@pytest.mark.parametrize("name", HEXES)
def test_every_hex_has_its_number_in_it(name: str) -> None:
    made = scene(name, LENGTHS[-1])
    assert isinstance(made.ground, HexGround)
    layer = layer_of(made.ground)
    ids = {text: box for kind, text, box in written(map_svg(made)) if kind == "n-id"}
    shown = [cell for cell, kind in layer.kinds.items() if kind != "off"]
    assert len(ids) == len(shown)
    for cell in shown:
        x, y = layer.spots[cell]
        left, top, right, bottom = ids[f"{cell:04}"]
        assert y - 52 < top < bottom < y - 25
        assert x - 35 < left < right < x + 35


@pytest.mark.parametrize("many", [1, 2, 3, 4])
def test_counters_of_a_hex_do_not_cover_each_other(many: int) -> None:
    made = scene("bridgehead", 0)
    pieces = [piece for held in made.stacks.values() for piece in held][:many]
    canvas = Canvas()
    stack(canvas, pieces, {side.key: side for side in made.sides}, 0, 0)
    drawn = canvas.inline(100, 100)
    at = [(int(x), int(y)) for x, y in re.findall(r'class="s-\w+" transform="translate\((-?\d+) (-?\d+)\)"', drawn)]
    assert len(at) == many
    boxes = [(x, y, x + WIDE, y + HIGH) for x, y in at]
    assert not any(over(a, b) for a, b in combinations(boxes, 2))


@pytest.mark.parametrize("name", ["axis1941", *HEXES])
@pytest.mark.parametrize("orders", LENGTHS)
def test_all_that_is_shown_is_in_the_legend(name: str, orders: int) -> None:
    made = scene(name, orders)
    told = [text for _, samples in groups_of(made) for text, _, _ in samples]
    known = {each.word: each.text for each in made.explained}
    pieces = [piece for held in made.stacks.values() for piece in held]
    words = {piece.symbol for piece in pieces} | {mark for piece in pieces for mark in piece.marks}
    words |= {each.kind for each in made.arrows} | {each.kind for each in made.marks if each.kind != "battle"}
    words |= {each.result for each in made.battles if each.result in known}
    for word in {"number" if word.isdigit() else word for word in words} - {""}:
        assert known.get(word, word) in told, word
    for side in made.sides:
        assert side.name in told
    drawn = board_svg(made)
    assert all(f">{escape(text)}</text>" in drawn for text in told)


def fought(name: str) -> tuple[str, Scene]:
    """A scene with a battle of many dice at a place where somebody stands."""
    made = scene(name, LENGTHS[-1])
    place = next(place for place, pieces in made.stacks.items() if pieces and (name == "axis1941" or place > 100))
    mine, theirs = made.sides[0].key, made.sides[1].key
    throws = (
        Throw(mine, (1, 6, 3), (True, False, False), "Round 1, attack"),
        Throw(theirs, tuple([2] * (SHOWN + 1)), tuple([True] * SHOWN + [False]), "Round 1, defence"),
    )
    battle = Battle(place, mine, "3:8", (), "won", "A battle.", throws)
    return f"battle-{place}", replace(made, battles=(battle,))


@pytest.mark.parametrize("name", ["axis1941", *HEXES])
def test_a_battle_shows_its_dice_and_is_found(name: str) -> None:
    key, made = fought(name)
    drawn = map_svg(made)
    assert f'id="{key}"' in drawn
    assert f">{SHOWN} of {SHOWN + 1} hit</text>" in drawn
    assert (drawn.count('class="hit"'), drawn.count('class="miss"')) == (2, 2)
    whole = page(made)
    assert f'href="#{key}"' in whole
    assert 'aria-label="1, 6, 3: 1 hit"' in whole
    assert "Round 1, defence" in whole


@pytest.mark.parametrize("name", ["axis1941", *HEXES])
def test_a_place_fought_over_twice_has_two_marks(name: str) -> None:
    key, made = fought(name)
    twice = replace(made, battles=(*made.battles, made.battles[0]._replace(odds="9:9", throws=())))
    whole = page(twice)
    for each in (key, f"{key}-2"):
        assert whole.count(f'id="{each}"') == whole.count(f'href="#{each}"') == 1
    assert whole.count(">9:9</text>") >= 2


def test_a_page_offers_three_sizes_and_prints() -> None:
    whole = page(scene("noretreat", LENGTHS[-1]))
    assert re.findall(r'<input type="radio" name="size" id="(\S+)" class="\w+"( checked)?>', whole) == [
        ("size-whole", ""), ("size-plain", " checked"), ("size-near", ""),
    ]  # fmt: skip
    assert "@media print{@page{size:A4 landscape" in whole
    assert 'class="here"' in whole


def test_a_page_begins_where_something_happened() -> None:
    made = scene("noretreat", LENGTHS[-1])
    assert isinstance(made.ground, HexGround)
    assert middle_of(replace(made, battles=(), arrows=())) is None
    place = next(iter(made.stacks))
    there = middle_of(replace(made, battles=(Battle(place, made.sides[0].key),)))
    assert there == layer_of(made.ground).spots[place]


def test_every_die_of_a_battle_is_told() -> None:
    """Axis & Allies 1941: as many dice as its volleys had, and as many hits."""
    game = find("axis1941")
    assert game.pictures is not None
    bots = {seat.name: game.bots["sensible"] for seat in game.seats}
    driver = random_game(game, "dice", bots=bots, orders=60, every=1_000_000)
    made = game.pictures().scene(driver.view(), tuple(driver.happened))
    counted: list[tuple[int, list[tuple[int, int]]]] = []
    for event in driver.happened:
        if isinstance(event, BattleBegan):
            counted.append((event.place, []))
        elif isinstance(event, Volley):
            counted[-1][1].append((len(event.dice), event.hits))
    thrown = [(each.place, [(len(t.dice), sum(t.hits)) for t in each.throws]) for each in made.battles]
    assert sum(len(throws) for _, throws in thrown) > 3
    assert thrown == counted


def test_the_readme_shows_the_board_and_leads_to_the_other_pictures() -> None:
    """`make pictures` draws them."""
    root = Path(__file__).resolve().parents[2]
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"!\[[^]]{20,}\]\((docs/pictures/[\w.]+)\)", readme) == ["docs/pictures/board.png"]
    assert {"docs/pictures/noretreat.svg", "docs/pictures/report.png"} <= set(
        re.findall(r"docs/pictures/[\w.]+", readme)
    )
    for path in (root / "docs" / "pictures").iterdir():
        assert path.stat().st_size < 500_000, path.name  # 1,440 hexes take most
        assert path.suffix != ".svg" or ElementTree.parse(path).getroot().tag.endswith("}svg")
