"""NR-11 Turn-by-turn effects, NR-12 reinforcements."""

from __future__ import annotations

import pytest
from noretreat_positions import CHART, CODES, asked, game, place, position, rule_of, shifts, table, where

from pbem.engine.event import Out
from pbem.engine.rows import Rows
from pbem.kit.datafile import problems
from pbem_rules.noretreat.chart import AXIS, DATA, SOVIET
from pbem_rules.noretreat.entries import entries
from pbem_rules.noretreat.events import Drew
from pbem_rules.noretreat.frames import GameTurn
from pbem_rules.noretreat.hands import draw_count
from pbem_rules.noretreat.odds import has_bonus
from pbem_rules.noretreat.organise import Organise, free_upgrades
from pbem_rules.noretreat.pursuit import limit
from pbem_rules.noretreat.setup import set_up
from pbem_rules.noretreat.state import DESTROYED, READY
from pbem_rules.noretreat.supply import supplied_units
from pbem_rules.noretreat.targets import target_limit
from pbem_rules.noretreat.turns import CrowdedOut, TurnEvents
from pbem_rules.noretreat.victory import enter


def events(turn, units=None, **kept):
    kept.setdefault("skip_sudden", True)  # so few units hold few places
    return table({"Fin": "Finland", **(units or {})}, TurnEvents, turn=turn, frame=GameTurn(), **kept)


def organising(units, side=SOVIET, **kept):
    return table(units, Organise, side=side, **kept)


def test_nr_11_1_rail_in_turns_1_and_2():
    assert rule_of(table({"4": "0210"}, turn=1), "rail 4") == "NR-8.16"
    assert rule_of(table({"4": "0210"}, turn=3), "rail 4") == ""


def test_nr_11_2_no_axis_discards_before_turn_5():
    assert (
        rule_of(organising({"6": "Destroyed"}, AXIS, turn=4, axis=(1,)), "discard 1 for return 6 Berlin") == "NR-11.2"
    )


def test_nr_11_3_arrivals_come_in_their_turn():
    s = set_up(game.setup_of("campaign"))
    due = {CHART.units[unit].code: piece.due for unit, piece in s.pieces.items() if piece.due}
    assert due["2"] == 2
    assert due["Kal"] == 2
    assert due["VBer"] == 23


def test_nr_11_4_fortresses_from_turn_3():
    d = organising({"Len": ("Leningrad", "-"), "Kal": "2410"}, turn=3, soviet=(1, 2))
    assert rule_of(d, "discard 1 for upgrade Len") == ""
    assert rule_of(d, "discard 1 for upgrade Kal") == "NR-7.3"


def test_nr_11_5_the_reserve_from_turn_4():
    assert rule_of(table({"Kal": "2410"}, side=SOVIET, turn=3), "reserve Kal") == "NR-11.5"
    assert rule_of(table({"Kal": "2410"}, side=SOVIET, turn=4), "reserve Kal") == ""


def test_nr_11_6_turn_5():
    d = organising({"6": "Destroyed"}, AXIS, turn=5, axis=(1,))
    assert rule_of(d, "discard 1 for return 6 Berlin") == ""
    s = position({"4": "2109", "NW": "2209"}, turn=5)
    assert shifts(s, "4", "2209")["snow"] == -2


def test_nr_11_7_a_free_upgrade_from_turn_6():
    assert [free_upgrades(position({}, turn=turn)) for turn in (5, 6)] == [0, 1]


@pytest.mark.parametrize("turn", [7, 10, 15, 19])
def test_nr_11_8_red_events(turn):
    d = events(turn, {"8Ita": "0210"}, axis=(1, 2))
    assert asked(d) == "penalty axis"
    assert d.state.event_vp == (-1 if turn < 12 else 1)


def test_nr_11_9_an_extra_card_in_turns_8_and_9():
    assert [draw_count(position({}, turn=turn), AXIS) for turn in (7, 8, 9, 10)] == [4, 5, 5, 4]


def test_nr_11_10_which_turns_are_red():
    assert CHART.track.marked("red") == (7, 10, 15, 19)


def test_nr_11_11_soviet_tanks_in_turn_11():
    s = position({"Cau": ("2209", "+")}, turn=8)
    assert limit(s, CODES["Cau"]) == 2
    s.turn = 13
    assert limit(s, CODES["Cau"]) == 3


