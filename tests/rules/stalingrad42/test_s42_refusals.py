"""Orders that cannot be: each is refused with the number of its rule, and with the reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.engine.testing import Driver, ScriptedChance, at_step
from pbem.game import NotationError
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.combat.fights import ListAttacks
from pbem_rules.stalingrad42.frames import GameTurn, PlayerTurn, War
from pbem_rules.stalingrad42.initial import Initial
from pbem_rules.stalingrad42.movement.phase import Movement
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import DISRUPTED, ELIMINATED, REMOVED, ROUTED, State
from pbem_rules.stalingrad42.supply.phase import Railheads, Resupply
from pbem_rules.stalingrad42.turns import AxisTurn, NextTurn, SovietTurn

AREAS = CHART.areas


def refused(s: State, f: PlayerTurn, step: type, text: str) -> str:
    """What the typed order is told in this step."""
    turn = AxisTurn if f.seat == AXIS else SovietTurn
    machine = at_step(game, s, (War(), NextTurn, True), (GameTurn(), turn), (f, step))
    d = Driver(game, chance=ScriptedChance({}), machine=machine)
    (order,) = game.notation.parse(text, d.context(f.seat))
    violation = d.check(f.seat, order)
    return "" if violation is None else f"{violation.rule}: {violation.reason}"


def change(s: State, code: str, **values: Any) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], **values))


# The Initial Phase.


def soviet_initial() -> tuple[State, PlayerTurn]:
    """Turn 5: five in the box, one of them lately; who is gone, disrupted, renewed; forts; support in every state."""
    s = at_start(CHART)
    s.turn = 5
    for code in ("45RD", "16TC", "62RD", "121RD", "106RB"):
        s.set_steps(number(code), 0, ELIMINATED)
    s.missing[number("62RD")] = 1
    s.put(number("160RD"), REMOVED)
    for code in ("13GRD", "15GRD"):
        s.set_steps(number(code), 1)
    change(s, "13GRD", order=DISRUPTED)
    s.renewed.add(number("15GRD"))
    s.forts[3417], s.digging[3416], s.forts[3610] = SOVIET, SOVIET, AXIS
    change(s, "SW-HQ", ready=True)
    change(s, "South-HQ", ready=False)
    change(s, "Bryansk-HQ", ready=False, order=DISRUPTED)
    change(s, "NCauc-HQ", ready=False)
    s.put(number("NCauc-HQ"), 3610)
    s.put(number("Sup-S1"), 3611)
    s.put(number("Sup-S2"), s.at(number("SW-HQ")))
    return s, PlayerTurn(SOVIET, points=2, spare={"infantry": 1, "tank": 1, "special": 1})


INITIAL = [
    ("arrive 45rd m", "S42-22.1: 45RD does not arrive in this turn, or has arrived"),
    ("arrive 29rd a", "S42-22.1: 29RD arrives in Area M, Area N, Area O, Area P"),
    ("arrive 29rd y", "S42-22.1: 29RD arrives in Area M, Area N, Area O, Area P"),
    ("arrive 28tc m", "S42-22.1: 28TC does not arrive in this turn, or has arrived"),
    ("arrive 323id y", "S42-22.1: 323ID does not arrive in this turn, or has arrived"),
    ("fort 9900", "S42-9.7.2: There is no land in 9900"),
    ("fort 2635", "S42-9.7.2: There is no land in 2635"),
    ("fort voronezh", "S42-9.7.3a: No fort can be built in 2503, on such ground"),
    ("fort 3417", "S42-9.7.3a: A fort stands in 3417, or is begun there"),
    ("fort 3416", "S42-9.7.3a: A fort stands in 3416, or is begun there"),
    ("fort 3610", "S42-9.7.3a: A fort stands in 3610, or is begun there"),
    ("fort kharkov", "S42-9.7.3a: No fort can be built in 1015, on such ground"),
    ("fort 1003", "S42-9.7.3a: No fort can be built in 1003, on such ground"),
    ("raze 3418", "S42-9.7.5: No fort that you have built, or begun, stands in 3418"),
    ("raze 3610", "S42-9.7.5: No fort that you have built, or begun, stands in 3610"),
    ("refit sw-hq", "S42-18.1c: SW-HQ is not support of yours that has been used"),
    ("refit 13grd", "S42-18.1c: 13GRD is not support of yours that has been used"),
    ("refit 6a-hq", "S42-18.1c: 6A-HQ is not support of yours that has been used"),
    ("refit bryansk-hq", "S42-18.1c: Bryansk-HQ is not in good order"),
    ("refit ncauc-hq", "S42-18.1c: NCauc-HQ is not on a railway that is joined to a source of supply"),
    ("bring y", "S42-18.1d: Area Y is not yours"),
    ("bring x", "S42-18.1d: Area X is not yours"),
    ("replace 45rd", "S42-21.3.1: 45RD can come back in Area A, Area B, Area M, Area N, Area O, Area P, Area Q,"),
    (
        "replace 45rd in y",
        "S42-21.3.1: 45RD can come back in Area A, Area B, Area M, Area N, Area O, Area P, Area Q,",
    ),
    (
        "replace 45rd in 3417",
        "S42-21.3.1: 45RD can come back in Area A, Area B, Area M, Area N, Area O, Area P, Area Q,",
    ),
    ("replace 45rd in voronezh by tank", "S42-21.1.4: 45RD can use infantry or special, not tank"),
    ("replace 16tc in voronezh", "S42-21.3.1: 16TC can come back in Area A, Area B: `replace 16TC in PLACE`"),
    ("replace 62rd in a", "S42-21.3.1g: 62RD has not been in the Eliminated Box for a full turn"),
    ("replace 160rd in a", "S42-21.1.1: 160RD is neither on the map nor in the Eliminated Box"),
    ("replace 13grd", "S42-21.2a: 13GRD is disrupted"),
    ("replace 15grd", "S42-21.2b: 15GRD has received its replacement of this turn"),
    ("replace 9pz", "S42-21.1: 9Pz is not a unit of yours"),
    ("replace 212rd", "S42-21.1.1: 212RD has all its steps"),
    ("replace 5cc", "S42-21.1.3: 5CC needs a replacement of the kind cavalry: none is left"),
    ("replace sup-s1", "S42-21.1.4: There are no replacements for Sup-S1"),
    ("replace 212rd in a", "S42-21.1.1: 212RD has all its steps"),
    ("replace 29rd in a", "S42-21.1.1: 29RD is neither on the map nor in the Eliminated Box"),
    ("ready sw-hq with sup-s2", "S42-18.2.1: SW-HQ is not support of yours that has been used"),
    ("ready south-hq with sup-s1", "S42-18.6.4: Sup-S1 does not lie with South-HQ"),
    ("ready 13grd with sup-s1", "S42-18.2.1: 13GRD is not support of yours that has been used"),
    ("ready south-hq with 13grd", "S42-18.6.4: 13GRD is not a supply point of yours that can be used"),
    ("ready bryansk-hq with sup-s1", "S42-18.6.4: Bryansk-HQ is not in good order"),
    ("done", "S42-22.1.2: These arrive, and are placed first: 2TC, 11TC, 107/159RD, 161/193RD, 195/303RD, 180TB,"),
    ("move 45rd 3417", "S42-3.B1: `move` is not possible now. Turn 5, Initial Phase: 2 resource points; replacements"),
    ("attack 3417 with 45rd", "S42-3.B1: `attack` is not possible now. Turn 5, Initial Phase: 2 resource points;"),
    ("railhead 1303 1402", "S42-3.B1: `railhead` is not possible now. Turn 5, Initial Phase: 2 resource points;"),
    ("storm 3417 with 45rd", "S42-3.B1: `storm` is not possible now. Turn 5, Initial Phase: 2 resource points;"),
]


@pytest.mark.parametrize(("text", "says"), INITIAL)
def test_s42_3_b1_initial_orders_that_cannot_be(text: str, says: str) -> None:
    assert refused(*soviet_initial(), Initial, text).startswith(says)


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        ("212RD", "S42-21.1.1: 212RD has all its steps"),
        ("9Pz", "S42-21.1: 9Pz is not a unit of yours"),
        ("3417", "S42-9.7.3a: A fort stands in 3417, or is begun there"),
    ],
)
def test_why_nothing_can_be_ordered_with_a_unit_or_a_hex(thing: str, says: str) -> None:
    s, f = soviet_initial()
    wrong = Initial().barred(s, f, SOVIET, thing)
    assert wrong is not None
    assert f"{wrong.rule}: {wrong.reason}".startswith(says)


# Movement.


def axis_movement(turn: int = 2) -> tuple[State, PlayerTurn]:
    """Units in every state: in a zone, shaken, cut off, on a train, renewed, frozen, in Areas; supplies too."""
    s = position(
        *(("9Pz", 3417), ("3Pz", 3417), ("45ID", 3415), ("95ID", 3413), ("57ID", 3413), ("168ID", 3413)),
        *(
            ("6A-HQ", 3412),
            ("2A-HQ", 3410),
            ("Sup-A1", 3412),
            ("Sup-A2", 3412),
            ("Sup-A3", 3412),
            ("Sup-A4", AREAS["y"]),
            ("1Rom", 3318),
        ),
        *(("6LHun", 3318), ("11Pz", 2809), ("24Pz", 1303), ("14Pz", 1303), ("13Pz", 1003), ("22Pz", 3518)),
        *(("383ID", AREAS["y"]), ("82ID", AREAS["y"]), ("88ID", AREAS["x"]), ("454Sec", 3408), ("75ID", 4105)),
        *(("29PzG", 1210), ("45RD", 3418), ("62RD", 3520), ("121RD", 3520), ("160RD", 3118), ("212RD", 3119)),
        ("284RD", 1212),
        turn=turn,
    )
    for code in ("95ID", "2A-HQ", "82ID"):
        change(s, code, order=DISRUPTED)
    change(s, "57ID", order=ROUTED)
    for code in ("168ID", "3Pz"):
        change(s, code, supply=1)
    for code in ("Sup-A2", "Sup-A3", "Sup-A4"):
        change(s, code, ready=True)
    s.fixed.add(number("Sup-A3"))
    s.renewed.add(number("14Pz"))
    change(s, "13Pz", train=True)
    s.frozen[number("454Sec")] = "garrison"
    s.digging[3318] = AXIS
    s.tracks = ((1303,),)
    gone = {number("22Pz")}
    return s, PlayerTurn(AXIS, moved=gone, hurried=set(gone))


AXIS_MOVES = [
    ("move 45rd 3419", "S42-5.1: 45RD is not a unit of yours on the map"),
    ("move 10tb 3419", "S42-5.1: 10TB is not a unit of yours on the map"),
    ("move 22pz 3519", "S42-5.1c: 22Pz has already moved"),
    ("move 454sec 3409", "S42-20.4: 454Sec may not move yet"),
    ("move 9pz 3417", "S42-5.1: 9Pz is already in 3417"),
    ("move 9pz 3418", "S42-5.1d: 9Pz cannot move to 3418: an enemy unit stands there. Nearest"),
    (
        "move 45id 3421",
        "S42-5.1a: 45ID cannot move to 3421: its movement allowance does not reach so far. Nearest to it, it can",
    ),
    ("move 45id 3411-3410-3409-3408-3407-3406-3405-3404-3403-3402-3401-3400-3500", "S42-5.1: A move names one"),
    ("move 9pz 3419", "S42-6.2a: 9Pz cannot move to 3419: it costs too much to leave the enemy zone. Nearest to"),
    ("move 9pz 3416-3516-3418", "S42-5.1d: 9Pz cannot move to 3418: an enemy unit stands there"),
    (
        "move 9pz 2538",
        "S42-5.1a: 9Pz cannot move to 2538: its movement allowance does not reach so far. Nearest to it, it can",
    ),
    ("move 95id 3412", "S42-13.2.1a: 95ID is disrupted, and can only move tactically"),
    (
        "move 57id 3416",
        "S42-5.1a: 57ID cannot move to 3416: its movement allowance does not reach so far. Nearest to it, it can",
    ),
    ("move 3pz 3416", "S42-16.4a: 3Pz is out of supply, and can only move tactically"),
    ("extended 6a-hq 3411", "S42-5.3a: 6A-HQ cannot use extended movement"),
    ("extended 454sec 3409", "S42-20.4: 454Sec may not move yet"),
    ("extended 95id 3412", "S42-13.2.1a: 95ID is disrupted, and can only move tactically"),
    ("extended 9pz 3519", "S42-5.3b: 9Pz cannot move to 3519: it lies in an enemy zone, and extended"),
    ("extended 45id 3417", "S42-5.3b: 45ID cannot move to 3417: it lies in an enemy zone, and extended"),
    ("extended sup-a1 3411", "S42-18.6.3: Sup-A1 is packed, and moves at its full allowance"),
    ("move sup-a2 3411", "S42-18.6.3: Sup-A2 is laid out, and moves tactically, or after `turn Sup-A2 packed`"),
    ("move sup-a4 3411", "S42-18.6.3: Sup-A4 is laid out, and moves tactically, or after `turn Sup-A4 packed`"),
    ("move sup-a3 3411", "S42-18.6.8: Sup-A3 is fixed: `turn` it first"),
    ("tactical sup-a1 3411", "S42-18.6.3: Sup-A1 is packed, and moves at its full allowance"),
    ("tactical sup-a3 3411", "S42-18.6.8: Sup-A3 is fixed: `turn` it first"),
    ("tactical 57id 3414", "S42-13.3.1a: 57ID is in Full Retreat: it moves at its full allowance"),
    (
        "tactical 45id 3412",
        "S42-5.4: 45ID cannot move to 3412: tactical movement goes two hexes at most. Nearest to it, it can",
    ),
    ("tactical 11pz 2909-3009-3109", "S42-5.4: 11Pz cannot move to 3109: tactical movement goes two hexes at most"),
    ("tactical 13pz 1004", "S42-5.6.5a: 13Pz is on a train until your next turn begins"),
    ("move 13pz 1004", "S42-5.6.5a: 13Pz is on a train until your next turn begins"),
    ("move 14pz 1301", "S42-21.4a: 14Pz cannot move to 1301: it has a replacement, and moves one hex. Nearest to"),
    ("move 14pz 1302-1301", "S42-21.4a: 14Pz has a replacement: it moves one hex on the ground, and no further"),
    ("move 82id 1003", "S42-22.3.1b: 82ID is disrupted; units can leave Areas only in good order"),
    ("tactical 82id 1003", "S42-22.3.1b: 82ID is disrupted; units can leave Areas only in good order"),
    (
        "move 383id 3417",
        "S42-5.1a: 383ID cannot move to 3417: its movement allowance does not reach so far. Nearest to it, it can",
    ),
    ("withdraw 45rd", "S42-5.1: 45RD is not a unit of yours on the map"),
    ("withdraw 57id 3414", "S42-13.1.3c: 57ID cannot go into Full Retreat now"),
    ("withdraw sup-a1 3411", "S42-13.1.3c: Sup-A1 cannot go into Full Retreat now"),
    ("withdraw 9pz to 3418", "S42-5.1d: 9Pz cannot move to 3418: an enemy unit stands there"),
    ("withdraw 383id", "S42-13.1.3c: 383ID cannot go into Full Retreat now"),
    ("withdraw 22pz", "S42-5.1c: 22Pz has already moved"),
    (
        "withdraw 45id to 3400",
        "S42-5.1a: 45ID cannot move to 3400: its movement allowance does not reach so far. Nearest to it, it can",
    ),
    ("turn 9pz ready", "S42-18.6.2: 9Pz is not a supply point"),
    ("turn sup-a1 packed", "S42-18.6.2: Sup-A1 is already packed"),
    ("turn sup-a2 ready", "S42-18.6.2: Sup-A2 is already ready"),
    ("turn sup-s1 ready", "S42-5.1: Sup-S1 is not a unit of yours on the map"),
    ("rail 9pz 1003", "S42-5.6.3a: In 3417, where 9Pz stands, is no railway that your units can use"),
    ("rail 24pz 2029", "S42-5.6.3a: No railway free of enemies and their zones brings 24Pz to 2029"),
    ("rail 24pz 1303", "S42-5.6: 24Pz is already in 1303"),
    ("rail 24pz voronezh", "S42-5.6.3a: In 2503 is no railway that your units can use"),
    ("rail 24pz b", "S42-5.6.3a: In Area B is no railway that your units can use"),
    ("rail 14pz 1003", "S42-21.4a: 14Pz has a replacement: it moves one hex on the ground, and no further"),
    ("rail 13pz 2029", "S42-5.6.5a: 13Pz is on a train until your next turn begins"),
    ("rail 95id 1003", "S42-5.6.3c: 95ID is disrupted"),
    ("rail 22pz 1003", "S42-5.1c: 22Pz has already moved"),
    ("rail 29pzg 1003", "S42-5.6.3d: Another unit has come to 1003 by rail"),
    ("sail 45id taganrog", "S42-5.7.1a: Only Soviet units move by sea"),
    ("sail 14pz taganrog", "S42-21.4a: 14Pz has a replacement: it moves one hex on the ground, and no further"),
    ("transfer 9pz x", "S42-22.6: 9Pz is not in an Area"),
    ("transfer 383id y", "S42-22.6: 383ID can go round to Area X, Area Z"),
    ("transfer 383id a", "S42-22.6: 383ID can go round to Area X, Area Z"),
    ("transfer 82id x", "S42-22.3.1b: 82ID can leave its Area only in good order"),
    ("transfer 22pz x", "S42-5.1c: 22Pz has already moved"),
    ("exit 75id q", "S42-S1.2e: 75ID cannot reach Area Q in this turn"),
    ("exit 75id b", "S42-S1.2e: The Axis leaves the map, by the Areas M, N, O, P, Q, R"),
    ("exit 9pz m", "S42-S1.2e: 9Pz cannot reach Area M in this turn"),
    ("exit 75id y", "S42-S1.2e: The Axis leaves the map, by the Areas M, N, O, P, Q, R"),
    ("exit 22pz m", "S42-5.1c: 22Pz has already moved"),
    ("storm 3418 with 9pz", "S42-8.6.1a: The odds are 10:5, with all shifts less than 10:1"),
    ("storm 3418 with 45rd", "S42-8.1a: 45RD is not a unit of yours on the map"),
    ("storm 3418 with 22pz", "S42-5.3c: 22Pz has used extended movement"),
    ("storm 3418 with 95id", "S42-8.1g: 95ID is disrupted, and cannot attack"),
    ("storm 3418 with 11pz", "S42-8.2a: 11Pz does not stand beside 3418"),
    ("storm 3418 with 1rom", "S42-9.7.2f: 1Rom stands where a fort is under construction"),
    ("storm 3419 with 9pz", "S42-8.1a: No enemy combat unit stands in 3419"),
    ("storm 3418 with 6a-hq", "S42-8.1g: 6A-HQ has no attack strength"),
    ("storm 3418 with 13pz", "S42-8.1g: 13Pz is on a train, and cannot attack"),
    ("storm 3418 with 14pz", "S42-21.4d: 14Pz stands with a unit that has received a replacement"),
    ("storm 3418 with 383id", "S42-22.7a: 383ID is in an Area: from there units attack in the Combat Phase"),
    ("storm 3418 with 9pz advance 9pz", "S42-8.6.1a: The odds are 10:5, with all shifts less than 10:1"),
    ("storm 3418 with 9pz advance 45rd 3418", "S42-8.6.1a: The odds are 10:5, with all shifts less than 10:1"),
    ("storm 3418 with 9pz 3pz lose 62rd", "S42-8.6.1a: The odds are 15:5, with all shifts less than 10:1"),
    ("storm 3418 with 9pz break 9pz", "S42-8.6.1a: The odds are 10:5, with all shifts less than 10:1"),
    ("remove 9pz", "S42-4.4: 9Pz does not stand where too many do"),
    ("raze 3417", "S42-9.7.5: No fort that you have built, or begun, stands in 3417"),
    ("arrive 323id y", "S42-3.B2a: `arrive` is not possible now. Turn 2, movement: 20 units can move. Then `done`"),
    ("attack 3418 with 9pz", "S42-3.B2a: `attack` is not possible now. Turn 2, movement: 20 units can move. Then"),
    ("ready 6a-hq with sup-a1", "S42-3.B2a: `ready` is not possible now. Turn 2, movement: 20 units can move. Then"),
    ("railhead 1303 1402", "S42-3.B2a: `railhead` is not possible now. Turn 2, movement: 20 units can move. Then"),
    ("fort 3417", "S42-3.B2a: `fort` is not possible now. Turn 2, movement: 20 units can move. Then `done`"),
    ("lose 9pz", "S42-3.B2a: `lose` is not possible now. Turn 2, movement: 20 units can move. Then `done`"),
    ("advance 9pz 3418", "S42-3.B2a: `advance` is not possible now. Turn 2, movement: 20 units can move. Then `done`"),
]


@pytest.mark.parametrize(("text", "says"), AXIS_MOVES)
def test_s42_5_1_3_b2_moves_of_the_axis_that_cannot_be(text: str, says: str) -> None:
    assert refused(*axis_movement(), Movement, text).startswith(says)


FIRST_TURN = [
    ("move 45id 3414", "S42-S1.2b: In the first turn 45ID can only move tactically"),
    ("extended 9pz 3416", "S42-S1.2b: In the first turn 9Pz can only move tactically"),
    ("withdraw 9pz to 3416", "S42-S1.2b: In the first turn 9Pz can only move tactically"),
    ("rail 24pz 2029", "S42-S1.2b: In the first turn 24Pz can only move tactically"),
]


@pytest.mark.parametrize(("text", "says"), FIRST_TURN)
def test_s42_s1_2b_moves_of_the_first_turn_that_cannot_be(text: str, says: str) -> None:
    assert refused(*axis_movement(1), Movement, text).startswith(says)


def soviet_movement() -> tuple[State, PlayerTurn]:
    """In ports and Areas; a unit of the 5th Reserve Army has come by rail, and too many stand in 2503 and 3134."""
    s = position(
        *(("45RD", 3134), ("62RD", 3134), ("76NB", 3133), ("68NB", 2338), ("16TC", 3134), ("116CD", 2338)),
        *(("121RD", AREAS["m"]), ("160RD", AREAS["a"]), ("14GRD", AREAS["m"]), ("153RD", AREAS["m"])),
        *(("Sup-S1", 3134), ("212RD", 2503), ("284RD", 2503), ("219RD", 2503), ("Bryansk-HQ", 2608)),
        *(("9Pz", 3033), ("45ID", 1936)),
        turn=3,
    )
    change(s, "62RD", order=DISRUPTED)
    s.frozen[number("116CD")] = "caucasus"
    s.by_rail5 = True
    return s, PlayerTurn(SOVIET)


SOVIET_MOVES = [
    ("sail 45rd mariupol", "S42-5.7.1b: 45RD cannot sail to 1936; it can sail to 2338"),
    ("sail 45rd voronezh", "S42-5.7.1b: 45RD cannot sail to 2503; it can sail to 2338"),
    ("sail 62rd yeysk", "S42-5.7.1a: 62RD is on a train or not in good order, and does not move by sea"),
    ("sail 16tc yeysk", "S42-5.7.1a: 16TC has vehicles, and does not move by sea"),
    ("sail 116cd rostov", "S42-20.4: 116CD may not move yet"),
    ("sail 121rd yeysk", "S42-5.7.1b: 121RD is not in a port of its side"),
    ("sail 76nb yeysk", "S42-5.7.1b: 76NB is not in a port of its side"),
    ("exit 45rd m", "S42-S1.2e: The Axis leaves the map, by the Areas M, N, O, P, Q, R"),
    ("rail 14grd 3301", "S42-S1.2h: A unit of the 5th Reserve Army has come by rail; 14GRD enters on foot"),
    ("rail 45rd 2708", "S42-5.6.3b: In 3134, where 45RD stands, no unit gets on or off a train: it lies in an enemy"),
    ("rail 160rd 3134", "S42-4.4b: 160RD cannot go to 3134: there is no room"),
    ("transfer 160rd y", "S42-22.6: 160RD can go round to Area B, Area M, Area N, Area O, Area P, Area Q, Area R"),
    ("move 160rd y", "S42-22.4b: 160RD cannot move to Area Y: its side cannot move into this Area"),
    ("done", "S42-4.4: Too many units stand in 2503, 3134: move or `remove` some of them"),
    ("storm 3033 with 45rd", "S42-8.6.1a: The odds are 3:8, with all shifts less than 10:1"),
    ("storm 3033 with 45rd 16tc", "S42-8.6.1a: The odds are 10:8, with all shifts less than 10:1"),
    ("move 116cd 2339", "S42-20.4: 116CD may not move yet"),
    ("tactical 62rd 3033", "S42-5.1d: 62RD cannot move to 3033: an enemy unit stands there."),
    ("railhead 1303 1402", "S42-3.B2a: `railhead` is not possible now. Turn 3, movement: 14 units can move"),
]


@pytest.mark.parametrize(("text", "says"), SOVIET_MOVES)
def test_s42_5_7_1_3_b2_moves_of_the_soviets_that_cannot_be(text: str, says: str) -> None:
    assert refused(*soviet_movement(), Movement, text).startswith(says)


AFTER_SAILING = [
    ("sail 45rd yeysk", "S42-5.7.1a: A unit has moved on this sea in this turn"),
    ("sail 76nb yeysk", "S42-5.7.1a: A unit has moved on this sea in this turn"),
    ("move 76nb 3132", "S42-5.7.1f: 76NB has moved a hex, and can only go on by sea"),
    ("extended 76nb 3132", "S42-5.7.1f: 76NB has moved a hex, and can only go on by sea"),
    ("rail 76nb 2708", "S42-5.6.3e: 76NB has already moved"),
    ("withdraw 76nb to 3135", "S42-13.1.3c: 76NB cannot go into Full Retreat now"),
    ("rail 160rd 3134", "S42-5.6.2: 4 units have used the railways in this turn"),
    ("rail 212rd 2708", "S42-5.6.2: 4 units have used the railways in this turn"),
]


@pytest.mark.parametrize(("text", "says"), AFTER_SAILING)
def test_s42_5_6_2_5_7_1_when_ships_and_railways_are_used_up(text: str, says: str) -> None:
    s, f = soviet_movement()
    f.sailed, f.rides, f.rides_on_map = {"azov"}, 4, 1
    f.halfway[number("76NB")] = "tactical"
    assert refused(s, f, Movement, text).startswith(says)


# Combat.


def axis_combat() -> tuple[State, PlayerTurn]:
    """Orders for units that may not attack: spent, moved too far, on a train, disrupted, or too far from the target."""
    s = position(
        *(("9Pz", 3417), ("3Pz", 3417), ("45ID", 3417, 1), ("6A-HQ", 3412), ("2A-HQ", 3316), ("Sup-A1", 3316)),
        *(("1Rom", 3318), ("6LHun", 3318), ("11Pz", 3519), ("383ID", AREAS["y"]), ("82ID", 1003), ("24Pz", 3617)),
        *(("14Pz", 3420), ("13Pz", 3320), ("22Pz", 3616), ("45RD", 3418), ("62RD", 3618), ("121RD", 3518)),
        *(("160RD", 1103), ("212RD", AREAS["m"]), ("10TB", 3418)),
    )
    change(s, "13Pz", order=DISRUPTED)
    change(s, "22Pz", train=True)
    change(s, "6A-HQ", ready=True)
    s.renewed.add(number("14Pz"))
    s.digging[1003] = AXIS
    f = PlayerTurn(AXIS, hurried={number("24Pz")}, moved={number("383ID")})
    f.advanced.add(number("11Pz"))
    f.attacked.add(number("121RD"))
    f.fought.add(number("3Pz"))
    return s, f


ATTACKS = [
    ("attack 3418 with 45rd", "S42-8.1a: An attack names units of yours"),
    ("attack 3419 with 9pz", "S42-8.1a: No enemy combat unit stands in 3419"),
    ("attack 3618 with 9pz", "S42-8.2a: 9Pz does not stand beside 3618"),
    ("attack 3518 with 9pz", "S42-8.1b: 3518 can be attacked only once in a phase"),
    ("attack 3418 with 3pz", "S42-8.1b: 3Pz can attack only once in a phase"),
    ("attack 3418 with 11pz", "S42-14.1a: 11Pz has advanced after combat, and cannot attack any more"),
    ("attack 3418 with 13pz", "S42-8.1g: 13Pz is disrupted, and cannot attack"),
    ("attack 3618 with 24pz", "S42-5.3c: 24Pz has used extended movement"),
    ("attack 3418 with 14pz", "S42-21.4d: 14Pz stands with a unit that has received a replacement"),
    ("attack 1103 with 82id", "S42-9.7.2f: 82ID stands where a fort is under construction"),
    ("attack 3418 with 22pz", "S42-8.1g: 22Pz is on a train, and cannot attack"),
    ("attack 3418 with 383id", "S42-22.6.1b: 383ID has come to its Area in this turn, and attacks in a later one"),
    ("attack 3418 with 45id", "S42-8.4.1: The odds are below 1:3, so the attack is not allowed"),
    ("attack 3418 with 6a-hq", "S42-8.1g: 6A-HQ has no attack strength"),
    ("attack 3418 with 1rom 6lhun", "S42-20.5.1: Allies of different nations do not attack together"),
    ("attack 3418 with 9pz guns 2a-hq", "S42-18.2.1: 2A-HQ is neither support that is ready nor a supply point"),
    ("attack 3418 with 9pz guns sup-a1", "S42-18.2.1: Sup-A1 is neither support that is ready nor a supply point"),
    ("attack 3418 with 9pz guns sw-hq", "S42-18.3.1: SW-HQ is not yours"),
    ("attack 3418 with 9pz guns 45id", "S42-18.2.1: 45ID is neither support that is ready nor a supply point laid"),
    ("attack 3418 with 9pz advance 9pz", "S42-14.1: An advance names each unit before the hexes that it enters"),
    ("attack 3418 with 9pz advance 45rd 3418", "S42-14.1a: 45RD is not yours"),
    ("attack 3418 with 9pz advance 9pz 3418 3419 3420 3421 3422", "S42-14.2.1: An advance is at most 4 hexes long,"),
    ("attack 3418 with 9pz advance 3418", "S42-14.1: An advance names each unit before the hexes that it enters"),
    ("attack 3418 with 9pz break 3pz via 3418", "S42-15.2.3: The units that break through must be among the attackers"),
    ("attack 3418 with 9pz break 9pz", "S42-15.2: A breakthrough names its units, `break UNITS`, and their way,"),
    ("attack 3418 with 9pz via 3418", "S42-15.2: A breakthrough names its units, `break UNITS`, and their way,"),
    ("attack 3418 with 9pz break 9pz via 3418-3419-3420-3421-3422-3423-3424-3425-3426", "S42-15.2.4: The way of a"),
    ("attack 3418 with 383id break 383id via 3419", "S42-15.2.3: 3419 is not beside Area Y, from where 383ID would go"),
    ("attack 3418 with 9pz after 1", "S42-8.1: There is no entry 1 before this one"),
    ("attack 3418 with 9pz unless 3", "S42-8.1: There is no entry 3 before this one"),
    (
        "move 9pz 3416",
        "S42-8.1: `move` is not possible now. Turn 2, combat: list attacks in order with `attack HEX with UNITS`;",
    ),
    (
        "storm 3418 with 9pz",
        "S42-8.1: `storm` is not possible now. Turn 2, combat: list attacks in order with `attack HEX with UNITS`;",
    ),
    ("strike 1", "S42-8.1: There is no entry 1 that could be struck off"),
]


@pytest.mark.parametrize(("text", "says"), ATTACKS)
def test_s42_8_1_3_b3_attacks_that_cannot_be(text: str, says: str) -> None:
    assert refused(*axis_combat(), ListAttacks, text).startswith(says)


@pytest.mark.parametrize(
    ("step", "text"),
    [
        *(
            (Initial, each)
            for each in ("arrive 9id x", "refit 9id", "replace 9id", "replace 9id in x", "ready 9id with 9id")
        ),
        *((Movement, f"{each} 9id 3416") for each in ("move", "extended", "tactical", "rail", "sail")),
        *(
            (Movement, each)
            for each in ("withdraw 9id", "turn 9id ready", "transfer 9id x", "exit 9id q", "remove 9id")
        ),
        *((Movement, f"storm 3418 with {each}") for each in ("9id", "9pz lose 9id", "9pz advance 9id 3418")),
        *((ListAttacks, f"attack 3418 with {each}") for each in ("9id", "9pz guns 9id", "9pz advance 9id 3418")),
        (ListAttacks, "attack 3418 with 9pz break 9id via 3418"),
        (Resupply, "ready 6a-hq with 9id"),
    ],
)
def test_orders_for_a_unit_of_a_later_scenario_are_refused(step: type, text: str) -> None:
    s, f = axis_supplies() if step is Resupply else axis_combat()
    assert refused(s, f, step, text)


def test_a_slip_of_a_code_proposes_units_that_are_in_the_game() -> None:
    """9ID, 299ID and 99LwD are of later scenarios."""
    s, f = at_start(CHART), PlayerTurn(AXIS)
    with pytest.raises(NotationError, match=r"'999id' is not a unit. Did you mean 95ID or") as caught:
        refused(s, f, ListAttacks, "attack 1502 with 999id")
    assert all(s.on_map(number(code)) for code in caught.value.candidates)
    with pytest.raises(
        NotationError, match=r"'9:1' is not one of the odds: there are 1:3, 1:2, 1:1, .*, 7:1; write it as"
    ):
        refused(*axis_combat(), ListAttacks, "attack 3418 with 9pz at 9:1")


# Supply.


def axis_railheads() -> tuple[State, PlayerTurn]:
    """An enemy at one railhead, and another that has moved."""
    s = at_start(CHART)
    for unit in list(s.ground.standing(SOVIET)):
        s.put(unit, REMOVED)
    s.put(number("45RD"), 1717)
    return s, PlayerTurn(AXIS, repairs=(2,))


RAILHEADS = [
    ("railhead 3417 3418", "S42-17.2.1: No railhead stands in 3417"),
    ("railhead 1303 1304", "S42-17.2.1: The railhead in 1303 goes up to two hexes along green railway, clear of"),
    ("railhead 1303 1402-1502-1602", "S42-17.2.1: The railhead in 1303 goes up to two hexes along green railway,"),
    ("railhead 1303 9999", "S42-17.2.1: The railhead in 1303 goes up to two hexes along green railway, clear of"),
    ("railhead 1717 1817", "S42-17.3.2: The railhead in 1717 is cut off from its sources, and cannot move"),
    ("railhead 2126 2225", "S42-17.2.1: The railhead in 2126 cannot move again in this turn"),
    ("railhead 1303 1202", "S42-17.2.1: The railhead in 1303 goes up to two hexes along green railway, clear of"),
    (
        "ready 6a-hq with sup-a1",
        "S42-17.2.1: `ready` is not possible now. 3 railheads can move: `railhead FROM HEX-HEX`;",
    ),
    (
        "move 9pz 1304",
        "S42-17.2.1: `move` is not possible now. 3 railheads can move: `railhead FROM HEX-HEX`;",
    ),
]


@pytest.mark.parametrize(("text", "says"), RAILHEADS)
def test_s42_17_2_1_railheads_that_cannot_move(text: str, says: str) -> None:
    assert refused(*axis_railheads(), Railheads, text).startswith(says)


def axis_supplies() -> tuple[State, PlayerTurn]:
    """Support that is ready, used, disrupted, and the enemy's; supplies with it, elsewhere, and in the pool."""
    s = position(
        *(("6A-HQ", 3417), ("Sup-A1", 3417), ("2A-HQ", 3416), ("Sup-A2", 3415), ("17A-HQ", 3415), ("45RD", 3410)),
        ("SW-HQ", 3410),
    )
    change(s, "2A-HQ", ready=True)
    change(s, "17A-HQ", order=DISRUPTED)
    return s, PlayerTurn(AXIS)


SUPPLIES = [
    ("ready 2a-hq with sup-a1", "S42-18.2.1: 2A-HQ is not support of yours that has been used"),
    ("ready 6a-hq with sup-a2", "S42-18.6.4: Sup-A2 does not lie with 6A-HQ"),
    ("ready 17a-hq with sup-a2", "S42-18.6.4: 17A-HQ is not in good order"),
    ("ready sw-hq with sup-a1", "S42-18.2.1: SW-HQ is not support of yours that has been used"),
    ("ready 6a-hq with 2a-hq", "S42-18.6.4: 2A-HQ is not a supply point of yours that can be used"),
    ("ready 6a-hq with sup-s1", "S42-18.6.4: Sup-S1 is not a supply point of yours that can be used"),
    (
        "railhead 1303 1402",
        "S42-18.6.4: `railhead` is not possible now. Supply points can make support ready:",
    ),
    (
        "refit 6a-hq",
        "S42-18.6.4: `refit` is not possible now. Supply points can make support ready:",
    ),
]


@pytest.mark.parametrize(("text", "says"), SUPPLIES)
def test_s42_18_6_4_supplies_that_cannot_be_spent(text: str, says: str) -> None:
    assert refused(*axis_supplies(), Resupply, text).startswith(says)
