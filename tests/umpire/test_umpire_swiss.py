"""Swiss rounds: what a pairing must never do, held against brute force where that is possible."""

from __future__ import annotations

import random
import time
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.umpire import UmpireError
from pbem.umpire.pairing import Entrant, Pairing, Played, pair, place_by_lot
from pbem.umpire.pairing.pairs import Lots
from pbem.umpire.pairing.swiss import Standing, bye_cost, match, pair_cost
from pbem.umpire.pairing.tally import Record, first_of, records

SEED = b"0123456789abcdef"


def entrants(count, out=()):
    return [Entrant(n, f"P{n}", 2400 - 10 * n, n in out) for n in range(1, count + 1)]


def swiss(people, played, round, **more) -> Pairing:
    return pair("swiss", people, played, round, rounds=9, seed=SEED, **more)


def results(pairing, source):
    """What was played, with results by lot; now and then one is forfeited."""
    for each in pairing.pairs:
        if each.second is None:
            yield Played(pairing.round, each.first, None, each.points)
        else:
            points = source.choice((0, 0, 1, 2, 2))
            yield Played(pairing.round, each.first, each.second, points, 2 - points, source.random() < 0.05)


def tournament(count, rounds, number, out_after=()):
    """Rounds and games of a tournament, with `out_after` rows of (round, entrant who withdraws after it)."""
    source = random.Random(number)
    played: list[Played] = []
    for round in range(1, rounds + 1):
        gone = {who for after, who in out_after if after < round}
        made = swiss(entrants(count, gone), played, round)
        yield made, tuple(played), gone
        played += results(made, source)


def met(played):
    return {frozenset((game.first, game.second)) for game in played if game.second is not None}


def had_bye(played):
    return {game.first for game in played if game.second is None and game.first_points}


def perfect_matchings(left):
    """Every way to pair these numbers; None stands for the bye."""
    if not left:
        yield ()
        return
    one, *rest = left
    for other in rest:
        for tail in perfect_matchings([each for each in rest if each != other]):
            yield ((one, other), *tail)


def check_whole(made, count, gone=frozenset()):
    placed = [number for each in made.pairs for number in each.entrants]
    assert sorted(placed) == sorted(set(range(1, count + 1)) - gone)
    assert all(each.why and all(reason.endswith(".") for reason in each.why) for each in made.pairs)


@settings(max_examples=100, deadline=None)
@given(count=st.integers(2, 9), rounds=st.integers(1, 6), number=st.integers(0, 10**6))
def test_small_tournaments_agree_with_brute_force(count, rounds, number):
    for made, played, _ in tournament(count, rounds, number):
        check_whole(made, count)
        seen, byes = met(played), had_bye(played)
        left = [*range(1, count + 1), *([None] if count % 2 else [])]

        def faults(matching, seen=seen, byes=byes):
            again = sum(one in byes for one, other in matching if other is None)
            return again, sum(other is not None and frozenset((one, other)) in seen for one, other in matching)

        mine = faults([(each.first, each.second) for each in made.pairs])
        assert mine == min(map(faults, perfect_matchings(left)))
        assert sum("met in round" in note for note in made.notes) == mine[1]
        assert sum("bye again" in note for note in made.notes) == mine[0]


@settings(max_examples=6, deadline=None)
@given(count=st.integers(10, 40), number=st.integers(0, 10**6))
def test_longer_tournaments_keep_the_promises(count, number):
    rounds = count.bit_length() + 1
    for made, played, _ in tournament(count, rounds, number):
        check_whole(made, count)
        pairs = met(made_as_played(made))
        assert not pairs & met(played)
        assert len(pairs) == count // 2
        assert not {each.first for each in made.pairs if each.second is None} & had_bye(played)
        found = records(entrants(count), [*played, *made_as_played(made)])
        assert max(abs(record.balance) for record in found.values()) <= 2
        for record in found.values():
            assert all(len(set(record.sides[at : at + 3])) > 1 for at in range(len(record.sides) - 2))


def made_as_played(made):
    return [Played(made.round, each.first, each.second, 1, 0 if each.second is None else 1) for each in made.pairs]


