"""Retreats against all walks there are, and the ranking of what is left."""

from __future__ import annotations

import itertools

import pytest
from grounds import boards, plain_board, some
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kit.retreat import (
    Bounds,
    Rank,
    best,
    ends_in,
    farthest,
    fewest_zones,
    first_possible,
    longer,
    refuse_retreat,
    safest,
    together,
    ways,
)


def step(_a, b, _e):
    return None if b.terrain == "hill" else 1


def lawful(board, links, start, bounds, path):
    """Is this a way, said of the whole path at once?"""
    bit = board.bit
    whole = (start, *path)
    far = board.grid.distance
    open_steps = all(
        there in {n for n, _, _ in links[here]} and (here, there) not in bounds.closed
        for here, there in itertools.pairwise(whole)
    )
    if not path or not open_steps or len(set(whole)) < len(whole) or any(bit[p] & bounds.barred for p in path):
        return False
    if bounds.away == "step" and any(far(start, b) <= far(start, a) for a, b in itertools.pairwise(whole)):
        return False
    hot = "".join("z" if bit[p] & bounds.zone else "." for p in path)
    if bounds.zones >= 0 and "z" * (bounds.zones + 1) in hot:
        return False
    if len(path) > bounds.length + bounds.more:
        return False
    # It ends where it first may: in a haven at any time, elsewhere not before its length.
    ends_at = [bool(bit[p] & bounds.havens) for p in path]
    for n in range(bounds.length, len(path) + 1):
        ends_at[n - 1] |= not bit[path[n - 1]] & bounds.no_end
    return ends_at.index(True) == len(path) - 1 if True in ends_at else False


@settings(max_examples=60)
@given(st.data())
def test_every_lawful_way_and_no_other(data):
    board = data.draw(boards(side=4).filter(lambda b: any(p in b.grid for p in b.places)))
    hexes = sorted(p for p in board.places if p in board.grid)
    links = board.links(lambda a, b, e: step(a, b, e) if a.kind == b.kind == "hex" else None)
    start = data.draw(st.sampled_from(hexes))
    pairs = st.sets(st.sampled_from(sorted(board.edges)), max_size=3) if board.edges else st.just(set())
    bounds = Bounds(
        length=data.draw(st.integers(1, 3)),
        barred=board.mask(data.draw(some(board, 3)) - {start}),
        closed=frozenset(data.draw(pairs)),
        zone=board.mask(data.draw(some(board))),
        zones=data.draw(st.sampled_from([-1, 0, 1])),
        no_end=board.mask(data.draw(some(board))),
        havens=board.mask(data.draw(some(board, 2)) - {start}),
        more=data.draw(st.integers(0, 1)),
        away=data.draw(st.sampled_from(["any", "step"])),
    )
    found = ways(links, board.bit, board.grid.distance, start, bounds)
    walks, front = [], [()]
    for _ in range(bounds.length + bounds.more):
        front = [(*w, n) for w in front for n, _, _ in links[w[-1] if w else start]]
        walks += front
    wanted = {walk for walk in walks if lawful(board, links, start, bounds, walk)}
    assert {way.path for way in found} == wanted
    assert len(found) == len(wanted)
    for way in found:
        assert way.end == way.path[-1]
        assert way.entered == sum(1 for p in way.path if board.bit[p] & bounds.zone)
        assert way.distance == board.grid.distance(start, way.end)


BOARD = plain_board(9, 9)
LINKS = BOARD.links(lambda *_: 1)


def away_from(start, bounds):
    return ways(LINKS, BOARD.bit, BOARD.grid.distance, start, bounds)


def test_each_hex_farther_than_the_one_before():
    found = away_from(505, Bounds(2, away="step"))
    assert {BOARD.grid.distance(505, way.path[0]) for way in found} == {1}
    assert {way.distance for way in found} == {2}
    assert len({way.end for way in found}) == 12


def test_a_hex_more_saves_who_would_end_in_a_zone():
    """The only way north leads by a zone hex: one hex is not enough, two are."""
    barred = BOARD.mask(set(BOARD.near[505]) - {504})
    hot = BOARD.bit[504]
    assert away_from(505, Bounds(1, barred, zone=hot, zones=1, no_end=hot)) == ()
    found = away_from(505, Bounds(1, barred, zone=hot, zones=1, no_end=hot, more=1))
    assert found
    assert all(way.path[0] == 504 and way.entered == 1 and len(way.path) == 2 for way in found)


def test_two_zone_hexes_in_a_row():
    barred = BOARD.mask(set(BOARD.near[505]) - {504})
    hot = BOARD.mask([504, *BOARD.near[504]])
    assert away_from(505, Bounds(2, barred, zone=hot, zones=1)) == ()
    # A friend in the second hex cancels the zone there.
    assert away_from(505, Bounds(2, barred, zone=hot & ~BOARD.bit[503], zones=1)) != ()


def test_zone_hexes_with_a_free_one_between():
    """What is counted is how many follow each other, not how many there are."""
    only = BOARD.mask([504, 503, 502])
    hot = BOARD.mask([504, 502])
    (way,) = away_from(505, Bounds(3, ~only, zone=hot, zones=1))
    assert (way.path, way.entered) == ((504, 503, 502), 2)


