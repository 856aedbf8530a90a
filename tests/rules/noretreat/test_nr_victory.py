"""NR-4 Victory, VP, initiative."""

from __future__ import annotations

import pytest
from noretreat_positions import CHART, CODES, asked, battle, position, table

from pbem.engine.event import Out
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Scored
from pbem_rules.noretreat.frames import GameTurn
from pbem_rules.noretreat.losses import send
from pbem_rules.noretreat.rail import Unloading
from pbem_rules.noretreat.scoring import places_of, points, score
from pbem_rules.noretreat.stacking import ThinPlaced
from pbem_rules.noretreat.state import CAPTURED
from pbem_rules.noretreat.turns import TurnEvents
from pbem_rules.noretreat.victory import VictoryPhase, needed, objectives
from pbem_rules.noretreat.windows import OpenMoved, OpenTargeted, OpenTurnEnd

REICH = ("Berlin", "Koenigsberg", "Breslau", "Posen", "Vienna", "Prague")
EAST = ("Riga", "Minsk", "Kiev", "Odessa", "Smolensk", "Dnepropetrovsk", "Kharkov", "Stalino")


def held(*names, side=AXIS):
    return dict.fromkeys(names, side)


def victory(turn, **kept):
    return table({"Fin": "Finland"}, VictoryPhase, turn=turn, frame=GameTurn(), **kept)


def test_nr_4_1_one_total_of_the_side_with_the_initiative():
    s = position({}, turn=5, held=held(*EAST), event_vp=3)
    assert points(s) == 22  # nineteen places and three for events
    assert points(s, SOVIET) == 11 - 3


def test_nr_4_2_places():
    s = position({}, turn=22)
    assert places_of(s, AXIS) == 11
    s.turn = 23
    assert (places_of(s, AXIS), places_of(s, SOVIET)) == (6, 0)


def test_nr_4_3_captured_units_count():
    s = position({"NW": "2209", "Res": "2210", "4": "2109"}, turn=5)
    send(s, CODES["NW"], CAPTURED, "test", "NR-4.3", Out())
    assert s.event_vp == 1
    out = Out()
    send(s, CODES["Res"], CAPTURED, "test", "NR-4.3", out)
    assert [x.total for x in out.events if isinstance(x, Scored)] == [points(s)]
    s.event_vp = 1
    send(s, CODES["4"], CAPTURED, "test", "NR-4.3", Out())
    assert s.event_vp == 0


def test_nr_4_4_a_red_event_costs_the_axis_a_point():
    d = table({"Fin": "Finland"}, TurnEvents, turn=7, frame=GameTurn(), event_vp=3, axis=(1,))
    assert d.state.event_vp == 2


def test_nr_4_5_event_points_stay_within_six():
    s = position({}, turn=5)
    score(s, AXIS, 9, "test", "NR-4.5", Out())
    assert s.event_vp == 6
    score(s, SOVIET, 20, "test", "NR-4.5", Out())
    assert s.event_vp == -6


def test_nr_4_6_axis_objectives_in_supply():
    links = held("Minsk", "Smolensk", "Riga", "Kiev", "Odessa", "Moscow", "Leningrad", "Sevastopol", "Dnepropetrovsk")
    s = position({}, turn=8, held=links)
    assert objectives(s, AXIS) == 3
    assert needed(s, AXIS) == 3
    assert asked(victory(8, held=links)) == "over"
    s.initiative = SOVIET
    assert needed(s, AXIS) == 4


def test_nr_4_7_soviet_objectives_and_berlin():
    d = victory(25, held=held("Berlin", side=SOVIET))
    assert (d.need.result.winner, d.need.result.how) == (SOVIET, "Berlin")
    e = victory(25, held=held("Koenigsberg", "Breslau", "Posen", side=SOVIET))
    assert (e.need.result.winner, e.need.result.how) == (SOVIET, "objectives")


