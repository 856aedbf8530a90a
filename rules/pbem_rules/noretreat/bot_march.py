"""Goals of units: the part of the sensible bot that moves and places."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kit import FAR
from pbem_rules.noretreat.bot_fight import assaults
from pbem_rules.noretreat.bot_mind import Mind
from pbem_rules.noretreat.entries import entries, waiting
from pbem_rules.noretreat.frames import PlayerTurn
from pbem_rules.noretreat.movement import check_mover
from pbem_rules.noretreat.orders import Done, Load, Move, Place, Unload
from pbem_rules.noretreat.rail import check_load, unloadable
from pbem_rules.noretreat.stacking import fits
from pbem_rules.noretreat.state import RAIL
from pbem_rules.noretreat.targets import check_target, target_limit

ENOUGH = 4  # by how much another hex must be better
REAR = 7  # steps from the enemy from which the railway is thought of


def enemy_places(mind: Mind) -> tuple[int, ...]:
    return mind.board.in_mask(mind.s.ground.occupied[mind.foe])


def open_targets(mind: Mind) -> list[int]:
    """The enemy's places that could become targets after the march."""
    s, plan = mind.s, mind.s.plan
    bound = plan.border_only and s.turn == plan.first and mind.attacks
    border = mind.chart.border
    return [p for p in enemy_places(mind) if p not in s.blows and (not bound or border & mind.board.bit[p])]


def march(mind: Mind, turn: PlayerTurn) -> Move | Load | Done:
    """First whoever is needed for an attack, then everybody to the best hex in reach."""
    s = mind.s
    movers = [unit for unit in s.chart.own[mind.side] if check_mover(s, mind.side, unit, turn.moved) is None]
    if not movers:
        return Done()
    able = [u for u in movers if not s.is_tired(u) and not s.face(u).white and s.supplied(u)]
    plans = assaults(mind, open_targets(mind), able, (), target_limit(s, mind.side))
    busy = set()
    for plan in plans:
        for unit, cell in plan.posts:
            if s.at(unit) != cell and fits(s, unit, cell):
                return Move(unit, (cell,))
            busy.add(unit)
    rail = by_rail(mind, turn, movers)
    if rail is not None:
        return rail
    for unit in movers:
        if unit not in busy:
            goal = best_place(mind, unit, mind.reach(unit), ENOUGH)
            if goal is not None:
                return Move(unit, (goal,))
    return Done()


def best_place(mind: Mind, unit: int, places: Sequence[int], enough: int) -> int | None:
    """The best of the places if it is enough better than where the unit is."""
    s, start = mind.s, mind.s.at(unit)
    least = mind.place(unit, start) + enough if start in places else -1000
    best = None
    for cell in places:
        if cell != start and fits(s, unit, cell):
            score = mind.place(unit, cell)
            if score > least:
                best, least = cell, score
    return best


def by_rail(mind: Mind, turn: PlayerTurn, movers: Sequence[int]) -> Load | None:
    """The unit that is furthest from everything goes by rail."""
    s = mind.s
    far = [unit for unit in movers if not mind.danger(s.at(unit)) and check_load(s, turn, unit, free=True) is None]
    best: tuple[int, int] | None = None
    for unit in far:
        least = mind.memory.near[s.at(unit)]
        if REAR < least < FAR and (best is None or least > best[0]):
            best = (least, unit)
    return Load(best[1]) if best else None


def placing(mind: Mind) -> Place | None:
    """A unit that waits, to where it does most good."""
    s = mind.s
    for unit in waiting(s, mind.side):
        goal = best_place(mind, unit, entries(s, unit, s.at(unit)), 0)
        if goal is not None:
            return Place(unit, goal)
    return None


def unloading(mind: Mind, units: Sequence[int]) -> Unload | Done:
    s = mind.s
    for unit in units:
        if s.at(unit) == RAIL:
            goal = best_place(mind, unit, unloadable(s, unit), 0)
            if goal is not None:
                return Unload(unit, goal)
    return Done()


def declaring(mind: Mind, turn: PlayerTurn) -> int | None:
    """The next target, as things stand now."""
    s = mind.s
    targets = [p for p in enemy_places(mind) if p in s.targets or check_target(s, turn, p) is None]
    for plan in assaults(mind, targets, (), turn.fought, target_limit(s, mind.side)):
        if plan.target not in s.targets:
            return plan.target
    return None
