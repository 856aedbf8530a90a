"""NR-3, NR-4, NR-5, NR-11, NR-14: turns, points, hands and options, at and beside each number."""

from __future__ import annotations

import re

import pytest
from noretreat_cards import attack, defend, through
from noretreat_positions import CHART, CODES, asked, battle, offered, place, position, rule_of, table, where

from pbem.engine.event import Out
from pbem.engine.rows import Rows
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Drew, Dropped, Scored, Shuffled
from pbem_rules.noretreat.frames import Campaign, DrawCards, GameTurn, Losses, PlayerTurn, Pursuit, Retreat
from pbem_rules.noretreat.hands import (
    RedDiscard,
    ShowAll,
    SurrenderDiscard,
    TakeCards,
    draw_count,
)
from pbem_rules.noretreat.losses import TakeLoss
from pbem_rules.noretreat.options import check_partisans, partisan_targets, reserves_arrive
from pbem_rules.noretreat.orders import Infiltrate
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.pursuit import FollowUp
from pbem_rules.noretreat.rail import Unloading
from pbem_rules.noretreat.retreat import GiveGround
from pbem_rules.noretreat.scoring import places_of, points, score
from pbem_rules.noretreat.stacking import ThinMoved
from pbem_rules.noretreat.state import DESTROYED, OUT, Effect
from pbem_rules.noretreat.targets import Counterblows
from pbem_rules.noretreat.turns import (
    ClearMarkers,
    CrowdedOut,
    NextTurn,
    Remove,
    SideTurn,
    ThrowAway,
    TurnEvents,
)
from pbem_rules.noretreat.victory import LastCount, VictoryPhase, enter, forfeit, needed, objectives, romania_leaves
from pbem_rules.noretreat.windows import OpenMoved

FINNS = {"Fin": "Finland"}


# Turns


def events(turn, units=None, **kept):
    kept.setdefault("skip_sudden", True)
    return table({**FINNS, **(units or {})}, TurnEvents, turn=turn, frame=GameTurn(), **kept)


def test_nr_3_2_10_1_9_21_14_8_a_turn_begins():
    s = position(FINNS, turn=4, effects=(
        Effect("draw_less", SOVIET, 0, 2, "round"), Effect("x", AXIS, until="round"), Effect("y", AXIS, until="game"),
    ))  # fmt: skip
    s.draw_less[SOVIET] = 1
    NextTurn().run(s, Campaign(), Out())
    assert (s.turn, s.support[AXIS], s.support[SOVIET]) == (5, 0, 3)
    assert dict(s.draw_less.items()) == {SOVIET: 3}
    assert [effect.kind for effect in s.effects] == ["y"]
    assert s.long_winter  # turns 4 and 5 are snow
    first = position(FINNS, turn=0)
    NextTurn().run(first, Campaign(), Out())
    assert (first.turn, first.support[AXIS], first.long_winter) == (1, 3, False)


def test_nr_3_1_2_8_5_13_a_side_begins_anew():
    s = position(FINNS, turn=8, used=(5,), taken=(1707,), attacks=3, forced=2, targets=("2209",))
    SideTurn().run(s, GameTurn(), Out())
    assert (s.active, s.used, s.taken, s.attacks, s.forced, s.targets) == (AXIS, (), (), 0, 0, ())


@pytest.mark.parametrize(
    ("turn", "code", "at", "cut", "out", "owed", "less"),
    [
        (15, "8Ita", "2109", False, True, 1, 0),  # the red event of the turn
        (15, "8Ita", "2109", True, True, 2, 0),
        (15, "8Ita", "Destroyed", False, True, 2, 0),
        (15, "8Ita", "Captured", False, True, 2, 0),
        (15, "8Ita", "out of the game", False, True, 2, 0),
        (15, "8Ita", "Shattered", False, True, 1, 0),
        (14, "8Ita", "2109", False, False, 0, 0),
        (16, "2Pz", "2109", False, True, 0, 0),
        (16, "2Pz", "2109", True, True, 0, 1),
        (16, "2Pz", "Destroyed", False, True, 0, 1),
        (16, "2Pz", "Rail", False, True, 0, 0),
        (17, "2Pz", "2109", False, False, 0, 0),
        (18, "SSPz", "2109", False, True, 0, 0),
        (18, "SSPz", "Captured", False, True, 0, 1),
        (28, "BerG", "Berlin", False, True, 0, 0),
        (27, "BerG", "Berlin", False, False, 0, 0),
    ],
)
def test_nr_11_14_11_16_11_17_11_19_11_28_withdrawals(turn, code, at, cut, out, owed, less):
    rest = {name: "2410" for name in ("8Ita", "2Pz", "SSPz") if name != code}
    s = position({**FINNS, **rest, code: at}, turn=turn, cut=(code,) if cut else ())
    frame = GameTurn()
    TurnEvents().run(s, frame, Out())
    assert (s.at(CODES[code]) == 0) == out
    assert frame.discards == owed
    assert (s.draw_less.get(AXIS) or 0) == less
    assert (s.triggers.get("ss") == 18) == (turn == 18)
    assert s.event_vp == (1 if turn == 15 else 0)  # who is withdrawn is no loss; the red event


