"""S42-23.2, S42-23.4, S42-5.5.3, S42-9.6.2: snow, winter, the Volga and the main range, beyond Fall Blau."""

from __future__ import annotations

from dataclasses import replace

import pytest
from s42_positions import CHART, number, position

from pbem.game import Out
from pbem.kit import ISOLATED, OUT_OF_SUPPLY, reach
from pbem_rules.stalingrad42.chart import AXIS, DATA, SOVIET, chart_of
from pbem_rules.stalingrad42.combat.advance import hexes, ways
from pbem_rules.stalingrad42.combat.fights import targets
from pbem_rules.stalingrad42.combat.odds import attack, attack_of, defence_of
from pbem_rules.stalingrad42.combat.retreat import routes
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.movement.marching import (
    EXTENDED,
    NORMAL,
    TACTICAL,
    allowance,
    borders,
    march,
    may_cross,
    merged,
)
from pbem_rules.stalingrad42.movement.phase import Movement, Patrols, full
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.movement.terrain import bridged, fords, links, paces
from pbem_rules.stalingrad42.orders import Patrol
from pbem_rules.stalingrad42.replacements import capacity
from pbem_rules.stalingrad42.scenarios import CAMPAIGN, URANUS, chart_for, part
from pbem_rules.stalingrad42.state import State
from pbem_rules.stalingrad42.supply.isolation import help_for
from pbem_rules.stalingrad42.supply.lines import lines
from pbem_rules.stalingrad42.supply.phase import starving

URANUS_CHART = chart_of(part(DATA, URANUS))
SUMMER = chart_for(DATA, CAMPAIGN)


def uranus(*units: tuple[str, int] | tuple[str, int, int]) -> State:
    return position(*units, turn=29, chart=URANUS_CHART)


def summer(*units: tuple[str, int] | tuple[str, int, int]) -> State:
    return position(*units, turn=12, chart=SUMMER)


def unit(code: str) -> int:
    return SUMMER.unit(code).number


def near(s: State, code: str, mode: str = NORMAL) -> dict[int, tuple[int, int]]:
    found = march(s, [unit(code)], mode)
    return reach(found.links, s.chart.board.bit, s.at(unit(code)), found.terms)


def cost(s: State, a: int, b: int, pace: str) -> int | None:
    return next((c for there, _, c in links(s.chart, pace)[a] if there == b), None)


# Weather.


def test_s42_23_2_4b_snow_takes_a_point_of_movement() -> None:
    s = uranus(("6Pz", 4930))
    full_move = allowance(s, unit("6Pz"), NORMAL)
    assert full_move == 12
    s.weather = "snow"
    assert allowance(s, unit("6Pz"), NORMAL) == 10
    assert allowance(s, unit("6Pz"), EXTENDED) == 10 + 6
    assert allowance(s, unit("6Pz"), TACTICAL) == 2


@pytest.mark.parametrize(("printed", "snow", "rain"), [(1, 1, 1), (2, 1, 1), (3, 2, 2), (4, 3, 2)])
def test_s42_23_2_4c_and_23_2_3d_advances_in_snow_and_rain(printed: int, snow: int, rain: int) -> None:
    s = uranus(("6Pz", 4930))
    assert hexes(s, unit("6Pz"), printed) == printed
    s.weather = "snow"
    assert hexes(s, unit("6Pz"), printed) == snow
    s.weather, s.wet = "rain", True
    assert hexes(s, unit("6Pz"), printed) == rain


def test_s42_16_5_4b_snow_halves_what_an_airfield_helps_the_axis() -> None:
    s = uranus(("6Pz", 4930))
    assert [shift.by for shift in help_for(s, unit("6Pz")) if shift.rule == "S42-16.5.4a"] == [2]
    s.weather = "snow"
    assert [shift.by for shift in help_for(s, unit("6Pz")) if shift.rule == "S42-16.5.4a"] == [1]


def test_s42_16_5_4e_a_headquarters_helps_and_an_artillery_division_does_not() -> None:
    rules = [shift.rule for shift in help_for(uranus(("252RD", 4930), ("Don-HQ", 4930)), unit("252RD"))]
    assert "S42-16.5.4e" in rules
    rules = [shift.rule for shift in help_for(uranus(("252RD", 4930), ("1Art", 4930)), unit("252RD"))]
    assert "S42-16.5.4e" not in rules


