"""Decisions that list what is allowed, and decisions that are a list of choices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from pbem.engine.event import Out
from pbem.engine.machine import Machine
from pbem.engine.order import Order
from pbem.engine.step import Ask, Decide, Frame, GameError, Sequence
from pbem.engine.testing import Driver, IllegalOrderError, perft, random_game
from tests.engine.games.roost import GAME, Day, Dusk, Flutter, Homing, Hop, Hops, Perch, Sleep, Sleeps, Swap, Tree


def home() -> Driver[Tree]:
    return Driver(GAME).order("jay", "perch 1 4 no")


def test_what_it_takes_is_collected() -> None:
    assert Homing.takes == (Perch,)
    assert Hops.takes == (Hop,)
    assert Flutter.takes == (Hop, Swap, Sleep)


def test_it_asks_the_seat_of_the_frame() -> None:
    driver = Driver(GAME)
    assert driver.asked == ("jay",)
    assert home().order("jay", "sleep").asked == ("owl",)


def test_only_what_is_listed_is_allowed() -> None:
    driver = Driver(GAME)
    assert driver.legal("jay") == [Perch(1, perch) for perch in range(1, 10)]
    assert driver.why_not("jay", "perch 1 9 no") is None
    assert str(driver.why_not("jay", "perch 2 9 no")) == "A bird comes home to a free perch (R-1)"
    assert str(driver.why_not("jay", "perch 1 9 yes")) == "A bird comes home to a free perch (R-1)"
    with pytest.raises(IllegalOrderError):
        driver.order("jay", "perch 1 10 no")


def test_a_step_may_say_it_better() -> None:
    driver = home().order("jay", "sleep")
    assert str(driver.why_not("owl", "perch 1 4 no")) == "Perch 4 is taken (R-1.1)"


class Names(str):
    """Equal to a text, and none."""

    __slots__ = ()


@pytest.mark.parametrize("order", [Perch(bird=True, perch=2), Perch(1, 2, 0), Perch(1, 2.0)])  # type: ignore[arg-type]
def test_an_order_is_judged_by_its_types_too(order: Perch) -> None:
    assert order == Perch(1, 2)
    assert Driver(GAME).check("jay", order) is not None


def test_so_is_an_order_of_a_choice_without_a_check() -> None:
    driver = home()
    driver.state.birds["jay2"] = 7
    assert driver.check("jay", Swap("jay1", "jay2")) is None
    assert driver.check("jay", Swap("jay1", Names("jay2"))) is not None


def test_choices_are_asked_each_for_its_own_order() -> None:
    driver = home()
    assert driver.legal("jay") == [Hop("jay1", 3), Hop("jay1", 5), Sleep()]
    assert str(driver.why_not("jay", "hop jay1 6")) == "A bird hops to the next perch if that is free (R-2.2)"
    assert str(driver.why_not("jay", "swap jay1 owl1")) == "Two birds of your own change places (R-3)"
    driver.order("jay", "hop jay1 5", "hop jay1 6")
    assert driver.legal("jay") == [Sleep()]
    assert driver.order("jay", "sleep").asked == ("owl",)


def test_whole_games_keep_the_contract() -> None:
    for seed in "abcdef":
        random_game(GAME, seed, complete=True)
    assert perft(home(), 3) == 40


def refused(*steps: Any, frame: type[Frame] = Day) -> str:
    game = replace(GAME, sequences=(Sequence(frame, *steps),))
    with pytest.raises(GameError) as caught:
        Machine.start(game, replace(game, setup=lambda setup: (Tree(), frame())).setup_of())
    return str(caught.value)


class Sealed(Homing):
    name = "homing"
    sealed = True


class Hiding(Homing):
    name = "homing"

    def opens(self, s: Tree, f: Day, seat: str, order: Perch) -> tuple[str, ...]:
        return ("deck/1/0",)


class SecretAsk(Homing):
    name = "homing"
    secret = True


@pytest.mark.parametrize("step", [Sealed(), Hiding(), SecretAsk()])
def test_an_ask_hides_nothing(step: Homing) -> None:
    assert refused(step, Dusk()).startswith("In the game roost, step homing: an Ask is open")


class Half(Decide[Tree, Day, Hop]):
    def legal(self, *_: Any) -> Iterator[Hop]:
        return iter(())


class Twice(Decide[Tree, Day, Order]):
    choices = (Hops, Sleeps, Sleeps)


class Untyped(Hops):
    takes = ()


class Nothing(Decide[Tree, Day, Order]):
    choices = (Hops, Untyped)


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (Half(), "step half: a decision has legal (or first and picked), check and apply, or a list of choices."),
        (Twice(), "step twice: each of its choices takes an order, and no other choice takes that."),
        (Nothing(), "step nothing: each of its choices takes an order, and no other choice takes that."),
    ],
)
def test_a_decision_without_its_parts(step: Decide[Tree, Day, Any], says: str) -> None:
    assert refused(step, Dusk()) == f"In the game roost, {says}"


@dataclass
class Night(Frame):
    hours: int = 0


def test_a_frame_that_names_no_seat() -> None:
    says = "step homing: it does not say whom it asks: write by, or give Night a field seat."
    assert refused(Homing(), Dusk(), frame=Night) == f"In the game roost, {says}"


class Both(Ask[Tree, Day, Perch]):
    name = "homing"

    def by(self, s: Tree, f: Day) -> tuple[str, ...]:
        return "jay", "owl"

    def options(self, s: Tree, f: Day, seat: str) -> list[Perch]:
        return [Perch(1, 1)]

    def do(self, s: Tree, f: Day, seat: str, order: Perch, out: Out) -> None:
        """Is not reached."""


def test_an_ask_of_two_seats() -> None:
    game = replace(GAME, sequences=(Sequence(Day, Both(), Flutter(), Dusk()),))
    driver = Driver(game)
    driver.give("jay", Perch(1, 1))
    with pytest.raises(GameError, match="step homing: by asks jay, owl; write a Decide with an apply for several"):
        driver.give("owl", Perch(1, 1))


class ForgetsOptions(Homing):
    name = "homing"

    def options(self, s: Tree, f: Day, seat: str) -> Any:
        return self.found

    found: Any = None


class ForgetsLegal(Sleeps):
    def legal(self, s: Tree, f: Day, seat: str, own: Any) -> Any:
        """Nothing is returned."""


class Sleepless(Flutter):
    name = "flutter"
    choices = (Hops, ForgetsLegal)


@pytest.mark.parametrize(("found", "what"), [(None, "None"), (Perch(1, 1), "Perch")])
def test_options_that_are_no_list(found: Any, what: str) -> None:
    step = ForgetsOptions()
    step.found = found
    driver = Driver(replace(GAME, sequences=(Sequence(Day, step, Flutter(), Dusk()),)))
    for ask in (lambda: driver.legal("jay"), lambda: driver.check("jay", Perch(1, 1))):
        with pytest.raises(GameError, match=f"step homing: options returned {what}; it must return the orders"):
            ask()


def test_a_choice_that_lists_nothing() -> None:
    driver = Driver(replace(GAME, sequences=(Sequence(Day, Homing(), Sleepless(), Dusk()),)))
    driver.order("jay", Perch(1, 4))
    for ask in (lambda: driver.legal("jay"), lambda: driver.check("jay", Sleep())):
        with pytest.raises(GameError, match="step ForgetsLegal: legal returned None; it must return the orders"):
            ask()