def test_nr_11_15_2_7_romania():
    for turn, holder, gone in ((14, SOVIET, False), (15, SOVIET, True), (15, AXIS, False), (28, SOVIET, True)):
        s = position({"3Rum": "1118", "4Rum": "Shattered", "RumS": "1022", "2Hun": "1119"}, turn=turn,
                     held={"Ploesti": holder})  # fmt: skip
        romania_leaves(s, Out())
        assert [s.at(CODES[code]) == 0 for code in ("3Rum", "4Rum", "RumS", "2Hun")] == [gone, gone, False, False]
    d = events(16, {"3Rum": "1118"}, held={"Ploesti": SOVIET})
    assert where(d, "3Rum") == "out of the game"


def test_nr_11_30_11_31_11_36_11_37_2_6_2_7_2_8_13_41a_what_comes_of_entering():
    def entered(cell, side=SOVIET, **kept):
        s = position({"NW": "2410"}, turn=kept.pop("turn", 18), active=side, **kept)
        enter(s, side, (cell,), Out())
        return s

    warsaw = entered(place("Warsaw"), works=(611, 511))
    assert dict(warsaw.triggers.items()) == {"gg": 18, "warsaw": 18}
    assert (warsaw.works, warsaw.taken, warsaw.holders[611]) == ((511,), (611,), SOVIET)
    oil = entered(place("Ploesti"))
    assert dict(oil.triggers.items()) == {"gg": 18, "ploesti": 18}
    romania = position({"NW": "2410", "3Rum": "1117"}, turn=18, active=SOVIET)
    enter(romania, SOVIET, (place("Ploesti"),), Out())
    assert romania.at(CODES["3Rum"]) == OUT  # at once
    assert oil.taken == (921,)
    assert dict(entered(CHART.finland).triggers.items()) == {}
    assert dict(entered(2209).triggers.items()) == {}
    assert dict(entered(place("Warsaw"), turn=1).triggers.items()) == {"gg": 1, "warsaw": 1}
    assert dict(entered(place("Moscow"), AXIS, works=(1707,)).triggers.items()) == {}
    assert entered(place("Moscow"), AXIS, works=(1707,)).works == (1707,)
    assert entered(511).taken == ()
    assert entered(CHART.balkans[0]).taken == (CHART.balkans[0],)
    again = entered(611, triggers=Rows({"warsaw": 12, "gg": 13}), held={"Warsaw": AXIS})
    assert dict(again.triggers.items()) == {"warsaw": 12, "gg": 13}
    own = entered(place("Moscow"))
    assert (own.taken, dict(own.triggers.items())) == ((), {})


def test_nr_11_35_the_yugoslavs_for_whom_there_is_no_room():
    both = {"1Yug": ("reinforcements", "+"), "2Yug": ("reinforcements", "+")}

    def left(units, **kept):
        d = table({**both, **units}, CrowdedOut, side=kept.pop("side", SOVIET), turn=kept.pop("turn", 19),
                  triggers=Rows({"ploesti": 18}))  # fmt: skip
        return sum(where(d, code).startswith("reinf") for code in both)

    assert left({}) == 2
    assert left({"4": "Western Balkans"}) == 1
    assert left({"4": "Western Balkans", "6": "Southern Balkans"}) == 0
    assert left({"4": "Western Balkans", "6": "Southern Balkans"}, turn=20) == 2
    assert left({"4": "Western Balkans", "6": "Southern Balkans"}, side=AXIS) == 2
    assert left({"4": "Western Balkans", "Pol": "Southern Balkans"}) == 0
    assert left({"Pol": "Southern Balkans"}) == 1


