"""S42-24, S42-S1.3: victory points and the end of Fall Blau."""

from __future__ import annotations

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import End, Out, Result
from pbem_rules.stalingrad42.chart import DATA
from pbem_rules.stalingrad42.frames import GameTurn
from pbem_rules.stalingrad42.scenarios import CAUCASUS, URANUS, chart_for
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import REMOVED, State
from pbem_rules.stalingrad42.supply.lines import lines
from pbem_rules.stalingrad42.turns import Victory
from pbem_rules.stalingrad42.victory import forfeit, points, total, winner

BOARD = CHART.board


def held(*towns: str, turn: int = 2) -> State:
    """The Axis holds these, and the Soviets have a unit in Salsk."""
    s = position(("45RD", 4139), turn=turn)
    for town in towns:
        place = BOARD.place_named(town)
        assert place is not None
        s.holders[place] = AXIS
    return s


def around(place: int) -> tuple[int, ...]:
    """Every second hex two away: units there let no line through."""
    assert BOARD.grid is not None
    return BOARD.grid.ring(place, 2)[::2]


def rules(s: State, *, final: bool = False) -> list[tuple[int, str]]:
    return [(each.by, each.rule) for each in points(s, final=final)]


def test_no_points_at_the_start() -> None:
    s = at_start(CHART)
    assert rules(s) == []
    assert winner(s) == ""


def test_s42_24_1_1_towns_that_a_line_of_supply_reaches() -> None:
    s = held("Voronezh", "Valuyki")
    assert sorted(rules(s)) == [(1, "S42-24.1.1"), (2, "S42-24.1.1")]
    for code, place in zip(("62RD", "121RD", "160RD", "212RD", "284RD", "301RD"), around(2013), strict=True):
        s.put(number(code), place)
    assert total(s) == 2  # Valuyki is cut off, and nobody stands there


def test_s42_s1_3c_what_the_soviets_hold_without_a_line_counts_too() -> None:
    s = position(
        ("45RD", 2503), *zip(("9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz"), BOARD.grid.ring(2503, 2)[::2], strict=True)
    )
    assert (2, "S42-S1.3c") in rules(s)
    s.put(number("9Pz"), 1303)
    s.put(number("11Pz"), 1303)
    assert rules(s) == []
    elsewhere = chart_for(DATA, URANUS)  # where that counts for nothing
    stalingrad = elsewhere.map.regions["stalingrad"].places[0]
    ring = zip(("9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz"), elsewhere.board.grid.ring(stalingrad, 1), strict=False)
    s = position(*ring, turn=29, chart=elsewhere)
    s.holders[stalingrad] = SOVIET
    assert "S42-S1.3c" not in {rule for _, rule in rules(s)}


def test_s42_s1_3e_a_german_unit_south_of_the_don() -> None:
    s = held()
    s.put(number("1Rom"), 3236)
    assert total(s) == 0
    s.put(number("45ID"), 3236)
    assert rules(s) == [(1, "S42-S1.3e")]
    s.put(number("95ID"), 3337)
    assert total(s) == 1
    s.put(number("Sup-A1"), 3236)
    s.put(number("45ID"), 3033)
    s.put(number("95ID"), 3033)
    assert total(s) == 0


def test_s42_s1_3d_vehicles_that_have_left() -> None:
    """Five steps by an edge, a line to an Area that they used, and at the end of the game alone."""
    s = held(*(BOARD[place].name for place in CHART.prizes))
    base = total(s)
    s.put(number("9Pz"), 4105)
    s.put(number("22Pz"), 4105)
    s.put(number("45ID"), 4105)
    s.leave(number("9Pz"), "m")
    s.leave(number("45ID"), "m")
    s.put(number("Sup-A1"), 4105)
    s.leave(number("Sup-A1"), "m")
    assert s.exits == {"m": 3}
    assert total(s, final=True) == base
    s.leave(number("22Pz"), "n")
    assert s.at(number("22Pz")) == REMOVED
    assert (total(s), total(s, final=True)) == (base, base + 2)
    s.turn = CHART.track.last.number
    assert Victory().run(s, GameTurn(), Out()) == End(Result(winner(s), "points", ((AXIS, base + 2),)))
    s = held()
    s.exits["r"] = 5
    assert rules(s, final=True) == []  # no line leads so far, with Rostov and Salsk in Soviet hands
    s = held("Rostov", "Salsk")
    s.exits["r"] = 5
    assert (2, "S42-S1.3d") in rules(s, final=True)
    s = held("Rostov", "Salsk")
    reached = lines(s, AXIS).reached
    assert [bool(BOARD.mask(CHART.map.entries[key].places) & reached) for key in "mo"] == [False, True]
    s.exits["m"], s.exits["o"] = 3, 2
    assert (2, "S42-S1.3d") in rules(s, final=True)  # a line to one of them is enough


def test_s42_24_1_4_penalties() -> None:
    s = held()
    s.put(number("62RD"), 1003)  # Kursk, beside Area Z
    assert sorted(rules(s)) == [(-3, "S42-24.1.4a"), (-1, "S42-24.1.4")]
    s.put(number("121RD"), 2029)  # Stalino
    assert total(s) == -3 - 1 - 3
    s.put(number("160RD"), 1004)
    assert total(s) == -7  # an Area counts once
    s.put(number("212RD"), 2503)
    s.put(number("Sup-S1"), 1936)
    assert total(s) == -7  # what is theirs, and supplies, cost nothing


@pytest.mark.parametrize(
    ("turn", "towns", "who"),
    [
        (2, ("Voronezh", "Valuyki", "Millerovo"), ""),
        (7, ("Voronezh", "Valuyki", "Millerovo"), ""),
        (7, (), SOVIET),  # six fewer than the benchmark
        (6, (), ""),
        (8, ("Voronezh", "Valuyki", "Millerovo"), SOVIET),
        (8, ("Voronezh", "Rostov", "Valuyki", "Millerovo", "Shakhty", "Stary Oskol"), AXIS),
        (5, ("Voronezh", "Rostov", "Valuyki", "Millerovo", "Shakhty", "Stary Oskol"), AXIS),
        (1, ("Voronezh", "Rostov", "Valuyki", "Stary Oskol"), AXIS),  # six more
        (2, ("Voronezh", "Rostov", "Valuyki", "Stary Oskol"), ""),
    ],
)
def test_s42_24_2_s1_3a_s1_3b_who_has_won(turn: int, towns: tuple[str, ...], who: str) -> None:
    s = held(*towns, turn=turn)
    assert winner(s) == who
    assert (forfeit(s, (AXIS,)).winner, forfeit(s, (SOVIET,)).winner, forfeit(s, (AXIS, SOVIET)).winner) == (
        SOVIET, AXIS, None,
    )  # fmt: skip


def test_s42_24_2_elsewhere_points_enough_win_at_the_end_alone() -> None:
    chart = chart_for(DATA, CAUCASUS)
    last = chart.track.last.number
    for turn, who in ((last - 1, ""), (last, AXIS)):
        s = position(turn=turn, chart=chart)
        for place in chart.prizes:
            s.holders[place] = AXIS
        assert total(s) >= chart.victory["win"]
        assert winner(s) == who
