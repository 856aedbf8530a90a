"""The sensible bot's combat move: the best attack that it finds, as long as there is one that pays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.game import Order
from pbem_rules.axis1941 import air_moves, land_moves
from pbem_rules.axis1941.bot_mind import HOLD, Mind, force_of, outlook
from pbem_rules.axis1941.bot_sail import Voyage, voyages
from pbem_rules.axis1941.bot_trial import Trial
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.hits import INFANTRY, SIZE, TANK
from pbem_rules.axis1941.landing import Shift, worse
from pbem_rules.axis1941.moving import piece_for, ready, ways
from pbem_rules.axis1941.orders import Move
from pbem_rules.axis1941.routes import places, reach
from pbem_rules.axis1941.sight import Sight, look
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import AIR, LAND, NONE, OTHER, SEA, SIDE, Kind, Unit

SURE = 0.82  # the chance at which an attack has enough
LEAST = 0.62  # below it nothing is attacked
MOST = 12  # attacks in a turn
CHEAP = (Kind.INFANTRY, Kind.TANK, Kind.FIGHTER, Kind.BOMBER)


@dataclass(slots=True)
class Part:
    """Units that can take part in an attack, and the orders that send them."""

    units: tuple[Unit, ...]
    orders: tuple[Order, ...]
    numbers: tuple[int, ...]
    ship: int = NONE


@dataclass(slots=True)
class Attack:
    place: int
    parts: list[Part]
    score: float


class Attacks:
    """Of one power, on a trial that has begun its combat move."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.s: State = trial.state
        self.power = self.s.active
        self.mind = Mind(self.s, self.power)
        self.enemy = OTHER[SIDE[self.power]]
        self.tried: set[int] = set()
        self.kept = self._guards()

    def run(self) -> None:
        escape(self.trial)
        for _ in range(MOST):
            best = max(self._attacks(), key=lambda attack: (attack.score, -attack.place), default=None)
            if best is None:
                return
            self.tried.add(best.place)
            self._order(best)

    def _order(self, attack: Attack) -> None:
        """As many of its parts as are legal one after another; all are taken back if what is left is too weak."""
        kept = len(self.trial.orders)
        before = Trial(self.s, self.trial.frame, self.trial.step.name)
        given = [part for part in attack.parts if self.trial.all_or_none(*part.orders)]
        if len(given) == len(attack.parts) or not given:
            return
        if self._score(attack.place, given) is None:
            self.trial.state, self.trial.frame = before.state, before.frame
            del self.trial.orders[kept:]
            self.s = self.mind.s = self.trial.state

    # What could be attacked

    def _attacks(self) -> Iterator[Attack]:
        s, view = self.s, look(self.s)
        goals: dict[int, list[Part]] = {}
        self._by_land(view, goals)
        shipped = voyages(self.trial, view, self.kept)
        for voyage in shipped:
            if voyage.goal not in self.tried:
                goals.setdefault(voyage.goal, []).append(_part(s, voyage))
        self._by_sea(view, goals)
        for goal, parts in goals.items():
            if goal in self.tried:
                continue
            attack = self._planned(view, goal, parts)
            if attack is not None:
                yield attack

    def _by_land(self, view: Sight, goals: dict[int, list[Part]]) -> None:
        s = self.s
        for kind in (Kind.INFANTRY, Kind.TANK):
            for number in s.ground.of[self.power, kind]:
                unit = s.units[number]
                if number in self.kept or not ready(s, number, combat=True):
                    continue
                found: dict[int, tuple[int, ...]] = {}
                for path in ways(view.ways.land, unit.place, s.chart.stats[kind].move):
                    goal = path[-1]
                    if goal in found or goal in self.tried or not view.foreign >> goal & 1:
                        continue
                    if len(path) > 2 and view.foreign >> path[1] & 1 and goal in found:
                        continue
                    if land_moves.check(s, view, kind, path, combat=True) is None:
                        found[goal] = path
                for goal, path in found.items():
                    goals.setdefault(goal, []).append(Part((unit,), (Move(piece_for(unit), path),), (number,)))

    def _by_sea(self, view: Sight, goals: dict[int, list[Part]]) -> None:
        s = self.s
        for kind in (Kind.SUBMARINE, Kind.DESTROYER, Kind.BATTLESHIP):
            for number in s.ground.of[self.power, kind]:
                unit = s.units[number]
                if not ready(s, number, combat=True):
                    continue
                for goal in places(reach(view.sea, unit.place, 2, ~view.armed) & view.foes):
                    if goal in self.tried or goal == unit.place:
                        continue
                    for path in ways(view.sea, unit.place, 2):
                        if path[-1] == goal and (len(path) < 3 or not view.armed >> path[1] & 1):
                            goals.setdefault(goal, []).append(Part((unit,), (Move(piece_for(unit), path),), (number,)))
                            break
        for zone in places(view.foes):
            if is_zone(zone):
                goals.setdefault(zone, [])

    def _by_air(self, view: Sight, goal: int) -> list[Part]:
        s = self.s
        found = []
        for kind in (Kind.FIGHTER, Kind.BOMBER):
            for number in s.ground.of[self.power, kind]:
                unit = s.units[number]
                if number in self.kept or not ready(s, number, combat=True) or unit.place == goal:
                    continue
                shift = Shift(number, goal, unit.used + s.chart.air[unit.place][goal])
                if air_moves.check(s, view, number, goal, combat=True) is None and not worse(
                    s, view, combat=True, shift=shift
                ):
                    found.append(Part((unit,), (Move(piece_for(unit), (unit.place, goal)),), (number,)))
        return found

    # Whether it pays

    def _planned(self, view: Sight, goal: int, parts: list[Part]) -> Attack | None:
        s = self.s
        defended = bool(view.foes >> goal & 1)
        standing = [s.units[n] for n in s.ground.at[goal] if s.units[n].power is self.power and s.units[n].kind in SEA]
        if not is_zone(goal):
            parts = _one_of_each(parts)
            if not parts:
                return None
        parts.sort(key=lambda part: (sum(s.chart.stats[unit.kind].cost for unit in part.units), part.numbers))
        if not defended:
            chosen = parts[:1]
            score = self._score(goal, chosen)
            return None if score is None else Attack(goal, chosen, score)
        pool = [*parts, *self._by_air(view, goal)]
        chosen = []
        best: Attack | None = None
        force = list(standing)
        theirs = self.mind.defenders(goal, self.enemy)
        for part in pool:
            chosen.append(part)
            force += part.units
            if outlook(force_of(force), theirs, self.mind.guns, is_zone(goal)).win >= LEAST:
                score = self._score(goal, chosen)
                if score is not None and (best is None or score > best.score):
                    best = Attack(goal, list(chosen), score)
                if outlook(force_of(force), theirs, self.mind.guns, is_zone(goal)).win > 0.97:
                    break
        return best

    def _score(self, goal: int, parts: list[Part]) -> float | None:
        """In IPC; None: it does not pay."""
        s, sea = self.s, is_zone(goal)
        units = [unit for part in parts for unit in part.units]
        if sea:
            units += [
                s.units[n] for n in s.ground.at[goal] if s.units[n].power is self.power and s.units[n].kind in SEA
            ]
            units = [unit for unit in units if unit.kind is not Kind.TRANSPORT]
        if not units:
            return None
        ours, theirs = force_of(units), self.mind.defenders(goal, self.enemy)
        look_ = outlook(ours, theirs, self.mind.guns, sea)
        worth = 0.0 if sea else self.mind.worth(goal)
        if look_.win < LEAST:
            return None
        if not sea and not ours[INFANTRY] + ours[TANK]:
            return None
        score = look_.win * worth + look_.gain - look_.loss
        if look_.win < SURE:
            score -= 3
        score -= sum(2.0 for part in parts if part.ship != NONE)
        if not sea:
            score -= self._answer(goal, units, look_.loss)
        return score if score > 0 else None

    def _answer(self, goal: int, units: list[Unit], loss: float) -> float:
        """What the enemy's next turn may cost those who take the territory."""
        s = self.s
        land = [unit for unit in units if unit.kind in LAND]
        cost = sum(s.chart.stats[unit.kind].cost for unit in land)
        left = max(0.0, cost - loss)
        if not left:
            return 0.0
        count = round(len(land) * left / cost)
        fall = self.mind.danger(goal, force_of(land[len(land) - count :])) if count else 0.0
        return 0.6 * fall * left

    def _guards(self) -> set[int]:
        """Who has to stay so that a capital or a complex is not taken."""
        kept: set[int] = set()
        for place, held in self.s.control.items():
            printed = self.s.chart.territories[place]
            if held is not self.power or not (printed.capital or printed.complex):
                continue
            if not self.mind.danger(place, (0,) * SIZE):
                continue
            kept |= guard_of(self.mind, place)
        return kept