def test_nr_11_12_the_initiative_passes():
    from pbem_rules.noretreat.victory import VictoryPhase

    held = dict.fromkeys(("Riga", "Minsk", "Kiev", "Odessa", "Smolensk"), AXIS)
    d = table({"Fin": "Finland"}, VictoryPhase, turn=12, initiative=AXIS, frame=GameTurn(), held=held)
    assert d.state.initiative == SOVIET


def test_nr_11_13_a_second_free_upgrade():
    assert free_upgrades(position({}, turn=13)) == 2


def test_nr_11_14_the_italians_leave():
    d = events(15, {"8Ita": "0210"})
    assert where(d, "8Ita") == "out of the game"
    e = events(15, {"8Ita": "Destroyed"}, axis=(1, 2, 3))
    e.order("axis", "drop 1")
    assert asked(e) == "penalty axis"  # one for the red event, one for the Italians


def test_nr_11_15_romania_leaves():
    d = events(16, {"3Rum": "1118", "4Rum": "Destroyed"}, held={"Ploesti": SOVIET})
    assert (where(d, "3Rum"), where(d, "4Rum")) == ("out of the game", "out of the game")
    assert where(events(14, {"3Rum": "1118"}, held={"Ploesti": SOVIET}), "3Rum") == "1118"


def test_nr_11_15_as_soon_as_the_oil_falls():
    s = position({"3Rum": "1118", "NW": "0921"}, turn=16, active=SOVIET, held={"Ploesti": AXIS})
    enter(s, SOVIET, (place("Ploesti"),), Out())
    assert s.at(CODES["3Rum"]) == 0


def test_nr_11_16_that_is_no_loss():
    d = events(16, {"2Pz": "2109"})
    assert (where(d, "2Pz"), d.state.event_vp) == ("out of the game", 0)


def drawn(driver):
    """How many cards the Axis has drawn."""
    return next(drew.count for drew in driver.events(Drew) if drew.side == AXIS)


def test_nr_11_17_the_second_panzer_army_leaves():
    assert drawn(events(16, {"2Pz": "0210"})) == 4
    assert drawn(events(16, {"2Pz": "Destroyed"})) == 3
    assert drawn(events(16, {"2Pz": "2109"}, cut=("2Pz",))) == 3


def test_nr_11_18_two_steps_in_turn_17():
    s = position({"Kal": ("2209", "+")}, turn=17)
    assert s.steps(CODES["Kal"]) == 2


def test_nr_11_19_the_ss_panzer_army_leaves():
    d = events(18, {"SSPz": "0210"})
    assert (where(d, "SSPz"), drawn(d), d.state.triggers["ss"]) == ("out of the game", 4, 18)
    assert free_upgrades(d.state) == 1
    assert drawn(events(18)) == 3


@pytest.mark.parametrize(("turn", "count"), [(19, 5), (20, 3)])
def test_nr_11_20_three_markers(turn, count):
    assert target_limit(position({}, turn=turn), AXIS) == count


def test_nr_11_21_a_card_more_for_the_soviets():
    assert [draw_count(position({}, turn=turn), SOVIET) for turn in (20, 21, 28)] == [4, 5, 5]


def test_nr_11_22_any_two_soviet_units_in_turn_23():
    from pbem_rules.noretreat.stacking import too_many

    s = position({"Kal": "2209", "Bry": "2210"}, turn=23)
    assert not too_many(s, SOVIET, (CODES["Kal"], CODES["Bry"]), 2209)


def test_nr_11_23_volkssturm_and_garrison_in_their_cities():
    d = organising({"VPos": "reinforcements", "BerG": "reinforcements", "VBer": "reinforcements"}, AXIS, turn=23)
    assert rule_of(d, "place VPos Berlin") == "NR-12.4"
    d.order("axis", "place VPos Posen", "place BerG Berlin", "place VBer Berlin")
    assert (where(d, "VPos"), where(d, "BerG")) == ("0410", "0210")


def test_nr_11_24_one_card_in_turn_23():
    assert draw_count(position({}, turn=23, held={"Ploesti": SOVIET}), AXIS) == 1


def test_nr_11_25_the_ss_comes_back_from_turn_23():
    d = organising({}, AXIS, turn=22)
    d.state.triggers["ss"] = 18
    assert rule_of(d, "recall SSPz 0210") == "NR-7.18"


