"""The edges of rules: weather, turns, events of cards, options."""

from __future__ import annotations

import pytest
from noretreat_cards import attack, fought, refused, until
from noretreat_positions import (
    CHART,
    CODES,
    SOVIET,
    asked,
    battle,
    fight,
    place,
    position,
    rule_of,
    shifts,
    table,
    where,
)

from pbem.engine.need import Over
from pbem.engine.rows import Rows
from pbem_rules.noretreat.battle import begin
from pbem_rules.noretreat.chart import AXIS
from pbem_rules.noretreat.entries import entries
from pbem_rules.noretreat.frames import GameTurn, PlayerTurn
from pbem_rules.noretreat.odds import has_bonus, table_of_fight
from pbem_rules.noretreat.orders import UNIT, Drop, held_number
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.rail import Unloading
from pbem_rules.noretreat.retreat import ways_back
from pbem_rules.noretreat.scoring import points
from pbem_rules.noretreat.stacking import too_many
from pbem_rules.noretreat.state import Effect
from pbem_rules.noretreat.turns import BeginMovement, ThrowAway, TurnEvents
from pbem_rules.noretreat.windows import OpenTargeted


def test_nr_10_6_only_in_the_ussr_and_not_for_finns_alone():
    home = position({"4": "0310", "NW": "0410"}, turn=22)
    assert home.snow
    assert "snow" not in shifts(home, "4", "0410")
    s = position({"4": "1403", "Fin": "Finland", "Len": ("Leningrad", "+")}, turn=10)
    assert shifts(s, "4", "Leningrad")["snow"] == -1
    assert shifts(s, "4 Fin", "Leningrad")["snow"] == -1
    assert "snow" not in shifts(s, "Fin", "Leningrad")


def test_nr_11_14_no_card_is_lost_for_italians_who_are_there():
    d = table({"8Ita": "0210"}, TurnEvents, frame=GameTurn(), turn=15, axis=(1, 2, 3))
    d.order("axis", "drop 1")  # for the red event
    assert asked(d) != "penalty axis"


def test_nr_11_15_from_turn_15():
    d = table({"3Rum": "1118"}, TurnEvents, frame=GameTurn(), turn=15, held={"Ploesti": SOVIET})
    assert where(d, "3Rum") == "out of the game"


def test_nr_11_32_from_the_turn_after():
    s = position({"1Pz": "2109"}, turn=19, triggers=Rows({"ploesti": 19}))
    assert has_bonus(s, CODES["1Pz"])
    s.turn = 20
    assert not has_bonus(s, CODES["1Pz"])


def test_nr_13_09a_only_where_a_target_marker_lies():
    units = {"4": "1706", "Mos": ("Moscow", "+"), "NW": "1605"}
    d = table(units, OpenTargeted, axis=(9, 17), targets=("1605",))
    assert rule_of(d, "event 9 Moscow") == "NR-13.09A"


def test_nr_13_17s_the_rest_of_the_hex_defends_alone():
    s = position({"4": "2109", "6": "2109", "NW": "2209"}, turn=14, active=SOVIET)
    s.put_effect(Effect("alone", SOVIET, UNIT + CODES["6"], 0, "phase"))
    begin(s, SOVIET, 2109, (CODES["NW"],))
    assert s.fight.defenders == (CODES["4"],)
    # When nobody else is left, the unit defends again.
    one = position({"6": "2109", "NW": "2209"}, turn=14, active=SOVIET)
    one.put_effect(Effect("alone", SOVIET, UNIT + CODES["6"], 0, "phase"))
    begin(one, SOVIET, 2109, (CODES["NW"],))
    assert one.fight.defenders == (CODES["6"],)


def test_nr_13_22s_the_second_attack_uses_the_axis_table_too():
    s = position({"4": "2109", "6": "2209", "NW": "2110"}, turn=14, active=SOVIET)
    s.put_effect(Effect("crt", SOVIET, 2109, 1, "phase"))
    assert table_of_fight(s, fight(s, "NW", "2109")) == AXIS
    assert table_of_fight(s, fight(s, "NW", "2209")) == SOVIET
    assert table_of_fight(s, fight(s, "NW", "2109", counter=True)) == SOVIET


def test_nr_13_37a_at_three_to_two():
    units = {"4": "2109", "2": ("2109", "-"), "Cen": ("2209", "+")}  # 8 to 5
    d = attack(37, units=units, by="4 2").order("axis", "event 37")
    found = fought(d)
    assert (found.column, found.result, found.dice) == ("3:2", "DR", ())


def test_nr_14_3_not_before_turn_5():
    for turn, rule in ((4, "NR-14.3"), (5, "")):
        d = table({"Kal": "2410"}, Organise, side=SOVIET, turn=turn, options={"fortified_fronts": True})
        assert rule_of(d, "detach Kal Fort1,Fort2 2410,2411") == rule


def test_nr_14_5_the_marker_comes_back_for_the_next_movement():
    d = table({"4": "0210", "Kal": "2410"}, BeginMovement, helped=Rows({AXIS: CODES["4"], SOVIET: CODES["Kal"]}))
    assert asked(d) == "march axis"
    assert list(d.state.helped) == [SOVIET]


@pytest.mark.parametrize(("total", "winner"), [(23, SOVIET), (24, AXIS)])
def test_nr_14_12_twenty_four_points(total, winner):
    held = dict.fromkeys(("Minsk", "Riga", "Kiev", "Odessa", "Smolensk", "Kharkov", "Stalino", "Dnepropetrovsk"), AXIS)
    bare = position({"Fin": "Finland"}, turn=5, scenario="barbarossa", held=held)
    frame = PlayerTurn(SOVIET)
    kept = {"scenario": "barbarossa", "held": held, "event_vp": total - points(bare)}
    d = table({"Fin": "Finland"}, Unloading, side=SOVIET, turn=5, frame=frame, **kept)
    assert isinstance(d.need, Over)
    assert d.need.result.winner == winner


