"""NR-9, NR-1: who attacks whom, what a result does to whom, and where retreats and pursuits may go, to the hex."""

from __future__ import annotations

from dataclasses import replace

import pytest
from noretreat_cards import attack, through
from noretreat_positions import (
    CHART,
    CODES,
    asked,
    battle,
    declaring,
    fight,
    offered,
    owing,
    position,
    rule_of,
    table,
    where,
)

from pbem.engine.event import Out
from pbem.engine.rows import Rows
from pbem_rules.noretreat.battle import ListBattles, due_blows, due_targets, marker_ok, to_fight
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import CounterAttack, Fought, Pursued, Retreated, StepLost
from pbem_rules.noretreat.frames import Losses, PlayerTurn, Pursuit
from pbem_rules.noretreat.losses import TakeLoss, cheapest, lose_step, send, takers
from pbem_rules.noretreat.orders import Marker, Pursue
from pbem_rules.noretreat.pursuit import FollowUp, limit, may_pursue, paths, stops
from pbem_rules.noretreat.results import holding, plan_of
from pbem_rules.noretreat.retreat import penalty, safest_of, ways_back
from pbem_rules.noretreat.state import BOX_NAMES, CAPTURED, DESTROYED, OUT, SHATTERED, Effect
from pbem_rules.noretreat.targets import Counterblows, able, beside, check_blow, check_target, matched, willing
from pbem_rules.noretreat.turns import EndCombat


def names(state, units):
    return {state.name(unit) for unit in units}


# Who may attack


MIXED = {
    "4": "2109", "KG1": "2109", "9": "2108", "6": "2208", "1Pz": "2010", "Fin": "2210", "NW": "2209", "Len": "2309",
}  # fmt: skip


def test_nr_9_2_9_8_who_may_attack_of_their_own_will_and_who_must():
    s = position(MIXED, tired=("6",))
    assert names(s, beside(s, AXIS, 2209)) == {"4", "KG1", "6", "Fin"}
    assert names(s, willing(s, AXIS, 2209)) == {"4"}
    assert names(s, able(s, AXIS, 2209)) == {"4", "KG1", "6", "Fin"}
    assert names(s, willing(s, AXIS, 2209, {CODES["4"]})) == set()
    assert names(s, able(s, AXIS, 2209, {CODES["4"]})) == {"KG1", "6", "Fin"}
    assert names(s, beside(s, SOVIET, 2109)) == {"NW"}
    closed = position({"4": "1319", "NW": "1419"})  # the sea lies between Odessa and the hex beyond the bay
    assert beside(closed, AXIS, 1419) == ()
    finns = position({"Fin": ("Finland", "+"), "4": "1303", "Len": "Leningrad", "Rsv": "2110", "6": "2109"})
    assert names(finns, willing(finns, AXIS, 1302)) == {"4"}
    assert names(finns, able(finns, AXIS, 1302)) == {"4", "Fin"}
    assert willing(finns, SOVIET, 2109) == able(finns, SOVIET, 2109) == ()  # no strength


@pytest.mark.parametrize(
    ("target", "kept", "rule"),
    [
        (2209, {}, ""),
        (2308, {}, "NR-9.1"),  # nobody there
        (2109, {}, "NR-9.1"),  # one's own
        (9999, {}, "NR-9.1"),
        (2309, {}, "NR-9.2"),  # nobody stands beside it who may
        (2209, {"targets": ("2209",)}, "NR-9.1"),
        (2209, {"blows": {"2209": AXIS}}, "NR-9.13"),
        (2209, {"turn": 26, "targets": ("2309",)}, "NR-1.35"),
        (2209, {"turn": 20, "targets": ("2309", "2308")}, ""),
        (2209, {"turn": 20, "targets": ("2309", "2308", "2307")}, "NR-1.35"),
        (2209, {"turn": 1}, "NR-3.13"),
        (2209, {"turn": 2}, ""),
        (2209, {"turn": 1, "scenario": "berlin"}, ""),
    ],
)
def test_nr_9_1_9_13_1_35_3_13_what_may_be_a_target(target, kept, rule):
    s = position({"4": "2109", "KG1": "2310", "NW": "2209", "Bry": "2309"}, **kept)
    found = check_target(s, PlayerTurn(AXIS), target)
    assert (found.rule if found else "") == rule


def test_nr_3_13_the_soviets_are_not_bound_in_turn_1():
    s = position({"4": "2109", "NW": "2209"}, turn=1, active=SOVIET)
    assert check_target(s, PlayerTurn(SOVIET), 2109) is None
    border = next(p for p in CHART.board.in_mask(CHART.border) if p < 9000 and p % 100 > 9)
    near = next(p for p in CHART.board.near[border] if p < 9000 and not CHART.ussr & CHART.board.bit[p])
    at = position({"4": f"{near:04d}", "NW": f"{border:04d}"}, turn=1)
    assert check_target(at, PlayerTurn(AXIS), border) is None


def test_nr_9_1_targets_are_offered_and_marked_one_by_one():
    d = declaring({"4": "2109", "NW": "2209", "Bry": "2208", "Res": "2410"}, turn=9, axis=(45, 22))
    assert offered(d) == {"done", "target 2208", "target 2209", "event 45 on =1", "event 45 on =2"}
    d.order(AXIS, "target 2209")
    assert d.state.targets == (2209,)
    assert offered(d) == {"done", "target 2208", "event 45 on =1", "event 45 on =2"}
    through(d.order(AXIS, "event 45 =1"))
    assert asked(d) == "targets axis"
    assert d.state.support[AXIS] == 1
    d.order(AXIS, "done")
    assert asked(d) == "battles axis"


