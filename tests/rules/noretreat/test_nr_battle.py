"""NR-9.25 to NR-9.59 Results, counterattacks, retreats, pursuit, the end of the phase."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from noretreat_positions import CHART, CODES, asked, battle, fight, game, position, rule_of, shifts, table, where

from pbem.engine.event import Out
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import CounterAttack, Fought, Retreated
from pbem_rules.noretreat.frames import PlayerTurn
from pbem_rules.noretreat.losses import takers
from pbem_rules.noretreat.odds import reckon, result_now, table_of_fight
from pbem_rules.noretreat.pursuit import limit, may_pursue, paths
from pbem_rules.noretreat.results import AfterWork, plan_of
from pbem_rules.noretreat.retreat import penalty, ways_back
from pbem_rules.noretreat.turns import Remove

ROLLS = tomllib.loads((Path(__file__).parent / "data" / "observed_rolls.toml").read_text(encoding="utf-8"))["rolls"]
SURE = {"1Pz": "2109", "2Pz": "2109", "3Pz": "2208", "4": "2208"}  # 24: the last column against anybody


@pytest.mark.parametrize(
    "roll", ROLLS, ids=lambda roll: f"{roll['crt']}-{roll['column']}-{roll['die']}-{roll['source'][:4]}"
)
def test_nr_9_25_the_tables_give_what_was_observed(roll):
    odds, results = CHART.odds, CHART.results[roll["crt"]]
    if roll["column"].startswith("<"):
        assert roll["result"] == "auto CA"
        s = position({"2Hun": "2109", "West": ("2209", "+")})
        s.fight = fight(s, "2Hun", "2209")
        assert result_now(s) == "CA"
        return
    column = [odds.name(n) for n in range(len(odds.columns))].index(roll["column"])
    low, _, high = roll["die"].partition("-")
    got = [results.result(die, column) for die in range(int(low), int(high or low) + 1)]
    assert set(got) == set(roll["result"].split("|"))


def test_nr_9_25_a_higher_column_is_the_die_plus_one():
    for results in CHART.results.values():
        for column in range(8):
            assert [results.result(die, column + 1) for die in range(1, 6)] == [
                results.result(die, column) for die in range(2, 7)
            ]


def test_nr_9_26_no_effect():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", 3)
    assert d.events(Fought)[0].result == "-"
    assert (where(d, "4"), where(d, "NW")) == ("2109", "2209")


def test_nr_9_27_the_defender_may_counterattack():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", 1, counter=6)
    assert asked(d) == "counterattack soviet"
    d.order("soviet", "decline")
    assert d.state.fight is None
    assert "Soviet: no counterattack." in game.tell(d.events())


def test_nr_9_28_the_counterattack():
    units = {"4": "2109", "2Hun": "2208", "West": ("2209", "+")}
    d = battle(units, "4 2Hun", "2209", 1, counter=6, support={AXIS: 1, SOVIET: 1})
    d.order("soviet", "counter shock")
    assert d.events(CounterAttack)[0].hexes == (2109, 2208)
    s = position({"4": "2208", "NW": "2108"})
    assert "forest" not in shifts(s, "4", "2108", counter=True)


def test_nr_9_29_terrain_still_denies_tanks():
    s = position({"1Pz": "2008", "NW": "2108"})
    assert "armour" not in shifts(s, "1Pz", "2108", counter=True)
    t = position({"1Pz": "2008"})
    assert max(map(len, paths(t, CODES["1Pz"], (2108,)))) == 1


def test_nr_9_30_its_own_table_and_weather():
    s = position({"4": "2109", "NW": "2209"}, turn=10)
    assert shifts(s, "4", "2209", counter=True)["snow"] == -1
    assert table_of_fight(s, fight(s, "NW", "2109", counter=True)) == SOVIET
    assert table_of_fight(position({"4": "2109", "NW": "2209"}, turn=8), fight(s, "4", "2209", counter=True)) == AXIS


def test_nr_9_31_no_chain_of_counterattacks():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", 1, counter=1)
    d.order("soviet", "counter")
    assert [fought.result for fought in d.events(Fought)] == ["CA", "CA"]
    assert d.state.fight is None
    e = battle({"4": "2109", "SW": "2209"}, "4", "2209", 1, counter=4)
    e.order("soviet", "counter")
    assert e.state.blows == {2209: AXIS}  # for the next Axis Combat phase


def test_nr_9_32_the_attacker_marks_a_hex():
    d = battle({"4": "2109", "2Hun": "2208", "SW": "2209"}, "4 2Hun", "2209", 4)
    assert asked(d) == "mark axis"
    assert rule_of(d, "mark 2209") == "NR-9.32"
    d.order("axis", "mark 2Hun")
    assert d.state.blows == {2208: SOVIET}


def test_nr_9_33_the_disorganised_fight_there_and_do_not_pursue():
    d = battle({"1Pz": "2109", "NW": "2209"}, "1Pz", "2209", 6, forced=True, tired=("1Pz",))
    assert where(d, "NW") == "Destroyed"
    assert asked(d) != "pursuit axis"


def test_nr_9_34_exchange_and_nobody_pursues():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", 5)
    assert d.events(Fought)[0].result == "EX"
    assert (where(d, "4"), where(d, "NW")) == ("2109-", "Destroyed")
    assert asked(d) != "pursuit axis"


def test_nr_9_35_the_defender_retreats():
    d = battle({"4": "2109", "6": "2109", "NW": "2209"}, "4 6", "2209", 4)
    assert d.events(Fought)[0].result == "DR"
    assert asked(d) == "retreat soviet"
    d.order("soviet", "retreat NW 2309-2409")
    assert asked(d) == "pursuit axis"
    e = battle({"4": "2109", "6": "2109", "1Pz": "2208", "Len": ("2209", "+")}, "4 6 1Pz", "2209", 3)
    assert where(e, "Len") == "2209+"


def test_nr_9_36_the_defender_is_shattered():
    d = battle({"4": "2109", "6": "2109", "NW": "2209"}, "4 6", "2209", 6)
    assert (d.events(Fought)[0].result, where(d, "NW")) == ("DS", "Shattered")
    assert asked(d) == "pursuit axis"


def test_nr_9_37_the_defender_is_destroyed():
    d = battle({**SURE, "West": ("2209", "+")}, "1Pz 2Pz 3Pz 4", "2209", 6, turn=19)
    assert d.events(Fought)[0].result == "DD"
    assert asked(d) == "retreat soviet"
    assert where(d, "West") == "2209"  # two steps: the red side is lost


def test_nr_9_38_a_fortified_unit_holds_the_hex_for_all():
    d = battle({"1Pz": "2109", "4": "2208", "Len": ("2209", "+"), "Ost": "2209"}, "1Pz 4", "2209", 6, turn=24)
    assert where(d, "Ost") == "2209"


def test_nr_9_39_volkssturm_is_taken_away_and_the_other_unit_stays():
    units = {"VPos": "Posen", "4": ("Posen", "-"), "West": ("0411", "+")}
    d = battle(units, "West", "Posen", 5, side=SOVIET, turn=27, cut=("VPos", "4"))
    assert d.events(Fought)[0].result == "DR"
    assert (where(d, "VPos"), where(d, "4")) == ("Volkssturm out", "0410-")
    assert asked(d) != "pursuit soviet"


def test_nr_9_40_shattering_a_fortress_is_an_exchange():
    d = battle({"1Pz": "2109", "4": "2208", "Len": ("2209", "+")}, "1Pz 4", "2209", 5)
    assert d.events(Fought)[0].result == "DS"
    assert asked(d) == "loss axis"
    d.order("axis", "lose 4")
    assert (where(d, "4"), where(d, "Len")) == ("2208-", "2209")


def test_nr_9_40_nobody_pursues_into_a_fortress_that_fell_in_an_exchange():
    d = battle({"Fest1": "2109", "West": ("2209", "+")}, "West", "2109", 5, side=SOVIET, turn=27)
    assert d.events(Fought)[0].result == "DS"
    assert (where(d, "Fest1"), where(d, "West")) == ("out of the game", "2209")
    assert not asked(d).startswith("pursuit")


def test_nr_9_41_destroying_a_fortress_costs_it_a_step():
    d = battle({**SURE, "Len": ("2209", "+")}, "1Pz 2Pz 3Pz 4", "2209", 6)
    assert (d.events(Fought)[0].result, where(d, "Len")) == ("DD", "2209")
    assert asked(d) != "pursuit axis"


def test_nr_9_42_compulsory_takers():
    s = position({"SSPz": "2109", "SSGr": "2109", "4": "2109", "West": ("2209", "+")}, turn=19)
    units = tuple(CODES[code] for code in ("4", "SSPz", "SSGr"))
    assert takers(s, units, attacks=True) == (CODES["SSPz"],)
    assert takers(s, units, attacks=False) == (CODES["SSGr"],)
    assert takers(s, (CODES["West"],), attacks=False) == ()


def test_nr_9_43_retreats_follow_one_set_of_rules():
    s = position({"NW": "2209", "4": "2109"})
    assert all(len(path) == 2 for path in ways_back(s, CODES["NW"]))


def test_nr_9_44_two_hexes_away_by_the_owners_choice():
    s = position({"NW": "2209", "4": "2109", "6": "2309"})
    ways = ways_back(s, CODES["NW"])
    grid = CHART.board.grid
    assert {grid.distance(2209, path[-1]) for path in ways} == {2}
    assert not any(2309 in path or 2109 in path for path in ways)
    d = battle({"4": "2109", "6": "2109", "NW": "2209"}, "4 6", "2209", 4)
    assert rule_of(d, "retreat NW 2208-2209") == "NR-9.44"


def test_nr_9_45_enemy_zones_cost_steps_and_the_trapped_are_lost():
    ring = dict(zip(("4", "6", "9", "11", "16", "17"), ("2109", "2208", "2308", "2309", "2310", "2210"), strict=True))
    d = battle({**ring, "NW": "2209"}, "4 6", "2209", 4)
    assert where(d, "NW") == "Destroyed"
    s = position({"NW": "2209", "4": "2109", "6": "2307", "9": "2311", "11": "2409"})
    ways = ways_back(s, CODES["NW"])
    assert min(penalty(s, CODES["NW"], path) for path in ways) == max(penalty(s, CODES["NW"], path) for path in ways)


def test_nr_9_46_a_hex_further_where_there_is_no_room():
    friends = {
        code: f"{cell:04d}"
        for code, cell in zip(
            ("Bry", "Res", "Cen", "Kal", "SW", "South", "Vor", "Sta", "Volk", "NCau", "Ste", "Kur"),
            CHART.board.grid.ring(2209, 2),
            strict=False,
        )
    }
    s = position({"NW": "2209", **friends})
    assert {CHART.board.grid.distance(2209, path[-1]) for path in ways_back(s, CODES["NW"])} == {3}


def test_nr_9_47_fortified_and_finnish_units_never_retreat():
    assert ways_back(position({"Fin": "Finland"}), CODES["Fin"]) == ()


def test_nr_9_48_pursuit_into_the_vacated_hex():
    d = battle({"4": "2109", "6": "2109", "9": "2208", "NW": "2209"}, "4 6 9", "2209", 3)
    d.order("soviet", str_retreat(d))
    d.order("axis", "pursue 4 2209", "pursue 6 2209")
    assert rule_of(d, "pursue 9 2209") == "NR-9.52"  # the hex is full
    assert (where(d, "4"), where(d, "6")) == ("2209", "2209")


def str_retreat(d):
    return d.legal("soviet")[-1]


def test_nr_9_49_who_does_not_pursue():
    s = position({"4": "2109", "KG1": "2110", "Len": ("2209", "+")}, tired=("4",))
    assert not any(may_pursue(s, CODES[code]) for code in ("4", "KG1", "Len"))


def test_nr_9_50_the_first_hex_is_the_vacated_one():
    d = battle({"4": "2109", "6": "2109", "NW": "2209"}, "4 6", "2209", 4)
    d.order("soviet", str_retreat(d))
    assert rule_of(d, "pursue 4 2208") == "NR-9.50"
    assert rule_of(d, "pursue 4 2209-2208") == ""


@pytest.mark.parametrize(("turn", "tank", "foot"), [(8, 3, 2), (9, 1, 1), (10, 2, 2), (5, 1, 1)])
def test_nr_9_51_how_far(turn, tank, foot):
    s = position({"1Pz": "2109", "4": "2208"}, turn=turn, long_winter=turn == 5)
    assert (limit(s, CODES["1Pz"]), limit(s, CODES["4"])) == (tank, foot)


def test_nr_9_52_not_past_enemies_nor_out_of_supply():
    s = position({"4": "2109", "NW": "2310"})
    assert not any(2310 in path for path in paths(s, CODES["4"], (2209,)))
    s.mark_cut(CODES["4"], cut=True)
    assert list(paths(s, CODES["4"], (2209,))) == [(2209,)]


def test_nr_9_53_rough_ground_ends_it_and_rivers_do_not():
    s = position({"1Pz": "2108"})
    found = set(paths(s, CODES["1Pz"], (2208,)))
    assert (2208, 2207) in found
    assert not any(path[:2] == (2208, 2207) and len(path) > 2 for path in found)
    assert any(path[:2] == (2209, 2309) for path in paths(position({"1Pz": "2109"}), CODES["1Pz"], (2209,)))


def test_nr_9_54_an_enemy_zone_ends_it():
    s = position({"1Pz": "2109", "NW": "2310"})
    assert list(paths(s, CODES["1Pz"], (2209,))) == [(2209,)]


def test_nr_9_55_a_city_taken_changes_hands_at_once():
    d = battle({"1Pz": "2310", "4": "2310", "6": "2410", "NW": "Saratov"}, "1Pz 4 6", "Saratov", 6)
    d.order("axis", "pursue 1Pz 2311")
    assert d.state.holders[2311] == AXIS


def test_nr_9_56_the_winner_of_a_counterattack_pursues():
    d = battle({"2Hun": "2109", "West": ("2209", "+")}, "2Hun", "2209", counter=6, turn=8)
    d.order("soviet", "counter")
    assert [fought.result for fought in d.events(Fought)] == ["CA", "DD"]
    assert asked(d) == "pursuit soviet"


def test_nr_9_57_one_die_a_roll():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", 3)
    assert [line.text for line in d.lines if line.what == "dice"] == ["t8/axis/2209/crt d6: 3"]


def test_nr_9_58_after_each_battle():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", 3)
    assert d.state.fight is None
    crowd = battle({"4": "2109", "6": "2109", "9": "2109", "NW": "2209"}, "4", "2209", 3)
    assert asked(crowd) == "excess_fought axis"


def test_nr_9_59_the_removal_phase_clears_the_map():
    d = table({"4": "0210"}, Remove, tired=("4",), frame=PlayerTurn(AXIS))
    assert not d.state.tired
    assert not d.state.effects


def test_worked_example_odds_of_a_report():
    """1st Panzer and 17th Army against three: eleven to three."""
    s = position({"1Pz": "2109", "17": "2208", "NW": "2209"}, turn=2)
    reckoned = reckon(s, fight(s, "1Pz 17", "2209"))
    assert (reckoned.attack, reckoned.defence, CHART.odds.name(reckoned.plain)) == (11, 3, "3:1")


def test_retreats_are_told():
    d = battle({"4": "2109", "6": "2109", "NW": "2209"}, "4 6", "2209", 4)
    d.order("soviet", "retreat NW 2309-2409")
    assert d.events(Retreated)[0].path == (2209, 2309, 2409)


def test_nr_9_12_a_marker_goes_with_the_units_that_it_lay_on():
    units = {"Kal": "2209", "4": "2109", "6": "2109"}
    d = battle(units, "Kal", "2109", 1, side=SOVIET, counter=6, blows={"2209": AXIS})
    d.order("axis", "counter")
    while asked(d) != "over" and d.state.fight is not None:
        d.order(d.asked[0], "done")
    assert d.state.side_at(2209) is None
    assert 2209 not in d.state.blows


def test_nr_1_26_no_cadre_for_a_step_of_another_cause():
    s = position({"4": "2109", "NW": "2209"})
    fought = fight(s, "4", "2209", result="EX")
    assert AfterWork.frame_for(s, fought, "lose", SOVIET, Out()).cadre
    assert not AfterWork.frame_for(s, fought, "extra", SOVIET, Out()).cadre


def test_nr_9_40_of_several_hexes_only_the_held_one_exchanges():
    s = position({"West": ("2209", "+"), "Fest1": "2109", "4": "2208"}, turn=20)
    fought = fight(s, "West", "2109 2208", result="DS")
    assert plan_of(s, fought, AXIS) == ("shatter:2208", "lose:soviet", "lose:axis")


def test_nr_9_14_a_marker_goes_when_the_hex_has_been_attacked():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", 3, forced=True)
    assert 2209 not in d.state.blows
