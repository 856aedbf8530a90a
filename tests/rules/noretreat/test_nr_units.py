"""NR-1 Components, steps, unit types."""

from __future__ import annotations

import pytest
from noretreat_positions import CHART, CODES, asked, battle, declaring, position, rule_of, shifts, table, where

from pbem.engine.event import Out
from pbem.kit.datafile import problems
from pbem_rules.noretreat.chart import AXIS, DATA, SOVIET
from pbem_rules.noretreat.frames import GameTurn
from pbem_rules.noretreat.losses import send
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.pursuit import limit
from pbem_rules.noretreat.state import BOX_NAMES, DESTROYED, RAIL_ROOM, SHATTERED, Piece
from pbem_rules.noretreat.targets import Counterblows
from pbem_rules.noretreat.turns import TurnEvents


def unit(code):
    return CHART.units[CODES[code]]


def test_nr_1_1_strength_movement_white_and_brackets():
    face = unit("1Pz").better
    assert (face.strength, face.move, face.zone, face.white) == (7, 6, True, False)
    fortress = unit("Len").better
    assert (fortress.strength, fortress.zone, fortress.white) == (5, False, True)
    assert problems("units", DATA["units"]) == []


def test_nr_1_2_axis_steps():
    s = position({"4": "2109", "2Hun": "2110", "Fin": "Finland"})
    assert [s.steps(CODES[code]) for code in ("4", "2Hun", "Fin")] == [2, 1, 2]
    s.turn_over(CODES["4"], strong=False)
    assert s.steps(CODES["4"]) == 1


def test_nr_1_3_soviets_begin_brown():
    s = position({"West": "2209"})
    assert (s.face(CODES["West"]).strength, s.steps(CODES["West"])) == (3, 1)
    s.turn_over(CODES["West"], strong=True)
    assert (s.face(CODES["West"]).name, s.face(CODES["West"]).strength) == ("1st Byelorussian Front", 8)


def test_nr_1_4_one_step_before_turn_17_but_for_fortified():
    s = position({"West": ("2209", "+"), "Len": ("Leningrad", "+")}, turn=16)
    assert s.steps(CODES["West"]) == 1
    assert s.steps(CODES["Len"]) == 2
    d = battle({"West": ("2209", "+"), "1Pz": "2109", "4": "2208"}, "1Pz 4", "2209", 4, turn=14)
    d.order("axis", "lose 4")
    assert where(d, "West") == "Destroyed"  # 11 to 8, an exchange


def test_nr_1_5_two_steps_on_the_red_side_from_turn_17():
    s = position({"West": ("2209", "+"), "Fort1": "2210", "Ost": "2211"}, turn=17)
    assert [s.steps(CODES[code]) for code in ("West", "Fort1", "Ost")] == [2, 1, 1]


def test_nr_1_6_where_the_last_step_goes():
    out = Out()
    s = position({"2Hun": "2109", "NW": "2209"}, cut=("NW",))
    from pbem_rules.noretreat.losses import lose_step

    assert lose_step(s, CODES["2Hun"], "NR-1.6", out)
    assert lose_step(s, CODES["NW"], "NR-1.6", out)
    assert BOX_NAMES[s.at(CODES["2Hun"])] == "Destroyed"
    assert BOX_NAMES[s.at(CODES["NW"])] == "Captured"


def test_nr_1_7_the_owner_allots_losses():
    d = battle({"West": ("2209", "+"), "1Pz": "2109", "4": "2109"}, "1Pz 4", "2209", 4, turn=13)
    assert asked(d) == "loss axis"
    d.order("axis", "lose 4")
    assert (where(d, "4"), where(d, "1Pz")) == ("2109-", "2109")


def test_nr_1_8_armour_pays_its_own_column():
    d = table({"1Pz": "2008"})
    assert CHART.costs["forest"] == (2, 1)
    (line,) = [e for e in d.order("axis", "move 1Pz 2108").events() if e.kind == "moved"]
    assert line.cost == 2


def test_nr_1_9_armour_bonus():
    s = position({"1Pz": "2109", "2Pz": "2208", "4": "2210", "West": "2209"})
    assert shifts(s, "1Pz 2Pz 4", "2209")["armour"] == 1
    assert "armour" not in shifts(s, "4", "2209")


def test_nr_1_10_armour_pursuit():
    s = position({"1Pz": "2109", "4": "2210", "Cau": ("2209", "+")}, turn=8)
    assert [limit(s, CODES[code]) for code in ("1Pz", "4", "Cau")] == [3, 2, 2]
    s.turn = 13
    assert limit(s, CODES["Cau"]) == 3


def test_nr_1_11_mechanised_infantry_denies_the_bonus():
    s = position({"1Pz": "2109", "Don": "2209", "Vor": ("2210", "+")})
    assert "armour" not in shifts(s, "1Pz", "2209")
    assert "armour" not in shifts(s, "1Pz", "2210")  # nor against tanks


