"""The sensible bot's non-combat move: land units go to the front, transports bring those who cannot walk there."""

from __future__ import annotations

from pbem_rules.axis1941.bot_aim import NEAR, aim_of, idle_men, lanes
from pbem_rules.axis1941.bot_attack import guard_of
from pbem_rules.axis1941.bot_mind import Mind, front
from pbem_rules.axis1941.bot_sail import voyages
from pbem_rules.axis1941.bot_trial import Trial
from pbem_rules.axis1941.chart import FAR, FIRST_ZONE, is_zone, spread
from pbem_rules.axis1941.hits import SIZE
from pbem_rules.axis1941.moving import piece_for, ready, ways
from pbem_rules.axis1941.orders import Home, Move
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sight import look
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import FOUGHT, LAND, MOVED, NONE, SIDE, Kind

STRANDED = 50  # what it is worse to have no way to where the invasion gathers


class Quiet:
    """Of one power, on a trial. `still`: places whose units stay, since a battle is still to come there."""

    def __init__(self, trial: Trial, still: set[int]) -> None:
        self.trial = trial
        self.s: State = trial.state
        self.power = self.s.active
        self.side = SIDE[self.power]
        self.mind = Mind(self.s, self.power)
        self.still = still
        self.front = front(self.s, self.side)
        self.aim = aim_of(self.s)
        self.port = self._ports()

    def run(self, *, late: bool) -> None:
        """`late`: the dice have been rolled, so that aircraft know where they are wanted."""
        self.kept = self._guards()
        self._ship()
        self._march()
        self._sail()
        if late:
            self._fly()
        self.trial.give(Home())

    def _guards(self) -> set[int]:
        kept: set[int] = set()
        for place, held in self.s.control.items():
            printed = self.s.chart.territories[place]
            if held is self.power and (printed.capital or printed.complex) and self.mind.danger(place, (0,) * SIZE):
                kept |= guard_of(self.mind, place)
        return kept

    # On land

    def _ports(self) -> list[int]:
        """How far each friendly territory is from one where own transports come: for those who have no front."""
        s = self.s
        zones = {s.units[n].place for n in s.ground.of[self.power, Kind.TRANSPORT]}
        goals = {
            place
            for zone in zones
            for place in s.chart.near[zone]
            if place < FIRST_ZONE and s.friendly(place, self.side)
        }
        if self.front[s.chart.capital[self.power]] == FAR:
            goals.add(s.chart.capital[self.power])
        best = [FAR] * FIRST_ZONE
        for goal in goals:
            far = spread(goal, lambda place: [n for n in s.chart.near_land[place] if s.friendly(n, self.side)])
            best = [min(a, b) for a, b in zip(best, far, strict=False)]
        return best

    def _pull(self, place: int) -> float:
        """Lower is better: nearer to the front, where most is at stake; else nearer to the ships."""
        far = self.front[place]
        if far == FAR:
            if self.aim is None:
                return 100 + self.port[place]
            return 100 + (self.aim.walk[place] if self.aim.walk[place] < FAR else STRANDED + self.port[place])
        pull = 2.0 * far
        printed = self.s.chart.territories[place]
        if printed.capital and self.mind.danger(place) > 0.1:
            pull -= 4
        if far == 0:
            pull -= 0.1 * self.mind.worth(place)
        return pull

    def _march(self) -> None:
        s, view = self.s, look(self.s)
        for kind in (Kind.TANK, Kind.INFANTRY):
            for number in tuple(s.ground.of[self.power, kind]):
                unit = s.units[number]
                if number in self.kept or unit.place in self.still or not ready(s, number, combat=False):
                    continue
                here = self._pull(unit.place)
                goals: dict[int, tuple[int, ...]] = {}
                for path in ways(view.ways.land, unit.place, s.chart.stats[kind].move):
                    if all(view.land >> place & 1 for place in path[1:]) and path[-1] != path[0]:
                        goals.setdefault(path[-1], path)
                best = min(goals, key=lambda place: (self._risk(place), place), default=NONE)
                if best != NONE and self._risk(best) < here - 0.5:
                    self.trial.give(Move(piece_for(unit), goals[best]))

    def _risk(self, place: int) -> float:
        """The pull of a place, less where who comes there alone would be lost."""
        pull = self._pull(place)
        if self.front[place] == 0 and not any(self.s.units[n].kind in LAND for n in self.s.ground.at[place]):
            pull += 1.5 * self.mind.danger(place)
        return pull

    # At sea

    def _ship(self) -> None:
        """Those who have no front of their own go where there is one."""
        s = self.s
        used: set[int] = set()
        found = voyages(self.trial, look(s), self.kept, combat=False)
        found.sort(key=lambda v: (self._risk(v.goal), -len(v.cargo), v.ship, v.goal))
        for voyage in found:
            if voyage.ship in used or s.units[voyage.ship].place in self.still:
                continue
            if any(s.units[n].place in self.still or n in self.kept for n in voyage.cargo):
                continue
            worst = max(self._pull(s.units[n].place) if not is_zone(s.units[n].place) else 200 for n in voyage.cargo)
            if self._risk(voyage.goal) < worst - 6 and self.trial.all_or_none(*voyage.orders):
                used.add(voyage.ship)
        if self.aim is not None and not self.aim.near and self.front[s.chart.capital[self.power]] == FAR:
            self._load(used)

    def _load(self, used: set[int]) -> None:
        """Who cannot be put ashore in this turn is taken towards the enemy."""
        s, view = self.s, look(self.s)
        for voyage in voyages(self.trial, view, self.kept, combat=False):
            ship = s.units[voyage.ship]
            if voyage.ship in used or ship.place in self.still or s.cargo(voyage.ship):
                continue
            if any(
                s.units[n].place in self.still or self.front[s.units[n].place] != FAR
                for n in voyage.cargo
                if not is_zone(s.units[n].place)
            ):
                continue
            sailing = [order for order in voyage.orders if order.kind in ("move", "load")]
            if self.trial.all_or_none(*sailing):
                used.add(voyage.ship)

    def _sail(self) -> None:
        """Laden transports towards hostile shores, empty ones home, warships beside the transports."""
        s = self.s
        shores = self._shores()
        home = self._docks()
        for kind in (Kind.TRANSPORT, Kind.DESTROYER, Kind.BATTLESHIP, Kind.SUBMARINE):
            for number in tuple(s.ground.of[self.power, kind]):
                unit, view = s.units[number], look(s)
                if unit.place in self.still or unit.did & (MOVED | FOUGHT) or not ready(s, number, combat=False):
                    continue
                carries = kind is Kind.TRANSPORT
                goal = shores if carries and s.cargo(number) else home if carries else self._company()
                best = goal[unit.place]
                way: tuple[int, ...] = ()
                left = s.chart.stats[kind].move - unit.used
                for path in ways(view.sea, unit.place, left):
                    if path[-1] != path[0] and not view.armed >> path[-1] & 1 and goal[path[-1]] < best:
                        order = Move(piece_for(unit), path)
                        if self.trial.allows(order):
                            best, way = goal[path[-1]], path
                if way:
                    self.trial.give(Move(piece_for(unit), way))

    def _shores(self) -> list[int]:
        """Where laden transports gather: before the capital that is aimed at, and beside fronts of their own side."""
        s, view = self.s, look(self.s)
        open_ = ~view.armed
        goals = {
            zone
            for place in s.control
            if s.friendly(place, self.side) and self.front[place] <= 1
            for zone in s.chart.near_sea[place]
        }
        if self.aim is not None:
            reach = lanes(view, [self.aim.dock])
            ahead = [
                zone for zone in range(FIRST_ZONE, len(view.sea)) if self.aim.sea[zone] <= NEAR and open_ >> zone & 1
            ]
            if ahead:
                goals = {min(ahead, key=lambda zone: (reach[zone], self.aim.sea[zone] if self.aim else 0, zone))}
        return lanes(view, goals)

    def _docks(self) -> list[int]:
        """Where empty transports go: to the port of the invasion, and wherever men wait who cannot walk there."""
        s, view = self.s, look(self.s)
        waiting = {s.units[n].place for n in idle_men(s)}
        capital = s.chart.capital[self.power]
        if self.aim is None:
            waiting |= {capital} if self.front[capital] == FAR else set()
            return lanes(view, {zone for place in waiting for zone in s.chart.near_sea[place]})
        stranded = {place for place in waiting if self.aim.walk[place] == FAR}
        return lanes(view, {self.aim.dock} | {zone for place in stranded for zone in s.chart.near_sea[place]})

    def _company(self) -> list[int]:
        s = self.s
        zones = {s.units[n].place for n in s.ground.of[self.power, Kind.TRANSPORT] if s.cargo(n)}
        zones = zones or {s.units[n].place for n in s.ground.of[self.power, Kind.TRANSPORT]}
        return lanes(look(s), zones)

    # In the air

    def _fly(self) -> None:
        """Aircraft that have not fought go where they are nearer to the enemy, among land units."""
        s, view = self.s, look(self.s)
        for kind in (Kind.FIGHTER, Kind.BOMBER):
            for number in tuple(s.ground.of[self.power, kind]):
                unit = s.units[number]
                if number in self.kept or unit.aboard != NONE or unit.did or is_zone(unit.place):
                    continue
                if not ready(s, number, combat=False) or self.front[unit.place] <= 1:
                    continue
                near = view.ways.air[unit.place][s.chart.stats[kind].move] & view.landing
                best = min(places(near), key=lambda place: self._base(place, unit.place), default=NONE)
                if best != NONE and self._base(best, unit.place) < self._base(unit.place, unit.place):
                    self.trial.give(Move(piece_for(unit), (unit.place, best)))

    def _base(self, place: int, start: int) -> tuple[int, int, int]:
        """Lower is better: guarded places at the front, else near the capital that is aimed at."""
        s = self.s
        guards = sum(s.units[n].kind in LAND for n in s.ground.at[place])
        if self.front[place] <= 1 and guards >= 2 and self.mind.danger(place) < 0.3:
            return (0, s.chart.air[start][place], place)
        if self.aim is None or (self.front[place] < FAR and not guards):
            return (2, s.chart.air[start][place], place)
        return (1, s.chart.air[place][self.aim.capital], place)
