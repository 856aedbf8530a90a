"""S42-9.3: which air units fly, how far, with whom they stay, and when they are used up."""

from __future__ import annotations

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import DONE, Out
from pbem_rules.stalingrad42.air import bases, fit, no_air, reach, refresh, spend, stay
from pbem_rules.stalingrad42.chart import WINGS
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.initial import Begin
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.state import READY, USED, State

FIRST, SECOND = WINGS
KURSK, KHARKOV, VORONEZH = 1003, 1015, 2503
BOARD = CHART.board


def ready(*units: tuple[str, int], turn: int = 2) -> State:
    s = position(*units, turn=turn)
    refresh(s)
    return s


def rule(s: State, wing: str, target: int) -> str:
    wrong = no_air(s, wing, target)
    return "" if wrong is None else wrong.rule


def test_s42_9_3_1a_3_b1b_23_2_1_all_of_them_are_ready_when_the_axis_begins() -> None:
    s = position(("9Pz", KURSK))
    assert Begin().run(s, PlayerTurn(AXIS), Out()) is DONE
    assert dict(s.wings) == {FIRST: READY, SECOND: READY}
    spend(s, FIRST)
    stay(s, SECOND, [number("9Pz")])
    assert Begin().run(s, PlayerTurn(SOVIET), Out()) is DONE
    assert dict(s.wings) == {FIRST: USED, SECOND: number("9Pz")}
    assert Begin().run(s, PlayerTurn(AXIS), Out()) is DONE
    assert dict(s.wings) == {FIRST: READY, SECOND: READY}


@pytest.mark.parametrize(("weather", "wings"), [("clear", 2), ("overcast", 1), ("rain", 0), ("snow", 0)])
def test_s42_9_3_1a_23_2_2_23_2_3a_23_2_4a_the_weather_says_how_many_fly(weather: str, wings: int) -> None:
    assert CHART.air[weather] == wings


def test_s42_9_3_5_within_fifteen_hexes_of_a_base_on_a_joined_railway() -> None:
    s = ready()
    joined = connected(s, AXIS)
    homes = BOARD.in_mask(bases(s))
    assert KHARKOV in homes
    assert all(BOARD.bit[place] & joined for place in homes)
    assert all(CHART.is_city(p) or BOARD[p].marks & {"town", "landmark"} for p in homes)
    grid = BOARD.grid
    assert grid is not None
    hexes = [place for place in BOARD.places if place in grid]
    inside = {place for place in hexes if min(grid.distance(place, home) for home in homes) <= 15}
    assert {place for place in hexes if BOARD.bit[place] & reach(s)} == inside
    far = min(place for place in hexes if place not in inside and BOARD[place].terrain == "clear")
    assert rule(s, FIRST, VORONEZH) == ""
    assert rule(s, FIRST, far) == "S42-9.3.5"
    assert fit(s, far, defends=True) == ()


def test_s42_9_3_5_a_base_that_the_enemy_has_taken_is_none() -> None:
    s = ready()
    s.holders[KHARKOV] = SOVIET
    assert KHARKOV not in BOARD.in_mask(bases(s))


def test_s42_9_3_3_only_one_that_is_ready_helps_an_attack() -> None:
    s = ready(("9Pz", 2403))
    stay(s, FIRST, [number("9Pz")])
    spend(s, SECOND)
    assert [rule(s, wing, VORONEZH) for wing in (FIRST, SECOND, "")] == ["S42-9.3.3"] * 3
    assert fit(s, VORONEZH, defends=False) == ()


def test_s42_9_3_7b_9_3_7d_9_3_6_the_defence_is_covered_near_those_it_stays_with_or_from_the_box() -> None:
    s = ready(("9Pz", 2403))
    stay(s, FIRST, [number("9Pz")])
    for place, wings in ((2403, {FIRST, SECOND}), (2402, {FIRST, SECOND}), (2401, {SECOND})):
        assert set(fit(s, place, defends=True)) == wings
    spend(s, SECOND)  # S42-9.3.6
    assert fit(s, 2402, defends=True) == (FIRST,)
    assert fit(s, 2401, defends=True) == ()


@pytest.mark.parametrize("place", [2401, 0])
def test_s42_9_3_7c_back_to_the_box_when_they_retreat_or_are_destroyed(place: int) -> None:
    s = ready(("9Pz", 2403))
    stay(s, FIRST, [number("9Pz")])
    if place:
        s.put(number("9Pz"), place)
    else:
        for _ in range(3):
            s.lose_step(number("9Pz"), remnant=False)
    assert s.wings[FIRST] == READY


def test_s42_9_3_7b_with_the_stack_that_has_most_tanks_or_nobody() -> None:
    s = ready(("45ID", 2403), ("95ID", 2404), ("9Pz", 2404), ("22Pz", 2405))
    stay(s, FIRST, map(number, ("45ID", "95ID", "22Pz")))
    assert s.at(s.wings[FIRST]) == 2404
    stay(s, SECOND, [number("3Pz")])  # destroyed in the attack
    assert s.wings[SECOND] == READY
