"""The invasions that the sensible bot plans: an enemy capital, the sea ways to it, and where troops gather for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem_rules.axis1941.bot_mind import front
from pbem_rules.axis1941.chart import FAR, FIRST_ZONE, spread
from pbem_rules.axis1941.mobilise import complexes
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sight import Sight, look
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import POWERS, SIDE, Kind

NEAR = 2  # spaces at sea between a port and a shore that can be assaulted from it in one turn


@dataclass(frozen=True, slots=True)
class Aim:
    capital: int
    sea: Sequence[int]  # by zone: spaces to the shore of the capital
    hub: int  # the friendly territory where troops gather
    walk: Sequence[int]  # by territory: spaces to the hub over friendly land
    dock: int  # the zone beside the hub where transports wait

    @property
    def near(self) -> bool:
        """Can the assault start from the hub itself?"""
        return self.sea[self.dock] <= NEAR


def lanes(view: Sight, goals: Iterable[int]) -> list[int]:
    """How many spaces ships have from each zone to one of these, if nobody were in the way."""
    best = [FAR] * len(view.sea)
    ring = sorted(goals)
    for place in ring:
        best[place] = 0
    steps = 0
    while ring:
        steps += 1
        outer = []
        for place in ring:
            for near in places(view.sea[place]):
                if best[near] == FAR:
                    best[near] = steps
                    outer.append(near)
        ring = outer
    return best


def inland(s: State, goal: int) -> tuple[int, ...]:
    """How many spaces over friendly land there are to a territory."""
    side = SIDE[s.active]
    return spread(goal, lambda place: [near for near in s.chart.near_land[place] if s.friendly(near, side)])


def idle_men(s: State) -> list[int]:
    """Land units of the active power that have no enemy on their land."""
    far = front(s, SIDE[s.active])
    return [
        n
        for kind in (Kind.INFANTRY, Kind.TANK)
        for n in s.ground.of[s.active, kind]
        if s.units[n].place < FIRST_ZONE and far[s.units[n].place] == FAR
    ]


def aim_of(s: State) -> Aim | None:
    """None: the power has no complex, or no way by sea."""
    view, side = look(s), SIDE[s.active]
    yards = complexes(s, s.active)
    capitals = [s.chart.capital[power] for power in POWERS if SIDE[power] is not side]
    capitals = [place for place in capitals if s.hostile(place, side)]
    if not yards or not capitals:
        return None
    ways = {place: lanes(view, s.chart.near_sea[place]) for place in capitals if s.chart.near_sea[place]}
    walks = {place: inland(s, place) for place in yards}

    def ports(sea: Sequence[int]) -> list[tuple[int, int, int, int]]:
        """Sea way, walk from the nearest complex, port, zone."""
        return [
            (sea[zone], min(walk[port] for walk in walks.values()), port, zone)
            for port in s.control
            if s.friendly(port, side) and any(walk[port] < FAR for walk in walks.values())
            for zone in s.chart.near_sea[port]
            if sea[zone] < FAR
        ]

    found = [(*min(open_), capital) for capital, sea in ways.items() if (open_ := ports(sea))]
    if not found:
        return None
    *_, hub, dock, capital = min(found)
    return Aim(capital, ways[capital], hub, inland(s, hub), dock)
