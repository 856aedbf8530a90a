"""What standing orders go by in a battle: who loses a step, what is left, who leads, which way back, one hex or two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import DONE, STAY, Call, Goto, Out
from pbem.kit import ISOLATED
from pbem_rules.stalingrad42.combat.battle import is_desperate
from pbem_rules.stalingrad42.combat.flight import (
    ChooseWay,
    DriveOff,
    Onward,
    driven_off,
    exposed,
    groups,
    hexes_to,
    shaken,
)
from pbem_rules.stalingrad42.combat.losses import Remains, TakeLoss, cheapest, choosable, dearest, drop, worth
from pbem_rules.stalingrad42.combat.retreat import routes
from pbem_rules.stalingrad42.events import Retreated, Trapped
from pbem_rules.stalingrad42.frames import Battle, Losses, PlayerTurn, Retreat
from pbem_rules.stalingrad42.movement.phase import follow_up
from pbem_rules.stalingrad42.orders import AS_REMNANT, IN_BOX, GoBack, Keep, Lose
from pbem_rules.stalingrad42.state import DISRUPTED, ELIMINATED, GOOD, ROUTED, State, other
from pbem_rules.stalingrad42.supply.lines import lines, lines_without

BOARD = CHART.board
GRID = BOARD.grid
WEST, HEX = 3417, 3418


def change(s: State, code: str, **values: Any) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], **values))


def numbers(*codes: str) -> tuple[int, ...]:
    return tuple(map(number, codes))


# Steps


def test_s42_10_2_3a_20_5_2_whom_the_last_step_of_an_ally_spares() -> None:
    """A Romanian with one step of two. It counts whether a whole German is there, not a whole ally."""
    s = position(("1Rom", HEX, 1), ("6LHun", HEX), ("45ID", HEX, 2), ("57ID", HEX, 1))
    reduced, german = numbers("1Rom", "6LHun"), numbers("1Rom", "57ID")
    assert choosable(s, reduced) == reduced
    assert choosable(s, german) == german
    s.set_steps(number("45ID"), 3)
    assert choosable(s, numbers("1Rom", "45ID")) == numbers("45ID")
    assert choosable(s, numbers("45ID", "57ID")) == numbers("45ID", "57ID")  # a German with one step is not spared
    assert choosable(s, numbers("6LHun", "45ID")) == numbers("6LHun", "45ID")  # nor an ally with two


def test_s42_10_2_2_what_a_unit_is_worth_and_what_a_step_costs() -> None:
    s = position(("9Pz", HEX), ("16TC", HEX), ("45RD", HEX), ("45ID", HEX))
    faces = {code: s.face(number(code)) for code in ("9Pz", "16TC", "45RD")}
    for code, more in (("9Pz", 3), ("16TC", 1), ("45RD", 0)):
        assert worth(s, number(code)) == faces[code].attack + faces[code].defence + more, code
    whole, half = (s.counter(number("45RD")).face(steps) for steps in (2, 1))
    assert drop(s, number("45RD")) == whole.attack + whole.defence - half.attack - half.defence + 2
    first, second = (s.counter(number("45ID")).face(steps) for steps in (3, 2))
    assert drop(s, number("45ID")) == first.attack + first.defence - second.attack - second.defence
    s.set_steps(number("16TC"), 1)
    face = s.face(number("16TC"))
    assert drop(s, number("16TC")) == face.attack + face.defence + 1  # all of it


def test_s42_10_2_2_ones_own_choice_and_the_enemys() -> None:
    s = position(("45RD", HEX, 1), ("13GRD", HEX), ("16TC", HEX), ("9Pz", WEST), ("45ID", WEST))
    assert cheapest(s, numbers("45RD", "13GRD")) == number("13GRD")  # no last step
    assert cheapest(s, numbers("13GRD", "16TC")) == number("13GRD")  # no tanks
    assert cheapest(s, numbers("45RD", "16TC")) == number("16TC")  # sooner tanks than the last step
    assert dearest(s, numbers("45RD", "16TC")) == number("45RD")  # a unit that dies
    assert dearest(s, numbers("45ID", "9Pz")) == number("9Pz")  # elite tanks
    s = position(("45RD", HEX), ("8NKVD", HEX), ("62RD", HEX))
    assert drop(s, number("8NKVD")) < drop(s, number("45RD")) == drop(s, number("62RD"))
    assert cheapest(s, numbers("45RD", "8NKVD", "62RD")) == number("8NKVD")
    assert dearest(s, numbers("45RD", "8NKVD", "62RD")) == min(numbers("45RD", "62RD"))  # of equals the first
    assert cheapest(s, numbers("45RD", "62RD")) == min(numbers("45RD", "62RD"))


def loss(s: State, side: str, *codes: str, attacker: str = AXIS, **rest: Any) -> Losses:
    return Losses(side, numbers(*codes), 1, chooser=side, attacker=attacker, **rest)


@pytest.mark.parametrize(
    ("attacker", "seat", "ask", "asked", "expected"),
    [
        (AXIS, AXIS, True, "no", True),
        (AXIS, AXIS, False, "combats", False),
        (AXIS, SOVIET, True, "no", False),
        (AXIS, SOVIET, False, "combats", True),
    ],
)
@pytest.mark.parametrize("step", [TakeLoss(), Remains()])
def test_s42_10_2_2_10_3b_the_attacker_is_asked_by_the_entry_the_defender_by_the_offer(
    step: TakeLoss | Remains, attacker: str, seat: str, ask: bool, asked: str, expected: bool
) -> None:
    s = position(("45RD", HEX), ("62RD", HEX))
    s.asked = asked
    assert step.asks(s, loss(s, SOVIET, "45RD", "62RD", attacker=attacker, ask=ask), seat) is expected


def test_s42_10_2_2_what_a_loss_is_compared_by() -> None:
    s = position(("45RD", HEX), ("62RD", HEX), ("9Pz", WEST), ("11Pz", 3317))
    ours, theirs = loss(s, SOVIET, "45RD", "62RD"), loss(s, AXIS, "9Pz", "11Pz")
    step = TakeLoss()
    assert step.facts(s, ours, SOVIET, {}) == {"own": 1, "attacks": 0, "hex": HEX, "units": 2}
    assert step.facts(s, ours, AXIS, {}) == {"own": 0, "attacks": 1, "hex": HEX, "units": 2}
    assert step.facts(s, theirs, AXIS, {}) == {"own": 1, "attacks": 1, "hex": s.at(theirs.units[0]), "units": 2}
    answers = step.answers(s, ours, SOVIET, {})
    assert answers == {"cheapest": Lose(number("45RD")), "dearest": Lose(number("45RD"))}


def remains(s: State, code: str = "45ID", retreat: int = 0, *, desperate: bool = False) -> dict[str, int]:
    f = loss(s, AXIS, code, attacker=SOVIET, retreat=retreat, desperate=desperate)
    f.dying = number(code)
    return dict(Remains().facts(s, f, AXIS, {}))


def test_s42_10_3b_10_4_3a_what_a_remnant_is_compared_by() -> None:
    """A ring of zones; with a friend that stays behind there is a way without them."""
    s = position(("45ID", HEX, 2), ("16TC", WEST))
    plain = {"isolated": 0, "desperate": 0, "beset": 0, "hex": HEX}
    assert remains(s) == plain
    assert remains(s, retreat=2) == plain  # there is a way out of all zones
    assert remains(s, retreat=2, desperate=True) == {**plain, "desperate": 1}
    change(s, "45ID", supply=ISOLATED)
    assert remains(s) == {**plain, "isolated": 1}
    ring = GRID.ring(HEX, 2)  # type: ignore[union-attr]
    soviets = ("16TC", "45RD", "62RD", "121RD", "160RD", "6RD")
    around = tuple(zip(soviets, ring[::2], strict=True))
    s = position(("45ID", HEX, 2), *around)
    assert remains(s, retreat=2)["beset"] == 1  # no way is left
    assert remains(s, retreat=0)["beset"] == 0  # but it need not go


def test_s42_10_4_3a_who_loses_the_second_step_says_what_is_left() -> None:
    s = position(("45ID", HEX, 2), ("57ID", HEX), ("16TC", WEST))
    f = loss(s, AXIS, "45ID", attacker=SOVIET, retreat=2)
    f.dying = number("45ID")
    assert Remains().by(s, f) == (AXIS,)
    assert Remains().answers(s, f, AXIS, {}) == {"keep": Keep(AS_REMNANT), "box": Keep(IN_BOX)}
    f.dying = None
    assert Remains().by(s, f) == ()


# Full Retreat


def test_s42_13_3_2d_13_3_2g_g13_an_enemy_beside_them_is_enough_without_a_zone() -> None:
    """9Pz has come by train, and has no zone; they go once in a phase because of that."""
    s = position(("45RD", HEX), ("9Pz", WEST))
    change(s, "45RD", order=ROUTED)
    assert exposed(s, SOVIET) == (HEX,)
    s.put(number("Sup-S1"), HEX)
    assert exposed(s, SOVIET) == (HEX,)  # supplies are nobody to stay with
    change(s, "9Pz", train=True)
    assert not s.zone(AXIS) & BOARD.bit[HEX]
    assert exposed(s, SOVIET) == (HEX,)
    assert not exposed(s, AXIS)
    s.fled.add(number("45RD"))
    assert not exposed(s, SOVIET)
    change(s, "9Pz", train=False)
    assert exposed(s, SOVIET) == (HEX,)  # a zone drives them off as often as it comes


@pytest.mark.parametrize("order", [GOOD, DISRUPTED])
def test_s42_13_3_2e_g13_a_mate_that_is_not_in_full_retreat_prevents_it(order: int) -> None:
    s = position(("45RD", HEX), ("62RD", HEX), ("9Pz", WEST))
    change(s, "45RD", order=ROUTED)
    change(s, "62RD", order=order)
    assert not exposed(s, SOVIET)
    change(s, "62RD", order=ROUTED)
    assert exposed(s, SOVIET) == (HEX,)


def test_s42_13_3_2d_g13_supplies_drive_nobody_off_nor_do_units_in_areas() -> None:
    s = position(("45RD", HEX), ("Sup-A1", WEST), ("62RD", 4105))
    change(s, "45RD", order=ROUTED)
    change(s, "62RD", order=ROUTED)
    s.put(number("9Pz"), CHART.areas["m"])
    assert not exposed(s, SOVIET)
    s.put(number("11Pz"), WEST)
    driven = driven_off(s, AXIS, ask=True)
    assert driven is not None
    assert (driven.seat, driven.start, driven.units, driven.length) == (SOVIET, HEX, (number("45RD"),), 2)
    assert (driven.attacker, driven.chooser, driven.ask, driven.driven) == (AXIS, AXIS, True, True)


def test_s42_13_3_2d_13_3_2g_one_stack_after_another_and_what_an_automatic_ds_has_broken() -> None:
    s, f, step = position(("45RD", HEX), ("62RD", 3320), ("9Pz", 3319)), PlayerTurn(AXIS), DriveOff()
    for code in ("45RD", "62RD"):
        change(s, code, order=ROUTED)
    following = step.run(s, f, Out())
    assert isinstance(following, Call)
    assert following.again
    assert isinstance(following.frame, Retreat)
    assert following.frame.driven
    s = position(("45RD", HEX), ("9Pz", WEST))
    assert follow_up(s, f, Out()) is STAY
    f.broken = numbers("45RD")
    assert follow_up(s, f, Out()) == Goto(DriveOff)


def test_s42_12_2a_17_3_1a_a_retreat_in_the_soviet_turn_leaves_a_railhead_to_be_thrown_back() -> None:
    for attacker, at in ((SOVIET, 1202), (AXIS, 1303)):
        s = position(("45RD", 1403))
        s.tracks = ((1202, 1303),)
        f = Retreat(AXIS, 1303, (), 2, attacker, chooser=AXIS)
        assert Onward().run(s, f, Out()) is DONE
        assert s.tracks[0][-1] == at


# Ways back


def retreat(s: State, *codes: str, length: int = 2, seat: str = SOVIET, **rest: Any) -> Retreat:
    units = numbers(*codes)
    return Retreat(seat, s.at(units[0]), units, length, other(seat), chooser=rest.pop("chooser", seat), **rest)


def positions() -> Iterator[tuple[State, Retreat]]:
    """Ways of every kind: full hexes, ends in a zone that a friend covers, zones on the way, two units or one."""
    base = ("45RD", HEX), ("9Pz", WEST)
    full = ("62RD", 3618), ("121RD", 3618), ("160RD", 3618), ("6RD", 3619), ("227RD", 3619), ("297RD", 3619)
    for more in (
        (),
        full,
        (("62RD", 3619), ("11Pz", 3720)),
        (("62RD", 3420), ("11Pz", 3421)),
        (("62ID", 3620),),
        (*full, ("62ID", 3320)),
    ):
        s = position(*base, *more)
        yield s, retreat(s, "45RD")
        s = position(*base, ("13GRD", HEX), *more)
        yield s, retreat(s, "45RD", "13GRD")
        yield s, retreat(s, "45RD", "13GRD", length=3)


def test_s42_12_1_2_12_1_3f_which_way_back_the_standing_orders_go() -> None:
    """As one or apart; out of zones, where there is room, over few zones, and near to one's own source or far away."""
    seen: set[tuple[int, ...]] = set()
    for s, f in positions():
        zone = s.zone(AXIS)
        near = {place: hexes_to(CHART, CHART.friendly(SOVIET), place) for place in BOARD.places}
        options = list(ChooseWay().options(s, f, SOVIET))

        def safe(order: GoBack, s: State = s, zone: int = zone, near: Any = near) -> tuple[int, ...]:
            end = order.path[-1]
            in_zone = sum(1 for place in order.path if zone & BOARD.bit[place])
            return (
                1 if zone & BOARD.bit[end] else 0,
                1 if s.overfull(end, SOVIET, order.units) else 0,
                in_zone,
                near[end],
                end,
            )

        def best(key: Any, options: list[GoBack] = options) -> GoBack:
            (first, *_) = sorted(options, key=key)
            return first

        wanted = {
            "safest": best(lambda o: (-len(o.units), *safe(o))),
            "nearest": best(lambda o, near=near: (-len(o.units), near[o.path[-1]], *safe(o))),
            "apart": best(lambda o: (len(o.units), *safe(o))),
            "astray": best(lambda o, near=near: (-len(o.units), -near[o.path[-1]], *safe(o))),
        }
        assert ChooseWay().answers(s, f, SOVIET, {}) == wanted
        seen.update(safe(order)[:3] for order in options)
        assert near[CHART.areas["m"]] == near[4105] == 0
        assert near[4005] == 1
    assert {key[0] for key in seen} == {key[1] for key in seen} == {0, 1}
    assert {key[2] for key in seen} >= {0, 1}