@pytest.mark.parametrize(
    ("place", "kept", "rule"),
    [
        (2209, {}, ""),
        (2109, {}, "NR-9.5"),  # the enemy's
        (2308, {}, "NR-9.5"),
        (9999, {}, "NR-9.5"),
        (2410, {}, "NR-9.7"),  # no enemy beside it
        (2209, {"targets": ("2209",)}, "NR-9.7"),
        (2209, {"blows": {"2209": AXIS}}, "NR-9.7"),
        (2208, {}, "NR-9.16"),  # a cadre alone
        (2210, {}, ""),  # a fortified unit
        (2108, {}, ""),  # a cadre and a black one
    ],
)
def test_nr_9_5_9_7_9_16_which_hexes_can_be_marked_for_a_counterblow(place, kept, rule):
    units = {
        "4": "2109", "NW": "2209", "Bry": "2410", "Ost": "2208", "Len": ("2210", "+"), "Cau": ("2108", "+"),
        "Rsv": "2108",
    }  # fmt: skip
    s = position(units, **kept)
    found = check_blow(s, place)
    assert (found.rule if found else "") == rule


def test_nr_9_5_9_6_what_the_other_side_is_offered():
    units = {"4": "2109", "NW": "2209", "Bry": "2210", "Ost": "2208", "Res": "2410"}
    d = table(units, Counterblows, soviet=(5, 32))
    assert asked(d) == "counterblows soviet"
    one = {f"discard {card} for counterblow {cell}" for card in (5, 32) for cell in (2209, 2210)}
    assert offered(d) == {"done", *one, "event 32 on 2209", "event 32 on 2210", "event 32 on 2209,2210"}
    assert rule_of(d, "discard 5 for rail NW") == "NR-5.8"
    assert rule_of(d, "discard 5 for counterblow 2209 2210") == "NR-5.8"
    assert rule_of(d, "discard 5 32 for counterblow 2209") == "NR-5.9"
    d.order(SOVIET, "discard 5 for counterblow 2209")
    assert d.state.blows == {2209: AXIS}
    assert rule_of(d, "discard 32 for counterblow 2209") == "NR-9.7"
    both = table(units, Counterblows, soviet=(32,)).order(SOVIET, "event 32 2209 2210")
    assert both.state.blows == {2209: AXIS, 2210: AXIS}
    other = table({"4": "2109", "NW": "2410"}, Counterblows, soviet=(5,))
    assert asked(other) == "counterblows soviet"  # for an event, perhaps
    bare = table(units, Counterblows)
    assert asked(bare) != "counterblows soviet"  # no cards


# Which battle is fought


FRONT = {"4": "2109", "6": "2208", "KG1": "2310", "NW": "2209", "Bry": "2308", "Res": "2410"}


def fighting(units=None, targets=("2209",), marked=(), **kept):
    units = units or FRONT
    blows = {units[code]: AXIS for code in marked}
    return table(units, ListBattles, targets=targets, frame=owing(AXIS, *marked), blows=blows, **kept)


def test_nr_9_3_9_11_9_4_voluntary_battles_then_forced_ones():
    d = fighting(marked=("Bry",), support={AXIS: 1})
    s, f = d.state, d.view(AXIS).frame
    assert (due_targets(s, to_fight(s, f)), due_blows(s, to_fight(s, f))) == ((2209,), (2308,))
    # The 6th Army is the only one that can go against 2308: it is kept back.
    assert offered(d) == {"attack 2209 with 4", "attack 2209 with 4 blitz"}
    assert [rule_of(d, f"attack {text}") for text in ("2209 with 6", "2209 with 4 6", "2308 with 6", "2410 with KG1")] \
        == ["NR-9.11", "NR-9.11", "NR-9.11", "NR-9.1"]  # fmt: skip
    assert [rule_of(d, f"attack 2209 with {text}") for text in ("KG1", "NW", "4 shock")] == [
        "NR-9.2", "NR-9.2", "NR-9.21",
    ]  # fmt: skip
    later = fighting(targets=(), marked=("Bry", "Res"))
    assert offered(later) == {"attack 2308 with 6", "attack 2410 with KG1"}


def test_nr_9_4_9_11_a_target_that_nobody_can_be_spared_for_lapses():
    units = {"6": "2208", "NW": "2209", "Bry": "2308"}
    d = fighting(units, marked=("Bry",))
    assert due_targets(d.state, to_fight(d.state, d.view(AXIS).frame)) == ()
    assert offered(d) == {"attack 2308 with 6"}
    free = fighting(units)
    assert offered(free) == {"attack 2209 with 6"}
    gone = fighting({"6": "2208", "NW": "2410"})
    assert asked(gone) != "battles axis"
    two = fighting({"6": "2208", "4": "2208", "NW": "2209", "Bry": "2308"}, marked=("Bry",))
    assert offered(two) == {"attack 2209 with 4", "attack 2209 with 6"}
    s = position({"6": "2208", "4": "2208", "NW": "2209", "Bry": "2308"})
    assert [matched(s, AXIS, places, fought) for places, fought in (
        ((2209, 2308), ()), ((2209, 2308), (CODES["6"],)), ((2209,), (CODES["6"], CODES["4"])), ((), ()),
    )] == [2, 1, 0, 0]  # fmt: skip


def test_nr_9_4_each_unit_fights_once_in_a_phase():
    units = {"4": "2109", "6": "2208", "NW": "2209", "Bry": "2108"}
    dice = {"t8/axis/2209/crt": 3, "t8/axis/2108/crt": 3}
    d = table(units, ListBattles, targets=("2209", "2108"), frame=PlayerTurn(AXIS), dice=dice)
    assert {"attack 2108 with 4", "attack 2108 with 6", "attack 2108 with 4,6"} <= offered(d)
    d.order(AXIS, "attack 2209 with 4", "done")
    assert (d.state.targets, d.state.attacks, d.state.forced) == ((2108,), 1, 0)
    assert offered(d) == {"attack 2108 with 6"}
    assert rule_of(d, "attack 2108 with 4") == "NR-9.2"
    d.order(AXIS, "attack 2108 with 6")
    assert asked(d) != "battles axis"


