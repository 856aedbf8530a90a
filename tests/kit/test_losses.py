"""Step losses: everybody chosen is one of those who may be, each first one once, and no step too many."""

from __future__ import annotations

from dataclasses import dataclass

from grounds import plain_board
from hypothesis import given
from hypothesis import strategies as st

from pbem.game import DONE, STAY, Next, Order, Out, Violation
from pbem.kit import Fielded, Losses, Roster, TakeSteps, foremost, victims

BOARD = plain_board(2, 2)


@dataclass(frozen=True, slots=True)
class Hit(Order):
    unit: int


class Army(Fielded):
    def __init__(self, steps):
        self.steps = dict(enumerate(steps))
        self.ground = Roster(BOARD, ["a"] * len(steps), ((unit, 101) for unit in self.steps))


class Suffer(TakeSteps[Army, Losses, Hit]):
    rule = "T-1"

    def order(self, unit: int) -> Hit:
        return Hit(unit)

    def take(self, s: Army, f: Losses, order: Hit, out: Out) -> Next:
        s.steps[order.unit] -= 1
        if not s.steps[order.unit]:
            s.ground.move(order.unit, 0)
        return STAY if victims(s, f) else DONE


class Inflict(Suffer):
    def picks(self, s: Army, f: Losses) -> str:
        return "b"


@given(st.lists(st.integers(1, 3), min_size=1, max_size=5), st.integers(0, 9), st.sets(st.integers(0, 4)), st.data())
def test_steps_are_lost_one_at_a_time(steps, count, first, data):
    s, step = Army(steps), data.draw(st.sampled_from([Suffer(), Inflict()]))
    first = tuple(sorted(unit for unit in first if unit < len(steps)))
    f, lost = Losses("a", tuple(range(len(steps))), count, first), []
    while step.by(s, f):
        assert step.by(s, f) == (("a",) if type(step) is Suffer else ("b",))
        may = list(step.options(s, f, "a"))
        assert [order.unit for order in may] == [
            unit for unit in range(len(steps)) if s.steps[unit] and (unit in f.first or not f.first)
        ]
        order = data.draw(st.sampled_from(may))
        assert step.check(s, f, "a", order, {}) is None
        wrong = Hit(len(steps))
        assert isinstance(step.check(s, f, "a", wrong, {}), Violation)
        step.apply(s, f, {"a": order}, Out())
        lost.append(order.unit)
    assert len(lost) == min(count, sum(steps))
    assert set(lost[: len(first)]) == set(first[:]) if count >= len(first) else set(lost) <= set(first)
    assert all(s.steps[unit] == steps[unit] - lost.count(unit) for unit in range(len(steps)))


def test_those_who_come_first():
    assert foremost((1, 2, 3, 4), lambda u: u > 9, lambda u: u % 2 == 0, lambda u: u == 1) == (2, 4)
    assert foremost((1, 3), lambda u: u > 9) == ()
