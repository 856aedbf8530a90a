"""S42-8.3 to S42-9.9: the strengths and the column of an attack, every change with its rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from pbem.kit import AREA, HALF, SUPPLIED, Factor, Reckoned, Shift, describe_odds, reckon, strength
from pbem_rules.stalingrad42.chart import (
    ALPINE,
    ASU,
    AXIS,
    CERTAIN,
    FORTS,
    MAJOR_CITY,
    MAJOR_RIVER,
    MOUNTAIN,
    RIVERS,
    SOVIET,
    TOWN,
    Chart,
)
from pbem_rules.stalingrad42.state import DISRUPTED, ROUTED, State

TWICE = Fraction(2)
MOST_ATTACK, MOST_DEFENCE = 40, 20  # S42-8.5
NO_ATTACK, AUTOMATIC = -1, -2  # in place of a column


class Part(NamedTuple):
    """What one unit adds."""

    unit: int
    base: int
    factors: tuple[Factor, ...] = ()

    @property
    def value(self) -> int:
        """S42-9.1b: rounded up after each halving."""
        return int(strength(self.base, self.factors, "up"))


class Attack(NamedTuple):
    attackers: tuple[Part, ...]
    defenders: tuple[Part, ...]
    reckoned: Reckoned
    column: int  # of the results table, NO_ATTACK or AUTOMATIC


def fort_for(s: State, place: int, side: str) -> bool:
    """S42-9.7: does a completed fort help a side in a hex? Printed ones help the Soviets, until they are abandoned."""
    if s.forts.get(place) == side:
        return True
    return side == SOVIET and any(s.chart.map.within(key, place) for key in FORTS if key not in s.forts_off)


def over_river(s: State, start: int, target: int) -> bool:
    """S42-9.5.1, S42-9.5.4: does an attack come over a river, bridged or not, or out of marsh?"""
    chart = s.chart
    if start == target:  # S42-29.1.3: in a contested city
        return False
    if any(river in chart.board.edges[start, target] for river in RIVERS):
        return True
    return chart.board[start].kind != AREA and _is_marsh(s, start)


def _is_marsh(s: State, place: int) -> bool:
    return s.chart.ground_of(place, s.rained).doubled == "all"


def attack_of(s: State, unit: int, target: int) -> Part:
    """S42-9.1c: halved over a major river, and out of supply; within a contested city over none (S42-29.1.3)."""
    factors = []
    if s.at(unit) != target and MAJOR_RIVER in s.chart.board.edges[s.at(unit), target]:
        factors.append(Factor(HALF, "S42-9.5.2", "across a major river"))
    if s.pieces[unit].supply != SUPPLIED:
        factors.append(Factor(HALF, "S42-16.4", "out of supply"))
    if _storms(s, unit, target):
        factors.append(Factor(TWICE, "S42-9.1d", "by troops made for such ground"))
    return Part(unit, in_frost(s, unit, s.at(unit), s.face(unit).attack, 1), tuple(factors))


def _storms(s: State, unit: int, target: int) -> bool:
    """S42-9.6.1b, S42-20.9: mountain troops of the Axis into mountain, not over alpine sides; Linden's into cities."""
    face, start = s.face(unit), s.at(unit)
    if s.chart.is_city(target):
        return bool(face.value("city"))
    alpine = ALPINE in s.chart.board.edges[start, target]
    return s.chart.board[target].terrain == MOUNTAIN and bool(face.value("mountain")) and not alpine


def in_frost(s: State, unit: int, place: int, strength: int, least: int) -> int:
    """S42-23.4b, S42-23.4c: in winter the Axis is a point weaker where it stands, on the maps A and B."""
    cold = s.frost and s.side(unit) == AXIS and place % 100 <= s.chart.figures["frost"]
    return strength - 1 if cold and strength > least else strength


def _sheltered(s: State, unit: int, place: int) -> bool:
    """S42-23.4c: in a city, town or completed fort, or beside a major city of its own."""
    chart, side = s.chart, s.side(unit)
    if chart.is_city(place) or TOWN in chart.board[place].marks or s.forts.get(place) == side:
        return True
    return any(chart.board[near].terrain == MAJOR_CITY and s.holders[near] == side for near in chart.board.near[place])


