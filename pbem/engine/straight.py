"""The fast way through a record of many orders: the same steps as `Machine.run` and `answer` take, without the stops.

While one decision after another asks the same player openly, no `Need` is made and no answer is looked up: most of a
turn of a hundred moves is spent here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.engine.event import Out
from pbem.engine.machine import Machine
from pbem.engine.need import NOTHING_KNOWN, Known, Orders
from pbem.engine.order import Order, Violation
from pbem.engine.step import STAY, misplaced
from pbem.protocol.errors import Refusal


class Illegal(Exception):  # noqa: N818 - not an error of ours
    """An order that may not be given; the machine stands where it has no business and must be thrown away."""

    def __init__(self, seat: str, violation: Violation) -> None:
        super().__init__(str(violation))
        self.seat = seat
        self.violation = violation


def unopened(slot: str) -> Refusal:
    return Refusal("E-UNOPENED", f"The order uses {slot} and does not open it.", step="MEA-6")


def take_straight(
    machine: Machine[Any],
    orders: Sequence[Order],
    count: int,
    seats: tuple[str, ...],
    known: Callable[[tuple[str, ...]], Known],
    out: Out,
) -> tuple[int, str]:
    """Take the orders from number `count` on, as long as one of these seats alone is asked, openly.

    The number reached, and which seat ordered last (none: empty). `known` gives the values of those of the slots that
    are open.
    """
    seat = ""
    state, stack, total = machine.state, machine._stack, len(orders)
    while count < total and machine.over is None:
        need, place = machine.need, stack[-1]
        seq, at, frame = place.seq, place.at, place.frame
        if not seq.open[at]:
            if need is None and isinstance(machine.run(out), Orders):
                continue
            return count, seat
        step: Any = seq.steps[at]
        may_answer_itself = step.forced or step.name in machine._standing
        if need is None:
            if may_answer_itself or machine._given is not None:
                machine.run(out)
                continue
            if seq.conditional[at] and not step.when(state, frame):
                machine._onwards(place, out)
                continue
            asked = step.by(state, frame)
            if not asked:
                machine._onwards(place, out)
                continue
            if len(asked) != 1 or asked[0] not in seats:
                return count, seat
            machine.serial += 1
        else:
            if not isinstance(need, Orders) or len(need.seats) != 1 or need.committed or machine._given:
                return count, seat
            asked = need.seats
            if asked[0] not in seats:
                return count, seat
            machine.need = machine._given = None
        machine._committed = ()
        # The same step may ask the same seat again, which needs none of this to be looked up anew.
        seat, takes, opening = asked[0], step.takes, seq.opening[at]
        check, apply, by = step.check, step.apply, step.by
        when = step.when if seq.conditional[at] else None
        while True:
            order = orders[count]
            if not isinstance(order, takes):
                raise Illegal(seat, misplaced(step, state, frame, seat, order))
            proof = _proof(step.opens(state, frame, seat, order), known) if opening else NOTHING_KNOWN
            violation = check(state, frame, seat, order, proof)
            if violation is not None:
                raise Illegal(seat, violation)
            count += 1
            following = apply(state, frame, {seat: order}, out)
            if following is not STAY:
                machine._follow(place, following, out)
                break
            if count == total or may_answer_itself or (when is not None and not when(state, frame)):
                break
            if by(state, frame) != asked:
                break
            machine.serial += 1
    return count, seat


def _proof(slots: tuple[str, ...], known: Callable[[tuple[str, ...]], Known]) -> Known:
    """What is opened with an order."""
    proof = known(slots) if slots else NOTHING_KNOWN
    closed = [slot for slot in slots if slot not in proof]
    if closed:
        raise unopened(closed[0])
    return proof
