"""The bots' view of a position: goals, dangers, where units can go, and how good it is to stand somewhere.

Everything is reckoned from a view of the state, in whole numbers. `Memory` keeps what hangs on the enemy alone, who
hardly moves in the other's turn; `Mind` is one look at the position, with the moves that have been planned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import NamedTuple

from pbem.kit import AREA, NOWHERE, Distances, Features, ListEntry, Place, Steps, goals, menace, reach, send
from pbem.kit import Memory as Kept
from pbem_rules.stalingrad42.bot.line import faces_south, posts_of_line
from pbem_rules.stalingrad42.chart import (
    ASU,
    AXIS,
    FOOT,
    FREE,
    KERCH,
    MAJOR_RIVER,
    MECH,
    RIVERS,
    ROADS,
    SEA,
    SOVIET,
    TAMAN,
    Chart,
)
from pbem_rules.stalingrad42.combat.losses import worth
from pbem_rules.stalingrad42.combat.odds import adding, defence_of, defending, fort_for
from pbem_rules.stalingrad42.movement.marching import EXTENDED, TACTICAL, modes
from pbem_rules.stalingrad42.movement.phase import ground
from pbem_rules.stalingrad42.orders import Exit, Extended, Move, Sail, Storm, Tactical, Transfer, Withdraw
from pbem_rules.stalingrad42.state import GOOD, State, other
from pbem_rules.stalingrad42.supply.lines import barred_towns, lines, lines_in_peace, lines_without
from pbem_rules.stalingrad42.victory import WEST

Key = tuple[object, ...]
Planned = Move | Extended | Tactical | Storm | Exit | Withdraw | Transfer | Sail
INTRUDER = 180  # enemies where they cost victory points
BRIDGEHEAD, BRIDGEHEADS = 110, 3  # the nearest places south of the Don, as long as no German is there; how many
HARBOUR = 120  # the port to which units wait to cross (S42-20.7)
FIGHT = 10  # other enemies
KNOTS = 3  # hexes that cut the enemy's supply, at most
POCKET = 60  # points of strength that must hang on one
STRIDE = 5  # what each hex costs that it lies away from the vehicles
FALL = 4  # by how much a goal draws less with each hex
BLOCKS, BLOCK = 4, 60  # what bars one's own supply: how many places, and how much each draws at least
TOWN = 15  # what a prize without supply is worth, for each point, beside points of strength
OPEN_GROUND = 4  # halves of a point
ATTACKED = 3  # points of strength that could come, for each point of defence that guards a prize
TO_GUARD = 6  # hexes from which somebody is called to guard a prize
ALERT = 8  # hexes within which an enemy puts a prize in danger: by extended movement they come far in a turn
TO_STORM = 2  # points of strength that an arm sends against each point of defence in a goal
ROOM, MASS = 6, 2  # points of strength that the Axis sends to a goal, and one more for so many of the enemy there
ENTRY = 5  # hexes from the edge by which the enemy's reinforcements come
BEHIND = 40  # how much less a prize draws that could not be supplied before another is taken
CUT = 6  # a hex closed to enemies who will be driven back
OFF = -100  # what it is worth to wait in an Area
OPENED = 8  # up to this turn the Axis plays the campaign for room, as it plays Fall Blau
TURNING = 28  # 19 November: from then on the Soviets advance, and the Axis holds


class Posture(NamedTuple):
    """How a side plays in a part of the war."""

    advances: bool
    wanted: int  # how much a prize of the enemy draws, with 20 for each point
    guarded: int  # one's own that is in danger, with 10 for each point
    line: int  # a post of the line
    beyond: int  # hexes beyond the lines of supply of now into which it still ventures
    join: int  # what each unit more in an attack costs, which stands beside the enemy then
    rate: int  # what a point of one's own strength is worth, where one of the enemy's is worth ten
    risk: int  # what it fears for units that the enemy can reach
    garrison: int = 1  # points of defence that stay in a prize which the enemy can reach
    arms: bool = False  # no more guard a prize than it needs; the others part for goals near and far
    knot: int = 120  # a hex that cuts the enemy's supply; 0: it looks for none
    far: int = FALL  # by how much a goal draws the vehicles of an arm less with each hex
    edge: int = 0  # how much less a prize draws that lies near the enemy's edge
    gate: int = 0  # how much more one draws, for each point that cannot be supplied before it is taken


ADVANCING = Posture(advances=True, wanted=90, guarded=40, line=100, beyond=4, join=4, rate=8, risk=1)
OPENING = ADVANCING._replace(edge=40, gate=10)
# For points that count at the end alone: what is taken must be kept.
TAKING = ADVANCING._replace(guarded=80, garrison=5, arms=True)
CONQUERING = TAKING._replace(rate=5, join=2, knot=0, far=2, edge=40, gate=10)
RUSHING = TAKING._replace(rate=2, join=0, far=1)  # where losses are soon made good
HOLDING = Posture(advances=False, wanted=5, guarded=150, line=140, beyond=1, join=24, rate=10, risk=3)
STANDING = Posture(advances=True, wanted=30, guarded=150, line=140, beyond=2, join=6, rate=8, risk=1, garrison=12)


class Level(NamedTuple):
    """How much a bot looks at."""

    posts: int  # places to attack from, of each target
    joined: int  # units in one attack
    fields: int  # hexes in which a unit could end, the best at a glance
    storms: bool  # automatic DS
    line: bool  # a line is planned as a whole


class Memory(Kept):
    """What was worked out for one player turn and one stand of the enemy."""

    def __init__(self) -> None:
        super().__init__()
        self.reach: dict[Key, Mapping[int, str]] = {}
        self.plan: tuple[Planned, ...] | None = None
        self.attacks: tuple[ListEntry, ...] = ()  # the list of this turn
        self.failed: set[Planned] = set()  # what could not be carried out when its turn came
        self.menace: Mapping[int, int] = {}
        self.enemies: tuple[tuple[int, int], ...] = ()
        self.near: Steps
        self.knots: tuple[tuple[int, int], ...] | None = None
        self.blocks: tuple[tuple[int, int], ...] | None = None
        self.gates: Mapping[int, int] | None = None

    def forget(self) -> None:
        self.reach.clear()
        self.replan()

    def replan(self) -> None:
        self.plan = None
        self.failed.clear()


@lru_cache(maxsize=2)
def distances(chart: Chart) -> Distances:
    """Hexes of the map, all alike; nobody goes through an Area."""
    return Distances(chart.board, lambda a, b, _: SEA not in (a.terrain, b.terrain) and b.kind != AREA)


@lru_cache(maxsize=2)
def drives(chart: Chart) -> Distances:
    """As vehicles go that have far to go: by road, or over open ground."""

    def crosses(a: Place, b: Place, edge: Features) -> bool:
        if SEA in (a.terrain, b.terrain) or b.kind == AREA:
            return False
        return any(road in edge for road in ROADS) or chart.ground_of(b.id).costs[MECH] <= OPEN_GROUND

    return Distances(chart.board, crosses)


@lru_cache(maxsize=2)
def shelter(chart: Chart) -> Mapping[int, int]:
    """How good the ground of a hex is for its defenders: rivers around it, cities, woods."""
    board, found = chart.board, {}
    for place in board.places.values():
        if place.kind != AREA and place.terrain != SEA:
            edges = [board.edges.get((near, place.id), frozenset()) for near in board.near[place.id]]
            rivers = sum(MAJOR_RIVER in edge for edge in edges) + sum(not edge.isdisjoint(RIVERS) for edge in edges)
            plain = 3 * (chart.stand_column(place.id) != "open")
            found[place.id] = min(rivers, 5) + (7 if chart.is_city(place.id) else plain)
    return found


class Mind:
    """What one side thinks of the position."""

    def __init__(self, s: State, side: str, memory: Memory, level: Level) -> None:
        self.s, self.side, self.memory, self.level = s, side, memory, level
        self.foe = other(side)
        self.posture = (HOLDING, ADVANCING, STANDING)[(side == AXIS) + (s.turn >= TURNING)]
        if side == AXIS and s.turn < TURNING and not s.chart.victory["at_once"]:
            self.posture = RUSHING if faces_south(s.chart) else CONQUERING if s.turn > OPENED else OPENING
        self.chart, self.board = s.chart, s.chart.board
        self.distances, self.shelter = distances(s.chart), shelter(s.chart)
        self.enemies = s.afield(self.foe)
        stand = tuple((s.pieces[unit].place, s.pieces[unit].steps) for unit in s.chart.own[self.foe])
        if not memory.at((s.chart, s.turn, side, stand)):
            self._look_at_the_enemy()
        self.hostile = s.zone(self.foe)
        self.planned: dict[int, int] = {}  # unit -> where it goes
        self.held = s.fighters(side)
        self._stacks: dict[int, tuple[int, ...]] = {}
        self._striking: dict[int, Mapping[int, str]] = {}
        self._glance: dict[int, int] = {}
        self._claimed: set[int] = set()  # prizes that are taken by what has been planned
        self._ways_out = 0  # the mask of the hexes by which those could go who will be driven back

    @property
    def knots(self) -> tuple[tuple[int, int], ...]:
        """Hexes on which most of the enemy's supply hangs, with their pull, near enough for vehicles: one closes a
        line, the next what is left of it, so that two arms meet behind the enemy.
        """
        if self.memory.knots is None:
            seeks = self.posture.advances and self.posture.knot and self.level.line
            self.memory.knots = tuple(self._find_knots()) if seeks else ()
        return self.memory.knots

    def _find_knots(self) -> Iterator[tuple[int, int]]:
        s, lost = self.s, 0
        rolling = self.board.mask(
            s.at(unit) for unit in s.ground.standing(self.side) if s.has(unit, MECH) and s.fights(unit)
        )
        if not rolling:
            return
        near = self.distances.nearest(rolling & ~self.chart.all_areas)
        for _ in range(KNOTS):
            hang = self._hanging(lost)
            best = max(hang, key=lambda place: (hang[place] - STRIDE * near[place], -place), default=-1)
            if best < 0 or hang[best] - STRIDE * near[best] < POCKET:
                return
            yield best, self.posture.knot + min(hang[best] // 4, 60)
            lost |= self.board.bit[best] | self.chart.zones.of((best,))

    @property
    def blocks(self) -> tuple[tuple[int, int], ...]:
        """What bars the supply of units and prizes that have none: enemies, and towns of theirs, with their pull."""
        if self.memory.blocks is None:
            self.memory.blocks = tuple(self._find_blocks()) if self.posture.arms else ()
        return self.memory.blocks

    def _find_blocks(self) -> Iterator[tuple[int, int]]:
        s, bit, hang, starved = self.s, self.board.bit, dict[int, int](), dict[int, int]()
        have, free = lines(s, self.side).reached, lines_in_peace(s, self.side)
        for unit in s.ground.standing(self.side):
            place = s.at(unit)
            if s.fights(unit) and bit[place] & free.reached & ~have & self.chart.hexes:
                starved[place] = starved.get(place, 0) + s.face(unit).attack + s.face(unit).defence
        for place, value in self.chart.prizes.items():
            if s.holders[place] == self.side and bit[place] & free.reached & ~have:
                starved[place] = starved.get(place, 0) + TOWN * value
        for place, strength in starved.items():
            way = self.board.mask(each for _, part in free.line(place) for each in part) & ~s.fighters(self.side)
            across = self.enemies & (way | self.chart.zones.of_mask(way)) | barred_towns(s, self.side) & way
            for there in self.board.in_mask(across):
                hang[there] = hang.get(there, 0) + strength
        for place in sorted(hang, key=lambda place: (-hang[place], place))[:BLOCKS]:
            yield place, BLOCK + min(hang[place], 60)

    @property
    def gates(self) -> Mapping[int, int]:
        """Prizes of the enemy on the lines that others will have, with how much more they draw; the others less."""
        if self.memory.gates is None:
            self.memory.gates = self._find_gates() if self.posture.gate else {}
        return self.memory.gates

    def _find_gates(self) -> dict[int, int]:
        free, barred, found = lines_in_peace(self.s, self.side), barred_towns(self.s, self.side), dict[int, int]()
        for place, value in self.chart.prizes.items():
            if self.board.bit[place] & free.reached:
                way = (each for _, part in free.line(place) for each in part)
                before = [each for each in way if self.board.bit[each] & barred and each != place]
                if before:
                    gate = before[-1]
                    found[gate] = found.get(gate, 0) + self.posture.gate * value
                    found[place] = found.get(place, 0) - BEHIND
        return found

    def _hanging(self, lost: int) -> dict[int, int]:
        """The strength of the enemy whose line leads through each hex, if some were lost."""
        s, found, trace = self.s, dict[int, int](), lines_without(self.s, self.foe, lost)
        for start in self.board.in_mask(self.enemies & trace.reached):
            units = (unit for unit in s.of(self.foe, start) if s.fights(unit))
            strength = sum(s.face(unit).attack + s.face(unit).defence for unit in units)
            for place in {place for _, part in trace.line(start) for place in part}:
                found[place] = found.get(place, 0) + strength
        return found

    def _look_at_the_enemy(self) -> None:
        """Where their units are, how near, and the strength that they could bring beside each hex."""
        s, memory, armies = self.s, self.memory, []
        memory.knots = memory.blocks = memory.gates = None
        for unit in s.ground.standing(self.foe):
            if s.fights(unit) and s.face(unit).attack and not s.in_area(unit) and unit not in s.frozen:
                far = 1 + s.face(unit).move if s.pieces[unit].order == GOOD else 1
                armies.append((s.at(unit), s.face(unit).attack, far))
        memory.enemies = tuple((place, strength) for place, strength, _ in armies)
        memory.menace = menace(self.distances, armies)
        memory.near = self.distances.nearest(self.enemies)

    # What has been planned

    def at(self, unit: int) -> int:
        return self.planned.get(unit, self.s.at(unit))

    def stack(self, cell: int) -> tuple[int, ...]:
        """The own combat units of a hex after the moves planned."""
        found = self._stacks.get(cell)
        if found is None:
            found = self._stacks[cell] = tuple(unit for unit in self.s.of(self.side, cell) if self.s.fights(unit))
        return found

    def go(self, unit: int, *way: int) -> None:
        """Plan that the unit goes there, through the other hexes."""
        start, cell = self.at(unit), way[-1]
        self.planned[unit] = cell
        if not self.s.fights(unit):
            return
        for place in way:
            self._claimed.add(place)
            self._glance.pop(place, None)
        self._ways_out &= ~self.chart.ranges.within(cell, 1)
        self._stacks[start] = tuple(each for each in self.stack(start) if each != unit)
        self._stacks[cell] = (*self.stack(cell), unit)
        if not self._stacks[start]:
            self.held &= ~self.board.bit[start]
        self.held |= self.board.bit[cell]

    def shut_in(self, targets: Iterable[int]) -> None:
        """Those in these hexes will be driven back: what they could go through is worth closing (S42-12.2)."""
        near = self.board.mask(cell for target in targets for cell in self.board.near[target])
        self._ways_out = near & ~self.enemies & ~self.chart.zones.of_mask(self.held) & ~self.held

    def closes(self, cell: int) -> int:
        """How many ways out a unit there would close."""
        return (self._ways_out & self.chart.ranges.within(cell, 1)).bit_count() if self._ways_out else 0

    def has_room(self, unit: int, cell: int) -> bool:
        """S42-4.1, after the moves planned."""
        s = self.s
        if s.chart.stacks_free(unit) or self.board[cell].kind == AREA:
            return True
        stack = [each for each in self.stack(cell) if each != unit]
        return s.counted(stack, self.side, (s.has(unit, FREE),)) <= s.chart.limits["stack"][self.side]

    # Places

    def danger(self, place: int) -> int:
        """How near the enemy is: 0 far, 9 on it."""
        return max(0, 9 - self.memory.near[place])

    @cached_property
    def line(self) -> Mapping[int, int]:
        """The posts of the line to hold, each with the strength that it needs."""
        return posts_of_line(self) if self.level.line else {}

    @cached_property
    def goals(self) -> tuple[tuple[int, int], ...]:
        """Places that draw units, with their pull: prizes, posts of the line, enemies."""
        s, found = self.s, []
        for place, value in self.chart.prizes.items():
            if s.holders[place] == self.foe:
                found.append((place, self.posture.wanted + 20 * value + self._inviting(place)))
            elif self.danger(place) > 2:
                found.append((place, self.posture.guarded + 10 * value + self.danger(place)))
        if self.side == AXIS and self.s.of(AXIS, self.chart.areas.get(KERCH, NOWHERE)):
            found += [(place, HARBOUR) for place in self.chart.listed(TAMAN) if s.holders[place] == SOVIET]
        if self.side == AXIS:
            found += [(place, INTRUDER) for place in self.board.in_mask(self.enemies & self.home)]
        if self.side == AXIS and not s.fighters(AXIS) & self.beyond:
            ours = self.distances.nearest(s.fighters(AXIS))
            places = sorted(self.board.in_mask(self.beyond), key=lambda place: (ours[place], place))
            found += [(place, BRIDGEHEAD) for place in places if self.memory.near[place]][:BRIDGEHEADS]
        found += (*self.knots, *self.blocks)
        if self.posture.advances or not self.line:
            found += [(place, FIGHT + min(strength, 12)) for place, strength in self.memory.enemies]
        return tuple(dict(sorted(found, key=lambda goal: goal[1])).items())

    def _inviting(self, place: int) -> int:
        """How much more or less a prize of the enemy draws for where it lies."""
        more = self.gates.get(place, 0)
        if self.posture.edge and self.chart.ranges.within(place, ENTRY) & self.s.edge(self.foe):
            more -= self.posture.edge
        return more

    @cached_property
    def prizes(self) -> tuple[tuple[int, int], ...]:
        """Those of the side that holds."""
        owner = self.foe if self.posture.advances else self.side
        return tuple((place, value) for place, value in self.chart.prizes.items() if self.s.holders[place] == owner)

    @cached_property
    def home(self) -> int:
        """S42-24.1.4: the mask of the hexes in which Soviets cost victory points, and those beside them."""
        west = self.chart.map.regions["west"].mask
        cities = self.board.mask(place for place in self.board.in_mask(west) if self.chart.is_city(place))
        entries = self.chart.map.entries
        edge = self.board.mask(place for key in WEST if key in entries for place in entries[key].places)
        return self.chart.zones.of_mask(edge | cities) | edge | cities

    @cached_property
    def beyond(self) -> int:
        """S42-S1.3e: the mask of the hexes south of the Don."""
        return self.chart.map.regions["south_of_don"].mask

    @cached_property
    def sent(self) -> dict[int, tuple[int, int]]:
        """The goal of each unit, and its pull.

        Arms: guards first; then those on foot for what is near, so that the fast find it taken, and pass it by.
        """
        s, arms, advances = self.s, self.posture.arms, self.posture.advances
        found, goals, room = dict[int, tuple[int, int]](), self.goals, dict[int, int]()
        if arms:
            found = self._guards()
            goals = tuple((goal, pull) for goal, pull in goals if s.holders.get(goal) != self.side)
        for goal, _ in goals:
            near = self.distances.to(goal)
            against = sum(power for place, power in self.memory.enemies if near[place] <= 3)
            room[goal] = ROOM + against // MASS if advances else 4 + against // 4
            if arms:
                room[goal] = max(room[goal], TO_STORM * self.held_by(goal))
        units = [
            (unit, s.at(unit), s.face(unit).attack if advances else s.face(unit).defence)
            for unit in self._movable
            if unit not in found
        ]
        units.sort(key=lambda each: (-each[2], self.memory.near[each[1]], each))
        walk = [each for each in units if not advances or s.has(each[0], FOOT)] if self.line or arms else []
        ride = [each for each in units if each not in walk]
        posts = [*((place, self.posture.line) for place in self.line), *goals]
        found |= send(self.distances, walk, posts, {**room, **self.line}, FALL)
        if not arms:
            return found | send(self.distances, ride, goals, room, FALL)
        for unit, _, strength in walk if posts else ():
            if found[unit][0] in room:
                room[found[unit][0]] -= strength
        return found | send(drives(self.chart), ride, goals, room, self.posture.far)

    @cached_property
    def _movable(self) -> list[int]:
        """The combat units but support that may go somewhere."""
        s = self.s
        units = (unit for unit in s.ground.standing(self.side) if s.fights(unit) and not s.has(unit, ASU))
        return [unit for unit in units if unit not in s.frozen]

    def held_by(self, place: int) -> int:
        """The points of defence of the enemy there, as the ground counts them (S42-9.6)."""
        units = adding(self.s, defending(self.s, place, self.foe))
        return sum(defence_of(self.s, unit, place, over=False).value for unit in units)

    def _guards(self) -> dict[int, tuple[int, int]]:
        """As many as each prize in danger needs: the nearest, on foot if possible. One, if nobody could attack it."""
        s, found, left = self.s, dict[int, tuple[int, int]](), [*self._movable]
        for place, value in self.chart.prizes.items():
            threat = self.memory.menace.get(place, 0)
            if s.holders[place] != self.side or self.memory.near[place] > ALERT:
                continue
            near, need = self.distances.to(place), max(self.posture.garrison, threat // ATTACKED) if threat else 1
            left.sort(key=lambda unit: (near[s.at(unit)] + 2 * s.has(unit, MECH), s.face(unit).attack, unit))
            while need > 0 and left and near[s.at(left[0])] <= TO_GUARD:
                unit = left.pop(0)
                found[unit] = place, self.posture.guarded + 10 * value + self.danger(place)
                need -= s.face(unit).defence
        return found

    def way(self, unit: int, goal: int) -> Steps:
        """How far it is from anywhere to a goal of a unit."""
        fast = self.posture.arms and self.s.has(unit, MECH)
        return (drives(self.chart) if fast else self.distances).to(goal)

    @cached_property
    def supplied(self) -> int:
        """The mask of the hexes in which units would be in supply, as far as one can say."""
        mask = lines(self.s, self.side).reached
        spread = self.chart.zones.of_mask
        for _ in range(self.posture.beyond):
            mask |= spread(mask)
        return mask

    # Units

    def reach(self, unit: int) -> Mapping[int, str]:
        """Where a unit could end on the ground, and by which way of moving: those first after which it may attack."""
        s = self.s
        key = (unit, s.at(unit), s.pieces[unit], s.fighters(self.side))
        found = self.memory.reach.get(key)
        if found is None:
            ends: dict[int, str] = {}
            bit, start = self.board.bit, s.at(unit)
            for mode in sorted(modes(s, unit), key=(EXTENDED, TACTICAL).__contains__):
                march = ground(s, unit, mode)
                own = march.terms._replace(full=march.terms.full & ~s.ground.occupied[self.side])
                for place in goals(reach(march.links, bit, start, march.terms), bit, start, own):
                    if self.board[place].kind != AREA:
                        ends.setdefault(place, mode)
            found = self.memory.reach[key] = ends
        return found

    def strikes(self, unit: int) -> Mapping[int, str]:
        """Those of them from which it may attack."""
        s = self.s
        if s.pieces[unit].order != GOOD or s.pieces[unit].train or not s.face(unit).attack:
            return {}
        found = self._striking.get(unit)
        if found is None:
            found = self._striking[unit] = {end: mode for end, mode in self.reach(unit).items() if mode != EXTENDED}
        return found

    def glance(self, cell: int) -> int:
        """How good a hex is for anybody: ground, a prize that would be taken, enemies around."""
        found = self._glance.get(cell)
        if found is None:
            around = self.chart.ranges.within(cell, 1)
            surrounded = max(0, (around & self.hostile).bit_count() - 4)
            found = self._glance[cell] = self._ground(cell) + self.taken(cell) - 3 * surrounded
        return found

    def _ground(self, cell: int) -> int:
        if self.posture.advances:
            return self.shelter.get(cell, 0) // 3
        return self.shelter.get(cell, 0) + 4 * fort_for(self.s, cell, self.side)

    def taken(self, cell: int) -> int:
        """A prize of the enemy that the unit can walk into."""
        if self.s.holders.get(cell) != self.foe or cell in self._claimed:
            return 0
        return 60 * self.chart.prizes.get(cell, 0) or 4

    def pulled(self, unit: int, cell: int) -> int:
        if unit not in self.sent:
            return 0
        goal, pull = self.sent[unit]
        away = self.way(unit, goal)[cell]
        return 80 + pull - FALL * min(away, 60) + (25 if goal in self.line and not away else 0)

    def place(self, unit: int, cell: int) -> int:
        """How good it is for a unit to stand there, attacks apart."""
        s = self.s
        if self.board[cell].kind == AREA:
            return OFF
        friends = [each for each in self.stack(cell) if each != unit]
        score = self.glance(cell) + self.pulled(unit, cell) + self._line_of(unit, cell, friends)
        needed = not s.has(unit, ASU) and self.defence(friends) < self.posture.garrison
        if cell in self.chart.prizes and needed and s.holders[cell] == self.side:
            score += self._garrison(cell)
        score += CUT * self.closes(cell)
        bit = self.board.bit[cell]
        if not bit & self.supplied:
            score -= 40
        if bit & self.hostile:
            if s.pieces[unit].order != GOOD:
                score -= 30
            elif not self.posture.advances and cell not in self.line and cell not in self.chart.prizes:
                score -= 10
        return score - self._risk(unit, cell, friends)

    def defence(self, units: Iterable[int]) -> int:
        """Of units that would hold a place: support does not."""
        return sum(self.s.face(unit).defence for unit in units if not self.s.has(unit, ASU))

    def _garrison(self, cell: int) -> int:
        """What it is worth to be one of those without whom a prize is not held."""
        if self.memory.menace.get(cell):
            return 25 + 25 * self.chart.prizes[cell]
        return 4 * self.danger(cell)

    def _line_of(self, unit: int, cell: int, friends: list[int]) -> int:
        """Friends beside it hold the line; two hexes apart is enough for a bond."""
        held, here = self.held, self.at(unit)
        if len(self.stack(here)) <= 1:
            held &= ~self.board.bit[here]
        beside, apart = self.chart.ranges.next_and_apart(cell, held)
        if not beside and not apart and not friends:
            return -10
        return min(beside, 1) * 2 + min(apart, 2) * 5

    def _risk(self, unit: int, cell: int, friends: list[int]) -> int:
        """What may be lost by standing there."""
        s, threat = self.s, self.memory.menace.get(cell, 0)
        if not threat:
            return 0
        defence = sum(s.face(each).defence for each in (unit, *friends))
        if self.shelter.get(cell, 0) > 4:
            defence *= 2
        return min(6, threat // max(defence, 1)) * self.posture.risk

    def best_place(self, unit: int, cells: Iterable[int], enough: int) -> int | None:
        """The best of the hexes, if it is enough better than where the unit is."""
        start = self.at(unit)
        best, least = None, self.place(unit, start) + enough
        among = [cell for cell in cells if cell != start and self.has_room(unit, cell)]
        if len(among) > self.level.fields:
            among.sort(key=lambda cell: (-self.glance(cell) - self.pulled(unit, cell), cell))
            del among[self.level.fields :]
        for cell in among:
            score = self.place(unit, cell)
            if score > least:
                best, least = cell, score
        return best

    def price(self, unit: int) -> int:
        """What the next step of a unit is worth, in tenths."""
        s = self.s
        steps = s.pieces[unit].steps
        if steps == 1:
            return 10 * worth(s, unit) + 10
        now, then = s.face(unit), s.counter(unit).face(steps - 1)
        return 10 * (now.attack + now.defence - then.attack - then.defence) + 10 + 10 * s.has(unit, MECH)
