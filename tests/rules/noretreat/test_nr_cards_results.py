"""NR-13 Events that decide a battle, roll its die again, or change what comes of it, one by one."""

from __future__ import annotations

import pytest
from noretreat_cards import SOVIET_ATTACK, attack, defend, fought, refused, through, until
from noretreat_positions import asked, battle, game, prompt_of, reaches, rule_of, table, where

from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import CounterAttack, Duelled, Fought, StepLost
from pbem_rules.noretreat.orders import Choose
from pbem_rules.noretreat.report import MEANINGS


def script(driver, **dice):
    """More dice of the battle, by the end of their labels."""
    (label,) = {f"t{driver.state.turn}/{driver.state.active}/{place:04d}" for place in driver.state.fight.target}
    names = {"duel": "crt/duel", "counter": "counter"}
    for name, rolls in dice.items():
        driver.chance.rolls[f"{label}/{names[name]}"] = rolls if isinstance(rolls, tuple) else (rolls,)
    return driver


def test_nr_13_04a_elastic_defence():
    d = defend(4, 6).order("axis", "event 4")
    x = fought(d)
    assert (x.result, x.dice) == ("DR", ())
    assert asked(d) == "retreat axis"
    assert rule_of(attack(4, spare=(5,)), "event 4") == "NR-13.04A"


def test_nr_13_05a_veteran_commanders():
    d = attack(5, [2, 6]).order("axis", "event 5")
    assert asked(d) == "pick_die axis"
    assert prompt_of(d) == (
        "The attack on Penza (2209) by the Axis side, column 2:1 of the Axis table, has the dice 2 and 6: 2 gives "
        f"counterblow ({MEANINGS['CB']}); 6 gives defender shattered ({MEANINGS['DS']}). Which one counts? "
        "`choose NUMBER`."
    )
    assert d.machine.sentence("axis", Choose(6)) == f"Choose 6: defender shattered ({MEANINGS['DS']})."
    assert rule_of(d, "choose 3") == "NR-13.05A"
    d.order("axis", "choose 6")
    assert (x := fought(d)).dice == (2, 6)
    assert x.result == "DS"
    # In defence the smaller one; where no die is rolled it is of no use.
    d = defend(5, [6, 1]).order("axis", "event 5", "choose 1")
    assert fought(d).result == "CA"
    sure = battle({"2Hun": "2109", "West": ("2209", "+")}, "2Hun", "2209", (), axis=(5, 4))
    assert rule_of(sure, "event 5") == "NR-13.05A"


def test_nr_13_11s_no_mercy():
    d = attack(11, 2, soviet=True).order("soviet", "event 11")  # CB: nobody loses a step by it
    assert fought(d).result == "CB"
    through(d)
    d.order("axis", "mark 6", "lose 4")
    assert (where(d, "4"), where(d, "NW")) == ("2109-", "Destroyed")
    assert (where(d, "6"), asked(d) == "loss axis") == ("2109", False)  # one step, and no more
    assert rule_of(attack(11, soviet=True, turn=14, spare=(3, 42)), "event 11") == "NR-5.12"
    late = attack(11, soviet=True, turn=14, spare=(3, 42))
    (order,) = game.notation.parse("event 11", late.context("soviet"))
    assert late.check("soviet", order).reason == "This event needs the Axis initiative"


def test_nr_13_11s_no_mercy_waits_for_the_counterattack():
    d = attack(11, 1, soviet=True, units={"4": "2109", "NW": "2209"}, by="4")
    script(d, counter=3)
    d.order("soviet", "event 11")
    assert fought(d).result == "CA"
    d.order("soviet", "counter")
    assert fought(d).counter
    assert where(d, "NW") == "Destroyed"
    assert where(d, "4") == "2109-"


def test_nr_13_16a_knights_cross():
    d = until(attack(16, [1, 6]), "rolled_window axis")
    again = "1: no effect; 2: counterblow; 3: exchange; 4, 5: defender retreats; 6: defender shattered"
    assert prompt_of(d).endswith(f"may play an event, or `pass`. If the die is rolled again: {again}.")
    d.order("axis", "event 16")
    assert (x := fought(d)).dice == (6,)
    assert x.result == "DS"
    d = until(defend(16, [6, 1]), "rolled_window axis").order("axis", "event 16")
    assert fought(d).dice == (1,)
    assert rule_of(attack(16, spare=(5,)), "event 16") == "NR-13.16A"  # before the die


