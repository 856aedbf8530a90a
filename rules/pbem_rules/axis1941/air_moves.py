"""AA-5.29 to 5.39 and 8.5 to 8.10: aircraft. Only distances count; every flight leaves a landing possible."""

from __future__ import annotations

from pbem.game import Violation
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.landing import Shift, berth, case, hopes, left, unsaved
from pbem_rules.axis1941.moving import masked
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sea_moves import able
from pbem_rules.axis1941.sight import ZONES, Sight
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import BOMBER, CARRIER, FIGHTER, OF_SIDE


def fittest(s: State, ready: list[int], spaces: int) -> int:
    """Of aircraft in one place the one with the least left that suffices; the farthest-flying if none does.

    Of equal ones the one comes last that may stay where it is although others may not (AA-2.24): no other choice would
    leave more of them a landing place (AA-5.32).
    """

    def rank(number: int) -> tuple[bool, int, bool, int]:
        gap = left(s, s.units[number]) - spaces
        return gap < 0, abs(gap), bool(berth(s, s.units[number])), number

    return min(ready, key=rank) if len(ready) > 1 else ready[0]


def check(s: State, view: Sight, number: int, goal: int, *, combat: bool) -> Violation | None:
    """May this aircraft, ready to move, fly there?"""
    unit = s.units[number]
    start, kind, name = unit.place, unit.kind, s.chart.name
    if s.chart.neutral(goal):
        return Violation("AA-2.9", f"{name(goal)} is neutral: nobody flies there or across")
    spaces, most = s.chart.air[start][goal], left(s, unit)
    if spaces > most:
        far = f"{spaces} spaces from {name(start)}" if spaces < len(s.chart.air) else "out of reach of everything"
        rule = "AA-5.32" if unit.used else "AA-5.33"
        can = _in_range(s, view, number, combat=combat)
        return Violation(rule, f"{name(goal)} is {far} and the {kind} has {most} left. In its range: {can}")
    used = unit.used + spaces
    return _attack(s, view, number, goal, used) if combat else _land(s, view, number, goal, used)


def _attack(s: State, view: Sight, number: int, goal: int, used: int) -> Violation | None:
    unit = s.units[number]
    kind, name = unit.kind, s.chart.name
    if unit.place in s.attacked and not able(s, unit.place, without=number):
        return Violation("AA-5.18", f"A unit must stay for the attack in {name(unit.place)}, or `ignore` the enemy")
    if refuge(s, view, unit.place) >> goal & 1:
        return None
    if not view.foes >> goal & 1:
        rule = "AA-5.39" if view.foreign >> goal & 1 or is_zone(goal) else "AA-5.3"
        return Violation(
            rule,
            f"There is no enemy in {name(goal)}: aircraft attack units only. "
            f"In range: {_in_range(s, view, number, combat=True)}",
        )
    rest = s.chart.stats[kind].move - used
    near = view.ways.air[goal][rest]
    if not near & view.landing and (kind is BOMBER or not near & hopes(s, view)):
        can = _in_range(s, view, number, combat=True)
        return Violation(
            "AA-5.34",
            f"From {name(goal)} the {kind} could not land anywhere with the spaces that it would have left ({rest}). "
            f"It can attack and come back to land from {can}",
        )
    return None


def _in_range(s: State, view: Sight, number: int, *, combat: bool) -> str:
    """Where it can land; in the combat move targets from which it can reach a place to land."""
    unit = s.units[number]
    if not combat:
        return masked(s, view.ways.air[unit.place][left(s, unit)] & view.landing & ~(1 << unit.place))
    found, near = 0, view.ways.air
    for goal in places(prey(view, unit.place, left(s, unit))):
        rest = left(s, unit) - s.chart.air[unit.place][goal]
        if near[goal][rest] & view.landing or (unit.kind is FIGHTER and near[goal][rest] & hopes(s, view)):
            found |= 1 << goal
    return masked(s, found)


def prey(view: Sight, start: int, spaces: int) -> int:
    """Places with enemies in range (AA-5.30, AA-5.33, AA-5.39)."""
    return view.ways.air[start][spaces] & view.foes & ~(1 << start)


def refuge(s: State, view: Sight, start: int) -> int:
    """AA-5.18, AA-6.16: where fighters may go that are to stay out of the battle in the zone where they are."""
    if not (view.armed >> start & 1 or start in s.attacked):
        return 0
    mask = view.landing
    for power in OF_SIDE[view.side]:
        for carrier in s.ground.of[power, CARRIER]:
            mask |= 1 << s.units[carrier].place
    return mask & ~view.foes


def goals(s: State, view: Sight, number: int) -> int:
    """Where an aircraft might fly in the combat move (AA-5.1, AA-5.18, AA-5.39)."""
    unit = s.units[number]
    spaces = left(s, unit)
    shelter = refuge(s, view, unit.place) & view.ways.air[unit.place][spaces]
    return prey(view, unit.place, spaces) | shelter & ~(1 << unit.place)


def _land(s: State, view: Sight, number: int, goal: int, used: int) -> Violation | None:
    unit = s.units[number]
    kind, name = unit.kind, s.chart.name
    if view.landing >> goal & 1:
        return None
    if not is_zone(goal):
        if view.land >> goal & 1:
            why = "was taken in this turn"
            return Violation("AA-8.6", f"{name(goal)} {why}: aircraft land there from the next turn on")
        can = _in_range(s, view, number, combat=False)
        return Violation("AA-8.2", f"{name(goal)} is hostile. In range to land: {can}")
    if kind is BOMBER:
        return Violation("AA-8.7", f"Bombers land on land only; {name(goal)} is a sea zone")
    shift = Shift(number, goal, used)
    after = case(s, view, combat=False, shift=shift)
    if not any(deck.zones >> goal & 1 for deck in after.decks):
        return Violation("AA-8.7", f"There will be no room on any carrier in {name(goal)}")
    lost = after.unsaved()
    if lost and lost > unsaved(s, view, combat=False):
        return Violation(
            "AA-8.10", f"With the {kind} in {name(goal)}, an aircraft that can land now could no longer land"
        )
    return None


def havens(s: State, view: Sight, number: int) -> int:
    """Where an aircraft might land in range: territories, and for fighters all zones (AA-8.1, AA-8.5, AA-8.7)."""
    unit = s.units[number]
    near = view.ways.air[unit.place][left(s, unit)] & ~(1 << unit.place)
    return near & (view.landing | (ZONES if unit.kind is FIGHTER else 0))
