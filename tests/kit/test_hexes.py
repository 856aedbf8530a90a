"""Grids of every kind: neighbours, distances, sides, rings, lines."""

from __future__ import annotations

import itertools
from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.hexes import Grid, column_row, hex_id, hex_name, parse_hex

KINDS = [(top, shifted, first) for top in ("flat", "pointy") for shifted in ("odd", "even") for first in (0, 1)]
GRIDS = [Grid(9, 8, top, shifted, first) for top, shifted, first in KINDS]
grids = st.sampled_from(GRIDS)


@st.composite
def grid_and_cells(draw, count=2):
    grid = draw(grids)
    return grid, *(draw(st.sampled_from(grid.cells)) for _ in range(count))


def walked(grid, start):
    """Distances by walking."""
    far = {start: 0}
    todo = deque([start])
    while todo:
        cell = todo.popleft()
        for near in grid.neighbours(cell):
            if near not in far:
                far[near] = far[cell] + 1
                todo.append(near)
    return far


def test_ids():
    assert hex_id(4, 5) == 405
    assert column_row(1203) == (12, 3)
    assert hex_name(405) == "0405"
    assert parse_hex("0405") == 405
    for wrong in ("405", "04055", "o405", "٠٤٠٥", "", "-405"):
        assert parse_hex(wrong) is None


@pytest.mark.parametrize(
    ("top", "shifted", "cell", "around"),
    [
        # Clockwise from north, or from north-east, as on printed maps.
        ("flat", "even", 405, (404, 505, 506, 406, 306, 305)),
        ("flat", "even", 305, (304, 404, 405, 306, 205, 204)),
        ("flat", "odd", 405, (404, 504, 505, 406, 305, 304)),
        ("flat", "odd", 305, (304, 405, 406, 306, 206, 205)),
        ("pointy", "even", 504, (603, 604, 605, 505, 404, 503)),
        ("pointy", "even", 505, (504, 605, 506, 406, 405, 404)),
        ("pointy", "odd", 504, (503, 604, 505, 405, 404, 403)),
        ("pointy", "odd", 505, (604, 605, 606, 506, 405, 504)),
    ],
)
def test_neighbours(top, shifted, cell, around):
    grid = Grid(9, 9, top, shifted)
    assert grid.neighbours(cell) == around
    assert [grid.toward(cell, d) for d in range(6)] == list(around)
    assert [grid.direction(cell, near) for near in around] == list(range(6))


@given(grid_and_cells())
def test_neighbours_are_mutual_and_opposite(drawn):
    grid, cell, _ = drawn
    for direction in range(6):
        near = grid.toward(cell, direction)
        if near is not None:
            assert grid.toward(near, (direction + 3) % 6) == cell
            assert grid.distance(cell, near) == 1


@given(grid_and_cells())
def test_distance_is_the_shortest_walk(drawn):
    grid, a, b = drawn
    assert grid.distance(a, b) == walked(grid, a)[b] == grid.distance(b, a)


@given(grid_and_cells(), st.integers(0, 9))
def test_rings_and_discs(drawn, radius):
    grid, centre, _ = drawn
    far = walked(grid, centre)
    ring = grid.ring(centre, radius)
    assert len(ring) == len(set(ring))
    assert set(ring) == {cell for cell, steps in far.items() if steps == radius}
    assert set(grid.within(centre, radius)) == {cell for cell, steps in far.items() if steps <= radius}


def test_a_ring_goes_clockwise():
    assert Grid(9, 9).ring(505, 1) == Grid(9, 9).neighbours(505)
    assert Grid(9, 9, "pointy").ring(505, 1) == Grid(9, 9, "pointy").neighbours(505)


@given(grid_and_cells())
def test_sides_have_one_number(drawn):
    grid, cell, _ = drawn
    for direction in range(6):
        side = grid.side(cell, direction)
        near = grid.toward(cell, direction)
        assert near is None or grid.side(near, (direction + 3) % 6) == side
    assert len({grid.side(cell, direction) for direction in range(6)}) == 6


@given(grids)
def test_every_side_is_counted_once(grid):
    sides = {grid.side(cell, direction) for cell in grid for direction in range(6)}
    inner = sum(len(grid.neighbours(cell)) for cell in grid) // 2
    outer = sum(6 - len(grid.neighbours(cell)) for cell in grid)
    assert len(sides) == inner + outer


@given(grid_and_cells())
def test_lines(drawn):
    grid, a, b = drawn
    line = grid.line(a, b)
    assert line[0] == a
    assert line[-1] == b
    assert len(line) <= grid.distance(a, b) + 1
    # Where no part of the line leaves the map, each step is to a neighbour.
    if len(line) == grid.distance(a, b) + 1:
        assert all(grid.distance(x, y) == 1 for x, y in itertools.pairwise(line))


def test_lines_along_columns_and_edges():
    grid = Grid(9, 9)
    assert grid.line(503, 507) == (503, 504, 505, 506, 507)
    assert grid.line(505, 505) == (505,)
    # From 0505 to 0705 the line runs along a hexside: one side throughout, the same both ways.
    assert grid.line(505, 705) in ((505, 604, 705), (505, 605, 705))
    assert set(grid.line(505, 705)) == set(grid.line(705, 505))


def test_bounds():
    for wrong in ((0, 5), (5, 0), (100, 5)):
        with pytest.raises(ValueError, match="grid"):
            Grid(*wrong)
    assert 910 not in Grid(9, 9)
    assert Grid(9, 9).at((99, 99)) is None
