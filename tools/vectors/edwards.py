"""Just enough of edwards25519 to make keys and signatures that are not sound (KEY-1). Never for secrets.

Extended coordinates (X : Y : Z : T) with x = X/Z, y = Y/Z, xy = T/Z on -x^2 + y^2 = 1 + d x^2 y^2 (RFC 8032, 5.1.4).
"""

from __future__ import annotations

from pbem.protocol.montgomery import L, P, is_sound

__all__ = ["IDENTITY", "L", "P", "Point", "add", "decode", "double", "has_prime_order", "multiply"]

D = -121665 * pow(121666, -1, P) % P
_ROOT = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
IDENTITY: Point = (0, 1, 1, 0)


def decode(raw: bytes) -> Point | None:
    """The point of which these 32 bytes are the canonical encoding; None if there is none."""
    n = int.from_bytes(raw, "little")
    sign, y = n >> 255, n & (2**255 - 1)
    if len(raw) != 32 or y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * _ROOT % P
        if v * x * x % P != u:
            return None
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def add(a: Point, b: Point) -> Point:
    x1, y1, z1, t1 = a
    x2, y2, z2, t2 = b
    e, f = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    g, h = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    i, j, k, m = f - e, h - g, h + g, f + e
    return (i * j % P, k * m % P, j * k % P, i * m % P)


def double(a: Point) -> Point:
    x, y, z, _ = a
    xx, yy = x * x, y * y
    h = xx + yy
    e = h - (x + y) ** 2
    g = xx - yy
    f = 2 * z * z + g
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(n: int, point: Point) -> Point:
    """n * point. Takes time that depends on n: never for secrets."""
    total = IDENTITY
    for bit in bin(n)[2:]:
        total = double(total)
        if bit == "1":
            total = add(total, point)
    return total


def has_prime_order(point: Point) -> bool:
    """In the subgroup of order L and not its identity."""
    _, y, z, _ = point
    if (y - z) % P == 0:  # the identity alone
        return False
    return is_sound(((z + y) * pow(z - y, -1, P) % P).to_bytes(32, "little"))
