"""Sharing out a raster: every place grows from its seeds, always where it is nearest first, never over a barrier."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush

NOBODY = -1
Cells = list[int]


def grow(wide: int, high: int, open_to: bytearray, seeds: Iterable[tuple[int, int, int]], labels: Cells) -> None:
    """Labels the open cells that can be reached from seeds (x, y, label); ties go to the smaller label."""
    heap: list[tuple[int, int, int, int, int]] = []
    for x, y, label in seeds:
        spot = nearest(wide, high, open_to, x, y)
        if spot is not None:
            heap.append((0, label, spot, spot % wide, spot // wide))
    heapify(heap)
    while heap:
        _, label, at, sx, sy = heappop(heap)
        if labels[at] != NOBODY:
            continue
        labels[at] = label
        x, y = at % wide, at // wide
        for nx, ny in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if 0 <= nx < wide and 0 <= ny < high:
                near = ny * wide + nx
                if open_to[near] and labels[near] == NOBODY:
                    heappush(heap, ((nx - sx) ** 2 + (ny - sy) ** 2, label, near, sx, sy))


def nearest(wide: int, high: int, open_to: bytearray, x: int, y: int, most: int = 12) -> int | None:
    """The open cell closest to a seed that has fallen beside it."""
    for far in range(most + 1):
        ring = [
            (x + dx, y + dy)
            for dx in range(-far, far + 1)
            for dy in range(-far, far + 1)
            if max(abs(dx), abs(dy)) == far
        ]
        for nx, ny in sorted(ring, key=lambda spot: (spot[0] - x) ** 2 + (spot[1] - y) ** 2):
            if 0 <= nx < wide and 0 <= ny < high and open_to[ny * wide + nx]:
                return ny * wide + nx
    return None


def sides_of(wide: int, high: int) -> Callable[[int], list[int]]:
    """The cells beside a cell."""

    def near(at: int) -> list[int]:
        x = at % wide
        found = []
        if x > 0:
            found.append(at - 1)
        if x < wide - 1:
            found.append(at + 1)
        if at >= wide:
            found.append(at - wide)
        if at < wide * (high - 1):
            found.append(at + wide)
        return found

    return near


def creep(wide: int, high: int, open_to: bytearray, labels: Cells) -> None:
    """Open cells without a label take that of the nearest cell that has one, ring by ring."""
    edge = [k for k in range(wide * high) if labels[k] != NOBODY and open_to[k]]
    beside = sides_of(wide, high)
    while edge:
        after = []
        for at in edge:
            for near in beside(at):
                if open_to[near] and labels[near] == NOBODY:
                    labels[near] = labels[at]
                    after.append(near)
        edge = after


def patches(wide: int, high: int, labels: Cells) -> list[tuple[int, list[int]]]:
    """The connected patches of equal label."""
    seen, beside = bytearray(wide * high), sides_of(wide, high)
    found = []
    for start in range(wide * high):
        if seen[start]:
            continue
        label, queue = labels[start], [start]
        seen[start] = 1
        for at in queue:
            for near in beside(at):
                if not seen[near] and labels[near] == label:
                    seen[near] = 1
                    queue.append(near)
        found.append((label, queue))
    return found
