"""Positions for tests: a machine that stands where a rule is to be tried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pbem.engine.compiled import program
from pbem.engine.definition import Game, OptionValue
from pbem.engine.machine import AGAIN, ONWARDS, Machine, Place
from pbem.engine.step import Frame, Step

S = TypeVar("S")


def at_step(
    game: Game[S],
    state: S,
    *stack: tuple[Frame, type[Step[Any, Any]]] | tuple[Frame, type[Step[Any, Any]], bool],
    scenario: str | None = None,
    options: Mapping[str, OptionValue] | None = None,
    players: Mapping[str, int] | None = None,
) -> Machine[S]:
    """A machine with this state that comes next to the last of these steps; those before it have called one another.

    A third member True says that a calling step comes again when what it called is over.
    """
    game.prepare(state, game.setup_of(scenario, options, players=players))
    places = []
    for frame, step, *again in stack:
        seq = program(game).by_frame[type(frame)]
        places.append(Place(seq, frame, seq.at[step], AGAIN if again == [True] else ONWARDS))
    places[-1].calling = 0
    return Machine(game, state, places)