def test_s42_16_5_3a_enemies_beyond_the_volga_stand_beside_an_isolated_unit() -> None:
    for a, b in URANUS_CHART.banks:
        s = uranus(("252RD", a), ("6Pz", b))
        assert not s.zone(AXIS) & URANUS_CHART.board.bit[a]  # zones end at the river
        s.alter(unit("252RD"), replace(s.pieces[unit("252RD")], supply=ISOLATED))
        assert starving(s, SOVIET) == (unit("252RD"),)


def test_s42_21_3_1c_and_21_3_1d_no_unit_comes_back_with_artillery_or_beside_the_enemy_beyond_the_volga() -> None:
    railway = connected(uranus(), SOVIET)
    a, b = next((a, b) for a, b in URANUS_CHART.banks if URANUS_CHART.board.bit[a] & railway)
    assert a in capacity(uranus(("Don-HQ", a)), SOVIET, unit("252RD"))
    assert a not in capacity(uranus(("1Art", a)), SOVIET, unit("252RD"))
    assert a not in capacity(uranus(("Don-HQ", a), ("6Pz", b)), SOVIET, unit("252RD"))


def test_s42_16_5_4f_the_desert_helps_nobody() -> None:
    s = uranus(("6Pz", 6737))
    assert -1 in [shift.by for shift in help_for(s, unit("6Pz"))]


# Winter.


def test_s42_23_4b_9_9c_the_axis_attacks_a_point_weaker() -> None:
    s = uranus(("6Pz", 4930), ("385ID", 4931, 1), ("1TC", 4829))
    assert attack_of(s, unit("6Pz"), 4829).value == 10 - 1
    assert attack_of(s, unit("385ID"), 4930).value == 1  # never below
    assert attack_of(s, unit("1TC"), 4930).value == 7
    s.alter(unit("6Pz"), replace(s.pieces[unit("6Pz")], supply=OUT_OF_SUPPLY))
    assert attack_of(s, unit("6Pz"), 4829).base == 10 - 1  # before it is halved
    assert attack_of(s, unit("6Pz"), 4829).value == 5
    autumn = position(("6Pz", 4930), turn=27, chart=SUMMER)
    assert attack_of(autumn, unit("6Pz"), 4829).value == 10
    south = position(("6Pz", 4049), turn=29, chart=chart_for(DATA, CAMPAIGN, 28))
    assert attack_of(south, unit("6Pz"), 3950).value == 10  # south of row 43


def test_s42_23_4c_9_9c_the_axis_defends_a_point_weaker_in_the_open() -> None:
    s = uranus(("6Pz", 5025), ("369Cro", 5025), ("1TC", 5025), ("9ID", 5522), ("46ID", 5521), ("50ID", 5421))

    def value(code: str, place: int) -> int:
        return defence_of(s, unit(code), place, over=False).base

    assert value("6Pz", 5025) == 8 - 1
    assert value("369Cro", 5025) == 2  # never below
    assert value("1TC", 5025) == 5
    assert value("9ID", 5522) == 7  # a city
    assert value("50ID", 5421) == 7  # beside a major city of its own
    s.holders[5521] = s.holders[5522] = SOVIET
    assert value("50ID", 5421) == 6
    s.forts[5025] = AXIS
    assert value("6Pz", 5025) == 8
    assert value("50ID", 4930) == 7  # a town
    far = next(p for p in s.holders if s.chart.is_city(p) and s.chart.board[p].terrain != "major_city")
    s.put(unit("50ID"), far)
    assert value("50ID", far) == 7  # a smaller city, whoever holds those around