def defence_of(s: State, unit: int, place: int, *, over: bool) -> Part:
    """S42-9.1, S42-9.9b: on a train 1, in Full Retreat nothing; halved if Disrupted, and doubled at most once.

    S42-9.9c: in the cold a point less, but not where it is sheltered.
    """
    piece, ground = s.pieces[unit], s.chart.ground_of(place, s.rained)
    if piece.train:
        return Part(unit, 1)
    if piece.order == ROUTED:
        return Part(unit, 0)
    factors = [Factor(HALF, "S42-13.2.1", "disrupted")] if piece.order == DISRUPTED else []
    if _is_marsh(s, place):
        factors.append(Factor(TWICE, "S42-9.5.4", "in marsh"))
    elif place in s.contests:
        factors.append(Factor(TWICE, "S42-29.1.1c", "in a contested city"))
    elif over:
        factors.append(Factor(TWICE, "S42-9.5.1", "behind a river"))
    elif ground.doubled == "infantry" and s.has(unit, "infantry"):
        rule, where = ("S42-9.6.1", "mountain") if s.chart.board[place].terrain == MOUNTAIN else ("S42-9.6.3", "a city")
        factors.append(Factor(TWICE, rule, f"infantry in {where}"))
    defence = s.face(unit).defence
    return Part(unit, defence if _sheltered(s, unit, place) else in_frost(s, unit, place, defence, 2), tuple(factors))


def beyond(s: State, side: str, units: Iterable[int]) -> tuple[int, ...]:
    """S42-15.3b: of units in one hex the weakest, as many as stand there beyond the limit of stacking."""
    # S42-15.3b: units in Full Retreat come first, then Disrupted ones, then those with the lowest defence.
    there, gone = sorted(units, key=lambda unit: (-s.pieces[unit].order, s.face(unit).defence, unit)), []
    if not there:
        return ()
    limit = s.chart.most(side, s.of(side, s.at(there[0])))
    while (count := s.counted(there, side)) > limit:
        # The one unit that stacks freely stays: without it no fewer would count.
        gone.append(next(u for u in there if s.counted([mate for mate in there if mate != u], side) < count))
        there.remove(gone[-1])
    return tuple(gone)


def holders(s: State, place: int, side: str, *, through: bool = False) -> tuple[int, ...]:
    """Who defends a hex: nobody who has retreated there in this phase, but in a breakthrough (S42-12.4, S42-15.3)."""
    return tuple(unit for unit in s.of(side, place) if s.fights(unit) and (through or unit not in s.fled))


def defending(s: State, place: int, side: str, *, through: bool = False) -> tuple[int, ...]:
    """Of these the ones that help, as far as nobody says otherwise (S42-15.3b)."""
    there = holders(s, place, side, through=through)
    gone = beyond(s, side, there)
    return tuple(unit for unit in there if unit not in gone)


def adding(s: State, units: Iterable[int]) -> tuple[int, ...]:
    """S42-9.8: who of the defenders adds strength: support only if nobody else does, and then one alone."""
    units = tuple(units)
    line = [unit for unit in units if not s.has(unit, ASU)]
    if any(s.pieces[unit].order != ROUTED for unit in line):
        return tuple(line)
    guns = [unit for unit in units if s.has(unit, ASU) and s.pieces[unit].order != ROUTED]
    return tuple(sorted((*line, *guns[:1])))


def shifts(s: State, units: Sequence[int], target: int, side: str, holding: Iterable[int]) -> Iterator[Shift]:
    """S42-9.2, S42-9.7.1, S42-9.9a: tanks, forts and rough ground; `holding`, of this side, defend."""
    fort, ground = fort_for(s, target, side), s.chart.ground_of(target, s.rained)
    if ground.tanks and not fort:  # S42-9.2.3a
        yield from _tanks(s, units, target, holding)
    if fort:
        yield Shift(-1, "S42-9.7.1", "a fort")
    yield Shift(ground.shift, "S42-9.9", "the ground")


def _tanks(s: State, units: Sequence[int], target: int, holding: Iterable[int]) -> Iterator[Shift]:
    ours = [unit for unit in units if s.has(unit, "tank")]
    earning = [unit for unit in ours if not over_river(s, s.at(unit), target)]  # S42-9.2.3b
    facing = [unit for unit in holding if s.pieces[unit].order != ROUTED and not s.pieces[unit].train]
    theirs = [unit for unit in facing if s.has(unit, "tank")]
    guns = any(s.has(unit, "white") for unit in facing)  # S42-9.2.4a
    if earning and not theirs and not guns:
        yield Shift(1, "S42-9.2.1", "tanks")
    if theirs and not ours:
        yield Shift(-1, "S42-9.2.1", "tanks of the defender")
    if any(s.has(unit, "red") for unit in earning):
        yield Shift(1, "S42-9.2.2", "elite tanks")  # the Axis alone has such
    if any(s.has(unit, "red") for unit in theirs):
        yield Shift(-1, "S42-9.2.2", "elite tanks of the defender")


