"""The state, which changes during a game, and the index of who stands where that is kept beside it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pbem.game import Deck, Rows, Versioned, transient
from pbem.kit import ISOLATED, OUT_OF_SUPPLY, SUPPLIED, Deployed, Force, Roster
from pbem_rules.stargard.chart import CHIT_DECK, FORTRESS, GERMAN, LAST_TURN, SIDES, SOVIET, STACK, VOLKSSTURM, Chart

# Where a unit is when it is neither on the map nor destroyed. A destroyed unit has no step and is NOWHERE.
WAITING, VOLKSSTURM_BOX, TETTAU_BOX, CAVALRY_BOX, ASIDE_BOX, REFORMING, WITHDRAWN, EXITED = range(9901, 9909)
BOX_NAMES = {
    WAITING: "reinforcements", VOLKSSTURM_BOX: "Volkssturm", TETTAU_BOX: "Corps Tettau",
    CAVALRY_BOX: "2nd Guards Cavalry Corps", ASIDE_BOX: "aside", REFORMING: "headquarters that reform",
    WITHDRAWN: "withdrawn", EXITED: "left the map",
}  # fmt: skip

# Where an air unit is: not yet in the game, in its box, or in a part of the Grounded box (SG-1.2.6, SG-2.1).
TO_COME, READY, GROUNDED, REFIT = "to come", "ready", "grounded", "refit"

# The options (SG-16), and the switches for readings that ERRATA.md lists.
STAVKA, LONG_GAME, TRANSFER, HOLD_BACK = "stavka_orders", "long_game", "transfer", "held_corps"
SECOND_143 = "second_143"
PLACING = "placing"


def other(side: str) -> str:
    return SOVIET if side == GERMAN else GERMAN


@dataclass(frozen=True, slots=True)
class Piece(Deployed):
    """A unit: place, steps left, supply (SG-1.5.3), and whether a barrage has pinned it (SG-1.5.4)."""

    supply: int = SUPPLIED
    pinned: bool = False


@dataclass(kw_only=True)
class State(Force[Piece], Versioned):
    options: tuple[str, ...] = ()  # those that are on
    asked: str = "no"  # `combats`: defenders are asked in the middle of fights
    pieces: Rows[int, Piece]
    turn: int = 1
    holders: Rows[int, str]  # settlement -> the side that controls it
    tops: Rows[int, int] = field(default_factory=Rows)  # place -> the unit its owner has put on top (SG-1.1.4b)
    # What SG-1.4 needs
    cup: tuple[str, ...] = ()  # that can still be drawn in this turn
    drawn: tuple[str, ...] = ()  # played in this turn, face up
    chits: Deck = field(default_factory=lambda: Deck(CHIT_DECK))  # face down, while one is laid aside: `thrown`
    shown: tuple[str, ...] = ()  # of these, those that were turned up and put back (SG-3.1.3b)
    coming: tuple[str, ...] = ()  # that events have brought: from the turn after that on they are in the cup
    gone: tuple[str, ...] = ()  # that events have taken from the game
    played: Rows[str, int] = field(default_factory=Rows)  # side -> chits played in this turn
    more: Rows[str, int] = field(default_factory=Rows)  # side -> what is added to its number in this turn
    last: str = ""  # the formation that was activated last (SG-3.1.3)
    fuel: bool = False  # a German unit has moved strategically in this turn (SG-5.4.2)
    short: bool = False  # one has in the turn before
    activations: int = 0  # begun in the game: labels of draws count with it
    # The first turn (SG-12.1)
    idle: tuple[str, ...] = ()  # formations that have not been activated: their units are in command anywhere
    struck: tuple[tuple[str, ...], ...] = ()  # armies to react, in order; those of one battle together
    acted: tuple[str, ...] = ()  # Soviet armies that have been activated in turn 1
    early: tuple[str, ...] = ()  # armies whose headquarters come early, since they were attacked (SG-12.1f)
    # What SG-13 needs
    planes: Rows[str, str]  # air unit -> where it is
    air_spent: Rows[str, int] = field(default_factory=Rows)  # side -> points of air attack in this turn
    # Events and victory
    happened: tuple[str, ...] = ()  # events that come once
    thaw: bool = False  # in this turn
    back: Rows[int, int] = field(default_factory=Rows)  # headquarters that reform -> when they return (SG-12.2.2c)
    reports: int = 0  # chits laid aside by SG-12.6 and SG-16.1: a point each
    halves: int = 0  # half points by SG-16.4
    prizes: Rows[int, int] = field(default_factory=Rows)  # Soviet markers, as when taken (SG-14.3.1)
    lifted: bool = False  # Arnswalde was relieved at the end of the turn before: units may leave the map
    relieved: bool = False  # SG-14.2.1 has been reached in a game with the option SG-16.2
    chart: Chart = transient()
    ground: Roster = transient()

    # Units

    def absence(self, side: str, unit: int) -> str:
        """Why a unit out of an order is none of the side's on the map."""
        if not 0 <= unit < len(self.chart.units):
            return "There is no such unit"
        if self.side(unit) != side:
            return f"{self.code(unit)} is an enemy unit"
        box = BOX_NAMES.get(self.at(unit), "destroyed")
        return f"{self.code(unit)} is not on the map ({box})"

    def is_hq(self, unit: int) -> bool:
        return self.chart.is_hq(unit)

    def formation(self, unit: int) -> str:
        return self.chart.formation_of[unit]

    def hq_of(self, formation: str) -> int:
        """The headquarters on the map, -1 if there is none."""
        hq = self.chart.formations[formation].hq
        return hq if self.on_map(hq) else -1  # a formation without one has -1

    def has_hq(self, formation: str) -> bool:
        """Is its headquarters on the map (SG-3.1.3c, SG-3.1.5a)?"""
        return self.hq_of(formation) >= 0

    def combat_units(self, place: int, side: str = "") -> tuple[int, ...]:
        """SG-3.2: the units of a hex without its headquarters."""
        stack = self.ground.stacks[place]
        return tuple(unit for unit in stack if not self.is_hq(unit) and self.side(unit) == (side or self.side(unit)))

    def lone_hq(self, place: int) -> int:
        """SG-12.2.6: the headquarters that stands alone in a hex, -1 if there is none."""
        stack = self.ground.stacks[place]
        return stack[0] if len(stack) == 1 and self.is_hq(stack[0]) else -1

    def has_room(self, unit: int, place: int) -> bool:
        """SG-6.0, SG-6.3b: may the unit end in a hex of its own side, or in an empty one?"""
        stack = [each for each in self.ground.stacks[place] if each != unit]
        posts = sum(map(self.is_hq, stack))
        return posts < 1 if self.is_hq(unit) else len(stack) - posts < STACK

    def mark_supply(self, unit: int, supply: int) -> None:
        """SG-11.0."""
        if supply != self.pieces[unit].supply:
            self.pieces[unit] = replace(self.pieces[unit], supply=supply)

    def pin(self, unit: int, *, pinned: bool = True) -> None:
        """SG-1.5.4."""
        if pinned != self.pieces[unit].pinned:
            self.pieces[unit] = replace(self.pieces[unit], pinned=pinned)

    def put(self, unit: int, place: int) -> None:
        """To a place, a box, or NOWHERE. Combat units that enter a settlement take it (SG-1.5.5).

        A headquarters that waits among those that reform returns in the next turn, if it finds no place before.
        """
        super().put(unit, place)
        if place == REFORMING:
            self.back[unit] = self.turn + 1
        if not self.is_hq(unit):
            self.take(self.side(unit), place)

    def take(self, side: str, place: int) -> None:
        """SG-1.5.5: a combat unit of the side enters a settlement, or passes through it.

        The Soviets keep a marker as it lies then; back in German hands it shows its proper side again (SG-14.3.1).
        """
        if self.holders.get(place, side) == side:
            return
        self.holders[place] = side
        if place in self.chart.prizes:
            if side == SOVIET:
                self.prizes[place] = self.chart.prizes[place].worth(self.turn)
            elif place in self.prizes:
                del self.prizes[place]

    def lose_step(self, unit: int, *, in_combat: bool = True) -> None:
        """SG-8.6a, SG-8.6.4: a destroyed unit leaves the map. Volkssturm, of one step, goes to its box (SG-12.4a).

        But only from combat, not for want of room (SG-6.2b).
        """
        steps = self.pieces[unit].steps - 1
        if not (in_combat and self.has(unit, VOLKSSTURM)):
            self.set_steps(unit, steps)
        else:
            self.put(unit, VOLKSSTURM_BOX)
        if not self.on_map(unit):
            self.pieces[unit] = replace(self.pieces[unit], supply=SUPPLIED, pinned=False)

    def top_of(self, place: int) -> int:
        """SG-1.1.4b: the unit on top: as its owner has put it, else a fortress, else the first combat unit.

        -1 if nobody stands there.
        """
        stack = self.ground.stacks[place]
        if place in self.tops and self.tops[place] in stack:
            return self.tops[place]
        return min(stack, key=lambda unit: (not self.has(unit, FORTRESS), self.is_hq(unit)), default=-1)

    # Zones of control (SG-4)

    def controls(self, unit: int) -> bool:
        """SG-4.2: a unit whose printed attack is one or more has a zone."""
        return self.face(unit).attack >= 1

    def zone(self, side: str) -> int:
        """The mask of hexes in the side's zones. Of headquarters alone (SG-4.2.1), none.

        Nor of a stack with a combat unit without a zone (SG-6.3.1).
        """

        def projects(stack: tuple[int, ...]) -> bool:
            fighters = [unit for unit in stack if not self.is_hq(unit)]
            return bool(fighters) and all(map(self.controls, fighters))

        def found() -> int:
            return self.chart.zones.of_mask(self.ground.where_all(side, lambda stack: projects(tuple(stack))))

        return self.ground.kept(side, "zone", found)

    def in_zone(self, place: int, side: str) -> bool:
        """Is the place in a zone of control of that side?"""
        return bool(self.zone(side) & self.chart.board.bit[place])

    # Chits

    def number(self, side: str) -> int:
        """SG-1.2.2, SG-5.4.2, SG-19.1.10, SG-19.1.12: the chits that the side may play in this turn; one at least."""
        fuel = 1 if side == GERMAN and (self.short or (self.fuel and self.turn == LAST_TURN)) else 0
        return max(self.chart.track.value(self.turn, side) + self.more.get(side, 0) - fuel, 1)

    def fuel_price(self) -> str:
        """SG-5.4.2: what the next German strategic move costs; empty: nothing, or nothing more in this turn.

        `one of the 3 German chits of the next turn (SG-5.4.2)`.
        """
        last = self.turn == LAST_TURN
        chits = self.number(GERMAN) if last else self.chart.track.value(self.turn + 1, GERMAN)
        if self.fuel or (last and (self.short or not self.left(GERMAN))) or chits < 2:
            return ""
        return f"one of the {chits} German chits of {'this' if last else 'the next'} turn (SG-5.4.2)"

    def left(self, side: str) -> int:
        """SG-3.1.2b: how many chits the side may still play in this turn."""
        return max(self.number(side) - self.played.get(side, 0), 0)

    def hidden(self, code: str) -> bool:
        """SG-12.6b: does the chit lie face down, in the cup or aside?"""
        return bool(self.chits.thrown) and self.chart.chits[code].side == SOVIET and code not in self.shown

    # Air

    def air_ready(self, side: str) -> tuple[str, ...]:
        """SG-1.2.4, SG-13.1a: the air units in the box of a side."""
        return tuple(code for code, at in self.planes.items() if at == READY and self.chart.planes[code].side == side)


__all__ = [
    "GERMAN",
    "ISOLATED",
    "OUT_OF_SUPPLY",
    "SIDES",
    "SOVIET",
    "SUPPLIED",
    "Piece",
    "State",
    "other",
]