def test_s42_23_4f_major_rivers_freeze() -> None:
    s = uranus()
    edge = s.chart.board.edges[4817, 4917]
    assert {"major_river", "frozen"} <= edge
    assert (cost(s, 4817, 4917, "mech"), cost(s, 4817, 4917, "foot")) == (2 + 4, 2 + 2)
    assert not any(there == 4917 for there, _, _ in fords(s.chart, "foot").get(4817, ()))
    assert any(there == 4917 for there, _, _ in paces(s.chart)[4817])
    volga = {(a, b) for a, steps in fords(s.chart, "foot").items() for b, _, _ in steps} & set(s.chart.banks)
    assert not volga  # S42-5.5.2a: it is no ford
    for chart in (s.chart, SUMMER):
        steps = [(a, b) for a, each in fords(chart, "foot").items() for b, _, _ in each]
        assert not any(bridged(chart.board.edges[ends]) for ends in steps)
    assert cost(summer(), 4817, 4917, "mech") is None
    attackers = uranus(("1TC", 4817), ("9ID", 4917))
    assert attack_of(attackers, unit("1TC"), 4917).value == 4  # combat is as over water: halved
    assert attack(attackers, [unit("1TC")], 4917, AXIS).defenders[0].factors


def test_s42_23_4h_a_bond_runs_over_two_frozen_rivers() -> None:
    assert all("major_river" in SUMMER.board.edges[4718, bank] for bank in (4717, 4617))
    assert not SUMMER.spans(4717, 4718, 4617)
    assert URANUS_CHART.spans(4717, 4718, 4617)


def test_s42_23_4g_9_5_6_lakes_freeze() -> None:
    assert "major_river" in URANUS_CHART.board.edges[5624, 5725]
    assert cost(uranus(), 5624, 5725, "mech") == 2 + 4
    assert not summer().chart.board.touch(5624, 5725)  # S42-9.5.6


# The Volga.


def test_s42_5_5_3_who_crosses_the_volga_where() -> None:
    s = uranus(("6Pz", 5522), ("1TC", 5621))
    pz, tc = unit("6Pz"), unit("1TC")
    assert may_cross(s, pz, 5522, 5621)  # a ferry
    assert may_cross(s, pz, 5521, 5522)  # no such side
    assert not may_cross(s, tc, 5521, 5620)
    s.flotilla = (5521, 5620)
    assert may_cross(s, tc, 5521, 5620)
    assert may_cross(s, tc, 5620, 5521)
    assert not may_cross(s, pz, 5521, 5620)
    assert may_cross(s, tc, 5902, 6002)  # the bridge of Saratov
    assert not may_cross(s, pz, 5902, 6002)
    assert not may_cross(s, tc, 6424, 6524)  # the ferry of the railway


def test_s42_5_5_6_a_ferry_costs_what_a_pontoon_does() -> None:
    s = uranus(("1TC", 5622))
    found = near(s, "1TC")
    assert found[5621][0] == found[5522][0] + 2 + 6
    s = uranus(("1TC", 5520))
    assert 5620 not in near(s, "1TC")
    assert 5620 not in near(s, "1TC", TACTICAL)
    s.flotilla = (5520, 5620)
    assert near(s, "1TC")[5620][0] == 2 + 6
    assert 5620 in near(s, "1TC", TACTICAL)


def test_s42_5_5_3c_there_is_no_pontoon_on_the_volga() -> None:
    s = uranus(("1TC", 5520), ("95RD", 5620))
    assert 5620 not in near(s, "1TC")


def test_s42_6_1b_zones_do_not_cross_the_volga() -> None:
    s = uranus(("1TC", 5620))
    beyond = [p for p in s.chart.board.near[5620] if "volga" in s.chart.board.edges[5620, p]]
    assert beyond
    assert not s.zone(SOVIET) & s.chart.board.mask(beyond)
    assert s.chart.beside(s.fighters(SOVIET)) & s.chart.board.mask(beyond)  # but it is adjacent


def test_s42_9_5_3_combat_across_the_volga_at_ferries_alone() -> None:
    s = uranus(("9ID", 5522), ("46ID", 5520), ("95RD", 5621), ("38GRD", 5620))
    assert targets(s, PlayerTurn(AXIS)) == {5621: [unit("9ID")]}
    assert borders(s, unit("9ID"), 5621)
    assert not borders(s, unit("46ID"), 5620)
    assert attack_of(s, unit("9ID"), 5621).factors[0].rule == "S42-9.5.2"
    assert targets(s, PlayerTurn(SOVIET)) == {5522: [unit("95RD")]}
    s.flotilla = (5620, 5520)
    assert set(targets(s, PlayerTurn(SOVIET))) == {5522, 5520}


