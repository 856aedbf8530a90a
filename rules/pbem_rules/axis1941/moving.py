"""The common parts of all moves: which unit is meant, what it can still do (AA-5.1, AA-5.6, AA-8.1), and the sentences
about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from pbem.game import Violation
from pbem_rules.axis1941.chart import PLACES
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.orders import Move, piece, piece_of
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import (
    AIR,
    FOUGHT,
    FRESH,
    LAND,
    LOADED,
    MOVED,
    NONE,
    NUMBERED,
    SHIFTED,
    SHIPPED,
    TITLES,
    TRANSPORT,
    UNLOADED,
    Kind,
    Unit,
    ship_of,
)

SPENT = MOVED | LOADED | UNLOADED | FRESH  # in the combat move nobody moves twice (AA-5.1)
IDLE = SPENT | FOUGHT | SHIPPED | SHIFTED  # in the non-combat move (AA-8.1)
LONGEST = 2  # spaces of land and sea units


def label(kind: Kind, number: int = 0) -> str:
    return f"{kind} {number}" if number else str(kind)


def titled(unit: Unit) -> str:
    return label(unit.kind, unit.number)


def idle(s: State, thing: str, rule: str, why: str) -> Violation | None:
    """Why nothing can be ordered with a unit, as clicks name it: it is another power's, or `why`."""
    unit = next((unit for unit in s.units.values() if s.key(unit) == f"u:{thing}"), None)
    if unit is None:
        return None
    name = f"The {titled(unit)} in {s.where(unit.place)}"
    if unit.power is not s.active:
        return Violation(rule, f"{name} belongs to {TITLES[unit.power]}, and it is the turn of {TITLES[s.active]}")
    return Violation(rule, f"{name} {why}")


def listed(s: State, found: Iterable[int]) -> str:
    """Places in a sentence."""
    return ", ".join(map(s.chart.name, found)) or "nowhere"


def masked(s: State, mask: int) -> str:
    return listed(s, places(mask))


def remember(f: Turn, s: State, number: int) -> None:
    """Keep a unit as it was when the phase began, so that it can be taken back."""
    before = f.before
    if number not in before:
        before.put(number, s.units[number])


def remember_all(f: Turn, s: State, number: int) -> None:
    """The same of a unit and those aboard it."""
    remember(f, s, number)
    for each in s.ground.cargo.get(number, ()):
        remember(f, s, each)


def begun(f: Turn, s: State, number: int) -> int:
    """Where a unit was when the phase began."""
    before = f.before.get(number)
    return s.units[number].place if before is None else before.place


def ready(s: State, number: int, *, combat: bool) -> bool:
    """May the unit still move in this phase, as far as what it has done goes?"""
    return free(s.units[number], combat)


def free(unit: Unit, combat: bool) -> bool:
    """AA-5.1, AA-5.6, AA-5.27, AA-8.1, AA-8.19, AA-8.22, AA-9.12."""
    if unit.kind in AIR:
        return not unit.did & (SPENT | SHIFTED if combat else SHIFTED | FRESH)
    if unit.kind is TRANSPORT:
        if unit.used >= LONGEST or unit.did & (UNLOADED | FRESH) or unit.target != NONE:
            return False
        return combat or not unit.did & (MOVED | LOADED | FOUGHT)
    return unit.aboard == NONE and not unit.did & (SPENT if combat else IDLE)


@lru_cache(4096)
def form(kind: Kind, number: int, path: tuple[int, ...]) -> Violation | None:
    """Is this a path on the map for that kind of unit? Kept, since a game goes the same ways again and again."""
    if number < 0 or (number > 0) != (kind in NUMBERED):
        return Violation(
            "AA-5.1", f"There is no {kind} {number}: transports and carriers have numbers, others have none"
        )
    longest = 2 if kind in AIR else LONGEST + 1
    if not 2 <= len(path) <= longest or min(path) < 0 or max(path) >= PLACES:
        spaces = "its start and its end" if kind in AIR else "two or three spaces"
        return Violation("AA-5.1", f"A move of {kind} names {spaces}: `move {kind} FROM > TO`")
    if path[0] == path[1] or path[-2] == path[-1]:
        return Violation("AA-5.1", "A path names no place twice in a row")
    return None


