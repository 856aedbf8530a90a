"""The engine's contract with every game, at any position: properties that hold whatever the rules are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from itertools import islice
from typing import Any, TypeVar

from pbem.engine.bots import Randomness
from pbem.engine.event import Out
from pbem.engine.machine import Machine
from pbem.engine.match import Match
from pbem.engine.need import NOTHING_KNOWN, Known, Orders
from pbem.engine.notation import NotationError
from pbem.engine.order import Order, Violation
from pbem.engine.player import Player
from pbem.engine.testing.driver import Driver
from pbem.engine.testing.scripted import Chance
from pbem.fairplay.commitments import pad
from pbem.protocol.canonical import pack, unpack
from pbem.protocol.limits import MAX_FILE
from pbem.protocol.log import Log

S = TypeVar("S")
Invariant = Callable[[Any], None]
"""Takes the state; an AssertionError says what is wrong with it."""
MAX_LISTED = 20_000  # legal orders that are listed to see whether one is among them


class Earlier:
    """Orders that seats gave, or could have given, earlier in a game: `check` may have forgotten why they are over."""

    def __init__(self, most: int = 2_000) -> None:
        self._most = most
        self._given: dict[str, dict[Order, None]] = {}
        self._legal: dict[str, dict[Order, None]] = {}

    def give(self, seat: str, order: Order) -> None:
        self._keep(self._given, seat, order)

    def list(self, seat: str, orders: Iterable[Order]) -> None:
        for order in orders:
            self._keep(self._legal, seat, order)

    def some(self, seat: str, kinds: tuple[type[Order], ...], choices: Randomness, most: int = 30) -> Iterator[Order]:
        """The last ones that were given, and any others, of these kinds."""
        for kept, last in ((self._given, True), (self._legal, False)):
            orders = [order for order in kept.get(seat, ()) if isinstance(order, kinds)]
            yield from orders[-most:] if last else (orders[choices.below(len(orders))] for _ in orders[:most])

    def _keep(self, kept: dict[str, dict[Order, None]], seat: str, order: Order) -> None:
        orders = kept.setdefault(seat, {})
        orders.pop(order, None)
        orders[order] = None
        if len(orders) > self._most:
            del orders[next(iter(orders))]


def check_position(
    driver: Driver[S],
    *,
    choices: Randomness | None = None,
    sample: int = 200,
    complete: bool = False,
    invariants: tuple[Invariant, ...] = (),
    earlier: Earlier | None = None,
) -> None:
    """Hold the position that the driver stands at against the engine's contract.

    Every seat that is asked has a legal order; each of `sample` of these passes `check`, and round trips; orders that
    are a little wrong are judged without an error; first steps lead to all legal orders and to no others; what standing
    orders can answer is what may be typed as such; words beside orders and warnings before sealing can be said; saving
    and loading changes nothing.

    `complete`: whatever `check` lets pass must be among the legal orders, unless these are `sampled`; so of the orders
    of `earlier`, too.
    """
    for invariant in invariants:
        invariant(driver.state)
    machine, choices = driver.machine, choices or Chance("bent")
    for seat in driver.asked:
        assert type(seat) is str, f"{machine.decision.name} asks {seat!r}, which is not plain text"
        own = driver.own(seat)
        orders = list(islice(machine.legal(seat, own), sample + 1))
        assert orders, f"{seat} is asked to {machine.decision.name} and has no legal order"
        assert len(set(orders)) == len(orders), f"legal orders of {machine.decision.name} repeat themselves"
        for order in orders:
            driver.judging = seat, order
            check_order(machine, seat, order, own)
            driver.judging = None
        passed = []
        for wrong in filter(machine.game.orders.fits, bent_orders(orders, choices)):
            verdict = driver.check(seat, wrong)
            assert verdict is None or isinstance(verdict, Violation), f"check of {wrong} answered {verdict!r}"
            passed += [wrong] if verdict is None and wrong not in orders else []
        if complete:
            check_listed(machine, seat, own, passed, "is not listed as legal")
        if complete and earlier is not None:
            before = earlier.some(seat, machine.decision.takes, choices)
            passed = [order for order in before if machine.check(seat, order, own) is None and order not in orders]
            check_listed(machine, seat, own, passed, "was legal earlier and is not listed as legal now")
            earlier.list(seat, orders[:sample])
        check_first(machine, seat, own)
        check_words(machine, seat, orders, own)
        check_boxes(machine, seat, own)
        step = machine.decision
        named = step.answers(machine.state, machine.frame, seat, own)
        unknown = [name for name in named if not step.is_answer(machine.state, name)]
        assert not unknown, f"{step.name} answers {unknown}, which its answer_names lack"
        facts = step.facts(machine.state, machine.frame, seat, NOTHING_KNOWN)
        unknown = [name for name in facts if name not in step.fact_names]
        assert not unknown, f"{step.name} has the facts {unknown}, which its fact_names lack"
    check_saving(driver)


def check_player(player: Player, match: Match[Any], log: Log) -> None:
    """The player can go on: the program can make all that it owes, and a player who is asked has a legal order to seal.

    Where this fails, with honest players, the game can never end.
    """
    due = [each.what for each in match.pending() if each.by == player.number and each.automatic]
    if due:
        assert player.owed(match), f"player {player.number} owes {due}, and the program makes nothing of it"
        return
    seats = match.asked(player.number)
    if not seats:
        return
    draft = player.draft(match)
    for seat in seats:
        order = next(iter(draft.legal()), None)
        assert order is not None, f"{seat} is asked and has no legal order"
        found = draft.add(order)
        assert isinstance(found, tuple), f"a legal order is refused: {order}: {found}"
    data = player.orders_data(match, draft, log.count(player.number))
    match.copy().accept(player.record(log, match, "orders", data, at=0))


def check_order(machine: Machine[Any], seat: str, order: Order, own: Known) -> None:
    """A legal order passes its own check, its forms read back, and what a list shows means it."""
    codes, notation = machine.game.orders, machine.game.notation
    violation = machine.check(seat, order, own)
    assert violation is None, f"legal lists {order}, check says: {violation}"
    violation = machine.duty(seat, order, own)
    assert violation is None, f"legal lists {order}, duty says: {violation}"
    assert codes.fits(order), f"{order} has fields of other types than declared"
    text = notation.write(order)
    try:
        again = notation.read(text)
    except NotationError as error:
        raise AssertionError(f"{order} is written {text!r}, which cannot be read; is a name missing?") from error
    assert again == order, f"{text!r} reads back as {again}"
    shown = notation.show(order)
    if shown != text:
        typed = notation.parse(shown, machine.context(seat, own))
        assert typed == (order,), f"{shown!r} is shown for {order} and means {typed}"


def check_boxes(machine: Machine[Any], seat: str, own: Known) -> None:
    """Everybody sees how large a box is: of a sealed choice all legal orders fill boxes of one size (HID-1)."""
    step = machine.decision
    if (step.sealed or step.secret) and not step.uneven:
        legal = islice(machine.legal(seat, own), MAX_LISTED)
        sizes = {len(pad(machine.game.orders.pack(order))) for order in legal}
        assert len(sizes) == 1, f"boxes of {step.name} have {sorted(sizes)} bytes, which tells of the choice"


def check_listed(machine: Machine[Any], seat: str, own: Known, passed: list[Order], fault: str) -> None:
    """What `check` lets pass is listed, but for orders of which `legal` lists only some, or `duty` forbids it."""
    missing = {order: None for order in passed if not order.sampled}
    for order in islice(machine.legal(seat, own) if missing else (), MAX_LISTED):
        missing.pop(order, None)
        if not missing:
            return
    long = any(True for _ in islice(machine.legal(seat, own) if missing else (), MAX_LISTED, MAX_LISTED + 1))
    for order in () if long else missing:
        assert machine.duty(seat, order, own) is not None, f"check lets {order} pass, which {fault}"


def check_first(machine: Machine[Any], seat: str, own: Known) -> None:
    """The orders of all first steps together are the legal orders; each first step has some, and they begin with it."""
    name, notation, view = machine.decision.name, machine.game.notation, machine.view((seat,), own)
    listed = dict.fromkeys(islice(machine.legal(seat, own), MAX_LISTED + 1))
    legal = machine.legal(seat, own)
    found: dict[Order, None] = {}
    for key in legal.first:
        orders = tuple(legal.picked(key))
        assert orders, f"the first step {key} of {name} leads to no order"
        for order in orders:
            keys = notation.begins(order, view)
            assert key in keys, f"{notation.write(order)!r} is listed for {key}; it begins with {' or '.join(keys)}"
        found.update(dict.fromkeys(orders))
    if len(listed) <= MAX_LISTED:
        missing = [order for order in listed if order not in found] or [each for each in found if each not in listed]
        assert not missing, f"first steps and legal orders of {name} differ in {notation.write(missing[0])!r}"


def check_words(machine: Machine[Any], seat: str, orders: list[Order], own: Known) -> None:
    """What stands beside orders in a list, and what is said to be left undone, are texts."""
    game, view = machine.game, machine.view((seat,), own)
    said = [game.notation.sentence(order, view) for order in orders]
    if game.left_undone is not None:
        said += [line for order in (None, orders[0], orders[-1]) for line in game.left_undone(view, seat, order)]
    wrong = [text for text in said if type(text) is not str]
    assert not wrong, f"{machine.decision.name} says {wrong[0]!r} beside an order, or of what is left undone"


def check_saving(driver: Driver[S]) -> None:
    """A machine that was saved and loaded has the same digest, waits for the same, and lists the same orders."""
    machine = driver.machine
    raw = pack(machine.dump())
    again = Machine.load(driver.game, driver.setup, unpack(raw, limit=MAX_FILE))
    assert pack(again.dump()) == raw, "a loaded machine dumps otherwise"
    assert again.digest() == machine.digest(), "a loaded machine has another digest"
    assert again.run(Out()) == machine.need, "a loaded machine waits for something else"
    if isinstance(machine.need, Orders):
        for seat in machine.need.seats:
            own = driver.own(seat)
            same = list(islice(again.legal(seat, own), 50)) == list(islice(machine.legal(seat, own), 50))
            assert same, f"a loaded machine lists other orders for {seat}: does a set's order matter?"


def bent_orders(orders: list[Order], choices: Randomness) -> Iterator[Order]:
    """Some legal orders with one field changed, within its type: as another legal order has it, or at random."""
    for _ in range(min(len(orders), 8)):
        order = orders[choices.below(len(orders))]
        names = [field.name for field in fields(order)]  # type: ignore[arg-type]
        if not names:
            continue
        values = {name: getattr(order, name) for name in names}
        name = names[choices.below(len(names))]
        other = orders[choices.below(len(orders))]
        if type(other) is type(order) and getattr(other, name) != values[name]:
            values[name] = getattr(other, name)
        else:
            values[name] = bent(values[name], choices)
        changed = type(order)(**values)
        if changed != order:
            yield changed


def bent(value: Any, choices: Randomness) -> Any:
    """Another value of the same type."""
    below = choices.below
    if isinstance(value, bool):
        return not value
    if type(value) is int:
        return (value + 1, value - 1, -value, 0, value + 100, -(2**63), 2**63 - 1)[below(7)]
    if type(value) is str:
        return ("", value + "x", value[:-1], "none", "deck/1/0", "\x00", "ß" * 20)[below(7)]
    if isinstance(value, tuple) and value:
        place = below(len(value))
        changed = (
            value[:place] + value[place + 1 :],
            (*value, value[place]),
            tuple(reversed(value)),
            (*value[:place], bent(value[place], choices), *value[place + 1 :]),
            (),
        )
        return changed[below(5)]
    return value
