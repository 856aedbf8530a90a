"""SG-11 Supply: which hexes a path joins to a source, and the supply phase."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pbem.game import DONE, Auto, Call, Next, Out
from pbem.kit import Flow, Stage, SupplyJudged, Trace, trace, worse
from pbem_rules.stargard.chart import FORTRESS, SIDES, WAYS, Chart
from pbem_rules.stargard.frames import GameTurn, Reform
from pbem_rules.stargard.state import ISOLATED, OUT_OF_SUPPLY, SUPPLIED, State, other

OPEN_GROUND = "clear"


@lru_cache(maxsize=4)
def lines(chart: Chart) -> tuple[Flow, Flow]:
    """SG-11.1.1a: wherever a unit could go from the far end of the edge to the near one, seen from the source.

    SG-11.1b, SG-11.2.1: steps into woods and marsh without a way, which only a path through a friendly unit takes, are
    those of the second flow. Seen from the source, such a step leaves the hex.
    """
    board, settled = chart.board, chart.settled
    steps = [(a, b) for a, b in board.edges if chart.passable(b, a)]

    def is_rough(a: int, b: int) -> bool:
        wild = board[a].terrain != OPEN_GROUND and a not in settled
        return wild and not any(way in board.edges[a, b] for way in WAYS)

    smooth, rough = (Flow(board, [step for step in steps if is_rough(*step) is kind]) for kind in (False, True))
    return smooth, rough


def paths(s: State, formation: str) -> tuple[int, Stage]:
    """SG-11.1: the sources of a formation and how paths lead to them: past enemy units and zones (SG-11.1a).

    Friendly units cancel enemy zones in their own hexes (SG-11.1.1b).
    """
    chart, side = s.chart, s.chart.formations[formation].side
    enemy, own = other(side), s.ground.occupied[side]
    everywhere = (1 << len(chart.board.bit)) - 1
    open_to = everywhere & ~s.ground.occupied[enemy] & ~(s.zone(enemy) & ~own)
    smooth, rough = lines(chart)
    source = chart.map.regions[chart.formations[formation].source].mask
    return source, Stage("path", {1: smooth.joined(rough, own)}, open_to)


def traced(s: State, formation: str) -> Trace:
    """All paths to the source of a formation; kept until a unit of either side moves."""
    side = s.chart.formations[formation].side
    enemy = other(side)
    question = "paths", s.chart.formations[formation].source, s.ground.occupied[enemy], s.zone(enemy)

    def found() -> Trace:
        source, stage = paths(s, formation)
        return trace(s.chart.board, source, [stage])

    return s.ground.kept(side, question, found)


def joined(s: State, formation: str) -> int:
    """The mask of hexes from which a path leads to the source of the formation."""
    return traced(s, formation).reached


def is_joined(s: State, unit: int) -> bool:
    """SG-11.0a, SG-12.3b, SG-12.3d: has the unit a path, or a fortress for it?

    A fortress supplies the units of its stack while it lies on top, and is always supplied itself.
    """
    place = s.at(unit)
    if s.has(unit, FORTRESS) or s.has(s.top_of(place), FORTRESS):
        return True
    return bool(joined(s, s.formation(unit)) & s.chart.board.bit[place])


def judged(s: State, side: str) -> Iterator[tuple[int, int]]:
    """SG-11.0b: each unit of a side on the map and its new status.

    Headquarters are judged first: their units share their fate, independent ones and fortresses, which are
    independent, do not (SG-11.3.2b).
    """
    found = {unit: worse(s.pieces[unit].supply, traced=is_joined(s, unit), worst=ISOLATED) for unit in _units(s, side)}
    for unit, status in found.items():
        hq = s.hq_of(s.formation(unit))
        if found.get(hq, SUPPLIED) and not s.chart.independent(unit):
            yield unit, max(worse(s.pieces[unit].supply, traced=False, worst=ISOLATED), found[hq])
        else:
            yield unit, status


def _units(s: State, side: str) -> tuple[int, ...]:
    return tuple(s.ground.standing(side))


class SupplyPhase(Auto[State, GameTurn]):
    """SG-2.4: every unit once. What is found holds until the next supply phase (SG-11.1.2).

    Headquarters without a path reform at its end (SG-11.3.1, SG-12.2.2b).
    """

    rule = "SG-11.0"

    def run(self, s: State, f: GameTurn, out: Out) -> Next:
        """SG-2.4, SG-11.0a, SG-11.0b, SG-11.1.2, SG-11.3.1b."""
        found = [each for side in SIDES for each in judged(s, side)]
        changed = [(unit, status) for unit, status in found if status != s.pieces[unit].supply]
        for unit, status in changed:
            s.mark_supply(unit, status)
        if changed:
            supplied, cut, isolated = (
                tuple(s.code(unit) for unit, now in changed if now == status)
                for status in (SUPPLIED, OUT_OF_SUPPLY, ISOLATED)
            )
            out.add(SupplyJudged(supplied=supplied, cut=cut, isolated=isolated, rule=self.rule))
        posts = tuple(unit for unit, status in found if status and s.is_hq(unit))
        return Call(Reform(posts, tuple(map(s.at, posts)))) if posts else DONE


__all__ = ["SupplyPhase", "is_joined", "joined", "judged", "lines", "paths", "traced"]