@settings(max_examples=10, deadline=None)
@given(count=st.integers(4, 14), number=st.integers(0, 10**6), data=st.data())
def test_who_has_withdrawn_is_left_out(count, number, data):
    out_after = data.draw(st.lists(st.tuples(st.integers(0, 4), st.integers(1, count)), max_size=count - 2))
    for made, played, gone in tournament(count, 5, number, out_after):
        if count - len(gone) < 1:
            return
        check_whole(made, count, gone)
        byes = [each for each in made.pairs if each.second is None]
        assert len(byes) == (count - len(gone)) % 2
        assert all(each.points == 2 for each in byes)
        assert all(game.round < made.round for game in played)


@settings(max_examples=10, deadline=None)
@given(count=st.integers(3, 12), number=st.integers(0, 10**6), data=st.data())
def test_the_order_of_what_is_given_does_not_matter(count, number, data):
    for made, played, _ in tournament(count, 4, number):
        people = data.draw(st.permutations(entrants(count)))
        games = data.draw(st.permutations(played))
        assert swiss(people, games, made.round) == made


@settings(max_examples=10, deadline=None)
@given(count=st.integers(3, 25), number=st.integers(0, 10**6))
def test_the_bye_goes_to_the_lowest_who_have_had_none(count, number):
    count |= 1
    for made, played, _ in tournament(count, 4, number):
        found = records(entrants(count), played)
        (bye,) = (each.first for each in made.pairs if each.second is None)
        fresh = [each.points for each in found.values() if not each.byes and not each.unplayed_wins]
        if found[bye].unplayed_wins or not fresh:
            continue
        # Above the lowest only where these cannot be spared: then a second meeting would follow.
        assert found[bye].points == min(fresh) or count < 9


def test_the_first_round_folds_the_list():
    made = swiss(entrants(8), (), 1)
    assert [set(each.entrants) for each in made.pairs] == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    uppers = [each.first < each.second for each in made.pairs]
    assert uppers in ([True, False, True, False], [False, True, False, True])
    assert swiss(entrants(7), (), 1).pairs[-1].entrants == (7,)


def test_the_lot_of_sides_follows_the_seed():
    starts = {pair("swiss", entrants(4), (), 1, rounds=3, seed=bytes([n])).pairs[0].first for n in range(16)}
    assert starts == {1, 3}


def test_second_round_by_hand():
    # 1, 2, 3, 4 beat 5, 6, 7, 8: winners play winners, upper half against lower half.
    played = [Played(1, n, n + 4, 2, 0) if n % 2 else Played(1, n + 4, n, 0, 2) for n in range(1, 5)]
    made = swiss(entrants(8), played, 2)
    # 1 and 3 held the first side, 2 and 4 the second: so 1 meets 4, not 3, and the sides change.
    assert [each.entrants for each in made.pairs] == [(4, 1), (2, 3), (5, 8), (7, 6)]
    assert made.pairs[0].why == (
        "Both have 1 point; in this group of 4, number 1 meets number 4.",
        "P4 has the first side. So far P4 has played second, P1 first.",
    )


def test_a_float_is_said_with_its_reason():
    played = [Played(1, 1, 2, 2, 0), Played(1, 3, 4, 1, 1)]
    made = swiss(entrants(4), played, 2)
    assert made.pairs[0].why[0] == "P1 with 1 point meets P4 with ½ point: nobody else has 1 point."


def test_a_second_meeting_only_when_there_is_no_other_way():
    played = [Played(1, 1, 2, 2, 0), Played(1, 3, 4, 2, 0), Played(2, 1, 3, 2, 0), Played(2, 2, 4, 2, 0)]
    third = swiss(entrants(4), played, 3)
    assert met(made_as_played(third)) == {frozenset((1, 4)), frozenset((2, 3))}
    assert not third.notes
    played += [Played(3, 1, 4, 2, 0), Played(3, 2, 3, 2, 0)]
    fourth = swiss(entrants(4), played, 4)
    assert len(fourth.notes) == 2
    assert all("every other way to pair this round has as many second meetings." in note for note in fourth.notes)


def test_a_forfeited_game_is_a_meeting_but_no_side():
    played = [Played(1, 1, 2, 2, 0, forfeit=True), Played(1, 3, 4, 2, 0)]
    found = records(entrants(4), played)
    assert found[1].sides == []
    assert found[3].sides == [1]
    assert frozenset((1, 2)) not in met(made_as_played(swiss(entrants(4), played, 2)))


