"""A player made of code who knows what he wants; the other bot is the engine's, who does not.

He keeps his supply and his line, attacks where the tables favour it, guards and takes the places that count, and spends
his cards: on what they can do for him first, on units with the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from pbem.game import Order, Orders, Randomness, StandingText, View
from pbem.kit import default_answer
from pbem_rules.noretreat import frames
from pbem_rules.noretreat.battle import OWN_MARKER, Left, check_attack, due_blows, due_targets, unlisted
from pbem_rules.noretreat.bot_cards import Cards
from pbem_rules.noretreat.bot_events import keeps
from pbem_rules.noretreat.bot_fight import Assault, assault_worth, assaults, marker_gain, step_price, subsets
from pbem_rules.noretreat.bot_mail import rest_of_turn, standing_orders
from pbem_rules.noretreat.bot_march import ENOUGH, declaring, march, placing, unloading
from pbem_rules.noretreat.bot_mind import Memory, Mind
from pbem_rules.noretreat.cards.base import Moment
from pbem_rules.noretreat.chart import SIDES
from pbem_rules.noretreat.losses import InBattle
from pbem_rules.noretreat.orders import (
    Attack,
    Decline,
    Done,
    Drop,
    Leave,
    Lose,
    Marker,
    Move,
    Pass,
    Place,
    Target,
    Unload,
)
from pbem_rules.noretreat.sequence import SEQUENCES
from pbem_rules.noretreat.stacking import crowded
from pbem_rules.noretreat.state import State
from pbem_rules.noretreat.targets import able, willing

MARKER_GAIN = 12  # in sixtieths of a step
LISTED = 500


class SensibleBot:
    """Deterministic but for `rng`, which it asks only where it has no opinion."""

    def __init__(self) -> None:
        self._memory = {side: Memory() for side in SIDES}

    def choose(self, view: View[State], need: Orders, seat: str, legal: Iterable[Order], rng: Randomness) -> Order:
        choice = _Choice(view, need.kind, seat, self._memory[seat])
        order = _ANSWERS.get(need.kind, _Choice.other)(choice)
        return choice.listed(list(islice(legal, LISTED))) if order is None else order

    def plan(self, view: View[State], seat: str, rng: Randomness) -> Sequence[Order]:
        s = view.state
        if s.active != seat or s.fight is None or s.fight.side != seat:
            return ()
        return rest_of_turn(Mind(s, seat, self._memory[seat]))

    def standing(self, view: View[State], seat: str) -> Sequence[StandingText]:
        mind = Mind(view.state, seat, self._memory[seat])
        return standing_orders(mind, Cards(mind, view))


class _Choice:
    """One choice of one side."""

    def __init__(self, view: View[State], kind: str, side: str, memory: Memory) -> None:
        self.s, self.view, self.kind = view.state, view, kind
        self.mind = Mind(view.state, side, memory)
        self.hand = Cards(self.mind, view)

    def listed(self, orders: list[Order]) -> Order:
        """What events ask that come up rarely: units to their best places, the cheapest losses, else nothing."""
        return max(orders, key=self._worth)

    def _worth(self, order: Order) -> int:
        s, mind = self.s, self.mind
        if isinstance(order, Place | Unload):
            return 500 + mind.place(order.unit, order.to)
        if isinstance(order, Move):
            return mind.place(order.unit, order.path[-1]) - mind.place(order.unit, s.at(order.unit)) - ENOUGH
        if isinstance(order, Lose | Leave):
            return -step_price(s, order.unit) - 100
        if isinstance(order, Drop):
            return -sum(keeps(mind.side, number) for number in order.cards) - 100
        return 0 if isinstance(order, Done | Pass | Decline) else -50

    def march(self) -> Order | None:
        frame = self.view.frame
        assert isinstance(frame, frames.PlayerTurn)
        return self.hand.in_march() or march(self.mind, frame)

    def organise(self) -> Order | None:
        frame = self.view.frame
        assert isinstance(frame, frames.PlayerTurn)
        return (
            self.hand.event(Moment.ORGANISE, Moment.ANY)
            or self.hand.upgrades(frame)
            or placing(self.mind)
            or self.hand.returns(frame)
            or Done()
        )

    def targets(self) -> Order | None:
        frame = self.view.frame
        assert isinstance(frame, frames.PlayerTurn)
        target = declaring(self.mind, frame)
        return Target(target) if target is not None else self.hand.event(Moment.ANY) or Done()

    def battles(self) -> Order | None:
        """The attack that gains most; if nothing gains, the one that costs least. So one after another is listed."""
        frame, s = self.view.frame, self.s
        assert isinstance(frame, frames.PlayerTurn)
        phase = unlisted(s, frame)
        voluntary = due_targets(s, phase)
        event = self.hand.event(Moment.COMBAT, Moment.ANY)
        if event is not None:
            return event
        forced = not voluntary
        targets = voluntary or due_blows(s, phase)
        if not forced:
            for plan in assaults(self.mind, targets, (), phase.fought, len(targets)):
                order = self.attack(phase, plan)
                if order is not None:
                    return order
        best: tuple[int, Attack] | None = None
        for target in targets:
            units = (able if forced else willing)(s, self.mind.side, target, phase.fought)
            units = tuple(sorted(units, key=lambda unit: -s.face(unit).strength))
            for chosen in subsets(units):
                posts = tuple((unit, s.at(unit)) for unit in chosen)
                worth = assault_worth(self.mind, target, posts, forced=forced)
                if best is not None and worth <= best[0]:
                    continue
                if check_attack(s, phase, target, chosen, Marker.NONE) is None:
                    best = (worth, Attack(target, tuple(sorted(chosen))))
        return best[1] if best else Done()

    def attack(self, phase: Left, plan: Assault) -> Attack | None:
        s, marker = self.s, Marker.NONE
        if s.support.get(self.mind.side) and marker_gain(self.mind, plan) >= MARKER_GAIN:
            marker = OWN_MARKER[self.mind.side]
        for mark in (marker, Marker.NONE):
            if check_attack(s, phase, plan.target, plan.units, mark) is None:
                return Attack(plan.target, plan.units, mark)
        return None

    def excess(self) -> Order | None:
        s = self.s
        units = s.ground.stacks[crowded(s)]
        return Leave(min(units, key=lambda u: (s.has(u, "armour"), s.face(u).strength, u)))

    def unload(self) -> Order | None:
        s, frame = self.s, self.view.frame
        assert isinstance(frame, frames.PlayerTurn)
        return unloading(self.mind, s.of(self.mind.side, 9904) if self.mind.side == frame.side else (s.reserve,))

    def drop(self) -> Order | None:
        number = self.hand.worst()
        return None if number is None else Drop((number,))

    def cards(self) -> Order | None:
        return self.hand.throwing()

    def counterblows(self) -> Order | None:
        return self.hand.event(Moment.BLOWS, Moment.ANY) or self.hand.counterblow() or Done()

    def other(self) -> Order | None:
        """In the middle of a battle, where as a rule nobody is asked, the game's own answer; in windows a card."""
        step = _STEPS[self.kind]
        if not issubclass(type(step), InBattle):
            return self.hand.in_window()
        return default_answer(step, self.view, self.mind.side)


_STEPS: Mapping[str, Any] = {step.name: step for sequence in SEQUENCES for step in sequence.steps}
_ANSWERS: Mapping[str, Callable[[_Choice], Order | None]] = {
    "battles": _Choice.battles,
    "cards": _Choice.cards,
    "counterblows": _Choice.counterblows,
    "excess_end": _Choice.excess,
    "excess_fought": _Choice.excess,
    "excess_moved": _Choice.excess,
    "excess_placed": _Choice.excess,
    "excess_unloaded": _Choice.excess,
    "march": _Choice.march,
    "organise": _Choice.organise,
    "penalty": _Choice.drop,
    "surrender": _Choice.drop,
    "targets": _Choice.targets,
    "unload": _Choice.unload,
    "unload_reserve": _Choice.unload,
}
