"""Movement against the plainest search there is."""

from __future__ import annotations

import itertools

from grounds import board_from, plain_board
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit.board import board_of
from pbem.kit.search import Terms, Why, goals, goes_anywhere, path, reach, refuse, why_not

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
    edges = st.sets(st.sampled_from(sorted(board.edges)), max_size=6)
    ferry = draw(st.sampled_from(sorted(board.places)))
    step = ((ferry, board.bit[ferry], 1),)
    terms = Terms(
        budget=draw(st.integers(0, 7)),
        barred=barred,
        stops=draw(st.sampled_from([0, zone])),
        locked=locked,
        first_free=draw(st.booleans()),
        zone=zone,
        enter=draw(st.integers(0, 2)),
        leave=draw(st.integers(0, 2)),
        closed=frozenset(draw(edges)),
        extra=draw(st.sampled_from([{}, {draw(st.sampled_from(sorted(board.places))): step}])),
        sally=draw(st.sampled_from([(), step])) if ferry != start else (),
        full=board.mask(draw(some)),
    )
    return board, links, start, terms


def steps_from(links, start, terms, here):
    return (*links[here], *terms.extra.get(here, ()), *(terms.sally if here == start else ()))


def plain_reach(board, links, start, terms):
    """Every way tried, cheapest cost kept."""
    best = {start: 0}
    todo = [(start, 0)]
    while todo:
        here, spent = todo.pop()
        if here != start and board.bit[here] & terms.stops:
            continue
        for there, bit, cost in steps_from(links, start, terms, here):
            if bit & terms.barred or (board.bit[here] & terms.locked and bit & terms.locked):
                continue
            if (here, there) in terms.closed:
                continue
            total = spent + cost
            total += terms.leave * bool(board.bit[here] & terms.zone) + terms.enter * bool(bit & terms.zone)
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
        assert there in {place for place, _, _ in steps_from(links, start, terms, here)}
        assert (here, there) not in terms.closed
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
    eased = {}
    for reason, less in (
        (Why.LOCKED, {"locked": 0}),
        (Why.STOPPED, {"stops": 0}),
        (Why.CLOSED, {"closed": frozenset()}),
        (Why.TOLL, {"enter": 0, "leave": 0}),
        (Why.TOO_FAR, {"budget": 300}),
    ):
        terms = terms._replace(**less)
        eased[reason] = goal in reach(links, board.bit, start, terms)
    if why is Why.BARRED:
        assert board.bit[goal] & terms.barred
    elif why is Why.NO_WAY:
        assert not any(eased.values())
    else:
        assert eased[why]
        assert not any(
            reached for reason, reached in eased.items() if list(eased).index(reason) < list(eased).index(why)
        )


@given(marches(), st.data())
def test_a_refusal_has_the_rule_of_its_reason(drawn, data):
    board, links, start, terms = drawn
    goal = data.draw(st.sampled_from(sorted(set(board.places) - {start})))
    words = {why: (f"T-{number}", why.value) for number, why in enumerate(Why)}
    wrong = refuse(links, board.bit, start, terms, goal, words, "7 Pz")
    found = reach(links, board.bit, start, terms)
    assert (wrong is None) == (goal in goals(found, board.bit, start, terms))
    if wrong is None:
        return
    why = Why.FULL if goal in found else why_not(links, board.bit, start, terms, goal)
    assert wrong.rule == words[why][0]
    assert wrong.reason.startswith("7 Pz cannot move to ")
    assert wrong.reason.endswith(why.value)


def test_every_reason_there_is():
    """A row of five hexes; one thing in the way each time."""
    board = plain_board(5, 1)
    links = board.links(lambda *_: 1)
    hot = board.mask([301, 401])
    for terms, why in (
        (Terms(9, board.bit[501]), Why.BARRED),
        (Terms(9, board.bit[401]), Why.NO_WAY),
        (Terms(3), Why.TOO_FAR),
        (Terms(9, stops=board.bit[301]), Why.STOPPED),
        (Terms(9, locked=hot), Why.LOCKED),
        (Terms(9, closed=frozenset({(201, 301)})), Why.CLOSED),
        (Terms(5, zone=hot, enter=1), Why.TOLL),
        (Terms(5, zone=hot, leave=1), Why.TOLL),
    ):
        assert 501 not in reach(links, board.bit, 101, terms)
        assert why_not(links, board.bit, 101, terms, 501) is why


def test_places_are_called_as_the_game_calls_them():
    board = plain_board(3, 1)
    words = dict.fromkeys(Why, ("T-1", "no"))
    links = board.links(lambda *_: 1)
    wrong = refuse(links, board.bit, 101, Terms(1), 301, words, "It", name=lambda place: f"<{place}>")
    assert wrong.reason == "It cannot move to <301>: no"


def test_zones_that_cost():
    """Two points to come in, two to go out, four from one into another; nothing else."""
    board = plain_board(5, 1)
    links = board.links(lambda *_: 1)
    zone = board.mask([201, 301])
    found = reach(links, board.bit, 101, Terms(12, zone=zone, enter=2, leave=2))
    assert {place: cost for place, (cost, _) in found.items()} == {101: 0, 201: 3, 301: 8, 401: 11, 501: 12}


def test_a_river_is_crossed_from_its_bank():
    """Only who begins beside it may cross, and then goes on."""
    board = board_from(["....."], sides=[{"feature": "river", "between": ["0201-0301"]}])
    links = board.links(lambda _a, _b, edge: None if "river" in edge else 1)
    over = ((301, board.bit[301], 3),)
    assert 301 not in reach(links, board.bit, 101, Terms(9))
    found = reach(links, board.bit, 201, Terms(5, sally=over))
    assert found[401] == (4, 301)
    # A friend beyond makes a bridge of boats, whoever comes by.
    found = reach(links, board.bit, 101, Terms(5, extra={201: over}))
    assert found[401] == (5, 301)


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


@given(marches(), st.sets(st.integers(0, 6)))
def test_whether_a_march_leads_anywhere_is_known_without_it(march, closed):
    board, links, start, terms = march
    ends = goals(reach(links, board.bit, start, terms), board.bit, start, terms)
    assert goes_anywhere(links, board.bit, start, terms) == bool(ends)

    def room(place):
        return place % 7 not in closed

    assert goes_anywhere(links, board.bit, start, terms, room) == any(map(room, ends))
