"""Keys and signatures are held strictly: no odd point, no odd signature (KEY-1..3)."""

from __future__ import annotations

import pickle

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.protocol.digest import derive
from pbem.protocol.errors import Refusal
from pbem.protocol.keys import Keys, check_seal_key, check_sign_key, check_signature
from tools.vectors.edwards import IDENTITY, L, P, add, decode, has_prime_order, multiply
from tools.vectors.people import BASE, TORSION, encode, secret_scalar

KEYS = Keys(bytes(range(32)))
ID = bytes(range(32))
SMALL_ORDER = [encode(multiply(n, TORSION)) for n in range(8)]


def code_of(function, *arguments):
    with pytest.raises(Refusal) as caught:
        function(*arguments)
    return caught.value.code, caught.value.step


def test_the_seed_is_that_of_rfc_8032():
    library = Ed25519PrivateKey.from_private_bytes(derive(KEYS.seed, "sign"))
    assert library.public_key().public_bytes_raw() == KEYS.sign_public
    assert encode(multiply(secret_scalar(KEYS), BASE)) == KEYS.sign_public


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
@settings(max_examples=20)
def test_honest_keys_and_signatures_pass(seed, digest):
    keys = Keys(seed)
    check_sign_key(keys.sign_public)
    check_seal_key(keys.seal_public)
    check_signature(keys.sign_public, digest, keys.sign(digest))


@given(st.integers(0, 511))
@settings(max_examples=60)
def test_each_changed_bit_of_a_signature_is_seen(bit):
    signature = bytearray(KEYS.sign(ID))
    signature[bit // 8] ^= 1 << bit % 8
    assert code_of(check_signature, KEYS.sign_public, ID, bytes(signature)) == ("E-SIGNATURE", "KEY-2")


@pytest.mark.parametrize("size", [0, 63, 65])
def test_a_signature_has_64_bytes(size):
    assert code_of(check_signature, KEYS.sign_public, ID, bytes(size)) == ("E-SIGNATURE", "KEY-2")


@pytest.mark.parametrize("public", SMALL_ORDER)
def test_keys_of_small_order_are_refused(public):
    Ed25519PublicKey.from_public_bytes(public)  # the library takes them
    assert code_of(check_sign_key, public) == ("E-KEY", "KEY-1")
    assert code_of(check_signature, public, ID, encode(BASE) + (1).to_bytes(32, "little")) == ("E-KEY", "KEY-1")


@pytest.mark.parametrize("n", range(1, 8))
def test_keys_of_mixed_order_are_refused(n):
    point = decode(KEYS.sign_public)
    assert code_of(check_sign_key, encode(add(point, multiply(n, TORSION)))) == ("E-KEY", "KEY-1")


def test_only_the_canonical_encoding_of_a_key_passes():
    for y in range(P, 2**255):
        for sign in (0, 1 << 255):
            assert decode((y | sign).to_bytes(32, "little")) is None
    assert decode((1 | 1 << 255).to_bytes(32, "little")) is None  # x = 0 with a sign
    assert code_of(check_sign_key, KEYS.sign_public[:31]) == ("E-KEY", "KEY-1")
    assert code_of(check_sign_key, KEYS.sign_public + b"\x00") == ("E-KEY", "KEY-1")


@given(st.integers(1, 2**252), st.integers(0, 7))
def test_the_order_is_that_of_multiplication(n, torsion):
    point = add(multiply(n, BASE), multiply(torsion, TORSION))
    total = multiply(L, point)
    assert has_prime_order(point) == (total[0] % P == 0 and (total[1] - total[2]) % P == 0 and n % L != 0)


def test_order_of_known_points():
    assert has_prime_order(BASE)
    assert not has_prime_order(IDENTITY)
    assert encode(multiply(L - 1, BASE)) == encode((P - BASE[0], BASE[1], 1, P - BASE[3]))
    assert [encode(multiply(8, TORSION)), encode(IDENTITY)] == [b"\x01" + bytes(31)] * 2
    assert len(set(SMALL_ORDER)) == 8


@given(st.integers(1, 2**64), st.integers(1, 2**64))
@settings(max_examples=10)
def test_addition_is_that_of_the_group(a, b):
    assert encode(add(multiply(a, BASE), multiply(b, BASE))) == encode(multiply(a + b, BASE))


SMALL = (
    *(0, 1, P - 1),
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
)


@pytest.mark.parametrize("u", SMALL)
def test_seal_keys_of_small_order_are_refused(u):
    raw = u.to_bytes(32, "little")
    with pytest.raises(ValueError, match="shared"):
        X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(raw))
    assert code_of(check_seal_key, raw) == ("E-KEY", "KEY-3")


def test_seal_keys_are_canonical():
    assert code_of(check_seal_key, P.to_bytes(32, "little")) == ("E-KEY", "KEY-3")
    assert code_of(check_seal_key, (9 | 1 << 255).to_bytes(32, "little")) == ("E-KEY", "KEY-3")
    assert code_of(check_seal_key, bytes(31)) == ("E-KEY", "KEY-3")
    check_seal_key((9).to_bytes(32, "little"))


def test_keys_show_nothing_of_themselves():
    shown = repr(KEYS) + str(KEYS)
    assert KEYS.seed.hex() not in shown
    assert repr(KEYS.seed) not in shown
    with pytest.raises(TypeError):
        pickle.dumps(KEYS)
    with pytest.raises(ValueError, match="32"):
        Keys(bytes(31))
