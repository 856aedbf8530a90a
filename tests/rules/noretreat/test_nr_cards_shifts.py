"""NR-13 Events that change strengths and columns of a battle, one by one."""

from __future__ import annotations

import pytest
from noretreat_cards import SOVIET_ATTACK, attack, defend, fought, through, until
from noretreat_positions import asked, battle, position, rule_of, shifts, table, where

from pbem_rules.noretreat.cards.base import EVENTS, At, Moment
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Repeated
from pbem_rules.noretreat.pictures import luck
from pbem_rules.noretreat.report import report
from pbem_rules.noretreat.targets import Counterblows
from pbem_rules.noretreat.windows import OpenRemoval


def test_nr_13_01a_manstein_doubles_a_unit():
    d = attack(1)
    assert rule_of(d, "event 1 NW") == "NR-13.01A"
    d.order("axis", "event 1 4")
    assert (x := fought(d)).attack == 12
    assert (x.defence, x.column) == (3, "4:1")
    cut = attack(1, cut=("4", "6"))
    assert rule_of(cut, "event 1 4") == "NR-13.01A"
    allies = attack(1, units={"3Rum": "2109", "NW": "2209"}, by="3Rum")
    assert rule_of(allies, "event 1 3Rum") == "NR-13.01A"
    assert rule_of(defend(1), "event 1 4") == "NR-13.01A"  # in the own Combat phase only


def test_nr_13_01a_manstein_pays_for_two_counterblows():
    units = {"4": "2109", "6": "2110", "9": "2413", "NW": "2209", "Res": "2412", "Cen": "2210"}
    d = table(units, Counterblows, side=SOVIET, axis=(1,))
    assert rule_of(d, "event 1 2109 2413") == "NR-13.01A"  # too far apart
    reason = EVENTS[AXIS, 1].check(d.state, At(AXIS, Moment.BLOWS), (2109, 2413)).reason
    assert reason == "Name one or two of your hexes that may be marked, at most two hexes apart"
    d.order("axis", "event 1 2109 2110")
    assert d.state.blows == {2109: SOVIET, 2110: SOVIET}
    assert d.state.deck.discards == [1]


def test_nr_13_03s_black_sea_fleet():
    # In Odessa, defended and attacked; and away from the coast.
    units = {"4": "1318", "6": "1318", "South": "Odessa"}
    d = attack(3, soviet=True, units=units, target="Odessa").order("soviet", "event 3")
    assert "Black Sea Fleet -1" in fought(d).shifts
    units = {"South": "1318", "4": "Odessa"}
    d = defend(3, soviet=True, units=units, by="South", target="Odessa").order("soviet", "event 3")
    assert "Black Sea Fleet +1" in fought(d).shifts
    away = attack(3, soviet=True, spare=(11,))
    assert rule_of(away, "event 3") == "NR-13.03S"


def test_nr_13_06a_air_support_in_an_attack():
    d = attack(6).order("axis", "event 6")
    assert "Air support +1" in fought(d).shifts
    # Only with the initiative, only in the own turn.
    assert (
        rule_of(
            attack(6, turn=14, spare=(28, 1)),
            "event 6",
        )
        == "NR-5.12"
    )
    assert rule_of(defend(6, spare=(4,)), "event 6") == "NR-13.06A"


def test_nr_13_06a_air_support_of_a_pocket():
    units = {"4": "2109", "6": "2110", "NW": "2009", "Res": "2210", "Bry": "2008", "Cen": "2111", "Cri": "2209"}
    kept = {"cut": ("4", "6"), "axis": (6,), "turn": 8}
    d = table(units, OpenRemoval, **kept)
    assert rule_of(d, "event 6 2009") == "NR-13.06A"
    d.order("axis", "event 6 2109")
    assert where(d, "4") == "2109"
    assert where(d, "6") == "Captured-"
    assert d.state.event_vp == -1


def test_nr_13_08a_new_tanks():
    units = {"1Pz": "2109", "4": "2109", "Don": "2209"}
    d = attack(8, units=units, by="1Pz 4").order("axis", "event 8")
    assert "armour +1" in fought(d).shifts
    # The bonus is there without it, ground forbids it, or there are no tanks.
    assert rule_of(attack(8, units={"1Pz": "2109", "NW": "2209"}, by="1Pz", spare=(5,)), "event 8") == "NR-13.08A"
    woods = {"1Pz": "2008", "Don": "2108"}
    assert rule_of(attack(8, units=woods, by="1Pz", target="2108", spare=(5,)), "event 8") == "NR-13.08A"
    assert rule_of(attack(8, units=units, by="1Pz 4", turn=9, weather="mud", spare=(5,)), "event 8") == "NR-13.08A"


def test_nr_13_08a_new_tanks_against_soviet_armour():
    tanks = {"4": "2109", "Don": ("2209", "+")}
    d = defend(8, units=tanks, by="Don", turn=14)
    d.order("axis", "event 8")
    assert fought(d).shifts == ()
    assert rule_of(defend(8, spare=(4,)), "event 8") == "NR-13.08A"


