"""The places that units can reach: the power whose turn it is as things stand, every other in its next turn, as the
board is now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbem.game import Orders, Rows, View
from pbem_rules.axis1941.combat_move import moves
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.moving import free
from pbem_rules.axis1941.noncombat import QuietLoads
from pbem_rules.axis1941.orders import piece_of
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sight import look
from pbem_rules.axis1941.state import State, copy_of
from pbem_rules.axis1941.transports import Loads
from pbem_rules.axis1941.units import KINDS, OTHER, POWERS, SIDE, Kind, Power, ship_of

COMBAT, QUIET, BOARDS = "combat", "noncombat", "boards"


class Mover(NamedTuple):
    """Units of a kind in a place, or one ship with a number, that can move: where to, and in how many spaces."""

    power: Power
    start: int
    kind: Kind
    number: int
    many: int
    goals: dict[str, dict[int, int]]  # what they do there -> place -> spaces


def turn_of(s: State, power: Power) -> State:
    """The board as it is now, at the beginning of a power's turn (AA-3.6)."""
    found = copy_of(s)
    found.forget()
    found.active = power
    found.seas = tuple(places(found.ground.masks[OTHER[SIDE[power]]][1]))
    found.was, found.bought, found.placed = Rows(), Rows(), Rows()
    found.attacked = found.ignored = found.order = found.battles = ()
    found.promises, found.settled = (), ()
    return found


def movers(view: View[State], power: Power) -> Iterator[Mover]:
    """A power's units that can move, and troops that can go aboard; landings from the sea are not among them."""
    s, frame = view.state, Turn(power)
    phases: tuple[bool, ...] = (True, False)
    if power is s.active:
        frame = view.frame if isinstance(view.frame, Turn) else frame
        if isinstance(view.need, Orders) and view.need.kind in ("noncombat", "mobilise"):
            phases = (False,)
    else:
        s = turn_of(s, power)
    found: dict[tuple[int, Kind, int], dict[str, dict[int, int]]] = {}
    for combat in phases:
        for move in moves(s, frame, look(s), combat=combat):
            start, goal = move.path[0], move.path[-1]
            spaces = s.chart.air[start][goal] if len(move.path) == 2 else len(move.path) - 1
            goals = found.setdefault((start, *piece_of(move.piece)), {}).setdefault(COMBAT if combat else QUIET, {})
            goals[goal] = min(spaces, goals.get(goal, spaces))
        for order in (Loads() if combat else QuietLoads()).legal(s, frame, power, {}):
            ship = s.ship(*ship_of(order.ship))
            goals = found.setdefault((order.start, order.unit, 0), {}).setdefault(BOARDS, {})
            goals[s.units[ship].place] = 1
    for (start, kind, number), doing in sorted(
        found.items(), key=lambda row: (row[0][0], KINDS.index(row[0][1]), row[0][2])
    ):
        alike = (s.units[each] for each in s.here(start, power=power, kind=kind))
        many = sum(free(unit, phases[0]) for unit in alike if unit.number == number)
        yield Mover(power, start, kind, number, max(many, 1), doing)


def comers(view: View[State], power: Power, place: int) -> tuple[Mover, ...]:
    """Those who could come there to fight."""
    return tuple(each for each in movers(view, power) if place in each.goals.get(COMBAT, ()))


def by_turn(s: State) -> tuple[Power, ...]:
    """The powers in the order in which they play, from the one whose turn it is."""
    at = POWERS.index(s.active)
    return POWERS[at:] + POWERS[:at]
