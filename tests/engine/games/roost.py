"""Roost: birds come home, one hops about or calls another, and the first with three in a row sits best.

Made for tests of decisions that list what is allowed (`Ask`), and of decisions that are a list of choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pbem.engine.definition import Game, Result, Scenario, Seat
from pbem.engine.event import Out
from pbem.engine.need import Known
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, Violation
from pbem.engine.step import DONE, STAY, Ask, Auto, Choice, Decide, End, Frame, Goto, Next, Sequence

PERCHES = range(1, 10)


@dataclass
class Tree:
    birds: dict[str, int] = field(default_factory=dict)  # bird -> perch
    day: int = 0

    def own(self, seat: str) -> list[str]:
        return [bird for bird in self.birds if bird.startswith(seat)]

    def free(self) -> list[int]:
        return [perch for perch in PERCHES if perch not in self.birds.values()]


@dataclass
class Day(Frame):
    seat: str = "jay"
    hops: int = 0


@dataclass(frozen=True, slots=True)
class Perch(Order):
    bird: int
    perch: int
    shy: bool = False


@dataclass(frozen=True, slots=True)
class Hop(Order):
    bird: str
    to: int


@dataclass(frozen=True, slots=True)
class Swap(Order):
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Sleep(Order):
    pass


class Homing(Ask[Tree, Day, Perch]):
    rule = "R-1"
    no = "A bird comes home to a free perch"

    def options(self, s: Tree, f: Day, seat: str) -> Iterator[Perch]:
        return (Perch(len(s.own(seat)) + 1, perch) for perch in s.free())

    def do(self, s: Tree, f: Day, seat: str, order: Perch, out: Out) -> None:
        s.birds[f"{seat}{order.bird}"] = order.perch

    def why(self, s: Tree, f: Day, seat: str, order: Perch) -> Violation:
        if order.perch in s.birds.values():
            return Violation("R-1.1", f"Perch {order.perch} is taken")
        return super().why(s, f, seat, order)


class Hops(Choice[Tree, Day, Hop]):
    """A choice that is judged without a list."""

    def legal(self, s: Tree, f: Day, seat: str, own: Known) -> Iterator[Hop]:
        if f.hops < 2:
            for bird in s.own(seat):
                yield from (Hop(bird, perch) for perch in s.free() if abs(perch - s.birds[bird]) == 1)

    def check(self, s: Tree, f: Day, seat: str, order: Hop, proof: Known) -> Violation | None:
        if order.bird not in s.own(seat) or f.hops == 2:
            return Violation("R-2.1", "Two hops a day, of your own birds")
        if order.to not in s.free() or abs(order.to - s.birds[order.bird]) != 1:
            return Violation("R-2.2", "A bird hops to the next perch if that is free")
        return None

    def apply(self, s: Tree, f: Day, seat: str, order: Hop, out: Out) -> Next:
        s.birds[order.bird] = order.to
        f.hops += 1
        return STAY


class Swaps(Choice[Tree, Day, Swap]):
    rule = "R-3"
    no = "Two birds of your own change places"

    def legal(self, s: Tree, f: Day, seat: str, own: Known) -> Iterator[Swap]:
        birds = s.own(seat) if f.hops < 2 else []
        return (Swap(one, other) for one in birds for other in birds if one < other)

    def apply(self, s: Tree, f: Day, seat: str, order: Swap, out: Out) -> Next:
        s.birds[order.one], s.birds[order.other] = s.birds[order.other], s.birds[order.one]
        f.hops = 2
        return STAY


class Sleeps(Choice[Tree, Day, Sleep]):
    def legal(self, s: Tree, f: Day, seat: str, own: Known) -> Iterator[Sleep]:
        yield Sleep()

    def apply(self, s: Tree, f: Day, seat: str, order: Sleep, out: Out) -> Next:
        f.hops = 0
        return DONE


class Flutter(Decide[Tree, Day, Hop | Swap | Sleep]):
    rule = "R-2"
    choices = (Hops, Swaps, Sleeps)


class Dusk(Auto[Tree, Day]):
    def run(self, s: Tree, f: Day, out: Out) -> Next:
        s.day += f.seat == "owl"
        f.seat = "owl" if f.seat == "jay" else "jay"
        return Goto(Homing) if s.day < 3 else End(Result(None, "dark"))


GAME = Game(
    name="roost",
    title="Roost",
    seats=(Seat("jay", "jay", "Jays"), Seat("owl", "owl", "Owls")),
    scenarios=(Scenario("tree", "A tree"),),
    state=Tree,
    setup=lambda setup: (Tree(), Day()),
    sequences=(Sequence(Day, Homing(), Flutter(), Dusk()),),
    notation=Notation(
        Verb(Perch, "perch {bird} {perch} {shy}"), Verb(Hop, "hop {bird} {to}"), Verb(Swap, "swap {one} {other}"),
        Verb(Sleep, "sleep"),
    ),
    forfeit=lambda s, seats: Result(None, "forfeit"),
)  # fmt: skip
