"""SG-10: who may advance when a battle has emptied a hex, how far, and what stops them."""

from __future__ import annotations

import pytest
from sg_plain import GERMAN, SOVIET, combat, number, position, rule_of, where

from pbem.kit import COMBATS
from pbem_rules.stargard.advance import FollowUp, limit, paths
from pbem_rules.stargard.events import Advanced, Fought, Reformed
from pbem_rules.stargard.frames import Battle
from pbem_rules.stargard.orders import Done, Follow

HEX, EAST, WEST, FAR = 3620, 3720, 3520, 3421


def told(d, kind):
    return [event for event in d.happened if isinstance(event, kind)]


def beaten(*units, die=6, target=HEX, result="", **kept):
    """All Soviet units attack; their owner is asked who advances."""
    d = combat(*units, dice={target: die}, **kept)
    codes = ",".join(code for code, *_ in units if not code.endswith("HQ") and number(code) in d.activation.able)
    d.order(SOVIET, f"attack {target} with {codes} ask", "done")
    if result:
        assert told(d, Fought)[0].result == result
    return d


def ways(d, code):
    return {order.path for order in d.legal(SOVIET) if isinstance(order, Follow) and order.unit == number(code)}


TANKS = ("40GT/11GT", EAST), ("44GT/11GT", EAST)
WEAK = ("22/10SS", HEX, 1)


def test_sg_10_0a_the_attacker_may_advance_within_stacking_and_need_not():
    d = beaten(("150/79", EAST), ("171/79", EAST), ("33/12G", 3719), WEAK)
    assert Done() in d.legal(SOVIET)
    d.order(SOVIET, f"advance 150/79 {HEX}", f"advance 171/79 {HEX}")
    assert d.asked == ()  # two stand there
    assert (where(d, "150/79"), where(d, "171/79"), where(d, "33/12G")) == (HEX, HEX, 3719)
    d = beaten(("150/79", EAST), ("171/79", EAST), WEAK)
    d.order(SOVIET, "done")
    assert where(d, "150/79") == where(d, "171/79") == EAST


def test_sg_10_0a_nobody_advances_while_a_defender_is_left():
    d = combat(("150/79", EAST), ("171/79", EAST), ("23/11SS", HEX), ("24/11SS", HEX), dice={HEX: 4})
    d.order(SOVIET, f"attack {HEX} with 150/79,171/79 advance 150/79,{HEX}", "done")
    assert told(d, Fought)[0].result == "A1/D1"
    assert not told(d, Advanced)


def test_sg_10_0a_8_2b_the_lowest_die_can_empty_a_hex_too():
    """7:1 and a one: the defender retreats."""
    d = combat(*TANKS, ("HessenI", HEX), dice={HEX: 1})
    d.order(SOVIET, f"attack {HEX} with 40GT/11GT,44GT/11GT advance 40GT/11GT,{HEX}", "done")
    assert told(d, Fought)[0].result == "Dr1"
    assert where(d, "40GT/11GT") == HEX


@pytest.mark.parametrize(
    ("words", "far"), [("then strongest", 1), ("when gone < 1 then deep; then done", 2), ("then done", 0)]
)
def test_sg_10_0a_standing_orders_say_who_advances(words, far):
    """The strongest, into the hex or as far as it gets; nobody."""
    d = combat(("212/80", EAST), ("40GT/11GT", EAST), ("85T", 3719), ("Schaefer", HEX), dice={HEX: 3})
    d.stand(SOVIET, "advance", words)
    d.order(SOVIET, f"attack {HEX} with 212/80,40GT/11GT,85T", "done")
    assert told(d, Fought)[0].result == "Dr1"
    way = [len(event.path) - 1 for event in told(d, Advanced) if event.unit == "40GT/11GT"]
    assert way == [far] * (far > 0)
    assert bool(told(d, Advanced)) is (far > 0)


def test_sg_10_0b_the_hex_that_was_attacked_comes_first():
    d = beaten(*TANKS, WEAK)
    assert rule_of(d, SOVIET, f"advance 40GT/11GT {WEST}") == "SG-10.0b"
    assert rule_of(combat(*TANKS, WEAK), SOVIET, f"attack {HEX} with 40GT/11GT advance 40GT/11GT,{WEST}") == "SG-10.0b"


