"""Standings against published tables, and against a second reckoning that shares nothing with the first."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.umpire import UmpireError
from pbem.umpire.pairing import Entrant, Played, pair
from pbem.umpire.standings import CRITERIA, DEFAULT_ORDER, annulled, standings

HALF = Fraction(1, 2)


def entrants(*names, out=()):
    return [Entrant(n, name, 2000, name in out) for n, name in enumerate(names, 1)]


def figures(rows, order, criterion):
    at = order.index(criterion)
    return {row.name: row.figures[at] for row in rows}


# --- published tables ---

# The eighth World Correspondence Championship, 1975 to 1980: points and Neustadtl's figure stand behind each row.
FINAL = """
Sloth       X ½ ½ 1 ½ ½ 1 1 ½ 1 ½ 1 1 1 1  11   69.5
Zagorovsky  ½ X 0 ½ 1 ½ 1 1 1 ½ 1 1 1 1 1  11   66.75
Kosenkov    ½ 1 X ½ ½ ½ ½ ½ 1 1 ½ 1 1 1 1  10.5 67.5
Khasin      0 ½ ½ X ½ 1 ½ 0 1 1 ½ 1 ½ 1 ½  8.5  54.75
Kletsel     ½ 0 ½ ½ X ½ ½ ½ ½ 0 1 1 ½ 1 1  8    47.75
Carbonnel   ½ ½ ½ 0 ½ X ½ ½ 0 1 ½ ½ 0 1 1  7    45.25
Arnlind     0 0 ½ ½ ½ ½ X ½ 1 0 ½ ½ 1 1 ½  7    42.5
Dunhaupt    0 0 ½ 1 ½ ½ ½ X 0 ½ 1 0 1 ½ 1  7    41.5
Maedler     ½ 0 0 0 ½ 1 0 1 X 1 ½ ½ ½ ½ 1  7    41.5
Estrin      0 ½ 0 0 1 0 1 ½ 0 X 1 1 1 0 1  7    40.5
Walther     ½ 0 ½ ½ 0 ½ ½ 0 ½ 0 X 0 1 ½ 1  5.5  33.25
Boey        0 0 0 0 0 ½ ½ 1 ½ 0 1 X ½ ½ 1  5.5  28.5
Abramov     0 0 0 ½ ½ 1 0 0 ½ 0 0 ½ X ½ 1  4.5  24.75
Siklos      0 0 0 0 0 0 0 ½ ½ 1 ½ ½ ½ X 1  4.5  22.75
Nun         0 0 0 ½ 0 0 ½ 0 0 0 0 0 0 0 X  1    7.75
"""
MARKS = {"0": 0, "½": 1, "1": 2}


def test_sonneborn_berger_of_a_published_final():
    lines = [line.split() for line in FINAL.split("\n") if line]
    names = [line[0] for line in lines]
    played = [
        Played(1, row + 1, column + 1, MARKS[line[1 + column]], MARKS[lines[column][1 + row]])
        for row, line in enumerate(lines)
        for column in range(row + 1, len(lines))
    ]
    order = ("points", "sonneborn", "buchholz", "median")
    rows = standings(entrants(*names), played, order)
    assert figures(rows, order, "points") == {line[0]: Fraction(line[-2]) for line in lines}
    assert figures(rows, order, "sonneborn") == {line[0]: Fraction(line[-1]) for line in lines}
    assert [row.name for row in rows] == names
    assert [row.place for row in rows] == [*range(1, 9), 8, *range(10, 16)]  # Dunhaupt and Maedler are level
    # In a round robin everybody has met all the others: 105 points less one's own.
    assert all(row.figures[2] == 105 - row.figures[0] for row in rows)
    assert rows[0].figures[2:] == (94, 82)


def test_two_rounds_robin_of_go_players():
    """Sensei's Library, SonnebornBerger: A beats B once, C twice, D once; B beats D twice; and so on."""
    wins = {"A": "BCCD", "B": "ACDD", "C": "BDD", "D": "A"}
    people = entrants("A", "B", "C", "D")
    number = {each.name: each.number for each in people}
    played = [Played(1, number[one], number[other], 2, 0) for one, beaten in wins.items() for other in beaten]
    order = ("points", "sonneborn")
    rows = standings(people, played, order)
    assert [(row.name, *row.figures) for row in rows] == [("A", 4, 11), ("B", 4, 9), ("C", 3, 6), ("D", 1, 4)]


