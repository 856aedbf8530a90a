"""Standing orders that are there from the start, and those that a game reads in words of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import pytest

from pbem.engine.compiled import Program
from pbem.engine.definition import Game, Result, Scenario, Seat
from pbem.engine.event import Out, Taken
from pbem.engine.machine import Machine
from pbem.engine.need import Known
from pbem.engine.notation import Notation, NotationError, Verb
from pbem.engine.order import Order, Violation
from pbem.engine.step import STAY, Decide, End, Frame, Next, Sequence
from pbem.engine.testing import Driver, check_game
from pbem.protocol.errors import Refusal


@dataclass
class Pond:
    fish: int = 5


@dataclass
class Season(Frame):
    pass


@dataclass(frozen=True, slots=True)
class Catch(Order):
    fish: int


class Fishing(Decide[Pond, Season, Catch]):
    takes, preset = (Catch,), True
    default, fact_names = "when fish > 3 then two; then one", ("fish",)

    def by(self, s: Pond, f: Season) -> tuple[str, ...]:
        return ("angler",)

    def legal(self, s: Pond, f: Season, seat: str, own: Known) -> Iterator[Catch]:
        return map(Catch, (1, 2))

    def check(self, s: Pond, f: Season, seat: str, order: Catch, proof: Known) -> Violation | None:
        return None if order.fish in (1, 2) else Violation("1", "One or two")

    def apply(self, s: Pond, f: Season, answers: Mapping[str, Catch], out: Out) -> Next:
        s.fish -= answers["angler"].fish
        return STAY if s.fish > 0 else End(Result(None, "empty"))

    def facts(self, s: Pond, f: Season, seat: str, own: Known) -> Mapping[str, int]:
        return {"fish": s.fish}

    def answers(self, s: Pond, f: Season, seat: str, own: Known) -> Mapping[str, Catch]:
        return {"one": Catch(1), "two": Catch(2)}


def shorthand(decision: str, text: str) -> str | None:
    if text == "net":
        raise NotationError("invalid", "No nets are allowed.")
    return "then two" if (decision, text) == ("fishing", "greedy") else None


GAME = Game(
    name="pond",
    title="Pond",
    seats=(Seat("angler", "angler", "Angler"),),
    scenarios=(Scenario("one", "One"),),
    state=Pond,
    setup=lambda setup: (Pond(), Season()),
    sequences=(Sequence(Season, Fishing()),),
    notation=Notation(Verb(Catch, "catch {fish}")),
    forfeit=lambda s, seats: Result(None, "forfeit"),
    shorthand=shorthand,
)


def test_pol_9_a_preset_decision_answers_itself_from_the_start() -> None:
    driver = Driver(GAME)
    taken = driver.events(Taken)
    assert [event.order.fish for event in taken] == [2, 1, 1, 1]
    assert {event.how for event in taken} == {"default"}  # nobody has said so: it is the usual answer
    assert driver.machine.over == Result(None, "empty")


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("when fish > 3 then one; then default", ["standing", "standing", "default", "default", "default"]),
        ("then one, default", ["standing"] * 5),
        ("when fish = 1 then two; then default", ["default", "default", "default", "standing"]),
    ],
)
def test_what_a_standing_order_leaves_to_the_default_is_the_usual_answer(text: str, how: list[str]) -> None:
    machine = Machine.start(GAME, GAME.setup_of())
    machine.set_standing("angler", "fishing", GAME.policy("fishing", text))
    assert [event.how for event in Driver(GAME, machine=machine).events(Taken)] == how


def test_pol_9_it_is_taken_back_like_other_standing_orders_and_saved() -> None:
    machine = Machine.start(GAME, GAME.setup_of())
    assert str(machine.standing("angler")["fishing"]) == "then default"
    again = Machine.load(GAME, GAME.setup_of(), machine.dump())
    assert again.digest() == machine.digest()
    machine.set_standing("angler", "fishing", None)
    assert machine.digest() != again.digest()
    driver = Driver(GAME, machine=machine)
    assert driver.asked == ("angler",)


def test_words_of_the_game_s_own_become_a_policy() -> None:
    assert str(GAME.policy("fishing", "greedy")) == "then two"
    assert str(GAME.policy("fishing", "then one")) == "then one"
    with pytest.raises(Refusal, match=r"^These standing orders cannot be read: No nets are allowed\. \[E-POLICY"):
        GAME.policy("fishing", "net")
    machine = Machine.start(GAME, GAME.setup_of())
    machine.set_standing("angler", "fishing", GAME.policy("fishing", "greedy"))
    taken = Driver(GAME, machine=machine).events(Taken)
    assert [(event.order.fish, event.how) for event in taken] == [(2, "standing")] * 3


def test_pol_6_a_seat_that_is_never_asked_gives_no_standing_orders() -> None:
    class Alone(Fishing):
        name, seats = "fishing", ("angler",)

    seats = (*GAME.seats, Seat("heron", "heron", "Heron"))
    game = replace(GAME, seats=seats, sequences=(Sequence(Season, Alone()),))
    machine = Machine.start(game, game.setup_of())
    assert [list(machine.standing(seat.name)) for seat in seats] == [["fishing"], []]
    machine.check_standing("angler", "fishing", game.policy("fishing", "then one"))
    with pytest.raises(Refusal, match=r"^The decision 'fishing' never asks heron"):
        machine.check_standing("heron", "fishing", None)
    says = "fishing asked angler alone. If it never asks others, say so: seats = ('angler',);"
    assert not any(note.startswith(says) for note in check_game(game, games=10).notes)
    silent = replace(GAME, seats=seats)
    assert any(note.startswith(says) for note in check_game(silent, games=10).notes)


def test_what_is_preset_needs_a_default() -> None:
    class Idle(Fishing):
        default = None

    with pytest.raises(TypeError, match="default"):
        Program(replace(GAME, sequences=(Sequence(Season, Idle()),)))
