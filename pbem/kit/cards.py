"""Cards as printed: the kinds, and the numbered cards of a deck; the public bookkeeping of a shared deck in play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.need import Shuffle
from pbem.kit.board import PROVENANCE


@dataclass(frozen=True, slots=True)
class CardKind:
    key: str
    name: str
    text: str
    rule: str
    play: str  # when it may be played, in the game's own words


@dataclass(frozen=True)
class CardList:
    """A deck as it comes out of the box: card number -> kind. Numbers count from 0, as decks are shuffled."""

    deck: str
    provenance: str
    kinds: Mapping[str, CardKind]
    cards: tuple[CardKind, ...]

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, card: int) -> CardKind:
        return self.cards[card]

    def numbers(self, key: str) -> tuple[int, ...]:
        return tuple(n for n, kind in enumerate(self.cards) if kind.key == key)


def cards_of(data: Mapping[str, Any]) -> CardList:
    """The cards of a file (schemas/cards.json), each kind as often as its `copies` say."""
    if data["provenance"] not in PROVENANCE:
        raise ValueError(f"cards: provenance is one of {', '.join(PROVENANCE)}")
    kinds: dict[str, CardKind] = {}
    cards: list[CardKind] = []
    for item in data["cards"]:
        key = str(item["key"])
        if key in kinds:
            raise ValueError(f"cards: {key} is described twice")
        kind = CardKind(key, str(item["name"]), str(item["text"]), str(item["rule"]), str(item["play"]))
        kinds[key] = kind
        cards.extend([kind] * int(item["copies"]))
    return CardList(str(data["deck"]), str(data["provenance"]), kinds, tuple(cards))


def slot_parts(slot: str) -> tuple[int, int]:
    """Epoch and position of a slot `deck/epoch/position` (HID-16)."""
    _, epoch, position = slot.rsplit("/", 2)
    return int(epoch), int(position)


@dataclass(slots=True)
class Deck:
    """What everybody knows of a shared deck: how many cards are left, the discards, never what a slot holds.

    Hands are the game's: a hand is a tuple of slots, of any epoch.
    """

    name: str
    size: int = 0  # cards in this epoch
    epoch: int = 0  # 0: not yet shuffled
    drawn: int = 0
    played: list[int] = field(default_factory=list)  # open cards, in the order of play
    thrown: list[str] = field(default_factory=list)  # slots put away face down

    @property
    def left(self) -> int:
        return self.size - self.drawn

    def slot(self, position: int) -> str:
        return f"{self.name}/{self.epoch}/{position}"

    def top(self, count: int, skip: int = 0) -> tuple[str, ...]:
        """The next slots to be drawn, fewer if the deck has fewer."""
        first = self.drawn + skip
        return tuple(self.slot(p) for p in range(first, min(first + count, self.size)))

    def take(self, count: int) -> tuple[str, ...]:
        taken = self.top(count)
        self.drawn += len(taken)
        return taken

    def shuffle(self) -> Shuffle:
        """The request that makes the next epoch of the discards and the undrawn rest."""
        back = sorted((*self.thrown, *self.top(self.left)), key=slot_parts)
        return Shuffle(self.name, tuple(sorted(self.played)), tuple(back))

    def shuffled(self) -> None:
        """The request has been met."""
        self.size = len(self.played) + len(self.thrown) + self.left
        self.epoch += 1
        self.drawn = 0
        self.played.clear()
        self.thrown.clear()
