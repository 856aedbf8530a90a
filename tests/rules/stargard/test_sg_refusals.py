"""Orders that cannot be: each is refused with the number of its rule, and with what can be done instead."""

from __future__ import annotations

import pytest
from sg_plain import GERMAN, SOVIET, Dice, Table, number
from sg_positions import position

from pbem.engine.notation import NotationError
from pbem.engine.testing import at_step
from pbem.game import Order
from pbem_rules.stargard import game
from pbem_rules.stargard.arriving import FirstArrivals
from pbem_rules.stargard.barrage import Aim
from pbem_rules.stargard.command import DrawChit, ReadChit, in_command
from pbem_rules.stargard.fights import ListAttacks
from pbem_rules.stargard.frames import Activation, Barrage, Command, GameTurn, War
from pbem_rules.stargard.movement import Movement
from pbem_rules.stargard.orders import Activate
from pbem_rules.stargard.setup import PlaceFree, set_up
from pbem_rules.stargard.state import WAITING, State
from pbem_rules.stargard.turns import NextTurn
from pbem_rules.stargard.volkssturm import Deploy


def opening(turn: int = 2) -> State:
    state = set_up(game.setup_of())
    state.turn = turn
    return state


def activated(side: str, chit: str, formation: str, step: type = Movement) -> Table:
    state = opening()
    state.pin(number("22/10SS"))
    frame = Activation(side, chit, formation, in_command(state, formation))
    stack = (War(), NextTurn, True), (GameTurn(chit=chit), DrawChit), (frame, step)
    return Table(game, chance=Dice({}), machine=at_step(game, state, *stack))


def in_turn(state: State, *last: object) -> Table:
    stack = ((War(), NextTurn, True), *last)
    return Table(game, chance=Dice({}), machine=at_step(game, state, *stack))  # type: ignore[arg-type]


def refused(d: Table, text: str | Order) -> str:
    order = text if isinstance(text, Order) else game.notation.parse(text, d.context(d.asked[0]))[0]
    violation = d.check(d.asked[0], order)
    return "" if violation is None else f"{violation.rule}: {violation.reason}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("move 22/10ss 1015", "SG-8.1.2b: 22/10SS is pinned"),
        ("move 212/80 2411", "SG-5.0: 212/80 is an enemy unit"),
        ("move 2/1mar 0114", "SG-5.0: 2/1Mar is not on the map (reinforcements)"),
        ("move 21/10ss 1216", "SG-5.0: 21/10SS is already in 1216"),
        ("move 21/10ss 4830", "does not have enough movement points. Nearest to it, it can reach 2921, 2820,"),
        ("move 23/11ss 2411", "SG-3.3.1a: 23/11SS is not activated: it belongs to another formation, 3rd SS Panzer"),
        ("move kausch 4121", "SG-3.3.5: Kausch is not activated: it was out of command"),
        ("move 10ss-hq 4121", "SG-3.3.1b: 10SS-HQ is not activated: a headquarters activates no other"),
        ("move f-bahn 0706", "SG-12.3b: F-Bahn is a fortress, which never moves"),
        ("drive 69/28ss 1714", "SG-5.4.1a: 69/28SS does not stand on a road; `move` it"),
        ("rail 21/10ss 1714", "SG-5.5: 21/10SS cannot move by rail: that is for arrivals, and for the 3rd Panzer"),
        ("top 39pz-hq", "SG-1.1.4b: 39Pz-HQ is a headquarters; a combat unit lies on top"),
        ("top 61-hq", "SG-1.1.4b: 61-HQ is an enemy unit"),
        ("retreat 21/10ss 1217", "SG-2.3.2: `retreat` is not possible now. Turn 2, 39th Panzer Corps is active"),
        ("move 21/10ss " + "-".join(f"{n}14" for n in range(17, 30)), "SG-5.0: A move names one hex, or up to 12"),
    ],
)
def test_sg_5_0_moves_that_cannot_be(text, says):
    assert says in refused(activated(GERMAN, "39Pz", "pz39"), text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("attack 1411 with 39pz-hq", "SG-3.2: 39Pz-HQ is a headquarters; combat units attack"),
        ("attack 1411 with 212/80", "SG-3.2: 212/80 is an enemy unit; an attack names combat units of yours"),
        ("attack 1411 with 4a/4ss air 6ga", "SG-13.1a: An attack names air units of yours; ready are: 1JG, Rudel"),
        ("attack 1411 with 22/10ss", "SG-8.1.2b: 22/10SS is pinned"),
        ("attack 1307 with 21/10ss", "SG-8.0a: No enemy combat unit stands in 1307"),
    ],
)
def test_sg_8_0a_attacks_that_cannot_be(text, says):
    assert says in refused(activated(GERMAN, "39Pz", "pz39", ListAttacks), text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("activate 61", "SG-3.1.3: 61st Army was activated last; 1BRF can activate 2GT, 7GC, 47"),
        ("activate pz39", "SG-3.1.4: 39th Panzer Corps belongs to the enemy; 1BRF can"),
        ("activate 3sh", "SG-3.1.4: 3rd Shock Army has no headquarters on the map, or not for this chit; 1BRF can"),
        (Activate("none"), "SG-3.1.4: There is no such formation; 1BRF can activate 2GT, 7GC, 47"),
        ("done", "SG-3.1.4: `done` is not possible now. Chit 1BRF activates one of 2nd Guards Tank Army (2GT), "),
    ],
)
def test_sg_3_1_4a_formations_that_a_special_chit_cannot_activate(text, says):
    state = opening(4)
    state.last = "army61"
    d = in_turn(state, (GameTurn(chit="1BRF"), DrawChit), (Command(SOVIET, "1BRF"), ReadChit))
    assert says in refused(d, text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("place 9j/9fj 1714", "SG-15.0c: 9J/9FJ can be placed in 0510, 0410, 0310, 0311, besides where it stands"),
        ("place 22/10ss 1016", "SG-15.0c: 22/10SS is bound to its hex; you may place PzJG54/9FJ, PzJG53/9FJ,"),
        ("place konst-hq 3110", "SG-15.0c: Konst-HQ is an enemy unit; you may place"),
        ("move 9j/9fj 0411", "SG-15.0c: `move` is not possible now. Set-up: your units stand as the scenario suggests"),
    ],
)
def test_sg_15_0c_units_and_hexes_that_are_not_free(text, says):
    d = Table(game, chance=Dice({}), machine=at_step(game, opening(1), (War(), PlaceFree)))
    assert says in refused(d, text)


