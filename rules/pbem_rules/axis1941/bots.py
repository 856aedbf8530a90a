"""Players made of code: one orders anything that is legal, the other knows what it wants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from pbem.game import Decide, Legal, Order, Orders, RandomBot, Randomness, View, parse_policy
from pbem_rules.axis1941.battle_losses import Losses, Settle
from pbem_rules.axis1941.battle_retreat import Withdraw
from pbem_rules.axis1941.battle_subs import Submarines
from pbem_rules.axis1941.bot_attack import Attacks, escape
from pbem_rules.axis1941.bot_build import buy, place
from pbem_rules.axis1941.bot_quiet import Quiet
from pbem_rules.axis1941.bot_trial import PHASES, Print, Trial, print_of
from pbem_rules.axis1941.displaced import ChooseHaven
from pbem_rules.axis1941.frames import Battle, Turn
from pbem_rules.axis1941.orders import Finish, Home
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import Power

OFTEN = 8  # the random bot ends a phase one time in so many that it could
LISTED = 500
IN_BATTLE: tuple[Decide[Any, Any, Any], ...] = (Losses(), Settle(), Withdraw(), Submarines(), ChooseHaven())
STANDING = {step.name: step for step in IN_BATTLE}


class RandomTurns(RandomBot):
    """Any legal order; phases end after a handful of them."""

    def choose(self, view: View[State], need: Orders, seat: str, legal: Legal, rng: Randomness) -> Order:
        if "v:done" in legal.first and not rng.below(OFTEN):
            return Finish()
        return super().choose(view, need, seat, legal, rng)


class SensibleBot:
    """Buys for need, attacks where it pays, holds its capital, brings its reserves up, leaves battles to the defaults.

    A phase is thought out at once, and handed out order by order as long as the position is the one that was expected.
    """

    def __init__(self) -> None:
        self._next: dict[Print, Order] = {}

    def choose(self, view: View[State], need: Orders, seat: str, legal: Iterable[Order], rng: Randomness) -> Order:
        if need.kind in STANDING:
            return _by_default(view, need, seat)
        key = (need.kind, *print_of(view.state))
        order = self._next.get(key)
        if order is None:
            frame = view.frame if isinstance(view.frame, Turn) else None
            orders = think(view.state, frame, need.kind).orders
            if not _ends(need.kind, orders):
                return _way_out(legal, rng)
            self._next = {(need.kind, *at): each for at, each in orders}
            order = self._next.get(key)
        return order if order is not None else _way_out(legal, rng)

    def plan(self, view: View[State], seat: str, rng: Randomness) -> Sequence[Order]:
        """For after the battles: what will be legal however they end."""
        s = view.state
        if seat != s.active or not isinstance(view.frame, Battle):
            return ()
        trial = Trial(s, None, "noncombat")
        Quiet(trial, {view.frame.place, *s.battles}).run(late=False)
        orders = [order for _, order in trial.orders]
        orders.append(Finish())
        if len(s.bought) and not s.capital_lost(Power(seat)):
            trial = Trial(trial.state, trial.frame, "mobilise")
            place(trial)
            orders += [order for _, order in trial.orders]
        return orders


def think(s: State, frame: Turn | None, phase: str) -> Trial:
    """The orders for a whole phase."""
    trial = Trial(s, frame, phase)
    if phase == "purchase":
        buy(trial)
    elif phase == "combat":
        Attacks(trial).run()
    elif phase == "noncombat":
        Quiet(trial, set()).run(late=True)
    else:
        place(trial)
    if Finish not in PHASES[phase].takes or trial.give(Finish()):
        return trial
    trial = Trial(s, frame, phase)
    if phase == "combat":
        escape(trial)
    elif phase == "noncombat":
        trial.give(Home())
    trial.give(Finish())
    return trial


def _ends(phase: str, orders: list[tuple[Print, Order]]) -> bool:
    return bool(orders) and (Finish not in PHASES[phase].takes or isinstance(orders[-1][1], Finish))


def _by_default(view: View[State], need: Orders, seat: str) -> Order:
    step, frame = STANDING[need.kind], view.frame
    assert frame is not None
    assert step.default is not None
    answers = step.answers(view.state, frame, seat, {})
    order = answers[parse_policy(step.default).choose(step.facts(view.state, frame, seat, {}), answers)]
    assert isinstance(order, Order)
    return order


def _way_out(legal: Iterable[Order], rng: Randomness) -> Order:
    """Where a phase cannot be ended as the bot would: any order, until it can."""
    orders = list(islice(legal, LISTED))
    return next((order for order in orders if isinstance(order, Finish)), orders[rng.below(len(orders))])
