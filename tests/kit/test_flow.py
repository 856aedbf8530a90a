"""Steps of sets against steps of single places."""

from __future__ import annotations

import pytest
from grounds import boards, plain_board, some
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.flowing import flow, flows


def uphill(a, b, _edge):
    return (a.id * 7 + b.id * 3) % 5 != 0


@pytest.mark.parametrize("lanes", [0, 3, 12])
@given(data=st.data())
def test_a_set_spreads_as_its_places_do(lanes, data):
    """However many of the edges lie in lanes."""
    board = data.draw(boards())
    places = data.draw(some(board))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.kit.flowing.LANES", lanes)
        check(board, places)


def check(board, places):
    there, back = flow(board, uphill), flow(board, uphill, back=True)
    wanted = {b for a in places for b in board.near[a] if uphill(board[a], board[b], board.edges[a, b])}
    assert set(board.in_mask(there.spread(board.mask(places)))) == wanted
    wanted = {a for (a, b), edge in board.edges.items() if b in places and uphill(board[a], board[b], edge)}
    assert set(board.in_mask(back.spread(board.mask(places)))) == wanted


@pytest.mark.parametrize("lanes", [0, 3, 12])
@given(data=st.data())
def test_edges_of_another_flow_join_where_they_may_begin(lanes, data):
    board = data.draw(boards())
    places, start = data.draw(some(board)), data.draw(some(board))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pbem.kit.flowing.LANES", lanes)
        up, down = flow(board, uphill), flow(board, lambda a, b, edge: not uphill(a, b, edge))
        both = up.joined(down, board.mask(start))
    wanted = {b for a in places for b in board.near[a] if a in start or uphill(board[a], board[b], board.edges[a, b])}
    assert set(board.in_mask(both.spread(board.mask(places)))) == wanted
    assert both.spread(-1) & ~board.mask(board.places) == 0
    assert up.spread(board.mask(places)) == flow(board, uphill).spread(board.mask(places))


@given(st.data())
def test_flows_part_the_edges_by_cost(data):
    board = data.draw(boards())
    cost = {"clear": 1, "woods": 2, "hill": None}
    found = flows(board, lambda _a, b, _e: cost[b.terrain])
    assert list(found) == sorted(found)
    for place in board.places:
        for points, over in found.items():
            wanted = {b for b in board.near[place] if cost[board[b].terrain] == points}
            assert set(board.in_mask(over.spread(board.bit[place]))) == wanted


def test_an_edge_does_not_cost_less_than_nothing():
    with pytest.raises(ValueError, match="less than nothing"):
        flows(plain_board(2, 2), lambda _a, _b, _e: -1)
