"""NR-9.1 to NR-9.24 Declaring, counterblows, odds and shifts."""

from __future__ import annotations

import pytest
from noretreat_positions import CODES, asked, battle, declaring, fight, owing, position, rule_of, shifts, table, where

from pbem.engine.event import Out
from pbem_rules.noretreat.battle import ListBattles
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Counterblow, Fought
from pbem_rules.noretreat.frames import PlayerTurn
from pbem_rules.noretreat.losses import send
from pbem_rules.noretreat.movement import free_to_manoeuvre
from pbem_rules.noretreat.odds import BELOW, reckon, table_of_fight
from pbem_rules.noretreat.orders import Discard
from pbem_rules.noretreat.state import DESTROYED
from pbem_rules.noretreat.targets import Counterblows, Declare, Due, check_target, matched
from pbem_rules.noretreat.turns import EndCombat
from pbem_rules.noretreat.windows import OpenMoved

TWO = {"1Pz": "2109", "4": "2208", "NW": "2209", "SW": "2207"}


def test_nr_9_1_targets_first():
    d = declaring(TWO)
    assert rule_of(d, "target 2410") == "NR-9.1"
    d.order("axis", "target 2209")
    assert rule_of(d, "target 2209") == "NR-9.1"
    e = declaring(TWO, blows={"2209": AXIS})
    assert rule_of(e, "target 2209") == "NR-9.13"
    many = {
        "4": "2109",
        **dict(
            zip(("NW", "SW", "Bry", "Res", "Cen", "Kal"), ("2208", "2209", "2210", "2110", "2009", "2108"), strict=True)
        ),
    }
    f = declaring(many)
    f.order("axis", "target 2208", "target 2209", "target 2210", "target 2110", "target 2009")
    assert rule_of(f, "target 2108") == "NR-1.35"


def test_nr_9_2_who_may_attack():
    assert rule_of(declaring({"1Pz": "2209", "KG1": "2109", "NW": "2110", "SW": "2309"}), "target 2110") == "NR-9.2"
    d = battle_order(TWO, "2209", tired=("4",))
    assert rule_of(d, "attack 2209 with 4") == "NR-9.2"
    assert rule_of(d, "attack 2209 with 1Pz") == ""


def battle_order(units, *targets, side=AXIS, **kept):
    return table(units, ListBattles, side=side, targets=targets, frame=owing(side, *kept.pop("due", ())), **kept)


def test_nr_9_3_all_defenders_and_any_order():
    units = {**TWO, "Cau": ("2209", "+"), "Bry": "2108"}
    d = battle_order(units, "2209", "2108", turn=11)
    assert rule_of(d, "attack 2108 with 1Pz") == ""
    s = position(units, turn=11)
    assert len(fight(s, "1Pz", "2209").defenders) == 2


def test_nr_9_4_one_battle_a_phase_and_lapsed_targets():
    d = table(
        {"4": "2208", "NW": "2209", "SW": "2207"},
        ListBattles,
        targets=("2209", "2207"),
        dice={"t8/axis/2209/crt": 4},
        frame=PlayerTurn(AXIS),
    )
    d.order("axis", "attack 2209 with 4")
    assert asked(d) != "battles axis"
    assert d.state.targets == ()


def test_nr_9_5_the_other_side_names_hexes_of_its_own():
    d = table(TWO, Counterblows, soviet=(1, 2))
    assert asked(d) == "counterblows soviet"
    assert rule_of(d, "discard 1 for counterblow 2109") == "NR-9.5"
    d.order("soviet", "discard 1 for counterblow 2209")
    assert d.events(Counterblow)[0].side == AXIS


def test_nr_9_6_a_card_for_each():
    d = table(TWO, Counterblows, soviet=(1, 2))
    assert rule_of(d, "discard 1 2 for counterblow 2209") == "NR-5.9"
    d.order("soviet", "discard 1 for counterblow 2209", "discard 2 for counterblow 2207")
    assert d.state.hand(SOVIET) == ()


def test_nr_9_7_hexes_that_cannot_be_named():
    d = table({**TWO, "Bry": "2410"}, Counterblows, soviet=(1, 2), targets=("2209",))
    assert rule_of(d, "discard 1 for counterblow 2209") == "NR-9.7"
    assert rule_of(d, "discard 1 for counterblow 2410") == "NR-9.7"


