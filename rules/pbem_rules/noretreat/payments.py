"""NR-5.8 to NR-5.11 What cards pay for, and how."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from pbem.game import Known, Out, Violation
from pbem.kit import many
from pbem_rules.noretreat.cards.base import Moment, unit_in
from pbem_rules.noretreat.chart import AXIS
from pbem_rules.noretreat.events import Paid
from pbem_rules.noretreat.frames import Action
from pbem_rules.noretreat.hands import hand_numbers, in_hand, spend
from pbem_rules.noretreat.orders import Discard, Purpose, card_of
from pbem_rules.noretreat.state import State


def worth(card: int, side: str, purpose: Purpose) -> int:
    """NR-5.11: card 53 counts for two Axis discards in the Organisation phase."""
    organising = purpose in (Purpose.RETURN, Purpose.UPGRADE, Purpose.REORGANISE)
    return 2 if card == 53 and side == AXIS and organising else 1


def check_cards(s: State, seat: str, order: Discard, price: int, proof: Known) -> Violation | None:
    """NR-5.9, NR-5.11: the cards are in the hand, and neither too few nor more than needed."""
    if len(set(order.cards)) != len(order.cards):
        return Violation("NR-5.9", "Name the cards that you pay with, each once")
    for number in order.cards:
        wrong = in_hand(s, seat, number, proof)
        if wrong is not None:
            return wrong
    values = [worth(card_of(number), seat, order.purpose) for number in order.cards]
    if sum(values) < price or sum(values) - min(values) >= price:
        return Violation("NR-5.9", f"That costs {many(price, 'card')}")
    return None


def payments(s: State, seat: str, purpose: Purpose, price: int, own: Known) -> Iterator[tuple[int, ...]]:
    """The ways to pay a price from the hand. Their order matters: the last card named lies on top of the discards."""
    hand = hand_numbers(s, seat, own)
    for size in range(1, price + 1):
        for cards in permutations(hand, size):
            values = [worth(card_of(number), seat, purpose) for number in cards]
            if sum(values) >= price and sum(values) - min(values) < price:
                yield cards


def pay(s: State, seat: str, moment: Moment, order: Discard, out: Out) -> Action:
    """The cards go to the discards; what they pay for happens unless the enemy cancels it (NR-5.20)."""
    cards = spend(s, seat, order.cards)
    shown = tuple(
        s.name(unit) if (unit := unit_in(target)) >= 0 else s.chart.place_text(target) for target in order.targets
    )
    out.add(Paid(side=seat, cards=cards, purpose=order.purpose.value, targets=shown, rule="NR-5.8"))
    return Action(seat, moment, cards, order.targets, order.purpose.value)