def test_s42_12_1_3e_who_is_cut_off_comes_after_zones_and_room() -> None:
    s = position(("45ID", 3417), ("16TC", 3517))
    f = retreat(s, "45ID", seat=AXIS)
    home = lines(s, AXIS).reached
    assert all(home & BOARD.bit[order.path[-1]] for order in ChooseWay().answers(s, f, AXIS, {}).values())


def test_s42_12_1_2_all_together_or_one_by_one_where_each_has_a_way() -> None:
    s = position(("45RD", HEX), ("13GRD", HEX), ("9Pz", WEST))
    pair = numbers("13GRD", "45RD")
    found = dict(groups(s, retreat(s, "45RD", "13GRD")))
    assert set(map(frozenset, found)) == {frozenset(pair), frozenset(pair[:1]), frozenset(pair[1:])}
    (only,) = groups(s, retreat(s, "45RD"))
    assert only[0] == numbers("45RD")
    ring = GRID.ring(HEX, 2)  # type: ignore[union-attr]
    codes = "9Pz", "11Pz", "24Pz", "3Pz", "23Pz", "14Pz"
    s = position(("45RD", HEX), ("13GRD", HEX), *zip(codes, ring[::2], strict=True))
    f = retreat(s, "45RD", "13GRD")
    assert list(groups(s, f)) == []
    assert ChooseWay().by(s, f) == ()
    assert ChooseWay().by(s, retreat(position(("45RD", HEX), ("9Pz", WEST)), "45RD", chooser=AXIS)) in ((), (AXIS,))


