"""The geometry of the workshop, without the open data: projection, lattice, raster, hexsides of lines, chains."""

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kit.hexes import Grid
from tools.mapmaking.chains import chain
from tools.mapmaking.hexsides import crossed, side
from tools.mapmaking.lattice import Lattice
from tools.mapmaking.opendata import clip
from tools.mapmaking.projection import EARTH_KM, Conic
from tools.mapmaking.raster import Raster, inverse, union, without
from tools.mapmaking.waterways import Network

LATTICES = [
    Lattice(Grid(columns=9, rows=8, top=top, shifted=shifted, rows_from=rows_from))
    for top in ("flat", "pointy")
    for shifted in ("odd", "even")
    for rows_from in ("north", "south")
]
EACH = pytest.mark.parametrize(
    "lattice", LATTICES, ids=lambda each: f"{each.grid.top}-{each.grid.shifted}-{each.grid.rows_from}"
)


def test_kilometres_of_the_conic_are_kilometres():
    conic = Conic(29.5, 52.0, (46.0, 58.0))
    assert conic.forward((29.5, 52.0)) == pytest.approx((0, 0), abs=1e-6)
    east, north = conic.forward((29.5, 58.0))
    assert (east, north) == pytest.approx((0, EARTH_KM * math.radians(6)), abs=6)
    # Moscow to Leningrad as the crow flies.
    assert math.dist(conic.forward((37.62, 55.75)), conic.forward((30.32, 59.94))) == pytest.approx(634, rel=0.01)


@given(st.floats(0, 60), st.floats(35, 70))
def test_the_conic_is_undone(lon, lat):
    conic = Conic(29.5, 52.0, (46.0, 58.0))
    assert conic.inverse(conic.forward((lon, lat))) == pytest.approx((lon, lat))


@EACH
def test_neighbours_of_the_kit_are_neighbours_on_the_plane(lattice):
    for cell in lattice.grid:
        x, y = lattice.centre(cell)
        assert lattice.cell((x, y)) == cell
        for direction in range(6):
            near = lattice.grid.toward(cell, direction)
            if near is None:
                continue
            nx, ny = lattice.centre(near)
            assert math.dist((x, y), (nx, ny)) == pytest.approx(1)
            # Directions go clockwise from the side that looks up (flat) or up and right (pointy).
            turn = 60 * direction + (0 if lattice.grid.top == "flat" else 30)
            assert (nx - x, y - ny) == pytest.approx(
                (math.sin(math.radians(turn)), math.cos(math.radians(turn))), abs=1e-9
            )


@EACH
def test_a_side_lies_between_its_hexes(lattice):
    for cell in lattice.grid:
        corners = lattice.corners(cell)
        for near in lattice.grid.neighbours(cell):
            for end in lattice.side(cell, near):
                assert min(math.dist(end, corner) for corner in corners) < 1e-9


@EACH
def test_beyond_the_edge_there_is_no_hex(lattice):
    (left, top), (right, bottom) = lattice.extent()
    assert lattice.cell((left - 1, top)) is None
    assert lattice.cell((right, bottom + 1)) is None


@EACH
def test_a_filled_ring_covers_what_lies_in_it(lattice):
    raster = Raster(lattice, 10)
    (left, top), (right, bottom) = lattice.extent()
    middle = (left + right) / 2
    west = raster.fill([[(left - 1, top - 1), (middle, top - 1), (middle, bottom + 1), (left - 1, bottom + 1)]])
    for cell, share in raster.shares(west).items():
        x, _ = lattice.centre(cell)
        if x < middle - 0.6:
            assert share == 1
        elif x > middle + 0.6:
            assert share == 0
        else:
            assert share == pytest.approx((middle - x + 0.5), abs=0.55)
    assert set(union(west, inverse(west))) == {1}
    assert set(without(west, west)) == {0}
    assert raster.along(((left + 1, top + 2), (left + 2, top + 2)), west) == 1


def vertices(lattice, sides):
    """How many of the sides end at each point where three hexes meet."""
    count: dict[tuple[float, float], int] = {}
    for one, other in sides:
        for x, y in lattice.side(one, other):
            key = (round(x, 6), round(y, 6))
            count[key] = count.get(key, 0) + 1
    return count


def inner(lattice, key):
    """Do three hexes of the map meet there?"""
    return sum(1 for cell in lattice.grid if math.dist(lattice.centre(cell), key) < 0.6) == 3


@EACH
@given(data=st.data())
@settings(max_examples=20)
def test_sides_of_a_line_through_the_map_form_unbroken_chains(lattice, data):
    (left, top), (right, bottom) = lattice.extent()
    heights = data.draw(st.lists(st.floats(top, bottom), min_size=2, max_size=6))
    width = right - left + 4
    line = [(left - 2 + width * k / (len(heights) - 1), y) for k, y in enumerate(heights)]
    found = crossed(lattice, line, {})
    assert all(count % 2 == 0 for key, count in vertices(lattice, found).items() if inner(lattice, key))


@EACH
def test_a_town_stands_on_its_bank(lattice):
    town = 405
    x, y = lattice.centre(town)
    line = [(x + 0.05, y - 9), (x + 0.05, y + 9)]
    right = {cell for cell in lattice.grid if lattice.centre(cell)[0] > x + 0.2}
    near = {cell for cell in lattice.grid.neighbours(town) if cell in right}
    west_of_it = crossed(lattice, line, {})
    assert {side(town, cell) for cell in near} <= west_of_it
    east_of_it = crossed(lattice, line, {town: (x + 0.3, y)})
    assert not {side(town, cell) for cell in near} & east_of_it


@EACH
@given(data=st.data())
@settings(max_examples=20)
def test_a_railway_goes_from_hex_to_hex(lattice, data):
    (left, top), (right, bottom) = lattice.extent()
    within = st.tuples(st.floats(left + 1, right - 1), st.floats(top + 1, bottom - 1))
    spots = data.draw(st.lists(within, min_size=2, max_size=5))
    found = chain(lattice, spots, [None] * len(spots))
    assert (found[0], found[-1]) == (lattice.cell(spots[0]), lattice.cell(spots[-1]))
    assert {lattice.cell(spot) for spot in spots} <= set(found)
    assert all(lattice.grid.direction(a, b) is not None for a, b in pairwise(found))


def test_a_clipped_ring_stays_in_its_box():
    ring = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    assert set(clip(ring, (2, 3, 20, 20))) == {(2, 3), (10, 3), (10, 10), (2, 10)}
    assert clip(ring, (20, 20, 30, 30)) == []


def test_a_river_is_traced_over_gaps_and_not_over_others():
    conic = Conic(29.5, 52.0, (46.0, 58.0))
    upper = [(30.0, 52.0 + k / 100) for k in range(51)]
    lower = [(30.02, 52.53 + k / 100) for k in range(50)]  # a gap of three kilometres
    far = [(33.0, 52.0), (33.0, 53.0)]
    net = Network.of(conic, [upper, lower, far])
    found = net.trace([(30.01, 52.0), (30.01, 53.0)], "Test")
    assert found[0] == (30.0, 52.0)
    assert found[-1] == (30.02, 53.0)
    assert len(found) == 51 + 48
    with pytest.raises(SystemExit, match="do not lead"):
        net.trace([(30.0, 52.0), (33.0, 52.0)], "Test")
    with pytest.raises(SystemExit, match="no river within"):
        net.trace([(40.0, 52.0), (33.0, 52.0)], "Test")
