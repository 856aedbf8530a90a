"""Cards as printed: the kinds, and the numbered cards of a deck. Decks in play: engine/decks.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pbem.kit.board import PROVENANCE, text_of

MAX_COPIES = 99


class CardKind(NamedTuple):
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
        kind = CardKind(key, text_of(item["name"]), text_of(item["text"]), str(item["rule"]), str(item["play"]))
        copies = int(item["copies"])
        if not 1 <= copies <= MAX_COPIES:
            raise ValueError(f"cards: there are 1 to {MAX_COPIES} copies of {key}")
        kinds[key] = kind
        cards.extend([kind] * copies)
    return CardList(str(data["deck"]), str(data["provenance"]), kinds, tuple(cards))