@pytest.mark.parametrize("text", ["fire 22/10ss", "fire 61-hq", "fire 212/80"])
def test_sg_8_5_1c_who_is_no_target_of_a_barrage(text):
    d = in_turn(opening(), (GameTurn(chit="39Pz"), DrawChit), (Barrage(GERMAN, attempts=2, label="t2/barrage"), Aim))
    says = "SG-8.5.1c: A target is the top combat unit of an enemy stack beside a combat unit of yours: 35M/1M,"
    assert says in refused(d, text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("done", "SG-7.0: 310/163 must enter: `enter 310/163 HEX`, in "),
        ("move 310 3719", "SG-7.0: 310/163 must enter first: `enter 310/163 HEX`"),
        ("enter 22/10ss 3721", "SG-7.0: 22/10SS does not arrive now; to come are 310/163"),
        ("enter 310 3721", "SG-7.1.2: 310/163 cannot be placed in 3721. It can be placed in "),
        ("restore 310", "SG-2.5: `restore` is not possible now. Turn 2, arrivals. To bring in"),
    ],
)
def test_sg_7_1_2a_arrivals_that_cannot_be(text, says):
    state = position(("88GT", 3721))
    state.put(number("310/163"), WAITING)
    assert says in refused(in_turn(state, (GameTurn(event="19.1.1"), FirstArrivals)), text)


def test_sg_7_3_2a_a_rebuilt_unit_needs_its_steps():
    state = position(("61-HQ", 2906), turn=5)
    state.set_steps(number("23/89"), 0)
    d = in_turn(state, (GameTurn(event="19.1.1"), FirstArrivals))
    assert refused(d, "rebuild 23/89 1714 1").startswith("SG-7.3.2: 23/89 can come back in 2806, 2807,")
    assert "`restore` is for units on the map" in refused(d, "rebuild 24/11ss 2906 1")
    with pytest.raises(NotationError, match="write it as: rebuild UNIT TO STEPS"):
        refused(d, "rebuild 23/89 2906")


def test_sg_12_4b_the_nearest_settlements_are_named():
    state = position(("61-HQ", 2906), ("212/80", 1303), turn=5)
    state.put(number("Pommern"), 9902)
    d = in_turn(state, (GameTurn(event="19.1.1"), Deploy))
    assert "Soviet unit; it can come to 1008, 0909, 1010" in refused(d, "enter pommern 1307")
