"""S42-34: Maskirovka, in the campaign from turn 21 on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from s42_brawler import Brawler
from s42_masked import ARMIES, CHART, MASKED, Masked, unit
from s42_positions import position

from pbem.engine.archive import verify_archive
from pbem.engine.testing import Chance, random_game
from pbem.engine.testing.contract import check_boxes
from pbem.engine.testing.driver import IllegalOrderError
from pbem.engine.testing.inmemory import Table
from pbem.game import Context, Frame, Known, NotationError, Order, Out, Setup
from pbem.home import offers, orders, seen, sending
from pbem.kit import COMBATS
from pbem_rules.stalingrad42.board import text_board
from pbem_rules.stalingrad42.campaign.armies import (
    FAR_AREAS,
    Armies,
    ArmyExtended,
    ArmyMoves,
    ArmyRails,
    ArmyTransfers,
    Assigns,
    ChooseDefenders,
    Fallen,
    Pairing,
    Remasks,
    Reveals,
    Shows,
    Unmask,
    in_supply,
    joined,
    wrong_box,
)
from pbem_rules.stalingrad42.campaign.boxes import content, disband_exposed
from pbem_rules.stalingrad42.chart import AXIS, SIDES, SLOW, SOVIET
from pbem_rules.stalingrad42.combat.advance import ways
from pbem_rules.stalingrad42.combat.fights import Attacks, targets
from pbem_rules.stalingrad42.combat.flight import ChooseWay
from pbem_rules.stalingrad42.combat.guns import posts
from pbem_rules.stalingrad42.events import Disbanded, Fought, Unmasked
from pbem_rules.stalingrad42.frames import PlayerTurn, Retreat
from pbem_rules.stalingrad42.initial import Begin
from pbem_rules.stalingrad42.movement.marching import allowance
from pbem_rules.stalingrad42.movement.passing import come_through
from pbem_rules.stalingrad42.movement.phase import Movement, TacticalMoves, crowded
from pbem_rules.stalingrad42.movement.rail import connected
from pbem_rules.stalingrad42.movement.sea import no_sailing
from pbem_rules.stalingrad42.notation import place_of
from pbem_rules.stalingrad42.orders import (
    Assign,
    Attack,
    Done,
    Entrain,
    Extended,
    Move,
    Pair,
    Remask,
    Renew,
    Reveal,
    Sail,
    Sally,
    Show,
    Tactical,
    Transfer,
    Withdraw,
)
from pbem_rules.stalingrad42.replacements import Renewals, capacity, open_boxes
from pbem_rules.stalingrad42.scenarios import CAMPAIGN
from pbem_rules.stalingrad42.state import (
    BOX,
    BOX_ROOM,
    BOXES,
    DISENGAGING,
    DISRUPTED,
    ELIMINATED,
    REMOVED,
    ROUTED,
    State,
)
from tests.home.desks import desk_at

A, B, C = ARMIES[:3]
PANZER = 4515
FRONT = 4516  # beside the panzer divisions
BACK = 4518


def own_of(boxes: tuple[int, ...] = (1, 2, 3, 4, 5, 6)) -> Known:
    """What the owner knows."""
    return {f"slot{army}": Pair(army, box) for army, box in zip(ARMIES, boxes, strict=True)}


OWN = own_of()


def masked(places: dict[int, int] | None = None) -> tuple[State, PlayerTurn]:
    """All six have come, and are paired: A with box 1, and so on; in Area A if nothing else is said."""
    s = Masked().state
    for army in ARMIES:
        s.put(army, (places or {}).get(army, CHART.areas["a"]))
        s.masks[army] = f"slot{army}"
    return s, PlayerTurn(SOVIET)


def rule_of(wrong: object) -> str:
    return getattr(wrong, "rule", "")


def judged(s: State, f: PlayerTurn, order: Order, own: Known = OWN) -> str:
    """As the owner's program judges it."""
    step = Armies()
    slots = step.opens(s, f, SOVIET, order)
    proof = {slot: own[slot] for slot in slots}
    return rule_of(step.check(s, f, SOVIET, order, proof) or step.duty(s, f, SOVIET, order, own))


def put(s: State, box: int, *codes: str) -> None:
    for code in codes:
        s.put(unit(code), BOX + box)


# Pairing


def test_s42_34_1_1_every_pairing_gives_a_box_of_one_size() -> None:
    d = Masked()
    d.pass_to(SOVIET, "initial")
    for army in ARMIES:
        d.type(f"arrive {CHART.units[army].code} a")
    d.pass_to(SOVIET, "pairing")
    check_boxes(d.machine, SOVIET, d.own(SOVIET))
    assert len(d.legal(SOVIET)) == 6


def test_s42_34_1_1_six_armies_come_and_each_is_paired_unseen() -> None:
    d = Masked()
    d.pass_to(SOVIET, "initial")
    d.arrive(boxes=(4, 2, 6, 1, 3, 5))
    s = d.state
    assert set(s.masks) == set(ARMIES)
    assert len(set(s.masks.values())) == 6  # a commitment each
    assert not s.shown
    assert d.need.kind == "armies"  # type: ignore[union-attr]
    seen, unseen = text_board(d.view(SOVIET)), text_board(d.view(AXIS))
    assert "Reserve-A in Area A: box 4." in seen
    assert "Reserve-A in Area A: its box is not known." in unseen
    assert wrong_box(s, Pair(A, 7)) is not None
    assert wrong_box(s, Pair(A, 0)) is not None


def test_s42_34_1_1_a_box_belongs_to_one_army() -> None:
    s, f = masked()
    del s.masks[C]
    step = Pairing()
    assert list(step.legal(s, f, SOVIET, OWN)) == [Pair(C, 3)]
    assert step.check(s, f, SOVIET, Pair(C, 1), {}) is None  # nobody else could see that
    assert rule_of(step.duty(s, f, SOVIET, Pair(C, 1), OWN)) == "S42-34.1.2b"
    assert step.check(s, f, SOVIET, Pair(A, 3), {}) is not None  # not the one that is asked about
    s.shown[A] = 1
    assert rule_of(step.check(s, f, SOVIET, Pair(C, 1), {})) == "S42-34.1.1"


def test_s42_34_1_2a_what_is_in_the_boxes_all_see() -> None:
    d = Masked()
    d.arrive()
    d.type("assign 13grd box2")
    for side in SIDES:
        assert "box 2 of the reserve armies: 13GRD" in text_board(d.view(side))
    assert place_of(d.state, "box2") is None  # no place that is asked about


def test_s42_34_1_2b_only_armies_that_began_together_are_paired_anew() -> None:
    s, f = masked({C: FRONT})
    assert judged(s, f, Remask(FRONT)) == "S42-34.1.2"  # one alone
    assert judged(s, f, Remask(CHART.areas["a"])) == ""
    f.moved.update(army for army in ARMIES if army not in (A, C))
    assert judged(s, f, Remask(CHART.areas["a"])) == "S42-34.1.2"  # the others have moved
    f.moved.clear()
    Remasks().apply(s, f, SOVIET, Remask(CHART.areas["a"]), Out())
    assert set(s.masks) == {C}
    step = Pairing()
    assert {order.box for order in step.legal(s, f, SOVIET, OWN)} == {1, 2, 4, 5, 6}  # not that of C
    assert rule_of(step.duty(s, f, SOVIET, Pair(A, 3), OWN)) == "S42-34.1.2b"
    own = {**OWN, "new": Pair(A, 5)}
    step.hide(s, f, {SOVIET: "new"}, Out())
    assert {order.box for order in step.legal(s, f, SOVIET, own)} == {1, 2, 4, 6}
    assert judged(s, f, Remask(CHART.areas["a"])) == "S42-34.1.2"  # once


