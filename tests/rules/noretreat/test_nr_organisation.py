"""NR-7 Organisation."""

from __future__ import annotations

import pytest
from noretreat_positions import CHART, CODES, asked, declaring, place, position, rule_of, table, where

from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.entries import entries, waiting
from pbem_rules.noretreat.frames import PlayerTurn
from pbem_rules.noretreat.orders import Flip
from pbem_rules.noretreat.organise import Organise, free_upgrades
from pbem_rules.noretreat.pursuit import may_pursue
from pbem_rules.noretreat.state import READY, SHATTERED, Effect
from pbem_rules.noretreat.turns import Remove
from pbem_rules.noretreat.windows import OpenAfterCombat


def organising(units, side=SOVIET, **kept):
    return table(units, Organise, side=side, **kept)


def test_nr_7_1_only_supplied_units_on_their_weaker_side():
    d = organising({"Kal": ("2410", "+"), "Bry": "Shattered", "NW": "2411"}, turn=8, cut=("NW",))
    assert {rule_of(d, f"upgrade {code}") for code in ("Kal", "Bry", "NW")} == {"NR-7.1"}


def test_nr_7_2_what_the_axis_pays():
    d = organising({"1Pz": ("0210", "-"), "SSPz": ("0410", "-")}, AXIS, turn=13, axis=(14, 15, 16))
    assert rule_of(d, "discard 14 for upgrade 1Pz") == "NR-5.9"
    d.order("axis", "discard 14 for upgrade SSPz", "discard 15 16 for upgrade 1Pz")
    assert (where(d, "SSPz"), where(d, "1Pz")) == ("0410", "0210")


@pytest.mark.parametrize(
    ("turn", "code", "rule"), [(2, "Len", "NR-7.3"), (3, "Len", ""), (5, "Kal", "NR-7.3"), (6, "Kal", "")]
)
def test_nr_7_3_when_the_soviets_may(turn, code, rule):
    d = organising({"Len": ("Leningrad", "-"), "Kal": "2410"}, turn=turn, soviet=(14,))
    assert rule_of(d, f"discard 14 for upgrade {code}") == rule


@pytest.mark.parametrize(("turn", "count"), [(5, 0), (6, 1), (12, 1), (13, 2), (17, 2)])
def test_nr_7_4_free_upgrades(turn, count):
    assert free_upgrades(position({}, turn=turn)) == count
    d = organising({"Kal": "2410", "Bry": "2411", "Res": "2409"}, turn=13)
    d.order("soviet", "upgrade Kal", "upgrade Bry")
    assert rule_of(d, "upgrade Res") == "NR-7.4"


def test_nr_7_5_one_from_turn_18_and_none_for_fortresses_or_shock():
    assert free_upgrades(position({}, turn=18)) == 1
    d = organising({"West": "2410", "Mos": "Moscow"}, turn=14)
    assert {rule_of(d, "upgrade West"), rule_of(d, "upgrade Mos")} == {"NR-7.5"}


def test_nr_7_6_once_a_turn_one_unit_out_of_supply():
    d = organising({"Kal": "2109", "Bry": "2110"}, turn=8, cut=("Kal", "Bry"), soviet=(14, 15))
    d.order("soviet", "discard 14 for upgrade Kal")
    assert where(d, "Kal") == "2109+"
    assert rule_of(d, "discard 15 for upgrade Bry") == "NR-7.1"


def test_nr_7_7_back_to_regional_for_nothing():
    d = organising({"Mos": ("Moscow", "+")}, turn=8)
    d.order("soviet", "flip Mos")
    assert where(d, "Mos") == "1707"


def test_nr_7_8_arrivals_then_the_shattered():
    s = position({"2": "reinforcements", "4": "Shattered"})
    assert waiting(s, AXIS) == (CODES["2"], CODES["4"])


def test_nr_7_9_the_shattered_come_back_free_on_their_side():
    d = organising({"Kal": ("Shattered", "+")}, turn=8)
    d.order("soviet", "place Kal Moscow")
    assert where(d, "Kal") == "1707+"


def test_nr_7_10_prices_of_returns():
    d = organising({"West": "Destroyed", "Kal": "Captured", "NW": "Destroyed"}, turn=8, soviet=(14, 15, 16, 17, 18))
    assert rule_of(d, "discard 14 for return West Moscow") == "NR-5.9"
    d.order("soviet", "discard 14 15 for return West Moscow", "discard 16 17 for return Kal Gorki")
    d.order("soviet", "discard 18 for return NW Kalinin")
    assert (where(d, "West"), where(d, "Kal"), where(d, "NW")) == ("1707", "2105", "1605")
    e = organising({"1Pz": ("Destroyed", "-")}, AXIS, turn=8, axis=(14,))
    assert where(e.order("axis", "discard 14 for return 1Pz Berlin"), "1Pz") == "0210-"


def test_nr_7_11_who_returns_is_disorganised():
    d = organising({"NW": "Destroyed", "Kal": "reinforcements", "Bry": "Shattered"}, turn=8, soviet=(14,))
    d.order("soviet", "place Kal Gorki", "place Bry Moscow", "discard 14 for return NW Kalinin")
    assert {code for code in ("NW", "Kal", "Bry") if d.state.is_tired(CODES[code])} == {"NW", "Bry"}


