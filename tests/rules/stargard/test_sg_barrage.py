"""SG-8.5: barrages by random events: attempts, targets, results."""

from __future__ import annotations

import pytest
from sg_plain import CHART, GERMAN, SOVIET, Dice, Table, game, number, position

from pbem.engine.testing import at_step
from pbem_rules.stargard.barrage import Aim, RollAttempts, targets
from pbem_rules.stargard.command import DrawChit
from pbem_rules.stargard.events import Barraged
from pbem_rules.stargard.frames import Barrage, GameTurn, War
from pbem_rules.stargard.orders import Fire
from pbem_rules.stargard.state import VOLKSSTURM_BOX
from pbem_rules.stargard.turns import NextTurn

HEX, EAST = 3620, 3720


def barrage(*units, dice, side=SOVIET, turn=2, **kept):
    """`dice`: for the attempts, then by number and hex of each target."""
    state = position(*units, turn=turn, **kept)
    machine = at_step(
        game, state, (War(), NextTurn, True), (GameTurn(), DrawChit), (Barrage(side, label="b"), RollAttempts)
    )
    return Table(game, chance=Dice({f"b/{label}": die for label, die in dice.items()}), machine=machine)


def codes(state, frame):
    return [state.code(unit) for unit in targets(state, frame)]


@pytest.mark.parametrize(("die", "attempts"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 4)])
def test_sg_8_5_1a_1_2_3_1_3_3_a_die_gives_the_attempts(die, attempts):
    assert int(CHART.barrage.result(die, 0)) == attempts
    d = barrage(("212/80", EAST), ("22/10SS", HEX), dice={"attempts": die})
    assert d.machine.frame.attempts == attempts
    assert any(line.text.endswith(f": {attempts} attempt{'s' * (attempts > 1)}.") for line in d.lines)


def test_sg_8_5_1b_each_attempt_has_a_target_and_a_die():
    """Nothing, pinned, a step lost."""
    units = ("212/80", EAST), ("22/10SS", HEX), ("23/11SS", 3721), ("24/11SS", 3719)
    d = barrage(*units, dice={"attempts": 5, "1/3620": 2, "2/3721": 3, "3/3719": 6})
    d.order(SOVIET, "fire 22/10SS", "fire 23/11SS", "fire 24/11SS")
    found = {event.unit: event.result for event in d.happened if isinstance(event, Barraged) and event.unit}
    assert found == {"22/10SS": "-", "23/11SS": "P", "24/11SS": "D1"}
    assert [d.state.pieces[number(code)].pinned for code in ("22/10SS", "23/11SS", "24/11SS")] == [False, True, False]
    assert d.state.pieces[number("24/11SS")].steps == 1


def test_sg_8_5_1a_no_more_attempts_than_the_die_gives():
    d = barrage(("212/80", EAST), ("22/10SS", HEX), ("23/11SS", 3721), dice={"attempts": 1, "1/3620": 1})
    d.order(SOVIET, "fire 22/10SS")
    assert d.asked == ()


def test_sg_8_5_1b_every_face_of_the_die():
    assert [CHART.barrage.result(die, 1) for die in range(1, 7)] == ["-", "-", "P", "P", "P", "D1"]


def test_sg_8_5_1b_8_7_a_city_cancels_the_step_and_volkssturm_goes_to_its_box():
    d = barrage(("212/80", 2515), ("22/10SS", 2415), ("Pommern", 2516), dice={"attempts": 3, "1/2415": 6, "2/2516": 6})
    d.order(SOVIET, "fire 22/10SS", "fire Pommern")
    assert d.state.pieces[number("22/10SS")].steps == 2
    assert d.state.at(number("Pommern")) == VOLKSSTURM_BOX


def test_sg_8_5_1b_8_7_a_city_cancels_nothing_but_a_step_and_no_other_ground_does():
    """Pinned in a city; a step lost in a village."""
    units = ("212/80", 2515), ("22/10SS", 2415), ("356/80", 2115), ("23/11SS", 2015)
    d = barrage(*units, dice={"attempts": 3, "1/2415": 5, "2/2015": 6})
    d.order(SOVIET, "fire 22/10SS", "fire 23/11SS")
    assert d.state.pieces[number("22/10SS")].pinned
    assert d.state.pieces[number("23/11SS")].steps == 1


def test_sg_8_5_1c_the_top_unit_of_a_stack_beside_a_combat_unit_each_once():
    """AMB-39. Headquarters neither spot nor are fired at (E)."""
    units = ("22/10SS", HEX), ("39Pz-HQ", HEX), ("24/11SS", HEX), ("3SSPz-HQ", 3721), ("23/11SS", 1020)
    state = position(*units, ("212/80", EAST), ("2GT-HQ", 1021))
    frame = Barrage(SOVIET, attempts=4)
    assert codes(state, frame) == ["22/10SS"]
    state.tops[HEX] = number("24/11SS")
    assert codes(state, frame) == ["24/11SS"]
    state.tops[HEX] = number("39Pz-HQ")
    assert codes(state, frame) == ["22/10SS"]
    frame.targets = (number("22/10SS"),)
    assert codes(state, frame) == []
    assert codes(position(("119UR/7GC", EAST), ("22/10SS", HEX)), Barrage(GERMAN)) == ["119UR/7GC"]


def test_sg_8_5_1c_what_is_no_target():
    d = barrage(("212/80", EAST), ("22/10SS", HEX), ("23/11SS", 1020), dice={"attempts": 5, "1/3620": 1})
    d.order(SOVIET, "fire 22/10SS")
    assert d.asked == ()  # nobody is left to fire at
    d = barrage(("212/80", EAST), ("22/10SS", HEX), ("23/11SS", 1020), dice={"attempts": 5})
    (order,) = game.notation.parse("fire 23/11SS", d.context(SOVIET))
    assert d.check(SOVIET, order).rule == "SG-8.5.1c"


def test_sg_8_5_1c_a_barrage_without_targets_is_over():
    d = barrage(("212/80", EAST), ("22/10SS", 1020), dice={"attempts": 6})
    assert d.asked == ()


def test_sg_12_1b_a_barrage_of_turn_1_counts_as_an_attack():
    d = barrage(("24/11SS", HEX), ("212/80", EAST), ("61-HQ", 3801), side=GERMAN, turn=1,
                dice={"attempts": 1, "1/3720": 1})  # fmt: skip
    d.order(GERMAN, "fire 212/80")
    assert d.state.struck == (("army61",),)


def test_the_default_fires_at_settlements_first_and_not_where_a_unit_is_pinned():
    state = position(("212/80", 2115), ("22/10SS", 2015), ("23/11SS", 2116), ("24/11SS", 2114))
    aim, frame = Aim(), Barrage(SOVIET, attempts=3)
    assert aim.answers(state, frame, SOVIET, {})["best"] == Fire(number("22/10SS"))
    frame.targets = (number("22/10SS"),)
    state.pin(number("23/11SS"))
    assert aim.answers(state, frame, SOVIET, {})["best"] == Fire(number("24/11SS"))
