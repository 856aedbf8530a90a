"""AA-6.13..6.16, 6.21, 6.24..6.29, 6.33: the board of a battle: who is on it, as numbers of units and as forces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pbem.game import Out
from pbem_rules.axis1941.chart import FIRST_ZONE
from pbem_rules.axis1941.events import Destroyed, Lost
from pbem_rules.axis1941.frames import Battle
from pbem_rules.axis1941.hits import (
    BATTLESHIP,
    CARRIER,
    DAMAGED,
    DESTROYER,
    INDEX,
    SIZE,
    TRANSPORT,
)
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.tolls import BY_SEA, Toll
from pbem_rules.axis1941.units import (
    AIR,
    DISPLACED,
    FIGHTER,
    LAND,
    NONE,
    OTHER,
    POWERS,
    SEA,
    SEATS,
    SIDE,
    SUBMARINE,
    Kind,
    Power,
    Unit,
)
from pbem_rules.axis1941.units import DAMAGED as HAS_HIT

# The phases of a round, in which somebody fires: surprise strikes (step 2), then general fire (steps 3 and 4).
STRIKE, STRIKE_BACK, FIRE, FIRE_BACK = range(4)
PHASES = ("att-strike", "def-strike", "att", "def")  # as in the labels of draws


def at_sea(f: Battle) -> bool:
    return f.place >= FIRST_ZONE


def attack_turn(f: Battle) -> bool:
    """Does the attacker fire in this phase?"""
    return f.phase in (STRIKE, FIRE)


def slot(unit: Unit) -> int:
    """The place of a unit in a force: a battleship that has a hit counts apart (AA-6.33)."""
    place = INDEX[unit.kind]
    return DAMAGED if unit.did & HAS_HIT else place


def force(s: State, numbers: Iterable[int]) -> tuple[int, ...]:
    """How many there are for each place in a force (AA-6.28, AA-6.33)."""
    counts = [0] * SIZE
    rows = s.units
    for number in numbers:  # `slot` written out
        unit = rows[number]
        place = INDEX[unit.kind]
        counts[DAMAGED if unit.did & HAS_HIT else place] += 1
    return tuple(counts)


def counted(s: State, f: Battle, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The `force` of some of a battle, which asks for the same ones many times. Only a hit on a battleship changes it
    while they stay the same (`pay`)."""
    forces: dict[tuple[int, ...], tuple[int, ...]] | None = f.forces
    if forces is None:
        forces = f.forces = {}
    known = forces.get(numbers)
    if known is None:
        known = forces[numbers] = force(s, numbers)
    return known


def standing_defenders(f: Battle) -> tuple[int, ...]:
    """Those in front of the casualty line (AA-6.21, AA-6.24, AA-6.36)."""
    behind = f.behind
    return tuple([each for each in f.defenders if each not in behind]) if behind else f.defenders


def payers(f: Battle) -> tuple[int, ...]:
    """The units of the side that takes the hits of this phase, and can still take one (AA-6.24, AA-6.25, AA-6.36)."""
    return standing_defenders(f) if attack_turn(f) else standing_attackers(f)


def standing_attackers(f: Battle) -> tuple[int, ...]:
    behind = f.behind
    return tuple([each for each in f.attackers if each not in behind]) if behind else f.attackers


def destroyers(s: State, f: Battle) -> tuple[bool, bool]:
    """Has the attacker a destroyer in the battle, has any defender? Those behind the line count (AA-6.17, AA-6.19,
    AA-6.27, AA-6.31)."""
    return counted(s, f, f.attackers)[DESTROYER] > 0, counted(s, f, f.defenders)[DESTROYER] > 0


def hits(f: Battle) -> tuple[int, int, int]:
    return f.hits_sub, f.hits_air, f.hits_other


def unpaid(f: Battle) -> int:
    """How many hits still have to be taken, of all classes (AA-6.28)."""
    return f.hits_sub + f.hits_air + f.hits_other


