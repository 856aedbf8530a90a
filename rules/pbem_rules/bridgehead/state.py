"""What changes during a game, and the index that is kept beside it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.game import Deck, Rows, Setup, transient
from pbem.kit import FIRST_AREA, NOWHERE, Stacks, Trail
from pbem_rules.bridgehead.chart import BOX, SEATS, STACK, Chart, Plan, other

HAND = 5  # BH-8.2
DEALT = 4  # BH-2.1
Searched = tuple[tuple[int, int], int, dict[int, Trail]]  # unit and movement points, goal, ways
UNSEARCHED: Searched = (-1, -1), NOWHERE, {}


@dataclass(frozen=True, slots=True)
class Piece:
    """A unit in play: its hex, the box of its side's reserve, or nowhere once it has been removed."""

    place: int
    steps: int


class Ground:
    """Who stands where, as stacks and as masks; made again from the pieces whenever a game is loaded."""

    __slots__ = ("_chart", "_zone", "at", "last", "occupied", "stacks", "trails")

    def __init__(self, chart: Chart, pieces: Rows[int, Piece]) -> None:
        self._chart = chart
        self.stacks = Stacks()
        self.at = [NOWHERE] * len(chart.units)  # by unit
        self.occupied = dict.fromkeys(SEATS, 0)
        self._zone: dict[str, int | None] = dict.fromkeys(SEATS)
        # Where units can go, by unit and movement points: all of it, and the last search for one goal.
        self.trails: dict[tuple[int, int], dict[int, Trail]] = {}
        self.last = UNSEARCHED
        for number, piece in pieces.items():
            self.move(number, NOWHERE, piece.place)

    def move(self, unit: int, start: int, goal: int) -> None:
        """What stands in a hex (BH-8.6) bars ways (BH-4.3, BH-5.2) and has its zone (BH-5.1) until it goes (BH-1.2)."""
        side = self._chart.units[unit].side
        bit = self._chart.board.bit
        self.at[unit] = goal
        self.stacks.move(unit, start, goal)
        if start != NOWHERE and not self.stacks[start]:
            self.occupied[side] &= ~bit[start]
        if goal != NOWHERE and goal != BOX[side]:
            self.occupied[side] |= bit[goal]
        self._zone[side] = None
        self.last = UNSEARCHED
        if self.trails:
            # A move on one's own side changes the ways of the other side only, and where the unit itself begins.
            stale = other(side)
            units = self._chart.units
            self.trails = {k: t for k, t in self.trails.items() if k[0] != unit and units[k[0]].side != stale}

    def zone(self, side: str) -> int:
        """The mask of hexes in the side's zones of control (BH-5.1)."""
        mask = self._zone[side]
        if mask is None:
            mask = self._chart.zones.of(self._chart.board.in_mask(self.occupied[side]))
            self._zone[side] = mask
        return mask


@dataclass(slots=True)
class State:
    scenario: str
    handicap: int
    pieces: Rows[int, Piece]
    holders: Rows[int, str]  # town -> side (BH-10.1)
    deck: Deck
    reserves: Rows[str, str]  # side -> slot of its secret choice
    entries: Rows[str, int] = field(default_factory=Rows)  # side -> the entry that it chose, once shown
    postures: Rows[str, str] = field(default_factory=Rows)
    turn: int = 0
    barrages: tuple[int, ...] = ()  # hexes named in this half-turn (BH-8.6)
    cut: int = 0  # units out of supply, a bit for each (BH-9.1)
    chart: Chart = transient()
    plan: Plan = transient()
    ground: Ground = transient()

    def hex_of(self, unit: int) -> int:
        """Where the unit is; NOWHERE if it has been removed or takes no part."""
        return self.ground.at[unit]

    def on_map(self, unit: int) -> bool:
        return NOWHERE < self.ground.at[unit] < FIRST_AREA

    def side_at(self, place: int) -> str | None:
        """BH-6.1."""
        there = self.ground.stacks[place]
        return self.chart.units[there[0]].side if there else None

    def room(self, place: int) -> bool:
        """BH-1.3."""
        return len(self.ground.stacks[place]) < STACK

    def supplied(self, unit: int) -> bool:
        """BH-4.5, BH-6.4, BH-9.3."""
        return not self.cut >> unit & 1

    def hand(self, side: str) -> tuple[str, ...]:
        """The slots that the side holds; no card is ever taken openly."""
        return tuple(map(str, self.deck.hand(side)))

    def put(self, unit: int, place: int) -> None:
        """BH-4.1, BH-7.6."""
        piece = self.pieces[unit]
        self.pieces[unit] = Piece(place, piece.steps)
        self.ground.move(unit, piece.place, place)

    def set_steps(self, unit: int, steps: int) -> None:
        """No step left: the unit is removed (BH-1.2)."""
        place = self.pieces[unit].place
        self.pieces[unit] = Piece(place if steps else NOWHERE, steps)
        if not steps:
            self.ground.move(unit, place, NOWHERE)

    def attack(self, unit: int) -> int:
        return self.chart.units[unit].face(self.pieces[unit].steps).attack

    def defence(self, unit: int) -> int:
        return self.chart.units[unit].face(self.pieces[unit].steps).defence


def set_up(setup: Setup) -> State:
    """BH-10.4, BH-10.5; the reserves wait in their boxes (BH-3.1)."""
    chart: Chart = setup.chart
    plan = chart.plans[setup.scenario]
    places = dict(plan.setup)
    for side, reserve in plan.reserves.items():
        places.update(dict.fromkeys(reserve.units, BOX[side]))
    return State(
        scenario=setup.scenario,
        handicap=int(setup.options["handicap"]),
        pieces=Rows({n: Piece(place, chart.units[n].type.steps) for n, place in places.items()}),
        holders=Rows(plan.holders),
        deck=Deck(chart.cards.deck),
        reserves=Rows(),
    )


def attach(state: State, _: Setup) -> None:
    state.plan = state.chart.plans[state.scenario]
    state.ground = Ground(state.chart, state.pieces)


def facts(s: State, seat: str) -> dict[str, int]:
    """What plans may test: `holds/0504` is 1 if the seat holds the town."""
    return {f"holds/{town:04}": int(side == seat) for town, side in s.holders.items()}