def test_nr_5_7_a_card_is_the_one_that_lies_in_the_slot():
    d = table({"4": "2109"}, ThrowAway, axis=(1, 2, 3))
    slot = d.state.hand(AXIS)[0]
    assert d.check(AXIS, Drop((held_number(slot, 1),))) is None
    for card, held in ((2, slot), (54, slot), (1, 1)):
        assert d.check(AXIS, Drop((held_number(held, card),))).rule == "NR-5.7"
    assert d.check(AXIS, Drop((held_number("events/1/40", 1),))) is not None  # of the deck


def test_nr_13_48a_not_in_the_turn_in_which_they_have_yet_to_come():
    units = {"4": "0210", "NW": "2410"}
    for since, rule in ((26, ""), (27, "NR-13.48A")):
        d = table(units, Organise, turn=27, axis=(48,), triggers=Rows({"gg": since}))
        assert rule_of(d, "event 48 Fest1 Breslau") == rule


def test_nr_13_49a_three_and_no_four():
    out = dict.fromkeys(("VPos", "VBre", "VVie", "VKoe"), "Volkssturm out")
    d = table({"4": "Warsaw", "NW": "2410", **out}, Organise, turn=27, axis=(49,))
    assert rule_of(d, "event 49 VPos VBre VVie VKoe") == "NR-13.49A"
    d.order("axis", "event 49 VKoe VVie VBre")
    cities = [f"{place(name):04d}" for name in ("Koenigsberg", "Vienna", "Breslau")]
    assert [where(d, code) for code in ("VKoe", "VVie", "VBre")] == cities


def test_nr_13_51s_only_after_an_exchange():
    units = {"4": "2109", "6": "2109", "NW": "2209"}
    s = position(units, turn=27, active=SOVIET)
    s.fight = fight(s, "NW", "2109", result="EX")
    assert refused(s, SOVIET, 51, "fought") == ""
    s.fight = fight(s, "NW", "2109", result="-")
    assert refused(s, SOVIET, 51, "fought") == "NR-13.51S"


def test_nr_1_22_lost_finns_come_back_in_finland():
    s = position({"Fin": "Destroyed"}, turn=8)
    assert entries(s, CODES["Fin"], s.at(CODES["Fin"])) == (place("Finland"),)


def test_nr_2_7_who_retreats_takes_the_places_on_the_way():
    held = {"2309": AXIS, "2409": AXIS}
    d = until(battle({"4": "2109", "6": "2109", "NW": "2209"}, "4 6", "2209", 4, held=held), "retreat soviet")
    d.order("soviet", "retreat NW 2309-2409")
    assert (d.state.holders[2309], d.state.holders[2409]) == (SOVIET, SOVIET)


def test_nr_8_12_one_more_and_no_two():
    units = {"NW": "2209", "Kal": "2209", "Bry": "2209", "SW": "2209"}
    s = position(units, turn=24)
    three, four = [tuple(CODES[code] for code in codes) for codes in (("NW", "Kal", "Bry"), units)]
    assert too_many(s, SOVIET, three, 2209)
    s.put_effect(Effect("room", SOVIET, 2209, 1, "phase"))
    assert not too_many(s, SOVIET, three, 2209)
    assert too_many(s, SOVIET, four, 2209)
    assert too_many(s, SOVIET, three, 2210)


def test_nr_8_20_each_unit_of_the_box():
    d = table({"4": "Rail", "6": "Rail", "9": "Rail"}, Unloading, frame=PlayerTurn(AXIS))
    d.order("axis", "unload 9 Berlin", "unload 6 Posen", "unload 4 Breslau")
    assert [where(d, code) for code in ("9", "6", "4")] == [f"{place(at):04d}" for at in ("Berlin", "Posen", "Breslau")]


def test_nr_9_46_ways_to_where_there_is_room_come_first():
    s = position({"NW": "2209", "Kal": "2409"}, turn=8)
    ends = {path[-1] for path in ways_back(s, CODES["NW"])}
    assert ends
    assert 2409 not in ends
    assert 2409 in {path[-1] for path in ways_back(position({"NW": "2209"}, turn=8), CODES["NW"])}


def test_nr_11_3_who_is_due_arrives():
    d = table({"2": "turn track", "KG1": "turn track"}, TurnEvents, frame=GameTurn(), turn=8)
    assert (where(d, "2"), where(d, "KG1")) == ("reinforcements", "Available Cadres")


def test_nr_13_34a_markers_of_soviet_units_only():
    s = position({"4": "2109", "NW": "2209"}, turn=8, blows={"2109": SOVIET, "2209": AXIS})
    assert refused(s, AXIS, 34, "turn_end", (2209,)) == ""
    for hexes in ((2109,), (2109, 2209)):
        assert refused(s, AXIS, 34, "turn_end", hexes) == "NR-13.34A"


def test_nr_13_50s_cities_of_greater_germany_only():
    for name, rule in (("Posen", ""), ("Warsaw", "NR-13.50S")):
        spot = place(name)
        near = next(cell for cell in CHART.board.near[spot] if CHART.passable(cell, spot))
        s = position({"4": name, "NW": f"{near:04d}"}, turn=27, active=SOVIET)
        s.fight = fight(s, "NW", name)
        assert refused(s, SOVIET, 50, "battle") == rule
