"""Advances: the emptied hex first, then hexes counted."""

from __future__ import annotations

from itertools import pairwise

from grounds import board_from, boards, plain_board, some
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kit.advancing import advance, paces, pursuits
from pbem.kit.search import Terms, path

BOARD = plain_board(9, 9)
STEPS = paces(BOARD.links(lambda *_: 3))
START, EMPTIED = 505, 504


def to(budget, **terms):
    first, along = terms.pop("first", True), terms.pop("along", -1)
    return advance(STEPS, BOARD.bit, START, EMPTIED, Terms(budget, **terms), first=first, along=along)


def test_paces_cost_one():
    assert {cost for steps in STEPS.values() for _, _, cost in steps} == {1}


def test_hexes_are_counted_with_the_emptied_one():
    assert set(to(0)) == {START}
    assert set(to(1)) == {START, EMPTIED}
    assert to(2)[503] == (2, EMPTIED)
    # All hexes within two of it, but none by way of where it came from.
    assert set(to(3)) == {START} | set(BOARD.grid.within(EMPTIED, 2)) - {506}


def test_zones_and_terrain_end_it_but_not_in_the_emptied_hex():
    hot = BOARD.mask([EMPTIED, 503])
    assert 502 not in to(3, stops=hot)
    found = to(4, stops=hot)
    assert path(found, 502)[1] == EMPTIED
    assert 503 not in path(found, 502)
    alone = to(3, stops=BOARD.mask(BOARD.near[EMPTIED]))
    assert set(alone) == {START, EMPTIED, *BOARD.near[EMPTIED]}


def test_bonds_are_crossed_into_the_emptied_hex_only():
    shut = frozenset((a, b) for a in (START, EMPTIED) for b in BOARD.near[a])
    assert set(to(4, closed=shut, barred=BOARD.bit[EMPTIED])) == {START, EMPTIED}


def test_any_direction_where_the_rules_say_so():
    found = to(2, first=False)
    assert set(found) == set(BOARD.grid.within(START, 2))


def test_the_emptied_hex_is_open_whichever_way_one_goes():
    closed = frozenset((a, EMPTIED) for a in BOARD.near[EMPTIED])
    found = to(2, first=False, closed=closed, stops=BOARD.bit[EMPTIED], barred=BOARD.bit[EMPTIED])
    assert found[EMPTIED] == (1, START)
    assert found[503] == (2, EMPTIED)


def test_along_the_retreat():
    found = to(3, along=BOARD.mask([503, 502]))
    assert set(found) == {START, EMPTIED, 503, 502}


@given(st.integers(1, 4), st.sets(st.sampled_from(sorted(BOARD.places)), max_size=12))
def test_ways_begin_in_the_emptied_hex(budget, hot):
    found = to(budget, stops=BOARD.mask(hot))
    for goal, (hexes, _) in found.items():
        way = path(found, goal)
        assert len(way) == hexes + 1 <= budget + 1
        assert way[0] == START
        assert goal == START or way[1] == EMPTIED
        assert not set(way[2:-1]) & hot
        assert all(BOARD.touch(a, b) for a, b in pairwise(way))


def test_rivers_that_the_links_leave_out():
    board = board_from(["...", "..."], sides=[{"feature": "river", "between": ["0201-0301"]}])
    steps = paces(board.links(lambda _a, _b, e: None if "river" in e else 1))
    assert 301 not in advance(steps, board.bit, 101, 201, Terms(2))
    assert 302 in advance(steps, board.bit, 101, 201, Terms(3))


@settings(max_examples=60)
@given(st.data())
def test_every_pursuit_and_no_other(data):
    """Held against all walks that begin with an emptied hex, each judged as a whole."""
    board = data.draw(boards(side=4).filter(lambda b: any(p in b.grid for p in b.places)))
    links = paces(board.links(lambda _a, b, _e: None if b.terrain == "hill" else 3))
    start = data.draw(st.sampled_from(sorted(board.places)))
    nearby = data.draw(st.sets(st.sampled_from(board.near[start]))) if board.near[start] else set()
    emptied = tuple(data.draw(st.permutations(sorted(nearby | data.draw(some(board, 2))))))
    terms = Terms(
        data.draw(st.integers(0, 3)),
        barred=board.mask(data.draw(some(board, 3))),
        stops=board.mask(data.draw(some(board, 4))),
        locked=board.mask(data.draw(some(board, 9))),
        full=board.mask(data.draw(some(board, 3))),
        closed=frozenset(data.draw(st.sets(st.sampled_from(sorted(board.edges)), max_size=3)) if board.edges else ()),
    )

    def lawful(way):
        whole, bit = (start, *way), board.bit
        return (
            way[0] in emptied
            and len(set(whole)) == len(whole)
            and not any(bit[p] & terms.barred for p in way)
            and not any(bit[p] & terms.stops for p in way[:-1])
            and not any(bit[a] & terms.locked and bit[b] & terms.locked for a, b in pairwise(way))
            and not any(step in terms.closed for step in pairwise(whole))
            and not bit[way[-1]] & terms.full
        )

    walks, edge = [], [(there,) for there, _, _ in links[start]]
    for _ in range(terms.budget):
        walks += edge
        edge = [(*way, there) for way in edge for there, _, _ in links[way[-1]]]
    found = list(pursuits(links, board.bit, start, emptied, terms))
    assert sorted(found) == sorted({way for way in walks if lawful(way)})
    assert [way[0] for way in found] == sorted((way[0] for way in found), key=emptied.index)


def test_a_pursuit_does_not_go_from_lock_to_lock():
    terms = Terms(3, locked=BOARD.mask([504, 503]))
    ways_on = set(pursuits(STEPS, BOARD.bit, START, (EMPTIED,), terms))
    assert (504,) in ways_on
    assert not any(way[:2] == (504, 503) for way in ways_on)
    assert any(way[:2] == (504, 404) for way in ways_on)