@pytest.mark.parametrize(("dice", "loser"), [((2, 5), "4"), ((5, 2), "NW")])
def test_nr_13_16s_nkvd(dice, loser):
    d = attack(16, soviet=True)
    script(d, duel=dice)
    d.order("soviet", "event 16")
    assert d.events(Fought) == ()
    if loser == "4":
        assert asked(d) == "loss axis"
        d.order("axis", "lose 4")
    assert where(d, loser) in ("2109-", "Destroyed")
    assert d.state.fight is None  # neither retreat nor pursuit
    assert rule_of(attack(16, soviet=True, turn=14, spare=(3, 42)), "event 16") == "NR-5.12"


def test_nr_13_16s_nkvd_a_tie_is_fought():
    d = attack(16, 6, soviet=True)
    script(d, duel=(4, 4))
    d.order("soviet", "event 16")
    found = d.events()
    assert [(x.axis, x.soviet) for x in found if isinstance(x, Duelled)] == [(4, 4)]
    assert [x.result for x in found if isinstance(x, Fought)] == ["DS"]
    assert rule_of(defend(16, soviet=True, spare=(43, 22)), "event 16") == "NR-13.16S"


def test_nr_13_17a_general_staff_marches():
    d = table({"4": "1909", "6": "1909", "9": "1912"}, axis=(17,), turn=8)
    assert 2309 not in reaches(d, "4")
    assert rule_of(d, "event 17 1910") == "NR-13.17A"
    d.order("axis", "event 17 1909")
    assert 2409 in reaches(d, "4") | reaches(d, "6")
    assert 2412 not in reaches(d, "9")
    assert rule_of(table({"4": "1909"}, axis=(17,), turn=14), "event 17 1909") == "NR-5.12"
    assert rule_of(table({"4": "1909"}, axis=(17,), cut=("4",)), "event 17 1909") == "NR-13.17A"
    assert rule_of(table({"Fest1": "1909"}, axis=(17,), turn=8), "event 17 1909") == "NR-13.17A"  # it cannot move


def test_nr_13_17a_general_staff_pursues():
    units = {"4": "2109", "6": "2109", "9": "2208", "NW": "2209"}
    d = until(battle(units, "4 6 9", "2209", 3, axis=(17, 5)), "aftermath_window axis")
    d.order("axis", "event 17").order("soviet", "retreat NW 2309-2409")
    ways = {o.path for o in d.legal("axis") if o.kind == "pursue"}
    assert max(map(len, ways)) == 3
    mud = through(battle(units, "4 6 9", "2209", 3, axis=(17, 5), turn=9, weather="mud"))
    assert asked(mud) == "retreat soviet"
    assert refused(mud, AXIS, 17, "aftermath") == "NR-13.17A"


def test_nr_13_19a_breakout():
    # Two armies out of supply, with the enemy all around.
    units = {"4": "2109", "NW": "2209", "West": ("2208", "+"), "Res": "2009", "Bry": "2110"}
    kept = {"turn": 14, "cut": ("4",)}
    d = defend(19, 3, units=units, by="NW West", **kept)
    until(d, "aftermath_window axis").order("axis", "event 19")
    assert asked(d) == "retreat axis"
    d.order("axis", game_retreat(d))
    assert where(d, "4") not in ("2109", "Captured-")
    assert not d.events(StepLost)
    d = through(defend(19, 3, units=units, by="NW West", **kept))
    assert where(d, "4") == "Captured-"
    assert refused(through(attack(16, 3)), AXIS, 19, "aftermath") == "NR-5.12"
    stands = until(defend(16, 3, turn=14), "rolled_window axis")
    assert refused(stands, AXIS, 19, "aftermath") == "NR-13.19A"


def game_retreat(driver):
    return next(o for o in driver.legal("axis") if o.kind == "retreat")


