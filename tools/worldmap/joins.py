"""Neighbours that are easily overlooked: they touch only for a short way, or meet across the edge."""

from __future__ import annotations

from itertools import groupby

from tools.worldmap.flood import Cells, sides_of

SHORT = 15  # cells: a shorter border is shown by a link
AROUND = 8  # cells: what is looked at to find the direction of a link
REACH = 9  # cells: how far a link goes to each side

Pair = tuple[int, int]


def borders(wide: int, high: int, labels: Cells, known: int) -> dict[Pair, list[Pair]]:
    """The cells on both sides of the border of two places, side by side."""
    near = sides_of(wide, high)
    found: dict[Pair, list[Pair]] = {}
    for at in range(wide * high):
        for beside in near(at):
            if 0 <= labels[at] < labels[beside] < known:
                found.setdefault((labels[at], labels[beside]), []).append((at, beside))
    return found


def links(wide: int, high: int, labels: Cells, known: int) -> dict[Pair, tuple[int, int, int, int]]:
    """Lines across the borders that are short, in cells: from the first place into the second."""
    found = {}
    for (one, other), cells in sorted(borders(wide, high, labels, known).items()):
        if len(cells) >= SHORT:
            continue
        at, beside = cells[len(cells) // 2]
        x, y = at % wide, at // wide
        spots: dict[int, list[Pair]] = {one: [(x, y)], other: [(beside % wide, beside // wide)]}
        for row in range(max(0, y - AROUND), min(high, y + AROUND + 1)):
            for column in range(max(0, x - AROUND), min(wide, x + AROUND + 1)):
                if labels[row * wide + column] in spots:
                    spots[labels[row * wide + column]].append((column, row))
        (ax, ay), (bx, by) = (
            (sum(x for x, _ in each) / len(each), sum(y for _, y in each) / len(each)) for each in spots.values()
        )
        length = max(1.0, ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5)
        dx, dy = round((bx - ax) * REACH / length), round((by - ay) * REACH / length)
        found[one, other] = (x - dx, y - dy, x + dx, y + dy)
    return found


def across(wide: int, high: int, labels: Cells, known: int) -> list[tuple[int, int, int, int]]:
    """Rows of the raster along which two places meet once around the world: from, to, left, right."""
    pairs = [(labels[row * wide], labels[row * wide + wide - 1]) for row in range(high)]
    found, row = [], 0
    for pair, run in groupby(pairs):
        many = len(list(run))
        if max(pair) < known and min(pair) >= 0 and pair[0] != pair[1]:
            found.append((row, row + many, *pair))
        row += many
    return found