def test_nr_1_12_ss_panzer_always_has_the_bonus():
    s = position({"SSPz": ("2109", "-"), "1Pz": "2208", "Don": "2209"}, turn=15)
    assert s.weather == "mud"
    assert shifts(s, "SSPz 1Pz", "2209") == {"SS armour": 1}


def test_nr_1_13_ss_panzer_takes_the_loss_when_attacking():
    d = battle({"SSPz": "2109", "4": "2109", "West": ("2209", "+")}, "SSPz 4", "2209", 4, turn=14)
    assert (where(d, "SSPz"), where(d, "4")) == ("2109-", "2109")
    t = table({"SSPz": ("0210", "-")}, Organise, turn=14, axis=(14, 15))
    t.order("axis", "discard 14 for upgrade SSPz")
    assert where(t, "SSPz") == "0210"


def test_nr_1_14_ss_grenadiers_shift_left_in_defence_only():
    s = position({"SSGr": "2209", "West": ("2109", "+")}, turn=19, active=SOVIET)
    assert shifts(s, "West", "2209")["SS grenadiers"] == -1
    assert "SS grenadiers" not in shifts(s, "SSGr", "2109")


def test_nr_1_15_ss_grenadiers_take_losses():
    d = battle({"SSGr": "2209", "4": "2209", "West": ("2109", "+")}, "West", "2209", 6, side=SOVIET, turn=19)
    assert where(d, "SSGr") == "2209-"
    t = table({"SSGr": ("0210", "-")}, Organise, turn=18, axis=(14, 15))
    assert rule_of(t, "discard 14 for upgrade SSGr") == ""


def test_nr_1_16_a_shock_front_shifts_right():
    s = position({"West": ("2109", "+"), "1Pz": "2209"}, turn=15, active=SOVIET)
    assert shifts(s, "West", "2209") == {"shock front": 1}


def test_nr_1_17_a_shock_front_takes_the_loss_and_costs_two():
    units = {"West": ("2109", "+"), "Kal": ("2208", "+"), "1Pz": "2209", "4": "2209"}
    d = battle(units, "West Kal", "2209", 5, side=SOVIET, turn=15)
    assert asked(d) == "loss axis"
    assert (where(d, "West"), where(d, "Kal")) == ("Destroyed", "2208+")
    t = table({"West": "2209"}, Organise, side=SOVIET, turn=15, soviet=(14, 15, 16))
    assert rule_of(t, "discard 14 for upgrade West") == "NR-5.9"
    assert rule_of(t, "discard 14 15 for upgrade West") == ""


def test_nr_1_18_regional_and_fortified():
    d = table({"Len": ("Leningrad", "-")}, Organise, side=SOVIET, turn=3, soviet=(14, 15))
    d.order("soviet", "discard 14 for upgrade Len")
    assert where(d, "Len") == "1302+"
    d.order("soviet", "flip Len")
    assert where(d, "Len") == "1302"


def test_nr_1_19_fortified_units_do_not_attack_of_their_own_accord():
    d = declaring({"Len": ("2209", "+"), "4": "2109"}, side=SOVIET)
    assert asked(d) != "targets soviet"
    b = battle({"Len": ("2209", "+"), "4": "2109"}, "Len", "2109", 4, side=SOVIET, forced=True)
    assert asked(b) != "pursuit soviet"


def test_nr_1_20_fortified_units_ignore_retreats():
    d = battle({"Len": ("2209", "+"), "1Pz": "2109", "2Pz": "2208", "3Pz": "2210"}, "1Pz 2Pz 3Pz", "2209", 5)
    assert where(d, "Len") == "2209"  # 20 to 5: destroyed means a step, and it stays


def test_nr_1_21_german_fortified_units_leave_for_good():
    s = position({"Fest1": "Berlin"}, turn=24)
    send(s, CODES["Fest1"], DESTROYED, "test", "NR-1.21", Out())
    assert BOX_NAMES[s.at(CODES["Fest1"])] == "out of the game"


def test_nr_1_22_finns_stay_in_finland():
    d = table({"Fin": "Finland"})
    assert rule_of(d, "move Fin Leningrad") == "NR-8.1"
    s = position({"Fin": "Finland"})
    from pbem_rules.noretreat.supply import supplied_units

    assert CODES["Fin"] in supplied_units(s, AXIS)
    assert not unit("Fin").faces[0].zone


def test_nr_1_23_yugoslavs_turn_over_in_the_balkans():
    d = table({"1Yug": ("Western Balkans", "+"), "2Yug": "2209"}, Organise, side=SOVIET, turn=20)
    d.order("soviet", "flip 1Yug")
    assert where(d, "1Yug") == "9002"
    assert rule_of(d, "flip 2Yug") == "NR-1.23"


def test_nr_1_24_cadres_do_not_attack_of_their_own_accord():
    assert asked(declaring({"KG1": "2109", "West": "2209"})) != "targets axis"
    d = battle({"KG1": "2109", "West": "2209"}, "KG1", "2209", 5, forced=True)
    assert d.state.fight is None


