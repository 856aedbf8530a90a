"""Steps that games with a shared deck have in common: shuffling, drawing, stealing, and windows answered by cards."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic

from pbem.engine.decks import Deck, HeldCard
from pbem.engine.event import Out
from pbem.engine.need import Draw, Give, Known, Shuffle
from pbem.engine.order import Order, Violation
from pbem.engine.step import DONE, Deal, F, Frame, Next, Roll, S, Sequence
from pbem.engine.window import Window


@dataclass(frozen=True, slots=True)
class Card(Order):
    """Play a card of the own hand; `slot` is empty if it lies there openly."""

    number: int
    slot: str = ""

    @property
    def held(self) -> HeldCard:
        return self.slot or self.number


@dataclass(frozen=True, slots=True)
class Pass(Order):
    """Do nothing."""


class Shuffling(Deal[S, F]):
    """Makes a new deck when `shuffle` has a request for it (`Deck.first`, `Deck.reshuffle`)."""

    @abstractmethod
    def deck(self, s: S) -> Deck: ...

    @abstractmethod
    def shuffle(self, s: S, f: F) -> Shuffle | None: ...

    def requests(self, s: S, f: F) -> tuple[Shuffle, ...]:
        request = self.shuffle(s, f)
        return () if request is None else (request,)

    def run(self, s: S, f: F, shown: Mapping[str, int], out: Out) -> Next:
        request = self.shuffle(s, f)
        if request is not None:
            self.deck(s).shuffled(request)
        return DONE


class Drawing(Deal[S, F]):
    """A seat draws cards, as far as the deck goes."""

    @abstractmethod
    def deck(self, s: S) -> Deck: ...

    @abstractmethod
    def drawing(self, s: S, f: F) -> tuple[str, int]:
        """The seat, and how many cards."""

    def requests(self, s: S, f: F) -> tuple[Give, ...]:
        return self.deck(s).draw(*self.drawing(s, f))

    def run(self, s: S, f: F, shown: Mapping[str, int], out: Out) -> Next:
        self.deck(s).drew(*self.drawing(s, f))
        return DONE


@dataclass
class Theft(Frame):
    """Call this for a card at random from another's hand; `held` is the card, None if the hand is empty."""

    victim: str
    thief: str
    label: str
    held: HeldCard | None = None


class RollTheft(Roll[S, Theft]):
    """Which card. Of a hand of one there is nothing to roll."""

    def __init__(self, deck: Callable[[S], Deck]) -> None:
        self._deck = deck

    def draws(self, s: S, f: Theft) -> tuple[Draw, ...]:
        size = len(self._deck(s).hand(f.victim))
        return (Draw(f.label, size),) if size > 1 else ()

    def run(self, s: S, f: Theft, got: Mapping[str, tuple[int, ...]], out: Out) -> Next:
        hand = self._deck(s).hand(f.victim)
        if hand:
            f.held = hand[got[f.label][0] - 1 if got else 0]
        return DONE


class GiveTheft(Deal[S, Theft]):
    """The thief learns the card and holds it. Where two players shuffle, the card becomes public (HID-16)."""

    def __init__(self, deck: Callable[[S], Deck]) -> None:
        self._deck = deck

    def requests(self, s: S, f: Theft) -> tuple[Give, ...]:
        return () if f.held is None else self._deck(s).steal(f.held, f.thief)

    def run(self, s: S, f: Theft, shown: Mapping[str, int], out: Out) -> Next:
        if f.held is not None:
            self._deck(s).stolen(f.victim, f.held, f.thief)
        return DONE


def theft(deck: Callable[[S], Deck]) -> Sequence[S, Theft]:
    """The sequence that a game lists if it calls `Theft`."""
    return Sequence(Theft, RollTheft(deck), GiveTheft(deck))


class CardWindow(Window[S, F, Card | Pass], Generic[S, F]):
    """A window in which cards are played. A card played goes to the discards; `played` says what comes of it.

    Standing orders name cards by number (`then 15, 36`): sealed ones only, for public ones name no hidden thing.
    """

    takes = (Card, Pass)

    @abstractmethod
    def deck(self, s: S) -> Deck: ...

    @abstractmethod
    def fits(self, s: S, f: F, seat: str, card: int) -> Violation | None:
        """May this card, held by the seat, be played now?"""

    @abstractmethod
    def played(self, s: S, f: F, seat: str, card: int, out: Out) -> Frame | None: ...

    def can(self, s: S, f: F, seat: str) -> bool:
        return bool(self.deck(s).hand(seat))

    def passing(self, s: S, f: F, seat: str) -> Card | Pass:
        return Pass()

    def opens(self, s: S, f: F, seat: str, order: Card | Pass) -> tuple[str, ...]:
        return (order.slot,) if isinstance(order, Card) and order.slot else ()

    def actions(self, s: S, f: F, seat: str, own: Known) -> Iterator[Card | Pass]:
        for card, held in self.deck(s).cards(seat, own):
            if self.fits(s, f, seat, card) is None:
                yield Card(card, held if isinstance(held, str) else "")

    def judge(self, s: S, f: F, seat: str, order: Card | Pass, proof: Known) -> Violation | None:
        if isinstance(order, Pass):
            return None
        if not self.deck(s).holds(seat, order.held) or self.deck(s).card(order.held, proof) != order.number:
            return Violation(self.rule, f"{seat} does not hold card {order.number} there")
        return self.fits(s, f, seat, order.number)

    def act(self, s: S, f: F, seat: str, order: Card | Pass, out: Out) -> Frame | None:
        assert isinstance(order, Card)
        self.deck(s).discard(seat, order.held, order.number)
        return self.played(s, f, seat, order.number, out)

    def answers(self, s: S, f: F, seat: str, own: Known) -> Mapping[str, Card | Pass]:
        cards = {str(order.number): order for order in self.actions(s, f, seat, own) if isinstance(order, Card)}
        return {"pass": Pass(), **cards}