def test_nr_11_26_nothing_is_restored_from_turn_24():
    d = organising({"4": "Destroyed"}, AXIS, turn=24, axis=(14,))
    assert rule_of(d, "discard 14 for return 4 Berlin") == "NR-7.15"
    e = organising({"4": "Destroyed"}, AXIS, turn=23, axis=(14,))
    assert rule_of(e, "discard 14 for return 4 Berlin") == ""


def test_nr_11_27_one_marker_in_turn_26():
    assert target_limit(position({}, turn=26), AXIS) == 1


def test_nr_11_28_the_garrison_leaves():
    d = events(28, {"BerG": "Berlin"}, event_vp=0)
    assert (where(d, "BerG"), d.state.event_vp) == ("out of the game", 0)


@pytest.mark.parametrize("turn", [14, 22, 25, 27])
def test_nr_11_29_turns_without_events(turn):
    d = events(turn, axis=(14,))
    assert d.state.event_vp == 0
    assert asked(d) != "penalty axis"


def triggered(key, turn, units=None, **kept):
    return events(turn, units, triggers=Rows({key: turn - 1}), **kept)


def test_nr_11_30_greater_germany():
    d = triggered("gg", 19)
    assert {where(d, code) for code in ("Fest1", "Fest2", "1Hun", "3Hun")} == {"reinforcements"}
    s = position({"Fest1": "reinforcements", "1Hun": "reinforcements"}, turn=19)
    assert set(entries(s, CODES["Fest1"], READY)) <= set(CHART.board.in_mask(CHART.reich))
    near = CHART.board.grid.within(place("Budapest"), 4)
    assert set(entries(s, CODES["1Hun"], READY)) <= set(near)


def test_nr_11_31_ploesti():
    d = triggered("ploesti", 19)
    assert {where(d, code) for code in ("AGE", "AGF", "RumS")} == {"reinforcements"}
    assert where(d, "1Yug") == "reinforcements+"


def test_nr_11_32_german_tanks_lose_their_bonuses():
    s = position({"1Pz": "2109", "SSPz": "2208", "NW": "2209"}, turn=20, triggers=Rows({"ploesti": 19}))
    assert not has_bonus(s, CODES["1Pz"])
    assert (limit(s, CODES["1Pz"]), limit(s, CODES["SSPz"])) == (2, 3)
    assert shifts(s, "SSPz", "2209") == {"SS armour": 1}


def test_nr_11_33_army_groups_e_and_f():
    s = position({"AGE": "reinforcements"}, turn=19)
    found = entries(s, CODES["AGE"], READY)
    assert CHART.balkans[0] in found
    assert CHART.balkans[1] not in found
    assert place("Budapest") in found


def test_nr_11_34_the_soviet_romanians():
    s = position(
        {"RumS": "reinforcements"}, turn=19, held={"Ploesti": SOVIET, "Odessa": SOVIET, "1121": SOVIET, "1021": SOVIET}
    )
    found = entries(s, CODES["RumS"], READY)
    assert all(CHART.board.grid.distance(p, place("Ploesti")) <= 2 and s.holders[p] == SOVIET for p in found)
    assert not s.pieces[CODES["RumS"]].strong


def test_nr_11_35_the_yugoslavs():
    d = table(
        {"1Yug": ("reinforcements", "+"), "2Yug": ("reinforcements", "+"), "4": "Western Balkans"},
        CrowdedOut,
        side=SOVIET,
        turn=19,
        triggers=Rows({"ploesti": 18}),
    )
    codes = sorted(where(d, code) for code in ("1Yug", "2Yug"))
    assert codes == ["Destroyed", "reinforcements+"]
    s = position({"1Yug": ("reinforcements", "+"), "4": "Western Balkans"}, turn=19)
    assert entries(s, CODES["1Yug"], READY) == (CHART.balkans[1],)
    assert CODES["1Yug"] in supplied_units(position({"1Yug": "Southern Balkans"}), SOVIET)


def test_nr_11_35_the_axis_may_bar_the_balkans_in_its_own_turn():
    d = triggered("ploesti", 19, {"4": "Western Balkans"})
    assert {where(d, code) for code in ("1Yug", "2Yug")} == {"reinforcements+"}  # they are due in the Soviet turn
    later = table({"1Yug": "reinforcements", "4": "Western Balkans", "6": "Southern Balkans"}, CrowdedOut, side=SOVIET,
                  turn=20, triggers=Rows({"ploesti": 18}))  # fmt: skip
    assert where(later, "1Yug") == "reinforcements"  # held back since then


