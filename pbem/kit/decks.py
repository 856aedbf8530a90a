"""A shared deck: what everybody knows of it, never what a slot holds; and the steps that move its cards.

A card in a hand is a slot (`deck/epoch/position`, its holder knows the card) or, if it was taken openly, the number of
the card itself. Requests say what a `Deal` step asks for and change nothing; the verbs beside them do the bookkeeping.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass, field
from typing import Generic

from pbem.engine.event import Out
from pbem.engine.need import Draw, Give, Known, Show, Shuffle, slot_order
from pbem.engine.order import Order, Violation
from pbem.engine.step import DONE, Deal, F, Frame, Next, Roll, S, Sequence
from pbem.kit.window import Window

HeldCard = str | int


@dataclass(slots=True)
class Deck:
    """One deck: the undrawn rest, the hands, the open discards (the last is the top), slots thrown away face down."""

    name: str
    epoch: int = 0  # 0: not yet shuffled
    size: int = 0
    drawn: int = 0
    hands: dict[str, list[HeldCard]] = field(default_factory=dict)
    discards: list[int] = field(default_factory=list)
    thrown: list[str] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)

    # What there is

    @property
    def left(self) -> int:
        return self.size - self.drawn

    def hand(self, seat: str) -> tuple[HeldCard, ...]:
        return tuple(self.hands.get(seat, ()))

    def top(self, count: int, skip: int = 0) -> tuple[str, ...]:
        """The next slots to be drawn, fewer if the deck has fewer."""
        first = self.drawn + skip
        return tuple(f"{self.name}/{self.epoch}/{place}" for place in range(first, min(first + count, self.size)))

    def cards(self, seat: str, known: Known) -> Iterator[tuple[int, HeldCard]]:
        """Number and held card of each card in the hand whose number is known, in the order of the hand."""
        for held in self.hands.get(seat, ()):
            card = self.card(held, known)
            if card is not None:
                yield card, held

    def card(self, held: HeldCard, known: Known) -> int | None:
        """The number of a held card, if it is open or known."""
        if isinstance(held, int):
            return held
        value = known.get(held)
        return value if isinstance(value, int) else None

    def holds(self, seat: str, held: HeldCard) -> bool:
        return held in self.hands.get(seat, ())

    # The deck

    def first(self, cards: SequenceOf[int]) -> Shuffle:
        """The request that makes a new deck of these open cards; everything else is left out of it."""
        return Shuffle(self.name, tuple(sorted(cards)))

    def reshuffle(self, keep: SequenceOf[int] = ()) -> Shuffle:
        """The request that makes a new deck of the discards (but for `keep`), the thrown cards and the undrawn rest."""
        back = sorted((*self.thrown, *self.top(self.left)), key=slot_order)
        return Shuffle(self.name, tuple(sorted(card for card in self.discards if card not in keep)), tuple(back))

    def shuffled(self, request: Shuffle) -> None:
        """The request has been met. Hands stay as they are."""
        self.epoch += 1
        self.size = len(request.cards) + len(request.back)
        self.drawn = 0
        self.thrown.clear()
        self.discards = [card for card in self.discards if card not in request.cards]

    # Drawing

    def draw(self, seat: str, count: int, skip: int = 0) -> tuple[Give, ...]:
        """The requests by which a seat draws; `skip` cards go to others in the same `Deal`."""
        return tuple(Give(slot, seat) for slot in self.top(count, skip))

    def drew(self, seat: str, count: int) -> tuple[str, ...]:
        """The seat has drawn; the slots are in its hand."""
        slots = self.top(count)
        self.drawn += len(slots)
        self.hands.setdefault(seat, []).extend(slots)
        return slots

    def turn_up(self, count: int) -> tuple[Show, ...]:
        """The requests that show the next cards to everybody."""
        return tuple(Show(slot) for slot in self.top(count))

    def turned_up(self, shown: SequenceOf[int]) -> None:
        """The cards shown are gone from the deck and lie on the discards, the last one on top."""
        self.drawn += len(shown)
        self.discards.extend(shown)

    # Hands

    def discard(self, seat: str, held: HeldCard, card: int) -> None:
        """A card leaves the hand openly, for the top of the discards."""
        self._lose(seat, held)
        self.discards.append(card)

    def remove(self, seat: str, held: HeldCard, card: int) -> None:
        """A card leaves the hand openly, and the game."""
        self._lose(seat, held)
        self.removed.append(card)

    def throw(self, seat: str, held: HeldCard) -> None:
        """A card leaves the hand face down; one that was open goes to the discards."""
        self._lose(seat, held)
        if isinstance(held, int):
            self.discards.append(held)
        else:
            self.thrown.append(held)

    def pick(self, seat: str, card: int) -> None:
        """A card goes from the discards into a hand, where it stays open."""
        self.discards.remove(card)
        self.hands.setdefault(seat, []).append(card)

    def steal(self, held: HeldCard, thief: str) -> tuple[Give, ...]:
        """The requests by which a seat gets another's held card: none for an open one."""
        return () if isinstance(held, int) else (Give(held, thief),)

    def stolen(self, seat: str, held: HeldCard, thief: str) -> None:
        """The held card is in the other hand now."""
        self._lose(seat, held)
        self.hands.setdefault(thief, []).append(held)

    def _lose(self, seat: str, held: HeldCard) -> None:
        self.hands[seat].remove(held)


# Steps that move cards, and windows answered by them


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
    """Rolls for the card that is taken; not for a hand of one card."""

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

    Only sealed standing orders can name cards, by number (`then 15, 36`): public ones name nothing hidden.
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