def test_nr_4_7_berlin_ends_it_at_once():
    units = {"West": ("0310", "+"), "Kal": ("0211", "+"), "KG1": "Berlin"}
    d = battle(units, "West Kal", "Berlin", 6, side=SOVIET, turn=27)
    d.order("soviet", "pursue West 0210", "done")
    assert (d.need.result.winner, d.need.result.how) == (SOVIET, "Berlin")


@pytest.mark.parametrize(
    ("step", "side"), [(OpenMoved, AXIS), (OpenTargeted, AXIS), (OpenTurnEnd, SOVIET), (ThinPlaced, SOVIET)]
)
def test_nr_4_7_at_once_however_they_came_in(step, side):
    d = table({"Kal": "2410", "4": "2310"}, step, side=side, turn=27, held=held("Berlin", side=SOVIET))
    assert (d.need.result.how, d.state.turn) == ("Berlin", 27)


@pytest.mark.parametrize(("vp", "over"), [(4, False), (5, True)])
def test_nr_4_8_sudden_death_above_the_number(vp, over):
    d = victory(5, held=held(*EAST), event_vp=vp)  # 23 is the number of turn 5
    assert (asked(d) == "over") == over


def test_nr_4_8_a_marker_skips_the_check_once():
    d = victory(5, held=held(*EAST), event_vp=6, skip_sudden=True)
    assert asked(d) != "over"
    assert not d.state.skip_sudden


def test_nr_4_9_operational_victory_in_turn_23():
    d = victory(23, high_tide=25, initiative=SOVIET)
    assert (d.need.result.winner, d.need.result.how) == (AXIS, "operational victory")
    e = victory(23, high_tide=19, initiative=SOVIET)
    assert asked(e) != "over"


def test_nr_4_10_total_victory():
    taken = held(
        "Warsaw", "Budapest", "Belgrade", "Ploesti", "Finland", "Prague", "Vienna", "Posen", "Breslau", side=SOVIET
    )
    ring = [CHART.board[place].id for place in CHART.board.near[CHART.named["Vienna"]]]
    armies = dict(zip(("4", "6", "9", "11", "16", "17", "18"), (f"{place:04d}" for place in ring), strict=False))
    d = table(armies, VictoryPhase, turn=21, frame=GameTurn(), initiative=SOVIET, event_vp=6, held=taken)
    assert (d.need.result.winner, d.need.result.how) == (SOVIET, "total victory")  # two objectives are in supply


def test_nr_4_11_the_axis_wins_if_it_holds_out():
    d = table({"Fin": "Finland"}, Unloading, side=SOVIET, turn=28, initiative=SOVIET)
    assert (d.need.result.winner, d.need.result.how) == (AXIS, "the Reich holds out")


def test_nr_4_12_the_axis_has_the_initiative_to_turn_11():
    assert position({}, turn=11).initiative == AXIS
    d = victory(11)
    assert d.state.initiative == AXIS


def test_nr_4_13_the_initiative_changes_in_turn_12():
    d = victory(12, initiative=AXIS, held=held(*EAST), event_vp=2)
    assert (d.state.initiative, d.state.high_tide, d.state.event_vp) == (SOVIET, 21, 0)
    e = victory(12, initiative=AXIS, held=held("Riga"), event_vp=0)
    assert (e.need.result.winner, e.need.result.how) == (SOVIET, "sudden death")  # eighteen places


def test_nr_4_14_the_reset_of_1945():
    d = table({"Fin": "Finland"}, VictoryPhase, turn=23, frame=GameTurn(), initiative=SOVIET, event_vp=4, high_tide=10,
              axis=(14, 15), soviet=(16,), decks={"events": [list(range(14, 20))]})  # fmt: skip
    assert d.state.event_vp == 0
    assert d.state.hand(SOVIET) == ()
    assert d.state.deck.epoch == 2
    assert not any(card >= 14 for card in d.state.deck.removed)
    assert d.state.deck.size == 41


def test_nr_4_15_sudden_death_in_1945():
    d = victory(24, initiative=SOVIET, event_vp=6)
    assert (d.need.result.winner, d.need.result.how) == (SOVIET, "sudden death")
