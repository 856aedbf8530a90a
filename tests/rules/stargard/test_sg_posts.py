"""SG-12.2, SG-12.3: headquarters that are left alone or captured reform; fortresses in battle."""

from __future__ import annotations

import pytest
from sg_plain import CHART, GERMAN, SOVIET, combat, number, position, rule_of, steps, where

from pbem.engine.event import Out
from pbem_rules.stargard.battle import Widowed
from pbem_rules.stargard.events import Advanced, Fought, PostLeft, Reformed
from pbem_rules.stargard.frames import Battle, Reform
from pbem_rules.stargard.orders import SetPost
from pbem_rules.stargard.reform import NoPlace, PlacePost, lawful_posts
from pbem_rules.stargard.retreat import to_source
from pbem_rules.stargard.state import REFORMING, SUPPLIED
from pbem_rules.stargard.supply import joined, judged

HEX, EAST = 3620, 3720
ATTACKERS = ("150/79", EAST), ("171/79", EAST)
ATTACK = f"attack {HEX} with 150/79,171/79"


def told(d, kind):
    return [event for event in d.happened if isinstance(event, kind)]


def fought(*units, die=6, order=ATTACK, **kept):
    d = combat(*ATTACKERS, *units, dice={HEX: die}, **kept)
    d.order(SOVIET, order, "done")
    return d


def test_sg_12_2_1a_12_2_1b_a_headquarters_whose_units_are_destroyed_reforms():
    """It loses no step and is never destroyed; its owner chooses among the nearest hexes."""
    d = fought(("22/10SS", HEX, 1), ("39Pz-HQ", HEX), order=f"{ATTACK} advance 150/79,{HEX}")
    assert where(d, "22/10SS") == 0
    assert [(event.unit, event.hex) for event in told(d, PostLeft)] == [("39Pz-HQ", HEX)]
    assert rule_of(d, GERMAN, "reform 39Pz-HQ 3020") == "SG-12.2.2"
    assert where(d, "150/79") == EAST  # before anybody advances
    d.order(GERMAN, d.legal(GERMAN)[0])
    assert CHART.board.grid.distance(HEX, where(d, "39Pz-HQ")) == 5
    assert steps(d, "39Pz-HQ") == 1
    assert where(d, "150/79") == HEX  # the hex is empty at once


def test_sg_12_2_1b_units_beside_the_battle_count_and_attackers_too():
    """Of the stack at the start, also those that did not fight; the attackers' headquarters as well."""
    d = combat(("PzJG54/9FJ", HEX), ("3SSPz-HQ", HEX), ("Suelberg", HEX), ("212/80", EAST),
               side=GERMAN, dice={EAST: 1})  # fmt: skip
    d.order(GERMAN, f"attack {EAST} with Suelberg,PzJG54/9FJ", "done")
    assert told(d, Fought)[0].result == "A2"
    assert (where(d, "Suelberg"), where(d, "PzJG54/9FJ")) == (0, 0)
    assert [event.unit for event in told(d, PostLeft)] == ["3SSPz-HQ"]
    d = combat(("PzJG54/9FJ", HEX), ("3SSPz-HQ", HEX), ("Suelberg", HEX), ("212/80", EAST), ("14GC/7GC", 3719, 1),
               side=GERMAN, dice={3719: 2})  # fmt: skip
    d.order(GERMAN, "attack 3719 with Suelberg", "done")
    assert where(d, "Suelberg") == 0
    assert not told(d, PostLeft)


def test_sg_12_2_1b_a_headquarters_that_reforms_already_does_not_leave_again():
    state = position(("39Pz-HQ", HEX))
    post, unit = number("39Pz-HQ"), number("22/10SS")
    for place, fled in ((HEX, ((post, HEX),)), (REFORMING, ())):
        state.put(post, place)
        frame = Battle(seat=SOVIET, target=HEX, units=(), defenders=(unit,), posts=(post,), mates=((unit,),))
        Widowed().run(state, frame, Out())
        assert frame.fled == fled


def test_sg_12_2_2a_where_a_headquarters_reforms():
    """The nearest hexes five away or more, nearer to a source than before, out of zones, with a path."""
    post = number("39Pz-HQ")
    state = position(("39Pz-HQ", HEX))
    away, grid = to_source(CHART, "pz39"), CHART.board.grid
    found = lawful_posts(state, post, HEX)
    assert {grid.distance(HEX, place) for place in found} == {5}
    assert all(away[place] < away[HEX] for place in found)
    nearer = {place for place in CHART.board.places if grid.distance(HEX, place) == 5 and away[place] < away[HEX]}
    assert set(found) == nearer
    taken = position(("39Pz-HQ", HEX), ("3SSPz-HQ", found[0]), ("212/80", found[-1]))
    left = lawful_posts(taken, post, HEX)
    assert left
    assert not {found[0], found[-1]} & set(left)
    assert not any(taken.in_zone(place, SOVIET) for place in left)
    assert all(joined(taken, "pz39") & CHART.board.bit[place] for place in left)


