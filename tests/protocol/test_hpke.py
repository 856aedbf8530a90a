"""Sealed boxes against the RFC and against another implementation (HID-5)."""

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from pbem.protocol.errors import Refusal
from pbem.protocol.hpke import OVERHEAD, ephemeral, hpke_open, hpke_seal, seal, unseal

PRIVATE = X25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = PRIVATE.public_key().public_bytes_raw()

# RFC 9180, appendix A.2.1: base mode, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20Poly1305, sequence number 0.
RFC_IKM = "909a9b35d3dc4713a5e72a4da274b55d3d3821a37e5d099e74a647db583a904b"
RFC_RECEIVER = "4310ee97d88cc1f088a5576c77ab0cf5c3ac797f3d95139c6c84b5429c59662a"
RFC_PRIVATE = "8057991eef8f1f1af18f4a9491d16a1ce333f695d4db8e38da75975c4478e0fb"
RFC_ENC = "1afa08d3dec047a643885163f1180476fa7ddb54c6a8029ea33f95796bf2ac4a"
RFC_INFO = b"Ode on a Grecian Urn"
RFC_AAD = b"Count-0"
RFC_PLAIN = b"Beauty is truth, truth beauty"
RFC_CIPHER = "1c5250d8034ec2b784ba2cfd69dbdb8af406cfe3ff938e131f0def8c8b60b4db21993c62ce81883d2dd1b51a28"


def _own(box, info):
    return hpke_open(PRIVATE, info, b"", box)


def _library():
    """The opener of newer versions of the library, which knows no associated data."""
    try:
        from cryptography.hazmat.primitives import hpke
    except ImportError:
        return _own
    suite = hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.CHACHA20_POLY1305)
    return lambda box, info: suite.decrypt(box, PRIVATE, info)


def test_the_vector_of_the_rfc():
    box = hpke_seal(bytes.fromhex(RFC_IKM), bytes.fromhex(RFC_RECEIVER), RFC_INFO, RFC_AAD, RFC_PLAIN)
    assert box.hex() == RFC_ENC + RFC_CIPHER
    private = X25519PrivateKey.from_private_bytes(bytes.fromhex(RFC_PRIVATE))
    assert hpke_open(private, RFC_INFO, RFC_AAD, box) == RFC_PLAIN


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200))
def test_another_implementation_opens_what_we_seal(ikm, plaintext):
    box = seal(ikm, PUBLIC, "card", b"", plaintext)
    assert _library()(box, b"pbem1/card") == plaintext


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=50), st.binary(max_size=200))
def test_round_trip(ikm, aad, plaintext):
    box = seal(ikm, PUBLIC, "card", aad, plaintext)
    assert len(box) == len(plaintext) + OVERHEAD
    assert unseal(PRIVATE, "card", aad, box) == plaintext


BOX = seal(bytes(32), PUBLIC, "card", b"slot", b"card")


def test_another_key_does_not_open_it():
    with pytest.raises(Refusal, match="E-BOX"):
        unseal(X25519PrivateKey.from_private_bytes(bytes(range(1, 33))), "card", b"slot", BOX)


def test_ephemeral_keys_differ_by_purpose_and_by_what_is_sealed():
    gs = bytes(32)
    made = [ephemeral(gs, *of) for of in (("card", b"a"), ("card", b"b"), ("escrow", b"a"))]
    assert len(set(made)) == 3
