"""Routes of units (AA-5.13, AA-5.33, AA-8.18): pure functions over masks of places, for moves of one or two spaces.

Land and sea units have at most two spaces, so that a way is told by its start, its end and the space between. Air units
only count spaces (AA-5.33): for each place and number of spaces there is a mask of what lies within.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def places(mask: int) -> Iterator[int]:
    """The places of a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(found: Sequence[int]) -> int:
    mask = 0
    for place in found:
        mask |= 1 << place
    return mask


def around(links: Sequence[int], mask: int) -> int:
    """All that lies next to some place of the mask."""
    found = 0
    while mask:
        low = mask & -mask
        found |= links[low.bit_length() - 1]
        mask ^= low
    return found


def reach(links: Sequence[int], start: int, spaces: int, through: int) -> int:
    """Every place that can be entered within so many spaces, passing only places of `through`; not the start itself."""
    found = frontier = 0
    if spaces > 0:
        found = frontier = links[start]
    for _ in range(spaces - 1):
        frontier = around(links, frontier & through)
        found |= frontier
    return found & ~(1 << start)


def within(links: Sequence[int], spaces: int) -> tuple[tuple[int, ...], ...]:
    """`[place][n]`: what lies at most n spaces from the place, itself included."""
    table = []
    for place in range(len(links)):
        rings = [1 << place]
        frontier = 1 << place
        for _ in range(spaces):
            frontier = around(links, frontier) & ~rings[-1]
            rings.append(rings[-1] | frontier)
        table.append(tuple(rings))
    return tuple(table)
