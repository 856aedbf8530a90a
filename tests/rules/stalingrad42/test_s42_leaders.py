"""S42-28: leaders, by the option: Chuikov and Manstein in Uranus."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from s42_positions import AXIS, SOVIET, position

from pbem.engine.testing import Chance, Driver
from pbem.game import Goto, Out
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.board import boxed, unit_text
from pbem_rules.stalingrad42.chart import DATA, LADDER
from pbem_rules.stalingrad42.combat.battle import Fire, cell_of, reckon_fight
from pbem_rules.stalingrad42.combat.defence import Stand
from pbem_rules.stalingrad42.combat.disengaging import Attempt, RerollAttempt
from pbem_rules.stalingrad42.combat.leaders import RerollAttack, RerollStand, at_hand, use_leader
from pbem_rules.stalingrad42.combat.outcomes import HOLDS, outcomes
from pbem_rules.stalingrad42.events import Rerolled
from pbem_rules.stalingrad42.frames import FLEXIBLE, GIVE, HOLD, Battle, Leaving, PlayerTurn
from pbem_rules.stalingrad42.initial import Begin
from pbem_rules.stalingrad42.movement.marching import modes
from pbem_rules.stalingrad42.movement.phase import Rails
from pbem_rules.stalingrad42.orders import NO, YES, Entrain, Renew, Reroll
from pbem_rules.stalingrad42.replacements import Renewals
from pbem_rules.stalingrad42.scenarios import URANUS, chart_for
from pbem_rules.stalingrad42.setup import set_up
from pbem_rules.stalingrad42.state import ELIMINATED, LEADERS, REMOVED, ROUTED, WAITING, State

CHART = chart_for(DATA, URANUS)
BOARD = CHART.board
CITY, NEAR = 5521, 5421  # a hex of Stalingrad, and one beside it
OPEN = 4410


def unit(code: str) -> int:
    return CHART.unit(code).number


MANSTEIN, CHUIKOV = unit("Manstein"), unit("Chuikov")


def led(*units: tuple[str, int] | tuple[str, int, int], turn: int = 30) -> State:
    s = position(*units, turn=turn, chart=CHART)
    s.options, s.rained = (LEADERS,), True
    for leader in (MANSTEIN, CHUIKOV):
        s.alter(leader, replace(s.pieces[leader], ready=True))
    return s


def fight(s: State, seat: str = AXIS, target: int = OPEN, **rest: object) -> Battle:
    side = SOVIET if seat == AXIS else AXIS
    there = tuple(u for u in s.of(side, target) if s.fights(u))
    near = tuple(u for place in BOARD.near[target] for u in s.of(seat, place) if s.fights(u))
    return Battle(seat=seat, target=target, units=near, defenders=there, **rest)  # type: ignore[arg-type]


def test_s42_28_1_1a_with_the_option_leaders_are_in_play_without_it_they_are_not() -> None:
    on, off = set_up(game.setup_of(URANUS, {LEADERS: True})), set_up(game.setup_of(URANUS))
    assert on.at(CHUIKOV) == 5621
    assert on.at(MANSTEIN) == WAITING
    assert on.pieces[CHUIKOV].ready
    assert {off.at(leader) for leader in (CHUIKOV, MANSTEIN)} == {REMOVED}
    assert any("Manstein" in map(on.code, units) for _, units in boxed(on, AXIS))
    assert not any("Manstein" in map(off.code, units) for _, units in boxed(off, AXIS))
    assert unit_text(on, CHUIKOV) == "Chuikov r3-0-6+"


def test_s42_28_1_1a_no_combat_unit_moves_as_vehicles_do_and_the_second_result_stands() -> None:
    s = led(("Manstein", OPEN + 1), ("6Pz", OPEN + 1), ("44GRD", OPEN))
    assert not s.fights(MANSTEIN)
    assert set(modes(s, MANSTEIN)) == set(modes(s, unit("6Pz")))
    f, step, out = fight(s, dice=(6,)), RerollAttack(), Out()
    assert step.by(s, f) == (AXIS,)
    assert set(step.options(s, f, AXIS)) == {Reroll(YES), Reroll(NO)}
    assert step.do(s, f, AXIS, Reroll(NO), out) is None
    assert (f.dice, f.again, s.pieces[MANSTEIN].ready) == ((6,), False, True)
    assert step.do(s, f, AXIS, Reroll(YES), out) == Goto(Fire)
    assert (f.dice, f.again, s.pieces[MANSTEIN].ready) == ((), True, False)
    assert [each.unit for each in out.events if isinstance(each, Rerolled)] == ["Manstein"]
    f.dice = (5,)
    use = replace(s.pieces[MANSTEIN], ready=True)
    s.alter(MANSTEIN, use)
    assert not step.by(s, f)  # whatever else could be: the second result stands


def test_s42_28_1_1b_3_b1g_used_until_the_own_initial_phase() -> None:
    s = led(("Manstein", OPEN + 1), ("Chuikov", CITY), ("6A-HQ", OPEN + 2))
    use_leader(s, MANSTEIN)
    use_leader(s, CHUIKOV)
    assert at_hand(s, AXIS, -1) is None
    Begin().run(s, PlayerTurn(AXIS), Out())
    assert (s.pieces[MANSTEIN].ready, s.pieces[CHUIKOV].ready) == (True, False)
    assert not s.pieces[unit("6A-HQ")].ready  # support is not
    assert at_hand(s, AXIS, -1) == MANSTEIN


def test_s42_28_1_2_18_4_in_range_as_support_is() -> None:
    s = led(("Manstein", OPEN))
    grid = BOARD.grid
    assert grid is not None
    for far, found in ((5, MANSTEIN), (6, None)):
        place = next(place for place in grid.ring(OPEN, far) if place in BOARD and BOARD[place].terrain == "clear")
        assert at_hand(s, AXIS, BOARD.bit[place]) == found
    s.put(MANSTEIN, CHART.areas["x"])
    assert at_hand(s, AXIS, -1) is None
    s = led(("Manstein", OPEN), ("6Pz", OPEN + 5), ("44GRD", OPEN + 6))
    assert RerollAttack().leader(s, fight(s, target=OPEN + 6, dice=(6,))) == MANSTEIN  # the attackers
    s = led(("Manstein", OPEN), ("6Pz", OPEN + 6), ("44GRD", OPEN + 5))
    assert RerollAttack().leader(s, fight(s, SOVIET, OPEN + 6, dice=(1,))) is None  # the hex attacked


def standing(side: str, target: int, **rest: object) -> tuple[State, Battle]:
    s = led(("Chuikov", CITY), ("Manstein", OPEN + 1), ("62RD" if side == SOVIET else "6Pz", target), ("6Pz", NEAR))
    lead = unit("62RD" if side == SOVIET else "6Pz")
    s.put(lead, target)
    f = Battle(
        seat=AXIS if side == SOVIET else SOVIET, target=target, units=(), defenders=(lead,), lead=lead, cell="DR2",
        retreat=2, **rest,  # type: ignore[arg-type]
    )  # fmt: skip
    return s, f


def test_s42_28_1_3_chuikov_a_roll_of_determined_defence_of_the_soviets() -> None:
    s, f = standing(SOVIET, CITY, stood=1)
    step = RerollStand()
    assert step.by(s, f) == (SOVIET,)
    assert step.answers(s, f, SOVIET, {})["needed"] == Reroll(YES)  # a failure in a city
    assert step.do(s, f, SOVIET, Reroll(YES), Out()) == Goto(Stand)
    assert (f.stood, f.rolls, s.pieces[CHUIKOV].ready) == (0, 0, False)
    prize = next(place for place in CHART.prizes if not CHART.is_city(place))
    for place, answer in ((prize, YES), (OPEN, NO)):
        s, f = standing(SOVIET, place, stood=1)
        assert step.answers(s, f, SOVIET, {})["needed"] == Reroll(answer), place
    s, f = standing(SOVIET, CITY, stood=6)
    assert step.answers(s, f, SOVIET, {})["needed"] == Reroll(NO)
    f.stood = 0
    assert not step.by(s, f)  # before the roll
    f = fight(s, dice=(1,))
    f.seat = SOVIET
    assert RerollAttack().leader(led(("Chuikov", CITY)), f) is None  # and no other dice


def test_s42_28_1_4_manstein_own_and_enemy_attacks() -> None:
    s = led(("Manstein", OPEN + 1), ("6Pz", OPEN + 1), ("17Pz", OPEN + 1), ("44GRD", OPEN, 1))
    step = RerollAttack()
    assert sum(outcomes(s, fight(s, stance=HOLD)).values()) == 1
    s = led(("Manstein", OPEN), ("6Pz", OPEN), ("17Pz", OPEN), ("44GRD", OPEN + 1), ("24GRD", OPEN - 1))
    f = fight(s, SOVIET)
    results = {die: step.told(s, replace(f, dice=(die,))) for die in range(1, 7)}
    for die, told in results.items():
        grave = "(DS)" in told or "(DR4)" in told
        assert step.needed(s, replace(f, dice=(die,))) is grave
    assert step.facts(s, replace(f, dice=(6,)), AXIS, {})["own"] == 0
    strong = (("1TC", OPEN + 1), ("26TC", OPEN + 1), ("16TC", OPEN - 1), ("4TC", OPEN - 1))
    s = led(("Manstein", OPEN), ("6Pz", OPEN, 1), ("17Pz", OPEN, 1), *strong)
    f = fight(s, SOVIET)
    cells = {die: cell_of(s, f, die) for die in range(1, 7)}
    grave = next(die for die, each in cells.items() if each in ("DS", "DR4"))
    f.defenders = (unit("6Pz"), unit("17Pz"))
    assert step.needed(s, replace(f, dice=(grave,)))  # for two Germans
    assert not step.needed(s, replace(f, dice=(grave,), defenders=(unit("6Pz"),)))


@pytest.mark.parametrize(
    ("attackers", "odds", "poor"),
    [
        (("6Pz",), "2:1", {}),
        (("6Pz", "17Pz"), "3:1", {5: "DRX", 6: "A1/DR2"}),
        (("6Pz", "17Pz", "23Pz"), "4:1", {6: "DRX"}),
    ],
)
def test_s42_28_1_4_manstein_repeats_what_costs_a_good_attack_a_step(
    attackers: tuple[str, ...], odds: str, poor: dict[int, str]
) -> None:
    near = tuple((code, OPEN + 1) for code in ("Manstein", *attackers))
    s = led(*near, ("44GRD", OPEN), ("24GRD", OPEN))
    step, f = RerollAttack(), fight(s)
    assert CHART.odds.label(reckon_fight(s, f).column) == odds
    found = {die: cell_of(s, f, die) for die in range(1, 7) if step.needed(s, replace(f, dice=(die,)))}
    assert found == poor


@pytest.mark.parametrize("plans", [0, 1])
@pytest.mark.parametrize("leads", [False, True])
def test_s42_28_1_4_26_2f_the_die_that_counts_is_the_best_after_a_leader(plans: int, *, leads: bool) -> None:
    """Whoever gives ground loses what the cell says, so that the end says which die has counted."""
    strong = (("1TC", OPEN + 1), ("26TC", OPEN + 1), ("16TC", OPEN - 1), ("4TC", OPEN - 1))
    s = led(("Manstein", OPEN), ("6Pz", OPEN, 1), ("17Pz", OPEN, 1), *strong)
    if not leads:
        use_leader(s, MANSTEIN)
    f = fight(s, SOVIET, stance=GIVE, plans=(unit("1TC"),) * plans)
    step, faces = RerollAttack(), range(1, 7)
    ladder = {die: LADDER.index(cell_of(s, f, die)) for die in faces}
    best = {dice: max(sorted(dice), key=lambda die: ladder[die]) for dice in product(faces, repeat=1 + plans)}
    each = Fraction(1, len(best))
    plain = {face: each * list(best.values()).count(face) for face in faces}
    poor = {face: leads and step.needed(s, replace(f, dice=(face,))) for face in faces}
    assert any(poor.values()) is leads
    again = sum((chance for face, chance in plain.items() if poor[face]), Fraction(0))
    expected: dict[tuple[int, int], Fraction] = {}
    for face in faces:
        result = CHART.results[cell_of(s, f, face).removesuffix("*")]
        key = result.attacker, result.defender
        chance = plain[face] * (not poor[face]) + again * plain[face]
        expected[key] = expected.get(key, Fraction(0)) + chance
    found: dict[tuple[int, int], Fraction] = {}
    for end, chance in outcomes(s, f).items():
        found[end.attacker, end.defender] = found.get((end.attacker, end.defender), Fraction(0)) + chance
    assert found == {key: chance for key, chance in expected.items() if chance}


@pytest.mark.parametrize(("stance", "wanted"), [(HOLD, YES), (FLEXIBLE, NO)])
def test_s42_28_1_4_manstein_determined_defence_of_the_axis(stance: str, wanted: str) -> None:
    s, f = standing(AXIS, OPEN, stood=1, stance=stance)
    step = RerollStand()
    assert step.by(s, f) == (AXIS,)
    assert step.answers(s, f, AXIS, {})["needed"] == Reroll(wanted)


def test_s42_28_1_4_manstein_a_disengagement_of_the_axis() -> None:
    s = led(("Manstein", OPEN + 1), ("6Pz", OPEN))
    f = Leaving(seat=AXIS, start=OPEN, units=(unit("6Pz"),), hexes=2, die=1)
    step = RerollAttempt()
    assert step.by(s, f) == (AXIS,)
    assert step.answers(s, f, AXIS, {})["needed"] == Reroll(YES)
    assert step.do(s, f, AXIS, Reroll(YES), Out()) == Goto(Attempt)
    assert (f.die, f.again) == (0, True)
    s.alter(MANSTEIN, replace(s.pieces[MANSTEIN], ready=True))
    f.die = 1
    assert not step.by(s, f)
    f.again, f.seat = False, SOVIET
    assert not step.by(s, f)


def test_s42_28_1_5_5_6_4c_by_rail_without_a_train_beside_the_others_and_used_up() -> None:
    start = next(place for place in sorted(BOARD.in_mask(CHART.repaired)) if BOARD[place].terrain == "clear")
    s, f, step = led(("Manstein", start), ("6Pz", start)), PlayerTurn(AXIS), Rails()
    end = next(place for place in BOARD.in_mask(step.ends(s, f, MANSTEIN)) if place != start)
    f.rides, f.rides_on_map = 4, 1
    assert step.check(s, f, AXIS, Entrain(unit("6Pz"), end), {}) is not None
    assert step.check(s, f, AXIS, Entrain(MANSTEIN, end), {}) is None
    step.apply(s, f, AXIS, Entrain(MANSTEIN, end), Out())
    assert (s.at(MANSTEIN), s.pieces[MANSTEIN].train, s.pieces[MANSTEIN].ready) == (end, False, False)
    assert (f.rides, f.rides_on_map) == (4, 1)
    assert at_hand(s, AXIS, BOARD.bit[end]) is None


def test_s42_28_1_1a_19_4_a_leader_that_is_lost_comes_back_two_turns_later() -> None:
    s = led(("Manstein", OPEN))
    s.dispel(MANSTEIN)
    assert (s.at(MANSTEIN), s.returns[MANSTEIN]) == (ELIMINATED, 32)
    order = Renew(MANSTEIN, place=CHART.areas["x"])
    assert Renewals().check(s, PlayerTurn(AXIS), AXIS, order, {}) is not None
    s.turn = 32
    assert Renewals().check(s, PlayerTurn(AXIS), AXIS, order, {}) is None
    Renewals().apply(s, PlayerTurn(AXIS), AXIS, order, Out())
    assert s.at(MANSTEIN) == CHART.areas["x"]
    assert MANSTEIN not in s.returns


def test_s42_28_1_3_what_a_leader_is_worth_is_in_the_odds() -> None:
    """A failure of one sixth or more is rolled again: its share shrinks to its square."""

    def held(*, ready: bool) -> Fraction:
        s = led(("Chuikov", CITY), ("62RD", CITY), ("6Pz", NEAR))
        if not ready:
            use_leader(s, CHUIKOV)
        ends = outcomes(s, fight(s, target=CITY, stance=HOLD, favoured=True))
        return sum((chance for end, chance in ends.items() if end.what == HOLDS), Fraction(0))

    assert held(ready=True) > held(ready=False)
    s = led(("Chuikov", CITY), ("62RD", CITY), ("6Pz", NEAR))
    assert sum(outcomes(s, fight(s, target=CITY, stance=HOLD)).values()) == 1
    assert s.pieces[CHUIKOV].ready


def test_leaders_cost_no_mail() -> None:
    """Their re-rolls go by public standing orders: nobody is asked in the middle of a battle."""
    d: Driver[State] = Driver(game, URANUS, {LEADERS: True}, chance=Chance("mail"))
    bots = dict.fromkeys((AXIS, SOVIET), game.bots["quick"])
    kinds = set()
    while d.state.turn < 31:
        seat = d.asked[0]
        kinds.add(d.need.kind)  # type: ignore[union-attr]
        legal = d.machine.legal(seat, d.own(seat))
        d.give(seat, bots[seat].choose(d.view(seat), d.need, seat, legal, Chance("b")))
    assert not kinds & {"reroll", "restand", "retry", "die"}


def test_s42_28_1_4_8_4_1a_without_dice_nobody_has_them_rolled_again() -> None:
    s = led(("Manstein", OPEN + 1), ("6Pz", OPEN + 1), ("44GRD", OPEN, 1))
    s.alter(unit("44GRD"), replace(s.pieces[unit("44GRD")], order=ROUTED))
    f, step = fight(s), RerollAttack()
    assert not list(Fire().draws(s, f))  # ten to one
    assert not step.by(s, f)
    assert step.by(s, replace(f, dice=(6,))) == (AXIS,)
