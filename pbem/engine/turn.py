"""Orders and plans: what a player chooses (MEA-6, MEA-13, CHA-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pbem.engine.barrier import OPEN, ORDERS, Barrier, Change, Plans
from pbem.engine.machine import Batch, illegal
from pbem.engine.need import Known, Orders
from pbem.engine.obligation import Item
from pbem.engine.order import Order, Sealed, Violation
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
    if not (need.sealed or need.secret) and len(orders) < len(seats):
        raise Refusal("E-ORDER", "The record holds no order for a seat that was asked.", step="MEA-6")
    at_once = alone and not (need.sealed or need.secret or barrier.answers)
    if not at_once:
        orders = _take_beside(match, need, orders, seats, doing)
    barrier.standing += changes
    barrier.live.append(member)
    if alone:
        doing.batch = Batch(orders, match.genesis.seats_of(by), lambda slots: opened(match, slots), seats[-1])
    if at_once:
        pass_barrier(match)
        match.advance(doing)
    else:
        barrier.records.append(member)
        for seat in seats:
            del barrier.due["orders", seat]
        if barrier.due:
            return
        complete(match, doing)
    if doing.hides:
        raise Refusal("E-SEALED", "The record holds a sealed choice for which nobody asked.", step="MEA-6")
    if changes and alone and match.genesis.mode != OPEN_MODE and match.asked(by):
        raise Refusal(
            "E-POLICY",
            "Standing orders change only when their owner has finished ordering; more orders are due first.",
            step="MEA-13",
        )


def _take_beside(
    match: Match[Any], need: Orders, orders: list[Order], seats: tuple[str, ...], doing: Doing
) -> list[Order]:
    """The answer of each seat that is asked, kept until all are in; what follows in the record."""
    barrier, hidden = match.position.barrier, need.sealed or need.secret
    for at, seat in enumerate(seats):
        order = _take_hidden(match, need, seat, doing) if hidden else checked(match, seat, orders[at])
        barrier.answers[seat] = b"" if hidden else match.game.orders.pack(order)
    rest = orders if hidden else orders[len(seats) :]
    if not barrier.alone and (rest or doing.hides):
        raise Refusal("E-ORDER", "Where others choose as well, nothing can follow one's own choice.", step="MEA-6")
    return rest


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
        match.loosen(doing)
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
    if doing.batch is not None:
        return _take_batch(match, need, doing.batch, doing)
    plans = match.position.plans
    return plans is not None and _follow_plan(match, need, plans, doing)


def _take_batch(match: Match[Any], need: Orders, batch: Batch, doing: Doing) -> bool:
    """No chance lay between: the next choice of each seat that is asked, which must be legal."""
    hidden = need.secret and bool(doing.hides)
    if not set(need.seats) <= set(batch.seats) or (
        not hidden and (need.sealed or need.secret or len(batch.left) < len(need.seats))
    ):
        return False
    orders: dict[str, Order] = {}
    for seat in need.seats:
        if hidden:
            orders[seat] = _take_hidden(match, need, seat, doing)
        else:
            orders[seat] = checked(match, seat, batch.orders[batch.at])
            batch.at += 1
            batch.seat = seat
    match.machine.answer(orders, doing.out)
    return True


def _follow_plan(match: Match[Any], need: Orders, plans: Plans, doing: Doing) -> bool:
    """The first planned order that is legal, of a kind that the decision takes; those before it are skipped (MEA-6)."""
    decision = match.machine.decision
    if need.seats != (plans.seat,) or not decision.is_planned:
        return False
    while plans:
        order = match.unpack(plans.next())
        if not isinstance(order, decision.takes):
            break
        fault = _fault(match, plans.seat, order)
        if fault is None:
            if match.watch is not None:
                match.watch.chose(match, plans.seat, order)
            plans = plans.taken()
            match.position.plans = plans if plans or plans.skipped else None
            match.machine.answer({plans.seat: order}, doing.out)
            return True
        plans = plans.skip(fault.sentence if isinstance(fault, Refusal) else str(fault))
    match.position.plans = plans
    return False


def checked(match: Match[Any], seat: str, order: Order) -> Order:
    """The order, which is legal for the seat now, and what it must open is open; else E-ORDER."""
    fault = _fault(match, seat, order)
    if fault is not None:
        raise fault if isinstance(fault, Refusal) else illegal(seat, fault)
    if match.watch is not None:
        match.watch.chose(match, seat, order)
    return order


def _fault(match: Match[Any], seat: str, order: Order) -> Refusal | Violation | None:
    try:
        proof = opened(match, match.machine.opens(seat, order))
    except Refusal as refusal:
        return refusal
    return match.machine.check(seat, order, proof)


def opened(match: Match[Any], slots: tuple[str, ...]) -> Known:
    """The values of slots that an order uses; all must be open (E-ORDER)."""
    proof = match.known(slots)
    for slot in slots:
        if slot not in proof:
            raise Refusal("E-ORDER", f"The order uses {slot} and does not open it.", step="MEA-6")
    return proof


def _take_hidden(match: Match[Any], need: Orders, seat: str, doing: Doing) -> Sealed:
    if doing.hides.pop(need.slot(seat), None) != seat:
        raise Refusal(
            "E-SEALED", f"The choice of {seat} has to be sealed, and the record does not seal it.", step="MEA-6"
        )
    if match.watch is not None:
        match.watch.chose(match, seat, None)
    return Sealed(need.slot(seat))


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
        raise Refusal("E-POLICY", "The record changes the same standing orders twice.", step="MEA-13")
    return out


def orders_barrier(match: Match[Any], need: Orders, answers: dict[str, bytes]) -> Barrier:
    """The barrier at which those seats of the need order that have not answered."""
    asked = tuple([seat for seat in need.seats if seat not in answers]) if answers else need.seats
    due: dict[Item, int] = {("orders", seat): match.genesis.player_of(seat) for seat in asked}
    alone = len(set(due.values())) == 1
    return Barrier(ORDERS, due, asked, alone, dict(answers))
