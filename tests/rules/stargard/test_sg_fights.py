"""SG-8.0 to SG-8.3, SG-13.1: which attacks can be listed, and what the list does when it is carried out."""

from __future__ import annotations

import pytest
from sg_plain import CHART, GERMAN, SOVIET, combat, game, number, position, rule_of, where

from pbem.browser.gameboard import in_words
from pbem.game import Skipped
from pbem.kit import UNIT, Fate, Strike, named_ways
from pbem_rules.stargard.events import Cancelled, Fought
from pbem_rules.stargard.fights import Attacks, CarryOut, ready, skipped, targets
from pbem_rules.stargard.frames import Activation
from pbem_rules.stargard.looking import left_undone
from pbem_rules.stargard.odds import distribution, explain, reckon_attack
from pbem_rules.stargard.orders import Attack, Done
from pbem_rules.stargard.state import GROUNDED, READY, REFIT, TO_COME

HEX, SOUTH, NORTH, WEST, EAST = 3620, 3619, 3621, 3519, 3720


def listed(d, seat=SOVIET):
    return [order for order in d.legal(seat) if isinstance(order, Attack)]


def test_entries_are_typed_and_shown():
    d = combat(("212/80", SOUTH), ("75G/9G", SOUTH), ("22/10SS", HEX))
    typed = f"attack {HEX} with 212/80,75G/9G at 2:1 air 6GA advance 212/80,3620,3621 unless 1 ask"
    (order,) = game.notation.parse(typed, d.context(SOVIET))
    way = UNIT + number("212/80"), 3620, 3621
    units = tuple(sorted((number("212/80"), number("75G/9G"))))
    assert order == Attack(HEX, units, least=2, air=("6GA",), advance=way, unless=1, ask=True)
    assert game.notation.parse(game.notation.show(order), d.context(SOVIET)) == (order,)
    assert game.notation.read(game.notation.write(order)) == order


def test_sg_8_0a_3_2_adjacent_combat_units_are_attacked_and_nobody_else():
    units = ("212/80", SOUTH), ("22/10SS", HEX), ("39Pz-HQ", 3719), ("21/10SS", 3622)
    d = combat(*units)
    assert {order.target for order in listed(d)} == {HEX}
    assert len(set(listed(d))) == len(listed(d))
    assert rule_of(d, SOVIET, "attack 3719 with 212/80") == "SG-8.0a"  # a headquarters alone
    assert rule_of(d, SOVIET, "attack 3518 with 212/80") == "SG-8.0a"  # nobody
    assert rule_of(d, SOVIET, "attack 3622 with 212/80") == "SG-8.0a"  # not adjacent


def test_sg_8_0b_attacks_are_voluntary():
    d = combat(("212/80", SOUTH), ("22/10SS", HEX))
    assert Done() in d.legal(SOVIET)
    d.order(SOVIET, "done")
    assert where(d, "22/10SS") == HEX
    assert not d.events(Fought)


def test_sg_4_6_1_no_attack_where_one_could_not_go():
    d = combat(("212/80", 2410), ("22/10SS", 2411), ("356/80", 2610), ("21/10SS", 2611, 1))
    assert rule_of(d, SOVIET, "attack 2411 with 212/80") == "SG-4.6.1"
    assert rule_of(d, SOVIET, "attack 2611 with 356/80") == ""
    assert {order.target for order in listed(d)} == {2611}
    state = position(("212/80", 2410), ("22/10SS", 2411), ("356/80", 2610), ("21/10SS", 2611))
    frame = Activation(SOVIET, "", "", able=tuple(sorted(map(number, ("212/80", "356/80")))))
    assert targets(state, frame) == {2611: [number("356/80")]}


def test_sg_3_0_and_sg_8_1_2b_only_units_that_are_activated_and_not_pinned():
    units = ("212/80", SOUTH), ("356/80", SOUTH), ("61-HQ", SOUTH), ("75G/9G", WEST), ("22/10SS", HEX)
    d = combat(*units, able=["212/80", "61-HQ", "75G/9G"], pinned=["75G/9G"])
    assert {order.units for order in listed(d)} == {(number("212/80"),)}
    assert rule_of(d, SOVIET, f"attack {HEX} with 356/80") == "SG-3.0"
    assert rule_of(d, SOVIET, f"attack {HEX} with 75G/9G") == "SG-8.1.2b"
    assert rule_of(d, SOVIET, f"attack {HEX} with 22/10SS") == "SG-3.2"  # none of ours


