"""SG-9, SG-4.4, SG-6.2, SG-6.3c: which ways lead back, who goes together, and what is lost on the way."""

from __future__ import annotations

import pytest
from sg_plain import CHART, GERMAN, SOVIET, combat, game, number, position, rule_of, steps, where

from pbem.browser.gameboard import in_words
from pbem.game import DONE, Call, Out
from pbem.kit import COMBATS, StepLost
from pbem_rules.stargard.events import Fought, PostLeft, Reformed, Retreated
from pbem_rules.stargard.frames import Retreat
from pbem_rules.stargard.retreat import ChooseWay, March, ways_back
from pbem_rules.stargard.state import REFORMING, VOLKSSTURM_BOX

HEX, EAST = 3620, 3720
ATTACKERS = ("150/79", EAST), ("171/79", EAST)
ATTACK = f"attack {HEX} with 150/79,171/79"
WEST = {3519, 3520}  # nearer to the sources of Stettin


def kept(state, *codes, start=HEX, length=1):
    return {way.path for way in ways_back(state, tuple(map(number, codes)), start, length).kept}


def lawful(state, *codes, start=HEX, length=1):
    return {way.path for way in ways_back(state, tuple(map(number, codes)), start, length).lawful}


def beaten(*units, die, order=ATTACK, **kept):
    """The Soviets attack, and the defenders are asked how they retreat."""
    d = combat(*ATTACKERS, *units, dice={HEX: die}, asked=COMBATS, **kept)
    d.order(SOVIET, order, "done")
    return d


def told(d, kind):
    return [event for event in d.happened if isinstance(event, kind)]


def result(d):
    return told(d, Fought)[0].result


def lost(d, rule):
    return [event.unit for event in told(d, StepLost) if event.rule == rule]


# Which ways


def test_sg_9_0_9_2_9_2_3a_case_23_two_hexes_back_end_two_hexes_away():
    """SG-9.0: hexes are counted, not points; each lies further from the start than the one before."""
    distance = CHART.board.grid.distance
    state = position(("22/10SS", HEX))
    for path in lawful(state, "22/10SS", length=2):
        assert [distance(HEX, place) for place in path] == [1, 2]
    slow = position(("Pommern", HEX))
    assert kept(slow, "Pommern", length=3) == kept(position(("22/10SS", HEX)), "22/10SS", length=3)


def test_sg_9_1_9_2_3b_only_where_a_unit_could_go():
    """Not into water or across the Oder without a bridge; across a minor river with a bridge or without."""
    for start, end, can in ((2411, 2410, False), (2611, 2610, True), (2011, 2010, True), (2211, 2210, True)):
        assert ((end,) in lawful(position(("212/80", start)), "212/80", start=start)) is can
    assert (3008,) not in lawful(position(("212/80", 3009)), "212/80", start=3009)
    enemy = position(("212/80", HEX), ("22/10SS", 3519))
    assert (3519,) not in lawful(enemy, "212/80")


def test_sg_5_2_5b_no_retreat_ends_in_a_transit_hex():
    """AMB-55."""
    state = position(("212/80", 2809))
    assert (2808,) not in lawful(state, "212/80", start=2809)


def test_sg_9_2_1_toward_the_nearest_source():
    """Equal ways are the owner's choice; the sources are those of SG-11.2: Stettin's, Kolberg's, Poland's."""
    assert kept(position(("22/10SS", HEX)), "22/10SS") == {(place,) for place in WEST}
    assert kept(position(("Kausch", HEX)), "Kausch") == {(3621,), (3720,)}
    assert kept(position(("212/80", HEX)), "212/80") == {(3719,), (3619,), (3519,)}
    assert kept(position(("4/Pol", HEX)), "4/Pol") == {(3720,), (3719,)}


