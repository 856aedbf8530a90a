"""The sensible bot's use of its cards: events, payments, and what it throws away."""

from __future__ import annotations

from functools import cached_property

from pbem.game import Order, View
from pbem_rules.noretreat.bot_events import keeps, offers
from pbem_rules.noretreat.bot_march import best_place
from pbem_rules.noretreat.bot_mind import Mind
from pbem_rules.noretreat.cards.base import EVENTS, At, Moment
from pbem_rules.noretreat.chart import AXIS
from pbem_rules.noretreat.entries import entries
from pbem_rules.noretreat.frames import Action, PlayerTurn, Window
from pbem_rules.noretreat.hands import KEEP, hand_numbers
from pbem_rules.noretreat.orders import UNIT, Discard, Done, Drop, Event, Pass, Purpose, Upgrade, card_of
from pbem_rules.noretreat.organise import (
    FLIP,
    PLACE,
    check_return,
    check_upgrade,
    free_upgrades,
    restful,
    return_price,
    upgrade_price,
)
from pbem_rules.noretreat.payments import payments
from pbem_rules.noretreat.state import CAPTURED, DESTROYED, State
from pbem_rules.noretreat.targets import able, blow_places
from pbem_rules.noretreat.windows import MOMENTS


class Cards:
    """The hand of one side, seen through its own eyes."""

    def __init__(self, mind: Mind, view: View[State]) -> None:
        self.mind, self.s, self.side, self.view = mind, mind.s, mind.side, view

    @cached_property
    def hand(self) -> tuple[int, ...]:
        """As orders name them, those first that are parted with most easily."""
        numbers = hand_numbers(self.s, self.side, self.view.known)
        return tuple(sorted(numbers, key=lambda number: (self.keeps(number), card_of(number))))

    def keeps(self, number: int) -> int:
        """How gladly a card is kept, 0 to 9."""
        return keeps(self.side, number)

    def event(self, *moments: Moment, least: int = 0) -> Event | None:
        """The best event for now, if it is worth more than a card."""
        price = least or (2 if len(self.hand) > KEEP else 6)
        best: tuple[int, Event] | None = None
        for worth, order in offers(self.mind, self.hand, moments):
            if worth >= price and (best is None or worth > best[0]):
                best = (worth, order)
        return best[1] if best else None

    def worst(self) -> int | None:
        return self.hand[0] if self.hand else None

    def spare(self) -> int:
        """How many cards can go without touching those that will be kept."""
        return max(0, len(self.hand) - KEEP)

    def pay(self, purpose: Purpose, price: int, targets: tuple[int, ...], reserve: int = 0) -> Discard | None:
        if len(self.hand) < price + reserve:
            return None
        ways = payments(self.s, self.side, purpose, price, self.view.known)
        rank = {number: place for place, number in enumerate(self.hand)}
        best = min(ways, key=lambda cards: (len(cards), [rank[n] for n in cards]), default=None)
        return None if best is None else Discard(best, purpose, targets)

    # The Card phase

    def throwing(self) -> Order:
        return Drop((self.hand[0],)) if len(self.hand) > KEEP else Done()

    # Organisation

    def upgrades(self, turn: PlayerTurn) -> Order | None:
        s, side = self.s, self.side
        if turn.stage != FLIP:
            return None
        units = [u for u in s.chart.own[side] if s.on_map(u) and not s.pieces[u].strong and s.unit(u).two_faced]
        units.sort(key=lambda u: (-self.gain(u), u))
        if side != AXIS and turn.free < free_upgrades(s):
            for unit in units:
                if check_upgrade(s, turn, unit, free=True) is None:
                    return Upgrade(unit)
        owed = self.returnable()
        for unit in units:
            price = upgrade_price(s, side, unit)
            better = owed and owed[0][0] * price >= self.gain(unit)
            if not better and check_upgrade(s, turn, unit, free=False) is None:
                found = self.pay(Purpose.UPGRADE, price, (UNIT + unit,))
                if found is not None:
                    return found
        return None

    def gain(self, unit: int) -> int:
        """What the better side is worth, in tenths of a step."""
        s, kind = self.s, self.s.unit(unit)
        more = 3 * (kind.better.strength - kind.faces[0].strength)
        step = 6 if self.side == AXIS or s.turn >= 16 or "fortified" in kind.better.traits else 0
        near = self.mind.danger(s.at(unit))
        return more + step + near

    def returnable(self) -> list[tuple[int, int]]:
        """Units that could come back for cards, with what one card brings; the best first."""
        s = self.s
        found = []
        for box in (DESTROYED, CAPTURED):
            for unit in s.of(self.side, box):
                if check_return(s, self.side, unit) is None and entries(s, unit, box):
                    face = s.unit(unit).faces[0]
                    found.append(((8 + 3 * face.strength) // return_price(s, unit), unit))
        return sorted(found, key=lambda each: (-each[0], each[1]))

    def returns(self, turn: PlayerTurn) -> Order | None:
        s = self.s
        if turn.stage <= PLACE:
            for _, unit in self.returnable():
                places = entries(s, unit, s.at(unit))
                goal = best_place(self.mind, unit, places, 0)
                if goal is not None:
                    found = self.pay(Purpose.RETURN, return_price(s, unit), (UNIT + unit, goal))
                    if found is not None:
                        return found
        for unit in restful(s, self.side):
            if self.spare() and self.mind.danger(s.at(unit)) > 4:
                return self.pay(Purpose.REORGANISE, 1, (UNIT + unit,), KEEP)
        return None

    def in_march(self) -> Order | None:
        return self.event(Moment.MOVE, Moment.ANY)

    # Others' turns

    def counterblow(self) -> Order | None:
        """A hex that the enemy can attack only badly, if a card is to spare."""
        s = self.s
        if len(self.hand) <= KEEP + 1:
            return None
        best: tuple[int, int] | None = None
        for place in blow_places(s):
            units = able(s, s.active, place)
            if not units or any(s.pieces[u].strong and s.unit(u).cadre for u in s.ground.stacks[place]):
                continue
            strength = sum(s.face(u).strength for u in units)
            own = sum(s.face(u).strength for u in s.ground.stacks[place] if not s.face(u).white)
            if own and strength <= own and (best is None or own - strength > best[0]):
                best = (own - strength, place)
        return None if best is None else self.pay(Purpose.COUNTERBLOW, 1, (best[1],), KEEP)

    def in_window(self) -> Event | Pass | None:
        """A chance to interrupt, or to answer what was just played."""
        frame = self.view.frame
        if isinstance(frame, Action):
            return self.answer(frame) or Pass()
        return self.event(*MOMENTS[frame.moment]) or Pass() if isinstance(frame, Window) else None

    def answer(self, frame: Action) -> Event | None:
        """What is dear to the enemy is cancelled."""
        s, at = self.s, At(self.side, Moment.ANSWER, frame)
        cards = frame.chain[-1:] or frame.cards[:1]
        dear = 4
        if cards and (frame.chain or not frame.purpose):
            dear = keeps(self.mind.foe, cards[0])
        for number in self.hand:
            held = EVENTS.get((self.side, card_of(number)))
            if held is None or held.ready(s, at) is not None:
                continue
            targets = next(held.choices(s, at), None)
            if targets is not None and (dear >= 5 or len(self.hand) > KEEP):
                return Event(number, targets)
        return None
