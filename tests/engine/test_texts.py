"""What one order is stands in one place: its text, the names of its fields, and what sentences call them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import pytest

from pbem.engine.definition import Result
from pbem.engine.event import Out, Taken
from pbem.engine.machine import Machine
from pbem.engine.notation import Notation, NotationError, Verb, Words
from pbem.engine.order import Order
from pbem.engine.step import GameError
from pbem.engine.testing import Driver, ScriptedChance, random_game
from tests.engine.games.ferry import Load, game

UNITS = Words({1: "1Pz", 2: "2Pz"}, noun="unit")
Unit = Annotated[int, UNITS]


@dataclass(frozen=True, slots=True)
class Move(Order, text="move {unit} {path} {quick}"):
    """Move a unit.

    It goes where it likes.
    """

    unit: Unit
    path: Annotated[tuple[int, ...], ">"]
    quick: bool = False


@dataclass(frozen=True, slots=True)
class Group(Order, text="group {units}"):
    units: tuple[Unit, ...]


MOVES: Notation[None] = Notation().with_texts((Move, Group))


def test_the_text_follows_from_the_class() -> None:
    assert MOVES.write(Move(2, (405, 406))) == "move 2Pz 405>406 no"
    assert MOVES.read("move 2Pz 405>406 yes") == Move(2, (405, 406), quick=True)
    assert MOVES.write(Group((1, 2))) == "group 1Pz,2Pz"
    assert MOVES.read("group 2Pz") == Group((2,))
    assert [verb.about for verb in MOVES.verbs] == ["move a unit", ""]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("move 3Pz 405 no", "'3Pz' is not a unit: there are 1Pz, 2Pz; write it as: move UNIT PATH QUICK"),
        ("group 1Pz,9", "'1Pz,9' is not a unit; write it as: group UNITS"),
        ("move 1Pz x no", "'x' is not a path; write it as: move UNIT PATH QUICK"),
    ],
)
def test_a_sentence_calls_things_by_their_noun(text: str, says: str) -> None:
    with pytest.raises(NotationError, match=says):
        MOVES.read(text)


def test_a_verb_of_its_own_goes_before_the_text() -> None:
    mine = Notation[None](Verb(Move, "go {unit} {path} {quick}")).with_texts((Move, Group))
    assert [verb.word for verb in mine.verbs] == ["go", "group"]
    assert mine.with_texts((Move, Group)) is mine


def test_a_game_without_lists() -> None:
    assert game.orders.orders == (Load,)
    assert game.notation.write(Load(3)) == "load 3"
    assert [(seat.side, seat.title) for seat in game.seats] == [("north", "North"), ("south", "South")]
    assert game.forfeit(game.state(), ("north",)) == Result("south", "forfeit")
    taken = [Taken("north", "loading", Load(3), how, "Load 3 sacks.") for how in ("standing", "default", "forced")]
    taken.append(Taken("south", "loading", Load(1), "passed", "Load a sack."))
    assert game.tell((*taken, taken[-1])) == (
        "North, by a standing order: Load 3 sacks.",
        "North, by the usual answer: Load 3 sacks.",
        "North, as the only choice: Load 3 sacks.",
        "South: Load a sack.",
    )
    driver = Driver(game, chance=ScriptedChance({"t1/north": 2, "t1/south": 3}))
    assert driver.why_not("north", "load 4") is not None
    driver.order("north", "load 3").order("south", "load 3")
    assert (driver.state.lost["north"], driver.state.across["south"]) == (3, 3)
    for seed in "abc":
        random_game(game, seed, complete=True)


@dataclass(frozen=True, slots=True)
class Silent(Order):
    sacks: int


def test_an_order_that_says_no_text() -> None:
    class Loading(type(game.sequences[0].steps[0])):  # type: ignore[misc]
        takes = (Silent,)
        name = "loading"

    sequence = type(game.sequences[0])(game.sequences[0].frame, Loading(), game.sequences[0].steps[1])
    silent = replace(game, sequences=(sequence,), notation=Notation())
    with pytest.raises(GameError, match="step loading: the order Silent has no text; add Verb"):
        Machine.start(silent, silent.setup_of()).run(Out())
