"""Round robin, knockout, ladder, and changes by hand."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.umpire import UmpireError
from pbem.umpire.pairing import FORMATS, Change, Entrant, Played, adjust, is_finished, lead, pair, rounds_needed
from pbem.umpire.pairing.knockout import bracket, name, stages, winner
from pbem.umpire.pairing.ladder import rungs
from pbem.umpire.pairing.round_robin import table

SEED = b"a seed"


def entrants(count, out=()):
    return [Entrant(n, f"P{n}", 2400 - 10 * n, n in out) for n in range(1, count + 1)]


def robin(count, round, rounds=None, **more):
    return pair("round_robin", entrants(count), (), round, rounds=rounds or rounds_needed("round_robin", count), **more)


# --- round robin: the tables as FIDE's handbook prints them (C.06, annex 1) ---

FOUR = ["1-4 2-3", "4-3 1-2", "2-4 3-1"]
SIX = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]
EIGHT = [
    "1-8 2-7 3-6 4-5",
    "8-5 6-4 7-3 1-2",
    "2-8 3-1 4-7 5-6",
    "8-6 7-5 1-4 2-3",
    "3-8 4-2 5-1 6-7",
    "8-7 1-6 2-5 3-4",
    "4-8 5-3 6-2 7-1",
]


@pytest.mark.parametrize("printed", [FOUR, SIX, EIGHT])
def test_the_printed_tables(printed):
    count = len(printed) + 1
    for round, row in enumerate(printed, 1):
        assert " ".join(f"{one}-{other}" for one, other in table(count, round)) == row
        assert [f"{each.first}-{each.second}" for each in robin(count, round).pairs] == row.split()


@given(count=st.integers(2, 30))
def test_everybody_meets_everybody_once(count):
    rounds = rounds_needed("round_robin", count)
    assert rounds == (count - 1 if count % 2 == 0 else count)
    meetings, firsts, rests = Counter(), Counter(), Counter()
    for round in range(1, rounds + 1):
        made = robin(count, round)
        assert sorted(number for each in made.pairs for number in each.entrants) == list(range(1, count + 1))
        for each in made.pairs:
            if each.second is None:
                rests[each.first] += 1
                assert each.points == 0
            else:
                meetings[frozenset(each.entrants)] += 1
                firsts[each.first] += 1
    assert set(meetings.values()) == {1}
    assert len(meetings) == count * (count - 1) // 2
    games = count - 1
    assert all(abs(2 * firsts[number] - games) <= 1 for number in range(1, count + 1))
    assert rests == (Counter(range(1, count + 1)) if count % 2 else Counter())


@given(count=st.integers(3, 20))
def test_twice_with_the_sides_changed_and_never_a_side_three_times_on_end(count):
    length = rounds_needed("round_robin", count)
    meetings: Counter[tuple[int, int]] = Counter()
    sides: dict[int, list[int]] = {number: [] for number in range(1, count + 1)}
    for round in range(1, 2 * length + 1):
        for each in robin(count, round, 2 * length).pairs:
            if each.second is not None:
                meetings[each.first, each.second] += 1
                sides[each.first].append(1)
                sides[each.second].append(-1)
    assert set(meetings.values()) == {1}
    assert len(meetings) == count * (count - 1)
    assert all(sum(row) == 0 for row in sides.values())
    for row in sides.values():
        assert all(len(set(row[at : at + 3])) > 1 for at in range(len(row) - 2))


def test_mirrored_both_games_are_in_one_round():
    made = robin(4, 1, mirrored=True)
    assert [(each.first, each.second, each.mirror) for each in made.pairs] == [
        (1, 4, 1),
        (4, 1, 2),
        (2, 3, 1),
        (3, 2, 2),
    ]


def test_who_has_withdrawn_keeps_the_place_in_the_table():
    made = pair("round_robin", entrants(4, {3}), (), 1, rounds=3)
    assert [(each.first, each.second) for each in made.pairs] == [(1, 4), (2, None)]
    assert made.pairs[1].why == ("No game in this round: P3 has withdrawn.",)


# --- knockout ---


def test_brackets():
    assert bracket(2) == (1, 2)
    assert bracket(4) == (1, 4, 2, 3)
    assert bracket(8) == (1, 8, 4, 5, 2, 7, 3, 6)
    assert len(bracket(9)) == 16
    assert [name(ties) for ties in (1, 2, 4, 8)] == ["Final", "Semi-final", "Quarter-final", "Last 16"]


def cup(people, played, round, **more):
    return pair("knockout", people, played, round, rounds=9, seed=SEED, **more)


def play_cup(people, points, *, mirrored=False, replays=2):
    """Plays it out; `points(pair, source)` gives those of the first side."""
    played: list[Played] = []
    made = []
    for round in range(1, 99):
        if round > 1 and is_finished("knockout", people, played, round - 1, rounds=9, replays=replays):
            break
        made.append(cup(people, played, round, mirrored=mirrored, replays=replays))
        for each in made[-1].pairs:
            if each.second is None:
                played.append(Played(round, each.first, None, each.points))
            else:
                scored = points(each)
                played.append(Played(round, each.first, each.second, scored, 2 - scored))
    return made, played


@given(count=st.integers(2, 40))
def test_the_better_seed_always_winning_gives_the_seeding(count):
    people = entrants(count)
    made, played = play_cup(people, lambda each: 2 if each.first < each.second else 0)
    assert len(made) == rounds_needed("knockout", count)
    byes = [each.first for each in made[0].pairs if each.second is None]
    assert sorted(byes) == list(range(1, 2 ** (count - 1).bit_length() - count + 1))
    assert not any(each.second is None for later in made[1:] for each in later.pairs)
    assert made[-1].pairs[0].entrants in ((1, 2), (2, 1))
    assert winner(people, played, 2) == 1
    reached = lead("knockout", people, played)
    assert sorted(reached, key=lambda number: (-reached[number], number))[:2] == [1, 2]
    assert sum(each.second is not None for stage in made for each in stage.pairs) == count - 1


@settings(max_examples=40)
@given(count=st.integers(2, 24), number=st.integers(0, 999), mirrored=st.booleans(), replays=st.integers(0, 3))
def test_whatever_happens_one_is_left(count, number, mirrored, replays):
    source = random.Random(number)
    people = entrants(count)
    made, played = play_cup(people, lambda _: source.choice((0, 1, 1, 2)), mirrored=mirrored, replays=replays)
    champion = winner(people, played, replays)
    assert champion is not None
    lost = {
        other
        for stage in stages(people, played, replays)
        for tie in stage
        for other in (tie.one, tie.other)
        if other is not None and other != tie.winner
    }
    assert lost == set(range(1, count + 1)) - {champion}
    for pairing in made:
        places = Counter(number for each in pairing.pairs for number in each.entrants if each.mirror < 2)
        assert set(places.values()) == {1}


def test_a_drawn_tie_is_replayed_with_the_sides_changed_and_the_others_wait():
    people = entrants(4)
    first = cup(people, (), 1)
    played = [Played(1, each.first, each.second, 1, 1) if 1 in each.entrants else None for each in first.pairs]
    played = [game for game in played if game] + [
        Played(1, each.first, each.second, 2, 0) for each in first.pairs if 1 not in each.entrants
    ]
    again = cup(people, played, 2)
    (drawn,) = (each for each in first.pairs if 1 in each.entrants)
    assert [each.entrants for each in again.pairs] == [drawn.entrants[::-1]]
    assert again.pairs[0].why == ("Semi-final, replayed after a tie with the sides changed.",)
    played.append(Played(2, again.pairs[0].first, again.pairs[0].second, 1, 1))
    final = cup(people, played, 3, replays=1)
    assert 1 in final.pairs[0].entrants  # the higher seed
    tie = stages(people, played, 1)[0][0]
    assert tie.why == "P1 went on at 1:1 by the higher seed."


def test_a_mirrored_tie_is_decided_by_both_games():
    people = entrants(2)
    played = [Played(1, 1, 2, 1, 1), Played(1, 2, 1, 2, 0)]
    (stage,) = stages(people, played, 2)
    assert stage[0].winner == 2
    assert stage[0].why == "P2 went on by 1½:½."
    assert is_finished("knockout", people, played, 1, rounds=9)


def test_withdrawals_leave_empty_places():
    made = cup(entrants(4, {4}), (), 1)
    assert [each.entrants for each in made.pairs if each.second is None] == [(1,)]
    assert made.pairs[-1].why == ("Goes on without a game. P4 has withdrawn.",)
    both = entrants(4, {1, 4})
    made = cup(both, (), 1)
    played = [Played(1, made.pairs[0].first, made.pairs[0].second, 2, 0)]
    assert len(made.pairs) == 1
    assert is_finished("knockout", both, played, 1, rounds=9)
    assert winner(both, played, 2) == made.pairs[0].first


def test_when_both_forfeit_nobody_goes_on():
    people = entrants(4)
    played = [Played(1, 1, 4, 0, 0, forfeit=True), Played(1, 2, 3, 0, 2)]
    assert winner(people, played, 2) == 3
    with pytest.raises(UmpireError, match="decided"):
        cup(people, played, 2)


# --- ladder ---


def ladder(people, played, round):
    return pair("ladder", people, played, round, rounds=9, seed=SEED)


def test_neighbours_play_and_everybody_is_placed():
    people = entrants(5)
    odd, even = ladder(people, (), 1), ladder(people, (), 2)
    assert [set(each.entrants) for each in odd.pairs] == [{1, 2}, {3, 4}, {5}]
    assert [set(each.entrants) for each in even.pairs] == [{2, 3}, {4, 5}, {1}]


def test_a_winner_from_below_takes_the_rung():
    people = entrants(5)
    played = [Played(1, 1, 2, 2, 0), Played(1, 4, 3, 2, 0)]
    assert rungs(people, played) == (1, 2, 4, 3, 5)
    played += [Played(2, 2, 4, 1, 1), Played(2, 3, 5, 0, 2)]
    assert rungs(people, played) == (1, 2, 4, 5, 3)
    # A challenge over several rungs, by hand: those between go one down.
    assert rungs(people, [*played, Played(3, 3, 1, 2, 0)]) == (3, 1, 2, 4, 5)
    assert lead("ladder", people, played) == {1: 5, 2: 4, 4: 3, 5: 2, 3: 1}


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(0, 2)), max_size=20))
def test_rungs_are_always_everybody(rows):
    played = [Played(n, a, b, points, 2 - points) for n, (a, b, points) in enumerate(rows, 1) if a != b]
    assert sorted(rungs(entrants(6), played)) == [1, 2, 3, 4, 5, 6]
    assert rungs(entrants(6), played[::-1]) == rungs(entrants(6), played)


def test_a_mirrored_challenge_counts_as_one():
    level = [Played(1, 1, 2, 2, 0), Played(1, 2, 1, 2, 0)]
    assert rungs(entrants(2), level) == (1, 2)
    assert rungs(entrants(2), [level[0], Played(1, 2, 1, 2, 0), Played(2, 2, 1, 1, 1), Played(2, 1, 2, 0, 2)]) == (2, 1)


def test_when_a_tournament_is_over():
    assert not is_finished("swiss", entrants(8), (), 2, rounds=3)
    assert is_finished("swiss", entrants(8), (), 3, rounds=3)
    assert is_finished("ladder", entrants(8, set(range(2, 9))), (), 1, rounds=3)
    assert rounds_needed("swiss", 64) == 6
    assert rounds_needed("swiss", 65) == 7
    assert rounds_needed("knockout", 1) == 0


@settings(max_examples=30, deadline=None)
@given(
    format=st.sampled_from(FORMATS),
    count=st.integers(2, 9),
    number=st.integers(0, 999),
    mirrored=st.booleans(),
    order=st.randoms(use_true_random=False),
)
def test_the_order_of_what_is_given_does_not_matter(format, count, number, mirrored, order):
    source = random.Random(number)
    people, played = entrants(count), []
    for round in range(1, 5):
        if round > 1 and is_finished(format, people, played, round - 1, rounds=4):
            break
        made = pair(format, people, played, round, rounds=4, mirrored=mirrored, seed=SEED)
        shuffled = order.sample(played, len(played))
        assert pair(format, people[::-1], shuffled, round, rounds=4, mirrored=mirrored, seed=SEED) == made
        assert lead(format, people[::-1], shuffled) == lead(format, people, played)
        for each in made.pairs:
            points = source.choice((0, 1, 1, 2))
            second = None if each.second is None else 2 - points
            played.append(Played(round, each.first, each.second, points if each.second else each.points, second or 0))


# --- by hand ---


def round_one(count=6, **more):
    return pair("swiss", entrants(count), (), 1, rounds=5, seed=SEED, **more)


def test_two_exchange_places():
    made = round_one()
    changed = adjust(made, Change("swap", 1, 5, "both live in Bern"), entrants(6))
    assert [set(each.entrants) for each in made.pairs] == [{1, 4}, {2, 5}, {3, 6}]
    assert [set(each.entrants) for each in changed.pairs] == [{5, 4}, {2, 1}, {3, 6}]
    assert changed.notes[-1] == "By hand: P1 and P5 exchange places. both live in Bern"
    assert changed.pairs[0].why == ("By hand: both live in Bern",)
    assert changed.pairs[2] == made.pairs[2]


def test_a_pair_is_made():
    changed = adjust(round_one(), Change("pair", 1, 2, "a wish"), entrants(6))
    assert [set(each.entrants) for each in changed.pairs] == [{1, 2}, {4, 5}, {3, 6}]
    odd = adjust(round_one(7), Change("pair", 1, 7, "a wish"), entrants(7))
    assert [set(each.entrants) for each in odd.pairs] == [{1, 7}, {2, 5}, {3, 6}, {4}]
    assert odd.pairs[-1].points == 2


def test_sides_are_changed():
    made = round_one()
    changed = adjust(made, Change("sides", 4, None, "agreed"), entrants(6))
    assert changed.pairs[0].entrants == made.pairs[0].entrants[::-1]


def test_somebody_leaves_the_round():
    changed = adjust(round_one(), Change("leave", 1, None, "ill"), entrants(6), bye=2)
    assert [(set(each.entrants), each.points) for each in changed.pairs] == [({2, 5}, 0), ({3, 6}, 0), ({4}, 2)]
    assert changed.notes == ("By hand: P1 has no game, P4 a bye. ill",)


def test_mirrored_games_stay_together():
    changed = adjust(round_one(5, mirrored=True), Change("swap", 1, 5, "a wish"), entrants(5))
    assert [each.mirror for each in changed.pairs] == [1, 2, 1, 2, 0]
    assert [set(each.entrants) for each in changed.pairs][::2] == [{5, 3}, {2, 4}, {1}]
    assert changed.pairs[-1].points == 4


def test_a_second_meeting_by_hand_is_said():
    played = [Played(1, 1, 2, 2, 0), Played(1, 3, 4, 2, 0)]
    made = pair("swiss", entrants(4), played, 2, rounds=3, seed=SEED)
    changed = adjust(made, Change("pair", 1, 2, "they insist"), entrants(4), played)
    assert "P1 and P2 have met in round 1." in changed.notes or "P2 and P1 have met in round 1." in changed.notes


@given(st.lists(st.tuples(st.sampled_from(["swap", "pair", "sides", "leave"]), st.integers(1, 8), st.integers(1, 8))))
def test_nobody_is_ever_placed_twice(rows):
    made = round_one(8)
    left = set(range(1, 9))
    for how, one, other in rows:
        change = Change(how, one, other if how in ("swap", "pair") else None, "because")
        try:
            made = adjust(made, change, entrants(8))
        except UmpireError:
            continue
        left -= {one} if how == "leave" else set()
        assert sorted(number for each in made.pairs for number in each.entrants) == sorted(left)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change("swap", 1, 2, "  "), "needs a reason"),
        (Change("swap", 1, 2, "x" * 1001), "needs a reason"),
        (Change("swap", 1, 1, "why"), "Two different"),
        (Change("swap", 1, None, "why"), "Two different"),
        (Change("swap", 1, 9, "why"), "no entrant 9"),
        (Change("pair", 1, 4, "why"), "already paired with each other"),
        (Change("sides", 1, 2, "why"), "about one entrant"),
    ],
)
def test_changes_that_do_not_fit_are_refused(change, said):
    made = round_one()
    with pytest.raises(UmpireError, match=said):
        adjust(made, change, entrants(6))
    with pytest.raises(UmpireError, match="no place in this round"):
        adjust(made, replace(change, how="leave", one=7, other=None, reason="why"), entrants(7))