def test_sg_8_3_1a_8_3_1b_8_2a_units_of_a_hex_attack_different_hexes_and_from_all_sides():
    units = ("212/80", SOUTH), ("356/80", SOUTH), ("75G/9G", EAST), ("Schaefer", HEX), ("Suelberg", 3719)
    d = combat(*units, dice={HEX: 1, 3719: 1})
    wholes = {order.target: order.units for order in listed(d)[::-1] if len(order.units) == 3}
    assert wholes == dict.fromkeys((HEX, 3719), tuple(sorted(map(number, ("212/80", "356/80", "75G/9G")))))
    d.order(SOVIET, f"attack {HEX} with 212/80,75G/9G", "attack 3719 with 356/80", "done")
    assert [event.hex for event in d.events(Fought)] == [HEX, 3719]


def test_sg_8_3_1c_each_unit_attacks_once_and_is_attacked_once():
    units = ("212/80", SOUTH), ("356/80", EAST), ("Schaefer", HEX), ("Suelberg", 3719)
    d = combat(*units, dice={HEX: 1, 3719: 1})
    d.order(SOVIET, f"attack {HEX} with 212/80")
    assert rule_of(d, SOVIET, f"attack {HEX} with 356/80") == "SG-8.3.1c"
    assert rule_of(d, SOVIET, "attack 3719 with 212/80") == "SG-8.3.1c"
    assert not {number("212/80")} & {unit for order in listed(d) for unit in order.units}
    assert {order.target for order in listed(d)} == {3719}
    # What depends on another entry may be listed; when its turn comes, the rule skips it.
    d.order(SOVIET, f"attack {HEX} with 356/80 unless 1", "attack 3719 with 212/80 unless 1", "done")
    assert [event.rule for event in d.events(Skipped)] == ["SG-8.3.1c", "SG-8.3.1c"]


def test_sg_8_3_1c_a_hex_with_a_unit_that_was_attacked_is_no_target():
    """AMB-38: a unit that has retreated protects those to whom it comes."""
    units = (
        ("150/79", SOUTH),
        ("171/79", SOUTH),
        ("212/80", 3519),
        ("75G/9G", 3519),
        ("Rehman/27SS", HEX),
        ("22/10SS", 3520),
    )
    d = combat(*units, dice={HEX: 5})  # 14:4, Dr1
    d.order(SOVIET, f"attack {HEX} with 150/79,171/79", "attack 3520 with 212/80,75G/9G", "done")
    assert where(d, "Rehman/27SS") == 3520
    assert [event.rule for event in d.events(Skipped)] == ["SG-8.3.1c"]


def test_sg_8_3_1c_what_waits_for_another_entry_takes_nothing():
    units = ("212/80", SOUTH), ("356/80", EAST), ("75G/9G", EAST), ("Schaefer", HEX), ("Suelberg", 3719)
    for condition in ("after 1", "unless 1"):
        d = combat(*units)
        d.order(SOVIET, f"attack {HEX} with 212/80", f"attack {HEX} with 356/80,75G/9G {condition}")
        assert rule_of(d, SOVIET, "attack 3719 with 356/80") == ""


def test_sg_8_3_1c_what_still_waits_is_taken_when_the_list_is_given_back():
    units = ("212/80", SOUTH), ("356/80", EAST), ("75G/9G", EAST), ("Schaefer", HEX), ("Suelberg", 3719)
    d = combat(*units, dice={HEX: 1})
    d.order(SOVIET, f"attack {HEX} with 212/80", "attack 3719 with 356/80 ask", "done")
    assert rule_of(d, SOVIET, "attack 3719 with 75G/9G") == "SG-8.3.1c"


def test_sg_3_0_8_3_1c_who_is_gone_or_has_fought_is_not_listed():
    d = combat(("212/80", SOUTH), ("356/80", EAST), ("22/10SS", HEX), able=["212/80", "356/80", "85T"])
    d.activation.fought.add(number("356/80"))
    assert {order.units for order in listed(d)} == {(number("212/80"),)}


def test_sg_3_3_2b_independents_that_have_been_used_attack_and_no_others():
    d = combat(("6GT", SOUTH), ("79GT", SOUTH), ("152", EAST), ("212/80", EAST), ("22/10SS", HEX))
    both = tuple(sorted(map(number, ("6GT", "79GT"))))
    d.activation.used = both
    assert set(ready(d.state, d.activation)) == {*both, number("212/80")}
    assert {unit for order in listed(d) for unit in order.units} == {*both, number("212/80")}
    assert both in {order.units for order in listed(d)}
    assert rule_of(d, SOVIET, f"attack {HEX} with 152") == "SG-3.3.2b"
    assert rule_of(d, SOVIET, f"attack {HEX} with 6GT,79GT") == ""