def test_s42_34_1_2b_in_play_each_is_committed_anew_and_may_stay_as_it_is() -> None:
    d = Masked()
    d.arrive()
    before = dict(d.state.masks.items())
    d.type("remask a")
    for army, box in zip(ARMIES, (2, 1, 3, 4, 5, 6), strict=True):
        d.type(f"pair {CHART.units[army].code} box{box}")
    assert not set(before.values()) & set(d.state.masks.values())
    assert d.need.kind == "armies"  # type: ignore[union-attr]
    with pytest.raises(IllegalOrderError):
        d.type("reveal Reserve-A box1")


def test_s42_34_1_2b_34_1_1_a_box_that_no_army_has_is_not_mixed_in() -> None:
    s, f = masked()
    last = ARMIES[-1]
    del s.masks[last]
    s.put(last, REMOVED)
    f.moved.update(army for army in ARMIES if army not in (A, B))
    step, own = Pairing(), {**OWN, "new a": Pair(A, 2), "new b": Pair(B, 1)}
    assert step.by(s, f) == ()
    assert judged(s, f, Remask(CHART.areas["a"])) == ""  # two are enough
    Remasks().apply(s, f, SOVIET, Remask(CHART.areas["a"]), Out())
    assert step.by(s, f) == (SOVIET,)
    assert list(step.legal(s, f, SOVIET, own)) == [Pair(A, 1), Pair(A, 2)]
    step.hide(s, f, {SOVIET: "new a"}, Out())
    assert list(step.legal(s, f, SOVIET, own)) == [Pair(B, 1)]
    step.hide(s, f, {SOVIET: "new b"}, Out())
    assert step.by(s, f) == ()
    assert not f.regrouped
    s.put(last, CHART.areas["a"])
    assert list(step.legal(s, f, SOVIET, own)) == [Pair(last, 6)]


def test_s42_34_1_2b_before_units_change_boxes_and_once_in_a_place() -> None:
    s, f = masked({C: FRONT})
    place = CHART.areas["a"]
    assert list(Remasks().legal(s, f, SOVIET, OWN)) == [Remask(place)]
    for change, back in (
        (lambda: f.filled.add(3), f.filled.clear),
        (lambda: setattr(f, "unboxed", True), lambda: setattr(f, "unboxed", False)),
        (lambda: f.mixed.add(place), f.mixed.clear),
    ):
        change()
        assert judged(s, f, Remask(place)) == "S42-34.1.2"
        assert list(Remasks().legal(s, f, SOVIET, OWN)) == []
        back()
    s.shown[A], s.shown[C] = 1, 3
    Remasks().apply(s, f, SOVIET, Remask(place), Out())
    assert s.shown == {C: 3}  # nobody knows any more which box A has
    assert set(f.regrouped) == {*ARMIES} - {C}


def test_s42_34_1_1_what_has_been_shown_belongs_to_that_army_alone() -> None:
    s, f = masked()
    s.shown[A], s.shown[B] = 1, 2
    assert [rule_of(wrong_box(s, Pair(C, box))) for box in (1, 2, 3)] == ["S42-34.1.1", "S42-34.1.1", ""]
    assert wrong_box(s, Pair(A, 1)) is wrong_box(s, Pair(B, 2)) is None
    put(s, 1, "13GRD")
    assert judged(s, f, Reveal(A, 1)) == ""
    assert judged(s, f, Reveal(A, 2)) == "S42-34.1"


# The pieces


def test_s42_34_2a_no_combat_units_on_foot_which_come_back_after_two_turns_with_their_box() -> None:
    s, f = masked({A: FRONT})
    assert not s.fights(A)
    assert s.chart.pace(A) == "foot"
    put(s, 1, "13GRD")
    s.shown[A] = 1
    s.exposed.add(A)
    disband_exposed(s, Out())
    assert (s.at(A), s.returns[A]) == (ELIMINATED, 23)
    s.turn = 23
    order = Renew(A, place=CHART.areas["a"])
    assert Renewals().check(s, f, SOVIET, order, {}) is None
    Renewals().apply(s, f, SOVIET, order, Out())
    assert list(Pairing().legal(s, f, SOVIET, OWN)) == [Pair(A, 1)]


def test_s42_34_2b_a_box_holds_eight() -> None:
    s, f = masked()
    codes = [u.code for u in CHART.units if u.side == SOVIET and s.fights(u.number)][:9]
    put(s, 1, *codes[:8])
    s.put(unit(codes[8]), CHART.areas["a"])
    assert judged(s, f, Assign(unit(codes[8]), BOX + 1)) == "S42-34.2b"
    s.put(unit(codes[0]), CHART.areas["a"])
    assert judged(s, f, Assign(unit(codes[8]), BOX + 1)) == ""
    sup = next(u for u in CHART.units if u.side == SOVIET and s.has(u.number, "supply"))
    s.put(sup.number, CHART.areas["a"])
    assert judged(s, f, Assign(sup.number, BOX + 1)) == "S42-34.2b"


def test_s42_34_2c_no_zone_and_no_bond_before_units_have_come_out() -> None:
    s, _ = masked({A: FRONT})
    put(s, 1, "13GRD")
    with_it, bonds = s.zone(SOVIET), s.bonds(SOVIET)
    s.put(A, CHART.areas["a"])
    assert (s.zone(SOVIET), s.bonds(SOVIET)) == (with_it, bonds)
    s.put(unit("13GRD"), FRONT)
    assert s.zone(SOVIET) & ~with_it


# Movement


def reach_of(s: State, f: PlayerTurn, own: Known = OWN) -> set[int]:
    return {order.path[0] for order in ArmyMoves().legal(s, f, SOVIET, own) if order.unit == A}


def test_s42_34_3_1a_the_slowest_in_the_box_says_how_far() -> None:
    s, f = masked({A: BACK})
    whole = reach_of(s, f)
    far = max(whole, key=lambda place: CHART.board.grid.distance(BACK, place))  # type: ignore[union-attr]
    slow = unit("13GRD")
    assert judged(s, f, Move(A, (far,))) == ""
    s.put(slow, BOX + 1)

    def slower(state: State, each: int, mode: str) -> int:
        """No Soviet counter of ours moves less than an army; one that did would hold it back."""
        return 2 if each == slow else allowance(state, each, mode)

    with patch("pbem_rules.stalingrad42.campaign.armies.allowance", slower):
        assert reach_of(s, f) < whole
        assert judged(s, f, Move(A, (far,))) == "S42-34.3.1a"
        assert judged(s, f, Move(A, (far,)), own_of((2, 1, 3, 4, 5, 6))) == ""
    assert Armies().check(s, f, SOVIET, Move(A, (far,)), {}) is None  # nobody else can see it
    s.renewed.add(slow)
    assert all(CHART.board.touch(BACK, place) for place in reach_of(s, f))  # one hex
    assert judged(s, f, Move(A, (far,))) == "S42-34.3.1a"
    assert judged(s, f, Move(A, (far,)), own_of((2, 1, 3, 4, 5, 6))) == ""  # it is another's box


