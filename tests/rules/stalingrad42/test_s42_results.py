"""S42-10: what each result costs, whose unit loses the step, and what is left of it."""

from __future__ import annotations

import pytest
from s42_combat import CHART, Table, combat
from s42_positions import AXIS, SOVIET, number, position
from test_s42_combat import change, order_of, rule_of, steps, where

from pbem.kit import ISOLATED, StepLost
from pbem_rules.stalingrad42.combat.losses import choosable, may_lose
from pbem_rules.stalingrad42.combat.retreat import routes
from pbem_rules.stalingrad42.events import Advanced, Fought, Retreated, Stood
from pbem_rules.stalingrad42.orders import AS_REMNANT, IN_BOX, Keep, Lose
from pbem_rules.stalingrad42.state import DISRUPTED, ELIMINATED, GOOD, REMOVED, ROUTED

WEST, HEX = 3417, 3418
GRID = CHART.board.grid
ARMOUR = (("9Pz", WEST), ("11Pz", WEST), ("57ID", WEST))
ATTACK = f"attack {HEX} with 9pz 11pz 57id"


def far(d: Table, code: str) -> int:
    assert GRID is not None
    return GRID.distance(HEX, where(d, code))


def result(d: Table) -> str:
    return d.seen(Fought)[0].result


def lost(d: Table) -> list[str]:
    return [each.unit for each in d.seen(StepLost)]


def test_s42_10_1b_shattered_a_step_of_the_attackers_choice_and_four_hexes() -> None:
    """26:5 at 7:1. One step is enough for 121RD, which its owner would keep."""
    d = combat(*ARMOUR, ("45RD", HEX, 1), ("121RD", HEX), dice={HEX: 1}, turn=8)
    d.stand(SOVIET, "defence", "then hold", sealed=True)
    d.type(f"{ATTACK}\ndone")
    assert result(d) == "DS"
    assert lost(d) == ["45RD"]  # the one that dies
    assert not d.seen(Stood)
    assert (far(d, "121RD"), order_of(d, "121RD")) == (4, ROUTED)


def test_s42_10_1c_four_hexes_and_no_step() -> None:
    d = combat(*ARMOUR, ("45RD", HEX), dice={HEX: 4}, turn=8)
    d.stand(SOVIET, "defence", "then hold", sealed=True)
    d.type(f"{ATTACK}\ndone")
    assert result(d) == "DR4"
    assert not lost(d)
    assert not d.seen(Stood)
    assert (far(d, "45RD"), order_of(d, "45RD"), steps(d, "45RD")) == (4, ROUTED, 2)


def test_s42_10_1j_12_1_5_the_attacker_loses_a_step_and_stays() -> None:
    d = combat(("45ID", WEST), ("45RD", HEX), ("62RD", HEX), dice={HEX: 6})
    d.type(f"attack {HEX} with 45id advance 45id {HEX}\ndone")
    assert result(d) == "A1"
    assert lost(d) == ["45ID"]
    assert (where(d, "45ID"), where(d, "45RD")) == (WEST, HEX)
    assert not d.seen(Retreated)
    assert not d.seen(Advanced)


@pytest.mark.parametrize(("die", "cell", "most"), [(1, "DS", 4), (4, "DR4", 4), (6, "D1", 3)])
def test_s42_10_1k_14_2_1_as_many_hexes_as_the_result_says(die: int, cell: str, most: int) -> None:
    d = combat(*ARMOUR, ("45RD", HEX), dice={HEX: die}, turn=1)
    d.type(f"{ATTACK} advance 9pz {HEX} 3318 3317 3217\ndone")
    assert result(d) == cell
    assert len(d.seen(Advanced)[0].path) - 1 == most


@pytest.mark.parametrize(("before", "die", "after"), [(GOOD, 3, DISRUPTED), (DISRUPTED, 5, ROUTED)])
def test_s42_10_1l_13_1_3b_who_is_disrupted_goes_into_full_retreat(before: int, die: int, after: int) -> None:
    s = position(("45ID", WEST), ("75ID", WEST), ("45RD", HEX))
    change(s, "45RD", order=before)
    d = combat(state=s, dice={HEX: die})
    d.type(f"attack {HEX} with 45id 75id\ndone")
    assert result(d) == "DR2"
    assert order_of(d, "45RD") == after