def test_who_won_without_playing_is_not_the_first_choice_for_a_bye():
    # 3 has a forfeit win, 5 a bye; 1, 2 and 4 are left for the bye of the second round, 2 and 4 with least.
    played = [Played(1, 1, 2, 2, 0), Played(1, 3, 4, 2, 0, forfeit=True), Played(1, 5, None, 2)]
    (bye,) = (each.first for each in swiss(entrants(5), played, 2).pairs if each.second is None)
    assert bye == 4


def test_mirrored_rounds_have_both_sides():
    made = swiss(entrants(5), (), 1, mirrored=True)
    assert len(made.pairs) == 5
    assert [each.mirror for each in made.pairs] == [1, 2, 1, 2, 0]
    for one, other in zip(made.pairs[0:4:2], made.pairs[1:4:2], strict=True):
        assert one.entrants == other.entrants[::-1]
    assert made.pairs[-1].points == 4


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        ([1, -1, 1], [1, -1], False),  # the first has held it more
        ([-1, -1], [-1], True),  # twice the second side on end: must change
        ([1], [-1], False),
        ([-1], [1], True),
        ([1, 1, -1], [1, -1, 1], True),  # as often; at the last difference the other had the first side
        ([], [1], True),
    ],
)
def test_sides_are_balanced_then_alternate(one, other, first):
    people = entrants(2)
    found = records(people, [])
    found[1].sides, found[2].sides = one, other
    assert first_of(found[1], found[2], not first) is first


def test_the_matching_is_the_cheapest_of_all():
    source = random.Random(5)
    for _ in range(30):
        size = source.choice((2, 4, 6, 8))
        costs = {edge: tuple(source.choice((0, 0, 1, 3)) for _ in range(3)) for edge in combinations(range(size), 2)}

        def total(edges, costs=costs):
            return tuple(map(sum, zip(*(costs[edge] for edge in edges), strict=True)))

        lots = Lots(SEED, 1)

        def lot(one, other, lots=lots):
            return lots.number("pair", one, other)

        def key(edges, total=total, lot=lot):
            return total(edges), sum(lot(*edge) >> 24 for edge in edges)

        found = match(costs, lot)
        assert key(found) == min(map(key, perfect_matchings(list(range(size)))))
        shuffled = dict(source.sample(sorted(costs.items()), len(costs)))
        assert match(shuffled, lot) == found


def standing(number, points=0, *, met=None, floats=None, place=0, size=2):
    record = Record(points=points, met=met or {}, floats=floats or {})
    return Standing(entrants(number)[-1], record, number, place, size, *record.preference)


def added(*costs):
    return tuple(map(sum, zip(*costs, strict=True)))


def test_fewer_second_meetings_outweigh_that_they_were_lately():
    one_lately = added(pair_cost(standing(1, met={2: 7}), standing(2), 8), pair_cost(standing(3), standing(4), 8))
    two_long_ago = added(*[pair_cost(standing(n, met={n + 1: 1}), standing(n + 1), 8) for n in (1, 3)])
    assert one_lately < two_long_ago
    assert pair_cost(standing(1, met={2: 1}), standing(2), 8) < pair_cost(standing(1, met={2: 2}), standing(2), 8)


def test_two_small_differences_are_better_than_a_large_one():
    small = pair_cost(standing(1, 4), standing(2, 3), 8)
    large = pair_cost(standing(1, 4), standing(2, 2), 8)
    none = pair_cost(standing(1, 4), standing(2, 4), 8)
    assert added(small, small)[:6] < added(large, none)[:6]


@pytest.mark.parametrize("round", [6, 7])
def test_nobody_leaves_his_group_the_same_way_again_if_another_can(round):
    usual = pair_cost(standing(1, 4), standing(2, 3), 8)
    assert usual < pair_cost(standing(1, 4, floats={round: 2}), standing(2, 3), 8)
    assert usual < pair_cost(standing(1, 4), standing(2, 3, floats={round: -2}), 8)
    assert usual == pair_cost(standing(1, 4, floats={round: -2}), standing(2, 3, floats={round: 2}), 8)
    assert usual == pair_cost(standing(1, 4, floats={5: 2}), standing(2, 3), 8)