def test_sg_3_3_2b_an_attack_uses_the_independents_that_join_it():
    d = combat(("6GT", SOUTH), ("79GT", SOUTH), ("212/80", SOUTH), ("22/10SS", HEX), dice={HEX: 4})
    d.activation.used = (number("6GT"),)
    d.order(SOVIET, f"attack {HEX} with 6GT,79GT,212/80", "done")
    assert d.activation.used == (number("6GT"), number("79GT"))


def test_sg_3_3_2b_two_independent_units_at_most():
    units = ("6GT", SOUTH), ("79GT", SOUTH), ("152", EAST), ("212/80", EAST), ("22/10SS", HEX), ("Schaefer", 3719)
    d = combat(*units)
    assert rule_of(d, SOVIET, f"attack {HEX} with 6GT,79GT,152") == "SG-3.3.2b"
    assert all(sum(map(game_independent, order.units)) <= 2 for order in listed(d))
    alone = [order.units for order in listed(d) if len(order.units) == 1]
    assert {(number("6GT"),), (number("79GT"),)} <= set(alone)
    one = combat(*units)
    one.order(SOVIET, "attack 3719 with 6GT")
    assert number("79GT") in {unit for order in listed(one) for unit in order.units}
    one = combat(*units)
    one.order(SOVIET, "attack 3719 with 212/80")  # which is not independent
    assert tuple(sorted(map(number, ("6GT", "79GT")))) in {order.units for order in listed(one)}
    d.order(SOVIET, f"attack {HEX} with 6GT,79GT")
    assert rule_of(d, SOVIET, "attack 3719 with 152") == "SG-3.3.2b"
    assert rule_of(d, SOVIET, "attack 3719 with 212/80") == ""
    assert number("152") not in {unit for order in listed(d) for unit in order.units}


def game_independent(unit):
    return game.chart(game.data).independent(unit)


def test_sg_8_3_3_attack_0_joins_others_and_never_attacks_alone():
    units = ("PyritzII", SOUTH), ("24/11SS", SOUTH), ("212/80", HEX)
    d = combat(*units, side=GERMAN)
    assert rule_of(d, GERMAN, f"attack {HEX} with PyritzII") == "SG-8.3.3"
    assert rule_of(d, GERMAN, f"attack {HEX} with PyritzII,24/11SS") == ""


def test_sg_1_1_3c_below_1_to_2_there_is_no_die_and_the_attackers_have_attacked():
    """AMB-05: the defenders can still be attacked by others; air units are used up."""
    units = ("1C/Pol", SOUTH), ("95T/9T", EAST), ("22/10SS", HEX), ("21/10SS", HEX)
    d = combat(*units, dice={HEX: 4})
    d.order(SOVIET, f"attack {HEX} with 1C/Pol air 6GA", f"attack {HEX} with 95T/9T unless 1", "done")
    (cancelled,) = (event for event in d.happened if isinstance(event, Cancelled))
    assert cancelled.rule == "SG-1.1.3c"
    assert [event.units for event in d.events(Fought)] == [("95T/9T",)]
    assert d.state.planes["6GA"] == REFIT
    assert d.state.air_spent[SOVIET] == 1


def test_sg_1_1_3c_8_2b_at_1_to_2_there_is_a_die():
    d = combat(("85T", SOUTH), ("22/10SS", HEX), dice={HEX: 6})  # 3:5
    reckoned = reckon_attack(d.state, (number("85T"),), HEX)
    assert explain(d.state, reckoned).startswith("3 to 5 = 1:2")
    d.order(SOVIET, f"attack {HEX} with 85T", "done")
    assert [event.column for event in d.events(Fought)] == ["1:2"]
    assert sum(distribution(d.state, 0).values()) == 1
    assert distribution(d.state, -1) == {}


def test_an_entry_with_the_least_odds_is_skipped_where_they_have_fallen():
    d = combat(("212/80", SOUTH), ("22/10SS", HEX))
    d.order(SOVIET, f"attack {HEX} with 212/80 at 2:1", "done")
    (skipped,) = d.events(Skipped)
    assert "1:1" in skipped.why


