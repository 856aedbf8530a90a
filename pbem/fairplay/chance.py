"""Chance: hash chains that a witness reveals, keys made from them, draws made from keys (docs/spec/chance.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import count as counting
from struct import Struct
from typing import Final

from pbem.protocol.digest import be32, derive, tagged, tagged_list
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import (
    MAX_CHAIN,
    MAX_DECK,
    MAX_OCCURRENCE,
    MAX_RESULTS,
    MAX_SIDES,
)
from pbem.protocol.listing import Drawn, label_field

CHAIN_LENGTH = MAX_CHAIN
"""N: the index of the top of a chain; index 0 is the anchor."""

Part = tuple[bytes, int, int, bytes]
"""One member of a key's group: orders id, witness, chain index, chain value (CHA-6)."""


def chain_top(gs: bytes, cid: bytes) -> bytes:
    """x_N (CHA-3)."""
    return tagged("pbem1/top", derive(gs, "dice", cid), cid)


def step_down(cid: bytes, i_from: int, x: bytes, i_to: int) -> bytes:
    """x_{i_to} from x = x_{i_from}, i_to <= i_from <= N; one hash a step.

    The loop is `tagged("pbem1/step", cid, be32(i), x)` written out, a cid having 32 bytes: a whole chain is 65,536.
    """
    if not 0 <= i_to <= i_from <= CHAIN_LENGTH:
        raise ValueError(f"no steps lead from {i_from} to {i_to}")
    head = b"\x0apbem1/step\0\0\0\x20" + cid + b"\0\0\0\4"
    for i in range(i_from, i_to, -1):
        x = sha256(head + i.to_bytes(4, "big") + b"\0\0\0\x20" + x).digest()
    return x


def chain_value(top: bytes, cid: bytes, i: int) -> bytes:
    """x_i from x_N: N - i hashes."""
    return step_down(cid, CHAIN_LENGTH, top, i)


_STRIDE: Final = 512


@lru_cache(maxsize=4_096)
def _marks(cid: bytes, top: bytes) -> tuple[bytes, ...]:
    """Every 512th value of a chain, from x_0 up. A program that stays, at an umpire's desk or a mailbox, goes the whole
    way down once for each chain; 4 KiB each."""
    at, x = CHAIN_LENGTH, top
    found = [x]
    while at:
        x = step_down(cid, at, x, at - _STRIDE)
        at -= _STRIDE
        found.append(x)
    return tuple(found[::-1])