def test_s42_34_3_1a_2_3_2c_with_those_who_never_hurry_it_does_not_hurry_either() -> None:
    s, f = masked({A: BACK})
    far = {order.path[0] for order in ArmyExtended().legal(s, f, SOVIET, OWN) if order.unit == A}
    put(s, 1, "13GRD")
    assert {order.path[0] for order in ArmyExtended().legal(s, f, SOVIET, OWN) if order.unit == A} == far
    gun = next(u for u in CHART.own[SOVIET] if s.has(u, SLOW) and s.fights(u) and s.face(u).move >= 3)
    s.put(gun, BOX + 1)
    near = {order.path[0] for order in ArmyExtended().legal(s, f, SOVIET, OWN) if order.unit == A}
    assert near < far
    grid = CHART.board.grid
    assert grid is not None
    assert max(grid.distance(BACK, place) for place in near if place in grid) <= s.face(gun).move


def test_s42_34_3_1a_of_several_in_its_box_one_with_a_replacement_is_enough() -> None:
    s, f = masked({A: BACK})
    put(s, 1, "13GRD", "16TC")
    far = reach_of(s, f)
    s.renewed.add(unit("16TC"))
    assert all(CHART.board.touch(BACK, place) for place in reach_of(s, f))
    assert not all(CHART.board.touch(BACK, place) for place in far)


def test_s42_34_3_1a_an_army_moves_once_and_no_other_unit_does_so() -> None:
    s, f = masked({A: BACK})
    near, step = min(reach_of(s, f)), Armies()
    for order in (Move(unit("13GRD"), (near,)), Tactical(unit("13GRD"), (near,)), Extended(unit("13GRD"), (near,))):
        assert judged(s, f, order) == "S42-34.2"
    step.apply(s, f, {SOVIET: Move(A, (near,))}, Out())
    assert s.at(A) == near
    assert A in f.moved
    assert not reach_of(s, f)
    assert judged(s, f, Move(A, (BACK,))) == "S42-5.1c"


def test_s42_34_3_1a_no_order_to_units_moves_an_army() -> None:
    """Not by sea either, out of a port in which it stands."""
    port, other_port, step = 2338, 2634, Movement()
    s, f = masked({A: port})
    s.put(unit("45RD"), port)
    for place in (port, other_port):
        s.holders[place] = SOVIET
    legal = list(step.legal(s, f, SOVIET, {}))
    assert Sail(unit("45RD"), other_port) in legal
    assert not [order for order in legal if getattr(order, "unit", None) == A]
    assert rule_of(no_sailing(s, A)) == "S42-34.3"
    moves = (
        Sail(A, other_port),
        Move(A, (2337,)),
        Tactical(A, (2337,)),
        Withdraw(A),
        Entrain(A, 2337),
        Transfer(A, port),
    )
    for order in moves:
        assert rule_of(step.check(s, f, SOVIET, order, {})) == "S42-34.3", order


def test_s42_34_3_1a_34_4_1a_the_soviets_are_asked_in_their_own_turn_until_they_say_done() -> None:
    s, f = masked()
    step = Armies()
    assert step.by(s, f) == (SOVIET,)
    assert step.by(s, PlayerTurn(AXIS)) == ()
    assert step.by(Masked().state, PlayerTurn(SOVIET)) == ()  # before they have come
    assert Done() in list(step.legal(s, f, SOVIET, OWN))
    step.apply(s, f, {SOVIET: Done()}, Out())
    assert step.by(s, f) == ()


def test_s42_34_3_1b_before_units_go_into_its_box_not_after() -> None:
    s, f = masked({A: BACK})
    near = min(reach_of(s, f))
    f.filled.add(1)
    assert judged(s, f, Move(A, (near,))) == "S42-34.3.1b"
    assert not reach_of(s, f)
    assert judged(s, f, Move(A, (near,)), own_of((2, 1, 3, 4, 5, 6))) == ""
    s, f = masked()
    f.filled.add(1)
    assert judged(s, f, Transfer(A, CHART.areas["b"])) == "S42-34.3.1b"
    assert judged(s, f, Transfer(B, CHART.areas["b"])) == ""


def test_s42_34_3_2_by_rail_with_an_empty_box_that_is_shown() -> None:
    d = Masked()
    d.arrive()
    legal = [order for order in d.machine.legal(SOVIET, d.own(SOVIET)) if order.kind == "entrain"]
    assert legal == []
    with pytest.raises(IllegalOrderError):
        d.type("show Reserve-A box2")
    d.type("show Reserve-A box1")
    assert d.state.shown == {A: 1}
    legal = [order for order in d.machine.legal(SOVIET, d.own(SOVIET)) if order.kind == "entrain"]
    assert {order.unit for order in legal} == {A}
    d.order(SOVIET, legal[0])
    assert d.state.at(A) == legal[0].to
    s, f = masked()
    put(s, 1, "13GRD")
    assert judged(s, f, Show(A, 1)) == "S42-34.3.2"
    assert Show(A, 1) not in list(Shows().legal(s, f, SOVIET, OWN))


def test_s42_34_3_2_not_with_units_in_its_box_nor_unseen_nor_twice() -> None:
    s, f = masked()
    s.shown[A] = 1
    rides = list(ArmyRails().legal(s, f, SOVIET, OWN))
    assert {order.unit for order in rides} == {A}
    assert judged(s, f, rides[0]) == ""
    assert judged(s, f, replace(rides[0], unit=B)) == "S42-34.3.2"  # nobody has seen its box
    assert judged(s, f, replace(rides[0], unit=unit("13GRD"))) == "S42-34.2"
    put(s, 1, "13GRD")
    assert judged(s, f, rides[0]) == "S42-34.3.2"
    s.put(unit("13GRD"), CHART.areas["b"])
    f.moved.add(A)
    assert judged(s, f, rides[0]) == "S42-5.1c"
    assert not list(ArmyRails().legal(s, f, SOVIET, OWN))


def test_s42_34_3_2_which_boxes_can_be_shown() -> None:
    s, f = masked()
    put(s, 2, "13GRD")
    s.shown[C] = 3
    assert list(Shows().legal(s, f, SOVIET, OWN)) == [Show(A, 1), *(Show(ARMIES[n - 1], n) for n in (4, 5, 6))]
    assert not list(Shows().legal(s, f, SOVIET, {}))  # as far as others know
    assert judged(s, f, Show(C, 3)) == "S42-34.2"  # it has been shown
    assert Shows().opens(s, f, SOVIET, Show(A, 1)) == (f"slot{A}",)
    assert Shows().opens(s, f, SOVIET, Show(unit("13GRD"), 1)) == ()
    assert judged(s, f, Show(unit("13GRD"), 1)) == "S42-34.2"
    assert judged(s, f, Show(A, 2)) == "S42-34.1"  # it is not its own
    Shows().apply(s, f, SOVIET, Show(A, 1), Out())
    assert s.shown == {C: 3, A: 1}


