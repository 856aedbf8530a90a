"""Commitments to secret values, and the names of slots (docs/spec/hidden.md, HID-1, HID-6, HID-16)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pbem.protocol.digest import tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_DECK, MAX_EPOCH, MAX_POLICY, MAX_VALUE, PADDED

NONCE = 32
"""Length of the nonce that opens a commitment."""

_DECK_SLOT = re.compile(r"([a-z0-9_-]{1,32})/([1-9][0-9]{0,4})/(0|[1-9][0-9]{0,2})", re.ASCII)


def commitment(game_id: bytes, seat: str, slot: str, nonce: bytes, value: bytes) -> bytes:
    """HID-1."""
    return tagged("pbem1/hide", game_id, seat, slot, nonce, value)


def pad(value: bytes, most: int = MAX_VALUE) -> bytes:
    """HID-1: its length, the value, and zeros up to a size that tells nothing."""
    size = next((size for size in PADDED if len(value) + 2 <= size <= most), 0)
    if not size:
        raise Refusal("E-LARGE", f"What is sealed has at most {most - 2} bytes.", step="HID-1")
    return (len(value).to_bytes(2, "big") + value).ljust(size, b"\0")


def unpad(padded: bytes) -> bytes | None:
    """The value; None if it is not padded as it must be."""
    value = padded[2 : 2 + int.from_bytes(padded[:2], "big")]
    return value if len(value) <= MAX_POLICY - 2 and pad(value, MAX_POLICY) == padded else None


def standing_slot(seat: str, kind: str) -> str:
    """The slot under which sealed standing orders are committed (HID-6). It is hashed only, never sent."""
    return f"standing/{seat}/{kind}"


class DeckSlot(NamedTuple):
    """One card back of one epoch of a deck. Ascending order is by deck, epoch, place."""

    deck: str
    epoch: int
    j: int

    def __str__(self) -> str:
        return f"{self.deck}/{self.epoch}/{self.j}"


@lru_cache(1024)  # one card is named again and again
def deck_slot(slot: str) -> DeckSlot | None:
    """The parts of `deck/epoch/j` (HID-16), or None if the text is not the one spelling of such a slot."""
    match = _DECK_SLOT.fullmatch(slot)
    if match is None:
        return None
    found = DeckSlot(match[1], int(match[2]), int(match[3]))
    return found if found.epoch <= MAX_EPOCH and found.j < MAX_DECK else None