@pytest.mark.parametrize(("points", "median"), [((4, 2, 3, 4, 5, 6), 16), ((5, 4, 2, 6, 4, 5), 18)])
def test_median_of_a_published_example(points, median):
    """P has met six opponents with these points; each has them from games against others."""
    people = entrants("P", *(f"O{n}" for n in range(6)), "Q", "R")
    played = []
    for at, scored in enumerate(points):
        played.append(Played(at + 1, 1, at + 2, 0 if at == 5 else 2, 2 if at == 5 else 0))
        wins = scored - (at == 5)
        played += [Played(9, at + 2, 8, 2, 0)] * wins
    order = ("points", "buchholz", "cut1", "median")
    row = next(row for row in standings(people, played, order) if row.name == "P")
    assert row.figures[1:] == (sum(points), sum(points) - min(points), median)


def lone(before, own, after, rounds):
    """Buchholz of a player from the round he did not play alone: whom he met brought nothing."""
    people = entrants("P", *(f"O{n}" for n in range(20)))
    played = []
    for round, points in enumerate(before, 1):
        played.append(Played(round, 1, round + 1, points, 0))
    played.append(Played(len(before) + 1, 1, 12, own, 2 - own, forfeit=True))
    for round, points in enumerate(after, len(before) + 2):
        played.append(Played(round, 1, round + 1, points, 0))
    played.append(Played(rounds, 20, 21, 2, 0))
    order = ("points", "buchholz")
    return next(row.figures[1] for row in standings(people, played, order) if row.name == "P")


def test_the_virtual_opponent_of_the_handbook():
    """FIDE handbook 2012, C.02 13.15.2: S = SPR + (1 - SfPR) + 0.5 (n - R)."""
    assert lone((2, 1), 0, (), 3) == Fraction(5, 2)
    assert lone((2, 1), 0, (), 9) == Fraction(11, 2)
    assert lone((2, 2, 2, 1, 0), 2, (), 6) == Fraction(7, 2)
    assert lone((2, 2, 2, 1, 0), 2, (), 9) == 5


def test_the_examples_of_a_pairing_program():
    """Vega's manual, appendix I: A has 2 points before a win without play in round 3 and 6 after nine rounds."""
    assert lone((2, 2), 2, (2, 2, 2, 0, 0, 0), 9) == 5
    assert lone((2, 2, 2, 2, 0, 0), 0, (2, 2), 9) == 6
    for before, own, after, brings in (
        ((2, 2), 2, (2, 2, 2, 0, 0, 0), Fraction(11, 2)),
        ((2, 2, 2, 2, 0, 0), 0, (2, 2), Fraction(13, 2)),
    ):
        people = entrants("P", *(f"O{n}" for n in range(20)))
        played = [Played(round, 1, round + 1, points, 0) for round, points in enumerate(before, 1)]
        played.append(Played(len(before) + 1, 1, 12, own, 2 - own, forfeit=True))
        played += [Played(round, 1, round + 1, points, 0) for round, points in enumerate(after, len(before) + 2)]
        rows = standings(people, played, ("points", "buchholz"))
        assert next(row.figures[1] for row in rows if row.name == "O0") == brings


def test_a_bye_counts_like_a_win_without_play():
    people = entrants("P", "A", "B", "C")
    bye = [Played(1, 1, None, 2), Played(2, 1, 2, 2, 0)]
    forfeit = [Played(1, 1, 3, 2, 0, forfeit=True), Played(2, 1, 2, 2, 0)]
    order = ("points", "buchholz", "sonneborn")
    one = next(row for row in standings(people, bye, order) if row.name == "P")
    other = next(row for row in standings(people, forfeit, order) if row.name == "P")
    # Virtual opponent: 0 before, 0 in the round, half a point after; the opponent of round 2 has none.
    assert one.figures == other.figures == (2, HALF, HALF)
    assert (one.played, one.won) == (1, 1)
    plain = next(row for row in standings(people, bye, order, unplayed="plain") if row.name == "P")
    assert plain.figures == (2, 0, 0)


# --- direct encounter ---


def row_of(rows):
    return [(row.place, row.name) for row in rows]


