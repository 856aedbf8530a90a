"""The bots: legal orders only, the same game every time, better than chance, in time."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import groupby, pairwise

import pytest
from s42_positions import AXIS, SOVIET, number, position

from pbem.engine.need import Orders, Over
from pbem.engine.testing import Chance, Driver, random_game
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.bot import QUICK, SENSIBLE, StalingradBot
from pbem_rules.stalingrad42.bot.bots import ENOUGH, follow
from pbem_rules.stalingrad42.bot.fight import Eye, pursuit
from pbem_rules.stalingrad42.bot.line import joined, posts_of_line
from pbem_rules.stalingrad42.bot.mind import Memory, Mind
from pbem_rules.stalingrad42.chart import SIDES
from pbem_rules.stalingrad42.combat.odds import attack
from pbem_rules.stalingrad42.scenarios import BLAU, CAMPAIGN, CAUCASUS, chart_for
from pbem_rules.stalingrad42.setup import at_start
from pbem_rules.stalingrad42.state import State, other
from pbem_rules.stalingrad42.victory import total
from tools import bots

LEVELS = {"quick": QUICK, "sensible": SENSIBLE}
TURN = 6.0  # seconds for the slowest turn of a side: a bound for slow machines, far above what it takes


def mind_of(s: State, side: str) -> Mind:
    return Mind(s, side, Memory(), SENSIBLE)


def played(seed: str, level: str, turns: int = 9) -> Driver[State]:
    driver, choices = Driver(game, chance=Chance(seed)), Chance(f"{seed}/choices")
    sides = {side: StalingradBot(LEVELS[level]) for side in SIDES}
    while isinstance(driver.need, Orders) and driver.state.turn < turns:
        assert len(driver.orders) < 20_000
        seat = driver.asked[0]
        legal = driver.machine.legal(seat, driver.own(seat))
        driver.give(seat, sides[seat].choose(driver.view(seat), driver.need, seat, legal, choices))
    return driver


def test_a_bot_lists_no_more_than_a_list_may_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixty-four entries, of which the Soviets of Uranus would disengage more; three are enough to see it."""
    for module in ("pbem.kit.fights", "pbem_rules.stalingrad42.bot.bots"):
        monkeypatch.setattr(f"{module}.MOST_ENTRIES", 3)
    driver = played("long lists", "quick", 2)
    runs = [(kind, len([*orders])) for kind, orders in groupby(order.kind for _, order in driver.orders)]
    assert driver.state.turn == 2
    assert max(length for kind, length in runs if kind == "attack") == 3


def test_the_same_game_every_time() -> None:
    first, second = played("same", "sensible", 3), played("same", "sensible", 3)
    assert first.orders == second.orders
    assert first.machine.digest() == second.machine.digest()


@pytest.mark.parametrize("level", LEVELS)
def test_it_plays_in_time_and_does_what_a_player_does(level: str) -> None:
    began = time.process_time()
    driver = played("time", level)
    assert isinstance(driver.need, Over)
    assert time.process_time() - began < 2 * 8 * TURN
    for side in SIDES:
        kinds = {order.kind for seat, order in driver.orders if seat == side}
        assert {"move", "tactical", "extended", "attack", "renew", "bring", "done"} <= kinds
    entries = [order for seat, order in driver.orders if seat == AXIS and order.kind == "attack"]
    assert any(entry.breaks for entry in entries)
    assert any(entry.guns for entry in entries)
    assert any(entry.air is not None for entry in entries)


@pytest.mark.parametrize("level", LEVELS)
def test_whole_games_where_everybody_is_asked(level: str) -> None:
    """The engine checks every order, and `random_game` what a bot may see."""
    sides = dict.fromkeys(SIDES, StalingradBot(LEVELS[level]))
    driver = random_game(game, "asked", options={"asked": "combats"}, bots=sides, every=200)
    assert isinstance(driver.need, Over)


@pytest.mark.parametrize("side", SIDES)
def test_the_sensible_bot_beats_the_random_one(side: str) -> None:
    result = bots.play(bots.Task("stalingrad42", None, "beat/1", side))
    assert result.winner == side


def test_it_counts_odds_as_the_rules_do() -> None:
    """Every attack that either side could make at the start, from where its units stand."""
    s = at_start(game.chart(game.data))
    for side in SIDES:
        eye = Eye(mind_of(s, side))
        pairs = 0
        for target in s.chart.board.in_mask(s.afield(other(side))):
            units = [unit for near in s.chart.board.near[target] for unit in s.of(side, near) if s.face(unit).attack]
            for many in {1, len(units)} if units else ():
                column, _ = eye.column(target, [(unit, s.at(unit)) for unit in units[:many]])
                assert column == attack(s, units[:many], target, other(side)).column
                pairs += 1
        assert pairs > 20