def test_nr_1_25_a_cadre_arrives_in_its_box():
    from pbem_rules.noretreat.turns import arrivals

    s = position({}, turn=5)
    kg = CODES["KG1"]
    s.pieces[kg] = Piece(9906, strong=True, due=5)
    s.ground.move(kg, 9906)
    arrivals(s, Out())
    assert BOX_NAMES[s.at(kg)] == "Available Cadres"


def test_nr_1_26_a_cadre_takes_the_place_of_a_unit_lost():
    e = battle({"3Rum": "2109", "KG1": "Available Cadres", "NW": "2209"}, "3Rum", "2209", 6, turn=8)
    assert asked(e) == "cadre axis"
    e.order("axis", "cadre KG1")
    assert where(e, "KG1") == "2109"


def test_nr_1_26_not_in_the_place_of_a_prisoner():
    units = {"4": "2109", "NW": "2209", "Ost": "Available Cadres"}
    assert asked(battle(units, "4", "2209", 3, cut=("NW",))) != "cadre soviet"
    assert asked(battle(units, "4", "2209", 5)) == "cadre soviet"


def test_nr_1_27_a_cadre_removed_goes_on_the_track():
    s = position({"KG1": "2109", "KG2": "2110"}, cut=("KG1",))
    before = s.event_vp
    for code in ("KG1", "KG2"):
        send(s, CODES[code], 9903, "test", "NR-1.27", Out())
    assert [s.pieces[CODES[code]].due for code in ("KG1", "KG2")] == [9, 10]
    assert s.event_vp == before


def test_nr_1_28_the_luftwaffe_comes_back():
    s = position({"Luft": "2109"}, turn=11)
    send(s, CODES["Luft"], DESTROYED, "test", "NR-1.28", Out())
    assert (BOX_NAMES[s.at(CODES["Luft"])], s.pieces[CODES["Luft"]].due) == ("turn track", 12)


def test_nr_1_29_volkssturm():
    d = battle({"VPos": "Posen", "West": ("0411", "+")}, "West", "Posen", 3, side=SOVIET, turn=27)  # DR
    assert where(d, "VPos") == "Volkssturm out"
    assert asked(d) == "pursuit soviet"


def test_nr_1_30_berlin_garrison():
    face = unit("BerG").better
    assert (face.strength, face.move, face.zone, face.white) == (2, 0, False, True)
    assert (unit("BerG").turn, unit("BerG").leaves) == (23, 28)
    for turn, box in ((27, "0210"), (28, "out of the game")):
        d = table({"BerG": "Berlin", "Fin": "Finland"}, TurnEvents, turn=turn, frame=GameTurn(), skip_sudden=True)
        assert (where(d, "BerG"), d.state.event_vp) == (box, 0)  # nobody destroys or captures it


def test_nr_1_31_strategic_reserve_marker():
    d = table({"Kal": "2410"}, side=SOVIET, turn=4)
    d.order("soviet", "reserve Kal")
    assert d.state.reserve == CODES["Kal"]


def test_nr_1_32_soviet_allies():
    assert {unit(code).side for code in ("RumS", "Pol", "1Yug", "2Yug")} == {SOVIET}
    assert unit("RumS").two_faced
    assert not unit("Pol").two_faced


def test_nr_1_33_boxes():
    assert RAIL_ROOM == 3
    s = position({"4": "Shattered", "West": "Shattered"})
    assert s.of(AXIS, SHATTERED) == (CODES["4"],)
    assert s.of(SOVIET, SHATTERED) == (CODES["West"],)


def test_nr_1_34_markers_are_in_the_state():
    s = position({"4": "2109", "West": "2209"}, cut=("4",), tired=("West",), targets=("2209",), blows={"2109": SOVIET})
    assert not s.supplied(CODES["4"])
    assert s.is_tired(CODES["West"])
    assert (s.targets, s.blows) == ((2209,), {2109: SOVIET})


@pytest.mark.parametrize(
    ("turn", "side", "count"), [(8, AXIS, 5), (20, AXIS, 3), (26, AXIS, 1), (20, SOVIET, 5), (5, AXIS, 3)]
)
def test_nr_1_35_target_markers(turn, side, count):
    from pbem_rules.noretreat.targets import target_limit

    s = position({}, turn=turn, long_winter=turn == 5)
    assert target_limit(s, side) == count


def test_nr_1_36_counterblow_markers_have_no_limit():
    cells = ("2208", "2209", "2210", "2110", "2009", "2108")
    codes = ("NW", "SW", "South", "Cen", "Bry", "Res")
    d = table({**dict(zip(codes, cells, strict=True)), "4": "2109"}, Counterblows, soviet=tuple(range(14, 20)))
    for card, cell in zip(range(14, 20), cells, strict=True):
        d.order("soviet", f"discard {card} for counterblow {cell}")
    assert len(d.state.blows) == 6
