"""Railheads: how far a railway has been repaired, how it goes on, how it is pushed back.

```
  ==o==o==o--o--o--      = repaired   - not yet     the head is the last hex of `=`
```
A head remembers the way it came, so that it falls back along it.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kit.supply import Lines

Track = tuple[int, ...]  # the hexes repaired by one head, in order; the last is where it stands


def onward(rail: Lines, track: Track, unrepaired: int, open_to: int) -> tuple[int, ...]:
    """The hexes a head may go to next: unrepaired hexes of the line, open to it."""
    return rail.board.in_mask(rail.near(track[-1]) & unrepaired & open_to)


def extended(rail: Lines, track: Track, hexes: Iterable[int], unrepaired: int, open_to: int) -> Track | None:
    """The track after the head went on over these hexes; None if it may not enter one of them."""
    for there in hexes:
        if there not in onward(rail, track, unrepaired, open_to):
            return None
        track = (*track, there)
        unrepaired &= ~rail.board.bit[there]
    return track


def thrown_back(rail: Lines, track: Track, closed: int) -> Track:
    """The track back to the first hex that is not closed (enemies, their zone); its first hex stays in any case."""
    bit = rail.board.bit
    while len(track) > 1 and bit[track[-1]] & closed:
        track = track[:-1]
    return track