def take_hit(f: Battle, count: int = 1) -> None:
    """So many hits of the class that comes next (AA-6.36) are done with."""
    if f.hits_sub:
        f.hits_sub -= count
    elif f.hits_air:
        f.hits_air -= count
    else:
        f.hits_other -= count


_SHIPS_WITH_CARGO = (TRANSPORT, CARRIER)


class Lot(NamedTuple):
    """Units that it makes no difference to lose one or the other of, in the order in which they would be lost."""

    toll: Toll
    units: tuple[int, ...]


def by_loss(s: State, f: Battle) -> dict[int, list[int]]:
    """All who can take a hit, by what is lost with them (AA-6.29, AA-6.33)."""
    rows = s.units
    found: dict[int, list[int]] = {}
    for each in payers(f):
        unit = rows[each]
        loss = INDEX[unit.kind]
        if loss == BATTLESHIP:
            loss = slot(unit)
        if loss in found:
            found[loss].append(each)
        else:
            found[loss] = [each]
    return found


def lots(s: State, f: Battle, loss: int, numbers: Sequence[int]) -> list[Lot]:
    """AA-6.29: the units that pay with the same loss; the lot from which the rules take one comes first.

    By sea: they cannot retreat (AA-6.9). Cargo goes down with its ship (AA-6.15). Allies may disagree (AA-7.6).
    """
    rows, landed = s.units, f.landed
    if loss not in _SHIPS_WITH_CARGO and not landed:
        powers = {rows[each].power for each in numbers}
        if len(powers) == 1:  # as a rule
            return [Lot(Toll(loss, powers.pop()), tuple(numbers))]
    found: dict[tuple[Power, int], list[int]] = {}
    for each in numbers:
        unit = rows[each]
        number = 0
        if loss in _SHIPS_WITH_CARGO:
            number = unit.number if s.cargo(each) else 0
        elif each in landed:
            number = BY_SEA
        found.setdefault((unit.power, number), []).append(each)
    alike = [Lot(Toll(loss, power, number), tuple(units)) for (power, number), units in sorted(found.items())]
    alike.sort(key=lambda lot: _dearest(s, lot))
    return alike


def _dearest(s: State, lot: Lot) -> tuple[int, int, int]:
    """The cheapest cargo first, then the power with most of them (AA-6.29, AA-7.6)."""
    cargo = sum(s.chart.stats[s.units[each].kind].cost for each in s.cargo(lot.units[0]))
    return cargo, -len(lot.units), POWERS.index(s.units[lot.units[0]].power)


def victim(s: State, lot: Lot) -> int:
    """Which unit of a lot is lost: of aircraft the one with the least range left, else the first (AA-6.29)."""
    if len(lot.units) == 1:
        return lot.units[0]
    rows = s.units
    return min([(-rows[each].used, each) for each in lot.units])[1]


def pay(s: State, f: Battle, number: int, out: Out) -> None:
    """A unit takes a hit: the first hit of a battleship, or it goes behind the line (AA-6.21, AA-6.24) or, where nobody
    fires any more in this round, off the board (AA-6.25)."""
    unit = s.units[number]
    damaged = slot(unit) == BATTLESHIP
    if out.wanted:
        out.add(
            Lost(
                place=f.place,
                power=unit.power,
                unit=unit.kind,
                number=unit.number,
                damaged=damaged,
                rule="AA-6.33" if damaged else "AA-6.29",
            )
        )
    if damaged:
        s.mark(number, HAS_HIT)
        f.forces = f.offer = None
    elif f.phase == FIRE_BACK:
        f.attackers = without(f.attackers, number)
        destroy(s, number, out)
    else:
        f.behind = (*f.behind, number)


def clear_line(s: State, f: Battle, out: Out) -> None:
    """AA-6.21, AA-6.27: what lies behind the casualty line is removed."""
    if not f.behind:
        return
    f.attackers, f.defenders = standing_attackers(f), standing_defenders(f)
    for number in f.behind:
        destroy(s, number, out)
    f.behind = ()


