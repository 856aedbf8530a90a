"""SG-7.3, SG-19.1.11, SG-19.1.13, SG-2.5.1: what replacement points buy."""

from __future__ import annotations

from typing import Any

import pytest
from sg_plain import CHART, game, number, position

from pbem.engine.event import Out
from pbem.engine.step import DONE
from pbem_rules.stargard.arriving import FirstArrivals, SecondArrivals
from pbem_rules.stargard.chart import GERMAN, SOVIET
from pbem_rules.stargard.frames import Arriving, GameTurn
from pbem_rules.stargard.orders import Done, Rebuild, Restore
from pbem_rules.stargard.replacements import Leaves, Rebuilds, Replacing, Restores, is_lost, points_of, spots
from pbem_rules.stargard.state import SUPPLIED, State

Units = tuple[str, int] | tuple[str, int, int]


def lost(*units: Units, dead: tuple[str, ...] = (), turn: int = 5, **kept: Any) -> State:
    """These units stand on the map, the `dead` have no step, and all others wait with all of theirs."""
    state = position(*units, turn=turn, **kept)
    for code in dead:
        state.set_steps(number(code), 0)
    return state


def frame(side: str = SOVIET, points: int = 4, *, plain: bool = False) -> Arriving:
    return Arriving(side, (), points=points, plain=plain)


def refusal(s: State, f: Arriving, order: Restore | Rebuild) -> str:
    choice = Restores() if isinstance(order, Restore) else Rebuilds()
    violation = choice.check(s, f, f.seat, order, {})  # type: ignore[arg-type]
    return "" if violation is None else violation.rule


def buy(s: State, f: Arriving, order: Restore | Rebuild) -> None:
    assert refusal(s, f, order) == ""
    choice = Restores() if isinstance(order, Restore) else Rebuilds()
    choice.apply(s, f, f.seat, order, Out())  # type: ignore[arg-type]


def test_sg_7_3a_soviet_points_stand_on_the_turn_track():
    found = []
    for turn in range(1, 11):
        called = SecondArrivals().run(lost(turn=turn), GameTurn(), Out())
        assert not called.frame.plain
        found.append(called.frame.points)
    assert found == [0, 0, 0, 3, 4, 4, 4, 3, 0, 0]
    assert points_of(lost(), GERMAN, "19.1.1").points == 0


def test_sg_7_3a_points_that_are_left_are_lost():
    s, f = lost(("19M/1M", 2004, 1)), frame(points=3)
    out = Out()
    assert Leaves().apply(s, f, SOVIET, Done(), out) is DONE
    assert [event.words() for event in out.events] == ["Replacement points not used: 3."]
    assert SecondArrivals().run(s, GameTurn(), Out()).frame.points == 4


def test_sg_7_3a_whoever_has_points_may_leave_them():
    s = lost(("212/80", 2004, 1))
    assert set(Replacing().legal(s, frame(), SOVIET, {})) == {Done(), Restore(number("212/80"))}


def test_sg_7_3b_units_of_one_step_never_come_back():
    s = lost(("61-HQ", 2004), dead=("85T", "212/80"))
    assert refusal(s, frame(), Rebuild(number("85T"), 2004, 1)) == "SG-7.3b"
    assert refusal(s, frame(), Rebuild(number("212/80"), 2004, 1)) == ""


def test_sg_7_3b_who_has_all_steps_regains_none():
    s = lost(("212/80", 2004), ("356/80", 2104, 1))
    assert refusal(s, frame(), Restore(number("212/80"))) == "SG-7.3b"
    assert refusal(s, frame(), Restore(number("356/80"))) == ""


def test_sg_7_3_1a_a_step_costs_one_point_and_of_a_mechanised_unit_two():
    s, f = lost(("212/80", 2004, 1), ("19M/1M", 2104, 1)), frame(points=3)
    buy(s, f, Restore(number("212/80")))
    assert (f.points, s.pieces[number("212/80")].steps) == (2, 2)
    buy(s, f, Restore(number("19M/1M")))
    assert (f.points, s.pieces[number("19M/1M")].steps) == (0, 2)
    assert refusal(lost(("19M/1M", 2104, 1)), frame(points=1), Restore(number("19M/1M"))) == "SG-7.3.1a"
    assert refusal(lost(("212/80", 2104, 1)), frame(points=1), Restore(number("212/80"))) == ""
    s = lost(("61-HQ", 2004), dead=("212/80",))
    assert refusal(s, frame(points=1), Rebuild(number("212/80"), 2004, 2)) == "SG-7.3.1a"
    assert refusal(s, frame(points=1), Rebuild(number("212/80"), 2004, 1)) == ""