def test_nr_9_8_anybody_beside_it_may_fight():
    units = {"KG1": "2109", "4": "2208", "NW": "2209"}
    d = table(units, ListBattles, blows={"2209": AXIS}, tired=("4",), frame=owing(AXIS, "NW"))
    assert rule_of(d, "attack 2209 with KG1 4") == ""


def test_nr_9_9_white_units_add_nothing_there():
    s = position({"4": "2109", "NW": "2209", "Rsv": "2209", "Len": ("2208", "+")})
    assert reckon(s, fight(s, "4", "2209", forced=True)).defence == 3
    assert reckon(s, fight(s, "4", "2208", forced=True)).defence == 5


def test_nr_9_10_no_terrain_for_the_defender():
    s = position({"1Pz": "2008", "NW": "2108"}, turn=5)
    free = shifts(s, "1Pz", "2108", forced=True)
    assert "forest" not in free
    assert free["snow"] == -2
    t = position({"1Pz": "2008", "NW": "2108"})
    assert "armour" not in shifts(t, "1Pz", "2108", forced=True)


def test_nr_9_11_forced_battles_come_last_and_must_be_fought():
    d = battle_order(TWO, "2209", blows={"2207": AXIS}, due=("SW",))
    assert rule_of(d, "attack 2207 with 4") == "NR-9.11"  # first the voluntary one
    assert rule_of(d, "attack 2209 with 1Pz 4") == "NR-9.11"  # nobody would be left
    assert rule_of(d, "attack 2209 with 1Pz") == ""
    s = position(TWO)
    assert matched(s, AXIS, (2209, 2207), ()) == 2
    assert matched(s, AXIS, (2209, 2207), (CODES["4"],)) == 1


def test_nr_9_12_a_marker_of_a_cb_result():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", 4)  # 1:1, four is a counterblow
    assert d.state.blows == {2109: SOVIET}
    e = table({"4": "2109", "NW": "2209"}, Due, side=SOVIET, blows={"2109": SOVIET})
    assert asked(e) == "battles soviet"
    f = table({"4": "2109", "NW": "2410"}, Due, side=SOVIET, blows={"2109": SOVIET})
    assert asked(f) != "battles soviet"
    assert not f.state.blows


def test_nr_9_13_what_a_marker_forbids():
    s = position({"4": "2109"}, blows={"2109": SOVIET})
    assert not free_to_manoeuvre(s, CODES["4"])
    t = position({"4": "2109", "NW": "2209"}, active=SOVIET, blows={"2109": SOVIET})
    assert check_target(t, PlayerTurn(SOVIET), 2109).rule == "NR-9.13"


def test_nr_9_14_when_markers_leave():
    s = table(
        {"4": "2109", "NW": "2209"},
        EndCombat,
        blows={"2209": AXIS, "2109": SOVIET},
        frame=owing(AXIS, "NW"),
    )
    assert s.state.blows == {2109: SOVIET}


def test_nr_9_15_markers_can_be_taken_off_by_an_event():
    s = position({"4": "2109", "NW": "2209"}, blows={"2209": AXIS})
    s.lift_blow(2209)
    assert rule_of(declaring({"4": "2109", "NW": "2209"}), "target 2209") == ""


def test_nr_9_16_a_counterblow_hex_needs_a_unit_that_is_black_or_fortified():
    units = {"4": "2109", "Len": ("2209", "+"), "Ost": "2208", "Rsv": "2210", "NW": "2108"}
    d = table(units, Counterblows, soviet=(1, 2, 3))
    assert rule_of(d, "discard 1 for counterblow 2209") == ""
    assert rule_of(d, "discard 1 for counterblow 2108") == ""
    assert rule_of(d, "discard 1 for counterblow 2208") == "NR-9.16"  # a cadre alone
    assert rule_of(d, "discard 1 for counterblow 2210") == "NR-9.16"


