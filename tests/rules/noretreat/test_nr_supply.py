"""NR-6 Supply."""

from __future__ import annotations

from noretreat_positions import CHART, CODES, battle, fight, place, position, rule_of, shifts, table, where

from pbem.engine.event import Out
from pbem_rules.noretreat.battle import marker_ok
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import StepLost
from pbem_rules.noretreat.movement import allowance
from pbem_rules.noretreat.odds import armour_shift
from pbem_rules.noretreat.orders import Marker
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.pursuit import limit
from pbem_rules.noretreat.state import Effect
from pbem_rules.noretreat.supply import (
    LENGTH,
    SupplyPhase,
    land_sources,
    open_places,
    sources,
    supplied_units,
    surrender,
)

WEST = ("Minsk", "Smolensk", "Kiev", "Kharkov", "Voronezh")


def fed(s, code):
    return CODES[code] in supplied_units(s, CHART.units[CODES[code]].side)


def test_nr_6_1_markers_go_on_and_off_for_both():
    d = table({"1Pz": "2109", "4": "0210", "Kal": "2410"}, SupplyPhase, cut=("4",))
    assert d.state.cut == {CODES["1Pz"]}


def test_nr_6_2_a_line_of_four_hexes():
    # Voronezh (1912) is held; its line to the edge is open when the cities on the way are the Axis's.
    held = dict.fromkeys(WEST, AXIS)
    assert fed(position({"4": "2211"}, held=held), "4")  # three hexes between
    assert not fed(position({"4": "2410"}, held=held), "4")
    assert LENGTH == 4


def test_nr_6_3_a_city_supplies_if_joined_to_the_edge():
    s = position({"4": "2011"}, held=dict.fromkeys(WEST, AXIS))
    assert land_sources(s, AXIS) & CHART.board.bit[place("Voronezh")]
    ring = {
        code: f"{cell:04d}"
        for code, cell in zip(("NW", "SW", "South", "Bry", "Res", "Kal"), CHART.board.near[1912], strict=True)
    }
    t = position(ring, held=dict.fromkeys(WEST, AXIS))
    assert not land_sources(t, AXIS) & CHART.board.bit[place("Voronezh")]


def test_nr_6_4_what_a_line_may_not_pass():
    units = {"Kal": "2208", "4": "2308", "6": "2310"}
    s = position(units, turn=8)
    assert not fed(
        position({**units, "9": "2408", "11": "2410", "16": "2309", "17": "2108", "18": "2209", "2": "2207"}), "Kal"
    )
    zone = s.zone(AXIS)
    assert zone & CHART.board.bit[2309]
    assert fed(s, "Kal")


def test_nr_6_5_coasts_and_neighbours():
    assert fed(position({"4": "1219"}), "4")  # beside Odessa, on the Black Sea
    assert sources(position({}), SOVIET) & CHART.coast["caspian"]
    chain = position({"4": "2109", "6": "2110", "9": "2011", "2": "1911"}, held=dict.fromkeys(WEST, AXIS))
    assert fed(chain, "4")
    assert fed(position({"1Yug": "Western Balkans"}), "1Yug")


def test_nr_6_6_what_it_costs_to_be_out_of_supply():
    s = position({"1Pz": "2109", "West": "2209"}, cut=("1Pz",))
    unit = CODES["1Pz"]
    assert s.zone(AXIS) == 0
    assert allowance(s, unit) == 3
    assert limit(s, unit) == 1
    assert armour_shift(s, fight(s, "1Pz", "2209")) is None
    d = table({"4": "0210", "1Pz": ("0410", "-")}, cut=("4", "1Pz"))
    assert rule_of(d, "rail 4") == "NR-6.6"
    o = table({"1Pz": ("0410", "-")}, Organise, cut=("1Pz",), axis=(1, 2))
    assert rule_of(o, "discard 1 2 for upgrade 1Pz") == "NR-7.1"


def test_nr_6_7_no_markers_for_them():
    s = position({"1Pz": "2109", "4": "2208"}, cut=("1Pz",), support={AXIS: 1})
    assert marker_ok(s, AXIS, (CODES["1Pz"],), Marker.BLITZ).rule == "NR-6.7"
    assert marker_ok(s, AXIS, (CODES["1Pz"], CODES["4"]), Marker.BLITZ) is None


def test_nr_6_8_two_columns_against_them():
    units = {"4": "2109", "West": "2209", "Don": "2209"}
    assert shifts(position(units, cut=("West", "Don")), "4", "2209")["no supply"] == 2
    assert "no supply" not in shifts(position(units, cut=("West",)), "4", "2209")


def test_nr_6_9_defeated_out_of_supply_is_captured():
    d = battle({"1Pz": "2109", "4": "2208", "NW": "2209"}, "1Pz 4", "2209", 1, cut=("NW",))
    assert where(d, "NW") == "Captured"
    assert d.state.event_vp == 1


def test_nr_6_10_the_active_side_surrenders_in_its_removal_phase():
    s = position({"1Pz": "2109", "NW": "0315"}, cut=("1Pz", "NW"))
    s.put_effect(Effect("spared", AXIS, 2110))
    surrender(s, AXIS, Out())
    assert s.at(CODES["1Pz"]) == 9903
    assert s.on_map(CODES["NW"])
    t = position({"1Pz": "2109"}, cut=("1Pz",))
    t.put_effect(Effect("spared", AXIS, 2109))
    surrender(t, AXIS, Out())
    assert t.on_map(CODES["1Pz"])


def test_nr_6_11_without_leningrad_no_baltic():
    assert sources(position({}), SOVIET) & CHART.coast["baltic"]
    only = CHART.coast["baltic"] & ~CHART.coast["black_sea"]
    s = position({}, held={"Leningrad": AXIS})
    cities = CHART.board.mask(p for p in CHART.cities if s.holders[p] == SOVIET)
    assert not sources(s, SOVIET) & only & ~cities


def test_nr_6_12_a_burnt_city_supplies_nobody():
    s = position({}, scorched=(place("Voronezh"),), held=dict.fromkeys(WEST, AXIS))
    assert not sources(s, AXIS) & CHART.board.bit[place("Voronezh")]


def test_nr_13_07s_a_burnt_city_blocks_no_line():
    s = position({})
    voronezh = CHART.board.bit[place("Voronezh")]
    assert not open_places(s, AXIS) & voronezh
    s.scorched = (place("Voronezh"),)
    assert open_places(s, AXIS) & voronezh


def test_nr_6_5_neighbours_hand_supply_on():
    units = {"4": "2410", "6": "2310", "9": "2211"}
    assert fed(position(units, held=dict.fromkeys(WEST, AXIS)), "4")
    broken = {"4": "2410", "9": "2211"}
    assert not fed(position(broken, held=dict.fromkeys(WEST, AXIS)), "4")


def test_nr_6_9_a_unit_that_surrenders_loses_no_step_before():
    units = {"1Pz": "2109", "2Pz": "2208", "3Pz": "2109", "4": "2208", "West": ("2209", "+")}
    d = battle(units, "1Pz 2Pz 3Pz 4", "2209", 6, turn=19, cut=("West",))
    assert where(d, "West") == "Captured"
    assert not d.events(StepLost)
