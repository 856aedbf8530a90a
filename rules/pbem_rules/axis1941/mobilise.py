"""AA-9 Mobilise: bought units go to complexes; and what complexes can take, which purchases must fit (AA-4.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.game import STAY, Decide, Known, Next, Out, Violation
from pbem_rules.axis1941.chart import is_territory, is_zone
from pbem_rules.axis1941.events import Destroyed, Mobilised, Returned
from pbem_rules.axis1941.frames import Turn
from pbem_rules.axis1941.moving import idle
from pbem_rules.axis1941.orders import Put, Return
from pbem_rules.axis1941.state import State
from pbem_rules.axis1941.units import (
    AWAITS,
    CARRIER,
    DECK,
    FIGHTER,
    FRESH,
    KINDS,
    NONE,
    SEA,
    SEATS,
    TITLES,
    Kind,
    Power,
    amounts,
)


def complexes(s: State, power: Power) -> list[int]:
    """AA-9.2: those in territories that the power has held since its turn began."""
    when = (s.round, power, len(s.was))
    kept = s.ground.yards
    if kept is not None and kept[0] == when:
        return kept[1]
    found = [place for place in s.chart.complexes if s.control[place] is power and s.held_at_start(place) is power]
    s.ground.yards = when, found
    return found


def room(s: State, place: int) -> int:
    """How many more units this complex can mobilise (AA-9.3)."""
    return s.chart.territories[place].value - (s.placed.get(place) or 0)


def owed(s: State, power: Power) -> dict[int, int]:
    """AA-9.10: how many carriers must be mobilised in which zone, for the fighters that wait there."""
    waiting: dict[int, int] = {}
    for number in s.ground.of[power, FIGHTER]:
        unit = s.units[number]
        if unit.did & AWAITS:
            waiting[unit.place] = waiting.get(unit.place, 0) + 1
    return {place: (count + DECK - 1) // DECK for place, count in sorted(waiting.items())}


def fits(s: State, power: Power, bought: Mapping[str, int], taken: Mapping[int, int], needs: Mapping[int, int]) -> bool:
    """Is there a complex for every unit (AA-4.5, AA-9.2 to 9.6), with as many carriers in zones as they need (AA-9.10)?

    `taken`: places at complexes that are used in addition to those of the state.
    """
    left = {}
    total = shore = 0
    territories, placed, coast = s.chart.territories, s.placed, s.chart.coast
    for place in complexes(s, power):
        free = territories[place].value - placed.get(place, 0) - taken.get(place, 0)
        left[place] = free
        total += free
        if place in coast:
            shore += free
    if not needs:  # land and air units go anywhere, ships to any coast
        count = sum(bought.values())
        return count <= total and _ships(bought) <= shore
    wants: list[list[int]] = []
    carriers = bought.get(CARRIER, 0)
    for place, count in needs.items():
        for _ in range(min(count, carriers)):
            carriers -= 1
            wants.append([each for each in left if place in s.chart.near[each]])
    ships = carriers + sum(count for kind, count in bought.items() if kind in SEA and kind != CARRIER)
    wants += [[each for each in left if each in coast]] * ships
    wants += [list(left)] * sum(count for kind, count in bought.items() if kind not in SEA)
    return matched(wants, left)


def _ships(bought: Mapping[str, int]) -> int:
    return sum([count for kind, count in bought.items() if kind in SEA])


def matched(wants: list[list[int]], left: Mapping[int, int]) -> bool:
    """Augmenting paths: every want gets a place at one of its complexes."""
    held: dict[int, list[int]] = {place: [] for place in left}

    def seat(want: int, seen: set[int]) -> bool:
        for place in wants[want]:
            if place in seen:
                continue
            seen.add(place)
            if len(held[place]) < left[place]:
                held[place].append(want)
                return True
            for index, other in enumerate(held[place]):
                if seat(other, seen):
                    held[place][index] = want
                    return True
        return False

    return all(seat(want, set()) for want in range(len(wants)))


def waiting_units(s: State) -> dict[Kind, int]:
    bought = s.bought
    return {kind: bought[kind] for kind in KINDS if kind in bought}


def surplus(s: State, power: Power) -> bool:
    """AA-9.10, AA-9.11: have more units been bought than can be placed?"""
    return not fits(s, power, s.bought, {}, owed(s, power))


def take_one(s: State, kind: Kind) -> None:
    left = s.bought[kind] - 1
    if left:
        s.bought[kind] = left
    else:
        del s.bought[kind]


def free_deck(s: State, power: Power, place: int) -> int:
    """An own carrier in a zone with room, NONE if there is none (AA-9.7). Who waits there goes first (AA-9.9)."""
    free = 0
    found = NONE
    for ship in s.here(place, power=power, kind=CARRIER):
        space = DECK - len(s.cargo(ship))
        free += space
        if space and found == NONE:
            found = ship
    queue = sum(1 for number in s.here(place, power=power, kind=FIGHTER, cargo=False) if s.units[number].did & AWAITS)
    return found if free > queue else NONE


class Mobilise(Decide[State, Turn, Put | Return]):
    rule = "AA-9.4"
    default = "then capital"
    phase = True
    fact_names = ("round", "units")
    answer_names = ("capital",)

    def when(self, s: State, f: Turn) -> bool:
        return bool(len(s.bought)) and not s.capital_lost(f.power)  # AA-9.1

    def by(self, s: State, f: Turn) -> Sequence[str]:
        return SEATS[f.power]

    def barred(self, s: State, f: Turn, seat: str, thing: str) -> Violation | None:
        return idle(s, thing, self.rule, "does nothing now: what you have bought is placed")

    def prompt(self, s: State, f: Turn, seat: str) -> str:
        rooms = ", ".join(f"{s.where(place)} {room(s, place)}" for place in complexes(s, f.power))
        return f"{TITLES[f.power]} mobilises {amounts(waiting_units(s))}: `place UNITS PLACE`. Room: {rooms}."

    def legal(self, s: State, f: Turn, seat: str, own: Known) -> Iterator[Put | Return]:
        if surplus(s, f.power):
            yield from map(Return, waiting_units(s))
            return
        for kind in waiting_units(s):
            for order in self._candidates(s, f, kind):
                if self._refuses(s, f, order) is None:
                    yield order

    @staticmethod
    def _candidates(s: State, f: Turn, kind: Kind) -> Iterator[Put]:
        for by in complexes(s, f.power):
            if kind not in SEA:
                yield Put(kind, by, by)
            if kind in SEA or kind is FIGHTER:
                for at in s.chart.near_sea[by]:
                    yield Put(kind, at, by)

    def check(self, s: State, f: Turn, seat: str, order: Put | Return, proof: Known) -> Violation | None:
        if not s.bought.get(order.unit):
            return Violation("AA-9.4", f"You have no {order.unit} to mobilise")
        if isinstance(order, Return):
            if surplus(s, f.power):
                return None
            return Violation("AA-9.11", "All that was bought can be placed, so nothing is returned")
        wrong = self._refuses(s, f, order)  # passes only where the rest fits as well, so that there is no surplus
        if wrong is not None and surplus(s, f.power):
            return Violation("AA-9.11", "More was bought than can be placed: `return` a unit first")
        return wrong

    def _refuses(self, s: State, f: Turn, order: Put) -> Violation | None:
        kind, at, by = order.unit, order.at, order.by
        name = s.chart.name
        if not is_territory(by) or not s.chart.territories[by].complex:
            return Violation("AA-9.2", f"There is no industrial complex in {name(by)}")
        if s.control[by] is not f.power:
            return Violation("AA-9.2", f"The complex in {name(by)} is not yours")
        if s.held_at_start(by) is not f.power:
            return Violation("AA-9.2", f"{name(by)} was taken this turn: its complex works from your next turn on")
        if room(s, by) < 1:
            value = s.chart.territories[by].value
            return Violation("AA-9.3", f"The complex in {name(by)} mobilises no more than {value} a turn")
        if at != by and at not in s.chart.near_sea[by]:
            return Violation("AA-9.6", f"{name(at)} is not next to the complex in {name(by)}")
        if kind in SEA:
            if at == by:
                return Violation("AA-9.6", f"A {kind} is mobilised in a sea zone next to {name(by)}")
        elif at != by:
            if kind is not FIGHTER:
                return Violation("AA-9.5", f"A {kind} is mobilised in {name(by)} itself")
            if free_deck(s, f.power, at) == NONE:
                return Violation("AA-9.7", f"No carrier of yours in {name(at)} has room for another fighter")
        return self._leaves(s, f, order)

    @staticmethod
    def _leaves(s: State, f: Turn, order: Put) -> Violation | None:
        """AA-9.4, AA-9.10: after this unit all others must still find their places."""
        units, needs = s.bought.copy(), owed(s, f.power)
        units[order.unit] -= 1
        if order.unit is CARRIER:
            if order.at in needs:
                needs[order.at] -= 1
            if sum(needs.values()) > units[CARRIER]:
                zones = ", ".join(s.where(place) for place in needs)
                return Violation("AA-9.10", f"Fighters wait for a new carrier in {zones}")
        if fits(s, f.power, units, {order.by: 1}, needs):
            return None
        return Violation("AA-9.4", f"With a {order.unit} from {s.where(order.by)} the rest cannot all be placed")

    def apply(self, s: State, f: Turn, answers: Mapping[str, Put | Return], out: Out) -> Next:
        """AA-8.8, AA-9.3, AA-9.7, AA-9.9, AA-9.11, AA-9.12."""
        order = answers[f.power]
        take_one(s, order.unit)
        if isinstance(order, Return):
            cost = s.chart.stats[order.unit].cost
            s.ipc[f.power] += cost
            out.add(Returned(power=f.power, unit=order.unit, ipc=cost, rule="AA-9.11"))
            return STAY
        s.placed[order.by] = (s.placed.get(order.by) or 0) + 1
        deck = free_deck(s, f.power, order.at) if order.unit is FIGHTER else NONE
        number = s.raise_unit(f.power, order.unit, order.at, aboard=deck, did=FRESH)
        if out.wanted:
            out.add(Mobilised(power=f.power, unit=order.unit, place=order.at, by=order.by, rule=self.rule))
        if order.unit is CARRIER:
            board_waiting(s, f.power, order.at, number)
        return STAY

    def facts(self, s: State, f: Turn, seat: str, own: Known) -> Mapping[str, int]:
        return {"round": s.round, "units": sum(waiting_units(s).values())}

    def answers(self, s: State, f: Turn, seat: str, own: Known) -> Mapping[str, Put | Return]:
        """AA-9.4, AA-9.10: capital first, then the largest complex; ships where most own ships are."""

        def worth(order: Put | Return) -> tuple[int, ...]:
            if isinstance(order, Return):
                return (s.chart.stats[order.unit].cost,)
            home = order.by == s.chart.capital[f.power]
            ashore = order.unit is FIGHTER and order.at == order.by
            ships = len([*s.here(order.at, power=f.power)]) if is_zone(order.at) else 0
            owed_here = order.unit is CARRIER and order.at in owed(s, f.power)
            return (owed_here, ashore, home, s.chart.territories[order.by].value, ships, -order.at)

        orders = list(self.legal(s, f, seat, own))
        return {"capital": max(orders, key=worth)} if orders else {}


def board_waiting(s: State, power: Power, place: int, carrier: int) -> None:
    """AA-8.8, AA-9.9: fighters that wait in the zone go aboard."""
    for number in s.here(place, power=power, kind=FIGHTER, cargo=False):
        if len(s.cargo(carrier)) < DECK:
            s.change(number, aboard=carrier, did=s.units[number].did & ~AWAITS)


def strand(s: State, power: Power, out: Out) -> None:
    """AA-8.11: fighters over the sea that no carrier has taken up by now are lost."""
    for number in list(s.of_power(power, FIGHTER)):
        unit = s.units[number]
        if is_zone(unit.place) and unit.aboard == NONE:
            s.remove(number)
            out.add(Destroyed(power=power, unit=unit.kind, place=unit.place, rule="AA-8.11"))
