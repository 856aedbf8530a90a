"""AA-5.24 to 5.28, 5.40 to 5.45, 7.7 to 7.9 and 8.19 to 8.22: going aboard and ashore."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pbem.game import STAY, Choice, Known, Next, Out, Violation
from pbem_rules.axis1941.events import Landed, Loaded
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.moving import IDLE, LONGEST, SPENT, masked, remember, ship_named, titled
from pbem_rules.axis1941.orders import Land, Load
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sea_moves import serves
from pbem_rules.axis1941.sight import Sight, look
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import (
    FOUGHT,
    FRESH,
    INFANTRY,
    LAND,
    LOADED,
    MOVED,
    NONE,
    OF_SIDE,
    SHIFTED,
    SHIPPED,
    SIDE,
    TANK,
    TITLES,
    TRANSPORT,
    UNLOADED,
    Kind,
    Unit,
    ship_code,
)

LAND_KINDS = (INFANTRY, TANK)
HOLD = 2


def code_of(unit: Unit) -> int:
    return ship_code(unit.power, unit.kind, unit.number)


def room(s: State, ship: int, kind: Kind) -> bool:
    """AA-5.24: one land unit of any kind and one infantry."""
    held = [s.units[each].kind for each in s.ground.cargo.get(ship, ())]
    return len(held) < HOLD and not (kind is TANK and TANK in held)


def _transport(s: State, code: int) -> int | Violation:
    number = ship_named(s, code)
    if number == NONE or s.units[number].kind is not TRANSPORT or SIDE[s.units[number].power] is not SIDE[s.active]:
        return Violation("AA-5.25", f"There is no such transport on your side{_yours(s)}")
    return number


def _yours(s: State) -> str:
    own = [s.units[each] for each in s.ground.of[s.active, TRANSPORT]]
    where = ", ".join(f"{titled(unit)} in {s.where(unit.place)}" for unit in own)
    return f"; yours: {where}" if own else ", and you have none"


def _busy(unit: Unit, *, combat: bool) -> Violation | None:
    """Is a transport past loading and unloading in this phase? An ally's has done nothing in this turn."""
    if unit.did & FRESH:
        return Violation("AA-9.12", f"{titled(unit).capitalize()} was mobilised in this turn")
    if not combat and unit.did & (MOVED | LOADED | FOUGHT):
        return Violation("AA-8.19", f"{titled(unit).capitalize()} moved, loaded or fought in combat")
    return None


def _landed(unit: Unit) -> bool:
    """Has the transport put troops ashore in combat? What lands in the non-combat move sets SHIFTED too."""
    return bool(unit.did & UNLOADED) and not unit.did & SHIFTED


def idle(s: State, kind: Kind, place: int, *, combat: bool) -> int:
    """A land unit there that has done nothing yet (AA-5.25, AA-8.1, AA-8.22); NONE if there is none."""
    spent = SPENT if combat else IDLE
    for number in s.ground.at[place]:
        unit = s.units[number]
        if unit.kind is kind and unit.power is s.active and not unit.did & spent:
            return number
    return NONE


def _check_ship(s: State, view: Sight, ship: int, kind: Kind, *, combat: bool) -> Violation | None:
    unit = s.units[ship]
    name, zone = titled(unit), s.where(unit.place)
    if kind not in LAND:
        return Violation("AA-11.11", "Transports carry infantry and tanks")
    if unit.power is not s.active:
        owner = TITLES[unit.power]
        if combat:
            return Violation("AA-7.9", f"Troops go aboard {owner}'s {name} in the non-combat move")
        if not s.allows(unit.power, s.active, "hold"):
            return Violation("AA-2.24", f"{owner} does not let you use its transports")
    elif (wrong := _busy(unit, combat=combat)) is not None:
        return wrong
    if unit.did & UNLOADED:
        return Violation("AA-5.27", f"{name.capitalize()} has unloaded and loads no more in this turn")
    if view.armed >> unit.place & 1:
        return Violation("AA-5.16", f"{zone} is hostile: nobody goes aboard {name} there")
    if not room(s, ship, kind):
        return Violation(
            "AA-5.24", f"{name.capitalize()} holds {_held(s, ship)}: it takes one land unit and one infantry at most"
        )
    return None