def test_nr_9_21_6_7_markers_go_one_to_a_battle_and_to_units_in_supply():
    units = {"4": "2109", "6": "2208", "NW": "2209", "Bry": "2108"}
    s = position(units, support={AXIS: 1, SOVIET: 0}, cut=("4",))
    four, six = CODES["4"], CODES["6"]
    assert marker_ok(s, AXIS, (four,), Marker.NONE) is None
    assert marker_ok(s, AXIS, (six,), Marker.BLITZ) is None
    assert marker_ok(s, AXIS, (four, six), Marker.BLITZ) is None
    assert [marker_ok(s, side, units_, marker).rule for side, units_, marker in (
        (AXIS, (four,), Marker.BLITZ), (AXIS, (six,), Marker.SHOCK), (SOVIET, (CODES["NW"],), Marker.SHOCK),
    )] == ["NR-6.7", "NR-9.21", "NR-9.21"]  # fmt: skip
    for order, left, told in (("blitz", 1, ("Blitz +1",)), ("", 2, ())):
        d = table(units, ListBattles, targets=("2209", "2108"), support={AXIS: 2}, dice={"t8/axis/2209/crt": 3},
                  frame=PlayerTurn(AXIS)).order(AXIS, f"attack 2209 with 4 {order}", "done")  # fmt: skip
        assert d.state.support[AXIS] == left
        assert d.events(Fought)[0].shifts == told


# Counterattacks


def test_nr_9_27_9_28_9_21_who_counterattacks_and_with_what():
    units = {"4": "2109", "2Hun": "2208", "NW": "2209", "Rsv": "2209"}
    d = battle(units, "4 2Hun", "2209", 1, counter=3, support={SOVIET: 1})  # 6 to 3, 2:1
    assert d.events(Fought)[0].result == "-"
    e = battle(units, "4", "2209", 1, counter=3, support={SOVIET: 1})
    assert asked(e) == "counterattack soviet"
    assert offered(e) == {"decline", "counter", "counter shock"}
    e.order(SOVIET, "counter shock")
    assert e.state.support[SOVIET] == 0
    fought = e.events(Fought)[-1]
    assert (fought.side, fought.counter, fought.units, fought.attack, fought.defence) == (SOVIET, True, ("NW",), 3, 4)
    assert fought.shifts == ("Shock +1",)
    none = battle({"4": "2109", "Rsv": "2209"}, "4", "2209", 1)
    assert not asked(none).startswith("counterattack")
    cut = battle(units, "4", "2209", 1, support={SOVIET: 1}, cut=("NW", "Rsv"))
    # Out of supply two columns help the attacker: no counterattack at 1:1.
    assert cut.events(Fought)[0].column == "2:1"


def test_nr_9_31_9_27_no_counterattack_to_a_counterattack_and_a_marker_for_the_next_phase():
    d = battle({"4": "2109", "6": "2208", "NW": "2209"}, "4", "2209", 1, counter=1).order(SOVIET, "counter")
    assert [x.result for x in d.events(Fought)] == ["CA", "CA"]
    assert d.events(CounterAttack) == ()  # it has been read with the battle
    assert not asked(d).startswith(("counterattack", "mark"))
    assert d.state.fight is None


# Results


@pytest.mark.parametrize(
    ("result", "units", "target", "more", "work"),
    [
        ("EX", {"NW": "2209"}, "2209", {}, ("lose:axis", "lose:soviet")),
        ("-", {"NW": "2209"}, "2209", {}, ()),
        ("CA", {"NW": "2209"}, "2209", {}, ()),
        ("CB", {"NW": "2209"}, "2209", {}, ()),
        ("DR", {"NW": "2209"}, "2209", {}, ("back:2209",)),
        ("DS", {"NW": "2209"}, "2209", {}, ("shatter:2209",)),
        ("DD", {"NW": "2209"}, "2209", {}, ("step:NW", "back:2209")),
        ("DR", {"Len": ("2209", "+"), "Ost": "2209"}, "2209", {}, ()),
        ("DS", {"Len": ("2209", "+"), "Ost": "2209"}, "2209", {}, ("lose:axis", "lose:soviet")),
        ("DD", {"Len": ("2209", "+"), "Ost": "2209"}, "2209", {}, ("step:Len", "step:Ost")),
        ("DR", {"Len": ("2209", "+"), "NW": "2208"}, "2208 2209", {}, ("back:2208",)),
        ("DS", {"Len": ("2209", "+"), "NW": "2208"}, "2208 2209", {},
         ("shatter:2208", "lose:axis", "lose:soviet")),
        ("DD", {"Len": ("2209", "+"), "NW": "2208"}, "2208 2209", {}, ("step:NW", "step:Len", "back:2208")),
        ("DR", {"Len": ("2209", "+")}, "2209", {"unfortified": True}, ("back:2209",)),
        ("DS", {"Len": ("2209", "+")}, "2209", {"unfortified": True}, ("shatter:2209",)),
        ("DD", {"NW": "2209"}, "2209", {"cut": "NW"}, ("back:2209",)),  # NR-6.9: it surrenders whole
        ("DD", {"NW": "2209"}, "2209", {"cut": "NW", "free_retreat": True}, ("step:NW", "back:2209")),
        ("DD", {"Len": ("2209", "+")}, "2209", {"cut": "Len"}, ("step:Len",)),  # it holds
    ],
)  # fmt: skip
def test_nr_9_34_9_35_9_36_9_37_9_38_9_41_13_47s_what_a_result_does(result, units, target, more, work):
    cut = more.pop("cut", None)
    s = position({"4": "2109", **units}, turn=24, cut=(cut,) if cut else ())
    fought = fight(s, "4", target, result=result, **more)
    named = {f"step:{CODES[code]}": f"step:{code}" for code in units}
    assert tuple(named.get(each, each) for each in plan_of(s, fought, SOVIET)) == work


