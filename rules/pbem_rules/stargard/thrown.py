"""Finds the owner of a draw's dice by its label: `t3/german/a12/1307`. Chits and random events are nobody's."""

from __future__ import annotations

from pbem_rules.stargard.chart import SIDES


def thrown_by(label: str) -> tuple[str, ...]:
    _, _, rest = label.partition("/")
    side = rest.partition("/")[0]
    return (side,) if side in SIDES else ()
