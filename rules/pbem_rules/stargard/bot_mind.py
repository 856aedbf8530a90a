"""The bots' view of a position: goals, dangers, where units can go, and how good it is to stand somewhere.

Everything is reckoned from a view of the state, in whole numbers. `Memory` keeps what hangs on the enemy alone, who
hardly moves while an activation lasts; `Mind` is one look at the position, with the moves that have been planned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from pbem.kit import FAR, Steps, goals, menace, reach, send
from pbem.kit import Memory as Kept
from pbem_rules.stargard.chart import FORTRESS, GERMAN, LAST_TURN, SOVIET
from pbem_rules.stargard.movement import allowance, by_rail, normal, strategic
from pbem_rules.stargard.orders import Drive, Exit, Move
from pbem_rules.stargard.state import State, other
from pbem_rules.stargard.supply import joined
from pbem_rules.stargard.victory import ARNSWALDE, GATES, SIEGE, STETTIN, may_leave

Key = tuple[object, ...]
FALL = 4  # by how much a goal draws less with each hex
MARCH = 6  # points of movement that a unit needs for some four hexes, with what the enemy's zones cost
REAR = 7  # hexes from the enemy from which a unit goes by road
NOBODY: tuple[int, ...] = ()


class Level(NamedTuple):
    """How much a bot looks at."""

    posts: int  # hexes to attack from, of each target
    joined: int  # of them in one attack
    fields: int  # hexes in which a unit could end, the best at a glance
    drives: bool


class Memory(Kept):
    """What was worked out for one activation and one stand of the enemy."""

    def __init__(self) -> None:
        super().__init__()
        self.reach: dict[Key, Mapping[int, int]] = {}
        self.plan: tuple[Move | Drive | Exit, ...] | None = None
        self.menace: Mapping[int, int] = {}
        self.enemies: tuple[tuple[int, int], ...] = ()
        self.near: Steps

    def forget(self) -> None:
        self.reach.clear()
        self.plan = None


class Mind:
    """What one side thinks of the position."""

    def __init__(self, s: State, side: str, memory: Memory, level: Level) -> None:
        self.s, self.side, self.memory, self.level = s, side, memory, level
        self.foe = other(side)
        self.chart, self.board = s.chart, s.chart.board
        self.last = s.turn == LAST_TURN
        stand = tuple((s.pieces[unit].place, s.pieces[unit].steps) for unit in s.chart.own[self.foe])
        if not memory.at((s.chart, s.turn, s.activations, s.thaw, side, stand)):
            self._look_at_the_enemy()
        self.hostile = s.zone(self.foe)
        self.planned: dict[int, int] = {}  # unit -> where it goes
        self._stacks: dict[int, tuple[int, ...]] = {}
        self._glance: dict[int, int] = {}
        self._claimed: set[int] = set()  # markers of the enemy that are taken by what has been planned
        self._open: dict[str, int] = {}
        self.held = s.ground.occupied[side]

    def _look_at_the_enemy(self) -> None:
        """Where their units are, how near, and the strength that they could bring beside each hex."""
        s, memory, armies = self.s, self.memory, []
        for unit in s.ground.standing(self.foe):
            if not s.is_hq(unit) and s.face(unit).attack:
                armies.append((s.at(unit), s.face(unit).attack, s.face(unit).move * 4 // MARCH + 1))
        memory.enemies = tuple((place, strength) for place, strength, _ in armies)
        memory.menace = menace(self.chart.distances, armies)
        memory.near = self.chart.distances.nearest(self.board.mask(place for place, _ in memory.enemies))

    @cached_property
    def rate(self) -> int:
        """What a point of one's own strength is worth, where one of the enemy's is worth ten: less if one has more."""
        own, foe = (
            sum(self.s.face(unit).attack for unit in self.s.ground.standing(side)) for side in (self.side, self.foe)
        )
        return max(4, min(10, 15 * foe // max(own, 1)))

    # What has been planned

    def at(self, unit: int) -> int:
        return self.planned.get(unit, self.s.at(unit))

    def stack(self, cell: int) -> tuple[int, ...]:
        """The own combat units of a hex after the moves planned."""
        found = self._stacks.get(cell)
        return self.s.combat_units(cell, self.side) if found is None else found

    def go(self, unit: int, *way: int) -> None:
        """Plan that the unit goes there, through the other hexes."""
        start, cell = self.at(unit), way[-1]
        self.planned[unit] = cell
        if self.s.is_hq(unit):
            return
        for place in way:
            self._claimed.add(place)
            self._glance.pop(place, None)
        self._stacks[start] = tuple(each for each in self.stack(start) if each != unit)
        self._stacks[cell] = (*self.stack(cell), unit)
        if not self._stacks[start]:
            self.held &= ~self.board.bit[start]
        self.held |= self.board.bit[cell]

    # Places

    def value(self, place: int) -> int:
        """What a marker is worth if it is taken soon."""
        prize = self.chart.prizes.get(place)
        return prize.worth(min(self.s.turn + 1, LAST_TURN)) if prize else 0

    def danger(self, place: int) -> int:
        """How near the enemy is: 0 far, 9 on it."""
        return max(0, 9 - self.memory.near[place])

    @cached_property
    def goals(self) -> tuple[tuple[int, int], ...]:
        """Places that draw units, with their pull: markers of the enemy, threatened ones of one's own, Stettin."""
        s, found = self.s, []
        stettin = self.chart.map.regions[STETTIN].places
        for place in self.chart.prizes:
            theirs = (place in s.prizes) == (self.side == GERMAN)
            if theirs:
                found.append(
                    (place, (16 + 12 * self.value(place)) if self.side == SOVIET else 6 + 8 * self.value(place))
                )
            elif self.danger(place):
                found.append((place, (0 if self.side == SOVIET else 12) + 6 * self.value(place) + self.danger(place)))
        if self.side == GERMAN:
            found += [(place, 40 + 2 * self.danger(place)) for place in stettin if self.danger(place) > 1]
            if s.turn <= SIEGE and not s.lifted and s.holders[ARNSWALDE] == GERMAN:
                found.append((ARNSWALDE, 50))
            elif may_leave(s):
                found += [(place, 60) for place in GATES]
        else:
            found += [(place, 85) for place in stettin]
            found += [(place, 50 + 3 * self.danger(place)) for place in self.gates]
        return tuple(found)

    @cached_property
    def gates(self) -> tuple[int, ...]:
        """SG-14.2.1: hexes through which the Germans could still leave the map."""
        soon = self.s.turn < SIEGE or may_leave(self.s)
        return GATES if soon else ()

    @cached_property
    def sent(self) -> dict[int, tuple[int, int]]:
        """The goal of each unit, and its pull."""
        s, side = self.s, self.side
        room = {}
        for goal, _ in self.goals:
            near = self.chart.distances.to(goal)
            against = sum(power for place, power in self.memory.enemies if near[place] <= 4)
            room[goal] = 8 + 2 * against if side == SOVIET else 6 + against // 2
        units = [
            (unit, self._base(unit), s.face(unit).attack if side == SOVIET else s.face(unit).defence)
            for unit in s.ground.standing(side)
            if not s.is_hq(unit) and not s.has(unit, FORTRESS)
        ]
        return send(self.chart.distances, units, self.goals, room, FALL)

    def _base(self, unit: int) -> int:
        """Where its way to a goal is counted from: an army that attacks goes together, so its headquarters."""
        hq = self.s.hq_of(self.s.formation(unit))
        return self.at(unit) if hq < 0 or self.side == GERMAN else self.s.at(hq)

    def open_to(self, unit: int) -> int:
        """Hexes in which the unit would be in supply, as far as one can say: joined to its source, or beside that."""
        formation = self.s.formation(unit)
        if formation not in self._open:
            mask = joined(self.s, formation)
            self._open[formation] = mask | self.chart.zones.of_mask(mask)
        return self._open[formation]

    # Units

    def reach(self, unit: int) -> Mapping[int, int]:
        """Where a unit could end by normal movement, with the cost."""
        s = self.s
        key = (unit, s.at(unit), s.pieces[unit].supply)
        found = self.memory.reach.get(key)
        if found is None:
            march, bit = normal(s, unit, allowance(s, unit)), self.board.bit
            trails = reach(march.links, bit, s.at(unit), march.terms)
            own = march.terms._replace(full=march.terms.full & ~s.ground.occupied[self.side])
            found = self.memory.reach[key] = goals(trails, bit, s.at(unit), own)
        return found

    def raid(self, unit: int) -> tuple[int, ...]:
        """Through an empty marker of the enemy, and on from there; empty: it pays less than to end in one."""
        s, bit, field = self.s, self.board.bit, self.reach(unit)
        through = [cell for cell in field if cell in self.chart.prizes and self._taken(cell)]
        ends = [cell for cell in through if self.has_room(unit, cell)]
        best: tuple[int, ...] = ()
        least = max(self.place(unit, cell) for cell in (self.at(unit), *ends))
        for cell in through:
            march = normal(s, unit, allowance(s, unit) - field[cell])
            trails = reach(march.links, bit, cell, march.terms)
            goal = self.best_place(unit, goals(trails, bit, cell, march.terms), -1000)
            if goal is not None and (worth := self.place(unit, goal) + self._taken(cell)) > least:
                best, least = (cell, goal), worth
        return best

    def lines(self, unit: int, *, rail: bool = False) -> Mapping[int, int]:
        """Where it could end by strategic movement, or an arrival by rail."""
        s = self.s
        march = by_rail(s, unit, arriving=True) if rail else strategic(s, unit)
        trails = reach(march.links, self.board.bit, s.at(unit), march.terms)
        return goals(trails, self.board.bit, s.at(unit), march.terms)

    def has_room(self, unit: int, cell: int) -> bool:
        return sum(each != unit for each in self.stack(cell)) < 2

    def glance(self, cell: int) -> int:
        """How good a hex is for anybody: ground, enemies around, a marker that would be taken."""
        found = self._glance.get(cell)
        if found is None:
            found = self._glance[cell] = self._ground(cell) + self._taken(cell) - self._surrounded(cell)
        return found

    def _ground(self, cell: int) -> int:
        kind = self.chart.settled.get(cell)
        shift = self.chart.ground[self.board[cell].terrain].shift
        return (2 - 2 * self.chart.settlements[kind].shift if kind else 0) - 3 * shift

    def _taken(self, cell: int) -> int:
        """A marker of the enemy that the unit can walk into."""
        if self.s.holders.get(cell) != self.foe or cell in self._claimed:
            return 0
        return 30 * self.value(cell) or 4

    def _surrounded(self, cell: int) -> int:
        around = self.chart.ranges.within(cell, 1)
        return 3 * max(0, (around & self.hostile).bit_count() - 4)

    def pulled(self, unit: int, cell: int) -> int:
        if unit not in self.sent:
            return 0
        goal, pull = self.sent[unit]
        away = self.chart.distances.to(goal)[cell]
        return 80 + pull - FALL * min(away, 60)

    def place(self, unit: int, cell: int) -> int:
        """How good it is for a unit to stand there, attacks apart."""
        friends = [each for each in self.stack(cell) if each != unit]
        score = self.glance(cell) + self.pulled(unit, cell) + self._line(unit, cell, friends)
        if cell in self.chart.prizes and not friends and self.s.holders[cell] == self.side:
            score += self._garrison(cell)
        if self.side == SOVIET and cell in self.gates and not friends:
            score += 150
        if not self.open_to(unit) & self.board.bit[cell]:
            score -= 20 if self.last else 60
        return score - self._risk(unit, cell, friends) - self._astray(unit, cell)

    def _garrison(self, cell: int) -> int:
        """What it is worth to be the only one in a marker's hex."""
        danger = self.danger(cell)
        if self.memory.menace.get(cell):
            return 12 + 12 * self.value(cell)
        return danger * (1 + self.value(cell)) if danger > 2 else 0

    def _line(self, unit: int, cell: int, friends: list[int]) -> int:
        """Friends beside it hold the line; two hexes apart is enough for zones to meet."""
        held, here = self.held, self.at(unit)
        if here in self.board.bit and len(self.stack(here)) <= 1:  # not of a box, out of which it enters
            held &= ~self.board.bit[here]
        beside, apart = self.chart.ranges.next_and_apart(cell, held)
        if not beside and not apart and not friends:
            return -8
        return min(beside, 1) * 3 + min(apart, 2) * 4

    def _risk(self, unit: int, cell: int, friends: list[int]) -> int:
        """What may be lost by standing there."""
        s, threat = self.s, self.memory.menace.get(cell, 0)
        if not threat or self.last:
            return 0
        defence = sum(s.face(each).defence for each in (unit, *friends))
        if self._ground(cell) > 2:
            defence += defence // 2
        return min(5, threat // max(defence, 1)) * (3 if self.side == GERMAN else 2)

    def _astray(self, unit: int, cell: int) -> int:
        """SG-3.3: out of its headquarters' range, which can follow."""
        s, formation = self.s, self.s.formation(unit)
        hq = s.hq_of(formation)
        if hq < 0 or s.chart.independent(unit):
            return 0
        grid = self.board.grid
        assert grid is not None
        beyond = grid.distance(self.at(hq), cell) - s.counter(hq).faces[0].value("range")
        return 3 * max(0, beyond + 1) + 20 * (beyond > 3)

    def best_place(self, unit: int, cells: Iterable[int], enough: int) -> int | None:
        """The best of the hexes, if it is enough better than where the unit is."""
        start = self.at(unit)
        least = self.place(unit, start) + enough if self.s.on_map(unit) else -1000
        best = None
        among = [cell for cell in cells if cell != start and self.has_room(unit, cell)]
        if len(among) > self.level.fields:
            among.sort(key=lambda cell: (-self.glance(cell) - self.pulled(unit, cell), cell))
            del among[self.level.fields :]
        for cell in among:
            score = self.place(unit, cell)
            if score > least:
                best, least = cell, score
        return best


__all__ = ["FAR", "Level", "Memory", "Mind"]
