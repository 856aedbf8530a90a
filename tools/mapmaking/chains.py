"""From a list of stations to a chain of hexes, each next to the one before."""

from __future__ import annotations

import math

from tools.mapmaking.lattice import Lattice
from tools.mapmaking.projection import Point

STEP = 1 / 32


def chain(lattice: Lattice, stations: list[Point], homes: list[int | None]) -> list[int]:
    """The hexes under the straight legs between stations (in hex space), from the first on the map to the last.

    `homes` says for each station the hex that it counts for, None for the one under it. A hex that a leg only clips is
    left out where the chain holds without it.
    """
    under: list[tuple[int, bool]] = []  # hex, and whether it must stay

    def visit(cell: int | None, station: bool) -> None:
        if cell is None:
            return
        if under and under[-1][0] == cell:
            under[-1] = (cell, under[-1][1] or station)
        else:
            under.append((cell, station))

    for k, station in enumerate(stations):
        visit(homes[k] or lattice.cell(station), station=True)
        if k + 1 < len(stations):
            (ax, ay), (bx, by) = station, stations[k + 1]
            steps = max(1, math.ceil(math.dist(station, stations[k + 1]) / STEP))
            for n in range(1, steps):
                visit(lattice.cell((ax + (bx - ax) * n / steps, ay + (by - ay) * n / steps)), station=False)
    return _straightened(lattice, under)


def _straightened(lattice: Lattice, under: list[tuple[int, bool]]) -> list[int]:
    k = 1
    while 0 < k < len(under) - 1:
        before, (_, stays), after = under[k - 1][0], under[k], under[k + 1][0]
        if before == after and not stays:
            del under[k : k + 2]
            k = max(1, k - 1)
        elif not stays and lattice.grid.direction(before, after) is not None:
            del under[k]
            k = max(1, k - 1)
        else:
            k += 1
    return [cell for cell, _ in under]