def test_nr_9_39_9_38_1_29_volkssturm():
    units = {"VPos": "Posen", "4": "Posen", "West": ("0411", "+")}
    s = position(units, turn=27)
    fought = fight(s, "West", "Posen", result="DR")
    assert plan_of(s, fought, AXIS) == (f"volkssturm:{CODES['VPos']}",)
    void = fight(s, "West", "Posen", result="DR", unfortified=True)
    assert plan_of(s, void, AXIS) == ("back:410",)
    assert holding(s, fought) == (410,)
    assert holding(s, void) == ()
    other = fight(position({"4": "2109", "West": ("2209", "+")}, turn=27), "West", "2109", result="DR")
    assert holding(position({"4": "2109"}, turn=27), other) == ()
    both = position({"Len": ("2209", "+"), "NW": "2208", "4": "2109"})
    assert holding(both, fight(both, "4", "2208 2209")) == (2209,)


def test_nr_9_40_9_38_in_a_shattered_fortress_only_the_fortress_loses():
    units = {"1Pz": "2109", "4": "2208", "Len": ("2209", "+"), "Ost": "2209"}
    d = battle(units, "1Pz 4", "2209", 6, turn=25, weather="mud", support={AXIS: 1})
    while d.events(Fought) == () and asked(d).endswith("_window axis"):
        d.order(AXIS, "pass")
    assert where(d, "Ost") == "2209"


@pytest.mark.parametrize(
    ("code", "side", "turn", "cut", "end"),
    [
        ("NW", "", 16, False, "Destroyed"),
        ("NW", "+", 16, False, "Destroyed"),
        ("NW", "+", 17, False, "2209"),
        ("NW", "", 17, False, "Destroyed"),
        ("NW", "", 17, True, "Captured"),
        ("Len", "+", 5, False, "2209"),
        ("Len", "", 20, False, "Destroyed"),
        ("Fort1", "", 20, False, "out of the game"),
        ("1Pz", "", 3, False, "2209-"),
        ("1Pz", "-", 3, False, "Destroyed-"),
        ("1Pz", "-", 3, True, "Captured-"),
        ("2Hun", "", 8, False, "Destroyed"),
        ("KG1", "", 8, True, "turn track"),
        ("Luft", "", 12, True, "turn track"),
        ("VPos", "", 24, True, "Volkssturm out"),
        ("Fest1", "", 24, False, "out of the game"),
        ("Fin", "", 8, False, "2209-"),
        ("Fin", "-", 8, False, "Destroyed-"),
        ("DetA", "", 8, False, "out of the game"),
        ("Rsv", "", 8, True, "Destroyed"),
    ],
)
def test_nr_1_4_1_5_1_6_1_21_1_27_1_28_1_29_where_a_lost_step_leads(code, side, turn, cut, end):
    units = {code: ("2209", side) if side else "2209"}
    d = table({**units, "Kal": "2410"}, turn=turn, cut=(code,) if cut else ())
    out = Out()
    gone = lose_step(d.state, CODES[code], "NR-1.4", out)
    assert where(d, code) == end
    assert gone == (not end.startswith("2209"))
    points = d.state.event_vp if d.state.initiative != d.state.unit(CODES[code]).side else -d.state.event_vp
    assert points == (1 if end.startswith("Captured") else 0)  # NR-4.3
    assert [x.left for x in out.events if isinstance(x, StepLost)] == [0 if gone else 1]


def test_nr_1_27_1_28_12_5_when_they_come_back():
    s = position({"KG1": "2209", "KG2": "2210", "Luft": "2211", "Ost": "2308", "Cen": "2309"}, turn=11)
    for code in ("KG1", "KG2", "Luft", "Ost"):
        send(s, CODES[code], CAPTURED, "", "NR-1.27", Out())
    assert {code: s.pieces[CODES[code]].due for code in ("KG1", "KG2", "Luft", "Ost")} == {
        "KG1": 12, "KG2": 13, "Luft": 12, "Ost": 12,
    }  # fmt: skip
    assert s.event_vp == 0  # none of them is a prisoner
    t = position({"Luft": "2211", "KG1": "2209", "VPos": "2210", "Fest1": "2308"}, turn=24)
    for code in ("Luft", "KG1", "VPos", "Fest1"):
        send(t, CODES[code], SHATTERED, "", "NR-1.27", Out())
    places = {code: BOX_NAMES[t.at(CODES[code])] for code in ("Luft", "KG1", "VPos", "Fest1")}
    assert places == {
        "Luft": "Shattered", "KG1": "turn track", "VPos": "Volkssturm out", "Fest1": "out of the game",
    }  # fmt: skip
    u = position({"VPos": "2210", "Rsv": "2308", "Luft": "2211"}, turn=24)
    for code in ("VPos", "Rsv", "Luft"):
        send(u, CODES[code], OUT, "", "NR-11.16", Out())
        assert u.at(CODES[code]) == OUT
    v = position({"Rsv": "2308", "DetA": "2109", "Fort1": "2309"}, turn=24)
    for code, box in (("Rsv", DESTROYED), ("DetA", OUT), ("Fort1", OUT)):
        send(v, CODES[code], SHATTERED, "", "NR-1.21", Out())
        assert v.at(CODES[code]) == box


