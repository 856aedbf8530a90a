"""The outer layer of records and cards: the msgpack array [body, signature] (REC-1, KEY-4).

Its canonical form follows from its length alone, so it is compared, not decoded.
"""

from __future__ import annotations

from pbem.protocol.errors import Refusal

_TAIL = 66  # bin head c4 40 and 64 bytes


def _head(size: int) -> bytes:
    """Array of two, then the head of a bin of `size` bytes."""
    if size < 0x100:
        return bytes((0x92, 0xC4, size))
    if size < 0x1_0000:
        return b"\x92\xc5" + size.to_bytes(2, "big")
    return b"\x92\xc6" + size.to_bytes(4, "big")


def join(body: bytes, signature: bytes) -> bytes:
    if len(signature) != 64:
        raise ValueError("a signature has 64 bytes")
    return _head(len(body)) + body + b"\xc4\x40" + signature


def split(raw: bytes, limit: int, what: str, step: str) -> tuple[bytes, bytes]:
    """Body and signature; `limit` bounds the body, `what` ("record") names the thing in a refusal."""
    rest = len(raw) - _TAIL
    if rest - 7 > limit:
        raise Refusal("E-LARGE", f"This {what} is {len(raw)} bytes long, more than is allowed.", step=step)
    size = rest - (3 if rest < 0x100 + 3 else 4 if rest < 0x1_0000 + 4 else 6)
    if size >= 0:
        head = _head(size)
        if raw.startswith(head) and raw[rest : rest + 2] == b"\xc4\x40" and len(head) + size == rest:
            if size > limit:
                raise Refusal(
                    "E-LARGE", f"The body of this {what} is {size} bytes long; at most {limit} are allowed.", step=step
                )
            return raw[len(head) : rest], raw[-64:]
    raise Refusal(
        "E-FORM",
        f"This {what} is malformed: it should be a body and a signature of 64 bytes, in shortest form.",
        step=step,
    )
