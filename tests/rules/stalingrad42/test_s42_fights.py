"""S42-8.1, S42-8.2: which attacks can be listed, and how each of them begins and ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from s42_combat import combat
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.game import DONE, Call, Out
from pbem.kit import UNIT, Fate
from pbem_rules.stalingrad42.chart import WINGS
from pbem_rules.stalingrad42.combat.air import refresh
from pbem_rules.stalingrad42.combat.fights import Attacks, Pursue, able, can_be_target, crowds, stack_mates, targets
from pbem_rules.stalingrad42.combat.odds import AUTOMATIC, attack
from pbem_rules.stalingrad42.events import Flew, GunsUsed
from pbem_rules.stalingrad42.frames import Battle, PlayerTurn
from pbem_rules.stalingrad42.orders import Attack, Storm
from pbem_rules.stalingrad42.state import DISRUPTED, ELIMINATED, READY, ROUTED, State

WEST, HEX, SOUTH = 3417, 3418, 3518
NEAR, THERE = 1016, 1116  # at Kharkov


def change(s: State, code: str, **values: Any) -> None:
    s.alter(number(code), replace(s.pieces[number(code)], **values))


def numbers(*codes: str) -> tuple[int, ...]:
    return tuple(map(number, codes))


def listing(*entries: Attack, seat: str = AXIS, **rest: Any) -> PlayerTurn:
    f = PlayerTurn(seat, **rest)
    for entry in entries:
        f.entries.append(entry)
        f.fates.append(Fate.WAITING)
    return f


# Who, and whom


def test_s42_8_1a_8_1b_8_1g_the_hexes_that_can_be_attacked_each_with_those_who_can_join() -> None:
    stack = "45ID", "75ID", "57ID", "9Pz", "6A-HQ", "95ID", "62ID"
    s = position(*((code, WEST) for code in stack), ("11Pz", 3012), ("45RD", HEX), ("62RD", SOUTH), ("121RD", 3420))
    change(s, "95ID", order=DISRUPTED)
    entry = Attack(HEX, numbers("57ID"))
    f = listing(entry, hurried=set(numbers("62ID")))
    f.fought.add(number("45ID"))
    f.advanced.add(number("75ID"))
    assert targets(s, f) == {SOUTH: [number("9Pz")]}  # HEX is listed, and so is 57ID
    assert list(able(s, f)) == [number("9Pz")]  # 11Pz stands beside nobody
    f = listing(replace(entry, after=1))
    assert targets(s, f) == {
        HEX: sorted(numbers("45ID", "75ID", "57ID", "9Pz", "62ID")),
        SOUTH: sorted(numbers("45ID", "75ID", "57ID", "9Pz", "62ID")),
    }
    f.attacked.add(number("45RD"))
    assert list(targets(s, f)) == [SOUTH]
    s.put(number("13GRD"), HEX)
    assert list(targets(s, f)) == [HEX, SOUTH]  # 13GRD has not been attacked (S42-8.1b)
    assert can_be_target(s, f, HEX)
    f.attacked.add(number("13GRD"))
    assert not can_be_target(s, f, HEX)
    s.put(number("Sup-S1"), HEX)
    assert not can_be_target(s, f, HEX)  # supplies are no target
    assert not can_be_target(s, f, 3419)


def test_s42_8_1a_8_1f_22_7a_out_of_areas_and_only_where_one_could_cross() -> None:
    area = CHART.areas["m"]
    s = position(("16TC", area), ("45ID", 4105))
    assert targets(s, listing(seat=SOVIET)) == {4105: [number("16TC")]}
    assert targets(s, listing(seat=AXIS)) == {}
    assert targets(s, listing(seat=SOVIET, moved=set(numbers("16TC")))) == {}  # S42-22.6.1b
    s = position(("9Pz", 2503), ("45RD", 2503), ("62RD", 2502))
    assert list(targets(s, listing())) == [2502]
    s.contests[2503] = SOVIET
    assert targets(s, listing()) == {2503: [number("9Pz")]}  # S42-29.1.3b
    s = position(("9Pz", WEST), ("45RD", HEX))
    entry = Attack(HEX, numbers("9Pz"))
    assert Attacks.unfit(s, listing(), number("9Pz"), HEX) is None
    far = Attacks.unfit(s, listing(), number("9Pz"), 3420)
    assert far is not None
    assert far.rule == "S42-8.2a"
    assert Attacks().now(s, listing(), entry) is None
    f = listing()
    f.fought.add(number("9Pz"))
    again = Attacks().now(s, f, entry)
    assert again is not None
    assert again.rule == "S42-8.1b"  # it has attacked in this phase
    f = listing()
    s.put(number("45ID"), 1003)
    assert list(able(s, f)) == [number("9Pz")]  # nobody else is near an enemy
    f.attacked.add(number("45RD"))
    once = Attacks().now(s, f, entry)
    assert once is not None
    assert once.rule == "S42-8.1b"


def test_s42_8_4_1a_odds_that_are_too_low_stop_no_attack_on_an_army_that_has_been_shown() -> None:
    s = position(("45ID", WEST, 1), ("45RD", HEX), ("62RD", HEX), ("121RD", HEX))
    entry, f = Attack(HEX, numbers("45ID")), listing()
    low = Attacks().now(s, f, entry)
    assert low is not None
    assert low.rule == "S42-8.4.1"
    f.sprung.add(HEX)  # S42-34.6.2
    assert Attacks().now(s, f, entry) is None


def test_s42_22_7a_how_many_fit_beyond_the_edge() -> None:
    """Two hexes beyond 4105, each with two Soviet units and one that stacks freely."""
    area = CHART.areas["m"]
    codes = "45RD", "62RD", "121RD", "160RD", "10TB", "90TB", "212RD"
    s = position(*((code, area) for code in codes), ("45ID", 4105), ("16TC", 4104))
    assert not crowds(s, 4105, numbers(*codes[:6]))
    assert crowds(s, 4105, numbers(*codes))
    assert not crowds(s, 4105, numbers(*codes[:6], "16TC"))  # it stands on the map
    assert crowds(s, 4105, numbers(*codes[:4], "212RD"))
    assert not crowds(s, 4105, numbers("16TC"))


# What is offered


def test_s42_8_2a_8_4_1a_20_5_1_all_then_each_alone_then_pairs_of_those_whose_odds_are_enough() -> None:
    s = position(("9Pz", WEST), ("11Pz", WEST), ("369Cro", WEST), ("45RD", HEX))
    f, kind = listing(), Attacks()
    units = tuple(sorted(numbers("9Pz", "11Pz", "369Cro")))
    (pick,) = kind.first(s, f, AXIS)
    assert pick.value == HEX  # type: ignore[union-attr]
    offered = [entry.units for entry in kind.picked(s, f, AXIS, HEX)]
    assert offered[0] == units
    assert len(offered) == len(set(offered))
    weak = attack(s, numbers("369Cro"), HEX, SOVIET).column
    assert (numbers("369Cro") in offered) == (weak >= 0)
    assert {len(each) for each in offered} == {1, 2, 3}
    s = position(("1Rom", WEST), ("6LHun", WEST), ("45RD", HEX))
    assert all(len(entry.units) == 1 for entry in kind.picked(s, f, AXIS, HEX))
    s = position(("45ID", WEST, 1), ("45RD", HEX))
    assert list(kind.first(s, f, AXIS)) == []
    assert [entry.units for entry in kind.picked(position(("9Pz", WEST), ("45RD", HEX)), f, AXIS, HEX)] == [
        numbers("9Pz")
    ]


def test_s42_8_3b_9_3_3_18_3_1_air_and_artillery_that_are_free_are_offered_with_each() -> None:
    s = position(("45ID", NEAR), ("6A-HQ", NEAR), ("45RD", THERE), ("62RD", 1115), ("75ID", 1015))
    change(s, "6A-HQ", ready=True)
    refresh(s)
    kind, guns = Attacks(), number("6A-HQ")
    f = listing()
    found = list(kind.picked(s, f, AXIS, THERE))
    assert {entry.air for entry in found} == {None, *WINGS}
    s.wings[WINGS[0]] = number("45ID")  # with whom it has stayed: it helps no attack
    assert {entry.air for entry in kind.picked(s, f, AXIS, THERE)} == {None, WINGS[1]}
    s.wings[WINGS[0]] = READY
    assert {entry.guns for entry in found} == {(), (guns,)}
    assert all(entry.air is None or not entry.guns for entry in found)
    f = listing(Attack(1115, numbers("75ID"), air=WINGS[0], guns=(guns,)))
    found = list(kind.picked(s, f, AXIS, THERE))
    assert {entry.air for entry in found} == {None, WINGS[1]}
    assert {entry.guns for entry in found} == {()}
    s.put(guns, 3430)
    assert {entry.guns for entry in kind.picked(s, listing(), AXIS, THERE)} == {()}  # too far
    s = position(("45RD", THERE), ("45ID", NEAR))
    refresh(s)
    assert {entry.air for entry in kind.picked(s, listing(seat=SOVIET), SOVIET, NEAR)} == {None}


# What is refused whatever comes


@pytest.mark.parametrize(
    ("entry", "rule"),
    [
        (Attack(HEX, ()), "S42-8.2"),
        (Attack(HEX, (number("9Pz"), number("9Pz"))), "S42-8.2"),
        (Attack(9999, (number("9Pz"),)), "S42-8.2"),
        (Attack(HEX, (number("45RD"),)), "S42-8.1a"),
        (Attack(HEX, (number("1Rom"), number("6LHun"))), "S42-20.5.1"),
        (Attack(HEX, (number("9Pz"),), guns=numbers("SW-HQ")), "S42-18.3.1"),
        (Attack(HEX, (number("9Pz"),), guns=numbers("6A-HQ", "2A-HQ")), ""),
        (Attack(HEX, (number("9Pz"),), guns=numbers("6A-HQ", "2A-HQ", "17A-HQ")), "S42-18.5a"),
        (Attack(HEX, (number("9Pz"),), breaks=(number("9Pz"),)), "S42-15.2"),
        (Attack(HEX, (number("9Pz"),), advance=(UNIT + number("9Pz"), 3420)), "S42-14.3"),
        (Attack(HEX, (number("9Pz"),), advance=(UNIT + number("45ID"), HEX)), ""),
        (Attack(HEX, (number("9Pz"),)), ""),
    ],
)
def test_s42_8_1a_8_2a_8_2b_what_an_entry_can_never_be(entry: Attack, rule: str) -> None:
    s = position(("9Pz", WEST), ("45ID", WEST), ("45RD", HEX), ("1Rom", WEST), ("6LHun", WEST))
    wrong = Attacks().form(s, listing(), entry, {})
    assert (wrong.rule if wrong else "") == rule


def test_s42_9_3_1a_the_soviets_fly_nothing() -> None:
    s = position(("9Pz", WEST), ("45RD", HEX))
    assert Attacks().form(s, listing(seat=SOVIET), Attack(WEST, numbers("45RD")), {}) is None
    wrong = Attacks().form(s, listing(seat=SOVIET), Attack(WEST, numbers("45RD"), air=WINGS[0]), {})
    assert wrong is not None
    assert wrong.rule == "S42-9.3.1a"


def test_s42_14_1a_8_6_1d_mates_are_those_who_stand_with_the_attackers_and_have_not_advanced_or_stormed() -> None:
    s = position(("9Pz", WEST), ("45ID", WEST), ("57ID", WEST), ("75ID", WEST), ("Sup-A1", WEST), ("11Pz", 3317))
    f = listing(storms=[Storm(3319, numbers("57ID"))], advanced=set(numbers("75ID")))
    assert set(stack_mates(s, f, Attack(HEX, numbers("9Pz")))) == set(numbers("45ID", "Sup-A1"))
    both = Attack(HEX, numbers("9Pz", "45ID"))
    assert set(stack_mates(s, f, both)) == set(numbers("Sup-A1"))
    s.put(number("16TC"), CHART.areas["m"])
    s.put(number("17TC"), CHART.areas["m"])
    assert stack_mates(s, listing(seat=SOVIET), Attack(4105, numbers("16TC"))) == ()  # not out of an Area
    for code in ("16TC", "17TC"):
        s.put(number(code), ELIMINATED)
    assert stack_mates(s, listing(seat=SOVIET), Attack(4105, numbers("16TC"))) == ()  # nor out of the box


# Odds


def test_s42_8_3b_8_4_the_column_of_an_entry_with_what_it_adds() -> None:
    s = position(("45ID", NEAR), ("6A-HQ", NEAR), ("45RD", THERE))
    change(s, "6A-HQ", ready=True)
    refresh(s)
    kind, f = Attacks(), listing()
    plain = kind.column(s, f, Attack(THERE, numbers("45ID")))
    assert kind.column(s, f, Attack(THERE, numbers("45ID"), guns=numbers("6A-HQ"))) == plain + 1
    assert kind.column(s, f, Attack(THERE, numbers("45ID"), air=WINGS[0])) == plain + 1
    assert kind.column(s, f, Attack(THERE, numbers("45ID"), air=WINGS[0], guns=numbers("6A-HQ"))) == plain + 2
    assert kind.column_name(s, plain) == s.chart.odds.label(plain)
    s = position(("9Pz", WEST), ("11Pz", WEST), ("3Pz", WEST), ("45RD", HEX, 1))
    sure = kind.column(s, f, Attack(HEX, numbers("9Pz", "11Pz", "3Pz")))
    assert attack(s, numbers("9Pz", "11Pz", "3Pz"), HEX, SOVIET).column == AUTOMATIC
    assert sure == len(s.chart.odds.columns)  # above all others, for `at`
    assert kind.column_name(s, sure) == "10:1"


# How it begins and ends


def test_s42_8_1b_12_4a_what_an_attack_begins_with() -> None:
    s = position(("9Pz", WEST), ("45ID", WEST), ("11Pz", 3317), ("45RD", HEX), ("62RD", HEX), ("Sup-S1", HEX))
    s.put(number("6A-HQ"), WEST)
    change(s, "6A-HQ", ready=True)
    s.fled.add(number("62RD"))
    f, out = listing(), Out()
    units = numbers("11Pz", "9Pz")
    way = UNIT + number("9Pz"), HEX
    entry = Attack(
        HEX,
        units,
        guns=numbers("6A-HQ"),
        air=WINGS[0],
        breaks=numbers("9Pz"),
        via=(HEX,),
        odds=2,
        advance=way,
        ask=True,
    )
    battle = Attacks().start(s, f, entry, out)
    assert battle == Battle(
        seat=AXIS, ask=True, target=HEX, units=tuple(sorted(units)), mates=numbers("45ID", "6A-HQ"),
        defenders=numbers("45RD"), guests=numbers("62RD"), guns=numbers("6A-HQ"), air=WINGS[0],
        breaks=numbers("9Pz"), via=(HEX,), odds=2, advance=way,
    )  # fmt: skip
    assert (f.fought, f.attacked, s.fighting) == (set(units), set(numbers("45RD", "62RD")), AXIS)
    assert not s.pieces[number("6A-HQ")].ready
    assert [type(each) for each in out.events] == [GunsUsed, Flew]
    quiet = Out()
    Attacks().start(s, listing(), Attack(HEX, units), quiet)
    assert list(quiet.events) == []


def test_s42_9_3_7b_with_whom_the_air_unit_stays_after_an_attack() -> None:
    s = position(("9Pz", HEX), ("11Pz", 3419), ("45ID", WEST))
    refresh(s)
    entry, kind = Attack(HEX, numbers("9Pz", "11Pz", "45ID"), air=WINGS[0]), Attacks()

    def stays(**rest: Any) -> int:
        f = listing()
        done = Battle(seat=AXIS, target=HEX, units=entry.units, defenders=(), **rest)
        assert kind.won(s, f, entry, done) is done.won
        assert f.advanced == set(done.advanced)
        return s.wings[WINGS[0]]

    for won in (False, True):  # S42-25.2.3b: what the last combat has emptied
        f = listing()
        kind.won(
            s, f, replace(entry, air=None), Battle(seat=AXIS, target=HEX, units=entry.units, defenders=(), won=won)
        )
        assert f.emptied == (HEX if won else None)
    assert stays(left={number("11Pz"): 0}, advanced=numbers("9Pz"), won=True) == number("11Pz")  # the group
    assert stays(advanced=numbers("45ID"), won=True) == number("45ID")
    assert stays() in numbers("9Pz", "11Pz")  # most tanks
    for code in ("9Pz", "11Pz", "45ID"):
        s.put(number(code), ELIMINATED)
    assert stays(advanced=numbers("9Pz")) == READY
    s.wings[WINGS[0]] = READY
    assert (
        kind.won(s, listing(), Attack(HEX, numbers("9Pz")), Battle(seat=AXIS, target=HEX, units=(), defenders=()))
        is False
    )


def test_s42_8_6_2a_8_6_2b_15_4_each_automatic_ds_is_followed_up_after_all_combat() -> None:
    way = UNIT + number("9Pz"), HEX
    storms = [
        Storm(HEX, numbers("11Pz", "9Pz"), breaks=numbers("9Pz"), via=(HEX,), odds=1, advance=way),
        Storm(3420, numbers("45ID")),
    ]
    s, f, step = position(("9Pz", WEST)), listing(storms=storms), Pursue()
    s.fled.add(number("45RD"))
    s.fighting = AXIS
    following = step.run(s, f, Out())
    assert isinstance(following, Call)
    assert following.again
    assert following.frame == Battle(
        seat=AXIS, target=HEX, units=tuple(sorted(numbers("9Pz", "11Pz"))), defenders=(), breaks=numbers("9Pz"),
        via=(HEX,), odds=1, advance=way, cell="DS",
    )  # fmt: skip
    second = step.run(s, f, Out())
    assert isinstance(second, Call)
    assert isinstance(second.frame, Battle)
    assert second.frame.target == 3420
    assert (s.fled, s.fighting) == ({number("45RD")}, AXIS)
    assert step.run(s, f, Out()) is DONE
    assert (s.fled, s.fighting) == (set(), "")  # S42-12.2i: they cover hexes again


def test_s42_13_3_2d_8_6_1d_several_stacks_in_full_retreat_go_one_after_another() -> None:
    """Two of them, on two sides of a hex that 9Pz comes to by an advance."""
    s = position(("9Pz", WEST), ("11Pz", WEST), ("45RD", HEX), ("62RD", 3420), ("121RD", 3520))
    for code in ("62RD", "121RD"):
        change(s, code, order=ROUTED)
    d = combat(state=s, dice={HEX: 1}, turn=1)
    d.type(f"attack {HEX} with 9pz 11pz advance 9pz {HEX} 3419\ndone")
    assert d.state.at(number("9Pz")) == 3419
    assert d.state.at(number("62RD")) != 3420
    assert d.state.at(number("121RD")) != 3520