def test_s42_34_3_3_whoever_is_in_an_area_and_has_not_moved() -> None:
    s, f = masked({B: FRONT})
    put(s, 1, "13GRD", "16TC")
    s.renewed.add(unit("16TC"))  # of two in the box one is enough
    f.moved.add(C)
    assert {order.unit for order in ArmyTransfers().legal(s, f, SOVIET, OWN)} == {*ARMIES} - {A, B, C}
    assert judged(s, f, Transfer(A, CHART.areas["b"])) == "S42-34.3.3"
    assert judged(s, f, Transfer(B, CHART.areas["b"])) == "S42-34.3.3"  # not in an Area
    assert judged(s, f, Transfer(unit("13GRD"), CHART.areas["b"])) == "S42-34.2"
    order = Transfer(ARMIES[3], CHART.areas["b"])
    Armies().apply(s, f, {SOVIET: order}, Out())
    assert s.at(ARMIES[3]) == CHART.areas["b"]
    assert ARMIES[3] in f.moved


def test_s42_34_3_3_round_by_areas_with_nobody_disrupted_or_renewed() -> None:
    s, f = masked()
    order = Transfer(A, CHART.areas["b"])
    put(s, 1, "13GRD")
    assert judged(s, f, order) == ""
    s.renewed.add(unit("13GRD"))
    assert judged(s, f, order) == "S42-34.3.3"
    assert order not in list(ArmyTransfers().legal(s, f, SOVIET, OWN))
    s.renewed.clear()
    s.pieces[unit("13GRD")] = replace(s.pieces[unit("13GRD")], order=DISRUPTED)
    assert judged(s, f, order) == "S42-34.3.3"
    assert judged(s, f, order, own_of((2, 1, 3, 4, 5, 6))) == ""


# Into boxes, and out of them


def test_s42_34_4_1a_34_4_1c_out_of_the_areas_a_to_e_for_the_whole_move() -> None:
    s, f = masked()
    gun = unit("13GRD")
    s.put(gun, CHART.areas["e"])
    assert judged(s, f, Assign(gun, BOX + 1)) == ""
    Assigns().apply(s, f, SOVIET, Assign(gun, BOX + 1), Out())
    assert s.at(gun) == BOX + 1
    assert gun in f.moved
    assert (f.rides, f.boxed_by_rail) == (0, False)  # no rail movement
    assert judged(s, f, Assign(gun, BOX + 2)) == "S42-34.4.1a"
    for code, key in (("16TC", "f"), ("17TC", "a"), ("4TC", "b")):
        s.put(unit(code), CHART.areas[key])
        assert judged(s, f, Assign(unit(code), BOX + 1)) == ""
    s.put(unit("24TC"), CHART.areas["g"])
    assert judged(s, f, Assign(unit("24TC"), BOX + 1)) == "S42-34.4.1c"


def test_s42_34_4_1a_34_4_1c_34_4_2a_what_can_go_where() -> None:
    """The army of box 1 is out of supply, and 13GRD is in box 2."""
    s, f = masked({A: CHART.areas["g"]})
    for code in ("45RD", "62RD", "121RD"):
        s.put(unit(code), REMOVED)
    put(s, 2, "13GRD")
    waiting = {u for u in s.of(SOVIET, CHART.areas["a"]) if s.fights(u)}
    assert len(waiting) > 3
    boxes, areas = [BOX + n for n in (2, 3, 4, 5, 6)], [CHART.areas[key] for key in "abcde"]
    expected = {(u, to) for u in waiting for to in boxes}
    expected |= {(unit("13GRD"), to) for to in (*boxes[1:], *areas)}
    assert {(order.unit, order.to) for order in Assigns().legal(s, f, SOVIET, OWN)} == expected
    assert judged(s, f, Assign(unit("13GRD"), BOX + 2)) == "S42-34.4.1"  # where it is
    assert judged(s, f, Assign(unit("16TC"), CHART.areas["b"])) == "S42-34.4.1"  # by a transfer
    assert judged(s, f, Assign(unit("45RD"), BOX + 2)) == "S42-34.4.1"  # not in play
    assert judged(s, f, Assign(A, BOX + 2)) == judged(s, f, Assign(unit("9Pz"), BOX + 2)) == "S42-34.2b"
    f.moved.add(B)  # the army of box 2: what is in the box stays, others may still come
    left = {(order.unit, order.to) for order in Assigns().legal(s, f, SOVIET, OWN)}
    assert left == {(u, to) for u, to in expected if u != unit("13GRD")}
    del s.masks[C]
    s.put(C, REMOVED)
    assert judged(s, f, Assign(unit("16TC"), BOX + 3)) == "S42-34.4.1"  # nobody's box


def test_s42_34_4_1a_34_4_2a_what_a_unit_uses_up_by_going() -> None:
    s, f = masked()
    put(s, 1, "13GRD")
    Assigns().apply(s, f, SOVIET, Assign(unit("13GRD"), CHART.areas["c"]), Out())
    assert s.at(unit("13GRD")) == CHART.areas["c"]
    assert (f.unboxed, f.filled, f.boxed_by_rail) == (True, set(), False)
    Assigns().apply(s, f, SOVIET, Assign(unit("16TC"), BOX + 2), Out())
    assert (f.filled, f.boxed_by_rail) == ({2}, False)
    assert f.moved == {unit("13GRD"), unit("16TC")}


def test_s42_34_4_1a_who_has_no_whole_move_goes_into_no_box() -> None:
    s, f = masked()
    order = Assign(unit("13GRD"), BOX + 1)
    s.renewed.add(unit("13GRD"))
    assert judged(s, f, order) == "S42-21.4a"
    s.renewed.clear()
    s.frozen[unit("13GRD")] = "garrison"
    assert judged(s, f, order) == "S42-34.4.1a"
    del s.frozen[unit("13GRD")]
    for state in (DISRUPTED, ROUTED):
        s.alter(unit("13GRD"), replace(s.pieces[unit("13GRD")], order=state))
        assert judged(s, f, order) == "S42-34.4.1a"
        assert order not in list(Assigns().legal(s, f, SOVIET, OWN))


def test_s42_34_4_1b_reinforcements_into_an_army_in_supply_through_a_to_d() -> None:
    s, f = masked({A: CHART.areas["e"], B: CHART.areas["a"]})
    new = next(
        s.chart.unit(each.unit).number for each in s.chart.track.arrivals
        if each.turn == 22 and each.side == SOVIET and s.fights(s.chart.unit(each.unit).number)
    )  # fmt: skip
    s.put(new, CHART.areas["g"])
    s.turn = 22
    assert judged(s, f, Assign(new, BOX + 2)) == ""
    assert judged(s, f, Assign(new, BOX + 1)) == "S42-34.4.1"  # through E alone
    s.put(new, CHART.areas["b"])
    assert judged(s, f, Assign(new, BOX + 1)) == ""  # by the other way in
    s.put(new, CHART.areas["g"])
    s.turn = 23
    assert judged(s, f, Assign(new, BOX + 2)) == "S42-34.4.1c"


def test_s42_34_4_1_the_army_of_the_box_must_be_in_supply_which_only_its_owner_sees() -> None:
    s, f = masked({A: CHART.areas["g"]})
    assert (joined(s, A), joined(s, B)) == (False, True)
    gun = unit("13GRD")
    assert judged(s, f, Assign(gun, BOX + 2)) == ""
    assert judged(s, f, Assign(gun, BOX + 1)) == "S42-34.4.1"
    assert Assigns().check(s, f, SOVIET, Assign(gun, BOX + 1), {}) is None
    assert judged(s, f, Assign(gun, BOX + 1), own_of((2, 1, 3, 4, 5, 6))) == ""
    for army in ARMIES:
        s.put(army, CHART.areas["g"])
    assert rule_of(Assigns().check(s, f, SOVIET, Assign(gun, BOX + 2), {})) == "S42-34.4.1"  # that all see