def test_nr_9_16_9_9_in_one_a_cadre_adds_nothing_and_a_fortified_unit_does():
    s = position({"4": "2109", "NW": "2209", "Ost": "2209", "Len": ("2208", "+")}, turn=24)
    assert reckon(s, fight(s, "4", "2209", forced=True)).defence == 3
    assert reckon(s, fight(s, "4", "2209")).defence == 5
    assert reckon(s, fight(s, "4", "2208", forced=True)).defence == 5
    cadre = battle({"KG1": "2109", "NW": "2209"}, "KG1", "2209", 3, forced=True)  # the active side's cadres fight
    assert cadre.events(Fought)[0].attack == 2


@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [
        (3, 7, "1:3"),
        (5, 7, "1:2"),
        (14, 11, "1:1"),
        (8, 5, "3:2"),
        (12, 5, "2:1"),
        (11, 3, "3:1"),
        (13, 3, "4:1"),
        (16, 3, "5:1"),
    ],
)
def test_nr_9_17_odds(attack, defence, column):
    odds = position({}).chart.odds
    assert odds.name(odds.column(attack, defence)) == column


def test_nr_9_18_the_order_of_a_battle():
    d = battle(TWO, "1Pz 4", "2209", 1, support={AXIS: 1})
    (fought,) = d.events(Fought)
    assert (fought.attack, fought.defence, fought.column, fought.dice, fought.result) == (11, 3, "4:1", (1,), "EX")


def test_nr_9_19_shifts_add_up():
    s = position({"1Pz": "2309", "West": "2309", "NW": "2209", "4": "2208"}, works=(2209,))
    found = shifts(s, "4", "2209", marker=True)
    assert found == {"Blitz": 1}
    swamp = position({"4": "2208", "NW": "2207"})
    assert shifts(swamp, "4", "2207") == {"swamp": -1}
    hill = position({"4": "2208", "NW": "2307"})
    assert shifts(hill, "4", "2307") == {"mountain": -1}


def test_nr_9_20_below_the_table():
    s = position({"2Hun": "2109", "West": ("2209", "+")}, turn=8)
    assert reckon(s, fight(s, "2Hun", "2209")).column == BELOW
    assert reckon(s, fight(s, "2Hun", "2209", marker=True)).column == 0  # a shift to the right lifts it
    d = battle({"2Hun": "2109", "West": ("2209", "+")}, "2Hun", "2209")
    (fought,) = d.events(Fought)
    assert (fought.result, fought.dice) == ("CA", ())
    t = position({"1Pz": "2109", "2Pz": "2208", "3Pz": "2210", "2Hun": "2309"})
    assert reckon(t, fight(t, "1Pz 2Pz 3Pz", "2309")).column == 8


def test_nr_9_21_markers():
    d = battle_order(TWO, "2209", support={AXIS: 1})
    assert rule_of(d, "attack 2209 with 1Pz shock") == "NR-9.21"
    assert rule_of(d, "attack 2209 with 1Pz blitz") == ""
    e = table(
        TWO, ListBattles, targets=("2209",), support={AXIS: 1}, dice={"t8/axis/2209/crt": 4}, frame=PlayerTurn(AXIS)
    )
    e.order("axis", "attack 2209 with 1Pz blitz")
    assert e.state.support[AXIS] == 0
    assert rule_of(battle_order(TWO, "2209"), "attack 2209 with 1Pz blitz") == "NR-9.21"


def test_nr_9_22_rivers():
    s = position({"4": "2209", "6": "2308", "NW": "2309"})
    assert shifts(s, "4", "2309") == {"river": -1}
    assert shifts(s, "4 6", "2309") == {}


def test_nr_9_23_what_refuses_the_armour_bonus():
    s = position({"1Pz": "2310", "NW": "Saratov", "SW": "2209", "2Pz": "2109"})
    assert "armour" not in shifts(s, "1Pz", "Saratov")
    assert "armour" in shifts(s, "2Pz", "2209")
    s.mark_cut(CODES["2Pz"], cut=True)
    assert "armour" not in shifts(s, "2Pz", "2209")
    two = position({"1Pz": "2208", "NW": "2209", "SW": "2108"})
    assert "armour" not in shifts(two, "1Pz", "2108 2209", counter=True)


@pytest.mark.parametrize(
    ("turn", "side", "table_"), [(8, AXIS, AXIS), (9, AXIS, AXIS), (10, AXIS, SOVIET), (8, SOVIET, SOVIET)]
)
def test_nr_9_24_which_table(turn, side, table_):
    s = position({"4": "2109", "NW": "2209"}, turn=turn)
    one = fight(s, "4", "2209") if side == AXIS else fight(s, "NW", "2109")
    assert table_of_fight(s, one) == table_