def test_s42_10_2_1a_10_2_3b_9_8b_support_loses_a_step_only_if_nobody_else_is_left() -> None:
    s = position(("45RD", HEX), ("Bryansk-HQ", HEX))
    both = s.of(SOVIET, HEX)
    assert may_lose(s, both) == (number("45RD"),)
    assert may_lose(s, [number("Bryansk-HQ")]) == (number("Bryansk-HQ"),)
    assert choosable(s, both) == (number("45RD"),)


def test_s42_10_2_1b_12_4a_nobody_in_full_retreat_nor_who_has_retreated_there() -> None:
    s = position(("45ID", WEST), ("75ID", WEST), ("45RD", HEX), ("62RD", HEX), ("121RD", HEX, 1))
    change(s, "62RD", order=ROUTED)
    s.fled.add(number("121RD"))
    d = combat(state=s, dice={HEX: 1})
    d.type(f"attack {HEX} with 45id 75id\ndone")
    assert result(d) == "D1"
    assert lost(d) == ["45RD"]


@pytest.mark.parametrize(
    ("die", "order", "cell", "axis", "soviet"),
    [
        (3, DISRUPTED, "A1/D1", AXIS, SOVIET),
        (5, DISRUPTED, "DRX", SOVIET, AXIS),
        (4, GOOD, "EX", SOVIET, AXIS),
    ],
)
def test_s42_10_2_2_who_picks(die: int, order: int, cell: str, axis: str, soviet: str) -> None:
    """12:4 at 3:1, 12:7 at 1:1. Each side has two that could lose the step, and whoever picks is asked."""
    d = combat(("45ID", WEST), ("75ID", WEST), ("45RD", HEX), ("76NB", HEX), dice={HEX: die}, asked="combats", turn=1)
    s = d.state
    change(s, "76NB", order=order)
    change(s, "45RD", order=order)
    d.type(f"attack {HEX} with 45id 75id ask\ndone")
    d.order(SOVIET, next(iter(d.legal(SOVIET))))
    choosers = []
    while any(isinstance(order, Lose) for seat in d.asked for order in d.legal(seat)):
        (seat,) = d.asked
        choosers.append((seat, s.side(next(order.unit for order in d.legal(seat) if isinstance(order, Lose)))))
        d.order(seat, next(order for order in d.legal(seat) if isinstance(order, Lose)))
    assert result(d) == cell
    assert choosers == [(axis, AXIS), (soviet, SOVIET)]


def test_s42_10_2_2_11_2_3_the_lead_loses_the_step_of_the_stand_table() -> None:
    d = combat(("9Pz", 2502), ("13GRD", 2602), ("45RD", 2602), dice={2602: 1}, stand=(4,), turn=8)
    d.stand(SOVIET, "defence", "then hold", sealed=True)
    d.type("attack 2602 with 9pz\ndone")
    assert [(each.unit, each.outcome) for each in d.seen(Stood)] == [("13GRD", "S")]
    assert lost(d)[-1] == "13GRD"
    assert steps(d, "13GRD") == 1


def test_s42_10_2_3a_20_5_2_the_last_of_an_ally_is_spared_while_a_whole_german_is_there() -> None:
    s = position(("1Rom", HEX, 1), ("45ID", HEX), ("16TC", WEST))
    both = s.of(AXIS, HEX)
    assert may_lose(s, both) == (number("45ID"),)
    s.set_steps(number("45ID"), 2)
    assert may_lose(s, both) == both
    s.set_steps(number("45ID"), 3)
    s.set_steps(number("1Rom"), 2)
    assert may_lose(s, both) == both


# Remnants


def test_s42_10_3b_10_3c_10_4_1_the_second_step_leaves_a_remnant_that_retreats() -> None:
    """16TC 7:5; a D1 of the whole front is needed: two corps against a division, 14:5 = 2:1."""
    soviets = ("16TC", WEST), ("17TC", WEST)
    d = combat(*soviets, ("45ID", HEX, 2), side=SOVIET, dice={HEX: 1}, turn=1)
    d.stand(AXIS, "defence", "then give", sealed=True)
    d.type(f"attack {HEX} with 16tc 17tc\ndone")
    assert result(d) == "D1*"
    assert (steps(d, "45ID"), far(d, "45ID"), order_of(d, "45ID")) == (1, 3, DISRUPTED)
    assert d.state.face(number("45ID")).attack == 1


