"""Writing SVG, finding room, measuring text."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.pictures.lettering import cut, fit, width, wrap
from pbem.pictures.placing import Room, around
from pbem.pictures.svg import Canvas
from pbem.pictures.theme import sheet


@given(st.text(max_size=60))
def test_any_text_makes_a_well_formed_document(text: str) -> None:
    canvas = Canvas()
    canvas.text(1, 2, text, "ink")
    canvas.open("", text)
    canvas.close()
    root = ElementTree.fromstring(canvas.finish(10, 10, text))
    shown = next(each for each in root.iter() if each.tag.endswith("}text"))
    if text.isprintable():
        assert (shown.text or "") == text


def test_markup_in_a_name_stays_text() -> None:
    canvas = Canvas()
    canvas.text(0, 0, "<script>alert('1 & 2')</script>", "ink")
    assert "<script>" not in canvas.finish(10, 10, "<script>")


def test_only_classes_in_use_are_in_the_sheet() -> None:
    canvas = Canvas()
    canvas.rect(0, 0, 5, 5, "t-forest")
    drawn = canvas.finish(10, 10, "x")
    assert ".t-forest{" in drawn
    assert ".t-swamp{" not in drawn


def test_an_explicit_look_asks_no_device() -> None:
    day, night, auto = (sheet(["paper"], look) for look in ("light", "dark", "auto"))
    assert "prefers-color-scheme" not in day + night
    assert day != night
    assert auto.startswith(day)
    assert "prefers-color-scheme:dark" in auto


BOXES = st.lists(
    st.builds(around, st.integers(-500, 900), st.integers(-500, 900), st.integers(1, 200), st.integers(1, 90)),
    max_size=25,
)


@given(BOXES)
def test_room_is_given_once(boxes: list[tuple[int, int, int, int]]) -> None:
    room, taken = Room(), []
    for box in boxes:
        found = room.first([box])
        over = any(box[0] < o[2] and box[2] > o[0] and box[1] < o[3] and box[3] > o[1] for o in taken)
        assert (found is None) == over
        if found:
            taken.append(found)


def test_nothing_is_placed_beyond_the_edge() -> None:
    room = Room((0, 0, 100, 100))
    assert room.first([(-5, 0, 20, 20), (90, 90, 110, 99)]) is None
    assert room.first([(-5, 0, 20, 20), (10, 10, 20, 20)]) == (10, 10, 20, 20)


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=80), st.integers(20, 400))
def test_wrapped_lines_fit(text: str, room: int) -> None:
    lines = wrap(text, 12, room)
    assert " ".join(lines).split() == text.split()
    assert all(width(line, 12) <= room for line in lines if " " in line)
    assert width(cut(text, 12, room), 12) <= max(room, width("…", 12))


@pytest.mark.parametrize("text", ["10-8-6", "VKoe", "Dnepropetrovsk"])
def test_a_fitted_size_fits(text: str) -> None:
    size = fit(text, 17, 46)
    assert size == 6 or width(text, size) <= 46
