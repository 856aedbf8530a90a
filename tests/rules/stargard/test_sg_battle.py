"""SG-8.1, SG-8.6, SG-8.7: results, in which order they take effect, and who loses steps."""

from __future__ import annotations

import pytest
from sg_plain import GERMAN, SOVIET, combat, number, position, rule_of, steps, where

from pbem.kit import COMBATS, StepLost
from pbem_rules.stargard.battle import plan_of
from pbem_rules.stargard.chart import LADDER
from pbem_rules.stargard.events import Fought, Retreated, Spared
from pbem_rules.stargard.frames import Losses
from pbem_rules.stargard.losses import TakeLoss
from pbem_rules.stargard.orders import Lose
from pbem_rules.stargard.state import VOLKSSTURM_BOX

HEX, SOUTH, NORTH, EAST = 3620, 3619, 3621, 3720
PLAIN = {"spared_step": False, "spared_hex": False}


@pytest.mark.parametrize(
    ("result", "work"),
    [
        ("A2", ("lose attacker 2",)),
        ("A1r1", ("lose attacker 1", "back attacker 1")),
        ("A1", ("lose attacker 1",)),
        ("Ar", ("back attacker 1",)),
        ("A1/D1", ("lose defender 1", "lose attacker 1")),
        ("Ar/D1", ("back attacker 1", "lose defender 1")),
        ("A1/Dr", ("lose attacker 1", "back defender 1")),
        ("Dr1", ("back defender 1",)),
        ("D1", ("lose defender 1",)),
        ("D1r1", ("lose defender 1", "back defender 1")),
        ("D1r2", ("lose defender 1", "back defender 2")),
        ("D2r2", ("lose defender 2", "back defender 2")),
        ("D2r3", ("lose defender 2", "back defender 3")),
    ],
)
def test_sg_8_1a_what_each_result_says_and_in_which_order(result, work):
    """SG-8.1b: the defender first; the attacker in the double results that SG-8.1.1 names. Ar, Dr: a hex (AMB-02)."""
    assert plan_of(result, **PLAIN) == work


def test_sg_1_3_2_every_result_of_the_table_is_known():
    assert all(plan_of(result, **PLAIN) for result in LADDER)


@pytest.mark.parametrize(
    ("result", "city", "village"),
    [
        ("D2r2", ("lose defender 1", "back defender 1"), ("lose defender 2", "back defender 1")),
        ("D1r1", (), ("lose defender 1",)),
        ("D2r3", ("lose defender 1", "back defender 2"), ("lose defender 2", "back defender 2")),
        ("A1/Dr", ("lose attacker 1",), ("lose attacker 1",)),
        ("Ar/D1", ("back attacker 1",), ("back attacker 1", "lose defender 1")),
        ("A1r1", ("lose attacker 1", "back attacker 1"), ("lose attacker 1", "back attacker 1")),
    ],
)
def test_sg_8_7_9_5_9_5_1_8_1_1b_case_22_what_cities_and_villages_cancel(result, city, village):
    """SG-8.1.1b; SG-9.5.1: the attacker gains nothing by it."""
    assert plan_of(result, spared_step=True, spared_hex=True) == city
    assert plan_of(result, spared_step=False, spared_hex=True) == village


@pytest.mark.parametrize(
    ("target", "air", "left", "hexes"),
    [(HEX, "", 1, 2), (2015, "", 1, 1), (2215, " air 6GA", 1, 1), (2415, " air 6GA,9GA", 2, 1)],
)
def test_sg_8_7_9_5_d1r2_in_a_settlement(target, air, left, hexes):
    """At 6:1 and a die of 5. AMB-29: a town as a village; a city cancels the loss, too."""
    south, north = target + 99, target + 100
    units = ("150/79", south), ("171/79", south), ("33/12G", north), ("152", north), ("49/23SS", target)
    d = combat(*units, dice={target: 5})
    d.order(SOVIET, f"attack {target} with 150/79,171/79,33/12G,152{air}", "done")
    assert (d.happened[0].column, d.happened[0].result) == ("6:1", "D1r2")
    assert steps(d, "49/23SS") == left
    assert d.state.chart.board.grid.distance(target, where(d, "49/23SS")) == hexes
    spared = {2015: "village", 2215: "town", 2415: "city"}.get(target)
    what = "a step and a hex of the retreat" if spared == "city" else "a hex of the retreat"
    told = [event.words() for event in d.happened if isinstance(event, Spared)]
    assert told == ([f"The {spared} spares the defender {what}."] if spared else [])


