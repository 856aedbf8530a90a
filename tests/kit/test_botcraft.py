"""What bots think with, against the plainest way to say the same."""

from __future__ import annotations

import itertools

from grounds import boards, plain_board, some
from hypothesis import given
from hypothesis import strategies as st

from pbem.kit import FAR, Distances, Foray, Memory, forays, gather, menace, pulls, send


def dry(_a, b, _e):
    return b.terrain != "hill"


def steps_from(board, start):
    """Breadth first, place by place."""
    found, edge = {start: 0}, [start]
    for here in edge:
        for there in board.near[here]:
            if there not in found and board[there].terrain != "hill":
                found[there] = found[here] + 1
                edge.append(there)
    return found


@given(st.data())
def test_steps_are_counted(data):
    board = data.draw(boards())
    distances, places = Distances(board, dry), data.draw(some(board, 3))
    by_start = {start: steps_from(board, start) for start in board.places}
    nearest = distances.nearest(board.mask(places))
    for there in board.places:
        assert nearest[there] == min((by_start[p].get(there, FAR) for p in places), default=FAR)
        to = distances.to(there)
        assert [to[start] for start in board.places] == [by_start[start].get(there, FAR) for start in board.places]
        assert to.within(-1) == []
        for most in (0, 2, 99):
            assert set(to.within(most)) == {p for p in board.places if by_start[p].get(there, FAR) <= most}
        assert [to[place] for place in to.within(99)] == sorted(to[place] for place in to.within(99))
        assert distances.to(there) is to
        for most in (0, 2):
            near = {place for place, steps in by_start[there].items() if steps <= most}
            assert distances.around(there, most) == board.mask(near)
    assert distances.to(next(iter(board.places)))[1] == FAR


@given(st.data())
def test_pulls_and_menaces(data):
    board = data.draw(boards())
    distances = Distances(board, dry)
    goals = [(goal, data.draw(st.integers(-3, 12))) for goal in sorted(data.draw(some(board, 4)))]
    fall, reach = data.draw(st.integers(1, 4)), data.draw(st.integers(0, 4))
    drawn = {}
    for place in board.places:
        near = [most - fall * steps for goal, most in goals if (steps := distances.to(goal)[place]) <= reach]
        if max(near, default=0) > 0:
            drawn[place] = max(near)
    assert pulls(distances, goals, fall, reach) == drawn
    armies = [(place, data.draw(st.integers(1, 9)), data.draw(st.integers(0, 3))) for place, _ in goals]
    threat = menace(distances, armies)
    for place in board.places:
        come = sum(power for at, power, goes in armies if steps_from(board, at).get(place, FAR) <= goes)
        assert threat.get(place, 0) == come


@given(st.data())
def test_each_unit_goes_where_it_is_drawn_most(data):
    board = data.draw(boards())
    distances = Distances(board, dry)
    places = sorted(board.places)
    goals = [(goal, data.draw(st.integers(0, 12))) for goal in sorted(data.draw(some(board, 4)))]
    units = [(number, data.draw(st.sampled_from(places)), data.draw(st.integers(1, 4))) for number in range(4)]
    room = {goal: data.draw(st.integers(0, 6)) for goal, _ in goals}
    given_room = dict(room)
    sent = send(distances, units, goals, room, 2)
    assert room == given_room
    assert set(sent) == ({0, 1, 2, 3} if goals else set())
    for number, here, strength in units:
        if goals:
            draws = {goal: pull - 2 * distances.to(goal)[here] - 2 * max(0, -given_room[goal]) for goal, pull in goals}
            goal, pull = sent[number]
            assert (goal, pull) in goals
            assert draws[goal] == max(draws.values())
            given_room[goal] -= strength


POSTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), max_size=8, unique=True)


@given(POSTS, st.lists(st.integers(-6, 9), min_size=6, max_size=6), st.integers(-12, 0))
def test_the_best_attack_that_can_be_brought_together(pool, strengths, price):
    """Where each post adds what it adds, whatever the others, nothing better can be chosen."""

    def worth(posts):
        return price + sum(strengths[unit] for unit, _ in posts)

    def joins(chosen, post):
        return post[0] not in {unit for unit, _ in chosen}

    found = gather(7, pool, worth, joins)
    units = {unit for unit, _ in pool if strengths[unit] > 0}
    best = price + sum(strengths[unit] for unit in units)
    if not units or best <= 0:
        assert found is None
    else:
        assert found is not None
        assert (found.target, found.worth, found.worth) == (7, best, worth(found.posts))
        assert found.units == tuple(sorted(units))
    few = gather(7, pool, worth, joins, most=1)
    assert few is None or len(few.posts) == 1


def test_a_third_may_be_needed_before_an_attack_is_any_good():
    pool = [(unit, 504) for unit in range(5)]
    found = gather(505, pool, lambda posts: (-1, -1, -2, 9, 9, 9)[len(posts)], lambda chosen, post: post not in chosen)
    assert found == Foray(505, ((0, 504), (1, 504), (2, 504)), 9)


OFFERS = st.dictionaries(st.integers(1, 4), POSTS.filter(bool))


@given(OFFERS, st.integers(0, 4), st.sets(st.integers(0, 5)))
def test_attacks_share_neither_units_nor_places(offers, most, used):
    asked = []

    def best_on(target, taken):
        asked.append(target)
        posts = tuple(dict.fromkeys(post for post in offers[target] if post[0] not in taken))
        return Foray(target, posts, 10 * len(posts) + target) if posts else None

    found = forays(offers, best_on, used, most)
    assert len(found) <= most
    assert len({foray.target for foray in found}) == len(found)
    for one, other in itertools.combinations(found, 2):
        assert not set(one.units) & set(other.units)
        assert one.worth >= other.worth
    assert not any(set(foray.units) & used for foray in found)
    if found:
        first = max((f for t in offers if (f := best_on(t, used)) is not None), key=lambda foray: foray.worth)
        assert found[0] == first


class Kept(Memory):
    def __init__(self):
        super().__init__()
        self.dropped = 0

    def forget(self):
        self.dropped += 1


def test_memory_lasts_as_long_as_things_stand():
    memory = Kept()
    assert [memory.at(key) for key in ((1, "a"), (1, "a"), (2, "a"), (1, "a"))] == [False, True, False, False]
    assert memory.dropped == 3


def test_the_picture():
    board = plain_board(9, 9)
    distances = Distances(board, lambda *_: True)
    drawn = pulls(distances, [(505, 20)], 4)
    assert (drawn[505], drawn[504], drawn[503]) == (20, 16, 12)
    assert set(menace(distances, [(505, 4, 1)])) == {505, *board.near[505]}
