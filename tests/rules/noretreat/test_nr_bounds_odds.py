"""NR-9.9 to NR-9.30, NR-10.6: every shift of a battle, all of them at a look, and what just makes none."""

from __future__ import annotations

import pytest
from noretreat_positions import CODES, battle, fight, position, shifts

from pbem.engine.rows import Rows
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Fought
from pbem_rules.noretreat.odds import BELOW, column_name, marker_worth, reckon, strength_of, table_of_fight
from pbem_rules.noretreat.state import Effect


@pytest.mark.parametrize(
    ("units", "by", "target", "kept", "more", "found"),
    [
        # NR-1.9, NR-1.11, NR-9.23: tanks.
        ({"1Pz": "2109", "NW": "2209"}, "1Pz", "2209", {}, {}, {"armour": 1}),
        ({"1Pz": "2109", "2Pz": "2109", "4": "2208", "NW": "2209"}, "1Pz 2Pz 4", "2209", {}, {}, {"armour": 1}),
        ({"4": "2109", "NW": "2209"}, "4", "2209", {}, {}, {}),
        ({"1Pz": "2109", "4": "2208", "NW": "2209"}, "4", "2209", {}, {}, {}),
        ({"1Pz": "2109", "NW": "2209"}, "1Pz", "2209", {"turn": 9, "weather": "mud"}, {}, {}),
        ({"1Pz": "2109", "NW": "2209"}, "1Pz", "2209", {"turn": 9, "weather": "clear"}, {}, {"armour": 1}),
        ({"1Pz": "2109", "NW": "2209"}, "1Pz", "2209", {"cut": ("1Pz",)}, {}, {}),
        ({"1Pz": "2109", "2Pz": "2208", "NW": "2209"}, "1Pz 2Pz", "2209", {"cut": ("1Pz",)}, {}, {"armour": 1}),
        ({"1Pz": "2109", "Don": "2209"}, "1Pz", "2209", {}, {}, {}),
        ({"1Pz": "2109", "Don": "2209"}, "1Pz", "2209", {}, {"armour": 1}, {"armour": 1}),
        ({"1Pz": "2109", "NW": "2209"}, "1Pz", "2209", {}, {"armour": -1}, {}),
        ({"1Pz": "2109", "Cau": ("2209", "+")}, "1Pz", "2209", {}, {}, {}),
        ({"Cau": ("2209", "+"), "1Pz": "2109", "4": "2109"}, "Cau", "2109", {}, {}, {}),
        ({"Cau": ("2209", "+"), "SSGr": "2109"}, "Cau", "2109", {}, {}, {"SS grenadiers": -1}),
        ({"Cau": ("2209", "+"), "4": "2109"}, "Cau", "2109", {}, {}, {"armour": 1}),
        ({"Cau": "2209", "4": "2109"}, "Cau", "2109", {}, {}, {}),  # its brown side has no tanks
        ({"1Pz": "2109", "NW": "2108"}, "1Pz", "2108", {}, {}, {"forest": -1}),
        ({"1Pz": "2208", "NW": "2207"}, "1Pz", "2207", {}, {}, {"swamp": -1}),
        ({"1Pz": "2208", "NW": "2307"}, "1Pz", "2307", {}, {}, {"mountain": -1}),
        ({"1Pz": "2310", "NW": "Saratov"}, "1Pz", "Saratov", {}, {}, {"city": -1}),
        ({"1Pz": "2109", "NW": "2209"}, "1Pz", "2209", {"turn": 20, "triggers": Rows({"ploesti": 19})}, {}, {}),
        ({"1Pz": "2109", "NW": "2209"}, "1Pz", "2209", {"turn": 19, "triggers": Rows({"ploesti": 19})}, {},
         {"armour": 1}),
        ({"Cau": ("2209", "+"), "4": "2109"}, "Cau", "2109", {"turn": 20, "triggers": Rows({"ploesti": 19})}, {},
         {"armour": 1}),
        # NR-1.12: the SS Panzer Army.
        ({"SSPz": "2109", "Don": "2209"}, "SSPz", "2209", {"turn": 15, "weather": "mud"}, {}, {"SS armour": 1}),
        ({"SSPz": ("2109", "-"), "NW": "2108"}, "SSPz", "2108", {"turn": 14}, {}, {"SS armour": 1, "forest": -1}),
        ({"SSPz": "2109", "NW": "2209"}, "SSPz", "2209", {"turn": 14, "cut": ("SSPz",)}, {}, {}),
        ({"SSPz": "2109", "1Pz": "2109", "NW": "2209"}, "1Pz SSPz", "2209", {"turn": 14}, {}, {"SS armour": 1}),
        ({"SSPz": "2109", "NW": "2209"}, "SSPz", "2209", {"turn": 24, "triggers": Rows({"ploesti": 19}),
          "cut": ("NW",)}, {}, {"SS armour": 1, "snow": -1, "no supply": 2}),
        # NR-1.14, NR-1.16, NR-6.8.
        ({"SSGr": "2109", "NW": "2209"}, "SSGr", "2209", {}, {}, {}),
        ({"NW": "2209", "SSGr": "2109", "4": "2109"}, "NW", "2109", {}, {}, {"SS grenadiers": -1}),
        ({"West": ("2209", "+"), "4": "2109"}, "West", "2109", {"turn": 14}, {}, {"shock front": 1}),
        ({"West": ("2209", "+"), "NW": "2208", "4": "2109"}, "NW West", "2109", {"turn": 14}, {}, {"shock front": 1}),
        ({"West": "2209", "4": "2109"}, "West", "2109", {"turn": 14}, {}, {}),
        ({"4": "2109", "West": ("2209", "+")}, "4", "2209", {"turn": 14}, {}, {}),
        ({"4": "2109", "NW": "2209"}, "4", "2209", {"cut": ("NW",)}, {}, {"no supply": 2}),
        # NR-2.11, NR-9.19: cities, objectives, burnt ones, areas, oil.
        ({"4": "2415", "NW": "Stalingrad"}, "4", "Stalingrad", {}, {}, {"city": -1, "objective": -1, "river": -1}),
        ({"4": "2416", "NW": "Stalingrad"}, "4", "Stalingrad", {}, {}, {"city": -1, "objective": -1}),
        ({"4": "1806", "NW": "Moscow"}, "4", "Moscow", {"scorched": (1707,)}, {}, {"scorched city": -1}),
        ({"1Pz": "2310", "NW": "Saratov"}, "1Pz", "Saratov", {"scorched": (2311,)}, {}, {"scorched city": -1}),
        ({"4": "0922", "NW": "Ploesti"}, "4", "Ploesti", {}, {}, {}),
        ({"1Pz": "0922", "NW": "Ploesti"}, "1Pz", "Ploesti", {}, {}, {"armour": 1}),
        ({"Len": "Leningrad", "Fin": "Finland"}, "Len", "Finland", {}, {}, {"finland": -1}),
        ({"1Yug": "0117", "AGE": "Western Balkans"}, "1Yug", "9002", {"turn": 20}, {}, {"balkans": -1}),
        # NR-9.22, NR-10.6: rivers.
        ({"4": "2209", "NW": "2309"}, "4", "2309", {}, {}, {"river": -1}),
        ({"4": "2209", "6": "2308", "NW": "2309"}, "4 6", "2309", {}, {}, {}),
        ({"4": "2209", "NW": "2309"}, "4", "2309", {}, {"no_river": True}, {}),
        ({"4": "2209", "NW": "2309"}, "4", "2309", {"turn": 10}, {}, {"snow": -1}),
        ({"1Pz": "2209", "NW": "2309"}, "1Pz", "2309", {}, {}, {"armour": 1, "river": -1}),
        # NR-10.6: snow, in the USSR, for all of the Axis but the Finns.
        ({"4": "2109", "NW": "2209"}, "4", "2209", {"turn": 5}, {}, {"snow": -2}),
        ({"4": "2109", "NW": "2209"}, "4", "2209", {"turn": 4}, {}, {"snow": -1}),
        ({"4": "2109", "NW": "2209"}, "4", "2209", {"turn": 4, "weather": "mud"}, {}, {}),
        ({"4": "0511", "NW": "0512"}, "4", "0512", {"turn": 5}, {}, {}),
        ({"NW": "2209", "4": "2109"}, "NW", "2109", {"turn": 5}, {}, {}),
        ({"Fin": "Finland", "Len": "Leningrad"}, "Fin", "Leningrad", {"turn": 5}, {"counter": True}, {}),
        ({"1Pz": "2109", "NW": "2209"}, "1Pz", "2209", {"turn": 10}, {}, {"armour": 1, "snow": -1}),
        ({"1Pz": "2109", "NW": "2209"}, "1Pz", "2209", {"turn": 5, "long_winter": True}, {}, {"snow": -2}),
        ({"SSPz": "2109", "NW": "2209"}, "SSPz", "2209", {"turn": 17, "long_winter": True}, {},
         {"SS armour": 1, "snow": -1}),
        # NR-9.10, NR-9.28: neither ground nor rivers in forced battles and counterattacks.
        ({"4": "2009", "NW": "2108"}, "4", "2108", {}, {"forced": True}, {}),
        ({"4": "2009", "NW": "2108"}, "4", "2108", {}, {"counter": True}, {}),
        ({"4": "2209", "NW": "2309"}, "4", "2309", {}, {"forced": True}, {}),
        ({"1Pz": "2009", "NW": "2108"}, "1Pz", "2108", {}, {"forced": True}, {}),
        ({"4": "2109", "NW": "2209"}, "4", "2209", {"turn": 5}, {"counter": True}, {"snow": -2}),
        ({"1Pz": "2208", "NW": "2209", "SW": "2108"}, "1Pz", "2108 2209", {}, {"counter": True}, {}),
        ({"1Pz": "2208", "NW": "2209", "SW": "2109"}, "1Pz", "2109 2209", {}, {"counter": True}, {"armour": 1}),
        # NR-13.41A: works, against Soviet attackers only.
        ({"NW": "2209", "4": "2109"}, "NW", "2109", {"works": (2109,)}, {}, {"defence works": -1}),
        ({"NW": "2209", "4": "2109"}, "NW", "2109", {"works": (2109,)}, {"forced": True}, {"defence works": -1}),
        ({"NW": "2209", "4": "2109"}, "NW", "2109", {"works": (2110,)}, {}, {}),
        ({"4": "2109", "NW": "2209"}, "4", "2209", {"works": (2209,)}, {}, {}),
        # NR-13.15A, and what a battle's own events add.
        ({"NW": "2209", "4": "2109"}, "NW", "2109", {"effects": (Effect("shift", SOVIET, 0, -1, "phase"),)}, {},
         {"event": -1}),
        ({"4": "2109", "NW": "2209"}, "4", "2209", {"effects": (Effect("shift", SOVIET, 0, -1, "phase"),)}, {}, {}),
        ({"4": "2109", "NW": "2209"}, "4", "2209", {}, {"shifts": ((2, "Tanks", "NR-13.54S"),)}, {"Tanks": 2}),
        ({"4": "2109", "NW": "2209"}, "4", "2209", {}, {"marker": True}, {"Blitz": 1}),
        ({"NW": "2209", "4": "2109"}, "NW", "2109", {}, {"marker": True}, {"Shock": 1}),
    ],
)  # fmt: skip
def test_nr_9_19_9_23_1_9_1_11_10_6_9_10_9_22_all_the_shifts(units, by, target, kept, more, found):
    kept.setdefault("turn", 8)
    assert shifts(position(units, **kept), by, target, **more) == found