def test_sg_8_1_1a_8_1_1b_case_19_a1_dr_against_a_village():
    """The attacker loses first, the retreat of one hex is ignored, nobody advances."""
    d = combat(("75G/9G", 2014), ("12G/9G", 2014), ("Oehms/27SS", 2015), dice={2015: 3})
    d.order(SOVIET, "attack 2015 with 75G/9G,12G/9G advance 75G/9G,2015", "done")
    (fought,) = (event for event in d.happened if isinstance(event, Fought))
    assert (fought.column, fought.result) == ("3:1", "Ar/D1")
    d = combat(("75G/9G", 2014), ("12G/9G", 2014), ("Oehms/27SS", 2015), dice={2015: 4})
    d.order(SOVIET, "attack 2015 with 75G/9G,12G/9G advance 75G/9G,2015", "done")
    assert d.happened[0].result == "A1/Dr"
    assert steps(d, "75G/9G") + steps(d, "12G/9G") == 3
    assert where(d, "Oehms/27SS") == 2015
    assert where(d, "75G/9G") == 2014


def order_of_losses(d):
    """Who was hit, in the order of the report."""
    kinds = (event for event in d.happened if isinstance(event, StepLost | Retreated))
    return [event.unit if isinstance(event, StepLost) else event.units[0] for event in kinds]


def test_sg_8_1b_8_1_1a_the_defender_first_but_for_the_double_results():
    """AMB-01: A1/D1 the defender first; A1/Dr and Ar/D1 the attacker first."""
    units = ("75G/9G", SOUTH), ("49/23SS", HEX)
    for die, result, order in (
        (4, "A1/D1", ["49/23SS", "75G/9G"]),
        (6, "A1/Dr", ["75G/9G", "49/23SS"]),
        (5, "Ar/D1", ["75G/9G", "49/23SS"]),
    ):
        d = combat(*units, dice={HEX: die})
        d.order(SOVIET, f"attack {HEX} with 75G/9G", "done")
        assert d.happened[0].result == result
        assert order_of_losses(d)[:2] == order


def test_sg_8_1c_a_result_is_applied_before_the_next_battle():
    """The first battle destroys one of two stacks beside the second target; its column is judged after that."""
    units = ("150/79", SOUTH), ("171/79", SOUTH), ("212/80", EAST), ("Schaefer", HEX), ("22/10SS", 3719)
    d = combat(*units, dice={HEX: 6, 3719: 1})
    d.order(SOVIET, f"attack {HEX} with 150/79,171/79", "attack 3719 with 212/80", "done")
    kinds = [type(event).__name__ for event in d.happened if isinstance(event, Fought | StepLost)]
    assert kinds[:2] == ["Fought", "StepLost"]
    assert kinds.index("StepLost") < len(kinds) - 1 - kinds[::-1].index("Fought")


# Who loses


WOODS = 2615  # one column to the left
STRONG = ("23/11SS", WOODS), ("24/11SS", WOODS)
THREE = ("212/80", 2614), ("356/80", 2614), ("38ENG", 2514)


def asked_attack(*units, die, attackers, target=HEX, **kept):
    """An attack whose owner is asked in the middle of it."""
    d = combat(*units, dice={target: die}, **kept)
    d.order(SOVIET, f"attack {target} with {attackers} ask", "done")
    return d


