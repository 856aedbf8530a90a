"""What holds in every position of a game: steps are conserved, bonds, supply and points as the rules define them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from s42_brawler import Brawler
from s42_game import GAME, fresh
from s42_masked import MASKED
from s42_naive import Lines, bonds, stacks, status, victory_points, zone

from pbem.engine.bots import Bot
from pbem.engine.testing import Driver, random_game
from pbem.game import Event, Game
from pbem.kit import OFF_MAP, StepLost
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.bot import QUICK, StalingradBot
from pbem_rules.stalingrad42.chart import AXIS, SIDES, SOVIET
from pbem_rules.stalingrad42.events import Refilled, Removed, Renewed, Trapped, Upgraded
from pbem_rules.stalingrad42.frames import PlayerTurn
from pbem_rules.stalingrad42.movement.phase import crowded
from pbem_rules.stalingrad42.scenarios import BLAU, CAMPAIGN, CAUCASUS, URANUS
from pbem_rules.stalingrad42.state import BOXES, State, other
from pbem_rules.stalingrad42.supply.lines import joined_by_land, lines
from pbem_rules.stalingrad42.supply.lines import status as judged_as
from pbem_rules.stalingrad42.victory import total


def in_a_hex_of_ones_own(s: State) -> None:
    """S42-5.1d, S42-22.4b, S42-29.1: nobody stands with enemies but in contested cities, nor in an Area of theirs."""
    both = {place for place in stacks(s, AXIS) if place in stacks(s, SOVIET)}
    assert both == set(s.contests)
    assert all(s.chart.is_city(place) and s.holders[place] == first for place, first in s.contests.items())
    for side in SIDES:
        assert not s.fighters(side) & s.ground.occupied[other(side)] & ~s.chart.board.mask(both)
        foreign = {s.chart.areas[key] for key in s.chart.friendly(other(side))}
        assert not any(s.of(side, area) for area in foreign)


def zones_and_bonds(s: State) -> None:
    """S42-6.1, S42-7: as they are defined, and no bond over what forbids it."""
    for side in SIDES:
        assert set(s.chart.board.in_mask(s.zone(side))) == zone(s, side)
        found = {(bond.a, bond.b, bond.between) for bond in s.bonds(side) if bond.b != OFF_MAP}
        assert found == bonds(s, side)


def supply_and_points(s: State) -> None:
    """S42-16.3, S42-16.5.1a, S42-24: lines, the state of every unit, and victory points."""
    plain = {side: Lines(s, side) for side in SIDES}
    grid = s.chart.board.grid
    assert grid is not None
    for side in SIDES:
        reached = {place for place in s.chart.board.in_mask(lines(s, side).reached) if place in grid}
        assert reached == plain[side].supplied
        joined = {place for place in s.chart.board.in_mask(joined_by_land(s, side)) if place in grid}
        assert joined == plain[side].joined
        for units in stacks(s, side).values():
            assert all(judged_as(s, unit) == status(s, plain[side], unit) for unit in units)
    assert total(s) == victory_points(s, plain[AXIS], plain[SOVIET])


class Steps:
    """S42-10.3, S42-10.4, S42-21: every step that goes or comes is told of, and none else; stacking at rest."""

    def __init__(self) -> None:
        self.held: dict[str, int] = {}
        self.boxed: set[str] = set()  # in the boxes of reserve armies: they are lost with the army (S42-34.6.2b)
        self.declined: set[str] = set()  # units of three steps in the box, without a Remnant

    def __call__(self, d: Driver[State]) -> None:
        s = d.state
        events = d.events()
        if not self.held:
            self.held = {s.code(unit): piece.steps for unit, piece in s.pieces.items()}
            return
        for event in events:
            self._count(event)
        for unit, piece in s.pieces.items():
            if s.code(unit) in self.boxed and not piece.steps:
                self.held[s.code(unit)] = 0
            assert piece.steps == self.held[s.code(unit)], s.code(unit)
            assert 0 <= piece.steps <= s.counter(unit).steps
            assert piece.steps or not s.on_map(unit)
        self.boxed = {s.code(unit) for box in BOXES for unit in s.of(SOVIET, box)}
        assert all(s.remnants_left(kind) >= 0 for kind in s.chart.remnants)
        frame = d.view(*d.asked[:1]).frame
        if d.asked and isinstance(frame, PlayerTurn) and getattr(d.need, "kind", "") == "attacks" and not frame.known:
            assert not crowded(s, frame.seat)  # S42-4.4a

    def _count(self, event: Event) -> None:
        if isinstance(event, StepLost):
            before = self.held[event.unit]
            assert event.left in (before - 1, 0)
            if (before, event.left) == (2, 0):
                self.declined.add(event.unit)
            self.held[event.unit] = event.left
        elif isinstance(event, Renewed) and event.by:  # S42-19.4: what cannot fight comes back as it was, for nothing
            self.held[event.unit] += 1 + (event.back and event.unit in self.declined)  # S42-10.4.3a
            self.declined.discard(event.unit)
        elif isinstance(event, Refilled) or (isinstance(event, Upgraded) and not event.by):  # S42-32
            self.held[event.unit] += 1
        elif isinstance(event, Upgraded):  # S42-32.5
            self.held[event.by] -= not self.held[event.unit]
        elif isinstance(event, Trapped | Removed):
            for unit in getattr(event, "units", None) or (event.unit,):  # type: ignore[union-attr]
                self.held[unit] = 0


INVARIANTS = in_a_hex_of_ones_own, zones_and_bonds, supply_and_points


def sound(game: Game[State], scenario: str | None, seed: str, bots: Callable[[], Bot[State]], orders: int) -> None:
    random_game(
        game,
        seed,
        scenario=scenario,
        bots={side: bots() for side in SIDES},
        orders=orders,
        every=orders // 5,
        sample=5,
        invariants=INVARIANTS,
        probe=Steps(),
    )


@pytest.mark.parametrize("seed", ["i1", "i2"])
def test_positions_of_random_games_are_sound(seed: str) -> None:
    sound(GAME, None, seed, Brawler, 150)


@pytest.mark.parametrize("scenario", [BLAU, CAUCASUS, URANUS, CAMPAIGN])
def test_positions_of_a_game_of_bots_are_sound(scenario: str) -> None:
    sound(game, scenario, "q1", partial(StalingradBot, QUICK), 400)


@pytest.mark.long
@pytest.mark.parametrize("number", range(200))
def test_positions_of_many_games_are_sound(number: int) -> None:
    """Half of them by units that look for a fight, half by bots, so that pockets and cities are fought for.

    The campaign from its first turn on, and with few units from turn 21 on, when reserve armies are hidden.
    """
    played = (game, BLAU), (game, CAUCASUS), (game, URANUS), (game, CAMPAIGN), (MASKED, CAMPAIGN)
    bots = partial(StalingradBot, QUICK) if number % 2 else Brawler
    seed = fresh()
    print(f"SEED={seed}")
    sound(*played[number % 5], f"many/{number}/{seed}", bots, 400)
