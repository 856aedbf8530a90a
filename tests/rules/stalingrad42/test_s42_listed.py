"""What is listed in a phase is what is allowed in it: each kind of order against all that could be typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position
from test_s42_refusals import axis_movement, change, soviet_initial, soviet_movement

from pbem.game import Choice, Order, Out
from pbem_rules.stalingrad42.chart import DATA, PORT
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.initial import Arrivals, Brings, Digs, Razes, Refits
from pbem_rules.stalingrad42.movement.phase import (
    Exits,
    ExtendedMoves,
    Moves,
    Patrols,
    Rails,
    Removals,
    Sails,
    Storms,
    TacticalMoves,
    Transfers,
    Turns,
    Withdrawals,
    full,
)
from pbem_rules.stalingrad42.orders import (
    FIXED,
    LAID_OUT,
    PACKED,
    Arrive,
    Bring,
    Dig,
    Entrain,
    Exit,
    Extended,
    Move,
    Patrol,
    Raze,
    Ready,
    Refit,
    Remove,
    Sail,
    Storm,
    Tactical,
    Transfer,
    Turn,
    Withdraw,
)
from pbem_rules.stalingrad42.scenarios import CAUCASUS, chart_for
from pbem_rules.stalingrad42.state import DISRUPTED, State
from pbem_rules.stalingrad42.supply.phase import Readies

BOARD, AREAS = CHART.board, CHART.areas
HEXES = [place for place in BOARD.places if place in BOARD.grid]  # type: ignore[operator]
ALL = range(len(CHART.units))
Position = tuple[State, PlayerTurn]


def agree(kind: Choice[Any, Any, Any], where: Position, candidates: Iterable[Order]) -> set[Order]:
    """What is listed, if it is what passes of the candidates; one of each is there and not there."""
    s, f = where
    listed = list(kind.legal(s, f, f.seat, {}))
    assert len(listed) == len(set(listed))
    passing, tried = set(), set()
    for order in candidates:
        tried.add(order)
        if kind.check(s, f, f.seat, order, {}) is None:
            passing.add(order)
    assert set(listed) & tried == passing
    assert len(passing) < len(tried)
    return set(listed)


def near(s: State, unit: int, far: int) -> list[int]:
    """The places around a unit, and the Areas."""
    grid, at = BOARD.grid, s.at(unit)
    assert grid is not None
    around = [place for place in HEXES if at in grid and grid.distance(place, at) <= far]
    return [*around, *AREAS.values()]


MOVERS = {
    AXIS: ("9Pz", "45ID", "6A-HQ", "57ID", "24Pz", "14Pz", "13Pz", "22Pz", "454Sec", "Sup-A2", "383ID"),
    SOVIET: ("45RD", "13GRD", "16TC", "76NB", "Sup-S1"),
}


@pytest.mark.parametrize("position_", [axis_movement, soviet_movement])
@pytest.mark.parametrize(("kind", "order"), [(Moves(), Move), (ExtendedMoves(), Extended), (TacticalMoves(), Tactical)])
def test_s42_5_1a_5_3a_5_4a_4_4b_moves_are_listed_to_wherever_they_are_allowed(
    position_: Any, kind: Any, order: Any
) -> None:
    where = position_()
    s, f = where
    units = [number(code) for code in MOVERS[f.seat]]
    orders = [order(unit, (place,)) for unit in units if s.on_map(unit) for place in near(s, unit, 3)]
    found = agree(kind, where, orders)
    for pick in kind.first(s, f, f.seat, {}):  # S42-5.1: each unit that can go somewhere, and only those
        assert set(kind.picked(s, f, f.seat, {}, pick.value)) == {each for each in found if each.unit == pick.value}
    assert {pick.value for pick in kind.first(s, f, f.seat, {})} == {each.unit for each in found}


@pytest.mark.parametrize("position_", [axis_movement, soviet_movement])
def test_s42_13_1_3c_who_can_withdraw_and_where_to(position_: Any) -> None:
    where = position_()
    s, f = where
    units = [number(code) for code in MOVERS[f.seat]]
    orders = [Withdraw(unit, (place,)) for unit in units if s.on_map(unit) for place in near(s, unit, 2)]
    found = agree(Withdrawals(), where, [*orders, *(Withdraw(unit) for unit in units)])
    kind = Withdrawals()
    assert {pick.value for pick in kind.first(s, f, f.seat, {})} == {each.unit for each in found}


@pytest.mark.parametrize("position_", [axis_movement, soviet_movement])
def test_s42_18_6_2a_18_6_8a_supply_points_that_can_be_turned(position_: Any) -> None:
    orders = [Turn(unit, side) for unit in ALL for side in (PACKED, LAID_OUT, FIXED)]
    assert agree(Turns(), position_(), orders)


def rides() -> Iterator[Position]:
    yield axis_movement()
    yield soviet_movement()
    a = AREAS["a"]
    s = position(("45RD", a), ("62RD", 2002), ("16TC", 2503), ("Sup-S1", 2503), ("5CC", 2002), ("9Pz", 2302))
    change(s, "5CC", order=DISRUPTED)
    yield s, PlayerTurn(SOVIET)
    yield s, PlayerTurn(SOVIET, rides=4)
    yield s, PlayerTurn(SOVIET, rides=1, rides_on_map=1)
    s = position(("45RD", a), ("62RD", 2503))
    change(s, "62RD", train=True)
    yield s, PlayerTurn(SOVIET)


def test_s42_5_6_2_5_6_3a_5_6_3b_5_6_3c_5_6_3d_by_rail_to_wherever_it_is_allowed() -> None:
    for where in rides():
        s, f = where
        units = list(s.ground.standing(f.seat))[:8]
        orders = [Entrain(unit, place) for unit in units for place in (*HEXES[::6], *AREAS.values(), 2002, 2503)]
        kind = Rails()
        found = agree(kind, where, orders)
        assert {pick.value for pick in kind.first(s, f, f.seat, {})} == {each.unit for each in found}


def test_s42_5_6_2_s1_2h_who_is_of_the_fifth_reserve_army_and_who_is_not() -> None:
    s = position(("45RD", AREAS["a"]), ("14GRD", AREAS["m"]))
    f = PlayerTurn(SOVIET)
    for code, area, counted in (("45RD", "a", False), ("14GRD", "m", True)):
        unit = number(code)
        assert s.at(unit) == AREAS[area]
        end = next(order for order in Rails().picked(s, f, SOVIET, {}, unit))
        Rails().apply(s, f, SOVIET, end, Out())
        assert s.by_rail5 is counted
    assert (f.rides, f.rides_on_map) == (2, 0)
    s, f = position(("14GRD", 2503)), PlayerTurn(SOVIET)  # it has come already, on foot
    Rails().apply(s, f, SOVIET, next(Rails().picked(s, f, SOVIET, {}, number("14GRD"))), Out())
    assert not s.by_rail5
    s = position(("62RD", AREAS["a"]), turn=1)
    assert Rails().may_start(s, PlayerTurn(SOVIET), number("62RD")) is None  # the Axis alone begins tactically
    s.put(number("Sup-A1"), AREAS["x"])
    assert Rails().may_start(s, PlayerTurn(AXIS), number("Sup-A1")) is None  # and of it combat units


def test_s42_4_4b_4_2_hexes_that_are_full_for_some_and_not_for_others() -> None:
    codes = "45RD", "62RD"
    s = position(*((code, 3418) for code in codes), ("121RD", 3419), ("10TB", 3420), ("SW-HQ", 3421))
    bit = BOARD.bit[3418]
    assert full(s, number("121RD")) & bit
    assert not full(s, number("10TB")) & bit  # one stacks freely
    assert not full(s, number("SW-HQ"))
    assert not full(s, number("45RD")) & bit  # it stands there
    s.put(number("90TB"), 3418)
    assert full(s, number("10TB")) & bit


def sailings() -> Iterator[Position]:
    s = position(("45RD", 3134), ("76NB", 3134), ("Sup-S1", 3134), ("62RD", 2338), ("13GRD", 3133), ("9Pz", 2634))
    yield s, PlayerTurn(SOVIET)
    yield s, PlayerTurn(SOVIET, sailed={"azov"})
    yield s, PlayerTurn(SOVIET, sailed={"azov"}, halfway={number("76NB"): "sea"})
    yield s, PlayerTurn(SOVIET, halfway={number("76NB"): "tactical"})
    yield s, PlayerTurn(SOVIET, moved={number("45RD")})
    s = position(("45RD", 3134), ("76NB", 2338))
    s.renewed.add(number("45RD"))
    yield s, PlayerTurn(SOVIET)
    s.frozen[number("76NB")] = "garrison"
    yield s, PlayerTurn(SOVIET)
    s = position(("45RD", 3134), *((code, 2338) for code in ("62RD", "121RD", "160RD")))
    yield s, PlayerTurn(SOVIET)


def test_s42_5_7_1a_5_7_1b_5_7_1f_by_sea_to_wherever_it_is_allowed() -> None:
    for where in sailings():
        s, _ = where
        units = [unit for place in (3134, 2338, 3133) for unit in s.of(SOVIET, place)]
        agree(Sails(), where, [Sail(unit, place) for unit in units for place in (*BOARD.marked(PORT), 3133)])


def test_s42_22_6_1a_22_6_2_22_6_3_22_3_1b_from_area_to_area_where_it_is_allowed() -> None:
    s = position(("45RD", AREAS["a"]), ("62RD", AREAS["m"]), ("16TC", AREAS["b"]), ("13GRD", 3417), ("9Pz", AREAS["y"]))
    change(s, "62RD", order=DISRUPTED)
    s.renewed.add(number("16TC"))
    for where in ((s, PlayerTurn(SOVIET)), (s, PlayerTurn(AXIS)), (s, PlayerTurn(SOVIET, moved={number("45RD")}))):
        units = [number(code) for code in ("45RD", "62RD", "16TC", "13GRD", "9Pz")]
        agree(Transfers(), where, [Transfer(unit, to) for unit in units for to in AREAS.values()])


def test_s42_s1_2e_off_the_map_where_it_is_allowed() -> None:
    s = position(("9Pz", 4105), ("45ID", 4104), ("11Pz", 3905), ("24Pz", 3505), ("16TC", 4106), ("57ID", 4120))
    change(s, "45ID", order=DISRUPTED)
    for where in ((s, PlayerTurn(AXIS)), (s, PlayerTurn(AXIS, moved={number("9Pz")}))):
        units = [unit for unit in ALL if s.on_map(unit)]
        assert agree(Exits(), where, [Exit(unit, area) for unit in units for area in AREAS.values()])
    assert list(Exits().legal(s, PlayerTurn(SOVIET), SOVIET, {})) == []
    s.chart = chart_for(DATA, CAUCASUS)  # where no unit leaves the map
    assert list(Exits().legal(s, PlayerTurn(AXIS), AXIS, {})) == []


def test_s42_4_4a_12_1_4_who_can_be_given_up() -> None:
    codes = "45RD", "62RD", "121RD", "10TB", "Sup-S1"
    s = position(*((code, 3418) for code in codes), ("13GRD", 3419), *((code, AREAS["a"]) for code in ("6RD", "160RD")))
    found = agree(Removals(), (s, PlayerTurn(SOVIET)), [Remove(unit) for unit in ALL])
    assert {order.unit for order in found} == {number(code) for code in codes[:4]}  # type: ignore[attr-defined]


def test_s42_5_5_3b_the_flotilla_between_two_hexes_of_the_volga() -> None:
    s = position(("45RD", 3418))
    pairs = [Patrol((a, b)) for a in HEXES[:40] for b in BOARD.near[a]]
    where = s, PlayerTurn(SOVIET)
    assert set(Patrols().legal(*where, SOVIET, {})) == {
        Patrol(pair) for pair in CHART.banks if set(pair) != set(s.flotilla)
    }
    assert all(Patrols().check(*where, SOVIET, each, {}) is not None for each in pairs if each.side not in CHART.banks)
    assert list(Patrols().legal(s, PlayerTurn(SOVIET, patrolled=True), SOVIET, {})) == []
    assert list(Patrols().legal(s, PlayerTurn(AXIS), AXIS, {})) == []


def test_s42_8_6_1a_8_6_1b_20_5_1_automatic_ds_with_all_who_can_join_or_as_few_as_are_needed() -> None:
    s = position(
        *(("9Pz", 3417), ("11Pz", 3417), ("3Pz", 3417), ("24Pz", 3318), ("1Rom", 3318), ("6LHun", 3318)),
        *(("45RD", 3418, 1), ("62RD", 3518), ("13GRD", 3319)),
    )
    kind, f = Storms(), PlayerTurn(AXIS)
    found = list(kind.legal(s, f, AXIS, {}))
    assert found
    assert all(kind.check(s, f, AXIS, order, {}) is None for order in found)
    assert {order.target for order in found} == {3418}
    most, fewest = found
    alone = (number("9Pz"),)
    assert list(kind.picked(s, f, AXIS, {}, (3418, alone))) == [Storm(3418, alone)]  # nobody can be left out
    assert set(fewest.units) < set(most.units)
    for unit in fewest.units:  # nobody of them can be spared
        less = tuple(each for each in fewest.units if each != unit)
        assert kind.check(s, f, AXIS, Storm(3418, less), {}) is not None
    assert not {number("1Rom"), number("6LHun")} <= set(most.units)
    for code in ("9Pz", "11Pz"):
        f.hurried.add(number(code))
    assert list(kind.legal(s, f, AXIS, {})) == []
    allies = position(("1Rom", 3417), ("6LHun", 3417), ("45RD", 3418, 1))
    assert list(kind.legal(allies, PlayerTurn(AXIS), AXIS, {})) == []  # without Germans nobody joins them
    s.contests[3417], f = SOVIET, PlayerTurn(AXIS)
    assert list(kind.legal(s, f, AXIS, {})) == []  # S42-29.1.3: out of a contested city none


def test_s42_22_1_1a_18_1c_18_1d_9_7_2a_9_7_5a_18_6_4_the_initial_phase_lists_what_it_allows() -> None:
    where = soviet_initial()
    s, _ = where
    places = [*HEXES[::4], 3417, 3416, 3610, 2503, 3611]
    agree(Arrivals(), where, [Arrive(unit, area) for unit in ALL for area in AREAS.values()])
    agree(Refits(), where, [Refit(unit) for unit in ALL])
    agree(Brings(), where, [Bring(area) for area in AREAS.values()])
    agree(Razes(), where, [Raze(place) for place in places])
    agree(Digs(), where, [Dig(place) for place in places])
    supplies = [number(code) for code in ("Sup-S1", "Sup-S2", "Sup-A1", "13GRD")]
    agree(Readies(), where, [Ready(unit, supply) for unit in ALL for supply in supplies])
    where[1].points = 0
    for kind in (Refits(), Brings(), Digs()):
        assert list(kind.legal(s, where[1], SOVIET, {})) == []