def test_sg_1_1_3c_listed_subsets_reach_1_to_2():
    d = combat(("1C/Pol", SOUTH), ("95T/9T", EAST), ("22/10SS", HEX), ("21/10SS", HEX))
    assert [order.units for order in listed(d)] == [
        tuple(sorted((number("1C/Pol"), number("95T/9T")))),
        (number("95T/9T"),),
    ]
    d = combat(("1C/Pol", SOUTH), ("23/11SS", HEX))
    assert [*Attacks().first(d.state, d.activation, SOVIET)] == []


# Air units


AIR = ("24/11SS", SOUTH), ("23/11SS", SOUTH), ("HvS/11SS", EAST), ("212/80", HEX), ("356/80", 3719)


def test_sg_13_1b_13_1c_13_0c_8_4_1e_case_31_two_units_at_power_are_worth_four_columns_and_all_points():
    d = combat(*AIR, side=GERMAN, dice={HEX: 1})
    d.order(GERMAN, f"attack {HEX} with 24/11SS power 1JG,Rudel", "done")
    (fought,) = d.events(Fought)
    assert "air units +4" in fought.odds
    assert fought.column == "4:1"  # 5 to 6 is 1:2
    assert d.state.air_spent[GERMAN] == 4
    assert {d.state.planes[code] for code in ("1JG", "Rudel")} == {GROUNDED}


def test_sg_13_1_1_13_2_case_04_normal_goes_to_refit_and_power_to_grounded():
    d = combat(*AIR, side=GERMAN, dice={HEX: 1})
    d.order(GERMAN, f"attack {HEX} with 24/11SS air 1JG power Rudel", "done")
    assert (d.state.planes["1JG"], d.state.planes["Rudel"], d.state.planes["2JG"]) == (REFIT, GROUNDED, READY)
    assert "air units +3" in d.events(Fought)[0].odds
    d = combat(*AIR, side=GERMAN, dice={HEX: 1})
    d.order(GERMAN, f"attack {HEX} with 24/11SS air 1JG", "done")
    assert d.state.air_spent[GERMAN] == 1


@pytest.mark.parametrize(
    ("air", "rule"),
    [
        ("air 1JG,Rudel,2JG", "SG-13.1c"),
        ("air 1JG power 1JG", "SG-13.1c"),
        ("air 6GA", "SG-13.1a"),
        ("air 3JG", "SG-13.1a"),
        ("power 1JG,Rudel", "SG-13.0b"),
        ("air 1JG power Rudel", ""),
    ],
)
def test_sg_13_1a_13_1c_what_air_units_cannot_do(air, rule):
    d = combat(*AIR, side=GERMAN)
    d.state.planes["3JG"] = GROUNDED
    d.state.air_spent[GERMAN] = 1
    assert rule_of(d, GERMAN, f"attack {HEX} with 24/11SS {air}") == rule


@pytest.mark.parametrize(
    ("state", "why"),
    [(GROUNDED, "it is grounded"), (REFIT, "it is being refitted"), (TO_COME, "it has not arrived yet")],
)
def test_sg_13_1a_an_air_unit_that_cannot_take_part_says_why(state, why):
    d = combat(*AIR, side=GERMAN)
    d.state.planes["2JG"] = state
    (order,) = game.notation.parse(f"attack {HEX} with 24/11SS air 2JG", d.context(GERMAN))
    assert d.check(GERMAN, order).reason == f"2JG cannot take part: {why}"


def test_sg_13_0b_points_and_air_units_of_the_whole_list_count():
    d = combat(*AIR, side=GERMAN)
    d.order(GERMAN, f"attack {HEX} with 24/11SS air 2JG power Rudel")
    assert rule_of(d, GERMAN, "attack 3719 with HvS/11SS power 1JG") == "SG-13.0b"
    assert rule_of(d, GERMAN, "attack 3719 with HvS/11SS air 2JG") == "SG-13.1a"
    (order,) = game.notation.parse("attack 3719 with HvS/11SS air 2JG", d.context(GERMAN))
    assert d.check(GERMAN, order).reason == "2JG cannot take part: it is listed in another attack"
    assert rule_of(d, GERMAN, "attack 3719 with HvS/11SS air 1JG") == ""


# What can never be carried out