def destroy(s: State, number: int, out: Out) -> None:
    """AA-6.15, AA-6.35: cargo dies with its ship; fighters that defend a carrier do not."""
    unit = s.units[number]
    for each in s.cargo(number):
        cargo = s.units[each]
        if cargo.kind in AIR and SIDE[cargo.power] is not SIDE[s.active]:
            s.change(each, aboard=NONE, did=cargo.did | DISPLACED)
        else:
            out.add(Destroyed(power=cargo.power, unit=cargo.kind, place=unit.place, rule="AA-6.15"))
    s.remove(number)


def without(numbers: tuple[int, ...], gone: int) -> tuple[int, ...]:
    return tuple([each for each in numbers if each != gone])


def gather_sea(s: State, f: Battle) -> None:
    """AA-6.14, AA-6.16: all own units but cargo, against all of the enemy side but cargo."""
    for each in s.at(f.place):
        unit = s.units[each]
        if unit.kind is FIGHTER and unit.power is f.power:
            s.change(each, aboard=NONE)
    _sort(s, f, cargo=LAND)
    f.origins = _origins(s, f, SEA)


def gather_land(s: State, f: Battle, landed: tuple[int, ...]) -> None:
    """AA-6.6: overland and air units stand in the territory already. A retreat is by land (AA-6.47)."""
    f.landed = landed
    _sort(s, f, cargo=frozenset())
    f.origins = _origins(s, f, LAND)


def _sort(s: State, f: Battle, cargo: frozenset[Kind]) -> None:
    """Who is in the place of the battle goes to one side or the other; those of allies of the attacker stay out
    (AA-6.14, AA-6.15, AA-7.2)."""
    rows, enemy = s.units, OTHER[SIDE[f.power]]
    attackers, defenders = [], []
    for each in s.ground.at[f.place]:
        unit = rows[each]
        if unit.kind in cargo:
            continue
        if unit.power is f.power:
            attackers.append(each)
        elif SIDE[unit.power] is enemy:
            defenders.append(each)
    f.attackers, f.defenders = tuple(attackers), tuple(defenders)


def _origins(s: State, f: Battle, kinds: frozenset[Kind]) -> tuple[int, ...]:
    """The spaces from which they came, the one of most of them first (AA-6.47, AA-6.48)."""
    units = [s.units[each] for each in f.attackers]
    count = Counter(unit.origin for unit in units if unit.origin != NONE and unit.kind in kinds)  # by sea: it has none
    return tuple(sorted(count, key=lambda place: (-count[place], place)))


def refuges(s: State, f: Battle) -> tuple[int, ...]:
    """AA-6.46..6.51: where the attacker may retreat to, the best known first; none: they may not.

    The place of the battle itself stands for aircraft, which stay there until the non-combat move.
    """
    movers = [each for each in f.attackers if each not in f.landed]
    for each in movers:
        if s.units[each].kind not in AIR:
            break
    else:
        return (f.place,) if movers else ()
    if at_sea(f):
        return tuple([zone for zone in f.origins if not s.hostile(zone, SIDE[f.power]) and zone not in s.seas])
    return f.origins  # on land nobody came from what is hostile still (AA-6.48)


def owners(s: State, numbers: Iterable[int]) -> tuple[str, ...]:
    """The seats of these units, in the order of play (AA-6.18, AA-7.6)."""
    found = {s.units[each].power for each in numbers}
    if len(found) == 1:
        return SEATS[found.pop()]
    return tuple(power.value for power in POWERS if power in found)


def choosers(s: State, numbers: Iterable[int]) -> tuple[str, ...]:
    """AA-7.6: of each player who has some of these units one seat, the first in the order of play."""
    found: dict[int, str] = {}
    for seat in owners(s, numbers):
        found.setdefault(s.players[seat], seat)
    return tuple(found.values())


def kinds(s: State, numbers: Iterable[int]) -> tuple[str, ...]:
    """For events: what these are, in the order of the table of units."""
    return tuple([str(kind) for kind in sorted([s.units[each].kind for each in numbers], key=INDEX.__getitem__)])


def subs(s: State, numbers: Iterable[int]) -> Iterator[int]:
    return (each for each in numbers if s.units[each].kind is SUBMARINE)