def test_nr_13_27s_konev():
    d = defend(27, soviet=True, units={**SOVIET_ATTACK, "SW": "2209"}, by="NW Res SW", turn=14)
    d.order("soviet", "event 27")
    assert (x := fought(d)).result == "DR"
    assert x.dice == ()
    weak = defend(27, soviet=True, turn=14, spare=(28,))  # 3:2
    assert rule_of(weak, "event 27") == "NR-13.27S"
    units = {**SOVIET_ATTACK, "SW": ("2209", "+")}
    cut = defend(27, soviet=True, units=units, by="NW Res SW", turn=14, cut=("NW",), spare=(28,))
    assert rule_of(cut, "event 27") == "NR-13.27S"


def test_nr_13_27s_konev_fails_if_the_column_falls_below():
    units = {**SOVIET_ATTACK, "Bry": "2110"}  # 10 to 4, 2:1
    d = battle(units, "NW Res Bry", "2109", 3, side=SOVIET, turn=14, soviet=(27,), axis=(28,))
    d.order("soviet", "event 27").order("axis", "pass", "event 28")
    assert (x := fought(d)).dice == (3,)
    assert x.column == "3:2"


def test_nr_13_32a_counter_offensive():
    d = defend(32, 6)
    script(d, counter=3)
    d.order("axis", "event 32")
    assert fought(d).result == "CA"
    assert rule_of(d, "decline") == "NR-9.27"
    d.order("axis", "counter")
    assert d.events(CounterAttack)
    assert rule_of(attack(32, spare=(5,)), "event 32") == "NR-13.32A"


def test_nr_13_34s_tenacity():
    units = {"1Pz": "1911", "2Pz": "1911", "NW": "Voronezh"}
    d = battle(units, "1Pz 2Pz", "Voronezh", (), soviet=(34,)).order("soviet", "event 34")
    assert (x := fought(d)).result == "EX"
    assert x.dice == ()
    assert rule_of(attack(34, soviet=True, spare=(3, 42)), "event 34") == "NR-13.34S"  # no city
    late = battle(units, "1Pz 2Pz", "Voronezh", (), turn=14, soviet=(34, 42))
    assert rule_of(late, "event 34") == "NR-5.12"


def test_nr_13_35s_rasputitsa():
    units = {"4": "2109", "6": "2109", "9": "2208", "NW": "2209"}
    d = until(battle(units, "4 6 9", "2209", 3, soviet=(35,)), "aftermath_window soviet")
    d.order("soviet", "event 35", "retreat NW 2309-2409")
    ways = {o.path for o in d.legal("axis") if o.kind == "pursue"}
    assert ways == {(2209,)}
    assert d.state.effect("no_multi_pursuit", AXIS)[0].until == "phase"
    late = battle(units, "4 6 9", "2209", 3, soviet=(35, 42, 51), turn=14)
    assert asked(through(late)) == "retreat soviet"
    assert refused(late, SOVIET, 35, "aftermath") == "NR-5.12"


def test_nr_13_37a_guderian():
    d = attack(37).order("axis", "event 37")
    assert (x := fought(d)).result == "DR"
    assert x.dice == ()
    weak = attack(37, units={"4": "2109", "NW": "2209"}, by="4", spare=(5,))  # 1:1
    assert rule_of(weak, "event 37") == "NR-13.37A"
    assert rule_of(attack(37, turn=14, spare=(5,)), "event 37") == "NR-5.12"
    d = attack(37, units={"3Rum": "2109", "4Rum": "2109", "8Ita": "2208", "NW": "2209"}, by="3Rum 4Rum 8Ita")
    assert fought(d.order("axis", "event 37")).result == "DR"  # allies too


