"""Thousands of orders planned behind dice cost as much each as a few do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass

import pytest

from pbem.engine import turn
from pbem.engine.barrier import Plans
from pbem.engine.event import Out
from pbem.engine.game import Game, Scenario, Seat
from pbem.engine.need import Draw, Known, Result
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, OrderCodes, Sealed, Violation
from pbem.engine.step import DONE, Decide, Frame, Goto, Next, Roll, Sequence
from pbem.engine.testing.table import Table
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
    orders=OrderCodes((Step,)),
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


def planned(monkeypatch: pytest.MonkeyPatch, count: int) -> int:
    """How many orders are touched when so many are planned behind one die."""
    monkeypatch.setattr(turn, "Plans", lambda by, orders, firm: Plans(by, Counted(orders), firm=firm))
    table = Table(walk)
    table.settle()
    table.order(0, [Step(1)] * (count + 1))
    match = table.peers[1].match
    table.deliver()
    assert len(match.position.plans.orders) == count
    Counted.touched = 0
    kind, data = table.peers[1].player.owed(match)[0]
    _, accepted = table.peers[1].seal(kind, data)
    match = table.peers[1].match
    assert accepted.lapsed == ()
    assert (match.machine.state.steps, match.machine.state.thrown) == (count + 1, count + 1)
    assert match.position.plans is None
    return Counted.touched


def test_each_planned_order_is_touched_a_few_times_however_many_follow_it(monkeypatch):
    assert PLANNED < MAX_ORDERS
    few, many = planned(monkeypatch, PLANNED // 10), planned(monkeypatch, PLANNED)
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
    assert accepted.lapsed_by == 0
    assert [codes.unpack(raw) for raw in accepted.lapsed] == [Step(1), Step(1)]
    table.mail(record)
    table.settle()
    assert table.agree()
    assert table.peers[0].match.machine.state.at == "guest"


@pytest.mark.parametrize("mode", ["strict", "open"])
def test_what_follows_chance_comes_to_nothing_if_it_is_not_legal_in_every_mode(mode):
    """In mode `open` the dice are at hand: it is a plan all the same."""
    table = Table(walk, mode=mode)
    table.settle()
    table.order(0, [Step(1), Step(1), Step(7), Step(1)])
    table.settle()
    match = table.peers[1].match
    assert match.machine.state.steps == 2
    assert match.asked(0) == ("walker",)
    assert table.agree()


@pytest.mark.parametrize("mode", ["strict", "open"])
def test_no_plan_answers_what_only_its_seat_can_judge(mode, monkeypatch):
    monkeypatch.setattr(Stride, "private", True)
    table = Table(walk, mode=mode)
    table.settle()
    table.order(0, [Step(1), Step(1)])
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