def test_sg_9_2_2a_9_2_3c_then_out_of_enemy_zones_and_the_ground_does_not_matter():
    state = position(("22/10SS", HEX), ("212/80", 3521))
    assert state.in_zone(3520, SOVIET)
    assert kept(state, "22/10SS") == {(3519,)}
    for there in ("heavy woods", 2615), ("marsh and woods", 3015):
        start = there[1] + 100 - 1  # to the south-east, an odd column
        assert (there[1],) in kept(position(("22/10SS", start)), "22/10SS", start=start)


def test_sg_9_2_2c_supply_comes_before_zones():
    """Both hexes toward Stettin lie in a zone, all others are free: the way leads through the zone all the same."""
    state = position(("22/10SS", HEX), ("212/80", 3420))
    assert all(state.in_zone(place, SOVIET) for place in WEST)
    assert not state.in_zone(3720, SOVIET)
    assert kept(state, "22/10SS") == {(place,) for place in WEST}


def test_sg_12_3e_a_fortress_is_no_source_for_retreats():
    state = position(("22/10SS", HEX), ("F-Arnswalde", 3721))
    assert kept(state, "22/10SS") == {(place,) for place in WEST}


# The retreat itself


def test_sg_9_1_2_together_or_apart():
    d = beaten(("22/10SS", HEX), ("Schaefer", HEX), die=6, pinned=["Schaefer"])
    assert result(d) == "Dr1"
    assert rule_of(d, GERMAN, "retreat 22/10SS,Schaefer 3519") == ""
    d.order(GERMAN, "retreat 22/10SS 3519", "retreat Schaefer 3520")
    assert (where(d, "22/10SS"), where(d, "Schaefer")) == (3519, 3520)


def test_sg_9_2_refusals_name_the_rule_that_another_way_obeys():
    d = beaten(("Schaefer", HEX), ("Suelberg", 1020), die=2, order=f"{ATTACK} air 6GA,9GA")
    assert result(d) == "Dr1"
    assert rule_of(d, GERMAN, "retreat Schaefer 3621") == "SG-9.2.1"
    assert rule_of(d, GERMAN, "retreat Schaefer 3420") == "SG-9.2"
    assert rule_of(d, GERMAN, "retreat Suelberg 1019") == "SG-9.1.2"


def test_sg_9_2_1_a_refusal_names_the_source_that_counts():
    d = beaten(("Schaefer", HEX), die=2, order=f"{ATTACK} air 6GA,9GA")
    source = "the source of supply 0830 (Stettin: the nearest of 0114, 0117 and 0830)"
    assert f"Schaefer must retreat 1 hex from 3620, nearer to {source} if they can" in d.machine.prompt(GERMAN)
    (order,) = game.notation.parse("retreat Schaefer 3621", d.context(GERMAN))
    said = d.check(GERMAN, order)
    assert said.reason.endswith(f"another way, 3519, leads nearer to {source}, which comes before all else")


def test_sg_9_1_2_9_2_2b_what_each_way_costs_is_said_before():
    units = ("23/11SS", HEX), ("Voigt", HEX), ("212/80", 3419), ("356/80", 3421), ("33/12G", 3719), ("52G/12G", 3719)
    d = beaten(*units, die=5, order=f"{ATTACK},33/12G,52G/12G")
    assert result(d) == "Dr1"
    assert in_words(d.machine.prompt(GERMAN)).endswith(
        "At best Voigt and 23/11SS together, 3519, costs 1 step; Voigt alone, 3519, destroys it; 23/11SS alone, 3519, "
        "costs 1 step. Together they pay for an enemy zone once; alone, each pays."
    )
    (order,) = game.notation.parse("retreat Voigt 3519", d.context(GERMAN))
    assert d.machine.sentence(GERMAN, order) == (
        "Retreat Voigt 3620 > 3519, into an enemy zone of control in 3519 (SG-4.4), since no way back enters fewer, "
        "which destroys it."
    )


