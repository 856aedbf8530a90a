"""S42-29: cities that both sides are in, in Fall Blau by the option and in Uranus always."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from s42_brawler import Brawler
from s42_combat import GAME, Table, combat
from s42_positions import AXIS, CHART, SOVIET, number, position

from pbem.engine.testing import random_game
from pbem.game import Out
from pbem.kit import ISOLATED, SUPPLIED
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.chart import DATA, SIDES
from pbem_rules.stalingrad42.combat.battle import BackOff
from pbem_rules.stalingrad42.combat.defence import GoIn, Outcome, Stand, Weigh, level_up, wants
from pbem_rules.stalingrad42.combat.flight import exposed
from pbem_rules.stalingrad42.combat.guns import covered
from pbem_rules.stalingrad42.combat.odds import attack, attack_of, defence_of, over_river
from pbem_rules.stalingrad42.events import Advanced, CityBattle, CityEntered, CityLeft, Overrun
from pbem_rules.stalingrad42.frames import GIVE, Battle, PlayerTurn
from pbem_rules.stalingrad42.movement.marching import EXTENDED, NORMAL, TACTICAL, modes
from pbem_rules.stalingrad42.movement.passing import come_through
from pbem_rules.stalingrad42.movement.phase import TacticalMoves, Withdrawals, find_way, ground
from pbem_rules.stalingrad42.movement.rail import rides
from pbem_rules.stalingrad42.movement.sea import landings, no_sailing
from pbem_rules.stalingrad42.orders import Enter, Tactical, Withdraw
from pbem_rules.stalingrad42.scenarios import URANUS, chart_for
from pbem_rules.stalingrad42.state import DISRUPTED, GOOD, ROUTED, SHARING, State, other
from pbem_rules.stalingrad42.supply.isolation import airfield, pocket
from pbem_rules.stalingrad42.supply.lines import judged, stages, status
from pbem_rules.stalingrad42.supply.phase import starving
from pbem_rules.stalingrad42.victory import winner

CITY = CHART.board.place_named("Voronezh") or 0
DON = 2403  # on the other bank


def around() -> tuple[int, ...]:
    return CHART.board.near[CITY]


def shared(*more: tuple[str, int] | tuple[str, int, int], turn: int = 8) -> State:
    """9Pz has come into Voronezh, which 45RD holds; the City Battle is at its first level."""
    s = position(("45RD", CITY), ("9Pz", CITY), *more, turn=turn)
    s.options = (SHARING,)
    s.contests[CITY] = SOVIET
    s.sieges[CITY] = (1, number("9Pz"))
    return s


def assault(*stand: int, words: str = "", units: Iterable[str] = ("9Pz", "11Pz", "23Pz"), dice: int = 1) -> Table:
    """An attack on Voronezh from one hex, by units that may go in."""
    west = around()[0]
    s = position(*((code, west) for code in units), ("45RD", CITY), ("62RD", CITY), turn=8)
    s.options = (SHARING,)
    d = combat(state=s, dice={CITY: dice}, stand=stand)
    d.type(f"attack {CITY:04d} with {' '.join(units)} {words}\ndone")
    return d


# How a city comes to be contested.


def test_s42_29_1_1a_one_of_the_attackers_goes_into_the_city() -> None:
    d = assault(3, units=("9Pz", "45ID", "23Pz"))
    s = d.state
    assert [each.level for each in d.seen(CityBattle)] == [1]
    assert [each.units for each in d.seen(CityEntered)] == [("45ID",)]  # by standing order the infantry
    assert s.at(number("45ID")) == s.at(number("45RD")) == CITY
    assert s.at(number("9Pz")) != CITY
    assert s.contests[CITY] == SOVIET
    assert not d.seen(Advanced)


def test_s42_29_1_1a_without_the_option_nobody_goes_in() -> None:
    west = around()[0]
    d = combat(
        ("9Pz", west),
        ("11Pz", west),
        ("23Pz", west),
        ("45RD", CITY),
        ("62RD", CITY),
        turn=8,
        dice={CITY: 1},
        stand=(3,),
    )
    d.type(f"attack {CITY:04d} with 9pz 11pz 23pz\ndone")
    assert d.seen(CityBattle)
    assert not d.seen(CityEntered)
    assert not d.state.contests


def besieging(*codes: str, advance: tuple[int, ...] = ()) -> tuple[State, Battle]:
    west = around()[0]
    s = position(*((code, west) for code in codes), ("45RD", CITY), turn=8)
    s.options = (SHARING,)
    s.sieges[CITY] = (1, *map(number, codes))
    f = Battle(
        seat=AXIS, target=CITY, units=tuple(map(number, codes)), defenders=(number("45RD"),), besieged=True,
        advance=advance,
    )  # fmt: skip
    return s, f


def test_s42_29_1_1a_29_1_1b_as_many_as_may_stand_there() -> None:
    codes = ("9Pz", "11Pz", "23Pz", "24Pz", "45ID")
    s, f = besieging(*codes, advance=(20_000 + number("9Pz"), CITY, 20_000 + number("11Pz"), CITY))
    step = GoIn()
    options = set(step.options(s, f, AXIS))
    assert {len(each.units) for each in options} == {1, 2, 3}
    found = step.answers(s, f, AXIS, {})
    assert found["one"] == Enter((number("45ID"),))
    assert set(found["listed"].units) == {number("9Pz"), number("11Pz")}
    assert len(found["most"].units) == 3
    assert number("45ID") in found["most"].units  # of as many those with most infantry
    assert step.check(s, f, AXIS, Enter(tuple(map(number, codes[:4]))), {}) is not None
    assert step.facts(s, f, AXIS, {}) == {"hex": CITY, "units": 5}
    far = (20_000 + number("9Pz"), CITY, around()[1], 20_000 + number("11Pz"), CITY)
    assert set(step.answers(s, replace(f, advance=far), AXIS, {})["listed"].units) == {number("9Pz"), number("11Pz")}
    aside = (20_000 + number("9Pz"), CITY, 20_000 + number("11Pz"), around()[1], CITY)
    assert step.answers(s, replace(f, advance=aside), AXIS, {})["listed"] == Enter((number("9Pz"),))
    step.do(s, f, AXIS, Enter((number("45ID"),)), Out())
    assert step.by(s, f) == ()  # nobody else goes in


def test_s42_29_1_1a_who_may_not_advance_does_not_go_in() -> None:
    s, f = besieging("9Pz")
    assert list(GoIn().by(s, f)) == [AXIS]
    s.renewed.add(number("9Pz"))
    assert not GoIn().by(s, f)


def test_s42_29_1_1a_the_second_level_needs_nobody_else() -> None:
    s = shared(("11Pz", around()[0]))
    f = Battle(
        seat=AXIS, target=CITY, units=(number("9Pz"), number("11Pz")), defenders=(number("45RD"),), cell="DR2",
        retreat=2, outcome="P",
    )  # fmt: skip
    Outcome().run(s, f, Out())
    assert s.sieges[CITY] == (2, number("9Pz"))
    assert (f.retreat, f.held, f.besieged) == (0, True, False)


def test_s42_29_1_1b_stacking_is_judged_for_each_side() -> None:
    s = shared(("11Pz", CITY), ("23Pz", CITY), ("62RD", CITY), ("76NB", CITY), ("24Pz", around()[0]))
    assert not s.overfull(CITY, AXIS)
    assert not s.overfull(CITY, SOVIET)
    assert s.overfull(CITY, AXIS, (number("24Pz"),))


def test_s42_29_1_1b_29_1_4_the_city_is_the_first_defenders_until_he_has_gone() -> None:
    s = shared(("62RD", CITY))
    assert s.holders[CITY] == SOVIET
    come_through(s, number("45RD"), (2602,), Out())
    assert s.contests[CITY] == SOVIET
    assert s.holders[CITY] == SOVIET
    come_through(s, number("62RD"), (2602,), Out())
    assert CITY not in s.contests
    assert CITY not in s.sieges
    assert s.holders[CITY] == AXIS


def test_s42_29_1_1b_the_marker_goes_with_the_last_of_those_who_came() -> None:
    s = shared(("11Pz", CITY), ("23Pz", around()[0]))
    s.sieges[CITY] = (2, number("9Pz"), number("23Pz"))
    come_through(s, number("9Pz"), (around()[0],), Out())
    assert CITY in s.contests
    come_through(s, number("11Pz"), (around()[0],), Out())
    assert CITY not in s.contests
    assert CITY not in s.sieges  # though 23Pz still stands beside it
    assert s.holders[CITY] == SOVIET


# What it means.


def test_s42_29_1_1c_the_defence_is_doubled_for_both_once() -> None:
    s = shared(("62RD", CITY))
    for code in ("45RD", "9Pz"):
        part = defence_of(s, number(code), CITY, over=True)
        assert [factor.rule for factor in part.factors] == ["S42-29.1.1c"]
        assert part.value == 2 * s.face(number(code)).defence
    del s.contests[CITY]
    assert [factor.rule for factor in defence_of(s, number("9Pz"), CITY, over=False).factors] == []


def test_s42_29_1_1d_6_1c_7_1d_no_zones_and_no_bonds() -> None:
    s = shared(("62RD", 2703))
    alone = position(("45RD", CITY), ("62RD", 2703), turn=8)
    bit = CHART.board.bit
    assert all(alone.zone(SOVIET) & bit[place] for place in around() if CHART.board[place].terrain != "sea")
    for side in SIDES:
        assert not s.ties(side) & bit[CITY]
    only = shared()
    assert not only.zone(SOVIET)
    assert not only.zone(AXIS)
    assert not any(CITY in (bond.a, bond.b) for bond in s.bonds(SOVIET))


def test_s42_29_1_1e_the_city_disturbs_no_airfield_around_it() -> None:
    s = shared()
    del s.contests[CITY]
    ring = CHART.board.mask(around())
    fit = CHART.board.mask(place for place in around() if CHART.board[place].terrain == "clear")
    assert fit
    assert airfield(s, AXIS, ring) is None
    s.contests[CITY] = SOVIET
    found = airfield(s, AXIS, ring)
    assert found is not None
    assert airfield(s, AXIS, CHART.board.bit[CITY]) is None  # nor is it one itself


# Movement.


def test_s42_29_1_2a_others_come_in_tactically_and_stop_there() -> None:
    west = around()[0]
    s = shared(("11Pz", west), ("62RD", 2602))
    terms = ground(s, number("11Pz"), TACTICAL).terms
    assert not terms.barred & CHART.board.bit[CITY]
    assert terms.stops & CHART.board.bit[CITY]
    for mode in (NORMAL, EXTENDED):
        assert ground(s, number("11Pz"), mode).terms.barred & CHART.board.bit[CITY]
    found = find_way(s, number("11Pz"), TACTICAL, ground(s, number("11Pz"), TACTICAL), [CITY])
    assert found == (west, CITY)
    f = PlayerTurn(AXIS)
    assert TacticalMoves().check(s, f, AXIS, Tactical(number("11Pz"), (CITY,)), {}) is None
    out = Out()
    TacticalMoves().apply(s, f, AXIS, Tactical(number("11Pz"), (CITY,)), out)
    assert s.at(number("11Pz")) == CITY
    assert s.holders[CITY] == SOVIET  # S42-29.1.4
    assert not [event for event in out.events if isinstance(event, Overrun)]


def test_s42_29_1_2a_supplies_do_not_come_in() -> None:
    west = around()[0]
    s = shared(("Sup-A1", west))
    s.alter(number("Sup-A1"), replace(s.pieces[number("Sup-A1")], ready=True))
    assert ground(s, number("Sup-A1"), TACTICAL).terms.barred & CHART.board.bit[CITY]


@pytest.mark.parametrize("order", [GOOD, DISRUPTED, ROUTED])
def test_s42_29_1_2a_units_leave_tactically_alone(order: int) -> None:
    s = shared()
    unit = number("9Pz")
    s.alter(unit, replace(s.pieces[unit], order=order))
    assert modes(s, unit) == (TACTICAL,)
    f = PlayerTurn(AXIS)
    wrong = Withdrawals().check(s, f, AXIS, Withdraw(unit), {})
    assert wrong is not None
    assert not rides(s, unit)
    if order != ROUTED:
        assert wrong.rule == "S42-29.1.2a"


def test_s42_29_1_2a_packed_supplies_stay() -> None:
    s = shared(("Sup-S1", CITY))
    assert modes(s, number("Sup-S1")) == ()
    s.alter(number("Sup-S1"), replace(s.pieces[number("Sup-S1")], ready=True))
    assert modes(s, number("Sup-S1")) == (TACTICAL,)


def test_s42_29_1_2b_not_straight_into_an_enemy_zone_but_to_friends() -> None:
    s = shared(("62RD", 2702))  # its zone covers 2602
    unit, f = number("9Pz"), PlayerTurn(AXIS)
    way = find_way(s, unit, TACTICAL, ground(s, unit, TACTICAL), [2602])
    assert isinstance(way, tuple)
    assert len(way) == 3  # by a hex that no enemy is beside
    s = shared(("62RD", 2703), ("121RD", 2401))
    wrong = TacticalMoves().check(s, f, AXIS, Tactical(unit, (2602,)), {})
    assert wrong is not None
    assert wrong.rule == "S42-29.1.2b"
    s.put(number("11Pz"), 2602)
    assert TacticalMoves().check(s, f, AXIS, Tactical(unit, (2602,)), {}) is None


def test_s42_29_1_2a_no_ship_carries_anybody_in_or_out() -> None:
    rostov, taganrog = 3134, 2634
    s = position(("76NB", rostov), ("9Pz", rostov), ("68NB", 2338), turn=8)
    s.contests[rostov] = SOVIET
    wrong = no_sailing(s, number("76NB"))
    assert wrong is not None
    assert wrong.rule == "S42-29.1.2a"
    assert rostov not in landings(s, number("68NB"))
    s.put(number("9Pz"), taganrog)
    assert rostov in landings(s, number("68NB"))


# Combat.


def test_s42_29_1_3a_inside_at_full_strength_across_the_don_halved() -> None:
    s = shared(("11Pz", DON))
    assert not over_river(s, CITY, CITY)
    assert [factor.rule for factor in attack_of(s, number("9Pz"), CITY).factors] == []
    assert [factor.rule for factor in attack_of(s, number("11Pz"), CITY).factors] == ["S42-9.5.2"]
    found = attack(s, (number("9Pz"), number("11Pz")), CITY, SOVIET)
    assert [part.value for part in found.attackers] == [10, 5]
    d = combat(state=s, dice={CITY: 6})
    d.type(f"attack {CITY:04d} with 9pz 11pz\ndone")
    assert number("9Pz") in d.frame.fought


def test_s42_29_1_3b_nobody_attacks_out_of_the_city() -> None:
    s = shared(("62RD", 2602))
    d = combat(state=s)
    assert all(order.target == CITY for order in d.legal(AXIS) if hasattr(order, "target"))
    (order,) = GAME.notation.parse("attack 2602 with 9pz", d.context(AXIS))
    wrong = d.check(AXIS, order)
    assert wrong is not None
    assert wrong.rule == "S42-29.1.3b"


def counter(level: int) -> tuple[State, Battle]:
    """The first defender attacks those who have come in, who have rolled partial success."""
    s = shared(("62RD", CITY))
    s.sieges[CITY] = (level, number("9Pz"))
    f = Battle(
        seat=SOVIET, target=CITY, units=(number("45RD"), number("62RD")), defenders=(number("9Pz"),), cell="DR2",
        retreat=2, outcome="P",
    )  # fmt: skip
    return s, f


def test_s42_29_1_3c_the_first_defender_lowers_the_level() -> None:
    s, f = counter(2)
    assert level_up(s, f) == 1
    Outcome().run(s, f, Out())
    assert s.sieges[CITY] == (1, number("9Pz"))
    assert (f.retreat, f.held) == (0, True)


def test_s42_29_1_3c_at_nothing_those_who_came_must_leave() -> None:
    s, f = counter(1)
    assert level_up(s, f) == 0
    out = Out()
    Outcome().run(s, f, out)
    assert [event.hex for event in out.events if isinstance(event, CityLeft)] == [CITY]
    assert (f.retreat, f.delayed) == (1, False)
    called = BackOff().run(s, f, Out())
    assert (called.frame.units, called.frame.length) == ((number("9Pz"),), 1)  # type: ignore[union-attr]
    s.put(number("9Pz"), around()[0])
    assert CITY not in s.sieges
    assert s.holders[CITY] == SOVIET
    BackOff().run(s, f, Out())
    assert (f.won, f.hexes, f.limited) == (True, 1, True)


def test_s42_29_1_3c_in_desperate_defence_leaving_is_a_delay() -> None:
    s, f = counter(1)
    f.outcome, f.desperate, f.lead = "", True, number("9Pz")
    s.turn = 18
    out = Out()
    label = f"t18/soviet/{CITY:04d}/stand0"
    assert [draw.label for draw in Stand().draws(s, f)] == [label]
    Stand().run(s, f, {label: (1,)}, out)
    Weigh().run(s, f, out)  # elite in a city: 2, partial success
    assert (f.outcome, f.delays) == ("F", 1)


def test_s42_19_2c_what_cannot_fight_is_lost_with_the_last_who_could() -> None:
    s = shared(("Sup-S1", CITY))
    out = Out()
    come_through(s, number("45RD"), (2602,), out)
    assert [event.units for event in out.events if isinstance(event, Overrun)] == [("Sup-S1",)]
    assert not s.on_map(number("Sup-S1"))


# Supply.


def test_s42_16_3_2b_a_line_leads_into_the_city_and_not_through_it() -> None:
    s = shared()
    assert {unit: what for side in SIDES for unit, what in judged(s, side)} == {
        number("45RD"): SUPPLIED,
        number("9Pz"): SUPPLIED,
    }
    _, land = stages(s, AXIS)
    assert {step for step in land.closed if step[0] == CITY} == {(CITY, place) for place in around()}


def test_s42_16_5_4a_a_pocket_begins_in_the_city() -> None:
    s = shared()
    assert pocket(s, AXIS, CITY).bit_count() > 100
    assert not pocket(s, AXIS, around()[0]) & CHART.board.bit[CITY]


def test_s42_16_5_3a_enemies_in_the_city_are_beside_each_other() -> None:
    s = shared()
    unit = number("9Pz")
    assert starving(s, AXIS) == ()
    s.alter(unit, replace(s.pieces[unit], supply=ISOLATED))
    assert starving(s, AXIS) == (unit,)


def test_s42_18_4b_support_reaches_those_inside_and_nobody_beyond() -> None:
    s = shared(("6A-HQ", around()[0]))
    s.alter(number("6A-HQ"), replace(s.pieces[number("6A-HQ")], ready=True))
    assert covered(s, number("6A-HQ")) & CHART.board.bit[CITY]


def test_s42_13_3_2d_units_in_full_retreat_alone_in_the_city_are_driven_off() -> None:
    s = shared()
    unit = number("45RD")
    assert exposed(s, SOVIET) == ()
    s.alter(unit, replace(s.pieces[unit], order=ROUTED))
    assert exposed(s, SOVIET) == (CITY,)


# Forced defence.


def test_s42_11_1_3_from_turn_18_the_axis_must_stand_in_cities() -> None:
    s = position(("45ID", CITY), ("45RD", around()[0]), turn=17)
    f = Battle(
        seat=SOVIET,
        target=CITY,
        units=(number("45RD"),),
        defenders=(number("45ID"),),
        cell="DR2",
        retreat=2,
        stance=GIVE,
    )
    assert not wants(s, f)
    s.turn = 18
    assert wants(s, f)
    kharkov = 1015
    assert kharkov not in CHART.prizes
    s.put(number("45ID"), kharkov)
    assert wants(s, replace(f, target=kharkov))  # a city without points, too
    s.put(number("45ID"), CITY)
    f.cell = "DR4"  # S42-11.2.2a
    assert not wants(s, f)
    open_hex = 3418
    s.put(number("45ID"), open_hex)
    assert not wants(s, replace(f, cell="DR2", target=open_hex))
    prize = next(place for place in CHART.prizes if not CHART.is_city(place))
    s.put(number("45ID"), prize)
    assert wants(s, replace(f, cell="DR2", target=prize))
    held = position(("45RD", CITY), ("45ID", around()[0]), turn=18)
    f = Battle(
        seat=AXIS, target=CITY, units=(number("45ID"),), defenders=(number("45RD"),), cell="DR2", retreat=2, stance=GIVE
    )
    assert not wants(held, f)  # the Soviets may give it up


# Whole games.


def apart(s: State) -> None:
    """S42-5.1d, S42-29.1: both sides stand together in contested cities alone."""
    both = s.fighters(AXIS) & s.fighters(SOVIET) & s.chart.hexes
    assert both == s.chart.board.mask(s.contests)
    for place, first in s.contests.items():
        assert s.chart.is_city(place)
        assert s.holders[place] == first
        assert place in s.sieges
    for side in SIDES:
        assert not s.fighters(side) & s.ground.occupied[other(side)] & ~both


def counted(s: State) -> None:
    """S42-10.3, S42-10.4.3b: steps from none to all, and no more Remnants than there are counters."""
    for unit, piece in s.pieces.items():
        assert 0 <= piece.steps <= s.counter(unit).steps
        assert piece.steps or not s.on_map(unit)
    assert all(s.remnants_left(kind) >= 0 for kind in s.chart.remnants)


@pytest.mark.parametrize(("seed", "asked"), [("a", "no"), ("b", "combats")])
def test_brawls_in_uranus(seed: str, asked: str) -> None:
    random_game(
        game,
        seed,
        scenario=URANUS,
        options={"asked": asked},
        bots={side: Brawler() for side in SIDES},
        orders=150,
        every=25,
        sample=10,
        invariants=(apart, counted),
    )


def test_s42_s3_1c_uranus_is_always_played_with_contested_cities() -> None:
    s, _ = game.setup(game.setup_of(URANUS))
    assert SHARING in s.options
    assert dict(s.contests) == {5522: AXIS}
    assert s.sieges[5522][0] == 2
    assert {s.code(unit) for unit in s.sieges[5522][1:]} == {"13GRD", "138RD", "84TB"}
    assert winner(s) == ""
    chart = chart_for(DATA, URANUS)
    assert all(not what for side in SIDES for _, what in judged(s, side)), [
        s.code(unit) for side in SIDES for unit, what in judged(s, side) if what
    ]
    assert status(s, chart.unit("13GRD").number) == SUPPLIED
