"""The umpire as dealer (docs/spec/hidden.md, HID-30..HID-33), and the open deck that nobody hides (HID-50)."""

from __future__ import annotations

from collections.abc import Sequence

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.fairplay.chance import permutation
from pbem.fairplay.commitments import NONCE, DeckSlot, commitment
from pbem.protocol.digest import be32, derive, tagged, tagged_list
from pbem.protocol.errors import Refusal
from pbem.protocol.hpke import ephemeral, seal, unseal

SEAT = "deck"
"""What stands for the seat in the commitment to a dealt slot."""
OPENING = NONCE + 4
"""Length of nonce32 || be32 card."""


def deal_order(
    gs: bytes, game_id: bytes, deck: str, epoch: int, nonces: Sequence[bytes], things: Sequence[int]
) -> tuple[int, ...]:
    """The card of each slot: `things` are the open cards ascending, then the cards of slots that went back (HID-30).

    The nonces of all players enter, so the umpire cannot have chosen the order when they committed to their secret.
    """
    own = derive(gs, "deal", deck, be32(epoch))
    key = tagged("pbem1/deal", game_id, deck, be32(epoch), own, tagged_list(tuple(nonces)))
    return tuple(things[k] for k in permutation(key, len(things)))


def open_order(key: bytes, deck: str, epoch: int, things: Sequence[int]) -> tuple[int, ...]:
    """The same in mode `open`, where the order follows from K0 and everybody knows it (HID-50)."""
    return tuple(things[k] for k in permutation(tagged("pbem1/opendeck", key, deck, be32(epoch)), len(things)))


def opening(gs: bytes, slot: DeckSlot, card: int) -> bytes:
    """nonce32 || be32 card: what opens a dealt slot (HID-31)."""
    return derive(gs, "dealt", str(slot)) + be32(card)


def commit(game_id: bytes, slot: DeckSlot, opened: bytes) -> bytes:
    """The commitment to a dealt slot that this opening opens (HID-31)."""
    return commitment(game_id, SEAT, str(slot), opened[:NONCE], opened[NONCE:])


def find_card(gs: bytes, game_id: bytes, slot: DeckSlot, committed: bytes, pool: Sequence[int]) -> int | None:
    """The card behind one of the umpire's own commitments: its nonce does not depend on the card, so they can look."""
    return next((card for card in pool if commit(game_id, slot, opening(gs, slot, card)) == committed), None)


def make_box(gs: bytes, slot: DeckSlot, card: int, public: bytes) -> bytes:
    """The opening of a slot, sealed to the player who is dealt it (HID-31)."""
    aad = str(slot).encode()
    return seal(ephemeral(gs, "card", aad), public, "card", aad, opening(gs, slot, card))


def open_box(private: X25519PrivateKey, game_id: bytes, slot: DeckSlot, committed: bytes, box: bytes) -> bytes:
    """The opening in a box that the umpire gave, checked against their commitment; else E-DEAL (HID-33)."""
    try:
        opened = unseal(private, "card", str(slot).encode(), box)
    except Refusal:
        raise _garbage(slot) from None
    if len(opened) != OPENING or commit(game_id, slot, opened) != committed:
        raise _garbage(slot)
    return opened


def _garbage(slot: DeckSlot) -> Refusal:
    return Refusal(
        "E-DEAL",
        f"What the umpire sealed to you for {slot} is not the card that was promised. Ask the umpire to give it again; "
        "until then you cannot use it, and the audit at the end will show whose fault it was.",
        step="HID-33",
        author=7,
    )
