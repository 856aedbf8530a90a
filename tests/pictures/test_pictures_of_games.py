"""Every game's pictures: well-formed, the same bytes every time, and blind to what a seat may not know."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.registry import find
from pbem.engine.view import View
from pbem.kit.scene import Arrow, HexGround, Scene, TurnSeen
from pbem.pictures.page import page, report_page
from pbem.pictures.picture import LOOKS, board_svg, map_svg
from tests.pictures.scenes import GAMES, LENGTHS, position, scene

ROOT = Path(__file__).resolve().parents[2]
OUTSIDE = re.compile(r"(?:src|href)=\"(?!#)|url\((?!#)|@import|<script|https?://(?!www\.w3\.org/2000/svg)")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("orders", LENGTHS)
def test_svg_is_well_formed_and_whole_numbers(name: str, orders: int) -> None:
    made = scene(name, orders, find(name).seats[0].name)
    for drawn in (board_svg(made), map_svg(made)):
        root = ElementTree.fromstring(drawn)
        ids = [each.get("id") for each in root.iter() if each.get("id")]
        assert len(ids) == len(set(ids))
        used = {each.get("href", "#")[1:] for each in root.iter() if each.tag.endswith("}use")}
        assert used <= set(ids)
        assert not OUTSIDE.search(drawn)
        places = [each.get(key, "0") for each in root.iter() for key in ("x", "y", "width", "height", "cx", "cy", "r")]
        assert all(re.fullmatch(r"-?\d+", place) for place in places)


@pytest.mark.parametrize("name", GAMES)
def test_pages_stand_alone(name: str) -> None:
    for look in LOOKS:
        drawn = page(scene(name, LENGTHS[-1], find(name).seats[0].name), look)
        assert not OUTSIDE.search(drawn)
        assert drawn.startswith("<!doctype html>")
        ids = re.findall(r' id="([^"]+)"', drawn)
        assert len(ids) == len(set(ids))
        assert set(re.findall(r'href="#([^"]+)"', drawn)) <= set(ids)


@pytest.mark.parametrize("name", GAMES)
def test_every_unit_on_the_map_is_drawn(name: str) -> None:
    made = scene(name, LENGTHS[-1])
    root = ElementTree.fromstring(map_svg(made))
    told = [each.text or "" for each in root.iter() if each.tag.endswith("}title")]
    for pieces in made.stacks.values():
        for piece in pieces[:4]:
            assert any((piece.name or piece.code) in text for text in told)


DRAW = """
import sys
from hashlib import sha256
sys.path.insert(0, "tests/..")
from tests.pictures.scenes import GAMES, scene
from pbem.pictures.picture import board_svg
from pbem.pictures.page import page, report_page
from pbem.kit.scene import TurnSeen
for name in GAMES:
    made = scene(name, 45)
    report = report_page(TurnSeen("A turn", None, made, ()))
    print(sha256((board_svg(made) + page(made) + report).encode()).hexdigest())
"""


def test_the_same_bytes_under_another_hash_seed() -> None:
    def run(seed: str) -> str:
        environ = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}"}
        return subprocess.run(
            [sys.executable, "-c", DRAW], cwd=ROOT, env=environ, check=True, capture_output=True, text=True
        ).stdout

    assert run("1") == run("77")


def test_games_load_without_what_draws() -> None:
    """Nothing that is replayed loads pictures."""
    code = (
        "import sys; from pbem.engine.registry import find; import pbem.engine.archive\n"
        f"for name in {GAMES!r}: find(name)\n"
        "print([name for name in sys.modules if 'pictures' in name or name == 'pbem.kit.scene'])"
    )
    environ = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'rules'}"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environ, check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"


def seen_by(name: str, view: View[Any], seats: tuple[str, ...]) -> str:
    driver = position(name, LENGTHS[-1])
    assert driver.game.pictures is not None
    pictures = driver.game.pictures()
    events = tuple(event for event in driver.happened if event.seen_by(seats))
    made: Scene = pictures.scene(view, pictures.last(events))
    turn = TurnSeen("A turn", None, made, (driver.game.tell(pictures.prose(events)),))
    return board_svg(made) + page(made) + report_page(turn)


@settings(max_examples=12, deadline=None)
@given(data=st.data(), name=st.sampled_from(GAMES))
def test_hidden_values_of_others_change_nothing(data: st.DataObject, name: str) -> None:
    """Whatever the others hold, the same bytes; what is one's own does show."""
    driver = position(name, LENGTHS[-1])
    seats = [seat.name for seat in driver.game.seats]
    mine = data.draw(st.sampled_from(seats))
    seats.remove(mine)
    before = seen_by(name, driver.view(mine), (mine,))
    public = seen_by(name, driver.view(), ())
    kept = {seat: dict(driver.known[seat]) for seat in seats}
    own = set(driver.known[mine])
    try:
        for seat in seats:
            for slot, value in driver.known[seat].items():
                if slot not in own:
                    other: st.SearchStrategy[int | bytes] = (
                        st.integers(0, 11) if isinstance(value, int) else st.binary(max_size=8)
                    )
                    driver.known[seat][slot] = data.draw(other)
        assert seen_by(name, driver.view(mine), (mine,)) == before
        assert seen_by(name, driver.view(), ()) == public
    finally:
        for seat, values in kept.items():
            driver.known[seat].clear()
            driver.known[seat].update(values)


@pytest.mark.parametrize("name", ["bridgehead", "noretreat"])
def test_one_sees_ones_own_hand(name: str) -> None:
    driver = position(name, LENGTHS[-1])
    holders = [seat.name for seat in driver.game.seats if driver.state.hand(seat.name)]
    assert holders
    for seat in holders:
        assert seen_by(name, driver.view(seat), (seat,)) != seen_by(name, driver.view(), ())


def test_what_came_before_the_last_part_is_not_drawn() -> None:
    game = find("bridgehead")
    assert game.pictures is not None
    pictures = game.pictures()
    driver = position("bridgehead", LENGTHS[-1])
    last = pictures.last(driver.happened)
    starts = [k for k, event in enumerate(driver.happened) if isinstance(event, pictures.begins)]
    assert sum(isinstance(event, pictures.begins) for event in last) == 1
    assert last[0] in [driver.happened[k] for k in starts]


def test_an_arrow_around_the_world_leaves_at_both_edges() -> None:
    made = scene("axis1941", 0)
    names = {spot.name: place for place, spot in made.ground.spots.items()}  # type: ignore[union-attr]
    way = (names["Western United States"], names["Eastern United States"])
    with_arrow = map_svg(replace(made, arrows=(Arrow("move", "usa", way),)))
    assert with_arrow.count('class="head"') == 2


def test_more_counters_than_there_is_room_for_are_counted() -> None:
    made = scene("bridgehead", 0)
    assert isinstance(made.ground, HexGround)
    place, pieces = next((place, pieces) for place, pieces in made.stacks.items() if len(pieces) == 2)
    drawn = map_svg(replace(made, stacks={place: pieces * 3}))
    assert ">6</text>" in drawn