def test_s42_34_4_1d_34_4_2a_one_unit_a_turn_from_box_to_box_or_to_an_area() -> None:
    s, f = masked()
    put(s, 1, "13GRD", "16TC")
    gun, tanks = unit("13GRD"), unit("16TC")
    assert judged(s, f, Assign(gun, BOX + 2)) == ""
    assert judged(s, f, Assign(gun, CHART.areas["c"])) == ""
    assert judged(s, f, Assign(gun, CHART.areas["g"])) == "S42-34.4.2a"
    Assigns().apply(s, f, SOVIET, Assign(gun, BOX + 2), Out())
    assert judged(s, f, Assign(tanks, CHART.areas["c"])) == "S42-34.4.2a"
    f.unboxed = False
    f.moved = {A}
    assert judged(s, f, Assign(tanks, CHART.areas["c"])) == "S42-34.4.2"  # its army has moved
    s.put(A, CHART.areas["g"])
    f.moved.clear()
    assert judged(s, f, Assign(tanks, CHART.areas["c"])) == "S42-34.4.1"


def test_s42_34_4_1e_34_4_1f_one_from_a_railway_and_none_over_land() -> None:
    s, f = masked()
    mask = connected(s, SOVIET)
    on = next(place for place in CHART.board.in_mask(mask) if place in CHART.board.grid and place > 4000)  # type: ignore[operator]
    off = next(
        place for place in CHART.board.grid.ring(on, 3) if place in CHART.board and not mask & CHART.board.bit[place]
    )  # type: ignore[union-attr]
    s.put(unit("13GRD"), on)
    s.put(unit("16TC"), on)
    s.put(unit("17TC"), off)
    assert judged(s, f, Assign(unit("13GRD"), BOX + 1)) == ""
    assert judged(s, f, Assign(unit("17TC"), BOX + 1)) == "S42-34.4.1e"
    Assigns().apply(s, f, SOVIET, Assign(unit("13GRD"), BOX + 1), Out())
    assert judged(s, f, Assign(unit("16TC"), BOX + 1)) == "S42-34.4.1e"
    s, f = masked()
    beyond = next(  # a railway that leads to Areas, and no line from A to E
        place for place in CHART.board.in_mask(mask)
        if place in CHART.board.grid and place not in s.holders and not in_supply(s, place, FAR_AREAS)  # type: ignore[operator]
    )  # fmt: skip
    s.put(unit("13GRD"), beyond)
    assert connected(s, SOVIET) & CHART.board.bit[beyond]
    assert judged(s, f, Assign(unit("13GRD"), BOX + 1)) == "S42-34.4.1e"


def test_s42_34_4_2b_34_7_a_box_is_shown_and_its_units_stand_where_the_army_was() -> None:
    d = Masked()
    d.arrive({B: "b"})
    d.type("assign 13grd box2", "assign 16tc box2", "reveal Reserve-B box2")
    s = d.state
    assert {s.at(unit("13GRD")), s.at(unit("16TC"))} == {CHART.areas["b"]}
    assert (s.at(B), s.returns[B]) == (ELIMINATED, 23)
    assert B not in s.masks
    s, f = masked({A: BACK})
    put(s, 1, "13GRD", "16TC", "17TC", "4TC")
    assert judged(s, f, Reveal(A, 2)) == "S42-34.1"
    assert judged(s, f, Reveal(B, 2)) == "S42-34.4.2b"  # nobody is in it
    f.moved.add(A)
    assert judged(s, f, Reveal(A, 1)) == "S42-34.4.2"
    f.moved.clear()
    assert judged(s, f, Reveal(A, 1)) == ""
    step = Armies()
    step.apply(s, f, {SOVIET: Reveal(A, 1)}, Out())
    assert s.overfull(BACK, SOVIET)
    assert not crowded(s, SOVIET)  # S42-34.7: until the next Soviet Movement Phase ends
    s.turn += 1
    assert crowded(s, SOVIET) == (BACK,)
    assert TacticalMoves().check(s, f, SOVIET, Tactical(unit("13GRD"), (4519,)), {}) is None


def test_s42_34_4_2b_which_armies_can_place_their_units() -> None:
    s, f = masked()
    put(s, 2, "13GRD")
    put(s, 3, "16TC")
    assert list(Reveals().legal(s, f, SOVIET, OWN)) == [Reveal(B, 2), Reveal(C, 3)]
    assert not list(Reveals().legal(s, f, SOVIET, {}))
    f.moved.add(C)
    assert list(Reveals().legal(s, f, SOVIET, OWN)) == [Reveal(B, 2)]
    assert Reveals().opens(s, f, SOVIET, Reveal(B, 2)) == (f"slot{B}",)
    s.shown[B] = 2
    assert Reveals().opens(s, f, SOVIET, Reveal(B, 2)) == ()
    assert judged(s, f, Reveal(B, 2)) == ""
    assert judged(s, f, Reveal(unit("13GRD"), 2)) == "S42-34.2"
    Reveals().apply(s, f, SOVIET, Reveal(B, 2), Out())
    assert s.at(unit("13GRD")) == CHART.areas["a"]
    assert B not in s.shown


def test_s42_34_5_replacements_go_into_boxes() -> None:
    s, f = masked()
    f.spare = {"tank": 2, "infantry": 2}
    put(s, 1, "16TC")
    s.set_steps(unit("16TC"), 1)
    assert Renewals().check(s, f, SOVIET, Renew(unit("16TC")), {}) is None
    Renewals().apply(s, f, SOVIET, Renew(unit("16TC")), Out())
    assert (s.at(unit("16TC")), s.pieces[unit("16TC")].steps) == (BOX + 1, 2)
    assert unit("16TC") in s.renewed
    s.put(unit("45RD"), ELIMINATED)
    order = Renew(unit("45RD"), place=BOX + 3)
    assert Renewals().check(s, f, SOVIET, order, {}) is None
    Renewals().apply(s, f, SOVIET, order, Out())
    assert content(s, 3) == (unit("45RD"),)
    assert BOX + 3 in open_boxes(s)
    assert not capacity(s, AXIS, unit("45ID")).keys() & set(BOXES)
    assert not capacity(s, SOVIET, unit("5ShA-HQ")).keys() & set(BOXES)  # no combat unit
    assert open_boxes(position()) == ()  # without armies
    put(s, 3, "62RD", "121RD", "160RD", "212RD", "284RD")
    assert (BOX + 3 in open_boxes(s)) is (len(content(s, 3)) < BOX_ROOM)
    put(s, 5, "62RD", "121RD", "160RD", "212RD", "284RD", "301RD", "31RD", "339RD")
    assert len(content(s, 5)) == BOX_ROOM
    assert BOX + 5 not in open_boxes(s)  # full
    assert BOX + 4 in open_boxes(s)
    s.put(A, PANZER)
    assert not open_boxes(s)  # out of supply: it could be that box


# In combat


