"""The steps of one attack, each by itself: who is asked what, the die, losses, what is left to be done."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import DONE, Call, Out
from pbem_rules.stalingrad42.chart import WINGS
from pbem_rules.stalingrad42.combat.air import refresh
from pbem_rules.stalingrad42.combat.battle import (
    BackOff,
    ChooseCover,
    Fire,
    NameSpare,
    Score,
    Suffer,
    die_of,
    helping,
    is_desperate,
    next_loss,
    ways_out,
)
from pbem_rules.stalingrad42.combat.odds import beyond
from pbem_rules.stalingrad42.events import Flew, Fought, Trapped
from pbem_rules.stalingrad42.frames import FLEXIBLE, GIVE, HOLD, Battle, Losses, Retreat
from pbem_rules.stalingrad42.orders import Cover, Spare
from pbem_rules.stalingrad42.state import DISRUPTED, ELIMINATED, READY, ROUTED, USED, State

WEST, HEX = 3417, 3418
NEAR, THERE = 1116, 1117  # not far from Kharkov


def change(s: State, code: str, **values: Any) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], **values))


def numbers(*codes: str) -> tuple[int, ...]:
    return tuple(map(number, codes))


def battle(units: str, defenders: str, *, seat: str = AXIS, target: int = HEX, **rest: Any) -> Battle:
    return Battle(
        seat=seat, target=target, units=numbers(*units.split()), defenders=numbers(*defenders.split()), **rest
    )


# Before the die


def test_s42_15_3b_of_too_many_in_a_hex_the_defender_names_whom_it_does_without() -> None:
    s = position(("9Pz", WEST), ("45RD", HEX), ("62RD", HEX), ("121RD", HEX, 1))
    f, step = battle("9Pz", "45RD 62RD 121RD", number=1), NameSpare()
    assert len(beyond(s, SOVIET, f.defenders)) == 1
    assert step.by(s, f) == (SOVIET,)
    assert set(step.options(s, f, SOVIET)) == {Spare((unit,)) for unit in f.defenders}
    assert step.answers(s, f, SOVIET, {}) == {"weakest": Spare(numbers("121RD"))}
    step.do(s, f, SOVIET, Spare(numbers("45RD")), Out())
    assert set(helping(f)) == set(numbers("62RD", "121RD"))
    assert step.by(s, f) == ()  # they are named
    assert step.by(s, battle("9Pz", "45RD 62RD 121RD", cell="DR2")) == ()  # the die has been thrown
    assert step.by(s, battle("9Pz", "45RD 62RD")) == ()
    s.put(number("10TB"), HEX)
    f = battle("9Pz", "45RD 62RD 121RD 10TB", number=1)
    assert beyond(s, SOVIET, f.defenders) == numbers("121RD")  # not 10TB, the weakest, which stacks freely
    assert set(step.options(s, f, SOVIET)) == {
        Spare((unit,)) for unit in numbers("45RD", "62RD", "121RD")
    }  # 10TB is free


def flying(*units: tuple[str, int] | tuple[str, int, int]) -> State:
    s = position(*units)
    refresh(s)
    return s


def test_s42_9_3_4_9_3_6_who_can_cover_a_defence_is_asked_once_before_the_die() -> None:
    s, step = flying(("16TC", NEAR), ("45ID", THERE)), ChooseCover()
    f = battle("16TC", "45ID", seat=SOVIET, target=THERE)
    first, second = WINGS
    assert step.by(s, f) == (AXIS,)
    assert list(step.options(s, f, AXIS)) == [Cover(), Cover(first), Cover(second)]
    assert step.facts(s, f, AXIS, {}) == {"hex": THERE, "ready": 2}
    s.wings[first] = USED
    assert step.facts(s, f, AXIS, {})["ready"] == 1
    s.wings[second] = USED
    assert step.by(s, f) == ()
    s.wings[first] = READY
    assert step.by(s, battle("16TC", "45ID", seat=SOVIET, target=THERE, cell="DR2")) == ()
    assert step.by(s, battle("16TC", "45ID", seat=AXIS, target=THERE)) == ()  # the Axis alone has air units
    s.wings[first] = number("45ID")  # it has stayed with them
    assert step.by(s, f) == (AXIS,)
    assert list(step.options(s, f, AXIS)) == [Cover(), Cover(first)]
    assert step.facts(s, f, AXIS, {})["ready"] == 1
    assert step.answers(s, f, AXIS, {})["any"] == Cover(first)
    s.wings[first] = READY
    out = Out()
    step.do(s, f, AXIS, Cover(), out)
    assert (f.asked, f.cover, s.wings[first], list(out.events)) == (True, None, READY, [])
    assert step.by(s, f) == ()
    f.asked = False
    step.do(s, f, AXIS, Cover(first), out)
    assert (f.asked, f.cover, s.wings[first]) == (True, first, USED)
    assert [(each.air, each.hex, each.defends) for each in out.events if isinstance(each, Flew)] == [
        (first, THERE, True)
    ]


@pytest.mark.parametrize(
    ("units", "stance", "guns", "covered"),
    [
        ("16TC 17TC", HOLD, None, True),  # 14:7 = 2:1, tanks 3:1: 2:1 is left
        ("16TC 17TC", FLEXIBLE, None, False),
        ("16TC 17TC", GIVE, None, False),
        ("16TC", HOLD, None, False),  # 7:7 = 1:1, tanks 2:1: 1:1 would be left
        ("16TC", HOLD, "SW-HQ", True),  # artillery 3:1
        ("16TC 17TC 4TC", HOLD, None, False),  # 21:3 = 7:1, tanks 8:1, which is rolled on 7:1, too
        ("16TC 17TC 4TC 24TC", HOLD, None, True),  # 28:3 = 9:1, tanks 10:1: without the column no die
    ],
)
def test_s42_9_3_4_a_column_where_one_holds_if_two_to_one_is_left(
    units: str, stance: str, guns: str | None, covered: bool
) -> None:
    weak = len(units.split()) > 2
    s = flying(*((code, NEAR) for code in units.split()), ("45ID", THERE, 1 if weak else 3), ("SW-HQ", NEAR))
    f = battle(units, "45ID", seat=SOVIET, target=THERE, stance=stance, guns=() if guns is None else (number(guns),))
    first = WINGS[0]
    assert ChooseCover().answers(s, f, AXIS, {}) == {
        "needed": Cover(first if covered else None),
        "none": Cover(),
        "any": Cover(first),
    }


# The die


def fire(s: State, f: Battle, *dice: int) -> Out:
    out = Out()
    assert Fire().run(s, f, {die_of(s, f): dice} if dice else {}, out) is DONE
    assert not out.events
    assert Score().run(s, f, out) is DONE
    return out


def test_s42_8_3c_a_die_is_thrown_but_at_ten_to_one() -> None:
    s = position(("9Pz", WEST), ("11Pz", WEST), ("45RD", HEX))
    f = battle("9Pz 11Pz", "45RD")
    (draw,) = Fire().draws(s, f)
    assert (draw.label, draw.sides) == (die_of(s, f), 6)
    assert die_of(s, f) == f"t2/axis/{HEX}"
    assert die_of(s, battle("9Pz", "45RD", number=2)) == f"t2/axis/{HEX}/break2"
    for step in (Fire(), Score()):
        assert step.when(s, f)
        assert not step.when(s, battle("9Pz", "45RD", cell="DS"))
    s.set_steps(number("45RD"), 1)
    s.put(number("3Pz"), WEST)
    f = battle("9Pz 11Pz 3Pz", "45RD")
    assert list(Fire().draws(s, f)) == []
    out = fire(s, f)
    assert (f.cell, f.die, f.losing, f.retreat) == ("DS", 0, (SOVIET,), 4)
    assert [each.odds for each in out.events if isinstance(each, Fought)] != []


@pytest.mark.parametrize(
    ("die", "cell", "losing", "hexes"),
    [(1, "D1", (SOVIET,), 3), (2, "A1/D1", (AXIS, SOVIET), 2), (5, "A1/DR2", (AXIS,), 2), (6, "EX", (AXIS, SOVIET), 0)],
)
def test_s42_10_1_what_a_result_leaves_to_be_done_the_attackers_losses_first(
    die: int, cell: str, losing: tuple[str, ...], hexes: int
) -> None:
    """12:5 at 2:1."""
    s = position(("45ID", WEST), ("75ID", WEST), ("45RD", HEX))
    f = battle("45ID 75ID", "45RD")
    fire(s, f, die)
    if f.cell.rstrip("*") != cell:
        pytest.fail(f"{die}: {f.cell}")
    assert (f.die, f.losing, f.retreat, f.favoured) == (die, losing, hexes, False)


def test_s42_8_3b_9_3_4_what_is_reckoned_with_the_artillery_the_air_and_the_cover() -> None:
    """12:7 = 1:1. Each adds a column, the cover takes one off; below the table its first column counts."""
    s = flying(("45RD", NEAR), ("62RD", NEAR), ("13GRD", NEAR), ("45ID", THERE), ("SW-HQ", NEAR))
    units = "45RD 62RD 13GRD"

    def text(**rest: Any) -> str:
        out = fire(s, battle(units, "45ID", seat=SOVIET, target=THERE, **rest), 3)
        (event,) = [each for each in out.events if isinstance(each, Fought)]
        return event.odds

    plain = text()
    assert "artillery" not in plain
    assert "air" not in plain
    assert "artillery +1 (S42-18.3.1)" in text(guns=numbers("SW-HQ"))
    assert "air support +1 (S42-9.3.3)" in text(air="8FK")
    assert "air support of the defender -1 (S42-9.3.4)" in text(cover="8FK")
    f = battle("45RD", "45ID", seat=SOVIET, target=THERE, cover="8FK")
    fire(s, f, 1)
    assert f.cell == CHART.crt.result(1, 0)


def test_s42_15_3b_who_is_spared_adds_nothing_and_loses_nothing() -> None:
    s = position(("45ID", WEST), ("75ID", WEST), ("45RD", HEX), ("62RD", HEX), ("121RD", HEX))
    f = battle("45ID 75ID", "45RD 62RD 121RD", spared=numbers("121RD"))
    out = fire(s, f, 1)
    (event,) = [each for each in out.events if isinstance(each, Fought)]
    assert event.odds.startswith("12 to 10")
    f.losing, f.cell = (SOVIET,), "D1"
    found = next_loss(s, f)
    assert found is not None
    assert set(found.units) == set(numbers("45RD", "62RD"))


# Losses


def test_s42_10_2_1_10_2_2_who_is_to_lose_the_next_step_and_who_picks() -> None:
    s = position(("45ID", WEST), ("75ID", 3317), ("45RD", HEX), ("62RD", HEX))
    f = battle("45ID 75ID", "45RD 62RD", cell="A1/D1", losing=(AXIS, SOVIET), retreat=2, ask=True, desperate=True)
    first, second = next_loss(s, f), next_loss(s, f)
    assert first is not None
    assert second is not None
    assert (first.side, first.units, first.chooser, first.attacker, first.count) == (AXIS, f.units, AXIS, AXIS, 1)
    assert (first.retreat, first.desperate, first.ask) == (0, False, True)  # the attacker does not retreat
    assert (second.side, second.units, second.chooser) == (SOVIET, f.defenders, SOVIET)
    assert (second.retreat, second.desperate) == (2, True)
    assert next_loss(s, f) is None
    assert f.losing == ()


@pytest.mark.parametrize(
    ("cell", "rolls", "star", "chooser"),
    [
        ("EX", 0, False, SOVIET),
        ("EX", 1, False, AXIS),
        ("A1/D1", 1, True, SOVIET),
        ("DRX", 0, False, SOVIET),
        ("A1/DR2", 0, False, AXIS),
    ],
)
def test_s42_10_2_2_11_4_1_the_opponent_picks_by_the_result_or_the_star_of_a_roll(
    cell: str, rolls: int, star: bool, chooser: str
) -> None:
    s = position(("45ID", WEST), ("75ID", WEST), ("45RD", HEX))
    f = battle("45ID 75ID", "45RD", cell=cell, rolls=rolls, star=star, losing=(AXIS,))
    found = next_loss(s, f)
    assert found is not None
    assert found.chooser == chooser


def test_s42_10_2_1a_11_2_3_nobody_who_is_gone_and_in_determined_defence_the_lead() -> None:
    s = position(("45ID", WEST), ("75ID", WEST), ("45RD", HEX), ("62RD", HEX))
    f = battle("45ID 75ID", "45RD 62RD", cell="A1/D1", losing=(SOVIET,), lead=number("62RD"))
    found = next_loss(s, f)
    assert found is not None
    assert found.units == numbers("62RD")
    s.put(number("62RD"), ELIMINATED)
    f.losing = (SOVIET,)
    assert next_loss(s, f) is None  # the lead has gone
    f.lead, f.losing = None, (SOVIET, AXIS)
    s.put(number("45RD"), ELIMINATED)
    s.put(number("45ID"), ELIMINATED)
    found = next_loss(s, f)
    assert found is not None
    assert (found.side, found.units) == (AXIS, numbers("75ID"))  # of those who are left


# Desperate defence


def test_s42_11_5_1b_12_1_2_ways_of_those_who_are_left() -> None:
    s = position(("45RD", HEX), ("62RD", HEX), ("9Pz", WEST))
    f = battle("9Pz", "45RD 62RD", cell="DR2", retreat=2)
    assert len(list(ways_out(s, f, 2))) == 2
    assert all(way.distance == 3 for each in ways_out(s, f, 3) for way in each.ways)
    s.put(number("62RD"), ELIMINATED)
    assert len(list(ways_out(s, f, 2))) == 1


def test_s42_11_5_1b_12_2i_mates_and_those_who_have_fled_open_no_way() -> None:
    """Enemies on five sides; a friend on the sixth saves 45RD, who goes a shorter way, unless it has fled there."""
    beside = [("9Pz", 3417), ("11Pz", 3318), ("24Pz", 3319), ("3Pz", 3518), ("23Pz", 3519)]
    behind = [("14Pz", 3420), ("57ID", 3620), ("62ID", 3220)]
    s = position(("45RD", HEX), *beside, *behind, ("62RD", 3419))
    f = battle("9Pz", "45RD", cell="DR2", retreat=2)
    (found,) = ways_out(s, f, 2)
    assert (found.steps, [way.path for way in found.ways]) == (1, [(3419,)])
    s.fled.add(number("62RD"))
    assert [each.ways for each in ways_out(s, f, 2)] == [()]
    assert is_desperate(s, f)


def test_s42_11_5_1b_a_stack_is_desperate_only_if_nobody_has_a_way() -> None:
    ring = [("9Pz", 3417), ("11Pz", 3419), ("23Pz", 3518), ("45ID", 3319), ("75ID", 3318), ("3Pz", 3519)]
    s = position(("45RD", HEX), ("62RD", HEX), *ring)
    f = battle("9Pz", "45RD 62RD", cell="DR2", retreat=2)
    assert is_desperate(s, f)
    assert Suffer().run(s, f, Out()) is DONE
    assert f.desperate
    f = battle("9Pz", "45RD 62RD", cell="EX")
    assert Suffer().run(s, f, Out()) is DONE
    assert not f.desperate  # no retreat


def test_s42_10_1_losses_come_before_the_rest() -> None:
    s = position(("45ID", WEST), ("45RD", HEX))
    f = battle("45ID", "45RD", cell="A1/D1", losing=(AXIS, SOVIET), retreat=2)
    step = Suffer()
    for side in (AXIS, SOVIET):
        following = step.run(s, f, Out())
        assert isinstance(following, Call)
        assert following.again
        assert isinstance(following.frame, Losses)
        assert following.frame.side == side
    assert step.run(s, f, Out()) is DONE


# What follows


def back_off(s: State, f: Battle) -> tuple[Retreat | None, list[object]]:
    out = Out()
    following = BackOff().run(s, f, out)
    if isinstance(following, Call):
        assert isinstance(following.frame, Retreat)
        assert following.again
        return following.frame, list(out.events)
    assert following is DONE
    return None, list(out.events)


def test_s42_12_1_1a_12_1_2_the_defenders_that_are_left_retreat_as_their_owner_says() -> None:
    s = position(("45ID", WEST), ("45RD", HEX), ("62RD", HEX))
    f = battle("45ID", "45RD 62RD", cell="D1", retreat=3)
    s.put(number("45RD"), ELIMINATED)
    found, _ = back_off(s, f)
    assert found == Retreat(SOVIET, HEX, numbers("62RD"), 3, AXIS, chooser=SOVIET)
    assert f.retreat == 0
    assert not f.won  # it is not known yet


def test_s42_13_3_3a_13_3_3b_units_in_full_retreat_go_with_the_others_or_are_driven_off_by_the_attacker() -> None:
    for mate, chooser, length in ((True, SOVIET, 3), (False, AXIS, 2)):
        s = position(("45ID", WEST), ("45RD", HEX), ("62RD", HEX))
        change(s, "62RD", order=ROUTED)
        f = battle("45ID", "45RD 62RD", cell="D1", retreat=3)
        if not mate:
            s.put(number("45RD"), ELIMINATED)
        found, _ = back_off(s, f)
        assert found is not None
        assert (found.chooser, found.length) == (chooser, length)
        assert found.driven is not mate
    s = position(("45ID", WEST), ("62RD", HEX))
    change(s, "62RD", order=ROUTED)
    found, _ = back_off(s, battle("45ID", "62RD", cell="DS", retreat=4))
    assert found is not None
    assert (found.chooser, found.length) == (SOVIET, 4)  # nobody else was there: the result is theirs


def test_s42_12_4a_who_has_retreated_there_before_ends_with_the_hex() -> None:
    s = position(("45ID", WEST), ("45RD", HEX), ("62RD", HEX))
    s.fled.add(number("62RD"))
    f = battle("45ID", "45RD", cell="DR2", retreat=2, guests=numbers("62RD"))
    found, events = back_off(s, f)
    assert found is not None
    assert found.units == numbers("45RD")
    assert s.at(number("62RD")) == ELIMINATED
    assert [each.units for each in events if isinstance(each, Trapped)] == [("62RD",)]
    s = position(("45ID", HEX), ("57ID", HEX), ("16TC", WEST))
    s.fled.add(number("57ID"))
    back_off(s, battle("16TC", "45ID", seat=SOVIET, cell="DR2", retreat=2, guests=numbers("57ID")))
    assert s.at(number("57ID")) == ELIMINATED  # whole, so that no Remnant of it is lost for good
    s = position(("45ID", WEST), ("45RD", HEX), ("62RD", HEX))
    f = battle("45ID", "45RD", cell="EX", guests=numbers("62RD"))
    assert back_off(s, f) == (None, [])
    assert s.at(number("62RD")) == HEX  # the hex need not retreat
    f = battle("45ID", "45RD", cell="DR2", retreat=2, guests=numbers("62RD"))
    s.put(number("62RD"), ELIMINATED)
    found, events = back_off(s, f)
    assert found is not None
    assert events == []  # it has gone before


@pytest.mark.parametrize(
    ("cell", "held", "delayed", "limited", "hexes"),
    [
        ("DS", False, False, False, 4),
        ("D1", False, False, False, 3),
        ("DR2", False, False, False, 2),
        ("EX", False, False, True, 1),  # S42-10.1i
        ("D1", True, False, True, 1),  # S42-11.4.2
        ("D1", False, True, False, 1),  # S42-14.2.4
    ],
)
def test_s42_10_1k_14_2_1_14_2_3_how_far_the_victors_may_advance(
    cell: str, held: bool, delayed: bool, limited: bool, hexes: int
) -> None:
    for empty in (True, False):
        s = position(("45ID", WEST), ("45RD", HEX))
        f = battle("45ID", "45RD", cell=cell, held=held, delayed=delayed)
        if empty:
            s.put(number("45RD"), ELIMINATED)
        assert back_off(s, f) == (None, [])
        assert (f.won, f.limited, f.hexes) == (empty, limited, hexes if empty else 0)


def test_s42_13_3_2d_after_a_battle_others_in_full_retreat_beside_the_victors_go_first() -> None:
    s = position(("45ID", WEST), ("62RD", 3318))
    change(s, "62RD", order=ROUTED)
    f = battle("45ID", "45RD", cell="DR2", ask=True)
    found, _ = back_off(s, f)
    assert found is not None
    assert (found.units, found.chooser, found.ask, found.driven) == (numbers("62RD"), AXIS, True, True)
    change(s, "62RD", order=DISRUPTED)
    assert back_off(s, f) == (None, [])


def test_s42_13_3_3b_of_those_left_one_in_full_retreat_goes_with_the_others() -> None:
    s = position(("9Pz", WEST), ("45RD", HEX), ("62RD", HEX))
    change(s, "62RD", order=ROUTED)
    f = battle("9Pz", "45RD 62RD 121RD", cell="DR2", retreat=2)
    called = BackOff().run(s, f, Out())
    assert isinstance(called, Call)
    assert isinstance(called.frame, Retreat)
    assert set(called.frame.units) == set(numbers("45RD", "62RD"))
