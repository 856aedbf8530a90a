"""SG-14, SG-16.2: the score, its levels, both sudden victories."""

from __future__ import annotations

import pytest
from sg_positions import CHART, number, position

from pbem.engine.event import Out
from pbem_rules.stargard import game
from pbem_rules.stargard.chart import GERMAN, SOVIET
from pbem_rules.stargard.frames import GameTurn
from pbem_rules.stargard.state import EXITED, LONG_GAME, OUT_OF_SUPPLY
from pbem_rules.stargard.turns import EndOfTurn
from pbem_rules.stargard.victory import (
    after_exit,
    end_of_game,
    forfeit,
    held,
    lift_siege,
    may_leave,
    score,
    stettin_falls,
)

ARNSWALDE = 2608


def test_sg_14_3_1_markers_count_as_they_were_when_taken():
    """SG-1.5.5: Arnswalde is worth two points up to turn 5, one afterwards; a marker that was taken is not flipped."""
    state = position(turn=5)
    base = score(state)
    state.take(SOVIET, ARNSWALDE)
    assert score(state) == base + 2
    state.turn = 9
    assert score(state) == base + 2
    state.take(GERMAN, ARNSWALDE)
    assert score(state) == base
    state.take(SOVIET, ARNSWALDE)
    assert score(state) == base + 1


def test_sg_14_3_1_both_sides_see_the_score():
    state = position()
    assert score(state) + held(state) == 56
    state.take(SOVIET, 716)
    assert (score(state), held(state)) == (7, 49)


def test_sg_14_3_1_headquarters_take_nothing():
    state = position(("2GT-HQ", 1306), ("24/11SS", 1714))
    state.put(number("2GT-HQ"), 1307)
    assert state.holders[1307] == GERMAN
    assert 1307 not in state.prizes


def test_sg_12_6d_16_2_case_30_points_are_taken_off():
    """TEST-30: 40 points, two reports, the relief of Arnswalde."""
    state = position()
    for place in CHART.prizes:
        if score(state) < 40:
            state.take(SOVIET, place)
    state.halves = 2 * (40 - score(state))
    assert score(state) == 40
    state.reports, state.relieved = 2, True
    assert score(state) == 35


def test_sg_16_4_halves_are_rounded_down():
    state = position()
    base = score(state)
    state.halves = 5
    assert score(state) == base + 2


@pytest.mark.parametrize(
    ("points", "level", "winner"),
    [(23, "german_decisive", GERMAN), (24, "german_marginal", GERMAN), (30, "german_marginal", GERMAN),
     (31, "draw", None), (37, "draw", None), (38, "soviet_marginal", SOVIET), (45, "soviet_decisive", SOVIET)],
)  # fmt: skip
def test_sg_14_1_levels_after_turn_10(points, level, winner):
    state = position(turn=10)
    state.halves = 2 * (points - score(state))
    end = end_of_game(state, Out())
    assert (end.result.winner, end.result.how) == (winner, level)
    assert dict(end.result.scores)[SOVIET] == points
    state.turn = 9
    assert end_of_game(state, Out()) is None


def test_sg_14_2_1_a_path_at_the_end_of_a_turn_lifts_the_siege():
    """A path from Arnswalde to Stettin, without the supply of the fortress; in turn 3 it is too late."""
    ring = [("219T/1M", 2607), ("35M/1M", 2609), ("37M/1M", 2508), ("47GT/9GT", 2708), ("65GT/9GT", 2507)]
    shut = position(("F-Arnswalde", ARNSWALDE), *ring, ("50GT/9GT", 2707))
    lift_siege(shut, Out())
    assert not shut.lifted
    state = position(("F-Arnswalde", ARNSWALDE))
    EndOfTurn().run(state, GameTurn(), Out())
    assert state.turn == 3
    assert may_leave(state)
    EndOfTurn().run(state, GameTurn(), Out())
    assert not may_leave(state)
    shut.lifted = True
    lift_siege(shut, Out())
    assert not shut.lifted
    late = position(("F-Arnswalde", ARNSWALDE), turn=3)
    lift_siege(late, Out())
    assert not late.lifted


def test_sg_14_2_1_what_is_said_of_the_siege():
    ring = [*zip(("219T/1M", "35M/1M", "37M/1M", "47GT/9GT", "65GT/9GT", "50GT/9GT"),
                 (2607, 2609, 2508, 2708, 2507, 2707), strict=True)]  # fmt: skip
    relieved = ["Arnswalde is relieved: in turn 3 German units may leave the map."]
    for units, turn, was, said in (
        ((), 2, False, relieved),
        (ring, 2, True, ["Arnswalde is besieged again."]),
        (ring, 2, False, []),
        (ring, 3, True, []),
        ((), 4, True, []),
    ):
        state, out = position(("F-Arnswalde", ARNSWALDE), *units, turn=turn), Out()
        state.lifted = was
        lift_siege(state, out)
        assert [event.words() for event in out.events] == said
    fallen, out = position(turn=2), Out()
    fallen.take(SOVIET, ARNSWALDE)
    lift_siege(fallen, out)
    assert (fallen.lifted, out.events) == (False, [])


def test_sg_14_2_1_not_while_the_soviets_hold_arnswalde():
    state = position()
    state.lifted = True
    state.take(SOVIET, ARNSWALDE)
    assert not may_leave(state)
    fallen = position()
    fallen.take(SOVIET, ARNSWALDE)
    lift_siege(fallen, Out())
    assert not fallen.lifted


def left(*codes, **options):
    state = position(**options)
    for code in codes:
        state.put(number(code), 1714)
        state.set_steps(number(code), 1)
        state.put(number(code), EXITED)
    return state


def test_sg_14_2_1_the_third_unit_that_leaves_wins():
    assert after_exit(left("24/11SS", "23/11SS"), Out()) is None
    end = after_exit(left("24/11SS", "23/11SS", "8/4SS"), Out())
    assert (end.result.winner, end.result.how) == (GERMAN, "relief of Arnswalde")


def test_sg_16_2_in_a_long_game_it_costs_three_points_once():
    state = left("24/11SS", "23/11SS", "8/4SS")
    state.options = (LONG_GAME,)
    state.lifted = True
    before = score(state)
    assert after_exit(state, Out()) is None
    assert score(state) == before - 3
    assert not may_leave(state)


def test_sg_14_2_2_14_0_a_supplied_soviet_unit_in_stettin():
    for place in (317, 318, 418):
        end = stettin_falls(position(("219T/1M", place), turn=6), Out())
        assert (end.result.winner, end.result.how) == (SOVIET, "Stettin")
    assert end_of_game(position(("219T/1M", 418), turn=6), Out()).result.how == "Stettin"
    assert stettin_falls(position(("219T/1M", 417)), Out()) is None
    assert stettin_falls(position(("2GT-HQ", 418)), Out()) is None
    cut = position(("219T/1M", 418))
    cut.mark_supply(number("219T/1M"), OUT_OF_SUPPLY)
    assert stettin_falls(cut, Out()) is None
    long = position(("219T/1M", 418))
    long.options = (LONG_GAME,)
    assert stettin_falls(long, Out()) is None


def test_sg_14_0_whoever_gives_up_has_lost():
    state = position()
    assert forfeit(state, (GERMAN,)).winner == SOVIET
    assert forfeit(state, (SOVIET,)).winner == GERMAN
    assert forfeit(state, (GERMAN, SOVIET)).winner is None
    assert game.forfeit(state, (GERMAN,)).how == "forfeit"
