"""BH-8 Cards: deck, hands, what may be played when, and the theft."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pbem.game import DONE, Deal, Draw, Known, Next, Out, Request, Roll, Shuffle, Violation
from pbem_rules.bridgehead.chart import SEATS, other
from pbem_rules.bridgehead.events import Drew, Shuffled, Stole
from pbem_rules.bridgehead.frames import Half, Steal, Turn, War
from pbem_rules.bridgehead.hidden import DAWNS
from pbem_rules.bridgehead.orders import Play, Posture, slot_text
from pbem_rules.bridgehead.state import DEALT, HAND, State


def wanted(s: State, side: str) -> int:
    """How many cards the side draws now (BH-8.2, BH-3.7)."""
    draws = 2 if s.postures.get(side) == Posture.REST else 1
    return max(0, min(draws, HAND - len(s.hand(side))))


class _Reshuffle:
    """Makes the next epoch of the deck: the first of all cards, the others of what has been used and what is left."""

    def requests(self, s: State, f: object) -> Iterable[Request]:
        return (self._request(s),)

    def run(self, s: State, f: object, shown: Mapping[str, int], out: Out) -> Next:
        s.deck.shuffled(self._request(s))
        out.add(Shuffled(cards=s.deck.size, rule="BH-8.3" if s.deck.epoch > 1 else "BH-8.1"))
        return DONE

    @staticmethod
    def _request(s: State) -> Shuffle:
        return s.deck.reshuffle() if s.deck.epoch else s.deck.first(range(len(s.chart.cards)))


class FirstShuffle(_Reshuffle, Deal[State, War]):
    rule = "BH-8.1"


class DawnShuffle(_Reshuffle, Deal[State, Turn]):
    rule = "BH-8.3"

    def when(self, s: State, f: Turn) -> bool:
        return s.turn in DAWNS and s.turn > DAWNS[0]


class Refill(_Reshuffle, Deal[State, Half]):
    rule = "BH-8.3"

    def when(self, s: State, f: Half) -> bool:
        return s.deck.left < wanted(s, f.side)


class DealHands(Deal[State, War]):
    name = "deal"
    rule = "BH-2.1"

    def requests(self, s: State, f: War) -> Iterable[Request]:
        for number, side in enumerate(SEATS):
            yield from s.deck.draw(side, DEALT, skip=number * DEALT)

    def run(self, s: State, f: War, shown: Mapping[str, int], out: Out) -> Next:
        for side in SEATS:
            s.deck.drew(side, DEALT)
            out.add(Drew(side=side, count=DEALT, rule=self.rule))
        return DONE


class DrawCards(Deal[State, Half]):
    name = "draw"
    rule = "BH-8.2"

    def requests(self, s: State, f: Half) -> Iterable[Request]:
        return s.deck.draw(f.side, wanted(s, f.side))

    def run(self, s: State, f: Half, shown: Mapping[str, int], out: Out) -> Next:
        taken = s.deck.drew(f.side, wanted(s, f.side))
        if taken:
            out.add(Drew(side=f.side, count=len(taken), rule=self.rule))
        return DONE


def playable(s: State, side: str, own: Known, play: str) -> Iterator[tuple[int, str]]:
    """BH-8.4: the cards of that sort that the side knows to be in its hand, with their slots."""
    for card, held in s.deck.cards(side, own):
        if s.chart.cards[card].play == play:
            yield card, str(held)


def check_in_hand(s: State, side: str, number: int) -> Violation | None:
    if slot_text(s.deck.name, number) not in s.hand(side):
        return Violation("BH-8.4", "That card is not in your hand")
    return None


def check_play(s: State, side: str, order: Play, proof: Known, play: str) -> Violation | None:
    """BH-8.4: held, shown to be that card, and of the right sort."""
    wrong = check_in_hand(s, side, order.slot)
    if wrong is not None:
        return wrong
    if not 0 <= order.card < len(s.chart.cards):
        return Violation("BH-8.4", "There is no such card")
    kind = s.chart.cards[order.card]
    if proof[slot_text(s.deck.name, order.slot)] != order.card:
        return Violation("BH-8.4", f"The card in your hand is not {kind.name}")
    if kind.play != play:
        when = {
            "orders": "while you move",
            "reaction": "as the defender before a battle",
            "answer": "in answer to a card",
        }
        return Violation("BH-8.4", f"{kind.name} is played {when[kind.play]}")
    return None


def discard(s: State, side: str, order: Play) -> None:
    """BH-8.4: a played card goes face up to the discards."""
    s.deck.discard(side, slot_text(s.deck.name, order.slot), order.card)


def can_steal(s: State, side: str) -> bool:
    """BH-8.8. Night patrol itself, which leaves the hand, makes room for the card (BH-8.2)."""
    return bool(s.hand(other(side)))


class PickCard(Roll[State, Steal]):
    rule = "BH-8.8"

    def draws(self, s: State, f: Steal) -> Iterable[Draw]:
        hand = s.hand(other(f.side))
        return (Draw(f"t{s.turn}/{f.side}/patrol", len(hand)),) if len(hand) > 1 else ()

    def run(self, s: State, f: Steal, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        place = next(iter(got.values()))[0] if got else 1
        f.taken = s.hand(other(f.side))[place - 1]
        out.add(Stole(side=f.side, place=place, rule=self.rule))
        return DONE


class TakeCard(Deal[State, Steal]):
    rule = "BH-8.8"

    def requests(self, s: State, f: Steal) -> Iterable[Request]:
        return s.deck.steal(f.taken, f.side)

    def run(self, s: State, f: Steal, shown: Mapping[str, int], out: Out) -> Next:
        s.deck.stolen(other(f.side), f.taken, f.side)
        return DONE
