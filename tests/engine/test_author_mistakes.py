"""What a game's author does wrong is said in one sentence, with the game and the step, whatever Python's flags are."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, replace
from typing import Any

import pytest

from pbem.engine.event import Out
from pbem.engine.machine import Machine
from pbem.engine.notation import Notation
from pbem.engine.step import DONE, Auto, Call, End, Frame, GameError, Goto, Sequence
from pbem.kit.window import Window
from tests.engine.games.crowns import GAME, SEATS, Battle, Battles, Crowns, Fight, JointLoss, March, Plan, Year


@dataclass
class Elsewhere(Frame):
    """The frame of a sequence that no game lists."""


class Returns(Auto[Crowns, Year]):
    """A step whose author returned this."""

    name = "begin"

    def __init__(self, found: Any) -> None:
        self.found = found

    def run(self, s: Crowns, f: Year, out: Out) -> Any:
        return self.found


class AsksSeats(Plan):
    name = "plan"

    def __init__(self, found: Any) -> None:
        self.found = found

    def by(self, s: Crowns, f: Year) -> Any:
        return self.found


class Forgets(Plan):
    name = "plan"

    def apply(self, *_: Any) -> Any:
        """Nothing is returned."""


class Lists(Plan):
    name = "plan"

    def __init__(self, found: Any) -> None:
        self.found = found

    def by(self, *_: Any) -> Any:
        return ("ash",)

    def legal(self, *_: Any) -> Any:
        return self.found


def begun(*steps: Any) -> Machine[Crowns]:
    game = replace(GAME, sequences=(Sequence(Year, *steps, Battles()), Sequence(Battle, Fight(), JointLoss())))
    return Machine.start(game, game.setup_of())


def mistake(machine: Machine[Any]) -> str:
    with pytest.raises(GameError) as caught:
        machine.run(Out())
    return str(caught.value)


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (None, "run returned None; it must return DONE, STAY, RETURN, Goto(Step), Call(frame) or End(result)"),
        (Plan, "run returned Plan; it must return DONE"),
        (Elsewhere(), "run returned Elsewhere(...); it must return DONE"),
        (Goto(Fight), "it returned Goto(Fight); Goto takes the class of a step in its own sequence: Returns,"),
        (Goto(Plan()), "it returned Goto(Plan(...)); Goto takes the class"),  # type: ignore[arg-type]
        (Goto(Elsewhere()), "it returned Goto(Elsewhere(...)); Goto takes"),  # type: ignore[arg-type]
        (Call(Elsewhere()), "it returned Call(Elsewhere(...)), which is the frame of no sequence in Game.sequences"),
        (End(None), "it returned End(None); End takes a Result"),  # type: ignore[arg-type]
    ],
)
def test_where_a_step_leads_to_nothing(found: Any, says: str) -> None:
    assert mistake(begun(Returns(found), Plan())).startswith(f"In the game crowns, step begin: {says}")


@pytest.mark.parametrize("found", [("green",), ["red", "green"], "red", "", None])
def test_seats_that_the_game_does_not_have(found: Any) -> None:
    says = f"In the game crowns, step plan: by returned {found!r}; it must return a tuple of seats out of "
    assert mistake(begun(AsksSeats(found))) == says + ", ".join(seat.name for seat in GAME.seats) + "."


def test_seats_that_the_decision_says_it_never_asks() -> None:
    class One(AsksSeats):
        name, seats = "plan", SEATS[:1]

    says = (
        f"In the game crowns, step plan: by returned {SEATS[1:2]!r}; it must return a tuple of seats out of {SEATS[0]}."
    )
    assert mistake(begun(One(SEATS[1:2]))) == says

    class Nobody(AsksSeats):
        name, seats = "plan", ("green",)

    with pytest.raises(GameError, match="its seats name 'green', which is not a seat of the game"):
        begun(Nobody(()))


def test_a_forgotten_return_after_orders() -> None:
    machine = begun(Forgets())
    need: Any = machine.run(Out())
    with pytest.raises(GameError, match="In the game crowns, step plan: apply returned None; it must return DONE"):
        machine.answer({seat: next(iter(machine.legal(seat))) for seat in need.seats}, Out())


def test_an_outermost_sequence_without_an_end() -> None:
    game = replace(GAME, sequences=(Sequence(Year, Returns(DONE)),))
    says = mistake(Machine.start(game, game.setup_of()))
    assert says.startswith("In the game crowns, step begin: the outermost sequence ended without a result")


def test_a_first_frame_of_no_sequence() -> None:
    game = replace(GAME, setup=lambda setup: (Crowns(), Elsewhere()))
    with pytest.raises(
        GameError, match=r"In the game crowns: setup returned Elsewhere\(...\), which is the frame of no"
    ):
        Machine.start(game, game.setup_of())


def test_an_order_without_a_text() -> None:
    without = Notation[Crowns](*(verb for verb in GAME.notation.verbs if verb.order is not March))
    game = replace(GAME, notation=without)
    with pytest.raises(GameError, match=r"In the game crowns, step land: the order March has no text; add Verb\(March"):
        Machine.start(game, game.setup_of())
    with pytest.raises(GameError, match=r"the order March has no text"):
        without.write(March(1, "hub"))


def test_mistakes_are_found_without_assertions() -> None:
    code = (
        "from pbem.engine.event import Out\nfrom tests.engine.test_author_mistakes import *\n"
        "try: begun(Returns(None)).run(Out())\nexcept GameError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-O", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("In the game crowns, step begin: run returned None")


def test_a_window_that_lists_nothing() -> None:
    class Forgetful(Window[Any, Any, Any]):
        def poll(self, s: Any, f: Any) -> Any: ...
        def passing(self, s: Any, f: Any, seat: str) -> Any:
            return March(0, "bay")

        def actions(self, s: Any, f: Any, seat: str, own: Any) -> Any: ...
        def judge(self, s: Any, f: Any, seat: str, order: Any, proof: Any) -> Any: ...
        def act(self, s: Any, f: Any, seat: str, order: Any, out: Out) -> Any: ...

    with pytest.raises(GameError, match="step forgetful: actions returned None; it must return the orders"):
        list(Forgetful().legal(None, None, "ash", {}))


def test_a_legal_that_lists_nothing() -> None:
    says = "step plan: legal returned {}; it must return the orders, as a list or one by one"
    for found, what in ((None, "None"), (March("ash", "bay"), "March")):
        machine = begun(Lists(found))
        machine.run(Out())
        with pytest.raises(GameError, match=says.format(what)):
            iter(machine.legal("ash"))
    machine = begun(Lists([]))
    machine.run(Out())
    assert list(machine.legal("ash")) == []