def test_nr_7_12_where_the_axis_places():
    s = position({"2": "reinforcements", "4": "Shattered"}, held={"Smolensk": AXIS, "Minsk": AXIS})
    fresh, back = entries(s, CODES["2"], READY), entries(s, CODES["4"], SHATTERED)
    assert set(fresh) <= {*CHART.board.in_mask(CHART.reich), place("Warsaw")}
    assert place("Smolensk") in back
    assert place("Smolensk") not in fresh
    ally = position({"2Hun": "reinforcements"})
    assert place("Budapest") in entries(ally, CODES["2Hun"], READY)


def test_nr_7_13_where_the_soviets_place():
    d = organising({"NW": "reinforcements", "Kal": "Moscow", "4": "1904"}, turn=8)
    assert rule_of(d, "place NW Moscow") == "NR-8.8"
    assert rule_of(d, "place NW 2410") == "NR-7.13"
    assert rule_of(d, "place NW Gorki") == ""


def test_nr_7_14_the_shattered_axis_returns_from_turn_1():
    d = organising({"4": "Shattered"}, AXIS, turn=1)
    assert rule_of(d, "place 4 Warsaw") == ""


def test_nr_7_15_the_axis_restores_none_from_turn_24():
    d = organising({"4": "Destroyed", "6": "Shattered"}, AXIS, turn=24, axis=(14,))
    assert rule_of(d, "discard 14 for return 4 Berlin") == "NR-7.15"
    assert rule_of(d, "place 6 Berlin") == ""


def test_nr_7_16_who_cannot_be_placed_waits():
    d = organising({"2": "reinforcements"}, AXIS, turn=8)
    d.order("axis", "done")
    assert where(d, "2") == "reinforcements"


def test_nr_7_17_sevastopol_in_sevastopol():
    d = organising({"Sev": "reinforcements"}, turn=3)
    d.order("soviet", "place Sev Sevastopol")
    assert where(d, "Sev") == "1521+"


def test_nr_7_18_the_ss_panzer_army_comes_back():
    d = organising({}, AXIS, turn=24, event_vp=0)
    assert rule_of(d, "recall SSPz 0210") == "NR-7.18"
    d.state.triggers["ss"] = 18
    d.order("axis", "recall SSPz 0210")
    assert (where(d, "SSPz"), d.state.event_vp) == ("0210", 1)  # a point for the Soviets, who have the initiative


def test_nr_7_19_rail_placement_by_events():
    """Into the box no more than it holds (NR-8.19), and off it not into a city taken in this turn (NR-8.23)."""
    units = {"NW": "Destroyed", "Res": "Rail", "Cen": "Rail", "Kal": "Shattered"}
    d = table(units, Organise, side=SOVIET, soviet=(2,))
    assert rule_of(d, "event 2 NW Kal") == "NR-13.02S"
    assert rule_of(d, "event 2 NW") == ""
    lost = (Effect("lost", SOVIET, CODES["NW"], until="phase"),)
    e = table(units, OpenAfterCombat, side=SOVIET, soviet=(24,), effects=lost, taken=(place("Saratov"),))
    assert rule_of(e, "event 24 NW Saratov") == "NR-13.24S"
    assert rule_of(e, "event 24 NW Gorki") == ""


def test_nr_7_20_a_card_takes_a_marker_off():
    d = organising({"Kal": "2410", "Bry": "2411"}, turn=8, tired=("Kal", "Bry"), soviet=(14,))
    assert rule_of(d, "discard 14 for reorganise Kal Bry") == "NR-7.20"
    d.order("soviet", "discard 14 for reorganise Kal")
    assert d.state.tired == {CODES["Bry"]}


def test_nr_7_21_the_others_leave_in_the_own_removal_phase():
    d = table({"Kal": "2410", "4": "0210"}, Remove, side=SOVIET, tired=("Kal", "4"), frame=PlayerTurn(SOVIET))
    assert d.state.tired == {CODES["4"]}


def test_nr_7_22_what_the_disorganised_may_not():
    d = declaring({"4": "2109", "NW": "2209"}, tired=("4",))
    assert asked(d) != "targets axis"
    assert not may_pursue(position({"4": "2109"}, tired=("4",)), CODES["4"])


def test_nr_5_11_card_53_takes_two_markers_off():
    d = table({"4": "0210", "6": "0210"}, Organise, turn=24, axis=(53, 14), tired=("4", "6"))
    assert rule_of(d, "discard 14 for reorganise 4 6") == "NR-7.20"
    d.order("axis", "discard 53 for reorganise 4 6")
    if asked(d) == "answer soviet":
        d.order("soviet", "pass")
    assert not d.state.tired


def test_nr_7_6_an_upgrade_that_was_cancelled_is_paid_again():
    d = table({"Kal": "2410"}, Organise, side=SOVIET, soviet=(18, 19), axis=(31,), cut=("Kal",))
    d.order("soviet", "discard 18 for upgrade Kal").order("axis", "event 31").order("soviet", "pass")
    assert rule_of(d, "discard 19 for upgrade Kal") == ""


def test_nr_13_07s_no_unit_comes_into_a_burnt_city():
    s = position({"Kal": "Shattered"}, scorched=(place("Voronezh"),))
    assert place("Voronezh") not in entries(s, CODES["Kal"], SHATTERED)
    s.scorched = ()
    assert place("Voronezh") in entries(s, CODES["Kal"], SHATTERED)


def test_nr_7_7_turning_back_is_offered():
    d = table({"Len": ("Leningrad", "+")}, Organise, side=SOVIET)
    assert Flip(CODES["Len"]) in set(d.legal("soviet"))