@pytest.mark.parametrize(
    ("seat", "ask", "asked", "expected"),
    [
        (AXIS, True, "no", True),
        (AXIS, False, "combats", False),
        (SOVIET, True, "no", False),
        (SOVIET, False, "combats", True),
    ],
)
def test_s42_12_1_2_the_attacker_is_asked_by_the_entry_the_owner_by_the_offer(
    seat: str, ask: bool, asked: str, expected: bool
) -> None:
    s = position(("45RD", HEX))
    s.asked = asked
    assert ChooseWay().asks(s, retreat(s, "45RD", ask=ask), seat) is expected


def test_s42_12_1_2_what_a_way_back_is_compared_by() -> None:
    s = position(("45RD", HEX), ("13GRD", HEX))
    facts = ChooseWay().facts(s, retreat(s, "45RD", "13GRD", length=3), SOVIET, {})
    assert facts == {"driven": 0, "attacks": 0, "hex": HEX, "units": 2, "length": 3}
    facts = ChooseWay().facts(s, retreat(s, "45RD", driven=True, chooser=AXIS), AXIS, {})
    assert facts == {"driven": 1, "attacks": 1, "hex": HEX, "units": 1, "length": 2}


@pytest.mark.parametrize(
    ("before", "length", "after"),
    [
        (GOOD, 1, DISRUPTED),
        (GOOD, 3, DISRUPTED),
        (GOOD, 4, ROUTED),
        (DISRUPTED, 1, ROUTED),
        (DISRUPTED, 4, ROUTED),
        (ROUTED, 2, ROUTED),
    ],
)
def test_s42_13_1_2a_13_1_3a_13_1_3b_13_3_2f_the_order_after_a_retreat(before: int, length: int, after: int) -> None:
    assert shaken(before, length) == after


