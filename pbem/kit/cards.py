"""Cards as printed: the kinds, and the numbered cards of a deck. Decks in play: decks.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.kit.board import NOTHING, PROVENANCE, Features, text_of

if TYPE_CHECKING:
    from pbem.kit.formats import CardsFile

MAX_COPIES = 99


class CardEvent(NamedTuple):
    """The event of a card for one side."""

    name: str
    text: str
    rule: str
    play: str  # when it may be played, in the game's own words
    marks: Features = NOTHING


class CardKind(NamedTuple):
    key: str
    name: str
    text: str  # these three are empty where each side has its own event
    rule: str
    play: str
    marks: Features = NOTHING  # which part of the deck it belongs to, and the like
    events: tuple[tuple[str, CardEvent], ...] = ()  # by side

    def event(self, side: str) -> CardEvent | None:
        """What the card is for a side; None if nothing."""
        if not self.events:
            return CardEvent(self.name, self.text, self.rule, self.play, self.marks)
        return next((event for of, event in self.events if of == side), None)


@dataclass(frozen=True, slots=True)
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

    def marked(self, mark: str) -> tuple[int, ...]:
        """The numbers of the cards with a mark: those that leave or join the deck at some time."""
        return tuple(n for n, kind in enumerate(self.cards) if mark in kind.marks)


def cards_of(data: CardsFile) -> CardList:
    """The cards of a file (schemas/data/cards.json), each kind as often as its `copies` say."""
    if data["provenance"] not in PROVENANCE:
        raise ValueError(f"cards: provenance is one of {', '.join(PROVENANCE)}")
    kinds: dict[str, CardKind] = {}
    cards: list[CardKind] = []
    for item in data["cards"]:
        key = str(item["key"])
        if key in kinds:
            raise ValueError(f"cards: {key} is described twice")
        kind = CardKind(
            key,
            text_of(item["name"]),
            text_of(item.get("text", "")),
            str(item.get("rule", "")),
            str(item.get("play", "")),
            _marks(item),
            tuple(sorted((str(side), _event(event)) for side, event in item.get("events", {}).items())),
        )
        copies = int(item["copies"])
        if not 1 <= copies <= MAX_COPIES:
            raise ValueError(f"cards: there are 1 to {MAX_COPIES} copies of {key}")
        kinds[key] = kind
        cards.extend([kind] * copies)
    return CardList(str(data["deck"]), str(data["provenance"]), kinds, tuple(cards))


def _event(item: Mapping[str, Any]) -> CardEvent:
    return CardEvent(text_of(item["name"]), text_of(item["text"]), str(item["rule"]), str(item["play"]), _marks(item))


def _marks(item: Mapping[str, Any]) -> Features:
    return frozenset(str(mark) for mark in item.get("marks", ()))
