"""The cheapest way to pair everybody, by the blossom algorithm of networkx."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from pbem.umpire.errors import UmpireError

EXACT: Final = 80
"""Up to so many, every pair is looked at; above, of each his cheapest ones, more as long as some pair costs much."""
NEAREST: Final = 36
_LOT_BITS: Final = 40
Edge = tuple[int, int]
Cost = tuple[int, ...]


def match(costs: Mapping[Edge, Cost], lot: Callable[[int, int], int], hard: int = 2) -> tuple[Edge, ...]:
    """Edges that cover every vertex once and together cost least.

    Every edge has the same number of costs, and earlier ones outweigh all later ones together. Where two ways cost the
    same, the sum of lots decides; so the answer depends neither on the order of edges nor on how the algorithm goes
    about it. The first `hard` costs are the least possible even where not every edge is looked at.
    """
    vertices = sorted({vertex for edge in costs for vertex in edge})
    nearest = NEAREST
    while True:
        whole = len(vertices) <= EXACT or nearest >= len(vertices)
        chosen = costs if whole else _nearest(costs, vertices, nearest)
        found = _cheapest(chosen, len(vertices), lot)
        if whole or (2 * len(found) == len(vertices) and not any(any(costs[edge][:hard]) for edge in found)):
            break
        nearest *= 3
    if 2 * len(found) != len(vertices):
        raise UmpireError("E-UMPIRE-PAIRING", "There is no way to pair everybody.")
    return found


def _nearest(costs: Mapping[Edge, Cost], vertices: Iterable[int], count: int) -> dict[Edge, Cost]:
    at: dict[int, list[tuple[Cost, Edge]]] = {vertex: [] for vertex in vertices}
    for edge, cost in costs.items():
        for vertex in edge:
            at[vertex].append((cost, edge))
    return {edge: cost for row in at.values() for cost, edge in sorted(row)[:count]}


def _cheapest(costs: Mapping[Edge, Cost], vertices: int, lot: Callable[[int, int], int]) -> tuple[Edge, ...]:
    networkx = _networkx()
    if not costs:
        return ()
    pairs = vertices // 2
    radices = [1 + pairs * max(column) for column in zip(*costs.values(), strict=True)]
    graph = networkx.Graph()
    for edge in sorted(costs):
        weight = 0
        for radix, part in zip(radices, costs[edge], strict=True):
            weight = weight * radix + part
        weight = weight * (pairs << _LOT_BITS) + (lot(*edge) >> 64 - _LOT_BITS)
        graph.add_edge(*edge, weight=-weight)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return tuple(sorted(edge if edge in costs else edge[::-1] for edge in found))


def _networkx() -> Any:
    try:
        import networkx
    except ImportError as error:
        raise UmpireError("E-EXTRA", "Pairing needs networkx: pip install 'pbem[umpire]'.") from error
    return networkx