class Chain:
    """The owner's side of one chain."""

    __slots__ = ("cid", "top")

    def __init__(self, cid: bytes, top: bytes) -> None:
        self.cid = cid
        self.top = top

    def __repr__(self) -> str:
        return f"Chain({self.cid.hex()[:8]}, hidden)"

    @property
    def anchor(self) -> bytes:
        return self.value(0)

    def value(self, i: int) -> bytes:
        """x_i."""
        if not 0 <= i <= CHAIN_LENGTH:
            raise ValueError(f"a chain has no value {i}")
        above = -(-i // _STRIDE)
        return step_down(self.cid, above * _STRIDE, _marks(self.cid, self.top)[above], i)


def check_value(cid: bytes, i: int, x: bytes, known_i: int, known: bytes) -> None:
    """A revealed x_i must lie on the chain of which x_{known_i} is known, the anchor at first (CHA-4)."""
    if i >= known_i:
        fits = len(x) == 32 and step_down(cid, i, x, known_i) == known
    else:
        fits = step_down(cid, known_i, known, i) == x
    if not fits:
        raise Refusal("E-PROMISE", "The dice value shown is not from the chain promised at the start.", step="CHA-4")


def first_key(game_id: bytes, nonces: Sequence[bytes]) -> bytes:
    """K0, from the nonces of the players by number, then the umpire's."""
    return tagged("pbem1/dice0", game_id, tagged_list(tuple(nonces)))


def group_key(game_id: bytes, parts: Iterable[Part]) -> bytes:
    """K of a group; the parts ascend by their orders' author.

    `tagged` and `tagged_list` written out, as nearly every turn has a key; ids, values and hashes have 32 bytes.
    """
    hashes = b""
    for orders, witness, i, x in parts:
        if len(orders) != 32 or len(x) != 32:
            raise ValueError("ids and values of chains have 32 bytes")
        part = b"\x0apbem1/part\0\0\0\x20" + orders + _NUMBERS.pack(1, witness, 4, i, 32) + x
        hashes += b"\0\0\0\x20" + sha256(part).digest()
    if len(game_id) != 32:
        raise ValueError("ids have 32 bytes")
    listed = sha256(b"\x0apbem1/list" + hashes).digest()
    return sha256(b"\x0apbem1/dice\0\0\0\x20" + game_id + b"\0\0\0\x20" + listed).digest()


_NUMBERS = Struct(">IBIII")  # of a part: witness and index behind their lengths, then the length of the value


def _head(key: bytes, label: str, occurrence: int) -> bytes:
    """What T("pbem1/roll", K, label, be32 occurrence, be64 j) hashes before j; K has 32 bytes."""
    if not 0 <= occurrence <= MAX_OCCURRENCE:
        raise ValueError(f"no draw has occurrence {occurrence}")
    field = label_field(label)
    return b"\x0apbem1/roll\0\0\0\x20" + key + field + b"\0\0\0\4" + be32(occurrence) + b"\0\0\0\x08"


def _blocks(head: bytes) -> Iterator[bytes]:
    """For j = 0, 1, ..."""
    for j in counting():
        yield sha256(head + j.to_bytes(8, "big")).digest()


@lru_cache(maxsize=256)
def _faces(sides: int) -> tuple[bytes, bytes]:
    """For `bytes.translate`: what every byte shows on such a die, less one, and the bytes that are drawn again."""
    limit = 256 - 256 % sides
    return bytes([b % sides for b in range(256)]), bytes(range(limit, 256))


def roll(key: bytes, label: str, occurrence: int, sides: int, count: int = 1) -> tuple[int, ...]:
    """`count` results from 1 to `sides`, each exactly as likely as any other (CHA-8)."""
    head = _head(key, label, occurrence)
    if not 2 <= sides <= MAX_SIDES:
        raise ValueError(f"no die has {sides} sides")
    if not 1 <= count <= MAX_RESULTS:
        raise ValueError(f"a draw of {count} results")
    if sides <= 256:
        faces, again = _faces(sides)
        shown = sha256(head + bytes(8)).digest().translate(faces, again)  # as a rule one block is enough
        j = 0
        while len(shown) < count:
            j += 1
            shown += sha256(head + j.to_bytes(8, "big")).digest().translate(faces, again)
        return tuple([1 + b for b in shown[:count]])
    out: list[int] = []
    limit = (1 << 32) - (1 << 32) % sides
    for block in _blocks(head):
        words = [int.from_bytes(block[k : k + 4], "big") for k in range(0, 32, 4)]
        out += [1 + w % sides for w in words if w < limit]
        if len(out) >= count:
            break
    return tuple(out[:count])


def permutation(key: bytes, m: int, label: str = "perm", occurrence: int = 0) -> tuple[int, ...]:
    """A permutation of 0..m-1 (CHA-10): the thing now at place k is number result[k]."""
    head = _head(key, label, occurrence)
    if not 0 <= m <= MAX_DECK:
        raise ValueError(f"a permutation of {m} things")
    things = list(range(m))
    stream = (b for block in _blocks(head) for b in block)
    for k in range(m - 1, 0, -1):
        j = _below(stream, k + 1)
        things[k], things[j] = things[j], things[k]
    return tuple(things)


def _below(stream: Iterator[int], sides: int) -> int:
    if sides <= 256:
        limit = 256 - 256 % sides
        while True:
            b = next(stream)
            if b < limit:
                return b % sides
    limit = (1 << 32) - (1 << 32) % sides
    while True:
        word = next(stream) << 24 | next(stream) << 16 | next(stream) << 8 | next(stream)
        if word < limit:
            return word % sides


def check_drawn(drawn: Drawn, key: bytes) -> None:
    """The results are those that the key gives (CHA-8)."""
    if roll(key, drawn.label, drawn.occurrence, drawn.sides, len(drawn.results)) != drawn.results:
        raise Refusal("E-DRAW", f"The draw {drawn.label} is not what its key gives.", step="CHA-8")
