"""The sensible bot's purchases, and where it puts them."""

from __future__ import annotations

from collections.abc import Iterator

from pbem_rules.axis1941.bot_aim import Aim, aim_of, idle_men
from pbem_rules.axis1941.bot_mind import Mind, front
from pbem_rules.axis1941.bot_trial import Trial
from pbem_rules.axis1941.chart import FAR
from pbem_rules.axis1941.mobilise import complexes, room, waiting_units
from pbem_rules.axis1941.orders import Buy, Put
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import LAND, SEA, SIDE, Kind

FLEET = 14  # transports that a power beyond the sea wants at most


def buy(trial: Trial) -> None:
    """Infantry for who is threatened, ships for who is beyond the sea, else infantry and tanks as the money goes."""
    s = trial.state
    power = s.active
    mind = Mind(s, power)
    capital = s.chart.capital[power]
    danger = mind.danger(capital)
    aim = aim_of(s)
    if danger < 0.4 and front(s, SIDE[power])[capital] == FAR and aim is not None and _yards(s, aim):
        _overseas(trial, aim)
    wanted = (Kind.INFANTRY, Kind.INFANTRY, Kind.TANK) if danger < 0.2 else (Kind.INFANTRY,)
    count = 0
    while trial.give(Buy(wanted[count % len(wanted)])) or trial.give(Buy(Kind.INFANTRY)):
        count += 1


def _overseas(trial: Trial, aim: Aim) -> None:
    """As many transports as there are men to carry; aircraft and warships when there are enough of both."""
    s = trial.state
    fleet = sum(1 for n in s.ground.of[s.active, Kind.TRANSPORT] if aim.sea[s.units[n].place] < FAR)
    men = sum(1 for n in idle_men(s) if aim.walk[s.units[n].place] < FAR)
    guards = len(s.ground.of[s.active, Kind.DESTROYER]) + len(s.ground.of[s.active, Kind.BATTLESHIP])
    if _prowled(s):
        trial.give(Buy(Kind.DESTROYER))
    while _rooms(s) > 0:
        waiting = waiting_units(s)
        ships = fleet + waiting.get(Kind.TRANSPORT, 0)
        if ships >= FLEET and men > 2 * ships:
            navy = guards + waiting.get(Kind.DESTROYER, 0) < ships // 2
            if not trial.give(Buy(Kind.DESTROYER if navy else Kind.FIGHTER)):
                return
        elif 2 * ships > men + sum(waiting.get(kind, 0) for kind in LAND) or not trial.give(Buy(Kind.TRANSPORT)):
            return


def _rooms(s: State) -> int:
    return sum(room(s, place) for place in complexes(s, s.active)) - sum(waiting_units(s).values())


def _yards(s: State, aim: Aim) -> bool:
    """Has the power a complex from which ships can sail there?"""
    return any(aim.sea[zone] < FAR for place in complexes(s, s.active) for zone in s.chart.near_sea[place])


def _prowled(s: State) -> bool:
    """Are there enemy warships beside the capital?"""
    side = SIDE[s.active]
    return any(s.enemies(zone, side) for zone in s.chart.near_sea[s.chart.capital[s.active]])


def place(trial: Trial) -> None:
    """Where each is needed most, as long as there is room."""
    s = trial.state
    mind = Mind(s, s.active)
    far = front(s, SIDE[s.active])
    aim = aim_of(s)
    for kind, count in waiting_units(s).items():
        for _ in range(count):
            for order in sorted(_candidates(s, kind), key=lambda put: _rank(s, mind, far, aim, put)):
                if trial.give(order):
                    break


def _candidates(s: State, kind: Kind) -> Iterator[Put]:
    for by in complexes(s, s.active):
        if kind in SEA:
            for zone in s.chart.near_sea[by]:
                yield Put(kind, zone, by)
        else:
            yield Put(kind, by, by)


def _rank(s: State, mind: Mind, far: list[int], aim: Aim | None, put: Put) -> tuple[float, ...]:
    """Lower is better."""
    capital = put.by == s.chart.capital[s.active]
    if put.unit in SEA:
        way = aim.sea[put.at] if aim is not None else FAR
        own = sum(1 for _ in s.here(put.at, power=s.active))
        return (float(way), float(s.enemies(put.at, SIDE[s.active])), float(-own), float(put.at))
    danger = mind.danger(put.by)
    if danger > 0.15:
        return (0.0 if capital else 1.0, float(put.by))
    guarded = any(s.units[n].kind in LAND for n in s.ground.at[put.by])
    walk = aim.walk[put.by] if aim is not None else 0
    return (2.0 + (0 if guarded or not danger else -0.5), float(far[put.by]), float(walk), float(put.by))
