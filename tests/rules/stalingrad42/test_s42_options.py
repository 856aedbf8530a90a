"""S42-25 to S42-29: the advanced rules and the other readings, in all pairs, in random games."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from s42_brawler import Brawler
from s42_game import GAME as LATE
from s42_game import fresh
from s42_masked import MASKED

from pbem.engine.testing import Chance, Driver, random_game
from pbem.game import Event, Game
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.chart import LEADER, SIDES
from pbem_rules.stalingrad42.combat.offensives import MOST_PLANS, laid
from pbem_rules.stalingrad42.combat.reserves import MARKERS
from pbem_rules.stalingrad42.events import Disengaged, PlanLaid, PlanUsed, Rerolled, Reserved
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.scenarios import URANUS
from pbem_rules.stalingrad42.state import (
    BY_LAND,
    DISENGAGING,
    FIRST_IN_G,
    LEADERS,
    PLANNED,
    RESERVES,
    ROW_FORTY,
    SHARING,
    TO_THE_LAST,
    WHILE_HELD,
    State,
    other,
)

ADVANCED = (RESERVES, PLANNED, DISENGAGING, LEADERS, SHARING)
PAIRS = [*combinations(ADVANCED, 2)]
MADE_BY: Mapping[type[Event], str] = {
    Reserved: RESERVES, PlanLaid: PLANNED, PlanUsed: PLANNED, Disengaged: DISENGAGING, Rerolled: LEADERS,
}  # fmt: skip


def apart(s: State) -> None:
    """S42-5.1d, S42-29.1: nobody stands with enemies but in contested cities."""
    for side in SIDES:
        assert not s.fighters(side) & s.ground.occupied[other(side)] & ~s.shared


def within_limits(s: State) -> None:
    """S42-26.2e, S42-28: so many Planned Offensives, on headquarters in play; leaders with their option alone."""
    for side in SIDES:
        assert laid(s, side) <= MOST_PLANS
    for unit, (waiting, able) in s.plans.items():
        assert s.on_map(unit)
        assert s.chart.is_headquarters(unit)
        assert waiting + able > 0
    if LEADERS not in s.options:
        assert not any(s.has(unit, LEADER) for side in SIDES for unit in s.ground.standing(side))


class Watch:
    """No rule is used whose option was not chosen; no more than three Reserve markers lie (S42-25.2.2)."""

    def __init__(self, chosen: tuple[str, ...]) -> None:
        self.chosen, self.seen = chosen, set[type[Event]]()

    def __call__(self, d: Driver[State]) -> None:
        kinds = {type(event) for event in d.events()}
        self.seen |= kinds
        assert all(MADE_BY[kind] in self.chosen for kind in kinds & MADE_BY.keys())
        frame = d.view(*d.asked[:1]).frame
        if isinstance(frame, PlayerTurn):
            assert len(frame.reserved) <= MARKERS


def play(of: Game[State], seed: str, pair: tuple[str, ...], scenario: str | None, orders: int, every: int) -> Watch:
    watch = Watch(pair)
    random_game(
        of,
        f"{seed}/{'/'.join(pair)}",
        scenario=scenario,
        options=dict.fromkeys(pair, True),
        bots={side: Brawler() for side in SIDES},
        orders=orders,
        every=every,
        sample=5,
        invariants=(apart, within_limits),
        probe=watch,
    )
    return watch


@pytest.mark.parametrize("pair", PAIRS[::3], ids="-".join)
def test_some_pairs_of_options_in_random_games(pair: tuple[str, ...]) -> None:
    seed = fresh()
    print(f"SEED={seed}")
    play(LATE, seed, pair, None, 90, 30)


# Of any two of the ten options each combination, both, one, the other or none, is in one of six games: an option is on
# in three of the last five, each in three of its own.
SWITCHES = tuple(option.name for option in game.options if option.values == (False, True))
DESIGN = [
    tuple(name for name, games in zip(SWITCHES, combinations(range(1, 6), 3), strict=True) if number in games)
    for number in range(6)
]
PLAYED = {"blau": LATE, "caucasus": game, URANUS: game, "campaign": MASKED}


def test_two_options_are_in_each_combination_in_one_of_the_games() -> None:
    assert len(SWITCHES) == 10
    assert {*ADVANCED, BY_LAND, TO_THE_LAST, WHILE_HELD, FIRST_IN_G, ROW_FORTY} == {*SWITCHES}
    for a, b in combinations(SWITCHES, 2):
        assert len({(a in chosen, b in chosen) for chosen in DESIGN}) == 4


@pytest.mark.long
@pytest.mark.parametrize("scenario", PLAYED)
@pytest.mark.parametrize("chosen", DESIGN, ids="-".join)
def test_all_pairs_of_options_in_random_games(chosen: tuple[str, ...], scenario: str) -> None:
    """The campaign from turn 21 on, with Maskirovka."""
    seed = fresh()
    print(f"SEED={seed}")
    play(PLAYED[scenario], seed, chosen, None if scenario == "blau" else scenario, 500, 50)


def test_all_together_are_used() -> None:
    """By bots that know what they are for, in Uranus, where leaders are in play; in one game or another."""
    watch, bots = Watch(ADVANCED), dict.fromkeys(SIDES, game.bots["quick"])
    for number in range(6):
        driver: Driver[State] = Driver(game, URANUS, dict.fromkeys(ADVANCED, True), chance=Chance(f"all {number}"))
        while driver.asked and not watch.seen >= MADE_BY.keys() and driver.state.turn < 33:
            seat = driver.asked[0]
            legal = driver.machine.legal(seat, driver.own(seat))
            driver.give(seat, bots[seat].choose(driver.view(seat), driver.need, seat, legal, Chance("bots")))
            watch(driver)
    assert watch.seen >= MADE_BY.keys(), {kind.__name__ for kind in MADE_BY.keys() - watch.seen}