def test_nr_3_10_7_21_9_59_6_10_13_07s_what_the_removal_phase_takes_off():
    units = {"Kal": "2410", "4": "0210", "6": "2411", "NW": "2412"}
    s = position(units, turn=8, tired=("Kal", "4"), support={AXIS: 2, SOVIET: 1}, scorched=(1707, 2105, 1912),
                 taken=(1912,), held={"Moscow": AXIS, "Voronezh": AXIS}, effects=(
                     Effect("spared", SOVIET, 1, until="turn"), Effect("keep", SOVIET, until="game")))  # fmt: skip
    s.active = SOVIET
    Remove().run(s, PlayerTurn(SOVIET), Out())
    assert {s.name(unit) for unit in s.tired} == {"4"}
    assert (s.support[AXIS], s.support[SOVIET]) == (2, 0)
    assert s.scorched == (2105, 1912)  # Moscow has been the enemy's since an earlier player-turn
    assert [effect.kind for effect in s.effects] == ["keep"]
    berlin = table(units, Remove, side=SOVIET, turn=27, held={"Berlin": SOVIET})
    assert berlin.need.result.how == "Berlin"
    d = table(units, ClearMarkers, side=SOVIET, scorched=(1707, 2105))
    assert offered(d) == {"done", "clear 1707", "clear 2105"}
    assert rule_of(d, "clear 1912") == "NR-13.07S"
    d.order(SOVIET, "clear 1707")
    assert d.state.scorched == (2105,)
    assert asked(table(units, ClearMarkers, side=AXIS, scorched=(1707,))) != "clear_markers soviet"


# Points


def test_nr_4_1_4_2_4_3_4_4_4_5_what_counts():
    s = position(FINNS, turn=22, initiative=SOVIET, event_vp=2, held={"Warsaw": SOVIET})
    assert (places_of(s, AXIS), places_of(s, SOVIET)) == (10, 20)
    assert (points(s), points(s, SOVIET), points(s, AXIS)) == (22, 22, 8)
    late = position(FINNS, turn=23, initiative=SOVIET, held={"Warsaw": SOVIET, "Posen": SOVIET})
    assert (places_of(late, AXIS), places_of(late, SOVIET)) == (5, 1)
    for side, count, start, end in (
        (SOVIET, 1, 0, 1), (AXIS, 1, 0, -1), (AXIS, -1, 0, 1), (SOVIET, 3, 5, 6), (AXIS, 3, -5, -6), (SOVIET, 1, 6, 6),
    ):  # fmt: skip
        t = position(FINNS, turn=14, event_vp=start)
        out = Out()
        score(t, side, count, "x", "NR-4.5", out)
        assert t.event_vp == end
        assert [x.total for x in out.events if isinstance(x, Scored)] == [points(t)]
    assert forfeit(position(FINNS, turn=8), (AXIS,)).winner == SOVIET
    assert forfeit(position(FINNS, turn=8), (AXIS, SOVIET)).winner is None
    assert forfeit(position(FINNS, turn=8), (SOVIET,)).scores == ((AXIS, 11), (SOVIET, 19))


def test_nr_4_6_4_7_objectives_count_only_in_supply():
    links = ("Minsk", "Smolensk", "Riga", "Kiev", "Odessa", "Moscow", "Leningrad", "Sevastopol", "Dnepropetrovsk")
    s = position({}, turn=8, held=dict.fromkeys(links, AXIS))
    assert (objectives(s, AXIS), objectives(s, SOVIET)) == (3, 0)
    ring = dict(
        zip(("NW", "SW", "South", "Bry", "Res", "Kal"), (f"{c:04d}" for c in CHART.board.near[1707]), strict=True)
    )
    cut = position(ring, turn=8, held=dict.fromkeys(links, AXIS))
    assert objectives(cut, AXIS) == 2  # no line leads out of Moscow
    assert asked(table({**FINNS, **ring}, VictoryPhase, turn=8, frame=GameTurn(), held=dict.fromkeys(links, AXIS))) \
        != "over"  # fmt: skip
    assert [needed(position({}, turn=turn, initiative=side), who) for turn, side, who in (
        (8, AXIS, AXIS), (14, SOVIET, AXIS), (14, SOVIET, SOVIET), (8, AXIS, SOVIET),
    )] == [3, 4, 3, 3]  # fmt: skip


