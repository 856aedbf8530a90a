"""The state, which changes during a game, and the index of who stands where that is kept beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pbem.game import Rows, Versioned, transient
from pbem.kit import AREA, SUPPLIED, Barrier, Bond, Deployed, Force, Roster
from pbem_rules.stalingrad42.chart import (
    ARMIES,
    ASU,
    AXIS,
    BAKU,
    CLEAR_SKY,
    FREE,
    GARRISON,
    MECH,
    REMNANT,
    SIDES,
    SNOWED_IN,
    SOVIET,
    SUPPLY,
    TRANSIT,
    Chart,
)

GOOD, DISRUPTED, ROUTED = range(3)  # S42-13.1.1: in good order, Disrupted, in Full Retreat
READY, USED = -1, -2  # where an air unit is that stays with no unit: in its box, on either side (S42-9.3)
MISSED = 1  # S42-21.3.1g: one full turn in the box
MOST_AT_SEA = 2  # S42-22.6.4b
DELAY = 2  # S42-19.4: turns until what cannot fight comes back

# Readings that the offer of a game may choose.
BY_LAND, TO_THE_LAST = "land_alone", "to_the_last"
# Differences of the translations, each the reading of the other one.
WHILE_HELD, FIRST_IN_G, ROW_FORTY = "while_held", "first_into_g", "row_forty"
# The advanced rules 25 to 29, each by itself; Uranus is always played with the last one.
RESERVES, PLANNED, DISENGAGING, LEADERS, SHARING = "reserves", "planned", "disengagement", "leaders", "contested"

# S42-34.2b: the boxes of the reserve armies, one to six, in which units are that nobody can find on the map.
BOX = 9910
BOXES = tuple(range(BOX + 1, BOX + 7))
BOX_ROOM = 8

# Where a unit is when it is neither on the map nor in an Entry Area.
WAITING, POOL, ELIMINATED, REMOVED = range(9901, 9905)
BOX_NAMES = {WAITING: "reinforcements", POOL: "supply pool", ELIMINATED: "eliminated", REMOVED: "out of the game"}
BOX_NAMES |= {box: f"box {box - BOX} of the reserve armies" for box in BOXES}


def other(side: str) -> str:
    return SOVIET if side == AXIS else AXIS


@dataclass(frozen=True, slots=True)
class Piece(Deployed):
    """A unit: place, steps left, the state of its order, supply, whether it rides a train (S42-5.6.1).

    `ready`: the side of artillery support that can be used (S42-18.2.1), of a supply point the one that is laid out
    (S42-18.6.2). Of other units it says nothing.
    """

    order: int = GOOD
    supply: int = SUPPLIED
    train: bool = False
    ready: bool = False


@dataclass(kw_only=True)
class State(Force[Piece], Versioned):
    pieces: Rows[int, Piece]
    scenario: str = ""
    options: tuple[str, ...] = ()
    asked: str = "no"  # `combats`: owners are asked in the middle of the other's turn
    turn: int = 1
    weather: str = CLEAR_SKY
    offensive: int = 0  # the turn in which the Soviet Winter Offensive began; 0: it has not (S42-33.2)
    respite: bool = False  # the Axis has the short turn between two of the Soviets (S42-33.2.3)
    wet: bool = False  # rain or mud (S42-23.2.3, S42-23.3.3)
    rained: bool = False  # seasonal marsh is marsh from the first rain on (S42-23.2.3b)
    holders: Rows[int, str]  # city, port or victory hex -> the side that controls it (S42-16.3.4)
    frozen: Rows[int, str] = field(default_factory=Rows)  # unit -> what it waits for
    missing: Rows[int, int] = field(default_factory=Rows)  # in the box: own turns that begin without it (S42-21.3.1g)
    returns: Rows[int, int] = field(default_factory=Rows)  # an army's headquarters -> when it can return (S42-19.4)
    renewed: set[int] = field(default_factory=set)  # units with a Replacement marker (S42-21.4)
    wings: Rows[str, int] = field(default_factory=Rows)  # air unit -> READY, USED, or the unit that it stays with
    by_rail5: bool = False  # one unit of the 5th Reserve Army has entered by rail (S42-S1.2h)
    fled: set[int] = field(default_factory=set)  # units that have retreated in this phase (S42-12.2i)
    forts: Rows[int, str] = field(default_factory=Rows)  # hex -> whose completed fort stands there (S42-9.7.2)
    digging: Rows[int, str] = field(default_factory=Rows)  # hex -> whose fort is under construction there
    fixed: set[int] = field(default_factory=set)  # supply points that cannot move (S42-18.6.8)
    forts_off: tuple[str, ...] = ()  # groups of printed forts that have been given up (S42-9.7.7)
    fighting: str = ""  # whose list of attacks is carried out
    sieges: Rows[int, tuple[int, ...]] = field(default_factory=Rows)  # City Battle: level, attackers (S42-11.6.2)
    contests: Rows[int, str] = field(default_factory=Rows)  # city with both sides in it -> first defender (S42-29.1)
    exits: Rows[str, int] = field(default_factory=Rows)  # Area -> steps of Axis vehicles that have left by it
    # Headquarters -> Planned Offensives laid there, not ready and ready (S42-26.2).
    plans: Rows[int, tuple[int, int]] = field(default_factory=Rows)
    masks: Rows[int, str] = field(default_factory=Rows)  # reserve army -> the slot of the box that it has (S42-34.1)
    shown: Rows[int, int] = field(default_factory=Rows)  # of these, the boxes that all know
    exposed: set[int] = field(default_factory=set)  # armies that have been attacked, and are gone soon (S42-34.7)
    fallen: Rows[int, str] = field(default_factory=Rows)  # armies removed unseen, whose boxes are still to be shown
    spread: Rows[int, int] = field(default_factory=Rows)  # hex -> the turn in which too many may stand there (S42-34.7)
    flotilla: tuple[int, ...] = ()  # the two hexes between which the Volga Flotilla lies (S42-5.5.3b)
    volunteers: bool = False  # the towns of the volunteers have both been the Axis's (S42-20.8a)
    southward: bool = False  # a unit of the Axis has come far enough south for the Trans-Caucasus front (S42-30.0a)
    baku: bool = False  # divisions enough have gone into the Area of Baku in one Movement Phase (S42-24.1.2a)
    tracks: tuple[tuple[int, ...], ...] = ()  # of each railhead the hexes that it has repaired; it stands on the last
    elbrus: bool = False  # mountain troops of the Axis have been there (S42-24.3)
    fined: bool = False  # the Axis loses its next special replacement (S42-32.3a)
    chart: Chart = transient()
    charts: Callable[[int], Chart] = transient()  # that of a turn (S42-23.4)
    ground: Roster = transient()

    # Units

    def fights(self, unit: int) -> bool:
        """S42-2.3.1a: a combat unit is one that can defend."""
        return self.counter(unit).faces[0].defence > 0

    def in_area(self, unit: int) -> bool:
        """S42-22.4: units in an Entry Area touch no enemy."""
        return bool(self.chart.board.bit.get(self.at(unit), 0) & self.chart.all_areas)

    def open_areas(self, side: str) -> tuple[str, ...]:
        """S42-22.2: the Areas that a side can use: the Soviets not Baku's while the Axis is there (S42-24.1.3b).

        S42-23.4e: in winter Area K is closed.
        """
        keys, shut = self.chart.friendly(side), {SNOWED_IN} if self.frost else set()
        if side == SOVIET and self.at_baku():
            shut.add(BAKU)
        return tuple(key for key in keys if key not in shut) if shut else keys

    def at_baku(self) -> tuple[int, ...]:
        """S42-24.1.2: the units of the Axis in the Area that leads to Baku."""
        return self.of(AXIS, self.chart.baku)

    def room_at_sea(self) -> bool:
        """S42-22.6.4b: two combat units at most are in the Caspian box."""
        return sum(map(self.fights, self.of(SOVIET, self.chart.areas[TRANSIT]))) < MOST_AT_SEA

    def edge(self, side: str) -> int:
        """The mask of the hexes along the Areas that a side can use."""
        keys, entries = self.open_areas(side), self.chart.map.entries
        if keys != self.chart.friendly(side):
            return self.chart.board.mask(place for key in keys for place in entries[key].places)
        return self.chart.edge(side)

    def begin_turn(self, number: int) -> None:
        """S42-17.5, S42-23.4: with a new turn railways may open, and rivers freeze."""
        self.turn = number
        chart = self.charts(number)
        if chart is not self.chart:
            self.chart = chart
            self.ground = self.roster()

    @property
    def frost(self) -> bool:
        """S42-23.4a: is it winter?"""
        return self.turn >= self.chart.winter

    def counted(self, stack: Sequence[int], side: str, more: Sequence[bool] = ()) -> int:
        """S42-4.1, S42-4.2: how many of a stack count; support and supplies never do, nor one that stacks freely.

        S42-31.0: nor does a reserve army that waits. `more`: others that count, whether each stacks freely.
        """
        units = [unit for unit in stack if not self.chart.stacks_free(unit) and self.frozen.get(unit) not in ARMIES]
        free = sum(self.has(unit, FREE) for unit in units) + sum(more)
        return len(units) + len(more) - min(free, self.chart.limits["free"][side])

    def overfull(self, place: int, side: str, more: Sequence[int] = ()) -> bool:
        """S42-4.4: would too many of a side stand in a place? An Entry Area holds any number."""
        if self.chart.board[place].kind == AREA:
            return False
        stack = {*self.of(side, place), *more}
        return self.counted(sorted(stack), side) > self.chart.most(side, stack)

    def whole(self, unit: int) -> int:
        """All steps that a unit can have now (S42-32.4)."""
        return self.counter(unit).steps - (self.turn < self.chart.course.raised.get(unit, self.turn))

    def mobile(self, side: str) -> int:
        """S42-18.6.8a: how many supply points on the map, or in an Area, can move."""
        return sum(self.has(unit, SUPPLY) and unit not in self.fixed for unit in self.ground.standing(side))

    def alter(self, unit: int, piece: Piece) -> None:
        """Its order, supply, train or ready side."""
        if piece != self.pieces[unit]:
            self.pieces[unit] = piece
            self.ground.changed(self.side(unit))

    def put(self, unit: int, place: int) -> None:
        """To a place, a box, or NOWHERE. Combat units take what they enter or pass (S42-16.3.4)."""
        super().put(unit, place)
        if not self.on_map(unit):
            self.fixed.discard(unit)
            if unit in self.frozen:
                del self.frozen[unit]
            if unit in self.plans:
                del self.plans[unit]
            if unit in self.masks:
                self._fall(unit)
        if place in self.holders and self.fights(unit) and place not in self.contests:
            self.holders[place] = self.side(unit)
        for wing, where in list(self.wings.items()):
            if where == unit:  # S42-9.3.7c: it retreats, or is destroyed
                self.wings[wing] = READY
        if self.contests:
            self._end_contests()
        if self.sieges:
            self._lift_sieges()

    def armies(self) -> tuple[int, ...]:
        """S42-34: the reserve armies on the map, or in Areas."""
        return tuple(unit for unit in self.chart.reserve_armies if self.on_map(unit))

    @property
    def veiled(self) -> int:
        """S42-34.6.2: the mask of the hexes with a reserve army in whose box, for all that is known, units may be."""
        if not self.masks:
            return 0
        full = {box - BOX for box in BOXES if self.of(SOVIET, box)}
        unseen = full - set(self.shown.values())
        some = (army for army in self.armies() if (self.shown[army] in full if army in self.shown else unseen))
        return self.chart.board.mask(map(self.at, some)) & self.chart.hexes

    def _fall(self, army: int) -> None:
        """S42-34.6.2b: with an army all in its box are lost, at once if it is known which it is."""
        slot = self.masks[army]
        del self.masks[army]
        self.exposed.discard(army)
        if army not in self.shown:
            self.fallen[army] = slot
            return
        box = BOX + self.shown[army]
        del self.shown[army]
        for unit in self.of(SOVIET, box):
            self.destroy(unit)

    def _end_contests(self) -> None:
        """S42-29.1.1b, S42-29.1.4: a city is no longer contested as soon as one side has left it.

        It is the first defender's as long as he is there, and then of those who have driven him out.
        """
        for place, first in list(self.contests.items()):
            there = [side for side in SIDES if self.chart.board.bit[place] & self.fighters(side)]
            if len(there) < len(SIDES):
                del self.contests[place]
                if place in self.sieges:
                    del self.sieges[place]
                self.holders[place] = there[0] if there else first

    def _lift_sieges(self) -> None:
        """S42-11.6.2e: a City Battle ends when the defender is gone, or no attacker of it stands beside the hex."""
        for place, (_, *attackers) in list(self.sieges.items()):
            if place in self.contests:
                continue
            enemy = other(self.side(attackers[0]))
            beside = any(self.at(unit) in self.chart.board.near[place] for unit in attackers)
            if not (beside and self.chart.board.bit[place] & self.fighters(enemy)):
                del self.sieges[place]

    def leave(self, unit: int, area: str) -> None:
        """S42-S1.2e, S42-S1.3d: an Axis unit leaves the map for good, by a Soviet Area; of vehicles the steps count."""
        if self.fights(unit) and self.has(unit, MECH):
            self.exits[area] = self.exits.get(area, 0) + self.pieces[unit].steps
        self.put(unit, REMOVED)

    def remnants_left(self, kind: str) -> int:
        """S42-10.4.3b: how many Remnant counters of a type are free."""
        # Who has no step left is lost, though where chances are reckoned the index of the map still has it.
        there = (unit for unit, piece in self.pieces.items() if piece.steps and self.on_map(unit))
        used = sum(self.has(unit, kind) and REMNANT in self.face(unit).traits for unit in there)
        return self.chart.remnants[kind] - used

    def may_be_remnant(self, unit: int) -> bool:
        """S42-10.4: would the next step that the unit loses leave a Remnant of it?"""
        has_one = REMNANT in self.counter(unit).faces[-1].traits
        return has_one and self.pieces[unit].steps == 2 and self._remnant_is_free(unit)

    def _remnant_is_free(self, unit: int) -> bool:
        """S42-10.4.3b: one of its own type."""
        kind = next(kind for kind in self.chart.remnants if self.has(unit, kind))
        return self.remnants_left(kind) > 0

    def spare(self, unit: int) -> int:
        """S42-10.4.3b: how many steps the unit can lose and stay on the map, a Remnant only if one is free."""
        steps = self.pieces[unit].steps
        gone = steps > 1 and REMNANT in self.counter(unit).faces[-1].traits and not self._remnant_is_free(unit)
        return steps - 1 - gone

    def left_with(self, unit: int, *, remnant: bool = True) -> int:
        """S42-10.3, S42-10.4: the steps of a unit after it has lost one. `remnant`: as of `lose_step`."""
        steps = self.pieces[unit].steps - 1
        small = steps == 1 and REMNANT in self.counter(unit).faces[-1].traits
        return 0 if small and not (remnant and self.may_be_remnant(unit)) else steps

    def lose_step(self, unit: int, *, remnant: bool = True) -> None:
        """S42-10.3, S42-10.4: a destroyed unit goes to the Eliminated Box, a Remnant and a garrison for good.

        `remnant`: of a unit with three steps that loses its second, whether a Remnant of it stays. Who declines that,
        or has no counter for it, finds the unit in the box with no step, and gets it back with two (S42-10.4.3).
        """
        steps = self.left_with(unit, remnant=remnant)
        if steps:
            self.set_steps(unit, steps)
            return
        start = self.chart.starts.get(unit)
        lost = REMNANT in self.face(unit).traits or (start is not None and start.frozen == GARRISON)
        self.set_steps(unit, 0, REMOVED if lost else ELIMINATED)
        self.pieces[unit] = Piece(self.at(unit), 0)
        if not lost:
            self.missing[unit] = MISSED

    def destroy(self, unit: int) -> None:
        """S42-10.3: all its steps, without a Remnant."""
        while self.pieces[unit].steps:
            self.lose_step(unit, remnant=False)

    def dispel(self, unit: int) -> None:
        """S42-19.4: what cannot fight is removed: supplies can be bought again, others come back two turns later."""
        if self.has(unit, SUPPLY):
            self.put(unit, POOL)
        else:
            self.put(unit, ELIMINATED)
            self.returns[unit] = self.turn + DELAY

    # Zones of control and bonds

    def fighters(self, side: str) -> int:
        """The mask of the places with a combat unit of the side."""
        return self.ground.kept(side, "fighters", lambda: self.ground.where(side, self.fights))

    def afield(self, side: str) -> int:
        """S42-22.4a: the mask of the hexes with a combat unit of the side; those in Areas cannot be attacked."""
        return self.fighters(side) & self.chart.hexes

    def projects(self, unit: int) -> bool:
        """S42-6.1c: has the unit a zone of control?"""
        return self.fights(unit) and not self.pieces[unit].train

    def zone(self, side: str) -> int:
        """S42-6.1: the mask of the hexes in the side's zones of control, wherever its enemies stand."""
        shared = self.shared
        return self.ground.kept(
            side, ("zone", shared), lambda: self.chart.zones.of_mask(self.ground.where(side, self.projects) & ~shared)
        )

    @property
    def shared(self) -> int:
        """S42-29.1.1d: the mask of the contested cities, whose units have no zones and make no bonds."""
        return self.chart.board.mask(self.contests) if self.contests else 0

    def shares(self, unit: int) -> bool:
        """S42-29.1: does the unit stand in a contested city?"""
        return self.at(unit) in self.contests

    def beside(self, side: str) -> int:
        """The mask of the hexes beside an enemy combat unit of a side's, with or without a zone there (S42-22.4a)."""
        return self.ground.kept(other(side), "beside", lambda: self.chart.beside(self.afield(other(side))))

    def ties(self, side: str) -> int:
        """S42-7.1a: the mask of the hexes from which bonds go out.

        A unit in good order must stand there, or two if they are support or stack freely.
        """

        def able(stack: Sequence[int]) -> bool:
            units = [unit for unit in stack if self.projects(unit) and self.pieces[unit].order == GOOD]
            light = sum(self.has(unit, ASU) or self.has(unit, FREE) for unit in units)
            return light < len(units) or light > 1

        shared = self.shared
        return self.ground.kept(side, ("ties", shared), lambda: self.ground.where_all(side, able) & ~shared)

    def bonds(self, side: str) -> tuple[Bond, ...]:
        """S42-7: the bonds of a side that are in force, those with its Entry Areas too (S42-7.5)."""
        enemy = self.fighters(other(side))
        return self.ground.kept(
            side,
            ("bonds", enemy, self.shared, edge := self.edge(side)),
            lambda: self.chart.bonds.made(self.ties(side), enemy, edge),
        )

    def barrier(self, side: str, *, moving: bool) -> Barrier:
        """S42-7.2: what the bonds of a side keep its enemy from, in movement, retreat and advance, or in supply."""
        enemy = self.fighters(other(side))
        return self.ground.kept(
            side,
            ("barrier", enemy, moving, self.shared, edge := self.edge(side)),
            lambda: self.chart.bonds.barrier(self.ties(side), enemy, edge, moving=moving),
        )
