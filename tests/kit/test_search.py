"""Movement against the plainest search there is."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.board import board_of
from pbem.kit.search import Terms, Why, path, reach, why_not

SIDE = 6


@st.composite
def marches(draw):
    rows = [draw(st.text(".wh", min_size=SIDE, max_size=SIDE)) for _ in range(SIDE)]
    board = board_of(
        {
            "name": "x",
            "provenance": "ours",
            "grid": {"columns": SIDE, "rows": SIDE},
            "terrain": {"clear": ".", "woods": "w", "hill": "h"},
            "rows": rows,
        }
    )
    links = board.links(lambda _a, b, _e: {"clear": 1, "woods": 2, "hill": 3}[b.terrain])
    some = st.sets(st.sampled_from(sorted(board.places)), max_size=10)
    start = draw(st.sampled_from(sorted(board.places)))
    zone = board.mask(draw(some))
    barred = board.mask(draw(some) - {start})
    locked = draw(st.sampled_from([0, zone]))
    terms = Terms(draw(st.integers(0, 7)), barred, zone, locked, draw(st.booleans()))
    return board, links, start, terms


def plain_reach(board, links, start, terms):
    """Every way tried, cheapest cost kept."""
    best = {start: 0}
    todo = [(start, 0)]
    while todo:
        here, spent = todo.pop()
        if here != start and board.bit[here] & terms.stops:
            continue
        for there, bit, cost in links[here]:
            if bit & terms.barred or (board.bit[here] & terms.locked and bit & terms.locked):
                continue
            total = spent + cost
            if total > terms.budget:
                if here != start or not terms.first_free:
                    continue
                total = terms.budget
            if total < best.get(there, 1 << 30):
                best[there] = total
                todo.append((there, total))
    return best


@given(marches())
def test_reach_finds_the_cheapest_way_everywhere(drawn):
    board, links, start, terms = drawn
    found = reach(links, board.bit, start, terms)
    assert {place: cost for place, (cost, _) in found.items()} == plain_reach(board, links, start, terms)


@given(marches(), st.data())
def test_paths_obey_the_terms(drawn, data):
    board, links, start, terms = drawn
    found = reach(links, board.bit, start, terms)
    goal = data.draw(st.sampled_from(sorted(found)))
    way = path(found, goal)
    assert (way[0], way[-1]) == (start, goal)
    for here, there in itertools.pairwise(way):
        assert board.touch(here, there)
        assert not board.bit[there] & terms.barred
        assert not (board.bit[here] & terms.locked and board.bit[there] & terms.locked)
    assert not any(board.bit[cell] & terms.stops for cell in way[1:-1])
    # Looking for one goal only gives the same answer.
    early = reach(links, board.bit, start, terms, goal)
    assert early[goal] == found[goal]
    assert path(early, goal) == way


@given(marches(), st.data())
def test_why_not_names_what_must_be_lifted(drawn, data):
    board, links, start, terms = drawn
    found = reach(links, board.bit, start, terms)
    far = sorted(set(board.places) - set(found))
    if not far:
        return
    goal = data.draw(st.sampled_from(far))
    why = why_not(links, board.bit, start, terms, goal)
    eased = {
        Why.LOCKED: Terms(terms.budget, terms.barred, terms.stops, 0, terms.first_free),
        Why.STOPPED: Terms(terms.budget, terms.barred, 0, 0, terms.first_free),
        Why.TOO_FAR: Terms(200, terms.barred),
    }
    if why is Why.BARRED:
        assert board.bit[goal] & terms.barred
    elif why is Why.NO_WAY:
        assert goal not in reach(links, board.bit, start, eased[Why.TOO_FAR])
    else:
        assert goal in reach(links, board.bit, start, eased[why])


def test_an_isolated_place():
    board = board_of(
        {
            "name": "x",
            "provenance": "ours",
            "areas": [{"id": 9000, "name": "A", "terrain": "sea"}, {"id": 9001, "name": "B", "terrain": "sea"}],
        }
    )
    links = board.links(lambda *_: 1)
    assert reach(links, board.bit, 9000, Terms(5)) == {9000: (0, 9000)}
    assert why_not(links, board.bit, 9000, Terms(5), 9001) is Why.NO_WAY