def test_sg_4_4_9_2_2b_case_10_a_step_in_all_for_each_hex_in_a_zone():
    """Two hexes in enemy zones: two steps of those who go together; where they go apart each pays."""
    foes = ("212/80", 3419), ("356/80", 3421)
    units = ("23/11SS", HEX), ("24/11SS", HEX), *foes
    two = beaten(*units, die=6, order=f"{ATTACK} power 6GA air 9GA", pinned=["23/11SS"])
    assert all(two.state.in_zone(place, SOVIET) for place in (*WEST, 3420))
    assert result(two) == "D1r2"
    two.order(GERMAN, "lose 23/11SS")
    two.order(GERMAN, "retreat 23/11SS,24/11SS 3519-3420")
    two.order(GERMAN, "lose 24/11SS", "lose 23/11SS")
    assert lost(two, "SG-4.4") == ["24/11SS", "23/11SS"]
    assert (where(two, "24/11SS"), steps(two, "24/11SS"), steps(two, "23/11SS")) == (3420, 1, 0)


def test_sg_4_4_the_report_tells_a_retreat_as_far_as_it_has_led():
    """A unit that is destroyed on the way is not said to have gone on."""
    foes = ("212/80", 3419), ("356/80", 3421)
    d = beaten(("23/11SS", HEX), ("24/11SS", HEX, 1), *foes, die=6, order=f"{ATTACK} power 6GA air 9GA",
               pinned=["23/11SS"])  # fmt: skip
    d.order(GERMAN, "retreat 23/11SS,24/11SS 3519-3420")
    d.order(GERMAN, "lose 24/11SS")
    assert [event.words() for event in d.happened if isinstance(event, StepLost | Retreated)][1:] == [
        "23/11SS and 24/11SS retreat: 3620 > 3519.",
        "24/11SS in 3519 loses its last step and is destroyed: it has entered an enemy zone of control (SG-4.4).",
        "23/11SS retreats: 3519 > 3420.",
        "23/11SS in 3420 loses its last step and is destroyed: it has entered an enemy zone of control (SG-4.4).",
    ]


def test_sg_9_1_2_9_2_2_the_usual_answer_parts_a_stack_rather_than_lose_a_step():
    """Together there is no room but a hex farther, in enemy zones; one by one each stops short of them."""
    held = ("8/4SS", 3519), ("7/4SS", 3520)
    foes = ("212/80", 3317), ("356/80", 3319), ("33/12G", 3321)
    d = combat(*ATTACKERS, ("22/10SS", HEX), ("21/10SS", HEX), *held, *foes, ("152", 3719), ("52G/12G", 3719),
               dice={HEX: 6})  # fmt: skip
    d.order(SOVIET, f"{ATTACK},152,52G/12G", "done")
    assert result(d) == "Dr1"
    assert {where(d, "22/10SS"), where(d, "21/10SS")} == WEST
    assert not lost(d, "SG-4.4")


def test_sg_9_2_2b_apart_each_pays():
    foes = ("212/80", 3419), ("356/80", 3421)
    units = ("23/11SS", HEX), ("24/11SS", HEX), *foes
    d = beaten(*units, ("33/12G", 3719), ("52G/12G", 3719), die=6, order=f"{ATTACK},33/12G,52G/12G")
    assert result(d) == "Dr1"
    d.order(GERMAN, "retreat 23/11SS 3519", "retreat 24/11SS 3520")
    assert lost(d, "SG-4.4") == ["23/11SS", "24/11SS"]
    assert (steps(d, "23/11SS"), steps(d, "24/11SS")) == (1, 1)


def test_sg_9_2_2b_a_friendly_unit_does_not_cancel_the_zone():
    d = combat(*ATTACKERS, ("Rehman/27SS", HEX), ("22/10SS", 3519), ("Klotz/23SS", 3520), ("212/80", 3419),
               ("356/80", 3421), dice={HEX: 5})  # fmt: skip
    d.order(SOVIET, ATTACK, "done")
    assert result(d) == "Dr1"
    assert lost(d, "SG-4.4") == ["Rehman/27SS"]


