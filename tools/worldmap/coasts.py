"""Coasts that the rules keep from a zone: a strip of a zone that may be there is laid between."""

from __future__ import annotations

from collections.abc import Set

from tools.worldmap.flood import NOBODY, Cells, sides_of

STRIP = 6  # cells
EDGE = 3


def keep_off(wide: int, high: int, labels: Cells, lands: int, zones: int, may: Set[tuple[int, int]]) -> None:
    """Water close to a land that its zone may not touch becomes another zone's, as far as that comes along the coast.

    Labels below `lands` are land, then up to `zones` sea; `may` holds the pairs of neighbours.
    """
    near = sides_of(wide, high)

    def sea(at: int) -> bool:
        return lands <= labels[at] < zones

    # Whose coast each cell of water belongs to: that of the nearest land.
    coast: dict[int, int] = {}
    edge = [at for at in range(wide * high) if 0 <= labels[at] < lands]
    owner = {at: labels[at] for at in edge}
    for _ in range(STRIP):
        after = []
        for at in edge:
            for beside in near(at):
                if sea(beside) and beside not in coast:
                    coast[beside] = owner.get(at, coast.get(at, NOBODY))
                    after.append(beside)
        edge = after
    wrong = {at for at, land in coast.items() if (land, labels[at]) not in may}
    edge = sorted(at for at, land in coast.items() if at not in wrong and any(b in wrong for b in near(at)))
    while edge:
        after = []
        for at in edge:
            for beside in near(at):
                if beside in wrong and (coast[beside], labels[at]) in may:
                    labels[beside] = labels[at]
                    wrong.discard(beside)
                    after.append(beside)
        edge = after


def corners(wide: int, high: int, labels: Cells, lands: int, zones: int, may: Set[tuple[int, int]]) -> None:
    """Single cells at the end of a border, where the coast turns: water takes another zone, or land another owner, or,
    if that does not help, the corner is filled with land."""
    near = sides_of(wide, high)
    for tried in range(STRIP):
        wrong = [
            at
            for at in range(wide * high)
            if lands <= labels[at] < zones
            and any(0 <= labels[b] < lands and (labels[b], labels[at]) not in may for b in near(at))
        ]
        if not wrong:
            return
        for at in wrong:
            coasts = {labels[b] for b in near(at) if 0 <= labels[b] < lands}
            fits = sorted(
                zone
                for zone in {labels[b] for b in near(at)}
                if lands <= zone < zones and all((land, zone) in may for land in coasts)
            )
            if fits:
                labels[at] = fits[0]
                continue
            if tried >= STRIP // 2:
                labels[at] = min((land for land in coasts if (land, labels[at]) in may), default=min(coasts))
                continue
            for beside in near(at):
                if 0 <= labels[beside] < lands and (labels[beside], labels[at]) not in may:
                    owners = {labels[b] for spot in near(beside) for b in near(spot)}
                    takers = sorted(o for o in owners if 0 <= o < lands and (o, labels[at]) in may)
                    if takers:
                        labels[beside] = takers[0]


def meet(wide: int, high: int, labels: Cells, zones: int, may: Set[tuple[int, int]]) -> None:
    """Rows in which strangers meet once around the world go, at the left edge, to the place above or below."""
    for row in range(high):
        left, right = labels[row * wide], labels[row * wide + wide - 1]
        if left == right or max(left, right) >= zones or (left, right) in may:
            continue
        others = (labels[(row + step) * wide] for step in (-1, 1, -2, 2, -3, 3) if 0 <= row + step < high)
        owner = next((other for other in others if (other, right) in may), left)
        for at in range(row * wide, row * wide + EDGE):
            if labels[at] == left:
                labels[at] = owner
