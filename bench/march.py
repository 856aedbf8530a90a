"""A phase of movement at the size of a large game: 100 units a side on 4,000 hexes, some 20,000 legal orders at once.

What a player waits for is asked for absolutely: the first steps, the orders of one unit, the check of one order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Annotated, Any

from bench.kit import large, step
from bench.timing import cpu, still
from pbem.engine.legal import Legal
from pbem.engine.machine import Machine
from pbem.game import (
    STAY,
    Choice,
    Decide,
    Frame,
    Game,
    Known,
    Next,
    Order,
    Out,
    Pick,
    Seat,
    Sequence,
    Setup,
    Violation,
    Words,
    transient,
)
from pbem.kit import Board, HexWords, Roster, Terms, Zones, goes_anywhere, hexmap_of, reach

COLUMNS, ROWS = 64, 63
UNITS = 100  # a side
STACK = 2
POINTS = 24  # in halves, as the costs of the benchmark's map
WEST, EAST = "west", "east"
SIDES = (WEST,) * UNITS + (EAST,) * UNITS
CODES = {unit: f"{side[0].upper()}{unit % UNITS}" for unit, side in enumerate(SIDES)}
BOARD: Board = hexmap_of(large(COLUMNS, ROWS)).board
LINKS = BOARD.links(step)
ZONES = Zones(BOARD, lambda _a, _b, edge: "river" not in edge)


@dataclass(frozen=True, slots=True)
class March(Order, text="march {unit} {to}"):
    unit: Annotated[int, Words(CODES, "unit", "u")]
    to: Annotated[int, HexWords()]


@dataclass(frozen=True, slots=True)
class Stop(Order, text="stop"):
    """The end of the phase."""


@dataclass(slots=True)
class State:
    at: list[int]
    roster: Roster = transient()


@dataclass(slots=True)
class Phase(Frame):
    seat: str
    moved: int = 0


def terms(s: State, seat: str) -> Terms:
    """Zones of the enemy stop a march, and cost to leave; stacks that are full cannot be joined."""
    enemy = EAST if seat == WEST else WEST
    zone = s.roster.kept(enemy, "zone", lambda: ZONES.of_mask(s.roster.occupied[enemy]))
    return Terms(POINTS, s.roster.occupied[enemy], stops=zone, zone=zone, leave=4)


def room(s: State, place: int) -> bool:
    return len(s.roster.stacks[place]) < STACK


class Marches(Choice[State, Phase, March]):
    def first(self, s: State, f: Phase, seat: str, own: Known) -> Iterator[Pick]:
        bound = terms(s, seat)
        for unit in s.roster.units[seat]:
            if not f.moved >> unit & 1 and goes_anywhere(LINKS, BOARD.bit, s.at[unit], bound, lambda p: room(s, p)):
                yield Pick(f"u:{CODES[unit]}", unit)

    def picked(self, s: State, f: Phase, seat: str, own: Known, pick: int) -> Iterator[March]:
        start = s.at[pick]
        for place in sorted(reach(LINKS, BOARD.bit, start, terms(s, seat))):
            if place != start and room(s, place):
                yield March(pick, place)

    def check(self, s: State, f: Phase, seat: str, order: March, proof: Known) -> Violation | None:
        if order.unit not in s.roster.units[seat] or f.moved >> order.unit & 1:
            return Violation("1", "A unit of yours moves once")
        start = s.at[order.unit]
        if order.to not in BOARD or order.to == start or not room(s, order.to):
            return Violation("2", "There is no room, or no such hex")
        if order.to not in reach(LINKS, BOARD.bit, start, terms(s, seat), order.to):
            return Violation("3", "It cannot get there")
        return None

    def apply(self, s: State, f: Phase, seat: str, order: March, out: Out) -> Next:
        f.moved |= 1 << order.unit
        s.at[order.unit] = order.to
        s.roster.move(order.unit, order.to)
        return STAY


class Ends(Choice[State, Phase, Stop]):
    def legal(self, s: State, f: Phase, seat: str, own: Known) -> Iterator[Stop]:
        yield Stop()

    def apply(self, s: State, f: Phase, seat: str, order: Stop, out: Out) -> Next:
        f.seat, f.moved = (EAST if seat == WEST else WEST), 0
        return STAY


class Moving(Decide[State, Phase, March | Stop]):
    rule = "1"
    choices = (Ends, Marches)


def _setup(_: Setup) -> tuple[State, Frame]:
    """Each side in two lines behind the front, every second hex of it held."""
    at = [0] * len(SIDES)
    for unit, side in enumerate(SIDES):
        number = unit % UNITS
        depth, row = divmod(number, ROWS - 13)
        column = 28 - 6 * depth + row % 3 if side == WEST else 33 + 6 * depth + row % 4
        at[unit] = 100 * column + row + 7
    return State(at), Phase(WEST)


def _attach(s: State, _: Setup) -> None:
    s.roster = Roster(BOARD, SIDES, enumerate(s.at))


game: Game[State] = Game(
    name="march",
    title="March",
    seats=(Seat(WEST, WEST, "West"), Seat(EAST, EAST, "East")),
    state=State,
    setup=_setup,
    attach=_attach,
    sequences=(Sequence(Phase, Moving()),),
)


@dataclass(frozen=True, slots=True)
class Legality:
    """Seconds that a player waits for the first steps, the orders of one unit, the check of one; all, how many."""

    first: float
    picked: float
    check: float
    every: float
    orders: int
    units: int  # that can begin with one

    @property
    def each(self) -> float:
        """All orders of one unit, on average."""
        return self.every / self.units


def legality(machine: Machine[Any], seat: str, rounds: int = 15) -> Legality:
    """The slowest of every tenth unit, and of some two hundred orders."""
    first = machine.legal(seat).first
    orders = tuple(machine.legal(seat))
    some = orders[:: max(1, len(orders) // 200)]

    def seconds(job: Callable[[], object]) -> float:
        job()
        with still():
            return median(cpu(job) for _ in range(rounds))

    def one(key: str) -> Callable[[], object]:
        def job() -> object:
            return tuple(legal.picked(key))

        legal: Legal = machine.legal(seat)
        _ = legal.first
        return job

    return Legality(
        first=seconds(lambda: machine.legal(seat).first),
        picked=max(seconds(one(key)) for key in first[1::10]),
        check=max(median(cpu(lambda order=order: machine.check(seat, order)) for _ in range(3)) for order in some),  # type: ignore[misc]
        every=seconds(lambda: sum(1 for _ in machine.legal(seat))),
        orders=len(orders),
        units=len(first),
    )


def begun() -> Machine[State]:
    machine = Machine.start(game, game.setup_of())
    machine.run(Out())
    return machine