def test_sg_12_2_2c_without_such_a_hex_it_waits_for_the_next_turn():
    """Its sources are held by the enemy: no path leads anywhere."""
    holders = [*zip(("212/80", "356/80", "415/9G"), (114, 117, 830), strict=True)]
    d = fought(("22/10SS", HEX, 1), ("39Pz-HQ", HEX), *holders)
    assert where(d, "39Pz-HQ") == REFORMING
    assert d.state.back[number("39Pz-HQ")] == d.state.turn + 1
    assert [event.hex for event in told(d, Reformed)] == [0]


def test_sg_12_2_2a_a_headquarters_that_reforms_loses_its_marker():
    d = fought(("22/10SS", HEX, 1), ("39Pz-HQ", HEX), cut=["39Pz-HQ"])
    d.order(GERMAN, d.legal(GERMAN)[0])
    assert d.state.pieces[number("39Pz-HQ")].supply == SUPPLIED


def test_sg_12_2_2a_12_2_2c_headquarters_reform_one_after_another():
    one, two = number("39Pz-HQ"), number("3SSPz-HQ")
    state = position(("39Pz-HQ", HEX), ("3SSPz-HQ", 3010))
    frame = Reform((one, two), (HEX, 3010), taken=True)
    PlacePost().do(state, frame, GERMAN, SetPost(one, 3020), Out())
    assert (frame.posts, frame.origins, state.at(one)) == ((two,), (3010,), 3020)
    frame = Reform((one, two), (HEX, 3010), taken=True)
    NoPlace().run(state, frame, Out())
    assert (frame.posts, frame.origins) == ((two,), (3010,))


# Fortresses


FORTRESS = ("F-Arnswalde", HEX)


def test_sg_12_3a_a_fortress_counts_for_stacking_and_fights():
    state = position(FORTRESS, ("Voigt", HEX))
    assert not state.has_room(number("Suelberg"), HEX)
    assert state.has_room(number("39Pz-HQ"), HEX)
    d = combat(*ATTACKERS, FORTRESS, ("Voigt", HEX), dice={HEX: 1})
    d.order(SOVIET, ATTACK, "done")
    assert told(d, Fought)[0].odds.startswith("14 to 7")


def test_sg_12_3b_12_3c_it_ignores_retreats_and_its_mates_do_not():
    """The hex is not empty then: nobody advances."""
    d = fought(FORTRESS, ("Voigt", HEX), die=5, order=f"{ATTACK} advance 150/79,{HEX}", pinned=["Voigt"])
    assert told(d, Fought)[0].result == "Dr1"
    assert where(d, "F-Arnswalde") == HEX
    assert where(d, "Voigt") != HEX
    assert not told(d, Advanced)


def test_sg_12_3b_9_3_1_with_a_fortress_alone_the_headquarters_stays():
    d = fought(FORTRESS, ("39Pz-HQ", HEX), die=5)
    assert told(d, Fought)[0].result == "Dr1"
    assert where(d, "39Pz-HQ") == where(d, "F-Arnswalde") == HEX
    d = fought(FORTRESS, ("Voigt", HEX), ("39Pz-HQ", HEX), die=5, pinned=["Voigt"])
    assert where(d, "39Pz-HQ") == where(d, "Voigt") != HEX


def test_sg_12_3b_a_fortress_joins_an_attack_and_does_not_advance():
    """AMB-10."""
    d = combat(FORTRESS, ("23/11SS", HEX), ("85T", EAST), side=GERMAN, dice={EAST: 6})
    d.order(GERMAN, f"attack {EAST} with F-Arnswalde,23/11SS advance F-Arnswalde,{EAST} 23/11SS,{EAST}", "done")
    assert told(d, Fought)[0].result == "Dr1"
    assert (where(d, "F-Arnswalde"), where(d, "23/11SS")) == (HEX, EAST)


@pytest.mark.parametrize("code", ["F-Arnswalde", "F-Bahn"])
def test_sg_12_3b_a_fortress_never_carries_a_marker(code):
    state = position((code, HEX), ("212/80", 114), ("356/80", 117), ("415/9G", 830))
    assert dict(judged(state, GERMAN))[number(code)] == SUPPLIED