def test_s42_12_1_2_12_2i_one_goes_the_other_follows_and_covers_nothing_for_it() -> None:
    """On a train they leave it; who has gone is marked, and the other one still has to go."""
    s = position(("45RD", HEX), ("13GRD", HEX), ("9Pz", WEST))
    change(s, "45RD", train=True)
    f = retreat(s, "45RD", "13GRD")
    order = next(o for o in ChooseWay().options(s, f, SOVIET) if o.units == numbers("45RD"))
    out = Out()
    ChooseWay().do(s, f, SOVIET, order, out)
    assert f.units == numbers("13GRD")
    assert s.fled == {number("45RD")}
    piece = s.pieces[number("45RD")]
    assert (piece.place, piece.order, piece.train) == (order.path[-1], DISRUPTED, False)
    (event,) = [each for each in out.events if isinstance(each, Retreated)]
    assert (event.units, event.path, event.orders) == (("45RD",), (HEX, *order.path), (DISRUPTED,))
    assert Onward().run(s, f, Out()) == Goto(ChooseWay)
    f.units = ()
    assert Onward().run(s, f, Out()) is DONE


def test_s42_12_1_3a_12_2a_who_has_no_way_goes_to_the_box_whole() -> None:
    """Of three steps none is lost by itself, so that no Remnant is destroyed for good."""
    around = GRID.neighbours(HEX)  # type: ignore[union-attr]
    codes = "16TC", "17TC", "4TC", "45RD", "62RD", "121RD"
    s = position(("45ID", HEX), *zip(codes, around, strict=True))
    out = Out()
    assert Onward().run(s, retreat(s, "45ID", seat=AXIS), out) is DONE
    assert (s.at(number("45ID")), s.pieces[number("45ID")].steps) == (ELIMINATED, 0)
    assert [each.units for each in out.events if isinstance(each, Trapped)] == [("45ID",)]


