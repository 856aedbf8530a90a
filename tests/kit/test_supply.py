"""Lines of supply against the plainest search, and the statuses that follow."""

from __future__ import annotations

import itertools

from grounds import board_from, boards, plain_board, some
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.flowing import flows
from pbem.kit.supply import Lines, Stage, bar, cut, reach_of, shut, trace, worse, zone_after_zone

COST = {"clear": 1, "woods": 2, "hill": 3}


def into(_a, b, _e):
    return COST[b.terrain]


def plain_stage(board, sources, open_to, length, zones, closed, *, back):
    """Cheapest cost of every place, every way tried."""
    best = dict.fromkeys(sources & open_to, 0)
    todo = list(best)
    while todo:
        here = todo.pop()
        for there in open_to:
            edge = (there, here) if back else (here, there)
            if edge not in board.edges or (here in zones and there in zones) or (here, there) in closed:
                continue
            total = best[here] + into(board[edge[0]], board[edge[1]], None)
            if (length < 0 or total <= length) and total < best.get(there, 1 << 30):
                best[there] = total
                todo.append(there)
    return best


@given(st.data())
def test_a_stage_finds_the_cheapest_lines(data):
    board = data.draw(boards())
    sources, closed, zones = data.draw(some(board, 4)), data.draw(some(board)), data.draw(some(board))
    back, length = data.draw(st.booleans()), data.draw(st.integers(-1, 8))
    open_to = set(board.places) - closed
    shut = data.draw(st.frozensets(st.sampled_from(sorted(board.edges)), max_size=8))
    steps = flows(board, into, back=back)
    one = Stage("land", steps, board.mask(open_to), length, board.mask(zones), closed=shut)
    found = trace(board, board.mask(sources), [one])
    wanted = plain_stage(board, sources, open_to, length, zones, shut, back=back)
    assert set(board.in_mask(found.reached)) == set(wanted)
    for cost, ring in enumerate(found.rings[0]):
        assert set(board.in_mask(ring)) == {place for place, least in wanted.items() if least == cost}


@given(st.data())
def test_lines_of_several_stages_can_be_shown(data):
    board = data.draw(boards())
    sources, hot = data.draw(some(board, 3)), data.draw(some(board))
    joins, length = data.draw(some(board, 20)), data.draw(st.integers(0, 4))
    steps = flows(board, into, back=True)
    first = Stage("road", steps, board.mask(set(board.places) - hot), joins=board.mask(joins))
    shut = data.draw(st.frozensets(st.sampled_from(sorted(board.edges)), max_size=8))
    second = Stage("land", steps, board.mask(board.places), length, zones=board.mask(hot), closed=shut)
    found = trace(board, board.mask(sources), [first, second])
    for place in board.places:
        line = found.line(place)
        assert bool(line) == (place in found)
        if not line:
            continue
        whole = [cell for _, way in line for cell in way]
        assert whole[0] == place
        assert whole[-1] in sources - hot
        for (_, way), (_, following) in itertools.pairwise(line):
            assert way[-1] == following[0]
            assert way[-1] in joins
        for name, way in line:
            for here, there in itertools.pairwise(way):
                assert (here, there) in board.edges
            if name == "road":
                assert not set(way) & hot
            else:
                assert sum(into(None, board[cell], None) for cell in way[1:]) <= length
                assert not any(a in hot and b in hot for a, b in itertools.pairwise(way))
                assert not any((b, a) in shut for a, b in itertools.pairwise(way))
    assert 12345 not in found


def test_land_then_road():
    """Two hexes of land to the road, any length of road to the source; not beyond."""
    board = board_from(
        ["......", "......", "......", "......"],
        ways=[{"feature": "road", "chains": ["0101-0201-0301-0401"]}],
    )
    road = flows(board, lambda _a, _b, edge: 1 if "road" in edge else None)
    land = flows(board, into, back=True)
    everywhere = board.mask(board.places)
    found = trace(board, board.bit[101], [Stage("road", road, everywhere), Stage("land", land, everywhere, 2)])
    assert found.line(303) == (("land", (303, 202, 201)), ("road", (201, 101)))
    assert found.line(101) == (("road", (101,)),)
    assert found.line(401) == (("road", (401, 301, 201, 101)),)
    assert 603 not in found
    assert found.line(603) == ()


def test_a_line_that_is_shown_does_not_go_from_zone_to_zone():
    """0202 is in a zone and beside two sources, the first of them in a zone too: its line comes from the other."""
    board = plain_board(3, 3)
    hot = board.mask([102, 202])
    one = Stage("land", flows(board, into), -1, zones=hot)
    assert trace(board, board.mask([102, 302]), [one]).line(202) == (("land", (202, 302)),)


