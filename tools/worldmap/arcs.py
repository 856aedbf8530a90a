"""A labelled raster as outlines that share their borders: arcs between the corners where three places meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

Spot = tuple[int, int]


def outlines(
    wide: int, high: int, labels: list[int], slack: Callable[[int, int], float]
) -> tuple[list[list[Spot]], dict[int, list[list[int]]]]:
    """Arcs, simplified once each, and for every label its rings as numbers of arcs (~n: backwards).

    `slack(a, b)` is how far the border of two labels may leave its true course.
    """
    # Directed edges along cell corners with the label on the left-hand side (y downwards: clockwise rings).
    edges: dict[Spot, list[tuple[Spot, int, int]]] = {}

    def label(x: int, y: int) -> int:
        return labels[y * wide + x] if 0 <= x < wide and 0 <= y < high else -2

    degree: Counter[Spot] = Counter()
    for y in range(high + 1):
        for x in range(wide + 1):
            here, left, up = label(x, y), label(x - 1, y), label(x, y - 1)
            if here != left and y < high:
                a, b = (x, y), (x, y + 1)
                degree[a] += 1
                degree[b] += 1
                edges.setdefault(a, []).append((b, left, here))
                edges.setdefault(b, []).append((a, here, left))
            if here != up and x < wide:
                a, b = (x, y), (x + 1, y)
                degree[a] += 1
                degree[b] += 1
                edges.setdefault(a, []).append((b, here, up))
                edges.setdefault(b, []).append((a, up, here))
    # An edge (b, right, left) leaves its key with those labels at its sides.
    arcs: list[list[Spot]] = []
    pairs: list[tuple[int, int]] = []
    used: set[tuple[Spot, Spot]] = set()
    corners = sorted(spot for spot, count in degree.items() if count != 2)

    def follow(start: Spot, first: tuple[Spot, int, int]) -> None:
        chain, (at, one, other) = [start], first
        used.add((start, at))
        used.add((at, start))
        while True:
            chain.append(at)
            if degree[at] != 2 or at == start:
                break
            onward = next(each for each in edges[at] if each[0] != chain[-2])
            used.add((at, onward[0]))
            used.add((onward[0], at))
            at = onward[0]
        arcs.append(chain)
        pairs.append((one, other))

    for spot in corners:
        for each in edges[spot]:
            if (spot, each[0]) not in used:
                follow(spot, each)
    for spot in sorted(edges):
        for each in edges[spot]:
            if (spot, each[0]) not in used:
                follow(spot, each)
    rings = {name: _rings(name, arcs, pairs) for name in sorted({n for pair in pairs for n in pair if n != -2})}
    return [simple(arc, slack(*pair)) for arc, pair in zip(arcs, pairs, strict=True)], rings


def _rings(name: int, arcs: list[list[Spot]], pairs: list[tuple[int, int]]) -> list[list[int]]:
    """The arcs around a place, joined end to end with the place always on the same side."""
    starts: dict[Spot, list[int]] = {}
    for number, (one, other) in enumerate(pairs):
        if one == name:
            starts.setdefault(arcs[number][0], []).append(number)
        if other == name:
            starts.setdefault(arcs[number][-1], []).append(~number)
    rings = []
    for spot in sorted(starts):
        while starts[spot]:
            ring, at = [], spot
            while True:
                number = starts[at].pop()
                ring.append(number)
                at = arcs[number][-1] if number >= 0 else arcs[~number][0]
                if at == spot:
                    break
            rings.append(ring)
    return rings


def simple(points: list[Spot], slack: float) -> list[Spot]:
    """Douglas and Peucker's; a closed line keeps the corner that is farthest from its start."""
    if len(points) < 4:
        return points
    keep = {0, len(points) - 1}
    if points[0] == points[-1]:
        far = max(
            range(len(points)), key=lambda k: (points[k][0] - points[0][0]) ** 2 + (points[k][1] - points[0][1]) ** 2
        )
        keep.add(far)
        spans = [(0, far), (far, len(points) - 1)]
    else:
        spans = [(0, len(points) - 1)]
    while spans:
        low, high = spans.pop()
        (ax, ay), (bx, by) = points[low], points[high]
        dx, dy = bx - ax, by - ay
        length = (dx * dx + dy * dy) ** 0.5 or 1.0
        worst, at = slack, -1
        for k in range(low + 1, high):
            off = abs((points[k][0] - ax) * dy - (points[k][1] - ay) * dx) / length
            if off > worst:
                worst, at = off, k
        if at >= 0:
            keep.add(at)
            spans += [(low, at), (at, high)]
    return [points[k] for k in sorted(keep)]


def roomiest(cells: list[int], wide: int, most: tuple[int, int]) -> tuple[int, int, int, int]:
    """The rectangle of cells, up to a size, in which most fits: left, top, width, height."""
    inside = set(cells)
    xs, ys = [c % wide for c in cells], [c // wide for c in cells]
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    heights = [0] * (right - left + 2)
    best, found = -1, (left, top, 1, 1)
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            heights[x - left] = heights[x - left] + 1 if y * wide + x in inside else 0
        stack: list[int] = []
        for k in range(len(heights)):
            while stack and heights[stack[-1]] >= heights[k]:
                tall = heights[stack.pop()]
                begin = stack[-1] + 1 if stack else 0
                score = min(k - begin, most[0]) * min(tall, most[1])
                if score > best:
                    best, found = score, (begin + left, y - tall + 1, k - begin, tall)
            stack.append(k)
    return found