ZONES = Rank("T-2", "enters fewer enemy zones", lambda way: way.entered)
NEAR = Rank("T-1", "leads nearer to supply", lambda way: BOARD.grid.distance(101, way.end))


def test_priorities_one_after_another():
    found = away_from(505, Bounds(2, zone=BOARD.mask([404]), away="step"))
    nearest = best(found, (NEAR,))
    least = min(BOARD.grid.distance(101, way.end) for way in found)
    assert {way for way in found if BOARD.grid.distance(101, way.end) == least} == set(nearest)
    both = best(found, (NEAR, ZONES))
    assert set(both) <= set(nearest)
    assert {way.entered for way in both} == {min(way.entered for way in nearest)}
    # The other order: zones first, distance among those.
    other = best(found, (ZONES, NEAR))
    assert {way.entered for way in other} == {0}


@given(st.sets(st.sampled_from(sorted(BOARD.places)), max_size=20), st.data())
def test_refused_are_those_that_are_not_among_the_best(hot, data):
    found = away_from(505, Bounds(2, zone=BOARD.mask(hot)))
    ranks = data.draw(st.permutations([ZONES, NEAR]))
    way = data.draw(st.sampled_from(found))
    wrong = refuse_retreat(found, ranks, way.path, ("T-0", "no such way"))
    assert (wrong is None) == (way in best(found, ranks))
    if wrong is not None:
        first = best(found, ranks[:1])
        assert wrong.rule == (ranks[1].rule if way in first else ranks[0].rule)


def test_no_way_at_all_has_the_rule_of_the_game():
    wrong = refuse_retreat(away_from(505, Bounds(2)), (), (504, 505), ("T-0", "it comes back"))
    assert (wrong.rule, wrong.reason) == ("T-0", "The retreat 0504-0505 is not possible: it comes back")


@pytest.mark.parametrize("length", [0, 7])
def test_lengths_have_bounds(length):
    with pytest.raises(ValueError, match="1 to 6"):
        away_from(505, Bounds(length))


@settings(max_examples=40)
@given(st.data())
def test_one_hex_longer_is_what_a_longer_search_finds(data):
    """The ways of two hexes are those of one, each with one more; and so with three."""
    board = data.draw(boards(side=4).filter(lambda b: any(p in b.grid for p in b.places)))
    links = board.links(lambda a, b, e: step(a, b, e) if a.kind == b.kind == "hex" else None)
    start = data.draw(st.sampled_from(sorted(p for p in board.places if p in board.grid)))
    bounds = Bounds(
        1,
        barred=board.mask(data.draw(some(board, 3)) - {start}),
        zone=board.mask(data.draw(some(board))),
        zones=data.draw(st.sampled_from([-1, 0, 1])),
        away=data.draw(st.sampled_from(["any", "step"])),
    )
    field = links, board.bit, board.grid.distance, start
    short = ways(*field, bounds)
    for length in (2, 3):
        short = longer(*field, bounds, short)
        assert short == ways(*field, bounds._replace(length=length))


def test_the_first_bounds_that_leave_a_way():
    board = plain_board(5, 1)
    links = board.links(lambda _a, _b, _e: 1)
    field = links, board.bit, board.grid.distance, 101
    tries = [Bounds(5), Bounds(4, barred=board.bit[501]), Bounds(3, barred=board.bit[501])]
    number, found = first_possible(*field, tries)
    assert (number, [way.path for way in found]) == (2, [(201, 301, 401)])
    assert first_possible(*field, tries[:2]) == (1, ())
    assert first_possible(*field, []) == (-1, ())


@given(st.data())
def test_ranks_that_many_games_share(data):
    board = plain_board(4, 4)
    links = board.links(lambda _a, _b, _e: 1)
    zone, good = board.mask(data.draw(some(board))), board.mask(data.draw(some(board)))
    found = ways(links, board.bit, board.grid.distance, 202, Bounds(2, zone=zone))
    for rank, score in (
        (fewest_zones("T-1"), lambda way: sum(bool(board.bit[p] & zone) for p in way.path)),
        (farthest("T-2"), lambda way: -board.grid.distance(202, way.end)),
        (ends_in("T-3", "ends in supply", board.bit, good), lambda way: 0 if board.bit[way.end] & good else 1),
    ):
        least = min(map(score, found))
        assert best(found, [rank]) == tuple(way for way in found if score(way) == least)


def test_a_stack_goes_where_each_of_it_may():
    board = plain_board(3, 3)
    links = board.links(lambda _a, _b, _e: 1)

    def only(barred):
        return ways(links, board.bit, board.grid.distance, 202, Bounds(1, barred=board.mask(barred)))

    both = together([only([101, 102]), only([201])])
    assert {way.end for way in both} == {way.end for way in only([101, 102, 201])}
    assert together([only([])]) == only([])
    assert together([]) == ()
    assert together([only([]), ()]) == ()


def test_the_safest_way_where_nobody_says_another():
    board = plain_board(9, 9)
    paths = ((404, 403), (505, 506), (605, 705), (504, 503))

    def chosen(enemy=(), cover=(), home=5):
        return safest(board, paths, board.mask(enemy), board.mask(cover), home)

    assert chosen() == (504, 503)  # the lowest of those in the home column
    assert chosen(home=4) == (404, 403)
    assert chosen(cover=[705]) == (605, 705)
    assert chosen(cover=[705], enemy=[805]) == (504, 503)