def test_declaring_is_passed_over_where_nobody_can_attack():
    assert asked(declaring({"4": "2109", "NW": "2410"})) != "targets axis"
    assert Declare.name == "targets"
    assert Out().events == []
    assert where(declaring({"4": "2109"}), "4") == "2109"


def marked(driver):
    """The units under counterblow markers."""
    return {driver.state.name(unit) for unit in driver.state.blown}


def test_nr_9_12_9_13_a_marker_goes_with_its_unit_and_not_with_the_hex():
    d = battle({"4": "2109", "SW": "2209", "NW": "2309"}, "4", "2209", 1, counter=4)  # a counterblow in a counterattack
    d.order("soviet", "counter")
    assert marked(d) == {"SW"}
    while not asked(d).startswith("march soviet"):
        d.order(d.asked[0], next(o for o in d.legal(d.asked[0]) if o.kind in ("pass", "done")))
    d.order("soviet", "move SW 2210", "move NW 2209")
    assert marked(d) == {"SW"}
    assert d.state.blows == {2210: AXIS}  # the Axis must attack where it stands now
    e = declaring({"4": "2109", "NW": "2209", "SW": "2210"}, blows={"2210": AXIS})
    assert (rule_of(e, "target 2210"), rule_of(e, "target 2209")) == ("NR-9.13", "")


def test_nr_9_12_a_marker_goes_when_none_of_its_units_is_left_on_the_map():
    d = table({"Kal": "2410", "4": "0210"}, side=SOVIET, blows={"2410": AXIS})
    d.order("soviet", "rail Kal")
    assert (where(d, "Kal"), marked(d)) == ("Rail", set())
    e = table({"NW": "2309", "Kal": "2310", "4": "0210"}, OpenMoved, side=AXIS, blows={"2309": AXIS})
    send(e.state, CODES["NW"], DESTROYED, "", "NR-1.6", Out())
    assert marked(e) == set()


def test_nr_9_32_9_12_the_marker_of_a_cb_lies_on_one_unit():
    d = battle({"4": "2109", "6": "2109", "NW": "2209"}, "4 6", "2209", 2)
    assert d.events(Fought)[0].result == "CB"
    assert asked(d) == "mark axis"
    assert rule_of(d, "mark NW") == "NR-9.32"
    d.order("axis", "mark 6")
    assert marked(d) == {"6"}
    assert d.events(Counterblow)[0].units == ("6",)
    assert not free_to_manoeuvre(d.state, CODES["6"])
    far = position({"4": "1909", "6": "1909"}, blows={"1909": SOVIET})
    far.blown.discard(CODES["4"])
    assert (free_to_manoeuvre(far, CODES["4"]), free_to_manoeuvre(far, CODES["6"])) == (True, False)


def test_nr_9_31_9_14_a_marker_laid_on_a_unit_that_has_just_been_attacked_stays():
    units = {"4": "2109", "SW": "2209", "6": "2310", "NW": "2410"}
    dice = {"t8/axis/2209/crt": 1, "t8/axis/2209/counter": 4, "t8/axis/2410/crt": 3}
    d = table(units, ListBattles, frame=owing(AXIS, "SW", "NW"), blows={"2209": AXIS, "2410": AXIS}, dice=dice)
    d.order("axis", "attack 2209 with 4", "done").order("soviet", "counter")
    assert asked(d) == "battles axis"
    assert rule_of(d, "attack 2209 with 6") == "NR-9.1"  # it binds in the next Axis phase only
    d.order("axis", "attack 2410 with 6")
    assert marked(d) == {"SW"}


def test_nr_9_5_a_place_that_cannot_be_forced_has_its_own_reason():
    d = table({**TWO, "Bry": "2410"}, Counterblows, soviet=(1, 2), targets=("2209",))
    whys = {
        "2209": "Penza (2209) is already marked",
        "2410": "No enemy stands beside 2410",
        "2109": "A counterblow hex holds units of yours",
    }
    for place, why in whys.items():
        assert d.machine.bars(SOVIET, place, Discard).reason == why
    assert d.machine.bars(SOVIET, "2207", Discard) is None