def test_sg_10_0c_4_6_2_an_advance_costs_nothing_and_zones_do_not_matter():
    """A fortified region of three points, from a zone into a zone, through a marsh."""
    foes = ("23/11SS", 2914), ("24/11SS", 2715)
    d = beaten(("115UR", 2814), ("150/79", 2814), ("171/79", 2915), ("22/10SS", 2815, 1), *foes, target=2815)
    assert d.state.in_zone(2814, GERMAN)
    assert d.state.in_zone(2815, GERMAN)
    d.order(SOVIET, "advance 115UR 2815")
    assert where(d, "115UR") == 2815


def test_sg_10_1_defenders_never_advance():
    d = combat(("85T", EAST), ("23/11SS", HEX), dice={HEX: 1}, asked=COMBATS)
    d.order(SOVIET, f"attack {HEX} with 85T", "done")
    assert where(d, "85T") == 0
    assert d.asked == ()
    assert where(d, "23/11SS") == HEX


def test_sg_10_2_12_2_4_a_headquarters_advances_with_units_of_its_stack():
    """Two hexes with mechanised ones; not where none of them has gone, and not from another hex."""
    d = beaten(*TANKS, ("1GT-HQ", EAST), ("2GT-HQ", 3719), ("Schaefer", HEX), die=4, result="Dr1")
    assert ways(d, "1GT-HQ") == ways(d, "2GT-HQ") == set()
    (deep,) = {path for path in ways(d, "40GT/11GT") if path[-1:] == (3621,)}
    d.order(SOVIET, Follow(number("40GT/11GT"), deep))
    assert ways(d, "1GT-HQ") == {deep}
    assert ways(d, "2GT-HQ") == set()
    d.order(SOVIET, Follow(number("1GT-HQ"), deep))
    assert where(d, "1GT-HQ") == where(d, "40GT/11GT") == 3621


def test_sg_10_3a_case_34_two_hexes_if_a_defender_has_retreated():
    """AMB-26: one where all defenders were destroyed."""
    gone = beaten(*TANKS, WEAK, result="D2r3")
    assert where(gone, "22/10SS") == 0
    assert {len(path) for path in ways(gone, "40GT/11GT")} == {1}
    back = beaten(*TANKS, ("Schaefer", HEX), die=4, result="Dr1")
    assert {len(path) for path in ways(back, "40GT/11GT")} == {1, 2}


def test_sg_10_3a_a_defender_that_could_not_retreat_has_not_retreated():
    """It is destroyed where it stands (SG-9.4): one hex."""
    ring = ("19GM/8GM", 3621), ("20GM/8GM", 3619), ("21GM/8GM", 3719), ("212/80", 3519), ("356/80", 3520)
    d = combat(*TANKS, *ring, ("Schaefer", HEX), dice={HEX: 4})
    d.order(SOVIET, f"attack {HEX} with 40GT/11GT,44GT/11GT ask", "done")
    assert told(d, Fought)[0].result == "Dr1"
    assert where(d, "Schaefer") == 0
    assert {len(path) for path in ways(d, "40GT/11GT")} == {1}


def test_sg_10_0a_zones_on_the_hex_are_counted_for_standing_orders():
    foe = ("23/11SS", 3520)
    for foes, zones in (((), 0), ((foe,), 1), ((foe, ("Pommern", 3520)), 0), ((foe, ("24/11SS", 3519)), 2)):
        frame = Battle(seat=SOVIET, ask=False, target=HEX, units=(number("40GT/11GT"),), defenders=())
        facts = FollowUp().facts(position(*TANKS, *foes), frame, SOVIET, {})
        assert facts == {"gone": 0, "hex": HEX, "prize": 0, "zones": zones}
    frame = Battle(seat=SOVIET, target=2015, units=(), defenders=())
    assert FollowUp().facts(position(*TANKS), frame, SOVIET, {})["prize"] == 1
    frame = Battle(seat=SOVIET, target=2410, units=(), defenders=())  # across the Oder no zone reaches
    assert FollowUp().facts(position(*TANKS, ("23/11SS", 2411)), frame, SOVIET, {})["zones"] == 0


