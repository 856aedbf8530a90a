"""`home`: what has not landed lands as well as it can, so that a plan past the dice need not know who lives.

It gives no right that single moves would not give: each of them is judged like a player's.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem_rules.axis1941 import air_moves, sea_moves
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.landing import Case, case, left
from pbem_rules.axis1941.moving import ready
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sight import Sight, look
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import AIR, DECK, KINDS, LAND, NONE, SHIFTED, Kind

Flight = tuple[int, tuple[int, ...]]
"""A unit and its path."""


def flights(s: State, f: Turn) -> Iterator[Flight]:
    """One move after another, each legal as things stand when it is asked for; the caller carries it out."""
    need = case(s, look(s), combat=False)
    plan = need.plan()
    for berth in plan:
        if berth.ident < 0 or s.units[berth.ident].place == berth.zone or s.units[berth.ident].power is not s.active:
            continue
        path = _way(s, f, berth.ident, berth.zone)
        if path:
            yield berth.ident, path
    berths = {need.fighters[each]: berth.zone for berth in plan for each in berth.fighters}
    free = _room(s)
    for number, zone in berths.items():
        free[zone] = free.get(zone, 0) - (s.units[number].aboard == NONE)
    for number in (*berths, *_flying(s, need)):
        view, here = look(s), s.units[number].place
        wanted = [berths[number]] if number in berths else []
        for goal in (*wanted, *_havens(s, view, number)):
            if is_zone(goal) and goal not in wanted and free.get(goal, 0) < 1:
                continue
            if goal == here or air_moves.check(s, view, number, goal, combat=False) is None:
                if is_zone(goal) and goal not in wanted:
                    free[goal] -= 1
                if goal != here:
                    yield number, (here, goal)
                break


def _room(s: State) -> dict[int, int]:
    """Places on own decks by zone, where they are now."""
    free: dict[int, int] = {}
    for number in s.ground.of[s.active, Kind.CARRIER]:
        zone = s.units[number].place
        free[zone] = free.get(zone, 0) + DECK - len(s.cargo(number))
    return free


def _way(s: State, f: Turn, ship: int, zone: int) -> tuple[int, ...]:
    view, start = look(s), s.units[ship].place
    if not ready(s, ship, combat=False):
        return ()
    for path in ((start, zone), *((start, between, zone) for between in places(view.sea[start] & view.sea[zone]))):
        if view.sea[path[-2]] >> zone & 1 and sea_moves.check(s, f, view, ship, path, combat=False) is None:
            return path
    return ()


def _flying(s: State, need: Case) -> list[int]:
    """Those that stand neither on land where they may stay nor on a deck, farthest-flying last."""
    view = look(s)
    found = [
        number
        for kind in KINDS
        if kind in AIR
        for number in s.ground.of[s.active, kind]
        if number not in need.fighters
        and s.units[number].aboard == NONE
        and not s.units[number].did & SHIFTED
        and not view.landing >> s.units[number].place & 1
    ]
    return sorted(found, key=lambda each: (left(s, s.units[each]), each))


def _havens(s: State, view: Sight, number: int) -> list[int]:
    """The best first: beside land units, one's own land, near. A fighter over the sea rather goes back to a deck."""
    unit = s.units[number]
    air = s.chart.air[unit.place]

    def rank(place: int) -> tuple[int, ...]:
        if is_zone(place):
            return (0 if is_zone(unit.place) else 3, 0, air[place], place)
        guarded = any(s.units[each].kind in LAND for each in s.ground.at[place])
        return (1 if guarded else 2, int(s.control[place] is not s.active), air[place], place)

    zones = set()
    if unit.kind is Kind.FIGHTER:
        zones = {s.units[each].place for each in s.ground.of[s.active, Kind.CARRIER]}
    near = view.ways.air[unit.place][left(s, unit)]
    return sorted((place for place in places(near) if view.landing >> place & 1 or place in zones), key=rank)