def test_sg_8_6_1_8_6_2_case_21_the_first_step_from_the_strongest_and_the_second_from_anybody():
    """SG-8.6.2. Attackers 5, 5, 2 lose two steps: the first from either 5."""
    d = asked_attack(*STRONG, *THREE, die=1, attackers="212/80,356/80,38ENG", target=WOODS)
    assert d.happened[-1].result == "A2"
    assert rule_of(d, SOVIET, "lose 38ENG") == "SG-8.6.1"
    assert rule_of(d, SOVIET, "lose 23/11SS") == "SG-8.6"
    assert [order.unit for order in d.legal(SOVIET)] == [number("212/80"), number("356/80")]
    d.order(SOVIET, "lose 212/80")
    assert [order.unit for order in d.legal(SOVIET)] == [number(code) for code in ("38ENG", "212/80", "356/80")]
    d.order(SOVIET, "lose 38ENG")
    assert [steps(d, code) for code in ("212/80", "356/80", "38ENG")] == [1, 2, 0]


def test_sg_8_6_1_the_face_that_shows_is_the_printed_strength():
    """A reduced 5-6 shows 3-3: the 4-3 beside it is the strongest."""
    units = ("212/80", 2614, 1), ("6GT", 2614), ("22/10SS", WOODS)
    d = combat(*units, dice={WOODS: 3})
    d.order(SOVIET, f"attack {WOODS} with 212/80,6GT", "done")
    assert d.happened[0].result == "A1"
    assert steps(d, "6GT") == 0


def test_sg_8_6_1_defenders_lose_by_their_defence():
    """3-2 beside 2-3: the second defends better."""
    units = ("150/79", SOUTH), ("171/79", SOUTH), ("StuG/10SS", HEX), ("Schaefer", HEX)
    d = combat(*units, dice={HEX: 6})
    d.order(SOVIET, f"attack {HEX} with 150/79,171/79", "done")
    assert d.happened[0].result == "Dr1"
    units = ("150/79", SOUTH), ("171/79", SOUTH), ("911/FG", HEX), ("100/104PJ", HEX)
    d = combat(*units, dice={HEX: 6}, pinned=["911/FG"])
    d.order(SOVIET, f"attack {HEX} with 150/79,171/79", "done")
    assert d.happened[0].result == "D1"
    assert (steps(d, "911/FG"), steps(d, "100/104PJ")) == (1, 0)


def test_sg_8_6a_8_6_3_8_6_4_the_first_loss_flips_and_a_unit_of_one_step_is_destroyed():
    d = combat(("75G/9G", SOUTH), ("79GT", 2614), ("22/10SS", HEX), ("21/10SS", WOODS), dice={HEX: 2, WOODS: 3})
    d.order(SOVIET, f"attack {HEX} with 75G/9G", f"attack {WOODS} with 79GT air 6GA", "done")
    assert [event.result for event in d.happened if isinstance(event, Fought)] == ["A1", "A1"]
    assert d.state.face(number("75G/9G")).attack == 3
    assert where(d, "79GT") == 0
    assert [(event.unit, event.left) for event in d.events(StepLost)] == [("75G/9G", 1), ("79GT", 0)]


def test_sg_12_4a_volkssturm_lost_in_combat_goes_to_its_box():
    d = combat(("75G/9G", SOUTH), ("PyritzII", HEX), dice={HEX: 6})
    d.order(SOVIET, f"attack {HEX} with 75G/9G", "done")
    assert d.happened[0].result == "D2r2"
    assert where(d, "PyritzII") == VOLKSSTURM_BOX


def test_losses_that_nobody_is_left_to_take_are_dropped():
    d = combat(("150/79", SOUTH), ("171/79", SOUTH), ("PyritzII", HEX), dice={HEX: 6})
    d.order(SOVIET, f"attack {HEX} with 150/79,171/79 advance 150/79,{HEX}", "done")
    assert d.happened[0].result == "D2r3"
    assert where(d, "150/79") == HEX


