"""S42-S3, S42-33.2, S42-23.1 to S42-23.3: how Uranus is set up, who has the turn, the weather, who wins."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from s42_positions import position

from pbem.engine.testing import Driver, random_game
from pbem.engine.testing.driver import IllegalOrderError
from pbem.game import DONE, End, Out, Result
from pbem_rules.stalingrad42 import game as GAME
from pbem_rules.stalingrad42.chart import AXIS, DATA, SOVIET
from pbem_rules.stalingrad42.combat.air import refresh
from pbem_rules.stalingrad42.events import SideBegan, WeatherCame
from pbem_rules.stalingrad42.frames import GameTurn, PlayerTurn, Respite
from pbem_rules.stalingrad42.initial import due
from pbem_rules.stalingrad42.movement.marching import NORMAL, TACTICAL, modes
from pbem_rules.stalingrad42.movement.phase import Movement, Moves, ShortMovement, Withdrawals
from pbem_rules.stalingrad42.orders import Done, Move
from pbem_rules.stalingrad42.scenarios import CAMPAIGN, URANUS, chart_for
from pbem_rules.stalingrad42.setup import set_up
from pbem_rules.stalingrad42.state import REMOVED, ROUTED, State
from pbem_rules.stalingrad42.turns import AxisTurn, ShortTurn, Victory
from pbem_rules.stalingrad42.victory import stalingrad_lost, total, winner
from pbem_rules.stalingrad42.weather import Weather

CHART = chart_for(DATA, URANUS)
STALINGRAD = CHART.map.regions["stalingrad"].places


def unit(code: str) -> int:
    return CHART.unit(code).number


@cache
def beginning() -> State:
    return set_up(GAME.setup_of(URANUS))


def sides(d: Driver[State], turns: int) -> list[tuple[int, str]]:
    """Plays so many turns, in which nobody does anything, and says who had the turn when."""
    found = []
    while d.state.turn < 28 + turns:
        found += [(event.turn, event.side) for event in d.events() if isinstance(event, SideBegan)]
        ((seat),) = d.asked
        try:
            d.order(seat, Done())
        except IllegalOrderError:
            d.order(seat, next(iter(d.legal(seat))))
    return found


# The set-up.


def test_s42_s3_1a_uranus_begins_in_turn_28() -> None:
    s = beginning()
    assert (s.turn, s.offensive, s.rained) == (28, 28, True)
    assert s.flotilla == (5522, 5621)
    assert {place for place, side in s.forts.items() if side == AXIS} == set(CHART.listed("forts_axis"))
    assert {place for place, side in s.forts.items() if side == SOVIET} == set(CHART.listed("forts_soviet"))
    assert s.forts_off == ("forts_north", "forts_south", "forts_rostov")
    assert {track[-1] for track in s.tracks} == {2403, 2510, 5023, 5326}


def test_s42_s3_5b_the_axis_begins_with_fifteen_points_and_may_lose_four() -> None:
    s = beginning()
    assert sum(worth for place, worth in CHART.prizes.items() if s.holders[place] == AXIS) == 15
    assert total(s) == 15
    assert CHART.victory["win"] == 15 - 4


def test_counters_of_other_scenarios_and_leaders_are_not_in_play() -> None:
    s = beginning()
    for code in ("GD", "3Pz", "Manstein", "Chuikov"):
        assert s.at(unit(code)) == REMOVED, code
    s = replace(s, turn=29)
    s.chart, s.ground = beginning().chart, beginning().ground
    assert unit("Manstein") not in due(s, AXIS)
    assert unit("Hollidt-HQ") in due(s, AXIS)


# Who has the turn.


def test_s42_s3_3_and_s3_4_the_order_of_turns() -> None:
    """The Soviets alone, a short turn of the Axis, then the Soviets first in each turn."""
    d = Driver(GAME, URANUS)
    assert d.asked == (SOVIET,)
    assert d.need.kind == "movement"  # type: ignore[union-attr]  # no Initial Phase
    assert sides(d, 2) == [(28, SOVIET), (28, AXIS), (29, SOVIET), (29, AXIS)]


def test_s42_s3_4c_soviets_move_tactically_or_by_rail_on_the_first_turn() -> None:
    s = beginning()
    assert modes(s, unit("7TC")) == (TACTICAL,)
    assert modes(s, unit("16Pz"))[0] == NORMAL  # who has no turn then
    d = Driver(GAME, URANUS)
    assert any(type(order).__name__ == "Entrain" for order in d.legal(SOVIET))


def test_s42_33_2_3_the_short_turn() -> None:
    s = position(("6Pz", 4930), ("9ID", 4926), ("1TC", 5524), turn=28, chart=CHART)
    s.respite = True
    s.alter(unit("9ID"), replace(s.pieces[unit("9ID")], order=ROUTED))
    assert modes(s, unit("6Pz")) == (TACTICAL,)
    assert modes(s, unit("9ID"))[0] == NORMAL
    assert Withdrawals().may_start(s, PlayerTurn(AXIS), unit("6Pz")) is None  # S42-33.2.3b
    names = {choice.__name__ for choice in ShortMovement.choices}
    assert not names & {"Rails", "Sails", "Storms", "Exits", "Transfers", "Reserves"}  # S42-33.2.3b
    assert {"TacticalMoves", "Withdrawals"} <= names
    s.alter(unit("6Pz"), replace(s.pieces[unit("6Pz")], train=True))
    ShortTurn().run(s, GameTurn(), Out())
    assert not s.pieces[unit("6Pz")].train
    d = Driver(GAME, URANUS)
    while not isinstance(d.machine.frame, Respite):
        d.order(d.asked[0], Done())
    assert d.state.respite
    assert all(type(order).__name__ not in ("Entrain", "Storm") for order in d.legal(AXIS))
    d.order(AXIS, Done())
    assert not d.state.respite
    assert d.state.turn == 29


@pytest.mark.parametrize(
    ("code", "turn", "respite", "rule"),
    [("6Pz", 28, True, "S42-33.2.3b"), ("1TC", 28, False, "S42-S3.4c"), ("6Pz", 1, False, "S42-S1.2b")],
)
def test_s42_33_2_3b_s3_4c_s1_2b_who_moves_tactically_alone_is_told_why(
    code: str, turn: int, *, respite: bool, rule: str
) -> None:
    s = position((code, 4930), turn=turn, chart=CHART if turn > 1 else chart_for(DATA, CAMPAIGN))
    s.respite = respite
    seat = s.side(unit(code))
    wrong = Moves().check(s, PlayerTurn(seat), seat, Move(unit(code), (4931,)), {})
    assert wrong is not None
    assert wrong.rule == rule
    assert ("short turn" in wrong.reason) is respite
    assert f"only move tactically ({rule})" in Movement().prompt(s, PlayerTurn(seat), seat)


# Weather.


@pytest.mark.parametrize(
    ("turn", "before", "die", "found"),
    [
        *((29, "clear", 1, "snow"), (29, "clear", 3, "overcast_winter"), (29, "clear", 5, "clear")),
        *(
            (29, "snow", 2, "overcast_winter"),
            (29, "snow", 1, "snow"),
            (29, "snow", 4, "clear"),
            (29, "snow", 6, "clear"),
        ),
        *((20, "clear", 2, "rain"), (21, "rain", 2, "overcast"), (21, "rain", 1, "rain"), (22, "overcast", 2, "rain")),
        *((17, "clear", 1, "overcast"), (18, "rain", 2, "overcast"), (19, "clear", 3, "clear")),
    ],
)
def test_s42_23_1_weather_by_season_and_the_turn_before(turn: int, before: str, die: int, found: str) -> None:
    s = position(turn=turn, chart=chart_for(DATA, CAMPAIGN))
    s.weather = before
    (draw,) = Weather().draws(s, GameTurn())
    out = Out()
    assert Weather().run(s, GameTurn(), {draw.label: (die,)}, out) is DONE
    assert s.weather == found
    assert [event.weather for event in out.events if isinstance(event, WeatherCame)] == [found]


def test_s42_23_1a_s3_4b_no_roll_before_turn_17_nor_where_the_weather_is_printed() -> None:
    s = position(turn=16, chart=chart_for(DATA, CAMPAIGN))
    out = Out()
    assert not list(Weather().draws(s, GameTurn()))
    Weather().run(s, GameTurn(), {}, out)
    assert (s.weather, s.wet, list(out.events)) == ("clear", False, [])
    s = position(turn=28, chart=CHART)  # S42-S3.4b
    assert not list(Weather().draws(s, GameTurn()))
    Weather().run(s, GameTurn(), {}, out)
    assert s.weather == "overcast_winter"


def test_s42_23_3_1_23_3_2_23_3_3_mud_follows_rain_until_it_rains_again() -> None:
    s = position(turn=20, chart=chart_for(DATA, CAMPAIGN))
    found = []
    for turn, die in ((20, 1), (21, 1), (22, 3), (23, 4), (24, 5)):
        s.turn = turn
        (draw,) = Weather().draws(s, GameTurn())
        out = Out()
        Weather().run(s, GameTurn(), {draw.label: (die,)}, out)
        assert [event.mud for event in out.events if isinstance(event, WeatherCame)] == [turn == 22]
        found.append((s.weather, s.wet))
    assert found == [("rain", True), ("rain", True), ("overcast", True), ("overcast", False), ("clear", False)]
    assert s.rained  # S42-23.2.3b
    dry = position(turn=20, chart=chart_for(DATA, CAMPAIGN))
    Weather().run(dry, GameTurn(), {"t20/weather": (6,)}, Out())
    assert (dry.wet, dry.rained) == (False, False)
    s.turn, s.weather = 25, "rain"  # S42-23.3.1: not in winter
    Weather().run(s, GameTurn(), {"t25/weather": (4,)}, Out())
    assert not s.wet


@pytest.mark.parametrize(("weather", "wings"), [("clear", 1), ("overcast_winter", 0), ("snow", 0)])
def test_s42_9_3_9_one_air_unit_is_left_and_flies_in_clear_weather(weather: str, wings: int) -> None:
    s = position(turn=30, chart=CHART)
    s.weather = weather
    refresh(s)
    assert len(s.wings) == wings


# Arrivals and victory.


def test_s42_s3_2_arrivals_by_the_south_and_from_the_north() -> None:
    s = position(turn=32, chart=CHART)
    for code in ("17Pz", "6MC", "306ID"):
        assert s.at(unit(code)) not in CHART.board.places
    gates = {
        code: {CHART.board[CHART.areas[key]].name for key in CHART.gates(where)}
        for code, where in ((a.unit, a.where) for a in CHART.track.arrivals)
    }
    assert gates["17Pz"] == {"Area Q", "Area R"}
    assert gates["6MC"] == {"Area A", "Area B", "Area C"}
    assert gates["306ID"] == {"Area X"}


def test_s42_s3_5a_who_wins_at_the_end() -> None:
    s = position(("6A-HQ", 5021), ("16Pz", 5522), turn=36, chart=CHART)
    assert total(s) >= 11
    assert winner(s) == AXIS
    for place in CHART.prizes:
        s.holders[place] = SOVIET
    assert winner(s) == SOVIET
    s.turn = 35
    assert winner(s) == ""  # no automatic victory
    out = Out()
    assert Victory().run(s, GameTurn(), out) is DONE
    assert s.turn == 36
    assert Victory().run(s, GameTurn(), out) == End(Result(SOVIET, "points", ((AXIS, total(s)),)))


def test_s42_s3_5b_isolated_hexes_count_for_nobody() -> None:
    s = position(("16Pz", 5522), *(("1TC", 5422), ("26TC", 5420), ("4MC", 5523)), turn=36, chart=CHART)
    before = total(s)
    for place in STALINGRAD:
        s.holders[place] = SOVIET
    assert total(s) < before


def test_s42_s3_5a_a_hex_of_stalingrad_at_the_start_of_turn_34() -> None:
    s = position(turn=34, chart=CHART)
    s.offensive = 28
    assert not stalingrad_lost(s)
    for place in STALINGRAD:
        s.holders[place] = SOVIET
    assert stalingrad_lost(s)
    assert AxisTurn().run(s, GameTurn(), Out()) == End(Result(SOVIET, "stalingrad", ((AXIS, total(s)),)))
    s.turn = 33
    assert not stalingrad_lost(s)


@pytest.mark.parametrize("seed", ["1"])
def test_random_orders_in_uranus(seed: str) -> None:
    random_game(GAME, seed, scenario=URANUS, orders=30, every=15)
