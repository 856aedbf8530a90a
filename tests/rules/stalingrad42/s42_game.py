"""Fall Blau from turn 6 on, when many arrive; seeds that are others each time."""

from __future__ import annotations

import os
from dataclasses import replace

from pbem.game import Frame, Game, Setup
from pbem_rules.stalingrad42 import game
from pbem_rules.stalingrad42.frames import War
from pbem_rules.stalingrad42.setup import set_up
from pbem_rules.stalingrad42.state import State


def _setup(setup: Setup) -> tuple[State, Frame]:
    s = set_up(setup)
    s.turn = 6
    return s, War()


GAME: Game[State] = replace(game, name="s42", setup=_setup)


def fresh() -> str:
    """Another game each time; a test prints it, so that the one that fails can be played again (SEED=)."""
    return os.environ.get("SEED") or os.urandom(4).hex()
