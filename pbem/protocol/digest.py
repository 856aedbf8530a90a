"""Hashing with domain separation: `tagged` is the T of the specification (docs/spec/encoding.md, ENC-1)."""

from __future__ import annotations

from hashlib import sha256
from hmac import digest as hmac_digest

Field = bytes | str | None
_NONE = b"\xff\xff\xff\xff"
_HEADS: dict[str, bytes] = {}


def tagged(label: str, *fields: Field) -> bytes:
    """T(label, fields...): 32 bytes. Text is hashed as UTF-8; None is distinct from empty."""
    head = _HEADS.get(label)
    if head is None:
        name = label.encode("ascii")
        head = bytes((len(name),)) + name
        if len(_HEADS) < 256:  # labels are our own, and few
            _HEADS[label] = head
    parts = [head]
    for field in fields:
        if field is None:
            parts.append(_NONE)
            continue
        raw = field.encode() if isinstance(field, str) else field
        parts.append(len(raw).to_bytes(4, "big"))
        parts.append(raw)
    return sha256(b"".join(parts)).digest()


def tagged_list(items: list[bytes] | tuple[bytes, ...]) -> bytes:
    """The one way a list enters a hash (ENC-2)."""
    return tagged("pbem1/list", *items)


def be8(n: int) -> bytes:
    return n.to_bytes(1, "big")


def be32(n: int) -> bytes:
    return n.to_bytes(4, "big")


def be64(n: int) -> bytes:
    return n.to_bytes(8, "big")


def derive(key: bytes, info: str, *fields: Field, size: int = 32) -> bytes:
    """HKDF-SHA256 (RFC 5869) with an empty salt; info = T("pbem1/kdf", info, fields...) (ENC-3). size <= 64."""
    prk = hmac_digest(b"\0" * 32, key, "sha256")
    label = tagged("pbem1/kdf", info, *fields)
    first = hmac_digest(prk, label + b"\x01", "sha256")
    if size <= 32:
        return first[:size]
    return (first + hmac_digest(prk, first + label + b"\x02", "sha256"))[:size]