@pytest.mark.parametrize(
    ("turn", "side", "snow_turn", "effect", "worth"),
    [
        (4, SOVIET, 4, 0, 2),
        (5, SOVIET, 5, 0, 2),
        (5, SOVIET, 4, 0, 1),  # the first Snow turn is over
        (10, SOVIET, 10, 0, 1),  # a later winter
        (4, AXIS, 4, 0, 1),
        (13, SOVIET, 4, 0, 1),
        (13, SOVIET, 4, 2, 2),
        (5, SOVIET, 5, 2, 2),
        (13, AXIS, 4, 2, 1),
    ],
)
def test_nr_10_7_9_19_13_21s_what_a_marker_is_worth(turn, side, snow_turn, effect, worth):
    s = position({}, turn=turn, snow_turn=snow_turn)
    if effect:
        s.put_effect(Effect("shock", SOVIET, 0, effect, "turn"))
    assert marker_worth(s, side) == worth


def test_nr_9_17_9_20_strengths_and_columns():
    units = {"1Pz": "2109", "4": "2109", "6": "2208", "NW": "2209", "Len": ("2209", "+")}
    s = position(units, turn=24)
    whole = reckon(s, fight(s, "1Pz 4 6", "2209"))
    assert (whole.attack, whole.defence, whole.plain) == (15, 8, 3)
    assert (whole.column, column_name(s, whole.column)) == (3 + 1 - 1, "3:2")  # tanks, snow
    more = reckon(s, fight(s, "1Pz 4 6", "2209", attack_bonus=6, doubled=(CODES["NW"],)))
    assert (more.attack, more.defence) == (21, 11)
    low = position({"2Hun": "2109", "West": ("2209", "+"), "Rsv": "2210", "NW": "2309"})
    assert reckon(low, fight(low, "2Hun", "2209")).plain == BELOW
    assert column_name(low, BELOW) == "below 1:3"
    assert reckon(low, fight(low, "2Hun", "2209", shifts=((-3, "x", "NR-9.19"),))).column == BELOW
    assert reckon(low, fight(low, "2Hun", "2210")).plain == 8  # nothing against it
    assert reckon(low, fight(low, "Rsv", "2109")).plain == BELOW  # nothing to attack with
    assert reckon(low, fight(low, "2Hun", "2309", shifts=((20, "x", "NR-9.19"),))).column == 8


