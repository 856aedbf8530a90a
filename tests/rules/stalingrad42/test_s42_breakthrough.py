"""S42-15: breakthrough combat."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_combat import CHART, Table, combat
from s42_positions import AXIS, SOVIET, number, position
from test_s42_combat import rule_of, steps, where

from pbem.game import Event, Reckoning
from pbem_rules.stalingrad42.combat.odds import beyond
from pbem_rules.stalingrad42.events import Advanced, BreakthroughEnded, BrokeThrough, Fought, Stood
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.looking import looking
from pbem_rules.stalingrad42.orders import Attack, Break, Done, Follow, Spare, Storm
from pbem_rules.stalingrad42.state import DISRUPTED, ROUTED, State

WEST, HEX = 3417, 3418
GROUP = (("9Pz", WEST), ("11Pz", WEST), ("57ID", WEST))  # 26, with two columns for tanks
FIRST = ("45RD", HEX)  # 26:5 = 5:1, 7:1: a 1 brings DS, a 4 DR4, a 6 D1
ALL = f"attack {HEX} with 9pz 11pz 57id"


def fights(d: Table) -> list[tuple[int, tuple[str, ...], str]]:
    """Where, by whom and with which result, the first attack too."""
    return [(each.hex, each.units, each.result) for each in d.seen(Fought)]


def ended(d: Table) -> list[str]:
    return [each.why for each in d.seen(BreakthroughEnded)]


def test_s42_15_2_3a_15_2_4_formed_in_the_emptied_hex_and_on_with_the_last_hex() -> None:
    """DS, four hexes: one to form, two on, the last for a breakthrough; what it empties is entered free."""
    axis = ("9Pz", WEST), ("11Pz", WEST), ("3PzG", WEST), ("45ID", 3518)
    d = combat(*axis, FIRST, ("62RD", 3421), dice={HEX: 1}, through={3421: 1})
    way = f"{HEX}-3419-3420-3421"
    d.type(f"attack {HEX} with 9pz 11pz 3pzg 45id break 9pz 11pz 3pzg via {way} advance 45id {HEX} 3419\ndone")
    assert [place for place, *_ in fights(d)] == [HEX, 3421]
    assert "26 to 5 = 5:1, tanks +1 (S42-9.2.1), elite tanks +1 (S42-9.2.2): column 7:1" in d.seen(Fought)[1].odds
    assert where(d, "9Pz") == where(d, "11Pz") == 3421
    assert where(d, "45ID") == 3419
    assert not ended(d)


def test_s42_15_2_4_15_2_8a_15_2_8b_three_breakthroughs_one_from_the_same_hex() -> None:
    """DS, four hexes: the emptied hex, X without entering it, Y, Z; every unit pays for itself."""
    soviets = ("62RD", 3519, 1), ("121RD", 3419, 1), ("13GRD", 3420, 1)
    d = combat(*GROUP, FIRST, *soviets, dice={HEX: 1}, through={3519: 1, 3419: 1, 3420: 1})
    d.type(f"{ALL} break 9pz 11pz 57id via {HEX}-3519-{HEX}-3419-3420\ndone")
    armour = ("9Pz", "11Pz")
    assert fights(d) == [
        (HEX, ("9Pz", "11Pz", "57ID"), "DS"),
        (3519, ("9Pz", "11Pz", "57ID"), "DS"),
        (3419, armour, "DS"),
        (3420, armour, "DS"),
    ]
    assert where(d, "9Pz") == where(d, "11Pz") == 3420
    assert where(d, "57ID") == HEX  # S42-14.2.2: two hexes, and both are spent
    assert [each.path for each in d.seen(BrokeThrough)] == [(WEST, HEX), (HEX, 3419), (3419, 3420)]


@pytest.mark.parametrize(
    ("way", "end"),
    [
        (f"{HEX}-3419-3420-3421", 3420),  # a D1 gives three
        ("3318-3319-3320", 3319),  # without the emptied hex one of them is lost
    ],
)
def test_s42_15_2_3b_15_2_4_who_does_not_enter_the_emptied_hex_pays_a_hex(way: str, end: int) -> None:
    d = combat(*GROUP, FIRST, dice={HEX: 6}, turn=1)
    d.type(f"{ALL} break 9pz 11pz via {way} advance 57id 3318 3319\ndone")
    assert d.seen(Fought)[0].result == "D1"
    assert (where(d, "9Pz"), where(d, "57ID")) == (end, 3319)  # who is not of the group pays nothing
    assert ended(d) == ["no hexes of advance are left"]


def change(s: State, code: str, **values: int | bool) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], **values))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("die", "result", "goes"),
    [(2, "DS", True), (4, "DR4", True), (5, "D1*", True), (6, "D1", True)],
)
def test_s42_15_1_two_hexes_of_advance_or_more(die: int, result: str, goes: bool) -> None:
    d = combat(*GROUP, FIRST, dice={HEX: die}, turn=1)
    d.type(f"{ALL} break 9pz via {HEX}-3419\ndone")
    assert d.seen(Fought)[0].result == result
    assert bool(d.seen(BrokeThrough)) == goes


def test_s42_15_1_11_6_1c_not_in_a_limited_advance_nor_in_a_delay() -> None:
    """An exchange leaves the hex empty; a delay gives one hex."""
    d = combat(("45ID", WEST, 2), ("45RD", HEX, 1), dice={HEX: 4})
    d.type(f"attack {HEX} with 45id break 45id via {HEX}-3419\ndone")
    assert d.seen(Fought)[0].result == "EX"
    assert not d.seen(BrokeThrough)
    assert where(d, "45ID") == WEST
    d = combat(("45ID", WEST), ("75ID", WEST), ("45RD", HEX), dice={HEX: 3}, stand=(5,), turn=8)
    d.stand(SOVIET, "defence", "then hold", sealed=True)
    d.type(f"attack {HEX} with 45id 75id break 45id via {HEX}-3419\ndone")
    assert [each.outcome for each in d.seen(Stood)] == ["P"]
    assert not d.seen(BrokeThrough)


@pytest.mark.parametrize(("die", "goes"), [(1, True), (4, False)])
def test_s42_15_1_rain_halves_first(die: int, goes: bool) -> None:
    """Two of four hexes are enough, one of two is not."""
    s = position(("9Pz", WEST), ("45RD", HEX))
    s.wet = True
    d = combat(state=s, dice={HEX: die})  # 10:5, two columns: 4:1
    d.type(f"attack {HEX} with 9pz break 9pz via {HEX}-3419\ndone")
    assert d.seen(Fought)[0].result == {1: "DR4", 4: "A1/D1"}[die]
    assert bool(d.seen(BrokeThrough)) == goes


def test_s42_15_2_1_the_group_ends_before_the_others_advance() -> None:
    d = combat(*GROUP, FIRST, ("62RD", 3419, 1), dice={HEX: 1}, through={3419: 1})
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419 advance 57id {HEX} 3419\ndone")
    kinds = [type(each) for each in d.seen(Event) if isinstance(each, Fought | BrokeThrough | Advanced)]
    assert kinds == [Fought, BrokeThrough, Fought, BrokeThrough, Advanced]
    assert where(d, "57ID") == 3419  # into the hex that the group has opened


@pytest.mark.parametrize(
    ("breaks", "rule"),
    [
        ("break 9pz via 3418", ""),
        ("break 9pz", "S42-15.2"),
        ("via 3418", "S42-15.2"),
        ("break 3pz via 3418", "S42-15.2.3"),
        ("break 57id via 3418", "S42-15.2.3"),
        ("break 9pz via 3418-3419-3420-3421-3422-3423-3424-3425-3426", "S42-15.2.4"),
    ],
)
def test_s42_15_2_2_and_15_2_3_who_can_be_ordered(breaks: str, rule: str) -> None:
    d = combat(*GROUP, ("3Pz", WEST), FIRST)
    assert rule_of(d, f"attack {HEX} with 9pz 11pz {breaks}") == rule


def test_s42_15_2_3a_formed_in_the_emptied_hex_from_several_or_one_stack_as_it_stands() -> None:
    units = ("9Pz", WEST), ("11Pz", 3317), ("57ID", 3318)
    d = combat(*units, FIRST, ("11Pz", 3318), dice={HEX: 1})
    d.type(f"attack {HEX} with 9pz 11pz 57id break 9pz 11pz via {HEX}-3419\ndone")
    assert where(d, "9Pz") == where(d, "11Pz") == 3419
    d = combat(*units, FIRST, ("11Pz", 3318), dice={HEX: 1})
    assert rule_of(d, f"attack {HEX} with 9pz 11pz 57id break 9pz 11pz via 3319-3320") == "S42-15.2.3"
    d.type(f"attack {HEX} with 9pz 11pz 57id break 11pz 57id via 3319-3320\ndone")
    assert (where(d, "9Pz"), where(d, "11Pz"), where(d, "57ID")) == (WEST, 3320, 3319)


def test_s42_15_2_3a_a_way_back_to_where_one_of_them_stood_is_gone_by_all() -> None:
    soviets = FIRST, ("62RD", 3416, 1)
    d = combat(("9Pz", WEST), ("11Pz", 3518), ("57ID", 3518), *soviets, dice={HEX: 1}, through={3416: 1})
    d.type(f"{ALL} break 9pz 11pz via {HEX}-{WEST}-3416\ndone")
    assert [each.path for each in d.seen(BrokeThrough)] == [(WEST, HEX), (3518, HEX), (HEX, WEST), (WEST, 3416)]
    assert where(d, "11Pz") == 3416


def test_s42_15_2_3a_within_the_limit_of_stacking() -> None:
    four = ("9Pz", WEST), ("11Pz", WEST), ("57ID", 3318), ("45ID", 3318)
    d = combat(*four, FIRST, dice={HEX: 1})
    d.type(f"attack {HEX} with 9pz 11pz 57id 45id break 9pz 11pz 57id 45id via {HEX}-3419\ndone")
    assert ended(d) == [f"no way leads on to {HEX}, or there is no room"]
    assert where(d, "9Pz") == WEST


def test_s42_15_2_4_a_breakthrough_from_the_start_costs_two() -> None:
    """D1, three hexes: one for turning aside, one for the combat; the hex is free, one is left."""
    d = combat(*GROUP, FIRST, ("62RD", 3518, 1), dice={HEX: 6}, through={3518: 1}, turn=1)
    d.type(f"{ALL} break 9pz 11pz via 3518-3618-3619\ndone")
    assert fights(d)[1:] == [(3518, ("9Pz", "11Pz"), "DS")]
    assert where(d, "9Pz") == 3618
    assert ended(d) == ["no hexes of advance are left"]


def test_s42_15_2_4_who_has_no_hexes_left_does_not_help() -> None:
    """Infantry that has formed in the emptied hex and fought once is through."""
    d = combat(*GROUP, FIRST, ("62RD", 3419, 1), ("121RD", 3420), dice={HEX: 1}, through={3419: 1, 3420: 4})
    d.type(f"{ALL} break 9pz 57id via {HEX}-3419-3420 \ndone")
    assert [units for _, units, _ in fights(d)[1:]] == [("9Pz", "57ID"), ("9Pz",)]
    assert where(d, "57ID") == 3419


def test_s42_15_2_5a_even_those_who_have_just_retreated_or_been_attacked() -> None:
    s = position(*GROUP, FIRST, ("62RD", 3419), ("45ID", 3420))
    frame = PlayerTurn(AXIS)
    frame.attacked.add(number("62RD"))
    s.fled.add(number("62RD"))
    d = combat(state=s, frame=frame, dice={HEX: 1}, through={3419: 1})
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419\ndone")
    assert fights(d)[1] == (3419, ("9Pz", "11Pz"), "DS")
    assert d.seen(Fought)[1].defenders == ("62RD",)


def test_s42_15_2_6_14_4_2b_an_enemy_zone_holds_the_group_until_it_has_emptied_the_hex() -> None:
    """62RD in 3520 has a zone over 3419 and 3420; 121RD behind it has one over 3520."""
    units = (*GROUP, FIRST, ("62RD", 3520, 1))
    d = combat(*units, dice={HEX: 1})
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419-3420\ndone")
    assert where(d, "9Pz") == 3419
    assert ended(d) == ["no way leads on to 3420, or there is no room"]
    d = combat(*units, dice={HEX: 1}, through={3520: 1})
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419-3520-3419-3420\ndone")
    assert where(d, "9Pz") == 3420  # all zones are gone from 3419
    d = combat(*units, ("121RD", 3519), dice={HEX: 1}, through={3520: 1})
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419-3520-3419-3420\ndone")
    assert where(d, "9Pz") == 3419  # another one has a zone there
    d = combat(*units, ("121RD", 3620), dice={HEX: 1}, through={3520: 1})
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419-3520-3521\ndone")
    assert where(d, "9Pz") == 3520  # another one has a zone over the hex that was emptied


def test_s42_15_2_6_not_in_the_hex_first_emptied() -> None:
    d = combat(*GROUP, FIRST, ("62RD", 3519, 1), dice={HEX: 1})
    assert d.state.zone(SOVIET) & CHART.board.bit[HEX]
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3318-3319\ndone")
    assert where(d, "9Pz") == 3319


@pytest.mark.parametrize(
    ("way", "end"),
    [
        (f"{HEX}-3419-3420-3421", 3419),  # it enters, and stops
        (f"{HEX}-3419-{HEX}-3318", HEX),  # it stays, and does not go on
    ],
)
def test_s42_15_2_7_a_result_of_two_hexes_ends_it(way: str, end: int) -> None:
    """10:5, two columns: 4:1, A1/D1."""
    d = combat(*GROUP, FIRST, ("62RD", 3419), dice={HEX: 1}, through={3419: 4}, turn=1)
    d.type(f"{ALL} break 9pz via {way}\ndone")
    assert d.seen(Fought)[1].result == "A1/D1"
    assert where(d, "9Pz") == end
    assert not ended(d)


def test_s42_15_2_7_a_defence_that_holds_or_delays_ends_it() -> None:
    d = combat(*GROUP, FIRST, ("62RD", 3419), ("13GRD", 3419), dice={HEX: 1}, through={3419: 3}, turn=8)
    d.chance.rolls[f"t8/{AXIS}/3419/break1/stand0"] = (6,)  # type: ignore[attr-defined]
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419-3420\ndone")
    assert d.seen(Fought)[1].result == "D1"
    assert [each.outcome for each in d.seen(Stood)] == ["S"]
    assert where(d, "9Pz") == HEX


def test_s42_15_2_8a_15_2_8b_three_or_four_hexes_in_print_let_it_go_on_with_what_it_has() -> None:
    """In rain four hexes are two: one to form, one to fight; the printed three of the second result do not add any."""
    s = position(*GROUP, FIRST, ("62RD", 3419))
    s.wet = True
    d = combat(state=s, dice={HEX: 1}, through={3419: 5}, turn=1)
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419-3420\ndone")
    assert (d.seen(Fought)[1].result, where(d, "9Pz")) == ("D1", 3419)
    assert ended(d) == ["no hexes of advance are left"]


def test_s42_15_2_9a_15_2_5b_no_breakthrough_over_a_major_river_without_a_bridge() -> None:
    """3515 and 3516 lie on both sides of one; a road leads from 3515 to 3615."""
    d = combat(("9Pz", 3517), ("11Pz", 3517), ("45RD", 3516), ("62RD", 3515, 1), dice={3516: 2}, through={3515: 1})
    d.type("attack 3516 with 9pz 11pz break 9pz 11pz via 3516-3515\ndone")
    assert "major river" in ended(d)[0]
    assert where(d, "9Pz") == 3516


def test_s42_15_2_9b_marsh_ends_it_unless_a_road_leads_in() -> None:
    s = position(("9Pz", 3530), ("11Pz", 3530), ("45RD", 3531), ("62RD", 3533, 1))
    s.rained = True
    d = combat(state=s, dice={3531: 2}, through={3533: 1})
    d.type("attack 3531 with 9pz 11pz break 9pz 11pz via 3531-3532-3533 at 1:3\ndone")
    assert where(d, "9Pz") == 3532
    assert len(fights(d)) == 1


def test_s42_15_2_9c_18_3_3a_no_artillery_in_it_but_tanks() -> None:
    d = combat(*GROUP, ("6A-HQ", 3317), FIRST, ("62RD", 3419), dice={HEX: 1}, through={3419: 1})
    change(d.state, "6A-HQ", ready=True)
    d.type(f"attack {HEX} with 9pz 11pz guns 6a-hq break 9pz 11pz via {HEX}-3419\ndone")
    assert ["artillery" in each.odds for each in d.seen(Fought)] == [True, False]
    assert ["elite tanks" in each.odds for each in d.seen(Fought)] == [True, True]


def test_s42_15_2_10_one_is_dropped_and_goes_its_own_way() -> None:
    """All fight from 3418; then 11Pz goes aside with the two hexes that it has left, and 57ID stays."""
    d = combat(*GROUP, FIRST, ("62RD", 3419, 1), dice={HEX: 1}, through={3419: 1})
    own = f"advance 11pz {HEX} 3519 3520 3521 57id {HEX}"
    d.type(f"{ALL} break 9pz 11pz 57id via {HEX}-3419-3420-3421 {own}\ndone")
    assert fights(d)[1][1] == ("9Pz", "11Pz", "57ID")
    assert (where(d, "9Pz"), where(d, "11Pz"), where(d, "57ID")) == (3421, 3520, HEX)


def test_s42_15_3a_12_4b_who_has_retreated_before_defends_and_may_retreat_again() -> None:
    s = position(*GROUP, FIRST, ("62RD", 3419))
    s.fled.add(number("62RD"))
    change(s, "62RD", order=DISRUPTED)
    d = combat(state=s, dice={HEX: 1}, through={3419: 4})
    d.type(f"{ALL} break 9pz via {HEX}-3419\ndone")
    assert "10 to 3" in d.seen(Fought)[1].odds  # disrupted
    assert d.state.on_map(number("62RD"))
    assert d.state.pieces[number("62RD")].order == ROUTED


def test_s42_15_3b_those_beyond_the_limit_do_not_help() -> None:
    there = ("62RD", 3419), ("121RD", 3419), ("13GRD", 3419)
    s = position(*GROUP, FIRST, *there)
    change(s, "13GRD", order=DISRUPTED)
    units = tuple(number(code) for code, _ in there)
    assert beyond(s, SOVIET, units) == (number("13GRD"),)
    d = combat(state=s, dice={HEX: 1}, through={3419: 4})
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419 at 1:3\ndone")
    assert "20 to 10" in d.seen(Fought)[1].odds
    assert steps(d, "13GRD") == 2


def test_s42_15_3b_the_defender_names_them_if_asked() -> None:
    there = ("62RD", 3419), ("121RD", 3419), ("13GRD", 3419)
    s = position(*GROUP, FIRST, *there)
    change(s, "13GRD", order=DISRUPTED)
    d = combat(state=s, dice={HEX: 1}, through={3419: 4}, asked="combats")
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419 at 1:3\ndone")
    while not isinstance(next(iter(d.legal(SOVIET))), Spare):
        d.order(SOVIET, next(iter(d.legal(SOVIET))))
    assert {each.units for each in d.legal(SOVIET) if isinstance(each, Spare)} == {(number(code),) for code, _ in there}
    d.order(SOVIET, Spare((number("121RD"),)))
    d.order(SOVIET, next(iter(d.legal(SOVIET))))
    assert "20 to 8" in d.seen(Fought)[1].odds


@pytest.mark.parametrize("units", ["9pz 11pz", "9pz 11pz 3pz"])
def test_s42_15_4_and_8_6_2b_one_group_of_each_automatic_ds(units: str) -> None:
    frame = PlayerTurn(AXIS)
    (order,) = combat(*GROUP, ("3Pz", 3318), FIRST).read(
        f"storm {HEX} with 9pz 11pz 3pz break {units} via {HEX}-3419-3420 advance 3pz {HEX} 3319"
    )
    assert isinstance(order, Storm)
    frame.storms.append(order)
    soviets = ("62RD", 3420, 1), ("16TC", 3219)
    d = combat(*GROUP, ("3Pz", 3318), *soviets, frame=frame, through={3420: 1})
    assert [place for place, *_ in fights(d)] == [3420]
    assert (where(d, "9Pz"), where(d, "3Pz")) == (3420, 3319)


def test_s42_15_2_1_least_odds_are_three_to_one_if_nothing_is_said() -> None:
    """10:5, two columns, is 4:1; 7:5 is 3:1; 4:5 is 2:1 below that."""
    for left, odds, goes in ((3, "", True), (2, "", True), (2, " at 4:1", False), (2, " at 2:1", True)):
        d = combat(
            ("9Pz", WEST, left), ("11Pz", WEST), ("57ID", WEST), FIRST, ("62RD", 3419), dice={HEX: 1}, through={3419: 1}
        )
        d.type(f"{ALL} break 9pz via {HEX}-3419{odds}\ndone")
        assert (len(fights(d)) == 2) == goes, (left, odds)
        if not goes:
            assert ended(d)[0].startswith("the odds against 3419 are 3:1, and 4:1 is needed (7 to 5 = 1:1")


@pytest.mark.parametrize(("left", "odds", "goes"), [(3, "", True), (2, " at 4:1", False), (2, " at 2:1", True)])
def test_s42_15_2_1_15_2_4_the_odds_of_a_breakthrough_are_said_before_it_is_ordered(
    left: int, odds: str, *, goes: bool
) -> None:
    d = combat(
        ("9Pz", WEST, left), ("11Pz", WEST), ("57ID", WEST), FIRST, ("62RD", 3419), dice={HEX: 1}, through={3419: 1}
    )
    d.type(f"{ALL} ask\ndone")
    (order,) = d.read(f"break 9pz via {HEX}-3419{odds}")
    said = d.machine.sentence(AXIS, order)
    assert said.startswith(f"Break through with 9Pz by {HEX}, then 3419")
    (short,) = d.read(f"break 9pz via {HEX}")
    assert d.machine.sentence(AXIS, short) == f"Break through with 9Pz by {HEX}."  # nobody stands there
    d.order(AXIS, order)
    if goes:
        assert f"; it attacks 3419, {d.seen(Fought)[1].odds}: " in said
    else:
        assert f"; it would end before 3419: {ended(d)[0]}." in said


def test_s42_14_2_1_15_2_2_where_units_may_go_after_a_battle_is_labelled_as_advance_and_breakthrough() -> None:
    d = combat(*GROUP, FIRST, ("62RD", 3518, 1), dice={HEX: 1})
    d.type(f"{ALL} ask\ndone")
    told = looking(d.view(AXIS), "reach 9pz")
    assert isinstance(told, Reckoning)
    assert told.places[str(HEX)] == "advance of 1 hex; breakthrough"
    assert told.places["3518"] == "breakthrough combat"
    assert told.places["3419"] == "advance of 2 hexes"
    assert told.text.startswith(f"9Pz 10-8-6 in {WEST} after the battle for {HEX}: ")
    found = d.check(AXIS, d.read("break 9pz via 3419")[0])
    assert found is not None
    assert f"a longer way names each of its hexes, such as {HEX}-3419" in found.reason
    assert found.reason.endswith("; or the group breaks through hex by hex, by one order each")


def test_s42_13_3_2d_units_in_full_retreat_leave_before_the_group() -> None:
    s = position(*GROUP, FIRST, ("62RD", 3420))
    change(s, "62RD", order=ROUTED)
    d = combat(state=s, dice={HEX: 1})
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419-3420\ndone")
    assert len(fights(d)) == 1
    assert where(d, "9Pz") == 3420


def test_s42_15_2_2_15_2_10_who_is_asked_breaks_through_step_by_step() -> None:
    d = combat(*GROUP, FIRST, ("62RD", 3419, 1), dice={HEX: 1}, through={3419: 1})
    d.type(f"{ALL} ask\ndone")
    d.type(f"break 9pz 11pz via {HEX}")
    d.type("break 9pz 11pz via 3419")
    assert where(d, "9Pz") == where(d, "11Pz") == 3419
    assert d.check(AXIS, *d.read("break 57id via 3518")) is not None
    d.type("break 9pz via 3420\nadvance 11pz 3519\nadvance 57id 3418 3318\ndone")
    assert (where(d, "9Pz"), where(d, "11Pz"), where(d, "57ID")) == (3420, 3519, 3318)


def test_s42_15_2_4_15_2_2_what_a_way_can_be() -> None:
    d = combat(*GROUP, FIRST)
    units = tuple(sorted(number(code) for code, _ in GROUP))
    for via, odds, rule in (
        ((HEX, 3419, HEX, 3419, 3420, 3421, 3420, 3421), None, ""),
        ((HEX, 3419, HEX, 3419, 3420, 3421, 3420, 3421, 3422), None, "S42-15.2.4"),
        ((3318, 3319), None, ""),
        ((3517, WEST, HEX, 3419), None, ""),  # it attacks 3517, and stays where it is
        ((3419, 3420), None, "S42-15.2.3"),  # beside the emptied hex, but not beside the group
        ((HEX, 3420), None, "S42-15.2.4"),
        ((HEX, 3419, HEX, 3420), None, "S42-15.2.4"),  # it attacks 3419, stays in HEX, and 3420 is far from there
        ((HEX, 9999), None, "S42-15.2.4"),
        ((), 3, "S42-15.2"),
    ):
        found = d.check(AXIS, Attack(HEX, units, breaks=units[:1] if via else (), via=via, odds=odds))
        assert (found.rule if found else "") == rule, (via, odds)


def test_s42_15_2_3a_units_of_several_hexes_are_told_where_they_meet() -> None:
    d = combat(("9Pz", WEST), ("11Pz", 3318), ("57ID", WEST), FIRST)
    units = tuple(sorted(map(number, ("9Pz", "11Pz", "57ID"))))
    pair = tuple(sorted(map(number, ("9Pz", "11Pz"))))
    meet = "; a way can also begin with the emptied hex, 3418, where units of several hexes meet"
    apart = d.check(AXIS, Attack(HEX, units, breaks=pair, via=(3419,)))
    assert apart is not None
    assert apart.reason == f"One stack breaks through: choose units of one hex{meet}"
    far = d.check(AXIS, Attack(HEX, units, breaks=units[:1], via=(3420,)))
    assert far is not None
    assert far.reason.endswith(meet)
    assert d.check(AXIS, Attack(HEX, units, breaks=pair, via=(HEX, 3419))) is None


def test_s42_15_1_not_where_the_defence_holds() -> None:
    d = combat(*GROUP, FIRST, dice={HEX: 6}, stand=(6,), turn=8)
    d.stand(SOVIET, "defence", "then hold", sealed=True)
    d.type(f"{ALL} break 9pz via 3318-3319\ndone")
    assert [each.outcome for each in d.seen(Stood)] == ["S"]
    assert where(d, "9Pz") == WEST


def test_s42_15_2_3a_14_1c_who_may_not_advance_is_not_of_the_group() -> None:
    s = position(*GROUP, FIRST)
    s.frozen[number("11Pz")] = "garrison"
    d = combat(state=s, dice={HEX: 1})
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419\ndone")
    assert (where(d, "9Pz"), where(d, "11Pz")) == (3419, WEST)


@pytest.mark.parametrize(("odds", "fights_on"), [("4:1", True), ("5:1", False)])
def test_s42_15_3a_those_who_have_retreated_count_in_the_odds(odds: str, fights_on: bool) -> None:
    s = position(*GROUP, FIRST, ("62RD", 3419))
    s.fled.add(number("62RD"))
    d = combat(state=s, dice={HEX: 1}, through={3419: 1})
    d.type(f"{ALL} break 9pz via {HEX}-3419 at {odds}\ndone")
    assert (len(fights(d)) == 2) == fights_on


def test_s42_15_2_7_who_dies_in_it_goes_no_further_and_nobody_else_does() -> None:
    """57ID with one step dies in a DRX; 9Pz enters the hex, and what its own advance says is void."""
    d = combat(
        *GROUP[:2], ("57ID", WEST, 1), FIRST, ("62RD", 3419), ("121RD", 3419), dice={HEX: 1}, through={3419: 5}, turn=1
    )
    d.type(f"{ALL} break 9pz 57id via {HEX}-3419-3420 at 1:1 advance 9pz {HEX} 3419 3420 3421\ndone")
    assert d.seen(Fought)[1].result == "DRX"
    assert not d.state.on_map(number("57ID"))
    assert d.seen(BrokeThrough)[-1].units == ("9Pz",)
    assert where(d, "9Pz") == 3419


def test_s42_15_2_7_after_a_delay_it_enters_the_hex_and_stops() -> None:
    d = combat(*GROUP, FIRST, ("62RD", 3419), ("45ID", 3318), dice={HEX: 1}, through={3419: 5}, turn=8)
    d.stand(SOVIET, "defence", "then hold", sealed=True)
    d.chance.rolls[f"t8/{AXIS}/3419/break1/stand0"] = (5,)  # type: ignore[attr-defined]
    d.type(f"{ALL} break 9pz 11pz via {HEX}-3419-3420\ndone")
    assert (d.seen(Fought)[1].result, [each.outcome for each in d.seen(Stood)]) == ("D1", ["P"])
    assert where(d, "9Pz") == 3419


def test_s42_15_2_6_its_own_hex_holds_nobody() -> None:
    """From its first hex, where an enemy has a zone, it attacks aside, stays, and goes on elsewhere."""
    units = (*GROUP, FIRST, ("62RD", 3518, 1), ("121RD", 3416, 1))
    d = combat(*units, dice={HEX: 1}, through={3518: 1})
    assert d.state.zone(SOVIET) & CHART.board.bit[WEST]
    d.type(f"{ALL} break 9pz 11pz via 3518-{WEST}-3318-3319\ndone")
    assert where(d, "9Pz") == 3319
    assert not ended(d)


def test_s42_15_2_2_once_others_have_advanced_nobody_breaks_through() -> None:
    d = combat(*GROUP, ("3Pz", 3318), FIRST, dice={HEX: 1})
    d.type(f"attack {HEX} with 9pz 11pz 57id 3pz ask\ndone")
    assert {order.units for order in d.legal(AXIS) if isinstance(order, Break)} == {
        tuple(sorted(number(code) for code, _ in GROUP)),
        (number("3Pz"),),
    }
    assert Done() in d.legal(AXIS)
    assert any(isinstance(order, Follow) for order in d.legal(AXIS))
    d.type(f"break 9pz 11pz via {HEX}")
    assert {order.units for order in d.legal(AXIS) if isinstance(order, Break)} == {
        tuple(sorted((number("9Pz"), number("11Pz"))))
    }
    assert rule_of(d, "break 57id via 3318") == "S42-15.2.2"
    d.type("advance 57id 3517")
    assert not any(isinstance(order, Break) for order in d.legal(AXIS))
    assert rule_of(d, "break 9pz via 3419") == "S42-15.2.2"
    assert rule_of(d, "advance 9pz 3419") == ""  # each for itself (S42-15.2.10)


def test_s42_15_2_10_a_group_that_has_parted_does_not_go_on_as_one() -> None:
    d = combat(*GROUP, FIRST, dice={HEX: 1})
    d.type(f"{ALL} ask\ndone\nbreak 9pz 11pz via {HEX}\nbreak 9pz via 3419")
    assert rule_of(d, "break 9pz 11pz via 3420") == "S42-15.2.3"
    assert rule_of(d, "break 9pz via 3421") == "S42-15.2.3"  # 9Pz stands in 3419
    assert rule_of(d, "break 9pz via 3420") == ""
