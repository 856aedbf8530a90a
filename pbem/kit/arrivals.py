"""Arrivals: where units enter the map, and where they enter instead if that place is held, in a zone, or full.

```
 gate 1   0101 0102     held by the enemy           a unit comes in by the first gate with a place that will do,
 gate 2   0103          full                        in any of its places; not at all if no gate has one:
 gate 3   0104 0105     <- here, or there           it waits, or is lost, as the game says
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from pbem.engine.order import Violation
from pbem.kit.board import Board
from pbem.kit.hexes import hex_name
from pbem.kit.looking import describe_places


class Gate(NamedTuple):
    """Places where a unit may come in, what is held or in a zone already left out, and the rule that says so."""

    places: int
    rule: str


def entrance(gates: Iterable[Gate], room: int = -1) -> Gate:
    """The first gate that has room, and its places with room; if no gate has any, the last gate, and none."""
    last = Gate(0, "")
    for gate in gates:
        last = Gate(gate.places & room, gate.rule)
        if last.places:
            return last
    return last


def refuse_entry(
    board: Board,
    gates: Iterable[Gate],
    room: int,
    place: int,
    who: str,
    full: str,
    name: Callable[[int], str] = hex_name,
) -> Violation | None:
    """Why `who` may not be placed there; `full` is the rule of stacking."""
    every = tuple(gates)
    gate, bit = entrance(every, room), board.bit.get(place, 0)
    if gate.places & bit:
        return None
    if bit and not room & bit and any(each.places & bit for each in every):
        return Violation(full, f"There is no room in {name(place)}")
    can = f"in {describe_places(board.in_mask(gate.places), name)}" if gate.places else "nowhere"
    return Violation(gate.rule, f"{who} cannot be placed in {name(place)}. It can be placed {can}")
