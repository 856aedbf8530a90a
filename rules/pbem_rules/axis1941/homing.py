"""`home` (AA-8.5, AA-8.16): what has not landed lands as well as it can, so that a plan past the dice need not know
who lives.

It gives no right that single moves would not give: each of them is judged like a player's.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem_rules.axis1941 import air_moves, sea_moves
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.landing import Case, case, left
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sight import ZONES, Sight, look
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import BOMBER, CARRIER, DECK, FIGHTER, LAND, NONE, OTHER, SIDE, Side

Flight = tuple[int, tuple[int, ...]]
"""A unit and its path."""


def flights(s: State, f: Turn) -> Iterator[Flight]:
    """One move after another, each legal as things stand when it is asked for; the caller carries it out."""
    need = case(s, look(s), combat=False)
    plan = need.plan()
    for berth in plan:
        if berth.ident < 0:
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
            if is_zone(goal) and goal not in wanted and free[goal] < 1:
                continue
            if air_moves.check(s, view, number, goal, combat=False) is None:
                if is_zone(goal) and goal not in wanted:
                    free[goal] -= 1
                if goal != here:
                    yield number, (here, goal)
                break


def _room(s: State) -> dict[int, int]:
    """Places on own decks by zone, where they are now."""
    free: dict[int, int] = {}
    for number in s.ground.of[s.active, CARRIER]:
        zone = s.units[number].place
        free[zone] = free.get(zone, 0) + DECK - len(s.cargo(number))
    return free


def _way(s: State, f: Turn, ship: int, zone: int) -> tuple[int, ...]:
    view, start = look(s), s.units[ship].place
    for path in ((start, zone), *((start, between, zone) for between in places(view.sea[start] & view.sea[zone]))):
        if sea_moves.check(s, f, view, ship, path, combat=False) is None:
            return path
    return ()


def _flying(s: State, need: Case) -> list[int]:
    """Those that stand neither on land where they may stay nor on a deck, farthest-flying last."""
    view = look(s)
    rows, landing = s.units, view.landing
    found = [
        number
        for kind in (FIGHTER, BOMBER)
        for number in s.ground.of[s.active, kind]
        if not landing >> (unit := rows[number]).place & 1 and unit.aboard == NONE and number not in need.fighters
    ]
    return sorted(found, key=lambda each: (left(s, s.units[each]), each))


def _havens(s: State, view: Sight, number: int) -> list[int]:
    """The best first: a deck for a fighter over the sea; else safe land of its own power, a deck, safe land of an
    ally, and last where the enemy is least superior; of equal ones the nearest.
    """
    rows, unit = s.units, s.units[number]
    start, over_sea = unit.place, is_zone(unit.place)
    near, goals = s.chart.air[start], view.landing
    if unit.kind is FIGHTER:
        for each in s.ground.of[s.active, CARRIER]:
            goals |= 1 << rows[each].place
    goals &= view.ways.air[start][left(s, unit)]
    ranked = [(0 if over_sea else 2, 0, near[place], place) for place in places(goals & ZONES)]
    for place in places(goals & ~ZONES):
        lacks = missing_guards(s, place)
        rank = 4 if lacks else 1 if s.control[place] is s.active else 3
        ranked.append((rank, lacks, near[place], place))
    ranked.sort()
    return [place for *_, place in ranked]


def missing_guards(s: State, place: int) -> int:
    """How many land units its side lacks for a territory to be safe for aircraft: it needs as many as the enemy has
    next to it, and one by the sea."""
    return max(0, max(enemies_beside(s, place), 1 if s.chart.near_sea[place] else 0) - guards(s, place))


def enemies_beside(s: State, place: int) -> int:
    """The land units of the enemy that stand next to a territory."""
    return sum([_troops(s, each, OTHER[SIDE[s.active]]) for each in s.chart.near_land[place]])


def guards(s: State, place: int) -> int:
    return _troops(s, place, SIDE[s.active])


def _troops(s: State, place: int, side: Side) -> int:
    rows = s.units
    return sum([1 for each in s.ground.at[place] if rows[each].kind in LAND and SIDE[rows[each].power] is side])