@given(st.data())
def test_lines_with_ferries(data):
    board = data.draw(boards())
    sources, closed, ends = data.draw(some(board, 3)), data.draw(some(board)), data.draw(some(board, 2))
    extra = {board.bit[a]: board.mask(ends - {a}) for a in ends}
    found = Lines(board, lambda a, b, _e: a.id + b.id != 305).reached(
        board.mask(sources), ~board.mask(closed), extra=extra
    )
    wanted, todo = set(sources - closed), list(sources - closed)
    while todo:
        here = todo.pop()
        for there in {b for b in board.near[here] if here + b != 305} | (ends if here in ends else set()):
            if there not in closed and there not in wanted:
                wanted.add(there)
                todo.append(there)
    assert set(board.in_mask(found)) == wanted


def test_a_line_of_some_length():
    board = plain_board(7, 1)
    lines = Lines(board, lambda *_: True)
    assert lines.reached(board.bit[101], -1, 2) == board.mask([101, 201, 301])
    assert lines.reached(board.bit[101], ~board.bit[101]) == 0
    assert lines.near(401) == board.mask([301, 501])


@given(st.data())
def test_how_far_apart(data):
    board = data.draw(boards())
    a, b = (data.draw(st.sampled_from(sorted(board.places))) for _ in range(2))
    closed = data.draw(some(board))
    lines = Lines(board, lambda *_: True)
    steps = lines.apart(a, b, ~board.mask(closed))
    open_to = ~board.mask(closed) | board.bit[a]
    if steps < 0:
        assert not lines.reached(board.bit[a], open_to) & board.bit[b]
    else:
        assert lines.reached(board.bit[a], open_to, steps) & board.bit[b]
        assert not steps or not lines.reached(board.bit[a], open_to, steps - 1) & board.bit[b]


def test_who_stays_cut_off_fares_worse():
    assert [worse(old, traced=True, worst=2) for old in (0, 1, 2)] == [0, 0, 0]
    assert [worse(old, traced=False, worst=2) for old in (0, 1, 2)] == [1, 2, 2]
    assert [worse(old, traced=False) for old in (0, 1)] == [1, 1]


@given(st.data())
def test_a_cut_line_says_what_cuts_it(data):
    """Nothing less is enough, with it the line runs, and what bars it lies on that line."""
    board = data.draw(boards())
    sources = board.mask(data.draw(some(board, 3)))
    enemies = board.mask(data.draw(some(board, 8))) & ~sources
    hot = board.mask(data.draw(some(board, 8))) & ~enemies
    sides = data.draw(st.frozensets(st.sampled_from(sorted(board.edges)), max_size=8))
    length = data.draw(st.integers(0, 4))
    steps = flows(board, into, back=True)
    stages = [Stage("land", steps, ~(enemies | hot), length, closed=sides)]
    hindrances = [
        bar("T-1", "an enemy zone bars it", hot),
        shut("T-2", "a bond bars it"),
        reach_of("T-3", "it is too far"),
        bar("T-4", "enemies bar it", enemies),
    ]
    eased = [
        (enemies, sides, length),
        (enemies, frozenset(), length),
        (enemies, frozenset(), -1),
        (0, frozenset(), -1),
    ]
    found = trace(board, sources, stages)
    for place in board.places:
        why = cut(board, sources, stages, hindrances, place)
        holds = [
            place in trace(board, sources, [Stage("land", steps, ~closed, most, closed=open_sides)])
            for closed, open_sides, most in eased
        ]
        assert (why is None) == (True not in holds)
        if why is not None:
            assert why.rule == f"T-{holds.index(True) + 1}"
            assert why.line[0][1][0] == place
            assert all(any(p in part for _, part in why.line) for p in why.at)
            if why.rule in ("T-1", "T-4") and place not in found:
                assert why.at


def test_two_zone_hexes_in_a_row_cut_a_line():
    board = plain_board(5, 1)
    hot = board.mask([301, 401])
    stages = [Stage("land", flows(board, into, back=True), -1, zones=hot)]
    assert 301 in trace(board, board.bit[101], stages)
    assert cut(board, board.bit[101], stages, [bar("T-1", "enemies bar it", 0)], 501) is None
    found = cut(board, board.bit[101], stages, [zone_after_zone("T-2", "zones follow each other", hot)], 501)
    assert found is not None
    assert (found.rule, found.at) == ("T-2", (401, 301))


@given(st.data())
def test_lines_of_one_kind_reach_what_a_trace_of_them_reaches(data):
    """The quick way and the one that can be shown and explained."""
    board = data.draw(boards())
    lines = Lines(board, lambda _a, b, _e: b.terrain != "hill")
    sources, open_to = board.mask(data.draw(some(board, 4))), ~board.mask(data.draw(some(board)))
    length = data.draw(st.integers(-1, 5))
    stage = Stage("line", lines.steps, open_to, length)
    assert lines.reached(sources, open_to, length) == trace(board, sources, [stage]).reached