def test_s42_34_6_1_34_6_3_who_is_in_a_box_attacks_nobody_and_supports_nothing() -> None:
    s, _ = masked({A: FRONT})
    put(s, 1, "13GRD", "SW-HQ")
    f = PlayerTurn(SOVIET)
    assert unit("13GRD") not in {u for units in targets(s, f).values() for u in units}
    wrong = Attacks().now(s, f, Attack(PANZER, (unit("13GRD"),)))
    assert rule_of(wrong) == "S42-8.1a"
    assert unit("SW-HQ") not in dict(posts(s, SOVIET))


class Rolls(Chance):
    def dice(self, draw):  # type: ignore[no-untyped-def]
        return (1,) * draw.count


def attacked(inside: str = "13GRD 45RD 62RD 121RD", box: int = 1) -> Masked:
    """Reserve-A stands beside the panzer divisions, which attack."""
    d = Masked(chance=Rolls("x"))
    d.arrive()
    s = d.state
    s.put(A, FRONT)
    put(s, box, *inside.split())
    d.pass_to(AXIS, "attacks")
    return d


def test_s42_34_6_2a_up_to_three_come_out_and_defend_the_rest_does_nothing() -> None:
    d = attacked()
    f = d.machine.frame
    assert isinstance(f, PlayerTurn)
    assert FRONT in targets(d.state, f)
    d.type(f"attack {FRONT} with 9pz 11pz at 3:1", "done")
    assert [event.box for event in d.log if isinstance(event, Unmasked)] == [1]
    assert [len(event.defenders) for event in d.log if isinstance(event, Fought)] == [2]
    assert A not in d.state.masks  # S42-34.7: the Soviet turn has begun
    s, f = masked({A: FRONT})
    put(s, 1, *["13GRD", "45RD", "62RD", "121RD"])
    f = PlayerTurn(AXIS, attacking=FRONT)
    assert Unmask().when(s, f)
    assert list(Unmask().slots(s, f)) == [f"slot{A}"]
    Unmask().run(s, f, {f"slot{A}": Pair(A, 1)}, Out())
    assert not Unmask().when(s, f)
    step = ChooseDefenders()
    assert step.by(s, f) == (SOVIET,)
    options = list(step.options(s, f, SOVIET))
    assert max(len(order.units) for order in options) == 2  # S42-4.1: two rifle divisions

    def defence(order: Sally) -> int:
        return sum(s.face(u).defence for u in order.units)

    best = step.answers(s, f, SOVIET, {})["best"]
    assert defence(best) == max(map(defence, options))
    first = best.units[0]
    s.pieces[first] = replace(s.pieces[first], order=DISRUPTED)
    assert first not in step.answers(s, f, SOVIET, {})["best"].units  # in good order first
    step.do(s, f, SOVIET, best, Out())
    assert {s.at(u) for u in best.units} == {FRONT}
    assert len(content(s, 1)) == 2
    assert not step.by(s, f)
    assert not Attacks().now(s, f, Attack(FRONT, (unit("9Pz"),)))


def test_s42_34_6_2a_34_7_whose_boxes_are_opened_and_who_comes_out_of_known_ones() -> None:
    s, _ = masked({A: FRONT, B: FRONT, C: BACK})
    f = PlayerTurn(AXIS)
    assert not Unmask().when(s, f)  # nothing is attacked
    f.attacking = FRONT
    assert Unmask.hidden(s, FRONT) == (A, B)
    s.shown[A] = 1
    assert Unmask.hidden(s, FRONT) == (B,)
    assert Unmask.known(s, FRONT) == ()  # nobody is in it
    put(s, 1, "13GRD")
    put(s, 3, "16TC")
    s.shown[C] = 3
    assert Unmask.known(s, FRONT) == (A,)
    assert Unmask().when(s, f)
    Unmask().run(s, f, {f"slot{B}": Pair(B, 2)}, Out())
    assert s.exposed == {B}
    assert not Unmask().when(s, f)
    s.exposed.add(A)
    assert Unmask.known(s, FRONT) == ()  # already


def test_s42_34_6_2a_three_where_one_stacks_freely_of_the_armies_that_are_attacked() -> None:
    s, _ = masked({A: FRONT, B: BACK})
    f, step = PlayerTurn(AXIS), ChooseDefenders()
    put(s, 1, "13GRD", "45RD", "52TB", "62RD")
    put(s, 2, "16TC", "17TC")
    s.shown[A], s.shown[B] = 1, 2
    s.exposed |= {A, B}
    assert step.by(s, f) == ()  # nothing is attacked
    f.attacking = FRONT
    assert step.by(s, f) == (SOVIET,)
    for s.asked, asks in (("no", False), (COMBATS, True)):
        assert step.asks(s, f, SOVIET) is asks
    options = list(step.options(s, f, SOVIET))
    assert {len(order.units) for order in options} == {1, 2, 3}
    assert all(unit("52TB") in order.units for order in options if len(order.units) == 3)
    assert {u for order in options for u in order.units} == set(content(s, 1))
    assert step.facts(s, f, SOVIET, {}) == {"hex": FRONT}
    best = step.answers(s, f, SOVIET, {})["best"]
    assert len(best.units) == 3
    step.do(s, f, SOVIET, replace(best, units=best.units[:1]), Out())
    assert f.sprung == {FRONT}
    assert next(step.options(s, f, SOVIET), None) is not None
    assert step.by(s, f) == ()  # others could come, but they are asked once
    f.attacking = BACK
    assert step.by(s, f) == (SOVIET,)
    for code in ("16TC", "17TC"):
        s.put(unit(code), REMOVED)
    assert step.by(s, f) == ()  # nobody is inside


def test_s42_34_6_2a_out_of_a_box_that_all_know_they_come_out_too() -> None:
    """Shown before, when it was empty (S42-34.3.2)."""
    d = attacked()
    d.state.shown[A] = 1
    d.type(f"attack {FRONT} with 9pz 11pz at 3:1", "done")
    assert [len(event.defenders) for event in d.log if isinstance(event, Fought)] == [2]
    assert not [event for event in d.log if isinstance(event, Unmasked)]
    assert A not in d.state.masks  # S42-34.7
    assert {d.state.at(unit(code)) for code in ("62RD", "121RD")} & {ELIMINATED} == set()


def test_s42_34_6_2_whoever_attacks_an_army_does_not_draw_back() -> None:
    """At 3:1 or better, which it was not, once three had come out."""
    d = attacked("13GRD 45RD 62RD")
    d.type(f"attack {FRONT} with 9pz at 7:1", "done")
    assert any(isinstance(event, Fought) for event in d.log)


def test_s42_34_6_2_14_5a_nobody_enters_where_units_may_be_hidden() -> None:
    """Not even the hex of an army whose box is empty, as long as another is full."""
    s, _ = masked({A: FRONT})
    f = PlayerTurn(AXIS)
    step = TacticalMoves()
    order = Tactical(unit("9Pz"), (FRONT,))
    assert step.check(s, f, AXIS, order, {}) is None  # all boxes are empty
    assert (FRONT,) in set(ways(s, unit("9Pz"), None, 1))
    put(s, 2, "13GRD")
    assert step.check(s, f, AXIS, order, {}) is not None
    assert (FRONT,) not in set(ways(s, unit("9Pz"), None, 1))  # nor by an advance
    s.shown[A] = 1
    assert step.check(s, f, AXIS, order, {}) is None
    s.shown[A] = 2
    assert step.check(s, f, AXIS, order, {}) is not None