@pytest.mark.parametrize(("turn", "axis", "soviet"), [(8, 4 + 2, 3 + 1), (10, 6, 4), (11, 5, 5)])
def test_nr_14_5_9_17_local_support_and_doubling(turn, axis, soviet):
    s = position({"4": "2109", "NW": "2209", "6": "2109"}, turn=turn, options={"local_support": True})
    s.helped[AXIS], s.helped[SOVIET] = CODES["4"], CODES["NW"]
    one = fight(s, "4 6", "2209")
    assert (strength_of(s, one, CODES["4"]), strength_of(s, one, CODES["NW"])) == (axis, soviet)
    assert strength_of(s, one, CODES["6"]) == 4
    twice = fight(s, "4 6", "2209", doubled=(CODES["4"],))
    assert strength_of(s, twice, CODES["4"]) == 2 * axis


@pytest.mark.parametrize(
    ("turn", "side", "more", "effect", "table"),
    [
        (8, AXIS, {}, 0, AXIS),
        (9, AXIS, {}, 0, AXIS),  # mud
        (10, AXIS, {}, 0, SOVIET),
        (8, SOVIET, {}, 0, SOVIET),
        (8, AXIS, {"table": SOVIET}, 0, SOVIET),
        (8, SOVIET, {"table": AXIS}, 0, AXIS),
        (8, SOVIET, {}, 2109, AXIS),  # NR-13.22S has named it as the second one
        (8, SOVIET, {}, 2110, SOVIET),
        (8, SOVIET, {"counter": True}, 2109, SOVIET),
        (8, AXIS, {"counter": True}, 0, AXIS),
    ],
)
def test_nr_9_24_9_30_13_22s_which_table(turn, side, more, effect, table):
    s = position({"4": "2109", "NW": "2209"}, turn=turn)
    if effect:
        s.put_effect(Effect("crt", SOVIET, effect, 1, "phase"))
    one = fight(s, "4", "2209", **more) if side == AXIS else fight(s, "NW", "2109", **more)
    assert table_of_fight(s, one) == table


def test_nr_9_20_below_the_table_and_in_its_first_column():
    units = {"2Hun": "2109", "West": ("2209", "+"), "SW": ("2210", "-")}
    (below,) = battle(units, "2Hun", "2209").events(Fought)
    assert (below.column, below.dice, below.result) == ("below 1:3", (), "CA")
    (third,) = battle(units, "2Hun", "2210", 5).events(Fought)
    assert (third.column, third.dice, third.result) == ("1:3", (5,), "-")