def test_sg_7_3_1b_a_lost_unit_may_come_back_at_full_strength_for_two_points():
    s, f = lost(("61-HQ", 2004), dead=("212/80",)), frame(points=2)
    buy(s, f, Rebuild(number("212/80"), 2004, 2))
    assert (f.points, s.pieces[number("212/80")].steps, s.at(number("212/80"))) == (0, 2, 2004)
    s, f = lost(("61-HQ", 2004), dead=("212/80",)), frame(points=2)
    buy(s, f, Rebuild(number("212/80"), 2004, 1))
    buy(s, f, Restore(number("212/80")))
    assert (f.points, s.pieces[number("212/80")].steps) == (0, 2)
    assert refusal(s, frame(points=1), Rebuild(number("212/80"), 2004, 2)) == "SG-7.3.2"


def test_sg_7_3_1c_a_mechanised_unit_regains_one_step_a_turn():
    s, f = lost(("2GT-HQ", 2004), dead=("19M/1M",)), frame(points=4)
    assert refusal(s, f, Rebuild(number("19M/1M"), 2004, 2)) == "SG-7.3.1c"
    buy(s, f, Rebuild(number("19M/1M"), 2004, 1))
    assert f.points == 2
    assert refusal(s, f, Restore(number("19M/1M"))) == "SG-7.3.1c"
    assert Restore(number("19M/1M")) not in [*Restores().legal(s, f, SOVIET, {})]
    s, f = lost(("61-HQ", 2004), dead=("212/80",)), frame(points=4)
    for order in (Rebuild(number("212/80"), 2004, 1), Restore(number("212/80"))):  # it is not mechanised
        buy(s, f, order)
    assert s.pieces[number("212/80")].steps == 2


def test_sg_7_3_1d_in_supply_and_out_of_enemy_zones():
    s = lost(("212/80", 2004, 1), ("356/80", 2204, 1), ("24/11SS", 2205), cut=("212/80",))
    assert refusal(s, frame(), Restore(number("212/80"))) == "SG-7.3.1d"
    assert refusal(s, frame(), Restore(number("356/80"))) == "SG-7.3.1d"
    assert refusal(s, frame(), Restore(number("24/11SS"))) == "SG-7.3.1d"
    s.mark_supply(number("212/80"), SUPPLIED)
    assert refusal(s, frame(), Restore(number("212/80"))) == ""


def test_sg_7_3_2a_with_its_headquarters_or_beside_it():
    s = lost(("61-HQ", 2010), ("356/80", 2010), ("75G/9G", 2010), dead=("212/80",))
    assert set(spots(s, number("212/80"))) == set(CHART.board.near[2010])
    assert refusal(s, frame(), Rebuild(number("212/80"), 2010, 1)) == "SG-7.3.2"
    violation = Rebuilds().check(s, frame(), SOVIET, Rebuild(number("212/80"), 2012, 1), {})
    assert violation is not None
    assert violation.reason == "212/80 can come back in 1909, 1910, 2009, 2011, 2109, 2110"
    assert {(each.to, each.steps) for each in Rebuilds().legal(s, frame(), SOVIET, {})} == {
        (place, steps) for place in CHART.board.near[2010] for steps in (1, 2)
    }


def test_sg_7_3_2a_a_german_unit_at_the_first_headquarters_of_all():
    s = lost(("StellII-HQ", 2010), dead=("Klein/Den",))
    assert set(spots(s, number("Klein/Den"))) == {2010, *CHART.board.near[2010]}
    assert Replacing().answers(s, frame(GERMAN, 2), GERMAN, {})["best"] == Rebuild(number("Klein/Den"), 2010, 2)


def test_sg_7_3_2a_only_ones_own_units():
    s = lost(("61-HQ", 2010), ("3SSPz-HQ", 2510), dead=("212/80", "69/28SS"))
    assert refusal(s, frame(), Rebuild(number("69/28SS"), 2510, 1)) == "SG-7.3.2"
    violation = Rebuilds().check(s, frame(), SOVIET, Rebuild(number("69/28SS"), 2510, 1), {})
    assert violation is not None
    assert violation.reason.startswith("69/28SS is not a destroyed unit of yours")
    assert {each.unit for each in Rebuilds().legal(s, frame(), SOVIET, {})} == {number("212/80")}


def test_sg_7_3_2b_beside_a_source_if_the_headquarters_is_off_the_map():
    s = lost(dead=("212/80", "4/Pol"))
    found = spots(s, number("212/80"))
    assert {601, 2101, 3401, 4806, 2102, 4706} <= set(found)
    assert not {4815, 2010, 2103} & set(found)
    assert set(spots(s, number("4/Pol"))) == {4815, *CHART.board.near[4815]}


def test_sg_7_3_2b_standing_orders_know_that_a_headquarters_is_off_the_map():
    s = lost(dead=("4/Pol",))
    best = Replacing().answers(s, frame(points=2), SOVIET, {})["best"]
    assert isinstance(best, Rebuild)
    assert best.to in spots(s, number("4/Pol"))
    s = lost(("47-HQ", 3010), dead=("212/80", "143/129"))  # alike; one of them comes back with its headquarters
    best = Replacing().answers(s, frame(points=1), SOVIET, {})["best"]
    assert isinstance(best, Rebuild)
    assert s.code(best.unit) == "212/80"