def test_sg_9_3_1_12_2_3_the_headquarters_of_the_stack_goes_along():
    d = beaten(("Rehman/27SS", HEX), ("39Pz-HQ", HEX), die=5)
    assert rule_of(d, GERMAN, "retreat Rehman/27SS 3519") == "SG-9.1.2"
    d.order(GERMAN, "retreat 39Pz-HQ,Rehman/27SS 3519")
    assert where(d, "39Pz-HQ") == where(d, "Rehman/27SS") == 3519


def test_sg_9_1_2_9_3_1_with_units_that_part_it_goes_with_either():
    """AMB-49."""
    d = beaten(("22/10SS", HEX), ("Schaefer", HEX), ("39Pz-HQ", HEX), die=6, pinned=["Schaefer"])
    assert rule_of(d, GERMAN, "retreat 39Pz-HQ,22/10SS 3519") == ""
    d.order(GERMAN, "retreat 22/10SS 3519")
    assert rule_of(d, GERMAN, "retreat Schaefer 3520") == "SG-9.1.2"
    d.order(GERMAN, "retreat 39Pz-HQ,Schaefer 3520")
    assert where(d, "39Pz-HQ") == 3520


def test_sg_9_3_2_a_retreat_captures_a_lone_headquarters():
    d = beaten(("Rehman/27SS", HEX), ("2GT-HQ", 3519), ("212/80", 3421), die=5)
    assert d.state.in_zone(3520, SOVIET)
    assert where(d, "Rehman/27SS") == 3519
    d.order(SOVIET, d.legal(SOVIET)[0])
    (left,) = told(d, PostLeft)
    assert (left.unit, left.hex, left.rule) == ("2GT-HQ", 3519, "SG-9.3.2")
    assert [event.unit for event in told(d, Reformed)] == ["2GT-HQ"]
    attack_0 = position(("Pommern", HEX), ("22/10SS", HEX), ("2GT-HQ", 3519))
    assert (3519,) not in lawful(attack_0, "Pommern")
    assert (3519,) in lawful(attack_0, "Pommern", "22/10SS")


RING = [("19GM/8GM", 3621), ("20GM/8GM", 3619), ("21GM/8GM", 3719), ("212/80", 3519), ("356/80", 3520)]


def test_sg_9_4_who_cannot_retreat_loses_a_step_and_stays():
    """One step in all (AMB-14), of a unit that the owner names; a city would not help."""
    d = beaten(("22/10SS", HEX), ("Schaefer", HEX), *RING, die=6, pinned=["Schaefer"])
    assert d.asked == (GERMAN,)
    assert [order.unit for order in d.legal(GERMAN)] == [number("22/10SS"), number("Schaefer")]
    d.order(GERMAN, "lose 22/10SS")
    assert lost(d, "SG-9.4") == ["22/10SS"]
    assert (where(d, "22/10SS"), where(d, "Schaefer"), steps(d, "22/10SS")) == (HEX, HEX, 1)


def test_sg_9_4_who_goes_one_hex_of_two_loses_one_step():
    """AMB-14: behind 35.19 and 35.20 all is full of enemies."""
    wall = [*zip(("212/80", "356/80", "415/9G", "23/89"), (3418, 3419, 3420, 3421), strict=True)]
    sides = [*zip(("185/77", "76/125"), (3518, 3521), strict=True)]
    state = position(("22/10SS", HEX), *RING[:3], *ATTACKERS, *wall, *sides)
    ways = ways_back(state, (number("22/10SS"),), HEX, 2)
    assert {way.path for way in ways.kept} == {(3519,), (3520,)}


def test_sg_6_2b_case_15_who_has_no_room_goes_one_hex_further_or_is_destroyed():
    full = ("69/28SS", 3519), ("70/28SS", 3519), ("28J/28SS", 3520), ("28P/28SS", 3520)
    state = position(("Rehman/27SS", HEX), *full)
    further = kept(state, "Rehman/27SS")
    assert further
    assert {len(path) for path in further} == {2}
    packed = [*zip(("Oehms/27SS", "27J/27SS", "27P/27SS", "Voigt", "Suelberg", "951P", "281P/281", "368/281",
                    "322/281", "418/281"), (3518, 3518, 3419, 3419, 3420, 3420, 3421, 3421, 3521, 3521),
                   strict=True)]  # fmt: skip
    d = beaten(("Rehman/27SS", HEX), *full, *packed, die=5)
    d.order(GERMAN, "retreat Rehman/27SS 3519")
    assert where(d, "Rehman/27SS") == 0
    assert lost(d, "SG-6.2") == ["Rehman/27SS"]


