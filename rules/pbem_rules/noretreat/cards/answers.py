"""NR-13 Events that cancel what the enemy has just played, paid or made (NR-5.20)."""

from __future__ import annotations

from pbem.game import Frame, Out, Violation
from pbem_rules.noretreat.cards.base import At, CardEvent, Moment, Targets, event
from pbem_rules.noretreat.cards.hand import take
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.frames import Action
from pbem_rules.noretreat.orders import CARD, CHOICE, Purpose
from pbem_rules.noretreat.state import State

ANSWER = Moment.ANSWER
BACK = {(AXIS, 3), (AXIS, 30)}  # events that bring Axis units back from the boxes
RAISE = {(SOVIET, 33), (SOVIET, 38)}  # the same of the Soviets, and NR-13.08S where it upgrades


def first(at: At) -> Action | None:
    """What began it, if nobody has answered yet."""
    action = at.action
    return action if action is not None and not action.chain else None


class Cancel(CardEvent):
    """A card just played, or discarded for a purpose."""

    takes = False

    def unfit(self, s: State, at: At) -> Violation | None:
        action = at.action
        if action is None or not (action.chain or action.cards):
            return self.wrong("No card has been played or paid")
        return None

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        if self.takes:
            take(s, at.side, targets[0] - CARD)
        return None


@event(14, AXIS, ANSWER, symbol=AXIS)
class RawOfficers(Cancel):
    pass


@event(15, SOVIET, ANSWER)
class HitlerContradicts(Cancel):
    pass


@event(31, AXIS, ANSWER)
class StalinInterferes(Cancel):
    takes = True

    def unfit(self, s: State, at: At) -> Violation | None:
        action = first(at)
        if action is not None and action.purpose == Purpose.RETURN:
            return self.wrong("A card paid for a return is not cancelled by this event")
        return super().unfit(s, at)


@event(36, SOVIET, ANSWER)
class HitlerInterferes(Cancel):
    takes = True


@event(7, AXIS, ANSWER, whose="enemy")
class FactoryTrouble(CardEvent):
    def unfit(self, s: State, at: At) -> Violation | None:
        action = first(at)
        if action is not None and action.side == SOVIET:
            if action.purpose in (Purpose.UPGRADE, Purpose.RETURN):
                return None
            if not action.purpose and action.cards:
                card = action.cards[0]
                lend_lease = card == 8 and action.targets != (CHOICE + 1,)
                if (SOVIET, card) in RAISE or lend_lease:
                    return None
        return self.wrong("No Soviet unit has just been upgraded or brought back")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return None


@event(31, SOVIET, ANSWER, symbol=SOVIET)
class BombersOverGermany(CardEvent):
    def unfit(self, s: State, at: At) -> Violation | None:
        action = first(at)
        if action is not None and action.side == AXIS:
            if action.purpose == Purpose.RETURN:
                return None
            if not action.purpose and action.cards and (AXIS, action.cards[0]) in BACK:
                return None
        return self.wrong("No Axis unit has just been brought back")

    def play(self, s: State, at: At, targets: Targets, out: Out) -> Frame | None:
        return None
