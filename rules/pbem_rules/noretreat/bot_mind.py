"""The sensible bot's view of a position: distances, goals, dangers, and how good it is to stand somewhere.

Everything is reckoned from a view of the state. What takes long depends on where the enemy's units stand, which
seldom changes in one's own turn: `Memory` keeps it until it does, so no choice depends on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pbem.kit import FAR, Steps, held_by, menace, pulls, send
from pbem.kit import Memory as Kept
from pbem_rules.noretreat.chart import AXIS, SOVIET, other
from pbem_rules.noretreat.movement import allowance, trails
from pbem_rules.noretreat.odds import helper
from pbem_rules.noretreat.state import FIRST_BOX, OUT, State
from pbem_rules.noretreat.supply import supplied_area
from pbem_rules.noretreat.weather import CAPS

Key = tuple[object, ...]


class Memory(Kept):
    """What was worked out for one stand of the enemy: where units can go, what battles are worth."""

    def __init__(self) -> None:
        super().__init__()
        self.reach: dict[Key, tuple[int, ...]] = {}
        self.worth: dict[Key, int] = {}
        self.menace: Mapping[int, int] = {}
        self.enemies: tuple[tuple[int, int], ...] = ()
        self.near: Steps

    def forget(self) -> None:
        self.reach.clear()
        self.worth.clear()


def stand_of(s: State, side: str) -> Key:
    """What the memory of the other side hangs on."""
    stand = tuple((s.pieces[u].place, s.pieces[u].strong, u in s.cut, u in s.tired) for u in s.chart.own[side])
    return s.chart, s.turn, s.active, side, s.weather, s.long_winter, s.scorched, s.works, s.effects, stand


class Mind:
    """What one side thinks of the position; thrown away after each choice."""

    def __init__(self, s: State, side: str, memory: Memory) -> None:
        self.s, self.side, self.memory = s, side, memory
        self.foe = other(side)
        self.chart, self.board = s.chart, s.chart.board
        self.attacks = side == AXIS  # who must get on
        if not memory.at(stand_of(s, self.foe)):
            self._look_at_the_enemy()
        self.zone = s.zone(self.foe)
        own, foe = self.might(side), self.might(self.foe)
        self.bold = own * 10 >= foe * (9 if side == s.initiative else 12)

    def might(self, side: str) -> int:
        s = self.s
        return sum(s.face(u).strength for u in s.chart.own[side] if OUT < s.at(u) < FIRST_BOX and not s.face(u).white)

    # Places

    @cached_property
    def goals(self) -> tuple[tuple[int, int], ...]:
        """The enemy's places that count, with what they are worth."""
        s = self.s
        theirs = held_by(s.holders, self.foe, s.chart.points)
        return tuple((p, self.value(p)) for p in theirs if p != s.chart.finland)

    @cached_property
    def own_places(self) -> tuple[tuple[int, int], ...]:
        return tuple((p, self.value(p)) for p in held_by(self.s.holders, self.side, self.s.chart.points))

    def value(self, place: int) -> int:
        """What a place is worth to whoever holds it, 1 to 4."""
        s, point = self.s, self.s.chart.points[place]
        if place == s.chart.named["Berlin"]:
            return 4
        if point.objective:
            return 3 if point.objective == s.initiative else 2
        return 0 if s.turn >= 23 and not point.reich else 1

    @cached_property
    def pull(self) -> dict[int, int]:
        """How the enemy's places draw anybody to each hex."""
        return pulls(self.chart.distances, ((goal, 60 + 5 * value) for goal, value in self.goals), 4)

    @cached_property
    def sent(self) -> dict[int, tuple[int, int]]:
        """The goal of each unit with its pull."""
        s = self.s
        room = {}
        for goal, _ in self.goals:
            near = self.chart.distances.to(goal)
            room[goal] = 10 + 2 * sum(power for place, power in self.memory.enemies if near[place] <= 3)
        units = [
            (unit, s.at(unit), s.face(unit).strength)
            for unit in s.chart.own[self.side]
            if OUT < s.at(unit) < FIRST_BOX and s.face(unit).move
        ]
        return send(self.chart.distances, units, [(goal, 5 * value) for goal, value in self.goals], room, 4)

    def _pulled(self, unit: int, cell: int) -> int:
        """How a unit is drawn to a hex by its own goal."""
        if unit not in self.sent:
            return self.pull.get(cell, 0)
        goal, pull = self.sent[unit]
        return max(0, 90 + pull - 4 * self.chart.distances.to(goal)[cell])

    @cached_property
    def guard(self) -> dict[int, int]:
        """How one's own threatened places draw a unit."""
        threatened = []
        for own, value in self.own_places:
            danger = self.danger(own)
            if danger and (not self.bold or self.memory.menace.get(own)):
                most = 8 + 3 * value + danger if self.bold else 18 + 4 * value + 2 * danger
                threatened.append((own, most - 10 if self.s.ground.stacks[own] else most))
        return pulls(self.chart.distances, threatened, 4, 11)

    def danger(self, place: int) -> int:
        """How near the enemy is: 0 far, 8 beside it."""
        return max(0, 9 - self.memory.near[place])

    @cached_property
    def supplied(self) -> int:
        return supplied_area(self.s, self.side)

    @cached_property
    def lies_open(self) -> int:
        """Places from which supply can be drawn by standing there."""
        return self.supplied | self.chart.lines.reached(self.supplied, -1, 1)

    def _look_at_the_enemy(self) -> None:
        """The enemy: where their units are, how near, and the strength they could bring beside each hex next turn."""
        s, memory, armies = self.s, self.memory, []
        most = CAPS.get(s.weather, FAR)
        for unit in s.ground.standing(self.foe):
            face = s.face(unit)
            strength = face.strength + (helper(s, self.foe) if s.helped.get(self.foe) == unit else 0)
            if strength and not face.white:
                armies.append((s.at(unit), strength, min(face.move, most) + 1))
        memory.enemies = tuple((place, strength) for place, strength, _ in armies)
        memory.menace = menace(self.chart.distances, armies)
        memory.near = self.chart.distances.nearest(self.board.mask(place for place, _ in memory.enemies))

    # Units

    def reach(self, unit: int) -> tuple[int, ...]:
        """Where a unit could go; whether there is room is another matter."""
        s = self.s
        key = (unit, s.at(unit), s.pieces[unit].strong, unit in s.cut)
        found = self.memory.reach.get(key)
        if found is None:
            found = self.memory.reach[key] = tuple(sorted(trails(s, unit, allowance(s, unit))))
        return found

    def place(self, unit: int, cell: int) -> int:
        """How good it is for a unit to stand there, attacks apart."""
        s, board = self.s, self.board
        bit = board.bit[cell]
        friends = [u for u in s.ground.stacks[cell] if u != unit]
        score = self.guard.get(cell, 0)
        score += self._pulled(unit, cell) if self.bold else self.pull.get(cell, 0) // 3
        if cell in s.chart.points and s.holders[cell] == self.foe:
            score += 30 * self.value(cell)
        elif cell in s.chart.points and not friends:
            score += self._garrison(cell)
        score += self._ground(cell)
        if not self.lies_open & bit:
            score -= 60
        score += self._line(unit, cell, friends)
        score -= self._risk(unit, cell, friends)
        return score

    def _garrison(self, cell: int) -> int:
        """What it is worth to be the only one in a place that counts."""
        value, danger = self.value(cell), self.danger(cell)
        if self.bold:
            return 6 + 8 * value if self.memory.menace.get(cell) else 0
        return danger * (2 + 2 * value) if danger > 2 else 0

    def _ground(self, cell: int) -> int:
        if cell in self.chart.cities:
            return 5
        shift = self.chart.terrain.get(self.chart.kind(cell), (0, True, False))[0]
        return -3 * shift

    def _line(self, unit: int, cell: int, friends: list[int]) -> int:
        """Friends beside it hold the line; two hexes apart is enough for zones to meet."""
        s, board = self.s, self.board
        beside = apart = 0
        for near in board.near[cell]:
            there = s.ground.stacks[near]
            if there and s.unit(there[0]).side == self.side and there != (unit,):
                beside += 1
            else:
                for second in board.near[near]:
                    held = s.ground.stacks[second]
                    if second != cell and held and s.unit(held[0]).side == self.side and held != (unit,):
                        apart += 1
                        break
        score = min(beside, 1) * 3 + min(apart, 2) * 4
        return score if beside or apart or friends else score - 8

    def _risk(self, unit: int, cell: int, friends: list[int]) -> int:
        """What may be lost by standing there."""
        s = self.s
        menace = self.memory.menace.get(cell, 0)
        if not menace:
            return 0
        defence = s.face(unit).strength + sum(s.face(u).strength for u in friends)
        if cell in self.chart.cities or self.chart.terrain.get(self.chart.kind(cell), (0, True, False))[0]:
            defence += defence // 2
        risk = min(4, menace // max(defence, 1)) * 2
        if self.zone & self.board.bit[cell] and s.steps(unit) == 1 and self.side == AXIS:
            risk += 2
        return risk


__all__ = ["AXIS", "SOVIET", "Memory", "Mind"]
