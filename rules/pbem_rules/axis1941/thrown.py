"""Finds the owner of a draw's dice by its label: `r3/germany/ukraine/1/def` is thrown by the other side."""

from __future__ import annotations

from pbem_rules.axis1941.units import OF_SIDE, OTHER, POWERS, SIDE, Power

_ATTACK = ("att", "att-strike")
_DEFENCE = ("def", "def-strike")


def thrown_by(label: str) -> tuple[str, ...]:
    """Defenders fire together (AA-7), so of their dice the whole side may be the owner."""
    parts = label.split("/")
    if len(parts) != 5 or parts[1] not in POWERS:
        return ()
    power = Power(parts[1])
    if parts[4] in _ATTACK:
        return (str(power),)
    return tuple(map(str, OF_SIDE[OTHER[SIDE[power]]])) if parts[4] in _DEFENCE else ()
