"""S42-3: the sequence of play, as far as it stands: the Movement Phase, and retreats."""

from __future__ import annotations

from typing import Any

from pbem.game import Sequence
from pbem_rules.stalingrad42.flight import ChooseWay, DriveOff, Onward
from pbem_rules.stalingrad42.frames import PlayerTurn, Retreat
from pbem_rules.stalingrad42.movement import Movement
from pbem_rules.stalingrad42.state import State

# fmt: off
SEQUENCES: tuple[Sequence[State, Any], ...] = (
    Sequence(PlayerTurn,
        DriveOff(), Movement()),        # S42-3.B2
    Sequence(Retreat,
        ChooseWay(), Onward()),         # S42-12
)
# fmt: on
