"""A copy of the position on which a bot tries its orders one after another, as the rules judge them."""

from __future__ import annotations

from pbem.game import Decide, Order, Out, Rows
from pbem_rules.axis1941.combat_move import CombatMove
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.landing import unsaved
from pbem_rules.axis1941.mobilise import Mobilise
from pbem_rules.axis1941.noncombat import NonCombat
from pbem_rules.axis1941.orders import Attack, Move
from pbem_rules.axis1941.purchase import Purchase
from pbem_rules.axis1941.sight import look
from pbem_rules.axis1941.state import State, copy_of
from pbem_rules.axis1941.units import Power

STEPS: tuple[Decide[State, Turn, Order], ...] = (Purchase(), CombatMove(), NonCombat(), Mobilise())  # type: ignore[assignment]
PHASES = {step.name: step for step in STEPS}

Print = tuple[object, ...]


def print_of(s: State) -> Print:
    """Tells positions of one turn from each other."""
    moved = tuple((n, u.place, u.aboard, u.used, u.did, u.target) for n, u in s.units.items() if u.power is s.active)
    return (s.round, s.active, moved, tuple(s.ipc.items()), tuple(s.bought.items()), tuple(s.placed.items()),
            s.attacked, s.ignored, s.order, s.promises)  # fmt: skip


class Trial:
    """`orders` are those that were legal so far, each with the position before it."""

    def __init__(self, s: State, frame: Turn | None, phase: str) -> None:
        self.state = copy_of(s)
        self.frame = Turn(Power(s.active))
        if frame is not None:
            self.frame.before, self.frame.held = Rows(frame.before.items()), Rows(frame.held.items())
            self.frame.homed = frame.homed
        self.step = PHASES[phase]
        self.orders: list[tuple[Print, Order]] = []

    def allows(self, order: Order) -> bool:
        s = self.state
        return isinstance(order, self.step.takes) and self.step.check(s, self.frame, s.active, order, {}) is None

    def give(self, order: Order) -> bool:
        """The order, if it is legal and leaves every fighter a landing (AA-5.34)."""
        if not self.allows(order) or self._strands(order):
            return False
        self.orders.append((print_of(self.state), order))
        self._apply(order)
        return True

    def _strands(self, order: Order) -> bool:
        if self.step.name != "combat" or not isinstance(order, Move | Attack):
            return False
        ahead = Trial(self.state, self.frame, self.step.name)
        ahead._apply(order)
        return unsaved(ahead.state, look(ahead.state), combat=True) > 0

    def _apply(self, order: Order) -> None:
        self.step.apply(self.state, self.frame, {self.state.active: order}, Out(wanted=False))

    def all_or_none(self, *orders: Order) -> bool:
        """They are given only if each is legal after the one before."""
        if not orders:
            return True
        if len(orders) == 1:
            return self.give(orders[0])
        ahead = Trial(self.state, self.frame, self.step.name)
        if not all(ahead.give(order) for order in orders):
            return False
        return all(self.give(order) for order in orders)