def candidates(s: State, kind: Kind, number: int, at: int) -> list[int]:
    """The active power's units of that kind in a place (AA-2.25, AA-5.1); the one ship, if it is numbered."""
    rows = s.units
    own = s.ground.of[s.active, kind]
    return [each for each in own if (unit := rows[each]).place == at and unit.number == number]


def movable(s: State, kind: Kind, number: int, at: int, combat: bool) -> Iterator[int]:
    """Those of them that may still move."""
    rows, power = s.units, s.active
    for each in s.ground.at[at]:
        unit = rows[each]
        if unit.kind is kind and unit.power is power and unit.number == number and free(unit, combat):
            yield each


def absent(s: State, order: Move, *, combat: bool) -> Violation:
    """Why none of the units there can be moved."""
    kind, number = piece_of(order.piece)
    rule = "AA-5.1" if combat else "AA-8.1"
    there = candidates(s, kind, number, order.path[0])
    name, at = label(kind, number), s.where(order.path[0])
    if not there:
        own = [s.units[each] for each in s.ground.of[s.active, kind]]
        where = listed(s, sorted({unit.place for unit in own}))
        if number:
            where = ", ".join(f"{unit.number} in {s.where(unit.place)}" for unit in own)
        found = f"yours: {where}" if own else "you have none"
        return Violation(rule, f"You have no {name} in {at} ({found})")
    unit = s.units[there[0]]
    if kind in LAND and unit.aboard != NONE:  # as all of them are: they stand in a zone
        return Violation("AA-2.25", f"The {name} in {at} is aboard {titled(s.units[unit.aboard])}: `land` it")
    if unit.did & FRESH:
        return Violation("AA-9.12", f"The {name} in {at} was mobilised in this turn")
    if kind is TRANSPORT:
        return _spent_transport(s, unit, combat=combat)
    if not combat and unit.did & (FOUGHT | MOVED) and kind not in AIR:
        return Violation(
            "AA-5.6", f"A unit that moved or fought in combat does not move again in this turn: the {name} in {at} did"
        )
    if unit.did & UNLOADED:
        return Violation("AA-8.22", f"The {name} in {at} came ashore in this turn and cannot move any more")
    return Violation(rule, f"The {name} in {at} has already moved in this turn")


def _spent_transport(s: State, unit: Unit, *, combat: bool) -> Violation:
    name = titled(unit)
    if unit.target != NONE:
        return Violation(
            "AA-5.27", f"{name.capitalize()} puts its cargo ashore in {s.where(unit.target)} and cannot move any more"
        )
    if not combat and unit.did & (MOVED | LOADED | FOUGHT):
        return Violation(
            "AA-8.19", f"{name.capitalize()} moved, loaded or fought in combat and does no more in this turn"
        )
    return Violation("AA-5.13", f"{name.capitalize()} has moved as far as it can")


def ship_named(s: State, code: int) -> int:
    """The unit of a ship code; NONE if there is none. Codes are anything."""
    if code < 0:
        return NONE
    power, kind, number = ship_of(code)
    for each in s.ground.of[power, kind]:
        if s.units[each].number == number:
            return each
    return NONE


def piece_for(unit: Unit) -> int:
    return piece(unit.kind, unit.number)


def groups(s: State, kinds: Iterable[Kind], *, combat: bool) -> Iterator[tuple[int, Unit]]:
    """One ready unit of each kind in each place (interchangeable ones once), ships with numbers one by one."""
    for kind in kinds:
        seen = set()
        for number in tuple(s.ground.of[s.active, kind]):
            unit = s.units[number]
            key = (unit.place, unit.number, unit.used)
            if key not in seen and ready(s, number, combat=combat):
                seen.add(key)
                yield number, unit


def ways(links: Sequence[int], start: int, spaces: int) -> Iterator[tuple[int, ...]]:
    """All paths of one or two spaces; the second space may lead back."""
    if spaces < 1:
        return
    for first in places(links[start]):
        yield (start, first)
        if spaces > 1:
            for second in places(links[first]):
                yield (start, first, second)
