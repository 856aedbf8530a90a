"""Finds the owner of a draw's dice by its label: `t1/blue/0506/crt`, `t1/blue/0506/counter/crt`."""

from __future__ import annotations

from pbem_rules.bridgehead.chart import BLUE, RED, other


def thrown_by(label: str) -> tuple[str, ...]:
    """Of a counterattack the die is the defender's."""
    _, _, rest = label.partition("/")
    side, *more = rest.split("/")
    if side not in (BLUE, RED):
        return ()
    return (other(side) if "counter" in more else side,)
