"""NR-5.20 A card played or paid, the cards that cancel it, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.game import DONE, STAY, Auto, Call, Decide, Frame, Known, Next, Order, Out, Violation
from pbem.kit import all_of
from pbem_rules.noretreat.cards.base import BY_MOMENT, EVENTS, At, Moment, may_hold, target_text, title
from pbem_rules.noretreat.chart import other
from pbem_rules.noretreat.events import Cancelled, Note, Played
from pbem_rules.noretreat.frames import Action
from pbem_rules.noretreat.hands import event_in_hand, hand_numbers, slots, spend
from pbem_rules.noretreat.orders import CARD, Event, Pass, Purpose, card_of
from pbem_rules.noretreat.orders import PAID as PAYS_FOR
from pbem_rules.noretreat.organise import EFFECTS
from pbem_rules.noretreat.rail import take_rail
from pbem_rules.noretreat.state import State
from pbem_rules.noretreat.targets import take_blow

PAID: Mapping[str, Callable[[State, Action, Out], Frame | None]] = {
    **EFFECTS,
    Purpose.RAIL.value: take_rail,
    Purpose.COUNTERBLOW.value: take_blow,
}


def _paid_for(s: State, f: Action) -> str:
    """`the return of 9 to Warsaw (0611)`."""
    targets = [target_text(s, target) for target in f.targets]
    return f"{PAYS_FOR[Purpose(f.purpose)]} {' to '.join(targets) if f.purpose == Purpose.RETURN else all_of(targets)}"


def last_player(f: Action) -> str:
    """Who played the last card of the chain."""
    return f.side if len(f.chain) % 2 == 0 else other(f.side)


class Answer(Decide[State, Action, Event | Pass]):
    """The other side may cancel what was just played; then the first what cancelled it; one card each for a card.

    The cards: NR-13.07A, NR-13.14A, NR-13.15S, NR-13.31A, NR-13.31S, NR-13.36S.
    """

    rule = "NR-5.20"
    window = True
    default, preset = "then pass", True
    fact_names = ("card", "turn")
    answer_names = ("pass", "CARD")

    def _at(self, f: Action) -> At:
        return At(other(last_player(f)), Moment.ANSWER, f)

    def by(self, s: State, f: Action) -> Sequence[str]:
        at = self._at(f)
        if not s.hand(at.side):
            return ()
        possible = may_hold(s, at.side)
        ready = (held.card in possible and held.usable(s, at) for held in BY_MOMENT[at.side, Moment.ANSWER])
        return (at.side,) if any(ready) else ()

    def prompt(self, s: State, f: Action, seat: str) -> str:
        if not f.chain and not f.cards:
            unit = target_text(s, f.targets[0])
            return f"{unit} was upgraded free of charge. You may cancel that with an event, or `pass`."
        card = f.chain[-1] if f.chain else f.cards[0]
        what = f"discarded to pay for {_paid_for(s, f)}" if f.purpose and not f.chain else "played"
        by = last_player(f)
        does = "" if f.purpose and not f.chain else f': "{s.chart.card_event(by, card).text.rstrip(".")}"'
        return f"Card {card} ({title(s, by, card)}{does}) was {what}. You may cancel that with an event, or `pass`."

    def legal(self, s: State, f: Action, seat: str, own: Known) -> Iterator[Event | Pass]:
        yield Pass()
        at = self._at(f)
        for number in hand_numbers(s, seat, own):
            held = EVENTS.get((seat, card_of(number)))
            if held is not None and held.ready(s, at) is None:
                for targets in held.choices(s, at):
                    yield Event(number, targets)

    def opens(self, s: State, f: Action, seat: str, order: Event | Pass) -> tuple[str, ...]:
        return slots(order.card) if isinstance(order, Event) else ()

    def check(self, s: State, f: Action, seat: str, order: Event | Pass, proof: Known) -> Violation | None:
        if isinstance(order, Pass):
            return None
        held = event_in_hand(s, seat, order.card, proof)
        if isinstance(held, Violation):
            return held
        at = self._at(f)
        return held.ready(s, at) or held.check(s, at, order.targets)

    def passing(self, s: State, f: Action, seat: str) -> Event | Pass:
        return Pass()

    def apply(self, s: State, f: Action, answers: Mapping[str, Event | Pass], out: Out) -> Next:
        ((seat, order),) = answers.items()
        if not isinstance(order, Event):
            return DONE
        (card,) = spend(s, seat, (order.card,))
        s.used = (*s.used, card)
        f.chain = (*f.chain, card)
        out.add(Played(side=seat, card=card, title=title(s, seat, card), rule=EVENTS[seat, card].rule))
        return STAY

    def facts(self, s: State, f: Action, seat: str, own: Known) -> Mapping[str, int]:
        return {"card": f.chain[-1] if f.chain else max(f.cards, default=0), "turn": s.turn}

    def answers(self, s: State, f: Action, seat: str, own: Known) -> Mapping[str, Event | Pass]:
        named: dict[str, Event | Pass] = {"pass": Pass()}
        for order in self.legal(s, f, seat, own):
            if isinstance(order, Event):
                named.setdefault(str(card_of(order.card)), order)
        return named

    def is_answer(self, s: State, name: str) -> bool:
        return super().is_answer(s, name) or s.chart.is_card(name)


class TakeEffect(Auto[State, Action]):
    """An odd number of cancelling cards cancels; those that stand do what else they do (NR-13.31A, NR-13.36S)."""

    rule = "NR-5.20"

    def run(self, s: State, f: Action, out: Out) -> Next:
        chain = f.chain
        for place in range(len(chain) - 1, -1, -2):
            side = other(f.side) if place % 2 == 0 else f.side
            before = chain[place - 1] if place else max(f.cards, default=0)
            EVENTS[side, chain[place]].play(s, At(side, Moment.ANSWER, f), (CARD + before,), out)
        if len(chain) % 2:
            out.add(Cancelled(cards=f.cards, rule=self.rule))
            return DONE
        if f.purpose:
            frame = PAID[f.purpose](s, f, out)
        else:
            frame = EVENTS[f.side, f.cards[0]].play(s, At(f.side, Moment(f.moment)), f.targets, out)
        return DONE if frame is None else Call(frame)


__all__ = ["Answer", "Note", "Order", "TakeEffect"]