def victory(turn, **kept):
    return table(kept.pop("units", FINNS), VictoryPhase, turn=turn, frame=GameTurn(), **kept)


def result(driver):
    need = driver.need
    return (need.result.winner, need.result.how) if asked(driver) == "over" else None


def test_nr_4_8_4_9_4_10_4_13_4_14_the_victory_phase():
    east = dict.fromkeys(("Riga", "Minsk", "Kiev", "Odessa", "Smolensk", "Dnepropetrovsk", "Kharkov", "Stalino"), AXIS)
    most = {**east, **dict.fromkeys(("Rostov", "Voronezh", "Kalinin"), AXIS)}
    assert result(victory(5, held=east, event_vp=4)) is None  # 23 is the number of turn 5
    assert result(victory(5, held=east, event_vp=5)) == (AXIS, "sudden death")
    assert result(victory(6, held=most, event_vp=6)) is None  # no skull
    assert result(victory(12, held=most, event_vp=2, initiative=AXIS)) == (AXIS, "sudden death")  # before it passes
    passed = victory(12, held=most, event_vp=1, initiative=AXIS)
    assert (passed.state.initiative, passed.state.high_tide, passed.state.event_vp) == (SOVIET, 23, 0)
    assert result(victory(12, held={"Riga": AXIS}, initiative=AXIS)) == (SOVIET, "sudden death")
    kept = victory(12, held=east, initiative=SOVIET, high_tide=7, event_vp=2)
    assert (kept.state.high_tide, kept.state.event_vp) == (7, 2)
    assert result(victory(23, initiative=SOVIET, high_tide=20)) == (AXIS, "operational victory")
    assert result(victory(23, initiative=SOVIET, high_tide=19)) is None  # a tie goes on
    assert result(victory(22, initiative=SOVIET, high_tide=30, held=east)) is None
    assert result(victory(24, initiative=SOVIET, high_tide=30, held=east)) is None
    # Thirty places and events: 34 in all, from turn 12 to turn 23.
    units = dict(
        zip(("4", "6", "9", "11", "16", "17", "18"), (f"{c:04d}" for c in CHART.board.near[316]), strict=False)
    )
    taken = dict.fromkeys(("Warsaw", "Budapest", "Belgrade", "Ploesti", "Finland", "Prague", "Vienna", "Posen",
                           "Breslau"), SOVIET)  # fmt: skip
    for turn, vp, over in ((21, 6, True), (21, 5, False), (25, 6, False)):
        found = result(victory(turn, units=units, held=taken, initiative=SOVIET, event_vp=vp, skip_sudden=True))
        assert (found == (SOVIET, "total victory")) == over, (turn, vp)
    assert result(victory(23, units=units, held=taken, initiative=SOVIET, event_vp=6)) == (SOVIET, "total victory")
    over = victory(23, held={"Warsaw": SOVIET}, initiative=SOVIET, event_vp=3, high_tide=10)
    assert over.state.event_vp == 0
    skipped = victory(5, held=east, event_vp=6, skip_sudden=True)
    assert (result(skipped), skipped.state.skip_sudden) == (None, False)
    waits = victory(6, held=east, skip_sudden=True)
    assert waits.state.skip_sudden  # NR-4.8: there was no check to leave out


def test_nr_4_11_14_12_the_last_count():
    def end(turn, scenario, **kept):
        s = position(FINNS, turn=turn, scenario=scenario, **kept)
        found = LastCount().run(s, Campaign(), Out())
        return found.result.winner, found.result.how

    assert end(28, "campaign", initiative=SOVIET) == (AXIS, "the Reich holds out")
    assert end(28, "campaign", initiative=SOVIET, held={"Berlin": SOVIET}) == (SOVIET, "Berlin")
    east = dict.fromkeys(("Riga", "Minsk", "Kiev", "Odessa", "Smolensk", "Dnepropetrovsk", "Kharkov", "Stalino"), AXIS)
    assert end(5, "barbarossa", held=east, event_vp=5) == (AXIS, "points")  # 24
    assert end(5, "barbarossa", held=east, event_vp=4) == (SOVIET, "points")
    road = dict.fromkeys(("Minsk", "Smolensk", "Moscow", "Riga"), AXIS)
    assert end(5, "barbarossa", held={**road, "Leningrad": AXIS}) == (AXIS, "points")
    assert end(5, "barbarossa", held=road) == (SOVIET, "points")  # Moscow alone
    assert end(5, "barbarossa", held={**road, "Moscow": SOVIET, "Leningrad": AXIS, "Sevastopol": AXIS}) == (
        SOVIET, "points",
    )  # fmt: skip


