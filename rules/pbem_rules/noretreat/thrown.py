"""Finds the owner of a draw's dice by its label: `t1/axis/1507/crt`, `t1/axis/1507/counter`."""

from __future__ import annotations

from pbem_rules.noretreat.chart import SIDES, other


def thrown_by(label: str) -> tuple[str, ...]:
    """Of a counterattack the die is the defender's."""
    _, _, rest = label.partition("/")
    side, *more = rest.split("/")
    if side not in SIDES:
        return ()
    return (other(side) if "counter" in more else side,)