# Ports


def test_s42_11_5_1a_16_2_1_a_port_that_is_lost_supplies_nobody() -> None:
    """Mariupol, in a ring of Germans: the port supplies those near it, until it is left."""
    port = BOARD.place_named("Mariupol") or 0
    assert GRID is not None
    land = [place for place in GRID.ring(port, 5) if place in BOARD and BOARD[place].terrain != "sea"]
    germans = [unit.code for unit in CHART.units if unit.side == AXIS and unit.steps == 3]
    s = position(("45RD", port), *zip(germans, land[::2], strict=False), turn=8)
    s.holders[port] = SOVIET
    ends = [way.end for way in routes(s, number("45RD"), 2).ways]
    assert ends
    assert all(lines(s, SOVIET).reached & BOARD.bit[end] for end in ends)
    gone = lines_without(s, SOVIET, BOARD.bit[port]).reached
    assert not any(gone & BOARD.bit[end] for end in (port, *ends))
    assert lines_without(s, SOVIET, 0).reached == lines(s, SOVIET).reached
    f = Battle(seat=AXIS, target=port, units=(), defenders=numbers("45RD"), cell="DR2", retreat=2)
    assert is_desperate(s, f)
    f.target = ends[0]  # no port
    assert not is_desperate(s, f)
    rostov = BOARD.place_named("Rostov") or 0
    s = position(("45RD", rostov), ("9Pz", BOARD.near[rostov][0]), turn=8)
    f.target = rostov
    assert not is_desperate(s, f)  # there is supply by land
