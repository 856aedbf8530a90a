"""AA-5.14 to 5.21, 5.26, 5.37, 5.40: what must be declared before the combat move may end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.game import Out, Violation
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.events import Promised
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.landing import NEW, case, contested, undecked
from pbem_rules.axis1941.moving import begun, titled
from pbem_rules.axis1941.orders import NO_SHIP
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sea_moves import able, excused
from pbem_rules.axis1941.sight import Sight, look
from pbem_rules.axis1941.state import Promise, State
from pbem_rules.axis1941.transports import code_of, troops
from pbem_rules.axis1941.units import AIR, LOADED, MOVED, NONE, TANK, TRANSPORT, Unit


def fields(s: State, view: Sight) -> tuple[int, ...]:
    """Where the declared moves lead to battles or captures (AA-5.2, AA-5.10, AA-5.40, AA-6.2): on land, then at sea."""
    rows, land = s.units, 0
    for place in places(view.foreign & s.ground.masks[view.side][0]):
        for number in s.ground.at[place]:
            if rows[number].power is s.active:
                land |= 1 << place
                break
    for number in s.ground.marked:
        unit = rows[number]
        if unit.target != NONE:
            land |= 1 << unit.target
    return (*places(land), *places(contested(s, view)))


def declare(s: State, view: Sight, zone: int) -> Violation | None:
    """AA-5.19: may the submarines and transports of a zone be attacked?"""
    name = s.where(zone)
    if not is_zone(zone):
        return Violation("AA-5.19", "Only sea zones are attacked by declaration; moving into a territory attacks it")
    if view.armed >> zone & 1:
        return Violation("AA-5.15", f"There are enemy surface warships in {name}: your units there fight anyway")
    if not view.foes >> zone & 1:
        return Violation("AA-5.19", f"There is no enemy in {name}")
    if zone in s.attacked:
        return Violation("AA-5.19", f"The attack in {name} has already been declared")
    if zone in s.ignored:
        return Violation("AA-5.19", f"You have decided to ignore the enemy in {name}")
    if not able(s, zone):
        return Violation(
            "AA-5.20", f"None of your units in {name} can attack: a unit that attacks there must end its move there"
        )
    return None


def withdraw(s: State, f: Turn, view: Sight, zone: int) -> Violation | None:
    """AA-5.19: may a declared attack be taken back?"""
    name = s.where(zone)
    if zone not in s.attacked:
        return Violation("AA-5.19", f"No attack is declared in {name}: the enemy there is ignored anyway")
    for number in f.before:
        unit, start = s.units[number], begun(f, s, number)
        if not unit.did & MOVED:
            continue
        elsewhere = unit.kind is not TRANSPORT and not view.armed >> start & 1
        if unit.place == zone and (unit.kind in AIR or (elsewhere and start not in s.attacked)):
            return Violation("AA-5.19", f"The {titled(unit)} in {name} went there to attack")
        if start == zone and not _other_reason(s, view, unit):
            return Violation("AA-5.18", f"The {titled(unit)} left {name} because of the attack")
    return None


def _other_reason(s: State, view: Sight, unit: Unit) -> bool:
    """AA-5.18, AA-5.19."""
    battle = view.armed | view.foreign
    return bool(battle >> unit.place & 1) or unit.place in s.attacked or unit.target != NONE


def duties(s: State, f: Turn, view: Sight) -> list[Violation]:
    """What still forbids the end of the combat move (AA-5.14, AA-5.21, AA-5.26, AA-5.34, AA-5.41, AA-5.42,
    AA-7.8)."""
    found = []
    aboard = sorted(troops(s), key=lambda unit: unit.kind is TANK)
    for unit in aboard:
        if unit.did & LOADED and unit.target == NONE:
            ship = titled(s.units[unit.aboard])
            found.append(
                Violation(
                    "AA-5.26", f"The {unit.kind} aboard {ship} was loaded in this phase and must land on hostile soil"
                )
            )
    for number in s.ground.of[s.active, TRANSPORT]:
        wrong = _transport(s, f, view, number)
        if wrong is not None:
            found.append(wrong)
    for unit in aboard:
        if unit.target != NONE and view.armed >> unit.place & 1 and not able(s, unit.place):
            where = s.where(unit.place)
            found.append(Violation("AA-5.41", f"{where} is hostile: without a sea battle nobody lands from there"))
    if len(f.before) and (lost := undecked(case(s, view, combat=True))):
        found.append(_stranded(s, lost))
    return found


def _stranded(s: State, lost: Sequence[int]) -> Violation:
    """AA-5.34 to AA-5.36, of all moves together: they are simultaneous."""
    where = ", ".join(dict.fromkeys(s.where(s.units[each].place) for each in lost))
    return Violation(
        "AA-5.34",
        f"As things stand, {len(lost)} of your fighters could land nowhere afterwards ({where}): a carrier that does "
        "not fight must be able to come near, through zones that you attack",
    )


def _transport(s: State, f: Turn, view: Sight, number: int) -> Violation | None:
    unit = s.units[number]
    where = s.where(unit.place)
    if view.armed >> unit.place & 1:
        if able(s, unit.place):
            return None
        if unit.did & MOVED:
            return Violation(
                "AA-5.21", f"{titled(unit).capitalize()} is alone in hostile {where}: send warships or aircraft"
            )
        if view.sea[unit.place] & ~view.armed:
            return Violation(
                "AA-5.14", f"{titled(unit).capitalize()} cannot stay alone in hostile {where}: it must leave"
            )
        return None
    if not unit.did & MOVED or unit.target != NONE or unit.place in s.attacked or excused(s, f, view, number):
        return None
    return Violation(
        "AA-5.42",
        f"{titled(unit).capitalize()} in {where} has to land a unit: its other moves come in the non-combat move",
    )


def planned(s: State) -> Iterator[tuple[Promise, bool]]:
    """AA-5.37, AA-5.38: the carriers on which landings depend, where they will be needed; was it ordered already?"""
    found = case(s, look(s), combat=True)
    chosen = {(each.carrier, each.zone) for each in s.promises}
    for berth in found.plan():
        carrier = NONE if berth.ident <= NEW else berth.ident
        if carrier != NONE and (
            s.units[carrier].power is not s.active
            or (s.units[carrier].place == berth.zone and (carrier, berth.zone) not in chosen)
        ):
            continue
        fighters = tuple(found.fighters[each] for each in berth.fighters)
        yield Promise(carrier, berth.zone, fighters), (carrier, berth.zone) in chosen


def promise_plan(s: State, out: Out) -> None:
    """AA-5.37: what is planned is promised, and everybody hears of it."""
    found = tuple(planned(s))
    for each, ordered in found:
        if not ordered:
            ship = NO_SHIP if each.carrier == NONE else code_of(s.units[each.carrier])
            out.add(Promised(power=s.active, ship=ship, zone=each.zone, rule="AA-5.37"))
    s.promises = tuple(each for each, _ in found)