def test_nr_7_10_1_31_14_5_13_24s_what_goes_with_a_unit_that_leaves_the_map():
    units = {"Kal": ("2209", "+"), "NW": ("2210", "+"), "2Hun": "2109", "4": "2108"}
    s = position(units, cut=("NW",), tired=("Kal",), blows={"2209": AXIS}, reserve=CODES["NW"])
    s.helped[SOVIET], s.helped[AXIS] = CODES["Kal"], CODES["4"]
    s.fight = fight(s, "4", "2209")
    for code in ("Kal", "NW", "2Hun"):
        send(s, CODES[code], DESTROYED, "", "NR-7.10", Out())
    assert [s.pieces[CODES[code]].strong for code in ("Kal", "NW", "2Hun")] == [False, False, True]
    assert (s.cut, s.tired, s.blown, s.reserve) == (set(), set(), set(), -1)
    assert dict(s.helped.items()) == {AXIS: CODES["4"]}
    assert {(each.kind, each.side, each.at, each.until) for each in s.effects} == {
        ("lost", SOVIET, CODES["Kal"], "phase"),
        ("lost", AXIS, CODES["2Hun"], "phase"),
    }  # fmt: skip - NR-13.24S: destroyed in a battle while in supply
    shattered = position({"Kal": ("2209", "+"), "Bry": "2210"}, reserve=CODES["Bry"])
    shattered.fight = fight(shattered, "Kal", "2210")
    send(shattered, CODES["Kal"], SHATTERED, "", "NR-7.9", Out())
    shattered.fight = None
    assert shattered.pieces[CODES["Kal"]].strong
    assert (shattered.reserve, shattered.effects) == (CODES["Bry"], ())
    send(shattered, CODES["Bry"], DESTROYED, "", "NR-7.9", Out())
    assert shattered.effects == ()  # not in a battle
    assert shattered.reserve == -1


@pytest.mark.parametrize(
    ("codes", "attacks", "first"),
    [
        ("4 SSPz", True, {"SSPz"}),
        ("4 SSPz", False, set()),
        ("4 SSPz SSGr", True, {"SSPz"}),
        ("4 SSPz SSGr", False, {"SSGr"}),
        ("4 SSGr", True, {"SSGr"}),
        ("NW West", True, {"West"}),
        ("NW West", False, set()),
        ("4 6", True, set()),
    ],
)
def test_nr_1_13_1_15_1_17_9_42_who_takes_the_loss_first(codes, attacks, first):
    units = {code: (f"22{9 + n:02d}", "+") for n, code in enumerate(codes.split())}
    s = position(units, turn=19)
    assert names(s, takers(s, tuple(CODES[code] for code in codes.split()), attacks=attacks)) == first


def test_nr_1_13_1_7_the_others_only_when_those_are_gone():
    units = {"SSPz": ("2109", "-"), "4": "2109", "6": "2208", "9": "2208"}
    frame = Losses(AXIS, tuple(CODES[code] for code in ("4", "6", "9", "SSPz")), 2, first=(CODES["SSPz"],))
    d = table(units, TakeLoss, turn=19, frame=frame)
    assert where(d, "SSPz") == "Destroyed-"  # nobody else could
    assert offered(d) == {"lose 4", "lose 6", "lose 9"}
    assert rule_of(d, "lose SSPz") == "NR-1.7"
    d.order(AXIS, "lose 6")
    assert asked(d) != "loss axis"
    some = Losses(AXIS, tuple(CODES[code] for code in ("4", "6", "9")), 1, first=(CODES["4"], CODES["6"]))
    must = table(units, TakeLoss, turn=19, frame=some)
    assert offered(must) == {"lose 4", "lose 6"}
    assert [rule_of(must, f"lose {code}") for code in ("9", "NW")] == ["NR-1.13", "NR-1.7"]
    free = table({"4": "2109"}, TakeLoss, frame=Losses(AXIS, (CODES["4"], CODES["6"]), 3))
    assert where(free, "4") == "Destroyed-"
    assert asked(free) != "loss axis"  # nobody is left


def test_nr_1_26_a_cadre_in_the_place_of_a_unit_lost():
    units = {"2Hun": "2109", "KG1": "Available Cadres", "KG2": "Available Cadres", "4": "2208"}
    frame = Losses(AXIS, (CODES["2Hun"], CODES["4"]), 1, cadre=True)
    d = table(units, TakeLoss, frame=frame).order(AXIS, "lose 2Hun")
    assert asked(d) == "cadre axis"
    assert offered(d) == {"decline", "cadre KG1", "cadre KG2"}
    assert rule_of(d, "cadre 4") == "NR-1.26"
    d.order(AXIS, "cadre KG2")
    assert (where(d, "KG2"), where(d, "KG1")) == ("2109", "Available Cadres")
    no = table(units, TakeLoss, frame=Losses(AXIS, (CODES["2Hun"],), 1, cadre=True)).order(AXIS, "decline")
    assert no.state.side_at(2109) is None
    for kept, code, cadre in (
        ({}, "2Hun", False),  # another cause than a battle
        ({"cut": ("2Hun",)}, "2Hun", True),  # a prisoner
        ({}, "4", True),  # it has only lost a step
    ):
        other = table(units, TakeLoss, frame=Losses(AXIS, (CODES[code],), 1, cadre=cadre), **kept)
        assert asked(other) != "cadre axis"
        assert not (other.state.on_map(CODES["2Hun"]) and code == "2Hun")
    own = {"KG1": "2109", "KG2": "Available Cadres"}
    cadre = table(own, TakeLoss, frame=Losses(AXIS, (CODES["KG1"],), 1, cadre=True))
    assert (where(cadre, "KG1"), asked(cadre) != "cadre axis") == ("turn track", True)  # not for a cadre
    twice = table(
        {"2Hun": "2109", "8Ita": "2208", "KG1": "Available Cadres"}, TakeLoss,
        frame=Losses(AXIS, (CODES["2Hun"], CODES["8Ita"]), 2, cadre=True),
    )  # fmt: skip
    twice.order(AXIS, "lose 2Hun", "cadre KG1")
    assert asked(twice) != "cadre axis"
    assert where(twice, "KG1") == "2109"
    again = table(
        {"2Hun": "2109", "4": "2208", "6": "2208", "KG1": "Available Cadres", "KG2": "Available Cadres"}, TakeLoss,
        frame=Losses(AXIS, (CODES["2Hun"], CODES["4"], CODES["6"]), 2, cadre=True),
    ).order(AXIS, "lose 2Hun", "cadre KG1", "lose 4")  # fmt: skip
    assert asked(again) != "cadre axis"
    assert (where(again, "4"), where(again, "KG2")) == ("2208-", "Available Cadres")


