"""The state, which changes during a game. Units are changed through `State` only, which keeps `Ground` in step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from pbem.game import Rows, Setup, Versioned, transient
from pbem_rules.axis1941.chart import FIRST_ZONE, Chart, Plan
from pbem_rules.axis1941.ground import Ground
from pbem_rules.axis1941.units import (
    DECK,
    KINDS,
    LAND,
    NONE,
    NUMBERED,
    OF_SIDE,
    OTHER,
    POWERS,
    SEA,
    SIDE,
    Kind,
    Power,
    Side,
    Unit,
    chip_key,
)


@dataclass(frozen=True, slots=True)
class Promise:
    """AA-5.37: a carrier that will be in a zone for fighters to land on; `carrier` NONE: one that was bought."""

    carrier: int
    zone: int
    fighters: tuple[int, ...] = ()  # for whom, once the combat move is over


@dataclass(kw_only=True)
class State(Versioned):
    scenario: str
    short: bool  # AA-1.13
    straits: bool  # AA-2.11: closed
    units: Rows[int, Unit]
    control: Rows[int, Power]  # territory -> power; neutrals are not in it
    ipc: Rows[str, int]  # power -> in hand
    born: int = 0  # units so far
    round: int = 0
    active: Power = Power.USSR
    # Of the active power's turn:
    was: Rows[int, Power] = field(
        default_factory=Rows
    )  # territories that changed hands -> who held them before (AA-3.6)
    seas: tuple[int, ...] = ()  # zones that were hostile to the active side when its turn began (AA-3.6)
    bought: Rows[str, int] = field(default_factory=Rows)  # kind -> how many wait in the mobilisation zone (AA-4.4)
    placed: Rows[int, int] = field(default_factory=Rows)  # complex -> units mobilised (AA-9.3)
    attacked: tuple[int, ...] = ()  # zones with submarines and transports only that are attacked (AA-5.19)
    ignored: tuple[int, ...] = ()
    order: tuple[int, ...] = ()  # of battles, as far as it was given (AA-6.2)
    battles: tuple[int, ...] = ()  # places in which battles are still to be fought
    promises: tuple[Promise, ...] = ()
    settled: tuple[str, ...] = ()  # permissions given or taken this turn
    # Standing:
    denied: tuple[str, ...] = ()  # `uk/deck/usa`: the USA may not use British decks (AA-2.24)
    players: Mapping[str, int] = transient()  # power -> the number of its player (AA-7.6)
    chart: Chart = transient()
    ground: Ground = transient()

    # Units

    def at(self, place: int) -> tuple[int, ...]:
        """The units in a place, those aboard others included, by number."""
        return tuple(self.ground.at[place])

    def here(
        self,
        place: int,
        *,
        side: Side | None = None,
        power: Power | None = None,
        kind: Kind | None = None,
        cargo: bool = True,
    ) -> Iterator[int]:
        """Those of a side, power, kind; `cargo` False: none that is aboard another (AA-8.4, AA-9.7, AA-9.9)."""
        rows = self.units
        for number in tuple(self.ground.at[place]):
            unit = rows[number]
            if (
                (kind is None or unit.kind is kind)
                and (power is None or unit.power is power)
                and (side is None or SIDE[unit.power] is side)
                and (cargo or unit.aboard == NONE)
            ):
                yield number

    def of_power(self, power: Power, kind: Kind | None = None) -> Iterator[int]:
        """By number; those of one kind, if that is given."""
        if kind is not None:
            return iter(tuple(self.ground.of[power, kind]))
        of = self.ground.of
        return iter(sorted([number for kind in KINDS for number in of[power, kind]]))

    def cargo(self, ship: int) -> tuple[int, ...]:
        """Who is aboard, by number."""
        return tuple(self.ground.cargo.get(ship, ()))

    def key(self, unit: Unit) -> str:
        """Its key for clicks, in orders and on the board; troops lie aboard their transport."""
        aboard = self.units[unit.aboard] if unit.kind in LAND and unit.aboard != NONE else None
        where = self.chart.words[unit.place] if aboard is None else f"{aboard.power}-{aboard.kind}-{aboard.number}"
        return chip_key(unit.power, unit.kind, where, unit.number)

    def ship(self, power: Power, kind: Kind, number: int) -> int:
        """A transport or carrier by its number; NONE if there is no such ship."""
        for each, unit in self.units.items():
            if unit.power is power and unit.kind is kind and unit.number == number:
                return each
        return NONE

    def change(
        self,
        number: int,
        *,
        place: int | None = None,
        aboard: int | None = None,
        used: int | None = None,
        did: int | None = None,
        origin: int | None = None,
        target: int | None = None,
    ) -> Unit:
        """Set fields of a unit, place and aboard among them; who is aboard it goes with it (AA-5.31, AA-5.40)."""
        old = self.units[number]
        new = Unit(
            old.power,
            old.kind,
            old.place if place is None else place,
            old.number,
            old.aboard if aboard is None else aboard,
            old.used if used is None else used,
            old.did if did is None else did,
            old.origin if origin is None else origin,
            old.target if target is None else target,
        )
        self.become(number, old, new)
        return new

    def become(self, number: int, old: Unit, new: Unit) -> None:
        """`change` with the new unit made, as every single move does; cargo goes along (AA-5.31, AA-5.40, AA-8.14)."""
        self.units.put(number, new)
        ground = self.ground
        ground.alter(number, old, new)
        if number in ground.cargo:
            for each in self.cargo(number):
                self.change(each, place=new.place)

    def put(self, number: int, unit: Unit) -> None:
        """Set a whole unit as it is given (also one that is gone), and nobody else; to take things back."""
        old = self.units.get(number)
        self.units.put(number, unit)
        if old is None:
            self.ground.add(number, unit)
        else:
            self.ground.alter(number, old, unit)

    def mark(self, number: int, bits: int) -> None:
        """Set bits of `did`."""
        old = self.units[number]
        self.units.put(
            number,
            Unit(
                old.power, old.kind, old.place, old.number, old.aboard, old.used, old.did | bits, old.origin, old.target
            ),
        )
        self.ground.marked.add(number)

    def forget(self) -> None:
        """A turn is over: the marks that units bear of it are taken off (AA-3.2, AA-5.32, AA-9.12)."""
        units = self.units
        for number in sorted(self.ground.marked):
            old = units[number]
            units.put(number, Unit(old.power, old.kind, old.place, old.number, old.aboard))
        self.ground.marked.clear()
        self.ground.view = None  # what was taken in this turn is friendly from now on

    def raise_unit(self, power: Power, kind: Kind, place: int, *, aboard: int = NONE, did: int = 0) -> int:
        """A new unit; its number."""
        count = 0
        if kind in NUMBERED:
            taken = {self.units[each].number for each in self.of_power(power, kind)}
            count = next(n for n in range(1, len(taken) + 2) if n not in taken)
        number = self.born
        self.born += 1
        self.put(number, Unit(power, kind, place, count, aboard, did=did))
        return number

    def remove(self, number: int) -> tuple[int, ...]:
        """A unit is destroyed, and all that is aboard it; who is to survive must be off board before (AA-6.15)."""
        gone = [number]
        for each in self.cargo(number):
            gone += self.remove(each)
        unit = self.units[number]
        self.ground.drop(number, unit)
        del self.units[number]
        return tuple(gone)

    # Places

    def side_of(self, territory: int) -> Side | None:
        """Who controls a territory; None: neutral."""
        power = self.control.get(territory)
        return None if power is None else SIDE[power]

    def friendly(self, territory: int, side: Side) -> bool:
        return self.side_of(territory) is side

    def hostile(self, place: int, side: Side) -> bool:
        """AA-2.3, AA-2.5: to that side. Neutral territories are not."""
        enemy = OTHER[side]
        return self.side_of(place) is enemy if place < FIRST_ZONE else self.ground.surface[enemy][place] > 0

    def enemies(self, place: int, side: Side) -> bool:
        """Are there any units of the other side, submarines and transports included?"""
        return self.ground.units[OTHER[side]][place] > 0

    def held_at_start(self, territory: int) -> Power | None:
        """AA-3.6: who controlled a territory when the turn began."""
        return self.was.get(territory) or self.control.get(territory)

    def friendly_at_start(self, territory: int, side: Side) -> bool:
        return self.held_at_start(territory) in OF_SIDE[side]

    def give(self, territory: int, power: Power) -> None:
        """Set control (AA-6.55), remembering who held it when the turn began. Use `capture.capture` for rules."""
        before = self.control[territory]
        if before is power:
            return
        if territory not in self.was:
            self.was[territory] = before
        elif self.was[territory] is power:
            del self.was[territory]
        self.control[territory] = power
        self.ground.give(territory, self.chart.territories[territory].value, before, power)

    def realm(self, side: Side) -> int:
        """The territories of a side, as a mask (AA-2.3, AA-2.4)."""
        realms = self.ground.realms
        if realms is None:
            realms = self.ground.realms = dict.fromkeys(Side, 0)
            for place, power in self.control.items():
                realms[SIDE[power]] |= 1 << place
        return realms[side]

    def realm_at_start(self, side: Side) -> int:
        """The territories that were a side's when the turn began, as a mask (AA-3.6, AA-8.6)."""
        mask = self.realm(side)
        for place, power in self.was.items():
            mask = mask | 1 << place if SIDE[power] is side else mask & ~(1 << place)
        return mask

    def open_gate(self, a: int, b: int, side: Side) -> bool:
        """May ships of a side pass between two adjacent zones (AA-2.11, AA-2.13..16)?"""
        if self.straits and self.chart.straits in ((a, b), (b, a)):
            return False
        closed = [lock for lock in self.chart.gates.get((a, b), ()) if not self.friendly_at_start(lock, side)]
        return not closed

    def capital_lost(self, power: Power) -> bool:
        """AA-6.63: is the power's capital in enemy hands?"""
        return self.side_of(self.chart.capital[power]) is not SIDE[power]

    def production(self, power: Power) -> int:
        """AA-2.23, AA-10.1."""
        worth = self.ground.worth
        if worth is None:
            worth = self.ground.worth = dict.fromkeys(POWERS, 0)
            for place, held in self.control.items():
                worth[held] += self.chart.territories[place].value
        return worth[power]

    def allows(self, owner: Power, user: Power, what: str) -> bool:
        """AA-2.24: may `user` use decks (`deck`) or holds (`hold`) of `owner`?"""
        return SIDE[owner] is SIDE[user] and f"{owner}/{what}/{user}" not in self.denied

    def where(self, territory: int) -> str:
        return self.chart.name(territory)