def test_dp_13_the_default_gives_up_what_is_worth_least():
    """Volkssturm first, then units of one step, and in a settlement those last."""
    units = ("150/79", 2014), ("171/79", 2014), ("33/12G", 2115), ("22/10SS", 2015), ("Schaefer", 2015)
    d = combat(*units, dice={2015: 6}, pinned=["22/10SS"])
    d.order(SOVIET, "attack 2015 with 150/79,171/79,33/12G air 6GA power 9GA", "done")
    assert d.happened[0].result == "D2r2"
    assert (steps(d, "22/10SS"), steps(d, "Schaefer")) == (0, 1)


def test_sg_8_6_1_the_defender_is_asked_only_if_the_offer_says_so():
    units = ("150/79", SOUTH), ("171/79", SOUTH), ("911/FG", HEX), ("100/104PJ", HEX)
    for asked, who in (("no", ()), (COMBATS, (GERMAN,))):
        d = combat(*units, dice={HEX: 5}, asked=asked)
        d.order(SOVIET, f"attack {HEX} with 150/79,171/79", "done")
        assert d.happened[0].result == "A1/Dr"
        assert d.asked == who


def test_sg_8_6_2_standing_orders_name_a_unit():
    d = combat(*STRONG, *THREE, dice={WOODS: 1})
    d.stand(SOVIET, "loss", "when attacks = 1 and units > 2 then 38eng; then 356/80")
    d.order(SOVIET, f"attack {WOODS} with 212/80,356/80,38ENG", "done")
    assert [steps(d, code) for code in ("212/80", "356/80", "38ENG")] == [2, 1, 0]


def test_sg_8_6_2_what_standing_orders_for_losses_know():
    """The attackers' hex is that of the first; the strongest by attack and defence together."""
    state = position(("1C/Pol", SOUTH), ("212/80", EAST), ("22/10SS", HEX))
    units = tuple(map(number, ("212/80", "1C/Pol")))
    step, frame = TakeLoss(), Losses(SOVIET, units, 1, (), attacker=SOVIET)
    assert step.prompt(state, frame, SOVIET).endswith("it can be 212/80 or 1C/Pol.")
    assert step.facts(state, frame, SOVIET, {}) == {"attacks": 1, "hex": EAST, "units": 2}
    answers = step.answers(state, frame, SOVIET, {})
    assert (answers["strongest"], answers["weakest"]) == (Lose(units[0]), Lose(units[1]))
    assert [step.is_answer(state, name) for name in ("cheapest", "1c/pol", "none")] == [True, True, False]


def test_sg_9_3_1_8_1a_attackers_of_two_hexes_go_back_from_each():
    """Each with the headquarters of its own hex."""
    units = ("75G/9G", SOUTH), ("12G/9G", EAST), ("61-HQ", SOUTH), ("2GT-HQ", EAST)
    d = combat(*units, ("23/11SS", HEX), ("22/10SS", HEX), dice={HEX: 3})
    d.order(SOVIET, f"attack {HEX} with 75G/9G,12G/9G", "done")
    assert d.happened[0].result == "Ar"
    gone = {(event.path[0], frozenset(event.units)) for event in d.events(Retreated)}
    assert gone == {(SOUTH, frozenset({"75G/9G", "61-HQ"})), (EAST, frozenset({"12G/9G", "2GT-HQ"}))}


def test_sg_10_2_8_1_1a_a_headquarters_that_has_retreated_with_its_units_does_not_advance():
    """Ar/D1: nobody is left in the hex, and the attackers stand elsewhere."""
    d = combat(("75G/9G", SOUTH), ("61-HQ", SOUTH), ("Voigt", HEX), dice={HEX: 4})
    d.order(SOVIET, f"attack {HEX} with 75G/9G", "done")
    assert [event.result for event in d.events(Fought)] == ["Ar/D1"]
    assert (steps(d, "Voigt"), where(d, "75G/9G")) == (0, where(d, "61-HQ"))
    assert where(d, "61-HQ") not in (SOUTH, HEX)
