"""Whole games: the engine's contract at random positions, and what must be true of every position."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pbem.engine.need import Orders, Over
from pbem.engine.registry import find
from pbem.engine.testing import Chance, Driver, check_golden, check_perft, random_game
from pbem.engine.testing.contract import Invariant
from pbem.kit import StepLost
from pbem_rules.stargard import game
from pbem_rules.stargard.arriving import EXCHANGED, FOR_IT
from pbem_rules.stargard.chart import GERMAN, LAST_TURN, SIDES, SOVIET, STACK, VOLKSSTURM
from pbem_rules.stargard.events import Note, Regained
from pbem_rules.stargard.frames import Activation, Command, GameTurn, War
from pbem_rules.stargard.setup import attach
from pbem_rules.stargard.state import BOX_NAMES, State
from pbem_rules.stargard.victory import score

HERE = Path(__file__).parent
CRASHES = HERE / "crashes"
ALL_OPTIONS = {
    "stavka_orders": True, "long_game": True, "transfer": True, "held_corps": True, "second_143": True,
}  # fmt: skip


def places_and_steps(s: State) -> None:
    """Every unit is in one place, with no more steps than it has; without a step it is nowhere."""
    assert len(s.pieces) == len(s.chart.units)
    for unit, piece in s.pieces.items():
        assert 0 <= piece.steps <= s.chart.units[unit].steps
        assert (piece.place == 0) == (piece.steps == 0)
        assert piece.place in BOX_NAMES or piece.place == 0 or piece.place in s.chart.board
        assert s.at(unit) == piece.place


def no_enemies_together(s: State) -> None:
    for place in s.ground.stacks:
        if place in s.chart.board:
            assert len({s.side(unit) for unit in s.ground.stacks[place]}) == 1
            assert s.chart.board[place].terrain != "lake"


def index_is_true(s: State) -> None:
    """What is kept beside the pieces is what would be made of them now."""
    kept = s.ground
    zones = [s.zone(side) for side in SIDES]
    attach(s, None)
    assert s.ground == kept
    assert [s.zone(side) for side in SIDES] == zones


def chits(s: State) -> None:
    """A chit is in one place; no side has played more than its number."""
    known = Counter((*s.cup, *s.drawn, *s.gone))
    assert all(count == 1 for chit, count in known.items() if chit not in s.gone)
    assert set(known) <= set(s.chart.chits)
    for side in SIDES:
        own = [chit for chit in s.drawn if s.chart.chits[chit].side == side]
        cut = side == GERMAN and s.fuel and s.turn == LAST_TURN  # of a number that may be used up (AMB-16)
        assert len(own) == s.played.get(side, 0) <= s.number(side) + cut


def score_is_what_it_is(s: State) -> None:
    assert score(s) == sum(s.prizes.values()) - s.reports - 3 * s.relieved + s.halves // 2
    for place, prize in s.chart.prizes.items():
        assert (place in s.prizes) == (s.holders[place] == SOVIET)
        assert s.prizes.get(place, prize.points) in (prize.points, prize.later)
    for place, holder in s.holders.items():
        assert all(s.side(unit) == holder for unit in s.combat_units(place))


INVARIANTS: tuple[Invariant, ...] = (places_and_steps, no_enemies_together, index_is_true, chits, score_is_what_it_is)


def stacks(s: State) -> None:
    """SG-6.0."""
    for place in s.ground.stacks:
        if place in s.chart.board:
            posts = sum(map(s.is_hq, s.ground.stacks[place]))
            assert posts <= 1
            assert len(s.ground.stacks[place]) - posts <= STACK


class Ledger:
    """Before each order: what the report has told of steps is what the units have, and at rest no hex is too full."""

    def __init__(self) -> None:
        self.steps: dict[str, int] = {}
        self.told = 0

    def __call__(self, driver: Driver[State]) -> None:
        s = driver.state
        self.steps = self.steps or {unit.code: unit.steps for unit in s.chart.units}
        for event in driver.happened[self.told :]:
            if isinstance(event, StepLost):
                self.steps[event.unit] = event.left
            elif isinstance(event, Regained):
                self.steps[event.unit] += event.steps
            elif isinstance(event, Note) and event.rule == "SG-16.3":
                self.steps[FOR_IT] = self.steps[EXCHANGED]
        self.told = len(driver.happened)
        for unit, piece in s.pieces.items():
            militia = s.has(unit, VOLKSSTURM)  # what it loses in combat comes back (SG-12.4a)
            assert militia or piece.steps == self.steps[s.code(unit)], s.code(unit)
        if not isinstance(driver.need, Orders) or isinstance(
            driver.machine.frame, War | GameTurn | Command | Activation
        ):
            stacks(s)


def test_random_games(seed):
    driver = random_game(game, seed, every=25, sample=60, invariants=INVARIANTS, probe=Ledger(), crashes=CRASHES)
    assert isinstance(driver.need, Over)
    assert driver.state.turn <= LAST_TURN


def test_random_games_with_all_options(seed):
    driver = random_game(
        game,
        seed,
        options=ALL_OPTIONS,
        every=25,
        sample=60,
        invariants=INVARIANTS,
        probe=Ledger(),
        crashes=CRASHES,
    )
    assert isinstance(driver.need, Over)


@pytest.mark.parametrize(
    ("seed", "options"),
    [("9a22c333", {"asked": "combats", "long_game": True}), ("31729632", ALL_OPTIONS), ("c2bb99a2", ALL_OPTIONS)],
)
def test_random_games_that_went_wrong(seed, options):
    """A headquarters of attackers that had retreated; the fuel of turn 10; a chit for a formation that is none."""
    driver = random_game(
        game, seed, options=options, every=50, sample=20, invariants=INVARIANTS, probe=Ledger(), crashes=CRASHES
    )
    assert isinstance(driver.need, Over)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 400))
def test_many_random_games(seed):
    options = ALL_OPTIONS if seed % 2 else None
    driver = random_game(
        game, str(seed), options=options, every=50, sample=40, invariants=INVARIANTS, probe=Ledger(), crashes=CRASHES
    )
    assert isinstance(driver.need, Over)


def test_order_trees():
    check_perft(HERE / "perft.json", game)


def test_golden_play_through():
    """The first two turns, as they were ordered: what the bots think now does not matter."""
    path = HERE / "golden_standard.txt"
    driver = Driver(game, chance=Chance("golden"))
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("order "):
            seat, _, text = line.removeprefix("order ").strip().partition(": ")
            driver.order(seat, text)
    assert driver.state.turn == 3
    check_golden(path, driver)


def test_the_game_is_registered():
    assert find("stargard") is game
    assert [seat.name for seat in game.seats] == [GERMAN, SOVIET]
