"""How the sensible bot saves mails: what it plans past the dice, and its standing orders."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pbem.game import Order, StandingText
from pbem_rules.noretreat.bot_cards import Cards
from pbem_rules.noretreat.bot_events import WORTH
from pbem_rules.noretreat.bot_fight import assault_worth, assaults, subsets
from pbem_rules.noretreat.bot_march import unloading
from pbem_rules.noretreat.bot_mind import Mind
from pbem_rules.noretreat.cards.base import EVENTS, Moment
from pbem_rules.noretreat.hands import KEEP
from pbem_rules.noretreat.orders import Attack, Done, Unload, card_of
from pbem_rules.noretreat.rail import unloadable
from pbem_rules.noretreat.state import RAIL, State
from pbem_rules.noretreat.targets import able, willing
from pbem_rules.noretreat.windows import WINDOWS, Dealt

# Windows in which cards are played by standing orders, and from which odds on; in the others they pass.
PLAYED = {
    "answer": "",
    "opening": "",
    "dealt_window": "",
    "prelude": "",
    "targeted_window": "",
    "battle_window": "when column >= 4 ",
}
PUBLIC = ("counterattack", "pursuit", "pick_die", "unload_reserve", "clear_markers")
NUMBER = 6  # of cards in standing orders


def rest_of_turn(mind: Mind, fought: Collection[int]) -> tuple[Order, ...]:
    """The other attacks in the order in which they are thought of, then what gets off the railway."""
    s = mind.s
    used = set(fought)
    targets = [p for p in s.targets if s.side_at(p) == mind.foe and willing(s, mind.side, p, fought)]
    plans = assaults(mind, targets, (), fought, len(targets))
    orders: list[Order] = [Attack(plan.target, plan.units) for plan in plans]
    if len(plans) < len(targets):
        return tuple(orders)  # some are fought against one's will; who is free then is not known yet
    used.update(unit for plan in plans for unit in plan.units)
    for place, side in s.blows.items():
        units = able(s, side, place, used) if side == mind.side and s.side_at(place) == mind.foe else ()
        if units:
            worth = {few: assault_worth(mind, place, posts(s, few), forced=True) for few in subsets(units)}
            best = max(worth, key=lambda few: (worth[few], few))
            orders.append(Attack(place, best))
            used.update(best)
    units = s.of(mind.side, RAIL)
    if any(unloadable(s, unit) for unit in units):
        order = unloading(mind, units)
        orders.append(order if len(units) == 1 else Done())
        if isinstance(order, Unload) and len(units) == 1 and "partisans" in s.options:
            orders.append(Done())
    return tuple(orders)


def posts(s: State, units: Collection[int]) -> tuple[tuple[int, int], ...]:
    return tuple((unit, s.at(unit)) for unit in units)


def standing_orders(mind: Mind, hand: Cards) -> tuple[StandingText, ...]:
    """All that can be asked in the enemy's turn is answered in advance; what speaks of cards is sealed."""
    found: list[StandingText] = [(kind, "then default", False) for kind in PUBLIC]
    for window in WINDOWS:
        if window.name == Dealt.name:
            continue  # asked in the own turn, where orders follow anyway
        found.append(_window(mind, hand, window.name, window.moments))
    found.append(_window(mind, hand, "answer", (Moment.ANSWER,)))
    found.append(("counterblows", "then pass", True))
    found.append(("reveal", "then show, done", True))
    numbers = [card_of(number) for number in hand.hand]
    over = numbers[: max(0, len(numbers) - KEEP)]
    found.append(("cards", f"when over > 0 then {_listed(over)}; then done" if over else "then done", True))
    if numbers:
        found.append(("penalty", f"then {_listed(numbers[:1])}", True))
    return tuple(found)


def _window(mind: Mind, hand: Cards, name: str, moments: Iterable[Moment]) -> StandingText:
    if name not in PLAYED:
        return name, "then pass", True
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
