"""What holds at every position, and what holds whenever a turn begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pbem.engine.event import Event
from pbem_rules.axis1941 import events as e
from pbem_rules.axis1941.chart import is_territory, is_zone
from pbem_rules.axis1941.ground import Ground
from pbem_rules.axis1941.routes import places
from pbem_rules.axis1941.sight import Sight, look
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import AIR, DECK, LAND, NONE, NUMBERED, OTHER, POWERS, SEA, SIDE, Kind, Side


def always(s: State) -> None:
    """At every decision."""
    for number, unit in s.units.items():
        where = f"{unit} ({number}) in {s.where(unit.place)}"
        if unit.kind in SEA:
            assert is_zone(unit.place), f"a ship ashore: {where}"
        if is_territory(unit.place):
            assert unit.place in s.control, f"in a neutral territory: {where}"
            assert unit.aboard == NONE, f"aboard on land: {where}"
        if unit.kind in LAND and is_zone(unit.place):
            assert unit.aboard != NONE, f"swimming: {where}"
        if unit.aboard != NONE:
            ship = s.units[unit.aboard]
            assert ship.place == unit.place, f"left behind by {ship}: {where}"
            assert SIDE[ship.power] is SIDE[unit.power], f"aboard the enemy's {ship}: {where}"
            assert (ship.kind is Kind.CARRIER) == (unit.kind is Kind.FIGHTER), f"aboard {ship}: {where}"
            assert ship.kind in NUMBERED, f"aboard {ship}: {where}"
        assert (unit.number > 0) == (unit.kind in NUMBERED), f"without or with a number: {where}"
        assert 0 <= unit.used <= s.chart.stats[unit.kind].move, f"moved too far: {where}"
        if unit.kind is Kind.CARRIER:
            assert len(s.cargo(number)) <= DECK, f"overfull: {where}"
        if unit.kind is Kind.TRANSPORT:
            kinds = sorted(s.units[each].kind for each in s.cargo(number))
            assert len(kinds) <= 2, f"overfull: {where}"
            assert kinds.count(Kind.TANK) <= 1, f"overfull: {where}"
    numbers = Counter((u.power, u.kind, u.number) for u in s.units.values() if u.number)
    assert all(count == 1 for count in numbers.values()), "two ships with one number"
    owned = {each.place for each in s.chart.territories if each.owner is not None}
    assert set(s.control) == owned, "a territory without an owner"
    assert all(s.ipc[power] >= 0 for power in POWERS), "debts"
    fresh = Ground(s.units)
    assert fresh.at == s.ground.at, "a stale index of places"
    assert fresh.cargo == s.ground.cargo, "a stale index of cargo"
    for side in Side:
        assert fresh.units[side] == s.ground.units[side]
        assert fresh.surface[side] == s.ground.surface[side]
        assert fresh.destroyers[side] == s.ground.destroyers[side]
    assert fresh.masks == s.ground.masks, "stale masks"
    assert fresh.marked == s.ground.marked, "a mark that was not noticed"
    for side in Side:
        assert list(places(s.realm(side))) == [place for place, power in s.control.items() if SIDE[power] is side]
    for power in POWERS:
        land = (s.chart.territories[place].value for place, held in s.control.items() if held is power)
        assert s.production(power) == sum(land), "a stale count of what a power's land yields"
    assert look(s) == _seen_anew(s), "a stale view of the board"


def _seen_anew(s: State) -> Sight:
    kept, s.ground.view = s.ground.view, None
    seen = look(s)
    s.ground.view = kept
    return seen


def at_rest(s: State) -> None:
    """When a turn begins."""
    for number, unit in s.units.items():
        where = f"{unit} ({number}) in {s.where(unit.place)}"
        side = SIDE[unit.power]
        if is_territory(unit.place):
            assert s.side_of(unit.place) is side, f"in hostile territory at rest: {where}"
            assert not s.enemies(unit.place, side), f"enemies at rest beside each other: {where}"
        elif unit.kind in AIR:
            assert unit.kind is Kind.FIGHTER, f"a bomber over the sea at rest: {where}"
            assert unit.aboard != NONE, f"stranded: {where}"
        assert unit.did == 0, f"did something: {where}"
        assert (unit.used, unit.origin, unit.target) == (0, NONE, NONE), f"still on its way: {where}"
    assert not len(s.bought), "units that wait at rest"
    assert not len(s.was)
    assert s.battles == ()


class Books:
    """Every unit and every IPC is accounted for by events."""

    def __init__(self, s: State) -> None:
        self.count = self._units(s)
        self.ipc = {power: s.ipc[power] for power in POWERS}
        self.control = dict(s.control.items())
        self.at_sea = dict.fromkeys(Side, 0)

    @staticmethod
    def _units(s: State) -> Counter[tuple[str, str]]:
        return Counter((str(unit.power), str(unit.kind)) for unit in s.units.values())

    def take(self, events: Iterable[Event]) -> None:
        for event in events:
            if isinstance(event, e.Mobilised):
                self.count[event.power, event.unit] += 1
            elif isinstance(event, e.Destroyed) or (isinstance(event, e.Lost) and not event.damaged):
                self.count[event.power, event.unit] -= 1
                assert self.count[event.power, event.unit] >= 0, f"lost what was not there: {event}"
            elif isinstance(event, e.Bought):
                self.ipc[POWERS[list(map(str, POWERS)).index(event.power)]] -= event.cost
            elif isinstance(event, e.Collected):
                power = POWERS[list(map(str, POWERS)).index(event.power)]
                self.ipc[power] += event.income
                assert event.ipc == self.ipc[power], f"other books: {event}"
            elif isinstance(event, e.Looted):
                by, loser = (POWERS[list(map(str, POWERS)).index(name)] for name in (event.by, event.loser))
                assert event.ipc == self.ipc[loser], f"other books: {event}"
                self.ipc[by] += self.ipc[loser]
                self.ipc[loser] = 0
            elif isinstance(event, e.Captured | e.HandedBack):
                held = self.control[event.place]
                assert str(held) == event.before, f"taken from whom it was not: {event}"
                self.control[event.place] = POWERS[list(map(str, POWERS)).index(event.owner)]

    def check(self, s: State) -> None:
        """When a turn begins."""
        assert +self.count == self._units(s), f"units: {+self.count - self._units(s)}, {self._units(s) - +self.count}"
        assert self.ipc == {power: s.ipc[power] for power in POWERS}, "IPC that nobody booked"
        assert self.control == dict(s.control.items()), "territories that changed hands without an event"
        for power in POWERS:
            values = sum(s.chart.territories[place].value for place, held in self.control.items() if held is power)
            assert s.production(power) == values


__all__ = ["OTHER", "Books", "always", "at_rest"]