def _held(s: State, ship: int) -> str:
    kinds = [str(s.units[each].kind) for each in s.cargo(ship)]
    return f"2 {kinds[0]}" if kinds == [kinds[0]] * 2 else " and ".join(kinds)


def _check_boarding(s: State, view: Sight, ship: int, order: Load, *, combat: bool) -> Violation | None:
    unit, kind = s.units[ship], order.unit
    zone = unit.place
    near = view.ways.coast[zone]
    if order.start not in places(near):
        ship_there = f"{titled(unit).capitalize()} in {s.where(zone)}"
        if not near:
            return Violation("AA-5.25", f"{ship_there} has no coast beside it to take troops aboard from")
        return Violation("AA-5.25", f"{ship_there} takes troops aboard from {masked(s, near)}")
    if idle(s, kind, order.start, combat=combat) == NONE:
        rule = "AA-5.25" if combat else "AA-8.22"
        return Violation(rule, f"There is no {kind} in {s.where(order.start)} that has not moved")
    if combat and not serves(s, view, ship, zone, LONGEST - unit.used):
        return Violation(
            "AA-5.26", f"{titled(unit).capitalize()} can reach no hostile coast: load in the non-combat move"
        )
    return None


def troops(s: State) -> list[Unit]:
    """All land units aboard transports, by number: those with a target are to land in an assault (AA-5.40)."""
    rows = s.units
    found = [number for held in s.ground.cargo.values() for number in held if rows[number].kind in LAND]
    return [rows[number] for number in sorted(found)]


def aboard(s: State, ship: int, kind: Kind, *, combat: bool) -> int:
    """The active power's unit of that kind that can go ashore; who must does so first (AA-5.26). NONE: nobody."""
    fit = [number for number in s.cargo(ship) if _may_land(s, number, kind, combat=combat)]
    return min(fit, key=lambda each: (not s.units[each].did & LOADED, each), default=NONE)


def _may_land(s: State, number: int, kind: Kind, *, combat: bool) -> bool:
    """AA-5.40, AA-5.44, AA-6.11, AA-7.7, AA-8.1, AA-8.19, AA-8.21."""
    unit = s.units[number]
    if unit.kind is not kind or unit.power is not s.active or unit.target != NONE:
        return False
    if combat:
        return True
    return s.units[unit.aboard].power is s.active or not unit.did & SHIPPED


def nobody_lands(s: State, ship: int, kind: Kind, *, combat: bool) -> Violation:
    cargo = [s.units[each] for each in s.cargo(ship)]
    name = titled(s.units[ship])
    if any(unit.kind is kind and unit.power is not s.active for unit in cargo):
        return Violation("AA-5.44", f"The {kind} aboard {name} is an ally's: its owner lands it in their own turn")
    mine = [unit for unit in cargo if unit.kind is kind]
    if mine and not combat:
        return Violation("AA-7.7", f"The {kind} went aboard an ally's {name} in this turn and lands in your next one")
    if mine:
        return Violation("AA-5.40", f"Every {kind} aboard {name} already has orders to land")
    return Violation("AA-5.40", f"There is no {kind} of yours aboard {name}")


def coasts(s: State, view: Sight) -> Iterator[tuple[int, int, int, Kind]]:
    """Ships, their codes, places on the coast beside them, and kinds of troops."""
    for power in OF_SIDE[view.side]:
        for ship in s.ground.of[power, TRANSPORT]:
            unit = s.units[ship]
            for place in places(view.ways.coast[unit.place]):
                for kind in LAND_KINDS:
                    yield ship, code_of(unit), place, kind


