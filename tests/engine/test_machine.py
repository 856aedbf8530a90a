"""The machine on a game of two sequences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest

from pbem.engine.definition import DataSet, Game, Option, Result, Scenario, Seat, Versioned
from pbem.engine.event import Event, Out, Taken
from pbem.engine.machine import Machine
from pbem.engine.need import Dice, Draw, Known, Orders, Over
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, Sealed, Violation
from pbem.engine.policy import SealedPolicy, parse
from pbem.engine.step import DONE, Auto, Call, Decide, End, Frame, Goto, Next, Roll, Sequence
from pbem.protocol.canonical import pack, unpack
from pbem.protocol.errors import Refusal


@dataclass
class Score:
    points: dict[str, int] = field(default_factory=dict)
    turn: int = 1


@dataclass
class Turn(Frame):
    seat: str = "blue"


@dataclass
class Fight(Frame):
    seat: str
    stake: int
    won: int = 0


@dataclass(frozen=True, slots=True)
class Bid(Order):
    stake: int


@dataclass(frozen=True, slots=True)
class Stop(Order):
    pass


@dataclass(frozen=True, slots=True)
class Won(Event):
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
    machine.feed({"t1/blue": (5,)}, out)
    assert machine.run(out) == Orders("bid", "bid/2", ("blue",))
    assert machine.state.points == {"blue": 2}
    assert out.take() == (Won("blue", 2, rule="3.1"),)
    machine.answer({"blue": Stop()}, out)
    assert machine.run(out) == Orders("bid", "bid/3", ("red",))


def finish(machine: Machine[Score], die: int = 5) -> Result:
    """Everybody bids once a turn and stops."""
    out = Out()
    bid_made = False
    while True:
        need = machine.run(out)
        if isinstance(need, Over):
            return need.result
        if isinstance(need, Dice):
            machine.feed({need.draws[0].label: (die,)}, out)
        elif isinstance(need, Orders):
            machine.answer({need.seats[0]: Stop() if bid_made else Bid(1)}, out)
            bid_made = not bid_made


def test_the_game_ends_with_a_result_and_stays_over() -> None:
    machine = start()
    result = finish(machine)
    assert result == Result(None, "time", (("blue", 2), ("red", 2)))
    assert machine.run(Out()) == Over(result)
    assert result.plain() == {"how": "time", "scores": {"blue": 2, "red": 2}, "winner": None}


def test_check_answers_everything() -> None:
    machine = start()
    machine.run(Out())
    assert machine.check("blue", Bid(3)) is None
    assert machine.check("blue", Bid(4)) == Violation("2.2", "A bid of 4 is not possible")
    assert machine.check("red", Bid(1)) == Violation("", "red is not asked to bid")
    assert isinstance(machine.check("blue", Sealed("bid/blue/1")), Violation)
    assert list(machine.legal("blue")) == [Stop(), Bid(1), Bid(2), Bid(3)]
    assert machine.prompt("blue") == "bid"


def test_public_standing_orders_answer_without_the_player() -> None:
    machine, out = start(), Out()
    machine.set_standing("blue", "bid", parse("then stop"))
    need = machine.run(out)
    assert need == Orders("bid", "bid/2", ("red",))  # the answered one was the first
    assert out.take() == (Taken("blue", "bid", Stop(), "standing", "Stop.", rule="2.1"),)


SILENT = ["then bid9", "then fly", "then ask", "when moon = 1 then stop", "when turn > 5 then stop"]


@pytest.mark.parametrize("text", SILENT)
def test_standing_orders_that_are_illegal_unknown_or_silent_ask(text: str) -> None:
    machine, out = start(), Out()
    machine.set_standing("blue", "bid", parse(text))
    assert machine.run(out) == Orders("bid", "bid/1", ("blue",))
    assert out.take() == ()


def test_default_is_the_decisions_own() -> None:
    machine, out = start(), Out()
    machine.set_standing("blue", "bid", parse("then default"))
    assert machine.run(out) == Dice((Draw("t1/blue", 6),))


def test_sealed_standing_orders_are_asked_first() -> None:
    machine, out = start(), Out()
    machine.set_standing("blue", "bid", SealedPolicy(b"c" * 32))
    assert machine.run(out) == Orders("bid", "bid/1", ("blue",), committed=("blue",))
    assert machine.standing_answer("blue", parse("when turn = 1 then stop")) == Stop()
    assert machine.standing_answer("blue", parse("then bid9")) is None
    again = Machine.load(GAME, GAME.setup_of(), machine.dump())
    machine.ask("blue")
    assert machine.run(out) == Orders("bid", "bid/1", ("blue",))
    assert again.need == Orders("bid", "bid/1", ("blue",), committed=("blue",))
    again = Machine.load(GAME, GAME.setup_of(), machine.dump())
    assert again.need == Orders("bid", "bid/1", ("blue",))
    machine.answer({"blue": Stop()}, out)
    machine.run(out)
    assert machine.standing("blue") == {"bid": SealedPolicy(b"c" * 32)}


def test_standing_orders_that_change_while_a_decision_is_asked_wait_for_the_next() -> None:
    machine, out = start(), Out()
    machine.run(out)
    machine.set_standing("blue", "bid", SealedPolicy(b"c" * 32))
    again = Machine.load(GAME, GAME.setup_of(), machine.dump())
    assert again.need == machine.need == Orders("bid", "bid/1", ("blue",))
    machine.set_standing("blue", "bid", parse("then stop"))
    again = Machine.load(GAME, GAME.setup_of(), machine.dump())
    assert again.need == Orders("bid", "bid/1", ("blue",))


def test_standing_orders_can_be_taken_back_and_are_part_of_the_digest() -> None:
    machine = start()
    machine.run(Out())
    digests = [machine.digest()]
    machine.set_standing("red", "bid", parse("then stop"))
    digests.append(machine.digest())
    machine.set_standing("red", "bid", SealedPolicy(b"c" * 32))
    digests.append(machine.digest())
    assert len(set(digests)) == 3
    machine.set_standing("red", "bid", None)
    assert machine.digest() == digests[0]


def test_standing_orders_for_nothing_are_refused() -> None:
    machine = start()
    machine.run(Out())
    machine.check_standing("red", "bid", parse("when turn > 1 then default"))
    wrong = [("red", "fly", "then stop"), ("green", "bid", "then stop"), ("red", "bid", "when x > 1 then stop")]
    for seat, kind, text in wrong:
        with pytest.raises(Refusal):
            machine.check_standing(seat, kind, parse(text))


def test_the_digest_covers_state_frames_serial_and_result() -> None:
    machine, out = start(), Out()
    seen = {machine.digest()}
    machine.run(out)
    seen.add(machine.digest())
    machine.state.points["red"] = 1
    seen.add(machine.digest())
    machine.frame.seat = "red"  # type: ignore[attr-defined]
    seen.add(machine.digest())
    machine.over = Result("blue", "time")
    seen.add(machine.digest())
    assert len(seen) == 5


def test_a_loaded_machine_goes_on_from_the_middle_of_a_called_sequence() -> None:
    machine, out = start(), Out()
    machine.run(out)
    machine.answer({"blue": Bid(2)}, out)
    machine.run(out)
    again = Machine.load(GAME, GAME.setup_of(), unpack(pack(machine.dump())))
    assert again.need == machine.need
    for each in (machine, again):
        each.feed({"t1/blue": (1,)}, out)
        each.run(out)
        assert each.state.points == {"blue": -2}
    assert machine.digest() == again.digest()
    assert finish(machine) == finish(again)


@pytest.mark.parametrize(
    "change",
    [
        {"stack": [["turn", "nowhere", {}, 0]]},
        {"stack": [["nowhere", "bid", {}, 0]]},
        {"stack": [["turn", "bid", {}, True]]},
        {"stack": []},
        {"serial": "1"},
        {"standing": [["bid", "blue", [[]]]]},
        {"state": []},
        {"given": [["blue", b"\xff"]]},
        {"more": 1},
    ],
)
def test_a_damaged_save_is_refused(change: dict[str, Any]) -> None:
    machine = start()
    machine.run(Out())
    with pytest.raises(Refusal):
        Machine.load(GAME, GAME.setup_of(), {**machine.dump(), **change})


def test_calls_out_of_turn_are_errors_of_the_program() -> None:
    machine = start()
    with pytest.raises(TypeError):
        machine.answer({"blue": Stop()}, Out())
    machine.run(Out())
    with pytest.raises(TypeError):
        machine.feed({}, Out())
    with pytest.raises(ValueError, match="bid/1 asks"):
        machine.answer({"red": Stop()}, Out())


def test_choices_of_an_offer_are_checked() -> None:
    game = replace(GAME, options=(Option("snow", "Snow", (False, True)), Option("length", "Length", (2, 3))))
    assert game.setup_of(options={"snow": True}).options == {"snow": True, "length": 2}
    for options in ({"snow": 1}, {"length": 4}, {"rain": True}):
        with pytest.raises(Refusal) as caught:
            game.setup_of(options=options)
        assert caught.value.code == "E-SETUP"
    with pytest.raises(Refusal):
        game.setup_of("long")


def test_a_data_set_is_pinned_by_digest_and_replaced_by_file() -> None:
    data = DataSet({"map": [1, 2], "units": {"a": 1}})
    other = data.replaced({"map": [2, 1]})
    assert data["map"] == [1, 2]
    assert other["map"] == [2, 1]
    assert other["units"] is data["units"]
    assert data.digest != other.digest
    assert other.replaced({"map": [1, 2]}).digest == data.digest
    with pytest.raises(Refusal):
        data.replaced({"maps": []})


def test_authors_hear_of_mistakes_when_the_game_is_put_together() -> None:
    class Twice(MakeBid):
        name = "bid"

    wrong = [
        (Sequence(Turn, MakeBid(), MakeBid()),),
        (Sequence(Turn, MakeBid()), Sequence(Turn, EndTurn())),
        (Sequence(Turn, MakeBid()), Sequence(Fight, cast(Any, Twice()))),
        (Sequence(Turn),),
    ]
    for sequences in wrong:
        with pytest.raises(TypeError):
            Machine.start(replace(GAME, sequences=sequences), GAME.setup_of())


@dataclass
class Newer(Versioned, Score):
    pass


def test_a_fix_is_guarded_by_the_behaviour_that_the_game_began_with() -> None:
    game = replace(GAME, state=cast(Any, Newer), setup=lambda setup: (cast(Any, Newer()), Turn()), behaviour=3)
    setup = replace(game.setup_of(), behaviour=2)
    machine = Machine.start(game, setup)
    machine.run(Out())
    state = cast(Newer, machine.state)
    assert (state.since(2), state.since(3)) == (True, False)
    assert machine.digest() == Machine.load(game, game.setup_of(), machine.dump()).digest()
    assert cast(Newer, Machine.load(game, game.setup_of(), machine.dump()).state).since(3)  # migrated
    assert cast(Newer, Machine.load(game, setup, machine.dump()).state).behaviour == 2
