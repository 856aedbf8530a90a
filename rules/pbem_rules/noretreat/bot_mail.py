"""How the sensible bot saves mails: what it plans past the dice, and its standing orders."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.game import Order, StandingText
from pbem_rules.noretreat.bot_cards import Cards
from pbem_rules.noretreat.bot_events import WORTH
from pbem_rules.noretreat.bot_march import unloading
from pbem_rules.noretreat.bot_mind import Mind
from pbem_rules.noretreat.cards.base import EVENTS, Moment
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.hands import KEEP
from pbem_rules.noretreat.orders import Done, Unload, card_of
from pbem_rules.noretreat.rail import unloadable
from pbem_rules.noretreat.state import RAIL
from pbem_rules.noretreat.windows import MOMENTS

# Windows in which cards are played by standing orders, and from which odds on: sealed whatever is in the hand, which
# costs a mail each time. The others pass by themselves, so that nobody is stopped at the end of a phase.
PLAYED = {
    "answer": "",
    "turn_window": "",
    "battle_window": "when moment = 0 and column >= 4 ",
}
PUBLIC = {AXIS: ("pick_die",), SOVIET: ("clear_markers", "pick_die", "unload_reserve")}
NUMBER = 6  # of cards in standing orders


def rest_of_turn(mind: Mind) -> tuple[Order, ...]:
    """What gets off the railway when all battles of the list have been fought."""
    s = mind.s
    units = s.of(mind.side, RAIL)
    if not any(unloadable(s, unit) for unit in units):
        return ()
    order = unloading(mind, units)
    orders: list[Order] = [order if len(units) == 1 else Done()]
    if isinstance(order, Unload) and len(units) == 1 and "partisans" in s.options:
        orders.append(Done())
    return tuple(orders)


def standing_orders(mind: Mind, hand: Cards) -> tuple[StandingText, ...]:
    """All that can be asked in the enemy's turn is answered in advance; what speaks of cards is sealed."""
    found: list[StandingText] = [(kind, "then default", False) for kind in PUBLIC[mind.side]]
    found.append(_window(mind, hand, "answer", (Moment.ANSWER,)))
    found.append(_window(mind, hand, "turn_window", (Moment.OPENING, *MOMENTS[Moment.CARDS])))
    found.append(_window(mind, hand, "battle_window", MOMENTS[Moment.BATTLE]))
    numbers = [card_of(number) for number in hand.hand]
    over = numbers[: max(0, len(numbers) - KEEP)]
    found.append(("cards", f"when over > 0 then {_listed(over)}; then done" if over else "then done", True))
    if numbers:
        found.append(("penalty", f"then {_listed(numbers[:1])}", True))
    return tuple(found)


def _window(mind: Mind, hand: Cards, name: str, moments: Iterable[Moment]) -> StandingText:
    cards = []
    for number in reversed(hand.hand):
        held = EVENTS.get((mind.side, card_of(number)))
        if held is None or not set(held.moments) & set(moments) or held.whose == "own":
            continue
        if name == "battle_window" or (mind.side, held.card) in WORTH:
            cards.append(held.card)
    if not cards:
        return name, "then pass", True
    listed = f"then {_listed(cards[:NUMBER])}, pass"
    return name, f"{PLAYED[name]}{listed}; then pass" if PLAYED[name] else listed, True


def _listed(cards: Iterable[int]) -> str:
    return ", ".join(map(str, cards))
