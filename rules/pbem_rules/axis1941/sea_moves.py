"""AA-5.13 to 5.23, 5.42 and 8.12, 8.13: ships; canals and straits; zones shared when the turn begins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pbem.game import Violation
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.landing import Shift, sworn, sworn_as, worse
from pbem_rules.axis1941.moving import begun, masked, titled
from pbem_rules.axis1941.routes import mask_of, places, reach
from pbem_rules.axis1941.sight import Sight
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import CARRIER, INFANTRY, LAND, NONE, SUBMARINE, TANK, TRANSPORT, Unit


def check(s: State, f: Turn, view: Sight, number: int, path: Sequence[int], *, combat: bool) -> Violation | None:
    """Is this a legal way for a ship that is ready to move?"""
    unit = s.units[number]
    wrong = _way(s, view, unit, path, combat=combat)
    if wrong is not None:
        return wrong
    if path[-1] == path[0] and not (combat and view.armed >> path[0] & 1):
        return Violation("AA-5.14" if combat else "AA-8.13", "It is already there")
    if not combat:
        zone = sworn(s, view, number) if unit.kind is CARRIER else NONE
        if zone not in (NONE, path[-1]):
            return Violation("AA-5.38", f"{_name(unit)} {sworn_as(s, number, zone)}")
        if unit.kind is CARRIER and worse(s, view, combat=False, shift=Shift(number, path[-1])):
            return Violation("AA-8.17", f"{_name(unit)} is needed where aircraft of yours have no other place to land")
        return None
    return _purpose(s, f, view, number, path)


def _way(s: State, view: Sight, unit: Unit, path: Sequence[int], *, combat: bool) -> Violation | None:
    name = s.chart.name
    for place in path[1:]:
        if not is_zone(place):
            return Violation("AA-2.25", f"Ships stay at sea: {name(place)} is land")
    for a, b in pairwise(path):
        if not view.ways.sea[a] >> b & 1:
            near = masked(s, view.sea[a])
            return Violation("AA-2.1", f"{name(b)} is not next to {name(a)}; ships go from there to {near}")
        if not view.sea[a] >> b & 1:
            return closed(s, a, b)
    left = s.chart.stats[unit.kind].move - unit.used
    if len(path) - 1 > left:
        return Violation("AA-5.13", f"{_name(unit)} has {left} of its spaces left")
    for place in path[1:-1]:
        if view.armed >> place & 1 and unit.kind is not SUBMARINE:
            rule = "AA-5.13" if combat else "AA-8.13"
            can = _can(s, view, unit, combat=combat)
            return Violation(rule, f"{name(place)} is hostile, so that the {titled(unit)} cannot pass it. {can}")
        if view.screened >> place & 1:
            rule = "AA-5.22" if combat else "AA-8.12"
            can = _can(s, view, unit, combat=combat)
            return Violation(rule, f"An enemy destroyer in {name(place)} stops submarines. {can}")
    goal = path[-1]
    if not combat and view.armed >> goal & 1 and unit.kind is not SUBMARINE:
        return Violation("AA-8.13", f"{name(goal)} is hostile. {_can(s, view, unit, combat=False)}")
    return None


def closed(s: State, a: int, b: int) -> Violation:
    """Why ships do not pass between two zones that touch."""
    name = s.chart.name
    pair = tuple(sorted((a, b)))
    if pair == tuple(sorted(s.chart.straits)):
        return Violation("AA-2.11", f"The straits between {name(a)} and {name(b)} are closed to ships")
    canal = next(canal for canal in s.chart.canals if pair == tuple(sorted(canal.zones)))
    locks = " and ".join(map(name, canal.locks))
    rule = "AA-2.13" if len(canal.locks) == 1 else "AA-2.14"
    return Violation(rule, f"The {canal.name} is open to those whose side held {locks} when the turn began")


def _name(unit: Unit) -> str:
    return f"The {titled(unit)}"


def able(s: State, place: int, *, without: int = NONE) -> bool:
    """Has the active power anything there that can attack at sea?"""
    for number in s.ground.at[place]:
        unit = s.units[number]
        if number != without and unit.power is s.active and unit.kind is not TRANSPORT and unit.kind not in LAND:
            return True
    return False


def excused(s: State, f: Turn, view: Sight, number: int) -> bool:
    """AA-5.14, AA-5.18: did the ship begin in a zone with a battle, so that it may leave without another reason?"""
    start = begun(f, s, number)
    return bool(view.armed >> start & 1) or start in s.attacked


def _purpose(s: State, f: Turn, view: Sight, number: int, path: Sequence[int]) -> Violation | None:
    """AA-5.3: a combat move leads to a battle or a landing, or away from a battle."""
    unit, start, goal = s.units[number], path[0], path[-1]
    transport = unit.kind is TRANSPORT
    if start in s.attacked and not able(s, start, without=number):
        return Violation("AA-5.18", f"A unit must stay for the attack in {s.where(start)}, or `ignore` the enemy there")
    if view.armed >> goal & 1 or goal in s.attacked or excused(s, f, view, number):
        return None
    if transport:
        if serves(s, view, number, goal, s.chart.stats[unit.kind].move - unit.used - (len(path) - 1)):
            return None
        return Violation(
            "AA-5.42",
            f"From {s.where(goal)} {titled(unit)} would help no landing: its other moves come in the non-combat move",
        )
    if view.foes >> goal & 1:
        return None  # AA-5.3: going there means attacking
    return Violation(
        "AA-5.3",
        f"There is nobody to fight in {s.where(goal)}: the {titled(unit)} goes there in the non-combat move. "
        f"{_can(s, view, unit, combat=True)}",
    )


def _can(s: State, view: Sight, unit: Unit, *, combat: bool) -> str:
    """Where a ship could go, as a sentence."""
    submarine = unit.kind is SUBMARINE
    through = ~view.screened if submarine else ~view.armed
    near = reach(view.sea, unit.place, s.chart.stats[unit.kind].move - unit.used, through)
    if combat:
        return f"It can attack {'in ' if near & view.foes else ''}{masked(s, near & view.foes)}"
    return f"It can go to {masked(s, near if submarine else near & ~view.armed)}"


def serves(s: State, view: Sight, number: int, zone: int, spaces: int) -> bool:
    """AA-5.26, AA-5.42: could the transport, in this zone that is not hostile, still land somebody with so many
    spaces left?"""
    coast, foreign = view.ways.coast, view.foreign
    near = reach(view.sea, zone, spaces, ~view.armed) | 1 << zone
    if not any(coast[each] & foreign for each in places(near)):
        return False
    cargo = s.ground.cargo.get(number, ())
    if any(s.units[each].power is s.active for each in cargo):
        return True
    troops = mask_of(idle_troops(s))
    if coast[zone] & troops:
        return True
    docks = view.sea[zone] & ~view.armed
    return spaces > 0 and any(coast[each] & troops and coast[each] & foreign for each in places(docks))


def idle_troops(s: State) -> list[int]:
    """Where the active power has land units that have done nothing yet (AA-5.25, AA-5.26); those aboard are at sea."""
    return [
        s.units[number].place
        for kind in (INFANTRY, TANK)
        for number in s.ground.of[s.active, kind]
        if not s.units[number].did
    ]
