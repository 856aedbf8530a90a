"""S42-26: Planned Offensives, by the option."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_combat import Table, combat
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import Out, Reckoning
from pbem.kit import UNIT
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.combat.battle import ChooseDie, Fire, Score
from pbem_rules.stalingrad42.combat.fights import ListAttacks
from pbem_rules.stalingrad42.combat.flight import ChooseWay
from pbem_rules.stalingrad42.combat.offensives import (
    Commits,
    Plans,
    laid,
    lay,
    make_ready,
    no_plans,
    plans_text,
    too_far,
    use_plans,
)
from pbem_rules.stalingrad42.events import Fought, PlanLost, PlanUsed
from pbem_rules.stalingrad42.frames import Battle, PlayerTurn, Retreat
from pbem_rules.stalingrad42.initial import Begin
from pbem_rules.stalingrad42.left_undone import left_undone
from pbem_rules.stalingrad42.movement.passing import come_through
from pbem_rules.stalingrad42.movement.phase import Withdrawals
from pbem_rules.stalingrad42.orders import Activate, Choose, Commit, Plan, Withdraw
from pbem_rules.stalingrad42.reckon import reckon_text
from pbem_rules.stalingrad42.scenarios import URANUS
from pbem_rules.stalingrad42.setup import set_up
from pbem_rules.stalingrad42.state import DISRUPTED, PLANNED, RESERVES, State
from pbem_rules.stalingrad42.supply.phase import Resupply

WEST, HEX = 3417, 3418
HQ, SECOND = number("6A-HQ"), number("4PzA-HQ")


def planning(*units: tuple[str, int] | tuple[str, int, int], points: int = 3) -> tuple[State, PlayerTurn]:
    s = position(*units)
    s.options = (PLANNED,)
    return s, PlayerTurn(AXIS, points=points)


def refused(s: State, f: PlayerTurn, unit: int) -> str:
    wrong = Plans().check(s, f, f.seat, Plan(unit), {})
    return wrong.rule if wrong else ""


def test_s42_26_1_18_1e_a_resource_point_each() -> None:
    s, f = planning(("6A-HQ", 1405))
    Plans().apply(s, f, AXIS, Plan(HQ), Out())
    assert (f.points, s.plans[HQ]) == (2, (1, 0))
    f.points = 0
    assert refused(s, f, HQ) == "S42-18.1"
    assert not list(Plans().legal(s, f, AXIS, {}))


def test_s42_26_1_without_the_option_there_are_none() -> None:
    s, f = planning(("6A-HQ", 1405))
    s.options = ()
    assert refused(s, f, HQ) == "S42-26.1"
    assert not list(Plans().legal(s, f, AXIS, {}))
    wrong = Commits().form(s, f, Commit((HQ,), HEX), {})
    assert wrong is not None
    assert wrong.rule == "S42-26.1"


def test_s42_26_2a_on_headquarters_of_armies_or_fronts_in_good_order_and_in_supply() -> None:
    s, f = planning(("6A-HQ", 1405), ("45ID", 1405), ("SW-HQ", 3418), ("4PzA-HQ", 3417))
    assert [order.unit for order in Plans().legal(s, f, AXIS, {})] == sorted((HQ, SECOND))
    assert refused(s, f, number("45ID")) == "S42-26.2a"
    assert refused(s, f, number("SW-HQ")) == "S42-26.2a"
    assert Plans().check(s, PlayerTurn(SOVIET, points=1), SOVIET, Plan(number("SW-HQ")), {}) is None
    s.alter(HQ, replace(s.pieces[HQ], order=DISRUPTED))
    assert refused(s, f, HQ) == "S42-26.2a"
    ring = CHART.board.grid.ring(3417, 2)  # type: ignore[union-attr]
    for code, place in zip(("45RD", "62RD", "121RD", "13GRD", "16TC", "17TC"), ring[::2], strict=True):
        s.put(number(code), place)
    assert refused(s, f, SECOND) == "S42-26.2a"  # cut off


def test_s42_26_2b_lost_where_the_headquarters_moves_more_than_two_hexes_or_retreats() -> None:
    s, _ = planning(("6A-HQ", 3010))
    assert not too_far(s, 3010, (3011, 3012))
    assert too_far(s, 3010, (3011, 3012, 3011))
    assert too_far(s, 3010, (3014,))  # by rail
    assert too_far(s, CHART.areas["x"], (CHART.areas["y"],)) is True
    assert too_far(s, CHART.areas["b"], (CHART.areas["m"],)) is True  # though a hex lies at both
    edge = CHART.map.entries["x"].places[0]
    assert not too_far(s, edge, (CHART.areas["x"],))
    for start, way in ((3010, CHART.areas["x"]), (CHART.areas["x"], 3010)):
        assert too_far(s, start, (way,))  # by rail, into an Area or out of it
    for apart in (1, 2):  # by rail to a hex so far from the edge, and back
        inside = next(
            place for place in CHART.board.grid.ring(edge, apart)  # type: ignore[union-attr]
            if min(CHART.board.grid.distance(place, each) for each in CHART.map.entries["x"].places) == apart  # type: ignore[union-attr]
        )  # fmt: skip
        for start, end in ((inside, CHART.areas["x"]), (CHART.areas["x"], inside)):
            assert too_far(s, start, (end,)) is (apart == 2)
    assert too_far(s, edge, (edge, edge, CHART.areas["x"]))  # three steps
    for way, kept in (((3011, 3012), True), ((3011, 3012, 3013), False)):
        s, _ = planning(("6A-HQ", 3010))
        lay(s, HQ)
        out = Out()
        come_through(s, HQ, way, out)
        assert (HQ in s.plans) is kept
        assert bool([each for each in out.events if isinstance(each, PlanLost)]) is not kept
    s, _ = planning(("6A-HQ", HEX), ("45RD", WEST))
    lay(s, HQ, ready=True)
    back = Retreat(AXIS, HEX, (HQ,), 1, SOVIET, chooser=AXIS)
    order = next(iter(ChooseWay().options(s, back, AXIS)))
    ChooseWay().do(s, back, AXIS, order, Out())
    assert HQ not in s.plans
    s, f = planning(("6A-HQ", HEX))
    lay(s, HQ, ready=True)
    Withdrawals().apply(s, f, AXIS, Withdraw(HQ), Out())
    assert HQ not in s.plans


def test_s42_26_2b_lost_with_the_headquarters() -> None:
    s, _ = planning(("6A-HQ", HEX))
    lay(s, HQ, ready=True)
    s.lose_step(HQ)
    assert not s.plans


def test_s42_26_2c_3_b1g_ready_in_the_next_initial_phase() -> None:
    s, f = planning(("6A-HQ", 1405), ("SW-HQ", 3418))
    lay(s, HQ)
    lay(s, number("SW-HQ"))
    make_ready(s, AXIS, Out())
    assert (s.plans[HQ], s.plans[number("SW-HQ")]) == ((0, 1), (1, 0))
    s, f = planning(("6A-HQ", 1405))
    lay(s, HQ)
    Begin().run(s, f, Out())
    assert s.plans[HQ] == (0, 1)
    Plans().apply(s, f, AXIS, Plan(HQ), Out())
    assert s.plans[HQ] == (1, 1)
    out = Out()
    for _ in range(2):  # the second time there is nothing to be made ready
        make_ready(s, AXIS, out)
    assert s.plans[HQ] == (0, 2)
    assert len(out.events) == 1


def test_s42_26_2e_two_of_a_side_at_most_which_can_be_bought_again() -> None:
    s, f = planning(("6A-HQ", 1405), ("4PzA-HQ", 1405), ("SW-HQ", 3418))
    lay(s, HQ)
    lay(s, HQ, ready=True)
    lay(s, number("SW-HQ"))
    assert (laid(s, AXIS), laid(s, SOVIET)) == (2, 1)
    assert refused(s, f, SECOND) == "S42-26.2e"
    del s.plans[HQ]
    assert refused(s, f, HQ) == ""
    wrong = Commits().form(s, f, Commit((HQ, HQ, HQ), HEX), {})
    assert wrong is not None
    assert wrong.rule == "S42-26.2e"
    wrong = Commits().form(s, f, Commit((number("SW-HQ"),), HEX), {})
    assert wrong is not None
    assert wrong.rule == "S42-26.2"  # the enemy's
    s, f = planning(("6A-HQ", WEST), ("45ID", WEST))
    for _ in range(2):
        lay(s, HQ, ready=True)
    f.committed[HEX] = (HQ,)
    assert use_plans(s, f, HEX, (number("45ID"),), Out()) == (HQ,)
    assert s.plans[HQ] == (0, 1)  # the other one stays


# In combat


def table(words: str, *dice: int, plans: tuple[int, ...] = (HQ,), at: int = WEST) -> Table:
    s = position(("45ID", WEST), ("75ID", WEST), ("45RD", HEX), ("6A-HQ", at), ("4PzA-HQ", at))
    s.options = (PLANNED,)
    for unit in plans:
        lay(s, unit, ready=True)
    d = combat(state=s, dice={HEX: dice})  # type: ignore[dict-item]
    d.type(words)
    return d


def refused_commit(s: State, *units: int, target: int = HEX) -> str:
    f = PlayerTurn(AXIS)
    entry = Commit(units, target)
    wrong = Commits().form(s, f, entry, {}) or Commits().now(s, f, entry)
    return wrong.rule if wrong else ""


def test_s42_26_2d_26_2f_used_in_one_combat_two_dice_and_gone() -> None:
    d = table(f"commit 6a to {HEX}\nattack {HEX} with 45id 75id\ndone", 6, 2)
    (fought,) = d.seen(Fought)
    assert (fought.dice, fought.die, fought.result) == ((6, 2), 2, "A1/D1")
    assert [each.units for each in d.seen(PlanUsed)] == [("6A-HQ",)]
    assert not d.state.plans


def test_s42_26_2d_what_the_attack_does_not_use_stays() -> None:
    d = table(f"commit 6a to {HEX}\nattack {HEX} with 45id 75id at 5:1\ndone", 6, 2)
    assert not d.seen(Fought)
    assert d.state.plans[HQ] == (0, 1)


def test_s42_26_2d_18_4_within_the_range_of_the_headquarters() -> None:
    s, _ = planning(("45RD", HEX), ("6A-HQ", WEST), ("4PzA-HQ", 1405))
    assert refused_commit(s, HQ) == "S42-26.2d"  # none lies there
    lay(s, HQ)
    assert refused_commit(s, HQ) == "S42-26.2d"  # not ready
    make_ready(s, AXIS, Out())
    assert refused_commit(s, HQ) == ""
    assert refused_commit(s, HQ, HQ) == "S42-26.2d"
    assert refused_commit(s, HQ, target=3420) == "S42-26.2d"  # nobody stands there
    lay(s, SECOND, ready=True)
    assert refused_commit(s, SECOND) == "S42-18.4"
    assert {entry.units for entry in Commits().legal(s, PlayerTurn(AXIS), AXIS)} == {(HQ,)}


def test_s42_26_2d_each_is_listed_once() -> None:
    s, f = planning(("45RD", HEX), ("62RD", 3517), ("6A-HQ", WEST))
    lay(s, HQ, ready=True)
    step = ListAttacks()
    assert step.check(s, f, AXIS, Commit((HQ,), HEX), {}) is None
    step.apply(s, f, {AXIS: Commit((HQ,), HEX)}, Out())
    assert step.check(s, f, AXIS, Commit((HQ,), 3517), {}) is not None


def listed(s: State, f: PlayerTurn) -> set[tuple[tuple[int, ...], int]]:
    return {(entry.units, entry.target) for entry in Commits().legal(s, f, AXIS)}


def test_s42_26_2d_26_2e_one_or_two_against_each_enemy_in_range_that_has_none_yet() -> None:
    front = number("SW-HQ")
    s, f = planning(("45RD", HEX), ("SW-HQ", HEX), ("62RD", 3517), ("6A-HQ", WEST), ("4PzA-HQ", 1405))
    for unit in (HQ, HQ, SECOND, front):
        lay(s, unit, ready=True)
    assert listed(s, f) == {(units, place) for units in ((HQ,), (HQ, HQ)) for place in (HEX, 3517)}
    s.put(SECOND, WEST)
    mixed = {tuple(sorted((HQ, SECOND))), (SECOND,)}
    assert listed(s, f) == {(units, place) for units in (*mixed, (HQ,), (HQ, HQ)) for place in (HEX, 3517)}
    f.committed[HEX] = (HQ,)
    assert listed(s, f) == {(units, 3517) for units in (*mixed, (HQ,))}
    wrong = Commits().now(s, f, Commit((SECOND,), HEX))
    assert wrong is not None
    assert wrong.rule == "S42-26.2d"
    for units, target, rule in (
        ((), HEX, "S42-26.2e"), ((HQ, front), HEX, "S42-26.2"), ((HQ,), 9999, "S42-26.2"),
    ):  # fmt: skip
        assert refused_commit(s, *units, target=target) == rule


def test_s42_26_2d_beside_a_reserve_that_is_activated_it_is_free() -> None:
    s, f = planning(("45RD", HEX), ("9Pz", 3416), ("6A-HQ", WEST))
    s.options = (PLANNED, RESERVES)
    f.reserved = [(number("9Pz"),)]
    lay(s, HQ, ready=True)
    step = ListAttacks()
    for entry in (Activate((UNIT + number("9Pz"), WEST)), Commit((HQ,), HEX)):
        assert step.check(s, f, AXIS, entry, {}) is None
        step.apply(s, f, {AXIS: entry}, Out())
    assert not listed(s, f)  # it is taken now
    wrong = Commits().now(s, f, Commit((HQ,), HEX))
    assert wrong is not None
    assert wrong.rule == "S42-26.2d"


def test_s42_26_2d_18_4_one_that_is_lost_or_out_of_range_of_the_attackers_is_not_used() -> None:
    s, f = planning(("45ID", WEST), ("45RD", HEX), ("6A-HQ", WEST), ("4PzA-HQ", 1405), ("17A-HQ", WEST))
    lay(s, HQ)
    for unit in (HQ, SECOND):
        lay(s, unit, ready=True)
    f.committed[HEX] = (HQ, SECOND, number("17A-HQ"))  # the last one has lost its plan since
    out = Out()
    assert use_plans(s, f, HEX, (number("45ID"),), out) == (HQ,)
    assert [each.units for each in out.events if isinstance(each, PlanUsed)] == [("6A-HQ",)]
    assert (s.plans[HQ], s.plans[SECOND]) == ((1, 0), (0, 1))
    assert not f.committed
    assert use_plans(s, f, HEX, (number("45ID"),), out) == ()
    assert len(out.events) == 1


def test_s42_26_2d_18_4_what_odds_with_planned_offensives_presuppose() -> None:
    s, _ = planning(("45ID", WEST), ("75ID", 1405), ("6A-HQ", WEST), ("4PzA-HQ", WEST), ("SW-HQ", WEST))
    near, far = (number("45ID"),), (number("75ID"),)

    def refusal(plans: tuple[int, ...], units: tuple[int, ...] = near) -> str:
        wrong = no_plans(s, AXIS, plans, units)
        return wrong.rule if wrong else ""

    assert refusal((HQ,)) == "S42-26.2d"  # none lies there
    lay(s, HQ)
    assert refusal((HQ,)) == "S42-26.2d"  # not ready
    make_ready(s, AXIS, Out())
    assert refusal(()) == refusal((HQ,)) == ""
    assert refusal((HQ, HQ)) == refusal((HQ, SECOND)) == "S42-26.2d"
    assert refusal((HQ,), far) == "S42-18.4"
    assert refusal((HQ,), near + far) == ""
    lay(s, HQ, ready=True)
    assert refusal((HQ, HQ)) == ""
    lay(s, number("SW-HQ"), ready=True)
    assert refusal((number("SW-HQ"),)) == "S42-26.2d"  # the enemy's


def test_s42_26_2c_26_2e_the_board_says_where_they_lie_and_which_are_ready() -> None:
    s, _ = planning(("6A-HQ", WEST), ("4PzA-HQ", WEST), ("SW-HQ", HEX))
    lay(s, HQ)
    lay(s, HQ, ready=True)
    lay(s, number("SW-HQ"))
    assert plans_text(s, AXIS) == "6A-HQ (ready, not ready)"
    assert plans_text(s, SOVIET) == "SW-HQ (not ready)"


def battle(plans: tuple[int, ...], *dice: int) -> tuple[State, Battle]:
    s, _ = planning(("45ID", WEST), ("75ID", WEST), ("45RD", HEX))
    f = Battle(
        seat=AXIS, target=HEX, units=(number("45ID"), number("75ID")), defenders=(number("45RD"),), plans=plans,
        dice=dice,
    )  # fmt: skip
    return s, f


@pytest.mark.parametrize(("plans", "dice"), [((), 1), ((HQ,), 2), ((HQ, SECOND), 3)])
def test_s42_26_2f_a_die_more_for_each(plans: tuple[int, ...], dice: int) -> None:
    s, f = battle(plans)
    (draw,) = Fire().draws(s, f)
    assert draw.count == dice


def test_s42_26_2f_the_attacker_picks_the_best_by_standing_order_the_cheapest_if_they_say_so() -> None:
    s, f = battle((HQ,), 2, 3)  # A1/D1 or what a 3 brings
    step = ChooseDie()
    assert step.by(s, f) == (AXIS,)
    assert set(step.options(s, f, AXIS)) == {Choose(2), Choose(3)}
    found = step.answers(s, f, AXIS, {})
    assert found["best"] == Choose(2)
    s, f = battle((HQ, SECOND), 6, 2, 4)
    costs = {
        die: CHART.results[CHART.crt.result(die, CHART.odds.column(2, 1)).removesuffix("*")].attacker
        for die in (6, 2, 4)
    }
    picked = step.answers(s, f, AXIS, {})["cheapest"].face
    assert costs[picked] == min(costs.values())
    s, f = battle((HQ,), 2, 3)  # a step for two hexes, or no step
    assert step.answers(s, f, AXIS, {})["cheapest"] == Choose(3)
    step.do(s, f, AXIS, Choose(4), Out())
    Score().run(s, f, Out())
    assert (f.die, f.cell) == (4, CHART.crt.result(4, CHART.odds.column(2, 1)))
    s, f = battle((HQ,), 3, 3)
    assert not step.by(s, f)
    assert step.check(s, battle((HQ,), 2, 3)[1], AXIS, Choose(5), {}) is not None


def test_s42_26_2d_not_in_a_breakthrough() -> None:
    """A group that breaks through fights with one die."""
    s, f = battle((HQ,))
    inner = Battle(seat=AXIS, target=HEX, units=f.units, defenders=f.defenders, number=1)
    (draw,) = Fire().draws(s, inner)
    assert draw.count == 1


def test_s42_26_2c_in_uranus_two_are_ready_at_the_start() -> None:
    """S42-33.2.1b: two in Uranus, if the option is on."""
    s = set_up(game.setup_of(URANUS, {PLANNED: True}))
    assert {s.code(unit): count for unit, count in s.plans.items()} == {"SW-HQ": (0, 1), "Stgrad-HQ": (0, 1)}
    assert not set_up(game.setup_of(URANUS)).plans


def test_a_planned_offensive_without_its_attack_is_pointed_out() -> None:
    s = position(("45ID", WEST), ("45RD", HEX), ("6A-HQ", WEST))
    s.options = (PLANNED,)
    lay(s, HQ, ready=True)
    d = combat(state=s)
    d.type(f"commit 6a to {HEX}")
    told = list(left_undone(d.view(AXIS), AXIS, d.read("done")[0]))
    assert f"A Planned Offensive is committed to {HEX}, and no attack on it is listed." in told


def test_s42_18_6_5_a_supply_point_that_an_attack_spends_is_pointed_out_before_the_dice() -> None:
    s = position(("45ID", WEST), ("45RD", HEX), ("6A-HQ", WEST), ("Sup-A1", WEST))
    for code in ("6A-HQ", "Sup-A1"):
        s.alter(number(code), replace(s.pieces[number(code)], ready=True))
    spent = "Sup-A1 is spent by its support, and leaves the map (S42-18.6.5); 6A-HQ would add the same column"
    for guns, pointed in (("sup-a1", True), ("6a", False)):
        d = combat(state=s)
        odds = reckon_text(d.view(AXIS), f"{HEX} with 45id guns {guns}")
        assert isinstance(odds, Reckoning)
        assert (spent in odds.text) == pointed
        assert ("6A-HQ is used by its support" in odds.text) != pointed
        d.type(f"attack {HEX} with 45id guns {guns} ask")
        told = list(left_undone(d.view(AXIS), AXIS, d.read("done")[0]))
        assert any(line.startswith(f"Attack on {HEX}: {spent}") for line in told) == pointed


def test_a_supply_point_that_the_usual_answer_will_spend_is_pointed_out_before_the_turn_ends() -> None:
    s = position(("45ID", WEST), ("45RD", HEX), ("6A-HQ", WEST), ("Sup-A1", WEST))
    s.alter(number("6A-HQ"), replace(s.pieces[number("6A-HQ")], ready=True))
    s.fixed.add(number("Sup-A1"))
    said = "By your usual answer 6A-HQ is made ready with Sup-A1, which is spent."
    for attack, pointed in ((f"attack {HEX} with 45id", False), (f"attack {HEX} with 45id guns 6a", True)):
        d = combat(state=s)
        d.type(attack)
        for usual in (True, False):
            view = replace(d.view(AXIS), usual=lambda kind, usual=usual: usual and kind == Resupply.name)
            told = list(left_undone(view, AXIS, d.read("done")[0]))
            assert any(line.startswith(said) for line in told) == (pointed and usual)
            assert d.view(AXIS).state.fixed == {number("Sup-A1")}  # nothing is spent by saying so


def test_an_attack_after_which_nobody_is_ordered_to_advance_is_pointed_out() -> None:
    for attack, pointed in ((f"attack {HEX} with 45id", True), (f"attack {HEX} with 45id advance 45id {HEX}", False)):
        d = combat(state=position(("45ID", WEST), ("45RD", HEX)))
        d.type(attack)
        told = list(left_undone(d.view(AXIS), AXIS, d.read("done")[0]))
        found = [line for line in told if line.startswith(f"No advance is ordered after the attack on {HEX}")]
        assert bool(found) == pointed
        # What the standing order does: one hex, and without a question.
        assert all("one hex and no other unit, and also after attacks with `ask`" in line for line in found)
        d.stand(AXIS, "advance", "then strongest")
        assert not [line for line in left_undone(d.view(AXIS), AXIS, d.read("done")[0]) if line.startswith("No adv")]