def test_sg_7_3_2c_case_18_konstantinov_alone_rebuilds_the_11th_guards_tank_brigade():
    """TEST-18: reduced, at his headquarters; without it not at all."""
    s = lost(("61-HQ", 2010), ("Konst-HQ", 3010), dead=("11GdT",))
    assert set(spots(s, number("11GdT"))) == {3010, *CHART.board.near[3010]}
    assert refusal(s, frame(points=2), Rebuild(number("11GdT"), 3010, 2)) == "SG-7.3.1c"
    buy(s, frame(points=2), Rebuild(number("11GdT"), 3010, 1))
    assert spots(lost(("61-HQ", 2010), dead=("11GdT",)), number("11GdT")) == ()


def test_sg_7_3_3_2_5_1_not_in_an_enemy_zone():
    s = lost(("61-HQ", 2010), ("24/11SS", 2012), dead=("212/80",))
    near = {2010, *CHART.board.near[2010]}
    hot = {place for place in near if s.in_zone(place, GERMAN)}
    assert 2011 in hot
    assert set(spots(s, number("212/80"))) == near - hot
    assert refusal(s, frame(), Rebuild(number("212/80"), 2011, 1)) == "SG-7.3.2"


@pytest.mark.parametrize(
    ("event", "points", "plain"), [("19.1.11", 2, True), ("19.1.13", 2, False), ("19.1.12", 0, False)]
)
def test_sg_7_3_4_19_1_11_19_1_13_german_points_come_by_events(event, points, plain):
    called = FirstArrivals().run(lost(), GameTurn(event=event), Out())
    assert (called.frame.points, called.frame.plain) == (points, plain)
    assert points_of(lost(), SOVIET, event).points == 4


def test_sg_19_1_11_points_for_units_that_are_not_mechanised():
    s = lost(("24/11SS", 2004, 1), ("69/28SS", 2104, 1), ("3SSPz-HQ", 2010), dead=("23/11SS",))
    f = frame(GERMAN, 2, plain=True)
    assert refusal(s, f, Restore(number("24/11SS"))) == "SG-19.1.11"
    assert refusal(s, f, Rebuild(number("23/11SS"), 2010, 1)) == "SG-19.1.11"
    assert refusal(s, f, Restore(number("69/28SS"))) == ""
    assert refusal(s, frame(GERMAN, 2), Restore(number("24/11SS"))) == ""


def test_sg_12_2_5_what_has_been_withdrawn_is_not_rebuilt():
    s = lost(("3SSPz-HQ", 2010), dead=("22/10SS", "99/FG"), turn=8)
    assert refusal(s, frame(GERMAN), Rebuild(number("99/FG"), spots(s, number("99/FG"))[0], 1)) == ""
    s.happened = ("19.1.6",)
    s.set_steps(number("69/28SS"), 0)  # of the corps, too
    s.set_steps(number("23/11SS"), 0)
    assert refusal(s, frame(GERMAN), Rebuild(number("23/11SS"), 2010, 1)) == ""
    for code in ("22/10SS", "99/FG", "69/28SS"):
        assert refusal(s, frame(GERMAN), Rebuild(number(code), 2010, 1)) == "SG-12.2.5"


def test_sg_12_2_5_lost_is_who_has_no_step_and_was_not_withdrawn():
    s = lost(("3SSPz-HQ", 2010), ("99/FG", 2011), dead=("22/10SS", "23/11SS"))
    assert [is_lost(s, number(code)) for code in ("99/FG", "22/10SS", "23/11SS")] == [False, True, True]
    s.happened = ("19.1.6",)
    assert [is_lost(s, number(code)) for code in ("99/FG", "22/10SS", "23/11SS")] == [False, False, True]


def test_sg_2_5_1_nobody_is_asked_who_can_buy_nothing():
    assert Replacing().by(lost(("212/80", 2004)), frame()) == ()
    assert Replacing().by(lost(("212/80", 2004, 1)), frame(points=0)) == ()
    assert Replacing().by(lost(("212/80", 2004, 1)), frame()) == (SOVIET,)


def test_sg_2_5_1_by_standing_orders_mechanised_units_come_first():
    s = lost(("2GT-HQ", 2010), ("212/80", 2004, 1), ("19M/1M", 2104, 1), dead=("35M/1M",))
    f, step = frame(points=5), Replacing()
    bought = []
    for _ in range(4):
        order = step.answers(s, f, SOVIET, {})["best"]
        bought.append(game.notation.write(order))
        if isinstance(order, Restore | Rebuild):
            buy(s, f, order)
    assert bought == ["restore 19M/1M", "restore 212/80", "rebuild 35M/1M 2010 1", "done"]