def escape(trial: Trial) -> None:
    """Transports do not stay alone among enemy warships (AA-5.14)."""
    s = trial.state
    for number in tuple(s.ground.of[s.active, Kind.TRANSPORT]):
        unit, view = s.units[number], look(s)
        if not view.armed >> unit.place & 1 or not ready(s, number, combat=True):
            continue
        for path in ways(view.sea, unit.place, s.chart.stats[unit.kind].move - unit.used):
            if not view.armed >> path[-1] & 1 and trial.give(Move(piece_for(unit), path)):
                break


def guard_of(mind: Mind, place: int) -> set[int]:
    """Own units that hold the place, the cheap ones first; all of them if they do not suffice."""
    s = mind.s
    own = [n for n in s.ground.at[place] if s.units[n].power is mind.power and s.units[n].kind in LAND | AIR]
    own.sort(key=lambda n: (CHEAP.index(s.units[n].kind), -n))  # the rules move those with the lowest numbers
    force = [
        s.units[n]
        for n in s.ground.at[place]
        if SIDE[s.units[n].power] is mind.side and s.units[n].power is not mind.power
    ]
    kept: set[int] = set()
    for number in own:
        if mind.danger(place, force_of(force)) <= HOLD:
            break
        force.append(s.units[number])
        kept.add(number)
    return kept


def _part(s: State, voyage: Voyage) -> Part:
    return Part(tuple(s.units[n] for n in voyage.cargo), voyage.orders, voyage.cargo, voyage.ship)


def _one_of_each(parts: list[Part]) -> list[Part]:
    """No unit and no transport twice."""
    seen: set[int] = set()
    found = []
    for part in parts:
        names = {*part.numbers, -2 - part.ship} if part.ship != NONE else set(part.numbers)
        if not names & seen:
            seen |= names
            found.append(part)
    return found