@pytest.mark.parametrize(
    ("order", "rule"),
    [
        (Attack(HEX, ()), "SG-8.2"),
        (Attack(HEX, (112, 112)), "SG-8.2"),
        (Attack(9999, (112,)), "SG-8.2"),
        (Attack(HEX, (-1,)), "SG-3.2"),
        (Attack(HEX, (10**9,)), "SG-3.2"),
        (Attack(HEX, (112,), air=("nobody",)), "SG-13.1a"),
        (Attack(HEX, (112,), advance=(HEX,)), "SG-10.0a"),
        (Attack(HEX, (112,), advance=(UNIT + 112,)), "SG-10.0a"),
        (Attack(HEX, (112,), advance=(UNIT + 113, HEX)), "SG-10.0a"),
        (Attack(HEX, (112,), advance=(UNIT + number("3SSPz-HQ"), HEX)), "SG-10.0a"),
        (Attack(HEX, (112,), advance=(UNIT + 112, HEX, UNIT + 113, HEX)), "SG-10.0a"),
        (Attack(HEX, (112,), advance=(UNIT + 112, NORTH)), "SG-10.0b"),
        (Attack(HEX, (112,), advance=(UNIT + 112, HEX, NORTH, 3622)), "SG-10.3a"),
        (Attack(HEX, (112,), advance=(UNIT + 112, HEX, 7777)), "SG-10.3a"),
    ],
)
def test_sg_10_0a_10_0b_10_3a_8_2b_what_is_no_attack_is_refused(order, rule):
    assert number("212/80") == 112
    d = combat(("212/80", SOUTH), ("22/10SS", HEX))
    violation = d.check(SOVIET, order)
    assert violation is not None
    assert violation.rule == rule


def test_sg_10_0a_10_3a_an_advance_that_can_be_ordered():
    """Attackers, and headquarters of their own side; two hexes."""
    d = combat(("212/80", SOUTH), ("61-HQ", SOUTH), ("22/10SS", HEX))
    way = UNIT + number("212/80"), HEX, NORTH, UNIT + number("61-HQ"), HEX
    assert d.check(SOVIET, Attack(HEX, (number("212/80"),), advance=way)) is None


# The first turn, and the outcome of an entry


def test_sg_8_2b_an_advance_names_units_before_their_hexes():
    assert named_ways((UNIT, 1203, 1204, UNIT + 7, 1203)) == {0: (1203, 1204), 7: (1203,)}
    assert named_ways((1203, UNIT)) == {}


def test_sg_8_2b_13_1a_an_entry_names_units_and_air_units_that_there_are_each_once():
    d = combat(("212/80", SOUTH), ("22/10SS", HEX))
    unit = number("212/80")
    for order, rule in (
        (Attack(HEX, (unit, unit)), "SG-8.2"),
        (Attack(HEX, ()), "SG-8.2"),
        (Attack(HEX, (unit,), air=("nobody",)), "SG-13.1a"),
        (Attack(HEX, (unit,), air=("1JG",)), "SG-13.1a"),
        (Attack(9999, (unit,)), "SG-8.2"),
    ):
        violation = d.check(SOVIET, order)
        assert violation.rule == rule
        assert bool(order.air) is violation.reason.startswith("An attack names air units of yours")


def test_sg_12_1b_an_attack_in_turn_1_is_remembered_and_a_cancelled_one_is_not():
    units = ("24/11SS", SOUTH), ("11A/11SS", EAST), ("61-HQ", 4001), ("2GT-HQ", 4010), ("212/80", HEX)
    d = combat(*units, ("19M/1M", 3719), ("35M/1M", 3719), side=GERMAN, turn=1, dice={HEX: 1})
    d.order(GERMAN, f"attack {HEX} with 24/11SS ask", "attack 3719 with 11A/11SS ask", "done")
    assert d.asked == (GERMAN,)  # the first has been fought
    assert d.state.struck == (("army61",),)
    d.order(GERMAN, "done")
    assert len([event for event in d.happened if isinstance(event, Cancelled)]) == 1
    assert all("gt2" not in group for group in d.state.struck)