def test_nr_1_7_the_cheapest_loss():
    s = position(
        {"1Pz": "2109", "4": "2208", "2Hun": "2210", "9": ("2110", "-"), "KG1": "2309", "3Rum": "2310"}, turn=20
    )
    assert s.name(cheapest(s, [CODES["3Rum"], CODES["KG1"]])) == "3Rum"
    unit = {code: CODES[code] for code in ("1Pz", "4", "2Hun", "9", "KG1")}
    assert s.name(cheapest(s, [unit["1Pz"], unit["4"]])) == "4"
    assert s.name(cheapest(s, [unit["4"], unit["2Hun"]])) == "2Hun"
    assert s.name(cheapest(s, [unit["1Pz"], unit["9"]])) == "1Pz"  # before a last step
    assert s.name(cheapest(s, [unit["9"], unit["KG1"]])) == "KG1"
    assert s.name(cheapest(s, [unit["4"], unit["9"]])) == "4"


# Retreats


def test_nr_9_44_9_45_9_46_9_47_the_ways_back():
    s = position({"NW": "2209", "4": "2109", "6": "2110"})
    ends = {path[-1] for path in ways_back(s, CODES["NW"])}
    zone = s.zone(AXIS)
    cold = {p for p in CHART.board.near[2209] if not zone & CHART.board.bit[p] and p != 2109}
    two = {p for p in CHART.board.grid.ring(2209, 2) if not zone & CHART.board.bit[p] and cold & {*CHART.board.near[p]}}
    assert ends == two
    assert all(len(path) == 2 for path in ways_back(s, CODES["NW"]))
    hot = position({"NW": "2209", "4": "2109", "9": "2210", "11": "2310", "6": "2409"})
    zone = hot.zone(AXIS)
    ways = ways_back(hot, CODES["NW"])
    assert {penalty(hot, CODES["NW"], path) for path in ways} == {
        sum(1 for cell in ways[0] if zone & CHART.board.bit[cell])
    }
    friend = position({"NW": "2209", "4": "2109", "Bry": "2308", "6": "2407"})
    assert penalty(friend, CODES["NW"], (2308, 2408)) == (1 if friend.zone(AXIS) & CHART.board.bit[2408] else 0)
    assert penalty(friend, CODES["NW"], (2308,)) == 0  # a friend stands there (NR-9.45)
    stuck = position({"Len": ("2209", "+"), "Fin": "Finland", "Mos": ("2210", "+")})
    assert ways_back(stuck, CODES["Len"]) == ways_back(stuck, CODES["Fin"]) == ()
    finns = CHART.units[CODES["Fin"]]  # as files of the players' own may have them
    quick = finns._replace(faces=tuple(face._replace(move=3) for face in finns.faces))
    stuck.chart = replace(CHART, units=tuple(quick if unit == finns else unit for unit in CHART.units))
    assert ways_back(stuck, CODES["Fin"]) == ()


RING = ("2109", "2208", "2308", "2309", "2310", "2210")


def ring(*open_):
    codes = ("4", "6", "9", "11", "16", "17")
    return {code: cell for code, cell in zip(codes, RING, strict=True) if cell not in open_}


def test_nr_9_45_6_9_who_cannot_retreat_is_lost():
    d = battle({**ring(), "NW": "2209"}, "4 6", "2209", 4)
    assert where(d, "NW") == "Destroyed"
    two = battle({**ring(), "NW": "2209", "Kal": ("2209", "+")}, "4 6 9 11 16 17", "2209", 5, turn=27)
    assert two.events(Fought)[0].result == "DR"
    assert (where(two, "NW"), where(two, "Kal")) == ("Destroyed", "Destroyed")
    cut = battle({**ring(), "NW": "2209"}, "4 6", "2209", 3, cut=("NW",))
    assert where(cut, "NW") == "Captured"
    zone = battle({**ring("2308"), "NW": "2209"}, "4 6", "2209", 4)
    assert where(zone, "NW") == "Destroyed"  # each hex in an enemy zone costs a step


def test_nr_9_36_the_shattered_lose_what_their_way_would_cost():
    d = battle({"4": "2109", "6": "2109", "NW": "2209"}, "4 6", "2209", 6)
    assert (d.events(Fought)[0].result, where(d, "NW")) == ("DS", "Shattered")
    e = battle({**ring("2308"), "NW": "2209"}, "4 6", "2209", 6)
    assert (e.events(Fought)[0].result, where(e, "NW")) == ("DS", "Destroyed")  # its one step


def test_nr_9_44_9_46_who_retreats_is_led_by_its_owner():
    d = battle({"4": "2109", "6": "2109", "NW": "2209", "Bry": "2410"}, "4 6", "2209", 4)
    assert asked(d) == "retreat soviet"
    assert rule_of(d, "retreat Bry 2411") == "NR-9.44"
    assert rule_of(d, "retreat NW 2310") == "NR-9.44"  # one hex, where two can be gone
    assert rule_of(d, "retreat NW 2309-2410") == "NR-9.46"  # no room
    assert rule_of(d, "retreat NW 2208-2207") in ("NR-9.45", "")
    d.order(SOVIET, "retreat NW 2309-2409")
    assert where(d, "NW") == "2409"
    assert d.events(Retreated)[0].path == (2209, 2309, 2409)