def test_sg_10_3a_one_defender_that_has_retreated_is_enough():
    frame = Battle(seat=SOVIET, target=HEX, units=(), defenders=tuple(map(number, ("22/10SS", "21/10SS"))))
    state, tank = position(*TANKS), number("40GT/11GT")
    assert limit(state, frame, tank) == 1
    frame.retreated = (number("21/10SS"),)
    assert limit(state, frame, tank) == 2


def test_sg_10_0a_who_may_advance_at_all():
    """Attackers on the map that have neither retreated nor advanced, into a hex that is empty."""
    state = position(*TANKS, ("F-Arnswalde", EAST), ("85T", 3719))
    unit, other = number("40GT/11GT"), number("44GT/11GT")
    units = (unit, number("79GT"), number("F-Arnswalde"))

    def found(**kept):
        frame = Battle(seat=SOVIET, target=HEX, units=units, defenders=(), won=True)
        for name, value in kept.items():
            setattr(frame, name, value)
        return [each for each in (*units, other, number("85T")) if next(paths(state, frame, each), None)]

    assert found() == [unit]
    assert found(won=False) == found(advanced=(unit,)) == found(retreated=(unit,)) == []


def test_sg_10_0a_the_strongest_by_attack_and_defence_together():
    """SG-10.2: before its headquarters. 5-6 beats 7-3."""
    state = position(("212/80", EAST), ("6GT", EAST), ("115UR", 3719), ("61-HQ", EAST))
    units = tuple(map(number, ("6GT", "212/80", "115UR")))
    frame = Battle(seat=SOVIET, target=HEX, units=units, defenders=(), won=True)
    assert FollowUp().answers(state, frame, SOVIET, {})["strongest"] == Follow(number("212/80"), (HEX,))
    assert Done() in FollowUp().legal(state, frame, SOVIET, {})


def test_sg_10_0a_10_0b_10_3_1_10_5_which_rule_forbids_an_advance():
    """SG-10.2: a headquarters goes as far as its units, so that the limit of its own is none."""
    tank, post = number("40GT/11GT"), number("1GT-HQ")

    def refused(unit, *path, start=EAST, target=HEX, fled=True, gone=()):
        state = position(("40GT/11GT", start), ("1GT-HQ", start), ("Schaefer", 3517))
        schaefer = number("Schaefer")
        frame = Battle(seat=SOVIET, target=target, units=(tank,), defenders=(schaefer,), won=True)
        frame.posts, frame.mates, frame.retreated = (post,), ((tank,),), (schaefer,) * fled
        if gone:
            frame.advanced = (tank,)
            state.put(tank, gone[-1])
        wrong = FollowUp().check(state, frame, SOVIET, Follow(unit, path), {})
        return wrong.rule if wrong else ""

    assert refused(tank, HEX) == refused(tank, HEX, 3621) == refused(post, HEX, gone=(HEX,)) == ""
    assert refused(post, HEX) == refused(tank, HEX, gone=(HEX,)) == "SG-10.0a"
    assert refused(tank) == refused(tank, 3621) == refused(tank, 3621, HEX) == "SG-10.0b"
    assert refused(tank, 2015, 2016, start=2014, target=2015) == "SG-10.3.1"
    assert refused(tank, HEX, 3621, fled=False) == refused(tank, HEX, 3621, 3622) == "SG-10.3"
    assert refused(tank, HEX, 3622) == refused(post, HEX, 3619, gone=(HEX, 3621)) == "SG-10.5"
    assert refused(post, HEX, 3621, 3622, gone=(HEX, 3621)) == "SG-10.5"


def test_sg_10_3b_they_may_end_in_different_hexes():
    d = beaten(*TANKS, ("Schaefer", HEX), die=4, result="Dr1")
    d.order(SOVIET, f"advance 40GT/11GT {HEX}-3621", f"advance 44GT/11GT {HEX}-3619")
    assert (where(d, "40GT/11GT"), where(d, "44GT/11GT")) == (3621, 3619)