def test_sg_12_1b_the_armies_that_will_react_are_named_before_the_dice():
    units = ("24/11SS", SOUTH), ("11A/11SS", EAST), ("61-HQ", 4001), ("2GT-HQ", 4010), ("212/80", HEX)
    d = combat(*units, ("19M/1M", 3719), ("35M/1M", 3719), side=GERMAN, turn=1, dice={HEX: 1})
    ahead = "After this activation 61st Army (1 unit in command) reacts: it moves and attacks at once"
    d.order(GERMAN, f"attack {HEX} with 24/11SS ask")
    said = d.machine.sentence(GERMAN, Done())
    assert said.startswith("Fight the attack of your list; then this activation ends, and 61st Army (1 unit in")
    d.order(GERMAN, "attack 3719 with 11A/11SS ask")  # it would be cancelled (SG-1.1.3c)
    assert CarryOut().ahead(d.state, d.activation).startswith(ahead)
    assert "2nd Guards" not in d.machine.sentence(GERMAN, Done())
    d.order(GERMAN, "done")
    assert d.state.struck == (("army61",),)
    assert d.machine.sentence(GERMAN, Done()).startswith("Let the attack on ")
    assert "61st Army" in d.machine.sentence(GERMAN, Done())  # which has been hit
    later = combat(*units, side=GERMAN, turn=2)
    later.order(GERMAN, f"attack {HEX} with 24/11SS")
    assert CarryOut().ahead(later.state, later.activation) == ""
    assert later.machine.sentence(GERMAN, Done()).endswith("then this activation ends, and the next chit is drawn.")


def test_an_only_attack_that_asks_is_fought_at_once():
    d = combat(("212/80", SOUTH), ("22/10SS", HEX), dice={HEX: 1})
    d.order(SOVIET, f"attack {HEX} with 212/80 ask", "done")
    assert [event.hex for event in d.events(Fought)] == [HEX]


def test_between_attacks_the_question_names_the_next_one():
    units = ("212/80", SOUTH), ("356/80", EAST), ("Schaefer", HEX), ("Suelberg", 3719)
    d = combat(*units, dice={HEX: 1, 3719: 1})
    d.order(SOVIET, f"attack {HEX} with 212/80", "attack 3719 with 356/80 ask", "done")
    place = str(CHART.board[3719])
    assert f"The attack on {place} would be next." in in_words(d.machine.prompt(SOVIET))
    assert d.machine.sentence(SOVIET, Done()).startswith(f"Let the attack on {place} go on; then this activation")
    assert d.machine.sentence(SOVIET, Strike(2)) == f"Strike the attack on {place} off your list."
    called = game.notation.verb_of[Strike].called(Strike(2), d.machine.view((SOVIET,)))
    assert called == {"w:2": f"Strike the attack on {place} off your list"}
    assert game.notation.read("strike 2") == Strike(2)
    d.order(SOVIET, "strike 2")
    assert d.machine.sentence(SOVIET, Done()).startswith("Attack nothing")


def test_won_is_an_entry_whose_hex_is_empty():
    units = ("150/79", SOUTH), ("171/79", SOUTH), ("212/80", EAST), ("Schaefer", HEX), ("22/10SS", 3719)
    d = combat(*units, dice={HEX: 6, 3719: 1})
    d.order(SOVIET, f"attack {HEX} with 150/79,171/79", "attack 3719 with 212/80 after 1")
    d.order(SOVIET, f"attack {HEX} with 212/80 unless 1", "done")
    assert d.activation.fates == [Fate.WON, Fate.FOUGHT, Fate.SKIPPED]


def test_an_attack_whose_odds_are_too_low_is_said_to_be_skipped_before_the_dice():
    units = ("24/11SS", SOUTH), ("61-HQ", 4001), ("212/80", HEX)
    d = combat(*units, side=GERMAN, turn=1)
    d.order(GERMAN, f"attack {HEX} with 24/11SS at 1:2")
    assert skipped(d.state, d.activation) == {}
    assert "61st Army" in d.machine.sentence(GERMAN, Done())
    low = combat(*units, side=GERMAN, turn=1)
    low.order(GERMAN, f"attack {HEX} with 24/11SS at 7:1")
    said = low.machine.sentence(GERMAN, Done())
    assert said.startswith("Attack nothing (1 attack skipped as the odds stand); then this activation ends, and ")
    assert "61st Army" not in said
    for order in (None, Done()):
        told = [line for line in left_undone(low.machine.view((GERMAN,)), GERMAN, order) if "skipped" in line]
        assert len(told) == 1
        assert told[0].startswith("The attack on 212/80 in 3620 will be skipped as things stand: the odds are ")
        assert "less than 7:1" in told[0]


def test_sg_2_3_3b_no_chit_is_said_to_be_drawn_when_none_is_left():
    d = combat(("24/11SS", SOUTH), ("212/80", HEX), side=GERMAN)
    d.state.cup = ()
    assert d.machine.sentence(GERMAN, Done()).endswith("and no chit is left to draw: supply is judged.")