def test_s42_12_2f_nobody_retreats_across_the_volga() -> None:
    s = uranus(("95RD", 5522), ("9ID", 5421), ("46ID", 5523))
    found = routes(s, unit("95RD"), 1).ways
    assert found
    assert all(5621 not in way.path for way in found)


def test_s42_9_5_3c_advances_follow_the_same_crossings() -> None:
    s = uranus(("95RD", 5621), ("38GRD", 5620))
    assert (5522,) in set(ways(s, unit("95RD"), 5522, 1))
    assert not any(5520 in way or 5521 in way for way in ways(s, unit("38GRD"), 5520, 2))


def test_s42_16_3_3a_roads_meet_at_a_ferry() -> None:
    s = uranus(("95RD", 5727))
    assert lines(s, SOVIET).reached & s.chart.board.bit[5727]


def test_s42_5_5_3b_the_flotilla_moves_once_in_a_soviet_phase() -> None:
    s, f, out = uranus(("1TC", 5520)), PlayerTurn(SOVIET), Out()
    step = Patrols()
    assert len(list(step.legal(s, f, SOVIET, {}))) == 102
    assert not list(step.legal(s, PlayerTurn(AXIS), AXIS, {}))
    assert not list(step.legal(position(("1TC", 2503)), f, SOVIET, {}))  # no Volga on map A
    order = Patrol((5520, 5620))
    assert step.check(s, f, SOVIET, order, {}) is None
    assert step.check(s, f, SOVIET, Patrol((5520, 5519)), {}) is not None
    step.apply(s, f, SOVIET, order, out)
    assert s.flotilla == (5520, 5620)
    assert 5620 in near(s, "1TC")
    refused = step.check(s, f, SOVIET, Patrol((5521, 5620)), {})
    assert refused is not None
    assert "has moved" in refused.reason
    assert Patrols in Movement.choices


# The main range.


def test_s42_9_6_2_mountain_troops_alone_cross_the_main_range() -> None:
    s = summer(("1Mtn", 4860), ("45ID", 4860))
    assert "alpine" in s.chart.board.edges[4860, 4861]
    assert near(s, "1Mtn")[4861][0] == s.chart.ground["mountain"].costs["foot"]
    assert 4861 not in near(s, "45ID")
    assert 4861 not in near(s, "45ID", TACTICAL)
    s = summer(("1Mtn", 4860), ("45ID", 4860), ("20MtD", 4861))
    assert targets(s, PlayerTurn(AXIS)) == {4861: [unit("1Mtn")]}
    assert not chart_for(DATA, CAMPAIGN, 28).board.touch(4860, 4861)  # S42-23.4d


# Headquarters of armies.


def test_s42_4_3_20_1_1_an_army_lets_one_more_unit_stack() -> None:
    s = uranus(("1TC", 4517), ("26TC", 4517), ("119RD", 4616), ("TankA-HQ", 4517), ("4TC", 4616))
    assert not full(s, unit("119RD")) & s.chart.board.bit[4517]
    assert not full(s, unit("4TC")) & s.chart.board.bit[4517]  # the tank army takes three corps
    s = uranus(("1TC", 4517), ("26TC", 4517), ("119RD", 4616), ("1GdsA-HQ", 4517), ("4TC", 4616))
    assert not full(s, unit("119RD")) & s.chart.board.bit[4517]
    assert full(s, unit("4TC")) & s.chart.board.bit[4517]  # S42-4.3b
    s = uranus(("1TC", 4517), ("26TC", 4517), ("119RD", 4616))
    assert full(s, unit("119RD")) & s.chart.board.bit[4517]
    assert number("1TC") == unit("1TC")
    assert CHART.most(AXIS, ()) == 3


def test_s42_5_1b_5_5_5_steps_of_several_kinds_from_one_place_are_all_open() -> None:
    one, two, three = (1, 2, 4), (5, 6, 4), (7, 8, 4)
    assert merged({3: (one,)}, {3: (two,), 9: (three,)}) == {3: (one, two), 9: (three,)}
    assert merged({}, {3: (one,)}) == {3: (one,)}
    assert merged({}, {}) == {}
