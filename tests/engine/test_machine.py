"""The machine on a game of two sequences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass, field
from typing import ClassVar

from pbem.engine.event import Event, Out
from pbem.engine.game import DataSet, Game, Result, Scenario, Seat
from pbem.engine.machine import Machine
from pbem.engine.need import Dice, Draw, Known, Orders
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, OrderCodes, Violation
from pbem.engine.step import DONE, Auto, Call, Decide, End, Frame, Goto, Next, Roll, Sequence


@dataclass
class Score:
    points: dict[str, int] = field(default_factory=dict)
    turn: int = 1


@dataclass
class Turn(Frame):
    kind: ClassVar[str] = "turn"
    seat: str = "blue"


@dataclass
class Fight(Frame):
    kind: ClassVar[str] = "fight"
    seat: str
    stake: int
    won: int = 0


@dataclass(frozen=True, slots=True)
class Bid(Order):
    kind: ClassVar[str] = "bid"
    stake: int


@dataclass(frozen=True, slots=True)
class Stop(Order):
    kind: ClassVar[str] = "stop"


@dataclass(frozen=True, slots=True)
class Won(Event):
    kind: ClassVar[str] = "won"
    seat: str
    points: int


class MakeBid(Decide[Score, Turn, Bid | Stop]):
    name, rule, takes = "bid", "2.1", (Bid, Stop)
    default = "when turn > 1 then stop; then bid1"
    fact_names = ("turn",)

    def by(self, s: Score, f: Turn) -> SequenceOf[str]:
        return (f.seat,)

    def legal(self, s: Score, f: Turn, seat: str, own: Known) -> Iterator[Bid | Stop]:
        yield Stop()
        yield from (Bid(stake) for stake in range(1, 4))

    def check(self, s: Score, f: Turn, seat: str, order: Bid | Stop, proof: Known) -> Violation | None:
        if isinstance(order, Bid) and not 1 <= order.stake <= 3:
            return Violation("2.2", f"A bid of {order.stake} is not possible")
        return None

    def apply(self, s: Score, f: Turn, answers: Mapping[str, Bid | Stop], out: Out) -> Next:
        order = answers[f.seat]
        return Call(Fight(f.seat, order.stake), again=True) if isinstance(order, Bid) else DONE

    def back(self, s: Score, f: Turn, done: Fight, out: Out) -> None:
        s.points[f.seat] = s.points.get(f.seat, 0) + done.won

    def facts(self, s: Score, f: Turn, seat: str, own: Known) -> Mapping[str, int]:
        return {"turn": s.turn}

    def answers(self, s: Score, f: Turn, seat: str, own: Known) -> Mapping[str, Bid | Stop]:
        return {"stop": Stop(), "bid1": Bid(1), "bid9": Bid(9)}


class EndTurn(Auto[Score, Turn]):
    name = "end_turn"

    def run(self, s: Score, f: Turn, out: Out) -> Next:
        if f.seat == "red":
            s.turn += 1
        if s.turn > 2:
            return End(Result(None, "time", tuple(sorted(s.points.items()))))
        f.seat = "red" if f.seat == "blue" else "blue"
        return Goto(MakeBid)


class Die(Roll[Score, Fight]):
    name, rule = "die", "3.1"

    def draws(self, s: Score, f: Fight) -> tuple[Draw, ...]:
        return (Draw(f"t{s.turn}/{f.seat}", 6),)

    def run(self, s: Score, f: Fight, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        f.won = f.stake if got[f"t{s.turn}/{f.seat}"][0] >= 4 else -f.stake
        out.add(Won(f.seat, f.won, rule=self.rule))
        return DONE


GAME = Game(
    name="bids",
    title="Bids",
    behaviour=1,
    seats=(Seat("blue", "blue", "Blue"), Seat("red", "red", "Red")),
    scenarios=(Scenario("short", "Two turns"),),
    data=DataSet({}),
    state=Score,
    setup=lambda setup: (Score(), Turn()),
    sequences=(Sequence(Turn, MakeBid(), EndTurn()), Sequence(Fight, Die())),
    orders=OrderCodes((Bid, Stop)),
    events=(Won,),
    notation=Notation(Verb(Bid, "bid {stake}"), Verb(Stop, "stop")),
    board=lambda view: str(view.state.points),
    report=str,
    forfeit=lambda s, seats: Result("red" if "blue" in seats else "blue", "forfeit"),
)


def start() -> Machine[Score]:
    return Machine.start(GAME, GAME.setup_of())


def test_a_decision_a_called_sequence_and_the_way_back() -> None:
    machine, out = start(), Out()
    assert machine.run(out) == Orders("bid", "bid/1", ("blue",))
    machine.answer({"blue": Bid(2)}, out)
    assert machine.run(out) == Dice((Draw("t1/blue", 6),))
    machine.dice({"t1/blue": (5,)}, out)
    assert machine.run(out) == Orders("bid", "bid/2", ("blue",))
    assert machine.state.points == {"blue": 2}
    assert out.take() == (Won("blue", 2, rule="3.1"),)
    machine.answer({"blue": Stop()}, out)
    assert machine.run(out) == Orders("bid", "bid/3", ("red",))