# Hands


@pytest.mark.parametrize(
    ("turn", "side", "held", "less", "count"),
    [
        (1, AXIS, {}, 0, 6), (1, SOVIET, {}, 0, 4), (2, AXIS, {}, 0, 4), (8, AXIS, {}, 0, 5), (9, AXIS, {}, 0, 5),
        (10, AXIS, {}, 0, 4), (8, SOVIET, {}, 0, 4), (20, SOVIET, {}, 0, 4), (21, SOVIET, {}, 0, 5),
        (21, AXIS, {}, 0, 4), (23, AXIS, {}, 0, 1), (23, SOVIET, {}, 0, 5), (24, AXIS, {}, 0, 4),
        (8, SOVIET, {"Moscow": AXIS}, 0, 3),
        (8, SOVIET, {"Grozny": AXIS}, 0, 3), (8, SOVIET, {"Grozny": AXIS, "Moscow": AXIS}, 0, 3),
        (8, AXIS, {"Moscow": AXIS}, 0, 5), (10, AXIS, {"Ploesti": SOVIET}, 0, 3),
        (10, SOVIET, {"Ploesti": SOVIET}, 0, 4),
        (10, AXIS, {}, 1, 3), (10, AXIS, {}, 9, 0), (23, AXIS, {"Ploesti": SOVIET}, 1, 1), (10, SOVIET, {}, 2, 2),
    ],
)  # fmt: skip
def test_nr_5_2_5_3_5_4_5_5_11_9_11_21_11_24_cards_drawn(turn, side, held, less, count):
    oil = f"{CHART.named['Caucasus']:04d}"
    s = position(FINNS, turn=turn, held={oil if name == "Grozny" else name: who for name, who in held.items()})
    if less:
        s.draw_less[side] = less
    assert draw_count(s, side) == count


def test_nr_5_2_3_5_two_are_kept():
    d = table(FINNS, ThrowAway, axis=(5, 22, 30))
    assert offered(d) == {"drop 5", "drop 22", "drop 30"}
    assert rule_of(d, "done") == "NR-5.2"
    assert rule_of(d, "drop 5 5") == "NR-5.2"
    assert rule_of(d, "drop 5 22") == ""
    d.order(AXIS, "drop 22")
    assert offered(d) == {"drop 5", "drop 30", "done"}
    assert [x.cards for x in d.events(Dropped)] == [(22,)]
    d.order(AXIS, "done")
    assert len(d.state.hand(AXIS)) == 2 + 5
    less = table(FINNS, ThrowAway, axis=(5,), turn=10, draw_less=Rows({AXIS: 1, SOVIET: 2})).order(AXIS, "done")
    assert len(less.state.hand(AXIS)) == 1 + 3
    assert dict(less.state.draw_less.items()) == {SOVIET: 2}
    none = table(FINNS, ThrowAway, axis=(), turn=10)
    assert asked(none) != "cards axis"


def test_nr_5_6_11_8_14_8_cards_that_are_lost():
    d = table(FINNS, RedDiscard, turn=7, frame=GameTurn(discards=2), axis=(5, 22, 30), soviet=(6,), skip_sudden=True)
    assert offered(d) == {"drop 5", "drop 22", "drop 30"}
    assert rule_of(d, "drop 5 22") == "NR-5.2"
    d.order(AXIS, "drop 5")
    assert offered(d) == {"drop 22", "drop 30"}
    d.order(AXIS, "drop 30")
    assert asked(d) != "penalty axis"
    assert d.state.deck.discards == [5, 30]
    bare = table(FINNS, RedDiscard, turn=7, frame=GameTurn(discards=1), soviet=(6,), skip_sudden=True)
    assert not asked(bare).startswith("penalty")
    theirs = table(
        FINNS, SurrenderDiscard, turn=7, frame=GameTurn(discards=1, surrender=SOVIET), axis=(5,), soviet=(6, 9)
    )
    assert asked(theirs) == "surrender soviet"
    theirs.order(SOVIET, "drop 9")
    assert asked(theirs) != "surrender soviet"