def test_nr_9_44_the_safest_way():
    s = position({"NW": "2209", "4": "2109", "6": "2110"})
    good = ways_back(s, CODES["NW"])
    assert safest_of(s, CODES["NW"], good)[-1] == 2311  # a city
    t = position({"NW": "2209", "4": "2109", "Bry": "2311"})
    assert safest_of(t, CODES["NW"], ways_back(t, CODES["NW"]))[-1] // 100 == 24  # towards the own edge
    axis = position({"4": "2209", "NW": "2309"})
    assert safest_of(axis, CODES["4"], ways_back(axis, CODES["4"]))[-1] // 100 == 20
    assert safest_of(s, CODES["NW"], ((2309, 2409), (2308, 2408))) == (2308, 2408)
    # Of ends that are as near the own edge the lowest number; its column is 26.
    edge = position({"NW": "2509"})
    assert safest_of(edge, CODES["NW"], ways_back(edge, CODES["NW"])) == (2608, 2607)
    even = position({"NW": "1414"})
    assert safest_of(even, CODES["NW"], ways_back(even, CODES["NW"])) == (1514, 1614)
    beside = position({"NW": "2209", "4": "2109", "6": "2508"})
    assert safest_of(beside, CODES["NW"], ((2308, 2408), (2310, 2410))) == (2310, 2410)  # an enemy stands beside 2408


# Pursuit


@pytest.mark.parametrize(
    ("code", "kept", "hexes"),
    [
        ("1Pz", {"turn": 8}, 3),
        ("4", {"turn": 8}, 2),
        ("1Pz", {"turn": 9}, 1),
        ("1Pz", {"turn": 10}, 2),
        ("1Pz", {"turn": 11, "long_winter": True}, 1),
        ("4", {"turn": 11, "long_winter": True}, 1),
        ("1Pz", {"turn": 8, "cut": ("1Pz",)}, 1),
        ("1Pz", {"turn": 8, "effects": (Effect("no_multi_pursuit", AXIS, until="phase"),)}, 1),
        ("1Pz", {"turn": 8, "effects": (Effect("no_multi_pursuit", SOVIET, until="phase"),)}, 3),
        ("1Pz", {"turn": 20, "triggers": Rows({"ploesti": 19})}, 2),
        ("SSPz", {"turn": 20, "triggers": Rows({"ploesti": 19})}, 3),
        ("Cau", {"turn": 8}, 2),
        ("Cau", {"turn": 13}, 3),
        ("Cau", {"turn": 20, "triggers": Rows({"ploesti": 19})}, 3),
    ],
)
def test_nr_9_51_1_10_10_5_11_11_how_far_a_pursuit_goes(code, kept, hexes):
    s = position({code: ("2109", "+")}, **kept)
    assert limit(s, CODES[code]) == hexes
    s.fight = fight(s, code, "2209", further=1)
    assert limit(s, CODES[code]) == (hexes if (hexes == 1 and "turn" in kept and "cut" in kept) or (s.effects and hexes
                                     == 1) else hexes + 1)  # fmt: skip


def test_nr_9_50_9_52_9_53_9_54_every_way_of_a_pursuit():
    s = position({"4": "2109", "NW": "2409"})
    assert set(paths(s, CODES["4"], (2209,))) == {
        (2209,),
        (2209, 2208),
        (2209, 2308),
        (2209, 2309),
        (2209, 2310),
        (2209, 2210),
    }  # fmt: skip - not back to where it came from
    rough = position({"1Pz": "2109"})
    ways = set(paths(rough, CODES["1Pz"], (2208,)))
    assert (2208, 2207) in ways
    assert not any(path[1] == 2207 for path in ways if len(path) == 3)  # the swamp ends it
    assert (2208, 2308, 2307) in ways  # into the mountain, and no further
    full = position({"4": "2109", "6": "2209", "9": "2209"})
    assert (2209,) not in set(paths(full, CODES["4"], (2209,)))
    assert (2209, 2309) in set(paths(full, CODES["4"], (2209,)))  # friends are passed
    sea = position({"4": "1318", "NW": "2409"})
    found = set(paths(sea, CODES["4"], (1319,)))
    assert (1319, 1219) in found
    assert not {(1319, 1419), (1319, 1320), (1319, 1420)} & found  # over no closed side
    for start, vacated in (("1419", 1319), ("2109", 2309)):
        assert not set(paths(position({"4": start}), CODES["4"], (vacated,)))  # nor in the first hex, nor by a leap
    tanks = set(paths(position({"1Pz": "2109"}), CODES["1Pz"], (2209,)))
    assert (2209, 2210, 2310) in tanks
    assert all(len(path) == len(set(path)) for path in tanks)  # nor back into the hex that it has just left
    over = position({"4": "2109", "NW": "2209"})
    assert list(paths(over, CODES["4"], (2209,))) == []  # the enemy is still there
    burnt = position({"1Pz": "2310"}, scorched=(2311,))
    assert set(paths(burnt, CODES["1Pz"], (2311,))) == {(2311,)}


def test_nr_9_53_what_stops_a_pursuit():
    s = position({}, scorched=(1912,))
    asked = (2108, 2207, 2307, 2209, 2311, 1912, CHART.finland, CHART.balkans[0], 921)
    assert [place for place in asked if CHART.board.bit[place] & stops(s)] == [
        2108, 2207, 2307, 1912, CHART.finland, CHART.balkans[0],
    ]  # fmt: skip
    s.chart = replace(s.chart, cities=s.chart.cities | {2207})  # as files of the players' own may have it
    assert not stops(s) & CHART.board.bit[2207]


def test_nr_9_48_9_49_who_pursues_and_who_does_not():
    units = {"4": "2109", "6": "2109", "9": "2208", "KG1": "2310", "NW": "2209"}
    d = battle(units, "4 6 9", "2209", 3, tired=())
    assert d.events(Fought)[0].result == "DR"
    d.order(SOVIET, next(iter(d.legal(SOVIET))))
    assert asked(d) == "pursuit axis"
    codes = {text.split()[1] for text in offered(d) if text.startswith("pursue")}
    assert codes == {"4", "6", "9"}
    assert rule_of(d, "pursue KG1 2209") == "NR-9.49"
    assert rule_of(d, "pursue 4 2208") == "NR-9.50"
    assert rule_of(d, "pursue 4 2209-2210-2310") == "NR-9.51"
    d.order(AXIS, "pursue 4 2209-2210")
    assert (where(d, "4"), d.events(Pursued)[0].path) == ("2210", (2109, 2209, 2210))
    assert rule_of(d, "pursue 4 2209") == "NR-9.49"
    d.order(AXIS, "done")
    assert asked(d) != "pursuit axis"
    s = position({"4": "2109", "6": "2110", "KG1": "2210", "Len": ("2309", "+"), "NW": "2308"}, tired=("6",))
    assert [may_pursue(s, CODES[code]) for code in ("4", "6", "KG1", "Len", "NW", "9")] == [
        True, False, False, False, True, False,
    ]  # fmt: skip
    none = battle({"4": "2109", "6": "2109", "NW": "2209"}, "4 6", "2209", 6, tired=("4", "6"), forced=True)
    assert asked(none) != "pursuit axis"


