"""NR-13 Events of the Combat phase that are not of one battle, one by one."""

from __future__ import annotations

import pytest
from noretreat_cards import attack, defend, fought, refused, through
from noretreat_positions import CODES, asked, battle, place, position, rule_of, table, where

from pbem_rules.noretreat.battle import ListBattles
from pbem_rules.noretreat.cards.combat import within_march
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Fought
from pbem_rules.noretreat.frames import PlayerTurn
from pbem_rules.noretreat.state import Effect
from pbem_rules.noretreat.targets import Counterblows
from pbem_rules.noretreat.windows import OpenAfterCombat, OpenTargeted, OpenTurnEnd

RIDE = {"4": "1911", "NW": "Voronezh", "Res": "Rail"}


def test_nr_13_04s_maskirovka_in_the_axis_turn():
    d = table(RIDE, Counterblows, soviet=(4, 32), targets=("Voronezh",))
    assert rule_of(d, "event 4 Res 2410") == "NR-13.04S"  # not beside the target
    d.order("soviet", "event 4 Res 2012")
    assert where(d, "Res") == "2012"
    # In time for a counterblow.
    assert rule_of(d, "discard 32 for counterblow 2012") == ""


def test_nr_13_04s_maskirovka_in_the_own_turn():
    units = {"4": "1911", "9": "2012", "NW": "Voronezh", "Res": "Rail"}
    d = table(units, OpenTargeted, side=SOVIET, soviet=(4,), targets=("2012",), turn=14)
    d.order("soviet", "event 4 Res 2112")
    assert asked(d) == "battles soviet"
    assert rule_of(d, "attack 2012 with NW Res") == ""
    for more in ({"targets": ()}, {"targets": ("2012",), "units": {**units, "Res": "2310"}}):
        other = table(more.pop("units", units), OpenTargeted, side=SOVIET, soviet=(4, 21), turn=14, **more)
        assert refused(other, SOVIET, 4, "targeted") == "NR-13.04S"


def test_nr_13_04s_maskirovka_by_a_way_that_zones_do_not_bar():
    # 2110 can only be entered from one enemy zone into the next.
    s = position({"4": "2209", "6": "2011", "9": "2008", "NW": "2409"})
    assert place("2309") in within_march(s, SOVIET)
    assert place("2110") not in within_march(s, SOVIET)


def test_nr_13_09a_siege_guns():
    units = {"4": "1706", "Mos": ("Moscow", "+"), "NW": "1605"}
    d = table(units, OpenTargeted, axis=(9,), targets=("Moscow", "1605"))
    assert rule_of(d, "event 9 1605") == "NR-13.09A"
    d.order("axis", "event 9 Moscow")
    assert where(d, "Mos") == "1707"
    assert refused(table(units, OpenTargeted, axis=(9, 17)), AXIS, 9, "targeted", (1707,)) == "NR-13.09A"
    late = table(units, OpenTargeted, axis=(9, 17), turn=14, targets=("Moscow",))
    assert refused(late, AXIS, 9, "targeted", (1707,)) == "NR-5.12"


def test_nr_13_15a_soviet_transport_fails():
    units = {"4": "2109", "6": "2111", "NW": "2209", "Res": "2208", "Cen": "2211"}
    d = defend(15, units=units, turn=14, targets=("2109", "2111")).order("axis", "event 15")
    assert fought(d).shifts == ("event -1",)
    d.chance.rolls["t14/soviet/2111/crt"] = (4,)
    d.order("soviet", "attack 2111 with Cen")
    assert fought(d).shifts == ("event -1",)  # the whole phase
    d.order(d.asked[0], next(iter(d.legal(d.asked[0]))))
    assert not d.state.effects  # which is over now
    assert rule_of(defend(15, spare=(4,)), "event 15") == "NR-5.12"
    assert rule_of(attack(15, turn=14, spare=(5,)), "event 15") == "NR-13.15A"


def test_nr_13_18s_not_one_step_back():
    d = attack(18, 3, soviet=True).order("soviet", "event 18")
    assert fought(d).result == "EX"  # DR by the table
    assert rule_of(attack(18, soviet=True, turn=14, spare=(42,)), "event 18") == "NR-5.12"
    assert rule_of(defend(18, soviet=True, spare=(43, 22)), "event 18") == "NR-13.18S"
    # A DR that an event of the battle brings later stands.
    d = battle({"4": "2109", "6": "2109", "NW": "2209"}, "4 6", "2209", (), soviet=(18,), axis=(37, 5))
    d.order("axis", "pass").order("soviet", "event 18").order("axis", "pass", "event 37")
    assert fought(through(d)).result == "DR"


def test_nr_13_24a_hold_at_any_price():
    units = {"4": "2109", "NW": "2209", "SW": ("2208", "+")}
    d = defend(24, 5, units=units, by="NW SW").order("axis", "event 24")
    assert fought(d).result == "EX"
    assert fought(through(defend(24, 5, units=units, by="NW SW"))).result == "DR"
    assert rule_of(attack(24, spare=(5,)), "event 24") == "NR-13.24A"


