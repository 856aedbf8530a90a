"""S42-25: reserves: units that are kept back in the Movement Phase, and advance in the Combat Phase without a fight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from pbem.game import STAY, Choice, Frame, Known, Next, Out, Violation
from pbem.kit import UNIT, EntryKind, all_of, named_ways
from pbem_rules.stalingrad42.chart import SUPPLY
from pbem_rules.stalingrad42.combat.advance import Way, as_far, may_advance, open_ways
from pbem_rules.stalingrad42.combat.pursuit import AdvanceAsListed
from pbem_rules.stalingrad42.events import ORDER_NAMES, Reserved
from pbem_rules.stalingrad42.frames import PlayerTurn, Pursuing
from pbem_rules.stalingrad42.orders import Activate, Reserve, place_name
from pbem_rules.stalingrad42.state import GOOD, RESERVES, State

MARKERS = 3  # S42-25.2.2
HEXES = 2  # S42-25.2.3a: in every weather
UNPLAYED = Violation("S42-25.1", "Reserves are an option that this game is played without")


class Reserves(Choice[State, PlayerTurn, Reserve]):
    """S42-25.2.1, S42-25.2.2: a marker on units of one hex that have hardly moved."""

    rule = "S42-25.2.1"

    def legal(self, s: State, f: PlayerTurn, seat: str, own: Known) -> Iterator[Reserve]:
        if RESERVES not in s.options or len(f.reserved) >= MARKERS:
            return
        for place in s.chart.board.in_mask(s.ground.occupied[seat] & s.chart.hexes):
            units = tuple(unit for unit in s.of(seat, place) if self._unfit(s, f, unit) is None)
            if units:
                yield Reserve(units)

    @staticmethod
    def _unfit(s: State, f: PlayerTurn, unit: int) -> Violation | None:
        code = s.code(unit)
        if not s.has_on_map(f.seat, unit) or s.in_area(unit):
            return Violation("S42-25.2.1", f"{code} is not a unit of yours in a hex of the map")
        if any(unit in units for units in f.reserved):
            return Violation("S42-25.2.1", f"{code} is already in reserve")
        if s.pieces[unit].order != GOOD or s.pieces[unit].train:
            what = "on a train" if s.pieces[unit].train else ORDER_NAMES[s.pieces[unit].order]
            return Violation("S42-25.2.1a", f"{code} is {what}, and cannot be in reserve")
        if unit in s.renewed:
            return Violation("S42-25.2.1b", f"{code} has received a replacement")
        if unit in s.frozen or unit in s.fixed or s.has(unit, SUPPLY):
            return Violation("S42-25.2.1", f"{code} may not advance, and cannot be in reserve")
        if any(unit in storm.units for storm in f.storms):
            return Violation("S42-25.2.1a", f"{code} has taken part in an automatic DS, and cannot be in reserve")
        if (unit in f.moved or unit in f.halfway) and unit not in f.nudged:
            return Violation("S42-25.2.1a", f"{code} has moved more than a hex, or into an enemy zone")
        return None

    def check(self, s: State, f: PlayerTurn, seat: str, order: Reserve, proof: Known) -> Violation | None:
        if RESERVES not in s.options:
            return UNPLAYED
        if not order.units or len(set(order.units)) < len(order.units):
            return Violation(self.rule, "A reserve names its units, each once")
        if len(f.reserved) >= MARKERS:
            return Violation("S42-25.2.2", f"{MARKERS} Reserve markers are already on the map")
        wrong = next(filter(None, (self._unfit(s, f, unit) for unit in order.units)), None)
        if wrong is None and len(set(map(s.at, order.units))) > 1:
            return Violation(self.rule, "The units of one marker stand in one hex")
        return wrong

    def apply(self, s: State, f: PlayerTurn, seat: str, order: Reserve, out: Out) -> Next:
        units = tuple(sorted(order.units))
        f.reserved.append(units)
        f.moved.update(units)
        out.add(Reserved(units=tuple(map(s.code, units)), hex=s.at(units[0]), rule=self.rule))
        return STAY


def able(s: State, f: PlayerTurn, unit: int) -> bool:
    """S42-25.1, S42-25.2.3c: who has attacked, advanced or retreated in this turn is no reserve any more."""
    spent = (f.fought | f.advanced | f.tried | s.fled).union(*(storm.units for storm in f.storms))
    return unit not in spent and may_advance(s, unit)


def reserve_ways(s: State, unit: int, emptied: int | None) -> Iterator[Way]:
    """S42-25.2.3: two hexes by the rules of advance, over major rivers by bridges alone (S42-25.2.3d)."""
    return open_ways(s, unit, emptied, HEXES, attacked=False)


class Activates(EntryKind[State, PlayerTurn, Activate]):
    """S42-25.2.3: at any time of the Combat Phase, wherever the reserve stands; all units of a marker at once."""

    rule = "S42-25.2.3"

    def legal(self, s: State, f: PlayerTurn, seat: str) -> Iterator[Activate]:
        """Ways of each unit by itself."""
        listed = [set(named_ways(entry.advance)) for entry in f.firm() if isinstance(entry, Activate)]
        for marker in f.reserved:
            if any(not each.isdisjoint(marker) for each in listed):
                continue
            for unit in marker:
                if able(s, f, unit):
                    yield from (Activate((UNIT + unit, *way)) for way in reserve_ways(s, unit, f.emptied))

    @staticmethod
    def marker(f: PlayerTurn, entry: Activate) -> tuple[int, ...]:
        units = set(named_ways(entry.advance))
        return next((marker for marker in f.reserved if units and units <= set(marker)), ())

    def form(self, s: State, f: PlayerTurn, entry: Activate, proof: Known) -> Violation | None:
        if RESERVES not in s.options:
            return UNPLAYED
        found = named_ways(entry.advance)
        if not found or not all(found.values()):
            return Violation(self.rule, "A reserve names each unit before the hexes that it enters")
        if not self.marker(f, entry):
            codes = all_of(map(s.code, found))
            return Violation(self.rule, f"{codes} {'are' if len(found) > 1 else 'is'} not in reserve under one marker")
        near = s.chart.board.near
        for unit, way in found.items():
            if len(way) > HEXES:
                return Violation("S42-25.2.3a", f"A reserve advances {HEXES} hexes at most")
            if any(b not in near[a] for a, b in pairwise((s.at(unit), *way))):
                return Violation("S42-14.3", f"{s.code(unit)} goes from hex to hex, beginning where it stands")
        return None

    def now(self, s: State, f: PlayerTurn, entry: Activate) -> Violation | None:
        found = named_ways(entry.advance)
        if not self.marker(f, entry):
            return Violation(self.rule, "That reserve has been activated")
        marker = self.marker(f, entry)
        if any(isinstance(each, Activate) and self.marker(f, each) == marker for each in f.firm()):
            return Violation(self.rule, "That reserve is already on the list")
        goers = [unit for unit in found if able(s, f, unit)]
        if not goers:
            return Violation("S42-25.2.3c", f"{all_of(map(s.code, found))} may not advance, or has attacked")
        if not any(as_far(found[unit], set(reserve_ways(s, unit, f.emptied))) for unit in goers):
            ends = all_of(dict.fromkeys(place_name(way[0]) for way in found.values()))
            return Violation("S42-14.3", f"The way to {ends} is barred, or there is no room")
        return None

    def start(self, s: State, f: PlayerTurn, entry: Activate, out: Out) -> Frame:
        f.reserved.remove(self.marker(f, entry))
        ready = {unit: way for unit, way in named_ways(entry.advance).items() if able(s, f, unit)}
        words = tuple(word for unit, way in ready.items() for word in (UNIT + unit, *way))
        return Pursuing(seat=f.seat, ask=entry.ask, advance=words, emptied=f.emptied)

    def won(self, s: State, f: PlayerTurn, entry: Activate, done: Pursuing) -> bool:
        f.advanced.update(done.advanced)
        return bool(done.advanced)


class AdvanceReserve(AdvanceAsListed[Pursuing]):
    """S42-25.2.3, S42-13.3.2d."""

    name = "advance_reserve"
    rule = "S42-25.2.3"

    def ways(self, s: State, f: Pursuing, unit: int, way: Way) -> tuple[Way, Iterable[Way]]:
        return way, reserve_ways(s, unit, f.emptied)
