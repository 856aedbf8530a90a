"""Boards, reports and hostile words in a real browser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.engine.registry import find
from pbem.engine.testing.inmemory import Table
from pbem.kit.scene import TurnSeen
from pbem.pictures.page import page, report_page
from pbem.pictures.replayhtml import Facts, replay_page
from pbem.pictures.replaysteps import Step, steps
from tests.pictures.scenes import GAMES, LENGTHS, scene

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
HOSTILE = "</script><img src=x onerror=window.harm=1>\"'><svg onload=window.harm=1>&lt;!--<!--{{title}}\u2028\u202e$&"


def report(name):
    after = scene(name, LENGTHS[-1])
    return report_page(
        TurnSeen("A turn", scene(name, LENGTHS[0]), after, (("Something happened.",),)), ("You owe orders.",)
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("make", [report, lambda name: page(scene(name, LENGTHS[-1]))], ids=["report", "board"])
def test_pages_open_quietly_at_any_width(chromium, tmp_path, make, name, size):
    path = tmp_path / "page.html"
    path.write_text(make(name), encoding="utf-8")
    chromium.size(*SIZES[size])
    chromium.open(path)
    assert chromium.run("return document.documentElement.scrollWidth") == SIZES[size][0]
    assert chromium.complaints() == []
    assert [each for each in chromium.requests() if not each.startswith("file:")] == []


def test_words_of_players_stay_words(chromium, tmp_path):
    made = scene("bridgehead", 12)
    hostile = replace(
        made,
        title=HOSTILE,
        lines=(HOSTILE,),
        sides=tuple(side._replace(name=HOSTILE) for side in made.sides),
        stacks={
            place: tuple(p._replace(name=HOSTILE, code="<b>") for p in held) for place, held in made.stacks.items()
        },
        panels=tuple(panel._replace(title=HOSTILE) for panel in made.panels),
        credits=(HOSTILE,),
    )
    steps = [Step(hostile, "", (HOSTILE,), made.sides[0].key, HOSTILE, turn) for turn in (1, 2)]
    path = tmp_path / "hostile.html"
    path.write_text(
        replay_page(steps, Facts(HOSTILE, HOSTILE, sound=False, rows=((HOSTILE, HOSTILE),))), encoding="utf-8"
    )
    chromium.size(1280, 800)
    chromium.open(path)
    assert chromium.run("return [window.harm, document.images.length, document.scripts.length]") == [None, 0, 2]
    assert chromium.complaints() == []
    shown = chromium.run("return document.querySelector('#told li').textContent")
    assert shown == HOSTILE.replace("\u2028", "?").replace("\u202e", "?")
    assert chromium.run("return document.querySelectorAll('dd b, title b, #board b').length") == 0


def test_what_a_stranger_adds_to_the_page_does_not_run(chromium, tmp_path):
    """The page's policy admits its own script and style only."""
    made = scene("bridgehead", 12)
    steps = [Step(made, "", ("One.",), "", "")]
    whole = replay_page(steps, Facts("A game", "Verified", sound=True, rows=()))
    path = tmp_path / "changed.html"
    path.write_text(whole.replace("</body>", "<script>window.harm = 1</script></body>"), encoding="utf-8")
    chromium.open(path)
    assert chromium.run("return window.harm") is None
    assert any("Content Security Policy" in each for each in chromium.complaints())


def test_a_game_without_pictures_is_told_in_text(chromium, tmp_path):
    steps = [Step(None, f"north | {k}\nsouth | <i>", (f"Turn {k}.",), "north", f"Turn {k}", k) for k in range(1, 5)]
    path = tmp_path / "text.html"
    path.write_text(replay_page(steps, Facts("Ferry", "Verified", sound=True, rows=())), encoding="utf-8")
    for size in SIZES.values():
        chromium.size(*size)
        chromium.open(path, "3")
        assert chromium.run("return document.getElementById('board').textContent") == "north | 3\nsouth | <i>\n"
        assert chromium.run("return document.documentElement.scrollWidth") == size[0]
        assert chromium.complaints() == []


@pytest.mark.parametrize("size", SIZES)
def test_a_page_of_a_map_larger_than_its_window_opens_where_the_stacks_are(chromium, tmp_path, size):
    """The middle of the map of Stalingrad '42's campaign is empty steppe when it begins."""
    opening = list(steps(Table(find("stalingrad42"), 2, scenario="campaign", seed="opening").peers[0].replay))
    path = tmp_path / "opening.html"
    path.write_text(replay_page(opening, Facts("A game", "Verified", sound=True, rows=())), encoding="utf-8")
    chromium.size(*SIZES[size])
    chromium.open(path)
    seen = """const frame = document.querySelector('.map').getBoundingClientRect();
        const found = document.querySelectorAll('[data-layer] title');
        return [...found].map((each) => each.parentElement.getBoundingClientRect())
            .filter((box) => box.width && box.right > frame.left && box.left < frame.right && box.bottom > frame.top
                && box.top < frame.bottom).length"""
    assert chromium.run(seen) > 2
