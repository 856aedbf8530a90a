"""S42-3.B2, S42-5, S42-8.6, S42-22: what units may do in a Movement Phase, and what follows at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import DONE, STAY, Call, Goto, Order, Out, Pick, Violation
from pbem.kit import OUT_OF_SUPPLY, UNIT, Told
from pbem_rules.stalingrad42.chart import DATA
from pbem_rules.stalingrad42.combat.flight import ChooseWay, DriveOff, Onward, driven_off, exposed
from pbem_rules.stalingrad42.combat.losses import TakeLoss, dearest, drop, may_lose, worth
from pbem_rules.stalingrad42.events import Freed, Moved, Overrun, RailheadBack, Stormed
from pbem_rules.stalingrad42.frames import Losses, PlayerTurn, Retreat
from pbem_rules.stalingrad42.movement import phase
from pbem_rules.stalingrad42.movement.marching import NORMAL, allowance, march
from pbem_rules.stalingrad42.movement.passing import push_railheads
from pbem_rules.stalingrad42.movement.phase import (
    Movement,
    Withdrawals,
    find_way,
    ground,
    may_attack,
    movers,
    still_able,
)
from pbem_rules.stalingrad42.orders import (
    Done,
    Entrain,
    Exit,
    Extended,
    Move,
    Remove,
    Sail,
    Storm,
    Tactical,
    Transfer,
    Withdraw,
)
from pbem_rules.stalingrad42.scenarios import CAUCASUS, chart_for
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import DISRUPTED, ELIMINATED, GOOD, POOL, REMOVED, ROUTED, State
from pbem_rules.stalingrad42.supply.lines import lines

STEP, DRIVE, CHOOSE, ONWARD = Movement(), DriveOff(), ChooseWay(), Onward()
BOARD, AREAS = CHART.board, CHART.areas
GRID = BOARD.grid


def refusal(s: State, f: PlayerTurn, order: Order) -> str:
    """The rule that forbids an order; empty: none does."""
    wrong = STEP.check(s, f, f.seat, order, {})
    return "" if wrong is None else wrong.rule


@pytest.mark.parametrize(
    ("unit", "order", "others", "place", "how", "rule", "says"),
    [
        ("45ID", GOOD, (("45RD", 3418),), 3418, NORMAL, "S42-5.1d", "an enemy unit stands there"),
        ("45ID", GOOD, (("45RD", 3317), ("62RD", 3319)), 3318, NORMAL, "S42-7.2a", "an enemy bond closes it"),
        ("45ID", GOOD, (("45RD", 3418),), 3417, "extended", "S42-5.3b", "in an enemy zone, and extended movement"),
        ("45ID", ROUTED, (("45RD", 3418),), 3417, NORMAL, "S42-13.3.2b", "in an enemy zone, and no unit there is"),
        ("45ID", GOOD, (("45RD", 3418),), 3417, "withdraw", "S42-13.3.2b", "in an enemy zone, and no unit there is"),
        ("Sup-A1", GOOD, (("Sup-S1", 3415),), 3415, NORMAL, "S42-5.1d", "enemies stand there, and it cannot fight"),
        ("45RD", DISRUPTED, (), AREAS["m"], "tactical", "S42-13.2.1a", "disrupted units enter no Area"),
        ("45ID", GOOD, (), AREAS["m"], NORMAL, "S42-22.4b", "its side cannot move into this Area"),
    ],
)
def test_s42_5_1d_7_2a_13_3_2b_22_4b_a_refused_place_has_the_one_reason_that_holds(
    unit: str, order: int, others: tuple[tuple[str, int], ...], place: int, how: str, rule: str, says: str
) -> None:
    s = position((unit, 4105 if unit == "45RD" else 3416), *others)
    s.alter(number(unit), replace(s.pieces[number(unit)], order=order))
    mode = NORMAL if how == "withdraw" else how
    found = find_way(s, number(unit), how, ground(s, number(unit), mode, routed=how == "withdraw"), [place])
    assert isinstance(found, Violation)
    assert (found.rule, f": {says}" in found.reason or f": it lies {says}" in found.reason) == (rule, True)


def give(s: State, f: PlayerTurn, order: Order) -> tuple[object, list[Told]]:
    assert refusal(s, f, order) == ""
    out = Out()
    following = STEP.apply(s, f, {f.seat: order}, out)
    return following, [event for event in out.events if isinstance(event, Told)]


def drive(s: State, f: PlayerTurn, answer: str = "") -> list[Retreat]:
    """All that is driven off, by standing orders; the frames of the retreats as they began."""
    found = []
    while isinstance(following := DRIVE.run(s, f, Out()), Call):
        frame = following.frame
        assert following.again
        if isinstance(frame, Losses):
            take(s, frame)
            continue
        assert isinstance(frame, Retreat)
        found.append(replace(frame))
        retreat(s, frame, answer)
    assert following is DONE
    return found


def retreat(s: State, f: Retreat, answer: str = "") -> list[Told]:
    out = Out()
    while True:
        for seat in CHOOSE.by(s, f):
            name = answer or ("astray" if f.driven else "safest")
            CHOOSE.apply(s, f, {seat: CHOOSE.answers(s, f, seat, {})[name]}, out)
        if not isinstance(ONWARD.run(s, f, out), Goto):
            return [event for event in out.events if isinstance(event, Told)]


def take(s: State, f: Losses) -> None:
    """The only unit that can lose the step."""
    assert f.count == 1
    (order,) = TakeLoss().options(s, f, f.chooser)
    TakeLoss().do(s, f, f.chooser, order, Out())


def in_order(s: State, code: str, order: int) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], order=order))


def order_of(s: State, code: str) -> int:
    return s.pieces[number(code)].order


def move(code: str, *path: int) -> Move:
    return Move(number(code), path)


def listed(s: State, f: PlayerTurn, kind: type[Order]) -> list[Order]:
    """What is legal of one kind."""
    found: list[Order] = []
    for each in STEP.first(s, f, f.seat, {}):
        found += STEP.picked(s, f, f.seat, {}, each.value) if isinstance(each, Pick) else [each]
    return [order for order in found if isinstance(order, kind)]


# On the ground.


def test_s42_5_1_a_unit_moves_once_and_only_its_owners() -> None:
    s, f = position(("45RD", 3417), ("57ID", 3610)), PlayerTurn(SOVIET)
    following, (moved,) = give(s, f, move("45RD", 3416))
    assert following is STAY
    assert moved == Moved(unit="45RD", path=(3417, 3416), how="move", rule="S42-5.1")
    assert s.at(number("45RD")) == 3416
    assert refusal(s, f, move("45RD", 3415)) == "S42-5.1c"
    assert refusal(s, f, move("57ID", 3611)) == "S42-5.1"
    assert refusal(s, f, Move(9999, (3611,))) == "S42-5.1"


def test_s42_5_1_by_the_places_named_one_after_another() -> None:
    s, f = position(("45RD", 3417)), PlayerTurn(SOVIET)
    _, (moved,) = give(s, f, move("45RD", 3318, 3319, 3419))
    assert moved == Moved(unit="45RD", path=(3417, 3318, 3319, 3419), how="move", rule="S42-5.1")


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ((3421,), "S42-5.1a"),  # four hexes
        ((3318, 3421), "S42-5.1a"),
        ((3417,), "S42-5.1"),  # there already
        ((9999,), "S42-5.1"),
        ((), "S42-5.1"),
        ((3418,) * 13, "S42-5.1"),
    ],
)
def test_s42_5_1_ways_that_are_none(path: tuple[int, ...], rule: str) -> None:
    assert refusal(position(("45RD", 3417)), PlayerTurn(SOVIET), move("45RD", *path)) == rule


def test_s42_5_1d_18_6_6_19_2c_not_into_combat_units_but_over_supplies() -> None:
    s, f = position(("45RD", 3417), ("57ID", 3419), ("Sup-A1", 3416)), PlayerTurn(SOVIET)
    assert refusal(s, f, move("45RD", 3419)) == "S42-5.1d"
    _, (gone, _) = give(s, f, move("45RD", 3416))
    assert gone == Overrun(hex=3416, units=("Sup-A1",), rule="S42-19.2")
    assert s.at(number("Sup-A1")) == POOL


def test_s42_19_2c_supplies_do_not_drive_off_supplies() -> None:
    s, f = position(("Sup-S1", 3417), ("Sup-A1", 3416)), PlayerTurn(SOVIET)
    assert refusal(s, f, move("Sup-S1", 3416)) == "S42-5.1d"


def test_s42_6_2a_a_zone_ends_a_move_between_the_places_named() -> None:
    s, f = position(("9Pz", 3414), ("45RD", 3417)), PlayerTurn(AXIS)
    assert refusal(s, f, move("9Pz", 3416, 3316)) == "S42-6.2a"
    assert refusal(s, f, move("9Pz", 3416)) == ""


def test_s42_5_3_2_3_2b_extended_movement_goes_farther_out_of_zones_and_bars_attacks() -> None:
    s, f = position(("45RD", 3417), ("57ID", 3411)), PlayerTurn(SOVIET)
    assert refusal(s, f, Extended(number("45RD"), (3412,))) == "S42-5.3b"
    assert refusal(s, f, move("45RD", 3413)) == "S42-5.1a"
    give(s, f, Extended(number("45RD"), (3413,)))
    assert f.hurried == {number("45RD")}


def test_s42_5_3a_2_3_2c_who_cannot_use_it() -> None:
    s, f = position(("2A-HQ", 3417), ("45ID", 3415)), PlayerTurn(AXIS)
    in_order(s, "45ID", DISRUPTED)
    assert refusal(s, f, Extended(number("2A-HQ"), (3416,))) == "S42-5.3a"
    assert refusal(s, f, Extended(number("45ID"), (3414,))) == "S42-13.2.1a"
    s.put(number("2A-HQ"), AREAS["x"])
    assert refusal(s, f, Extended(number("2A-HQ"), (1004,))) == "S42-5.3a"  # wherever it is


def test_s42_16_4a_vehicles_out_of_supply_move_tactically() -> None:
    s, f = position(("9Pz", 3417), ("45ID", 3415)), PlayerTurn(AXIS)
    for code in ("9Pz", "45ID"):
        s.alter(number(code), replace(s.pieces[number(code)], supply=OUT_OF_SUPPLY))
    assert refusal(s, f, move("9Pz", 3416)) == "S42-16.4a"
    assert refusal(s, f, Tactical(number("9Pz"), (3418, 3419))) == ""
    assert refusal(s, f, Tactical(number("9Pz"), (3418, 3419, 3420))) == "S42-5.4"
    assert refusal(s, f, move("45ID", 3414)) == ""
    s.turn = 1
    assert refusal(s, f, move("9Pz", 3416)) == "S42-16.4a"
    assert refusal(s, f, move("45ID", 3414)) == "S42-S1.2b"  # not for its supply


def test_s42_s1_2b_the_axis_begins_with_tactical_movement() -> None:
    s, f = position(("9Pz", 3417), ("Sup-A1", 3415), turn=1), PlayerTurn(AXIS)
    assert refusal(s, f, move("9Pz", 3416)) == "S42-S1.2b"
    assert refusal(s, f, Withdraw(number("9Pz"), (3413,))) == "S42-S1.2b"
    assert refusal(s, f, move("Sup-A1", 3412)) == ""


def test_s42_13_1_2b_18_2_2_support_that_moves_far_is_disrupted() -> None:
    for path, order in (((3415,), GOOD), ((3414,), DISRUPTED)):
        s, f = position(("2A-HQ", 3417)), PlayerTurn(AXIS)
        _, (moved,) = give(s, f, move("2A-HQ", *path))
        assert order_of(s, "2A-HQ") == order
        assert isinstance(moved, Moved)
        assert moved.order == order
    s, f = position(("9Pz", 3417)), PlayerTurn(AXIS)
    give(s, f, move("9Pz", 3414))
    assert order_of(s, "9Pz") == GOOD  # support alone


def test_s42_4_4_no_move_into_a_full_hex() -> None:
    s = position(("45RD", 3417), ("62RD", 3416), ("121RD", 3416), ("Sup-S1", 3418), ("76NB", 3415))
    f = PlayerTurn(SOVIET)
    assert refusal(s, f, move("45RD", 3416)) == "S42-4.4b"
    assert refusal(s, f, move("45RD", 3416, 3415)) == ""  # through it
    assert refusal(s, f, move("Sup-S1", 3416)) == ""
    assert refusal(s, f, move("76NB", 3416)) == ""  # it stacks freely


def test_s42_4_4_room_is_the_same_for_whoever_asks_first() -> None:
    s, f = position(("62RD", 3416), ("121RD", 3416), ("45RD", 3417)), PlayerTurn(SOVIET)
    listed(s, f, Move)  # those in the full hex are asked first
    assert refusal(s, f, move("62RD", 3415, 3416)) == ""  # out and back again
    assert refusal(s, f, move("45RD", 3416)) == "S42-4.4b"


def test_s42_4_2a_one_of_a_hex_stacks_freely() -> None:
    s = position(("62RD", 3416), ("76NB", 3416), ("68NB", 3417), ("45RD", 3417))
    f = PlayerTurn(SOVIET)
    assert refusal(s, f, move("45RD", 3416)) == ""
    give(s, f, move("68NB", 3416))
    assert refusal(s, f, move("45RD", 3416)) == "S42-4.4b"


def test_s42_4_4_12_1_4_after_a_retreat_too_many_must_leave_or_go() -> None:
    s = position(("45RD", 3416), ("62RD", 3416), ("121RD", 3416), ("57ID", 3610))
    f = PlayerTurn(SOVIET)
    assert refusal(s, f, Done()) == "S42-4.4"
    assert refusal(s, f, Remove(number("57ID"))) == "S42-4.4"
    assert {order.unit for order in listed(s, f, Remove)} == set(map(number, ("45RD", "62RD", "121RD")))  # type: ignore[attr-defined]
    give(s, f, Remove(number("62RD")))
    assert s.at(number("62RD")) == ELIMINATED
    assert refusal(s, f, Remove(number("45RD"))) == "S42-4.4"
    s.fled.add(number("45RD"))
    following, _ = give(s, f, Done())
    assert following is DONE
    assert not s.fled  # S42-12.2i: until the end of each phase


def test_s42_4_4d_a_reserve_army_that_waits_stands_in_any_number() -> None:
    s = at_start(CHART)
    assert refusal(s, PlayerTurn(SOVIET), Done()) == ""
    assert refusal(s, PlayerTurn(SOVIET), move("309RD", 3805)) == "S42-20.4"


def test_s42_16_3_4_places_passed_change_hands() -> None:
    s, f = position(("9Pz", 2125)), PlayerTurn(AXIS)
    town = BOARD.place_named("Artemovsk")
    assert town is not None
    assert GRID is not None
    s.holders[town] = SOVIET
    s.put(number("9Pz"), GRID.ring(town, 1)[0])
    beyond = next(p for p in GRID.ring(town, 1) if GRID.distance(p, s.at(number("9Pz"))) == 2)
    _, events = give(s, f, move("9Pz", town, beyond))
    assert s.holders[town] == AXIS
    assert isinstance(events[-1], Moved)
    assert events[-1].taken == (town,)


def test_s42_9_7_5b_an_enemy_removes_a_fort() -> None:
    s, f = position(("9Pz", 3417)), PlayerTurn(AXIS)
    s.forts[3416] = SOVIET
    s.forts[3418] = AXIS
    _, (gone, _) = give(s, f, move("9Pz", 3416, 3417, 3418))
    assert gone == Overrun(hex=3416, fort=True, rule="S42-19.2")
    assert dict(s.forts.items()) == {3418: AXIS}


def test_s42_20_4_garrisons_are_let_go_when_the_axis_is_within_five_hexes() -> None:
    s, f = position(("9Pz", 2510), ("VorNKVD", 2503)), PlayerTurn(AXIS)
    s.frozen[number("VorNKVD")] = "garrison"
    give(s, f, move("9Pz", 2509))
    assert number("VorNKVD") in s.frozen
    s, f = position(("9Pz", 2509), ("VorNKVD", 2503)), PlayerTurn(AXIS)
    s.frozen[number("VorNKVD")] = "garrison"
    _, events = give(s, f, move("9Pz", 2508, 2509))  # near it on the way
    assert Freed(units=("VorNKVD",), rule="S42-20.4") in events
    assert not s.frozen


def test_s42_20_6_s1_2g_the_north_caucasus_is_let_go_when_the_axis_is_beyond_the_don() -> None:
    s = position(("45ID", 3336), ("116CD", 2338))
    s.frozen[number("116CD")] = "caucasus"
    assert CHART.beyond_don & BOARD.bit[3336]
    assert not CHART.beyond_don & BOARD.bit[3134]  # Rostov
    f = PlayerTurn(AXIS)
    give(s, f, move("45ID", 3337))
    assert not s.frozen


def test_s42_17_3_1_soviet_units_throw_railheads_back() -> None:
    s, f = at_start(CHART), PlayerTurn(SOVIET)
    for unit in list(s.ground.standing(AXIS)):
        s.put(unit, REMOVED)
    head, before = 1303, 1202
    s.tracks = ((before, head), *s.tracks[1:])
    s.put(number("45RD"), 1503)
    _, events = give(s, f, move("45RD", 1402))
    assert RailheadBack(start=head, to=before, rule="S42-17.3.1") in events
    assert s.tracks[0] == (before,)
    for units in ((("45RD", 1402), ("45ID", head)), (("45RD", 3806),)):  # with a unit of the Axis, and in no zone
        s = position(*units)
        s.tracks = ((before, head),)
        push_railheads(s, Out())
        assert s.tracks == ((before, head),)


# Full Retreat.


def test_s42_13_1_3c_13_3_1b_withdrawing_is_a_move_and_leaves_the_first_zone_for_nothing() -> None:
    s, f = position(("45RD", 3417), ("57ID", 3418)), PlayerTurn(SOVIET)
    unit = number("45RD")
    assert refusal(s, f, move("45RD", 3315)) == "S42-6.2a"  # two points to leave the zone
    assert refusal(s, f, Withdraw(unit)) == "S42-13.3.2b"
    assert refusal(s, f, Withdraw(unit, (3318,))) == "S42-13.3.2b"
    give(s, f, Withdraw(unit, (3315,)))
    assert order_of(s, "45RD") == ROUTED
    assert s.at(unit) == 3315
    assert refusal(s, f, Withdraw(unit, (3413,))) == "S42-5.1c"
    for near in ((), (("57ID", 3418),)):  # a zone that it is in makes it cost less, no other
        s = position(("45RD", 3417), *near)
        budget = march(s, (unit,), NORMAL, routed=True).terms.budget
        assert budget == allowance(s, unit, NORMAL) + bool(near) * CHART.extra["leave_zone"]


def test_s42_13_1_3c_who_cannot_withdraw_again_and_whom_supplies_do_not_cover() -> None:
    s, f = position(("45RD", 3417), ("Sup-S1", 3417), ("57ID", 3418)), PlayerTurn(SOVIET)
    assert refusal(s, f, Withdraw(number("45RD"))) == "S42-13.3.2b"  # supplies are nobody to stay with
    s.put(number("57ID"), 3420)
    assert refusal(s, f, Withdraw(number("45RD"))) == ""  # beside no enemy it may stay
    in_order(s, "45RD", ROUTED)
    assert refusal(s, f, Withdraw(number("45RD"), (3315,))) == "S42-13.1.3c"
    in_order(s, "45RD", GOOD)
    s.put(number("SW-HQ"), 3410)
    ways = [len(list(Withdrawals.marches(s, number(code)))) for code in ("45RD", "SW-HQ")]
    assert ways == [2, 1]  # one never hurries
    s.put(number("45RD"), AREAS["m"])
    assert refusal(s, f, Withdraw(number("45RD"))) == "S42-13.1.3c"  # not in an Area


def test_s42_13_3_2b_13_3_2g_beside_the_enemy_with_others_only() -> None:
    s, f = position(("45RD", 3417), ("62RD", 3417), ("57ID", 3418)), PlayerTurn(SOVIET)
    give(s, f, Withdraw(number("45RD")))
    assert order_of(s, "45RD") == ROUTED
    assert not exposed(s, SOVIET)
    following, _ = give(s, f, move("62RD", 3416))  # and the last of them leaves
    assert following == Goto(DriveOff)
    (driven,) = drive(s, f)
    assert (driven.seat, driven.chooser, driven.length, driven.driven) == (SOVIET, SOVIET, 2, True)
    assert s.at(number("45RD")) not in (3417, 3416)


def test_s42_13_3_2d_13_3_2g_who_is_in_full_retreat_is_driven_off_by_the_mover() -> None:
    s, f = position(("45RD", 3417), ("9Pz", 3419)), PlayerTurn(AXIS)
    in_order(s, "45RD", ROUTED)
    following, _ = give(s, f, move("9Pz", 3418))
    assert following == Goto(DriveOff)
    (driven,) = drive(s, f)
    assert driven == Retreat(SOVIET, 3417, (number("45RD"),), 2, AXIS, AXIS, driven=True)
    lone = position(("45RD", 3417), ("Sup-S1", 3417), ("9Pz", 3418))
    in_order(lone, "45RD", ROUTED)
    first = driven_off(lone, AXIS)
    assert first is not None
    assert first.units == (number("45RD"),)  # supplies do not retreat
    assert order_of(s, "45RD") == ROUTED
    assert GRID is not None
    assert GRID.distance(3417, s.at(number("45RD"))) == 2
    assert s.fled == {number("45RD")}


def test_s42_13_3_2e_not_with_others_in_the_hex() -> None:
    s, f = position(("45RD", 3417), ("62RD", 3417), ("9Pz", 3419)), PlayerTurn(AXIS)
    in_order(s, "45RD", ROUTED)
    following, _ = give(s, f, move("9Pz", 3418))
    assert following is STAY


def test_s42_13_1_2b_18_2_2_5_1_what_a_report_says_of_the_order_after_a_move() -> None:
    """Support that goes far is disrupted by it; of who was disrupted before nothing is told again."""
    s, f = position(("6A-HQ", 3412), ("45ID", 3414)), PlayerTurn(AXIS)
    in_order(s, "45ID", DISRUPTED)
    _, events = give(s, f, Move(number("6A-HQ"), (3409,)))
    assert [each.order for each in events if isinstance(each, Moved)] == [DISRUPTED]
    assert order_of(s, "6A-HQ") == DISRUPTED
    _, events = give(s, f, Tactical(number("45ID"), (3413,)))
    assert [each.order for each in events if isinstance(each, Moved)] == [GOOD]


def test_s42_5_7_1f_naval_infantry_that_goes_two_hexes_does_not_sail() -> None:
    s, f = position(("76NB", 3132)), PlayerTurn(SOVIET)
    give(s, f, Tactical(number("76NB"), (3133, 3134)))
    assert not f.halfway
    assert refusal(s, f, Sail(number("76NB"), 2338)) == "S42-5.1c"
    s, f = position(("76NB", 3132), ("45RD", 3133)), PlayerTurn(SOVIET)
    give(s, f, Tactical(number("76NB"), (3133,)))
    assert not f.halfway  # no port
    give(s, f, Tactical(number("45RD"), (3134,)))
    assert not f.halfway  # no naval infantry


def test_s42_8_6_2a_14_3_15_2_3a_an_advance_that_could_never_be_is_refused_with_automatic_ds_too() -> None:
    s, f = position(("9Pz", 3417), ("11Pz", 3417), ("3Pz", 3417), ("45ID", 3417), ("45RD", 3418, 1)), PlayerTurn(AXIS)
    units = tuple(sorted(map(number, ("9Pz", "11Pz", "3Pz"))))
    assert refusal(s, f, Storm(3418, units)) == ""
    assert refusal(s, f, Storm(3418, units, advance=(UNIT + number("9Pz"), 3420))) == "S42-14.3"
    assert refusal(s, f, Storm(3418, units, advance=(UNIT + number("45ID"), 3418))) == "S42-14.1a"  # it takes no part
    assert refusal(s, f, Storm(3418, units, breaks=(number("9Pz"),), via=(3420,))) == "S42-15.2.3"
    assert refusal(s, f, Storm(3418, units, advance=(UNIT + number("9Pz"), 3418, 3419))) == ""


# By rail, by sea, between Areas, off the map.


def test_s42_5_6_2_5_6_1a_5_6_3_four_units_by_rail_of_which_one_from_the_map() -> None:
    a = AREAS["a"]
    codes = ("45RD", "62RD", "121RD", "160RD")
    s = position(*((code, a) for code in codes), ("212RD", 2002), ("284RD", 2002), ("219RD", a))
    f = PlayerTurn(SOVIET)
    ends = {order.to for order in listed(s, f, Entrain) if order.unit == number("45RD")}  # type: ignore[attr-defined]
    spots = sorted(ends & set(BOARD.in_mask(CHART.map.along("rail"))))[:8]
    give(s, f, Entrain(number("212RD"), spots[0]))
    assert s.pieces[number("212RD")].train
    assert refusal(s, f, Entrain(number("284RD"), spots[1])) == "S42-5.6.2"
    assert refusal(s, f, Entrain(number("45RD"), spots[0])) == "S42-5.6.3d"
    for code, spot in zip(codes[:3], spots[1:], strict=False):
        give(s, f, Entrain(number(code), spot))
    assert refusal(s, f, Entrain(number("219RD"), spots[5])) == "S42-5.6.2"
    assert refusal(s, f, move("212RD", 2001)) == "S42-5.1c"
    assert f.rides == 4


def test_s42_5_6_3c_and_s1_2b_who_may_not_ride() -> None:
    s = position(("45ID", 1003), turn=1)
    assert refusal(s, PlayerTurn(AXIS), Entrain(number("45ID"), AREAS["z"])) == "S42-S1.2b"
    s.turn = 2
    assert refusal(s, PlayerTurn(AXIS), Entrain(number("45ID"), AREAS["z"])) == ""
    in_order(s, "45ID", DISRUPTED)
    assert refusal(s, PlayerTurn(AXIS), Entrain(number("45ID"), AREAS["z"])) == "S42-5.6.3c"


def test_s42_5_7_1_one_unit_by_sea_disrupted_as_it_lands() -> None:
    s, f = position(("45RD", 3134), ("62RD", 3134)), PlayerTurn(SOVIET)
    assert {order.to for order in listed(s, f, Sail)} == {2338}  # type: ignore[attr-defined]
    assert refusal(s, f, Sail(number("45RD"), 1936)) == "S42-5.7.1b"  # Mariupol is the enemy's
    wrong = STEP.check(s, f, SOVIET, Sail(number("45RD"), 1936), {})
    assert wrong is not None
    assert "nowhere" not in wrong.reason  # the other port is named
    give(s, f, Sail(number("45RD"), 2338))
    assert order_of(s, "45RD") == DISRUPTED
    assert refusal(s, f, Sail(number("62RD"), 2338)) == "S42-5.7.1a"
    assert refusal(s, f, Tactical(number("45RD"), (2339,))) == "S42-5.1c"
    s, f = position(("Sup-S1", 3134)), PlayerTurn(SOVIET)
    give(s, f, Sail(number("Sup-S1"), 2338))
    assert order_of(s, "Sup-S1") == GOOD  # combat units alone


def test_s42_5_7_1f_naval_infantry_goes_a_hex_before_or_after_the_sea() -> None:
    s, f = position(("76NB", 3134), ("45RD", 3133)), PlayerTurn(SOVIET)
    give(s, f, Sail(number("76NB"), 1936))  # empty, though the enemy's
    assert order_of(s, "76NB") == GOOD
    assert s.holders[1936] == SOVIET
    assert refusal(s, f, move("76NB", 1935)) == "S42-5.7.1f"
    assert refusal(s, f, Tactical(number("76NB"), (1935, 1934))) == "S42-5.4"
    give(s, f, Tactical(number("76NB"), (1935,)))
    assert refusal(s, f, Tactical(number("76NB"), (1934,))) == "S42-5.1c"
    s, f = position(("76NB", 3133)), PlayerTurn(SOVIET)
    give(s, f, Tactical(number("76NB"), (3134,)))
    assert refusal(s, f, Tactical(number("76NB"), (3133,))) == "S42-5.7.1f"
    give(s, f, Sail(number("76NB"), 2338))
    assert refusal(s, f, Tactical(number("76NB"), (2339,))) == "S42-5.1c"


def test_s42_22_6_22_6_1a_22_6_2_22_6_3_s1_2d_between_ones_areas_for_the_whole_move() -> None:
    s, f = position(("45RD", AREAS["a"]), ("62RD", 3417)), PlayerTurn(SOVIET)
    assert refusal(s, f, Transfer(number("62RD"), AREAS["b"])) == "S42-22.6"
    assert refusal(s, f, Transfer(number("45RD"), AREAS["z"])) == "S42-22.6"
    give(s, f, Transfer(number("45RD"), AREAS["m"]))
    assert s.at(number("45RD")) == AREAS["m"]
    assert refusal(s, f, move("45RD", 4105)) == "S42-5.1c"


def test_s42_22_3_1_22_1_2_out_of_an_area_in_good_order() -> None:
    s, f = position(("45RD", AREAS["m"]), ("62RD", AREAS["m"])), PlayerTurn(SOVIET)
    in_order(s, "62RD", DISRUPTED)
    assert refusal(s, f, Transfer(number("62RD"), AREAS["a"])) == "S42-22.3.1b"
    assert refusal(s, f, Tactical(number("62RD"), (4105,))) == "S42-22.3.1b"
    give(s, f, move("45RD", 4105))
    assert s.at(number("45RD")) == 4105


def test_s42_s1_2e_s1_2f_the_axis_leaves_the_map_for_good() -> None:
    s, f = position(("9Pz", 4005), ("45RD", 4005)), PlayerTurn(AXIS)
    s.put(number("45RD"), REMOVED)
    assert refusal(s, f, move("9Pz", AREAS["m"])) == "S42-22.4b"
    assert refusal(s, f, Exit(number("9Pz"), AREAS["q"])) == "S42-S1.2e"
    assert refusal(s, f, Exit(number("9Pz"), AREAS["b"])) == "S42-S1.2e"
    assert Exit(number("9Pz"), AREAS["m"]) in listed(s, f, Exit)
    give(s, f, Exit(number("9Pz"), AREAS["m"]))
    assert s.at(number("9Pz")) == REMOVED
    assert number("9Pz") in f.moved
    assert s.exits == {"m": 3}
    s = position(("9Pz", 4005), ("45RD", 4004), ("62RD", 4006))
    assert refusal(s, PlayerTurn(AXIS), Exit(number("9Pz"), AREAS["m"])) == "S42-S1.2e"  # their zones stop it


# Automatic DS.


def storm(*codes: str, at: int = 3417, lose: str = "") -> Storm:
    return Storm(at, tuple(map(number, codes)), lose=number(lose) if lose else None)


def test_s42_8_6_1_3_b2a_ten_to_one_breaks_the_enemy_at_once() -> None:
    """25:3 = 8:1, tanks and elite tanks: 10:1. Then somebody else goes through the hole."""
    s = position(("9Pz", 3418), ("3Pz", 3418), ("57ID", 3418), ("45RD", 3417, 2), ("62RD", 3413), ("11Pz", 3419))
    in_order(s, "45RD", DISRUPTED)  # of 5 points 3 are left
    f = PlayerTurn(AXIS)
    assert refusal(s, f, storm("9Pz", "57ID")) == "S42-8.6.1a"
    assert listed(s, f, Storm) == [storm("9Pz", "57ID", "3Pz")]
    following, events = give(s, f, storm("9Pz", "3Pz", "57ID"))
    assert following == Goto(DriveOff)
    assert "26:3" in events[0].words()
    (broken,) = drive(s, f)
    assert s.pieces[number("45RD")].steps == 1
    assert broken == Retreat(SOVIET, 3417, (number("45RD"),), 4, AXIS, SOVIET)
    assert order_of(s, "45RD") == ROUTED
    assert refusal(s, f, move("9Pz", 3417)) == "S42-8.6.1d"
    assert refusal(s, f, storm("9Pz", at=3413)) == "S42-8.6.1d"
    assert refusal(s, f, move("11Pz", 3417)) == ""


def test_s42_8_1g_5_3c_8_2a_13_2_1c_who_cannot_take_part() -> None:
    axis = ("9Pz", 3418), ("2A-HQ", 3418), ("3Pz", 3420), ("1Rom", 3318), ("6LHun", 3318)
    s = position(*axis, ("45RD", 3417), ("16TC", AREAS["a"]))
    f = PlayerTurn(AXIS)
    assert refusal(s, f, storm()) == "S42-8.6"
    assert refusal(s, f, storm("9Pz", "9Pz")) == "S42-8.6"
    assert refusal(s, f, storm("9Pz", at=3413)) == "S42-8.1a"
    assert refusal(s, f, storm("9Pz", at=AREAS["a"])) == "S42-8.1a"
    assert refusal(s, f, storm("9Pz", "45RD")) == "S42-8.1a"
    assert refusal(s, f, storm("2A-HQ")) == "S42-8.1g"
    assert refusal(s, f, storm("9Pz", "3Pz")) == "S42-8.2a"
    assert refusal(s, f, storm("1Rom", "6LHun")) == "S42-20.5.1"
    in_order(s, "9Pz", DISRUPTED)
    assert refusal(s, f, storm("9Pz")) == "S42-8.1g"
    in_order(s, "9Pz", GOOD)
    f.hurried.add(number("9Pz"))
    assert refusal(s, f, storm("9Pz")) == "S42-5.3c"


def test_s42_10_2_3_10_2_1b_13_3_3a_the_attacker_names_who_loses_the_step() -> None:
    units = ("9Pz", "3Pz", "23Pz")
    s = position(*((code, 3418) for code in units), ("76NB", 3417), ("68NB", 3417), ("121RD", 3417, 1))
    in_order(s, "121RD", ROUTED)
    in_order(s, "76NB", DISRUPTED)
    in_order(s, "68NB", DISRUPTED)
    f = PlayerTurn(AXIS)
    assert may_lose(s, s.of(SOVIET, 3417)) == tuple(sorted(map(number, ("76NB", "68NB"))))
    assert refusal(s, f, storm(*units, lose="121RD")) == "S42-10.2.3"
    give(s, f, storm(*units, lose="68NB"))
    drive(s, f)
    assert s.at(number("68NB")) == ELIMINATED
    assert {order_of(s, code) for code in ("76NB", "121RD")} == {ROUTED}  # S42-13.1.3b; S42-13.3.3a: they go too
    assert not s.ground.stacks[3417]


def test_s42_8_4_1b_who_defends_with_nothing_is_broken() -> None:
    s, f = position(("45ID", 3418), ("45RD", 3417), ("62RD", 3416)), PlayerTurn(AXIS)
    in_order(s, "45RD", ROUTED)
    give(s, f, storm("45ID"))
    assert s.pieces[number("45RD")].steps == 2  # nobody can be chosen
    drive(s, f)
    assert s.at(number("45RD")) != 3417


def test_s42_10_2_3a_20_5_2_whom_the_enemy_chooses() -> None:
    s = position(("9Pz", 3417), ("57ID", 3417), ("1Rom", 3417, 1))
    units = tuple(map(number, ("9Pz", "57ID", "1Rom")))
    assert dearest(s, units) == number("1Rom")
    assert dearest(s, units[:2]) == number("9Pz")
    assert (worth(s, number("9Pz")), worth(s, number("57ID"))) == (21, 13)
    assert (drop(s, number("57ID")), drop(s, number("9Pz"))) == (4, 5)
    assert may_lose(s, s.of(AXIS, 3417)) == tuple(sorted(units[:2]))  # S42-20.5.2


# Retreats.


def run(s: State, code: str, start: int, length: int, answer: str = "safest", *more: str) -> list[Told]:
    units = tuple(map(number, (code, *more)))
    side = s.side(units[0])
    return retreat(s, Retreat(side, start, units, length, AXIS, side), answer)


def test_s42_13_1_2a_13_1_3a_13_1_3b_13_3_2f_10_1l_13_1_1_what_a_retreat_leaves() -> None:
    for before, length, after in (
        (GOOD, 2, DISRUPTED),
        (GOOD, 3, DISRUPTED),
        (GOOD, 4, ROUTED),
        (DISRUPTED, 2, ROUTED),
        (ROUTED, 2, ROUTED),
    ):
        s = position(("45RD", 3417), ("9Pz", 3418))
        in_order(s, "45RD", before)
        run(s, "45RD", 3417, length)
        assert order_of(s, "45RD") == after


def test_s42_5_6_5b_a_train_unloads() -> None:
    s = position(("45RD", 3417), ("9Pz", 3418))
    s.alter(number("45RD"), replace(s.pieces[number("45RD")], train=True))
    run(s, "45RD", 3417, 2)
    assert not s.pieces[number("45RD")].train


def test_s42_12_1_2_together_or_apart() -> None:
    s = position(("45RD", 3417), ("62RD", 3417), ("9Pz", 3418))
    f = Retreat(SOVIET, 3417, tuple(sorted(map(number, ("45RD", "62RD")))), 2, AXIS, SOVIET)
    orders = list(CHOOSE.legal(s, f, SOVIET, {}))
    assert {order.units for order in orders} == {f.units, f.units[:1], f.units[1:]}
    assert CHOOSE.answers(s, f, SOVIET, {})["safest"].units == f.units
    apart = CHOOSE.answers(s, f, SOVIET, {})["apart"]
    assert len(apart.units) == 1
    wrong = CHOOSE.check(s, f, SOVIET, replace(orders[0], units=(number("160RD"),)), {})
    assert wrong is not None
    assert wrong.rule == "S42-12.1.2"
    wrong = CHOOSE.check(s, f, SOVIET, replace(orders[0], path=(3418,)), {})
    assert wrong is not None
    assert wrong.rule == "S42-12.1.3"


def test_s42_12_1_3a_12_2a_without_a_way_back_it_is_eliminated() -> None:
    s = position(("45RD", 3417), ("9Pz", 3416), ("57ID", 3518), ("45ID", 3318))
    (trapped,) = run(s, "45RD", 3417, 2)
    assert "cannot retreat and is destroyed" in trapped.words()
    assert s.at(number("45RD")) == ELIMINATED


def test_s42_13_3_2d_astray_is_far_from_the_own_side_and_nearest_is_near() -> None:
    ends = {}
    for answer in ("astray", "nearest"):
        s = position(("45RD", 3417), ("9Pz", 3418))
        run(s, "45RD", 3417, 2, answer)
        ends[answer] = s.at(number("45RD"))
    assert GRID is not None
    edge = [place for key in CHART.friendly(SOVIET) for place in CHART.map.entries[key].places]
    away = {name: min(GRID.distance(end, place) for place in edge) for name, end in ends.items()}
    assert away["astray"] > away["nearest"]


def test_s42_s1_2h_one_unit_of_the_fifth_reserve_army_enters_by_rail() -> None:
    area = CHART.areas["m"]
    s, f = position(("14GRD", area), ("153RD", area), ("29RD", area), turn=3), PlayerTurn(SOVIET)
    first, second, other = map(number, ("14GRD", "153RD", "29RD"))
    assert {first, second} < CHART.army5
    assert len(CHART.army5) == 5
    (to, *_) = CHART.map.entries["m"].places
    assert refusal(s, f, Entrain(other, 3301)) == refusal(s, f, Entrain(first, 3301)) == ""
    give(s, f, Entrain(first, 3301))
    assert refusal(s, f, Entrain(second, 3301)) == "S42-S1.2h"
    assert refusal(s, f, Move(second, (to,))) == ""
    give(s, f, Entrain(other, 4004))
    s.put(second, 4004)  # on the map they ride as others do
    assert refusal(s, f, Entrain(second, 3301)) != "S42-S1.2h"


def test_s42_5_7_1c_by_sea_out_of_a_zone_and_into_one() -> None:
    s, f = position(("45RD", 3134), ("9Pz", 3133), ("45ID", 2339)), PlayerTurn(SOVIET)
    assert s.zone(AXIS) & BOARD.bit[3134]
    assert s.zone(AXIS) & BOARD.bit[2338]
    assert refusal(s, f, Sail(number("45RD"), 2338)) == ""


def test_s42_5_6_1b_into_an_area_by_rail_and_out_in_a_later_turn() -> None:
    s, f = position(("45ID", 1003)), PlayerTurn(AXIS)
    give(s, f, Entrain(number("45ID"), AREAS["z"]))
    assert s.at(number("45ID")) == AREAS["z"]
    assert refusal(s, f, move("45ID", 1004)) == refusal(s, f, Entrain(number("45ID"), 1003)) == "S42-5.1c"
    s.alter(number("45ID"), replace(s.pieces[number("45ID")], train=False))
    assert refusal(s, PlayerTurn(AXIS), move("45ID", 1004)) == ""


def test_s42_18_6_7_18_6_8d_5_6_2_supply_points_ride_and_count_fixed_ones_too() -> None:
    s, f = position(("Sup-S1", 2002), ("45RD", 2002)), PlayerTurn(SOVIET)
    s.fixed.add(number("Sup-S1"))
    give(s, f, Entrain(number("Sup-S1"), 2503))
    assert s.pieces[number("Sup-S1")].train
    assert refusal(s, f, Entrain(number("45RD"), 2503)) == "S42-5.6.2"


def test_s42_8_1g_5_6_4a_21_4b_nobody_attacks_off_a_train_or_with_a_replacement() -> None:
    s, f = position(("9Pz", 3418), ("45RD", 3417, 1)), PlayerTurn(AXIS)
    s.alter(number("9Pz"), replace(s.pieces[number("9Pz")], train=True))
    assert refusal(s, f, storm("9Pz")) == "S42-8.1g"
    s.alter(number("9Pz"), replace(s.pieces[number("9Pz")], train=False))
    s.renewed.add(number("9Pz"))
    assert refusal(s, f, storm("9Pz")) == "S42-21.4d"


def test_s42_9_7_4_an_empty_fort_stops_nobody() -> None:
    s, f = position(("9Pz", 3417)), PlayerTurn(AXIS)
    s.forts[3418] = SOVIET
    assert refusal(s, f, move("9Pz", 3418, 3419)) == ""
    assert lines(s, AXIS).reached & BOARD.bit[3418]
    assert refusal(s, f, storm("9Pz", at=3418)) == "S42-8.1a"


def test_s42_20_6b_who_comes_later_does_not_wait() -> None:
    s, f = position(("45RD", 2338), turn=2), PlayerTurn(SOVIET)
    assert refusal(s, f, move("45RD", 2339)) == ""


def test_s42_s1_2e_5_3_whoever_could_leave_by_extended_movement_is_offered_that() -> None:
    """Farther than its normal move reaches, along a road that the Axis holds."""
    s, f = position(("9Pz", 2607)), PlayerTurn(AXIS)
    for place in list(s.holders):
        s.holders[place] = AXIS
    order = Exit(number("9Pz"), AREAS["m"])
    assert refusal(s, f, order) == ""
    assert order in listed(s, f, Exit)


def test_s42_5_1c_20_4a_who_might_still_move() -> None:
    s, f = position(("9Pz", 2510), ("11Pz", 2510), ("24Pz", 2510)), PlayerTurn(AXIS)
    s.frozen[number("11Pz")] = "garrison"
    f.moved.add(number("24Pz"))
    assert list(movers(s, f)) == still_able(s, f) == [number("9Pz")]
    s.alter(number("9Pz"), replace(s.pieces[number("9Pz")], train=True))
    assert still_able(s, f) == []


def test_s42_5_2a_s1_2b_16_4a_why_vehicles_go_no_farther_on_the_first_turn() -> None:
    s, f = position(("9Pz", 2510), turn=1), PlayerTurn(AXIS)
    order = move("9Pz", 2509)
    assert refusal(s, f, order) == "S42-S1.2b"
    s.alter(number("9Pz"), replace(s.pieces[number("9Pz")], supply=OUT_OF_SUPPLY))
    assert refusal(s, f, order) == "S42-16.4a"


def test_s42_8_6_1_19_3b_only_combat_units_are_broken_by_an_automatic_ds() -> None:
    s, f = position(("9Pz", 3418), ("45RD", 3417), ("Sup-S1", 3417)), PlayerTurn(AXIS)
    in_order(s, "45RD", ROUTED)
    _, events = give(s, f, storm("9Pz"))
    assert f.broken == (number("45RD"),)
    assert f.moved == {number("9Pz")}
    assert [(each.defenders, each.odds) for each in events if isinstance(each, Stormed)] == [(("45RD",), "10:0")]


def test_s42_13_1_3c_whoever_withdraws_and_goes_nowhere_is_in_full_retreat_where_it_stands() -> None:
    s, f = position(("45RD", 3417), ("9Pz", 3430)), PlayerTurn(SOVIET)
    give(s, f, Withdraw(number("45RD")))
    assert (s.at(number("45RD")), order_of(s, "45RD")) == (3417, ROUTED)
    assert number("45RD") in f.moved


def test_s42_5_7_1f_the_port_in_which_it_ends_and_the_sea_of_that_port() -> None:
    s, f = position(("76NB", 3134)), PlayerTurn(SOVIET)
    give(s, f, Tactical(number("76NB"), (3133,)))  # out of a port
    assert not f.halfway
    chart = chart_for(DATA, CAUCASUS)
    unit, port = chart.unit("76NB").number, chart.listed("black_sea")[0]
    beside = next(p for p in chart.board.near[port] if chart.board[p].terrain != "sea")
    s, f = position(("76NB", beside), turn=12, chart=chart), PlayerTurn(SOVIET, sailed={"azov"})
    give(s, f, Tactical(unit, (port,)))
    assert f.halfway == {unit: "sea"}
    s, f = position(("76NB", beside), turn=12, chart=chart), PlayerTurn(SOVIET, sailed={"black_sea"})
    give(s, f, Tactical(unit, (port,)))
    assert (f.halfway, f.moved) == ({}, {unit})  # a unit has sailed there


def test_s42_20_4a_whoever_goes_into_an_area_lets_nobody_go() -> None:
    s, f = position(("9Pz", 1003), ("VorNKVD", 2503)), PlayerTurn(AXIS)
    s.frozen[number("VorNKVD")] = "garrison"
    give(s, f, move("9Pz", AREAS["z"]))
    assert s.at(number("9Pz")) == AREAS["z"]
    assert number("VorNKVD") in s.frozen


def test_s42_13_1_3c_5_3a_no_reason_is_sought_for_a_way_that_another_pace_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It takes three times as long as the way itself."""
    s, f, unit = position(("45ID", 3417)), PlayerTurn(AXIS), number("45ID")
    plain, fast = (ground(s, unit, mode, routed=True).ends(BOARD, 3417) for mode in (NORMAL, "extended"))
    far = next(place for place in fast if place not in plain)
    monkeypatch.setattr(phase, "refuse", lambda *_: pytest.fail("a reason is sought"))
    assert Withdrawals().check(s, f, AXIS, Withdraw(unit, (far,)), {}) is None


