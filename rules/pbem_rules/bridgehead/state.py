"""The state, which changes during a game, and the index that is kept beside it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pbem.game import Deck, Rows, Setup, transient
from pbem.kit import Deployed, Force, Roster
from pbem_rules.bridgehead.chart import BOX, STACK, Chart, Plan

HAND = 5  # BH-8.2
DEALT = 4  # BH-2.1


@dataclass(slots=True)
class State(Force[Deployed]):
    scenario: str
    handicap: int
    pieces: Rows[int, Deployed]
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
    ground: Roster = transient()

    def zone(self, side: str) -> int:
        """The mask of hexes in the side's zones of control (BH-5.1)."""
        return self.ground.kept(side, "zone", lambda: self.chart.zones.of_mask(self.ground.occupied[side]))

    def room(self, place: int) -> bool:
        """BH-1.3."""
        return len(self.ground.stacks[place]) < STACK

    def supplied(self, unit: int) -> bool:
        """BH-4.5, BH-6.4, BH-9.3."""
        return not self.cut >> unit & 1

    def hand(self, side: str) -> tuple[str, ...]:
        """The slots that the side holds; no card is ever taken openly."""
        return tuple(map(str, self.deck.hand(side)))


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
        pieces=Rows({n: Deployed(place, chart.units[n].type.steps) for n, place in places.items()}),
        holders=Rows(plan.holders),
        deck=Deck(chart.cards.deck),
        reserves=Rows(),
    )


def attach(state: State, _: Setup) -> None:
    state.plan = state.chart.plans[state.scenario]
    sides = [unit.side for unit in state.chart.units]
    state.ground = Roster(state.chart.board, sides, ((unit, piece.place) for unit, piece in state.pieces.items()))


def facts(s: State, seat: str) -> dict[str, int]:
    """What plans may test: `holds/0504` is 1 if the seat holds the town."""
    return {f"holds/{town:04}": int(side == seat) for town, side in s.holders.items()}
