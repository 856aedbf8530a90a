"""Sealing to another person's X25519 key: HPKE (RFC 9180), base mode, one message (docs/spec/hidden.md, HID-5).

DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20Poly1305. The ephemeral key comes from the sender's game secret instead
of from a random source, so that an audit can make every box again.
"""

from __future__ import annotations

from hmac import digest as hmac_digest
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from pbem.protocol.digest import derive
from pbem.protocol.errors import Refusal

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

_KEM = b"KEM\x00\x20"
_HPKE = b"HPKE\x00\x20\x00\x01\x00\x03"
_BASE = b"\x00"
OVERHEAD = 32 + 16
"""A box is this much longer than its plaintext: encapsulated key and tag."""


def ephemeral(gs: bytes, purpose: str, aad: bytes) -> bytes:
    """The ikm of a box's ephemeral key (HID-5). One (purpose, aad) must never carry two plaintexts."""
    return derive(gs, "eph", purpose, aad)


def seal(ikm: bytes, public: bytes, purpose: str, aad: bytes, plaintext: bytes) -> bytes:
    """The box enc || ciphertext for the owner of `public`, which has passed KEY-3."""
    return hpke_seal(ikm, public, _info(purpose), aad, plaintext)


def unseal(private: X25519PrivateKey, purpose: str, aad: bytes, box: bytes) -> bytes:
    """What the box holds, or E-BOX."""
    try:
        return hpke_open(private, _info(purpose), aad, box)
    except (InvalidTag, ValueError):
        raise Refusal("E-BOX", "A sealed box does not open with your key.", step="HID-5") from None


def _info(purpose: str) -> bytes:
    return b"pbem1/" + purpose.encode("ascii")


def hpke_seal(ikm: bytes, public: bytes, info: bytes, aad: bytes, plaintext: bytes) -> bytes:
    private = _derive_key_pair(ikm)
    enc = private.public_key().public_bytes_raw()
    shared = private.exchange(X25519PublicKey.from_public_bytes(public))
    key, nonce = _schedule(_shared_secret(shared, enc, public), info)
    return enc + _cipher(key).encrypt(nonce, plaintext, aad)


def hpke_open(private: X25519PrivateKey, info: bytes, aad: bytes, box: bytes) -> bytes:
    if len(box) < OVERHEAD:
        raise ValueError("too short for a box")
    enc = box[:32]
    shared = private.exchange(X25519PublicKey.from_public_bytes(enc))
    key, nonce = _schedule(_shared_secret(shared, enc, private.public_key().public_bytes_raw()), info)
    return _cipher(key).decrypt(nonce, box[32:], aad)


def _derive_key_pair(ikm: bytes) -> X25519PrivateKey:
    prk = _extract(_KEM, b"", b"dkp_prk", ikm)
    return X25519PrivateKey.from_private_bytes(_expand(_KEM, prk, b"sk", b"", 32))


def _shared_secret(shared: bytes, enc: bytes, public: bytes) -> bytes:
    prk = _extract(_KEM, b"", b"eae_prk", shared)
    return _expand(_KEM, prk, b"shared_secret", enc + public, 32)


def _schedule(shared_secret: bytes, info: bytes) -> tuple[bytes, bytes]:
    """Key and nonce of the first, and only, message."""
    context = _BASE + _extract(_HPKE, b"", b"psk_id_hash", b"") + _extract(_HPKE, b"", b"info_hash", info)
    secret = _extract(_HPKE, shared_secret, b"secret", b"")
    return _expand(_HPKE, secret, b"key", context, 32), _expand(_HPKE, secret, b"base_nonce", context, 12)


def _extract(suite: bytes, salt: bytes, label: bytes, ikm: bytes) -> bytes:
    return hmac_digest(salt or bytes(32), b"HPKE-v1" + suite + label + ikm, "sha256")


def _expand(suite: bytes, prk: bytes, label: bytes, info: bytes, size: int) -> bytes:
    """One block suffices: nothing here is longer than a hash."""
    return hmac_digest(prk, size.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info + b"\x01", "sha256")[:size]


def _cipher(key: bytes) -> ChaCha20Poly1305:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # few files hold a box

    return ChaCha20Poly1305(key)