def test_s42_12_1_2_the_safest_way_leads_into_supply_rather_than_into_an_area() -> None:
    s = position(("45RD", 1800), ("9Pz", 1900), ("11Pz", 1901))
    f = Retreat(SOVIET, 1800, (number("45RD"),), 2, AXIS, chooser=SOVIET)
    ends = {order.path[-1] for order in CHOOSE.options(s, f, SOVIET)}
    assert AREAS["a"] in ends
    assert CHOOSE.answers(s, f, SOVIET, {})["safest"].path[-1] == 1600


def test_s42_8_6_1c_10_3a_whoever_dies_of_an_automatic_ds_retreats_no_more() -> None:
    s, f = position(("9Pz", 3418), ("3Pz", 3418), ("57ID", 3418), ("45RD", 3417, 1)), PlayerTurn(AXIS)
    in_order(s, "45RD", DISRUPTED)
    give(s, f, storm("9Pz", "3Pz", "57ID"))
    assert drive(s, f) == []
    assert s.at(number("45RD")) == ELIMINATED


def test_s42_5_1a_5_4a_farther_than_two_hexes_tactically() -> None:
    s, f = position(("45RD", 3417)), PlayerTurn(SOVIET)
    assert refusal(s, f, Tactical(number("45RD"), (3420,))) == "S42-5.4"


def test_s42_8_1g_why_a_unit_cannot_attack_now() -> None:
    s, f = position(("9Pz", 3417), ("11Pz", 3417)), PlayerTurn(AXIS)
    s.alter(number("9Pz"), replace(s.pieces[number("9Pz")], train=True))
    in_order(s, "11Pz", DISRUPTED)
    found = [may_attack(s, f, number(code)) for code in ("9Pz", "11Pz")]
    reasons = [wrong.reason for wrong in found if wrong is not None]
    assert reasons == ["9Pz is on a train, and cannot attack", "11Pz is disrupted, and cannot attack"]
