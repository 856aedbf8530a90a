"""NR-14 Optional rules and scenarios."""

from __future__ import annotations

import pytest
from noretreat_positions import CODES, asked, battle, fight, place, position, rule_of, table, where

from pbem.engine.event import Out
from pbem_rules.noretreat import game
from pbem_rules.noretreat.chart import AXIS, DATA, SOVIET
from pbem_rules.noretreat.frames import Campaign, GameTurn, PlayerTurn
from pbem_rules.noretreat.hands import SurrenderDiscard, draw_count
from pbem_rules.noretreat.losses import send
from pbem_rules.noretreat.odds import strength_of
from pbem_rules.noretreat.options import partisan_targets, reserves_arrive
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.rail import Unloading
from pbem_rules.noretreat.state import DESTROYED
from pbem_rules.noretreat.turns import EndMovement, NextTurn
from pbem_rules.noretreat.victory import VictoryPhase
from pbem_rules.noretreat.weather import managed


def organising(units, side=AXIS, **kept):
    return table(units, Organise, side=side, **kept)


def test_nr_14_1_detachments():
    on = {"detachments": True}
    d = organising({"4": "0410"}, turn=8, options=on)
    assert rule_of(organising({"4": "0410"}, turn=7, options=on), "detach 4 DetA,DetB 0410,0410") == "NR-14.1"
    assert rule_of(organising({"4": "0410"}, turn=8), "detach 4 DetA,DetB 0410,0410") == "NR-14.1"
    assert rule_of(d, "detach 4 DetA,DetB 0410,0610") == "NR-14.1"
    d.order("axis", "detach 4 DetA,DetB 0410,0411")
    assert (where(d, "4"), where(d, "DetA"), where(d, "DetB")) == ("out of the game", "0410", "0411")


def test_nr_14_2_a_mechanised_detachment():
    d = organising({"1Pz": "0410", "6": "0410"}, turn=8, options={"detachments": True})
    assert rule_of(d, "detach 1Pz DetM 0410") == "NR-8.8"
    d.order("axis", "detach 1Pz DetM 0411")
    assert (where(d, "1Pz"), where(d, "DetM")) == ("0410-", "0411")
    assert rule_of(d, "detach 1Pz DetM 0411") == "NR-14.2"


def test_nr_14_3_fortified_fronts():
    d = organising({"Kal": "2410"}, SOVIET, turn=5, options={"fortified_fronts": True})
    d.order("soviet", "detach Kal Fort1,Fort2 2410,2411")
    assert (where(d, "Kal"), where(d, "Fort1"), where(d, "Fort2")) == ("out of the game", "2410", "2411")


def test_nr_14_4_they_have_one_step():
    from pbem_rules.noretreat.stacking import too_many

    s = position({"Fort1": "2410", "Cau": ("2411", "+")}, turn=17)
    assert s.steps(CODES["Fort1"]) == 1
    assert too_many(s, SOVIET, (CODES["Fort1"], CODES["Cau"]), 2410)
    s.turn = 24
    assert too_many(s, SOVIET, (CODES["Fort1"], CODES["Cau"]), 2410)


@pytest.mark.parametrize(("turn", "side", "more"), [(8, AXIS, 2), (8, SOVIET, 1), (11, AXIS, 1), (11, SOVIET, 2)])
def test_nr_14_5_local_support(turn, side, more):
    units = {"4": "0210", "Kal": "2410"}
    code = "4" if side == AXIS else "Kal"
    d = table(units, side=side, turn=turn, options={"local_support": True})
    d.order(side, f"help {code}")
    s = d.state
    base = s.face(CODES[code]).strength
    other_side = "2410" if side == AXIS else "0210"
    assert strength_of(s, fight(s, code, other_side), CODES[code]) == base + more
    assert rule_of(table(units, side=side, turn=turn), f"help {code}") == "NR-14.5"


