"""S42-27: disengagement, by the option."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from s42_combat import Table, combat
from s42_positions import AXIS, CHART, number, position

from pbem.game import DONE, Call, Out
from pbem_rules.stalingrad42.combat.disengaging import (
    Attempt,
    ChooseHexes,
    Disengages,
    GetAway,
    Go,
    chances,
    goers,
    modifier,
    result,
)
from pbem_rules.stalingrad42.combat.fights import Attacks, CarryOutDisengagements, ListAttacks, ListDisengagements
from pbem_rules.stalingrad42.combat.flight import ChooseWay, Onward
from pbem_rules.stalingrad42.events import Disengaged, Retreated
from pbem_rules.stalingrad42.frames import Leaving, Losses, PlayerTurn, Respite, Retreat
from pbem_rules.stalingrad42.looking import looking
from pbem_rules.stalingrad42.movement.phase import Movement
from pbem_rules.stalingrad42.orders import Attack, Disengage, FallBack, Storm, Tactical
from pbem_rules.stalingrad42.sequence import SEQUENCES
from pbem_rules.stalingrad42.state import DISENGAGING, DISRUPTED, GOOD, ROUTED, State

WEST, HEX = 3417, 3418
PZ, ID = number("9Pz"), number("45ID")


def leaving(*units: tuple[str, int] | tuple[str, int, int], orders: dict[str, int] | None = None) -> State:
    s = position(*units, turn=2)
    s.options = (DISENGAGING,)
    for code, order in (orders or {}).items():
        s.alter(number(code), replace(s.pieces[number(code)], order=order))
    return s


def refused(s: State, f: PlayerTurn, *codes: str, hexes: int = 2, via: tuple[int, ...] = ()) -> str:
    entry = Disengage(tuple(map(number, codes)), hexes, via)
    wrong = Disengages().form(s, f, entry, {}) or Disengages().now(s, f, entry)
    return wrong.rule if wrong else ""


def table(words: str, die: int, *more: tuple[str, int], orders: dict[str, int] | None = None) -> Table:
    s = leaving(("9Pz", WEST), ("45RD", HEX), *more, orders=orders)
    d = combat(state=s)
    d.chance.rolls = {f"t2/axis/{WEST}/leave": (die, die)}  # type: ignore[attr-defined]
    d.type(words)
    return d


# Who may try


def test_s42_27_2_1a_any_unit_that_does_not_attack_disrupted_or_not() -> None:
    s, f = leaving(("9Pz", WEST), ("45ID", WEST), ("45RD", HEX), orders={"45ID": DISRUPTED}), PlayerTurn(AXIS)
    assert (refused(s, f, "9Pz"), refused(s, f, "45ID")) == ("", "")
    f.fought.add(PZ)
    assert refused(s, f, "9Pz") == "S42-27.2.1"
    f.fought.clear()
    step = ListAttacks()
    step.apply(s, f, {AXIS: Attack(HEX, (PZ,))}, Out())
    assert refused(s, f, "9Pz") == "S42-27.2.1"
    f = PlayerTurn(AXIS)
    step.apply(s, f, {AXIS: Disengage((PZ,))}, Out())
    wrong = Attacks().now(s, f, Attack(HEX, (PZ,)))
    assert wrong is not None
    assert wrong.rule == "S42-27.2.1a"  # nor the other way round
    assert refused(s, PlayerTurn(AXIS), "45RD") == "S42-27.2"
    wrong = Disengages().now(s, PlayerTurn(AXIS), Disengage((number("45RD"),)))
    assert wrong is not None
    assert wrong.rule == "S42-27.2.1"


def test_s42_27_2_1a_20_4_5_6_5a_who_cannot() -> None:
    s, f = leaving(("9Pz", WEST), ("45ID", CHART.areas["x"]), ("Sup-A1", WEST), ("45RD", HEX)), PlayerTurn(AXIS)
    assert refused(s, f, "45ID") == "S42-27.2.1"  # in an Area
    assert refused(s, f, "Sup-A1") == "S42-27.2.1"  # no combat unit
    assert refused(s, f, "11Pz") == "S42-27.2.1"  # not on the map
    f.storms.append(Storm(HEX, (PZ,)))
    assert refused(s, f, "9Pz") == "S42-27.2.1"  # it took part in an automatic DS
    f.storms.clear()
    s.frozen[PZ] = "garrison"
    assert refused(s, f, "9Pz") == "S42-20.4"
    del s.frozen[PZ]
    s.alter(PZ, replace(s.pieces[PZ], train=True))
    assert refused(s, f, "9Pz") == "S42-5.6.5a"
    s.alter(PZ, replace(s.pieces[PZ], train=False))
    assert refused(s, f, "9Pz") == ""
    ListAttacks().apply(s, f, {AXIS: Disengage((PZ,))}, Out())
    assert refused(s, f, "9Pz") == "S42-27.2.1b"  # it is on the list


def test_s42_27_2_1_what_an_entry_says() -> None:
    s, f = leaving(("9Pz", WEST), ("45ID", 3416), ("11Pz", WEST), ("45RD", HEX)), PlayerTurn(AXIS)
    assert refused(s, f) == "S42-27.2"
    assert refused(s, f, "9Pz", "45RD") == "S42-27.2"
    assert refused(s, f, "9Pz", "45ID") == "S42-27.2.1b"  # of two hexes
    for hexes in (0, 3):
        assert refused(s, f, "9Pz", hexes=hexes) == "S42-27.2.3"
    assert refused(s, f, "9Pz", hexes=1) == ""
    way = next(iter(ChooseWay().options(s, Retreat(AXIS, WEST, (PZ,), 2, AXIS, chooser=AXIS, willing=True), AXIS))).path
    assert refused(s, f, "9Pz", via=way) == ""
    assert refused(s, f, "9Pz", via=way[:1]) == "S42-27.2.3"
    assert set(Disengages().legal(s, f, AXIS)) == {  # 45ID has no enemy beside it
        Disengage((PZ,)), Disengage((number("11Pz"),)), Disengage(tuple(sorted((PZ, number("11Pz"))))),
    }  # fmt: skip


def test_s42_27_2_1b_27_2_3_all_combat_units_of_one_hex_and_of_one_alone() -> None:
    s, f = leaving(("9Pz", WEST), ("11Pz", WEST), ("Sup-A1", WEST), ("45ID", 3416), ("45RD", HEX)), PlayerTurn(AXIS)
    assert refused(s, f, "9Pz", "11Pz") == ""  # beside a supply point
    assert Disengage(tuple(sorted((PZ, number("11Pz"))))) in set(Disengages().legal(s, f, AXIS))
    s.put(number("11Pz"), 1405)
    assert refused(s, f, "9Pz", "45ID") == "S42-27.2.1b"  # each is alone, but they stand in two hexes


def test_s42_27_2_3_one_hex_where_two_are_barred() -> None:
    """The friend in 3416 is nearly surrounded: whoever comes there goes no further."""
    codes, around = ("45RD", "62RD", "121RD", "13GRD", "16TC", "17TC"), (3415, 3516, 3517, 3317, 3316, HEX)
    s = leaving(("9Pz", WEST), ("45ID", 3416), *zip(codes, around, strict=True))
    assert refused(s, PlayerTurn(AXIS), "9Pz") == "S42-27.2.3"
    assert refused(s, PlayerTurn(AXIS), "9Pz", hexes=1) == ""
    listed = set(Disengages().legal(s, PlayerTurn(AXIS), AXIS))
    assert {entry for entry in listed if PZ in entry.units} == {Disengage((PZ,), 1)}
    f = Leaving(seat=AXIS, start=WEST, units=(PZ,), hexes=2, goes=True)
    assert ChooseHexes().by(s, f) == (AXIS,)
    assert set(ChooseHexes().options(s, f, AXIS)) == {FallBack(0), FallBack(1)}
    assert Attempt().rolled(s, f) == f"A die is rolled: can {s.code(PZ)} disengage from {CHART.board[WEST]}?"
    assert ChooseHexes().answers(s, f, AXIS, {})["listed"] == FallBack(0)


def test_s42_27_2_1b_who_has_tried_and_whether_anybody_has_gone() -> None:
    s, f = leaving(("9Pz", WEST), ("11Pz", WEST), ("45RD", HEX)), PlayerTurn(AXIS)
    both = tuple(sorted((PZ, number("11Pz"))))
    begun = Disengages().start(s, f, Disengage(both[::-1], via=(3416, 3415)), Out())
    assert isinstance(begun, Leaving)
    assert (begun.seat, begun.start, begun.units, begun.hexes, begun.via) == (AXIS, WEST, both, 2, (3416, 3415))
    assert f.tried == set(both)
    assert not Disengages().won(s, f, Disengage(both), begun)
    s.fled.add(PZ)
    assert Disengages().won(s, f, Disengage(both), begun)


def test_s42_21_4b_27_2_1a_nobody_with_a_replacement() -> None:
    s, f = leaving(("9Pz", WEST), ("45RD", HEX)), PlayerTurn(AXIS)
    s.renewed.add(PZ)
    assert refused(s, f, "9Pz") == "S42-21.4b"
    assert not list(Disengages().legal(s, f, AXIS))


def test_s42_27_2_1a_without_the_option_nobody_may() -> None:
    s, f = leaving(("9Pz", WEST), ("45RD", HEX)), PlayerTurn(AXIS)
    assert list(Disengages().legal(s, f, AXIS)) == [Disengage((PZ,))]
    s.options = ()
    assert refused(s, f, "9Pz") == "S42-27.2"
    assert not list(Disengages().legal(s, f, AXIS))


def test_s42_27_2_1b_one_by_one_or_the_whole_stack_once_in_a_phase() -> None:
    s, f = leaving(("9Pz", WEST), ("45ID", WEST), ("11Pz", WEST), ("45RD", HEX)), PlayerTurn(AXIS)
    assert refused(s, f, "9Pz", "45ID") == "S42-27.2.1b"
    assert refused(s, f, "9Pz", "45ID", "11Pz") == ""
    assert {len(entry.units) for entry in Disengages().legal(s, f, AXIS)} == {1, 3}
    f.tried.add(PZ)
    assert refused(s, f, "9Pz") == "S42-27.2.1b"
    assert refused(s, f, "9Pz", "45ID", "11Pz") == "S42-27.2.1b"
    assert {len(entry.units) for entry in Disengages().legal(s, f, AXIS)} == {1}
    assert refused(s, PlayerTurn(AXIS), "9Pz", "9Pz") == "S42-27.2"


# The roll


@pytest.mark.parametrize(
    ("die", "more", "what"),
    [(1, 0, "no"), (2, 0, "no"), (3, 0, "cost"), (4, 0, "yes"), (6, 0, "yes"), (2, 1, "cost"), (3, 1, "yes"),
     (3, -1, "no"), (4, -1, "cost"), (1, -1, "no"), (6, 1, "yes"), (1, 1, "no")],
)  # fmt: skip
def test_s42_27_2_the_table(die: int, more: int, what: str) -> None:
    assert result(die, more) == what


def test_s42_27_2_2a_27_2_2b_what_changes_the_roll() -> None:
    alone = leaving(("9Pz", WEST), ("45ID", WEST))
    sixth = Fraction(1, 6)
    assert chances(alone, (PZ,)) == {"no": sixth, "cost": sixth, "yes": 4 * sixth}
    assert chances(alone, (ID,)) == {"no": 2 * sixth, "cost": sixth, "yes": 3 * sixth}
    s = leaving(("9Pz", WEST), ("45ID", WEST), ("Barbo", WEST), ("11Pz", WEST), orders={"11Pz": DISRUPTED})

    def of(*codes: str) -> int:
        return modifier(s, map(number, codes))

    assert (of("9Pz"), of("Barbo"), of("45ID")) == (1, 1, 0)
    assert (of("9Pz", "Barbo"), of("9Pz", "45ID")) == (1, 0)
    assert (of("11Pz"), of("9Pz", "11Pz"), of("45ID", "11Pz")) == (0, 0, -1)


# What it brings


def test_s42_27_2_3a_no_they_stay_yes_they_retreat_and_are_disrupted() -> None:
    d = table("disengage 9pz\ndone", 1)
    assert d.state.at(PZ) == WEST
    assert [each.result for each in d.seen(Disengaged)] == ["no"]
    d = table("disengage 9pz\ndone", 3)
    s = d.state
    assert [each.result for each in d.seen(Disengaged)] == ["yes"]  # one more for a panzer division
    assert CHART.board.grid.distance(s.at(PZ), WEST) == 2  # type: ignore[union-attr]
    assert [each.orders for each in d.seen(Retreated)] == [(DISRUPTED,)]
    assert s.pieces[PZ].steps == CHART.units[PZ].steps
    d = table("disengage 9pz\ndone", 6, orders={"9Pz": DISRUPTED})
    assert [each.orders for each in d.seen(Retreated)] == [(ROUTED,)]
    assert CHART.board.touch(table("disengage 9pz back 1\ndone", 6).state.at(PZ), WEST)
    plan = Retreat(AXIS, WEST, (PZ,), 2, AXIS, chooser=AXIS, willing=True)
    ways = [order.path for order in ChooseWay().options(leaving(("9Pz", WEST), ("45RD", HEX)), plan, AXIS)]
    assert len(ways) > 1
    for first, second in ways:  # as the entry has it, not the standing order
        assert table(f"disengage 9pz via {first}-{second}\ndone", 6).state.at(PZ) == second


def test_s42_27_2_3b_yes_with_a_step_which_goes_first() -> None:
    d = table("disengage 9pz\ndone", 2)
    s = d.state
    assert [each.result for each in d.seen(Disengaged)] == ["cost"]
    assert s.pieces[PZ].steps == CHART.units[PZ].steps - 1
    assert s.at(PZ) != WEST
    s = leaving(("9Pz", WEST), ("45ID", WEST), ("45RD", HEX))
    f = Leaving(seat=AXIS, start=WEST, units=tuple(sorted((PZ, ID))), hexes=2, die=3)
    called = GetAway().run(s, f, Out())
    assert isinstance(called, Call)
    assert isinstance(called.frame, Losses)
    assert (called.frame.chooser, called.frame.count, called.frame.side) == (AXIS, 1, AXIS)
    assert GetAway().run(s, f, Out()) is DONE
    assert f.goes


def test_s42_27_2_3c_who_has_disengaged_has_retreated_in_this_phase() -> None:
    """S42-12.2i: nobody retreats past them, and the Recovery Phase is for them as for others."""
    d = table("disengage 9pz\ndone", 6)
    assert len(d.seen(Retreated)) == 1
    s = leaving(("9Pz", WEST), ("45RD", HEX))
    f = Retreat(AXIS, WEST, (PZ,), 1, AXIS, chooser=AXIS, willing=True)
    ChooseWay().do(s, f, AXIS, next(iter(ChooseWay().options(s, f, AXIS))), Out())
    assert PZ in s.fled


def ring(open_: int = 0) -> State:
    """9Pz amid enemies whose zones and bonds close every way."""
    around = CHART.board.grid.ring(WEST, 2)  # type: ignore[union-attr]
    codes = ("45RD", "62RD", "121RD", "13GRD", "16TC", "17TC")
    return leaving(("9Pz", WEST), *zip(codes[open_:], around[::2][open_:], strict=True))


def test_s42_27_2_3a_who_has_no_way_stays_and_is_not_lost() -> None:
    s = ring()
    assert not goers(s, AXIS, (PZ,), 2)
    assert refused(s, PlayerTurn(AXIS), "9Pz") == "S42-27.2.3"
    assert not list(Disengages().legal(s, PlayerTurn(AXIS), AXIS))
    f = Retreat(AXIS, WEST, (PZ,), 2, AXIS, chooser=AXIS, willing=True)
    assert Onward().run(s, f, Out()) is DONE
    assert s.at(PZ) == WEST  # in combat it would be destroyed
    f.willing = False
    Onward().run(s, f, Out())
    assert s.at(PZ) != WEST
    s = ring()
    leave = Leaving(seat=AXIS, start=WEST, units=(PZ,), hexes=2, goes=True)
    assert set(ChooseHexes().options(s, leave, AXIS)) == {FallBack(0)}
    assert Go().run(s, leave, Out()) is DONE


def test_s42_27_2_3a_a_success_may_be_declined() -> None:
    s = leaving(("9Pz", WEST), ("45RD", HEX))
    f, step = Leaving(seat=AXIS, start=WEST, units=(PZ,), hexes=2, goes=True), ChooseHexes()
    assert set(step.options(s, f, AXIS)) == {FallBack(0), FallBack(1), FallBack(2)}
    assert step.answers(s, f, AXIS, {}) == {"listed": FallBack(2), "stay": FallBack(0)}
    step.do(s, f, AXIS, FallBack(0), Out())
    assert not Go().when(s, f)
    assert s.pieces[PZ].order == GOOD


def test_s42_27_2_3a_a_unit_moves_breaks_a_bond_and_three_disengage() -> None:
    """A goes into X and cancels the bond, so that B can go to X, and C to Y; D, shut in, neither moves nor leaves."""
    s = leaving(
        ("9Pz", 3415), ("45ID", 3417), ("45RD", 3317), ("62RD", 3517), ("11Pz", 3012),
        *zip(("121RD", "13GRD", "16TC", "17TC", "4TC", "24TC"), CHART.board.grid.ring(3012, 2)[::2], strict=True),  # type: ignore[union-attr]
    )  # fmt: skip
    f = PlayerTurn(AXIS)
    b, x = ID, 3416
    assert Movement().check(s, f, AXIS, Tactical(b, (x,)), {}) is not None  # the bond over X bars it
    assert Movement().check(s, f, AXIS, Tactical(PZ, (x,)), {}) is None  # A
    s.put(PZ, x)
    assert Movement().check(s, f, AXIS, Tactical(b, (x,)), {}) is None
    s.put(b, x)
    assert refused(s, f, "45ID") == ""
    assert refused(s, f, "11Pz") == "S42-27.2.3"


def test_s42_27_2_3b_27_2_3a_of_those_who_paid_the_living_go() -> None:
    s = leaving(("9Pz", WEST, 1), ("45ID", WEST), ("45RD", HEX))
    f = Leaving(seat=AXIS, start=WEST, units=tuple(sorted((PZ, ID))), hexes=2, goes=True)
    s.lose_step(PZ)
    assert goers(s, AXIS, f.units, 2) == (ID,)
    called = Go().run(s, f, Out())
    assert isinstance(called, Call)
    assert isinstance(called.frame, Retreat)
    assert (called.frame.units, called.frame.length, called.frame.willing) == ((ID,), 2, True)
    s.destroy(ID)
    assert goers(s, AXIS, f.units, 2) == ()
    assert Go().run(s, f, Out()) is DONE
    assert not ChooseHexes().by(s, f)


def test_s42_27_2_3a_only_those_who_may_go_are_asked_how_far() -> None:
    s = leaving(("9Pz", WEST), ("45RD", HEX))
    f, step = Leaving(seat=AXIS, start=WEST, units=(PZ,), hexes=2), ChooseHexes()
    assert not step.by(s, f)  # the roll failed
    f.goes = True
    assert step.by(s, f) == (AXIS,)
    step.do(s, f, AXIS, FallBack(1), Out())
    assert (f.hexes, f.goes) == (1, True)
    assert step.answers(ring(), f, AXIS, {})["listed"] == FallBack(0)  # no way of that length is open


# The short turn of the Axis, questions


def test_s42_27_2_1a_33_2_3c_in_the_short_turn_nobody_attacks_and_units_disengage() -> None:
    steps = next(each.steps for each in SEQUENCES if each.frame is Respite)
    assert [type(step) for step in steps if isinstance(step, ListAttacks)] == [ListDisengagements]
    s, f = leaving(("9Pz", WEST), ("45RD", HEX)), Respite(AXIS)
    step = ListDisengagements()
    assert step.by(s, f) == (AXIS,)
    assert step.check(s, f, AXIS, Disengage((PZ,)), {}) is None
    assert Attack not in step.takes
    step.apply(s, f, {AXIS: Disengage((PZ,))}, Out())
    called = CarryOutDisengagements().run(s, f, Out())
    assert isinstance(called, Call)
    assert isinstance(called.frame, Leaving)
    s.options = ()
    assert not step.when(s, f)


def test_what_can_be_asked_of_a_disengagement() -> None:
    s = leaving(("9Pz", WEST), ("45ID", WEST), ("45RD", HEX))
    view = combat(state=s).view(AXIS)
    told = looking(view, "disengage 9pz")
    assert not isinstance(told, str)
    assert told.figures["9Pz"] == {"no": "1/6", "cost": "1/6", "yes": "2/3"}
    assert told.figures["45ID and 9Pz"] == {"no": "1/3", "cost": "1/6", "yes": "1/2"}
    assert "by 1: " in told.text
    s.options = ()
    assert "without that option" in looking(view, "disengage 9pz").text  # type: ignore[union-attr]