def test_sg_6_2b_9_2_with_one_friend_there_is_room():
    d = beaten(("Rehman/27SS", HEX), ("69/28SS", 3519), ("212/80", 3421), die=5)
    assert (where(d, "Rehman/27SS"), where(d, "69/28SS")) == (3519, 3519)
    assert not lost(d, "SG-6.2")


def test_sg_9_4_9_1_2_a_group_that_cannot_go_pays_and_leaves_nothing_behind():
    """The loss comes first, then the same step goes on."""
    state = position(("22/10SS", HEX), ("39Pz-HQ", HEX))
    units = tuple(sorted(map(number, ("22/10SS", "39Pz-HQ"))))
    frame = Retreat(GERMAN, HEX, units, 1, SOVIET)
    called = March().run(state, frame, Out())
    assert called.again
    assert (called.frame.rule, called.frame.units) == ("SG-9.4", (number("22/10SS"),))  # SG-12.2.1a: not of the other
    assert not isinstance(March().run(state, frame, Out()), Call)
    assert (frame.group, frame.path, frame.walked) == ((), (), 0)
    frame = Retreat(GERMAN, HEX, (), 2, SOVIET, group=(number("21/10SS"),), path=(3519,))  # dead on the way
    March().run(state, frame, Out())
    assert (frame.group, frame.path, frame.walked) == ((), (), 0)


def test_sg_9_4_9_1_2_who_goes_too_short_a_way_pays_once():
    state = position(("22/10SS", HEX))
    frame = Retreat(GERMAN, HEX, (), 2, SOVIET, group=(number("22/10SS"),), path=(3519,))
    called = March().run(state, frame, Out())
    assert (called.frame.rule, frame.walked, state.at(number("22/10SS"))) == ("SG-9.4", 2, 3519)


def test_sg_9_1_2_what_standing_orders_know_of_a_retreat():
    units = tuple(map(number, ("22/10SS", "39Pz-HQ")))
    frame = Retreat(GERMAN, HEX, units, 2, SOVIET)
    state = position(("22/10SS", HEX), ("39Pz-HQ", HEX))
    assert ChooseWay().facts(state, frame, GERMAN, {}) == {"attacks": 0, "hex": HEX, "units": 1, "length": 2}


def test_sg_9_4_12_2_1a_a_headquarters_pays_for_nobody():
    d = beaten(("22/10SS", HEX), ("39Pz-HQ", HEX), *RING, die=5)
    assert lost(d, "SG-9.4") == ["22/10SS"]
    assert steps(d, "39Pz-HQ") == 1
    state = position(("212/80", 3518), ("39Pz-HQ", HEX))
    frame = Retreat(GERMAN, HEX, (), 1, SOVIET, group=(number("22/10SS"), number("39Pz-HQ")), path=(3519,))
    assert state.in_zone(3519, SOVIET)
    assert March().run(state, frame, Out()) is DONE  # 22/10SS has been destroyed: nobody is left to pay


def test_sg_6_2b_8_6_4_volkssturm_without_room_does_not_go_to_its_box():
    full = ("69/28SS", 3519), ("70/28SS", 3519), ("28J/28SS", 3520), ("28P/28SS", 3520)
    packed = [*zip(("Oehms/27SS", "27J/27SS", "27P/27SS", "Voigt", "Suelberg", "951P", "281P/281", "368/281",
                    "322/281", "418/281"), (3518, 3518, 3419, 3419, 3420, 3420, 3421, 3421, 3521, 3521),
                   strict=True)]  # fmt: skip
    d = beaten(("Pommern", HEX), *full, *packed, die=1)
    assert result(d) == "Dr1"
    d.order(GERMAN, "retreat Pommern 3519")
    assert lost(d, "SG-6.2") == ["Pommern"]
    assert where(d, "Pommern") == 0


