"""Tasks for the sensible bot's transports: to hostile shores in the combat move, to friendly ones later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbem.game import Order
from pbem_rules.axis1941.bot_trial import Trial
from pbem_rules.axis1941.moving import piece_for, ready
from pbem_rules.axis1941.orders import Land, Load, Move
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sight import Sight
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.transports import code_of, idle, room
from pbem_rules.axis1941.units import LOADED, NONE, UNLOADED, Kind

WANTED = (Kind.TANK, Kind.INFANTRY)  # what is taken aboard first


class Voyage(NamedTuple):
    """One transport: whom it takes, and puts ashore where."""

    ship: int
    goal: int
    cargo: tuple[int, ...]
    orders: tuple[Order, ...]


def voyages(trial: Trial, view: Sight, kept: set[int], *, combat: bool = True) -> list[Voyage]:
    """For each transport and shore the first way that takes the most."""
    s = trial.state
    found: dict[tuple[int, int], Voyage] = {}
    for ship in s.ground.of[s.active, Kind.TRANSPORT]:
        unit = s.units[ship]
        if unit.did & (UNLOADED | LOADED) or unit.target != NONE or not ready(s, ship, combat=combat):
            continue
        for first, second in _ways(s, view, ship):
            dock = first[-1] if first else unit.place
            end = second[-1] if second else dock
            cargo, loads = _cargo(s, view, ship, dock, kept, combat=combat)
            if not cargo:
                continue
            code = code_of(unit)
            moves = [Move(piece_for(unit), path) for path in (first, second) if path]
            shores = view.ways.coast[end] & (view.foreign if combat else view.land)
            for goal in places(shores):
                known = found.get((ship, goal))
                if known is not None and len(known.cargo) >= len(cargo):
                    continue
                if any(s.units[n].place == goal for n in cargo):
                    continue
                landing = [Land(s.units[n].kind, code, goal) for n in cargo]
                sailing: list[Order] = [*moves[: bool(first)], *loads, *moves[bool(first) :], *landing]
                found[ship, goal] = Voyage(ship, goal, cargo, tuple(sailing))
    return [found[key] for key in sorted(found)]


def _ways(s: State, view: Sight, ship: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Empty to where somebody is taken aboard, laden to where they land: at most two spaces together."""
    unit = s.units[ship]
    start, left = unit.place, s.chart.stats[unit.kind].move - unit.used
    free = ~view.armed
    if not free >> start & 1:
        return
    yield (), ()
    if left < 1:
        return
    for one in places(view.sea[start] & free):
        yield (), (start, one)
        if left < 2:
            yield (start, one), ()
            continue
        for two in places(view.sea[one] & free & ~(1 << start)):
            yield (), (start, one, two)
        yield (start, one), ()
        for two in places(view.sea[one] & free):
            yield (start, one), (one, two)
            if two != start:
                yield (start, one, two), ()


def _cargo(
    s: State, view: Sight, ship: int, dock: int, kept: set[int], *, combat: bool
) -> tuple[tuple[int, ...], list[Order]]:
    """Who is aboard, and who comes aboard there."""
    aboard = [n for n in s.cargo(ship) if s.units[n].power is s.active]
    cargo, loads = list(aboard), list[Order]()
    held = [s.units[n].kind for n in s.cargo(ship)]
    code = code_of(s.units[ship])
    for kind in WANTED:
        for place in places(view.ways.coast[dock]):
            for number in s.ground.of[s.active, kind]:
                if len(held) >= 2 or (kind is Kind.TANK and Kind.TANK in held):
                    break
                unit = s.units[number]
                if unit.place != place or number in kept or number in cargo or unit.aboard != NONE:
                    continue
                if idle(s, kind, place, combat=combat) == NONE or not room(s, ship, kind) or unit.did:
                    continue
                cargo.append(number)
                held.append(kind)
                loads.append(Load(kind, place, code))
    return tuple(cargo), loads
