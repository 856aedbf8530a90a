"""The curve in Montgomery form, by the library's X25519: which points have prime order (KEY-1, HID-10, HID-14).

A point is its u-coordinate in 32 bytes, which does not tell it from its negative.
"""

from __future__ import annotations

from functools import cache

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
LOW, HIGH = 2**254, 2**255
WIDTH = 32


def clamp(v: int) -> int:
    """The clamped form of v or of -v mod l (HID-10). Only about one residue in 2^120 has none."""
    form = clamped(v % L) or clamped(-v % L)
    if form is None:
        raise ArithmeticError("a residue without a clamped form")
    return form


def clamped(v: int) -> int | None:
    s = v + L * -(-(LOW - v) // L)
    while s < HIGH:
        if s % 8 == 0:
            return s
        s += L
    return None


FIX = clamp(1)
"""f: a multiple of 8 that is 1 or -1 mod l. It clears what is of small order and leaves the rest of a point alone."""


@cache
def _fix_key() -> X25519PrivateKey:
    return X25519PrivateKey.from_private_bytes(FIX.to_bytes(WIDTH, "little"))


def fixed(u: bytes) -> bytes | None:
    """X(f, u), or None if that is zero: a point of small order."""
    try:
        return _fix_key().exchange(X25519PublicKey.from_public_bytes(u))
    except ValueError:
        return None


def is_sound(u: bytes) -> bool:
    """HID-14 of one point: u < p and X(f, u) = u.

    The second holds for the points of order l on the curve alone: f clears a part of small order, and as neither f - 1
    nor f + 1 has a factor in common with the order of the twist, no point there is its own f-fold.
    """
    return len(u) == WIDTH and int.from_bytes(u, "little") < P and fixed(u) == u
