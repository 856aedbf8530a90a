"""The cheapest way to pair everybody, by the blossom algorithm of networkx."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pbem.umpire.umpireerror import UmpireError

_LOT_BITS: Final = 40
Edge = tuple[int, int]
Cost = tuple[int, ...]


def match(costs: Mapping[Edge, Cost], lot: Callable[[int, int], int]) -> tuple[Edge, ...]:
    """Edges that cover every vertex once and together cost least.

    Every edge has the same number of costs, and earlier ones outweigh all later ones together. Where two ways cost the
    same, the sum of lots of 64 bits decides; so the answer depends neither on the order of edges nor on how the
    algorithm goes about it.
    """
    networkx = _networkx()
    weights = _reduced(_weights(costs, lot))
    graph = networkx.Graph()
    for edge in sorted(weights):
        graph.add_edge(*edge, weight=-weights[edge])
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(found) != len(graph):
        raise UmpireError("E-UMPIRE-PAIRING", "There is no way to pair everybody.")
    return tuple(sorted(edge if edge in costs else edge[::-1] for edge in found))


def _weights(costs: Mapping[Edge, Cost], lot: Callable[[int, int], int]) -> dict[Edge, int]:
    """Each list of costs as one even integer, in digits too large for any sum of lower ones to carry."""
    pairs = len({vertex for edge in costs for vertex in edge}) // 2
    radices = [1 + pairs * max(column) for column in zip(*costs.values(), strict=True)]
    weights = {}
    for edge, cost in costs.items():
        weight = 0
        for radix, part in zip(radices, cost, strict=True):
            weight = weight * radix + part
        weights[edge] = 2 * (weight * (pairs << _LOT_BITS) + (lot(*edge) >> 64 - _LOT_BITS))
    return weights


def _reduced(weights: Mapping[Edge, int]) -> dict[Edge, int]:
    """Less half of what each end pays at least: which way is cheapest stays the same, and is found in a quarter of the
    time, since networkx begins at the dearest edge and works its way down."""
    least: dict[int, int] = {}
    for edge, weight in weights.items():
        for vertex in edge:
            least[vertex] = min(weight, least.get(vertex, weight))
    return {(one, other): weight - least[one] // 2 - least[other] // 2 for (one, other), weight in weights.items()}


def _networkx() -> Any:
    try:
        import networkx
    except ImportError as error:
        raise UmpireError("E-EXTRA", "Pairing needs networkx: pip install 'pbem[umpire]'.") from error
    return networkx
