"""Mirrored pairs: each pairing is two games, the second with the sides changed."""

from __future__ import annotations

from pbem.umpire.pairing.pairs import Pair, Pairing


def mirrored(pairing: Pairing) -> Pairing:
    """Both games of a pair stand together. A bye is worth two games."""
    pairs: list[Pair] = []
    for each in pairing.pairs:
        if each.second is None:
            pairs.append(Pair(each.first, None, each.why, 0, 2 * each.points))
            continue
        pairs.append(Pair(each.first, each.second, each.why, 1))
        pairs.append(Pair(each.second, each.first, ("The same two with the sides changed.",), 2))
    return Pairing(pairing.round, tuple(pairs), pairing.notes)
