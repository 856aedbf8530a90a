"""Orders and plans: what a player chooses (MEA-6, MEA-13, CHA-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pbem.engine.barrier import OPEN, ORDERS, Barrier, Change, Plans
from pbem.engine.need import Orders
from pbem.engine.obligation import Item
from pbem.engine.order import Order, Sealed, Violation
from pbem.engine.straight import Illegal, take_straight, unopened
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import OPEN as OPEN_MODE
from pbem.protocol.record import Record

if TYPE_CHECKING:
    from pbem.engine.match import Doing, Match


def take(match: Match[Any], record: Record, doing: Doing) -> None:
    """A record of kind `orders`."""
    position, by, data = match.position, record.by, record.data
    barrier = position.barrier
    seats = match.asked(by)
    if not seats:
        raise Refusal("E-TURN", "Orders came from a player who was not asked for any.", step="MEA-2")
    if data["state"] != match.state_hash():
        raise Refusal(
            "E-DESYNC",
            "The author's program sees another position: its rules or its data differ. Nobody need have cheated.",
            step="MEA-7",
        )
    orders = match.game.orders.unpack_all(data["orders"])
    match.ledger.apply(record)
    match.spoiled = True
    if match.ledger.spoiled is not None:
        match.stop(doing)
        return
    hidden = data.get("hide", ())
    doing.hides = {slot: seat for slot, seat, *_ in hidden}
    if len(doing.hides) < len(hidden):
        raise Refusal("E-SEALED", "The record seals two choices in one slot.", step="MEA-6")
    need = cast(Orders, match.machine.need)
    alone = barrier.alone
    changes = _changes(match, record) if "standing" in data else []
    if position.proposals:
        position.proposals.clear()  # MEA-8: nobody keeps one back until he has seen what his orders bring
    member = (by, record.id, record.seq)
    watched = match.watch is not None or match.look is not None
    if alone and not need.sealed and not need.secret and not barrier.answers and not watched:
        barrier.standing += changes
        barrier.live.append(member)
        pass_barrier(match)
        _take_straight(match, orders, seats, doing)
    else:
        rest = _take_each(match, orders, seats, alone, doing)
        barrier.standing += changes
        barrier.live.append(member)
        barrier.records.append(member)
        for seat in seats:
            del barrier.due["orders", seat]
        if barrier.due:
            return
        if rest or doing.hides:
            position.plans = Plans(by, seats[-1], tuple(map(match.game.orders.pack, rest)), firm=True)
        complete(match, doing)
    if doing.hides:
        raise Refusal("E-SEALED", "The record holds a sealed choice for which nobody asked.", step="MEA-6")
    if changes and alone and match.genesis.mode != OPEN_MODE and match.asked(by):
        raise Refusal(
            "E-STANDING",
            "Standing orders change only when their owner has finished ordering; more orders are due first.",
            step="MEA-13",
        )


def _take_each(
    match: Match[Any], orders: list[Order], seats: tuple[str, ...], alone: bool, doing: Doing
) -> list[Order]:
    """The answer of each seat that is asked; what follows in the record."""
    need = cast(Orders, match.machine.need)
    answers: dict[str, bytes] = {}
    for seat in seats:
        if need.sealed or need.secret:
            _take_hidden(need, seat, doing)
            if match.watch is not None:
                match.watch.chose(match, seat, None)
            answers[seat] = b""
            continue
        if len(answers) == len(orders):
            raise _empty()
        order = orders[len(answers)]
        check(match, seat, order)
        answers[seat] = match.game.orders.pack(order)
    rest = orders if need.sealed or need.secret else orders[len(answers) :]
    if not alone and (rest or doing.hides):
        raise Refusal("E-ORDER", "Where others choose as well, nothing can follow one's own choice.", step="MEA-6")
    match.position.barrier.answers.update(answers)
    return rest


def _take_straight(match: Match[Any], orders: list[Order], seats: tuple[str, ...], doing: Doing) -> None:
    """One player is asked, and openly: his orders one after another, and what remains as plans."""
    if len(orders) < len(seats):
        raise _empty()
    taken, last = 0, seats[-1]
    if len(seats) > 1:
        taken = len(seats)
        answers = dict(zip(seats, orders, strict=False))
        for seat, order in answers.items():
            check(match, seat, order)
        match.machine.answer(answers, doing.out)
    own = match.genesis.seats_of(doing.by)
    try:
        taken, seat = take_straight(match.machine, orders, taken, own, match.known, doing.out)
    except Illegal as illegal:
        raise _illegal(illegal.seat, illegal.violation) from None
    if taken < len(orders) or doing.hides:
        rest = tuple(map(match.game.orders.pack, orders[taken:]))
        match.position.plans = Plans(doing.by, seat or last, rest, firm=True)
    match.advance(doing)


def _empty() -> Refusal:
    return Refusal("E-EMPTY", "The record holds no order for a seat that was asked.", step="MEA-6")


def _illegal(seat: str, violation: Violation) -> Refusal:
    return Refusal("E-ORDER", f"Not legal for {seat}: {violation}.", step="MEA-6")


def pass_barrier(match: Match[Any]) -> None:
    """The choices of a barrier are in: new standing orders hold, and a new key is due (MEA-13, CHA-6)."""
    position = match.position
    barrier = position.barrier
    if barrier.standing:
        for change in sorted(barrier.standing, key=lambda each: (each.seat, each.decision)):
            match.machine.set_standing(change.seat, change.decision, change.policy())
    if barrier.live:
        position.group = tuple(sorted(barrier.live))
        if match.genesis.mode != OPEN_MODE:
            position.key = None
            position.drawn.clear()


def complete(match: Match[Any], doing: Doing) -> None:
    """All seats that were asked have answered."""
    pass_barrier(match)
    position = match.position
    barrier = position.barrier
    need = cast(Orders, match.machine.need)
    if need.sealed:
        due: dict[Item, int] = {("open", need.slot(seat)): match.genesis.player_of(seat) for seat in need.seats}
        position.barrier = Barrier(OPEN, due, barrier.asked, barrier.alone)
        return
    hand_over(match, need, barrier.answers, doing)
    match.advance(doing)


def hand_over(match: Match[Any], need: Orders, answers: dict[str, bytes], doing: Doing) -> None:
    """The packed answers of all seats to the machine."""
    orders: dict[str, Order] = {}
    for seat in need.seats:
        orders[seat] = Sealed(need.slot(seat)) if need.secret else match.unpack(answers[seat])
    match.machine.answer(orders, doing.out)


def go_on(match: Match[Any], need: Orders, doing: Doing) -> bool:
    """Take what the record still holds, if it is for this; False: nothing was taken."""
    plans = match.position.plans
    if plans is None:
        return False
    return _take_firm(match, need, plans, doing) if plans.firm else _follow_plan(match, need, plans, doing)


def _take_firm(match: Match[Any], need: Orders, plans: Plans, doing: Doing) -> bool:
    """No chance lay between: the next order of each seat that is asked, which must be legal."""
    if any(match.genesis.player_of(seat) != plans.by for seat in need.seats):
        return False
    orders: dict[str, Order] = {}
    if need.secret and doing.hides:
        for seat in need.seats:
            _take_hidden(need, seat, doing)
            if match.watch is not None:
                match.watch.chose(match, seat, None)
            orders[seat] = Sealed(need.slot(seat))
    elif need.sealed or need.secret or len(plans) < len(need.seats):
        return False
    else:
        for seat, raw in zip(need.seats, plans.next(len(need.seats)), strict=True):
            order = match.unpack(raw)
            check(match, seat, order)
            orders[seat] = order
        plans = plans.after(need.seats)
    match.position.plans = plans if plans or doing.hides else None
    match.machine.answer(orders, doing.out)
    return True


def _follow_plan(match: Match[Any], need: Orders, plans: Plans, doing: Doing) -> bool:
    """The first planned order that is legal, of a kind that the decision takes; those before it are skipped (MEA-6)."""
    decision = match.machine.decision
    if need.seats != (plans.seat,) or not decision.is_planned:
        return False
    while plans:
        order = match.unpack(plans.next(1)[0])
        if not isinstance(order, decision.takes):
            break
        fault = _fault(match, plans.seat, order)
        if fault is None:
            if match.watch is not None:
                match.watch.chose(match, plans.seat, order)
            plans = plans.after(need.seats)
            match.position.plans = plans if plans or plans.skipped else None
            match.machine.answer({plans.seat: order}, doing.out)
            return True
        plans = plans.skip(fault.sentence if isinstance(fault, Refusal) else str(fault))
    match.position.plans = plans
    return False


def check(match: Match[Any], seat: str, order: Order) -> None:
    """The order is legal for the seat now, and what it must open is open; else E-ORDER or E-UNOPENED."""
    fault = _fault(match, seat, order)
    if fault is not None:
        raise fault if isinstance(fault, Refusal) else _illegal(seat, fault)
    if match.watch is not None:
        match.watch.chose(match, seat, order)


def _fault(match: Match[Any], seat: str, order: Order) -> Refusal | Violation | None:
    machine = match.machine
    slots: tuple[str, ...] = ()
    if isinstance(order, machine.decision.takes):
        slots = machine.opens(seat, order)
    proof = match.known(slots) if slots else {}
    if len(proof) < len(slots):
        return unopened(next(slot for slot in slots if slot not in proof))
    return machine.check(seat, order, proof)


def _take_hidden(need: Orders, seat: str, doing: Doing) -> None:
    if doing.hides.pop(need.slot(seat), None) != seat:
        raise Refusal(
            "E-SEALED", f"The choice of {seat} has to be sealed, and the record does not seal it.", step="MEA-6"
        )


def _changes(match: Match[Any], record: Record) -> list[Change]:
    out = []
    for seat, decision, policy in record.data.get("standing", ()):
        if seat not in match.genesis.seats_of(record.by):
            raise Refusal("E-SEAT", "Standing orders are for a seat that their author does not hold.", step="MEA-13")
        if isinstance(policy, list):
            change = Change(seat, decision, sealed=policy[0])
        else:
            change = Change(seat, decision, public=policy)
        match.machine.check_standing(seat, decision, change.policy())
        out.append(change)
    if len({(each.seat, each.decision) for each in out}) < len(out):
        raise Refusal("E-STANDING", "The record changes the same standing orders twice.", step="MEA-13")
    return out


def orders_barrier(match: Match[Any], need: Orders, answers: dict[str, bytes]) -> Barrier:
    """The barrier at which those seats of the need order that have not answered."""
    asked = tuple([seat for seat in need.seats if seat not in answers]) if answers else need.seats
    due: dict[Item, int] = {("orders", seat): match.genesis.player_of(seat) for seat in asked}
    alone = len(set(due.values())) == 1
    return Barrier(ORDERS, due, asked, alone, dict(answers))
