"""AA-5.29, 5.31, 5.36, 5.37 and 8.14 to 8.17: launching, promises of carriers, and who ends on which deck."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.game import Out, Violation
from pbem_rules.axis1941.chart import is_zone
from pbem_rules.axis1941.events import Destroyed, Promised
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.landing import case, contested, yard_zones
from pbem_rules.axis1941.moving import listed, masked, remember, ship_named, titled
from pbem_rules.axis1941.orders import NO_SHIP
from pbem_rules.axis1941.orders import Promise as PromiseOrder
from pbem_rules.axis1941.routes import places, reach
from pbem_rules.axis1941.sight import Sight, look
from pbem_rules.axis1941.state import Promise, State
from pbem_rules.axis1941.transports import code_of
from pbem_rules.axis1941.units import AWAITS, BOMBER, CARRIER, FIGHTER, FOUGHT, MOVED, NONE


def launch(s: State, f: Turn, carrier: int) -> None:
    """AA-5.29, AA-8.15: own fighters take off before their carrier moves; allies' stay aboard as cargo."""
    for number in s.cargo(carrier):
        if s.units[number].power is s.active:
            remember(f, s, number)
            s.change(number, aboard=NONE)


def _range(s: State, view: Sight, number: int) -> int:
    """Where a carrier that has not moved could be after the non-combat move (AA-5.35 to 5.37)."""
    armed = view.armed & ~contested(s, view)
    place = s.units[number].place
    return reach(view.sea, place, 2, ~armed) & ~armed | 1 << place


def wanted(s: State, view: Sight) -> int:
    """Zones where some fighter without any other place could land (AA-5.37)."""
    mask = 0
    for each in case(s, view, combat=True).reaches:
        mask |= each
    return mask


def check_promise(s: State, view: Sight, order: PromiseOrder) -> Violation | None:
    """AA-5.36, AA-5.37."""
    zone = order.zone
    if not is_zone(zone):
        return Violation("AA-5.37", "Carriers are promised for sea zones")
    number = NONE
    if order.ship == NO_SHIP:
        free = (s.bought.get(CARRIER) or 0) - sum(1 for each in s.promises if each.carrier == NONE)
        if free < 1:
            return Violation("AA-5.37", "No newly bought carrier is left to promise")
        zones = sorted({each for each, _ in yard_zones(s)})
        if zone not in zones:
            return Violation("AA-8.8", f"A new carrier can be mobilised in {listed(s, zones)}")
    else:
        number = ship_named(s, order.ship)
        if number == NONE or s.units[number].kind is not CARRIER or s.units[number].power is not s.active:
            return Violation("AA-5.37", "There is no such carrier of yours")
        unit = s.units[number]
        if unit.did & (MOVED | FOUGHT) or contested(s, view) >> unit.place & 1:
            return Violation("AA-5.36", f"The {titled(unit)} moves or fights in combat and goes nowhere afterwards")
        if not _range(s, view, number) >> zone & 1:
            return Violation("AA-5.36", f"The {titled(unit)} can be in {masked(s, _range(s, view, number))}")
        for each in s.promises:
            if each.carrier == number:
                return Violation("AA-5.37", f"The {titled(unit)} is already promised for {s.where(each.zone)}")
    if not wanted(s, view) >> zone & 1:
        return Violation("AA-5.37", f"No fighter needs a carrier in {s.where(zone)}")
    return None


def promise(s: State, order: PromiseOrder, out: Out) -> None:
    number = NONE if order.ship == NO_SHIP else ship_named(s, order.ship)
    s.promises = (*s.promises, Promise(number, order.zone))
    out.add(Promised(power=s.active, ship=order.ship, zone=order.zone, rule="AA-5.37"))


def promises(s: State, view: Sight) -> Iterator[PromiseOrder]:
    """All legal promises (AA-5.1, AA-5.36, AA-5.37, AA-8.8)."""
    zones = wanted(s, view)
    if not zones:
        return
    ships = [NO_SHIP] if s.bought.get(CARRIER) else []
    ships += [code_of(s.units[number]) for number in s.ground.of[s.active, CARRIER]]
    for ship in ships:
        for zone in places(zones):
            order = PromiseOrder(ship, zone)
            if check_promise(s, view, order) is None:
                yield order


def settle(s: State, out: Out) -> None:
    """AA-8.11, AA-11.26: the end of the non-combat move finds every aircraft on land or on a deck, or it is lost."""
    view = look(s)
    found = case(s, view, combat=False, still=True)
    if not found.fighters and not found.lost:
        return
    housed = {}
    for berth in found.plan():
        for each in berth.fighters:
            housed[found.fighters[each]] = berth.ident
    for kind in (FIGHTER, BOMBER):
        for number in tuple(s.ground.of[s.active, kind]):
            unit = s.units[number]
            if view.landing >> unit.place & 1:
                continue
            deck = housed.get(number)
            if deck is None:
                s.remove(number)
                out.add(Destroyed(power=s.active, unit=kind, place=unit.place, rule="AA-8.11"))
            elif deck < 0:
                s.change(number, aboard=NONE, did=unit.did | AWAITS)
            elif deck != unit.aboard:
                s.change(number, aboard=deck)