def test_direct_encounter_of_two():
    people = entrants("A", "B", "C", "D")
    played = [
        Played(1, 1, 2, 0, 2),  # B beat A
        Played(2, 1, 3, 2, 0),
        Played(2, 2, 4, 0, 2),
        Played(3, 3, 4, 2, 0),
    ]
    order = ("points", "direct")
    rows = standings(people, played, order)
    # All have 1 point, but not all four have met.
    assert row_of(rows) == [(1, "A"), (1, "B"), (1, "C"), (1, "D")]
    assert all(row.figures[1] is None for row in rows)
    played.append(Played(4, 1, 4, 2, 0))
    played.append(Played(4, 2, 3, 2, 0))
    rows = standings(people, played, order)
    assert row_of(rows) == [(1, "B"), (2, "A"), (3, "C"), (4, "D")]
    assert figures(rows, order, "direct") == {"B": 1, "A": 0, "C": 1, "D": 0}


def test_direct_encounter_is_asked_again_of_those_still_level():
    """Four are level on 2 points, all in all; among themselves A and C have 2 of them, B and D 1."""
    people = entrants("A", "B", "C", "D", "X", "Y")
    among = {"AB": 2, "AC": 0, "AD": 2, "BC": 0, "BD": 2, "CD": 0}
    # A beats B and D, C beats A and B, D beats C, B beats D: A 2, C 2, B 1, D 1.
    number = {each.name: each.number for each in people}
    played = [Played(1, number[a], number[b], points, 2 - points) for (a, b), points in among.items()]
    played += [Played(2, number[a], 5, 0, 2) for a in "AC"] + [Played(2, number[a], 5, 2, 0) for a in "BD"]
    order = ("points", "direct")
    played.append(Played(3, 5, 6, 2, 0))
    rows = [row for row in standings(people, played, order) if row.name in "ABCD"]
    assert figures(rows, order, "points") == dict.fromkeys("ABCD", Fraction(2))
    assert figures(rows, order, "direct") == {"A": 2, "B": 1, "C": 2, "D": 1}
    assert [row.name for row in rows] == ["C", "A", "B", "D"]


def test_three_who_beat_each_other_in_a_ring_stay_level():
    played = [Played(1, 1, 2, 2, 0), Played(2, 2, 3, 2, 0), Played(3, 3, 1, 2, 0)]
    rows = standings(entrants("A", "B", "C"), played)
    assert [row.place for row in rows] == [1, 1, 1]
    assert all(row.figures[1] == 1 for row in rows)


# --- the rest ---


def test_wins_sides_and_progress():
    people = entrants("A", "B", "C", "D")
    played = [
        Played(1, 1, 2, 2, 0),
        Played(2, 1, 3, 0, 2),
        Played(3, 1, 4, 2, 0, forfeit=True),
        Played(1, 3, 4, 1, 1),
    ]
    order = ("points", "wins", "balance", "seconds", "progress")
    rows = {row.name: row for row in standings(people, played, order)}
    assert rows["A"].figures == (2, 1, 2, 0, 1 + 1 + 2)
    assert rows["C"].figures == (Fraction(3, 2), 1, 0, 1, HALF + Fraction(3, 2) + Fraction(3, 2))
    assert (rows["A"].won, rows["A"].lost, rows["A"].played) == (1, 1, 2)


def test_less_imbalance_of_sides_is_better():
    played = [Played(1, 1, 3, 2, 0), Played(2, 1, 4, 0, 2), Played(1, 2, 5, 2, 0), Played(2, 6, 2, 2, 0)]
    rows = standings(entrants(*"ABCDEF"), played, ("points", "balance"))
    assert row_of(rows)[:5] == [(1, "B"), (2, "D"), (2, "F"), (4, "A"), (5, "C")]


def test_stages_and_rungs_rank_before_points():
    played = [Played(1, 1, 2, 2, 0)]
    rows = standings(entrants("A", "B", "C"), played, lead={1: 0, 2: 5, 3: 2})
    assert row_of(rows) == [(1, "B"), (2, "C"), (3, "A")]


def test_those_who_left_early_are_taken_out():
    people = entrants("A", "B", "C", out="C")
    played = [Played(1, 1, 3, 2, 0), Played(2, 2, 3, 2, 0, forfeit=True), Played(3, 1, 2, 1, 1)]
    assert annulled(people, played, 3) == (played[2],)
    assert annulled(people, played, 2) == tuple(played)
    # Of mirrored pairs both games are one round.
    twice = [*played, Played(1, 3, 1, 0, 2)]
    assert annulled(people, twice, 3) == (played[2],)