def test_a_line_leaves_no_gap() -> None:
    s = at_start(game.chart(game.data))
    for side in SIDES:
        posts = list(posts_of_line(mind_of(s, side)))
        assert len(posts) > 15
        assert all(b in joined(s.chart)[a] for a, b in pairwise(posts))
        assert not any(s.of(other(side), post) for post in posts)


def test_it_drives_on_through_a_weak_enemy_and_not_into_a_strong_one() -> None:
    """The goal lies just beyond the hex that was emptied."""
    panzer = number("24Pz")
    for codes, through in ((("6RD",), True), (("121RD", "45RD"), False)):
        s = position(("24Pz", 2922, 2), ("62RD", 3022), *((code, 3122) for code in codes))
        mind = mind_of(s, AXIS)
        mind.sent = {panzer: (3122, 100)}
        way = pursuit(Eye(mind), [panzer], 3022)
        assert way[0] == 3022
        assert (3122 in way) is through


def test_units_that_add_nothing_alone_attack_together_and_no_more_than_add_something() -> None:
    """Against ten, two divisions are 1:1, three are no more, four are 2:1; a security division adds nothing to that."""
    west = ("57ID", 3417), ("82ID", 3417), ("377ID", 3518), ("387ID", 3518)
    s = position(*west, ("454Sec", 3319), ("121RD", 3418), ("45RD", 3418))
    eye = Eye(mind_of(s, AXIS))
    found = eye.best_on(3418, (), [number(code) for code, _ in (*west, ("454Sec", 0))])
    assert found is not None
    assert found.units == tuple(sorted(number(code) for code, _ in west))


def test_it_goes_behind_those_who_are_attacked_next() -> None:
    s = position(("9Pz", 3417), ("11Pz", 3417), ("45RD", 3418), ("62RD", 3320), ("45ID", 3220))
    panzers = [number("9Pz"), number("11Pz")]
    ends = []
    for next_targets in ((), (3320,)):
        mind = mind_of(s, AXIS)
        mind.sent = dict.fromkeys(panzers, (3424, 100))
        mind.shut_in(next_targets)
        ends.append(pursuit(Eye(mind), panzers, 3418)[-1])
    assert mind.closes(ends[1]) > mind.closes(ends[0])


def test_support_that_is_ready_and_in_range_moves_no_farther_than_it_may() -> None:
    """S42-18.2.2: after three hexes it would be of no use in this turn; used as it is, it loses nothing by that."""
    ours = ("45ID", 3010), ("57ID", 3012), ("82ID", 3016), ("377ID", 3018), ("387ID", 3020)
    theirs = ("62RD", 3210), ("45RD", 3212), ("6RD", 3216), ("121RD", 3218), ("160RD", 3220)
    for ready in (True, False):
        s, unit = position(("6A-HQ", 2608), *ours, *theirs), number("6A-HQ")
        s.pieces[unit] = replace(s.pieces[unit], ready=ready)
        goal, grid = follow(mind_of(s, AXIS), unit), s.chart.board.grid
        assert grid is not None
        assert (goal < 0 or grid.distance(2608, goal) <= 2) == ready


def test_the_axis_wants_the_nearest_bank_south_of_the_don_until_a_german_is_there() -> None:
    here, far = ("73ID", 3033), ("62RD", 3810)
    for there, wanted in (((), True), ((("125ID", 3135),), False)):
        s = position(here, far, *there)
        mind = mind_of(s, AXIS)
        places = {place for place, _ in mind.goals if mind.beyond & mind.board.bit[place]} - {*s.chart.prizes}
        assert bool(places) == wanted
        assert all(mind.distances.to(place)[3033] <= 3 for place in places)


def test_a_headquarters_is_no_garrison() -> None:
    """Voroshilovgrad has a brigade and a headquarters: the brigade stays."""
    s, unit = at_start(game.chart(game.data)), number("140TB")
    mind = mind_of(s, SOVIET)
    assert s.at(unit) == s.at(number("South-HQ")) == 2725
    assert mind.best_place(unit, mind.reach(unit), ENOUGH) is None


def in_the_caucasus(*units: tuple[str, int]) -> Mind:
    chart = chart_for(game.data, CAUCASUS)
    s = position(*units, turn=12, chart=chart)
    for code, place in units:
        if place in s.holders:
            s.holders[place] = s.side(chart.unit(code).number)
    return mind_of(s, AXIS)


def test_an_arm_leaves_what_guards_need_and_goes_on_along_the_roads() -> None:
    """Armavir needs five points of defence or more against a division nearby; vehicles look beyond."""
    axis = ("125ID", 4049), ("198ID", 4049), ("73ID", 4049), ("3Pz", 4150), ("13Pz", 4150)
    mind = in_the_caucasus(*axis, ("30RD", 4052))
    guards = [code for code, _ in axis if mind.sent[mind.chart.unit(code).number][0] == 4049]
    assert len(guards) == 1
    assert "Pz" not in guards[0]
    panzer = mind.chart.unit("3Pz").number
    goal, _ = mind.sent[panzer]
    assert mind.chart.prizes[goal]
    assert mind.s.holders[goal] == SOVIET
    grozny, pass_road = mind.way(panzer, 6858), mind.distances.to(6858)
    assert grozny[4150] >= pass_road[4150]
    assert grozny[4860] > 60 > pass_road[4860]  # no vehicle goes over the mountains