def test_nr_5_16_the_last_card_is_never_drawn():
    def drawn(count, left, discards=(1, 2), again=()):
        d = table(FINNS, TakeCards, frame=DrawCards(AXIS, count), outer=Organise, left=left, discards=discards,
                  turn=8, decks={"events": [again]})  # fmt: skip
        happened = d.events()
        return sum(x.count for x in happened if isinstance(x, Drew)), any(isinstance(x, Shuffled) for x in happened)

    assert drawn(2, 6) == (2, False)
    assert drawn(2, 2, again=[1, 2, 4])[1]
    assert drawn(2, 3, again=[1, 2, 5])[1]  # one is left when both are drawn
    assert drawn(3, 2, ()) == (1, False)  # nothing to shuffle with


def test_nr_4_14_5_17_the_change_of_1945():
    d = table(FINNS, ShowAll, turn=23, frame=GameTurn(), axis=(14, 5), soviet=(16,), initiative=SOVIET, high_tide=1,
              discards=(1, 20), decks={"events": [list(range(14, 55))]})  # fmt: skip
    assert (d.state.deck.epoch, d.state.deck.size, d.state.deck.discards) == (2, 41, [])
    assert set(d.state.deck.removed) >= {1, 5}
    assert not {14, 16, 20} & set(d.state.deck.removed)
    for turn, scenario in ((22, "campaign"), (23, "berlin")):
        same = table(FINNS, ShowAll, turn=turn, scenario=scenario, frame=GameTurn(), axis=(14,), initiative=SOVIET)
        assert same.state.deck.epoch == 1


# Options


def test_nr_14_1_14_2_14_3_14_4_detachments():
    on = {"detachments": True, "fortified_fronts": True}
    units = {
        "4": "0410", "6": ("0510", "-"), "8": "0511", "1Pz": "0310", "2Hun": "0612", "9": "0613", "11": "0613",
        "16": "0211", "SSPz": "0412",
    }  # fmt: skip
    d = table(units, Organise, turn=8, options=on, cut=("16",))
    found = {text for text in offered(d) if text.startswith("detach")}
    assert {text.split()[1] for text in found} == {"4", "1Pz", "SSPz"}
    assert {text for text in found if text.split()[1] == "1Pz"} == {
        f"detach 1Pz DetM {cell:04d}" for cell in (310, *(c for c in CHART.board.near[310] if rule_of(
            d, f"detach 1Pz DetM {c:04d}") == ""))
    }  # fmt: skip
    for order, rule in (
        ("4 DetA,DetB 0410,0410", ""), ("4 DetA,DetB 0410,0610", "NR-14.1"), ("4 DetB,DetA 0410,0410", "NR-14.1"),
        ("4 DetA 0410", "NR-14.1"), ("6 DetA,DetB 0510,0510", "NR-14.1"), ("9 DetA,DetB 0613,0613", "NR-14.1"),
        ("16 DetA,DetB 0211,0211", "NR-14.1"), ("8 DetA,DetB 0511,0511", "NR-14.1"),
        ("17 DetA,DetB 0511,0511", "NR-14.1"),
        ("2Hun DetA,DetB 0612,0612", "NR-14.1"), ("1Pz DetM 0310", ""), ("1Pz DetM 0613", "NR-14.2"),
    ):  # fmt: skip
        assert rule_of(d, f"detach {order}") == rule, order
    d.order(AXIS, "detach 1Pz DetM 0310")
    assert (where(d, "1Pz"), where(d, "DetM")) == ("0310-", "0310")
    assert rule_of(d, "detach SSPz DetM 0412") == "NR-14.2"  # once in a game
    d.order(AXIS, "detach 4 DetA,DetB 0410,0411")
    assert (where(d, "4"), where(d, "DetA"), where(d, "DetB")) == ("out of the game", "0410", "0411")
    weak = table({"1Pz": ("0310", "-")}, Organise, turn=8, options=on).order(AXIS, "detach 1Pz DetM 0310")
    assert where(weak, "1Pz").startswith("Destroyed")
    for turn, rule in ((7, "NR-14.1"), (8, "")):
        assert rule_of(table(units, Organise, turn=turn, options=on), "detach 4 DetA,DetB 0410,0410") == rule
    red = {"Kal": "2410", "Bry": "2412", "Sta": ("2408", "+"), "Volk": "2109", "4": "2009", "Don": "2512"}
    for turn, rule in ((4, "NR-14.3"), (5, "")):
        s = table(red, Organise, side=SOVIET, turn=turn, options=on)
        assert rule_of(s, "detach Kal Fort1,Fort2 2410,2411") == rule
    s = table(red, Organise, side=SOVIET, turn=5, options=on)
    assert {text.split()[1] for text in offered(s) if text.startswith("detach")} == {
        "Kal",
        "Volk",
    }  # the Don Front is mechanised
    for order, rule in (
        ("Kal Fort1,Fort2 2410,2410", "NR-8.8"), ("Bry Fort1,Fort2 2412,2413", "NR-14.1"),
        ("Volk Fort1,Fort2 2109,2108", "NR-14.3"), ("Volk Fort1,Fort2 2109,2208", ""),
        ("Sta Fort1,Fort2 2408,2409", "NR-14.1"),
    ):  # fmt: skip
        assert rule_of(s, f"detach {order}") == rule, order
    assert not any(text.startswith("detach") for text in offered(table(units, Organise, turn=8)))