def test_between_groups_the_last_of_the_upper_meets_the_first_of_the_lower():
    upper = [standing(n + 1, 4, place=n, size=3) for n in range(3)]
    lower = [standing(n + 4, 2, place=n, size=3) for n in range(3)]
    costs = {(one.place, other.place): pair_cost(one, other, 8) for one in upper for other in lower}
    assert min(costs, key=costs.__getitem__) == (2, 0)
    assert max(costs, key=costs.__getitem__) == (0, 2)
    assert bye_cost(upper[2], 4, 8) < bye_cost(upper[1], 4, 8)


def test_where_all_costs_are_the_same_lots_decide():
    edges = list(combinations(range(6), 2))
    for number in range(8):
        lots = Lots(SEED, number)
        found = match(dict.fromkeys(edges, (0,)), lambda one, other, lots=lots: lots.number("pair", one, other))
        sums = {
            pairs: sum(lots.number("pair", *edge) >> 24 for edge in pairs)
            for pairs in perfect_matchings(list(range(6)))
        }
        assert found == min(sums, key=sums.__getitem__)


@pytest.mark.parametrize(
    ("sides", "due"),
    [
        ([], (0, 0)),
        ([1], (-1, 2)),
        ([1, -1], (1, 1)),
        ([1, -1, 1], (-1, 2)),
        ([-1, 1, 1], (-1, 3)),  # twice on end
        ([1, -1, -1], (1, 3)),
        ([1, 1, -1, 1], (-1, 3)),  # twice more
        ([-1, -1, 1, -1], (1, 3)),
        ([1, 1, 1, -1, -1], (1, 3)),
        ([1, 1, 1, 1, -1, -1], (-1, 3)),  # balance before alternation
    ],
)
def test_which_side_is_due(sides, due):
    assert Record(sides=sides).preference == due


def test_what_was_not_played_is_remembered():
    played = [
        Played(1, 1, 2, 2, 0, forfeit=True),
        Played(1, 4, 3, 0, 2, forfeit=True),
        Played(1, 5, None, 2),
        Played(2, 1, 5, 1, 1),
        Played(2, 2, None, 0),
    ]
    found = records(entrants(5), played)
    assert [found[n].unplayed_wins for n in range(1, 6)] == [1, 0, 1, 0, 0]
    assert [found[n].byes for n in range(1, 6)] == [0, 0, 0, 0, 1]  # a rest without points is no bye
    assert found[5].floats == {1: 1, 2: 0}
    costs = [bye_cost(Standing(entrants(5)[n - 1], found[n], n, 0, 1, 0, 0), 0, 3)[0] for n in range(1, 6)]
    assert costs == [1, 0, 1, 0, 2]


def test_two_hundred_are_paired_in_a_moment():
    played: list[Played] = []
    source = random.Random(1)
    spent = []
    for round in range(1, 4):
        start = time.process_time()
        made = swiss(entrants(200), played, round)
        spent.append(time.process_time() - start)
        check_whole(made, 200)
        played += results(made, source)
    assert min(spent[1:]) < 2


def test_only_the_seed_decides_an_order_by_lot():
    keys = [bytes([n]) for n in range(4)]
    orders = {tuple(sorted(keys, key=lambda key, n=n: place_by_lot(bytes([n]), key))) for n in range(200)}
    assert len(orders) == 24


def test_what_does_not_fit_is_refused():
    with pytest.raises(UmpireError, match="same number"):
        swiss([Entrant(1, "A"), Entrant(1, "B")], (), 1)
    with pytest.raises(UmpireError, match="not on the list"):
        swiss(entrants(2), [Played(1, 1, 7, 2, 0)], 2)
    with pytest.raises(UmpireError, match="already has results"):
        swiss(entrants(2), [Played(2, 1, 2, 2, 0)], 2)
    with pytest.raises(UmpireError, match="nobody to pair"):
        swiss(entrants(2, {1, 2}), (), 1)
    with pytest.raises(UmpireError, match="no format"):
        pair("lottery", entrants(2), (), 1, rounds=1)
