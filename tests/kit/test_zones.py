"""Zones of control and bonds, the latter by the examples of a rulebook and against plain geometry."""

from __future__ import annotations

from grounds import boards, plain_board, some
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.zones import OFF_MAP, Barrier, Bonds, Zones


def anywhere(*_):
    return True


@given(st.data())
def test_a_zone_is_every_hex_beside(data):
    board = data.draw(boards())
    places, friends = data.draw(some(board)), data.draw(some(board))
    zones = Zones(board, lambda _a, b, _e: b.terrain != "hill")
    wanted = {b for a in places for b in board.near[a] if board[b].terrain != "hill"}
    mask = board.mask(places)
    assert set(board.in_mask(zones.of(places))) == set(board.in_mask(zones.of_mask(mask))) == wanted
    assert set(board.in_mask(zones.left(mask, board.mask(friends)))) == wanted - friends
    for place in wanted:
        assert set(zones.holders(place, mask)) == {a for a in places if zones.controls(a, place)} != set()


BOARD = plain_board(9, 9)
# Around 0505 (odd column, even columns lower): N 0504, NE 0604, SE 0605, S 0506, SW 0405, NW 0404.
MIDDLE = 505


def mask(*places):
    return BOARD.mask(places)


def test_in_a_line_the_hex_between_is_barred():
    assert Bonds(BOARD, anywhere).barrier(mask(504, 506), 0) == Barrier(BOARD.bit[505], frozenset())


def test_over_a_corner_the_side_is_barred():
    # 0504 and 0605 both touch 0505 and 0604.
    assert Bonds(BOARD, anywhere).barrier(mask(504, 605), 0) == Barrier(0, frozenset({(505, 604), (604, 505)}))


def test_neighbours_and_far_places_make_none():
    assert Bonds(BOARD, anywhere).made(mask(504, 505), 0) == ()
    assert Bonds(BOARD, anywhere).made(mask(504, 507), 0) == ()


def test_who_stands_between_cancels():
    bonds = Bonds(BOARD, anywhere)
    assert bonds.made(mask(504, 506), mask(505)) == ()
    assert len(bonds.made(mask(504, 605), mask(505))) == 1
    assert bonds.made(mask(504, 605), mask(505, 604)) == ()


def test_a_bond_runs_over_the_side_that_carries_it():
    """One of the two hexes beside the side carries it; where the enemy stands there, the other must."""
    bonds = Bonds(BOARD, lambda _a, x, _b: x != 604)
    assert len(bonds.made(mask(504, 605), 0)) == 1
    assert bonds.made(mask(504, 605), mask(505)) == ()
    assert len(bonds.made(mask(504, 605), mask(604))) == 1


def test_bonds_may_cross():
    """A bond over a bond: both bar."""
    bonds = Bonds(BOARD, anywhere)
    assert bonds.barrier(mask(504, 605), mask()).sides == {(505, 604), (604, 505)}
    assert len(bonds.made(mask(404, 604), mask(504, 605))) == 1


def test_bonds_with_a_friendly_edge():
    """Row 01 is the edge. A unit one hex in from it bars the side of the two hexes beside it at the edge."""
    bonds = Bonds(BOARD, anywhere)
    edge = mask(*(100 * column + 1 for column in range(1, 10)))
    # 0502 touches 0501, and with 0401 and 0601 (which lie lower) shares no corner beyond the map but these two.
    found = bonds.made(mask(502), 0, edge)
    assert {bond.between for bond in found} == {(401, 501), (501, 601)}
    assert {bond.b for bond in found} == {OFF_MAP}
    assert bonds.made(mask(502), 0, edge & ~mask(501)) == ()
    assert bonds.made(mask(503), 0, edge) == ()
    assert bonds.barrier(mask(502), mask(401, 501), edge).sides == {(501, 601), (601, 501)}


@given(st.data())
def test_bonds_are_as_far_apart_as_they_say(data):
    board = data.draw(boards())
    ends, enemy = data.draw(some(board, 14)), data.draw(some(board, 6))
    hexes = {p for p in ends if p in board.grid}
    found = Bonds(board, anywhere).made(board.mask(ends), board.mask(enemy))
    for bond in found:
        assert {bond.a, bond.b} <= hexes
        assert board.grid.distance(bond.a, bond.b) == 2
        assert set(bond.between) == set(board.near[bond.a]) & set(board.near[bond.b]) - {9000, 9001}
        assert not set(bond.between) <= enemy
        # In a line there is one hex between, over a corner there are two, whatever the map leaves out.
        (aq, ar), (bq, br) = board.grid.axial(bond.a), board.grid.axial(bond.b)
        assert len(bond.between) == (1 if (aq - bq) % 2 == (ar - br) % 2 == 0 else 2)
    pairs = {(bond.a, bond.b) for bond in found}
    for a in hexes:
        for b in hexes:
            if a < b and board.grid.distance(a, b) == 2 and (a, b) not in pairs:
                whole = set(board.grid.neighbours(a)) & set(board.grid.neighbours(b))
                on_map = whole & set(board.places)
                assert on_map <= enemy or len(on_map) < 2


@given(st.data())
def test_who_steps_over_a_bond_counts_as_standing_where_he_leaves(data):
    board = data.draw(boards())
    ends, enemy = board.mask(data.draw(some(board, 14))), board.mask(data.draw(some(board, 6)))
    bad = data.draw(some(board))
    bonds = Bonds(board, lambda _a, x, _b: x not in bad)
    wall = bonds.barrier(ends, enemy, moving=True)
    assert wall.hexes == bonds.barrier(ends, enemy).hexes
    for x, y in board.edges:
        there = bonds.barrier(ends, enemy | board.bit[x]).sides
        assert ((x, y) in wall.sides) == ((x, y) in there), "the bond as it is while he stands in X"
