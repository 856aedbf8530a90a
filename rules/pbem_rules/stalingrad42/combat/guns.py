"""S42-18.2 to S42-18.6: artillery support: who can give it, how far, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.game import Out, Violation
from pbem.kit import AREA, Shift
from pbem_rules.stalingrad42.chart import ASU, SUPPLY
from pbem_rules.stalingrad42.events import GunsUsed
from pbem_rules.stalingrad42.state import GOOD, POOL, State, other

COLUMN = Shift(1, "S42-18.3.1", "artillery")


def posts(s: State, side: str) -> Iterator[tuple[int, int]]:
    """S42-18.2.1, S42-18.6.5: who can be named, support that is ready, or a supply point laid out with one.

    Each with the support that it fires by. S42-18.2.3b: that is in good order, on no train, without a marker.
    """
    for unit in s.ground.standing(side):
        piece = s.pieces[unit]
        fit = s.has(unit, ASU) and piece.order == GOOD and not piece.train and unit not in s.renewed
        if not fit or s.in_area(unit):
            continue
        if s.pieces[unit].ready:
            yield unit, unit
        for mate in s.of(side, s.at(unit)):
            if s.has(mate, SUPPLY) and s.pieces[mate].ready and not s.pieces[mate].train:
                yield mate, unit


def covered(s: State, unit: int) -> int:
    """S42-18.4: the mask of the hexes within range of support.

    The way there enters no hex with enemies or their bond, crosses no bond, enters no two zones one after another, and
    ends in an Area (S42-22.7b).
    """
    side, enemy, bit = s.side(unit), other(s.side(unit)), s.chart.board.bit
    wall = s.barrier(enemy, moving=True)
    barred, hot = s.fighters(enemy) | wall.hexes, s.zone(enemy) & ~s.fighters(side)
    reached = bit[s.at(unit)]
    edge = {(s.at(unit), False)}
    seen = set(edge)
    for _ in range(s.face(unit).value("range")):
        steps = (
            (there, bool(bit[there] & hot), heated, here)
            for here, heated in edge
            if s.chart.board[here].kind != AREA
            for there in s.chart.board.near[here]
            if not bit[there] & barred and (here, there) not in wall.sides
        )
        edge = {(there, now) for there, now, before, _ in steps if not (now and before)} - seen
        seen |= edge
        reached |= s.chart.board.mask(place for place, _ in edge)
    return reached


def no_guns(s: State, side: str, guns: int, near: int) -> Violation | None:
    """Why they cannot help in a combat of units in these hexes (a mask)."""
    fires_by = dict(posts(s, side)).get(guns)
    if fires_by is None:
        return Violation(
            "S42-18.2.1", f"{s.code(guns)} is neither support that is ready nor a supply point laid out with one"
        )
    if not covered(s, fires_by) & near:
        return Violation("S42-18.4", f"No way of support leads from {s.code(fires_by)} that far")
    return None


def use_guns(s: State, guns: int, out: Out) -> None:
    """S42-18.2.1, S42-18.6.5: support has been used, a supply point is gone."""
    spent = s.has(guns, SUPPLY)
    out.add(GunsUsed(unit=s.code(guns), spent=spent, rule="S42-18.3"))
    s.alter(guns, replace(s.pieces[guns], ready=False))
    if spent:
        s.put(guns, POOL)


__all__ = ["COLUMN", "covered", "no_guns", "posts", "use_guns"]