def test_nr_14_10_the_reserves_unit_waits_destroyed_from_turn_5():
    for turn, options, at in (
        (5, {"reserves": True}, DESTROYED),
        (4, {"reserves": True}, 0),
        (5, {}, 0),
        (6, {"reserves": True}, 0),
    ):
        s = position({}, turn=turn, options=options)
        reserves_arrive(s)
        assert s.at(CODES["Rsv"]) == at
        assert not s.pieces[CODES["Rsv"]].strong
    d = events(5, options={"reserves": True})
    assert where(d, "Rsv") == "Destroyed"


def test_nr_14_11_whom_partisans_may_strike():
    on = {"partisans": True}
    units = {"4": "2109", "6": "2310", "9": "0511", "11": "2411", "NW": "2209", "Res": "0512", "Bry": "2410"}

    def found(turn, **kept):
        options = kept.pop("options", on)
        s = position(units, turn=turn, options=options, **kept)
        return {s.name(unit) for unit in partisan_targets(s)}

    assert found(9, weather="mud") == {"4", "6", "11"}
    assert found(9, weather="mud", cut=("Bry",)) == {"4", "6"}
    assert found(10) == {"4", "6", "11"}
    assert found(8) == found(9, weather="clear") == found(3, weather="mud") == set()
    assert found(4) == {"4", "6", "11"}
    assert found(9, weather="mud", options={}) == set()
    assert found(9, weather="mud", partisans_due=10) == set()
    assert found(10, partisans_due=10) == {"4", "6", "11"}
    d = table(units, Unloading, side=SOVIET, turn=9, weather="mud", options=on)
    assert offered(d) == {"done", "partisans 4", "partisans 6", "partisans 11"}
    assert check_partisans(d.state, Infiltrate(CODES["9"])).rule == "NR-14.11"
    d.order(SOVIET, "partisans 6")
    assert ({d.state.name(unit) for unit in d.state.tired}, d.state.partisans_due) == ({"6"}, 13)
    axis = table({**units, "18": "Rail"}, Unloading, side=AXIS, turn=9, weather="mud", options=on)
    assert not any("partisans" in text for text in offered(axis))
    assert rule_of(axis, "partisans 4") == "NR-14.11"


# Standing orders: what their words stand for


def answers(driver):
    machine, seat = driver.machine, driver.asked[0]
    step = machine.decision
    view = driver.view(seat)
    return step.answers(driver.state, view.frame, seat, driver.own(seat))


def facts(driver):
    machine, seat = driver.machine, driver.asked[0]
    return machine.decision.facts(driver.state, driver.view(seat).frame, seat, driver.own(seat))


def texts(driver):

    from noretreat_positions import game

    return {
        word: re.sub(r"#\d+/\d+| alone$", "", game.notation.write(order)) for word, order in answers(driver).items()
    }