def test_s42_34_6_2b_the_rest_shares_the_retreat_and_is_lost_with_the_piece() -> None:
    s, _ = masked({A: FRONT})
    put(s, 1, "45RD", "62RD")
    s.put(unit("13GRD"), FRONT)
    s.shown[A] = 1
    s.exposed.add(A)
    f = Retreat(SOVIET, FRONT, (unit("13GRD"),), 4, AXIS, chooser=SOVIET)
    step = ChooseWay()
    order = next(iter(step.options(s, f, SOVIET)))
    step.do(s, f, SOVIET, order, Out())
    assert s.at(A) == order.path[-1]
    assert {s.pieces[unit(code)].order for code in ("45RD", "62RD")} == {ROUTED}
    s.dispel(A)
    assert {s.at(unit(code)) for code in ("45RD", "62RD")} == {ELIMINATED}
    assert not s.exposed
    assert not s.shown
    assert A not in s.masks


def test_s42_34_6_2b_an_army_that_is_lost_unseen_is_shown_for_that() -> None:
    s, _ = masked({A: FRONT})
    put(s, 1, "45RD")
    s.dispel(A)
    f, step = PlayerTurn(AXIS), Fallen()
    assert step.when(s, f)
    assert list(step.slots(s, f)) == [f"slot{A}"]
    assert rule_of(step.check(s, f, f"slot{A}", Pair(B, 1))) == "S42-34.1"
    assert rule_of(step.check(s, f, f"slot{A}", Pair(A, 9))) == "S42-34.1.1"
    assert step.check(s, f, f"slot{A}", Pair(A, 1)) is None
    step.run(s, f, {f"slot{A}": Pair(A, 1)}, Out())
    assert s.at(unit("45RD")) == ELIMINATED
    assert not step.when(s, f)


def test_s42_34_6_2b_of_two_that_are_lost_one_box_after_another_is_shown() -> None:
    s, _ = masked({A: FRONT, B: FRONT})
    put(s, 1, "45RD")
    put(s, 2, "16TC", "62RD")
    for army in (A, B):
        s.dispel(army)
    f, step, out = PlayerTurn(AXIS), Fallen(), Out()
    for army, box, codes in ((A, 1, ["45RD"]), (B, 2, ["62RD", "16TC"])):
        (slot,) = step.slots(s, f)
        assert slot == f"slot{army}"
        step.run(s, f, {slot: Pair(army, box)}, out)
        assert {s.at(unit(code)) for code in codes} == {ELIMINATED}
        assert not any(s.pieces[unit(code)].steps for code in codes)
    assert not step.when(s, f)
    assert [(each.box, len(each.lost)) for each in out.events if isinstance(each, Unmasked)] == [(1, 1), (2, 2)]


def test_s42_34_6_2c_an_empty_piece_is_removed_when_an_enemy_comes() -> None:
    s, _ = masked({A: FRONT})
    come_through(s, unit("9Pz"), (FRONT,), Out())
    assert (s.at(A), s.returns[A]) == (ELIMINATED, 23)


def test_s42_34_7_an_attacked_army_is_gone_in_the_next_soviet_turn() -> None:
    s, _ = masked({A: FRONT})
    put(s, 1, "45RD", "62RD")
    s.shown[A] = 1
    s.exposed.add(A)
    out = Out()
    Begin().run(s, PlayerTurn(AXIS), out)
    assert A in s.exposed  # the turn of the Soviets has not come
    Begin().run(s, PlayerTurn(SOVIET), out)
    assert {s.at(unit(code)) for code in ("45RD", "62RD")} == {FRONT}
    assert [each.units for each in out.events if isinstance(each, Disbanded)] == [("45RD", "62RD")]
    assert (s.at(A), A in s.masks, A in s.shown, A in s.exposed) == (ELIMINATED, False, False, False)
    assert s.spread[FRONT] == s.turn


# Whole turns


@pytest.mark.parametrize("seed", ["m1", "m2"])
def test_s42_34_1_1_random_games_pair_and_assign(seed: str) -> None:
    random_game(MASKED, seed, bots={side: Brawler() for side in SIDES}, orders=120, every=40, sample=8)


def waiting_for_boxes(seed: str) -> tuple[Masked, Context[State]]:
    d = Masked()
    d.pass_to(SOVIET, "initial")
    for army in ARMIES:
        d.type(f"arrive {CHART.units[army].code} a")
    d.pass_to(SOVIET, "pairing")
    return d, replace(d.context(SOVIET), rng=Chance(seed))


def test_s42_34_1_1_pair_random_pairs_all_by_the_programs_chance() -> None:
    found = set()
    for seed in map(str, range(8)):
        d, context = waiting_for_boxes(seed)
        orders = MASKED.notation.parse("pair random", context)
        for order in orders:
            d.order(SOVIET, order)
        own = d.own(SOVIET)
        boxes = tuple(own[d.state.masks[army]].box for army in ARMIES)  # type: ignore[attr-defined]
        assert sorted(boxes) == [1, 2, 3, 4, 5, 6]
        assert boxes == tuple(order.box for order in orders)  # type: ignore[attr-defined]
        found.add(boxes)
    assert len(found) > 5


def test_s42_34_1_1_pair_random_for_one_army_and_only_when_it_waits() -> None:
    d, context = waiting_for_boxes("one")
    (order,) = MASKED.notation.parse("pair reserve-a RANDOM", context)
    assert isinstance(order, Pair)
    assert order.army == A
    d.order(SOVIET, order)
    context = replace(d.context(SOVIET), rng=Chance("two"))
    for text, given in (
        ("pair reserve-a random", context),  # it has its box
        ("pair random", replace(context, rng=None)),
        ("pair random", replace(context, planning=True)),
        ("pair random", replace(context, need=None, legal=lambda: [Done()])),
    ):
        with pytest.raises(NotationError, match="pair random"):
            MASKED.notation.parse(text, given)
    boxes = [each.box for each in MASKED.notation.parse("pair random", context)]  # type: ignore[attr-defined]
    assert sorted([order.box, *boxes]) == [1, 2, 3, 4, 5, 6]  # those that are left


def test_bots_pair_by_chance() -> None:
    found = set()
    for seed in ("1", "2", "3"):
        d = Masked(seed)
        bot = MASKED.bots["sensible"]
        while d.need.kind != "armies":  # type: ignore[union-attr]
            seat = d.asked[0]
            legal = d.machine.legal(seat, d.own(seat))
            d.give(seat, bot.choose(d.view(seat), d.need, seat, legal, Chance(f"bot{seed}/{len(d.orders)}")))  # type: ignore[arg-type]
        own = d.own(SOVIET)
        found.add(tuple(own[d.state.masks[army]].box for army in ARMIES))  # type: ignore[union-attr]
    assert len(found) > 1


# A player whose program lies


def _full(setup: Setup) -> tuple[State, Frame]:
    """Boxes with somebody in them already: one, one whom a replacement fits, one who is disrupted."""
    s, f = MASKED.setup(setup)
    put(s, 1, "16TC")
    fit = next(u for u in CHART.own[SOVIET] if s.has(u, "infantry") and s.counter(u).steps == 2 and s.at(u) == REMOVED)
    s.put(fit, BOX + 2)
    s.set_steps(fit, 1)
    put(s, 4, "17TC")
    s.pieces[unit("17TC")] = replace(s.pieces[unit("17TC")], order=DISRUPTED)
    return s, f


FULL = replace(MASKED, setup=_full)