def copy_of(s: State) -> State:
    """Changes of it leave the original alone."""
    twin = replace(
        s,
        units=Rows(s.units.items()),
        control=Rows(s.control.items()),
        ipc=Rows(s.ipc.items()),
        was=Rows(s.was.items()),
        bought=Rows(s.bought.items()),
        placed=Rows(s.placed.items()),
    )
    twin.ground = Ground(twin.units)
    return twin


def set_up(setup: Setup) -> State:
    chart: Chart = setup.chart
    key = setup.data.digest, setup.scenario
    units = _drawn_up.get(key)
    if units is None:
        units = _drawn_up[key] = draw_up(chart.plans[setup.scenario])
    state = State(
        scenario=setup.scenario,
        short=setup.options["victory"] == "short",
        straits=setup.options["straits"] == "closed",
        units=Rows(units),
        control=Rows({each.place: each.owner for each in chart.territories if each.owner is not None}),
        ipc=Rows({str(power): chart.plans[setup.scenario].ipc[power] for power in POWERS}),
        born=len(units),
        chart=chart,
    )
    attach(state, setup)
    return state


_drawn_up: dict[tuple[bytes, str], dict[int, Unit]] = {}  # by data set and scenario: both never change


def draw_up(plan: Plan) -> dict[int, Unit]:
    """The units of a scenario, ships first. AA-1.6: fighters in a zone begin aboard their own carrier there."""
    units: dict[int, Unit] = {}
    ships: dict[tuple[Power, Kind], int] = {}
    decks: dict[tuple[Power, int], list[int]] = {}  # places on decks that are free, by the number of their carrier
    for power, place, kind, count in sorted(plan.units, key=lambda row: row[2] not in SEA):
        for _ in range(count):
            number, born, aboard = 0, len(units), NONE
            if kind in NUMBERED:
                number = ships[power, kind] = ships.get((power, kind), 0) + 1
            if kind is Kind.CARRIER:
                decks.setdefault((power, place), []).extend([born] * DECK)
            elif kind is Kind.FIGHTER and place >= FIRST_ZONE:
                aboard = decks[power, place].pop(0)
            units[born] = Unit(power, kind, place, number, aboard)
    return units


def attach(state: State, setup: Setup) -> None:
    state.players = setup.players
    state.ground = Ground(state.units)


def facts(s: State, seat: str) -> dict[str, int]:
    """What plans may test: `holds/karelia` is 1 if the power's side holds the territory."""
    side = SIDE[Power(seat)]
    return {
        f"holds/{s.chart.words[place].lower()}": int(SIDE[power] is side)
        for place, power in s.control.items()
        if s.chart.words[place].replace("-", "").isalnum()
    }