def test_nr_1_7_5_2_8_11_9_5_9_44_9_48_words_of_standing_orders():
    loss = table({"4": "2109", "2Hun": "2208"}, TakeLoss, frame=Losses(AXIS, (CODES["4"], CODES["2Hun"]), 1))
    assert texts(loss) == {"4": "lose 4", "2hun": "lose 2Hun", "cheapest": "lose 2Hun"}
    assert facts(loss) == {"fight": 0, "mine": 0, "units": 2}
    thin = table({"4": "2109", "6": "2109", "1Pz": "2109"}, ThinMoved)
    assert texts(thin) == {"weakest": "leave 4"}
    drop = table(FINNS, ThrowAway, axis=(5, 22, 30))
    assert texts(drop) == {"5": "drop 5", "22": "drop 22", "30": "drop 30", "done": "done", "oldest": "drop 5"}
    assert facts(drop) == {"over": 1}
    blows = table({"4": "2109", "NW": "2209"}, Counterblows, soviet=(32,), targets=("2410",))
    assert texts(blows) == {"pass": "done", "32/2209": "discard 32 for counterblow 2209", "32": "event 32 on 2209"}
    assert facts(blows) == {"targets": 1, "turn": 8}
    step = blows.machine.decision
    good = [
        name
        for name in ("pass", "7/2209", "7", "7/9999", "55", "7/22", "7/22x9", "7/٢٢٠٩", "7/02209", "x/2209")
        if step.is_answer(blows.state, name)
    ]
    assert good == ["pass", "7/2209", "7"]
    back = table({"NW": "2209", "4": "2109", "6": "2110"}, GiveGround, side=AXIS,
                 frame=Retreat(SOVIET, 2209, (CODES["NW"],)))  # fmt: skip
    assert texts(back)["safest"].endswith("2311")
    assert facts(back) == {"fight": 0, "hex": 2209, "units": 1}
    chase = table({"1Pz": "2109", "4": "2109", "NW": "2409"}, FollowUp, side=AXIS,
                  frame=Pursuit(AXIS, (2209,), (CODES["1Pz"], CODES["4"])))  # fmt: skip
    words = texts(chase)
    assert (words["done"], words["strongest"]) == ("done", "pursue 1Pz 2209")
    assert words["deep"].startswith("pursue 1Pz 2209-")
    assert len(words["deep"].split("-")) == 3
    assert facts(chase) == {"city": 0, "gone": 0, "hex": 2209}


def test_nr_5_6_5_19_5_20_9_27_9_18_words_in_windows_and_battles():
    moved = table({"4": "0611", "NW": "2412"}, OpenMoved, side=SOVIET, axis=(18, 39))
    words = texts(moved)
    assert (words["pass"], words["39"]) == ("pass", "event 39 on -")
    assert words["18"] == "event 18 on 4"
    assert facts(moved) == {"column": 0, "hex": 0, "mine": 0, "moment": 2, "own": 0, "turn": 8}
    fight = attack(5, 3)
    assert facts(fight) == {"column": 4, "hex": 2209, "mine": 1, "moment": 0, "own": 1, "turn": 8}
    assert {"pass", "5"} == set(texts(fight))
    counter = battle({"4": "2109", "NW": "2209"}, "4", "2209", 1, counter=6, support={SOVIET: 1})
    assert texts(counter) == {"counter": "counter", "decline": "decline", "marker": "counter shock"}
    assert facts(counter) == {"column": 1, "hex": 2209}
    bare = battle({"4": "2109", "NW": "2209"}, "4", "2209", 1, counter=6)
    assert set(texts(bare)) == {"counter", "decline"}
    forced = defend(32, 3, spare=(4,)).order(AXIS, "event 32")
    through(forced)
    assert asked(forced) == "counterattack axis"
    assert set(texts(forced)) == {"counter"}
    assert offered(forced) == {"counter"}
    assert rule_of(forced, "decline") == "NR-9.27"
    answer = table({"4": "2109", "NW": "2409"}, Organise, side=SOVIET, soviet=(6,), axis=(14, 31)).order(
        SOVIET, "event 6"
    )
    assert texts(answer) == {"pass": "pass", "14": "event 14 on -", "31": "event 31 on -"}
    assert facts(answer) == {"card": 6, "turn": 8}
    free = table({"4": "2109", "NW": "2409"}, Organise, side=SOVIET, soviet=(6,), axis=(7,)).order(SOVIET, "upgrade NW")
    assert facts(free) == {"card": 0, "turn": 8}
    red = table(FINNS, RedDiscard, turn=7, frame=GameTurn(discards=1), axis=(5, 22), skip_sudden=True)
    assert texts(red) == {"5": "drop 5", "22": "drop 22", "oldest": "drop 5"}
    joker = battle({"4": "2109", "NW": "2209"}, "4", "2209", (3, 5), options={"joker": True})
    assert texts(joker) == {"pass": "pass", "joker": "joker"}
