"""The board as the active side's movement sees it, in masks of places (AA-2.3 to 2.19)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pbem_rules.axis1941.chart import FIRST_ZONE, PLACES, Chart, is_zone
from pbem_rules.axis1941.routes import mask_of, within
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import OTHER, SIDE, Power, Side

ZONES = (1 << PLACES) - (1 << FIRST_ZONE)
RANGE = 6  # the most spaces that anything flies


class Ways:
    """The chart's neighbourhoods as masks; `seas`: those of the zones by what is closed."""

    __slots__ = ("air", "chart", "coast", "complexes", "gates", "land", "sea", "seas")

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        open_places = [place for place in range(PLACES) if not chart.neutral(place)]
        playable = mask_of(open_places)
        self.land = tuple(mask_of(row) if place < FIRST_ZONE else 0 for place, row in enumerate(chart.near_land))
        self.sea = tuple(mask_of(row) if is_zone(place) else 0 for place, row in enumerate(chart.near_sea))
        near = [mask_of(row) & playable for row in chart.near]
        self.coast = tuple(near[p] & (ZONES if p < FIRST_ZONE else ~ZONES) for p in range(PLACES))
        self.air = within(near, RANGE)
        self.complexes = mask_of(chart.complexes)
        self.gates = (chart.straits, *(canal.zones for canal in chart.canals))
        self.seas: dict[tuple[tuple[int, int], ...], tuple[int, ...]] = {}


ways_of = lru_cache(maxsize=16)(Ways)  # of the last few charts, since data of the players' own come with any offer


@dataclass(frozen=True, slots=True)
class Sight:
    power: Power
    ways: Ways
    side: Side
    land: int  # friendly territories
    foreign: int  # hostile territories
    landing: int  # where aircraft may land: friendly now and at the start of the turn (AA-8.6)
    armed: int  # hostile zones (AA-2.5)
    screened: int  # zones with enemy destroyers
    foes: int  # places with any enemy unit
    sea: tuple[int, ...]  # neighbouring zones that ships can go to, canals and straits considered


def look(s: State) -> Sight:
    """As the active power's side sees it now (AA-2.3 to 2.8, AA-8.6)."""
    kept: Sight | None = s.ground.view
    if kept is not None and kept.power is s.active:
        return kept
    ways, side = ways_of(s.chart), SIDE[s.active]
    enemy = OTHER[side]
    land = s.realm(side)
    foes, armed, screened = s.ground.masks[enemy]
    seen = Sight(
        power=s.active,
        ways=ways,
        side=side,
        land=land,
        foreign=s.realm(enemy),
        landing=land & s.realm_at_start(side) if len(s.was) else land,
        armed=armed,
        screened=screened,
        foes=foes,
        sea=_sea(s, ways, side),
    )
    s.ground.view = seen
    return seen


def _sea(s: State, ways: Ways, side: Side) -> tuple[int, ...]:
    """Where ships go (AA-2.11 to 2.16, AA-2.18). Canals depend on the start of the turn only: the answer holds."""
    turn = (s.round, s.active)
    kept = s.ground.sea
    if kept is not None and kept[0] == turn:
        return kept[1]
    closed = tuple([pair for pair in ways.gates if not s.open_gate(*pair, side)])
    links = ways.seas.get(closed)
    if links is None:
        rows = list(ways.sea)
        for a, b in closed:
            rows[a] &= ~(1 << b)
            rows[b] &= ~(1 << a)
        links = ways.seas[closed] = tuple(rows)
    s.ground.sea = (turn, links)
    return links