def test_nr_14_6_weather_that_nobody_manages():
    assert managed(position({}))
    assert not managed(position({}, options={"plain_weather": "always"}))
    year = {"plain_weather": "1941"}
    assert not managed(position({}, turn=4, options=year))
    assert managed(position({}, turn=5, options=year))


@pytest.mark.parametrize(("over", "less"), [(-1, 0), (0, 0), (1, 1), (2, 2), (5, 2)])
def test_nr_14_8_no_surrender(over, less):
    held = dict.fromkeys(
        ("Riga", "Minsk", "Kiev", "Odessa", "Smolensk", "Dnepropetrovsk", "Kharkov", "Stalino", "Rostov", "Voronezh"),
        AXIS,
    )
    d = table(
        {"Fin": "Finland"},
        VictoryPhase,
        turn=5,
        frame=GameTurn(),
        held=held,
        event_vp=2 + over,
        soviet=(1, 2),
        options={"no_surrender": True},
    )
    assert asked(d) != "over"
    assert (asked(d) == "surrender soviet") == (over >= 0)
    # Fewer cards in the next turn, not in this one.
    before = draw_count(d.state, SOVIET)
    NextTurn().run(d.state, Campaign(), Out())
    assert (before, draw_count(d.state, SOVIET)) == (4, 4 - less)


def test_nr_14_8_an_axis_without_cards_owes_nothing_for_it():
    frame = GameTurn(discards=1, surrender=SOVIET)  # a red event, and no card to pay it with
    d = table({"Fin": "Finland"}, SurrenderDiscard, turn=7, frame=frame, soviet=(1,), options={"no_surrender": True})
    assert asked(d) == "surrender soviet"


def test_nr_14_9_the_joker():
    d = battle({"4": "2109", "NW": "2209"}, "4", "2209", (3, 5), options={"joker": True})
    assert asked(d) == "rolled_window axis"
    d.order("axis", "joker")
    assert d.state.joker == SOVIET
    assert asked(d) == "rolled_window soviet"


def test_nr_14_10_the_reserves_unit():
    s = position({}, turn=5, options={"reserves": True})
    reserves_arrive(s)
    assert s.at(CODES["Rsv"]) == DESTROYED
    d = table({"Rsv": "2410", "Kal": "2411"}, EndMovement, side=SOVIET, turn=8, frame=PlayerTurn(SOVIET))
    assert where(d, "Rsv") == "Destroyed"
    e = table({"Rsv": "2410", "Kal": "2410"}, EndMovement, side=SOVIET, turn=8, frame=PlayerTurn(SOVIET))
    assert where(e, "Rsv") == "2410"
    send(s, CODES["Rsv"], DESTROYED, "test", "NR-14.10", Out())
    assert s.at(CODES["Rsv"]) == DESTROYED


def test_nr_14_11_partisans():
    on = {"partisans": True}
    units = {"4": "2109", "Kal": "2209"}
    d = table(units, Unloading, side=SOVIET, turn=9, weather="mud", options=on, frame=PlayerTurn(SOVIET))
    d.order("soviet", "partisans 4")
    assert (d.state.tired, d.state.partisans_due) == ({CODES["4"]}, 13)
    assert partisan_targets(position(units, turn=8, options=on)) == ()
    assert partisan_targets(position(units, turn=9, options=on, cut=("Kal",))) == ()


def test_nr_14_12_scenarios():
    assert [scenario.name for scenario in game.scenarios] == ["campaign", "barbarossa", "initiative", "berlin"]
    plan = next(plan for plan in DATA["starts"]["starts"] if plan["key"] == "barbarossa")
    assert (plan["last"], plan["win"]) == (5, 24)
    held = dict.fromkeys(("Moscow", "Minsk", "Smolensk", "Leningrad", "Riga"), AXIS)
    d = table(
        {"Fin": "Finland"}, Unloading, side=SOVIET, turn=5, scenario="barbarossa", held=held, frame=PlayerTurn(SOVIET)
    )
    assert d.need.result.winner == AXIS
    assert place("Moscow") == 1707
