"""Finds the owner of a draw's dice by its label: `t3/axis/2013`. An isolated or disrupted unit's are its owner's."""

from __future__ import annotations

from pbem_rules.stalingrad42.chart import SIDES
from pbem_rules.stalingrad42.state import other

STAND = "stand"


def thrown_by(label: str) -> tuple[str, ...]:
    """S42-11.2: the defender throws for determined defence."""
    side = label.split("/")[1] if "/" in label else ""
    if side not in SIDES:
        return ()
    return (other(side) if label.rpartition("/")[2].startswith(STAND) else side,)