def test_nr_13_17s_infiltration():
    units = {"4": "2109", "6": ("2109", "-"), "NW": "2209", "Res": "2208", "Cen": "2110"}
    d = battle(units, "NW Res", "2109", [5], side=SOVIET, turn=14, soviet=(17,))
    assert rule_of(d, "event 17 NW") == "NR-13.17S"
    d.order("soviet", "event 17 6")
    assert (x := fought(d)).defence == 3
    assert (x.attack, x.column) == (7, "2:1")
    assert asked(d) == "retreat axis"
    d.order("axis", "retreat 6 2009-1909")
    assert where(d, "NW") == "2209"  # the other unit still holds the hex
    assert asked(d) == "battles soviet"
    d.chance.rolls["t14/soviet/2109/crt"] = (5, 2)
    d.order("soviet", "attack 2109 with Cen")
    assert fought(d).defence == 4
    alone = battle(SOVIET_ATTACK, "NW Res", "2109", 3, side=SOVIET, turn=14, soviet=(17, 23))
    assert rule_of(alone, "event 17 4") == "NR-13.17S"
    assert rule_of(battle(units, "NW", "2109", 3, side=SOVIET, soviet=(17, 43)), "event 17 6") == "NR-5.12"


def test_nr_13_22s_zhukov_in_own_attacks():
    units = {**SOVIET_ATTACK, "6": "2209", "4": "2109", "NW": "2210", "Res": "2110", "9": "2412", "Cen": "2413"}
    d = battle(
        units, "NW Res", "2109", 4, side=SOVIET, turn=14, soviet=(22,), targets=("2109", "2209", "2412"),
    )  # fmt: skip
    assert rule_of(d, "event 22 2412") == "NR-13.22S"
    d.order("soviet", "event 22 2209")
    assert fought(d).table == AXIS
    assert [(each.kind, each.at) for each in d.state.effects] == [("crt", 2209)]


def test_nr_13_22s_zhukov_against_an_axis_attack():
    d = attack(22, soviet=True).order("soviet", "event 22")
    assert fought(d).table == SOVIET
    # In Snow the Axis uses that table anyway.
    assert (
        rule_of(
            attack(22, soviet=True, turn=10, spare=(3, 11)),
            "event 22",
        )
        == "NR-13.22S"
    )


@pytest.mark.parametrize(("turn", "bonus"), [(14, 4), (19, 6)])
def test_nr_13_23s_sturmoviks(turn, bonus):
    d = defend(23, soviet=True, turn=turn)
    assert rule_of(d, "event 23 4") == "NR-13.23S"
    d.order("soviet", "event 23 NW")
    assert fought(d).attack == 7 + bonus
    cut = defend(23, soviet=True, turn=turn, cut=("NW",))
    assert rule_of(cut, "event 23 NW") == "NR-13.23S"
    assert (
        rule_of(
            defend(23, soviet=True, turn=8, spare=(43, 22)),
            "event 23 NW",
        )
        == "NR-5.12"
    )


def test_nr_13_27a_assault_crossing_before_the_die():
    units = {"4": "2209", "6": "2209", "NW": "2309"}
    d = attack(27, units=units, target="2309").order("axis", "event 27 =1")
    x = fought(d)
    assert "river" not in " ".join(x.shifts)
    assert rule_of(attack(27, spare=(5,)), "event 27 =1") == "NR-13.27A"


def test_nr_13_27a_assault_crossing_rolls_again():
    units = {"4": "2209", "NW": "2309"}  # 4 to 3: 1:1, and a die of 3 has no effect
    d = battle(units, "4", "2309", [3, 5], axis=(27,)).order("axis", "event 27 =1")
    assert (x := fought(d)).dice == (5,)
    assert x.result == "EX"
    d = battle(units, "4", "2309", [3], axis=(27,)).order("axis", "event 27 =2")
    assert fought(d).result == "-"
    # After a die without effect, and not after another.
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", [3, 6], axis=(27, 5)).order("axis", "pass")
    assert asked(d) == "rolled_window axis"
    d.order("axis", "event 27")
    happened = list(d.happened)
    assert fought(d).dice == (6,)
    (again,) = [event for event in happened if isinstance(event, Repeated)]
    assert (again.side, again.dice) == ("axis", (3,))
    assert report(again) == "The die 3 does not count: it is rolled again."
    every = [each.got for event in happened for each in luck(event)]
    assert every == [3, 6]
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", [4], axis=(27, 5, 16)).order("axis", "pass")
    assert rule_of(d, "event 27") == "NR-13.27A"


def test_nr_13_28a_confusion():
    d = defend(28).order("axis", "event 28")
    assert "Confusion -1" in fought(d).shifts
    assert rule_of(attack(28, spare=(5,)), "event 28") == "NR-13.28A"


