"""Ranges of headquarters, and railheads."""

from __future__ import annotations

import pytest
from grounds import board_from, boards, some
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.board import board_of
from pbem.kit.rails import extended, onward, thrown_back
from pbem.kit.ranges import Ranges
from pbem.kit.supply import Lines


@given(st.data())
def test_who_is_in_range(data):
    board = data.draw(boards())
    hexes = sorted(p for p in board.places if p in board.grid)
    posts = data.draw(st.lists(st.tuples(st.sampled_from(hexes), st.integers(0, 4)), max_size=3))
    found = set(board.in_mask(Ranges(board).of(posts)))
    assert found == {p for p in hexes if any(board.grid.distance(p, post) <= n for post, n in posts)}


@given(st.data())
def test_the_nearest_that_will_do(data):
    board = data.draw(boards())
    hexes = sorted(p for p in board.places if p in board.grid)
    start, among, least = data.draw(st.sampled_from(hexes)), data.draw(some(board)), data.draw(st.integers(0, 4))
    far = {p: board.grid.distance(start, p) for p in among if p in board.grid}
    good = [steps for steps in far.values() if steps >= least]
    found = Ranges(board).nearest(start, board.mask(among), least)
    assert set(found) == {p for p, steps in far.items() if good and steps == min(good)}


@given(st.data())
def test_who_stands_next_to_a_hex_and_who_two_away(data):
    board = data.draw(boards())
    hexes = sorted(p for p in board.places if p in board.grid)
    place, held = data.draw(st.sampled_from(hexes)), data.draw(some(board))
    far = [board.grid.distance(place, p) for p in held if p in board.grid]
    assert Ranges(board).next_and_apart(place, board.mask(held)) == (far.count(1), far.count(2))


def test_ranges_are_of_grids():
    board = board_of(
        {"name": "x", "provenance": "ours", "areas": [{"id": 9000, "name": "Sea", "terrain": "sea"}], "links": []}
    )
    with pytest.raises(ValueError, match="grid"):
        Ranges(board)


BOARD = board_from(
    ["......", "......"], ways=[{"feature": "rail", "chains": ["0101-0201-0301-0401", "0301-0302-0402"]}]
)
RAIL = Lines(BOARD, lambda _a, _b, edge: "rail" in edge)


def mask(*places):
    return BOARD.mask(places)


def test_a_railhead_goes_on_along_the_line():
    east = mask(301, 401, 302, 402)
    assert onward(RAIL, (101, 201), east, -1) == (301,)
    assert onward(RAIL, (101, 201, 301), east & ~mask(301), -1) == (302, 401)
    assert extended(RAIL, (101, 201), (301, 302), east, -1) == (101, 201, 301, 302)
    assert extended(RAIL, (101, 201), (301, 402), east, -1) is None
    assert extended(RAIL, (101, 201), (301,), east, ~mask(301)) is None
    # Not back over what is repaired, nor twice over one hex.
    assert extended(RAIL, (101, 201), (301, 302, 301), east, -1) is None
    assert extended(RAIL, (101, 201), (301, 201), east, -1) is None


def test_it_falls_back_the_way_it_came():
    track = (101, 201, 301, 302, 402)
    assert thrown_back(RAIL, track, mask(402, 302)) == (101, 201, 301)
    assert thrown_back(RAIL, track, mask(301)) == track
    assert thrown_back(RAIL, track, -1) == (101,)