def test_a_prize_that_nobody_fights_for_has_one_guard_while_an_enemy_could_march_in() -> None:
    """Seven hexes away, beyond a normal move; from nine on nobody is needed."""
    for there, guards in (((3956,), 1), ((4060,), 0)):
        mind = in_the_caucasus(("125ID", 4049), ("198ID", 4049), *(("30RD", place) for place in there))
        assert not mind.memory.menace.get(4049)
        assert sum(goal == 4049 for goal, _ in mind.sent.values()) == guards


def test_an_arm_sends_against_a_strong_place_what_that_needs() -> None:
    """A division of five points counts ten in Voroshilovsk: it draws twenty points of strength, two draw forty."""
    axis = [(code, 4246) for code in ("111ID", "125ID", "198ID", "73ID", "46ID", "9ID", "370ID", "97Jg", "101Jg")]
    sent = []
    for codes in (("30RD",), ("30RD", "31RD")):
        mind = in_the_caucasus(*axis, *((code, 4549) for code in codes))
        assert mind.held_by(4549) == 10 * len(codes)
        units = [unit for unit, (goal, _) in mind.sent.items() if goal == 4549]
        sent.append(sum(mind.s.face(unit).attack for unit in units))
    assert 20 <= sent[0] < 40 <= sent[1]


@pytest.mark.parametrize(("scenario", "turn", "stays"), [(CAMPAIGN, 9, True), (CAMPAIGN, 8, False), (BLAU, 8, False)])
def test_what_counts_at_the_end_is_guarded_and_what_wins_at_once_is_not(scenario: str, turn: int, stays: bool) -> None:
    """Two divisions in Millerovo with an enemy near: from turn 9 on one of them stays, in Fall Blau points win."""
    chart = chart_for(game.data, scenario)
    s = position(("57ID", 3322), ("24Pz", 3322), ("62RD", 3524), ("45RD", 3527), turn=turn, chart=chart)
    s.holders[3322] = AXIS
    mind = mind_of(s, AXIS)
    assert (mind.posture.garrison > 1) == stays
    assert (3322 in {goal for goal, _ in mind.sent.values()}) == stays


@pytest.mark.parametrize("turn", [8, 9])
def test_in_the_campaign_the_town_on_the_way_to_others_draws_most(turn: int) -> None:
    """Nothing beyond Rostov can be supplied before it falls; Krasnodar is worth as much, and draws less until then."""
    s = position(("125ID", 3030), ("62RD", 3134), turn=turn, chart=chart_for(game.data, CAMPAIGN))
    before = dict(mind_of(s, AXIS).goals)
    s.holders[3134] = AXIS
    after = dict(mind_of(s, AXIS).goals)
    assert before[3134] == max(before[place] for place in s.chart.prizes)
    assert before[2849] < after[2849] < before[3134]


@pytest.mark.parametrize(("turn", "cuts"), [(8, True), (9, False)])
def test_the_campaigns_axis_cuts_supply_in_its_first_turns_alone(turn: int, cuts: bool) -> None:
    s = at_start(chart_for(game.data, CAMPAIGN))
    s.turn = turn
    assert bool(mind_of(s, AXIS).knots) == cuts


def test_in_the_campaign_what_lies_near_the_enemys_edge_draws_less() -> None:
    """Usman and Mordovo lie where Soviet reinforcements come; Millerovo does not. In Fall Blau it is all the same."""
    for scenario, less in ((CAMPAIGN, True), (BLAU, False)):
        goals = dict(
            mind_of(position(("125ID", 2320), ("62RD", 2920), chart=chart_for(game.data, scenario)), AXIS).goals
        )
        assert (goals[2800] < goals[3322]) == (goals[3301] < goals[3322]) == less


def test_those_who_bar_the_supply_of_others_become_goals() -> None:
    """A division on the road behind a panzer division that holds Mozdok; without it there is no such goal."""
    for there, wanted in ((("30RD", 4552),), True), ((), False):
        mind = in_the_caucasus(("3Pz", 6256), ("125ID", 3443), *there)
        assert (4552 in dict(mind.blocks)) == wanted


def test_the_soviets_hold_their_prizes_against_nobody_who_wants_them() -> None:
    sides = {AXIS: game.bots["random"], SOVIET: StalingradBot(SENSIBLE)}
    driver = random_game(game, "guard", bots=sides, every=10_000)
    assert total(driver.state) <= 2