def test_nr_9_14_9_4_13_13a_13_19s_13_20s_the_end_of_the_phase():
    units = {"4": "2109", "NW": "2209", "6": "2310", "Bry": "2410"}
    for kind, made, forced, amount, price, lost in (
        ("owes", 3, 0, 4, 2, 2), ("owes", 2, 2, 4, 2, 0), ("owes_voluntary", 2, 2, 3, 1, 1),
        ("owes_voluntary", 3, 0, 3, 1, 0),
    ):  # fmt: skip
        effects = (Effect(kind, SOVIET, price, amount, "phase"), Effect(kind, AXIS, 1, 9, "phase"))
        d = table(units, EndCombat, side=SOVIET, attacks=made, forced=forced, effects=effects, turn=13, event_vp=0,
                  targets=("2109",))  # fmt: skip
        assert d.state.event_vp == -lost
        assert d.state.targets == ()
        assert d.state.effects == ()
    kept = table(units, EndCombat, blows={"2209": AXIS, "2410": AXIS, "2109": SOVIET}, frame=owing(AXIS, "NW"))
    assert kept.state.blows == {2410: AXIS, 2109: SOVIET}  # that of 2410 has been laid in this phase
    berlin = table(units, EndCombat, side=SOVIET, turn=27, held={"Berlin": SOVIET})
    assert (berlin.need.result.winner, berlin.need.result.how) == (SOVIET, "Berlin")


def test_nr_1_13_1_17_9_34_in_an_exchange_only_the_attackers_shock_front_must():
    units = {"West": ("2209", "+"), "NW": ("2209", "+"), "4": "2109", "6": "2109"}
    own = battle(units, "NW West", "2109", 3, side=SOVIET, turn=27)
    assert own.events(Fought)[0].result == "EX"
    assert asked(own) == "loss axis"  # the shock front has taken the Soviet step
    assert where(own, "West") == "2209"
    theirs = battle({**units, "9": "2208", "11": "2208"}, "4 6 9 11", "2209", 5, turn=27)
    while asked(theirs) == "loss axis":
        theirs.order(AXIS, theirs.legal(AXIS)[0])
    assert asked(theirs) == "loss soviet"
    assert offered(theirs) == {"lose NW", "lose West"}


def test_nr_9_32_9_18_13_05a_words_for_markers_and_dice():
    mark = battle(
        {"4": "2109", "6": "2208", "2Hun": "2208", "NW": "2209", "SW": "2209"}, "4 6 2Hun", "2209", 5, turn=24
    )
    assert asked(mark) == "mark axis"
    step = mark.machine.decision
    words = step.answers(mark.state, mark.view(AXIS).frame, AXIS, mark.own(AXIS))
    assert mark.state.name(words["strongest"].unit) == "6"  # six points stand in its hex
    dice = attack(5, [2, 6]).order(AXIS, "event 5")
    through(dice)
    assert asked(dice) == "pick_die axis"
    words = dice.machine.decision.answers(dice.state, dice.view(AXIS).frame, AXIS, dice.own(AXIS))
    assert {word: order.option for word, order in words.items()} == {"best": 6, "highest": 6, "lowest": 2}
    assert offered(dice) == {"choose 2", "choose 6"}
    assert rule_of(dice, "choose 3") == "NR-13.05A"


def test_nr_9_50_9_49_raw_orders_to_pursue():
    frame = Pursuit(AXIS, (2209,), (CODES["4"],))
    d = table({"4": "2109", "6": "2208", "NW": "2409"}, FollowUp, side=AXIS, frame=frame)
    assert d.check(AXIS, Pursue(CODES["4"], ())).rule == "NR-9.50"
    assert d.check(AXIS, Pursue(CODES["6"], (2209,))).rule == "NR-9.49"
    assert d.check(AXIS, Pursue(CODES["4"], (2209, 9999))).rule == "NR-9.52"


def test_nr_9_11_9_12_13_34a_a_marker_that_is_taken_off_binds_no_more():
    d = fighting(targets=(), marked=("NW", "Bry"), axis=(34,))
    assert {text for text in offered(d) if text.startswith("event")} == {
        "event 34 on 2209", "event 34 on 2308", "event 34 on 2209,2308",
    }  # fmt: skip
    through(d.order(AXIS, "event 34 2209"))
    assert due_blows(d.state, to_fight(d.state, d.view(AXIS).frame)) == (2308,)
    e = fighting(targets=(), marked=("NW", "Bry"), dice={"t8/axis/2209/crt": 3})
    e.order(AXIS, "attack 2209 with 4", "done")
    assert (e.state.attacks, e.state.forced) == (0, 1)


def test_nr_1_27_7_10_a_track_space_is_full_by_cadres_only():
    s = position({"Luft": "turn track", "KG1": "2209", "Pol": ("2410", "-")}, turn=11, due={"Luft": 12})
    send(s, CODES["KG1"], DESTROYED, "", "NR-1.27", Out())
    assert s.pieces[CODES["KG1"]].due == 12
    send(s, CODES["Pol"], DESTROYED, "", "NR-7.10", Out())
    assert not s.pieces[CODES["Pol"]].strong
