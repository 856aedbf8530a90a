"""The public bookkeeping of a shared deck: what everybody knows of it, never what a slot holds.

A card in a hand is a slot (`deck/epoch/position`, its holder knows the card) or, if it was taken openly, the number of
the card itself. Requests say what a `Deal` step asks for and change nothing; the verbs beside them do the bookkeeping.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pbem.engine.need import Give, Known, Show, Shuffle

HeldCard = str | int


def slot_order(slot: str) -> tuple[int, int]:
    """Epoch and position of a slot: the order in which slots are returned to a deck (HID-17)."""
    _, epoch, position = slot.rsplit("/", 2)
    return int(epoch), int(position)


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
        """Card number and held card of all in the hand whose number is known, in the order of the hand."""
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

    def first(self, cards: Sequence[int]) -> Shuffle:
        """The request that makes a new deck of these open cards; everything else is left out of it."""
        return Shuffle(self.name, tuple(sorted(cards)))

    def reshuffle(self, keep: Sequence[int] = ()) -> Shuffle:
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

    def turned_up(self, shown: Sequence[int]) -> None:
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
