"""A small deflate (RFC 1951, one block of fixed codes), so that vectors do not depend on the build of zlib."""

from __future__ import annotations


def _table(first: int, plain: int, group: int, count: int) -> list[tuple[int, int]]:
    """(base, extra bits) of each code: `plain` without extra bits, then groups with one bit more each."""
    table = []
    base = first
    for n in range(count):
        extra = 0 if n < plain else (n - plain) // group + 1
        table.append((base, extra))
        base += 1 << extra
    return table


_LENGTH = _table(3, 8, 4, 28)
_DISTANCE = _table(1, 4, 2, 30)
_LONGEST = 257


class _Bits:
    def __init__(self) -> None:
        self.value = 0
        self.size = 0

    def number(self, value: int, size: int) -> None:
        self.value |= value << self.size
        self.size += size

    def code(self, value: int, size: int) -> None:
        for at in range(size - 1, -1, -1):
            self.number(value >> at & 1, 1)

    def symbol(self, n: int) -> None:
        if n < 144:
            self.code(0x30 + n, 8)
        elif n < 256:
            self.code(0x190 + n - 144, 9)
        elif n < 280:
            self.code(n - 256, 7)
        else:
            self.code(0xC0 + n - 280, 8)


def _coded(table: list[tuple[int, int]], value: int) -> tuple[int, int, int]:
    """Code, extra bits and their number."""
    n = max(at for at, (base, _) in enumerate(table) if base <= value)
    return n, value - table[n][0], table[n][1]


def deflate(payload: bytes) -> bytes:
    """Raw deflate (FIL-9)."""
    data = payload
    bits = _Bits()
    bits.number(0b011, 3)
    at = 0
    while at < len(data):
        length, start = _match(data, at)
        if length < 3:
            bits.symbol(data[at])
            at += 1
            continue
        n, rest, extra = _coded(_LENGTH, length)
        bits.symbol(257 + n)
        bits.number(rest, extra)
        n, rest, extra = _coded(_DISTANCE, at - start)
        bits.code(n, 5)
        bits.number(rest, extra)
        at += length
    bits.symbol(256)
    return bits.value.to_bytes((bits.size + 7) // 8, "little")


def _match(data: bytes, at: int) -> tuple[int, int]:
    """Length and start of the longest earlier match, the nearest of those."""
    length, best = 0, 0
    while at + length < len(data) and length < _LONGEST:
        start = data.rfind(data[at : at + length + 1], 0, at + length)
        if start < 0:
            break
        length, best = length + 1, start
    return length, best