class Loads(Choice[State, Turn, Load]):
    """Going aboard (AA-5.24 to 5.27; AA-7.9, AA-8.19)."""

    combat: ClassVar[bool] = True

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Load]:
        for _, code, place, kind in coasts(s, look(s)):
            if s.ground.at[place] and self.check(s, f, seat, order := Load(kind, place, code), own) is None:
                yield order

    def check(self, s: State, f: Turn, seat: str, order: Load, proof: Known) -> Violation | None:
        view = look(s)
        ship = _transport(s, order.ship)
        if isinstance(ship, Violation):
            return ship
        return _check_ship(s, view, ship, order.unit, combat=self.combat) or _check_boarding(
            s, view, ship, order, combat=self.combat
        )

    def apply(self, s: State, f: Turn, seat: str, order: Load, out: Out) -> Next:
        ship = ship_named(s, order.ship)
        number = idle(s, order.unit, order.start, combat=self.combat)
        remember(f, s, number)
        remember(f, s, ship)
        zone, bit = s.units[ship].place, LOADED if self.combat else SHIPPED
        s.change(number, place=zone, aboard=ship, did=s.units[number].did | bit)
        if s.units[ship].power is s.active:
            s.mark(ship, bit)
        if out.wanted:
            out.add(
                Loaded(power=s.active, unit=order.unit, start=order.start, ship=order.ship, zone=zone, rule="AA-5.25")
            )
        return STAY


class Lands(Choice[State, Turn, Land]):
    """Going ashore (AA-5.28, AA-5.40, AA-5.41; AA-8.20): in the combat move this declares an assault."""

    combat: ClassVar[bool] = True

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Land]:
        for ship, code, place, kind in coasts(s, look(s)):
            if s.ground.cargo.get(ship) and self.check(s, f, seat, order := Land(kind, code, place), own) is None:
                yield order

    def check(self, s: State, f: Turn, seat: str, order: Land, proof: Known) -> Violation | None:
        view = look(s)
        ship = _transport(s, order.ship)
        if isinstance(ship, Violation):
            return ship
        unit = s.units[ship]
        name, zone, to = titled(unit).capitalize(), unit.place, order.to
        if (wrong := _busy(unit, combat=self.combat)) is not None:
            return wrong
        near = view.ways.coast[zone]
        if to not in places(near):
            if not near:
                return Violation("AA-5.41", f"{name} in {s.where(zone)} has no coast beside it to land troops on")
            return Violation(
                "AA-5.41", f"Troops land next to the zone of their transport: from {s.where(zone)} in {masked(s, near)}"
            )
        if aboard(s, ship, order.unit, combat=self.combat) == NONE:
            return nobody_lands(s, ship, order.unit, combat=self.combat)
        if _landed(unit):
            return Violation("AA-5.28", f"{name} has unloaded in combat: one territory in a turn")
        if unit.target not in (NONE, to):
            return Violation("AA-5.28", f"{name} unloads in {s.where(unit.target)}: one territory in a turn")
        if self.combat:
            if not view.foreign >> to & 1:
                return Violation("AA-5.26", f"{s.where(to)} is friendly: land there in the non-combat move")
            return None
        if not view.land >> to & 1:
            return Violation("AA-5.40", f"{s.where(to)} is hostile: landings there are declared in the combat move")
        if view.armed >> zone & 1:
            return Violation("AA-8.20", f"{s.where(zone)} is hostile: nobody goes ashore from there")
        return None

    def apply(self, s: State, f: Turn, seat: str, order: Land, out: Out) -> Next:
        ship = ship_named(s, order.ship)
        number = aboard(s, ship, order.unit, combat=self.combat)
        remember(f, s, number)
        remember(f, s, ship)
        if self.combat:
            s.change(number, target=order.to)
            s.change(ship, target=order.to)
        else:
            s.change(number, place=order.to, aboard=NONE, did=s.units[number].did | UNLOADED)
            s.change(ship, target=order.to, did=s.units[ship].did | UNLOADED | SHIFTED)
        if out.wanted:
            out.add(
                Landed(
                    power=s.active,
                    unit=order.unit,
                    ship=order.ship,
                    to=order.to,
                    assault=self.combat,
                    rule="AA-5.40" if self.combat else "AA-8.20",
                )
            )
        return STAY
