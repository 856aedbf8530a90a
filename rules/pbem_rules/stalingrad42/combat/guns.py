"""S42-18.2 to S42-18.6: artillery support: who can give it, how far, and what it costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pbem.game import Out, Violation
from pbem.kit import AREA, Shift
from pbem_rules.stalingrad42.chart import ALPINE, ASU, AXIS, GERMAN, SUPPLY
from pbem_rules.stalingrad42.events import GunsGone, GunsUsed
from pbem_rules.stalingrad42.state import GOOD, POOL, REMOVED, State, other

COLUMN = Shift(1, "S42-18.3.1", "artillery")
BARRAGE = Shift(2, "S42-18.5a", "a massive barrage")
MOST_GUNS = 2  # S42-18.5a


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
    ends in an Area (S42-22.7b), or in a contested city.
    """
    side, enemy = s.side(unit), other(s.side(unit))
    question = "covered", unit, s.at(unit), s.fighters(enemy), s.zone(enemy), s.ties(enemy), s.shared
    return s.ground.kept(side, question, lambda: _covered(s, unit, side, enemy))


def _covered(s: State, unit: int, side: str, enemy: str) -> int:
    bit, wall = s.chart.board.bit, s.barrier(enemy, moving=True)
    barred, hot = (s.fighters(enemy) & ~s.shared) | wall.hexes, s.zone(enemy) & ~s.fighters(side)
    reached = bit[s.at(unit)]
    edge = {(s.at(unit), False)}
    seen = set(edge)
    for _ in range(s.face(unit).value("range")):
        steps = (
            (there, bool(bit[there] & hot), heated, here)
            for here, heated in edge
            if s.chart.board[here].kind != AREA and (here == s.at(unit) or here not in s.contests)
            for there in s.chart.board.near[here]
            if not bit[there] & barred
            and (here, there) not in wall.sides
            and ALPINE not in s.chart.board.edges[here, there]  # S42-18.4b
        )
        edge = {(there, now) for there, now, before, _ in steps if not (now and before)} - seen
        seen |= edge
        reached |= s.chart.board.mask(place for place, _ in edge)
    return reached


def no_guns(s: State, side: str, guns: Sequence[int], units: Iterable[int]) -> Violation | None:
    """Why they cannot help in a combat of these units."""
    units = tuple(units)
    near = s.chart.board.mask(map(s.at, units))
    if len(guns) > 1:
        divisions = [each for each in guns if not s.chart.is_headquarters(each)]
        if len(set(guns)) != MOST_GUNS or not divisions or not all(s.has(each, ASU) for each in guns):
            sentence = (
                "Only two artillery divisions, or one and the headquarters of a front, can fire together; "
                "supply points cannot"
            )
            return Violation("S42-18.5a", sentence)
    return next(filter(None, (_no_gun(s, side, each, near, units) for each in guns)), None)


def of_nation(s: State, fires_by: int, units: Iterable[int]) -> bool:
    """S42-18.3.3b: the headquarters of an allied army helps units of its own nation alone."""
    nation = s.chart.nation(fires_by)
    bound = s.side(fires_by) == AXIS and nation != GERMAN
    return not bound or any(s.chart.nation(unit) == nation for unit in units)


def _no_gun(s: State, side: str, guns: int, near: int, units: Sequence[int]) -> Violation | None:
    fires_by = dict(posts(s, side)).get(guns)
    if fires_by is None:
        return Violation(
            "S42-18.2.1", f"{s.code(guns)} is neither support that is ready nor a supply point laid out with one"
        )
    if not covered(s, fires_by) & near:
        return Violation("S42-18.4", f"{s.code(fires_by)} is out of range, or its way is barred")
    if not of_nation(s, fires_by, units):
        return Violation(
            "S42-18.3.3b", f"{s.code(fires_by)} supports only attacks in which units of its nation take part"
        )
    return None


def price(s: State, gun: int, guns: Sequence[int], units: Iterable[int], idle: Iterable[int]) -> str:
    """S42-18.2.1, S42-18.5b, S42-18.6.5: what it costs that this one of `guns` supports an attack of these units.

    `idle`: support that no other attack uses, of which some may do the same for less.
    """
    code = s.code(gun)
    if s.has(gun, SUPPLY):
        same = [
            s.code(each) for each in idle if not s.has(each, SUPPLY) and no_guns(s, s.side(gun), (each,), units) is None
        ]
        instead = f"; {' or '.join(same)} would add the same column and stay on the map" if same else ""
        return f"{code} is spent by its support, and leaves the map (S42-18.6.5){instead}."
    if len(guns) > 1 and not s.chart.is_headquarters(gun):
        return f"{code} leaves the game after the barrage (S42-18.5b)."
    return f"{code} is used by its support, until a resource point or a supply point makes it ready again (S42-18.2.1)."


def fire(s: State, guns: Sequence[int], out: Out) -> None:
    """S42-18.2.1a, S42-18.5b: support of an attack; artillery divisions that have fired a massive barrage are gone."""
    for each in guns:
        use_guns(s, each, out)
        if len(guns) > 1 and not s.chart.is_headquarters(each):
            out.add(GunsGone(unit=s.code(each), rule="S42-18.5b"))
            s.put(each, REMOVED)


def columns(guns: Sequence[int]) -> tuple[Shift, ...]:
    """What so much support of an attack gives."""
    return ((), (COLUMN,), (BARRAGE,))[len(guns)]


def use_guns(s: State, guns: int, out: Out) -> None:
    """S42-18.2.1, S42-18.6.5: support has been used, a supply point is gone."""
    spent = s.has(guns, SUPPLY)
    out.add(GunsUsed(unit=s.code(guns), spent=spent, rule="S42-18.3"))
    s.alter(guns, replace(s.pieces[guns], ready=False))
    if spent:
        s.put(guns, POOL)
