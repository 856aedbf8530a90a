"""Thousands of orders planned behind dice cost as much each as a few do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass, replace
from typing import Any

import pytest

from pbem.engine.definition import Game, Scenario, Seat
from pbem.engine.draft import Draft
from pbem.engine.event import Out, PlanEnded
from pbem.engine.need import Draw, Known, Result
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, PlanLine, Sealed, Violation
from pbem.engine.policy import Comparison, parse_conditions
from pbem.engine.step import DONE, Decide, Frame, Goto, Next, Roll, Sequence
from pbem.engine.testing.inmemory import Table
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_ORDERS

PLANNED = 2_000


@dataclass(slots=True)
class Road:
    steps: int = 0
    thrown: int = 0
    at: str = "walker"


@dataclass(slots=True)
class Walk(Frame):
    kind = "walk"


@dataclass(frozen=True, slots=True)
class Step(Order):
    kind = "step"
    length: int


class Stride(Decide[Road, Walk, Step]):
    name = "stride"
    takes = (Step,)

    def by(self, s: Road, f: Walk) -> SequenceOf[str]:
        return (s.at,)

    def legal(self, s: Road, f: Walk, seat: str, own: Known) -> Iterator[Step]:
        yield from (Step(0), Step(1))

    def check(self, s: Road, f: Walk, seat: str, order: Step, proof: Known) -> Violation | None:
        return None if order.length in (0, 1) else Violation("WA-1", "a stride is short or long")

    def apply(self, s: Road, f: Walk, answers: Mapping[str, Step | Sealed], out: Out) -> Next:
        for order in answers.values():
            assert isinstance(order, Step)
            s.steps += order.length
            if order.length == 0:
                s.at = "guest" if s.at == "walker" else "walker"
        return DONE


class Stumble(Roll[Road, Walk]):
    """A die after every stride, under the key of the first: what follows chance is no choice (CHA-7)."""

    name = "stumble"

    def draws(self, s: Road, f: Walk) -> Iterable[Draw]:
        return (Draw("stumble", 6),)

    def run(self, s: Road, f: Walk, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        s.thrown += 1
        return Goto(Stride)


walk: Game[Road] = Game(
    name="walk",
    title="Walk",
    seats=(Seat("walker", "walker", "Walker"), Seat("guest", "guest", "Guest")),
    scenarios=(Scenario("only", "Only"),),
    state=Road,
    setup=lambda setup: (Road(), Walk()),
    sequences=(Sequence(Walk, Stride(), Stumble()),),
    notation=Notation(Verb(Step, "step {length}")),
    forfeit=lambda s, seats: Result(None, "forfeit"),
)


class Counted(tuple[bytes, ...]):
    """Planned orders that count how many of them are touched or copied."""

    touched = 0

    def __getitem__(self, at):  # type: ignore[no-untyped-def, override]
        found = super().__getitem__(at)
        if not isinstance(at, slice):
            Counted.touched += 1
            return found
        Counted.touched += len(found)
        return Counted(found)

    def __iter__(self):  # type: ignore[no-untyped-def, override]
        for each in super().__iter__():
            Counted.touched += 1
            yield each


def planned(count: int) -> int:
    """How many orders are touched when so many are planned behind one die."""
    table = Table(walk)
    table.settle()
    table.order(0, [Step(1)] * (count + 1))
    match = table.peers[1].match
    table.deliver()
    assert len(match.position.plans.orders) == count
    match.position.plans = replace(match.position.plans, orders=Counted(match.position.plans.orders))
    Counted.touched = 0
    kind, data = table.peers[1].player.owed(match)[0]
    _, accepted = table.peers[1].seal(kind, data)
    match = table.peers[1].match
    assert accepted.lapsed is None
    assert (match.machine.state.steps, match.machine.state.thrown) == (count + 1, count + 1)
    assert match.position.plans is None
    return Counted.touched


def test_each_planned_order_is_touched_a_few_times_however_many_follow_it():
    assert PLANNED < MAX_ORDERS
    few, many = planned(PLANNED // 10), planned(PLANNED)
    assert 0 < few <= 4 * PLANNED // 10
    assert 0 < many <= 4 * PLANNED


def test_what_lapses_is_what_was_not_taken():
    table = Table(walk)
    table.settle()
    codes = walk.orders
    table.order(0, [Step(1), Step(1), Step(0), Step(1), Step(1)])
    table.deliver()
    kind, data = table.peers[1].player.owed(table.peers[1].match)[0]
    record, accepted = table.peers[1].seal(kind, data)
    assert accepted.lapsed is not None
    assert (accepted.lapsed.by, accepted.lapsed.seat, accepted.lapsed.stopped) == (0, "walker", "stride")
    assert [codes.read(each) for each in accepted.lapsed.orders] == [Step(1), Step(1)]
    table.mail(record)
    table.settle()
    assert table.agree()
    assert table.peers[0].match.machine.state.at == "guest"


@pytest.mark.parametrize("mode", ["strict", "open"])
def test_what_is_not_legal_when_it_comes_up_is_skipped_and_told_in_every_mode(mode):
    """In mode `open` the dice are at hand: it is a plan all the same."""
    table = Table(walk, mode=mode)
    table.settle()
    table.order(0, [Step(1), Step(1), Step(7), Step(8), Step(1), Step(9)])
    table.settle()
    match = table.peers[1].match
    assert match.machine.state.steps == 3
    assert match.asked(0) == ("walker",)
    assert match.position.plans is None
    assert table.agree()
    accepted = [each for _, each in table.peers[1].replay.history()]
    assert not any(each.lapsed for each in accepted)
    (ended,) = (event for each in accepted for event in each.events)
    why = "a stride is short or long (WA-1)"
    skipped = tuple((Step(length), why) for length in (7, 8, 9))
    assert ended == PlanEnded("walker", (Step(1), Step(1)), skipped, (), "")
    assert walk.tell([ended]) == (
        "Plan of Walker, carried out: 2 x step 1.",
        "Skipped: step 7; step 8; step 9. a stride is short or long (WA-1).",
    )


@dataclass(frozen=True, slots=True)
class Halt(Order):
    kind = "halt"


class Rest(Stride):
    """Between strides, if asked for: takes another kind of order."""

    name = "rest"
    takes = (Halt,)  # type: ignore[assignment]

    def when(self, s: Road, f: Walk) -> bool:
        return s.steps == 2

    def check(self, s: Road, f: Walk, seat: str, order: Order, proof: Known) -> Violation | None:  # type: ignore[override]
        return None

    def apply(self, s: Road, f: Walk, answers: Mapping[str, Order], out: Out) -> Next:  # type: ignore[override]
        s.steps += 10
        return DONE


class Back(Stumble):
    name = "stumble"

    def run(self, s: Road, f: Walk, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        s.thrown += 1
        return Goto(Rest)


resting: Game[Road] = replace(
    walk,
    name="resting",
    sequences=(Sequence(Walk, Rest(), Stride(), Back()),),
    notation=Notation(Verb(Step, "step {length}"), Verb(Halt, "halt")),
)


def test_a_decision_that_takes_other_orders_stops_a_plan_and_skips_nothing():
    table = Table(resting)
    table.settle()
    table.order(0, [Step(1), Step(1), Step(7), Step(1), Halt()])
    table.deliver()
    kind, data = table.peers[1].player.owed(table.peers[1].match)[0]
    record, accepted = table.peers[1].seal(kind, data)
    table.mail(record)
    table.settle()
    assert accepted.lapsed is not None
    read = resting.orders.read
    assert [read(each) for each in accepted.lapsed.orders] == [Step(7), Step(1), Halt()]
    (ended,) = (event for event in accepted.events if isinstance(event, PlanEnded))
    assert ended == PlanEnded("walker", (Step(1),), (), (Step(7), Step(1), Halt()), "rest")
    assert resting.tell([ended])[1] == "It stopped: rest. Not reached: step 7; step 1; halt."
    assert table.agree()


def test_a_plan_is_one_seats():
    """The player holds both seats; the plan of the first does not order for the second."""
    table = Table(walk, players=1, mode="open")
    table.settle()
    table.order(0, [Step(1), Step(0), Step(1)])
    match = table.peers[0].match
    assert (match.machine.state.steps, match.machine.state.at) == (1, "guest")
    assert match.asked(0) == ("guest",)
    lapsed = [each.lapsed for _, each in table.peers[0].replay.history() if each.lapsed]
    assert [(each.seat, len(each.orders)) for each in lapsed] == [("walker", 1)]


@pytest.mark.parametrize("mode", ["strict", "open"])
def test_no_plan_answers_what_only_its_seat_can_judge(mode, monkeypatch):
    table = Table(walk, mode=mode)
    table.settle()
    peer = table.peers[0]
    data = peer.player.orders_data(peer.match, [Step(1), Step(1)], peer.replay.log.count(0))
    monkeypatch.setattr(Stride, "private", True)
    draft = peer.player.draft(peer.match, [Step(1)])
    assert isinstance(draft.add(Step(1)), Violation)  # one's own program does not even plan it
    table.send(0, "orders", data)
    table.settle()
    match = table.peers[1].match
    assert match.machine.state.steps == 1
    assert match.asked(0) == ("walker",)
    assert match.position.plans is None
    assert table.agree()


def test_a_players_own_program_refuses_what_would_be_found_out_in_the_end(monkeypatch):
    def duty(self, s, f, seat, order, own):
        return Violation("WA-2", "a short stride is a breach of faith") if order.length == 0 else None

    monkeypatch.setattr(Stride, "duty", duty)
    table = Table(walk)
    table.settle()
    peer = table.peers[0]
    draft = peer.player.draft(peer.match)
    assert draft.add(Step(0)) == Violation("WA-2", "a short stride is a breach of faith")
    assert draft.entries == []
    assert not isinstance(draft.add(Step(1)), Violation)


class Whisper(Stride):
    """A stride that is sealed first."""

    name = "whisper"
    sealed = True

    def apply(self, s: Road, f: Walk, answers: Mapping[str, Step | Sealed], out: Out) -> Next:
        super().apply(s, f, answers, out)
        return Goto(Stride)


@pytest.mark.parametrize("mode", ["strict", "open"])
def test_what_follows_a_sealed_choice_of_one_player_is_a_plan(mode):
    """It waits for the opening, so what is not legal then is skipped; nobody is kept from opening what they sealed."""
    table = Table(replace(walk, sequences=(Sequence(Walk, Whisper(), Stride(), Stumble()),)), mode=mode)
    table.settle()
    peer = table.peers[0]
    orders = peer.player.orders_data(peer.match, [Step(1)], peer.replay.log.count(0))
    codes = walk.orders
    table.send(0, "orders", {**orders, "orders": codes.write_all([Step(7), Step(1), Step(1)])})
    table.settle()
    match = table.peers[1].match
    assert match.machine.state.steps == 3
    assert match.asked(0) == ("walker",)
    assert table.agree()


counted = replace(walk, facts=lambda s, seat: {"steps": s.steps, f"is/{seat}": 1})


def carried_out(*orders: Order) -> tuple[Table, Any]:
    """The first order at once, the others by plan behind the die."""
    table = Table(counted)
    table.settle()
    peer = table.peers[0]
    data = peer.player.orders_data(peer.match, [orders[0]], peer.replay.log.count(0))
    table.send(0, "orders", {**data, "orders": counted.orders.write_all(orders)})
    table.deliver()
    kind, owed = table.peers[1].player.owed(table.peers[1].match)[0]
    record, accepted = table.peers[1].seal(kind, owed)
    table.mail(record)
    table.settle()
    assert table.agree()
    return table, accepted


def line(length: int, text: str) -> PlanLine:
    tests, must, rest = parse_conditions(f"{text} step {length}")
    assert rest == f"step {length}"
    return PlanLine(Step(length), tests, must)


def test_a_line_whose_tests_do_not_hold_is_skipped():
    two = line(1, "if steps = 2 then")
    table, accepted = carried_out(
        Step(1), line(1, "if steps > 1 then"), line(1, "if steps = 1 and is/walker = 1 then"), two
    )
    assert table.peers[0].match.machine.state.steps == 3
    ended = next(event for event in accepted.events if isinstance(event, PlanEnded))
    assert [(order.tests, why) for order, why in ended.skipped] == [
        ((Comparison("steps", ">", 1),), "steps > 1 does not hold")
    ]
    assert ended.left == ()


def test_a_plan_stops_at_a_line_that_must_be_legal_and_skips_nothing():
    table, accepted = carried_out(Step(1), Step(7), line(7, "must"), Step(1))
    assert table.peers[0].match.machine.state.steps == 1
    assert accepted.lapsed.stopped == "must step 7 was not legal: a stride is short or long (WA-1)"
    assert [counted.orders.read_line(each) for each in accepted.lapsed.orders] == [line(7, "must"), Step(1)]


def test_a_line_that_must_be_legal_and_whose_tests_do_not_hold_is_skipped():
    table, _ = carried_out(Step(1), line(7, "if steps = 9 then must"), Step(1))
    assert table.peers[0].match.machine.state.steps == 2


@pytest.mark.parametrize(
    ("orders", "code"),
    [
        ([{"order": ["step", 1], "must": True}], "E-ORDER"),
        ([["step", 1], {"order": ["step", 1]}], "E-ORDER-FORM"),
        ([["step", 1], {"must": True, "order": ["fly"]}], "E-ORDER-FORM"),
        ([["step", 1], {"must": True, "order": ["step", True]}], "E-ORDER-FORM"),
    ],
)
def test_only_a_plan_has_conditions_and_in_one_form(orders: list[Any], code: str):
    table = Table(counted)
    table.settle()
    peer = table.peers[0]
    data = peer.player.orders_data(peer.match, [Step(1)], peer.replay.log.count(0))
    with pytest.raises(Refusal) as caught:
        table.send(0, "orders", {**data, "orders": orders})
    assert caught.value.code == code


def test_conditions_are_looked_at_when_they_are_typed():
    table = Table(counted)
    table.settle()
    peer = table.peers[0]
    draft = peer.player.draft(peer.match, [Step(1)])
    found = draft.add(line(1, "if stepz = 1 then"))
    assert str(found) == "'stepz' is not a fact that a plan can test; there are: steps, is/walker"
    assert draft.add(line(1, "if steps = 1 then must")) == ()
    assert str(Draft(peer.match, 0, {}).add(line(1, "must"))) == "Only a line of a plan has conditions"
    again, gone = Draft.load(peer.match, 0, {}, draft.dump())
    assert not gone
    assert [entry.order for entry in again.entries] == [Step(1), line(1, "if steps = 1 then must")]
    for wrong in ("if steps = 1 step 1", "if steps 1 then step 1", "if steps == 1 then step 1", "if then step 1"):
        with pytest.raises(Refusal) as caught:
            parse_conditions(wrong)
        assert caught.value.code == "E-NOTATION"
