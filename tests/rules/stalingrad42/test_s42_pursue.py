"""Breakthrough and advance step by step: who forms the group, what it pays, who may follow and where."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import DONE, Call, Goto, Out
from pbem.kit import OUT_OF_SUPPLY, UNIT
from pbem_rules.stalingrad42.combat.odds import attack
from pbem_rules.stalingrad42.combat.pursuit import (
    BreakThrough,
    FollowAsListed,
    FollowUp,
    follow,
    foreseen,
    form_group,
    is_held,
    may_break,
    paths,
    wrong_advance,
    wrong_break,
)
from pbem_rules.stalingrad42.events import Advanced, BreakthroughEnded, BrokeThrough, StayedBehind
from pbem_rules.stalingrad42.frames import Battle
from pbem_rules.stalingrad42.orders import Break, Done, Follow
from pbem_rules.stalingrad42.state import DISRUPTED, ELIMINATED, ROUTED, State

WEST, HEX, NEXT, BEYOND = 3417, 3418, 3419, 3420


def change(s: State, code: str, **values: Any) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], **values))


def numbers(*codes: str) -> tuple[int, ...]:
    return tuple(map(number, codes))


def victory(units: str, *, hexes: int = 4, seat: str = AXIS, target: int = HEX, **rest: Any) -> Battle:
    """A battle that has emptied its hex."""
    cell = {4: "DS", 3: "D1", 2: "DR2", 1: "EX"}[hexes]
    return Battle(
        seat=seat, target=target, units=numbers(*units.split()), defenders=(), cell=cell, hexes=hexes, won=True, **rest
    )


def going(s: State, f: Battle) -> tuple[object, list[Any]]:
    out = Out()
    return BreakThrough().run(s, f, out), list(out.events)


def way(*words: str | int) -> tuple[int, ...]:
    return tuple(UNIT + number(word) if isinstance(word, str) else word for word in words)


# The group


@pytest.mark.parametrize(
    ("codes", "hexes", "able"),
    [("9Pz", 4, True), ("9Pz", 2, True), ("9Pz", 1, False), ("45ID", 4, True), ("45ID 9Pz", 1, False)],
)
def test_s42_15_1_two_hexes_are_needed_by_one_of_them(codes: str, hexes: int, able: bool) -> None:
    s = position(("9Pz", WEST), ("45ID", WEST))
    f = victory(codes, hexes=hexes)
    assert may_break(s, f) is able
    s.wet = True
    assert may_break(s, f) is (able and hexes > 2)
    s.wet = False
    f.won = False
    assert not may_break(s, f)


def test_s42_15_2_3a_15_2_3b_14_1c_who_is_of_the_group_and_what_it_has_left() -> None:
    s = position(("9Pz", WEST), ("45ID", WEST), ("11Pz", 3317), ("3Pz", WEST), ("57ID", WEST))
    change(s, "3Pz", order=ROUTED)
    f = victory("9Pz 45ID 11Pz 3Pz", breaks=numbers("9Pz", "45ID", "3Pz", "57ID"), via=(HEX, NEXT))
    form_group(s, f)
    assert set(f.group) == set(numbers("9Pz", "45ID"))
    assert f.left == {number("9Pz"): 4, number("45ID"): 2}
    f = victory("9Pz 45ID", breaks=numbers("9Pz", "45ID"), via=(3318, 3319))
    form_group(s, f)
    assert f.left == {number("9Pz"): 3, number("45ID"): 1}


def test_s42_15_2_4_15_2_9b_a_hex_costs_a_hex_one_just_emptied_nothing() -> None:
    s = position(("9Pz", WEST), ("45ID", WEST))
    f = victory("9Pz 45ID", breaks=numbers("9Pz", "45ID"), via=(HEX, NEXT, BEYOND))
    following, events = going(s, f)
    assert following is DONE
    assert s.at(number("9Pz")) == BEYOND
    assert s.at(number("45ID")) == NEXT  # two hexes
    assert f.left == {number("9Pz"): 1, number("45ID"): 0}
    assert [each.path for each in events if isinstance(each, BrokeThrough)] == [
        (WEST, HEX),
        (HEX, NEXT),
        (NEXT, BEYOND),
    ]
    assert [each.units for each in events if isinstance(each, BrokeThrough)] == [
        ("9Pz", "45ID"),
        ("9Pz", "45ID"),
        ("9Pz",),
    ]
    assert (f.via, f.group) == ((), ())
    s = position(("9Pz", WEST))
    f = victory("9Pz", group=numbers("9Pz"), left={number("9Pz"): 0}, via=(HEX,), free=True)
    following, _ = going(s, f)
    assert following is DONE
    assert s.at(number("9Pz")) == HEX
    assert (f.left[number("9Pz")], f.free) == (0, False)
    f = victory("9Pz", group=numbers("9Pz"), left={number("9Pz"): 0}, via=(NEXT,))
    _, events = going(s, f)
    assert [each.why for each in events if isinstance(each, BreakthroughEnded)] == ["no hexes of advance are left"]
    assert s.at(number("9Pz")) == HEX


def test_s42_15_2_9b_14_5c_in_marsh_the_group_is_finished() -> None:
    s = position(("9Pz", 3531))
    s.rained = True
    f = victory("9Pz", target=3531, group=numbers("9Pz"), left={number("9Pz"): 3}, via=(3532, 3533), trail=(3531,))
    going(s, f)
    assert (s.at(number("9Pz")), f.left[number("9Pz")]) == (3532, 0)


def test_s42_15_2_5a_15_2_4_15_2_9c_who_stands_in_the_way_is_attacked_for_a_hex() -> None:
    s = position(("9Pz", HEX), ("45ID", HEX), ("45RD", NEXT))
    s.fled.add(number("45RD"))  # S42-15.3a: even so
    left = {number("9Pz"): 3, number("45ID"): 1}
    f = victory("9Pz 45ID", group=numbers("9Pz", "45ID"), left=left, via=(NEXT,), trail=(HEX,), ask=True, air="8FK")
    following, _ = going(s, f)
    assert isinstance(following, Call)
    assert following.again
    assert following.frame == Battle(
        seat=AXIS, ask=True, target=NEXT, units=numbers("9Pz", "45ID"), defenders=numbers("45RD"), air="8FK", number=1
    )
    assert (f.left, f.fought) == ({number("9Pz"): 2, number("45ID"): 0}, 1)
    following, _ = going(s, f)
    assert isinstance(following, Call)
    assert isinstance(following.frame, Battle)
    assert (following.frame.units, following.frame.number) == (numbers("9Pz"), 2)  # 45ID has nothing left (S42-15.2.4)
    assert f.group == numbers("9Pz")


@pytest.mark.parametrize(
    ("odds", "strong", "fights"),
    [(None, True, True), (None, False, False), (0, False, True), (7, True, True), (8, True, False)],
)
def test_s42_15_2_5b_only_at_the_odds_that_were_ordered_or_three_to_one(
    odds: int | None, strong: bool, fights: bool
) -> None:
    """10:5 and two columns is 4:1; an infantry division alone 6:5 = 1:1; 20:5 and two columns is 6:1."""
    code = ("9Pz", "11Pz") if strong else ("45ID",)
    s = position(*((each, HEX) for each in code), ("45RD", NEXT))
    f = victory(" ".join(code), group=numbers(*code), left=dict.fromkeys(numbers(*code), 2), via=(NEXT,), odds=odds)
    following, events = going(s, f)
    assert isinstance(following, Call) is fights
    why = [each.why for each in events if isinstance(each, BreakthroughEnded)]
    assert bool(why) is not fights
    if why:
        assert why[0].startswith(f"the odds against {NEXT} are ")
        assert f.left == dict.fromkeys(numbers(*code), 2)  # nothing is paid


def test_s42_15_2_9a_no_combat_over_a_major_river_without_a_bridge() -> None:
    s = position(("9Pz", 3012), ("45RD", 3112))
    f = victory("9Pz", target=3012, group=numbers("9Pz"), left={number("9Pz"): 3}, via=(3112,), odds=0)
    said = foreseen(s, f, Break(numbers("9Pz"), (3112,), odds=0))
    assert said == "it would end before 3112: 3112 is not beside it, or lies beyond a major river without a bridge"
    following, events = going(s, f)
    assert following is DONE
    (event,) = events
    assert "beyond a major river without a bridge" in event.why
    assert event.hex == 3012


def after(done: Battle, *, via: tuple[int, ...] = (NEXT, BEYOND), at: int = HEX) -> Battle:
    s = position(("9Pz", at), ("11Pz", at))
    f = victory("9Pz 11Pz", group=numbers("9Pz", "11Pz"), left=dict.fromkeys(numbers("9Pz", "11Pz"), 2), via=via)
    BreakThrough().back(s, f, done, Out())
    return f


def test_s42_15_2_7_15_2_8a_when_the_group_goes_on() -> None:
    units, stays = numbers("9Pz"), (NEXT, HEX, 3519)
    good = {"seat": AXIS, "target": NEXT, "units": units, "defenders": (), "won": True}
    for cell in ("DS", "DR4", "D1", "D1*"):
        f = after(Battle(**good, cell=cell))
        assert (f.free, f.via, set(f.left.values())) == (True, (NEXT, BEYOND), {2}), cell
    f = after(Battle(**good, cell="DS"), via=stays)
    assert (f.free, f.via) == (False, stays)  # it does not enter
    for cell, rest in (("DR2", {}), ("D1", {"delayed": True}), ("EX", {})):
        f = after(Battle(**good, **rest, cell=cell))
        assert (f.free, f.via, set(f.left.values())) == (True, (NEXT,), {0}), cell  # S42-15.2.7: in, and stop
    f = after(Battle(**good, cell="DR2"), via=stays)
    assert (f.free, f.via, set(f.left.values())) == (False, (), {0})
    f = after(Battle(**{**good, "won": False}, cell="D1", held=True))
    assert (f.free, f.via, set(f.left.values())) == (False, (), {0})


def test_s42_15_2_7_whoever_is_lost_leaves_the_group() -> None:
    s = position(("9Pz", HEX))
    s.put(number("11Pz"), ELIMINATED)
    f = victory("9Pz 11Pz", group=numbers("9Pz", "11Pz"), left=dict.fromkeys(numbers("9Pz", "11Pz"), 2), via=(NEXT,))
    done = Battle(seat=AXIS, target=NEXT, units=numbers("9Pz", "11Pz"), defenders=(), won=True, cell="DS")
    BreakThrough().back(s, f, done, Out())
    assert f.group == numbers("9Pz")
    s.put(number("9Pz"), ELIMINATED)
    BreakThrough().back(s, f, done, Out())
    assert f.group == ()
    before = replace(f)
    BreakThrough().back(s, f, object(), Out())  # a retreat has ended
    assert f == before


def test_s42_15_2_6_a_zone_holds_the_group_but_not_in_the_hex_first_emptied() -> None:
    s = position(("9Pz", NEXT), ("45RD", 3520))
    unit = number("9Pz")
    assert s.zone(SOVIET) & CHART.board.bit[NEXT]
    f = victory("9Pz", left={unit: 2}, trail=(HEX, NEXT), group=(unit,), via=(3320,))
    assert is_held(s, f, unit)
    _, events = going(s, f)
    assert s.at(unit) == NEXT
    assert [each.why for each in events] == ["no way leads on to 3320, or there is no room"]
    assert not is_held(s, victory("9Pz", left={unit: 2}, trail=(HEX,)), unit)  # it has not come there by it
    assert not is_held(s, victory("9Pz", target=NEXT, left={unit: 2}, trail=(NEXT,)), unit)
    assert not is_held(s, victory("9Pz", left={}, trail=(HEX, NEXT)), unit)  # not one of the group
    s.put(number("45RD"), 3806)
    assert not is_held(s, f, unit)


def test_s42_15_2_10_a_unit_whose_own_way_parts_from_the_groups_stays_behind() -> None:
    s = position(("9Pz", WEST), ("11Pz", WEST))
    advance = way("11Pz", HEX, 3519)
    f = victory("9Pz 11Pz", breaks=numbers("9Pz", "11Pz"), via=(HEX, NEXT), advance=advance)
    going(s, f)
    assert (s.at(number("9Pz")), s.at(number("11Pz"))) == (NEXT, HEX)
    FollowAsListed().run(s, f, Out())
    assert s.at(number("11Pz")) == 3519


def test_s42_4_4a_15_2_3a_no_room_ends_it() -> None:
    s = position(("9Pz", WEST), ("11Pz", WEST), ("57ID", HEX), ("45ID", HEX))
    f = victory("9Pz 11Pz", breaks=numbers("9Pz", "11Pz"), via=(HEX, NEXT))
    _, events = going(s, f)
    assert [each.why for each in events] == [f"no way leads on to {HEX}, or there is no room"]
    assert s.at(number("9Pz")) == s.at(number("11Pz")) == WEST


# What can be ordered


@pytest.mark.parametrize(
    ("order", "target", "rule"),
    [
        (Break((), ()), HEX, ""),
        (Break((), (), 3), HEX, "S42-15.2"),
        (Break(numbers("9Pz"), ()), HEX, "S42-15.2"),
        (Break((), (HEX,)), HEX, "S42-15.2"),
        (Break(numbers("9Pz", "9Pz"), (HEX,)), HEX, "S42-15.2.3"),
        (Break(numbers("57ID"), (HEX,)), HEX, "S42-15.2.3"),
        (Break(numbers("9Pz"), (HEX, 9999)), HEX, "S42-15.2.4"),
        (Break(numbers("9Pz", "11Pz"), (HEX, NEXT)), HEX, ""),
        (Break(numbers("9Pz", "11Pz"), (3318,)), HEX, "S42-15.2.3"),  # of two hexes
        (Break(numbers("9Pz"), (3318, 3319)), HEX, ""),
        (Break(numbers("9Pz"), (3517, WEST, HEX, NEXT)), HEX, ""),  # it attacks 3517, and stays
        (Break(numbers("9Pz"), (3517, WEST, NEXT)), HEX, "S42-15.2.4"),
        (Break(numbers("9Pz"), (9999,)), HEX, "S42-15.2.3"),
        (Break(numbers("9Pz"), (HEX,)), None, ""),  # going on
        (Break(numbers("9Pz"), (NEXT,)), None, "S42-15.2.3"),
        (Break(numbers("9Pz", "11Pz"), (HEX,)), None, "S42-15.2.3"),
        (Break(numbers("9Pz"), (HEX, NEXT, HEX, NEXT, HEX, NEXT, HEX, NEXT)), HEX, ""),
    ],
)
def test_s42_15_2_2_15_2_3a_15_2_4_what_a_breakthrough_can_be(order: Break, target: int | None, rule: str) -> None:
    s = position(("9Pz", WEST), ("11Pz", 3317), ("57ID", WEST))
    wrong = wrong_break(s, numbers("9Pz", "11Pz"), order, target)
    assert (wrong.rule if wrong else "") == rule


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ((), ""),
        (way("9Pz", HEX), ""),
        (way("9Pz", HEX, NEXT, BEYOND, 3421), ""),
        (way("9Pz", HEX, NEXT, BEYOND, 3421, 3422), "S42-14.2.1"),
        (way("9Pz", HEX, 9999), "S42-14.2.1"),
        (way("9Pz"), "S42-14.1"),
        (way(HEX), "S42-14.1"),
        (way("45RD", HEX), "S42-14.1a"),
        (way("57ID", HEX), "S42-14.1a"),
        (way("9Pz", 3318, 3319), ""),
        (way("9Pz", NEXT), "S42-14.3"),
        (way("9Pz", HEX, BEYOND), "S42-14.3"),
        (way("16PzG", HEX), "S42-14.3"),  # it is not on the map
    ],
)
def test_s42_14_1a_14_2_1_14_3_what_an_advance_can_be(words: tuple[int, ...], rule: str) -> None:
    s = position(("9Pz", WEST), ("57ID", WEST), ("45RD", HEX))
    target = NEXT if words == way("16PzG", HEX) else HEX
    wrong = wrong_advance(s, AXIS, words, numbers("9Pz", "16PzG"), target)
    assert (wrong.rule if wrong else "") == rule


# Those who follow


def test_s42_14_1a_14_1c_14_2_4_who_may_follow_and_how_far() -> None:
    s = position(("9Pz", WEST), ("45ID", WEST), ("11Pz", WEST))
    f = victory("9Pz", mates=numbers("45ID"))

    def far(code: str) -> int:
        return max(map(len, paths(s, f, number(code))), default=0)

    assert (far("9Pz"), far("45ID"), far("11Pz")) == (4, 2, 0)  # 11Pz neither attacked nor stood with them
    change(s, "9Pz", supply=OUT_OF_SUPPLY)
    assert far("9Pz") == 2
    change(s, "9Pz", supply=0, order=DISRUPTED)
    assert far("9Pz") == 4  # those who are Disrupted advance too
    change(s, "9Pz", order=ROUTED)
    assert far("9Pz") == 0
    change(s, "9Pz", order=0)
    f.left = {number("9Pz"): 1}
    assert far("9Pz") == 1  # what it has left of the breakthrough
    f.left = {}
    f.tried = numbers("9Pz")
    assert far("9Pz") == 0
    f.tried, f.won = (), False
    assert far("9Pz") == 0
    f.won, f.number = True, 1
    assert far("9Pz") == 0  # not after the combat of a breakthrough
    f.number, f.hexes, f.limited = 0, 1, True
    assert list(paths(s, f, number("9Pz"))) == [(HEX,)]


def test_s42_18_6_3_14_1a_supplies_follow_packed_and_to_no_enemy_supplies() -> None:
    s = position(("9Pz", WEST), ("Sup-A1", WEST), ("Sup-S1", NEXT))
    supply, f = number("Sup-A1"), victory("9Pz", mates=numbers("Sup-A1"))
    assert any(NEXT in each for each in paths(s, f, number("9Pz")))
    assert (HEX,) in set(paths(s, f, supply))
    assert not any(NEXT in each for each in paths(s, f, supply))
    change(s, "Sup-A1", ready=True)
    assert list(paths(s, f, supply)) == []
    change(s, "Sup-A1", ready=False)
    s.fixed.add(supply)
    assert list(paths(s, f, supply)) == []


def test_s42_14_1b_4_4a_no_advance_ends_where_there_is_no_room() -> None:
    s = position(("9Pz", WEST), ("45ID", HEX), ("57ID", HEX), ("75ID", HEX))
    found = set(paths(s, victory("9Pz"), number("9Pz")))
    assert (HEX,) not in found
    assert (HEX, NEXT) in found


def test_s42_14_1_each_goes_as_far_of_its_way_as_it_can_and_is_tried_once() -> None:
    s = position(("9Pz", WEST), ("45ID", WEST), ("57ID", 3317))
    advance = way("45ID", HEX, NEXT, BEYOND, "9Pz", HEX, WEST, "57ID", HEX, NEXT)
    f = victory("9Pz 45ID", mates=(), advance=advance)
    out = Out()
    assert FollowAsListed().run(s, f, out) is DONE
    moved = {each.unit: each.path for each in out.events if isinstance(each, Advanced)}
    assert moved == {"45ID": (WEST, HEX, NEXT), "9Pz": (WEST, HEX)}
    assert f.advanced == numbers("45ID", "9Pz")
    assert f.tried == numbers("45ID", "9Pz", "57ID")
    assert [(each.unit, each.hex, each.to) for each in out.events if isinstance(each, StayedBehind)] == [
        ("57ID", 3317, NEXT)
    ]
    f = victory("9Pz", advance=way("9Pz", HEX))
    f.won = False
    out = Out()
    FollowAsListed().run(s, f, out)
    assert list(out.events) == []


def test_s42_15_2_10_who_has_broken_through_goes_on_with_what_is_left_of_its_way() -> None:
    s = position(("9Pz", NEXT))
    f = victory("9Pz", left={number("9Pz"): 2}, trail=(HEX, NEXT), advance=way("9Pz", HEX, NEXT, BEYOND))
    out = Out()
    FollowAsListed().run(s, f, out)
    assert [each.path for each in out.events if isinstance(each, Advanced)] == [(NEXT, BEYOND)]
    f = victory("9Pz", left={number("9Pz"): 2}, trail=(HEX, NEXT, BEYOND), advance=way("9Pz", HEX, NEXT, BEYOND))
    out = Out()
    FollowAsListed().run(s, f, out)
    assert list(out.events) == []  # it has come to the end of it, and nobody is told


@pytest.mark.slow
def test_s42_14_1a_15_2_2_who_is_asked_and_what_they_can_order(some: Any) -> None:
    s, step = position(("9Pz", WEST), ("45ID", WEST), ("11Pz", 3317)), FollowUp()
    f = victory("9Pz 11Pz", mates=numbers("45ID"))
    assert step.by(s, f) == (AXIS,)
    legal = list(step.legal(s, f, AXIS, {}))
    assert legal[0] == Done()
    broken = [order for order in legal if isinstance(order, Break)]
    assert {order.units for order in broken} == {numbers("9Pz"), numbers("11Pz")}  # stack by stack
    assert {order.unit for order in legal if isinstance(order, Follow)} == set(numbers("9Pz", "45ID", "11Pz"))
    assert all(step.check(s, f, AXIS, order, {}) is None for order in some(legal, 10))
    assert step.by(s, victory("9Pz", advance=way("9Pz", HEX))) == ()  # the entry says it
    s.put(number("9Pz"), ELIMINATED)
    assert step.by(s, victory("9Pz")) == ()
    f = victory("9Pz 11Pz")  # 9Pz was lost in the attack
    broken = [order for order in step.legal(s, f, AXIS, {}) if isinstance(order, Break)]
    assert {order.units for order in broken} == {numbers("11Pz")}
    assert not may_break(s, victory("9Pz"))
    f = victory("11Pz", hexes=1)
    assert not any(isinstance(order, Break) for order in step.legal(s, f, AXIS, {}))  # S42-15.1
    f = victory("11Pz", tried=numbers("45ID"))
    assert not any(isinstance(order, Break) for order in step.legal(s, f, AXIS, {}))  # the others have begun


def test_s42_22_7c_15_2_3a_out_of_an_area_the_group_forms_in_the_emptied_hex() -> None:
    area = CHART.areas["m"]
    s, step = position(("16TC", area)), FollowUp()
    f = victory("16TC", seat=SOVIET, target=4105)
    legal = list(step.legal(s, f, SOVIET, {}))
    assert [order for order in legal if isinstance(order, Break)] == [Break(numbers("16TC"), (4105,))]
    assert all(step.check(s, f, SOVIET, order, {}) is None for order in legal)


def test_s42_15_2_2_15_2_10_14_2_what_is_refused_and_what_an_answer_does() -> None:
    s, step = position(("9Pz", WEST), ("45ID", WEST), ("11Pz", WEST)), FollowUp()
    f = victory("9Pz 11Pz")

    def rule(order: Any) -> str:
        wrong = step.check(s, f, AXIS, order, {})
        return "" if wrong is None else wrong.rule

    assert rule(Follow(number("45ID"), (HEX,))) == "S42-14.1"
    assert rule(Follow(number("9Pz"), (BEYOND,))) == "S42-14.2"
    assert rule(Break(numbers("45ID"), (HEX,))) == "S42-15.2.3"
    assert rule(Break(numbers("9Pz", "11Pz"), (HEX, NEXT))) == ""
    f.left = {number("9Pz"): 0, number("11Pz"): 2}
    assert rule(Break(numbers("9Pz"), (HEX,))) == "S42-15.2.2"  # it has nothing left
    assert rule(Break(numbers("11Pz"), (HEX,))) == ""
    f.tried = numbers("11Pz")
    assert rule(Break(numbers("11Pz"), (HEX,))) == "S42-15.2.2"  # it has advanced
    f = victory("9Pz 11Pz")
    assert step.apply(s, f, {AXIS: Break(numbers("9Pz"), (HEX, NEXT), 2)}, Out()) == Goto(BreakThrough)
    assert (f.breaks, f.via, f.odds, f.group) == (numbers("9Pz"), (HEX, NEXT), 2, ())
    f.left = {number("9Pz"): 2}
    step.apply(s, f, {AXIS: Break(numbers("9Pz"), (HEX,))}, Out())
    assert f.group == numbers("9Pz")
    assert step.apply(s, f, {AXIS: Follow(number("11Pz"), (HEX,))}, Out()) == Goto(BreakThrough)
    assert s.at(number("11Pz")) == HEX
    assert step.apply(s, f, {AXIS: Done()}, Out()) is DONE
    assert step.answers(s, f, AXIS, {}) == {"done": Done(), "strongest": Done()}  # 11Pz has advanced
    f.advanced = ()
    assert step.answers(s, f, AXIS, {}) == {"done": Done(), "strongest": Follow(number("9Pz"), (HEX,))}
    s = position(("385ID", WEST), ("177/243StuG", WEST))  # 3-5, and 2-2
    assert step.answers(s, victory("385ID 177/243StuG"), AXIS, {})["strongest"] == Follow(number("385ID"), (HEX,))


def test_s42_15_1_14_2_2_one_attacker_that_may_not_advance_bars_nobody_else() -> None:
    s = position(("9Pz", WEST), ("45ID", WEST))
    change(s, "45ID", order=ROUTED)
    assert may_break(s, victory("9Pz 45ID"))
    assert not may_break(s, victory("45ID"))


def test_s42_15_2_3_22_7c_out_of_an_area_the_group_forms_in_the_emptied_hex() -> None:
    area, (target, aside, *_) = CHART.areas["z"], CHART.map.entries["z"].places
    s = position(("9Pz", area))
    assert wrong_break(s, numbers("9Pz"), Break(numbers("9Pz"), (target, aside)), target) is None
    wrong = wrong_break(s, numbers("9Pz"), Break(numbers("9Pz"), (aside,)), target)
    assert wrong is not None
    assert wrong.rule == "S42-15.2.3"


def test_s42_14_1b_17_3_1_soviets_who_advance_throw_railheads_back() -> None:
    for seat, code, tracks in ((SOVIET, "45RD", ((1202,),)), (AXIS, "9Pz", ((1202, 1303),))):
        s = position((code, 1402))
        s.tracks = ((1202, 1303),)
        follow(s, victory(code, seat=seat, target=1303), number(code), (1303,), Out())
        assert s.tracks == tracks


def test_s42_15_2_2_whoever_has_a_hex_left_goes_on() -> None:
    s, unit = position(("9Pz", HEX)), number("9Pz")
    for left in (0, 1):
        f = victory("9Pz", left={unit: left}, trail=(HEX,))
        assert any(isinstance(order, Break) for order in FollowUp().legal(s, f, AXIS, {})) is bool(left)


def test_s42_15_2_4_12_4a_whoever_has_retreated_into_the_way_defends_it_too() -> None:
    s = position(("9Pz", HEX), ("45RD", NEXT), ("62RD", NEXT))
    s.fled.add(number("62RD"))
    column = attack(s, numbers("9Pz"), NEXT, SOVIET, through=True).column
    assert column < attack(s, numbers("9Pz"), NEXT, SOVIET).column
    for odds, fights in ((column, True), (column + 1, False)):
        f = victory("9Pz", group=numbers("9Pz"), left={number("9Pz"): 3}, via=(NEXT,), odds=odds)
        following, _ = going(s, f)
        assert isinstance(following, Call) is fights
        if isinstance(following, Call):
            assert isinstance(following.frame, Battle)
            assert set(following.frame.defenders) == set(numbers("45RD", "62RD"))