def played(*orders: str, boxes: tuple[int, ...] = (1, 2, 3, 4, 5, 6)) -> Table:
    """A game in which the Soviet program forgets its duties: the armies come, then these orders."""
    table = Table(FULL, 2, seed="lies")
    with patch.object(Pairing, "duty", lambda *_: None), patch.object(Armies, "duty", lambda *_: None):
        script = Script(boxes, orders)
        table.play({0: script, 1: script}, most=400)
    return table


def near_areas(s: State, place: int) -> bool:
    """Does a hex lie at the edge, where a unit that leaves an Area comes first?"""
    return any(place in entry.places for entry in CHART.map.entries.values())


class Script:
    """Says `done` but for what it has been given for the Soviets."""

    def __init__(self, boxes: tuple[int, ...], orders: tuple[str, ...]) -> None:
        self.boxes, self.left = list(boxes), list(orders)

    def choose(self, view, need, seat, legal, rng):  # type: ignore[no-untyped-def]
        s = view.state
        if need.kind == "pairing":
            army = next(army for army in ARMIES if army not in s.masks)
            return Pair(army, self.boxes.pop(0))
        if need.kind == "initial" and "FAR" in self.left[:1] and s.masks:
            renewed = [order for order in legal if isinstance(order, Renew) and s.at(order.unit) == BOX + 2]
            if renewed:
                return renewed[0]
        if need.kind == "armies" and "FAR" in self.left[:1]:
            if not s.renewed:
                return Done()  # in the first turn: nobody was in a box of an army yet
            self.left.pop()
            moves = ArmyMoves().legal(s, view.frame, SOVIET, {})
            return next(order for order in moves if order.unit == B and not near_areas(s, order.path[0]))
        if need.kind == "armies" and self.left:
            line = self.left.pop(0)
            slow = next(iter(content(s, 1)), None)
            line = line.replace("SLOW", "" if slow is None else s.code(slow))
            (order,) = MASKED.notation.parse(line, Masked().context(SOVIET))
            return order
        return Done() if "v:done" in legal.first else next(iter(legal))


def verdict(table: Table):  # type: ignore[no-untyped-def]
    return verify_archive(table.archive(), {"s42masked": FULL})


def test_s42_34_1_1_an_honest_game_passes_its_audit() -> None:
    found = verdict(played("assign 13grd box2"))
    assert found.ok, found.first_bad
    assert found.audit is not None


SIX = (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    ("orders", "boxes", "rule"),
    [
        ((), (1, 1, 3, 4, 5, 6), "S42-34.1.2b"),  # two armies with one box
        (
            ("transfer Reserve-C f", "remask a"),
            (*SIX, 1, 2, 3, 5, 6),
            "S42-34.1.2b",
        ),  # one of an army that is elsewhere
        (("assign 13grd box3", "transfer Reserve-C b"), SIX, "S42-34.3.1b"),  # after units have gone into its box
        (("transfer Reserve-A f", "assign 13grd box1"), SIX, "S42-34.4.1"),  # not in supply through A to E
        (("transfer Reserve-A b", "assign SLOW b"), SIX, "S42-34.4.2"),  # out of a box whose army has moved
        (("transfer Reserve-D b",), SIX, "S42-34.3.3"),  # with a disrupted unit in its box
        (("FAR",), SIX, "S42-34.3.1a"),  # far, with a replacement in its box
    ],
)
def test_s42_34_1_2b_34_3_1a_34_3_1b_34_3_3_34_4_1_34_4_2a_the_audit_finds_whoever_has_lied(
    orders: tuple[str, ...], boxes: tuple[int, ...], rule: str
) -> None:
    found = verdict(played(*orders, boxes=boxes))
    assert not found.ok
    assert found.first_bad is not None
    assert found.first_bad.code == "E-AUDIT"
    assert rule in found.first_bad.sentence
    assert found.first_bad.author == 1  # the Soviets, who cannot win then


def test_s42_34_6_2_an_opening_that_cannot_be_is_refused() -> None:
    s, _ = masked({A: FRONT, B: FRONT})
    f, step = PlayerTurn(AXIS, attacking=FRONT), Unmask()
    assert rule_of(step.check(s, f, f"slot{A}", Pair(B, 1))) == "S42-34.1"
    assert rule_of(step.check(s, f, f"slot{A}", Tactical(A, (1,)))) == "S42-34.1"
    assert rule_of(step.check(s, f, f"slot{A}", Pair(A, 7))) == "S42-34.1.1"
    step.run(s, f, {f"slot{A}": Pair(A, 1)}, Out())
    assert list(step.slots(s, f)) == [f"slot{B}"]  # one by one
    assert rule_of(step.check(s, f, f"slot{B}", Pair(B, 1))) == "S42-34.1.1"  # a box that has been shown
    assert step.check(s, f, f"slot{B}", Pair(B, 2)) is None


def test_s42_34_1_1_a_person_at_the_prompt_pairs_by_chance(tmp_path: Path) -> None:
    """The draft holds what was drawn, and draws no more."""
    desk = desk_at(tmp_path, "alice", find_game=lambda name: MASKED)
    desk.new_identity("Alice Kern", "alice@example.org", "")
    name = offers.offer(desk, MASKED.name, seats=dict.fromkeys(SIDES, "me"), mode="open", scenario=CAMPAIGN)[0]
    while seen.seen(desk, name).view.need.kind != "pairing":  # type: ignore[union-attr]
        arriving = [text for text in orders.move(desk, name).legal("arrive reserve") if text.endswith(" a")]
        if not arriving and not orders.move(desk, name).may_order():
            sending.send(desk, name)
        else:
            orders.order(desk, name, arriving or ["done"])
    orders.order(desk, name, ["pair random"])
    drafted = orders.move(desk, name).drafted().orders
    pairs = [text for text in drafted if text.startswith("pair ")]
    assert len(pairs) == len(ARMIES)
    assert {text.split()[-1] for text in pairs} == {f"box{number}" for number in range(1, 7)}
    sending.send(desk, name)
    assert all(box in seen.board(desk, name) for box in ("box 1", "box 6"))


def test_s42_34_6_2_8_1e_whoever_asks_after_a_battle_is_asked_before_the_next_box_is_opened() -> None:
    d = attacked()
    d.state.put(unit("4TC"), 4415)
    d.type("attack 4415 with 11pz ask", f"attack {FRONT} with 9pz at 1:3", "done")
    assert [event.hex for event in d.log if isinstance(event, Fought)] == [4415]
    assert (d.asked, d.need.kind) == ((AXIS,), "advance")  # type: ignore[union-attr]
    d.type("done")
    assert (d.asked, d.need.kind) == ((AXIS,), "attacks")  # type: ignore[union-attr]
    assert not [event for event in d.log if isinstance(event, Unmasked)]
    d.type("done")
    assert [event.box for event in d.log if isinstance(event, Unmasked)] == [1]


def test_s42_34_6_2_27_2_1_others_on_the_list_go_on_though_an_army_has_been_shown() -> None:
    d = attacked()
    d.state.options = (*d.state.options, DISENGAGING)
    d.state.put(unit("45ID"), 4614)
    d.state.put(unit("4TC"), 4714)
    d.type(f"attack {FRONT} with 9pz at 1:3", "disengage 45id", "done")
    assert [event.box for event in d.log if isinstance(event, Unmasked)] == [1]