@pytest.mark.parametrize(("turn", "columns"), [(14, 1), (19, 2)])
def test_nr_13_28s_katyushas(turn, columns):
    d = defend(28, soviet=True, turn=turn).order("soviet", "event 28")
    assert f"Katyushas +{columns}" in fought(d).shifts
    assert (
        rule_of(
            defend(28, soviet=True, spare=(43, 22)),
            "event 28",
        )
        == "NR-5.12"
    )


def test_nr_13_29a_model():
    d = until(defend(29, 4, units={**SOVIET_ATTACK, "3Rum": "2109"}), "rolled_window axis")
    assert rule_of(d, "event 29 3Rum") == "NR-13.29A"
    d.order("axis", "event 29 4")
    assert (x := fought(d)).defence == 10
    assert (x.dice, x.column) == ((4,), "1:2")
    cut = until(defend(29, cut=("4",), spare=(16,)), "rolled_window axis")
    assert rule_of(cut, "event 29 4") == "NR-13.29A"
    assert rule_of(until(attack(29, spare=(16,)), "rolled_window axis"), "event 29 4") == "NR-13.29A"


def test_nr_13_30s_yeremenko():
    d = until(attack(30, soviet=True), "rolled_window soviet")
    d.order("soviet", "event 30")
    assert (x := fought(d)).column == "3:2"
    assert (x.result, x.dice) == ("CB", (3,))
    assert rule_of(until(defend(30, soviet=True, spare=(43,)), "rolled_window soviet"), "event 30") == "NR-13.30S"


def test_nr_13_39s_bridgehead():
    units = {"4": "2309", "NW": "2209", "Res": "2209"}
    d = battle(units, "NW Res", "2309", 2, side=SOVIET, turn=14, soviet=(39,)).order("soviet", "event 39")
    x = fought(d)
    assert x.shifts == ()
    assert (x.column, x.result) == ("3:2", "EX")  # a die of 2 has no effect there
    assert rule_of(battle(units, "NW", "2309", 2, side=SOVIET, soviet=(39, 22)), "event 39") == "NR-5.12"


def test_nr_13_46s_rokossovsky():
    units = {"4": "2109", "Don": ("2209", "+"), "NW": "2208"}
    d = defend(46, soviet=True, units=units, by="NW Don", turn=27).order("soviet", "event 46")
    assert "Rokossovsky +1" in fought(d).shifts
    for more in ({"by": "Don"}, {"by": "NW Don", "cut": ("Don",)}):
        d = defend(46, soviet=True, units=units, turn=27, spare=(28,), **more)
        assert rule_of(d, "event 46") == "NR-13.46S"


def test_nr_13_47s_heavy_artillery():
    units = {"Fest1": "2109", "West": ("2209", "+"), "SW": ("2208", "+")}
    d = battle(units, "West SW", "2109", 5, side=SOVIET, turn=27, soviet=(47,)).order("soviet", "event 47")
    assert fought(d).result == "DD"
    assert where(d, "Fest1") == "out of the game"
    assert asked(d) == "pursuit soviet"  # the hex is empty
    # A DR leaves a fortified unit where it is, but for this event.
    units = {"Fest1": "2109", "4": "2109", "NW": "2209", "Res": "2208", "Bry": "2110"}
    for event, place in (("event 47", "out of the game"), ("pass", "2109")):
        d = battle(units, "NW Bry Res", "2109", 6, side=SOVIET, turn=27, soviet=(47,)).order("soviet", event)
        through(d)
        assert fought(d).result == "DR"
        assert where(d, "Fest1") == place
    assert rule_of(defend(47, soviet=True, turn=27, spare=(28,)), "event 47") == "NR-13.47S"


def test_nr_13_50s_urra():
    units = {"4": "Posen", "NW": "0411", "Res": "0510"}
    d = defend(50, soviet=True, units=units, by="NW Res", target="Posen", turn=27).order("soviet", "event 50")
    assert "Urra! +1" in fought(d).shifts
    assert rule_of(defend(50, soviet=True, turn=27, spare=(28,)), "event 50") == "NR-13.50S"


def test_nr_13_54s_heavy_tanks():
    units = {"4": "2109", "Don": ("2209", "+"), "NW": "2208"}
    d = defend(54, soviet=True, units=units, by="NW Don", turn=27).order("soviet", "event 54")
    assert {"armour +1", "Heavy tanks +1"} <= set(fought(d).shifts)
    assert rule_of(defend(54, soviet=True, units=units, by="NW", turn=27, spare=(28,)), "event 54") == "NR-13.54S"


def test_nr_13_47s_13_41a_works_are_fortifications():
    s = position({"4": "2109", "West": ("2209", "+")}, turn=24, works=(2109,))
    assert shifts(s, "West", "2109")["defence works"] == -1
    assert "defence works" not in shifts(s, "West", "2109", unfortified=True)
