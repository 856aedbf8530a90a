"""Changed inputs from good ones: bytes flipped, cut, repeated, mixed; and, where they are msgpack, values exchanged.

The same seed gives the same inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgpack

ODD_NUMBERS = (0, 1, 2, 5, 7, 8, 31, 32, 127, 128, 255, 256, 65_535, 65_536, 2**31, 2**32, 2**63 - 1, -1, -33, -(2**63))
ODD_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    b"",
    "",
    [],
    {},
    bytes(32),
    b"x" * 600,
    "main/1/0",
    "a" * 70,
    [[]],
    1.5,
)
MOST = 30_000


def mutate(rng: Random, seeds: Sequence[bytes]) -> bytes:
    """One to four changes to one of the seeds."""
    raw = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        raw = rng.choice(CHANGES)(rng, raw, seeds)
    return raw[:MOST]


def _flip(rng: Random, raw: bytes, _: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(raw) + 1)
    return raw[:at] + bytes((rng.randrange(256),)) + raw[at + 1 :]


def _insert(rng: Random, raw: bytes, _: Sequence[bytes]) -> bytes:
    at = rng.randrange(len(raw) + 1)
    return raw[:at] + rng.randbytes(rng.randint(1, 8)) + raw[at:]


def _cut(rng: Random, raw: bytes, _: Sequence[bytes]) -> bytes:
    at, end = sorted(rng.randrange(len(raw) + 1) for _ in range(2))
    return raw[:at] + raw[end:] if rng.random() < 0.7 else raw[:end]


def _repeat(rng: Random, raw: bytes, _: Sequence[bytes]) -> bytes:
    at, end = sorted(rng.randrange(len(raw) + 1) for _ in range(2))
    return raw[:end] + raw[at:end] * rng.randint(1, 3) + raw[end:]


def _mix(rng: Random, raw: bytes, seeds: Sequence[bytes]) -> bytes:
    other = rng.choice(seeds)
    return raw[: rng.randrange(len(raw) + 1)] + other[rng.randrange(len(other) + 1) :]


def _value(rng: Random, raw: bytes, _: Sequence[bytes]) -> bytes:
    """Decode, change one value somewhere inside, encode; a first byte that chooses a place stays."""
    for start in (0, 1):
        try:
            value = msgpack.unpackb(raw[start:], strict_map_key=False)
        except (ValueError, TypeError, msgpack.UnpackException):
            continue
        if isinstance(value, (list, dict)):
            return raw[:start] + _packed(_changed(rng, value), raw[start:])
    return _flip(rng, raw, ())


def _value_inside(rng: Random, raw: bytes) -> bytes | None:
    """The same with bytes that hold an array or map themselves: bodies in records, records in files."""
    try:
        value = msgpack.unpackb(raw, strict_map_key=False)
    except (ValueError, TypeError, msgpack.UnpackException):
        return None
    return _packed(_changed(rng, value), raw) if isinstance(value, (list, dict)) else None


def _packed(value: Any, otherwise: bytes) -> bytes:
    try:
        return bytes(msgpack.packb(value))
    except (ValueError, TypeError, OverflowError):
        return otherwise


def _changed(rng: Random, value: Any) -> Any:
    if rng.random() < 0.05:
        return rng.choice(ODD_VALUES)
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        if rng.random() < 0.08:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: _changed(rng, value[key])}
    if isinstance(value, list) and value:
        at = rng.randrange(len(value))
        what = rng.random()
        if what < 0.1:
            return value[:at] + value[at + 1 :]
        if what < 0.2:
            return [*value, value[at]]
        if what < 0.3:
            return rng.sample(value, len(value))
        return [*value[:at], _changed(rng, value[at]), *value[at + 1 :]]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, rng.choice(ODD_NUMBERS)))
    if isinstance(value, bytes) and value:
        inner = _value_inside(rng, value) if rng.random() < 0.7 else None
        if inner is not None:
            return inner
        return _flip(rng, value, ())[: len(value)] if rng.random() < 0.7 else rng.choice(ODD_VALUES)
    if isinstance(value, str) and value:
        at = rng.randrange(len(value))
        return value[:at] + rng.choice("0a/_\x00é ") + value[at + 1 :]
    return rng.choice(ODD_VALUES)


CHANGES: tuple[Callable[[Random, bytes, Sequence[bytes]], bytes], ...] = (
    _flip,
    _insert,
    _cut,
    _repeat,
    _mix,
    _value,
    _value,
    _value,
    _value,
)
