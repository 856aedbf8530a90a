"""A scenario that never ends, for the benchmarks: two seats take turns to shift markers, then one die is rolled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass, field

from pbem.engine.definition import DataSet, Game, Option, Scenario, Seat, Setup
from pbem.engine.event import Out
from pbem.engine.need import Draw, Known, Result
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, Sealed, Violation
from pbem.engine.rows import Rows
from pbem.engine.step import DONE, STAY, Auto, Decide, Frame, Goto, Next, Roll, Sequence
from pbem.engine.view import View

MARKERS = 24
FIELDS = 60


@dataclass(frozen=True, slots=True)
class Marker:
    at: int
    moved: int = 0


@dataclass(slots=True)
class State:
    turn: int = 1
    total: int = 0
    left: int = 0
    size: int = 1
    markers: Rows[int, Marker] = field(default_factory=Rows)


@dataclass(slots=True)
class Play(Frame):
    kind = "endless"


@dataclass(frozen=True, slots=True)
class Shift(Order):
    kind = "shift"
    marker: int
    to: int


class Begin(Auto[State, Play]):
    name = "begin"

    def run(self, s: State, f: Play, out: Out) -> Next:
        s.left = s.size
        return DONE


class Move(Decide[State, Play, Shift]):
    name = "move"
    takes = (Shift,)

    def by(self, s: State, f: Play) -> SequenceOf[str]:
        return ("white" if s.turn % 2 else "black",) if s.left else ()

    def legal(self, s: State, f: Play, seat: str, own: Known) -> Iterator[Shift]:
        for marker in s.markers:
            for to in range(FIELDS):
                if to != s.markers[marker].at:
                    yield Shift(marker, to)

    def check(self, s: State, f: Play, seat: str, order: Shift, proof: Known) -> Violation | None:
        marker = s.markers.get(order.marker)
        if marker is None or not 0 <= order.to < FIELDS or marker.at == order.to:
            return Violation("EN-1", "a marker goes to another field")
        return None

    def apply(self, s: State, f: Play, answers: Mapping[str, Shift | Sealed], out: Out) -> Next:
        for order in answers.values():
            if isinstance(order, Shift):
                s.markers[order.marker] = Marker(order.to, s.turn)
        s.left -= 1
        return STAY


class Die(Roll[State, Play]):
    name = "die"

    def draws(self, s: State, f: Play) -> Iterable[Draw]:
        return (Draw("die", 6),)

    def run(self, s: State, f: Play, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        s.total = (s.total + got["die"][0]) % 1_000_000
        s.turn += 1
        return Goto(Begin)


def _setup(setup: Setup) -> tuple[State, Frame]:
    return State(size=int(setup.options["orders"]), markers=Rows((n, Marker(n)) for n in range(MARKERS))), Play()


def _board(view: View[State]) -> str:
    return f"turn {view.state.turn}, total {view.state.total}"


game: Game[State] = Game(
    name="endless",
    title="Endless",
    behaviour=1,
    seats=(Seat("white", "white", "White"), Seat("black", "black", "Black")),
    scenarios=(Scenario("only", "Only"),),
    data=DataSet({}),
    state=State,
    setup=_setup,
    sequences=(Sequence(Play, Begin(), Move(), Die()),),
    notation=Notation(Verb(Shift, "shift {marker} {to}")),
    board=_board,
    report=lambda event: "",
    options=(Option("orders", "Orders in a turn", (1, 10, 20, 100, 1000)),),
    forfeit=lambda state, seats: Result(None, "forfeit"),
)