def test_s42_10_4_3a_its_owner_may_put_it_into_the_box() -> None:
    soviets = ("16TC", WEST), ("17TC", WEST)
    d = combat(*soviets, ("45ID", HEX, 2), side=SOVIET, dice={HEX: 1}, turn=1, asked="combats")
    d.type(f"attack {HEX} with 16tc 17tc\ndone")
    d.order(AXIS, next(iter(d.legal(AXIS))))
    assert d.legal(AXIS) == [Keep(AS_REMNANT), Keep(IN_BOX)]
    d.order(AXIS, Keep(IN_BOX))
    assert where(d, "45ID") == ELIMINATED
    assert lost(d) == ["45ID"]


def test_s42_10_3b_the_box_if_it_is_isolated_or_beset() -> None:
    soviets = ("16TC", WEST), ("17TC", WEST)
    s = position(*soviets, ("45ID", HEX, 2))
    change(s, "45ID", supply=ISOLATED)
    d = combat(state=s, side=SOVIET, dice={HEX: 1})
    d.type(f"attack {HEX} with 16tc 17tc\ndone")
    assert where(d, "45ID") == ELIMINATED
    ring = ("45RD", 3319), ("62RD", 3519), ("121RD", 3420)
    s = position(*soviets, ("45ID", HEX, 2), ("57ID", 3419), *ring)
    assert all(s.zone(SOVIET) & s.chart.board.mask(way.path) for way in routes(s, number("45ID"), 3).ways)
    d = combat(state=s, side=SOVIET, dice={HEX: 1})
    d.type(f"attack {HEX} with 16tc 17tc\ndone")
    assert where(d, "45ID") == ELIMINATED


def test_s42_10_3b_the_box_in_desperate_defence() -> None:
    ring = [("16TC", 3417), ("17TC", 3419), ("4TC", 3518), ("45RD", 3319), ("62RD", 3318), ("121RD", 3519)]
    d = combat(("45ID", HEX, 2), ("57ID", HEX), *ring, side=SOVIET, dice={HEX: 1}, stand=(1, 6))
    d.stand(AXIS, "lead", "then least")
    d.type(f"attack {HEX} with 16tc 17tc 4tc\ndone")
    stood = d.seen(Stood)
    assert stood[0].desperate
    assert (stood[0].outcome, stood[0].unit) == ("F", "45ID")
    assert where(d, "45ID") == ELIMINATED


def test_s42_10_4_2_a_remnant_that_is_destroyed_is_out_of_the_game() -> None:
    d = combat(("16TC", WEST), ("17TC", WEST), ("45ID", HEX, 1), side=SOVIET, dice={HEX: 1}, turn=1)
    d.type(f"attack {HEX} with 16tc 17tc\ndone")
    assert where(d, "45ID") == REMOVED


def test_s42_10_4_3b_without_a_free_remnant_the_unit_goes_to_the_box_and_spares_one_step_less() -> None:
    infantry = [unit.code for unit in CHART.units if unit.side == AXIS and "remnant" in unit.faces[-1].traits]
    line = [code for code in infantry if CHART.has(number(code), "infantry") and code not in ("45ID", "75ID")][:8]
    s = position(*((code, 3000 + n, 1) for n, code in enumerate(line)), ("45ID", HEX, 2), ("75ID", WEST))
    assert s.remnants_left("infantry") == 0
    assert (s.spare(number("45ID")), s.spare(number("75ID"))) == (0, 1)
    s.put(number("385ID"), 3419)
    assert s.spare(number("385ID")) == 1  # of two steps, with no Remnant
    assert s.spare(number(line[0])) == 0  # a Remnant has no step to give
    s.put(number(line[0]), ELIMINATED)
    assert (s.spare(number("45ID")), s.spare(number("75ID"))) == (1, 2)


def test_what_the_last_step_of_a_unit_costs_is_said_before_it_is_lost() -> None:
    d = combat(("45ID", WEST), ("75ID", WEST, 1), ("45RD", HEX), dice={HEX: 5}, turn=1)
    d.type(f"attack {HEX} with 45id 75id ask\ndone")
    (weak,) = d.read("lose 75id")
    assert d.machine.sentence(AXIS, weak, {}) == "Lose the last step of 75ID: it is destroyed."
    assert d.machine.sentence(AXIS, *d.read("lose 45id"), {}) == "Lose a step of 45ID."


def test_s42_10_2_2_a_wrong_pick_is_refused() -> None:
    d = combat(("45ID", WEST), ("75ID", WEST), ("45RD", HEX), dice={HEX: 2}, turn=1)
    d.type(f"attack {HEX} with 45id 75id ask\ndone")
    assert rule_of(d, "lose 9pz") == "S42-10.2"
    assert rule_of(d, "lose 45id") == ""