def test_nr_13_38a_hedgehogs():
    d = defend(38)
    script(d, duel=(3, 3, 2, 6))
    d.order("axis", "event 38")
    assert asked(d) == "loss soviet"  # a tie: both lose, and roll again
    d.order("soviet", "lose NW")
    assert where(d, "4") == "Destroyed-"
    assert where(d, "Res") == "2208"
    d = defend(38)
    script(d, duel=(6, 2))
    d.order(
        "axis",
        "event 38",
    )
    assert asked(d) == "loss soviet"
    d.order("soviet", "lose Res")
    assert (where(d, "4"), where(d, "Res")) == ("2109", "Destroyed")
    assert rule_of(attack(38, spare=(5,)), "event 38") == "NR-13.38A"


def test_nr_13_42s_timoshenko():
    d = attack(42, 6, soviet=True)
    script(d, counter=6)
    d.order("soviet", "event 42")
    assert fought(d).result == "CA"
    assert rule_of(d, "decline") == "NR-9.27"
    d.order("soviet", "counter")
    assert d.events(CounterAttack)
    assert rule_of(defend(42, soviet=True, spare=(43, 22)), "event 42") == "NR-13.42S"


def test_nr_13_43s_heroes_of_the_union():
    d = until(attack(43, [6, 1], soviet=True), "rolled_window soviet").order("soviet", "event 43")
    assert fought(d).dice == (1,)
    assert rule_of(attack(43, soviet=True, spare=(42,)), "event 43") == "NR-13.43S"
    d = until(defend(43, [1, 6], soviet=True), "rolled_window soviet").order("soviet", "event 43")
    assert fought(d).dice == (6,)


def test_nr_13_44a_kleist():
    units = {"4": "2109", "NW": "2209"}
    d = until(attack(44, [3, 6], units=units, by="4"), "rolled_window axis").order("axis", "event 44")
    assert fought(d).dice == (6,)
    d = until(attack(44, [5], units=units, by="4", spare=(16,)), "rolled_window axis")
    assert rule_of(d, "event 44") == "NR-13.44A"
    d = until(attack(44, [3], units=units, by="4", spare=(16,), turn=14), "rolled_window axis")
    assert rule_of(d, "event 44") == "NR-5.12"


def test_nr_13_51s_last_effort():
    units = {"1Pz": "2109", "4": "2109", "NW": "2209", "SW": ("2208", "+"), "Res": "2110"}
    d = battle(units, "NW SW", "2109", 6, side=SOVIET, turn=27, soviet=(51,))
    assert fought(through_to_loss(d)).result == "EX"
    d.order("soviet", "lose SW")
    while asked(d).startswith("loss"):
        d.order(d.asked[0], next(iter(d.legal(d.asked[0]))))
    d.chance.rolls["t27/soviet/2109/crt"] = (6, 1)
    until(d, "fought_window soviet").order("soviet", "event 51")
    again = fought(d)
    assert (again.dice, set(again.units)) == ((1,), {"NW", "SW"})
    miss = attack(51, 6, soviet=True, turn=27, spare=(43,))
    while asked(miss).startswith(("battle_window", "rolled_window", "aftermath_window")):
        miss.order("soviet", "pass")
    assert fought(miss).result == "DS"
    assert refused(miss, SOVIET, 51, "fought") == "NR-13.51S"


def through_to_loss(driver):
    while not asked(driver).startswith("loss"):
        driver.order(driver.asked[0], "pass")
    return driver


def test_nr_13_52a_heinrici():
    d = defend(52, 6, units={"4": "2109", "6": "2109", "NW": "2209", "Res": "2208"}, turn=27)
    script(d, counter=3)
    until(d, "rolled_window axis").order("axis", "event 52")
    assert (x := fought(d)).result == "CA"
    assert x.dice == (6,)
    assert rule_of(d, "decline") == "NR-9.27"
    assert rule_of(until(attack(52, turn=27, spare=(16,)), "rolled_window axis"), "event 52") == "NR-13.52A"


def test_the_later_event_prevails():
    """NR-5.14: what decides a battle takes the place of what did before."""
    units = {**SOVIET_ATTACK, "Bry": "2110"}
    d = battle(units, "NW Res Bry", "2109", (), side=SOVIET, turn=14, soviet=(27,), axis=(4, 32))
    d.order("soviet", "pass").order("axis", "event 32").order("soviet", "pass")
    through(d.order("soviet", "event 27"))
    assert fought(d).result == "DR"
