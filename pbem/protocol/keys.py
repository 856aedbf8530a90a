"""Keys and signatures (docs/spec/record.md, KEY-1..KEY-3, KEY-5); `words` has them as words to be read aloud.

The library accepts public keys of small and of mixed order, under which one signature can be valid for several
messages, or valid for some verifiers and not for others; they are refused here before the library sees them.
"""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.protocol.digest import derive, tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.montgomery import L, P, is_sound

_PREFIX = b"pbem1/sig\x00"
_IDENTITY_POINT = b"\x01" + bytes(31)


@lru_cache(maxsize=512)
def _public(sign: bytes) -> Ed25519PublicKey | None:
    """The key, or None if KEY-1 refuses it. Cached, once per key."""
    y = int.from_bytes(sign, "little") & (1 << 255) - 1  # the sign of x, which is not 0 where u is sound, is either
    if len(sign) != 32 or y >= P or y == 1 or not is_sound(((1 + y) * pow(1 - y, -1, P) % P).to_bytes(32, "little")):
        return None
    return Ed25519PublicKey.from_public_bytes(sign)


def check_sign_key(sign: bytes) -> None:
    """KEY-1."""
    if _public(sign) is None:
        raise _unsound()


def _unsound() -> Refusal:
    sentence = "The signing key is not a sound Ed25519 key; nothing signed with it can be trusted."
    return Refusal("E-KEY", sentence, step="KEY-1")


def check_seal_key(seal: bytes) -> None:
    """KEY-3."""
    if not is_sound(seal):
        raise Refusal(
            "E-KEY", "The sealing key is not a sound X25519 key; nothing sealed to it would be secret.", step="KEY-3"
        )


def check_signature(sign: bytes, digest: bytes, signature: bytes) -> None:
    """KEY-1 and KEY-2: `signature` by `sign` over the id `digest`.

    The library computes R' = [S]B - [h]A and compares its encoding with the first half of the signature: the
    cofactorless equation, which also demands a canonical R. As A has prime order, so has R', save when it is the
    identity; that is refused, so that verifiers which refuse an R of small order agree.
    """
    public = _public(sign)
    if public is None:
        raise _unsound()
    if len(signature) == 64 and not signature.startswith(_IDENTITY_POINT) and _has_small_s(signature):
        try:
            public.verify(signature, _PREFIX + digest)
        except InvalidSignature:
            pass
        else:
            return
    raise Refusal(
        "E-SIGNATURE",
        "The signature does not hold: the bytes were changed, or another key signed them.",
        step="KEY-2",
    )


def _has_small_s(signature: bytes) -> bool:
    """S < l. Nearly every S is below 2^252, which its last byte shows, and l is above."""
    return signature[63] < 0x10 or int.from_bytes(signature[32:], "little") < L


def identity_of(sign: bytes) -> bytes:
    """KEY-5: what a person is known by."""
    return tagged("pbem1/id", sign)


class Keys:
    """One person's private keys, from one seed of 32 bytes. Shows nothing of itself."""

    __slots__ = ("_seed", "_sign", "identity", "seal_private", "seal_public", "sign_public")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != 32:
            raise ValueError("a seed has 32 bytes")
        self._seed = seed
        self._sign = Ed25519PrivateKey.from_private_bytes(derive(seed, "sign"))
        self.seal_private = X25519PrivateKey.from_private_bytes(derive(seed, "seal"))
        self.sign_public = self._sign.public_key().public_bytes_raw()
        self.seal_public = self.seal_private.public_key().public_bytes_raw()
        self.identity = identity_of(self.sign_public)

    @property
    def seed(self) -> bytes:
        return self._seed

    def sign(self, digest: bytes) -> bytes:
        """Signature over the id of a record or card."""
        return self._sign.sign(_PREFIX + digest)

    def __repr__(self) -> str:
        return f"Keys({self.identity.hex()[:12]}...)"

    def __reduce__(self) -> str:
        raise TypeError("private keys are not pickled")
