"""The state, which changes during a game, and the index that is kept beside it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.game import Deck, HeldCard, Rows, Versioned, transient
from pbem.kit import Fielded, Roster
from pbem_rules.noretreat.chart import AXIS, SOVIET, Chart, Face, Plan, Unit, other

# Where a unit is when it is not on the map. Both sides use the same numbers (NR-1.33).
OUT = 0
SHATTERED, DESTROYED, CAPTURED, RAIL, CADRES, TRACK, READY, VOLKSSTURM = range(9901, 9909)
FIRST_BOX = 9900
BOX_NAMES = {
    OUT: "out of the game", SHATTERED: "Shattered", DESTROYED: "Destroyed", CAPTURED: "Captured", RAIL: "Rail",
    CADRES: "Available Cadres", TRACK: "turn track", READY: "reinforcements", VOLKSSTURM: "Volkssturm out",
}  # fmt: skip
RAIL_ROOM = 3  # NR-8.15


@dataclass(frozen=True, slots=True)
class Piece:
    """A unit: its hex, area or box; whether its better side shows; on the turn track, when it is due."""

    place: int
    strong: bool
    due: int = 0


@dataclass(frozen=True, slots=True)
class Effect:
    """What an event leaves in force. The kinds, and who asks for them, are listed in DESIGN.md.

    `until`: `phase` (combat), `turn` (player-turn), `round` (game turn) or `game`.
    """

    kind: str
    side: str
    at: int = 0  # a hex, or a unit
    amount: int = 0
    until: str = "turn"


@dataclass
class Fight:
    """The battle that is being fought: who, and all that markers and events have done to it so far."""

    label: str
    side: str  # the attacker
    target: tuple[int, ...]  # the hexes of the defenders: one, but for a counterattack
    units: tuple[int, ...]  # attackers
    defenders: tuple[int, ...]
    forced: bool = False  # against a counterblow marker (NR-9.10)
    counter: bool = False  # a counterattack (NR-9.28)
    marker: bool = False  # a Blitz or Shock marker is used (NR-9.21)
    played: tuple[str, ...] = ()  # sides that have played their event (NR-5.18)
    ask: bool = False  # the active side is asked what it has to choose
    pursue: tuple[int, ...] = ()  # the way of each unit that follows, as it was listed
    # What events change before the die.
    shifts: tuple[tuple[int, str, str], ...] = ()  # columns, why, rule
    attack_bonus: int = 0
    doubled: tuple[int, ...] = ()  # units that count twice
    table: str = ""  # result table used whatever the rules say: "axis" or "soviet"
    result: str = ""  # set before the die: no die is rolled
    dice: int = 1  # rolled, of which `chooser` takes one
    chooser: str = ""
    no_river: bool = False
    none_is_exchange: bool = False  # NE counts as EX
    reroll_none: bool = False  # a die without effect is rolled again, once
    at_least: int = -1  # column from which the result is DR without a die
    armour: int = 0  # 1: the bonus though tanks or mechanised units defend; -1: no bonus
    unfortified: bool = False  # fortified and Volkssturm effects are void
    must_counter: bool = False
    steps_after: int = 0  # that both sides lose when all is over
    duel: str = ""  # roll-off in place of the table: the side that asked for it
    # After the die.
    thrown: tuple[int, ...] = ()
    die: int = 0  # the one that counts; 0: to be rolled, again perhaps
    rolls: int = 0
    column: int = 0
    free_retreat: bool = False  # retreats ignore zones and supply
    further: int = 0  # more hexes of pursuit
    no_pursuit: bool = False
    again: str = ""  # the side that will fight it again once it is over


@dataclass(kw_only=True)
class State(Fielded, Versioned):
    scenario: str
    options: tuple[str, ...]  # those that are on
    asked: str = "no"  # `combats`: the enemy is asked in the middle of the active side's battles
    pieces: Rows[int, Piece]
    holders: Rows[int, str]  # place -> side, of every hex and area (NR-2.7)
    deck: Deck
    turn: int = 0
    active: str = ""  # whose player-turn it is
    # What counts for victory.
    initiative: str = AXIS
    event_vp: int = 0  # of the side with the initiative, -6..6 (NR-4.5)
    high_tide: int = 0
    skip_sudden: bool = False  # the marker No Sudden Death
    triggers: Rows[str, int] = field(default_factory=Rows)  # what happened -> in which turn (NR-11.37)
    taken: tuple[int, ...] = ()  # places taken in this player-turn (NR-2.8)
    # Units
    cut: set[int] = field(default_factory=set)  # units with an OOS marker
    tired: set[int] = field(default_factory=set)  # units with a Disorganised marker
    reserve: int = -1  # the unit under the Strategic Reserve marker (NR-8.25)
    # The weather.
    flipped: tuple[int, ...] = ()  # turns whose weather marker shows its other side
    snow_turn: int = 0  # the first Snow turn of the game, once there was one
    long_winter: bool = False
    # Markers on the map
    targets: tuple[int, ...] = ()
    blown: set[int] = field(default_factory=set)  # units with a counterblow marker (NR-9.12)
    scorched: tuple[int, ...] = ()
    works: tuple[int, ...] = ()
    support: Rows[str, int] = field(default_factory=Rows)  # side -> Blitz or Shock markers left in this turn
    # Hands and what has been played.
    used: tuple[int, ...] = ()  # cards played in this player-turn (NR-5.13)
    fresh: tuple[str, ...] = ()  # slots just drawn, among them events that happen at once (NR-5.15)
    draw_less: Rows[str, int] = field(default_factory=Rows)  # side -> cards fewer at its next draw
    attacks: int = 0  # fought in this Combat phase, voluntary ones
    forced: int = 0  # and forced ones
    effects: tuple[Effect, ...] = ()
    joker: str = ""  # who holds it (NR-14.9)
    exchanged: tuple[str, ...] = ()  # options that have been used up (NR-14.1 to NR-14.3)
    helped: Rows[str, int] = field(default_factory=Rows)  # side -> unit with the local support marker (NR-14.5)
    partisans_due: int = 0  # when the marker can be used again (NR-14.11)
    fight: Fight | None = None
    chart: Chart = transient()
    plan: Plan = transient()
    ground: Roster = transient()

    # Units

    def unit(self, unit: int) -> Unit:
        return self.chart.units[unit]

    def face(self, unit: int) -> Face:
        return self.chart.units[unit].face(self.pieces[unit].strong)

    def has(self, unit: int, trait: str) -> bool:
        return trait in self.face(unit).traits

    def name(self, unit: int) -> str:
        return self.chart.units[unit].code

    def code(self, unit: int) -> str:
        """The unit's code; of a number out of an order, `That` if there is no such unit."""
        return self.chart.units[unit].code if 0 <= unit < len(self.chart.units) else "That"

    def steps(self, unit: int) -> int:
        """NR-1.2 to NR-1.5."""
        kind, strong = self.chart.units[unit], self.pieces[unit].strong
        if not kind.two_faced or not strong:
            return 1
        if kind.side == AXIS or "fortified" in kind.better.traits:
            return 2
        return 2 if self.turn >= 17 else 1

    @property
    def blows(self) -> dict[int, str]:
        """NR-9.12: the places with units under a counterblow marker, and who must attack them."""
        return {self.at(unit): other(self.unit(unit).side) for unit in sorted(self.blown)}

    def lift_blow(self, place: int) -> None:
        """The counterblow marker in a place is taken off."""
        self.blown.difference_update(self.ground.stacks[place])

    def supplied(self, unit: int) -> bool:
        return unit not in self.cut

    def is_tired(self, unit: int) -> bool:
        return unit in self.tired

    def put(self, unit: int, place: int) -> None:
        """NR-8.1."""
        piece = self.pieces[unit]
        if piece.place != place:
            self.pieces[unit] = Piece(place, piece.strong)
            self.ground.move(unit, place)

    def turn_over(self, unit: int, *, strong: bool) -> None:
        """NR-1.18, NR-8.5: its zone may come or go with that."""
        piece = self.pieces[unit]
        self.pieces[unit] = Piece(piece.place, strong, piece.due)
        self.ground.changed(self.chart.units[unit].side)

    def mark_cut(self, unit: int, *, cut: bool) -> None:
        """NR-6.1, NR-6.6: an OOS marker; a unit without supply has no zone."""
        if cut != (unit in self.cut):
            (self.cut.add if cut else self.cut.remove)(unit)
            self.ground.changed(self.chart.units[unit].side)

    def tire(self, unit: int) -> None:
        """NR-7.11: a Disorganised marker."""
        self.tired.add(unit)

    def rest(self, unit: int) -> None:
        """NR-7.20, NR-7.21: the marker comes off."""
        self.tired.discard(unit)

    def zone(self, side: str) -> int:
        """The mask of hexes in the side's zones of control: not of units out of supply or in brackets (NR-8.5)."""
        return self.ground.kept(side, "zone", lambda: self.chart.zones.of_mask(self.ground.where(side, self._controls)))

    def _controls(self, unit: int) -> bool:
        return unit not in self.cut and self.face(unit).zone

    def in_zone(self, place: int, side: str) -> bool:
        """Is the place in a zone of control of that side?"""
        return bool(self.zone(side) & self.chart.board.bit[place])

    # Places

    def holder(self, place: int) -> str:
        return self.holders[place]

    def is_city(self, place: int) -> bool:
        """NR-6.12, NR-13.07S, NR-13.34S: a burnt city is none."""
        return place in self.chart.cities and place not in self.scorched

    # Weather

    def weather_of(self, turn: int) -> str:
        """NR-10.1 to NR-10.3."""
        printed = self.chart.track[turn]
        return printed.weather[1 if turn in self.flipped else 0]

    @property
    def weather(self) -> str:
        return self.weather_of(self.turn) if self.turn else "clear"

    @property
    def snow(self) -> bool:
        return self.weather == "snow"

    # Cards

    def hand(self, side: str) -> tuple[HeldCard, ...]:
        return self.deck.hand(side)

    def effect(self, kind: str, side: str = "") -> tuple[Effect, ...]:
        """What is in force of that kind, for that side if one is given (NR-13.15A, NR-13.18S, NR-13.22S)."""
        return tuple(each for each in self.effects if each.kind == kind and side in ("", each.side))

    def amount(self, kind: str, side: str = "") -> int:
        """NR-13.15A, NR-13.21S."""
        return sum(each.amount for each in self.effects if each.kind == kind and side in ("", each.side))

    def put_effect(self, effect: Effect) -> None:
        """NR-5.14."""
        self.effects = (*self.effects, effect)

    def lapse(self, *until: str) -> None:
        """NR-13.15A, NR-13.21S: what holds for a battle, a phase or a turn ends with it."""
        if self.effects:
            self.effects = tuple(each for each in self.effects if each.until not in until)

    @property
    def enemy(self) -> str:
        return other(self.active)


__all__ = ["AXIS", "BOX_NAMES", "SOVIET", "Effect", "Fight", "Piece", "State"]


def facts(s: State, seat: str) -> dict[str, int]:
    """What plans may test: `holds/moscow` is 1 if the seat holds the place."""
    named = s.chart.named.items()
    return {
        f"holds/{name.lower().replace(' ', '-')}": int(s.holders[place] == seat)
        for name, place in named
        if place in s.holders
    }