def test_nr_11_30_11_33_11_36_the_hexes_are_free():
    units = {"4": "Budapest", "1Hun": "reinforcements", "AGE": "reinforcements", "Pol": "reinforcements"}
    s = position({**units, "Bry": "Warsaw"}, turn=24, held={"Warsaw": SOVIET})
    assert entries(s, CODES["1Hun"], READY)
    for code in ("1Hun", "AGE"):
        assert place("Budapest") not in entries(s, CODES[code], READY)
    assert place("Warsaw") not in entries(s, CODES["Pol"], READY)


def test_nr_11_36_the_poles():
    d = triggered("warsaw", 20)
    assert where(d, "Pol") == "reinforcements"
    s = position({"Pol": "reinforcements"}, turn=20, held={"Warsaw": SOVIET})
    assert all(CHART.board.grid.distance(p, place("Warsaw")) <= 2 for p in entries(s, CODES["Pol"], READY))


def test_nr_11_37_once_and_one_turn_later():
    s = position({}, turn=18, active=SOVIET)
    enter(s, SOVIET, (place("Warsaw"),), Out())
    assert s.triggers["warsaw"] == 18
    s.turn = 20
    s.holders[place("Warsaw")] = AXIS
    enter(s, SOVIET, (place("Warsaw"),), Out())
    assert s.triggers["warsaw"] == 18
    d = events(18, triggers=Rows({"warsaw": 18}))
    assert where(d, "Pol") == "out of the game"


# NR-12


def schedule(side):
    return {(unit.turn, unit.code) for unit in CHART.units if unit.side == side and unit.by == "turn"}


def test_nr_12_1_soviet_reinforcements():
    assert schedule(SOVIET) == {
        (2, "Kal"), (2, "Cau"), (3, "Mos"), (3, "Sev"), (3, "Ost"), (4, "Cri"), (4, "Volk"), (6, "NCau"), (7, "Vor"),
        (7, "Sta"), (9, "Don"), (12, "Kur"), (13, "Ste"),
    }  # fmt: skip


def test_nr_12_2_axis_reinforcements():
    assert schedule(AXIS) == {
        (2, "2"), (5, "KG1"), (6, "2Hun"), (7, "8Ita"), (8, "KG2"), (10, "Luft"), (12, "SSPz"), (14, "8"), (17, "SSGr"),
        (23, "VKoe"), (23, "VVie"), (23, "VBre"), (23, "VPos"), (23, "VBer"), (23, "BerG"),
    }  # fmt: skip


def test_nr_12_3_triggered_arrivals():
    by = {key: {unit.code for unit in CHART.units if unit.by == key} for key in ("gg", "ploesti", "warsaw")}
    assert by["gg"] == {"1Hun", "3Hun", "Fest1", "Fest2"}
    assert by["ploesti"] == {"AGE", "AGF", "RumS", "1Yug", "2Yug"}
    assert by["warsaw"] == {"Pol"}


def test_nr_12_4_city_units_in_their_city():
    s = position({"Mos": "reinforcements"}, turn=3)
    assert entries(s, CODES["Mos"], READY) == (place("Moscow"),)
    full = position({"Mos": "reinforcements", "NW": "Moscow"}, turn=3)
    assert place("Gorki") in entries(full, CODES["Mos"], READY)
    lost = position({"VPos": "reinforcements"}, turn=24, held={"Posen": SOVIET})
    assert entries(lost, CODES["VPos"], READY) == ()


def test_nr_12_5_cadres_and_luftwaffe_come_back():
    from pbem_rules.noretreat.losses import send

    s = position({"KG1": "2109", "Luft": "2110"}, turn=11)
    for code in ("KG1", "Luft"):
        send(s, CODES[code], DESTROYED, "test", "NR-12.5", Out())
    assert {s.pieces[CODES[code]].due for code in ("KG1", "Luft")} == {12}


def test_nr_12_6_on_which_side_they_arrive():
    s = set_up(game.setup_of("campaign"))
    assert s.pieces[CODES["SSPz"]].strong
    assert not s.pieces[CODES["Kal"]].strong
    assert problems("starts", DATA["starts"]) == []


def test_nr_12_7_a_reinforcement_may_be_held_back():
    d = organising({"Kal": "reinforcements"}, turn=8)
    d.order("soviet", "done")
    assert where(d, "Kal") == "reinforcements"
