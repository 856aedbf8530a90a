"""The people of the vectors, and bodies signed as somebody who breaks rules would sign them."""

from __future__ import annotations

from hashlib import sha512
from typing import Any

import msgpack

from pbem.protocol import envelope
from pbem.protocol.digest import derive, tagged
from pbem.protocol.keys import Keys
from tools.vectors.edwards import L, P, Point, decode

ALICE, BOB, CARLA = (Keys(bytes((n,)) * 32) for n in (1, 2, 3))
AT = 1_767_225_600
GAME = tagged("vector/game")
OFFER = tagged("vector/offer")


def some(label: str) -> bytes:
    """32 bytes that stand for an id, a hash or a nonce."""
    return tagged("vector/" + label)


def loose(value: Any) -> bytes:
    """msgpack as the library writes it: keys in the order given, any type."""
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def record_fields(**changed: Any) -> dict[str, Any]:
    """A turn by player 0 with three orders; `changed` replaces or (with `...`) removes fields."""
    fields: dict[str, Any] = {
        "at": AT,
        "by": 0,
        "data": {
            "orders": [["move", 5, 405], ["move", 6, 306], ["done"]],
            "salt": some("salt")[:16],
            "state": some("state"),
        },
        "game": GAME,
        "heads": [[1, some("bob-3")]],
        "kind": "orders",
        "note": None,
        "pin": 0,
        "prev": some("alice-3"),
        "seq": 4,
        "v": 1,
    }
    fields.update(changed)
    if isinstance(fields["data"], dict):
        fields["data"] = dict(sorted(fields["data"].items()))
    return {key: value for key, value in sorted(fields.items()) if value is not ...}


def signed_record(keys: Keys = ALICE, **changed: Any) -> bytes:
    return sign_record(loose(record_fields(**changed)), keys)


def sign_record(body: bytes, keys: Keys = ALICE) -> bytes:
    return envelope.join(body, keys.sign(tagged("pbem1/rec", body)))


# What follows signs by hand, to make signatures that no library makes.


def _point(encoded: str) -> Point:
    point = decode(bytes.fromhex(encoded))
    assert point is not None
    return point


BASE = _point("58" + "66" * 31)
TORSION = _point("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")  # of order 8


def encode(point: Point) -> bytes:
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def secret_scalar(keys: Keys) -> int:
    raw = bytearray(sha512(derive(keys.seed, "sign")).digest()[:32])
    raw[0] &= 248
    raw[31] = raw[31] & 63 | 64
    return int.from_bytes(raw, "little")


def hash_scalar(r: bytes, a: bytes, digest: bytes) -> int:
    return int.from_bytes(sha512(r + a + b"pbem1/sig\x00" + digest).digest(), "little") % L


def signature(r: Point, nonce: int, public: bytes, scalar: int, digest: bytes) -> bytes:
    """R as given, and S = nonce + h * scalar."""
    encoded = encode(r)
    s = (nonce + hash_scalar(encoded, public, digest) * scalar) % L
    return encoded + s.to_bytes(32, "little")