@pytest.mark.parametrize("mark", ["cut", "isolated"])
def test_sg_10_3c_11_3_3_one_hex_out_of_supply(mark):
    units = (("40GT/11GT", EAST), ("150/79", EAST), ("171/79", 3719), ("Schaefer", HEX))
    d = beaten(*units, die=3, result="Dr1", **{mark: ["40GT/11GT"]})
    assert {len(path) for path in ways(d, "40GT/11GT")} == {1}
    assert rule_of(d, SOVIET, f"advance 40GT/11GT {HEX}-3621") == "SG-10.3"


@pytest.mark.parametrize(
    ("start", "target", "far"),
    [(2014, 2015, 1), (2214, 2215, 1), (2414, 2415, 1), (2010, 2011, 1), (2210, 2211, 2), (EAST, HEX, 2)],
)
def test_sg_10_3_1_case_24_settlements_and_rivers_stop_the_first_hex(start, target, far):
    """Village, town, city; a minor river without a bridge; one with a bridge; clear ground."""
    fire = ("19GM/8GM", target + 1), ("20GM/8GM", target + 1), ("21GM/8GM", target + 100)
    tanks = ("40GT/11GT", start), ("44GT/11GT", start)
    d = combat(*tanks, *fire, ("Rehman/27SS", target), dice={target: 4}, pinned=["Rehman/27SS"])
    codes = ",".join(code for code, _ in (*tanks, *fire))
    d.order(SOVIET, f"attack {target} with {codes} power 6GA,9GA ask", "done")
    assert told(d, Fought)[0].result == "D1r2"
    assert max(len(path) for path in ways(d, "40GT/11GT")) == far


def test_sg_10_4_others_advance_one_hex():
    d = beaten(("40GT/11GT", EAST), ("150/79", EAST), ("Schaefer", HEX), die=4, result="Dr1")
    assert {len(path) for path in ways(d, "150/79")} == {1}
    assert {len(path) for path in ways(d, "40GT/11GT")} == {1, 2}


def test_sg_10_5_10_5_1_not_where_it_could_not_go():
    """Second hexes: neither water nor a transit hex, nor across the Oder without a bridge."""
    tanks = ("40GT/11GT", 2910), ("44GT/11GT", 2910)
    d = beaten(*tanks, ("Schaefer", 2909), die=4, target=2909, result="Dr1")
    seconds = {path[1] for path in ways(d, "40GT/11GT") if len(path) == 2}
    assert seconds
    assert not {3008, 2808} & seconds
    assert rule_of(d, SOVIET, "advance 40GT/11GT 2909-3008") == "SG-10.5"
    d = beaten(("40GT/11GT", 2412), ("44GT/11GT", 2412), ("Schaefer", 2411), die=4, target=2411, result="Dr1")
    seconds = {path[1] for path in ways(d, "40GT/11GT") if len(path) == 2}
    assert 2410 not in seconds
    assert {2310, 2510} & seconds


def test_sg_12_2_6_an_advance_captures_a_lone_headquarters():
    d = beaten(*TANKS, ("Schaefer", HEX), ("39Pz-HQ", 3619), die=4, result="Dr1")
    d.order(SOVIET, f"advance 40GT/11GT {HEX}-3619", "done")
    assert where(d, "40GT/11GT") == 3619
    if d.asked == (GERMAN,):
        d.order(GERMAN, d.legal(GERMAN)[0])
    assert [event.unit for event in told(d, Reformed)] == ["39Pz-HQ"]


def test_sg_8_1_1a_attackers_that_had_to_retreat_do_not_advance():
    """Ar/D1: though the loss empties the hex."""
    d = beaten(("212/80", EAST), ("356/80", EAST), ("Schaefer", HEX), die=3, result="Ar/D1")
    d.order(SOVIET, d.legal(SOVIET)[0])
    assert where(d, "Schaefer") == 0
    assert where(d, "212/80") != EAST
    assert d.asked == ()


def test_sg_10_0a_what_the_entry_orders_is_done_as_far_as_it_can_be():
    d = combat(*TANKS, WEAK, dice={HEX: 6})
    text = f"attack {HEX} with 40GT/11GT,44GT/11GT advance 40GT/11GT,{HEX},3621"
    d.stand(SOVIET, "advance", "then strongest")  # for entries that say nothing
    d.order(SOVIET, text, "done")
    assert where(d, "40GT/11GT") == HEX  # the defenders are destroyed: one hex
    assert where(d, "44GT/11GT") == EAST
