"""A choice that stays committed until it is due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import pytest

from pbem.engine.definition import Game, Result, Scenario, Seat
from pbem.engine.event import Out
from pbem.engine.machine import Machine
from pbem.engine.need import Known, Openings, Orders
from pbem.engine.notation import Notation, Verb
from pbem.engine.order import Order, Sealed, Violation
from pbem.engine.step import DONE, STAY, Decide, End, Frame, Next, Open, Secret, Sequence
from pbem.engine.testing import Driver, IllegalOrderError, check_position
from pbem.protocol.errors import Refusal


@dataclass
class Table:
    slots: dict[str, str] = field(default_factory=dict)
    rounds: int = 0


@dataclass
class Round(Frame):
    pass


@dataclass(frozen=True, slots=True)
class Hex(Order):
    number: int


@dataclass(frozen=True, slots=True)
class Knock(Order):
    pass


def possible(order: Order) -> Violation | None:
    return None if isinstance(order, Hex) and 1 <= order.number <= 6 else Violation("1", "There are six hexes")


class Hide(Secret[Table, Round, Hex]):
    takes = (Hex,)

    def by(self, s: Table, f: Round) -> tuple[str, ...]:
        return ("a", "b")

    def legal(self, s: Table, f: Round, seat: str, own: Known) -> Iterator[Hex]:
        return map(Hex, range(1, 7))

    def check(self, s: Table, f: Round, seat: str, order: Hex, proof: Known) -> Violation | None:
        return possible(order)

    def hide(self, s: Table, f: Round, slots: Mapping[str, str], out: Out) -> Next:
        s.slots.update(slots)
        return DONE


class Wait(Decide[Table, Round, Knock]):
    takes = (Knock,)

    def by(self, s: Table, f: Round) -> tuple[str, ...]:
        return ("a",)

    def legal(self, s: Table, f: Round, seat: str, own: Known) -> Iterator[Knock]:
        yield Knock()

    def check(self, s: Table, f: Round, seat: str, order: Knock, proof: Known) -> Violation | None:
        return None

    def apply(self, s: Table, f: Round, answers: Mapping[str, Knock], out: Out) -> Next:
        s.rounds += 1
        return DONE if s.rounds == 2 else STAY


class Unveil(Open[Table, Round]):
    def slots(self, s: Table, f: Round) -> tuple[str, ...]:
        return tuple(s.slots.values())

    def check(self, s: Table, f: Round, slot: str, order: Order) -> Violation | None:
        return possible(order)

    def run(self, s: Table, f: Round, opened: Mapping[str, Order], out: Out) -> Next:
        numbers = {seat: opened[slot] for seat, slot in s.slots.items()}
        a, b = (order.number for order in numbers.values() if isinstance(order, Hex))
        return End(Result("a" if a > b else "b", "hexes", (("a", a), ("b", b))))


GAME = Game(
    name="hexes",
    title="Hidden hexes",
    seats=(Seat("a", "a", "A"), Seat("b", "b", "B")),
    scenarios=(Scenario("one", "One"),),
    state=Table,
    setup=lambda _: (Table(), Round()),
    sequences=(Sequence(Round, Hide(), Wait(), Unveil()),),
    notation=Notation(Verb(Hex, "hex {number}"), Verb(Knock, "knock")),
    forfeit=lambda s, seats: Result(None, "forfeit"),
)


def hidden() -> Machine[Table]:
    machine = Machine.start(GAME, GAME.setup_of())
    machine.run(Out())
    machine.answer({"b": Sealed("hide/b/1"), "a": Sealed("hide/a/1")}, Out())
    return machine


def test_the_state_holds_slots_and_no_values() -> None:
    machine = Machine.start(GAME, GAME.setup_of())
    need = machine.run(Out())
    assert need == Orders("hide", "hide/1", ("a", "b"), secret=True)
    assert isinstance(need, Orders)
    assert need.slot("a") == "hide/a/1"
    assert machine.check("a", Sealed("hide/a/1")) is None
    assert machine.check("a", Sealed("hide/b/1")) is not None
    assert machine.check("a", Hex(3)) is None  # what a player's own program asks before it commits
    assert machine.check("a", Hex(7)) == Violation("1", "There are six hexes")
    assert hidden().state.slots == {"a": "hide/a/1", "b": "hide/b/1"}


def test_openings_are_asked_for_when_they_are_due_and_judged() -> None:
    machine = hidden()
    for _ in range(2):
        machine.run(Out())
        machine.answer({"a": Knock()}, Out())
    assert machine.run(Out()) == Openings(("hide/a/1", "hide/b/1"))
    pack = GAME.orders.pack
    assert machine.check_opened("hide/a/1", pack(Hex(6))) is None
    assert machine.check_opened("hide/a/1", pack(Hex(7))) == Violation("1", "There are six hexes")
    assert machine.check_opened("hide/a/1", pack(Knock())) is not None
    assert machine.check_opened("hide/a/1", b"\xff") is not None
    again = Machine.load(GAME, GAME.setup_of(), machine.dump())
    assert again.need == machine.need
    machine.feed({"hide/a/1": pack(Hex(6)), "hide/b/1": pack(Hex(2))}, Out())
    machine.run(Out())
    assert machine.over == Result("a", "hexes", (("a", 6), ("b", 2)))


def test_a_driver_plays_it() -> None:
    driver = Driver(GAME)
    check_position(driver, complete=True)
    with pytest.raises(IllegalOrderError, match="six hexes"):
        driver.order("b", "hex 7")
    driver.order("b", "hex 2")
    check_position(driver)
    driver.order("a", "hex 5", "knock")
    assert "hex" not in str(driver.machine.dump()["state"]).replace("hexes", "")
    driver.order("a", "knock")
    assert driver.lines[-1].text == "a (hexes) a=5 b=2"


def test_secret_choices_take_no_standing_orders_and_mix_with_nothing() -> None:
    machine = Machine.start(GAME, GAME.setup_of())
    machine.run(Out())
    with pytest.raises(Refusal):
        machine.check_standing("a", "hide", None)

    class Mixed(Hide):
        name, forced = "hide", True

    with pytest.raises(TypeError, match="a secret decision"):
        Machine.start(replace(GAME, sequences=(Sequence(Round, Mixed()),)), GAME.setup_of())
