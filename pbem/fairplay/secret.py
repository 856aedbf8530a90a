"""One author's secrets in one game: all that follows from their seed and the game's nonce (CHA-1, HID-1..3).

Nothing here is ever sent except what the rules of the protocol make public; `repr` shows nothing of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag

from pbem.fairplay.chance import Chain, chain_top
from pbem.protocol.digest import be32, derive, tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.genesis import chain_id, nonce_commitment

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

_NO_NONCE = bytes(12)  # each key encrypts one plaintext: the context is a commitment to it (HID-3)


def _cipher(key: bytes, context: bytes) -> ChaCha20Poly1305:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(derive(key, "own", context))


def gs_commitment(gs: bytes) -> bytes:
    return tagged("pbem1/gs", gs)


def open_own(seed: bytes, commitment: bytes, box: bytes) -> bytes:
    """The nonce from the `own` box of one's offer or join: how a backup of the seed brings a game back (GEN-1)."""
    nonce = _unbox(seed, commitment, box)
    if nonce_commitment(nonce) != commitment:
        raise Refusal("E-BOX", "The box that should hold this game's nonce holds something else.", step="HID-3")
    return nonce


class Opened:
    """The values that follow from `gs` alone: all that an audit makes again once `gs` is published (HID-40)."""

    __slots__ = ("_chains", "gs", "gs_commitment")

    def __init__(self, gs: bytes) -> None:
        self.gs = gs
        self.gs_commitment = gs_commitment(gs)
        self._chains: dict[bytes, Chain] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}(hidden)"

    def salt(self, seq: int) -> bytes:
        """CHA-5."""
        return derive(self.gs, "salt", be32(seq), size=16)

    def hide_nonce(self, seq: int, slot: str) -> bytes:
        """HID-1."""
        return derive(self.gs, "hide", be32(seq), slot)

    def commit(self, game_id: bytes, seat: str, slot: str, seq: int, value: bytes) -> bytes:
        """The commitment to a value that record `seq` carries for a slot (HID-1)."""
        return tagged("pbem1/hide", game_id, seat, slot, self.hide_nonce(seq, slot), value)

    def box(self, context: bytes, plaintext: bytes) -> bytes:
        """A box for oneself (HID-3). `context` must commit to the plaintext: it is all that separates the keys."""
        return _box(self.gs, context, plaintext)

    def unbox(self, context: bytes, box: bytes) -> bytes:
        return _unbox(self.gs, context, box)

    def chain(self, witness: int, chooser: int, number: int = 0) -> Chain:
        """The chain of this author as witness of `chooser` (CHA-2, CHA-3)."""
        cid = chain_id(self.gs_commitment, witness, chooser, number)
        if cid not in self._chains:
            self._chains[cid] = Chain(cid, chain_top(self.gs, cid))
        return self._chains[cid]


class GameSecrets(Opened):
    """The owner's secrets: `gs` from their seed and the nonce they brought to this game (CHA-1)."""

    __slots__ = ("nonce", "nonce_commitment", "own")

    def __init__(self, seed: bytes, nonce: bytes) -> None:
        if len(seed) != 32 or len(nonce) != 32:
            raise ValueError("a seed and a nonce have 32 bytes")
        super().__init__(derive(seed, "game", nonce))
        self.nonce = nonce
        self.nonce_commitment = nonce_commitment(nonce)
        self.own = _box(seed, self.nonce_commitment, nonce)


def _box(key: bytes, context: bytes, plaintext: bytes) -> bytes:
    return _cipher(key, context).encrypt(_NO_NONCE, plaintext, None)


def _unbox(key: bytes, context: bytes, box: bytes) -> bytes:
    try:
        return _cipher(key, context).decrypt(_NO_NONCE, box, None)
    except (InvalidTag, ValueError, OverflowError):
        raise Refusal("E-BOX", "A box that only you can open does not open with your key.", step="HID-3") from None
