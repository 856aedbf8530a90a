"""NR-13 The events of the cards. Importing this package registers them; `SEQUENCES` lists the frames that they call."""

from __future__ import annotations

from typing import Any

from pbem.engine.step import Sequence
from pbem_rules.noretreat.state import State

SEQUENCES: tuple[Sequence[State, Any], ...] = ()
