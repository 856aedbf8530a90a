"""Changing keys: the new key agrees to speak for the player (LOG-7, kinds `rekey` and ruling `rekey`)."""

from __future__ import annotations

from pbem.protocol.card import Card, parse_card
from pbem.protocol.digest import be8, be32, tagged
from pbem.protocol.keys import Keys, check_signature


def consent(game: bytes, player: int, seq: int, card: bytes) -> bytes:
    """What the new key signs: that the card with this id speaks for this player of the game.

    `seq` is that of the `rekey` record; in a ruling, where the player signs nothing, it is 0.
    """
    return tagged("pbem1/rekey", game, be8(player), be32(seq), card)


def give_consent(new: Keys, game: bytes, player: int, seq: int, card: Card) -> bytes:
    """The `proof` of a record that brings in `card`."""
    return new.sign(consent(game, player, seq, card.id))


def check_consent(game: bytes, player: int, seq: int, card: bytes, proof: bytes) -> Card:
    """The new card, whose key has signed its consent; or a Refusal."""
    new = parse_card(card)
    check_signature(new.sign, consent(game, player, seq, new.id), proof)
    return new