def test_nr_13_21s_steamroller():
    units = {"4": "2109", "NW": "2209", "Res": "2208"}
    kept = {"side": SOVIET, "soviet": (21,), "support": {SOVIET: 2}, "targets": ("2109",)}
    d = table(units, ListBattles, turn=14, dice={"t14/soviet/2109/crt": 3}, **kept)
    d.order("soviet", "event 21", "attack 2109 with NW Res shock")
    assert "Shock +2" in fought(d).shifts
    early = table(units, ListBattles, turn=8, dice={"t8/soviet/2109/crt": 3}, **kept)
    assert rule_of(early, "event 21") == "NR-5.12"


@pytest.mark.parametrize(("card", "side"), [(26, SOVIET), (32, AXIS)])
def test_nr_13_26a_13_32s_two_counterblows_for_one_card(card, side):
    units = {"4": "2109", "6": "2111", "NW": "2209", "Res": "2211"}
    other = SOVIET if side == AXIS else AXIS
    d = table(units, Counterblows, side=side, **{other: (card,)})
    own, far = ("4", "6"), "2413"
    places = {code: where(d, code) for code in (("NW", "Res") if side == AXIS else own)}
    assert rule_of(d, f"event {card} {far}") == f"NR-13.{card}{other[0].upper()}"
    d.order(other, f"event {card} {' '.join(places.values())}")
    assert d.state.blows == {int(spot): side for spot in places.values()}
    assert d.state.deck.discards == [card]


def test_nr_13_26a_mobile_defence_only_in_the_soviet_turn():
    s = position({"4": "2109", "NW": "2209"}, axis=(26,), active=AXIS)
    assert refused(s, AXIS, 26, "blows", (2109,)) == "NR-13.26A"


def test_nr_13_32s_bravery_only_in_the_axis_turn():
    s = position({"4": "2109", "NW": "2209"}, soviet=(32,), active=SOVIET)
    assert refused(s, SOVIET, 32, "blows", (2209,)) == "NR-13.32S"


def test_nr_13_24s_a_unit_just_destroyed_comes_back_by_rail():
    kept = {"effects": (Effect("lost", SOVIET, CODES["NW"], until="phase"),), "soviet": (24, 1)}
    units = {"4": "2109", "NW": "Destroyed", "Res": "Destroyed"}
    d = table(units, OpenAfterCombat, **kept)
    assert rule_of(d, "event 24 Res Saratov") == "NR-13.24S"  # destroyed before
    assert rule_of(d, "event 24 NW 2110") == "NR-13.24S"  # beside the enemy
    d.order("soviet", "event 24 NW Saratov")
    assert where(d, "NW") == "2311"
    assert not d.state.is_tired(CODES["NW"])
    late = table(units, OpenAfterCombat, turn=14, **kept)
    assert refused(late, SOVIET, 24, "after_combat") == "NR-5.12"


def test_nr_13_24s_who_is_destroyed_in_supply_is_noted():
    d = battle({"1Pz": "2109", "2Pz": "2109", "NW": "2209"}, "1Pz 2Pz", "2209", 6)
    assert fought(d).result == "DD"
    (lost,) = d.state.effect("lost")
    assert (lost.at, lost.side) == (CODES["NW"], SOVIET)


def test_nr_13_29s_wave_upon_wave():
    units = {"4": "2109", "NW": "2209", "Res": "2208", "Cen": "2413"}
    frame = PlayerTurn(SOVIET, fought={CODES["NW"], CODES["Res"]})
    dice = {"t14/soviet/2109/crt": 4}
    d = table(units, OpenAfterCombat, side=SOVIET, soviet=(29,), turn=14, frame=frame, dice=dice)
    d.order("soviet", "event 29")
    assert asked(d) == "wave soviet"
    assert rule_of(d, "attack 2109 with Cen") == "NR-9.2"
    assert rule_of(d, "attack 2413 with NW") == "NR-13.29S"
    assert rule_of(d, "attack 2109 with NW shock") == "NR-9.21"
    d.order("soviet", "attack 2109 with NW Res ask")
    assert d.events(Fought)[0].units == ("NW", "Res")
    assert d.state.attacks == 1
    far = table({"4": "2109", "NW": "2413"}, OpenAfterCombat, side=SOVIET, soviet=(29, 24), turn=14)
    assert refused(far, SOVIET, 29, "after_combat") == "NR-13.29S"
    early = table(units, OpenAfterCombat, side=SOVIET, soviet=(29, 24), turn=8)
    assert refused(early, SOVIET, 29, "after_combat") == "NR-5.12"


def test_nr_13_34a_backhand_blow():
    units = {"4": "2109", "NW": "2209", "Res": "2208", "Cen": "2210"}
    blows = {"2209": AXIS, "2208": AXIS, "2210": AXIS}
    d = table(units, OpenTargeted, axis=(34,), blows=blows)
    assert rule_of(d, "event 34 2109") == "NR-13.34A"
    d.order("axis", "event 34 2208 2209")
    assert list(d.state.blows) == [2210]
    d = table(units, OpenTurnEnd, axis=(34,), blows=blows).order("axis", "event 34 2210")
    assert sorted(d.state.blows) == [2208, 2209]
    enemy = position(units, active=SOVIET, axis=(34,), blows=blows)
    assert refused(enemy, AXIS, 34, "turn_end", (2210,)) == "NR-13.34A"
