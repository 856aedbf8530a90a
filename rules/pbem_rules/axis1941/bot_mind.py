"""The sensible bot's opinion of places and fights: quick estimates, not the exact odds that `odds` reckons.

Bots are not replayed, so that fractions may be floats here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt

from pbem_rules.axis1941.chart import FAR, FIRST_ZONE, is_zone, spread
from pbem_rules.axis1941.hits import BATTLESHIP, DAMAGED, INDEX, INFANTRY, SIZE, TANK, Counts, Guns
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import AIR, LAND, NONE, OF_SIDE, OTHER, SIDE, Kind, Power, Side, Unit

SHARP = 1.1  # how steeply the chance follows from the ratio of strengths; fitted to the exact odds
CAPITAL, COMPLEX = 70, 4  # what these are worth beside the income, in IPC
INCOME = 3  # turns for which the income of a territory is counted
HOLD = 0.15  # a capital that falls with at most this chance is held
REACH = {Kind.INFANTRY: 1, Kind.TANK: 2, Kind.FIGHTER: 3, Kind.BOMBER: 4}

# Whom a bot's estimate loses first.
LOSSES = {
    False: (INFANTRY, TANK, INDEX[Kind.FIGHTER], INDEX[Kind.BOMBER]),
    True: (BATTLESHIP, INDEX[Kind.SUBMARINE], INDEX[Kind.DESTROYER], INDEX[Kind.FIGHTER], INDEX[Kind.CARRIER],
           INDEX[Kind.BOMBER], DAMAGED, INDEX[Kind.TRANSPORT]),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Outlook:
    """Of a fight: the attacker's chance to win, and what each side may lose, in IPC."""

    win: float
    loss: float
    gain: float


def force_of(units: Iterable[Unit]) -> Counts:
    counts = [0] * SIZE
    for unit in units:
        counts[INDEX[unit.kind]] += 1
    return tuple(counts)


def chance(ours: Sequence[int], theirs: Sequence[int], guns: Guns) -> float:
    """That the attackers win."""
    if not any(theirs):
        return 1.0 if any(ours) else 0.0
    strength = sum(ours) + ours[BATTLESHIP] - ours[INDEX[Kind.TRANSPORT]]
    against = sum(theirs) + theirs[BATTLESHIP] - theirs[INDEX[Kind.TRANSPORT]]
    pips = sum(count * value for count, value in zip(ours, guns.attack, strict=True))
    fire = sum(count * value for count, value in zip(theirs, guns.defence, strict=True))
    if not pips or not strength:
        return 0.0
    if not fire or not against:
        return 1.0
    ratio = pips * strength / (fire * against)
    return float(1 / (1 + ratio ** (-SHARP * sqrt(strength + against))))


@cache
def outlook(ours: Counts, theirs: Counts, guns: Guns, sea: bool) -> Outlook:
    win = chance(ours, theirs, guns)
    a, d = [float(each) for each in ours], [float(each) for each in theirs]
    for _ in range(8):
        hits = sum(count * value for count, value in zip(a, guns.attack, strict=True)) / 6
        back = sum(count * value for count, value in zip(d, guns.defence, strict=True)) / 6
        _lose(d, hits, sea)
        _lose(a, back, sea)
        if sum(a) < 0.3 or sum(d) < 0.3:
            break

    def cost(before: Sequence[int], after: Sequence[float]) -> float:
        return sum((b - x) * price for b, x, price in zip(before, after, guns.cost, strict=True))

    return Outlook(win, cost(ours, a), cost(theirs, d))


def _lose(force: list[float], hits: float, sea: bool) -> None:
    for place in LOSSES[sea]:
        taken = min(hits, force[place])
        force[place] -= taken
        hits -= taken
        if place == BATTLESHIP:
            force[DAMAGED] += taken
        if hits <= 0:
            return


class Mind:
    """What one power thinks of a position, which may be a trial's that changes under it."""

    def __init__(self, s: State, power: Power) -> None:
        self.s, self.power, self.side = s, power, SIDE[power]
        self.guns = s.chart.guns

    # Places

    def worth(self, territory: int) -> float:
        """To take it or to keep it."""
        printed = self.s.chart.territories[territory]
        worth = INCOME * printed.value + 0.5
        if printed.complex:
            worth += COMPLEX
        if printed.capital:
            owner = printed.owner
            worth += CAPITAL + (self.s.ipc[owner] if owner is not None and self.s.control[territory] is owner else 0)
        return worth

    def defenders(self, place: int, side: Side) -> Counts:
        s = self.s
        sea = is_zone(place)
        return force_of(
            u for n in s.ground.at[place] if SIDE[(u := s.units[n]).power] is side and not (sea and u.kind in LAND)
        )

    # Threats

    def attack_on(self, territory: int) -> Counts:
        """The strongest force that one enemy power could bring to a territory in its next turn, roughly."""
        best: Counts = (0,) * SIZE
        for enemy in OF_SIDE[OTHER[self.side]]:
            force = self._force_on(enemy, territory)
            if force[INFANTRY] + force[TANK] and strength_of(force, self.guns) > strength_of(best, self.guns):
                best = force
        return best

    def _force_on(self, enemy: Power, territory: int) -> Counts:
        s, counts = self.s, [0] * SIZE
        land = walks(s.chart.near_land, territory)
        docks: list[int] = []
        for kind, reach in REACH.items():
            for number in s.ground.of[enemy, kind]:
                unit = s.units[number]
                far = (
                    land[unit.place] if kind in LAND and unit.place < FIRST_ZONE else s.chart.air[unit.place][territory]
                )
                if kind in AIR:
                    counts[INDEX[kind]] += far <= reach
                elif far <= reach and unit.place < FIRST_ZONE:
                    counts[INDEX[kind]] += 1
                elif unit.place < FIRST_ZONE or unit.aboard != NONE:
                    docks.append(unit.place)
        shores = s.chart.near_sea[territory]
        if shores:
            ships = sum(
                1
                for number in s.ground.of[enemy, Kind.TRANSPORT]
                if min(s.chart.air[s.units[number].place][zone] for zone in shores) <= 2
            )
            near = sum(
                1
                for place in docks
                if s.chart.air[place][territory] <= 4 and (is_zone(place) or s.chart.near_sea[place])
            )
            counts[INFANTRY] += min(2 * ships, near)
        return tuple(counts)

    def danger(self, territory: int, defenders: Counts | None = None) -> float:
        """The chance that the enemy takes it in their next turn, with these defenders (none given: those there)."""
        attackers = self.attack_on(territory)
        if not attackers[INFANTRY] + attackers[TANK]:
            return 0.0
        return chance(attackers, self.defenders(territory, self.side) if defenders is None else defenders, self.guns)


def strength_of(force: Sequence[int], guns: Guns) -> int:
    return sum(force) * sum(count * value for count, value in zip(force, guns.attack, strict=True))


@cache
def walks(near: tuple[tuple[int, ...], ...], start: int) -> tuple[int, ...]:
    """How far each place is by these ways."""
    return spread(start, lambda place: list(near[place]))


def front(s: State, side: Side) -> list[int]:
    """How many friendly territories lie between each friendly one and the next hostile one by land; FAR: no way."""
    far = [FAR] * FIRST_ZONE
    ring = [place for place in s.control if s.hostile(place, side)]
    steps = 0
    seen = set(ring)
    while ring:
        outer = []
        for place in ring:
            for near in s.chart.near_land[place]:
                if near not in seen and s.friendly(near, side):
                    seen.add(near)
                    far[near] = steps
                    outer.append(near)
        ring = outer
        steps += 1
    return far
