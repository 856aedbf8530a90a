"""The events of cards that the sensible bot plays, on what, and how gladly it keeps a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice

from pbem_rules.noretreat.bot_fight import step_price, trial
from pbem_rules.noretreat.bot_mind import Mind
from pbem_rules.noretreat.cards.base import EVENTS, IN_BATTLE, At, Moment, Targets, unit_in
from pbem_rules.noretreat.cards.kinds import BattleEvent
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.orders import CHOICE, UNIT, Event, card_of
from pbem_rules.noretreat.state import FIRST_BOX, OUT, Fight
from pbem_rules.noretreat.windows import first_moment

# What an event outside battles is worth when its time has come, in tenths of a step; those not named are not played.
WORTH: Mapping[tuple[str, int], int] = {
    (AXIS, 3): 18, (AXIS, 6): 12, (AXIS, 7): 10, (AXIS, 9): 9, (AXIS, 10): 22, (AXIS, 14): 8, (AXIS, 15): 14,
    (AXIS, 18): 3, (AXIS, 19): 12, (AXIS, 21): 9, (AXIS, 22): 16, (AXIS, 24): 8, (AXIS, 25): 10, (AXIS, 30): 18,
    (AXIS, 31): 11, (AXIS, 35): 20, (AXIS, 39): 5, (AXIS, 40): 11, (AXIS, 41): 6, (AXIS, 42): 9, (AXIS, 43): 6,
    (AXIS, 48): 9, (AXIS, 49): 14,
    (SOVIET, 2): 20, (SOVIET, 5): 9, (SOVIET, 6): 14, (SOVIET, 8): 14, (SOVIET, 9): 10, (SOVIET, 15): 8,
    (SOVIET, 18): 8, (SOVIET, 21): 9, (SOVIET, 24): 18, (SOVIET, 25): 11, (SOVIET, 31): 14, (SOVIET, 33): 20,
    (SOVIET, 35): 6, (SOVIET, 36): 11, (SOVIET, 37): 14, (SOVIET, 38): 12, (SOVIET, 41): 6, (SOVIET, 44): 12,
    (SOVIET, 51): 2,
}  # fmt: skip
SECOND = CHOICE + 2
LISTED = 120
BATTLE_KEEPS = 8


def keeps(side: str, number: int) -> int:
    """How gladly a card is kept rather than paid with, in tenths of a step."""
    held = EVENTS.get((side, card_of(number)))
    if held is None:
        return 0
    worth = WORTH.get((side, held.card), 0)
    return max(worth, BATTLE_KEEPS if set(held.moments) & set(IN_BATTLE) else 0) // 2


def offers(mind: Mind, numbers: Iterable[int], moments: tuple[Moment, ...]) -> Iterator[tuple[int, Event]]:
    """The events that can be played at one of the moments, with what they are worth."""
    s = mind.s
    for number in numbers:
        held = EVENTS.get((mind.side, card_of(number)))
        at = None if held is None else first_moment(s, mind.side, held.card, moments)
        if held is None or at is None:
            continue
        for targets in islice(held.choices(s, at), LISTED):
            worth = value(mind, at, held.card, targets)
            if worth > 0:
                yield worth, Event(number, targets)


def value(mind: Mind, at: At, card: int, targets: Targets) -> int:
    """In tenths of a step."""
    s, held = mind.s, EVENTS[mind.side, card]
    if at.moment in (Moment.BATTLE, Moment.ROLLED) and s.fight is not None:
        after = with_event(mind, s.fight, at, card, targets)
        return (trial(mind, after) - trial(mind, s.fight)) // 6
    base = WORTH.get((mind.side, held.card), 0)
    if not base:
        return 0
    if at.moment == Moment.COMBAT:
        return base if len(s.targets) > 1 or (mind.side, card) == (SOVIET, 21) else 0
    if at.moment == Moment.AFTERMATH and s.fight is not None and s.fight.side == mind.side:
        return 0
    return base + sum(_target_worth(mind, target) for target in targets)


def _target_worth(mind: Mind, target: int) -> int:
    s, unit = mind.s, unit_in(target)
    if unit >= 0:
        own = s.unit(unit).side == mind.side
        on_map = OUT < s.at(unit) < FIRST_BOX
        return s.face(unit).strength if not own or not on_map else step_price(s, unit) // 8
    if target < UNIT:
        return min(mind.pull.get(target, 0), mind.guard.get(target, 0)) // 20
    return 1 if target == SECOND else 0


def with_event(mind: Mind, fight: Fight, at: At, card: int, targets: Targets) -> Fight:
    """The battle as it would be with the event."""
    s, side = mind.s, mind.side
    after, held = replace(fight), EVENTS[side, card]
    if (side, card) == (AXIS, 1):
        after.doubled = (*fight.doubled, unit_in(targets[0]))
    elif (side, card) == (AXIS, 6):
        after.shifts = (*fight.shifts, (1, "air support", "NR-13.06A"))
    elif (side, card) == (SOVIET, 17):
        after.defenders = (unit_in(targets[0]),)
    elif (side, card) == (SOVIET, 22):
        after.table = SOVIET if fight.side == AXIS else AXIS
    elif isinstance(held, BattleEvent):
        held.do(s, at, after, targets)
    return after
