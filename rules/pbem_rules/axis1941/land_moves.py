"""AA-5.8 to 5.12 and 8.18: infantry and tanks on land; blitzes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pbem.game import Violation
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.moving import masked
from pbem_rules.axis1941.routes import around, reach
from pbem_rules.axis1941.sight import Sight
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import Kind


def check(s: State, view: Sight, kind: Kind, path: Sequence[int], *, combat: bool) -> Violation | None:
    """Is this a legal way for a land unit that is ready to move (AA-2.1, AA-2.9, AA-2.25, AA-5.11)?"""
    links = view.ways.land
    for a, b in pairwise(path):
        if not links[a] >> b & 1:
            return _off_the_map(s, links, path)
    if len(path) - 1 > s.chart.stats[kind].move:
        return Violation("AA-5.11", f"Infantry moves one space. {_can(s, view, kind, path[0], combat=combat)}")
    return _combat(s, view, kind, path) if combat else _other(s, view, kind, path)


def _off_the_map(s: State, links: Sequence[int], path: Sequence[int]) -> Violation:
    """Why a path is not one of neighbouring territories that may be entered."""
    name = s.chart.name
    for place in path[1:]:
        if is_zone(place):
            return Violation("AA-2.25", f"Land units enter {name(place)} aboard transports only: `load` them")
        if s.chart.neutral(place):
            return Violation("AA-2.9", f"{name(place)} is neutral: nobody enters it or passes through")
    a, b = next((a, b) for a, b in pairwise(path) if not links[a] >> b & 1)
    near = f"; next to it are {masked(s, links[a])}" if links[a] else ": land units leave it aboard transports only"
    return Violation("AA-2.1", f"{name(b)} is not next to {name(a)} by land{near}")


def blitzable(view: Sight) -> int:
    """AA-5.8, AA-5.10: hostile territories without units and complexes, as they are when the combat move begins."""
    return view.foreign & ~view.foes & ~view.ways.complexes


def _combat(s: State, view: Sight, kind: Kind, path: Sequence[int]) -> Violation | None:
    """AA-5.3, AA-5.8, AA-5.10."""
    goal, name = path[-1], s.chart.name
    blitzes = False
    if len(path) > 2:
        between = path[1]
        if view.foreign >> between & 1:
            if not blitzable(view) >> between & 1:
                what = "enemy units are" if view.foes >> between & 1 else "an industrial complex is"
                return Violation(
                    "AA-5.10",
                    f"A tank stops in {name(between)}: {what} there. {_can(s, view, kind, path[0], combat=True)}",
                )
            blitzes = True
    if not blitzes and not view.foreign >> goal & 1:
        return Violation(
            "AA-5.3",
            f"{name(goal)} is friendly: move there in the non-combat move. {_can(s, view, kind, path[0], combat=True)}",
        )
    return None


def _other(s: State, view: Sight, kind: Kind, path: Sequence[int]) -> Violation | None:
    for place in path[1:]:
        if not view.land >> place & 1:
            return Violation(
                "AA-8.2",
                f"{s.where(place)} is hostile: nobody enters it in the non-combat move. "
                f"{_can(s, view, kind, path[0], combat=False)}",
            )
    if path[-1] == path[0]:
        return Violation("AA-8.18", "It is already there")
    return None


def _can(s: State, view: Sight, kind: Kind, start: int, *, combat: bool) -> str:
    found = masked(s, goals(s, view, kind, start, combat=combat))
    return f"The {kind} in {s.where(start)} can {'attack' if combat else 'go to'} {found}"


def goals(s: State, view: Sight, kind: Kind, start: int, *, combat: bool) -> int:
    """Where a land unit can go from there, as a mask."""
    links, spaces = view.ways.land, s.chart.stats[kind].move
    if not combat:
        return reach(links, start, spaces, view.land) & view.land
    found = links[start] & view.foreign
    if spaces > 1:
        found |= around(links, links[start] & view.land) & view.foreign
        found |= around(links, links[start] & blitzable(view))
    return found