def test_sg_6_2b_volkssturm_without_room_is_not_lost_in_combat():
    """SG-12.4a speaks of losses in combat."""
    state = position(("Pommern", HEX))
    state.lose_step(number("Pommern"), in_combat=False)
    assert state.at(number("Pommern")) != VOLKSSTURM_BOX


def test_sg_6_3c_of_two_headquarters_the_one_that_has_moved_goes_on():
    units = ("Rehman/27SS", HEX), ("39Pz-HQ", HEX), ("3SSPz-HQ", 3519), ("212/80", 3421)
    d = beaten(*units, die=5)
    assert where(d, "3SSPz-HQ") == where(d, "Rehman/27SS") == 3519
    assert not {3519, 3521} & {order.to for order in d.legal(GERMAN)}
    assert not any(d.state.in_zone(order.to, SOVIET) for order in d.legal(GERMAN))
    d.order(GERMAN, d.legal(GERMAN)[0])
    assert CHART.board.grid.distance(3519, where(d, "39Pz-HQ")) == 1
    assert not d.state.in_zone(where(d, "39Pz-HQ"), SOVIET)


def test_sg_6_3c_combat_units_stay_where_two_headquarters_meet():
    """Only the headquarters that came with them goes on."""
    state = position(("22/10SS", 3519), ("39Pz-HQ", 3519), ("3SSPz-HQ", 3519))
    group = number("22/10SS"), number("39Pz-HQ")
    frame = Retreat(GERMAN, HEX, (), 1, SOVIET, group=group, walked=1)
    called = March().run(state, frame, Out())
    assert (called.frame.posts, called.frame.origins) == ((number("39Pz-HQ"),), (3519,))
    assert called.frame.beside
    assert called.frame.taken
    for post in ("39Pz-HQ", "3SSPz-HQ"):  # both have gone to reform meanwhile
        state.put(number(post), REFORMING)
    assert March().run(state, Retreat(GERMAN, HEX, (), 1, SOVIET, group=group, walked=1), Out()) is DONE
    assert state.at(number("22/10SS")) == 3519


def test_sg_9_5_1_attackers_in_a_settlement_retreat_in_full():
    d = combat(("212/80", 2015), ("22/10SS", 2016), dice={2016: 1})
    d.order(SOVIET, "attack 2016 with 212/80", "done")
    assert result(d) == "A1r1"
    assert where(d, "212/80") != 2015


def test_sg_9_1_2_together_out_of_zones_or_toward_a_source_or_apart():
    units = tuple(sorted((number("22/10SS"), number("Schaefer"))))
    state = position(("22/10SS", HEX), ("Schaefer", HEX), ("212/80", 3720), ("356/80", 3518))
    frame = Retreat(GERMAN, HEX, units, 1, SOVIET)
    found = ChooseWay().answers(state, frame, GERMAN, {})
    assert [found[name].units for name in ("safest", "nearest")] == [units, units]
    assert len(found["apart"].units) == 1
    ends = {order.path[-1] for order in ChooseWay().options(state, frame, GERMAN)}
    hot = {end for end in ends if state.in_zone(end, SOVIET)}
    assert hot < ends
    assert found["safest"].path[-1] not in hot


@pytest.mark.parametrize(("words", "end"), [("then nearest", 1), ("then apart", 2)])
def test_standing_orders_say_how_a_side_retreats(words, end):
    d = combat(*ATTACKERS, ("22/10SS", HEX), ("Schaefer", HEX), dice={HEX: 6}, pinned=["Schaefer"])
    d.stand(GERMAN, "retreat", words)
    d.order(SOVIET, ATTACK, "done")
    places = {where(d, "22/10SS"), where(d, "Schaefer")}
    assert len(places) <= end
    assert places <= WEST