def tanks_unused(s: State, units: Sequence[int], target: int, side: str) -> str:
    """S42-9.2.3: why the tanks of attackers of a hex that `side` holds give no shift; empty: ground is no reason."""
    ours = [unit for unit in units if s.has(unit, "tank")]
    if not ours:
        return ""
    if fort_for(s, target, side):
        return "Tanks give no shift against a completed fort (S42-9.2.3a)."
    if not s.chart.ground_of(target, s.rained).tanks:
        return "Tanks give no shift in woods, marsh, mountains and cities (S42-9.2.3a)."
    if all(over_river(s, s.at(unit), target) for unit in ours):
        return "Tanks that attack across a river or out of marsh give no shift (S42-9.2.3b)."
    return ""


def attack(
    s: State,
    units: Sequence[int],
    target: int,
    side: str,
    more: Iterable[Shift] = (),
    *,
    holding: Iterable[int] | None = None,
    through: bool = False,
) -> Attack:
    """S42-8.3: an attack on a hex that `side` holds. `more`: what air units, artillery and supplies add.

    `holding`: who helps the defence, if that has been decided.
    """
    if holding is None:
        holding = defending(s, target, side, through=through)
    over = all(over_river(s, s.at(unit), target) for unit in units)  # S42-9.5.1
    attackers = tuple(attack_of(s, unit, target) for unit in units)
    defenders = tuple(defence_of(s, unit, target, over=over) for unit in adding(s, holding))
    ours = min(MOST_ATTACK, sum(part.value for part in attackers))
    theirs = min(MOST_DEFENCE, sum(part.value for part in defenders))
    if ours <= 0:
        nothing = Reckoned(Fraction(0), Fraction(theirs), NO_ATTACK, (), NO_ATTACK)
        return Attack(attackers, defenders, nothing, NO_ATTACK)
    if theirs <= 0:
        certain = _certain(s.chart)
        return Attack(attackers, defenders, Reckoned(Fraction(ours), Fraction(0), certain, (), certain), AUTOMATIC)
    reckoned = reckon(s.chart.odds, ours, theirs, (*shifts(s, units, target, side, holding), *more))
    return Attack(attackers, defenders, reckoned, column_of(s.chart, reckoned.column))


def _certain(chart: Chart) -> int:
    """The number of the column 10:1, beyond the table."""
    return len(chart.odds.columns) - 1 + CERTAIN - chart.odds.columns[-1][0]


def column_of(chart: Chart, column: int) -> int:
    """S42-8.4: below 1:3 there is no attack, 10:1 is certain, and what lies between counts as the last column."""
    if column < 0:
        return NO_ATTACK
    return AUTOMATIC if column >= _certain(chart) else min(column, len(chart.odds.columns) - 1)


def column_name(s: State, column: int) -> str:
    return {NO_ATTACK: "below 1:3", AUTOMATIC: "10:1"}.get(column) or s.chart.odds.label(column)


def may_join(s: State, units: Iterable[int]) -> bool:
    """S42-20.5.1: allies of different nations do not attack together, but each does with Germans."""
    nations = {s.chart.nation(unit) for unit in units if s.side(unit) == AXIS}
    return len(nations - {"german"}) <= 1


def describe(s: State, found: Attack) -> str:
    """`7 to 2 = 3:1, tanks +1 (S42-9.2): column 4:1`, before the die as after it."""
    reckoned, column = found.reckoned, column_name(s, found.column)
    if found.column == NO_ATTACK and not reckoned.attack:
        return "The attackers have no strength"
    plain = s.chart.odds.label(reckoned.plain) if reckoned.defence else "no defence"
    sums = (
        (MOST_ATTACK, found.attackers, "attack", "S42-8.5.1"),
        (MOST_DEFENCE, found.defenders, "defence", "S42-8.5.2"),
    )
    for most, parts, what, rule in sums:
        if (total := sum(part.value for part in parts)) > most:
            plain += f", of {total} {what} points {most} count ({rule})"
    text = describe_odds(reckoned.attack, reckoned.defence, plain, reckoned.shifts, column)
    return f"{text}, which is not allowed (S42-8.4.1)" if found.column == NO_ATTACK else text
