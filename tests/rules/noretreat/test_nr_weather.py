"""NR-10 Weather."""

from __future__ import annotations

import pytest
from noretreat_positions import CODES, fight, position, shifts

from pbem.engine.event import Out
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.movement import allowance
from pbem_rules.noretreat.odds import marker_worth, table_of_fight
from pbem_rules.noretreat.pursuit import limit
from pbem_rules.noretreat.targets import target_limit
from pbem_rules.noretreat.weather import begin, can_flip, flip, markers, set_to, winter

PAIR = {"1Pz": "2109", "SSPz": "2208", "NW": "2209", "4": "2210"}


def at(turn, weather="", **kept):
    s = position(PAIR, turn=turn, weather=weather, **kept)
    begin(s)
    return s


def test_nr_10_1_three_markers_on_the_next_variable_turns():
    assert markers(position({}, turn=1)) == (3, 4, 6)
    assert markers(position({}, turn=4)) == (4, 6, 9)
    assert not can_flip(position({}, turn=4), 5)
    assert all(
        turn.variable == (turn.number in (3, 4, 6, 9, 10, 12, 15, 16, 18, 21, 22, 25, 26))
        for turn in position({}).chart.track
    )


def test_nr_10_2_the_other_sides():
    track = position({}).chart.track
    assert [track[t].weather for t in (3, 4, 6)] == [
        ("mud", "clear"),
        ("snow", "mud"),
        ("mud", "snow"),
    ]


def test_nr_10_3_turning_a_marker():
    s = at(4)
    flip(s, 4, "NR-10.3", Out())
    assert (s.weather, s.snow_turn) == ("mud", 0)
    assert set_to(s, 4, "snow", "NR-10.3", Out())
    assert s.weather == "snow"
    assert not set_to(s, 5, "mud", "NR-10.3", Out())


def test_nr_10_4_clear():
    s = at(8)
    assert (allowance(s, CODES["1Pz"]), limit(s, CODES["4"])) == (6, 2)
    assert "armour" in shifts(s, "1Pz", "2209")


def test_nr_10_5_mud():
    s = at(9)
    assert (s.weather, allowance(s, CODES["1Pz"]), limit(s, CODES["1Pz"])) == ("mud", 3, 1)
    assert "armour" not in shifts(s, "1Pz", "2209")
    assert "SS armour" in shifts(s, "SSPz", "2209")


@pytest.mark.parametrize(("turn", "shift"), [(4, -1), (5, -2), (10, -1)])
def test_nr_10_6_snow(turn, shift):
    s = at(turn, "snow")
    assert (allowance(s, CODES["1Pz"]), limit(s, CODES["4"])) == (4, 1 if s.long_winter else 2)
    assert shifts(s, "4", "2209")["snow"] == shift
    assert table_of_fight(s, fight(s, "4", "2209")) == SOVIET
    river = position({"4": "2209", "NW": "2309"}, turn=turn, weather="snow")
    assert "river" not in shifts(river, "4", "2309")


def test_nr_10_7_the_first_snow_turn():
    first = at(4)
    assert marker_worth(first, SOVIET) == 2
    second = position(PAIR, turn=5, snow_turn=4)
    begin(second)
    assert marker_worth(second, SOVIET) == 1
    mud = position(PAIR, turn=5, flipped=(4,))
    begin(mud)
    assert marker_worth(mud, SOVIET) == 2
    later = position(PAIR, turn=10, snow_turn=4)
    begin(later)
    assert marker_worth(later, SOVIET) == 1


def test_nr_10_8_long_winter():
    s = at(5)
    assert s.long_winter
    assert (limit(s, CODES["1Pz"]), target_limit(s, AXIS), target_limit(s, SOVIET)) == (1, 3, 5)
    assert "armour" not in shifts(s, "1Pz", "2209")
    assert "SS armour" in shifts(s, "SSPz", "2209")


def test_nr_10_9_it_follows_the_weather_as_it_was():
    s = position(PAIR, turn=5, flipped=(4,))
    begin(s)
    assert not s.long_winter
    assert at(11).long_winter
    assert not at(13).long_winter


def test_nr_10_10_a_marker_turned_in_mid_turn():
    s = position(PAIR, turn=6)
    begin(s)
    flip(s, 6, "NR-10.10", Out())
    assert (s.weather, s.snow_turn, s.long_winter) == ("snow", 6, False)
    winter(s)
    assert s.long_winter
    flip(s, 6, "NR-10.10", Out())
    assert (s.weather, s.snow_turn, s.long_winter) == ("mud", 0, True)
    winter(s)
    assert not s.long_winter