@pytest.mark.parametrize("order", [("points", "luck"), ("direct", "points"), ("points", "points"), ()])
def test_odd_orders_are_refused(order):
    with pytest.raises(UmpireError):
        standings(entrants("A"), (), order)


# --- a second reckoning, by the letter of docs/umpire.md ---


def naive(count, played, mirrored):
    """Points, Buchholz, Sonneborn-Berger, direct encounter, wins and balance of everybody, game by game."""
    width = 2 if mirrored else 1
    rounds = max((game.round for game in played), default=0)
    views = []  # one, other, round, own points, played
    for game in played:
        views.append((game.first, game.second, game.round, game.first_points, not game.forfeit and game.second))
        if game.second:
            views.append((game.second, game.first, game.round, game.second_points, not game.forfeit))
    points = {n: Fraction(sum(v[3] for v in views if v[0] == n), 2) for n in range(1, count + 1)}

    def brings(n):
        total = Fraction(0)
        for one, other, _, scored, real in views:
            if one == n:
                total += Fraction(scored, 2) if real else HALF * (1 if other else width)
        return total

    def strength(n):
        for one, other, round, scored, real in views:
            if one != n:
                continue
            if real:
                yield brings(other), Fraction(scored, 2)
                continue
            before = Fraction(sum(v[3] for v in views if v[0] == n and v[2] < round), 2)
            that = Fraction(sum(v[3] for v in views if v[0] == n and v[2] == round), 2)
            virtual = before + width - that + HALF * width * (rounds - round)
            games = 1 if other else width
            for each in range(games):
                share = HALF * (scored // games + (each < scored % games))
                yield virtual, share

    return {
        n: {
            "points": points[n],
            "buchholz": sum((value for value, _ in strength(n)), Fraction(0)),
            "sonneborn": sum((value * share for value, share in strength(n)), Fraction(0)),
            "wins": sum(v[3] == 2 and bool(v[4]) for v in views if v[0] == n),
            "balance": abs(
                sum(not g.forfeit for g in played if g.first == n and g.second)
                - sum(not g.forfeit for g in played if g.second == n)
            ),
        }
        for n in range(1, count + 1)
    }


@settings(max_examples=40, deadline=None)
@given(count=st.integers(2, 11), rounds=st.integers(1, 5), number=st.integers(0, 10**6), mirrored=st.booleans())
def test_a_second_reckoning_agrees(count, rounds, number, mirrored):
    source = random.Random(number)
    people = entrants(*(f"P{n}" for n in range(count)))
    played: list[Played] = []
    for round in range(1, rounds + 1):
        for each in pair("swiss", people, played, round, rounds=rounds, mirrored=mirrored, seed=b"s").pairs:
            if each.second is None:
                played.append(Played(round, each.first, None, each.points))
            else:
                scored = source.choice((0, 1, 2, 2))
                forfeit = source.random() < 0.15
                played.append(Played(round, each.first, each.second, scored, 2 - scored, forfeit))
    order = DEFAULT_ORDER
    rows = standings(people, source.sample(played, len(played)), order, mirrored=mirrored)
    expected = naive(count, played, mirrored)
    for row in rows:
        mine = dict(zip(order, row.figures, strict=True))
        direct = mine.pop("direct")
        assert mine == expected[row.number]
        level = [other for other in expected if expected[other]["points"] == mine["points"]]
        games = {(g.first, g.second): g for g in played if {g.first, g.second} <= set(level)}
        met = all((a, b) in games or (b, a) in games for a, b in permutations(level, 2))
        assert (direct is not None) == (met and len(level) > 1)
        if direct is not None:
            own = [g.first_points for g in played if g.first == row.number and g.second in level]
            own += [g.second_points for g in played if g.second == row.number and g.first in level]
            assert direct == Fraction(sum(own), 2)
    for upper, lower in pairwise(rows):
        assert upper.figures[0] >= lower.figures[0]
        if upper.figures[:2] == lower.figures[:2] and upper.figures[1] is None:
            keys = [(*row.figures[2:5], -row.figures[5]) for row in (upper, lower)]
            assert keys[0] >= keys[1]
            assert (keys[0] == keys[1]) == (upper.place == lower.place)
    assert [row.place for row in rows] == sorted(row.place for row in rows)


def test_every_criterion_has_words():
    rows = standings(entrants("A", "B"), [Played(1, 1, 2, 2, 0)], tuple(CRITERIA))
    assert all(len(row.figures) == len(CRITERIA) for row in rows)
    assert all(CRITERIA.values())
